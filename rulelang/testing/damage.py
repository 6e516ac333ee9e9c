"""Damage done to texts, as people and programs do it: words lost, doubled and swapped, strange characters, cut ends."""

import re
from typing import Final

from rulelang.grammar.words import RESERVED, SOFT
from rulelang.testing.dice import Dice

_PIECES: Final = re.compile(r"\w+|[ \t]+|\n[ \t]*|.", re.DOTALL)

STRANGE: Final = (
    *("\u200b", "\u202e", "\ufeff", "\x00", "\x1b", "\ud800", "\u2028", "\r", "\t", "\x85", "\xa0"),
    *("а", "ᴬ", "ß", "é", "e\u0301", "漢", "😀", "\U000e0041", "ǆ", "İ", "’", "“", "–", "¼", "٣"),
)
"""Characters that nobody expects: invisible, backwards, look-alikes, half of a pair."""

WORDS: Final = (
    *RESERVED,
    *SOFT,
    *("..", "'s", "(", ")", "[", "]", ":", ",", "=", "+", "-", "*", "<=", ">", '"', "{", "}", "@X-1", "#", "."),
    *("9" * 30, "0", "-1", "_", "x" * 200, "\n", "\n  ", "\n        ", "\n\t", "bag", "pile", "players", "player"),
)
"""What is put in between."""


def damaged(text: str, dice: Dice) -> str:
    """The text with one to four things done to it."""
    for _ in range(dice.weighted([(4, 1), (3, 2), (2, 3), (1, 4)])):
        text = _WAYS[dice.below(len(_WAYS))](text, dice)
    return text


def _tokens(text: str) -> list[str]:
    return _PIECES.findall(text) or [""]


def _lose(text: str, dice: Dice) -> str:
    """A few words are gone."""
    tokens = _tokens(text)
    start = dice.below(len(tokens))
    del tokens[start : start + dice.between(1, 4)]
    return "".join(tokens)


def _double(text: str, dice: Dice) -> str:
    """Some words stand there twice, or many times."""
    tokens = _tokens(text)
    start = dice.below(len(tokens))
    end = start + dice.between(1, 8)
    return "".join(tokens[:end] + tokens[start:end] * dice.weighted([(6, 1), (1, 40)]) + tokens[end:])


def _swap(text: str, dice: Dice) -> str:
    """Two words have changed places."""
    tokens = _tokens(text)
    one, other = dice.below(len(tokens)), dice.below(len(tokens))
    tokens[one], tokens[other] = tokens[other], tokens[one]
    return "".join(tokens)


def _insert(text: str, dice: Dice) -> str:
    """A word of the language where it does not belong."""
    tokens = _tokens(text)
    tokens.insert(dice.below(len(tokens) + 1), f" {dice.pick(WORDS)} ")
    return "".join(tokens)


def _rename(text: str, dice: Dice) -> str:
    """One word instead of another from the same text."""
    tokens = _tokens(text)
    words = [place for place, token in enumerate(tokens) if token[0:1].isalpha()]
    if words:
        tokens[dice.pick(words)] = tokens[dice.pick(words)]
    return "".join(tokens)


def _strange(text: str, dice: Dice) -> str:
    """A character that nobody expects."""
    place = dice.below(len(text) + 1)
    return text[:place] + dice.pick(STRANGE) + text[place:]


def _character(text: str, dice: Dice) -> str:
    """One character lost, or another in its place."""
    place = dice.below(len(text) + 1)
    return text[:place] + dice.pick(("", "", "(", '"', "7", ":")) + text[place + 1 :]


def _cut(text: str, dice: Dice) -> str:
    """The end is missing, or the beginning."""
    place = dice.below(len(text) + 1)
    return text[:place] if dice.chance(70) else text[place:]


def _indent(text: str, dice: Dice) -> str:
    """A line stands elsewhere."""
    lines = text.split("\n")
    place = dice.below(len(lines))
    lines[place] = " " * dice.between(0, 9) + lines[place].lstrip()
    return "\n".join(lines)


def _move_line(text: str, dice: Dice) -> str:
    """A line has gone to another place."""
    lines = text.split("\n")
    line = lines.pop(dice.below(len(lines)))
    lines.insert(dice.below(len(lines) + 1), line)
    return "\n".join(lines)


def _nest(text: str, dice: Dice) -> str:
    """Brackets in brackets, or a chain without end."""
    count = dice.pick((3, 20, 70, 300))
    unit, end = dice.pick((("(", ")"), ("[", "]"), ("not ", ""), ("-", ""), ("size of ", ""), ("1 + ", "")))
    place = dice.below(len(text) + 1)
    return text[:place] + unit * count + "x" + end * count + text[place:]


_WAYS: Final = (
    *(_lose, _double, _swap, _insert, _rename, _strange, _character),
    *(_cut, _indent, _move_line, _nest, _lose, _rename, _insert),
)
