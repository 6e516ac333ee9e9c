"""Bodies of rules to nodes. Spec 9, 10 and 13.

A body is lowered from its last statement to its first: each statement is given the number of the node that comes
after it and answers with the number of its own first node. A loop reserves its node before its body is lowered.
Choices and chance are in ``lower_waits``, effects on zones in ``lower_pieces``.
"""

from collections.abc import Sequence
from typing import assert_never

from rulelang.ast import nodes as ast
from rulelang.checker import kinds
from rulelang.compiler.capacity import LIMIT
from rulelang.compiler.context import Compilation, Frame, source
from rulelang.compiler.lower_formulas import YES, FormulaLowering
from rulelang.compiler.lower_pieces import PieceLowering
from rulelang.compiler.lower_waits import WaitLowering
from rulelang.compiler.reads import Reads
from rulelang.diagnostics import codes
from rulelang.ir import expressions as ir
from rulelang.ir import nodes
from rulelang.ir.effects import SetLocal, SetMarker
from rulelang.ir.origin import Source
from rulelang.limits import COLLECTION

ZERO = ir.Constant(0)


class FlowLowering(PieceLowering, WaitLowering):
    """Lowers statements in one frame."""

    def __init__(self, compilation: Compilation, formulas: FormulaLowering, frame: Frame) -> None:
        self.c = compilation
        self.f = formulas
        self.frame = frame
        self.reads = Reads(compilation.checked)

    # ------------------------------------------------------------------ bodies

    def body(self, statements: Sequence[ast.Statement], after: int) -> int:
        """The entry of a row of statements that goes on at ``after``."""
        for statement in statements:
            self.prepare(statement)
        for statement in reversed(statements):
            after = self.statement(statement, after)
        return after

    def prepare(self, node: ast.Statement) -> None:
        """Learn, in reading order, how large the collections kept in names can be."""
        if isinstance(node, ast.Let):
            local = self.frame.local(self.c.checked.names.bindings[node])
            if isinstance(self.f.kind(node.value), kinds.Collection):
                self.frame.capacities[local.number] = self.f.capacity(node.value, self.frame)

    def statement(self, node: ast.Statement, after: int) -> int:
        match node:
            case ast.Let():
                local = self.frame.local(self.c.checked.names.bindings[node])
                value = self.f.lower(node.value, self.frame)
                return self.do(SetLocal(local, value), after, source(node, node.citations))
            case ast.Becomes() | ast.Rises() | ast.Falls():
                return self.change(node, after)
            case ast.Put():
                return self.put(node, after)
            case ast.Choose():
                return self.choose(node, after)
            case ast.Leave():
                rule = self.c.checked.names.uses[node]
                procedure = self.c.numbers.procedures[getattr(rule, "node")]  # noqa: B009
                return self.c.emit(nodes.Leave(procedure, source(node, node.citations)))
            case ast.Finish():
                return self.c.emit(nodes.End(self.outcome(node), source(node, node.citations)))
            case ast.Call():
                return self.call(node, after)
            case ast.Command():
                return self.command(node, after)
            case ast.EachLoop():
                return self.each(node, after)
            case ast.Turns():
                return self.turns(node, after)
            case ast.Repeat():
                return self.repeat(node, after)
            case ast.Branch():
                return self.branch(node, after)
            case _:
                assert_never(node)

    def change(self, node: ast.Becomes | ast.Rises | ast.Falls, after: int) -> int:
        place = self.f.place(node.target, self.frame)
        at = source(node, node.citations)
        if isinstance(node, ast.Becomes):
            value = self.f.lower(node.value, self.frame, self.f.kind(node.target))
            return self.do(SetMarker(place, value), after, at)
        by = self.f.lower(node.by, self.frame)
        now = ir.Read(place)
        return self.do(
            SetMarker(place, ir.Add(now, by) if isinstance(node, ast.Rises) else ir.Subtract(now, by)), after, at
        )

    def call(self, node: ast.Call, after: int) -> int:
        rule = getattr(self.c.checked.names.uses[node], "node")  # noqa: B009
        given = node.rule.arguments if isinstance(node.rule, ast.Apply) else ()
        arguments = self.f.arguments(rule.params, given, self.frame)
        return self.c.emit(nodes.Call(self.c.numbers.procedures[rule], arguments, after, source(node, node.citations)))

    def branch(self, node: ast.Branch, after: int) -> int:
        at = source(node, node.citations)
        entry = self.body(node.otherwise.statements, after) if node.otherwise is not None else after
        for condition, body in reversed(node.cases):
            then = self.body(body.statements, after)
            entry = self.c.emit(nodes.Branch(self.f.lower(condition, self.frame), then, entry, at))
        return entry

    # ------------------------------------------------------------------ loops

    def each(self, node: ast.EachLoop, after: int) -> int:
        at = source(node, node.citations)
        item = self.frame.local(self.c.checked.names.bindings[node])
        items = self.f.collection(node.domain, self.frame)
        if node.start is not None:
            items = ir.From(items, self.f.lower(node.start, self.frame, self.f.member_kind(node.domain)))
        capacity = self.f.capacity(node.domain, self.frame)
        loop = self.c.reserve()
        body = self.body(node.body.statements, loop)
        if node.where is not None:
            body = self.c.emit(nodes.Branch(self.f.lower(node.where, self.frame), body, loop, at))
        return self.loop(loop, item, items, capacity, body, after, at)

    def loop(
        self,
        loop: int,
        item: ir.Local,
        items: ir.Expression,
        capacity: ir.Expression,
        body: int,
        after: int,
        at: Source,
    ) -> int:
        """Write a reserved loop node and what sets it up."""
        listed, position = self.frame.fresh(f"{item.name}s"), self.frame.fresh(f"{item.name} number")
        self.c.nodes[loop] = nodes.Loop(listed, position, item, body, after, capacity, at)
        return self.do(SetLocal(listed, items), self.do(SetLocal(position, ZERO), loop, at), at)

    def turns(self, node: ast.Turns, after: int) -> int:
        """Lap after lap; without a domain, over the seats."""
        at = source(node, node.citations)
        item = self.frame.local(self.c.checked.names.bindings[node])
        if node.domain is None:
            first = self.c.reserve()
            step = ir.Remainder(ir.Add(item, YES), ir.SeatCount())
            body = self.body(node.body.statements, first)
            self.c.nodes[first] = nodes.Do(SetLocal(item, step), body, at)
            return self.do(SetLocal(item, self.f.lower(node.start, self.frame)), body, at)
        start = self.f.lower(node.start, self.frame, self.f.member_kind(node.domain))
        items = ir.From(self.f.collection(node.domain, self.frame), start)
        loop, again = self.c.reserve(), self.c.reserve()
        body = self.body(node.body.statements, loop)
        entry = self.loop(loop, item, items, self.f.capacity(node.domain, self.frame), body, again, at)
        written = self.c.nodes[loop]
        assert isinstance(written, nodes.Loop)
        self.c.nodes[again] = nodes.Do(SetLocal(written.position, ZERO), loop, at)
        return self.c.emit(nodes.Branch(ir.Equal(ir.Size(items), ZERO), after, entry, at))

    def repeat(self, node: ast.Repeat, after: int) -> int:
        at = source(node, node.citations)
        if node.times is not None:
            item = self.frame.fresh("time")
            times = self.f.lower(node.times, self.frame)
            most = self.f.edge(node.times, self.frame, True) or LIMIT
            if isinstance(node.times, ast.Number) and node.times.value > COLLECTION:
                self.c.findings.report(
                    codes.TOO_LARGE, node.times.at, word="this loop", size=node.times.value, limit=COLLECTION
                )
                times = most = YES
            items = ir.Span(YES, times, most)
            loop = self.c.reserve()
            body = self.body(node.body.statements, loop)
            return self.loop(loop, item, items, most, body, after, at)
        if node.until is None:
            # A lap needs a node of its own to come back to, also when the body is one statement.
            again = self.c.reserve()
            body = self.body(node.body.statements, again)
            self.c.nodes[again] = nodes.Branch(YES, body, body, at)
            return body
        if node in self.c.checked.used_up:
            return self.use_up(node, node.until, after)
        test = self.c.reserve()
        body = self.body(node.body.statements, test)
        self.c.nodes[test] = nodes.Branch(self.f.lower(node.until, self.frame), after, body, at)
        return body

    def use_up(self, node: ast.Repeat, until: ast.Expr, after: int) -> int:
        """A loop that ends because every lap uses something up: its laps are counted, so that everybody can see it."""
        at = source(node, node.citations)
        loop, test = self.c.reserve(), self.c.reserve()
        body = self.body(node.body.statements, test)
        self.c.nodes[test] = nodes.Branch(self.f.lower(until, self.frame), after, loop, at)
        laps, most = self.laps(self.c.checked.used_up[node])
        return self.loop(loop, self.frame.fresh("lap"), ir.Span(YES, laps, most), most, body, after, at)

    def laps(self, place: ast.Expr) -> tuple[ir.Expression, ir.Expression]:
        """How many laps there can be while a zone is emptied, or a marker goes through its range."""
        kind = kinds.bare(self.f.kind(place))
        if isinstance(kind, kinds.Number) and kind.low is not None and kind.high is not None:
            low, high = self.f.types.declared_bound(kind.low), self.f.types.declared_bound(kind.high)
            most = ir.Add(ir.Subtract(high, low), ir.Constant(2))
            return most, most
        return ir.Add(ir.Size(self.f.collection(place, self.frame)), YES), ir.Add(self.f.pieces_in(place), YES)

    # ------------------------------------------------------------------ the end

    def outcome(self, node: ast.Finish) -> nodes.Outcome:
        match node.outcome:
            case ast.Wins():
                return nodes.Winners(self.seats(node.outcome.seats))
            case ast.Gets():
                variable = self.frame.local(self.c.checked.names.bindings[node.outcome])
                seats = self.f.collection(node.outcome.domain, self.frame)
                return nodes.Amounts(variable, seats, self.f.lower(node.outcome.amount, self.frame))
            case ast.Result(name="grade", value=value) if value is not None:
                return nodes.Grade(self.f.lower(value, self.frame))
            case ast.Result(name="unresolved", value=value) if value is not None:
                return nodes.Unresolved(self.seats(value))
            case _:
                return nodes.Aborted()

    def seats(self, node: ast.Expr) -> ir.Expression:
        """A formula for some seats, as a list; one seat that may be nobody is a list of at most one."""
        if isinstance(node, ast.Constant):
            return ir.Constant(())
        kind = self.f.kind(node)
        if isinstance(kind, kinds.Collection):
            return self.f.lower(node, self.frame)
        seat = self.f.lower(node, self.frame)
        one = ir.MakeList((seat,))
        if isinstance(kind, kinds.Optional):
            return ir.Conditional(ir.Equal(seat, self.f.types.none(kind)), ir.Constant(()), one)
        return one
