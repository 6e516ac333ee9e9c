"""Events: everything that is not determined by the rules. Spec 1.4.

A game is its program, its configuration and its events; the same events give the same bytes anywhere.
"""

from collections.abc import Iterator, Sequence
from typing import cast

import attrs

Value = int | tuple["Value", ...]


@attrs.frozen
class Play:
    """A seat makes a move. ``arguments`` are codes, one a parameter."""

    seat: int
    """0 is seat 1."""
    move: int
    """Index into the program's moves."""
    arguments: tuple[int, ...] = ()


@attrs.frozen
class Pass:
    """A seat that may pass does."""

    seat: int


@attrs.frozen
class Sealed:
    """The answers of all asked seats, given sealed and carried out together, in the order in which they were asked.

    In a window an answer that lapsed stands as a pass.
    """

    answers: tuple[Play | Pass, ...]


def lapsed(answers: tuple["Play | Pass", ...]) -> tuple["Play | Pass", ...]:
    """The answers of a window in their one form: behind the first that moves everybody passes."""
    taker = next((place for place, answer in enumerate(answers) if isinstance(answer, Play)), len(answers))
    return answers[: taker + 1] + tuple(Pass(answer.seat) for answer in answers[taker + 1 :])


def windows(listed: "Sequence[Sequence[Play | Pass]]") -> "Iterator[tuple[Play | Pass, ...]]":
    """Every joint answer of a window in its one form, from what each seat may answer.

    In order: who is the first in the list that moves, and how; last, if all may pass, that nobody does.
    """
    passes = [next((answer for answer in answers if isinstance(answer, Pass)), None) for answers in listed]
    for place, answers in enumerate(listed):
        around = (*passes[:place], *passes[place + 1 :])
        if None not in around:
            for answer in answers:
                if isinstance(answer, Play):
                    yield cast("tuple[Play | Pass, ...]", (*passes[:place], answer, *passes[place + 1 :]))
    if None not in passes:
        yield cast("tuple[Play | Pass, ...]", tuple(passes))


@attrs.frozen
class Outcome:
    """What chance gave."""

    value: int


@attrs.frozen
class Reading:
    """Somebody looked at the clock: table time goes on. Spec 11.3."""

    time: int
    """Whole milliseconds since the game began."""


@attrs.frozen
class Expiry:
    """A timer has run out, at its own time. Spec 11.3."""

    timer: int
    """Index into the program's timers."""


Event = Play | Pass | Sealed | Outcome | Reading | Expiry
Answer = Play | Pass
