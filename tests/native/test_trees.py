"""Trees of `uct:N` grown by compiled rounds are those of Python: every number of every place, and every draw."""

import sys
from pathlib import Path
from typing import Any

import pytest
from test_rolling import JOINT, compiled, decisions, plain

from rulelang.failures import Exhausted, Refused
from rulelang.pipeline import compile_text, load
from rulelang.play.chance import Stream
from rulelang.play.configurations import all_seats
from rulelang.play.match import Match
from rulelang.play.monte_carlo import MonteCarloAgent
from rulelang.play.resample import dealer
from rulelang.play.uct import Known, Place, Tree, UctAgent
from rulelang.rulesets import all_rulesets
from rulelang_native import engine
from rulelang_native.game import Game
from rulelang_native.llvm import trees
from rulelang_native.llvm.machine import FIRST
from rulelang_native.llvm.rolling import Roller, Steps
from rulelang_native.lowering.failing import NotLowered

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reliability"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from made_games import accepted
from test_private_moves import SHIPS
from test_windows import OPEN, PON

RULESETS = tuple(name for name, _ in all_rulesets())
WITHOUT = ("caravan-decks", "little-rummy", "monster-bande", "snap")
"""Rulesets that are not compiled; `test_llvm.py` has the reasons."""
SLOW = (
    "13-animals",
    "taiwan-monsters-brawl",
    "oh-hell",
    "spades",
    "crazy-eights",
    "hanabi",
    "harvest-draft",
    "thirty-one",
    "three-card-poker",
)
"""Where dealing anew takes printed Python long."""

DICE = """
game "Dice between, and who is asked next":
  players: 3

marker points for each player: 0..99
marker last: 1..6

move take(n in 1..2): my points rises by last if n is 1 otherwise 2
move leave

overview:
  repeat 3 times:
    roll last
    if last > 3: seat(2) may take
    otherwise: seat(3) must take
    roll last
    players may secretly take
    seat(1) must leave
  end game, each p in players gets p's points * 3 - 20
"""
"""Outcomes that are no part of the tree decide who is asked; seats pass; one has one answer only; amounts below 0."""

PICKS = """
game "Picks of cards, hidden":
  players: 2

zone hand for each player: bag of 1..3, seen by owner, starts with each 1..3 times 2
zone pot for each player: bag of 1..3, seen by nobody
zone heap: bag of 1..3
marker won: 0..9

move hide(cards in bags(2, my hand)): put cards from my hand into my pot
move show(cards in bags(1, my hand)): put cards from my hand into heap

overview:
  seat(1) must hide
  players must secretly show
  seat(2) must hide
  seat(1) must show or hide
  end game, seat(1) wins
"""


def stripped(place: Place) -> tuple[Any, Any]:
    """A tree without the places where nobody was asked."""
    behind = {key: stripped(each) for key, each in place.behind.items()}
    return place.tried, {key: each for key, each in behind.items() if each[0] or each[1]}


def told(known: Known) -> tuple[Any, ...]:
    return stripped(known.root), known.least, known.most


def grown(game: Game, match: Match, seat: int, rounds: int, horizon: int, key: int) -> tuple[Any, bool]:
    """A tree of some rounds, what it finds best and how much was drawn for it, and whether it was grown compiled."""
    draw, deal = Stream(key), dealer(match.state, seat)
    tree = Tree(seat, match.state.moves(seat), horizon)
    done = 0
    while done < rounds:
        done += tree.think(deal(draw), draw, rounds - done)
    is_compiled = tree._growth is not None
    best = tree.best()
    tree._take_back()
    return (best, draw.drawn, told(tree.known)), is_compiled


def alike(game: Game, seed: int, most: int, rounds: int, every: int = 2, horizon: int = 1000) -> int:
    """Compare trees at some decisions of a game that is compiled; how many were grown compiled."""
    other, count = plain(game), 0
    for match, seat in decisions(game, seed, most, every):
        if seat >= game.seats:  # the table
            continue
        twin = Match(other, seed)
        for event in match.events:
            twin.apply(event)
        mine, is_compiled = grown(game, match, seat, rounds, horizon, seed)
        theirs, _ = grown(other, twin, seat, rounds, horizon, seed)
        assert mine == theirs
        count += is_compiled
    return count


def made(text: str, seats: int, **more: Any) -> Game:
    game = engine.configure(compile_text(text).program, seats, {})
    steps = Steps(game, FIRST, **more)
    game._roller = Roller(game)
    game._roller._steps = steps
    return game


