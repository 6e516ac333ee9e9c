"""Where a piece of the program stands in the rules text, and which clauses it carries out. Spec 1.5."""

import attrs


@attrs.frozen
class Origin:
    """A place in the rules text; lines and columns count from 1. Left out of the content hash."""

    file: str
    line: int
    column: int


@attrs.frozen
class Source:
    """What stands behind a node, a requirement or a declaration."""

    origin: Origin
    clauses: tuple[str, ...] = ()
    """Cited clauses of the printed rulebook, in the order of the text."""
