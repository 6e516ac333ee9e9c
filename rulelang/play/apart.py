"""Two programs with the same declarations side by side: a state in which they come apart, or that there is none.

Both play the same events. After each, what people at the table can tell is compared: who must do what, legal moves,
what lies and is written everywhere, what each seat sees, chances, results, and the reasons against what is not legal.
Where play stands in the rules and what it costs is nobody's concern.

States are gone through in order of their depth (``search``), so the first difference is the nearest; beyond so many of
them random games are played (``wander``). Where all states there are have been gone through, the two programs are the
same game.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

import attrs

from rulelang.ir.program import Program
from rulelang.play import kinds
from rulelang.play.alike import Pair, outcome_of
from rulelang.play.attempting import attempt
from rulelang.play.chance import Stream, match_key, mix
from rulelang.play.comparing import Looked, drawn_event
from rulelang.play.engine import Game, State, children
from rulelang.play.event import Answer, Event, Pass

ALL_ANSWERS: Final = 200
"""Answers that are all tried in every state, of every seat; of more, some are drawn."""
DRAWN: Final = 8
"""Answers that are drawn."""
WIDE: Final = 200
"""Events that are followed from one state; with more of them, not all states are gone through."""
LONGEST: Final = 400
"""Events of a random game."""


@attrs.frozen
class Apart:
    """Where two programs come apart."""

    subject: str
    """``moves``, ``to_move``, ``table``, ``view``, ``chance``, ``result``, ``reasons``, ``fails`` and so on."""
    first: Any
    """What the first has there; of the table ``(slot, member, value)``, of reasons and moves what is compared."""
    second: Any
    seat: int | None = None
    """Whose moves or view it is."""
    tried: Answer | None = None
    """The attempt whose reasons differ, or the move that only one allows."""
    events: tuple[Event, ...] = ()
    """What has happened before."""


@attrs.frozen
class Gone:
    """How far the states were gone through."""

    apart: Apart | None
    states: int
    whole: bool
    """Whether there are no others."""


def search(games: Pair[Game], most: int) -> Gone:
    """Go through all states, the nearest first, up to so many."""
    return _Search(games, most).run()


def wander(games: Pair[Game], seed: int, most: int, below: int = LONGEST) -> Gone:
    """Play random games, so many states in all, and find the shortest way apart that is shorter than ``below``."""
    best: Apart | None = None
    states = number = 0
    while states < most and below > 0:
        found, played = _one_game(games, match_key(seed, number), min(below, most - states))
        states += played
        number += 1
        if found is not None:
            best, below = found, len(found.events)
        if played == 1 and found is None:
            break  # it ends where it begins, and so will all others
    return Gone(best, states, False)


def begin_alike(games: Pair[Game], most: int) -> bool:
    """Whether both stand at the same position where somebody first must act, whatever chance decides before.

    Of two programs that differ only in what lies there before play: where positions are the same, what follows is.
    False if it takes more than so many.
    """
    begun = _begun(games)
    if not isinstance(begun, Pair):
        return False
    waiting, looked = [begun], 0
    while waiting:
        pair = waiting.pop()
        looked += 1
        if pair.first.position() == pair.second.position():
            continue
        if looked > most or pair.first.waiting.kind != "chance" or _chance(pair.first) != _chance(pair.second):
            return False
        for event in children(pair.first):
            after = _step(pair, event)
            if not isinstance(after, Pair):
                return False
            waiting.append(after)
    return True


class _Search:
    def __init__(self, games: Pair[Game], most: int) -> None:
        self.games = games
        self.most = most
        self.whole = games.first.program.clock is None
        self.told = any(_tells_not_all(game.program) for game in (games.first, games.second))
        self.seen: set[tuple[bytes, bytes]] = set()
        self.waiting: deque[tuple[Pair[State], tuple[Event, ...]]] = deque()

    def run(self) -> Gone:
        begun = _begun(self.games)
        if isinstance(begun, Apart):
            return Gone(begun, 1, False)
        if begun is None:
            return Gone(None, 0, True)
        self.add(begun, ())
        states = 0
        while self.waiting:
            if states >= self.most:
                return Gone(None, states, False)
            pair, events = self.waiting.popleft()
            states += 1
            apart = compared(pair, Stream(mix(states, 1)))
            if apart is not None:
                return Gone(attrs.evolve(apart, events=events), states, False)
            found = self.further(pair, events)
            if found is not None:
                return Gone(found, states, False)
        return Gone(None, states, self.whole)

    def add(self, pair: Pair[State], events: tuple[Event, ...]) -> None:
        key = (pair.first.to_bytes(), pair.second.to_bytes())
        if key not in self.seen:
            self.seen.add(key)
            self.waiting.append((pair, events))

    def further(self, pair: Pair[State], events: tuple[Event, ...]) -> Apart | None:
        if answers_of(self.games.first) is None or _speaks(pair.first):
            self.whole = False
        followed = outcome_of(lambda state: list(_some(children(state), WIDE + 1)), pair.first)
        if not isinstance(followed, list) or len(followed) > WIDE:
            self.whole = False
        if len(self.seen) > 4 * self.most:
            self.whole = False
            return None
        for event in followed[:WIDE] if isinstance(followed, list) else ():
            after = _step(pair, event)
            if isinstance(after, Apart):
                return attrs.evolve(after, events=(*events, event))
            if after is None:
                continue
            observed = _observed_apart(after) if self.told else None  # no part of a state: it is told of each way there
            if observed is not None:
                return attrs.evolve(observed, events=(*events, event))
            self.add(after, (*events, event))
        return None


def _one_game(games: Pair[Game], key: int, most: int) -> tuple[Apart | None, int]:
    """One random game, and how many states it had."""
    begun = _begun(games)
    if isinstance(begun, Apart):
        return begun, 1
    choices, events, pair = Stream(mix(key, 2**40)), list[Event](), begun
    while pair is not None and len(events) < most:
        apart = compared(pair, Stream(mix(key, len(events))))
        if apart is not None:
            return attrs.evolve(apart, events=tuple(events)), len(events) + 1
        event = _drawn(pair.first, choices, mix(key, len(events)))
        if event is None:
            break
        events.append(event)
        after = _step(pair, event)
        if isinstance(after, Apart):
            return attrs.evolve(after, events=tuple(events)), len(events)
        pair = after
    return None, len(events) + 1


def _drawn(state: State, draw: Stream, outcome: int) -> Event | None:
    listed = {seat: _listed(state, seat) or () for seat in state.waiting.seats}
    looked = Looked(state.waiting, listed, None, state.now, state.deadline)
    drawn = outcome_of(lambda one: drawn_event(Pair(one, one), looked, draw, outcome), state)
    return drawn if isinstance(drawn, Event) else None


def _begun(games: Pair[Game]) -> Pair[State] | Apart | None:
    first, second = (outcome_of(lambda game: game.start(), game) for game in (games.first, games.second))
    return _both("start", first, second)


def _step(pair: Pair[State], event: Event) -> Pair[State] | Apart | None:
    """Both one event further; None if both fail, as games may."""
    first, second = (outcome_of(partial(_after, event), state) for state in (pair.first, pair.second))
    return _both("fails", first, second)


def _after(event: Event, state: State) -> State:
    return state.step(event)


def _both(subject: str, first: Any, second: Any) -> Pair[State] | Apart | None:
    failed = [hasattr(side, "failure") for side in (first, second)]
    if all(failed):
        return None
    if any(failed):
        return Apart(subject, getattr(first, "failure", ""), getattr(second, "failure", ""))
    return Pair(first, second)


# ------------------------------------------------------------------ one state of both


def compared(pair: Pair[State], draw: Stream) -> Apart | None:
    """What people can tell of two states: the first thing that is not the same."""
    for subject, asked in (("result", _result), ("to_move", _to_move), ("words", _words), ("chance", _chance)):
        first, second = outcome_of(asked, pair.first), outcome_of(asked, pair.second)
        if first != second:
            return Apart(subject, first, second, tried=_pass_of_one(pair) if subject == "to_move" else None)
    observed = _observed_apart(pair) if _tells_not_all(pair.first.game.program) else None
    return _moves_apart(pair) or _table_apart(pair) or _views_apart(pair) or observed or _reasons_apart(pair, draw)


def _result(state: State) -> object:
    return state.outcome


def _to_move(state: State) -> object:
    waiting = state.waiting
    return (waiting.kind, waiting.seats, waiting.moves, waiting.may_pass, waiting.first_only)


def _pass_of_one(pair: Pair[State]) -> Answer | None:
    """A pass, if whether it is allowed is all that differs."""
    first, second = pair.first.waiting, pair.second.waiting
    only = first.seats == second.seats and first.moves == second.moves and first.may_pass != second.may_pass
    return Pass(first.seats[0]) if only and first.seats else None


def _words(state: State) -> object:
    return state.waiting.words


def _chance(state: State) -> object:
    return state.chance() if state.waiting.kind == "chance" else ()


def _moves_apart(pair: Pair[State]) -> Apart | None:
    for seat in pair.first.waiting.seats:
        first, second = _listed(pair.first, seat), _listed(pair.second, seat)
        if first != second:
            mine, other = first or (), second or ()
            one = next((answer for answer in mine if answer not in other), None)
            two = next((answer for answer in other if answer not in mine), None)
            return Apart("moves", one, two, seat, one or two)
    return None


def _listed(state: State, seat: int) -> tuple[Answer, ...] | None:
    """The legal answers; None if they cannot be listed."""
    moves = outcome_of(lambda one: tuple(one.moves(seat)), state)
    return moves if isinstance(moves, tuple) else None


def _table_apart(pair: Pair[State]) -> Apart | None:
    first, second = pair.first.position(), pair.second.position()
    if len(first.cells) != len(second.cells):
        return Apart("size", len(first.cells), len(second.cells))
    if first.cells != second.cells:
        program = pair.first.game.program
        place = next(n for n, (a, b) in enumerate(zip(first.cells, second.cells, strict=True)) if a != b)
        slot, member = spot_of(program, place)
        return Apart("table", (slot, member, first.cells[place]), (slot, member, second.cells[place]))
    if first.pools != second.pools:
        return Apart("pools", first.pools, second.pools)
    return None


def spot_of(program: Any, place: int) -> tuple[int, int]:
    """The zone or marker, and which of its family, of a cell of a position."""
    layout = kinds.Layout.of(program)
    slot = max(number for number, family in enumerate(layout.families) if family.base <= place)
    return slot, place - layout.families[slot].base


def _views_apart(pair: Pair[State]) -> Apart | None:
    for seat in (*range(kinds.seat_count(pair.first.game.program)), None):
        first, second = pair.first.view(seat).seen, pair.second.view(seat).seen
        if first != second:
            mine = next((each for each in first if each not in second), None)
            other = next((each for each in second if each not in first), None)
            return Apart("view", mine, other, seat)
    return None


def _observed_apart(pair: Pair[State]) -> Apart | None:
    """The last move, as everybody observed it."""
    for seat in (*range(kinds.seat_count(pair.first.game.program)), None):
        last = [state.observed(seat)[-1:] for state in (pair.first, pair.second)]
        if last[0] != last[1]:
            return Apart("observed", last[0], last[1], seat)
    return None


def _tells_not_all(program: Program) -> bool:
    """Whether there are moves that not everybody observes, or not all of them."""
    return any(move.private or any(parameter.named for parameter in move.parameters) for move in program.moves)


def _reasons_apart(pair: Pair[State], draw: Stream) -> Apart | None:
    for answer in dict.fromkeys(chain(_tried(pair.first, draw), _tried(pair.second, draw))):
        first, second = _reasons(pair.first, answer), _reasons(pair.second, answer)
        if first != second:
            return Apart("reasons", first, second, answer.seat, answer)
    return None


def _reasons(state: State, answer: Answer) -> tuple[str, ...]:
    found = outcome_of(lambda one: tuple(reason.code for reason in one.refusals(answer)), state)
    return found if isinstance(found, tuple) else ("fails",)


def answers_of(game: Game) -> int | None:
    """How many answers there are in all, legal or not; None if they are too many to be tried everywhere."""
    most = outcome_of(lambda each: each.number(Pass(0)), game)
    return most if isinstance(most, int) and most <= ALL_ANSWERS else None


def _tried(state: State, draw: Stream) -> Iterator[Answer]:
    """What is attempted: everything by whoever is asked, if that is not too much, else something."""
    waiting = state.waiting
    if not waiting.seats:
        return  # nobody would try anything while chance decides, or when all is over
    most = answers_of(state.game)
    if most is not None:
        for seat in waiting.seats:
            yield from (state.game.answer(seat, number) for number in range(most + 1))
        return
    listed: dict[int, Sequence[Answer]] = {seat: _listed(state, seat) or () for seat in waiting.seats}
    program = state.game.program
    for _ in range(DRAWN):
        answer = attempt(program, waiting, listed, draw)
        if _is_said(program, answer):
            yield answer


def _is_said(program: Program, answer: Answer) -> bool:
    """Whether somebody at the table could say it: what is of no kind at all has no words."""
    if isinstance(answer, Pass):
        return 0 <= answer.seat < kinds.seat_count(program)
    if not 0 <= answer.move < len(program.moves) or not 0 <= answer.seat < kinds.seat_count(program):
        return False
    parameters = program.moves[answer.move].parameters
    return len(parameters) == len(answer.arguments) and all(
        kinds.contains(program, parameter.type, code)
        for parameter, code in zip(parameters, answer.arguments, strict=True)
    )


def _speaks(state: State) -> bool:
    program = state.game.program
    return state.waiting.kind == "anyone" or any(kinds.is_spoken(program.moves[move]) for move in state.waiting.moves)


def _some(events: Iterator[Event], most: int) -> Iterator[Event]:
    for _, event in zip(range(most), events, strict=False):
        yield event


__all__ = ["Apart", "Gone", "answers_of", "compared", "search", "spot_of", "wander"]
