"""Canonical bytes of a state. Spec 16.5.

A row of whole numbers, each in seven-bit groups, the lowest first, the high bit set in all but the last; a number that
may be negative is written n -> 2n, -n -> 2n - 1. First every cell, slot after slot, member after member; then the
pools, numbered as they first appear in cells; then the frames, from the overview on, with their locals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rulelang import limits
from rulelang.diagnostics.codes import STATE_EXHAUSTED
from rulelang.ir.expressions import Value
from rulelang.ir.program import Program, Zone
from rulelang.ir.types import CollectionType, SingleType
from rulelang.play import kinds
from rulelang.play.reasons import exhausted
from rulelang_native.runtime.machine import UNSEEN

if TYPE_CHECKING:
    from rulelang_native.state import State


def element_kind(program: Program, slot: int) -> SingleType:
    """The kind of a marker's value, or of the elements that lie in a zone or stand in a collection."""
    declared = program.slots[slot]
    kind = declared.content if isinstance(declared, Zone) else declared.type
    return cast(SingleType, kind.of if isinstance(kind, CollectionType) else kind)


def write(state: State) -> bytes:
    """The bytes of a state. Raises Exhausted if there are too many."""
    program = state.game.program
    numbers: list[int] = []
    pools: dict[int, int] = {}
    place = 0
    for slot, declared in enumerate(program.slots):
        low = kinds.least(element_kind(program, slot))
        blind = isinstance(declared, Zone) and declared.blind
        for _ in range(state.game.layout.families[slot].count):
            cell = state.cells[place]
            place += 1
            if isinstance(cell, int):
                numbers.append(cell - low)
                continue
            numbers.append(len(cell))
            for card in cell:
                if card <= UNSEEN:
                    numbers.append(2 * pools.setdefault(UNSEEN - card, len(pools)) + 1)
                else:
                    numbers.append(2 * (card - low) if blind else card - low)
    numbers.append(len(pools))
    for pool in pools:
        cards = state.pools[pool]
        numbers.append(len(cards))
        numbers += [_folded(card) for card in cards]
    numbers.append(len(state.frames))
    for procedure, node, locals in state.frames:
        numbers += (procedure, node)
        for value in locals:
            _value(value, numbers)
    return _as_bytes(numbers)


def _value(value: Value, numbers: list[int]) -> None:
    if isinstance(value, int):
        numbers += (0, _folded(value))
        return
    numbers += (1, len(value))
    for element in value:
        _value(element, numbers)


def _folded(number: int) -> int:
    """A whole number without sign."""
    return 2 * number if number >= 0 else -2 * number - 1


def _as_bytes(numbers: list[int]) -> bytes:
    data = bytearray()
    for number in numbers:
        while number > 127:
            data.append(number & 127 | 128)
            number >>= 7
        data.append(number)
        if len(data) > limits.STATE_BYTES:
            raise exhausted(STATE_EXHAUSTED, limit=limits.STATE_BYTES)
    return bytes(data)
