"""What wrote each marker: a game played again while somebody watches, and remembers every writing with its table."""

from collections import deque
from collections.abc import Mapping
from typing import Final

import attrs

from rulelang.failures import Exhausted
from rulelang.ir.effects import SetMarker
from rulelang.ir.expressions import Value
from rulelang.ir.nodes import Branch, Call, Do, End
from rulelang.ir.program import Program
from rulelang.ir.whenever import is_whenever
from rulelang.play.closing import close_whole
from rulelang.play.event import Answer
from rulelang.play.formulas import Context, member_of
from rulelang.play.pruning import kept_nodes
from rulelang.play.refusal import Refusal

REMEMBERED: Final = 20_000
"""Writings that are remembered; of a longer game, the last ones."""


@attrs.frozen(eq=False)
class Writing:
    """A marker was written."""

    number: int
    """They are counted from the beginning of the game."""
    event: int
    """So many events had happened before the one that led here."""
    node: int
    """The effect, by its number in the open program."""
    slot: int
    member: int
    cells: tuple[Value, ...]
    """The table just before."""
    locals: tuple[Value, ...]


@attrs.frozen(eq=False)
class Turning:
    """A branch, or a call, that led to the end of the game."""

    node: int
    """By its number in the open program."""
    cells: tuple[Value, ...]
    locals: tuple[Value, ...]


class History:
    """Watches a game and remembers who wrote what. ``event`` is counted by whoever plays the game."""

    def __init__(self) -> None:
        self.event = 0
        self.writings: deque[Writing] = deque(maxlen=REMEMBERED)
        self.opened: list[int] = []
        """Every node of the closed program by its number in the open one."""
        self.turning: Turning | None = None
        """The branch that led to the end."""
        self.whenever: Turning | None = None
        """The call of what ended the game as soon as a condition had become true."""
        self._branch: Turning | None = None
        self._closed: Program | None = None
        self._count = 0

    def configured(
        self, program: Program, seats: int, options: Mapping[str, int | str | bool], closed: Program
    ) -> None:
        """Learn how nodes are called in the open program."""
        self.opened = kept_nodes(close_whole(program, seats, options))
        self._closed = closed

    def begins(self, node: int, context: Context) -> None:
        """Remember the table before a marker is written."""
        assert self._closed is not None
        carried = self._closed.nodes[node]
        if isinstance(carried, Branch):
            self._branch = Turning(self.opened[node], tuple(context.cells), tuple(context.locals))
        if isinstance(carried, Call) and is_whenever(self._closed, carried.procedure):
            self.whenever = Turning(self.opened[node], tuple(context.cells), tuple(context.locals))
        if not (isinstance(carried, Do) and isinstance(carried.effect, SetMarker)):
            return
        place = carried.effect.marker
        try:
            member = member_of(place, context)
        except Exhausted:
            return
        self._count += 1
        self.writings.append(
            Writing(
                self._count,
                self.event,
                self.opened[node],
                place.slot,
                member,
                tuple(context.cells),
                tuple(context.locals),
            )
        )

    def led(self, node: int, following: int) -> None:
        """Remember which branch led to the end."""
        assert self._closed is not None
        if isinstance(self._closed.nodes[following], End):
            self.turning = self._branch if isinstance(self._closed.nodes[node], Branch) else None

    def attempted(self, closed: Program, answer: Answer, reasons: tuple[Refusal, ...]) -> None:
        """Attempts write nothing."""

    def before(self, number: int, slot: int, member: int) -> Writing | None:
        """The last writing of a marker before another writing."""
        return next(
            (w for w in reversed(self.writings) if w.number < number and (w.slot, w.member) == (slot, member)), None
        )
