"""From text to syntax tree: what each sentence means, where it stands, and what is said of one that means nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from lark import Tree

from rulelang import limits
from rulelang.ast.from_tree import parse_rules, read
from rulelang.ast.nodes.declarations import Define, Rules
from rulelang.ast.nodes.flow import Branch, EachLoop, Override, Rule
from rulelang.ast.nodes.moves import Move
from rulelang.failures import Diagnosed
from rulelang.grammar import tables
from rulelang.grammar.parse import parse
from rulelang.source import Place, Source

SAMPLES = Path(__file__).parent / "samples"
GAME = 'game "T":\n  players: 2\n'


def rules_of(text: str) -> Rules:
    return parse_rules(Source("t.rules", GAME + text))


def sample(name: str) -> Source:
    return Source(name, (SAMPLES / name).read_text(encoding="utf-8"))


def spoken(node: Any) -> str:
    """Write a syntax tree on one line: names and numbers as they are, everything else with its class and fields."""
    match node:
        case None | bool() | int():
            return str(node)
        case str():
            return repr(node)
        case tuple():
            return f"[{' '.join(spoken(each) for each in node)}]"
    fields = [
        f.name for f in attrs.fields(type(node)) if f.name not in {"at", "citations", "move_place", "move_places"}
    ]
    values = [spoken(getattr(node, name)) for name in fields]
    if type(node).__name__ in {"Name", "Number", "Constant"}:
        return values[0].strip("'")
    return f"{type(node).__name__}({' '.join(values)})" if values else type(node).__name__


# Formulas

FORMULAS = {
    "17": "17",
    "nobody": "nobody",
    "me": "Me",
    "my hand": "My('hand')",
    "p's hand": "Its(p 'hand')",
    "p's stars[round]": "At(Its(p 'stars') [round])",
    "my rune[1]'s face": "Its(At(My('rune') [1]) 'face')",
    "cells[1, 2]": "At(cells [1 2])",
    "total(p, 2)": "Apply(total [p 2])",
    "now()": "Apply(now [])",
    "sum(rank of c for each c in s where d)": "Apply(sum [ValueOfEach(Field('rank' c) Each('c' s d))])",
    "pick(each c in s)": "Apply(pick [Each('c' s None)])",
    "rank of top of deck": "Field('rank' Field('top' deck))",
    "-1": "Negative(1)",
    "- -1": "Negative(Negative(1))",
    "-x's y": "Negative(Its(x 'y'))",
    "-size of x": "Negative(Field('size' x))",
    "size of -x": "Field('size' Negative(x))",
    "a * b * c": "Product([a b c])",
    "a + b - c but d": "Sum(a [Binary('+' b) Binary('-' c) Binary('but' d)])",
    "a + b * -c": "Sum(a [Binary('+' Product([b Negative(c)]))])",
    "1 .. n - 1": "Between(1 Sum(n [Binary('-' 1)]))",
    "a is b": "Compare(a 'is' b)",
    "a is not b": "Compare(a 'is not' b)",
    "a < b": "Compare(a '<' b)",
    "a <= b": "Compare(a '<=' b)",
    "a > b": "Compare(a '>' b)",
    "a >= b": "Compare(a '>=' b)",
    "a in 1..3": "Compare(a 'in' Between(1 3))",
    "a not in b": "Compare(a 'not in' b)",
    "not a is b": "Negate(Compare(a 'is' b))",
    "not not a": "Negate(Negate(a))",
    "a and b and c": "Both([a b c])",
    "a or b and c or d": "Either([a Both([b c]) d])",
    "(a or b) and c": "Both([Bracket(Either([a b])) c])",
    "a if b otherwise c": "Conditional(a b c)",
    "a if b otherwise c if d otherwise e": "Conditional(a b Conditional(c d e))",
    "a or b if c or d otherwise e": "Conditional(Either([a b]) Either([c d]) e)",
    "a if some p in s where p otherwise c": "Conditional(a Exists(False 'p' s p) c)",
    "some p in s where p or q": "Exists(False 'p' s Either([p q]))",
    "no p in s where p": "Exists(True 'p' s p)",
    "every p in s satisfies p and q": "Every('p' s Both([p q]))",
    "a and some p in s where p and q": "Both([a Exists(False 'p' s Both([p q]))])",
    "a or b and not some p in s where p": "Either([a Both([b Negate(Exists(False 'p' s p))])])",
    "first p in s": "Select(False 'p' s None [])",
    "all p in s where q": "Select(True 'p' s q [])",
    "all p in s with most f(p)": "Select(True 'p' s None [Rank(True Apply(f [p]))])",
    "first p in s where q with most f then least g": "Select(False 'p' s q [Rank(True f) Rank(False g)])",
    "[]": "ListOf([])",
    "[1, a or b]": "ListOf([1 Either([a b])])",
    '""': "Text([])",
    '"so"': "Text(['so'])",
    '"a {b} c"': "Text(['a ' Hole(b) ' c'])",
    '"{a or b}{c}"': "Text([Hole(Either([a b])) Hole(c)])",
    '"{a if b otherwise "{c}"}!"': "Text([Hole(Conditional(a b Text([Hole(c)]))) '!'])",
    "most + least": "Sum(most [Binary('+' least)])",
    "größe": "größe",
}


@pytest.mark.parametrize("text", FORMULAS)
def test_formula(text: str) -> None:
    [define] = rules_of(f"define x = {text}\n").declarations
    assert isinstance(define, Define) and not define.by_cases
    assert spoken(define.cases[0].value) == FORMULAS[text]


# Instructions

INSTRUCTIONS = {
    "let a = b or c": "Let('a' Either([b c]))",
    "a's b[1] becomes 2": "Becomes(At(Its(a 'b') [1]) 2)",
    "my b rises by 2": "Rises(My('b') 2)",
    "b falls by c": "Falls(b c)",
    "put top(2) from a into b": "Put(Apply(top [2]) a 'into' b)",
    "put c from my hand onto heap[1]": "Put(c My('hand') 'onto' At(heap [1]))",
    "put everything from a under b": "Put(everything a 'under' b)",
    "p must draw": "Choose(p True None ['draw'] None None None None)",
    "p may draw or take": "Choose(p False None ['draw' 'take'] None None None None)",
    "players must secretly bid": "Choose(players True 'secretly' ['bid'] None None None None)",
    'a but b may in_order call until c as d because "e"': (
        "Choose(Sum(a [Binary('but' b)]) False 'in_order' ['call'] c 'd' Text(['e']) None)"
    ),
    'p must draw because too_early: "e {f}"': "Choose(p True None ['draw'] None None Text(['e ' Hole(f)]) 'too_early')",
    "put position(2) from a under b": "Put(Apply(position [2]) a 'under' b)",
    "table must deal": "Choose(table True None ['deal'] None None None None)",
    "end round": "Leave('round')",
    "end game": "Finish(None)",
    "end game, all p in s wins": "Finish(Wins(Select(True 'p' s None [])))",
    "end game, nobody wins": "Finish(Wins(nobody))",
    "end game, each p in s gets -p's b": "Finish(Gets('p' s Negative(Its(p 'b'))))",
    "end game, grade 3": "Finish(Result('grade' 3))",
    "end game, aborted": "Finish(Result('aborted' None))",
    "end game, unresolved best": "Finish(Result('unresolved' best))",
    "deal": "Call(deal)",
    "deal(2)": "Call(Apply(deal [2]))",
    "shuffle deck": "Command('shuffle' deck None None)",
    "roll die to my b": "Command('roll' die My('b') None)",
    "roll die from faces of a": "Command('roll' die None Field('faces' a))",
    "roll who from all p in s with most p's b": (
        "Command('roll' who None Select(True 'p' s None [Rank(True Its(p 'b'))]))"
    ),
    "each p in s: a": "EachLoop('p' s None None Body([Call(a)] True))",
    "each p in s from q where r: a": "EachLoop('p' s q r Body([Call(a)] True))",
    "turns of p from q: a": "Turns('p' None q Body([Call(a)] True))",
    "turns of p in s from q: a": "Turns('p' s q Body([Call(a)] True))",
    "repeat: a": "Repeat(None None Body([Call(a)] True))",
    "repeat until b: a": "Repeat(b None Body([Call(a)] True))",
    "repeat 3 times: a": "Repeat(None 3 Body([Call(a)] True))",
    "if b: a": "Branch([[b Body([Call(a)] True)]] None)",
    "if b:\n    a\n    c\n  otherwise if d: e\n  otherwise:\n    f": (
        "Branch([[b Body([Call(a) Call(c)] False)] [d Body([Call(e)] True)]] Body([Call(f)] False))"
    ),
}


@pytest.mark.parametrize("text", INSTRUCTIONS)
def test_instruction(text: str) -> None:
    [rule] = rules_of(f"rule x:\n  {text}\n").declarations
    assert isinstance(rule, Rule)
    assert spoken(rule.body) == f"Body([{INSTRUCTIONS[text]}] False)"


# Declarations

DECLARATIONS = {
    'option a: 1..3 = 2 needs b because "c"': "Option('a' [Between(1 3)] 2 b Text(['c']))",
    "option a: on, off = off": "Option('a' [on off] off None None)",
    'require a: b because "c"': "Demand('a' b Text(['c']))",
    "values A: b, c": "Values('A' [b c])",
    "record A:\n  b: C\n  d: 1..3 or none": (
        "Record('A' [Column('b' TypeExpr([C])) Column('d' TypeExpr([Between(1 3) none]))])"
    ),
    "table A from b:\n  c: text": "Table('A' 'b' [Column('c' TypeExpr([text]))] [])",
    "table A:\n  c: 1..3\n  row d: 1\n  row e: 2": (
        "Table('A' None [Column('c' TypeExpr([Between(1 3)]))] [Row('d' [1]) Row('e' [2])])"
    ),
    "board A: 3 by n": "Board('A' 3 n None)",
    "board A: 3 by n hexagons": "Board('A' 3 n 'hexagons')",
    "zone a: pile of B": "Zone('a' None TypeExpr([Field('pile' B)]) None [])",
    "zone a for each player and 1..3: bag of B showing C, top seen by owner, starts with each B times 2": (
        "Zone('a' Index([player Between(1 3)]) TypeExpr([Field('bag' B)]) TypeExpr([C]) "
        "[SeenBy('top' owner) StartsWith(B 2)])"
    ),
    "marker a for each player: 1..3 = 2, seen by owner": (
        "Marker('a' Index([player]) TypeExpr([Between(1 3)]) 2 [SeenBy('content' owner)])"
    ),
    "define a = 1": "Define('a' [] [Case(1 None)] False)",
    "define a(p: player, n: 1..3):\n  1 when p\n  2 otherwise": (
        "Define('a' [Param('p' TypeExpr([player])) Param('n' TypeExpr([Between(1 3)]))] [Case(1 p) Case(2 None)] True)"
    ),
    'condition a(p: player): b because "c"': "Condition('a' [Param('p' TypeExpr([player]))] b Text(['c']) [])",
    'condition a(p: player):\n  require b: c unless d because "e"\n  require f(p)': (
        "Condition('a' [Param('p' TypeExpr([player]))] None None [Require('b' c d Text(['e'])) RequireNamed('f' [p])])"
    ),
    "move a": "Move('a' False [] [] [])",
    "move a, seen by me: b": "Move('a' True [] [] [Call(b)])",
    "move a(b in my c, maybe d): e": "Move('a' False [ChoiceOf('b' My('c')) Maybe('d')] [] [Call(e)])",
    "move a:\n  require b\n  require c(1)\n  require d: e unless f\n  g\n  h": (
        "Move('a' False [] [RequireNamed('b' []) RequireNamed('c' [1]) Require('d' e f None)] [Call(g) Call(h)])"
    ),
    "rule a(p: player): b": "Rule('a' [Param('p' TypeExpr([player]))] Body([Call(b)] True))",
    "overview:\n  a\n  b": "Overview(Body([Call(a) Call(b)] False))",
    "instead of a.b when c: d": "Override('instead' 'a' 'b' c [] Body([Call(d)] True))",
    "before a:\n  require b: c": "Override('before' 'a' None None [Require('b' c None None)] Body([] False))",
    "after a: b": "Override('after' 'a' None None [] Body([Call(b)] True))",
    "always a: b": "Always('a' b)",
    "prefer a with most b then least c when d": "Prefer('a' [Rank(True b) Rank(False c)] d)",
    "prefer a": "Prefer('a' [] None)",
    "whenever a: b": "Whenever(a Body([Call(b)] True))",
}


@pytest.mark.parametrize("text", DECLARATIONS)
def test_declaration(text: str) -> None:
    [declaration] = rules_of(f"{text}\n").declarations
    assert spoken(declaration) == DECLARATIONS[text]


def test_game() -> None:
    game = rules_of("").game
    assert (game.title, [header.name for header in game.headers]) == ("T", ["players"])


def test_every_rule_of_the_grammar_has_an_example() -> None:
    known = {rule.alias or rule.origin.name for rule in tables.parser().rules}
    named = {str(name) for name in known if not str(name).startswith("_")} - {"declaration"}
    met = {str(tree.data) for tree in parse(sample("everything.rules")).iter_subtrees()}
    assert {name for name in named if not name.startswith("_")} == met


# Citations


def cited(node: Any) -> list[str]:
    return [citation.clause for citation in node.citations]


def test_citations_belong_to_the_line_at_whose_end_they_stand() -> None:
    rule, move, inline, override = rules_of(
        "rule a:  @A\n  each p in s:  @B\n    b  @C\n  c: d  @D\n".replace("c: d", "if c: d")
        + "  if e:  @E\n    f\n  otherwise:  @F\n    g  @G @H\n"
        + "move b:  @I\n  require c: d  @J\n  e  @K\n"
        + "move c: d  @L\n"
        + "after a: b\n    @M\n"
    ).declarations
    assert isinstance(rule, Rule) and isinstance(move, Move) and isinstance(override, Override)
    loop, short, branch = rule.body.statements
    assert isinstance(loop, EachLoop) and isinstance(short, Branch) and isinstance(branch, Branch)
    assert branch.otherwise
    nodes = [rule, loop, loop.body.statements[0], short, branch, branch.otherwise.statements[0]]
    assert [cited(node) for node in nodes] == [["A"], ["B"], ["C"], ["D"], ["E", "F"], ["G", "H"]]
    nodes = [move, move.requirements[0], move.effects[0], inline, override]
    assert [cited(node) for node in nodes] == [["I"], ["J"], ["K"], ["L"], ["M"]]


# Places


def nodes_of(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for each in value:
            yield from nodes_of(each)
    elif attrs.has(type(value)) and not isinstance(value, Place):
        yield value
        for field in attrs.fields(type(value)):
            yield from nodes_of(getattr(value, field.name))


def test_every_node_lies_within_the_text_and_around_its_parts() -> None:
    source = sample("everything.rules")
    rules = parse_rules(source)
    for node in nodes_of(rules):
        at = node.at
        assert at.file == "everything.rules"
        assert (at.line, at.column) < (at.end_line, at.end_column)
        assert at.end_column <= len(source.line(at.end_line)) + 1
        parts = [part for field in attrs.fields(type(node)) for part in nodes_of(getattr(node, field.name))]
        for part in parts:
            if type(part).__name__ != "Citation":
                assert (at.line, at.column) <= (part.at.line, part.at.column)
                assert (at.end_line, at.end_column) >= (part.at.end_line, part.at.end_column)


def test_a_node_stands_where_it_was_written() -> None:
    text = "rule a:\n  put top from p's hand\n    into heap  @A\n  b\n"
    [rule] = rules_of(text).declarations
    assert isinstance(rule, Rule)
    put, _ = rule.body.statements
    assert put.at == Place("t.rules", 4, 3, 5, 14)
    assert put.source.at == Place("t.rules", 4, 16, 4, 24)  # type: ignore[union-attr]
    assert rule.at == Place("t.rules", 3, 1, 6, 4)


# Depth


def test_what_is_too_deep_for_later_passes_is_refused_even_if_no_single_chain_is() -> None:
    deep = "(a or b and not c < -d + e * " * 31 + "1" + ")" * 31
    with pytest.raises(Diagnosed, match="RL2009"):
        rules_of(f"define x = {deep}\n")
    rules_of(f"define x = {'(1 + ' * limits.NESTING}1{')' * limits.NESTING}\n")


def test_a_long_sum_is_read_without_recursion() -> None:
    [define] = rules_of(f"define x = {' + '.join('1' * 9000)}\n").declarations
    assert isinstance(define, Define)
    assert len(define.cases[0].value.rest) == 8999  # type: ignore[union-attr]


def test_reading_takes_any_tree_of_the_grammar() -> None:
    source = sample("leduc_poker.rules")
    tree = parse(source)
    assert all(isinstance(child, Tree) for child in tree.children)
    assert len(read(tree, source).declarations) == 12
