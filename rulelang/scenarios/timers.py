"""Timers as they are given: what is said of one becomes its two markers. Spec 11.1, 15.4."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from rulelang.checker.kinds import TIMER
from rulelang.ir.program import Marker, Program
from rulelang.ir.types import OptionalType
from rulelang.play import kinds
from rulelang.play.kinds import Layout
from rulelang.scenarios.workshop import Impossible

FULL, RUNNING, PAUSED, EMPTY = range(len(TIMER.labels))


def set_timer(
    program: Program, number: int, cells: Sequence[Any], state: int | None, left: int | None
) -> Iterator[tuple[int, int]]:
    """The slots of a timer's markers with what they say, from its state and what is left (ms), as far as they are said.

    If only what is left is said, a timer that runs goes on running, and one that does not stays at rest. Raises
    Impossible if what is said of it does not go together.
    """
    timer = program.timers[number]
    layout = Layout.of(program)
    now, end = (cells[layout.families[slot].base] for slot in (cast(int, program.clock), timer.end))
    never = kinds.none_code(cast(OptionalType, cast(Marker, program.slots[timer.end]).type))
    full = kinds.bound(timer.full)
    if state is None:
        assert left is not None  # one of them is said
        runs, rest = end != never, left
    elif state == PAUSED and left is None:
        raise Impossible(f"'{timer.name}' is paused: say what is left, such as 'left of {timer.name} is {full // 2}'")
    else:
        runs = state == RUNNING
        rest = left if left is not None else 0 if state == EMPTY else full
    low, high = _range(state, runs, full)
    if not low <= rest <= high:
        word = "" if state is None else f" is {TIMER.labels[state]} and"
        raise Impossible(f"'{timer.name}'{word} has {rest} ms left: that is not possible, it is {_between(low, high)}")
    yield timer.left, rest
    yield timer.end, now + rest if runs else never


def _range(state: int | None, runs: bool, full: int) -> tuple[int, int]:
    """The least and the most that can be left."""
    match state:
        case _ if runs:
            return 1, full
        case _ if state == FULL:
            return full, full
        case _ if state == EMPTY:
            return 0, 0
        case _ if state == PAUSED:
            return 1, full - 1
        case _:
            return 0, full


def _between(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"
