"""13 Animals written by hand in C (`benchmarks/animals.c`): the same games as rulelang, draw by draw."""

import importlib.util
import os
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rulelang
from rulelang_native import engine

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "playouts.py"
SEATS = (2, 3, 4, 5)
SEED = 2024


def module() -> ModuleType:
    """The benchmark, as a module."""
    spec = importlib.util.spec_from_file_location("benchmark_of_playouts", SCRIPT)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


benchmark = module()

COMPILER = os.environ.get("CC", "cc")
needs_c = pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"there is no C compiler {COMPILER} here")


@pytest.fixture(scope="module")
def animals() -> Any:
    """The C, compiled. It is an error if the compiler does not take it."""
    return benchmark.Library("animals")


@needs_c
@pytest.mark.parametrize("seats", SEATS)
def test_games_are_those_of_rulelang(animals: Any, seats: int) -> None:
    game = engine.configure(rulelang.load("13-animals").program, seats, {})
    wanted = [benchmark.told(summary) for summary in game.playouts(300, SEED, "random")]
    for version in benchmark.VERSIONS:
        assert animals.games(version, seats, 300, SEED) == wanted


@needs_c
@pytest.mark.parametrize("seats", SEATS)
def test_both_versions_come_to_the_same(animals: Any, seats: int) -> None:
    """Down to the points of every seat."""
    natural, packed = (bytes(animals.results(version, seats, 5000, SEED, 300)) for version in benchmark.VERSIONS)
    assert natural == packed


@needs_c
@pytest.mark.parametrize("version", benchmark.VERSIONS)
def test_totals_are_those_of_the_games(animals: Any, version: str) -> None:
    """A game depends on its number alone, so that games can be divided among threads."""
    games = animals.results(version, 4, 200, SEED, 50)
    assert [game.length for game in games[100:]] == [
        game.length for game in animals.results(version, 4, 100, SEED, 150)
    ]
    assert not any(game.given_up for game in games)
    expected = sum(game.length for game in games), sum(game.decisions for game in games), 0
    assert animals.totals(version, 4, 200, SEED, 50) == expected
    parts = [animals.totals(version, 4, 100, SEED, first) for first in (50, 150)]
    assert tuple(map(sum, zip(*parts, strict=True))) == expected


@needs_c
def test_the_benchmark_tells_of_it(animals: Any) -> None:
    subject = next(each for each in benchmark.SUBJECTS if each.library == "animals" and each.seats == 4)
    contest = benchmark.contest(subject, (1, 2), animals)
    del contest.players["reference"]
    benchmark.run([contest], 0.01, 1, None)
    found = benchmark.results([contest], 0.01, 1, [])
    (row,) = found["subjects"]
    assert set(row["of_c"]) == {"C natural", "C packed"}
    assert row["of_the_best_c"] == min(row["of_c"].values())
    for name in ("C natural", "C packed", "C packed, 2 threads"):
        assert row["rates"][name]["decisions_a_game"] > 300
    said = "\n".join(benchmark.lines(found))
    assert "C packed, 2 threads" in said and "decisions by CPU s" in said and "of C natural" in said


def test_a_missing_compiler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    subjects = [each for each in benchmark.SUBJECTS if each.name in ("13-animals", "pig")]
    program, libraries, without = benchmark.written_by_hand(subjects)
    assert program is None and not libraries
    assert without == ["there is no C compiler no-such-compiler (the variable CC names one)"]
    said = benchmark.lines(benchmark.results([], 0.1, 1, without))
    assert "C is left out: there is no C compiler no-such-compiler (the variable CC names one)" in list(said)


@needs_c
def test_c_that_is_not_taken_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "wrong.c").write_text("int wrong(void) { return nothing; }\n", encoding="utf-8")
    monkeypatch.setattr(benchmark, "HERE", tmp_path)
    with pytest.raises(benchmark.NotBuilt, match=r"does not take wrong\.c: .*error"):
        benchmark.built("wrong.c", "-shared", "-fPIC")
