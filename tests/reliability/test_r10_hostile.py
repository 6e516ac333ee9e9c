"""R10. The hostile corpus: at least 200 files in 14 kinds, each with the answer it must get, soon and in little room.

A case is a file of `tests/hostile/<kind>/`. What must come of it stands in its first line, or for formats that have no
comments in `expected.toml` of its folder:

    refused: RL2009 line 4          these messages, at these lines; ``, and 97 more`` behind the first three
    refused at once: ...            the same, and within a tenth of a second: it is beyond a limit
    exhausted: RL6004 line 5        sound rules that reach a limit when the game is set up or played
    accepted                        and a few moves can be played, on both interpreters; ``, native RL8023`` if the
                                    native one has no form for it, and the other one answers alone
    passed, error line 9, ...       what becomes of the scenarios of a play file

By the end of the name: ``.rules``, ``.play``, ``.toml`` (data of the game in `game/`), ``.jsonl`` (a record of
tic-tac-toe), ``.json`` (a compiled program); ``.folder`` several files and links; ``.session`` a command with what is
typed and who reads. A ``.recipe`` says what a file that would be large consists of.
"""

import errno
import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from made_games import ROOT
from pace import in_time, slowness
from test_r01_any_text import MEMORY, SECONDS, report_memory

from rulelang.diagnostics.diagnostic import Diagnostic
from rulelang.failures import Diagnosed, Exhausted, Refused
from rulelang.ir.program import Program
from rulelang.pipeline import compile_file, compile_text, engine_named, load
from rulelang.play.record import RecordFault
from rulelang.play.record_reading import read_header, read_record
from rulelang.play.replay import replay
from rulelang.scenarios.check import check_file
from rulelang.scenarios.files import Library, read_play_file
from rulelang.scenarios.run import run_scenario
from rulelang.testing import Dice, legal_event
from rulelang.testing.damage import damaged
from rulelang.testing.damaged_documents import damaged_bytes, damaged_json
from rulelang.testing.damaged_words import reworded

HOSTILE = ROOT / "tests" / "hostile"
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # so it is in the background, and processes would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

STUCK = 600
"""Seconds by the clock after which a silent process is stuck; what it may take is counted in CPU seconds."""
KINDS = (
    "nesting",
    "unary-chains",
    "long-sums",
    "ten-megabytes",
    "huge-numbers",
    "doubling-lists",
    "inlining-blow-up",
    "giant-boards",
    "windows-for-ever",
    "import-cycles",
    "confusable-names",
    "hostile-ir",
    "a-million-errors",
    "slow-terminals",
)
AT_ONCE = 0.1
"""CPU seconds for what is beyond a limit."""

MOVES = 2
INTERNAL = re.compile(r"__ANON|Traceback|object at 0x|Unexpected(?:Token|Char)|<class|[A-Z]\w+Error\b|lark\b")
"""What no message says."""


# ------------------------------------------------------------------ cases


def cases(kind: str) -> list[Path]:
    """The files of a kind, without what says what is expected."""
    return sorted(path for path in (HOSTILE / kind).iterdir() if path.name != "expected.toml")


def expected(path: Path) -> str:
    """What must come of a case."""
    if path.suffix in (".recipe", ".folder", ".session"):
        return str(tomllib.loads(path.read_text("utf-8"))["expected"])
    if path.suffix in (".json", ".jsonl"):
        return str(tomllib.loads((path.parent / "expected.toml").read_text("utf-8"))[path.name])
    return path.read_text("utf-8").partition("\n")[0].removeprefix("# ")


def contents(path: Path) -> tuple[str, bytes]:
    """The format of a case and what is in the file; recipes are followed."""
    if path.suffix != ".recipe":
        return path.suffix, path.read_bytes()
    recipe = tomllib.loads(path.read_text("utf-8"))
    return f".{recipe['as']}", b"".join(_part(*part) for part in recipe["parts"])


def _part(text: str, times: int = 1, written: str = "text") -> bytes:
    """A piece of a file, so many times; ``<n>`` in it counts from 1, ``<n+1>`` is the next number."""
    if written == "hex":
        return bytes.fromhex(text) * times
    if "<n" not in text:
        return text.encode() * times
    return "".join(text.replace("<n>", str(n)).replace("<n+1>", str(n + 1)) for n in range(1, times + 1)).encode()


# ------------------------------------------------------------------ what comes of them


