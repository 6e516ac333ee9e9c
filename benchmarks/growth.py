"""How compiling and the printed source of the native interpreter grow with the rules. Never a test of time.

    python benchmarks/growth.py [--repeats N] [--largest N] [--format text|json]

Rulesets of growing size (`rulelang.testing.growing`): 10, 20, ... of rules, moves, defines and so on; then the same
rules on larger boards and for more players. Printed for each: CPU seconds to lower, print and compile a closed program
(median, lowest - highest of the repeats, in turn), what the text and the closing of it took once, bytes of source,
and both for one more rule, from the size before. What is done is told on stderr.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import attrs

import rulelang
from rulelang.ir.program import Program
from rulelang.pipeline import compile_text
from rulelang.play.closing import close
from rulelang.testing.growing import GROWING, board, table
from rulelang_native.runtime.module import Module

SIZES = (10, 20, 40, 80, 160)
SIDES = (10, 20, 40, 80)
SEATS = (2, 4, 8, 16)


@attrs.define
class Sample:
    """One ruleset of one size."""

    kind: str
    size: int
    program: Program
    text_seconds: float
    """From text to closed program."""
    seconds: list[float] = attrs.field(factory=list)
    source_bytes: int = 0

    def compile(self) -> None:
        """Lower, print and compile it once more."""
        begun = time.process_time()
        module = Module(self.program)
        self.seconds.append(time.process_time() - begun)
        self.source_bytes = len(module.source.encode())


def sample(kind: str, make: Callable[[int], str], size: int, seats: int) -> Sample:
    """A ruleset, closed."""
    print(f"{kind}: {size}", file=sys.stderr)
    begun = time.process_time()
    program = close(compile_text(make(size)).program, seats, {})
    return Sample(kind, size, program, time.process_time() - begun)


def samples(largest: int) -> Iterator[Sample]:
    """Everything that is compiled."""
    for kind, make in GROWING.items():
        yield from (sample(kind, make, size, 2) for size in SIZES if size <= largest)
    yield from (sample("board of so many rows and columns", board, side, 2) for side in SIDES)
    yield from (sample("players", table, seats, seats) for seats in SEATS)


def figures(chosen: list[Sample]) -> Iterator[dict[str, Any]]:
    """What is told of each."""
    before: Sample | None = None
    for each in chosen:
        median = statistics.median(each.seconds)
        row: dict[str, Any] = {
            "kind": each.kind,
            "size": each.size,
            "text_cpu_seconds": each.text_seconds,
            "compile_cpu_seconds": {"median": median, "min": min(each.seconds), "max": max(each.seconds)},
            "source_bytes": each.source_bytes,
        }
        if before is not None and before.kind == each.kind:
            more = each.size - before.size
            row["compile_cpu_seconds_for_one_more"] = (median - statistics.median(before.seconds)) / more
            row["source_bytes_for_one_more"] = (each.source_bytes - before.source_bytes) / more
        yield row
        before = each


def lines(rows: list[dict[str, Any]], repeats: int) -> Iterator[str]:
    """The same for people."""
    python = sys.version.split()[0]
    yield f"rulelang {rulelang.__version__}, Python {python}; CPU milliseconds, {repeats} repeats in turn"
    columns = ("size", 8), ("text", 10), ("compile, median (lowest - highest)", 38), ("one more", 10)
    yield "".join(f"{name:>{width}}" for name, width in (*columns, ("bytes", 10), ("one more", 10)))
    kind = ""
    for row in rows:
        if row["kind"] != kind:
            kind = row["kind"]
            yield kind
        spent = {name: value * 1000 for name, value in row["compile_cpu_seconds"].items()}
        said = f"{spent['median']:.1f} ({spent['min']:.1f} - {spent['max']:.1f})"
        one, more = row.get("compile_cpu_seconds_for_one_more"), row.get("source_bytes_for_one_more")
        yield (
            f"{row['size']:>8}{row['text_cpu_seconds'] * 1000:>10.0f}{said:>38}"
            f"{'' if one is None else format(one * 1000, '.2f'):>10}{row['source_bytes']:>10,}"
            f"{'' if more is None else format(more, ',.0f'):>10}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how compiling grows with the rules.")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--largest", type=int, default=max(SIZES), help="leave out larger sizes than this")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    asked = parser.parse_args()
    if asked.repeats < 1:
        parser.error("there must be a repeat")
    chosen = list(samples(asked.largest))
    for repeat in range(asked.repeats):
        print(f"repeat {repeat + 1} of {asked.repeats}", file=sys.stderr)
        for each in chosen:
            each.compile()
    rows = list(figures(chosen))
    print(json.dumps(rows, indent=1) if asked.format == "json" else "\n".join(lines(rows, asked.repeats)))


if __name__ == "__main__":
    main()
