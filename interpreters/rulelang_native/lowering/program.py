"""A whole closed program in its flat form.

What is known of values is found on the way: the program is lowered again until nothing more is learnt. From the round
`WIDE` on what still changes is taken to be anything; that goes from each define to the ones that it uses in one round.
"""

from __future__ import annotations

from typing import TypeVar, cast

from rulelang import limits
from rulelang.ir import nodes as nodes_ir
from rulelang.ir.calls import inner_first, opens
from rulelang.ir.cost import Costs
from rulelang.ir.expressions import Apply, Expression, Local, Partition, Read, Slot, Value, Words
from rulelang.ir.laps import reachable
from rulelang.ir.measure import Scope
from rulelang.ir.program import Move, Program, These, Zone
from rulelang.ir.sizes import members, started
from rulelang.ir.types import PickType, SaidType, SingleType
from rulelang.ir.walk import walk
from rulelang.play import kinds
from rulelang.play.kinds import Layout
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Known
from rulelang_native.flat.program import Division, Failure, FlatProgram, Function, Procedure
from rulelang_native.lowering import moves, searches
from rulelang_native.lowering.body import ALWAYS, Body, Found, refuted
from rulelang_native.lowering.facts import DIVISION, UNSEEN_YET, ZERO, Fact, fact_of, number
from rulelang_native.lowering.failing import NotLowered, about
from rulelang_native.lowering.flow import Writer, plain_procedures
from rulelang_native.lowering.formulas import fact_of_kind, fact_of_slot, member, truth, value

ROUNDS, WIDE = 12, 4
"""Rounds of lowering, beside one for each define and rule, and the round from which on what grows is anything."""

Key = TypeVar("Key")

SMALL = 24
"""Functions of so many parts are written out where they are applied."""

_ = searches  # enters its classes


