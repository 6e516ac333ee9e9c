"""Moves: parameters, requirements, effects. Spec 8."""

from collections.abc import Iterator, Sequence

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker import kinds
from rulelang.checker.cells import literal
from rulelang.checker.gathered import required
from rulelang.checker.inside import inside
from rulelang.checker.places import SlotRef, is_said, place
from rulelang.checker.symbols import LocalName, MoveName
from rulelang.compiler.context import Compilation, Frame, source
from rulelang.compiler.lower_formulas import YES, FormulaLowering
from rulelang.compiler.lower_types import BOUND, STATIC
from rulelang.compiler.reads import Reads
from rulelang.diagnostics import codes
from rulelang.ir import expressions as ir
from rulelang.ir import types
from rulelang.ir.program import Move, Parameter, Preference, Requirement
from rulelang.ir.walk import walk

LARGEST = "write the largest range, and what else must hold as a requirement"
"""The way out where a range to choose from changes."""
CHOSEN = "How many are chosen"
"""What is known before play where several are chosen at once."""


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
        named = self.reads.chosen_from(node)
        parameters = tuple(
            self.parameter(node, parameter, slots, frame)
            for parameter, slots in zip(node.parameters, named, strict=True)
        )
        requirements = tuple(self.requirements(node.requirements, frame, len(parameters)))
        procedure = self.c.numbers.procedures[node]
        at = source(node, node.citations)
        return Move(node.name, parameters, requirements, len(frame.labels), procedure, at, private=node.private)

    def preference(self, node: ast.Prefer) -> Preference:
        """What automatic players are advised. Spec 15.1."""
        symbol = self.c.checked.names.uses.get(node)
        frame, move = Frame(me=True), None
        if isinstance(symbol, MoveName):
            move = self.c.numbers.moves[symbol.node]
            for parameter in symbol.node.parameters:
                frame.local(self.c.checked.names.bindings[parameter])
        condition = self.f.lower(node.when, frame) if node.when is not None else YES
        ranks = tuple(ir.RankBy(rank.most, self.f.lower(rank.value, frame)) for rank in node.ranks)
        return Preference(move, condition, ranks, len(frame.labels), source(node, node.citations))

    # ------------------------------------------------------------------ parameters

    def parameter(
        self,
        move: ast.Move,
        node: ast.ChoiceOf | ast.Maybe,
        named: tuple[ast.Zone | ast.Marker, ...],
        frame: Frame,
    ) -> Parameter:
        if isinstance(node, ast.Maybe):
            flag = types.FlagType()
            return Parameter(node.name, flag, ir.AllOf(flag), node.name, (), ())
        kind = kinds.bare(self.f.member_kind(node.domain))
        listed = node.domain
        if isinstance(kind, kinds.Collection) and is_said(node.domain, self.c.checked.names):
            type_: types.SingleType = self.said_type(node, kind)
            listed = _second(node.domain)
        elif isinstance(kind, kinds.Collection):
            type_ = self.pick_type(node.domain, kind)
        else:
            type_ = self.parameter_type(node, kind)
        domain = self.f.collection(listed, frame)
        places: tuple[ir.Place, ...] = ()
        if named:
            chosen_from = [place for slot in named for place in self.named_in(node.domain, slot, move, frame)]
            places = (*chosen_from, *self.shown_at(move, node, frame))
        slots = tuple(self.c.numbers.slots[slot] for slot in named)
        return Parameter(node.name, type_, domain, _spoken(node.domain), slots, tuple(ir.Read(p) for p in places))

    def pick_type(self, domain: ast.Expr, kind: kinds.Collection) -> types.PickType:
        """``bags(3, my hand)``: how many must be known before play."""
        assert isinstance(domain, ast.Apply)
        count = domain.arguments[0]
        assert not isinstance(count, ast.Each | ast.ValueOfEach)
        bound = self.f.types.declared_bound(count, CHOSEN)
        pieces = bound.value if isinstance(bound, ir.Constant) and isinstance(bound.value, int) else literal(count)
        if pieces is not None and pieces < 0:
            self.c.findings.report(codes.EMPTY_RANGE, count.at, low=0, high=pieces)
        elif pieces is not None and pieces > limits.PICKED:
            self.c.findings.report(codes.TOO_LARGE, count.at, word="one answer", size=pieces, limit=limits.PICKED)
        return types.PickType(self.f.types.single(kind.of), bound)

    def said_type(self, node: ast.ChoiceOf, kind: kinds.Collection) -> types.SaidType:
        """``lists(4, Statement)``: how many at most must be known before play."""
        assert isinstance(node.domain, ast.Apply)
        count = node.domain.arguments[0]
        assert not isinstance(count, ast.Each | ast.ValueOfEach)
        most, written = self.f.types.declared_bound(count, CHOSEN), literal(count)
        if written is not None and written < 1:
            self.c.findings.report(codes.EMPTY_RANGE, count.at, low=1, high=written)
        elif written is not None and written > limits.PICKED:
            self.c.findings.report(codes.TOO_LARGE, count.at, word="one answer", size=written, limit=limits.PICKED)
        of = self.parameter_type(node, kinds.bare(kind.of))
        return types.SaidType(of, most)

    def parameter_type(self, node: ast.ChoiceOf, kind: kinds.Kind) -> types.SingleType:
        """The kind whose codes number the answers; its bounds must be known before play."""
        if isinstance(kind, kinds.Number) and (kind.low is None or kind.high is None):
            self.c.findings.report(
                codes.NO_BOUND,
                node.domain.at,
                what=f"How large '{node.name}' may become",
                why="",
                hint="choose from a declared kind of number, or from a span such as 1..20",
            )
        if isinstance(kind, kinds.Number) and kind.low is not None and kind.high is not None:
            known = (
                (BOUND, STATIC) if kind in self.f.types.declared else (f"What '{node.name}' is chosen from", LARGEST)
            )
            low, high = (self.f.types.declared_bound(end, *known) for end in (kind.low, kind.high))
            return types.NumberType(low, high, kind.name)
        return self.f.types.single(kind)

    def named_in(self, domain: ast.Expr, slot: ast.Zone | ast.Marker, move: ast.Move, frame: Frame) -> list[ir.Place]:
        """Which ones of a family a domain names; where that is not said by the answers, the mover's own."""
        found: dict[ir.Place, None] = {}
        stack: list[ast.Node] = [domain]
        while stack:
            node = stack.pop()
            ref = place(node, self.c.checked.names)  # type: ignore[arg-type]
            if isinstance(ref, SlotRef) and ref.node is slot and self.is_known(node, move):
                found[self.f.place(node, frame)] = None  # type: ignore[arg-type]
            stack.extend(reversed(inside(node)))
        return list(found) or [self.own(slot, frame)]

    def own(self, slot: ast.Zone | ast.Marker, frame: Frame) -> ir.Place:
        """The mover's own one of a family, or the single zone; other indices say nothing of who sees it."""
        assert frame.me is not None
        indices: list[ir.Expression] = []
        for position, kind in enumerate(slot.index.kinds if slot.index else ()):
            lowered = self.f.types.single(self.c.checked.declared.kinds[kind])
            is_seat = isinstance(lowered, types.SeatType) and position == 0
            indices.append(frame.me if is_seat else ir.Item(ir.AllOf(lowered), YES, ir.Constant(0)))
        return ir.Slot(self.c.numbers.slots[slot], tuple(indices))

    def shown_at(self, move: ast.Move, parameter: ast.ChoiceOf, frame: Frame) -> tuple[ir.Place, ...]:
        """The places where the move's own lines put or write the answer, as far as the answers say where."""
        found: list[ir.Place] = []
        for statement in move.effects:
            match statement:
                case ast.Put(what=value, target=target) | ast.Becomes(value=value, target=target):
                    if self.is_parameter(value, parameter) and self.is_known(target, move):
                        is_put = isinstance(statement, ast.Put)
                        found.append(self.f.zone_place(target, frame) if is_put else self.f.place(target, frame))
                case _:
                    pass
        return tuple(found)

    def is_parameter(self, node: ast.Expr, parameter: ast.ChoiceOf) -> bool:
        symbol = self.c.checked.names.uses.get(node)
        return isinstance(symbol, LocalName) and symbol.binder is parameter

    def is_known(self, node: ast.Node, move: ast.Move) -> bool:
        """Whether a place is named without names that only the effects, or only a search, know."""
        symbol = self.c.checked.names.uses.get(node)
        if isinstance(symbol, LocalName) and symbol.binder not in move.parameters:
            return False
        return all(self.is_known(part, move) for part in inside(node))

    # ------------------------------------------------------------------ requirements

    def requirements(
        self, nodes: Sequence[ast.Node], frame: Frame, parameters: int, cited: tuple[ast.Citation, ...] = ()
    ) -> Iterator[Requirement]:
        """Requirements in their order; a condition that gathers some stands for all of them. ``cited`` is by whom."""
        for node in nodes:
            if isinstance(node, ast.Require):
                yield self.requirement(node, frame, parameters, cited)
                continue
            assert isinstance(node, ast.RequireNamed)
            declared = required(node, self.c.checked.names)
            if not declared.requirements:
                yield self.named_requirement(node, declared, frame, parameters, cited)
                continue
            given = self.f.arguments(declared.params, node.arguments, frame)
            names = (self.c.checked.names.bindings[param] for param in declared.params)
            frame.given.update(zip(names, given, strict=True))
            yield from self.requirements(
                declared.requirements, frame, parameters, (*declared.citations, *node.citations, *cited)
            )

    def requirement(
        self, node: ast.Require, frame: Frame, parameters: int, cited: tuple[ast.Citation, ...]
    ) -> Requirement:
        condition = self.f.required(node, frame)
        words = self.f.words(node.because, frame, node.name.replace("_", " "))
        prefix = self.prefix(condition, words, parameters)
        return Requirement(node.name, condition, words, prefix, source(node, (*node.citations, *cited)))

    def named_requirement(
        self,
        node: ast.RequireNamed,
        declared: ast.Condition,
        frame: Frame,
        parameters: int,
        cited: tuple[ast.Citation, ...],
    ) -> Requirement:
        """A declared condition: its value and the holes of its words are functions of the mover and the arguments."""
        assert frame.me is not None
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
        at = source(node, (*declared.citations, *node.citations, *cited))
        return Requirement(node.name, condition, words, self.prefix(condition, words, parameters), at)

    def prefix(self, condition: ir.Expression, words: ir.Words, parameters: int) -> int:
        """How many parameters are read."""
        used = [0]
        for tree in (condition, words):
            for part in walk(tree):
                if isinstance(part, ir.Local) and 1 <= part.number <= parameters:
                    used.append(part.number)
        return max(used)


