"""How a game ends: places, winners and returns. Spec 13."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rulelang.ir import nodes as ir
from rulelang.play import kinds
from rulelang.play.formulas import Context, codes, number
from rulelang.play.outcome import GameOutcome


def outcome_of(outcome: ir.Outcome, context: Context) -> GameOutcome:
    """The result that an End node states."""
    return OUTCOMES[type(outcome)](outcome, context)


def winners(outcome: ir.Winners, context: Context) -> GameOutcome:
    """These seats win together and share what the others lose, one each; nobody or everybody is a draw."""
    seats = kinds.seat_count(context.program)
    best = _seats(codes(outcome.seats, context), seats)
    if len(best) in (0, seats):
        return GameOutcome("winners", (), (1,) * seats, (Fraction(0),) * seats)
    share = Fraction(seats - len(best), len(best))
    returns = tuple(share if seat in best else Fraction(-1) for seat in range(seats))
    return GameOutcome("winners", best, _places_with_first(best, seats), returns)


def amounts(outcome: ir.Amounts, context: Context) -> GameOutcome:
    """Each listed seat gets an amount, the others nothing; places follow the amounts, and all equal is a draw."""
    seats = kinds.seat_count(context.program)
    got = [0] * seats
    for seat in _seats(codes(outcome.seats, context), seats):
        context.locals[outcome.variable.number] = seat
        got[seat] = number(outcome.amount, context)
    context.locals[outcome.variable.number] = 0
    places = tuple(1 + sum(other > mine for other in got) for mine in got)
    best = tuple(seat for seat in range(seats) if places[seat] == 1)
    return GameOutcome("amounts", best if len(best) < seats else (), places, tuple(Fraction(each) for each in got))


def grade(outcome: ir.Grade, context: Context) -> GameOutcome:
    """All reach one grade together."""
    seats = kinds.seat_count(context.program)
    reached = number(outcome.grade, context)
    return GameOutcome("grade", (), (1,) * seats, (Fraction(reached),) * seats, reached)


def unresolved(outcome: ir.Unresolved, context: Context) -> GameOutcome:
    """These seats stay tied for the first place; nobody wins."""
    seats = kinds.seat_count(context.program)
    tied = _seats(codes(outcome.seats, context), seats)
    return GameOutcome("unresolved", (), _places_with_first(tied, seats), (Fraction(0),) * seats)


def aborted(outcome: ir.Aborted, context: Context) -> GameOutcome:
    """Broken off: no places but the first, no winners."""
    seats = kinds.seat_count(context.program)
    return GameOutcome("aborted", (), (1,) * seats, (Fraction(0),) * seats)


def _seats(listed: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """The listed seats, each once, in their order around the table."""
    return tuple(seat for seat in range(seats) if seat in listed)


def _places_with_first(first: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """These share the first place, all others the next."""
    return tuple(1 if seat in first else 1 + len(first) for seat in range(seats))


OUTCOMES: dict[type, Callable[[Any, Context], GameOutcome]] = {
    ir.Winners: winners,
    ir.Amounts: amounts,
    ir.Grade: grade,
    ir.Unresolved: unresolved,
    ir.Aborted: aborted,
}
