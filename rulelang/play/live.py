"""A record that grows while the game is played: every event is on disk before the next one. Spec 15.5.

Whatever stops the program, what is left can be resumed; an act that was taken back is cut off the file again.
"""

import os
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from rulelang.ir.program import Program
from rulelang.play.engine import Game
from rulelang.play.event import Event
from rulelang.play.match import Match
from rulelang.play.record import Ending, as_line, ending_json, event_json, header_json, header_of, not_written
from rulelang.play.record_reading import read_record
from rulelang.play.replay import replay


class LiveRecord:
    """The keeper of a match that writes its record. Use it in a ``with``. Raises RecordFault."""

    def __init__(self, path: Path, program: Program, file: IO[bytes]) -> None:
        self._path = path
        self._program = program
        self._file = file
        self._starts: list[int] = []

    def added(self, event: Event) -> None:
        """One more line."""
        self._starts.append(self._file.tell())
        self._write(as_line(event_json(self._program, event)))

    def taken_back(self) -> None:
        """The last event's line goes, and what follows it."""
        try:
            self._file.seek(self._starts.pop())
            self._file.truncate()
        except OSError as failure:
            raise not_written(self._path, failure) from None

    def ended(self, ending: Ending) -> None:
        """The last line."""
        self._write(as_line(ending_json(ending)))

    def _write(self, line: str) -> None:
        try:
            self._file.write(line.encode("utf-8"))
            self._file.flush()
        except OSError as failure:
            raise not_written(self._path, failure) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def start_live(path: Path, game: Game, seed: int, game_number: int = 0, engine: str = "") -> tuple[Match, LiveRecord]:
    """A new match whose record is kept in a new file. Raises RecordFault if there is such a file already."""
    try:
        file = path.open("xb")
    except OSError as failure:
        raise not_written(path, failure) from None
    live = LiveRecord(path, game.program, file)
    live._write(as_line(header_json(header_of(game.program, seed, game_number, engine))))
    return Match(game, seed, game_number, engine=engine, keeper=live), live


def resume_live(path: Path, game: Game) -> tuple[Match, LiveRecord]:
    """Go on with a record where it was broken off; a torn last line is cut off. Raises RecordFault."""
    record = read_record(path, game.program, resume=True)
    match = replay(game, record)
    try:
        file = path.open("r+b")
        live = LiveRecord(path, game.program, file)
        file.readline()
        for _ in record.events:
            live._starts.append(file.tell())
            file.readline()
        _finish_line(file)
    except OSError as failure:
        raise not_written(path, failure) from None
    match.keeper = live
    ending = match.record.ending
    if ending is not None:
        live.ended(ending)
    return match, live


def _finish_line(file: IO[bytes]) -> None:
    """Cut off whatever follows the last whole event, and see that its line has an end."""
    file.truncate()
    file.seek(-1, os.SEEK_END)
    if file.read(1) != b"\n":
        file.write(b"\n")
        file.flush()
