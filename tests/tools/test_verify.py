"""``verify``: what it prints, what it writes, how it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import Run, conforms

from rulelang.failures import Diagnosed
from rulelang.tools.writing import Saving, again, not_written, numbered

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide"
PONDS = GUIDE / "proving"


def pond(name: str, folder: Path) -> Path:
    """The game of the guide as a ruleset in this folder."""
    home = folder / name
    home.mkdir()
    (home / f"{name}.rules").write_text((PONDS / f"{name}.rules").read_text())
    return home


def test_a_sound_game_is_said_to_be_sound(run: Run) -> None:
    result = run("verify nim --option heaps=3")
    assert result.exit_code == 0
    assert "Nim: all positions seen, " in result.stdout
    assert "Everything in the rules is used." in result.stdout


def test_what_is_wrong_is_found_kept_and_played_again(run: Run, own_folder: Path) -> None:
    home = pond("herons", own_folder)
    result = run(f"verify herons --save {home}/plays")
    assert result.exit_code == 1
    assert "1. dead end, after 3 events, in 3 positions (herons/herons.rules:9)" in result.stdout
    replayed = result.stdout.rpartition("To see it: rulelang ")[2]
    assert run(replayed.split()).exit_code == 0
    play = (home / "plays" / "01-dead-end.play").read_text()
    assert "Ann: catch(3)" in play and "to move: Ben" in play
    assert run("test herons").exit_code == 0


def test_findings_are_kept_under_the_next_number_that_is_free(run: Run, own_folder: Path) -> None:
    home = pond("herons", own_folder)
    first = run(f"verify herons --save {home}/plays")
    play = home / "plays" / "01-dead-end.play"
    assert f"kept in {play.with_suffix('')}.record.jsonl and {play}\n" in first.stdout
    play.write_text("# my own words\n")
    (home / "plays" / "02-something.play").mkdir()
    again = run(f"verify herons --save {home}/plays")
    assert again.exit_code == 1 and play.read_text() == "# my own words\n"
    assert f"{home}/plays/03-dead-end.record.jsonl and {home}/plays/03-dead-end.play\n" in again.stdout
    assert f"rulelang replay {home}/plays/03-dead-end.record.jsonl" in again.stdout
    rights = {file.stat().st_mode & 0o777 for file in (home / "plays").glob("03*")}
    assert rights == {(home / "herons.rules").stat().st_mode & 0o777}


@pytest.mark.parametrize("form", ["text", "json"])
def test_findings_that_cannot_be_kept_are_told(
    run: Run, own_folder: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    pond("herons", own_folder)
    plain = run(["verify", "herons", "--format", form])

    def gone(path: Path, text: str) -> None:
        raise not_written(path, FileNotFoundError(2, "No such file or directory"))

    monkeypatch.setattr("rulelang.tools.writing.write_new", gone)
    result = run(["verify", "herons", "--save", "kept", "--format", form])
    assert (result.exit_code, result.stdout) == (1, plain.stdout)
    assert "RL1014" in result.stderr and "'kept/01-dead-end.record.jsonl' cannot be written" in result.stderr


def test_the_rules_of_a_profile_are_not_written_over(run: Run, own_folder: Path) -> None:
    saving, made = Saving(own_folder), own_folder / "a.tiny.ir.json"
    assert saving.keep(again("a.tiny"), {".ir.json": lambda _: "one"}) == {".ir.json": str(made)}
    assert saving.keep(again("a.tiny"), {".ir.json": lambda _: "two"}) == {
        ".ir.json": str(own_folder / "a.tiny-2.ir.json")
    }
    assert made.read_text() == "one"
    saving.folder = own_folder / "nowhere"
    assert saving.keep(numbered(7, "b"), {".play": lambda _: "three"}) == {}
    with pytest.raises(Diagnosed, match="nowhere"):
        saving.check()


def test_data_follow_the_schema(run: Run, own_folder: Path) -> None:
    pond("herons-again", own_folder)
    for command, code in (
        ("tic-tac-toe --depth 3", 0),
        ("herons-again --save kept", 1),
        ("snap --games 2 --seed 7", 0),
        ("leduc-poker --states 30 --attempts 0", 0),
    ):
        result = run(f"verify {command} --format json")
        assert result.exit_code == code, result.output
        data = json.loads(result.stdout)
        conforms(data, "verify")
    found = json.loads(run("verify herons-again --format json").stdout)["findings"]
    assert [each["kind"] for each in found] == ["dead_end", "promise"]
    assert found[0]["record"][1:] == [
        {"play": "catch", "seat": 1, "arguments": [2]},
        {"play": "catch", "seat": 2, "arguments": [3]},
        {"play": "catch", "seat": 1, "arguments": [3]},
    ]


def test_the_games_of_the_guide_are_those_that_it_verifies() -> None:
    text = (GUIDE / "proving.md").read_text()
    for name in ("herons", "herons-again"):
        assert f"```rules\n{(PONDS / f'{name}.rules').read_text()}```" in text


def test_what_is_never_used_is_a_mistake_unless_there_is_a_reason(run: Run, own_folder: Path) -> None:
    home = own_folder / "steps"
    home.mkdir()
    rules = (PONDS / "herons-right.rules").read_text().replace("fish is 1: last_fish", "fish is 9: last_fish")
    (home / "steps.rules").write_text(rules.replace("2..3", "3..3"))
    result = run("verify steps")
    assert result.exit_code == 1
    assert "Never used, in any position:" in result.stdout
    assert "rule 'last_fish' is never come to  [rule last_fish]" in result.stdout
    listed = ("rule last_fish", "branch overview 1 holds", "requirement catch.enough fails")
    (home / "verify.toml").write_text("[unused]\n" + "".join(f'"{each}" = "so it is"\n' for each in listed))
    allowed = run("verify steps -v")
    assert allowed.exit_code == 0, allowed.output
    assert "rule last_fish: so it is" in allowed.stdout
    assert "Everything in the rules is used, or has a reason." in allowed.stdout
    for wrong in ("[unused]\nx = 1\n", "[other]\n", "x = ="):
        (home / "verify.toml").write_text(wrong)
        assert run("verify steps").exit_code == 1


def test_what_was_not_seen_is_no_mistake(run: Run) -> None:
    result = run("verify tic-tac-toe --depth 1")
    assert result.exit_code == 0
    assert "Not seen in 10 positions, which proves nothing:" in result.stdout
    many = run("verify 13-animals --profile small --states 20")
    assert "more (-v lists them)" in many.stdout
    assert "more (-v lists them)" not in run("verify 13-animals --profile small --states 20 -v").stdout
    attempts = run("verify sheriff --games 3 --seed 7 --attempts 0")
    assert "random games, seed 7" in attempts.stdout
    assert "1 random game, seed 7" in run("verify sheriff --games 1 --seed 7").stdout


def test_long_records_are_shown_from_their_end(run: Run, own_folder: Path) -> None:
    home = own_folder / "long"
    home.mkdir()
    text = (PONDS / "herons.rules").read_text().replace("0..9 = 9", "0..91 = 91").replace("0..9\n", "0..91\n")
    (home / "long.rules").write_text(text)
    result = run("verify long --games 1 --seed 3")
    assert "events before" in result.stdout


def test_profiles_are_read_and_their_records_can_be_played_again(run: Run, own_folder: Path) -> None:
    home = own_folder / "small"
    home.mkdir()
    rules = (PONDS / "herons.rules").read_text().replace("  players: 2\n", '  players: 2\n  data: "components.toml"\n')
    table = "table Pond from pond:\n  holds: 1..9\n\ndefine start = highest(holds of p for each p in Pond)\n\n"
    rules = rules.replace("marker fish: 0..9 = 9", table + "marker fish: 0..9 = start")
    (home / "small.rules").write_text(rules)
    (home / "components.toml").write_text('[[pond]]\nid = "big"\nholds = 9\n')
    (home / "components.tiny.toml").write_text('[[pond]]\nid = "big"\nholds = 4\n')
    result = run("verify small --profile tiny --save kept")
    assert result.exit_code == 1
    assert "(2 seats, profile 'tiny')" in result.stdout
    replayed = result.stdout.rpartition("To see it: rulelang ")[2]
    assert "small.tiny.ir.json" in replayed
    assert run(replayed.split()).exit_code == 0
    assert not list((own_folder / "kept").glob("*.play"))
    assert run("verify small --profile tiny --format json").exit_code == 1  # from the cache
    assert run("verify small --profile other").exit_code == 1
    assert run(["verify", "kept/small.tiny.ir.json", "--profile", "tiny"]).exit_code == 2
    assert run(["verify", "kept/small.tiny.ir.json"]).exit_code == 1


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("tic-tac-toe --seed 7", 2, "needs '--games'"),
        ("tic-tac-toe --seats 3", 1, "seats"),
        ("tic-tac-toe --engine nativ", 1, "native"),
        ("nothing-there", 1, "RL1"),
        ("nim --option heap=3", 1, "heaps"),
    ],
)
def test_what_makes_no_sense_is_told(run: Run, command: str, code: int, said: str) -> None:
    result = run(f"verify {command}")
    assert result.exit_code == code
    assert said in result.output


def test_a_folder_that_cannot_be_made_is_told(run: Run, own_folder: Path) -> None:
    pond("herons", own_folder)
    (own_folder / "kept").write_text("a file")
    assert run("verify herons --save kept/inside").exit_code == 1


def test_other_rules_of_the_same_name_get_no_scenario(run: Run, own_folder: Path) -> None:
    home = own_folder / "nim"
    home.mkdir()
    (home / "nim.rules").write_text((PONDS / "herons.rules").read_text())
    assert run(["verify", str(home), "--save", "kept"]).exit_code == 1
    assert [path.name for path in (own_folder / "kept").iterdir()] == ["01-dead-end.record.jsonl"]


def test_the_seed_of_random_games_is_told(run: Run) -> None:
    assert "seed: " in run("verify kuhn-poker --games 2").stderr


def test_progress_is_told_if_it_is_wanted(run: Run) -> None:
    assert "positions" in run("verify tic-tac-toe --states 600 --progress").stderr
    assert run("verify kuhn-poker").stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
@pytest.mark.parametrize("how", ["--states 10000000", "--games 1000000 --seed 7"])
def test_ctrl_c_shows_what_was_found_so_far(how: str) -> None:
    command = [sys.executable, "-m", "rulelang", "verify", "pig", "--progress", *how.split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None and running.stdout is not None
        running.stderr.read(5)  # it is under way
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        said, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Pig: " in said and "positions" in said
