"""A position as one can write it down: everything on the table, seen or not, and where play stands. Spec 15.4.

Scenarios are set up from positions and checked against them. No player is ever shown one.
"""

import attrs

from rulelang.ir.expressions import Value


@attrs.frozen
class Unseen:
    """A card that lies unseen: any of those in its pool. Spec 10.4."""

    pool: int


Piece = int | Unseen
Lying = tuple[Piece, ...]


@attrs.frozen
class StackFrame:
    """A running procedure: the node at which it goes on, and what it remembers."""

    procedure: int
    node: int
    locals: tuple[Value, ...]


@attrs.frozen
class Position:
    """One value for each zone and marker in the order of the layout: what lies there, bottom to top, or is written."""

    cells: tuple[Value | Lying, ...]
    pools: tuple[tuple[int, ...], ...]
    """The cards of each pool, sorted."""
    frames: tuple[StackFrame, ...]
    """The running procedures, the overview first."""
