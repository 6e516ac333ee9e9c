"""Are all pieces in a zone surely different? Spec 9.6.

Two equal pieces are one answer. So a hand of two may leave no choice, and a choice that resolves itself would betray
it. The pieces of a zone are surely different if nothing is ever put there and it begins with each piece once, or if
the whole game has each piece of this kind once.
"""

from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker.blind import statements, zone_of
from rulelang.checker.kinds import agree

if TYPE_CHECKING:
    from rulelang.checker.checked import Checked


class Different:
    """The zones of one file."""

    def __init__(self, checked: "Checked") -> None:
        self.kinds = checked.declared.kinds
        self.zones = [node for node in checked.rules.declarations if isinstance(node, ast.Zone)]
        self.filled: set[ast.Zone] = set()
        """Zones into which something is put."""
        for declaration in checked.rules.declarations:
            for line in statements(declaration):
                target = (
                    line.target if isinstance(line, ast.Put) else line.to if isinstance(line, ast.Command) else None
                )
                zone = zone_of(target, checked.names, checked.types) if target is not None else None
                if zone is not None:
                    self.filled.add(zone)

    def pieces(self, zone: ast.Zone) -> bool:
        """Whether no two pieces in this zone can be equal."""
        if zone not in self.filled:
            return self.starts(zone) <= 1
        alike = [other for other in self.zones if agree(self.kinds[other], self.kinds[zone])]
        families = sum(self.starts(other) for other in alike if other.index is not None)
        return families == 0 and sum(self.starts(other) for other in alike) <= 1

    def starts(self, zone: ast.Zone) -> int:
        """How often a piece may lie in a zone at the start: never, once, or (2) more often."""
        begins = [trait for trait in zone.traits if isinstance(trait, ast.StartsWith)]
        return len(begins) if all(trait.times is None for trait in begins) else 2
