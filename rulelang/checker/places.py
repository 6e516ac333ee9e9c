"""Which zone or marker a formula names, if it names one. Spec 7.3 and 7.4."""

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.names import NameTable
from rulelang.checker.symbols import BuiltIn, LocalName, MarkerName, TimerName, ZoneName


@attrs.frozen
class SlotRef:
    """One zone or marker: its declaration, its owner (an expression, or ``me``), and the indices in brackets."""

    node: ast.Zone | ast.Marker
    owner: ast.Expr | None
    indices: tuple[ast.Expr, ...]


@attrs.frozen
class MemberRef:
    """A local that remembers which zone of a family, or another value of that kind."""

    value: ast.Expr


Ref = SlotRef | MemberRef


def place(node: ast.Expr, names: NameTable) -> Ref | None:
    """The place that a formula names, or None if it is another sort of formula."""
    match node:
        case ast.Bracket():
            return place(node.value, names)
        case ast.Name():
            symbol = names.uses.get(node)
            if isinstance(symbol, ZoneName | MarkerName):
                return SlotRef(symbol.node, None, ())
            return MemberRef(node) if isinstance(symbol, LocalName) else None
        case ast.My():
            symbol = names.uses.get(node)
            return SlotRef(symbol.node, ast.Me(node.at), ()) if isinstance(symbol, ZoneName | MarkerName) else None
        case ast.Its():
            symbol = names.uses.get(node)
            return SlotRef(symbol.node, node.owner, ()) if isinstance(symbol, ZoneName | MarkerName) else None
        case ast.At():
            family = place(node.family, names)
            if isinstance(family, SlotRef) and not family.indices:
                return SlotRef(family.node, family.owner, node.indices)
            return None
        case _:
            return None


def timer_of(node: ast.Expr, names: NameTable) -> ast.Timer | None:
    """The timer that a formula names."""
    match node:
        case ast.Bracket():
            return timer_of(node.value, names)
        case _:
            symbol = names.uses.get(node)
            return symbol.node if isinstance(symbol, TimerName) else None


def is_pick(node: ast.Expr, names: NameTable) -> bool:
    """Whether a move chooses several at once: ``bags(3, my hand)``."""
    return _applies("bags", node, names)


def is_said(node: ast.Expr, names: NameTable) -> bool:
    """Whether a move says one thing after another: ``lists(4, Statement)``."""
    return _applies("lists", node, names)


def _applies(word: str, node: ast.Expr, names: NameTable) -> bool:
    function = node.function if isinstance(node, ast.Apply) else None
    symbol = names.uses.get(function) if function is not None else None
    return isinstance(symbol, BuiltIn) and symbol.name == word


def wants(node: ast.Zone | ast.Marker) -> tuple[bool, int]:
    """Whether the family has an owner (its first index is ``player``), and how many indices stand in brackets."""
    kinds = node.index.kinds if node.index else ()
    owned = bool(kinds) and isinstance(kinds[0], ast.Name) and kinds[0].name == "player"
    return owned, len(kinds) - owned


def whole_family(ref: Ref | None) -> bool:
    """Whether a bare family name stands there ("which heaps are there?")."""
    return isinstance(ref, SlotRef) and ref.owner is None and not ref.indices and ref.node.index is not None
