"""Work that must end soon, on a machine that has other things to do as well.

CPU seconds are no fixed measure: the same work takes twice as many where a neighbour uses the other half of a core, and
ten times as many where Python goes through what other tests have left in memory. So work that took too long is done
again, with nothing left to go through, between two runs of a yardstick: what it took is told in the pace of the
yardstick.
"""

import gc
import time
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

TRIES: Final = 3
"""How often work is measured until it counts as slow."""

USUAL: Final = 0.02
"""CPU seconds of the yardstick on an idle machine of the kind for which limits are written."""


def yardstick() -> float:
    """CPU seconds for a fixed piece of work of the usual mixture: names, tables, lists, numbers."""
    begun = time.process_time()
    total = 0
    for turn in range(32):
        table = {f"name{number}": (number, [number % 7, turn]) for number in range(2_500)}
        total += sum(pair[0] + pair[1][0] for pair in table.values())
        total += len("".join(sorted(table)))
    assert total
    return time.process_time() - begun


def slowness() -> float:
    """How many times as slow as an idle machine of that kind this one is just now; at least 1."""
    return max(1.0, yardstick() / USUAL)


def in_time(work: Callable[[], T], seconds: float, what: object = "") -> T:
    """What the work comes to; it must take less than so many CPU seconds of an idle machine. ``what`` names it.

    Work may be done several times.
    """
    found, spent = _measured(work)
    tries = [spent]
    while min(tries) >= seconds:
        assert len(tries) <= TRIES, (what, tries)
        gc.collect()
        gc.freeze()
        try:
            slower = slowness()
            found, spent = _measured(work)
            slower = min(slower, slowness())
        finally:
            gc.unfreeze()
        tries.append(spent / slower)
    return found


def _measured(work: Callable[[], T]) -> tuple[T, float]:
    begun = time.process_time()
    found = work()
    return found, time.process_time() - begun
