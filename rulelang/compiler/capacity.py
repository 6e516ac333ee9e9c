"""How many elements a collection can have at most, as a formula that closing turns into a number. Spec 5.7 and 16.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker import kinds
from rulelang.checker.symbols import BuiltIn, LocalName
from rulelang.compiler.lower_types import is_static
from rulelang.ir import expressions as ir
from rulelang.ir.directions import AROUND, BESIDE, BoardShape
from rulelang.ir.types import CellType

if TYPE_CHECKING:
    from rulelang.compiler.context import Compilation, Frame
    from rulelang.compiler.lower_types import TypeLowering

LIMIT = ir.Constant(limits.COLLECTION)


class Capacities:
    """Bounds of collections and of numbers."""

    c: Compilation
    types: TypeLowering

    if TYPE_CHECKING:

        def kind(self, node: ast.Expr) -> kinds.Kind: ...

        def lower(self, node: ast.Expr, frame: Frame, wanted: kinds.Kind | None = None) -> ir.Expression: ...

        def member_kind(self, node: ast.Expr) -> kinds.Kind: ...

    def span_capacity(self, node: ast.Between, frame: Frame) -> ir.Expression:
        """The most numbers in ``low..high``."""
        low, high = self.edge(node.low, frame, False), self.edge(node.high, frame, True)
        if low is None or high is None:
            return LIMIT
        return ir.Larger(ir.Constant(0), ir.Add(ir.Subtract(high, low), ir.Constant(1)))

    def edge(self, node: ast.Expr, frame: Frame, highest: bool) -> ir.Expression | None:
        """The highest (or lowest) value a number can have, if that is known before play."""
        if is_static(node, self.c):
            return self.lower(node, frame)
        kind = kinds.bare(self.kind(node))
        if isinstance(kind, kinds.Number) and kind.low is not None and kind.high is not None:
            bound = kind.high if highest else kind.low
            return self.lower(bound, frame) if is_static(bound, self.c) else None
        match node:
            case ast.Bracket():
                return self.edge(node.value, frame, highest)
            case ast.Field(name="size"):
                return self.capacity(node.value, frame) if highest else ir.Constant(0)
            case ast.Negative():
                inner = self.edge(node.value, frame, not highest)
                return ir.Negative(inner) if inner is not None else None
            case ast.Sum():
                return self.sum_edge(node, frame, highest)
            case ast.Conditional():
                return self.of_both(node.value, node.otherwise, frame, highest)
            case ast.Apply(function=ast.Name(name="smaller" | "larger" as name), arguments=(first, second)) if (
                isinstance(self.c.checked.names.uses.get(node.function), BuiltIn)
            ):
                assert not isinstance(first, ast.Each | ast.ValueOfEach)
                assert not isinstance(second, ast.Each | ast.ValueOfEach)
                return self.of_both(first, second, frame, highest, one_is_enough=(name == "smaller") is highest)
            case _:
                return None

    def of_both(
        self, first: ast.Expr, second: ast.Expr, frame: Frame, highest: bool, one_is_enough: bool = False
    ) -> ir.Expression | None:
        """The highest (or lowest) value of one of two numbers; the smaller one exceeds neither."""
        edges = [edge for node in (first, second) if (edge := self.edge(node, frame, highest)) is not None]
        if len(edges) < 2:
            return edges[0] if edges and one_is_enough else None
        return ir.Larger(*edges) if highest is not one_is_enough else ir.Smaller(*edges)

    def sum_edge(self, node: ast.Sum, frame: Frame, highest: bool) -> ir.Expression | None:
        total = self.edge(node.first, frame, highest)
        for term in node.rest:
            part = self.edge(term.value, frame, highest if term.operator == "+" else not highest)
            if total is None or part is None:
                return None
            total = ir.Add(total, part) if term.operator == "+" else ir.Subtract(total, part)
        return total

    def pieces_in(self, node: ast.Expr) -> ir.Expression:
        """The most pieces that the zone named here can hold."""
        return self.types.pieces(self.member_kind(node))

    def is_zone(self, node: ast.Expr) -> bool:
        """Whether a formula names a zone."""
        from rulelang.checker.blind import zone_of

        return zone_of(node, self.c.checked.names, self.c.checked.types) is not None

    def capacity(self, node: ast.Expr, frame: Frame) -> ir.Expression:
        """The most elements that a formula, read as a collection, can have."""
        match node:
            case ast.Bracket():
                return self.capacity(node.value, frame)
            case ast.Between():
                return self.span_capacity(node, frame)
            case ast.ListOf():
                return ir.Constant(len(node.items))
            case ast.Select():
                return self.capacity(node.domain, frame)
            case ast.Field():
                return self.property_capacity(node, frame)
            case ast.Sum():
                return self.capacity(node.first, frame) if all(t.operator == "but" for t in node.rest) else LIMIT
            case _:
                return self.named_capacity(node, frame)

    def property_capacity(self, node: ast.Field, frame: Frame) -> ir.Expression:
        """Of the properties that are collections; a column of a table may have the same name."""
        owner = kinds.bare(self.kind(node.value))
        if isinstance(owner, kinds.Cell):
            return ir.Constant(4)
        if isinstance(owner, kinds.Edge):
            return ir.Constant(2)
        return LIMIT if isinstance(owner, kinds.Row) else self.capacity(node.value, frame)

    def shape(self, board: int) -> BoardShape:
        """What the cells of a board are."""
        node = next(node for node, number in self.c.numbers.boards.items() if number == board)
        return "hexagons" if node.shape == "hexagons" else "squares"

    def named_capacity(self, node: ast.Expr, frame: Frame) -> ir.Expression:
        if self.is_zone(node) and not isinstance(self.member_kind(node), kinds.Member):
            return self.pieces_in(node)
        symbol = self.c.checked.names.uses.get(node)
        if isinstance(symbol, LocalName):
            known = frame.value(symbol)
            return frame.capacities.get(known.number, LIMIT) if isinstance(known, ir.Local) else LIMIT
        lowered = self.lower(node, frame) if not isinstance(node, ast.My | ast.Its | ast.At) else None
        if isinstance(lowered, ir.AllOf | ir.Lines | ir.Ranks):
            return ir.Size(lowered)
        if isinstance(lowered, ir.Neighbours | ir.Rays):
            steps = BESIDE if isinstance(lowered, ir.Neighbours) and not lowered.around else AROUND
            return ir.Constant(len(steps[self.shape(lowered.board)]))
        if isinstance(lowered, ir.Linked):
            return ir.Size(ir.AllOf(CellType(lowered.board)))
        if isinstance(lowered, ir.Without):
            lowered = lowered.left
        if isinstance(lowered, ir.From):
            return ir.Size(lowered.collection)
        return LIMIT
