"""What players may do. Spec 8."""

import attrs

from rulelang.ast.nodes.base import Citation, Node
from rulelang.ast.nodes.expressions import Expr, Rank, Text
from rulelang.ast.nodes.flow import Statement


@attrs.frozen(eq=False)
class ChoiceOf(Node):
    """``card in my hand``: a parameter of a move and what it is chosen from."""

    name: str
    domain: Expr


@attrs.frozen(eq=False)
class Maybe(Node):
    """``maybe going_out``: a declaration that may come with the move; yes or no."""

    name: str


@attrs.frozen(eq=False)
class Require(Node):
    """``require free: C unless D because "..."``: the only place where legality lives."""

    name: str
    condition: Expr
    unless: Expr | None
    because: Text | None
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class RequireNamed(Node):
    """``require upright`` or ``require holds(me)``: a declared condition."""

    name: str
    arguments: tuple[Expr, ...]
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Move(Node):
    """A move: parameters in the order of answering, requirements in the order of precedence, effects."""

    name: str
    private: bool
    """``seen by me``: nobody else observes it."""
    parameters: tuple[ChoiceOf | Maybe, ...]
    requirements: tuple[Require | RequireNamed, ...]
    effects: tuple[Statement, ...]
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Prefer(Node):
    """``prefer play with most E then least F when C``: what automatic players are advised to do. Spec 15.1."""

    move: str
    """Or ``pass``."""
    move_place: Node
    """Where the move is named."""
    ranks: tuple[Rank, ...]
    when: Expr | None
    citations: tuple[Citation, ...]
