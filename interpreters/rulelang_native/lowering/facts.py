"""What is known before play about the values of formulas: shape, bounds and length.

A fact is never wrong about a value that play can come to; where nothing is known it says so. Checks that a fact makes
needless are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import attrs

from rulelang import limits
from rulelang.ir.expressions import Value

LOW, HIGH = limits.INTEGER_MIN, limits.INTEGER_MAX
DIVISION = 9
"""The depth of the four parts of a division."""


@attrs.frozen
class Fact:
    """What values can be: numbers (depth 0), rows (1), rows of rows (2, ...)."""

    depth: int
    low: int
    high: int
    """Bounds of every number inside; low above high: there is none."""
    length: int = 0
    """The most elements of the outermost row."""
    ordered: bool = False
    """Whether the outermost row is in order of codes."""

    @property
    def nothing(self) -> bool:
        """Whether no value was seen at all."""
        return self.depth < 0

    def inside(self, low: int, high: int) -> bool:
        """Whether every number lies between these."""
        return self.low > self.high or (low <= self.low and self.high <= high)

    def joined(self, other: Fact) -> Fact:
        """What holds if either holds."""
        if self.nothing or other.nothing:
            return other if self.nothing else self
        if self.depth != other.depth:
            if self == ZERO or other == ZERO:  # a local that is not set yet
                return other if self == ZERO else self
            if self.low > self.high and self.depth > 0:  # an empty row fits any depth
                return attrs.evolve(other, ordered=other.ordered and self.length < 2)
            if other.low > other.high and other.depth > 0:
                return attrs.evolve(self, ordered=self.ordered and other.length < 2)
            return attrs.evolve(ANYTHING, depth=max(self.depth, other.depth))
        if self.low > self.high:
            low, high = other.low, other.high
        elif other.low > other.high:
            low, high = self.low, self.high
        else:
            low, high = min(self.low, other.low), max(self.high, other.high)
        return Fact(self.depth, low, high, max(self.length, other.length), self.ordered and other.ordered)

    @property
    def element(self) -> Fact:
        """What an element is."""
        return attrs.evolve(
            self, depth=self.depth - 1 if self.depth > 0 else 0, length=limits.COLLECTION, ordered=False
        )

    def wide(self) -> Fact:
        """The same shape, with any bounds."""
        return Fact(self.depth, LOW, HIGH, limits.COLLECTION)


ZERO = Fact(0, 0, 0)
UNSEEN_YET = Fact(-1, 1, 0)
ANYTHING = Fact(0, LOW, HIGH, limits.COLLECTION)
TRUTH = Fact(0, 0, 1)


def number(low: int, high: int) -> Fact:
    """A number between these, both cut to 64 bits."""
    return Fact(0, max(low, LOW), min(high, HIGH))


def fact_of(value: Value) -> Fact:
    """What is known of a constant."""
    if isinstance(value, int):
        return Fact(0, value, value)
    if set(map(type, value)) == {int}:
        row = cast("tuple[int, ...]", value)
        return Fact(1, min(row), max(row), len(row), list(row) == sorted(row))
    inner = joined(fact_of(each) for each in value) if value else Fact(0, 1, 0)
    return Fact(inner.depth + 1, inner.low, inner.high, len(value), ordered=not value)


def joined(facts: Iterable[Fact]) -> Fact:
    """What holds of all of them."""
    found = UNSEEN_YET
    for fact in facts:
        found = found.joined(fact)
    return found
