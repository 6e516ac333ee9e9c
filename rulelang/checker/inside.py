"""What stands inside a node: for walks that ask one question of every part."""

from collections.abc import Iterator

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.parts import parts


def within(node: ast.Node) -> Iterator[ast.Node]:
    """A node and all nodes in it, in the order of the text."""
    waiting: list[object] = [node]
    while waiting:
        current = waiting.pop()
        if isinstance(current, tuple):
            waiting.extend(reversed(current))
        elif isinstance(current, ast.Node):
            yield current
            waiting.extend(getattr(current, field.name) for field in reversed(attrs.fields(type(current))))


def speaks_of_me(node: ast.Node) -> bool:
    """Whether ``me`` or ``my`` occurs in a formula."""
    return any(isinstance(part, ast.Me | ast.My) for part in within(node))


def inside(node: ast.Node) -> list[ast.Node]:
    """The nodes directly inside a formula or argument, searches included."""
    match node:
        case ast.Its():
            return [node.owner]
        case ast.Apply():
            return [node.function, *node.arguments]
        case ast.Each():
            return [node.domain, *([node.where] if node.where is not None else [])]
        case ast.ValueOfEach():
            return [node.each, node.value]
        case ast.Exists():
            return [node.domain, node.where]
        case ast.Every():
            return [node.domain, node.condition]
        case ast.Select():
            where = [node.where] if node.where is not None else []
            return [node.domain, *where, *(rank.value for rank in node.ranks)]
        case ast.Text():
            return [part.value for part in node.parts if isinstance(part, ast.Hole)]
        case _:
            return list(parts(node))  # type: ignore[arg-type]
