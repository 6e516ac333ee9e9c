"""The kinds of value that formulas have, as far as soundness needs them. Spec 5.

A kind is written in the words in which it is reported. Two kinds of single value agree if they are the same, or if one
of them is a plain number: constants and results of arithmetic may stand for any code, and the machine checks at run
time that a code is one of its kind. None stands for a kind that is not known: it agrees with everything.
"""

from typing import Literal, TypeAlias, assert_never

import attrs

from rulelang.ir.expressions import Constant, Value
from rulelang.ir.program import Marker, Program, Zone
from rulelang.ir.types import (
    CellType,
    CollectionType,
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
    TextType,
    Type,
)


@attrs.frozen
class Single:
    """One code of a kind."""

    words: str

    def __str__(self) -> str:
        return self.words


@attrs.frozen
class Many:
    """A collection; ``shape`` None can be either."""

    shape: Literal["list", "bag"] | None
    of: "Kind"

    def __str__(self) -> str:
        inner = "" if self.of is None else f" of {self.of}"
        return f"a {self.shape or 'collection'}{inner}"


Kind: TypeAlias = "Single | Many | Division | None"

NUMBER = Single("a number")
FLAG = Single("yes or no")
SEAT = Single("a seat")
TEXT = Single("a text")
LITERAL = Single("a literal")
"""A written code, which can be of any kind."""
MIXED = Single("sometimes one value, sometimes many")


@attrs.frozen
class Division:
    """The best division of a bag into groups: only its parts can be used. Spec 13.7."""

    of: "Kind"

    def __str__(self) -> str:
        return f"a division of {self.of}"


def of_single(kind: SingleType) -> Single:
    """The kind that a single type describes; whether it may be none is not told apart."""
    match kind:
        case NumberType():
            return NUMBER
        case FlagType():
            return FLAG
        case NamesType() | RecordType():
            return Single(f"a value of '{kind.name}'")
        case SeatType():
            return SEAT
        case CellType():
            return Single(f"a cell of board {kind.board}")
        case EdgeType():
            return Single(f"an edge of board {kind.board}")
        case RowType():
            return Single(f"a row of table {kind.table}")
        case MemberType():
            return Single(f"a member of slot {kind.slot}")
        case OptionalType():
            return of_single(kind.of)
        case PickType():
            return Single("a pick, which only a move may ask for")
        case SaidType():
            return Single("what is said, which only a move may ask for")
        case _:
            assert_never(kind)


def of_parameter(kind: SingleType) -> Kind:
    """The kind of an answer as the formulas of a move read it: a pick is a bag, what is said a list."""
    match kind:
        case PickType():
            return Many("bag", of_single(kind.of))
        case SaidType():
            return Many("list", of_single(kind.of))
        case _:
            return of_single(kind)


def of_choice(kind: SingleType) -> Kind:
    """The kind of what a parameter's domain holds: the answers themselves, or what answers are said of."""
    return of_single(kind.of) if isinstance(kind, SaidType) else of_parameter(kind)


def of_type(kind: Type) -> Kind:
    """The kind that a type describes."""
    match kind:
        case CollectionType():
            return Many(kind.shape, of_type(kind.of))
        case TextType():
            return TEXT
        case _:
            return of_single(kind)


def of_slot(program: Program, slot: int) -> Kind:
    """What a zone or marker reads as; a zone of the shape slot is a list of at most one."""
    declared = program.slots[slot]
    match declared:
        case Marker():
            return of_type(declared.type)
        case Zone():
            return Many("bag" if declared.shape == "bag" else "list", of_single(declared.content))
        case _:
            assert_never(declared)


def of_value(value: Value) -> Kind:
    """The kind of a constant."""
    if isinstance(value, int):
        return LITERAL
    return Many(None, of_value(value[0]) if value else None)


def agree(left: Kind, right: Kind) -> bool:
    """Whether values of one kind can be put where the other is wanted."""
    if left is None or right is None or left == right or MIXED in (left, right):
        return True
    if isinstance(left, Single) and isinstance(right, Single):
        return left == right or (TEXT not in (left, right) and not {NUMBER, LITERAL}.isdisjoint((left, right)))
    if isinstance(left, Many) and isinstance(right, Many):
        return (left.shape is None or right.shape is None or left.shape == right.shape) and agree(left.of, right.of)
    return False


def join(left: Kind, right: Kind) -> Kind:
    """The kind of something that is sometimes the one, sometimes the other."""
    if left is None or left == right:
        return right
    if right is None:
        return left
    if isinstance(left, Single) and isinstance(right, Single):
        if MIXED in (left, right):
            return MIXED
        return right if left == LITERAL else left if right == LITERAL else NUMBER
    if isinstance(left, Many) and isinstance(right, Many):
        return Many(left.shape if left.shape == right.shape else None, join(left.of, right.of))
    return MIXED


def is_flag(kind: Kind, formula: object) -> bool:
    """Whether a formula of this kind is yes or no."""
    if isinstance(formula, Constant):
        return formula.value in (0, 1)
    return kind in (None, FLAG, LITERAL, MIXED)
