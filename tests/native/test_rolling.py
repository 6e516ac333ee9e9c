"""Roll-outs and states dealt anew by compiled steps are those of printed Python: same worth, states and draws."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulelang.failures import Exhausted, Refused
from rulelang.pipeline import compile_text, load
from rulelang.play import monte_carlo, resample
from rulelang.play.agents import RandomAgent
from rulelang.play.chance import Stream
from rulelang.play.engine import NoRoom
from rulelang.play.match import Match
from rulelang.play.monte_carlo import MonteCarloAgent, Trying, roll_out, roll_outs
from rulelang.play.resample import Resampler
from rulelang.play.uct import UctAgent
from rulelang_native import engine
from rulelang_native.game import Game
from rulelang_native.llvm import rehearsing, rolling
from rulelang_native.llvm.machine import FIRST
from rulelang_native.llvm.rolling import Roller, Steps
from rulelang_native.lowering.failing import NotLowered
from rulelang_native.state import State

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reliability"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from made_games import accepted
from test_windows import OPEN, PON

JOINT = """
game "Joint answers with more to say":
  players: 3

zone stock: pile of 1..6, seen by nobody, starts with each 1..6 times 3
zone hand for each player: bag of 1..6, seen by owner
zone heap: pile of 1..6
marker points for each player: 0..99

move call(n in 1..3):
  my points rises by n
  put top from stock into my hand
  me must drop

move drop(card in my hand):
  put card from my hand onto heap
  my points rises by card

