"""The best division of a bag, against the reference on many bags; what is remembered changes no answer."""

from collections.abc import Callable

import pytest
from hand_programs import Graph, c, numbers, program, v

from rulelang import limits
from rulelang.failures import Exhausted
from rulelang.ir import expressions as ir
from rulelang.play.formulas import Context, evaluate
from rulelang.play.kinds import Layout
from rulelang.testing import Dice
from rulelang_native.runtime import partitions
from rulelang_native.runtime.partitions import Divider, Row

CODES = range(10)
X = v(1)
SIZE = ir.Size(X)
ALIKE = ir.Equal(ir.Size(ir.Distinct(X)), c(1))
CLIMBING = ir.Equal(ir.Subtract(ir.Last(X, c(0)), ir.Item(X, c(1), c(0))), ir.Subtract(SIZE, c(1)))
SET = ir.Either((ALIKE, ir.Both((CLIMBING, ir.Equal(ir.Size(ir.Distinct(X)), SIZE)))))


def is_set(group: Row) -> bool:
    """Equal ones, or a row of neighbours."""
    return len(set(group)) == 1 or group == tuple(range(group[0], group[0] + len(group)))


WORTHS: dict[str, tuple[Callable[[Row], Row], ir.Expression, ir.Expression]] = {
    "as many as there are": (lambda g: (len(g),) if is_set(g) else (), SET, SIZE),
    "all the same": (lambda g: (1,) if is_set(g) else (), SET, c(1)),
    "nothing": (lambda g: (0,), c(1), c(0)),
    "a loss": (lambda g: (-len(g),) if is_set(g) else (), SET, ir.Negative(SIZE)),
    "the squares": (lambda g: (len(g) ** 2,) if is_set(g) else (), SET, ir.Multiply(SIZE, SIZE)),
    "no group": (lambda g: (), c(0), c(1)),
}
"""What a group is worth: natively, and as condition and worth of a formula."""


class Asked:
    """The same way to divide bags on both."""

    def __init__(self, worth: str, low: int, high: int, *, whole: bool, codes: range | None = None) -> None:
        native, condition, value = WORTHS[worth]
        self.low, self.high = low, high
        self.divider = Divider(native, whole=whole, codes=codes)
        self.formula = ir.Partition(v(0), numbers(0, 9), c(low), c(high), X, condition, value, whole)
        self.program = program(Graph(), [])
        self.layout = Layout.of(self.program)

    def native(self, bag: Row) -> object:
        """The native answer, or its failure."""
        try:
            return self.divider.divide(bag, self.low, self.high)
        except Exhausted as failure:
            return failure.code, failure.message

    def reference(self, bag: Row) -> object:
        """The reference's."""
        try:
            return evaluate(self.formula, Context(self.program, self.layout, (), [bag, 0, 0]))
        except Exhausted as failure:
            return failure.code, failure.message


def bags(seed: int, count: int, most: int = 11) -> list[Row]:
    """Bags that change by a card or two, as hands do, and sometimes altogether."""
    dice = Dice.seeded(13, seed)
    bag: list[int] = []
    found: list[Row] = []
    for _ in range(count):
        if dice.chance(10):
            bag = [dice.pick(CODES) for _ in range(dice.between(0, most))]
        if bag and (len(bag) >= most or dice.chance(40)):
            bag.remove(dice.pick(bag))
        if len(bag) < most:
            bag.append(dice.pick(CODES))
        found.append(tuple(sorted(bag)))
    return found


@pytest.mark.parametrize("codes", [None, range(10)], ids=["any codes", "known codes"])
@pytest.mark.parametrize("whole", [False, True], ids=["with a rest", "whole"])
@pytest.mark.parametrize("worth", WORTHS)
def test_many_bags_are_divided_as_the_reference_does(worth: str, whole: bool, codes: range | None) -> None:
    for low, high in ((3, 4), (2, 2), (1, 3), (2, 9), (0, 1), (3, 2), (-2, 2**62)):
        asked = Asked(worth, low, high, whole=whole, codes=codes)
        for bag in bags(low * 100 + min(high, 9), 60, 8):
            assert asked.native(bag) == asked.reference(bag), (low, high, bag)


