"""A scenario being played: events are carried out, chance gives what it is told, whoever is not mentioned passes."""

from collections.abc import Sequence

from rulelang.failures import Refused
from rulelang.ir.effects import Land, SetMarker
from rulelang.ir.expressions import Read
from rulelang.ir.nodes import AnyOf, Branch, Chance, Do, TopOf
from rulelang.ir.program import Marker, Program, Zone
from rulelang.ir.types import RecordType, Type
from rulelang.limits import LAST_TIME
from rulelang.play.chance import Stream, mix
from rulelang.play.engine import Game, State
from rulelang.play.event import Answer, Expiry, Outcome, Pass
from rulelang.play.match import Match
from rulelang.play.refusal import Refusal
from rulelang.play.times import clock_text, expiry_text
from rulelang.play.words import move_text
from rulelang.scenarios.workshop import Workshop


class Table:
    """A match from a position on, with a list of what happened in words."""

    def __init__(self, shop: Workshop, game: Game, seed: int, start: State) -> None:
        self.shop = shop
        self.match = Match(game, seed, start=start)
        self.told: list[str] = []
        self.states: list[State] = [start]

    @property
    def state(self) -> State:
        """Where play stands."""
        return self.match.state

    # -------------------------------------------------------------- events

    def advance_chance(self) -> None:
        """Let chance decide, by the scenario's seed, until somebody must act."""
        while self.state.waiting.kind == "chance":
            before, said = len(self.match.events), self.gives()
            outcome = self._sample()
            self.match.apply(Outcome(outcome))
            self._note(before)
            if said is not None:
                self.told[-1] = f"chance gives {self.shop.say(said, outcome)} (by the seed)"

    def gives(self) -> Type | None:
        """The kind of what chance decides now, as far as the node or what follows it tells."""
        return kind_of_chance(self.shop.program, self.state.waiting.node)

    def _sample(self) -> int:
        key = mix(mix(self.match.seed, len(self.match.events)), 0)
        return self.state.sample(Stream(key))

    def give(self, code: int) -> None:
        """Chance gives this. Raises Refused."""
        before = len(self.match.events)
        self.match.force(code)
        self._note(before)

    def read(self, time: int) -> tuple[Refusal, ...]:
        """It is so late now (ms): timers that are due run out, then the clock is read. Why it is refused, if it is.

        Chance decides before time goes on; at the moment itself it may still be told what to give.
        """
        ran_out = False
        while True:
            due = self.state.deadline
            runs_out = due is not None and due[1] <= time <= LAST_TIME  # what is no time changes nothing
            if self.state.waiting.kind == "chance" and (runs_out or time > self.match.now):
                self.advance_chance()
            elif runs_out:
                before, ran_out = len(self.match.events), True
                self.match.expire()
                self._note(before)
            else:
                break
        if ran_out and self.state.outcome is not None:
            return ()
        before = len(self.match.events)
        try:
            self.match.read(time)
        except Refused as refused:
            return tuple(reason for reason in refused.reasons if isinstance(reason, Refusal))
        self._note(before)
        return ()

    def submit(self, answer: Answer) -> None:
        """A seat answers. Raises Refused."""
        before = len(self.match.events)
        self.match.submit(answer)
        if len(self.match.events) == before:
            self.told.append(f"{self._act(answer)} (sealed)")
        self._note(before, answer)

    def _note(self, before: int, answer: Answer | None = None) -> None:
        """Remember what has happened since there were so many events."""
        for event in self.match.events[before:]:
            if isinstance(event, Outcome):
                self.told.append("chance decides")
            elif isinstance(event, Expiry):
                self.told.append(f"{clock_text(self.match.now)} {expiry_text(self.shop.program, event)}")
            elif answer is not None:
                self.told.append(self._act(answer))
        self.states += _since(self.state, len(self.match.events) - before)

    def _act(self, answer: Answer) -> str:
        """What somebody does, and when, in words."""
        time = "" if self.shop.program.clock is None else f"{clock_text(self.match.now)} "
        return f"{time}{self.shop.seat_name(answer.seat)}: {self.text(answer)}"

    def text(self, answer: Answer) -> str:
        """A move in words."""
        return self.shop.named(move_text(self.shop.program, answer))

    # -------------------------------------------------------------- passing

    def make_way(self, answer: Answer) -> bool:
        """Whoever is asked, may pass and is not mentioned passes, until this move is asked for; whether anybody did.

        That may be the same seat: who draws a card has not stepped in before.
        """
        for passed in range(4 * len(self.shop.players)):
            self.advance_chance()
            waiting = self.state.waiting
            wanted = isinstance(answer, Pass) or answer.move in waiting.moves
            if not waiting.may_pass or (answer.seat in self.match.missing and wanted):
                return passed > 0
            self._pass(self.match.missing)
        return True

    def all_pass(self) -> None:
        """Whoever is asked and may pass does, each seat at most once."""
        passed: set[int] = set()
        while True:
            self.advance_chance()
            asked = [seat for seat in self.match.missing if seat not in passed]
            if not self.state.waiting.may_pass or not asked:
                return
            passed.update(asked)
            self._pass(asked)

    def _pass(self, seats: Sequence[int]) -> None:
        for seat in seats:
            self.submit(Pass(seat))

    # -------------------------------------------------------------- attempts

    def reasons(self, answer: Answer) -> tuple[Refusal, ...]:
        """Why an answer is refused; nothing if it would be taken."""
        try:
            return self.match.explain(answer)
        except Refused as refused:
            return tuple(reason for reason in refused.reasons if isinstance(reason, Refusal))


def _since(state: State, count: int) -> list[State]:
    """The last so many states, oldest first."""
    found: list[State] = []
    for _ in range(count):
        found.append(state)
        assert state.previous is not None  # it came from an event
        state = state.previous
    return found[::-1]


def kind_of_chance(program: Program, number: int) -> Type | None:
    """The kind of what chance decides at a node of a closed program, as far as it or what follows it tells."""
    node = program.nodes[number]
    if not isinstance(node, Chance):
        return None
    match node.distribution:
        case TopOf(pile=place) | AnyOf(collection=Read(place=place)):
            slot = program.slots[place.slot]
            return slot.content if isinstance(slot, Zone) else None
    following = program.nodes[node.next]
    if isinstance(following, Branch):  # whether there was anything to roll from
        following = program.nodes[following.otherwise]
    match following:
        case Do(effect=SetMarker(marker=place)):
            slot = program.slots[place.slot]
            return slot.type if isinstance(slot, Marker) else None
        case Do(effect=Land(type=RecordType(fields=fields))):
            return fields[-1].type
        case _:
            return None
