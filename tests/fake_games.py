"""Small games written in Python on top of `fake_engine`, each for something that games do."""

from fractions import Fraction

from fake_engine import OVER, FakeGame, FakeState, asked, program

from rulelang.play.event import Outcome, Pass, Play
from rulelang.play.view import Observed
from rulelang.play.waiting import Waiting

__all__ = ["Bids", "Deal", "Endless", "FakeGame", "FakeState", "Fiddle", "Kuhn", "Leaky", "TicTacToe"]


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
