"""What stands directly inside a formula, searches included: for walks that ask one question of every part."""

from rulelang.ast import nodes as ast
from rulelang.checker.parts import parts


def speaks_of_me(node: ast.Node) -> bool:
    """Whether ``me`` or ``my`` occurs in a formula."""
    stack: list[ast.Node] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, ast.Me | ast.My):
            return True
        stack.extend(inside(current))
    return False


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
