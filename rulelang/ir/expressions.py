"""Formulas: pure, total, without strings. Spec 4.

Each class states its value. A formula's cost is static (Spec 16.2): its own unit plus its parts; a search
multiplies what it repeats by the capacity of its domain. ``type`` fields name the kind of a *result* where a
reader (printer, explanation, none-code) needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import attrs

if TYPE_CHECKING:
    from rulelang.ir.types import SingleType, Type

Value = int | tuple["Value", ...]

# ------------------------------------------------------------------ constants and names


@attrs.frozen
class Constant:
    """A code, or a collection of codes. Spec 4.2."""

    value: Value


@attrs.frozen
class NoneOf:
    """The code that means none in ``type or none``. Open programs only. Spec 5.6."""

    type: SingleType


@attrs.frozen
class AllOf:
    """Every value of a single kind, in order of codes: a list. Spec 4.2."""

    type: SingleType


@attrs.frozen
class OptionValue:
    """The chosen value of an option. Open programs only. Spec 14.1."""

    option: int


@attrs.frozen
class SeatCount:
    """How many players there are. Open programs only. Spec 5.3."""


@attrs.frozen
class Local:
    """A value of the running frame: parameter, let, loop or search variable. Spec 4.3."""

    number: int
    name: str


@attrs.frozen
class Read:
    """What a marker says or a zone holds now. Spec 7.4."""

    place: Place


@attrs.frozen
class Cell:
    """The value in one column of a table; for no row: none, nothing (a collection) or no words. Spec 6.3."""

    table: int
    column: int
    row: Expression


@attrs.frozen
class Apply:
    """The value of a define for these arguments. Spec 4.7."""

    function: int
    arguments: tuple[Expression, ...]


# ------------------------------------------------------------------ places


@attrs.frozen
class Slot:
    """One zone or marker, named by its index values (none for a single one). Spec 7.3."""

    slot: int
    indices: tuple[Expression, ...]


@attrs.frozen
class Member:
    """One zone or marker of a family, named by a value that remembers which (its flat index). Spec 7.3."""

    slot: int
    member: Expression


Place = Slot | Member


# ------------------------------------------------------------------ numbers


@attrs.frozen
class Add:
    """left + right; beyond 64 bits the limit refuses (RL8xxx). Spec 4.4."""

    left: Expression
    right: Expression


@attrs.frozen
class Subtract:
    """left - right. Spec 4.4."""

    left: Expression
    right: Expression


@attrs.frozen
class Multiply:
    """left * right. Spec 4.4."""

    left: Expression
    right: Expression


@attrs.frozen
class Quotient:
    """left divided by right, rounded down; 0 if right is 0. Spec 4.4."""

    left: Expression
    right: Expression


@attrs.frozen
class Remainder:
    """What is left over by Quotient, from 0 to right - 1; left if right is 0. Spec 4.4."""

    left: Expression
    right: Expression


@attrs.frozen
class Negative:
    """-value. Spec 4.4."""

    value: Expression


@attrs.frozen
class Smaller:
    """The smaller of two numbers. Spec 4.4."""

    left: Expression
    right: Expression


@attrs.frozen
class Larger:
    """The larger of two numbers. Spec 4.4."""

    left: Expression
    right: Expression


# ------------------------------------------------------------------ yes or no


@attrs.frozen
class Equal:
    """1 if both values are the same (also collections: bags as multisets, lists in order). Spec 4.5."""

    left: Expression
    right: Expression


@attrs.frozen
class Less:
    """1 if left < right. Spec 4.5."""

    left: Expression
    right: Expression


@attrs.frozen
class AtMost:
    """1 if left <= right. Spec 4.5."""

    left: Expression
    right: Expression


@attrs.frozen
class Contains:
    """1 if the collection has the item. Spec 4.5."""

    item: Expression
    collection: Expression


@attrs.frozen
class Not:
    """1 if the value is 0. Spec 4.5."""

    value: Expression


@attrs.frozen
class Both:
    """1 if all parts are 1, tried from left to right up to the first 0. Spec 4.5."""

    parts: tuple[Expression, ...]


@attrs.frozen
class Either:
    """1 if some part is 1, tried from left to right up to the first 1. Spec 4.5."""

    parts: tuple[Expression, ...]


@attrs.frozen
class Conditional:
    """``then`` if the condition is 1, else ``otherwise``. Spec 4.6."""

    condition: Expression
    then: Expression
    otherwise: Expression


# ------------------------------------------------------------------ records


@attrs.frozen
class Part:
    """One part of a record value; of none, that part's none. Spec 5.4."""

    value: Expression
    type: SingleType
    """The record's kind."""
    field: int


