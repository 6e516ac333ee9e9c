"""The tables of `docs/ir.md`, made from the classes. `python -m rulelang.ir.reference` writes them between their marks.

What a class means stands in its docstring; here stand only its cost and what of the language becomes it.
"""

from pathlib import Path

import attrs

from rulelang.ir import effects, expressions, nodes, origin, program, types
from rulelang.ir.shapes import Shape, all_kinds, fields_of

BEGIN, END = "<!-- made by rulelang.ir.reference: begin -->", "<!-- made by rulelang.ir.reference: end -->"

SECTIONS = (
    (program, "Declarations"),
    (types, "Kinds of value"),
    (expressions, "Formulas and places"),
    (effects, "Effects"),
    (nodes, "Nodes"),
    (origin, "Where things stand"),
)

_PARTS, _LOOKUP = "1 + parts", "1 + indices"
_SEARCH = "1 + domain + capacity × condition"
_MOVE = "1 + formulas"


@attrs.frozen
class Entry:
    """What is said about a class beside its docstring."""

    cost: str
    written: str


_FORMULAS: dict[str, tuple[str, str]] = {
    "Constant": ("1", "`3`, `yes`, `hearts`; what closing works out"),
    "NoneOf": ("gone when closed", "`none`, `nobody`"),
    "AllOf": ("1", "a kind named as a domain: `each Card`, `players`"),
    "OptionValue": ("gone when closed", "an option's name"),
    "SeatCount": ("gone when closed", "`size of players`"),
    "Local": ("1", "a parameter, `let`, loop or search name; `me`"),
    "Read": (_LOOKUP, "a zone's or marker's name: `heap[2]`, `my hand`"),
    "Cell": (_PARTS, "`column of row`"),
    "Apply": ("1 + arguments + body", "a `define` or `condition`"),
    "Slot": ("its indices", "`heap[2]`, `p's hand`"),
    "Member": ("its member", "a value of a family's kind: `where_to`"),
    "Add": (_PARTS, "`a + b`, `rises by`"),
    "Subtract": (_PARTS, "`a - b`, `falls by`"),
    "Multiply": (_PARTS, "`a * b`"),
    "Quotient": (_PARTS, "`quotient(a, b)`"),
    "Remainder": (_PARTS, "`remainder(a, b)`; the step of `turns of`"),
    "Negative": (_PARTS, "`-a`"),
    "Smaller": (_PARTS, "`smaller(a, b)`"),
    "Larger": (_PARTS, "`larger(a, b)`"),
    "Equal": (_PARTS, "`is`, `is not` (in Not)"),
    "Less": (_PARTS, "`<`, `>`"),
    "AtMost": (_PARTS, "`<=`, `>=`"),
    "Contains": (_PARTS, "`in`"),
    "Not": (_PARTS, "`not`, `is not`"),
    "Both": (_PARTS, "`and`"),
    "Either": (_PARTS, "`or`, `unless`"),
    "Conditional": ("1 + condition + both ways", "`a if c otherwise b`; the cases of a `define`"),
    "Part": (_PARTS, "`rank of card`"),
    "MakeRecord": (_PARTS, "a record's name with values"),
    "Span": (_PARTS, "`low..high`"),
    "MakeList": (_PARTS, "`[a, b]`"),
    "Join": (_PARTS, "`a + b` of collections"),
    "Without": (_PARTS, "`a but b`, `others(p)`"),
    "Size": (_PARTS, "`size of`"),
    "Occurrences": (_PARTS, "`copies(x, S)`"),
    "Distinct": (_PARTS, "`kinds of`"),
    "Item": (_PARTS, "`item(S, n)`"),
    "Last": (_PARTS, "`top of`; the piece of a slot"),
    "Partition": (
        "1 + collection + condition + worth + the groups there can be",
        "`best_partition(...)`, `whole_partition(...)`",
    ),
    "PartitionPart": (_PARTS, "`value of`, `rest of`, `groups of`, `possible of` a partition"),
    "Picks": ("1 + parts + the bags there can be", "`bags(n, S)`"),
    "From": (_PARTS, "`clockwise(p)`, `others(p)`, `each x in S from q`"),
    "Exists": (_SEARCH, "`some x in S where c`"),
    "Every": (_SEARCH, "`every x in S satisfies c`"),
    "RankBy": ("in its search", "`with most`, `with least`"),
    "Select": ("1 + domain + capacity × (condition + ranks)", "`all x in S where c`"),
    "Choose": ("1 + domain + none + capacity × (condition + ranks)", "`first x in S where c`"),
    "Number": (_SEARCH, "`count(each x in S where c)`"),
    "Total": ("1 + domain + capacity × (condition + value)", "`sum(v for each x in S)`"),
    "Extreme": ("1 + domain + none + capacity × (condition + value)", "`highest(v for each x in S)`, `lowest(...)`"),
    "Collect": ("1 + domain + capacity × (condition + value)", "`collect(v for each x in S)`"),
    "Lines": (_PARTS, "`lines(Square, n)`"),
    "Ranks": ("1", "`rows(Board)`, `columns(Board)`, `diagonals(Board)`"),
    "Neighbours": (_PARTS, "`beside(c)`, `around(c)`"),
    "Rays": (_PARTS, "`rays(c)`"),
    "Linked": ("1 + parts + cells of the board × cells beside one", "`linked(start, cells)`"),
    "CellAt": (_PARTS, "`cell(Board, r, c)`"),
    "RowOf": (_PARTS, "`row of`"),
    "ColumnOf": (_PARTS, "`column of`"),
    "EdgesOf": (_PARTS, "`edges of`"),
    "CellsBeside": (_PARTS, "`cells of` an edge"),
    "Spoken": ("nothing", "`{hole}` in a text"),
    "Words": ("nothing", "`because`"),
}

