"""A configured game: what does not change while it is played. Spec 1.6 and 8.6."""

from functools import cached_property
from math import prod

from rulelang.diagnostics.codes import NO_SUCH_MOVE
from rulelang.failures import Refused
from rulelang.ir.cost import Costs
from rulelang.ir.measure import Scope
from rulelang.ir.program import Move, Program
from rulelang.play import kinds
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.folding import most_locals
from rulelang.play.formulas import Context, evaluate
from rulelang.play.kinds import Layout
from rulelang.play.position import Position
from rulelang.play.reasons import engine_refusal, standing
from rulelang.play.watching import Watcher
from rulelang_reference import saving
from rulelang_reference.run import begin
from rulelang_reference.state import State


class Game:
    """A closed program, ready to play."""

    def __init__(self, program: Program, watcher: Watcher | None = None) -> None:
        self.program = program
        self.watcher = watcher
        self.layout = Layout.of(program)
        self.seats = kinds.seat_count(program)
        self.locals = most_locals(program)
        """Enough locals for any formula."""
        costs = Costs(program)
        self.node_costs = tuple(costs.node(number) for number in range(len(program.nodes)))
        self.advice_costs = tuple(costs.measures.preference(each) for each in program.preferences)
        self.attempt_costs = tuple(_attempt_cost(costs, number, move) for number, move in enumerate(program.moves))

    def start(self) -> State:
        """The first waiting state."""
        return begin(self)

    def from_bytes(self, data: bytes) -> State:
        """The state with these bytes. Raises Refused for bytes that are no state of this game."""
        return saving.read(self, data)

    def position(self, position: Position) -> State:
        """The state that play comes to from a position. Raises Refused if it cannot lie like that."""
        from rulelang_reference.positions import lay_out

        return lay_out(self, position)

    # ------------------------------------------------------------------ numbers of answers

    @cached_property
    def _first_numbers(self) -> tuple[int, ...]:
        """The first number of every move, and after them that of passing."""
        firsts = [0]
        for move in self.program.moves:
            firsts.append(firsts[-1] + prod(kinds.size(self.program, parameter.type) for parameter in move.parameters))
        return tuple(firsts)

    @property
    def max_numbers(self) -> int:
        """How many numbers there are, that of passing included."""
        return self._first_numbers[-1] + 1

    def number(self, answer: Answer) -> int:
        """Order of declaration, then mixed radix over the parameters' kinds, the first slowest; pass comes last."""
        if isinstance(answer, Pass):
            return self._first_numbers[-1]
        digits = 0
        for parameter, code in zip(self.program.moves[answer.move].parameters, answer.arguments, strict=True):
            digits = digits * kinds.size(self.program, parameter.type) + code - kinds.least(parameter.type)
        return self._first_numbers[answer.move] + digits

    def answer(self, seat: int, number: int) -> Answer:
        """The answer with this number. Raises Refused if there is none."""
        if not 0 <= number < self.max_numbers:
            raise Refused([engine_refusal("no_such_move", NO_SUCH_MOVE, move=number)])
        if number == self._first_numbers[-1]:
            return Pass(seat)
        move = next(place for place, first in enumerate(self._first_numbers[1:]) if number < first)
        rest = number - self._first_numbers[move]
        codes: list[int] = []
        for parameter in reversed(self.program.moves[move].parameters):
            rest, digit = divmod(rest, kinds.size(self.program, parameter.type))
            codes.append(digit + kinds.least(parameter.type))
        return Play(seat, move, tuple(reversed(codes)))

    # ------------------------------------------------------------------ the author's promises

    def invariants(self, state: State) -> tuple[str, ...]:
        """The names of the author's invariants that do not hold in this state."""
        context = Context(self.program, self.layout, state.cells, [])
        broken: list[str] = []
        for invariant in self.program.invariants:
            context.locals = [0] * invariant.locals
            with standing(invariant.at):
                if not evaluate(invariant.condition, context):
                    broken.append(invariant.name)
        return tuple(broken)


def _attempt_cost(costs: Costs, number: int, move: Move) -> int:
    """What looking at one attempt costs: the domains of the parameters and the requirements. Spec 16.2."""
    scope = Scope(("move", number))
    formulas = [parameter.domain for parameter in move.parameters]
    formulas += [requirement.condition for requirement in move.requirements]
    return sum(costs.measures.formula(formula, scope).cost for formula in formulas)
