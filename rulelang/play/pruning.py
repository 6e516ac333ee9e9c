"""Pruning: branches whose condition is decided go, and with them the nodes that no procedure can reach. Spec 14.3.

What remains keeps its order and is numbered anew from 0; procedures keep their numbers.
"""

from typing import TypeVar

import attrs

from rulelang.ir.expressions import Constant
from rulelang.ir.laps import successors
from rulelang.ir.nodes import Branch, Call, Chance, Decide, Do, Loop, Node
from rulelang.ir.program import Program

AnyNode = TypeVar("AnyNode", bound=Node)


def prune(program: Program) -> Program:
    """The program without decided branches and without nodes that nobody can reach."""
    straight = [_redirected(program, node) for node in program.nodes]
    entries = [_destination(program, procedure.entry) for procedure in program.procedures]
    kept = sorted(_reachable(straight, entries))
    numbers = {old: new for new, old in enumerate(kept)}
    return attrs.evolve(
        program,
        nodes=tuple(_renumbered(straight[old], numbers) for old in kept),
        procedures=tuple(
            attrs.evolve(procedure, entry=numbers[entry])
            for procedure, entry in zip(program.procedures, entries, strict=True)
        ),
    )


def kept_nodes(program: Program) -> list[int]:
    """The nodes that are kept, by their old numbers; their new ones are their places in this list."""
    straight = [_redirected(program, node) for node in program.nodes]
    return sorted(_reachable(straight, [_destination(program, procedure.entry) for procedure in program.procedures]))


def decided(program: Program, number: int) -> list[tuple[int, bool]]:
    """The decided branches that are passed over from a node on, and which way each goes."""
    passed: list[tuple[int, bool]] = []
    node = program.nodes[number]
    while isinstance(node, Branch) and isinstance(node.condition, Constant):
        if any(number == seen for seen, _ in passed):
            break
        passed.append((number, bool(node.condition.value)))
        number = node.then if node.condition.value else node.otherwise
        node = program.nodes[number]
    return passed


def _destination(program: Program, number: int) -> int:
    """Where one gets from a node by way of decided branches alone; a round of them is left as it is."""
    passed = {number}
    node = program.nodes[number]
    while isinstance(node, Branch) and isinstance(node.condition, Constant):
        number = node.then if node.condition.value else node.otherwise
        if number in passed:
            return number
        passed.add(number)
        node = program.nodes[number]
    return number


def _redirected(program: Program, node: Node) -> Node:
    return _renumbered(node, {to: _destination(program, to) for to in successors(node)})


def _reachable(nodes: list[Node], entries: list[int]) -> set[int]:
    reached = set(entries)
    waiting = list(reached)
    while waiting:
        for to in successors(nodes[waiting.pop()]):
            if to not in reached:
                reached.add(to)
                waiting.append(to)
    return reached


def _renumbered(node: AnyNode, numbers: dict[int, int]) -> AnyNode:
    """The node with the nodes that it leads to named anew."""
    match node:
        case Do() | Call() | Decide() | Chance():
            return attrs.evolve(node, next=numbers[node.next])
        case Branch():
            return attrs.evolve(node, then=numbers[node.then], otherwise=numbers[node.otherwise])
        case Loop():
            return attrs.evolve(node, body=numbers[node.body], done=numbers[node.done])
        case _:
            return node