_CHANGES: dict[str, tuple[str, str]] = {
    "SetMarker": (_MOVE, "`becomes`, `rises by`, `falls by`"),
    "SetLocal": (_MOVE, "`let`; the lists and counters of loops"),
    "MoveAt": (_MOVE, "`put position(n)`"),
    "MoveTop": (_MOVE, "`put top`, `put top(n)`"),
    "MoveAll": ("1 + formulas + pieces of this kind", "`put everything`"),
    "MovePieces": (_MOVE, "`put x`, `put random`"),
    "Gather": ("1 + formulas + pieces of this kind", "`gather`"),
    "Shuffle": ("1 + formulas + pieces of this kind", "`shuffle`"),
    "Settle": (_MOVE, "`put top` from a blind pile to another place"),
    "PickUp": ("1 + formulas + pieces of this kind", "`roll` of dice, at its beginning"),
    "Land": (_MOVE, "`roll` of dice, for each die"),
    "Do": ("its effect", "every change"),
    "Branch": ("1 + condition", "`if`, `repeat until`, `where` of a loop"),
    "Loop": ("1 each time", "`each`, `repeat n times`, `turns of p in S`"),
    "Call": ("1 + arguments", "a rule's name as a statement"),
    "Return": ("1", "the end of a rule or of a move's effects"),
    "Leave": ("1", "`end RULE`"),
    "OneSeat": ("1 + seat", "`p must ...`, `p may ...`"),
    "SealedSeats": ("1 + seats", "`secretly`"),
    "AnyOfSeats": ("1 + seats", "`freely`, `once_each`"),
    "Decide": ("1 + who is asked; each answer: domains and requirements of its move", "a choice"),
    "AnyOf": ("1 + collection + none", "`random`, `roll`"),
    "TopOf": ("1 + place + none", "`put top` from a blind pile to another place"),
    "Chance": ("its distribution", "everything random"),
    "Winners": ("1 + seats", "`end game, p wins`"),
    "Amounts": ("1 + seats + capacity × amount", "`end game, each p in S gets`"),
    "Grade": ("1 + grade", "`end game, grade`"),
    "Unresolved": ("1 + seats", "`end game, unresolved`"),
    "Aborted": ("1", "`end game`; the end of the overview"),
    "End": ("its outcome", "`end game`"),
}

