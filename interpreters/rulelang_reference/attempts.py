"""Why an attempt is refused: the flow's reasons, then the parameters', then the requirements'. Spec 8.5.

What depends on an answer that failed itself is left out, not guessed.
"""

import re

from rulelang.diagnostics.codes import (
    BAD_PARAMETER,
    GAME_OVER,
    NO_SUCH_MOVE,
    NO_SUCH_SEAT,
    NOT_IN_PLACE,
    NOT_OFFERED_NOW,
    NOT_YOUR_TURN,
    Code,
)
from rulelang.failures import Exhausted
from rulelang.ir.expressions import Local
from rulelang.ir.nodes import Decide, may_pass
from rulelang.ir.program import Move, Parameter, Requirement
from rulelang.ir.types import PickType, SaidType
from rulelang.ir.walk import walk
from rulelang.play import kinds
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.formulas import Context, codes, evaluate
from rulelang.play.reasons import engine_refusal, standing
from rulelang.play.refusal import Refusal
from rulelang.play.witnesses import witnesses
from rulelang.play.words import say, seat_name, speak
from rulelang_reference.moves import choices, inside
from rulelang_reference.state import State


def refusals(state: State, answer: Answer) -> tuple[Refusal, ...]:
    """Every reason against an attempt, in the order that the rules give to reasons; empty if it is legal."""
    found = _as_found(state, answer)
    if state.game.watcher is not None:
        state.game.watcher.attempted(state.game.program, answer, found)
    order = state.game.program.reasons
    if len(found) > 1 and order:
        return tuple(sorted(found, key=lambda each: order.index(each.code) if each.code in order else len(order)))
    return found


def _as_found(state: State, answer: Answer) -> tuple[Refusal, ...]:
    misfit = _misfit(state, answer)
    if misfit:
        return misfit
    flow = _against_flow(state, answer)
    if isinstance(answer, Pass):
        return flow
    try:
        with standing(state.game.program.moves[answer.move].at):
            return flow + _against_move(state.context(), answer)
    except Exhausted:
        if flow:
            return flow
        raise


# ------------------------------------------------------------------ attempts outside the rules altogether


def _misfit(state: State, answer: Answer) -> tuple[Refusal, ...]:
    """A seat, a move or a number of answers that this game does not have."""
    program = state.game.program
    if not 0 <= answer.seat <= state.game.seats:
        return (engine_refusal("no_such_seat", NO_SUCH_SEAT, seat=answer.seat + 1),)
    if isinstance(answer, Pass):
        return ()
    if not 0 <= answer.move < len(program.moves):
        return (engine_refusal("no_such_move", NO_SUCH_MOVE, move=answer.move),)
    move = program.moves[answer.move]
    if len(answer.arguments) != len(move.parameters):
        words = f"'{move.name}' needs {len(move.parameters)} answers, not {len(answer.arguments)}."
        return (engine_refusal("wrong_number_of_arguments", BAD_PARAMETER, words),)
    return ()


# ------------------------------------------------------------------ the flow


def _against_flow(state: State, answer: Answer) -> tuple[Refusal, ...]:
    """The game is over, another seat's turn, or another move's."""
    node = state.node
    if state.outcome is not None:
        return (engine_refusal("game_over", GAME_OVER),)
    if answer.seat not in state.asked:
        return (_flow_reason(state, "not_your_turn", NOT_YOUR_TURN, seat=seat_name(answer.seat, state.game.seats)),)
    assert isinstance(node, Decide)
    if isinstance(answer, Pass):
        offered, name = may_pass(node.asked), "pass"
    else:
        offered, name = answer.move in node.moves, state.game.program.moves[answer.move].name
    return () if offered else (_flow_reason(state, "not_offered", NOT_OFFERED_NOW, move=name),)


def _flow_reason(state: State, name: str, code: Code, **blanks: object) -> Refusal:
    """One of the flow's reasons, in the words that the rules have for this waiting point."""
    words = state.waiting.words or None
    node = state.node
    given = node.reason if isinstance(node, Decide) else None
    return engine_refusal(given or name, code, words, node.at, named=given is not None, **blanks)


# ------------------------------------------------------------------ parameters and requirements


def _against_move(context: Context, answer: Play) -> tuple[Refusal, ...]:
    program = context.program
    move = program.moves[answer.move]
    inner = inside(context, move, answer.seat, answer.arguments)
    failed: set[int] = set()
    foreign: set[int] = set()
    reasons: list[Refusal] = []
    for place, (parameter, code) in enumerate(zip(move.parameters, answer.arguments, strict=True), 1):
        if not kinds.contains(program, parameter.type, code):
            foreign.add(place)
            words = BAD_PARAMETER.sentence.format(value=code, parameter=parameter.name)
            reasons.append(engine_refusal("no_such_value", BAD_PARAMETER, words, move.at))
        elif (failed and _locals_in(parameter.domain) & failed) or _is_there(inner, move, place, code):
            continue
        else:
            reasons.append(_not_there(context, move, parameter, code))
        failed.add(place)
    for requirement in move.requirements:
        if failed and (min(failed) <= requirement.prefix or _locals_in(requirement.words) & foreign):
            continue
        with standing(requirement.at):
            if not evaluate(requirement.condition, inner):
                reasons.append(_unmet(inner, requirement))
    return tuple(reasons)


def _is_there(context: Context, move: Move, place: int, code: int) -> bool:
    """Whether an answer is among what the parameter (counted from 1) may be chosen from; each part of what is said."""
    parameter = move.parameters[place - 1]
    match parameter.type:
        case PickType():
            return code in choices(context, move, place - 1)
        case SaidType() as kind:
            return set(kinds.said(context.program, kind, code)) <= set(codes(parameter.domain, context))
        case _:
            return code in codes(parameter.domain, context)


def _locals_in(part: object) -> set[int]:
    return {inner.number for inner in walk(part) if isinstance(inner, Local)}


def _not_there(context: Context, move: Move, parameter: Parameter, code: int) -> Refusal:
    """A value of the right kind that is not among the choices: ``tapir is not in your hand.``"""
    value = speak(context.program, parameter.type, code)
    place = re.sub(r"\bmy\b", "your", parameter.domain_name)
    words = NOT_IN_PLACE.sentence.format(value=value, zone=place)
    return engine_refusal(f"{parameter.name}_not_there", NOT_IN_PLACE, words, move.at)


def _unmet(context: Context, requirement: Requirement) -> Refusal:
    """A requirement that does not hold, in its own words, with what shows it."""
    return Refusal(
        code=requirement.name,
        number=None,
        words=say(context.program, requirement.words, context),
        clauses=requirement.at.clauses,
        witnesses=witnesses(requirement, context),
        file=requirement.at.origin.file,
        line=requirement.at.origin.line,
    )
