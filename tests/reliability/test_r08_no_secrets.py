"""R8. Two states that are equal for a seat give that seat the same bytes: view, moves, wait, log, reasons, numbers.

The second state is the first one dealt anew for the seat (`resample`), or the first one with hidden things exchanged.
Every test prints how many hidden cards differed (shown with -rP), and fails if too few did: a state is never compared
with itself. Planted faults show that the comparison sees what it should.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from exchanges import exchanged
from given_to import differences, hides, seats_of
from made_games import HIDDEN, classic, games

from rulelang.failures import Refused
from rulelang.play.engine import Game, State
from rulelang.play.event import Answer
from rulelang.play.resample import Resampler
from rulelang.testing import Dice, playthrough

PAIRS = 2_000
DRAWS = 16
"""Deals for each state and seat."""


def hidden_differences(real: State, other: State) -> int:
    """How many zones and markers hold something else: what the seat must not notice."""
    everything = [state.view(seat) for state in (real, other) for seat in range(real.game.program.most_seats)]
    half = len(everything) // 2
    found: set[tuple[int, int, str]] = set()
    for mine, theirs in zip(everything[:half], everything[half:], strict=True):
        seen = {(each.slot, each.member, each.part): each.value for each in theirs.seen}
        found |= {
            key for each in mine.seen if seen.get(key := (each.slot, each.member, each.part), each.value) != each.value
        }
    return len(found)


# ------------------------------------------------------------------ pairs


Deal = Callable[[State, int, Dice], State]


def dealt_anew(state: State, seat: int, dice: Dice) -> State:
    return Resampler(state, seat).draw(dice)


def check_pairs(played: list[State], dice: Dice, most: int, found: Counter[str], deal: Deal | None = None) -> None:
    """Compare states with what they could be for each seat, until there are enough pairs."""
    for state in played:
        for seat in range(seats_of(state)):
            draw = deal or Dealer(state, seat)
            for _ in range(DRAWS):
                if found["pairs"] >= most:
                    return
                try:
                    other = draw(state, seat, dice)
                except Refused as refused:
                    found[refused.reasons[0].code] += 1
                    break
                assert differences(state, other, seat, dice) == []
                found["pairs"] += 1
                found["hidden"] += hidden_differences(state, other)


class Dealer:
    """Several deals from one state: what the seat saw is worked out once."""

    def __init__(self, state: State, seat: int) -> None:
        self._resampler = Resampler(state, seat)

    def __call__(self, state: State, seat: int, dice: Dice) -> State:
        return self._resampler.draw(dice)


def states(game: Game, dice: Dice, steps: int) -> list[State]:
    """A few states of a random game, none over."""
    played = [state for state, _ in playthrough(game, dice, steps) if state.outcome is None]
    return played[::3] if len(played) > 6 else played[-1:]


@pytest.mark.parametrize("name", HIDDEN)
def test_classics_keep_their_secrets(name: str) -> None:
    found: Counter[str] = Counter()
    for number in range(400):
        dice = Dice.seeded(61, number)
        check_pairs(states(classic(name), dice, 30), dice, PAIRS, found)
        if found["pairs"] >= PAIRS:
            break
    print("pairs:", dict(found))
    assert found["pairs"] == PAIRS
    assert found["hidden"] > PAIRS / 2, found


def check_generated(first: int, count: int, most: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for number, game in games(first, count):
        if hides(game) and found["pairs"] < most:
            dice = Dice.seeded(62, number)
            check_pairs(states(game, dice, 12)[-1:], dice, most, found)
    return found


def test_generated_games_keep_their_secrets() -> None:
    found = check_generated(0, 50, PAIRS)
    print("pairs:", dict(found))
    assert found["pairs"] >= 600
    assert found["hidden"] > 200, found


# ------------------------------------------------------------------ hidden things exchanged


def check_exchanges(game: Game, dice: Dice, found: Counter[str]) -> None:
    """In every state, for every seat: something else lies where the seat does not see it."""
    for state, _ in playthrough(game, dice, 25):
        for seat in range(seats_of(state)) if state.outcome is None else ():
            other = exchanged(state, seat, dice)
            if other is None:
                continue
            assert [name for name in differences(state, other, seat, dice) if name != "log"] == [], (state.event, seat)
            found["pairs"] += 1
            found["hidden"] += state.position().cells != other.position().cells


def test_exchanging_hidden_things_changes_nothing() -> None:
    found: Counter[str] = Counter()
    for name in HIDDEN:
        for number in range(10):
            check_exchanges(classic(name), Dice.seeded(65, number), found)
    for number, game in games(1_000, 100):
        if hides(game):
            check_exchanges(game, Dice.seeded(66, number), found)
    print("exchanges:", dict(found))
    assert found["hidden"] > 2_000


# ------------------------------------------------------------------ planted faults


@attrs.frozen
class Faulty:
    """A state with a fault in it."""

    real: State
    fault: str

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def secret(self) -> str:
        """What somebody else holds."""
        return repr([self.real.view(seat).seen for seat in range(seats_of(self.real))])

    def view(self, seat: int | None) -> Any:
        view = self.real.view(seat)
        if self.fault != "a view that peeks" or seat is None:
            return view
        return attrs.evolve(view, seen=(*view.seen, *self.real.view((seat + 1) % seats_of(self.real)).seen))

    @property
    def waiting(self) -> Any:
        words = self.secret() if self.fault == "a wait that tells" else self.real.waiting.words
        return attrs.evolve(self.real.waiting, words=words)

    def moves(self, seat: int) -> list[Answer]:
        answers = list(self.real.moves(seat))
        if self.fault == "an order that tells" and answers:
            turn = sum(self.secret().encode()) % len(answers)
            return answers[turn:] + answers[:turn]
        return answers[:1] if self.fault == "a number that tells" and sum(self.secret().encode()) % 2 else answers

    def refusals(self, answer: Answer) -> object:
        return (self.secret(),) if self.fault == "a reason that tells" else self.real.refusals(answer)


FAULTS = (
    "a view that peeks",
    "a wait that tells",
    "an order that tells",
    "a number that tells",
    "a reason that tells",
)


def faults_found(fault: str) -> int:
    """How often the comparison notices a fault."""
    caught = 0
    for name in ("leduc-poker", "liars-dice"):
        for number in range(4):
            dice = Dice.seeded(63, number)
            for state in states(classic(name), dice, 30):
                for seat in range(seats_of(state)):
                    other = dealt_anew(state, seat, dice)
                    caught += differences(Faulty(state, fault), Faulty(other, fault), seat, dice) != []  # type: ignore[arg-type]
    return caught


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str) -> None:
    assert faults_found("none") == 0
    assert faults_found(fault) > 3


def test_a_deal_that_copies_is_found() -> None:
    found: Counter[str] = Counter()
    for number in range(4):
        dice = Dice.seeded(64, number)
        check_pairs(states(classic("liars-dice"), dice, 30), dice, 50, found, deal=lambda state, seat, draw: state)
    assert found["pairs"] and not found["hidden"]
