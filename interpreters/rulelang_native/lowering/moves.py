"""Moves: listings of legal answers, and what an attempt is judged by, part by part. Spec 8.4 to 8.6.

A listing is one loop inside the other, one for each parameter, in the order of the numbers of answers. A requirement is
looked at as soon as the answers that it counts with are there. What does not depend on the inner answers is worked out
once, when it is first needed.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from rulelang import limits
from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Expression, Local
from rulelang.ir.program import Move, Preference, Requirement
from rulelang.ir.types import PickType
from rulelang.ir.walk import walk
from rulelang.play import kinds
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.program import Failure, Function
from rulelang_native.lowering.body import ALWAYS, Body, Found, refuted
from rulelang_native.lowering.facts import number
from rulelang_native.lowering.formulas import simple, truth, value

if TYPE_CHECKING:
    from rulelang_native.lowering.program import Lowering

CHEAP = 8
"""Formulas of so many parts are rather worked out again than remembered."""


def answer_locals(lowering: Lowering, move: Move | None) -> dict[int, Found]:
    """What stands for the locals of a move's formulas: the mover, then the answers."""
    seats = kinds.seat_count(lowering.program)
    found: dict[int, Found] = {0: (flat.Name("me"), number(0, seats))}
    for place, parameter in enumerate(move.parameters if move else (), 1):
        found[place] = (flat.Name(f"a{place}"), lowering.answer_fact(parameter.type))
    return found


def names(move: Move | None) -> tuple[str, ...]:
    """The parameters of a function about an answer."""
    return ("me", *(f"a{place}" for place in range(1, len(move.parameters) + 1 if move else 1)))


# ------------------------------------------------------------------ listing


class _Part:
    """A formula that is asked while answers are listed."""

    def __init__(self, formula: Expression, level: int, count: int) -> None:
        self.formula = formula
        self.level = level
        reads = {part.number for part in walk(formula) if isinstance(part, Local)} & set(range(1, count + 1))
        self.depends = max(reads, default=0)
        """The innermost answer that it reads."""
        heavy = any(isinstance(part, ir.Apply | ir.Picks | ir.Partition) or _searches(part) for part in walk(formula))
        self.kept = self.depends < level and (heavy or sum(1 for _ in walk(formula)) > CHEAP)
        """Whether it is worked out once for each answer that it depends on, when first needed."""
        self.reads = tuple(sorted(reads))
        self.noted = heavy and not self.kept and len(reads) < self.depends
        """Whether it is noted by the answers that it reads, as other answers between them change."""
        self.name = ""


def _searches(part: object) -> bool:
    return hasattr(part, "variable") and hasattr(part, "domain")


def listing(lowering: Lowering, number_: int) -> Function:
    """All legal answers with a move, in the order of their numbers, up to as many as are wanted."""
    move = lowering.program.moves[number_]
    body = Body(lowering, answer_locals(lowering, move))
    if kinds.is_spoken(move):  # what can be said is not listed
        lowering.risks[number_] = False
        return Function(f"list{number_}", ("me",), (st.Give(None),), "listing", comment=f"{move.name}")
    body.locals[0] = (flat.Name("me"), lowering.local_fact(move.procedure, 0))  # only who is asked is listed for
    count = len(move.parameters)
    checks = [
        [_Part(each.condition, level, count) for each in move.requirements if _counts(each, level)]
        for level in range(count + 1)
    ]
    domains = [_Part(parameter.domain, place, count) for place, parameter in enumerate(move.parameters)]
    parts = [part for row in checks for part in row] + domains
    for part in parts:
        if part.kept or part.noted:
            part.name = body.name("k")
    sizes = [kinds.size(lowering.program, parameter.type) for parameter in move.parameters]
    tries = sum(prod(sizes[:place]) for place in range(1, count + 1))
    counted = tries > limits.TRIED_ANSWERS
    if counted:
        body.add(st.Set("tried", Known(0)))
    for part in parts:
        if part.noted:
            body.add(st.Notes(part.name))
    _level(body, move, number_, 0, (checks, domains, parts), counted)
    lowering.risks[number_] = body.fails
    return Function(f"list{number_}", ("me",), tuple(body.statements), "listing", comment=f"{move.name}")


def _counts(requirement: Requirement, level: int) -> bool:
    """Whether a requirement is looked at when so many answers are there; what options made certain never is."""
    condition = requirement.condition
    return requirement.prefix == level and not (isinstance(condition, ir.Constant) and bool(condition.value))


