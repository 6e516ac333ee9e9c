"""A whole flat program: what a printer needs and nothing else."""

from typing import Literal

import attrs

from rulelang_native.flat.statements import Statement

Reason = Literal[
    "overflow",
    "too_long",
    "no_place",
    "no_cell",
    "no_record",
    "no_fit",
    "no_room",
    "not_there",
    "no_piece_without_face",
    "no_face",
    "no_seat",
    "too_many_laps",
    "too_much",
    "told",
]


@attrs.frozen
class Failure:
    """Why a step can be given up. Words are made from the program when it happens."""

    reason: Reason
    number: int = 0
    """The slot, board or record kind that it is about."""
    limit: int = 0
    index: int = 0
    """Which of the slot's indices it is about (`no_place`), counted from 0, or `MEMBER`."""
    words: tuple[str, str] = ("", "")
    """Code and sentence of a failure that was told before play (`told`)."""


@attrs.frozen
class Function:
    """A pure function: it reads the state and changes nothing."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Statement, ...]
    kind: Literal["value", "listing", "framed"] = "value"
    """A listing offers answers instead of giving a value; a framed one reads what the waiting frame remembers."""
    comment: str = ""
    frame: int | None = None
    """The procedure whose frame a framed one reads."""


@attrs.frozen
class Block:
    """Where a frame can stand: statements from a node on, up to a wait or another block."""

    node: int
    body: tuple[Statement, ...]


@attrs.frozen
class Procedure:
    """A rule or the effects of a move.

    A plain one never waits, so it is carried out at once and its locals are variables; any other is a row of blocks
    over a frame.
    """

    number: int
    parameters: int
    locals: int
    plain: bool
    entry: int
    blocks: tuple[Block, ...]
    comment: str = ""


@attrs.frozen
class Division:
    """How bags are divided into groups: what a group is worth, and whether nothing may be left over."""

    worth: str
    """The function that gives it: a row of one number, empty if the bag is no group."""
    whole: bool
    low: int = 0
    high: int = -1
    """The least and the greatest code of any member, if judging a bag of them cannot fail; else none."""


@attrs.frozen
class FlatProgram:
    """Functions, procedures, and what they refer to."""

    functions: tuple[Function, ...]
    procedures: tuple[Procedure, ...]
    failures: tuple[Failure, ...]
    divisions: tuple["Division", ...]
    metered: bool
    """Whether cost must be watched at every statement that can fail, as no bound could be told before play."""
