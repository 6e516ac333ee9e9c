"""Compiles LLVM text with llvmlite, and plays games with it.

There are two tiers, that is, two ways to compile: the first takes a short list of passes, the second all that LLVM does
for speed. Both play the same games to the bit, so that it changes nothing but time which one plays, and when the second
takes the place of the first. What was compiled is kept (`rulelang_native.llvm.cache`).
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import hashlib
import mmap
import os
import threading
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import llvmlite
import llvmlite.binding as llvm

from rulelang.failures import Broken
from rulelang.play.chance import MASK
from rulelang_native.llvm import cache
from rulelang_native.llvm.fixed import BASE, END, HEAD, MEMORY, TOP, read_tail

HALF = 8 * 1024 * 1024
"""Bytes of each half of the arena."""

AT_A_TIME = 16384
"""Games that are played at once where only totals are wanted: so many that threads seldom meet at the interpreter's
lock, as they did with 4,096 games of tic-tac-toe, which take 80 microseconds."""

FIRST, SECOND = 1, 2
"""The tiers. They are LLVM's levels of code generation, too."""
AT_ONCE = 0
"""The second tier if it was compiled before, else the first."""

PASSES: Final = (
    "always_inliner",
    "global_dead_code_eliminate",
    "sroa",
    "instruction_combine",
    "simplify_cfg",
)
"""What the first tier does before code is made: what functions written for this are made of is put where it is used,
and what lies in memory without need into registers. Decision 0031 has the measurements."""

POINTER, WORD = ctypes.c_void_p, ctypes.c_uint64
"""What functions are given."""

Words = Sequence[int]
"""Results of games, one behind the other: `rulelang_native.llvm.games` names them."""


