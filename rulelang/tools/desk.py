"""The one place where wall-clock time comes in: a clock that runs, and a keyboard that is waited for. Spec 11.3.

Everything else works with table time, in whole milliseconds since the game began, and is told it by a `Desk`.
"""

import os
import select
import sys
import time
from collections.abc import Callable
from typing import Final, Protocol

LONGEST_INPUT: Final = 2000
"""Characters of a typed line that count; the rest is cut off."""

REFRESH: Final = 1.0
"""Seconds after which a waiting terminal is told anew what time it is."""


LONGEST_SLEEP: Final = 3600.0
"""Seconds after which it is asked anew what time it is; systems do not sleep for any length."""


class Desk(Protocol):
    """A clock and a keyboard."""

    @property
    def runs(self) -> bool:
        """Whether time goes on by itself; if not, whoever types nothing but Enter lets it go on."""

    def now(self) -> int:
        """Table time in milliseconds."""

    def line(self, until: int | None, refresh: Callable[[], None]) -> str | None:
        """The next typed line, waited for until this table time (None: for ever); None if nothing was typed by then.

        ``refresh`` is called now and then while it waits on a terminal. Raises EOFError at the end of the input.
        """

    def pause(self, until: int) -> None:
        """Wait until this table time, without looking at the keyboard."""


class RunningDesk:
    """Real time, ``pace`` times as fast, from the keyboard of this process."""

    runs = True

    def __init__(self, start: int, pace: float) -> None:
        """``start`` is table time now, in milliseconds."""
        self._start = start
        self._pace = pace
        self._began = time.monotonic()
        self._typed = b""
        self._ended = False

    def now(self) -> int:
        """Table time in milliseconds."""
        return self._start + int((time.monotonic() - self._began) * 1000 * self._pace)

    def line(self, until: int | None, refresh: Callable[[], None]) -> str | None:
        """The next typed line."""
        while True:
            found = self._typed_line()
            if found is not None:
                return found
            seconds = None if until is None else (until - self.now()) / 1000 / self._pace
            if seconds is not None and seconds <= 0:
                return None
            shows = sys.stdout.isatty()
            wait = min(each for each in (seconds, REFRESH if shows else None, LONGEST_SLEEP) if each is not None)
            ready, _, _ = select.select([sys.stdin.fileno()], [], [], wait)
            if ready:
                self._read()
            elif shows:
                refresh()

    def pause(self, until: int) -> None:
        """Wait until this table time."""
        while (seconds := (until - self.now()) / 1000 / self._pace) > 0:
            time.sleep(min(seconds, LONGEST_SLEEP))

    def _read(self) -> None:
        more = os.read(sys.stdin.fileno(), 65_536)
        self._ended = not more
        self._typed += more

    def _typed_line(self) -> str | None:
        """The first line of what was typed. Raises EOFError if there is none and nothing more comes."""
        line, found, rest = self._typed.partition(b"\n")
        if found:
            self._typed = rest
        elif self._ended and line:
            self._typed = b""
        elif self._ended:
            raise EOFError
        else:
            self._typed = self._typed[: LONGEST_INPUT * 8]  # a line without an end takes no more than this
            return None
        return line.decode("utf-8", "replace")[:LONGEST_INPUT].strip()


class SteppingDesk:
    """Simulated time: it stands still while people think, and goes on to the next thing when Enter alone is typed."""

    runs = False

    def __init__(self, start: int) -> None:
        self._now = start

    def now(self) -> int:
        """Table time in milliseconds."""
        return self._now

    def line(self, until: int | None, refresh: Callable[[], None]) -> str | None:
        """The next typed line; nothing but Enter lets time go on."""
        line = sys.stdin.readline(LONGEST_INPUT)
        if not line:
            raise EOFError
        rest = line
        while rest and not rest.endswith("\n"):  # what is longer is read and does not count
            rest = sys.stdin.readline(LONGEST_INPUT)
        if line.strip() or until is None:
            return line.strip()
        self._now = max(self._now, until)
        return None

    def pause(self, until: int) -> None:
        """It is this time now."""
        self._now = max(self._now, until)


def desk_for(pace: float, start: int) -> Desk:
    """The desk of a pace: 0 is simulated time, N runs N times as fast as the clock on the wall."""
    return RunningDesk(start, pace) if pace > 0 else SteppingDesk(start)
