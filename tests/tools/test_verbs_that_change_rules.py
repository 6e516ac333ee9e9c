"""``mutate`` and ``diff``: what they print, what they keep, how they end."""

import json
from pathlib import Path

import pytest
from command_line import Run, conforms

from rulelang.rulebook.mutating.survey import Survey

RULES = """game "Steps":
  players: 2

option goal: 2..9 = 3
marker steps: 0..9
marker last: player
zone pouch for each player: bag of Colour, seen by owner, starts with each Colour
values Colour: red, blue

overview:
  turns of p from seat(1):
    p must step
    if steps >= goal: end game, winner wins

move step(amount in 1..2):
  require room: steps + amount <= 9 because "there is a wall"
  steps rises by amount
  last becomes me

define winner = last
"""
PLAYS = """scenario "Three steps are the end" of steps:
  when:
    P1: step(1)
    P2: step(2)
  then:
    game over, P2 wins
"""


@pytest.fixture(autouse=True)
def steps(own_folder: Path) -> None:
    Path("steps/plays").mkdir(parents=True)
    Path("steps/steps.rules").write_text(RULES, encoding="utf-8")
    Path("steps/plays/steps.play").write_text(PLAYS, encoding="utf-8")


def mutated(run: Run, *flags: str) -> tuple[int, dict[str, dict[str, object]], dict[str, object]]:
    result = run(["mutate", "steps", "--format", "json", *flags])
    data = json.loads(result.stdout)
    conforms(data, "mutate")
    return result.exit_code, {f"{each['inside']}: {each['said']}": each for each in data["verdicts"]}, data


def test_what_nobody_notices_is_told_with_a_game_that_shows_it(run: Run) -> None:
    result = run("mutate steps")
    assert result.exit_code == 1
    assert "steps/steps.rules:16  move step, room: requirement left out\n" in result.stdout
    lines = result.stdout.split("\n")
    place = lines.index("steps/steps.rules:12  overview: 'must' became 'may' before 'step'")
    assert lines[place + 1 : place + 7] == [
        "    not noticed: others must act, or may pass",
        f"    {lines[place + 2].strip()}",
        "      given:",
        "        players: Ann, Ben",
        "      when:",
        "        Ann: pass  refused not_offered",
    ]
    assert "shown to change nothing" in lines[-2]


def test_verdicts(run: Run) -> None:
    code, found, data = mutated(run, "-v")
    assert code == 1 and data["changes"] == data["judged"] == len(found)
    rise = found["move step: 'steps becomes (steps + amount)' left out"]
    assert (rise["verdict"], rise["by"], rise["line"]) == ("noticed", "Three steps are the end", 17)
    same = found["overview: next(p) became previous(p)"]
    assert (same["verdict"], same["by"]) == ("equivalent", "the same program in 10 configurations")
    begins = found["last: 0 became 1"]
    assert begins["verdict"] == "not_noticed"
    seen = found["pouch: everybody sees what lies there"]
    assert seen["verdict"] == "not_noticed" and seen["difference"]["subject"] == "view"  # type: ignore[index]


def test_it_is_the_same_each_time_and_draws_by_the_seed(run: Run) -> None:
    first, second = mutated(run, "--count", "5", "--seed", "3"), mutated(run, "--count", "5", "--seed", "3")
    assert first == second and first[2]["asked"] == 5
    assert list(mutated(run, "--count", "5", "--seed", "4")[1]) != list(first[1])
    assert all("move step" in name for name in mutated(run, "--only", "move step")[1])


