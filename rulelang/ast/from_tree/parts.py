"""What every maker of nodes works with: the parts of one sentence of the grammar, already made, in their order.

A part is a node, a word of the text, a tuple of parts (`arguments`), or None where an optional part was left out.
Lark's trees carry no types, so parts are untyped here and only here; what leaves `from_tree` is typed.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from lark import Token

from rulelang.ast.nodes.base import Citation
from rulelang.source import Place

Parts = list[Any]
Maker = Callable[[Place, Parts], Any]
"""Makes what one rule of the grammar stands for."""


def nodes(parts: Parts) -> tuple[Any, ...]:
    """Return the parts that are nodes: not words, not citations, not left out."""
    return tuple(part for part in parts if part is not None and not isinstance(part, Token | Citation))


def citations(parts: Parts) -> tuple[Citation, ...]:
    """Return the citations at the end of the line."""
    return tuple(part for part in parts if isinstance(part, Citation))


def words(parts: Parts, kind: str) -> list[Token]:
    """Return all words of one kind."""
    return [part for part in parts if isinstance(part, Token) and part.type == kind]


def name(parts: Parts) -> str:
    """Return the first name."""
    return str(words(parts, "NAME")[0])


def after(parts: Parts, kind: str) -> Any:
    """Return the part behind the first word of a kind, or None if that word is not there."""
    for word, part in pairwise(parts):
        if isinstance(word, Token) and word.type == kind:
            return part
    return None


def before(parts: Parts, kind: str) -> Parts:
    """Return the parts in front of the first word of a kind."""
    for position, part in enumerate(parts):
        if isinstance(part, Token) and part.type == kind:
            return parts[:position]
    return parts


def place_of(word: Token, file: str) -> Place:
    """Return where a word stands."""
    assert word.line and word.column and word.end_line and word.end_column
    return Place(file, word.line, word.column, word.end_line, word.end_column)
