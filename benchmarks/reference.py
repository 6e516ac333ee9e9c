"""How fast the reference interpreter is. Figures for `docs/performance.md`; never a test.

    python benchmarks/reference.py [--seconds S] [--repeats N]

For every classic (two seats) and 13 Animals (four seats), default options: random playouts, uniform among complete
legal moves, for some CPU seconds, repeated in turn so that a busy machine disturbs all alike. Printed: games, mean
decisions a game, and the median (lowest - highest) decisions and events a CPU second. Then what commands cost:
`rulelang --help`, `rulelang check` cold and for an unchanged file, an explanation, and the memory of 10,000 games.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import attrs

import rulelang
from rulelang.play.agents import RandomAgent
from rulelang.play.engine import Game
from rulelang.play.event import Play
from rulelang.play.playouts import playouts

CLASSICS = (
    "tic-tac-toe",
    "connect-four",
    "dots-and-boxes",
    "kuhn-poker",
    "leduc-poker",
    "liars-dice",
    "goofspiel",
    "pig",
)
BATCH = 20


@attrs.frozen
class Rate:
    """What one repeat measured."""

    games: int
    decisions: int
    events: int
    seconds: float


def measured(game: Game, seconds: float, seed: int) -> Rate:
    """Random playouts for some CPU seconds."""
    agents = [RandomAgent()] * (game.program.configuration.seats if game.program.configuration else 2)
    games = decisions = events = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        for summary in playouts(game, BATCH, seed, agents, first=games):
            decisions += summary.decisions
            events += summary.length
        games += BATCH
    return Rate(games, decisions, events, time.process_time() - start)


def spread(values: list[float]) -> str:
    """Median (lowest - highest)."""
    return f"{statistics.median(values):>8,.0f} ({min(values):,.0f} - {max(values):,.0f})"


def rates(seconds: float, repeats: int) -> Iterator[str]:
    games = {name: rulelang.load(name).configure().game for name in CLASSICS}
    games["13-animals"] = rulelang.load("13-animals").configure(seats=4).game
    games["13-animals Pon!"] = rulelang.load("13-animals").configure(seats=4, options={"pon": "on"}).game
    found: dict[str, list[Rate]] = {name: [] for name in games}
    for repeat in range(repeats):
        for name, game in games.items():
            found[name].append(measured(game, seconds, repeat))
    yield f"{'ruleset':<16}{'games':>8}  {'decisions/game':>14}  decisions per CPU second      events per CPU second"
    for name, repeated in found.items():
        count = sum(rate.games for rate in repeated)
        length = sum(rate.decisions for rate in repeated) / count
        decisions = spread([rate.decisions / rate.seconds for rate in repeated])
        events = spread([rate.events / rate.seconds for rate in repeated])
        yield f"{name:<16}{count:>8,}  {length:>14.1f}  {decisions:<28}  {events}"


def command_seconds(arguments: list[str], cache: str) -> float:
    """CPU seconds of one `rulelang` command in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    subprocess.run([sys.executable, "-m", "rulelang", *arguments], check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def commands(repeats: int) -> Iterator[str]:
    cold, animals, warm, help_, bare = [], [], [], [], []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as cache:
            cold.append(command_seconds(["check", "leduc-poker"], cache))
            warm.append(command_seconds(["check", "leduc-poker"], cache))
            animals.append(command_seconds(["check", "13-animals"], cache))
            help_.append(command_seconds(["--help"], cache))
        before = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        bare.append(time.perf_counter() - before)
    yield f"rulelang check leduc-poker, cold:      {statistics.median(cold):.3f} s CPU"
    yield f"rulelang check 13-animals, cold:       {statistics.median(animals):.3f} s CPU"
    yield f"rulelang check leduc-poker, unchanged: {statistics.median(warm):.3f} s CPU"
    yield f"rulelang --help:                       {statistics.median(help_):.3f} s CPU"
    yield f"(python -c pass:                       {statistics.median(bare):.3f} s)"


def explanation() -> str:
    """The mean time of one explanation of a refused move."""
    state = rulelang.load("tic-tac-toe").configure().start()
    state = state.step(Play(0, 0, (4,)))
    tries = 1000
    start = time.process_time()
    for _ in range(tries):
        state.refusals(Play(1, 0, (4,)))
    return f"explanation of a refused move:         {(time.process_time() - start) / tries * 1000:.3f} ms CPU"


def greatest_memory() -> int:
    """The most memory of this process so far, in KiB; not that of the process which began it, as `ru_maxrss` has it."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(next(line for line in status.read_text().splitlines() if line.startswith("VmHWM")).split()[1])


def memory(games: int) -> str:
    """How much the greatest memory of this process grows between 500 games and many."""
    game = rulelang.load("kuhn-poker").configure().game
    agents = [RandomAgent()] * 2
    for _ in playouts(game, 500, 1, agents):
        pass
    before = greatest_memory()
    for _ in playouts(game, games, 2, agents):
        pass
    grown = greatest_memory() - before
    return f"memory grown over {games:,} games:        {grown} KiB"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the reference interpreter and the command line.")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds a repeat and ruleset")
    parser.add_argument("--repeats", type=int, default=5)
    chosen = parser.parse_args()
    print(f"rulelang {rulelang.__version__}, Python {sys.version.split()[0]}, {os.cpu_count()} cores, reference engine")
    for line in rates(chosen.seconds, chosen.repeats):
        print(line)
    for line in commands(chosen.repeats):
        print(line)
    print(explanation())
    print(memory(10_000))


if __name__ == "__main__":
    main()
