"""Machine code that is kept: whatever lies in the cache, or does not, the games are those of printed Python."""

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from rulelang.pipeline import compile_text, load
from rulelang.play.playouts import GameSummary
from rulelang_native import Engine, engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import cache, machine
from rulelang_native.llvm import compiled as compiled_module
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import AT_ONCE, FIRST, SECOND

SEED = 31
POSIX = pytest.mark.skipif(os.name == "nt", reason="owners and modes are POSIX's")


def game_of(name: str) -> Game:
    return engine.configure(load(name).program, 2, {})


def printed(game: Game, n: int) -> list[GameSummary]:
    return list(playing.playouts(game, n, SEED, "random", 0))


def played(game: Game, found: Compiled, n: int) -> list[GameSummary]:
    """Games of compiled code alone: none of them was given up."""
    assert not any(found.playouts(n, SEED, 0)[:: found.words])
    return list(compiled_playing.playouts(game, found, n, SEED))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    path = tmp_path / "cache"
    monkeypatch.setenv("RULELANG_CACHE", str(path))
    return path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The tiers of everything that LLVM compiles from now on."""
    levels: list[int] = []
    real = machine.machine_code

    def noted(text: str, level: int, wanted: Callable[[], bool] = lambda: True) -> bytes:
        levels.append(level)
        return real(text, level, wanted)

    monkeypatch.setattr(machine, "machine_code", noted)
    return levels


def files(home: Path) -> list[Path]:
    return sorted(home.iterdir())


# ------------------------------------------------------------------ what is kept is used


@pytest.mark.parametrize("level", [FIRST, SECOND])
@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "kuhn-poker"])
def test_what_was_compiled_is_not_compiled_again(name: str, level: int, home: Path, made: list[int]) -> None:
    game = game_of(name)
    assert played(game, Compiled(game, level), 40) == printed(game, 40)
    assert made == [level] and len(files(home)) == 1
    assert played(game, Compiled(game, level), 40) == printed(game, 40)
    assert made == [level] and len(files(home)) == 1


GROUPS = """game "Groups":
  players: 2
