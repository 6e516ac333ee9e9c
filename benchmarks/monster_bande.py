"""How long games of Monster-Bande last, and how much faster than at the table they are simulated. Never a test.

    python benchmarks/monster_bande.py [--games N] [--speed-games N] [--team-games N] [--seed N]

Players: `model:SKILL` of the ruleset on every seat, whole box, both dice, native interpreter, one process, one thread.
Games 0 to N - 1 of the seed are the ones that `rulelang sim` plays. Printed are

- the mean rounds of games of two at skill 0, 0.5 and 1, beside the figures of `scenarios.md` 13.6;
- table seconds a CPU second at skill 0.5, for two players, and for eight in four teams.

The threshold for speed is asked of two players; of eight it is only told whether they reach it, since each act at the
table has eight players think. CPU seconds do not contain compiling, which is told by itself. The exit code is 1 if a
mean is further than 1.5 rounds from its figure, or two players are less than 500 times as fast. What is done is told
on stderr.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator

import attrs

import rulelang
from rulelang.failures import Broken
from rulelang.play.agents import Agent
from rulelang.play.engine import Game
from rulelang.play.kinds import Layout
from rulelang.play.match import Match
from rulelang.rulesets import find
from rulelang.tools.players import agent_named

NAME = "monster-bande"
ROUNDS = {"0": 17.9, "0.5": 11.7, "1": 9.9}
"""Skill, and the mean rounds of two players in scenarios.md 13.6."""
MIDDLING = "0.5"
TEAMS, TEAM_ROUNDS = 4, 11.8
"""Of eight players: how many teams, and the mean rounds in 13.6."""
NEAR, FAST = 1.5, 500


@attrs.frozen
class Played:
    """One finished game."""

    rounds: int
    table: float
    """Seconds at the table."""
    cpu: float
    """Seconds of one core."""
    events: int


@attrs.frozen
class Series:
    """Games of one kind."""

    skill: str
    seats: int
    games: tuple[Played, ...]

    @property
    def rounds(self) -> float:
        """Their mean."""
        return statistics.fmean(game.rounds for game in self.games)

    @property
    def table(self) -> float:
        """Table seconds of all."""
        return sum(game.table for game in self.games)

    @property
    def cpu(self) -> float:
        """CPU seconds of all."""
        return sum(game.cpu for game in self.games)

    @property
    def speed(self) -> float:
        """How many times as fast as at the table."""
        return self.table / self.cpu


def closed(seats: int, **options: int | str | bool) -> tuple[Game, float]:
    """The game for so many players, and the CPU seconds that compiling it took."""
    begun = time.process_time()
    game = rulelang.load(NAME, engine="native").configure(seats, options).game
    return game, time.process_time() - begun


def played(game: Game, seed: int, number: int, agents: list[Agent]) -> Played:
    """One game. Rounds are what the rules count, so that nothing here has to know what a round is."""
    begun = time.process_time()
    match = Match(game, seed, number)
    if match.play(agents) is None:
        raise Broken("a game stopped although every seat has an automatic player")
    spent = time.process_time() - begun
    slot = next(number for number, each in enumerate(game.program.slots) if each.name == "rounds")
    rounds = match.state.position().cells[Layout.of(game.program).families[slot].base]
    if not isinstance(rounds, int):
        raise Broken("the marker of rounds holds no number")
    return Played(rounds, match.now / 1000, spent, len(match.events))


def series(game: Game, skill: str, seats: int, games: int, seed: int) -> Series:
    """So many games, all seats played alike."""
    word = f"model:{skill}"
    agent = agent_named(word, find(NAME).parent)
    if agent is None:
        raise Broken("a person plays in a benchmark")
    print(f"games: {games}, on each of {seats} seats {word}", file=sys.stderr)
    return Series(skill, seats, tuple(played(game, seed, number, [agent] * seats) for number in range(games)))


# ------------------------------------------------------------------ results


def said_of_rounds(found: Series, wanted: float) -> str:
    """A line of the first table."""
    low, high = min(game.rounds for game in found.games), max(game.rounds for game in found.games)
    away = found.rounds - wanted
    word = "within" if abs(away) <= NEAR else "NOT within"
    return (
        f"{found.skill:<7}{len(found.games):>6}{found.rounds:>9.2f} ({low} - {high}){wanted:>8.1f}{away:>+8.2f}"
        f"{found.table / len(found.games):>9.0f}{found.cpu:>8.1f}  {word} {NEAR} rounds"
    )


def said_of_speed(found: Series, kind: str) -> Iterator[str]:
    """What is told of the speed of some games."""
    games = len(found.games)
    yield f"{kind}, `model:{found.skill}` on every seat, games: {games}"
    yield (
        f"  a game: {found.table / games:.0f} table seconds, {found.rounds:.2f} rounds, "
        f"{statistics.fmean(game.events for game in found.games):.0f} events, {found.cpu / games:.3f} CPU seconds"
    )
    yield (
        f"  all: {found.table:,.0f} table seconds in {found.cpu:.1f} CPU seconds: "
        f"{found.speed:,.0f} times as fast as at the table"
    )


def judged(near: bool, fast: bool, teams: Series) -> Iterator[str]:
    """Whether what was asked for is reached, in words."""
    yield f"Rounds of two players within {NEAR} of scenarios.md 13.6 at every skill: {'met' if near else 'NOT met'}."
    yield f"Two players at least {FAST} times as fast as at the table: {'met' if fast else 'NOT met'}."
    reach = "reach" if teams.speed >= FAST else "do not reach"
    away = teams.rounds - TEAM_ROUNDS
    yield (
        f"Told, not judged: eight players {reach} {FAST} times; "
        f"their mean is {away:+.2f} rounds from the {TEAM_ROUNDS} of 13.6."
    )


def positive(text: str) -> int:
    """A number of games."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("there must be a game")
    return number


