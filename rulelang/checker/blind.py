"""Which zones can hold unseen cards. Spec 10.4.

A pile that is shuffled somewhere holds cards of which only the pool is known. When they move on to another pile
that nobody may see, they stay unseen there. Everywhere else they are settled on arrival. The answer is a set of
zones; the visibility pass forbids reading them, and the compiler turns moves out of them into chance.
"""

from collections.abc import Iterator

from rulelang.ast import nodes as ast
from rulelang.checker.declared import shape_of
from rulelang.checker.formulas import KindTable
from rulelang.checker.kinds import Member, Unknown, bare
from rulelang.checker.names import NameTable
from rulelang.checker.places import MemberRef, SlotRef, place


def zone_of(node: ast.Expr, names: NameTable, types: KindTable) -> ast.Zone | None:
    """The zone that a place formula names."""
    ref = place(node, names)
    if isinstance(ref, SlotRef) and isinstance(ref.node, ast.Zone):
        return ref.node
    if isinstance(ref, SlotRef):
        kind = bare(types.kinds.get(node, Unknown()))
        return kind.zone if isinstance(kind, Member) else None
    if isinstance(ref, MemberRef):
        kind = bare(types.kinds.get(node, types.kinds.get(ref.value)))  # type: ignore[arg-type]
        return kind.zone if isinstance(kind, Member) else None
    return None


def unseen(zone: ast.Zone) -> bool:
    """Whether it is a pile of which nobody may see any card."""
    sights = [trait for trait in zone.traits if isinstance(trait, ast.SeenBy)]
    nobody = [s.part for s in sights if isinstance(s.seats, ast.Constant) and s.seats.word == "nobody"]
    return (
        shape_of(zone) == "pile" and "content" in nobody and all(s.part in nobody or s.part == "size" for s in sights)
    )


def statements(node: ast.Node) -> Iterator[ast.Statement]:
    """Every statement inside a declaration, in the order of the text."""
    stack: list[ast.Node] = [node]
    while stack:
        current = stack.pop()
        match current:
            case ast.Move():
                stack.extend(reversed(current.effects))
            case ast.Rule() | ast.Overview() | ast.Override() | ast.Whenever():
                stack.extend(reversed(current.body.statements))
            case ast.EachLoop() | ast.Turns() | ast.Repeat():
                yield current
                stack.extend(reversed(current.body.statements))
            case ast.Branch():
                yield current
                bodies = [body for _, body in current.cases] + ([current.otherwise] if current.otherwise else [])
                for body in reversed(bodies):
                    stack.extend(reversed(body.statements))
            case _ if isinstance(current, ast.Statement):
                yield current
            case _:
                pass


def blind_zones(rules: ast.Rules, names: NameTable, types: KindTable) -> frozenset[ast.Zone]:
    """The zones in which unseen cards can lie."""
    found: set[ast.Zone] = set()
    flows: list[tuple[ast.Zone, ast.Zone]] = []
    for declaration in rules.declarations:
        for node in statements(declaration):
            if isinstance(node, ast.Command) and node.verb == "shuffle":
                zone = zone_of(node.object, names, types)
                if zone is not None:
                    found.add(zone)
            elif isinstance(node, ast.Put):
                source, target = zone_of(node.source, names, types), zone_of(node.target, names, types)
                if source is not None and target is not None and unseen(target):
                    flows.append((source, target))
    grown = True
    while grown:
        new = {target for source, target in flows if source in found} - found
        grown = bool(new)
        found |= new
    return frozenset(found)
