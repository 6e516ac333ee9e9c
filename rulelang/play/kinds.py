"""The kinds of a closed program: which codes they have, and where each zone and marker lies. Spec 5 and 7.3.

Everything here expects literal bounds (``rulelang.play.closing`` makes them). A kind's codes are consecutive, from
``least`` on; ``none`` is the code just below the least one.
"""

from functools import cache
from math import comb, prod
from typing import cast

import attrs

from rulelang.ir.expressions import Value
from rulelang.ir.nodes import Decide
from rulelang.ir.program import DeclaredSlot, Marker, Move, Program
from rulelang.ir.sizes import board_size, least, shorter_lists, size
from rulelang.ir.sizes import number_in as bound
from rulelang.ir.sizes import seats as seat_count
from rulelang.ir.types import CollectionType, OptionalType, PickType, RecordType, SaidType, SingleType, TextType, Type
from rulelang.play.divisions import Remembered

__all__ = [
    "Family",
    "Layout",
    "all_codes",
    "answer_code",
    "answer_value",
    "board_size",
    "bound",
    "column_letters",
    "contains",
    "family",
    "holds_single",
    "is_spoken",
    "join",
    "least",
    "none_code",
    "nothing",
    "pick",
    "rank",
    "rank_of_said",
    "said",
    "seat_count",
    "size",
    "speaks",
    "split",
]


def none_code(kind: SingleType) -> int:
    """The code that means none in ``kind or none`` (also asked of the optional kind itself)."""
    while isinstance(kind, OptionalType):
        kind = kind.of
    return least(kind) - 1


def nothing(kind: Type) -> Value:
    """What stands in a table where there is no row: none, an empty collection; a text says nothing."""
    if isinstance(kind, CollectionType):
        return ()
    return () if isinstance(kind, TextType) else none_code(kind)


def contains(program: Program, kind: SingleType, code: object) -> bool:
    """Whether this is a code of the kind."""
    return type(code) is int and 0 <= code - least(kind) < size(program, kind)


def all_codes(program: Program, kind: SingleType) -> range:
    """Every code of a kind, in order."""
    first = least(kind)
    return range(first, first + size(program, kind))


# ------------------------------------------------------------------ records: mixed radix, the first part slowest


def split(program: Program, kind: RecordType, code: int) -> tuple[int, ...]:
    """The parts of a record value, as codes of the fields' kinds."""
    parts: list[int] = []
    for field in reversed(kind.fields):
        code, digit = divmod(code, size(program, field.type))
        parts.append(digit + least(field.type))
    return tuple(reversed(parts))


def join(program: Program, kind: RecordType, parts: tuple[int, ...]) -> int | None:
    """The record value with these parts; None if one of them is not of its field's kind."""
    code = 0
    for field, part in zip(kind.fields, parts, strict=True):
        if not contains(program, field.type, part):
            return None
        code = code * size(program, field.type) + part - least(field.type)
    return code


# ------------------------------------------------------------------ picks: bags, numbered in lexicographic order


def pick(program: Program, kind: PickType, rank: int) -> tuple[int, ...]:
    """The bag with this rank."""
    of, low, left = size(program, kind.of), least(kind.of), bound(kind.count)
    chosen: list[int] = []
    digit = 0
    while left > 0:
        below = comb(of - digit + left - 2, left - 1)  # the bags that go on with this digit
        if rank < below:
            chosen.append(low + digit)
            left -= 1
        else:
            rank -= below
            digit += 1
    return tuple(chosen)


def rank(program: Program, kind: PickType, bag: tuple[int, ...]) -> int:
    """The rank of a bag; its codes must be of the kind and as many as it says."""
    of, low, left = size(program, kind.of), least(kind.of), bound(kind.count)
    before, digit = 0, 0
    for code in sorted(bag):
        for skipped in range(digit, code - low):
            before += comb(of - skipped + left - 2, left - 1)
        digit = code - low
        left -= 1
    return before


def answer_value(program: Program, kind: SingleType, code: int) -> Value:
    """What the formulas of a move read for an answer: a pick is a bag, what is said a list, all else its code."""
    match kind:
        case PickType():
            return pick(program, kind, code)
        case SaidType():
            return said(program, kind, code)
        case _:
            return code


