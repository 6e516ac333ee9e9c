"""Compiled games are the games of printed Python, to the bit: kinds of end, winners, returns, length, cost.

All rulesets have a form. What has none is named with its reason; it is played by printed Python.
"""

import itertools
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import attrs
import pytest

from rulelang.failures import Broken, Exhausted, Refused
from rulelang.ir.program import Function, Marker, Move, Procedure, Zone
from rulelang.ir.program import Parameter as IrParameter
from rulelang.ir.walk import rebuild
from rulelang.pipeline import compile_text, load
from rulelang.play.configurations import all_seats, choices
from rulelang.play.playouts import GameSummary
from rulelang.rulesets import all_rulesets
from rulelang_native import engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import games, machine
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import compiled as machine_of_text
from rulelang_native.llvm.programs import Printer
from rulelang_native.lowering.failing import NotLowered

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reliability"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from made_games import accepted
from test_windows import OPEN, PON

RULESETS = tuple(name for name, _ in all_rulesets())
SEED = 20

FORCED = """
game "Forced window":
  players: 3
  automatic: forced_choices

zone stock: pile of 0..2, seen by nobody, starts with each 0..2 times 4
zone heap: pile of 0..2
marker caller: player or nobody
marker taken for each player: 0..6

move call:
  require late: size of heap > 2 because "the heap is small"
  my taken rises by 1

overview:
  shuffle stock
  repeat 6 times:
    put top from stock onto heap
    players may in_order call as taker
    caller becomes taker
    if caller is not nobody: caller's taken rises by 1
  end game, (all p in players with most p's taken) wins
"""

NO_LINES = """
game "No lines":
  players: 2
  uses: lines

option rows: 3..9 = 3
option columns: 3..9 = 3
option in_a_row: 3..9 = 5
board Square: rows by columns
marker mark for each Square: player or nobody

overview:
  turns of p from seat(1):
    p must place
    if has_line(p): end game, p wins
    if board_full: end game, nobody wins

move place(square in Square):
  require free: mark[square] is nobody because "{square} is taken"
  mark[square] becomes me
"""
"""A line of five on a board of three by three."""


def game_of(name: str, seats: int, options: Mapping[str, int | str | bool]) -> Game:
    return engine.configure(load(name).program, seats, options)


def printed(game: Game, n: int, first: int = 0) -> list[GameSummary]:
    return list(playing.playouts(game, n, SEED, "random", first))


def compiled(game: Game, n: int, first: int = 0, threads: int = 1, **more: int) -> list[GameSummary]:
    return list(compiled_playing.playouts(game, Compiled(game, 1, **more), n, SEED, first, threads))


@pytest.mark.parametrize("name", RULESETS)
def test_rulesets_are_played_alike(name: str) -> None:
    program = load(name).program
    seats = all_seats(program)
    for number in dict.fromkeys((seats[0], seats[-1])) if name != "taiwan-monsters-brawl" else seats[-1:]:
        game = game_of(name, number, {})
        n = 12 if len(game.module.source) < 400_000 else 4
        assert compiled(game, n) == printed(game, n)


@pytest.mark.parametrize("name", [name for name in RULESETS if name != "taiwan-monsters-brawl"])
def test_options_are_played_alike(name: str) -> None:
    """A choice of each ruleset, another one for each, so that many kinds come up; one is too large for that here."""
    program = load(name).program
    seats = all_seats(program)[-1]
    known = choices(program, seats)
    for choice in known[len(name) * 7 % len(known) :][:1] if known else []:
        try:
            game = game_of(name, seats, dict([choice]))
        except Refused:
            continue
        fast = compiled(game, 6)
        assert fast == printed(game, 6), choice


def told(play: Iterator[GameSummary]) -> str:
    """One game, or why there is none."""
    try:
        return str(next(play))
    except Exhausted as exhausted:
        return str(exhausted)


def test_made_up_games_are_played_alike() -> None:
    same, unlowered, gave_up = 0, 0, 0
    for number, found in accepted(0, 30):
        try:
            game = engine.configure(found.program, found.program.fewest_seats, {})
            machine = Compiled(game, 1)
        except NotLowered:
            unlowered += 1
            continue
        except (Refused, Exhausted):
            continue
        for first in range(5):
            mine = told(compiled_playing.playouts(game, machine, 1, SEED, first))
            assert mine == told(playing.playouts(game, 1, SEED, "random", first)), (number, first)
            words = machine.playouts(1, SEED, first)
            gave_up += words[games.STATUS] != 0
            same += words[games.STATUS] == 0
    print("same:", same, "gave up:", gave_up, "without a form:", unlowered)
    assert same > 40 and gave_up > 4


