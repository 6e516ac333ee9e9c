"""States: positions of a game that wait or are over. Values; a step never changes the state it starts from. Spec 9.4.

A state is: one cell for every zone and marker (what lies there, bottom to top, or what is written there), the pools
that unseen cards refer to, and the stack of frames; the node that waits is that of the top frame.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from rulelang import limits
from rulelang.diagnostics.codes import TOO_MANY_MOVES
from rulelang.ir.expressions import Value
from rulelang.ir.nodes import AnyOfSeats, Decide, Node, OneSeat, SealedSeats, may_pass
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

if TYPE_CHECKING:
    from rulelang_reference.game import Game

KINDS: Final[dict[type, Literal["seat", "sealed", "anyone"]]] = {
    OneSeat: "seat",
    SealedSeats: "sealed",
    AnyOfSeats: "anyone",
}
"""How a decision waits."""

UNSEEN = -(1 << 70)
"""An unseen card of pool k is written UNSEEN - k where a card's code would stand: no number is so small. Spec 10.4."""


def pool_of(card: Value) -> int | None:
    """The pool that an unseen card belongs to; None for a card that is settled."""
    return UNSEEN - card if isinstance(card, int) and card <= UNSEEN else None


class Frame(NamedTuple):
    """A running procedure: where it goes on, and what it remembers."""

    procedure: int
    node: int
    locals: tuple[Value, ...]


class Done(NamedTuple):
    """An answer that was carried out, and the seats that were shown each part of it (``sight`` says how)."""

    answer: Answer
    shown: tuple[int, ...]
    private: bool
    """Whether only who gave it observes that it was given."""


class State:
    """One position of one game."""

    def __init__(
        self,
        game: "Game",
        cells: tuple[Value, ...],
        pools: tuple[tuple[int, ...], ...],
        frames: tuple[Frame, ...],
        asked: tuple[int, ...],
        outcome: GameOutcome | None,
    ) -> None:
        self.game = game
        self.cells = cells
        self.pools = pools
        self.frames = frames
        self.asked = asked
        self.outcome = outcome
        self.done: tuple[Done, ...] = ()
        """The answers carried out on the way here from ``previous``, in order."""
        self.seen_before: dict[int | None, tuple[Observed, ...]] = {}
        """What seats have observed up to here, if that was asked of no later state yet."""
        self.previous: State | None = None
        self.event: Event | None = None
        self.cost = 0
        self._moves: dict[int, tuple[Answer, ...]] = {}

    @property
    def node(self) -> Node:
        """The node that waits or ended the game."""
        return self.game.program.nodes[self.frames[-1].node]

    def context(self) -> Context:
        """What formulas of the waiting node are evaluated in."""
        return Context(self.game.program, self.game.layout, self.cells, list(self.frames[-1].locals))

    @cached_property
    def waiting(self) -> Waiting:
        """Who or what must act."""
        node, number = self.node, self.frames[-1].node
        if self.outcome is not None:
            return Waiting("over", node=number)
        if not isinstance(node, Decide):
            return Waiting("chance", node=number)
        words = "" if node.words is None else say(self.game.program, node.words, self.context())
        kind: Literal["seat", "sealed", "anyone"] = KINDS[type(node.asked)]
        first_only = isinstance(node.asked, SealedSeats) and node.asked.first_only
        moves = tuple(sorted(set(node.moves)))
        return Waiting(kind, self.asked, moves, may_pass(node.asked), first_only, number, words)

    # ------------------------------------------------------------------ time

    @property
    def now(self) -> int:
        """Table time of the last reading or expiry, in milliseconds; 0 in games without a clock."""
        from rulelang_reference.clock import now

        return now(self)

    @property
    def deadline(self) -> tuple[int, int] | None:
        """The timer that runs out next and when; None if none runs or the game is over."""
        from rulelang_reference.clock import deadline

        return deadline(self)

    # ------------------------------------------------------------------ answers

    def moves(self, seat: int) -> Sequence[Answer]:
        """Every legal answer of an asked seat in number order, a pass last; empty for a seat that is not asked."""
        from rulelang_reference.moves import legal_answers

        if seat not in self._moves:
            node = self.node
            if seat not in self.asked or not isinstance(node, Decide):
                return ()
            found: list[Answer] = []
            for answer in legal_answers(self.context(), node, seat):
                if len(found) >= limits.LISTED_MOVES:
                    raise placed(exhausted(TOO_MANY_MOVES, limit=limits.LISTED_MOVES), node.at)
                found.append(answer)
            self._moves[seat] = tuple(found)
        return self._moves[seat]

    def preferred(self, seat: int) -> Answer | None:
        """The legal answer of an asked seat that the rules advise, None if they advise none. Raises Exhausted."""
        from rulelang_reference.advice import preferred

        return preferred(self, seat)

    def refusals(self, answer: Answer) -> tuple[Refusal, ...]:
        """Every reason against an attempt by any seat at any time, in order; empty if it is legal."""
        from rulelang_reference.attempts import refusals

        return refusals(self, answer)

    def step(self, event: Event) -> "State":
        """The state after the event. Raises Refused (nothing has happened), Exhausted (nothing has happened)."""
        from rulelang_reference.run import step

        return step(self, event)

    # ------------------------------------------------------------------ chance

    @cached_property
    def urn(self) -> tuple[int, ...]:
        """What chance draws from, each with equal weight, in code order; empty when not waiting for chance."""
        from rulelang_reference.chance import urn

        return () if self.outcome is not None else urn(self.node, self.pools, self.context())

    def chance(self) -> tuple[tuple[int, Fraction], ...]:
        """The exact outcomes and their probabilities, in code order; empty when not waiting for chance."""
        urn = self.urn
        return tuple((code, Fraction(times, len(urn))) for code, times in sorted(Counter(urn).items()))

    def sample(self, draw: Draw) -> int:
        """One outcome by one bounded draw (of the total weight), without listing."""
        return self.urn[draw.below(len(self.urn))]

    # ------------------------------------------------------------------ what seats see

    def view(self, seat: int | None) -> View:
        """What the seat (None: a spectator) sees now."""
        from rulelang_reference.sight import view

        return view(self, seat)

    def observed(self, seat: int | None) -> tuple[Observed, ...]:
        """The moves this seat has observed since the start, oldest first."""
        from rulelang_reference.sight import observed

        return observed(self, seat)

    def information(self, seat: int | None) -> InformationState:
        """View and observed moves together."""
        return InformationState(self.view(seat), self.observed(seat))

    # ------------------------------------------------------------------ saving

    def position(self) -> Position:
        """What lies and is written everywhere, seen or not, and where play stands."""
        from rulelang_reference.positions import written_down

        return written_down(self)

    def to_bytes(self) -> bytes:
        """Canonical bytes in slot order."""
        from rulelang_reference.saving import write

        return write(self)

    @property
    def hash(self) -> str:
        """SHA-256 of the bytes, hexadecimal."""
        return hashlib.sha256(self.to_bytes()).hexdigest()
