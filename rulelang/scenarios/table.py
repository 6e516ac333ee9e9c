"""A scenario being played: events are carried out, chance gives what it is told, whoever is not mentioned passes."""

from collections.abc import Sequence

from rulelang.failures import Refused
from rulelang.play.chance import Stream, mix
from rulelang.play.engine import Game, State
from rulelang.play.event import Answer, Outcome, Pass
from rulelang.play.match import Match
from rulelang.play.refusal import Refusal
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
            before = len(self.match.events)
            self.match.apply(Outcome(self._sample()))
            self._note(before)

    def _sample(self) -> int:
        key = mix(mix(self.match.seed, len(self.match.events)), 0)
        return self.state.sample(Stream(key))

    def give(self, code: int) -> None:
        """Chance gives this. Raises Refused."""
        before = len(self.match.events)
        self.match.force(code)
        self._note(before)

    def submit(self, answer: Answer) -> None:
        """A seat answers. Raises Refused."""
        before = len(self.match.events)
        self.match.submit(answer)
        if len(self.match.events) == before:
            self.told.append(f"{self.shop.players[answer.seat].name}: {self.text(answer)} (sealed)")
        self._note(before, answer)

    def _note(self, before: int, answer: Answer | None = None) -> None:
        for event in self.match.events[before:]:
            if isinstance(event, Outcome):
                self.told.append("chance decides")
            elif answer is not None:
                self.told.append(f"{self.shop.players[answer.seat].name}: {self.text(answer)}")
        if len(self.match.events) > before:
            self.states.append(self.state)

    def text(self, answer: Answer) -> str:
        """A move in words."""
        return self.shop.named(move_text(self.shop.program, answer))

    # -------------------------------------------------------------- passing

    def make_way(self, seat: int) -> None:
        """Whoever is asked, may pass and is not mentioned passes, until this seat is asked."""
        for _ in range(4 * len(self.shop.players)):
            self.advance_chance()
            if seat in self.match.missing or not self.state.waiting.may_pass:
                return
            self._pass(self.match.missing)

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