overview:
  shuffle stock
  each p in players: put top(2) from stock into p's hand
  repeat 2 times:
    players may secretly call
    players must secretly drop
  end game, (all p in players with most p's points) wins
"""
"""Answers of one wait that each ask for more, so that some wait while others are under way."""


def compiled(game: Game) -> Steps:
    """Compiled steps that the game uses from now on."""
    steps = Steps(game, FIRST)
    roller = Roller(game)
    roller._steps = steps
    game._roller = roller
    return steps


def plain(game: Game) -> Game:
    """The same game without anything compiled."""
    twin = engine.configure(game.program, game.seats, {})
    twin.compiles = False
    return twin


def decisions(game: Game, seed: int, most: int, every: int = 1) -> Iterator[tuple[Match, int]]:
    """A random game, at every so many decisions of it: the match and a seat that is asked."""
    match, agents, count = Match(game, seed), [RandomAgent()] * game.seats, 0
    while match.outcome is None and count < most * every and len(match.events) < 400:
        if match.state.waiting.kind == "chance":
            match.advance_chance()
            continue
        if match.state.moves(match.missing[0]):
            if count % every == 0:
                yield match, match.missing[0]
            count += 1
        try:
            match.go_on(agents)
        except Exhausted:
            return


def rolled(game: Game, steps: Steps, seed: int, most: int = 5, every: int = 2) -> int:
    """Compare roll-outs of a few decisions; how many there were."""
    count = 0
    for match, seat in decisions(game, seed, most, every):
        state = match.state
        assert isinstance(state, State)
        answers = list(state.moves(seat))[:4]
        horizon = 1000 if count % 3 else 4
        mine, other = Stream(count), Stream(count)
        worths = steps.roll_outs(state, answers, mine, horizon)
        assert worths == [roll_out(state, answer, other, horizon) for answer in answers]  # type: ignore[arg-type]
        assert mine.drawn == other.drawn
        count += 1
    return count


def dealt(game: Game, seat: int | None, match: Match, key: int, times: int = 2) -> tuple[list[str], int]:
    """What dealing anew gives, and how much was drawn for it."""
    draw = Stream(key)
    try:
        resampler = Resampler(match.state, seat)
        return [resampler.draw(draw).hash for _ in range(times)], draw.drawn
    except Refused as refused:
        return [refused.reasons[0].words], draw.drawn


def test_joint_answers_that_wait_are_laid_out() -> None:
    game = engine.configure(compile_text(JOINT).program, 3, {})
    steps = Steps(game, FIRST)
    waiting = 0
    for seed in range(12):
        for match, _ in decisions(game, seed, 40):
            state = match.state
            assert isinstance(state, State)
            waiting += len(state.frames) > 2
        assert rolled(game, steps, seed, 12, 1)
    assert waiting > 10


def test_windows_and_made_up_games_are_rolled_out_alike() -> None:
    for text, seats in ((PON, 3), (OPEN, 4)):
        game = engine.configure(compile_text(text).program, seats, {})
        assert sum(rolled(game, Steps(game, FIRST), seed) for seed in range(4)) >= 4
    compared = 0
    for _, found in accepted(0, 12):
        try:
            game = engine.configure(found.program, found.program.fewest_seats, {})
            steps = Steps(game, FIRST)
            compared += rolled(game, steps, 3)
        except (NotLowered, Refused, Exhausted):
            continue
    assert compared > 8


@pytest.mark.parametrize("after", [0, 5, 60, 250])
def test_where_compiled_states_have_no_room_the_rest_is_done_without(
    after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = engine.configure(load("leduc-poker").program, 2, {})
    compiled(game)
    match = next(iter(decisions(game, 4, 3)))[0]
    whole = dealt(game, 1, match, 7, 6)
    left = [after]

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def one(*given: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise NoRoom
            return real(*given)

        return one

    for where, name in ((rolling.Steps, "step"), (rehearsing.Attempts, "attempt"), (rehearsing.Rehearsal, "replay")):
        monkeypatch.setattr(where, name, counted(getattr(where, name)))
    assert dealt(game, 1, match, 7, 6) == whole
    assert left[0] < 0


def test_changed_lines_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second way to deal anew, which is taken where the first one finds nothing."""
    monkeypatch.setattr(resample, "ACCEPTANCES", 0)
    game = engine.configure(load("leduc-poker").program, 2, {})
    compiled(game)
    other = plain(game)
    for match, seat in decisions(game, 4, 3):
        twin = Match(other, 4)
        for event in match.events:
            twin.apply(event)
        assert dealt(game, seat, match, 7) == dealt(other, seat, twin, 7)


def test_a_view_that_is_too_much_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    game = engine.configure(load("leduc-poker").program, 2, {})
    compiled(game)
    match = next(iter(decisions(game, 4, 3)))[0]
    whole = dealt(game, 1, match, 7)

    def view(self: Steps, *given):  # type: ignore[no-untyped-def]
        raise NoRoom

    monkeypatch.setattr(rolling.Steps, "view", view)
    assert dealt(game, 1, match, 7) == whole


def test_a_roll_out_that_is_given_up_is_done_by_printed_python() -> None:
    game = engine.configure(load("13-animals").program, 3, {})
    assert rolled(game, Steps(game, FIRST, half=1 << 13), 5, 3, 3)


def test_a_player_chooses_the_same() -> None:
    game = engine.configure(load("leduc-poker").program, 2, {})
    other = plain(game)
    compiled(game)
    for agents in ([MonteCarloAgent(8), MonteCarloAgent(5, 3)], [UctAgent(6), UctAgent(9, 2)]):
        for seed in range(4):
            mine, theirs = Match(game, seed), Match(other, seed)
            mine.play(agents)
            theirs.play(agents)
            assert mine.events == theirs.events


def test_a_player_chooses_the_same_where_nothing_is_hidden() -> None:
    game = engine.configure(load("tic-tac-toe").program, 2, {})
    other = plain(game)
    compiled(game)
    mine, theirs = Match(game, 1), Match(other, 1)
    mine.play([UctAgent(60), MonteCarloAgent(9)])
    theirs.play([UctAgent(60), MonteCarloAgent(9)])
    assert mine.events == theirs.events


def test_compiling_begins_when_it_is_worth_while() -> None:
    game = engine.configure(load("tic-tac-toe").program, 2, {})
    state = game.start()
    roll_outs(state, state.moves(0), Stream(1))  # type: ignore[arg-type]
    assert game._roller is not None and game._roller._steps is None
    for _ in range(200):
        roll_outs(state, state.moves(0), Stream(1))  # type: ignore[arg-type]
    assert game._roller._steps is not None


def test_it_can_be_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_NATIVE", "python")
    game = engine.configure(load("tic-tac-toe").program, 2, {})
    state = game.start()
    worths = roll_outs(state, state.moves(0), Stream(1), 3)  # type: ignore[arg-type]
    assert len(worths) == 9 and game._roller is None


@pytest.mark.parametrize(("most", "counts"), [(1024, [1, 2, 4, 8, 8]), (20, [1, 2, 2, 2, 2])])
def test_rounds_together_are_as_many_as_may_be_asked_for(
    monkeypatch: pytest.MonkeyPatch, most: int, counts: list[int]
) -> None:
    """A tree of nine answers: so many roll-outs are asked for together, and what is chosen is the same."""
    monkeypatch.setattr(monte_carlo, "AT_ONCE", most)
    state = engine.configure(load("tic-tac-toe").program, 2, {}).start()
    answers = state.moves(0)
    together, draw = Trying(answers, 100), Stream(3)
    assert [together.think(state, draw, rounds) for rounds in (8, 8, 8, 8, 8)] == counts
    apart, other = Trying(answers, 100), Stream(3)
    for _ in range(sum(counts)):
        assert apart.think(state, other) == 1
    assert together._totals == apart._totals and draw.below(1 << 20) == other.below(1 << 20)
