"""How many random playouts a second: compiled games beside printed Python, the reference, C written by hand, and peers.

    python benchmarks/playouts.py [--seconds S] [--repeats N] [--threads 1,2] [--only NAME ...] [--no-peers]
                                  [--format text|json]

Kind of playout: every seat chooses uniformly among its complete legal moves, from the start to the end, default options
unless said otherwise. In each repeat everything is run in turn, for so many CPU seconds each, so that a busy machine
disturbs all alike; printed are the medians (lowest - highest) of the repeats, by CPU second and by second of the clock.
The first games of each ruleset must come to the same on compiled games and printed Python, or the run fails. C is
compiled by the compiler that `CC` names (default cc); if there is none, that is said. 13 Animals in C is `animals.c`,
which plays the same games, draw by draw: its first games must come to the same, too. Other C is `limit.c`, with random
numbers of its own; its games are the same games, but for what stands in brackets. A ruleset that has no compiled form
is measured without; why is said.

Peers are OpenSpiel, Pgx, Ludax and RLCard where they are installed: `peers.py` says how to run with them, which of
their games is which ruleset, and what it does otherwise. One that fails is told of, and the others go on. Figures of
RBG, Ludii, and of peers that are not measured are from the design's table: others measured them elsewhere, and each is
marked.

What compiled games are compared with last is the best peer with the same rules: among those measured, and in the table
(there the highest figure, and ours by CPU second). Compiled code is not kept, so that compiling takes what it takes,
unless RULELANG_CACHE says otherwise. What is done is told on stderr.
"""

import argparse
import ctypes
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import attrs

import rulelang
from rulelang.play.agents import RandomAgent
from rulelang.play.playouts import GameSummary, playouts
from rulelang_native import Engine, endings, playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.lowering.failing import NotLowered
from rulelang_reference import engine as reference

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:  # where this file is not run, but imported
    sys.path.append(str(HERE))

import peers  # noqa: E402
from peers import Played, Player  # noqa: E402

PLAYOUT = "random playouts: each seat uniformly among its complete legal moves"
SEED = 1
COMPARED = 100

Play = Callable[[int, int], Played]
"""So many games from a number on."""


