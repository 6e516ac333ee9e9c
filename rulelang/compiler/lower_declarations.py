"""Options, boards, tables, zones, markers and functions. Spec 4.7, 5 to 7 and 14."""

from rulelang.ast import nodes as ast
from rulelang.checker import kinds
from rulelang.checker.cells import literal, plain, written
from rulelang.checker.declared import DataRow, shape_of
from rulelang.checker.gathered import required
from rulelang.compiler.context import Compilation, Frame, source
from rulelang.compiler.lower_formulas import FormulaLowering
from rulelang.compiler.reads import reads_table
from rulelang.compiler.table_values import table_value
from rulelang.diagnostics import codes
from rulelang.ir import expressions as ir
from rulelang.ir import program as p
from rulelang.ir import types
from rulelang.ir.directions import BoardShape


class DeclarationLowering:
    """Lowers the declarations of one program."""

    def __init__(self, compilation: Compilation, formulas: FormulaLowering) -> None:
        self.c = compilation
        self.f = formulas

    # ------------------------------------------------------------------ before play

    def option(self, node: ast.Option) -> p.Option:
        kind = self.c.checked.declared.kinds[node]
        type_ = self.f.types.single(kind)
        default = self.option_value(node.default, kind)
        frame = Frame()
        for formula in (node.needs, node.because):
            self.before_play(formula)
        needs = self.f.lower(node.needs, frame) if node.needs is not None else None
        words = (
            self.f.words(node.because, frame, f"'{node.name}' cannot be that with the other options")
            if needs is not None
            else None
        )
        return p.Option(node.name, type_, default, needs, words, source(node, node.citations))

    def option_value(self, node: ast.Expr, kind: kinds.Kind) -> int:
        """The code of an option's default."""
        if isinstance(kind, kinds.Names):
            return kind.labels.index(kinds.option_word(node) or "")
        if isinstance(kind, kinds.Flag):
            return int(isinstance(node, ast.Constant) and node.word == "yes")
        if node in self.c.checked.types.labels and isinstance(node, ast.Name):
            return self.c.checked.types.labels[node][1]
        assert isinstance(kind, kinds.Number) and kind.low is not None and kind.high is not None
        value, low, high = literal(node), literal(kind.low), literal(kind.high)
        if low is not None and kind.word is not None:
            low += 1  # the number below has a word instead
        if value is None or (low is not None and value < low) or (high is not None and value > high):
            worded = "" if kind.word is None else f"{kind.word}, "
            wanted = "the option" if low is None or high is None else f"{worded}{low}..{high}"
            self.c.findings.report(
                codes.VALUE_NOT_OF_TYPE, node.at, word="this" if value is None else value, wanted=wanted
            )
        return value or 0

    def demand(self, node: ast.Demand) -> p.Demand:
        frame = Frame()
        for formula in (node.condition, node.because):
            self.before_play(formula)
        words = self.f.words(node.because, frame, node.name.replace("_", " "))
        return p.Demand(node.name, self.f.lower(node.condition, frame), words, source(node, node.citations))

    def board(self, node: ast.Board) -> p.Board:
        rows, columns = (
            self.f.types.declared_bound(side, f"How large '{node.name}' is") for side in (node.rows, node.columns)
        )
        shape: BoardShape = "hexagons" if node.shape == "hexagons" else "squares"
        return p.Board(node.name, rows, columns, source(node, node.citations), shape)

    def table(self, node: ast.Table) -> p.Table:
        rows = self.c.checked.declared.rows[node]
        columns = []
        for position, column in enumerate(node.columns):
            kind = self.c.checked.declared.kinds[column.type]
            values = tuple(self.cell(row, position, column, kind) for row in rows)
            columns.append(p.Column(column.name, self.f.types.type(kind), values))
        return p.Table(node.name, tuple(row.name for row in rows), tuple(columns), source(node, node.citations))

    def cell(
        self, row: DataRow | ast.Row, position: int, column: ast.Column, kind: kinds.Kind
    ) -> int | str | tuple[int, ...]:
        if isinstance(row, DataRow):
            return table_value(plain(row.cells.get(column.name)), kind)
        return table_value(written(row.values[position]), kind)

    def before_play(self, formula: ast.Expr | None) -> None:
        """Report a formula that reads the table where only options and the number of players are known. Spec 14."""
        if formula is not None and reads_table(formula, self.c.checked):
            self.c.findings.report(
                codes.TYPE_MISMATCH,
                formula.at,
                found="something that is known only during play",
                wanted="a formula that reads options and the number of players only",
            )

    # ------------------------------------------------------------------ zones and markers

    def slot(self, node: ast.Zone | ast.Marker) -> p.DeclaredSlot:
        kinds_ = self.c.checked.declared.kinds
        index = tuple(self.f.types.single(kinds_[kind]) for kind in (node.index.kinds if node.index else ()))
        at = source(node, node.citations)
        sight = self.sight(node)
        if isinstance(node, ast.Marker):
            self.markable(node, kinds_[node])
            type_ = self.f.types.type(kinds_[node])
            return p.Marker(node.name, index, type_, self.initial(node, type_), sight, at)
        content = self.f.types.single(kinds_[node])
        for trait in node.traits:
            if isinstance(trait, ast.StartsWith) and trait.times is not None:
                self.before_play(trait.times)
        starts = tuple(self.f.start(t, node) for t in node.traits if isinstance(t, ast.StartsWith))
        blind = node in self.c.checked.blind
        return p.Zone(node.name, index, shape_of(node), content, sight, starts, blind, at)  # type: ignore[arg-type]

    def markable(self, node: ast.Marker, kind: kinds.Kind) -> None:
        """Report what no marker can say: texts, lists of lists, a list or none."""
        inner = kind.of if isinstance(kind, kinds.Optional | kinds.Collection) else kind
        if isinstance(kind, kinds.Text) or isinstance(inner, kinds.Collection | kinds.Text):
            hint = "without members it is 'empty'" if isinstance(kind, kinds.Optional) else None
            self.f.misplaced(node.type, kinds.spoken(kind), "a single value, or a list or bag of them", hint)

    def initial(self, node: ast.Marker, type_: types.Type) -> ir.Expression:
        """Without a first value: nothing, empty, or the least value."""
        if node.initial is not None:
            self.before_play(node.initial)
            return self.f.lower(node.initial, Frame(), self.c.checked.declared.kinds[node])
        match type_:
            case types.CollectionType():
                return ir.Constant(())
            case types.OptionalType():
                return ir.NoneOf(type_.of)
            case types.NumberType():
                return type_.low
            case _:
                return ir.Constant(0)

    def sight(self, node: ast.Zone | ast.Marker) -> p.Sight:
        """What is not said: everyone sees content and size; those who see the content see the top."""
        by_part: dict[str, p.Seats] = {}
        for trait in node.traits:
            if isinstance(trait, ast.SeenBy):
                by_part[trait.part] = self.seats(trait)
        content = by_part.get("content", p.Everyone())
        return p.Sight(content, by_part.get("top", content), by_part.get("size", p.Everyone()))

    def seats(self, trait: ast.SeenBy) -> p.Seats:
        match trait.seats:
            case ast.Name(name="everyone"):
                return p.Everyone()
            case ast.Name(name="owner"):
                return p.Owner()
            case ast.Constant(word="nobody"):
                return p.Nobody()
        frame = Frame()
        owner = frame.local(self.c.checked.names.bindings[trait])
        kind = self.f.kind(trait.seats)
        seats = self.f.lower(trait.seats, frame)
        if not isinstance(kind, kinds.Collection):
            seats = ir.MakeList((seats,))
        return p.These(seats, owner)

    # ------------------------------------------------------------------ functions

    def functions(self) -> tuple[p.Function, ...]:
        """Defines, conditions (the mover is their first parameter) and the holes of conditions' words."""
        found: list[p.Function] = []
        for node in self.c.checked.rules.declarations:
            if isinstance(node, ast.Define):
                found.append(self.define(node))
            elif isinstance(node, ast.Condition):
                found.append(self.condition(node, node.name, node.value))
                for part in node.because.parts if node.because is not None else ():
                    if isinstance(part, ast.Hole):
                        found.append(self.condition(node, f"{node.name} words", part.value))
        return tuple(found)

    def define(self, node: ast.Define) -> p.Function:
        frame = Frame()
        for param in node.params:
            frame.local(self.c.checked.names.bindings[param])
        kind = self.c.checked.types.returns[node]
        body: ir.Expression | None = None
        for case in reversed(node.cases):
            value = self.f.spoken(case.value, frame, kind)
            if case.condition is None or body is None:
                body = value
            else:
                body = ir.Conditional(self.f.lower(case.condition, frame), value, body)
        assert body is not None
        return p.Function(node.name, len(node.params), len(frame.labels), body, source(node, node.citations))

    def condition(self, node: ast.Condition, name: str, value: ast.Expr | None) -> p.Function:
        frame = Frame(me=True)
        for param in node.params:
            frame.local(self.c.checked.names.bindings[param])
        body = self.f.lower(value, frame) if value is not None else self.all_hold(node, frame)
        return p.Function(name, len(node.params) + 1, len(frame.labels), body, source(node, node.citations))

    def all_hold(self, node: ast.Condition, frame: Frame) -> ir.Expression:
        """That every gathered requirement holds."""
        parts: list[ir.Expression] = []
        for line in node.requirements:
            if isinstance(line, ast.Require):
                parts.append(self.f.required(line, frame))
                continue
            inner = required(line, self.c.checked.names)
            assert frame.me is not None
            given = (frame.me, *self.f.arguments(inner.params, line.arguments, frame))
            parts.append(ir.Apply(self.c.numbers.functions[inner], given))
        return parts[0] if len(parts) == 1 else ir.Both(tuple(parts))
