"""Files that commands write: whole, or not at all."""

import contextlib
import os
import tempfile
from pathlib import Path

from rulelang.diagnostics.codes import FILE_NOT_WRITTEN
from rulelang.diagnostics.diagnostic import diagnose
from rulelang.failures import Diagnosed


def write_whole(path: Path, text: str) -> None:
    """Write a file in one piece: it is there whole, or as it was before. Raises Diagnosed.

    A link is followed, and the file keeps its rights.
    """
    temporary: str | None = None
    try:
        target = path.resolve()
        if target.exists() and not target.is_file() and not target.is_dir():  # a pipe or a device is written as it is
            target.write_text(text, encoding="utf-8")
            return
        mode = target.stat().st_mode & 0o7777 if target.exists() else None
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _usual_mode() if mode is None else mode)
        os.replace(temporary, target)
        temporary = None
    except (OSError, ValueError) as failure:
        raise not_written(path, failure) from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def made_folder(path: Path) -> Path:
    """A folder, made if it is not there. Asked for before long work, so that nothing is lost. Raises Diagnosed."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as failure:
        raise not_written(path, failure) from None
    return path


def _usual_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def not_written(path: Path, failure: Exception) -> Diagnosed:
    """The failure to raise for a file that cannot be written."""
    reason = (getattr(failure, "strerror", None) or "its name cannot be one").lower()
    return Diagnosed([diagnose(FILE_NOT_WRITTEN, file=str(path), reason=reason)])
