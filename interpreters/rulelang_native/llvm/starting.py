"""Games of rules that were compiled before, begun at once: nothing is read, closed, lowered or printed again.

Beside the code of a program the cache can hold what it needs to play: how large a state is, which files hold the code
and the tables, and how a game ends that is over at a node. The key of such a beginning is whatever its program is made
of, which whoever asks must say (the command line has a hash of all files, for its cache of programs), the seats and
options, and all code of rulelang that makes a closed program into this.
"""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs

from rulelang import limits
from rulelang.ir import nodes as ir
from rulelang.play.playouts import GameSummary
from rulelang_native import endings
from rulelang_native.llvm import cache
from rulelang_native.llvm.fixed import COSTS, COUNT, DECISIONS, LENGTH, NUMBERS, OVER, STATUS
from rulelang_native.llvm.machine import FIRST, SECOND, Code, Playing, Words, code_key, host, kept_table, kept_under

if TYPE_CHECKING:
    from rulelang_native.game import Game

MOST_GAMES: Final = 200
"""More are better played by whoever tells how far it is and can compile the second tier."""
AT_ONCE: Final = 16
"""Games between two moments in which Ctrl-C is heard."""

Options = Mapping[str, int | str | bool]


class Beginning(Playing):
    """Code that was kept, and all that it needs."""

    def __init__(self, facts: dict[str, Any], code: Code, tables: Mapping[int, bytes]) -> None:
        self.title: str = facts["title"]
        self.promised: tuple[str, ...] = (*facts["promised"],)
        """The promises of the rules that are looked at."""
        self.seats: int = facts["seats"]
        self._kinds: dict[str, endings.Kind] = facts["kinds"]
        divided_at = {int(number): (at, memory) for number, at, memory, _ in facts["tables"]}
        self.timed = facts["words"] - bool(self.promised) > NUMBERS + self.seats
        super().__init__(code, facts["words"], (*facts["layout"],), divided_at, facts["half"])
        for number, table in tables.items():
            self._tables[number] = ctypes.create_string_buffer(table, len(table))

    def summaries(self, n: int, seed: int) -> list[GameSummary] | None:
        """Games 0 to ``n - 1`` of a seed, all players at random; None if one of them was given up."""
        found: list[GameSummary] = []
        for first in range(0, n, AT_ONCE):
            words = self.playouts(min(AT_ONCE, n - first), seed, first)
            for at in range(0, len(words), self.words):
                if words[at + STATUS]:
                    return None
                kind = self._kinds.get(str(words[at + OVER]), "aborted")
                summary = summary_of(words, at, len(found), kind, self.seats, timed=self.timed)
                if self.promised:
                    broken = broken_of(words[at + self.words - 1], self.promised)
                    summary = attrs.evolve(summary, broken=broken)
                found.append(summary)
        return found


def summary_of(
    words: Words, at: int, number: int, kind: endings.Kind, seats: int, *, timed: bool = False
) -> GameSummary:
    """What the words of a game say, from a place on; the last of them tells table time if there is any."""
    numbers = tuple(words[at + NUMBERS : at + NUMBERS + words[at + COUNT]])
    outcome = endings.outcome(kind, numbers, seats)
    length, decisions, costs = words[at + LENGTH], words[at + DECISIONS], words[at + COSTS]
    time = words[at + NUMBERS + seats] if timed else 0
    return GameSummary(number, outcome.kind, outcome.winners, outcome.returns, length, decisions, costs, time)


def broken_of(bits: int, promised: Sequence[str]) -> tuple[str, ...]:
    """The names of the promises that did not hold."""
    return tuple(name for number, name in enumerate(promised) if bits >> number & 1)


def beginning(made_of: str, seats: int, options: Options, *, promises: bool = False) -> Beginning | None:
    """What was kept for these rules, seats and options, with a look at promises or without, if it is whole and for this
    machine."""
    key = _key(made_of, seats, options, promises)
    known = cache.read(key) if key else None
    if known is None:
        return None
    facts = json.loads(known)
    tables = {number: kept_table(bytes.fromhex(table)) for number, _, _, table in facts["tables"]}
    whole = {number: table for number, table in tables.items() if table is not None}
    if len(whole) < len(tables):
        return None
    for level in (SECOND, FIRST):
        engine = kept_under(bytes.fromhex(facts["code"][str(level)]), level)
        if engine is not None:
            return Beginning(facts, Code(level, engine), whole)
    return None


def keep(game: Game, made_of: str, seats: int, options: Options, *, promises: bool = False) -> None:
    """Keep a beginning, if the game can be compiled."""
    key = _key(made_of, seats, options, promises)
    if key is None or cache.folder(make=True) is None:
        return
    found = game.compiled_for((), promises=promises)
    if found is None:
        return
    from rulelang_native.llvm.compiled import table_key

    tables = []
    for number, table in found.printed.tables.items():
        stored = table_key(found.text, table)
        if stored is None:
            return
        tables.append([number, *found.printed.divided_at[number], stored.hex()])
    nodes = enumerate(game.program.nodes)
    facts = {
        "title": game.program.title,
        "promised": found.promised,
        "seats": game.seats,
        "words": found.words,
        "layout": found._layout,
        "half": found._half,
        "code": {level: code_key(found.text, level).hex() for level in (SECOND, FIRST)},
        "tables": tables,
        "kinds": {at: endings.kind_of(node) for at, node in nodes if isinstance(node, ir.End)},
    }
    cache.keep(key, json.dumps(facts).encode())


def _key(made_of: str, seats: int, options: Options, promises: bool) -> bytes | None:
    chosen = sorted((name, type(value).__name__, str(value)) for name, value in options.items())
    try:
        return cache.key_of("beginning", *host(), made_of, str(seats), repr(chosen), str(promises), *_code())
    except OSError:
        return None


def _code() -> Iterator[str]:
    """Size and time of all code that a closed program, and what is made of it, depends on."""
    packages = (Path(limits.__file__).parent / "play", Path(__file__).parent.parent)
    for package in packages:
        for folder, inside, files in os.walk(package):
            inside[:] = sorted(each for each in inside if each != "__pycache__")
            for name in sorted(files):
                if name.endswith(".py"):
                    status = os.stat(os.path.join(folder, name))
                    where = os.path.relpath(folder, package)
                    yield f"{package.name}/{where}/{name} {status.st_size} {status.st_mtime_ns}"
