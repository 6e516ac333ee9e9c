"""From lines to a tree: each paragraph is parsed on its own, so that a mistake in one leaves the others alone.

A paragraph is a declaration (`rule deal:` with its block). Its mistake is diagnosed where the grammar could not go on;
then the next paragraph is read. `messages` finds the words.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import attrs
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken

from rulelang import limits
from rulelang.diagnostics.codes import GAME_MISSING, GAME_TWICE, TOO_DEEP, TOO_MANY_TOKENS
from rulelang.grammar.layout import Paragraph, lay_out
from rulelang.grammar.lexer import Lexed, Lexer, place_of
from rulelang.grammar.messages import Trouble, explain
from rulelang.grammar.nesting import too_deep
from rulelang.grammar.tables import parser
from rulelang.grammar.words import COVERS, DECLARATIONS, SOFT
from rulelang.source import Place, Source

States = Mapping[int, Mapping[str, tuple[Any, Any]]]
"""Lark's table: for each state and each word or rule, whether to go on to a state or to complete a rule."""


def parse(source: Source) -> Tree[Token]:
    """Return the tree of a whole file, or raise `Diagnosed` with all mistakes of its words, lines and sentences."""
    lexed = lexer().lex(source)
    return Tree("rules", [paragraph.tree for paragraph in _read(source, lexed)])


def paragraphs(source: Source, lexed: Lexed) -> list[Paragraph]:
    """Return the paragraphs of a file with their words as the grammar understood them, or raise `Diagnosed`."""
    return _read(source, lexed)


@cache
def lexer() -> Lexer:
    """Return the lexer of the grammar, made once a process."""
    return Lexer(parser().terminals, SOFT)


def _read(source: Source, lexed: Lexed) -> list[Paragraph]:
    if lexed.surplus:
        lexed.findings.report(TOO_MANY_TOKENS, lexed.surplus, limit=limits.TOKENS)
        lexed.findings.raise_if_any((source,))
    found = lay_out(source, lexed)
    _check_game(source, lexed, found)
    for before, paragraph in zip([None, *found], found, strict=False):
        if before is not None and before.lacks_block and paragraph.tokens[0].value not in DECLARATIONS:
            continue  # it is that block, not indented
        deep = too_deep(paragraph.tokens)
        if deep is not None:
            lexed.findings.report(TOO_DEEP, place_of(deep, source.name), limit=limits.NESTING)
        elif not paragraph.faulty:
            start = "game" if paragraph.tokens[0].value in COVERS else "declaration"
            parse_paragraph(source, lexed, paragraph, Tables(parser(), lexer().soft, start))
    lexed.findings.raise_if_any((source,))
    return found


def _check_game(source: Source, lexed: Lexed, found: list[Paragraph]) -> None:
    if not found:
        lexed.findings.report(GAME_MISSING, Place(source.name, 1, 1, 1, 1))
    for number, paragraph in enumerate(found):
        first = paragraph.tokens[0]
        if (first.value in COVERS) != (number == 0):
            code = GAME_TWICE if number else GAME_MISSING
            lexed.findings.report(code, place_of(first, source.name))


@attrs.frozen
class Tables:
    """By what a paragraph is parsed: the tables, the soft words and where the grammar starts."""

    parser: Lark
    soft: Mapping[str, str]
    start: str
    declarations: tuple[str, ...] = DECLARATIONS
    """The words that can open a paragraph."""


def parse_paragraph(source: Source, lexed: Lexed, paragraph: Paragraph, tables: Tables) -> None:
    """Set the paragraph's tree, or diagnose why it has none. Soft words become what they mean where they stand."""
    soft, tokens = tables.soft, paragraph.tokens
    state = tables.parser.parse_interactive(start=tables.start).parser_state
    states: States = state.parse_conf.states
    position, stack = 0, list(state.state_stack)
    try:
        for position, token in enumerate(tokens):
            stack = list(state.state_stack)
            if token.type == "NAME" and token.value in soft and _after(states, stack, soft[token.value]):
                token = tokens[position] = token.update(type=soft[token.value])
            state.feed_token(token)
        paragraph.tree = state.feed_token(Token.new_borrow_pos("$END", "", tokens[-1]), is_end=True)
    except UnexpectedToken:
        wanted = frozenset(kind for kind in states[stack[-1]] if kind.isupper() and _after(states, stack, kind))
        trouble = Trouble(
            source.name,
            tokens,
            position,
            wanted,
            fits=lambda kind, following: _fits(states, stack, (kind, following)),
            declarations=tables.declarations,
        )
        lexed.findings.add(explain(trouble))


def _after(states: States, stack: list[int], kind: str) -> list[int] | None:
    """Return the parser's stack behind one more word, or nothing if the word cannot stand there."""
    stack = list(stack)
    while kind in states[stack[-1]]:
        _, argument = states[stack[-1]][kind]
        if isinstance(argument, int):  # go on
            return [*stack, argument]
        if argument.expansion:
            del stack[-len(argument.expansion) :]
        stack.append(states[stack[-1]][argument.origin.name][1])
    return None


def _fits(states: States, stack: list[int], kinds: tuple[str | None, ...]) -> bool:
    found: list[int] | None = stack
    for kind in kinds:
        if kind is not None and found is not None:
            found = _after(states, found, kind)
    return found is not None
