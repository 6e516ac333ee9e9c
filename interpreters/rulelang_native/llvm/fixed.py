"""Where things lie, as agreed by compiled code and by what runs it: that needs nothing else of what prints code."""

from typing import Any

FAILED, COST, MOST, TOP, END, BASE, POOLS, FIRST = 0, 8, 16, 24, 32, 40, 48, 56
"""Where in a state it lies: whether the step was given up, its cost, the most of it, the arena, how many pools."""

STATUS, OVER, LENGTH, DECISIONS, COSTS, COUNT, NUMBERS = range(7)
"""Words of a game's result: whether it was given up, the node that ended it, events, decisions, cost units, numbers."""

SLOTS, ENTRY = 1 << 16, 64
"""Divisions that are remembered, and the bytes of each: worth, how many are left over (less than 0), choice, bag."""
MEMORY = (SLOTS + 1) * ENTRY
"""Bytes: how many are remembered, then those."""

PARTS = 4
"""So many parts a bag has: if more hang together by themselves, some are taken together; if fewer, some are empty."""
HEAD = 8 * (2 + 4 * PARTS)
"""Bytes before the entries: whether there are any; how many bytes these take, behind which `spared.py` has as many, and
a byte for each; for each part which bits of a bag tell its place, which its kinds have, and where its entries and these
bytes lie (counted from the beginning of what is remembered)."""


def read_tail(laid: Any) -> tuple[bytes, int]:
    """What stands before the entries, and how many bytes these take, given all the bytes of a table (`scores.py`)."""
    end = bytes(memoryview(laid)[-HEAD - 8 :])
    return end[:HEAD], memoryview(end[HEAD:]).cast("q")[0]
