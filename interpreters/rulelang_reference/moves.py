"""Which moves are legal: found part by part, each requirement tried as soon as the answers that it needs are there.

Spec 8.4 and 8.6. The order is that of the numbers: moves as declared, then the first parameter slowest.
"""

from collections.abc import Iterator
from typing import cast

from rulelang.ir.expressions import Value
from rulelang.ir.nodes import Decide
from rulelang.ir.program import Move, Program
from rulelang.ir.types import PickType
from rulelang.play import kinds
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.formulas import Context, codes, evaluate, items


def legal_answers(context: Context, node: Decide, seat: int) -> Iterator[Answer]:
    """Every legal answer of a seat at a waiting node, in number order, a pass last."""
    yield from legal_moves(context, node, seat)
    if node.asked.may_pass:
        yield Pass(seat)


def legal_moves(context: Context, node: Decide, seat: int) -> Iterator[Play]:
    """Every legal move of a seat at a waiting node, in number order."""
    for number in sorted(set(node.moves)):
        move = context.program.moves[number]
        inner = inside(context, move, seat)
        for arguments in _completions(inner, move, 0):
            yield Play(seat, number, arguments)


def inside(context: Context, move: Move, seat: int, arguments: tuple[int, ...] = ()) -> Context:
    """The same table seen from a move: its locals are the mover, the answers, then whatever its formulas need."""
    given = answer_values(context.program, move, arguments)
    locals: list[Value] = [seat, *given, *[0] * (move.locals - 1 - len(given))]
    return Context(context.program, context.layout, context.cells, locals)


def answer_values(program: Program, move: Move, arguments: tuple[int, ...]) -> tuple[Value, ...]:
    """What the formulas of a move read for its answers."""
    return tuple(
        kinds.answer_value(program, parameter.type, code) if kinds.contains(program, parameter.type, code) else code
        for parameter, code in zip(move.parameters, arguments, strict=False)
    )


def choices(context: Context, move: Move, place: int) -> list[int]:
    """What a parameter may be chosen from now, each value once, in code order; earlier answers are in the locals."""
    parameter = move.parameters[place]
    if isinstance(parameter.type, PickType):
        bags = cast(tuple[tuple[int, ...], ...], items(parameter.domain, context))
        return sorted({kinds.rank(context.program, parameter.type, bag) for bag in bags})
    low = kinds.least(parameter.type)
    high = low + kinds.size(context.program, parameter.type)
    return sorted({code for code in codes(parameter.domain, context) if low <= code < high})


def _completions(context: Context, move: Move, answered: int) -> Iterator[tuple[int, ...]]:
    """The legal ways to answer the remaining parameters; the earlier answers are in the locals."""
    for requirement in move.requirements:
        if requirement.prefix == answered and not evaluate(requirement.condition, context):
            return
    if answered == len(move.parameters):
        yield ()
        return
    for code in choices(context, move, answered):
        context.locals[answered + 1] = kinds.answer_value(context.program, move.parameters[answered].type, code)
        for rest in _completions(context, move, answered + 1):
            yield (code, *rest)
