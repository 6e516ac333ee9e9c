"""``sim`` and ``perft``."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, conforms

from rulelang.ir.codec import dumps
from rulelang.pipeline import load
from rulelang.tools.batches import Job, Totals, in_processes

ORACLES = {"tic-tac-toe": (4, [1, 9, 72, 504, 3024]), "kuhn-poker": (9, [1, 3, 6, 12, 24, 12])}


def test_sim_adds_up_exactly(run: Run) -> None:
    data = json.loads(run("sim leduc-poker --games 50 --seed 7 --format json").stdout)
    conforms(data, "sim")
    assert data["games"] == data["games_asked"] == 50
    assert sum(each["games"] for each in data["outcomes"]) == 50
    for seat in data["seats"]:
        assert seat["wins"] + seat["draws"] + seat["losses"] == 50
    assert data["seats"][0]["mean_return"]["decimal"] == -data["seats"][1]["mean_return"]["decimal"]
    assert data["length"]["min"] <= data["length"]["mean"]["decimal"] <= data["length"]["max"]


@pytest.mark.parametrize("form", ["text", "json"])
def test_sim_is_the_same_for_any_number_of_processes(run: Run, form: str) -> None:
    command = f"sim goofspiel --option cards=3 --games 37 --seed 5 --format {form}"
    alone = run(command)
    assert alone.exit_code == 0
    assert run(f"{command} --jobs 3").stdout == alone.stdout


def test_sim_is_the_same_for_any_hash_seed(run: Run) -> None:
    told = set()
    for number in ("0", "1", "77"):
        done = subprocess.run(
            [sys.executable, "-m", "rulelang", "sim", "liars-dice", "--games", "5", "--seed", "3", "--format", "json"],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": number},
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        told.add(done.stdout)
    assert len(told) == 1


def test_sim_of_an_ir_file_and_with_options(run: Run) -> None:
    run("compile goofspiel -o g.json")
    options = "--option cards=3 --option order=descending --games 4 --seed 1 --format json"
    told = run(f"sim g.json {options}").stdout
    assert told == run(f"sim goofspiel {options}").stdout
    assert json.loads(told)["options"] == {"cards": 3, "order": "descending", "bids": "open"}


def test_a_seed_that_was_not_given_is_told(run: Run) -> None:
    result = run("sim tic-tac-toe --games 1")
    seed = result.stderr.removeprefix("seed: ").strip()
    assert f"seed {seed}" in result.stdout


def test_progress_only_when_watched_or_wanted(run: Run) -> None:
    assert run("sim tic-tac-toe --games 3 --seed 1").stderr == ""
    assert "perft" not in run("perft tic-tac-toe --depth 1").stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted_sim_tells_what_was_played(jobs: str) -> None:
    command = [sys.executable, "-m", "rulelang", "sim", "tic-tac-toe", "--games", "100000000", "--seed", "1"]
    process = subprocess.Popen(
        [*command, "--jobs", jobs, "--format", "json", "--progress"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None
    deadline = time.monotonic() + 60
    seen = b""
    while b"games" not in seen and time.monotonic() < deadline:
        seen += process.stderr.read1(100)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    data = json.loads(out)
    conforms(data, "sim")
    assert 0 < data["games"] < 100000000


def a_job() -> Job:
    program = load("pig").program
    return Job(dumps(program), "reference", {}, ("random", "random"), 7, Path())


def test_the_first_batches_are_small_so_that_there_is_soon_something_to_tell() -> None:
    parts = in_processes(a_job(), 10**6, 2)
    assert [next(parts).summary.games for _ in range(2)] == [1, 1]
    parts.close()


def test_whoever_interrupts_is_given_what_was_finished() -> None:
    """All of it in order, so that the sum is that of as many games."""
    parts = in_processes(a_job(), 10**6, 2)
    totals = Totals()
    totals.add(next(parts))
    time.sleep(0.5)
    totals.add(parts.throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        while True:
            totals.add(next(parts))
    again = Totals()
    for part in in_processes(a_job(), totals.summary.games, 1):
        again.add(part)
    assert totals.summary.games > 1
    assert again == totals


# ------------------------------------------------------------------ perft


@pytest.mark.parametrize("name", ORACLES)
def test_perft_counts(run: Run, name: str) -> None:
    depth, histories = ORACLES[name]
    data: dict[str, Any] = json.loads(run(f"perft {name} --depth {depth} --format json").stdout)
    conforms(data, "perft")
    assert data["histories_by_depth"] == histories


def test_perft_as_text_and_divided(run: Run) -> None:
    text = run("perft tic-tac-toe --depth 3 --divide").stdout
    assert "    3        504        504" in text
    assert "place(b2)  56" in text
    assert "divide" not in run("perft tic-tac-toe --depth 0").stdout


def test_perft_of_seats_and_options(run: Run) -> None:
    three = json.loads(run("perft kuhn-poker --seats 3 --depth 4 --format json").stdout)
    assert three["histories_by_depth"][:4] == [1, 4, 12, 24]
    small = json.loads(run("perft goofspiel --option cards=2 --depth 9 --format json").stdout)
    conforms(small, "perft")
    assert small["full_tree"] and Path().exists()


def test_perft_after_a_record_counts_what_can_follow_it(run: Run) -> None:
    run("play kuhn-poker --seats random,random,random --seed 7 --record game.record.jsonl")
    header, *events = Path("game.record.jsonl").read_text().splitlines(keepends=True)
    Path("dealt.record.jsonl").write_text("".join([header, *events[:3]]))
    for engine in ("reference", "native"):
        data = json.loads(
            run(f"perft kuhn-poker --depth 2 --after dealt.record.jsonl --engine {engine} --format json").stdout
        )
        conforms(data, "perft")
        assert data["histories_by_depth"] == [1, 2, 4]
        assert data["decision_nodes_by_depth"] == [1, 2, 4]
        assert data["information_sets"] == [1, 2, 4]
    ended = json.loads(run("perft kuhn-poker --depth 2 --after game.record.jsonl --format json").stdout)
    assert (ended["histories_by_depth"], ended["terminal_histories_by_depth"]) == ([1], [1])


def test_perft_after_a_record_takes_seats_and_options_from_it(run: Run) -> None:
    run("play kuhn-poker --seats random,random,random --seed 7 --record game.record.jsonl")
    refused = run("perft kuhn-poker --seats 3 --depth 2 --after game.record.jsonl")
    assert refused.exit_code == 2
    assert "'--after' takes the seats and the options from the record." in refused.stderr


def test_perft_after_the_record_of_another_game_or_none_says_so(run: Run) -> None:
    run("play kuhn-poker --seats random,random --seed 7 --record game.record.jsonl")
    assert "RL9021" in run("perft tic-tac-toe --depth 2 --after game.record.jsonl").stderr
    assert "RL1001" in run("perft kuhn-poker --depth 2 --after no.record.jsonl").stderr


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_sim_tells_promises_that_do_not_hold(run: Run, engine: str) -> None:
    Path("promise.rules").write_text(
        'game "A promise":\n  players: 1\n\nmarker chips: 0..9\nalways few: chips < 2\n\n'
        "move take: chips rises by 1\n\n"
        "overview:\n  seat(1) must take\n  seat(1) must take\n  end game, nobody wins\n"
    )
    done = run(f"sim promise.rules --games 3 --seed 1 --engine {engine}")
    assert done.exit_code == 1
    assert "the promise 'few' did not hold in 3 games; the first is game 0 of this seed" in done.stdout
    done = run(f"sim promise.rules --games 3 --seed 1 --engine {engine} --format json")
    conforms(json.loads(done.stdout), "sim")
    assert json.loads(done.stdout)["broken_promises"] == [{"name": "few", "games": 3, "first_game": 0}]
    assert run(f"sim promise.rules --games 3 --seed 1 --engine {engine} --no-promises").exit_code == 0
