"""``differ``: what it prints, what it writes, how it ends."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from command_line import Run, conforms

from rulelang.failures import Refused
from rulelang.pipeline import engine_named
from rulelang.play.event import Play
from rulelang.play.refusal import Refusal
from rulelang.testing.faulty import Fault, FaultyEngine
from rulelang.tools import differ

Plant = Callable[[Fault], None]
SMALL = "--moves 60 --seed 7 --engine reference"


class Centre(Fault):
    """Marking the centre costs more."""

    def cost(self, state: Any) -> Any:
        return state.cost + (isinstance(state.event, Play) and state.event.arguments == (4,))


class Anything(Fault):
    """Every number of seats and every option is right."""

    def configure(self, engine: Any, program: Any, seats: Any, options: Any) -> Any:
        return engine.configure(program, 2, {})


class NeverThree(Fault):
    """Three cannot play."""

    def configure(self, engine: Any, program: Any, seats: Any, options: Any) -> Any:
        if seats == 3:
            raise Refused([Refusal("seats", "RL7004", "Three cannot play.")])
        return engine.configure(program, seats, options)


class Weary(Fault):
    """Somebody presses Ctrl-C after a while."""

    asked = 0

    def cost(self, state: Any) -> Any:
        self.asked += 1
        if self.asked > 20:
            raise KeyboardInterrupt
        return state.cost


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Lets the engine ``faulty`` have a fault."""

    def planted(fault: Fault) -> None:
        faulty = FaultyEngine(engine_named("reference"), fault)
        monkeypatch.setattr(differ, "engine_named", lambda name: faulty if name == "faulty" else engine_named(name))

    return planted


def test_equal_interpreters(run: Run) -> None:
    result = run(f"differ kuhn-poker {SMALL}")
    assert result.exit_code == 0
    assert "Kuhn poker: reference and reference agree; seed 7" in result.stdout
    assert "events that took place alike          60" in result.stdout
    assert "configurations of seats and options    2" in result.stdout
    data = json.loads(run(f"differ kuhn-poker {SMALL} --seats 3 --format json").stdout)
    conforms(data, "differ")
    assert data["difference"] is None and data["compared"]["configurations"] == 1
    assert data["compared"]["moves"] == data["moves_asked"] == 60


def test_compiled_games_are_compared(run: Run) -> None:
    result = run("differ leduc-poker --moves 60 --seed 7")
    assert result.exit_code == 0
    assert re.search(r"^events of compiled games +[6-9]\d$", result.stdout, re.MULTILINE)
    assert re.search(r"^answers in compiled batches +[6-9]\d$", result.stdout, re.MULTILINE)
    data = json.loads(run("differ leduc-poker --moves 60 --seed 7 --format json").stdout)
    conforms(data, "differ")
    assert data["compared"]["compiled"] >= 60 and data["compared"]["stepped"] >= 60


def test_where_nothing_is_compiled_it_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_NATIVE", "python")
    result = run("differ tic-tac-toe --moves 20 --seed 7")
    assert "No compiled games were compared: RULELANG_NATIVE is 'python'." in result.stdout
    assert "llvmlite" not in result.stderr
    assert "No compiled games were compared: reference has none." in run(f"differ kuhn-poker {SMALL}").stdout


