"""What cannot be lowered: said before play, never a wrong answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.diagnostics.codes import NOT_LOWERED
from rulelang.failures import Exhausted
from rulelang.ir.origin import Source
from rulelang.play.reasons import exhausted, placed


class NotLowered(Exception):
    """A part of the program that the native interpreter has no form for; ``rule`` names it once that is known."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule: str | None = None
        self.at: Source | None = None

    def said(self) -> Exhausted:
        """The failure that leaves the interpreter."""
        rule = "these rules" if self.rule is None else f"'{self.rule}'"
        return placed(exhausted(NOT_LOWERED, rule=rule, reason=self.reason), self.at)


@contextmanager
def about(rule: str, at: Source) -> Iterator[None]:
    """What cannot be lowered in here belongs to this rule."""
    try:
        yield
    except NotLowered as failure:
        failure.rule, failure.at = rule, at
        raise
