"""Renumber the nodes of a program as one reads it: procedure after procedure, from the entry on.

Lowering writes bodies from their end; nobody should notice. Nodes that nothing leads to are left out.
"""

from typing import assert_never

import attrs

from rulelang.ir.nodes import Branch, Call, Chance, Decide, Do, End, Leave, Loop, Node, Return
from rulelang.ir.program import Program


def successors(node: Node) -> tuple[int, ...]:
    """The nodes that can come next in the same procedure, in reading order."""
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


def renumbered(node: Node, numbers: dict[int, int]) -> Node:
    """The node with its successors' new numbers."""
    match node:
        case Do() | Call() | Decide() | Chance():
            return attrs.evolve(node, next=numbers[node.next])
        case Branch():
            return attrs.evolve(node, then=numbers[node.then], otherwise=numbers[node.otherwise])
        case Loop():
            return attrs.evolve(node, body=numbers[node.body], done=numbers[node.done])
        case Return() | Leave() | End():
            return node
        case _:
            assert_never(node)


def in_reading_order(program: Program) -> Program:
    """The same program with nodes in reading order."""
    numbers: dict[int, int] = {}
    for procedure in program.procedures:
        stack = [procedure.entry]
        while stack:
            number = stack.pop()
            if number not in numbers:
                numbers[number] = len(numbers)
                stack.extend(reversed(successors(program.nodes[number])))
    nodes = tuple(renumbered(program.nodes[old], numbers) for old in sorted(numbers, key=numbers.__getitem__))
    procedures = tuple(attrs.evolve(p, entry=numbers[p.entry]) for p in program.procedures)
    return attrs.evolve(program, nodes=nodes, procedures=procedures)
