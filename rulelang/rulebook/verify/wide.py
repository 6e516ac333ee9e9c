"""Chance that can give very much: all of it is gone through in a time that grows as it does, and no faster.

An interpreter looks an outcome up among all of them, and counts how often each is there. Both is right for one outcome
and too much for tens of thousands, one after the other.
"""

from typing import Final

import attrs

from rulelang.ir.nodes import AnyOf, Chance
from rulelang.play.engine import State
from rulelang.play.position import Position

MANY: Final = 256
"""Outcomes of which each is laid out as the position behind it, and not looked up."""


class _Place:
    """A draw that is told what it gives, and remembers from how many."""

    def __init__(self) -> None:
        self.place = 0
        self.bound = 0

    def below(self, bound: int) -> int:
        """The place that is wanted."""
        self.bound = bound
        return self.place


def outcomes(state: State) -> tuple[int, ...]:
    """What chance can give, each once, in the order of codes."""
    draw = _Place()
    found = {state.sample(draw)}
    for place in range(1, draw.bound):
        draw.place = place
        found.add(state.sample(draw))
    return tuple(sorted(found))


@attrs.frozen
class Wide:
    """A position from which chance leads on in very many ways."""

    state: State
    _position: Position
    _node: Chance

    @classmethod
    def of(cls, state: State) -> "Wide | None":
        """A position as one of those, if what chance gives is only remembered there."""
        node = state.game.program.nodes[state.waiting.node]
        if not isinstance(node, Chance) or not isinstance(node.distribution, AnyOf):
            return None
        return cls(state, state.position(), node)

    def after(self, value: int) -> State:
        """The position behind an outcome. Raises Exhausted."""
        *below, top = self._position.frames
        held = list(top.locals)
        held[self._node.result.number] = value
        frames = (*below, attrs.evolve(top, node=self._node.next, locals=tuple(held)))
        return self.state.game.position(attrs.evolve(self._position, frames=frames))
