"""The formatter: one way to write each program, as close to the author's as that allows. Spec 2.6.

It works on words, not on the syntax tree, so that comments and the author's own line breaks stay. What it settles: two
blanks a level, two more for a line that goes on (four if it opens a block), the blanks between words, two blanks
before citations and comments at the end of a line, at most one empty line between lines and none below a line that
opens a block. A line too long is broken as far outside brackets as possible: there before `because`, `and`, `or` and
their like, inside brackets behind commas.

A comment on a line of its own stays before the line that it preceded and as deep; one that is deeper than that line
ends the block above.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

import attrs

from rulelang.grammar.layout import CLOSED_BY, CLOSING
from rulelang.grammar.lexer import Token
from rulelang.grammar.nesting import VALUE_ENDS
from rulelang.grammar.parse import lexer, paragraphs
from rulelang.source import Source

WIDTH: Final = 110
"""Columns of a line, its comment aside; longer ones are broken where they can be."""

_INDENT: Final = 2
_TIGHT_BEFORE: Final = frozenset({"COMMA", "COLON", "RPAR", "RBRACKET", "TEXT_MID", "TEXT_TAIL", "DOT", "POSSESSIVE"})
_APART: Final = frozenset({"GIVING", "REFUSED", "LEGAL"})
_TIGHT_AFTER: Final = frozenset({"LPAR", "LBRACKET", "TEXT_HEAD", "TEXT_MID", "DOT"})
_BREAK_BEFORE: Final = frozenset(
    {
        "AND",
        "OR",
        "BECAUSE",
        "UNLESS",
        "UNTIL",
        "WHERE",
        "SATISFIES",
        "IF",
        "OTHERWISE",
        "WITH",
        "THEN",
        "NEEDS",
        "FROM",
    }
)


@attrs.frozen
class _Line:
    """A logical line: its words as they stood on the page, and how deep its block is, in levels and as written."""

    rows: list[list[Token]]
    level: int
    width: int
    opens: bool

    @property
    def first(self) -> int:
        return self.rows[0][0].line or 0

    @property
    def indent(self) -> str:
        return " " * _INDENT * self.level

    @property
    def onward(self) -> str:
        return self.indent + " " * _INDENT * (2 if self.opens else 1)


def format_source(source: Source) -> str:
    """Return a rules file as it should be written, saying the same; raise `Diagnosed` if it cannot be read."""
    lexed = lexer().lex(source)
    return write_words([token for paragraph in paragraphs(source, lexed) for token in paragraph.tokens], lexed.comments)


def write_words(words: list[Token], comments: list[Token]) -> str:
    """Return words and the comments between them as they should be written."""
    return _Page(comments).write(list(_lines(words)))


def _lines(words: Iterable[Token]) -> Iterator[_Line]:
    """Cut words into logical lines. Citations return to the row in which they stood."""
    level, running = 0, list[Token]()
    for token in words:
        if token.type == "_IN":
            level += 1
        elif token.type == "_OUT":
            level -= 1
        elif token.type != "_NL":
            running.append(token)
        else:
            opens = [word for word in running if word.type != "CITE"][-1].type == "COLON"
            running.sort(key=lambda word: word.start_pos or 0)
            rows = [list(row) for _, row in groupby(running, key=lambda word: word.line)]
            yield _Line(rows, level, (running[0].column or 1) - 1, opens)
            running = []


class _Page:
    """The text as it grows."""

    def __init__(self, comments: list[Token]) -> None:
        self._comments = comments[::-1]  # the next one is the last
        self._out: list[str] = []
        self._row = 0  # the row of the old text that was written last
        self._after_opening = True

    def write(self, lines: list[_Line]) -> str:
        above: list[_Line] = []  # the lines that hold the blocks open here
        for line in lines:
            self._own_comments(line.first, line.level, [*above, line], line.width)
            while above and above[-1].level >= line.level:
                above.pop()
            above.append(line)
            self._line(line)
        self._own_comments(None, 0, above, 0)
        return "\n".join(self._out) + "\n"

    def _own_comments(self, before: int | None, level: int, above: list[_Line], width: int) -> None:
        """Write the comments before a row: as deep as its line, or as the block above whose depth they have."""
        while self._comments and (before is None or (self._comments[-1].line or 0) < before):
            comment = self._comments.pop()
            column = (comment.column or 1) - 1
            deeper = [line.level for line in above if width < line.width <= column]
            self._blank(comment.line or 0)
            self._put(" " * _INDENT * max(deeper, default=level) + comment.value.rstrip(), comment.line or 0)

    def _line(self, line: _Line) -> None:
        self._blank(line.first)
        depth, before = 0, None
        for number, row in enumerate(line.rows):
            at = row[0].line or 0
            indent = line.onward if number and row[0].type not in CLOSING else line.indent
            while self._comments and (self._comments[-1].line or 0) < at:
                comment = self._comments.pop()
                self._put(indent + comment.value.rstrip(), comment.line or 0)
            self._write_row(row, indent, line.onward, before, depth)
            depth += sum(map(_opening, row))
            before = row[-1]
            if self._comments and self._comments[-1].line == at:
                self._out[-1] += "  " + self._comments.pop().value.rstrip()
            self._row = at
        self._after_opening = line.opens

    def _write_row(self, row: list[Token], indent: str, onward: str, before: Token | None, depth: int) -> None:
        words = [word for word in row if word.type != "CITE"]
        cites = " ".join(word.value for word in row if word.type == "CITE")
        if not words:
            self._out.append(indent + cites)
            return
        rows = _broken(words, indent, onward, before, depth)
        if cites and len(rows[-1]) + 2 + len(cites) > WIDTH:
            rows.append(onward + cites)
        elif cites:
            rows[-1] += "  " + cites
        self._out += rows

    def _put(self, text: str, row: int) -> None:
        self._out.append(text)
        self._row = row

    def _blank(self, row: int) -> None:
        """Keep one empty line where the author left some, except at the start and below a line that opens a block."""
        if row > self._row + 1 and not self._after_opening and self._out:
            self._out.append("")
        self._after_opening = False


def _broken(words: list[Token], indent: str, onward: str, before: Token | None, depth: int) -> list[str]:
    """Write one row, broken as often as it must be and can be."""
    pieces = _spaced(words, before)
    rows, start, rest = [], 0, sum(map(len, pieces))
    while len(indent) + rest > WIDTH:
        position = _break(words, pieces, start, len(indent), depth)
        if position is None:
            break
        rows.append(indent + "".join(pieces[start:position]).lstrip())
        depth += sum(map(_opening, words[start:position]))
        rest -= sum(map(len, pieces[start:position]))
        start, indent = position, onward
    return [*rows, indent + "".join(pieces[start:]).lstrip()]


def _break(words: list[Token], pieces: list[str], start: int, width: int, depth: int) -> int | None:
    """Return the best position for a line break that keeps what is before it within the width, or nothing."""
    best: tuple[int, int] | None = None  # how bad it is, where
    for position in range(start, len(words)):
        comma = position > start and words[position - 1].type == "COMMA"
        if position > start and (comma or words[position].type in _BREAK_BEFORE):
            badness = 2 * depth + (comma == (depth == 0))
            best = (badness, position) if best is None or badness <= best[0] else best
        width += len(pieces[position])
        depth += _opening(words[position])
        if width > WIDTH:
            break
    return best[1] if best else None


def _opening(word: Token) -> int:
    """Return by how much a word opens brackets."""
    return (word.type in CLOSED_BY) - (word.type in CLOSING)


def _spaced(words: list[Token], before: Token | None) -> list[str]:
    """Return each word with the blank that stands before it, if one does."""
    pieces: list[str] = []
    negative = False
    for word, following in zip(words, [*words[1:], None], strict=True):
        tight = before is None or negative or _tight(before, word)
        pieces.append(word.value if tight else f"{'  ' if _apart(before, word, following) else ' '}{word.value}")
        negative = word.type == "MINUS" and not (before and before.type in VALUE_ENDS)
        before = word
    return pieces


def _apart(before: Token | None, word: Token, following: Token | None) -> bool:
    """Return whether what follows a move in a play file begins here: it stands apart, as citations do."""
    if word.type == "NOT":
        return following is not None and following.type == "LEGAL"
    return word.type in _APART and not (before is not None and before.type == "NOT")


def _tight(before: Token, word: Token) -> bool:
    """Return whether no blank stands between two words."""
    if before.type in _TIGHT_AFTER or word.type in _TIGHT_BEFORE or "RANGE" in (before.type, word.type):
        return True
    return word.type in {"LPAR", "LBRACKET"} and before.type in {"NAME", "RPAR", "RBRACKET"}
