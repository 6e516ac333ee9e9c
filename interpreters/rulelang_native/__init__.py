"""The native interpreter: the IR becomes a flat program, that becomes Python source, and the source is played.

``engine`` is what the entry point names. The way is that of the folders: ``lowering`` (closed program to flat program),
``flat`` (the flat form itself), ``layout`` (where everything lies), ``printing`` (flat program to source), ``runtime``
(what printed programs call). ``game`` and ``state`` answer the engine protocol, to the bit like every interpreter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulelang.ir.program import Program
    from rulelang_native.game import Game


KEPT = 32
"""Configured games that an engine keeps: games never change, and printing one costs as much as playing many."""


class Engine:
    """The native interpreter as an engine of the protocol."""

    name = "native"

    def __init__(self, path: list[int] | None = None) -> None:
        self._path = path
        """Where the nodes that play comes to are noted, if they are."""
        self._games: dict[object, tuple[Program, Game]] = {}
        """The games configured last, each with its open program, which keeps the program's identity its own."""

    def configure(self, program: Program, seats: int, options: Mapping[str, int | str | bool]) -> Game:
        """Close a program, print and compile it. Raises Refused for a seat count, option or value that the rules do
        not allow, Exhausted if it has no flat form (the message names the rule).
        """
        from rulelang.play.closing import close
        from rulelang_native.game import Game
        from rulelang_native.lowering.failing import NotLowered

        key = (id(program), seats, tuple(sorted((name, type(value), value) for name, value in options.items())))
        known = self._games.pop(key, None)
        if known is None:
            closed = close(program, seats, options)
            try:
                known = (program, Game(closed, self._path))
            except NotLowered as failure:
                raise failure.said() from None
        self._games[key] = known
        while len(self._games) > KEPT:
            self._games.pop(next(iter(self._games)))
        return known[1]

    def noting(self, path: list[int]) -> Engine:
        """The same interpreter, which appends every node that it comes to: one more printed line for each."""
        return Engine(path)


engine = Engine()
