"""The order of a procedure's nodes, and where it can go round. Spec 16.3.

The graph of a procedure is cut into *parts*: single nodes, and *rings* in which every node leads to every other. A ring
ends if it has a Loop whose list and position nothing else in the ring sets: each lap that this head begins takes one
item for good. Without the head's way into its body the ring is cut again, until every part is one node. A ring without
such a head is endless, unless something in it waits.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

import attrs

from rulelang.ir.effects import SetLocal
from rulelang.ir.nodes import Branch, Call, Chance, Decide, Do, End, Leave, Loop, Node, Return
from rulelang.ir.program import Program
from rulelang.limits import NESTING

Edges: TypeAlias = Mapping[int, tuple[int, ...]]
"""The nodes looked at, each with those that can follow it; others are passed over."""


@attrs.frozen
class Ring:
    """Nodes that lead to one another. `head` is the Loop that counts the laps, None if nothing does."""

    head: int | None
    nodes: tuple[int, ...]
    inside: "tuple[Part, ...]"
    """The parts of one lap, in the order of the walk."""


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


def parts_of(program: Program, edges: Edges, depth: int = 0) -> tuple[Part, ...]:
    """The parts of some nodes, each part before those that it leads to. Loops nested beyond the limit have no head."""
    found: list[Part] = []
    for ring in _rings(edges):
        if len(ring) == 1 and ring[0] not in edges[ring[0]]:
            found.append(ring[0])
            continue
        head = _head(program, ring) if depth < NESTING else None
        inside = () if head is None else parts_of(program, _lap(program, ring, head, edges), depth + 1)
        found.append(Ring(head, ring, inside))
    return tuple(found)


def is_endless(part: Part) -> bool:
    """Whether a part can go round without anything that counts the laps."""
    return isinstance(part, Ring) and (part.head is None or any(is_endless(inner) for inner in part.inside))


def _lap(program: Program, ring: Sequence[int], head: int, edges: Edges) -> Edges:
    """The ways inside a ring without the one from its head into the body."""
    loop = program.nodes[head]
    assert isinstance(loop, Loop)
    among = set(ring)
    lap = {number: tuple(n for n in edges[number] if n in among) for number in ring}
    lap[head] = tuple(n for n in lap[head] if n == loop.done)
    return lap


def _head(program: Program, ring: Sequence[int]) -> int | None:
    """The first loop of a ring that runs out of items."""
    setters: dict[int, int] = {}
    for number in ring:
        for local in sets(program.nodes[number]):
            setters[local] = setters.get(local, 0) + 1
    among = set(ring)
    for number in ring:
        node = program.nodes[number]
        if isinstance(node, Loop) and node.body in among and node.body != node.done:
            if setters[node.position.number] == 1 and node.items.number not in setters:
                return number
    return None


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
                if following not in edges:
                    continue
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