@attrs.frozen
class Subject:
    """A ruleset with seats and options, and the C that plays the same."""

    name: str
    seats: int
    options: dict[str, int | str | bool] = attrs.field(factory=dict)
    by_hand: tuple[str, ...] = ()
    """Programs of `limit.c`."""
    difference: str = ""
    """What the C does otherwise."""
    library: str = ""
    """The C file beside this one that plays the very same games, without `.c`: see `Library`."""
    here: bool = False
    """Whether the ruleset lies in this folder: nobody looks at it when compiled games are made faster."""

    @property
    def title(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"{self.name}, {self.seats} seats{options}"


SUBJECTS = (
    Subject("tic-tac-toe", 2, {}, ("ttt",)),
    Subject("connect-four", 2, {}, ("c4bit", "c4nat")),
    Subject("othello", 2),
    Subject("hex", 2),
    Subject("dark-hex", 2),
    Subject("dark-hex", 2, {"size": 11}),
    Subject("breakthrough", 2),
    Subject("kuhn-poker", 2),
    Subject("leduc-poker", 2, {}, ("leduc",)),
    Subject("pig", 2, {}, ("pig",)),
    Subject("liars-dice", 2),
    Subject("13-animals", 2, library="animals"),
    Subject("13-animals", 4, library="animals"),
    Subject("taiwan-monsters-brawl", 4),
    Subject("monster-bande", 2),
    Subject("five-in-a-row", 2),
    Subject("five-in-a-row", 2, {"rows": 8, "columns": 9}),
    Subject("five-classes", 3, here=True),
    Subject("spades", 4),
)


@attrs.frozen
class Rate:
    """What one repeat measured."""

    played: Played
    cpu: float
    wall: float


@attrs.define
class Contest:
    """One subject and everything that plays it."""

    subject: Subject
    players: dict[str, Play]
    compiling: float | None
    """CPU seconds, if it has a compiled form."""
    not_compiled: str = ""
    """Why it has none."""
    peers: list[Player] = attrs.field(factory=list)
    without: list[str] = attrs.field(factory=list)
    """Peers that failed, and how."""
    rates: dict[str, list[Rate]] = attrs.field(factory=dict)
    of_peers: list[list[Rate]] = attrs.field(factory=list)
    """One list for each of them."""
    by_hand: dict[str, list[tuple[float, float]]] = attrs.field(factory=dict)
    """Of `limit.c`: playouts by CPU second, and by second of the clock."""


# ------------------------------------------------------------------ players


def contest(subject: Subject, threads: tuple[int, ...], library: "Library | None", with_peers: bool = True) -> Contest:
    """A subject made ready. Ends the run if compiled games or those of its library are not those of printed Python."""
    program = rulelang.load(HERE / subject.name if subject.here else subject.name).program
    game = Engine().configure(program, subject.seats, subject.options)
    plain: Any = reference.configure(program, subject.seats, subject.options)
    agents = [RandomAgent()] * subject.seats
    players: dict[str, Play] = {}
    found = Contest(subject, players, None)
    begun = time.process_time()
    try:
        machine = Compiled(game)
    except NotLowered as failure:
        found.not_compiled = failure.reason
    else:
        found.compiling = time.process_time() - begun
        _check(subject, library, game, machine)
        for count in threads:
            name = "compiled" if count == 1 else f"compiled, {count} threads"
            players[name] = _compiled(machine, count)
    players["printed Python"] = _told(lambda n, first: playing.playouts(game, n, SEED, "random", first))
    players["reference"] = _told(lambda n, first: playouts(plain, n, SEED, agents, first))
    if library is not None:
        for version in VERSIONS:
            for count in threads:
                name = f"C {version}" if count == 1 else f"C {version}, {count} threads"
                players[name] = _by_hand(library, version, subject.seats, count)
    if with_peers:
        found.peers, found.without = peers.players(subject.title)
        found.of_peers = [[] for _ in found.peers]
    return found


def _check(subject: Subject, library: "Library | None", game: Game, machine: Compiled) -> None:
    mine = list(compiled_playing.playouts(game, machine, COMPARED, SEED))
    if mine != list(playing.playouts(game, COMPARED, SEED, "random")):
        sys.exit(f"{subject.title}: compiled games differ from printed Python")
    for version in VERSIONS if library is not None else ():
        assert library is not None
        if library.games(version, subject.seats, COMPARED, SEED) != [told(summary) for summary in mine]:
            sys.exit(f"{subject.title}: the {version} games of C differ from compiled ones")


def _told(play: Callable[[int, int], Iterator[Any]]) -> Play:
    def run(n: int, first: int) -> Played:
        events = decisions = 0
        for summary in play(n, first):
            events += summary.length
            decisions += summary.decisions
        return Played(n, events, decisions)

    return run


def _shared(play: Callable[[int, int], Any], n: int, first: int, threads: int) -> list[Any]:
    """So many games from a number on, divided among threads: what each of them found."""
    if threads == 1:
        return [play(n, first)]
    share = -(-n // threads)
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda at: play(min(share, n - at), first + at), range(0, n, share)))


def _by_hand(library: "Library", version: str, seats: int, threads: int) -> Play:
    def run(n: int, first: int) -> Played:
        found = _shared(lambda n, first: library.totals(version, seats, n, SEED, first), n, first, threads)
        return Played(n, *map(sum, zip(*found, strict=True)))

    return run


def _compiled(machine: Compiled, threads: int) -> Play:
    def run(n: int, first: int) -> Played:
        found = _shared(lambda n, first: machine.totals(n, SEED, first), n, first, threads)
        return Played(n, *map(sum, zip(*found, strict=True)))

    return run