_DECLARED: dict[str, tuple[str, str]] = {
    "Program": ("", "a whole text"),
    "Configuration": ("", "what was chosen when the game was set up"),
    "Option": ("", "`option`"),
    "Demand": ("", "`demand`"),
    "Board": ("", "`board`"),
    "Table": ("", "`table`"),
    "Column": ("", "a line of a `table`"),
    "Everyone": ("", "`seen by everyone`"),
    "Nobody": ("", "`seen by nobody`"),
    "Owner": ("", "`seen by owner`"),
    "These": ("", "`seen by` a formula"),
    "Sight": ("", "`seen by`, `top seen by`, `size seen by`"),
    "Start": ("1 a piece at the beginning", "`starts with`"),
    "Zone": ("1 a member at the beginning", "`zone`"),
    "Marker": ("1 a member at the beginning", "`marker`"),
    "Function": ("at each Apply", "`define`, `condition`"),
    "Procedure": ("its nodes", "`overview`, `rule`, the effects of a move"),
    "Parameter": ("its domain, each answer", "a parameter of a move"),
    "Requirement": ("its condition, each answer", "`require`"),
    "Move": ("each answer", "`move`"),
    "Invariant": ("nothing", "`always`"),
    "Preference": ("nothing in play", "`prefer`"),
    "Timer": ("its two markers at the beginning", "`timer`"),
    "NumberType": ("", "`1..6`, `values Rank: 1..13`"),
    "FlagType": ("", "`yes or no`"),
    "NamesType": ("", "`values Suit: hearts, spades`"),
    "SeatType": ("", "`player`"),
    "RecordType": ("", "`record`; `showing`"),
    "FieldType": ("", "a line of a `record`"),
    "CellType": ("", "a board's name"),
    "EdgeType": ("", "`edge of` a board"),
    "RowType": ("", "a table's name"),
    "MemberType": ("", "a family's name"),
    "PickType": ("", "`x in bags(n, S)` of a move"),
    "SaidType": ("", "`x in lists(n, S)` of a move"),
    "OptionalType": ("", "`or none`, `or nobody`"),
    "CollectionType": ("", "`list of`, `bag of`"),
    "TextType": ("", "`text` in a table"),
    "Origin": ("", "file, line and column of the text"),
    "Source": ("", "where it stands, with its `@CLAUSE` citations"),
}

ENTRIES: dict[str, Entry] = {name: Entry(*said) for name, said in (_DECLARED | _FORMULAS | _CHANGES).items()}
"""Cost and origin in the language, by class."""


def tables() -> str:
    """The generated part of the page."""
    lines: list[str] = []
    for module, title in SECTIONS:
        lines += [f"### {title}", "", "| kind | fields | meaning | cost | written |", "|---|---|---|---|---|"]
        for name, kind in sorted(all_kinds().items(), key=lambda item: _line(item[1])):
            if kind.__module__ == module.__name__:
                lines.append(_row(name, kind))
        lines.append("")
    return "\n".join(lines)


def with_tables(page: str) -> str:
    """A page with its generated part made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n{END}{after}"


def published() -> Path:
    """Where the page of a checkout is."""
    return Path(__file__).parents[2] / "docs" / "ir.md"


def _row(name: str, kind: type) -> str:
    fields = ", ".join(f"{field}: {_shape(shape)}" for field, shape in fields_of(kind)) or "none"
    meaning = " ".join((kind.__doc__ or "").split())
    entry = ENTRIES[name]
    return "| " + " | ".join(_cell(text) for text in (f"`{name}`", fields, meaning, entry.cost, entry.written)) + " |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("``", "`")


def _line(kind: type) -> int:
    """Classes stand in the order of their module."""
    return [*vars(_module(kind))].index(kind.__name__)


def _module(kind: type) -> object:
    return next(module for module, _ in SECTIONS if module.__name__ == kind.__module__)


def _shape(shape: Shape) -> str:
    """What a field holds, shortly."""
    if shape.items is shape:
        return "code or codes"
    names = list(shape.classes)
    known = {"Constant": "formula", "Slot": "place"}
    one = known.get(names[0], " or ".join(names) if len(names) < 4 else _union(names)) if names else ""
    words = [
        *(["number"] if shape.whole else []),
        *(["yes or no"] if shape.flag else []),
        *(["text"] if shape.text else []),
        *[f"`{word}`" for word in shape.words],
        *([one] if one else []),
        *([f"[{_shape(shape.items)}]"] if shape.items else []),
        *(["null"] if shape.null else []),
    ]
    return " or ".join(words)


def _union(names: list[str]) -> str:
    """The word for a choice of many kinds."""
    for first, word in (("Do", "node"), ("SetMarker", "effect"), ("Winners", "outcome"), ("Everyone", "audience")):
        if names[0] == first:
            return word
    return "kind"


def publish(path: Path) -> None:
    """Make the generated part of a page anew."""
    path.write_text(with_tables(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":  # pragma: no cover
    publish(published())