@pytest.mark.parametrize("codes", [None, range(10)], ids=["any codes", "known codes"])
def test_hands_of_full_size(codes: range | None) -> None:
    asked = Asked("as many as there are", 3, 4, whole=False, codes=codes)
    found = {asked.native(bag) == asked.reference(bag) for bag in bags(7, 120, 13)}
    assert found == {True}


def test_equal_divisions_are_told_apart_by_their_groups() -> None:
    asked = Asked("all the same", 3, 3, whole=False)
    bag = (1, 1, 1, 2, 2, 2, 3, 3, 3)  # three of a kind each, or three times 1 2 3
    assert asked.native(bag) == (1, 3, (), ((1, 1, 1), (2, 2, 2), (3, 3, 3))) == asked.reference(bag)
    more = Asked("nothing", 1, 2, whole=False)
    assert more.native((4, 5, 6)) == (1, 0, (), ((4,), (5,), (6,))) == more.reference((4, 5, 6))


def test_a_hand_after_which_the_sizes_change() -> None:
    asked = Asked("as many as there are", 3, 4, whole=False)
    bag = (1, 1, 1, 2, 2, 5)
    assert asked.native(bag) == (1, 3, (2, 2, 5), ((1, 1, 1),))
    assert asked.divider.divide(bag, 2, 4) == (1, 5, (5,), ((1, 1, 1), (2, 2)))
    assert asked.divider.divide(bag, 3, 4) == asked.reference(bag)


@pytest.mark.parametrize("codes", [None, range(10)], ids=["any codes", "known codes"])
def test_what_is_remembered_may_be_forgotten(monkeypatch: pytest.MonkeyPatch, codes: range | None) -> None:
    monkeypatch.setattr(partitions, "MOST", 5)
    monkeypatch.setattr(partitions, "RECENT", 2)
    monkeypatch.setattr(partitions, "MANY", 1)
    asked = Asked("as many as there are", 2, 4, whole=False, codes=codes)
    hands = bags(3, 60, 8)
    assert [asked.native(bag) for bag in hands + hands[::-1]] == [asked.reference(bag) for bag in hands + hands[::-1]]


@pytest.mark.parametrize("worth", ["as many as there are", "no group"])
@pytest.mark.parametrize(
    ("bag", "low", "high"),
    [
        ((7,) * 65, 3, 4),
        (tuple(range(64)), 2, 3),
        (tuple(range(64)), 64, 64),
        (tuple(range(18)), 1, 1),
        (tuple(range(20)), 1, 20),
        ((1, 2, 3, 4) * 5, 3, 4),
        ((1, 1, 2, 2) * 12, 1, 2),
        (tuple(range(12)), 2, 3),
    ],
    ids=lambda value: f"{len(value)} members" if isinstance(value, tuple) else str(value),
)
def test_too_much_work_is_refused_before_any_is_done(bag: Row, low: int, high: int, worth: str) -> None:
    asked = Asked(worth, low, high, whole=False)
    assert asked.native(tuple(sorted(bag))) == asked.reference(tuple(sorted(bag)))


def test_limits_are_reached_by_one_member_more() -> None:
    """Up to the safe size no bag is measured; one beyond it is."""
    asked = Asked("no group", 1, 1, whole=False)
    sizes = [size for size in range(1, 30) if not isinstance(asked.native(tuple(range(size)))[0], str)]  # type: ignore[index]
    assert sizes == list(range(1, len(sizes) + 1))
    assert isinstance(asked.reference(tuple(range(len(sizes) + 1)))[0], str)  # type: ignore[index]
    assert len(sizes) < limits.DIVIDED
