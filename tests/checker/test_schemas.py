"""The schemas of data files and options say what the checker says. Spec 6.4 and 14.1."""

import copy
import itertools
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulelang import pipeline
from rulelang.checker import data_schema
from rulelang.checker.checked import Checked
from rulelang.checker.data_schema import schema_for, validator
from rulelang.checker.option_schema import check_options, options_schema
from rulelang.diagnostics.reading import read_source
from rulelang.failures import Diagnosed, Refused
from rulelang.ir.codec import dumps, loads

GAME = Path(__file__).resolve().parent.parent / "data_games" / "shell-race" / "shell-race.rules"
RULES = GAME.read_text(encoding="utf-8")
DOCUMENT = tomllib.loads((GAME.parent / "components.toml").read_text(encoding="utf-8"))


def checked() -> Checked:
    """The example game, checked."""
    result, findings = pipeline.check_source(read_source(GAME), GAME.parent)
    assert not findings
    return result


def data_schema_of(game: Checked) -> dict[str, Any]:
    """The schema of its data file."""
    return schema_for(game.rules, game.declared)


def toml(value: object) -> str:
    """A value in TOML, tables between braces."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return '"' + "".join(c if c.isprintable() and c not in '"\\' else f"\\u{ord(c):04X}" for c in value) + '"'
        case list():
            return "[" + ", ".join(toml(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{toml(key)} = {toml(item)}" for key, item in value.items()) + "}"
        case _:
            return str(value)


def accepted_by_checker(document: dict[str, Any], tmp_path: Path) -> bool:
    """Whether the rules compile with this document as their data file."""
    (tmp_path / "game.rules").write_text(RULES, encoding="utf-8")
    text = "".join(f"{toml(key)} = {toml(value)}\n" for key, value in document.items())
    (tmp_path / "components.toml").write_text(text, encoding="utf-8")
    try:
        pipeline.compile_file(tmp_path / "game.rules")
    except Diagnosed as wrong:
        assert all(d.code.number.startswith("RL7") for d in wrong.diagnostics), str(wrong)
        assert all(d.place is not None for d in wrong.diagnostics)
        return False
    return True


VALUES: list[object] = [
    0, 1, 3, 5, 6, -1, 2**70, 1.0, 2.5, True, False, "", "none", "nobody", "yes", "pink", "Pink", "cockle",
    "queen-scallop", "queen_scallop", "queen scallop", "cockle\n", [], ["pink"], ["pink", "pink"], [3], ["none"],
    [["pink"]], {}, {"value": 3},
    {"value": "pink", "provenance": "printed", "clause": "SR-2"},
    {"value": 3, "provenance": "assumed", "reason": "so"},
    {"value": 3, "provenance": "public", "source": "the shop"},
    {"value": 3, "provenance": "published", "source": 4},
    {"value": 3, "provenance": "published", "clause": "SR-2"},
    {"value": 3, "provenance": "guessed", "reason": "so"},
    {"value": 3, "provenance": "assumed", "reason": "\t "},
    {"value": {"value": 3}, "provenance": "assumed", "reason": "so"},
    {"provenance": "assumed", "reason": "so"},
    "printed:SR-2", "printed :\n SR-2", "found: there", "assumed:", "guessed: so",
]  # fmt: skip

CELLS = [("shell", 0, key) for key in (*DOCUMENT["shell"][0], "points_provenance")]
CELLS += [("prize", "pearl", key) for key in ("shells", "worth", "id")]


@pytest.mark.parametrize("path", CELLS, ids=lambda path: ".".join(map(str, path)))
def test_schema_and_checker_accept_and_refuse_the_same_cells(path: tuple[str, Any, str], tmp_path: Path) -> None:
    schema = validator(data_schema_of(checked()))
    answers = set()
    for value in VALUES:
        document = copy.deepcopy(DOCUMENT)
        document[path[0]][path[1]][path[2]] = value
        # other rows need the row that is renamed
        renamed = path == ("shell", 0, "id")
        if renamed:
            document["shell"][1]["partner"] = "none"
        ours = accepted_by_checker(document, tmp_path)
        if renamed and isinstance(value, str) and value.replace("-", "_") in ("queen_scallop", "blue_mussel"):
            assert not ours  # that no row is given twice, a schema cannot say
        else:
            assert ours == schema.is_valid(document), value
        answers.add(ours)
    assert answers == {True, False} or path[2] in ("note", "copies_provenance", "points_provenance", "id")


@pytest.mark.parametrize("path", CELLS, ids=lambda path: ".".join(map(str, path)))
def test_schema_and_checker_agree_on_what_may_be_left_out(path: tuple[str, Any, str], tmp_path: Path) -> None:
    document = copy.deepcopy(DOCUMENT)
    document[path[0]][path[1]].pop(path[2], None)
    if path == ("shell", 0, "id"):
        document["shell"][1]["partner"] = "none"
    assert accepted_by_checker(document, tmp_path) == validator(data_schema_of(checked())).is_valid(document)


@pytest.mark.parametrize(
    "change",
    [
        {"shell": []},
        {"shell": {}},
        {"shell": 3},
        {"shell": "x"},
        {"shell": [3]},
        {"prize": {"pearl": 3}},
        {"prize": [{}]},
        {},
    ],
)
def test_schema_and_checker_agree_on_tables(change: dict[str, Any], tmp_path: Path) -> None:
    rules = RULES.replace("worth of pearl", "0")
    document = {**DOCUMENT, **change}
    (tmp_path / "game.rules").write_text(rules, encoding="utf-8")
    (tmp_path / "components.toml").write_text("".join(f"{k} = {toml(v)}\n" for k, v in document.items()))
    try:
        pipeline.compile_file(tmp_path / "game.rules")
        ours = True
    except Diagnosed as wrong:
        # without shells there is nothing to deal; that is no mistake of the data
        ours = not any(d.code.number.startswith("RL7") for d in wrong.diagnostics)
    assert ours == validator(data_schema_of(checked())).is_valid(document)


def test_the_schema_of_data_is_a_schema() -> None:
    schema = data_schema_of(checked())
    Draft202012Validator.check_schema(schema)
    assert Draft202012Validator(schema).is_valid(DOCUMENT)
    assert schema["required"] == ["shell", "prize"]
    assert schema["$defs"]["Shell"]["required"] == ["name", "colour", "points", "copies", "rare"]


def test_a_gap_in_the_checker_is_closed_by_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_schema, "_value", lambda kind: {"type": "string"})
    _, findings = pipeline.check_source(read_source(GAME), GAME.parent)
    found = {(d.code.number, d.place.line) for d in findings.diagnostics() if d.place is not None}
    assert ("RL7012", 8) in found  # points of the cockle


def test_large_files_are_not_held_against_the_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_schema, "_value", lambda kind: {"type": "string"})
    monkeypatch.setattr(data_schema, "SMALL", 10)
    _, findings = pipeline.check_source(read_source(GAME), GAME.parent)
    assert not findings


# ------------------------------------------------------------------ options

OPTIONS = """\
game "With options":
  players: 2..4

