"""Chance: what can come, and shuffling that is put off until somebody looks. Spec 10.

A shuffled pile is a row of unseen positions over a pool, the multiset of what lies there. By symmetry the card at any
position is a uniform draw from what is left of the pool, so it is drawn when it is needed and not before. One stock may
have been cut into several piles over one pool.
"""

from typing import cast

from rulelang.ir.effects import Shuffle
from rulelang.ir.nodes import AnyOf, Chance, Do, Node
from rulelang.play.formulas import Context, codes
from rulelang.play.formulas.names import cell_of
from rulelang_reference.state import UNSEEN, pool_of

Pools = tuple[tuple[int, ...], ...] | list[tuple[int, ...]]


def urn(node: Node, pools: Pools, context: Context) -> tuple[int, ...]:
    """What a node draws from, each with equal weight, in code order; empty if nothing is left to chance there."""
    if isinstance(node, Do) and isinstance(node.effect, Shuffle):
        pile = pile_at(cell_of(node.effect.pile, context), context)
        place = first_shared(pile, pools)
        return () if place is None else pools[UNSEEN - pile[place]]
    if not isinstance(node, Chance):
        return ()
    if isinstance(node.distribution, AnyOf):
        return tuple(sorted(codes(node.distribution.collection, context)))
    pile = pile_at(cell_of(node.distribution.pile, context), context)
    pool = pool_of(pile[-1]) if pile else None
    return () if pool is None else pools[pool]


def pile_at(cell: int, context: Context) -> tuple[int, ...]:
    """The cards of a pile, bottom to top."""
    return cast(tuple[int, ...], context.cells[cell])


def first_shared(pile: tuple[int, ...], pools: Pools) -> int | None:
    """The lowest position that must be settled before the pile can be shuffled, None if there is none.

    That is an unseen card of a pool which also has cards in other piles, if the pile holds anything else besides.
    """
    if len(set(pile)) <= 1:
        return None
    for place, card in enumerate(pile):
        pool = pool_of(card)
        if pool is not None and pile.count(card) < len(pools[pool]):
            return place
    return None


def drawn(pool: tuple[int, ...], card: int) -> tuple[int, ...]:
    """A pool without one card."""
    place = pool.index(card)
    return pool[:place] + pool[place + 1 :]


def free_pool(pools: list[tuple[int, ...]]) -> int:
    """The lowest number that no pool has; room is made for it."""
    if () in pools:
        return pools.index(())
    pools.append(())
    return len(pools) - 1