def test_interrupted_while_compiled_games_are_compared(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulelang.play.covering.compare_compiled", interrupted)
    result = run("differ kuhn-poker --seats 3 --moves 20 --seed 7")
    assert result.exit_code == 130
    assert "agree (stopped while compiled games were compared); seed 7" in result.stdout
    data = json.loads(run("differ kuhn-poker --seats 3 --moves 20 --seed 7 --format json").stdout)
    conforms(data, "differ")
    assert data["interrupted"] and data["compared"]["moves"] == 20


def test_without_llvmlite_it_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setattr(differ, "compiles", lambda: False)
    monkeypatch.setattr("rulelang_native.game.find_spec", lambda _: None)
    result = run("differ tic-tac-toe --moves 20 --seed 7")
    assert result.exit_code == 0
    assert "No compiled games were compared: llvmlite is not there, or cannot be used." in result.stdout
    assert "llvmlite is not installed" in result.stderr


def test_a_difference_of_compiled_games_and_its_record(run: Run, plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dear(Fault):
        def compiled_playouts(self, game: Any, *given: Any, **more: Any) -> Any:
            return (attrs.evolve(each, cost=each.cost + 1) for each in game.compiled_playouts(*given, **more))

    native = FaultyEngine(engine_named("native"), Dear())
    monkeypatch.setattr(differ, "engine_named", lambda name: native if name == "faulty" else engine_named(name))
    result = run("differ tic-tac-toe --moves 60 --seed 7 --engine faulty --save found.record.jsonl")
    assert result.exit_code == 1
    assert "compiled game of random players, after " in result.stdout
    assert re.search(r"faulty +cost: \d+\n +reference +cost: \d+\n", result.stdout)
    replayed = run("replay found.record.jsonl")
    assert replayed.exit_code == 0 and "wins" in replayed.stdout


def test_every_option_is_varied_unless_one_is_chosen(run: Run) -> None:
    command = "differ liars-dice --moves 400 --seed 7 --engine reference --format json"
    assert json.loads(run(command).stdout)["compared"]["configurations"] > 6
    chosen = json.loads(run(f"{command} --option dice=1").stdout)
    assert chosen["compared"]["configurations"] == 1


def test_a_difference_and_its_record(run: Run, plant: Plant) -> None:
    plant(Centre())
    result = run("differ tic-tac-toe --moves 500 --seed 7 --engine faulty --save found.record.jsonl")
    assert result.exit_code == 1
    assert "faulty and reference do not agree; seed 7" in result.stdout
    assert "cost, after 1 event of game 0:\n  faulty     181\n  reference  180\n" in result.stdout
    assert "The record that shows it, kept in found.record.jsonl:" in result.stdout
    assert '  {"play": "place", "seat": 1, "arguments": [4]}' in result.stdout
    lines = Path("found.record.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(f"  {line}\n" in result.stdout for line in lines) and len(lines) == 2
    assert "place(b2)" in run("replay found.record.jsonl").stdout


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_difference_whose_record_cannot_be_kept_is_told(run: Run, plant: Plant, form: str) -> None:
    plant(Centre())
    command = f"differ tic-tac-toe --moves 500 --seed 7 --engine faulty --format {form}"
    plain, result = run(command), run(f"{command} --save nowhere/found.record.jsonl")
    assert (result.exit_code, result.stdout) == (1, plain.stdout)
    assert "RL9026" in result.stderr and "'nowhere/found.record.jsonl' cannot be written" in result.stderr


def test_a_difference_as_json(run: Run, plant: Plant) -> None:
    plant(Centre())
    command = "differ tic-tac-toe --moves 500 --seed 7 --engine faulty --format json"
    data = json.loads(run(command).stdout)
    conforms(data, "differ")
    found = data["difference"]
    assert (found["what"], found["engine"], found["against"]) == ("cost", "181", "180")
    assert found["record"][1:] == [{"play": "place", "seat": 1, "arguments": [4]}]
    assert json.loads(run(command).stdout) == data


def test_a_difference_without_a_record(run: Run, plant: Plant) -> None:
    plant(Anything())
    command = "differ pig --moves 50 --seed 7 --engine faulty --option target=900"
    result = run(f"{command} --seats 3")
    assert result.exit_code == 1
    assert "configure, after 0 events of game 0:" in result.stdout
    assert result.stdout.endswith("  with 3 seats, target=900\n")
    data = json.loads(run(f"{command} --format json").stdout)
    conforms(data, "differ")
    assert data["difference"]["record"] is None and data["difference"]["options"] == {"target": "900"}


def test_a_configuration_that_one_refuses(run: Run, plant: Plant) -> None:
    plant(NeverThree())
    result = run("differ kuhn-poker --moves 50 --seed 7 --engine faulty")
    assert result.exit_code == 1
    assert "Three cannot play." in result.stdout and '"seats": 3' in result.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--seats 3", "RL7004: This game is for 2 seats, not 3."),
        ("--option tagret=3", "Did you mean 'target'?"),
        ("--engine refernce", "did you mean 'reference'?"),
        ("--against refernce", "did you mean 'reference'?"),
    ],
)
def test_what_cannot_be_played_is_said(run: Run, options: str, said: str) -> None:
    result = run(f"differ pig --moves 50 --seed 7 {options} {'' if '--engine' in options else '--engine reference'}")
    assert result.exit_code == 1
    assert said in " ".join(result.output.split())


def test_a_seed_that_was_not_given_is_told(run: Run) -> None:
    result = run("differ tic-tac-toe --moves 10 --engine reference")
    seed = result.stderr.removeprefix("seed: ").strip()
    assert f"seed {seed}" in result.stdout


def test_interrupted(run: Run, plant: Plant) -> None:
    plant(Weary())
    result = run("differ tic-tac-toe --moves 50 --seed 7 --engine faulty")
    assert result.exit_code == 130
    assert re.search(r"faulty and reference agree \([1-9]\d? of 50 moves\)", result.stdout)


def test_interrupted_while_a_record_is_shortened(run: Run, plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulelang.play.shortening.shortest", interrupted)
    plant(Centre())
    result = run("differ tic-tac-toe --moves 500 --seed 7 --engine faulty")
    assert result.exit_code == 130
    assert "do not agree" in result.stdout and '"play": "place"' in result.stdout


def test_a_run_that_is_stopped_tells_what_was_compared() -> None:
    command = [sys.executable, "-m", "rulelang", "differ", "tic-tac-toe", "--moves", "100000000", "--seed", "1"]
    process = subprocess.Popen(
        [*command, "--engine", "reference", "--format", "json", "--progress"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None
    deadline = time.monotonic() + 60
    seen = b""
    while b"moves" not in seen and time.monotonic() < deadline:
        seen += process.stderr.read1(100)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    data = json.loads(out)
    conforms(data, "differ")
    assert 0 < data["compared"]["moves"] < 100000000 and data["difference"] is None


def test_it_is_the_same_for_any_hash_seed() -> None:
    told = set()
    for number in ("0", "77"):
        done = subprocess.run(
            [sys.executable, "-m", "rulelang", "differ", "goofspiel", *SMALL.split(), "--format", "json"],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": number},
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        told.add(done.stdout)
    assert len(told) == 1


def test_counts_have_names() -> None:
    from rulelang.play.comparing import Compared

    assert list(differ.COUNTED) == [field.name for field in attrs.fields(Compared)]