option target: 10..100 = 50
option first_player: at_random, by_age = by_age
option pon: yes, no = no
option bonus: 0..target = 3
option mood: good, bad = good
option guard_after: not_used, 5..9 = not_used

overview:
  end game, nobody wins
"""


@pytest.mark.parametrize("form", ["checked", "program", "read again"])
def test_options_have_one_schema_wherever_they_come_from(form: str) -> None:
    compiled = pipeline.compile_text(OPTIONS)
    assert compiled.checked is not None
    game = {"checked": compiled.checked, "program": compiled.program, "read again": loads(dumps(compiled.program))}[
        form
    ]
    schema = options_schema(game)
    Draft202012Validator.check_schema(schema)
    assert {name: each["default"] for name, each in schema["properties"].items()} == {
        "target": 50,
        "first_player": "by_age",
        "pon": False,
        "bonus": 3,
        "mood": "good",
        "guard_after": "not_used",
    }
    assert schema == options_schema(compiled.program)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"target": 10, "first_player": "at_random", "pon": True, "mood": "bad"},
        {"first-player": "at-random", "pon": "yes"},
        {"guard_after": 5},
        {"guard-after": "not-used"},
    ],
)
def test_good_options_are_good_for_the_engine_too(options: dict[str, Any]) -> None:
    compiled = pipeline.compile_text(OPTIONS)
    assert check_options(compiled.program, options) == ()
    pipeline.Ruleset(compiled, pipeline.engine_named("reference")).configure(options=options)


@pytest.mark.parametrize(
    ("options", "code", "message", "hint"),
    [
        ({"targt": 10}, "RL7001", "There is no option called 'targt'.", "did you mean 'target'?"),
        ({"target": 9}, "RL7002", "'target' cannot be '9'.", "it is a whole number from 10 to 100"),
        ({"target": 10.0}, "RL7002", "'target' cannot be 'a number with a fraction'.", None),
        ({"pon": 1}, "RL7002", "'pon' cannot be '1'.", "it is true or false or 'yes' or 'no'"),
        ({"mood": "goood"}, "RL7002", "'mood' cannot be 'goood'.", "it is 'good' or 'bad'"),
        ({"first_player": "x"}, "RL7002", "'first_player' cannot be 'x'.", "it is 'at_random' or 'by_age'"),
        ({"first-player": ["x"]}, "RL7002", "'first-player' cannot be 'a list'.", None),
        (
            {"guard_after": 4},
            "RL7002",
            "'guard_after' cannot be '4'.",
            "it is 'not_used', or a whole number from 5 to 9",
        ),
        ({"mood": None}, "RL7002", "'mood' cannot be 'nothing'.", None),
        ([1], "RL9011", "What chooses the options is a list; an object is needed.", None),
    ],
)
def test_wrong_options_are_told_apart(options: object, code: str, message: str, hint: str | None) -> None:
    compiled = pipeline.compile_text(OPTIONS)
    assert compiled.checked is not None
    for game in (compiled.program, compiled.checked):
        (found,) = check_options(game, options)
        assert (found.code.number, found.message) == (code, message)
        assert hint is None or found.hint == hint


def test_every_wrong_option_is_told() -> None:
    found = check_options(pipeline.compile_text(OPTIONS).program, {"target": 9, "mood": 3, "x": 1, "y": 2})
    assert sorted(d.code.number for d in found) == ["RL7001", "RL7001", "RL7002", "RL7002"]


def test_a_game_without_options_says_so() -> None:
    text = 'game "Plain":\n  players: 2\noverview:\n  end game, nobody wins\n'
    (found,) = check_options(pipeline.compile_text(text).program, {"x": 1})
    assert found.hint == "this game has no options"


def test_what_the_schema_refuses_the_engine_refuses() -> None:
    compiled = pipeline.compile_text(OPTIONS)
    ruleset = pipeline.Ruleset(compiled, pipeline.engine_named("reference"))
    values: list[Any] = [0, 4, 5, 10, 100, 101, -1, True, False, "good", "by_age", "not_used", "4", "x", ""]
    for name, value in itertools.product(("target", "first_player", "pon", "mood", "guard_after", "x"), values):
        if check_options(compiled.program, {name: value}) == ():
            ruleset.configure(options={name: value})
        else:
            with pytest.raises(Refused):
                ruleset.configure(options={name: value})
