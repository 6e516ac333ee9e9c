"""A step under way: a copy of a state that changes until it waits again. Nothing outside ever sees it half done."""

from typing import TYPE_CHECKING, cast

from rulelang import limits
from rulelang.diagnostics.codes import COST_EXHAUSTED, STACK_EXHAUSTED
from rulelang.ir.expressions import Value
from rulelang.play.formulas import Context
from rulelang.play.outcome import GameOutcome
from rulelang.play.reasons import exhausted
from rulelang_reference.state import Done, Frame, State

if TYPE_CHECKING:
    from rulelang_reference.game import Game


class OpenFrame:
    """A frame that may still change."""

    __slots__ = ("locals", "node", "procedure")

    def __init__(self, procedure: int, node: int, locals: list[Value]) -> None:
        self.procedure = procedure
        self.node = node
        self.locals = locals


class Run:
    """The table, the pools and the stack while a step is carried out, and what it has cost so far."""

    def __init__(
        self,
        game: "Game",
        cells: list[Value],
        pools: list[tuple[int, ...]],
        frames: list[OpenFrame],
        most: int = limits.EVENT_COST,
    ) -> None:
        self.game = game
        self.program = game.program
        self.cells = cells
        self.pools = pools
        self.frames = frames
        self.frame = frames[-1]
        self.context = Context(game.program, game.layout, cells, self.frame.locals)
        self.cost = 0
        self.most = most
        self.asked: tuple[int, ...] = ()
        self.outcome: GameOutcome | None = None
        self.done: list[Done] = []

    @staticmethod
    def of(state: State) -> "Run":
        """A step that begins with this state."""
        frames = [OpenFrame(procedure, node, list(locals)) for procedure, node, locals in state.frames]
        return Run(state.game, list(state.cells), list(state.pools), frames)

    def pieces(self, cell: int) -> tuple[int, ...]:
        """What lies in a zone's cell, bottom to top, or sorted."""
        return cast(tuple[int, ...], self.cells[cell])

    def spend(self) -> None:
        """Spend what the frame's node costs, before it is carried out."""
        self.spend_units(self.game.node_costs[self.frame.node])

    def spend_units(self, units: int) -> None:
        """Spend cost units; beyond the limit of one step it is given up."""
        self.cost += units
        if self.cost > self.most:
            raise exhausted(COST_EXHAUSTED, limit=self.most)

    def open(self, procedure: int, arguments: tuple[Value, ...]) -> None:
        """Open a frame for a procedure; its first locals are the arguments, the others 0."""
        if len(self.frames) >= limits.WINDOW_DEPTH:
            raise exhausted(STACK_EXHAUSTED, limit=limits.WINDOW_DEPTH)
        declared = self.program.procedures[procedure]
        locals = [*arguments, *[0] * (len(declared.locals) - len(arguments))]
        self.frames.append(OpenFrame(procedure, declared.entry, locals))
        self.look_at_top()

    def look_at_top(self) -> None:
        """The top frame runs now."""
        self.frame = self.frames[-1]
        self.context.locals = self.frame.locals

    def close(self) -> State:
        """The state at which the step has come to wait, or to the end."""
        while self.pools and not self.pools[-1]:
            self.pools.pop()
        frames = tuple([Frame(frame.procedure, frame.node, tuple(frame.locals)) for frame in self.frames])
        state = State(self.game, tuple(self.cells), tuple(self.pools), frames, self.asked, self.outcome)
        state.done = tuple(self.done)
        state.cost = self.cost
        _ = state.waiting  # words that cannot be said stop the step, not the state
        return state
