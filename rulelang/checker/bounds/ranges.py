"""Ranges without a number in them or beyond what a zone holds, boards and families that are too large.

Spec 5.1, 7.2, 7.3 and 16.8.

Only what is written in plain numbers is looked at here. Bounds that depend on options or on the number of players are
measured when the program is closed.
"""

from collections.abc import Iterable, Iterator
from math import prod
from typing import TYPE_CHECKING

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker.kinds import Cell, Kind, Names, Number, Record, Row, bare
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked


def ranges(checked: "Checked", findings: Findings) -> None:
    """Report empty ranges in kinds, and sizes beyond the limit."""
    for node in checked.rules.declarations:
        for span in _spans(_kinds_in(node)):
            _span(span, findings)
        if isinstance(node, ast.Zone):
            _beginning(node, checked.declared.kinds[node], findings)
        if isinstance(node, ast.Board):
            _board(node, findings)
        elif isinstance(node, ast.Zone | ast.Marker) and node.index is not None:
            sizes = [_size(checked.declared.kinds[kind]) for kind in node.index.kinds]
            _limited(node.name, prod(size for size in sizes if size is not None), node, findings)


def _span(span: ast.Between, findings: Findings) -> None:
    low, high = number(span.low), number(span.high)
    if low is not None and high is not None and low > high:
        hint = f"did you mean {high}..{low}?"
        findings.report(codes.EMPTY_RANGE, span.at, low=low, high=high, hint=hint)


def _beginning(zone: ast.Zone, content: Kind, findings: Findings) -> None:
    """What lies in a zone before play is of its kind: ``bag of 1..5, starts with each 1..7`` is not."""
    held = content.fields[0][1] if zone.showing is not None and isinstance(content, Record) else content
    if not isinstance(held, Number):
        return
    least, most = (None if end is None else number(end) for end in (held.low, held.high))
    for span in (trait.kind for trait in zone.traits if isinstance(trait, ast.StartsWith)):
        if isinstance(span, ast.Between):
            low, high = number(span.low), number(span.high)
            outside = low if low is not None and least is not None and low < least else None
            outside = high if outside is None and high is not None and most is not None and high > most else outside
            if outside is not None:
                hint = "give the zone a kind that holds all that lies there"
                findings.report(codes.VALUE_NOT_OF_TYPE, span.at, word=outside, wanted=f"'{zone.name}'", hint=hint)


def _board(node: ast.Board, findings: Findings) -> None:
    rows, columns = number(node.rows), number(node.columns)
    for count, sides, formula in ((rows, "rows", node.rows), (columns, "columns", node.columns)):
        if count is not None and count < 1:
            findings.report(codes.EMPTY_BOARD, formula.at, word=node.name, count=count, sides=sides)
    if rows is not None and columns is not None:
        _limited(node.name, rows * columns, node, findings)


def _limited(name: str, size: int, node: ast.Node, findings: Findings) -> None:
    if size > limits.COLLECTION:
        findings.report(codes.TOO_LARGE, node.at, word=name, size=size, limit=limits.COLLECTION)


def _size(kind: Kind) -> int | None:
    """How many values a kind has, if that is written in plain numbers."""
    match bare(kind):
        case Number(low=low, high=high) if low is not None and high is not None:
            first, last = number(low), number(high)
            return max(0, last - first + 1) if first is not None and last is not None else None
        case Names(labels=labels) | Row(labels=labels):
            return len(labels)
        case Cell(board=board):
            rows, columns = number(board.rows), number(board.columns)
            return rows * columns if rows is not None and columns is not None else None
        case _:
            return None


def number(node: ast.Expr) -> int | None:
    """A number written out."""
    match node:
        case ast.Number(value=value):
            return value
        case ast.Negative(value=inner):
            value_ = number(inner)
            return -value_ if value_ is not None else None
        case ast.Bracket(value=inner):
            return number(inner)
        case _:
            return None


def _kinds_in(node: ast.Declaration) -> Iterator[ast.Expr]:
    """The formulas for kinds in a declaration."""
    match node:
        case ast.Option() | ast.Values():
            yield from node.values
        case ast.Record() | ast.Table():
            for column in node.columns:
                yield from column.type.alternatives
        case ast.Zone():
            yield from node.type.alternatives
            yield from node.showing.alternatives if node.showing is not None else ()
            yield from node.index.kinds if node.index is not None else ()
            yield from (trait.kind for trait in node.traits if isinstance(trait, ast.StartsWith))
        case ast.Marker():
            yield from node.type.alternatives
            yield from node.index.kinds if node.index is not None else ()
        case ast.Define() | ast.Condition() | ast.Rule():
            for param in node.params:
                assert isinstance(param, ast.Param)
                yield from param.type.alternatives
        case _:
            pass


def _spans(kinds: Iterable[ast.Expr]) -> Iterator[ast.Between]:
    """The ranges in some kinds, those inside ``bag of 1..6`` too."""
    for kind in kinds:
        while isinstance(kind, ast.Field | ast.Bracket):
            kind = kind.value
        if isinstance(kind, ast.Between):
            yield kind
