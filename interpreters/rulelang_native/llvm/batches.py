"""Batches by a compiled program: the games of `rulelang.play.batches.Matches`, stepped on arrays."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from rulelang import limits
from rulelang.failures import Exhausted
from rulelang.play import batches
from rulelang.play.chance import match_key
from rulelang.play.event import Answer
from rulelang.play.outcome import GameOutcome
from rulelang_native import endings
from rulelang_native.llvm import steps, vectors
from rulelang_native.llvm.machine import AT_ONCE, POINTER, WORD
from rulelang_native.llvm.states import States
from rulelang_native.llvm.vectors import COUNT, ENDED, GIVEN_UP, GO_ON, KEY, SEAT, STATUS, WORDS, BatchPrinter
from rulelang_native.state import Moves

if TYPE_CHECKING:
    from rulelang_native.game import Game

ROOM = 4096
"""Bytes of rows that a resting game has room for at first."""


class BatchProgram(States):
    """A program compiled for batches. Raises NotLowered if something in it has no form in LLVM."""

    printer = BatchPrinter

    def __init__(self, game: Game, level: int = AT_ONCE, **more: Any) -> None:
        super().__init__(game, level, **more)
        self.fields = batches.fields(game.program)
        self.width = sum(field.words for field in self.fields)


class CompiledBatch:
    """A batch of compiled games.

    One that is given up, as it comes to a limit or has no room, is played again up to there by printed Python, which
    says which limit it was, or goes on with it.
    """

    def __init__(self, program: BatchProgram, n: int, seed: int, first: int, room: int = ROOM) -> None:
        self._program = program
        self._n = n
        self._seed, self._first = seed, first
        self.width = program.width
        self._past: list[array[int]] = []
        """The places that were chosen in each step."""
        self._alone: dict[int, batches.Matches] = {}
        """The games that were given up."""
        keys = [match_key(seed, first + number) for number in range(n)]
        self._games = array("q", bytes(8 * WORDS * n))
        for number, key in enumerate(keys):
            self._games[number * WORDS + KEY] = key - (1 << 64) if key >> 63 else key
        self._chosen = array("q", bytes(8 * n * (program.game.seats + 1)))
        with program.alone:
            begun = program.begin()
        self._blob = 8 + program.size + max(room, len(begun) - program.size)
        laid = (len(begun) - program.size).to_bytes(8, "little") + begun
        self._blobs = bytearray(self._blob * n)
        for number in range(n):
            self._blobs[number * self._blob : number * self._blob + len(laid)] = laid
        with program.alone:
            self._step(array("q", (GO_ON,) * n))
        self._take_over()

    # -------------------------------------------------------------- what is asked

    @property
    def seats(self) -> array[int]:
        found = self._games[SEAT::WORDS]
        for number, alone in self._alone.items():
            found[number] = alone.seats[0]
        return found

    @property
    def counts(self) -> array[int]:
        found = self._games[COUNT::WORDS]
        for number, alone in self._alone.items():
            found[number] = alone.counts[0]
        return found

    @property
    def over(self) -> bool:
        return all(seat < 0 for seat in self.seats)

    def step_many(self, places: Sequence[int]) -> None:
        chosen = batches.check_places(self, places)
        with self._program.alone:
            self._step(chosen)
        for number, alone in self._alone.items():
            alone.step_many(chosen[number : number + 1])
        self._past.append(array("i", chosen))
        self._take_over()

    def views_many(self, seat: int | None = None) -> array[int]:
        batches.check_viewer(self._program.game.program, seat)
        out = array("q", bytes(8 * self._n * self.width))
        function = self._program.function("views_many", POINTER, WORD, POINTER, WORD, POINTER, ctypes.c_int64, POINTER)
        with self._program.alone:
            function(
                self._program.work.state,
                self._n,
                _address(self._blobs),
                self._blob,
                self._games.buffer_info()[0],
                -1 if seat is None else seat,
                out.buffer_info()[0],
            )
            self._program.forget()
        for number, alone in self._alone.items():
            out[number * self.width : (number + 1) * self.width] = alone.views_many(seat)
        return out

    def moves(self, game: int) -> Sequence[Answer]:
        if game in self._alone:
            return self._alone[game].moves(0)
        seat = self._games[game * WORDS + SEAT]
        if seat < 0:
            return ()
        at = game * self._blob
        used = int.from_bytes(self._blobs[at : at + 8], "little")
        state = bytes(self._blobs[at + 8 : at + 8 + self._program.size])
        rows = bytes(self._blobs[at + 8 + self._program.size : at + 8 + self._program.size + used])
        return Moves(self._program.game, seat, self._program.listed(state, rows, seat))

    def outcome(self, game: int) -> GameOutcome | None:
        if game in self._alone:
            return self._alone[game].outcome(0)
        if self._games[game * WORDS + STATUS] != ENDED:
            return None
        at = game * self._blob + 8
        words = memoryview(self._blobs)[at : at + self._program.size].cast("q")
        waits, nodes = self._program.printed.waits // 8, self._program.game.program.nodes
        first = waits + steps.NUMBERS // 8
        numbers = tuple(words[first : first + words[waits + steps.COUNT // 8]])
        kind = endings.kind_of(nodes[words[waits + steps.NODE // 8]])
        return endings.outcome(kind, numbers, self._program.game.seats)

    def failure(self, game: int) -> Exhausted | None:
        return self._alone[game].failure(0) if game in self._alone else None

    # -------------------------------------------------------------- stepping

    def _step(self, places: array[int]) -> None:
        program, start = self._program, 0
        function = program.function(
            "step_many",
            *[POINTER, WORD, WORD, POINTER, WORD, POINTER, POINTER, POINTER, POINTER, POINTER],
            gives=ctypes.c_int64,
        )
        while start < self._n:
            start = function(
                program.work.state,
                self._n,
                start,
                _address(self._blobs),
                self._blob,
                places.buffer_info()[0],
                self._games.buffer_info()[0],
                self._chosen.buffer_info()[0],
                program.work.offers,
                program.given.buffer_info()[0],
            )
            if start < self._n:
                self._enlarge()
        program.forget()

    def _take_over(self) -> None:
        """Play games that were given up again, as far as they have come."""
        for number, status in enumerate(self._games[STATUS::WORDS]):
            if status == GIVEN_UP and number not in self._alone:
                alone = batches.Matches(cast(Any, self._program.game), 1, self._seed, self._first + number)
                for chosen in self._past:
                    alone.step_many((chosen[number],))
                self._alone[number] = alone

    def _enlarge(self) -> None:
        """Twice the room for rows."""
        old, room = self._blob, self._blob - self._program.size
        self._blob = old + room
        if self._blob * self._n > limits.INTEGER_MAX:
            raise MemoryError
        blobs = bytearray(self._blob * self._n)
        for number in range(self._n):
            blobs[number * self._blob : number * self._blob + old] = self._blobs[number * old : (number + 1) * old]
        self._blobs = blobs


def _address(data: bytearray) -> int:
    """Where bytes lie."""
    return ctypes.addressof(ctypes.c_char.from_buffer(data)) if data else 0


__all__ = ["BatchProgram", "CompiledBatch", "vectors"]
