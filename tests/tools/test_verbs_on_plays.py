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
BAD = 'scenario "No step" of go:\n  given:\n    steps is 4 + 5\n  then:\n    steps is 9\n'

CLASSICS = [name for name, path in all_rulesets() if any((path.parent / "plays").glob("**/*.play"))]


def write(*scenarios: str, name: str = "t.play") -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(RULES + "\n".join(scenarios), encoding="utf-8")


FEW = {
    "13-animals": "Rainbow",
    "monster-bande": "memory",
    "taiwan-monsters-brawl": "Combination",
}
"""Of rulesets with hundreds of scenarios those with this in their title; pytest runs them all besides, as items."""


@pytest.mark.parametrize("name", CLASSICS)
def test_scenarios_of_rulesets_pass(run: Run, name: str) -> None:
    result = run(["test", name, *(["--only", FEW[name]] if name in FEW else [])])
    assert result.exit_code == 0
    assert result.stdout.endswith(" passed\n")


def test_a_failure_shows_line_expected_found_and_events(run: Run) -> None:
    write(PASSES, FAILS, BAD)
    result = run("test t.play")
    assert result.exit_code == 1
    assert result.stdout == (
        "FAILED  t.play:20  Two steps\n"
        "    t.play:24: steps is 2\n"
        "      expected: is 2\n"
        "      found:    1\n"
        "    what had happened:\n"
        "      P1: step\n"
        "ERROR   t.play:26  No step\n"
        "    line 27: Nothing can lie like this in this game: 'steps' cannot be 9.\n"
        "1 passed, 1 failed, 1 in error\n"
    )


def test_exit_codes(run: Run) -> None:
    write(PASSES)
    assert run("test t.play").exit_code == 0
    write(PASSES, TIMED)
    assert run("test t.play").exit_code == 1
    write(PASSES)
    assert run("test t.play --only step --verbose").stdout.startswith("ok      t.play:14  A step\n")
    assert run("test t.play --only nothing").stdout == "no scenarios\n"
    assert run("test t.play --engine quick").exit_code == 1
    assert run("test nowhere.play").exit_code == 1
    assert run("test nowhere").exit_code == 1
    assert run("test t.play --format yaml").exit_code == 2


