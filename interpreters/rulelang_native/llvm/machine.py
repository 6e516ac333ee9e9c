"""Compiles LLVM text with llvmlite, and plays games with it."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import llvmlite.binding as llvm

from rulelang import limits
from rulelang.failures import Broken
from rulelang.play.chance import MASK
from rulelang_native.llvm.divisions import MEMORY, Table
from rulelang_native.llvm.games import NUMBERS
from rulelang_native.llvm.programs import Printer
from rulelang_native.llvm.support import BASE, END, FAILED, TOP
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.game import Game

HALF = 8 * 1024 * 1024
"""Bytes of each half of the arena."""

Words = Sequence[int]
"""Results of games, one behind the other: `rulelang_native.llvm.games` names them."""


class Compiled:
    """A compiled program. Raises NotLowered if something in it has no form in LLVM."""

    def __init__(self, game: Game, level: int = 2, half: int = HALF, *, quick: bool = True) -> None:
        printer = Printer(game, quick=quick and bool(llvm.get_host_cpu_features().get("bmi2")))
        self.words = NUMBERS + printer.seats
        """So many words tell about one game."""
        self.text = printer.text()
        self._divided_at = printer.divided_at
        self._tables: dict[int, Any] = {}
        self._layout = (printer.places.size + 64, printer.other, printer.stride * (limits.LISTED_MOVES + 2))
        self._half = half
        self._engine = compiled(self.text, level)
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p, *[ctypes.c_uint64] * 3, *[ctypes.c_void_p] * 2])
        self._playouts = kind(self._engine.get_function_address("playouts"))
        self._free: list[_Memory] = []
        """What no thread works in just now."""
        for number, table in printer.tables.items():
            self._tables[number] = self._judged(table)

    def _judged(self, table: Table) -> Any:
        """All groups of a division: they are worked out once."""
        laid = ctypes.create_string_buffer(table.bytes)
        bags = table.words()
        judge = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p)(
            self._engine.get_function_address(f"judge{table.number}")
        )
        memory = self._memory()
        judge(memory.state, bags.buffer_info()[0], len(bags) // (1 + table.high), laid)
        if ctypes.cast(memory.state, ctypes.POINTER(ctypes.c_int64))[FAILED // 8]:
            raise NotLowered("what groups are worth is too large for LLVM yet")
        return laid

    def _memory(self) -> _Memory:
        memory = _Memory(*self._layout, self._half)
        words = ctypes.cast(memory.state, ctypes.POINTER(ctypes.c_int64))
        for number, laid in self._tables.items():
            table_at, memory_at = self._divided_at[number]
            memory.remembered.append(ctypes.create_string_buffer(MEMORY))
            words[table_at // 8] = ctypes.addressof(laid)
            words[memory_at // 8] = ctypes.addressof(memory.remembered[-1])
        return memory

    def playouts(self, n: int, seed: int, first: int) -> Words:
        """The words of games ``first`` to ``first + n - 1``. Other threads may play at the same time."""
        results: Any = (ctypes.c_int64 * (self.words * n))()
        memory = self._free.pop() if self._free else self._memory()
        self._playouts(memory.state, seed & MASK, first, n, memory.offers, results)
        self._free.append(memory)
        return cast("Words", results)


class _Memory:
    """What one thread works in: a state, both halves of the arena, and room for answers."""

    def __init__(self, size: int, other: int, offers: int, half: int) -> None:
        self.state = ctypes.create_string_buffer(size)
        self.remembered: list[Any] = []
        """What is known of divisions."""
        self.arena = ctypes.create_string_buffer(2 * half)
        self.offers = (ctypes.c_int64 * offers)()
        first = ctypes.addressof(self.arena)
        words = ctypes.cast(self.state, ctypes.POINTER(ctypes.c_int64))
        words[BASE // 8], words[TOP // 8], words[END // 8] = first, first, first + half
        words[other // 8] = first + half


def compiled(text: str, level: int) -> Any:
    """The engine that holds the machine code."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as failure:
        raise Broken(f"LLVM does not take what was printed: {str(failure)[:300]}") from failure
    target = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=level
    )
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=level))
    builder.getModulePassManager().run(module, builder)
    engine = llvm.create_mcjit_compiler(module, target)
    engine.finalize_object()
    return engine
