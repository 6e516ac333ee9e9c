"""The engine protocol: what every interpreter answers, to the bit. Spec 1.6.

    engine.configure(program, seats, options) -> Game      closes the program
    game.start() -> State                                  the bare state machine, advanced to its first wait
    state.step(event) -> State                             a new state; raises Refused or Exhausted

States are values: a step never changes the state it starts from. Nothing here knows seeds, records or undo;
those belong to the match (``rulelang.play.match``).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, Protocol, TypeGuard, runtime_checkable

from rulelang.ir.program import Program
from rulelang.play.event import Answer, Event, Play
from rulelang.play.outcome import GameOutcome
from rulelang.play.position import Position
from rulelang.play.refusal import Refusal
from rulelang.play.view import InformationState, Observed, View
from rulelang.play.waiting import Waiting


class State(Protocol):
    """One position of one game, waiting or over."""

    @property
    def game(self) -> "Game":
        """The configured game this is a position of."""

    @property
    def waiting(self) -> Waiting:
        """Who or what must act."""

    @property
    def now(self) -> int:
        """Table time of the last reading or expiry, in milliseconds since the game began. Spec 11.3."""

    @property
    def deadline(self) -> tuple[int, int] | None:
        """The timer that runs out next (its index) and when, in milliseconds; None if none runs or the game is over."""

    @property
    def outcome(self) -> GameOutcome | None:
        """The result if the game is over."""

    def moves(self, seat: int) -> Sequence[Answer]:
        """Every legal answer of an asked seat in number order, a pass last; empty for a seat that is not asked.

        Moves that carry words (12.4) are not listed; ``refusals`` says whether one is legal. Raises Exhausted above the
        limit of listed moves.
        """

    def preferred(self, seat: int) -> Answer | None:
        """The legal answer of an asked seat that the rules advise, None if they advise none. Spec 15.1.

        It depends on nothing that the seat may not see. Raises Exhausted as `moves` does, and for too much work.
        """

    def refusals(self, answer: Answer) -> tuple[Refusal, ...]:
        """Every reason against an attempt by any seat at any time, in order; empty if it is legal. Changes nothing."""

    def chance(self) -> tuple[tuple[int, Fraction], ...]:
        """The exact outcomes and their probabilities, in code order; empty when not waiting for chance."""

    def sample(self, draw: "Draw") -> int:
        """One outcome by one bounded draw (of the total weight), without listing."""

    def step(self, event: Event) -> "State":
        """The state after the event. Raises Refused (nothing has happened), Exhausted (nothing has happened)."""

    def view(self, seat: int | None) -> View:
        """What the seat (None: a spectator) sees now."""

    def observed(self, seat: int | None) -> tuple[Observed, ...]:
        """The moves this seat has observed since the start, oldest first."""

    def information(self, seat: int | None) -> InformationState:
        """View and observed moves together."""

    def position(self) -> Position:
        """What lies and is written everywhere, seen or not, and where play stands: for tests, never for players."""

    @property
    def previous(self) -> "State | None":
        """The state before the last event, None at the start or after loading from bytes."""

    @property
    def event(self) -> Event | None:
        """The event that led here."""

    @property
    def cost(self) -> int:
        """Cost units of the step that led here. Spec 16.2."""

    def to_bytes(self) -> bytes:
        """Canonical bytes in slot order; equal states give equal bytes on every interpreter. Spec 16.5."""

    @property
    def hash(self) -> str:
        """SHA-256 of the bytes, hexadecimal."""


class Game(Protocol):
    """A closed program, ready to play."""

    @property
    def program(self) -> Program:
        """The closed program."""

    def start(self) -> State:
        """The first waiting state."""

    def from_bytes(self, data: bytes) -> State:
        """The state with these bytes. Raises Refused for bytes that are no state of this game."""

    def position(self, position: Position) -> State:
        """The state that play comes to from a position. Raises Refused if it cannot lie like that. Spec 15.4."""

    def number(self, answer: Answer) -> int:
        """The fixed number of an answer: order of declaration, then mixed radix over the parameters' kinds. Spec 8.6.

        Pass comes last.
        """

    def answer(self, seat: int, number: int) -> Answer:
        """The answer with this number."""

    def invariants(self, state: State) -> tuple[str, ...]:
        """The names of the author's invariants that do not hold in this state."""


class NoRoom(Exception):
    """A state that is made for speed (`Hastens`) cannot go on; that says nothing about the game."""