def test_what_is_given_up_is_said_by_printed_python() -> None:
    game = engine.configure(load("tic-tac-toe").program, 2, {})
    machine = Compiled(game)
    real = machine.playouts

    def faulty(n: int, seed: int, first: int):  # type: ignore[no-untyped-def]
        words = list(real(n, seed, first))
        words[games.STATUS] = 1
        words[games.LENGTH] = 99
        return words

    machine.playouts = faulty  # type: ignore[method-assign,assignment]
    assert list(compiled_playing.playouts(game, machine, 5, SEED)) == printed(game, 5)


def test_a_small_arena_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is needed is copied again and again, and nothing is lost; where it cannot do, games are given up."""
    monkeypatch.setattr(games, "COLLECTED", 64)
    for name in ("leduc-poker", "spades", "harvest-draft", "kalah"):
        game = game_of(name, load(name).program.fewest_seats, {})
        assert compiled(game, 10, half=1 << 20) == printed(game, 10)
    game = game_of("spades", 4, {})
    machine = Compiled(game, 1, half=2048)
    assert any(machine.playouts(1, SEED, first)[games.STATUS] for first in range(3))
    assert list(compiled_playing.playouts(game, machine, 3, SEED)) == printed(game, 3)


@pytest.mark.parametrize(("kinds", "copies", "word"), [(5, 3, 64), (12, 4, 64), (13, 4, 128), (25, 2, 128)])
def test_divisions_are_the_same(kinds: int, copies: int, word: int) -> None:
    """What is worth most, what is left over, and which groups of those that are worth the same."""
    rules = f"""game "Groups":
  players: 2
