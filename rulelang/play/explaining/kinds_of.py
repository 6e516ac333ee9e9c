"""The kind of every formula of a program, so that its value can be said in the kind's words.

A formula of the IR says its kind only where it must. The rest follows from its parts: from what zones hold and markers
say, and for the locals of defines and rules from everything that is put there. None is a kind that nothing tells.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from rulelang.ir import expressions as ir
from rulelang.ir.effects import SetLocal
from rulelang.ir.expressions import Expression
from rulelang.ir.laps import reachable, successors
from rulelang.ir.nodes import AnyOf, Call, Chance, Do, Loop, TopOf
from rulelang.ir.program import Function, Program, These, Zone
from rulelang.ir.types import (
    CellType,
    CollectionType,
    EdgeType,
    FlagType,
    MemberType,
    NumberType,
    OptionalType,
    PickType,
    RecordType,
    RowType,
    SaidType,
    SeatType,
    Type,
)
from rulelang.ir.walk import children, walk
from rulelang.play.folding import Search

Locals = Mapping[int, Type | None]

NUMBER: Final = NumberType(ir.Constant(0), ir.Constant(0))
FLAG: Final = FlagType()
ANY: Final = ir.Constant(0)
"""The capacity of a collection whose capacity does not matter here."""
ROUNDS: Final = 4

_NUMBERS = (
    ir.SeatCount,
    ir.Add,
    ir.Subtract,
    ir.Multiply,
    ir.Quotient,
    ir.Remainder,
    ir.Negative,
    ir.Smaller,
    ir.Larger,
    ir.Size,
    ir.Occurrences,
    ir.Number,
    ir.Total,
    ir.RowOf,
    ir.ColumnOf,
)
_FLAGS = (ir.Equal, ir.Less, ir.AtMost, ir.Contains, ir.Not, ir.Both, ir.Either, ir.Exists, ir.Every)


def listing(of: Type | None, shape: Literal["list", "bag"] = "list") -> Type:
    """A collection of a kind."""
    return CollectionType(shape, of if of is not None else NUMBER, ANY)


def element(kind: Type | None) -> Type | None:
    """The kind of a collection's elements."""
    return kind.of if isinstance(kind, CollectionType) else kind


