"""The benchmark's deck of five classes: rules that nobody looks at when compiled games are made faster."""

from pathlib import Path

import pytest

import rulelang
from rulelang.play.agents import RandomAgent
from rulelang.play.playouts import playouts
from rulelang_native import engine, playing
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import FIRST
from rulelang_reference import engine as reference

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "five-classes"
SEED = 5


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_interpreters_play_the_same(seats: int) -> None:
    program = rulelang.load(FOLDER).program
    game = engine.configure(program, seats, {})
    machine = Compiled(game, FIRST)
    assert "list2" in machine.printed.listed_at_once and machine.printed.spared
    compiled = list(compiled_playing.playouts(game, machine, 60, SEED))
    assert compiled == list(playing.playouts(game, 60, SEED, "random", 0))
    agents = [RandomAgent()] * seats
    assert compiled[:2] == list(playouts(reference.configure(program, seats, {}), 2, SEED, agents))
