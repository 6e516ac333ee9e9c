"""The reference interpreter: it walks the IR and is written to be read beside the specification.

``engine`` is what the entry point names. Chapters: ``game`` (configuration, numbers of moves), ``state`` (values),
``run`` (from one wait to the next), ``effects``, ``moves`` and ``attempts``, ``chance``, ``sight``, ``endings``,
``saving`` (canonical bytes).
"""

from collections.abc import Mapping

from rulelang.ir.program import Program
from rulelang.play.closing import close
from rulelang.play.watching import PathWatcher, Watcher
from rulelang_reference.game import Game


class Engine:
    """The reference interpreter as an engine of the protocol."""

    name = "reference"

    def __init__(self, watcher: Watcher | None = None) -> None:
        self._watcher = watcher

    def configure(self, program: Program, seats: int, options: Mapping[str, int | str | bool]) -> Game:
        """Close a program. Raises Refused for a seat count, option or value that the rules do not allow."""
        game = Game(close(program, seats, options), self._watcher)
        if self._watcher is not None:
            self._watcher.configured(program, seats, options, game.program)
        return game

    def watched_by(self, watcher: Watcher) -> "Engine":
        """The same interpreter, which tells the watcher what it does."""
        return Engine(watcher)

    def noting(self, path: list[int]) -> "Engine":
        """The same interpreter, which appends every node that it comes to."""
        return Engine(PathWatcher(path))


engine = Engine()
