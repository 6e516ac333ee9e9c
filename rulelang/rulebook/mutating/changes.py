"""Every change of a program, one thing at a time.

What stands once in the text is one thing, also if it stands in several places of the program: a line that several
moves ask by way of a condition (Spec 8.4), an effect around which a ``whenever`` is asked (9.8). Advice, promises and
words are not changed: the first two are no part of the game, and words are compared by few.
"""

from collections.abc import Iterator

import attrs

from rulelang.ir import expressions as ir
from rulelang.ir.effects import SetLocal, SetMarker
from rulelang.ir.laps import reachable
from rulelang.ir.nodes import Branch, Do, Loop, Node
from rulelang.ir.origin import Origin, Source
from rulelang.ir.program import Program, Zone
from rulelang.rulebook.mutating.declared import other_declarations
from rulelang.rulebook.mutating.flow import other_nodes
from rulelang.rulebook.mutating.formulas import OtherFormulas, Sort
from rulelang.rulebook.mutating.spots import GONE, Path, Put, changed, formulas_in, functions_in_play, value_at


@attrs.frozen
class Touched:
    """What of a program a change is in."""

    nodes: frozenset[int] = frozenset()
    moves: frozenset[int] = frozenset()
    """Moves whose parameters or requirements are changed."""
    functions: frozenset[int] = frozenset()
    anything: bool = False
    """Declarations: every game begins with them."""


@attrs.frozen
class Change:
    """One thing of a program changed."""

    number: int
    """Its place among all changes of the program, from 0."""
    sort: Sort
    said: str
    """What was done: ``'amount <= heap[number]' became 'amount < heap[number]'``."""
    inside: str
    """In what: ``move take``."""
    at: Origin
    puts: tuple[Put, ...]
    touched: Touched

    def of(self, program: Program) -> Program:
        """The changed program."""
        made: Program = changed(program, self.puts)
        return made


def changes(program: Program) -> tuple[Change, ...]:
    """All of them, in the order of the text."""
    found = list(_Changing(program).all())
    found.sort(key=lambda each: (each.at.file != program.procedures[0].at.origin.file, each.at.line))
    return tuple(attrs.evolve(change, number=number) for number, change in enumerate(found))