class Kinds:
    """The kinds of one program's formulas."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._results: dict[tuple[int, tuple[Type | None, ...]], Type | None] = {}
        self.procedures: tuple[dict[int, Type | None], ...] = tuple({} for _ in program.procedures)
        """The kinds of the locals of every procedure."""
        for move in program.moves:
            locals = self.procedures[move.procedure]
            locals[0] = SeatType()
            for place, parameter in enumerate(move.parameters, 1):
                match parameter.type:
                    case PickType():
                        locals[place] = listing(parameter.type.of, "bag")
                    case SaidType():
                        locals[place] = listing(parameter.type.of)
                    case _:
                        locals[place] = parameter.type
        self.parameters: tuple[dict[int, Type | None], ...] = tuple({} for _ in program.functions)
        """The kinds of the parameters of every define: as they are used in it, or else as it is applied."""
        for function, known in zip(program.functions, self.parameters, strict=True):
            self._uses(function, known)
        for _ in range(ROUNDS):
            for number in range(len(program.procedures)):
                self._go_through(number)
        for _ in range(ROUNDS):
            self._go_through_calls()

    def _go_through(self, procedure: int) -> None:
        """Learn the kinds of locals from what a procedure puts there, and passes to others."""
        locals, waiting = self.procedures[procedure], [self.program.procedures[procedure].entry]
        seen: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            node = self.program.nodes[number]
            waiting.extend(successors(node))
            match node:
                case Do(
                    effect=SetLocal(local=local, value=ir.Remainder(left=ir.Add(left=turning), right=ir.SeatCount()))
                ) if local == turning:
                    _learn(locals, local.number, SeatType())  # whose turn it is, lap after lap
                case Do(effect=SetLocal(local=local, value=value)):
                    _learn(locals, local.number, self.of(value, locals))
                case Loop():
                    _learn(locals, node.item.number, element(locals.get(node.items.number)))
                case Call():
                    for place, argument in enumerate(node.arguments):
                        _learn(self.procedures[node.procedure], place, self.of(argument, locals))
                case Chance(distribution=AnyOf(collection=collection)):
                    _learn(locals, node.result.number, element(self.of(collection, locals)))
                case Chance(distribution=TopOf(pile=pile)):
                    _learn(locals, node.result.number, element(self.of(ir.Read(pile), locals)))
                case _:
                    pass

    def _uses(self, function: Function, known: dict[int, Type | None]) -> None:
        """Learn the kinds of a define's parameters from where they stand in it."""
        for part in walk(function.body):
            for formula, kind in self._wanted(part):
                match formula:
                    case ir.Local(number=number) | ir.Remainder(left=ir.Add(left=ir.Local(number=number))) if (
                        number < function.parameters
                    ):
                        _learn(known, number, kind)  # the second is the seat after a seat

    def _wanted(self, part: object) -> Iterator[tuple[Expression, Type]]:
        """The formulas directly inside a part that must be of a kind."""
        match part:
            case ir.Cell(table=table, row=row):
                yield row, RowType(table)
            case ir.Part(value=record, type=kind):
                yield record, kind
            case ir.Member(slot=slot, member=member):
                yield member, MemberType(slot)
            case ir.Slot(slot=slot, indices=indices):
                yield from zip(indices, self.program.slots[slot].index, strict=True)

    def _go_through_calls(self) -> None:
        """Learn the kinds of parameters of defines from the formulas that apply them."""
        for number, procedure in enumerate(self.program.procedures):
            for node in reachable(self.program, procedure.entry):
                self._calls(self.program.nodes[node], self.procedures[number])
        for move in self.program.moves:
            self._calls(move, self.procedures[move.procedure])
        for slot in self.program.slots:
            for seats in (slot.sight.content, slot.sight.top, slot.sight.size):
                if isinstance(seats, These):
                    self._calls(seats.seats, {seats.owner.number: SeatType()})
        for function, known in zip(self.program.functions, self.parameters, strict=True):
            self._calls(function.body, known)

    def _calls(self, part: object, locals: Locals) -> None:
        if isinstance(part, ir.Apply):
            for place, argument in enumerate(part.arguments):
                _learn(self.parameters[part.function], place, self.of(argument, locals))
        inner = self.inside(part, locals) if isinstance(part, Search) else locals
        for child in children(part):
            self._calls(child, inner)

    # ------------------------------------------------------------------ formulas

    def of(self, formula: Expression, locals: Locals) -> Type | None:
        """The kind of a formula's value."""
        if isinstance(formula, _NUMBERS):
            return NUMBER
        if isinstance(formula, _FLAGS):
            return FLAG
        match formula:
            case ir.NoneOf():
                return OptionalType(formula.type)
            case ir.AllOf():
                return listing(formula.type)
            case ir.OptionValue():
                return self.program.options[formula.option].type
            case ir.Local():
                return locals.get(formula.number)
            case ir.Read():
                return self.of_slot(formula.place.slot)
            case ir.Cell():
                return self.program.tables[formula.table].columns[formula.column].type
            case ir.Apply():
                return self.of_result(formula.function, self.given(formula, locals))
            case ir.Conditional():
                then = self.of(formula.then, locals)
                return then if then is not None else self.of(formula.otherwise, locals)
            case ir.Part(type=RecordType(fields=fields)):
                return fields[formula.field].type
            case ir.MakeRecord():
                return formula.type
            case _ if isinstance(formula, Search | ir.PartitionPart):
                return self._of_search(formula, locals)
            case _:
                return self._of_collection(formula, locals)

    def given(self, formula: ir.Apply, locals: Locals) -> tuple[Type | None, ...]:
        """The kinds of the arguments of a define: those of its parameters, as far as they are known."""
        wanted = self.parameters[formula.function]
        return tuple(wanted.get(n) or self.of(part, locals) for n, part in enumerate(formula.arguments))

    def of_slot(self, slot: int) -> Type:
        """What a zone or marker reads as."""
        declared = self.program.slots[slot]
        if isinstance(declared, Zone):
            return listing(declared.content, "bag" if declared.shape == "bag" else "list")
        return declared.type

    def of_result(self, function: int, given: tuple[Type | None, ...]) -> Type | None:
        """The kind of a define's value for arguments of these kinds."""
        key = (function, given)
        if key not in self._results:
            self._results[key] = None
            self._results[key] = self.of(self.program.functions[function].body, dict(enumerate(given)))
        return self._results[key]

    def inside(self, search: Search, locals: Locals) -> Locals:
        """The kinds of the locals inside a search: its variable is one of them."""
        if isinstance(search, ir.Partition):
            return {**locals, search.variable.number: listing(search.of, "bag")}
        return {**locals, search.variable.number: element(self.of(search.domain, locals))}

    def _of_search(self, formula: Search | ir.PartitionPart, locals: Locals) -> Type | None:
        match formula:
            case ir.Select():
                return listing(element(self.of(formula.domain, locals)))
            case ir.Choose():
                return element(self.of(formula.domain, locals))
            case ir.Extreme():
                return self.of(formula.value, self.inside(formula, locals))
            case ir.Collect():
                return listing(self.of(formula.value, self.inside(formula, locals)))
            case ir.PartitionPart(part="value"):
                return NUMBER
            case ir.PartitionPart(part="possible"):
                return FLAG
            case ir.PartitionPart():
                of = listing(self._divided(formula.partition, locals), "bag")
                return of if formula.part == "rest" else listing(of)
            case _:
                return None

    def _divided(self, partition: Expression, locals: Locals) -> Type | None:
        """The kind of the members of what is divided."""
        found = self.partition(partition)
        return found.of if found is not None else None

    def partition(self, formula: Expression) -> ir.Partition | None:
        """The division behind a formula, if that can be told without its values."""
        while isinstance(formula, ir.Apply):
            formula = self.program.functions[formula.function].body
        return formula if isinstance(formula, ir.Partition) else None

    def _of_collection(self, formula: Expression, locals: Locals) -> Type | None:
        match formula:
            case ir.Span():
                return listing(NUMBER)
            case ir.MakeList():
                kinds = (self.of(item, locals) for item in formula.items)
                return listing(next((kind for kind in kinds if kind is not None), None))
            case ir.Join() | ir.Without():
                left, right = self.of(formula.left, locals), self.of(formula.right, locals)
                of = element(left) if element(left) is not None else element(right)
                return listing(of, formula.shape)
            case ir.Distinct():
                return listing(element(self.of(formula.collection, locals)))
            case ir.Item() | ir.Last():
                return element(self.of(formula.collection, locals))
            case ir.From():
                return self.of(formula.collection, locals)
            case ir.Picks():
                return listing(listing(element(self.of(formula.collection, locals)), "bag"))
            case ir.Lines() | ir.Ranks() | ir.Rays():
                return listing(listing(CellType(formula.board)))
            case ir.Neighbours() | ir.Linked() | ir.CellsBeside():
                return listing(CellType(formula.board))
            case ir.CellAt():
                return OptionalType(CellType(formula.board))
            case ir.EdgesOf():
                return listing(EdgeType(formula.board))
            case _:
                return None


def _learn(locals: dict[int, Type | None], number: int, kind: Type | None) -> None:
    if locals.get(number) is None:
        locals[number] = kind
