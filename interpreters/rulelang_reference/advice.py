"""What the rules advise a seat to answer. Spec 15.1.

The preferences are gone through as written. The first one that a legal answer fits decides: of the answers that fit it,
the one that ranks highest, by the first rank, then the next; of several, the one with the lowest number.
"""

from rulelang import limits
from rulelang.diagnostics.codes import COST_EXHAUSTED
from rulelang.ir.expressions import Value
from rulelang.ir.program import Preference
from rulelang.play.event import Answer, Play
from rulelang.play.formulas import Context, evaluate
from rulelang.play.reasons import exhausted, standing
from rulelang_reference.moves import answer_values
from rulelang_reference.state import State


def preferred(state: State, seat: int) -> Answer | None:
    """The advised answer of an asked seat, None if there is none."""
    answers = state.moves(seat)
    spent = 0
    for preference, cost in zip(state.game.program.preferences, state.game.advice_costs, strict=True):
        fitting = [answer for answer in answers if _is_about(preference, answer)]
        spent += cost * len(fitting)
        with standing(preference.at):
            if spent > limits.EVENT_COST:
                raise exhausted(COST_EXHAUSTED, limit=limits.EVENT_COST)
            ranked = [(ranks, answer) for answer in fitting if (ranks := _ranks(state, preference, answer)) is not None]
        if ranked:
            return max(ranked, key=lambda found: found[0])[1]
    return None


def _is_about(preference: Preference, answer: Answer) -> bool:
    """Whether a preference speaks of the move of an answer, or of passing."""
    return (answer.move if isinstance(answer, Play) else None) == preference.move


def _ranks(state: State, preference: Preference, answer: Answer) -> tuple[int, ...] | None:
    """By what an answer is ranked, larger first; None if the preference does not fit it."""
    context = _context(state, preference, answer)
    if not evaluate(preference.condition, context):
        return None
    values = [(rank.most, evaluate(rank.value, context)) for rank in preference.ranks]
    return tuple(value if most else -value for most, value in values if isinstance(value, int))


def _context(state: State, preference: Preference, answer: Answer) -> Context:
    """The table, with the asked seat, its answers, and whatever the formulas need."""
    game = state.game
    given: tuple[Value, ...] = ()
    if isinstance(answer, Play):
        given = answer_values(game.program, game.program.moves[answer.move], answer.arguments)
    locals: list[Value] = [answer.seat, *given, *[0] * (preference.locals - 1 - len(given))]
    return Context(game.program, game.layout, state.cells, locals)