def _second(domain: ast.Expr) -> ast.Expr:
    """What is listed: S in ``lists(4, S)``."""
    assert isinstance(domain, ast.Apply)
    listed = domain.arguments[1]
    assert not isinstance(listed, ast.Each | ast.ValueOfEach)
    return listed


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
        case ast.Between(low=low, high=high):
            return f"{_reckoned(low)}..{_reckoned(high)}"
        case ast.Apply(
            function=ast.Name(name="bags" | "lists"), arguments=(_, ast.Name() | ast.My() | ast.Its() | ast.At() as of)
        ):
            return _spoken(of)
        case _:
            return "what can be chosen"


def _reckoned(node: ast.Expr) -> str:
    """An end of a range in the author's words, if it is put in a few."""
    match node:
        case ast.Number(value=value):
            return str(value)
        case ast.Name():
            return _spoken(node)
        case ast.Negative(value=value):
            return f"-{_reckoned(value)}"
        case ast.Bracket(value=value):
            return f"({_reckoned(value)})"
        case ast.Field(name=name, value=value):
            return f"{name} of {_reckoned(value)}"
        case ast.Product(factors=factors):
            return " * ".join(_reckoned(factor) for factor in factors)
        case ast.Sum(first=first, rest=rest):
            return " ".join((_reckoned(first), *(f"{term.operator} {_reckoned(term.value)}" for term in rest)))
        case _:
            return "something"
