"""Compiled games of players that follow advice are those of printed Python, to the bit. Spec 15.1, 11.4."""

import itertools
from collections.abc import Iterator

import pytest
from test_llvm_time import DEADLINES, LATE, TABLE, TWO_AT_ONCE, program_of, waits
from test_native_time import NO_CLOCK, RACES

from rulelang.failures import Exhausted
from rulelang.ir.program import Program
from rulelang.pipeline import compile_text, load
from rulelang.play.configurations import all_seats
from rulelang.play.playouts import GameSummary
from rulelang.rulesets import all_rulesets
from rulelang_native import engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm import timing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.games import STATUS

SEED = 9
RULESETS = [name for name, _ in all_rulesets() if name != "taiwan-monsters-brawl" and load(name).program.preferences]

RANKS = """game "Ranks":
  players: 2..3

values Card: -3..9
zone deck: pile of Card, seen by nobody, starts with each Card times 3
zone hand for each player: bag of Card
zone heap: pile of Card
marker points for each player: -9999..9999
marker last: Card or none
marker calls: 0..999

move play(card in my hand):
  put card from my hand onto heap
  last becomes card
move both(cards in bags(2, my hand)):
  put cards from my hand onto heap
  my points rises by sum(c for each c in cards)
move say(n in -2..2, p in players):
  require other: p is not me
  p's points rises by n
move call: calls rises by 1

overview:
  shuffle deck
  each p in players:
    p's points becomes 0
    put top(5) from deck into p's hand
  repeat 4 times:
    each p in players:
      p must play or both or say
      p may say or call
      table must call
    players may secretly call or say
    players may in_order call as taker
    if taker is not nobody: taker's points rises by 50
  end game, each p in players gets p's points

prefer both with most size of distinct_ones(cards) then least lowest(c for each c in cards) when size of my hand > 3
prefer play with least remainder(card + 3, 3) then most card when last is none or card > last
prefer say with most n then least p's points when my points < 3
prefer say with least n when n < 0 and p's points > 10
prefer pass when calls > 5
prefer call when remainder(calls, 2) is 0

define distinct_ones(cards: bag of Card) = kinds of cards
"""
"""Equal ranks, the least first, lists among the answers, several lines for a move, a pass, and nothing that fits."""

HURRIED = (
    LATE
    + """
prefer early with most n when left of glass < 4500
prefer at_last with most p's points when left of glass > 1500
"""
)
"""What is advised depends on the clock; whoever is advised nothing waits."""

SANDY = """game "Sandy":
  players: 2..3
timer glass: 9 seconds
marker points for each player: 0..9999
marker laps: 0..99
move add(n in 1..5): my points rises by n
overview:
  repeat until laps is 12:
    laps rises by 1
    start glass
    players may freely add until glass is empty
  end game, each p in players gets p's points
prefer add with least remainder(n * left of glass, 7) when left of glass > 2000
"""
"""Nothing but what is advised depends on the clock."""

UNHURRIED = (
    TWO_AT_ONCE.replace("0..999", "0..99999")
    + """
prefer stop_one when my taps > 2
prefer go_on
prefer again when laps > 2
"""
)

CALLED = (
    TABLE
    + """
prefer tap when my points < 4
prefer call with least (1 if s is left otherwise 0)
"""
)

TAPPED = (
    DEADLINES.replace("{limit}", "5000")
    + """
prefer tap when my taps < laps
"""
)

WRONG = """game "Wrong advice":
  players: 2
marker friend: player or nobody
marker points for each player: 0..99
move befriend(p in players):
  friend becomes p
  my points rises by seat_number(p)
move part(n in 1..3): friend becomes nobody
overview:
  friend becomes seat(1)
  repeat 4 times:
    each p in players: p must befriend or part
  end game, each p in players gets p's points
prefer befriend with most friend's points then least seat_number(p)
prefer part
"""
"""Advice that asks for what nobody has, once they have parted."""

COSTLY = """game "Costly advice":
  players: 2
values Far: 1..200
marker least: 0..9
move go(a in Far, b in Far)
move stop
overview:
  each p in players: p must go or stop
  end game, nobody wins
prefer go when sum(c for each c in Far where c > least) < a
"""


