"""Programs as JSON, strictly: what is written is read back equal, and nothing else is read. Spec 1.3.

Every IR value is an object with its `kind` (the name of its class) and its fields; tuples are arrays, "none" is null.
A document is measured before it is decoded and its nesting counted before it is parsed; then every key, kind and value
is checked against the annotations of the classes. Faults leave as `IRFault` with a JSON pointer.
"""

import hashlib
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import attrs

from rulelang.ir.faults import IRFault
from rulelang.ir.origin import Origin
from rulelang.ir.program import IR_VERSION, Program
from rulelang.ir.shapes import Shape, added_fields, fields_of
from rulelang.ir.walk import excess
from rulelang.limits import INTEGER_MAX, INTEGER_MIN, IR_BYTES, IR_DEPTH

Json: TypeAlias = dict[str, Any] | list[Any] | str | int | bool | None
Path: TypeAlias = "tuple[Path, str | int] | str | None"
"""Where we are in the document: the way to the object around us, and the key or index in it; or a JSON pointer."""

_MOST_VALUES = IR_BYTES // len("[{}],")
"""More objects and arrays than this fit into no document; fewer are refused early if they are a flood."""

# ------------------------------------------------------------------ writing


def encode(program: Program) -> dict[str, Any]:
    """The program as plain JSON values. Raises IRFault if it is nested deeper or larger than a document may be."""
    _measure(program)
    document: dict[str, Any] = _written(program, origins=True)
    return document


def dumps(program: Program, *, pretty: bool = False) -> str:
    """The program as JSON text: the same text for equal programs. Raises IRFault beyond the limits of a document."""
    document = encode(program)
    text = json.dumps(document, indent=1) if pretty else json.dumps(document, separators=(",", ":"))
    if not pretty and len(text) > IR_BYTES:
        raise _too_large()
    return text


def content_hash(program: Program) -> str:
    """SHA-256 of what the program means: all of it except where it stands in the rules text (clauses count), and except
    what it advises automatic players.
    """
    return _hash(attrs.evolve(program, preferences=()), origins=False)


def origin_hash(program: Program) -> str:
    """SHA-256 of the program with its places in the rules text."""
    return _hash(program, origins=True)


def _hash(program: Program, *, origins: bool) -> str:
    _measure(program)
    text = json.dumps(_written(program, origins=origins), separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _written(value: Any, *, origins: bool) -> Any:
    """One value as JSON, with or without Origin objects."""
    kind = type(value)
    if kind is tuple:
        return [_written(item, origins=origins) for item in value]
    if kind in (int, str, bool) or value is None:
        return value
    document: dict[str, Any] = {"kind": kind.__name__}
    added = added_fields(kind)
    for name, _ in fields_of(kind):
        part = getattr(value, name)
        if name in added and part == added[name]:
            continue
        if origins or type(part) is not Origin:
            document[name] = _written(part, origins=origins)
    return document


def _measure(program: Program) -> None:
    """Refuse a program in memory that no document can hold, before anything walks it recursively."""
    match excess(program, IR_DEPTH, _MOST_VALUES):
        case "depth":
            raise _too_deep()
        case "count":
            raise _too_large()


# ------------------------------------------------------------------ reading


def loads(text: str | bytes) -> Program:
    """The program that a document holds. Raises IRFault for anything that is not exactly one program."""
    decoded = _decoded(text)
    try:
        document = _parsed(decoded)
        _check_version(document)
        program = _value(document, _program_shape(), None)
    except RecursionError as error:  # the caller's own stack left too little room for a document within the limits
        raise _too_deep() from error
    assert isinstance(program, Program)
    return program


def _decoded(text: str | bytes) -> str:
    """The text of a document, its size checked first."""
    if len(text) > IR_BYTES:
        raise _too_large()
    if isinstance(text, str):
        if len(text) * 4 > IR_BYTES and len(text.encode("utf-8", "surrogatepass")) > IR_BYTES:
            raise _too_large()
        return text
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _bad_json("it is not UTF-8") from error


_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)


def _check_nesting(text: str) -> None:
    """Count brackets outside of texts, so that no parser meets deep nesting or a flood of empty objects."""
    depth = count = 0
    for match in _BRACKETS.finditer(text):
        bracket = text[match.start()]
        if bracket in "[{":
            depth += 1
            count += 1
            if depth > IR_DEPTH:
                raise _too_deep()
            if count > _MOST_VALUES:
                raise _too_large()
        elif bracket in "]}":
            depth -= 1


@attrs.frozen
class _Unreadable:
    """What stands in the parsed document for something JSON can say and the IR cannot; found again with its path."""

    code: str
    text: str


def _parsed(text: str) -> object:
    """The document as plain values."""
    _check_nesting(text)
    try:
        return json.loads(
            text,
            object_pairs_hook=_object_of,
            parse_float=lambda digits: _Unreadable("RL9003", digits),
            parse_constant=lambda name: _Unreadable("RL9003", name),
            parse_int=_whole_number,
        )
    except json.JSONDecodeError as error:
        said = error.msg.removesuffix(" at").removesuffix(" starting")  # "Unterminated string starting at"
        raise _bad_json(f"line {error.lineno}, column {error.colno}: {said[:1].lower()}{said[1:]}") from error


def _whole_number(digits: str) -> int | _Unreadable:
    if len(digits) <= 20 and INTEGER_MIN <= int(digits) <= INTEGER_MAX:
        return int(digits)
    return _Unreadable("RL9011", digits)


def _object_of(pairs: list[tuple[str, object]]) -> dict[str, object] | _Unreadable:
    document = dict(pairs)
    if len(document) == len(pairs):
        return document
    seen: set[str] = set()
    twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return _Unreadable("RL9002", twice)


