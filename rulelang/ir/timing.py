"""What is asked of a timer, as formulas of its two markers and the clock. Spec 11.1.

The compiler writes these formulas, and whoever explains a game to people finds them again.
"""

from typing import Final

import attrs

from rulelang import limits
from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Expression
from rulelang.ir.program import Program, Timer
from rulelang.ir.types import NumberType

STATES: Final = ("full", "running", "paused", "empty")
"""What a timer is at a moment; their codes are their places."""

ZERO: Final = ir.Constant(0)
TIMES: Final = NumberType(ZERO, ir.Constant(limits.LAST_TIME))
"""Moments of table time, in milliseconds from the beginning of the game."""
ENDS: Final = NumberType(ZERO, ir.Constant(limits.LAST_TIME + limits.TIMER_LENGTH))
"""When timers run out: one that is started at the last moment would run out after it, and so never does."""
NEVER: Final = ir.NoneOf(ENDS)
FULL, RUNNING, PAUSED, EMPTY = (ir.Constant(code) for code in range(len(STATES)))


@attrs.frozen
class Timing:
    """One timer: the slots of what was left at the last change and of the moment when it will be empty, the slot of
    the clock, and how long it runs when it is full (ms).
    """

    left_slot: int
    end_slot: int
    clock: int
    full: Expression

    @property
    def left(self) -> ir.Slot:
        """The marker of what was left at the last change."""
        return ir.Slot(self.left_slot, ())

    @property
    def end(self) -> ir.Slot:
        """The marker of the moment when it will be empty, none while it does not run."""
        return ir.Slot(self.end_slot, ())

    @property
    def now(self) -> ir.Read:
        """The time of the last reading."""
        return ir.Read(ir.Slot(self.clock, ()))

    @property
    def rests(self) -> Expression:
        """Whether it does not run."""
        return ir.Equal(ir.Read(self.end), NEVER)

    @property
    def state(self) -> Expression:
        """The code of one of its four states."""
        left = ir.Read(self.left)
        at_rest = ir.Conditional(ir.Equal(left, ZERO), EMPTY, ir.Conditional(ir.Equal(left, self.full), FULL, PAUSED))
        return ir.Conditional(self.rests, at_rest, RUNNING)

    def is_in(self, state: Expression) -> Expression:
        """Whether it is in one of its four states."""
        left, rests = ir.Read(self.left), self.rests
        if state == RUNNING:
            return ir.Not(rests)
        if state == EMPTY:
            return ir.Both((rests, ir.Equal(left, ZERO)))
        if state == FULL:
            return ir.Both((rests, ir.Equal(left, self.full)))
        return ir.Both((rests, ir.Less(ZERO, left), ir.Less(left, self.full)))

    @property
    def left_of(self) -> Expression:
        """What is left now."""
        return ir.Conditional(self.rests, ir.Read(self.left), ir.Subtract(ir.Read(self.end), self.now))


def timing_of(program: Program, timer: Timer) -> Timing:
    """The formulas of a timer of a program."""
    assert program.clock is not None  # whoever has timers has one
    return Timing(timer.left, timer.end, program.clock, timer.full)
