"""The table as text: what one seat sees of zones, markers and boards. It is drawn from a view and nothing else."""

from collections.abc import Iterator
from itertools import product

from rulelang.ir.program import DeclaredSlot, Marker, Program, Zone
from rulelang.ir.types import (
    CellType,
    CollectionType,
    EdgeType,
    FlagType,
    NumberType,
    OptionalType,
    SeatType,
    SingleType,
    Type,
)
from rulelang.play import kinds
from rulelang.play.event import Value
from rulelang.play.formulas.boards import edge_place
from rulelang.play.kinds import column_letters
from rulelang.play.times import timer_slots, timer_text
from rulelang.play.view import View
from rulelang.play.words import place_name, speak
from rulelang.tools.saying import padded, width

Parts = dict[str, Value]
"""What is seen of one zone or marker."""

Seen = dict[tuple[int, int], Parts]

IN_ONE_LINE = 16
"""Members of a family of markers that are all said; of larger ones, those that differ from most."""


def seen_in(view: View) -> Seen:
    """What a view shows, by slot and member."""
    found: Seen = {}
    for each in view.seen:
        found.setdefault((each.slot, each.member), {})[each.part] = each.value
    return found


def table_lines(program: Program, view: View) -> Iterator[str]:
    """Everything that the view shows, boards first."""
    seen = seen_in(view)
    hidden = timer_slots(program)
    slots = [(number, slot) for number, slot in enumerate(program.slots) if number not in hidden]
    for number, slot in slots:
        if on_board(slot):
            yield from _grids(program, number, slot, seen)
        elif on_edges(slot):
            yield from _edges(program, number, slot, seen)
    for number, slot in slots:
        if not on_board(slot) and not on_edges(slot):
            yield from _family(program, number, slot, seen)
    for timer in range(len(program.timers)):
        yield f"{program.timers[timer].name}: {timer_words(program, timer, seen)}"


def timer_words(program: Program, timer: int, seen: Seen) -> str:
    """How a timer stands; everybody sees that."""
    declared = program.timers[timer]
    assert program.clock is not None  # whoever has timers has one
    left, end, now = (seen[slot, 0]["content"] for slot in (declared.left, declared.end, program.clock))
    assert isinstance(left, int) and isinstance(end, int) and isinstance(now, int)
    return timer_text(kinds.bound(declared.full), left, end, now)


def on_board(slot: DeclaredSlot) -> bool:
    """Whether this lies on the cells of one board."""
    return sum(isinstance(kind, CellType) for kind in slot.index) == 1


def on_edges(slot: DeclaredSlot) -> bool:
    """Whether this is a mark on the edges of a board."""
    return (
        len(slot.index) == 1
        and isinstance(slot.index[0], EdgeType)
        and isinstance(slot, Marker)
        and isinstance(slot.type, FlagType | OptionalType)
    )


# ------------------------------------------------------------------ one after the other


def value_words(program: Program, slot: DeclaredSlot, parts: Parts) -> str:
    """What lies there, or as much of it as is seen."""
    if "content" in parts:
        value = parts["content"]
        if isinstance(slot, Marker):
            return speak(program, slot.type, value)
        pieces = value if isinstance(value, tuple) else (value,)
        return speak(program, _content(slot), pieces) if pieces else "empty"
    said: list[str] = []
    size = parts.get("size")
    if size == 0:
        return "empty"
    if "top" in parts and parts["top"] != kinds.none_code(_single(slot)):
        said.append(f"{speak(program, _single(slot), parts['top'])} on top")
    if size is not None:
        said.append(f"{size} in all" if said else f"{size} hidden")
    return ", ".join(said) or "empty"


def _content(slot: Zone) -> CollectionType:
    from rulelang.ir.expressions import Constant

    return CollectionType("bag" if slot.shape == "bag" else "list", slot.content, Constant(0))


def _single(slot: DeclaredSlot) -> SingleType:
    assert isinstance(slot, Zone)
    return slot.content


def _family(program: Program, number: int, slot: DeclaredSlot, seen: Seen) -> Iterator[str]:
    count = kinds.family(program, number).count
    said = {
        member: value_words(program, slot, seen[number, member]) for member in range(count) if (number, member) in seen
    }
    if isinstance(slot, Zone) or not slot.index:
        for member, words in said.items():
            yield f"{place_name(program, number, member)}: {words}"
        return
    if not said:
        return
    values = list(said.values())
    usual = max(dict.fromkeys(values), key=values.count) if len(said) > IN_ONE_LINE else None
    named = [(place_name(program, number, member), words) for member, words in said.items() if words != usual]
    listed = [f"{_index_only(slot, name)} {words}" for name, words in named]
    if usual is not None:
        listed.append(f"all {'others' if listed else 'of them'} {usual}")
    yield f"{slot.name}: {', '.join(listed)}"


