"""What lies on the table and what words mean. Spec 4 to 7 and 14."""

import attrs

from rulelang.ast.nodes.base import Citation, Node
from rulelang.ast.nodes.expressions import Expr, Text
from rulelang.ast.nodes.flow import Always, Override, Overview, Rule, Whenever
from rulelang.ast.nodes.moves import Move, Prefer, Require, RequireNamed


@attrs.frozen(eq=False)
class Header(Node):
    """``players: 2..5``"""

    name: str
    values: tuple[Expr, ...]
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Game(Node):
    """The cover of a game or of a library: title and header lines. Spec 1.2 and 14.5."""

    library: bool
    title: str
    headers: tuple[Header, ...]
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class TypeExpr(Node):
    """A kind of value: alternatives joined by ``or``. ``yes or no``, ``player or nobody``, ``bag of Card``, ``1..6``.

    The alternatives are formulas (``bag of Card`` is ``Field('bag', Name('Card'))``); they are read as types later.
    """

    alternatives: tuple[Expr, ...]


@attrs.frozen(eq=False)
class Index(Node):
    """``for each player and 1..3``: the family a zone or marker comes in."""

    kinds: tuple[Expr, ...]


@attrs.frozen(eq=False)
class SeenBy(Node):
    """``seen by owner``, ``top seen by everyone``; ``part`` is ``content``, ``top``, ``size`` or what was written."""

    part: str
    seats: Expr


@attrs.frozen(eq=False)
class StartsWith(Node):
    """``starts with each Card times 2``"""

    kind: Expr
    times: Expr | None


@attrs.frozen(eq=False)
class Option(Node):
    """``option rows: 1..10 = 6 needs C because "..."``. Spec 14.1."""

    name: str
    values: tuple[Expr, ...]
    default: Expr
    needs: Expr | None
    because: Text | None
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Demand(Node):
    """A ``require`` between the declarations: refuses a configuration with words. Spec 14.2."""

    name: str
    condition: Expr
    because: Text | None
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Values(Node):
    """``values Suit: clubs, hearts`` or ``values Card: 1..13``. Spec 5.2."""

    name: str
    values: tuple[Expr, ...]
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Column(Node):
    """One column of a table or part of a record."""

    name: str
    type: TypeExpr
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Record(Node):
    """A product of kinds: a card of rank and suit. Spec 5.4."""

    name: str
    columns: tuple[Column, ...]
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Row(Node):
    """One row of a table written in the rules themselves; values in the order of the columns."""

    name: str
    values: tuple[Expr, ...]
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Table(Node):
    """Rows of typed data, from the data file (``source`` is its key) or written out. Spec 6."""

    name: str
    source: str | None
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Board(Node):
    """``board Square: 3 by 3``: a kind of places with rows, columns and lines. Spec 5.5."""

    name: str
    rows: Expr
    columns: Expr
    shape: str | None
    """What its cells are, if it is said: squares or hexagons."""
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Zone(Node):
    """A place for components: pile, bag or slot. Spec 7.1."""

    name: str
    index: Index | None
    type: TypeExpr
    showing: TypeExpr | None
    traits: tuple[SeenBy | StartsWith, ...]
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Marker(Node):
    """A fact kept on the table: score, role, flag. Spec 7.2."""

    name: str
    index: Index | None
    type: TypeExpr
    initial: Expr | None
    traits: tuple[SeenBy | StartsWith, ...]
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Timer(Node):
    """``timer glass: 60 seconds``: something that runs out in table time. Spec 11.1."""

    name: str
    length: Expr
    unit: str
    """``seconds``, ``minutes``, ``milliseconds``, or what was written."""
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Param(Node):
    """``p: player`` of a define, condition or rule."""

    name: str
    type: TypeExpr


@attrs.frozen(eq=False)
class Case(Node):
    """``E when C`` (``condition`` is None in ``E otherwise``): one line of a define by cases."""

    value: Expr
    condition: Expr | None
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Define(Node):
    """A word of the rulebook: a pure function. With one line, ``cases`` holds one Case without condition. Spec 4.7."""

    name: str
    params: tuple[Param, ...]
    cases: tuple[Case, ...]
    by_cases: bool
    """Whether the author wrote the block form."""
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Condition(Node):
    """A named requirement with its words, or several that belong together, for use in several moves. Spec 8.4."""

    name: str
    params: tuple[Param, ...]
    value: Expr | None
    """None if requirements are gathered."""
    because: Text | None
    citations: tuple[Citation, ...]
    requirements: tuple[Require | RequireNamed, ...] = ()
    """The gathered ones, in the order of precedence; all of them must hold."""


Declaration = (
    Option
    | Demand
    | Values
    | Record
    | Table
    | Board
    | Zone
    | Marker
    | Timer
    | Define
    | Condition
    | Move
    | Rule
    | Overview
    | Override
    | Always
    | Whenever
    | Prefer
)


@attrs.frozen(eq=False)
class Rules(Node):
    """A whole file."""

    game: Game
    declarations: tuple[Declaration, ...]
