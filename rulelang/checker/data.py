"""The data files of a ruleset: TOML, with the rows of the tables declared in the rules. Spec 6.4.

The header ``data`` names the files; they lie in the ruleset's own folder, and nothing outside it is ever opened. A
table declared ``from kind`` has the rows ``[[kind]]``, or ``[kind.ROW]``, of all of them, in their order. What the rows
hold is looked at when kinds are known, by ``data_check``; here it is only found out which rows there are, because their
names are words of the rules.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

import attrs

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker.beside import file_beside, file_named
from rulelang.checker.cells import plain, said, word_of
from rulelang.checker.declared import Data, DataRow
from rulelang.checker.toml_places import TomlPlaces, TooDeep, find_places
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related, did_you_mean
from rulelang.diagnostics.reading import read_source
from rulelang.failures import Diagnosed
from rulelang.grammar.characters import HIDDEN, confusable, spelled
from rulelang.grammar.words import RESERVED
from rulelang.source import Place, Source

NAME: Final = re.compile(r"[^\W\d_]\w*")
WHERE: Final = re.compile(r"^(?P<said>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.S)
LONG_NUMBER: Final = re.compile(r"\d[\d_]{4000,}")

SAID: Final = {
    "Expected '=' after": "a '=' is missing after a name",
    "Expected ']": "a closing bracket is missing",
    "Expected newline": "something follows where the line should end",
    "Cannot declare": "this table has been given before",
    "Cannot overwrite": "this name has been given before",
    "Cannot mutate": "this table is complete and takes nothing more",
    "Cannot redefine": "this table is complete and takes nothing more",
    "Duplicate inline": "a name is given twice between braces",
    "Unclosed array": "a list is never closed",
    "Unclosed inline": "a brace is never closed",
    "Unterminated": "a text has no closing quotation mark",
    "Unescaped": "'\\\\' begins no escape known in TOML",
    "Invalid hex": "'\\\\' begins no escape known in TOML",
    "Escaped character": "an escape stands for no character",
    "Invalid value": "a value is missing, or cannot be read; words stand in quotation marks",
    "Invalid initial": "a name is missing",
    "Invalid statement": "this is neither '[[table]]' nor 'name = value'",
    "Invalid date": "there is no such date or time",
    "Illegal character": "there is a character here that must be written as an escape",
    "Found invalid": "there is a character here that must be written as an escape",
}
"""What Python's reader of TOML says, by its first words, in ours."""


@attrs.frozen
class DataFile:
    """A data file that has been read."""

    source: Source
    document: Mapping[str, object]
    places: TomlPlaces


def load_data(rules: ast.Rules, folder: Path | None, findings: Findings) -> Data:
    """The rows under each key that a table reads from; mistakes go to ``findings``.

    After a mistake here some rows are not known, and every use of them would look like a mistake too.
    """
    tables = [node for node in rules.declarations if isinstance(node, ast.Table) and node.source is not None]
    headers = [header for header in rules.game.headers if header.name == "data"]
    if not headers:
        for table in tables:
            hint = 'name the file below the game\'s title: data: "components.toml"'
            findings.report(codes.DATA_NOT_NAMED, table.at, word=table.name, hint=hint)
        return {}
    files = _Files(rules, folder, findings).read(headers)
    if findings:
        return {}
    reading = _Rows(files, findings)
    return {str(table.source): reading.rows(table) for table in tables}


# ------------------------------------------------------------------ files


