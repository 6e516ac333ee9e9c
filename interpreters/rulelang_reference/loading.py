"""A state from its canonical bytes, strictly: only what ``saving`` can have written is read. Spec 16.5."""

from typing import TYPE_CHECKING, NoReturn

from rulelang import limits
from rulelang.diagnostics.codes import DAMAGED_STATE
from rulelang.failures import Exhausted, Refused
from rulelang.ir import nodes as ir
from rulelang.ir.expressions import Value
from rulelang.ir.laps import reachable
from rulelang.ir.program import Marker, Program, Zone
from rulelang.ir.sizes import pieces
from rulelang.ir.types import CollectionType
from rulelang.play import kinds
from rulelang.play.reasons import engine_refusal
from rulelang_reference.chance import urn
from rulelang_reference.endings import outcome_of
from rulelang_reference.run import asked_seats, is_forced
from rulelang_reference.saving import element_kind
from rulelang_reference.state import UNSEEN, Frame, State, pool_of

if TYPE_CHECKING:
    from rulelang_reference.game import Game


class Reader:
    """Reads one state, number after number."""

    def __init__(self, game: "Game", data: bytes) -> None:
        if len(data) > limits.STATE_BYTES:
            _refuse("they are too many")
        self.game = game
        self.data = data
        self.place = 0

    def state(self) -> State:
        """The whole state; nothing may be left over."""
        cells = tuple(
            self._cell(slot) for slot, each in enumerate(self.game.layout.families) for _ in range(each.count)
        )
        pools = self._pools(cells)
        frames = tuple(self._frame() for _ in range(self._count(limits.WINDOW_DEPTH)))
        if self.place != len(self.data):
            _refuse("something is left over")
        if not frames or frames[0].procedure != 0:
            _refuse("the overview is not running")
        state = State(self.game, cells, pools, frames, (), None)
        try:
            _find_wait(state)
        except (Exhausted, TypeError, IndexError, ValueError):  # locals of a shape that no step leaves behind
            _refuse("what the rules remember does not fit")
        if state.to_bytes() != self.data:
            _refuse("they are not in canonical form")
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
        declared = self.game.program.slots[slot]
        if kinds.holds_single(declared):
            return self._code(slot, self._number())
        elements = [self._element(slot) for _ in range(self._count(_capacity(self.game.program, declared)))]
        bag = declared.shape == "bag" if isinstance(declared, Zone) else _is_bag(declared)
        if bag and elements != sorted(elements):
            _refuse("a bag is not sorted")
        return tuple(elements)

    def _element(self, slot: int) -> int:
        declared = self.game.program.slots[slot]
        number = self._number()
        if not (isinstance(declared, Zone) and declared.blind):
            return self._code(slot, number)
        return UNSEEN - (number >> 1) if number & 1 else self._code(slot, number >> 1)

    def _code(self, slot: int, offset: int) -> int:
        kind = element_kind(self.game, slot)
        if offset >= kinds.size(self.game.program, kind):
            _refuse("a value is none of its kind")
        return offset + kinds.least(kind)

    def _pools(self, cells: tuple[Value, ...]) -> tuple[tuple[int, ...], ...]:
        """The pools; each must have as many cards as there are positions that refer to it."""
        pools = tuple(
            tuple(self._signed() for _ in range(self._count())) for _ in range(self._count(self.game.layout.cells))
        )
        referring = [0] * len(pools)
        sound: set[tuple[int, int]] = set()  # pools that fit a zone; each is looked at once, not for every card
        for slot, family in enumerate(self.game.layout.families):
            kind = element_kind(self.game, slot)
            for cell in cells[family.base : family.base + family.count]:
                for card in cell if isinstance(cell, tuple) else ():
                    pool = pool_of(card)
                    if pool is None:
                        continue
                    if pool >= len(pools):
                        _refuse("a pool does not fit its pile")
                    if (slot, pool) not in sound and not all(
                        kinds.contains(self.game.program, kind, c) for c in pools[pool]
                    ):
                        _refuse("a pool does not fit its pile")
                    sound.add((slot, pool))
                    referring[pool] += 1
        if referring != [len(pool) for pool in pools] or any(tuple(sorted(pool)) != pool for pool in pools):
            _refuse("a pool does not fit its piles")
        return pools

    # -------------------------------------------------------------- the stack

    def _frame(self) -> Frame:
        program = self.game.program
        procedure, node = self._number(), self._number()
        if procedure >= len(program.procedures) or node not in reachable(program, program.procedures[procedure].entry):
            _refuse("a frame stands nowhere")
        return Frame(procedure, node, tuple(self._value() for _ in program.procedures[procedure].locals))

    def _value(self, depth: int = 0) -> Value:
        tag = self._number()
        if tag == 0:
            return self._signed()
        if tag != 1 or depth > 2:  # the groups of a division, each a bag
            _refuse("a local is neither a value nor a collection")
        return tuple(self._value(depth + 1) for _ in range(self._count()))


def _find_wait(state: State) -> None:
    """Who is asked, or how the game ended, by the node at which the top frame stands; refuse if it does not wait."""
    program, node, context = state.game.program, state.node, state.context()
    match node:
        case ir.Decide():
            state.asked = asked_seats(node, context)
            waits = isinstance(node.asked, ir.AnyOfSeats) or (
                bool(state.asked) and not is_forced(node, context, state.asked)
            )
        case ir.End():
            state.outcome = outcome_of(node.outcome, context)
            waits = True
        case ir.Return() | ir.Leave():
            state.outcome = outcome_of(ir.Aborted(), context)
            left = node.procedure if isinstance(node, ir.Leave) else state.frames[-1].procedure
            waits = max(place for place, frame in enumerate(state.frames) if frame.procedure == left) == 0
        case _:
            drawing = urn(node, state.pools, context)
            waits = bool(drawing) and not (program.forced_chance and len(drawing) == 1)
    if not waits:
        _refuse("the game does not wait there")


def _capacity(program: Program, declared: Zone | Marker) -> int:
    if isinstance(declared, Zone):
        return 1 if declared.shape == "slot" else pieces(program, declared.content)
    return kinds.bound(declared.type.capacity) if isinstance(declared.type, CollectionType) else 1


def _is_bag(marker: Marker) -> bool:
    return isinstance(marker.type, CollectionType) and marker.type.shape == "bag"


def _refuse(reason: str) -> NoReturn:
    raise Refused([engine_refusal("not_a_state", DAMAGED_STATE, reason=reason)])
