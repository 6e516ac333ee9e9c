"""``rulelang sim``: many games by automatic players, added up exactly.

What is printed depends on the rules, the options, the players, the seed and the number of games, and on nothing else.
"""

import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.diagnostics.reading import read_source
from rulelang.tools import cache
from rulelang.tools.ending import FINDINGS, INTERRUPTED, OK, Misused
from rulelang.tools.loading import compiles, configure, find, open_program, say_without_llvmlite
from rulelang.tools.options import (
    MOST_GAMES,
    cache_option,
    engine_option,
    example,
    format_option,
    new_seed,
    option_option,
    read_seats,
    ruleset_argument,
    seed_option,
)
from rulelang.tools.players import agents_named
from rulelang.tools.progress import Progress
from rulelang.tools.saying import decimal, exact, many, seats_said, show, show_json, table

if TYPE_CHECKING:
    from rulelang.ir.program import Program
    from rulelang.play.agents import Agent
    from rulelang.play.engine import Game
    from rulelang.tools.batches import Job, Totals


MANY = 1000
"""Games that take so long that it is worth saying what would play them faster."""


@click.command(epilog=example("rulelang sim tic-tac-toe --games 100 --seats random,random --seed 7"))
@ruleset_argument()
@click.option("--games", type=click.IntRange(1, MOST_GAMES), required=True, metavar="N", help="How many games.")
@click.option(
    "--seats", metavar="PLAYERS", help="For every seat random, advised, mc:N, uct:N or a plug-in. Default: all random."
)
@option_option()
@seed_option()
@click.option(
    "--promises/--no-promises",
    default=True,
    show_default=True,
    help="Whether to look at what the rules promise ('always') in every state.",
)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes that play.")
@click.option("--progress/--no-progress", default=None, help="Whether to tell on stderr how far it is.")
@engine_option()
@format_option("text", "json")
@cache_option()
def command(name: str, games: int, seats: str | None, options: dict[str, str], seed: int | None, **rest: Any) -> int:
    """Play many games by automatic players and add them up.

    The numbers are the same for any number of jobs. Ctrl-C shows what was played so far. The exit code is 1 if
    something that the rules promise ('always') did not hold.
    """
    path = find(name)
    if seats and rest["use_cache"] and rest["form"] == "text":
        quick = _at_once(path, games, read_seats(seats) or [], options, seed, rest)
        if quick is not None:
            return quick
    from rulelang.ir.codec import dumps
    from rulelang.tools.batches import Job

    program = open_program(path, use_cache=rest["use_cache"])
    players = read_seats(seats) or ["random"] * program.fewest_seats
    if "human" in players:
        raise Misused("Only automatic players can be simulated; 'rulelang play' is for people.")
    agents = agents_named(players, path.parent)
    game = configure(program, rest["engine"], len(players), options)
    job = Job(dumps(program), rest["engine"], options, tuple(players), new_seed(seed), path.parent, rest["promises"])
    _say_what_plays(rest["engine"], games)
    totals, stopped = _played(game, agents, job, games, rest["jobs"], rest["progress"])
    if rest["form"] == "json":
        show_json(as_json(game.program, job, games, totals))
    else:
        for line in _lines(game.program.title, job.players, job.seed, games, totals):
            show(line)
    if stopped:
        return INTERRUPTED
    if rest["use_cache"] and rest["engine"] == "native" and set(players) == {"random"}:
        _keep_beginning(path, game, len(players), options, rest["promises"])
    return FINDINGS if totals.summary.broken else OK


def _at_once(
    path: Path, games: int, players: "list[str]", options: dict[str, str], seed: int | None, rest: dict[str, Any]
) -> int | None:
    """The exit code, if the native interpreter has played these rules before and can play on at once; else None."""
    if rest["engine"] != "native" or path.suffix != ".rules" or set(players) != {"random"} or not compiles():
        return None
    made_of = cache.key_of(read_source(path), path)
    if made_of is None:
        return None
    from rulelang_native.llvm.starting import MOST_GAMES, beginning

    if games > MOST_GAMES:
        return None
    known = beginning(made_of, len(players), options, promises=rest["promises"])
    if known is None:
        return None
    chosen = new_seed(seed)
    summaries = known.summaries(games, chosen)
    if summaries is None:
        return None
    from rulelang.tools.batches import Totals

    totals = Totals.of(summaries)
    for line in _lines(known.title, tuple(players), chosen, games, totals):
        show(line)
    return FINDINGS if totals.summary.broken else OK


