"""What one seat, or a spectator, sees happen: the moves it observes and what changes on the table before its eyes.

Everything comes from `view` and `observed`. Chance is told only by what it visibly changed.
"""

from collections.abc import Iterator
from typing import Any

import attrs

from rulelang.ir.program import Program
from rulelang.play import kinds
from rulelang.play.engine import State
from rulelang.play.event import Expiry, Outcome, Reading
from rulelang.play.times import clock_text, timer_slots
from rulelang.play.view import Observed
from rulelang.play.words import place_name, seat_name, speak
from rulelang.tools.table import on_board, on_edges, seen_in, timer_words, value_words


@attrs.frozen
class Change:
    """One place of the table that looks different now."""

    place: str
    value: str
    drawn: bool
    """Whether it is drawn on a board, and so need not be said."""


@attrs.frozen
class Step:
    """One event as it was seen. Readings of the clock are no steps; they are counted, as they are in records."""

    number: int
    """Counted from 1."""
    chance: bool
    moves: tuple[Observed, ...]
    changes: tuple[Change, ...]
    time: int | None = None
    """Table time in milliseconds; None in a game without a clock."""
    timer: str | None = None
    """The timer that has run out, if that is what happened."""


class Narrator:
    """Tells the events of a game to one seat (None: a spectator), each once."""

    def __init__(self, program: Program, seat: int | None, start: State) -> None:
        self._program = program
        self._seat = seat
        self._number = 0
        self._timers = timer_slots(program)
        self.jump(start)

    def jump(self, state: State) -> None:
        """Go on from another state, after acts were taken back."""
        self._state = state
        self._seen = seen_in(state.view(self._seat))
        self._observed = len(state.observed(self._seat))

    def rewind(self, state: State) -> None:
        """An act was taken back: what was told of it is forgotten, what was not told yet is not."""
        current: State | None = state
        while current is not None and current is not self._state:
            current = current.previous
        if current is None:
            self.jump(state)

    def until(self, state: State) -> Iterator[Step]:
        """The steps from what was told last to this state, which must come after it."""
        path: list[State] = []
        current: State | None = state
        while current is not None and current is not self._state:
            path.append(current)
            current = current.previous
        for each in reversed(path):
            if isinstance(each.event, Reading):
                self._number += 1
                self._state = each  # what a reading changes besides is told with the next step
            else:
                yield self._step(each)

    def _step(self, state: State) -> Step:
        observed = state.observed(self._seat)
        seen = seen_in(state.view(self._seat))
        changes = tuple(
            Change(
                place_name(self._program, *key),
                value_words(self._program, self._program.slots[key[0]], parts),
                on_board(self._program.slots[key[0]]) or on_edges(self._program.slots[key[0]]),
            )
            for key, parts in seen.items()
            if self._seen.get(key) != parts and key[0] not in self._timers
        )
        program, event = self._program, state.event
        expired = event.timer if isinstance(event, Expiry) else None
        turned = tuple(
            Change(timer.name, timer_words(program, number, seen), False)
            for number, timer in enumerate(program.timers)
            if number != expired and any(self._seen.get((s, 0)) != seen[s, 0] for s in (timer.left, timer.end))
        )
        self._number += 1
        step = Step(
            self._number,
            isinstance(event, Outcome),
            observed[self._observed :],
            changes + turned,
            None if program.clock is None else state.now,
            None if expired is None else program.timers[expired].name,
        )
        self._state, self._seen, self._observed = state, seen, len(observed)
        return step


def observed_words(program: Program, observed: Observed) -> str:
    """A move as it was observed; a question mark for what was not shown."""
    return f"{seat_name(observed.seat, kinds.seat_count(program))}: {observed_move(program, observed)}"


def observed_move(program: Program, observed: Observed) -> str:
    """The same without who it was."""
    if observed.move is None:
        return "pass"
    name = program.moves[observed.move].name
    arguments = observed_arguments(program, observed)
    return f"{name}({', '.join('?' if each is None else each for each in arguments)})" if arguments else name


def observed_arguments(program: Program, observed: Observed) -> list[str | None]:
    """The answers of a move in words, None for those that were not shown."""
    if observed.move is None:
        return []
    parameters = program.moves[observed.move].parameters
    return [
        None if code is None else speak(program, parameter.type, code)
        for parameter, code in zip(parameters, observed.arguments, strict=True)
    ]


def step_lines(program: Program, step: Step, *, numbered: bool = True) -> Iterator[str]:
    """A step for people; nothing if nothing was to be seen."""
    said = [observed_words(program, each) for each in step.moves]
    changed = "; ".join(f"{each.place}: {each.value}" for each in step.changes if not each.drawn)
    if step.chance and not said and any(each.drawn for each in step.changes) and not changed:
        changed = "; ".join(f"{each.place}: {each.value}" for each in step.changes)
    if step.timer is not None:
        said = [f"the {step.timer.replace('_', ' ')} is empty"]
    elif not said and changed:
        said = ["chance"] if step.chance else ["then"]
    time = "" if step.time is None else f"{clock_text(step.time)} "
    for place, line in enumerate(said):
        number = f"{step.number:>4}  " if numbered and place == 0 else " " * (6 if numbered else 2)
        tail = f"   [{changed}]" if changed and place == len(said) - 1 else ""
        yield f"{number}{time}{line}{tail}"


def step_json(program: Program, step: Step) -> dict[str, Any]:
    """A step for programs: one object for an event."""
    timed: dict[str, Any] = {} if step.time is None else {"time": step.time}
    if step.timer is not None:
        timed["timer"] = step.timer
    return {
        "type": "chance" if step.chance else "move" if step.timer is None else "expiry",
        "event": step.number,
        **timed,
        "moves": [
            {
                "seat": each.seat + 1,
                "move": None if each.move is None else program.moves[each.move].name,
                "arguments": observed_arguments(program, each),
                "text": observed_move(program, each),
            }
            for each in step.moves
        ],
        "changes": [{"place": each.place, "value": each.value} for each in step.changes],
    }
