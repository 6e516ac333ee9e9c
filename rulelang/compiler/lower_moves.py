"""Moves: parameters, requirements, effects. Spec 8."""

from rulelang.ast import nodes as ast
from rulelang.checker import kinds
from rulelang.checker.inside import inside
from rulelang.checker.symbols import LocalName
from rulelang.compiler.context import Compilation, Frame, source
from rulelang.compiler.lower_formulas import YES, FormulaLowering
from rulelang.compiler.reads import Reads
from rulelang.diagnostics import codes
from rulelang.ir import expressions as ir
from rulelang.ir import types
from rulelang.ir.program import Move, Parameter, Requirement
from rulelang.ir.walk import walk


class MoveLowering:
    """Lowers the moves of one program."""

    def __init__(self, compilation: Compilation, formulas: FormulaLowering) -> None:
        self.c = compilation
        self.f = formulas
        self.reads = Reads(compilation.checked)

    def move(self, node: ast.Move) -> Move:
        frame = Frame(me=True)
        for parameter in node.parameters:
            frame.local(self.c.checked.names.bindings[parameter])
        parameters = tuple(self.parameter(node, parameter, frame) for parameter in node.parameters)
        requirements = tuple(self.requirement(requirement, frame, len(parameters)) for requirement in node.requirements)
        procedure = self.c.numbers.procedures[node]
        return Move(node.name, parameters, requirements, len(frame.labels), procedure, source(node, node.citations))

    # ------------------------------------------------------------------ parameters

    def parameter(self, move: ast.Move, node: ast.ChoiceOf | ast.Maybe, frame: Frame) -> Parameter:
        if isinstance(node, ast.Maybe):
            flag = types.FlagType()
            return Parameter(node.name, flag, ir.AllOf(flag), node.name, (), ())
        kind = kinds.bare(self.f.member_kind(node.domain))
        type_ = self.parameter_type(node, kind)
        domain = self.f.collection(node.domain, frame)
        named = self.reads.limited(node.domain)
        places: tuple[ir.Expression, ...] = ()
        if named:
            places = tuple(self.named_place(slot, frame) for slot in named) + self.shown_at(move, node, frame)
        return Parameter(
            node.name, type_, domain, _spoken(node.domain), tuple(self.c.numbers.slots[slot] for slot in named), places
        )

    def parameter_type(self, node: ast.ChoiceOf, kind: kinds.Kind) -> types.SingleType:
        """The kind whose codes number the answers; its bounds must be known before play."""
        if isinstance(kind, kinds.Number) and (kind.low is None or kind.high is None):
            self.c.findings.report(
                codes.NO_BOUND,
                node.domain.at,
                word=node.name,
                hint="choose from a declared kind of number, or from a span such as 1..20",
            )
        if isinstance(kind, kinds.Number) and kind.low is not None and kind.high is not None:
            return types.NumberType(
                self.f.types.declared_bound(kind.low), self.f.types.declared_bound(kind.high), kind.name
            )
        return self.f.types.single(kind)

    def named_place(self, slot: ast.Zone | ast.Marker, frame: Frame) -> ir.Expression:
        """The mover's own one of a family, or the single zone."""
        assert frame.me is not None
        index = slot.index.kinds if slot.index else ()
        indices: list[ir.Expression] = []
        for position, kind in enumerate(index):
            lowered = self.f.types.single(self.c.checked.declared.kinds[kind])
            is_seat = isinstance(lowered, types.SeatType) and position == 0
            indices.append(frame.me if is_seat else ir.Item(ir.AllOf(lowered), YES, ir.Constant(0)))
        return ir.Read(ir.Slot(self.c.numbers.slots[slot], tuple(indices)))

    def shown_at(self, move: ast.Move, parameter: ast.ChoiceOf, frame: Frame) -> tuple[ir.Expression, ...]:
        """The places where the move's own lines put or write the answer."""
        places = (self.destination(statement, parameter, frame) for statement in move.effects)
        return tuple(ir.Read(place) for place in places if place is not None)

    def destination(self, statement: ast.Statement, parameter: ast.ChoiceOf, frame: Frame) -> ir.Place | None:
        """Where a line takes the answer, if it does and the answers say where."""
        match statement:
            case ast.Put(what=what, target=target) if self.is_parameter(what, parameter) and self.is_known(target):
                return self.f.zone_place(target, frame)
            case ast.Becomes(target=target, value=value) if self.is_parameter(value, parameter):
                return self.f.place(target, frame) if self.is_known(target) else None
            case _:
                return None

    def is_parameter(self, node: ast.Expr, parameter: ast.ChoiceOf) -> bool:
        symbol = self.c.checked.names.uses.get(node)
        return isinstance(symbol, LocalName) and symbol.binder is parameter

    def is_known(self, target: ast.Node) -> bool:
        """Whether a place is named without a name that only the effects know."""
        symbol = self.c.checked.names.uses.get(target)
        if isinstance(symbol, LocalName) and isinstance(symbol.binder, ast.Statement):
            return False
        return all(self.is_known(part) for part in inside(target))

    # ------------------------------------------------------------------ requirements

    def requirement(self, node: ast.Node, frame: Frame, parameters: int) -> Requirement:
        if isinstance(node, ast.RequireNamed):
            return self.named_requirement(node, frame, parameters)
        assert isinstance(node, ast.Require)
        condition = self.f.lower(node.condition, frame)
        if node.unless is not None:
            condition = ir.Either((self.f.lower(node.unless, frame), condition))
        words = self.f.words(node.because, frame, node.name.replace("_", " "))
        prefix = self.prefix(condition, words, parameters)
        return Requirement(node.name, condition, words, prefix, source(node, node.citations))

    def named_requirement(self, node: ast.RequireNamed, frame: Frame, parameters: int) -> Requirement:
        """A declared condition: its value and the holes of its words are functions of the mover and the arguments."""
        declared = getattr(self.c.checked.names.uses[node], "node")  # noqa: B009
        assert isinstance(declared, ast.Condition) and frame.me is not None
        given = (frame.me, *self.f.arguments(declared.params, node.arguments, frame))
        condition = ir.Apply(self.c.numbers.functions[declared], given)
        parts: list[str | ir.Spoken] = []
        for part in declared.because.parts if declared.because is not None else (declared.name.replace("_", " "),):
            if isinstance(part, str):
                parts.append(part)
            else:
                kind = self.f.types.type(self.f.kind(part.value))
                parts.append(ir.Spoken(ir.Apply(self.c.numbers.functions[part], given), kind))
        words = ir.Words(tuple(parts))
        at = source(node, (*declared.citations, *node.citations))
        return Requirement(node.name, condition, words, self.prefix(condition, words, parameters), at)

    def prefix(self, condition: ir.Expression, words: ir.Words, parameters: int) -> int:
        """How many parameters are read."""
        used = [0]
        for tree in (condition, words):
            for part in walk(tree):
                if isinstance(part, ir.Local) and 1 <= part.number <= parameters:
                    used.append(part.number)
        return max(used)


def _spoken(node: ast.Expr) -> str:
    """A domain in the author's words, for "is not in ..."."""
    match node:
        case ast.My():
            return f"your {node.name}".replace("_", " ")
        case ast.Name():
            return node.name.replace("_", " ")
        case ast.Its():
            return f"that player's {node.name}".replace("_", " ")
        case ast.At():
            return _spoken(node.family)
        case ast.Between():
            return "that range"
        case _:
            return "what can be chosen"
