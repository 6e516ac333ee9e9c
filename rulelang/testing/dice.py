"""Decisions of a generator, each one bounded draw: from a seed, from Hypothesis, or from anything that draws."""

from collections.abc import Sequence
from typing import TypeVar

from rulelang.play.chance import Stream, mix
from rulelang.play.engine import Draw

T = TypeVar("T")


class Dice:
    """Everything random in this package comes from here. 0 is always the simplest choice, so that examples shrink."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    @classmethod
    def seeded(cls, seed: int, number: int = 0) -> "Dice":
        """The dice of one numbered example of a seed; the same everywhere and always."""
        return cls(Stream(mix(seed, number)))

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1."""
        return self._draw.below(bound) if bound > 1 else 0

    def between(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """Whether something happens that happens so often."""
        return self.below(100) >= 100 - percent

    def pick(self, things: Sequence[T]) -> T:
        """One of the things."""
        return things[self.below(len(things))]

    def weighted(self, things: Sequence[tuple[int, T]]) -> T:
        """One of the things, each as often as its weight says."""
        place = self.below(sum(weight for weight, _ in things))
        for weight, thing in things:
            if place < weight:
                return thing
            place -= weight
        raise AssertionError("no weight")

    def some(self, things: Sequence[T], most: int) -> list[T]:
        """A few different ones, in their order."""
        left = list(range(len(things)))
        chosen = [left.pop(self.below(len(left))) for _ in range(min(most, len(left)))]
        return [things[place] for place in sorted(chosen)]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """All of them in any order."""
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in things]
