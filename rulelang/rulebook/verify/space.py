"""Breadth first through the positions of a game, each looked at once. The first way to a position is a shortest one."""

import hashlib
from array import array
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import islice

import attrs

from rulelang.play.engine import State
from rulelang.play.event import Event, Pass, Sealed
from rulelang.rulebook.verify.looking import WIDEST, Looker

Progress = Callable[[int, int], None]
"""Is told how many positions were looked at, and how many events took place. It may raise KeyboardInterrupt."""

NONE = -1

FOLLOWED = 20
"""Events for each position that may be found: where much can be done everywhere, positions are looked at all the same,
but no longer gone on with, once so many have taken place.
"""


@attrs.define
class Space:
    """The positions that were found, numbered as found, and the ways between them. Right at any time."""

    before: "array[int]" = attrs.field(factory=lambda: array("q"))
    """From which position each was first found; the start from none."""
    by: list[Event | None] = attrs.field(factory=list)
    """By which event."""
    depth: "array[int]" = attrs.field(factory=lambda: array("q"))
    """With how many events."""
    first: "array[int]" = attrs.field(factory=lambda: array("q"))
    """Where in ``leads`` the ways out of each position begin that was looked at."""
    leads: "array[int]" = attrs.field(factory=lambda: array("q"))
    """Where the ways lead, position by position."""
    ends: bytearray = attrs.field(factory=bytearray)
    """1 for each looked-at position from which play does not go on, or in which an event was given up."""
    passing: "array[int]" = attrs.field(factory=lambda: array("q"))
    """For each looked-at position: where it leads that everybody passes, ``NONE`` if not everybody can."""
    passes: dict[int, Event] = attrs.field(factory=dict)
    """The event with which everybody passes, for each position with such a way."""
    whole: bool = False
    """Whether every position was found and looked at."""

    def way(self, position: int) -> tuple[Event, ...]:
        """The events from the start to a position: a shortest row of them."""
        events: list[Event] = []
        while position > 0:
            event = self.by[position]
            assert event is not None
            events.append(event)
            position = self.before[position]
        return tuple(reversed(events))


def explore(looker: Looker, depth: int | None, most: int, progress: Progress | None = None) -> tuple[Space, bool]:
    """Go through the positions within so many events of the start, and no more than so many of them.

    The second value says whether somebody stopped it (Ctrl-C); then the space is what was seen so far.
    """
    search = _Search(looker, depth, most, progress)
    try:
        search.run()
    except KeyboardInterrupt:
        return search.space, True
    return search.space, False


class _Search:
    def __init__(self, looker: Looker, depth: int | None, most: int, progress: Progress | None) -> None:
        self.looker = looker
        self.depth = depth
        self.most = most
        self.progress = progress
        self.space = Space()
        self.numbers: dict[bytes, int] = {}
        self.waiting: deque[tuple[int, bytes, State]] = deque()

    def run(self) -> None:
        space, looker = self.space, self.looker
        start = looker.game.start()
        looker.reached.take()
        self.enter(start, NONE, None)
        whole = True
        while self.waiting:
            position, key, state = self.waiting.popleft()
            whole = self.position(position, key, state) and whole
            self.tell()
        space.whole = whole

    def tell(self) -> None:
        """Say how far it is: at every event, as there may be very many out of one position."""
        if self.progress is not None:
            self.progress(self.looker.counts.positions, self.looker.counts.events)

    def enter(self, state: State, before: int, event: Event | None) -> int:
        """The number of a position; ``NONE`` for a new one for which there is no room any more."""
        key = hashlib.blake2b(state.to_bytes(), digest_size=20).digest()
        found = self.numbers.get(key)
        if found is not None:
            return found
        space, number = self.space, len(self.numbers)
        if number >= self.most:
            return NONE
        self.numbers[key] = number
        space.before.append(before)
        space.by.append(event)
        space.depth.append(0 if before == NONE else space.depth[before] + 1)
        self.waiting.append((number, key, state))
        return number

    def position(self, number: int, key: bytes, state: State) -> bool:
        """Look at a position and find those behind it; whether all of them were gone on with."""
        space, looker = self.space, self.looker
        length = space.depth[number]

        def way() -> tuple[Event, ...]:
            return space.way(number)

        goes_on = looker.look(state, int.from_bytes(key[:8], "big"), length, way)
        space.first.append(len(space.leads))
        space.ends.append(not goes_on)
        space.passing.append(NONE)
        if not goes_on:
            return True
        if (self.depth is not None and length >= self.depth) or looker.counts.events > FOLLOWED * self.most:
            looker.counts.cut += 1
            return False
        whole = True
        for event in islice(looker.events(state), WIDEST + 1):
            self.tell()
            if len(space.leads) - space.first[number] >= WIDEST:
                whole = False
                break
            after = looker.step(state, event, length, way)
            if after is None:
                space.ends[number] = 1
                continue
            written = after.event or event
            _forget(after)
            before = len(self.numbers)
            led = self.enter(after, number, written)
            if led == before:  # it was not there yet

                def way_there(last: Event = written) -> tuple[Event, ...]:
                    return (*way(), last)

                looker.ended(after, length + 1, way_there)
            if led == NONE:
                whole = False
                continue
            space.leads.append(led)
            if nobody_acts(event):
                space.passing[number] = led
                space.passes[number] = written
        looker.counts.cut += not whole
        return whole


def _forget(state: State) -> None:
    """Let go of the positions before: else each would keep all of them alive."""
    with suppress(AttributeError):  # an interpreter may not keep them in the first place
        state.previous = None  # type: ignore[misc]


def nobody_acts(event: Event) -> bool:
    """Whether everybody who is asked passes."""
    return isinstance(event, Pass) or (
        isinstance(event, Sealed) and all(isinstance(answer, Pass) for answer in event.answers)
    )
