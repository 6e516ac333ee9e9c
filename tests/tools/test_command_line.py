"""What all commands have in common: help, exit codes, messages."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import jsonschema
import pytest
from command_line import SCHEMAS, Run
from pace import slowness

from rulelang.failures import Broken, Exhausted
from rulelang.tools import ending
from rulelang.tools.main import VERBS, main


def verb(name: str) -> click.Command:
    found = main.get_command(click.Context(main), name)  # type: ignore[attr-defined]
    assert found is not None
    return found


def test_help_lists_every_verb_as_the_verb_says_it(run: Run) -> None:
    output = run("--help").stdout
    for name, line in VERBS.items():
        assert f"  {name} " in output
        assert (verb(name).help or "").startswith(line.rstrip(".")), name


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_has_help_with_an_example_that_runs(run: Run, name: str) -> None:
    shown = run([name, "--help"])
    assert shown.exit_code == 0
    examples = [line.strip() for line in shown.stdout.splitlines() if line.startswith("    rulelang ")]
    assert examples
    run("play tic-tac-toe --seats random,random --seed 7 --record game.record.jsonl")
    for example in examples:
        if "--record" in example:
            Path("game.record.jsonl").unlink()
        result = run(shlex.split(example)[1:])
        assert result.exit_code in ((0, 1) if re.search("fmt --check| trace | diff ", example) else (0,)), (
            example,
            result.output,
        )


def test_every_schema_is_one() -> None:
    for path in SCHEMAS.glob("*.json"):
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))


def test_unknown_verb_names_the_nearest(run: Run) -> None:
    result = run("chek")
    assert result.exit_code == 2
    assert "did you mean 'check'?" in result.stderr


def test_unknown_flag_names_the_nearest(run: Run) -> None:
    result = run("sim pig --gamse 3")
    assert result.exit_code == 2
    assert "--games" in result.stderr


def test_version(run: Run) -> None:
    assert run("--version").stdout.startswith("rulelang ")


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("play pgi", 1, "did you mean 'pig'?"),
        ("play pig --engine refernce", 1, "did you mean 'reference'?"),
        ("play pig --seats randon,human", 1, "did you mean 'random'?"),
        ("play pig --seats random", 1, "RL7004: This game is for 2 seats, not 1."),
        ("play pig --seats random,,random", 2, "commas between"),
        (
            "sim pig --games 3 --option tagret=3",
            1,
            "RL7001: There is no option called 'tagret'. Did you mean 'target'?",
        ),
        ("sim pig --games 3 --option xyz=3", 1, "Its options are target, faces, horizon."),
        ("sim pig --games 3 --option target=1000", 1, "a number from 1 to 100"),
        ("sim goofspiel --games 3 --option order=up", 1, "RL7002: 'order' cannot be 'up'. It is descending or random."),
        ("sim pig --games 3 --option target", 2, "KEY=VALUE"),
        ("sim pig --games 3 --option target=3 --option target=4", 2, "given twice"),
        ("sim pig --games 0", 2, "--games"),
        ("sim pig --games 3 --seats human,random", 2, "rulelang play"),
        ("sim pig --games 3 --seed 99999999999999999999", 2, "--seed"),
        ("perft pig --depth 3 --seats 3", 1, "RL7004"),
        ("perft pig", 2, "--depth"),
        ("play", 2, "Say which game"),
        ("play pig --format json", 2, "without human seats"),
        ("explain-code RL0000", 2, "There is no code"),
        ("check nowhere/game.rules", 1, "RL1001"),
        ("play .", 1, "RL1002"),
    ],
)
def test_wrong_words_on_the_command_line_are_answered(run: Run, command: str, code: int, said: str) -> None:
    result = run(command)
    assert result.exit_code == code
    assert said in " ".join(result.output.split())


def test_rules_are_listed(run: Run) -> None:
    from command_line import conforms

    text = run("rules").stdout
    assert "tic-tac-toe" in text and "target=100 (1..100)" in text
    data = json.loads(run("list --format json").stdout)
    conforms(data, "rules")
    assert {"name": "order", "default": "random", "values": "descending, random"} in [
        option for game in data["rulesets"] for option in game["options"]
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run: Run, shell: str) -> None:
    assert "_RULELANG_COMPLETE" in run(f"completion {shell}").stdout


def test_codes_are_explained(run: Run) -> None:
    result = run("explain-code rl3001")
    assert result.exit_code == 0
    assert "RL3001 Unknown name" in result.stdout
    assert "did you mean 'RL3" in run("explain-code RL301").stderr


def test_graph(run: Run) -> None:
    assert run("graph pig").stdout.startswith("digraph")
    assert run("graph pig --format mermaid").stdout.startswith("flowchart")


# ------------------------------------------------------------------ failures


@pytest.mark.parametrize(
    ("failure", "code", "said"),
    [
        (Broken("a thing"), 3, "bug in rulelang"),
        (KeyError("thing"), 3, "KeyError"),
        (Exhausted("RL8009", "Too much."), 1, "RL8009: Too much."),
        (RecursionError(), 1, "too large"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 0, ""),
        (OSError(28, "No space left on device"), 1, "RL1014"),
    ],
)
def test_every_failure_has_its_code_and_no_traceback(
    failure: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise failure

    assert ending.code_of(fails) == code
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_traceback_of_our_own_bugs_on_demand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RULELANG_DEBUG", "1")

    def fails() -> None:
        raise KeyError("thing")

    assert ending.code_of(fails) == 3
    assert "Traceback" in capsys.readouterr().err


# ------------------------------------------------------------------ real processes


def rulelang(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulelang", *words],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
    )


def test_help_loads_nothing_that_it_does_not_need() -> None:
    code = (
        "import sys; from rulelang.tools.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([m for m in ('lark', 'jsonschema', 'attrs', 'rulelang.ir', 'rulelang.play') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


def test_ctrl_c_while_everything_is_being_loaded_is_no_traceback() -> None:
    script = """
