"""The parser tables: loaded from the file that `build` wrote, or built in memory where that file does not fit.

The first line of `rules.tables` says for which grammar and for which Lark it was made. Tables of another grammar or
another Lark are passed over, since building takes a second but never goes wrong.
"""

import hashlib
import io
import re
from functools import cache
from pathlib import Path
from typing import Final

import lark

from rulelang.grammar.words import RESERVED

GRAMMAR: Final = Path(__file__).with_name("rules.lark")
TABLES: Final = Path(__file__).with_name("rules.tables")

STARTS: Final = ("rules", "game", "declaration")
"""What can be parsed on its own: a file, its first paragraph, any other paragraph."""

PLAYS: Final = Path(__file__).with_name("plays.lark")
PLAYS_TABLES: Final = Path(__file__).with_name("plays.tables")
PLAYS_STARTS: Final = ("plays", "paragraph")
_SECTION: Final = re.compile(r"^// -{10,}.*\n", re.MULTILINE)


def grammar_text() -> str:
    """Return the grammar, with the look-ahead that keeps reserved words from being names filled in."""
    return GRAMMAR.read_text(encoding="utf-8").replace("@@RESERVED@@", "|".join(RESERVED))


def plays_text() -> str:
    """Return the grammar of plays, with the formulas and the terminals of rules: its last two sections."""
    *_, formulas, terminals = _SECTION.split(grammar_text())
    return "\n".join((PLAYS.read_text(encoding="utf-8"), formulas, terminals))


def header(text: str | None = None) -> bytes:
    """Return what the first line of current tables says."""
    key = hashlib.sha256((grammar_text() if text is None else text).encode("utf-8")).hexdigest()
    return f"rulelang tables for grammar {key} and lark {lark.__version__}\n".encode("ascii")


def build(*, strict: bool = False) -> lark.Lark:
    """Build the parser from the grammar. `strict` refuses an ambiguous grammar and needs the interegular package."""
    return _built(grammar_text(), STARTS, strict)


def build_plays(*, strict: bool = False) -> lark.Lark:
    """Build the parser of plays."""
    return _built(plays_text(), PLAYS_STARTS, strict)


def _built(text: str, starts: tuple[str, ...], strict: bool) -> lark.Lark:
    return lark.Lark(
        text,
        parser="lalr",
        lexer="contextual" if strict else "basic",
        strict=strict,
        propagate_positions=True,
        maybe_placeholders=True,
        start=list(starts),
    )


@cache
def parser() -> lark.Lark:
    """Return the parser, made once a process."""
    return _loaded(TABLES, header()) or build()


@cache
def plays_parser() -> lark.Lark:
    """Return the parser of plays, made once a process."""
    return _loaded(PLAYS_TABLES, header(plays_text())) or build_plays()


def _loaded(tables: Path, current: bytes) -> lark.Lark | None:
    saved = tables.read_bytes() if tables.is_file() else b""
    if not saved.startswith(current):
        return None
    loaded: lark.Lark = lark.Lark.load(io.BytesIO(saved[len(current) :]))
    return loaded
