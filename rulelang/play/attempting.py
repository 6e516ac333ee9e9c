"""Attempts at random, most of them illegal: what two interpreters must refuse alike. Spec 8.5.

By asked seats and by others, by the table, by seats that there are not; passes, moves that are not offered or that
there are not, arguments inside and just outside of their kinds, too few and too many of them; and events that are not
what the game waits for. Everything is drawn from the stream that is given.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from rulelang.ir.program import Parameter, Program
from rulelang.ir.types import SaidType
from rulelang.limits import LAST_TIME, LISTED_MOVES
from rulelang.play import kinds
from rulelang.play.engine import Draw
from rulelang.play.event import Answer, Event, Expiry, Outcome, Pass, Play, Reading, Sealed
from rulelang.play.waiting import Waiting

T = TypeVar("T")

FAR: Final = (-1, 2**40, -(2**40), 2**64)
"""Arguments that are of no kind at all."""

Listed = Mapping[int, Sequence[Answer]]
"""The legal answers of the asked seats."""


def attempt(program: Program, waiting: Waiting, listed: Listed, draw: Draw) -> Answer:
    """One answer that somebody might try."""
    seat = _seat(program, waiting, draw)
    legal = listed.get(seat, ())
    if legal and draw.below(6) == 0:
        return pick(legal, draw)
    if not program.moves or draw.below(9) == 0:
        return Pass(seat)
    if legal and draw.below(3) == 0:
        return _nearly(program, pick(legal, draw), draw)
    return _any_play(program, waiting, seat, draw)


def wrong_event(program: Program, waiting: Waiting, listed: Listed, draw: Draw) -> Event:
    """One event that might be said to have happened."""
    if program.clock is not None and draw.below(3) == 0:
        if draw.below(2):
            return Expiry(draw.below(len(program.timers) + 2) - 1)
        return Reading(pick((-1, 0, draw.below(100_000), LAST_TIME, LAST_TIME + 1), draw))
    way = draw.below(5)
    if way == 0:
        return Outcome(draw.below(16) - 3)
    if way == 1:
        seats = [_seat(program, waiting, draw) for _ in range(draw.below(4))]
        return Sealed(tuple(_answer_of(program, waiting, listed, seat, draw) for seat in seats))
    if way == 2 and waiting.kind == "sealed":
        return Sealed(tuple(_answer_of(program, waiting, listed, seat, draw) for seat in waiting.seats))
    return attempt(program, waiting, listed, draw)


def pick(things: Sequence[T], draw: Draw) -> T:
    """One of the things."""
    return things[draw.below(len(things))]


def _seat(program: Program, waiting: Waiting, draw: Draw) -> int:
    """Mostly somebody who is asked; else any seat, the table, or a seat that there is not."""
    if waiting.seats and draw.below(2) == 0:
        return pick(waiting.seats, draw)
    return draw.below(kinds.seat_count(program) + 3) - 1


def _answer_of(program: Program, waiting: Waiting, listed: Listed, seat: int, draw: Draw) -> Answer:
    """An answer of this seat, legal as likely as not where it is asked."""
    legal = listed.get(seat, ())
    if legal and draw.below(2) == 0:
        return pick(legal, draw)
    return _any_play(program, waiting, seat, draw) if program.moves and draw.below(4) else Pass(seat)


def _any_play(program: Program, waiting: Waiting, seat: int, draw: Draw) -> Play:
    if draw.below(24) == 0:
        return Play(seat, pick((-1, len(program.moves), LISTED_MOVES), draw), ())
    move = draw.below(len(program.moves))
    if waiting.moves and draw.below(3):
        move = pick(waiting.moves, draw)
    arguments = tuple(_code(program, parameter, draw) for parameter in program.moves[move].parameters)
    if draw.below(16) == 0:
        arguments = arguments[:-1] if arguments and draw.below(2) else (*arguments, 0)
    return Play(seat, move, arguments)


def any_of_move(program: Program, seat: int, move: int, draw: Draw) -> Play:
    """A move with any answers of their kinds, most of them shortly said."""
    arguments: list[int] = []
    for parameter in program.moves[move].parameters:
        of = parameter.type.of if isinstance(parameter.type, SaidType) else parameter.type
        arguments.append(kinds.least(parameter.type) + draw.below(max(1, kinds.size(program, of))))
    return Play(seat, move, tuple(arguments))


def _nearly(program: Program, answer: Answer, draw: Draw) -> Answer:
    """A legal answer with one argument changed."""
    if isinstance(answer, Pass) or not answer.arguments:
        return answer
    place = draw.below(len(answer.arguments))
    arguments = list(answer.arguments)
    arguments[place] = _code(program, program.moves[answer.move].parameters[place], draw)
    return Play(answer.seat, answer.move, tuple(arguments))


def _code(program: Program, parameter: Parameter, draw: Draw) -> int:
    """A code of the parameter's kind; now and then one just outside, or far."""
    low, size = kinds.least(parameter.type), kinds.size(program, parameter.type)
    if size < 1 or draw.below(12) == 0:
        return pick((low - 1, low + size, *FAR), draw)
    return low + draw.below(min(size, 2**32))
