"""What may stand in each field of the IR's classes, read once from their annotations. Spec 1.3.

Codec, schema, walker and reference are all driven by these shapes, so that a new class needs code in none of them.
"""

from functools import cache
from types import NoneType, UnionType
from typing import ForwardRef, Literal, Union, get_args, get_origin, get_type_hints

import attrs

from rulelang.ir import effects, expressions, nodes, origin, program, types

_MODULES = {module.__name__: module for module in (origin, types, expressions, effects, nodes, program)}


@attrs.define(eq=False)
class Shape:
    """The values that one place can hold: any of what is set here."""

    whole: bool = False
    """A whole number."""
    flag: bool = False
    """True or false."""
    text: bool = False
    """Any text."""
    null: bool = False
    """Nothing."""
    words: tuple[str, ...] = ()
    """One of these texts."""
    items: "Shape | None" = None
    """An array of these."""
    classes: dict[str, type] = attrs.field(factory=dict)
    """An object of one of these kinds."""

    def __str__(self) -> str:
        """What is allowed, in plain words."""
        options = [
            *(["a whole number"] if self.whole else []),
            *(["true or false"] if self.flag else []),
            *(["a text"] if self.text else []),
            *([" or ".join(f"'{word}'" for word in self.words)] if self.words else []),
            *(["an array"] if self.items else []),
            *([_kinds(self.classes)] if self.classes else []),
            *(["null"] if self.null else []),
        ]
        return " or ".join(options)


_FIELDS: dict[type, tuple[tuple[str, Shape], ...]] = {}
_INNER: dict[type, tuple[str, ...]] = {}
_ADDED: dict[type, dict[str, object]] = {}


def fields_of(kind: type) -> tuple[tuple[str, Shape], ...]:
    """The fields of a class in order, each with its shape."""
    if kind not in _FIELDS:
        hints = get_type_hints(kind, {**vars(types), **vars(_MODULES[kind.__module__])})
        _FIELDS[kind] = tuple((field.name, _shape(hints[field.name])) for field in attrs.fields(kind))
    return _FIELDS[kind]


def added_fields(kind: type) -> dict[str, object]:
    """The fields that came later, each with the default for which a document leaves it out."""
    if kind not in _ADDED:
        _ADDED[kind] = {field.name: field.default for field in attrs.fields(kind) if field.metadata.get("added")}
    return _ADDED[kind]


def inner_fields(kind: type) -> tuple[str, ...]:
    """The fields of a class that can hold further objects: those that a walk goes into."""
    if kind not in _INNER:
        _INNER[kind] = tuple(name for name, shape in fields_of(kind) if _has_objects(shape))
    return _INNER[kind]


@cache
def all_kinds() -> dict[str, type]:
    """Every class that a program can contain, by name, in the order in which `Program` leads to them."""
    found: dict[str, type] = {}
    waiting: list[type] = [program.Program]
    while waiting:
        kind = waiting.pop(0)
        if kind.__name__ in found:
            continue
        found[kind.__name__] = kind
        for _, shape in fields_of(kind):
            place: Shape | None = shape
            while place is not None:
                waiting.extend(place.classes.values())
                place = place.items if place.items is not place else None
    return found


def _shape(hint: object) -> Shape:
    """The shape that an annotation describes."""
    shape = Shape()
    alternatives = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    for alternative in alternatives:
        _allow(shape, alternative)
    return shape


def _allow(shape: Shape, hint: object) -> None:
    """Add one alternative of an annotation to a shape."""
    if hint is bool:
        shape.flag = True
    elif hint is int:
        shape.whole = True
    elif hint is str:
        shape.text = True
    elif hint is NoneType:
        shape.null = True
    elif get_origin(hint) is Literal:
        shape.words += get_args(hint)
    elif get_origin(hint) is tuple:
        item = get_args(hint)[0]
        shape.items = shape if item == ForwardRef("Value") else _shape(item)
    elif isinstance(hint, type) and attrs.has(hint):
        shape.classes[hint.__name__] = hint
    else:
        raise TypeError(f"the IR has no form for {hint!r}")


def _has_objects(shape: Shape) -> bool:
    if shape.classes:
        return True
    return shape.items is not None and shape.items is not shape and _has_objects(shape.items)


def _kinds(classes: dict[str, type]) -> str:
    names = list(classes)
    if len(names) > 8:
        return "an object of one of " + str(len(names)) + " kinds"
    return "an object of kind " + " or ".join(names)
