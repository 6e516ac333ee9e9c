"""From the place where the grammar could not go on to a message that an author understands.

First come the mistakes that we know, each a small function that recognises one and answers with its diagnostic: a word
of another language, a missing colon, a reserved word as a name. What none of them knows is told in general: what is not
expected, what comes instead, and an example of the line.
"""

from collections.abc import Callable
from typing import Final

import attrs
from lark import Token

from rulelang.diagnostics.codes import (
    CAPITAL_WORD,
    EQUALS_SIGN,
    FOREIGN_WORD,
    MISSING_COLON,
    OTHERWISE_ALONE,
    RESERVED_WORD,
    UNEXPECTED_INDENT,
    UNEXPECTED_WORD,
    UNFINISHED_LINE,
    UNKNOWN_DECLARATION,
)
from rulelang.diagnostics.diagnostic import WORD_SHOWN, Diagnostic, clipped, diagnose, did_you_mean
from rulelang.grammar.lexer import place_of
from rulelang.grammar.wording import (
    DECLARATION_WORDS,
    PLAY_WORDS,
    RELATIONS,
    alternatives,
    example,
    listed,
    quoted_word,
)
from rulelang.grammar.words import DECLARATIONS, INSTRUCTIONS, RESERVED, SOFT, VERBS
from rulelang.source import Place

MARKS: Final = frozenset({"_NL", "_IN", "_OUT", "$END"})
"""What layout adds to the words of the author."""

FOREIGN: Final = {
    "else": "write 'otherwise'",
    "elif": "write 'otherwise if'",
    "elsif": "write 'otherwise if'",
    "elseif": "write 'otherwise if'",
    "while": "write 'repeat until', with the condition turned round",
    "for": "write 'each p in players:'",
    "foreach": "write 'each p in players:'",
    "def": "write 'define' for a value and 'rule' for a piece of play",
    "function": "write 'define' for a value and 'rule' for a piece of play",
    "return": "a definition has its value behind '='; a rule is left with 'end' and its name",
    "break": "write 'end' and the name of the rule to leave",
    "set": "write 'x becomes 3'",
    "true": "write 'yes'",
    "false": "write 'no'",
    "null": "write 'none'",
    "equals": "write 'is'",
}
"""Words that authors bring from elsewhere, and what to write."""


@attrs.frozen
class Trouble:
    """Where the grammar could not go on."""

    file: str
    tokens: list[Token]
    position: int
    wanted: frozenset[str]
    """What could have stood there."""
    fits: Callable[[str, str | None], bool]
    """Whether one word, then another, could have stood there."""
    declarations: tuple[str, ...] = DECLARATIONS
    """The words that can open a paragraph."""

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    @property
    def before(self) -> Token | None:
        return self.tokens[self.position - 1] if self.position else None

    @property
    def following(self) -> Token | None:
        return self.tokens[self.position + 1] if self.position + 1 < len(self.tokens) else None

    @property
    def line(self) -> list[Token]:
        """The words of the logical line up to here."""
        start = self.position
        while start and self.tokens[start - 1].type not in MARKS:
            start -= 1
        return self.tokens[start : self.position]

    @property
    def place(self) -> Place:
        place = place_of(self.token, self.file)
        if self.token.type in MARKS:  # they have no width; point behind the last word
            return attrs.evolve(place, end_column=place.column + 1)
        return place


def explain(trouble: Trouble) -> Diagnostic:
    """Say what is wrong."""
    for recognise in _KNOWN:
        known = recognise(trouble)
        if known:
            return known
    return _in_general(trouble)


def _in_general(trouble: Trouble) -> Diagnostic:
    expected = _expected(trouble)
    hint = _name_hint(trouble) or _shape(trouble)
    if trouble.token.type in MARKS:
        return diagnose(UNFINISHED_LINE, trouble.place, hint=hint, expected=expected)
    return diagnose(UNEXPECTED_WORD, trouble.place, hint=hint, word=_clipped(trouble.token), expected=expected)


def _clipped(token: Token) -> str:
    return clipped(token.value, WORD_SHOWN)


