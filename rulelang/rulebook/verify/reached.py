"""What of a closed program was reached: nodes, ways between them, and requirements that held or failed."""

from itertools import pairwise

import attrs

from rulelang.ir.expressions import Constant
from rulelang.ir.program import Program
from rulelang.play.event import Play
from rulelang.play.refusal import Refusal

REMEMBERED = 100_000
"""Paths kept at most, so that each is taken apart only once."""


@attrs.define
class Reached:
    """All of it so far."""

    closed: Program
    path: list[int]
    """Where the interpreter notes the nodes that it comes to; it is emptied by ``take``."""
    nodes: set[int] = attrs.field(factory=set)
    ways: set[tuple[int, int]] = attrs.field(factory=set)
    """A node and the next one that was come to."""
    held: set[tuple[int, int]] = attrs.field(factory=set)
    """A move and the place of a requirement that held in an attempt."""
    failed: set[tuple[int, int]] = attrs.field(factory=set)
    attempts: int = 0
    """Answers looked at, the listed ones included."""
    _paths: set[tuple[int, ...]] = attrs.field(factory=set)
    _listed: set[int] = attrs.field(factory=set)
    _open: tuple[tuple[int, int], ...] | None = None
    _known: int = 0

    def take(self) -> tuple[int, ...]:
        """Something was carried out: remember where it came by."""
        path = tuple(self.path)
        self.path.clear()
        if path in self._paths:
            return path
        if len(self._paths) < REMEMBERED:
            self._paths.add(path)
        self.nodes.update(path)
        self.ways.update(pairwise(path))
        return path

    def listed(self, move: int) -> None:
        """An answer with this move is legal: all that it requires holds."""
        if move not in self._listed:
            self._listed.add(move)
            self.held.update((move, place) for place in range(len(self.closed.moves[move].requirements)))

    def refused(self, answer: Play, reasons: tuple[Refusal, ...]) -> None:
        """An answer was refused: which requirements failed, and which held although others did not.

        As scenarios count it (``rulelang.scenarios.coverage``): where an answer is not among the choices, the others
        were perhaps not looked at.
        """
        failing = {(each.code, each.line) for each in reasons if each.number is None}
        misplaced = any(
            each.number is not None and (each.code.endswith("_not_there") or "value" in each.code) for each in reasons
        )
        for place, requirement in enumerate(self.closed.moves[answer.move].requirements):
            if (requirement.name, requirement.at.origin.line) in failing:
                self.failed.add((answer.move, place))
            elif not misplaced:
                self.held.add((answer.move, place))

    def undecided(self) -> tuple[int, ...]:
        """The moves with a requirement that was not seen both to hold and to fail, and could be."""
        if self._open is None:
            self._open = tuple(
                (number, place)
                for number, move in enumerate(self.closed.moves)
                for place in range(len(move.requirements))
                if not self.decided(number, place)
            )
        if len(self.held) + len(self.failed) != self._known:
            self._known = len(self.held) + len(self.failed)
            self._open = tuple(each for each in self._open if each not in self.held or each not in self.failed)
        return tuple(dict.fromkeys(number for number, _ in self._open))

    def decided(self, move: int, place: int) -> bool:
        """Whether the options have decided a requirement, so that it can have only one answer."""
        return isinstance(self.closed.moves[move].requirements[place].condition, Constant)
