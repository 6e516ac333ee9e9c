"""Changed lines of compiled states, each played on in one call (`replaying.py`)."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

from rulelang.play.engine import NoRoom
from rulelang.play.event import Event, Expiry, Outcome, Reading, Sealed
from rulelang.play.trace import Glimpse
from rulelang_native.llvm.keys import Keys
from rulelang_native.llvm.machine import POINTER, WORD
from rulelang_native.llvm.replaying import (
    ANSWERS,
    DIFFERS,
    E_WORDS,
    FITS,
    OUTCOME,
    SMALL,
    UNKNOWN,
    W_WORDS,
    X_VIEWED,
    X_WORDS,
)
from rulelang_native.llvm.states import ROOM, CompiledState, KeptState, in_one_form, part
from rulelang_native.llvm.support import BASE

if TYPE_CHECKING:
    from rulelang_native.llvm.rolling import Steps

CERTAIN: Final = Fraction(1)
BYTES: Final = 1 << 16
"""Bytes that the states of a line have room for at first."""


class _Shown:
    """What a seat (None: a spectator) is shown, one glimpse after the other, and events, in words."""

    def __init__(self, steps: Steps, trace: Sequence[Glimpse], seat: int | None) -> None:
        self._steps = steps
        self._keys = Keys(steps.game)
        self._viewer = steps.game.seats if seat is None else seat
        self._seen = [
            (array("q", cast(bytes, each.view)), array("q", self._keys.behind_words(each.since))) for each in trace
        ]
        self._shown = array("q", bytes(8 * X_WORDS * (len(trace) + 1)))
        self._shown[X_WORDS * len(trace) + X_VIEWED] = -1  # behind the last there is nothing, which is like nothing
        for index, (view, noticed) in enumerate(self._seen):
            words = (view.buffer_info()[0], len(view), noticed.buffer_info()[0], len(noticed))
            self._shown[X_WORDS * index : X_WORDS * (index + 1)] = array("q", words)
        self._out = ctypes.create_string_buffer(BYTES)

    def _laid(self, event: Event) -> tuple[array[int], Any]:
        """An event as words, and what they point to."""
        if isinstance(event, Outcome):
            return array("q", (OUTCOME, event.value, 0)), None
        if isinstance(event, Reading | Expiry):
            raise NoRoom
        answers = event.answers if isinstance(event, Sealed) else (event,)
        stride, held = self._steps.printed.stride, []
        words = array("q", bytes(8 * (stride + 1) * len(answers)))
        for number, answer in enumerate(answers):
            at = number * (stride + 1)
            entry = self._steps.game.entry_of(answer)
            words[at], words[at + 1] = answer.seat, -1 if entry is None else entry[0]
            for place, value in enumerate(entry[1:] if entry is not None else ()):
                where = at + 2 + 2 * place
                if isinstance(value, tuple):
                    held.append(array("q", value))
                    words[where], words[where + 1] = held[-1].buffer_info()[0], len(value)
                else:
                    words[where] = value
        return array("q", (ANSWERS, words.buffer_info()[0], len(answers))), (words, held)

    def _larger(self) -> None:
        self._out = ctypes.create_string_buffer(2 * len(self._out))


class Attempts(_Shown):
    """Single events, tried from any states."""

    def attempt(self, state: CompiledState, event: Event, shown: int) -> tuple[CompiledState, bool] | None:
        """The state after an event if the seat is then shown nothing new behind a glimpse, or the next one (True).
        Raises NoRoom.
        """
        steps = self._steps
        event = in_one_form(event, isinstance(event, Sealed) and state.waiting.first_only)
        words, _held = self._laid(event)
        function = steps.function(
            "attempt",
            *[POINTER, POINTER, WORD, POINTER, POINTER, WORD, WORD, POINTER, POINTER, POINTER, POINTER],
            *[POINTER, WORD, POINTER, POINTER, WORD],
            gives=ctypes.c_int64,
        )
        with steps.alone:
            steps.forget()
            status: int = function(
                *(steps.work.state, state.words, len(state.words), state.word(BASE), state.rows, len(state.rows)),
                *(self._viewer, words.buffer_info()[0], self._shown.buffer_info()[0] + 8 * X_WORDS * shown),
                *(steps.work.offers, steps.given.buffer_info()[0], steps.seen, ROOM, steps.key.buffer_info()[0]),
                *(self._out, len(self._out)),
            )
        if status == SMALL:
            self._larger()
            return self.attempt(state, event, shown)
        if status == UNKNOWN:
            raise NoRoom
        if status == DIFFERS:
            return None
        size = 8 + steps.size + ctypes.c_int64.from_buffer(self._out).value
        return KeptState(steps, ctypes.string_at(self._out, size), 0, state, event), status == FITS


class Rehearsal(_Shown):
    """A line, and what a seat (None: a spectator) is shown at each of its states."""

    def __init__(
        self, steps: Steps, states: Sequence[CompiledState], trace: Sequence[Glimpse], seat: int | None
    ) -> None:
        super().__init__(steps, trace, seat)
        count = len(states)
        self._events = array("q", bytes(8 * E_WORDS * count))
        self._weights = array("q", bytes(8 * W_WORDS * count))
        self._held: list[Any] = [None] * count
        """The words that the events point to."""
        self._first_only = [state.kind == "sealed" and state.waiting.first_only for state in states]
        for index in range(1, count):
            self._put(index, *self._laid(cast(Event, states[index].event)))
        self.line = [state.event for state in states]

    def replay(
        self, before: CompiledState, first: int, changed: Mapping[int, Event]
    ) -> tuple[list[CompiledState], list[Fraction]] | None:
        """The states from one on, if they follow from the state before it by the events of the line, some of them
        changed, and show the same; and how likely each event was. Raises NoRoom.
        """
        changed = self._in_one_form(changed)
        kept = {index: (self._events[E_WORDS * index : E_WORDS * (index + 1)], self._held[index]) for index in changed}
        for index, event in changed.items():
            self._put(index, *self._laid(event))
        status = SMALL
        while status == SMALL:
            status = self._replay(before, first)
            if status == SMALL:
                self._larger()
        found = None
        if status not in (DIFFERS, UNKNOWN):
            found = self._states(before, first, changed), self._likely(first)
        for index, (words, held) in kept.items():
            self._put(index, words, held)
        if status == UNKNOWN:
            raise NoRoom
        return found

    def keep(self, changed: Mapping[int, Event]) -> None:
        """These events are those of the line from now on."""
        for index, event in self._in_one_form(changed).items():
            self.line[index] = event
            self._put(index, *self._laid(event))

    # -------------------------------------------------------------- events

    def _in_one_form(self, changed: Mapping[int, Event]) -> dict[int, Event]:
        return {index: in_one_form(event, self._first_only[index - 1]) for index, event in changed.items()}

    def _put(self, index: int, words: array[int], held: Any) -> None:
        self._events[E_WORDS * index : E_WORDS * (index + 1)] = words
        self._held[index] = held

    # -------------------------------------------------------------- playing on

    def _replay(self, before: CompiledState, first: int) -> int:
        steps = self._steps
        function = steps.function(
            "replay",
            *[POINTER, POINTER, WORD, POINTER, POINTER, WORD, WORD, POINTER, POINTER, WORD, POINTER, POINTER],
            *[POINTER, WORD, POINTER, POINTER, POINTER, WORD],
            gives=ctypes.c_int64,
        )
        with steps.alone:
            steps.forget()
            status: int = function(
                *(steps.work.state, before.words, len(before.words), before.word(BASE), before.rows, len(before.rows)),
                *(self._viewer, self._events.buffer_info()[0] + 8 * E_WORDS * first),
                *(self._shown.buffer_info()[0] + 8 * X_WORDS * first, len(self._held) - first),
                *(steps.work.offers, steps.given.buffer_info()[0], steps.seen, ROOM, steps.key.buffer_info()[0]),
                *(self._weights.buffer_info()[0] + 8 * W_WORDS * first, self._out, len(self._out)),
            )
        return status

    def _states(self, before: CompiledState, first: int, changed: Mapping[int, Event]) -> list[CompiledState]:
        """The states that were put down."""
        size, state, at = self._steps.size, before, 0
        places = [0]
        for _ in range(first, len(self._held)):
            at += 8 + size + ctypes.c_int64.from_buffer(self._out, at).value
            places.append(at)
        blob = ctypes.string_at(self._out, at)
        found: list[CompiledState] = []
        for index, place in zip(range(first, len(self._held)), places, strict=False):
            state = KeptState(self._steps, blob, place, state, changed.get(index, self.line[index]))
            found.append(state)
        return found

    def _likely(self, first: int) -> list[Fraction]:
        """How likely each event was."""
        found: list[Fraction] = []
        for index in range(first, len(self._held)):
            if self._events[E_WORDS * index] == OUTCOME:
                found.append(part(*self._weights[W_WORDS * index : W_WORDS * (index + 1)]))
            else:
                found.append(CERTAIN)
        return found
