"""One cell of a table: what may stand in it, whether it comes from a data file or is written in the rules. Spec 6.3.

A cell of a data file is a plain value, or ``{ value = ..., provenance = ... }`` around one. A cell written in the rules
is a formula that names a plain value. Both become the same: a whole number, yes or no, a word, a text, or a list of
these. ``misfit`` says why such a value does not fit a kind; the compiler makes codes of those that fit.
"""

from collections.abc import Iterable
from typing import Final

import attrs

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker.kinds import (
    Collection,
    Flag,
    Kind,
    Names,
    Number,
    Optional,
    Row,
    Text,
    Unknown,
    spoken,
)
from rulelang.checker.kinds import (
    literal as literal,
)
from rulelang.diagnostics.diagnostic import Hint, did_you_mean, quoted
from rulelang.grammar.characters import HIDDEN, spelled

LARGEST: Final = 2**53
"""The largest number in a column of kind ``number``, which has no bounds of its own; the least is as far below 0."""

NONE: Final = ("none", "nobody")
"""How a cell says that it has no value."""

FLAGS: Final = {"yes": True, "no": False}


@attrs.frozen
class Misfit:
    """Why a value does not fit: what it is, what is needed, and one way out."""

    found: str
    wanted: str
    hint: Hint = None
    """Looked for only where it is shown: among many words that takes long."""
    unknown: Row | None = None
    """The table of which the value names no row."""


# ------------------------------------------------------------------ columns


def unfit(kind: Kind) -> str | None:
    """What is wrong with a kind as the kind of a column; None if nothing is."""
    inner = kind.of if isinstance(kind, Optional | Collection) else kind
    if isinstance(inner, Flag | Names | Row | Unknown) or isinstance(kind, Text):
        return None
    if isinstance(inner, Number):
        return None if span(inner) is not None else "bounds"
    return "kind"


def span(kind: Number) -> tuple[int, int] | None:
    """The least and the greatest number of a column; None if that depends on the game's options or seats."""
    if kind.low is None or kind.high is None:
        return -LARGEST, LARGEST
    low, high = literal(kind.low), literal(kind.high)
    return (low, high) if low is not None and high is not None else None


# ------------------------------------------------------------------ values


def plain(cell: object) -> object:
    """The value of a cell without its provenance."""
    return cell["value"] if isinstance(cell, dict) and "value" in cell else cell


def written(node: ast.Expr) -> object:
    """The plain value that a formula in the rules names; None if it is another sort of formula."""
    match node:
        case ast.Bracket(value=value):
            return written(value)
        case ast.Number() | ast.Negative():
            return literal(node)
        case ast.Constant(word="empty"):
            return []
        case ast.Constant(word=word) | ast.Name(name=word):
            return word
        case ast.Text(parts=parts):
            words = [part for part in parts if isinstance(part, str)]
            return "".join(words) if len(words) == len(parts) else None
        case ast.ListOf(items=items):
            values = [written(item) for item in items]
            return None if None in values else values
        case _:
            return None


def misfit(value: object, kind: Kind) -> Misfit | None:
    """Why a plain value is none of a kind; None if it is one."""
    match kind:
        case Optional(of=of):
            if value in NONE:
                return None
            wrong = misfit(value, of)
            return wrong and attrs.evolve(wrong, wanted=f"{wrong.wanted}, or none,")
        case Collection(of=of):
            return _list_misfit(value, of)
        case Number():
            return _number_misfit(value, kind)
        case Flag():
            fits = isinstance(value, bool) or (isinstance(value, str) and value in FLAGS)
            return None if fits else Misfit(said(value), "yes or no", "true and false say it too")
        case Text():
            return _text_misfit(value)
        case Names(labels=words) | Row(labels=words):
            return _word_misfit(value, kind, words)
        case _:
            return None


def _text_misfit(value: object) -> Misfit | None:
    if not isinstance(value, str):
        return Misfit(said(value), "a text in quotation marks")
    hidden = HIDDEN.search(value.replace("\r", "\0"))  # an end of line is one newline; no text has another
    if hidden is None:
        return None
    return Misfit(f"a text with a {spelled(value[hidden.start()])}", "a text of characters that can be seen")


def _list_misfit(value: object, of: Kind) -> Misfit | None:
    if not isinstance(value, list):
        return Misfit(said(value), "a list", "a list stands in square brackets, also if it has one member")
    if len(value) > limits.COLLECTION:
        return Misfit(f"a list of {len(value)}", f"a list of at most {limits.COLLECTION}")
    for item in value:
        wrong = misfit(item, of)
        if wrong is not None:
            return attrs.evolve(wrong, found=f"a list with {wrong.found}", wanted=f"{wrong.wanted} in each place")
    return None


def _number_misfit(value: object, kind: Number) -> Misfit | None:
    low, high = span(kind) or (-LARGEST, LARGEST)
    wanted = "a whole number" if kind.low is None else f"a whole number from {low} to {high}"
    if isinstance(value, int) and not isinstance(value, bool):
        return None if low <= value <= high else Misfit(said(value), wanted)
    hint = "write it without quotation marks" if isinstance(value, str) and value.lstrip("-").isdigit() else None
    return Misfit(said(value), wanted, hint)


def _word_misfit(value: object, kind: Names | Row, words: tuple[str, ...]) -> Misfit | None:
    if not isinstance(value, str):
        return Misfit(said(value), spoken(kind), "write its word in quotation marks")
    word = word_of(value)
    if word in kind.numbers:
        return None

    def hint() -> str:
        return did_you_mean(word, words) or f"there is {_some(words)}"

    return Misfit(said(value), spoken(kind), hint, kind if isinstance(kind, Row) else None)


def _some(words: Iterable[str]) -> str:
    listed = [quoted(word) for word in words]
    return ", ".join(listed[:6]) + (", ..." if len(listed) > 6 else "") if listed else "nothing to choose from"


def word_of(written_word: str) -> str:
    """A word of a data file as the rules spell it: with underscores."""
    return written_word.replace("-", "_")


def said(value: object) -> str:
    """What a value is, in a message; never the whole of a list or table."""
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value) if abs(value) <= limits.INTEGER_MAX else "a number of more than 64 bits"
        case str():
            return quoted(value)
        case float():
            return "a number with a fraction"
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or a time"
