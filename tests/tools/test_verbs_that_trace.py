"""``trace``: from clauses to rules and scenarios, proven by taking rules out."""

import json
from pathlib import Path

import pytest
from command_line import Run, conforms

RULES = """game "Steps":  @S-TITLE
  players: 2..3  @S-PLAYERS

option far: yes, no = no  @S-FAR
values Colour: red, blue  @S-WORDS
zone pouch for each player: bag of Colour, seen by owner, starts with each Colour  @S-BAG
marker steps: 0..9
marker stopped: yes or no

overview:
  turns of p from seat(1):
    p must step or stop
    if stopped: end game, nobody wins  @S-STOP
    if steps is limit: end game, p wins  @S-END

define limit = 4 if far otherwise 2  @S-LIMIT
define odd(n: number):  @S-CASES
  yes when n is 1
  no otherwise

move step:  @S-STEP
  require no_colour: odd(size of my pouch - 1) because "no colour is left"  @S-COLOUR
  require room: steps < 9 because "there is a wall"  @S-ROOM
  steps rises by 1  @S-RISE

move stop: stopped becomes yes  @S-STOPPED
"""
CLAUSES = """[[clause]]
id = "S-END"
kind = "end"
statement = "Whoever makes the last step wins."

[[clause]]
id = "S-RISE"
kind = "action"
statement = "A step is one step."

[[ruling]]
id = "not read here"
"""
PLAYS = """scenario "Two steps are the end" of steps:  @S-END
  when:
    P1: step  @S-RISE
    P2: step
  then:
    game over, P2 wins
"""
OTHERS = """
scenario "One may stop" of steps:  @S-STOP @S-STOPPED
  when:
    P1: stop
  then:
    game over, nobody wins

scenario "A long way" of steps:  @S-FAR @S-LIMIT @S-STEP @S-CASES @S-COLOUR
  given:
    option far = yes
  when:
    P1: step
    P2: step
  then:
    game goes on

scenario "Not alone" of steps:  @S-PLAYERS
  given:
    players: Ann, Ben, Cleo, Dan
    refused seats

scenario "Nobody sees into a bag" of steps:  @S-BAG
  then:
    P1 never sees P2's pouch
"""


def write(clauses: str = CLAUSES, plays: str = PLAYS, reasons: str = "", rulings: str = "") -> None:
    Path("steps/plays").mkdir(parents=True, exist_ok=True)
    Path("steps/steps.rules").write_text(RULES, encoding="utf-8")
    Path("steps/clauses.toml").write_text(clauses, encoding="utf-8")
    Path("steps/plays/steps.play").write_text(plays, encoding="utf-8")
    for name, text in (("trace.toml", reasons), ("rulings.toml", rulings)):
        if text:
            Path("steps", name).write_text(text, encoding="utf-8")


def clause(name: str, kind: str = "action") -> str:
    return f'[[clause]]\nid = "S-{name}"\nkind = "{kind}"\nstatement = "..."\n'


ALL = ("TITLE", "PLAYERS", "FAR", "WORDS", "BAG", "STOP", "END", "LIMIT", "CASES", "STEP", "COLOUR", "ROOM", "RISE")
WHOLE = "".join(clause(name) for name in (*ALL, "STOPPED"))
WHY = '[unproven]\nS-ROOM = "nobody goes so far"\nS-COLOUR = "bags are never empty here"\n'


def traced(run: Run, *flags: str) -> tuple[int, dict[str, dict[str, object]], dict[str, object]]:
    result = run(["trace", "steps", "--format", "json", *flags])
    data = json.loads(result.stdout)
    conforms(data, "trace")
    return result.exit_code, {each["id"]: each for each in data["clauses"]}, data


def test_what_is_cited_checked_and_missed_when_gone_is_traced(run: Run) -> None:
    write()
    code, clauses, data = traced(run)
    assert code == 1  # other clauses are cited that are in no list
    assert "S-FAR (steps/steps.rules:4)" in data["unknown"]  # type: ignore[operator]
    assert clauses["S-END"] == {
        "id": "S-END",
        "kind": "end",
        "status": "traced",
        "rules": ["steps/steps.rules:14"],
        "scenarios": ["Two steps are the end"],
        "tests": [],
        "proof": "line 14 turned round: 'Two steps are the end' fails",
        "reason": "",
    }
    assert clauses["S-RISE"]["proof"] == "line 24 passed over: 'Two steps are the end' fails"


