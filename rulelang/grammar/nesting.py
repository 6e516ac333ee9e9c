"""How deep a text is nested, counted word by word before the parser sees it. Spec 16.1.

Blocks and brackets are not all: `not not not C`, `size of size of Z`, `p's a's b`, `f(x)(y)(z)`, conditionals in
conditionals and searches in searches nest without any bracket. Such a chain ends where the next operator or word stands
(`not a and not b` is not deep); a conditional or a search reaches to the comma, bracket or line end that closes it.
"""

from typing import Final

import attrs
from lark import Token

from rulelang import limits
from rulelang.grammar.layout import CLOSED_BY, CLOSING

_REACHING: Final = frozenset({"IF", "SOME", "EVERY", "FIRST", "ALL"})
_CHAINED: Final = frozenset({"NOT", "OF", "POSSESSIVE"})
_SEPARATING: Final = frozenset({"COMMA", "TEXT_MID", "_NL"})
VALUE_ENDS: Final = frozenset(
    {"NAME", "NUMBER", "STRING", "TEXT_TAIL", "RPAR", "RBRACKET", "ME", "NOBODY", "NONE", "EMPTY", "YES", "NO"}
)
"""Words with which a value may end: a minus behind one of these subtracts."""


@attrs.define
class _Level:
    """What is nested within one pair of brackets, or on one line outside brackets."""

    reaching: int = 0
    chained: int = 0


def too_deep(tokens: list[Token]) -> Token | None:
    """Return the first word of a paragraph that is nested deeper than the limit."""
    blocks, levels, before = 0, [_Level()], None
    outer = 0  # the depth of all levels but the last
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        kind, level = token.type, levels[-1]
        if kind in CLOSED_BY:
            if before and before.type in {"RPAR", "RBRACKET"}:
                level.chained += 1
            outer += level.reaching + level.chained + 1
            levels.append(_Level())
        elif kind in CLOSING and len(levels) > 1:
            levels.pop()
            outer -= levels[-1].reaching + levels[-1].chained + 1
        elif kind in {"_IN", "_OUT"}:
            blocks += 1 if kind == "_IN" else -1
        else:
            _count(level, token, before, following)
        if blocks + outer + levels[-1].reaching + levels[-1].chained > limits.NESTING:
            return token
        before = token
    return None


def _count(level: _Level, token: Token, before: Token | None, following: Token | None) -> None:
    kind = token.type
    if kind in _SEPARATING:
        level.reaching = level.chained = 0
    elif kind in _REACHING or (kind == "NO" and following is not None and following.type == "NAME"):
        level.reaching += 1
        level.chained = 0
    elif kind in _CHAINED or (kind == "MINUS" and not (before and before.type in VALUE_ENDS)):
        level.chained += 1
    elif kind not in VALUE_ENDS and kind != "MY":
        level.chained = 0
