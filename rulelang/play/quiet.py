"""Which acts show nobody anything: the only ones that may be taken back. Spec 15.3.

An act is *quiet* if no hidden thing takes part in it. The question is answered on the program and never too kindly:
every node counts that lies on some way from the answered wait to the wait that was reached, whatever the conditions
say. If none of them, and no requirement of the move, reads or changes a zone or marker that anybody may not see or on
which a ``seen by`` depends, then what happened follows from the move and from what everybody knew. In a game without
hidden things every act is quiet.

One condition is known all the same. Open play was open, so what it goes on until did not hold; and if the act changes
nothing that it reads, it does not hold after the act either. So the way leads straight back to the wait, and not
through what follows the open play and perhaps round to it again.
"""

from collections.abc import Iterator

from rulelang.ir.effects import Gather
from rulelang.ir.expressions import Apply, Local, Member, Slot
from rulelang.ir.nodes import AnyOfSeats, Branch, Call, Chance, Decide, End, Leave, Node, Return
from rulelang.ir.program import Everyone, Program, These, Zone
from rulelang.ir.walk import walk


def hides(program: Program) -> bool:
    """Whether anything in this game is not seen by everybody."""
    return bool(hidden_slots(program)) or any(move.private for move in program.moves)


def is_quiet(program: Program, waiting: int, moves: tuple[int, ...], reached: int) -> bool:
    """Whether answering one wait with these moves (none for a pass), which led to another, can show nobody anything."""
    hidden = hidden_slots(program)
    if not hidden:
        return True
    wait = program.nodes[waiting] if 0 <= waiting < len(program.nodes) else None
    if not isinstance(wait, Decide):
        return False
    hidden |= _deciding_sight(program)
    if slots_in(program, tuple(program.moves[move] for move in moves)) & hidden:
        return False
    entries = [program.procedures[program.moves[move].procedure].entry for move in moves]
    back = _way_back(program, waiting, wait, entries) if reached == waiting else set()
    every = _ways(program, [wait.next, *entries], reached)
    return any(ways and _touch_nothing(program, ways, hidden) for ways in (back, every))


def _touch_nothing(program: Program, ways: set[int], hidden: set[int]) -> bool:
    """Whether none of these nodes reads or changes what is hidden, or is left by itself."""
    return not any(
        _goes_on_by_itself(program, node) or slots_in(program, _acting_parts(node)) & hidden
        for node in (program.nodes[number] for number in ways)
    )


def _way_back(program: Program, waiting: int, wait: Decide, entries: list[int]) -> set[int]:
    """Every node on the way of an act back to open play that it cannot end; nothing where that is not certain."""
    test = program.nodes[wait.next]
    if not isinstance(wait.asked, AnyOfSeats) or not isinstance(test, Branch):
        return set()
    before = {number for number, node in enumerate(program.nodes) if waiting in _within(node)}
    if before != {wait.next} or any(each.entry == waiting for each in program.procedures):
        return set()  # it may have come to be open without this test
    passed = _carried_out(program, entries)
    nodes = [program.nodes[number] for number in passed]
    if any(isinstance(node, Leave) or _waits(node) for node in nodes):
        return set()
    changing = tuple(node for node in nodes if not isinstance(node, Branch))
    clock = () if program.clock is None else (Slot(program.clock, ()),)  # it is read before each act
    remembered = any(part == wait.answered for part in walk(test.condition) if isinstance(part, Local))
    if remembered or slots_in(program, test.condition) & slots_in(program, (*changing, *clock)):
        return set()
    return {wait.next, *passed}


def _carried_out(program: Program, entries: list[int]) -> set[int]:
    """Every node of a move, and of the rules that it opens, before the next wait; a wait only if it may be skipped."""
    found: set[int] = set()
    open_nodes = list(entries)
    while open_nodes:
        number = open_nodes.pop()
        node = program.nodes[number]
        if number in found or isinstance(node, End) or (_waits(node) and not _goes_on_by_itself(program, node)):
            continue
        found.add(number)
        open_nodes.extend(_within(node))
        if isinstance(node, Call):
            open_nodes.append(program.procedures[node.procedure].entry)
    return found


