"""``mutate`` and ``diff``: what they print, what they keep, how they end."""

import json
import os
from pathlib import Path

import pytest
from command_line import Run, conforms

from rulelang.rulebook.mutating.survey import Survey
from rulelang.tools.writing import not_written

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
    assert (same["verdict"], same["by"]) == ("equivalent", "the same program in all 8 configurations")
    assert same["configurations"] == {"looked_at": 8, "all": 8} and rise["configurations"] is None
    begins = found["last: 0 became 1"]
    assert begins["verdict"] == "not_noticed"
    seen = found["pouch: everybody sees what lies there"]
    assert seen["verdict"] == "not_noticed" and seen["difference"]["subject"] == "view"  # type: ignore[index]


def test_nothing_is_said_to_change_nothing_by_some_values_of_an_option(run: Run) -> None:
    """Of many values, one makes a difference: it is found, and where too much would be to see, that is said."""
    text = RULES.replace("2..9 = 3", "2..200 = 3") + "define far = 4 if goal is 177 otherwise 3\n"
    text = text.replace("steps >= goal", "steps >= far")
    Path("steps/steps.rules").write_text(text, encoding="utf-8")
    _, found, _ = mutated(run)
    seven = found["define far: 177 became 176 beside 'option goal'"]
    assert (seven["verdict"], seven["difference"]["options"]) == ("not_noticed", {"goal": 176})  # type: ignore[index]
    same = found["overview: next(p) became previous(p)"]
    assert (same["verdict"], same["by"]) == ("equivalent", "the same program in all 199 configurations")
    more = "option one: 1..1000 = 1\noption two: 1..1000 = 1\n\noverview:"
    text = text.replace("\noverview:", more).replace("goal is 177", "goal is 177 and one + two is 999")
    Path("steps/steps.rules").write_text(text, encoding="utf-8")
    _, found, data = mutated(run, "--only", "define far")
    seven = found["define far: 177 became 176 beside 'option goal'"]
    looked = seven["configurations"]["looked_at"]  # type: ignore[index]
    assert seven["verdict"] == "not_noticed" and seven["difference"] is None and 9 < looked < 199
    assert seven["configurations"]["all"] == 199_000_000 and data["equivalent"] == 0  # type: ignore[index]
    told = run("mutate steps --only far").stdout
    assert f"    not noticed: the same in the {looked} of 199000000 configurations that were looked at\n" in told


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


def test_nothing_that_was_kept_is_written_over(run: Run) -> None:
    run("mutate steps --save kept --only room")
    first = sorted(Path("kept").iterdir())
    play = next(file for file in first if file.suffix == ".play")
    play.write_text("# my own words\n", encoding="utf-8")
    told = run("mutate steps --save kept --only room").stdout
    again = play.with_name(f"{play.stem}-2.play")
    assert play.read_text(encoding="utf-8") == "# my own words\n"
    assert f"kept in {play.with_name(play.stem)}-2.record.jsonl and {again}\n" in told
    assert len(list(Path("kept").iterdir())) == 2 * len(first)
    third = json.loads(run("mutate steps --save kept --only room --format json").stdout)["verdicts"]
    assert f"{play.with_name(play.stem)}-3.play" in {each["saved"] for each in third}


def test_what_cannot_be_kept_is_told_all_the_same(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run("mutate steps --only room").stdout
    for form in ("text", "json"):
        with monkeypatch.context() as patch:
            patch.setattr("rulelang.tools.writing.write_whole", full)
            result = run(["mutate", "steps", "--only", "room", "--save", "kept", "--format", form])
        assert result.exit_code == 1
        assert result.stdout == plain if form == "text" else json.loads(result.stdout)["not_noticed"] > 0
        assert "RL1014" in result.stderr and "'kept/change-" in result.stderr
        assert list(Path("kept").iterdir()) == []


def full(path: Path, text: str) -> None:
    raise not_written(path, OSError(28, "No space left on device"))


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
    assert "+ marker more added  (new.rules:20)\n    + 20: marker more: 0..1\n" in told


def test_files_of_differences_have_rights_like_others_and_new_numbers(run: Run) -> None:
    mask = os.umask(0o027)
    try:
        run("diff steps --option goal=5 --moves 100 --save kept")
        result = run("diff steps --option goal=5 --moves 100 --save kept")
    finally:
        os.umask(mask)
    files = sorted(Path("kept").iterdir())
    assert {file.stat().st_mode & 0o777 for file in files} == {0o640}
    kinds = len(files) // 4
    assert [file.name.partition("-")[0] for file in files if file.suffix == ".play"] == [
        str(number) for number in range(1, 2 * kinds + 1)
    ]
    assert "kept in kept/2-result.record.jsonl and kept/2-result.play\n" in result.stdout or kinds > 1


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


VERBS = ["mutate steps", "diff steps --option goal=4", "verify steps --states 9"]


@pytest.mark.parametrize("verb", VERBS)
def test_a_folder_has_a_name(run: Run, verb: str) -> None:
    for name in ("", " "):
        result = run([*verb.split(), "--save", name])
        assert (result.exit_code, result.stdout) == (2, "") and f"{name!r} is no folder" in result.stderr


@pytest.mark.parametrize("verb", ["mutate", "verify", "diff --moves 1 --option a=b"])
def test_a_folder_is_no_ruleset(run: Run, verb: str) -> None:
    result = run(f"{verb} steps/plays")
    assert result.exit_code == 1 and "RL1002" in result.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_whether_a_folder_can_be_written_to_is_tried_before_the_work(
    run: Run, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("rulelang.tools.writing.tempfile.mkstemp", refused)
    result = run(f"{verb} --save steps/kept")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "RL1014" in result.stderr and "'steps/kept' cannot be written: permission denied" in result.stderr


@pytest.mark.parametrize("verb", VERBS)
def test_a_folder_that_cannot_be_made_is_no_bug(run: Run, verb: str) -> None:
    result = run(f"{verb} --save steps/steps.rules/inside")
    assert result.exit_code == 1 and "inside" in result.stderr and "bug in rulelang" not in result.stderr
