"""What lies beside the rules: ``clauses.toml``, ``rulings.toml`` and ``trace.toml``.

clauses.toml   [[clause]] id, kind, statement · [[derived]] id, statement: what follows from the clauses
rulings.toml   [[ruling]] id, question, default: what the rulebook leaves open
trace.toml     why a clause needs no rule, no scenario or no proof

[kinds]            example = "..."        all clauses of a kind that no rule names
[not_executable]   X-1 = "..."            one clause
[same_as]          X-2 = "X-3"            says only what another one says
[tests]            X-4 = ["tests/test_x.py::test_name"]
[unproven]         X-5 = "..."            why no scenario can notice that its rule is gone
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

import attrs

from rulelang import limits
from rulelang.checker.data import document_of
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import diagnose
from rulelang.diagnostics.reading import read_source
from rulelang.failures import Diagnosed
from rulelang.source import Place

CLAUSES: Final = "clauses.toml"
RULINGS: Final = "rulings.toml"
REASONS: Final = "trace.toml"
SECTIONS: Final = ("kinds", "not_executable", "same_as", "tests", "unproven")

Sort = Literal["clause", "derived", "ruling"]


@attrs.frozen
class Clause:
    """One sentence of the rulebook, one thing that follows from it, or one ruling on it."""

    id: str
    sort: Sort
    kind: str
    """As the list of clauses says; ``derived`` and ``ruling`` for those."""
    statement: str


@attrs.frozen
class Reasons:
    """What ``trace.toml`` says, by clause (``kinds``: by kind)."""

    kinds: Mapping[str, str] = {}
    not_executable: Mapping[str, str] = {}
    same_as: Mapping[str, str] = {}
    tests: Mapping[str, tuple[str, ...]] = {}
    unproven: Mapping[str, str] = {}


def read_clauses(folder: Path) -> tuple[Clause, ...]:
    """Every clause and ruling in the order of the files. Raises Diagnosed."""
    found: dict[str, Clause] = {}
    files: tuple[tuple[str, tuple[tuple[str, Sort], ...]], ...] = (
        (CLAUSES, (("clause", "clause"), ("derived", "derived"))),
        (RULINGS, (("ruling", "ruling"),)),
    )
    for name, sections in files:
        path = folder / name
        if name == RULINGS and not path.is_file():
            continue
        document = _read(path)
        for section, sort in sections:
            for entry in _entries(document, section, name):
                clause = _clause(entry, sort, name)
                if clause.id in found:
                    raise _wrong(name, f"'{clause.id}' is there twice")
                found[clause.id] = clause
    return tuple(found.values())


def _entries(document: Mapping[str, Any], section: str, name: str) -> list[Mapping[str, Any]]:
    entries = document.get(section, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise _wrong(name, f"'{section}' must be a list of tables, [[{section}]]")
    return entries


def _clause(entry: Mapping[str, Any], sort: Sort, name: str) -> Clause:
    identity = entry.get("id")
    if not isinstance(identity, str) or not identity:
        raise _wrong(name, f"a [[{sort}]] has no id")
    statement = entry.get("statement", entry.get("question", ""))
    kind = entry.get("kind", sort) if sort == "clause" else sort
    if not isinstance(statement, str) or not isinstance(kind, str):
        raise _wrong(name, f"kind and statement of '{identity}' must be texts")
    return Clause(identity, sort, kind, statement)


def read_reasons(folder: Path) -> Reasons:
    """What ``trace.toml`` says; nothing if there is none. Raises Diagnosed."""
    path = folder / REASONS
    if not path.is_file():
        return Reasons()
    document = _read(path)
    surplus = sorted(set(document) - set(SECTIONS))
    if surplus:
        raise _wrong(REASONS, f"there is no section '{surplus[0]}'; there are {', '.join(SECTIONS)}")
    texts: dict[str, Mapping[str, str]] = {}
    for section in ("kinds", "not_executable", "same_as", "unproven"):
        said = document.get(section, {})
        if not isinstance(said, dict) or not all(isinstance(value, str) and value for value in said.values()):
            raise _wrong(REASONS, f"'{section}' must give a text for each name")
        texts[section] = said
    return Reasons(**texts, tests=_tests(document.get("tests", {})))


def _tests(said: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(said, dict):
        raise _wrong(REASONS, "'tests' must give a list of tests for each clause")
    for listed in said.values():
        if not isinstance(listed, list) or not listed or not all(isinstance(t, str) and "::" in t for t in listed):
            raise _wrong(REASONS, "a test is written 'tests/test_file.py::test_name'")
    return {name: tuple(listed) for name, listed in said.items()}


def _read(path: Path) -> Mapping[str, Any]:
    return document_of(read_source(path, limit=limits.DATA_BYTES))


def _wrong(name: str, reason: str) -> Diagnosed:
    return Diagnosed([diagnose(codes.BAD_RULEBOOK, Place(name, 1, 1, 1, 1), file=name, reason=reason)])
