"""Records: a game as a text file that any interpreter replays. Spec 15.5.

``*.record.jsonl`` holds one JSON object a line: first the header, then one line an event, and if the game was kept to
its end, one line for the end. Moves are written by their names, seats as at the table (from 1), values by their codes.

    {"rulelang_record": 1, "ruleset": "kuhn-poker", "program": "9f…", "seats": 2, "options": {}, "seed": 7, "game": 0}
    {"outcome": 2}
    {"play": "bid", "seat": 2, "arguments": [3, 1]}
    {"sealed": [{"play": "load", "seat": 1, "arguments": [0]}, {"pass": 2}]}
    {"reading": 41000}
    {"expiry": "glass"}
    {"end": {"kind": "winners", "winners": [2], "places": [2, 1], "returns": ["-1", "1"], "state": "c0…"}}

This module writes; ``record_reading`` reads, ``replay`` plays again, ``live`` keeps a record while a game goes on.
"""

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import attrs

from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Diagnostic
from rulelang.failures import Diagnosed
from rulelang.ir.codec import content_hash
from rulelang.ir.expressions import Constant
from rulelang.ir.program import Program
from rulelang.ir.types import FlagType, NamesType, NumberType, SingleType
from rulelang.play.event import Event, Expiry, Outcome, Pass, Play, Reading, Sealed
from rulelang.play.outcome import GameOutcome

RECORD_VERSION: Final = 1

Json = bool | int | str | list["Json"] | dict[str, "Json"] | None


class RecordFault(Diagnosed):
    """A record cannot be read, written or replayed: Diagnosed, with the line of the record."""

    def __init__(self, code: str, line: int | None, message: str, resumable: bool = False) -> None:
        self.code = code
        self.line = line
        """Counted from 1; None if it is about the whole file."""
        self.message = message
        self.resumable = resumable
        """Only the last line is torn off: reading with ``resume`` gives everything before it."""
        super().__init__([Diagnostic(codes.CODES[code], message)])

    def __reduce__(self) -> tuple[type["RecordFault"], tuple[str, int | None, str, bool]]:
        return RecordFault, (self.code, self.line, self.message, self.resumable)

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        return f"{self.code}: {place}{self.message}"


@attrs.frozen
class Header:
    """Which game was played: enough to set it up again."""

    ruleset: str
    program: str
    """Content hash of the closed program, without origins."""
    seats: int
    options: Mapping[str, int | str | bool]
    """Chosen labels by the names of the options."""
    seed: int
    game: int = 0
    """Which of the games of this seed."""
    engine: str = ""
    """The interpreter that played it, for people; any other replays it."""


@attrs.frozen
class Ending:
    """What the last line says of a finished game."""

    outcome: GameOutcome
    state: str
    """Hash of the last state."""


@attrs.frozen
class Record:
    """A header and the events in order. Event i stands in line i + 2."""

    header: Header
    events: tuple[Event, ...]
    ending: Ending | None = None


def header_of(program: Program, seed: int, game: int = 0, engine: str = "") -> Header:
    """The header for a match of a closed program."""
    configuration = program.configuration
    chosen = configuration.options if configuration else ()
    return Header(
        ruleset=program.name,
        program=content_hash(program),
        seats=configuration.seats if configuration else program.fewest_seats,
        options={
            option.name: option_label(option.type, code) for option, code in zip(program.options, chosen, strict=True)
        },
        seed=seed,
        game=game,
        engine=engine,
    )


def option_label(kind: SingleType, code: int) -> int | str | bool:
    """An option's value as its author spells it: a number, a name, or yes and no as true and false."""
    if isinstance(kind, FlagType):
        return code == 1
    if isinstance(kind, NumberType) and kind.word is not None and kind.low == Constant(code):
        return kind.word
    if isinstance(kind, NamesType) and 0 <= code < len(kind.labels):
        return kind.labels[code]
    return code


# ------------------------------------------------------------------ one line each


def header_json(header: Header) -> dict[str, Json]:
    """The first line."""
    line: dict[str, Json] = {
        "rulelang_record": RECORD_VERSION,
        "ruleset": header.ruleset,
        "program": header.program,
        "seats": header.seats,
        "options": dict(header.options),
        "seed": header.seed,
        "game": header.game,
    }
    if header.engine:
        line["engine"] = header.engine
    return line


def event_json(program: Program, event: Event) -> dict[str, Json]:
    """The line of one event."""
    if isinstance(event, Play):
        arguments: list[Json] = list(event.arguments)
        return {"play": program.moves[event.move].name, "seat": event.seat + 1, "arguments": arguments}
    if isinstance(event, Pass):
        return {"pass": event.seat + 1}
    if isinstance(event, Sealed):
        return {"sealed": [event_json(program, answer) for answer in event.answers]}
    if isinstance(event, Reading):
        return {"reading": event.time}
    if isinstance(event, Expiry):
        return {"expiry": program.timers[event.timer].name}
    return {"outcome": event.value}


def ending_json(ending: Ending) -> dict[str, Json]:
    """The last line of a finished game."""
    outcome = ending.outcome
    end: dict[str, Json] = {
        "kind": outcome.kind,
        "winners": [seat + 1 for seat in outcome.winners],
        "places": list(outcome.places),
        "returns": [str(amount) for amount in outcome.returns],
        "state": ending.state,
    }
    if outcome.grade is not None:
        end["grade"] = outcome.grade
    return {"end": end}


def as_line(data: Mapping[str, Json]) -> str:
    """The text of a line with its end."""
    return json.dumps(data, ensure_ascii=False) + "\n"


def record_lines(program: Program, record: Record) -> Iterable[str]:
    """The whole record, line by line."""
    yield as_line(header_json(record.header))
    for event in record.events:
        yield as_line(event_json(program, event))
    if record.ending is not None:
        yield as_line(ending_json(record.ending))


def write_record(path: Path, program: Program, record: Record) -> None:
    """Write a record in one piece: the file is there whole, or as it was before. Raises RecordFault.

    A file that is there keeps its rights; a new one has those that new files have.
    """
    temporary: Path | None = None
    try:
        beside = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}")
        with beside.open("x", encoding="utf-8", newline="\n") as file:
            temporary = beside
            file.writelines(record_lines(program, record))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(path, temporary)
        os.replace(temporary, path)
        temporary = None
    except OSError as failure:
        raise not_written(path, failure) from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def not_written(path: Path, failure: OSError) -> RecordFault:
    """The fault of a file that cannot be written."""
    return RecordFault("RL9026", None, f"'{path}' cannot be written: {failure.strerror or 'unknown reason'}.")


__all__ = [
    "RECORD_VERSION",
    "Ending",
    "Header",
    "Outcome",
    "Record",
    "RecordFault",
    "as_line",
    "ending_json",
    "event_json",
    "header_json",
    "header_of",
    "not_written",
    "option_label",
    "record_lines",
    "write_record",
]
