"""Many games in batches, in this process or in several: whatever the division, the sum is the same."""

import contextlib
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs

from rulelang.failures import Exhausted
from rulelang.play.playouts import GameSummary, Summary, playouts

if TYPE_CHECKING:
    from rulelang.play.agents import Agent
    from rulelang.play.engine import Game

QUICK: Final = 0.25
"""Seconds that a batch may take so that the next one is larger."""
MOMENT: Final = 0.05
"""Seconds after which a process that plays alone tells how far it is."""
LARGEST: Final = 1000
"""Games in one batch."""


@attrs.frozen
class Job:
    """Everything that a worker needs to play games of its own."""

    program: str
    """The open program as IR JSON."""
    engine: str
    options: Mapping[str, str]
    players: tuple[str, ...]
    seed: int
    folder: Path
    """Where the rules lie, and perhaps players of their own."""
    promises: bool = True
    """Whether the author's promises are looked at in every state."""


@attrs.define
class Totals:
    """What finished games add up to. Adding is exact, and the same in any order."""

    summary: Summary = attrs.field(factory=Summary)
    ends: dict[tuple[str, tuple[int, ...]], int] = attrs.field(factory=dict)
    """Games by kind and winners."""

    def add(self, other: "Totals") -> None:
        """Both together."""
        self.summary = self.summary.merge(other.summary)
        for end, count in other.ends.items():
            self.ends[end] = self.ends.get(end, 0) + count

    @classmethod
    def of(cls, games: Sequence[GameSummary]) -> "Totals":
        """What these games add up to."""
        ends = Counter((game.kind, game.winners) for game in games)
        return cls(Summary.of_all(games), dict(ends))


@attrs.frozen
class Batch:
    """Some games that one process has played."""

    totals: Totals
    seconds: float


def set_up(job: Job) -> "tuple[Game, list[Agent]]":
    """The game and its players, made of a job."""
    from rulelang.ir.codec import loads
    from rulelang.tools.loading import configure
    from rulelang.tools.players import agents_named

    game = configure(loads(job.program), job.engine, len(job.players), job.options)
    return game, [agent for agent in agents_named(job.players, job.folder) if agent is not None]


def in_this_process(game: "Game", agents: "Sequence[Agent]", job: Job, games: int) -> Iterator[Totals]:
    """Game after game; those of a moment are told together."""
    played: list[GameSummary] = []
    begun = time.monotonic()
    try:
        for summary in playouts(game, games, job.seed, agents, promises=job.promises):
            played.append(summary)
            if time.monotonic() - begun > MOMENT or len(played) >= LARGEST:
                told, played = played, []
                yield Totals.of(told)
                begun = time.monotonic()
    except KeyboardInterrupt:
        yield Totals.of(played)
        raise
    yield Totals.of(played)


def in_processes(job: Job, games: int, jobs: int) -> Iterator[Totals]:
    """Batches of games, each in one of several processes, in the order of the games; few are under way at once.

    They begin small and grow as long as they are quick, so that there is soon something to tell. Whoever interrupts is
    still given what was finished.
    """
    pool = ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(job,))
    waiting: deque[Future[Batch]] = deque()
    first, size = 0, 1
    try:
        while first < games or waiting:
            while first < games and len(waiting) < 2 * jobs:
                count = min(size, games - first)
                with _undisturbed():
                    waiting.append(pool.submit(_batch, first, count))
                first += count
            batch = waiting[0].result()
            waiting.popleft()
            size = _size_after(size, batch.seconds)
            yield batch.totals
        pool.shutdown()
    except KeyboardInterrupt:
        try:
            yield from _finished(waiting)
        finally:
            _give_up(pool)
        raise
    except BrokenProcessPool:
        raise Exhausted("RL8009", "A process that played games was ended, perhaps for lack of memory.") from None
    except BaseException:
        _give_up(pool)
        raise


def _size_after(size: int, seconds: float) -> int:
    """How many games the next batch has, after one of so many took so long."""
    if seconds < QUICK:
        return min(2 * size, LARGEST)
    return max(1, size // 2) if seconds > 4 * QUICK else size


def _finished(waiting: "deque[Future[Batch]]") -> Iterator[Totals]:
    """Of the batches that are under way, the first ones that are finished."""
    while waiting and waiting[0].done():
        yield waiting.popleft().result().totals


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C waits until this is done. Workers that are started in here never hear of it: the parent stops them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _give_up(pool: ProcessPoolExecutor) -> None:
    """Wait for nothing more, and end the workers of this pool, in the middle of their games."""
    workers: dict[int, Any] = getattr(pool, "_processes", None) or {}
    own = list(workers.values())
    manager: threading.Thread | None = getattr(pool, "_executor_manager_thread", None)
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in own:
        with contextlib.suppress(OSError, ValueError):
            worker.terminate()
    if manager is not None:  # it closes a pipe, into which Python would write on its way out
        manager.join(10)


_ready: "list[tuple[Game, list[Agent], Job]]" = []
"""What this process, if it is a worker, plays."""


def _start_worker(job: Job) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when to stop
    game, agents = set_up(job)
    _ready.append((game, agents, job))


def _batch(first: int, count: int) -> Batch:
    game, agents, job = _ready[0]
    began = time.monotonic()
    totals = Totals.of(list(playouts(game, count, job.seed, agents, first, promises=job.promises)))
    return Batch(totals, time.monotonic() - began)