def _keep_beginning(path: Path, game: "Game", seats: int, options: dict[str, str], promises: bool) -> None:
    """So that the next time it can."""
    made_of = cache.key_of(read_source(path), path) if path.suffix == ".rules" else None
    if made_of is not None and compiles():
        from rulelang_native.game import Game
        from rulelang_native.llvm.starting import keep

        if isinstance(game, Game):
            keep(game, made_of, seats, options, promises=promises)


def _say_what_plays(engine: str, games: int) -> None:
    """So many games would be compiled: say it if they cannot be."""
    if engine == "native" and games >= MANY and os.environ.get("RULELANG_NATIVE") != "python":
        say_without_llvmlite()


def _played(
    game: "Game", players: "list[Agent | None]", job: "Job", games: int, jobs: int, progress: bool | None
) -> "tuple[Totals, bool]":
    """The sum of all games, and whether somebody stopped them."""
    from rulelang.tools.batches import Totals, in_processes, in_this_process

    agents = [agent for agent in players if agent is not None]
    source = in_processes(job, games, jobs) if jobs > 1 else in_this_process(game, agents, job, games)
    totals = Totals()
    with Progress(progress, "games", games) as line:
        try:
            for part in source:
                totals.add(part)
                line.at(totals.summary.games)
        except KeyboardInterrupt:
            return totals, True
    return totals, False


# ------------------------------------------------------------------ results


def as_json(program: "Program", job: "Job", games: int, totals: "Totals") -> dict[str, Any]:
    """All numbers, exactly."""
    from rulelang.play.record import header_of

    summary = totals.summary
    played = max(summary.games, 1)
    return {
        "ruleset": program.name,
        "options": dict(header_of(program, job.seed).options),
        "seed": job.seed,
        "games_asked": games,
        "games": summary.games,
        "outcomes": [
            {"kind": kind, "winners": [seat + 1 for seat in winners], "games": count}
            for (kind, winners), count in sorted(totals.ends.items())
        ],
        "length": {
            "min": summary.shortest,
            "mean": exact(Fraction(summary.length, played)),
            "max": summary.longest,
            "total": summary.length,
        },
        "decisions": summary.decisions,
        "cost": summary.cost,
        "broken_promises": [
            {"name": name, "games": count, "first_game": first} for name, count, first in summary.broken
        ],
        "seats": [
            {
                "seat": seat + 1,
                "player": player,
                "wins": wins,
                "draws": draws,
                "losses": losses,
                "mean_return": exact(_return(totals, seat) / played),
            }
            for seat, (player, (wins, draws, losses)) in enumerate(zip(job.players, _results(totals), strict=False))
        ],
    }


def _results(totals: "Totals") -> Iterator[tuple[int, int, int]]:
    """Of every seat: games won, drawn and lost; what has no winner and no loser counts as none of them."""
    for seat in range(len(totals.summary.returns)):
        wins = draws = losses = 0
        for (kind, winners), count in totals.ends.items():
            if seat in winners:
                wins += count
            elif kind in ("winners", "amounts") and not winners:
                draws += count
            elif winners:
                losses += count
        yield wins, draws, losses


def _return(totals: "Totals", seat: int) -> Fraction:
    return totals.summary.returns[seat]


def _lines(title: str, players: tuple[str, ...], seed: int, games: int, totals: "Totals") -> Iterator[str]:
    summary = totals.summary
    of = "" if summary.games == games else f" of {games}"
    yield f"{title}: {summary.games}{of} game{'' if games == 1 else 's'}, seed {seed}"
    if not summary.games:
        return
    yield ""
    rows = [["outcome", "games", ""]]
    for (kind, winners), count in sorted(totals.ends.items()):
        rows.append([_end_words(kind, winners), str(count), _percent(count, summary.games)])
    yield from table(rows, numbers_from=1)
    yield ""
    rows = [["seat", "player", "won", "drawn", "lost", "mean return"]]
    for seat, (player, results) in enumerate(zip(players, _results(totals), strict=True)):
        mean = decimal(_return(totals, seat) / summary.games, 4)
        rows.append([str(seat + 1), player, *(_percent(each, summary.games) for each in results), mean])
    yield from table(rows, numbers_from=2)
    yield ""
    mean = decimal(Fraction(summary.length, summary.games), 2)
    yield f"events a game: {summary.shortest} to {summary.longest}, mean {mean}"
    for name, count, first in summary.broken:
        yield f"the promise '{name}' did not hold in {many(count, 'game')}; the first is game {first} of this seed"


def _end_words(kind: str, winners: tuple[int, ...]) -> str:
    if winners:
        return f"{seats_said(winners)} win{'s' if len(winners) == 1 else ''}"
    return {"winners": "draw", "amounts": "draw", "grade": "graded together"}.get(kind, kind)


def _percent(count: int, of: int) -> str:
    return f"{decimal(Fraction(100 * count, of), 1)} %"
