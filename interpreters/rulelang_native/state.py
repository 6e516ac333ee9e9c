"""States: the values that a machine has come to wait at. A step never changes the state it starts from. Spec 9.4."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from rulelang import limits
from rulelang.diagnostics.codes import COST_EXHAUSTED, TOO_MANY_MOVES
from rulelang.ir.expressions import Value
from rulelang.ir.nodes import Decide, Node
from rulelang.play.engine import Draw
from rulelang.play.event import Answer, Event
from rulelang.play.formulas import Context
from rulelang.play.outcome import GameOutcome
from rulelang.play.position import Position
from rulelang.play.reasons import exhausted, placed
from rulelang.play.refusal import Refusal
from rulelang.play.view import InformationState, Observed, View
from rulelang.play.waiting import Waiting
from rulelang.play.words import say
from rulelang_native.endings import outcome_of
from rulelang_native.runtime.machine import Done, Entry, Machine

if TYPE_CHECKING:
    from rulelang_native.game import Game

Frame = tuple[int, int, tuple[Value, ...]]
"""A running procedure: its number, the node where it goes on, and what it remembers."""


class State:
    """One position of one game."""

    def __init__(self, game: Game, machine: Machine) -> None:
        self.game = game
        pools = machine.pools
        while pools and not pools[-1]:
            pools.pop()
        self.cells: tuple[Any, ...] = tuple(machine.c)
        self.pools = tuple(pools)
        self.frames: tuple[Frame, ...] = tuple([(each[0], each[1], tuple(each[2])) for each in machine.frames])
        self.asked = machine.asked
        self.urn = machine.urn
        with game.module.blame.watching():
            self.outcome: GameOutcome | None = outcome_of(machine) if machine.over >= 0 else None
        self.done: tuple[Done, ...] = tuple(machine.done or ())
        self.cost = machine.cost
        self.previous: State | None = None
        self.event: Event | None = None
        self.seen_before: dict[int | None, tuple[Observed, ...]] = {}
        """What seats have observed up to here, if that was asked of no later state yet."""
        self._listed: dict[int, tuple[Entry | None, ...]] = {}
        self._moves: dict[int, Moves] = {}
        if self.node_number in game.uneasy_words:
            with game.module.blame.watching(self.node.at):
                _ = self.waiting  # words that cannot be said stop the step, not the state

    def machine(self) -> Machine:
        """A step that begins with this state."""
        frames = [[procedure, node, list(locals)] for procedure, node, locals in self.frames]
        machine = Machine(self.game.module, list(self.cells), list(self.pools), frames)
        machine.done = []
        return machine

    @property
    def node_number(self) -> int:
        """The node that waits or ended the game."""
        return self.frames[-1][1]

    @property
    def node(self) -> Node:
        """The node itself."""
        return self.game.program.nodes[self.frames[-1][1]]

    def context(self) -> Context:
        """What words are said in."""
        return Context(self.game.program, self.game.layout, self.cells, list(self.frames[-1][2]))

    @cached_property
    def waiting(self) -> Waiting:
        """Who or what must act."""
        number = self.node_number
        if self.outcome is not None:
            return Waiting("over", node=number)
        decision = self.game.module.decisions.get(number)
        if decision is None:
            return Waiting("chance", node=number)
        node = self.node
        assert isinstance(node, Decide)
        words = "" if node.words is None else say(self.game.program, node.words, self.context())
        return Waiting(decision.kind, self.asked, decision.moves, decision.may_pass, decision.first_only, number, words)

    @property
    def now(self) -> int:
        """Table time of the last reading or expiry, in milliseconds; 0 in games without a clock."""
        from rulelang_native.clock import now

        return now(self)

    @property
    def deadline(self) -> tuple[int, int] | None:
        """The timer that runs out next and when; None if none runs or the game is over."""
        from rulelang_native.clock import deadline

        return deadline(self)

    # ------------------------------------------------------------------ answers

    def entries(self, seat: int) -> tuple[Entry | None, ...]:
        """Every legal answer of an asked seat as listings offer it, a pass (None) last."""
        if seat not in self._listed:
            if seat not in self.asked or self.outcome is not None:
                return ()
            with self.game.module.blame.watching(self.node.at):
                found = self.game.module.listed(self.cells, self.node_number, seat, limits.LISTED_MOVES + 1)
                if len(found) > limits.LISTED_MOVES:
                    raise exhausted(TOO_MANY_MOVES, limit=limits.LISTED_MOVES)
            self._listed[seat] = tuple(found)
        return self._listed[seat]

    def count(self, seat: int) -> int:
        """How many legal answers an asked seat has."""
        return len(self.entries(seat))

    def unrank(self, seat: int, place: int) -> Answer:
        """The legal answer at a place of the order, counted from 0: none behind it is looked for. Raises IndexError."""
        if seat in self._listed or seat not in self.asked or self.outcome is not None:
            return self.game.answer_of(seat, self.entries(seat)[place])
        if not 0 <= place < limits.LISTED_MOVES:
            raise IndexError(place)
        with self.game.module.blame.watching(self.node.at):
            found = self.game.module.listed(self.cells, self.node_number, seat, place + 1)
        return self.game.answer_of(seat, found[place])

    def moves(self, seat: int) -> Sequence[Answer]:
        """Every legal answer of an asked seat in number order, a pass last; empty for a seat that is not asked."""
        if seat not in self._moves:
            entries = self.entries(seat)
            if not entries:
                return ()
            self._moves[seat] = Moves(self.game, seat, entries)
        return self._moves[seat]

    def preferred(self, seat: int) -> Answer | None:
        """The legal answer of an asked seat that the rules advise, None if they advise none. Raises Exhausted."""
        place = preferred_place(self.game, self.cells, seat, self.entries(seat))
        return None if place is None else self.unrank(seat, place)

    def refusals(self, answer: Answer) -> tuple[Refusal, ...]:
        """Every reason against an attempt by any seat at any time, in order; empty if it is legal."""
        from rulelang_native.attempts import refusals

        return refusals(self, answer)

    def step(self, event: Event) -> State:
        """The state after the event. Raises Refused (nothing has happened), Exhausted (nothing has happened)."""
        from rulelang_native.steps import step

        return step(self, event)

    # ------------------------------------------------------------------ chance

    def chance(self) -> tuple[tuple[int, Fraction], ...]:
        """The exact outcomes and their probabilities, in code order; empty when not waiting for chance."""
        return tuple((code, Fraction(times, len(self.urn))) for code, times in sorted(Counter(self.urn).items()))

    def sample(self, draw: Draw) -> int:
        """One outcome by one bounded draw (of the total weight), without listing."""
        return self.urn[draw.below(len(self.urn))]

    # ------------------------------------------------------------------ what seats see

    def view(self, seat: int | None) -> View:
        """What the seat (None: a spectator) sees now."""
        from rulelang_native.sight import view

        return view(self, seat)

    def observed(self, seat: int | None) -> tuple[Observed, ...]:
        """The moves this seat has observed since the start, oldest first."""
        from rulelang_native.sight import observed

        return observed(self, seat)

    def information(self, seat: int | None) -> InformationState:
        """View and observed moves together."""
        return InformationState(self.view(seat), self.observed(seat))

    # ------------------------------------------------------------------ saving

    def position(self) -> Position:
        """What lies and is written everywhere, seen or not, and where play stands."""
        from rulelang_native.positions import written_down

        return written_down(self)

    def to_bytes(self) -> bytes:
        """Canonical bytes in slot order."""
        from rulelang_native.saving import write

        return write(self)

    @property
    def hash(self) -> str:
        """SHA-256 of the bytes, hexadecimal."""
        return hashlib.sha256(self.to_bytes()).hexdigest()


class Moves(Sequence[Answer]):
    """The legal answers of a seat in their order; each is made when it is asked for."""

    __slots__ = ("_entries", "_game", "_seat")

    def __init__(self, game: Game, seat: int, entries: tuple[Entry | None, ...]) -> None:
        self._game = game
        self._seat = seat
        self._entries = entries

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, place: int) -> Answer: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Answer]: ...

    def __getitem__(self, place: int | slice) -> Answer | Sequence[Answer]:
        if isinstance(place, slice):
            return Moves(self._game, self._seat, self._entries[place])
        return self._game.answer_of(self._seat, self._entries[place])

    def __eq__(self, other: object) -> bool:
        """Whether they are the same answers in the same order, whatever holds them."""
        if not isinstance(other, Sequence) or len(self) != len(other):
            return NotImplemented if not isinstance(other, Sequence) else False
        return all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))


def preferred_place(game: Game, cells: Any, seat: int, entries: Sequence[Entry | None]) -> int | None:
    """Which of the legal answers the rules advise, by its place in their order; None if they advise none. Spec 15.1."""
    with game.module.blame.watching():
        return _preferred(game, cells, seat, entries)


def _preferred(game: Game, cells: Any, seat: int, entries: Sequence[Entry | None]) -> int | None:
    module = game.module
    spent = 0
    for number, (preference, cost) in enumerate(zip(game.program.preferences, module.advice_costs, strict=True)):
        fitting = [
            place for place, entry in enumerate(entries) if (None if entry is None else entry[0]) == preference.move
        ]
        spent += cost * len(fitting)
        if spent > limits.EVENT_COST:
            raise placed(exhausted(COST_EXHAUSTED, limit=limits.EVENT_COST), preference.at)
        ranks_of = module.functions[f"preference{number}"]
        best: int | None = None
        most: tuple[int, ...] = ()
        for place in fitting:
            entry = entries[place]
            ranks = ranks_of(cells, seat, *(entry[1:] if entry is not None else ()))
            if ranks and (best is None or ranks > most):
                best, most = place, ranks
        if best is not None:
            return best
    return None
