"""How a game ended. Spec 13."""

from fractions import Fraction
from typing import Literal

import attrs


@attrs.frozen
class GameOutcome:
    """The result of a finished game."""

    kind: Literal["winners", "amounts", "grade", "unresolved", "aborted"]
    winners: tuple[int, ...]
    """Seats that win together; empty in a draw, a cooperative grade, or when nothing was decided."""
    places: tuple[int, ...]
    """Place of every seat, 1 is best; ties share a place."""
    returns: tuple[Fraction, ...]
    """For search and trees, one a seat: amounts; else zero-sum from the winners; else the grade.

    Zero-sum: each loser -1, the winners share; all or none win: 0.
    """
    grade: int | None = None
