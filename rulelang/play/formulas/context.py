"""What a formula is evaluated in, and the table of meanings. Spec 4.1.

``evaluate`` looks the formula's class up in one table; every chapter of this package enters its own classes there.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from rulelang import limits
from rulelang.diagnostics.codes import CAPACITY_EXHAUSTED, NUMBER_OVERFLOW
from rulelang.ir.expressions import Expression, Value
from rulelang.ir.program import Program
from rulelang.play.kinds import Layout
from rulelang.play.reasons import exhausted


class Context:
    """A program, the table as it stands (one value a cell), and the locals of the running frame."""

    __slots__ = ("cells", "layout", "locals", "program")

    def __init__(self, program: Program, layout: Layout, cells: Sequence[Value], locals: list[Value]) -> None:
        self.program = program
        self.layout = layout
        self.cells = cells
        self.locals = locals

    def read(self, slot: int, member: int) -> Value:
        """What a marker says or a zone holds now."""
        return self.cells[self.layout.families[slot].base + member]


Meaning = Callable[[Any, Context], Value]
MEANINGS: dict[type, Meaning] = {}
"""What each class of formula means."""

Formula = TypeVar("Formula")


def means(kind: type[Formula]) -> Callable[[Callable[[Formula, Context], Value]], Callable[[Formula, Context], Value]]:
    """Enter a function as the meaning of a class of formula."""

    def enter(meaning: Callable[[Formula, Context], Value]) -> Callable[[Formula, Context], Value]:
        MEANINGS[kind] = meaning
        return meaning

    return enter


def evaluate(formula: Expression, context: Context) -> Value:
    """The value of a formula. Raises Exhausted if a number or a collection leaves its limits."""
    return MEANINGS[type(formula)](formula, context)


number = cast(Callable[[Expression, Context], int], evaluate)
"""The value of a formula that the checker proved to be a single value."""

items = cast(Callable[[Expression, Context], tuple[Value, ...]], evaluate)
"""The value of a formula that the checker proved to be a collection."""

codes = cast(Callable[[Expression, Context], tuple[int, ...]], evaluate)
"""The value of a formula that the checker proved to be a collection of single values."""


def within_64_bits(value: int) -> int:
    """The number itself; beyond 64 bits the limit refuses. Spec 16.8."""
    if limits.INTEGER_MIN <= value <= limits.INTEGER_MAX:
        return value
    raise exhausted(NUMBER_OVERFLOW)


def check_length(length: int, most: int = limits.COLLECTION) -> None:
    """Refuse a collection that would be too long, before it is built. Spec 16.9."""
    if length > most:
        raise exhausted(CAPACITY_EXHAUSTED, zone="a collection", limit=most)
