"""What printed programs ask of rows, against the plainest way to say it."""

from collections import Counter
from itertools import pairwise

import pytest

from rulelang.testing import Dice
from rulelang_native.runtime import rows

TRIED = range(400)


def some(dice: Dice) -> tuple[int, ...]:
    """A short row with equal elements in it."""
    return tuple(dice.between(0, 4) for _ in range(dice.between(0, 7)))


@pytest.mark.parametrize("number", TRIED)
def test_rows_of_any_kind(number: int) -> None:
    dice = Dice.seeded(11, number)
    row, other, item = some(dice), some(dice), dice.between(0, 4)
    assert rows.within(row, 1, 3) == tuple(code for code in row if code in (1, 2, 3))
    assert rows.minus(row, other) == tuple(code for code in row if not other.count(code))
    assert rows.bag_minus(tuple(sorted(row)), other) == tuple(sorted((Counter(row) - Counter(other)).elements()))
    numbers = tuple(code % 3 for code in row)
    assert rows.tied(row, numbers, 2) == tuple(code for code in row if code % 3 == 2)
    turned = rows.turned(row, item)
    assert sorted(turned) == sorted(row) and (item not in row or turned[0] == item)
    assert item in row or turned == row
    assert all(pair in [*pairwise(row), (row[-1], row[0])] for pair in pairwise(turned))
    near = tuple(tuple((code + step) % 4 for step in (1, item)) for code in range(4))
    reached = {code for code in row if code in other and code < 4}
    for _ in range(4):
        reached |= {beside for code in reached for beside in near[code] if beside in other}
    assert rows.linked(row, other, near) == tuple(sorted(reached))
    if item in row:
        kept = list(row)
        del kept[max(place for place, code in enumerate(row) if code == item)]
        assert rows.taken_out(row, item) == tuple(kept)
        changed = list(row)
        changed[row.index(item)] = 9
        assert rows.replaced(row, item, 9) == tuple(changed)


def test_the_first_and_the_last_of_equal_elements() -> None:
    assert rows.taken_out((1, 2, 1, 3), 1) == (1, 2, 3)
    assert rows.taken_out((1, 2, 3), 2) == (1, 3)
    assert rows.replaced((1, 2, 1), 1, 7) == (7, 2, 1)
    assert rows.turned((4, 5, 6, 5), 5) == (5, 6, 5, 4)
    assert rows.bag_minus((1, 1, 2), (1,)) == (1, 2) and rows.bag_minus((1, 2), (3,)) == (1, 2)
