"""Many random games by a compiled program: the same games as `rulelang_native.playing` plays, to the bit.

They begin at the first tier, or at the second if it was compiled before. If the second pays, it is compiled while games
go on, and takes over between two blocks.

A game that the compiled program gives up (a limit of the language was reached, or its memory was too small) is played
once more by printed Python, which says what there is to say.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import attrs

from rulelang.play.playouts import GameSummary
from rulelang_native import endings, playing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.games import OVER, STATUS
from rulelang_native.llvm.machine import SECOND, Words
from rulelang_native.llvm.starting import broken_of, summary_of

if TYPE_CHECKING:
    from rulelang_native.game import Game

BLOCK = 256
"""Games that are played at once, and then told one after the other."""

AHEAD = 2
"""Blocks for each thread that are begun before the first of them is told."""

FEW = 4
"""Games that printed Python plays before it is asked whether compiling is worth while."""

COMPILING, LINE = 0.1, 0.0002
"""About how many CPU seconds the first tier takes, and how many more for each line of printed Python."""

AGAIN, GAIN = 6e-6, 0.2
"""About how many CPU seconds the second tier takes for each character of LLVM text, and which part of the time of the
first it saves then. Decision 0031 has the measurements."""


def playouts(
    game: Game, machine: Compiled, n: int, seed: int, first: int = 0, threads: int = 1
) -> Iterator[GameSummary]:
    """Games ``first`` to ``first + n - 1`` of a seed, all players at random. Raises Exhausted for an endless game."""
    blocks = ((start, min(BLOCK, first + n - start)) for start in range(first, first + n, BLOCK))
    if threads <= 1 or n <= BLOCK:
        for start, size in blocks:
            words = machine.playouts(size, seed, start)
            _improve_in_time(machine, first + n - start - size)
            yield from _told(game, machine, words, size, seed, start)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[tuple[int, int, Future[Words]]] = deque()
        try:
            for start, size in blocks:  # few are under way at once, so that any number of games needs the same memory
                waiting.append((start, size, pool.submit(machine.playouts, size, seed, start)))
                if len(waiting) > AHEAD * threads:
                    yield from _next(game, machine, waiting, seed)
                    _improve_in_time(machine, first + n - start - size)
            while waiting:
                yield from _next(game, machine, waiting, seed)
        finally:
            for _, _, future in waiting:
                future.cancel()


def compiled_alone(game: Game, machine: Compiled, n: int, seed: int, first: int) -> Iterator[GameSummary | None]:
    """The same by compiled code and nothing else: None for a game that it gives up."""
    for start in range(first, first + n, BLOCK):
        size = min(BLOCK, first + n - start)
        yield from _said(game, machine, machine.playouts(size, seed, start), size, start)


def compiled_in_time(
    game: Game, n: int, seed: int, first: int, threads: int, policy: playing.Policy, *, promises: bool = False
) -> Iterator[GameSummary]:
    """The same, begun by printed Python and compiled as soon as that saves more time than it takes."""
    advised = tuple(each == "advised" for each in policy)
    there = game.compiled_before(advised, promises=promises)
    if there is not None:
        yield from playouts(game, there, n, seed, first, threads)
        return
    estimate = COMPILING + LINE * game.module.source.count("\n")
    begun, done = time.process_time(), 0
    for summary in playing.playouts(game, n, seed, policy, first, promises=promises):
        yield summary
        done += 1
        if done >= FEW and (time.process_time() - begun) / done * (n - done) > estimate:
            break
    if done < n:
        machine = game.compiled_for(advised, promises=promises)
        if machine is None:
            yield from playing.playouts(game, n - done, seed, policy, first + done, promises=promises)
        else:
            yield from playouts(game, machine, n - done, seed, first + done, threads)


def _improve_in_time(machine: Compiled, left: int) -> None:
    """Compile the second tier as soon as that saves more time than it takes, in these games, or if there will be as
    many as there were. Games go on meanwhile."""
    if machine.level < SECOND and machine.played:
        spent = max(machine.spent, machine.spent / machine.played * left)
        if spent * GAIN > AGAIN * len(machine.text):
            machine.improve_behind()


def _next(
    game: Game, machine: Compiled, waiting: deque[tuple[int, int, Future[Words]]], seed: int
) -> Iterator[GameSummary]:
    """What the block that was begun first says."""
    start, size, future = waiting.popleft()
    yield from _told(game, machine, future.result(), size, seed, start)


def _told(game: Game, machine: Compiled, words: Words, n: int, seed: int, first: int) -> Iterator[GameSummary]:
    """What the words of some games say; those that were given up are played once more."""
    for place, summary in enumerate(_said(game, machine, words, n, first)):
        if summary is None:
            promises = bool(machine.promised)
            yield from playing.playouts(game, 1, seed, machine.policy, first + place, promises=promises)
        else:
            yield summary


def _said(game: Game, machine: Compiled, words: Words, n: int, first: int) -> Iterator[GameSummary | None]:
    """What the words of some games say; None for one that was given up."""
    width, nodes = machine.words, game.program.nodes
    for place in range(n):
        at = place * width
        if words[at + STATUS]:
            yield None
            continue
        kind = endings.kind_of(nodes[words[at + OVER]])
        summary = summary_of(words, at, first + place, kind, game.seats, timed=game.module.in_time)
        yield (
            attrs.evolve(summary, broken=broken_of(words[at + width - 1], machine.promised))
            if machine.promised
            else summary
        )
