"""``mc:N``: an automatic player that tries every answer out in its head, at random. Spec 15.1.

N times, what the seat does not know is dealt anew (7.8), and in this one deal every legal answer is tried: the game is
played on by random answers of all seats, to its end or for a stated number of decisions. The answer with the best mean
return for the seat is chosen, the first of several. All answers are tried equally often, and in the same deals, so
that what differs between them is seldom the luck of the deal.

Everything is drawn from the decision's own stream, in order: the deal, then for each answer the sealed answers of
others, the outcomes and the answers of its roll-out. Where nothing can be dealt anew, the player answers like `random`
and says so once.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, Protocol

from rulelang.failures import Exhausted, Refused
from rulelang.limits import RECORD_EVENTS
from rulelang.play.agents import LONGEST, SHORTEST, RandomAgent, Situation
from rulelang.play.engine import Draw, RollsOut, State
from rulelang.play.event import Answer, Event, Expiry, Outcome, Reading, Sealed, lapsed
from rulelang.play.quiet import hides

MOST_ROLL_OUTS: Final = 1_000_000
HORIZON: Final = 1_000
"""Decisions in a roll-out if nothing else is said."""

AT_ONCE: Final = 1024
"""Roll-outs that are asked for together, at most."""

UNFINISHED: Final = Fraction(0)
"""What a roll-out counts that did not come to an end."""


class Search(Protocol):
    """What a player thinks at one decision."""

    def think(self, deal: State, draw: Draw, rounds: int) -> int:
        """One round, in a state that the seat cannot tell from the real one; how many rounds were done. Where there is
        only one such state, they may be more, at most as many as are wanted.
        """

    def best(self) -> Answer:
        """The answer to give, after at least one round."""


class SearchingAgent(ABC):
    """Deals anew again and again, and thinks each time: what is common to `mc:N` and `uct:N`."""

    kind = ""
    """How it is called in ``--seats``."""

    def __init__(self, roll_outs: int, horizon: int = HORIZON, tell: Callable[[str], None] | None = None) -> None:
        """``tell`` is given a sentence if states cannot be dealt anew, and one if thinking takes long, each once."""
        self.roll_outs = roll_outs
        self.horizon = horizon
        self._tell = tell
        self._said: set[str] = set()

    @property
    def name(self) -> str:
        """As in ``--seats NAME``."""
        return f"{self.kind}:{self.roll_outs}" + (f":{self.horizon}" if self.horizon != HORIZON else "")

    @abstractmethod
    def search(self, situation: Situation) -> Search:
        """What it thinks at one decision, before the first round."""

    def choose(self, situation: Situation, draw: Draw) -> Answer:
        """The answer that thinking finds best; without any draw if there is only one."""
        answers = situation.answers
        if len(answers) == 1:
            return answers[0]
        if situation.program is not None and situation.program.clock is not None:
            self._say(
                f"{self.name} deals and tries everything anew whenever anything happens; "
                "in games in table time that can take very long."
            )
        search = self.search(situation)
        done = 0
        while done < self.roll_outs:
            try:
                deal = situation.resample(draw)
            except Refused as refused:
                if done:
                    break
                self._say(
                    f"{self.name} plays at random where {refused.reasons[0].words[:1].lower()}"
                    f"{refused.reasons[0].words[1:]}"
                )
                return RandomAgent().choose(situation, draw)
            done += search.think(deal, draw, self.roll_outs - done)
        return search.best()

    def _say(self, words: str) -> None:
        if self._tell is not None and words not in self._said:
            self._said.add(words)
            self._tell(words)


class MonteCarloAgent(SearchingAgent):
    """Chooses the answer with the best mean return in random roll-outs from states that the seat cannot tell apart."""

    kind = "mc"

    def search(self, situation: Situation) -> Search:
        """All answers are tried in each round."""
        return Trying(situation.answers, self.horizon)


class Trying:
    """Tries every answer in every deal."""

    def __init__(self, answers: Sequence[Answer], horizon: int) -> None:
        self._answers = answers
        self._horizon = horizon
        self._totals = [Fraction(0)] * len(answers)
        self._at_once = 1

    def think(self, deal: State, draw: Draw, rounds: int = 1) -> int:
        many = len(self._answers)
        count = 1
        if rounds > 1 and isinstance(deal.game, RollsOut) and not hides(deal.game.program):
            # the deals would all be this one: the draws of several rounds come one after the other anyway
            count = min(rounds, self._at_once)
            if 2 * count * many <= AT_ONCE:
                self._at_once = 2 * count
        worths = roll_outs(deal, [*self._answers] * count, draw, self._horizon)
        for place in range(many):
            self._totals[place] += total(worths[place::many])
        return count

    def best(self) -> Answer:
        return self._answers[self._totals.index(max(self._totals))]


def total(worths: Sequence[Fraction]) -> Fraction:
    """The sum of numbers of which most are the same few objects."""
    if len(worths) == 1:
        return worths[0]
    objects = {id(worth): worth for worth in worths}
    times = Counter(map(id, worths))
    return sum((worth * times[name] for name, worth in objects.items()), Fraction(0))


def roll_outs(state: State, answers: Sequence[Answer], draw: Draw, horizon: int = HORIZON) -> Sequence[Fraction]:
    """What each of some answers of one seat is worth in a roll-out, one after the other, by the same draws in order.

    An interpreter that can do this faster than step by step has a game that `RollsOut`.
    """
    if isinstance(state.game, RollsOut):
        return state.game.roll_outs(state, answers, draw, horizon)
    return [roll_out(state, answer, draw, horizon) for answer in answers]


def roll_out(state: State, answer: Answer, draw: Draw, horizon: int = HORIZON) -> Fraction:
    """What the answering seat gets if it answers so and everything after is random.

    0 if there is no end within so many decisions, or if a limit is reached.
    """
    try:
        after = state.step(answer if state.waiting.kind == "anyone" else _joint(state, draw, answer))
    except Exhausted:
        return UNFINISHED
    returns = stepwise(after, draw, horizon)
    return UNFINISHED if returns is None else returns[answer.seat]


def played_out(state: State, draw: Draw, horizon: int = HORIZON) -> tuple[Fraction, ...] | None:
    """What each seat gets if everything from here is random; None if there is no end within so many decisions, or if a
    limit is reached.
    """
    if isinstance(state.game, RollsOut):
        return state.game.played_out(state, draw, horizon)
    return stepwise(state, draw, horizon)


def stepwise(after: State, draw: Draw, horizon: int) -> tuple[Fraction, ...] | None:
    """The same, step by step, whatever the interpreter can do by itself."""
    decisions = 0
    try:
        for _ in range(RECORD_EVENTS):
            if after.outcome is not None:
                return after.outcome.returns
            if after.waiting.kind == "chance":
                after = after.step(Outcome(after.sample(draw)))
                continue
            if decisions == horizon:
                break
            decisions += 1
            after = _freely(after, draw) if after.waiting.kind == "anyone" else after.step(_joint(after, draw))
    except Exhausted:
        pass
    return None


def _freely(state: State, draw: Draw) -> State:
    """Whoever acts first, each able seat after as long as `random` takes; or the next timer. Raises Exhausted."""
    able = [seat for seat in state.waiting.seats if state.moves(seat)]
    times = [(state.now + SHORTEST + draw.below(LONGEST - SHORTEST + 1), place) for place in range(len(able))]
    due = state.deadline
    if due is not None and (not times or due[1] <= min(times)[0]):
        return state.step(Expiry(due[0]))
    if not times:
        raise Exhausted("RL8022", "Nobody does anything here, and no timer runs.")
    time, place = min(times)
    seat = able[place]
    if state.game.program.clock is not None:
        state = state.step(Reading(time))
    return state.step(_any(state, seat, draw)) if seat in state.waiting.seats and state.moves(seat) else state


def _joint(state: State, draw: Draw, given: Answer | None = None) -> Event:
    """An answer of every asked seat: the one that is given, the others at random."""
    waiting = state.waiting
    answers = tuple(
        given if given is not None and seat == given.seat else _any(state, seat, draw) for seat in waiting.seats
    )
    if waiting.kind != "sealed":
        return answers[0]
    return Sealed(lapsed(answers) if waiting.first_only else answers)


def _any(state: State, seat: int, draw: Draw) -> Answer:
    """One legal answer, each equally likely."""
    return one_of(state.moves(seat), seat, draw)


def one_of(answers: Sequence[Answer], seat: int, draw: Draw) -> Answer:
    """One of a seat's answers, each equally likely. Raises Exhausted if there are none."""
    if not answers:
        raise Exhausted("RL8022", f"Seat {seat + 1} must move, and no move is possible.")
    return answers[draw.below(len(answers))] if len(answers) > 1 else answers[0]
