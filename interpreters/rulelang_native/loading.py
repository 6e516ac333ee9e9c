"""A state from its canonical bytes, strictly: only what ``saving`` can have written is read. Spec 16.5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from rulelang import limits
from rulelang.diagnostics.codes import DAMAGED_STATE
from rulelang.failures import Exhausted, Refused
from rulelang.ir.expressions import Value
from rulelang.ir.program import Zone
from rulelang.ir.sizes import pieces
from rulelang.ir.types import CollectionType
from rulelang.play import kinds
from rulelang.play.reasons import engine_refusal
from rulelang_native.runtime.machine import UNSEEN, Machine
from rulelang_native.saving import element_kind
from rulelang_native.state import State

if TYPE_CHECKING:
    from rulelang_native.game import Game


class Reader:
    """Reads one state, number after number."""

    def __init__(self, game: Game, data: bytes) -> None:
        if len(data) > limits.STATE_BYTES:
            _refuse("they are too many")
        self.game = game
        self.program = game.program
        self.data = data
        self.place = 0

    def state(self) -> State:
        """The whole state; nothing may be left over."""
        cells = [self._cell(slot) for slot, each in enumerate(self.game.layout.families) for _ in range(each.count)]
        pools = self._pools(cells)
        frames = [self._frame() for _ in range(self._count(limits.WINDOW_DEPTH))]
        if self.place != len(self.data):
            _refuse("something is left over")
        if not frames or frames[0][0] != 0:
            _refuse("the overview is not running")
        machine = Machine(self.game.module, cells, pools, frames)
        try:
            machine.advance()
            machine.cost = 0
            state = State(self.game, machine)
        except (Exhausted, TypeError, IndexError, ValueError):  # locals of a shape that no step leaves behind
            _refuse("what the rules remember does not fit")
        if state.to_bytes() != self.data:
            _refuse("the game does not wait there, or they are not in canonical form")
        return state

    # -------------------------------------------------------------- numbers

    def _number(self) -> int:
        value = shift = 0
        while self.place < len(self.data) and shift <= 70:
            byte = self.data[self.place]
            self.place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
        _refuse("they end too early")

    def _count(self, most: int = limits.COLLECTION) -> int:
        count = self._number()
        if count > most:
            _refuse("a count is too large")
        return count

    def _signed(self) -> int:
        folded = self._number()
        value = folded >> 1 if not folded & 1 else -(folded + 1 >> 1)
        if not limits.INTEGER_MIN <= value <= limits.INTEGER_MAX:
            _refuse("a number is too large")
        return value

    # -------------------------------------------------------------- the table

    def _cell(self, slot: int) -> Value:
        declared = self.program.slots[slot]
        if kinds.holds_single(declared):
            return self._code(slot, self._number())
        if isinstance(declared, Zone):
            bag, most = (
                declared.shape == "bag",
                1 if declared.shape == "slot" else pieces(self.program, declared.content),
            )
        else:
            assert isinstance(declared.type, CollectionType)
            bag, most = declared.type.shape == "bag", kinds.bound(declared.type.capacity)
        elements = [self._element(slot) for _ in range(self._count(most))]
        if bag and elements != sorted(elements):
            _refuse("a bag is not sorted")
        return tuple(elements)

    def _element(self, slot: int) -> int:
        declared = self.program.slots[slot]
        number = self._number()
        if not (isinstance(declared, Zone) and declared.blind):
            return self._code(slot, number)
        return UNSEEN - (number >> 1) if number & 1 else self._code(slot, number >> 1)

    def _code(self, slot: int, offset: int) -> int:
        kind = element_kind(self.program, slot)
        if offset >= kinds.size(self.program, kind):
            _refuse("a value is none of its kind")
        return offset + kinds.least(kind)

    def _pools(self, cells: list[Any]) -> list[tuple[int, ...]]:
        """The pools; each must have as many cards as there are positions that refer to it."""
        pools = [
            tuple(self._signed() for _ in range(self._count())) for _ in range(self._count(self.game.layout.cells))
        ]
        referring = [0] * len(pools)
        sound: set[tuple[int, int]] = set()  # pools that fit a zone; each is looked at once, not for every card
        for slot, family in enumerate(self.game.layout.families):
            kind = element_kind(self.program, slot)
            for cell in cells[family.base : family.base + family.count]:
                for card in cell if isinstance(cell, tuple) else ():
                    if card > UNSEEN:
                        continue
                    pool = UNSEEN - card
                    if pool >= len(pools):
                        _refuse("a pool does not fit its pile")
                    if (slot, pool) not in sound and not all(
                        kinds.contains(self.program, kind, c) for c in pools[pool]
                    ):
                        _refuse("a pool does not fit its pile")
                    sound.add((slot, pool))
                    referring[pool] += 1
        if referring != [len(pool) for pool in pools] or any(tuple(sorted(pool)) != pool for pool in pools):
            _refuse("a pool does not fit its piles")
        return pools

    # -------------------------------------------------------------- the stack

    def _frame(self) -> list[Any]:
        program = self.program
        procedure, node = self._number(), self._number()
        if procedure >= len(program.procedures) or node not in self.game.module.lowering.nodes_of(procedure):
            _refuse("a frame stands nowhere")
        locals = [self._value() for _ in program.procedures[procedure].locals]
        if not self.game.module.lowering.can_remember(procedure, locals):
            _refuse("what the rules remember does not fit")
        return [procedure, node, locals]

    def _value(self, depth: int = 0) -> Value:
        tag = self._number()
        if tag == 0:
            return self._signed()
        if tag != 1 or depth > 2:  # the groups of a division, each a bag
            _refuse("a local is neither a value nor a collection")
        return tuple(self._value(depth + 1) for _ in range(self._count()))


def _refuse(reason: str) -> NoReturn:
    raise Refused([engine_refusal("not_a_state", DAMAGED_STATE, reason=reason)])
