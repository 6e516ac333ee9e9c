"""Answers that are chosen as they usually are, and when they are not, are those of printed Python."""

import pytest

from rulelang.pipeline import compile_text, load
from rulelang_native import engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm import support
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import FIRST, SECOND
from rulelang_native.llvm.usual import MOST, whole

SEED = 3

GAME = """
game "Usual":
  players: 2..3

values Thing: {values}
zone sack: pile of Thing, seen by nobody, starts with each Thing times {copies}
zone stock for each 1..2: pile of Thing, seen by nobody
zone heap for each 1..{places}: pile of Thing
zone hand for each player: bag of Thing, seen by owner
marker score for each player: 0..99999

define divides(cards: bag of Thing) = possible of whole_partition(size of set for each set in bags(2..3, cards)
  where size of kinds of set is 1)

move draw(n in 1..2):
  require any_there: stock[n] is not empty because "there is none"
  put top from stock[n] into my hand
  my score rises by n

move take(n in 1..{places}):
  require any_there: heap[n] is not empty because "there is none"
  put top from heap[n] into my hand
  my score rises by 3 * n

move go_out:
  require sets: divides(my hand) because "it does not divide"
  my score rises by 100
  put everything from my hand onto heap[1]

move drop(card in my hand, place in 1..{places}{maybe}):
  require place_free: heap[place] is empty or no other in heap where other is empty because "another one is empty"
  require allowed: {allowed} because "not now"
  put card from my hand onto heap[place]
  my score rises by card + 10 * place{more}

overview:
  repeat 3 times:
    gather Thing to sack
    shuffle sack
    each p in players: put top({dealt}) from sack into p's hand
    each n in 1..{places}: put top from sack onto heap[n]
    put top(4) from sack onto stock[1]
    put top(9) from sack onto stock[2]
    repeat 7 times:
      each p in players:
        p must {first} because "one more"
        p must {then} because "one less"
  end game, each p in players gets p's score
"""


def game_of(
    first: str = "draw or take",
    then: str = "go_out or drop",
    *,
    allowed: str = "not out or divides(my hand but card)",
    maybe: bool = True,
    values: str = "1..5",
    copies: int = 9,
    places: int = 3,
    dealt: int = 4,
    seats: int = 2,
) -> Game:
    text = GAME.format(
        first=first,
        then=then,
        allowed=allowed,
        values=values,
        copies=copies,
        places=places,
        dealt=dealt,
        maybe=", maybe out" if maybe else "",
        more=" + (50 if out otherwise 0)" if maybe else "",
    )
    found = compile_text(text)
    assert found.program is not None, [str(each) for each in found.diagnostics]
    return engine.configure(found.program, seats, {})


def alike(game: Game, n: int = 60, *, quick: bool = True, level: int = FIRST) -> Compiled:
    machine = Compiled(game, level, quick=quick)
    expected = list(playing.playouts(game, n, SEED, "random", 0))
    assert list(compiled_playing.playouts(game, machine, n, SEED)) == expected
    return machine


def factors(machine: Compiled) -> bool:
    """Whether an answer is chosen as one of a product."""
    return "call { i64, i64 } @pair(" in machine.text


def all_there(machine: Compiled) -> bool:
    """Whether it is asked whether all answers are there."""
    return any("= and i1 true, %" in line for line in machine.text.splitlines())


@pytest.mark.parametrize("quick", [True, False], ids=["BMI2", "no BMI2"])
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize(("values", "copies"), [("1..5", 9), ("4..9", 8), ("0..15", 3)])
def test_draws_and_drops(values: str, copies: int, seats: int, quick: bool) -> None:
    machine = alike(game_of(values=values, copies=copies, seats=seats), quick=quick)
    assert factors(machine) and all_there(machine)
    assert machine.totals(60, SEED, 0)[2] == 0  # nothing is given up


@pytest.mark.parametrize("places", [1, 2, 5])
@pytest.mark.parametrize("dealt", [1, 2, 6])
def test_few_and_many_answers(places: int, dealt: int) -> None:
    """With small hands nearly everything divides, so that answers are seldom as they usually are."""
    assert factors(alike(game_of(places=places, dealt=dealt, values="1..3", copies=14)))


def test_no_other_parameter_that_changes() -> None:
    assert factors(alike(game_of(then="drop", maybe=False, allowed="card > 1 or size of my hand > 2")))


def test_two_other_moves() -> None:
    assert factors(alike(game_of(then="drop or go_out or draw")))


def test_passing_is_asked_as_before() -> None:
    text = GAME.replace("must {first}", "may {first}").replace('\n        p must {then} because "one less"', "")
    text = text.replace(' because "one more"', "")
    found = compile_text(
        text.format(first="draw or take", allowed="yes", values="1..5", copies=9, places=3, dealt=4, maybe="", more="")
    )
    assert found.program is not None, [str(each) for each in found.diagnostics]
    machine = alike(engine.configure(found.program, 2, {}))
    assert not factors(machine) and not all_there(machine)


def test_both_tiers() -> None:
    alike(game_of(), level=SECOND)


def test_draws_that_are_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """As rare as they are, the other way to draw gives the same."""
    sure = "%sure = icmp uge i64 %low, %bound"
    pair = support.CHANCE.index("@pair")
    begin, end = support.CHANCE[:pair], support.CHANCE[pair:]
    assert sure in end
    monkeypatch.setattr(support, "CHANCE", begin + end.replace(sure, "%sure = icmp ugt i64 0, %bound", 1))
    assert factors(alike(game_of()))


@pytest.mark.parametrize("fault", [("%second = lshr i64 %product2, 32", "%second = lshr i64 %product2, 33")])
def test_a_planted_fault_is_seen(fault: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert fault[0] in support.CHANCE
    monkeypatch.setattr(support, "CHANCE", support.CHANCE.replace(*fault))
    with pytest.raises(AssertionError):
        alike(game_of())


def test_which_answers_there_can_be() -> None:
    program = load("13-animals").program
    assert program is not None
    functions = {each.name: each for each in engine.configure(program, 3, {}).module.flat.functions}
    assert [whole(functions[f"list{move}"]) for move in (0, 1, 2, 4, 6)] == [0, 0b11, 0b111, 0, 0]
    assert MOST < 64


def test_the_large_game_looks_divisions_up_once() -> None:
    program = load("13-animals").program
    assert program is not None
    machine = Compiled(engine.configure(program, 4, {}), FIRST)
    assert factors(machine) and all_there(machine)
    assert "@hasty4(" in machine.text and "@hasty5(" not in machine.text
