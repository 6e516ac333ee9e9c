"""Small games written in Python that answer the engine protocol, for tests of everything that stands on it.

A fake game gives its rules as plain functions over a hashable position; `FakeState` makes a state of them.
"""

import hashlib
from collections.abc import Sequence
from fractions import Fraction

import attrs

from rulelang.failures import Refused
from rulelang.ir.effects import SetMarker
from rulelang.ir.expressions import Constant, Slot
from rulelang.ir.nodes import Decide, Do, OneSeat
from rulelang.ir.origin import Origin, Source
from rulelang.ir.program import (
    Configuration,
    Everyone,
    Marker,
    Move,
    Option,
    Owner,
    Procedure,
    Program,
    Sight,
)
from rulelang.ir.types import FlagType, NamesType, NumberType, SeatType
from rulelang.play.engine import Draw, State
from rulelang.play.event import Answer, Event, Outcome, Play, Sealed
from rulelang.play.outcome import GameOutcome
from rulelang.play.refusal import Refusal
from rulelang.play.resample import weighted
from rulelang.play.view import InformationState, Observed, Seen, View
from rulelang.play.waiting import Waiting

AT = Source(Origin("fake.rules", 1, 1))
TYPE = NumberType(Constant(0), Constant(99))


def program(name: str, moves: Sequence[str], seats: int = 2, *, hidden: bool = False) -> Program:
    """A closed program that declares what records and undo look at: moves, options, visibility.

    Slot 0 is public. If ``hidden``, slot 1 is seen by its owner, and every second move (by its index) touches it.
    """
    public = Sight(Everyone(), Everyone(), Everyone())
    own = Sight(Owner(), Owner(), Everyone())
    slots = [Marker("table", (), TYPE, Constant(0), public, AT)]
    if hidden:
        slots.append(Marker("hand", (SeatType(),), TYPE, Constant(0), own, AT))
    wait = Decide(OneSeat(Constant(0), False), tuple(range(len(moves))), None, None, 0, AT)
    touched = [Slot(i % 2, (Constant(0),) * (i % 2)) if hidden else Slot(0, ()) for i in range(len(moves))]
    return Program(
        version=1,
        name=name,
        title=name,
        fewest_seats=seats,
        most_seats=seats,
        forced_chance=False,
        forced_choices=False,
        options=(
            Option("length", NamesType("lengths", ("short", "long")), 0, None, None, AT),
            Option("open", FlagType(), 1, None, None, AT),
            Option("rounds", NumberType(Constant(1), Constant(5)), 3, None, None, AT),
        ),
        demands=(),
        boards=(),
        tables=(),
        slots=tuple(slots),
        functions=(),
        procedures=(
            Procedure("overview", 0, (), 0, AT),
            *(Procedure(move, 1, ("mover",), 1 + i, AT) for i, move in enumerate(moves)),
        ),
        moves=tuple(Move(move, (), (), 1, 1 + i, AT) for i, move in enumerate(moves)),
        nodes=(wait, *(Do(SetMarker(place, Constant(1)), 0, AT) for place in touched)),
        invariants=(),
        configuration=Configuration(seats, (1, 0, 4)),
    )


class FakeGame:
    """Rules as functions; a game overrides what it has."""

    def __init__(self, declared: Program) -> None:
        self.program = declared

    def begin(self) -> object:
        raise NotImplementedError

    def wait(self, position: object) -> Waiting:
        raise NotImplementedError

    def answers(self, position: object, seat: int) -> list[Answer]:
        return []

    def outcomes(self, position: object) -> list[tuple[int, Fraction]]:
        return []

    def after(self, position: object, event: Event) -> object:
        raise NotImplementedError

    def shown(self, position: object, seat: int | None) -> tuple[int, ...]:
        """What the seat sees, as numbers."""
        raise NotImplementedError

    def observe(self, position: object, event: Event, seat: int | None) -> list[Observed]:
        """By default everybody observes every answer."""
        answers = event.answers if isinstance(event, Sealed) else () if isinstance(event, Outcome) else (event,)
        return [
            Observed(a.seat, a.move if isinstance(a, Play) else None, a.arguments if isinstance(a, Play) else ())
            for a in answers
        ]

    def result(self, position: object) -> tuple[int, ...]:
        raise NotImplementedError

    def start(self) -> "FakeState":
        return FakeState(self, self.begin())

    def from_bytes(self, data: bytes) -> "FakeState":
        import ast

        return FakeState(self, ast.literal_eval(data.decode()))

    def number(self, answer: Answer) -> int:
        return answer.move if isinstance(answer, Play) else len(self.program.moves)

    def answer(self, seat: int, number: int) -> Answer:
        return Play(seat, number)

    def invariants(self, state: State) -> tuple[str, ...]:
        return ()


