"""Short ways to make syntax trees without a text: all nodes stand at one place, brackets come where they must."""

from typing import Final

from rulelang.ast import nodes as ast
from rulelang.source import Place

HERE: Final = Place("generated", 1, 1, 1, 1)

OPEN, EITHER, BOTH, PLAIN, SPAN, SUM, TERM, FACTOR, ATOM, PLACE = range(10)
"""How tightly a formula holds together (Spec 3.10); a search and a conditional reach as far as they can."""


def level(node: ast.Expr) -> int:
    """How tightly a formula holds together."""
    match node:
        case ast.Conditional() | ast.Exists() | ast.Every() | ast.Select():
            return OPEN
        case ast.Either(parts=parts):
            return EITHER if level(parts[-1]) != OPEN else OPEN
        case ast.Both(parts=parts):
            return BOTH if level(parts[-1]) != OPEN else OPEN
        case ast.Negate(value=value):
            return PLAIN if level(value) != OPEN else OPEN
        case ast.Compare():
            return PLAIN
        case ast.Between():
            return SPAN
        case ast.Sum():
            return SUM
        case ast.Product():
            return TERM
        case ast.Negative() | ast.Field():
            return FACTOR
        case ast.Name() | ast.Me() | ast.My() | ast.Its() | ast.At() | ast.Apply():
            return PLACE
        case _:
            return ATOM


def fit(node: ast.Expr, wanted: int) -> ast.Expr:
    """The formula, in brackets if it would fall apart where it stands."""
    return node if level(node) >= wanted else ast.Bracket(HERE, node)


def searches(node: ast.Expr) -> bool:
    """Whether a formula is a search, perhaps denied: it may stand last in an ``and`` or ``or`` without brackets."""
    return isinstance(node, ast.Exists | ast.Every) or (isinstance(node, ast.Negate) and searches(node.value))


def number(value: int) -> ast.Expr:
    """A whole number; below 0 with its sign."""
    return ast.Number(HERE, value) if value >= 0 else ast.Negative(HERE, ast.Number(HERE, -value))


def name(word: str) -> ast.Name:
    """A name standing alone."""
    return ast.Name(HERE, word)


def constant(word: str) -> ast.Constant:
    """``yes``, ``none`` and their like."""
    return ast.Constant(HERE, word)


def apply(function: str, *arguments: "ast.Expr | ast.Each | ast.ValueOfEach") -> ast.Apply:
    """``seat(n)``"""
    return ast.Apply(HERE, name(function), arguments)


def field(word: str, value: ast.Expr) -> ast.Field:
    """``rank of card``"""
    return ast.Field(HERE, word, fit(value, FACTOR))


def add(first: ast.Expr, *rest: tuple[str, ast.Expr]) -> ast.Sum:
    """``a + b but c``; the operator stands before each further term."""
    return ast.Sum(
        HERE, fit(first, TERM), tuple(ast.Binary(HERE, operator, fit(value, TERM)) for operator, value in rest)
    )


def compare(left: ast.Expr, relation: str, right: ast.Expr) -> ast.Compare:
    """``a is b``"""
    return ast.Compare(HERE, fit(left, SPAN), relation, fit(right, SPAN))


def negate(value: ast.Expr) -> ast.Negate:
    """``not C``"""
    return ast.Negate(HERE, value if searches(value) else fit(value, PLAIN))


def joined(kind: type[ast.Both] | type[ast.Either], parts: list[ast.Expr]) -> ast.Expr:
    """``A and B``, ``A or B``; a search stands last, or in brackets."""
    wanted = PLAIN if kind is ast.Both else BOTH
    *first, last = parts
    end = last if searches(last) else fit(last, wanted)
    return kind(HERE, (*(fit(part, wanted) for part in first), end))


def choice(value: ast.Expr, condition: ast.Expr, otherwise: ast.Expr) -> ast.Conditional:
    """``A if C otherwise B``"""
    asked = fit(condition, EITHER) if isinstance(condition, ast.Conditional) else condition
    return ast.Conditional(HERE, fit(value, EITHER), asked, otherwise)


def kind(*alternatives: ast.Expr) -> ast.TypeExpr:
    """``T or none``"""
    return ast.TypeExpr(HERE, tuple(fit(part, SPAN) for part in alternatives))


def block(*statements: ast.Statement) -> ast.Body:
    """Statements below a colon."""
    return ast.Body(HERE, statements, inline=False)


def text(*parts: str | ast.Expr) -> ast.Text:
    """A text; whatever is no string becomes a hole."""
    return ast.Text(HERE, tuple(part if isinstance(part, str) else ast.Hole(HERE, part) for part in parts if part))
