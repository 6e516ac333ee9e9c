"""Where everything lies: the interface behind which better layouts come later.

This first layout keeps one value for each zone and marker, in the order of the slots: a number, or a row of codes. A
printer asks it for the place of a member, and for nothing else.
"""

import attrs

from rulelang.play.kinds import Layout


@attrs.frozen
class Places:
    """The cells of a state: slot after slot, member after member."""

    bases: tuple[int, ...]
    cells: int

    @staticmethod
    def of(layout: Layout) -> "Places":
        """The places of a closed program's layout."""
        return Places(tuple(family.base for family in layout.families), layout.cells)

    def base(self, slot: int) -> int:
        """The cell of a family's first member; the others follow."""
        return self.bases[slot]
