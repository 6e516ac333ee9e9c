"""What each seat sees: views are built from nothing, only from what is declared visible. Spec 7.5 to 7.7 and 8.7.

A set of seats is a number with a bit for every seat; the bit after the last seat stands for spectators.
"""

from typing import TYPE_CHECKING, cast

from rulelang.ir.expressions import Read, Value
from rulelang.ir.nodes import Decide
from rulelang.ir.program import Everyone, Marker, Nobody, Owner, Parameter, Seats
from rulelang.play import kinds
from rulelang.play.event import Answer, Pass
from rulelang.play.formulas import Context, codes, member_of
from rulelang.play.view import Observed, Seen, View
from rulelang_reference.moves import inside
from rulelang_reference.state import Done, State, pool_of

if TYPE_CHECKING:
    from rulelang_reference.game import Game


def everybody(game: "Game") -> int:
    """All seats and the spectators."""
    return (2 << game.seats) - 1


def seers(game: "Game", seats: Seats, slot: int, member: int, context: Context) -> int:
    """The seats that a declaration lets see this member of a family."""
    if isinstance(seats, Everyone):
        return everybody(game)
    if isinstance(seats, Nobody):
        return 0
    declared = game.program.slots[slot]
    owner = game.layout.families[slot].codes(member)[0] if declared.index else -1
    if isinstance(seats, Owner):
        return 1 << owner if 0 <= owner < game.seats else 0
    outer, context.locals = context.locals, [0] * game.locals
    context.locals[seats.owner.number] = owner
    listed = codes(seats.seats, context)
    context.locals = outer
    return sum(1 << seat for seat in set(listed) if 0 <= seat < game.seats)


# ------------------------------------------------------------------ views


def view(state: State, seat: int | None) -> View:
    """Everything the seat (None: a spectator) may see now, in slot order."""
    game, context = state.game, state.context()
    bit = 1 << (game.seats if seat is None else seat)
    seen: list[Seen] = []
    for slot, family in enumerate(game.layout.families):
        for member in range(family.count):
            seen += _seen(game, context, slot, member, bit)
    return View(seat, tuple(seen), state.waiting)


def _seen(game: "Game", context: Context, slot: int, member: int, bit: int) -> list[Seen]:
    """What one seat sees of one zone or marker: all of it, or else its top and its size as far as allowed."""
    declared = game.program.slots[slot]
    value = context.read(slot, member)
    sight = declared.sight
    if seers(game, sight.content, slot, member, context) & bit and not _holds_unseen(value):
        return [Seen(slot, member, "content", value)]
    if isinstance(declared, Marker):
        return []
    seen: list[Seen] = []
    pieces = cast(tuple[int, ...], value)
    if declared.shape == "pile" and seers(game, sight.top, slot, member, context) & bit:
        top = pieces[-1] if pieces else kinds.none_code(declared.content)
        if pool_of(top) is None:
            seen.append(Seen(slot, member, "top", top))
    if seers(game, sight.size, slot, member, context) & bit:
        seen.append(Seen(slot, member, "size", len(pieces)))
    return seen


def _holds_unseen(value: Value) -> bool:
    return isinstance(value, tuple) and any(pool_of(card) is not None for card in value)


# ------------------------------------------------------------------ observed moves


def shown(game: "Game", context: Context, node: Decide, answer: Answer) -> Done:
    """An answer that is about to be carried out, and who is shown which part of it.

    Where a private move is offered a pass is private too: else whoever observes neither would know of the move.
    """
    if isinstance(answer, Pass):
        return Done(answer, (), any(game.program.moves[number].private for number in node.moves))
    move = game.program.moves[answer.move]
    if not answer.arguments:
        return Done(answer, (), move.private)
    inner = inside(context, move, answer.seat, answer.arguments)
    own = 1 << answer.seat if answer.seat < game.seats else 0  # what the table does, nobody did
    return Done(answer, tuple([_shown_to(game, inner, parameter) | own for parameter in move.parameters]), move.private)


def _shown_to(game: "Game", context: Context, parameter: Parameter) -> int:
    """Who is shown one part: everybody if it names no place, else whoever sees what lies in one of the places."""
    places = [read.place for read in parameter.named_places if isinstance(read, Read)]
    if not places:
        return everybody(game)
    seats = 0
    for place in places:
        content = game.program.slots[place.slot].sight.content
        if isinstance(content, Everyone):
            return everybody(game)
        seats |= seers(game, content, place.slot, member_of(place, context), context)
    return seats


def observed(state: State, seat: int | None) -> tuple[Observed, ...]:
    """The moves that a seat has observed since the start, oldest first."""
    bit = 1 << (state.game.seats if seat is None else seat)
    fresh: list[State] = []
    known: tuple[Observed, ...] | None = None
    current: State | None = state
    while current is not None and (known := current.seen_before.pop(seat, None)) is None:
        fresh.append(current)
        current = current.previous
    moves = [_observed(done, bit) for each in reversed(fresh) for done in each.done if _noticed(done, seat)]
    found = (*(known or ()), *moves)
    state.seen_before[seat] = found  # the newest state keeps them: whoever asks from step to step adds little
    return found


def _noticed(done: Done, seat: int | None) -> bool:
    """Whether a seat observes at all that an answer was given."""
    return done.answer.seat == seat or not done.private


def _observed(done: Done, bit: int) -> Observed:
    answer = done.answer
    if isinstance(answer, Pass):
        return Observed(answer.seat, None, ())
    arguments = zip(answer.arguments, done.shown, strict=True)
    return Observed(answer.seat, answer.move, tuple(code if seats & bit else None for code, seats in arguments))
