"""Moves that only their maker observes: ``seen by me``. Spec 8.7."""

import pytest

from rulelang.failures import Diagnosed
from rulelang.ir.codec import content_hash, dumps, loads
from rulelang.pipeline import compile_text, engine_named, load
from rulelang.play.chance import Stream
from rulelang.play.engine import State
from rulelang.play.event import Pass, Play, Sealed
from rulelang.play.quiet import hides
from rulelang.play.resample import Resampler
from rulelang.play.view import Observed

SHIPS = """game "Where is the ship":
  players: 2

board Cell: 2 by 2
marker ship for each player: Cell or none, seen by owner

move anchor(cell in Cell){seen}: my ship becomes cell
move shoot(cell in Cell): if_hit

rule if_hit: seat(1)'s shots rises by 1
marker shots for each player: 0..9

overview:
  seat(1) must anchor
  seat(2) may anchor
  players must secretly anchor
  seat(1) must shoot
  end game, nobody wins
"""


def start(engine: str, seen: str = ", seen by me") -> State:
    program = compile_text(SHIPS.format(seen=seen)).program
    return engine_named(engine).configure(loads(dumps(program)), 2, {}).start()


def anchor(seat: int, cell: int) -> Play:
    return Play(seat, 0, (cell,))


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_only_the_mover_observes_it(engine: str) -> None:
    state = start(engine).step(anchor(0, 3))
    assert state.observed(0) == (Observed(0, 0, (3,)),)
    assert state.observed(1) == state.observed(None) == ()
    state = state.step(Pass(1)).step(Sealed((anchor(0, 1), anchor(1, 2))))
    assert state.observed(0) == (Observed(0, 0, (3,)), Observed(0, 0, (1,)))
    assert state.observed(1) == (Observed(1, None, ()), Observed(1, 0, (2,)))
    state = state.step(Play(0, 1, (0,)))
    assert state.observed(None) == (Observed(0, 1, (0,)),)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_pass_does_not_tell_whether_a_private_move_was_made(engine: str) -> None:
    state = start(engine).step(anchor(0, 3))
    made, passed = state.step(anchor(1, 2)), state.step(Pass(1))
    assert made.information(0) == passed.information(0)
    assert made.information(None) == passed.information(None)
    assert made.information(1) != passed.information(1)
    open_pass = start(engine, "").step(anchor(0, 3)).step(Pass(1))
    assert open_pass.observed(0)[-1] == Observed(1, None, ())


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_without_the_words_everybody_observes_that_it_was_made(engine: str) -> None:
    state = start(engine, "").step(anchor(0, 3))
    assert state.observed(1) == (Observed(0, 0, (3,)),)


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_what_is_dealt_anew_leaves_a_private_move_open(engine: str) -> None:
    state = start(engine).step(anchor(0, 3)).step(anchor(1, 2))
    assert hides(state.game.program)
    resampler = Resampler(state, 1)
    found = {resampler.draw(Stream(seed)).observed(0)[0].arguments for seed in range(40)}
    assert found == {(0,), (1,), (2,), (3,)}
    assert all(resampler.draw(Stream(seed)).observed(1) == state.observed(1) for seed in range(5))


def test_it_is_part_of_what_a_program_means() -> None:
    plain, private = (compile_text(SHIPS.format(seen=seen)).program for seen in ("", ", seen by me"))
    assert content_hash(plain) != content_hash(private)
    assert '"private"' not in dumps(plain) and '"private":true' in dumps(private)


@pytest.mark.parametrize(
    "words", [", seen by owner", ", seen by everyone", ", seen", " seen by me", ", seen by me, seen by me"]
)
def test_there_is_one_way_to_say_it(words: str) -> None:
    with pytest.raises(Diagnosed) as wrong:
        compile_text(SHIPS.format(seen=words))
    assert [each.code.number for each in wrong.value.diagnostics] in (["RL2020"], ["RL2024"], ["RL2029"])


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_an_unheard_attempt_that_fails_changes_nothing_for_the_other_side(engine: str) -> None:
    game = load("dark-hex", engine).configure(2, {"size": 3})
    state = game.start()
    state = state.step(game.read(0, "place(b2)"))
    failed = state.step(game.read(1, "place(b2)"))
    assert failed.waiting.seats == (1,)
    assert failed.information(0) == state.information(0)
    assert failed.information(None) == state.information(None)
    assert failed.information(1) != state.information(1)