@attrs.frozen
class MakeRecord:
    """A record value from its parts. Spec 5.4."""

    type: SingleType
    parts: tuple[Expression, ...]


# ------------------------------------------------------------------ collections


@attrs.frozen
class Span:
    """The numbers from low to high, in order: a list (empty if high < low). Spec 4.8."""

    low: Expression
    high: Expression
    capacity: Expression
    """The most numbers there can be."""


@attrs.frozen
class MakeList:
    """The items in written order: a list. Spec 4.8."""

    items: tuple[Expression, ...]


@attrs.frozen
class Join:
    """All elements of both: lists one after the other, bags added. Spec 4.8."""

    left: Expression
    right: Expression
    shape: Literal["list", "bag"]


@attrs.frozen
class Without:
    """``left but right``: a list without every element that is in right; a bag with right's elements taken out once
    each. Spec 4.8.
    """

    left: Expression
    right: Expression
    shape: Literal["list", "bag"]


@attrs.frozen
class Size:
    """How many elements. Spec 4.8."""

    collection: Expression


@attrs.frozen
class Occurrences:
    """How often the item is in the collection. Spec 4.8."""

    item: Expression
    collection: Expression


@attrs.frozen
class Distinct:
    """Every different element once, in order of codes: a list. Spec 4.8."""

    collection: Expression


@attrs.frozen
class Item:
    """The n-th element, counted from 1; ``none`` if there is no such. Spec 4.8."""

    collection: Expression
    position: Expression
    none: Expression


@attrs.frozen
class Last:
    """The last element (the top card of a pile); ``none`` if there is none. Spec 4.8."""

    collection: Expression
    none: Expression


@attrs.frozen
class From:
    """The list turned so that it begins with ``start`` (unchanged if start is not in it). Spec 4.8."""

    collection: Expression
    start: Expression


@attrs.frozen
class Picks:
    """Every bag of ``count`` elements that can be taken out, each once, in order: a list of bags. Spec 8.2."""

    collection: Expression
    count: Expression


# ------------------------------------------------------------------ searches (Spec 4.9); ``variable`` is a local


@attrs.frozen
class Exists:
    """1 if some element satisfies the condition; the first that does is the witness."""

    variable: Local
    domain: Expression
    condition: Expression


@attrs.frozen
class Every:
    """1 if every element satisfies the condition; the first that does not is the witness."""

    variable: Local
    domain: Expression
    condition: Expression


@attrs.frozen
class RankBy:
    """One step of narrowing: keep those with the most (or least) of a number."""

    most: bool
    value: Expression


@attrs.frozen
class Select:
    """The elements that satisfy the condition, narrowed rank by rank among the tied only: a list in the domain's
    order.
    """

    variable: Local
    domain: Expression
    condition: Expression
    ranks: tuple[RankBy, ...]


@attrs.frozen
class Choose:
    """The first element of what Select would give; ``none`` if there is none."""

    variable: Local
    domain: Expression
    condition: Expression
    ranks: tuple[RankBy, ...]
    none: Expression


@attrs.frozen
class Number:
    """How many elements satisfy the condition."""

    variable: Local
    domain: Expression
    condition: Expression


@attrs.frozen
class Total:
    """The sum of a number over the elements that satisfy the condition."""

    variable: Local
    domain: Expression
    condition: Expression
    value: Expression


@attrs.frozen
class Extreme:
    """The highest (or lowest) number over the elements that satisfy the condition; ``none`` if there are none."""

    most: bool
    variable: Local
    domain: Expression
    condition: Expression
    value: Expression
    none: Expression


