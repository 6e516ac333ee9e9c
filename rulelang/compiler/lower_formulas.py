"""Formulas of the text to formulas of the IR. Spec 4.

``lower`` gives a formula for a node in a frame; where a value of a kind is wanted, the none-code is fitted to it.
Calls of built-in words and defines are in ``lower_calls``.
"""

from collections.abc import Callable
from functools import reduce
from typing import assert_never

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker import kinds
from rulelang.checker.cells import literal
from rulelang.checker.places import MemberRef, SlotRef, is_pick, is_said, place, timer_of, whole_family
from rulelang.checker.symbols import (
    ConditionName,
    DefineName,
    KindName,
    Label,
    LocalName,
    MarkerName,
    OptionName,
    TimerName,
    ZoneName,
)
from rulelang.compiler.capacity import Capacities
from rulelang.compiler.context import Compilation, Frame
from rulelang.compiler.lower_calls import CallLowering
from rulelang.compiler.lower_timers import TimerLowering
from rulelang.compiler.lower_types import TypeLowering
from rulelang.diagnostics import codes
from rulelang.ir import expressions as ir
from rulelang.ir.program import Start
from rulelang.ir.timing import EMPTY
from rulelang.ir.types import NumberType

YES, NO = ir.Constant(1), ir.Constant(0)
NOTHING = ir.Constant(-2)
"""No member of any family, nor none."""
LONG = 16
"""Sums and products of up to so many parts are worked out from left to right, part after part. Spec 4.4."""

ANY_OR_NONE = kinds.Optional(kinds.ANY_NUMBER)
"""Any number or none: a kind in which none is no number that a game has."""


