"""The grammar itself: unambiguous, its saved tables current, its terminals fast, its word lists complete. Spec 3."""

import pickle
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from lark import Lark
from lark.lexer import PatternStr, TerminalDef
from pace import in_time

from rulelang.failures import Diagnosed
from rulelang.grammar import build, tables, words
from rulelang.grammar.lexer import WORD
from rulelang.grammar.parse import lexer, parse
from rulelang.source import Source

SAMPLES = Path(__file__).parent / "samples"
GAME = 'game "T":\n  players: 2\n'


@pytest.fixture(scope="module")
def strict() -> Lark:
    """The grammar built with every check that Lark has."""
    return tables.build(strict=True)


# The tables


def test_the_grammar_is_unambiguous(strict: Lark) -> None:
    assert {rule.origin.name for rule in strict.rules} >= {"rules", "game", "define", "move", "rule", "overview"}


def test_saved_tables_are_current() -> None:
    assert tables.TABLES.read_bytes() == build.contents(), "run python -m rulelang.grammar.build"


def test_tables_are_the_same_bytes_under_any_hash_seed() -> None:
    code = "import sys; from rulelang.grammar import build; sys.stdout.buffer.write(build.contents())"
    run = subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": "7"}, capture_output=True, check=True)
    assert run.stdout == build.contents()


def test_tables_of_another_grammar_or_lark_are_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "rules.tables"
    old.write_bytes(b"rulelang tables for grammar 0 and lark 0\n" + pickle.dumps("not a parser"))
    monkeypatch.setattr(tables, "TABLES", old)
    assert [t.name for t in tables.parser.__wrapped__().terminals] == [t.name for t in tables.parser().terminals]
    old.unlink()
    assert tables.parser.__wrapped__().terminals


def test_built_and_saved_tables_make_the_same_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source("t.rules", (SAMPLES / "everything.rules").read_text(encoding="utf-8"))
    saved, built = parse(source), tables.build()
    monkeypatch.setattr("rulelang.grammar.parse.parser", lambda: built)
    assert parse(source) == saved


# The words


def keywords() -> dict[str, str]:
    """The words of the grammar, by the word, in the order of the grammar's text."""
    return {word: name for name, word in re.findall(r'^([A-Z]+): "([a-z]+)"$', tables.grammar_text(), re.MULTILINE)}


def test_word_lists_are_those_of_the_grammar() -> None:
    listed = list(keywords())
    border = listed.index("least") + 1
    assert tuple(listed[border:]) == words.RESERVED
    assert set(listed[:border]) == set(words.SOFT)
    assert tuple(w for w in listed if w in words.DECLARATIONS and w != "require") == tuple(
        w for w in words.DECLARATIONS if w != "require"
    )


def test_words_of_positions_are_free_as_names() -> None:
    for word in (*words.VERBS, *words.MANNERS, *words.RESULTS, *words.PARTS, *words.SELECTORS):
        assert word not in words.RESERVED
        parse(Source("t.rules", f"{GAME}define {word} = 1\n"))


NAME_POSITIONS = {
    "define": "define {}(a: player) = 1\n",
    "zone": "zone {}: pile of Card\n",
    "marker": "marker {}: 1..3\n",
    "option": "option {}: 1..3 = 1\n",
    "values": "values {}: a, b\n",
    "record": "record Card:\n  {}: 1..3\n",
    "move": "move {}(a in b):\n  c\n",
    "parameter": "move a({} in b):\n  c\n",
    "rule": "rule {}:\n  a\n",
    "let": "rule a:\n  let {} = 1\n",
    "loop": "rule a:\n  each {} in b: c\n",
}


@pytest.mark.parametrize("word", words.RESERVED)
def test_a_reserved_word_is_refused_as_a_name(word: str) -> None:
    for position in NAME_POSITIONS.values():
        with pytest.raises(Diagnosed) as caught:
            parse(Source("t.rules", GAME + position.format(word)))
        [diagnostic] = caught.value.diagnostics
        assert diagnostic.code.slug == "reserved-word"
        assert diagnostic.message == f"'{word}' is a word of the language and cannot be a name."
        assert diagnostic.hint == f"choose another name, such as {word}_1"


@pytest.mark.parametrize("word", words.SOFT)
def test_a_soft_word_is_free_as_a_name(word: str) -> None:
    parse(
        Source("t.rules", f"{GAME}zone {word}: pile of Card\nrule a:\n  {word} becomes {word} + {word}(p's {word})\n")
    )


@pytest.mark.parametrize("word", words.RESERVED)
def test_a_longer_word_that_begins_like_a_reserved_one_is_a_name(word: str) -> None:
    for name in (f"{word}_1", f"{word}s", f"{word}é", word.capitalize()):
        parse(Source("t.rules", f"{GAME}define {name} = a or {name} is 1\n"))


# The terminals


def terminals() -> list[TerminalDef]:
    return sorted(tables.parser().terminals, key=lambda terminal: terminal.name)


BAD = {
    "letters": "a" * 100_000,
    "quotes": '"' * 100_000,
    "open holes": '"{' * 50_000,
    "closing braces": "}" * 100_000,
    "closed holes": '}{"' * 33_333,
    "digits": "7" * 100_000,
    "citations": "@a-" * 33_333,
    "dashes": "@" + "a-" * 50_000,
    "underscores": "a_" * 50_000,
    "blanks": " " * 100_000,
    "one long text": '"' + "x" * 100_000,
    "line ends": "\n" * 100_000,
    "hashes": "#" * 100_000,
    "reserved words": "otherwise" * 11_111,
}


def matched(pattern: "re.Pattern[str]", text: str) -> None:
    """Hold a text against a pattern, in all ways that can be slow."""
    for ending in ("", "\x00"):
        pattern.fullmatch(text + ending)
        pattern.match(text + ending)


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_every_terminal_is_fast_on_bad_text(text: str) -> None:
    for terminal in terminals():
        in_time(partial(matched, re.compile(terminal.pattern.to_regexp()), text), 0.1, terminal.name)


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_the_lexer_is_fast_on_bad_text(text: str) -> None:
    in_time(lambda: lexer().lex(Source("t.rules", text)), 1)


def test_the_lexer_reads_the_terminals_of_the_grammar() -> None:
    patterns = {t.name: t.pattern for t in terminals()}
    assert patterns["NAME"].value == f"(?!(?:{'|'.join(words.RESERVED)})(?![A-Za-z0-9_])){WORD}"
    samples = ["x", "7", '"a"', '"a{', "} b {", '} b"', "@A-1", *keywords()]
    samples += [p.value for p in patterns.values() if isinstance(p, PatternStr) and p.value != "'s"]
    for sample in samples:
        [token] = lexer().lex(Source("t.rules", sample)).tokens
        kinds = {name for name, p in patterns.items() if re.fullmatch(p.to_regexp(), sample)}
        assert token.type in kinds, sample


def test_a_possessive_ends_its_word() -> None:
    assert [t.type for t in lexer().lex(Source("t.rules", "p's a")).tokens] == ["NAME", "POSSESSIVE", "NAME"]
    assert lexer().lex(Source("t.rules", "p'sa")).findings
