"""What an author may have meant who writes many where one is wanted, or one where many are. Spec 4.9 and 5.7."""

from typing import Final

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.declared import Declared
from rulelang.checker.kinds import Cell, Collection, Kind, Number, agree, bare, labels, spoken
from rulelang.checker.meant import UNNAMED, number_hint, written
from rulelang.checker.names import NameTable
from rulelang.checker.symbols import DefineName, Label, LocalName
from rulelang.diagnostics.diagnostic import Related
from rulelang.grammar.wording import quoted_word


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
    other = word_of_a_value(names, node, needed)
    if other is not None:
        return other
    if isinstance(needed, Collection):
        return one_or_all(names, node, first=True) if agree(kind, needed.of) else NO_WAY
    if isinstance(kind, Collection) and agree(kind.of, needed):
        return one_or_all(names, node, first=False)
    if isinstance(needed, Number):
        return WayOut(number_hint(declared, node, kind))
    if isinstance(needed, Cell) and isinstance(bare(kind), Number):
        return WayOut(f"a cell is named by its row and column: cell({needed.board.name}, ..., ...)")
    return NO_WAY


def word_of_a_value(names: NameTable, node: ast.Expr, wanted: Kind) -> WayOut | None:
    """The way out where a value was meant that has the same word as a declaration, in the game or of a library."""
    symbol = names.uses.get(node)
    if not isinstance(node, ast.Name) or symbol is None or isinstance(symbol, Label) or node.name not in labels(wanted):
        return None
    first = symbol.binder if isinstance(symbol, LocalName) else getattr(symbol, "node", None)
    related = (Related(first.at, "this is what is meant"),) if isinstance(first, ast.Node) else ()
    return WayOut(f"{spoken(wanted)} is called {quoted_word(node.name)}, too: give that another name", related)


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
