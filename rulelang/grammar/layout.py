"""From words to lines: where a line of the rules ends, and what belongs to the block below it. Spec 2.5.

A line that ends with a colon opens a block, and the next line must be deeper. A deeper line after any other line goes on
with it. Inside brackets and the holes of texts line ends do not count. Citations end a line of the page, or stand alone
on a deeper one; they are collected and handed on at the end of the line of the rules that they belong to.

The result is one list of words for each paragraph, that is each line at the margin with all that is deeper below it: the
pieces in which the parser recovers from mistakes. `_NL`, `_IN` and `_OUT` have no width and stand where the last word
ended. Comments and blank lines were left out before; they change nothing.
"""

from typing import Final

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
from rulelang.diagnostics.diagnostic import Findings, Related, quoted
from rulelang.grammar.lexer import Lexed, place_of
from rulelang.grammar.words import DECLARATIONS
from rulelang.source import Place, Source

CLOSED_BY: Final = {"LPAR": "RPAR", "LBRACKET": "RBRACKET", "TEXT_HEAD": "TEXT_TAIL"}
CLOSING: Final = frozenset(CLOSED_BY.values())
_SIGN: Final = {"LPAR": "(", "LBRACKET": "[", "TEXT_HEAD": "{"}
_OPENERS: Final = frozenset((*DECLARATIONS, "game"))


@attrs.define
class Paragraph:
    """A line at the margin and everything deeper below it; faulty if its layout has been diagnosed already."""

    tokens: list[Token] = attrs.field(factory=list)
    faulty: bool = False


def lay_out(source: Source, lexed: Lexed) -> list[Paragraph]:
    """Cut the words of a text into paragraphs and mark lines and blocks. Mistakes go into the findings of the words."""
    layout = _Layout(source, lexed.findings)
    before = 0
    for token in lexed.tokens:
        assert token.line
        if token.line > before:
            layout.begin_line(token)
        before = token.line
        layout.take(token)
    layout.finish()
    faulty = sorted(lexed.faulty_lines)
    for paragraph, following in zip(layout.paragraphs, [*layout.paragraphs[1:], None], strict=True):
        while faulty and (following is None or faulty[0] < (following.tokens[0].line or 0)):
            paragraph.faulty = True
            del faulty[0]
    return layout.paragraphs


class _Layout:
    """The running line: how deep its block is, what is open in it, which citations wait for its end."""

    def __init__(self, source: Source, findings: Findings) -> None:
        self.paragraphs: list[Paragraph] = []
        self._source = source
        self._findings = findings
        self._levels = [0]
        self._open: list[Token] = []
        self._cites: list[Token] = []
        self._last: Token | None = None  # the last word of the running line, citations aside
        self._cite_line = 0  # where a line of the page consists of citations so far

    def begin_line(self, token: Token) -> None:
        """Decide what the first word of a line of the page means: end, block, or going on."""
        assert token.line and token.column
        width = self._width(token)
        if self._open and not (width == 0 and token.value in _OPENERS):
            return
        for opened in self._open:
            self._fault(UNCLOSED_BRACKET, opened, bracket=quoted(_SIGN[opened.type]))
        self._open.clear()
        if self._last is None:
            if width:
                self._fault(INDENTED_START, token)
        elif token.type == "CITE":
            if width <= self._levels[-1]:
                self._fault(CITATION_ALONE, token)
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
        for opened in self._open:
            self._fault(UNCLOSED_BRACKET, opened, bracket=quoted(_SIGN[opened.type]))
        if self._last is None:
            for cite in self._cites:
                self._fault(CITATION_ALONE, cite)
            return
        self._end_line(0, None)

    def _end_line(self, width: int, following: Token | None) -> None:
        """End the running line; open or close blocks as the indentation of the following line says."""
        assert self._last
        last, level = self._last, self._levels[-1]
        deeper = following is not None and width > level
        if last.type == "COLON" and not deeper:
            self._fault(MISSING_BLOCK, last)
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

    def _unmatched(self, token: Token) -> None:
        related = ()
        if self._open:
            opened = self._open[-1]
            place = place_of(opened, self._source.name)
            related = (Related(place, f"{quoted(_SIGN[opened.type])} is open here"),)
        while any(CLOSED_BY[opened.type] == token.type for opened in self._open):
            if CLOSED_BY[self._open.pop().type] == token.type:
                break
        self._fault(UNMATCHED_BRACKET, token, related=related, bracket=quoted(token.value[0]))

    def _width(self, token: Token) -> int:
        assert token.line and token.column
        before = self._source.line(token.line)[: token.column - 1]
        if "\t" not in before:
            return len(before)
        column = before.index("\t") + 1
        self._report(TAB_INDENTATION, Place(self._source.name, token.line, column, token.line, len(before) + 1))
        return len(before.expandtabs(4))

    def _fault(self, code: Code, token: Token, *, related: tuple[Related, ...] = (), **words: object) -> None:
        self._report(code, place_of(token, self._source.name), related=related, **words)

    def _report(self, code: Code, place: Place, *, related: tuple[Related, ...] = (), **words: object) -> None:
        self._findings.report(code, place, related=related, **words)
        if self.paragraphs:
            self.paragraphs[-1].faulty = True
