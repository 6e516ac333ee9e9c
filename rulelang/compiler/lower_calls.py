"""Defines, conditions, records, built-in words and properties. Spec 4.7, 4.9 and 4.11."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker import kinds
from rulelang.checker.places import timer_of
from rulelang.checker.symbols import ConditionName, DefineName, KindName
from rulelang.compiler.reads import reads_table
from rulelang.diagnostics import codes
from rulelang.ir import expressions as ir
from rulelang.ir.walk import walk
from rulelang.limits import COLLECTION

if TYPE_CHECKING:
    from rulelang.checker.formulas import KindTable
    from rulelang.checker.names import NameTable
    from rulelang.compiler.context import Compilation, Frame
    from rulelang.compiler.lower_timers import TimerLowering
    from rulelang.compiler.lower_types import TypeLowering

ZERO, ONE = ir.Constant(0), ir.Constant(1)


def others_read(formulas: tuple[ir.Expression, ...], variable: ir.Local) -> bool:
    """Whether formulas read a local that is neither the variable nor bound inside them."""
    bound = {variable.number}
    read: set[int] = set()
    for formula in formulas:
        for part in walk(formula):
            if isinstance(part, ir.Local):
                read.add(part.number)
            inner = getattr(part, "variable", None)
            if isinstance(inner, ir.Local):
                bound.add(inner.number)
    return bool(read - bound)


class CallLowering:
    """Calls; the rest of the formulas is in ``lower_formulas``."""

    c: Compilation
    names: NameTable
    found: KindTable
    types: TypeLowering
    timers: TimerLowering

    if TYPE_CHECKING:

        def kind(self, node: ast.Expr) -> kinds.Kind: ...

        def lower(self, node: ast.Expr, frame: Frame, wanted: kinds.Kind | None = None) -> ir.Expression: ...

        def collection(self, node: ast.Expr, frame: Frame) -> ir.Expression: ...

        def member_kind(self, node: ast.Expr) -> kinds.Kind: ...

        def single(self, node: ast.Expr) -> None: ...

    # ------------------------------------------------------------------ calls

    def apply(self, node: ast.Apply, frame: Frame) -> ir.Expression:
        assert isinstance(node.function, ast.Name)
        symbol = self.names.uses[node.function]
        match symbol:
            case DefineName():
                return ir.Apply(
                    self.c.numbers.functions[symbol.node], self.arguments(symbol.node.params, node.arguments, frame)
                )
            case ConditionName():
                given = self.arguments(symbol.node.params, node.arguments, frame)
                return ir.Apply(self.c.numbers.functions[symbol.node], (frame.me or ZERO, *given))
            case KindName():
                assert isinstance(symbol.kind, kinds.Record)
                parts = [
                    self.lower(argument, frame, field)  # type: ignore[arg-type]
                    for (_, field), argument in zip(symbol.kind.fields, node.arguments, strict=True)
                ]
                return ir.MakeRecord(self.types.single(symbol.kind), tuple(parts))
            case _:
                return self.built_in(node.function.name, node, frame)

    def arguments(
        self, params: tuple[ast.Node, ...], given: tuple[ast.Expr | ast.Each | ast.ValueOfEach, ...], frame: Frame
    ) -> tuple[ir.Expression, ...]:
        """The arguments of a define, condition or rule, fitted to its parameters."""
        lowered = []
        for param, argument in zip(params, given, strict=True):
            assert isinstance(param, ast.Param)
            kind = self.c.checked.declared.kinds[param.type]
            lowered.append(self.lower(argument, frame, kind))  # type: ignore[arg-type]
        return tuple(lowered)

    def built_in(self, name: str, node: ast.Apply, frame: Frame) -> ir.Expression:
        argument = node.arguments[0]
        if isinstance(argument, ast.Each):
            variable, domain, condition = self.each(argument, frame)
            return ir.Number(variable, domain, condition)
        if isinstance(argument, ast.ValueOfEach):
            return self.aggregate(name, argument, frame)
        given = [a for a in node.arguments if not isinstance(a, ast.Each | ast.ValueOfEach)]
        if name in ("lines", "rows", "columns", "diagonals", "cell", "beside", "around", "rays"):
            return self.on_board(name, given, frame)
        if name == "linked":
            members = [kinds.bare(self.member_kind(a)) for a in given]
            cell = next(kind for kind in members if isinstance(kind, kinds.Cell))
            start, within = (self.collection(a, frame) for a in given)
            return ir.Linked(self.c.numbers.boards[cell.board], start, within)
        if name == "bags":
            return ir.Picks(self.collection(given[1], frame), self.lower(given[0], frame))
        if name in ("copies", "item"):
            return self.in_collection(name, given, frame)
        return self.plain(name, [self.lower(a, frame) for a in given])

    def each(self, node: ast.Each, frame: Frame) -> tuple[ir.Local, ir.Expression, ir.Expression]:
        domain = self.collection(node.domain, frame)
        variable = frame.local(self.names.bindings[node])
        return variable, domain, self.lower(node.where, frame) if node.where is not None else ONE

    def aggregate(self, name: str, node: ast.ValueOfEach, frame: Frame) -> ir.Expression:
        if name in ("best_partition", "whole_partition"):
            return self.partition(name, node, frame)
        variable, domain, condition = self.each(node.each, frame)
        value = self.lower(node.value, frame)
        match name:
            case "sum":
                return ir.Total(variable, domain, condition, value)
            case "collect":
                self.single(node.value)
                return ir.Collect(variable, domain, condition, value)
            case _:
                return ir.Extreme(name == "highest", variable, domain, condition, value, ZERO)

    def partition(self, name: str, node: ast.ValueOfEach, frame: Frame) -> ir.Expression:
        """What makes a group may read the group and what is settled before play, nothing else."""
        bags = node.each.domain
        assert isinstance(bags, ast.Apply)
        sizes, collection = bags.arguments
        assert not isinstance(sizes, ast.Each | ast.ValueOfEach) and not isinstance(
            collection, ast.Each | ast.ValueOfEach
        )
        low, high = (sizes.low, sizes.high) if isinstance(sizes, ast.Between) else (sizes, sizes)
        variable = frame.local(self.names.bindings[node.each])
        condition = self.lower(node.each.where, frame) if node.each.where is not None else ONE
        worth = self.lower(node.value, frame)
        asked = [node.value] if node.each.where is None else [node.each.where, node.value]
        if any(reads_table(part, self.c.checked) for part in asked) or others_read((condition, worth), variable):
            self.c.findings.report(
                codes.GROUP_READS_MORE, node.at, hint="let it depend on the group, on tables and on options only"
            )
        of = self.types.single(self.member_kind(collection))
        bounds = self.types.declared_bound(low), self.types.declared_bound(high)
        return ir.Partition(
            self.collection(collection, frame), of, *bounds, variable, condition, worth, name == "whole_partition"
        )

    def on_board(self, name: str, given: list[ast.Expr], frame: Frame) -> ir.Expression:
        if name in ("beside", "around", "rays"):
            kind = kinds.bare(self.kind(given[0]))
            assert isinstance(kind, kinds.Cell)
            board, cell = self.c.numbers.boards[kind.board], self.lower(given[0], frame)
            return ir.Rays(board, cell) if name == "rays" else ir.Neighbours(board, cell, name == "around")
        whole = self.kind(given[0])
        assert isinstance(whole, kinds.Collection) and isinstance(whole.of, kinds.Cell)
        board = self.c.numbers.boards[whole.of.board]
        rest = [self.lower(a, frame) for a in given[1:]]
        match name:
            case "lines":
                self.types.declared_bound(given[1])
                length = rest[0].value if isinstance(rest[0], ir.Constant) else ONE.value
                if isinstance(length, int) and not 1 <= length <= COLLECTION:
                    self.c.findings.report(codes.TOO_LARGE, given[1].at, word="a line", size=length, limit=COLLECTION)
                    return ir.Lines(board, ONE)
                return ir.Lines(board, rest[0])
            case "cell":
                return ir.CellAt(board, rest[0], rest[1])
            case "rows":
                return ir.Ranks(board, "rows")
            case "columns":
                return ir.Ranks(board, "columns")
            case _:
                return ir.Ranks(board, "diagonals")

    def in_collection(self, name: str, given: list[ast.Expr], frame: Frame) -> ir.Expression:
        if name == "copies":
            member = self.member_kind(given[1])
            return ir.Occurrences(self.lower(given[0], frame, member), self.collection(given[1], frame))
        member = self.member_kind(given[0])
        return ir.Item(self.collection(given[0], frame), self.lower(given[1], frame), self.types.none(member))

    def plain(self, name: str, given: list[ir.Expression]) -> ir.Expression:
        seats = ir.AllOf(self.types.single(kinds.Seat()))
        match name:
            case "seat":
                return ir.Remainder(ir.Subtract(given[0], ONE), ir.SeatCount())
            case "next":
                return ir.Remainder(ir.Add(given[0], ONE), ir.SeatCount())
            case "previous":
                return ir.Remainder(ir.Subtract(given[0], ONE), ir.SeatCount())
            case "others":
                return ir.Without(ir.From(seats, given[0]), ir.MakeList((given[0],)), "list")
            case "clockwise":
                return ir.From(seats, given[0])
            case "seat_number":
                return ir.Add(given[0], ONE)
            case "smaller":
                return ir.Smaller(given[0], given[1])
            case "larger":
                return ir.Larger(given[0], given[1])
            case "quotient":
                return ir.Quotient(given[0], given[1])
            case _:
                return ir.Remainder(given[0], given[1])

    # ------------------------------------------------------------------ properties

    def field(self, node: ast.Field, frame: Frame) -> ir.Expression:
        kind = kinds.bare(self.kind(node.value))
        if isinstance(kind, kinds.Record) and node.name in dict(kind.fields):
            position = [name for name, _ in kind.fields].index(node.name)
            return ir.Part(self.lower(node.value, frame), self.types.single(kind), position)
        if isinstance(kind, kinds.Division):
            return ir.PartitionPart(self.lower(node.value, frame), node.name)  # type: ignore[arg-type]
        columns = [column.name for column in kind.table.columns] if isinstance(kind, kinds.Row) else []
        if isinstance(kind, kinds.Row) and node.name in columns:
            table = self.c.numbers.tables[kind.table]
            return ir.Cell(table, columns.index(node.name), self.lower(node.value, frame))
        if node.name in ("size", "top", "kinds"):
            return self.of_collection(node, frame)
        timer = timer_of(node.value, self.names)
        if timer is not None:
            return self.timers.left_of(timer)
        assert isinstance(kind, kinds.Cell | kinds.Edge)
        board = self.c.numbers.boards[kind.board]
        value = self.lower(node.value, frame)
        match node.name:
            case "row":
                return ir.RowOf(board, value)
            case "column":
                return ir.ColumnOf(board, value)
            case "edges":
                return ir.EdgesOf(board, value)
            case _:
                return ir.CellsBeside(board, value)

    def of_collection(self, node: ast.Field, frame: Frame) -> ir.Expression:
        collection = self.collection(node.value, frame)
        if node.name == "size":
            return ir.Size(collection)
        if node.name == "kinds":
            return ir.Distinct(collection)
        return ir.Last(collection, self.types.none(self.member_kind(node.value)))