def _expected(trouble: Trouble) -> str:
    what = alternatives(trouble.wanted)
    if not what:
        return "nothing more can stand here"
    line = trouble.line
    if not line:
        return f"here {'can stand' if len(what) > 1 else 'stands'} {listed(what)}"
    behind = quoted_word(line[-1].value)
    return f"after {behind} {'can come' if len(what) > 1 else 'comes'} {listed(what)}"


def _shape(trouble: Trouble) -> str | None:
    """Show how a line that begins like this one is written, unless the mistake lies within a formula."""
    line = trouble.line
    formula = "NUMBER" in trouble.wanted or any(word.type in {"EQ", "LPAR", "LBRACKET", "SOME"} for word in line)
    if not line or formula:
        return None
    if line[0].value == "end" and "each" in [word.value for word in line]:
        return "it is written like this: end game, each p in players gets p's score"
    return example(line[0].value)


def _name_hint(trouble: Trouble) -> str | None:
    token, before = trouble.token, trouble.before
    if before is not None and before.value == ":" and token.value in ("if", "each", "turns", "repeat"):
        return f"'{token.value}' opens a block of its own: write it on the next line, deeper than this one"
    if token.value in RESERVED and "NAME" in trouble.wanted and token.type not in {"AND", "OR", "IS"}:
        return f"'{token.value}' is a word of the language and cannot be a name"
    if before is not None and before.type in {"SOME", "FIRST", "ALL", "EVERY"} and trouble.wanted == {"NAME"}:
        shape = example(before.value)
        return f"'{before.value}' is a word of the language and cannot be a name; {shape}"
    return None


# ---- mistakes that we know -------------------------------------------------------------------------------------------


def _unknown_declaration(trouble: Trouble) -> Diagnostic | None:
    if trouble.position:
        return None
    word = trouble.token.value
    known = trouble.declarations
    if word.lower() in known and word not in known:
        return diagnose(CAPITAL_WORD, trouble.place, word=word, hint=f"write '{word.lower()}'")
    following = trouble.following
    if word in (*INSTRUCTIONS, *VERBS) or (following is not None and following.type in {"BECOMES", "RISES", "FALLS"}):
        hint: str | None = "instructions stand in a block, deeper than the line that opens it"
    else:
        hint = did_you_mean(word, known)
    words = DECLARATION_WORDS if known is DECLARATIONS else PLAY_WORDS
    return diagnose(UNKNOWN_DECLARATION, trouble.place, word=word, hint=hint or words)


def _suspects(trouble: Trouble) -> tuple[Token, ...]:
    """Return the words that may have been meant otherwise: here, before, and at the beginning if that is near."""
    line = trouble.line
    return (trouble.token, *line[-1:], *(line[:1] if len(line) <= 2 else ()))


def _foreign_word(trouble: Trouble) -> Diagnostic | None:
    """A word of another language is taken for a name, so that the mistake shows one or two words later."""
    line = trouble.line
    for word in _suspects(trouble):
        if word.value.lower() in FOREIGN and (word.type == "NAME" or not line):
            hint = FOREIGN[word.value.lower()]
            return diagnose(FOREIGN_WORD, place_of(word, trouble.file), word=word.value, hint=hint)
    return None


def _capital_word(trouble: Trouble) -> Diagnostic | None:
    for word in _suspects(trouble):
        small = word.value.lower()
        if word.type == "NAME" and small != word.value and small in (*RESERVED, *SOFT):
            return diagnose(CAPITAL_WORD, place_of(word, trouble.file), word=word.value, hint=f"write '{small}'")
    return None


def _equals_sign(trouble: Trouble) -> Diagnostic | None:
    if trouble.token.type != "EQ":
        return None
    following = trouble.following
    double = following is not None and following.type == "EQ" and following.start_pos == trouble.token.end_pos
    place = trouble.place.until(place_of(following, trouble.file)) if double and following else trouble.place
    word = "==" if double else "="
    before = trouble.before
    if before is not None and before.type in {"PLUS", "MINUS"} and before.end_pos == trouble.token.start_pos:
        hint = f"write 'x {'rises' if before.type == 'PLUS' else 'falls'} by 3'"
        return diagnose(EQUALS_SIGN, place_of(before, trouble.file).until(place), word=f"{before.value}=", hint=hint)
    if "BECOMES" in trouble.wanted and not double:
        return diagnose(EQUALS_SIGN, place, word=word, hint="a marker is changed with 'becomes': x becomes 3")
    if "IS" in trouble.wanted:
        return diagnose(EQUALS_SIGN, place, word=word, hint="write 'is' to compare: x is 3")
    return None


