"""From words to lines: where a line of the rules ends, and what belongs to the block below it. Spec 2.5.

A line that ends with a colon opens a block, and the next line must be deeper. A deeper line after any other line goes
on with it. Inside brackets and the holes of texts line ends do not count, but a word at the margin that opens a
declaration always does: there the brackets above were forgotten. Citations end a line of the page, or stand alone on a
deeper one; they are collected and handed on at the end of the line of the rules that they belong to.

The result is one list of words for each paragraph, that is a line at the margin with all that is deeper below it: the
pieces in which the parser recovers from mistakes. `_NL`, `_IN` and `_OUT` have no width and stand where the last word
ended. Comments and blank lines were left out before; they change nothing.
"""

from typing import Any, Final

import attrs
from lark import Token

from rulelang.diagnostics.codes import (
    BAD_DEDENT,
    CITATION_ALONE,
    CITATION_INSIDE,
    INDENTED_START,
    MISSING_BLOCK,
    TAB_INDENTATION,
    UNCLOSED_BRACKET,
    UNMATCHED_BRACKET,
    Code,
)
from rulelang.diagnostics.diagnostic import Related, diagnose
from rulelang.grammar.lexer import Lexed, place_of
from rulelang.grammar.words import COVERS, DECLARATIONS
from rulelang.source import Place, Source

CLOSED_BY: Final = {"LPAR": "RPAR", "LBRACKET": "RBRACKET", "TEXT_HEAD": "TEXT_TAIL"}
CLOSING: Final = frozenset(CLOSED_BY.values())
_SIGN: Final = {"LPAR": "(", "LBRACKET": "[", "TEXT_HEAD": "{"}
_OPENERS: Final = frozenset((*DECLARATIONS, *COVERS))


@attrs.define
class Paragraph:
    """A line at the margin and everything deeper below it; faulty if its layout has been diagnosed already."""

    tokens: list[Token] = attrs.field(factory=list)
    faulty: bool = False
    lacks_block: bool = False
    """Its last line opens a block that is not there."""
    tree: Any = None
    """What the parser made of it."""


def lay_out(source: Source, lexed: Lexed, openers: frozenset[str] = _OPENERS) -> list[Paragraph]:
    """Cut the words of a text into paragraphs and mark lines and blocks. Mistakes go into the findings of the words."""
    layout = _Layout(source, lexed, openers)
    before = 0
    for token in lexed.tokens:
        assert token.line
        if token.line > before:
            layout.begin_line(token)
        before = token.line
        layout.take(token)
    layout.finish()
    _mark_faulty(layout.paragraphs, lexed.faulty_lines)
    return layout.paragraphs


def _mark_faulty(paragraphs: list[Paragraph], lines: set[int]) -> None:
    """Keep the parser away from paragraphs in whose lines something could not be read."""
    waiting = sorted(lines, reverse=True)
    for number, paragraph in enumerate(paragraphs, start=1):
        end = paragraphs[number].tokens[0].line if number < len(paragraphs) else None
        while waiting and (end is None or waiting[-1] < end):
            waiting.pop()
            paragraph.faulty = True