class _Files:
    """Finds, reads and parses the files of the header."""

    def __init__(self, rules: ast.Rules, folder: Path | None, findings: Findings) -> None:
        self.beside = Path(rules.at.file).parent
        self.folder = folder
        self.findings = findings

    def read(self, headers: list[ast.Header]) -> list[DataFile]:
        found: list[DataFile] = []
        named: dict[str, Place] = {}
        for value in (value for header in headers for value in header.values):
            name = file_named(value, self.findings)
            if name is None:
                continue
            if name in named:
                related = (Related(named[name], "first named here"),)
                self.findings.report(codes.DECLARED_TWICE, value.at, word=name, related=related)
                continue
            named[name] = value.at
            if len(named) > limits.IMPORTS:
                self.findings.report(codes.TOO_MANY_IMPORTS, value.at, limit=limits.IMPORTS)
                break
            file = self.file(name, value.at)
            if file is not None:
                found.append(file)
        return found

    def file(self, name: str, at: Place) -> DataFile | None:
        path = file_beside(self.folder, name, at, self.findings, unknown=codes.UNKNOWN_DATA_FILE, pattern="*.toml")
        if path is None:
            return None
        try:
            source = read_source(path, name=str(self.beside / name), limit=limits.DATA_BYTES)
        except Diagnosed as wrong:
            for diagnostic in wrong.diagnostics:
                self.findings.add(attrs.evolve(diagnostic, place=diagnostic.place or at))
            return None
        self.findings.quote(source)
        return parsed(source, self.findings)


def parsed(source: Source, findings: Findings) -> DataFile | None:
    """The tables of a data file; None, and a finding, if it is not TOML."""
    import tomllib

    hidden = list(islice(HIDDEN.finditer(source.text), limits.DIAGNOSTICS + 1))
    for found in hidden:
        findings.report(codes.HIDDEN_CHARACTER, source.place(*found.span()), character=spelled(found[0]))
    if hidden:
        return None
    try:
        places = find_places(source)
        return DataFile(source, tomllib.loads(source.text), places)
    except TooDeep as deep:
        findings.report(codes.TOO_DEEP, deep.place, limit=limits.NESTING)
    except tomllib.TOMLDecodeError as wrong:
        reason, place = _explained(str(wrong), source)
        findings.report(codes.BAD_TOML, place, reason=reason)
    except ValueError:  # Python reads no number of more than 4300 digits
        number = LONG_NUMBER.search(source.text)
        span = number.span() if number is not None else (0, 0)
        findings.report(codes.NUMBER_TOO_LARGE, source.place(span[0], span[0] + 1), number=number[0] if number else "?")
    except RecursionError:  # cannot happen below the limit, but is no reason to fall over
        findings.report(codes.TOO_DEEP, source.place(0, 1), limit=limits.NESTING)
    return None


def document_of(source: Source) -> Mapping[str, Any]:
    """What stands in a file beside the rules, of whatever tables. Raises Diagnosed if it is not TOML."""
    findings = Findings()
    file = parsed(source, findings)
    findings.raise_if_any([source])
    assert file is not None
    return file.document


def _explained(message: str, source: Source) -> tuple[str, Place]:
    """What is wrong and where, from a message of Python's reader of TOML."""
    found = WHERE.match(message)
    head = found["said"] if found is not None else message
    reason = next((ours for theirs, ours in SAID.items() if head.startswith(theirs)), "it cannot be read from here on")
    if found is None or found["line"] is None:
        end = len(source.text.rstrip("\n"))
        return reason, source.place(end, end)
    line, column = int(found["line"]), int(found["column"])
    return reason, Place(source.name, line, column, line, column + 1)


# ------------------------------------------------------------------ rows