class FormulaLowering(CallLowering, Capacities):
    """Lowers the formulas of one program."""

    def __init__(self, compilation: Compilation) -> None:
        self.c = compilation
        self.names = compilation.checked.names
        self.found = compilation.checked.types
        self.types = TypeLowering(compilation, self)
        self.timers = TimerLowering(compilation, self.types)

    def kind(self, node: ast.Expr) -> kinds.Kind:
        """The kind of a formula."""
        return self.found.kinds.get(node, kinds.Unknown())

    # ------------------------------------------------------------------ entry points

    def lower(self, node: ast.Expr, frame: Frame, wanted: kinds.Kind | None = None) -> ir.Expression:
        """The value of a formula, as a value of the wanted kind."""
        if isinstance(node, ast.Constant) and node.word in ("none", "nobody"):
            return self.types.none(wanted if wanted is not None else kinds.Seat())
        if isinstance(self.kind(node), kinds.Text):
            return self.misplaced(node, "a text", "a value", "texts are only spoken, in the words of a requirement")
        lowered = self.value(node, frame, wanted)
        return self.fitted(lowered, self.kind(node), wanted)

    def spoken(self, node: ast.Expr, frame: Frame, wanted: kinds.Kind | None = None) -> ir.Expression:
        """The value of a formula that may be a text: it is spoken, or it is what a define gives. Spec 6.2."""
        match node:
            case _ if not isinstance(self.kind(node), kinds.Text):
                return self.lower(node, frame, wanted)
            case ast.Field() | ast.Apply() | ast.Name():
                return self.value(node, frame, None)
            case ast.Bracket():
                return self.spoken(node.value, frame)
            case ast.Conditional():
                condition = self.lower(node.condition, frame)
                return ir.Conditional(condition, self.spoken(node.value, frame), self.spoken(node.otherwise, frame))
            case _:
                return self.misplaced(node, "a text", "a value", "write it into the text around it")

    def single(self, node: ast.Expr) -> None:
        """Report lists, bags and partitions where single values are put into one."""
        kind = self.kind(node)
        if isinstance(kind, kinds.Collection | kinds.Division):
            self.misplaced(node, kinds.spoken(kind), "a single value", "lists and bags hold single values only")

    def misplaced(self, node: ast.Node, found: str, wanted: str, hint: str | None) -> ir.Expression:
        """Report a value that cannot stand where it does; something to go on with."""
        self.c.findings.report(codes.TYPE_MISMATCH, node.at, found=found, wanted=wanted, hint=hint)
        return NO

    def required(self, node: ast.Require, frame: Frame) -> ir.Expression:
        """That a requirement holds, or its exception."""
        condition = self.lower(node.condition, frame)
        return condition if node.unless is None else ir.Either((self.lower(node.unless, frame), condition))

    def fitted(self, lowered: ir.Expression, found: kinds.Kind, wanted: kinds.Kind | None) -> ir.Expression:
        """Fit the none-code of a number to the wanted kind; make a bag of a list, or a list of a bag."""
        if isinstance(wanted, kinds.Collection):
            if isinstance(found, kinds.Collection) and found.shape != wanted.shape:
                return ir.Join(lowered, ir.Constant(()), wanted.shape)
            return lowered
        if isinstance(found, kinds.Nothing) and wanted is not None:
            return self.types.none(wanted)
        if not isinstance(found, kinds.Optional) or wanted is None:
            return lowered
        here, there = self.types.none(found), self.types.none(wanted)
        if here == there or not isinstance(kinds.bare(wanted), kinds.Number):
            return lowered
        return ir.Conditional(ir.Equal(lowered, here), there, lowered)

    def collection(self, node: ast.Expr, frame: Frame) -> ir.Expression:
        """A formula read as a collection: also a slot, or a remembered zone."""
        kind = self.kind(node)
        ref = place(node, self.names)
        is_zone = isinstance(ref, SlotRef) and isinstance(ref.node, ast.Zone)
        if ref is not None and (
            isinstance(kind, kinds.Optional) if is_zone else isinstance(kinds.bare(kind), kinds.Member)
        ):
            return ir.Read(self.zone_place(node, frame))
        return self.lower(node, frame)

    def zone_place(self, node: ast.Expr, frame: Frame) -> ir.Place:
        """The zone that a formula names, by its own name or by a value that says which one."""
        ref = place(node, self.names)
        kind = kinds.bare(self.kind(node))
        if isinstance(ref, SlotRef) and isinstance(ref.node, ast.Marker) and isinstance(kind, kinds.Member):
            return ir.Member(self.c.numbers.slots[kind.zone], self.lower(node, frame))
        return self.place(node, frame)

    def member_kind(self, node: ast.Expr) -> kinds.Kind:
        """The kind of the members of ``collection(node)``."""
        kind = self.kind(node)
        if isinstance(kind, kinds.Collection):
            return kind.of
        bare = kinds.bare(kind)
        return self.c.checked.declared.kinds[bare.zone] if isinstance(bare, kinds.Member) else bare

    def place(self, node: ast.Expr, frame: Frame) -> ir.Place:
        """The zone or marker that a formula names."""
        ref = place(node, self.names)
        if isinstance(ref, MemberRef):
            member = kinds.bare(self.kind(node))
            assert isinstance(member, kinds.Member)
            return ir.Member(self.c.numbers.slots[member.zone], self.lower(ref.value, frame))
        assert isinstance(ref, SlotRef)
        slot = ref.node
        index = slot.index.kinds if slot.index else ()
        given = ((ref.owner,) if ref.owner is not None else ()) + ref.indices
        indices = tuple(
            self.lower(value, frame, self.c.checked.declared.kinds[kind])
            for kind, value in zip(index, given, strict=True)
        )
        return ir.Slot(self.c.numbers.slots[slot], indices)

    def words(self, text: ast.Text | None, frame: Frame, otherwise: str) -> ir.Words:
        """A text for people."""
        if text is None:
            return ir.Words((otherwise,))
        return ir.Words(tuple(p if isinstance(p, str) else self.hole(p, frame) for p in text.parts))

    def hole(self, hole: ast.Hole, frame: Frame) -> ir.Spoken | str:
        kind = self.kind(hole.value)
        if isinstance(hole.value, ast.Constant) and isinstance(kind, kinds.Nothing):
            return hole.value.word
        if isinstance(kind, kinds.Division):
            self.misplaced(hole.value, kinds.spoken(kind), "words or a value", "say its value, its rest or its groups")
        return ir.Spoken(self.spoken(hole.value, frame), self.types.type(kind))

    def start(self, trait: ast.StartsWith, zone: ast.Zone) -> Start:
        """What a zone holds before play; a die lies there without a face."""
        frame = Frame()
        variable = frame.local(self.names.bindings[trait])
        values = self.start_values(trait.kind)
        content = self.c.checked.declared.kinds[zone]
        times = self.lower(trait.times, frame) if trait.times is not None else YES
        if zone.showing is not None and isinstance(content, kinds.Record):
            record = self.types.single(content)
            die = frame.fresh("die")
            no_face = self.types.none(content.fields[1][1])
            piece = ir.MakeRecord(record, (die, no_face))
            values = ir.Collect(die, values, YES, piece)
            times = _replaced(times, variable, ir.Part(variable, record, 0))
        return Start(variable, values, times)

    def start_values(self, node: ast.Expr) -> ir.Expression:
        if isinstance(node, ast.Name):
            symbol = self.c.checked.declared.names.get(node.name)
            kind = symbol.kind if isinstance(symbol, KindName) else kinds.Seat()
            return ir.AllOf(self.types.single(kind))
        return self.lower(node, Frame())

    # ------------------------------------------------------------------ values

    def value(self, node: ast.Expr, frame: Frame, wanted: kinds.Kind | None) -> ir.Expression:
        match node:
            case ast.Number():
                return ir.Constant(node.value)
            case ast.Constant() if self.kind(node) == kinds.TIMER:
                return EMPTY
            case ast.Constant():
                return ir.Constant(()) if node.word == "empty" else YES if node.word == "yes" else NO
            case ast.Name():
                return self.name(node, frame, wanted)
            case ast.Me():
                assert frame.me is not None
                return frame.me
            case ast.My() | ast.Its() | ast.At():
                return self.read(node, frame)
            case ast.Apply():
                return self.apply(node, frame)
            case ast.Field():
                return self.field(node, frame)
            case ast.Bracket():
                return self.lower(node.value, frame, wanted)
            case ast.ListOf():
                member = wanted.of if isinstance(wanted, kinds.Collection) else self.member_kind(node)
                for item in node.items:
                    self.single(item)
                return ir.MakeList(tuple(self.lower(item, frame, member) for item in node.items))
            case ast.Exists() | ast.Every() | ast.Select():
                return self.search(node, frame)
            case ast.Sum() | ast.Product() | ast.Negative() | ast.Between():
                return self.arithmetic(node, frame)
            case _:
                assert not isinstance(node, ast.Text)
                return self.truth(node, frame, wanted)

    def name(self, node: ast.Name, frame: Frame, wanted: kinds.Kind | None) -> ir.Expression:
        symbol = self.names.uses[node]
        match symbol:
            case LocalName():
                return frame.value(symbol)
            case OptionName():
                return ir.OptionValue(self.c.numbers.options[symbol.node])
            case KindName():
                return ir.AllOf(self.types.single(symbol.kind))
            case ZoneName() | MarkerName():
                return self.read(node, frame)
            case TimerName():
                return self.timers.state(symbol.node)
            case DefineName():
                return ir.Apply(self.c.numbers.functions[symbol.node], ())
            case ConditionName():
                return ir.Apply(self.c.numbers.functions[symbol.node], (frame.me or ir.Constant(0),))
            case Label():
                return ir.Constant(self.found.labels[node][1])
            case _ if node.name == "table":
                return ir.SeatCount()
            case _:
                return ir.AllOf(self.types.single(kinds.Seat()))

    def read(self, node: ast.Expr, frame: Frame) -> ir.Expression:
        ref = place(node, self.names)
        assert isinstance(ref, SlotRef)
        if whole_family(ref) and isinstance(ref.node, ast.Zone):
            return ir.AllOf(self.types.single(kinds.Member(ref.node)))
        kind = self.kind(node)
        if isinstance(ref.node, ast.Zone) and isinstance(kind, kinds.Member):
            return self.member(node, frame)
        lowered = ir.Read(self.place(node, frame))
        if isinstance(ref.node, ast.Zone) and isinstance(kind, kinds.Optional):
            return ir.Last(lowered, self.types.none(kind))
        return lowered

    def member(self, node: ast.Expr, frame: Frame) -> ir.Expression:
        """The code of one of a family: its index values as digits, the first slowest. Spec 7.3.

        Where an index that the family does not have would name another member, or none, it names nothing at all.
        """
        place_, ref = self.place(node, frame), place(node, self.names)
        assert isinstance(place_, ir.Slot) and isinstance(ref, SlotRef)
        index = ref.node.index.kinds if ref.node.index else ()
        optional = ref.owner is not None and isinstance(self.kind(ref.owner), kinds.Optional)
        code: ir.Expression = ir.Constant(0)
        within: list[ir.Expression] = []
        for kind, value in zip(index, place_.indices, strict=True):
            type_ = self.types.single(self.c.checked.declared.kinds[kind])
            digit = ir.Subtract(value, type_.low) if isinstance(type_, NumberType) else value
            size = self.types.size_of_type(type_)
            code = ir.Add(ir.Multiply(code, size), digit)
            within += [ir.AtMost(ir.Constant(0), digit), ir.Less(digit, size)]
        optional = optional or any(isinstance(self.kind(each), kinds.Optional) for each in ref.indices)
        return ir.Conditional(ir.Both(tuple(within)), code, NOTHING) if optional or len(index) > 1 else code

    def arithmetic(self, node: ast.Sum | ast.Product | ast.Negative | ast.Between, frame: Frame) -> ir.Expression:
        match node:
            case ast.Negative():
                return ir.Negative(self.lower(node.value, frame))
            case ast.Product():
                return _balanced(ir.Multiply, [self.lower(factor, frame) for factor in node.factors])
            case ast.Between():
                low, high = self.lower(node.low, frame), self.lower(node.high, frame)
                return ir.Span(low, high, self.span_capacity(node, frame))
            case ast.Sum():
                return self.sum(node, frame)
            case _:
                assert_never(node)

    def sum(self, node: ast.Sum, frame: Frame) -> ir.Expression:
        kind = self.kind(node)
        if not isinstance(kind, kinds.Collection):
            return self.signed_sum(node, frame)
        total = self.collection(node.first, frame)
        for term in node.rest:
            other = self.kind(term.value)
            single = not isinstance(other, kinds.Collection | kinds.Empty)
            value = (
                ir.MakeList((self.lower(term.value, frame, kind.of),))
                if single
                else self.lower(term.value, frame, kind)
            )
            total = (
                ir.Without(total, value, kind.shape) if term.operator == "but" else ir.Join(total, value, kind.shape)
            )
        return total

    def signed_sum(self, node: ast.Sum, frame: Frame) -> ir.Expression:
        """From left to right; only a sum of very many terms is brought together otherwise, or it would be too deep."""
        terms = [self.lower(node.first, frame), *(self.lower(term.value, frame) for term in node.rest)]
        signs = ["+", *(term.operator for term in node.rest)]
        if len(terms) <= LONG:
            total = terms[0]
            for sign, term in zip(signs[1:], terms[1:], strict=True):
                total = ir.Add(total, term) if sign == "+" else ir.Subtract(total, term)
            return total
        added = _balanced(ir.Add, [term for sign, term in zip(signs, terms, strict=True) if sign == "+"])
        taken = [term for sign, term in zip(signs, terms, strict=True) if sign == "-"]
        return ir.Subtract(added, _balanced(ir.Add, taken)) if taken else added

    # ------------------------------------------------------------------ yes or no

    def truth(
        self,
        node: ast.Negate | ast.Both | ast.Either | ast.Conditional | ast.Compare,
        frame: Frame,
        wanted: kinds.Kind | None,
    ) -> ir.Expression:
        match node:
            case ast.Negate():
                return ir.Not(self.lower(node.value, frame))
            case ast.Both():
                return ir.Both(tuple(self.lower(part, frame) for part in node.parts))
            case ast.Either():
                return ir.Either(tuple(self.lower(part, frame) for part in node.parts))
            case ast.Conditional():
                kind = wanted if wanted is not None else self.kind(node)
                condition = self.lower(node.condition, frame)
                return ir.Conditional(
                    condition, self.lower(node.value, frame, kind), self.lower(node.otherwise, frame, kind)
                )
            case ast.Compare():
                return self.compare(node, frame)
            case _:
                assert_never(node)

    def compare(self, node: ast.Compare, frame: Frame) -> ir.Expression:
        if node.relation in ("in", "not in"):
            member = self.member_kind(node.right)
            found: ir.Expression = ir.Contains(self.lower(node.left, frame, member), self.collection(node.right, frame))
            return ir.Not(found) if node.relation == "not in" else found
        if node.relation in ("is", "is not"):
            found = self.equal(node, frame)
            if node.relation == "is":
                return found
            return found.value if isinstance(found, ir.Not) else ir.Not(found)
        left, right = self.lower(node.left, frame), self.lower(node.right, frame)
        if node.relation in (">", ">="):
            left, right = right, left
        return ir.Less(left, right) if node.relation in ("<", ">") else ir.AtMost(left, right)

    def equal(self, node: ast.Compare, frame: Frame) -> ir.Expression:
        left, right = self.kind(node.left), self.kind(node.right)
        if isinstance(right, kinds.Empty) or isinstance(left, kinds.Empty):
            other = node.left if isinstance(right, kinds.Empty) else node.right
            return ir.Equal(ir.Size(self.collection(other, frame)), ir.Constant(0))
        for one, other in ((node.left, node.right), (node.right, node.left)):
            timer, state = timer_of(one, self.names), self.state_word(other)
            if timer is not None and state is not None:
                return self.timers.is_in(timer, state)
        if isinstance(left, kinds.Nothing):
            return ir.Equal(self.lower(node.right, frame), self.types.none(right))
        if isinstance(right, kinds.Collection) and isinstance(left, kinds.Collection):
            shape = kinds.Collection("bag", left.of) if "bag" in (left.shape, right.shape) else None
            return ir.Equal(self.lower(node.left, frame, shape), self.lower(node.right, frame, shape))
        wanted = ANY_OR_NONE if self.none_is_a_number(node) else left
        return ir.Equal(self.lower(node.left, frame, wanted), self.lower(node.right, frame, wanted))

    def state_word(self, node: ast.Expr) -> ir.Expression | None:
        """A state of a timer, where it is written as a word."""
        if isinstance(node, ast.Constant):
            return EMPTY
        kind, code = self.found.labels.get(node, (None, 0)) if isinstance(node, ast.Name) else (None, 0)
        return ir.Constant(code) if kind == kinds.TIMER else None

    def most_answered(self, domain: ast.Expr) -> ir.Expression | None:
        """How many things one answer names at most, if the domain is ``bags(n, S)`` or ``lists(n, S)``."""
        if not is_pick(domain, self.names) and not is_said(domain, self.names):
            return None
        assert isinstance(domain, ast.Apply)
        count = domain.arguments[0]
        assert not isinstance(count, ast.Each | ast.ValueOfEach)
        return self.types.bound(count, ir.Constant(limits.PICKED))

    def none_is_a_number(self, node: ast.Compare) -> bool:
        """Whether the none-code of one side may be a number of the other."""
        sides = [(kinds.bare(self.kind(side)), side) for side in (node.left, node.right)]
        optional = [isinstance(self.kind(side), kinds.Optional) for side in (node.left, node.right)]
        if not any(optional) or not all(isinstance(kind, kinds.Number) for kind, _ in sides):
            return False
        if self.types.type(sides[0][0]) == self.types.type(sides[1][0]):
            return False
        lows = [self.least_written(kind, side) for kind, side in sides]
        return all(optional) or None in lows or lows[optional.index(False)] < lows[optional.index(True)]  # type: ignore

    def least_written(self, kind: kinds.Kind, node: ast.Expr) -> int | None:
        """The least number that a formula can be, if that is written in the rules."""
        assert isinstance(kind, kinds.Number)
        return literal(node) if kind.low is None else literal(kind.low)

    # ------------------------------------------------------------------ searches

    def search(self, node: ast.Exists | ast.Every | ast.Select, frame: Frame) -> ir.Expression:
        domain = self.collection(node.domain, frame)
        variable = frame.local(self.names.bindings[node])
        match node:
            case ast.Exists():
                found = ir.Exists(variable, domain, self.lower(node.where, frame))
                return ir.Not(found) if node.none else found
            case ast.Every():
                return ir.Every(variable, domain, self.lower(node.condition, frame))
            case ast.Select():
                condition = self.lower(node.where, frame) if node.where is not None else YES
                ranks = tuple(ir.RankBy(rank.most, self.lower(rank.value, frame)) for rank in node.ranks)
                if node.all:
                    return ir.Select(variable, domain, condition, ranks)
                return ir.Choose(variable, domain, condition, ranks, self.types.none(self.kind(node)))
            case _:
                assert_never(node)


def _balanced(
    join: Callable[[ir.Expression, ir.Expression], ir.Expression], parts: list[ir.Expression]
) -> ir.Expression:
    """The parts joined from left to right; if they are very many, two by two, so that none lies deeper than it must."""
    if len(parts) <= LONG:
        return reduce(join, parts)
    while len(parts) > 1:
        pairs = [join(parts[i], parts[i + 1]) for i in range(0, len(parts) - 1, 2)]
        parts = pairs + (parts[-1:] if len(parts) % 2 else [])
    return parts[0]


def _replaced(tree: ir.Expression, variable: ir.Local, by: ir.Expression) -> ir.Expression:
    """The formula with one local replaced."""
    from rulelang.ir.walk import rebuild

    return rebuild(tree, lambda part: by if part == variable else part)
