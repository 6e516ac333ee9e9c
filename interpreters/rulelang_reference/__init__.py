"""The reference interpreter: it walks the IR and is written to be read beside the specification.

``engine`` is what the entry point names. Chapters: ``game`` (configuration, numbers of moves), ``state`` (values),
``run`` (from one wait to the next), ``effects``, ``moves`` and ``attempts``, ``chance``, ``sight``, ``endings``,
``saving`` (canonical bytes).
"""

from collections.abc import Mapping

from rulelang.ir.program import Program
from rulelang.play.closing import close
from rulelang_reference.game import Game


class Engine:
    """The reference interpreter as an engine of the protocol."""

    name = "reference"

    def configure(self, program: Program, seats: int, options: Mapping[str, int | str | bool]) -> Game:
        """Close a program. Raises Refused for a seat count, option or value that the rules do not allow."""
        return Game(close(program, seats, options))


engine = Engine()
