"""Where rulesets lie: found by name in a checkout or an installed wheel, or by path. Spec 1.2.

A ruleset is a folder ``NAME/`` with ``NAME.rules`` in it. A path may name that folder, the file, or IR JSON.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import diagnose, did_you_mean
from rulelang.failures import Diagnosed

PACKAGE: Final = Path(__file__).resolve().parent


def homes() -> tuple[Path, ...]:
    """The folders in which rulesets are looked for by name: those of the wheel, else those of the checkout."""
    candidates = (PACKAGE / "_rulesets", PACKAGE.parent / "rulesets")
    return tuple(path for path in candidates if path.is_dir())


def all_rulesets() -> Iterator[tuple[str, Path]]:
    """Every ruleset that can be found by name, and its file, in order of names."""
    found: dict[str, Path] = {}
    for home in homes():
        for path in sorted(home.glob("**/*.rules")):
            if path.stem == path.parent.name:
                found.setdefault(path.stem, path)
    yield from sorted(found.items())


def find(name: str) -> Path:
    """The file that a name or path means. Raises Diagnosed if there is none."""
    if not name:
        raise Diagnosed([diagnose(codes.UNKNOWN_RULESET, word=name, hint="write its name or its path")])
    path = Path(name)
    try:
        path.exists()
    except (OSError, ValueError) as failure:
        reason = getattr(failure, "strerror", None) or "the name is no name of a file"
        raise Diagnosed([diagnose(codes.FILE_UNREADABLE, file=name, reason=reason.lower())]) from None
    if path.suffix in (".rules", ".json", ".play") or len(path.parts) > 1 or path.exists():
        inner = path / f"{path.resolve().name}.rules"
        return inner if path.is_dir() and inner.is_file() else path
    known = dict(all_rulesets())
    if name in known:
        return known[name]
    hint = did_you_mean(name, known) or f"known by name: {', '.join(known)}"
    raise Diagnosed([diagnose(codes.UNKNOWN_RULESET, word=name, hint=hint)])
