"""Why nobody can move: what is in the way of each move that is offered. Spec 8.4.

It is told where the rules have led into a dead end, to whoever wrote them; so it may tell what players do not see.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, cast

from rulelang.diagnostics.codes import DEAD_END
from rulelang.failures import Exhausted
from rulelang.ir.expressions import Value
from rulelang.ir.nodes import Decide
from rulelang.ir.program import Move, Parameter, Program
from rulelang.ir.types import PickType
from rulelang.play import kinds
from rulelang.play.formulas import Context, codes, evaluate, items
from rulelang.play.kinds import Layout
from rulelang.play.reasons import placed

TOLD: Final = 3
"""Moves of which it is said what is in the way."""

TRIED: Final = 1000
"""Ways to answer one move that are looked at."""

UNNAMED: Final = "what can be chosen"
"""What the compiler calls choices that have no short name."""


def dead_end(program: Program, layout: Layout, cells: Sequence[Value], node: int, seat: int) -> Exhausted:
    """That a seat must move where no move is possible, why, and where the rules ask it to."""
    decision = cast(Decide, program.nodes[node])
    words = DEAD_END.sentence.format(seat=seat + 1)
    for told in islice(_hindrances(Context(program, layout, cells, []), decision, seat), TOLD):
        words = f"{words[:-1]}; {told}."
    return placed(Exhausted(DEAD_END.number, words), decision.at)


def _hindrances(context: Context, decision: Decide, seat: int) -> Iterator[str]:
    for number in decision.moves:
        move = context.program.moves[number]
        told = None if kinds.is_spoken(move) else hindrance(context, move, seat)
        if told is not None:
            yield told


def hindrance(context: Context, move: Move, seat: int) -> str | None:
    """What refuses the answers to a move that come furthest, of the first `TRIED`; None if one of them is legal."""
    locals: list[Value] = [seat, *[0] * (move.locals - 1)]
    ways = _ways(Context(context.program, context.layout, context.cells, locals), move, 0)
    furthest: tuple[int, int] = (-1, -1)
    told = ""
    for answered, requirement in islice(ways, TRIED):
        if requirement is None:
            return None
        if (answered, requirement) > furthest:
            furthest, told = (answered, requirement), _said(move, answered, requirement)
    return told


def _said(move: Move, answered: int, requirement: int) -> str:
    if requirement < len(move.requirements):
        return f"'{move.name}' is refused, because of '{move.requirements[requirement].name}'"
    name = move.parameters[answered].domain_name
    words = re.sub(r"\byour\b", "my", name)  # for whoever wrote it, not for the one who moves
    return f"'{move.name}' has nothing to choose from" + ("" if name == UNNAMED else f" in '{words}'")


def _ways(context: Context, move: Move, answered: int) -> Iterator[tuple[int, int | None]]:
    """How far each way to answer comes: answers, and the number of the requirement that refuses it.

    Behind the last requirement: there is nothing to choose from. None: it is legal.
    """
    for number, requirement in enumerate(move.requirements):
        if requirement.prefix == answered and not evaluate(requirement.condition, context):
            yield answered, number
            return
    values = _choices(move.parameters[answered], context) if answered < len(move.parameters) else None
    if not values:
        yield answered, None if values is None else len(move.requirements)
    for value in values or ():
        context.locals[answered + 1] = value
        yield from _ways(context, move, answered + 1)


def _choices(parameter: Parameter, context: Context) -> list[Value]:
    """What formulas read for each of a parameter's choices."""
    if isinstance(parameter.type, PickType):
        return list(items(parameter.domain, context))
    program, kind = context.program, parameter.type
    found = (code for code in codes(parameter.domain, context) if kinds.contains(program, kind, code))
    return [kinds.answer_value(program, kind, code) for code in found]
