"""How fast automatic players think that search: `mc:N` and `uct:N`. Figures for `docs/performance.md`; never a test.

    python benchmarks/searches.py [--decisions N] [--repeats N] [--only NAME ...] [--printed] [--format text|json]

Some decisions of a random game of each ruleset, spread over it, are thought about by a player in turn: by searches
compiled whole (trees, lines played on, events tried, each in one call), by the same player with compiled steps and
roll-outs alone, and with ``--printed`` by printed Python, which can take minutes. All must choose the same with as many
draws, or the run fails. Printed are decisions a CPU second, the median of the repeats (lowest - highest), and the ratio
of the first two. Programs are compiled before time is taken. Of `mc:N` where nothing is hidden both ways are the same.
"""

import argparse
import json
import math
import statistics
import sys
import time
from typing import Any

import attrs

from rulelang.pipeline import load
from rulelang.play.agents import Agent, RandomAgent
from rulelang.play.chance import Stream
from rulelang.play.event import Answer
from rulelang.play.match import Match
from rulelang.play.monte_carlo import MonteCarloAgent
from rulelang.play.uct import UctAgent
from rulelang_native import engine
from rulelang_native.game import Game
from rulelang_native.llvm.machine import SECOND
from rulelang_native.llvm.rolling import Roller, Steps

ROWS: tuple[tuple[str, int, str, int], ...] = (
    ("tic-tac-toe", 2, "uct", 200),
    ("connect-four", 2, "uct", 200),
    ("connect-four", 2, "uct", 5000),
    ("hex", 2, "uct", 200),
    ("leduc-poker", 2, "uct", 200),
    ("leduc-poker", 2, "mc", 8),
    ("liars-dice", 2, "uct", 200),
    ("13-animals", 2, "mc", 2),
    ("13-animals", 4, "mc", 2),
)
SEED = 1
SINGLY = ("growth", "rehearsal", "attempts")
"""What a game does at once, and does not do here."""


@attrs.frozen
class Row:
    """One player on one ruleset."""

    ruleset: str
    seats: int
    player: str
    decisions: int
    rates: dict[str, list[float]]
    """Of each way, decisions a CPU second in each repeat."""

    @property
    def ratio(self) -> float:
        """Whole searches by single steps."""
        return statistics.median(self.rates["compiled"]) / statistics.median(self.rates["steps"])


def player(kind: str, number: int) -> Agent:
    return UctAgent(number) if kind == "uct" else MonteCarloAgent(number)


def games(name: str, seats: int, printed: bool) -> dict[str, Game]:
    """The same game for each way of thinking."""
    program = load(name).program
    first = engine.configure(program, seats, {})
    ways = {"compiled": first, "steps": Game(first.program)}
    for game in ways.values():
        roller = Roller(game)
        roller._steps = Steps(game, SECOND)
        game._roller = roller
    for what in SINGLY:
        setattr(ways["steps"], what, lambda *given: None)
    if printed:
        ways["printed"] = Game(first.program)
        ways["printed"].__dict__["compiles"] = False
    return ways


def thought_about(game: Game, most: int) -> list[tuple[Match, int]]:
    """Decisions with several answers, spread over a random game."""
    match, agents, found = Match(game, SEED), [RandomAgent()] * game.seats, []
    while match.advance_chance().waiting.kind != "over":
        seat = match.missing[0]
        if seat < game.seats and len(match.state.moves(seat)) > 1:
            found.append((len(match.events), seat))
        match.go_on(agents)
    chosen = found[:: max(1, math.ceil(len(found) / most))]
    return [(at_event(game, match, count), seat) for count, seat in chosen]


def at_event(game: Game, match: Match, count: int) -> Match:
    again = Match(game, SEED)
    for event in match.events[:count]:
        again.apply(event)
    return again


def think(decisions: list[tuple[Match, int]], agent: Agent) -> tuple[float, list[tuple[Answer, int]]]:
    """Decisions a CPU second, and what was chosen with how many draws."""
    begun, chosen = time.process_time(), []
    for number, (match, seat) in enumerate(decisions):
        draw = Stream(number)
        chosen.append((agent.choose(match.situation(seat), draw), draw.drawn))
    return len(decisions) / max(time.process_time() - begun, 1e-9), chosen


def measured(row: tuple[str, int, str, int], most: int, repeats: int, printed: bool) -> Row:
    name, seats, kind, number = row
    decisions = {way: thought_about(game, most) for way, game in games(name, seats, printed).items()}
    agent = player(kind, number)
    rates: dict[str, list[float]] = {way: [] for way in decisions}
    for _ in range(repeats):
        told: dict[str, Any] = {}
        for way, each in decisions.items():
            rate, told[way] = think(each, agent)
            rates[way].append(rate)
        if any(each != told["compiled"] for each in told.values()):
            raise SystemExit(f"{name}, {agent.name}: the ways do not choose the same")
    return Row(name, seats, agent.name, len(decisions["compiled"]), rates)


def text(row: Row) -> str:
    parts = []
    for way, rates in row.rates.items():
        parts.append(f"{way} {statistics.median(rates):,.2f} ({min(rates):,.2f} - {max(rates):,.2f})")
    return f"{row.ruleset}, {row.seats} seats, {row.player}: {'; '.join(parts)}; ratio {row.ratio:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=6)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--printed", action="store_true")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    given = parser.parse_args()
    rows = []
    for row in ROWS:
        if given.only and row[0] not in given.only:
            continue
        print(f"{row[0]}, {row[1]} seats, {row[2]}:{row[3]}", file=sys.stderr)
        rows.append(measured(row, given.decisions, given.repeats, given.printed))
        if given.format == "text":
            print(text(rows[-1]), flush=True)
    if given.format == "json":
        print(json.dumps([attrs.asdict(row) for row in rows], indent=2))


if __name__ == "__main__":
    main()
