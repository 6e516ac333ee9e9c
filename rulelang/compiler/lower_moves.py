"""Moves: parameters, requirements, effects. Spec 8."""

from collections.abc import Iterator, Mapping, Sequence

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker import kinds
from rulelang.checker.cells import literal
from rulelang.checker.gathered import required
from rulelang.checker.inside import inside
from rulelang.checker.places import SlotRef, is_said, place
from rulelang.checker.symbols import BuiltIn, DefineName, LocalName, MoveName
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
ONE_PLACE = (
    "choose from one place only, and say in the move whose it is: others are told the answer if they see that place"
)
"""The way out where it is not known who may be told of an answer."""
CHOSEN = "How many are chosen"
"""What is known before play where several are chosen at once."""

Given = Mapping[LocalName, ir.Expression]
"""What stands for the parameters of a define."""


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
            owners = [slot for slot in named if self.is_owners(slot)]  # where only the mover sees all that is looked at
            chosen_from = [p for slot in owners[:1] or named for p in self.named_in(node.domain, slot, move, frame)]
            if not owners and len(named) > 1:
                self.one_place(node.domain, named[1])
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
            least, most = literal(kind.low), literal(kind.high)
            if least is not None and most is not None and least > most:
                self.c.findings.report(codes.EMPTY_RANGE, node.domain.at, low=least, high=most)
            return types.NumberType(low, high, kind.name)
        return self.f.types.single(kind)

    def named_in(self, domain: ast.Expr, slot: ast.Zone | ast.Marker, move: ast.Move, frame: Frame) -> list[ir.Place]:
        """Which ones of a family a domain names, by way of defines too; the mover's own, where only owners see."""
        if self.is_owners(slot):
            return [self.own(slot, frame)]
        found: dict[ir.Place, None] = {}
        certain = True
        for node, given in self.said_in(domain, frame):
            ref = place(node, self.c.checked.names)  # type: ignore[arg-type]
            if not isinstance(ref, SlotRef) or ref.node is not slot:
                continue
            outer, frame.given = frame.given, {**frame.given, **given}
            if self.is_known(node, move, frame):
                found[self.f.place(node, frame)] = None  # type: ignore[arg-type]
            else:
                certain = False
            frame.given = outer
        if (len(found) != 1 or not certain) and self.of_seats(slot):
            self.one_place(domain, slot)
        return list(found) or [self.own(slot, frame)]

    def one_place(self, domain: ast.Expr, slot: ast.Zone | ast.Marker) -> None:
        """Report that it is not known from where an answer comes, and so who may be told of it."""
        seat = "some player"
        self.c.findings.report(codes.CHOICE_LISTS_HIDDEN, domain.at, word=slot.name, seat=seat, hint=ONE_PLACE)

    def said_in(self, domain: ast.Expr, frame: Frame) -> Iterator[tuple[ast.Node, Given]]:
        """Every part of a formula and of the defines that it uses, with what stands for their parameters there.

        Where an argument is long it is left out: its parameter stands for anybody. So all ways of using a define are
        soon gone through.
        """
        waiting: list[tuple[ast.Node, Given]] = [(domain, {})]
        gone_through: set[tuple[ast.Define, tuple[ir.Expression | None, ...]]] = set()
        while waiting:
            node, given = waiting.pop()
            yield node, given
            waiting.extend((part, given) for part in reversed(inside(node)))
            symbol = self.c.checked.names.uses.get(node.function if isinstance(node, ast.Apply) else node)
            arguments = node.arguments if isinstance(node, ast.Apply) else ()
            if not isinstance(symbol, DefineName) or len(arguments) != len(symbol.node.params):
                continue
            outer, frame.given = frame.given, {**frame.given, **given}
            lowered = [self.short(argument, frame) for argument in arguments]
            frame.given = outer
            if (use := (symbol.node, tuple(lowered))) not in gone_through:
                gone_through.add(use)
                names = [self.c.checked.names.bindings[param] for param in symbol.node.params]
                stand = {name: each for name, each in zip(names, lowered, strict=True) if each is not None}
                cases = [
                    part for case in symbol.node.cases for part in (case.condition, case.value) if part is not None
                ]
                waiting.extend((part, stand) for part in reversed(cases))

    def short(self, node: ast.Node, frame: Frame) -> ir.Expression | None:
        """An argument that names a seat in a few words; None for any other."""
        match node:
            case ast.Me() | ast.Number():
                return self.f.lower(node, frame)
            case ast.Name() if isinstance(symbol := self.c.checked.names.uses.get(node), LocalName):
                known = isinstance(symbol.binder, ast.ChoiceOf) or symbol in frame.given
                return self.f.lower(node, frame) if known else None
            case ast.Apply(arguments=(inner,)) if isinstance(self.c.checked.names.uses.get(node.function), BuiltIn):
                plain = isinstance(inner, ast.Me | ast.Name | ast.Number) and self.short(inner, frame) is not None
                return self.f.lower(node, frame) if plain else None
            case _:
                return None

    def is_owners(self, slot: ast.Zone | ast.Marker) -> bool:
        """Whether nobody but its owner sees it; then what the mover sees there is the mover's own."""
        return any(isinstance(seats, ast.Name) and seats.name == "owner" for seats in self.sights(slot))

    def of_seats(self, slot: ast.Zone | ast.Marker) -> bool:
        """Whether the seats have one each, and a list says who sees which."""
        first = slot.index.kinds[0] if slot.index else None
        lowered = self.f.types.single(self.c.checked.declared.kinds[first]) if first is not None else None
        return isinstance(lowered, types.SeatType) and bool(self.sights(slot))

    def sights(self, slot: ast.Zone | ast.Marker) -> list[ast.Expr]:
        """Who sees what lies there, as it is declared."""
        traits = [trait for trait in slot.traits if isinstance(trait, ast.SeenBy) and trait.part == "content"]
        return [trait.seats for trait in traits]

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
        ways = [self.laid_at(lines, move, parameter, frame) for lines in (move.effects, *self.instead_of(move))]
        return tuple(place for place in ways[0] if all(place in way for way in ways))

    def instead_of(self, move: ast.Move) -> list[tuple[ast.Statement, ...]]:
        """What exceptions put in the place of the move's own lines."""
        uses = self.c.checked.names.uses
        exceptions = [n for n in self.c.checked.rules.declarations if isinstance(n, ast.Override)]
        named = [(each, uses.get(each)) for each in exceptions if each.kind == "instead"]
        return [each.body.statements for each, of in named if isinstance(of, MoveName) and of.node is move]

    def laid_at(
        self, lines: Sequence[ast.Statement], move: ast.Move, parameter: ast.ChoiceOf, frame: Frame
    ) -> list[ir.Place]:
        """Where some lines put or write the answer."""
        found: list[ir.Place] = []
        for statement in lines:
            match statement:
                case ast.Put(what=value, target=target) | ast.Becomes(value=value, target=target):
                    if self.is_parameter(value, parameter) and self.is_known(target, move, frame):
                        is_put = isinstance(statement, ast.Put)
                        found.append(self.f.zone_place(target, frame) if is_put else self.f.place(target, frame))
                case _:
                    pass
        return found

    def is_parameter(self, node: ast.Expr, parameter: ast.ChoiceOf) -> bool:
        symbol = self.c.checked.names.uses.get(node)
        return isinstance(symbol, LocalName) and symbol.binder is parameter

    def is_known(self, node: ast.Node, move: ast.Move, frame: Frame) -> bool:
        """Whether a place is named without names that only the effects, or only a search, know."""
        symbol = self.c.checked.names.uses.get(node)
        if isinstance(symbol, LocalName) and symbol.binder not in move.parameters and symbol not in frame.given:
            return False
        return all(self.is_known(part, move, frame) for part in inside(node))

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
