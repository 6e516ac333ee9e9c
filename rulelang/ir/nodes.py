"""The graph: what happens next, and who or what is waited for. Spec 9, 10 and 13.

A node is named by its number in ``Program.nodes``. Every node has an ``at``: origin and clauses.
"""

import attrs

from rulelang.ir.effects import Effect
from rulelang.ir.expressions import Expression, Local, Place, Words
from rulelang.ir.origin import Source

# ------------------------------------------------------------------ nodes that wait for nothing


@attrs.frozen
class Do:
    """Carry out one effect, then go on."""

    effect: Effect
    next: int
    at: Source


@attrs.frozen
class Branch:
    """Go on one way or the other."""

    condition: Expression
    then: int
    otherwise: int
    at: Source


@attrs.frozen
class Loop:
    """Take the next of the items and go round, or go on when there are no more.

    ``position`` counts the items taken so far. The only node that makes a lap without a wait (Spec 16.3).
    """

    items: Local
    position: Local
    item: Local
    body: int
    done: int
    capacity: Expression
    """The most laps there can be."""
    at: Source


@attrs.frozen
class Call:
    """Open a frame for a procedure; when it returns, go on."""

    procedure: int
    arguments: tuple[Expression, ...]
    next: int
    at: Source


@attrs.frozen
class Return:
    """Close the frame and go on where it was opened."""

    at: Source


@attrs.frozen
class Leave:
    """Close all frames up to and with the innermost one of this procedure, and go on where it was opened. Spec 9.7."""

    procedure: int
    at: Source


# ------------------------------------------------------------------ nodes that wait


@attrs.frozen
class OneSeat:
    """One seat answers. Spec 9.5."""

    seat: Expression
    may_pass: bool
    always_asked: bool = False
    """Whether a seat that may pass is asked even if it has no legal move. So it is where legality reads what not
    everybody sees: not to be asked would tell the others what the seat holds."""


@attrs.frozen
class SealedSeats:
    """Each of these seats answers, nobody sees the others' answers, and all are carried out in list order. Spec 9.5."""

    seats: Expression
    may_pass: bool
    first_only: bool = False
    """A window (Spec 9.9): only the first in the order of the list that moves does so. Later answers lapse, are carried
    out by nobody and shown to nobody, and nobody need wait for them."""


@attrs.frozen
class AnyOfSeats:
    """Any of these seats may act; whoever does first is answered, and the flow says what then. Spec 11.2 and 12.3.

    Nobody passes. An expiry (11.3) goes on behind the decision too, with nobody as the one who acted.
    """

    seats: Expression


Asked = OneSeat | SealedSeats | AnyOfSeats


def may_pass(asked: Asked) -> bool:
    """Whether a seat that is asked may pass; nobody does in open play."""
    return not isinstance(asked, AnyOfSeats) and asked.may_pass


def names_who_moved(asked: Asked) -> bool:
    """Whether ``answered`` is the seat that moved, or none; else it is yes or no."""
    return isinstance(asked, AnyOfSeats) or (isinstance(asked, SealedSeats) and asked.first_only)


@attrs.frozen
class Decide:
    """Wait for a move; carry it out, then go on."""

    asked: Asked
    moves: tuple[int, ...]
    answered: Local | None
    """If there is one: 1 when somebody moved, else 0. With ``first_only``: the seat that moved, or none. With
    ``AnyOfSeats``: the seat that acted, or none after an expiry."""
    words: Words | None
    """What a seat that is not asked, or asks for another move, is told."""
    next: int
    at: Source
    reason: str | None = None
    """What such a refusal is called, instead of ``not_your_turn`` and ``not_offered``. Spec 9.4."""


@attrs.frozen
class AnyOf:
    """Each element of a collection with equal weight; equal elements are one outcome with added weight. Nothing to
    draw from: no outcome, the result is ``none``. Spec 10.1.
    """

    collection: Expression
    none: Expression


@attrs.frozen
class TopOf:
    """The top card of a pile: if unseen, any card of its pool by its number; if seen, no chance is needed; none from
    an empty pile. Spec 10.4.
    """

    pile: Place
    none: Expression


Distribution = AnyOf | TopOf


@attrs.frozen
class Chance:
    """Wait for an outcome of the distribution, remember it, go on."""

    distribution: Distribution
    result: Local
    next: int
    at: Source


# ------------------------------------------------------------------ the end


@attrs.frozen
class Winners:
    """These seats win together; nobody or everybody means a draw. Spec 13.2."""

    seats: Expression


@attrs.frozen
class Amounts:
    """Each of these seats gets an amount; places follow the amounts. Spec 13.3."""

    variable: Local
    seats: Expression
    amount: Expression


@attrs.frozen
class Grade:
    """All reach one grade together. Spec 13.4."""

    grade: Expression


@attrs.frozen
class Unresolved:
    """These seats stay tied and the rules do not decide. Spec 13.5."""

    seats: Expression


@attrs.frozen
class Aborted:
    """The game was broken off without a result. Spec 13.5."""


Outcome = Winners | Amounts | Grade | Unresolved | Aborted


@attrs.frozen
class End:
    """The game is over."""

    outcome: Outcome
    at: Source


Node = Do | Branch | Loop | Call | Return | Leave | Decide | Chance | End
