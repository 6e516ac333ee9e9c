"""Simulated table time: which automatic player acts next, and when. Spec 11.4.

Everything here follows from what has happened in the match and from its keys, so that a match that is taken back or
resumed goes on as it would have gone on.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs

from rulelang.ir.nodes import Decide
from rulelang.play import kinds
from rulelang.play.agents import Agent, agent_of, proposed, takes_time
from rulelang.play.chance import Stream, mix, player_stream
from rulelang.play.engine import State
from rulelang.play.event import Answer, Event, Pass, Play, Reading, Sealed

if TYPE_CHECKING:
    from rulelang.play.match import Match


@attrs.frozen
class Proposal:
    """What an automatic player will do if nothing comes before it."""

    time: int
    """Table time, in milliseconds."""
    answer: Answer


def answering(event: Event) -> tuple[int, ...]:
    """The seats whose answers an event is made of."""
    if isinstance(event, Play | Pass):
        return (event.seat,)
    return tuple(answer.seat for answer in event.answers) if isinstance(event, Sealed) else ()


def says(state: State) -> bool:
    """Whether the wait offers a move that carries words."""
    node = state.game.program.nodes[state.waiting.node]
    return isinstance(node, Decide) and kinds.speaks(state.game.program, node)


def leaves_alone(state: State) -> bool:
    """Whether a player that follows advice does nothing here where no line fits: in open play, as far as some line
    speaks of its moves. A vote asks for an answer of everybody: there the rules remember who has answered.
    """
    waiting, program = state.waiting, state.game.program
    if waiting.kind != "anyone":
        return False
    node = program.nodes[waiting.node]
    votes = isinstance(node, Decide) and node.answered is not None
    return not votes and any(preference.move in waiting.moves for preference in program.preferences)


def in_time(match: "Match", agents: Sequence[Agent | None]) -> bool:
    """Whether acts take time at the current wait: in open play, or where a player says so."""
    if match.state.waiting.kind == "anyone":
        return True
    asked = (agent_of(agents, seat) for seat in match.missing)
    return match.game.program.clock is not None and any(agent is not None and takes_time(agent) for agent in asked)


def next_proposal(match: "Match", agents: Sequence[Agent | None]) -> Proposal | None:
    """What comes first of all that automatic players propose; of equal times, by the order in which they are asked."""
    first: Proposal | None = None
    for seat in match.missing:
        agent = agent_of(agents, seat)
        if agent is None:
            continue
        found = _proposed(match, seat, agent)
        if found is not None and (first is None or found.time < first.time):
            first = found
    return first


def _proposed(match: "Match", seat: int, agent: Agent) -> Proposal | None:
    if match.state.waiting.kind != "anyone" and not takes_time(agent):
        return Proposal(match.now, match.chosen(seat, agent))
    draw = player_stream(match.key, seat, match.decisions(seat))
    if match.game.program.clock is None:  # nothing says how long it has waited, so its act is drawn after every event
        draw = Stream(mix(draw.key, len(match.events)))
    found = proposed(agent, match.situation(seat), draw)
    return None if found is None else Proposal(match.now + max(0, found[0]), found[1])


# ------------------------------------------------------------------ how long a decision has lasted


@attrs.frozen
class Begun:
    """A decision of a seat that has begun."""

    time: int
    """Table time at which it did, in milliseconds."""
    happened: bool
    """Whether anything but readings has happened since."""


Able = Callable[[State, int], bool]
"""Whether there is anything that an asked seat could do."""


def able(state: State, seat: int) -> bool:
    """Whether an asked seat has a legal answer, or something to say."""
    return bool(state.moves(seat)) or says(state)


def advised(state: State, seat: int) -> bool:
    """The same for a seat that follows advice: where it is good advice to do nothing, whether some line fits."""
    return state.preferred(seat) is not None if leaves_alone(state) else able(state, seat)


class Waits:
    """When the current decision of each seat began, remembered from one question to the next."""

    def __init__(self, able: Able = able) -> None:
        self._able = able
        self._known: dict[int, tuple[int, Begun | None]] = {}
        """Of each seat, what was found when there were so many states."""

    def begun(self, states: Sequence[State], seat: int) -> Begun | None:
        """The seat's decision in the last of these states; None if there is nothing that it could do."""
        count, begun = self._known.get(seat, (0, None))
        for place in range(count, len(states)):
            begun = _after(begun, states[place], seat, self._able)
        self._known[seat] = len(states), begun
        return begun

    def forget(self) -> None:
        """Something was taken back."""
        self._known.clear()


def _after(begun: Begun | None, state: State, seat: int, able: Able) -> Begun | None:
    """What an event, and the state that it led to, make of a decision that has begun.

    It ends when the seat acts, and when it could do nothing in open play; while others are asked for something it
    goes on.
    """
    event = state.event
    if begun is not None and event is not None:
        begun = (
            None if seat in answering(event) else Begun(begun.time, begun.happened or not isinstance(event, Reading))
        )
    if seat in state.waiting.seats:
        if not able(state, seat):
            return None
        return begun or Begun(state.now, False)
    return None if state.waiting.kind == "anyone" else begun
