"""How plays write zones and markers. Spec 7.3."""

from collections.abc import Callable

from rulelang.ir.program import Program
from rulelang.ir.types import SeatType, SingleType
from rulelang.play import kinds


def place_in_plays(program: Program, slot: int, member: int, say: Callable[[SingleType, int], str]) -> str:
    """``Ann's hand``, ``heap[2]``, ``Ann's mark[b3]``; ``say`` has the words of the indices."""
    declared = program.slots[slot]
    if not declared.index:
        return declared.name
    codes = kinds.family(program, slot).codes(member)
    words = [say(kind, code) for kind, code in zip(declared.index, codes, strict=True)]
    owner = f"{words.pop(0)}'s " if isinstance(declared.index[0], SeatType) else ""
    return f"{owner}{declared.name}" + (f"[{', '.join(words)}]" if words else "")
