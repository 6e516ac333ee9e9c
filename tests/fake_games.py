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
from rulelang.play.event import Answer, Event, Outcome, Pass, Play, Sealed
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


class TicTacToe(FakeGame):
    """Three in a row; a cell is an argument. Nothing is hidden."""

    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self) -> None:
        super().__init__(program("tic-tac-toe", ["mark"]))

    def begin(self):
        return (0,) * 9

    def _winner(self, p):
        return next((p[a] for a, b, c in self.LINES if p[a] and p[a] == p[b] == p[c]), 0)

    def wait(self, p):
        return OVER if self._winner(p) or all(p) else asked(sum(map(bool, p)) % 2, 1)

    def answers(self, p, seat):
        return [Play(seat, 0, (i,)) for i in range(9) if not p[i]]

    def after(self, p, event):
        return (*p[: event.arguments[0]], event.seat + 1, *p[event.arguments[0] + 1 :])

    def shown(self, p, seat):
        return p

    def result(self, p):
        won = self._winner(p)
        return (1, -1) if won == 1 else (-1, 1) if won else (0, 0)


ENDS = {"00": 1, "010": None, "011": 2, "10": None, "11": 2}
"""What is at stake when these acts end the game; None if somebody gave up."""


class Kuhn(FakeGame):
    """Two seats, three cards, move 0 passes, move 1 bets. Position: (cards, acts)."""

    def __init__(self) -> None:
        super().__init__(program("kuhn-poker", ["check", "bet"], hidden=True))

    def begin(self):
        return ((), "")

    def wait(self, p):
        cards, acts = p
        return Waiting("chance", node=9) if len(cards) < 2 else OVER if acts in ENDS else asked(len(acts) % 2)

    def answers(self, p, seat):
        return [Play(seat, 0), Play(seat, 1)]

    def outcomes(self, p):
        left = [card for card in range(3) if card not in p[0]]
        return [(card, Fraction(1, len(left))) for card in left]

    def after(self, p, event):
        return ((*p[0], event.value), p[1]) if isinstance(event, Outcome) else (p[0], p[1] + str(event.move))

    def shown(self, p, seat):
        return (len(p[0]), *(card for s, card in enumerate(p[0]) if s == seat))

    def result(self, p):
        cards, acts = p
        stake = ENDS[acts]
        if stake is None:
            return (1, -1) if acts == "10" else (-1, 1)
        return (stake, -stake) if cards[0] > cards[1] else (-stake, stake)


class Deal(FakeGame):
    """Cards with copies are dealt in turn, hidden; then seat 2 must play one openly, and seat 1 is asked.

    Position: (dealt cards, played card or None, done). ``copies[c]`` cards of code c.
    """

    def __init__(self, copies: tuple[int, ...], each: int, seats: int = 2, plays: bool = True) -> None:
        super().__init__(program("deal", ["play", "stop"], seats, hidden=True))
        self.copies, self.each, self.plays, self.seats = copies, each, plays, seats

    def begin(self):
        return ((), -1, 0)

    def wait(self, p):
        if len(p[0]) < self.each * self.seats:
            return Waiting("chance", node=9)
        return OVER if p[2] else asked(1, 1) if self.plays and p[1] < 0 else asked(0, 1)

    def hand(self, p, seat):
        hand = [card for i, card in enumerate(p[0]) if i % self.seats == seat]
        if seat == 1 and p[1] >= 0:
            hand.remove(p[1])
        return tuple(sorted(hand))

    def answers(self, p, seat):
        return [Play(1, 0, (c,)) for c in sorted(set(self.hand(p, 1)))] if seat == 1 else [Play(0, 1)]

    def outcomes(self, p):
        left = [n - p[0].count(c) for c, n in enumerate(self.copies)]
        return [(c, Fraction(n, sum(left))) for c, n in enumerate(left) if n]

    def after(self, p, event):
        if isinstance(event, Outcome):
            return ((*p[0], event.value), -1, 0)
        return (p[0], event.arguments[0], 0) if event.seat == 1 else (*p[:2], 1)

    def shown(self, p, seat):
        return (len(p[0]), p[1], *(self.hand(p, seat) if seat is not None else ()))

    def result(self, p):
        return (0,) * self.seats


class Bids(FakeGame):
    """Two seats bid 0, 1 or 2 sealed, twice; only who bid more is shown. Position: pairs of bids."""

    def __init__(self) -> None:
        super().__init__(program("bids", ["bid"], hidden=True))

    def begin(self):
        return ()

    def wait(self, p):
        return OVER if len(p) == 2 else Waiting("sealed", (0, 1), (0,), may_pass=True, node=0)

    def answers(self, p, seat):
        return [*(Play(seat, 0, (n,)) for n in range(3)), Pass(seat)]

    def after(self, p, event):
        return (*p, tuple(a.arguments[0] if isinstance(a, Play) else -1 for a in event.answers))

    def observe(self, p, event, seat):
        return [
            Observed(a.seat, None, ())
            if isinstance(a, Pass)
            else Observed(a.seat, 0, a.arguments if a.seat == seat else (None,))
            for a in event.answers
        ]

    def shown(self, p, seat):
        return tuple((a > b) - (a < b) for a, b in p)

    def result(self, p):
        total = sum(self.shown(p, None))
        return (total, -total)


class Endless(FakeGame):
    """Seat 1 may go on for ever; move 1 and 2 touch a hidden thing or not, chance comes after move 3."""

    def __init__(self, hidden: bool = True) -> None:
        super().__init__(program("endless", ["quiet", "peek", "other", "roll"], hidden=hidden))

    def begin(self):
        return (0, 0)

    def wait(self, p):
        return Waiting("chance", node=9) if p[1] == 2 else asked(p[1], 4)

    def answers(self, p, seat):
        return [Play(seat, m) for m in range(4)]

    def outcomes(self, p):
        return [(v, Fraction(1, 6)) for v in range(6)]

    def after(self, p, event):
        if isinstance(event, Outcome):
            return (p[0] * 6 % 9973 + event.value, 0)
        return (p[0] + 1, {0: p[1], 1: p[1], 2: 1 - p[1], 3: 2}[event.move])

    def shown(self, p, seat):
        return p


class Fiddle(FakeGame):
    """Seat 2 fiddles unseen, at most ``most`` times, then says that it is done; then seat 1 is asked."""

    def __init__(self, most: int) -> None:
        super().__init__(program("fiddle", ["fiddle", "done"], hidden=True))
        self.most = most

    def begin(self):
        return (0, 0)

    def wait(self, p):
        return OVER if p[1] == 2 else asked(1 - p[1])

    def answers(self, p, seat):
        return [Play(seat, m) for m in (0, 1) if m or (seat == 1 and p[0] < self.most)]

    def after(self, p, event):
        return (p[0], p[1] + 1) if event.move else (p[0] + 1, p[1])

    def observe(self, p, event, seat):
        return super().observe(p, event, seat) if event.move or event.seat == seat else []

    def shown(self, p, seat):
        return p if seat == 1 else p[1:]

    def result(self, p):
        return (0, 0)


class Leaky(Deal):
    """What seat 1 may do depends on what it does not see: a game that the checker would refuse."""

    def answers(self, p, seat):
        allowed = seat == 1 or 0 in self.hand(p, 1)
        return super().answers(p, seat) if allowed else [Play(0, 0)]
