"""Effects: what changes on the table in one atomic step. Spec 9.2 and 9.3.

Components are conserved: only these effects touch zones, and none makes or destroys a piece.
"""

from typing import Literal

import attrs

from rulelang.ir.expressions import Expression, Local, Place
from rulelang.ir.types import SingleType

End = Literal["top", "bottom"]


@attrs.frozen
class SetMarker:
    """The marker now says this value; outside its kind the limit refuses (Exhausted). Spec 9.2."""

    marker: Place
    value: Expression


@attrs.frozen
class SetLocal:
    """The frame's local now has this value. Spec 9.2."""

    local: Local
    value: Expression


@attrs.frozen
class MoveTop:
    """The top ``count`` pieces of a pile, as one packet in their order, onto (or under) a pile or into a bag or slot;
    all there are, if fewer. Spec 9.3.
    """

    source: Place
    count: Expression
    target: Place
    end: End


@attrs.frozen
class MoveAt:
    """The piece at a position of a pile, counted from 1 at the bottom, onto (or under) a pile or into a bag or slot.

    The others keep their order. If there is no such position, nothing moves. Spec 9.3.
    """

    source: Place
    position: Expression
    target: Place
    end: End


@attrs.frozen
class MoveAll:
    """Everything, in its order, onto (or under) a pile or into a bag or slot. Spec 9.3."""

    source: Place
    target: Place
    end: End


@attrs.frozen
class MovePieces:
    """These pieces (one code, or a collection of codes) out of a zone into another; from a pile the topmost equal
    ones. If one is not there, the limit refuses (Exhausted). Spec 9.3.
    """

    pieces: Expression
    source: Place
    target: Place
    end: End


@attrs.frozen
class Gather:
    """Every piece of a content kind, from all the listed zones in slot order, onto the target pile or into the target
    bag. Spec 9.3.
    """

    zones: tuple[int, ...]
    target: Place


@attrs.frozen
class Shuffle:
    """The pile's cards become unseen: each position now refers to a new pool that holds them all. Spec 10.4."""

    pile: Place


@attrs.frozen
class Settle:
    """The top position of the pile, if unseen, becomes this card, which leaves its pool. Spec 10.4."""

    pile: Place
    card: Expression


@attrs.frozen
class PickUp:
    """All pieces of a zone that shows faces lose their face, as dice in the hand. Spec 10.3."""

    zone: Place
    type: SingleType


@attrs.frozen
class Land:
    """The least piece without a face now shows this face. Spec 10.3."""

    zone: Place
    face: Expression
    type: SingleType


Effect = SetMarker | SetLocal | MoveTop | MoveAt | MoveAll | MovePieces | Gather | Shuffle | Settle | PickUp | Land
