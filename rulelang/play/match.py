"""A match: the driver of one game. Spec 15.2.

It feeds chance, gathers sealed answers, takes acts back and keeps the events.

A match has one current state and nothing that the events do not determine, except sealed answers not yet complete.
Whatever is refused leaves it exactly as it was.
"""

from collections.abc import Sequence
from functools import partial
from typing import Protocol, cast

from rulelang.diagnostics import codes
from rulelang.failures import Exhausted, Refused
from rulelang.ir.expressions import Value
from rulelang.limits import LAST_TIME, RECORD_EVENTS
from rulelang.play.agents import Agent, Situation, agent_of
from rulelang.play.chance import match_key, outcome_stream, player_stream
from rulelang.play.engine import Game, State
from rulelang.play.event import Answer, Event, Expiry, Outcome, Pass, Play, Reading, Sealed
from rulelang.play.hindrances import dead_end
from rulelang.play.kinds import Layout
from rulelang.play.lengths import too_late, too_long
from rulelang.play.outcome import GameOutcome
from rulelang.play.quiet import is_quiet
from rulelang.play.reasons import placed
from rulelang.play.record import Ending, Record, header_of
from rulelang.play.refusal import Refusal
from rulelang.play.remembering import Memories
from rulelang.play.resample import dealer
from rulelang.play.simulating import Proposal, Waits, advised, answering, in_time, leaves_alone, next_proposal, says
from rulelang.play.view import Observed
from rulelang.play.waiting import Waiting
from rulelang.play.words import seat_name


class Keeper(Protocol):
    """Somebody who writes down what happens, as it happens."""

    def added(self, event: Event) -> None:
        """One more event has taken effect."""

    def taken_back(self) -> None:
        """The last event never happened."""

    def ended(self, ending: Ending) -> None:
        """The game is over."""


