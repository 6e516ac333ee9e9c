"""The formatter: one way to write each program, twice the same, and never another program. Spec 2.6."""

import random
from collections import Counter
from pathlib import Path

import pytest

from rulelang.ast.compare import same_program
from rulelang.ast.from_tree import parse_rules
from rulelang.ast.nodes.declarations import Rules
from rulelang.ast.unparse import WIDTH, format_source
from rulelang.failures import Diagnosed
from rulelang.source import Source

ROOT = Path(__file__).parent.parent
SAMPLES = sorted((ROOT / "tests" / "samples").glob("*.rules"))
RULESETS = sorted((ROOT / "rulesets").rglob("*.rules"))
GAME = 'game "T":\n  players: 2\n'


def formatted(text: str) -> str:
    """Format a text, with the checks that every result must stand."""
    old = Source("t.rules", text)
    new = Source("t.rules", format_source(old))
    assert format_source(new) == new.text
    assert same_program(parse_rules(old), parse_rules(new))
    return new.text


def below_the_game(text: str) -> str:
    return formatted(GAME + text).removeprefix(GAME)


@pytest.mark.parametrize("path", [*SAMPLES, *RULESETS], ids=lambda path: path.stem)
def test_every_rules_file_keeps_its_program_and_its_comments(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("#") == formatted(text).count("#")


FORMATTED = {
    "indentation": ("rule a:\n      b\n      if c:\n       d\n", "rule a:\n  b\n  if c:\n    d\n"),
    "blanks between words": (
        "define a=[ 1,2 ,3 ]+f ( x )( y ) [ 1 ]*-2- 3 .. 4\n",
        "define a = [1, 2, 3] + f(x)(y)[1] * -2 - 3..4\n",
    ),
    "windows": (
        "rule a: b but c may in_order d or e as f because g:'h {i}'\n".replace("'", '"'),
        'rule a: b but c may in_order d or e as f because g: "h {i}"\n',
    ),
    "several at once": (
        "move a( b in bags( 3,my hand ) ): table must c\n",
        "move a(b in bags(3, my hand)): table must c\n",
    ),
    "words before a range": ("option a: off,1 .. 9=off\n", "option a: off, 1..9 = off\n"),
    "positions": ("rule a: put position( n+1 ) from b under c\n", "rule a: put position(n + 1) from b under c\n"),
    "divisions": (
        "define a = rest of best_partition(b( g )for each g in bags( 2 .. 5,c )where d( g ))\n",
        "define a = rest of best_partition(b(g) for each g in bags(2..5, c) where d(g))\n",
    ),
    "brackets behind words": ("define a = 1 if(b)otherwise not(c)\n", "define a = 1 if (b) otherwise not (c)\n"),
    "minus": ("define a = - -1 - (-2) * - x\n", "define a = --1 - (-2) * -x\n"),
    "possessives": ("define a = p 's b[ 1 ] 's c\n", "define a = p's b[1]'s c\n"),
    "soft words as names": ("define a = most (x) + least(y)\n", "define a = most(x) + least(y)\n"),
    "soft words": (
        "define a = all p in s with most(x)then least(y)\n",
        "define a = all p in s with most (x) then least (y)\n",
    ),
    "parts of rules": ("after a . b : c\n", "after a.b: c\n"),
    "texts": ('define a = " x  { b }  {c}"\n', 'define a = " x  {b}  {c}"\n'),
    "citations": ("move a @X    @Y\n", "move a  @X @Y\n"),
    "citations before comments": ("move a @X#y\n", "move a  @X  #y\n"),
    "citation on its own line": ("rule a:\n        @X\n  b\n      @Y  # z\n", "rule a:\n    @X\n  b\n    @Y  # z\n"),
    "citations within": ("define a = b @X\n  and c @Y\n", "define a = b  @X\n  and c  @Y\n"),
    "comments": (
        "rule a: # 1\n        # 2\n  b      # 3\n # 4\n  c\n  # 5\n# 6\nmove d\n",
        "rule a:  # 1\n  # 2\n  b  # 3\n  # 4\n  c\n  # 5\n# 6\nmove d\n",
    ),
    "comment of an outer block": (
        "rule a:\n    if b:\n        c\n    # out\n        # in\n    d\n",
        "rule a:\n  if b:\n    c\n  # out\n    # in\n  d\n",
    ),
    "comments at the end": ("rule a:\n    b\n    # in\n# out\n", "rule a:\n  b\n  # in\n# out\n"),
    "comments in a long line": ("define a = [1, # one\n# two\n2]\n", "define a = [1,  # one\n  # two\n  2]\n"),
    "empty lines": (
        "\n\n\nmove a\n\n\n\n# x\n\n\nmove b\nrule c:\n\n\n  d\n\n\n  e\n\n\n",
        "\nmove a\n\n# x\n\nmove b\nrule c:\n  d\n\n  e\n",
    ),
    "the author's line breaks": (
        'rule a:\n  p must b\n       because "c"\n',
        'rule a:\n  p must b\n    because "c"\n',
    ),
    "a long line that opens a block": ("rule a:\n if b\n  and c:\n   d\n", "rule a:\n  if b\n      and c:\n    d\n"),
    "a bracket closed on its own line": ("define a = [\n1,\n2\n]\n", "define a = [\n  1,\n  2\n]\n"),
    "blanks at line ends and no last line end": ("move a   \nmove b", "move a\nmove b\n"),
}


@pytest.mark.parametrize(("text", "result"), FORMATTED.values(), ids=FORMATTED)
def test_form(text: str, result: str) -> None:
    assert below_the_game(text) == result


LONG = "a_rather_long_name_of_a_condition"
WRAPPED = {
    "before and": (
        f"define x = {LONG} and {LONG} and {LONG} and {LONG}\n",
        f"define x = {LONG} and {LONG}\n  and {LONG} and {LONG}\n",
    ),
    "outside brackets": (
        f"define x = {LONG} and (yes or {LONG}) or (no or {LONG})\n",
        f"define x = {LONG} and (yes or {LONG})\n  or (no or {LONG})\n",
    ),
    "behind a comma within brackets": (
        f"define x = f({LONG}, {LONG}, {LONG})\n",
        f"define x = f({LONG}, {LONG},\n  {LONG})\n",
    ),
    "a citation that does not fit": (
        f"condition {LONG}: {LONG} is {LONG}  @A-CLAUSE\n",
        f"condition {LONG}: {LONG} is {LONG}\n  @A-CLAUSE\n",
    ),
    "not at all": (f"define x = {'x' * 120} + 1\n", f"define x = {'x' * 120} + 1\n"),
}


@pytest.mark.parametrize(("text", "result"), WRAPPED.values(), ids=WRAPPED)
def test_long_lines_are_broken(text: str, result: str) -> None:
    assert below_the_game(text) == result


def test_a_thousand_terms_become_lines_within_the_width() -> None:
    text = below_the_game(f"define x = {' or '.join(['a is 1'] * 1000)}\n")
    assert 80 < len(text.split("\n")) < 200
    assert all(len(line) <= WIDTH for line in text.split("\n"))


def test_what_cannot_be_read_is_not_formatted() -> None:
    with pytest.raises(Diagnosed):
        format_source(Source("t.rules", "game\n"))


def test_disturbed_layout_is_restored() -> None:
    """Blanks, empty lines and comments anywhere: the same program, each comment once."""
    chosen = random.Random(3)
    for path in SAMPLES:
        text = path.read_text(encoding="utf-8")
        for _ in range(20):
            lines = []
            for number, line in enumerate(text.split("\n")):
                if chosen.random() < 0.3:
                    lines.append(chosen.choice(["", "   ", f"# c{number}", f"   # d{number}", f"         # e{number}"]))
                words = line.lstrip(" ")
                lines.append(" " * (len(line) - len(words)) * 3 + words.replace(" ", " " * chosen.choice([1, 1, 2, 5])))
            disturbed = "\n".join(lines)
            assert Counter(remarks(formatted(disturbed))) == Counter(remarks(disturbed))


def remarks(text: str) -> list[str]:
    return [line[line.index("#") :].strip() for line in text.split("\n") if "#" in line]


# Comparing


def test_programs_differ_by_a_word_a_bracket_or_an_order() -> None:
    def rules(text: str) -> Rules:
        return parse_rules(Source("t.rules", GAME + text))

    one = rules("define a = b + 1\nmove c\n")
    assert same_program(one, rules("# x\ndefine a = b  +\n   1\n\nmove c\n"))
    for other in (
        "define a = b + 2\nmove c\n",
        "define a = (b + 1)\nmove c\n",
        "define a = b - 1\nmove c\n",
        "move c\ndefine a = b + 1\n",
        "define a = b + 1\n",
        "define a = b + 1\nmove c  @X\n",
        "define a:\n  b + 1 otherwise\nmove c\n",
    ):
        assert not same_program(one, rules(other)), other