def _waits(node: Node) -> bool:
    return isinstance(node, Decide | Chance)


def _ways(program: Program, first: list[int], last: int) -> set[int]:
    """Every node on some way from the first ones to the last without another wait between."""
    before: dict[int, set[int]] = {number: set() for number in first}
    open_nodes = list(first)
    while open_nodes:
        number = open_nodes.pop()
        for follower in _followers(program, number):
            if follower not in before:
                before[follower] = set()
                open_nodes.append(follower)
            before[follower].add(number)
    ways: set[int] = set()
    open_nodes = [last] if last in before else []
    while open_nodes:
        number = open_nodes.pop()
        ways.add(number)
        open_nodes.extend(before[number] - ways)
    return ways


def _goes_on_by_itself(program: Program, node: Node) -> bool:
    """A wait that may be skipped because of what somebody holds; an end, where hidden things are usually shown."""
    if isinstance(node, Decide):
        return not isinstance(node.asked, AnyOfSeats) and (program.forced_choices or node.asked.may_pass)
    return isinstance(node, End) or (isinstance(node, Chance) and program.forced_chance)


def _acting_parts(node: Node) -> object:
    """What is worked out when the node is reached; of a wait, only who is asked and what is drawn."""
    if isinstance(node, Decide):
        return (node.asked,) if node.words is None else (node.asked, node.words)
    return node


def _followers(program: Program, number: int) -> Iterator[int]:
    """Where the node may lead without a wait."""
    node = program.nodes[number]
    if isinstance(node, End) or (_waits(node) and not _goes_on_by_itself(program, node)):
        return
    if isinstance(node, Decide):  # it may be skipped or, with forced choices, answer itself
        yield node.next
        moves = node.moves if program.forced_choices else ()
        yield from (program.procedures[program.moves[move].procedure].entry for move in moves)
    elif isinstance(node, Call):
        yield program.procedures[node.procedure].entry
    elif isinstance(node, Leave):
        yield from _after(program, node.procedure)
    elif isinstance(node, Return):
        for procedure in range(len(program.procedures)):
            if number in _body(program, procedure):
                yield from _after(program, procedure)
    else:
        yield from _within(node)


def _within(node: Node) -> Iterator[int]:
    """Where a node leads inside its procedure, a call or a wait once it is over."""
    for name in ("next", "then", "otherwise", "body", "done"):
        if hasattr(node, name):
            yield getattr(node, name)


def _body(program: Program, procedure: int) -> set[int]:
    """The nodes of a procedure."""
    found: set[int] = set()
    open_nodes = [program.procedures[procedure].entry]
    while open_nodes:
        number = open_nodes.pop()
        if number not in found:
            found.add(number)
            open_nodes.extend(_within(program.nodes[number]))
    return found


def _after(program: Program, procedure: int) -> Iterator[int]:
    """Where a procedure may return to: behind its calls, and behind the waits for its move."""
    for node in program.nodes:
        if isinstance(node, Call):
            opened = {node.procedure}
        elif isinstance(node, Decide):
            opened = {program.moves[move].procedure for move in node.moves}
        else:
            continue
        if procedure in opened:
            yield node.next


def hidden_slots(program: Program) -> set[int]:
    """Every zone and marker that not everybody sees."""
    return {
        number
        for number, slot in enumerate(program.slots)
        if not isinstance(slot.sight.content, Everyone) or (isinstance(slot, Zone) and slot.blind)
    }


def _deciding_sight(program: Program) -> set[int]:
    """The slots on which it depends who sees something."""
    sights = [sight for slot in program.slots for sight in (slot.sight.content, slot.sight.top, slot.sight.size)]
    return slots_in(program, tuple(sight.seats for sight in sights if isinstance(sight, These)))


def slots_in(program: Program, thing: object) -> set[int]:
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
