"""What a seat was shown, one moment after the other: its memory, if it forgets nothing. Spec 7.7 and 15.1.

The information state says what a seat sees now and which moves it has observed. What it saw *before* (a card that lay
open for a moment) and how late it was then follow from the states before this one. Whoever sat there knows it, and so
an automatic player may. Steps that showed the seat nothing are left out, as in the traces of 7.8.
"""

from rulelang.play.engine import State
from rulelang.play.event import Expiry, Reading
from rulelang.play.trace import known_event
from rulelang.play.view import Observed, View


class Moment:
    """Something that a seat noticed."""

    __slots__ = ("_seat", "_state", "_view", "expired", "observed", "time")

    def __init__(self, state: State, seat: int, observed: tuple[Observed, ...]) -> None:
        self.time = state.now
        """Table time, in milliseconds since the game began; 0 in games without a clock."""
        self.observed = observed
        """The moves that the seat has observed since the moment before, as it observed them."""
        event = state.event
        self.expired = event.timer if isinstance(event, Expiry) else None
        """The timer that ran out, if that is what happened."""
        self._state = state
        self._seat = seat
        self._view: View | None = None

    @property
    def view(self) -> View:
        """What the seat saw then; built when asked for, and kept."""
        if self._view is None:
            self._view = self._state.view(self._seat)
        return self._view


class Memories:
    """The memory of each seat of a match, gone on with from one question to the next."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[State, int, list[Moment]]] = {}
        """Of each seat: the state that was looked at last, how many moves it had observed then, and its moments."""

    def of(self, state: State, seat: int) -> tuple[Moment, ...]:
        """Every moment of the seat up to this state, the oldest first."""
        last, count, moments = self._known.get(seat, (None, 0, []))
        fresh: list[State] = []
        earlier: State | None = state
        while earlier is not None and earlier is not last:
            fresh.append(earlier)
            earlier = earlier.previous
        if earlier is None:  # the first question, or the state looked at last was taken back
            count, moments = 0, []
        for each in reversed(fresh):
            observed = each.observed(seat)
            moment = Moment(each, seat, observed[count:])
            if _noticed(each, seat, moment, moments):
                moments.append(moment)
            count = len(observed)
        self._known[seat] = state, count, moments
        return tuple(moments)


def _noticed(state: State, seat: int, moment: Moment, before: list[Moment]) -> bool:
    """Whether the seat could tell that anything had happened; views are compared only where that decides."""
    if not before or moment.observed or isinstance(known_event(state.event, seat), Reading | Expiry):
        return True
    return moment.view != before[-1].view
