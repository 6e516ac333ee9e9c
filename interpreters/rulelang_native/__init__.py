"""The native interpreter: the IR becomes a flat program, that becomes Python source, and the source is played.

``engine`` is what the entry point names. The way is that of the folders: ``lowering`` (closed program to flat program),
``flat`` (the flat form itself), ``layout`` (where everything lies), ``printing`` (flat program to source), ``runtime``
(what printed programs call). ``game`` and ``state`` answer the engine protocol, to the bit like every interpreter.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rulelang.ir.program import Program

if TYPE_CHECKING:
    from rulelang_native.game import Game


class Engine:
    """The native interpreter as an engine of the protocol."""

    name = "native"

    def configure(self, program: Program, seats: int, options: Mapping[str, int | str | bool]) -> "Game":
        """Close a program, print and compile it. Raises Refused for a seat count, option or value that the rules do
        not allow, Exhausted if it has no flat form (the message names the rule).
        """
        from rulelang.play.closing import close
        from rulelang_native.game import Game
        from rulelang_native.lowering.failing import NotLowered

        closed = close(program, seats, options)
        try:
            return Game(closed)
        except NotLowered as failure:
            raise failure.said() from None


engine = Engine()
