"""What advised players of Taiwan Monsters Brawl do, beside the figures of a simulation that came with the data.

    python benchmarks/taiwan_monsters_brawl.py [--games N] [--seats N] [--seed N] [--option KEY=VALUE]

Players: `advised` on every seat, games 0 to N - 1 of the seed, native interpreter, one process. The figures beside
them are those of the simulation at the end of the ruleset's `components.toml`: another program, with greedy players,
so they say how the game feels, not what is right. Nothing is timed and nothing is judged here; the exit code is 0.
"""

import argparse
import statistics
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence

import attrs

import rulelang
from rulelang.failures import Broken
from rulelang.play.engine import Game, State
from rulelang.play.event import Play
from rulelang.play.kinds import Layout
from rulelang.play.match import Match
from rulelang.rulesets import find
from rulelang.tools.players import agent_named

NAME = "taiwan-monsters-brawl"
SECTIONS = {2: "two_players", 3: "three_players", 4: "four_players"}
ACTIONS = ("challenge", "pass_for", "pass_without_rune")
WITHOUT = ("draw_card", "roll_runes")


@attrs.define
class Tally:
    """What happened in some games."""

    games: int = 0
    rounds: list[int] = attrs.Factory(list)
    scores: list[int] = attrs.Factory(list)
    best: list[int] = attrs.Factory(list)
    events: int = 0
    moves: Counter[str] = attrs.Factory(Counter)
    ends: Counter[str] = attrs.Factory(Counter)


class Table:
    """Where the markers and zones of a game are in a position."""

    def __init__(self, game: Game) -> None:
        layout = Layout.of(game.program)
        self.bases = {slot.name: layout.families[number].base for number, slot in enumerate(game.program.slots)}

    def of(self, state: State, name: str, member: int = 0) -> object:
        """What lies or stands there."""
        return state.position().cells[self.bases[name] + member]

    def number(self, state: State, name: str, member: int = 0) -> int:
        """What a marker of a number or a seat says."""
        found = self.of(state, name, member)
        if not isinstance(found, int):
            raise Broken(f"'{name}' holds no number")
        return found


def played(game: Game, seats: int, seed: int, number: int, tally: Tally) -> None:
    """One game, with what was done in it."""
    table = Table(game)
    agent = agent_named("advised", find(NAME).parent)
    if agent is None:
        raise Broken("a person plays in a benchmark")
    match = Match(game, seed, number)
    if match.play([agent] * seats) is None:
        raise Broken("a game stopped although every seat has an automatic player")
    spells = {row for each in game.program.tables if each.name == "Spell" for row in each.rows}
    state, rounds, duel = game.start(), 0, None
    for event in match.events:
        before, state = state, state.step(event)
        if isinstance(event, Play):
            name = game.program.moves[event.move].name
            tally.moves["a spell" if name in spells else name] += 1
            rounds += name == "settle"
            if name == "challenge":
                duel = event.seat, event.arguments[0]
        if duel is not None and table.number(state, "challenger") < 0:
            tally.ends[ended(table, before, state, *duel)] += 1
            duel = None
    scores = [table.number(state, "vp", seat) for seat in range(seats)]
    tally.games += 1
    tally.rounds.append(rounds // seats)
    tally.scores += scores
    tally.best.append(max(scores))
    tally.events += len(match.events)


def ended(table: Table, before: State, after: State, challenger: int, defender: int) -> str:
    """How a challenge ended: seen from the table behind it."""
    if table.of(before, "territory", defender) != table.of(after, "territory", defender):
        return "attack"
    hurt = table.number(after, "injured", challenger) > table.number(before, "injured", challenger)
    return "defence" if hurt else "tie"


def lines(tally: Tally, known: dict[str, object]) -> list[tuple[str, float, object]]:
    """Each figure with its name and, where there is one, that of the simulation."""
    moves, ends, rounds = tally.moves, tally.ends, sum(tally.rounds)
    challenges = moves["challenge"]
    duels = sum(ends.values()) or 1
    turns = sum(moves[name] for name in ACTIONS) or 1
    games = tally.games
    return [
        ("rounds a game", rounds / games, known.get("rounds_average")),
        ("score", statistics.fmean(tally.scores), known.get("average_score")),
        ("score of the best", statistics.fmean(tally.best), known.get("average_winner_score")),
        ("challenges a round", challenges / rounds, known.get("challenges_per_round")),
        (
            "challenges of turns with a territory",
            challenges / turns,
            known.get("share_of_territory_turns_that_challenge"),
        ),
        ("attacks that win", ends["attack"] / duels, known.get("attack_wins")),
        ("ties", ends["tie"] / duels, known.get("ties")),
        ("defences that win", ends["defence"] / duels, known.get("defence_wins")),
        ("lines a challenge", moves["activate"] / (challenges or 1), known.get("lines_per_challenge")),
        ("ultimates a game", moves["unleash"] / games, known.get("ultimates_per_game")),
        (
            "turns without a territory a game",
            sum(moves[name] for name in WITHOUT) / games,
            known.get("turns_without_territory_per_game"),
        ),
        ("paid refreshes a game", moves["refresh"] / games, known.get("paid_refreshes_per_game")),
        ("spells a game", moves["a spell"] / games, known.get("spells_cast_per_game")),
        ("events a game", tally.events / games, None),
    ]


def main(arguments: Sequence[str]) -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(description="What advised players of Taiwan Monsters Brawl do.")
    parser.add_argument("--games", type=int, default=1000, help="games of each number of seats")
    parser.add_argument("--seats", type=int, choices=(2, 3, 4), help="only so many seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE")
    given = parser.parse_args(arguments)
    options = dict(each.split("=", 1) for each in given.option)
    data = tomllib.loads((find(NAME).parent / "components.toml").read_text(encoding="utf-8"))
    for seats in (2, 3, 4) if given.seats is None else (given.seats,):
        game = rulelang.load(NAME, engine="native").configure(seats, options).game
        tally = Tally()
        for number in range(given.games):
            played(game, seats, given.seed, number, tally)
        print(f"{seats} seats, {given.games} games, seed {given.seed}{'here':>26}{'simulated':>12}")
        for name, value, known in lines(tally, data["simulation"][SECTIONS[seats]]):
            print(f"  {name:<44}{value:>10.2f}{'' if known is None else known:>12}")
        print(f"  {', '.join(f'{name} {count}' for name, count in sorted(tally.moves.items()))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
