"""Looking at one position: promises, whether somebody can act, and whether lists and attempts agree."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Final, cast

import attrs

from rulelang.failures import Exhausted, Refused
from rulelang.ir.expressions import Value
from rulelang.ir.nodes import Decide
from rulelang.ir.program import Move, Program
from rulelang.play import kinds
from rulelang.play.attempting import any_of_move, pick
from rulelang.play.chance import Stream
from rulelang.play.engine import Game, State, children
from rulelang.play.event import Answer, Event, Expiry, Outcome, Pass, Play, Sealed
from rulelang.play.hindrances import dead_end
from rulelang.play.kinds import Layout
from rulelang.play.refusal import Refusal
from rulelang.play.waiting import Waiting
from rulelang.play.words import move_text, seat_name
from rulelang.rulebook.verify.found import Found, More, Place, Way
from rulelang.rulebook.verify.order import Decided, Orders, outcome_text
from rulelang.rulebook.verify.reached import Reached
from rulelang.rulebook.verify.wide import MANY, Wide, outcomes

WIDEST: Final = 50_000
"""Events out of one position that are gone through."""

DRAWN: Final = 4
"""Where not all numbered answers are tried, one in so many of those that could be: a refusal with its words costs as
much as several events.
"""

MOST_NUMBERS: Final = 2**63
"""Above so many answers to one move, numbers are not drawn among all of them."""


@attrs.define
class Counts:
    """What was looked at."""

    positions: int = 0
    ended: int = 0
    """Positions in which the game is over."""
    events: int = 0
    """Events that took place, or were given up."""
    deepest: int = 0
    """Events of the longest way."""
    games: int = 0
    cut: int = 0
    """Positions, or games, that were not gone on with."""


@attrs.define
class Looker:
    """Looks at positions of one game and keeps what it finds."""

    game: Game
    attempts: int
    """Of every asked seat, all numbered answers are tried if there are no more than so many; else some are drawn."""
    found: Found
    reached: Reached
    orders: Orders | None = None
    """What looks for ends that are decided by order; None if the interpreter cannot note where it comes by."""
    counts: Counts = attrs.field(factory=Counts)
    all_tried: bool = True
    """Whether every numbered answer was tried wherever somebody was asked."""
    speaks: bool = False
    """Whether somebody was asked for a move that carries words."""
    layout: Layout = attrs.field(init=False)
    path: tuple[int, ...] = ()
    """The nodes that the last event came by."""
    _wide: Wide | None = None
    """The position from which very much can come by chance, while it is gone through."""

    def __attrs_post_init__(self) -> None:
        self.layout = Layout.of(self.game.program)

    @property
    def program(self) -> Program:
        """The closed program."""
        return self.game.program

    def look(self, state: State, key: int, length: int, way: Way) -> bool:
        """Look at a position; whether play can go on from it.

        ``key`` is what attempts are drawn from; ``way`` leads here, with so many events.
        """
        self.counts.positions += 1
        self.counts.deepest = max(self.counts.deepest, length)
        for name in self._broken(state, length, way):
            self.found.add(("promise", name), "promise", partial(self._promise, name), length, way)
        waiting = state.waiting
        if waiting.kind == "over":
            self.counts.ended += 1
            return False
        if waiting.kind == "chance":
            return True
        try:
            listed = {seat: state.moves(seat) for seat in waiting.seats}
        except Exhausted as failure:
            self.given_up(failure, None, length, way)
            return False
        if not self._can_act(state, waiting, listed, length, way):
            return False
        self._attempts(state, waiting, listed, Stream(key), length, way)
        return True

    # -------------------------------------------------------------- promises

    def _broken(self, state: State, length: int, way: Way) -> tuple[str, ...]:
        if not self.program.invariants:
            return ()
        try:
            return self.game.invariants(state)
        except Exhausted as failure:
            self.given_up(failure, None, length, way)
            return ()

    def _promise(self, name: str) -> tuple[str, Place]:
        promise = next(each for each in self.program.invariants if each.name == name)
        return f"The rules promise '{name}', and it does not hold.", Place.of(promise.at)

    # -------------------------------------------------------------- dead ends

    def _can_act(
        self, state: State, waiting: Waiting, listed: dict[int, Sequence[Answer]], length: int, way: Way
    ) -> bool:
        """Whether everybody who must act can; in open play it is enough if anybody can, or time goes on."""
        node = self.program.nodes[waiting.node]
        if isinstance(node, Decide) and kinds.speaks(self.program, node):
            self.speaks = True
            return True
        if waiting.kind == "anyone":
            if any(listed.values()) or state.deadline is not None:
                return True
            self.found.add(("stuck", waiting.node), "dead_end", lambda: (STUCK, Place.of(node.at)), length, way)
            return False
        stuck = [seat for seat in waiting.seats if not listed[seat]]
        for seat in stuck:
            said = self._dead_end(state, waiting, seat)
            self.found.add(("dead end", waiting.node), "dead_end", said, length, way)
        return not stuck

    def _dead_end(self, state: State, waiting: Waiting, seat: int) -> Callable[[], tuple[str, Place | None]]:
        def said() -> tuple[str, Place | None]:
            cells = cast("tuple[Value, ...]", state.position().cells)  # an unseen pile is only ever counted
            failure = dead_end(self.program, self.layout, cells, waiting.node, seat)
            return failure.message, Place.where(failure)

        return said

    # -------------------------------------------------------------- lists and attempts

    def _attempts(
        self,
        state: State,
        waiting: Waiting,
        listed: dict[int, Sequence[Answer]],
        draw: Stream,
        length: int,
        way: Way,
    ) -> None:
        """Answers that are not listed must be refused; that listed ones are taken shows when they are carried out."""
        for seat in waiting.seats:
            answers = listed[seat]
            legal = set(answers)
            self.reached.attempts += len(legal)
            for answer in answers:
                if isinstance(answer, Play):
                    self.reached.listed(answer.move)
            for tried in self._tried(waiting, seat, answers, draw):
                if tried in legal:
                    continue
                self.reached.attempts += 1
                reasons = self._refusals(state, tried, length, way)
                if reasons and isinstance(tried, Play):
                    self.reached.refused(tried, reasons)
            self._undecided(state, waiting, seat, draw, length, way)
        if waiting.kind == "seat" and listed[waiting.seats[0]]:
            self._by_another(state, waiting, listed[waiting.seats[0]][0], length, way)

    def _undecided(self, state: State, waiting: Waiting, seat: int, draw: Stream, length: int, way: Way) -> None:
        """Moves that are not offered, as long as it is not seen that all they require can hold and can fail.

        What a seat must fulfil to be asked at all fails only where it is not offered.
        """
        for number in self.reached.undecided():
            if number in waiting.moves or kinds.is_spoken(self.program.moves[number]):
                continue
            for tried in self._answers(seat, number, draw):
                self.reached.attempts += 1
                reasons = self._refusals(state, tried, length, way)
                if reasons:
                    self.reached.refused(tried, reasons)

    def _answers(self, seat: int, number: int, draw: Stream) -> Iterator[Play]:
        """All numbered answers with a move if there are few, else one."""
        move = self.program.moves[number]
        size = _ways(self.program, move)
        if size <= self.attempts:
            for codes in product(*(kinds.all_codes(self.program, each.type) for each in move.parameters)):
                yield Play(seat, number, codes)
        else:
            self.all_tried = False
            if self.attempts and size < MOST_NUMBERS:
                yield any_of_move(self.program, seat, number, draw)

    def _by_another(self, state: State, waiting: Waiting, answer: Answer, length: int, way: Way) -> None:
        """What the asked seat may do, tried by one that is not asked."""
        other = (waiting.seats[0] + 1) % kinds.seat_count(self.program)
        if other not in waiting.seats:
            self.reached.attempts += 1
            self._refusals(state, attrs.evolve(answer, seat=other), length, way)

    def _refusals(self, state: State, tried: Answer, length: int, way: Way) -> tuple[Refusal, ...]:
        """The reasons against an answer that is not listed; none is a disagreement."""
        try:
            reasons = state.refusals(tried)
        except Exhausted as failure:
            self.given_up(failure, tried, length, way)
            return ()
        if not reasons:
            self.disagree("is not listed, but would be taken", tried, length, way)
        return reasons

    def _tried(self, waiting: Waiting, seat: int, listed: Sequence[Answer], draw: Stream) -> Iterator[Answer]:
        """The numbered answers to try: all if there are few, else drawn ones, half of them nearly legal."""
        moves = [number for number in waiting.moves if not kinds.is_spoken(self.program.moves[number])]
        sizes = [_ways(self.program, self.program.moves[number]) for number in moves]
        if not waiting.may_pass:
            yield Pass(seat)
        if sum(sizes) <= self.attempts:
            for number in moves:
                parameters = self.program.moves[number].parameters
                for codes in product(*(kinds.all_codes(self.program, each.type) for each in parameters)):
                    yield Play(seat, number, codes)
            return
        self.all_tried = False
        able = [number for number, size in zip(moves, sizes, strict=True) if 0 < size < MOST_NUMBERS]
        for turn in range(-(-self.attempts // DRAWN) if able else 0):
            near = pick(listed, draw) if turn % 2 and listed else None
            if isinstance(near, Play) and near.arguments:
                yield self._nearly(near, draw)
            else:
                yield any_of_move(self.program, seat, pick(able, draw), draw)

    def _nearly(self, answer: Play, draw: Stream) -> Play:
        """A legal answer with one argument changed."""
        place = draw.below(len(answer.arguments))
        kind = self.program.moves[answer.move].parameters[place].type
        code = kinds.least(kind) + draw.below(max(1, min(kinds.size(self.program, kind), MOST_NUMBERS)))
        return attrs.evolve(answer, arguments=(*answer.arguments[:place], code, *answer.arguments[place + 1 :]))

    # -------------------------------------------------------------- going on

    def events(self, state: State) -> Iterator[Event]:
        """Every event that can come now: answers, outcomes, and the running out of the next timer."""
        if state.waiting.kind == "chance":
            can_come = outcomes(state)
            self._wide = Wide.of(state) if len(can_come) > MANY else None
            yield from map(Outcome, can_come)
            return
        yield from children(state)
        due = state.deadline
        if due is not None:
            yield Expiry(due[0])

    def step(self, state: State, event: Event, length: int, way: Way) -> State | None:
        """One event further; None, and a finding, if it cannot take place."""
        self.counts.events += 1
        try:
            wide = self._wide
            if wide is not None and wide.state is state and isinstance(event, Outcome):
                return wide.after(event.value)
            return state.step(event)
        except Exhausted as failure:
            self.given_up(failure, event, length, way)
        except Refused:
            self.disagree("is listed, but is refused", event, length, way)
        finally:
            self.path = self.reached.take()
        return None

    def ended(self, state: State, length: int, way: Way) -> None:
        """The last event has led to a position: if the game is over there, whether that is decided by order."""
        if self.orders is None or state.outcome is None:
            return
        for each in self.orders.look(self.path, state):
            places = Place.of(each.first.at), Place.of(each.second.at)
            more = More(other=places[1], id=each.name)
            self.found.add(("order", *places), "order", partial(self._by_order, each), length, way, more)
        self.reached.path.clear()  # it only came there in thought

    def _by_order(self, each: Decided) -> tuple[str, Place]:
        first, second = Place.of(each.first.at), Place.of(each.second.at)
        here, other = outcome_text(self.program, each.outcome), outcome_text(self.program, each.other)
        line = f"line {second.line}" if first.file == second.file else f"{second.file}:{second.line}"
        if first == second:
            held = f"What line {first.line} asks held twice, for one after the other, and the first decided: {here}"
            return f"{held}; by the next one: {other}. Only the order in which they come says which counts.", first
        held = f"What line {first.line} asks held, and so did what {line} asks. By line {first.line}: {here}"
        return f"{held}; by {line}: {other}. Only the order of the two lines says which counts.", first

    def passing(self, state: State, times: int, length: int, way: Way) -> None:
        """Everybody has passed so many times, and play stands where it stood."""
        row = "" if times == 1 else f" {times} times in a row"
        said = f"If everybody passes{row}, play stands where it stood before."
        place = Place.of(self.program.nodes[state.waiting.node].at)
        self.found.add("passing", "passing", lambda: (said, place), length, way)

    def given_up(self, failure: Exhausted, tried: Event | None, length: int, way: Way) -> None:
        """An event, or a list of moves, could not be worked out within the limits."""
        what = "listing what can be done" if tried is None else said_event(self.program, tried)
        key = ("given up", failure.code, failure.file, failure.line)
        said = f"Given up at {what}: {failure.code}: {failure.message}"
        more = More(tried, failure.code)
        self.found.add(key, "given_up", lambda: (said, Place.where(failure)), length, way, more)

    def disagree(self, how: str, tried: Event, length: int, way: Way) -> None:
        """Lists and attempts do not say the same: a mistake of an interpreter, not of the rules."""
        answer = tried.answers[0] if isinstance(tried, Sealed) else tried
        move = answer.move if isinstance(answer, Play) else -1
        place = Place.of(self.program.moves[move].at) if move >= 0 else None
        said = f"{said_event(self.program, tried)} {how}."
        self.found.add(("disagreement", how, move), "disagreement", lambda: (said, place), length, way, More(tried))


STUCK: Final = "Nobody can do anything here, and no timer runs."


def said_event(program: Program, event: Event) -> str:
    """An event as people write it: ``seat 1: place(b2)``."""
    seats = kinds.seat_count(program)
    if isinstance(event, Play | Pass):
        return f"{seat_name(event.seat, seats)}: {move_text(program, event)}"
    if isinstance(event, Sealed):
        return ", ".join(f"{seat_name(each.seat, seats)}: {move_text(program, each)}" for each in event.answers)
    if isinstance(event, Expiry):
        return f"the running out of {program.timers[event.timer].name}"
    return f"chance {getattr(event, 'value', '')}".rstrip()


def _ways(program: Program, move: Move) -> int:
    """How many numbered answers a move has."""
    return prod(kinds.size(program, parameter.type) for parameter in move.parameters)
