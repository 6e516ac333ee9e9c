"""Reasons of a refusal, held against those that a scenario names. Spec 15.4.

A name of the scenario stands for the reason of that name, and for those that the table of reasons lists for it; it
stands for all of them that come in a row.
"""

from collections.abc import Mapping, Sequence

from rulelang.ast.nodes import plays as ast
from rulelang.play.refusal import Refusal

Aliases = Mapping[str, Sequence[str]]


def compare_reasons(wanted: ast.RefusedBy, found: Sequence[Refusal], aliases: Aliases) -> tuple[str, str] | None:
    """What was expected and what was found; None if they agree."""
    names = [word.name for word in wanted.reasons]
    expected = "refused" + (" first" if wanted.only_first else "") + (f" {', '.join(names)}" if names else "")
    if not found:
        return expected, "it is legal"
    if not _agree(names, [reason.code for reason in found], wanted.only_first, aliases):
        return expected, f"refused {reason_words(found)}"
    if wanted.because is not None and wanted.because != found[0].words:
        return f'because "{wanted.because}"', f'because "{found[0].words}"'
    return None


def _agree(names: Sequence[str], codes: Sequence[str], only_first: bool, aliases: Aliases) -> bool:
    if not names:
        return True
    at = 0
    for name in names:
        begun = at
        while at < len(codes) and (codes[at] == name or codes[at] in aliases.get(name, ())):
            at += 1
            if name not in aliases:
                break
        if at == begun:
            return False
    return only_first or at == len(codes)


def reason_words(reasons: Sequence[Refusal]) -> str:
    """All reasons with their words and clauses."""
    return "; ".join(
        f"{reason.code} ({reason.words}{' @' + ' @'.join(reason.clauses) if reason.clauses else ''})"
        for reason in reasons
    )