def _check_version(document: object) -> None:
    """Refuse other versions before their contents are looked at."""
    if not isinstance(document, dict) or document.get("kind") != "Program":
        return
    version = document.get("version")
    if type(version) is int and not 1 <= version <= IR_VERSION:
        message = f"this is version {version}; versions up to {IR_VERSION} can be read"
        raise IRFault("RL9007", "/version", message, {"found": str(version), "wanted": str(IR_VERSION)})


@cache
def _program_shape() -> Shape:
    return Shape(classes={"Program": Program})


def _value(found: object, shape: Shape, path: Path) -> object:
    """One value of the document as the IR value that its place allows."""
    kind = type(found)
    if kind is dict:
        if shape.classes:
            return _object(found, shape, path)  # type: ignore[arg-type]
    elif kind is list:
        if shape.items is not None:
            items = []
            for index, item in enumerate(found):  # type: ignore[arg-type, var-annotated]
                items.append(_value(item, shape.items, (path, index)))
            return tuple(items)
    elif (kind is int and shape.whole) or (kind is bool and shape.flag) or (found is None and shape.null):
        return found
    elif kind is str and (shape.text or found in shape.words):
        return _sound_text(found, path)  # type: ignore[arg-type]
    raise _misplaced(found, shape, path)


def _object(found: dict[str, object], shape: Shape, path: Path) -> object:
    """One object of the document as an instance of the class that its kind names."""
    name = found.get("kind")
    if not isinstance(name, str) or name not in shape.classes:
        raise _wrong_kind(found, shape, path)
    kind = shape.classes[name]
    fields = fields_of(kind)
    added = added_fields(kind)
    there = [name for name, _ in fields if name in found]
    if len(found) != len(there) + 1 or any(name not in found and name not in added for name, _ in fields):
        raise _wrong_fields(found, kind, path)
    make: Callable[..., object] = kind
    values = []
    for field, inner in fields:
        values.append(_value(found[field], inner, (path, field)) if field in found else added[field])
    return make(*values)


def _sound_text(text: str, path: Path) -> str:
    if text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text):
        return text
    raise _wrong_value(path, "a text with half a character", "a text of whole characters")


# ------------------------------------------------------------------ faults


def pointer(path: Path) -> str:
    """The JSON pointer of a way through the document."""
    steps: list[str] = []
    while isinstance(path, tuple):
        path, step = path
        steps.append("/" + str(step).replace("~", "~0").replace("/", "~1"))
    return (path or "") + "".join(reversed(steps))


def _misplaced(found: object, shape: Shape, path: Path) -> IRFault:
    """Why a value may not stand where it stands."""
    if not isinstance(found, _Unreadable):
        return _wrong_value(path, _described(found), str(shape))
    if found.code == "RL9002":
        key = _cut(found.text)
        return IRFault("RL9002", pointer(path), f"'{key}' is given twice in one object", {"key": key})
    if found.code == "RL9003":
        number = _cut(found.text)
        return IRFault("RL9003", pointer(path), f"{number} is not a whole number", {"number": number})
    return _wrong_value(path, f"the number {_cut(found.text)}", "a whole number of at most 64 bits")


def _wrong_value(path: Path, found: str, wanted: str) -> IRFault:
    place = pointer(path) or "the document"
    blanks = {"path": place, "found": found, "wanted": wanted}
    return IRFault("RL9011", pointer(path), f"{place} is {found}; {wanted} is needed", blanks)


def _wrong_kind(found: dict[str, object], shape: Shape, path: Path) -> IRFault:
    place = pointer(path) or "the document"
    if "kind" not in found:
        return IRFault("RL9005", pointer(path), f"{place} has no 'kind'", {"path": place, "field": "kind"})
    name = found["kind"]
    if isinstance(name, _Unreadable):
        return _misplaced(name, Shape(text=True), (path, "kind"))
    said = f"'{_cut(name)}'" if isinstance(name, str) else _described(name)
    blanks = {"path": place, "found": said, "wanted": str(shape)}
    return IRFault("RL9004", pointer(path), f"{place} is of kind {said}; {shape} is needed", blanks)


def _wrong_fields(found: dict[str, object], kind: type, path: Path) -> IRFault:
    place = pointer(path) or "the document"
    names = [name for name, _ in fields_of(kind)]
    for name in names:
        if name not in found and name not in added_fields(kind):
            return IRFault("RL9005", pointer(path), f"{place} has no '{name}'", {"path": place, "field": name})
    surplus = _cut(next(key for key in found if key not in names and key != "kind"))
    message = f"{place} has '{surplus}', which does not belong there"
    return IRFault("RL9006", pointer(path), message, {"path": place, "field": surplus})


def _described(found: object) -> str:
    match found:
        case None:
            return "null"
        case bool():
            return "true" if found else "false"
        case int():
            return f"the number {found}"
        case str():
            return f"the text '{_cut(found)}'"
        case list():
            return "an array"
        case _:
            return "an object"


def _cut(text: str) -> str:
    """A text, cut to a length that fits into a sentence; it shows that it is cut."""
    return text if len(text) <= 40 else text[:40] + "..."


def _bad_json(reason: str) -> IRFault:
    return IRFault("RL9001", "", f"this is not JSON: {reason}", {"reason": reason})


def _too_deep() -> IRFault:
    message = f"objects and lists are nested more than {IR_DEPTH} deep"
    return IRFault("RL9009", "", message, {"limit": str(IR_DEPTH)})


def _too_large() -> IRFault:
    return IRFault("RL9012", "", f"the program has more than {IR_BYTES} bytes", {"limit": str(IR_BYTES)})
