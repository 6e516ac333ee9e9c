"""How many values a kind has, in a closed program. Spec 5 and 16.2.

Everything here needs literal bounds: of an open program, or of one that does not verify, nothing is promised.
"""

from math import comb, prod
from typing import assert_never

from rulelang.ir.expressions import AllOf, Cell, Constant, Expression, Local, Multiply
from rulelang.ir.program import Program, Start, Zone
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
from rulelang.limits import COLLECTION


def number_in(formula: Expression) -> int:
    """The number that a bound of a closed program is."""
    if isinstance(formula, Constant) and isinstance(formula.value, int):
        return formula.value
    raise ValueError("the program is not closed")


def size(program: Program, kind: SingleType) -> int:
    """How many codes the kind has, none among them if it may be none."""
    match kind:
        case NumberType():
            return max(0, number_in(kind.high) - number_in(kind.low) + 1)
        case FlagType():
            return 2
        case NamesType():
            return len(kind.labels)
        case SeatType():
            return seats(program)
        case RecordType():
            return prod(size(program, field.type) for field in kind.fields)
        case CellType():
            return prod(board_size(program, kind.board))
        case EdgeType():
            rows, columns = board_size(program, kind.board)
            return (rows + 1) * columns + rows * (columns + 1)
        case RowType():
            return len(program.tables[kind.table].rows)
        case MemberType():
            return members(program, kind.slot)
        case OptionalType():
            return size(program, kind.of) + 1
        case PickType():
            of, count = size(program, kind.of), number_in(kind.count)
            return comb(of + count - 1, count) if of else int(count == 0)
        case SaidType():
            return shorter_lists(size(program, kind.of), number_in(kind.most) + 1)
        case _:
            assert_never(kind)


def shorter_lists(of: int, length: int) -> int:
    """How many lists of so many different things are shorter than a length, the empty one not counted."""
    return sum(of**count for count in range(1, length))


def least(kind: SingleType) -> int:
    """The least code of the kind; of one that may be none, that is the code of none."""
    match kind:
        case NumberType():
            return number_in(kind.low)
        case OptionalType():
            return least(kind.of) - 1
        case _:
            return 0


def seats(program: Program) -> int:
    """How many players there are."""
    if program.configuration is None:
        raise ValueError("the program is not closed")
    return program.configuration.seats


def board_size(program: Program, board: int) -> tuple[int, int]:
    """Rows and columns of a board."""
    return number_in(program.boards[board].rows), number_in(program.boards[board].columns)


def members(program: Program, slot: int) -> int:
    """How many zones or markers a family has."""
    return prod(size(program, kind) for kind in program.slots[slot].index)


def pieces(program: Program, content: SingleType) -> int:
    """How many pieces of a content kind the game has: as nothing makes a piece, no zone ever holds more."""
    count = 0
    for number, slot in enumerate(program.slots):
        if isinstance(slot, Zone) and slot.content == content:
            count += members(program, number) * started(program, slot)
    return min(count, COLLECTION)


def started(program: Program, zone: Zone) -> int:
    """How many pieces lie in each zone of a family before play."""
    return min(sum(_started(program, start) for start in zone.starts), COLLECTION)


def _started(program: Program, start: Start) -> int:
    """How many pieces one line of a zone's beginning gives; the limit if that cannot be told."""
    match start.values:
        case AllOf():
            low = least(start.values.type)
            codes = tuple(range(low, low + min(size(program, start.values.type), COLLECTION)))
        case Constant(value=tuple() as value):
            codes = tuple(code for code in value if isinstance(code, int))
        case _:
            return COLLECTION
    if isinstance(start.times, Constant):
        return len(codes) * number_in(start.times)
    times = [_times(program, start.times, start.variable, code) for code in codes]
    return sum(COLLECTION if each is None else max(0, each) for each in times)


def _times(program: Program, formula: Expression, variable: Local, code: int) -> int | None:
    """How often one value is there before play, if the formula only looks it up."""
    match formula:
        case Constant(value=int() as number):
            return number
        case Local() if formula.number == variable.number:
            return code
        case Multiply():
            left = _times(program, formula.left, variable, code)
            right = _times(program, formula.right, variable, code)
            return None if left is None or right is None else left * right
        case Cell():
            row = _times(program, formula.row, variable, code)
            values = program.tables[formula.table].columns[formula.column].values
            found = values[row] if row is not None and 0 <= row < len(values) else None
            return found if isinstance(found, int) else None
        case _:
            return None
