"""What can stand in place of one node of the flow or one effect, besides other formulas in it."""

from collections.abc import Iterator

import attrs

from rulelang.ir import effects, nodes
from rulelang.ir.effects import Effect, SetLocal
from rulelang.ir.expressions import Constant, Place
from rulelang.ir.nodes import Node
from rulelang.ir.program import Program, Zone
from rulelang.rulebook.mutating.formulas import OtherFormulas, Sort

_YES = Constant(1)


@attrs.frozen
class OtherNode:
    """A node in place of another, and what was done."""

    sort: Sort
    said: str
    new: Node


def other_nodes(program: Program, node: Node, others: OtherFormulas) -> Iterator[OtherNode]:
    """What can stand in place of a node. A branch that both ways lead on from is none."""
    match node:
        case nodes.Do(effect=SetLocal()):
            return
        case nodes.Do(effect=effect):
            said = others.effect(effect)
            yield OtherNode("effect", f"'{said}' left out", _past(node))
            for sort, done, new in _other_effects(program, effect):
                yield OtherNode(sort, f"{done} in '{said}'", attrs.evolve(node, effect=new))
        case nodes.Call():
            name = program.procedures[node.procedure].name
            yield OtherNode("effect", f"'{name}' left out", _past(node))
        case nodes.Branch() if node.then != node.otherwise:
            turned = attrs.evolve(node, then=node.otherwise, otherwise=node.then)
            yield OtherNode("branch", f"'if {others.text(node.condition)}' turned round", turned)
        case nodes.Loop():
            yield OtherNode(
                "effect", f"'each {node.item.name}' never gone round", nodes.Branch(_YES, node.done, node.done, node.at)
            )
        case nodes.Decide():
            yield from _other_choices(program, node)
        case nodes.End():
            yield from _other_ends(node)
        case nodes.Leave():
            name = program.procedures[node.procedure].name
            yield OtherNode("result", f"'end {name}' ends only the rule that it stands in", nodes.Return(node.at))
        case _:
            return


def _past(node: nodes.Do | nodes.Call) -> Node:
    return nodes.Branch(_YES, node.next, node.next, node.at)


def _other_choices(program: Program, node: nodes.Decide) -> Iterator[OtherNode]:
    names = [program.moves[move].name for move in node.moves]
    for place, name in enumerate(names if len(names) > 1 else ()):
        left = node.moves[:place] + node.moves[place + 1 :]
        yield OtherNode("choice", f"'{name}' not offered", attrs.evolve(node, moves=left))
    if not isinstance(node.asked, nodes.AnyOfSeats):
        asked = attrs.evolve(node.asked, may_pass=not node.asked.may_pass)
        said = "'may' became 'must'" if node.asked.may_pass else "'must' became 'may'"
        yield OtherNode("choice", f"{said} before '{' or '.join(names)}'", attrs.evolve(node, asked=asked))


def _other_ends(node: nodes.End) -> Iterator[OtherNode]:
    match node.outcome:
        case nodes.Winners(seats=Constant(value=())) | nodes.Aborted():
            return
        case nodes.Winners():
            nobody = nodes.Winners(Constant(()))
            yield OtherNode("result", "nobody wins", attrs.evolve(node, outcome=nobody))
        case _:
            yield OtherNode("result", "the game ends without a result", attrs.evolve(node, outcome=nodes.Aborted()))


def _other_effects(program: Program, effect: Effect) -> Iterator[tuple[Sort, str, Effect]]:
    """Onto became under; from and to exchanged."""
    if not isinstance(effect, effects.MoveTop | effects.MoveAt | effects.MoveAll | effects.MovePieces):
        return
    if _is_pile(program, effect.target):
        said = "'onto' became 'under'" if effect.end == "top" else "'under' became 'onto'"
        yield "direction", said, attrs.evolve(effect, end="bottom" if effect.end == "top" else "top")
    if isinstance(effect, effects.MoveTop):
        bottom = effects.MoveAt(effect.source, Constant(1), effect.target, effect.end)
        if effect.count == Constant(1) and not _is_blind(program, effect.source):
            yield "direction", "the bottom piece instead of the top one", bottom
    if isinstance(effect, effects.MoveAll) and effect.source != effect.target:
        turned = attrs.evolve(effect, source=effect.target, target=effect.source)
        yield "direction", "'from' and 'onto' exchanged", turned


def _is_pile(program: Program, place: Place) -> bool:
    slot = program.slots[place.slot]
    return isinstance(slot, Zone) and slot.shape == "pile"


def _is_blind(program: Program, place: Place) -> bool:
    slot = program.slots[place.slot]
    return isinstance(slot, Zone) and slot.blind
