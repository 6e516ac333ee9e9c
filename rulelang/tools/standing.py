"""Where a question is asked: after so many events of a record, or at the start of a game. ``why-not``, ``explain``."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.tools.ending import Misused, diagnosed_record
from rulelang.tools.loading import configure, open_program
from rulelang.tools.options import new_seed
from rulelang.tools.play import game_of_record
from rulelang.tools.saying import many

if TYPE_CHECKING:
    from rulelang.play.match import Match

RECORD_SUFFIX = ".jsonl"


@attrs.frozen
class Standing:
    """A match at the moment in question."""

    match: "Match"
    record: str | None
    """The file of the record; None at the start of a game."""
    step: int
    """So many events have happened."""
    rules: str | Path
    """What the rules were found by."""


def is_record(target: str) -> bool:
    """Whether a word names a record, with or without a step, and not a ruleset."""
    return _taken_apart(target)[0].endswith(RECORD_SUFFIX)


def standing(
    target: str,
    *,
    rules: str | None,
    seats: int | None,
    options: dict[str, str],
    seed: int | None,
    engine: str,
    use_cache: bool,
) -> Standing:
    """The moment that ``RECORD:STEP``, ``RECORD`` (its end) or ``NAME`` (its start) means.

    Raises Diagnosed, Refused, Exhausted, and Misused for words that do not go together.
    """
    if not is_record(target):
        if rules is not None:
            raise Misused("'--rules' says which rules a record is of; here is no record.")
        return _at_start(target, seats, options, seed, engine, use_cache)
    if seats is not None or options or seed is not None:
        raise Misused("'--seats', '--option' and '--seed' are in the record already.")
    file, step = _taken_apart(target)
    return _in_record(file, step, rules, engine, use_cache)


def _taken_apart(target: str) -> tuple[str, int | None]:
    found = re.fullmatch(r"(.*):([0-9]{1,9})", target, re.DOTALL | re.ASCII)
    return (found[1], int(found[2])) if found else (target, None)


def _at_start(
    name: str, seats: int | None, options: dict[str, str], seed: int | None, engine: str, use_cache: bool
) -> Standing:
    """The first moment at which somebody must act; chance decides by the seed."""
    from rulelang.play.match import Match

    game = configure(open_program(name, use_cache=use_cache), engine, seats, options)
    match = Match(game, 0 if seed is None else seed, engine=engine)
    if match.state.waiting.kind == "chance":
        if seed is None:
            match = Match(game, new_seed(None), engine=engine)
        match.advance_chance()
    return Standing(match, None, len(match.events), name)


def _in_record(file: str, step: int | None, rules: str | None, engine: str, use_cache: bool) -> Standing:
    from rulelang.play.record import RecordFault
    from rulelang.play.record_reading import read_record
    from rulelang.play.replay import replay

    try:
        game, header = game_of_record(Path(file), rules, engine, use_cache)
        record = read_record(Path(file), game.program)
        if step is not None and step > len(record.events):
            raise Misused(f"The record has {many(len(record.events), 'event')}; there is no step {step}.")
        if step is not None and step < len(record.events):
            record = attrs.evolve(record, events=record.events[:step], ending=None)
        match = replay(game, record)
    except RecordFault as fault:
        raise diagnosed_record(fault, file) from None
    return Standing(match, file, len(record.events), rules or header.ruleset)


def seat_named(where: Standing, seat: int | None) -> int | None:
    """A seat of the command line, counted from 0; None stays None."""
    seats = where.match.record.header.seats
    if seat is not None and seat > seats:
        raise Misused(f"There is no seat {seat}; the game has {seats}.")
    return None if seat is None else seat - 1


def where_said(where: Standing) -> str:
    """The moment in words."""
    from rulelang.play.times import clock_text

    title = where.match.game.program.title
    after = "at the start" if where.step == 0 else f"after {where.step} event{'s' if where.step > 1 else ''}"
    match = where.match
    return f"{title}, {after}" + ("" if match.game.program.clock is None else f", at {clock_text(match.now)}")


def where_json(where: Standing) -> dict[str, Any]:
    """The moment for programs."""
    program = where.match.game.program
    time = {} if program.clock is None else {"time": where.match.now}
    return {"ruleset": program.name, "record": where.record, "step": where.step, **time}
