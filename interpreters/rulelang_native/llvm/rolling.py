"""Roll-outs by a compiled program: what `rulelang.play.monte_carlo` says of a state and its answers, to the bit."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import attrs

from rulelang import limits
from rulelang.play import monte_carlo
from rulelang.play.chance import MASK, Stream
from rulelang.play.engine import Draw, NoRoom
from rulelang.play.event import Answer
from rulelang_native import endings
from rulelang_native.llvm.growing import SearchPrinter
from rulelang_native.llvm.machine import POINTER, WORD
from rulelang_native.llvm.noticing import WORDS
from rulelang_native.llvm.playing import COMPILING, LINE
from rulelang_native.llvm.rehearsing import Attempts, Rehearsal
from rulelang_native.llvm.shaping import ROWS
from rulelang_native.llvm.states import CompiledState, States
from rulelang_native.llvm.steps import (
    ASKED,
    CHANCE,
    LEFT,
    NODE,
    R_COUNT,
    R_DRAWN,
    R_NODE,
    R_NUMBERS,
    R_STATUS,
    SEALED,
    SEAT,
    UNFINISHED,
    URN,
    WAITS,
)
from rulelang_native.llvm.support import BASE, FIRST, MOST, MOST_POOLS, POOLS, TOP, UNSEEN
from rulelang_native.llvm.trees import Growth
from rulelang_native.lowering.failing import NotLowered
from rulelang_native.runtime import machine as runtime

if TYPE_CHECKING:
    from rulelang.play.trace import Glimpse
    from rulelang.play.uct import Known
    from rulelang_native.game import Game
    from rulelang_native.state import Frame, State


TRIED = 0.0002
"""About how many CPU seconds printed Python needs to try a step and to look at what a seat is shown then."""


@attrs.frozen
class Saved:
    """A state laid out for a compiled program, and apart from it the rows that it holds."""

    state: array[int] | bytes
    rows: array[int] | bytes
    base: int
    """Where those lie."""


Started = tuple[int, int, int | None, tuple[int, ...]]
"""A frame that is under way: which, where play goes on behind it, and if it belongs to joint answers the node where
they were given and the frames of those that wait."""


class Steps(States):
    """A program compiled as steps, that rolls out. Raises NotLowered if something in it has no form in LLVM."""

    printer = SearchPrinter
    printed: SearchPrinter

    @cached_property
    def key(self) -> array[int]:
        """Room for the words of keys."""
        return array("q", bytes(8 * WORDS))

    # -------------------------------------------------------------- laying out

    def saved(self, state: State | CompiledState) -> Saved:
        """A state that waits, laid out. Raises NotLowered if it stands where play does not come to by itself."""
        if isinstance(state, CompiledState):
            return Saved(state.words, state.rows, state.word(BASE))
        printer = self.printed
        laid = _Laid(array("q", self.begun), array("q"), self.begun[BASE // 8])
        laid.state[MOST // 8] = limits.EVENT_COST
        if len(state.pools) > MOST_POOLS:
            raise NotLowered("there are more pools of unseen cards than a compiled state has room for")
        laid.state[POOLS // 8] = len(state.pools)
        for number, pool in enumerate(state.pools):
            laid.row(pool, FIRST + 16 * number)
        cell = 0
        for slot, cells in enumerate(printer.module.around.slots):
            values = state.cells[cell : cell + cells.members]
            cell += cells.members
            where, planes = printer.places.slots[slot], printer.planes.get(slot)
            layout = printer.bags.get(slot)
            if layout is not None:
                for member, row in enumerate(values):
                    word = layout.word(row)
                    if word is None:
                        raise NotLowered("there are more pieces in a bag than there were on the table")
                    laid.bits(word, 64, where + 8 * member)
            elif planes is not None:
                for value in range(planes.values):
                    bits = sum(1 << place for place, each in enumerate(values) if each == planes.low + value)
                    laid.bits(bits, planes.word, where + value * planes.word // 8)
            elif cells.row:
                for member, row in enumerate(values):
                    laid.row(row, where + 16 * member)
            else:
                for member, number in enumerate(values):
                    laid.state[where // 8 + member] = number
        self._lay_frames(state, laid)
        node = state.node_number
        decision = printer.module.decisions.get(node)
        laid.state[(printer.waits + NODE) // 8] = node
        kind = CHANCE if decision is None else SEAT if decision.kind == "seat" else SEALED
        laid.state[(printer.waits + WAITS) // 8] = kind
        laid.row(state.asked if decision is not None else (), printer.waits + ASKED)
        laid.row(state.urn if decision is None else (), printer.waits + URN)
        laid.state[TOP // 8] = laid.top
        return Saved(laid.state, laid.rows, laid.base)

    def _lay_frames(self, state: State, laid: _Laid) -> None:
        """Frames, where play goes on behind each, and answers that have not taken effect yet."""
        printer, frames = self.printed, state.frames
        for place in printer.pending.values():
            laid.state[place // 8] = laid.state[place // 8 + 1] = 0
        started = self._started(frames, 1, 0, ())
        if started is None or frames[0][0] != 0:
            raise NotLowered("a frame stands where play does not come to by itself")
        for number, goes_on_at, node, waiting in started:
            laid.state[printer.returns[frames[number][0]] // 8] = goes_on_at
            if node is not None:
                self._lay_waiting(node, [frames[each] for each in reversed(waiting)], laid)
        for number in (0, *[each[0] for each in started]):
            procedure, _, locals = frames[number]
            for local, value in enumerate(locals):
                where = printer.places.locals[procedure, local]
                if printer.local_kind(procedure, local) in ROWS:
                    laid.row(() if isinstance(value, int) else value, where)
                else:
                    laid.state[where // 8] = cast("int", value)

    def _started(
        self, frames: Sequence[Frame], number: int, under: int, waiting: tuple[int, ...]
    ) -> list[Started] | None:
        """Which frames, from one on, are under way; the others are answers that have not taken effect yet.

        ``under`` is the last frame before that is under way, ``waiting`` the answers above it. None if play does not
        come to stand so.
        """
        if number == len(frames):
            return None if waiting else []
        printer, (procedure, _, _) = self.printed, frames[number]
        if procedure in printer.over_frames:
            known = {label: each for each, label in printer.goes_on_at.get(procedure, ())}
            node = self._node_of(frames[under], [frames[each][0] for each in (*waiting, number)])
            ways: list[tuple[int | None, int | None]] = (
                [] if waiting else [(None, known.get("b{}_{}".format(*frames[under])))]
            )
            ways += [] if node is None else [(node, known.get(f"effects{node}"))]
            for at, goes_on_at in ways:
                rest = None if goes_on_at is None else self._started(frames, number + 1, number, ())
                if rest is not None and procedure not in [frames[each[0]][0] for each in rest]:
                    assert goes_on_at is not None
                    return [(number, goes_on_at, at, waiting), *rest]
        return self._started(frames, number + 1, under, (*waiting, number))

    def _node_of(self, under: Frame, effects: list[int]) -> int | None:
        """The node of joint answers behind which a frame goes on, and whose moves have these effects."""
        module = self.printed.module
        for node in sorted(self.printed.pending):
            decision = module.decisions[node]
            own = {module.effects[move] for move in decision.moves}
            if decision.next == under[1] and self.printed.procedure_of(node) == under[0] and own.issuperset(effects):
                return node
        return None

    def _lay_waiting(self, node: int, frames: list[Any], laid: _Laid) -> None:
        """Answers that wait at a node, the next one first."""
        printer = self.printed
        module = printer.module
        at = printer.pending[node] // 8
        laid.state[at] = len(frames)
        for number, (procedure, _, locals) in enumerate(frames):
            entry = at + 2 + number * (printer.stride + 1)
            moves = module.decisions[node].moves
            move = next(each for each in moves if module.effects[each] == procedure)
            laid.state[entry], laid.state[entry + 1] = locals[0], move
            for place in range(len(module.around.moves[move].rows)):
                value = locals[1 + place]
                if isinstance(value, tuple):
                    laid.row(value, 8 * (entry + 2 + 2 * place))
                else:
                    laid.state[entry + 2 + 2 * place] = value

    # -------------------------------------------------------------- roll-outs

    def roll_outs(
        self, state: State | CompiledState, answers: Sequence[Answer], draw: Stream, horizon: int
    ) -> list[Fraction]:
        """What each answer is worth in a roll-out, one after the other. Spec 15.1."""
        saved, seat = self.saved(state), answers[0].seat
        stride, seats = self.printed.stride, self.game.seats
        entries, rows = array("q", bytes(8 * stride * len(answers))), array("q")
        held: list[tuple[int, int, int]] = []
        for number, answer in enumerate(answers):
            entry = self.game.entry_of(answer)
            entries[number * stride] = -1 if entry is None else entry[0]
            for place, value in enumerate(entry[1:] if entry is not None else ()):
                at = number * stride + 1 + 2 * place
                if isinstance(value, tuple):
                    held.append((at, len(rows), len(value)))
                    rows.extend(value)
                else:
                    entries[at] = value
        address = rows.buffer_info()[0]
        for at, first, count in held:
            entries[at], entries[at + 1] = address + 8 * first, count
        words = R_NUMBERS + seats
        results = array("q", bytes(8 * words * len(answers)))
        drawn = array("q", (draw.drawn,))
        worths: list[Fraction] = []
        known: dict[bytes, Fraction] = {}
        """What results are worth that have come before: there are few."""
        while len(worths) < len(answers):
            self._roll(saved, seat, entries, len(worths), len(answers) - len(worths), draw.key, drawn, horizon, results)
            for number in range(len(answers) - len(worths)):
                at = number * words
                if results[at + R_STATUS] == LEFT:
                    draw.drawn = results[at + R_DRAWN]
                    twin: Any = getattr(state, "twin", cast(Any, state))
                    worths.append(monte_carlo.roll_out(twin, answers[len(worths)], draw, horizon))
                    drawn[0] = draw.drawn
                    break
                if results[at + R_STATUS] == UNFINISHED:
                    worths.append(monte_carlo.UNFINISHED)
                else:
                    told = results[at + R_NODE : at + R_NUMBERS + results[at + R_COUNT]].tobytes()
                    worth = known.get(told)
                    if worth is None:
                        numbers = tuple(results[at + R_NUMBERS : at + R_NUMBERS + results[at + R_COUNT]])
                        kind = endings.kind_of(self.game.program.nodes[results[at + R_NODE]])
                        worth = known[told] = endings.outcome(kind, numbers, seats).returns[seat]
                    worths.append(worth)
        draw.drawn = drawn[0]
        return worths

    def played_out(self, state: Any, draw: Stream, horizon: int) -> tuple[Fraction, ...] | None:
        """What each seat gets if everything from here is random; None if there is no end in time."""
        if state.outcome is not None:
            return cast("tuple[Fraction, ...]", state.outcome.returns)
        words = array("q", bytes(8 * (R_NUMBERS + self.game.seats)))
        drawn = array("q", (draw.drawn,))
        self._roll(
            self.saved(state), -1, array("q", bytes(8 * self.printed.stride)), 0, 1, draw.key, drawn, horizon, words
        )
        if words[R_STATUS] == LEFT:
            return monte_carlo.stepwise(getattr(state, "twin", state), draw, horizon)
        draw.drawn = drawn[0]
        if words[R_STATUS] == UNFINISHED:
            return None
        kind = endings.kind_of(self.game.program.nodes[words[R_NODE]])
        numbers = tuple(words[R_NUMBERS : R_NUMBERS + words[R_COUNT]])
        return endings.outcome(kind, numbers, self.game.seats).returns

    def _roll(
        self,
        saved: Saved,
        seat: int,
        entries: array[int],
        first: int,
        count: int,
        key: int,
        drawn: array[int],
        horizon: int,
        results: array[int],
    ) -> None:
        function = self._code.function(
            "roll_outs",
            *[POINTER, POINTER, WORD, POINTER, POINTER, WORD, WORD],
            *[POINTER, WORD, WORD, POINTER, WORD, POINTER, POINTER, POINTER],
        )
        state, rows = bytes(saved.state), bytes(saved.rows)
        with self.alone:
            self._held = None
            function(
                self.work.state,
                state,
                len(state),
                saved.base,
                rows,
                len(rows),
                seat & MASK,
                entries.buffer_info()[0] + 8 * first * self.printed.stride,
                count,
                key,
                drawn.buffer_info()[0],
                horizon,
                self.work.offers,
                self.given.buffer_info()[0],
                results.buffer_info()[0],
            )


@attrs.define
class _Laid:
    """A state that is laid out: its words, those of its rows, and where the rows will lie."""

    state: array[int]
    rows: array[int]
    base: int

    @property
    def top(self) -> int:
        """Where the next row will lie."""
        return self.base + 8 * len(self.rows)

    def row(self, row: tuple[Any, ...], where: int) -> None:
        """A row, of numbers or of rows."""
        self.state[where // 8], self.state[where // 8 + 1] = self._laid(row)

    def _laid(self, row: tuple[Any, ...]) -> tuple[int, int]:
        if row and isinstance(row[0], tuple):
            words = [word for each in row for word in self._laid(each)]
        else:
            words = [each if each > runtime.UNSEEN else UNSEEN + each - runtime.UNSEEN for each in row]
        where = self.top
        self.rows.extend(words)
        return where, len(row)

    def bits(self, bits: int, word: int, where: int) -> None:
        """A word of bits, 64 at a time, the lowest first."""
        for part in range(word // 64):
            low = bits >> 64 * part & (1 << 64) - 1
            self.state[where // 8 + part] = low - (1 << 64) if low >> 63 else low


class Roller:
    """Rolls out the states of one game: by printed Python first, and compiled once that has cost as much."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._steps: Steps | None = None
        self._left = COMPILING + LINE * game.module.source.count("\n") if game.compiles else float("inf")
        """CPU seconds that printed Python still has before the game is compiled."""

    def roll_outs(
        self, state: State | CompiledState, answers: Sequence[Answer], draw: Draw, horizon: int
    ) -> list[Fraction]:
        """What each answer is worth in a roll-out, one after the other."""
        if isinstance(draw, Stream) and answers:
            if self._left <= 0:
                self._compile()
            if self._steps is not None:
                try:
                    return self._steps.roll_outs(state, answers, draw, horizon)
                except NotLowered:
                    pass
        begun = time.process_time()
        twin: Any = getattr(state, "twin", state)
        worths = [monte_carlo.roll_out(twin, answer, draw, horizon) for answer in answers]
        self._left -= time.process_time() - begun
        return worths

    def played_out(self, state: Any, draw: Draw, horizon: int) -> tuple[Fraction, ...] | None:
        """What each seat gets if everything from here is random."""
        if isinstance(draw, Stream):
            if self._left <= 0:
                self._compile()
            if self._steps is not None:
                try:
                    return self._steps.played_out(state, draw, horizon)
                except NotLowered:
                    pass
        begun = time.process_time()
        returns = monte_carlo.stepwise(getattr(state, "twin", state), draw, horizon)
        self._left -= time.process_time() - begun
        return returns

    def hastened(self, states: Sequence[State]) -> Sequence[CompiledState] | None:
        """The same line in compiled states; None if there are none, or compiling is not worth while yet."""
        count = len(states)
        changes = 64 + 4 * count * count.bit_length()
        self._left -= TRIED * changes * count / 2  # what dealing anew takes printed Python, once
        if self._left <= 0:
            self._compile()
        if self._steps is None:
            return None
        try:
            return self._steps.line(states)
        except (NotLowered, NoRoom):
            return None

    def growth(self, seat: int, horizon: int, known: Known) -> Growth | None:
        """A tree that grows by compiled rounds; None if that is not worth while yet, or if there is none."""
        if self._left <= 0:
            self._compile()
        if self._steps is None:
            return None
        try:
            return Growth(self._steps, seat, horizon, known)
        except (NotLowered, MemoryError):
            return None

    def rehearsal(
        self, states: Sequence[CompiledState], trace: Sequence[Glimpse], seat: int | None
    ) -> Rehearsal | None:
        """A line that is changed and played on in one call each; None if it is not one of compiled states."""
        steps = self._steps
        if steps is None or steps.printed.shown is None or any(state.states is not steps for state in states):
            return None
        return Rehearsal(steps, states, trace, seat)

    def attempts(self, state: CompiledState, trace: Sequence[Glimpse], seat: int | None) -> Attempts | None:
        """What tries events from states like this one in one call each; None if it is no compiled state."""
        steps = self._steps
        if steps is None or steps.printed.shown is None or state.states is not steps:
            return None
        return Attempts(steps, trace, seat)

    def _compile(self) -> None:
        """Compile, once."""
        if self._steps is not None or self._left == float("inf"):
            return
        try:
            self._steps = Steps(self._game)
            self._left = 0.0
        except NotLowered:
            self._left = float("inf")
