"""The runner of long runs: what it writes into its ledger, and what becomes of a batch that goes wrong."""

import importlib.util
import json
import os
import subprocess
import sys
import threading
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
    return soak.Run(kinds, path, 4, "abc", time.monotonic() + 60, kinds)


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
    asked = subprocess.run([*command, "--minutes", "1e-9", "--ledger", str(ledger)], capture_output=True, text=True)
    assert (asked.returncode, asked.stdout) == (0, "seed 1: 0 batches, 0 CPU s, 0 findings\n")
    assert soak.Ledger.at(ledger).lines == []  # the row that kept the seed is gone
    for wrong in (["--rows", "R99"], ["--batch", "R99 nothing"]):
        asked = subprocess.run([*command, *wrong], capture_output=True, text=True)
        assert asked.returncode == 2 and "there is no " in asked.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        *((f"--minutes {text}", "is no number of minutes above 0") for text in ("-1", "0", "nan", "inf", "an_hour")),
        *((f"--jobs {text}", "is no whole number from 1 to 1000") for text in ("0", "-1", "1.5", "1001", "two")),
        *((f"--rows {text}", "is no list of rows") for text in (",", "R1,", "R1,,R3")),
        *((f"--count {text}", "is no whole number from 1 to 1000000000") for text in ("0", "-1", "1000000001")),
        *(
            (f"--seed {text}", "is no whole number from 0 to 9223372035")
            for text in ("-1", "9223372036", "1e9", "9" * 99)
        ),
        *((f"--first {text}", "is no whole number from 0 to") for text in ("-1", "9223372036854775808")),
        ("--batch R9_rulesets --first 9223372036854775807 --count 2", "there is no number beyond 9223372036854775807"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: str, said: str
) -> None:
    error = refused(capsys, monkeypatch, *(word.replace("_", " ") for word in words.split()))
    assert said in error


