"""What was compiled before: machine code, and tables worked out by it, in a private folder of the user.

An entry's key is everything that it depends on, written out; its file is named by a hash of the key and begins with the
key itself. A file is written under another name beside it and then renamed, so that it is there whole or not at all.
Before anything of it is used, all of it is verified: what it is, its key, its length and a SHA-256 over everything.
What does not fit is as good as not there, and is written anew; nothing here ever stops a game.

The hash tells damage, not malice: what lies here is run. So the folder is made for its owner alone, and on POSIX a
folder or file that belongs to somebody else, or that others could write, is not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import struct
import sys
import tempfile
from pathlib import Path
from typing import Final

MAGIC: Final = b"rulelang machine code\n"
FORMAT: Final = 1
HEAD: Final = struct.Struct("<22sIIQ")
"""What it is, its format, and the lengths of key and content. Behind it: a hash of this and all that follows, the key,
the content."""
HASH: Final = 32

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of an entry; what is larger is not kept."""
MOST, MANY = 256 * 1024 * 1024, 2000
"""Bytes of all entries, and how many there are at most; the ones written longest ago go first."""

ENDING, PART = ".object", ".object-part"


def folder(*, make: bool = False) -> Path | None:
    """The folder of the user's entries; None if there is none, if it is not private, or if none is wanted."""
    try:
        path = _home()
        if path is None:
            return None
        if make:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.lstat()
    except (OSError, RuntimeError, ValueError):  # no home, no room, no right, no such name
        return None
    return path if stat.S_ISDIR(status.st_mode) and _is_own(status) else None


def _home() -> Path | None:
    given = os.environ.get("RULELANG_CACHE")
    if given is not None:
        return None if given in ("", "off") else Path(given)
    given = os.environ.get("XDG_CACHE_HOME")
    if given and os.path.isabs(given):
        return Path(given) / "rulelang"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "rulelang"
    if os.name == "nt" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"]) / "rulelang"
    return Path.home() / ".cache" / "rulelang"


def _is_own(status: os.stat_result) -> bool:
    """Whether nobody else can have written it."""
    return os.name == "nt" or (status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def key_of(*parts: str) -> bytes:
    """A key of everything that an entry depends on: no two lists of parts have the same."""
    return b"".join(b"%d:%b\n" % (len(each), each) for each in (part.encode("utf-8") for part in parts))


def name_of(key: bytes) -> str:
    """The name of a key's file."""
    return hashlib.sha256(key).hexdigest() + ENDING


def read(key: bytes) -> bytes | None:
    """The content of an entry, or None."""
    home = folder()
    if home is None:
        return None
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with open(os.open(home / name_of(key), flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or not _is_own(status) or status.st_size > LARGEST:
                return None
            whole = file.read(LARGEST + 1)
    except (OSError, ValueError):
        return None
    return _content(whole, key)


def _content(whole: bytes, key: bytes) -> bytes | None:
    """What stands in a file, if it is whole and is the entry of this key."""
    at = HEAD.size + HASH
    if len(whole) < at:
        return None
    magic, form, keys, length = HEAD.unpack_from(whole)
    if (magic, form, keys, len(whole)) != (MAGIC, FORMAT, len(key), at + keys + length):
        return None
    content = whole[at + keys :]
    return content if whole == _written(key, content) else None


def _written(key: bytes, content: bytes) -> bytes:
    head = HEAD.pack(MAGIC, FORMAT, len(key), len(content))
    digest = hashlib.sha256(head)
    digest.update(key)
    digest.update(content)
    return b"".join((head, digest.digest(), key, content))


def keep(key: bytes, content: bytes) -> None:
    """Keep an entry; silently do not if that is impossible."""
    whole = _written(key, content)
    home = folder(make=True) if len(whole) <= LARGEST else None
    if home is None:
        return
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(dir=home, prefix=".", suffix=PART)
        with open(handle, "wb") as file:
            file.write(whole)
        os.replace(temporary, home / name_of(key))
        temporary = None
        _prune(home)
    except OSError:  # no room, no right
        pass
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _prune(home: Path) -> None:
    """Leave no more than there may be; what interrupted processes left behind counts, and goes, like the rest."""
    found: list[tuple[int, str, int]] = []
    with os.scandir(home) as entries:
        for entry in entries:
            if entry.name.endswith((ENDING, PART)):
                status = entry.stat(follow_symlinks=False)
                found.append((status.st_mtime_ns, entry.name, status.st_size))
    total, count = sum(size for _, _, size in found), len(found)
    for _, name, size in sorted(found):
        if total <= MOST and count <= MANY:
            return
        with contextlib.suppress(OSError):
            os.unlink(home / name)
        total, count = total - size, count - 1