values Card: 1..{kinds}
zone deck: pile of Card, seen by nobody, starts with each Card times {copies}
zone hand for each player: bag of Card
marker score for each player: 0..99999
move look: my score rises by 0
define close(g: bag of Card) = highest(c for each c in g) - lowest(c for each c in g) < 3
define most(g: bag of Card) = highest(c for each c in g)
define least(g: bag of Card) = lowest(c for each c in g)
define sets(p: player) = best_partition(most(g) for each g in bags(2..3, p's hand) where close(g))
define used(p: player) = possible of whole_partition(1 for each g in bags(2..3, p's hand) where close(g))

overview:
  shuffle deck
  repeat 9 times:
    each p in players:
      put top from deck into p's hand
      p must look
      p's score rises by value of sets(p) + size of rest of sets(p)
      p's score rises by sum(least(g) * size of g for each g in groups of sets(p))
      if used(p): p's score rises by 1000
  end game, each p in players gets p's score
"""
    game = engine.configure(compile_text(rules).program, 2, {})
    machine = Compiled(game, 1)
    assert f"@found0(ptr %S, i{word} %p)" in machine.text
    assert list(compiled_playing.playouts(game, machine, 60, SEED)) == printed(game, 60)
    assert not any(machine.playouts(60, SEED, 0)[:: machine.words])


def test_groups_that_are_worth_very_much_are_left_to_printed_python() -> None:
    rules = """game "Much":
  players: 2
zone hand for each player: bag of 1..5, starts with each 1..5
marker score for each player: 0..9
move look: my score rises by 0
define worth(g: bag of 1..5) = highest(c for each c in g) * 100000000000000000
define sets(p: player) = best_partition(worth(g) for each g in bags(2..3, p's hand))
overview:
  seat(1) must look
  end game, each p in players gets value of sets(p)
"""
    game = engine.configure(compile_text(rules).program, 2, {})
    with pytest.raises(NotLowered, match="worth is too large"):
        Compiled(game)
    assert game.compiled is None


def test_too_many_groups_are_left_to_printed_python() -> None:
    rules = """game "Many groups":
  players: 2
zone hand for each player: bag of 1..40, starts with each 1..40
marker score for each player: 0..99
move look: my score rises by 1
define sets(p: player) = best_partition(1 for each g in bags(3..4, p's hand) where highest(c for each c in g) < 9)
overview:
  seat(1) must look
  end game, each p in players gets value of sets(p)
"""
    game = engine.configure(compile_text(rules).program, 2, {})
    with pytest.raises(NotLowered, match="there are too many groups for LLVM yet"):
        Compiled(game)
    assert game.compiled is None


def test_threads_change_nothing() -> None:
    game = game_of("kuhn-poker", 2, {})
    machine = Compiled(game)
    n = 5 * compiled_playing.BLOCK + 7
    alone = list(compiled_playing.playouts(game, machine, n, SEED, 3))
    assert list(compiled_playing.playouts(game, machine, n, SEED, 3, threads=3)) == alone
    assert [summary.number for summary in alone] == list(range(3, 3 + n))
    assert alone[:50] == printed(game, 50, 3)


@pytest.mark.parametrize("name", ["tic-tac-toe", "leduc-poker"])
def test_totals_are_those_of_the_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "AT_A_TIME", 7)
    game = game_of(name, 2, {})
    compiled = Compiled(game, 1)
    games = printed(game, 40, 3)
    events, decisions = sum(each.length for each in games), sum(each.decisions for each in games)
    assert compiled.totals(40, SEED, 3) == (events, decisions, 0)


def test_any_number_of_games_needs_the_same_memory() -> None:
    """Blocks are begun a few at a time, with threads too: ten thousand millions of them could never be held."""
    game = game_of("nim", 2, {})
    machine = Compiled(game)
    begun: list[int] = []
    real = machine.playouts

    def counted(n: int, seed: int, first: int):  # type: ignore[no-untyped-def]
        begun.append(first)
        return real(n, seed, first)

    machine.playouts = counted  # type: ignore[method-assign]
    for threads in (1, 3):
        begun.clear()
        many = compiled_playing.playouts(game, machine, 10**13, SEED, 0, threads)
        assert list(islice(many, 300)) == printed(game, 300)
        many.close()  # type: ignore[attr-defined]
        assert len(begun) <= 2 + 2 * compiled_playing.AHEAD * threads
    assert list(compiled_playing.playouts(game, machine, 0, SEED, 0, 3)) == []


EDGES = """game "Edges":
  players: 2
values Low: -4611686018427387904..-4611686018427387900
zone deck: pile of {kind}, seen by nobody, starts with each {kind}
zone heap: pile of {kind}
marker least: -9223372036854775807..9
marker part: -2..2
marker found: -9..9
move go(n in -2..2):
  require some_part: n is not 0
  part becomes n
  found becomes remainder(least - 1, part)
overview:
  shuffle deck
  least becomes -9223372036854775807
  repeat 3 times:
    put top from deck onto heap
    seat(1) must go
  end game, each p in players gets found
"""


def test_the_ends_of_numbers_are_the_same() -> None:
    """The least number is no unseen card, and is divided by -1."""
    game = engine.configure(compile_text(EDGES.replace("{kind}", "1..6")).program, 2, {})
    assert list(compiled_playing.playouts(game, Compiled(game, 1), 40, SEED)) == printed(game, 40)
    game = engine.configure(compile_text(EDGES.replace("{kind}", "Low")).program, 2, {})
    with pytest.raises(NotLowered, match="unseen ones could not be told"):
        Compiled(game)
    assert list(islice(game.playouts(100_000, SEED), 300)) == printed(game, 300)


def test_what_llvm_does_not_take_is_our_own_fault() -> None:
    with pytest.raises(Broken, match="LLVM does not take"):
        machine_of_text("define i64 @f() { ret i32 1 }", 1)


def test_an_llvmlite_that_cannot_be_loaded_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(engine.configure(load("nim").program, 2, {}).program)
    monkeypatch.delitem(sys.modules, "rulelang_native.llvm.machine")
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    assert game.compiled is None
    assert list(islice(game.playouts(100_000, SEED), 300)) == printed(game, 300)


def test_many_games_are_compiled_and_few_are_not() -> None:
    game = engine.configure(load("tic-tac-toe").program, 2, {})
    assert list(game.playouts(3, SEED)) == printed(game, 3)
    assert "compiled" not in vars(game)
    many = game.playouts(100_000, SEED)
    assert list(islice(many, 500)) == printed(game, 500)
    assert isinstance(vars(game)["compiled"], Compiled)


def test_it_can_be_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_NATIVE", "python")
    game = Game(engine.configure(load("nim").program, 2, {}).program)
    assert not game.compiles
    assert list(islice(game.playouts(100_000, SEED), 300)) == printed(game, 300)
    assert "compiled" not in vars(game)


# ------------------------------------------------------------------ planes


def test_boards_with_few_values_lie_as_planes() -> None:
    for name, planes in {"tic-tac-toe": (9, 3), "connect-four": (42, 3), "five-in-a-row": (225, 3)}.items():
        printer = Printer(game_of(name, 2, {}))
        assert [(each.places, each.values) for each in printer.planes.values()] == [planes], name
        assert printer.sets, name
    assert not Printer(game_of("nim", 2, {})).planes


@pytest.mark.parametrize("name", [name for name in RULESETS if name != "taiwan-monsters-brawl"])
def test_names_decide_nothing(name: str) -> None:
    """Whatever zones, markers, moves, rules, defines and parameters are called, the same is printed."""
    program = load(name).program
    count = itertools.count()

    def renamed(part: object) -> object:
        named = isinstance(part, Zone | Marker | Move | Procedure | Function | IrParameter)
        if not named or part.name.startswith("whenever "):
            return part
        return attrs.evolve(part, name=f"thing {next(count)}")

    seats = all_seats(program)[0]
    other = rebuild(program, renamed)
    assert other != program
    mine, theirs = (Printer(engine.configure(each, seats, {})).text() for each in (program, other))
    assert mine == theirs


ISLANDS = """game "Islands":
  players: 2
board Square: 7 by 13
values Sort: sand, rock, tree
marker kind_at for each Square: Sort or none
marker owner for each Square: player or none
marker acts: 0..200
move settle(s in Square, kind in Sort):
  require free: kind_at[s] is none
  require near: row of s is not 3 or kind is rock
  kind_at[s] becomes kind
  owner[s] becomes me
  acts rises by 1
move leave(s in Square):
  require yours: owner[s] is me
  require tree: kind_at[s] is not sand
  owner[s] becomes none
  kind_at[s] becomes none
  acts rises by 1
move rest: acts rises by 1
overview:
  turns of p from seat(1):
    p must settle or leave or rest
    if some s in Square where owner[s] is p and kind_at[s] is tree and row of s is 5: end game, p wins
    if acts > 120: end game, nobody wins
"""


def test_every_kind_of_condition_is_the_same_place_by_place() -> None:
    game = engine.configure(compile_text(ISLANDS).program, 2, {})
    machine = Compiled(game, 1)
    assert len(Printer(game).planes) == 2
    assert list(compiled_playing.playouts(game, machine, 60, SEED)) == printed(game, 60)


def test_without_bmi2_the_same_is_chosen() -> None:
    game = game_of("connect-four", 2, {})
    slow = Printer(game, quick=False).text()
    assert "pdep" not in slow
    found = Compiled(game, 1, quick=False)
    assert list(compiled_playing.playouts(game, found, 40, SEED)) == printed(game, 40)


def test_a_board_on_which_no_line_fits_is_played_alike() -> None:
    program = compile_text(NO_LINES).program
    game = engine.configure(program, 2, {})
    assert compiled(game, 5) == printed(game, 5)


def test_windows_are_played_alike() -> None:
    """The first who moves is told by seat, and the others lapse, also where all are forced."""
    for text, seats in ((PON, 3), (OPEN, 4), (FORCED, 3)):
        game = engine.configure(compile_text(text).program, seats, {})
        machine = Compiled(game, 1)
        games = [told(playing.playouts(game, 1, SEED, "random", first)) for first in range(40)]
        assert [told(compiled_playing.playouts(game, machine, 1, SEED, first)) for first in range(40)] == games
        assert len(set(games)) > 2


@pytest.mark.parametrize("kind", ["endless", "leaking"])
def test_twins_are_played_alike(kind: str) -> None:
    """The accepted twins of refused programs: many constructs that no ruleset puts together so."""
    same = 0
    for path in sorted((Path(__file__).parents[1] / "checker" / kind).glob("*.twin.rules")):
        program = compile_text(path.read_text(encoding="utf-8")).program
        try:
            game = engine.configure(program, all_seats(program)[-1], {})
            machine = Compiled(game, 0)
        except NotLowered:
            continue
        for first in range(4):
            mine = told(compiled_playing.playouts(game, machine, 1, SEED, first))
            assert mine == told(playing.playouts(game, 1, SEED, "random", first)), (path.name, first)
        same += 1
    assert same > 15
