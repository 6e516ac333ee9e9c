"""Long runs of the reliability table (R1 to R11), and the ledger that says what was run and what came of it.

    python scripts/soak.py [--minutes 60] [--jobs 1] [--rows R1,R3] [--seed N] [--ledger docs/soak-ledger.md]

Batches of work (`tests/reliability/long_runs.py`) are run in processes of their own until the time is over, the kind
that has had least of its share of the time first. A batch that raises, dies or takes more than 20 CPU minutes is a
finding: it goes into the ledger with the numbers that repeat it, and the exit code is 1. The ledger is written after
every batch, so that Ctrl-C loses only the batch that it falls into. Every run has a seed, which is where its numbers
begin; without `--seed` it is the first one that the ledger does not have. A finding is repeated with

    python scripts/soak.py --batch "R7 generated" --first 3000000100 --count 100

Several runs may write one ledger at the same time: each reads it again before it writes, and changes nothing but its
own rows, while it holds a lock (`flock` on `.NAME.lock` beside it; on file systems that have none this is not so). A
file that is no ledger is not written over. If the ledger cannot be written in the middle of a run, that is said, it is
tried again after the next batch, and what is not in it at the end is printed; the exit code is 3 then. What cannot be
asked for ends with 2, before any work.
"""

import argparse
import contextlib
import datetime
import fcntl
import json
import math
import os
import re
import resource
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from long_runs import Kind

ROOT = Path(__file__).resolve().parent.parent
SEED = 1_000_000_000
"""Numbers of one run, at most."""
MOST_NUMBER = 2**63 - 1
"""Seeds of games and texts have 64 bits, with a sign."""
MOST_SEED = MOST_NUMBER // SEED - 1
UNWRITTEN = 3
"""The exit code if not everything is in the ledger."""
LONGEST = 20 * 60
"""CPU seconds for one batch; none needs a tenth of it."""
WAITED = 6 * LONGEST
"""Seconds by the clock, as a machine may be busy with other things."""

HEAD = """# Soak ledger

What long runs of the reliability checks R1 to R11 have done, newest last. `python scripts/soak.py` runs them and writes
this file. The numbers of a run begin at its seed times 1,000,000,000; the same numbers give the same work at the same
commit. A `+` behind a commit: there were changes that it does not have.
"""
RUNS = "| day | commit | kind | seed | batches | totals | CPU s | findings |"
RULE = "|---|---|---|---|---|---|---|---|"


def long_runs() -> Any:
    """The kinds of work, with the tests that they take their checks from."""
    sys.path[:0] = [str(ROOT / "tests" / "reliability"), str(ROOT / "tests"), str(ROOT), str(ROOT / "interpreters")]
    import long_runs

    return long_runs


@attrs.define
class Line:
    """What one run has done of one kind of work."""

    day: str
    commit: str
    kind: str
    seed: int
    batches: int = 0
    totals: Counter[str] = attrs.field(factory=Counter)
    seconds: float = 0.0
    findings: int = 0

    def __str__(self) -> str:
        totals = ", ".join(f"{count:,} {name}" for name, count in sorted(self.totals.items()))
        cells = (
            self.day,
            self.commit,
            self.kind,
            self.seed,
            self.batches,
            totals,
            f"{self.seconds:,.0f}",
            self.findings,
        )
        return "| " + " | ".join(str(cell) for cell in cells) + " |"

    @classmethod
    def read(cls, text: str) -> "Line":
        """A line of the ledger. Raises ValueError if it is none."""
        day, commit, kind, seed, batches, totals, seconds, findings = (
            cell.strip() for cell in text.strip("| \n").split(" | ")
        )
        counts = Counter[str]()
        for part in totals.split(", ") if totals else ():
            count, _, name = part.partition(" ")
            counts[name] += number(count)
        return cls(day, commit, kind, number(seed), number(batches), counts, float(number(seconds)), number(findings))


def number(text: str) -> int:
    return int(text.replace(",", ""))