def measured(play: Play, seconds: float, first: int, batch: int) -> tuple[Rate, int]:
    """Games for some CPU seconds, in batches that grow to about a fifth of it; and how large the last one was."""
    parts: list[Played] = []
    games = 0
    wall, start = time.perf_counter(), time.process_time()
    now = start
    while now - start < seconds:
        before = time.process_time()
        wall_before = time.perf_counter()
        parts.append(play(batch, first + games))
        games += parts[-1].games
        now = time.process_time()
        if now - before < seconds / 10 and time.perf_counter() - wall_before < seconds:
            batch *= 2
    return Rate(together(parts), now - start, time.perf_counter() - wall), batch


def together(parts: Sequence[Played]) -> Played:
    """What parts add up to. What one does not know, all do not."""
    events, decisions = (
        None if None in values else sum(cast("list[int]", values))
        for values in ([each.events for each in parts], [each.decisions for each in parts])
    )
    return Played(sum(each.games for each in parts), events, decisions, sum(each.given_up for each in parts))


# ------------------------------------------------------------------ C


class NotBuilt(Exception):
    """There is no C compiler, or it does not take a file."""


def built(source: str, *more: str) -> Path:
    """A C file of this folder, compiled. Raises NotBuilt."""
    named = os.environ.get("CC", "cc")
    compiler = shutil.which(named)
    if compiler is None:
        raise NotBuilt(f"there is no C compiler {named} (the variable CC names one)")
    program = Path(tempfile.mkdtemp()) / Path(source).stem
    command = [compiler, "-O3", "-march=native", *more, "-o", str(program), str(HERE / source), "-lpthread"]
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if run.returncode:
        why = next((line for line in run.stderr.splitlines() if "error" in line), f"it ended with {run.returncode}")
        raise NotBuilt(f"{compiler} does not take {source}: {why}")
    return program


VERSIONS = ("natural", "packed")
"""The ways in which a library plays the same games."""

Told = tuple[tuple[int, ...], tuple[Fraction, ...], int, int]
"""Of one game: winners, returns, events, decisions."""


def told(summary: GameSummary) -> Told:
    """What a library tells of a game, too."""
    return summary.winners, summary.returns, summary.length, summary.decisions


class Library:
    """A C file whose functions NAME_natural and NAME_packed play the random games of a ruleset, draw by draw.

    They take the seats, a seed, the first game and how many, room for what each came to (or nothing), and for totals.
    """

    class _Result(ctypes.Structure):
        _fields_ = (
            *((name, ctypes.c_int) for name in ("given_up", "length", "decisions", "winners")),
            ("points", ctypes.c_int * 5),
        )

    class _Totals(ctypes.Structure):
        _fields_ = tuple((name, ctypes.c_uint64) for name in ("events", "decisions", "given_up"))

    def __init__(self, name: str) -> None:
        """Compiles it. Raises NotBuilt."""
        library = ctypes.CDLL(str(built(f"{name}.c", "-shared", "-fPIC")))
        kind = ctypes.CFUNCTYPE(None, ctypes.c_int, *[ctypes.c_uint64] * 3, *[ctypes.c_void_p] * 2)
        self._versions = {version: kind((f"{name}_{version}", library)) for version in VERSIONS}

    def totals(self, version: str, seats: int, n: int, seed: int, first: int = 0) -> tuple[int, int, int]:
        """How many events and decisions some games have, and how many of them are given up."""
        totals = self._Totals()
        self._versions[version](seats, seed, first, n, None, ctypes.byref(totals))
        return totals.events, totals.decisions, totals.given_up

    def results(self, version: str, seats: int, n: int, seed: int, first: int = 0) -> Sequence[Any]:
        """What each game came to: given_up, length, decisions, winners (a bit for each) and the points of the seats."""
        results: Any = (self._Result * n)()
        self._versions[version](seats, seed, first, n, results, ctypes.byref(self._Totals()))
        return cast("Sequence[Any]", results)

    def games(self, version: str, seats: int, n: int, seed: int, first: int = 0) -> list[Told]:
        """The same as rulelang tells it."""
        found = []
        for each in self.results(version, seats, n, seed, first):
            best = tuple(seat for seat in range(seats) if each.winners >> seat & 1)
            outcome = endings.outcome("aborted" if each.given_up else "winners", best, seats)
            found.append((outcome.winners, outcome.returns, each.length, each.decisions))
        return found


