"""The published schema: it is current, and accepts and refuses what the codec does."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from jsonschema import Draft202012Validator
from programs import everything, tic_tac_toe

from rulelang.ir import reference, schema
from rulelang.ir.codec import encode, loads
from rulelang.ir.faults import IRFault
from rulelang.ir.shapes import all_kinds, fields_of

SCHEMA = schema.build()
DOCUMENT = encode(everything())
CLOSED = encode(tic_tac_toe())


def validator(kind: str) -> Draft202012Validator:
    """Checks objects of one kind."""
    return Draft202012Validator({"$schema": SCHEMA["$schema"], "$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]})


def test_the_published_schema_is_current() -> None:
    assert schema.published().read_text(encoding="utf-8") == schema.text()


def test_the_published_reference_is_current() -> None:
    page = reference.published().read_text(encoding="utf-8")
    assert reference.with_tables(page) == page


def test_both_are_written_by_their_modules(tmp_path: Path) -> None:
    schema.publish(tmp_path / "new" / "schema.json")
    assert (tmp_path / "new" / "schema.json").read_text(encoding="utf-8") == schema.text()
    page = tmp_path / "ir.md"
    page.write_text(f"before\n{reference.BEGIN}\nstale\n{reference.END}\nafter\n", encoding="utf-8")
    reference.publish(page)
    assert "| `MoveTop` |" in page.read_text(encoding="utf-8") and "stale" not in page.read_text(encoding="utf-8")


def test_fields_without_a_form_in_json_are_refused() -> None:
    @attrs.frozen
    class Odd:
        part: float

    Odd.__module__ = "rulelang.ir.program"
    with pytest.raises(TypeError, match="no form for"):
        fields_of(Odd)


def test_the_reference_has_every_kind_and_no_other() -> None:
    assert set(reference.ENTRIES) == set(all_kinds())


def test_the_schema_is_a_schema_without_bare_choices() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    text = json.dumps(SCHEMA)
    assert '"oneOf"' not in text and '"anyOf"' not in text


def test_samples_are_valid() -> None:
    Draft202012Validator(SCHEMA).validate(CLOSED)
    Draft202012Validator(SCHEMA).validate(DOCUMENT)


def objects(document: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], dict[str, Any]]]:
    """Every object of a document with its place, outer ones first."""
    if isinstance(document, dict):
        yield path, document
    if isinstance(document, dict | list):
        for key, value in document.items() if isinstance(document, dict) else enumerate(document):
            yield from objects(value, (*path, key))


def first_of_each_kind(document: dict[str, Any]) -> list[tuple[str | int, ...]]:
    """The places of the first object of every kind."""
    found: dict[str, tuple[str | int, ...]] = {}
    for path, value in objects(document):
        found.setdefault(value["kind"], path)
    return list(found.values())


def at_path(document: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


WRONG = [None, True, 7, -(2**63) - 1, 1.5, "word", [], [[]], {}, {"kind": "Everyone"}, {"kind": "Constant", "value": 1}]


def mutants(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An object damaged in one place."""
    for field in value:
        yield {key: inner for key, inner in value.items() if key != field}
        for wrong in WRONG:
            yield {**value, field: wrong}
            if isinstance(value[field], list):
                yield {**value, field: [*value[field], wrong]}
    yield {**value, "surplus": 1}
    yield {**value, "kind": "Nothing"}


def codec_accepts(document: Any) -> bool:
    try:
        loads(json.dumps(document))
    except IRFault:
        return False
    return True


def enclosing(document: Any, path: tuple[str | int, ...]) -> dict[str, Any]:
    """The object around a place, or the object itself at the top."""
    place = path[:-1]
    while isinstance(at_path(document, place), list):
        place = place[:-1]
    around: dict[str, Any] = at_path(document, place)
    return around


def alone(document: dict[str, Any], path: tuple[str | int, ...]) -> tuple[dict[str, Any], tuple[str | int, ...]]:
    """A copy with nothing in its sections but the declaration in which a place is; and the place in the copy."""
    small = {key: [] if isinstance(value, list) else value for key, value in document.items()}
    section = path[0]
    if isinstance(document[str(section)], list):
        small[str(section)] = [document[str(section)][path[1]]]
        path = (section, 0, *path[2:])
    return copy.deepcopy(small), path


@pytest.mark.parametrize("document", [CLOSED, DOCUMENT], ids=["closed", "open"])
def test_codec_and_schema_agree_on_damaged_documents(document: dict[str, Any]) -> None:
    refused = accepted = 0
    validators = {kind: validator(kind) for kind in all_kinds()}
    for path in first_of_each_kind(document):
        if not path:
            continue
        damaged, path = alone(document, path)
        holder, original = at_path(damaged, path[:-1]), at_path(damaged, path)
        around = enclosing(damaged, path)
        for mutant in mutants(original):
            holder[path[-1]] = mutant
            by_codec = codec_accepts(damaged)
            by_schema = validators[around["kind"]].is_valid(around)
            assert by_codec == by_schema, (path, mutant)
            refused, accepted = refused + (not by_codec), accepted + by_codec
        holder[path[-1]] = original
    assert refused > 500 and accepted > 50


def test_codec_and_schema_agree_at_the_top() -> None:
    whole = validator("Program")
    small = {**CLOSED, **{key: [] for key, value in CLOSED.items() if isinstance(value, list)}}
    for mutant in mutants(small):
        assert codec_accepts(mutant) == whole.is_valid(mutant), mutant
