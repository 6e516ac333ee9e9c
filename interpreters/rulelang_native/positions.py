"""Positions: a state written down, and a state made from what was written down. Spec 15.4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, cast

from rulelang.diagnostics.codes import IMPOSSIBLE_POSITION
from rulelang.failures import Refused
from rulelang.ir.expressions import Value
from rulelang.ir.program import Zone
from rulelang.ir.sizes import pieces as pieces_of
from rulelang.ir.types import CollectionType
from rulelang.play import kinds
from rulelang.play.position import Position, StackFrame, Unseen
from rulelang.play.reasons import engine_refusal
from rulelang_native.runtime.machine import UNSEEN, Machine
from rulelang_native.saving import element_kind
from rulelang_native.state import State

if TYPE_CHECKING:
    from rulelang_native.game import Game


def written_down(state: State) -> Position:
    """The position that a state stands in."""
    cells = tuple(
        tuple([card if card > UNSEEN else Unseen(UNSEEN - card) for card in cell]) if isinstance(cell, tuple) else cell
        for cell in state.cells
    )
    return Position(cells, state.pools, tuple(StackFrame(*frame) for frame in state.frames))


def lay_out(game: Game, position: Position) -> State:
    """Lay everything out and go on to the next wait. Raises Refused for what cannot lie like that."""
    if len(position.cells) != game.layout.cells:
        _refuse("another number of places")
    referring = [0] * len(position.pools)
    cells: list[Any] = []
    for slot, family in enumerate(game.layout.families):
        for cell in position.cells[family.base : family.base + family.count]:
            cells.append(_cell(game, slot, cell, referring))
    if referring != [len(pool) for pool in position.pools]:
        _refuse("a pool does not fit its piles")
    frames: list[Any] = [[each.procedure, each.node, list(each.locals)] for each in position.frames]
    for procedure, _, locals in frames:
        if len(locals) != len(game.program.procedures[procedure].locals):
            _refuse("what the rules remember does not fit")
    machine = Machine(game.module, cells, [tuple(sorted(pool)) for pool in position.pools], frames)
    machine.done = []
    machine.advance()
    return State(game, machine)


def _cell(game: Game, slot: int, cell: Value | tuple[int | Unseen, ...], referring: list[int]) -> Value:
    """One place as a state keeps it."""
    declared, kind = game.program.slots[slot], element_kind(game.program, slot)
    single = kinds.holds_single(declared)
    if single == isinstance(cell, tuple):
        _refuse(f"'{declared.name}' holds something else")
    if isinstance(cell, int):
        if not kinds.contains(game.program, kind, cell):
            _refuse(f"'{declared.name}' cannot be {cell}")
        return cell
    if isinstance(declared, Zone):
        bag, most = (
            declared.shape == "bag",
            1 if declared.shape == "slot" else pieces_of(game.program, declared.content),
        )
    else:
        held = cast(CollectionType, declared.type)
        bag, most = held.shape == "bag", kinds.bound(held.capacity)
    if len(cell) > most:
        _refuse(f"'{declared.name}' holds at most {most}")
    codes = kinds.all_codes(game.program, kind)
    pieces: list[int] = []
    for piece in cell:
        if isinstance(piece, Unseen):
            if not (isinstance(declared, Zone) and declared.blind and piece.pool < len(referring)):
                _refuse(f"nothing lies unseen in '{declared.name}'")
            referring[piece.pool] += 1
            pieces.append(UNSEEN - piece.pool)
        elif type(piece) is int and piece in codes:
            pieces.append(piece)
        else:
            _refuse(f"'{declared.name}' cannot hold {piece}")
    return tuple(sorted(pieces)) if bag else tuple(pieces)


def _refuse(reason: str) -> NoReturn:
    raise Refused([engine_refusal("not_a_position", IMPOSSIBLE_POSITION, reason=reason)])
