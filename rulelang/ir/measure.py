"""Static size and cost of formulas in a closed, verified program. Spec 16.2; the units are stated in `cost`.

A formula's *extent* says how many elements its value can have: nothing for a single value, (n) for a collection,
(n, m) for a list of lists. The extent of a local or of a function's parameter is the largest of everything that is ever
put there: all formulas of the program are gone through until nothing grows any more. What still grows after
`ROUNDS` rounds counts as the largest collection there is.
"""

from collections.abc import Iterable, Mapping
from math import comb
from typing import Literal, TypeAlias, assert_never

import attrs

from rulelang.ir.directions import ACROSS, AROUND, BESIDE
from rulelang.ir.effects import SetLocal
from rulelang.ir.expressions import (
    AllOf,
    Apply,
    Cell,
    CellsBeside,
    Choose,
    Collect,
    Conditional,
    Constant,
    Distinct,
    EdgesOf,
    Every,
    Exists,
    Expression,
    Extreme,
    From,
    Item,
    Join,
    Last,
    Lines,
    Linked,
    Local,
    MakeList,
    Neighbours,
    Number,
    Partition,
    PartitionPart,
    Picks,
    Ranks,
    Rays,
    Read,
    Select,
    Size,
    Span,
    Total,
    Value,
    Without,
)
from rulelang.ir.laps import reachable
from rulelang.ir.nodes import AnyOf, Call, Chance, Do, Loop
from rulelang.ir.program import Preference, Program, Zone
from rulelang.ir.shapes import fields_of
from rulelang.ir.sizes import board_size, number_in, pieces, size
from rulelang.ir.types import CollectionType, PickType, SaidType, SingleType
from rulelang.limits import COLLECTION

ROUNDS = 8

Extent: TypeAlias = tuple[int, ...]
Frame: TypeAlias = tuple[Literal["function", "procedure", "move", "none"], int]
Search = Exists | Every | Select | Choose | Number | Total | Extreme | Collect

NO_FRAME: Frame = ("none", 0)
LARGEST: Extent = (COLLECTION, COLLECTION)


@attrs.frozen
class Measure:
    """What a formula costs at most, and how large its value can be."""

    cost: int
    extent: Extent


@attrs.frozen
class Scope:
    """Where a formula stands: its frame, and the extents of the search variables around it."""

    frame: Frame
    variables: Mapping[int, Extent] = {}

    def inside(self, variable: Local, extent: Extent) -> "Scope":
        """The scope inside a search."""
        return Scope(self.frame, {**self.variables, variable.number: extent})


