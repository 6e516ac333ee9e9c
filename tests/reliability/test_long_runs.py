"""Long runs do what they say: every kind of work gives totals, and the same ones for the same numbers."""

import pytest
from long_runs import KINDS, Kind

FIRST = 77
"""No other test begins there."""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_a_little_of_each_kind_is_done(kind: Kind) -> None:
    slow = kind.row == "R10" or kind.name.endswith("in rulesets")
    totals = kind.batch(FIRST, 1 if slow else 3)
    assert totals and all(count > 0 for name, count in totals.items() if name in kind.goals)
    assert set(kind.goals) <= set(totals)


def test_the_same_numbers_give_the_same_work() -> None:
    for kind in (kind for kind in KINDS if kind.row in ("R5", "R7")):
        assert kind.batch(FIRST, 2) == kind.batch(FIRST, 2) != kind.batch(FIRST + 2, 2)


def test_kinds_have_names_of_their_own() -> None:
    assert len({kind.key for kind in KINDS}) == len(KINDS)
    assert all("|" not in kind.what and " | " not in kind.key for kind in KINDS)
