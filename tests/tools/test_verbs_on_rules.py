"""``check``, ``compile``, ``fmt``, ``new`` and the cache."""

import importlib.util
import json
import os
import re
import stat
import sys
from pathlib import Path

import pytest
from command_line import Run, conforms

from rulelang.rulesets import all_rulesets, find
from rulelang.tools import cache

GOOD = 'game "Good":\n  players: 1\n\noverview:\n  seat(1) must go\n\nmove go:\n  end game, nobody wins\n'
BAD = GOOD.replace("must go", "must run").replace("nobody wins", "somebody wins")

CLASSICS = [name for name, _ in all_rulesets()]


def write(name: str, text: str | bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def test_no_name_is_no_name_of_a_ruleset(run: Run) -> None:
    shown = run(["check", ""])
    assert shown.exit_code == 1 and "There is no ruleset called ''." in shown.output


@pytest.mark.parametrize("name", CLASSICS)
def test_classics_are_sound(run: Run, name: str) -> None:
    first, second = run(["check", name]), run(["check", name])
    assert (first.exit_code, first.stdout) == (second.exit_code, second.stdout) == (0, f"ok  {name}\n")


def test_all_mistakes_of_all_files_are_told(run: Run) -> None:
    write("good.rules", GOOD)
    write("bad.rules", BAD)
    result = run("check good.rules bad.rules nowhere.rules")
    assert result.exit_code == 1
    assert "ok  good.rules" in result.stdout
    assert "bad.rules:5" in result.stdout and "bad.rules:8" in result.stdout
    assert "RL1001" in result.stdout


def test_json(run: Run) -> None:
    write("good.rules", GOOD)
    write("bad.rules", BAD)
    result = run("check good.rules bad.rules --format json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    conforms(data, "check")
    assert [each["ok"] for each in data["files"]] == [True, False]
    assert {each["place"]["line"] for each in data["diagnostics"]} == {5, 8}
    assert run("check good.rules --format json").exit_code == 0


def test_sarif(run: Run) -> None:
    write("bad.rules", BAD)
    data = json.loads(run("check bad.rules --format sarif").stdout)
    assert data["version"] == "2.1.0"
    assert len(data["runs"][0]["results"]) == 2


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "RL2023"),
        (b"\xff\xfe game", "RL1004"),
        (b'game "x\0":', "RL1006"),
        (b"x" * 200_000, "RL1005"),
        (b"\tgame", "RL2"),
        (BAD.encode(), "RL3"),
    ],
)
@pytest.mark.parametrize("verb", ["check", "play", "compile", "graph", "sim --games 2", "perft --depth 2"])
def test_damaged_rules_are_diagnosed_by_every_verb(run: Run, verb: str, content: bytes, code: str) -> None:
    write("game.rules", content)
    result = run(f"{verb} game.rules")
    assert result.exit_code == 1
    assert code in result.output
    assert "game.rules" in result.output


def test_folders_and_files_without_rights(run: Run) -> None:
    Path("folder.rules").mkdir()
    assert "RL1002" in run("check folder.rules").stdout
    secret = write("secret.rules", GOOD)
    secret.chmod(0)
    if not os.access(secret, os.R_OK):  # root may read everything
        assert "RL1003" in run("check secret.rules").stdout
    os.mkfifo("pipe.rules")
    assert "RL1003" in run("check pipe.rules").stdout


# ------------------------------------------------------------------ cache


def entries() -> list[Path]:
    home = cache.folder()
    assert home is not None
    return sorted(home.glob("*.json"))