@attrs.frozen
class Collect:
    """The values for the elements that satisfy the condition, in the domain's order: a list."""

    variable: Local
    domain: Expression
    condition: Expression
    value: Expression


@attrs.frozen
class Partition:
    """The best division of a bag into groups, as a row of four: whether there is one, its value, the rest, the groups.

    A group is a bag of ``low`` to ``high`` members that satisfies the condition; ``worth`` is what it counts. Condition
    and worth read the group and constants only. The most worth counts, then the fewest left over, then the least list
    of groups, each sorted. With ``whole`` nothing may be left over; if that cannot be, there is none: worth 0, no
    groups, everything left over. Spec 13.7.
    """

    collection: Expression
    of: SingleType
    """The kind of the members."""
    low: Expression
    high: Expression
    variable: Local
    """A candidate group."""
    condition: Expression
    worth: Expression
    whole: bool


@attrs.frozen
class PartitionPart:
    """One of the four parts of a division. Spec 13.7."""

    partition: Expression
    part: Literal["possible", "value", "rest", "groups"]


# ------------------------------------------------------------------ boards (Spec 5.5)
# All of them are constant once the program is closed.


@attrs.frozen
class Lines:
    """Every straight line of ``length`` cells: rows, columns and both diagonals, in order of their first cell, then
    east, north-east, north, north-west (on hexagons without north-east): a list of lists.
    """

    board: int
    length: Expression


@attrs.frozen
class Ranks:
    """The rows or the columns or the full diagonals of a board, each a list of cells: a list of lists."""

    board: int
    direction: Literal["rows", "columns", "diagonals"]


@attrs.frozen
class Neighbours:
    """The cells beside a cell (north, east, south, west), or around it (eight, clockwise from north): a list.

    On hexagons both are the six: north, east, south-east, south, west, north-west.
    """

    board: int
    cell: Expression
    around: bool


@attrs.frozen
class Rays:
    """The straight rows of cells that lead away from a cell, clockwise from north, each from the nearest cell outward,
    empty ones left out: a list of lists.
    """

    board: int
    cell: Expression


@attrs.frozen
class Linked:
    """The cells of ``within`` that are reached from those that are in ``start`` too, by steps to a cell beside, all of
    them in ``within``: a list in order of codes. What is no cell of the board counts for nothing.
    """

    board: int
    start: Expression
    within: Expression


@attrs.frozen
class CellAt:
    """The cell in a row and column, none outside the board."""

    board: int
    row: Expression
    column: Expression


@attrs.frozen
class RowOf:
    """The row number of a cell, from 1."""

    board: int
    cell: Expression


@attrs.frozen
class ColumnOf:
    """The column number of a cell, from 1."""

    board: int
    cell: Expression


@attrs.frozen
class EdgesOf:
    """The four edges of a cell: low, high, left, right: a list."""

    board: int
    cell: Expression


@attrs.frozen
class CellsBeside:
    """The one or two cells that an edge bounds: a list."""

    board: int
    edge: Expression


Expression = (
    Constant
    | NoneOf
    | AllOf
    | OptionValue
    | SeatCount
    | Local
    | Read
    | Cell
    | Apply
    | Add
    | Subtract
    | Multiply
    | Quotient
    | Remainder
    | Negative
    | Smaller
    | Larger
    | Equal
    | Less
    | AtMost
    | Contains
    | Not
    | Both
    | Either
    | Conditional
    | Part
    | MakeRecord
    | Span
    | MakeList
    | Join
    | Without
    | Size
    | Occurrences
    | Distinct
    | Item
    | Last
    | From
    | Picks
    | Exists
    | Every
    | Select
    | Choose
    | Number
    | Total
    | Extreme
    | Collect
    | Partition
    | PartitionPart
    | Lines
    | Ranks
    | Neighbours
    | Rays
    | Linked
    | CellAt
    | RowOf
    | ColumnOf
    | EdgesOf
    | CellsBeside
)


# ------------------------------------------------------------------ words for people


@attrs.frozen
class Spoken:
    """A hole in a text: a value and the kind whose words it is spoken in."""

    value: Expression
    type: Type


@attrs.frozen
class Words:
    """A text for people, with holes. Spec 4.10."""

    parts: tuple[str | Spoken, ...]
