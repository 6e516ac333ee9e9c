"""The best division of a bag into groups. Spec 13.7.

What a group is worth, and the best division of a bag, depend on the group and on the bag alone; so both are
remembered, also those of the bags that are left inside a larger one. The search goes by the least member: it is left
over, or it lies in one of the groups that hold it; only these are looked for. Where few bags could be groups, all of
them are judged once and for all, member by member, as soon as that is no more work than has been done. Until then the
groups of a member are remembered for the cards around it, as hands change by a card or two from one question to the
next; a new card adds those that hold it too.

Bags are packed into one number, eight bits a code and a guard bit above each count, so that one subtraction tells
whether a bag lies inside another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Literal

from rulelang import limits
from rulelang.diagnostics.codes import CAPACITY_EXHAUSTED, COST_EXHAUSTED
from rulelang.play.formulas.bags import bags_of, how_many_bags
from rulelang.play.reasons import exhausted

Row = tuple[int, ...]

Best = tuple[int, int, tuple[Row, ...]]
"""Worth, how many are left over as a negative number, and groups: the greatest first two, then the least groups."""

Division = tuple[int, int, Row, tuple[Row, ...]]
"""Whether there is one, worth, rest, groups."""

Group = tuple[Row, int, int]
"""Members, worth, and the members packed."""

MOST = 4 * limits.COLLECTION
"""Bags and groups of which something is remembered at most; then all is forgotten."""

MANY = 4096
"""So many ways to take members out, equal ones told apart, are gone through at once."""

AT_ONCE = 2048
"""So many bags are judged as soon as a member is asked about."""

JUDGING = 16
"""How much longer it takes to judge a bag than to look at one that has been judged."""

RECENT = 16
"""Surroundings that are remembered for each least member."""

SPARE = 1
"""How many more cards than are asked about stay in a surrounding: those that may come back at once."""


class Around:
    """The groups of one least member among some other cards."""

    __slots__ = ("asked", "cards", "groups", "packed")

    def __init__(self, cards: Row, packed: int, groups: list[Group], asked: Row) -> None:
        self.cards = cards
        self.packed = packed
        self.groups = groups
        self.asked = asked
        """Those of them that were asked about last."""


class Divider:
    """One way to divide bags into groups."""

    def __init__(self, worth: Callable[[Row], Row], *, whole: bool, codes: range | None = None) -> None:
        """``codes`` are all codes that members can have, if judging any bag of them cannot fail."""
        self._worth = worth
        self._whole = whole
        self._codes = codes
        self._complete: dict[int, list[Group]] = {}
        """Every group there can be, by its least member: for members that have been asked about often enough."""
        self._work: dict[int, int] = {}
        """For the others, how many candidates have been looked at."""
        self._low = self._high = self._safe = self._judgements = 0
        self._units: dict[int, int] = {}
        self._guards = 0
        self._worths: dict[Row, Row] = {}
        self._judged: dict[Row, dict[Row, Group | Literal[False]]] = {}
        self._around: dict[int, deque[Around]] = {}
        self._best: dict[Row, Best | None] = {}
        self._divisions: dict[Row, Division] = {}

    def divide(self, bag: Row, low: int, high: int) -> Division:
        """The best division of a sorted bag into groups of low to high members. Raises Exhausted for too much work."""
        if low != self._low or high != self._high:
            self._forget()
            self._low, self._high = low, high
            self._complete.clear()
            self._work.clear()
            self._safe = self._safe_size()
        found = self._divisions.get(bag)
        if found is None:
            if len(self._divisions) + len(self._best) + self._judgements > MOST:
                self._forget()
            found = self._divisions[bag] = self._divided(bag)
        return found

    def _forget(self) -> None:
        for remembered in (self._worths, self._judged, self._around, self._best, self._divisions):
            remembered.clear()
        self._judgements = 0

    def _divided(self, bag: Row) -> Division:
        self._check(bag)
        best = self._found(bag, self._packed(bag))
        if best is None:
            return (0, 0, bag, ())
        rest = list(bag)
        for group in best[2]:
            for code in group:
                rest.remove(code)
        return (1, best[0], tuple(rest), best[2])

    def _check(self, bag: Row) -> None:
        """Refuse what would be too much work."""
        size = len(bag)
        if size <= self._safe:
            return
        if size > limits.DIVIDED:
            raise exhausted(CAPACITY_EXHAUSTED, zone="what is divided into groups", limit=limits.DIVIDED)
        sizes = range(max(1, self._low), min(self._high, size) + 1)
        candidates = sum(comb(size, count) for count in sizes)
        left = 1 << size if len(set(bag)) == size else prod(bag.count(code) + 1 for code in set(bag))
        if candidates <= limits.COLLECTION and left * (1 + candidates) <= limits.DIVIDING:
            return
        candidates = sum(how_many_bags(bag, sizes[-1])[sizes[0] :]) if sizes else 0  # equal ones once
        if candidates > limits.COLLECTION:
            raise exhausted(CAPACITY_EXHAUSTED, zone="the groups that there could be", limit=limits.COLLECTION)
        if left * (1 + candidates) > limits.DIVIDING:
            raise exhausted(COST_EXHAUSTED, limit=limits.DIVIDING)

    def _safe_size(self) -> int:
        """Up to how many members no bag is too much work."""
        size = 0
        while True:
            sizes = range(max(1, self._low), min(self._high, size + 1) + 1)
            candidates = sum(comb(size + 1, count) for count in sizes)
            if candidates > limits.COLLECTION or (1 << size + 1) * (1 + candidates) > limits.DIVIDING:
                return size
            size += 1

    # -------------------------------------------------------------- packed bags

    def _packed(self, bag: Iterable[int]) -> int:
        units = self._units
        try:
            return sum(map(units.__getitem__, bag))
        except KeyError:
            for code in bag:
                if code not in units:
                    unit = units[code] = 1 << 8 * len(units)
                    self._guards |= unit << 7
            return sum(map(units.__getitem__, bag))

    # -------------------------------------------------------------- divisions

    def _found(self, bag: Row, packed: int) -> Best | None:
        """The best division of what is there; None if something would be left over that may not be."""
        if not bag:
            return (0, 0, ())
        if bag in self._best:
            return self._best[bag]
        least, others = bag[0], bag[1:]
        without = packed - self._units[least]
        best: Best | None = None
        if not self._whole:
            rest = self._found(others, without)
            assert rest is not None
            best = (rest[0], rest[1] - 1, rest[2])
        groups = self._groups(least, others, without)
        guarded = packed | self._guards
        guards = self._guards
        for group, worth, members in groups:
            if (guarded - members) & guards != guards:
                continue
            left = list(bag)
            for code in group:
                left.remove(code)
            rest = self._found(tuple(left), packed - members)
            if rest is None:
                continue
            score, spare = rest[0] + worth, rest[1]
            if best is None or score > best[0] or (score == best[0] and spare > best[1]):
                best = (score, spare, (group, *rest[2]))
            elif score == best[0] and spare == best[1]:
                divided = (group, *rest[2])
                if divided < best[2]:
                    best = (score, spare, divided)
        self._best[bag] = best
        return best

    # -------------------------------------------------------------- groups

    def _groups(self, least: int, others: Row, packed: int) -> list[Group]:
        """Groups that hold a least member, all those among these other cards and perhaps more."""
        complete = self._complete.get(least)
        if complete is not None:
            return complete
        if self._is_worth_it(least):
            complete = self._complete[least] = self._all_groups(least)
            return complete
        recent = self._around.get(least)
        if recent is None:
            recent = self._around[least] = deque(maxlen=RECENT)
        guards = self._guards
        for around in recent:
            if ((around.packed | guards) - packed) & guards == guards:
                around.asked = others
                return around.groups
        for place, around in enumerate(recent):
            new = _beyond(others, around.cards)
            if len(new) == 1:
                del recent[place]
                grown = self._grown(least, others, around, new[0])
                recent.appendleft(grown)
                return grown.groups
        groups = self._tried(least, others, ())
        recent.appendleft(Around(others, packed, groups, others))
        return groups

    def _is_worth_it(self, least: int) -> bool:
        """Whether as much has been looked at as it would take to judge every group of this member once and for all."""
        codes = self._codes
        if codes is None or least not in codes:
            return False
        above = codes.stop - least
        candidates = sum(comb(above + count - 2, count - 1) for count in self._sizes())
        return candidates <= AT_ONCE or candidates * JUDGING <= self._work.get(least, 0)

    def _sizes(self) -> range:
        """How many members a group can have, of those that fit a bag."""
        return range(max(1, self._low), min(self._high, limits.DIVIDED) + 1)

    def _all_groups(self, least: int) -> list[Group]:
        assert self._codes is not None
        above = range(least, self._codes.stop)
        found: list[Group] = []
        for count in self._sizes():
            for rest in combinations_with_replacement(above, count - 1):
                group = (least, *rest)
                worth = self._worths.get(group)
                if worth is None:
                    worth = self._worth(group)
                if worth:
                    found.append((group, worth[0], self._packed(group)))
        self._around.pop(least, None)
        return found

    def _grown(self, least: int, others: Row, around: Around, new: int) -> Around:
        """The surrounding with one more card, without those that have not been asked about for longest."""
        known = list(others)
        known.remove(new)
        cards = _without(around.cards, known)
        often = _without(around.asked, known)
        spare = (*_without(cards, often), *often)[-SPARE:]
        kept = tuple(sorted((*known, *spare)))
        groups = self._tried(least, kept, (new,))
        packed = self._packed(kept)
        guards = self._guards
        guarded = (packed + self._units[least]) | guards
        groups += [group for group in around.groups if (guarded - group[2]) & guards == guards]
        return Around(tuple(sorted((*kept, new))), packed + self._packed((new,)), groups, others)

    def _tried(self, least: int, others: Row, with_: Row) -> list[Group]:
        """The groups of a least member, certain others, and any of the rest."""
        base = (least, *with_)
        known = self._judged.get(base)
        if known is None:
            known = self._judged[base] = {}
        get = known.get
        found: dict[Group, None] = {}
        for count in range(max(1, self._low, len(base)), min(self._high, len(others) + len(base)) + 1):
            more = count - len(base)
            self._work[least] = self._work.get(least, 0) + comb(len(others), more)
            # equal bags may come several times here; that is cheaper than to look for them
            if comb(len(others), more) <= MANY:
                judged = list(map(get, combinations(others, more)))
                if None not in judged:
                    found.update((group, None) for group in judged if group)
                    continue
            for rest in bags_of(others, more):
                judgement = get(rest)
                if judgement is None:
                    judgement = known[rest] = self._judge(tuple(sorted(base + rest)))
                if judgement:
                    found[judgement] = None
        return list(found)

    def _judge(self, group: Row) -> Group | Literal[False]:
        """A candidate with its worth, False if it is no group."""
        self._judgements += 1
        worth = self._worths.get(group)
        if worth is None:
            worth = self._worths[group] = self._worth(group)
        return (group, worth[0], self._packed(group)) if worth else False


def _without(bag: Iterable[int], other: Iterable[int]) -> Row:
    """What is left of a bag when another is taken out of it, as far as it is in it."""
    left = list(bag)
    for code in other:
        if code in left:
            left.remove(code)
    return tuple(left)


def _beyond(bag: Row, other: Row) -> list[int]:
    """What one bag has and another does not; not looked for further when it is two."""
    new: list[int] = []
    left = list(other)
    for code in bag:
        if code in left:
            left.remove(code)
        else:
            new.append(code)
            if len(new) == 2:
                break
    return new
