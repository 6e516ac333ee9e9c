"""The JSON Schema of a ruleset's data files, made from the declared tables. Spec 6.4.

For editors and for programs that write data; and a second opinion at the boundary, where small files that the checker
finds nothing wrong with are held against it. What a schema cannot say, the checker says alone: that no row is given
twice, and that a key nearly spelled like a column is a slip of the pen.
"""

import re
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker.cells import FLAGS, NONE, span
from rulelang.checker.data_check import OTHER_WORDS, PROVENANCE
from rulelang.checker.declared import DataRow, Declared
from rulelang.checker.kinds import Collection, Flag, Kind, Names, Number, Optional, Row
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings
from rulelang.grammar.words import RESERVED

Json = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
SMALL: Final = 1_000
"""Cells of a file that are held against the schema; at about a millisecond each, more would be felt."""

END: Final = r"$(?!\n)"
"""The end of a text in a pattern: to Python, ``$`` also fits before a last newline."""

NAME: Final = rf"^[^\W\d_][\w-]{{0,{limits.IDENTIFIER - 1}}}{END}"


def schema_for(rules: ast.Rules, declared: Declared) -> Json:
    """The schema of the data files of a ruleset. What no table reads may be there too."""
    tables = [node for node in rules.declarations if isinstance(node, ast.Table) and node.source is not None]
    return {
        "$schema": DIALECT,
        "title": f"Data of {rules.game.title}",
        "type": "object",
        "required": list(dict.fromkeys(str(table.source) for table in tables)),
        "properties": {str(table.source): rows_schema(table) for table in tables},
        "$defs": {**_provenance(), **{table.name: row_schema(table, declared) for table in tables}},
    }


def rows_schema(table: ast.Table) -> Json:
    """An array of rows that name themselves, or a table of rows by name."""
    row = reference(table.name)
    name = {"type": "string", "pattern": NAME, "not": {"enum": list(RESERVED)}}
    around = {"type": "object", "required": ["value"]}
    id_cell = {"if": around, "then": {"properties": {"value": name}}, "else": name}
    return {
        "description": f"The rows of the table '{table.name}'.",
        "type": ["array", "object"],
        "items": {**row, "required": ["id"], "properties": {"id": id_cell}},
        "propertyNames": name,
        "additionalProperties": row,
        "maxItems": limits.COLLECTION,
        "maxProperties": limits.COLLECTION,
    }


def row_schema(table: ast.Table, declared: Declared) -> Json:
    """The schema of one row of a table."""
    kinds = {column.name: declared.kinds[column.type] for column in table.columns}
    needed = [name for name, kind in kinds.items() if not isinstance(kind, Optional | Collection)]
    beside = {f"{name}_provenance": reference("provenance-beside") for name in kinds}
    cells = {name: _cell(_value(kind)) for name, kind in kinds.items()}
    return {"type": "object", "required": needed, "properties": {**beside, **cells}}


def reference(name: str) -> Json:
    """A reference to one of the schema's definitions."""
    return {"$ref": f"#/$defs/{quote(name)}"}


def _cell(value: Json) -> Json:
    """A value, or a value with its provenance around it."""
    around = {"type": "object", "required": ["value"]}
    return {
        "if": around,
        "then": {**reference("provenance-around"), "properties": {"value": value}},
        "else": value,
    }


def _provenance() -> Json:
    words = [*PROVENANCE, *OTHER_WORDS]
    more = [
        {
            "if": {"properties": {"provenance": {"const": word}}},
            "then": {"required": [key], "properties": {key: {"type": "string", "pattern": r"\S"}}},
        }
        for word, key in [(word, PROVENANCE[OTHER_WORDS.get(word, word)]) for word in words]
    ]
    beside = rf"^\s*({'|'.join(words)})\s*:[\s\S]*\S"
    return {
        "provenance-around": {
            "type": "object",
            "required": ["provenance"],
            "properties": {"provenance": {"enum": words}},
            "allOf": more,
        },
        "provenance-beside": {"type": "string", "pattern": beside},
    }


def _value(kind: Kind) -> Json:
    match kind:
        case Optional(of=of):
            return {"anyOf": [{"enum": list(NONE)}, _value(of)]}
        case Collection(of=of):
            return {"type": "array", "items": _value(of), "maxItems": limits.COLLECTION}
        case Number():
            low, high = span(kind) or (limits.INTEGER_MIN, limits.INTEGER_MAX)
            return {"type": "integer", "minimum": low, "maximum": high}
        case Flag():
            return {"enum": [True, False, *FLAGS]}
        case Names(labels=words) | Row(labels=words):
            return words_schema(words)
        case _:
            return {"type": "string"}


def words_schema(words: Iterable[str]) -> Json:
    """One of some words; their underscores may be hyphens."""
    listed = list(words)
    hyphened = [re.escape(word).replace("_", "[_-]") for word in listed if "_" in word]
    enum: Json = {"enum": listed}
    if not hyphened:
        return enum
    return {"type": "string", "anyOf": [enum, {"pattern": f"^(?:{'|'.join(hyphened)}){END}"}]}


# ------------------------------------------------------------------ the second opinion


def validator(schema: Json) -> Any:
    """A validator for whom a number with a fraction is never whole, as TOML and the checker have it."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    def whole(_: object, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    strict = extend(Draft202012Validator, type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", whole))  # type: ignore[no-untyped-call]
    return strict(schema)


def hold_against(rules: ast.Rules, declared: Declared, findings: Findings) -> None:
    """Hold the rows of data files against the schema; for files in which nothing was found to be wrong."""
    rows = {table: [row for row in given if isinstance(row, DataRow)] for table, given in declared.rows.items()}
    cells = sum(len(table.columns) * len(given) for table, given in rows.items())
    if not 0 < cells <= SMALL:
        return
    schema = schema_for(rules, declared)
    check = validator({"$schema": DIALECT, "$defs": schema["$defs"]})
    for table, given in rows.items():
        for_rows = check.evolve(schema=reference(table.name))
        for row in given:
            for error in for_rows.iter_errors(row.cells):
                _report(row, list(error.absolute_path), str(error.validator), findings)


def _report(row: DataRow, path: list[Any], keyword: str, findings: Findings) -> None:
    """What the schema refuses and the checker does not: reported all the same, and a gap in the checker."""
    column = str(path[0]) if path else "row"
    findings.report(
        codes.WRONG_DATA_VALUE,
        row.cell_places.get(column, row.place),
        column=column,
        row=row.name,
        found="something else",
        wanted=f"what the schema of the data demands ('{keyword}')",
    )
