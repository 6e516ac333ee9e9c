"""Where things stand in a TOML text: the places that Python's reader of TOML does not tell. Spec 6.4.

One walk over the text, which need not be right: it knows comments, the four sorts of text, headers, dotted names,
lists and inline tables, and nothing about values. Paths are those of the parsed document: names, and numbers for the
rows of an array. It also counts nesting, before the real reader starts: that one is recursive in brackets, and slow in
dotted names.
"""

import re
from bisect import bisect_right
from typing import Final

import attrs

from rulelang import limits
from rulelang.source import Place, Source

Path = tuple[str | int, ...]

KEPT: Final = 3
"""Length of the longest path that is remembered: table, row, cell."""

_TOKEN: Final = re.compile(
    r"""(?P<blank>[ \t]+|\#[^\n]*)
    |(?P<text>\"{3}(?:[^"\\]|\\[\s\S]|"(?!""))*+\"{3,5}|'{3}(?:[^']|'(?!''))*+'{3,5}
        |"(?:[^"\\\n]|\\.)*+"|'[^'\n]*')
    |(?P<mark>[\[\]{}=,.\n])
    |(?P<bare>[^\s\#"'\[\]{}=,.]+)
    |(?P<other>.)""",
    re.VERBOSE,
)
_PLAIN: Final = re.compile(r"""[^"'#\[\]{}\n]+""")
"""What may be passed over inside a value, as far as places are concerned."""


class TooDeep(Exception):
    """Brackets and dotted names go deeper than the limit allows."""

    def __init__(self, place: Place) -> None:
        self.place = place
        super().__init__(place)


@attrs.frozen
class TomlPlaces:
    """Where each table, row and cell of a TOML text stands, by its path."""

    source: Source
    _spans: dict[Path, tuple[int, int]]
    _lines: list[int]
    """Where each line begins."""

    def find(self, *path: str | int) -> Place | None:
        """The name or header of what has this path, or of the nearest thing around it."""
        while path:
            if path in self._spans:
                return self.span(*self._spans[path])
            path = path[:-1]
        return None

    def span(self, start: int, end: int) -> Place:
        """The place of some characters of the text."""
        return _place(self.source.name, self._lines, start, end)


def find_places(source: Source) -> TomlPlaces:
    """Walk over a text. Raises TooDeep."""
    walk = _Walk(source)
    walk.run()
    return TomlPlaces(source, walk.spans, walk.lines)


def _place(file: str, lines: list[int], start: int, end: int) -> Place:
    first, last = bisect_right(lines, start), bisect_right(lines, end)
    return Place(file, first, start - lines[first - 1] + 1, last, end - lines[last - 1] + 1)


@attrs.define
class _Open:
    """A list or inline table that is not closed yet."""

    path: Path
    items: int
    """Number of the current item of a list; -1 in an inline table."""


class _Walk:
    """One run over one text."""

    def __init__(self, source: Source) -> None:
        self.text = source.text
        self.name = source.name
        self.lines = [0, *(found.end() for found in re.finditer("\n", source.text))]
        self.spans: dict[Path, tuple[int, int]] = {}
        self.rows: dict[Path, int] = {}
        """How many rows an array has so far, by its path."""
        self.header: Path = ()
        self.open: list[_Open] = []
        self.at = 0
        self.restart()

    def restart(self) -> None:
        """Expect a name, of a line or inside braces."""
        self.names: list[str] = []
        self.begin = self.end = self.at
        self.naming = True
        """Whether a name is read, not a value."""
        self.value: Path = ()

    def run(self) -> None:
        while self.at < len(self.text):
            if not self.naming:
                self.pass_over()
            if self.at == len(self.text):
                return
            found = self.token()
            start, self.at = found.span()
            if found.lastgroup == "other" and found[0] in "\"'":
                return  # a text without an end: the real reader says so
            if found.lastgroup == "mark":
                self.mark(found[0], start)
            elif self.naming and found.lastgroup in ("bare", "text"):
                self.named(found[0].strip("\"'"), start)

    def token(self) -> re.Match[str]:
        """What stands here; there is always something."""
        found = _TOKEN.match(self.text, self.at)
        assert found is not None
        return found

    def pass_over(self) -> None:
        """Go past plain values, counting the items of a list."""
        if self.open and self.open[-1].items < 0:
            return
        found = _PLAIN.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
            if self.open:
                self.open[-1].items += found[0].count(",")

    def named(self, name: str, start: int) -> None:
        if not self.names:
            self.begin = start
        self.names.append(name)
        self.end = self.at
        self.guard(len(self.header) + len(self.names) + len(self.open), start)

    def mark(self, mark: str, start: int) -> None:
        if mark == "\n":
            if not self.open:
                self.restart()
        elif self.naming and mark == "[" and not self.names and not self.open:
            self.read_header(start)
        elif mark == "=" and self.naming:
            self.value = self.entered((*self.around(), *self.names), self.begin, self.end, len(self.names))
            self.naming = False
        elif mark in "[{":
            self.opened(mark, start)
        elif mark in "]}":
            if self.open:
                self.open.pop()
            self.naming = False
        elif mark == "," and self.open and self.open[-1].items < 0:
            self.restart()

    def around(self) -> Path:
        """The path of the table in which a name is given."""
        return self.open[-1].path if self.open else self.header

    def opened(self, mark: str, start: int) -> None:
        path = self.value
        if self.open and self.open[-1].items >= 0:
            path = self.entered((*self.open[-1].path, self.open[-1].items), start, start + 1, 1)
        self.open.append(_Open(path, 0 if mark == "[" else -1))
        self.guard(len(path) + len(self.open), start)
        if mark == "{":
            self.restart()
        else:
            self.naming = False

    def entered(self, path: Path, start: int, end: int, new: int) -> Path:
        """Remember where a path and its new parts stand, unless it is known already."""
        for length in range(len(path) - new + 1, min(len(path), KEPT) + 1):
            self.spans.setdefault(path[:length], (start, end))
        return path

    def read_header(self, start: int) -> None:
        """``[table]`` or ``[[table]]``, up to the end of its line."""
        array = self.text.startswith("[", self.at)
        names: list[str] = []
        while self.at < len(self.text):
            found = self.token()
            if found[0] == "\n" or (found.lastgroup == "other" and found[0] in "\"'"):
                break
            self.at = found.end()
            if found.lastgroup in ("bare", "text"):
                names.append(found[0].strip("\"'"))
                self.guard(len(names), found.start())
            if found[0] == "]":
                break
        if array and self.text.startswith("]", self.at):
            self.at += 1
        self.header = self.entered(self.resolved(names, array), start, self.at, len(names) + array)
        self.naming = False

    def resolved(self, names: list[str], array: bool) -> Path:
        """The path that a header means: inside the newest row of every array on the way."""
        path: Path = ()
        for place, name in enumerate(names):
            path = (*path, name)
            if array and place == len(names) - 1:
                self.rows[path] = self.rows.get(path, 0) + 1
            if path in self.rows:
                path = (*path, self.rows[path] - 1)
        return path

    def guard(self, depth: int, start: int) -> None:
        if depth > limits.NESTING:
            raise TooDeep(_place(self.name, self.lines, start, start + 1))
