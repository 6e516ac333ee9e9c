"""Kinds of value. Spec 5.

At run time every single value is a whole number (its *code*) and every collection a tuple of codes. A single kind
has a least code and a size; its codes are consecutive. ``none`` is the code just below the least one, so that a
value needs no conversion when "or none" is added. Bounds are formulas while the program is open and literals once
it is closed (``rulelang.play.closing``).
"""

from typing import Literal

import attrs

from rulelang.ir.expressions import Expression


@attrs.frozen
class NumberType:
    """Whole numbers from low to high; the code is the number. Spec 5.1."""

    low: Expression
    high: Expression
    name: str | None = None
    """The author's word, if ``values`` declared one."""
    word: str | None = None
    """What the least number is called: ``off`` in ``option guard: off, 1..9``. Spec 14.1."""


@attrs.frozen
class FlagType:
    """Yes (1) or no (0). Spec 5.1."""


@attrs.frozen
class NamesType:
    """Named values in the order of their declaration; the code counts from 0. Spec 5.2."""

    name: str
    labels: tuple[str, ...]


@attrs.frozen
class SeatType:
    """The players' seats; code 0 is seat 1. Spec 5.3."""


@attrs.frozen
class RecordType:
    """A product of single kinds; the code is mixed radix, the first part slowest. Spec 5.4."""

    name: str
    fields: tuple["FieldType", ...]


@attrs.frozen
class FieldType:
    """One part of a record."""

    name: str
    type: "SingleType"


@attrs.frozen
class CellType:
    """The cells of a board, row by row from row 1; code 0 is row 1, column 1. Spec 5.5."""

    board: int


@attrs.frozen
class EdgeType:
    """The edges between and around the cells of a board: the horizontal ones row by row, then the vertical ones. Spec
    5.5.
    """

    board: int


@attrs.frozen
class RowType:
    """The rows of a table, in the order of the data. Spec 6.1."""

    table: int


@attrs.frozen
class MemberType:
    """One zone or marker of a family ("which heap"); the code is its flat index. Spec 7.3."""

    slot: int


@attrs.frozen
class OptionalType:
    """A value of the kind, or none. Spec 5.6."""

    of: "SingleType"


@attrs.frozen
class PickType:
    """So many pieces of a kind in any order: what a parameter of a move may ask for. Spec 8.2.

    The value is a bag of that many codes. Its own code is its rank among all such bags, each written in order of codes,
    in lexicographic order; it numbers the answer, in events and records.
    """

    of: "SingleType"
    count: Expression


@attrs.frozen
class SaidType:
    """One to so many of a kind, in the order in which they are said; the same may be said twice. Spec 12.4.

    The kind of a parameter of a spoken move, which is not listed. The value is a list of codes. Its own code is its
    rank among all such lists, shorter ones first, then in lexicographic order of codes; it numbers the answer.
    """

    of: "SingleType"
    most: Expression


@attrs.frozen
class CollectionType:
    """A list (in its order, tuples of codes), or a bag (a multiset, kept sorted). Spec 5.7.

    ``of`` may be a list again only in constants (the lines of a board).
    """

    shape: Literal["list", "bag"]
    of: "Type"
    capacity: Expression
    """The most elements it can ever hold."""


@attrs.frozen
class TextType:
    """Words for people; only in tables and only spoken, never compared. Spec 6.2."""


SingleType = (
    NumberType
    | FlagType
    | NamesType
    | SeatType
    | RecordType
    | CellType
    | EdgeType
    | RowType
    | MemberType
    | OptionalType
    | PickType
    | SaidType
)
Type = SingleType | CollectionType | TextType
