"""Automatic players: they are told what their seat may know and choose a legal answer. Spec 15.1.

An agent never receives a state. What it gets is a `Situation`; everything there is built from the seat's own
information, so that a player at the table could have said it.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from rulelang.play.engine import Draw, State
from rulelang.play.event import Answer
from rulelang.play.view import InformationState


class Situation:
    """A seat is asked: its legal answers, and what it knows if it wants to know."""

    __slots__ = ("_information", "_preferred", "_resample", "answers", "seat")

    def __init__(
        self,
        seat: int,
        answers: Sequence[Answer],
        information: Callable[[], InformationState],
        resample: Callable[[Draw], State],
        preferred: Callable[[], Answer | None] = lambda: None,
    ) -> None:
        self.seat = seat
        self.answers = answers
        self._information = information
        self._resample = resample
        self._preferred = preferred

    @property
    def information(self) -> InformationState:
        """The seat's view and what it has observed; built when asked for."""
        return self._information()

    @property
    def preferred(self) -> Answer | None:
        """The answer that the rules advise, worked out from what the seat may see; None if they advise none."""
        return self._preferred()

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
    """Answers as the rules advise (``prefer``); where they advise nothing, like ``random``."""

    name = "advised"

    def choose(self, situation: Situation, draw: Draw) -> Answer:
        """The preferred answer, without any draw; else any."""
        preferred = situation.preferred
        return preferred if preferred is not None else RandomAgent().choose(situation, draw)


def agent_of(agents: Sequence[Agent | None], seat: int) -> Agent | None:
    """The automatic player of a seat, None if a person plays there. What belongs to no seat goes on by itself."""
    return agents[seat] if seat < len(agents) else RandomAgent()
