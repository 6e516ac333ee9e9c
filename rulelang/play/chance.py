"""Where chance comes from: numbers that depend only on a seed and on what is drawn. Spec 10.6.

The generator is the counter form of SplitMix64. A *key* is a 64-bit number; draw ``i`` of a key (counted from 1) is
``scramble(key + i * GAMMA)``: exactly the i-th output of SplitMix64 started with that key. Keys come from keys:

    mix(key, n)              = scramble(key + (n + 1) * GAMMA), so output n + 1 of that key
    key of a match           = mix(seed, game number)
    key of outcome j         = mix(key of the match, j), j counts all outcomes of the match from 0
    key of decision d        = mix(mix(key of the match, 2**63 + seat), d), d counts the seat's decisions from 0

A forced outcome takes its number but no draw, so it shifts no other; what an automatic player draws shifts neither
chance nor another player, and a match that is resumed or taken back draws again what it drew before.
"""

from typing import Final

from rulelang.failures import Broken, Exhausted
from rulelang.limits import INTEGER_MAX, INTEGER_MIN

GAMMA: Final = 0x9E3779B97F4A7C15
"""The odd step of SplitMix64: 2**64 divided by the golden ratio."""

MASK: Final = 2**64 - 1
PLAYERS: Final = 2**63
"""Numbers from here on belong to the automatic players, those below to outcomes."""


def scramble(value: int) -> int:
    """The finishing function of SplitMix64: one 64-bit number for another, all bits mixed."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


def mix(key: int, number: int) -> int:
    """The key for a numbered part of what another key stands for."""
    return scramble((key + (number + 1) * GAMMA) & MASK)


class Stream:
    """Uniform draws of one key, in order."""

    __slots__ = ("drawn", "key")

    def __init__(self, key: int) -> None:
        self.key = key & MASK
        self.drawn = 0

    def word(self) -> int:
        """The next 64 bits."""
        self.drawn += 1
        return scramble((self.key + self.drawn * GAMMA) & MASK)

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely.

        Up to 2**32 the upper half of a word is multiplied by the bound and shifted by 32 bits (Lemire); a product that
        would favour small numbers is thrown away and drawn anew. Larger bounds, up to 2**64, do the same with whole
        words and 64 bits.
        """
        if bound < 1:
            raise Broken(f"a draw below {bound}")
        if bound <= 2**32:
            return self._below(bound, 32)
        if bound <= 2**64:
            return self._below(bound, 64)
        raise Exhausted("RL8012", "A draw among more than 2**64 outcomes.")

    def _below(self, bound: int, bits: int) -> int:
        low_bits = (1 << bits) - 1
        product = (self.word() >> (64 - bits)) * bound
        if product & low_bits < bound:
            unfair = ((1 << bits) - bound) % bound
            while product & low_bits < unfair:
                product = (self.word() >> (64 - bits)) * bound
        return product >> bits


def match_key(seed: int, game_number: int) -> int:
    """The key of one match: game ``game_number`` of all the games of a seed."""
    if not INTEGER_MIN <= seed <= INTEGER_MAX:
        raise Exhausted("RL8012", "A seed is a whole number of 64 bits.")
    return mix(seed & MASK, game_number)


def outcome_stream(key: int, number: int) -> Stream:
    """The draws of one outcome of a match, ``number`` counted from 0."""
    return Stream(mix(key, number))


def player_stream(key: int, seat: int, decision: int) -> Stream:
    """The draws of one decision of an automatic player, ``decision`` counted from 0 for each seat."""
    return Stream(mix(mix(key, PLAYERS + seat), decision))
