"""What a generated game has declared so far: the kinds, and whatever can be named in formulas and statements.

*Sight* says who can work something out: ``ALL`` everybody, ``OWN`` the seat that moves, ``ANY`` the rules only. What is
generated for a place may use everything up to the sight that is wanted there (Spec 7.9).
"""

from typing import Final

import attrs

from rulelang.ast import nodes as ast
from rulelang.testing.making import HERE, constant, field, kind, name, number

ALL: Final = 0
OWN: Final = 1
ANY: Final = 2

# ------------------------------------------------------------------ kinds


@attrs.frozen
class Numbers:
    """Whole numbers within bounds; ``name`` if declared by ``values``."""

    low: int
    high: int
    name: str = ""


@attrs.frozen
class Flags:
    """Yes or no."""


@attrs.frozen
class Seats:
    """Players."""


@attrs.frozen
class Labels:
    """Named values."""

    name: str
    labels: tuple[str, ...]


@attrs.frozen
class Cards:
    """Records."""

    name: str
    fields: tuple[tuple[str, "Kind"], ...]


@attrs.frozen
class Rows:
    """Rows of a table."""

    name: str
    labels: tuple[str, ...]
    columns: tuple[tuple[str, "Kind"], ...]


@attrs.frozen
class Cells:
    """Cells of a board."""

    name: str
    rows: int
    columns: int
    edges: str
    """The name of the kind of its edges; empty if there is none."""


@attrs.frozen
class Edges:
    """Edges of a board."""

    name: str
    cells: Cells


@attrs.frozen
class Which:
    """One zone of a family."""

    zone: str


@attrs.frozen
class Maybe:
    """A value or none."""

    of: "Kind"


@attrs.frozen
class Many:
    """A list or a bag."""

    shape: str
    of: "Kind"


@attrs.frozen
class Faced:
    """A thing that shows a face, or none yet."""

    piece: "Kind"
    face: "Kind"


@attrs.frozen
class Words:
    """Texts in a table."""


Kind = Numbers | Flags | Seats | Labels | Cards | Rows | Cells | Edges | Which | Maybe | Many | Faced | Words

FLAG: Final = Flags()
SEAT: Final = Seats()
COUNT: Final = Numbers(-(2**40), 2**40)
"""Any number."""


def bare(of: Kind) -> Kind:
    """The kind without "or none"."""
    return of.of if isinstance(of, Maybe) else of


def word_for(of: Kind) -> ast.Expr:
    """A kind as one alternative of a type."""
    match of:
        case Numbers(name=""):
            return ast.Between(HERE, number(of.low), number(of.high))
        case Numbers() | Labels() | Cards() | Rows() | Cells() | Edges():
            return name(of.name)
        case Seats():
            return name("player")
        case Which():
            return name(of.zone)
        case Words():
            return name("text")
        case Many():
            inner = word_for(of.of)
            return field(of.shape, ast.Bracket(HERE, inner) if isinstance(inner, ast.Between) else inner)
        case _:
            raise AssertionError(of)


def type_for(of: Kind) -> ast.TypeExpr:
    """A kind as it stands behind a colon."""
    if isinstance(of, Flags):
        return kind(constant("yes"), constant("no"))
    if isinstance(of, Maybe):
        return kind(word_for(of.of), constant("nobody" if isinstance(of.of, Seats) else "none"))
    return kind(word_for(of))


# ------------------------------------------------------------------ what is declared


@attrs.frozen
class Slot:
    """A zone or marker."""

    name: str
    index: tuple[Kind, ...]
    of: Kind
    """The kind of a marker's value, or of a zone's pieces."""
    sight: str
    """``everyone``, ``owner``, ``nobody`` or ``some`` (a formula for seats)."""
    shape: str = ""
    """``pile``, ``bag``, ``slot``; empty for a marker."""
    blind: bool = False
    top: bool = False
    """Whether everybody sees the top card, though not the rest."""
    counted: bool = True
    """Whether everybody sees how many pieces there are."""

    @property
    def owned(self) -> bool:
        """Whether it belongs to a seat."""
        return bool(self.index) and isinstance(self.index[0], Seats)

    def held(self) -> Kind:
        """The kind of what it is read as."""
        if not self.shape:
            return self.of
        return Maybe(self.of) if self.shape == "slot" else Many("bag" if self.shape == "bag" else "list", self.of)

    def readable(self, sight: int, mine: bool) -> bool:
        """Whether it can be read where so much may be seen."""
        if self.blind:
            return False
        return self.sight == "everyone" or sight == ANY or (sight == OWN and mine and self.sight == "owner")


@attrs.frozen
class Word:
    """A define or condition."""

    name: str
    params: tuple[tuple[str, Kind], ...]
    of: Kind
    sight: int
    me: bool = False
    """A condition that speaks of the mover."""


@attrs.frozen
class Choice:
    """An option."""

    name: str
    of: Kind
    low: int = 0
    high: int = 0


@attrs.frozen
class Act:
    """A move that can be offered."""

    name: str
    always: bool
    """Whether it is legal whenever it is offered."""
    within: str = ""
    """The rule that it may end; it can only be offered there."""


@attrs.frozen
class Piece:
    """A rule that can be carried out."""

    name: str
    params: tuple[tuple[str, Kind], ...]
    waits: bool


@attrs.define
class World:
    """Everything there is."""

    most_seats: int = 2
    fewest_seats: int = 2
    resolving: bool = False
    """Whether forced choices resolve themselves."""
    kinds: list[Kind] = attrs.field(factory=list)
    """Declared kinds of single values."""
    zones: list[Slot] = attrs.field(factory=list)
    markers: list[Slot] = attrs.field(factory=list)
    words: list[Word] = attrs.field(factory=list)
    conditions: list[Word] = attrs.field(factory=list)
    options: list[Choice] = attrs.field(factory=list)
    acts: list[Act] = attrs.field(factory=list)
    pieces: list[Piece] = attrs.field(factory=list)
    names: set[str] = attrs.field(factory=set)
    clock: int = 10
    """When the marker ``clock`` has this value the game is over."""
    timer: str = ""
    """The name of the timer, if the game knows time."""

    def zones_of(self, content: Kind) -> list[Slot]:
        """The zones that hold such pieces."""
        return [zone for zone in self.zones if zone.of == content]

    def family(self, which: Which) -> Slot:
        """The zones that a member kind speaks of."""
        return next(zone for zone in self.zones if zone.name == which.zone)


@attrs.frozen
class Local:
    """A bound name."""

    name: str
    of: Kind
    sight: int


@attrs.frozen
class Scope:
    """What can be named where a formula or statement stands."""

    locals: tuple[Local, ...] = ()
    me: bool = False
    rule: str = ""
    """The rule whose body this is; it may be ended."""
    open: bool = True
    """Whether everybody knows that play comes here: only then may it wait."""
    waits: bool = True
    """Whether play may wait for seats here."""
    ends: bool = True
    """Whether the game may end here."""
    depth: int = 0

    def bind(self, *locals: Local) -> "Scope":
        """The scope with more names."""
        return attrs.evolve(self, locals=(*self.locals, *locals))
