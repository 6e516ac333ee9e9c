"""Long runs do what they say: every kind of work gives totals, and the same ones for the same numbers."""

from collections import Counter

import pytest
from long_runs import KINDS, Kind

FIRST = 77
"""No other test begins there."""

TRIED = 5
"""A single game may have nothing to exchange: so many batches are tried before that is a finding."""


def reached(kind: Kind, totals: Counter[str]) -> bool:
    """Something was done, and some of all that the goals name."""
    return bool(totals) and all(totals[name] > 0 for name in kind.goals)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_a_little_of_each_kind_is_done(kind: Kind) -> None:
    in_rulesets = kind.name.endswith("in rulesets")
    count, tried = 1 if kind.row == "R10" or in_rulesets else 3, TRIED if in_rulesets else 1
    totals = [Counter[str]()]
    while len(totals) <= tried and not reached(kind, totals[-1]):
        totals.append(kind.batch(FIRST + len(totals) - 1, count))
    assert reached(kind, totals[-1]), totals


def test_the_same_numbers_give_the_same_work() -> None:
    for kind in (kind for kind in KINDS if kind.row in ("R5", "R7")):
        assert kind.batch(FIRST, 2) == kind.batch(FIRST, 2) != kind.batch(FIRST + 2, 2)


def test_kinds_have_names_of_their_own() -> None:
    assert len({kind.key for kind in KINDS}) == len(KINDS)
    assert all("|" not in kind.what and " | " not in kind.key for kind in KINDS)
