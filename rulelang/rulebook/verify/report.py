"""One look at a whole game: what was gone through, what is wrong, and what was never used."""

from collections.abc import Mapping
from typing import Final

import attrs

from rulelang.ir.program import Program
from rulelang.play.engine import Engine, Game, State
from rulelang.play.event import Event
from rulelang.play.watching import Noting
from rulelang.rulebook.verify import endless, games, space
from rulelang.rulebook.verify.found import Finding, Found, Place
from rulelang.rulebook.verify.looking import Counts, Looker
from rulelang.rulebook.verify.order import Orders
from rulelang.rulebook.verify.reached import Reached
from rulelang.rulebook.verify.space import Space
from rulelang.rulebook.verify.unused import Unused, unused

Options = Mapping[str, int | str | bool]

NOT_EXPLORED: Final = {
    "time": "time goes on only when a timer runs out; nobody looks at the clock before that",
    "talk": "moves that carry words are not made, as there is no list of what can be said",
    "lines": "this interpreter cannot tell which lines it carries out, so nothing is said about them",
}
"""What is left out, by name, and what that means."""


@attrs.frozen
class Task:
    """What is to be gone through, and how far."""

    seats: int
    options: Options
    attempts: int
    """Numbered answers of a seat that are all tried; of more, some."""
    depth: int | None = None
    """Events of the longest way; none: any."""
    states: int = 100_000
    """Positions at most."""
    games: int | None = None
    """Random games instead of all positions."""
    seed: int = 0


@attrs.frozen
class Report:
    """What came of it."""

    game: Game
    task: Task
    counts: Counts
    whole: bool
    """Whether every position was seen, so that 'never' may be said."""
    all_tried: bool
    """Whether every numbered answer of every asked seat was tried."""
    attempts: int
    findings: tuple[Finding, ...]
    unused: tuple[Unused, ...]
    left_out: tuple[str, ...]
    """Names from ``NOT_EXPLORED``."""
    stopped: bool
    """Whether somebody stopped it (Ctrl-C)."""

    def never(self, part: Unused) -> bool:
        """Whether it is proved that a part is never used."""
        return self.whole and (self.all_tried or not part.attempted)

    @property
    def mistakes(self) -> int:
        """What is wrong, and what is proved to be of no use, without a reason for it."""
        return sum(not each.reason for each in self.findings) + sum(
            not part.reason and self.never(part) for part in self.unused
        )


def verify(
    program: Program,
    engine: Engine,
    task: Task,
    allowed: Mapping[str, str] | None = None,
    progress: space.Progress | None = None,
) -> Report:
    """Go through an open program. Raises Refused for seats and options that the rules do not allow, Exhausted for a
    game that cannot even begin.

    ``allowed`` gives reasons for parts that may stay unused, and for ends that are decided by order. ``progress`` is
    told of positions, or of games.
    """
    path: list[int] = []
    noting = isinstance(engine, Noting)
    game = (engine.noting(path) if isinstance(engine, Noting) else engine).configure(program, task.seats, task.options)
    orders = Orders(game, program, task.seats, task.options) if noting else None
    looker = Looker(game, task.attempts, Found(), Reached(game.program, path), orders)
    whole = False
    if task.games is None:
        seen, stopped = space.explore(looker, task.depth, task.states, progress)
        whole = seen.whole and not stopped and not _left_out(looker)
        _endless(looker, seen, whole)
    else:
        stopped = games.play(looker, task.games, task.seed, task.depth, progress)
    left_out = _left_out(looker) if noting else (*_left_out(looker), "lines")
    parts = unused(program, task.seats, task.options, looker.reached, allowed or {}) if noting else []
    return Report(
        game,
        task,
        looker.counts,
        whole,
        looker.all_tried,
        looker.reached.attempts,
        looker.found.findings(allowed or {}),
        tuple(parts),
        tuple(left_out),
        stopped,
    )


def _left_out(looker: Looker) -> tuple[str, ...]:
    """What of play was not gone through, by name."""
    found = []
    if looker.program.clock is not None:
        found.append("time")
    if looker.speaks:
        found.append("talk")
    return tuple(found)


def _endless(looker: Looker, seen: Space, whole: bool) -> None:
    """Positions without an end, and passing that leads round."""
    around = endless.passing_round(seen)
    if around is not None:
        position, length = around
        way = (*seen.way(position), *endless.passes(seen, position, length))
        looker.passing(_after(looker.game, way), length, len(way), lambda: way)
    hopeless = endless.without_end(seen) if whole else None
    if hopeless is not None:
        position, count = hopeless
        said = "From here no end of the game can be reached."
        events = seen.way(position)
        place = Place.of(looker.program.nodes[_after(looker.game, events).waiting.node].at)
        for _ in range(count):
            looker.found.add("endless", "endless", lambda: (said, place), len(events), lambda: events)


def _after(game: Game, events: tuple[Event, ...]) -> State:
    """Where these events lead."""
    state = game.start()
    for event in events:
        state = state.step(event)
    return state