def test_what_is_kept_holds_on_the_rules_as_they_are(run: Run) -> None:
    run("mutate steps --save kept")
    files = sorted(Path("kept").glob("*.play"))
    assert files and sorted(Path("kept").glob("*.record.jsonl"))
    for file in files:
        Path("steps/plays", file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    result = run("test steps")
    assert result.exit_code == 0, result.stdout
    assert all(each["difference"] is None for each in mutated(run)[1].values())
    record = next(iter(sorted(Path("kept").glob("*.record.jsonl"))))
    assert json.loads(record.read_text(encoding="utf-8").split("\n")[0])["ruleset"] == "steps"


def test_a_promise_notices(run: Run) -> None:
    text = RULES + "\nalways within: steps <= goal + 1\n"
    Path("steps/steps.rules").write_text(text, encoding="utf-8")
    Path("steps/plays/steps.play").write_text(PLAYS.split("  then:")[0] + "  then:\n    steps is 3\n", encoding="utf-8")
    _, found, _ = mutated(run)
    assert "always within" in {each["by"] for each in found.values()}


def test_scenarios_that_do_not_pass_say_nothing(run: Run) -> None:
    Path("steps/plays/steps.play").write_text(PLAYS + PLAYS.replace("Three", "Two").replace("P2 wins", "P1 wins"))
    result = run("mutate steps --least 0")
    assert result.exit_code == 1
    assert result.stdout.startswith("does not pass as it is, and is left out: 'Two steps are the end'\n")


def test_interrupted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Survey.judge

    def weary(self: Survey, change: object) -> object:
        if change.number == 3:  # type: ignore[attr-defined]
            raise KeyboardInterrupt
        return judge(self, change)  # type: ignore[arg-type]

    monkeypatch.setattr(Survey, "judge", weary)
    result = run("mutate steps")
    assert result.exit_code == 130
    assert "(3 of them judged)" in result.stdout


def test_without_scenarios_there_is_nothing_to_ask(run: Run) -> None:
    Path("steps/plays/steps.play").unlink()
    result = run("mutate steps")
    assert result.exit_code == 2 and "nothing could notice" in result.stderr
    Path("game.json").write_text("{}", encoding="utf-8")
    assert run("mutate game.json").exit_code == 2


# ------------------------------------------------------------------ diff


def compared(run: Run, words: str) -> tuple[int, dict[str, dict[str, str]], dict[str, object]]:
    result = run(f"diff {words} --format json")
    data = json.loads(result.stdout)
    conforms(data, "diff")
    return result.exit_code, {f"{each['subject']} {each['name']}": each for each in data["differences"]}, data


def other(*changes: tuple[str, str]) -> None:
    text = RULES
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    Path("new.rules").write_text(text, encoding="utf-8")


def test_the_same_rules_do_not_differ(run: Run) -> None:
    other(('game "Steps"', '# only a remark\ngame "Steps"'))
    code, found, data = compared(run, "steps new.rules --moves 60")
    assert (code, found, data["texts"]) == (0, {}, [])
    assert data["positions"] == data["laid_out"] == 60


def test_every_kind_of_difference_is_told(run: Run) -> None:
    other(
        ("1..2)", "1..3)"),
        ("steps >= goal", "steps > goal"),
        ("last becomes me", "last becomes next(me)"),
        ("from seat(1)", "from seat(2)"),
        ("winner = last", "winner = next(last)"),
        ("amount <= 9 because", "amount <= 1 because"),
    )
    code, found, data = compared(run, "steps new.rules --moves 60")
    assert code == 1
    texts = {f"{each['how']} {each['sort']} {each['name']}" for each in data["texts"]}  # type: ignore[attr-defined]
    assert texts == {
        "changed define winner",
        "changed move step",
        "changed requirement step.room",
        "changed rule overview",
    }
    assert {"start", "moves step", "reasons room", "table last", "score winner"} <= {name.strip() for name in found}
    assert (found["start "]["old"], found["start "]["new"]) == ("seat 1 must step", "seat 2 must step")


def test_lines_are_those_of_the_rules(run: Run) -> None:
    other(("steps >= goal", "steps > goal"), ("\ndefine winner", "\nmarker more: 0..1\n\ndefine winner"))
    told = run("diff steps new.rules --moves 0").stdout
    assert "~ rule overview changed  (new.rules:10)\n" in told
    assert "    - 13: if steps >= goal: end game, winner wins\n" in told
    assert "    + 13: if steps > goal: end game, winner wins\n" in told
    assert "+ slot more added  (new.rules:20)\n    + 20: marker more: 0..1\n" in told


def test_options_are_two_versions(run: Run) -> None:
    result = run("diff steps --option goal=5 --moves 100 --save kept")
    assert result.exit_code == 1
    assert "result: ends with another result" in result.stdout
    kept = next(iter(Path("kept").glob("*result*.play")))
    Path("steps/plays/steps.play").write_text(kept.read_text(encoding="utf-8"), encoding="utf-8")
    passed = run("test steps")
    assert passed.exit_code == 0, passed.stdout
    assert run("diff steps").exit_code == 2


def test_what_one_of_both_refuses(run: Run) -> None:
    other(("players: 2", "players: 2..3"))
    code, found, data = compared(run, "steps new.rules --seats 3 --moves 20")
    assert code == 1
    assert [each["name"] for each in data["texts"]] == ["players"]  # type: ignore[attr-defined]
    assert found["setup 3 seats"]["new"] == "can be played"


def test_the_record_is_the_shortest_that_was_found(run: Run) -> None:
    other(("steps >= goal", "steps >= goal + 1"))
    _, found, _ = compared(run, "steps new.rules --moves 200")
    assert len(found["result "]["record"]) == 3  # the header, and two steps


def test_only_is_looked_at_before_changes_are_drawn(run: Run) -> None:
    _, found, data = mutated(run, "--only", "move step", "--count", "2", "--seed", "3")
    assert len(found) == data["judged"] == 2 and all("move step" in name for name in found)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("mutate steps --only nothing_like_this", "Nothing whose name holds 'nothing_like_this' can be changed"),
        ("mutate steps --least nan", "'nan' is not a number"),
        ("mutate steps --save steps/steps.rules", "is a file"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, words: str, said: str) -> None:
    result = run(words)
    assert result.exit_code == 2 and said in result.stderr


@pytest.mark.parametrize("verb", ["mutate steps", "diff steps --option goal=4", "verify steps --states 9"])
def test_a_folder_that_cannot_be_made_is_no_bug(run: Run, verb: str) -> None:
    result = run(f"{verb} --save steps/steps.rules/inside")
    assert result.exit_code == 1 and "inside" in result.stderr and "bug in rulelang" not in result.stderr