@pytest.mark.parametrize("name", [name for name in RULESETS if name not in (*WITHOUT, *SLOW)])
def test_rulesets_grow_alike(name: str) -> None:
    program = load(name).program
    game = engine.configure(program, all_seats(program)[-1], {})
    compiled(game)
    assert alike(game, 2, 2, 30, 3)
    assert alike(game, 3, 1, 25, 1, 4)


@pytest.mark.parametrize(
    ("text", "seats"), [(JOINT, 3), (OPEN, 4), (PON, 3), (DICE, 3), (PICKS, 2), (SHIPS.format(seen=", seen by me"), 2)]
)
def test_nasty_programs_grow_alike(text: str, seats: int) -> None:
    game = made(text, seats)
    count = 0
    for seed in range(2):
        count += alike(game, seed, 4, 40 if len(text) < 800 else 15, 1)
        count += alike(game, seed, 3, 10, 1, 2)
    assert count


def test_made_up_games_grow_alike() -> None:
    count = 0
    for _, found in accepted(0, 16):
        try:
            game = engine.configure(found.program, found.program.fewest_seats, {})
            compiled(game)
            count += alike(game, 3, 3, 25)
        except (NotLowered, Refused, Exhausted):
            continue
    assert count > 8


@pytest.mark.parametrize("name", ["connect-four", "leduc-poker"])
def test_room_becomes_more(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "ROOM", 32)
    program = load(name).program
    game = engine.configure(program, 2, {})
    compiled(game)
    assert alike(game, 1, 2, 150)


@pytest.mark.parametrize("most", [200, 1000, 5000])
def test_where_there_is_no_more_room_python_goes_on(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "ROOM", 32)
    monkeypatch.setattr(trees.Growth.__init__, "__defaults__", (most,))
    game = engine.configure(load("tic-tac-toe").program, 2, {})
    compiled(game)
    alike(game, 1, 1, 150)


def test_a_round_that_is_given_up_is_done_by_python() -> None:
    """There is hardly any room for rows, so that many a roll-out is given up."""
    game = made(JOINT, 3, half=1 << 10)
    given_up = 0
    for seed in range(2):
        given_up += 2 - alike(game, seed, 2, 15, 1)
    assert given_up


def test_what_was_begun_by_python_is_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, seats in ((JOINT, 3), (PICKS, 2), (DICE, 3)):
        game = made(text, seats)
        asked = [0]
        real = Game.growth

        def growth(self: Game, *given: Any, asked: list[int] = asked, real: Any = real) -> Any:
            asked[0] += 1
            return None if asked[0] % 23 else real(self, *given)

        monkeypatch.setattr(Game, "growth", growth)
        assert alike(game, 1, 1, 50, 1)
        monkeypatch.setattr(Game, "growth", real)


def test_a_tree_is_the_same_after_it_was_given_and_taken_back() -> None:
    for text, seats in ((JOINT, 3), (PICKS, 2), (DICE, 3), (SHIPS.format(seen=", seen by me"), 2)):
        game = made(text, seats)
        for match, seat in decisions(game, 1, 2, 1):
            draw, deal = Stream(1), dealer(match.state, seat)
            tree = Tree(seat, match.state.moves(seat), 1000)
            for _ in range(25):
                tree.think(deal(draw), draw)
            tree._take_back()
            known = tree.known
            again = game.growth(seat, 1000, known)
            assert again is not None and told(again.known()) == told(known)


def test_very_many_rounds_need_bounded_memory() -> None:
    """A tree holds no more than there are places and answers."""
    game = engine.configure(load("tic-tac-toe").program, 2, {})
    compiled(game)
    match = Match(game, 1)
    for _ in range(4):
        match.submit(match.state.moves(match.missing[0])[0])
    seat = match.missing[0]
    tree = Tree(seat, match.state.moves(seat), 1000)
    draw, done = Stream(1), 0
    while done < 300_000:
        done += tree.think(match.state, draw, 300_000 - done)
    assert isinstance(tree._growth, trees.Growth)
    assert len(tree._growth._words) <= 1 << 16


def test_players_choose_the_same() -> None:
    for name, agents in (
        ("connect-four", [UctAgent(40), MonteCarloAgent(70)]),
        ("kuhn-poker", [UctAgent(30), UctAgent(9, 2)]),
    ):
        game = engine.configure(load(name).program, 2, {})
        other = plain(game)
        compiled(game)
        for seed in range(2):
            mine, theirs = Match(game, seed), Match(other, seed)
            mine.play(agents)
            theirs.play(agents)
            assert mine.events == theirs.events
