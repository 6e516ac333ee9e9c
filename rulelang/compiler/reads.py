"""Which zones and markers a formula reads, also by way of defines. Spec 8.7."""

from rulelang.ast import nodes as ast
from rulelang.checker.checked import Checked
from rulelang.checker.inside import inside
from rulelang.checker.symbols import ConditionName, DefineName, MarkerName, ZoneName


class Reads:
    """Finds what formulas of one program read."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked

    def slots(self, node: ast.Expr) -> tuple[ast.Zone | ast.Marker, ...]:
        """Every zone and marker that the formula reads, in the order of reading."""
        found: dict[ast.Zone | ast.Marker, None] = {}
        stack: list[ast.Node] = [node]
        seen: set[ast.Node] = set()
        while stack:
            current = stack.pop()
            if current in seen:
                continue
            seen.add(current)
            symbol = self.checked.names.uses.get(current)
            if isinstance(symbol, ZoneName | MarkerName):
                found[symbol.node] = None
            elif isinstance(symbol, DefineName):
                for case in reversed(symbol.node.cases):
                    stack.extend([case.value] if case.condition is None else [case.value, case.condition])
            elif isinstance(symbol, ConditionName):
                stack.append(symbol.node.value)
            stack.extend(reversed(inside(current)))
        return tuple(found)

    def limited(self, node: ast.Expr) -> tuple[ast.Zone | ast.Marker, ...]:
        """Those of them that not everybody sees."""
        return tuple(slot for slot in self.slots(node) if not public(slot))

    def legality(self, move: ast.Move) -> tuple[ast.Zone | ast.Marker, ...]:
        """What the legality of a move reads that not everybody sees: domains and requirements."""
        found: dict[ast.Zone | ast.Marker, None] = {}
        for parameter in move.parameters:
            if isinstance(parameter, ast.ChoiceOf):
                found.update(dict.fromkeys(self.limited(parameter.domain)))
        for requirement in move.requirements:
            if isinstance(requirement, ast.RequireNamed):
                symbol = self.checked.names.uses.get(requirement)
                formulas = [symbol.node.value] if isinstance(symbol, ConditionName) else []
                formulas += requirement.arguments
            else:
                formulas = [requirement.condition] + ([requirement.unless] if requirement.unless is not None else [])
            for formula in formulas:
                found.update(dict.fromkeys(self.limited(formula)))
        return tuple(found)


def public(slot: ast.Zone | ast.Marker) -> bool:
    """Whether everybody sees what lies or stands there."""
    sights = [t for t in slot.traits if isinstance(t, ast.SeenBy) and t.part == "content"]
    return all(isinstance(t.seats, ast.Name) and t.seats.name == "everyone" for t in sights)