def outcome(form: str, data: bytes, folder: Path) -> str:
    """What comes of a file of some format, in the words of the expectation."""
    path = folder / f"case{form}"
    path.write_bytes(data)
    try:
        return FORMS[form](path)
    except Diagnosed as failure:
        return refused(failure)
    finally:
        path.unlink()


def refused(failure: Diagnosed) -> str:
    """The codes and lines of a report, the first three of them; none of its words is ours."""
    text = str(failure)
    assert not INTERNAL.search(text), text[:500]
    assert len(text) < 200_000, len(text)
    if isinstance(failure, RecordFault):
        return f"refused: {failure.code}" + (f" line {failure.line}" if failure.line is not None else "")
    found = [_told(each) for each in failure.diagnostics]
    more = f", and {len(found) - 3} more" if len(found) > 3 else ""
    return f"refused: {', '.join(found[:3])}{more}"


def _told(each: Diagnostic) -> str:
    if each.place is not None:
        file = Path(each.place.file).name
        beside = f" of {file}" if not file.startswith(("case.", "components.toml", "main.")) else ""
        return f"{each.code.number} line {each.place.line}{beside}"
    pointer = re.match(r"[^ ]*?: (/\S*):", each.message)
    return each.code.number + (f" at {pointer[1]}" if pointer is not None else "")


def of_program(program: Program) -> str:
    """What comes of playing a few moves; both interpreters must agree."""
    found = {name: _played(program, name) for name in ("reference", "native")}
    if found["native"][0].startswith("exhausted: RL8023"):  # it says that it has no form for this
        return f"{found['reference'][0]}, native RL8023"
    assert found["reference"] == found["native"], found
    return found["reference"][0]


def _played(program: Program, engine: str) -> tuple[str, tuple[bytes, ...]]:
    states: list[bytes] = []
    try:
        state = engine_named(engine).configure(program, program.fewest_seats, {}).start()
        dice = Dice.seeded(91)
        for _ in range(MOVES):
            states.append(state.to_bytes())
            for seat in (None, *range(program.fewest_seats)):
                state.view(seat)
            event = legal_event(state, dice)
            if event is None:
                break
            state = state.step(event)
    except Exhausted as failure:
        assert not INTERNAL.search(str(failure)), failure
        return f"exhausted: {failure.code}" + (f" line {failure.line}" if failure.line else ""), tuple(states)
    except Refused as failure:
        return f"refused: {failure.reasons[0].code}", ()
    return "accepted", tuple(states)


def of_rules(path: Path) -> str:
    """Rules, or a compiled program: read, closed and played."""
    return of_program(compile_file(path).program)


def of_data(path: Path) -> str:
    """Data of the game in `game/`."""
    for file in (HOSTILE / "game").iterdir():
        (path.parent / file.name).write_bytes(file.read_bytes())
    (path.parent / "components.toml").write_bytes(path.read_bytes())
    return of_rules(path.parent / "shells.rules")


def of_plays(path: Path) -> str:
    """Scenarios, checked and run."""
    found: list[str] = []
    for each in check_file(read_play_file(path), Library()):
        result = run_scenario(each, engine_named("reference"))
        assert not INTERNAL.search(result.reason), result.reason
        line = re.match(r"line \d+", result.reason)
        lines = [f"line {complaint.line}" for complaint in result.complaints[:1]]
        found.append(" ".join([result.status, *lines, *([line[0]] if line else [])]))
    return ", ".join(dict.fromkeys(found))


@cache
def recorded_game() -> Any:
    return load("tic-tac-toe").configure().game


def of_record(path: Path) -> str:
    """A record of tic-tac-toe, read and replayed."""
    read_header(path)
    replay(recorded_game(), read_record(path, recorded_game().program))
    return "accepted"


FORMS: dict[str, Callable[[Path], str]] = {
    ".rules": of_rules,
    ".json": of_rules,
    ".toml": of_data,
    ".play": of_plays,
    ".jsonl": of_record,
}


def of_folder(case: Path, folder: Path) -> str:
    """Several files, with links; the first one is compiled, or its scenarios run."""
    said = tomllib.loads(case.read_text("utf-8"))
    for name, text in said["files"].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        data = b"".join(_part(*part) for part in text) if isinstance(text, list) else text.encode()
        (folder / name).write_bytes(data)
    for name, target in said.get("links", {}).items():
        (folder / name).symlink_to(target)
    first = folder / next(iter(said["files"]))
    try:
        return FORMS[first.suffix](first)
    except Diagnosed as failure:
        return refused(failure)


