"""What an author may have meant who writes many where one is wanted, or one where many are. Spec 4.9 and 5.7."""

from typing import Final

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.declared import Declared
from rulelang.checker.kinds import Cell, Collection, Kind, Number, agree, bare
from rulelang.checker.meant import UNNAMED, number_hint, written
from rulelang.checker.names import NameTable
from rulelang.checker.symbols import DefineName
from rulelang.diagnostics.diagnostic import Related


@attrs.frozen
class WayOut:
    """What to write instead, and the other place that it is about."""

    hint: str | None = None
    related: tuple[Related, ...] = ()


NO_WAY: Final = WayOut()
"""Nobody knows what was meant."""


def way_to(declared: Declared, names: NameTable, node: ast.Expr, kind: Kind, wanted: Kind) -> WayOut:
    """The way out where another kind of value is needed."""
    needed = bare(wanted)
    if isinstance(needed, Collection):
        return one_or_all(names, node, first=True) if agree(kind, needed.of) else NO_WAY
    if isinstance(kind, Collection) and agree(kind.of, needed):
        return one_or_all(names, node, first=False)
    if isinstance(needed, Number):
        return WayOut(number_hint(declared, node, kind))
    if isinstance(needed, Cell) and isinstance(bare(kind), Number):
        return WayOut(f"a cell is named by its row and column: cell({needed.board.name}, ..., ...)")
    return NO_WAY


def one_or_all(names: NameTable, node: ast.Expr, *, first: bool) -> WayOut:
    """The way out where ``first`` (or ``all``) was written, and the other is needed."""
    search, text = _searched(names, node), written(node)
    if search is not None and search.all is not first:
        hint = "'first' gives one; for a list of all who are equal write 'all'"
        if search.all:
            here = "" if text == UNNAMED else f", or here 'first x in {text}'"
            hint = f"'all' gives a list; for one of them write 'first'{here}"
        related = (Related(search.at, "it is said here"),) if search is not node else ()
        return WayOut(hint, related)
    if first or text == UNNAMED:
        return NO_WAY
    return WayOut(f"'first x in {text}' is one of them; 'each x in {text}' and 'some x in {text}' go through them all")


def _searched(names: NameTable, node: ast.Expr) -> ast.Select | None:
    """The search that a formula is, or that a define is whose name it is."""
    while isinstance(node, ast.Bracket):
        node = node.value
    if isinstance(node, ast.Select):
        return node
    symbol = names.uses.get(node.function if isinstance(node, ast.Apply) else node)
    if not isinstance(symbol, DefineName) or len(symbol.node.cases) != 1:
        return None
    return _searched(names, symbol.node.cases[0].value)