def written_by_hand(subjects: list[Subject]) -> tuple[Path | None, dict[str, Library], list[str]]:
    """What of the C is there that subjects need: `limit.c` and libraries; and why the rest is not."""
    program: Path | None = None
    libraries: dict[str, Library] = {}
    without: list[str] = []
    try:
        if any(subject.by_hand for subject in subjects):
            program = built("limit.c")
    except NotBuilt as failure:
        without.append(str(failure))
    for name in dict.fromkeys(subject.library for subject in subjects if subject.library):
        try:
            libraries[name] = Library(name)
        except NotBuilt as failure:
            without.append(str(failure))
    return program, libraries, list(dict.fromkeys(without))


LINE = re.compile(r"thr=(\d) pl/cpu-s med (\S+) min \S+ max \S+ \| pl/wall-s max (\S+)")


def c_rates(program: Path, name: str, seconds: float) -> dict[int, tuple[float, float]]:
    """Playouts of one game by hand, by threads: by CPU second and by second of the clock."""
    run = subprocess.run([program, str(max(0.05, seconds / 5)), name], capture_output=True, text=True, check=True)
    return {int(threads): (float(cpu), float(wall)) for threads, cpu, wall in LINE.findall(run.stdout)}


# ------------------------------------------------------------------ results


def run(contests: list[Contest], seconds: float, repeats: int, program: Path | None) -> None:
    """All repeats, everything in turn."""
    batches: dict[tuple[str, str], int] = {}
    for repeat in range(repeats):
        for each in contests:
            print(f"repeat {repeat + 1} of {repeats}: {each.subject.title}", file=sys.stderr)
            for name, play in each.players.items():
                key = each.subject.title, name
                rate, batches[key] = measured(play, seconds, repeat * 10_000_000, batches.get(key, 1))
                each.rates.setdefault(name, []).append(rate)
            for name in each.subject.by_hand if program is not None else ():
                assert program is not None
                for threads, rates in c_rates(program, name, seconds).items():
                    key_ = f"C {name}" if threads == 1 else f"C {name}, {threads} threads"
                    each.by_hand.setdefault(key_, []).append(rates)
            _run_peers(each, seconds, batches)


def _run_peers(each: Contest, seconds: float, batches: dict[tuple[str, str], int]) -> None:
    """One repeat of all peers. One that fails is left out from then on."""
    for player, rates in list(zip(each.peers, each.of_peers, strict=True)):
        key = each.subject.title, f"{player.name} {player.entry.game}"
        try:
            rate, batches[key] = measured(_of_peer(player), seconds, 0, batches.get(key, 1))
        except Exception as failure:  # whatever a peer does wrong, the others are measured
            at = each.peers.index(player)
            del each.peers[at], each.of_peers[at]
            each.without.append(peers.left_out(f"{player.name} ({player.entry.game})", each.subject.title, failure))
        else:
            rates.append(rate)


def _of_peer(player: Player) -> Play:
    return lambda n, first: player.play(n)


def spread(values: list[float]) -> dict[str, float]:
    """Median, lowest and highest."""
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


def told_rates(rates: list[Rate]) -> dict[str, Any]:
    """What is told of one player: spreads by CPU second and by second, and what is known of its games."""
    played = together([rate.played for rate in rates])
    found: dict[str, Any] = {"games": played.games}
    if played.events is not None:
        found["events_a_game"] = played.events / played.games
    if played.decisions is not None:
        found["decisions_a_game"] = played.decisions / played.games
    found["given_up"] = played.given_up
    found["cpu"] = spread([rate.played.games / rate.cpu for rate in rates])
    found["wall"] = spread([rate.played.games / rate.wall for rate in rates])
    if played.decisions is not None:
        found["decisions_cpu"] = spread([(rate.played.decisions or 0) / rate.cpu for rate in rates])
    return found


