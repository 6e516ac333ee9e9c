"""``verify``: each finding says what is wrong, can be seen again, and is a scenario wherever one can say it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import Run, conforms

from rulelang import rulesets
from rulelang.tools.stopping import PATIENCE, Stopping

SPIN = """\
game "Spin":
  players: 2

marker n: 0..3 = 0

overview:
{before}  turns of p from seat(1):
    p must step
    if n is 3: end game, p wins

move step:
  n rises by 2
"""
GLASS = """\
game "A glass":
  players: 2

timer glass: 5 seconds
marker taps: 0..2

overview:
  start glass
  players may freely tap until glass is empty
  seat(1) must tap
  end game, nobody wins

move tap:
  require few: taps < 2 because "that is enough"
  taps rises by 1
"""
MANY = """\
game "Many":
  players: 1

marker n: 0..100000

overview:
  seat(1) must bid
  end game, nobody wins

move bid(x in 0..100000): n becomes x
"""
PROMISE = """\
game "Promise":
  players: 1

marker n: 0..3

overview:
  repeat 3 times: seat(1) must step
  end game, nobody wins

move step: n rises by 1

always few: n < 2
"""
ROUND = """\
game "Round":
  players: 1

marker n: 0..3

overview:
  repeat: seat(1) must step

move step: n becomes remainder(n + 1, 4)
"""


def home(name: str, text: str) -> Path:
    """A ruleset in the current folder."""
    folder = Path(name)
    folder.mkdir()
    (folder / f"{name}.rules").write_text(text, encoding="utf-8")
    return folder


def kept(run: Run, name: str, text: str, *flags: str) -> tuple[str, str]:
    """What ``verify`` prints of a ruleset, and the scenario that it writes of what it finds first."""
    folder = home(name, text)
    result = run(["verify", name, "--save", str(folder / "plays"), *flags])
    assert result.exit_code == 1, result.output
    plays = sorted((folder / "plays").glob("01-*.play"))
    return result.stdout, plays[0].read_text(encoding="utf-8") if plays else ""


def replayed(run: Run, told: str) -> tuple[int, str, str]:
    result = run(told.rpartition("To see it: rulelang ")[2].split())
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(("before", "shown"), [("", "seat 1: step"), ("  roll n\n", "chance")])
def test_an_event_that_is_given_up_is_in_the_record_and_in_the_scenario(run: Run, before: str, shown: str) -> None:
    told, play = kept(run, "spin", SPIN.format(before=before))
    assert "step: RL8007: 'n' cannot become 4; it stays within 0..3.\n" in told
    assert "01-given-up.record.jsonl and spin/plays/01-given-up.play\n" in told
    code, stdout, stderr = replayed(run, told)
    assert (code, shown in stdout) == (1, True)
    assert "Event 2 of the record is not possible: RL8007: 'n' cannot become 4" in stderr
    assert play.startswith('scenario "Given up at ') and "step\n  then:\n    game goes on\n" in play
    tested = run("test spin")
    assert tested.exit_code == 1 and "'n' cannot become 4" in tested.stdout


def test_what_chance_brings_about_can_be_given_up(run: Run) -> None:
    told, play = kept(run, "spin", SPIN.format(before="  roll n\n  n rises by 2\n"))
    assert "Given up at chance 2: RL8007" in told
    assert "  when:\n    chance gives 2\n  then:\n" in play
    assert "not possible: RL8007" in replayed(run, told)[2]


def test_a_repaired_game_passes_the_scenario_of_what_was_given_up(run: Run) -> None:
    kept(run, "spin", SPIN.format(before=""))
    repaired = SPIN.format(before="").replace("0..3 = 0", "0..9 = 0")
    Path("spin/spin.rules").write_text(repaired, encoding="utf-8")
    assert run("test spin").exit_code == 0


def test_a_list_that_is_too_long_is_no_scenario_and_it_is_said_why(run: Run) -> None:
    told, play = kept(run, "many", MANY)
    assert "Given up at listing what can be done: RL8011" in told
    assert play == "" and "   no scenario: no line of one asks for a list of moves\n" in told


@pytest.mark.parametrize("start", ["0..3", "0..3 = 2"])
def test_a_replay_shows_that_a_promise_is_broken(run: Run, start: str) -> None:
    told, play = kept(run, "promise", PROMISE.replace("0..3", start))
    code, stdout, _ = replayed(run, told)
    where = "At the start" if "=" in start else "After 2 events"
    assert (code, f"{where}: the rules promise 'few', and it does not hold.\n" in stdout) == (1, True)
    assert play and run("test promise").exit_code == 1
    lines = run([*told.rpartition("To see it: rulelang ")[2].split(), "--format", "json"]).stdout.splitlines()
    for line in lines:
        conforms(json.loads(line), "replay")
    assert json.loads(lines[-1])["broken_promises"] == [{"name": "few", "after": 0 if "=" in start else 2}]


def test_a_timer_that_runs_out_is_a_line_of_a_scenario(run: Run) -> None:
    told, play = kept(run, "glass", GLASS)
    assert "dead end, after 3 events" in told
    assert "    at 5.000: nothing\n  then:\n    to move: Ann\n" in play
    assert run("test glass").exit_code == 0
    assert replayed(run, told)[0] == 0


def test_what_goes_on_for_ever_is_only_shown(run: Run) -> None:
    told, play = kept(run, "round_", ROUND)
    assert play and "the scenario says how play comes there, not that it never ends\n" in told


def test_why_there_is_no_scenario_is_told(run: Run) -> None:
    home("spin", SPIN.format(before=""))
    far = run("verify spin --save far/away")
    assert (
        "   no scenario: no rules called 'spin' are found from 'far/away'; it can be kept beside the rules"
        in far.stdout
    )
    home("nim", SPIN.format(before=""))
    other = run(["verify", "nim/nim.rules", "--save", "far"])
    assert "   no scenario: from 'far', 'nim' is another game\n" in other.stdout
    data = json.loads(run("verify spin --save further --format json").stdout)
    conforms(data, "verify")
    (found,) = data["findings"]
    assert (found["code"], found["scenario"]) == ("RL8007", None)
    assert found["no_scenario"].startswith("no rules called 'spin'")
    assert found["record"][-1] == found["tried"] == {"play": "step", "seat": 2, "arguments": []}
    assert Path(found["saved"]).read_text(encoding="utf-8").count("\n") == 1 + 2


# ------------------------------------------------------------------ decided by order


def exchanged(name: str) -> Path:
    """Tic-tac-toe with its two ends the other way round, with all that lies beside it."""
    source = rulesets.find("tic-tac-toe").parent
    folder = Path(name)
    folder.mkdir()
    lines = (source / "tic-tac-toe.rules").read_text(encoding="utf-8").split("\n")
    lines[9], lines[10] = lines[10], lines[9]
    (folder / f"{name}.rules").write_text("\n".join(lines), encoding="utf-8")
    (folder / "verify.toml").write_text((source / "verify.toml").read_text(encoding="utf-8"), encoding="utf-8")
    return folder


def test_a_wrong_priority_is_told_with_both_lines_and_a_record(run: Run) -> None:
    exchanged("lines")
    result = run("verify lines --save lines/plays")
    assert result.exit_code == 1
    both = "(lines/lines.rules:10, before lines/lines.rules:11)"
    assert f"1. decided by order, after 9 events, in 62 positions {both}\n" in result.stdout
    assert "By line 10: nobody wins; by line 11: seat 1 wins." in result.stdout
    assert "[overview: nobody wins before p wins]\n" in result.stdout
    assert "Where an order is meant, say so: with 'otherwise if'" in result.stdout
    code, stdout, _ = replayed(run, result.stdout)
    assert (code, "Result: a draw.\n" in stdout) == (0, True)
    assert "game over, nobody wins\n" in Path("lines/plays/01-decided-by-order.play").read_text(encoding="utf-8")
    data = json.loads(run("verify lines --format json").stdout)
    conforms(data, "verify")
    (found,) = data["findings"]
    assert (found["line"], found["other"]) == (10, {"file": "lines/lines.rules", "line": 11})
    assert (found["id"], found["reason"]) == ("overview: nobody wins before p wins", "")


def test_a_reason_in_verify_toml_says_that_an_order_is_meant(run: Run) -> None:
    folder = exchanged("lines")
    table = '[order]\n"overview: nobody wins before p wins" = "so it is"\n'
    (folder / "verify.toml").write_text(table, encoding="utf-8")
    quiet = run("verify lines")
    assert quiet.exit_code == 0
    assert "decided by order, after" not in quiet.stdout
    assert "No end of the game is decided by the order of two lines alone, but where that is meant.\n" in quiet.stdout
    assert "   It is meant to be so: so it is\n" in run("verify lines -v").stdout
    (folder / "verify.toml").write_text(f"{table}[unused]\nx = 3\n", encoding="utf-8")
    wrong = run("verify lines")
    assert wrong.exit_code == 1 and "[unused], with a reason for each part and [order]" in wrong.stderr


def test_the_wrong_priority_of_the_guide_is_the_one_that_it_verifies() -> None:
    guide = Path(__file__).resolve().parents[2] / "docs" / "guide"
    rules = (guide / "proving" / "noughts.rules").read_text(encoding="utf-8")
    assert f"```rules\n{rules}```" in (guide / "proving.md").read_text(encoding="utf-8")


def test_tic_tac_toe_as_it_is_has_nothing_wrong(run: Run) -> None:
    result = run("verify tic-tac-toe")
    assert result.exit_code == 0 and "Nothing is wrong." in result.stdout


# ------------------------------------------------------------------ how it ends


def test_states_are_not_for_random_games(run: Run) -> None:
    result = run("verify kuhn-poker --games 3 --states 2")
    assert result.exit_code == 2 and "'--states'" in result.stderr
    assert "[default: (100000); 1<=x<=100000000]" in " ".join(run("verify --help").stdout.split())


POSIX = pytest.mark.skipif(os.name == "nt", reason="pipes and Ctrl-C are others there")


@POSIX
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("verify spin/spin.rules", 1),
        ("verify spin/spin.rules --format json", 1),
        ("check spin/broken.rules", 1),
        ("check spin/spin.rules", 0),
        ("test spin", 1),
        ("diff nim --option last_object=wins --moves 30", 1),
        ("mutate spin --only nothing_like_it", 2),
        ("trace spin", 1),
        ("play tic-tac-toe --seats random,random --seed 7", 0),
    ],
)
def test_a_closed_pipe_does_not_change_the_exit_code(run: Run, words: str, code: int) -> None:
    kept(run, "spin", SPIN.format(before=""))
    Path("spin/broken.rules").write_text("nonsense")
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "rulelang", *words.split()]
    with subprocess.Popen(command, stdout=writing, stderr=subprocess.PIPE, text=True) as running:
        os.close(writing)
        _, told = running.communicate(timeout=120)
    assert (running.returncode, "Traceback" in told, "Broken pipe" in told) == (code, False, False)


@POSIX
@pytest.mark.parametrize("how", ["--states 10000000", "--games 1000000 --seed 7"])
def test_a_second_signal_loses_nothing(how: str) -> None:
    command = [sys.executable, "-m", "rulelang", "verify", "connect-four", "--progress", *how.split()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        running.stderr.read(5)  # it is under way
        time.sleep(0.3)
        for _ in range(3):
            running.send_signal(signal.SIGINT)
            time.sleep(0.01)
        said, told = running.communicate(timeout=120)
    assert "Connect Four: " in said and "Traceback" not in told
    assert running.returncode in (130, -signal.SIGINT), "the last one may come when all is said"


@POSIX
def test_an_early_signal_ends_it_without_a_word() -> None:
    now = (
        "import os, signal; from rulelang.tools import entry; os.kill(os.getpid(), signal.SIGINT); print('still here')"
    )
    result = subprocess.run([sys.executable, "-c", now], capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")
    ignored = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); {now}"
    result = subprocess.run([sys.executable, "-c", ignored], capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "still here\n", "")


@POSIX
def test_what_comes_within_a_moment_belongs_to_the_first_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.getsignal(signal.SIGINT)
    with Stopping() as stopping:
        stopping.look()
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            stopping.look()
        signal.raise_signal(signal.SIGINT)
        stopping.look()
        later = time.monotonic() + PATIENCE + 1
        monkeypatch.setattr(time, "monotonic", lambda: later)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
