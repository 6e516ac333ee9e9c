"""Copies of games with a mistake planted in them, and a look at them."""

from collections.abc import Mapping
from pathlib import Path

from rulelang import rulesets
from rulelang.diagnostics.reading import source_from_text
from rulelang.ir.program import Program
from rulelang.pipeline import compile_source, compile_text, engine_named, load
from rulelang.rulebook.verify.report import Report, Task, verify
from rulelang.rulebook.verify.unused import allowed as allowed_beside

Options = Mapping[str, int | str | bool]
Change = tuple[str, str]
"""Lines as they are, each with its end, and what stands there in the copy."""


def changed(game: str, *changes: Change) -> str:
    """The rules of a game with lines exchanged, each of which must be there once."""
    text = rulesets.find(game).read_text(encoding="utf-8")
    for right, wrong in changes:
        assert text.count(right) == 1, right
        text = text.replace(right, wrong)
    return text


def copy_of(game: str, *changes: Change) -> Program:
    """The program of such a copy. Raises Diagnosed."""
    file = rulesets.find(game)
    return compile_source(source_from_text(file.name, changed(game, *changes)), game, None).program


def look(
    rules: Program | str,
    seats: int | None = None,
    options: Options | None = None,
    *,
    attempts: int = 24,
    depth: int | None = None,
    states: int = 100_000,
    games: int | None = None,
    seed: int = 7,
    engine: str = "native",
    allowed: Mapping[str, str] | None = None,
) -> Report:
    """What is found in a program, in a known game, or in rules that are given as a text.

    What a known game allows beside its rules is allowed, unless something else is given.
    """
    if isinstance(rules, str):
        if "\n" not in rules and allowed is None:
            allowed = allowed_beside(rulesets.find(rules).parent)
        rules = compile_text(rules).program if "\n" in rules else load(rules).program
    task = Task(seats or rules.fewest_seats, options or {}, attempts, depth, states, games, seed)
    return verify(rules, engine_named(engine), task, allowed)


def kinds_of(report: Report) -> list[tuple[str, int]]:
    """What is wrong, and after how many events."""
    return [(finding.kind, len(finding.events)) for finding in report.findings]


def never_used(report: Report) -> list[str]:
    """What is proved to be of no use."""
    return [part.id for part in report.unused if report.never(part) and not part.reason]


def place_in(folder: Path, game: str, text: str, plays: str = "") -> Path:
    """A game's folder with these rules and scenarios."""
    home = folder / game
    (home / "plays").mkdir(parents=True)
    (home / f"{game}.rules").write_text(text, encoding="utf-8")
    if plays:
        (home / "plays" / f"{game}.play").write_text(plays, encoding="utf-8")
    return home
