"""Why a move is not legal, in the words of the table. Spec 8.5."""

import attrs


@attrs.frozen
class Witness:
    """A value that shows the reason: the searched thing, the hole of a text."""

    name: str
    value: str
    """In the words of its kind."""


@attrs.frozen
class Refusal:
    """One failing reason. A refused attempt has one or more, the first is *the* reason."""

    code: str
    """The ruleset's name of the requirement, or the engine's name (``not_your_turn``, ``game_over``, ...)."""
    number: str | None
    """RLnnnn for the engine's own reasons, None for a requirement's."""
    words: str
    clauses: tuple[str, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    file: str | None = None
    line: int | None = None
    """Where the requirement stands in the rules."""
    named: bool = False
    """Whether the rules gave an engine's reason this code: a choice its refusal (Spec 9.5), or a demand."""
