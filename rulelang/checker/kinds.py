"""Kinds of value as the checker knows them. Spec 5.

A kind says what a formula is, not how large: bounds stay formulas until a program is closed, so every number is
comparable with every other. Kinds speak of themselves in the words of the table (``spoken``), because they appear
in messages.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, assert_never

import attrs

from rulelang.ast.nodes import Board, Bracket, Constant, Expr, Name, Negative, Table, Zone
from rulelang.ast.nodes import Number as Written
from rulelang.ir.timing import STATES


@attrs.frozen
class Number:
    """A whole number. ``low`` and ``high`` are known for declared kinds only."""

    low: Expr | None = None
    high: Expr | None = None
    name: str | None = None
    word: str | None = None
    """What the least number is called, in an option such as ``off, 1..9``."""


@attrs.frozen
class Flag:
    """Yes or no."""


@attrs.frozen
class Names:
    """One of some named values. ``owner`` is the word after ``values`` or ``option``."""

    owner: str
    labels: tuple[str, ...]

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each label, to ask for many words."""
        return {label: number for number, label in enumerate(self.labels)}


@attrs.frozen
class Seat:
    """A player."""


@attrs.frozen
class Record:
    """A product of kinds."""

    name: str
    fields: tuple[tuple[str, "Kind"], ...]


@attrs.frozen
class Cell:
    """A cell of a board."""

    board: Board


@attrs.frozen
class Edge:
    """An edge of a board."""

    board: Board


