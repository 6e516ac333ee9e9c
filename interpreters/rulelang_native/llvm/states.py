"""States of a compiled program: stepped, listed and compared without an object for each card.

They are made for dealing anew (`rulelang.play.resample`), where thousands of steps are tried for each that is kept. A
compiled state answers everything that an engine's state answers; what it does not know itself, its twin says: the state
of printed Python that the same events lead to.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache, wraps
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from rulelang import limits
from rulelang.failures import Exhausted, Refused
from rulelang.ir.expressions import Expression, Local, Read, Slot
from rulelang.ir.program import Nobody, Parameter, Program
from rulelang.play.acceptance import not_waited_for
from rulelang.play.engine import Draw, NoRoom
from rulelang.play.event import Answer, Event, Outcome, Pass, Play, Sealed, lapsed
from rulelang.play.outcome import GameOutcome
from rulelang.play.view import Observed
from rulelang.play.waiting import Waiting
from rulelang_native import endings
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import AT_ONCE, POINTER, WORD
from rulelang_native.llvm.steps import (
    ASKED,
    CHANCE,
    COUNT,
    LOG,
    LOGGED,
    MOST_LOGGED,
    NODE,
    NUMBERS,
    OVER,
    SEALED,
    SEAT,
    UP,
    URN,
    WAITS,
    StepPrinter,
    shown_to_all,
)
from rulelang_native.llvm.support import BASE, END, FAILED, GAVE_UP, TOP
from rulelang_native.lowering.failing import NotLowered
from rulelang_native.runtime.machine import Entry
from rulelang_native.state import Moves

if TYPE_CHECKING:
    from rulelang_native.game import Game
    from rulelang_native.state import State

Logged = tuple[int, Entry | None, tuple[int, ...]]
"""An answer that was carried out: the seat, the answer as listings offer it (None: a pass), and of each parameter which
seats are shown it, as bits, if that depends on zones (`StepPrinter.shown_by`)."""

Method = TypeVar("Method", bound=Callable[..., Any])

ROOM = 1 << 20
"""Words that a view has room for."""


def _alone(method: Method) -> Method:
    """A method that nobody else works beside."""

    @wraps(method)
    def locked(self: States, *given: Any, **more: Any) -> Any:
        with self.alone:
            return method(self, *given, **more)

    return cast(Method, locked)


class States(Compiled):
    """A program compiled as steps, and a place to work in. Raises NotLowered if something in it has no form."""

    printer = StepPrinter
    printed: StepPrinter

    def __init__(self, game: Game, level: int = AT_ONCE, **more: Any) -> None:
        super().__init__(game, level, **more)
        self.game = game
        printer = self.printed
        stride = printer.stride
        self.work = self._memory()
        self.size = printer.places.size
        self.laid = (ctypes.c_int64 * (self.size // 8)).from_buffer(self.work.state)
        self.given = array("q", bytes(8 * max(1, game.seats) * (1 + stride)))
        self.log = array("q", bytes(8 * MOST_LOGGED * printer.log_stride))
        self.seen = (ctypes.c_int64 * ROOM)()
        """Where views are written down."""
        self.laid[(printer.waits + LOG) // 8] = self.log.buffer_info()[0]
        self.begun = array("q", self.laid)
        """A state before it is laid out."""
        self.alone = threading.RLock()
        """Held by whoever works: there is one place to work in, and threads may play the same game."""
        self._held: CompiledState | None = None
        """The state that lies in the place to work in."""

    @cached_property
    def shown(self) -> tuple[tuple[bool, ...], ...]:
        """For each parameter of each move whether all are shown it; else who moves is, and who is written down.

        Raises NotLowered.
        """
        return _shown(self.game.program)

    # -------------------------------------------------------------- lines

    def line(self, states: Sequence[State]) -> list[CompiledState]:
        """The states that the same events lead to. Raises NotLowered, NoRoom."""
        _ = self.shown
        line = [self.start()]
        for state in states[1:]:
            assert state.event is not None
            line.append(self.step(line[-1], state.event))
        return line

    # -------------------------------------------------------------- for batches

    def function(self, name: str, *kinds: Any, gives: Any = None) -> Callable[..., Any]:
        """A function of the program."""
        return self._code.function(name, *kinds, gives=gives)

    def begin(self) -> bytes:
        """The first waiting state and its rows."""
        first = self.start()
        return first.words + first.rows

    def listed(self, state: bytes, rows: bytes, seat: int) -> tuple[Entry | None, ...]:
        """What a seat can answer in a state that is given as bytes."""
        return self.entries(CompiledState(self, state, rows, (), None, None), seat)

    def forget(self) -> None:
        """Somebody else has worked here."""
        self._held = None

    # -------------------------------------------------------------- states

    @_alone
    def start(self) -> CompiledState:
        """The first waiting state."""
        self._held = None
        ctypes.memmove(self.work.state, self.begun.buffer_info()[0], self.size)
        self._code.function("start", POINTER, POINTER)(self.work.state, self.work.offers)
        return self._kept(None, None)

    @_alone
    def step(self, state: CompiledState, event: Event) -> CompiledState:
        """The state after an event. Raises Refused, Exhausted, NoRoom."""
        self.hold(state)
        event = in_one_form(event, state.kind == "sealed" and state.waiting.first_only)
        self._give(state, event)
        self._held = None
        self._code.function("go", POINTER, POINTER, POINTER)(
            self.work.state, self.given.buffer_info()[0], self.work.offers
        )
        return self._kept(state, event)

    def hold(self, state: CompiledState) -> None:
        """Lay a state where work is done."""
        if self._held is not state:
            self._held = None
            ctypes.memmove(self.work.state, state.words, self.size)
            ctypes.memmove(self.laid[BASE // 8], state.rows, len(state.rows))
            self._held = state

    def _kept(self, previous: CompiledState | None, event: Event | None) -> CompiledState:
        """What the last step has come to."""
        laid, waits = self.laid, self.printed.waits // 8
        if laid[waits + WAITS // 8] == UP:
            self._look()
            raise Exhausted("RL8022", "A limit of the language was reached.")
        self._code.function("compact", POINTER)(self.work.state)
        base = laid[BASE // 8]
        state = CompiledState(
            self,
            ctypes.string_at(self.work.state, self.size),
            ctypes.string_at(base, laid[TOP // 8] - base),
            self._logged(laid[waits + LOGGED // 8]),
            previous,
            event,
        )
        self._held = state
        return state

    def _look(self) -> None:
        """Raise what a step was given up for."""
        why = self.laid[FAILED // 8]
        if why not in (0, GAVE_UP):
            raise NoRoom
        raise Exhausted("RL8022", "A limit of the language was reached.")

    def _logged(self, count: int) -> tuple[Logged, ...]:
        stride = self.printed.log_stride
        found: list[Logged] = []
        for at in range(0, count * stride, stride):
            bits = self.log[at + 1 + self.printed.stride : at + stride]
            found.append((self.log[at], self._entry(self.log, at + 1), tuple(bits)))
        return tuple(found)

    def _entry(self, words: Any, at: int) -> Entry | None:
        """An answer as listings offer it."""
        move = words[at]
        if move < 0:
            return None
        values: list[Any] = [move]
        for place, row in enumerate(self.printed.module.around.moves[move].rows):
            first, second = words[at + 1 + 2 * place], words[at + 2 + 2 * place]
            values.append(_row_at(first, second) if row else first)
        return tuple(values)

    # -------------------------------------------------------------- what is asked of one

    @_alone
    def row(self, state: CompiledState, offset: int) -> tuple[int, ...]:
        """A row of what a state says about its wait."""
        self.hold(state)
        at = (self.printed.waits + offset) // 8
        return _row_at(self.laid[at], self.laid[at + 1])

    @_alone
    def entries(self, state: CompiledState, seat: int) -> tuple[Entry | None, ...]:
        """What a seat can answer. Raises Exhausted, NoRoom."""
        self.hold(state)
        count = self._code.function("answers", POINTER, WORD, POINTER, WORD, gives=ctypes.c_int64)(
            self.work.state, seat, self.work.offers, limits.LISTED_MOVES + 1
        )
        self._held = None  # a listing leaves rows behind, and perhaps a mark
        if self.laid[FAILED // 8] or not 0 <= count <= limits.LISTED_MOVES:
            self._look()
        stride = self.printed.stride
        offers = (ctypes.c_int64 * max(1, stride * count)).from_buffer(self.work.offers)
        return tuple(self._entry(offers, at * stride) for at in range(count))

    @_alone
    def view(self, state: CompiledState, seat: int | None) -> bytes:
        """What a seat (None: a spectator) sees, in words. Raises NoRoom if that is too much."""
        self.hold(state)
        viewer = self.game.seats if seat is None else seat
        count = self._code.function("view", POINTER, WORD, POINTER, WORD, gives=ctypes.c_int64)(
            self.work.state, viewer, self.seen, ROOM
        )
        if count < 0 or self.laid[FAILED // 8]:
            self._held = None
            raise NoRoom
        return ctypes.string_at(self.seen, 8 * count)

    # -------------------------------------------------------------- giving

    def _give(self, state: CompiledState, event: Event) -> None:
        """Put down what goes on with. Raises Refused for what is not waited for or is not legal."""
        waits = state.kind
        if isinstance(event, Outcome):
            if waits != "chance" or event.value not in state.urn:
                raise not_waited_for(cast(Any, state), f"the outcome {event.value}")
            self.given[0] = event.value
            return
        if isinstance(event, Sealed):
            if waits != "sealed" or tuple(answer.seat for answer in event.answers) != state.asked:
                raise not_waited_for(cast(Any, state), "these answers")
            answers = event.answers
        else:
            if waits != "seat" or not isinstance(event, Play | Pass) or (event.seat,) != state.asked:
                raise not_waited_for(cast(Any, state), "this answer")
            answers = (event,)
        stride = self.printed.stride
        for number, answer in enumerate(answers):
            at = number * (stride + 1)
            self.given[at] = answer.seat
            entry = self.game.entry_of(answer)
            self.given[at + 1] = -1 if entry is None else entry[0]
            for place, value in enumerate(entry[1:] if entry is not None else ()):
                where = at + 2 + 2 * place
                if isinstance(value, tuple):
                    self.given[where], self.given[where + 1] = self._laid(value), len(value)
                else:
                    self.given[where] = value
            self._held, top = None, self.laid[TOP // 8]
            legal = self._code.function("legal", POINTER, WORD, POINTER, POINTER, gives=ctypes.c_int64)(
                self.work.state, answer.seat, self.given.buffer_info()[0] + 8 * (at + 1), self.work.offers
            )
            if legal < 0 or self.laid[FAILED // 8]:  # too many to be listed, for instance, which a step need not do
                raise NoRoom
            if not legal:
                raise Refused(state.refusals(answer))
            self.laid[TOP // 8] = top  # what was listed is needed no more

    def _laid(self, row: tuple[int, ...]) -> int:
        """Lay a row where rows lie: its address."""
        where = self.laid[TOP // 8]
        end = where + 8 * len(row)
        if end > self.laid[END // 8]:
            raise NoRoom
        words = array("q", row)  # it must be there while it is copied
        ctypes.memmove(where, words.buffer_info()[0], 8 * len(row))
        self.laid[TOP // 8] = end
        return where


def in_one_form(event: Event, first_only: bool) -> Event:
    """An event as it is kept: of a window what lapsed is passed."""
    return Sealed(lapsed(event.answers)) if first_only and isinstance(event, Sealed) else event


def _row_at(where: int, count: int) -> tuple[int, ...]:
    """A row that lies somewhere in memory."""
    return tuple((ctypes.c_int64 * count).from_address(where)) if count else ()


@lru_cache(4096)
def part(count: int, of: int) -> Fraction:
    return Fraction(count, of)


def _shown(program: Program) -> tuple[tuple[bool, ...], ...]:
    """For each parameter of each move, whether all are shown what is answered, else only who moves. Spec 8.7.

    Raises NotLowered where that depends on more than who moves.
    """
    return tuple(tuple(_all_shown(program, parameter) for parameter in move.parameters) for move in program.moves)


def shown_or_none(program: Program) -> tuple[tuple[bool, ...], ...] | None:
    """The same; None where it depends on more."""
    try:
        return _shown(program)
    except NotLowered:
        return None


def _is_mover(value: Expression) -> bool:
    return isinstance(value, Local) and value.number == 0


def _all_shown(program: Program, parameter: Parameter) -> bool:
    for read in parameter.named_places if not shown_to_all(program, parameter) else ():
        if isinstance(read, Read) and not isinstance(program.slots[read.place.slot].sight.content, Nobody):
            place = read.place
            if not isinstance(place, Slot) or not place.indices or not _is_mover(place.indices[0]):
                raise NotLowered("who is shown an answer depends on more than who moves")
    return shown_to_all(program, parameter)


class CompiledState:
    """One position of one game, as an engine's state (`rulelang.play.engine.Hasty`)."""

    hasty: Literal[True] = True

    def __init__(
        self,
        states: States,
        words: bytes,
        rows: bytes,
        logged: tuple[Logged, ...] | None,
        previous: CompiledState | None,
        event: Event | None,
    ) -> None:
        self.states = states
        self.words = words
        """The bytes of the state."""
        self.rows = rows
        """The used part of its arena."""
        self.previous = previous
        self.event = event
        self._logged = logged
        """The answers that were carried out; None if that was not written down, and must be played once more."""
        self._entries: dict[int, tuple[Entry | None, ...]] = {}
        self._moves: dict[int, Moves] = {}
        self._twin: State | None = None

    @property
    def game(self) -> Game:
        """The configured game this is a position of."""
        return self.states.game

    def word(self, offset: int) -> int:
        """A word of the state, counted in bytes."""
        return int.from_bytes(self.words[offset : offset + 8], sys.byteorder, signed=True)

    def _word(self, offset: int) -> int:
        """A word about its wait."""
        return self.word(self.states.printed.waits + offset)

    # -------------------------------------------------------------- what it waits for

    @cached_property
    def kind(self) -> Literal["chance", "seat", "sealed", "over"]:
        """What it waits for."""
        return KINDS[self._word(WAITS)]

    @cached_property
    def asked(self) -> tuple[int, ...]:
        """The asked seats."""
        return self.states.row(self, ASKED) if self.kind in ("seat", "sealed") else ()

    @cached_property
    def urn(self) -> tuple[int, ...]:
        """All outcomes, each as often as it is likely."""
        return self.states.row(self, URN) if self.kind == "chance" else ()

    @cached_property
    def waiting(self) -> Waiting:
        """Who or what must act; without the words, which the twin says."""
        node = self._word(NODE)
        if self.kind in ("over", "chance"):
            return Waiting("over" if self.kind == "over" else "chance", node=node)
        decision = self.game.module.decisions[node]
        return Waiting(decision.kind, self.asked, decision.moves, decision.may_pass, decision.first_only, node)

    @cached_property
    def outcome(self) -> GameOutcome | None:
        """The result if the game is over."""
        if self.kind != "over":
            return None
        game = self.game
        first = (self.states.printed.waits + NUMBERS) // 8
        numbers = tuple(memoryview(self.words).cast("q")[first : first + self._word(COUNT)])
        return endings.outcome(endings.kind_of(game.program.nodes[self._word(NODE)]), numbers, game.seats)

    @property
    def now(self) -> int:
        """There is no clock."""
        return 0

    @property
    def deadline(self) -> tuple[int, int] | None:
        """There is no timer."""
        return None

    # -------------------------------------------------------------- answers and chance

    def entries(self, seat: int) -> tuple[Entry | None, ...]:
        """Every legal answer of an asked seat as listings offer it."""
        if seat not in self._entries:
            if seat not in self.asked:
                return ()
            self._entries[seat] = self.states.entries(self, seat)
        return self._entries[seat]

    def moves(self, seat: int) -> Sequence[Answer]:
        """Every legal answer of an asked seat in number order, a pass last; empty for a seat that is not asked."""
        if seat not in self._moves:
            entries = self.entries(seat)
            if not entries:
                return ()
            self._moves[seat] = Moves(self.game, seat, entries)
        return self._moves[seat]

    def step(self, event: Event) -> CompiledState:
        """The state after the event. Raises Refused, Exhausted."""
        return self.states.step(self, event)

    def chance(self) -> tuple[tuple[int, Fraction], ...]:
        """The exact outcomes and their probabilities, in code order; empty when not waiting for chance."""
        many = len(self.urn)
        return tuple((code, part(count, many)) for code, count in sorted(Counter(self.urn).items()))

    def weight(self, value: int) -> Fraction:
        """The probability of one outcome."""
        return part(self.urn.count(value), len(self.urn))

    def sample(self, draw: Draw) -> int:
        """One outcome by one bounded draw."""
        return self.urn[draw.below(len(self.urn))]

    # -------------------------------------------------------------- what seats are shown

    def glimpse(self, seat: int | None) -> bytes:
        """What the seat (None: a spectator) sees now, in words that are compared and never read."""
        return self.states.view(self, seat)

    def observed_since(self, seat: int | None) -> tuple[Observed, ...]:
        """The moves that the seat has observed in the step that led here."""
        if self._logged is None:
            assert self.previous is not None and self.event is not None
            self._logged = self.states.step(self.previous, self.event)._logged
        if not self._logged:
            return ()
        found: list[Observed] = []
        program = self.game.program
        decision = None if self.previous is None else self.game.module.decisions.get(self.previous.waiting.node)
        for mover, entry, bits in self._logged:
            if entry is None:
                private = decision is not None and any(program.moves[move].private for move in decision.moves)
                if mover == seat or not private:
                    found.append(Observed(mover, None, ()))
                continue
            if mover != seat and program.moves[entry[0]].private:
                continue
            answer = cast(Play, self.game.answer_of(mover, entry))
            shown = [
                every
                or mover == seat
                or (
                    seat is not None
                    and bool(self.states.printed.shown_by[entry[0]][place])
                    and bool(bits[place] >> seat & 1)
                )
                for place, every in enumerate(self.states.shown[entry[0]])
            ]
            arguments = zip(answer.arguments, shown, strict=True)
            found.append(Observed(mover, entry[0], tuple(code if is_shown else None for code, is_shown in arguments)))
        return tuple(found)

    # -------------------------------------------------------------- the twin

    @property
    def twin(self) -> State:
        """The state of printed Python that the same events lead to."""
        line: list[CompiledState] = [self]
        while line[-1]._twin is None and line[-1].previous is not None:
            line.append(line[-1].previous)
        first = line.pop()
        twin = first._twin
        if twin is None:
            twin = first._twin = self.game.start()
        for state in reversed(line):
            assert state.event is not None
            twin = state._twin = twin.step(state.event)
        return twin

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.twin, name)


class KeptState(CompiledState):
    """A state that was put down among others (`replaying.py`): how many bytes of rows, the state, its rows. Most are
    never looked at."""

    def __init__(self, states: States, blob: bytes, at: int, previous: CompiledState, event: Event | None) -> None:
        self._blob, self._at = blob, at
        self.states, self.previous, self.event = states, previous, event
        self._logged = None
        self._entries, self._moves, self._twin = {}, {}, None

    @cached_property
    def words(self) -> bytes:  # type: ignore[override]
        first = self._at + 8
        return self._blob[first : first + self.states.size]

    @cached_property
    def rows(self) -> bytes:  # type: ignore[override]
        used = int.from_bytes(self._blob[self._at : self._at + 8], sys.byteorder)
        first = self._at + 8 + self.states.size
        return self._blob[first : first + used]


KINDS: dict[int, Literal["chance", "seat", "sealed", "over"]] = {
    CHANCE: "chance",
    SEAT: "seat",
    SEALED: "sealed",
    OVER: "over",
}
