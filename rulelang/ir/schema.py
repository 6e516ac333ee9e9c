"""The published form of programs in JSON: a JSON Schema made from the classes. Spec 1.3.

`python -m rulelang.ir.schema` writes `docs/schemas/ir.schema.json`. The schema accepts exactly what the codec reads,
except where JSON Schema cannot tell: a whole number written as `1.0`, a key given twice, and the limits of a document.
"""

import json
from pathlib import Path
from typing import Any

from rulelang.ir.program import IR_VERSION, Program
from rulelang.ir.shapes import Shape, added_fields, all_kinds, fields_of
from rulelang.limits import INTEGER_MAX, INTEGER_MIN

Schema = dict[str, Any]

_WHOLE: Schema = {"type": "integer", "minimum": INTEGER_MIN, "maximum": INTEGER_MAX}
_TEXT: Schema = {"type": "string", "pattern": "^[^\\ud800-\\udfff]*$"}


def build() -> Schema:
    """The schema of a whole program."""
    definitions: Schema = {name: _object(kind) for name, kind in all_kinds().items()}
    unions: dict[str, Shape] = {}
    for kind in all_kinds().values():
        for _, shape in fields_of(kind):
            _collect_unions(shape, unions)
    definitions |= {name: _union(shape) for name, shape in unions.items()}
    definitions["Value"] = {"type": ["integer", "array"], **_bounds(), "items": {"$ref": "#/$defs/Value"}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "rulelang program",
        "description": "The intermediate form of a game. Every object says its kind; see docs/ir.md.",
        "$ref": "#/$defs/Program",
        "$defs": definitions,
    }


def text() -> str:
    """The schema as it is published."""
    return json.dumps(build(), indent=1) + "\n"


def published() -> Path:
    """Where the schema of a checkout is published."""
    return Path(__file__).parents[2] / "docs" / "schemas" / "ir.schema.json"


def _object(kind: type) -> Schema:
    """An object of one class: all its fields and nothing else."""
    properties: Schema = {"kind": {"const": kind.__name__}}
    properties |= {name: _place(shape) for name, shape in fields_of(kind)}
    if kind is Program:
        properties["version"] = {"type": "integer", "minimum": 1, "maximum": IR_VERSION}
    meaning = " ".join((kind.__doc__ or "").split())
    return {
        "description": meaning,
        "type": "object",
        "required": [name for name in properties if name not in added_fields(kind)],
        "additionalProperties": False,
        "properties": properties,
    }


def _place(shape: Shape) -> Schema:
    """What may stand in one place. Alternatives differ in their JSON type, so each applies only to its own."""
    if shape.items is shape:
        return {"$ref": "#/$defs/Value"}
    types = [
        *(["integer"] if shape.whole else []),
        *(["boolean"] if shape.flag else []),
        *(["string"] if shape.text or shape.words else []),
        *(["array"] if shape.items else []),
        *(["object"] if shape.classes else []),
        *(["null"] if shape.null else []),
    ]
    schema: Schema = {"type": types[0] if len(types) == 1 else types}
    if shape.whole:
        schema |= _bounds()
    if shape.text:
        schema["pattern"] = _TEXT["pattern"]
    elif shape.words:
        schema["enum"] = [*shape.words, *([None] if shape.null else [])]
    if shape.items is not None:
        schema["items"] = _place(shape.items)
    if shape.classes:
        reference = {"$ref": f"#/$defs/{_name(shape)}"}
        if types == ["object"]:
            return reference
        schema |= {"if": {"type": "object"}, "then": reference}
    return schema


def _bounds() -> Schema:
    return {"minimum": _WHOLE["minimum"], "maximum": _WHOLE["maximum"]}


def _collect_unions(shape: Shape, unions: dict[str, Shape]) -> None:
    """Note every choice between several kinds, by its name."""
    if len(shape.classes) > 1:
        unions[_name(shape)] = shape
    if shape.items is not None and shape.items is not shape:
        _collect_unions(shape.items, unions)


def _name(shape: Shape) -> str:
    """The name of what a place holds: the kind, or the first and last of several."""
    names = list(shape.classes)
    return names[0] if len(names) == 1 else f"{names[0]}_to_{names[-1]}"


def _union(shape: Shape) -> Schema:
    """Objects of several kinds, told apart by their kind alone."""
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": list(shape.classes)}},
        "allOf": [
            {"if": {"properties": {"kind": {"const": name}}}, "then": {"$ref": f"#/$defs/{name}"}}
            for name in shape.classes
        ],
    }


def publish(path: Path) -> None:
    """Write the schema."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(), encoding="utf-8")


if __name__ == "__main__":  # pragma: no cover
    publish(published())
