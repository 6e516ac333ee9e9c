"""Many games side by side, stepped together on arrays: for learning and for searching. Spec 15.2.

    batch = batches.begin(game, 64, seed=1)
    while not batch.over:
        places = [...]                       for each game a place among its answers (anything where it is over)
        batch.step_many(places)

Game i of a batch is the match (15.2) with that seed and number: its outcomes are the same, whatever else is played.
Chance is drawn by itself; joint answers are asked for one seat after the other, and take effect together. ``seats`` and
``counts`` say for each game who is asked and how many answers there are, -1 and 0 where it is over. ``views_many``
writes down what the asked seats see, one row of whole numbers for each game, laid out as `fields` says.

Any interpreter plays batches; one that is faster at it has games that are `Batches`.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import index
from typing import Any, Final, Protocol, cast, runtime_checkable

import attrs

from rulelang.failures import Exhausted
from rulelang.ir.nodes import AnyOfSeats, Decide
from rulelang.ir.program import Marker, Program, Zone
from rulelang.ir.types import CollectionType, SingleType
from rulelang.play import kinds
from rulelang.play.engine import Game
from rulelang.play.event import Answer, Event
from rulelang.play.match import Match
from rulelang.play.outcome import GameOutcome
from rulelang.play.view import View

MOST_KINDS: Final = 4096
"""Of so many different pieces each is counted; of more none is."""

SEEN, VALUE = range(2)
"""Words about a number: whether it is seen, and it (0 if not)."""
LENGTH, ELEMENTS = 1, 2
"""Words about a collection, behind `SEEN`: how many there are, and how many of each kind."""
SIZE_SEEN, SIZE, TOP_SEEN, TOP, PIECES = range(1, 6)
"""Words about a zone, behind `SEEN` (its content): whether its size is seen, that, whether the top piece of a pile is
seen, that (as a code; none's if there is no piece), and how many of each kind lie there. What is not seen is 0."""


@attrs.frozen
class Field:
    """Where one zone or marker stands in a row of `Batch.views_many`."""

    name: str
    slot: int
    member: int
    """Flat index in the family; 0 for a single one."""
    first: int
    """Place of its first word."""
    words: int
    codes: range
    """The codes that are counted one by one, in order; empty for numbers, and for more than `MOST_KINDS`."""


def fields(program: Program) -> tuple[Field, ...]:
    """How a row is laid out: every zone and marker of a closed program, in order."""
    found: list[Field] = []
    first = 0
    families = kinds.Layout.of(program).families
    for slot, declared in enumerate(program.slots):
        codes = _counted(program, declared)
        row = isinstance(declared, Zone) or isinstance(declared.type, CollectionType)
        words = (PIECES if isinstance(declared, Zone) else ELEMENTS if row else 1 + VALUE) + len(codes)
        for member in range(families[slot].count):
            found.append(Field(declared.name, slot, member, first, words, codes))
            first += words
    return tuple(found)


def _counted(program: Program, declared: Zone | Marker) -> range:
    """The kinds of pieces that are counted one by one."""
    kind = declared.content if isinstance(declared, Zone) else declared.type
    if isinstance(declared, Marker) and not isinstance(kind, CollectionType):
        return range(0)
    codes = kinds.all_codes(program, cast(SingleType, kind.of if isinstance(kind, CollectionType) else kind))
    return codes if len(codes) <= MOST_KINDS else range(0)


def written_down(program: Program, laid: Sequence[Field], view: View) -> array[int]:
    """A view as a row of words."""
    row = array("q", bytes(8 * (laid[-1].first + laid[-1].words if laid else 0)))
    places = {(field.slot, field.member): field for field in laid}
    for seen in view.seen:
        field = places[seen.slot, seen.member]
        declared, at = program.slots[field.slot], field.first
        value: Any = seen.value
        if isinstance(declared, Marker):
            row[at + SEEN] = 1
            if isinstance(value, int):
                row[at + VALUE] = value
            else:
                row[at + LENGTH] = len(value)
                _count(row, at + ELEMENTS, field.codes, value)
        elif seen.part == "content":
            row[at + SEEN], row[at + SIZE_SEEN], row[at + SIZE] = 1, 1, len(value)
            _count(row, at + PIECES, field.codes, value)
            if declared.shape == "pile":
                row[at + TOP_SEEN] = 1
                row[at + TOP] = value[-1] if value else kinds.none_code(declared.content)
        elif seen.part == "size":
            row[at + SIZE_SEEN], row[at + SIZE] = 1, value
        else:
            row[at + TOP_SEEN], row[at + TOP] = 1, value
    return row


def _count(row: array[int], first: int, codes: range, values: Sequence[int]) -> None:
    for value in values if codes else ():
        row[first + value - codes.start] += 1


class Batch(Protocol):
    """Some games of one seed, each at a wait for a seat, or over."""

    @property
    def over(self) -> bool:
        """Whether all games are over."""

    @property
    def seats(self) -> array[int]:
        """For each game who is asked (behind the seats: the table); -1 if it is over."""

    @property
    def counts(self) -> array[int]:
        """For each game how many answers the asked seat has; 0 if it is over."""

    @property
    def width(self) -> int:
        """Words of a row of `views_many`."""

    def step_many(self, places: Sequence[int]) -> None:
        """The asked seat of each game gives the answer at a place of its list.

        Where a game is over anything stands. Raises IndexError, before anything happens, for a place that is none.
        """

    def views_many(self, seat: int | None = None) -> array[int]:
        """What the asked seats see (or one seat; the number of seats stands for a spectator), one row for each game.

        Rows of games that are over are zeros, unless a seat is given. Raises ValueError for a seat that is none.
        """

    def moves(self, game: int) -> Sequence[Answer]:
        """The answers that a game's asked seat has, in order."""

    def outcome(self, game: int) -> GameOutcome | None:
        """How a game ended; None if it is not over, or came to a limit."""

    def failure(self, game: int) -> Exhausted | None:
        """The limit that a game came to, if it did: it is over then, without a result."""


@runtime_checkable
class Batches(Protocol):
    """A game that steps batches by itself."""

    def batch(self, n: int, seed: int, first: int) -> Batch | None:
        """A batch, or None if it has no such for these rules."""


def in_table_time(program: Program) -> bool:
    """Whether games are played in table time (11.4), or anybody may act first."""
    asked = (node.asked for node in program.nodes if isinstance(node, Decide))
    return program.clock is not None or any(isinstance(each, AnyOfSeats) for each in asked)


def begin(game: Game, n: int, seed: int, first: int = 0) -> Batch:
    """Games ``first`` to ``first + n - 1`` of a seed, each at its first decision.

    Raises ValueError for table time and for less than 0 games.
    """
    if n < 0:
        raise ValueError("there cannot be less than 0 games")
    own = cast(object, game)
    found = own.batch(n, seed, first) if isinstance(own, Batches) else None
    return Matches(game, n, seed, first) if found is None else found


class Matches:
    """A batch of matches, one stepped after the other."""

    def __init__(self, game: Game, n: int, seed: int, first: int = 0) -> None:
        if in_table_time(game.program):
            raise ValueError("games in table time are not stepped side by side")
        self._game = game
        self._fields = fields(game.program)
        self._matches = [Match(game, seed, first + number) for number in range(n)]
        self._failures: dict[int, Exhausted] = {}
        self.width = sum(field.words for field in self._fields)
        self.seats = array("q", bytes(8 * n))
        self.counts = array("q", bytes(8 * n))
        for number in range(n):
            self._settle(number)

    @property
    def over(self) -> bool:
        return all(seat < 0 for seat in self.seats)

    def step_many(self, places: Sequence[int]) -> None:
        places = check_places(self, places)
        for number, match in enumerate(self._matches):
            if self.seats[number] >= 0:
                try:
                    match.submit(match.state.moves(self.seats[number])[places[number]])
                except Exhausted as failure:
                    self._failures[number] = failure
                self._settle(number)

    def views_many(self, seat: int | None = None) -> array[int]:
        check_viewer(self._game.program, seat)
        rows = array("q")
        spectator = kinds.seat_count(self._game.program)
        for number, match in enumerate(self._matches):
            viewer = self.seats[number] if seat is None else seat
            if viewer < 0:
                rows.extend(array("q", bytes(8 * self.width)))
            else:
                view = match.state.view(viewer if viewer < spectator else None)
                rows.extend(written_down(self._game.program, self._fields, view))
        return rows

    def moves(self, game: int) -> Sequence[Answer]:
        seat = self.seats[game]
        return self._matches[game].state.moves(seat) if seat >= 0 else ()

    def outcome(self, game: int) -> GameOutcome | None:
        return None if game in self._failures else self._matches[game].outcome

    def failure(self, game: int) -> Exhausted | None:
        return self._failures.get(game)

    def events(self, game: int) -> tuple[Event, ...]:
        """Everything that has happened in a game."""
        return self._matches[game].events

    def _settle(self, number: int) -> None:
        """Chance is drawn, and whoever is asked then is counted."""
        match = self._matches[number]
        self.seats[number], self.counts[number] = -1, 0
        if number in self._failures:
            return
        try:
            while match.outcome is None and match.state.waiting.kind == "chance":
                match.advance_chance()
            if match.outcome is None:
                seat = match.missing[0]
                count = len(match.state.moves(seat))
                if not count:
                    raise match.dead_end(seat)
                self.seats[number], self.counts[number] = seat, count
        except Exhausted as failure:
            self._failures[number] = failure


def check_places(batch: Batch, places: Sequence[int]) -> array[int]:
    """The places as whole numbers. Raises IndexError for places that are none, TypeError for what is no number."""
    if len(places) != len(batch.seats):
        raise IndexError(f"{len(places)} places for {len(batch.seats)} games")
    whole = [index(place) for place in places]
    for number, (place, count) in enumerate(zip(whole, batch.counts, strict=True)):
        if count and not 0 <= place < count:
            raise IndexError(f"game {number} has {count} answers, and no place {place}")
    return array("q", [place if count else 0 for place, count in zip(whole, batch.counts, strict=True)])


def check_viewer(program: Program, seat: int | None) -> None:
    """Raises ValueError for a viewer that is neither a seat nor, behind them, a spectator."""
    seats = kinds.seat_count(program)
    if seat is not None and not 0 <= seat <= seats:
        raise ValueError(f"there are seats 0 to {seats - 1}, and {seats} for a spectator, but no {seat}")
