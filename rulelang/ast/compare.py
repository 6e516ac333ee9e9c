"""Whether two texts say the same: their syntax trees, places aside."""

from typing import Any

import attrs

from rulelang.ast.nodes.declarations import Rules
from rulelang.ast.nodes.plays import Plays
from rulelang.source import Place


def same_program(a: Rules | Plays, b: Rules | Plays) -> bool:
    """Return whether two files differ at most in their layout and comments."""
    waiting: list[tuple[Any, Any]] = [(a, b)]
    while waiting:
        left, right = waiting.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, tuple):
            if len(left) != len(right):
                return False
            waiting.extend(zip(left, right, strict=True))
        elif attrs.has(type(left)):
            if not isinstance(left, Place):
                fields = [field.name for field in attrs.fields(type(left))]
                waiting.extend((getattr(left, name), getattr(right, name)) for name in fields)
        elif left != right:
            return False
    return True
