"""What never changes is known: games are the same, and nothing that can change is taken for steady."""

import pytest

from rulelang.pipeline import compile_text, load
from rulelang_native import engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm import programs
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import FIRST
from rulelang_native.llvm.plan import plan
from rulelang_native.llvm.programs import Printer
from rulelang_native.llvm.steps import StepPrinter

SEED = 3

GAME = """
game "Steady":
  players: 2

values Thing: 1..4
option extras: no, yes = no
option late: no, yes = no
zone sack: pile of Thing, seen by nobody, starts with each Thing times 6
zone hand for each player: bag of Thing, seen by owner
zone side for each player: bag of Thing
zone heap: pile of Thing
zone wall: pile of Thing, starts with each Thing
marker mood: 0..3 = 2
marker count: 0..99
marker level for each 1..3: 0..9 = 1
marker score for each player: 0..99

move play(card in my hand + my side):
  require there: card in my hand because "it lies beside"
  put card from my hand onto heap
  my score rises by mood + size of my side + size of wall + level[1]
  if score[me] > 5 and late is yes: mood becomes 3

move extra(card in my hand):
  put card from my hand into my side
  level[2] becomes 5

rule calm:
  mood becomes 2
  level[1] becomes 1

overview:
  shuffle sack
  each p in players: put top(4) from sack into p's hand
  repeat 3 times:
    calm
    count becomes count + mood
    each p in players:
      if extras is yes: p may play or extra
      otherwise: p may play
  end game, each p in players gets p's score
""".replace("score[me]", "my score")


def game_of(**options: str) -> Game:
    found = compile_text(GAME)
    assert found.program is not None
    return engine.configure(found.program, 2, dict(options))


def steady_of(game: Game) -> dict[str, object]:
    printer = Printer(game)
    return {printer.module.around.slots[slot].name: value for slot, value in printer.steady.items()}


def alike(game: Game) -> None:
    expected = list(playing.playouts(game, 60, SEED, "random", 0))
    assert list(compiled_playing.playouts(game, Compiled(game, FIRST), 60, SEED)) == expected


def test_what_no_move_that_is_asked_for_changes_is_steady() -> None:
    game = game_of()
    assert steady_of(game) == {"side": (), "wall": (1, 2, 3, 4), "mood": 2, "level": 1}
    alike(game)
    assert "side: never changes" in plan(game) and "mood: never changes" in plan(game)


def test_what_can_change_is_not() -> None:
    game = game_of(extras="yes")
    assert steady_of(game) == {"wall": (1, 2, 3, 4), "mood": 2}
    alike(game)
    game = game_of(late="yes")
    assert steady_of(game) == {"side": (), "wall": (1, 2, 3, 4), "level": 1}
    alike(game)


def test_steps_begin_anywhere_so_that_nothing_is_steady() -> None:
    assert StepPrinter(game_of()).steady == {}


def test_options_decide_for_13_animals() -> None:
    program = load("13-animals").program
    without = steady_of(engine.configure(program, 4, {}))
    assert without["meld"] == () and without["reserved"] == 0 and "hand" not in without
    assert "meld" not in steady_of(engine.configure(program, 4, {"pon": "on"}))


def test_a_planted_fault_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "steady", lambda program, laid, effects_at: {5: 2, 6: 0})
    game = game_of(late="yes")
    names = [slot.name for slot in Printer(game).module.around.slots]
    assert names[5:7] == ["mood", "count"]
    with pytest.raises(AssertionError):
        alike(game)
