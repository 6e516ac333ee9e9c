"""Two states of two interpreters, that came about in the same way: everything that they answer must be alike.

A *glance* compares what can differ at every step at little cost: what is waited for, the result, cost, bytes, legal
moves and every view. A *close look* asks for everything else: numbers of moves, advice, draws, positions, what was
observed, promises, attempts that are mostly illegal, events that are not called for. *Saved* states are loaded and
laid out on both, and go on.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar, cast

import attrs

from rulelang.ir.program import Program
from rulelang.play import kinds
from rulelang.play.alike import Differs, Failed, Pair, alike, attempt_text, both, of_seat, outcome_of, texts
from rulelang.play.attempting import any_of_move, attempt, pick, wrong_event
from rulelang.play.chance import Stream
from rulelang.play.engine import State
from rulelang.play.event import Answer, Event, Expiry, Outcome, Pass, Play, Reading, Sealed
from rulelang.play.refusal import Refusal
from rulelang.play.view import Observed, View
from rulelang.play.waiting import Waiting

T = TypeVar("T")

NUMBERED = 32
"""Moves whose numbers are asked for in one state; of longer lists, so many are drawn."""

LOOKS_AHEAD: Final = 20_000
"""Milliseconds by which a drawn reading is later than the last one, at most."""

SAYINGS: Final = 8
"""Attempts to find something that may be said."""

SAVED_STEPS = 2
"""Events for which a loaded state goes on."""


@attrs.frozen
class Effort:
    """How much of what could be compared is compared."""

    closely: int = 1
    """One of how many states is looked at closely; which ones is drawn."""
    attempts: int = 6
    """Attempts in a state that is looked at closely; of every three, one is an event as well."""
    saved: int = 4
    """One of how many states that are looked at closely is saved and loaded."""
    compiled: bool = True
    """Whether compiled games are compared as well, if the judged interpreter has such."""


@attrs.define
class Compared:
    """How much was compared."""

    moves: int = 0
    """Events that took place alike."""
    games: int = 0
    configurations: int = 0
    refused: int = 0
    """Configurations that both refused alike."""
    exhausted: int = 0
    """Games that both gave up alike, as a limit was reached."""
    states: int = 0
    attempts: int = 0
    views: int = 0
    saved: int = 0
    compiled: int = 0
    """Events of compiled games that came to the same as matches."""
    given_up: int = 0
    """Compiled games that were given up, and are played otherwise: they are not compared."""
    stepped: int = 0
    """Answers in compiled batches that were like those of matches."""


@attrs.frozen
class Looked:
    """What both say of a state, as far as it is needed to go on."""

    waiting: Waiting
    listed: dict[int, tuple[Answer, ...]]
    """The legal answers of the asked seats; of those, none whose answers cannot be listed."""
    data: bytes | None
    """None if there are too many."""
    now: int = 0
    deadline: tuple[int, int] | None = None


def names_of(program: Program) -> tuple[str, ...]:
    """The names of the moves."""
    return tuple(move.name for move in program.moves)


def glance(pair: Pair[State], counts: Compared, where: str = "", *, strictly: bool = False) -> Looked | None:
    """Compare what can be seen at once; None if both fail alike to say what they wait for. Raises Differs."""
    counts.states += 1
    same = partial(alike, pair, strictly=strictly)
    waiting = alike(pair, f"{where}waiting", lambda state: state.waiting, strictly=strictly)
    data = alike(pair, f"{where}bytes", lambda state: state.to_bytes(), strictly=strictly)
    same(f"{where}outcome", lambda state: state.outcome)
    same(f"{where}cost", lambda state: state.cost)
    same(f"{where}event", lambda state: state.event)
    now = same(f"{where}now", lambda state: state.now)
    deadline = same(f"{where}deadline", lambda state: state.deadline)
    if isinstance(waiting, Failed):
        return None
    listed: dict[int, tuple[Answer, ...]] = {}
    for seat in waiting.seats:
        moves = alike(pair, f"{where}moves", partial(_moves, seat), of_seat(seat), strictly=strictly)
        if not isinstance(moves, Failed):
            listed[seat] = moves
    for watcher in (*range(kinds.seat_count(pair.first.game.program)), None):
        counts.views += 1
        same(f"{where}view", partial(_view, watcher), of_seat(watcher))
    if waiting.kind == "chance":
        same(f"{where}chance", lambda state: state.chance())
    known = None if isinstance(data, Failed) else data
    return Looked(waiting, listed, known, cast(int, now), cast("tuple[int, int] | None", deadline))


def compare_observed(pair: Pair[State]) -> None:
    """Compare all that every seat and a spectator have observed. Raises Differs."""
    for seat in (*range(kinds.seat_count(pair.first.game.program)), None):
        alike(pair, "observed", partial(_observed, seat), of_seat(seat), strictly=True)


class CloseLook:
    """Everything else that one state answers, asked on both sides; what is drawn for that comes from a stream."""

    def __init__(self, pair: Pair[State], looked: Looked, draw: Stream, counts: Compared) -> None:
        self.pair = pair
        self.looked = looked
        self.draw = draw
        self.counts = counts
        self.program = pair.first.game.program
        self.seats = kinds.seat_count(self.program)

    def everything(self, attempts: int, probes: tuple[Event, ...] = ()) -> None:
        """Compare all of it; ``probes`` are attempts to make besides those that are drawn. Raises Differs."""
        self.answers()
        self.sight()
        self.rest()
        for probe in probes:
            self.tried(probe, as_event=True)
        for number in range(attempts):
            as_event = number % 3 == 2
            make = wrong_event if as_event else attempt
            self.tried(make(self.program, self.looked.waiting, self.looked.listed, self.draw), as_event)

    def same(self, subject: str, call: Callable[[State], T], of: str = "") -> T | Failed:
        """What a call comes to, the same on both and written the same way."""
        return alike(self.pair, subject, call, of, strictly=True)

    def answers(self) -> None:
        """Lists for seats that are not asked; numbers of moves and moves of numbers; advice."""
        for seat in range(self.seats + 1):
            if seat not in self.looked.listed:
                self.same("moves", partial(_moves, seat), of_seat(seat))
        for seat, moves in self.looked.listed.items():
            for answer in moves if len(moves) <= NUMBERED else [pick(moves, self.draw) for _ in range(NUMBERED)]:
                self.numbered(answer)
            self.same("preferred", partial(_preferred, seat), of_seat(seat))
        last = self.same("number", lambda state: state.game.number(Pass(0)), " of a pass")
        if isinstance(last, int):
            for number in (-1, last + 1, self.draw.below(min(last, 2**32) + 1)):
                self.answer_of(0, number)

    def numbered(self, answer: Answer) -> None:
        """The number of one answer, and the answer with this number."""
        said = f" of {attempt_text(names_of(self.program), answer)}"
        number = self.same("number", lambda state: state.game.number(answer), said)
        if isinstance(number, int):
            self.answer_of(answer.seat, number)

    def answer_of(self, seat: int, number: int) -> None:
        """The answer with one number, if there is one."""
        self.same("answer", lambda state: state.game.answer(seat, number), f" with number {number}")

    def sight(self) -> None:
        """What everybody has observed, and what somebody knows in all."""
        compare_observed(self.pair)
        seat = self.draw.below(self.seats + 1)
        who = None if seat == self.seats else seat
        self.same("information", lambda state: state.information(who), of_seat(who))

    def rest(self) -> None:
        """Hash, position, promises, chance, and where the state comes from."""
        self.same("hash", lambda state: state.hash)
        self.same("position", lambda state: state.position())
        self.same("invariants", lambda state: state.game.invariants(state))
        self.same("chance", lambda state: state.chance())
        self.same("previous", _bytes_before)
        if self.looked.waiting.kind == "chance":
            sampled(self.pair, self.draw.key)

    def tried(self, event: Event, as_event: bool) -> None:
        """One attempt, as an answer and, if wanted, as an event: refused alike on both, or taken; nothing changes."""
        self.counts.attempts += 1
        said = f" of {attempt_text(names_of(self.program), event)}"
        if isinstance(event, Play | Pass):
            alike(self.pair, "refusals", lambda state: state.refusals(event), said, tried=event)
            if not as_event:
                return
        after = both(self.pair, "step", lambda state: state.step(event), said, tried=event)
        if isinstance(after, Pair):
            try:
                alike(after, "bytes", lambda state: state.to_bytes())
                alike(after, "cost", lambda state: state.cost)
            except Differs as differs:  # then it is no matter of attempts
                differs.ahead = (event,)
                raise
        self.unchanged(said, event)

    def unchanged(self, said: str, event: Event) -> None:
        """The state has the bytes that it had before the attempt."""
        data = alike(self.pair, "bytes", lambda state: state.to_bytes(), f" behind the attempt{said}", tried=event)
        if data != self.looked.data and not isinstance(data, Failed):
            first, second = texts(self.looked.data, data)
            raise Differs("unchanged", f"bytes before and behind the attempt{said}", first, second, event)

    def saved(self) -> None:
        """The state saved and loaded, and laid out from its position: equal, and it goes on alike."""
        self.counts.saved += 1
        data, events = self.looked.data, self.ahead()
        if data is not None:
            loaded = both(self.pair, "loading", lambda state: state.game.from_bytes(data))
            self.goes_on(loaded, "loaded state: ", events)
        laid = both(self.pair, "laying out", lambda state: state.game.position(state.position()))
        self.goes_on(laid, "laid out state: ", events)

    def ahead(self) -> list[Event]:
        """What may come next, tried on the states themselves: what differs there is no matter of loading."""
        events: list[Event] = []
        pair, looked = self.pair, self.looked
        try:
            while len(events) < SAVED_STEPS:
                event = drawn_event(pair, looked, self.draw, self.draw.key)
                after = None if event is None else both(pair, "step", partial(_step, event), tried=event)
                if event is None or not isinstance(after, Pair):
                    break
                pair = after
                events.append(event)
                seen = glance(pair, self.counts)
                if seen is None:
                    break
                looked = seen
        except Differs as differs:
            differs.ahead = tuple(events)
            raise
        return events

    def goes_on(self, pair: Pair[State] | Failed, where: str, events: list[Event]) -> None:
        """Compare these states, and what they come to by some events."""
        for event in (None, *events):
            if event is not None and isinstance(pair, Pair):
                pair = both(pair, f"{where}step", partial(_step, event))
            if isinstance(pair, Pair):
                glance(pair, self.counts, where)


def sampled(pair: Pair[State], key: int) -> int | None:
    """What chance gives both for the same draws, and how many it takes; None if it fails alike. Raises Differs."""
    found = alike(pair, "sample", lambda state: _sample(state, Stream(key)), strictly=True)
    return None if isinstance(found, Failed) else found[0]


def drawn_event(pair: Pair[State], looked: Looked, draw: Stream, outcome: int) -> Event | None:
    """Any event that can come now, chance drawing from the key ``outcome``; None if the game is over or stuck."""
    waiting = looked.waiting
    program = pair.first.game.program
    if program.clock is not None and waiting.kind != "over" and draw.below(3) == 0:
        return drawn_time(looked, draw)
    if waiting.kind == "chance":
        value = sampled(pair, outcome)
        return None if value is None else Outcome(value)
    if waiting.kind == "over":
        return None
    listed = {seat: looked.listed.get(seat) or said(pair.first, seat, draw) for seat in waiting.seats}
    if waiting.kind == "anyone":
        able = [seat for seat in waiting.seats if listed[seat]]
        return pick(listed[pick(able, draw)], draw) if able else drawn_time(looked, draw)
    if not all(listed.values()):
        return None
    answers = tuple(pick(listed[seat], draw) for seat in waiting.seats)
    return Sealed(answers) if waiting.kind == "sealed" else answers[0]


def drawn_time(looked: Looked, draw: Stream) -> Event | None:
    """The next timer, or a reading before it; None in a game without a clock."""
    due = looked.deadline
    if due is not None and (due[1] <= looked.now or draw.below(3) == 0):
        return Expiry(due[0])
    ahead = LOOKS_AHEAD if due is None else min(LOOKS_AHEAD, due[1] - looked.now)
    return Reading(looked.now + draw.below(ahead))


def said(state: State, seat: int, draw: Stream) -> tuple[Answer, ...]:
    """Something that an asked seat may say, if it is found at once."""
    program = state.game.program
    spoken = [move for move in state.waiting.moves if kinds.is_spoken(program.moves[move])]
    for _ in range(SAYINGS if spoken else 0):
        answer = any_of_move(program, seat, pick(spoken, draw), draw)
        if outcome_of(partial(_refusals, answer), state) == ():
            return (answer,)
    return ()


# ------------------------------------------------------------------ questions


def _moves(seat: int, state: State) -> tuple[Answer, ...]:
    return tuple(state.moves(seat))


def _refusals(answer: Answer, state: State) -> tuple[Refusal, ...]:
    return state.refusals(answer)


def _view(seat: int | None, state: State) -> View:
    return state.view(seat)


def _observed(seat: int | None, state: State) -> tuple[Observed, ...]:
    return state.observed(seat)


def _preferred(seat: int, state: State) -> Answer | None:
    return state.preferred(seat)


def _step(event: Event, state: State) -> State:
    return state.step(event)


def _sample(state: State, draw: Stream) -> tuple[int, int]:
    return state.sample(draw), draw.drawn


def _bytes_before(state: State) -> bytes | None:
    return None if state.previous is None else state.previous.to_bytes()
