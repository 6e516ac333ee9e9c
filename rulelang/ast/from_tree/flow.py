"""How the game runs. Spec 9, 10 and 13."""

from typing import Any

import attrs

from rulelang.ast.from_tree.parts import Maker, Parts, after, citations, name, nodes, place_of, words
from rulelang.ast.nodes.base import Citation, Node
from rulelang.ast.nodes.expressions import Text
from rulelang.ast.nodes.flow import (
    Always,
    Becomes,
    Body,
    Branch,
    Call,
    Choose,
    Command,
    EachLoop,
    Falls,
    Finish,
    Gets,
    Leave,
    Let,
    Overview,
    Put,
    Repeat,
    Result,
    Rises,
    Rule,
    Turns,
    Whenever,
    Wins,
)
from rulelang.source import Place


@attrs.frozen
class Reason:
    """What a refusal at a choice is called."""

    name: str


@attrs.frozen
class Block:
    """What stands behind a colon, and the citations of the line that the colon ends."""

    body: Body
    citations: tuple[Citation, ...]


def block(at: Place, parts: Parts) -> Block:
    """Give each citation to the line at whose end it stands. One statement behind the colon shares the colon's line."""
    colon, *rest = parts
    first = nodes(rest)[0]
    if first.at.line == colon.line:
        return Block(Body(at, (first,), inline=True), citations(rest))
    heads: list[Citation] = []
    statements: list[Any] = []
    for part in rest:
        if not isinstance(part, Citation):
            statements.append(part)
        elif statements:
            statements[-1] = attrs.evolve(statements[-1], citations=(*statements[-1].citations, part))
        else:
            heads.append(part)
    return Block(Body(at, tuple(statements), inline=False), tuple(heads))


def _choose(at: Place, parts: Parts) -> Choose:
    who, must, manner, offers, *rest = parts
    result = after(rest, "AS")
    reason = next((part for part in rest if isinstance(part, Reason)), None)
    because = [part for part in rest if isinstance(part, Text)]
    return Choose(
        at,
        who,
        must=must.type == "MUST",
        manner=manner and manner.value,
        moves=tuple(offer.value for offer in offers),
        move_places=tuple(Node(place_of(offer, at.file)) for offer in offers),
        until=after(rest, "UNTIL"),
        result=result and result.value,
        because=because[-1] if because else None,
        citations=(),
        reason=reason.name if reason else None,
    )


def _put(at: Place, parts: Parts) -> Put:
    _, what, _, source, where, target = parts
    return Put(at, what, source, where.value, target, ())


def _gets(at: Place, parts: Parts) -> Gets:
    return Gets(at, name(parts), after(parts, "IN"), after(parts, "GETS"))


def _finish(at: Place, parts: Parts) -> Finish:
    outcome = nodes(parts)
    return Finish(at, outcome[0] if outcome else None, ())


def _each_loop(at: Place, parts: Parts) -> EachLoop:
    done: Block = parts[-1]
    start, where = after(parts, "FROM"), after(parts, "WHERE")
    return EachLoop(at, name(parts), after(parts, "IN"), start, where, done.body, done.citations)


def _turns(at: Place, parts: Parts) -> Turns:
    done: Block = parts[-1]
    return Turns(at, name(parts), after(parts, "IN"), after(parts, "FROM"), done.body, done.citations)


def _repeat(at: Place, parts: Parts) -> Repeat:
    done: Block = parts[-1]
    times = parts[1] if words(parts, "TIMES") else None
    return Repeat(at, after(parts, "UNTIL"), times, done.body, done.citations)


def _branch(at: Place, parts: Parts) -> Branch:
    made = list(nodes(parts))
    otherwise = made.pop() if len(made) % 2 else None
    cases = tuple((condition, done.body) for condition, done in zip(made[::2], made[1::2], strict=True))
    cited = [cite for part in (*made[1::2], otherwise) if part for cite in part.citations]
    return Branch(at, cases, otherwise.body if otherwise else None, tuple(cited))


def _rule(at: Place, parts: Parts) -> Rule:
    params = parts[2] if isinstance(parts[2], tuple) else ()
    done: Block = parts[-1]
    return Rule(at, name(parts), params, done.body, done.citations)


def _result(at: Place, parts: Parts) -> Result:
    return Result(at, parts[0].value, parts[1])


FLOW: dict[str, Maker] = {
    "body": block,
    "each": _each_loop,
    "turns": _turns,
    "repeat": _repeat,
    "branch": _branch,
    "let": lambda at, parts: Let(at, parts[1].value, parts[3], ()),
    "becomes": lambda at, parts: Becomes(at, parts[0], parts[2], ()),
    "rises": lambda at, parts: Rises(at, parts[0], parts[3], ()),
    "falls": lambda at, parts: Falls(at, parts[0], parts[3], ()),
    "put": _put,
    "choose": _choose,
    "reason": lambda at, parts: Reason(parts[0].value),
    "offers": lambda at, parts: tuple(words(parts, "NAME")),
    "leave": lambda at, parts: Leave(at, parts[1].value, ()),
    "finish": _finish,
    "wins": lambda at, parts: Wins(at, parts[0]),
    "gets": _gets,
    "result": _result,
    "call": lambda at, parts: Call(at, parts[0], ()),
    "command": lambda at, parts: Command(at, parts[0].value, parts[1], after(parts, "TO"), (), after(parts, "FROM")),
    "rule": _rule,
    "overview": lambda at, parts: Overview(at, parts[-1].body, parts[-1].citations),
    "always": lambda at, parts: Always(at, parts[1].value, parts[3], citations(parts)),
    "whenever": lambda at, parts: Whenever(at, parts[1], parts[-1].body, parts[-1].citations),
}
"""How each rule of these chapters becomes a node."""
