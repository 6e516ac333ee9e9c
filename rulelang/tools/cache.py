"""What was compiled before: programs as IR JSON in a private folder of the user.

An entry's name is a hash of everything that it depends on: the rules text and the name under which it is shown, every
data file and every other rules file beside it, and the code and the libraries of rulelang (so that a changed checker
forgets what the old one said). An entry is a line with the hash of the rest, then the program. Whatever is damaged, or
not private, is as good as not there; nothing here ever stops a command.
"""

import contextlib
import hashlib
import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rulelang import __version__, limits
from rulelang.source import Source

if TYPE_CHECKING:
    from rulelang.ir.program import Program

FORMAT: Final = "rulelang cache 1"
KEPT: Final = 256
"""Entries that stay; the ones written longest ago go first."""

PACKAGE: Final = Path(__file__).resolve().parent.parent

PARTS: Final = ("", "grammar", "ast", "checker", "compiler", "diagnostics", "ir", "library")
"""The parts of rulelang that have a say in what a program becomes, with all that lies in their folders."""


def folder() -> Path | None:
    """The user's cache folder for rulelang, made if need be; None if there is no private one."""
    try:
        path = _home() / "rulelang"
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.lstat()
        private = stat.S_ISDIR(status.st_mode) and (os.name == "nt" or _is_private(status))
        return path if private else None
    except (OSError, RuntimeError, ValueError):  # no home, no room, no right, no such name
        return None


def _home() -> Path:
    given = os.environ.get("XDG_CACHE_HOME")
    if given and os.path.isabs(given):
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if os.name == "nt" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"])
    return Path.home() / ".cache"


def _is_private(status: os.stat_result) -> bool:
    return status.st_uid == os.getuid() and not status.st_mode & 0o077


def key_of(source: Source, path: Path, profile: str | None = None) -> str | None:
    """The name of a file's entry; None if what it depends on cannot be read."""
    digest = hashlib.sha256()
    try:
        for part in (
            FORMAT,
            __version__,
            *_code(),
            path.stem,
            source.name,
            source.text,
            *((profile,) if profile else ()),
        ):
            digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
        home = path.resolve().parent
        if _reads_elsewhere(source.text):
            return None
        for beside in sorted(each for ending in ("*.toml", "*.rules") for each in home.glob(ending)):
            if not beside.is_file():  # a pipe would never end; what is no file is refused when it is read
                continue
            content = beside.read_bytes() if beside.stat().st_size <= limits.DATA_BYTES else None
            if content is None:
                return None
            digest.update(beside.name.encode("utf-8", "surrogatepass") + b"\0" + hashlib.sha256(content).digest())
    except OSError:
        return None
    return digest.hexdigest()


def _reads_elsewhere(text: str) -> bool:
    """Whether a cover names files that are not looked at here: in folders further down, or with other endings."""
    covers = re.findall(r"^\s+(?:uses|data)\s*:(.*)$", text, re.MULTILINE)
    named = [name for cover in covers for name in re.findall(r'"([^"]*)"', cover)]
    return any(not re.fullmatch(r"[^/\\]+\.(?:rules|toml)", name) for name in named)


def _code() -> Iterator[str]:
    """Size and time of every file of rulelang that has a say in what a program becomes."""
    for part in PARTS:
        for folder, inside, files in os.walk(PACKAGE / part):
            inside[:] = sorted(
                each for each in inside if part and each != "__pycache__"
            )  # "": only what lies right there
            for name in sorted(files):
                if name.endswith((".py", ".lark", ".tables", ".rules")):
                    status = os.stat(os.path.join(folder, name))
                    yield f"{os.path.relpath(folder, PACKAGE)}/{name} {status.st_size} {status.st_mtime_ns}"


def read(key: str) -> str | None:
    """The program of an entry as IR JSON, or None."""
    home = folder()
    if home is None:
        return None
    try:
        path = home / f"{key}.json"
        if path.stat().st_size > limits.IR_BYTES + 200:
            return None
        head, _, body = path.read_text(encoding="utf-8").partition("\n")
    except (OSError, ValueError):
        return None
    return body if head == _head(body) else None


def keep(key: str, program: "Program") -> None:
    """Keep a program; silently do not if that is impossible."""
    from rulelang.ir.codec import dumps
    from rulelang.ir.faults import IRFault

    with contextlib.suppress(IRFault):  # too large for a document
        write(key, dumps(program))


def write(key: str, body: str) -> None:
    """Keep a program; silently do not if that is impossible."""
    home = folder()
    if home is None:
        return
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(dir=home, prefix=".", suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(f"{_head(body)}\n{body}")
        os.replace(temporary, home / f"{key}.json")
        temporary = None
        _prune(home)
    except OSError:
        pass
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _head(body: str) -> str:
    return f"{FORMAT} {hashlib.sha256(body.encode('utf-8')).hexdigest()}"


def _prune(home: Path) -> None:
    entries = list(home.glob("*.json"))
    if len(entries) <= KEPT:
        return
    entries.sort(key=lambda path: path.stat().st_mtime)
    for old in entries[: len(entries) - KEPT]:
        old.unlink(missing_ok=True)
