"""`python -m rulelang.grammar.build`: write the parser tables beside the grammar, to be shipped with it.

The same grammar, Lark and Python give the same bytes: Lark numbers its states in the order of sets, so the work is done
in a process whose hash seed is fixed.
"""

import io
import os
import subprocess
import sys

from rulelang.grammar import tables


def contents() -> bytes:
    """Return what the file of tables holds when it is current."""
    saved = io.BytesIO()
    tables.build().save(saved)
    return tables.header() + saved.getvalue()


def main() -> int:
    """Write the tables; the work itself is done under hash seed 0."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        command = [sys.executable, "-m", "rulelang.grammar.build"]
        return subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "0"}, check=False).returncode
    tables.TABLES.write_bytes(contents())
    return 0


if __name__ == "__main__":
    sys.exit(main())