class Playing:
    """Code with all that it needs to play games."""

    def __init__(
        self,
        code: Code,
        words: int,
        layout: tuple[int, int, int],
        divided_at: Mapping[int, tuple[int, int]],
        half: int,
    ) -> None:
        self.words = words
        """So many words tell about one game."""
        self.played, self.spent = 0, 0.0
        """Games that were played, and the CPU seconds that they took: no result depends on them."""
        self._code = code
        self._layout = layout
        """Bytes of a state, where the other half of the arena is told in it, and how many words answers need."""
        self._divided_at = divided_at
        """Where a state says where the table of a division, and what is remembered of it, lie."""
        self._tables: dict[int, Any] = {}
        self._half = half
        self._free: list[_Memory] = []
        """What no thread works in just now."""

    @property
    def level(self) -> int:
        """The tier that plays now."""
        return self._code.level

    def _memory(self) -> _Memory:
        memory = _Memory(*self._layout, self._half)
        words = ctypes.cast(memory.state, ctypes.POINTER(ctypes.c_int64))
        for number, laid in self._tables.items():
            table_at, memory_at = self._divided_at[number]
            head, size = read_tail(laid)
            memory.remembered.append(_zeros(MEMORY + HEAD + size))
            ctypes.memmove(ctypes.addressof(memory.remembered[-1]) + MEMORY, head, HEAD)
            words[table_at // 8] = ctypes.addressof(laid)
            words[memory_at // 8] = ctypes.addressof(memory.remembered[-1])
        return memory

    def playouts(self, n: int, seed: int, first: int) -> Words:
        """The words of games ``first`` to ``first + n - 1``. Other threads may play at the same time."""
        results: Any = (ctypes.c_int64 * (self.words * n))()
        memory = self._free.pop() if self._free else self._memory()
        code, begun = self._code, time.thread_time()
        code.playouts(memory.state, seed & MASK, first, n, memory.offers, results)
        self.played, self.spent = self.played + n, self.spent + time.thread_time() - begun
        self._free.append(memory)
        return cast("Words", results)

    def totals(self, n: int, seed: int, first: int) -> tuple[int, int, int]:
        """How many events and decisions so many games have, and how many of them were given up. Any number of games
        needs the same memory.
        """
        memory = self._free.pop() if self._free else self._memory()
        if memory.results is None:
            memory.results = _zeros(8 * self.words * AT_A_TIME)
        totals, code = (ctypes.c_int64 * 3)(), self._code
        tally = code.function("tally", POINTER, WORD, POINTER)
        for start in range(first, first + n, AT_A_TIME):
            count = min(AT_A_TIME, first + n - start)
            code.playouts(memory.state, seed & MASK, start, count, memory.offers, memory.results)
            tally(memory.results, count, totals)
        self._free.append(memory)
        return totals[0], totals[1], totals[2]


class _Memory:
    """What one thread works in: a state, both halves of the arena, and room for answers."""

    def __init__(self, size: int, other: int, offers: int, half: int) -> None:
        self.state = ctypes.create_string_buffer(size)
        self.remembered: list[Any] = []
        """What is known of divisions."""
        self.arena = _zeros(2 * half)
        self.offers = _zeros(8 * offers)
        self.results: Any = None
        """Room for the words of games that are only added up."""
        first = ctypes.addressof(self.arena)
        words = ctypes.cast(self.state, ctypes.POINTER(ctypes.c_int64))
        words[BASE // 8], words[TOP // 8], words[END // 8] = first, first, first + half
        words[other // 8] = first + half


def _zeros(size: int) -> Any:
    """So many bytes; the system gives each page when it is first used, which most never are."""
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    try:
        return (ctypes.c_char * size).from_buffer(mmap.mmap(-1, size, **private))  # by itself a fork would share it
    except OSError as failure:
        raise MemoryError from failure


# ------------------------------------------------------------------ code


class Code:
    """The machine code of a program at one tier."""

    def __init__(self, level: int, engine: Any) -> None:
        self.level = level
        self._engine = engine
        self._found: dict[str, Callable[..., Any]] = {}

    def function(self, name: str, *kinds: Any, gives: Any = None) -> Callable[..., Any]:
        """A function of the program, with the kinds of what it is given and of what it gives."""
        if name not in self._found:
            self._found[name] = ctypes.CFUNCTYPE(gives, *kinds)(self._engine.get_function_address(name))
        return self._found[name]

    @property
    def playouts(self) -> Callable[..., None]:
        """What plays games at random."""
        return self.function("playouts", POINTER, *[WORD] * 3, *[POINTER] * 2)

    def judge(self, number: int) -> Callable[..., None]:
        """What works out all groups of a division."""
        return self.function(f"judge{number}", POINTER, POINTER, WORD, POINTER)


class Unwanted(Exception):
    """What was to be compiled is of no use any more."""


def code_at_once(text: str) -> Code:
    """The second tier if it was compiled before, else the first."""
    engine = kept(text, SECOND)
    return Code(FIRST, compiled(text, FIRST)) if engine is None else Code(SECOND, engine)


def compiled(text: str, level: int, wanted: Callable[[], bool] = lambda: True) -> Any:
    """The engine that holds the machine code of a text: code that was kept, or else compiled now, and kept."""
    engine = kept(text, level)
    if engine is None:
        code = machine_code(text, level, wanted)
        cache.keep(code_key(text, level), code)
        engine = _loaded(code, level)
        if engine is None:
            raise Broken("LLVM does not take what it made itself")
    return engine


def kept(text: str, level: int) -> Any | None:
    """The engine that holds machine code that was compiled before, if there is some."""
    return kept_under(code_key(text, level), level)


def kept_under(key: bytes, level: int) -> Any | None:
    """The same for a text that nobody has at hand."""
    _initialize()
    code = cache.read(key)
    return None if code is None else _loaded(code, level)


def machine_code(text: str, level: int, wanted: Callable[[], bool] = lambda: True) -> bytes:
    """A text as an object file. Raises Broken for a text that LLVM does not take."""
    _initialize()
    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as failure:
        raise Broken(f"LLVM does not take what was printed: {str(failure)[:300]}") from failure
    target = _target(level)
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(speed_level=level))
    if level == FIRST:
        passes = llvm.create_new_module_pass_manager()
        for name in PASSES:
            getattr(passes, f"add_{name}_pass")()
    else:
        passes = builder.getModulePassManager()
    _go_on(wanted)
    passes.run(module, builder)
    _go_on(wanted)
    return cast("bytes", target.emit_object(module))


def _go_on(wanted: Callable[[], bool]) -> None:
    if not wanted():
        raise Unwanted


def _initialize() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _target(level: int) -> Any:
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=level
    )


def _loaded(code: bytes, level: int) -> Any | None:
    """The engine that holds an object file; None if it is none."""
    file = llvm.ObjectFileRef.from_data(code)
    if not file:
        return None
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target(level))
    engine.add_object_file(file)
    engine.finalize_object()
    return engine


def has(feature: str) -> bool:
    """Whether the processor has something."""
    return bool(llvm.get_host_cpu_features().get(feature))


def host() -> tuple[str, ...]:
    """Who makes code, where, and by what steps."""
    return (
        llvmlite.__version__,
        ".".join(map(str, llvm.llvm_version_info)),
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
        ", ".join(PASSES),
    )


def key_of_text(text: str, *what: str) -> bytes:
    """All that something depends on that is made of a text."""
    return cache.key_of(*what, *host(), hashlib.sha256(text.encode("utf-8")).hexdigest())


def code_key(text: str, level: int) -> bytes:
    """All that machine code depends on."""
    return key_of_text(text, f"level {level}")


def kept_table(key: bytes) -> bytes | None:
    """All groups of a division that were worked out before, if they are kept: most of their room is empty."""
    known = cache.read(key)
    try:
        return None if known is None else zlib.decompress(known)
    except zlib.error:  # another version has kept it in another way
        return None


# ------------------------------------------------------------------ threads that compile

under_way: set[threading.Thread] = set()
leaving = threading.Event()


def _finish() -> None:
    """Wait for those that compile: no process may end, or become two, while one of its threads is inside LLVM."""
    for thread in tuple(under_way):
        while thread.is_alive():
            with contextlib.suppress(KeyboardInterrupt):  # it ends by itself soon
                thread.join()


def _leave() -> None:
    leaving.set()
    _finish()


atexit.register(_leave)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_finish)
