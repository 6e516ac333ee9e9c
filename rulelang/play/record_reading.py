"""Reading records: strict, line by line, measured before it is read. Spec 15.5.

Whatever is wrong is a `RecordFault` with the number of the line. A last line without its end that cannot be read is
what a broken-off write leaves behind: that fault says ``resumable``, and ``resume=True`` reads everything before it.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Final, NoReturn, ParamSpec, TypeVar, cast

from rulelang.ir.program import Program
from rulelang.limits import DATA_BYTES, INTEGER_MAX, INTEGER_MIN, LAST_TIME, RECORD_EVENTS, SEATS
from rulelang.play.event import Answer, Event, Expiry, Outcome, Pass, Play, Reading, Sealed
from rulelang.play.outcome import GameOutcome
from rulelang.play.record import RECORD_VERSION, Ending, Header, Json, Record, RecordFault, header_of

P = ParamSpec("P")
T = TypeVar("T")
KINDS: Final = ("winners", "amounts", "grade", "unresolved", "aborted")
AMOUNT_LENGTH: Final = 64
"""Characters of one written amount."""


def read_header(path: Path) -> Header:
    """Only the first line: which game this is a record of. Raises RecordFault."""
    for number, data in _objects(path, resume=False):
        return _at(number, _header, data)
    raise RecordFault("RL9020", 1, "The record is empty.")


def read_record(path: Path, program: Program, resume: bool = False) -> Record:
    """The record of a game of this closed program. Raises RecordFault, also for a record of another game.

    ``resume`` leaves out a last line that was torn off.
    """
    header: Header | None = None
    events: list[Event] = []
    ending: Ending | None = None
    moves = {move.name: index for index, move in reversed(list(enumerate(program.moves)))}
    timers = {timer.name: index for index, timer in enumerate(program.timers)}
    for number, data in _objects(path, resume):
        if header is None:
            header = _at(number, _header, data)
            _same_game(header, header_of(program, header.seed, header.game, header.engine))
        elif ending is not None:
            raise RecordFault("RL9020", number, "Something follows the end of the game.")
        elif "end" in data:
            ending = _at(number, _ending, data)
        elif len(events) >= RECORD_EVENTS:
            raise RecordFault("RL9022", number, f"The record has more than {RECORD_EVENTS} events.")
        else:
            events.append(_at(number, _event, moves, timers, data))
    if header is None:
        raise RecordFault("RL9020", 1, "The record is empty.")
    return Record(header, tuple(events), ending)


def _same_game(found: Header, wanted: Header) -> None:
    for name, mine, theirs in (
        ("the ruleset", wanted.ruleset, found.ruleset),
        ("the number of seats", wanted.seats, found.seats),
        ("what was chosen for the options", _spelled(wanted.options), _spelled(found.options)),
        ("the rules' content hash", wanted.program, found.program),
    ):
        if mine != theirs:
            told = f"{name} is {_cut(str(theirs), 200)} there and {_cut(str(mine), 200)} here"
            raise RecordFault("RL9021", 1, f"This record is of another game: {told}.")


def _spelled(options: Mapping[str, int | str | bool]) -> str:
    """As text, so that 1 and true differ."""
    return json.dumps(dict(options), sort_keys=True)


# ------------------------------------------------------------------ lines


def _objects(path: Path, resume: bool) -> Iterator[tuple[int, dict[str, Json]]]:
    """Every line as an object, with its number from 1."""
    try:
        if path.is_dir():
            raise RecordFault("RL1002", None, f"'{path.name}' is a folder, not a file.")
        with path.open("rb") as file:
            number = 0
            while raw := file.readline(DATA_BYTES + 1):
                number += 1
                if number > RECORD_EVENTS + 2:
                    raise RecordFault("RL9022", number, f"The record has more than {RECORD_EVENTS} events.")
                try:
                    yield number, _at(number, _object, raw)
                except RecordFault as fault:
                    if raw.endswith(b"\n") or len(raw) > DATA_BYTES:
                        raise
                    if not resume:
                        words = f"The last line was torn off ({fault.message}); the record can be resumed before it."
                        raise RecordFault("RL9025", number, words, resumable=True) from None
    except FileNotFoundError:
        raise RecordFault("RL1001", None, f"There is no file '{path.name}'.") from None
    except (OSError, ValueError) as failure:
        reason = failure.strerror if isinstance(failure, OSError) else "its name cannot be one"
        raise RecordFault("RL1003", None, f"'{path.name}' cannot be read: {reason}.") from None


class _Damage(Exception):
    """What is wrong with a line, before its number is known."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(code, message)


