"""A terminal as far as commands steer one: what its rows show after so much output."""

import re

TOKEN = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])|\x1b([78])|([\r\n])|([^\x1b\r\n])")


class Terminal:
    """Rows of so many columns; what scrolls away is kept. A full row goes on in the next one, as real terminals do."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self.lines: list[list[str]] = [[]]
        self.at = (0, 0)
        self.saved = (0, 0)

    def write(self, text: str) -> "Terminal":
        for parameter, command, save, control, sign in TOKEN.findall(text):
            row, column = self.at
            if command == "A":
                self.at = max(self._top(), row - int(parameter or 1)), column
            elif command == "K":
                del self.lines[row][column:]
            elif command:
                raise AssertionError(f"this terminal does not know {command}")
            elif save == "7":
                self.saved = self.at
            elif save == "8":
                self.at = self.saved
            elif control == "\r":
                self.at = row, 0
            elif control == "\n":
                self._to(row + 1, 0)
            else:
                if column == self.columns:
                    self._to(row + 1, 0)
                self._put(sign)
        return self

    def _top(self) -> int:
        return max(0, len(self.lines) - self.rows)

    def _to(self, row: int, column: int) -> None:
        while row >= len(self.lines):
            self.lines.append([])
        self.at = row, column

    def _put(self, sign: str) -> None:
        row, column = self.at
        line = self.lines[row]
        line.extend(" " * (column + 1 - len(line)))
        line[column] = sign
        self.at = row, column + 1

    def shown(self) -> list[str]:
        """All rows, the scrolled ones too."""
        return ["".join(line).rstrip() for line in self.lines]
