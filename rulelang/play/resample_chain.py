"""The second way to deal anew: change the line that was played, little by little, so that it always fits. Spec 7.8.

One change either exchanges two outcomes, or draws one outcome anew, or gives another seat another answer; everything
after it is played again as it was. It is kept if every event is still possible and the seat is shown the same, and
then with the probability that leaves each line as likely as the product of its outcomes' weights (Metropolis and
Hastings). Every line that fits counts; a draw starts where the last one ended.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, cast

import attrs

from rulelang.failures import Exhausted, Refused
from rulelang.play.engine import Draw, Rehearsal, Rehearses, State, is_hasty
from rulelang.play.event import Event, Expiry, Outcome, Pass, Play, Reading, Sealed
from rulelang.play.trace import Glimpse, known_event, look

CERTAIN: Final = Fraction(1)
FEWEST_CHANGES: Final = 64
"""Changes tried for each draw, even in a short line."""


@attrs.define
class Chain:
    """A line that fits, changed with every draw."""

    states: list[State]
    seat: int | None
    trace: list[Glimpse] = attrs.field(init=False)
    weights: list[Fraction] = attrs.field(init=False)
    """Of each event: an outcome's probability, 1 for an answer."""
    changeable: list[int] = attrs.field(init=False)
    """The states whose event may be changed: chance and the acts of others."""
    moved: bool = attrs.field(init=False, default=False)
    """Whether any change was ever kept."""
    rehearsal: Rehearsal | None = attrs.field(init=False, default=None)
    """What plays changed lines on, if the interpreter does that by itself."""

    def __attrs_post_init__(self) -> None:
        self.states = list(self.states)
        self.trace = []
        for state in self.states:
            self.trace.append(look(state, self.seat, self.trace[-1] if self.trace else None))
        self.weights = [Fraction(1)] + [_weight(self.states[i - 1], self._event(i)) for i in range(1, len(self.states))]
        self.changeable = [
            i
            for i in range(1, len(self.states))
            if isinstance(self._event(i), Outcome | Sealed) or known_event(self._event(i), self.seat) is None
        ]

        game: object = self.states[0].game
        if is_hasty(self.states[0]) and isinstance(game, Rehearses):
            self.rehearsal = game.rehearsal(self.states, self.trace, self.seat)

    def draw(self, draw: Draw) -> State | None:
        """The end of the line after many changes; None if nothing can be changed."""
        if not self.changeable:
            return self.states[-1]
        size = len(self.changeable)
        for _ in range(FEWEST_CHANGES + math.ceil(4 * size * math.log(size + 1))):
            self.moved |= self._change(draw)
        return self.states[-1] if self.moved else None

    def _event(self, index: int) -> Event:
        return cast(Event, self.states[index].event)

    def _change(self, draw: Draw) -> bool:
        index = self.changeable[draw.below(len(self.changeable))]
        event = self._event(index)
        assert not isinstance(event, Reading | Expiry)
        if not isinstance(event, Outcome):
            try:
                another = _another(self.states[index - 1], event, self.seat, draw)
            except Exhausted:
                return False
            return self._replay(index, {index: another}, None, draw)
        if draw.below(2):
            other = self.changeable[draw.below(len(self.changeable))]
            partner = self._event(other)
            if partner == event or not isinstance(partner, Outcome):
                return False
            return self._replay(min(index, other), {index: partner, other: event}, None, draw)
        before = self.states[index - 1]
        anew = Outcome(before.sample(draw))
        if anew == event:
            return False
        return self._replay(index, {index: anew}, self.weights[index] / _weight(before, anew), draw)

    def _replay(self, first: int, changed: dict[int, Event], correction: Fraction | None, draw: Draw) -> bool:
        """Play on from the first changed event; keep the new line if it fits and the dice say so."""
        found = (
            self._played_on(first, changed)
            if self.rehearsal is None
            else self.rehearsal.replay(self.states[first - 1], first, changed)
        )
        if found is None:
            return False
        states, weights = found
        ratio = correction if correction is not None else Fraction(1)
        for new, old in zip(weights, self.weights[first:], strict=True):
            if new is not old and new != old:  # most are as they were
                ratio *= new / old
        if ratio < 1 and draw.below(ratio.denominator) >= ratio.numerator:
            return False
        self.states[first:] = states
        self.weights[first:] = weights
        if self.rehearsal is not None:
            self.rehearsal.keep(changed)
        return True

    def _played_on(self, first: int, changed: Mapping[int, Event]) -> tuple[list[State], list[Fraction]] | None:
        """The states from the first changed event on, and how likely each event was; None if the line does not fit."""
        state = self.states[first - 1]
        states: list[State] = []
        weights: list[Fraction] = []
        for index in range(first, len(self.states)):
            event = changed.get(index, self._event(index))
            weight = _weight(state, event)
            if not weight:
                return None
            try:
                state = state.step(event)
            except (Refused, Exhausted):
                return None
            if look(state, self.seat, self.trace[index - 1]) != self.trace[index]:
                return None
            states.append(state)
            weights.append(weight)
        return states, weights


def _weight(state: State, event: Event) -> Fraction:
    """How likely chance was to give this; 1 for an answer, 0 for what cannot come."""
    if not isinstance(event, Outcome):
        return CERTAIN
    if is_hasty(state):
        return state.weight(event.value)
    return next((weight for value, weight in state.chance() if value == event.value), Fraction(0))


def _another(state: State, event: Play | Pass | Sealed, seat: int | None, draw: Draw) -> Event:
    """Any legal answer in place of another seat's, the seat's own left as it was."""
    if isinstance(event, Sealed):
        return Sealed(tuple(_any(state.moves(a.seat), a, draw) if a.seat != seat else a for a in event.answers))
    return _any(state.moves(event.seat), event, draw)


def _any(answers: Sequence[Play | Pass], given: Play | Pass, draw: Draw) -> Play | Pass:
    """One of the listed answers; the given one where all that can be done is to say something."""
    return answers[draw.below(len(answers))] if answers else given
