"""Which parts of a program each scenario comes by: only those scenarios can notice a change there.

Too much may be reported, never too little. So a scenario that says where play stands (``reach``) comes by the whole
flow of rules, by which the way there is found, and every scenario comes by all functions: its own formulas may ask
them.
"""

from collections.abc import Mapping
from typing import Any

import attrs

from rulelang.ast.nodes import plays as ast
from rulelang.ir.effects import SetLocal
from rulelang.ir.nodes import Branch, Call, Decide, Do, Loop
from rulelang.ir.program import Program
from rulelang.play.closing import close_whole
from rulelang.play.engine import Engine
from rulelang.play.event import Answer, Play
from rulelang.play.formulas import Context
from rulelang.play.pruning import kept_nodes
from rulelang.play.refusal import Refusal
from rulelang.play.watching import Watchable
from rulelang.rulebook.mutating.changes import Touched
from rulelang.scenarios.check import CheckedScenario
from rulelang.scenarios.results import Result
from rulelang.scenarios.run import run_scenario

Configured = tuple[int, tuple[tuple[str, int | str | bool], ...]]
"""Seats and chosen options."""


@attrs.frozen
class Reached:
    """What one scenario comes by, on the rules as they are."""

    result: Result
    nodes: frozenset[int]
    moves: frozenset[int]
    configured: tuple[Configured, ...]
    """How it sets up the game; more than one way if a later ``given`` says so."""
    steps: int
    """How many nodes it carries out: the shortest scenarios are asked first."""

    def comes_by(self, touched: Touched) -> bool:
        """Whether a change there can make a difference to this scenario."""
        return (
            touched.anything
            or bool(touched.functions)
            or not touched.nodes.isdisjoint(self.nodes)
            or not touched.moves.isdisjoint(self.moves)
        )


def reached(checked: CheckedScenario, engine: Engine) -> Reached:
    """Run one scenario and see what it comes by."""
    watcher = _Watcher()
    watched = engine.watched_by(watcher) if isinstance(engine, Watchable) else engine
    result = run_scenario(checked, watched)
    program = checked.compiled.program
    given = [block for block in checked.scenario.blocks if isinstance(block, ast.Given)]
    if watched is engine:
        watcher.everything(program)
    elif any(
        isinstance(fact, ast.Reach | ast.Lies | ast.Stands | ast.EachFact) for block in given for fact in block.facts
    ):
        watcher.nodes |= _flow(program)
    asked = tuple(dict.fromkeys(watcher.asked))
    return Reached(result, frozenset(watcher.nodes), frozenset(watcher.moves), asked, watcher.steps)


def _flow(program: Program) -> set[int]:
    """The nodes by which the way to a rule is found: all but effects on the table and what waits."""
    return {
        number
        for number, node in enumerate(program.nodes)
        if isinstance(node, Branch | Call | Loop) or (isinstance(node, Do) and isinstance(node.effect, SetLocal))
    }


class _Watcher:
    """Watches one scenario. Nodes are numbered as in the open program."""

    def __init__(self) -> None:
        self.nodes: set[int] = set()
        self.moves: set[int] = set()
        self.asked: list[Configured] = []
        self.steps = 0
        self._kept: dict[int, tuple[Program, list[int]]] = {}

    def everything(self, program: Program) -> None:
        """Nothing is known: it may come by anything."""
        self.nodes.update(range(len(program.nodes)))
        self.moves.update(range(len(program.moves)))

    def configured(
        self, program: Program, seats: int, options: Mapping[str, int | str | bool], closed: Program
    ) -> None:
        """A game begins. Branches that are decided before play are come by as far as anybody can tell."""
        whole = close_whole(program, seats, options)
        kept = kept_nodes(whole)
        self._kept[id(closed)] = (closed, kept)
        self.asked.append((seats, tuple(sorted(options.items()))))
        missing = set(range(len(program.nodes))).difference(kept)
        self.nodes |= {number for number in missing if isinstance(program.nodes[number], Branch)}

    def begins(self, node: int, context: Context) -> None:
        """A node is reached."""
        self.steps += 1
        closed, kept = self._kept[id(context.program)]
        self.nodes.add(kept[node])
        found = closed.nodes[node]
        if isinstance(found, Decide):
            self.moves.update(found.moves)

    def led(self, node: int, following: int) -> None:
        """Where it leads is of no interest."""

    def attempted(self, closed: Program, answer: Answer, reasons: tuple[Refusal, ...]) -> None:
        """Somebody looked whether a move is legal."""
        if isinstance(answer, Play):
            self.moves.add(answer.move)


class Closing:
    """An interpreter that closes each program once for each configuration."""

    def __init__(self, engine: Engine) -> None:
        self.name = engine.name
        self._engine = engine
        self._games: dict[tuple[Any, ...], tuple[Program, Any]] = {}

    def configure(self, program: Program, seats: int, options: Mapping[str, int | str | bool]) -> Any:
        key = (id(program), seats, tuple(sorted(options.items(), key=str)))
        if key not in self._games:
            self._games[key] = (program, self._engine.configure(program, seats, options))
        return self._games[key][1]
