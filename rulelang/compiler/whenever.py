"""`whenever C: end game, ...`: C is asked around every change of what it reads. Spec 9.8.

Rules are lowered as if nobody had written `whenever`; then every effect that can change what a condition reads is
surrounded:

    if C: the effect as it was
    otherwise: the effect; if C: the procedure of the `whenever`

So it is carried out if C was no before that one change and is yes after it, and nothing has to be remembered in
between. In a configuration in which C is no from the outset both questions are decided, and closing leaves the effect
alone.

Where several conditions read the same, some may hold before and others not; only then what held is kept in locals, and
they are cleared behind the effect, so that it makes no difference to later states.
"""

from collections.abc import Mapping

import attrs

from rulelang.ir import expressions as ir
from rulelang.ir.calls import applied_by
from rulelang.ir.effects import (
    Effect,
    Gather,
    Land,
    MoveAll,
    MoveAt,
    MovePieces,
    MoveTop,
    PickUp,
    SetLocal,
    SetMarker,
)
from rulelang.ir.laps import reachable
from rulelang.ir.nodes import Branch, Call, Do, Node
from rulelang.ir.origin import Source
from rulelang.ir.program import Program
from rulelang.ir.walk import walk

NO = ir.Constant(0)


@attrs.frozen
class Watch:
    """One `whenever`."""

    function: int
    """The condition, without parameters."""
    procedure: int
    """What is carried out: it ends the game on every way."""
    at: Source

    @property
    def condition(self) -> ir.Expression:
        """The condition as it is asked."""
        return ir.Apply(self.function, ())


def watching(program: Program, watches: tuple[Watch, ...]) -> Program:
    """The program with every condition asked wherever it can become true, in the order of the watches."""
    return _Watching(program, watches).program() if watches else program


def changed_by(effect: Effect) -> frozenset[int]:
    """The zones and markers of which a formula can read something else after an effect.

    A shuffle, and a card that is found out, change only what lies unseen, and that is read by nobody.
    """
    match effect:
        case SetMarker():
            return frozenset({effect.marker.slot})
        case MoveTop() | MoveAt() | MoveAll() | MovePieces():
            return frozenset({effect.source.slot, effect.target.slot})
        case Gather():
            return frozenset({*effect.zones, effect.target.slot})
        case PickUp() | Land():
            return frozenset({effect.zone.slot})
        case _:
            return frozenset()


def read_by(program: Program, function: int) -> frozenset[int]:
    """The zones and markers that a function reads, itself or through others."""
    waiting, seen, found = [function], {function}, set[int]()
    while waiting:
        body = program.functions[waiting.pop()].body
        found |= {part.place.slot for part in walk(body) if isinstance(part, ir.Read)}
        for inner in applied_by(body):
            if inner not in seen:
                seen.add(inner)
                waiting.append(inner)
    return frozenset(found)


class _Watching:
    def __init__(self, program: Program, watches: tuple[Watch, ...]) -> None:
        self.before = program
        self.watches = watches
        self.reads: Mapping[Watch, frozenset[int]] = {watch: read_by(program, watch.function) for watch in watches}
        self.nodes: list[Node] = list(program.nodes)
        self.locals = [list(procedure.locals) for procedure in program.procedures]
        self.kept: dict[tuple[int, Watch], ir.Local] = {}
        """In which local of a procedure it is kept whether a condition held."""

    def program(self) -> Program:
        for number, procedure in enumerate(self.before.procedures):
            for place in reachable(self.before, procedure.entry):
                node = self.before.nodes[place]
                if isinstance(node, Do):
                    self.surround(number, place, node)
        procedures = tuple(
            attrs.evolve(procedure, locals=tuple(locals))
            for procedure, locals in zip(self.before.procedures, self.locals, strict=True)
        )
        return attrs.evolve(self.before, nodes=tuple(self.nodes), procedures=procedures)

    def emit(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def surround(self, procedure: int, place: int, node: Do) -> None:
        """Ask before and after an effect; the first question stands in its place, so that all ways lead there."""
        changed = changed_by(node.effect)
        found = [watch for watch in self.watches if self.reads[watch] & changed]
        if not found:
            return
        calls = {watch: self.emit(Call(watch.procedure, (), node.next, watch.at)) for watch in found}
        after = node.next
        for watch in reversed(found):
            after = self.emit(Branch(watch.condition, calls[watch], after, watch.at))
        watched = self.emit(attrs.evolve(node, next=after))
        if len(found) == 1:
            held, question = self.emit(node), found[0].condition
        else:
            held = self.remembering(procedure, node, found, calls)
            question = ir.Either(tuple(watch.condition for watch in found))
        self.nodes[place] = Branch(question, held, watched, found[0].at)

    def remembering(self, procedure: int, node: Do, found: list[Watch], calls: Mapping[Watch, int]) -> int:
        """The way on which some conditions hold before the effect: only the others can become true by it."""
        locals = {watch: self.local(procedure, watch) for watch in found}
        after = node.next
        for watch in reversed(found):
            after = self.emit(Do(SetLocal(locals[watch], NO), after, watch.at))
        for watch in reversed(found):
            became = ir.Both((ir.Not(locals[watch]), watch.condition))
            after = self.emit(Branch(became, calls[watch], after, watch.at))
        after = self.emit(attrs.evolve(node, next=after))
        for watch in reversed(found):
            after = self.emit(Do(SetLocal(locals[watch], watch.condition), after, watch.at))
        return after

    def local(self, procedure: int, watch: Watch) -> ir.Local:
        """Where a procedure keeps whether a condition held."""
        key = (procedure, watch)
        if key not in self.kept:
            name = f"{self.before.procedures[watch.procedure].name} held"
            self.locals[procedure].append(name)
            self.kept[key] = ir.Local(len(self.locals[procedure]) - 1, name)
        return self.kept[key]