def _missing_colon(trouble: Trouble) -> Diagnostic | None:
    """A line that opens a block lacks its colon: seen at the deeper line below, or at a statement on the same line."""
    line, token = trouble.line, trouble.token
    if "COLON" not in trouble.wanted or not line or line[0].value not in _OPENING_A_BLOCK:
        return None
    last = line[-1]
    if token.type == "_NL" or token.line != last.line or trouble.fits("COLON", token.type):
        end = place_of(last, trouble.file)
        place = attrs.evolve(end, line=end.end_line, column=end.end_column, end_column=end.end_column + 1)
        return diagnose(MISSING_COLON, place, word=last.value, hint=_shape(trouble))
    return None


_OPENING_A_BLOCK: Final = frozenset(
    {
        *("game", "library", "record", "table", "condition", "move", "rule", "overview"),
        *("instead", "before", "after", "whenever"),
        *("each", "turns", "repeat", "if", "otherwise"),
        *("scenario", "reasons", "given", "when", "then"),
    }
)


def _deeper_line(trouble: Trouble) -> Diagnostic | None:
    """A deeper line goes on with the one above; where that one was finished, the author meant a new line."""
    line, token = trouble.line, trouble.token
    if line and "_NL" in trouble.wanted and token.type not in MARKS and token.line != line[-1].line:
        hint = "write it as deep as the line above, or end that line with ':'"
        return diagnose(UNEXPECTED_INDENT, trouble.place, hint=hint)
    return None


def _reserved_name(trouble: Trouble) -> Diagnostic | None:
    """A reserved word where a name would fit, and what follows would fit behind the name."""
    token, following = trouble.token, trouble.following
    if token.value not in RESERVED or "NAME" not in trouble.wanted or "NUMBER" in trouble.wanted:
        return None
    if following is None or not trouble.fits("NAME", following.type):
        return None
    hint = f"choose another name, such as {token.value}_1"
    if trouble.line and trouble.line[-1].value == "end" and token.value in {"turns", "repeat", "each"}:
        hint = "'end' leaves a rule by its name: make a rule of this loop, and end that"
    return diagnose(RESERVED_WORD, trouble.place, word=token.value, hint=hint)


def _otherwise_alone(trouble: Trouble) -> Diagnostic | None:
    if trouble.token.type != "OTHERWISE" or trouble.line:
        return None
    return diagnose(OTHERWISE_ALONE, trouble.place, hint="it stands as deep as its 'if', directly below that block")


def _second_relation(trouble: Trouble) -> Diagnostic | None:
    if trouble.token.type not in RELATIONS or trouble.wanted & RELATIONS or "AND" not in trouble.wanted:
        return None
    hint = "compare two values at a time: a < b and b < c"
    expected = "two values are compared already"
    return diagnose(UNEXPECTED_WORD, trouble.place, hint=hint, word=trouble.token.value, expected=expected)


def _requirement_without_name(trouble: Trouble) -> Diagnostic | None:
    line = trouble.line
    gathered = not line and trouble.wanted - MARKS == {"REQUIRE"}  # something else in a block of requirements
    begun = bool(line) and line[0].type == "REQUIRE" and len(line) <= 2
    if not (gathered or begun) or trouble.token.type in MARKS:
        return None
    hint = 'a requirement has a name and a condition: require free: heap is empty because "it is not empty"'
    return diagnose(
        UNEXPECTED_WORD, trouble.place, hint=hint, word=_clipped(trouble.token), expected=_expected(trouble)
    )


def _declaration_inside(trouble: Trouble) -> Diagnostic | None:
    line = trouble.line
    if not line or len(line) == trouble.position or line[0].type != "NAME" or line[0].value not in DECLARATIONS:
        return None
    place, expected = place_of(line[0], trouble.file), "a declaration begins at the margin"
    return diagnose(UNEXPECTED_WORD, place, word=line[0].value, expected=expected)


def _seen_by_all(trouble: Trouble) -> Diagnostic | None:
    if [word.value for word in (*trouble.line[-2:], trouble.token)] != ["seen", "by", "all"]:
        return None
    return diagnose(UNEXPECTED_WORD, trouble.place, hint="write 'everyone'", word="all", expected=_expected(trouble))