class Hasty(State, Protocol):
    """A state that is made for speed. It answers what a state answers, and raises what it raises, or `NoRoom`."""

    hasty: Literal[True]

    @property
    def twin(self) -> State:
        """The same without haste."""

    def glimpse(self, seat: int | None) -> object:
        """Something to compare, equal where `view` is."""

    def observed_since(self, seat: int | None) -> tuple[Observed, ...]:
        """What the seat has observed in the step that led here."""

    def weight(self, value: int) -> Fraction:
        """The probability of one outcome."""


def is_hasty(state: State) -> TypeGuard[Hasty]:
    """Whether a state is made for speed."""
    return getattr(state, "hasty", False)


@runtime_checkable
class Hastens(Protocol):
    """A game that can make the states of a line anew as states that are stepped and compared faster."""

    def hastened(self, states: Sequence[Any]) -> "Sequence[Hasty] | None":
        """States that the same events lead to, from the first one on; None if there are none."""


class Rehearsal(Protocol):
    """A line of hasty states that is changed and played on at once (`rulelang.play.resample_chain`)."""

    def replay(
        self, before: Any, first: int, changed: "Mapping[int, Event]"
    ) -> "tuple[list[Any], list[Fraction]] | None":
        """The states from one on, if they follow from the state before it by the events of the line, some of them
        changed, and show the seat the same; and the probability of each event. Raises NoRoom.
        """

    def keep(self, changed: "Mapping[int, Event]") -> None:
        """These events are those of the line from now on."""


class Attempts(Protocol):
    """Single events, tried from hasty states faster than by a step and a look (`rulelang.play.resample`)."""

    def attempt(self, state: Any, event: Event, shown: int) -> tuple[Any, bool] | None:
        """The state after an event, if the seat is then shown nothing new behind a glimpse of its trace, or the next
        one (True); None if it is shown something else, or the event cannot be. Raises NoRoom.
        """


@runtime_checkable
class Rehearses(Protocol):
    """A game whose hasty states can be played on like this."""

    def attempts(self, state: Any, trace: Sequence[Any], seat: int | None) -> Attempts | None:
        """What tries events from states like this one, of a trace of the seat; None if there is no such thing."""

    def rehearsal(self, states: Sequence[Any], trace: Sequence[Any], seat: int | None) -> "Rehearsal | None":
        """A line, and what the seat (None: a spectator) was shown at each state; None if there is no such thing."""


@runtime_checkable
class RollsOut(Protocol):
    """A game that rolls out by itself what `rulelang.play.monte_carlo.roll_out` rolls out step by step. Spec 15.1."""

    def roll_outs(self, state: Any, answers: Sequence[Answer], draw: "Draw", horizon: int) -> Sequence[Fraction]:
        """What each of some answers of one seat is worth, one after the other, by the same draws in order."""

    def played_out(self, state: Any, draw: "Draw", horizon: int) -> tuple[Fraction, ...] | None:
        """What each seat gets if everything from here is random: `rulelang.play.monte_carlo.played_out`."""


class Engine(Protocol):
    """An interpreter, found through the entry-point group ``rulelang.interpreters``."""

    @property
    def name(self) -> str:
        """As in ``--engine NAME``."""

    def configure(self, program: Program, seats: int, options: Mapping[str, int | str | bool]) -> Game:
        """Close a program. Raises Refused for a seat count, option or value that the rules do not allow."""


class Draw(Protocol):
    """A source of bounded uniform draws."""

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1."""


def children(state: State) -> Iterator[Event]:
    """Every event that can follow a state without time going on, in order: answers, joint answers of sealed seats,
    outcomes.
    """
    waiting = state.waiting
    if waiting.kind in ("seat", "anyone"):
        for seat in waiting.seats:
            yield from state.moves(seat)
    elif waiting.kind == "sealed":
        yield from _joint(state)
    elif waiting.kind == "chance":
        from rulelang.play.event import Outcome

        for value, _ in state.chance():
            yield Outcome(value)


def _joint(state: State) -> Iterator[Event]:
    from itertools import product

    from rulelang.play.event import Sealed, windows

    listed = [state.moves(seat) for seat in state.waiting.seats]
    joint = windows(listed) if state.waiting.first_only else product(*listed)
    yield from (Sealed(answers) for answers in joint)


__all__ = ["Draw", "Engine", "Game", "Play", "State", "children"]
