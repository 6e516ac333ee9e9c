"""How fast printed Python is beside the reference. Figures for `docs/performance.md`; never a test. Compiled games:
playouts.py.

    python benchmarks/native.py [--seconds S] [--repeats N] [--only NAME ...] [--format text|json]

Kind of playout: every seat chooses uniformly among its complete legal moves, default options, one process, one thread.
Every ruleset is played with its fewest seats, 13 Animals and Taiwan Monsters Brawl with 2 and 4. In each repeat every
game is played on both
interpreters in turn, for so many CPU seconds each, so that a busy machine disturbs all alike. Printed are the medians
(lowest - highest) of the repeats a CPU second, and the geometric mean of the ratios. The first games of each run must
come to the same on both, to the last number, or the run fails. What is done is told on stderr.
"""

import argparse
import json
import math
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import attrs

import rulelang
from rulelang.play.agents import RandomAgent
from rulelang.play.configurations import all_seats
from rulelang.play.engine import Game
from rulelang.play.playouts import GameSummary, playouts
from rulelang.rulesets import all_rulesets
from rulelang_native import Engine, playing
from rulelang_native.game import Game as NativeGame
from rulelang_reference import engine as reference

PLAYOUT = "random playouts: each seat uniformly among its complete legal moves, default options, one thread"
MORE_SEATS = {"13-animals": (2, 4), "taiwan-monsters-brawl": (2, 4)}
SEED = 1
EQUAL = 3
"""Games of each that must come to the same on both; more, if both play more in the first repeat."""
MOST_COMPARED = 200

Play = Callable[[int, int], Iterator[GameSummary]]
"""So many games from a number on."""


@attrs.frozen
class Rate:
    """What one repeat measured."""

    games: int
    decisions: int
    events: int
    seconds: float


@attrs.frozen
class Contest:
    """One ruleset on both interpreters."""

    name: str
    seats: int
    reference: Play
    native: Play
    configure: float
    """CPU seconds that the native interpreter took to lower, print and compile."""
    rates: dict[str, list[Rate]] = attrs.field(factory=lambda: {"reference": [], "native": []})
    compared: list[int] = attrs.field(factory=lambda: [0])


def contests(only: list[str]) -> Iterator[Contest]:
    """Everything that is played."""
    for name, _ in all_rulesets():
        if only and name not in only:
            continue
        program = rulelang.load(name).program
        for seats in MORE_SEATS.get(name, (min(all_seats(program)),)):
            begun = time.process_time()
            native = Engine().configure(program, seats, {})
            took = time.process_time() - begun
            yield Contest(
                name, seats, _reference(reference.configure(program, seats, {}), seats), _native(native), took
            )


def _reference(game: Game, seats: int) -> Play:
    agents = [RandomAgent()] * seats
    return lambda n, first: playouts(game, n, SEED, agents, first)


def _native(game: NativeGame) -> Play:
    return lambda n, first: playing.playouts(game, n, SEED, "random", first)


def compare(contest: Contest) -> None:
    """The first games must be the same. Ends the run if they are not."""
    count = max(EQUAL, min(MOST_COMPARED, *(rates[0].games for rates in contest.rates.values())))
    both = zip(contest.reference(count, 0), contest.native(count, 0), strict=True)
    for one, other in both:
        if one != other:
            sys.exit(f"{contest.name}, {contest.seats} seats, seed {SEED}: the interpreters differ\n{one}\n{other}")
    contest.compared[0] = count


def measured(play: Play, seconds: float, first: int) -> Rate:
    """Games for some CPU seconds; the clock is asked between batches that take about a twentieth of it."""
    games = decisions = events = 0
    batch = 1
    start = now = time.process_time()
    while now - start < seconds:
        before = now
        for summary in play(batch, first + games):
            decisions += summary.decisions
            events += summary.length
        games += batch
        now = time.process_time()
        if now - before < seconds / 40:
            batch *= 2
    return Rate(games, decisions, events, now - start)


def run(chosen: list[Contest], seconds: float, repeats: int) -> None:
    """All repeats, everything in turn."""
    for repeat in range(repeats):
        for contest in chosen:
            print(f"repeat {repeat + 1} of {repeats}: {contest.name}, {contest.seats} seats", file=sys.stderr)
            for name in ("reference", "native") if repeat % 2 == 0 else ("native", "reference"):
                rate = measured(getattr(contest, name), seconds, repeat * 1_000_000)
                contest.rates[name].append(rate)
            if repeat == 0:
                compare(contest)


