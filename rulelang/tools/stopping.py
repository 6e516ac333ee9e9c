"""Ctrl-C in long work whose findings are shown all the same: it stops the work at a good moment, and nothing else.

Signals come in pairs: somebody presses twice, or a shell and its wrapper both send one. What comes within a moment of
the first belongs to it. Only a later one ends the command where it is.
"""

import signal
import threading
import time
from types import FrameType, TracebackType
from typing import Any, Final, Self

PATIENCE: Final = 3.0
"""Seconds in which a further signal says nothing new."""


class Stopping:
    """Use it in a ``with`` around the work and all that is said of it; ``look`` where the work can be stopped."""

    def __init__(self) -> None:
        self._before: Any = None
        self._first: float | None = None
        self._told = False

    def look(self) -> None:
        """Raises KeyboardInterrupt, once, if somebody wants the work to stop."""
        if self._first is not None and not self._told:
            self._told = True
            raise KeyboardInterrupt

    def _wanted(self, number: int, frame: FrameType | None) -> None:
        if self._first is None:
            self._first = time.monotonic()
        elif time.monotonic() - self._first > PATIENCE:
            self._told = True
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            found = signal.getsignal(signal.SIGINT)
            if found is signal.default_int_handler:  # else somebody has had it do something else, such as nothing
                self._before = found
                signal.signal(signal.SIGINT, self._wanted)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
