"""Games in table time by automatic players, without a state or an answer object in between. Spec 11.4.

Each game is the one that a match plays with the same seed, number and players (`rulelang.play.simulating`): the same
proposals by the same draws, the same readings and expiries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from rulelang.diagnostics.codes import DEAD_END
from rulelang.failures import Exhausted
from rulelang.ir.program import Marker
from rulelang.ir.types import OptionalType, SeatType
from rulelang.limits import LAST_TIME, RECORD_EVENTS
from rulelang.play import kinds
from rulelang.play.agents import LONGEST, SHORTEST
from rulelang.play.chance import PLAYERS, Stream, match_key, mix
from rulelang.play.lengths import too_late, too_long
from rulelang.play.playouts import GameSummary
from rulelang.play.reasons import placed
from rulelang_native.endings import outcome_of
from rulelang_native.playing import MANY, chosen, drawn_outcome, sealed_answers, too_many
from rulelang_native.runtime.machine import Entry, Machine
from rulelang_native.runtime.module import Decision
from rulelang_native.state import preferred_place

if TYPE_CHECKING:
    from rulelang_native.game import Game

Proposal = tuple[int, int, Entry]
"""When, who, and what."""


def playout_in_time(
    game: Game,
    seed: int,
    number: int,
    advised: tuple[bool, ...],
    look: Callable[[list[Any]], None] | None = None,
) -> GameSummary:
    """One game from its start to its end; somebody may look at the cells wherever it waits."""
    return Playing(game, seed, number, advised).play(look)


class Clock:
    """Where a program keeps its time, by cells."""

    def __init__(self, game: Game) -> None:
        program, families = game.program, game.layout.families
        self.cell = -1 if program.clock is None else families[program.clock].base
        self.timers: list[tuple[int, int, int]] = []
        """Of each timer, the cells of what is left and of its end, and what the end says while it does not run."""
        for timer in program.timers:
            never = kinds.none_code(cast(OptionalType, cast(Marker, program.slots[timer.end]).type))
            self.timers.append((families[timer.left].base, families[timer.end].base, never))

    def due(self, cells: list[Any]) -> tuple[int, int] | None:
        """The timer that runs out next, and when; of equal times the first."""
        found: tuple[int, int] | None = None
        for number, (_, end, never) in enumerate(self.timers):
            time = cells[end]
            if time != never and time <= LAST_TIME and (found is None or time < found[1]):
                found = number, time
        return found

    def run_out(self, machine: Machine, decisions: dict[int, Decision], timer: int, time: int) -> None:
        """The timer is empty; open play goes on behind its decision."""
        left, end, never = self.timers[timer]
        machine.c[self.cell], machine.c[left], machine.c[end] = time, 0, never
        frame = machine.frames[-1]
        decision = decisions.get(frame[1])
        if decision is not None and decision.kind == "anyone":
            if decision.answered is not None:
                frame[2][decision.answered] = kinds.none_code(SeatType())
            frame[1] = decision.next


class Playing:
    """One game under way."""

    def __init__(self, game: Game, seed: int, number: int, advised: tuple[bool, ...]) -> None:
        self.game = game
        self.module = game.module
        self.number = number
        self.advised = advised
        self.machine = game.beginning()
        self.clock = Clock(game)
        self.key = match_key(seed, number)
        self.keys = [mix(self.key, PLAYERS + seat) for seat in range(game.seats + 1)]
        self.counts = [0] * (game.seats + 1)
        self.begun: list[int | None] = [None] * (game.seats + 1)
        """Of each seat, when its decision began."""
        self.looked: Proposal | None = None
        """What somebody is about to do who has looked at the clock for it."""
        self.length = self.outcomes = self.answered = 0

    @property
    def now(self) -> int:
        """Table time, in milliseconds."""
        return self.machine.c[self.clock.cell] if self.clock.cell >= 0 else 0

    def play(self, look: Callable[[list[Any]], None] | None) -> GameSummary:
        """To the end; somebody may look at the cells wherever it waits."""
        machine = self.machine
        total = machine.cost
        self._waited(())
        if look is not None:
            look(machine.c)
        while machine.over < 0:
            if self.length >= RECORD_EVENTS:
                raise too_long(self.game.program, machine.frames[-1][1], self.number, RECORD_EVENTS)
            machine.cost = 0
            seats = self._event()
            self.length += 1
            machine.advance()
            total += machine.cost
            self._waited(seats)
            if look is not None:
                look(machine.c)
        outcome = outcome_of(machine)
        return GameSummary(
            self.number,
            outcome.kind,
            outcome.winners,
            outcome.returns,
            self.length,
            self.answered,
            total,
            self.now,
        )

    # ------------------------------------------------------------------ what happens

    def _event(self) -> tuple[int, ...]:
        """The next thing that happens; the seats whose answers it is."""
        machine = self.machine
        decision = self.module.decisions.get(machine.frames[-1][1])
        if decision is None:
            drawn_outcome(machine, mix(self.key, self.outcomes))
            self.outcomes += 1
            return ()
        if decision.kind == "anyone":
            return self._in_open_play(decision)
        if decision.kind == "seat":
            seat = machine.asked[0]
            found = self._listed(decision, seat)
            entry = chosen(self.game, machine, seat, found, self.keys[seat], self.counts, self.advised[seat])
            answers = [(seat, entry)]
        else:
            answers = sealed_answers(self.game, machine, decision, self.keys, self.counts, self.advised)
        asked = machine.asked
        machine.carry_out(decision, answers)
        for seat in asked:
            self.counts[seat] += 1
        self.answered += len(asked)
        return asked

    def _in_open_play(self, decision: Decision) -> tuple[int, ...]:
        """The earliest of what players propose, or the next timer; whoever acts looks at the clock before."""
        first, self.looked = self.looked, None
        if first is None or first[2] not in self._listed(decision, first[1]):  # else it came too late
            first, due = self._proposal(decision), self.clock.due(self.machine.c)
            if due is not None and (first is None or due[1] <= first[0]):
                self.clock.run_out(self.machine, self.module.decisions, *due)
                return ()
            if first is None:
                words = "Nobody does anything here, and no timer runs."
                raise placed(Exhausted(DEAD_END.number, words), self.game.program.nodes[self.machine.frames[-1][1]].at)
            if self.clock.cell >= 0 and first[0] > self.now:
                if first[0] > LAST_TIME:
                    raise too_late(self.game.program, self.machine.frames[-1][1], first[0])
                self.machine.c[self.clock.cell] = first[0]
                self.looked = first
                return ()
        _, seat, entry = first
        self.machine.carry_out(decision, [(seat, entry)])
        self.counts[seat] += 1
        self.answered += 1
        return (seat,)

    def _proposal(self, decision: Decision) -> Proposal | None:
        """What comes first of all that players propose; of equal times, by the order in which they are asked."""
        first: Proposal | None = None
        now = self.now
        for seat in self.machine.asked:
            found = self._listed(decision, seat)
            if not found:
                continue
            if len(found) >= MANY:
                raise too_many(self.game, self.machine)
            place = preferred_place(self.game, self.machine.c, seat, found) if self.advised[seat] else None
            if place is None and self.advised[seat] and decision.unhurried:
                continue
            draw = Stream(self._decision_key(seat))
            delay = SHORTEST + draw.below(LONGEST - SHORTEST + 1)
            if place is None:
                place = draw.below(len(found)) if len(found) > 1 else 0
            began = self.begun[seat]
            time = now + max(0, delay - (0 if began is None or self.clock.cell < 0 else now - began))
            if first is None or time < first[0]:
                first = time, seat, cast(Entry, found[place])
        return first

    def _decision_key(self, seat: int) -> int:
        key = mix(self.keys[seat], self.counts[seat])
        return key if self.clock.cell >= 0 else mix(key, self.length)

    # ------------------------------------------------------------------ who has waited how long

    def _listed(self, decision: Decision, seat: int) -> list[Entry | None]:
        found: list[Any] = []
        for move in decision.moves:
            self.module.listings[move](self.machine.c, seat, found, MANY)
        if decision.may_pass:
            found.append(None)
        return found

    def _waited(self, answered: tuple[int, ...]) -> None:
        """Note whose decision has ended, and whose has begun, as `rulelang.play.simulating.Waits` does."""
        for seat in answered:
            self.begun[seat] = None
        machine = self.machine
        decision = self.module.decisions.get(machine.frames[-1][1]) if machine.over < 0 else None
        if decision is None:
            return
        for seat in range(len(self.begun)):
            if seat in machine.asked:
                if self._can_act(decision, seat):
                    if self.begun[seat] is None:
                        self.begun[seat] = self.now
                else:
                    self.begun[seat] = None
            elif decision.kind == "anyone":
                self.begun[seat] = None

    def _can_act(self, decision: Decision, seat: int) -> bool:
        """Whether an asked seat could do anything; where it may as well do nothing, anything that is advised."""
        if self.advised[seat] and decision.unhurried:
            found = self._listed(decision, seat)
            return preferred_place(self.game, self.machine.c, seat, found) is not None
        if decision.may_pass or decision.speaks:
            return True
        some: list[Any] = []
        for move in decision.moves:
            self.module.listings[move](self.machine.c, seat, some, 1)
            if some:
                return True
        return False
