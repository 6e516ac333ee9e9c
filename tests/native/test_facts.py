"""What is known of values before play: never wrong, whatever is joined."""

from itertools import product

import pytest

from rulelang import limits
from rulelang.ir.expressions import Value
from rulelang.testing import Dice
from rulelang_native.lowering.facts import ANYTHING, HIGH, LOW, UNSEEN_YET, ZERO, Fact, fact_of, joined, number
from rulelang_native.lowering.program import _is_within


def some(dice: Dice, depth: int) -> Value:
    """A value of a depth: a number, a row, rows of rows."""
    if depth == 0:
        return dice.pick((0, 1, -4, 7, 2**40, limits.INTEGER_MIN, limits.INTEGER_MAX))
    return tuple(some(dice, depth - 1) for _ in range(dice.between(0, 3)))  # type: ignore[return-value]


@pytest.mark.parametrize("number", range(300))
def test_a_fact_allows_what_it_was_made_of(number: int) -> None:
    dice = Dice.seeded(17, number)
    depth = dice.between(0, 2)
    values = [some(dice, depth) for _ in range(dice.between(1, 4))]
    fact = joined(map(fact_of, values))
    assert all(_is_within(value, fact) for value in values)
    assert joined(map(fact_of, values[::-1])) == fact, "in any order"
    assert fact.joined(fact) == fact and fact.joined(UNSEEN_YET) == fact == UNSEEN_YET.joined(fact)
    wide = fact.wide()
    assert all(_is_within(value, wide) for value in values if depth or fact.depth == 0)


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        (number(1, 5), 6),
        (number(1, 5), -1),
        (number(1, 5), (1,)),
        (Fact(1, 1, 5, 2), 3),
        (Fact(1, 1, 5, 2), (1, 2, 3)),
        (Fact(1, 1, 5, 2), (6,)),
        (Fact(1, 1, 5, 2, ordered=True), (2, 1)),
        (Fact(2, 1, 5, 2), (1, 2)),
        (UNSEEN_YET, 1),
    ],
)
def test_what_a_fact_does_not_allow(fact: Fact, value: Value) -> None:
    assert not _is_within(value, fact)


def test_what_is_not_set_yet_is_0_and_says_nothing_of_the_shape() -> None:
    row = fact_of((3, 4))
    assert ZERO.joined(row) == row == row.joined(ZERO)
    assert _is_within(0, row), "a local that is not set yet"


def test_an_empty_row_fits_any_depth() -> None:
    empty, rows = fact_of(()), fact_of(((1, 2), (2, 1)))
    assert empty.joined(rows).depth == rows.depth == rows.joined(empty).depth
    assert not empty.joined(rows).ordered and not rows.joined(empty).ordered
    ordered = fact_of((1, 2))
    assert empty.joined(ordered).ordered and ordered.joined(empty).ordered


def test_shapes_that_have_nothing_in_common() -> None:
    mixed = fact_of((1, 2)).joined(number(3, 4))
    assert mixed == Fact(1, ANYTHING.low, ANYTHING.high, ANYTHING.length)


def test_bounds_of_joined_facts_are_the_outer_ones() -> None:
    for (low, high), (least, most) in product([(1, 5), (-2, 0), (3, 3)], repeat=2):
        assert number(low, high).joined(number(least, most)) == number(min(low, least), max(high, most))
    assert number(-(2**80), 2**80) == number(LOW, HIGH)
    assert fact_of((2, 1, 1)) == Fact(1, 1, 2, 3) and fact_of((1, 1, 2)).ordered
    assert number(1, 5).inside(0, 5) and not number(1, 5).inside(2, 9) and Fact(0, 1, 0).inside(7, 7)
    assert fact_of((1, 2)).element == Fact(0, 1, 2, limits.COLLECTION) and number(1, 2).element.depth == 0
