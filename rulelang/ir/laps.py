"""The order of a procedure's nodes, and where it can go round. Spec 16.3.

The graph of a procedure is cut into *parts*: single nodes, and *rings* in which every node leads to every other. A
ring ends if it has a *head*: a Loop whose way into the body is counted, because nothing else in the ring sets its
list or its position, so that each lap takes one item for good. Without that way the ring is cut again, until every
part is one node.

There is one other sort of head: a Loop over something that is set again from its beginning when it is done ("turns
of" a list). If its body is not in the ring, because it always waits, there is at most one way through `done` between
two waits, the list not being empty. The list may be set again as well, if what it is set to is never empty. A ring
without a head is endless.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

import attrs

from rulelang.ir.effects import SetLocal
from rulelang.ir.expressions import AllOf, Constant, Expression, From, Join, MakeList, Span
from rulelang.ir.nodes import Branch, Call, Chance, Decide, Do, End, Leave, Loop, Node, Return
from rulelang.ir.program import Program
from rulelang.ir.types import NamesType, SeatType
from rulelang.limits import NESTING

Edges: TypeAlias = Mapping[int, tuple[int, ...]]
"""The nodes looked at, each with those that can follow it; others are passed over."""


@attrs.frozen
class Ring:
    """Nodes that lead to one another."""

    head: int | None
    """The Loop that counts the laps, None if nothing does."""
    lap: int
    """The node to which the counted way of the head leads."""
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
    for nodes in _rings(edges):
        if len(nodes) == 1 and nodes[0] not in edges[nodes[0]]:
            found.append(nodes[0])
            continue
        head = _head(program, nodes, edges) if depth < NESTING else None
        if head is None:
            found.append(Ring(None, -1, nodes, ()))
            continue
        lap = _lap(program, head, nodes)
        inside = parts_of(program, _once(edges, nodes, head, lap), depth + 1)
        found.append(Ring(head, lap, nodes, inside))
    return tuple(found)


def is_endless(part: Part) -> bool:
    """Whether a part can go round without anything that counts the laps."""
    return isinstance(part, Ring) and (part.head is None or any(is_endless(inner) for inner in part.inside))


def _once(edges: Edges, nodes: Sequence[int], head: int, lap: int) -> Edges:
    """The ways inside a ring without the counted one."""
    among = set(nodes)
    once = {number: tuple(n for n in edges[number] if n in among) for number in nodes}
    once[head] = tuple(n for n in once[head] if n != lap)
    return once


def _lap(program: Program, head: int, nodes: Sequence[int]) -> int:
    loop = program.nodes[head]
    assert isinstance(loop, Loop)
    return loop.body if loop.body in nodes else loop.done


def _head(program: Program, nodes: Sequence[int], edges: Edges) -> int | None:
    """The first loop of a ring that runs out of items, or is set again when it is done and waits in between."""
    setters: dict[int, set[int]] = {}
    for number in nodes:
        for local in sets(program.nodes[number]):
            setters.setdefault(local, set()).add(number)
    among = set(nodes)
    for number in nodes:
        node = program.nodes[number]
        if not isinstance(node, Loop) or node.body == node.done:
            continue
        others = setters[node.position.number] - {number}
        filled = setters.get(node.items.number, set())
        if node.body in among:
            if not filled and not others and node.position.number != node.item.number:
                return number
        elif not _comes_back(node.done, number, among - others, edges):
            if not filled or _surely_filled(program, filled, node.done, number, among, edges):
                return number
    return None


def _surely_filled(program: Program, setters: set[int], done: int, head: int, among: set[int], edges: Edges) -> bool:
    """Whether the list of a loop is set again, and never to an empty one, before the loop is met again."""
    values = [node.effect for node in map(program.nodes.__getitem__, setters) if isinstance(node, Do)]
    never_empty = [isinstance(effect, SetLocal) and _has_items(effect.value) for effect in values]
    return len(values) == len(setters) and all(never_empty) and not _comes_back(done, head, among - setters, edges)


def _has_items(value: Expression) -> bool:
    """Whether a formula for a list is plainly never empty."""
    match value:
        case AllOf(type=SeatType()) | From(collection=AllOf(type=SeatType())):
            return True
        case AllOf(type=NamesType(labels=labels)) | From(collection=AllOf(type=NamesType(labels=labels))):
            return bool(labels)
        case Span(low=Constant(value=int(low)), high=Constant(value=int(high))):
            return low <= high
        case MakeList(items=items) | Constant(value=tuple(items)):
            return bool(items)
        case Join(left=left, right=right):
            return _has_items(left) or _has_items(right)
        case _:
            return False


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
