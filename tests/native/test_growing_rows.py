"""Rows that are put together: the last one that was made grows where it lies, and no row ever changes."""

import ctypes
import random
from typing import Any

import llvmlite.binding as llvm

from rulelang_native.llvm.machine import FIRST
from rulelang_native.llvm.machine import compiled as machine_of_text
from rulelang_native.llvm.support import BASE, END, FAILED, FULL, TOP, support

WORDS = 4096
OUT = """
define void @put_together(ptr %S, ptr %a, i64 %n, ptr %b, i64 %m, ptr %out) {
entry:
  %row = call { ptr, i64 } @joined(ptr %S, ptr %a, i64 %n, ptr %b, i64 %m)
  store { ptr, i64 } %row, ptr %out
  ret void
}
"""


class Arena:
    """Rows in an arena."""

    def __init__(self, words: int = WORDS) -> None:
        text = support(quick=bool(llvm.get_host_cpu_features().get("bmi2"))) + OUT
        self._engine = machine_of_text(text, FIRST)
        self.state, self._arena = (ctypes.c_int64 * 256)(), (ctypes.c_int64 * words)()
        self.state[BASE // 8] = self.state[TOP // 8] = ctypes.addressof(self._arena)
        self.state[END // 8] = ctypes.addressof(self._arena) + 8 * words
        kinds = (ctypes.c_void_p, *(ctypes.c_void_p, ctypes.c_int64) * 2, ctypes.c_void_p)
        self._joined: Any = ctypes.CFUNCTYPE(None, *kinds)(self._engine.get_function_address("put_together"))
        self._kept: list[Any] = []

    def row(self, *numbers: int) -> tuple[int, int]:
        """A row elsewhere: where it lies, and how long it is."""
        self._kept.append((ctypes.c_int64 * max(1, len(numbers)))(*numbers))
        return ctypes.addressof(self._kept[-1]), len(numbers)

    def joined(self, one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int]:
        out = (ctypes.c_int64 * 2)()
        self._joined(self.state, *one, *two, out)
        return out[0], out[1]

    def told(self, row: tuple[int, int]) -> list[int]:
        return list((ctypes.c_int64 * row[1]).from_address(row[0])) if row[1] else []

    @property
    def used(self) -> int:
        """Words of the arena that are used."""
        return int(self.state[TOP // 8] - self.state[BASE // 8]) // 8


def test_a_row_grows_where_it_lies() -> None:
    arena = Arena()
    row = arena.joined(arena.row(), arena.row(1, 2))
    for number in range(3, 50):
        longer = arena.joined(row, arena.row(number))
        assert longer[0] == row[0] and arena.told(row) == list(range(1, number))
        row = longer
    assert arena.told(row) == list(range(1, 50)) and arena.used == 49


def test_two_rows_that_begin_alike_are_apart() -> None:
    arena = Arena()
    first = arena.joined(arena.row(1), arena.row(2))
    one, other = arena.joined(first, arena.row(3)), arena.joined(first, arena.row(4, 5))
    both = arena.joined(other, one)
    assert [arena.told(each) for each in (first, one, other, both)] == [
        [1, 2], [1, 2, 3], [1, 2, 4, 5], [1, 2, 4, 5, 1, 2, 3]
    ]  # fmt: skip
    assert arena.told(arena.joined(both, both)) == 2 * [1, 2, 4, 5, 1, 2, 3]


def test_without_room_the_step_is_given_up() -> None:
    arena = Arena(16)
    arena.joined(arena.row(1, 2, 3, 4), arena.row(5, 6, 7, 8))
    row = arena.joined(arena.row(1, 2, 3), arena.row(4, 5, 6))
    assert not arena.state[FAILED // 8]
    arena.joined(row, arena.row(7, 8, 9))
    assert arena.state[FAILED // 8] == FULL and arena.used <= 16


def test_whatever_is_put_together_in_whatever_order() -> None:
    draw, arena = random.Random(4), Arena()
    rows = [(arena.row(*numbers), numbers) for numbers in ([], [1], [2, 3], [4, 5, 6, 7, 8, 9, 10, 11, 12])]
    while arena.used < WORDS - 200:
        (one, first), (two, second) = draw.choice(rows[-6:]), draw.choice(rows[:8])
        if len(first) + len(second) < 100:
            rows.append((arena.joined(one, two), first + second))
        else:
            rows.append(rows[draw.randrange(4)])
    assert not arena.state[FAILED // 8] and len(rows) > 60
    assert all(arena.told(row) == numbers for row, numbers in rows)
