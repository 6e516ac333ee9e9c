"""What rules promise is looked at in compiled games wherever they wait, and tells the same as printed Python."""

import itertools

import attrs
import pytest

from rulelang.failures import Exhausted
from rulelang.ir.expressions import Not
from rulelang.ir.program import Program
from rulelang.pipeline import compile_text, load
from rulelang.play.configurations import all_seats
from rulelang.play.playouts import GameSummary
from rulelang.rulesets import all_rulesets
from rulelang_native import engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import FIRST
from rulelang_native.lowering.failing import NotLowered

SEED = 11

SOMETIMES = """
game "Sometimes":
  players: 2

values Card: 1..4
zone stock: pile of Card, seen by nobody, starts with each Card times 3
zone hand for each player: bag of Card, seen by owner
zone heap: pile of Card
marker total: 0..99

always few: total < 17
always rare: not (top of heap is 4 and total > 9)
always mine: size of heap < 6 or size of seat(1)'s hand > 1
always begun: total is not 7
always told: count(each c in Card where number_of(c) > 1) < 3
always row: size of (heap + heap) < 14
define number_of(c: Card) = count(each d in heap where d is c)

always kept: size of stock + size of heap + sum(size of p's hand for each p in players) is 12

move lay(card in my hand):
  put card from my hand onto heap
  total rises by card
move wait

overview:
  shuffle stock
  each p in players: put top(3) from stock into p's hand
  turns of p from seat(1):
    p must lay or wait
    if stock is empty or total > 14: end game, p wins
    if size of p's hand < 2: put top from stock into p's hand

prefer lay with most card

"""

AT_ONCE = """
game "At once":
  players: 2
marker total: 0..9 = 3
always never: total is 9
always started: total is 3
always ended: total < 5

overview:
  total becomes 5
  end game, nobody wins
"""

FAILS = """
game "Fails":
  players: 2
marker total: 0..99
always fair: 9223372036854775800 + total > 100
move more(n in 1..3): total rises by n

overview:
  turns of p from seat(1):
    p must more
    if total > 5: end game, p wins
"""

TOGETHER = """
game "Together":
  players: 3
marker votes: 0..9
marker last for each player: 0..3
always low: votes < 4
always apart: sum(p's last for each p in players) < 8

move vote(n in 0..3):
  votes becomes n
  my last becomes n

overview:
  repeat 4 times: players must secretly vote
  end game, nobody wins
"""

TIMED = """
game "Timed":
  players: 2
timer glass: 20 seconds
marker steps: 0..99
always few: steps < 9
always runs: steps < 7 or glass is running
always late: not (steps is 8 and glass is empty)

move step: steps rises by 1

overview:
  start glass
  players may freely step until glass is empty
  end game, nobody wins
"""

RULES = {"sometimes": SOMETIMES, "at once": AT_ONCE, "fails": FAILS, "together": TOGETHER, "timed": TIMED}
PROMISING = [name for name, _ in all_rulesets() if load(name).program.invariants]


def program_of(text: str) -> Program:
    return compile_text(text).program


def game_of(program: Program, seats: int | None = None) -> Game:
    game = engine.configure(program, program.fewest_seats if seats is None else seats, {})
    assert isinstance(game, Game)
    return game


def told(game: Game, n: int, advised: tuple[bool, ...] = (), machine: Compiled | None = None) -> list[str]:
    """Games one after the other, by printed Python or compiled; a game that comes to a limit tells that."""
    found: list[str] = []
    policy = tuple("advised" if advised[seat : seat + 1] == (True,) else "random" for seat in range(game.seats))
    for number in range(n):
        try:
            if machine is None:
                found += [str(each) for each in playing.playouts(game, 1, SEED, policy, number, promises=True)]
            else:
                found += [str(each) for each in compiled_playing.playouts(game, machine, 1, SEED, number)]
        except Exhausted as failure:
            found.append(str(failure))
    return found