def test_only_what_is_sound_and_unchanged_is_remembered(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("good.rules", GOOD)
    run("check good.rules")
    assert len(entries()) == 1
    with monkeypatch.context() as patched:
        patched.setattr("rulelang.pipeline.compile_source", None)
        assert run("check good.rules").exit_code == 0
        assert run("check good.rules --no-cache").exit_code == 3
    path.write_text(BAD, encoding="utf-8")
    assert run("check good.rules").exit_code == 1
    assert len(entries()) == 1


def test_data_beside_the_rules_count(run: Run) -> None:
    write("good.rules", GOOD)
    run("check good.rules")
    write("components.toml", "x = 1\n")
    run("check good.rules")
    assert len(entries()) == 2


def test_every_part_of_rulelang_that_compiles_counts() -> None:
    """What the checks in a folder further down say is forgotten, too, when they change."""
    import rulelang.pipeline

    compiling = [
        Path(module.__file__).resolve()
        for name, module in sys.modules.items()
        if re.match(r"rulelang\.(ast|checker|compiler|diagnostics|grammar|ir|pipeline|limits)\b", name)
        and module.__file__
    ]
    known = {line.split(" ")[0].removeprefix("./") for line in cache._code()}
    assert Path(rulelang.pipeline.__file__) in compiling and len(compiling) > 50
    assert [each for each in compiling if each.relative_to(cache.PACKAGE).as_posix() not in known] == []
    assert "library/tricks.rules" in known


def test_the_code_of_rulelang_counts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("good.rules", GOOD)
    run("check good.rules")
    monkeypatch.setattr(cache, "_code", lambda: iter(["another"]))
    run("check good.rules")
    assert len(entries()) == 2


@pytest.mark.parametrize("damage", [b"", b"\xff", b"rulelang cache 1 0\n{}", b"{}"])
def test_a_damaged_entry_is_as_good_as_not_there(run: Run, damage: bytes) -> None:
    write("good.rules", GOOD)
    run("check good.rules")
    entries()[0].write_bytes(damage)
    assert run("check good.rules").exit_code == 0
    entries()[0].write_bytes(damage)
    assert run("play good.rules --seats random --seed 1").exit_code == 0


def test_an_entry_with_the_right_hash_and_a_wrong_program(run: Run) -> None:
    write("good.rules", GOOD)
    run("check good.rules")
    entries()[0].write_text(f"{cache._head('{}')}\n{{}}", encoding="utf-8")
    assert run("play good.rules --seats random --seed 1").exit_code == 0


def test_the_cache_is_private(run: Run) -> None:
    write("good.rules", GOOD)
    run("check good.rules")
    home = cache.folder()
    assert home is not None and stat.S_IMODE(home.stat().st_mode) == 0o700
    home.chmod(0o777)
    assert cache.folder() is None
    assert run("check good.rules").exit_code == 0


def test_no_place_for_a_cache(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(write("file", "").resolve()))
    assert run("check tic-tac-toe").exit_code == 0


# ------------------------------------------------------------------ compile


@pytest.mark.parametrize("origins", ["--origins", "--no-origins"])
def test_compiled_games_are_read_again_by_every_verb(run: Run, origins: str) -> None:
    result = run(f"compile tic-tac-toe {origins} -o game.json")
    assert result.exit_code == 0
    for command in ("check", "graph", "compile", "perft --depth 2", "sim --games 3 --seed 1"):
        assert run(f"{command} game.json").exit_code == 0
    played = run("play game.json --seats random,random --seed 7").stdout
    assert played == run("play tic-tac-toe --seats random,random --seed 7").stdout


def test_hashes_tell_programs_apart_as_they_should(run: Run) -> None:
    with_origins = run("compile tic-tac-toe").stderr.splitlines()
    without = run("compile tic-tac-toe --no-origins").stderr.splitlines()
    assert with_origins[0] == without[0] and with_origins[0].startswith("content hash: ")
    assert with_origins[1] != without[1]


def test_listing(run: Run) -> None:
    assert 'game "Tic-tac-toe"' in run("compile tic-tac-toe --format text").stdout


def test_what_the_native_interpreter_makes_of_a_game_can_be_read(run: Run) -> None:
    flat = run("compile goofspiel --flat --option cards=5").stdout
    assert flat.startswith("flat program of goofspiel, 2 players") and "offer 0:offer(a1)" in flat
    assert "3 players" in run("compile kuhn-poker --flat --seats 3").stdout
    source = run("compile tic-tac-toe --python").stdout
    compile(source, "printed", "exec")
    assert source.startswith("K0 = (0, 1, 2, ") and "def list0(c, me, out, stop):  # place" in source


MANY_GROUPS = """game "Many groups":
  players: 2
zone hand for each player: bag of 1..40, starts with each 1..40
move look
define sets(p: player) = best_partition(1 for each g in bags(3..4, p's hand) where highest(c for each c in g) < 9)
overview:
  seat(1) must look
  end game, each p in players gets value of sets(p)
"""


def test_how_a_game_is_laid_out_can_be_read(run: Run, tmp_path: Path) -> None:
    plan = run("compile connect-four --plan").stdout.splitlines()
    assert plan[0] == "plan of connect-four, 2 players"
    assert "mark: 42 places as 3 planes of 64 bits (-1..1)" in plan
    assert "drop: its answers are a set of 64 bits; carried out at once" in plan
    assert "division 0: bags of 13 kinds in 128 bits, 9 for each; " in run("compile 13-animals --plan").stdout
    assert "a row in the arena" in run("compile spades --plan").stdout
    many = tmp_path / "many.rules"
    many.write_text(MANY_GROUPS)
    reason = "not compiled: there are too many groups for LLVM yet; printed Python plays it"
    assert reason in run(f"compile {many} --plan").stdout
    assert "open play goes on with the next act or timer" in run("compile snap --plan").stdout
    assert "define void @playouts(" in run("compile nim --llvm").stdout
    refused = run(f"compile {many} --llvm")
    assert refused.exit_code == 1 and "RL8023" in refused.stderr


@pytest.mark.parametrize("flags", ["--plan --llvm", "--llvm --plan", "--flat --plan --python"])
def test_two_forms_at_once_are_refused(run: Run, flags: str) -> None:
    result = run(f"compile nim {flags}")
    assert result.exit_code == 2 and result.stdout == ""
    assert "are two different forms: only one can be written." in result.stderr


def test_what_plays_without_llvmlite_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "llvmlite is not installed: printed Python plays, more slowly (pip install 'rulelang[native]')"
    many = "sim nim --engine native --games 1000 --seats random,random --no-progress"
    for command in ("compile nim --plan", many):
        assert words not in run(command).stderr
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "llvmlite" else real(name))
    for command in ("compile nim --plan", many):
        assert words in run(command).stderr and run(command).exit_code == 0
    for command in (many.replace("1000", "999"), many.replace("native", "reference").replace("1000", "20")):
        assert words not in run(command).stderr
    monkeypatch.setenv("RULELANG_NATIVE", "python")  # it is not wanted
    assert words not in run(many).stderr


