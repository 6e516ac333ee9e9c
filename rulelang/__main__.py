"""``python -m rulelang`` is ``rulelang``."""

from rulelang.tools.entry import main

if __name__ == "__main__":
    main()
