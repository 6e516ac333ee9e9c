"""Games side by side are the games of printed Python, to the bit, also those that leave their lane."""

from collections.abc import Mapping

import pytest

from rulelang import limits
from rulelang.pipeline import load
from rulelang_native import engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import lanes, machine, segments
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.laning import LANES
from rulelang_native.llvm.machine import FIRST, SECOND
from rulelang_native.llvm.programs import Printer

SEED = 31

SIDE_BY_SIDE: tuple[tuple[str, Mapping[str, int]], ...] = (
    ("connect-four", {}),
    ("connect-four", {"rows": 4, "columns": 4, "in_a_row": 3}),
    ("pig", {}),
    ("pig", {"target": 30, "faces": 4, "horizon": 12}),
    ("tic-tac-toe", {}),
    ("kuhn-poker", {}),
    ("kuhn-poker", {"seats": 3}),
    ("leduc-poker", {}),
    ("nim", {}),
)
ONE_BY_ONE = ("dots-and-boxes", "othello", "spades", "three-card-poker")
"""Those with loops between two waits, and those that hold rows."""


def game_of(name: str, options: Mapping[str, int]) -> Game:
    program = load(name).program
    chosen = {"seats": 4 if name == "spades" else 2, **options}
    return engine.configure(program, chosen.pop("seats"), chosen)


def side_by_side(game: Game) -> bool:
    return "@segment" in Printer(game, quick=True).text()


def compare(game: Game, level: int, counts: tuple[int, ...]) -> None:
    played = Compiled(game, level)
    for first, n in enumerate(counts):
        mine = list(compiled_playing.playouts(game, played, n, SEED, first))
        assert mine == list(playing.playouts(game, n, SEED, "random", first))


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_others_are_played_one_after_the_other(name: str) -> None:
    assert not side_by_side(game_of(name, {}))


@pytest.mark.parametrize(("name", "options"), SIDE_BY_SIDE)
@pytest.mark.parametrize("level", [FIRST, SECOND])
def test_games_side_by_side(name: str, options: Mapping[str, int], level: int) -> None:
    game = game_of(name, options)
    assert side_by_side(game)
    compare(game, level, (1, 2, LANES - 1, LANES, LANES + 1, 300))


@pytest.mark.parametrize(("name", "options"), SIDE_BY_SIDE)
def test_draws_that_are_looked_at_again_leave_the_lane(
    name: str, options: Mapping[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here every sixteenth draw is, and comes to the same."""
    seldom = segments.DRAW.replace("icmp uge i64 %low, %bound", "icmp uge i64 %low, 268435456")
    assert seldom != segments.DRAW
    monkeypatch.setattr(lanes, "DRAW", seldom)
    game = game_of(name, options)
    assert side_by_side(game)
    compare(game, SECOND, (1, LANES, 200))


@pytest.mark.parametrize(("name", "options"), SIDE_BY_SIDE)
def test_narrow_registers_change_nothing(
    name: str, options: Mapping[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "has", lambda feature: feature == "bmi2")
    game = game_of(name, options)
    assert ("@segment" in Compiled(game, FIRST).text) == (name != "leduc-poker")
    compare(game, FIRST, (1, LANES // 2 + 1, 200))


@pytest.mark.parametrize(("name", "options"), SIDE_BY_SIDE)
def test_games_that_are_too_long_are_given_up(
    name: str, options: Mapping[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(name, options)
    monkeypatch.setattr(limits, "RECORD_EVENTS", 8)
    played = Compiled(game)
    monkeypatch.undo()
    words = played.playouts(200, SEED, 0)
    for place, summary in enumerate(playing.playouts(game, 200, SEED, "random")):
        assert bool(words[place * played.words]) == (summary.length > 8)
