"""``python -m rulelang`` is ``rulelang``."""

from rulelang.tools.main import main

if __name__ == "__main__":
    main()
