"""The way into the command line: what is not loaded yet may be interrupted, too. It ends as any interrupted command."""

import sys


def main() -> None:
    """Load the command line and run it."""
    try:
        from rulelang.tools.main import main as verbs

        verbs()
    except KeyboardInterrupt:
        sys.exit(130)
