"""In which directions boards lead: steps of (rows northwards, columns eastwards). Spec 5.5.

On hexagons each row stands half a cell further east than the row south of it. So a cell touches two cells of the next
row: that of its own column, and that of the column further west.
"""

from typing import Final, Literal, TypeAlias

BoardShape: TypeAlias = Literal["squares", "hexagons"]
Step: TypeAlias = tuple[int, int]

EAST, NORTH_EAST, NORTH, NORTH_WEST = (0, 1), (1, 1), (1, 0), (1, -1)
SOUTH_EAST, SOUTH, SOUTH_WEST, WEST = (-1, 1), (-1, 0), (-1, -1), (0, -1)

SIX: Final = (NORTH, EAST, SOUTH_EAST, SOUTH, WEST, NORTH_WEST)
EIGHT: Final = (NORTH, NORTH_EAST, EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, WEST, NORTH_WEST)

BESIDE: Final[dict[BoardShape, tuple[Step, ...]]] = {"squares": (NORTH, EAST, SOUTH, WEST), "hexagons": SIX}
"""Where cells lie that share a side, clockwise from north."""

AROUND: Final[dict[BoardShape, tuple[Step, ...]]] = {"squares": EIGHT, "hexagons": SIX}
"""Where cells lie that touch, clockwise from north: straight rows of cells lead this way."""

ACROSS: Final[dict[BoardShape, tuple[Step, ...]]] = {"squares": (NORTH_EAST, NORTH_WEST), "hexagons": (NORTH_WEST,)}
"""The directions of straight lines that are neither rows nor columns."""

LINES: Final[dict[BoardShape, tuple[Step, ...]]] = {
    "squares": (EAST, NORTH_EAST, NORTH, NORTH_WEST),
    "hexagons": (EAST, NORTH, NORTH_WEST),
}
"""The directions of all straight lines, counted from their first cell."""