class Match:
    """One game being played."""

    def __init__(
        self,
        game: Game,
        seed: int,
        game_number: int = 0,
        *,
        engine: str = "",
        keeper: Keeper | None = None,
        start: State | None = None,
    ) -> None:
        """A match from the start of the game, or from a given position (of which no record can be replayed)."""
        self.game = game
        self.seed = seed
        self.game_number = game_number
        self.engine = engine
        self.keeper = keeper
        self._key = match_key(seed, game_number)
        self._states: list[State] = [game.start() if start is None else start]
        self._events: list[Event] = []
        self._outcomes = 0
        self._decisions: dict[int, int] = {}
        self._sealed: dict[int, Answer] = {}
        self._waits = Waits()
        self._advised_waits = Waits(advised)
        self._advised_waits = Waits(advised)
        self._memories = Memories()

    # -------------------------------------------------------------- looking

    @property
    def state(self) -> State:
        """The current state."""
        return self._states[-1]

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened."""
        return tuple(self._events)

    @property
    def outcome(self) -> GameOutcome | None:
        """The result if the game is over."""
        return self.state.outcome

    @property
    def now(self) -> int:
        """Table time of the last reading or expiry, in milliseconds since the game began."""
        return self.state.now

    @property
    def key(self) -> int:
        """The key of the match, from which everything is drawn. Spec 10.5."""
        return self._key

    def decisions(self, seat: int) -> int:
        """How many decisions a seat has made."""
        return self._decisions.get(seat, 0)

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that still have to answer, in the order in which they are asked; none whose answer would lapse."""
        waiting = self.state.waiting
        seats = list(waiting.seats)
        if waiting.first_only:
            taking = (seat for seat in seats if isinstance(self._sealed.get(seat), Play))
            seats = seats[: seats.index(next(taking, seats[-1])) + 1] if seats else seats
        return tuple(seat for seat in seats if seat not in self._sealed)

    @property
    def sealed(self) -> dict[int, Answer]:
        """Sealed answers that were given, as long as others are missing, in the order in which they came."""
        return dict(self._sealed)

    @property
    def record(self) -> Record:
        """The match so far, to be written down."""
        return Record(
            header_of(self.game.program, self.seed, self.game_number, self.engine), self.events, self._ending()
        )

    def log(self, seat: int | None) -> tuple[Observed, ...]:
        """What a seat (None: a spectator) has observed, as it came."""
        return self.state.observed(seat)

    def explain(self, answer: Answer) -> tuple[Refusal, ...]:
        """Every reason against an answer, without trying it; empty if it would be taken."""
        reasons = self.state.refusals(answer)
        if answer.seat not in self._sealed:
            return reasons
        words = f"Seat {answer.seat + 1} has already answered."
        return (_refusal("already_answered", codes.ALREADY_ANSWERED.number, words), *reasons)

    # -------------------------------------------------------------- going on

    def submit(self, answer: Answer) -> State:
        """A seat answers; a sealed answer waits until all asked seats have given theirs. Raises Refused, Exhausted."""
        reasons = self.explain(answer)
        if reasons:
            raise Refused(reasons)
        if self.state.waiting.kind != "sealed":
            return self._go_on(answer)
        complete = {**self._sealed, answer.seat: answer}
        answers = _joint(self.state.waiting, complete)
        if answers is None:
            self._sealed = complete
            return self.state
        self._go_on(Sealed(answers))
        self._sealed = {}
        return self.state

    def force(self, value: int) -> State:
        """Chance gives this outcome, as with real dice on the table; later outcomes are what they would have been."""
        return self._go_on(Outcome(value))

    def advance_chance(self) -> State:
        """Let chance go on until a seat must act or the game is over."""
        while self.state.waiting.kind == "chance":
            self._go_on(Outcome(self.state.sample(outcome_stream(self._key, self._outcomes))))
        return self.state

    # -------------------------------------------------------------- time

    def read(self, time: int) -> State:
        """It is so late now, in milliseconds since the game began. Raises Refused, Exhausted.

        Every timer that runs out at this time or before makes its own event first, in order of time; what chance
        decides in between it decides at once. If one of them ends the game, that is all that happens.
        """
        last = len(self._events)
        while time <= LAST_TIME and (due := self.state.deadline) is not None and due[1] <= time:
            self.expire()
            self.advance_chance()
        if len(self._events) > last and self.outcome is not None:
            return self.state
        return self._at_time(Reading(time))

    def expire(self) -> State:
        """Go on to the moment when the next timer runs out. Raises Refused if none runs, Exhausted."""
        due = self.state.deadline
        if due is None:
            words = "No timer runs." if self.outcome is None else codes.GAME_OVER.sentence
            number, name = ("RL8018", "no_timer") if self.outcome is None else ("RL8001", "game_over")
            raise Refused([_refusal(name, number, words)])
        return self._at_time(Expiry(due[0]))

    def _at_time(self, event: Reading | Expiry) -> State:
        """A sealed answer stays where it was, as long as its seat is asked and it is legal."""
        before = self.state
        after = self._go_on(event)
        if not self._sealed:
            return after
        stays = after.waiting.kind == "sealed" and after.position().frames == before.position().frames
        kept = {seat: answer for seat, answer in self._sealed.items() if stays and not after.refusals(answer)}
        self._sealed = kept
        answers = _joint(after.waiting, kept) if kept else None
        if answers is not None:  # those who were missing are no longer asked
            self._go_on(Sealed(answers))
            self._sealed = {}
        return self.state

    def proposal(self, agents: Sequence[Agent | None]) -> Proposal | None:
        """What automatic players will do next at this wait, and when, if nothing comes before it. Spec 11.4."""
        return next_proposal(self, agents)

    def _go_on_in_time(self, agents: Sequence[Agent | None]) -> None:
        """The earliest of what players propose, or the next timer. Raises Exhausted if nothing comes at all."""
        first, due = self.proposal(agents), self.state.deadline
        if due is not None and (first is None or due[1] <= first.time):
            self.expire()
        elif first is None:
            raise self.stuck()
        elif first.time == self.now or self.game.program.clock is None:
            self.submit(first.answer)
        elif first.time > LAST_TIME:
            raise too_late(self.game.program, self.state.waiting.node, first.time)
        else:
            self.read(first.time)
            if not self.explain(first.answer):  # else it came too late
                self.submit(first.answer)

    # -------------------------------------------------------------- any event, and automatic players

    def apply(self, event: Event) -> State:
        """Take an event as it stands, whatever its kind; what replaying a record does. Raises Refused, Exhausted."""
        if self._sealed:
            raise Refused([_refusal("sealed_answers_open", "RL8018", "The game waits for the other sealed answers.")])
        return self._go_on(event)

    def play(self, agents: Sequence[Agent | None]) -> GameOutcome | None:
        """Go on until the game is over, or until a seat without an automatic player (None) must act."""
        while self.go_on(agents):
            pass
        return self.outcome

    def go_on(self, agents: Sequence[Agent | None]) -> bool:
        """Chance, then one act of an automatic player or, where acts take time, the next thing that happens.

        False if nothing does: the game is over, or a seat without an automatic player must act. Raises Exhausted.
        """
        if self.advance_chance().waiting.kind == "over":
            return False
        if in_time(self, agents):
            if any(agent_of(agents, seat) is None for seat in self.missing):
                return False
            self._go_on_in_time(agents)
            return True
        automatic = ((seat, agent_of(agents, seat)) for seat in self.missing)
        seat, agent = next(((s, a) for s, a in automatic if a is not None), (0, None))
        if agent is None:
            return False
        self.submit(self.chosen(seat, agent))
        return True

    def chosen(self, seat: int, agent: Agent) -> Answer:
        """What an automatic player chooses for an asked seat now; nothing happens yet."""
        if not self.state.moves(seat) and not (getattr(agent, "speaks", False) and says(self.state)):
            raise self.dead_end(seat)
        return agent.choose(self.situation(seat), player_stream(self._key, seat, self.decisions(seat)))

    def situation(self, seat: int) -> Situation:
        """What an automatic player of an asked seat is told."""
        state = self.state
        begun = None if self.game.program.clock is None else self._waits.begun(self._states, seat)
        return Situation(
            seat,
            state.moves(seat),
            partial(state.information, seat),
            dealer(state, seat),
            lambda: state.preferred(seat),
            0 if begun is None else state.now - begun.time,
            begun is not None and begun.happened,
            leaves_alone(state),
            self.game.program,
            partial(self._memories.of, state, seat),
            partial(self._lasted, self._advised_waits, seat),
        )

    def _lasted(self, waits: Waits, seat: int) -> int:
        """How long a decision of a seat has lasted, in milliseconds; 0 in games without a clock."""
        begun = None if self.game.program.clock is None else waits.begun(self._states, seat)
        return 0 if begun is None else self.now - begun.time

    def dead_end(self, seat: int) -> Exhausted:
        """That a seat must move where no move is possible, why, and where the rules ask it to."""
        program, state = self.game.program, self.state
        cells = cast("tuple[Value, ...]", state.position().cells)  # an unseen pile is only ever counted
        return dead_end(program, Layout.of(program), cells, state.waiting.node, seat)

    def stuck(self) -> Exhausted:
        """That nobody does anything in open play and no timer runs, and where the rules wait like that."""
        words = "Nobody does anything here, and no timer runs."
        failure = Exhausted(codes.DEAD_END.number, words)
        return placed(failure, self.game.program.nodes[self.state.waiting.node].at)

    def _go_on(self, event: Event) -> State:
        if len(self._events) >= RECORD_EVENTS:
            raise too_long(self.game.program, self.state.waiting.node, self.game_number, RECORD_EVENTS)
        state = self.state.step(event)
        event = state.event or event  # the form that the state remembers: nothing of what lapsed
        self._count(event, 1)
        self._states.append(state)
        self._events.append(event)
        if self.keeper is not None:
            self.keeper.added(event)
            ending = self._ending()
            if ending is not None:
                self.keeper.ended(ending)
        return state

    def _count(self, event: Event, change: int) -> None:
        if isinstance(event, Outcome):
            self._outcomes += change
        for seat in answering(event):
            self._decisions[seat] = self._decisions.get(seat, 0) + change

    def _ending(self) -> Ending | None:
        outcome = self.outcome
        return Ending(outcome, self.state.hash) if outcome is not None else None

    # -------------------------------------------------------------- taking back

    def undo(self, seat: int | None = None) -> State:
        """Take back the last act, or a sealed answer still waiting for others.

        ``seat`` is who asks for it; without one, whoever acted last. Raises Refused if that would cross what chance
        gave, another seat's act, or anything that somebody has been shown.
        """
        if self._sealed:
            asking = seat if seat is not None else next(reversed(self._sealed))
            if asking not in self._sealed:
                raise _no_undo("another_seat", "another seat has acted since")
            self._sealed = {other: answer for other, answer in self._sealed.items() if other != asking}
            return self.state
        last = self._last_event()
        self._check_undo(seat, last)
        self._waits.forget()
        self._advised_waits.forget()
        while len(self._events) > last:
            self._states.pop()
            self._count(self._events.pop(), -1)
            if self.keeper is not None:
                self.keeper.taken_back()
        return self.state

    def _last_event(self) -> int:
        """The place of the last event but for readings that changed nothing.

        The clock is read before every attempt. What is refused leaves that reading, and nothing else, behind.
        """
        last = len(self._events) - 1
        while last >= 0 and isinstance(self._events[last], Reading) and self._says_nothing(last):
            last -= 1
        return last

    def _says_nothing(self, place: int) -> bool:
        """Whether an event has led to the very state that it found."""
        return self._states[place].to_bytes() == self._states[place + 1].to_bytes()

    def _check_undo(self, seat: int | None, last: int) -> None:
        if last < 0:
            raise _no_undo("nothing_to_undo", "nothing has been done yet")
        event = self._events[last]
        if isinstance(event, Outcome):
            raise _no_undo("chance", "chance has decided since")
        if isinstance(event, Reading | Expiry):
            raise _no_undo("time", "time has gone on since")
        seats = answering(event)
        if len(seats) != 1 or (seat is not None and seats != (seat,)):
            raise _no_undo("another_seat", f"{self._actor(event)} has acted since")
        answers = event.answers if isinstance(event, Sealed) else (event,)
        moves = tuple(answer.move for answer in answers if isinstance(answer, Play))
        before, after = self._states[last].waiting.node, self._states[last + 1].waiting.node
        if not is_quiet(self.game.program, before, moves, after):
            raise _no_undo("reveal", "something hidden may have been shown")

    def _actor(self, event: Event) -> str:
        """Whose act an event was, as far as everybody may know."""
        program = self.game.program
        secret = isinstance(event, Sealed) or any(move.private for move in program.moves)
        if secret or not isinstance(event, Play | Pass):
            return "another seat"
        return seat_name(event.seat, self.record.header.seats)


def _joint(waiting: Waiting, given: dict[int, Answer]) -> tuple[Answer, ...] | None:
    """The sealed answers together, None as long as one is missing that counts."""
    answers: list[Answer] = []
    for seat in waiting.seats:
        if seat not in given:
            return None
        answers.append(given[seat])
        if waiting.first_only and isinstance(given[seat], Play):
            break
    return tuple(answers) + tuple(Pass(seat) for seat in waiting.seats[len(answers) :])


def _refusal(code: str, number: str, words: str) -> Refusal:
    return Refusal(code=code, number=number, words=words)


def _no_undo(code: str, reason: str) -> Refused:
    return Refused([_refusal(code, "RL8017", f"This cannot be taken back: {reason}.")])
