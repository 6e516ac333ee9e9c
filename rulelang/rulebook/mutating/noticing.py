"""Whether scenarios or promises notice a change: it is tried on those that can, until the first fails.

The scenarios that noticed changes near by are asked first, then the shortest.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Program
from rulelang.ir.verify import verify
from rulelang.play.agents import RandomAgent
from rulelang.play.engine import Engine
from rulelang.play.playouts import playouts
from rulelang.rulebook.mutating.changes import Change
from rulelang.rulebook.mutating.reached import Closing, Configured, Reached, reached
from rulelang.scenarios.check import CheckedScenario
from rulelang.scenarios.run import run_scenario

GAMES: Final = 3
"""Random games in which promises are looked at."""
UNCHECKED: Final = (
    "requirement",
    "comparison",
    "bound",
    "priority",
    "branch",
    "constant",
    "condition",
    "sum",
    "effect",
)
"""Changes after which a program is as sound as before, and need not be verified."""


class Unsound(Exception):
    """The changed program is none: nobody could have written such rules."""


class Noticing:
    """The scenarios and promises of a program."""

    def __init__(self, program: Program, scenarios: Sequence[CheckedScenario], engine: Engine, quick: Engine) -> None:
        """``engine`` runs scenarios, ``quick`` whole games."""
        self.program = program
        self.engine = engine
        self.quick = quick
        found = [(each, reached(each, engine)) for each in scenarios]
        self.failing = tuple(seen.result.id for _, seen in found if seen.result.status in ("failed", "error"))
        """Scenarios that do not pass on the rules as they are: they say nothing about changes."""
        self.passing: list[tuple[CheckedScenario, Reached]] = [
            pair for pair in found if pair[1].result.status == "passed"
        ]
        self.runs = 0
        """Scenarios run on changed rules so far."""
        self._scores: dict[tuple[str, int], int] = {}
        """By what a change is in and the scenario: how many it noticed."""

    def configurations(self) -> tuple[Configured, ...]:
        """How scenarios set up the game, each once."""
        return tuple(dict.fromkeys(each for _, seen in self.passing for each in seen.configured))

    def notices(self, change: Change, changed: Program) -> str:
        """What notices a change: the title of a scenario, or a promise; nothing if nobody does. Raises Unsound."""
        if change.sort not in UNCHECKED and verify(changed):
            raise Unsound
        closing = Closing(self.engine)
        for number in self.order(change):
            checked = self.passing[number][0]
            self.runs += 1
            if self.fails(checked, changed, closing):
                key = (change.inside, number)
                self._scores[key] = self._scores.get(key, 0) + 1
                return checked.scenario.title
        return self.broken_promise(changed)

    def order(self, change: Change) -> list[int]:
        """The scenarios to ask."""
        able = [number for number, (_, seen) in enumerate(self.passing) if seen.comes_by(change.touched)]
        return sorted(able, key=lambda n: (-self._scores.get((change.inside, n), 0), self.passing[n][1].steps, n))

    def fails(self, checked: CheckedScenario, changed: Program, closing: Closing) -> bool:
        """Whether a scenario fails on changed rules. What makes the interpreter stumble has been noticed, too."""
        bench = checked.bench
        known = dict(bench.closed)
        try:
            compiled = attrs.evolve(checked.compiled, program=changed)
            return run_scenario(attrs.evolve(checked, compiled=compiled), closing).status != "passed"
        except Exception:  # a program that no interpreter was made for
            return True
        finally:
            bench.closed.clear()  # nobody asks for the changed program again
            bench.closed.update(known)

    # -------------------------------------------------------------- promises

    def broken_promise(self, changed: Program) -> str:
        """A promise of the rules that does not hold in random games of the changed rules."""
        if not self.program.invariants:
            return ""
        for seats in range(changed.fewest_seats, changed.most_seats + 1):
            for name in self._broken(changed, seats):
                return f"always {name}"
        return ""

    def _broken(self, changed: Program, seats: int) -> Iterator[str]:
        try:
            game = self.quick.configure(changed, seats, {})
            agents = [RandomAgent() for _ in range(seats)]
            for summary in playouts(game, GAMES, 1, agents, promises=True):
                yield from summary.broken
        except (Refused, Exhausted):
            return
        except Exception:  # a program that no interpreter was made for
            return
