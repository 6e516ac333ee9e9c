"""Two interpreters in lock-step: the same program, the same events, and everything that they answer compared.

    counts = Compared()
    difference = compare(first, second, program, seats, options, seed, moves=1000, counts=counts)

Games 0, 1, 2, ... of the seed are played at random on both, one after the other, until so many events have taken
place. At the start and after every event all answers of both must be alike (``comparing`` says which); so must every
failure be. What is played and tried depends on the seed and nothing else. The first difference ends it;
``shortening`` looks for a shorter way to it, ``configurations`` goes through seats and options.
"""

from collections.abc import Callable, Iterable, Mapping

import attrs

from rulelang.ir.program import Program
from rulelang.play.alike import Differs, Failed, Pair, alike, both
from rulelang.play.chance import PLAYERS, Stream, match_key, mix
from rulelang.play.comparing import CloseLook, Compared, Effort, Looked, compare_observed, drawn_event, glance
from rulelang.play.engine import Engine, Game, State
from rulelang.play.event import Event, Outcome

Options = Mapping[str, int | str | bool]
Progress = Callable[[int], None]
"""Is told how many events were compared so far."""

CHOICES = PLAYERS + 2**32
LOOKS = CHOICES + 1
SEARCHES = CHOICES + 2
"""Numbers, beyond those of all players, of what a game's choices and what its close looks are drawn from."""


@attrs.frozen
class Difference:
    """What two interpreters do not agree on, and how to get there."""

    what: str
    """A short name, such as ``moves of seat 2``."""
    first: str
    """What the first interpreter says; of something large only the part that differs."""
    second: str
    seats: int
    options: Options
    seed: int
    game: int
    """Which game of the seed it was found in."""
    events: tuple[Event, ...] = ()
    """Both took these alike; it shows after the last of them."""
    subject: str = ""
    """What kind of thing differs: ``moves``."""
    tried: Event | None = None
    """The attempt that shows it, if it takes one."""


class Found(Exception):
    """A difference in a game, after so many events."""

    def __init__(self, differs: Differs, events: tuple[Event, ...]) -> None:
        self.differs = differs
        self.events = events
        super().__init__(differs, events)


def compare(
    first: Engine,
    second: Engine,
    program: Program,
    seats: int,
    options: Options,
    seed: int,
    moves: int,
    *,
    effort: Effort | None = None,
    counts: Compared | None = None,
    progress: Progress | None = None,
) -> Difference | None:
    """Compare in one configuration, until so many events have taken place alike. None if nothing differs.

    ``counts`` is kept up to date all the time, so that it is right whatever ends the comparison.
    """
    counts = counts if counts is not None else Compared()
    number, last = 0, counts.moves + moves
    try:
        games = configured(Pair(first, second), program, seats, options)
        if games is None:
            counts.refused += 1
            return None
        counts.configurations += 1
        while counts.moves < last:
            before = counts.moves
            line = Line(games, match_key(seed, number), effort or Effort(), counts, progress=progress)
            line.play(last - before)
            if counts.moves == before:  # it ends before it begins, and so will all others
                return None
            number += 1
    except Differs as differs:
        return _difference(Found(differs, ()), seats, options, seed, number)
    except Found as found:
        return _difference(found, seats, options, seed, number)
    return None


def _difference(found: Found, seats: int, options: Options, seed: int, game: int) -> Difference:
    differs = found.differs
    return Difference(
        differs.what,
        differs.first,
        differs.second,
        seats,
        options,
        seed,
        game,
        found.events,
        differs.subject,
        differs.tried,
    )


def configured(engines: Pair[Engine], program: Program, seats: int, options: Options) -> Pair[Game] | None:
    """The closed program on both; None if it is refused, or too large, alike on both. Raises Differs."""
    games = both(engines, "configure", lambda engine: engine.configure(program, seats, options))
    if isinstance(games, Failed):
        return None
    alike(games, "program", lambda game: game.program)
    return games


@attrs.define
class Line:
    """One game, from its start on both."""

    games: Pair[Game]
    key: int
    effort: Effort
    counts: Compared
    probes: tuple[Event, ...] = ()
    """Attempts to make in every state that is looked at closely, besides those that are drawn."""
    progress: Progress | None = None
    events: list[Event] = attrs.field(factory=list)
    outcomes: int = 0

    def play(self, most: int) -> None:
        """Go on at random until the game ends, or so many events have taken place. Raises Found."""
        choices = Stream(mix(self.key, CHOICES))
        self.counts.games += 1
        try:
            pair = self.begin()
            while pair is not None:
                looked = self.look(pair)
                if looked is None or len(self.events) >= most:
                    return
                event = drawn_event(pair, looked, choices, mix(self.key, self.outcomes))
                pair = None if event is None else self.step(pair, event)
        except Differs as differs:
            raise Found(differs, (*self.events, *differs.ahead)) from None

    def follow(self, events: Iterable[Event], *, only_last: bool = False) -> Pair[State] | None:
        """Take these events; None if one of them cannot be taken. Raises Found."""
        try:
            pair = self.begin()
            for event in events:
                if pair is not None and not only_last:
                    self.look(pair)
                pair = None if pair is None else self.step(pair, event)
            if pair is not None:
                self.look(pair)
        except Differs as differs:
            raise Found(differs, (*self.events, *differs.ahead)) from None
        return pair

    def begin(self) -> Pair[State] | None:
        """The start; None if setting up exhausts a limit alike."""
        pair = both(self.games, "start", lambda game: game.start())
        return self.unless_failed(pair)

    def step(self, pair: Pair[State], event: Event) -> Pair[State] | None:
        """One event further; None if it fails alike."""
        after = both(pair, "step", lambda state: state.step(event), tried=event)
        self.counts.moves += 1
        if self.progress is not None:
            self.progress(self.counts.moves)
        if isinstance(after, Pair):
            written = alike(after, "event", lambda state: state.event)
            self.outcomes += isinstance(event, Outcome)
            self.events.append(event if written is None or isinstance(written, Failed) else written)
        return self.unless_failed(after)

    def unless_failed(self, pair: Pair[State] | Failed) -> Pair[State] | None:
        """The states, or None, which is counted."""
        if isinstance(pair, Failed):
            self.counts.exhausted += 1
            return None
        return pair

    def look(self, pair: Pair[State]) -> Looked | None:
        """Compare this state, some more closely than others."""
        draw = Stream(mix(mix(self.key, LOOKS), len(self.events)))
        closely = draw.below(self.effort.closely) == 0
        looked = glance(pair, self.counts, strictly=closely)
        if looked is None:
            return None
        if closely:
            look = CloseLook(pair, looked, draw, self.counts)
            look.everything(self.effort.attempts, self.probes)
            if draw.below(self.effort.saved) == 0:
                look.saved()
        elif looked.waiting.kind == "over":
            compare_observed(pair)
        return looked


__all__ = ["Compared", "Difference", "Effort", "Found", "Line", "Options", "compare", "compare_observed", "configured"]
