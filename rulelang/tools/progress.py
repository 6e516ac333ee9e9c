"""How far a long command is, on one line of stderr; silent unless somebody watches."""

import sys
import time
from types import TracebackType
from typing import Self


class Progress:
    """A line that is written over, a few times a second. Use it in a ``with``: at the end, the line is gone."""

    def __init__(self, wanted: bool | None, unit: str, total: int | None = None) -> None:
        self._on = sys.stderr.isatty() if wanted is None else wanted
        self._unit = unit
        self._total = total
        self._last = 0.0
        self._wide = 0

    def at(self, count: int, also: str = "") -> None:
        """So much is done; ``also`` is told behind it."""
        now = time.monotonic()
        if not self._on or now - self._last < 0.2:
            return
        self._last = now
        line = f"{count} {self._unit}"
        if self._total:
            done = 30 * min(count, self._total) // self._total
            line = f"[{'#' * done}{'.' * (30 - done)}] {count}/{self._total} {self._unit}"
        self._write(f"{line}, {also}" if also else line)

    def _write(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._wide))
        sys.stderr.flush()
        self._wide = len(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._on and self._wide:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()