def test_json(run: Run) -> None:
    write(PASSES, FAILS, BAD)
    write(PASSES.replace("P1", "P9"), name="bad.play")
    result = run("test t.play bad.play --format json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    conforms(data, "test")
    assert [each["status"] for each in data["scenarios"]] == ["passed", "failed", "error"]
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


# ------------------------------------------------------------------ coverage

COVERED = """game "Covered":
  players: 2

option far: yes, no = no
option guard: off, 1..5 = off
option mode: short, long, endless = short
marker steps: 0..9
marker drawn: 1..6

overview:
  turns of p from seat(1):
    if far: steps rises by 1
    p must step or stop
    if steps > 2 and mode is short: end game, p wins
    each n in 1..2 where n is guard: steps rises by 1

move step(maybe big):
  require room: steps < 3 because "there is a wall"
  require may_be_big: not big or far because "no big steps"
  steps rises by 1
  roll drawn
  if big: steps rises by 1

move stop: end game, nobody wins
"""
SHORT = """scenario "Three steps" of covered:
  when:
    P1: step
    P2: step
    P1: step(yes)  refused may_be_big
    P1: step
  then:
    game over, P1 wins
"""
LONG = """
scenario "A wall" of covered:
  given:
    option far = yes
    option guard = 2
    option mode = long
  when:
    P1: step(yes)
    P2: step  refused room
    P2: stop
  then:
    game over, nobody wins

scenario "Elsewhere" of covered:
  given:
    option mode = endless
    steps is 3
  then:
    game goes on
"""


def covered(run: Run, plays: str, gaps: str = "") -> tuple[int, dict[str, object]]:
    Path("covered/plays").mkdir(parents=True, exist_ok=True)
    Path("covered/covered.rules").write_text(COVERED, encoding="utf-8")
    Path("covered/plays/covered.play").write_text(plays, encoding="utf-8")
    if gaps:
        Path("covered/coverage.toml").write_text(gaps, encoding="utf-8")
    result = run("test ./covered --cov --format json")
    data = json.loads(result.stdout)
    conforms(data, "test")
    (found,) = data["coverage"]
    return result.exit_code, found


def test_what_no_scenario_used_is_listed_with_its_line(run: Run) -> None:
    code, found = covered(run, SHORT)
    assert code == 1
    gaps = {gap["id"]: gap["line"] for gap in found["gaps"]}  # type: ignore[attr-defined]
    assert gaps == {
        "option far = yes": 4,
        "option guard = a number": 5,
        "option mode = long": 6,
        "option mode = endless": 6,
        "requirement step.room fails": 18,
        "branch overview 1 holds": 12,
        "effect overview 1": 12,
        "branch overview 3 holds": 15,
        "effect overview 2": 15,
        "branch step 1 holds": 22,
        "effect step 3": 22,
        "move stop": 24,
        "end stop 1": 24,
    }


def test_everything_can_be_used(run: Run) -> None:
    code, found = covered(run, SHORT + LONG)
    assert (code, found["gaps"]) == (0, [])
    assert found["used"] == found["parts"]
    assert run("test ./covered --cov").stdout.splitlines()[-1] == "covered: 30 of 30 parts used"


AT_ANY_TIME = """game "At any time":
  players: 2

marker steps: 0..9
marker strikes: 0..9

whenever steps >= 3:
  if strikes > 0: end game, nobody wins
  end game, seat(1) wins
whenever steps + strikes > 9: end game, aborted

move step: steps rises by 1
move slip:
  strikes rises by 1
  if strikes > 2: steps becomes 0

overview:
  turns of p from seat(1): p must step or slip
"""
STEPS = """scenario "Three steps" of covered:
  when:
    P1: step
    P2: step
    P1: step
  then:
    game over, P1 wins
"""
SLIPS = """
scenario "Slips" of covered:
  given:
    strikes is 1
    steps is 5
  when:
    P1: slip
    P2: slip
    P1: step
    P2: step
    P1: step
  then:
    game over, nobody wins

scenario "Both" of covered:
  given:
    steps is 4 + 5
  when:
    P1: slip
  then:
    game over, aborted
"""


def test_what_ends_the_game_at_any_time_is_one_part_wherever_it_is_asked(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "COVERED", AT_ANY_TIME)
    gaps = [gap["id"] for gap in covered(run, STEPS)[1]["gaps"]]  # type: ignore[attr-defined]
    assert gaps == [
        "move slip",
        "effect slip 1",
        "branch slip 1 holds",
        "branch slip 1 fails",
        "effect slip 2",
        "branch whenever 1 1 holds",
        "end whenever 1 1",
        "whenever 2 holds",
        "end whenever 2 1",
    ]
    assert covered(run, STEPS + SLIPS)[1]["gaps"] == []


def test_gaps_with_a_reason_are_allowed_and_old_reasons_are_not(run: Run) -> None:
    names = [gap["id"] for gap in covered(run, SHORT)[1]["gaps"]]  # type: ignore[attr-defined]
    reasons = "[gaps]\n" + "".join(f'"{name}" = "nobody does"\n' for name in names)
    code, found = covered(run, SHORT, reasons)
    assert code == 0
    assert {gap["reason"] for gap in found["gaps"]} == {"nobody does"}  # type: ignore[attr-defined]
    assert "parts used, 13 gaps with a reason" in run("test ./covered --cov").stdout
    code, found = covered(run, SHORT, reasons + '"move step" = "it is used"\n')
    assert (code, found["stale"]) == (1, ["move step"])
    assert "no gap any more: move step" in run("test ./covered --cov").stdout


@pytest.mark.parametrize("text", ["[gaps", "gaps = 3", "[gaps]\nx = 3", "[holes]\nx = 'y'"])
def test_reasons_for_gaps_that_cannot_be_read(run: Run, text: str) -> None:
    covered(run, SHORT)
    Path("covered/coverage.toml").write_text(text, encoding="utf-8")
    result = run("test ./covered --cov")
    assert result.exit_code == 1
    assert "RL7014" in result.stderr or "RL3512" in result.stderr


def test_rules_inside_a_play_file_are_not_measured(run: Run) -> None:
    write(PASSES)
    assert run("test t.play --cov").stdout == "1 passed\n"
    data = json.loads(run("test t.play --cov --format json").stdout)
    assert data["coverage"] == []


def test_an_interpreter_that_cannot_be_watched_is_told_in_one_sentence(run: Run) -> None:
    result = run("test tic-tac-toe --cov --engine native")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "'--cov' needs an interpreter that can be watched, such as reference; native cannot.\n"
