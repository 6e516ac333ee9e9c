"""What one seat was shown, step by step: what `resample` compares lines by. Spec 7.8."""

import attrs

from rulelang.play.engine import State, is_hasty
from rulelang.play.event import Answer, Event, Expiry, Pass, Play, Reading, Sealed
from rulelang.play.view import Observed, View


@attrs.frozen
class Glimpse:
    """What a seat saw at one moment, and which moves it observed since the moment before."""

    view: View | object
    """What it saw, or something that is equal where that is (`rulelang.play.engine.Hastens`)."""
    count: int
    """How many moves it has observed in all."""
    since: tuple[Observed, ...]

    def shows_nothing_after(self, before: "Glimpse") -> bool:
        """Whether the seat could not tell that anything had happened."""
        return not self.since and self.view == before.view


def look(state: State, seat: int | None, before: Glimpse | None) -> Glimpse:
    """What the seat is shown now, given what it was shown before."""
    if is_hasty(state):
        since = state.observed_since(seat)
        return Glimpse(state.glimpse(seat), (before.count if before else 0) + len(since), since)
    observed = state.observed(seat)
    return Glimpse(state.view(seat), len(observed), observed[before.count if before else 0 :])


def own_answer(event: Event | None, seat: int | None) -> Answer | None:
    """The seat's own part in an event."""
    if isinstance(event, Play | Pass):
        return event if event.seat == seat else None
    if isinstance(event, Sealed):
        return next((answer for answer in event.answers if answer.seat == seat), None)
    return None


def known_event(event: Event | None, seat: int | None) -> Answer | Reading | Expiry | None:
    """What the seat (None: a spectator) knows for sure of an event: its own part, or that time has gone on."""
    return event if isinstance(event, Reading | Expiry) else own_answer(event, seat)


def history(state: State) -> list[State] | None:
    """Every state from the start to this one; None if the start is not known."""
    states = [state]
    while states[-1].previous is not None:
        states.append(states[-1].previous)
    states.reverse()
    return states if states[0].event is None and states[0].to_bytes() == state.game.start().to_bytes() else None