def figures(each: Contest) -> dict[str, Any]:
    """What is told of one subject."""
    found: dict[str, Any] = {
        "subject": each.subject.title,
        "compile_cpu_seconds": each.compiling,
        "not_compiled": each.not_compiled or None,
        "c_differs": each.subject.difference,
        "rates": {name: told_rates(rates) for name, rates in each.rates.items()},
    }
    for name, pairs in each.by_hand.items():
        found["rates"][name] = {"cpu": spread([cpu for cpu, _ in pairs]), "wall": spread([wall for _, wall in pairs])}
    found["peers"] = [
        {
            "name": player.name,
            "game": player.entry.game,
            "otherwise": player.entry.otherwise,
            "note": player.note,
            "ready_cpu_seconds": player.ready,
            **told_rates(rates),
        }
        for player, rates in zip(each.peers, each.of_peers, strict=True)
    ]
    found["peers_left_out"] = each.without
    measured_here = {player.name for player in each.peers}
    found["table"] = [
        {"name": figure.name, "from": figure.low, "to": figure.high, "mark": f"{peers.ELSEWHERE}: {peers.SOURCE}"}
        for figure in peers.FIGURES.get(each.subject.title, ())
        if figure.name not in measured_here
    ]
    if each.compiling is not None:
        found.update(compared(found))
    return found


def compared(row: dict[str, Any]) -> dict[str, Any]:
    """How many times as fast compiled games are, by CPU second, as C and the best peers with the same rules."""
    found: dict[str, Any] = {}
    compiled = row["rates"]["compiled"]["cpu"]["median"]
    shares = {
        name: compiled / rates["cpu"]["median"]
        for name, rates in row["rates"].items()
        if name.startswith("C ") and "," not in name
    }
    if shares and not row["c_differs"]:
        found["of_c"] = shares
        found["of_the_best_c"] = min(shares.values())
    here = [(peer["cpu"]["median"], peer["name"]) for peer in row["peers"] if not peer["otherwise"]]
    table = [(figure["to"], figure["name"]) for figure in row["table"]]
    for key, rates in (("of_the_best_peer_here", here), ("of_the_best_peer_in_the_table", table)):
        if rates:
            best, name = max(rates)
            found[key] = {"name": name, "times": compiled / best}
    return found


def results(contests: list[Contest], seconds: float, repeats: int, without: list[str]) -> dict[str, Any]:
    rows = [figures(each) for each in contests]
    shares = [row["of_the_best_c"] for row in rows if "of_the_best_c" in row]
    return {
        "rulelang": rulelang.__version__,
        "python": sys.version.split()[0],
        "cores": os.cpu_count(),
        "playout": PLAYOUT,
        "seed": SEED,
        "cpu_seconds_a_repeat": seconds,
        "repeats": repeats,
        "c_left_out": without,
        "peers": peers.versions(),
        "decisions_hosted_by_python": {
            "from": peers.HOSTED[0],
            "to": peers.HOSTED[1],
            "mark": f"{peers.ELSEWHERE}: {peers.SOURCE}",
        },
        "subjects": rows,
        "geometric_mean_of_the_best_c": math.exp(statistics.fmean(map(math.log, shares))) if shares else None,
    }


def lines(found: dict[str, Any]) -> Iterator[str]:
    """The same for people."""
    yield f"rulelang {found['rulelang']}, Python {found['python']}, {found['cores']} cores; {found['playout']}"
    seconds = found["cpu_seconds_a_repeat"]
    yield f"{found['repeats']} repeats of {seconds:g} CPU seconds each, in turn, seed {found['seed']}"
    for why in found["c_left_out"]:
        yield f"C is left out: {why}"
    there = (f"{name} {version or 'is not installed'}" for name, version in found["peers"].items())
    yield f"peers: {', '.join(there)}"
    hosted = found["decisions_hosted_by_python"]
    yield f"engines hosted by Python: {hosted['from']:,} - {hosted['to']:,} decisions by s ({hosted['mark']})"
    for row in found["subjects"]:
        yield ""
        yield from _row(row)
    if found["geometric_mean_of_the_best_c"] is not None:
        yield ""
        yield f"geometric mean of the shares of the best C: {_share(found['geometric_mean_of_the_best_c'])}"


