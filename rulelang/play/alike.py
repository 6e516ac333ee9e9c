"""One question put to two interpreters: whether it comes to the same on both. See ``rulelang.play.differing``.

A call comes to a value, or to one of the two failures that games are allowed: Refused with its reasons, Exhausted
with its code and words. Both must be alike, to the words. Anything else that leaves a call is a bug, also if both
have it.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

import attrs

from rulelang.failures import Exhausted, Refused
from rulelang.play.event import Event, Expiry, Pass, Play, Reading, Sealed

S = TypeVar("S")
T = TypeVar("T")


@attrs.frozen
class Failed:
    """A call was refused, or exhausted a limit."""

    failure: str
    reasons: tuple[object, ...]


@attrs.frozen
class Crashed:
    """A call was left by what may not leave it."""

    failure: str


@attrs.frozen
class Pair(Generic[S]):
    """The same thing on both interpreters: two engines, two games, two states."""

    first: S
    second: S


class Differs(Exception):
    """Two interpreters do not agree."""

    def __init__(self, subject: str, what: str, first: str, second: str, tried: Event | None = None) -> None:
        self.subject = subject
        """What kind of thing it is: ``moves``."""
        self.what = what
        """Which of them: ``moves of seat 2``."""
        self.first = first
        self.second = second
        self.tried = tried
        """The attempt that showed it, if it took one."""
        self.ahead: tuple[Event, ...] = ()
        """Events between where the game stands and where it showed."""
        super().__init__(subject, what, first, second, tried)


def outcome_of(call: Callable[[S], T], side: S) -> T | Failed | Crashed:
    """What a call comes to on one side."""
    try:
        return call(side)
    except Refused as refused:
        return Failed("Refused", refused.reasons)
    except Exhausted as exhausted:
        return Failed("Exhausted", (exhausted.code, exhausted.message))
    except Exception as failure:
        return Crashed(f"{type(failure).__name__}: {failure}")


def alike(
    pair: Pair[S],
    subject: str,
    call: Callable[[S], T],
    of: str = "",
    *,
    tried: Event | None = None,
    strictly: bool = False,
) -> T | Failed:
    """What a call comes to on both sides. Raises Differs.

    ``strictly``, yes is not 1: values that are written differently differ, too.
    """
    first, second = outcome_of(call, pair.first), outcome_of(call, pair.second)
    if isinstance(first, Crashed) or isinstance(second, Crashed) or _differ(first, second, strictly):
        raise Differs(subject, f"{subject}{of}", *texts(first, second), tried)
    return first


def both(
    pair: Pair[S], subject: str, call: Callable[[S], T], of: str = "", *, tried: Event | None = None
) -> Pair[T] | Failed:
    """What a call makes on both sides, or how it fails alike on both. Raises Differs. What is made is not compared."""
    first, second = outcome_of(call, pair.first), outcome_of(call, pair.second)
    if isinstance(first, Failed | Crashed) or isinstance(second, Failed | Crashed):
        if isinstance(first, Failed) and first == second:
            return first
        said = (side if isinstance(side, Failed | Crashed) else _WORKS for side in (first, second))
        raise Differs(subject, f"{subject}{of}", *texts(*said), tried)
    return Pair(first, second)


_WORKS = Crashed("no failure")


def _differ(first: object, second: object, strictly: bool = True) -> bool:
    return first != second or (strictly and repr(first) != repr(second))


# ------------------------------------------------------------------ in words


def texts(first: object, second: object) -> tuple[str, str]:
    """Two different values as texts: of large ones only the first part that differs, and where it stands."""
    path = ""
    while _has_parts(first, second):
        names = (field.name for field in attrs.fields(cast(Any, type(first))))
        name = next(name for name in names if _differ(getattr(first, name), getattr(second, name)))
        path += f"{name}: "
        first, second = getattr(first, name), getattr(second, name)
    if isinstance(first, tuple | bytes) and isinstance(second, tuple | bytes):
        return path + _element(first, second), path + _element(second, first)
    return path + _said(first), path + _said(second)


def _has_parts(first: object, second: object) -> bool:
    """Whether two values are of a class with fields, so that one of these says what the difference is."""
    if type(first) is not type(second) or not attrs.has(type(first)) or isinstance(first, Crashed):
        return False
    return not isinstance(first, Failed) or first.failure == second.failure  # type: ignore[attr-defined]


def _element(mine: "tuple[object, ...] | bytes", other: "tuple[object, ...] | bytes") -> str:
    """The first element in which one row differs from another."""
    shorter = min(len(mine), len(other))
    place = next((place for place in range(shorter) if _differ(mine[place], other[place])), shorter)
    said = _said(mine[place]) if place < len(mine) else "nothing"
    return f"{place + 1} of {len(mine)}: {said}"


def _said(value: object) -> str:
    if isinstance(value, Failed):
        return f"{value.failure}: {', '.join(map(repr, value.reasons))}"
    return value.failure if isinstance(value, Crashed) else repr(value)


def attempt_text(names: tuple[str, ...], event: Event) -> str:
    """An attempt in words, whatever nonsense it is: ``place(4) by seat 2``. ``names`` are those of the moves."""
    if isinstance(event, Play):
        name = names[event.move] if 0 <= event.move < len(names) else f"move {event.move}"
        return f"{name}({', '.join(map(str, event.arguments))}) by seat {event.seat + 1}"
    if isinstance(event, Pass):
        return f"pass by seat {event.seat + 1}"
    if isinstance(event, Sealed):
        return f"sealed [{', '.join(attempt_text(names, answer) for answer in event.answers)}]"
    if isinstance(event, Reading):
        return f"reading {event.time}"
    return f"expiry of timer {event.timer}" if isinstance(event, Expiry) else f"outcome {event.value}"


def of_seat(seat: int | None) -> str:
    """Whose it is, as the end of a name."""
    return " of a spectator" if seat is None else f" of seat {seat + 1}"
