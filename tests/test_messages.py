"""What authors are told: the words of every typical mistake, all mistakes of a file at once, and never a crash."""

import random
import re
from pathlib import Path

import pytest

from rulelang import limits
from rulelang.ast.from_tree import parse_rules
from rulelang.failures import Diagnosed
from rulelang.grammar.parse import parse
from rulelang.source import Source

SAMPLES = Path(__file__).parent / "samples"
GAME = 'game "T":\n  players: 2\n'


def sample(name: str) -> str:
    return (SAMPLES / name).read_text(encoding="utf-8")


def mistakes() -> dict[str, str]:
    """Read the table: texts, and what is said of each."""
    table = re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), sample("mistakes.txt"))
    told = {}
    for entry in table.strip("\n").split("\n\n")[1:]:
        lines = entry.split("\n")
        said = next(number for number, line in enumerate(lines) if re.match(r" +\d+:\d+ ", line))
        told["\n".join(lines[:said])] = "\n".join(line.strip() for line in lines[said:])
    return told


def said_of(text: str, lines_before: int = 0) -> str:
    with pytest.raises(Diagnosed) as caught:
        parse_rules(Source("t.rules", text))
    said = []
    for diagnostic in caught.value.diagnostics:
        assert diagnostic.place
        said.append(f"{diagnostic.place.line - lines_before}:{diagnostic.place.column} {diagnostic.message}")
        if diagnostic.hint:
            said.append(f"-> {diagnostic.hint}")
    return "\n".join(said)


@pytest.mark.parametrize("text", mistakes())
def test_mistake(text: str) -> None:
    assert said_of(f"{GAME}{text}\n", GAME.count("\n")) == mistakes()[text]


def test_a_file_begins_with_its_game() -> None:
    missing = "A file begins with its game: the word 'game', a title and a colon."
    for text in ("", "\n# nothing\n"):
        assert said_of(text) == f"1:1 {missing}"
    assert said_of("move a\n") == f"1:1 {missing}"
    assert said_of("game:\n  players: 2\n").startswith("1:5 ':' is not expected here; after 'game' comes a text")


def test_all_independent_mistakes_are_told_at_once() -> None:
    text = GAME + "zone a pile of A\nmove b\nmove c?\nrule d:\n  e = 1\nmove f\ndefine g = (1\nmove h:\n\ti\nmove if\n"
    codes = ["RL2020", "RL2008", "RL2033", "RL2005", "RL2001", "RL2022"]
    with pytest.raises(Diagnosed) as caught:
        parse(Source("t.rules", text))
    assert [diagnostic.code.number for diagnostic in caught.value.diagnostics] == codes


def test_more_mistakes_than_are_shown_are_counted() -> None:
    with pytest.raises(Diagnosed) as caught:
        parse(Source("t.rules", GAME + "zone\n" * (limits.DIAGNOSTICS + 5)))
    assert len(caught.value.diagnostics) == limits.DIAGNOSTICS + 1
    assert caught.value.diagnostics[-1].message == "5 more are not shown."


def test_no_message_names_what_authors_do_not_know() -> None:
    words = sample("everything.rules").split()
    lines = sample("everything.rules").split("\n")
    chosen = random.Random(1)
    told = 0
    for number in range(0, len(lines), 2):
        broken = lines[number].split(" ")
        broken.insert(chosen.randrange(len(broken) + 1), chosen.choice(words))
        try:
            parse_rules(Source("t.rules", "\n".join([*lines[:number], " ".join(broken), *lines[number + 1 :]])))
        except Diagnosed as failure:
            for diagnostic in failure.diagnostics:
                told += 1
                said = f"{diagnostic.message} {diagnostic.hint}"
                assert not re.search(r"_NL|_IN\b|_OUT|\$END|\b[A-Z]{3,}\b|Token|Tree|__ANON", said.replace("NAME", ""))
    assert told > 20


def test_damaged_texts_get_an_answer() -> None:
    texts = [sample("everything.rules"), sample("leduc_poker.rules")]
    pieces = [
        *"()[]{}\":,'@#\t\n.-=",
        "\n  ",
        "\n      ",
        " not",
        " of ",
        "'s ",
        "  @A-1",
        "“",
        "\u202e",
        "é",
        "\r",
        *["  # x", "\n\n", " ", "\n"] * 5,
    ]
    chosen = random.Random(7)
    answers = {True: 0, False: 0}
    for _ in range(300):
        text = chosen.choice(texts)
        for _ in range(chosen.randint(1, 3)):
            start = chosen.randrange(len(text))
            text = text[:start] + chosen.choice([*pieces, ""]) + text[start + chosen.choice([0, 0, 0, 1, 5, 40]) :]
        try:
            parse_rules(Source("t.rules", text))
            answers[True] += 1
        except Diagnosed as failure:
            assert failure.diagnostics and str(failure)
            answers[False] += 1
    assert min(answers.values()) > 10