def test_every_kind_of_rule_can_be_taken_out(run: Run) -> None:
    write(WHOLE, PLAYS.replace("@S-END", "@S-END @S-TITLE @S-WORDS @S-ROOM") + OTHERS, WHY)
    code, clauses, data = traced(run)
    assert {name: each["status"] for name, each in clauses.items()} == {f"S-{n}": "traced" for n in (*ALL, "STOPPED")}
    assert code == 0, data
    proofs = {name[2:]: str(each["proof"]) for name, each in clauses.items()}
    assert "one player more: 'Not alone' fails" in proofs["PLAYERS"]
    assert "without effect: 'A long way' fails" in proofs["FAR"]
    assert "seen by everyone: 'Nobody sees into a bag' fails" in proofs["BAG"]
    assert "turned round" in proofs["STOP"]
    assert proofs["TITLE"] == proofs["WORDS"] == "only names: without them nothing compiles"
    assert clauses["S-ROOM"]["reason"] == "nobody goes so far"


def test_what_ends_the_game_at_any_time_is_traced(run: Run) -> None:
    """Also the effect that makes it true: it stands there twice, and is taken out in both places."""
    write()
    ends = "    if steps is limit: end game, p wins  @S-END\n"
    whenever = "\nwhenever steps is limit: end game, seat(2) wins  @S-END\n"
    Path("steps/steps.rules").write_text(RULES.replace(ends, "") + whenever, encoding="utf-8")
    _, clauses, _ = traced(run)
    assert clauses["S-END"]["rules"] == ["steps/steps.rules:27"]
    assert clauses["S-END"]["proof"] == "line 27 answered otherwise: 'Two steps are the end' fails"
    assert clauses["S-RISE"]["proof"] == "line 23 passed over: 'Two steps are the end' fails"


def test_gathered_requirements_are_traced(run: Run) -> None:
    """Their line, the condition and whoever requires it; a line is taken out of all moves at once."""
    lines = RULES[RULES.index("  require no_colour") : RULES.index("  steps rises by 1")]
    rules = RULES.replace(lines, "  require possible  @S-COLOUR\n")
    rules += f"\ncondition possible:  @S-STEP\n{lines.replace('  @S-COLOUR', '')}"
    rules += "\nmove jump:\n  require possible\n  steps becomes 9\n"
    play = """scenario "There is a wall" of steps:  @S-STEP @S-ROOM @S-COLOUR
  given:
    steps is 9
  when:
    P1: step  refused room
  then:
    steps is 9
"""
    write("".join(clause(name) for name in ("STEP", "ROOM", "COLOUR")), play)
    Path("steps/steps.rules").write_text(rules.replace("move step:  @S-STEP", "move step:"), encoding="utf-8")
    _, clauses, _ = traced(run)
    proofs = {name[2:]: str(each["proof"]) for name, each in clauses.items()}
    assert "dropped: 'There is a wall' fails" in proofs["ROOM"]
    assert "dropped: 'There is a wall' fails" in proofs["COLOUR"]
    assert "dropped: 'There is a wall' fails" in proofs["STEP"]


def test_a_scenario_that_notices_nothing_proves_nothing(run: Run) -> None:
    write(clause("ROOM"), PLAYS.replace("@S-END", "@S-ROOM"))
    _, clauses, _ = traced(run)
    assert clauses["S-ROOM"]["status"] == "unproven"
    assert clauses["S-ROOM"]["reason"] == "no scenario notices when line 23 is taken out"
    assert traced(run, "--no-mutation")[1]["S-ROOM"]["status"] == "traced"


