"""Lines that are changed, and events that are tried, in one compiled call each: what step by step would find."""

import sys
from pathlib import Path

import pytest
from test_rolling import JOINT, compiled, decisions, plain
from test_trees import PICKS

from rulelang.pipeline import compile_text, load
from rulelang.play.chance import Stream
from rulelang.play.match import Match
from rulelang.play.resample import Resampler
from rulelang.play.resample_chain import Chain
from rulelang.play.trace import history
from rulelang_native import engine
from rulelang_native.game import Game
from rulelang_native.llvm import rehearsing

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from test_private_moves import SHIPS
from test_windows import PON

KNOCKS = """
game "Knocks":
  players: 3

zone stock: pile of 1..4, seen by nobody, starts with each 2..3 times 7
zone hand for each player: bag of 1..4, seen by owner
zone away: bag of 1..4, seen by nobody
marker secret: 0..99, seen by nobody

move knock:
  require has: copies(3, my hand) > 1 because "there are no two threes"
  secret rises by 1
move mark(n in 1..2): secret rises by n
move drop(cards in bags(2, my hand)): put cards from my hand into away

overview:
  shuffle stock
  each p in players: put top(4) from stock into p's hand
  repeat 4 times: seat(2) must knock or mark
  players may in_order knock as taker
  players may secretly knock or mark
  seat(3) must drop or mark
  repeat 2 times: seat(1) must mark or drop
  end game, seat(1) wins
"""
"""Moves that everybody observes and that change nothing anybody sees; answers that hidden cards allow or do not."""

TEXTS = ((KNOCKS, 3), (JOINT, 3), (PON, 3), (PICKS, 2), (SHIPS.format(seen=", seen by me"), 2))


def both(text: str, seats: int) -> tuple[Game, Game]:
    game = engine.configure(compile_text(text).program, seats, {})
    compiled(game)
    return game, plain(game)


def twin_of(match: Match, other: Game, seed: int) -> Match:
    twin = Match(other, seed)
    for event in match.events:
        twin.apply(event)
    return twin


@pytest.mark.parametrize(("text", "seats"), TEXTS)
def test_changed_lines_are_those_of_single_steps(text: str, seats: int) -> None:
    game, other = both(text, seats)
    moved = 0
    for seed in range(6):
        for number, (match, _) in enumerate(decisions(game, seed, 3, 3)):
            viewer = (None, *range(seats))[(seed + number) % (seats + 1)]
            line = history(match.state)
            theirs = history(twin_of(match, other, seed).state)
            assert line is not None and theirs is not None
            hastened = game.hastened(line)  # type: ignore[arg-type]
            assert hastened is not None
            mine, plain_one = Chain(list(hastened), viewer), Chain(theirs, viewer)
            assert mine.rehearsal is not None and plain_one.rehearsal is None
            draws = Stream(seed), Stream(seed)
            for _ in range(2):
                found, expected = mine.draw(draws[0]), plain_one.draw(draws[1])
                assert (found is None) == (expected is None)
                assert draws[0].drawn == draws[1].drawn
            assert mine.weights == plain_one.weights
            assert [each.event for each in mine.states] == [each.event for each in plain_one.states]
            assert mine.states[-1].to_bytes() == plain_one.states[-1].to_bytes()
            for state, expected in zip(mine.states[1:], plain_one.states[1:], strict=True):
                assert state.observed_since(0) == expected.observed(0)[len(expected.previous.observed(0)) :]  # type: ignore
            moved += mine.moved
    assert moved


@pytest.mark.parametrize(("text", "seats"), TEXTS)
def test_lines_drawn_forward_are_those_of_single_steps(text: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game, other = both(text, seats)
    tried, real = [0], rehearsing.Attempts.attempt

    def attempt(*given):  # type: ignore[no-untyped-def]
        tried[0] += 1
        return real(*given)

    monkeypatch.setattr(rehearsing.Attempts, "attempt", attempt)
    for seed in range(3):
        for number, (match, _) in enumerate(decisions(game, seed, 3, 3)):
            viewer = (None, *range(seats))[(seed + number) % (seats + 1)]
            draws = Stream(seed), Stream(seed)
            mine = Resampler(match.state, viewer)
            theirs = Resampler(twin_of(match, other, seed).state, viewer)
            for _ in range(3):
                assert mine.draw(draws[0]).to_bytes() == theirs.draw(draws[1]).to_bytes()
                assert draws[0].drawn == draws[1].drawn
    assert tried[0]


def test_states_are_put_down_where_there_is_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsing, "BYTES", 64)
    program = load("leduc-poker").program
    game = engine.configure(program, 2, {})
    compiled(game)
    other = plain(game)
    for match, seat in decisions(game, 1, 3):
        twin = twin_of(match, other, 1)
        draws = Stream(5), Stream(5)
        mine, theirs = Resampler(match.state, seat), Resampler(twin.state, seat)
        for _ in range(3):
            assert mine.draw(draws[0]).hash == theirs.draw(draws[1]).hash
        assert draws[0].drawn == draws[1].drawn