def test_no_rows_are_no_rows(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "'' is no list of rows, such as R1,R3" in refused(capsys, monkeypatch, "--rows", "")


def refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What is said of an order that is refused before any work."""
    monkeypatch.setattr(sys, "argv", ["soak.py", *words])
    monkeypatch.setattr(soak.Run, "work", lambda self: pytest.fail("it has begun to work"))
    with pytest.raises(SystemExit) as left:
        soak.main()
    assert left.value.code == 2
    error = capsys.readouterr().err
    assert "Traceback" not in error
    return error


# ------------------------------------------------------------------ the ledger


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# rulelang\n\nPeople write games as text.\n", "it does not begin as one"),
        ("## Runs\n\n| a | b |\n", "it does not begin as one"),
        ("HEAD\n## Runs\n\n| a | b |\n", "no ledger"),
        ("HEAD\n## Runs\n\nmy own words\n", "line 9 is no run"),
        ("HEAD\n## Findings\n\nmy own words\n", "line 9 is no finding"),
        ("HEAD\n## Notes\n\nmy own words\n", "line 7 begins a part that a ledger does not have"),
        ("HEAD\n## Runs\n\n| a | b | R1 | 9223372035 | 1 |  | 1 | 0 |\n", "it has no seed left"),
        ("\udcff", "is no ledger"),
        (None, "is a directory"),
    ],
)
def test_what_is_no_ledger_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str | None, said: str
) -> None:
    path = tmp_path / "notes.md"
    if text is None:
        path.mkdir()
    else:
        path.write_text(text.replace("HEAD", soak.HEAD), encoding="utf-8", errors="surrogateescape")
    before = None if text is None else path.read_bytes()
    error = refused(capsys, monkeypatch, "--minutes", "0.01", "--ledger", str(path))
    assert said in error and str(path) in error
    assert before is None or path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_an_empty_file_becomes_a_ledger(tmp_path: Path) -> None:
    path, work = tmp_path / "ledger.md", Work("R0 games")
    path.write_text("\n", encoding="utf-8")
    going = soak.begun(run(path, work), None)
    assert going.seed == 1 and [line.seed for line in soak.Ledger.at(path).lines] == [1]


@pytest.mark.parametrize("folder", ["/proc", "nowhere/inside"])
def test_a_ledger_that_cannot_be_written_is_refused_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    path = tmp_path / folder / "ledger.md"  # '/proc' stays what it is
    if folder == "/proc" and not Path(folder).is_dir():
        pytest.skip("there is no such place here")
    error = refused(capsys, monkeypatch, "--minutes", "0.1", "--ledger", str(path))
    assert f"the ledger '{path}' cannot be written: no such file or directory" in error


def test_a_ledger_that_cannot_be_written_any_more_is_told_and_nothing_is_lost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, work = tmp_path / "ledger.md", Work("R0 games")
    going = soak.begun(run(path, work), None)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(soak.os, "replace", full)
        going.note(work, 0, {"totals": {"games": 100}, "seconds": 60.0})
        going.note(work, 5, {"error": "OSError: no", "seconds": 2.0})
        told = capsys.readouterr().err
        assert told.count(f"the ledger '{path}' cannot be written: no space left on device; it is tried again") == 2
        assert going.end() == 3
    told = capsys.readouterr()
    assert (
        "| abc | R0 games | 1 | 2 | 100 games | 62 | 1 |\n- abc, R0 games, 5 numbers from 5: `OSError: no`\n"
        in told.out
    )
    assert told.out.endswith("seed 1: 2 batches, 62 CPU s, 1 finding\n") and "cannot be written" in told.err
    assert [entry.name for entry in tmp_path.iterdir()] == ["ledger.md"]
    assert going.end() == 1  # there is room again
    ledger = soak.Ledger.at(path)
    assert [str(line).endswith("| 2 | 100 games | 62 | 1 |") for line in ledger.lines] == [True]
    assert ledger.findings == ["- abc, R0 games, 5 numbers from 5: `OSError: no`"]


def test_a_ledger_that_is_none_any_more_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, work = tmp_path / "ledger.md", Work("R0 games")
    going = soak.begun(run(path, work), None)
    path.write_text("my own words\n", encoding="utf-8")
    going.note(work, 0, {"totals": {"games": 100}, "seconds": 60.0})
    assert going.end() == 3 and path.read_text(encoding="utf-8") == "my own words\n"
    assert "100 games" in capsys.readouterr().out


def test_what_breaks_the_runner_itself_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_process(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(soak.subprocess, "Popen", no_process)
    monkeypatch.setattr(soak, "the_commit", lambda: "abc")
    monkeypatch.setattr(sys, "argv", ["soak.py", "--minutes", "1", "--ledger", str(tmp_path / "ledger.md")])
    assert soak.main() == 3
    told = capsys.readouterr()
    assert "seed 1: 0 batches" in told.out and "BlockingIOError" in told.err and "Traceback" not in told.err


def one_of_many(path: Path, number: int) -> None:
    work = Work(f"R0 {number}")
    going = soak.begun(run(path, work), None)
    for batch in range(5):
        going.note(work, batch, {"totals": {"games": 1}, "seconds": 1.0} | ({"error": "no"} if batch == 4 else {}))


def test_runs_at_the_same_time_have_seeds_of_their_own_and_lose_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "ledger.md"
    threads = [threading.Thread(target=one_of_many, args=(path, number)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ledger = soak.Ledger.at(path)
    assert sorted(line.seed for line in ledger.lines) == list(range(1, 9))
    assert sorted(line.kind for line in ledger.lines) == [f"R0 {number}" for number in range(8)]
    assert {(line.batches, line.findings) for line in ledger.lines} == {(5, 1)} and len(ledger.findings) == 8
    assert list(tmp_path.iterdir()) == [path]


def test_whoever_holds_the_ledger_is_waited_for(tmp_path: Path) -> None:
    path, work = tmp_path / "ledger.md", Work("R0 games")
    going = soak.begun(run(path, work), None)
    with soak.locked(path):
        writing = threading.Thread(target=going.note, args=(work, 0, {"totals": {"games": 1}, "seconds": 1.0}))
        writing.start()
        time.sleep(0.2)
        assert soak.Ledger.at(path).lines[0].batches == 0
    writing.join()
    assert soak.Ledger.at(path).lines[0].batches == 1 and os.listdir(tmp_path) == ["ledger.md"]


def test_what_is_written_by_hand_meanwhile_stays(tmp_path: Path) -> None:
    path, work = tmp_path / "ledger.md", Work("R0 games")
    going = run(path, work)
    going.note(work, 0, {"error": "OSError: no", "seconds": 2.0})  # type: ignore[attr-defined]
    path.write_text(path.read_text(encoding="utf-8") + "  Mended: there was none.\n", encoding="utf-8")
    going.note(work, 5, {"error": "OSError: again", "seconds": 2.0})  # type: ignore[attr-defined]
    first, mended, second = soak.Ledger.at(path).findings
    assert "OSError: no" in first and mended == "  Mended: there was none." and "OSError: again" in second
