"""Files beside the rules that say what is allowed to lack something, and why: a reason for each, in a table."""

from collections.abc import Mapping
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
    return tables_of_reasons(path, {table: each})


def tables_of_reasons(path: Path, tables: Mapping[str, str]) -> dict[str, str]:
    """The names in some tables of a file, with their reasons; none without the file. Raises Diagnosed.

    ``tables`` says of each what its names are of.
    """
    if not path.is_file():
        return {}
    source = read_source(path, limit=limits.DATA_BYTES)
    place = Place(source.name, 1, 1, 1, 1)
    document = document_of(source)
    found: dict[str, str] = {}
    good = not set(document) - set(tables)
    for table in tables:
        listed = document.get(table, {})
        if isinstance(listed, dict) and all(isinstance(reason, str) and reason for reason in listed.values()):
            found |= listed
        else:
            good = False
    if not good:
        said = " and ".join(f"[{table}], with a reason for each {each}" for table, each in tables.items())
        count = "one table" if len(tables) == 1 else f"{len(tables)} tables"
        raise Diagnosed([diagnose(codes.BAD_RULEBOOK, place, file=source.name, reason=f"it has {count}, {said}")])
    return found
