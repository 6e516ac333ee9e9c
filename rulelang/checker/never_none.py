"""Which values are never none, so that to ask whether they are is a mistake. Spec 4.4 and 5.6.

A parameter of a define may be given none, whatever its kind says, and so may what is reckoned from it; there the
question has a meaning. What comes from the whole of a kind, from a zone or from a marker that refuses none has not.
"""

from typing import Final

from rulelang.ast import nodes as ast
from rulelang.checker.kinds import Collection, Kind, Names, Nothing, Optional, Unknown
from rulelang.checker.names import NameTable
from rulelang.checker.places import SlotRef, place
from rulelang.checker.symbols import BuiltIn, KindName, LocalName

MADE_OF_SOMETHING: Final = ("lines", "rows", "columns", "diagonals", "others", "clockwise")
"""Functions that give lists without none in them, whatever they are given."""


def none_word(node: ast.Expr) -> str | None:
    """The word for none, if a formula is that word alone."""
    while isinstance(node, ast.Bracket):
        node = node.value
    return node.word if isinstance(node, ast.Constant) and node.word in ("none", "nobody") else None


def never_none(node: ast.Expr, kind: Kind, names: NameTable) -> bool:
    """Whether a formula of this kind has a value wherever it stands."""
    if isinstance(kind, Optional | Nothing | Unknown | Collection) or (
        isinstance(kind, Names) and "none" in kind.labels  # an option may have a choice of that name
    ):
        return False
    match node:
        case ast.Bracket(value=value):
            return never_none(value, kind, names)
        case ast.Me():
            return True
        case ast.Name() | ast.My() | ast.Its() | ast.At():
            symbol = names.uses.get(node)
            if isinstance(symbol, LocalName):
                return _bound_to_something(symbol.binder, names)
            ref = place(node, names)
            return isinstance(ref, SlotRef) and isinstance(ref.node, ast.Marker)
        case _:
            return False


def _bound_to_something(binder: ast.Node, names: NameTable) -> bool:
    """Whether a name stands for one after another of what is there."""
    if isinstance(binder, ast.Turns) and binder.domain is None:
        return True
    domain: ast.Expr | None = getattr(binder, "domain", None)  # a parameter has none
    return domain is not None and _holds_something(domain, names)


def _holds_something(node: ast.Expr, names: NameTable) -> bool:
    """Whether a collection has no none in it."""
    match node:
        case ast.Bracket(value=value):
            return _holds_something(value, names)
        case ast.Name() if isinstance(names.uses.get(node), KindName):
            return True
        case ast.Name(name="players"):
            return isinstance(names.uses.get(node), BuiltIn)
        case ast.Between():
            return True
        case ast.Apply(function=ast.Name(name=name) as function):
            return name in MADE_OF_SOMETHING and isinstance(names.uses.get(function), BuiltIn)
        case _:
            ref = place(node, names)
            return isinstance(ref, SlotRef) and isinstance(ref.node, ast.Zone)
