"""How long a cold compile takes: a new process that reads, checks and compiles one ruleset, without the cache.

    python benchmarks/compiling.py [--repeats N] [--only NAME ...] [--format text|json]

Printed are CPU seconds of the whole process (`rulelang check NAME --no-cache`), Python's start included: median
(lowest - highest) of the repeats, taken in turn over all rulesets. Never a test.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

from rulelang.rulesets import all_rulesets


def seconds(name: str) -> float:
    """CPU seconds of one compile."""
    before = os.times()
    subprocess.run([sys.executable, "-m", "rulelang", "check", name, "--no-cache"], check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Measure, and print the slowest first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--format", choices=("text", "json"), default="text")
    asked = parser.parse_args()
    names = [name for name, _ in all_rulesets() if not asked.only or name in asked.only]
    taken: dict[str, list[float]] = {name: [] for name in names}
    for lap in range(asked.repeats):
        for name in names:
            taken[name].append(seconds(name))
        print(f"repeat {lap + 1} of {asked.repeats}", file=sys.stderr)
    rows = sorted(taken.items(), key=lambda row: -statistics.median(row[1]))
    if asked.format == "json":
        print(json.dumps({"cpu_seconds": {name: sorted(found) for name, found in rows}}))
        return
    print(f"{'ruleset':22} CPU seconds, median (lowest - highest) of {asked.repeats}")
    for name, found in rows:
        print(f"{name:22} {statistics.median(found):.2f} ({min(found):.2f} - {max(found):.2f})")


if __name__ == "__main__":
    main()
