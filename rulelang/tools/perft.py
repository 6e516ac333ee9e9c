"""``rulelang perft``: exact counts over the tree of a game, to compare interpreters and other programs with."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulelang.tools.ending import OK, Misused, diagnosed_record
from rulelang.tools.loading import configure, open_program
from rulelang.tools.options import cache_option, engine_option, example, format_option, option_option, ruleset_argument
from rulelang.tools.play import game_of_record
from rulelang.tools.progress import Progress
from rulelang.tools.saying import show, show_json, table

if TYPE_CHECKING:
    from rulelang.ir.program import Program
    from rulelang.play.engine import Game, State
    from rulelang.play.event import Event

DEEPEST = 1000


@click.command(
    epilog=example(
        "rulelang perft tic-tac-toe --depth 3 --divide",
        "rulelang perft tic-tac-toe --depth 2 --after game.record.jsonl",
    )
)
@ruleset_argument()
@click.option("--depth", type=click.IntRange(0, DEEPEST), required=True, metavar="D", help="Events to count.")
@click.option("--after", type=click.Path(), metavar="FILE", help="Begin where this record ends, not at the start.")
@click.option("--seats", type=click.IntRange(1, 16), metavar="N", help="Number of seats. Default: the fewest.")
@option_option()
@click.option("--divide", is_flag=True, help="Also count below every first move.")
@click.option("--information-sets/--no-information-sets", default=True, help="Count what seats can know, too.")
@click.option("--progress/--no-progress", default=None, help="Whether to tell on stderr how far it is.")
@engine_option()
@format_option("text", "json")
@cache_option()
def command(name: str, depth: int, seats: int | None, options: dict[str, str], divide: bool, **rest: Any) -> int:
    """Count the tree of a game exactly, down to a depth.

    With --after only what can follow the events of a record is counted: a deal that is given, or a game broken off.
    """
    from rulelang.play.tree import perft

    start = None
    if rest["after"] is not None:
        if seats is not None or options:
            raise Misused("'--after' takes the seats and the options from the record.")
        game, start = _after(Path(rest["after"]), name, rest["engine"], rest["use_cache"])
    else:
        game = configure(open_program(name, use_cache=rest["use_cache"]), rest["engine"], seats, options)
    with Progress(rest["progress"], "states") as line:
        counts = perft(
            game,
            depth,
            rest["information_sets"],
            start=start,
            name=lambda event: event_words(game.program, event),
            progress=line.at,
        )
    if rest["form"] == "json":
        show_json(counts)
    else:
        for text in _lines(counts, divide):
            show(text)
    return OK


def _after(path: Path, name: str, engine: str, use_cache: bool) -> "tuple[Game, State]":
    """The game of a record, and the state at its end."""
    from rulelang.play.record import RecordFault
    from rulelang.play.record_reading import read_record
    from rulelang.play.replay import replay

    try:
        game, _ = game_of_record(path, name, engine, use_cache)
        return game, replay(game, read_record(path, game.program)).state
    except RecordFault as fault:
        raise diagnosed_record(fault, str(path)) from None


def event_words(program: "Program", event: "Event") -> str:
    """What a first event is called: its move, the moves of all seats, or chance's code."""
    from rulelang.play.event import Outcome, Pass, Play, Sealed
    from rulelang.play.words import move_text

    if isinstance(event, Outcome):
        return f"chance {event.value}"
    if isinstance(event, Sealed):
        return " + ".join(move_text(program, answer) for answer in event.answers)
    assert isinstance(event, Play | Pass)  # games with a clock have no tree
    return move_text(program, event)


def _lines(counts: dict[str, Any], divide: bool) -> Iterator[str]:
    head = ["depth", "histories", "decisions", "chance", "sealed", "ended"]
    keys = ("histories", "decision_nodes", "chance_nodes", "simultaneous_nodes", "terminal_histories")
    rows = [head]
    for depth in range(counts["max_depth"] + 1):
        rows.append([str(depth), *(str(counts[f"{key}_by_depth"][depth]) for key in keys)])
    yield from table(rows, numbers_from=0)
    yield ""
    whole = "the whole tree" if counts["full_tree"] else "cut off by the depth"
    yield f"histories in all: {counts['total_histories']} ({whole})"
    yield f"histories that end: {counts['terminal_histories']}"
    yield f"sum of seat 1's returns over them: {counts['sum_of_player0_returns_over_terminal_histories']['exact']}"
    if counts["full_tree"]:
        returns = ", ".join(each["exact"] for each in counts["expected_returns_uniform_random_play"])
        yield f"expected returns of random play: {returns}"
    if "information_sets" in counts:
        yield f"information sets, by seat: {', '.join(map(str, counts['information_sets']))}"
    if divide:
        yield ""
        below = counts["divide"]["histories_at_that_depth_below_each_root_move"]
        yield f"histories at depth {counts['divide']['depth']} below each first move:"
        yield from table([[move, str(count)] for move, count in below.items()], numbers_from=1)