@attrs.define
class Ledger:
    """The file, as lines of runs and of findings."""

    path: Path
    lines: list[Line] = attrs.field(factory=list)
    findings: list[str] = attrs.field(factory=list)

    @classmethod
    def at(cls, path: Path) -> "Ledger":
        """What the file says; nothing if it is not there or empty. Raises ValueError if it is no ledger, OSError."""
        ledger = cls(path)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if not text.strip():
            return ledger
        if not text.startswith(HEAD):
            raise ValueError("it does not begin as one")
        part = ""
        for place, line in enumerate(text.splitlines(), 1):
            if line.startswith("## "):
                part = line
            elif part == "## Runs" and line.startswith("| ") and line != RUNS:
                ledger.lines.append(Line.read(line))
            elif part == "## Findings" and line.startswith(("- ", "  ")):
                ledger.findings.append(line)
            elif part in ("## Runs", "## Findings") and line not in ("", RUNS, RULE, "None."):
                raise ValueError(f"line {place} is no {'run' if part == '## Runs' else 'finding'}")
            if part not in ("", "## Totals", "## Runs", "## Findings"):
                raise ValueError(f"line {place} begins a part that a ledger does not have")
        return ledger

    def next_seed(self) -> int:
        return 1 + max((line.seed for line in self.lines), default=0)

    def put(self, lines: Iterable[Line], findings: Iterable[str]) -> None:
        """The rows of one run in place of what was there of it, and findings behind the others."""
        for line in lines:
            same = [place for place, each in enumerate(self.lines) if (each.seed, each.kind) == (line.seed, line.kind)]
            if same:
                self.lines[same[0]] = line
            else:
                self.lines.append(line)
        self.findings += findings

    def write(self, kinds: "tuple[Kind, ...]") -> None:
        """Write the file anew, all at once. Raises OSError."""
        target = self.path.resolve()
        beside = target.with_name(target.name + ".new")
        try:
            beside.write_text("\n".join(self.text(kinds)) + "\n", encoding="utf-8")
            os.replace(beside, target)
        except OSError:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise

    def text(self, kinds: "tuple[Kind, ...]") -> list[str]:
        """The file's lines: totals over all runs, the runs, the findings."""
        hours = sum(line.seconds for line in self.lines) / 3600
        runs = len({line.seed for line in self.lines})
        found = sum(line.findings for line in self.lines)
        text = [HEAD, "## Totals", "", f"{many(runs, 'run')}, {hours:.1f} CPU hours, {many(found, 'finding')}.", ""]
        text += ["| row | what | totals | of the goal | CPU s | findings |", "|---|---|---|---|---|---|"]
        for kind in kinds:
            lines = [line for line in self.lines if line.kind == kind.key]
            totals = sum((line.totals for line in lines), Counter[str]())
            goals = ", ".join(f"{100 * totals[name] // goal} % of {goal:,} {name}" for name, goal in kind.goals.items())
            counts = ", ".join(f"{count:,} {name}" for name, count in sorted(totals.items()))
            seconds, findings = sum(line.seconds for line in lines), sum(line.findings for line in lines)
            text.append(f"| {kind.key} | {kind.what} | {counts} | {goals} | {seconds:,.0f} | {findings} |")
        text += ["", "## Runs", "", RUNS, RULE, *map(str, self.lines), "", "## Findings", ""]
        return [*text, *(self.findings or ["None."])]


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Nobody else writes a ledger meanwhile. Raises OSError."""
    target = path.resolve()
    beside = target.with_name(f".{target.name}.lock")
    handle = held(beside)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()  # before it is let go: who waits for it sees that it is no longer there
        os.close(handle)


def held(beside: Path) -> int:
    """A lock file that is there and that nobody else holds, opened. Raises OSError."""
    while True:
        handle = os.open(beside, os.O_CREAT | os.O_RDWR, 0o666)
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        try:
            if os.path.samestat(os.fstat(handle), os.stat(beside)):
                return handle
        except FileNotFoundError:
            pass
        os.close(handle)


@attrs.define
class Run:
    """One run: who does what next, and what came of it."""

    kinds: "tuple[Kind, ...]"
    path: Path
    """The ledger's."""
    seed: int
    commit: str
    until: float
    every: "tuple[Kind, ...]"
    lines: dict[str, Line] = attrs.field(factory=dict)
    next_number: dict[str, int] = attrs.field(factory=dict)
    busy: dict[str, float] = attrs.field(factory=dict)
    """Seconds that batches that are under way are reckoned with."""
    cancelled: bool = False
    """Whether somebody has stopped the run: what is under way is not to be judged."""
    unwritten: list[str] = attrs.field(factory=list)
    """Findings that are not in the ledger yet."""
    trouble: str = ""
    """Why the ledger does not say everything; nothing if it does."""
    broken: str = ""
    """What has stopped the run itself."""
    lock: threading.Lock = attrs.field(factory=threading.Lock)
    children: "set[subprocess.Popen[str]]" = attrs.field(factory=set)

    def work(self) -> None:
        """Batch after batch, until the time is over."""
        try:
            self.batches()
        except Exception as error:
            with self.lock:
                self.broken = self.broken or f"{type(error).__name__}: {error}"
                self.until = 0.0

    def batches(self) -> None:
        while time.monotonic() < self.until:
            with self.lock:
                kind = min(self.kinds, key=self.had)
                first = self.next_number.get(kind.key, self.seed * SEED)
                self.next_number[kind.key] = first + kind.count
                self.busy[kind.key] = self.busy.get(kind.key, 0.0) + 60
            done = self.batch(kind, first)
            with self.lock:
                self.busy[kind.key] -= 60
                if not self.cancelled:
                    self.note(kind, first, done)

    def had(self, kind: "Kind") -> float:
        """How much of its share a kind has had."""
        line = self.lines.get(kind.key)
        share: float = ((line.seconds if line else 0.0) + self.busy.get(kind.key, 0.0)) / kind.weight
        return share

    def batch(self, kind: "Kind", first: int) -> dict[str, Any]:
        """Run a batch in a process of its own; what it says of itself."""
        command = [sys.executable, __file__, "--batch", kind.key, "--first", str(first), "--count", str(kind.count)]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.children.add(child)
        try:
            out, err = child.communicate(timeout=WAITED)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return {"error": f"not done within {WAITED} seconds", "seconds": 0.0}
        finally:
            self.children.discard(child)
        try:
            said: dict[str, Any] = json.loads(out.splitlines()[-1])
            said["seconds"] = float(said["seconds"])
        except (IndexError, KeyError, TypeError, ValueError):
            return {"error": f"ended with {child.returncode}: {err[-300:]}", "seconds": 0.0}
        return said

    def note(self, kind: "Kind", first: int, done: dict[str, Any]) -> None:
        """Put what came of a batch into the ledger."""
        line = self.line(kind)
        line.batches += 1
        line.seconds += done["seconds"]
        line.totals.update(done.get("totals", {}))
        if "error" in done:
            line.findings += 1
            words = re.sub(r"\s+", " ", done["error"].replace(f"{ROOT}{os.sep}", ""))[:600].replace("`", "'")
            self.unwritten.append(f"- {self.commit}, {kind.key}, {kind.count} numbers from {first}: `{words}`")
        self.write()
        left = max(0.0, self.until - time.monotonic()) / 60
        found = sum(line.findings for line in self.lines.values())
        print(
            f"{kind.key}: {many(line.batches, 'batch', 'batches')}, {left:.0f} minutes left, {many(found, 'finding')}",
            file=sys.stderr,
            flush=True,
        )

    def line(self, kind: "Kind") -> Line:
        """The row of a kind, begun if there is none yet."""
        if kind.key not in self.lines:
            self.lines[kind.key] = Line(datetime.date.today().isoformat(), self.commit, kind.key, self.seed)
        return self.lines[kind.key]

    def write(self, ended: bool = False) -> None:
        """Bring the ledger up to date; if it cannot be written, say so and keep everything for the next time."""
        try:
            with locked(self.path):
                ledger = Ledger.at(self.path)
                ledger.put(self.lines.values(), self.unwritten)
                if ended:  # a row that was only there so that nobody else takes the seed
                    ledger.lines = [line for line in ledger.lines if line.seed != self.seed or line.batches]
                ledger.write(self.every)
        except (OSError, ValueError) as failure:
            self.trouble = unwritable(self.path, failure)
            if not ended:
                print(f"{self.trouble}; it is tried again after the next batch", file=sys.stderr, flush=True)
        else:
            self.trouble = ""
            self.unwritten.clear()

    def end(self) -> int:
        """Say what came of it, all of it if it is not in the ledger, and give the exit code."""
        if self.trouble or not all(line.batches for line in self.lines.values()):
            self.write(ended=True)
        lines = [line for line in self.lines.values() if line.batches]
        found, spent = sum(line.findings for line in lines), sum(line.seconds for line in lines)
        batches = many(sum(line.batches for line in lines), "batch", "batches")
        if self.trouble:
            print(f"not in the ledger:\n{RUNS}\n{RULE}")
            print("\n".join([*map(str, lines), *self.unwritten]))
        print(f"seed {self.seed}: {batches}, {spent:,.0f} CPU s, {many(found, 'finding')}")
        for said in filter(None, (self.trouble, self.broken)):
            print(said, file=sys.stderr)
        return UNWRITTEN if self.trouble or self.broken else 1 if found else 0


