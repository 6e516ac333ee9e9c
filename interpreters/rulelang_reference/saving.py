"""Canonical bytes of a state, and back. Spec 16.5.

A row of whole numbers, each in seven-bit groups, the lowest first, the high bit set in all but the last; a number that
may be negative is written n -> 2n, -n -> 2n - 1 (marked ±). In order:

1. every cell, in slot order, member after member. A marker of a single kind: its code less the least. A collection: how
   many, then each element's code less the least (±, as a bag may hold none). In a zone whose cards can be unseen, each
   position is twice that, or twice its pool's number plus one.
2. how many pools; of each, how many cards, then each card's code (±). Pools are numbered as they first appear in 1.
3. how many frames; of each, from the overview on: its procedure, its node, and its locals. A local is 0 and its value
   (±), or 1, how many and each element in the same way.

Who is asked and how the game ended follows from the node of the top frame and is not written.
"""

from typing import TYPE_CHECKING, cast

from rulelang import limits
from rulelang.diagnostics.codes import STATE_EXHAUSTED
from rulelang.ir.expressions import Value
from rulelang.ir.program import Zone
from rulelang.ir.types import CollectionType, SingleType
from rulelang.play import kinds
from rulelang.play.reasons import exhausted
from rulelang_reference.state import State, pool_of

if TYPE_CHECKING:
    from rulelang_reference.game import Game


def write(state: State) -> bytes:
    """The bytes of a state. Raises Exhausted if there are too many."""
    numbers: list[int] = []
    pools: dict[int, int] = {}
    for slot, family in enumerate(state.game.layout.families):
        for cell in state.cells[family.base : family.base + family.count]:
            _write_cell(state.game, slot, cell, numbers, pools)
    numbers.append(len(pools))
    for pool in pools:
        numbers.append(len(state.pools[pool]))
        numbers += [_folded(card) for card in state.pools[pool]]
    numbers.append(len(state.frames))
    for procedure, node, locals in state.frames:
        numbers += (procedure, node)
        for value in locals:
            _write_value(value, numbers)
    return _as_bytes(numbers)


def _write_cell(game: "Game", slot: int, cell: Value, numbers: list[int], pools: dict[int, int]) -> None:
    declared = game.program.slots[slot]
    if isinstance(cell, int):
        numbers.append(cell - kinds.least(element_kind(game, slot)))
        return
    numbers.append(len(cell))
    low = kinds.least(element_kind(game, slot))
    blind = isinstance(declared, Zone) and declared.blind
    for card in cast(tuple[int, ...], cell):
        pool = pool_of(card)
        if pool is not None:
            numbers.append(2 * pools.setdefault(pool, len(pools)) + 1)
        else:
            numbers.append(2 * (card - low) if blind else card - low)


def element_kind(game: "Game", slot: int) -> SingleType:
    """The kind of a marker's value, or of the elements that lie in a zone or stand in a collection."""
    declared = game.program.slots[slot]
    kind = declared.content if isinstance(declared, Zone) else declared.type
    return cast(SingleType, kind.of if isinstance(kind, CollectionType) else kind)


def _write_value(value: Value, numbers: list[int]) -> None:
    if isinstance(value, int):
        numbers += (0, _folded(value))
        return
    numbers += (1, len(value))
    for element in value:
        _write_value(element, numbers)


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


def read(game: "Game", data: bytes) -> State:
    """The state with these bytes. Raises Refused if they are no state of this game."""
    from rulelang_reference.loading import Reader

    return Reader(game, data).state()
