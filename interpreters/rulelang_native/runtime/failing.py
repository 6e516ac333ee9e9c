"""The words of failures: which limit was reached, on what. Made when it happens, from the program."""

from typing import NoReturn, cast

from rulelang import limits
from rulelang.diagnostics.codes import (
    CAPACITY_EXHAUSTED,
    COST_EXHAUSTED,
    COUNTER_OVERFLOW,
    NO_SUCH_SEAT,
    NUMBER_OVERFLOW,
    PIECE_NOT_THERE,
    STACK_EXHAUSTED,
)
from rulelang.failures import Exhausted
from rulelang.ir.expressions import Value
from rulelang.ir.program import Marker, Program, Zone
from rulelang.ir.types import CollectionType, RecordType, SingleType
from rulelang.ir.walk import walk
from rulelang.play import kinds
from rulelang.play.missing import no_place, no_record, no_such
from rulelang.play.reasons import declared, exhausted
from rulelang.play.words import place_name, speak
from rulelang_native.flat.program import Failure


def too_deep() -> Exhausted:
    """Too many frames are open."""
    return exhausted(STACK_EXHAUSTED, limit=limits.WINDOW_DEPTH)


def too_costly(limit: int) -> Exhausted:
    """The step has cost too much."""
    return exhausted(COST_EXHAUSTED, limit=limit)


def fail(program: Program, failure: Failure, values: tuple[object, ...]) -> NoReturn:
    """Give the step up."""
    raise _made(program, failure, values)


def _made(program: Program, failure: Failure, values: tuple[object, ...]) -> Exhausted:
    match failure.reason:
        case "overflow":
            return exhausted(NUMBER_OVERFLOW)
        case "too_long":
            return exhausted(CAPACITY_EXHAUSTED, zone="a collection", limit=failure.limit)
        case "too_many_laps":
            return exhausted(CAPACITY_EXHAUSTED, zone="a round", limit=failure.limit)
        case "no_place":
            return no_place(program, failure.number, failure.index, cast(int, values[0]))
        case "no_cell":
            return no_such(failure.words[0])
        case "no_record":
            kind = next(k for k in walk(program) if isinstance(k, RecordType) and k.name == failure.words[0])
            return no_record(program, kind, cast("tuple[int, ...]", values))
        case "no_fit":
            return _no_fit(program, failure.number, values[0])
        case "no_room":
            name = place_name(program, failure.number, cast(int, values[0]))
            at = program.slots[failure.number].at
            return declared(exhausted(CAPACITY_EXHAUSTED, zone=name, limit=failure.limit), at)
        case "not_there":
            zone = cast(Zone, program.slots[failure.number])
            name = place_name(program, failure.number, cast(int, values[0]))
            return exhausted(PIECE_NOT_THERE, zone=name, value=speak(program, zone.content, cast(int, values[1])))
        case "no_piece_without_face":
            name = place_name(program, failure.number, cast(int, values[0]))
            return exhausted(PIECE_NOT_THERE, zone=name, value="a piece without a face")
        case "no_face":
            word = failure.words[0]
            return exhausted(COUNTER_OVERFLOW, word=word, value=values[0], low=failure.number, high="its last face")
        case "no_seat":
            return exhausted(NO_SUCH_SEAT, seat=cast(int, values[0]) + 1)
        case "too_much":
            return exhausted(COST_EXHAUSTED, limit=failure.limit)
        case "told":
            return Exhausted(*failure.words)


def fitting(program: Program, slot: int, value: Value) -> Value:
    """The value as a marker keeps it (bags sorted); outside its kind the limit refuses."""
    kind = cast(Marker, program.slots[slot]).type
    if not isinstance(kind, CollectionType):
        if not kinds.contains(program, cast(SingleType, kind), value):
            raise _no_fit(program, slot, value)
        return value
    of = cast(SingleType, kind.of)
    row = cast("tuple[int, ...]", value)
    if len(row) > kinds.bound(kind.capacity) or not all(kinds.contains(program, of, each) for each in row):
        raise _no_fit(program, slot, value)
    return tuple(sorted(row)) if kind.shape == "bag" else row


def _no_fit(program: Program, slot: int, value: object) -> Exhausted:
    """A value outside the kind of its marker."""
    marker = cast(Marker, program.slots[slot])
    kind = cast(SingleType, marker.type.of if isinstance(marker.type, CollectionType) else marker.type)
    codes = kinds.all_codes(program, kind)
    low, high = (speak(program, kind, code) for code in (codes[0], codes[-1])) if codes else ("nothing", "nothing")
    said = speak(program, kind, value)  # type: ignore[arg-type]
    return declared(exhausted(COUNTER_OVERFLOW, word=marker.name, value=said, low=low, high=high), marker.at)
