"""Flat statements: structured control flow on numbers and rows, and the steps of the flow between waits."""

from __future__ import annotations

import attrs

from rulelang_native.flat.expressions import Flat

# ------------------------------------------------------------------ inside functions


@attrs.frozen
class Set:
    """A variable now holds this value."""

    name: str
    value: Flat


@attrs.frozen
class If:
    """One way or the other."""

    truth: Flat
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@attrs.frozen
class Each:
    """A variable holds one element of a row after the other."""

    name: str
    row: Flat
    body: tuple[Statement, ...]


@attrs.frozen
class Stop:
    """Go on behind the innermost Each."""


@attrs.frozen
class Skip:
    """Go on with the next element of the innermost Each."""


@attrs.frozen
class Gather:
    """Begin to gather a row: nothing is in it yet."""

    name: str


@attrs.frozen
class Put:
    """One more element of what is gathered."""

    name: str
    item: Flat


@attrs.frozen
class Notes:
    """Begin to note numbers under keys: nothing is noted yet."""

    name: str


@attrs.frozen
class Note:
    """Note a number, not negative, under a key: a number, or a row of a length that is always the same."""

    name: str
    key: Flat
    value: Flat


@attrs.frozen
class Give:
    """The function's result; it ends here."""

    value: Flat | None


@attrs.frozen
class Fail:
    """The step is given up: a limit was reached. The values go into the words of the failure."""

    failure: int
    values: tuple[Flat, ...] = ()


# ------------------------------------------------------------------ effects


@attrs.frozen
class Spend:
    """So many cost units."""

    units: int


@attrs.frozen
class Mark:
    """What follows carries out this node of the program. It does nothing."""

    node: int


@attrs.frozen
class SpendOn:
    """What a plain procedure spends, carried out at once with these arguments as its first locals."""

    procedure: int
    arguments: tuple[Flat, ...]


@attrs.frozen
class Store:
    """A cell of the state now holds this value."""

    slot: int
    member: Flat
    value: Flat


@attrs.frozen
class Remember:
    """The running frame now remembers this value."""

    local: int
    value: Flat


@attrs.frozen
class Settle:
    """The top card of a pile, if it is unseen, becomes this one, which leaves its pool; fails if it is not in it."""

    slot: int
    member: Flat
    card: Flat
    failure: int


@attrs.frozen
class Offer:
    """One more legal answer with a move, in a listing; it ends here if no more are wanted."""

    move: int
    values: tuple[Flat, ...]


# ------------------------------------------------------------------ between waits


@attrs.frozen
class Goto:
    """Go on with a block of the same procedure."""

    node: int


@attrs.frozen
class Ask:
    """Wait at a node for the answers of these seats."""

    node: int
    seats: Flat


@attrs.frozen
class Draw:
    """Wait at a node for one of these, each with equal weight, in code order."""

    node: int
    urn: Flat


@attrs.frozen
class Unsee:
    """All cards of a pile become unseen, over one new pool, unless they are so already.

    A card that shares its pool with other piles is settled first, by an outcome that is waited for at this node: it
    has two outcomes at least, and is never forced.
    """

    slot: int
    member: Flat
    node: int


@attrs.frozen
class Open:
    """Open a frame for a procedure; the running one goes on at a node when that is over."""

    procedure: int
    arguments: tuple[Flat, ...]
    next: int


@attrs.frozen
class Force:
    """If every asked seat has one legal answer, carry them out and go on behind the node; else go on here."""

    node: int
    seats: Flat


@attrs.frozen
class Close:
    """Close the frame; the game is broken off if it was the last."""

    node: int


@attrs.frozen
class Leave:
    """Close all frames up to and with the innermost one of a procedure."""

    node: int
    procedure: int


@attrs.frozen
class Over:
    """The game is over as this node says."""

    node: int


Statement = (
    Set
    | If
    | Each
    | Stop
    | Skip
    | Gather
    | Put
    | Notes
    | Note
    | Give
    | Fail
    | Spend
    | Mark
    | SpendOn
    | Store
    | Remember
    | Settle
    | Offer
    | Goto
    | Unsee
    | Ask
    | Draw
    | Open
    | Force
    | Close
    | Leave
    | Over
)
