"""Programs as machine code: printed, compiled at one tier or the other, with all that they need to be played."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rulelang import limits
from rulelang.failures import Broken
from rulelang_native.llvm import cache, divisions, machine, scores
from rulelang_native.llvm.divisions import Table
from rulelang_native.llvm.machine import AT_ONCE, HALF, SECOND, Code, Playing
from rulelang_native.llvm.programs import Printer
from rulelang_native.llvm.support import FAILED
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.game import Game


class Compiled(Playing):
    """A compiled program. Raises NotLowered if something in it has no form in LLVM."""

    printer: type[Printer] = Printer
    """What prints it."""

    def __init__(
        self,
        game: Game,
        level: int = SECOND,
        half: int = HALF,
        *,
        quick: bool = True,
        advised: tuple[bool, ...] = (),
        promises: bool = False,
    ) -> None:
        quick = quick and machine.has("bmi2")
        wanted: dict[str, Any] = {"advised": advised} if True in advised else {}
        if promises:
            wanted["promises"] = True
        printer = self.printer(game, quick=quick, **wanted)
        printer.wide = machine.has("avx512dq")
        self.policy: tuple[Literal["random", "advised"], ...] = tuple(
            "advised" if advised[seat : seat + 1] == (True,) else "random" for seat in range(game.seats)
        )
        """The automatic players of the seats."""
        self.promised: tuple[str, ...] = tuple(each.name for each in game.program.invariants) if promises else ()
        """The promises that are looked at."""
        self.printed = printer
        self.text = printer.text()
        layout = (printer.places.size + 64, printer.other, printer.stride * (limits.LISTED_MOVES + 2))
        code = machine.code_at_once(self.text) if level == AT_ONCE else Code(level, machine.compiled(self.text, level))
        super().__init__(code, printer.words, layout, printer.divided_at, half)
        self._behind: threading.Thread | None = None
        for number, table in printer.tables.items():
            self._tables[number] = self._judged(table)

    def _judged(self, table: Table) -> Any:
        """All groups of a division: they are worked out once, and kept like code."""
        key = table_key(self.text, table)
        known = machine.kept_table(key) if key else None
        if known is not None:
            return ctypes.create_string_buffer(known, len(known))
        laid = ctypes.create_string_buffer(table.bytes)
        bags = table.words()
        memory = self._memory()
        self._code.judge(table.number)(memory.state, bags.buffer_info()[0], len(bags) // (1 + table.high), laid)
        if ctypes.cast(memory.state, ctypes.POINTER(ctypes.c_int64))[FAILED // 8]:
            raise NotLowered("what groups are worth is too large for LLVM yet")
        whole = laid.raw + scores.tail(table, self.printed.scored.get(table.number), laid.raw)
        if key:
            cache.keep(key, zlib.compress(whole, 1))
        return ctypes.create_string_buffer(whole, len(whole))

    # -------------------------------------------------------------- the second tier

    def improve(self, wanted: Callable[[], bool] = lambda: True) -> None:
        """Compile at the second tier; whoever plays just now ends this with the first. Nothing is done where it is no
        longer wanted."""
        if self.level < SECOND:
            with contextlib.suppress(machine.Unwanted):
                self._code = Code(SECOND, machine.compiled(self.text, SECOND, wanted))

    def improve_behind(self) -> None:
        """The same in a thread of its own, once. Games go on meanwhile: LLVM does not need the interpreter's lock."""
        if self.level < SECOND and self._behind is None:
            self._behind = threading.Thread(target=self._improve_quietly, daemon=True)
            machine.under_way.add(self._behind)
            try:
                self._behind.start()
            except RuntimeError:  # there can be no more threads
                machine.under_way.discard(self._behind)

    def _improve_quietly(self) -> None:
        try:
            self.improve(lambda: not machine.leaving.is_set())
        except (MemoryError, RuntimeError, Broken):  # the first tier is as right
            pass
        finally:
            machine.under_way.discard(threading.current_thread())


def table_key(text: str, table: Table) -> bytes | None:
    """The same for the groups of a division, which `divisions.py` lists for the code that judges them; behind them lies
    what `scores.py` sees in them."""
    try:
        sources = [Path(divisions.__file__).read_bytes(), Path(scores.__file__).read_bytes()]
        listing = hashlib.sha256(b"".join(sources)).hexdigest()
    except OSError:  # it lies in no folder
        return None
    return machine.key_of_text(text, "table", repr(table), listing)
