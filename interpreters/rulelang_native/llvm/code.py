"""LLVM text of one function, line by line: temporaries, labels, and loops that close themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs

from rulelang_native.llvm.shaping import ROWS, Kind

ROW = "{ ptr, i64 }"
"""A row: where its elements lie, and how many there are."""


@attrs.frozen
class Val:
    """A value in registers: a number (i64), a truth (i1), or a row (where, how many)."""

    kind: Kind
    one: str
    two: str = ""

    @property
    def size(self) -> int:
        """Bytes of an element of a row."""
        return 8 if self.kind == "row" else 16


def number(value: int) -> Val:
    """A number that is known."""
    return Val("number", str(value))


class Code:
    """One function under way."""

    def __init__(self, header: str) -> None:
        self.header = header
        self.lines: list[str] = []
        self.slots: list[str] = []
        """What is laid out at its beginning."""
        self._count = 0
        self.ended = False
        """Whether nothing can stand here: the block has its end."""
        self.unrolls = 0
        """Loops of so many laps at most are written out, lap by lap."""

    # -------------------------------------------------------------- lines

    def fresh(self, stem: str = "x") -> str:
        self._count += 1
        return f"{stem}{self._count}"

    def line(self, text: str) -> None:
        """A line, unless nothing can come here."""
        if not self.ended:
            self.lines.append(f"  {text}")

    def op(self, text: str) -> str:
        """An instruction that gives something: its name."""
        name = f"%{self.fresh()}"
        self.line(f"{name} = {text}")
        return name

    def end(self, text: str) -> None:
        """An instruction that ends a block."""
        self.line(text)
        self.ended = True

    def label(self, name: str) -> None:
        """A block begins; what comes before falls into it."""
        if not self.ended:
            self.end(f"br label %{name}")
        self.lines.append(f"{name}:")
        self.ended = False

    def go(self, name: str) -> None:
        self.end(f"br label %{name}")

    def split(self, truth: str, yes: str, no: str, weights: tuple[int, int] | None = None) -> None:
        """Two ways; the weights say which is likely."""
        likely = "" if weights is None else ", !prof !" + ("0" if weights[0] > weights[1] else "1")
        self.end(f"br i1 {truth}, label %{yes}, label %{no}{likely}")

    def room(self, what: str = "i64") -> str:
        """Memory of this function."""
        name = f"%{self.fresh('m')}"
        self.slots.append(f"  {name} = alloca {what}, align 8")
        return name

    def text(self) -> str:
        """The whole function."""
        if not self.ended:
            self.lines.append("  unreachable")
        return "\n".join([f"{self.header} {{", "entry:", *self.slots, *self.lines, "}", ""])

    # -------------------------------------------------------------- control

    def when(self, truth: str, then: Callable[[], None], otherwise: Callable[[], None] | None = None) -> None:
        """One way or the other; afterwards both go on, as far as they have not ended."""
        yes, no, on = self.fresh("yes"), self.fresh("no"), self.fresh("on")
        self.split(truth, yes, no if otherwise else on)
        self.label(yes)
        then()
        open_ways = not self.ended or otherwise is None
        if not self.ended:
            self.go(on)
        if otherwise is not None:
            self.label(no)
            otherwise()
            open_ways |= not self.ended
            if not self.ended:
                self.go(on)
        if open_ways:
            self.label(on)

    @contextmanager
    def loop(self, count: str) -> Iterator[tuple[str, str, str]]:
        """So many laps: the lap's number, the label of the next lap, and that behind the loop."""
        head, body, next_lap, on = (self.fresh(stem) for stem in ("head", "lap", "next", "on"))
        place = self.room()
        self.line(f"store i64 0, ptr {place}")
        self.label(head)
        at = self.op(f"load i64, ptr {place}")
        self.split(self.op(f"icmp ult i64 {at}, {count}"), body, on)
        self.label(body)
        yield at, next_lap, on
        self.label(next_lap)
        after = self.op(f"add nuw nsw i64 {at}, 1")
        self.line(f"store i64 {after}, ptr {place}")
        unrolled = count.isdigit() and int(count) <= self.unrolls
        self.end(f"br label %{head}{', !llvm.loop !2' if unrolled else ''}")
        self.label(on)

    # -------------------------------------------------------------- memory

    def at(self, base: str, place: str | int, size: int = 8) -> str:
        """Where an element lies."""
        if place in (0, "0"):
            return base
        if isinstance(place, int) or place.lstrip("-").isdigit():
            return self.op(f"getelementptr i8, ptr {base}, i64 {int(place) * size}")
        if size == 1:
            return self.op(f"getelementptr i8, ptr {base}, i64 {place}")
        kind = "i64" if size == 8 else ROW
        return self.op(f"getelementptr {kind}, ptr {base}, i64 {place}")

    def load(self, where: str) -> str:
        return self.op(f"load i64, ptr {where}")

    def store(self, value: str, where: str) -> None:
        self.line(f"store i64 {value}, ptr {where}")

    def load_row(self, where: str, kind: Kind = "row") -> Val:
        first = self.op(f"load ptr, ptr {where}")
        return Val(kind, first, self.load(self.at(where, 1)))

    def store_row(self, row: Val, where: str) -> None:
        self.line(f"store ptr {row.one}, ptr {where}")
        self.store(row.two, self.at(where, 1))

    def packed(self, row: Val) -> str:
        """A row as one value, to be given back."""
        half = self.op(f"insertvalue {ROW} undef, ptr {row.one}, 0")
        return self.op(f"insertvalue {ROW} {half}, i64 {row.two}, 1")

    def unpacked(self, name: str, kind: Kind) -> Val:
        return Val(kind, self.op(f"extractvalue {ROW} {name}, 0"), self.op(f"extractvalue {ROW} {name}, 1"))

    def element(self, row: Val, place: str) -> Val:
        """An element of a row, which is there."""
        where = self.at(row.one, place, row.size)
        if row.kind == "row":
            return Val("number", self.load(where))
        return self.load_row(where, ROWS[ROWS.index(row.kind) - 1])

    def put(self, value: Val, where: str) -> None:
        """Keep a number or a row."""
        if value.kind in ROWS:
            self.store_row(value, where)
        elif value.kind == "division":
            self.line(f"store ptr {value.one}, ptr {where}")
        else:
            self.store(value.one, where)

    def get(self, where: str, kind: Kind) -> Val:
        """What was kept."""
        if kind in ROWS:
            return self.load_row(where, kind)
        if kind == "division":
            return Val(kind, self.op(f"load ptr, ptr {where}"))
        return Val("number", self.load(where))