def _row(row: dict[str, Any]) -> Iterator[str]:
    """One subject."""
    compiled = row["rates"].get("compiled", row["rates"]["printed Python"])
    seconds = row["compile_cpu_seconds"]
    events, decisions = compiled["events_a_game"], compiled["decisions_a_game"]
    yield (
        f"{row['subject']}: {events:.1f} events, {decisions:.1f} decisions a game; "
        + (f"not compiled: {row['not_compiled']}" if seconds is None else f"compiled in {seconds:.2f} CPU s")
        + (f"; {compiled['given_up']} of {compiled['games']} given up" if compiled["given_up"] else "")
    )
    for name, rates in row["rates"].items():
        yield _line(name, rates, [row["c_differs"]] if name.startswith("C ") else [])
    for peer in row["peers"]:
        known = [peer["game"], f"otherwise: {peer['otherwise']}" if peer["otherwise"] else "", peer["note"]]
        if "decisions_a_game" in peer:
            known.append(f"{peer['decisions_a_game']:.1f} decisions a game")
        known.append(f"ready in {peer['ready_cpu_seconds']:.2f} CPU s")
        yield _line(peer["name"], peer, known)
    for why in row["peers_left_out"]:
        yield f"  {why}"
    for figure in row["table"]:
        low, high = figure["from"], figure["to"]
        said = f"{low:,}" if low == high else f"{low:,} - {high:,}"
        yield f"  {figure['name']:<22}{said:<38} by s and core   ({figure['mark']})"
    if "of_the_best_c" in row:
        shares = ", ".join(f"{_share(share)} of {name}" for name, share in row["of_c"].items())
        yield f"  {_share(row['of_the_best_c'])} of the best C by CPU second: compiled is {shares}"
    for key, where in (("here", "measured here"), ("in_the_table", "in the table, measured elsewhere")):
        best = row.get(f"of_the_best_peer_{key}")
        if best is not None:
            yield f"  compiled is {_share(best['times'])} times the best peer {where} ({best['name']})"


def _line(name: str, rates: dict[str, Any], known: list[str]) -> str:
    """One player."""
    decisions = f"   {rates['decisions_cpu']['median']:,.0f} decisions by CPU s" if "decisions_cpu" in rates else ""
    games = f"{_said(rates['cpu']):<38} by CPU s   {_said(rates['wall']):<38} by s"
    said = "; ".join(each for each in known if each)
    return f"  {name:<22}{games}{decisions}" + (f"  ({said})" if said else "")


def _share(share: float) -> str:
    return f"{share:,.0f}" if share >= 100 else f"{share:.2f}" if share >= 0.1 else f"{share:.2g}"


def _said(values: dict[str, float]) -> str:
    return f"{_number(values['median'])} ({_number(values['min'])} - {_number(values['max'])})"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Random playouts a second, compiled and otherwise.")
    parser.add_argument("--seconds", type=float, default=0.5, help="CPU seconds of each in a repeat (0.5)")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", default="1,2", help="numbers of threads of compiled games (1,2)")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="these rulesets alone")
    parser.add_argument("--no-peers", action="store_true", help="without peers, installed or not: the table alone")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    given = parser.parse_args()
    os.environ.setdefault("RULELANG_CACHE", "off")
    subjects = [each for each in SUBJECTS if not given.only or each.name in given.only]
    if not subjects:
        parser.error(f"there are {', '.join(dict.fromkeys(each.name for each in SUBJECTS))}")
    threads = tuple(dict.fromkeys((1, *map(int, given.threads.split(",")))))
    program, libraries, without = written_by_hand(subjects)
    contests = []
    for subject in subjects:
        print(f"compiling {subject.title}", file=sys.stderr)
        contests.append(contest(subject, threads, libraries.get(subject.library), not given.no_peers))
    run(contests, given.seconds, given.repeats, program)
    found = results(contests, given.seconds, given.repeats, without)
    print(json.dumps(found, indent=2) if given.format == "json" else "\n".join(lines(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