def policies(seats: int) -> Iterator[tuple[bool, ...]]:
    """Who follows advice: all, the first, all but the first."""
    yield (True,) * seats
    yield tuple(seat == 0 for seat in range(seats))
    yield tuple(seat != 0 for seat in range(seats))


def names(advised: tuple[bool, ...]) -> playing.Policy:
    return tuple("advised" if each else "random" for each in advised)


def told(game: Game, n: int, advised: tuple[bool, ...], machine: Compiled | None = None) -> list[GameSummary | str]:
    found: list[GameSummary | str] = []
    for number in range(n):
        try:
            if machine is None:
                found += playing.playouts(game, 1, SEED, names(advised), number)
            else:
                found += compiled_playing.playouts(game, machine, 1, SEED, number)
        except Exhausted as failure:
            found.append(f"{failure.code} {failure.message} {failure.line}")
    return found


def check(program: Program, seats: int, n: int, failures: str = "") -> None:
    """Games of all policies, some of which end in failures if a code is given, and else none."""
    failing = 0
    game = engine.configure(program, seats, {})
    chances = told(game, n, (False,) * seats)
    for advised in policies(seats):
        machine = Compiled(game, 1, advised=advised)
        games = told(game, n, advised)
        assert told(game, n, advised, machine) == games
        failed = [each for each in games if isinstance(each, str)]
        assert sum(machine.playouts(1, SEED, number)[STATUS] != 0 for number in range(n)) == len(failed)
        assert all(failures and each.startswith(failures) for each in failed)
        failing += len(failed)
        assert games != chances, "advice has a say here"
    assert bool(failing) == bool(failures)


PROGRAMS = {
    "ranks": (compile_text(RANKS).program, 3),
    "races": (compile_text(RACES).program, 3),
    "no clock": (compile_text(NO_CLOCK + "\nprefer vote with most n when votes < 3\n").program, 3),
    "hurried": (program_of(HURRIED), 3),
    "sandy": (compile_text(SANDY).program, 3),
    "unhurried": (program_of(UNHURRIED), 3),
    "called": (program_of(CALLED), 4),
    "tapped": (program_of(TAPPED), 3),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_small_programs_are_played_alike(name: str) -> None:
    program, seats = PROGRAMS[name]
    check(program, seats, 25)


@pytest.mark.parametrize("name", ["races", "no clock", "hurried", "tapped"])
def test_equal_times_go_by_the_order_of_the_list(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waits(monkeypatch, timing.SHORTEST + 1)
    program, seats = PROGRAMS[name]
    check(program, seats, 15)


@pytest.mark.parametrize("name", RULESETS)
def test_rulesets_are_played_alike(name: str) -> None:
    program = load(name).program
    seats = all_seats(program)
    game = engine.configure(program, seats[len(name) % len(seats)], {})
    for advised in itertools.islice(policies(game.seats), 2):
        machine = Compiled(game, 1, advised=advised)
        assert told(game, 4, advised, machine) == told(game, 4, advised)


def test_advice_that_fails_is_said_by_printed_python() -> None:
    check(compile_text(WRONG).program, 2, 30, "RL")
    check(compile_text(COSTLY).program, 2, 2, "RL")


def test_games_are_compiled_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_playing, "COMPILING", 0.0)
    monkeypatch.setattr(compiled_playing, "LINE", 0.0)
    game = engine.configure(load("leduc-poker").program, 2, {})
    for policy in ("advised", ("random", "advised"), ("advised", "random"), "random"):
        everybody = (policy,) * 2 if isinstance(policy, str) else policy
        advised = tuple(each == "advised" for each in everybody)
        assert game.compiled_before(advised) is None
        games = list(playing.playouts(game, 600, SEED, policy, 3))
        assert list(game.playouts(600, SEED, policy, first=3)) == games
        machine = game.compiled_before(advised)
        assert machine is not None and machine.played >= 590
        assert list(game.playouts(600, SEED, policy, 2, 3)) == games
        assert game.compiled_for(advised) is machine


def test_without_any_advice_everybody_plays_at_random() -> None:
    game = engine.configure(load("hex").program, 2, {})
    assert not game.program.preferences
    assert game.compiled_for((True, True)) is game.compiled_for((False, False)) is game.compiled
