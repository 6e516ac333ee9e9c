"""What cannot be lowered: said before play, never a wrong answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.diagnostics.codes import NOT_LOWERED
from rulelang.failures import Exhausted
from rulelang.ir.laps import reachable
from rulelang.ir.nodes import AnyOfSeats, Decide
from rulelang.ir.origin import Source
from rulelang.ir.program import Program
from rulelang.play import kinds
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


def check_lowered(program: Program) -> None:
    """Refuse what has no form yet: open play, votes, clocks and moves that carry words. Raises NotLowered."""
    for timer in program.timers:
        with about(timer.name, timer.at):
            raise NotLowered("it has no clock yet")
    if program.clock is not None:
        raise NotLowered("it has no clock yet")
    for move in program.moves:
        if kinds.is_spoken(move):
            with about(move.name, move.at):
                raise NotLowered("it has no form for words yet")
    for procedure in program.procedures:
        for number in sorted(reachable(program, procedure.entry)):
            node = program.nodes[number]
            if isinstance(node, Decide) and isinstance(node.asked, AnyOfSeats):
                with about(procedure.name, node.at):
                    raise NotLowered("it has no form for open play and votes yet")


@contextmanager
def about(rule: str, at: Source) -> Iterator[None]:
    """What cannot be lowered in here belongs to this rule."""
    try:
        yield
    except NotLowered as failure:
        failure.rule, failure.at = rule, at
        raise
