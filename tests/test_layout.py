"""Lines, blocks and citations: what layout makes of a text, and what it says of one that has none. Spec 2.5."""

from collections.abc import Callable

import pytest

from rulelang import limits
from rulelang.failures import Diagnosed
from rulelang.grammar.layout import Paragraph, lay_out
from rulelang.grammar.lexer import Lexed
from rulelang.grammar.nesting import too_deep
from rulelang.grammar.parse import lexer, parse
from rulelang.source import Source

GAME = 'game "T":\n  players: 2\n'


def laid_out(text: str) -> tuple[Lexed, list[Paragraph]]:
    source = Source("t.rules", text)
    lexed = lexer().lex(source)
    return lexed, lay_out(source, lexed)


def shown(text: str) -> str:
    """Write a layout: words as they are, `;` for the end of a line, braces round a block, one paragraph a line."""
    marks = {"_NL": ";", "_IN": "{", "_OUT": "}"}
    lexed, paragraphs = laid_out(text)
    assert not lexed.findings
    return "\n".join(" ".join(marks.get(t.type, t.value) for t in paragraph.tokens) for paragraph in paragraphs)


def faults(text: str) -> list[str]:
    """Return all mistakes of layout as `line:column code`."""
    lexed, _ = laid_out(text)
    return [f"{d.place.line}:{d.place.column} {d.code.slug}" for d in lexed.findings.diagnostics() if d.place]


LAYOUTS = {
    "one line": ("move pass", "move pass ;"),
    "two paragraphs": ("move pass\nmove go\n", "move pass ;\nmove go ;"),
    "a block": ("rule a:\n  b\n  c\n", "rule a : ; { b ; c ; }"),
    "blocks in blocks": ("rule a:\n  if b:\n    c\nmove d\n", "rule a : ; { if b : ; { c ; } }\nmove d ;"),
    "back by one block": ("rule a:\n  if b:\n    c\n  d\n", "rule a : ; { if b : ; { c ; } d ; }"),
    "any depth opens": ("rule a:\n c\nrule b:\n     d\n", "rule a : ; { c ; }\nrule b : ; { d ; }"),
    "a deeper line goes on": ("define a = b\n  and c\n  and d\n", "define a = b and c and d ;"),
    "a line goes on, then opens": ("rule a:\n  if b\n      and c:\n    d\n", "rule a : ; { if b and c : ; { d ; } }"),
    "brackets hide line ends": ("define a = [1,\n2,\n  3\n]\n", "define a = [ 1 , 2 , 3 ] ;"),
    "holes hide line ends": ('define a = "x {b\nc} y"\n', 'define a = "x { b c } y" ;'),
    "colon in a bracket opens nothing": ("rule a(b:\n  c): d\n", "rule a ( b : c ) : d ;"),
    "citation at the end": ("move a  @X-1 @Y\n", "move a @X-1 @Y ;"),
    "citation before a block": ("rule a:  @X-1\n  b  @X-2\n", "rule a : @X-1 ; { b @X-2 ; }"),
    "citation alone": ("rule a:\n    @X-1\n  b\n    @X-2\n  c\n", "rule a : @X-1 ; { b @X-2 ; c ; }"),
    "citations of a long line": ("define a = b  @X-1\n  and c  @X-2\n", "define a = b and c @X-1 @X-2 ;"),
    "citation within brackets": ("define a = [1,  @X-1\n  2]\n", "define a = [ 1 , 2 ] @X-1 ;"),
    "comments": ("# x\nrule a:  # y\n# z\n  b # é\n      # deep\n  c\n# end", "rule a : ; { b ; c ; }"),
    "comment below a colon": ("rule a:\n# x\n\n  b\n", "rule a : ; { b ; }"),
    "comment behind a citation": ("rule a:  @X # y\n  b\n", "rule a : @X ; { b ; }"),
    "blank lines": ("\n\nrule a:\n\n   \n  b\n\n\n  c\n\n", "rule a : ; { b ; c ; }"),
    "blanks at line ends": ("rule a:   \n  b  \n", "rule a : ; { b ; }"),
    "no line end at the end": ("rule a:\n  if b:\n    c", "rule a : ; { if b : ; { c ; } }"),
    "tab between words": ("define a =\tb\n", "define a = b ;"),
    "line ends of another system": ("rule a: # x\r\n\r\n  b\r\n", "rule a : ; { b ; }"),
    "only comments": ("# a\n\n  # b", ""),
    "nothing": ("", ""),
    "a declaration word within brackets": ("define a = [x,\n  zone]\n", "define a = [ x , zone ] ;"),
}


