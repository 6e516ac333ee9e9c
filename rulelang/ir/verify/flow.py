"""Third pass: does every way through a procedure end soundly, and is every local set before it is read? Spec 9 and
16.3.

Every node belongs to one procedure. A ring of nodes waits, or has a Loop that counts its laps. A Leave names a
procedure that is open whenever the Leave is reached: it stands in that procedure, or every chain of frames to here
goes through it.

The result says for every reachable node which locals have values there, as bits; parameters always do.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rulelang.ir.calls import inner_first, opened_by
from rulelang.ir.effects import SetLocal
from rulelang.ir.expressions import Constant
from rulelang.ir.laps import begun, is_endless, parts_of, reachable, sets, successors
from rulelang.ir.nodes import Call, Chance, Decide, Do, Leave, Loop, Return
from rulelang.ir.program import Procedure, Program
from rulelang.ir.verify.finding import Report
from rulelang.limits import NESTING

Exits: TypeAlias = dict[int, frozenset[int]]


def check(program: Program, report: Report) -> dict[int, int]:
    """Report unsound ways; the locals that have values at each reachable node."""
    owner: dict[int, int] = {}
    known: dict[int, int] = {}
    exits = _exits(program)
    for number, procedure in enumerate(program.procedures):
        nodes = reachable(program, procedure.entry)
        for node in nodes:
            if owner.setdefault(node, number) != number:
                first = program.procedures[owner[node]].name
                report.add(f"/nodes/{node}", f"this belongs to '{first}' and to '{procedure.name}'")
        _laps(program, nodes, exits, report)
        _locals_in_range(program, procedure, nodes, report)
        if not report.findings:
            known |= _known(program, procedure, nodes, report)
    if not report.findings:
        _leaves(program, owner, report)
    return known


def _ahead(program: Program, number: int, exits: Exits, begin: Mapping[int, int]) -> tuple[int, ...]:
    """The nodes of the same procedure that can follow without a wait; ``begin`` leads straight into a loop's body."""
    if number in begin:
        return (begin[number],)
    node = program.nodes[number]
    waits = isinstance(node, Decide | Chance) or (
        isinstance(node, Call) and node.procedure not in exits[node.procedure]
    )
    return () if waits else successors(node)


def _exits(program: Program) -> Exits:
    """For every procedure those that can be closed without a wait once it is opened: itself, or more by a Leave."""
    opened = opened_by(program)
    order, _ = inner_first(len(opened), lambda number: opened[number])
    exits: Exits = {}
    for number in order:
        closed: set[int] = set()
        begin = begun(program, reachable(program, program.procedures[number].entry))
        seen = {program.procedures[number].entry}
        waiting = list(seen)
        while waiting:
            here = waiting.pop()
            node = program.nodes[here]
            match node:
                case Return():
                    closed.add(number)
                case Leave():
                    closed.add(node.procedure)
                case Call():
                    closed |= exits[node.procedure] - {node.procedure}
            new = [following for following in _ahead(program, here, exits, begin) if following not in seen]
            seen.update(new)
            waiting += new
        exits[number] = frozenset(closed)
    return exits


def _laps(program: Program, nodes: Sequence[int], exits: Exits, report: Report) -> None:
    """Every ring waits or counts its laps; what counts begins at 0."""
    edges = {number: _ahead(program, number, exits, {}) for number in nodes}
    for part in parts_of(program, edges):
        if not isinstance(part, int) and is_endless(part):
            report.add(f"/nodes/{part.nodes[0]}", "from here the game can go round for ever without a wait")
    positions = {node.position.number for node in map(program.nodes.__getitem__, nodes) if isinstance(node, Loop)}
    for number in nodes:
        match program.nodes[number]:
            case Do(effect=SetLocal(local=local, value=value)) if local.number in positions and value != Constant(0):
                report.add(f"/nodes/{number}", f"'{local.name}' counts laps, so it begins at 0")


def _locals_in_range(program: Program, procedure: Procedure, nodes: Sequence[int], report: Report) -> None:
    """The locals that nodes set are locals of the procedure."""
    for number in nodes:
        for local in sets(program.nodes[number]):
            if not 0 <= local < len(procedure.locals):
                report.add(f"/nodes/{number}", f"'{procedure.name}' has no local {local}")


def _known(program: Program, procedure: Procedure, nodes: Sequence[int], report: Report) -> dict[int, int]:
    """The locals that surely have values when each node is reached."""
    everything = (1 << len(procedure.locals)) - 1
    known = dict.fromkeys(nodes, everything)
    known[procedure.entry] = (1 << procedure.parameters) - 1
    order = _order(program, procedure.entry)
    for _ in range(NESTING + 2):
        changed = False
        for number in order:
            for following, after in _after(program, number, known[number]):
                if known[following] & ~after:
                    known[following] &= after
                    changed = True
        if not changed:
            return known
    report.add(f"/nodes/{procedure.entry}", f"the ways through '{procedure.name}' are too tangled")
    return known


def _order(program: Program, entry: int) -> list[int]:
    """The nodes of a procedure, as far as possible each after those that lead to it."""
    order: list[int] = []
    seen = {entry}
    way = [(entry, iter(successors(program.nodes[entry])))]
    while way:
        number, ahead = way[-1]
        following = next(ahead, None)
        if following is None:
            order.append(number)
            way.pop()
        elif following not in seen:
            seen.add(following)
            way.append((following, iter(successors(program.nodes[following]))))
    return order[::-1]


def _after(program: Program, number: int, known: int) -> list[tuple[int, int]]:
    """The nodes that can follow, each with the locals that have values then."""
    node = program.nodes[number]
    if isinstance(node, Loop):
        taken = known | 1 << node.position.number | 1 << node.item.number
        return [(node.body, taken), (node.done, known)]
    for local in sets(node):
        known |= 1 << local
    return [(following, known) for following in successors(node)]


def _leaves(program: Program, owner: dict[int, int], report: Report) -> None:
    """A Leave names a procedure through which every chain of frames goes."""
    nearest = _nearest(program)
    for number, inside in sorted(owner.items()):
        node = program.nodes[number]
        here = program.procedures[inside].name
        if isinstance(node, Leave) and inside in nearest and not _is_around(nearest, node.procedure, inside):
            left = program.procedures[node.procedure].name
            report.add(f"/nodes/{number}", f"'{left}' need not be open when '{here}' leaves it")


def _is_around(nearest: dict[int, int | None], outer: int, procedure: int | None) -> bool:
    """Whether one procedure is open whenever another is."""
    while procedure is not None and procedure != outer:
        procedure = nearest[procedure]
    return procedure == outer


def _nearest(program: Program) -> dict[int, int | None]:
    """For every procedure that can be open, the innermost other one that is open whenever it is."""
    opened = opened_by(program)
    order, _ = inner_first(len(opened), lambda number: opened[number])
    nearest: dict[int, int | None] = {0: None}
    depth = {0: 0}
    for number in reversed(order):
        for inner in opened[number] if number in nearest else ():
            common: int | None = number
            other = nearest.get(inner, number)
            while common != other:
                assert common is not None and other is not None
                if depth[common] >= depth[other]:
                    common = nearest[common]
                else:
                    other = nearest[other]
            nearest[inner] = common
            depth[inner] = 0 if common is None else depth[common] + 1
    return nearest
