"""``uct:N``: an automatic player that looks further ahead where it pays. Spec 15.1.

It grows one tree at a decision, in N rounds. In every round what the seat does not know is dealt anew (7.8). From the
decision on, each asked seat takes the answer whose return for that seat has been best so far, with something added for
answers that were seldom tried among the times that they could be given (UCB1, as in the information set search of
Cowling, Powley and Whitehouse, 2012); an answer that was never tried comes first. At the first such answer the tree
grows by one place, and the rest of the game is random. What each seat gets then counts for all answers on the way.

Places are told apart by what the seat observes, not by what happens hidden from it: so nothing in the tree knows more
than the seat. Outcomes are drawn anew each time and are no part of the tree. The answer that was given most often is
chosen, the first of several. Seats that answer together choose each for itself.

Everything is drawn from the decision's own stream, in order: the deal, then for each wait of the tree the outcome or
for each asked seat one of its untried answers if there are several, then the roll-out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final, Protocol, TypeVar, cast, runtime_checkable

import attrs

from rulelang.failures import Exhausted
from rulelang.play.agents import Situation
from rulelang.play.chance import Stream
from rulelang.play.engine import Draw, Hastens, NoRoom, State, is_hasty
from rulelang.play.event import Answer, Event, Outcome, Sealed, lapsed
from rulelang.play.kinds import seat_count
from rulelang.play.monte_carlo import Search, SearchingAgent, Trying, one_of, played_out
from rulelang.play.quiet import hides
from rulelang.play.trace import history

T = TypeVar("T")

CURIOSITY: Final = 0.7
"""How much an answer counts that was seldom tried, returns being laid on 0 to 1."""


class UctAgent(SearchingAgent):
    """Chooses the answer that was given most often while a tree of answers grew."""

    kind = "uct"

    def search(self, situation: Situation) -> Search:
        """A tree of one place."""
        return Tree(situation.seat, situation.answers, self.horizon)


@attrs.define
class Tried:
    """An answer of a seat at a place of the tree."""

    visits: int = 0
    available: int = 0
    """Rounds that came here and in which it could be given."""
    total: float = 0.0
    """What the seat got, in all."""


@attrs.define
class Place:
    """Where the seat's knowledge is the same: what each asked seat has tried, and what comes behind."""

    tried: dict[int, dict[Answer, Tried]] = attrs.field(factory=dict)
    behind: dict[Hashable, Place] = attrs.field(factory=dict)


@attrs.define
class Known:
    """All that a search knows."""

    root: Place
    least: dict[int, float] = attrs.field(factory=dict)
    """Of each seat that got anything the least that it got."""
    most: dict[int, float] = attrs.field(factory=dict)


class Growth(Protocol):
    """A tree that an interpreter grows by itself, with the same draws, choices and numbers as here."""

    def rounds(self, state: Any, draw: Any, most: int) -> int:
        """Some rounds from a state, at most so many; 0 if the next one must be done here. Nothing has happened then."""

    def visits(self, answers: Sequence[Answer]) -> Sequence[int]:
        """How often the seat gave each of these answers at the first place."""

    def known(self) -> Known:
        """All of it."""


@runtime_checkable
class Grows(Protocol):
    """A game that grows trees by itself."""

    def growth(self, seat: int, horizon: int, known: Known) -> Growth | None:
        """A tree that goes on from what is known; None if there is none yet, or none at all."""


def asked(state: State, what: Callable[[State], T]) -> T:
    """What a state says; its twin if it is made for speed and has no room for that."""
    try:
        return what(state)
    except NoRoom:
        return what(cast(Any, state).twin)


def _moves(seat: int, state: State) -> Sequence[Answer]:
    return state.moves(seat)


def _step(event: Event, state: State) -> State:
    return state.step(event)


