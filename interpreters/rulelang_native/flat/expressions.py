"""Flat expressions: pure and total. Whatever can fail is a statement before them.

There are whole numbers (64 bits), truths (a comparison's result), rows (so many whole numbers, never more than the
capacity that lowering proved) and rows of rows. A row is a value: nothing changes it. A printer is free to keep it in
place as long as nobody can tell.
"""

from __future__ import annotations

from typing import Literal

import attrs

Data = int | tuple["Data", ...]


@attrs.frozen
class Known:
    """A number or a row that is known before play."""

    value: Data


@attrs.frozen
class Name:
    """What a variable of the function holds."""

    name: str


@attrs.frozen
class Remembered:
    """What the running frame remembers under this number."""

    local: int


@attrs.frozen
class Held:
    """What lies in one cell of the state: that of a member of a family."""

    slot: int
    member: Flat


@attrs.frozen
class Math:
    """Arithmetic that lowering proved to stay inside 64 bits; `//` and `%` with a divisor that is not 0."""

    operator: Literal["+", "-", "*", "//", "%", "min", "max"]
    left: Flat
    right: Flat


@attrs.frozen
class Compare:
    """A truth about two numbers, or with == and != about two rows."""

    operator: Literal["==", "!=", "<", "<="]
    left: Flat
    right: Flat


@attrs.frozen
class Has:
    """Whether an item is in a row."""

    row: Flat
    item: Flat


@attrs.frozen
class All:
    """Whether all truths hold, tried from the left up to the first that does not."""

    parts: tuple[Flat, ...]


@attrs.frozen
class Any:
    """Whether a truth holds, tried from the left up to the first that does."""

    parts: tuple[Flat, ...]


@attrs.frozen
class No:
    """Whether a truth does not hold."""

    truth: Flat


@attrs.frozen
class Either:
    """One of two values; only that one is looked at."""

    truth: Flat
    then: Flat
    otherwise: Flat


@attrs.frozen
class AsNumber:
    """1 for a truth that holds, else 0."""

    truth: Flat


@attrs.frozen
class IsOne:
    """Whether a number is not 0 (or a row not empty)."""

    value: Flat


@attrs.frozen
class Length:
    """How many elements a row has."""

    row: Flat


@attrs.frozen
class At:
    """The element of a row at a place, counted from 0, which is there."""

    row: Flat
    place: Flat


@attrs.frozen
class Times:
    """How often an item is in a row."""

    row: Flat
    item: Flat


@attrs.frozen
class Items:
    """A row of these items."""

    items: tuple[Flat, ...]


@attrs.frozen
class Span:
    """The numbers from low to high, in order."""

    low: Flat
    high: Flat


@attrs.frozen
class Joined:
    """One row after the other."""

    left: Flat
    right: Flat


@attrs.frozen
class Stretch:
    """The elements of a row from a place on, up to but without an end (all that are left if there is none)."""

    row: Flat
    first: Flat
    end: Flat | None


@attrs.frozen
class ButLast:
    """A row without its last element, if it has one."""

    row: Flat


@attrs.frozen
class LastOne:
    """A row of the last element alone, empty if there is none."""

    row: Flat


@attrs.frozen
class EachOnce:
    """The different elements of a row, in the order in which they first come."""

    row: Flat


@attrs.frozen
class Replaced:
    """A row with the first of an item, which is there, replaced by another."""

    row: Flat
    item: Flat
    by: Flat


@attrs.frozen
class UnseenTop:
    """The pool of a pile's last card if that is unseen, else an empty row."""

    pile: Flat


@attrs.frozen
class HasAnswer:
    """Whether a seat has any legal move at a node. It can fail as a listing can."""

    node: int
    seat: Flat


@attrs.frozen
class Sorted:
    """The elements of a row in order of codes."""

    row: Flat


@attrs.frozen
class Distinct:
    """Every different element of a row once, in order of codes."""

    row: Flat


@attrs.frozen
class Within:
    """The elements of a row from low to high."""

    row: Flat
    low: int
    high: int


@attrs.frozen
class Minus:
    """A row without every element that is in the other."""

    left: Flat
    right: Flat


@attrs.frozen
class BagMinus:
    """A sorted row with the elements of another taken out, once for each there, as far as they are in it."""

    left: Flat
    right: Flat


@attrs.frozen
class TakenOut:
    """A row without the last element that equals an item which is there."""

    row: Flat
    item: Flat


@attrs.frozen
class Turned:
    """A row turned so that it begins with an item; unchanged if the item is not in it."""

    row: Flat
    start: Flat


@attrs.frozen
class Linked:
    """The elements of ``among`` that are reached from those that are in ``start`` too, from each to what a table of
    rows says of it, all of them in ``among``: a row in order. Elements that the table does not have are left out.
    """

    start: Flat
    among: Flat
    near: Flat


@attrs.frozen
class Best:
    """The greatest (or least) number of a row that is not empty."""

    most: bool
    row: Flat


@attrs.frozen
class Tied:
    """The elements of a row whose number, in a row beside it, equals the best one."""

    row: Flat
    numbers: Flat
    best: Flat


@attrs.frozen
class Finished:
    """The row that has been gathered so far."""

    gathered: str


@attrs.frozen
class Noted:
    """The number noted under a key, -1 if there is none."""

    notes: str
    key: Flat


@attrs.frozen
class Result:
    """What a pure function gives for these arguments. It can fail like the statements inside it."""

    function: str
    arguments: tuple[Flat, ...]


@attrs.frozen
class Bags:
    """Every bag of so many elements that can be taken out of a sorted row: rows in lexicographic order.

    An empty row if there are not so many. It can fail: so many are not picked together, or there are too many bags.
    """

    row: Flat
    count: Flat
    failure: int


@attrs.frozen
class Divided:
    """The best division of a sorted row into groups, by a function that gives what a group is worth: an empty row if
    it is none, else a row of one number. A row of four: whether there is one, worth, rest, groups. It can fail.
    """

    division: int
    row: Flat
    low: Flat
    high: Flat


Flat = (
    Known
    | Name
    | Remembered
    | Held
    | Math
    | Compare
    | Has
    | All
    | Any
    | No
    | Either
    | AsNumber
    | IsOne
    | Length
    | At
    | Times
    | Items
    | Span
    | Joined
    | Stretch
    | ButLast
    | LastOne
    | EachOnce
    | Replaced
    | UnseenTop
    | HasAnswer
    | Sorted
    | Distinct
    | Within
    | Minus
    | BagMinus
    | TakenOut
    | Turned
    | Linked
    | Best
    | Tied
    | Finished
    | Noted
    | Result
    | Bags
    | Divided
)
