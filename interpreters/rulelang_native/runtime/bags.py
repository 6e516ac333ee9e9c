"""Every bag that can be taken out of a bag. Spec 8.2.

The same few cards are often looked at again, once to list the answers and once more for the next player who holds the
same; so the bags of small bags are remembered. They depend on nothing else.
"""

from functools import lru_cache

from rulelang.limits import PICKED
from rulelang.play.formulas.bags import how_many_bags
from rulelang.play.formulas.context import check_length

Row = tuple[int, ...]

REMEMBERED = 128
"""So many bags of bags are remembered, the last asked for."""
FEW = 512
"""And only if there are so few of them: all together fill a few megabytes at most."""


def bags(row: Row, count: int) -> tuple[Row, ...]:
    """Every bag of so many elements of a sorted row, in lexicographic order; none if there are not so many. Raises
    Exhausted if a bag, or how many there are, is more than a collection holds."""
    if not 0 <= count <= len(row):
        return ()
    return _remembered(row, count) or all_bags(row, count)


@lru_cache(REMEMBERED)
def _remembered(row: Row, count: int) -> tuple[Row, ...]:
    """The same; empty if there are too many to be kept."""
    check_length(count, PICKED)
    many = how_many_bags(row, count)[count]
    check_length(many)
    return all_bags(row, count) if many <= FEW else ()


def all_bags(row: Row, count: int) -> tuple[Row, ...]:
    """The same, without any limit. Built from the last kind of element to the first: with each kind, the bags of 0,
    1, ... elements of this kind and the later ones, those with most of this kind first."""
    built: list[tuple[Row, ...]] = [((),)] + [()] * count
    end = len(row)
    while end:
        item = row[end - 1]
        start = row.index(item)
        heads = [(item,) * times for times in range(min(end - start, count) + 1)]
        needed = range(max(0, count - start), count + 1)  # what the earlier kinds leave open at least
        larger: list[tuple[Row, ...]] = [()] * (count + 1)
        for size in needed:
            larger[size] = tuple(
                [head + rest for head in reversed(heads[: size + 1]) for rest in built[size - len(head)]]
            )
        built = larger
        end = start
    return built[count]