def _index_only(slot: DeclaredSlot, name: str) -> str:
    return name.removeprefix(slot.name).removeprefix(" of").strip()


# ------------------------------------------------------------------ boards


def _grids(program: Program, number: int, slot: DeclaredSlot, seen: Seen) -> Iterator[str]:
    """One grid for each combination of the other index values."""
    family = kinds.family(program, number)
    place = next(i for i, kind in enumerate(slot.index) if isinstance(kind, CellType))
    cell = slot.index[place]
    assert isinstance(cell, CellType)
    rows, columns = kinds.board_size(program, cell.board)
    others = [kinds.all_codes(program, kind) for i, kind in enumerate(slot.index) if i != place]
    for codes in product(*others):
        members = [family.member((*codes[:place], square, *codes[place:])) for square in range(rows * columns)]
        texts = [_cell_text(program, slot, seen.get((number, m if m is not None else -1))) for m in members]
        if all(text is None for text in texts):
            continue
        spoken = " ".join(
            speak(program, kind, code)
            for kind, code in zip((k for i, k in enumerate(slot.index) if i != place), codes, strict=True)
        )
        yield f"{slot.name} of {spoken}:" if spoken else f"{slot.name}:"
        slanted = program.boards[cell.board].shape == "hexagons"
        yield from _grid(["?" if text is None else text for text in texts], rows, columns, slanted)


def _grid(texts: list[str], rows: int, columns: int, slanted: bool) -> Iterator[str]:
    """Row 1 at the bottom, as its cells are named; on hexagons each row half a cell further to the right."""
    letters = [column_letters(column) for column in range(columns)]
    wide = max(width(text) for text in (*texts, *letters))
    wide += slanted and wide % 2 == 0  # a cell and its blank have a middle
    margin = len(str(rows))
    for row in reversed(range(rows)):
        cells = texts[row * columns : (row + 1) * columns]
        blanks = " " * (row * (wide + 1) // 2 if slanted else 0)
        yield f"  {blanks}{row + 1:>{margin}}  " + " ".join(padded(cell, wide) for cell in cells).rstrip()
    yield f"  {'':>{margin}}  " + " ".join(padded(letter, wide) for letter in letters).rstrip()


def _cell_text(program: Program, slot: DeclaredSlot, parts: Parts | None) -> str | None:
    if parts is None:
        return None
    value = parts.get("content")
    if isinstance(slot, Marker):
        return short(program, slot.type, value) if value is not None else None
    if isinstance(value, tuple):
        return ",".join(short(program, slot.content, piece) for piece in value) if value else "."
    return value_words(program, slot, parts).replace(" ", "_")


def short(program: Program, kind: Type, value: Value) -> str:
    """A value in a cell: the number of a seat, a cross for yes, a point for none and no."""
    if isinstance(value, tuple):
        return speak(program, kind, value).replace(" ", "")
    if isinstance(kind, OptionalType):
        return "." if value == kinds.none_code(kind) else short(program, kind.of, value)
    if isinstance(kind, FlagType):
        return "x" if value else "."
    if isinstance(kind, SeatType | NumberType):
        return str(value + 1 if isinstance(kind, SeatType) else value)
    return speak(program, kind, value).replace(" ", "_")


def _edges(program: Program, number: int, slot: DeclaredSlot, seen: Seen) -> Iterator[str]:
    """The points of a board and the marks between them; a1 is at the bottom on the left."""
    kind = slot.index[0]
    assert isinstance(kind, EdgeType) and isinstance(slot, Marker)
    rows, columns = kinds.board_size(program, kind.board)
    marks: dict[tuple[bool, int, int], str] = {}
    for edge in kinds.all_codes(program, kind):
        value = seen.get((number, edge), {}).get("content")
        text = "?" if value is None else short(program, slot.type, value)
        marks[edge_place(rows, columns, edge)] = text
    wide = max(1, *(width(text) for text in marks.values()))
    margin = len(str(rows + 1))
    yield f"{slot.name}:"
    for row in reversed(range(rows + 1)):
        line = "+".join(_across(marks[True, row, column], wide) for column in range(columns))
        yield f"  {row + 1:>{margin}} +{line}+".rstrip()
        if row:
            below = (" " * (wide + 2)).join(_upright(marks[False, row - 1, column]) for column in range(columns + 1))
            yield f"  {'':>{margin}} {below}".rstrip()
    letters = "".join(padded(column_letters(column), wide + 3) for column in range(columns + 1))
    yield f"  {'':>{margin}} {letters}".rstrip()


def _across(mark: str, wide: int) -> str:
    if mark in (".", "x"):
        return (" " if mark == "." else "-") * (wide + 2)
    return f"-{padded(mark, wide)}-"


def _upright(mark: str) -> str:
    return {".": " ", "x": "|"}.get(mark, mark)