def main() -> None:
    """Play, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=positive, default=200, help="of two players at each skill (default 200)")
    parser.add_argument("--speed-games", type=positive, default=1000, help="of two, for the speed (default 1000)")
    parser.add_argument("--team-games", type=positive, default=30, help="of eight players (default 30)")
    parser.add_argument("--seed", type=int, default=1, help="of all chance (default 1)")
    asked = parser.parse_args()

    pair, compiling = closed(2)
    # The games for the speed begin with those for the rounds: none is played twice.
    many = series(pair, MIDDLING, 2, max(asked.games, asked.speed_games), asked.seed)
    rows = {
        skill: attrs.evolve(many, games=many.games[: asked.games])
        if skill == MIDDLING
        else series(pair, skill, 2, asked.games, asked.seed)
        for skill in ROUNDS
    }
    speed = attrs.evolve(many, games=many.games[: asked.speed_games])
    table, compiling_teams = closed(8, team_count=TEAMS)
    teams = series(table, MIDDLING, 8, asked.team_games, asked.seed)

    print(
        f"rulelang {rulelang.__version__}, Python {sys.version.split()[0]}, {os.cpu_count()} cores, one used; native "
        f"interpreter, {NAME}, whole box, both dice, seed {asked.seed}"
    )
    print(f"compiling, once: {compiling:.1f} CPU seconds for two players, {compiling_teams:.1f} for eight\n")
    print(f"{'skill':<7}{'games':>6}{'rounds, mean (low - high)':>27}{'13.6':>6}{'away':>8}{'table s':>9}{'CPU s':>8}")
    for skill, row in rows.items():
        print(said_of_rounds(row, ROUNDS[skill]))
    print()
    for line in (*said_of_speed(speed, "two players"), *said_of_speed(teams, f"eight players in {TEAMS} teams")):
        print(line)
    near = all(abs(row.rounds - ROUNDS[skill]) <= NEAR for skill, row in rows.items())
    fast = speed.speed >= FAST
    print()
    for line in judged(near, fast, teams):
        print(line)
    sys.exit(0 if near and fast else 1)


if __name__ == "__main__":
    main()