@pytest.mark.parametrize("given", ["--seats 2", "--option cards=5"])
def test_a_configuration_is_chosen_only_for_what_is_closed(run: Run, given: str) -> None:
    result = run(f"compile goofspiel {given}")
    assert result.exit_code == 2 and "go with '--flat', '--python'" in result.stderr


def test_nothing_is_written_where_nothing_can_be(run: Run) -> None:
    result = run("compile tic-tac-toe -o nowhere/game.json")
    assert result.exit_code == 1
    assert "RL1014" in result.stderr


@pytest.mark.parametrize("text", ["", "{", "[]", '{"kind": "Program"}', '{"kind": 1.5}', '{"a": 1, "a": 2}', "[" * 500])
@pytest.mark.parametrize("verb", ["check", "play", "graph"])
def test_damaged_ir_is_diagnosed(run: Run, verb: str, text: str) -> None:
    write("game.json", text)
    result = run(f"{verb} game.json")
    assert result.exit_code == 1
    assert "RL90" in result.output


# ------------------------------------------------------------------ fmt


def test_fmt_writes_canonical_form_once(run: Run) -> None:
    path = write("good.rules", GOOD.replace("  seat(1) must go", "      seat( 1 )   must go"))
    assert run("fmt --check good.rules").exit_code == 1
    shown = run("fmt --diff good.rules")
    assert shown.exit_code == 1 and "+  seat(1) must go" in shown.stdout
    path.chmod(0o640)
    assert run("fmt good.rules").stdout == "changed  good.rules\n"
    assert path.read_text(encoding="utf-8") == GOOD
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert run("fmt good.rules").stdout == ""
    assert run("fmt --check good.rules").exit_code == 0


def test_fmt_makes_line_ends_plain(run: Run) -> None:
    path = write("good.rules", GOOD.replace("\n", "\r\n"))
    assert run("fmt good.rules").exit_code == 0
    assert path.read_bytes() == GOOD.encode("utf-8")


def test_fmt_leaves_what_it_cannot_read(run: Run) -> None:
    broken = GOOD.replace("overview:", "overview")
    path = write("bad.rules", broken)
    good = write("good.rules", GOOD.replace("must go", "must   go"))
    result = run("fmt bad.rules good.rules")
    assert result.exit_code == 1
    assert "RL2" in result.stderr
    assert path.read_text(encoding="utf-8") == broken
    assert good.read_text(encoding="utf-8") == GOOD
    assert sorted(each.name for each in Path().iterdir()) == ["bad.rules", "good.rules"]


def test_fmt_of_the_standard_input(run: Run) -> None:
    result = run("fmt -", GOOD.replace("must go", "must   go"))
    assert (result.exit_code, result.stdout) == (0, GOOD)
    assert run("fmt -", "nonsense").exit_code == 1


# ------------------------------------------------------------------ new


@pytest.mark.parametrize("name", ["my-game", "deep/er/spiel", "Mühle 2", "将棋"])
def test_a_new_game_is_sound_canonical_and_plays(run: Run, name: str) -> None:
    assert run(["new", name]).exit_code == 0
    path = name if "/" in name else f"./{name}"
    assert run(["check", path]).exit_code == 0
    assert run(["fmt", "--check", path]).exit_code == 0
    played = run(["play", path, "--seats", "random,random,random", "--seed", "3", "--option", "sticks=9"])
    assert "Result: seat" in played.stdout
    readme = Path(name, "README.md").read_text(encoding="utf-8")
    assert "rulelang check" in readme


def test_new_overwrites_nothing(run: Run) -> None:
    write("my-game/notes.txt", "mine")
    result = run("new my-game")
    assert result.exit_code == 1 and "RL1015" in result.stderr
    assert [each.name for each in Path("my-game").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("name", ["", ".", "..", "2nd", "a" * 100, "a\nb", "a/..", "-x"])
def test_new_refuses_what_is_no_name(run: Run, name: str) -> None:
    result = run(["new", "--", name])
    assert result.exit_code == 1 and "RL1016" in result.stderr
    assert not list(Path().iterdir())


def test_names_on_the_command_line_find_the_shipped_rules() -> None:
    assert find("tic-tac-toe").is_file()
