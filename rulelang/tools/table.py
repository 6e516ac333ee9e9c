"""The table as text: what one seat sees of zones, markers and boards. It is drawn from a view and nothing else.

While people play, a table that takes many lines is told in short: without what is empty or says what it says in every
game at the start. Boards are always drawn.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

import attrs

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
from rulelang.play.formulas import Context, evaluate
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

IN_FULL: Final = 18
"""Lines that a table may take without anything being left out; with the questions it is still on one screen."""


@attrs.frozen
class Line:
    """One line of the table."""

    text: str
    idle: int = 0
    """How many places it is about, if it says nothing that people need to read again; 0: it says something."""


def seen_in(view: View) -> Seen:
    """What a view shows, by slot and member."""
    found: Seen = {}
    for each in view.seen:
        found.setdefault((each.slot, each.member), {})[each.part] = each.value
    return found


def table_lines(program: Program, view: View, now: int | None = None) -> Iterator[str]:
    """Everything that the view shows, boards first. ``now`` (ms) is for what is left of timers, where it is later than
    the clock was last read.
    """
    yield from (line.text for line in _lines(program, seen_in(view), now))


def short_lines(program: Program, view: View, now: int | None = None, *, how: str = "") -> Iterator[str]:
    """The same, in short if it takes many lines. ``how``: what to type to see the rest."""
    yield from _in_short(list(_lines(program, seen_in(view), now)), how)


def own_lines(program: Program, view: View, others: View) -> Iterator[str]:
    """Only what one seat sees and ``others`` do not."""
    own, _ = _parted(program, view, others)
    yield from (line.text for line in _lines(program, own, None, timers=False))


def open_lines(program: Program, view: View, others: View, now: int | None = None, *, how: str = "") -> Iterator[str]:
    """What the view shows without ``own_lines``, in short if it takes many lines."""
    _, rest = _parted(program, view, others)
    yield from _in_short(list(_lines(program, rest, now)), how)


def _parted(program: Program, view: View, others: View) -> tuple[Seen, Seen]:
    """What only one view shows, and the rest. What is drawn or written together stays together."""
    mine, theirs = seen_in(view), seen_in(others)
    own = {key for key, parts in mine.items() if theirs.get(key) != parts}
    together = {slot for slot, _ in own if isinstance(program.slots[slot], Marker) or on_board(program.slots[slot])}
    own |= {key for key in mine if key[0] in together}
    return {k: v for k, v in mine.items() if k in own}, {k: v for k, v in mine.items() if k not in own}


def _in_short(lines: list[Line], how: str) -> Iterator[str]:
    """The lines without those that say nothing, if there are many; and how many places were left out."""
    if len(lines) <= IN_FULL:
        yield from (line.text for line in lines)
        return
    yield from (line.text for line in lines if not line.idle)
    count = sum(line.idle for line in lines)
    if count:
        places = "1 place is" if count == 1 else f"{count} places are"
        yield f"({places} left out, empty or as at the start{how and f': {how}'})"


def _lines(program: Program, seen: Seen, now: int | None, *, timers: bool = True) -> Iterator[Line]:
    hidden = timer_slots(program)
    members: dict[int, list[int]] = {}
    for number, member in seen:
        members.setdefault(number, []).append(member)
    slots = [(number, program.slots[number]) for number in sorted(members) if number not in hidden]
    for number, slot in slots:
        if on_board(slot):
            yield from map(Line, _grids(program, number, slot, seen))
        elif on_edges(slot):
            yield from map(Line, _edges(program, number, slot, seen))
    for number, slot in slots:
        if not on_board(slot) and not on_edges(slot):
            yield from _family(program, number, slot, seen, members[number])
    for timer in range(len(program.timers) if timers else 0):
        yield Line(f"{program.timers[timer].name}: {timer_words(program, timer, seen, now)}")


def timer_words(program: Program, timer: int, seen: Seen, now: int | None = None) -> str:
    """How a timer stands; everybody sees that. ``now`` (ms): the time, if it is not that of the clock."""
    declared = program.timers[timer]
    assert program.clock is not None  # whoever has timers has one
    left, end, clock = (seen[slot, 0]["content"] for slot in (declared.left, declared.end, program.clock))
    assert isinstance(left, int) and isinstance(end, int) and isinstance(clock, int)
    return timer_text(kinds.bound(declared.full), left, end, clock if now is None else now)


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


def _family(program: Program, number: int, slot: DeclaredSlot, seen: Seen, members: list[int]) -> Iterator[Line]:
    said = {member: value_words(program, slot, seen[number, member]) for member in members}
    if isinstance(slot, Zone):
        for member, words in said.items():
            yield Line(f"{place_name(program, number, member)}: {words}", int(words == "empty"))
        return
    idle = _says_nothing(program, slot, [seen[number, member].get("content") for member in members])
    places = len(members) if idle else 0
    if not slot.index:
        yield Line(f"{place_name(program, number, 0)}: {said[0]}", places)
        return
    values = list(said.values())
    usual = max(dict.fromkeys(values), key=values.count) if len(said) > IN_ONE_LINE else None
    named = [(place_name(program, number, member), words) for member, words in said.items() if words != usual]
    listed = [f"{_index_only(slot, name)} {words}" for name, words in named]
    if usual is not None:
        listed.append(f"all {'others' if listed else 'of them'} {usual}")
    yield Line(f"{slot.name}: {', '.join(listed)}", places)


def _says_nothing(program: Program, slot: Marker, values: list[Value | None]) -> bool:
    """Whether markers say what they say at the start, and that is none, no, the least number or an empty list.

    What the rules write on it at the start players need to know, and a player, a cell or a word is never nothing.
    """
    kind = slot.type
    if not isinstance(kind, OptionalType | FlagType | NumberType | CollectionType):
        return False
    nothing: Value = () if isinstance(kind, CollectionType) else kinds.least(kind)
    if any(value != nothing for value in values):
        return False
    return evaluate(slot.initial, Context(program, kinds.Layout((), 0), (), [])) == nothing


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
