"""Every part of something flat, and what variables are given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulelang import limits
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known


def parts(thing: Any) -> Iterator[Any]:
    """The thing itself and everything inside it."""
    waiting = [thing]
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            waiting += each
        elif attrs.has(type(each)):
            yield each
            waiting += [getattr(each, name.name) for name in attrs.fields(type(each))]


def given_alone(body: tuple[st.Statement, ...]) -> dict[str, list[Flat]]:
    """All that each variable of a body is given, of those that are only ever set: no loop and no gathering gives them
    anything."""
    given: dict[str, list[Flat]] = {}
    other: set[str] = set()
    for part in parts(body):
        match part:
            case st.Set():
                given.setdefault(part.name, []).append(part.value)
            case st.Each() | st.Gather() | st.Notes():
                other.add(part.name)
    return {name: values for name, values in given.items() if name not in other}


ENDS = (Known(limits.INTEGER_MIN), Known(limits.INTEGER_MAX))


def reaches_the_ends(thing: Any) -> frozenset[str]:
    """The variables of which it is asked whether they lie inside 64 bits: what they are given perhaps does not."""
    found: set[str] = set()
    for part in parts(thing):
        match part:
            case flat.Compare(operator="<=", left=flat.Name(name=name), right=Known() as end) if end == ENDS[1]:
                found.add(name)
            case flat.Compare(operator="<=", left=Known() as end, right=flat.Name(name=name)) if end == ENDS[0]:
                found.add(name)
    return frozenset(found)
