"""Dealing the hidden things anew: a state that a seat cannot tell from this one. Spec 7.8.

What a seat knows is a *trace*: everything it was shown, one `Glimpse` after the other, steps that showed it nothing
left out, and its own answers between. A *line* is a sequence of events from the start. A line fits if it gives the seat
the same trace; the state at its end is what is looked for. Lines are found in two ways.

**Forward** (this module). Events are drawn one by one: chance by its weights among the outcomes that fit the next
glimpse, another seat's answer uniformly among those that fit, the seat's own answers as they were. Readings of the
clock and timers that run out are known to everybody, and come where they came. Lines in which visible outcomes were
less likely to come as they came are thrown away more often: a few trial lines show the greatest weight, then each
further line is kept with its weight divided by that. So every deal comes with exactly its probability given the view,
as far as the trial lines met the greatest weight (always, if all cards are different); an observed answer counts as
possible or not, never as more or less likely, and a hidden one is uniform. What is drawn depends only on the trace, so
two states that are equal for the seat give the same result for the same draws.

**Shuffled** (`resample_chain`). Where forward lines die too often, because hidden cards become known later, the line
that was really played is changed again and again by exchanging outcomes, each time only so that it still fits. This is
exact in the limit; the number of changes is chosen so that large deals are well mixed.

A state whose history is not there (loaded from bytes) is refused, and so is one for which no line is found.
"""

import math
from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Final

import attrs

from rulelang.failures import Broken, Exhausted, Refused
from rulelang.limits import RECORD_EVENTS
from rulelang.play import kinds
from rulelang.play.engine import Attempts, Draw, Hastens, NoRoom, Rehearses, State, is_hasty
from rulelang.play.event import Answer, Event, Expiry, Outcome, Pass, Play, Reading, Sealed, windows
from rulelang.play.quiet import hides
from rulelang.play.refusal import Refusal
from rulelang.play.resample_chain import Chain
from rulelang.play.trace import Glimpse, history, known_event, look

TRIAL_LINES: Final = 16
"""Lines that show the greatest weight."""

TRIES: Final = 64
"""Dead ends in a row after which forward drawing is given up."""

DEAD_WORK: Final = 5_000
"""Events tried in lines that died since the last one that did not, after which forward drawing is given up, too."""

ACCEPTANCES: Final = 4096
"""Lines drawn at most until one is kept."""


def resample(state: State, seat: int | None, draw: Draw) -> State:
    """A state with the same view, observed moves, wait and answers for the seat (None: a spectator). Raises Refused.

    To draw several from one state, make one `Resampler`.
    """
    return Resampler(state, seat).draw(draw)


def dealer(state: State, seat: int) -> Callable[[Draw], State]:
    """Deals anew for one decision, any number of times; what the seat saw is worked out when first asked.

    Where nothing is ever hidden, there is no other state. What is called raises Refused.
    """
    if not hides(state.game.program):
        return lambda draw: state
    made: list[Resampler] = []

    def deal(draw: Draw) -> State:
        if not made:
            made.append(Resampler(state, seat))
        return made[0].deal(draw)

    return deal


@attrs.frozen
class _Line:
    """A line that fits, and how likely its visible outcomes were to come as they came."""

    state: State
    weight: Fraction


class Resampler:
    """Draws states that one seat (None: a spectator) cannot tell from this one; what it saw is worked out once.

    Raises Refused.
    """

    def __init__(self, state: State, seat: int | None) -> None:
        self.state = state
        self.seat = seat
        states = history(state)
        if states is None:
            raise _refused("no_history", "its history is not known")
        self._states = states
        self._dealing: _Dealing | None = None
        self._hastened = False
        self._draws: list[_Recorded] = []
        """What was drawn, as long as it may be needed once more."""

    def draw(self, draw: Draw) -> State:
        """One state. The same draws give the same state."""
        found = self.deal(draw)
        return found.twin if is_hasty(found) else found

    def deal(self, draw: Draw) -> State:
        """The same, as a state that is made for speed if the interpreter has such (`rulelang.play.engine.Hastens`)."""
        if self._dealing is None:
            self._begin()
        assert self._dealing is not None
        if not self._hastened:
            return self._dealing.draw(draw)
        self._draws.append(_Recorded(draw))
        try:
            return self._dealing.draw(self._draws[-1])
        except NoRoom:
            return self._without_haste(draw)

    def _begin(self) -> None:
        game: object = self.state.game
        hastened = game.hastened(self._states) if isinstance(game, Hastens) else None
        if hastened is not None:
            try:
                self._dealing, self._hastened = _Dealing(list(hastened), self.seat), True
                return
            except NoRoom:
                pass
        self._dealing = _Dealing(self._states, self.seat)

    def _without_haste(self, draw: Draw) -> State:
        """Everything once more by the interpreter's own states, with the same draws."""
        self._dealing, self._hastened = _Dealing(self._states, self.seat), False
        *earlier, last = self._draws
        self._draws = []
        for recorded in earlier:
            self._dealing.draw(_Replayed(recorded.drawn, None))
        return self._dealing.draw(_Replayed(last.drawn, draw))


