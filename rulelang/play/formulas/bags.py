"""The bags that can be taken out of a bag, equal ones once. Spec 8.2 and 13.7."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb

from rulelang.limits import COLLECTION

Bag = tuple[int, ...]
"""Codes in order."""

FEW = 1_024
"""So many ways to take members out, equal ones told apart, are gone through at once."""


def bags_of(bag: Bag, count: int) -> Iterator[Bag]:
    """Every different bag of so many members of a sorted bag, in lexicographic order."""
    if comb(len(bag), count) <= FEW:
        yield from dict.fromkeys(combinations(bag, count))
        return
    for place in range(len(bag) - count + 1):
        if place == 0 or bag[place] != bag[place - 1]:
            for rest in bags_of(bag[place + 1 :], count - 1):
                yield (bag[place], *rest)


def how_many_bags(bag: Bag, most: int) -> list[int]:
    """How many different bags of 0, 1, ..., ``most`` members there are in a bag; not counted on when there are enough
    of ``most`` to fill a collection."""
    ways = [1] + [0] * most
    for times in Counter(bag).values():
        for count in range(most, 0, -1):
            ways[count] += sum(ways[max(0, count - times) : count])
        if ways[most] > COLLECTION:
            break
    return ways
