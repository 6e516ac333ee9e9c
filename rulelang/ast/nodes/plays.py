"""Play files: scenarios, what is given, what is done and what must then be true. Spec 15.4."""

from typing import Literal

import attrs

from rulelang.ast.nodes.base import Citation, Node
from rulelang.ast.nodes.expressions import Each, Expr, ValueOfEach


@attrs.frozen(eq=False)
class Word(Node):
    """A name where no formula stands: a player, an option, a rule, a reason."""

    name: str


# ------------------------------------------------------------------ given


@attrs.frozen(eq=False)
class Players(Node):
    """``players: Ann, Ben``: what the seats are called here, from seat 1 on."""

    names: tuple[Word, ...]


@attrs.frozen(eq=False)
class Chosen(Node):
    """``option rows = 4``"""

    name: str
    value: Expr


@attrs.frozen(eq=False)
class Portion(Node):
    """``tiger``, ``4 of tiger``, ``anything`` (value None), ``3 of anything``; ``nothing`` is no portion."""

    value: Expr | None
    count: int | None


@attrs.frozen(eq=False)
class Lies(Node):
    """``heap[1] holds moon_bear, hornbill``: exactly this, a pile from bottom to top."""

    place: Expr
    portions: tuple[Portion, ...]
    citations: tuple[Citation, ...] = ()


@attrs.frozen(eq=False)
class Stands(Node):
    """``stake is 3``: what a marker says. ``heap[1] is empty``: a zone holds nothing. ``glass is running``, ``left of
    glass is 20000``: a timer.
    """

    place: Expr
    value: Expr


@attrs.frozen(eq=False)
class EachFact(Node):
    """``each p in players where C:`` with facts about each."""

    name: str
    domain: Expr
    where: Expr | None
    facts: tuple[Lies | Stands, ...]


@attrs.frozen(eq=False)
class Reach(Node):
    """``reach RULE where E``: play stands at the start of that rule, or where that move is offered."""

    rule: Word
    where: Expr | None


@attrs.frozen(eq=False)
class NotBegun(Node):
    """``refused bad_option``: the game cannot be set up like this."""

    reasons: tuple[Word, ...]


Fact = Players | Chosen | Lies | Stands | EachFact | Reach | NotBegun


@attrs.frozen(eq=False)
class Given(Node):
    """What is on the table."""

    facts: tuple[Fact, ...]


# ------------------------------------------------------------------ when


@attrs.frozen(eq=False)
class Deed(Node):
    """``discard(tiger, heap[2])``, ``pass``"""

    name: str
    arguments: tuple[Expr | Each | ValueOfEach, ...]


@attrs.frozen(eq=False)
class Giving(Node):
    """``giving 3, 2``: what the chance that follows gives."""

    outcomes: tuple[Expr, ...]


@attrs.frozen(eq=False)
class RefusedBy(Node):
    """``refused fill, returned``: exactly these reasons in order; ``refused first fill``: this one first; ``refused``
    or ``not legal``: some reason."""

    reasons: tuple[Word, ...]
    only_first: bool
    because: str | None


@attrs.frozen(eq=False)
class IsLegal(Node):
    """``legal``: it would be taken; it is not done."""


Effect = Giving | RefusedBy | IsLegal


@attrs.frozen(eq=False)
class Act(Node):
    """``Ann: discard(tiger, heap[2])  refused fill``"""

    who: Word
    deed: Deed
    effect: Effect | None
    citations: tuple[Citation, ...] = ()


@attrs.frozen(eq=False)
class Timed(Node):
    """``at 41.000 Ann: draw``, ``at 83.500: nothing``"""

    seconds: int
    decimals: str
    """What stands behind the point; nothing if there is no point."""
    act: Act | None
    citations: tuple[Citation, ...] = ()

    @property
    def time(self) -> int:
        """Table time since the game began, in milliseconds; decimals behind the third one do not count."""
        return self.seconds * 1000 + int(self.decimals[:3].ljust(3, "0"))


