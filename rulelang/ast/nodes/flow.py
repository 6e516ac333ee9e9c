"""How the game runs. Spec 9, 10 and 13."""

import attrs

from rulelang.ast.nodes.base import Citation, Node
from rulelang.ast.nodes.expressions import Expr, Text


@attrs.frozen(eq=False)
class Body(Node):
    """The statements below a colon; ``inline`` when one stands on the same line."""

    statements: tuple["Statement", ...]
    inline: bool


@attrs.frozen(eq=False)
class Let(Node):
    """``let taken = E``: a value that lives to the end of the body."""

    name: str
    value: Expr
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Becomes(Node):
    """``round becomes 3``"""

    target: Expr
    value: Expr
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Rises(Node):
    """``my points rises by 2``"""

    target: Expr
    by: Expr
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Falls(Node):
    """``my chips falls by 2``"""

    target: Expr
    by: Expr
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Put(Node):
    """``put WHAT from SOURCE into TARGET``; ``where`` is ``into``, ``onto`` or ``under``. Spec 9.2.

    ``what`` is a formula; the words ``top bottom everything random`` and ``top(n)`` have their meaning here only.
    """

    what: Expr
    source: Expr
    where: str
    target: Expr
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Choose(Node):
    """``p must draw or take``, ``players must secretly offer``, ``others(p) may in_order call as caller``. Spec 9.5."""

    who: Expr
    must: bool
    manner: str | None
    moves: tuple[str, ...]
    move_places: tuple[Node, ...]
    """Where each name in ``moves`` stands."""
    until: Expr | None
    result: str | None
    because: Text | None
    citations: tuple[Citation, ...]
    reason: str | None = None
    """``because round_over: "..."``: what a refusal here is called."""


@attrs.frozen(eq=False)
class Leave(Node):
    """``end betting_round``: leaves the innermost running rule of that name and everything inside it."""

    rule: str
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Wins(Node):
    """``champions wins``, ``nobody wins``"""

    seats: Expr


@attrs.frozen(eq=False)
class Gets(Node):
    """``each p in players gets E``"""

    name: str
    domain: Expr
    amount: Expr


@attrs.frozen(eq=False)
class Result(Node):
    """``grade 3``, ``aborted``, ``unresolved champions``"""

    name: str
    value: Expr | None


@attrs.frozen(eq=False)
class Finish(Node):
    """``end game``, with its outcome. Spec 13."""

    outcome: Wins | Gets | Result | None
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Call(Node):
    """``score_round`` or ``betting_round(2)``: carries out a rule."""

    rule: Expr
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Command(Node):
    """``shuffle deck``, ``roll die``, ``roll shown from faces of die``, ``gather Card to box``: a built-in verb.

    Spec 9.3 and 10.
    """

    verb: str
    object: Expr
    to: Expr | None
    citations: tuple[Citation, ...]
    source: Expr | None = None
    """What is rolled from: any collection."""


@attrs.frozen(eq=False)
class EachLoop(Node):
    """``each p in players from starter where C:``"""

    name: str
    domain: Expr
    start: Expr | None
    where: Expr | None
    body: Body
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Turns(Node):
    """``turns of p from starter:``: laps without end, until something ends."""

    name: str
    domain: Expr | None
    start: Expr
    body: Body
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Repeat(Node):
    """``repeat until C:`` (body first, then the test), ``repeat 3 times:`` or ``repeat:``"""

    until: Expr | None
    times: Expr | None
    body: Body
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Branch(Node):
    """``if C: ... otherwise if D: ... otherwise: ...``. ``otherwise`` is None when it is not written."""

    cases: tuple[tuple[Expr, Body], ...]
    otherwise: Body | None
    citations: tuple[Citation, ...]


Statement = (
    Let | Becomes | Rises | Falls | Put | Choose | Leave | Finish | Call | Command | EachLoop | Turns | Repeat | Branch
)


@attrs.frozen(eq=False)
class Rule(Node):
    """A named piece of play, with or without waiting. Spec 9.1. ``params`` are declarations.Param."""

    name: str
    params: tuple[Node, ...]
    body: Body
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Overview(Node):
    """Where play begins. Spec 9.1."""

    body: Body
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Override(Node):
    """``instead of R when C:``, ``before R:``, ``after R:``. Spec 14.4.

    ``part`` is the requirement in ``discard.fill``; ``requirements`` are moves.Require, replacing or added.
    """

    kind: str
    rule: str
    part: str | None
    when: Expr | None
    requirements: tuple[Node, ...]
    body: Body
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Always(Node):
    """``always one_gap: C``: an invariant of the author. Spec 13.6."""

    name: str
    condition: Expr
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Whenever(Node):
    """``whenever C: ...``: carried out as soon as an atomic change has made C true. Spec 9.8."""

    condition: Expr
    body: Body
    citations: tuple[Citation, ...]