def _at(number: int, read: Callable[P, T], *data: P.args, **named: P.kwargs) -> T:
    try:
        return read(*data, **named)
    except _Damage as damage:
        raise RecordFault(damage.code, number, damage.message) from None


def _object(raw: bytes) -> dict[str, Json]:
    if len(raw) > DATA_BYTES:
        raise _Damage("RL1005", f"The line has more than {DATA_BYTES} bytes.")
    try:
        text = raw.decode("utf-8")
        data = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
            parse_int=_whole,
        )
    except UnicodeDecodeError as failure:
        raise _Damage("RL1004", f"Byte {failure.start} is not UTF-8 text.") from None
    except json.JSONDecodeError as failure:
        said = failure.msg.removesuffix(" at")  # "Invalid control character at"
        raise _Damage("RL9001", f"This is not JSON: {said} at column {failure.colno}.") from None
    except RecursionError:
        raise _Damage("RL9009", "Objects and lists are nested too deeply.") from None
    if not isinstance(data, dict):
        raise _Damage("RL9020", "The line holds no object.")
    return data


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _Damage("RL9002", f"{_quoted(twice)} is given twice in one object.")
    return found


def _no_fraction(word: str) -> NoReturn:
    raise _Damage("RL9003", f"{_cut(word, 40)} is not a whole number.")


def _whole(word: str) -> int:
    if len(word) > 20 or not INTEGER_MIN <= int(word) <= INTEGER_MAX:
        raise _Damage("RL2012", f"{_cut(word, 40)} does not fit into 64 bits.")
    return int(word)


# ------------------------------------------------------------------ shapes


def _keys(data: dict[str, Json], what: str, needed: tuple[str, ...], allowed: tuple[str, ...] = ()) -> None:
    for key in needed:
        if key not in data:
            raise _Damage("RL9005", f"{what} has no '{key}'.")
    for key in data:
        if key not in needed and key not in allowed:
            raise _Damage("RL9006", f"{what} has {_quoted(key)}, which does not belong there.")


def _quoted(word: str) -> str:
    return "'" + _cut(word, 60).encode("ascii", "backslashreplace").decode("ascii") + "'"


def _cut(word: str, length: int) -> str:
    """A word, cut to a length that fits into a sentence; it shows that it is cut."""
    return word if len(word) <= length else word[:length] + "..."


def _integer(data: dict[str, Json], key: str, low: int, high: int) -> int:
    value = data[key]
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise _Damage("RL9011", f"'{key}' must be a whole number from {low} to {high}.")
    return value


def _text(data: dict[str, Json], key: str) -> str:
    value = data[key]
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise _Damage("RL9011", f"'{key}' must be a text.")
    return value


def _integers(data: dict[str, Json], key: str, low: int, high: int) -> tuple[int, ...]:
    values = data[key]
    if not isinstance(values, list):
        raise _Damage("RL9011", f"'{key}' must be a list.")
    return tuple(_integer({key: value}, key, low, high) for value in values)


