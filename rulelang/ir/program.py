"""A whole program: declarations, functions, procedures and the graph. Spec 1.3."""

from typing import Final, Literal

import attrs

from rulelang.ir.directions import BoardShape
from rulelang.ir.expressions import Expression, Local, RankBy, Words
from rulelang.ir.nodes import Node
from rulelang.ir.origin import Source
from rulelang.ir.types import SingleType, Type

IR_VERSION = 1

ADDED: Final = {"added": True}
"""Marks a field that came later: a document leaves it out if it has its default, as all earlier ones do."""


@attrs.frozen
class Option:
    """A choice before play. Spec 14.1."""

    name: str
    type: SingleType
    """Numbers, names or a flag."""
    default: int
    needs: Expression | None
    words: Words | None
    """Why a value is refused when ``needs`` does not hold."""
    at: Source


@attrs.frozen
class Demand:
    """A condition on the whole configuration. Spec 14.2."""

    name: str
    condition: Expression
    words: Words
    at: Source


@attrs.frozen
class Board:
    """A grid of cells. Spec 5.5."""

    name: str
    rows: Expression
    columns: Expression
    at: Source
    shape: BoardShape = attrs.field(default="squares", metadata=ADDED)


@attrs.frozen
class Column:
    """One column of a table: its kind and its value in every row."""

    name: str
    type: Type
    values: tuple[int | str | tuple[int, ...], ...]
    """Codes, collections of codes, or texts."""


@attrs.frozen
class Table:
    """Constant data. Spec 6."""

    name: str
    rows: tuple[str, ...]
    """Row names, in order."""
    columns: tuple[Column, ...]
    at: Source


@attrs.frozen
class Everyone:
    """All seats and spectators see it."""


@attrs.frozen
class Nobody:
    """No seat sees it."""


@attrs.frozen
class Owner:
    """The seat in the family's first index sees it."""


@attrs.frozen
class These:
    """The seats of a list see it; the list depends only on what everybody sees. ``owner`` stands for the seat in the
    first index.
    """

    seats: Expression
    owner: Local


Seats = Everyone | Nobody | Owner | These


@attrs.frozen
class Sight:
    """Who sees what lies there, the top piece, and how many there are. Spec 7.5."""

    content: Seats
    top: Seats
    size: Seats


@attrs.frozen
class Start:
    """Each value of a kind so many times: what a zone holds before play. ``times`` may read the value by its local.
    Spec 7.2.
    """

    variable: Local
    values: Expression
    times: Expression


@attrs.frozen
class Zone:
    """A family of piles, bags or slots (one member for each combination of index values). Spec 7.1."""

    name: str
    index: tuple[SingleType, ...]
    shape: Literal["pile", "bag", "slot"]
    content: SingleType
    sight: Sight
    starts: tuple[Start, ...]
    blind: bool
    """Whether unseen cards can lie here (Spec 10.4); what lies here is then read by nobody, not even the rules."""
    at: Source


@attrs.frozen
class Marker:
    """A family of facts on the table. Spec 7.2."""

    name: str
    index: tuple[SingleType, ...]
    type: Type
    initial: Expression
    sight: Sight
    at: Source


DeclaredSlot = Zone | Marker


@attrs.frozen
class Function:
    """A define: parameters are the first locals. Spec 4.7."""

    name: str
    parameters: int
    locals: int
    """How many locals it uses in all, parameters included."""
    body: Expression
    at: Source


@attrs.frozen
class Procedure:
    """A rule, or the effects of a move: parameters are the first locals. Spec 9.1."""

    name: str
    parameters: int
    locals: tuple[str, ...]
    """The name of every local, parameters included."""
    entry: int
    at: Source


