"""``test``, and ``check`` and ``fmt`` of play files."""

import json
from pathlib import Path

import pytest
from command_line import Run, conforms

from rulelang.rulesets import all_rulesets

RULES = """rules go:
  game "Go":
    players: 2

  option far: yes, no = no
  marker steps: 0..3
  move step:
    require room: steps < 3 because "there is a wall"
    steps rises by 1

  overview:
    turns of p from seat(1): p must step

"""
PASSES = 'scenario "A step" of go:  @X-1\n  when:\n    P1: step\n  then:\n    steps is 1\n'
FAILS = 'scenario "Two steps" of go:\n  when:\n    P1: step\n  then:\n    steps is 2\n'
TIMED = 'scenario "A late step" of go:\n  when:\n    at 3.5 P1: step\n  then:\n    steps is 1\n'
BAD = 'scenario "No step" of go:\n  given:\n    steps is 9\n  then:\n    steps is 9\n'

CLASSICS = [name for name, path in all_rulesets() if any((path.parent / "plays").glob("**/*.play"))]


def write(*scenarios: str, name: str = "t.play") -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(RULES + "\n".join(scenarios), encoding="utf-8")


@pytest.mark.parametrize("name", CLASSICS)
def test_scenarios_of_rulesets_pass(run: Run, name: str) -> None:
    result = run(["test", name])
    assert result.exit_code == 0
    assert result.stdout.endswith(" passed\n")


def test_a_failure_shows_line_expected_found_and_events(run: Run) -> None:
    write(PASSES, FAILS, TIMED, BAD)
    result = run("test t.play")
    assert result.exit_code == 1
    assert result.stdout == (
        "FAILED  t.play:20  Two steps\n"
        "    t.play:24: steps is 2\n"
        "      expected: is 2\n"
        "      found:    1\n"
        "    what had happened:\n"
        "      P1: step\n"
        "skipped t.play:26  A late step\n"
        "    line 28: times are specified in section 11.3 but not built yet\n"
        "ERROR   t.play:32  No step\n"
        "    line 33: Nothing can lie like this in this game: 'steps' cannot be 9.\n"
        "1 passed, 1 failed, 1 in error, 1 skipped\n"
    )


def test_exit_codes(run: Run) -> None:
    write(PASSES, TIMED)
    assert run("test t.play").exit_code == 0
    assert run("test t.play --only step --verbose").stdout.startswith("ok      t.play:14  A step\n")
    assert run("test t.play --only nothing").stdout == "no scenarios\n"
    assert run("test t.play --engine quick").exit_code == 1
    assert run("test nowhere.play").exit_code == 1
    assert run("test nowhere").exit_code == 1
    assert run("test t.play --format yaml").exit_code == 2


def test_json(run: Run) -> None:
    write(PASSES, FAILS, TIMED, BAD)
    write(PASSES.replace("P1", "P9"), name="bad.play")
    result = run("test t.play bad.play --format json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    conforms(data, "test")
    assert [each["status"] for each in data["scenarios"]] == ["passed", "failed", "skipped", "error"]
    assert data["scenarios"][0]["clauses"] == ["X-1"]
    assert data["unread"] == ["bad.play"]
    assert [each["code"] for each in data["diagnostics"]] == ["RL3501"]
    assert data["diagnostics"][0]["place"]["line"] == 16


def test_folders_are_searched(run: Run) -> None:
    write(PASSES, name="games/a/plays/one.play")
    write(FAILS, name="games/b/two.play")
    assert run("test games").stdout.endswith("1 passed, 1 failed\n")
    assert run("test games/a games/b/two.play games").stdout.endswith("1 passed, 1 failed\n")


def test_plays_are_checked(run: Run) -> None:
    write(PASSES)
    assert run("check t.play").stdout == "ok  t.play\n"
    write(PASSES.replace("step\n", "stap\n"))
    result = run("check t.play")
    assert result.exit_code == 1
    assert "RL3005" in result.stdout and "did you mean 'step'?" in result.stdout


def test_plays_are_formatted(run: Run) -> None:
    write(PASSES.replace("P1: step", "P1:step   refused   room"))
    assert run("fmt --check t.play").exit_code == 1
    assert run("fmt t.play").stdout == "changed  t.play\n"
    assert "    P1: step  refused room\n" in Path("t.play").read_text(encoding="utf-8")
    assert run("fmt --check t.play").exit_code == 0
