"""Places in a program, and programs with something else at some of them."""

from collections.abc import Iterator
from typing import Any, Final

import attrs

from rulelang.ir import types
from rulelang.ir.expressions import Add, Apply, Constant, Expression, Local, Remainder, SeatCount, Subtract, Words
from rulelang.ir.program import Program
from rulelang.ir.shapes import inner_fields
from rulelang.ir.walk import children

Path = tuple[str | int, ...]
"""From a value to one inside it: names of fields, and places in rows."""

GONE: Final = object()
"""Stands for an item that is taken out of its row."""

_ASIDE: Final = frozenset({"type", "of", "capacity", "none", "variable", "words", "at"})
"""Fields that say what a value is, not what it comes to."""


@attrs.frozen
class Put:
    """Something else at one place."""

    path: Path
    new: object


def changed(node: Any, puts: tuple[Put, ...]) -> Any:
    """A value with something else at some places. Of several items taken out of one row, the last must come first."""
    for put in puts:
        node = _put(node, put.path, put.new)
    return node


def _put(node: Any, path: Path, new: object) -> Any:
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        item = () if new is GONE and not rest else (_put(node[step], rest, new),)
        return (*node[:step], *item, *node[step + 1 :])
    return attrs.evolve(node, **{step: _put(getattr(node, step), rest, new)})


def value_at(node: Any, path: Path) -> Any:
    """What stands at a place."""
    for step in path:
        node = node[step] if isinstance(step, int) else getattr(node, step)
    return node


def formulas_in(formula: object, path: Path = ()) -> Iterator[tuple[Path, Expression]]:
    """Every formula in a value (itself, if it is one), outer before inner; kinds, bounds and words are left aside."""
    if isinstance(formula, Expression):
        yield path, formula
    seat = _step_of_seats(formula)
    if seat is not None:
        yield from formulas_in(value_at(formula, ("left", "left")), (*path, "left", "left")) if seat else ()
        return
    for name in inner_fields(type(formula)):
        if name in _ASIDE:
            continue
        value = getattr(formula, name)
        if type(value) is tuple:
            for place, item in enumerate(value):
                if not isinstance(item, int | str | tuple) and not _aside(item):
                    yield from formulas_in(item, (*path, name, place))
        elif value is not None and not isinstance(value, int | str) and not _aside(value):
            yield from formulas_in(value, (*path, name))


def _step_of_seats(formula: object) -> bool | None:
    """Whether there is a formula in ``next(p)``, ``previous(p)`` or ``seat(n)``, which are one word of the rules.

    None if it is none of them.
    """
    match formula:
        case Remainder(left=Add() | Subtract() as step, right=SeatCount()) if step.right == Constant(1):
            return not isinstance(step.left, Constant)
        case _:
            return None


def _aside(value: object) -> bool:
    return isinstance(value, Words | Local) or type(value).__module__ == types.__name__


def _parts_that_play(value: object) -> Iterator[object]:
    """A value and everything in it, but words for people."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Words):
            continue
        yield part
        waiting.extend(children(part))


def functions_in_play(program: Program) -> frozenset[int]:
    """The functions that are asked in play, and not only for words, advice or promises."""
    waiting: list[object] = [
        *program.options,
        *program.demands,
        *program.boards,
        *program.slots,
        *program.moves,
        *program.nodes,
        *program.timers,
    ]
    found: set[int] = set()
    while waiting:
        for part in _parts_that_play(waiting.pop()):
            if isinstance(part, Apply) and part.function not in found:
                found.add(part.function)
                waiting.append(program.functions[part.function].body)
    return frozenset(found)


__all__ = ["GONE", "Path", "Put", "changed", "formulas_in", "functions_in_play", "value_at"]
