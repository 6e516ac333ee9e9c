"""What is wrong, each thing once: with the shortest way to it that was seen, and in how many positions."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

import attrs

from rulelang.failures import Exhausted
from rulelang.ir.origin import Source
from rulelang.play.event import Event

Kind = Literal["dead_end", "promise", "given_up", "endless", "passing", "order", "disagreement"]

KINDS: dict[Kind, str] = {
    "dead_end": "dead end",
    "promise": "broken promise",
    "given_up": "given up",
    "endless": "no end",
    "passing": "passing for ever",
    "order": "decided by order",
    "disagreement": "disagreement",
}
"""What each kind is called for people."""

Way = Callable[[], tuple[Event, ...]]
"""The events that lead to a position, put together when they are wanted."""


@attrs.frozen
class Place:
    """A line of the rules."""

    file: str
    line: int

    @classmethod
    def of(cls, at: Source) -> "Place":
        """Where a part of a program stands in the text."""
        return cls(at.origin.file, at.origin.line)

    @classmethod
    def where(cls, failure: Exhausted) -> "Place | None":
        """Where a limit was reached, if that is known."""
        return None if failure.file is None or failure.line is None else cls(failure.file, failure.line)


@attrs.frozen
class Finding:
    """One thing that is wrong."""

    kind: Kind
    said: str
    """What is wrong, in a sentence."""
    place: Place | None
    events: tuple[Event, ...]
    """From the start to a position that shows it; of all that were seen one of the shortest."""
    tried: Event | None
    """What cannot take place there, or should not, if it takes an attempt to show it."""
    positions: int
    """In how many positions it was seen."""
    code: str | None = None
    """Of what was given up: the number of the limit."""
    other: Place | None = None
    """Of what is decided by order: the line that stands behind."""
    id: str | None = None
    """As ``verify.toml`` names it, if it can be meant to be so."""
    reason: str = ""
    """Why it is meant to be so; empty if nobody says that."""


@attrs.frozen
class More:
    """What is known of some kinds of finding only; see `Finding`."""

    tried: Event | None = None
    code: str | None = None
    other: Place | None = None
    id: str | None = None


@attrs.define
class _Seen:
    kind: Kind
    said: str
    place: Place | None
    length: int
    events: tuple[Event, ...]
    more: More
    positions: int = 1


MORE: Final = More()


class Found:
    """Everything that was found so far, in the order in which it was first seen."""

    def __init__(self) -> None:
        self._seen: dict[object, _Seen] = {}

    def add(
        self,
        key: object,
        kind: Kind,
        said: Callable[[], tuple[str, Place | None]],
        length: int,
        way: Way,
        more: More = MORE,
    ) -> None:
        """Something is wrong in a position that ``way`` leads to, with so many events.

        Whatever has an equal ``key`` is the same thing. ``said`` puts it into words, once.
        """
        seen = self._seen.get(key)
        if seen is None:
            words, place = said()
            self._seen[key] = _Seen(kind, words, place, length, way(), more)
            return
        seen.positions += 1
        if length < seen.length:
            seen.length, seen.events, seen.more = length, way(), more

    def findings(self, allowed: Mapping[str, str]) -> tuple[Finding, ...]:
        """All of them, those with the shortest record first; with the reasons of those that are meant to be so."""
        found = [
            Finding(
                each.kind,
                each.said,
                each.place,
                each.events,
                each.more.tried,
                each.positions,
                each.more.code,
                each.more.other,
                each.more.id,
                allowed.get(each.more.id or "", ""),
            )
            for each in self._seen.values()
        ]
        return tuple(sorted(found, key=lambda each: (list(KINDS).index(each.kind), len(each.events))))
