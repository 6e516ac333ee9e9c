"""``rulelang replay``: a record played again, told to a spectator or to one seat, and compared with what it says."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from rulelang.tools.ending import OK, Misused, diagnosed_record
from rulelang.tools.options import cache_option, engine_option, example, format_option, read_seats
from rulelang.tools.play import game_of_record, resume_game, start_json
from rulelang.tools.saying import outcome_json, outcome_words, show, show_json

if TYPE_CHECKING:
    from rulelang.play.match import Match
    from rulelang.play.record import Record


@click.command(epilog=example("rulelang replay game.record.jsonl"))
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--rules", metavar="NAME|PATH", help="The rules, if the name in the record does not find them.")
@click.option("--to", "last", type=click.IntRange(0), metavar="N", help="Stop after so many events.")
@click.option("--seat", type=click.IntRange(1, 16), metavar="S", help="Show what this seat saw. Default: a spectator.")
@click.option("--resume", is_flag=True, help="Go on playing, as 'rulelang play --resume FILE'.")
@click.option("--seats", metavar="PLAYERS", help="With --resume: who plays on.")
@engine_option()
@format_option("text", "json")
@cache_option()
def command(file: str, rules: str | None, seats: str | None, resume: bool, engine: str, **rest: Any) -> int:
    """Play a record again and show what happened.

    Every event is carried out again; the end, if the record has one, must be the same to the last byte.
    """
    if resume:
        if rest["last"] is not None or rest["seat"] is not None:
            raise Misused("'--to' and '--seat' say what to show; they do not go with '--resume'.")
        return resume_game(Path(file), rules, read_seats(seats), engine, rest["form"], rest["use_cache"])
    if seats is not None:
        raise Misused("'--seats' says who plays on; it needs '--resume'.")
    from rulelang.play.record import RecordFault

    try:
        game, _ = game_of_record(Path(file), rules, engine, rest["use_cache"])
        record, match = _replayed(Path(file), game, rest["last"])
    except RecordFault as fault:
        raise diagnosed_record(fault, file) from None
    seat = rest["seat"]
    if seat is not None and seat > record.header.seats:
        raise Misused(f"There is no seat {seat}; the game has {record.header.seats}.")
    _tell(match, record, None if seat is None else seat - 1, rest["form"])
    return OK


def _replayed(path: Path, game: Any, last: int | None) -> "tuple[Record, Match]":
    """The record, as far as it is wanted, and the match at its end. Raises RecordFault."""
    from rulelang.play.record_reading import read_record
    from rulelang.play.replay import replay

    record = read_record(path, game.program)
    if last is not None and last < len(record.events):
        record = attrs.evolve(record, events=record.events[:last], ending=None)
    return record, replay(game, record)


def _tell(match: "Match", record: "Record", seat: int | None, form: str) -> None:
    from rulelang.tools.narrate import Narrator, step_json, step_lines
    from rulelang.tools.table import table_lines

    program = match.game.program
    if form == "json":
        show_json(start_json(match, None) | {"shown_to": None if seat is None else seat + 1}, lines=True)
    else:
        show(f"{program.title}: {record.header.seats} seats, seed {record.header.seed}")
    for step in Narrator(program, seat, _first(match)).until(match.state):
        if form == "json":
            show_json(step_json(program, step), lines=True)
        else:
            for line in step_lines(program, step):
                show(line)
    verified = record.ending is not None
    if form == "json":
        if match.outcome is not None:
            show_json(outcome_json(match.outcome), lines=True)
        show_json({"type": "end", "events": len(record.events), "verified": verified}, lines=True)
        return
    for line in ("", *table_lines(program, match.state.view(seat)), ""):
        show(line)
    end = f"Result: {outcome_words(match.outcome)}" if match.outcome is not None else "The game is not over here."
    show(end)
    show(f"{len(record.events)} events replayed{'; the end is the same as in the record' if verified else ''}.")


def _first(match: "Match") -> Any:
    state = match.state
    while state.previous is not None:
        state = state.previous
    return state
