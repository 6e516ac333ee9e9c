"""From the parser's tree to the syntax tree, a module a chapter. Nothing behind this package sees Lark.

The tree is walked from the leaves up by a loop, not by recursion, and its depth is checked first, so that the passes
behind may recurse over what they get.
"""

from typing import Any, Final

from lark import Token, Tree

from rulelang import limits
from rulelang.ast.from_tree.declarations import declaration_makers
from rulelang.ast.from_tree.expressions import EXPRESSIONS
from rulelang.ast.from_tree.flow import FLOW
from rulelang.ast.from_tree.moves import MoveMaker
from rulelang.ast.from_tree.parts import Maker, place_of
from rulelang.ast.nodes.base import Citation
from rulelang.ast.nodes.declarations import Game, Rules
from rulelang.diagnostics.codes import TOO_DEEP
from rulelang.diagnostics.diagnostic import Findings
from rulelang.grammar.parse import parse
from rulelang.source import Place, Source

_TRANSPARENT: Final = frozenset({"expr", "argument", "arguments", "body", "move_body", "override_body"})
"""Rules that add no depth to the syntax tree."""


def parse_rules(source: Source) -> Rules:
    """Read a rules file into its syntax tree, or raise `Diagnosed`."""
    return read(parse(source), source)


def read(tree: Tree[Token], source: Source) -> Rules:
    """Make the syntax tree of a parsed file; raise `Diagnosed` for what no grammar can say."""
    findings = Findings()
    check_depth(tree, source, findings)
    findings.raise_if_any((source,))
    makers = {**EXPRESSIONS, **FLOW, **MoveMaker(findings).makers, **declaration_makers(findings)}
    game, *declarations = [made(child, makers, source.name) for child in tree.children if isinstance(child, Tree)]
    findings.raise_if_any((source,))
    assert isinstance(game, Game)
    last = declarations[-1] if declarations else game
    return Rules(game.at.until(last.at), game, tuple(declarations))


def made(tree: Tree[Token], makers: dict[str, Maker], file: str) -> Any:
    order, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting.extend(child for child in node.children if isinstance(child, Tree))
    done: dict[int, Any] = {}
    for node in reversed(order):
        parts = [done.pop(id(c)) if isinstance(c, Tree) else _leaf(c, file) for c in node.children]
        meta = node.meta
        at = Place(file, meta.line, meta.column, meta.end_line, meta.end_column)
        done[id(node)] = makers[node.data](at, parts)
    return done[id(tree)]


def _leaf(token: Token | None, file: str) -> Token | Citation | None:
    if token is not None and token.type == "CITE":
        return Citation(place_of(token, file), token.value[1:])
    return token


def check_depth(tree: Tree[Token], source: Source, findings: Findings) -> None:
    """Diagnose what is nested so deeply, by whatever means, that a pass could not recurse over it."""
    waiting = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > 3 * limits.NESTING:
            meta = node.meta
            place = Place(source.name, meta.line, meta.column, meta.end_line, meta.end_column)
            findings.report(TOO_DEEP, place, limit=limits.NESTING)
            return
        deeper = depth + (node.data not in _TRANSPARENT)
        waiting.extend((child, deeper) for child in node.children if isinstance(child, Tree))
