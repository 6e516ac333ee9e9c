"""From lines to a tree: every paragraph of a text is parsed on its own, so that a mistake in one leaves the others alone.

A paragraph is a declaration (`rule deal:` with its block). Its mistake is diagnosed where the grammar could not go on;
then the next paragraph is read. `messages` finds the words.
"""

from functools import cache
from typing import Any

from lark import Token, Tree
from lark.exceptions import UnexpectedToken

from rulelang.diagnostics.codes import GAME_MISSING, GAME_TWICE, UNEXPECTED_WORD
from rulelang.diagnostics.diagnostic import quoted
from rulelang.grammar.layout import Paragraph, lay_out
from rulelang.grammar.lexer import Lexed, Lexer, place_of
from rulelang.grammar.tables import parser
from rulelang.grammar.words import SOFT
from rulelang.source import Place, Source


def parse(source: Source) -> Tree[Token]:
    """Return the tree of a whole file, or raise `Diagnosed` with all mistakes of its words, lines and sentences."""
    lexed = lexer().lex(source)
    reading = _Reading(source, lexed)
    tree = reading.read(lay_out(source, lexed))
    lexed.findings.raise_if_any((source,))
    return tree


@cache
def lexer() -> Lexer:
    """Return the lexer of the grammar, made once a process."""
    return Lexer(parser().terminals, SOFT)


class _Reading:
    def __init__(self, source: Source, lexed: Lexed) -> None:
        self._source = source
        self._lexed = lexed
        self._findings = lexed.findings

    def read(self, paragraphs: list[Paragraph]) -> Tree[Token]:
        """Parse all paragraphs; those with mistakes are missing from the tree."""
        children = []
        for number, paragraph in enumerate(paragraphs):
            game = paragraph.tokens[0].value == "game"
            if game != (number == 0):
                code = GAME_TWICE if game else GAME_MISSING
                self._findings.report(code, place_of(paragraph.tokens[0], self._source.name))
            if not paragraph.faulty:
                children.append(self._paragraph(paragraph, "game" if game else "declaration"))
        if not paragraphs:
            self._findings.report(GAME_MISSING, Place(self._source.name, 1, 1, 1, 1))
        return Tree("rules", [child for child in children if child is not None])

    def _paragraph(self, paragraph: Paragraph, start: str) -> Any:
        soft = lexer().soft
        state = parser().parse_interactive(start=start).parser_state
        stack, states = state.state_stack, state.parse_conf.states
        token = paragraph.tokens[0]
        try:
            for token in paragraph.tokens:
                if token.type == "NAME" and token.value in soft and soft[token.value] in states[stack[-1]]:
                    token = token.update(type=soft[token.value])
                state.feed_token(token)
            return state.feed_token(Token.new_borrow_pos("$END", "", token), is_end=True)
        except UnexpectedToken:
            self._findings.report(UNEXPECTED_WORD, place_of(token, self._source.name), word=quoted(token.value))
            return None
