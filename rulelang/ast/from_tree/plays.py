"""Play files. Spec 15.4."""

from typing import Any

from lark import Token, Tree

from rulelang import limits
from rulelang.ast.from_tree import check_depth, made
from rulelang.ast.from_tree.expressions import EXPRESSIONS
from rulelang.ast.from_tree.parts import Maker, Parts, after, citations, name, nodes, place_of, words
from rulelang.ast.nodes import plays as ast
from rulelang.ast.nodes.expressions import Constant, Expr
from rulelang.diagnostics.codes import FILE_EMPTY_OF_SCENARIOS
from rulelang.diagnostics.diagnostic import Findings
from rulelang.grammar.parse_plays import parse_plays_tree
from rulelang.source import Place, Source


def parse_plays(source: Source) -> ast.Plays:
    """Read a play file without inline rules into its syntax tree, or raise `Diagnosed`."""
    tree = parse_plays_tree(source)
    findings = Findings()
    check_depth(tree, source, findings)
    findings.raise_if_any((source,))
    paragraphs = [
        made(child, {**EXPRESSIONS, **PLAYS}, source.name) for child in tree.children if isinstance(child, Tree)
    ]
    start = Place(source.name, 1, 1, 1, 1)
    found = ast.Plays(start, tuple(paragraphs))
    if not found.scenarios:
        findings.report(FILE_EMPTY_OF_SCENARIOS, start)
        findings.raise_if_any((source,))
    return found


def _word(token: Token, at: Place) -> ast.Word:
    return ast.Word(place_of(token, at.file), str(token))


def _names(at: Place, parts: Parts) -> tuple[ast.Word, ...]:
    return tuple(_word(token, at) for token in words(parts, "NAME"))


def _title(token: Token) -> str:
    return str(token)[1:-1]


def _scenario(at: Place, parts: Parts) -> ast.Scenario:
    title, game = parts[1], parts[3]
    named = ast.Word(place_of(game, at.file), _title(game) if game.type == "STRING" else str(game))
    return ast.Scenario(at, _title(title), named, nodes(parts), citations(parts))


def _alias(at: Place, parts: Parts) -> ast.Alias:
    first, *rest = _names(at, parts)
    return ast.Alias(at, first.name, tuple(rest))


# ------------------------------------------------------------------ given


def _portion(at: Place, parts: Parts) -> ast.Portion:
    head = parts[0]
    if isinstance(head, Token) and head.type == "NUMBER":
        value = None if isinstance(parts[2], Token) else parts[2]
        return ast.Portion(at, value, min(int(head), limits.COLLECTION + 1))
    if isinstance(head, Token):
        return ast.Portion(at, None, 0 if head.type == "NOTHING" else None)
    if isinstance(head, Constant) and head.word == "empty":
        return ast.Portion(at, None, 0)
    return ast.Portion(at, head, 1)


def _lies(at: Place, parts: Parts) -> ast.Lies:
    place, *rest = nodes(parts)
    return ast.Lies(at, place, tuple(part for part in rest if part.count != 0 or part.value), citations(parts))


def _each_fact(at: Place, parts: Parts) -> ast.EachFact:
    facts = tuple(part for part in parts if isinstance(part, ast.Lies | ast.Stands))
    return ast.EachFact(at, name(parts), after(parts, "IN"), after(parts, "WHERE"), facts)


def _reach(at: Place, parts: Parts) -> ast.Reach:
    return ast.Reach(at, _names(at, parts)[0], after(parts, "WHERE"))


# ------------------------------------------------------------------ when


def _deed(at: Place, parts: Parts) -> ast.Deed:
    return ast.Deed(at, name(parts), parts[1] or ())


def _act(at: Place, parts: Parts) -> ast.Act:
    effect = next((part for part in parts if isinstance(part, ast.Effect)), None)
    deed = next(part for part in parts if isinstance(part, ast.Deed))
    return ast.Act(at, _names(at, parts)[0], deed, effect, citations(parts))


