"""Files and texts from outside: measured, decoded and made into a `Source`, or diagnosed.

The size is checked before anything is read, and again on what was read, since a file may grow. Then the bytes must be
UTF-8 (a byte order mark is taken off) without NUL, and every end of line becomes a plain newline.
"""

import os
import stat
from pathlib import Path

from rulelang import limits
from rulelang.diagnostics.codes import (
    FILE_IS_FOLDER,
    FILE_MISSING,
    FILE_TOO_LARGE,
    FILE_UNREADABLE,
    NUL_CHARACTER,
    WRONG_ENCODING,
    Code,
)
from rulelang.diagnostics.diagnostic import Diagnostic, filled
from rulelang.failures import Diagnosed
from rulelang.source import Place, Source


def read_source(path: str | os.PathLike[str], *, name: str | None = None, limit: int = limits.SOURCE_BYTES) -> Source:
    """Read a file into a source known to users as `name` (the path as given, unless said otherwise)."""
    shown = str(path) if name is None else name
    return decode_source(shown, _bytes_of(Path(path), shown, limit), limit=limit)


def is_file(path: Path) -> bool:
    """Whether there is a file of this name; a name that no file can have is the name of none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def decode_source(name: str, data: bytes, *, limit: int = limits.SOURCE_BYTES) -> Source:
    """Make a source of bytes that are in hand already."""
    _check_size(name, len(data), limit)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise _diagnosed(WRONG_ENCODING, name, _place_after(name, before), byte=f"0x{data[error.start]:02X}") from None
    return _source(name, text)


def source_from_text(name: str, text: str, *, limit: int = limits.SOURCE_BYTES) -> Source:
    """Make a source of a text that is in hand already, under the same conditions as a file."""
    _check_size(name, len(text), limit)
    return decode_source(name, text.encode("utf-8", "surrogatepass"), limit=limit)


def _source(name: str, text: str) -> Source:
    before, nul, _ = text.partition("\0")
    if nul:
        raise _diagnosed(NUL_CHARACTER, name, _place_after(name, before))
    return Source(name, _plain(text))


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _place_after(name: str, before: str) -> Place:
    """Return the place of the one character that follows a text."""
    text = _plain(before)
    return Source(name, text).place(len(text), len(text) + 1)


def _bytes_of(path: Path, name: str, limit: int) -> bytes:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise _diagnosed(FILE_IS_FOLDER, name)
        if not stat.S_ISREG(status.st_mode):
            raise _diagnosed(FILE_UNREADABLE, name, reason="it is not an ordinary file")
        _check_size(name, status.st_size, limit)
        with path.open("rb") as file:
            return file.read(limit + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise _diagnosed(FILE_MISSING, name) from None
    except OSError as error:
        raise _diagnosed(FILE_UNREADABLE, name, reason=(error.strerror or "unknown reason").lower()) from None
    except ValueError:  # a path that no file can have: it holds NUL or half a character
        raise _diagnosed(FILE_MISSING, name) from None


def _check_size(name: str, size: int, limit: int) -> None:
    if size > limit:
        raise _diagnosed(FILE_TOO_LARGE, name, size=size, limit=limit)


def _diagnosed(code: Code, name: str, place: Place | None = None, **words: object) -> Diagnosed:
    return Diagnosed([Diagnostic(code, filled(code, {"file": name, **words}), place)])