@attrs.frozen
class Parameter:
    """One answer that makes up a move. Spec 8.2."""

    name: str
    type: SingleType
    """Its codes are the digits of the move's number."""
    domain: Expression
    """What it may be chosen from, now (a collection; may read earlier parameters)."""
    domain_name: str
    """The domain in the author's words, for "is not in ..."."""
    named: tuple[int, ...]
    """The zones and markers that the domain reads and not everybody sees; empty if everybody knows the choices."""
    named_places: tuple["Expression", ...]
    """Reads of the places that the answer names: where it is chosen from and where the move puts it. A seat is shown
    the answer if there are none or it sees one (Spec 8.7).
    """


@attrs.frozen
class Requirement:
    """A condition of legality with its words. Spec 8.3."""

    name: str
    condition: Expression
    words: Words
    prefix: int
    """How many parameters it needs: it is decided as soon as they are answered."""
    at: Source


@attrs.frozen
class Move:
    """What a seat may do. Local 0 is the mover, then come the parameters; the effects are a procedure with the same
    first locals. Spec 8.
    """

    name: str
    parameters: tuple[Parameter, ...]
    requirements: tuple[Requirement, ...]
    locals: int
    """How many locals its formulas use in all."""
    procedure: int
    at: Source
    private: bool = attrs.field(default=False, metadata=ADDED)
    """Whether only the mover observes that it was made. Spec 8.7."""


@attrs.frozen
class Invariant:
    """What the author says is always true when the game waits. Spec 13.6."""

    name: str
    condition: Expression
    locals: int
    at: Source


@attrs.frozen
class Preference:
    """What automatic players are advised to do: answers with this move that satisfy the condition, those first that
    rank highest, by the ranks in their order. Local 0 is the asked seat, then come the parameters. Spec 15.1.
    """

    move: int | None
    """None: to pass."""
    condition: Expression
    ranks: tuple[RankBy, ...]
    locals: int
    at: Source


@attrs.frozen
class Timer:
    """Something that runs out in table time, kept in two markers. Spec 11.1.

    Both count whole milliseconds and are seen by everybody; neither belongs to a family.
    """

    name: str
    left: int
    """The slot of what was left at the last change."""
    end: int
    """The slot of the moment when it will be empty, none while it does not run."""
    full: Expression
    """How long it runs."""
    at: Source


@attrs.frozen
class Program:
    """Everything an interpreter needs. Open (options and seats undecided) or closed (``configuration`` is set)."""

    version: int
    name: str
    """The ruleset's name, as in ``rulelang play NAME``."""
    title: str
    fewest_seats: int
    most_seats: int
    forced_chance: bool
    """Whether a chance step with only one thing to draw resolves itself (Spec 10.2)."""
    forced_choices: bool
    """Whether a choice with one legal answer for every asked seat resolves itself (Spec 9.6)."""
    options: tuple[Option, ...]
    demands: tuple[Demand, ...]
    boards: tuple[Board, ...]
    tables: tuple[Table, ...]
    slots: tuple[DeclaredSlot, ...]
    functions: tuple[Function, ...]
    procedures: tuple[Procedure, ...]
    """Procedure 0 is the overview."""
    moves: tuple[Move, ...]
    nodes: tuple[Node, ...]
    invariants: tuple[Invariant, ...]
    reasons: tuple[str, ...] = attrs.field(default=(), metadata=ADDED)
    """Codes of refusals in the order in which they are given; all others come behind them as found. Spec 8.5."""
    configuration: "Configuration | None" = None
    preferences: tuple[Preference, ...] = attrs.field(default=(), metadata=ADDED)
    """Advice for automatic players, the most urgent first; it is no part of what the program means."""
    timers: tuple[Timer, ...] = attrs.field(default=(), metadata=ADDED)
    """In the order of declaration, which decides between equal times. Spec 11."""
    clock: int | None = attrs.field(default=None, metadata=ADDED)
    """The slot of the time of the last reading, in milliseconds; none if the game knows no time."""


@attrs.frozen
class Configuration:
    """The choices that closed a program."""

    seats: int
    options: tuple[int, ...]
    """A code for every option, in order."""