# ------------------------------------------------------------------ results


def spread(values: list[float]) -> dict[str, float]:
    """Median, lowest and highest."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def figures(contest: Contest) -> dict[str, Any]:
    """What is told of one ruleset."""
    found: dict[str, Any] = {
        "ruleset": contest.name,
        "seats": contest.seats,
        "native_configure_seconds": contest.configure,
    }
    for name, rates in contest.rates.items():
        games = sum(rate.games for rate in rates)
        found[name] = {
            "games": games,
            "decisions_a_game": sum(rate.decisions for rate in rates) / games,
            "events_a_game": sum(rate.events for rate in rates) / games,
            "cpu_seconds": sum(rate.seconds for rate in rates),
            "decisions_a_second": spread([rate.decisions / rate.seconds for rate in rates]),
            "games_a_second": spread([rate.games / rate.seconds for rate in rates]),
        }
    pairs = zip(contest.rates["native"], contest.rates["reference"], strict=True)
    ratios = [(one.decisions / one.seconds) / (other.decisions / other.seconds) for one, other in pairs]
    return {**found, "ratio": spread(ratios), "games_compared_equal": contest.compared[0]}


def results(chosen: list[Contest], seconds: float, repeats: int) -> dict[str, Any]:
    """All of it."""
    rows = [figures(contest) for contest in chosen]
    mean = math.exp(statistics.fmean(math.log(row["ratio"]["median"]) for row in rows))
    return {
        "rulelang": rulelang.__version__,
        "python": sys.version.split()[0],
        "cores": os.cpu_count(),
        "playout": PLAYOUT,
        "seed": SEED,
        "cpu_seconds_a_repeat": seconds,
        "repeats": repeats,
        "rulesets": rows,
        "geometric_mean_of_ratios": mean,
    }


def lines(found: dict[str, Any]) -> Iterator[str]:
    """The same for people."""
    yield f"rulelang {found['rulelang']}, Python {found['python']}, {found['cores']} cores; {found['playout']}"
    yield (
        f"{found['repeats']} repeats of {found['cpu_seconds_a_repeat']:g} CPU seconds on each interpreter, in turn, "
        f"seed {found['seed']}; median (lowest - highest) of the repeats"
    )
    yield ""
    yield (
        f"{'ruleset':<18}{'seats':>5}{'dec./game':>10}  {'reference, decisions/CPU s':<28}"
        f"{'native, decisions/CPU s':<32}{'native, games/CPU s':<34}ratio"
    )
    for row in found["rulesets"]:
        native = row["native"]
        yield (
            f"{row['ruleset']:<18}{row['seats']:>5}{native['decisions_a_game']:>10.1f}  "
            f"{_said(row['reference']['decisions_a_second']):<28}{_said(native['decisions_a_second']):<32}"
            f"{_said(native['games_a_second'], 1):<34}{_said(row['ratio'], 1)}"
        )
    yield ""
    yield f"geometric mean of the ratios: {found['geometric_mean_of_ratios']:.1f}"
    compared = sum(row["games_compared_equal"] for row in found["rulesets"])
    spent = sum(row[name]["cpu_seconds"] for row in found["rulesets"] for name in ("reference", "native"))
    yield f"{compared:,} games compared, all equal; {spent:.0f} CPU seconds of playouts"


def _said(values: dict[str, float], digits: int = 0) -> str:
    low, high = f"{values['min']:,.{digits}f}", f"{values['max']:,.{digits}f}"
    return f"{values['median']:,.{digits}f} ({low} - {high})"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the native interpreter beside the reference.")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds a repeat, ruleset and interpreter")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this; may be repeated")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    asked = parser.parse_args()
    if asked.repeats < 1 or asked.seconds <= 0:
        parser.error("there must be a repeat, and some time for it")
    chosen = list(contests(asked.only))
    if not chosen:
        parser.error("there is no such ruleset")
    run(chosen, asked.seconds, asked.repeats)
    found = results(chosen, asked.seconds, asked.repeats)
    print(json.dumps(found, indent=1) if asked.format == "json" else "\n".join(lines(found)))


if __name__ == "__main__":
    main()
