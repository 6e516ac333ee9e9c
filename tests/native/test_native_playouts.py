"""Games at once: each is the one that a match plays with the same seed, number and players."""

from collections.abc import Sequence
from itertools import islice

import pytest
from both_engines import game_of, native, program_of
from by_matches import by_matches, came_to

from rulelang import limits
from rulelang.failures import Exhausted
from rulelang.ir.program import Program
from rulelang.pipeline import load
from rulelang.play import lengths
from rulelang.play import match as match_module
from rulelang_native import in_time, playing


def test_games_are_counted_from_the_first_and_threads_change_nothing() -> None:
    game = native.configure(load("kuhn-poker").program, 3, {})
    games = list(game.playouts(40, 9))
    assert list(game.playouts(10, 9, first=17)) == games[17:27]
    assert list(game.playouts(40, 9, threads=4)) == games
    assert list(game.playouts(40, 10)) != games
    assert list(game.playouts(0, 9)) == []
    assert list(islice(game.playouts(10**9, 9), 3)) == games[:3], "games are played when they are asked for"


@pytest.mark.parametrize("policy", ["advice", "", ("random",), ("random", "advised", "random"), ("random", "mc:10")])
def test_players_that_there_are_not(policy: str | Sequence[str]) -> None:
    game = native.configure(load("pig").program, 2, {})
    with pytest.raises(ValueError, match="'random' or 'advised', or one of them for each of 2 seats"):
        list(game.playouts(1, 1, policy))  # type: ignore[arg-type]


SEALED = """
game "Sealed":
  players: 3

values Card: 1..3
zone stock: pile of Card, seen by nobody, starts with each Card times 3
zone hand for each player: bag of Card, seen by owner
zone heap: pile of Card
marker points for each player: 0..99
marker caller: player or nobody

overview:
  shuffle stock
  each p in players: put top(3) from stock into p's hand
  turns of p from seat(1):
    players must secretly offer
    p may take
    others(p) may in_order call as taker
    if taker is not nobody: caller becomes taker
    if every q in players satisfies q's hand is empty: end game, each q in players gets q's points

move offer(card in my hand): put card from my hand onto heap
move take:
  require a_card: heap is not empty because "nothing lies there"
  my points rises by top of heap
move call(n in 1..2):
  require more: n < 2 or my points > 2 because "too few points"
  my points rises by n

prefer offer with most card
prefer call with most n
"""


@pytest.mark.parametrize("policy", [("random",) * 3, ("advised",) * 3, ("advised", "random", "advised")])
def test_sealed_answers_passes_and_windows(policy: tuple[str, ...]) -> None:
    found = list(game_of(SEALED, 3).playouts(40, 5, policy))  # type: ignore[arg-type]
    assert found == by_matches(program_of(SEALED), 3, policy, 40)
    assert len({each.returns for each in found}) > 5


STUCK = """
game "Stuck":
  players: 2

marker total: 0..9

overview:
  turns of p from seat(1): p must add

move add(n in 1..3):
  require below: total + n < 8 because "it would be too much"
  total rises by n
"""


def how_it_fails(program: Program, *, natively: bool) -> tuple[str, str, str | None, int | None]:
    """Code, words and place of what ends all games."""
    if natively:
        found = came_to(lambda: list(native.configure(program, 2, {}).playouts(3, 5)))
    else:
        found = came_to(lambda: by_matches(program, 2, ("random", "random"), 3))
    assert isinstance(found, tuple)
    return found


def test_a_game_in_which_nobody_can_move_is_given_up_at_the_same_place() -> None:
    found = how_it_fails(program_of(STUCK), natively=True)
    assert found == how_it_fails(program_of(STUCK), natively=False)
    assert found[2:] == ("game.rules", 7)


def test_too_many_moves_to_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LISTED_MOVES", 2)
    monkeypatch.setattr(playing, "MANY", 3)
    found = how_it_fails(program_of(STUCK), natively=True)
    assert found == how_it_fails(program_of(STUCK), natively=False)
    assert found[0] == "RL8015"


ENDLESS = """
game "Endless":
  players: 2

marker flips: yes or no

overview:
  turns of p from seat(1): p must flip

move flip: flips becomes not flips
"""


def test_an_endless_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_module, "RECORD_EVENTS", 50)
    monkeypatch.setattr(playing, "RECORD_EVENTS", 50)
    found = how_it_fails(program_of(ENDLESS), natively=True)
    assert found[0] == "RL8028"
    assert found == how_it_fails(program_of(ENDLESS), natively=False)


UNTIL = """
game "Taps":
  players: 2

timer glass: 86400 seconds
marker flips: yes or no

overview:
  start glass
  players may freely flip until glass is empty
  end game, nobody wins

move flip:
  flips becomes not flips
  start glass
"""


def test_open_play_that_nothing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_module, "RECORD_EVENTS", 50)
    monkeypatch.setattr(in_time, "RECORD_EVENTS", 50)
    found = how_it_fails(program_of(UNTIL), natively=True)
    words = "The game is not over after 50 events. It is in open play here, which perhaps nothing ends."
    assert found == ("RL8028", words, "game.rules", 9)
    assert found == how_it_fails(program_of(UNTIL), natively=False)
    game = native.configure(program_of(UNTIL), 2, {})
    with pytest.raises(Exhausted, match="Game 7 of this seed is not over after 50 events"):
        list(game.playouts(1, 5, "random", first=7))


def test_no_game_lasts_longer_than_there_are_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by acts nor by timers; nobody who plays on can tell by which interpreter it ends."""
    for module in (match_module, in_time, lengths, limits):
        monkeypatch.setattr(module, "LAST_TIME", 30_000)
    found = how_it_fails(program_of(UNTIL), natively=True)
    assert found[0] == "RL8026" and found[2:] == ("game.rules", 9)
    assert found == how_it_fails(program_of(UNTIL), natively=False)


def test_bounded_draws_that_are_drawn_again() -> None:
    """Just beyond half of 2**32, every second word must be drawn again."""
    from rulelang.play.chance import Stream

    for key in range(200):
        for bound in (1, 2, 7, 2**31 + 1, 3 * 2**30 + 1, 2**32 - 1):
            assert playing._below(key, bound) == Stream(key).below(bound)