@pytest.mark.parametrize(("text", "layout"), LAYOUTS.values(), ids=LAYOUTS)
def test_layout(text: str, layout: str) -> None:
    assert shown(text) == layout


FAULTS = {
    "tab": ("rule a:\n\tb\n", ["2:1 tab-indentation"]),
    "tab behind blanks": ("rule a:\n  \tb\n", ["2:3 tab-indentation"]),
    "dedent to no block": ("rule a:\n    b\n  c\n", ["3:3 bad-dedent"]),
    "missing block": ("rule a:\nmove b\n", ["1:7 missing-block"]),
    "missing block at the end": ("rule a:", ["1:7 missing-block"]),
    "missing inner block": ("rule a:\n  if b:\n  c\n", ["2:7 missing-block"]),
    "indented start": ("  rule a:\n    b\n", ["1:3 indented-start"]),
    "unclosed bracket": ("define a = (b\n", ["1:12 unclosed-bracket"]),
    "unclosed brackets": ("define a = ([b\n", ["1:12 unclosed-bracket", "1:13 unclosed-bracket"]),
    "unclosed before a declaration": ("define a = (b\nmove c\n", ["1:12 unclosed-bracket"]),
    "unclosed hole": ('define a = "x {b\nmove c\n', ["1:12 unclosed-bracket"]),
    "unmatched bracket": ("define a = b)\n", ["1:13 unmatched-bracket"]),
    "wrong bracket": ("define a = (b]\n", ["1:14 unmatched-bracket"]),
    "crossed brackets": ("define a = (b[1)]\n", ["1:16 unmatched-bracket", "1:17 unmatched-bracket"]),
    "hole text outside": ('define a = b} c"\n', ["1:13 unmatched-bracket"]),
    "citation within a line": ("define a @X = b\n", ["1:10 citation-inside"]),
    "citation at the margin": ("move a\n@X\n", ["2:1 citation-alone"]),
    "citation not deeper": ("rule a:\n  b\n  @X\n", ["3:3 citation-alone"]),
    "citation first": ("@X\nmove a\n", ["1:1 citation-alone"]),
    "several": (
        "define a = (b\nrule c:\nrule d:\n\te\nmove f)\n",
        ["1:12 unclosed-bracket", "2:7 missing-block", "4:1 tab-indentation", "5:7 unmatched-bracket"],
    ),
}


@pytest.mark.parametrize(("text", "found"), FAULTS.values(), ids=FAULTS)
def test_faults(text: str, found: list[str]) -> None:
    assert faults(text) == found


def test_only_the_paragraph_with_the_fault_is_kept_from_the_parser() -> None:
    _, paragraphs = laid_out("move a\ndefine b = (c\nmove d\nrule e:\nmove f\nmove g ?\nmove h\n")
    assert [p.faulty for p in paragraphs] == [False, True, False, True, False, True, False]


def test_marks_stand_where_the_last_word_ended() -> None:
    _, [paragraph] = laid_out("rule a:  @X # c\n  bb\n\n\n")
    marks = [t for t in paragraph.tokens if t.type.startswith("_")]
    assert [(t.type, t.line, t.column, t.end_column) for t in marks] == [
        ("_NL", 1, 8, 8),
        ("_IN", 1, 8, 8),
        ("_NL", 2, 5, 5),
        ("_OUT", 2, 5, 5),
    ]


# How deep


