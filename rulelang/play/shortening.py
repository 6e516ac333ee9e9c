"""The shortest way to a difference between two interpreters.

A difference is found somewhere in a random game. A shorter record shows it as well, as often as not: the same attempt
may differ earlier in the same game; another difference of the same kind may stand a few events from the start, where
all games are tried one event deeper at a time; or in other random games that are broken off earlier. All three have
bounds, and what is tried depends on the seed alone. What does not come about again when it is played again is left as
it was found.
"""

from collections import deque
from itertools import islice

import attrs

from rulelang.ir.program import Program
from rulelang.play.alike import Differs, Pair, outcome_of
from rulelang.play.chance import match_key, mix
from rulelang.play.comparing import Compared, Effort
from rulelang.play.differing import SEARCHES, Difference, Found, Line, configured
from rulelang.play.engine import Engine, Game, State, children
from rulelang.play.event import Event
from rulelang.play.wholes import SUBJECT


@attrs.frozen
class Search:
    """How long to look for a shorter record."""

    states: int = 400
    """States that are gone through in order of their depth."""
    wide: int = 48
    """Events that are tried from one of them."""
    events: int = 2000
    """Events of other random games."""
    attempts: int = 16
    """Attempts in each state."""


def shortest(
    first: Engine, second: Engine, program: Program, difference: Difference, search: Search | None = None
) -> Difference:
    """The same kind of difference after as few events as were found to show it; never after more."""
    if not difference.events or difference.subject == SUBJECT:  # no way through states leads to compiled games
        return difference
    try:
        games = configured(Pair(first, second), program, difference.seats, difference.options)
    except Differs:
        return difference
    if games is None:
        return difference
    shortening = _Shortening(games, difference, search or Search())
    shortening.earlier()
    shortening.nearest()
    shortening.elsewhere()
    return shortening.best


class _Shortening:
    """One search: the best so far, and where it has looked."""

    def __init__(self, games: Pair[Game], difference: Difference, search: Search) -> None:
        self.games = games
        self.best = difference
        self.search = search
        self.key = mix(match_key(difference.seed, difference.game), SEARCHES)
        self.probes = () if difference.tried is None else (difference.tried,)
        saved = 1 if ": " in difference.subject or difference.subject in ("loading", "laying out") else 2**32
        self.effort = Effort(closely=1, attempts=search.attempts, saved=saved)
        self.reached = 0
        """After fewer events there is nothing, as far as `nearest` has gone."""

    def line(self, key: int) -> Line:
        """A game in which every state is looked at as closely as can be."""
        return Line(self.games, key, self.effort, Compared(), self.probes)

    def take(self, found: Found) -> bool:
        """Keep what was found if it is of the same kind and shorter."""
        differs = found.differs
        if differs.subject != self.best.subject or len(found.events) >= len(self.best.events):
            return False
        self.best = attrs.evolve(
            self.best,
            what=differs.what,
            first=differs.first,
            second=differs.second,
            events=found.events,
            tried=differs.tried,
        )
        return True

    def earlier(self) -> None:
        """Play the same events again and look more closely on the way."""
        try:
            self.line(self.key).follow(self.best.events)
        except Found as found:
            self.take(found)

    def nearest(self) -> None:
        """Go through all games from the start, one event deeper at a time."""
        waiting: deque[tuple[Event, ...]] = deque([()])
        states = 0
        while waiting and states < self.search.states:
            events = waiting.popleft()
            self.reached = len(events)
            if self.reached >= len(self.best.events):
                return
            states += 1
            line = self.line(mix(self.key, states))
            try:
                pair = line.follow(events, only_last=True)
            except Found as found:
                if self.take(found):
                    return
                continue
            waiting.extend((*events, event) for event in self.following(pair))

    def following(self, pair: Pair[State] | None) -> tuple[Event, ...]:
        """The events to try from a state; none if they cannot be listed."""
        if pair is None:
            return ()
        events = outcome_of(lambda state: tuple(islice(children(state), self.search.wide)), pair.first)
        return events if isinstance(events, tuple) else ()

    def elsewhere(self) -> None:
        """Play other games, none longer than would be shorter."""
        counts, number = Compared(), 0
        while counts.moves < self.search.events and len(self.best.events) > self.reached:
            before = counts.moves
            number += 1
            line = attrs.evolve(self.line(mix(mix(self.key, SEARCHES), number)), counts=counts)
            try:
                line.play(len(self.best.events) - 1)
            except Found as found:
                self.take(found)
            if counts.moves == before:
                return