def _header(data: dict[str, Json]) -> Header:
    if "rulelang_record" not in data:
        raise _Damage("RL9020", "The first line is not the header of a record.")
    version = _integer(data, "rulelang_record", INTEGER_MIN, INTEGER_MAX)
    if version != RECORD_VERSION:
        raise _Damage("RL9007", f"This is version {version}; versions up to {RECORD_VERSION} can be read.")
    needed = ("rulelang_record", "ruleset", "program", "seats", "options", "seed", "game")
    _keys(data, "The header", needed, ("engine",))
    options = data["options"]
    if not isinstance(options, dict) or not all(isinstance(value, bool | int | str) for value in options.values()):
        raise _Damage("RL9011", "'options' must be an object of numbers, names, true and false.")
    return Header(
        ruleset=_text(data, "ruleset"),
        program=_text(data, "program"),
        seats=_integer(data, "seats", 1, SEATS),
        options=cast("dict[str, int | str | bool]", options),
        seed=_integer(data, "seed", INTEGER_MIN, INTEGER_MAX),
        game=_integer(data, "game", 0, INTEGER_MAX),
        engine=_text(data, "engine") if "engine" in data else "",
    )


def _event(moves: dict[str, int], timers: dict[str, int], data: dict[str, Json]) -> Event:
    if "outcome" in data:
        _keys(data, "The outcome", ("outcome",))
        return Outcome(_integer(data, "outcome", INTEGER_MIN, INTEGER_MAX))
    if "reading" in data:
        _keys(data, "The reading", ("reading",))
        return Reading(_integer(data, "reading", 0, LAST_TIME))
    if "expiry" in data:
        _keys(data, "The expiry", ("expiry",))
        name = _text(data, "expiry")
        if name not in timers:
            raise _Damage("RL9023", f"This game has no timer called {_quoted(name)}.")
        return Expiry(timers[name])
    if "sealed" in data:
        _keys(data, "The sealed answers", ("sealed",))
        answers = data["sealed"]
        if not isinstance(answers, list) or not 1 <= len(answers) <= SEATS + 1:
            raise _Damage("RL9011", f"'sealed' must be a list of 1 to {SEATS + 1} answers.")
        return Sealed(tuple(_answer(moves, answer) for answer in answers))
    return _answer(moves, data)


def _answer(moves: dict[str, int], data: Json) -> Answer:
    if isinstance(data, dict) and "pass" in data:
        _keys(data, "The pass", ("pass",))
        return Pass(_integer(data, "pass", 1, SEATS + 1) - 1)  # the last one is the table
    if isinstance(data, dict) and "play" in data:
        _keys(data, "The move", ("play", "seat", "arguments"))
        name = _text(data, "play")
        if name not in moves:
            raise _Damage("RL9023", f"This game has no move called {_quoted(name)}.")
        seat = _integer(data, "seat", 1, SEATS + 1) - 1
        return Play(seat, moves[name], _integers(data, "arguments", INTEGER_MIN, INTEGER_MAX))
    raise _Damage("RL9020", "This is neither a move, a pass, sealed answers, an outcome, a time nor the end.")


def _ending(data: dict[str, Json]) -> Ending:
    _keys(data, "The last line", ("end",))
    end = data["end"]
    if not isinstance(end, dict):
        raise _Damage("RL9011", "'end' must be an object.")
    _keys(end, "The end", ("kind", "winners", "places", "returns", "state"), ("grade",))
    kind = _text(end, "kind")
    if kind not in KINDS:
        raise _Damage("RL9011", f"{_quoted(kind)} is no kind of end.")
    returns = end["returns"]
    if not isinstance(returns, list):
        raise _Damage("RL9011", "'returns' must be a list.")
    outcome = GameOutcome(
        kind=kind,  # type: ignore[arg-type]
        winners=tuple(seat - 1 for seat in _integers(end, "winners", 1, SEATS)),
        places=_integers(end, "places", 1, SEATS),
        returns=tuple(_amount(value) for value in returns),
        grade=_integer(end, "grade", INTEGER_MIN, INTEGER_MAX) if "grade" in end else None,
    )
    return Ending(outcome, _text(end, "state"))


def _amount(value: Json) -> Fraction:
    if isinstance(value, str) and len(value) <= AMOUNT_LENGTH:
        try:
            amount = Fraction(value)
        except (ValueError, ZeroDivisionError):
            amount = None
        if amount is not None and str(amount) == value:
            return amount
    raise _Damage("RL9011", "An amount must be written as a whole number or a fraction like '-1/2'.")