def _timed(at: Place, parts: Parts) -> ast.Timed:
    seconds, *decimals = words(parts, "NUMBER")
    act = _act(at, parts) if words(parts, "NAME") else None
    return ast.Timed(at, int(seconds), str(decimals[0]) if decimals else "", act, citations(parts))


def _outcomes(at: Place, parts: Parts) -> tuple[Expr, ...]:
    return nodes(parts)


def _refused(at: Place, parts: Parts) -> ast.RefusedBy:
    because = after(parts, "BECAUSE")
    return ast.RefusedBy(at, _names(at, parts), bool(words(parts, "FIRST")), _title(because) if because else None)


def _legal(at: Place, parts: Parts) -> ast.IsLegal | ast.RefusedBy:
    return ast.RefusedBy(at, (), False, None) if words(parts, "NOT") else ast.IsLegal(at)


# ------------------------------------------------------------------ then


def _sees(at: Place, parts: Parts) -> ast.Sees:
    return ast.Sees(at, _names(at, parts)[0], nodes(parts)[0], citations(parts))


def _never_sees(at: Place, parts: Parts) -> ast.NeverSees:
    return ast.NeverSees(at, _names(at, parts)[0], nodes(parts), citations(parts))


def _saw(at: Place, parts: Parts) -> ast.Saw:
    who, mover = _names(at, parts)
    return ast.Saw(at, who, mover, nodes(parts)[0], citations(parts))


def _to_move(at: Place, parts: Parts) -> ast.ToMove:
    return ast.ToMove(at, _names(at, parts), citations(parts))


def _over(at: Place, parts: Parts) -> ast.Over:
    return ast.Over(at, after(parts, "COMMA"), citations(parts))


def _undecided(at: Place, parts: Parts) -> ast.Undecided:
    return ast.Undecided(at, "aborted" if words(parts, "ABORTED") else "unresolved")


def _gain(at: Place, parts: Parts) -> ast.Gain:
    return ast.Gain(at, _names(at, parts)[0], parts[2])


def _only(make: Any) -> Maker:
    return lambda at, parts: make(at, nodes(parts))


PLAYS: dict[str, Maker] = {
    "reasons": _only(ast.Reasons),
    "alias": _alias,
    "scenario": _scenario,
    "given": _only(ast.Given),
    "when": _only(ast.When),
    "then": _only(ast.Then),
    "players": lambda at, parts: ast.Players(at, _names(at, parts)),
    "chosen": lambda at, parts: ast.Chosen(at, name(parts), after(parts, "EQ")),
    "lies": _lies,
    "stands": lambda at, parts: ast.Stands(at, *nodes(parts)),
    "each_fact": _each_fact,
    "reach": _reach,
    "not_begun": lambda at, parts: ast.NotBegun(at, _names(at, parts)),
    "portion": _portion,
    "act": _act,
    "timed": _timed,
    "by_chance": lambda at, parts: ast.ByChance(at, next(p for p in parts if isinstance(p, tuple)), citations(parts)),
    "all_pass": lambda at, parts: ast.AllPass(at, citations(parts)),
    "deed": _deed,
    "giving": lambda at, parts: ast.Giving(at, parts[1]),
    "outcomes": _outcomes,
    "refused": _refused,
    "legal": _legal,
    "claim": lambda at, parts: ast.Claim(at, nodes(parts)[0], citations(parts)),
    "sees": _sees,
    "never_sees": _never_sees,
    "saw": _saw,
    "to_move": _to_move,
    "over": _over,
    "goes_on": lambda at, parts: ast.GoesOn(at, citations(parts)),
    "won": lambda at, parts: ast.Won(at, _names(at, parts)),
    "gained": _only(ast.Gained),
    "gain": _gain,
    "graded": lambda at, parts: ast.Graded(at, nodes(parts)[0]),
    "undecided": _undecided,
}
"""How each rule of this chapter becomes a node."""
