"""Which moves are legal: found part by part, each requirement tried as soon as the answers that it needs are there.

Spec 8.4 and 8.6. The order is that of the numbers: moves as declared, then the first parameter slowest.
"""

from collections.abc import Iterator
from typing import NamedTuple, cast

from rulelang import limits
from rulelang.diagnostics.codes import COST_EXHAUSTED
from rulelang.ir.expressions import Constant, Expression, Local, Value
from rulelang.ir.nodes import Decide, may_pass
from rulelang.ir.program import Move, Program, Requirement
from rulelang.ir.types import PickType
from rulelang.ir.walk import walk
from rulelang.play import kinds
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.formulas import Context, codes, evaluate, items
from rulelang.play.reasons import exhausted, standing


def legal_answers(context: Context, node: Decide, seat: int) -> Iterator[Answer]:
    """Every legal answer of a seat at a waiting node, in number order, a pass last."""
    yield from legal_moves(context, node, seat)
    if may_pass(node.asked):
        yield Pass(seat)


def legal_moves(context: Context, node: Decide, seat: int) -> Iterator[Play]:
    """Every legal move of a seat at a waiting node, in number order, without those that carry words."""
    for number in sorted(set(node.moves)):
        move = context.program.moves[number]
        if kinds.is_spoken(move):
            continue
        inner = inside(context, move, seat)
        with standing(move.at):
            for arguments in _Listing(inner, plan_of(context, number)).completions(0):
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


# ------------------------------------------------------------------ listing


class Asked(NamedTuple):
    """A formula that is asked while moves are listed, and the earlier answers that it depends on."""

    formula: Expression
    reads: tuple[int, ...]


class Plan(NamedTuple):
    """In what order a move's parts are gone through: once for each closed program."""

    move: Move
    checks: tuple[tuple[Asked, ...], ...]
    """The requirements that need so many answers: none, the first, the first two, ..."""
    domains: tuple[Asked, ...]


def plan_of(context: Context, number: int) -> Plan:
    """The plan of a move; made when it is first listed."""
    plans = cast(dict[int, Plan], context.layout.plans)
    if number not in plans:
        move = context.program.moves[number]
        checks = tuple(
            tuple(_asked(each.condition, move) for each in move.requirements if _counts(each, answered))
            for answered in range(len(move.parameters) + 1)
        )
        plans[number] = Plan(move, checks, tuple(_asked(each.domain, move) for each in move.parameters))
    return plans[number]


def _counts(requirement: Requirement, answered: int) -> bool:
    """Whether a requirement is looked at when so many answers are there; what options made certain never is."""
    condition = requirement.condition
    return requirement.prefix == answered and not (isinstance(condition, Constant) and bool(condition.value))


def _asked(formula: Expression, move: Move) -> Asked:
    found = {part.number for part in walk(formula) if isinstance(part, Local)}
    return Asked(formula, tuple(sorted(found & set(range(1, len(move.parameters) + 1)))))


class _Listing:
    """One listing of one move: what the same answers gave before is not worked out again."""

    def __init__(self, context: Context, plan: Plan) -> None:
        self.context = context
        self.plan = plan
        self.tried = 0
        self.known: dict[tuple[int, object], bool] = {}
        self.offered: dict[tuple[int, object], list[tuple[int, Value]]] = {}

    def completions(self, answered: int) -> Iterator[tuple[int, ...]]:
        """The legal ways to answer the remaining parameters; the earlier answers are in the locals."""
        for check in self.plan.checks[answered]:
            if not self.holds(check):
                return
        if answered == len(self.plan.domains):
            yield ()
            return
        locals = self.context.locals
        for code, value in self.choices(answered):
            self.tried += 1
            if self.tried > limits.TRIED_ANSWERS:
                raise exhausted(COST_EXHAUSTED, limit=limits.TRIED_ANSWERS)
            locals[answered + 1] = value
            for rest in self.completions(answered + 1):
                yield (code, *rest)

    def earlier(self, asked: Asked) -> object:
        """The earlier answers that a formula depends on."""
        locals, reads = self.context.locals, asked.reads
        return locals[reads[0]] if len(reads) == 1 else tuple([locals[number] for number in reads])

    def holds(self, check: Asked) -> bool:
        """Whether a requirement holds with the answers so far."""
        key = (id(check), self.earlier(check))
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = bool(evaluate(check.formula, self.context))
        return found

    def choices(self, place: int) -> list[tuple[int, Value]]:
        """What a parameter may be chosen from now, with what formulas read for it."""
        key = (place, self.earlier(self.plan.domains[place]))
        if key not in self.offered:
            program, kind = self.context.program, self.plan.move.parameters[place].type
            found = choices(self.context, self.plan.move, place)
            self.offered[key] = [(code, kinds.answer_value(program, kind, code)) for code in found]
        return self.offered[key]
