"""Going through IR values, whatever their class. Spec 1.3.

`rebuild` is how passes over the IR (closing, folding) change formulas; the others are how they look at them.
"""

from collections.abc import Callable, Iterator
from typing import Literal, TypeVar

from rulelang.ir.shapes import fields_of, inner_fields

T = TypeVar("T")

_PLAIN = (int, str, bool, type(None))


def children(node: object) -> Iterator[object]:
    """The IR values directly inside this one, in the order of its fields; tuples are opened."""
    for name in inner_fields(type(node)):
        value = getattr(node, name)
        if type(value) is tuple:
            yield from (item for item in value if _is_inner(item))
        elif _is_inner(value):
            yield value


def walk(node: object) -> Iterator[object]:
    """This value and every IR value inside it, outer before inner, first before later."""
    waiting = [node]
    while waiting:
        value = waiting.pop()
        yield value
        waiting.extend(reversed(list(children(value))))


def walk_with_paths(node: object, path: str = "") -> Iterator[tuple[str, object]]:
    """As `walk`, each value with its JSON pointer."""
    waiting = [(path, node)]
    while waiting:
        here, value = waiting.pop()
        yield here, value
        inside: list[tuple[str, object]] = []
        for name in inner_fields(type(value)):
            part = getattr(value, name)
            if type(part) is tuple:
                inside += [(f"{here}/{name}/{i}", item) for i, item in enumerate(part) if _is_inner(item)]
            elif _is_inner(part):
                inside.append((f"{here}/{name}", part))
        waiting.extend(reversed(inside))


def excess(node: object, depth: int, count: int) -> Literal["depth", "count"] | None:
    """Whether an IR value, written as JSON, is nested deeper or holds more objects and arrays than allowed."""
    values = 0
    waiting: list[tuple[object, int]] = [(node, 1)]
    while waiting:
        value, level = waiting.pop()
        values += 1
        if level > depth:
            return "depth"
        if values > count:
            return "count"
        parts = value if type(value) is tuple else [getattr(value, name) for name, _ in fields_of(type(value))]
        waiting.extend((part, level + 1) for part in parts if type(part) not in _PLAIN)
    return None


def rebuild(node: T, change: Callable[[object], object]) -> T:
    """The value with `change` applied to every IR value in it, inner ones first; what does not change is not copied.

    What `change` gives in place of a value must be allowed where the value stood.
    """
    replaced: dict[str, object] = {}
    for name in inner_fields(type(node)):
        old = getattr(node, name)
        new: object = old
        if type(old) is tuple:
            items = [rebuild(item, change) if _is_inner(item) else item for item in old]
            if any(a is not b for a, b in zip(items, old, strict=True)):
                new = tuple(items)
        elif _is_inner(old):
            new = rebuild(old, change)
        if new is not old:
            replaced[name] = new
    if replaced:
        kind = type(node)
        node = kind(*(replaced.get(name, getattr(node, name)) for name, _ in fields_of(kind)))
    return change(node)  # type: ignore[return-value]


def _is_inner(value: object) -> bool:
    """Whether a value is an IR value rather than a number, a text or nothing."""
    return type(value) not in _PLAIN and type(value) is not tuple