class Lowering:
    """One closed program on its way to its flat form."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.layout = Layout.of(program)
        costs = Costs(program)
        self.costs = costs
        self.node_costs = tuple(costs.node(each) for each in range(len(program.nodes)))
        self.attempt_costs = tuple(_attempt_cost(costs, each, move) for each, move in enumerate(program.moves))
        self.advice_costs = tuple(costs.measures.preference(each) for each in program.preferences)
        self.metered = not _is_bounded(program, costs)
        self.plain = frozenset() if _deepest(program) > limits.WINDOW_DEPTH else plain_procedures(program)
        self.held = tuple(fact_of_slot(self, slot) for slot in range(len(program.slots)))
        self.crowded = _is_crowded(program)
        """Whether there are more pieces than one zone may hold."""
        self.risks: dict[int, bool] = {}
        """Whether listing a move can fail."""
        self._failures: dict[Failure, int] = {}
        self._divisions: dict[int, int] = {}
        self._groups: dict[int, Fact] = {}
        self._partitions: list[Partition] = []
        self._parameters: dict[tuple[int, int], Fact] = {}
        self._results: dict[int, Fact] = {}
        self._failing: dict[int, bool] = {}
        self._locals: dict[tuple[int, int], Fact] = {}
        self._sizes: dict[int, int] = {}
        """The parts of each function, with those of the functions that it applies."""
        for each in self._callees_first():
            inside = {
                id(inner)
                for part in walk(program.functions[each].body)
                if isinstance(part, Partition)
                for formula in (part.condition, part.worth)
                for inner in walk(formula)
            }  # what a group is worth is a function of its own
            parts = [part for part in walk(program.functions[each].body) if id(part) not in inside]
            applied = sum(self._sizes[part.function] for part in parts if isinstance(part, Apply))
            self._sizes[each] = len(parts) + applied
        self._unsure: set[int] = set()
        """Divisions where judging a bag can fail."""
        self._blind: set[tuple[str, int]] = set()
        """Zones and markers of which it can be impossible to tell who sees them."""
        self._nodes: dict[int, frozenset[int]] = {}
        self._changed = True
        self._round = 0

    # -------------------------------------------------------------- what parts of the program ask

    def failure(self, failure: Failure) -> int:
        """The number of a failure."""
        return self._failures.setdefault(failure, len(self._failures))

    def shared(self, known: Value) -> Found:
        """A constant."""
        return Known(known), fact_of(known)

    def kind_fact(self, kind: SingleType) -> Fact:
        """What is known of a value of a kind."""
        return fact_of_kind(self, kind)

    def answer_fact(self, kind: SingleType) -> Fact:
        """What is known of an answer: a pick is a bag, what is said a list."""
        if isinstance(kind, SaidType):
            one = fact_of_kind(self, kind.of)
            return Fact(1, one.low, one.high, kinds.bound(kind.most))
        if isinstance(kind, PickType):
            one = fact_of_kind(self, kind.of)
            return Fact(1, one.low, one.high, kinds.bound(kind.count), ordered=True)
        return fact_of_kind(self, kind)

    def small(self, function: int) -> bool:
        """Whether a function is rather written out where it is applied, with all that it applies itself."""
        return self._sizes[function] <= SMALL

    def can_fail(self, function: int) -> bool:
        """Whether working out a function can fail."""
        return self._failing.get(function, False)

    def function(self, function: int, arguments: list[Fact]) -> tuple[Fact, bool]:
        """What a function gives, and whether it can fail; it may be given such arguments."""
        for place, fact in enumerate(arguments):
            self._learn(self._parameters, (function, place), fact)
        return self._results.get(function, UNSEEN_YET), self.can_fail(function)

    def learn(self, procedure: int, local: int, fact: Fact) -> None:
        """A local of a procedure can hold such values."""
        self._learn(self._locals, (procedure, local), fact)

    def moved_by(self, move: int, seats: Fact) -> None:
        """A move can be made by such seats."""
        self.learn(self.program.moves[move].procedure, 0, seats)

    def local_fact(self, procedure: int, local: int) -> Fact:
        """What a local of a procedure can hold."""
        parameters = self.program.procedures[procedure].parameters
        start = UNSEEN_YET if local < parameters else ZERO
        return self._locals.get((procedure, local), start).joined(start)

    def division(self, formula: Partition, fact: Fact) -> int:
        """The number of a way to divide bags."""
        if id(formula) not in self._divisions:
            self._divisions[id(formula)] = len(self._partitions)
            self._partitions.append(formula)
        number_ = self._divisions[id(formula)]
        self._learn(self._groups, number_, Fact(1, fact.low, fact.high, limits.DIVIDED, ordered=True))
        return number_

    def _learn(self, facts: dict[Key, Fact], key: Key, fact: Fact) -> None:
        before = facts.get(key, UNSEEN_YET)
        after = before.joined(fact)
        if after != before:
            facts[key] = after.wide() if self._round >= WIDE else after
            self._changed = True

    def nodes_of(self, procedure: int) -> frozenset[int]:
        """The nodes of a procedure."""
        if procedure not in self._nodes:
            self._nodes[procedure] = frozenset(reachable(self.program, self.program.procedures[procedure].entry))
        return self._nodes[procedure]

    def can_remember(self, procedure: int, locals: list[Value]) -> bool:
        """Whether a frame of a procedure can ever hold these: what lowering took for granted."""
        return all(_is_within(value, self.local_fact(procedure, place)) for place, value in enumerate(locals))

    # -------------------------------------------------------------- lowering

    def lower(self) -> FlatProgram:
        """The whole program."""
        found = self._once()
        most = ROUNDS + len(self.program.functions) + len(self.program.procedures)
        while self._changed and self._round < most:
            found = self._once()
        if self._changed:
            raise NotLowered("what is known of its values does not settle")
        return found

    def _once(self) -> FlatProgram:
        self._changed = False
        self._round += 1
        program = self.program
        for move in program.moves:
            for place, parameter in enumerate(move.parameters, 1):
                self.learn(move.procedure, place, self.answer_fact(parameter.type))
        functions = [self._function(each) for each in self._callees_first()]
        procedures = tuple(self._procedure(each) for each in range(len(program.procedures)))
        for number_, move in enumerate(program.moves):
            with about(move.name, move.at):
                functions.append(moves.listing(self, number_))
                functions += [moves.domain(self, number_, place) for place in range(len(move.parameters))]
                functions += [moves.requirement(self, number_, place) for place in range(len(move.requirements))]
        for number_, each in enumerate(program.preferences):
            with about("prefer", each.at):
                functions.append(moves.preference(self, number_, each))
        functions += self._sights() + self._invariants() + self._waits()
        done = 0
        while done < len(self._partitions):
            functions.append(self._worth(done))
            done += 1
        divisions = tuple(self._divided(number_) for number_ in range(len(self._partitions)))
        return FlatProgram(tuple(functions), procedures, tuple(self._failures), divisions, self.metered)

    def _callees_first(self) -> tuple[int, ...]:
        functions = self.program.functions
        applied = [sorted({part.function for part in walk(each.body) if isinstance(part, Apply)}) for each in functions]
        return inner_first(len(functions), lambda each: applied[each])[0]

    def _function(self, number_: int) -> Function:
        declared = self.program.functions[number_]
        locals: dict[int, Found] = {
            place: (flat.Name(f"a{place}"), self._parameters.get((number_, place), UNSEEN_YET))
            for place in range(declared.parameters)
        }
        body = Body(self, locals)
        with about(declared.name, declared.at):
            found, fact = value(body, declared.body)
        body.add(st.Give(found))
        self._learn(self._results, number_, fact)
        if body.fails and not self._failing.get(number_, False):
            self._failing[number_] = self._changed = True
        names = tuple(f"a{place}" for place in range(declared.parameters))
        return Function(f"f{number_}", names, tuple(body.statements), comment=declared.name)

    def _procedure(self, number_: int) -> Procedure:
        declared = self.program.procedures[number_]
        with about(declared.name, declared.at):
            return Writer(self, number_).write()

    def framed(self, number_: int, extra: frozenset[int]) -> Procedure:
        """A procedure over a frame, with blocks at further nodes."""
        return Writer(self, number_, framed=True, extra=extra).write()

    def _divided(self, number_: int) -> Division:
        whole, fact = self._partitions[number_].whole, self._groups[number_]
        if number_ in self._unsure or fact.high - fact.low >= limits.COLLECTION:
            return Division(f"worth{number_}", whole)
        return Division(f"worth{number_}", whole, fact.low, fact.high)

    def _worth(self, number_: int) -> Function:
        formula = self._partitions[number_]
        body = Body(self, {formula.variable.number: (flat.Name("group"), self._groups[number_])})
        holds = truth(body, formula.condition)
        if holds != ALWAYS:
            body.add(st.If(refuted(holds), (st.Give(Known(())),)))
        found, _ = value(body, formula.worth)
        body.add(st.Give(flat.Items((found,))))
        if body.fails:
            self._unsure.add(number_)
        return Function(f"worth{number_}", ("group",), tuple(body.statements))

    def _sights(self) -> list[Function]:
        """Who sees what, where that depends on the table."""
        found: list[Function] = []
        for slot, declared in enumerate(self.program.slots):
            for part in ("content", "top", "size"):
                seats = getattr(declared.sight, part)
                if isinstance(seats, These):
                    low = fact_of_kind(self, declared.index[0]) if declared.index else number(-1, -1)
                    body = Body(self, {seats.owner.number: (flat.Name("owner"), low)})
                    with about(declared.name, declared.at):
                        row, _ = value(body, seats.seats)
                    body.add(st.Give(row))
                    if body.fails:
                        self._blind.add((part, slot))
                    found.append(Function(f"{part}{slot}", ("owner",), tuple(body.statements), comment=declared.name))
        return found

    def _invariants(self) -> list[Function]:
        found: list[Function] = []
        for number_, invariant in enumerate(self.program.invariants):
            body = Body(self, {})
            with about(invariant.name, invariant.at):
                holds = truth(body, invariant.condition)
            body.add(st.Give(holds if isinstance(holds, Known) else flat.AsNumber(holds)))
            found.append(Function(f"invariant{number_}", (), tuple(body.statements), comment=invariant.name))
        return found

    def _waits(self) -> list[Function]:
        """How the game ends, at every node where it does; and the seats or the urn of a node are those of its block."""
        found: list[Function] = []
        for number_, procedure in enumerate(self.program.procedures):
            locals: dict[int, Found] = {
                place: (flat.Remembered(place), self.local_fact(number_, place))
                for place in range(len(procedure.locals))
            }
            for at in sorted(reachable(self.program, procedure.entry)):
                node = self.program.nodes[at]
                if isinstance(node, nodes_ir.End):
                    body = Body(self, dict(locals))
                    with about(procedure.name, node.at):
                        _ending(body, node.outcome)
                    found.append(Function(f"end{number_}_{at}", (), tuple(body.statements), "framed", frame=number_))
        return found

    def words_can_fail(self, words: Words | None, locals: dict[int, Found]) -> bool:
        """Whether saying words can fail."""
        if words is None:
            return False
        body = Body(self, dict(locals))
        for part in words.parts:
            if not isinstance(part, str):
                try:
                    value(body, part.value)
                except NotLowered:  # a text of a table: it is said as it stands
                    body.fails = body.fails or _row_can_fail(body, part.value)
        return body.fails

    def frame_locals(self, procedure: int) -> dict[int, Found]:
        """What stands for the locals of a frame."""
        return {
            place: (flat.Remembered(place), self.local_fact(procedure, place))
            for place in range(len(self.program.procedures[procedure].locals))
        }

    def shown_can_fail(self, number_: int) -> bool:
        """Whether telling who is shown the parts of an answer can fail."""
        move = self.program.moves[number_]
        body = Body(self, moves.answer_locals(self, move))
        body.locals[0] = (flat.Name("me"), self.local_fact(move.procedure, 0))
        for parameter in move.parameters:
            for read in parameter.named_places:
                place = cast(Read, read).place
                member(body, place)
                body.fails |= ("content", place.slot) in self._blind
        return body.fails

    def shown_below(self, number_: int) -> int | None:
        """The seats for which telling who is shown the parts of an answer does not fail are those below this number;
        None if that depends on anything else."""
        move, most = self.program.moves[number_], kinds.seat_count(self.program) + 1
        for parameter in move.parameters:
            for read in parameter.named_places:
                place = cast(Read, read).place
                family = self.layout.families[place.slot]
                body = Body(self, moves.answer_locals(self, move))
                body.locals[0] = (flat.Name("me"), self.local_fact(move.procedure, 0))
                member(body, place)
                if ("content", place.slot) in self._blind:
                    return None
                if body.fails:
                    match place:
                        case Slot(indices=(Local(number=0),)):  # that of who moves, who may be the table
                            most = min(most, family.lows[0] + family.sizes[0])
                        case _:
                            return None
        return most


def _is_within(value: Value, fact: Fact) -> bool:
    """Whether a fact allows a value."""
    if value == 0 or fact.nothing:
        return value == 0
    if fact.depth == DIVISION:
        return isinstance(value, tuple)
    if isinstance(value, int):
        return fact.depth == 0 and fact.low <= value <= fact.high
    return (
        fact.depth > 0
        and len(value) <= fact.length
        and (not fact.ordered or list(value) == sorted(value))
        and all(_is_within(each, fact.element) for each in value)
    )


def _row_can_fail(body: Body, formula: Expression) -> bool:
    value(body, formula.row)  # type: ignore[union-attr]
    return body.fails


def _ending(body: Body, outcome: nodes_ir.Outcome) -> None:
    """The numbers that an outcome states: seats, one amount a seat, or a grade."""
    seats = kinds.seat_count(body.lowering.program)
    match outcome:
        case nodes_ir.Winners() | nodes_ir.Unresolved():
            row, _ = value(body, outcome.seats)
            body.add(st.Give(row))
        case nodes_ir.Amounts():
            found, _ = value(body, outcome.seats)
            listed = body.keep(found)
            body.add(st.Gather("amounts"))
            name = body.name("x")
            with body.loop(name, number(0, seats - 1), outcome.variable.number) as each:
                with body.inside() as inner:
                    amount, _ = value(body, outcome.amount)
                    body.add(st.Put("amounts", amount))
                body.add(st.If(flat.Has(listed, flat.Name(name)), tuple(inner), (st.Put("amounts", Known(0)),)))
            body.add(st.Each(name, flat.Span(Known(0), Known(seats - 1)), tuple(each)))
            body.add(st.Give(flat.Finished("amounts")))
        case nodes_ir.Grade():
            found, _ = value(body, outcome.grade)
            body.add(st.Give(flat.Items((found,))))
        case _:
            body.add(st.Give(Known(())))


def _attempt_cost(costs: Costs, number_: int, move: Move) -> int:
    scope = Scope(("move", number_))
    formulas = [parameter.domain for parameter in move.parameters]
    formulas += [requirement.condition for requirement in move.requirements]
    return sum(costs.measures.formula(formula, scope).cost for formula in formulas)


def _is_bounded(program: Program, costs: Costs) -> bool:
    """Whether no event can cost more than the limit, whatever happens."""
    setup = costs.setup()
    if setup is None or setup > limits.SETUP_COST:
        return False
    for at in sorted({n for each in program.procedures for n in reachable(program, each.entry)}):
        node = program.nodes[at]
        shuffles = isinstance(node, nodes_ir.Do) and type(node.effect).__name__ == "Shuffle"
        if isinstance(node, nodes_ir.Decide | nodes_ir.Chance) or shuffles:
            bound = costs.event(at)
            if bound is None or bound > limits.EVENT_COST:
                return False
    return True


def _deepest(program: Program) -> int:
    """The most frames that can be open at once."""
    opened: dict[int, list[int]] = {}
    sealed: dict[int, int] = {}
    seats = kinds.seat_count(program)
    for number_, procedure in enumerate(program.procedures):
        opened[number_] = []
        sealed[number_] = 0
        for at in sorted(reachable(program, procedure.entry)):
            node = program.nodes[at]
            opened[number_] += opens(program, node)
            if isinstance(node, nodes_ir.Decide) and isinstance(node.asked, nodes_ir.SealedSeats):
                sealed[number_] = seats
    order, _ = inner_first(len(opened), lambda each: opened[each])
    depth: dict[int, int] = {}
    for number_ in order:
        depth[number_] = 1 + sealed[number_] + max((depth[each] for each in opened[number_]), default=0)
    return depth[0]


def _is_crowded(program: Program) -> bool:
    total = 0
    for slot, declared in enumerate(program.slots):
        if isinstance(declared, Zone):
            total += members(program, slot) * started(program, declared)
    return total > limits.COLLECTION
