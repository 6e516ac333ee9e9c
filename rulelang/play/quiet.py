"""Which acts show nobody anything: the only ones that may be taken back. Spec 15.3.

An act is *quiet* if no hidden thing takes part in it. The question is answered on the program, not on the state, and
never too kindly: from the answered wait every node is followed that can be reached before the next wait, whatever the
conditions say. If none of them, and no requirement of the move, reads or changes a zone or marker that anybody may not
see or on which a ``seen by`` depends, then what happened follows from the move and from what everybody knew. In a game
without hidden things every act is quiet.
"""

from collections.abc import Iterator

from rulelang.ir.effects import Gather
from rulelang.ir.expressions import Apply, Member, Slot
from rulelang.ir.nodes import Call, Chance, Decide, End, Leave, Node, Return
from rulelang.ir.program import Everyone, Program, These, Zone
from rulelang.ir.walk import walk


def hides(program: Program) -> bool:
    """Whether anything in this game is not seen by everybody."""
    return bool(_hidden_slots(program))


def is_quiet(program: Program, waiting_node: int, moves: tuple[int, ...]) -> bool:
    """Whether answering this wait with these moves (none for a pass) can show nobody anything."""
    hidden = _hidden_slots(program)
    if not hidden:
        return True
    if not 0 <= waiting_node < len(program.nodes):
        return False
    wait = program.nodes[waiting_node]
    if not isinstance(wait, Decide):
        return False
    hidden |= _deciding_sight(program)
    if _slots(program, tuple(program.moves[move] for move in moves)) & hidden:
        return False
    open_nodes = [wait.next] + [program.procedures[program.moves[move].procedure].entry for move in moves]
    seen: set[int] = set()
    while open_nodes:
        number = open_nodes.pop()
        if number in seen:
            continue
        seen.add(number)
        node = program.nodes[number]
        if _goes_on_by_itself(program, node) or _slots(program, _acting_parts(node)) & hidden:
            return False
        open_nodes.extend(_followers(program, node))
    return True


def _goes_on_by_itself(program: Program, node: Node) -> bool:
    """A wait that may be skipped because of what somebody holds; an end, where hidden things are usually shown."""
    if isinstance(node, Decide):
        return program.forced_choices or node.asked.may_pass
    return isinstance(node, End) or (isinstance(node, Chance) and program.forced_chance)


def _acting_parts(node: Node) -> object:
    """What is worked out when the node is reached; of a wait, only who is asked and what is drawn."""
    if isinstance(node, Decide):
        return (node.asked,) if node.words is None else (node.asked, node.words)
    return node


def _followers(program: Program, node: Node) -> Iterator[int]:
    if isinstance(node, Decide | Chance | End):
        return
    if isinstance(node, Return | Leave):
        yield from (other.next for other in program.nodes if isinstance(other, Call))
        return
    if isinstance(node, Call):
        yield program.procedures[node.procedure].entry
        return
    for name in ("next", "then", "otherwise", "body", "done"):
        if hasattr(node, name):
            yield getattr(node, name)


def _hidden_slots(program: Program) -> set[int]:
    return {
        number
        for number, slot in enumerate(program.slots)
        if not isinstance(slot.sight.content, Everyone) or (isinstance(slot, Zone) and slot.blind)
    }


def _deciding_sight(program: Program) -> set[int]:
    """The slots on which it depends who sees something."""
    sights = [sight for slot in program.slots for sight in (slot.sight.content, slot.sight.top, slot.sight.size)]
    return _slots(program, tuple(sight.seats for sight in sights if isinstance(sight, These)))


def _slots(program: Program, thing: object) -> set[int]:
    """Every slot that a piece of the program names, also by way of its functions."""
    found: set[int] = set()
    called: set[int] = set()
    open_things = list(thing) if isinstance(thing, tuple) else [thing]
    while open_things:
        for part in walk(open_things.pop()):
            if isinstance(part, Slot | Member):
                found.add(part.slot)
            elif isinstance(part, Gather):
                found.update(part.zones)
            elif isinstance(part, Apply) and part.function not in called:
                called.add(part.function)
                open_things.append(program.functions[part.function].body)
    return found
