"""Why an attempt is refused: the flow's reasons, then the parameters', then the requirements'. Spec 8.5.

What is legal is decided by the printed program; words and witnesses are made from the IR, as they are for people.
"""

from __future__ import annotations

import re
from typing import Any

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
from rulelang.ir.nodes import Decide
from rulelang.ir.program import Move, Parameter, Requirement
from rulelang.ir.types import SaidType
from rulelang.ir.walk import walk
from rulelang.play import kinds
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.formulas import Context
from rulelang.play.reasons import engine_refusal, standing
from rulelang.play.refusal import Refusal
from rulelang.play.witnesses import witnesses
from rulelang.play.words import say, seat_name, speak
from rulelang_native.state import State


def refusals(state: State, answer: Answer) -> tuple[Refusal, ...]:
    """Every reason against an attempt, in the order that the rules give to reasons; empty if it is legal."""
    found = _as_found(state, answer)
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
        with state.game.module.blame.watching(state.game.program.moves[answer.move].at):
            return flow + _against_move(state, answer)
    except Exhausted:
        if flow:
            return flow
        raise


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


def _against_flow(state: State, answer: Answer) -> tuple[Refusal, ...]:
    """The game is over, another seat's turn, or another move's."""
    if state.outcome is not None:
        return (engine_refusal("game_over", GAME_OVER),)
    if answer.seat not in state.asked:
        return (_flow_reason(state, "not_your_turn", NOT_YOUR_TURN, seat=seat_name(answer.seat, state.game.seats)),)
    decision = state.game.module.decisions[state.node_number]
    if isinstance(answer, Pass):
        offered, name = decision.may_pass, "pass"
    else:
        offered, name = answer.move in decision.moves, state.game.program.moves[answer.move].name
    return () if offered else (_flow_reason(state, "not_offered", NOT_OFFERED_NOW, move=name),)


def _flow_reason(state: State, name: str, code: Code, **blanks: object) -> Refusal:
    """One of the flow's reasons, in the words that the rules have for this waiting point."""
    node = state.node
    given = node.reason if isinstance(node, Decide) else None
    words = state.waiting.words or None
    return engine_refusal(given or name, code, words, node.at, named=given is not None, **blanks)


def _against_move(state: State, answer: Play) -> tuple[Refusal, ...]:
    game, cells = state.game, state.cells
    program, functions = game.program, game.module.functions
    move = program.moves[answer.move]
    values: list[Any] = []
    failed: set[int] = set()
    foreign: set[int] = set()
    reasons: list[Refusal] = []
    entry = game.entry_of(answer)
    assert entry is not None
    values = list(entry[1:])
    for place, (parameter, code) in enumerate(zip(move.parameters, answer.arguments, strict=True), 1):
        if not kinds.contains(program, parameter.type, code):
            foreign.add(place)
            words = BAD_PARAMETER.sentence.format(value=code, parameter=parameter.name)
            reasons.append(engine_refusal("no_such_value", BAD_PARAMETER, words, move.at))
        elif failed and _locals_in(parameter.domain) & failed:
            continue
        else:
            listed = functions[f"domain{answer.move}_{place - 1}"](cells, answer.seat, *values[: place - 1])
            value = values[place - 1]
            if all(part in listed for part in value) if isinstance(parameter.type, SaidType) else value in listed:
                continue
            reasons.append(_not_there(state, move, parameter, code))
        failed.add(place)
    context: Context | None = None
    for number, requirement in enumerate(move.requirements):
        if failed and (min(failed) <= requirement.prefix or _locals_in(requirement.words) & foreign):
            continue
        if not functions[f"requirement{answer.move}_{number}"](cells, answer.seat, *values):
            if context is None:
                locals = [answer.seat, *values, *[0] * (move.locals - 1 - len(values))]
                context = Context(program, game.layout, cells, locals)
            with standing(requirement.at):
                reasons.append(_unmet(context, requirement))
    return tuple(reasons)


def _locals_in(part: object) -> set[int]:
    return {inner.number for inner in walk(part) if isinstance(inner, Local)}


def _not_there(state: State, move: Move, parameter: Parameter, code: int) -> Refusal:
    """A value of the right kind that is not among the choices: ``tapir is not in your hand.``"""
    value = speak(state.game.program, parameter.type, code)
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
