"""Watching an interpreter at work: which nodes it carries out, on what, and which attempts are made.

For coverage of rules and for explanations only: a watcher sees everything on the table, and changes nothing. An
interpreter that can be watched has ``watched_by``; nothing else of the protocol depends on it.
"""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from rulelang.ir.program import Program
from rulelang.play.engine import Engine
from rulelang.play.event import Answer
from rulelang.play.formulas import Context
from rulelang.play.refusal import Refusal


class Watcher(Protocol):
    """Somebody who is told what an interpreter does. Nodes are numbered as in the closed program."""

    def configured(
        self, program: Program, seats: int, options: Mapping[str, int | str | bool], closed: Program
    ) -> None:
        """A program was closed; what comes next is about ``closed``."""

    def begins(self, node: int, context: Context) -> None:
        """A node is about to be carried out, on this table and with these locals; the context goes on changing."""

    def led(self, node: int, following: int) -> None:
        """A node has been carried out, and its frame goes on there; not told of nodes that wait or close frames."""

    def attempted(self, closed: Program, answer: Answer, reasons: tuple[Refusal, ...]) -> None:
        """Somebody looked whether an answer is legal, and this is against it."""


@runtime_checkable
class Watchable(Protocol):
    """An interpreter that can be watched."""

    def watched_by(self, watcher: Watcher) -> Engine:
        """The same interpreter, which tells the watcher what it does."""
