"""Games at once: each is the one that a match plays with the same seed, number and players."""

from collections.abc import Callable, Sequence
from itertools import islice

import pytest
from both_engines import game_of, native, program_of, reference

from rulelang import limits
from rulelang.failures import Exhausted
from rulelang.ir.program import Program
from rulelang.pipeline import load
from rulelang.play import lengths
from rulelang.play import match as match_module
from rulelang.play.agents import AdvisedAgent, Agent, RandomAgent
from rulelang.play.configurations import all_seats
from rulelang.play.playouts import GameSummary, playouts
from rulelang.rulesets import all_rulesets
from rulelang_native import in_time, playing

RULESETS = tuple(name for name, _ in all_rulesets())
GAMES = {"13-animals": 2, "breakthrough": 2, "monster-bande": 1}
AGENTS: dict[str, Agent] = {"random": RandomAgent(), "advised": AdvisedAgent()}


def by_matches(
    program: Program, seats: int, policy: Sequence[str], n: int, first: int = 0, seed: int = 5
) -> list[GameSummary]:
    """Games on the reference interpreter, one move after the other."""
    game = reference.configure(program, seats, {})
    return list(playouts(game, n, seed, [AGENTS[each] for each in policy], first))


def came_to(play: Callable[[], list[GameSummary]]) -> object:
    """All games, or how and where they were given up."""
    try:
        return play()
    except Exhausted as failure:
        return failure.code, failure.message, failure.file, failure.line


@pytest.mark.parametrize("kind", ["random", "advised", "mixed"])
@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_at_random_and_as_advised(name: str, kind: str) -> None:
    program = load(name).program
    for seats in {min(all_seats(program)), max(all_seats(program))}:
        game = native.configure(program, seats, {})
        mixed = [("random", "advised")[seat % 2] for seat in range(seats)]
        policy = mixed if kind == "mixed" else [kind] * seats
        n = GAMES.get(name, 12)
        chosen = tuple(policy) if kind == "mixed" else kind
        found = came_to(lambda game=game, n=n, chosen=chosen: list(game.playouts(n, 5, chosen)))  # type: ignore[misc]
        assert found == came_to(lambda seats=seats, n=n, policy=policy: by_matches(program, seats, policy, n))  # type: ignore[misc]


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
