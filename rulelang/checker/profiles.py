"""Profiles: the same rules with another box. ``components.small.toml`` beside the rules stands in for
``components.toml`` wherever the cover names that; nothing else is different. docs/guide/proving.md
"""

import re
from pathlib import Path, PurePath
from typing import Final

import attrs

from rulelang.ast import nodes as ast
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, did_you_mean
from rulelang.diagnostics.reading import is_file

WORD: Final = re.compile(r"[A-Za-z0-9_-]+")
"""What a profile can be called."""


def with_profile(rules: ast.Rules, profile: str, folder: Path | None, findings: Findings) -> ast.Rules:
    """The rules with the data files of a profile; that there are none goes to ``findings``."""
    named = [
        (value, str(value.parts[0]))
        for header in rules.game.headers
        if header.name == "data"
        for value in header.values
        if isinstance(value, ast.Text) and len(value.parts) == 1
    ]
    there = {name for _, name in named if folder is not None and is_file(folder / of_profile(name, profile))}
    if not there or not WORD.fullmatch(profile):
        at = named[0][0].at if named else rules.game.at
        file = of_profile(named[0][1] if named else "components.toml", profile)
        findings.report(codes.UNKNOWN_DATA_FILE, at, file=file, hint=lambda: _hint(profile, folder))
        return rules
    headers = tuple(
        attrs.evolve(header, values=tuple(_renamed(value, there, profile) for value in header.values))
        if header.name == "data"
        else header
        for header in rules.game.headers
    )
    return attrs.evolve(rules, game=attrs.evolve(rules.game, headers=headers))


def of_profile(name: str, profile: str) -> str:
    """``components.small.toml`` for ``components.toml``."""
    path = PurePath(name)
    return f"{path.stem}.{profile}{path.suffix}"


def profiles_beside(folder: Path) -> tuple[str, ...]:
    """The profiles that lie in a ruleset's folder."""
    return tuple(sorted({path.name.split(".")[-2] for path in folder.glob("*.*.toml")}))


def _hint(profile: str, folder: Path | None) -> str:
    known = () if folder is None else profiles_beside(folder)
    said = f"there are the profiles {', '.join(known)}" if known else "there is no profile of this game"
    return did_you_mean(profile, known) or said


def _renamed(value: ast.Expr, there: set[str], profile: str) -> ast.Expr:
    if isinstance(value, ast.Text) and len(value.parts) == 1 and str(value.parts[0]) in there:
        return attrs.evolve(value, parts=(of_profile(str(value.parts[0]), profile),))
    return value
