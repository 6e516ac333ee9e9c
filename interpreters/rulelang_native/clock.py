"""The clock and the timers: what a reading and an expiry need, and what they do. Spec 11.3."""

from __future__ import annotations

from typing import cast

from rulelang import limits
from rulelang.diagnostics.codes import GAME_OVER, NO_SUCH_TIME, TIME_GOES_BACK, TIMER_RUNS_OUT
from rulelang.failures import Refused
from rulelang.ir.program import Marker
from rulelang.ir.types import OptionalType, SeatType
from rulelang.play import kinds
from rulelang.play.event import Expiry, Reading
from rulelang.play.reasons import engine_refusal
from rulelang_native.runtime.machine import Machine
from rulelang_native.state import State


def now(state: State) -> int:
    """Table time, in milliseconds; 0 in games without a clock."""
    clock = state.game.program.clock
    return 0 if clock is None else cast(int, state.cells[_cell(state, clock)])


def deadline(state: State) -> tuple[int, int] | None:
    """The timer that runs out next and when; None if none runs or the game is over. Of equal times the first counts."""
    if state.outcome is not None:
        return None
    found: tuple[int, int] | None = None
    for number, timer in enumerate(state.game.program.timers):
        end = state.cells[_cell(state, timer.end)]
        if end != _never(state, timer.end) and (found is None or end < found[1]):
            found = (number, end)
    return found


def _cell(state: State, slot: int) -> int:
    return state.game.layout.families[slot].base


def _never(state: State, slot: int) -> int:
    """What the end of a timer says that does not run."""
    return kinds.none_code(cast(OptionalType, cast(Marker, state.game.program.slots[slot]).type))


def read_clock(state: State, event: Reading) -> Machine:
    """The clock is set; who waits is asked anew. Raises Refused."""
    _goes_on(state)
    if event.time < state.now:
        raise Refused([engine_refusal("time_goes_back", TIME_GOES_BACK, now=state.now, time=event.time)])
    if event.time > limits.LAST_TIME:
        raise Refused([engine_refusal("no_such_time", NO_SUCH_TIME, time=event.time, limit=limits.LAST_TIME)])
    _nothing_before(state, event.time)
    machine = state.machine()
    _set_clock(state, machine, event.time)
    return machine


def run_out(state: State, event: Expiry) -> Machine | None:
    """The timer is empty, at its own time; open play goes on behind its decision. None if it does not run.

    Raises Refused if the game is over, or another timer runs out before.
    """
    _goes_on(state)
    timers = state.game.program.timers
    if not 0 <= event.timer < len(timers):
        return None
    timer = timers[event.timer]
    time = state.cells[_cell(state, timer.end)]
    if time == _never(state, timer.end):
        return None
    if state.deadline != (event.timer, time):
        _nothing_before(state, time)
    machine = state.machine()
    _set_clock(state, machine, time)
    machine.c[_cell(state, timer.left)] = 0
    machine.c[_cell(state, timer.end)] = _never(state, timer.end)
    decision = state.game.module.decisions.get(state.node_number)
    if decision is not None and decision.kind == "anyone":
        frame = machine.frames[-1]
        if decision.answered is not None:
            frame[2][decision.answered] = kinds.none_code(SeatType())
        frame[1] = decision.next
    return machine


def _goes_on(state: State) -> None:
    if state.outcome is not None:
        raise Refused([engine_refusal("game_over", GAME_OVER)])


def _nothing_before(state: State, time: int) -> None:
    """Refuse if a timer runs out at this time or before."""
    due = state.deadline
    if due is not None and due[1] <= time:
        name = state.game.program.timers[due[0]].name
        raise Refused([engine_refusal("timer_runs_out", TIMER_RUNS_OUT, timer=name, time=due[1])])


def _set_clock(state: State, machine: Machine, time: int) -> None:
    clock = state.game.program.clock
    assert clock is not None  # whoever has timers has one
    machine.c[_cell(state, clock)] = time
