"""Who or what the game waits for. The same for everybody who looks. Spec 9.4."""

from typing import Literal

import attrs


@attrs.frozen
class Waiting:
    """What must happen next."""

    kind: Literal["seat", "sealed", "anyone", "chance", "over"]
    seats: tuple[int, ...] = ()
    """Who is asked, in order (``anyone``: each may act, the first who does is answered); empty for chance and over."""
    moves: tuple[int, ...] = ()
    """Indices of the offered moves."""
    may_pass: bool = False
    first_only: bool = False
    """Sealed answers of which only the first in order that moves counts (Spec 9.9)."""
    node: int = -1
    """The waiting node."""
    words: str = ""
    """What the rules say here, if anything."""