def answer_code(program: Program, kind: SingleType, value: Value) -> int:
    """The code of what a move's formulas read for an answer: the other way round."""
    match kind:
        case PickType():
            return rank(program, kind, cast("tuple[int, ...]", value))
        case SaidType():
            return rank_of_said(program, kind, cast("tuple[int, ...]", value))
        case _:
            return cast(int, value)


# ------------------------------------------------------------------ what is said: lists, shorter ones first


def said(program: Program, kind: SaidType, rank: int) -> tuple[int, ...]:
    """The list with this rank."""
    of, low = size(program, kind.of), least(kind.of)
    length = next(length for length in range(1, bound(kind.most) + 1) if rank < shorter_lists(of, length + 1))
    rank -= shorter_lists(of, length)
    codes: list[int] = []
    for _ in range(length):
        rank, digit = divmod(rank, of)
        codes.append(low + digit)
    return tuple(reversed(codes))


def rank_of_said(program: Program, kind: SaidType, codes: tuple[int, ...]) -> int:
    """The rank of a list; its codes must be of the kind, and as many as may be said."""
    of, low = size(program, kind.of), least(kind.of)
    rank = 0
    for code in codes:
        rank = rank * of + code - low
    return shorter_lists(of, len(codes)) + rank


def is_spoken(move: Move) -> bool:
    """Whether a move carries words, so that it is not listed. Spec 12.4."""
    return any(isinstance(parameter.type, SaidType) for parameter in move.parameters)


def speaks(program: Program, node: Decide) -> bool:
    """Whether a choice offers a move that carries words: there is always something to say."""
    return any(is_spoken(program.moves[move]) for move in node.moves)


# ------------------------------------------------------------------ where things lie


@attrs.frozen
class Family:
    """Where the members of one zone or marker lie: one cell each, the first index slowest."""

    base: int
    count: int
    lows: tuple[int, ...]
    """The least code of every index."""
    sizes: tuple[int, ...]
    strides: tuple[int, ...]

    def member(self, codes: tuple[int, ...]) -> int | None:
        """The flat index of the member with these index values, None if there is no such."""
        flat = 0
        for code, low, extent, stride in zip(codes, self.lows, self.sizes, self.strides, strict=True):
            if not 0 <= code - low < extent:
                return None
            flat += (code - low) * stride
        return flat

    def codes(self, member: int) -> tuple[int, ...]:
        """The index values of a member."""
        return tuple(
            member // stride % extent + low
            for low, extent, stride in zip(self.lows, self.sizes, self.strides, strict=True)
        )


@attrs.frozen(eq=False)
class Layout:
    """One flat row of cells for a whole state: slot after slot, member after member."""

    families: tuple[Family, ...]
    cells: int
    """How many there are in all."""
    divisions: dict[int, Remembered] = attrs.field(factory=dict, repr=False)
    """What has been found of partitions, by the identity of their formula."""
    plans: dict[int, object] = attrs.field(factory=dict, repr=False)
    """Whatever an interpreter works out once for each move."""

    @staticmethod
    def of(program: Program) -> "Layout":
        """The layout of a closed program."""
        families: list[Family] = []
        base = 0
        for slot in range(len(program.slots)):
            families.append(family(program, slot, base))
            base += families[-1].count
        return Layout(tuple(families), base)

    def flat(self, slot: int, codes: tuple[int, ...]) -> int | None:
        """The flat index, within its family, of the member with these index values."""
        return self.families[slot].member(codes)


def family(program: Program, slot: int, base: int = 0) -> Family:
    """How the members of one slot are told apart, and where they lie if the first lies at ``base``."""
    index = program.slots[slot].index
    sizes = tuple(size(program, kind) for kind in index)
    strides = tuple(prod(sizes[place + 1 :]) for place in range(len(sizes)))
    return Family(base, prod(sizes), tuple(least(kind) for kind in index), sizes, strides)


def holds_single(slot: DeclaredSlot) -> bool:
    """Whether a cell of this slot is one code (a marker of a single kind) and not a collection."""
    return isinstance(slot, Marker) and not isinstance(slot.type, CollectionType)


@cache
def column_letters(column: int) -> str:
    """The letters of a column of a board, counted from 0: a to z, then aa, ab, ..."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters
