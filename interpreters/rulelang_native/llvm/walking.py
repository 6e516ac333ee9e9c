"""Every part of something flat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs


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
