"""R11. The grammars build with every check that Lark has, and no terminal takes long on bad text.

`tests/test_grammar_build.py` holds the grammar of rules to this on general bad texts; here both grammars are built, the
one of plays too, and each terminal gets bad texts made for it: near misses of its own, and runs of what it is made of.
"""

import re
from collections.abc import Iterator
from functools import cache, partial

import pytest
from lark import Lark
from lark.lexer import Lexer, PatternStr, TerminalDef
from pace import in_time

from rulelang.failures import Diagnosed
from rulelang.grammar import tables
from rulelang.grammar.parse import lexer
from rulelang.grammar.parse_plays import plays_lexer
from rulelang.source import Source

LENGTH = 100_000
SECONDS = 0.1
"""CPU seconds for one terminal on one bad text."""

RUNS = {
    "letters": "a",
    "capitals": "Z",
    "letters of two bytes": "é",
    "digits": "7",
    "quotes": '"',
    "blanks": " ",
    "tabs": "\t",
    "backslashes": "\\",
    "line ends": "\n",
    "old line ends": "\r\n",
    "hashes": "#",
    "underscores": "a_",
    "citations": "@A-",
    "dashes": "a-",
    "dots": "1..",
    "braces": "}{",
    "texts with holes": '"{a}',
    "empty texts": '""',
    "brackets": "([",
    "apostrophes": "p's ",
    "reserved words": "otherwise",
    "accents": "a\u0301",
    "hidden signs": "\u200b",
    "other letters": "漢",
}
"""What bad texts are made of, again and again."""

ENDS = ("", "\x00", '"', "}", "\n", "a", "\u200b")
"""What they end with: the last sign decides whether all of it was in vain."""


@pytest.fixture(scope="module", params=["rules", "plays"])
def strict(request: pytest.FixtureRequest) -> Lark:
    """A grammar built with strict=True, which needs interegular."""
    return tables.build(strict=True) if request.param == "rules" else tables.build_plays(strict=True)


def test_the_grammar_builds_strict(strict: Lark) -> None:
    assert len(strict.rules) > 50
    assert len(strict.terminals) > 40


def terminals(grammar: Lark) -> list[TerminalDef]:
    return sorted(grammar.terminals, key=lambda terminal: terminal.name)


@cache
def common_texts() -> tuple[str, ...]:
    """Long texts that are nearly what some terminal matches."""
    runs = [unit * (LENGTH // len(unit)) + end for unit in RUNS.values() for end in ENDS]
    units = ("x", "1", "-", " ", "\\", "a-", "a_")
    started = [start + unit * (LENGTH // len(unit)) for start in ('"', '"{', "}", "@A", "a", "1") for unit in units]
    return (*runs, *started)


def bad_texts(terminal: TerminalDef) -> Iterator[str]:
    """These, and near misses of the terminal's own word."""
    yield from common_texts()
    if isinstance(terminal.pattern, PatternStr):
        word = terminal.pattern.value
        yield word * (LENGTH // len(word))
        yield word[:-1] * (LENGTH // max(1, len(word) - 1)) if len(word) > 1 else word
        yield word + "_" * LENGTH


def check_terminal(terminal: TerminalDef) -> None:
    """The terminal is fast on every one of its bad texts."""
    pattern = re.compile(terminal.pattern.to_regexp())
    for text in bad_texts(terminal):
        check_pattern(pattern, text, terminal.name)


def check_pattern(pattern: "re.Pattern[str]", text: str, name: str) -> None:
    """The pattern is fast on one text."""
    in_time(partial(pattern.match, text), SECONDS, name)
    in_time(partial(pattern.fullmatch, text), SECONDS, name)


def test_every_terminal_is_fast_on_bad_text_made_for_it(strict: Lark) -> None:
    for terminal in terminals(strict):
        check_terminal(terminal)


def test_a_slow_terminal_is_noticed() -> None:
    """One of those that took seconds on 25 letters, cut to what a test can wait for."""
    with pytest.raises(AssertionError, match="SLOW"):
        check_pattern(re.compile(r"(?:a+)+b"), "a" * 25, "SLOW")


def read(reader: Lexer, source: Source) -> None:
    """All tokens of a text, or what is wrong with it."""
    try:
        reader.lex(source)
    except Diagnosed as failure:
        assert failure.diagnostics


@pytest.mark.parametrize("unit", RUNS.values(), ids=RUNS)
def test_both_lexers_are_fast_on_bad_text(unit: str) -> None:
    source = Source("t", unit * (LENGTH // len(unit)))
    for one in (lexer, plays_lexer):
        in_time(partial(read, one(), source), 1)