class Tree:
    """What is known at one decision of a seat."""

    def __init__(self, seat: int, answers: Sequence[Answer], horizon: int) -> None:
        self.known = Known(Place())
        self._growth: Growth | None = None
        """What grows the tree instead; `known` is out of date meanwhile."""
        self._rounds = 0
        self._here = 0
        """Rounds that are done here before the tree is given away again."""
        self._seat = seat
        self._answers = answers
        self._horizon = horizon
        self._seats = 0
        self._open: bool | None = None
        """Whether everybody sees everything."""
        self._hastened: tuple[State, State] | None = None
        """A state that was dealt, and the same made for speed."""
        self._trying: Trying | None = None
        """What is thought in open play, where what comes first is a matter of time and not of answers."""

    @property
    def root(self) -> Place:
        """The first place, with all that is behind."""
        self._take_back()
        return self.known.root

    def think(self, deal: State, draw: Draw, rounds: int = 1) -> int:
        """One round; several where every deal would be the same."""
        if deal.waiting.kind == "anyone":
            self._trying = self._trying or Trying(self._answers, self._horizon)
            return self._trying.think(deal, draw, rounds)
        if self._open is None:
            self._open = not hides(deal.game.program)
            self._seats = seat_count(deal.game.program)
        done = self._grown(deal, draw, rounds if self._open else 1)
        if not done:
            self._one_round(deal, draw)
        self._rounds += done or 1
        return done or 1

    def _grown(self, deal: State, draw: Draw, rounds: int) -> int:
        """Rounds that the game does by itself; 0 if it does none."""
        if self._growth is None and self._here:
            self._here -= 1
            return 0
        game: object = deal.game
        if self._growth is None and isinstance(draw, Stream) and isinstance(game, Grows):
            self._growth = game.growth(self._seat, self._horizon, self.known)
        if self._growth is None:
            return 0
        done = self._growth.rounds(deal, draw, rounds)
        if not done:
            self._take_back()
            self._here = self._rounds // 8  # to take it back and give it away takes the longer the more is known
        return done

    def _take_back(self) -> None:
        """What the game has grown goes on here."""
        if self._growth is not None:
            self.known, self._growth = self._growth.known(), None

    def _one_round(self, deal: State, draw: Draw) -> None:
        way: list[tuple[int, Tried]] = []
        state = self._quick(deal) if self._open else deal
        try:
            returns = self._round(state, draw, way)
        except Exhausted:
            returns = None
        for seat, tried in way:
            worth = 0.0 if returns is None else float(returns[seat])
            tried.visits += 1
            tried.total += worth
            least, most = self.known.least, self.known.most
            least[seat] = min(worth, least.get(seat, worth))
            most[seat] = max(worth, most.get(seat, worth))

    def best(self) -> Answer:
        """The answer that was given most often, the first of several."""
        if self._trying is not None:
            return self._trying.best()
        if self._growth is not None:
            visits = list(self._growth.visits(self._answers))
            return self._answers[visits.index(max(visits))]
        tried = self.known.root.tried[self._seat]
        visits = [tried[answer].visits if answer in tried else 0 for answer in self._answers]
        return self._answers[visits.index(max(visits))]

    def _quick(self, deal: State) -> State:
        """The state as one that is made for speed, if there is such; a state that is dealt again and again is made so
        once.
        """
        game = cast(object, deal.game)
        if not isinstance(game, Hastens):
            return deal
        if self._hastened is None or self._hastened[0] is not deal:
            line = history(deal)
            hastened = None if line is None else game.hastened(line)
            self._hastened = (deal, deal if hastened is None else hastened[-1])
        return self._hastened[1]

    def _round(self, state: State, draw: Draw, way: list[tuple[int, Tried]]) -> tuple[Fraction, ...] | None:
        """Down the tree, one place further, and to the end; what each seat gets, None if there is no end in time."""
        place, decisions = self.known.root, 0
        while state.outcome is None:
            if state.waiting.kind == "chance":
                state = asked(state, lambda each: each.step(Outcome(each.sample(draw))))
                continue
            if decisions == self._horizon:
                return None
            if state.waiting.kind == "anyone":
                break
            decisions += 1
            new, answers = False, []
            for seat in state.waiting.seats:
                possible = asked(state, partial(_moves, seat))
                if seat >= self._seats:  # the table gets nothing, and so prefers nothing
                    answers.append(one_of(possible, seat, draw))
                    continue
                answer, tried = self._chosen(place, seat, possible, draw)
                new |= tried.visits == 0
                answers.append(answer)
                way.append((seat, tried))
            sealed = state.waiting.kind == "sealed"
            joint = tuple(answers)
            event = Sealed(lapsed(joint) if state.waiting.first_only else joint) if sealed else answers[0]
            before = state
            state = asked(state, partial(_step, event))
            if new:
                break
            place = place.behind.setdefault(self._noticed(before, state, answers), Place())
        return played_out(state, draw, self._horizon - decisions)

    def _chosen(self, place: Place, seat: int, answers: Sequence[Answer], draw: Draw) -> tuple[Answer, Tried]:
        """What a seat answers at a place, and what is known of that."""
        known = place.tried.setdefault(seat, {})
        untried: list[Answer] = []
        for answer in answers:
            tried = known.get(answer)
            if tried is None:
                untried.append(answer)
            else:
                tried.available += 1
        if untried or not answers:
            answer = one_of(untried, seat, draw)
            known[answer] = Tried(available=1)
            return answer, known[answer]
        least = self.known.least[seat]
        reach = self.known.most[seat] - least or 1.0
        best, most = answers[0], -1.0
        for answer in answers:
            tried = known[answer]
            score = (tried.total / tried.visits - least) / reach
            score += CURIOSITY * math.sqrt(math.log(tried.available) / tried.visits)
            if score > most:
                best, most = answer, score
        return best, known[best]

    def _noticed(self, before: State, after: State, answers: Sequence[Answer]) -> Hashable:
        """What tells the place behind from others: the answers, as the seat observes them."""
        if self._open:
            return tuple(answers)
        if is_hasty(after):
            return after.observed_since(self._seat)
        return after.observed(self._seat)[len(before.observed(self._seat)) :]
