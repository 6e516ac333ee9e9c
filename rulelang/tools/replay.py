"""``rulelang replay``: a record played again, told to a spectator or to one seat, and compared with what it says."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from rulelang.tools.ending import FINDINGS, OK, Misused, diagnosed_record
from rulelang.tools.options import cache_option, engine_option, example, format_option, read_seats
from rulelang.tools.play import game_of_record, resume_game, start_json
from rulelang.tools.saying import many, outcome_json, outcome_words, show, show_json

if TYPE_CHECKING:
    from rulelang.play.match import Match
    from rulelang.play.record import Record, RecordFault


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

    Every event is carried out again; the end, if the record has one, must be the same to the last byte. What the rules
    promise ('always') is looked at, and an event that cannot take place is told behind those before it; then the exit
    code is 1.
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
        record, match, fault = _replayed(Path(file), game, rest["last"])
    except RecordFault as fault:
        raise diagnosed_record(fault, file) from None
    seat = rest["seat"]
    if seat is not None and seat > record.header.seats:
        raise Misused(f"There is no seat {seat}; the game has {record.header.seats}.")
    broken = tuple(_broken(match))
    _tell(match, record, None if seat is None else seat - 1, rest["form"], broken)
    if fault is not None:
        raise diagnosed_record(fault, file)
    return FINDINGS if broken else OK


def _replayed(path: Path, game: Any, last: int | None) -> "tuple[Record, Match, RecordFault | None]":
    """The record, as far as it is wanted and can be played, the match at its end, and what is wrong with what comes
    next. Raises RecordFault.
    """
    from rulelang.play.record import RecordFault
    from rulelang.play.record_reading import read_record
    from rulelang.play.replay import FIRST_LINE, replay

    record = read_record(path, game.program)
    if last is not None and last < len(record.events):
        record = attrs.evolve(record, events=record.events[:last], ending=None)
    try:
        return record, replay(game, record), None
    except RecordFault as fault:
        number = -1 if fault.line is None else fault.line - FIRST_LINE
        if not 0 <= number < len(record.events):
            raise
        possible = attrs.evolve(record, events=record.events[:number], ending=None)
        return possible, replay(game, possible), fault


def _broken(match: "Match") -> Iterator[tuple[int, str]]:
    """The promises that do not hold, each with the number of events after which that was so first."""
    from rulelang.failures import Exhausted

    if not match.game.program.invariants:
        return
    states = [match.state]
    while states[-1].previous is not None:
        states.append(states[-1].previous)
    known: set[str] = set()
    for number, state in enumerate(reversed(states)):
        try:
            names = match.game.invariants(state)
        except Exhausted:
            continue  # whether they hold cannot be worked out there, which is no event's fault
        for name in names:
            if name not in known:
                known.add(name)
                yield number, name


def _tell(match: "Match", record: "Record", seat: int | None, form: str, broken: tuple[tuple[int, str], ...]) -> None:
    from rulelang.tools.narrate import Narrator, step_json, step_lines
    from rulelang.tools.table import table_lines

    program = match.game.program
    if form == "json":
        show_json(start_json(match, None) | {"shown_to": None if seat is None else seat + 1}, lines=True)
    else:
        show(f"{program.title}: {many(record.header.seats, 'seat')}, seed {record.header.seed}")
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
        end: dict[str, Any] = {"type": "end", "events": len(record.events), "verified": verified}
        promises = [{"name": name, "after": number} for number, name in broken]
        show_json(end | ({"broken_promises": promises} if promises else {}), lines=True)
        return
    for line in ("", *table_lines(program, match.state.view(seat)), ""):
        show(line)
    show(f"Result: {outcome_words(match.outcome)}" if match.outcome is not None else "The game is not over here.")
    for number, name in broken:
        where = f"After {many(number, 'event')}" if number else "At the start"
        show(f"{where}: the rules promise '{name}', and it does not hold.")
    show(f"{many(len(record.events), 'event')} replayed{'; the end is the same as in the record' if verified else ''}.")


def _first(match: "Match") -> Any:
    state = match.state
    while state.previous is not None:
        state = state.previous
    return state
