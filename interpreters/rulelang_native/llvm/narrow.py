"""Numbers in lanes by how far they can go: those that surely fit into 32 bits lie so, twice as many in a register.

What a game holds has bounds that lowering knows, and what an instruction gives has bounds that follow from those of
what it is given. Nothing is said of lanes in which play does not come to the instruction; nobody looks at them.
"""

from __future__ import annotations

import attrs

Bounds = tuple[int, int]
"""The least and the greatest that a number can be, as a signed one."""

ANY: Bounds = (-(1 << 63), (1 << 63) - 1)
HALF: Bounds = (-(1 << 31), (1 << 31) - 1)
"""What fits into 32 bits."""


def fits(bounds: Bounds) -> bool:
    """Whether a number lies in 32 bits."""
    return HALF[0] <= bounds[0] and bounds[1] <= HALF[1]


@attrs.frozen
class Num:
    """A number in lanes."""

    bounds: Bounds
    name: str
    """What holds it: 32 bits for each lane if that is enough, else 64; empty if it is known."""

    @property
    def known(self) -> int | None:
        """The number, if it is the same known one in all lanes."""
        return None if self.name else self.bounds[0]


def known(value: int) -> Num:
    """A number that is known."""
    return Num((value, value), "")


def joined(one: Bounds, other: Bounds) -> Bounds:
    """What is one or the other."""
    return min(one[0], other[0]), max(one[1], other[1])


def _inside(low: int, high: int) -> Bounds:
    """These, if no number of 64 bits goes round."""
    return (low, high) if ANY[0] <= low and high <= ANY[1] else ANY


def _of_bits(one: Bounds, other: Bounds) -> Bounds:
    """What is made of the bits of both."""
    if one[0] >= 0 and other[0] >= 0:
        return 0, (1 << max(one[1], other[1]).bit_length()) - 1
    return HALF if fits(one) and fits(other) else ANY


def _shifted_left(one: Bounds, by: Bounds) -> Bounds:
    if not 0 <= by[0] <= by[1] < 64:
        return ANY
    ends = [value << shift for value in one for shift in by]
    return _inside(min(ends), max(ends))


def _shifted_right(one: Bounds, by: Bounds, *, signed: bool) -> Bounds:
    if not 0 <= by[0] <= by[1] < 64:
        return ANY
    if one[0] >= 0 or signed:
        ends = [value >> shift for value in one for shift in by]
        return min(ends), max(ends)
    return (0, (1 << 64 - by[0]) - 1) if by[0] > 0 else ANY


def bounds_of(word: str, one: Bounds, other: Bounds) -> Bounds:
    """The bounds of what an instruction gives."""
    match word:
        case "add":
            return _inside(one[0] + other[0], one[1] + other[1])
        case "sub":
            return _inside(one[0] - other[1], one[1] - other[0])
        case "mul":
            ends = [a * b for a in one for b in other]
            return _inside(min(ends), max(ends))
        case "and":
            high = [each[1] for each in (one, other) if each[0] >= 0]
            if high:
                return 0, min(high)
            return HALF if fits(one) and fits(other) else ANY
        case "or" | "xor":
            return _of_bits(one, other)
        case "shl":
            return _shifted_left(one, other)
        case "lshr" | "ashr":
            return _shifted_right(one, other, signed=word == "ashr")
        case "udiv" | "sdiv" if one[0] >= 0 and other[0] == other[1] > 0:
            return one[0] // other[0], one[1] // other[0]
        case "urem" | "srem" if one[0] >= 0 and other[0] == other[1] > 0:
            return 0, min(one[1], other[0] - 1)
        case "smin":
            return min(one[0], other[0]), min(one[1], other[1])
        case "smax":
            return max(one[0], other[0]), max(one[1], other[1])
        case "umin" | "umax" if one[0] >= 0 and other[0] >= 0:
            return bounds_of(f"s{word[1:]}", one, other)
        case "umin" | "umax" if fits(one) and fits(other):
            return HALF
        case _:
            return ANY


def in_half(word: str, one: Bounds, other: Bounds) -> bool:
    """Whether an instruction says the same of the lower 32 bits, given what it is given; what it gives fits."""
    both = fits(one) and fits(other)
    match word:
        case "and":
            return all(fits(each) or other_[0] >= 0 for each, other_ in ((one, other), (other, one))) and (
                fits(one) or fits(other)
            )
        case "add" | "sub" | "mul" | "or" | "xor" | "smin" | "smax" | "umin" | "umax":
            return both
        case "shl" | "ashr":
            return both and other[0] >= 0 and other[1] < 32
        case "lshr":
            return both and one[0] >= 0 and other[0] >= 0 and other[1] < 32
        case "udiv" | "sdiv" | "urem" | "srem":
            return both and one[0] >= 0 and other[0] > 0
        case _:
            return False