def compiled(game: Game, advised: tuple[bool, ...] = ()) -> Compiled:
    return Compiled(game, FIRST, advised=advised, promises=True)


@pytest.mark.parametrize("name", RULES)
def test_the_same_promises_are_broken(name: str) -> None:
    game = game_of(program_of(RULES[name]))
    theirs = told(game, 60)
    assert told(game, 60, (), compiled(game)) == theirs
    assert len({each.split("broken=")[-1] for each in theirs}) > (name != "at once")


def test_every_promise_of_the_example_is_broken_in_some_games_only() -> None:
    game = game_of(program_of(SOMETIMES))
    broken = [set(each.broken) for each in compiled_playing.playouts(game, compiled(game), 200, SEED)]
    for each in game.program.invariants:
        count = sum(each.name in some for some in broken)
        assert count == 0 if each.name == "kept" else 0 < count < 200, each.name


@pytest.mark.parametrize("advised", [(True, True), (True, False), (False, True)])
def test_players_may_be_advised(advised: tuple[bool, ...]) -> None:
    game = game_of(program_of(SOMETIMES))
    assert told(game, 60, advised, compiled(game, advised)) == told(game, 60, advised)


def test_a_promise_that_fails_is_told_by_printed_python() -> None:
    game = game_of(program_of(FAILS))
    machine = compiled(game)
    assert machine.totals(60, SEED, 0)[2] > 0  # given up
    assert any("RL" in each for each in told(game, 60, (), machine))


@pytest.mark.parametrize("name", PROMISING)
def test_rulesets_with_promises(name: str) -> None:
    program = load(name).program
    for seats in itertools.islice(reversed(all_seats(program)), 2):
        game = game_of(program, seats)
        machine = compiled(game)
        assert told(game, 2, (), machine) == told(game, 2)
        assert machine.totals(2, SEED, 0)[2] == 0


@pytest.mark.parametrize("name", PROMISING)
def test_promises_of_rulesets_that_are_turned_round_are_broken(name: str) -> None:
    """So it is seen that each is asked, and of the right state."""
    program = load(name).program
    turned = attrs.evolve(
        program, invariants=tuple(attrs.evolve(each, condition=Not(each.condition)) for each in program.invariants)
    )
    game = game_of(turned)
    mine = list(compiled_playing.playouts(game, compiled(game), 2, SEED))
    assert mine == list(playing.playouts(game, 2, SEED, "random", promises=True))
    assert all(each.broken == tuple(one.name for one in program.invariants) for each in mine)


def test_many_promises_are_looked_at_by_printed_python() -> None:
    many = "".join(f"always p{number}: total is not {number}\n" for number in range(64))
    game = game_of(program_of(AT_ONCE.replace("marker total: 0..9", f"{many}marker total: 0..99")))
    with pytest.raises(NotLowered):
        compiled(game)
    assert list(game.playouts(3, SEED, promises=True)) == list(playing.playouts(game, 3, SEED, "random", promises=True))


def test_games_with_promises_are_compiled_when_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_playing, "COMPILING", 0.0)
    monkeypatch.setattr(compiled_playing, "LINE", 0.0)
    game = game_of(program_of(SOMETIMES))
    theirs = list(playing.playouts(game, 600, SEED, "random", 3, promises=True))
    assert any(each.broken for each in theirs)
    assert list(game.playouts(600, SEED, first=3, promises=True)) == theirs
    machine = game.compiled_before((), promises=True)
    assert machine is not None and machine.played >= 590
    assert list(game.playouts(600, SEED, threads=2, first=3, promises=True)) == theirs
    assert game.compiled_for((), promises=True) is machine is not game.compiled
    without: list[GameSummary] = list(game.playouts(600, SEED, first=3))
    assert all(each.broken == () for each in without)
    assert [each.cost for each in without] == [each.cost for each in theirs]


def test_without_any_promise_nothing_else_is_compiled() -> None:
    game = game_of(load("hex").program)
    assert game.compiled_for((), promises=True) is game.compiled
