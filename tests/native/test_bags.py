"""The bags that can be taken out of a bag: built at once, remembered, and as the reference finds them one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.failures import Exhausted
from rulelang.limits import COLLECTION, PICKED
from rulelang.play.formulas.bags import bags_of
from rulelang_native.runtime.bags import FEW, all_bags, bags

ROWS = st.lists(st.integers(0, 5), max_size=12).map(lambda row: tuple(sorted(row)))


@given(ROWS, st.integers(-1, 13))
def test_the_same_bags_in_the_same_order(row: tuple[int, ...], count: int) -> None:
    expected = tuple(bags_of(row, count)) if 0 <= count <= len(row) else ()
    assert bags(row, count) == expected
    assert bags(row, count) == expected  # remembered, or not


def test_many_are_found_though_they_are_not_remembered() -> None:
    row = tuple(range(14))
    found = bags(row, 7)
    assert len(found) == 3432 > FEW and found == tuple(bags_of(row, 7)) == all_bags(row, 7)


@pytest.mark.parametrize(
    ("row", "count"), [(tuple(range(60)), 30), ((0,) * (PICKED + 1), PICKED + 1)], ids=["too many bags", "too long"]
)
def test_what_no_collection_holds_is_refused_each_time(row: tuple[int, ...], count: int) -> None:
    for _ in range(2):
        with pytest.raises(Exhausted) as refused:
            bags(row, count)
        assert refused.value.code == "RL8011"


def test_as_many_as_a_collection_holds() -> None:
    row = tuple(range(16))
    assert len(bags(row, 8)) == 12870 < COLLECTION
