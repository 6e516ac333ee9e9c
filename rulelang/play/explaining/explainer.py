"""Explanations: how a value of the rules comes about, part by part. Promise "Explained".

Formulas are worked out by the evaluator that plays with them (``rulelang.play.formulas``); an explanation only looks
at the parts that decided, in order. It explains the open program's formulas, in which names are still names, on the
table of a closed one.

There are at most ``NODES`` formulas in a tree, and ``ELEMENTS`` elements of a collection; what is left out is said.
"""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never, cast, get_args

import attrs

from rulelang.ir import expressions as ir
from rulelang.ir import nodes
from rulelang.ir.effects import SetMarker
from rulelang.ir.expressions import Expression, Value
from rulelang.ir.laps import reachable
from rulelang.ir.nodes import Do
from rulelang.ir.origin import Source
from rulelang.ir.program import Program
from rulelang.ir.timing import timing_of
from rulelang.ir.types import SeatType, Type
from rulelang.ir.walk import children, rebuild, walk
from rulelang.ir.whenever import condition_of
from rulelang.play.explaining.history import History, Turning, Writing
from rulelang.play.explaining.kinds_of import Kinds, Locals, listing
from rulelang.play.explaining.searches import SearchExplanation
from rulelang.play.explaining.seen import UNSEEN_CARD, PartlySeen
from rulelang.play.explaining.timers import AboutTimer
from rulelang.play.explaining.tree import Explained, Role
from rulelang.play.explaining.wording import Wording, plain_of
from rulelang.play.folding import Folder, most_locals
from rulelang.play.formulas import Context, codes, evaluate, member_of
from rulelang.play.kinds import Layout
from rulelang.play.times import timer_text
from rulelang.play.words import place_name

NODES: Final = 600
ELEMENTS: Final = 24
WRITINGS: Final = 6
"""How many writings of markers lie within one another in one tree."""
ALL: Final = 1 << 60

_COMPARISONS = (ir.Equal, ir.Less, ir.AtMost, ir.Contains)
_LEAVES = (ir.Constant, ir.NoneOf, ir.AllOf, ir.OptionValue, ir.SeatCount, ir.Local)


def spoken_program(program: Program, closed: Program) -> Program:
    """The open program with the choices of a closed one: kinds have their bounds, formulas keep their names."""
    folder = Folder(closed)
    types = tuple(get_args(Type))

    def change(part: object) -> object:
        return folder.fold(part) if isinstance(part, types) else part

    return attrs.evolve(
        closed,
        options=tuple(rebuild(option, change) for option in program.options),
        tables=closed.tables,
        functions=tuple(rebuild(function, change) for function in program.functions),
        timers=program.timers,
        procedures=program.procedures,
        nodes=tuple(rebuild(node, change) for node in program.nodes),
    )