@attrs.frozen
class Row:
    """A row of a table. ``labels`` are the names of the rows."""

    table: Table
    labels: tuple[str, ...]

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each label, to ask for many words."""
        return {label: number for number, label in enumerate(self.labels)}


@attrs.frozen
class Member:
    """One zone of a family ("which heap")."""

    zone: Zone


@attrs.frozen
class Optional:
    """A value of a kind, or none."""

    of: "Kind"


@attrs.frozen
class Collection:
    """Many values of one kind: a list in its order, or a bag without order."""

    shape: Literal["list", "bag"]
    of: "Kind"


@attrs.frozen
class Division:
    """The best division of a bag into groups; only its parts can be used: possible, value, rest, groups."""

    of: "Kind"


@attrs.frozen
class Text:
    """Words for people."""


@attrs.frozen
class Nothing:
    """What the word ``none`` alone is."""


@attrs.frozen
class Empty:
    """What the word ``empty`` alone is, or a list without items."""


@attrs.frozen
class Unknown:
    """The kind of something that is wrong already; agrees with everything, so that one mistake gives one message."""


Kind = (
    Number
    | Flag
    | Names
    | Seat
    | Record
    | Cell
    | Edge
    | Row
    | Member
    | Optional
    | Collection
    | Division
    | Text
    | Nothing
    | Empty
    | Unknown
)


def spoken(kind: Kind) -> str:
    """What a kind is called in a message."""
    match kind:
        case Number():
            return f"a number ({kind.name})" if kind.name else "a number"
        case Flag():
            return "yes or no"
        case Names() if kind == TIMER:
            return "the state of a timer"
        case Names():
            return f"one of '{kind.owner}'"
        case Seat():
            return "a player"
        case Record():
            return f"a {kind.name}"
        case Cell():
            return f"a cell of {kind.board.name}"
        case Edge():
            return f"an edge of {kind.board.name}"
        case Row():
            return f"a row of {kind.table.name}"
        case Member():
            return f"one of the zones '{kind.zone.name}'"
        case Optional():
            return f"{spoken(kind.of)} or none"
        case Collection():
            return f"a {kind.shape} of {several(kind.of)}"
        case Division():
            return "a partition"
        case Text():
            return "a text"
        case Nothing():
            return "none"
        case Empty():
            return "an empty collection"
        case Unknown():
            return "something unknown"
        case _:
            assert_never(kind)


def several(kind: Kind) -> str:
    """What many of a kind are called."""
    match kind:
        case Number():
            return f"numbers ({kind.name})" if kind.name else "numbers"
        case Seat():
            return "players"
        case Record(name=name):
            return name
        case Cell():
            return f"cells of {kind.board.name}"
        case Edge():
            return f"edges of {kind.board.name}"
        case Row():
            return f"rows of {kind.table.name}"
        case Collection():
            return f"{kind.shape}s of {several(kind.of)}"
        case Names():
            return f"'{kind.owner}'"
        case Member():
            return f"zones '{kind.zone.name}'"
        case Optional():
            return f"{several(kind.of)} or none"
        case _:
            return spoken(kind)


def called(kind: Kind) -> str:
    """What the author calls a kind, without an article."""
    match kind:
        case Number(name=str(name)) | Names(owner=name) | Record(name=name):
            return name
        case Cell(board=node) | Edge(board=node):
            return node.name
        case Row(table=table):
            return table.name
        case _:
            return spoken(kind)


def opening(kind: Kind) -> str:
    """What a kind is called at the beginning of a sentence."""
    words = spoken(kind)
    return words[0].upper() + words[1:]


def bare(kind: Kind) -> Kind:
    """The kind without "or none"."""
    return kind.of if isinstance(kind, Optional) else kind


def or_none(kind: Kind) -> Kind:
    """The kind with "or none"; what is wrong already stays so, and nothing is nothing."""
    return kind if isinstance(kind, Optional | Nothing | Unknown) else Optional(kind)


def option_word(value: Expr) -> str | None:
    """The word that a value of an option is; one may be called ``none``. Spec 14.1."""
    if isinstance(value, Constant):
        return "none" if value.word == "none" else None
    return value.name if isinstance(value, Name) else None


def agree(left: Kind, right: Kind) -> bool:
    """Whether values of both kinds can be compared, or one be kept where the other is declared.

    "Or none" never hinders: whether a value is none is found at play, where a marker refuses what is not of its kind.
    """
    left, right = bare(left), bare(right)
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return True
    if isinstance(left, Nothing) or isinstance(right, Nothing):
        return not isinstance(left, Collection | Empty) and not isinstance(right, Collection | Empty)
    if isinstance(left, Empty) or isinstance(right, Empty):
        return isinstance(left, Empty | Collection) and isinstance(right, Empty | Collection)
    if isinstance(left, Collection) and isinstance(right, Collection):
        return agree(left.of, right.of)
    if isinstance(left, Record) and isinstance(right, Record):
        return left.name == right.name and [n for n, _ in left.fields] == [n for n, _ in right.fields]
    if isinstance(left, Number | Flag | Seat | Text):
        return type(left) is type(right)
    return left == right


def joined(left: Kind, right: Kind) -> Kind:
    """The kind of a value that is either of two that agree."""
    if isinstance(left, Nothing | Empty) or (isinstance(left, Unknown) and not isinstance(right, Nothing)):
        left, right = right, left
    if isinstance(right, Nothing):
        return or_none(left)
    if isinstance(left, Optional) or isinstance(right, Optional):
        return Optional(joined(bare(left), bare(right)))
    if isinstance(left, Number) and isinstance(right, Number) and left != right:
        return _span_of_both(left, right)
    if isinstance(left, Collection) and isinstance(right, Collection):
        return attrs.evolve(left, of=joined(left.of, right.of))
    if isinstance(left, Record) and isinstance(right, Record):
        both = zip(left.fields, right.fields, strict=True)
        return attrs.evolve(left, fields=tuple((name, joined(one, other)) for (name, one), (_, other) in both))
    return left


def _span_of_both(left: Number, right: Number) -> Number:
    """From the least to the greatest of two kinds of number, if their ends are written as numbers; else any number."""
    lows = sorted((end for end in (left.low, right.low) if end is not None), key=lambda end: literal(end) or 0)
    highs = sorted((end for end in (left.high, right.high) if end is not None), key=lambda end: literal(end) or 0)
    if len(lows) < 2 or len(highs) < 2 or None in map(literal, (*lows, *highs)):
        return Number()
    return Number(lows[0], highs[-1])


def literal(node: Expr) -> int | None:
    """A number that is written as one."""
    match node:
        case Written(value=value):
            return value
        case Negative(value=Written(value=value)):
            return -value
        case Bracket(value=value):
            return literal(value)
        case _:
            return None


def labels(kind: Kind) -> tuple[str, ...]:
    """The bare words that name values of this kind."""
    return kind.labels if isinstance(kind, Names | Row) else ()


TIMER = Names("timer", STATES)
"""What a timer is at a moment. The last word is reserved, so it is no label. Spec 11.1."""

ANY_NUMBER = Number()
"""A number of which nothing more is known."""