class _Changing:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.others = OtherFormulas(program)
        self.alive = functions_in_play(program)
        self.timers = frozenset(slot for timer in program.timers for slot in (timer.left, timer.end)) | {program.clock}
        """The markers in which time is kept."""
        self.clockwork = frozenset(
            node.at
            for node in program.nodes
            if isinstance(node, Do) and isinstance(node.effect, SetMarker) and node.effect.marker.slot in self.timers
        )
        """Where timers are started and paused."""

    def all(self) -> Iterator[Change]:
        for each in other_declarations(self.program):
            yield self.change(each.sort, each.said, each.inside, each.at, (each.put,), Touched(anything=True))
        yield from self.settings()
        yield from self.functions()
        yield from self.moves()
        yield from self.flow()

    def change(self, sort: Sort, said: str, inside: str, at: Source, puts: tuple[Put, ...], touched: Touched) -> Change:
        return Change(0, sort, said, inside, at.origin, puts, touched)

    # -------------------------------------------------------------- formulas

    def formulas(self, path: Path, inside: str, at: Source, touched: Touched) -> Iterator[Change]:
        """Every other formula in what stands at a place of the program."""
        whole = value_at(self.program, path)
        for inner, formula in formulas_in(whole):
            holder, role = _holder(self.program, (*path, *inner))
            for other in self.others.instead(formula, holder, role):
                yield self.change(other.sort, other.said, inside, at, (Put((*path, *inner), other.new),), touched)

    def settings(self) -> Iterator[Change]:
        """What things are before play."""
        program, everywhere = self.program, Touched(anything=True)
        for number, demand in enumerate(program.demands):
            path: Path = ("demands", number, "condition")
            yield from self.formulas(path, f"demand {demand.name}", demand.at, everywhere)
        for number, option in enumerate(program.options):
            if option.needs is not None:
                yield from self.formulas(("options", number, "needs"), f"option {option.name}", option.at, everywhere)
        for number, slot in enumerate(program.slots):
            if not isinstance(slot, Zone):
                if number in self.timers:
                    continue
                yield from self.formulas(("slots", number, "initial"), slot.name, slot.at, everywhere)
                continue
            for place, start in enumerate(slot.starts):
                if start.times != ir.Constant(1):
                    path = ("slots", number, "starts", place, "times")
                    yield from self.formulas(path, slot.name, slot.at, everywhere)
        for number, timer in enumerate(program.timers):
            yield from self.formulas(("timers", number, "full"), f"timer {timer.name}", timer.at, everywhere)

    def functions(self) -> Iterator[Change]:
        for number, function in enumerate(self.program.functions):
            if number in self.alive:
                touched = Touched(functions=frozenset([number]))
                yield from self.formulas(("functions", number, "body"), f"define {function.name}", function.at, touched)

    # -------------------------------------------------------------- moves

    def moves(self) -> Iterator[Change]:
        for number, move in enumerate(self.program.moves):
            for place, parameter in enumerate(move.parameters):
                path: Path = ("moves", number, "parameters", place, "domain")
                inside = f"move {move.name}, {parameter.name}"
                yield from self.formulas(path, inside, move.at, Touched(moves=frozenset([number])))
        for group in self.requirements():
            first = group[0]
            asked = self.program.moves[first[0]].requirements[first[1]]
            inside = f"move {self.program.moves[first[0]].name}, {asked.name}"
            touched = Touched(moves=frozenset(number for number, _ in group))
            gone = tuple(Put(("moves", number, "requirements", place), GONE) for number, place in reversed(group))
            yield self.change("requirement", "requirement left out", inside, asked.at, gone, touched)
            listed = [
                list(self.formulas(("moves", number, "requirements", place, "condition"), inside, asked.at, touched))
                for number, place in group
            ]
            for together in zip(*listed, strict=False):
                yield attrs.evolve(together[0], puts=tuple(put for each in together for put in each.puts))

    def requirements(self) -> Iterator[list[tuple[int, int]]]:
        """Move and place of every requirement; those of one line together."""
        groups: dict[tuple[str, Source], list[tuple[int, int]]] = {}
        for number, move in enumerate(self.program.moves):
            for place, asked in enumerate(move.requirements):
                groups.setdefault((asked.name, asked.at), []).append((number, place))
        yield from groups.values()

    # -------------------------------------------------------------- the flow

    def flow(self) -> Iterator[Change]:
        laps = {node.position for node in self.program.nodes if isinstance(node, Loop)}
        for number, (name, node) in self.in_procedures().items():
            twins = self.twins(number, node)
            if number != twins[0]:
                continue
            if isinstance(node, Do) and isinstance(node.effect, SetLocal) and node.effect.local in laps:
                continue  # it counts laps, and stands nowhere in the text
            if node.at in self.clockwork:
                yield from self.timer(number, name, node)
                continue
            touched = Touched(nodes=frozenset(twins))
            for other in other_nodes(self.program, node, self.others):
                puts = tuple(Put(("nodes", twin), _leading_on(other.new, self.program.nodes[twin])) for twin in twins)
                yield self.change(other.sort, other.said, name, node.at, puts, touched)
            for each in self.formulas(("nodes", number), name, node.at, touched):
                puts = tuple(Put(("nodes", twin, *put.path[2:]), put.new) for put in each.puts for twin in twins)
                yield attrs.evolve(each, puts=puts)

    def timer(self, number: int, name: str, node: Node) -> Iterator[Change]:
        """``start`` and ``pause`` are one thing, of several nodes: left out as a whole, and not changed otherwise."""
        together = [
            place
            for place, other in enumerate(self.program.nodes)
            if isinstance(other, Do) and isinstance(other.effect, SetMarker) and other.at == node.at
        ]
        if together and number == together[0]:
            puts = tuple(Put(("nodes", place), _past(self.program.nodes[place])) for place in together)
            touched = Touched(nodes=frozenset(together))
            yield self.change("effect", "what sets the timer left out", name, node.at, puts, touched)

    def in_procedures(self) -> dict[int, tuple[str, Node]]:
        """Every node that can be reached, with what it stands in."""
        program = self.program
        moves = {move.procedure for move in program.moves}
        found: dict[int, tuple[str, Node]] = {}
        for number, procedure in enumerate(program.procedures):
            word = "move " if number in moves else "" if number == 0 or " " in procedure.name else "rule "
            for node in reachable(program, procedure.entry):
                found.setdefault(node, (f"{word}{procedure.name}", program.nodes[node]))
        return dict(sorted(found.items()))

    def twins(self, number: int, node: Node) -> tuple[int, ...]:
        """The nodes that are one effect of the text; a node of its own is alone."""
        if not isinstance(node, Do) or isinstance(node.effect, SetLocal):
            return (number,)
        return tuple(
            place
            for place, other in enumerate(self.program.nodes)
            if isinstance(other, Do) and (other.effect, other.at) == (node.effect, node.at)
        )


def _past(node: Node) -> Node:
    assert isinstance(node, Do)
    return Branch(ir.Constant(1), node.next, node.next, node.at)


def _leading_on(new: Node, twin: Node) -> Node:
    """A node in place of a twin leads where the twin led."""
    match new, twin:
        case Do(), Do():
            return attrs.evolve(new, next=twin.next)
        case Branch(), Do():
            return attrs.evolve(new, then=twin.next, otherwise=twin.next)
        case _:
            return new


def _holder(program: Program, path: Path) -> tuple[object, str]:
    """In which field of what a value stands."""
    steps = path[:-1] if isinstance(path[-1], int) else path
    return value_at(program, steps[:-1]), str(steps[-1])
