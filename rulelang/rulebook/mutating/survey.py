"""The verdict on each change: noticed, shown to change nothing, or not noticed.

A change that nobody notices is *shown to be equivalent* in one of two ways, and never assumed to be:

- In every configuration (all numbers of seats, all values of all options), what closing makes of the changed rules is
  the same program to the last bit (its content hash, written plainly), or one that differs only in what lies there
  before play and comes to the same position where somebody first must act, whatever chance decides. Where there are too
  many configurations to close the rules in each, the changed parts alone are folded for all values of the options that
  they read (``everywhere``): where those come to the same, so do the programs.
- In every configuration in which it is not, all states that there are have been gone through on both, and people at
  the table could not tell the one from the other in any of them.

Otherwise a record is looked for in which both play differently: the nearest state first, then in random games.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import attrs

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Program
from rulelang.play.alike import Pair
from rulelang.play.apart import Apart, begin_alike, search, wander
from rulelang.play.chance import Stream
from rulelang.play.closing import close
from rulelang.play.configurations import Variations
from rulelang.play.engine import Engine, Game
from rulelang.rulebook.mutating.changes import Change, changes
from rulelang.rulebook.mutating.everywhere import Everywhere
from rulelang.rulebook.mutating.noticing import Noticing, Unsound
from rulelang.rulebook.mutating.plain import plain_hash, without_setting
from rulelang.rulebook.mutating.reached import Configured
from rulelang.scenarios.check import CheckedScenario

Verdict = Literal["noticed", "equivalent", "not_noticed", "no_rules"]

WIDEST: Final = 64
"""Configurations that are looked at first, for every change that nobody notices."""
BEGINNINGS: Final = 200
"""Positions that are gone through before somebody first must act."""
SEARCHED: Final = 4
"""Configurations in which a difference is looked for; more if all positions of these can be gone through."""


@attrs.frozen
class Witness:
    """A configuration and a record in which changed rules play differently."""

    configured: Configured
    closed: Program | None
    """The rules as they are, closed like this; None if they cannot be."""
    apart: Apart


@attrs.frozen
class Compared:
    """What came of playing both in some configurations."""

    witness: Witness | None
    states: int
    whole: bool
    """Whether all states there are were gone through."""


@attrs.frozen
class Judged:
    """What became of one change."""

    change: Change
    verdict: Verdict
    by: str = ""
    """The scenario or promise that notices it; how it was shown to be equivalent."""
    witness: Witness | None = None
    """Where the changed rules play differently, though nobody notices."""
    states: int = 0
    """How many states were looked at for that."""
    looked: int = 0
    """Of a change that nobody noticed: in how many configurations it was compared; in all, if it is equivalent."""


class Survey:
    """All changes of a ruleset, and the verdict on any of them."""

    def __init__(
        self,
        program: Program,
        scenarios: Sequence[CheckedScenario],
        engine: Engine,
        quick: Engine,
        *,
        states: int,
        seed: int,
    ) -> None:
        """``engine`` runs scenarios, ``quick`` looks for differences, in so many states for each change."""
        self.program = program
        self.quick = quick
        self.states = states
        self.seed = seed
        self.changes = changes(program)
        self.noticing = Noticing(program, scenarios, engine, quick)
        self.everywhere = Everywhere(program)
        self._hashes: dict[Configured, str] = {}
        self._closed: dict[Configured, Program | None] = {}
        self._games: dict[Configured, Game] = {}
        self._configurations: tuple[Configured, ...] = ()

    def sample(self, count: int | None) -> tuple[Change, ...]:
        """So many changes, drawn by the seed, in the order of the text; all if none or more are asked for."""
        if count is None or count >= len(self.changes):
            return self.changes
        draw, left = Stream(self.seed), list(self.changes)
        drawn = [left.pop(draw.below(len(left))) for _ in range(count)]
        return tuple(sorted(drawn, key=lambda change: change.number))

    def judge(self, change: Change) -> Judged:
        """The verdict on one change."""
        changed = change.of(self.program)
        try:
            by = self.noticing.notices(change, changed)
        except Unsound:
            return Judged(change, "no_rules")
        if by:
            return Judged(change, "noticed", by)
        return self.survived(change, changed)

    def survived(self, change: Change, changed: Program) -> Judged:
        """Nobody noticed: is there anything to notice?"""
        looked = self.configurations()
        first = self.compared(changed, [each for each in looked if not self.same(change, changed, each)], 0)
        if first.witness is not None or not first.whole:
            return self.missed(change, first, looked)
        unlike = self.everywhere.unlike(change, changed)
        others = [each for each in unlike.configurations if each not in looked]
        more = [each for each in others if not self.same(change, changed, each)]
        second = self.compared(changed, more, first.states)
        if second.witness is not None or not second.whole or not unlike.whole:
            return self.missed(change, second, (*looked, *others))
        total = self.everywhere.count()
        by = _in_states(second.states) if second.states else _in_all(total)
        return Judged(change, "equivalent", by, None, second.states, total)

    def missed(self, change: Change, compared: "Compared", looked: Sequence[Configured]) -> Judged:
        """Nobody noticed, and it is not shown that there is nothing to notice."""
        within = self.everywhere.within(looked)
        return Judged(change, "not_noticed", "", compared.witness, compared.states, within)

    def compared(self, changed: Program, different: list[Configured], states: int) -> "Compared":
        """Both played in configurations in which they are not the same, after so many states elsewhere."""
        different.sort(key=lambda each: self.closed(each) is not None and _closed(changed, each) is not None)
        whole = True
        for number, configured in enumerate(different):
            if (not whole and number >= SEARCHED) or states >= 2 * self.states:
                return Compared(None, states, False)
            witness, gone, all_gone = self.apart(configured, changed, self.states // min(SEARCHED, len(different)))
            states += gone
            whole = whole and all_gone
            if witness is not None:
                return Compared(witness, states, False)
        return Compared(None, states, whole)

    # -------------------------------------------------------------- configurations

    def configurations(self) -> tuple[Configured, ...]:
        """Those of the scenarios first, then every number of seats, then every value of every option."""
        if not self._configurations:
            found: dict[Configured, None] = {}
            for configured in self.all_configurations():
                if len(found) == WIDEST:
                    break  # to find out what can be played at all takes long where options depend on each other
                found[configured] = None
            self._configurations = tuple(found)
        return self._configurations

    def all_configurations(self) -> Iterator[Configured]:
        """Without an end that one would wait for."""
        fewest, most = self.program.fewest_seats, self.program.most_seats
        yield from self.noticing.configurations()
        yield from ((number, ()) for number in range(max(1, fewest - 1), most + 2))
        for number in range(fewest, most + 1):
            for options in Variations(self.program, number).each():
                yield number, tuple(sorted(options.items()))

    def same(self, change: Change, changed: Program, configured: Configured) -> bool:
        """Whether closing makes the same program of both; or one that differs only before play, and begins alike."""
        closed, mine = _closed(changed, configured), self.closed(configured)
        if mine is None or closed is None:
            return mine is closed
        if mine == closed:
            return True
        if plain_hash(closed) == self.hash_of(configured, mine):
            return True
        if not change.touched.anything or plain_hash(without_setting(closed)) != plain_hash(without_setting(mine)):
            return False
        seats, chosen = configured  # nothing is printed for so short a time
        engine = self.noticing.engine
        one, two = (engine.configure(each, seats, dict(chosen)) for each in (self.program, changed))
        return begin_alike(Pair(one, two), BEGINNINGS)

    def closed(self, configured: Configured) -> Program | None:
        """The rules as they are, closed like this; None if they cannot be."""
        if configured in self._closed:
            return self._closed[configured]
        closed = _closed(self.program, configured)
        if configured in self.configurations():  # these are asked for again and again
            self._closed[configured] = closed
        return closed

    def hash_of(self, configured: Configured, closed: Program) -> str:
        """The hash of the rules as they are, closed like this."""
        if configured in self._hashes:
            return self._hashes[configured]
        found = plain_hash(closed)
        if configured in self._closed:
            self._hashes[configured] = found
        return found

    def apart(self, configured: Configured, changed: Program, states: int) -> tuple[Witness | None, int, bool]:
        """Where both play differently in one configuration; how many states were looked at, and whether all."""
        first, second = (
            _configured(lambda p: self.game(p, configured), program) for program in (self.program, changed)
        )
        if first is None and second is None:
            return None, 0, True
        if first is None or second is None:
            closed = None if first is None else first.program
            return Witness(configured, closed, Apart("setup", first is not None, second is not None)), 0, False
        games = Pair(first, second)
        gone = search(games, states // 2)
        if gone.apart is None and gone.whole:
            return None, gone.states, True
        apart, looked = gone.apart, gone.states
        if apart is None:
            far = wander(games, self.seed, states - states // 2)
            apart, looked = far.apart, looked + far.states
        return None if apart is None else Witness(configured, first.program, apart), looked, False

    def game(self, program: Program, configured: Configured) -> Game:
        """A game; those of the rules as they are are kept."""
        seats, chosen = configured
        if program is not self.program or (configured not in self._games and configured not in self.configurations()):
            return self.quick.configure(program, seats, dict(chosen))
        if configured not in self._games:
            self._games[configured] = self.quick.configure(program, seats, dict(chosen))
        return self._games[configured]


def _in_states(states: int) -> str:
    return f"the same game in all {states} states" if states > 1 else "the same game in the only state"


def _in_all(configurations: int) -> str:
    if configurations > 2**53:
        return "the same program in all configurations"
    many = f"all {configurations} configurations" if configurations > 1 else "the only configuration"
    return f"the same program in {many}"


def _configured(configure: Any, program: Program) -> Game | None:
    try:
        game: Game = configure(program)
        return game
    except (Refused, Exhausted):
        return None


def _closed(program: Program, configured: Configured) -> Program | None:
    """A program closed; None if it cannot be closed like this."""
    seats, chosen = configured
    try:
        return close(program, seats, dict(chosen))
    except (Refused, Exhausted):
        return None
