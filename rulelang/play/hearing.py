"""What everybody may hear of why a move is not possible. Spec 7.6, 8.5.

People who share a screen ask why one of them cannot do something. A reason may be told to all if it could not be
otherwise whatever lies hidden: its condition and its words read only what everybody sees, and so do the choices of the
answers that it needs (an answer that is not there silences what depends on it). The question is answered on the
program and never too kindly: a formula that names a hidden zone is taken to tell of it, even if it only counts.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final, Protocol, cast

import attrs

from rulelang.diagnostics.codes import NOT_IN_PLACE
from rulelang.failures import Exhausted
from rulelang.ir.expressions import Value
from rulelang.ir.program import Move, Program
from rulelang.play.engine import State
from rulelang.play.event import Answer, Play
from rulelang.play.formulas import Context, evaluate
from rulelang.play.kinds import Layout
from rulelang.play.quiet import hidden_slots, slots_in
from rulelang.play.refusal import Refusal

_ELSEWHERE: Final = "_not_there"
"""How a refusal of an answer that is not among the choices ends, behind the parameter's name."""


class Asked(Protocol):
    """What can be asked why something is not possible, such as a match."""

    def explain(self, answer: Answer) -> tuple[Refusal, ...]: ...


@attrs.frozen
class Heard:
    """What may be told to all."""

    reasons: tuple[Refusal, ...]
    whole: bool
    """Whether there can be no other reasons; if not, nothing is said about whether there are any."""


class Hearing:
    """What everybody may hear in one game."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._hidden = hidden_slots(program)
        self._layout = Layout.of(program)
        self._open = [self._known_of(move) for move in program.moves]

    def _known_of(self, move: Move) -> tuple[int, frozenset[int]]:
        """How many answers have choices that everybody knows, from the first on; and the requirements told to all."""
        parameters = next(
            (place for place, each in enumerate(move.parameters) if self._tells(each.domain)), len(move.parameters)
        )
        requirements = (
            number
            for number, each in enumerate(move.requirements)
            if each.prefix <= parameters and not self._tells((each.condition, each.words))
        )
        return parameters, frozenset(requirements)

    def _tells(self, part: object) -> bool:
        """Whether a formula may tell of something that not everybody sees."""
        return bool(slots_in(self._program, part) & self._hidden)

    def why(self, match: Asked, answer: Answer) -> Heard:
        """The reasons against an answer that everybody may hear. Raises Exhausted."""
        reasons = match.explain(answer)
        if not isinstance(answer, Play) or not 0 <= answer.move < len(self._program.moves):
            return Heard(reasons, True)
        move, (parameters, requirements) = self._program.moves[answer.move], self._open[answer.move]
        whole = parameters == len(move.parameters) and len(requirements) == len(move.requirements)
        heard = partial(self._is_heard, move, parameters, requirements)
        return Heard(tuple(filter(heard, reasons)), whole)

    def _is_heard(self, move: Move, parameters: int, requirements: frozenset[int], reason: Refusal) -> bool:
        if reason.number == NOT_IN_PLACE.number:
            names = [f"{each.name}{_ELSEWHERE}" for each in move.parameters]
            return reason.code in names[:parameters]
        if reason.number is not None:  # whose turn it is, and what is no value at all
            return True
        same = (number for number, each in enumerate(move.requirements) if each.name == reason.code)
        return requirements.issuperset(same)

    def cannot(self, cells: Sequence[Value], seat: int, move: int) -> bool:
        """Whether everybody knows that a seat cannot make this move now, whatever it answers.

        ``cells`` are those of a state's position.
        """
        declared, (_, requirements) = self._program.moves[move], self._open[move]
        context = Context(self._program, self._layout, cells, [seat, *[0] * (declared.locals - 1)])
        try:
            return any(
                not evaluate(declared.requirements[number].condition, context)
                for number in requirements
                if declared.requirements[number].prefix == 0
            )
        except Exhausted:  # whoever tries is told
            return False

    def who_may(self, state: State, seats: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """Of some seats that are asked: who may make each offered move, as far as everybody knows.

        A move that none of them may make is left out.
        """
        cells = cast("tuple[Value, ...]", state.position().cells)  # an unseen pile is only ever counted
        found = {
            move: tuple(seat for seat in seats if not self.cannot(cells, seat, move)) for move in state.waiting.moves
        }
        return {move: able for move, able in found.items() if able}