CHAINS: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "(" * n + "1" + ")" * n,
    "lists": lambda n: "[" * n + "1" + "]" * n,
    "texts": lambda n: '"{' * n + "1" + '}"' * n,
    "not": lambda n: "not " * n + "a",
    "minus": lambda n: "- " * n + "1",
    "properties": lambda n: "size of " * n + "a",
    "possessives": lambda n: "a" + "'s a" * n,
    "indices": lambda n: "a" + "[1]" * n,
    "arguments": lambda n: "a" + "(1)" * n,
    "conditionals": lambda n: "a if b otherwise " * n + "c",
    "searches": lambda n: "some a in b where " * n + "c",
    "empty searches": lambda n: "no a in b where " * n + "c",
    "selections": lambda n: "first a in b where " * n + "c",
    "universal": lambda n: "every a in b satisfies " * n + "c",
}


@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS)
def test_nesting_without_end_is_refused_and_nesting_within_the_limit_is_not(chain: Callable[[int], str]) -> None:
    parse(Source("t.rules", f"{GAME}define x = {chain(limits.NESTING)}\n"))
    for depth in (limits.NESTING + 1, 3000):
        with pytest.raises(Diagnosed, match="RL2009"):
            parse(Source("t.rules", f"{GAME}define x = {chain(depth)}\n"))


def test_blocks_count_as_nesting() -> None:
    def blocks(depth: int) -> Source:
        return Source(
            "t.rules",
            GAME + "rule a:\n" + "".join(" " * n + "repeat:\n" for n in range(1, depth)) + " " * depth + "b\n",
        )

    parse(blocks(limits.NESTING))
    with pytest.raises(Diagnosed, match="RL2009"):
        parse(blocks(limits.NESTING + 1))


FLAT = {
    "sum": " + ".join(["not_deep"] * 500),
    "alternatives": " or ".join(["not a"] * 500),
    "comparisons": " and ".join(["size of a is -1"] * 500),
    "possessives": " + ".join(["p's a's b[1]"] * 500),
    "no": " or ".join(["a is no"] * 500),
    "list": "[" + ", ".join(["first a in b", "a if b otherwise c", "f(x)(y)"] * 100) + "]",
    "holes": '"' + " ".join(["{-a}"] * 100) + '"',
}


@pytest.mark.parametrize("formula", FLAT.values(), ids=FLAT)
def test_what_is_long_is_not_deep(formula: str) -> None:
    parse(Source("t.rules", f"{GAME}define x = {formula}\n"))


def test_chains_end_with_their_line() -> None:
    _, paragraphs = laid_out("rule a:\n" + "  if not b: c\n" * 100)
    assert too_deep(paragraphs[0].tokens) is None


# How long


def test_words_are_counted_and_comments_are_not() -> None:
    fits = GAME + "move a\n" * ((limits.TOKENS - 6) // 2) + "# that was all\n"
    parse(Source("t.rules", fits))
    with pytest.raises(Diagnosed) as caught:
        parse(Source("t.rules", fits + "move b\n"))
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.code.number == "RL2010"
    assert diagnostic.place and diagnostic.place.line == fits.count("\n") + 1


def test_what_cannot_be_read_counts_as_words() -> None:
    lexed, _ = laid_out("?!" * limits.TOKENS)
    assert lexed.surplus and lexed.surplus.column == limits.TOKENS + 1


def test_names_have_a_longest_length() -> None:
    parse(Source("t.rules", f"{GAME}move {'x' * limits.IDENTIFIER}\n"))
    with pytest.raises(Diagnosed, match=f"RL2011.*\n.*{limits.IDENTIFIER + 1}"):
        parse(Source("t.rules", f"{GAME}move {'x' * (limits.IDENTIFIER + 1)}\n"))


def test_numbers_have_a_largest_value() -> None:
    parse(Source("t.rules", f"{GAME}define a = {limits.INTEGER_MAX}\n"))
    for number in (str(limits.INTEGER_MAX + 1), "9" * 50_000, "0" * 50_000):
        with pytest.raises(Diagnosed, match="RL2012"):
            parse(Source("t.rules", f"{GAME}define a = {number}\n"))
