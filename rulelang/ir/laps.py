"""The order of a procedure's nodes, and where it can go round. Spec 16.3.

The graph of a procedure is cut into *parts*: single nodes, and *rings* in which every node leads to every other. A ring
ends if it has a *head*: a Loop whose way into the body is counted, because nothing else in the ring sets its list or
its position, so that each lap takes one item for good. Without the counted ways of its heads the ring is cut again,
until every part is one node.

There is one other sort of head: a Loop over something that is set again from its beginning when it is done ("turns of"
a list). If its body is not in the ring, because it always waits, there is at most one way through `done` between two
waits, the list not being empty. The list may be set again too, if it is never set to an empty one. A ring without a
head is endless.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

import attrs

from rulelang.ir.effects import SetLocal
from rulelang.ir.filled import is_filled
from rulelang.ir.nodes import Branch, Call, Chance, Decide, Do, End, Leave, Loop, Node, Return
from rulelang.ir.program import Program
from rulelang.limits import COLLECTION, NESTING

Edges: TypeAlias = Mapping[int, tuple[int, ...]]
"""The nodes looked at, each with those among them that can follow it."""


WORK = 8 * COLLECTION
"""How many nodes are looked at again, in laps inside laps, before a procedure counts as endless."""


@attrs.define
class Budget:
    """The work that is left."""

    left: int

    def spend(self, nodes: Sequence[int]) -> bool:
        """Take the work for some nodes; whether there was enough."""
        self.left -= len(nodes)
        return self.left >= 0


@attrs.frozen
class Head:
    """A Loop in a ring, and the node to which its counted way leads: its body, or what is behind it."""

    loop: int
    lap: int


@attrs.frozen
class Ring:
    """Nodes that lead to one another."""

    heads: tuple[Head, ...]
    """What counts the laps; nothing does if there are none."""
    nodes: tuple[int, ...]
    inside: "tuple[Part, ...]"
    """The parts that are left without the counted ways, in the order of the walk."""


Part: TypeAlias = int | Ring


def successors(node: Node) -> tuple[int, ...]:
    """The nodes of the same procedure that can come next, once all that this node opens or waits for is over."""
    match node:
        case Do() | Call() | Decide() | Chance():
            return (node.next,)
        case Branch():
            return (node.then, node.otherwise)
        case Loop():
            return (node.body, node.done)
        case Return() | Leave() | End():
            return ()
        case _:
            assert_never(node)


def sets(node: Node) -> tuple[int, ...]:
    """The numbers of the locals that a node gives a value."""
    match node:
        case Do(effect=SetLocal() as effect):
            return (effect.local.number,)
        case Loop():
            return (node.position.number, node.item.number)
        case Chance():
            return (node.result.number,)
        case Decide():
            return () if node.answered is None else (node.answered.number,)
        case _:
            return ()


def reachable(program: Program, entry: int) -> tuple[int, ...]:
    """The nodes of the procedure that begins at a node, in order of number."""
    found = {entry}
    waiting = [entry]
    while waiting:
        for number in successors(program.nodes[waiting.pop()]):
            if number not in found:
                found.add(number)
                waiting.append(number)
    return tuple(sorted(found))


def parts_of(program: Program, edges: Edges) -> tuple[Part, ...]:
    """The parts of some nodes, each part before those that it leads to.

    What is nested deeper than rules text can be, or takes too long to look through, counts as endless.
    """
    return _cut(program, edges, 0, Budget(WORK))


def _cut(program: Program, edges: Edges, depth: int, budget: "Budget") -> tuple[Part, ...]:
    found: list[Part] = []
    for nodes in _rings(edges):
        if len(nodes) == 1 and nodes[0] not in edges[nodes[0]]:
            found.append(nodes[0])
            continue
        heads = _heads(program, nodes, edges, budget) if depth < NESTING and budget.spend(nodes) else ()
        inside = _cut(program, _uncounted(edges, nodes, heads), depth + 1, budget) if heads else ()
        found.append(Ring(heads, nodes, inside))
    return tuple(found)


def is_endless(part: Part) -> bool:
    """Whether a part can go round without anything that counts the laps."""
    return isinstance(part, Ring) and (not part.heads or any(is_endless(inner) for inner in part.inside))


def _uncounted(edges: Edges, nodes: Sequence[int], heads: Sequence[Head]) -> Edges:
    """The ways inside a ring without the counted ones."""
    among = set(nodes)
    left = {number: tuple(n for n in edges[number] if n in among) for number in nodes}
    for head in heads:
        left[head.loop] = tuple(n for n in left[head.loop] if n != head.lap)
    return left


def _heads(program: Program, nodes: Sequence[int], edges: Edges, budget: "Budget") -> tuple[Head, ...]:
    """The loops of a ring that run out of items, or that are set again when they are done and wait in between."""
    setters: dict[int, set[int]] = {}
    for number in nodes:
        for local in sets(program.nodes[number]):
            setters.setdefault(local, set()).add(number)
    among = set(nodes)
    heads: list[Head] = []
    for number in nodes:
        node = program.nodes[number]
        if not isinstance(node, Loop) or node.body == node.done:
            continue
        others = setters[node.position.number] - {number}
        filling = setters.get(node.items.number, set())
        if node.body in among:
            if not filling and not others and node.position.number != node.item.number:
                heads.append(Head(number, node.body))
        elif not all(_fills(program.nodes[setter]) for setter in filling):
            continue
        elif budget.spend(nodes):
            ways = [others, filling] if filling else [others]
            if not any(_comes_back(node.done, number, among - way, edges) for way in ways):
                heads.append(Head(number, node.done))
    return tuple(heads)


def _fills(node: Node) -> bool:
    """Whether a node sets a local to a list that is never empty."""
    return isinstance(node, Do) and isinstance(node.effect, SetLocal) and is_filled(node.effect.value)


def begun(program: Program, nodes: Sequence[int]) -> dict[int, int]:
    """Where a loop surely begins with its body: from the node that sets its position to the body's first node.

    ``nodes`` are those of one procedure. The list of such a loop is only ever set to lists that are never empty.
    """
    filled: dict[int, bool] = {}
    for number in nodes:
        for local in sets(program.nodes[number]):
            filled[local] = filled.get(local, True) and _fills(program.nodes[number])
    found = {}
    for number in nodes:
        node = program.nodes[number]
        following = program.nodes[node.next] if isinstance(node, Do) and isinstance(node.effect, SetLocal) else None
        if not isinstance(following, Loop) or sets(node) != (following.position.number,):
            continue
        if filled.get(following.items.number, False):
            found[number] = following.body
    return found


def _comes_back(start: int, goal: int, among: set[int], edges: Edges) -> bool:
    """Whether a way leads from one node to another through some nodes only."""
    seen = {start} & among
    waiting = list(seen)
    while waiting:
        for following in edges[waiting.pop()]:
            if following in among and following not in seen:
                seen.add(following)
                waiting.append(following)
    return goal in seen


def _rings(edges: Edges) -> list[tuple[int, ...]]:
    """The strongly connected components (Tarjan), in the order of the walk; without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    held: dict[int, None] = {}
    found: list[tuple[int, ...]] = []
    for start in edges:
        if start in index:
            continue
        way = [(start, iter(edges[start]))]
        index[start] = low[start] = len(index)
        held[start] = None
        while way:
            number, ahead = way[-1]
            for following in ahead:
                if following not in index:
                    index[following] = low[following] = len(index)
                    held[following] = None
                    way.append((following, iter(edges[following])))
                    break
                if following in held:
                    low[number] = min(low[number], index[following])
            else:
                way.pop()
                if way:
                    low[way[-1][0]] = min(low[way[-1][0]], low[number])
                if low[number] == index[number]:
                    found.append(_taken(held, number))
    return found[::-1]


def _taken(held: dict[int, None], number: int) -> tuple[int, ...]:
    """Take the component that ends with a node off the stack."""
    ring: list[int] = []
    while number not in ring[-1:]:
        ring.append(held.popitem()[0])
    return tuple(sorted(ring))