def test_what_is_missing_is_said(run: Run) -> None:
    write(CLAUSES + clause("NOWHERE") + clause("ROOM"), PLAYS + FAILING)
    _, clauses, _ = traced(run, "--no-mutation")
    assert clauses["S-NOWHERE"]["status"] == "untraced"
    assert clauses["S-ROOM"]["status"] == "unchecked"
    assert clauses["S-RISE"]["status"] == "failing"
    told = run("trace steps --no-mutation").stdout
    assert "S-NOWHERE: untraced: the rules do not name it\n" in told
    assert "S-ROOM: unchecked: no scenario names it\n" in told
    assert "S-RISE: failing: 'It steps twice' does not pass\n" in told
    assert "S-END" not in told
    assert "steps/plays/steps.play:1  Two steps are the end" in run("trace steps --no-mutation -v").stdout


FAILING = '\nscenario "It steps twice" of steps:  @S-RISE\n  when:\n    P1: step\n  then:\n    steps is 2\n'


def test_reasons_rulings_and_derived_entries(run: Run) -> None:
    extra = clause("SAY", "social") + clause("AGAIN") + '[[derived]]\nid = "S-INV"\nstatement = "..."\n'
    reasons = (
        '[kinds]\nsocial = "people talk"\n[not_executable]\nS-R-1 = "a matter of print"\n'
        '[same_as]\nS-AGAIN = "S-END"\n[tests]\nS-INV = ["tests/test_steps.py::test_steps"]\n'
    )
    write(CLAUSES + extra, PLAYS, reasons, '[[ruling]]\nid = "S-R-1"\nquestion = "?"\n')
    _, clauses, data = traced(run, "--no-mutation")
    assert clauses["S-INV"]["reason"] == "there is no test tests/test_steps.py::test_steps"
    Path("tests").mkdir()
    Path("tests/test_steps.py").write_text("def test_steps():\n    pass\n", encoding="utf-8")
    _, clauses, data = traced(run, "--no-mutation")
    assert {name: each["status"] for name, each in clauses.items() if name not in ("S-END", "S-RISE")} == {
        "S-SAY": "not_executable",
        "S-AGAIN": "same",
        "S-INV": "traced",
        "S-R-1": "not_executable",
    }
    assert clauses["S-AGAIN"]["reason"] == "same as S-END"
    assert (clauses["S-INV"]["kind"], clauses["S-R-1"]["kind"]) == ("derived", "ruling")
    assert data["stale"] == []


def test_reasons_that_are_no_longer_true(run: Run) -> None:
    reasons = (
        '[kinds]\nsocial = "x"\n[not_executable]\nS-END = "x"\n[unproven]\nS-RISE = "x"\n[same_as]\nS-Q = "S-NO"\n'
    )
    write(reasons=reasons)
    code, _, data = traced(run)
    assert code == 1
    assert data["stale"] == [
        "not_executable.S-END: line 14 carries it out",
        "unproven.S-RISE: line 24 passed over: 'Two steps are the end' fails",
        "kinds.social: no clause of this kind needs it",
    ]
    assert {"S-Q (trace.toml, same_as)", "S-NO (trace.toml, same_as)"} <= set(data["unknown"])  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("clauses.toml", "[[clause", "RL7014"),
        ("clauses.toml", "clause = 3", "RL3512"),
        ("clauses.toml", "[[clause]]\nkind = 'x'", "has no id"),
        ("clauses.toml", "[[clause]]\nid = 'x'\nkind = 3", "must be texts"),
        ("clauses.toml", "[[clause]]\nid = 'x'\n[[derived]]\nid = 'x'", "there twice"),
        ("trace.toml", "[reasons]", "no section 'reasons'"),
        ("trace.toml", "kinds = 3", "a text for each name"),
        ("trace.toml", "tests = 3", "a list of tests"),
        ("trace.toml", "[tests]\nx = ['test_y']", "is written"),
    ],
)
def test_lists_that_cannot_be_read(run: Run, name: str, text: str, said: str) -> None:
    write()
    Path("steps", name).write_text(text, encoding="utf-8")
    result = run("trace steps")
    assert result.exit_code == 1
    assert said in result.stderr


def test_without_a_list_nothing_can_be_traced(run: Run) -> None:
    assert "RL1001" in run("trace pig").stderr
    assert run("trace nowhere").exit_code == 1
    Path("game.json").write_text("{}", encoding="utf-8")
    assert run("trace game.json").exit_code == 2