def result_of(case: Path) -> str:
    """What comes of a case."""
    with tempfile.TemporaryDirectory() as name:
        if case.suffix == ".session":
            return of_session(case, Path(name))
        if case.suffix == ".folder":
            return of_folder(case, Path(name))
        form, data = contents(case)
        return outcome(form, data, Path(name))


# ------------------------------------------------------------------ sessions


def of_session(case: Path, folder: Path) -> str:
    """A command in an empty folder: how it ends, with what it must have said, and what its process took."""
    said = tomllib.loads(case.read_text("utf-8"))
    for name, text in said.get("files", {}).items():
        (folder / name).write_text(text, encoding="utf-8")
    typed = b"".join(_part(*part) for part in said.get("typed", []))
    kept = {key: os.environ[key] for key in ("PATH", "PYTHONPATH", "HOME") if key in os.environ}
    environment = {**kept, "LC_ALL": "C.UTF-8", "XDG_CACHE_HOME": str(folder / "cache"), **said.get("environment", {})}
    command = [sys.executable, "-m", "rulelang", *shlex.split(said["command"])]
    code, output, spent, room = Session(said).run(command, typed, folder, environment)
    text = output.decode("utf-8", "replace")
    assert not INTERNAL.search(text), text[-500:]
    assert spent < SECONDS or spent < SECONDS * slowness(), (case.name, spent)
    assert room < MEMORY, (case.name, room)
    for words in said.get("says", []):
        assert words in text, (case.name, words, text[-800:])
    for words in said.get("never_says", []):
        assert words not in text, (case.name, words)
    return f"exit {code}"


