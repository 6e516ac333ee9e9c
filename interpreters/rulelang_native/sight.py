"""What each seat sees: views are built from nothing, only from what is declared visible. Spec 7.5 to 7.7 and 8.7."""

from __future__ import annotations

from rulelang.ir.program import Marker
from rulelang.play import kinds
from rulelang.play.view import Observed, Seen, View
from rulelang_native.runtime.machine import UNSEEN, Done
from rulelang_native.state import State


def view(state: State, seat: int | None) -> View:
    """Everything the seat (None: a spectator) may see now, in slot order."""
    game = state.game
    module, cells = game.module, state.cells
    bit = 1 << (game.seats if seat is None else seat)
    seen: list[Seen] = []
    place = 0
    for slot, declared in enumerate(game.program.slots):
        sight = declared.sight
        marker = isinstance(declared, Marker)
        for member in range(game.layout.families[slot].count):
            value = cells[place]
            place += 1
            hidden = isinstance(value, tuple) and len(value) > 0 and not marker and min(value) <= UNSEEN
            if not hidden and module.sees(cells, sight.content, "content", slot, member) & bit:
                seen.append(Seen(slot, member, "content", value))
                continue
            if isinstance(declared, Marker):
                continue
            if declared.shape == "pile" and module.sees(cells, sight.top, "top", slot, member) & bit:
                top = value[-1] if value else kinds.none_code(declared.content)
                if top > UNSEEN:
                    seen.append(Seen(slot, member, "top", top))
            if module.sees(cells, sight.size, "size", slot, member) & bit:
                seen.append(Seen(slot, member, "size", len(value)))
    return View(seat, tuple(seen), state.waiting)


def observed(state: State, seat: int | None) -> tuple[Observed, ...]:
    """The moves that a seat has observed since the start, oldest first."""
    bit = 1 << (state.game.seats if seat is None else seat)
    fresh: list[State] = []
    known: tuple[Observed, ...] | None = None
    current: State | None = state
    while current is not None and (known := current.seen_before.pop(seat, None)) is None:
        fresh.append(current)
        current = current.previous
    moves = [_observed(each, done, bit) for each in reversed(fresh) for done in each.done if _noticed(done, seat)]
    found = (*(known or ()), *moves)
    state.seen_before[seat] = found  # the newest state keeps them: whoever asks from step to step adds little
    return found


def _noticed(done: Done, seat: int | None) -> bool:
    """Whether a seat observes at all that an answer was given."""
    mover, _, _, private = done
    return mover == seat or not private


def _observed(state: State, done: Done, bit: int) -> Observed:
    seat, entry, shown, _ = done
    if entry is None:
        return Observed(seat, None, ())
    answer = state.game.answer_of(seat, entry)
    arguments = zip(answer.arguments, shown, strict=True)  # type: ignore[union-attr]
    return Observed(seat, entry[0], tuple(code if seats & bit else None for code, seats in arguments))
