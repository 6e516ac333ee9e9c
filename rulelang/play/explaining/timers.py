"""Questions about timers in the words of the rules: ``glass is empty``, not what its markers say. Spec 11.1."""

from typing import Literal

import attrs

from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Expression
from rulelang.ir.program import Program
from rulelang.ir.timing import EMPTY as NOTHING_LEFT
from rulelang.ir.timing import FULL, PAUSED, RUNNING, STATES, timing_of


@attrs.frozen
class AboutTimer:
    """A formula about a timer."""

    timer: int
    sort: Literal["question", "state", "left"]
    said: str
    """As rules write it."""


def about_timers(program: Program) -> dict[Expression, AboutTimer]:
    """Every formula that the compiler writes about the timers of a program."""
    found: dict[Expression, AboutTimer] = {}
    for number, timer in enumerate(program.timers):
        timing = timing_of(program, timer)
        found[timing.state] = AboutTimer(number, "state", timer.name)
        found[timing.left_of] = AboutTimer(number, "left", f"left of {timer.name}")
        for code, word in zip((FULL, RUNNING, PAUSED, NOTHING_LEFT), STATES, strict=True):
            question = timing.is_in(code)
            denied = question.value if isinstance(question, ir.Not) else ir.Not(question)
            found[question] = AboutTimer(number, "question", f"{timer.name} is {word}")
            found[denied] = AboutTimer(number, "question", f"{timer.name} is not {word}")
    return found