@attrs.frozen(eq=False)
class ByChance(Node):
    """``chance gives 3, 2``"""

    outcomes: tuple[Expr, ...]
    citations: tuple[Citation, ...] = ()


@attrs.frozen(eq=False)
class AllPass(Node):
    """``all pass``"""

    citations: tuple[Citation, ...] = ()


Happening = Act | Timed | ByChance | AllPass


@attrs.frozen(eq=False)
class When(Node):
    """What is done."""

    events: tuple[Happening, ...]


# ------------------------------------------------------------------ then


@attrs.frozen(eq=False)
class Claim(Node):
    """A formula that is true."""

    formula: Expr
    citations: tuple[Citation, ...] = ()


@attrs.frozen(eq=False)
class Sees(Node):
    """``Ben sees heap[2]``"""

    who: Word
    formula: Expr
    citations: tuple[Citation, ...] = ()


@attrs.frozen(eq=False)
class NeverSees(Node):
    """``Ben never sees Ann's hand, tiger``"""

    who: Word
    things: tuple[Expr, ...]
    citations: tuple[Citation, ...] = ()


@attrs.frozen(eq=False)
class Saw(Node):
    """``Ben saw Ann: offer(anything)``: the last move of Ann that Ben observed, as he observed it."""

    who: Word
    mover: Word
    deed: Deed
    citations: tuple[Citation, ...] = ()


@attrs.frozen(eq=False)
class ToMove(Node):
    """``to move: Ann``; nobody if the list is empty."""

    seats: tuple[Word, ...]
    citations: tuple[Citation, ...] = ()


@attrs.frozen(eq=False)
class Won(Node):
    """``Ann and Ben win``"""

    winners: tuple[Word, ...]


@attrs.frozen(eq=False)
class Gain(Node):
    """``Ann gets 3``"""

    who: Word
    amount: Expr


@attrs.frozen(eq=False)
class Gained(Node):
    """What each gets."""

    gains: tuple[Gain, ...]


@attrs.frozen(eq=False)
class Graded(Node):
    """``grade 3``"""

    grade: Expr


@attrs.frozen(eq=False)
class Undecided(Node):
    """``unresolved`` or ``aborted``"""

    word: Literal["unresolved", "aborted"]


EndingAs = Won | Gained | Graded | Undecided


@attrs.frozen(eq=False)
class Over(Node):
    """``game over, Ann wins``"""

    ending: EndingAs | None
    citations: tuple[Citation, ...] = ()


@attrs.frozen(eq=False)
class GoesOn(Node):
    """``game goes on``"""

    citations: tuple[Citation, ...] = ()


Check = Claim | Lies | Sees | NeverSees | Saw | ToMove | Over | GoesOn


@attrs.frozen(eq=False)
class Then(Node):
    """What must then be true."""

    checks: tuple[Check, ...]


# ------------------------------------------------------------------ the file


@attrs.frozen(eq=False)
class Scenario(Node):
    """One example that is a test."""

    title: str
    game: Word
    """The ruleset's name or path."""
    blocks: tuple[Given | When | Then, ...]
    citations: tuple[Citation, ...]


@attrs.frozen(eq=False)
class Alias(Node):
    """``pon_not_three: three_usable, same_kind``: what a reason is called here, and the requirements it stands for."""

    name: str
    reasons: tuple[Word, ...]


@attrs.frozen(eq=False)
class Reasons(Node):
    """The names of reasons."""

    aliases: tuple[Alias, ...]


@attrs.frozen(eq=False)
class Plays(Node):
    """A play file, its inline rules aside."""

    paragraphs: tuple[Reasons | Scenario, ...]

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """The scenarios in the order of the text."""
        return tuple(each for each in self.paragraphs if isinstance(each, Scenario))

    @property
    def aliases(self) -> tuple[Alias, ...]:
        """All names of reasons."""
        return tuple(alias for each in self.paragraphs if isinstance(each, Reasons) for alias in each.aliases)