class Explainer(SearchExplanation):
    """Explains values of one game at one moment."""

    def __init__(self, program: Program, cells: Sequence[Value], history: History | None = None) -> None:
        """``program`` is one that ``spoken_program`` made; with a history, markers are explained by what wrote them."""
        self.program = program
        self.kinds = Kinds(program)
        self.wording = Wording(program, self.kinds)
        self.layout = Layout.of(program)
        self.history = history
        self.locals = most_locals(program)
        self.context = Context(program, self.layout, cells, [0] * self.locals)
        self.known: Locals = {}
        self.left = NODES
        self._now = ALL
        self._depth = 0

    # ------------------------------------------------------------------ what can be asked

    def define(self, function: int, arguments: Sequence[Value], given: Sequence[Type | None]) -> Explained:
        """A define for some arguments."""
        self.context.locals = [*arguments, *[0] * self.locals]
        self.known = dict(enumerate(given))
        formula = ir.Apply(function, tuple(ir.Local(n, self._parameter(function, n)) for n in range(len(arguments))))
        return self.explain(formula)

    def marker(self, slot: int, member: int) -> Explained:
        """What a marker says, and what wrote it."""
        lying = self.context.read(slot, member)
        if isinstance(lying, PartlySeen):
            tuple(lying)  # which is refused
        return self._read(slot, member, "")

    def timer(self, number: int, *, left: bool) -> Explained:
        """How a timer stands, or how much of it is left."""
        timing = timing_of(self.program, self.program.timers[number])
        return self.explain(timing.left_of if left else timing.state)

    def outcome(self, number: int, locals: Sequence[Value]) -> Iterator[Explained]:
        """How the end of a game was decided, at an End of the open program."""
        node = self.program.nodes[number]
        assert isinstance(node, nodes.End)
        if self.history is not None and self.history.whenever is not None:
            yield from self._whenever(self.history.whenever)
        if self.history is not None and self.history.turning is not None:
            yield self._turning(self.history.turning)
        self.context.locals = [*locals, *[0] * self.locals]
        self.known = dict(self.kinds.procedures[self._procedure(number)])
        match node.outcome:
            case nodes.Winners(seats=seats) | nodes.Unresolved(seats=seats):
                yield self.explain(seats, wanted=listing(SeatType()))
            case nodes.Grade(grade=grade):
                yield self.explain(grade)
            case nodes.Amounts(variable=variable, seats=seats, amount=amount):
                self.known = {**self.known, variable.number: SeatType()}
                for seat in codes(seats, self.context):
                    yield self.element(variable.number, seat, SeatType(), amount)
            case nodes.Aborted():
                pass
            case _:
                assert_never(node.outcome)

    def _turning(self, turning: Turning) -> Explained:
        """The condition that ended the game."""
        branch = self.program.nodes[turning.node]
        assert isinstance(branch, nodes.Branch)
        outer = self.context, self.known
        self.context = Context(self.program, self.layout, turning.cells, [*turning.locals, *[0] * self.locals])
        self.known = self.kinds.procedures[self._procedure(turning.node)]
        try:
            told, at = self.explain(branch.condition, "when"), branch.at
        finally:
            self.context, self.known = outer
        return attrs.evolve(told, clauses=at.clauses, file=at.origin.file, line=at.origin.line)

    def _whenever(self, turning: Turning) -> Iterator[Explained]:
        """The condition that ended the game as soon as it was true."""
        call = self.program.nodes[turning.node]
        assert isinstance(call, nodes.Call)
        number = condition_of(self.program, call.procedure)
        if number is None:
            return
        condition = self.program.functions[number]
        outer = self.context, self.known
        self.context = Context(self.program, self.layout, turning.cells, [0] * self.locals)
        self.known = {}
        try:
            told, at = self.explain(condition.body, "whenever"), condition.at
        finally:
            self.context, self.known = outer
        yield attrs.evolve(told, clauses=at.clauses, file=at.origin.file, line=at.origin.line)

    # ------------------------------------------------------------------ formulas

    def explain(self, formula: Expression, role: Role = "", wanted: Type | None = None) -> Explained:
        """One formula and what its value comes from."""
        self.left -= 1
        timed = self.wording.about_timer(formula)
        if timed is not None:
            return self._timed(formula, timed, role)
        formula = plain_of(formula) or formula
        cases = isinstance(formula, ir.Conditional) and isinstance(formula.otherwise, ir.Conditional)
        said = "by cases" if cases else self.wording.said(formula, self.known)
        if isinstance(formula, ir.Read):
            found = self._read(formula.place.slot, member_of(formula.place, self.context), role)
            return attrs.evolve(found, said=said)
        kind = wanted if wanted is not None else self.kinds.of(formula, self.known)
        divided = self.kinds.partition(formula) is not None
        value = "" if divided else self.wording.value(kind, evaluate(formula, self.context))
        match formula:
            case ir.Apply():
                declared = self.program.functions[formula.function]
                about = self.wording.about_timer(declared.body)
                if about is not None and about.sort == "state":
                    value = self._stands(about.timer)
                parts = self._inside(formula) if self.left > 0 else (self.more(),)
                return self.node(self._call(formula), value, role, parts, declared.at, declared.name)
            case _:
                parts = tuple(self.parts(formula)) if self.left > 0 else (self.more(),)
                return self.node(said, value, role, parts)

    def _timed(self, formula: Expression, about: AboutTimer, role: Role) -> Explained:
        """A formula about a timer; below a question, how the timer stands."""
        timer = self.program.timers[about.timer]
        code = cast(int, evaluate(formula, self.context))
        if about.sort == "question":
            stands = self.node(timer.name, self._stands(about.timer), "", (), timer.at, timer.name)
            return self.node(about.said, "yes" if code else "no", role, (stands,))
        value = self._stands(about.timer) if about.sort == "state" else str(code)
        return self.node(about.said, value, role, (), timer.at, timer.name)

    def _stands(self, number: int) -> str:
        """How a timer stands, in words."""
        timer, clock = self.program.timers[number], self.program.clock
        assert clock is not None  # whoever has timers has one
        left, end, now = (cast(int, self.context.read(slot, 0)) for slot in (timer.left, timer.end, clock))
        return timer_text(cast(int, evaluate(timer.full, self.context)), left, end, now)

    def node(
        self,
        said: str,
        value: str,
        role: Role,
        parts: tuple[Explained, ...],
        at: Source | None = None,
        name: str | None = None,
    ) -> Explained:
        """A piece of the tree."""
        if at is None:
            return Explained(said, value, role, name, parts=parts)
        return Explained(said, value, role, name, at.clauses, at.origin.file, at.origin.line, parts)

    def more(self, count: int = 0) -> Explained:
        """That there is more than is told."""
        return Explained(f"{count} more" if count else "and so on", "", "more")

    def parts(self, formula: Expression) -> Iterator[Explained]:
        """The parts of a formula that decided its value."""
        match formula:
            case ir.Conditional():
                yield from self._cases(formula)
            case ir.Both() | ir.Either():
                deciding = 0 if isinstance(formula, ir.Both) else 1
                for part in formula.parts:
                    yield self.explain(part)
                    if evaluate(part, self.context) == deciding:
                        return
            case ir.Not(value=denied) if isinstance(denied, ir.Read | ir.Apply) or self.wording.about_timer(denied):
                yield self.explain(denied)
            case ir.Not():
                yield from self.parts(formula.value)
            case ir.Add() | ir.Subtract():
                for term in self._terms(formula):
                    if not isinstance(term, ir.Constant):
                        yield self.explain(term)
            case ir.Exists() | ir.Every() | ir.Select() | ir.Choose() | ir.Number() | ir.Total():
                yield from self.search(formula)
            case ir.Extreme() | ir.Collect() | ir.Partition() | ir.PartitionPart():
                yield from self.search(formula)
            case _:
                for part in _inner(formula):
                    told = isinstance(part, ir.Local) and isinstance(formula, _COMPARISONS)
                    if told or not _is_leaf(part):
                        yield self.explain(part)

    def _terms(self, formula: Expression) -> Iterator[Expression]:
        """The terms of a sum; what is taken away is negative."""
        match formula:
            case ir.Add():
                yield from self._terms(formula.left)
                yield from self._terms(formula.right)
            case ir.Subtract():
                yield from self._terms(formula.left)
                yield ir.Negative(formula.right)
            case _:
                yield formula

    def _cases(self, formula: ir.Conditional) -> Iterator[Explained]:
        """The conditions that were asked, then the value of the case that holds."""
        current: Expression = formula
        while isinstance(current, ir.Conditional):
            holds = evaluate(current.condition, self.context)
            if not isinstance(current.condition, ir.Constant):
                yield self.explain(current.condition, "when")
            current = current.then if holds else current.otherwise
            if holds:
                break
        if not isinstance(current, ir.Constant | ir.NoneOf):
            yield self.explain(current)

    def _inside(self, formula: ir.Apply) -> tuple[Explained, ...]:
        """The body of a define, with its arguments as locals."""
        declared = self.program.functions[formula.function]
        arguments = [evaluate(argument, self.context) for argument in formula.arguments]
        known = dict(enumerate(self.kinds.given(formula, self.known)))
        told = tuple(
            self.explain(part, "for", known[n]) for n, part in enumerate(formula.arguments) if not _is_leaf(part)
        )
        outer = self.context.locals, self.known
        self.context.locals, self.known = [*arguments, *[0] * declared.locals], known
        try:
            return (*told, self.explain(declared.body))
        finally:
            self.context.locals, self.known = outer

    def _call(self, formula: ir.Apply) -> str:
        """A define with its arguments; names are replaced by what they stand for."""
        arguments = enumerate(formula.arguments)
        standing = {n: evaluate(part, self.context) for n, part in arguments if isinstance(part, ir.Local)}
        return self.wording.called(formula, self.known, standing)

    def _parameter(self, function: int, number: int) -> str:
        found = (part.name for part in _locals_of(self.program.functions[function].body) if part.number == number)
        return next(found, f"value {number + 1}")

    # ------------------------------------------------------------------ elements of searches

    def element(
        self, variable: int, item: Value, kind: Type | None, formula: Expression | None, role: Role = "for"
    ) -> Explained:
        """One element of a search, with the value of a formula for it."""
        self.left -= 1
        said = self.wording.value(kind, item)
        if formula is None or isinstance(formula, ir.Constant):
            return self.node(said, "", role, ())
        outer, known = self.context.locals[variable], self.known
        self.context.locals[variable] = item
        self.known = {**known, variable: kind}
        try:
            if self.left <= 0:
                value = self.wording.value(self.kinds.of(formula, self.known), evaluate(formula, self.context))
                return self.node(said, value, role, (self.more(),))
            inner = self.explain(formula)
            parts = inner.parts if inner.name is None else (inner,)
            return self.node(said, inner.value, role, parts)
        finally:
            self.context.locals[variable], self.known = outer, known

    # ------------------------------------------------------------------ markers

    def _read(self, slot: int, member: int, role: Role) -> Explained:
        declared = self.program.slots[slot]
        kind = self.kinds.of_slot(slot)
        lying = self.context.read(slot, member)
        if isinstance(lying, PartlySeen):
            value = lying.words()
        elif isinstance(lying, tuple) and UNSEEN_CARD in lying:
            value = f"{len(lying)} unseen"
        else:
            value = self.wording.value(kind, lying)
        parts = tuple(self._written(slot, member))
        return self.node(place_name(self.program, slot, member), value, role, parts, declared.at, declared.name)

    def _written(self, slot: int, member: int) -> Iterator[Explained]:
        """What wrote a marker: the last writing, or every rise since the last that was none."""
        if self.history is None:
            return
        told, writing = 0, self.history.before(self._now, slot, member)
        while writing is not None:
            if told == ELEMENTS or self._depth >= WRITINGS or self.left <= 0:
                yield self.more()
                return
            by = self._rise(writing)
            yield self._at(writing, by)
            if by is None:
                return
            told, writing = told + 1, self.history.before(writing.number, slot, member)

    def _effect(self, writing: Writing) -> tuple[Do, SetMarker]:
        node = self.program.nodes[writing.node]
        assert isinstance(node, Do) and isinstance(node.effect, SetMarker)
        return node, node.effect

    def _rise(self, writing: Writing) -> Expression | None:
        """By how much a marker rose, if that is how it was written."""
        _, effect = self._effect(writing)
        match effect.value:
            case ir.Add(left=ir.Read(place=place), right=by) if place == effect.marker:
                return by
            case ir.Subtract(left=ir.Read(place=place), right=by) if place == effect.marker:
                return ir.Negative(by)
            case _:
                return None

    def _writing(self, writing: Writing, by: Expression | None) -> Explained:
        node, effect = self._effect(writing)
        told = self.explain(effect.value if by is None else by, "set")
        at = node.at
        how = f"{'written' if by is None else 'rises'} in event {writing.event}"
        if told.name is None and not told.parts:
            said = how if told.said == told.value else f"{how}: {told.said}"
            return self.node(said, told.value, "set", (), at)
        return self.node(how, told.value, "set", (attrs.evolve(told, role=""),), at)

    def _at(self, writing: Writing, by: Expression | None) -> Explained:
        """Explain a writing on the table as it was then."""
        outer = self.context, self.known, self._now
        procedure = self._procedure(writing.node)
        self.context = Context(self.program, self.layout, writing.cells, [*writing.locals, *[0] * self.locals])
        self.known, self._now = self.kinds.procedures[procedure], writing.number
        self._depth += 1
        try:
            return self._writing(writing, by)
        finally:
            self.context, self.known, self._now = outer
            self._depth -= 1

    def _procedure(self, node: int) -> int:
        """The procedure that a node is in."""
        entries = (procedure.entry for procedure in self.program.procedures)
        return next((n for n, entry in enumerate(entries) if node in reachable(self.program, entry)), 0)


def _is_leaf(formula: Expression) -> bool:
    """Whether there is nothing to tell of a formula beyond its own words."""
    match formula:
        case ir.MakeList(items=items):
            return all(map(_is_leaf, items))
        case ir.Remainder(left=ir.Subtract(left=ir.Constant()), right=ir.SeatCount()):
            return True  # a seat by its number
        case _:
            return isinstance(formula, _LEAVES)


def _inner(formula: Expression) -> Iterator[Expression]:
    expressions = get_args(Expression)
    for part in children(formula):
        if isinstance(part, expressions):
            yield part


def _locals_of(formula: Expression) -> Iterator[ir.Local]:
    return (part for part in walk(formula) if isinstance(part, ir.Local))