class _Recorded:
    """Draws that are written down."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self.drawn: list[int] = []

    def below(self, bound: int) -> int:
        value = self._draw.below(bound)
        self.drawn.append(value)
        return value


class _Replayed:
    """What was written down, and then what is drawn."""

    def __init__(self, drawn: list[int], draw: Draw | None) -> None:
        self._drawn = iter(drawn)
        self._draw = draw

    def below(self, bound: int) -> int:
        value = next(self._drawn, None)
        if value is not None:
            return value
        assert self._draw is not None
        return self._draw.below(bound)


class _Dealing:
    """Deals anew by the states of one kind."""

    def __init__(self, states: list[State], seat: int | None) -> None:
        self.state = states[-1]
        self.seat = seat
        self._states = states
        self._trace: list[Glimpse] = []
        self._own: list[_Own] = []
        for earlier in self._states:
            glimpse = look(earlier, seat, self._trace[-1] if self._trace else None)
            known = known_event(earlier.event, seat)
            if known is not None:
                self._own.append(_Own(known, len(self._trace) - 1))
            if not self._trace or not glimpse.shows_nothing_after(self._trace[-1]):
                self._trace.append(glimpse)
        game: object = self.state.game
        self._attempts: Attempts | None = None
        if is_hasty(self.state) and isinstance(game, Rehearses):
            self._attempts = game.attempts(self.state, self._trace, seat)
        self._greatest: Fraction | None = None
        self._chain: Chain | None = None
        self._work = 0

    def draw(self, draw: Draw) -> State:
        """One state. The same draws give the same state."""
        found = self._forward(draw) if self._chain is None else None
        if found is None:
            if self._chain is None:
                self._chain = Chain(self._states, self.seat)
            found = self._chain.draw(draw)
        if found is None:
            raise _refused("cannot_resample", "no other deal was found that fits what was seen")
        self._check(found)
        return found

    def _check(self, found: State) -> None:
        if self._known(found) != self._known(self.state) or _listed(found, self.seat) != _listed(self.state, self.seat):
            raise Broken("a state dealt anew differs for the seat it was dealt for")

    def _known(self, state: State) -> object:
        """What the seat knows; of a state made for speed what it sees now, as every step was compared."""
        return state.glimpse(self.seat) if is_hasty(state) else state.information(self.seat)

    # -------------------------------------------------------------- forward

    def _forward(self, draw: Draw) -> State | None:
        if self._greatest is None:
            weights: list[Fraction] = []
            while len(weights) < TRIAL_LINES:
                line = self._next_line(draw, TRIES)
                if line is None:
                    return None
                weights.append(line.weight)
            self._greatest = max(weights)
        for _ in range(ACCEPTANCES):
            line = self._next_line(draw, TRIES)
            if line is None:
                return None
            if line.weight >= self._greatest:
                self._greatest = line.weight
                return line.state
            ratio = line.weight / self._greatest
            if draw.below(ratio.denominator) < ratio.numerator:
                return line.state
        return None

    def _next_line(self, draw: Draw, tries: int) -> _Line | None:
        for _ in range(tries):
            line = self._line(draw)
            if line is not None or self._work > DEAD_WORK:
                return line
        return None

    def _line(self, draw: Draw) -> _Line | None:
        """One line drawn forward; None if it comes to a dead end."""
        state = self._states[0]
        place = _Place(0, 0, look(state, self.seat, None))
        choices: list[_Choice] = []
        for _ in range(min(RECORD_EVENTS, 2 * len(self._states) + TRIES)):
            if place.shown == len(self._trace) - 1 and place.answered == len(self._own):
                weight = math.prod((self._mass(choice) for choice in choices), start=Fraction(1))
                self._work = 0
                return _Line(state, weight)
            timed = self._timed(state, place)
            if timed is not None:
                state, place = timed
            elif state.waiting.kind == "chance":
                drawn = self._chance(state, place, draw)
                if drawn is None:
                    return None
                state, place = drawn.state, drawn.place
                choices.append(drawn.choice)
            else:
                answered = self._answer(state, place, draw)
                if answered is None:
                    return None
                state, place = answered
        return None

    def _timed(self, state: State, place: "_Place") -> "tuple[State, _Place] | None":
        """The state after time has gone on, if it did just here."""
        own = self._own[place.answered] if place.answered < len(self._own) else None
        if own is None or own.shown != place.shown or not isinstance(own.event, Reading | Expiry):
            return None
        return self._fits(state, own.event, place)

    def _chance(self, state: State, place: "_Place", draw: Draw) -> "_Drawn | None":
        """An outcome that fits, by its weight: drawn without putting back until one does."""
        left = list(state.chance())
        while left:
            value, weight = left.pop(weighted(draw, [weight for _, weight in left]))
            after = self._fits(state, Outcome(value), place)
            if after is not None:
                return _Drawn(*after, _Choice(state, place, weight, tuple(left)))
        return None

    def _mass(self, choice: "_Choice") -> Fraction:
        """The weight of all outcomes that would have fitted; those drawn before the chosen one did not."""
        others = (weight for value, weight in choice.left if self._fits(choice.state, Outcome(value), choice.place))
        return choice.weight + sum(others, Fraction(0))

    def _answer(self, state: State, place: "_Place", draw: Draw) -> "tuple[State, _Place] | None":
        try:
            events = self._events(state, place, draw)
        except Exhausted:  # too many answers, or none that can be told
            return None
        fitting = [after for event in events if (after := self._fits(state, event, place)) is not None]
        return fitting[draw.below(len(fitting))] if fitting else None

    def _events(self, state: State, place: "_Place", draw: Draw) -> list[Event]:
        """What the asked seats may answer; the seat itself answers as it did."""
        asked = state.waiting.seats
        choices = [self._choices(state, seat, place) for seat in asked]
        if state.waiting.kind != "sealed":
            return [answer for answers in choices for answer in answers]
        return self._sealed(state, choices, draw)

    def _choices(self, state: State, seat: int, place: "_Place") -> list[Answer]:
        """What one asked seat may answer; what another said is not listed, but may have been heard."""
        if seat == self.seat:
            own = (each.event for each in self._own[place.answered : place.answered + 1])
            return [event for event in own if isinstance(event, Play | Pass)]
        heard = self._trace[place.shown + 1].since if place.shown + 1 < len(self._trace) else ()
        moves = state.game.program.moves
        said = [
            Play(seat, each.move, tuple(code for code in each.arguments if code is not None))
            for each in heard
            if each.seat == seat
            and each.move is not None
            and kinds.is_spoken(moves[each.move])
            and None not in each.arguments
        ]
        return [*state.moves(seat), *said]

    def _sealed(self, state: State, choices: list[list[Answer]], draw: Draw) -> list[Event]:
        """Joint answers: all of them if they are few, else as many drawn ones."""
        if state.waiting.first_only:
            return [Sealed(answers) for answers in windows(choices)]
        total = 1
        for answers in choices:
            total *= len(answers)
        numbers = range(total) if total <= TRIES * TRIES else [draw.below(total) for _ in range(TRIES * TRIES)]
        joint: list[Event] = []
        for number in numbers:
            parts: list[Play | Pass] = []
            for answers in choices:
                number, index = divmod(number, len(answers))
                parts.append(answers[index])
            joint.append(Sealed(tuple(parts)))
        return joint

    def _fits(self, state: State, event: Event, place: "_Place") -> "tuple[State, _Place] | None":
        """The state after an event if the seat is then shown nothing new, or what it was shown next."""
        self._work += 1
        if self._attempts is not None:
            tried = self._attempts.attempt(state, event, place.shown)
            if tried is None:
                return None
            after, goes_on = tried
            answered = place.answered + (known_event(event, self.seat) is not None)
            shown = place.shown + goes_on
            return after, _Place(shown, answered, self._trace[shown])
        try:
            after = state.step(event)
        except (Refused, Exhausted):  # what would reach a limit cannot have been played
            return None
        answered = place.answered + (known_event(event, self.seat) is not None)
        glimpse = look(after, self.seat, place.glimpse)
        if glimpse.shows_nothing_after(place.glimpse):
            return after, _Place(place.shown, answered, place.glimpse)
        if place.shown + 1 < len(self._trace) and glimpse == self._trace[place.shown + 1]:
            return after, _Place(place.shown + 1, answered, glimpse)
        return None


@attrs.frozen
class _Place:
    """How far a line has come: the last glimpse it has given, and how many of the events that the seat knows."""

    shown: int
    answered: int
    glimpse: Glimpse


@attrs.frozen
class _Own:
    """Something that the seat did, or that time has gone on; everybody knows that."""

    event: Answer | Reading | Expiry
    shown: int
    """The last glimpse before it."""


@attrs.frozen
class _Choice:
    """One chance step of a line: where it was, the weight of what was drawn, and what was not tried."""

    state: State
    place: _Place
    weight: Fraction
    left: tuple[tuple[int, Fraction], ...]


@attrs.frozen
class _Drawn:
    """What a chance step of a line led to."""

    state: State
    place: _Place
    choice: _Choice


def weighted(draw: Draw, weights: list[Fraction]) -> int:
    """An index, each as likely as its weight, by one draw; none if there is only one."""
    if len(weights) == 1:
        return 0
    scale = math.lcm(*{weight.denominator for weight in weights})
    bounds = list(accumulate(weight.numerator * (scale // weight.denominator) for weight in weights))
    return bisect_right(bounds, draw.below(bounds[-1]))


def _listed(state: State, seat: int | None) -> list[Answer] | None:
    """The legal answers of a seat, none of a spectator; None if they cannot be listed."""
    if seat is None:
        return []
    try:
        return list(state.moves(seat))
    except Exhausted:
        return None


def _refused(code: str, reason: str) -> Refused:
    words = f"The hidden cards cannot be dealt anew here: {reason}."
    return Refused([Refusal(code=code, number="RL8016", words=words)])
