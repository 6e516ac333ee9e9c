"""Watching an interpreter at work: which nodes it carries out, on what, and which attempts are made.

For coverage of rules and for explanations only: a watcher sees everything on the table, and changes nothing. An
interpreter that can be watched has ``watched_by``; one that can only note its way, but does so quickly, has ``noting``.
Nothing else of the protocol depends on either.
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


@runtime_checkable
class Noting(Protocol):
    """An interpreter that can note where it comes by."""

    def noting(self, path: list[int]) -> Engine:
        """The same interpreter, which appends every node that it comes to, in order, as numbered in the closed program.

        Behind a branch stands the way that it went: nothing else comes between.
        """


class PathWatcher:
    """A watcher that only notes the nodes."""

    def __init__(self, path: list[int]) -> None:
        self.path = path

    def configured(
        self, program: Program, seats: int, options: Mapping[str, int | str | bool], closed: Program
    ) -> None:
        """Nothing is noted of this."""

    def begins(self, node: int, context: Context) -> None:
        """A node is come to."""
        self.path.append(node)

    def led(self, node: int, following: int) -> None:
        """The next node is noted when it begins."""

    def attempted(self, closed: Program, answer: Answer, reasons: tuple[Refusal, ...]) -> None:
        """Nothing is noted of attempts."""
