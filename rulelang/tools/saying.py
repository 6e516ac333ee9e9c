"""How commands say things: safe for terminals, in columns, in the words of the table."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from rulelang.diagnostics.diagnostic import printable

if TYPE_CHECKING:
    from rulelang.failures import Reason
    from rulelang.play.outcome import GameOutcome


def show(text: str = "", *, err: bool = False) -> None:
    """Print lines of which a game may have written parts: nothing in them steers the terminal."""
    click.echo("\n".join(printable(line) for line in text.split("\n")), err=err)


def show_json(data: Any, *, lines: bool = False) -> None:
    """Print JSON: indented, or as one line."""
    import json

    click.echo(json.dumps(data, ensure_ascii=False) if lines else json.dumps(data, ensure_ascii=False, indent=2))


def many(number: int, word: str) -> str:
    """``1 game``, ``2 games``."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(_columns(sign) for sign in text)


def _columns(sign: str) -> int:
    if unicodedata.category(sign) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """A text filled up with blanks."""
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def cut(text: str, columns: int) -> str:
    """A text that takes no more than so many columns; dots say that something is missing."""
    if width(text) <= columns:
        return text
    end = len(text)
    while end and width(text[:end]) > columns - 3:
        end -= 1
    return f"{text[:end].rstrip()}..."[: max(0, columns)]


def table(rows: Sequence[Sequence[str]], *, numbers_from: int = 99) -> Iterator[str]:
    """Rows as lines with aligned columns; columns from `numbers_from` on stand to the right."""
    if not rows:
        return
    columns = [max(width(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = (padded(cell, columns[i], right=i >= numbers_from) for i, cell in enumerate(row))
        yield "  ".join(cells).rstrip()


def in_columns(words: Sequence[str], total: int) -> Iterator[str]:
    """Words beneath each other, in as many columns as fit."""
    if not words:
        return
    widest = max(width(word) for word in words) + 2
    count = max(1, total // widest)
    rows = -(-len(words) // count)
    for row in range(rows):
        yield "".join(padded(word, widest) for word in words[row::rows]).rstrip()


def reason_lines(reason: "Reason") -> Iterator[str]:
    """One reason against a move, as people read it."""
    cited = f" [{', '.join(reason.clauses)}]" if reason.clauses else ""
    # What the rules have a name for is called by it; 'rulelang explain RL8003' would tell less than their words do.
    number = None if getattr(reason, "named", False) else getattr(reason, "number", None)
    yield f"{number or reason.code}: {reason.words}{cited}"


def seats_said(seats: Iterable[int]) -> str:
    """``seat 1``, ``seats 1 and 3``."""
    numbers = [str(seat + 1) for seat in seats]
    if len(numbers) == 1:
        return f"seat {numbers[0]}"
    return f"seats {', '.join(numbers[:-1])} and {numbers[-1]}"


def outcome_words(outcome: "GameOutcome") -> str:
    """How a game ended, in a sentence."""
    everybody = len(outcome.winners) in (0, len(outcome.returns))
    won = "a draw" if everybody else f"{seats_said(outcome.winners)} win{'s' if len(outcome.winners) == 1 else ''}"
    match outcome.kind:
        case "winners":
            return f"{won}."
        case "amounts":
            got = ", ".join(f"seat {seat + 1} gets {amount}" for seat, amount in enumerate(outcome.returns))
            return f"{won}: {got}."
        case "grade":
            return f"all together reach {outcome.grade}."
        case "unresolved":
            tied = [seat for seat, place in enumerate(outcome.places) if place == 1]
            return f"not resolved: {seats_said(tied)} stay tied." if tied else "not resolved."
        case _:
            return "broken off without a result."


def outcome_json(outcome: "GameOutcome") -> dict[str, Any]:
    """How a game ended, for programs; seats as at the table."""
    data: dict[str, Any] = {
        "type": "outcome",
        "kind": outcome.kind,
        "winners": [seat + 1 for seat in outcome.winners],
        "places": list(outcome.places),
        "returns": [str(amount) for amount in outcome.returns],
    }
    if outcome.grade is not None:
        data["grade"] = outcome.grade
    return data


def exact(amount: Fraction) -> dict[str, Any]:
    """A number for machines, and for people."""
    return {"exact": str(amount), "decimal": float(amount)}


def decimal(amount: Fraction, places: int) -> str:
    """A fraction with so many decimals, rounded half to even by whole numbers, the same everywhere."""
    scaled = round(amount * 10**places)
    sign, digits = "-" if scaled < 0 else "", str(abs(scaled)).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"