def _level(
    body: Body,
    move: Move,
    number_: int,
    level: int,
    plan: tuple[list[list[_Part]], list[_Part], list[_Part]],
    counted: bool,
) -> None:
    """What is done when so many answers are there."""
    checks, domains, parts = plan
    for part in parts:
        if part.kept and part.depends == level:
            body.add(st.Set(part.name, Known(-1)))
    if counted and level:
        body.add(st.Set("tried", flat.Math("+", flat.Name("tried"), Known(1))))
        limit = limits.TRIED_ANSWERS
        body.check(flat.Compare("<=", flat.Name("tried"), Known(limit)), Failure("too_much", limit=limit))
    away: st.Statement = st.Skip() if level else st.Give(None)
    for check in checks[level]:
        if check.noted:
            answers = [flat.Name(f"a{place}") for place in check.reads]
            key: Flat = answers[0] if len(answers) == 1 else flat.Items(tuple(answers))
            known = body.name("k")
            body.add(st.Set(known, flat.Noted(check.name, key)))
            with body.inside() as inner:
                found = truth(body, check.formula)
                body.add(st.Set(known, found if isinstance(found, Known) else flat.AsNumber(found)))
                body.add(st.Note(check.name, key, flat.Name(known)))
            body.add(st.If(flat.Compare("<", flat.Name(known), Known(0)), tuple(inner)))
            holds: Flat = flat.IsOne(flat.Name(known))
        elif not check.kept:
            holds = truth(body, check.formula)
        else:
            with body.inside() as inner:
                found = truth(body, check.formula)
                body.add(st.Set(check.name, found if isinstance(found, Known) else flat.AsNumber(found)))
            body.add(st.If(flat.Compare("<", flat.Name(check.name), Known(0)), tuple(inner)))
            holds = flat.IsOne(flat.Name(check.name))
        if holds != ALWAYS:
            body.add(st.If(refuted(holds), (away,)))
    if level == len(move.parameters):
        body.add(st.Offer(number_, tuple(flat.Name(f"a{place}") for place in range(1, level + 1))))
        return
    domain = domains[level]
    if not domain.kept:
        row = choices(body, move, level)
    else:
        rows = f"{domain.name}r"
        with body.inside() as inner:
            body.add(st.Set(rows, choices(body, move, level)))
            body.add(st.Set(domain.name, Known(1)))
        body.add(st.If(flat.Compare("<", flat.Name(domain.name), Known(0)), tuple(inner)))
        row = flat.Name(rows)
    answer = f"a{level + 1}"
    with body.loop(answer, body.locals[level + 1][1], level + 1) as each:
        _level(body, move, number_, level + 1, plan, counted)
    body.add(st.Each(answer, row, tuple(each)))


def choices(body: Body, move: Move, place: int) -> Flat:
    """What a parameter may be chosen from now, each value once, in code order (a pick: in order of rank)."""
    parameter = move.parameters[place]
    row, fact = value(body, parameter.domain)
    if isinstance(parameter.type, PickType):
        return row if isinstance(parameter.domain, ir.Picks) else flat.Distinct(row)
    low = kinds.least(parameter.type)
    high = low + kinds.size(body.lowering.program, parameter.type) - 1
    if isinstance(row, Known):
        codes = {code for code in row.value if isinstance(code, int) and low <= code <= high}  # type: ignore[union-attr]
        return Known(tuple(sorted(codes)))
    if not fact.inside(low, high):
        row = flat.Within(row, low, high)
    return row if isinstance(row, flat.Span) else flat.Distinct(row)


# ------------------------------------------------------------------ attempts and advice


def domain(lowering: Lowering, number_: int, place: int) -> Function:
    """What a parameter (counted from 0) may be chosen from, as the author wrote it."""
    move = lowering.program.moves[number_]
    body = Body(lowering, answer_locals(lowering, move))
    row, _ = value(body, move.parameters[place].domain)
    body.add(st.Give(row))
    return Function(f"domain{number_}_{place}", names(move)[: place + 1], tuple(body.statements))


def requirement(lowering: Lowering, number_: int, place: int) -> Function:
    """Whether a requirement holds."""
    move = lowering.program.moves[number_]
    body = Body(lowering, answer_locals(lowering, move))
    holds = truth(body, move.requirements[place].condition)
    body.add(st.Give(holds if isinstance(holds, Known) else flat.AsNumber(holds)))
    return Function(f"requirement{number_}_{place}", names(move), tuple(body.statements))


def preference(lowering: Lowering, number_: int, each: Preference) -> Function:
    """By what an answer is ranked, larger first, behind a 1; an empty row if the preference does not fit it."""
    move = None if each.move is None else lowering.program.moves[each.move]
    body = Body(lowering, answer_locals(lowering, move))
    holds = truth(body, each.condition)
    if holds != ALWAYS:
        body.add(st.If(refuted(holds), (st.Give(Known(())),)))
    ranks: list[Flat] = [Known(1)]
    for rank in each.ranks:
        found, _ = simple(body, rank.value)
        ranks.append(found if rank.most else flat.Math("-", Known(0), found))
    body.add(st.Give(flat.Items(tuple(ranks))))
    return Function(f"preference{number_}", names(move), tuple(body.statements))
