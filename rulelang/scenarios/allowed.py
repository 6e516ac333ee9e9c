"""Files beside the rules that say what is allowed to lack something, and why: one table, a reason for each."""

from pathlib import Path

from rulelang import limits
from rulelang.checker.data import document_of
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import diagnose
from rulelang.diagnostics.reading import read_source
from rulelang.failures import Diagnosed
from rulelang.source import Place


def table_of_reasons(path: Path, table: str, each: str) -> dict[str, str]:
    """The names in the one table of a file, with their reasons; none without the file. Raises Diagnosed."""
    if not path.is_file():
        return {}
    source = read_source(path, limit=limits.DATA_BYTES)
    place = Place(source.name, 1, 1, 1, 1)
    document = document_of(source)
    listed = document.get(table, {})
    good = isinstance(listed, dict) and all(isinstance(reason, str) and reason for reason in listed.values())
    if not good or set(document) - {table}:
        reason = f"it has one table, [{table}], with a reason for each {each}"
        raise Diagnosed([diagnose(codes.BAD_RULEBOOK, place, file=source.name, reason=reason)])
    return dict(listed)
