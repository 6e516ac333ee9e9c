"""Long runs of the reliability table (R1 to R11), and the ledger that says what was run and what came of it.

    python scripts/soak.py [--minutes 60] [--jobs 1] [--rows R1,R3] [--seed N] [--ledger docs/soak-ledger.md]

Batches of work (`tests/reliability/long_runs.py`) are run in processes of their own until the time is over, the kind
that has had least of its share of the time first. A batch that raises, dies or takes more than 20 CPU minutes is a
finding: it goes into the ledger with the numbers that repeat it, and the exit code is 1. The ledger is written after
every batch, so that Ctrl-C loses only the batch that it falls into. Every run has a seed, which is where its numbers
begin; without `--seed` it is the first one that the ledger does not have. A finding is repeated with

    python scripts/soak.py --batch "R7 generated" --first 3000000100 --count 100
"""

import argparse
import datetime
import json
import os
import re
import resource
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from long_runs import Kind

ROOT = Path(__file__).resolve().parent.parent
SEED = 1_000_000_000
"""Numbers of one run, at most."""
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
    sys.path[:0] = [str(ROOT / "tests" / "reliability"), str(ROOT), str(ROOT / "interpreters")]
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
        """What the file says; nothing if it is not there. Raises ValueError if it is no ledger."""
        ledger = cls(path)
        part = ""
        for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            if text.startswith("## "):
                part = text
            elif part == "## Runs" and text.startswith("| ") and text != RUNS:
                ledger.lines.append(Line.read(text))
            elif part == "## Findings" and text.startswith(("- ", "  ")):
                ledger.findings.append(text)
        return ledger

    def next_seed(self) -> int:
        return 1 + max((line.seed for line in self.lines), default=0)

    def write(self, kinds: "tuple[Kind, ...]") -> None:
        """Write the file anew, all at once."""
        beside = self.path.with_name(self.path.name + ".new")
        beside.write_text("\n".join(self.text(kinds)) + "\n", encoding="utf-8")
        os.replace(beside, self.path)

    def text(self, kinds: "tuple[Kind, ...]") -> list[str]:
        """The file's lines: totals over all runs, the runs, the findings."""
        hours = sum(line.seconds for line in self.lines) / 3600
        runs = len({line.seed for line in self.lines})
        found = sum(line.findings for line in self.lines)
        text = [HEAD, "## Totals", "", f"{runs} runs, {hours:.1f} CPU hours, {found} findings.", ""]
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


@attrs.define
class Run:
    """One run: who does what next, and what came of it."""

    kinds: "tuple[Kind, ...]"
    ledger: Ledger
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
    lock: threading.Lock = attrs.field(factory=threading.Lock)
    children: "set[subprocess.Popen[str]]" = attrs.field(factory=set)

    def work(self) -> None:
        """Batch after batch, until the time is over."""
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
        return ((line.seconds if line else 0.0) + self.busy.get(kind.key, 0.0)) / kind.weight

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
        except (IndexError, ValueError):
            return {"error": f"ended with {child.returncode}: {err[-300:]}", "seconds": 0.0}
        return said

    def note(self, kind: "Kind", first: int, done: dict[str, Any]) -> None:
        """Put what came of a batch into the ledger."""
        line = self.lines.get(kind.key)
        if line is None:
            line = self.lines[kind.key] = Line(datetime.date.today().isoformat(), self.commit, kind.key, self.seed)
            self.ledger.lines.append(line)
        line.batches += 1
        line.seconds += done["seconds"]
        line.totals.update(done.get("totals", {}))
        if "error" in done:
            line.findings += 1
            words = re.sub(r"\s+", " ", done["error"])[:600].replace("`", "'")
            self.ledger.findings.append(f"- {self.commit}, {kind.key}, {kind.count} numbers from {first}: `{words}`")
        self.ledger.write(self.every)
        left = max(0.0, self.until - time.monotonic()) / 60
        found = sum(line.findings for line in self.lines.values())
        print(
            f"{kind.key}: {line.batches} batches, {left:.0f} minutes left, {found} findings",
            file=sys.stderr,
            flush=True,
        )


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60, help="by the clock (60)")
    parser.add_argument("--jobs", type=int, default=1, help="batches side by side (1)")
    parser.add_argument("--rows", default="", help="only these, for instance R1,R3")
    parser.add_argument("--seed", type=int, help="where the numbers begin, in thousand millions")
    parser.add_argument("--ledger", type=Path, default=ROOT / "docs" / "soak-ledger.md")
    parser.add_argument("--batch", metavar="KIND", help="run one batch and print what came of it")
    parser.add_argument("--first", type=int, default=0, help="number that the batch begins with")
    parser.add_argument("--count", type=int, default=1, help="how many numbers the batch has")
    chosen = parser.parse_args()
    every: tuple[Kind, ...] = long_runs().KINDS
    if chosen.batch is not None:
        if chosen.batch not in {kind.key for kind in every}:
            parser.error(f"there is no {chosen.batch!r}; there are {', '.join(kind.key for kind in every)}")
        return one_batch(chosen.batch, chosen.first, chosen.count)
    rows = {row for row in chosen.rows.split(",") if row}
    if not rows <= {kind.row for kind in every}:
        parser.error(f"there is no {', '.join(sorted(rows - {kind.row for kind in every}))}")
    try:
        ledger = Ledger.at(chosen.ledger)
    except (ValueError, OSError) as failure:
        parser.error(f"'{chosen.ledger}' is no ledger: {failure}")
    seed = ledger.next_seed() if chosen.seed is None else chosen.seed
    if any(line.seed == seed for line in ledger.lines):
        parser.error(f"the ledger has a run with seed {seed}")
    kinds = tuple(kind for kind in every if not rows or kind.row in rows)
    run = Run(kinds, ledger, seed, the_commit(), time.monotonic() + 60 * chosen.minutes, every)
    threads = [threading.Thread(target=run.work) for _ in range(max(1, chosen.jobs))]
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
    found = sum(line.findings for line in run.lines.values())
    spent = sum(line.seconds for line in run.lines.values())
    print(
        f"seed {seed}: {sum(line.batches for line in run.lines.values())} batches, {spent:,.0f} CPU s, {found} findings"
    )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
