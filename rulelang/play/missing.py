"""What is not there: the words for a zone, marker, cell or record that a formula names in vain. Spec 7.4 and 16.

Both interpreters tell it like this. A formula of the right kind misses only by being none; a number can miss by size.
"""

from typing import assert_never

from rulelang.diagnostics.codes import BAD_PARAMETER, VALUE_NOT_OF_TYPE
from rulelang.failures import Exhausted
from rulelang.ir.program import Program, Zone
from rulelang.ir.types import (
    CellType,
    EdgeType,
    FlagType,
    MemberType,
    NamesType,
    NumberType,
    OptionalType,
    PickType,
    RecordType,
    RowType,
    SaidType,
    SeatType,
    SingleType,
)
from rulelang.play import kinds
from rulelang.play.reasons import exhausted

MEMBER = -1
"""In place of the number of an index: one value says at once which of the family it is."""


def no_place(program: Program, slot: int, index: int, code: int) -> Exhausted:
    """No zone or marker of this family has such an index; indices are counted from 0, or `MEMBER`."""
    declared = program.slots[slot]
    name = declared.name
    if index == MEMBER:
        return _told(f"One of the '{name}' is needed here, and there is none.")
    kind = declared.index[index]
    if isinstance(kind, NumberType):
        low = kinds.least(kind)
        span = f"goes from {low} to {low + kinds.size(program, kind) - 1}"
        brackets = sum(not isinstance(each, SeatType) for each in declared.index)
        if brackets == 1:
            return _told(f"There is no {name}[{code}]; '{name}' {span}.")
        return _told(f"There is no '{name}' with {code} in its brackets there; that number {span}.")
    if isinstance(kind, SeatType):
        if code == kinds.seat_count(program):
            return _told(f"The table has no '{name}'.")
        return _told(f"'{name}' needs a player, and there is none.")
    return _told(f"'{name}' needs {noun(program, kind)} in its brackets, and there is none.")


def no_such(words: str) -> Exhausted:
    """A word of the language needs something, such as "A cell of Square", and is given none."""
    return _told(f"{words} is needed here, and there is none.")


def no_piece(zone: Zone, code: int) -> Exhausted:
    """A zone would hold something before play that is none of its kind: a number that is too large or too small."""
    return exhausted(VALUE_NOT_OF_TYPE, word=code, wanted=f"'{zone.name}'")


def no_record(program: Program, kind: RecordType, parts: tuple[int, ...]) -> Exhausted:
    """A record is made with a part that is none of its kind; the first such is told."""
    fields = zip(kind.fields, parts, strict=True)
    field, part = next((f, part) for f, part in fields if not kinds.contains(program, f.type, part))
    if isinstance(field.type, NumberType):
        low = kinds.least(field.type)
        span = f"from {low} to {low + kinds.size(program, field.type) - 1}"
        return _told(f"There is no {kind.name} whose '{field.name}' is {part}; it goes {span}.")
    return _told(f"A {kind.name} needs {noun(program, field.type)} as its '{field.name}', and there is none.")


def noun(program: Program, kind: SingleType) -> str:
    """What a kind is called in a sentence."""
    match kind:
        case CellType():
            return f"a cell of {program.boards[kind.board].name}"
        case EdgeType():
            return f"an edge of {program.boards[kind.board].name}"
        case RowType():
            return f"a row of {program.tables[kind.table].name}"
        case NamesType() | RecordType():
            return f"one of '{kind.name}'"
        case MemberType():
            return f"one of the '{program.slots[kind.slot].name}'"
        case NumberType():
            return "a number"
        case FlagType():
            return "yes or no"
        case SeatType():
            return "a player"
        case OptionalType():
            return noun(program, kind.of)
        case PickType() | SaidType():
            return "several values"
        case _:
            assert_never(kind)


def _told(words: str) -> Exhausted:
    return Exhausted(BAD_PARAMETER.number, words)
