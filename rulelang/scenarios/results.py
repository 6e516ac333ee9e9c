"""What became of scenarios."""

from typing import Literal

import attrs

Status = Literal["passed", "failed", "error", "skipped"]


@attrs.frozen
class Complaint:
    """One thing that is not as it should be."""

    line: int
    said: str
    """What the line of the scenario says, in a few words."""
    expected: str
    found: str


@attrs.frozen
class Result:
    """What became of one scenario."""

    id: str
    file: str
    line: int
    ruleset: str
    status: Status
    clauses: tuple[str, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    events: tuple[str, ...] = ()
    """What had happened when the first complaint was made, oldest first."""
    reason: str = ""
    """Why it could not be run, or was not."""
    notes: tuple[str, ...] = ()
    """What was tried to find out what seats see."""
