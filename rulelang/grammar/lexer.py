"""From text to words: numbers, names, texts, signs and comments, each with its place. Spec 2.1 to 2.4.

Unlike Lark's lexers this one does not ask the parser what it expects: a text has the same words wherever it stands, so
that layout, limits and the formatter can read them first, and a mistake in one paragraph leaves the others alone. The
patterns are those of the grammar. Words with a meaning in one position only (`game`, `seen`) come out as names; `parse`
promotes them where they stand in that position.
"""

import re
from collections.abc import Iterable
from typing import Final

import attrs
from lark import Token as Token
from lark.lexer import PatternStr, TerminalDef

from rulelang import limits
from rulelang.diagnostics.codes import (
    CONFUSABLE_NAME,
    HIDDEN_CHARACTER,
    NAME_TOO_LONG,
    NUMBER_TOO_LARGE,
    STRAY_BRACE,
    UNKNOWN_CHARACTER,
    UNTERMINATED_TEXT,
    Code,
)
from rulelang.diagnostics.diagnostic import Findings
from rulelang.grammar.characters import HIDDEN, confusable, spelled, unknown, way_out
from rulelang.source import Place, Source

WORD: Final = r"[^\W\d_]\w*"
_OPENED: Final = re.compile(r'"[^"{}\n]*')
"""A text up to what is wrong with it."""


@attrs.define
class Lexed:
    """The words of a text, its comments, and what is wrong with either."""

    tokens: list[Token]
    comments: list[Token]
    findings: Findings
    faulty_lines: set[int]
    """Lines with a mistake, which the parser must not see."""
    surplus: Place | None = None
    """Where the text has more words than the limit allows; what follows has not been read."""


def place_of(token: Token, file: str) -> Place:
    """Return where a token stands."""
    assert token.line and token.column and token.end_line and token.end_column
    return Place(file, token.line, token.column, token.end_line, token.end_column)


class Lexer:
    """Reads words by the terminals of the grammar."""

    def __init__(self, terminals: Iterable[TerminalDef], soft: Iterable[str]) -> None:
        strings = {t.pattern.value: t.name for t in terminals if isinstance(t.pattern, PatternStr)}
        patterns = {t.name: t.pattern.value for t in terminals if not isinstance(t.pattern, PatternStr)}
        soft = frozenset(soft)
        self.words = {text: name for text, name in strings.items() if text.isalpha() and text not in soft}
        self.soft = {text: name for text, name in strings.items() if text in soft}
        self._signs = {text: name for text, name in strings.items() if not text.isalpha()}
        longest_first = sorted(self._signs, key=lambda text: (-len(text), text))
        signs = "|".join(re.escape(text) + (r"(?!\w)" if text[-1].isalpha() else "") for text in longest_first)
        rest = "|".join(f"(?P<{name}>{p})" for name, p in sorted(patterns.items()) if name not in {"NAME", "_LINES"})
        self._scan = re.compile(rf"(?P<NAME>{WORD})|(?P<LINE>\r?\n)|{rest}|(?P<SIGN>{signs})").match

    def lex(self, source: Source) -> Lexed:
        """Read a whole text. What cannot be read is diagnosed and passed over."""
        return _Reading(self, source).run()


class _Reading:
    """One run over one text."""

    def __init__(self, lexer: Lexer, source: Source) -> None:
        self._lexer = lexer
        self._text = source.text
        self._file = source.name
        self._at = 0
        self._line = 1
        self._margin = 0  # where the current line begins
        self._count = 0  # of words, readable or not
        self._lexed = Lexed([], [], Findings(), set())

    def run(self) -> Lexed:
        scan, text, lexed = self._lexer._scan, self._text, self._lexed
        if not text.isascii() or not text.isprintable():
            self._check_hidden()
        while self._at < len(text):
            if self._count >= limits.TOKENS and text[self._at] not in " \t\n#":
                lexed.surplus = self._place(1)
                break
            match = scan(text, self._at)
            if match is None:
                self._complain()
                self._count += 1
                continue
            kind = match.lastgroup
            assert kind
            if kind == "LINE":
                self._line, self._margin = self._line + 1, match.end()
            elif kind == "COMMENT":
                lexed.comments.append(self._token(kind, match[0]))
            elif kind != "BLANK":
                lexed.tokens.append(self._token(self._kind(kind, match[0]), match[0]))
                self._count += 1
            self._at = match.end()
        return lexed

    def _token(self, kind: str, value: str) -> Token:
        column, end = self._at - self._margin + 1, self._at + len(value)
        return Token(kind, value, self._at, self._line, column, self._line, end - self._margin + 1, end)

    def _kind(self, kind: str, value: str) -> str:
        if kind == "NAME":
            if value in self._lexer.words:
                return self._lexer.words[value]
            if len(value) > limits.IDENTIFIER:
                self._report(NAME_TOO_LONG, len(value), length=len(value), limit=limits.IDENTIFIER)
            elif not value.isascii() and confusable(value):
                self._report(CONFUSABLE_NAME, len(value), word=value, hint=confusable(value))
        elif kind == "NUMBER":
            if len(value) > len(str(limits.INTEGER_MAX)) or int(value) > limits.INTEGER_MAX:
                self._report(NUMBER_TOO_LARGE, len(value), number=value)
        elif kind == "SIGN":
            return self._lexer._signs[value]
        return kind

    def _complain(self) -> None:
        """Diagnose what begins here and is no word, and go past it."""
        text, start = self._text, self._at
        hidden = HIDDEN.match(text, start)
        if hidden:
            self._at = hidden.end()
            return
        if text[start] == '"':
            self._complain_of_text()
            return
        run = unknown(text, start)
        self._report(UNKNOWN_CHARACTER, len(run), character=spelled(run), hint=way_out(run))
        self._at += len(run)

    def _complain_of_text(self) -> None:
        opened = _OPENED.match(self._text, self._at)
        assert opened
        line_end = self._text.find("\n", self._at)
        self._at = opened.end()
        if self._text.startswith("}", self._at):
            self._report(STRAY_BRACE, 1)
        else:
            self._at = opened.start()
            self._report(UNTERMINATED_TEXT, len(opened[0].rstrip()))
        self._at = len(self._text) if line_end < 0 else line_end

    def _report(self, code: Code, extent: int, *, hint: str | None = None, **words: object) -> None:
        self._lexed.findings.report(code, self._place(extent), related=(), hint=hint, **words)
        self._lexed.faulty_lines.add(self._line)

    def _place(self, extent: int) -> Place:
        column = self._at - self._margin + 1
        return Place(self._file, self._line, column, self._line, column + extent)

    def _check_hidden(self) -> None:
        """Diagnose characters that nobody sees, also inside texts and comments: they make a text read as another."""
        for number, line in enumerate(self._text.split("\n"), start=1):
            for found in HIDDEN.finditer(line.removesuffix("\r")):
                place = Place(self._file, number, found.start() + 1, number, found.end() + 1)
                self._lexed.findings.report(HIDDEN_CHARACTER, place, character=spelled(found[0]))
                self._lexed.faulty_lines.add(number)
