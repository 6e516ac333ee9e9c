"""The four failures that may leave a public call; there is no fifth.

`Diagnosed`: the text is wrong. `Refused`: the move is not legal. `Exhausted`: a limit was reached. `Broken`: our bug.
All four can be pickled, so that they also cross from a worker process to its parent.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rulelang.diagnostics.diagnostic import Diagnostic
    from rulelang.source import Source


class Reason(Protocol):
    """One failing requirement of a move, as `play` states it."""

    @property
    def code(self) -> str:
        """The ruleset's name for the requirement, or an RL number of the engine."""

    @property
    def words(self) -> str:
        """Why, in the words of the table."""

    @property
    def clauses(self) -> Sequence[str]:
        """The rulebook clauses that the requirement implements."""


class RulelangFailure(Exception):
    """What the four failures have in common: catch this to catch any of them."""


class Diagnosed(RulelangFailure):
    """The text given is wrong: rules, data, options, a record or a document. Its string is the full report.

    `sources` are the texts pointed into; where one is given, the report quotes it.
    """

    diagnostics: tuple["Diagnostic", ...]
    sources: tuple["Source", ...]

    def __init__(self, diagnostics: Iterable["Diagnostic"], sources: Iterable["Source"] = ()) -> None:
        self.diagnostics = tuple(diagnostics)
        self.sources = tuple(sources)
        super().__init__(self.diagnostics, self.sources)

    def __str__(self) -> str:
        from rulelang.diagnostics.render import as_text

        return as_text(self.diagnostics, self.sources)


class Refused(RulelangFailure):
    """The move is not legal now; nothing has changed. The first reason is *the* reason."""

    reasons: tuple[Reason, ...]

    def __init__(self, reasons: Iterable[Reason]) -> None:
        self.reasons = tuple(reasons)
        super().__init__(self.reasons)

    def __str__(self) -> str:
        return "\n".join(_line(reason) for reason in self.reasons)


class Exhausted(RulelangFailure):
    """A limit was reached and the work was given up: never a wrong answer instead."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        self.file: str | None = None
        """The rules in which it was reached, with the line, if that is known."""
        self.line: int | None = None
        self.declared: tuple[str, int] | None = None
        """Where the zone or marker is declared that it is about; told if that is another file."""
        super().__init__(code, message)

    @property
    def said(self) -> str:
        """The message, with the place in the rules."""
        if self.file is None:
            return self.message
        elsewhere = ""
        if self.declared is not None and self.declared[0] != self.file:
            elsewhere = f"; declared in {self.declared[0]}, line {self.declared[1]}"
        return f"{self.message} ({self.file}, line {self.line}{elsewhere})"

    def __str__(self) -> str:
        return f"{self.code}: {self.said}"


class Broken(RulelangFailure):
    """Our own bug: something happened that checked programs cannot cause."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)

    def __str__(self) -> str:
        return f"{self.message} (this is a bug in rulelang, not in the rules)"


def _line(reason: Reason) -> str:
    cited = f" [{', '.join(reason.clauses)}]" if reason.clauses else ""
    return f"{reason.code}: {reason.words}{cited}"