def _seen_in_a_move(trouble: Trouble) -> Diagnostic | None:
    """What the head of a move can say of who sees it: ``, seen by me``, and nothing else."""
    head = [word.value for word in trouble.line]
    near = [*head[2:], trouble.token.value][-3:]
    if head[:1] != ["move"] or ":" in head or not ("SEEN" in trouble.wanted or "seen" in near):
        return None
    hint = "only ', seen by me' can stand there; then nobody but the mover observes the move"
    return diagnose(
        UNEXPECTED_WORD, trouble.place, hint=hint, word=_clipped(trouble.token), expected=_expected(trouble)
    )


def _gets_alone(trouble: Trouble) -> Diagnostic | None:
    """``end game, seat(1) gets 3``: amounts are given out by ``each``. Behind a name it shows one word later."""
    line = (*trouble.line, trouble.token)
    gets = next((word for word in line[-2:] if word.value == "gets"), None)
    if gets is None or [word.value for word in line[:2]] != ["end", "game"] or "each" in [word.value for word in line]:
        return None
    hint = "write 'end game, each p in players gets ...'; whoever is not in the list gets 0"
    expected = "amounts are given to each of a list of players"
    return diagnose(UNEXPECTED_WORD, place_of(gets, trouble.file), hint=hint, word="gets", expected=expected)


def _most_of_nobody(trouble: Trouble) -> Diagnostic | None:
    """``p with most p's points``: nobody says of whom ``p`` is the one."""
    before, following = trouble.before, trouble.following
    if trouble.token.value != "with" or before is None or before.type != "NAME":
        return None
    if following is None or following.value not in {"most", "least"}:
        return None
    most = f"with {following.value} q's points"
    hint = f"write 'first q in players {most}', or 'all q in players {most}' for those who tie"
    return diagnose(UNEXPECTED_WORD, trouble.place, hint=hint, word="with", expected=_expected(trouble))


def _second_effect(trouble: Trouble) -> Diagnostic | None:
    """``a becomes 0, b becomes yes``"""
    line, token = trouble.line, trouble.token
    colon = max((place for place, word in enumerate(line) if word.type == "COLON"), default=-1)
    effect = [word.type for word in line[colon + 1 :]]
    if not {"BECOMES", "RISES", "FALLS"} & set(effect) or effect.count("LPAR") != effect.count("RPAR"):
        return None
    if token.type not in {"COMMA", "BECOMES", "RISES", "FALLS"}:
        return None
    opened = (
        f"write both below '{line[0].value} ...:', each on a line of its own" if colon >= 0 else "begin another line"
    )
    expected = _expected(trouble)
    hint = f"one effect a line: {opened}"
    return diagnose(UNEXPECTED_WORD, trouble.place, hint=hint, word=_clipped(token), expected=expected)


def _rolled_value(trouble: Trouble) -> Diagnostic | None:
    """``shown becomes roll 1..6``: a roll is no value, it changes a marker itself."""
    line = trouble.line
    if [word.value for word in line[1:]] != ["becomes", "roll"] or trouble.token.type in MARKS:
        return None
    hint = f"a marker is rolled on a line of its own: roll {line[0].value} from ..."
    return diagnose(
        UNEXPECTED_WORD, place_of(line[2], trouble.file), hint=hint, word="roll", expected="a value is needed"
    )


def _dot(trouble: Trouble) -> Diagnostic | None:
    if trouble.token.type != "DOT" or "POSSESSIVE" not in trouble.wanted:
        return None
    hint = "a property is written 'rank of card', what belongs to a player \"p's hand\""
    return diagnose(UNEXPECTED_WORD, trouble.place, hint=hint, word=".", expected=_expected(trouble))


_KNOWN: Final = (
    _unknown_declaration,
    _reserved_name,
    _foreign_word,
    _capital_word,
    _equals_sign,
    _otherwise_alone,
    _seen_in_a_move,
    _missing_colon,
    _deeper_line,
    _second_relation,
    _requirement_without_name,
    _declaration_inside,
    _seen_by_all,
    _gets_alone,
    _most_of_nobody,
    _second_effect,
    _rolled_value,
    _dot,
)