def begun(run: Run, seed: int | None) -> Run:
    """The run with a seed that no other has, which the ledger says from now on. Raises OSError, ValueError."""
    with locked(run.path):
        ledger = Ledger.at(run.path)
        run.seed = ledger.next_seed() if seed is None else seed
        if any(line.seed == run.seed for line in ledger.lines):
            raise ValueError(f"it has a run with seed {run.seed}")
        if run.seed > MOST_SEED:
            raise ValueError(f"it has no seed left: the last one is {MOST_SEED}")
        ledger.put([run.line(run.kinds[0])], ())
        ledger.write(run.every)
    return run


def unwritable(path: Path, failure: Exception) -> str:
    """Why a ledger cannot be read or written."""
    if isinstance(failure, OSError):
        return f"the ledger '{path}' cannot be written: {(failure.strerror or 'unknown reason').lower()}"
    return f"'{path}' is no ledger for this run: {failure}"


def many(number: int, one: str, more: str = "") -> str:
    """``1 batch``, ``2 batches``."""
    return f"{number} {one}" if number == 1 else f"{number} {more or one + 's'}"


def one_batch(key: str, first: int, count: int) -> int:
    """Do the work of one batch and print what came of it as JSON."""
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
    kind = next(kind for kind in long_runs().KINDS if kind.key == key)
    said: dict[str, Any] = {}
    try:
        said["totals"] = kind.batch(first, count)
    except KeyboardInterrupt:
        return 130
    except BaseException as error:  # whatever it is, it is a finding
        traceback.print_exc()
        said["error"] = f"{type(error).__name__}: {error} {traceback.format_exc(limit=-2)[-300:]}"
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    said["seconds"] = sum(each.ru_utime + each.ru_stime for each in used)
    print(json.dumps(said))
    return 1 if "error" in said else 0