class _Rows:
    """Finds the rows of tables in the files."""

    def __init__(self, files: list[DataFile], findings: Findings) -> None:
        self.files = files
        self.findings = findings

    def rows(self, table: ast.Table) -> tuple[DataRow, ...]:
        key = str(table.source)
        holders = [file for file in self.files if key in file.document]
        if not holders:
            known = [name for file in self.files for name in file.document]
            names = ", ".join(Path(file.source.name).name for file in self.files)
            self.findings.report(
                codes.UNKNOWN_TABLE, table.at, file=names, word=key, hint=lambda: did_you_mean(key, known)
            )
        found = [row for file in holders for row in self.rows_of(file, key)]
        if len(found) > limits.COLLECTION:  # all files together
            self.findings.report(codes.TOO_LARGE, table.at, word=table.name, size=len(found), limit=limits.COLLECTION)
        self.unique(table, found)
        return tuple(found)

    def rows_of(self, file: DataFile, key: str) -> Iterator[DataRow]:
        """The rows under a key of one file: an array of tables, or a table of tables."""
        value = file.document[key]
        if isinstance(value, list | dict) and len(value) > limits.COLLECTION:
            place = file.places.find(key)
            self.findings.report(codes.TOO_LARGE, place, word=key, size=len(value), limit=limits.COLLECTION)
        elif isinstance(value, list) and all(isinstance(row, dict) for row in value):
            nameless = 0
            for number, cells in enumerate(value):
                name = self.id_of(file, key, number, cells)
                nameless += name is None
                if nameless > limits.DIAGNOSTICS:
                    return  # more than are shown
                if name is not None:
                    yield self.row(file, (key, number), name, cells)
        elif isinstance(value, dict) and all(isinstance(row, dict) for row in value.values()):
            for word, cells in value.items():
                name = self.name(word, file.places.find(key, word))
                if name is not None:
                    yield self.row(file, (key, word), name, cells)
        else:
            found = "a list of other things" if isinstance(value, list) else said(value)
            found = "a single table" if isinstance(value, dict) else found
            name = Path(file.source.name).name
            hint = f"begin each row with a line [[{key}]]"
            self.findings.report(codes.NOT_ROWS, file.places.find(key), word=key, file=name, found=found, hint=hint)

    def row(self, file: DataFile, path: tuple[str, str | int], name: str, cells: Mapping[str, object]) -> DataRow:
        places = {column: file.places.find(*path, column) for column in cells}
        return DataRow(name, cells, file.places.find(*path), places)

    def id_of(self, file: DataFile, key: str, number: int, cells: Mapping[str, object]) -> str | None:
        """The name that a row of an array gives itself."""
        row, place = f"{key} {number + 1}", file.places.find(key, number)
        if "id" not in cells:
            self.findings.report(
                codes.MISSING_COLUMN,
                place,
                row=row,
                column="id",
                hint=lambda: did_you_mean("id", cells) or 'give the row a name: id = "..."',
            )
            return None
        value, place = plain(cells["id"]), file.places.find(key, number, "id")
        if not isinstance(value, str):
            self.findings.report(
                codes.WRONG_DATA_VALUE,
                place,
                column="id",
                row=row,
                found=said(value),
                wanted="a name in quotation marks",
            )
            return None
        return self.name(value, place)

    def name(self, word: str, place: Place | None) -> str | None:
        """The name of a row as the rules spell it, if it can be one."""
        name = word_of(word)
        reason: str | None = None
        if not NAME.fullmatch(name):
            reason = "a name begins with a letter and has letters, digits, hyphens and underscores"
        elif len(name) > limits.IDENTIFIER:
            reason = f"it has {len(name)} characters, and at most {limits.IDENTIFIER} are allowed"
        elif name in RESERVED:
            reason = "it is a word of the language"
        elif not name.isascii() and confusable(name):
            reason = str(confusable(name))
        if reason is None:
            return name
        self.findings.report(codes.BAD_ROW_NAME, place, word=word, reason=reason)
        return None

    def unique(self, table: ast.Table, rows: list[DataRow]) -> None:
        """Rows have different names, also those that the rules add."""
        first: dict[str, Place | None] = {}
        ours = {row.name for row in rows}
        for name, place in [(row.name, row.name_place) for row in rows] + [(row.name, row.at) for row in table.rows]:
            if name not in first:
                first[name] = place
            elif name in ours:  # among rows of the rules alone, the declarations say so
                before = first[name]
                related = (Related(before, "first given here"),) if before is not None else ()
                self.findings.report(codes.ROW_TWICE, place, table=table.name, word=name, related=related)
