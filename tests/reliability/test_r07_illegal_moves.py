"""R7. Every listed move works; every other attempt is refused and changes nothing, not a byte."""

from typing import TypeGuard

import pytest
from made_games import CLASSICS, classic, games

from rulelang.failures import Exhausted, Refused
from rulelang.play import kinds
from rulelang.play.engine import Game, State
from rulelang.play.event import Event, Outcome, Pass, Play, Sealed
from rulelang.testing import Dice, attempts, playthrough

STEPS = 40


def listed(state: State) -> list[Event]:
    """Every answer that is listed, wherever it may be tried alone."""
    return [answer for seat in state.waiting.seats for answer in state.moves(seat)]


def is_legal(state: State, event: Event) -> bool:
    """What the lists say of an event."""
    waiting = state.waiting
    if isinstance(event, Outcome):
        return event.value in dict(state.chance())
    if is_spoken(state, event):
        return state.refusals(event) == ()
    if isinstance(event, Sealed):
        seats = tuple(answer.seat for answer in event.answers)
        fits = waiting.kind == "sealed" and seats == waiting.seats
        return fits and all(answer in state.moves(answer.seat) for answer in event.answers)
    return waiting.kind in ("seat", "anyone") and event.seat in waiting.seats and event in state.moves(event.seat)


def is_spoken(state: State, event: Event) -> TypeGuard[Play]:
    """Whether something is said: the lists do not have that (Spec 12.4), so that it is only asked and tried."""
    moves = state.game.program.moves
    return isinstance(event, Play) and 0 <= event.move < len(moves) and kinds.is_spoken(moves[event.move])


def check_attempts(state: State, dice: Dice, count: int) -> int:
    """Try the listed moves and many others; the number of tries."""
    before, hash_ = state.to_bytes(), state.hash
    tries = 0
    events = [*attempts(state, dice, count), *dice.some(listed(state), 6)]
    for event in events:
        tries += 1
        legal = is_legal(state, event)
        if isinstance(event, Play | Pass):
            alone = legal or (event in listed(state) and not is_spoken(state, event))
            assert (state.refusals(event) == ()) == alone, event
        try:
            after = state.step(event)
            assert legal, event
            assert after is not state and after.previous is state
        except Refused as refused:
            assert not legal, event
            assert refused.reasons and all(reason.code and reason.words for reason in refused.reasons)
        except Exhausted:
            assert legal, event
    assert state.to_bytes() == before and state.hash == hash_
    return tries


def check_game(game: Game, dice: Dice, count: int) -> int:
    tries = 0
    for state, _ in playthrough(game, dice, STEPS):
        try:
            tries += check_attempts(state, dice, count)
        except Exhausted:  # the state's own moves cannot be listed: something in a requirement is none
            continue
    return tries


@pytest.mark.parametrize("name", CLASSICS)
def test_attempts_in_classics(name: str) -> None:
    tries = sum(check_game(classic(name), Dice.seeded(51, number), 40) for number in range(8))
    assert tries > 800


def test_attempts_in_generated_games() -> None:
    tries = sum(check_game(game, Dice.seeded(52, number), 40) for number, game in games(0, 120))
    assert tries > 80_000