class Session:
    """One run of a command, with somebody at the other end who may be slow, go away, or press Ctrl-C."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.size = said.get("terminal")
        """Columns and rows of a terminal; without, it runs in pipes."""
        self.bite = said.get("reads", 65_536)
        """Bytes that are read at once."""
        self.pause = said.get("pause", 0.0)
        """Seconds between two bites."""
        self.leaves = said.get("leaves_after")
        """Bytes after which nobody reads any more."""
        self.interrupt = said.get("interrupt_at")
        """Words at which Ctrl-C is pressed."""

    def run(
        self, command: list[str], typed: bytes, folder: Path, environment: dict[str, str]
    ) -> tuple[int, bytes, float, int]:
        """The exit code, what was said, CPU seconds, and bytes of memory."""
        if self.size is not None:
            control, inside = pty.openpty()
            fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", self.size[1], self.size[0], 0, 0))
            ends = (inside, inside, inside)
            reading = writing = control
        else:
            inside, writing = os.pipe()
            reading, outside = os.pipe()
            ends = (inside, outside, outside)
        process = subprocess.Popen(
            command, stdin=ends[0], stdout=ends[1], stderr=ends[2], cwd=folder, env=environment, start_new_session=True
        )
        for end in set(ends):
            os.close(end)
        output = self._talk(process, reading, writing, typed)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        scale = 1 if sys.platform == "darwin" else 1024
        return process.returncode, output, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale

    def _talk(self, process: "subprocess.Popen[bytes]", reading: int, writing: int, typed: bytes) -> bytes:
        """Type and read until the other end is closed."""
        output, left, there = b"", typed, True
        os.set_blocking(writing, False)
        while there:
            wanted = [writing] if left and writing >= 0 else []
            ready, free, _ = select.select([reading], wanted, [], STUCK)
            assert ready or free, "it neither reads nor writes"
            if free:
                try:
                    left = left[os.write(writing, left[:4096]) :]
                except BlockingIOError:
                    pass
                except OSError:
                    left = b""
            if not left and writing not in (reading, -1):
                os.close(writing)
                writing = -1
            if ready:
                try:
                    more = os.read(reading, self.bite)
                except OSError as failure:  # a terminal whose other end is closed
                    assert failure.errno == errno.EIO
                    more = b""
                output, there = output + more, bool(more)
                if self.leaves is not None and len(output) >= self.leaves:
                    there = False
                if self.interrupt is not None and self.interrupt.encode() in output:
                    os.killpg(process.pid, signal.SIGINT)
                    self.interrupt = None
                time.sleep(self.pause)
        for end in {reading, writing} - {-1}:
            os.close(end)
        return output


# ------------------------------------------------------------------ the checks


def check(case: Path) -> None:
    """Hold one case against its expectation, and its time against the limits."""
    wanted = expected(case)
    limit = AT_ONCE if " at once:" in wanted else SECONDS
    name = f"{case.parent.name}/{case.name}"
    found = in_time(lambda: result_of(case), limit, name)
    assert found == wanted.replace(" at once:", ":"), (name, found, wanted)


def warm() -> None:
    """What is loaded once is loaded, so that cases are measured and not the start of a program."""
    program = compile_text((HOSTILE / "game" / "warm.rules").read_text("utf-8")).program
    of_program(program)
    with tempfile.TemporaryDirectory() as name:
        outcome(".toml", b'[[shell]]\nid = "a"\nname = "A"\npoints = 1\n', Path(name))
        outcome(".play", b'rules a:\n  game "A":\n    players: 2\n', Path(name))
        outcome(".json", b"{}", Path(name))
        outcome(".jsonl", b"{}\n", Path(name))
        outcome(".rules", b'game "A":\n  players: 2\n  uses: lines\n', Path(name))
        outcome(".rules", b"\xff", Path(name))


def check_kind(kind: str) -> None:
    """All cases of a kind; then print how much memory they took."""
    warm()
    for case in cases(kind):
        check(case)
    report_memory()


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_files_get_their_answer_in_time_and_memory(kind: str) -> None:
    """In a process of its own, so that its memory can be measured."""
    code = f"import test_r10_hostile as t; t.check_kind({kind!r})"
    paths = [str(ROOT / "tests" / "reliability"), str(ROOT / "tests"), str(ROOT), str(ROOT / "interpreters")]
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {paths!r}; {code}"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr[-2000:]
    print(kind, f"{int(run.stdout) / 1024**2:.0f} MiB")
    assert int(run.stdout) < MEMORY


def test_there_are_two_hundred_files_in_fourteen_kinds() -> None:
    assert len(KINDS) == 14
    assert {path.name for path in HOSTILE.iterdir() if path.is_dir()} == {*KINDS, "game"}
    count = {kind: len(cases(kind)) for kind in KINDS}
    assert min(count.values()) >= 10, count
    assert sum(count.values()) >= 200, count


def test_the_corpus_is_small_and_no_case_is_there_twice() -> None:
    files = [path for path in HOSTILE.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 1_000_000
    assert max(Counter(path.read_bytes() for path in files).values()) == 1


def test_every_expectation_of_a_folder_belongs_to_a_file() -> None:
    for said in HOSTILE.glob("*/expected.toml"):
        listed = set(tomllib.loads(said.read_text("utf-8")))
        assert listed == {path.name for path in cases(said.parent.name) if path.suffix in (".json", ".jsonl")}


def test_a_wrong_expectation_is_noticed(tmp_path: Path) -> None:
    case = tmp_path / "wrong.rules"
    case.write_text('# accepted\ngame "A":\n  players: 2\ndefine a = b\noverview: end game, nobody wins\n')
    with pytest.raises(AssertionError, match="RL3001 line 4"):
        check(case)


# ------------------------------------------------------------------ mutants


def mutants(first: int, count: int) -> Iterator[tuple[Path, str, bytes]]:
    """Damaged cases of the corpus, by number."""
    files = [case for kind in KINDS for case in cases(kind) if case.suffix not in (".session", ".folder")]
    for number in range(first, first + count):
        dice = Dice.seeded(92, number)
        case = dice.pick(files)
        form, data = contents(case)
        yield case, form, _mutant(form, data, dice)


def _mutant(form: str, data: bytes, dice: Dice) -> bytes:
    if len(data) > 200_000 or dice.chance(15):
        return damaged_bytes(data, dice)
    text = data.decode("utf-8", "replace")
    if form in (".json", ".jsonl"):
        return damaged_json(text, dice).encode("utf-8", "surrogatepass")
    return (reworded(text, dice) if dice.chance(50) else damaged(text, dice)).encode("utf-8", "surrogatepass")


def fuzz_mutants(first: int, count: int) -> Counter[str]:
    """What comes of damaged cases: any answer, but an answer, and in time."""
    found: Counter[str] = Counter()
    warm()
    with tempfile.TemporaryDirectory() as name:
        for case, form, data in mutants(first, count):
            seconds = SECONDS * max(1, len(data) / 16_384)
            found[in_time(partial(outcome, form, data, Path(name)), seconds, case.name).split(" ")[0]] += 1
    return found


def test_damaged_cases_get_an_answer() -> None:
    assert sum(fuzz_mutants(0, 150).values()) == 150
