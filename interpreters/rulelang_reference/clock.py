"""The clock and the timers: what a reading and an expiry do. Spec 11.3."""

from typing import cast

from rulelang.ir.nodes import AnyOfSeats, Decide
from rulelang.ir.program import Marker
from rulelang.ir.types import OptionalType, SeatType
from rulelang.play import kinds
from rulelang.play.acceptance import accept_expiry, accept_reading, next_timer
from rulelang.play.event import Expiry, Reading
from rulelang_reference.machine import Run
from rulelang_reference.state import State


def now(state: State) -> int:
    """Table time, in milliseconds; 0 in games without a clock."""
    clock = state.game.program.clock
    return 0 if clock is None else _number(state, clock)


def deadline(state: State) -> tuple[int, int] | None:
    """The timer that runs out next and when; None if none runs or the game is over. Of equal times the first counts."""
    return None if state.outcome is not None else next_timer(_ends(state))


def read_clock(state: State, event: Reading) -> Run:
    """The clock is set; who waits is asked anew. Raises Refused."""
    accept_reading(state, event)
    run = Run.of(state)
    _set_clock(run, event.time)
    return run


def run_out(state: State, event: Expiry) -> Run:
    """The timer is empty, at its own time; open play goes on behind its decision. Raises Refused."""
    time = accept_expiry(state, event, _ends(state))
    timer = state.game.program.timers[event.timer]
    run = Run.of(state)
    _set_clock(run, time)
    families = state.game.layout.families
    run.cells[families[timer.left].base] = 0
    run.cells[families[timer.end].base] = _never(state, timer.end)
    node = state.node
    if isinstance(node, Decide) and isinstance(node.asked, AnyOfSeats):
        if node.answered is not None:
            run.frame.locals[node.answered.number] = kinds.none_code(SeatType())
        run.frame.node = node.next
    return run


def _ends(state: State) -> tuple[int | None, ...]:
    """When each timer runs out, None for one that does not run."""
    said = ((_number(state, timer.end), timer.end) for timer in state.game.program.timers)
    return tuple(None if end == _never(state, slot) else end for end, slot in said)


def _number(state: State, slot: int) -> int:
    return cast(int, state.cells[state.game.layout.families[slot].base])


def _never(state: State, slot: int) -> int:
    """What the end of a timer says that does not run."""
    return kinds.none_code(cast(OptionalType, cast(Marker, state.game.program.slots[slot]).type))


def _set_clock(run: Run, time: int) -> None:
    clock = run.program.clock
    assert clock is not None  # whoever has timers has one
    run.cells[run.game.layout.families[clock].base] = time
