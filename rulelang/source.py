"""Texts with positions: what every stage of the language points into.

Reading files lives in `rulelang.diagnostics.reading`, because a file that cannot be read is diagnosed.
"""

import attrs


@attrs.frozen
class Source:
    """A text of rules or data and the name under which users know it. Its lines end in a plain newline."""

    name: str
    text: str = attrs.field(repr=False)
    _lines: tuple[str, ...] = attrs.field(init=False, eq=False, repr=False)

    @_lines.default
    def _split(self) -> tuple[str, ...]:
        return tuple(self.text.split("\n"))

    def line(self, number: int) -> str:
        """Return one line without its end, counted from 1; the empty text where there is no such line."""
        return self._lines[number - 1] if 1 <= number <= len(self._lines) else ""

    def place(self, start: int, end: int) -> "Place":
        """Return the place of the characters from `start` up to, not including, `end`, both counted from 0."""
        line, column = self._line_and_column(start)
        end_line, end_column = self._line_and_column(end)
        return Place(self.name, line, column, end_line, end_column)

    def _line_and_column(self, offset: int) -> tuple[int, int]:
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)


@attrs.frozen(order=True)
class Place:
    """A stretch of a text, as people count: lines and columns from 1, columns in characters (code points).

    The end column is the first one that does not belong to the stretch. Places order as a reader meets them.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def until(self, last: "Place") -> "Place":
        """Return the stretch from the start of this place to the end of a later one."""
        return Place(self.file, self.line, self.column, last.end_line, last.end_column)
