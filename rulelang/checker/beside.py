"""Files in a ruleset's own folder: data and libraries. Nothing outside the folder is ever opened. Spec 6.4, 14.5."""

from pathlib import Path, PurePosixPath, PureWindowsPath

from rulelang.ast import nodes as ast
from rulelang.diagnostics import codes
from rulelang.diagnostics.codes import Code
from rulelang.diagnostics.diagnostic import Findings, did_you_mean
from rulelang.source import Place


def file_named(value: ast.Expr, findings: Findings) -> str | None:
    """The name of a file on a cover; None, and a finding, for what is no plain text."""
    if isinstance(value, ast.Text) and all(isinstance(part, str) for part in value.parts):
        return "".join(part for part in value.parts if isinstance(part, str))
    findings.report(codes.TYPE_MISMATCH, value.at, found="no text", wanted="the name of a file, in quotation marks,")
    return None


def file_beside(
    folder: Path | None, name: str, at: Place, findings: Findings, *, unknown: Code, pattern: str
) -> Path | None:
    """Where a file of the ruleset lies; None, and a finding, if it is not there (``unknown`` if there is none at all;
    the files of the ``pattern`` are what might have been meant). Nothing outside the folder is looked at."""
    if folder is None:
        hint = "rules that are given as a text have no folder; give them as a file"
        findings.report(unknown, at, file=name, hint=hint)
        return None
    if _leads_out(name):
        hint = "put the file beside the rules and name it without a path"
        findings.report(codes.IMPORT_OUTSIDE, at, file=name, hint=hint)
        return None
    try:
        home = folder.resolve()
        path = (home / name).resolve()
        there = path.exists()
    except (OSError, RuntimeError, ValueError):  # a circle of links, or a name that no file can have
        there, path, home = False, Path(), Path()
    if there and not path.is_relative_to(home):
        findings.report(codes.IMPORT_OUTSIDE, at, file=name, hint="it is a link to somewhere else")
        return None
    if not there:
        others = (other.name for other in folder.glob(pattern))
        findings.report(unknown, at, file=name, hint=lambda: did_you_mean(name, others))
        return None
    return path


def _leads_out(name: str) -> bool:
    """Whether a name says, on this or another machine, that the file lies elsewhere."""
    posix, windows = PurePosixPath(name), PureWindowsPath(name)
    return bool(posix.is_absolute() or windows.drive or windows.root or ".." in posix.parts or ".." in windows.parts)
