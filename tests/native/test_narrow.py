"""Bounds of numbers in lanes: what an instruction gives lies inside them, and 32 bits say the same where they may."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang_native.llvm.narrow import ANY, HALF, bounds_of, fits, in_half, joined, known

WORDS = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "urem", "sdiv", "srem")
CHOSEN = ("smin", "smax", "umin", "umax")
ENDS = [sign * (1 << shift) + more for shift in (0, 3, 5, 6, 16, 31, 32, 62) for sign in (-1, 1) for more in (-1, 0, 1)]
NUMBERS = st.one_of(st.sampled_from(ENDS), st.integers(-70, 70), st.integers(*ANY))
THREE = st.lists(NUMBERS, min_size=3, max_size=3).map(sorted)
"""Bounds, and between them a number."""


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def said(word: str, one: int, other: int, bits: int) -> int | None:
    """What an instruction gives; None if that is not known."""
    a, b = one & (1 << bits) - 1, other & (1 << bits) - 1
    one, other = signed(one, bits), signed(other, bits)
    if word in ("shl", "lshr", "ashr") and not 0 <= b < bits:
        return None
    if word in ("udiv", "urem", "sdiv", "srem") and (b == 0 or (one, other) == (-(1 << bits - 1), -1)):
        return None
    whole = abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1) if b else 0
    return signed(
        {
            "add": lambda: a + b,
            "sub": lambda: a - b,
            "mul": lambda: a * b,
            "and": lambda: a & b,
            "or": lambda: a | b,
            "xor": lambda: a ^ b,
            "shl": lambda: a << b,
            "lshr": lambda: a >> b,
            "ashr": lambda: one >> b,
            "udiv": lambda: a // b,
            "urem": lambda: a % b,
            "sdiv": lambda: whole,
            "srem": lambda: one - whole * other,
            "smin": lambda: min(one, other),
            "smax": lambda: max(one, other),
            "umin": lambda: min(a, b),
            "umax": lambda: max(a, b),
        }[word](),
        bits,
    )


@settings(max_examples=3000, deadline=None)
@given(st.sampled_from(WORDS + CHOSEN), THREE, THREE)
def test_what_an_instruction_gives_lies_inside(word: str, first: list[int], second: list[int]) -> None:
    if word in ("udiv", "urem", "sdiv", "srem"):  # by a known number only
        second = [second[1]] * 3
    one, other = (first[0], first[2]), (second[0], second[2])
    full = said(word, first[1], second[1], 64)
    if full is None:
        return
    bounds = bounds_of(word, one, other)
    assert bounds[0] <= full <= bounds[1]
    if fits(bounds) and in_half(word, one, other):
        assert said(word, first[1], second[1], 32) == full


@given(THREE, THREE)
def test_one_or_the_other(first: list[int], second: list[int]) -> None:
    bounds = joined((first[0], first[2]), (second[0], second[2]))
    assert all(bounds[0] <= each <= bounds[1] for each in first + second)


def test_small_numbers_are_not_said_to_be_large() -> None:
    """Else nothing would lie in 32 bits."""
    assert bounds_of("add", (0, 5), (-1, 2)) == (-1, 7)
    assert bounds_of("lshr", bounds_of("mul", (0, (1 << 32) - 1), (0, 3)), (32, 32)) == (0, 2)
    assert bounds_of("and", ANY, (7, 7)) == (0, 7) and in_half("and", ANY, (7, 7))
    assert bounds_of("xor", (0, 5), (-1, -1)) == HALF and in_half("xor", (0, 5), (-1, -1))
    assert bounds_of("shl", (1, 1), (0, 8)) == (1, 256)
    assert bounds_of("urem", (0, 100), (7, 7)) == (0, 6)
    assert known(3).known == 3
