"""Files that commands write: whole, or not at all. Findings that they keep: under names that nothing has."""

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulelang.diagnostics.codes import FILE_NOT_WRITTEN
from rulelang.diagnostics.diagnostic import diagnose
from rulelang.failures import Diagnosed

if TYPE_CHECKING:
    from rulelang.ir.program import Program
    from rulelang.play.record import Record


def write_whole(path: Path, text: str) -> None:
    """Write a file in one piece: it is there whole, or as it was before. Raises Diagnosed.

    A link is followed. A file that is there keeps its rights; a new one has those that new files have.
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


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet; whatever has its name is left as it is. Raises Diagnosed."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except (OSError, ValueError) as failure:
        raise not_written(path, failure) from None
    try:
        write_whole(path, text)
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise


def made_folder(path: Path) -> Path:
    """A folder, made if it is not there. Raises Diagnosed.

    Asked for before long work, so that nothing is lost: whether files can be written there is tried.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        handle, tried = tempfile.mkstemp(dir=path, prefix=".")
        os.close(handle)
        os.unlink(tried)
    except (OSError, ValueError) as failure:
        raise not_written(path, failure) from None
    return path


# ------------------------------------------------------------------ findings


Texts = Mapping[str, Callable[[Path], str | None]]
"""By the endings of files what makes their texts, given where they are to lie; None if there is nothing to write."""


@attrs.define
class Saving:
    """A folder in which findings are kept. Nothing that lies there is written over."""

    folder: Path
    files: dict[int, dict[str, str]] = attrs.field(factory=dict)
    """The files of each finding by its number and their endings."""
    failure: Diagnosed | None = None
    """Why something was not kept. It is to be raised when everything has been told, so that no finding is lost."""

    def keep(self, names: Iterable[str], texts: Texts) -> dict[str, str]:
        """Write files that bear one name and have these endings, the first name that is free for all of them.

        What was written is given by the endings.
        """
        written: dict[str, str] = {}
        if self.failure is not None:
            return written
        try:
            taken = {entry.lower() for entry in os.listdir(self.folder)}
            name = next(each for each in names if not _is_taken(each.lower(), taken))
            for ending, made in texts.items():
                path = self.folder / f"{name}{ending}"
                text = made(path)
                if text is not None:
                    write_new(path, text)
                    written[ending] = str(path)
        except OSError as failure:
            self.failure = not_written(self.folder, failure)
        except Diagnosed as failure:
            self.failure = failure
        return written

    def check(self) -> None:
        """Say why something could not be kept, if so. Raises Diagnosed."""
        if self.failure is not None:
            raise self.failure


def numbered(number: int, kind: str, digits: int = 1) -> Iterator[str]:
    """Names that begin with a number, that number and the following: ``01-dead-end``, ``02-dead-end``."""
    for each in count(number):
        yield f"{each:0{digits}}-{kind}"


def again(name: str) -> Iterator[str]:
    """Names that begin with a name: ``change-31``, ``change-31-2``, ``change-31-3``."""
    yield name
    for each in count(2):
        yield f"{name}-{each}"


def record_text(program: "Program", record: "Record") -> str:
    """A record as the text of a file."""
    from rulelang.play.record import record_lines

    return "".join(record_lines(program, record))


def _is_taken(name: str, taken: Iterable[str]) -> bool:
    """Whether something has a name, with whatever ending, or begins with the same number."""
    number, dash, _ = name.partition("-")
    begin = f"{number}{dash}" if number.isdecimal() else f"{name}."
    return any(each.startswith(begin) or each == name for each in taken)


def _usual_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def not_written(path: Path, failure: Exception) -> Diagnosed:
    """The failure to raise for a file that cannot be written."""
    reason = (getattr(failure, "strerror", None) or "its name cannot be one").lower()
    return Diagnosed([diagnose(FILE_NOT_WRITTEN, file=str(path), reason=reason)])
