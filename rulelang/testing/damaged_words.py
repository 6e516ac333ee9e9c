"""Damage that leaves a text readable: numbers at borders of limits, and names in the place of others.

What `damage` makes mostly ends at the parser; this gets past it, to the checker and to play.
"""

import re
from typing import Final

from rulelang.grammar.words import RESERVED
from rulelang.testing.dice import Dice

NUMBERS: Final = (
    *("0", "1", "2", "3", "16", "17", "63", "64", "65", "255", "256", "4096", "4097", "65535", "65536", "65537"),
    *("1000000", "10000000", "86400000", "1000000000000", "4611686018427387904", "9223372036854775807"),
)
"""Numbers at the borders of limits."""

PHRASES: Final = (
    *("nothing", "anything", "3 of anything", "nobody", "none", "pass", "table", "random", "players", "me", "yes"),
    *(
        "1..9223372036854775807",
        "9223372036854775807 * 2",
        "-1",
        "(0 - 1)",
        "0..0",
        "1..0",
        "9..1",
        "65536 of anything",
    ),
    *("9223372036854775807", '""', '"{"', "[]", "[1, 2]", "not legal", "legal", "refused", "99999.999", "0.001"),
)
"""What may stand where a value stands."""

_WORD: Final = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]\w*")


def reworded(text: str, dice: Dice) -> str:
    """The text with one to three numbers or names that are others."""
    for _ in range(dice.weighted([(4, 1), (2, 2), (1, 3)])):
        text = _once(text, dice)
    return text


def _once(text: str, dice: Dice) -> str:
    words = [found for found in _WORD.finditer(text) if found[0] not in RESERVED]
    if not words:
        return text
    old = dice.pick(words)
    if dice.chance(15):
        new = dice.pick(PHRASES)
    elif old[0][0].isdigit():
        new = dice.pick(NUMBERS)
    else:
        new = dice.pick([found[0] for found in words if not found[0][0].isdigit()])
    return text[: old.start()] + new + text[old.end() :]