values Card: 1..5
zone deck: pile of Card, seen by nobody, starts with each Card times 3
zone hand for each player: bag of Card
marker score for each player: 0..99999
move look: my score rises by 0
define close(g: bag of Card) = highest(c for each c in g) - lowest(c for each c in g) < 3
define sets(p: player) = best_partition(highest(c for each c in g) for each g in bags(2..3, p's hand) where close(g))
overview:
  shuffle deck
  each p in players:
    repeat 6 times: put top from deck into p's hand
    p must look
  end game, each p in players gets value of sets(p)
"""


def test_tables_of_divisions_are_kept_too(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Engine().configure(compile_text(GROUPS).program, 2, {})
    assert played(game, Compiled(game, FIRST), 40) == printed(game, 40)
    assert len(files(home)) == 2
    with monkeypatch.context() as patch:
        patch.delattr(machine.Code, "judge")
        assert played(game, Compiled(game, FIRST), 40) == printed(game, 40)
    for path in files(home):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert played(game, Compiled(game, FIRST), 40) == printed(game, 40)


def test_another_way_to_list_bags_makes_other_tables(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Engine().configure(compile_text(GROUPS).program, 2, {})
    Compiled(game, FIRST)
    changed = tmp_path / "divisions.py"
    changed.write_text("another way\n")
    monkeypatch.setattr(compiled_module.divisions, "__file__", str(changed))
    Compiled(game, FIRST)
    assert len(files(home)) == 3
    monkeypatch.setattr(compiled_module.divisions, "__file__", str(tmp_path / "in" / "an.archive"))
    assert played(game, Compiled(game, FIRST), 40) == printed(game, 40)
    assert len(files(home)) == 3


def test_games_begin_with_the_best_that_is_there(home: Path, made: list[int]) -> None:
    game = Game(game_of("pig").program)
    assert game.compiled is not None and game.compiled.level == FIRST
    assert Compiled(game, AT_ONCE).level == FIRST
    game.compiled.improve()
    assert game.compiled.level == SECOND
    assert made == [FIRST, SECOND]
    assert Compiled(game, AT_ONCE).level == SECOND
    assert played(game, Compiled(game, AT_ONCE), 40) == printed(game, 40)
    assert made == [FIRST, SECOND]


# ------------------------------------------------------------------ damage


def damages(whole: bytes) -> Iterator[tuple[str, bytes]]:
    """What can become of a file."""
    head, length = cache.HEAD.size, len(whole)
    for at in (0, 22, 26, 30, head, head + cache.HASH, head + cache.HASH + 99, length // 3, length // 2, length - 1):
        yield f"byte {at}", whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]
    for left in (0, 1, cache.HEAD.size, cache.HEAD.size + cache.HASH, length // 2, length - 1):
        yield f"the first {left} bytes", whole[:left]
    yield "one byte more", whole + b"\0"
    yield "twice", whole + whole
    yield "zeros", bytes(length)
    yield "the code alone", whole[whole.index(b"\x7fELF") :] if b"\x7fELF" in whole else b"code"
    yield "noise", bytes(at * at % 251 for at in range(length))


def test_a_damaged_file_is_not_used_and_is_replaced(home: Path, made: list[int]) -> None:
    game = game_of("pig")
    wanted = printed(game, 10)
    Compiled(game, FIRST)
    (path,) = files(home)
    whole = path.read_bytes()
    for count, (what, damaged) in enumerate(damages(whole), start=2):
        path.write_bytes(damaged)
        assert played(game, Compiled(game, FIRST), 10) == wanted, what
        assert len(made) == count, what
        assert path.read_bytes() == whole, what


def test_nothing_of_a_damaged_file_reaches_the_linker(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the one above could be luck: a flipped bit in an instruction that is never come to."""
    game = game_of("pig")
    Compiled(game, FIRST)
    (path,) = files(home)
    whole = path.read_bytes()
    code = cache.read(machine.key_of_text(Compiled(game, FIRST).text, "level 1"))
    loaded: list[bytes] = []
    real = machine._loaded

    def noted(given: bytes, level: int) -> object:
        loaded.append(given)
        return real(given, level)

    monkeypatch.setattr(machine, "_loaded", noted)
    for what, damaged in damages(whole):
        path.write_bytes(damaged)
        Compiled(game, FIRST)
        assert loaded.pop() == code and not loaded, what


def test_a_file_of_another_key_is_not_used(home: Path, made: list[int]) -> None:
    """Right in itself, under a name that is not its own."""
    pig, toe = game_of("pig"), game_of("tic-tac-toe")
    Compiled(pig, FIRST)
    (of_pig,) = files(home)
    Compiled(toe, FIRST)
    (of_toe,) = set(files(home)) - {of_pig}
    of_toe.write_bytes(of_pig.read_bytes())
    assert played(toe, Compiled(toe, FIRST), 20) == printed(toe, 20)
    assert made == [FIRST] * 3


@pytest.mark.parametrize(
    ("where", "what", "other"),
    [
        (machine.llvmlite, "__version__", "0.1"),
        (machine.llvm, "llvm_version_info", (1, 2, 3)),
        (machine.llvm, "get_process_triple", lambda: "m68k-unknown-linux-gnu"),
        (machine.llvm, "get_host_cpu_name", lambda: "x86-64"),
        (machine, "PASSES", ("sroa",)),
    ],
)
def test_code_for_others_is_not_used(
    home: Path, made: list[int], monkeypatch: pytest.MonkeyPatch, where: object, what: str, other: object
) -> None:
    """What another LLVM, another processor or other passes made has another key: its file is not even looked at."""
    game = game_of("pig")
    text = Compiled(game, FIRST).text
    mine = machine.key_of_text(text, "level 1")
    with monkeypatch.context() as patch:
        patch.setattr(where, what, other)
        theirs = machine.key_of_text(text, "level 1")
        assert theirs != mine
        assert cache.read(theirs) is None
    whole = cache._written(theirs, b"their code")
    (path,) = files(home)
    path.write_bytes(whole)  # and should it lie under this name
    assert cache.read(mine) is None
    assert played(game, Compiled(game, FIRST), 20) == printed(game, 20)
    assert made == [FIRST] * 2


def test_other_features_of_the_processor_are_another_key(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Compiled(game_of("pig"), FIRST).text
    mine = machine.key_of_text(text, "level 1")
    features = llvm.get_host_cpu_features()
    features["bmi2"] = not features.get("bmi2")
    monkeypatch.setattr(machine.llvm, "get_host_cpu_features", lambda: features)
    assert machine.key_of_text(text, "level 1") != mine


def test_tiers_and_texts_are_other_keys() -> None:
    keys = {machine.key_of_text(text, level) for text in ("a", "b") for level in ("level 1", "level 2")}
    assert len(keys) == 4
    assert cache.key_of("a", "b") != cache.key_of("ab") != cache.key_of("a", "", "b")
    assert cache.key_of("1:a\n") != cache.key_of("1:a", "")


def test_an_older_format_is_not_used(home: Path, made: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("pig")
    with monkeypatch.context() as patch:
        patch.setattr(cache, "FORMAT", cache.FORMAT - 1)
        Compiled(game, FIRST)
    assert played(game, Compiled(game, FIRST), 20) == printed(game, 20)
    assert made == [FIRST] * 2
    Compiled(game, FIRST)
    assert made == [FIRST] * 2


def test_what_is_whole_and_yet_no_object_file_is_compiled_anew(home: Path, made: list[int]) -> None:
    game = game_of("pig")
    text = Compiled(game, FIRST).text
    cache.keep(machine.key_of_text(text, "level 1"), b"no object file")
    assert played(game, Compiled(game, FIRST), 20) == printed(game, 20)
    assert made == [FIRST] * 2


# ------------------------------------------------------------------ folders that are none

UNUSABLE = ("a file", "below a file", "off", "", "a name that is none")


@pytest.mark.parametrize("what", UNUSABLE)
def test_without_a_folder_games_are_compiled_all_the_same(
    what: str, tmp_path: Path, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    names = {"a file": str(file), "below a file": str(file / "cache"), "a name that is none": "a" * 5000}
    given = names.get(what, what)
    monkeypatch.setenv("RULELANG_CACHE", given)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game = game_of("pig")
    for count in (1, 2):
        assert played(game, Compiled(game, FIRST), 20) == printed(game, 20)
        assert len(made) == count
    assert [path.name for path in tmp_path.iterdir()] == ["file"] and file.read_text() == "in the way"


@POSIX
def test_a_folder_that_cannot_be_written_is_read(home: Path, made: list[int]) -> None:
    """Nothing is kept there, and what is there already is used. (Root may write it anyway: see the next.)"""
    pig, toe = game_of("pig"), game_of("tic-tac-toe")
    Compiled(pig, FIRST)
    home.chmod(0o500)
    try:
        assert played(pig, Compiled(pig, FIRST), 20) == printed(pig, 20)
        assert made == [FIRST]
        assert played(toe, Compiled(toe, FIRST), 20) == printed(toe, 20)
        assert made == [FIRST] * 2
        assert len(files(home)) == (2 if os.geteuid() == 0 else 1)
    finally:
        home.chmod(0o700)


@pytest.mark.parametrize("step", ["mkstemp", "replace", "write"])
def test_a_disk_that_is_full_or_read_only_changes_nothing(
    step: str, home: Path, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    class Full:
        def __init__(self, handle: int, mode: str) -> None:
            self.handle = handle

        def __enter__(self) -> "Full":
            return self

        def __exit__(self, *_: object) -> None:
            os.close(self.handle)

        write = fails

    game = game_of("pig")
    with monkeypatch.context() as patch:
        if step == "mkstemp":
            patch.setattr(cache.tempfile, "mkstemp", fails)
        elif step == "replace":
            patch.setattr(cache.os, "replace", fails)
        else:
            patch.setattr(cache, "open", Full, raising=False)
        found = Compiled(game, FIRST)
    assert played(game, found, 20) == printed(game, 20)
    assert files(home) == []


@POSIX
def test_what_others_could_have_written_is_not_used(home: Path, made: list[int]) -> None:
    game = game_of("pig")
    Compiled(game, FIRST)
    (path,) = files(home)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for which, mode in ((home, 0o770), (home, 0o707), (path, 0o620), (path, 0o602)):
        before = stat.S_IMODE(which.stat().st_mode)
        which.chmod(mode)
        made.clear()
        assert played(game, Compiled(game, FIRST), 20) == printed(game, 20)
        assert made == [FIRST], (which.name, oct(mode))
        (home if which is home else path).chmod(before)
    made.clear()
    Compiled(game, FIRST)
    assert made == []


@POSIX
def test_what_belongs_to_others_is_not_used(home: Path, made: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("pig")
    Compiled(game, FIRST)
    monkeypatch.setattr(cache.os, "geteuid", lambda: os.getuid() + 1)
    assert played(game, Compiled(game, FIRST), 20) == printed(game, 20)
    assert made == [FIRST] * 2


@POSIX
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_what_is_no_file_is_not_used(kind: str, home: Path, tmp_path: Path, made: list[int]) -> None:
    game = game_of("pig")
    Compiled(game, FIRST)
    (path,) = files(home)
    if kind == "link":
        path.rename(tmp_path / "elsewhere")
        path.symlink_to(tmp_path / "elsewhere")
    else:
        path.unlink()
        os.mkfifo(path) if kind == "pipe" else path.mkdir()
    assert played(game, Compiled(game, FIRST), 20) == printed(game, 20)
    assert made == [FIRST] * 2


def test_where_the_folder_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "mine"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.folder() is None
    assert cache.folder(make=True) == tmp_path / "mine" == cache.folder()
    monkeypatch.delenv("RULELANG_CACHE")
    assert cache.folder(make=True) == tmp_path / "xdg" / "rulelang"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.setattr(cache.sys, "platform", "linux")
    if os.name != "nt":
        assert cache.folder(make=True) == tmp_path / "home" / ".cache" / "rulelang"
    monkeypatch.setattr(cache.sys, "platform", "darwin")
    assert cache.folder(make=True) == tmp_path / "home" / "Library" / "Caches" / "rulelang"


def test_the_oldest_go_when_there_is_too_much(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 5000)
    keys = [cache.key_of(str(number)) for number in range(5)]
    (home).mkdir(mode=0o700)
    left_over = home / f".left{cache.PART}"
    left_over.write_bytes(bytes(1000))
    os.utime(left_over, (1, 1))
    (home / "somebody's.json").write_bytes(bytes(9000))
    for age, key in enumerate(keys, start=2):
        cache.keep(key, bytes(1000))
        os.utime(home / cache.name_of(key), (age, age))
    assert [cache.read(key) is not None for key in keys] == [False, True, True, True, True]
    assert not left_over.exists() and (home / "somebody's.json").exists()
    monkeypatch.setattr(cache, "MANY", 2)
    cache.keep(keys[0], bytes(10))
    assert [cache.read(key) is not None for key in keys] == [True, False, False, False, True]
    monkeypatch.setattr(cache, "LARGEST", 900)
    cache.keep(keys[1], bytes(1000))
    assert cache.read(keys[1]) is None and cache.read(keys[4]) is None


# ------------------------------------------------------------------ interruptions and company

PLAY = """
import sys
from rulelang.pipeline import load
from rulelang_native import engine
from rulelang_native.llvm import machine
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.playing import playouts
game = engine.configure(load("pig").program, 2, {})
real = machine.machine_code
def noted(*given):
    print("compiling", flush=True)
    WAIT
    return real(*given)
machine.machine_code = noted
for summary in playouts(game, Compiled(game, machine.FIRST), 20, 31):
    print(summary)
"""


def process(wait: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PLAY.replace("WAIT", wait)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def said(run: "subprocess.Popen[str]") -> list[str]:
    found, _ = run.communicate("go on\n", timeout=120)
    assert run.returncode == 0
    return found.splitlines()


@POSIX
@pytest.mark.parametrize("half_written", [False, True])
def test_an_interrupted_compile_leaves_nothing_that_is_used(half_written: bool, home: Path, made: list[int]) -> None:
    """Killed inside the compiler, or while its file is written, which then has another name."""
    wait = "sys.stdin.readline()"
    if half_written:
        wait = (
            "import os, tempfile; from rulelang_native.llvm import cache; "
            "handle, _ = tempfile.mkstemp(dir=cache.folder(make=True), suffix=cache.PART); "
            "os.write(handle, cache._written(machine.key_of_text(given[0], 'level 1'), b'half')[:-2]); "
            "print('half', flush=True); sys.stdin.readline()"
        )
    run = process(wait)
    assert run.stdout is not None
    for _ in range(1 + half_written):
        run.stdout.readline()
    run.send_signal(signal.SIGKILL)
    run.communicate()
    assert len(files(home) if home.exists() else []) == half_written
    game = game_of("pig")
    assert played(game, Compiled(game, FIRST), 20) == printed(game, 20)
    assert made == [FIRST]
    Compiled(game, FIRST)
    assert made == [FIRST]


def test_two_processes_may_compile_at_once(home: Path, made: list[int]) -> None:
    """Both have begun before either has kept anything; a third compiles nothing."""
    wanted = [str(summary) for summary in printed(game_of("pig"), 20)]
    runs = [process("sys.stdin.readline()") for _ in range(2)]
    for run in runs:
        assert run.stdout is not None and run.stdout.readline() == "compiling\n"
    assert not home.exists()
    for run in runs:
        assert run.stdin is not None
        run.stdin.write("go on\n")
        run.stdin.flush()
    for run in runs:
        assert said(run) == wanted
    assert len(files(home)) == 1
    assert said(process("pass")) == wanted  # without "compiling"
    game = game_of("pig")
    assert played(game, Compiled(game, FIRST), 20) == printed(game, 20)
    assert made == []


# ------------------------------------------------------------------ processors, tiers, threads


@pytest.mark.parametrize("level", [FIRST, SECOND])
def test_without_bmi2_the_same_games_come_from_other_code(level: int, home: Path, made: list[int]) -> None:
    game = game_of("tic-tac-toe")
    for _ in range(2):
        assert played(game, Compiled(game, level, quick=False), 40) == printed(game, 40)
        assert played(game, Compiled(game, level), 40) == printed(game, 40)
    assert made == [level] * (2 if llvm.get_host_cpu_features().get("bmi2") else 1)


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig", "kuhn-poker", "dark-hex"])
def test_both_tiers_play_the_same_games(name: str) -> None:
    game = game_of(name)
    first, second = Compiled(game, FIRST), Compiled(game, SECOND)
    assert list(first.playouts(300, SEED, 0)) == list(second.playouts(300, SEED, 0))
    assert played(game, first, 20) == printed(game, 20)


def test_the_second_tier_takes_over_between_blocks(made: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as it pays, and meanwhile games go on."""
    game = game_of("pig")
    n = 12 * compiled_playing.BLOCK
    alone = list(compiled_playing.playouts(game, Compiled(game, SECOND), n, SEED))
    monkeypatch.setattr(compiled_playing, "AGAIN", 0.0)
    monkeypatch.setattr(compiled_playing, "AHEAD", 1)
    for threads in (1, 3):
        found = Compiled(game, FIRST)
        levels: list[int] = []
        many = compiled_playing.playouts(game, found, n, SEED, 0, threads)
        summaries = []
        for summary in many:
            summaries.append(summary)
            levels.append(found.level)
            if len(summaries) == 2 * compiled_playing.BLOCK:
                assert found._behind is not None
                found._behind.join()
        assert summaries == alone
        assert set(levels) == {FIRST, SECOND} == {levels[0], levels[-1]}
    assert made == [SECOND, FIRST, SECOND, FIRST, SECOND]


def test_the_second_tier_is_left_alone_where_it_does_not_pay(made: list[int]) -> None:
    game = game_of("pig")
    found = Compiled(game, FIRST)
    assert len(list(compiled_playing.playouts(game, found, 600, SEED))) == 600
    assert found._behind is None and made == [FIRST]
    found.spent = 1e6  # as if very many games had been played
    assert len(list(compiled_playing.playouts(game, found, 1, SEED))) == 1
    assert found._behind is not None
    found._behind.join()
    assert found.level == SECOND and made == [FIRST, SECOND]
    found.improve_behind()
    found.improve()
    assert made == [FIRST, SECOND]


def test_other_python_runs_while_llvm_compiles() -> None:
    """LLVM does not hold the interpreter's lock, so that games go on: else there would be a handful of them."""
    game = game_of("leduc-poker")
    found = Compiled(game, FIRST)
    found.improve_behind()
    assert found._behind is not None
    games = 0
    while found._behind.is_alive():
        found.playouts(1, SEED, games)
        games += 1
    assert found.level == SECOND
    assert games > 100


def test_a_second_tier_that_fails_leaves_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("pig")
    found = Compiled(game, FIRST)

    def fails(*_: object) -> bytes:
        raise MemoryError

    monkeypatch.setattr(machine, "machine_code", fails)
    found.improve_behind()
    assert found._behind is not None
    found._behind.join()
    assert found.level == FIRST
    assert played(game, found, 20) == printed(game, 20)
    assert threading.active_count() < 20 and not machine.under_way


LEAVE = """
from rulelang.pipeline import load
from rulelang_native import engine
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import FIRST
import os, time
game = engine.configure(load("spades").program, 4, {})
found = Compiled(game, FIRST)
found.improve_behind()
END
"""


@pytest.mark.parametrize("end", ["", "raise SystemExit(0)", "time.sleep(0.1)", "time.sleep(0.2)", "time.sleep(0.4)"])
def test_a_process_that_ends_while_it_compiles_ends_well(end: str) -> None:
    """What is inside LLVM is waited for: else its own end would come under its feet."""
    run = subprocess.run([sys.executable, "-c", LEAVE.replace("END", end)], capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


FORKED = """
assert found._behind.is_alive()
child = os.fork()
assert not found._behind.is_alive()
words = list(found.playouts(20, 31, 0))
again = Compiled(game, FIRST)
assert list(again.playouts(20, 31, 0)) == words
if child:
    assert os.waitpid(child, 0)[1] == 0
else:
    os._exit(0)
"""


@POSIX
def test_a_process_that_becomes_two_while_it_compiles_goes_on_twice() -> None:
    """Whoever forks waits for the compiler: a child would wait for ever for a lock that nobody holds there."""
    command = [sys.executable, "-W", "ignore", "-c", LEAVE.replace("END", FORKED)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@POSIX
def test_processes_that_were_one_do_not_share_what_they_work_in() -> None:
    memory = Compiled(game_of("pig"), FIRST)._memory()
    child = os.fork()
    if not child:
        memory.arena[0], memory.offers[0] = b"x", b"x"
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert memory.arena[0] == memory.offers[0] == b"\0"


def test_many_games_by_the_usual_way_fill_the_cache(home: Path, made: list[int]) -> None:
    program = load("tic-tac-toe").program
    game = Game(engine.configure(program, 2, {}).program)
    assert list(islice(game.playouts(100_000, SEED), 500)) == printed(game, 500)
    assert made == [FIRST] and len(files(home)) == 1
    again = Game(game.program)
    assert list(islice(again.playouts(100_000, SEED), 500)) == printed(game, 500)
    assert made == [FIRST]


# ------------------------------------------------------------------ size


def many_moves(count: int) -> str:
    """Rules with so many markers, moves and phases."""
    lines = ['game "Many":', "  players: 2"]
    for number in range(count):
        lines += [
            f"marker a{number} for each player: 0..9",
            f"move go{number}(n in 1..3):",
            f"  require small{number}: my a{number} < 9 - n",
            f"  my a{number} rises by n",
        ]
    lines += ["overview:", *(f"  each p in players: p must go{number}" for number in range(count))]
    return "\n".join([*lines, "  end game, each p in players gets p's a0", ""])


def test_code_grows_with_the_rules_and_no_faster() -> None:
    sizes = []
    for count in (5, 10, 20, 40):
        game = Engine().configure(compile_text(many_moves(count)).program, 2, {})
        found = Compiled(game, FIRST, quick=False)  # the smaller ones are played in lanes otherwise
        sizes.append(len(machine.machine_code(found.text, FIRST)))
        assert played(game, found, 3) == printed(game, 3)
    for small, middle, large in zip(sizes, sizes[1:], sizes[2:], strict=False):
        assert large - middle < 2.5 * (middle - small)
