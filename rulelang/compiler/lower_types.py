"""Kinds to types, and how large things can get. Spec 5.

Bounds are lowered as formulas over options and the number of seats; closing the program makes them numbers. A bound
that would depend on the course of play has no place in a type: that is reported here.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, assert_never

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker import kinds
from rulelang.checker.parts import parts
from rulelang.checker.symbols import BuiltIn, ConditionName, DefineName, LocalName, MarkerName, TimerName, ZoneName
from rulelang.compiler.context import Compilation, Frame
from rulelang.diagnostics import codes
from rulelang.ir import expressions as ir
from rulelang.ir import types

if TYPE_CHECKING:
    from rulelang.compiler.lower_formulas import FormulaLowering

ANY = types.NumberType(ir.Constant(-(2**53)), ir.Constant(2**53))
"""The type of a number of which no bounds are known; wide enough for people, narrow enough for its none-code."""


def is_static(node: ast.Node, compilation: Compilation) -> bool:
    """Whether a formula depends on options and seats only: on nothing that changes during play."""
    uses = compilation.checked.names.uses
    stack: list[ast.Node] = [node]
    seen: set[ast.Node] = set()
    while stack:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        if isinstance(current, ast.Me | ast.My | ast.Its | ast.At):
            return False
        if isinstance(current, ast.Name):
            symbol = uses.get(current)
            if isinstance(symbol, LocalName | MarkerName | ZoneName | TimerName | ConditionName):
                return False
            if isinstance(symbol, DefineName):
                stack.extend(case.value for case in symbol.node.cases)
                stack.extend(case.condition for case in symbol.node.cases if case.condition is not None)
        elif isinstance(current, ast.Apply):
            symbol = uses.get(current.function)
            if not isinstance(symbol, BuiltIn) or any(
                isinstance(a, ast.Each | ast.ValueOfEach) for a in current.arguments
            ):
                return False
            stack.extend(current.arguments)
        elif isinstance(current, ast.Exists | ast.Every | ast.Select):
            return False
        else:
            stack.extend(parts(current))  # type: ignore[arg-type]
    return True


def _numbers_in(kind: kinds.Kind) -> Iterator[kinds.Number]:
    """The kinds of numbers inside a kind."""
    match kind:
        case kinds.Number():
            yield kind
        case kinds.Optional(of=of) | kinds.Collection(of=of):
            yield from _numbers_in(of)
        case kinds.Record(fields=fields):
            for _, part in fields:
                yield from _numbers_in(part)
        case _:
            pass


def _in_order(low: ir.Expression, high: ir.Expression) -> bool:
    """Whether a span is written in numbers, the lower first."""
    match low, high:
        case ir.Constant(value=int() as least), ir.Constant(value=int() as most):
            return least <= most
        case _:
            return False


class TypeLowering:
    """Lowers kinds of one program."""

    def __init__(self, compilation: Compilation, formulas: "FormulaLowering") -> None:
        self.c = compilation
        self.formulas = formulas
        self.declared = dict.fromkeys(n for k in compilation.checked.declared.kinds.values() for n in _numbers_in(k))
        """Kinds of numbers that a declaration names; the others come from spans in formulas, which may be empty."""

    def bound(self, node: ast.Expr, otherwise: ir.Expression) -> ir.Expression:
        return self.formulas.lower(node, Frame()) if is_static(node, self.c) else otherwise

    def check_declared(self) -> None:
        """Report kinds of numbers whose ends are not known before play."""
        for kind in self.declared:
            for end in (kind.low, kind.high):
                if end is not None:
                    self.declared_bound(end)

    def declared_bound(self, node: ast.Expr) -> ir.Expression:
        """A bound that must be known before play."""
        if not is_static(node, self.c):
            self.c.findings.report(
                codes.NO_BOUND,
                node.at,
                word="this",
                hint="bounds may use numbers, options and the number of players only",
            )
        return self.bound(node, ir.Constant(0))

    def single(self, kind: kinds.Kind) -> types.SingleType:
        lowered = self.type(kind)
        if isinstance(lowered, types.CollectionType | types.TextType):
            return ANY
        return lowered

    def type(self, kind: kinds.Kind) -> types.Type:
        numbers = self.c.numbers
        match kind:
            case kinds.Number(low=low, high=high, name=name):
                if low is None or high is None:
                    return ANY
                lowest, highest = self.bound(low, ANY.low), self.bound(high, ANY.high)
                if not (kind in self.declared or _in_order(lowest, highest)):
                    highest = ir.Larger(lowest, highest)
                return types.NumberType(lowest, highest, name, kind.word)
            case kinds.Flag():
                return types.FlagType()
            case kinds.Names(owner=owner, labels=words):
                return types.NamesType(owner, words)
            case kinds.Seat():
                return types.SeatType()
            case kinds.Record(name=name, fields=fields):
                return types.RecordType(name, tuple(types.FieldType(n, self.single(k)) for n, k in fields))
            case kinds.Cell(board=board):
                return types.CellType(numbers.boards[board])
            case kinds.Edge(board=board):
                return types.EdgeType(numbers.boards[board])
            case kinds.Row(table=table):
                return types.RowType(numbers.tables[table])
            case kinds.Member(zone=zone):
                return types.MemberType(numbers.slots[zone])
            case kinds.Optional(of=kinds.Collection() as of):
                return self.type(of)
            case kinds.Optional(of=of):
                return types.OptionalType(self.single(of))
            case kinds.Collection(shape=shape, of=of):
                return types.CollectionType(shape, self.type(of), ir.Constant(limits.COLLECTION))
            case kinds.Text() | kinds.Division():
                return types.TextType()
            case kinds.Empty():
                return types.CollectionType("list", ANY, ir.Constant(0))
            case kinds.Nothing() | kinds.Unknown():
                return ANY
            case _:
                assert_never(kind)

    def none(self, kind: kinds.Kind) -> ir.Expression:
        """What means none beside values of a kind; among lists, the empty one."""
        of = kinds.bare(kind)
        if isinstance(of, kinds.Names) and "none" in of.labels:
            return ir.Constant(of.labels.index("none"))
        return ir.Constant(()) if isinstance(of, kinds.Collection) else ir.NoneOf(self.single(of))

    # ------------------------------------------------------------------ how large

    def size_of_type(self, type_: types.SingleType) -> ir.Expression:
        return ir.Size(ir.AllOf(type_))

    def members(self, slot: ast.Zone | ast.Marker) -> ir.Expression:
        """How many zones a family has."""
        total: ir.Expression = ir.Constant(1)
        for kind in slot.index.kinds if slot.index else ():
            size = self.size_of_type(self.single(self.c.checked.declared.kinds[kind]))
            total = size if total == ir.Constant(1) else ir.Multiply(total, size)
        return total

    def pieces(self, content: kinds.Kind) -> ir.Expression:
        """How many pieces of a kind there are in all: what no zone can ever exceed."""
        total: ir.Expression = ir.Constant(0)
        for zone in self.c.checked.rules.declarations:
            if not isinstance(zone, ast.Zone) or not kinds.agree(self.c.checked.declared.kinds[zone], content):
                continue
            for trait in zone.traits:
                if isinstance(trait, ast.StartsWith):
                    start = self.formulas.start(trait, zone)
                    each = ir.Total(start.variable, start.values, ir.Constant(1), start.times)
                    total = ir.Add(total, ir.Multiply(self.members(zone), each))
        return total
