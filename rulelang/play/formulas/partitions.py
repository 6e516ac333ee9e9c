"""The best division of a bag into groups. Spec 13.7.

What makes a group depends on the group alone, so every answer is kept (`rulelang.play.divisions`). The search goes by
the least member that is still there: it is left over, or it lies in one of the groups that hold it.

How much work there is follows from the bag alone, never from the way of searching, and is measured before any is done:
the members, the different bags that could be groups, and the bags that can be left times the bags that could be groups.
"""

from math import prod

from rulelang import limits
from rulelang.diagnostics.codes import CAPACITY_EXHAUSTED, COST_EXHAUSTED
from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Value
from rulelang.play.divisions import WORTHS, Bag, Groups, Remembered
from rulelang.play.formulas.bags import bags_of, how_many_bags
from rulelang.play.formulas.context import Context, codes, evaluate, items, means, number
from rulelang.play.reasons import exhausted

Division = tuple[int, int, tuple[Bag, ...]]
"""Worth, how many are left over as a negative number, and groups: the greatest first two, then the least groups."""


@means(ir.Partition)
def partition(formula: ir.Partition, context: Context) -> Value:
    """Whether there is a division, its worth, what is left over, and its groups."""
    bag = tuple(sorted(codes(formula.collection, context)))
    known = context.layout.divisions.get(id(formula))
    if known is None:
        known = context.layout.divisions.setdefault(id(formula), Remembered(formula))
    if bag in known.divisions:
        return known.divisions[bag]
    return known.keep(bag, _division(formula, bag, known, context))


def _division(formula: ir.Partition, bag: Bag, known: Remembered, context: Context) -> Value:
    if len(bag) > limits.DIVIDED:
        raise exhausted(CAPACITY_EXHAUSTED, zone="what is divided into groups", limit=limits.DIVIDED)
    sizes = range(max(1, number(formula.low, context)), min(number(formula.high, context), len(bag)) + 1)
    candidates = sum(how_many_bags(bag, sizes[-1])[sizes[0] :]) if sizes else 0
    if candidates > limits.COLLECTION:
        raise exhausted(CAPACITY_EXHAUSTED, zone="the groups that there could be", limit=limits.COLLECTION)
    left = prod(bag.count(code) + 1 for code in set(bag))
    if left * (1 + candidates) > limits.DIVIDING:
        raise exhausted(COST_EXHAUSTED, limit=limits.DIVIDING)
    groups = _groups(formula, bag, sizes, known, context)
    by_least: dict[int, list[tuple[Bag, int]]] = {}
    for group, worth in sorted(groups.items()):
        by_least.setdefault(group[0], []).append((group, worth))
    found = _best(bag, by_least, formula.whole, {})
    if found is None:
        return (0, 0, bag, ())
    worth, _, divided = found
    return (1, worth, _without(bag, tuple(code for group in divided for code in group)), divided)


@means(ir.PartitionPart)
def partition_part(formula: ir.PartitionPart, context: Context) -> Value:
    """One of the four."""
    return items(formula.partition, context)[("possible", "value", "rest", "groups").index(formula.part)]


def _groups(formula: ir.Partition, bag: Bag, sizes: range, known: Remembered, context: Context) -> Groups:
    """The groups that can be taken out of the bag. Bags that differ by a few members have nearly the same ones."""
    if not sizes:
        return {}
    new, found = known.nearly(bag) or (None, {})
    if new == ():
        return found
    if new is None:
        candidates = (group for count in sizes for group in bags_of(bag, count))
    else:
        rest = _without(bag, new)
        candidates = (tuple(sorted((*new, *few))) for count in sizes for few in bags_of(rest, count - 1))
    if len(known.worths) > WORTHS:
        known.worths.clear()
    worths = known.worths
    for group in candidates:
        if group not in worths:
            worths[group] = _worth(formula, group, context)
        worth = worths[group]
        if worth is not None:
            found[group] = worth
    known.recent.appendleft((bag, found))
    return found


def _worth(formula: ir.Partition, group: Bag, context: Context) -> int | None:
    """What a group counts, None if it is none."""
    locals, variable = context.locals, formula.variable.number
    locals[variable] = group
    worth = number(formula.worth, context) if evaluate(formula.condition, context) else None
    locals[variable] = 0
    return worth


def _best(
    bag: Bag, groups: dict[int, list[tuple[Bag, int]]], whole: bool, done: dict[Bag, Division | None]
) -> Division | None:
    """The best division of what is still there; None if something would be left over that may not be."""
    if not bag:
        return (0, 0, ())
    if bag not in done:
        best: Division | None = None
        if not whole:
            rest = _best(bag[1:], groups, whole, done)
            assert rest is not None
            best = (rest[0], rest[1] - 1, rest[2])
        for group, worth in groups.get(bag[0], ()):
            remaining = _taken(bag, group)
            rest = _best(remaining, groups, whole, done) if remaining is not None else None
            if rest is not None:
                best = _better(best, (rest[0] + worth, rest[1], (group, *rest[2])))
        done[bag] = best
    return done[bag]


def _better(best: Division | None, other: Division) -> Division:
    if best is None or (other[0], other[1]) > (best[0], best[1]):
        return other
    return other if (other[0], other[1]) == (best[0], best[1]) and other[2] < best[2] else best


def _taken(bag: Bag, group: Bag) -> Bag | None:
    """What is left when the group is taken out, None if it is not all there."""
    left = list(bag)
    for code in group:
        if code not in left:
            return None
        left.remove(code)
    return tuple(left)


def _without(bag: Bag, taken: Bag) -> Bag:
    left = _taken(bag, taken)
    assert left is not None
    return left
