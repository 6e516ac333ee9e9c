"""What all nodes of the syntax tree share. Spec 2."""

import attrs

from rulelang.source import Place


@attrs.frozen(eq=False)
class Node:
    """A piece of the text and where it stands."""

    at: Place


@attrs.frozen(eq=False)
class Citation(Node):
    """``@13A-R-15``: the clause of the printed rulebook that a line carries out. Spec 1.5."""

    clause: str
    """Without the ``@``."""
