"""Results in words, and as data for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from rulelang.scenarios.results import Complaint, Result

LAST_EVENTS = 8
"""Events that are shown with a failure."""

WORDS = {"passed": "ok", "failed": "FAILED", "error": "ERROR", "skipped": "skipped"}


def result_lines(result: Result, quoted: Sequence[str] = ()) -> Iterator[str]:
    """One scenario: a line, and below it what is not as it should be. ``quoted`` are the lines of its file."""
    yield f"{WORDS[result.status]:8}{result.file}:{result.line}  {result.id}"
    if result.reason:
        yield f"    {result.reason}"
    for complaint in result.complaints:
        yield from complaint_lines(result, complaint, quoted)
    if result.complaints:
        yield "    what had happened:" if result.events else "    nothing had happened yet"
        yield from (f"      {event}" for event in result.events[-LAST_EVENTS:])


def complaint_lines(result: Result, complaint: Complaint, quoted: Sequence[str]) -> Iterator[str]:
    """One complaint, with the line that it is about."""
    text = quoted[complaint.line - 1].strip() if 0 < complaint.line <= len(quoted) else complaint.said
    yield f"    {result.file}:{complaint.line}: {text}"
    if complaint.said and complaint.said not in text:
        yield f"      {complaint.said}"
    yield f"      expected: {complaint.expected}"
    yield f"      found:    {complaint.found}"


def summary_line(results: Sequence[Result]) -> str:
    """``12 passed, 1 failed``"""
    counts = [(status, sum(r.status == status for r in results)) for status in ("passed", "failed", "error", "skipped")]
    said = [f"{count} {'in error' if status == 'error' else status}" for status, count in counts if count]
    return ", ".join(said) or "no scenarios"


def result_json(result: Result) -> dict[str, Any]:
    """One scenario as data."""
    return {
        "id": result.id,
        "file": result.file,
        "line": result.line,
        "ruleset": result.ruleset,
        "status": result.status,
        "clauses": list(result.clauses),
        "reason": result.reason,
        "complaints": [
            {"line": each.line, "said": each.said, "expected": each.expected, "found": each.found}
            for each in result.complaints
        ],
        "events": list(result.events),
        "notes": list(result.notes),
    }