import builtins, runpy, sys
real = builtins.__import__
def interrupted(name, *rest, **named):
    if name == "click":
        raise KeyboardInterrupt
    return real(name, *rest, **named)
builtins.__import__ = interrupted
sys.argv = ["rulelang", "sim", "pig"]
runpy.run_module("rulelang", run_name="__main__")
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_help_is_quick() -> None:
    used = []
    for _ in range(3):
        before = os.times()
        assert rulelang("--help").returncode == 0
        after = os.times()
        used.append(after.children_user + after.children_system - before.children_user - before.children_system)
    assert min(used) < 0.25


def test_a_closed_pipe_is_nothing_to_talk_about() -> None:
    command = f"{shlex.quote(sys.executable)} -m rulelang graph liars-dice | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""


def test_output_that_the_terminal_cannot_encode() -> None:
    Path("wide").mkdir()
    Path("wide/wide.rules").write_text(
        'game "将棋":\n  players: 1\n\noverview:\n  seat(1) must go\n\nmove go:\n  end game, nobody wins\n',
        encoding="utf-8",
    )
    done = rulelang("play", "./wide", "--seats", "random", "--seed", "1", PYTHONIOENCODING="latin-1")
    assert done.returncode == 0, done.stderr
    assert "\\u5c06\\u68cb: random" in done.stdout
    assert "将棋: random" in rulelang("play", "./wide", "--seats", "random", "--seed", "1", PYTHONUTF8="1").stdout


def test_colour_only_on_terminals() -> None:
    Path("bad.rules").write_text("nonsense\n", encoding="utf-8")
    assert "\x1b" not in rulelang("check", "bad.rules").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("command", ["rules", "sim nim --games 3 --seed 1", "check kuhn-poker", "--help"])
def test_a_full_disk_is_told_once_and_in_our_words(command: str) -> None:
    with open("/dev/full", "wb") as full:
        words = [sys.executable, "-m", "rulelang", *command.split()]
        result = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1
    assert "RL1014: The output cannot be written: no space left on device." in result.stderr
    assert "Traceback" not in result.stderr and "Exception" not in result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("command", ["compile nim --plan", "sim nim --games 3"])
def test_what_is_said_beside_may_be_lost(command: str) -> None:
    """What was asked for goes to stdout; a note on stderr that cannot be written costs nothing."""
    with open("/dev/full", "wb") as full:
        words = [sys.executable, "-m", "rulelang", *command.split()]
        result = subprocess.run(words, stdout=subprocess.PIPE, stderr=full, text=True)
    assert result.returncode == 0 and len(result.stdout) > 20


def test_a_wish_that_is_none_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_NATIVE", "phyton")
    result = run("sim nim --games 1 --seed 1 --engine native")
    assert result.exit_code == 2
    assert "RULELANG_NATIVE is 'phyton': it can be 'python'" in result.stderr
    for command in ("rules", "--help", "sim --help", "check nim"):
        assert run(command).exit_code == 0
    for wish in ("", "python"):
        monkeypatch.setenv("RULELANG_NATIVE", wish)
        assert run("sim nim --games 1 --seed 1 --engine native").exit_code == 0


def test_checking_is_quick() -> None:
    def seconds(*words: str) -> float:
        before = os.times()
        assert rulelang(*words).returncode == 0
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    cold = min(seconds("check", "leduc-poker", "--no-cache") for _ in range(2))
    seconds("check", "leduc-poker")
    warm = min(seconds("check", "leduc-poker") for _ in range(2))
    assert cold < 1.2 or cold < 1.2 * slowness()
    assert warm < 0.4 or warm < 0.4 * slowness()


@pytest.mark.parametrize(
    "command", ["sim nim --games 1200 --seed 1", "sim nim --games 20 --seats random,random --seed 1"]
)
def test_an_llvmlite_that_cannot_be_loaded_is_done_without(tmp_path: Path, command: str) -> None:
    broken = tmp_path / "llvmlite"
    broken.mkdir()
    (broken / "__init__.py").write_text('raise ImportError("libLLVM not found")\n')
    path = os.pathsep.join([str(tmp_path), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    words = [sys.executable, "-m", "rulelang", *command.split(), "--engine", "native", "--no-progress"]
    runs = [
        subprocess.run(words, capture_output=True, text=True, env={**os.environ, **more})
        for more in ({"PYTHONPATH": path}, {"RULELANG_NATIVE": "python"})
    ]
    assert runs[0].returncode == runs[1].returncode == 0, runs[0].stderr
    assert runs[0].stdout == runs[1].stdout