class _Layout:
    """The running line: how deep its block is, what is open in it, which citations wait for its end."""

    def __init__(self, source: Source, lexed: Lexed, openers: frozenset[str]) -> None:
        self._openers = openers
        self.paragraphs: list[Paragraph] = []
        self._source = source
        self._findings = lexed.findings
        self._faulty_lines = lexed.faulty_lines
        self._levels = [0]
        self._open: list[Token] = []
        self._cites: list[Token] = []
        self._last: Token | None = None  # the last word of the running line, citations aside

    def begin_line(self, token: Token) -> None:
        """Decide what the first word of a line of the page means: end, block, or going on."""
        assert token.line and token.column
        width = self._width(token)
        if self._open and not (width == 0 and token.value in self._openers):
            return
        self._close_all()
        if token.type == "CITE":
            if self._last is None or width <= self._levels[-1]:
                self._fault(CITATION_ALONE, token)
        elif self._last is None:
            if width:
                self._fault(INDENTED_START, token)
        elif width <= self._levels[-1] or self._last.type == "COLON":
            self._end_line(width, token)

    def take(self, token: Token) -> None:
        """Take in the next word."""
        if token.type == "CITE":
            self._cites.append(token)
            return
        if self._cites and self._cites[-1].line == token.line:
            self._fault(CITATION_INSIDE, self._cites[-1])
        if not self.paragraphs:
            self.paragraphs.append(Paragraph())
        self._last = token
        self._bracket(token)
        self.paragraphs[-1].tokens.append(token)

    def finish(self) -> None:
        """End the last line and all blocks."""
        self._close_all()
        if self._last is not None:
            self._end_line(0, None)

    def _end_line(self, width: int, following: Token | None) -> None:
        """End the running line; open or close blocks as the indentation of the following line says."""
        assert self._last
        last, level = self._last, self._levels[-1]
        deeper = following is not None and width > level
        if last.type == "COLON" and not deeper:
            self._fault(MISSING_BLOCK, last)
            self.paragraphs[-1].lacks_block = width == 0
        self.paragraphs[-1].tokens += self._cites
        self._cites.clear()
        self._mark("_NL", last)
        if deeper:
            self._levels.append(width)
            self._mark("_IN", last)
        while width < self._levels[-1]:
            self._levels.pop()
            self._mark("_OUT", last)
        if width != self._levels[-1]:
            assert following
            self._fault(BAD_DEDENT, following)
        elif width == 0 and following is not None:
            self.paragraphs.append(Paragraph())

    def _mark(self, kind: str, last: Token) -> None:
        line, column, end = last.end_line, last.end_column, last.end_pos
        self.paragraphs[-1].tokens.append(Token(kind, "", end, line, column, line, column, end))

    def _bracket(self, token: Token) -> None:
        if token.type in CLOSED_BY:
            self._open.append(token)
        elif token.type in CLOSING:
            if self._open and CLOSED_BY[self._open[-1].type] == token.type:
                self._open.pop()
            else:
                self._unmatched(token)
        elif token.type == "TEXT_MID" and not (self._open and self._open[-1].type == "TEXT_HEAD"):
            self._unmatched(token)

    def _close_all(self) -> None:
        """Diagnose what is still open, unless its line could not be read to the end."""
        for opened in self._open:
            if opened.line not in self._faulty_lines:
                self._fault(UNCLOSED_BRACKET, opened, bracket=_SIGN[opened.type])
        self._open.clear()

    def _unmatched(self, token: Token) -> None:
        related: tuple[Related, ...] = ()
        if self._open:
            opened = self._open[-1]
            place = place_of(opened, self._source.name)
            related = (Related(place, f"'{_SIGN[opened.type]}' is open here"),)
        matching = any(CLOSED_BY[opened.type] == token.type for opened in self._open)
        while self._open and CLOSED_BY[self._open.pop().type] != token.type and matching:
            pass
        self._fault(UNMATCHED_BRACKET, token, related=related, bracket=token.value[0])

    def _width(self, token: Token) -> int:
        assert token.line and token.column
        before = self._source.line(token.line)[: token.column - 1]
        if "\t" not in before:
            return len(before)
        column = before.index("\t") + 1
        self._report(TAB_INDENTATION, Place(self._source.name, token.line, column, token.line, len(before) + 1))
        return len(before.expandtabs(4))

    def _fault(self, code: Code, token: Token, *, related: tuple[Related, ...] = (), **words: str) -> None:
        self._report(code, place_of(token, self._source.name), related=related, **words)

    def _report(self, code: Code, place: Place, *, related: tuple[Related, ...] = (), **words: str) -> None:
        self._findings.add(diagnose(code, place, related=related, **words))
        if self.paragraphs:
            self.paragraphs[-1].faulty = True
