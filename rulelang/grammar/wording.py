"""What the grammar expects, in words for authors: "a value", "':'", "the end of the line"; never a terminal."""

from collections.abc import Iterable
from typing import Final

from rulelang.diagnostics.diagnostic import WORD_SHOWN, clipped
from rulelang.grammar.words import DECLARATIONS

SHOWN: Final = 5
"""Alternatives that a message names."""

# fmt: off
VALUE_STARTS: Final = frozenset(
    {
        "NAME", "NUMBER", "STRING", "TEXT_HEAD", "LPAR", "LBRACKET", "MINUS", "NOT", "ME", "MY", "NOBODY", "NONE",
        "EMPTY", "YES", "NO", "SOME", "EVERY", "FIRST", "ALL"
    }
)
STATEMENT_STARTS: Final = frozenset(
    {
        "LET", "PUT", "END", "EACH", "TURNS", "REPEAT", "IF", "REQUIRE"
    }
)
OPERATORS: Final = frozenset(
    {
        "PLUS", "MINUS", "STAR", "BUT", "AND", "OR", "IS", "NOT", "IN", "LESS", "MORE", "AT_MOST", "AT_LEAST", "RANGE",
        "OF", "POSSESSIVE", "LPAR", "LBRACKET", "IF", "DOT"
    }
)
RELATIONS: Final = frozenset(
    {
        "IS", "NOT", "IN", "LESS", "MORE", "AT_MOST", "AT_LEAST"
    }
)
_POSTFIXES: Final = frozenset({"LPAR", "LBRACKET", "POSSESSIVE"})
# fmt: on

_SIGNS: Final = {
    "COLON": ":",
    "EQ": "=",
    "COMMA": ",",
    "RPAR": ")",
    "RBRACKET": "]",
    "LPAR": "(",
    "LBRACKET": "[",
    "DOT": ".",
    "PLUS": "+",
    "MINUS": "-",
    "STAR": "*",
    "LESS": "<",
    "AT_MOST": "<=",
    "MORE": ">",
    "AT_LEAST": ">=",
    "RANGE": "..",
    "POSSESSIVE": "'s",
    "TEXT_MID": "}",
    "TEXT_TAIL": "}",
}

SHAPES: Final = {
    "game": 'game "The title":',
    "library": 'library "The title":',
    "option": "option rows: 1..10 = 6",
    "values": "values Suit: clubs, hearts",
    "record": "record Card:",
    "table": "table Kind from kinds:",
    "row": "row mouse: 1, small",
    "board": "board Square: 3 by 3",
    "zone": "zone deck: pile of Card, seen by nobody",
    "marker": "marker score for each player: 0..99 = 0",
    "timer": "timer glass: 60 seconds",
    "define": "define best = all p in players with most score(p)",
    "condition": 'condition held(c: Card): c in my hand because "it is not in your hand"',
    "move": "move discard(card in my hand):",
    "rule": "rule deal(cards: 1..5):",
    "overview": "overview:",
    "instead": "instead of deal when short is yes:",
    "before": "before deal:",
    "after": "after deal:",
    "always": "always one_gap: size of gap is 1",
    "whenever": "whenever score >= 10:",
    "prefer": "prefer play with most rank of card when heap is empty",
    "require": 'require free: heap is empty because "it is not empty"',
    "let": "let taken = size of hand",
    "put": "put top from deck into my hand",
    "each": "each p in players:",
    "turns": "turns of p from starter:",
    "repeat": "repeat until deck is empty:",
    "if": "if deck is empty:",
    "end": "end game, best wins",
    "scenario": 'scenario "The third raise" of "leduc-poker":',
    "reasons": "reasons:",
    "given": "given:",
    "then": "then:",
    "players": "players: Ann, Ben",
    "reach": "reach draw_step where active is Ann",
    "some": "some c in hand where rank of c is 1",
    "no": "no c in hand where rank of c is 1",
    "every": "every c in hand satisfies rank of c is 1",
    "first": "first c in hand where rank of c is 1",
    "all": "all c in hand where rank of c is 1",
}
"""One example for each word that opens a line or a search."""


def alternatives(wanted: frozenset[str]) -> list[str]:
    """Say what can stand somewhere, the most telling first, at most five."""
    rest, said = set(wanted), []
    if rest >= {"LET", "PUT"}:
        said.append("an instruction ('put ...', 'x becomes ...')")
        rest -= STATEMENT_STARTS | VALUE_STARTS
    elif rest >= {"NUMBER", "LPAR"}:
        said.append("a value")
        rest -= VALUE_STARTS
    elif {"NAME", "MY"} <= rest:
        said.append("a zone or marker")
        rest -= {"NAME", "MY", "ME"}
    elif "NAME" in rest:
        said.append("a name")
        rest.discard("NAME")
    if {"STRING", "TEXT_HEAD"} & rest:
        said.append("a text in quotation marks")
        rest -= {"STRING", "TEXT_HEAD"}
    if "NUMBER" in rest:
        said.append("a number")
        rest.discard("NUMBER")
    said += _words(rest)
    return said[:SHOWN]


def _words(rest: set[str]) -> list[str]:
    """Say which words and signs, signs first; operators as one where a value has ended; then the end of the line."""
    operator = "PLUS" in rest
    ends = "_NL" in rest
    rest -= {"CITE", "_IN", "_OUT", "_NL", "$END"} | (OPERATORS if operator else set())
    if ends or rest - _POSTFIXES:
        rest -= _POSTFIXES
    said = [_spelled(kind) for kind in sorted(rest, key=lambda kind: (kind not in _SIGNS, kind))]
    said = list(dict.fromkeys(said))[: SHOWN - operator - ends]
    return [*said, *(["an operator"] if operator else []), *(["the end of the line"] if ends else [])]


def _spelled(kind: str) -> str:
    return quoted_word(_SIGNS.get(kind) or kind.lower())


def quoted_word(word: str) -> str:
    """Quote a word of the text, so that its own quotation marks do not disturb."""
    shown = clipped(word, WORD_SHOWN)
    return shown if word[0] == '"' else f'"{shown}"' if "'" in word else f"'{shown}'"


def listed(items: Iterable[str]) -> str:
    """Join alternatives: "a, b or c"."""
    *most, last = items
    return f"{', '.join(most)} or {last}" if most else last


def example(word: str) -> str | None:
    """Return a hint that shows how a line or search with this word is written."""
    return f"it is written like this: {SHAPES[word]}" if word in SHAPES else None


PLAY_WORDS: Final = "a play file holds scenarios; each begins like this: " + SHAPES["scenario"]
DECLARATION_WORDS: Final = "a declaration begins with " + listed(f"'{word}'" for word in DECLARATIONS)
