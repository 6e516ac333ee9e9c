"""Formulas and texts. Spec 4."""

import attrs

from rulelang.ast.nodes.base import Node


@attrs.frozen(eq=False)
class Number(Node):
    """A whole number, written with digits."""

    value: int


@attrs.frozen(eq=False)
class Hole(Node):
    """``{card}`` inside a text: the value is spoken in the words of its kind."""

    value: "Expr"


@attrs.frozen(eq=False)
class Text(Node):
    """A text in quotes, whole or with holes. ``parts`` alternate freely; plain strings are not empty."""

    parts: tuple["str | Hole", ...]


@attrs.frozen(eq=False)
class Constant(Node):
    """One of the words ``nobody none empty yes no``."""

    word: str


@attrs.frozen(eq=False)
class Name(Node):
    """A name standing alone: a local, marker, zone, define, row, value, type or option."""

    name: str


@attrs.frozen(eq=False)
class Me(Node):
    """The seat that makes the move."""


@attrs.frozen(eq=False)
class My(Node):
    """``my hand``: the mover's own zone or marker."""

    name: str


@attrs.frozen(eq=False)
class Its(Node):
    """``p's hand``: the zone or marker of a seat."""

    owner: "Expr"
    name: str


@attrs.frozen(eq=False)
class At(Node):
    """``heap[2]``, ``p's stars[round]``: one of a family."""

    family: "Expr"
    indices: tuple["Expr", ...]


@attrs.frozen(eq=False)
class Each(Node):
    """``each x in S where C`` as an argument."""

    name: str
    domain: "Expr"
    where: "Expr | None"


@attrs.frozen(eq=False)
class ValueOfEach(Node):
    """``E for each x in S where C`` as an argument."""

    value: "Expr"
    each: Each


Argument = "Expr | Each | ValueOfEach"


@attrs.frozen(eq=False)
class Apply(Node):
    """``total(p)``, ``sum(E for each x in S)``: a define, condition, rule, record or built-in word with arguments."""

    function: "Expr"
    arguments: tuple["Expr | Each | ValueOfEach", ...]


@attrs.frozen(eq=False)
class Field(Node):
    """``rank of card``, ``size of deck``, ``bag of Card``: a property of a value; in a type, what a holder holds."""

    name: str
    value: "Expr"


@attrs.frozen(eq=False)
class Negative(Node):
    """``-x``"""

    value: "Expr"


@attrs.frozen(eq=False)
class Product(Node):
    """``a * b * c``"""

    factors: tuple["Expr", ...]


@attrs.frozen(eq=False)
class Binary(Node):
    """One further term of a sum: ``+ b``, ``- b`` or ``but b`` (a collection without b)."""

    operator: str
    value: "Expr"


@attrs.frozen(eq=False)
class Sum(Node):
    """``a + b - c``, ``players but p``: from left to right."""

    first: "Expr"
    rest: tuple[Binary, ...]


@attrs.frozen(eq=False)
class Between(Node):
    """``1..6``: the whole numbers from low to high."""

    low: "Expr"
    high: "Expr"


@attrs.frozen(eq=False)
class Compare(Node):
    """``a is b`` and its relatives. ``relation`` is one of ``is, is not, <, <=, >, >=, in, not in``."""

    left: "Expr"
    relation: str
    right: "Expr"


@attrs.frozen(eq=False)
class Negate(Node):
    """``not C``"""

    value: "Expr"


@attrs.frozen(eq=False)
class Both(Node):
    """``A and B and C``"""

    parts: tuple["Expr", ...]


@attrs.frozen(eq=False)
class Either(Node):
    """``A or B or C``"""

    parts: tuple["Expr", ...]


@attrs.frozen(eq=False)
class Conditional(Node):
    """``A if C otherwise B``"""

    value: "Expr"
    condition: "Expr"
    otherwise: "Expr"


@attrs.frozen(eq=False)
class Exists(Node):
    """``some x in S where C``; with ``none`` true it is ``no x in S where C``."""

    none: bool
    name: str
    domain: "Expr"
    where: "Expr"


@attrs.frozen(eq=False)
class Every(Node):
    """``every x in S satisfies C``"""

    name: str
    domain: "Expr"
    condition: "Expr"


@attrs.frozen(eq=False)
class Rank(Node):
    """``most E`` or ``least E``."""

    most: bool
    value: "Expr"


@attrs.frozen(eq=False)
class Select(Node):
    """``first x in S where C with most E then least F`` (one, or none) and ``all x in S ...`` (a list)."""

    all: bool
    name: str
    domain: "Expr"
    where: "Expr | None"
    ranks: tuple[Rank, ...]


@attrs.frozen(eq=False)
class ListOf(Node):
    """``[a, b, c]``"""

    items: tuple["Expr", ...]


@attrs.frozen(eq=False)
class Bracket(Node):
    """``(E)``; kept because the author wrote it."""

    value: "Expr"


Expr = (
    Number
    | Text
    | Constant
    | Name
    | Me
    | My
    | Its
    | At
    | Apply
    | Field
    | Negative
    | Product
    | Sum
    | Between
    | Compare
    | Negate
    | Both
    | Either
    | Conditional
    | Exists
    | Every
    | Select
    | ListOf
    | Bracket
)
