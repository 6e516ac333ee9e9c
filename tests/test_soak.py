"""The runner of long runs: what it writes into its ledger, and what becomes of a batch that goes wrong."""

import importlib.util
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import ModuleType, SimpleNamespace

import attrs
import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "soak.py"


def module() -> ModuleType:
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("soak_script", SCRIPT)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


soak = module()


@attrs.frozen
class Work:
    """Stands in for a kind of work."""

    key: str
    what: str = "nothing much"
    count: int = 5
    weight: int = 1
    goals: dict[str, int] = attrs.field(factory=lambda: {"games": 400}, hash=False)
    row: str = "R0"


def run(path: Path, *kinds: Work) -> object:
    return soak.Run(kinds, soak.Ledger.at(path), 4, "abc", time.monotonic() + 60, kinds)


def test_the_ledger_is_read_as_it_was_written(tmp_path: Path) -> None:
    path, work = tmp_path / "ledger.md", Work("R0 games")
    going = run(path, work)
    going.note(work, 0, {"totals": {"games": 100, "moves": 12_345}, "seconds": 61.4})  # type: ignore[attr-defined]
    going.note(work, 5, {"totals": {"games": 110}, "seconds": 60.0})  # type: ignore[attr-defined]
    going.note(work, 10, {"error": "AssertionError: a `tick`\nand more", "seconds": 2.0})  # type: ignore[attr-defined]
    text = path.read_text(encoding="utf-8")
    assert "| R0 games | nothing much | 210 games, 12,345 moves | 52 % of 400 games | 123 | 1 |" in text
    assert "- abc, R0 games, 5 numbers from 10: `AssertionError: a 'tick' and more`" in text
    again = soak.Ledger.at(path)
    (line,) = again.lines
    assert (line.batches, line.findings, line.totals) == (3, 1, Counter(games=210, moves=12_345))
    assert again.next_seed() == 5
    again.write((work,))
    assert path.read_text(encoding="utf-8") == text


def test_findings_may_be_written_about(tmp_path: Path) -> None:
    path, work = tmp_path / "ledger.md", Work("R0 games")
    run(path, work).note(work, 0, {"error": "OSError: no", "seconds": 2.0})  # type: ignore[attr-defined]
    path.write_text(path.read_text(encoding="utf-8") + "  Mended: there was none.\n", encoding="utf-8")
    ledger = soak.Ledger.at(path)
    ledger.write((work,))
    assert path.read_text(encoding="utf-8").endswith("`OSError: no`\n  Mended: there was none.\n")


def test_the_kind_that_had_least_of_its_share_is_next(tmp_path: Path) -> None:
    some, more = Work("R0 some"), Work("R0 more", weight=4)
    going = run(tmp_path / "ledger.md", some, more)
    going.note(some, 0, {"totals": {"games": 1}, "seconds": 30.0})  # type: ignore[attr-defined]
    going.note(more, 0, {"totals": {"games": 1}, "seconds": 100.0})  # type: ignore[attr-defined]
    assert min((some, more), key=going.had) == more  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import json; print(json.dumps({'totals': {'games': 2}, 'seconds': 1.5}))", None),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended with -9"),
        ("import sys; sys.exit('no room')", "ended with 1: no room"),
        ("import time; time.sleep(600)", "not done within 1 seconds"),
    ],
)
def test_a_batch_that_dies_or_hangs_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, words: str | None
) -> None:
    def started(command: list[str], **options: object) -> "subprocess.Popen[str]":
        return subprocess.Popen([sys.executable, "-c", code], **options)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(soak, "subprocess", SimpleNamespace(**{**vars(subprocess), "Popen": started}))
    if "sleep" in code:
        monkeypatch.setattr(soak, "WAITED", 1)
    said = run(tmp_path / "ledger.md").batch(Work("R0 games"), 0)  # type: ignore[attr-defined]
    assert said == {"totals": {"games": 2}, "seconds": 1.5} if words is None else said["error"].startswith(words)


def test_a_run_is_said_and_its_batches_can_be_repeated(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.md"
    command = [sys.executable, str(SCRIPT)]
    batch = [*command, "--batch", "R9 rulesets", "--first", "7", "--count", "2"]
    said = [json.loads(subprocess.run(batch, capture_output=True, text=True, check=True).stdout) for _ in range(2)]
    assert said[0]["totals"] == said[1]["totals"] and said[0]["totals"]["games"] == 2
    asked = subprocess.run([*command, "--minutes", "0", "--ledger", str(ledger)], capture_output=True, text=True)
    assert (asked.returncode, asked.stdout) == (0, "seed 1: 0 batches, 0 CPU s, 0 findings\n")
    ledger.write_text("## Runs\n\n| a | b |\n", encoding="utf-8")
    asked = subprocess.run([*command, "--minutes", "0", "--ledger", str(ledger)], capture_output=True, text=True)
    assert asked.returncode == 2 and "is no ledger" in asked.stderr and "Traceback" not in asked.stderr
    for wrong in (["--rows", "R99"], ["--batch", "R99 nothing"]):
        asked = subprocess.run([*command, *wrong], capture_output=True, text=True)
        assert asked.returncode == 2 and "there is no " in asked.stderr