def the_commit() -> str:
    """What is run; with a mark if it is not what was committed."""
    said = subprocess.run(["git", "describe", "--always", "--dirty=+"], cwd=ROOT, capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number between two others."""

    def read(text: str) -> int:
        if not re.fullmatch(r"[+-]?[0-9]{1,30}", text, re.ASCII) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} to {most}")
        return int(text)

    return read


def minutes(text: str) -> float:
    """Reads a time that is longer than none, and ends."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of minutes above 0")
    return number


def named_rows(text: str) -> frozenset[str]:
    """Reads rows with commas between them."""
    rows = frozenset(row.strip() for row in text.split(","))
    if "" in rows:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of rows, such as R1,R3")
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=minutes, default=60, help="by the clock (60)")
    parser.add_argument("--jobs", type=whole(1, 1000), default=1, help="batches side by side (1)")
    parser.add_argument("--rows", type=named_rows, default=frozenset(), help="only these, for instance R1,R3")
    parser.add_argument("--seed", type=whole(0, MOST_SEED), help="where the numbers begin, in thousand millions")
    parser.add_argument("--ledger", type=Path, default=ROOT / "docs" / "soak-ledger.md")
    parser.add_argument("--batch", metavar="KIND", help="run one batch and print what came of it")
    parser.add_argument("--first", type=whole(0, MOST_NUMBER), default=0, help="number that the batch begins with")
    parser.add_argument("--count", type=whole(1, SEED), default=1, help="how many numbers the batch has")
    chosen = parser.parse_args()
    every: tuple[Kind, ...] = long_runs().KINDS
    if chosen.batch is not None:
        if chosen.batch not in {kind.key for kind in every}:
            parser.error(f"there is no {chosen.batch!r}; there are {', '.join(kind.key for kind in every)}")
        if chosen.first + chosen.count - 1 > MOST_NUMBER:
            parser.error(f"there is no number beyond {MOST_NUMBER}")
        return one_batch(chosen.batch, chosen.first, chosen.count)
    if not chosen.rows <= {kind.row for kind in every}:
        parser.error(f"there is no {', '.join(sorted(chosen.rows - {kind.row for kind in every}))}")
    kinds = tuple(kind for kind in every if not chosen.rows or kind.row in chosen.rows)
    try:
        run = begun(Run(kinds, chosen.ledger, 0, the_commit(), math.inf, every), chosen.seed)
    except (OSError, ValueError) as failure:
        parser.error(unwritable(chosen.ledger, failure))
    run.until = time.monotonic() + 60 * chosen.minutes
    threads = [threading.Thread(target=run.work) for _ in range(chosen.jobs)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except KeyboardInterrupt:
        run.until, run.cancelled = 0.0, True
        for child in list(run.children):
            child.terminate()
        for thread in threads:
            thread.join()
    return run.end()


if __name__ == "__main__":
    sys.exit(main())
