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

    def nearly(self, bag: Bag) -> tuple[Bag, Groups] | None:
        """The groups that a bag shares with one whose groups are known, and what only this bag has: at most one."""
        nearest: tuple[Bag, Groups] | None = None
        for known, groups in self.recent:
            new = beyond(bag, known)
            if not new or (len(new) == 1 and nearest is None):
                nearest = new, groups
            if not new:
                break
        if nearest is None:
            return None
        return nearest[0], {group: worth for group, worth in nearest[1].items() if not beyond(group, bag)}


def beyond(bag: Bag, other: Bag) -> Bag:
    """What one sorted bag has and another does not; not looked for further when it is two."""
    new: list[int] = []
    place, end = 0, len(other)
    for code in bag:
        while place < end and other[place] < code:
            place += 1
        if place < end and other[place] == code:
            place += 1
        else:
            new.append(code)
            if len(new) == 2:
                break
    return tuple(new)
