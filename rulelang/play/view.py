"""What one seat sees: built from nothing, only from what is declared visible to it. Spec 7.6."""

from typing import Literal

import attrs

from rulelang.play.event import Value
from rulelang.play.waiting import Waiting


@attrs.frozen
class Seen:
    """One zone or marker as a seat sees it."""

    slot: int
    member: int
    """Flat index in the family; 0 for a single one."""
    part: Literal["content", "top", "size"]
    value: Value
    """Codes bottom to top for piles, sorted for bags; the top code, or none's code, for ``top``; a count for ``size``.

    A zone that nobody sees gives at most its size.
    """


@attrs.frozen
class View:
    """Everything a seat may see now, in slot order; ``seat`` None is a spectator."""

    seat: int | None
    seen: tuple[Seen, ...]
    waiting: Waiting


@attrs.frozen
class Observed:
    """A move as one seat observed it; a chance outcome is never observed itself.

    ``arguments`` holds None for each answer that the seat was not shown.
    """

    seat: int
    """Who moved."""
    move: int | None
    """None for a pass."""
    arguments: tuple[int | None, ...]


@attrs.frozen
class InformationState:
    """What a seat knows: its view and the moves it has observed, in order, as it observed them. Spec 7.7."""

    view: View
    observed: tuple[Observed, ...]
