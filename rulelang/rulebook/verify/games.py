"""Random games, each position of them looked at: what is left to do where the space is too large.

Game i depends on the seed and on i alone. All that is found is kept with the shortest way that was seen.
"""

from collections.abc import Callable
from itertools import islice
from typing import Final

from rulelang.failures import Exhausted
from rulelang.play.attempting import pick
from rulelang.play.chance import Stream, match_key, mix
from rulelang.play.engine import State
from rulelang.play.event import Event, Expiry, Outcome, Sealed
from rulelang.rulebook.verify.looking import WIDEST, Looker
from rulelang.rulebook.verify.space import nobody_acts

Progress = Callable[[int, int], None]
"""Is told how many games were played, and how many events took place. It may raise KeyboardInterrupt."""

CHOICES: Final = 2**40
"""What of a game's key its choices are drawn from, beyond all outcomes and players."""

LONGEST: Final = 10_000
"""Events of one game, unless something else is said."""


def play(looker: Looker, games: int, seed: int, longest: int | None, progress: Progress | None = None) -> bool:
    """Play so many games, each broken off after so many events; whether somebody stopped it (Ctrl-C)."""
    try:
        for number in range(games):
            _game(looker, match_key(seed, number), longest or LONGEST, progress)
            looker.counts.games += 1
    except KeyboardInterrupt:
        return True
    return False


def _game(looker: Looker, key: int, longest: int, progress: Progress | None) -> None:
    choices = Stream(mix(key, CHOICES))
    events: list[Event] = []

    def way() -> tuple[Event, ...]:
        return tuple(events)

    passed: list[bytes] = []  # the positions in which everybody passed, one after the other
    state: State | None = looker.game.start()
    looker.reached.take()
    while state is not None and looker.look(state, mix(key, CHOICES + 1 + len(events)), len(events), way):
        if len(events) >= longest:
            looker.counts.cut += 1
            return
        try:
            event = _drawn(looker, state, choices)
        except Exhausted as failure:
            looker.given_up(failure, None, len(events), way)
            return
        if event is None:
            looker.counts.cut += 1  # only something that is said could lead on
            return
        if progress is not None:
            progress(looker.counts.games, looker.counts.events)
        before, state = state, looker.step(state, event, len(events), way)
        if state is None:
            return
        events.append(state.event or event)
        looker.ended(state, len(events), way)
        passed = [*passed, before.to_bytes()] if nobody_acts(event) else []
        if passed and state.to_bytes() in passed:
            around = len(passed) - passed.index(state.to_bytes())
            looker.passing(state, around, len(events), way)
            passed = []


def _drawn(looker: Looker, state: State, draw: Stream) -> Event | None:
    """Any event that can come now; in open play now and then the next timer runs out."""
    waiting = state.waiting
    if waiting.kind == "chance":
        return Outcome(state.sample(draw))
    due = state.deadline
    if due is not None and draw.below(4) == 0:
        return Expiry(due[0])
    if waiting.kind == "sealed" and not waiting.first_only:
        listed = [state.moves(seat) for seat in waiting.seats]
        return Sealed(tuple(pick(answers, draw) for answers in listed)) if all(listed) else None
    events = list(islice(looker.events(state), WIDEST))
    return pick(events, draw) if events else None
