"""The clock and the timers: what a reading and an expiry do. Spec 11.3."""

from __future__ import annotations

from typing import cast

from rulelang.ir.program import Marker
from rulelang.ir.types import OptionalType, SeatType
from rulelang.play import kinds
from rulelang.play.acceptance import accept_expiry, accept_reading, next_timer
from rulelang.play.event import Expiry, Reading
from rulelang_native.runtime.machine import Machine
from rulelang_native.state import State


def now(state: State) -> int:
    """Table time, in milliseconds; 0 in games without a clock."""
    clock = state.game.program.clock
    return 0 if clock is None else cast(int, state.cells[_cell(state, clock)])


def deadline(state: State) -> tuple[int, int] | None:
    """The timer that runs out next and when; None if none runs or the game is over. Of equal times the first counts."""
    return None if state.outcome is not None else next_timer(_ends(state))


def read_clock(state: State, event: Reading) -> Machine:
    """The clock is set; who waits is asked anew. Raises Refused."""
    accept_reading(state, event)
    machine = state.machine()
    _set_clock(state, machine, event.time)
    return machine


def run_out(state: State, event: Expiry) -> Machine:
    """The timer is empty, at its own time; open play goes on behind its decision. Raises Refused."""
    time = accept_expiry(state, event, _ends(state))
    timer = state.game.program.timers[event.timer]
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


def _ends(state: State) -> tuple[int | None, ...]:
    """When each timer runs out, None for one that does not run."""
    said = ((state.cells[_cell(state, timer.end)], timer.end) for timer in state.game.program.timers)
    return tuple(None if end == _never(state, slot) else end for end, slot in said)


def _cell(state: State, slot: int) -> int:
    return state.game.layout.families[slot].base


def _never(state: State, slot: int) -> int:
    """What the end of a timer says that does not run."""
    return kinds.none_code(cast(OptionalType, cast(Marker, state.game.program.slots[slot]).type))


def _set_clock(state: State, machine: Machine, time: int) -> None:
    clock = state.game.program.clock
    assert clock is not None  # whoever has timers has one
    machine.c[_cell(state, clock)] = time
