"""Many games: each depends on its number alone, and sums do not depend on how the games are divided."""

from fractions import Fraction

import pytest
from fake_games import Bids, Endless, Kuhn, TicTacToe

from rulelang.failures import Broken, Exhausted
from rulelang.pipeline import compile_text, engine_named
from rulelang.play import match as match_module
from rulelang.play.agents import RandomAgent
from rulelang.play.match import Match
from rulelang.play.playouts import Summary, playout, playouts

RANDOM = [RandomAgent(), RandomAgent()]


@pytest.mark.parametrize("make", [Kuhn, Bids, TicTacToe])
def test_a_game_depends_only_on_seed_and_number(make: type[Kuhn]) -> None:
    games = list(playouts(make(), 30, 5, RANDOM))
    assert [game.number for game in games] == list(range(30))
    assert list(playouts(make(), 10, 5, RANDOM, first=17)) == games[17:27]
    assert playout(make(), 5, 29, RANDOM) == games[29]
    assert games != list(playouts(make(), 30, 6, RANDOM))


def test_a_playout_is_a_match() -> None:
    match = Match(Kuhn(), 5, 3)
    match.play(RANDOM)
    game = playout(Kuhn(), 5, 3, RANDOM)
    assert match.outcome is not None and game.returns == match.outcome.returns
    assert game.length == len(match.events) and game.decisions == game.length - 2 and game.cost == game.length + 1


def test_sealed_answers_count_each() -> None:
    assert playout(Bids(), 1, 0, RANDOM).decisions == 4


def test_sums_are_the_same_for_every_division() -> None:
    games = list(playouts(Kuhn(), 60, 5, RANDOM))
    whole = Summary.of_all(games)
    for cut in (0, 1, 7, 59, 60):
        left, right = Summary.of_all(games[:cut]), Summary.of_all(games[cut:])
        assert left.merge(right) == whole == right.merge(left)
    assert whole.games == 60 and whole.length == sum(game.length for game in games)
    assert whole.returns[0] == sum((game.returns[0] for game in games), Fraction(0)) == -whole.returns[1]
    assert sum(count for _, count in whole.wins) == 60 and whole.kinds == (("winners", 60),)
    assert whole.shortest == 4 and whole.longest == 5


def test_mean_returns_approach_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kuhn poker at random is worth 1/8 to seat 1."""
    total = Summary.of_all(playouts(Kuhn(), 1500, 11, RANDOM))
    mean = total.returns[0] / total.games
    spread = float(total.squares[0] / total.games - mean * mean) ** 0.5 / total.games**0.5
    assert abs(float(mean) - 0.125) < 4 * spread


def test_an_endless_game_is_exhausted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_module, "RECORD_EVENTS", 50)
    with pytest.raises(Exhausted):
        playout(Endless(), 1, 0, RANDOM)


def test_a_playout_needs_all_agents() -> None:
    with pytest.raises(Broken):
        playout(Bids(), 1, 0, [RandomAgent(), None])  # type: ignore[list-item]


PROMISED = """game "A promise":
  players: 2

marker chips for each player: 0..20 = 10
always chips_stay: sum(p's chips for each p in players) is 20
always nobody_has_all: no p in players where p's chips is 20

move give(n in 1..2):
  my chips falls by n
  next(me)'s chips rises by 1

overview:
  each p in players: p must give
  end game, nobody wins
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_promises_are_looked_at_if_asked_for(engine: str) -> None:
    game = engine_named(engine).configure(compile_text(PROMISED).program, 2, {})
    agents = [RandomAgent()] * 2
    games = list(playouts(game, 20, 1, agents, promises=True))
    broken = [game.number for game in games if game.broken]
    assert 0 < len(broken) < 20 and {game.broken for game in games} == {(), ("chips_stay",)}
    assert Summary.of_all(games).broken == (("chips_stay", len(broken), broken[0]),)
    halves = [Summary.of_all(half) for half in (games[10:], games[:10])]
    assert halves[0].merge(halves[1]) == Summary.of_all(games)
    assert all(game.broken == () for game in playouts(game, 20, 1, agents))


def test_merging_keeps_the_first_game_of_each_promise() -> None:
    one, two = Summary(games=1, broken=(("a", 1, 7), ("b", 1, 3))), Summary(games=1, broken=(("a", 2, 2),))
    assert one.merge(two).broken == two.merge(one).broken == (("a", 3, 2), ("b", 1, 3))
