"""Automatic players: they are told what their seat may know and choose a legal answer. Spec 15.1.

An agent never receives a state. What it gets is a `Situation`; everything there is built from the seat's own
information, so that a player at the table could have said it.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol, runtime_checkable

from rulelang.ir.program import Program
from rulelang.play.engine import Draw, State
from rulelang.play.event import Answer
from rulelang.play.remembering import Moment
from rulelang.play.view import InformationState

SHORTEST: Final = 1_000
LONGEST: Final = 8_000
"""Milliseconds that an act takes in open play, unless a player says otherwise; each is equally likely. Spec 11.4."""


class Situation:
    """A seat is asked: its legal answers, and what it knows if it wants to know."""

    __slots__ = (
        "_advised_for",
        "_information",
        "_memory",
        "_preferred",
        "_resample",
        "answers",
        "happened",
        "program",
        "seat",
        "unhurried",
        "waited",
    )

    def __init__(
        self,
        seat: int,
        answers: Sequence[Answer],
        information: Callable[[], InformationState],
        resample: Callable[[Draw], State],
        preferred: Callable[[], Answer | None] = lambda: None,
        waited: int = 0,
        happened: bool = False,
        unhurried: bool = False,
        program: Program | None = None,
        memory: Callable[[], tuple[Moment, ...]] = lambda: (),
        advised_for: Callable[[], int] = lambda: 0,
    ) -> None:
        self.seat = seat
        self.answers = answers
        """The legal answers, without moves that carry words (12.4): those are not listed."""
        self.waited = waited
        """Milliseconds of table time since this decision began: since the seat acted, or since it could do anything."""
        self.happened = happened
        """Whether anything has happened since then, readings of the clock left out."""
        self.unhurried = unhurried
        """Whether it is good advice to do nothing where no line of the rules' advice fits: in open play of whose moves
        some line speaks (11.4).
        """
        self.program = program
        """The closed program: the rules and options of the game, which everybody knows. Always there in a match."""
        self._advised_for = advised_for
        self._information = information
        self._memory = memory
        self._resample = resample
        self._preferred = preferred

    @property
    def information(self) -> InformationState:
        """The seat's view and what it has observed; built when asked for."""
        return self._information()

    @property
    def memory(self) -> tuple[Moment, ...]:
        """What the seat was shown since the game began, when, and which moves it observed; the last moment is now.
        Built when asked for.
        """
        return self._memory()

    @property
    def preferred(self) -> Answer | None:
        """The answer that the rules advise, worked out from what the seat may see; None if they advise none."""
        return self._preferred()

    @property
    def advised_for(self) -> int:
        """Milliseconds of table time since some line of the rules' advice fits without a break, the seat not acting.

        Where it is not ``unhurried``, the same as ``waited``. Worked out when asked for.
        """
        return self._advised_for()

    def resample(self, draw: Draw) -> State:
        """A state that the seat cannot tell from the real one, to think ahead in. Raises Refused if there is none."""
        return self._resample(draw)


class Agent(Protocol):
    """An automatic player. It keeps nothing from one decision to the next that matters."""

    @property
    def name(self) -> str:
        """As in ``--agent NAME``."""

    def choose(self, situation: Situation, draw: Draw) -> Answer:
        """One of the situation's answers. All chance comes from ``draw``."""


Hesitation = tuple[int, Answer] | None
"""What a player will do and in how many milliseconds, or nothing."""


@runtime_checkable
class Proposes(Protocol):
    """An automatic player with a model of its own of how long its acts take. Spec 11.4.

    At a wait in open play it is asked after every event, with the same draws as long as it has not acted. Two further
    fields may be there: ``takes_time`` (it is asked like this at waits of other kinds, too) and ``speaks`` (it chooses
    moves that carry words, and is also asked where nothing else can be done).
    """

    def propose(self, situation: Situation, draw: Draw) -> Hesitation:
        """What it will do and in how many milliseconds from now (0 or more), or None if it will do nothing."""


def takes_time(agent: Agent) -> bool:
    """Whether a player's acts take time at waits of every kind."""
    return isinstance(agent, Proposes) and bool(getattr(agent, "takes_time", False))


def proposed(agent: Agent, situation: Situation, draw: Draw) -> Hesitation:
    """What a player proposes in open play; one without a model of its own takes 1 to 8 seconds for what it chooses.

    The time is drawn first, and is counted from the beginning of its decision: what it had begun goes on.
    """
    if isinstance(agent, Proposes):
        return agent.propose(situation, draw)
    if not situation.answers:
        return None
    return hesitation(situation.waited, draw), agent.choose(situation, draw)


def hesitation(waited: int, draw: Draw) -> int:
    """In how many milliseconds from now a player acts that takes 1 to 8 seconds and has waited so long. One draw."""
    delay = SHORTEST + draw.below(LONGEST - SHORTEST + 1)
    return max(0, delay - waited)


class RandomAgent:
    """Chooses uniformly among all complete legal answers, a pass counting as one.

    One draw a decision, none if there is no choice.
    """

    name = "random"

    def choose(self, situation: Situation, draw: Draw) -> Answer:
        """Any answer, each equally likely."""
        answers = situation.answers
        return answers[draw.below(len(answers))] if len(answers) > 1 else answers[0]


class AdvisedAgent:
    """Answers as the rules advise (``prefer``); where they advise nothing, like ``random``.

    In open play it does nothing where lines speak of what can be done and none fits.
    """

    name = "advised"

    def propose(self, situation: Situation, draw: Draw) -> Hesitation:
        """What is advised, after 1 to 8 seconds; where nothing is, nothing, or any answer."""
        if not situation.answers or (situation.unhurried and situation.preferred is None):
            return None
        return hesitation(situation.advised_for, draw), self.choose(situation, draw)

    def choose(self, situation: Situation, draw: Draw) -> Answer:
        """The preferred answer, without any draw; else any."""
        preferred = situation.preferred
        return preferred if preferred is not None else RandomAgent().choose(situation, draw)


def agent_of(agents: Sequence[Agent | None], seat: int) -> Agent | None:
    """The automatic player of a seat, None if a person plays there. What belongs to no seat goes on by itself."""
    return agents[seat] if seat < len(agents) else RandomAgent()
