"""What a formula reads of what not everybody sees: the values that the visibility pass works out. Spec 7.9.

A *reading* is one look at a zone or marker that is not open to all: which one, which part of it, and whether
everybody, or at least the mover, may look. A *label* is all readings of a formula. Nothing in it: everybody can work
the formula out. Only readings that the mover may make: the mover can.

A *stance* says of a formula for a seat whether it is surely the mover, surely not, or either.
"""

from collections.abc import Iterable
from typing import Literal

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.symbols import LocalName
from rulelang.source import Place

Part = Literal["content", "top", "size"]
Stance = Literal["me", "not me", "anybody"]


@attrs.frozen
class Reading:
    """One look at a zone or marker that not everybody sees in full."""

    slot: ast.Zone | ast.Marker | ast.Move
    """What is looked at; a move, where it is what a private move answers, or whether it was made."""
    part: Part
    everyone: bool
    """Whether everybody sees this part of it all the same."""
    mover: bool
    """Whether the seat that moves sees it."""
    at: Place
    """The word in the formula that is looked at: the zone's name, or the define or local that leads to it."""
    origin: Place
    """Where the zone itself is named."""


@attrs.frozen
class Label:
    """What a formula reads; ``given`` are the parameters of the define it stands in."""

    readings: tuple[Reading, ...] = ()
    given: frozenset[LocalName] = frozenset()

    def seen_from(self, at: Place) -> "Label":
        """The label of a word that stands for this formula."""
        return Label(tuple(attrs.evolve(reading, at=at) for reading in self.readings), self.given)

    def hidden(self) -> tuple[Reading, ...]:
        """What somebody may not see."""
        return tuple(reading for reading in self.readings if not reading.everyone)

    def hidden_from_mover(self) -> tuple[Reading, ...]:
        """What the mover may not see."""
        return tuple(reading for reading in self.readings if not reading.mover)


OPEN = Label()
"""Everybody can work it out."""


def joined(labels: Iterable[Label]) -> Label:
    """What several formulas read together; of two looks at the same, the first."""
    found: dict[tuple[object, ...], Reading] = {}
    given: set[LocalName] = set()
    for label in labels:
        given |= label.given
        for reading in label.readings:
            found.setdefault((reading.slot, reading.part, reading.everyone, reading.mover), reading)
    return Label(tuple(found.values()), frozenset(given)) if found or given else OPEN


def agreed(stances: Iterable[Stance]) -> Stance:
    """The stance of a seat that is one of several."""
    different = set(stances)
    return different.pop() if len(different) == 1 else "anybody"
