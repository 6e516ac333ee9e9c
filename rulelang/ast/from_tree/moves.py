"""What players may do, and what other rules do to a rule. Spec 8 and 14.4."""

from typing import Any

import attrs

from rulelang.ast.from_tree.flow import Block, block
from rulelang.ast.from_tree.parts import Maker, Parts, after, citations, name, nodes, words
from rulelang.ast.nodes.base import Node
from rulelang.ast.nodes.expressions import Rank
from rulelang.ast.nodes.flow import Body, Override
from rulelang.ast.nodes.moves import ChoiceOf, Maybe, Move, Prefer, Require, RequireNamed
from rulelang.diagnostics.codes import EACH_IN_REQUIREMENT, LATE_REQUIREMENT
from rulelang.diagnostics.diagnostic import Findings
from rulelang.grammar.lexer import place_of
from rulelang.source import Place


class MoveMaker:
    """Makes moves and overrides; requirements that come after effects are diagnosed."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self.makers: dict[str, Maker] = {
            "choices": lambda at, parts: nodes(parts),
            "choice_of": lambda at, parts: ChoiceOf(at, parts[0].value, parts[2]),
            "maybe": lambda at, parts: Maybe(at, parts[1].value),
            "move_body": _move_body,
            "require": _require,
            "require_named": self._require_named,
            "move": self._move,
            "rule_name": lambda at, parts: tuple(words(parts, "NAME")),
            "override_body": block,
            "override": self._override,
            "prefer": _prefer,
        }

    def _move(self, at: Place, parts: Parts) -> Move:
        done: Block = parts[-1]
        requirements, effects = self._split(done.body)
        private = any(getattr(part, "type", "") == "ME" for part in parts)
        return Move(at, name(parts), private, parts[2] or (), requirements, effects, done.citations)

    def _override(self, at: Place, parts: Parts) -> Override:
        rule = next(part for part in parts if isinstance(part, tuple))
        done: Block = parts[-1]
        requirements, effects = self._split(done.body)
        return Override(
            at,
            kind=parts[0].value,
            rule=rule[0].value,
            part=rule[1].value if len(rule) > 1 else None,
            when=after(parts, "WHEN"),
            requirements=requirements,
            body=attrs.evolve(done.body, statements=effects),
            citations=done.citations,
        )

    def _split(self, body: Body) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Part requirements from effects. A requirement is asked before anything happens, so it is written before."""
        requirements = tuple(part for part in body.statements if isinstance(part, Require | RequireNamed))
        effects = tuple(part for part in body.statements if not isinstance(part, Require | RequireNamed))
        for part in body.statements[body.statements.index(effects[0]) :] if effects else ():
            if isinstance(part, Require | RequireNamed):
                self._findings.report(LATE_REQUIREMENT, part.at, hint="move it up, above the first effect")
        return requirements, effects

    def _require_named(self, at: Place, parts: Parts) -> RequireNamed:
        arguments = next((part for part in parts if isinstance(part, tuple)), ())
        for argument in arguments:
            if type(argument).__name__ in {"Each", "ValueOfEach"}:
                self._findings.report(EACH_IN_REQUIREMENT, argument.at)
        return RequireNamed(at, name(parts), arguments, citations(parts))


def _move_body(at: Place, parts: Parts) -> Block:
    if nodes(parts):
        return block(at, parts)
    return Block(Body(at, (), inline=True), citations(parts))


def _require(at: Place, parts: Parts) -> Require:
    unless, because = after(parts, "UNLESS"), after(parts, "BECAUSE")
    return Require(at, name(parts), after(parts, "COLON"), unless, because, citations(parts))


def _prefer(at: Place, parts: Parts) -> Prefer:
    ranks = tuple(part for part in parts if isinstance(part, Rank))
    move = Node(place_of(words(parts, "NAME")[0], at.file))
    return Prefer(at, name(parts), move, ranks, after(parts, "WHEN"), citations(parts))
