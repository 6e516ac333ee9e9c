"""From a play file to a tree: paragraph by paragraph, like rules, with a grammar of its own. Spec 15.4."""

from functools import cache
from typing import Final

from lark import Token, Tree

from rulelang import limits
from rulelang.diagnostics.codes import TOO_DEEP, TOO_MANY_TOKENS
from rulelang.grammar.layout import Paragraph, lay_out
from rulelang.grammar.lexer import Lexed, Lexer, place_of
from rulelang.grammar.nesting import too_deep
from rulelang.grammar.parse import Tables, parse_paragraph
from rulelang.grammar.tables import plays_parser
from rulelang.grammar.words import PLAY_PARAGRAPHS, PLAY_WORDS, SOFT
from rulelang.source import Source

_OPENERS: Final = frozenset(PLAY_PARAGRAPHS)


@cache
def plays_lexer() -> Lexer:
    """Return the lexer of plays, made once a process."""
    return Lexer(plays_parser().terminals, (*PLAY_WORDS, *SOFT))


def parse_plays_tree(source: Source) -> Tree[Token]:
    """Return the tree of a play file without inline rules, or raise `Diagnosed`."""
    return Tree("plays", [paragraph.tree for paragraph in plays_paragraphs(source, plays_lexer().lex(source))])


def plays_paragraphs(source: Source, lexed: Lexed) -> list[Paragraph]:
    """Return the paragraphs with their words as the grammar understood them, or raise `Diagnosed`."""
    if lexed.surplus:
        lexed.findings.report(TOO_MANY_TOKENS, lexed.surplus, limit=limits.TOKENS)
        lexed.findings.raise_if_any((source,))
    found = lay_out(source, lexed, _OPENERS)
    tables = Tables(plays_parser(), plays_lexer().soft, "paragraph", PLAY_PARAGRAPHS)
    for paragraph in found:
        deep = too_deep(paragraph.tokens)
        if deep is not None:
            lexed.findings.report(TOO_DEEP, place_of(deep, source.name), limit=limits.NESTING)
        elif not paragraph.faulty:
            parse_paragraph(source, lexed, paragraph, tables)
    lexed.findings.raise_if_any((source,))
    return found
