"""Another state for a seat, by hand: two hidden pieces change places, or a hidden marker says something else.

Unlike a deal anew (`resample`) this asks for no history: whatever lies where a seat does not see it may as well be
something else, and what the seat is given now must be the same.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Marker, Zone
from rulelang.ir.types import CollectionType
from rulelang.play import kinds
from rulelang.play.engine import State
from rulelang.play.kinds import Layout
from rulelang.testing import Dice

Spot = tuple[int, int, int]
"""A cell, a position in it, and the piece that lies there."""


def exchanged(state: State, seat: int, dice: Dice) -> State | None:
    """The state with something else where the seat does not see it; None if there is no such thing."""
    cells = list(state.position().cells)
    changes = [*_exchanges(state, seat, cells), *_other_values(state, seat, cells)]
    if not changes:
        return None
    for cell, value in dice.pick(changes).items():
        cells[cell] = value
    try:
        return state.game.position(attrs.evolve(state.position(), cells=tuple(cells)))
    except (Exhausted, Refused):
        return None


def _hidden(state: State, seat: int) -> Iterator[tuple[int, Any, bool]]:
    """Every cell of which the seat does not see the content, its slot, and whether its top is seen."""
    program, layout = state.game.program, Layout.of(state.game.program)
    seen = {(each.slot, each.member, each.part) for each in state.view(seat).seen}
    for number, (slot, family) in enumerate(zip(program.slots, layout.families, strict=True)):
        for member in range(family.count):
            if (number, member, "content") not in seen:
                yield family.base + member, slot, (number, member, "top") in seen


def _exchanges(state: State, seat: int, cells: list[Any]) -> Iterator[dict[int, Any]]:
    """Two different pieces in two places change them."""
    spots: list[tuple[Spot, Any]] = []
    for cell, slot, topped in _hidden(state, seat):
        if isinstance(slot, Zone):
            lying = cells[cell][:-1] if topped else cells[cell]
            spots += [((cell, at, piece), slot.content) for at, piece in enumerate(lying) if isinstance(piece, int)]
    for (one, at, piece), content in spots:
        for (other, there, second), wanted in spots:
            if one < other and content == wanted and piece != second:
                yield {one: _with(state, cells, one, at, second), other: _with(state, cells, other, there, piece)}


def _with(state: State, cells: list[Any], cell: int, at: int, piece: int) -> tuple[Any, ...]:
    lying = list(cells[cell])
    lying[at] = piece
    slot = next(slot for number, slot, _ in _places(state) if number == cell)
    return tuple(sorted(lying)) if slot.shape == "bag" else tuple(lying)


def _places(state: State) -> Iterator[tuple[int, Any, int]]:
    layout = Layout.of(state.game.program)
    for slot, family in zip(state.game.program.slots, layout.families, strict=True):
        for member in range(family.count):
            yield family.base + member, slot, member


def _other_values(state: State, seat: int, cells: list[Any]) -> Iterator[dict[int, Any]]:
    """A marker that the seat does not see says something else."""
    for cell, slot, _ in _hidden(state, seat):
        if isinstance(slot, Marker) and not isinstance(slot.type, CollectionType):
            codes = kinds.all_codes(state.game.program, slot.type)  # type: ignore[arg-type]
            yield from ({cell: code} for code in codes[:4] if code != cells[cell])
