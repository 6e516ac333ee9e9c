"""``rulelang differ``: two interpreters play the same games, and everything that they answer is compared. Spec 1.6.

What is compared depends on the rules, the options, the seed and the number of moves, and on nothing else.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from rulelang.tools.ending import FINDINGS, INTERRUPTED, OK
from rulelang.tools.loading import compiles, configure, engine_named, open_program, say_without_llvmlite
from rulelang.tools.options import (
    cache_option,
    example,
    format_option,
    new_seed,
    option_option,
    ruleset_argument,
    seed_option,
)
from rulelang.tools.progress import Progress
from rulelang.tools.saying import many, show, show_json, table

if TYPE_CHECKING:
    from rulelang.ir.program import Program
    from rulelang.play.comparing import Compared
    from rulelang.play.covering import Covering
    from rulelang.play.differing import Difference
    from rulelang.play.record import Record, RecordFault

MOST_MOVES = 1_000_000_000

COUNTED = {
    "moves": "events that took place alike",
    "games": "games",
    "configurations": "configurations of seats and options",
    "refused": "configurations refused alike",
    "exhausted": "games given up alike",
    "states": "states compared",
    "attempts": "attempts, most of them illegal",
    "views": "views",
    "saved": "states saved and loaded",
    "compiled": "events of compiled games",
    "given_up": "compiled games given up, not compared",
    "stepped": "answers in compiled batches",
}
"""What is counted, and what it is called."""


@click.command(epilog=example("rulelang differ leduc-poker --moves 300 --seed 7"))
@ruleset_argument()
@click.option(
    "--moves",
    type=click.IntRange(1, MOST_MOVES),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Events to compare.",
)
@click.option("--seats", type=click.IntRange(1, 16), metavar="N", help="Number of seats. Default: every one in turn.")
@option_option()
@seed_option()
@click.option("--engine", default="native", show_default=True, metavar="NAME", help="The interpreter to judge.")
@click.option("--against", default="reference", show_default=True, metavar="NAME", help="What it is compared with.")
@click.option("--save", type=click.Path(), metavar="FILE", help="Write the record that shows a difference.")
@click.option("--progress/--no-progress", default=None, help="Whether to tell on stderr how far it is.")
@format_option("text", "json")
@cache_option()
def command(name: str, moves: int, seats: int | None, options: dict[str, str], seed: int | None, **rest: Any) -> int:
    """Play two interpreters against each other and say where they differ.

    Both play the same random games. At every step all that they answer must be the same: moves and their order,
    refusals, views, chance, cost, bytes. Then the judged one's compiled games, whole and in batches, are held against
    the other one's. Without --seats all numbers of seats share the moves, without --option every
    option is varied. Of a difference the shortest record that was found is shown, and the exit code is 1. Ctrl-C
    shows what was compared so far.
    """
    from rulelang.play.configurations import all_seats
    from rulelang.play.covering import Covering

    program = open_program(name, use_cache=rest["use_cache"])
    covering = Covering(engine_named(rest["engine"]), engine_named(rest["against"]), program, new_seed(seed))
    numbers = all_seats(program) if seats is None else (seats,)
    difference, stopped = _compared(covering, numbers, options or None, moves, rest["progress"])
    if difference is None and not stopped and not covering.counts.configurations:
        configure(program, rest["against"], numbers[0], options)  # says why nothing could be played
    record, closed = (None, None) if difference is None else _record(program, difference, rest["engine"])
    unkept = None if record is None or closed is None else _kept(rest["save"], closed, record)
    if unkept is not None:
        rest["save"] = None
    if covering.uncompiled and rest["engine"] == "native" and os.environ.get("RULELANG_NATIVE") != "python":
        say_without_llvmlite()
    if rest["form"] == "json":
        show_json(as_json(covering, moves, rest, difference, record) | {"interrupted": stopped})
    else:
        for line in _lines(covering, moves, rest | {"stopped": stopped}, difference, record):
            show(line)
    if unkept is not None:
        raise unkept
    return INTERRUPTED if stopped else OK if difference is None else FINDINGS


def _compared(
    covering: "Covering", numbers: tuple[int, ...], options: dict[str, str] | None, moves: int, progress: bool | None
) -> "tuple[Difference | None, bool]":
    """The difference if there is one, as short as it can be shown, and whether somebody stopped it."""
    from rulelang.play.shortening import shortest

    difference = None
    with Progress(progress, "moves", moves) as line:
        covering.progress = line.at
        try:
            difference = covering.compare(numbers, options, moves)
            if difference is not None:
                difference = shortest(covering.first, covering.second, covering.program, difference)
        except KeyboardInterrupt:
            return difference, True
    return difference, False


def _record(program: "Program", difference: "Difference", engine: str) -> "tuple[Record, Program] | tuple[None, None]":
    """The record that shows a difference, and its program; None if not even the program can be closed."""
    from rulelang.failures import Exhausted, Refused
    from rulelang.play.closing import close
    from rulelang.play.record import Record, header_of

    try:
        closed = close(program, difference.seats, difference.options)
    except (Refused, Exhausted):
        return None, None
    return Record(header_of(closed, difference.seed, difference.game, engine), difference.events), closed


def _kept(file: str | None, closed: "Program", record: "Record") -> "RecordFault | None":
    """Keep the record, if wanted; why it cannot be. The difference is told before that is."""
    from rulelang.play.record import RecordFault, write_record

    if file is not None:
        try:
            write_record(Path(file), closed, record)
        except RecordFault as fault:
            return fault
    return None


# ------------------------------------------------------------------ results


def as_json(
    covering: "Covering",
    moves: int,
    asked: dict[str, Any],
    difference: "Difference | None",
    record: "Record | None",
) -> dict[str, Any]:
    """All of it, for programs; seats as at the table."""
    from rulelang.play.record import event_json, header_json

    found = None
    if difference is not None:
        found = {
            "what": difference.what,
            "engine": difference.first,
            "against": difference.second,
            "seats": difference.seats,
            "options": dict(difference.options),
            "game": difference.game,
            "record": None
            if record is None
            else [header_json(record.header), *(event_json(covering.program, event) for event in record.events)],
        }
    return {
        "ruleset": covering.program.name,
        "engine": asked["engine"],
        "against": asked["against"],
        "seed": covering.seed,
        "moves_asked": moves,
        "compared": attrs.asdict(covering.counts),
        "difference": found,
    }


def _lines(
    covering: "Covering",
    moves: int,
    asked: dict[str, Any],
    difference: "Difference | None",
    record: "Record | None",
) -> Iterator[str]:
    counts = covering.counts
    verdict = "do not agree" if difference is not None else "agree"
    of = "" if difference is not None or counts.moves >= moves else f" ({counts.moves} of {many(moves, 'move')})"
    if asked["stopped"] and not of and difference is None:
        of = " (stopped while compiled games were compared)"
    yield f"{covering.program.title}: {asked['engine']} and {asked['against']} {verdict}{of}; seed {covering.seed}"
    yield ""
    yield from table(_counted(counts), numbers_from=1)
    if covering.uncompiled and not counts.compiled + counts.given_up:
        yield ""
        yield f"No compiled games were compared: {_why_none(asked['engine'])}."
    if difference is not None:
        yield ""
        yield from _difference_lines(covering.program, asked, difference, record)


def _why_none(engine: str) -> str:
    """Why there are no compiled games."""
    if engine != "native":
        return f"{engine} has none"
    if os.environ.get("RULELANG_NATIVE") == "python":
        return "RULELANG_NATIVE is 'python'"
    return "these rules have no compiled form" if compiles() else "llvmlite is not there, or cannot be used"


def _counted(counts: "Compared") -> list[list[str]]:
    values = attrs.asdict(counts)
    return [[words, str(values[name])] for name, words in COUNTED.items() if values[name] or name in ("moves", "games")]


def _difference_lines(
    program: "Program", asked: dict[str, Any], difference: "Difference", record: "Record | None"
) -> Iterator[str]:
    """What differs, both sides, and the record, as it would be saved."""
    from rulelang.play.record import record_lines

    count = len(difference.events)
    yield f"{difference.what}, after {count} event{'' if count == 1 else 's'} of game {difference.game}:"
    yield from table([[f"  {asked['engine']}", difference.first], [f"  {asked['against']}", difference.second]])
    if record is None:
        chosen = "".join(f", {name}={label}" for name, label in difference.options.items())
        yield f"  with {many(difference.seats, 'seat')}{chosen}"
        return
    yield ""
    yield (
        "The record that shows it:" if asked["save"] is None else f"The record that shows it, kept in {asked['save']}:"
    )
    yield from (f"  {line.rstrip()}" for line in record_lines(program, record))