@attrs.frozen
class FakeState:
    """A position of a fake game."""

    game: FakeGame
    position: object
    previous: "FakeState | None" = attrs.field(default=None, repr=False)
    event: Event | None = None
    seen_moves: tuple[tuple[Observed, ...], ...] = ()
    cost: int = 1
    now: int = 0
    deadline: tuple[int, int] | None = None

    @property
    def waiting(self) -> Waiting:
        return self.game.wait(self.position)

    @property
    def outcome(self) -> GameOutcome | None:
        if self.waiting.kind != "over":
            return None
        returns = self.game.result(self.position)
        best = max(returns)
        winners = () if len(set(returns)) == 1 else tuple(s for s, r in enumerate(returns) if r == best)
        places = tuple(1 + sum(other > r for other in returns) for r in returns)
        return GameOutcome("winners", winners, places, tuple(Fraction(r) for r in returns))

    def moves(self, seat: int) -> Sequence[Answer]:
        return self.game.answers(self.position, seat) if seat in self.waiting.seats else []

    def refusals(self, answer: Answer) -> tuple[Refusal, ...]:
        if self.waiting.kind == "over":
            return (Refusal("game_over", "RL8001", "The game is over."),)
        if answer.seat not in self.waiting.seats:
            return (Refusal("not_your_turn", "RL8002", f"It is not seat {answer.seat + 1}'s turn."),)
        if answer not in self.moves(answer.seat):
            return (Refusal("not_offered_now", "RL8003", "That is not possible now."),)
        return ()

    def chance(self) -> tuple[tuple[int, Fraction], ...]:
        return tuple(self.game.outcomes(self.position)) if self.waiting.kind == "chance" else ()

    def sample(self, draw: Draw) -> int:
        outcomes = self.chance()
        return outcomes[weighted(draw, [weight for _, weight in outcomes])][0]

    def step(self, event: Event) -> "FakeState":
        self._check(event)
        seats = [*range(self.game.program.fewest_seats), None]
        old = self.seen_moves or ((),) * len(seats)
        seen = tuple((*old[i], *self.game.observe(self.position, event, seat)) for i, seat in enumerate(seats))
        return FakeState(self.game, self.game.after(self.position, event), self, event, seen)

    def _check(self, event: Event) -> None:
        kind = self.waiting.kind
        wrong = Refused([Refusal("wrong_event", "RL8018", f"The game waits for {kind}.")])
        if isinstance(event, Outcome):
            if event.value not in [value for value, _ in self.chance()]:
                raise wrong
        elif isinstance(event, Sealed):
            if kind != "sealed" or tuple(a.seat for a in event.answers) != self.waiting.seats:
                raise wrong
            for answer in event.answers:
                if reasons := self.refusals(answer):
                    raise Refused(reasons)
        else:
            reasons = self.refusals(event)
            if reasons or kind != "seat":
                raise Refused(reasons) if reasons else wrong

    def view(self, seat: int | None) -> View:
        shown = self.game.shown(self.position, seat)
        return View(seat, tuple(Seen(0, i, "content", v) for i, v in enumerate(shown)), self.waiting)

    def observed(self, seat: int | None) -> tuple[Observed, ...]:
        index = self.game.program.fewest_seats if seat is None else seat
        return self.seen_moves[index] if self.seen_moves else ()

    def information(self, seat: int | None) -> InformationState:
        return InformationState(self.view(seat), self.observed(seat))

    def to_bytes(self) -> bytes:
        return repr(self.position).encode()

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.to_bytes()).hexdigest()


OVER = Waiting("over")


def asked(seat: int, moves: int = 2) -> Waiting:
    return Waiting("seat", (seat,), tuple(range(moves)), node=0)
