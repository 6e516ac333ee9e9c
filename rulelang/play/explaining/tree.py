"""What an explanation is: a tree of formulas with their values in the words of the table."""

from typing import Literal

import attrs

Role = Literal["", "when", "whenever", "for", "group", "rest", "kept", "set", "more"]


@attrs.frozen
class Explained:
    """One formula, its value, and what the value comes from."""

    said: str
    """The formula in words, with names of defines and places."""
    value: str
    """In the words of its kind; empty where there is nothing to say."""
    role: Role = ""
    """What it is to the formula above: a part, a condition that decided, one that ended the game as soon as it became
    true, an element of a search, a group of a division, what is left over, an element that was chosen, the line that
    wrote a marker, or the word that there is more."""
    name: str | None = None
    """The define or marker that it is."""
    clauses: tuple[str, ...] = ()
    file: str | None = None
    line: int | None = None
    parts: tuple["Explained", ...] = ()