class Measures:
    """The measures of one program's formulas."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._extents: dict[tuple[Frame, int], Extent] = {}
        self._results: dict[int, Extent] = {}
        self._bodies: dict[int, Measure] = {}
        self._pieces: dict[SingleType, int] = {}
        self._growing = True
        self._settled = False
        self._saturated = False
        self._settle()

    # -------------------------------------------------------------- extents of locals

    def _settle(self) -> None:
        """Go through the program until no extent grows."""
        for _ in range(ROUNDS):
            if self._growing:
                self._growing = False
                self._go_through()
        self._saturated = self._growing
        self._settled = True

    def _go_through(self) -> None:
        program = self.program
        for number, procedure in enumerate(program.procedures):
            scope = Scope(("procedure", number))
            for node in reachable(program, procedure.entry):
                self._go_through_node(node, scope)
        for number, move in enumerate(program.moves):
            scope = Scope(("move", number))
            formulas = [p.domain for p in move.parameters] + [r.condition for r in move.requirements]
            for formula in formulas:
                self.formula(formula, scope)
            for place, parameter in enumerate(move.parameters, 1):
                match parameter.type:
                    case PickType(count=most) | SaidType(most=most):
                        for frame in (scope.frame, ("procedure", move.procedure)):
                            self._put(frame, place, (number_in(most),))
                    case _:
                        pass
        for formula in outside_formulas(program):
            self.formula(formula, Scope(NO_FRAME))
        for preference in program.preferences:
            self.preference(preference)
        for number, function in reversed(list(enumerate(program.functions))):
            extent = self.formula(function.body, Scope(("function", number))).extent
            joined = _larger(extent, self._results.get(number, ()))
            self._growing |= joined != self._results.get(number, ())
            self._results[number] = joined

    def preference(self, preference: Preference) -> int:
        """What it costs at most to look at one answer."""
        scope = Scope(NO_FRAME if preference.move is None else ("move", preference.move))
        formulas = [preference.condition, *(rank.value for rank in preference.ranks)]
        return sum(self.formula(formula, scope).cost for formula in formulas)

    def _go_through_node(self, number: int, scope: Scope) -> None:
        node = self.program.nodes[number]
        match node:
            case Do(effect=SetLocal(local=local, value=value)):
                self._put(scope.frame, local.number, self.formula(value, scope).extent)
            case Loop():
                items = self.formula(node.items, scope).extent
                self._put(scope.frame, node.item.number, items[1:])
            case Call():
                for place, argument in enumerate(node.arguments):
                    self._put(("procedure", node.procedure), place, self.formula(argument, scope).extent)
            case Chance(distribution=AnyOf(collection=collection)):
                self._put(scope.frame, node.result.number, self.formula(collection, scope).extent[1:])
            case _:
                for formula in formulas_in(node):
                    self.formula(formula, scope)

    def _put(self, frame: Frame, number: int, extent: Extent) -> None:
        old = self._extents.get((frame, number), ())
        joined = _larger(old, extent)
        if joined != old:
            self._extents[frame, number] = joined
            self._growing = True

    def _local(self, number: int, scope: Scope) -> Extent:
        if number in scope.variables:
            return scope.variables[number]
        if self._saturated or scope.frame == NO_FRAME:
            return LARGEST
        return self._extents.get((scope.frame, number), ())

    # -------------------------------------------------------------- formulas

    def formula(self, formula: Expression, scope: Scope) -> Measure:
        """The measure of one formula."""
        if isinstance(formula, Search):
            return self._search(formula, scope)
        if isinstance(formula, Partition):
            return self._partition(formula, scope)
        if isinstance(formula, Local):
            return Measure(1, self._local(formula.number, scope))
        parts = [self.formula(part, scope) for part in operands(formula)]
        cost = 1 + sum(part.cost for part in parts)
        extents = [part.extent for part in parts]
        if isinstance(formula, Apply):
            return self._apply(formula, cost, extents)
        extent = self._counted(formula, scope) or self._extent(formula, extents)
        if isinstance(formula, Picks):
            cost += extent[0]
        if isinstance(formula, Linked):
            cost += extent[0] * len(BESIDE[self.program.boards[formula.board].shape])
        return Measure(cost, extent)

    def _counted(self, formula: Expression, scope: Scope) -> Extent:
        """Of ``1..size of S``: as many numbers as S can have members."""
        match formula:
            case Span(low=Constant(value=int() as low), high=Size(collection=collection)) if low >= 1:
                members = self.formula(collection, scope).extent
                return (min(number_in(formula.capacity), members[0]),) if members else ()
            case _:
                return ()

    def _apply(self, formula: Apply, cost: int, arguments: list[Extent]) -> Measure:
        if not self._settled:
            for place, extent in enumerate(arguments):
                self._put(("function", formula.function), place, extent)
            return Measure(cost, self._results.get(formula.function, ()))
        body = self._bodies.get(formula.function)
        if body is None:
            frame: Frame = ("function", formula.function)
            body = self.formula(self.program.functions[formula.function].body, Scope(frame))
            self._bodies[formula.function] = body
        return Measure(cost + body.cost, body.extent)

    def _partition(self, formula: Partition, scope: Scope) -> Measure:
        """A unit for each group there can be of the kind; what makes a group is worked out once for a whole program."""
        collection = self.formula(formula.collection, scope)
        low, high = number_in(formula.low), number_in(formula.high)
        inner = scope.inside(formula.variable, (high,))
        groups = self.formula(formula.condition, inner).cost + self.formula(formula.worth, inner).cost
        of = size(self.program, formula.of)
        for count in range(max(low, 1), min(high, 64) + 1):
            groups += min(comb(of + count - 1, count), COLLECTION) if of else 0
        return Measure(1 + collection.cost + groups, collection.extent)

    def _search(self, formula: Search, scope: Scope) -> Measure:
        domain = self.formula(formula.domain, scope)
        laps, element = (domain.extent or (1,))[0], domain.extent[1:]
        inner = scope.inside(formula.variable, element)
        lap = self.formula(formula.condition, inner).cost
        extent: Extent = ()
        cost = 1 + domain.cost
        match formula:
            case Select():
                extent = domain.extent
                lap += sum(self.formula(rank.value, inner).cost for rank in formula.ranks)
            case Choose():
                none = self.formula(formula.none, scope)
                extent = _larger(element, none.extent)
                cost += none.cost
                lap += sum(self.formula(rank.value, inner).cost for rank in formula.ranks)
            case Extreme():
                cost += self.formula(formula.none, scope).cost
                lap += self.formula(formula.value, inner).cost
            case Total():
                lap += self.formula(formula.value, inner).cost
            case Collect():
                value = self.formula(formula.value, inner)
                extent = (laps, *value.extent)[:2]
                lap += value.cost
            case _:
                pass
        return Measure(cost + laps * lap, extent)

    def _extent(self, formula: Expression, parts: list[Extent]) -> Extent:
        match formula:
            case Constant():
                return _constant(formula.value)
            case AllOf():
                return (size(self.program, formula.type),)
            case Read():
                return self.place(formula.place.slot)
            case Cell():
                values = self.program.tables[formula.table].columns[formula.column].values
                lists = [value for value in values if isinstance(value, tuple)]
                return (max(map(len, lists)),) if lists else ()
            case Conditional():
                return _larger(parts[1], parts[2])
            case Span():
                return (number_in(formula.capacity),)
            case MakeList():
                return (len(formula.items),)
            case Join():
                count = sum(part[0] for part in parts if part)
                return (min(count, COLLECTION), *_larger(*parts)[1:])
            case Without() | Distinct() | From():
                return parts[0]
            case Picks():
                return _picks(parts[0], number_in(formula.count))
            case PartitionPart(part="rest"):
                return parts[0]
            case PartitionPart(part="groups"):
                return (*parts[0], *parts[0])[:2]
            case Item() | Last():
                return _larger(parts[0][1:], parts[-1])
            case Lines() | Ranks() | Neighbours() | Rays() | Linked() | EdgesOf() | CellsBeside():
                return self._board(formula)
            case _:
                return ()

    def _board(self, formula: Lines | Ranks | Neighbours | Rays | Linked | EdgesOf | CellsBeside) -> Extent:
        rows, columns = board_size(self.program, formula.board)
        shape = self.program.boards[formula.board].shape
        match formula:
            case Lines():
                length = number_in(formula.length)
                across, up = max(0, columns - length + 1), max(0, rows - length + 1)
                return (rows * across + columns * up + len(ACROSS[shape]) * across * up, length)
            case Ranks(direction="rows"):
                return (rows, columns)
            case Ranks(direction="columns"):
                return (columns, rows)
            case Ranks():
                return (len(ACROSS[shape]) * (abs(rows - columns) + 1), min(rows, columns))
            case Neighbours():
                return (len((AROUND if formula.around else BESIDE)[shape]),)
            case Rays():
                return (len(AROUND[shape]), max(rows, columns) - 1)
            case Linked():
                return (rows * columns,)
            case EdgesOf():
                return (4,)
            case CellsBeside():
                return (2,)
            case _:
                assert_never(formula)

    def place(self, slot: int) -> Extent:
        """How much a zone can hold or a marker can say."""
        declared = self.program.slots[slot]
        if not isinstance(declared, Zone):
            return (number_in(declared.type.capacity),) if isinstance(declared.type, CollectionType) else ()
        if declared.shape == "slot":
            return (1,)
        return (self.pieces(declared.content),)

    def pieces(self, content: SingleType) -> int:
        """How many pieces of a content kind there are."""
        if content not in self._pieces:
            self._pieces[content] = pieces(self.program, content)
        return self._pieces[content]


# ------------------------------------------------------------------ parts of formulas

_OPERANDS: dict[type, tuple[str, ...]] = {}


def operands(value: object) -> Iterable[Expression]:
    """The formulas that are worked out for a formula, place, effect or node, in order; a capacity never is."""
    kind = type(value)
    if kind not in _OPERANDS:
        names = []
        for name, shape in fields_of(kind):
            classes = (shape.items or shape).classes
            if name != "capacity" and ("Constant" in classes or "Slot" in classes):
                names.append(name)
        _OPERANDS[kind] = tuple(names)
    for name in _OPERANDS[kind]:
        part = getattr(value, name)
        for item in part if isinstance(part, tuple) else (part,):
            if type(item).__name__ in ("Slot", "Member"):
                yield from operands(item)
            else:
                yield item


def formulas_in(node: object) -> Iterable[Expression]:
    """The formulas that are worked out when a node is carried out."""
    yield from operands(node)
    for name in ("effect", "asked", "distribution", "outcome"):
        part = getattr(node, name, None)
        if part is not None:
            yield from operands(part)


def outside_formulas(program: Program) -> Iterable[Expression]:
    """The formulas of invariants and of what lies on the table before play; their locals are search variables."""
    for invariant in program.invariants:
        yield invariant.condition
    for slot in program.slots:
        if isinstance(slot, Zone):
            for start in slot.starts:
                yield start.values
                yield start.times
        else:
            yield slot.initial


def _constant(value: Value) -> Extent:
    if isinstance(value, int):
        return ()
    inner = [len(item) for item in value if isinstance(item, tuple)]
    return (len(value), max(inner)) if inner else (len(value),)


def _larger(left: Extent, right: Extent) -> Extent:
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    padded = (*shorter, *(0 for _ in range(len(longer) - len(shorter))))
    return tuple(map(max, longer, padded))


def _picks(extent: Extent, count: int) -> Extent:
    """As many bags as that many elements can be taken out of so many, all different."""
    return (min(comb(extent[0], count), COLLECTION), count) if extent and extent[0] >= count >= 0 else (0, count)
