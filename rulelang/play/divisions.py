"""What is remembered of a formula that divides bags into groups, so that no work is done twice. Spec 13.7.

What makes a group depends on the group alone, and the division on the bag alone; so both may be kept for as long as the
program is in use. Nothing here changes an answer.
"""

from collections import deque

import attrs

from rulelang import limits
from rulelang.ir.expressions import Partition, Value

Bag = tuple[int, ...]
"""Codes in order."""

Groups = dict[Bag, int]
"""What each group of a bag is worth."""

WORTHS = 4 * limits.COLLECTION
"""Candidate groups of which the worth is kept at most; then all are forgotten."""

DIVISIONS = 4_096
"""Bags of which the division is kept at most; then all are forgotten."""

RECENT = 32
"""Bags of which the groups are kept: hands change by a card or two from one question to the next."""


@attrs.define(eq=False)
class Remembered:
    """What one formula has found so far."""

    formula: Partition
    """Kept so that no other formula takes its identity."""
    worths: dict[Bag, int | None] = attrs.field(factory=dict)
    """What a candidate is worth, None if it is no group."""
    divisions: dict[Bag, Value] = attrs.field(factory=dict)
    recent: deque[tuple[Bag, Groups]] = attrs.field(factory=lambda: deque(maxlen=RECENT))

    def keep(self, bag: Bag, division: Value) -> Value:
        """Keep a division."""
        if len(self.divisions) >= DIVISIONS:
            self.divisions.clear()
        self.divisions[bag] = division
        return division

    def groups_around(self, bag: Bag) -> Groups | None:
        """The groups of a bag, if those of a larger one are known."""
        for larger, groups in self.recent:
            if holds(larger, bag):
                return {group: worth for group, worth in groups.items() if holds(bag, group)}
        return None

    def without_one(self, bag: Bag) -> tuple[int, Groups] | None:
        """A member of the bag, and the groups without it, if those are known."""
        for smaller, groups in self.recent:
            if len(smaller) == len(bag) - 1 and holds(bag, smaller):
                left = list(bag)
                for code in smaller:
                    left.remove(code)
                return left[0], groups
        return None


def holds(bag: Bag, part: Bag) -> bool:
    """Whether one sorted bag can be taken out of another."""
    rest = iter(bag)
    return all(code in rest for code in part)
