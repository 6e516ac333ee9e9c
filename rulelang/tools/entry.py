"""The way into the command line: what is not loaded yet may be interrupted, too. It ends as any interrupted command.

Ctrl-C ends the process at once, without a word, from the moment at which this module is loaded until the command
begins, and again when it is over. In between it is a KeyboardInterrupt, which every command ends with in its own way.
"""

import os
import signal
import sys

INTERRUPTED = 130


def _at_once(number: int, frame: object) -> None:
    os._exit(INTERRUPTED)


def _exchange(now: object, by: "signal._HANDLER") -> None:
    """Let Ctrl-C do something else, unless somebody has had it do a third thing, such as nothing."""
    if signal.getsignal(signal.SIGINT) is now:
        signal.signal(signal.SIGINT, by)


def main() -> None:
    """Load the command line and run it."""
    try:
        from rulelang.tools.main import main as verbs

        _exchange(_at_once, signal.default_int_handler)
        verbs()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        _exchange(signal.default_int_handler, _at_once)


_exchange(signal.default_int_handler, _at_once)
