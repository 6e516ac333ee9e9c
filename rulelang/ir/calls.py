"""Who opens whom: procedures through Call and Decide, functions through Apply. Spec 9.1 and 4.7."""

from collections.abc import Callable, Iterable

from rulelang.ir.expressions import Apply, Expression, Read
from rulelang.ir.laps import reachable
from rulelang.ir.nodes import Call, Decide, Node
from rulelang.ir.program import Program
from rulelang.ir.walk import walk


def opens(program: Program, node: Node) -> tuple[int, ...]:
    """The procedures that a node can open."""
    match node:
        case Call():
            return (node.procedure,)
        case Decide():
            return tuple(program.moves[move].procedure for move in node.moves)
        case _:
            return ()


def opened_by(program: Program) -> tuple[tuple[int, ...], ...]:
    """For every procedure those that its nodes can open, in order of number."""
    found = []
    for procedure in program.procedures:
        opened = {p for node in reachable(program, procedure.entry) for p in opens(program, program.nodes[node])}
        found.append(tuple(sorted(opened)))
    return tuple(found)


def applied_by(formula: Expression) -> tuple[int, ...]:
    """The functions that a formula applies itself, in order of number."""
    return tuple(sorted({inner.function for inner in walk(formula) if isinstance(inner, Apply)}))


def inner_first(count: int, edges: Callable[[int], Iterable[int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers below `count`, each after all that it leads to; and the first way round, if there is one."""
    done: dict[int, None] = {}
    for start in range(count):
        if start in done:
            continue
        way = {start: iter(edges(start))}
        while way:
            number = next(reversed(way))
            for following in way[number]:
                if following in way:
                    round_trip = list(way)
                    return tuple(done), tuple(round_trip[round_trip.index(following) :])
                if following not in done:
                    way[following] = iter(edges(following))
                    break
            else:
                del way[number]
                done[number] = None
    return tuple(done), ()


def reading_functions(program: Program) -> frozenset[int]:
    """The functions that read what lies on the table, themselves or through others."""
    applied = [applied_by(function.body) for function in program.functions]
    order, _ = inner_first(len(applied), lambda number: applied[number])
    reading: set[int] = set()
    for number in order:
        body = program.functions[number].body
        if not reading.isdisjoint(applied[number]) or any(isinstance(part, Read) for part in walk(body)):
            reading.add(number)
    return frozenset(reading)
