"""The parser tables: loaded from the file that `build` wrote, or built in memory where that file does not fit.

The first line of `rules.tables` says for which grammar and for which Lark it was made. Tables of another grammar or
another Lark are passed over, since building takes a second but never goes wrong.
"""

import hashlib
import io
from functools import cache
from pathlib import Path
from typing import Final

import lark

from rulelang.grammar.words import RESERVED

GRAMMAR: Final = Path(__file__).with_name("rules.lark")
TABLES: Final = Path(__file__).with_name("rules.tables")

STARTS: Final = ("rules", "game", "declaration")
"""What can be parsed on its own: a file, its first paragraph, any other paragraph."""


def grammar_text() -> str:
    """Return the grammar, with the look-ahead that keeps reserved words from being names filled in."""
    return GRAMMAR.read_text(encoding="utf-8").replace("@@RESERVED@@", "|".join(RESERVED))


def header() -> bytes:
    """Return what the first line of current tables says."""
    key = hashlib.sha256(grammar_text().encode("utf-8")).hexdigest()
    return f"rulelang tables for grammar {key} and lark {lark.__version__}\n".encode("ascii")


def build(*, strict: bool = False) -> lark.Lark:
    """Build the parser from the grammar. `strict` refuses an ambiguous grammar and needs the interegular package."""
    return lark.Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual" if strict else "basic",
        strict=strict,
        propagate_positions=True,
        maybe_placeholders=True,
        start=list(STARTS),
    )


@cache
def parser() -> lark.Lark:
    """Return the parser, made once a process."""
    saved = TABLES.read_bytes() if TABLES.is_file() else b""
    current = header()
    if saved.startswith(current):
        return lark.Lark.load(io.BytesIO(saved[len(current) :]))
    return build()
