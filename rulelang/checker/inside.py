"""What stands inside a node: for walks that ask one question of every part."""

from collections.abc import Iterator

import attrs

from rulelang.ast import nodes as ast


def speaks_of_me(node: ast.Node) -> bool:
    """Whether ``me`` or ``my`` occurs in a formula."""
    return any(isinstance(part, ast.Me | ast.My) for part in within(node))


def within(node: ast.Node) -> Iterator[ast.Node]:
    """A node and all nodes in it, in the order of the tree."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(inside(current)))


def inside(node: ast.Node) -> list[ast.Node]:
    """The nodes directly inside a node."""
    return [part for field in attrs.fields(type(node)) for part in _nodes_in(getattr(node, field.name))]


def _nodes_in(value: object) -> list[ast.Node]:
    if isinstance(value, tuple):
        return [part for item in value for part in _nodes_in(item)]
    return [value] if isinstance(value, ast.Node) else []
