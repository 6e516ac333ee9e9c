"""The formulas directly inside a formula that binds nothing. Spec 4."""

from rulelang.ast import nodes as ast


def parts(node: ast.Expr) -> tuple[ast.Expr, ...]:
    """The formulas directly inside a formula that binds nothing."""
    match node:
        case ast.At():
            return (node.family, *node.indices)
        case ast.Field() | ast.Negative() | ast.Negate() | ast.Bracket():
            return (node.value,)
        case ast.Product():
            return node.factors
        case ast.Sum():
            return (node.first, *(term.value for term in node.rest))
        case ast.Between():
            return (node.low, node.high)
        case ast.Compare():
            return (node.left, node.right)
        case ast.Both() | ast.Either():
            return node.parts
        case ast.Conditional():
            return (node.value, node.condition, node.otherwise)
        case ast.ListOf():
            return node.items
        case _:
            return ()
