"""The grammar of plays: unambiguous, its tables current; and how plays are written."""

# ruff: noqa: E501  # tables read better in whole lines

import random
import re
from pathlib import Path

import pytest
from playing import CARDS, ROOT

from rulelang.ast.unparse_plays import format_plays
from rulelang.failures import Diagnosed
from rulelang.grammar import build, tables, words
from rulelang.grammar.parse_plays import parse_plays_tree
from rulelang.scenarios.files import play_file_from_text
from rulelang.source import Source

PLAYS = sorted([*(ROOT / "rulesets").rglob("*.play"), *(ROOT / "tests" / "conformance").rglob("*.play")])


def test_the_grammar_is_unambiguous() -> None:
    built = tables.build_plays(strict=True)
    assert {rule.origin.name for rule in built.rules} >= {"plays", "scenario", "expr"}


def test_saved_tables_are_current() -> None:
    assert tables.PLAYS_TABLES.read_bytes() == build.plays_contents(), "run python -m rulelang.grammar.build"


def test_word_lists_are_those_of_the_grammar() -> None:
    own = set(re.findall(r'^[A-Z]+: "([a-z]+)"$', tables.PLAYS.read_text(encoding="utf-8"), re.MULTILINE))
    assert own == set(words.PLAY_WORDS)
    assert not own & set(words.RESERVED)


@pytest.mark.parametrize("word", words.PLAY_WORDS)
def test_words_of_plays_are_free_as_names(word: str) -> None:
    parse_plays_tree(
        Source("t.play", f'scenario "A" of b:\n  then:\n    ({word}) is x[{word}] + {word}(p\'s {word})\n')
    )


@pytest.mark.parametrize("path", PLAYS, ids=lambda path: path.stem)
def test_play_files_are_in_canonical_form(path: Path) -> None:
    source = Source("t.play", path.read_text(encoding="utf-8"))
    assert format_plays(source) == source.text


WRITTEN = {
    'scenario  "A"  of b :\n   when:\n      Ann:go( 1 ,2 )giving 3\n      Ben : go not legal\n': (
        'scenario "A" of b:\n  when:\n    Ann: go(1, 2)  giving 3\n    Ben: go  not legal\n'
    ),
    '# above\n\n\nscenario "A" of b: @X\n # within\n  then:\n\n    c  # behind\n# below\n': (
        '# above\n\nscenario "A" of b:  @X\n  # within\n  then:\n    c  # behind\n# below\n'
    ),
    'scenario "A" of b:\n  then:\n    a2-b2 is c\nrules b:\n    game "B":\n        players:2\n\n\n    overview: c # d\n': (
        'scenario "A" of b:\n  then:\n    a2 - b2 is c\n\nrules b:\n  game "B":\n    players: 2\n\n  overview: c  # d\n'
    ),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_plays_have_one_form(text: str) -> None:
    formatted = format_plays(Source("t.play", text))
    assert formatted == WRITTEN[text]
    assert format_plays(Source("t.play", formatted)) == formatted


def test_damaged_plays_are_diagnosed_and_never_crash() -> None:
    chance = random.Random(7)
    texts = [path.read_text(encoding="utf-8") for path in PLAYS[:12]]
    pieces = [
        "scenario",
        "given:",
        '"',
        "(",
        "]",
        "\n",
        "  ",
        "\t",
        "'s",
        "@",
        "of",
        "{",
        "anything",
        ":",
        "\x00",
        "é",
        "rules x:",
    ]
    for _ in range(150):
        text = chance.choice(texts)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(text))
            text = text[:at] + chance.choice(pieces) + text[at + chance.randint(0, 9) :]
        try:
            play_file_from_text("t.play", text)
        except Diagnosed as wrong:
            assert wrong.diagnostics


HOSTILE = {
    "nothing": "",
    "brackets": 'scenario "A" of cards:\n  then:\n    ' + "(" * 5_000,
    "nested": 'scenario "A" of cards:\n  then:\n    ' + "not " * 5_000 + "hurry\n",
    "words": 'scenario "A" of cards:\n  then:\n' + "    hurry\n" * 30_000,
    "one line": "scenario" * 10_000,
    "blocks": "".join(" " * n + "given:\n" for n in range(300)),
    "rules within rules": "rules a:\n" + "".join(" " * n + "rules b:\n" for n in range(1, 200)),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_diagnosed(text: str) -> None:
    with pytest.raises(Diagnosed):
        play_file_from_text("t.play", text)
    with pytest.raises(Diagnosed):
        play_file_from_text("t.play", CARDS + text + "\n)")
