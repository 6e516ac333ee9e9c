"""Games of one version, every position of them laid out on the other, and the shortest record of every difference.

Random games are played by the old rules. Wherever somebody must act, the position is laid out on the new ones, so that
one difference does not hide the next; where it cannot be (a rule that stands there is gone), the game by the new rules
goes on beside it as long as both take the same events.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

import attrs

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Program
from rulelang.play.alike import Pair, outcome_of
from rulelang.play.attempting import attempt
from rulelang.play.chance import Stream, match_key, mix
from rulelang.play.comparing import Looked, drawn_event
from rulelang.play.engine import Engine, Game, State
from rulelang.play.event import Event
from rulelang.rulebook.versions.beside import (
    Seen,
    Subject,
    attempts,
    failure,
    listed,
    made,
    results,
    scores,
    tables,
    waits,
)
from rulelang.rulebook.versions.matching import Both, NoMatch

ATTEMPTS: Final = 6
"""Attempts in every position."""
LONGEST: Final = 400
"""Events of one game."""

Options = Mapping[str, Any]


@attrs.frozen
class Shown:
    """A kind of difference, and the shortest record that was found to show it."""

    seen: Seen
    seats: int
    old: Program | None
    """The old rules as they were closed for the record; None if they cannot be."""
    game: int
    events: tuple[Event, ...] = ()


@attrs.define
class Counts:
    """How much was compared."""

    games: int = 0
    positions: int = 0
    laid_out: int = 0
    """Positions that could be laid out on the new rules."""


class Playing:
    """One comparison by play. All of ``shown`` and ``counts`` is right at any time."""

    def __init__(self, engine: Engine, old: Program, new: Program, asked: Mapping[str, bool], seed: int) -> None:
        """``asked``: the defines that both have, and whether each is asked for every seat."""
        self.engine = engine
        self.programs = (old, new)
        self.asked = asked
        self.seed = seed
        self.shown: dict[tuple[Subject, str], Shown] = {}
        self.counts = Counts()
        self.progress: Callable[[int], None] = lambda count: None

    def play(self, seats: Iterable[int], options: tuple[Options, Options], moves: int) -> None:
        """So many positions, shared by the numbers of seats."""
        numbers = tuple(seats)
        for place, number in enumerate(numbers):
            end = moves * (place + 1) // len(numbers)
            games = self.configured(number, options)
            if games is not None:
                self.games(games, number, end)

    def configured(self, seats: int, options: tuple[Options, Options]) -> Pair[Game] | None:
        found = [
            outcome_of(partial(_configured, program, seats, chosen), self.engine)
            for program, chosen in zip(self.programs, options, strict=True)
        ]
        first, second = made(found[0]), made(found[1])
        if first is not None and second is not None:
            return Pair(first, second)
        if first is not None or second is not None:
            said = [failure(each) or "can be played" for each in found]
            closed = None if first is None else first.program
            self.keep(Seen("setup", f"{seats} seat{'' if seats == 1 else 's'}", said[0], said[1]), seats, closed, 0, ())
        return None

    def games(self, games: Pair[Game], seats: int, end: int) -> None:
        both = Both.of(games.first.program, games.second.program)
        number = 0
        while self.counts.positions < end:
            before = self.counts.positions
            self.counts.games += 1
            _Line(self, games, both, seats, number).play(end)
            number += 1
            if self.counts.positions - before < 2:
                return  # it ends where it begins, and so will all others

    def keep(self, seen: Seen, seats: int, closed: Program | None, game: int, events: tuple[Event, ...]) -> None:
        """Keep the shortest record of each kind of difference."""
        key = (seen.subject, seen.name)
        known = self.shown.get(key)
        if known is None or len(events) < len(known.events):
            self.shown[key] = Shown(seen, seats, closed, game, events)


class _Line:
    """One game."""

    def __init__(self, playing: Playing, games: Pair[Game], both: Both, seats: int, number: int) -> None:
        self.playing = playing
        self.games = games
        self.both = both
        self.seats = seats
        self.number = number
        self.key = match_key(playing.seed, number)
        self.events: list[Event] = []

    def keep(self, seen: Iterable[Seen], *more: Event) -> bool:
        """Keep what is different; whether anything is."""
        found = list(seen)
        for each in found:
            closed = self.games.first.program
            self.playing.keep(each, self.seats, closed, self.number, (*self.events, *more))
        return bool(found)

    def play(self, end: int) -> None:
        choices = Stream(mix(self.key, 2**40))
        state = _started(self.games.first)
        beside = _started(self.games.second)
        if state is None or beside is None:
            if state is not beside:
                said = ["cannot begin" if each is None else "begins" for each in (state, beside)]
                self.keep([Seen("fails", "the start", said[0], said[1])])
            return
        pair = Pair(state, beside)
        self.keep(tables(pair, "start"))
        self.keep(Seen("start", each.name, each.first, each.second) for each in waits(pair, self.both))
        if state.outcome is not None and self.playing.counts.positions < end:  # it is over before anybody does anything
            self.playing.counts.positions += 1
            self.playing.counts.laid_out += 1
            self.keep(results(pair))
            self.keep(scores(pair, self.playing.asked))
        start = beside
        other: State | None = beside
        while state.outcome is None and len(self.events) < LONGEST and self.playing.counts.positions < end:
            self.playing.counts.positions += 1
            self.playing.progress(self.playing.counts.positions)
            laid = self.laid_out(state, start)
            other = laid or other
            if other is not None:
                self.look(Pair(state, other))
            event = _drawn(state, choices, mix(self.key, len(self.events)))
            if event is None:
                return
            after = made(outcome_of(partial(_after, event), state))
            if after is None:
                return
            other = None if other is None else self.step(Pair(state, other), event, after)
            self.events.append(event)
            state = after

    def laid_out(self, state: State, start: State) -> State | None:
        """The position by the new rules."""
        try:
            position = self.both.there.position(state.position(), start.position())
            found = self.games.second.position(position)
        except (NoMatch, Refused, Exhausted):
            return None
        self.playing.counts.laid_out += 1
        return found

    def look(self, pair: Pair[State]) -> None:
        """What is different of one position."""
        differs = self.keep(waits(pair, self.both))
        self.keep(scores(pair, self.playing.asked))
        if differs and pair.first.waiting.kind != pair.second.waiting.kind:
            return
        draw = Stream(mix(self.key, len(self.events)))
        waiting = pair.first.waiting
        answers = {seat: listed(pair.first, seat) or () for seat in waiting.seats}
        for _ in range(ATTEMPTS if waiting.seats else 0):
            tried = attempt(self.games.first.program, waiting, answers, draw)
            self.keep(attempts(pair, self.both, tried))

    def step(self, pair: Pair[State], event: Event, after: State) -> State | None:
        """Both one event further, and what is different then; the new state, None if there is none."""
        try:
            there = self.both.there.event(event, pair.first.waiting.node)
        except NoMatch:
            return None
        found = made(outcome_of(partial(_after, there), pair.second))
        if found is None:
            return None  # that it is not legal there has been told
        both = Pair(after, found)
        differs = self.keep(tables(both), event)
        differs = self.keep(results(both), event) or differs
        if (after.outcome is None) != (found.outcome is None):
            said = ["it goes on" if each.outcome is None else "the game is over" for each in (after, found)]
            self.keep([Seen("result", "", said[0], said[1])], event)
        return None if differs else found


def _configured(program: Program, seats: int, options: Options, engine: Engine) -> Game:
    return engine.configure(program, seats, options)


def _after(event: Event, state: State) -> State:
    return state.step(event)


def _started(game: Game) -> State | None:
    return made(outcome_of(lambda each: each.start(), game))


def _drawn(state: State, draw: Stream, outcome: int) -> Event | None:
    answers = {seat: listed(state, seat) or () for seat in state.waiting.seats}
    looked = Looked(state.waiting, answers, None, state.now, state.deadline)
    return made(outcome_of(lambda one: drawn_event(Pair(one, one), looked, draw, outcome), state))
