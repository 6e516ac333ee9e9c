"""Where in the rules a limit was reached: told by the line of printed source that was being carried out.

Nothing is noted while play goes on. When a step is given up, the innermost printed function on the way says which node,
move, requirement or preference it belongs to.
"""

import re
from bisect import bisect
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from rulelang.failures import Exhausted
from rulelang.ir.origin import Source
from rulelang.ir.program import Program
from rulelang.play.reasons import placed

NAME = "<printed rules>"
"""What stands for a file name in printed source."""

PLACED = re.compile(r"(list|domain|requirement|preference|end|p|q)(\d+)(?:_(\d+))?$")


class Blame:
    """The places of a printed program."""

    def __init__(self, program: Program, marks: list[tuple[int, int]]) -> None:
        self.program = program
        self.marks = {NAME: marks}
        """For each printed source, from which line on it carries out which node."""

    @contextmanager
    def watching(self, at: Source | None = None) -> Iterator[None]:
        """If a limit is reached in here, the failure gets its place in the rules: that of the source, else this one."""
        try:
            yield
        except Exhausted as failure:
            self.place(failure, at)
            raise

    def place(self, failure: Exhausted, at: Source | None = None) -> None:
        """Give a failure its place, unless it has one."""
        found = self._innermost(failure.__traceback__)
        placed(failure, at if found is None else found)

    def _innermost(self, trace: TracebackType | None) -> Source | None:
        found: Source | None = None
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename in self.marks:
                found = self._place_of(code.co_filename, code.co_name, trace.tb_lineno) or found
            trace = trace.tb_next
        return found

    def _place_of(self, file: str, name: str, line: int) -> Source | None:
        match = PLACED.match(name)
        if match is None:
            return None
        kind, number, part = match[1], int(match[2]), match[3]
        program = self.program
        if kind in ("list", "domain"):
            return program.moves[number].at
        if kind == "requirement":
            return program.moves[number].requirements[int(part)].at
        if kind == "preference":
            return program.preferences[number].at
        if kind == "end":
            return program.nodes[int(part)].at
        marks = self.marks[file]
        place = bisect(marks, (line, len(program.nodes))) - 1
        return program.nodes[marks[place][1]].at if place >= 0 else None
