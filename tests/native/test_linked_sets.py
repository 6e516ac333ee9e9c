"""What is linked on a board is found by shifting words of bits: the same games as printed Python plays, to the bit."""

import pytest

from rulelang.pipeline import compile_text, load
from rulelang.play.playouts import GameSummary
from rulelang_native import engine, playing
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Finished, Known, Name
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm import sets
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.plan import plan
from rulelang_native.llvm.programs import Printer

SEED = 20


def same(game: Game, n: int) -> list[GameSummary]:
    """Games that are compiled, which are those that are printed."""
    machine = Compiled(game, 1)
    found = list(compiled_playing.playouts(game, machine, n, SEED))
    assert found == list(playing.playouts(game, n, SEED, "random", 0))
    assert not any(machine.playouts(n, SEED, 0)[:: machine.words])
    return found


@pytest.mark.parametrize(("size", "swap"), [(2, "no"), (3, "yes"), (5, "no"), (8, "yes"), (11, "no"), (19, "yes")])
def test_hex_of_every_size(size: int, swap: str) -> None:
    game = engine.configure(load("hex").program, 2, {"size": size, "swap": swap})
    games = same(game, 100 if size < 12 else 12)
    assert {each.winners for each in games} == {(0,), (1,)}


@pytest.mark.parametrize(("size", "attempts"), [(2, "heard"), (5, "unheard"), (11, "heard")])
def test_dark_hex(size: int, attempts: str) -> None:
    """There the stones that may be walked on are a bag."""
    same(engine.configure(load("dark-hex").program, 2, {"size": size, "attempts": attempts}), 60)


ISLANDS = """game "Islands":
  players: 2

board Cell: ROWS by COLUMNS SHAPE
marker land for each Cell: 0..2
board Deep: 10 by 10
marker depth for each Deep: 0..1
marker flag: Cell
zone left: bag of Cell, starts with each Cell
zone taken for each player: bag of Cell
marker score for each player: -999999..999999

define of_kind(k: 0..2) = all c in Cell where land[c] is k
define edge(p: player) = item(rows(Cell), 1) if p is seat(1) otherwise item(columns(Cell), 1)
define far(p: player) = top of rows(Cell) if p is seat(1) otherwise top of columns(Cell)
define lonely = all c in Cell where land[c] is 0 and count(each n in beside(c) where land[n] is 0) < 2
define island(c: Cell) = linked([c], of_kind(land[c]))
define of_all(them: list of Cell) = linked(them, of_kind(1))
define shore(p: player) = linked(edge(p), linked(far(p), of_kind(1) + of_kind(2)))

move settle(c in Cell, k in 1..2):
  require free: land[c] is 0
  land[c] becomes k
  flag becomes c
  depth[cell(Deep, 1, k)] becomes 1
  my score rises by count(each d in Deep where depth[d] is 1)
  my score rises by size of linked([c], all x in my taken where land[x] is k)
  if c in left: put c from left into my taken
  my score rises by size of island(c)
  my score rises by 3 * count(each x in island(c) where x in edge(me) or land[x] is 2)
  my score rises by sum(row of x for each x in linked(edge(me), of_kind(k)) where x is not c)
  if flag in linked(edge(next(me)), of_kind(k)): my score rises by 100
  if some x in linked(edge(me), of_kind(1)) where x in far(me): my score rises by 1000
  if some x in linked(around(c), Cell) where land[x] is 0 and x in edge(me): my score rises by 7
  if linked([c, flag], of_kind(3 - k)) is empty: my score falls by 2
  if size of linked(my taken, my taken) > 3: my score rises by 11
  if no x in linked(beside(c), of_kind(0)) where x in beside(c) and row of x > 1: sink(c)
  my score rises by size of linked(around(c), lonely)
  if linked(edge(me), lonely) is not empty: my score rises by 3
  if linked([c, c, flag, flag, c], of_kind(k)) is linked([c], of_kind(k)): my score rises by 2
  first_of(me)

rule sink(c: Cell):
  each x in island(c):
    land[x] becomes 0

rule first_of(p: player):
  let whole = of_all(beside(flag))
  if some x in whole where land[x] is 1: p's score rises by size of whole
  if whole is shore(p): p's score rises by 5
  each x in whole:
    if x in far(p): p's score rises by column of x
  each x in shore(p):
    if x in whole: p's score falls by 1

overview:
  repeat LAPS times:
    each p in players:
      if some c in Cell where land[c] is 0: p must settle
      if (first c in linked(edge(p), of_kind(2)) where c in far(p)) is not none: p's score rises by 17
  end game, each p in players gets p's score
"""


def islands(rows: int, columns: int, shape: str, laps: int) -> str:
    return (
        ISLANDS.replace("ROWS", str(rows)).replace("COLUMNS", str(columns)).replace("SHAPE", shape)
        .replace("LAPS", str(laps))
    )  # fmt: skip


BOARDS = [(1, 1, ""), (9, 20, ""), (3, 4, "hexagons"), (13, 20, "hexagons")]


@pytest.mark.parametrize(("rows", "columns", "shape"), BOARDS)
def test_whatever_is_linked(rows: int, columns: int, shape: str) -> None:
    """Sets from sets, from bags, from single places; counted, gone through, searched, looked into, remembered."""
    game = engine.configure(compile_text(islands(rows, columns, shape, min(12, rows * columns))).program, 2, {})
    same(game, 60 if rows * columns < 60 else 4)
    assert f"linked among {rows * columns} places: found by " in plan(game)


def test_what_is_linked_on_very_large_boards_lies_as_rows() -> None:
    game = engine.configure(compile_text(islands(1, 513, "", 2)).program, 2, {})
    assert not Printer(game).floods
    assert "linked among" not in plan(game)
    same(game, 2)


def test_a_chain_is_no_row() -> None:
    """What may be walked on is a word, and nothing is laid down for it."""
    game = engine.configure(load("hex").program, 2, {})
    text = Compiled(game, 1).text
    assert "@linked(" not in text.split("define internal i64 @f0")[1].split("\n}")[0]
    assert "linked among 121 places: found by 6 shifts of 128 bits, until nothing is added\n" in plan(game)


def test_what_is_chosen_from_a_known_row() -> None:
    row, put = Known((1, 4, 9)), st.Put("g1", Name("x1"))
    some = st.If(Name("a0"), (put,))
    loop = st.Each("x1", row, (some,))
    assert sets.chosen_from((st.Gather("g1"), loop), "g1") == (1, 4, 9)
    assert sets.chosen_from((st.Gather("g1"), loop, loop), "g1") == ()
    assert sets.chosen_from((st.Gather("g1"), some), "g1") == ()
    assert sets.chosen_from((st.Gather("g1"), st.Each("x2", row, (loop,))), "g1") == ()
    assert sets.chosen_from((st.Each("x2", row, (st.Gather("g1"), loop)),), "g1") == (1, 4, 9)
    assert sets.chosen_from((st.Gather("g1"), st.Each("x1", row, (st.Each("x2", row, (put,)),))), "g1") == ()
    assert sets.chosen_from((st.Gather("g1"), st.Each("x1", row, (st.Set("x1", Known(3)), put))), "g1") == ()
    assert sets.chosen_from((st.Gather("g1"), st.Each("x1", Name("t1"), (put,))), "g1") == ()
    assert sets.ascending((1, 4, 9)) == (1, 4, 9)
    assert sets.ascending((4, 1)) == sets.ascending((1, 1)) == sets.ascending((-1, 1)) == sets.ascending((0, 512)) == ()


def test_which_tables_are_steps() -> None:
    line = sets.steps_of(Known(((1,), (0, 2), (1,))))
    assert line == sets.Steps(3, ((-1, 0b011), (1, 0b110)))
    assert sets.steps_of(Known(((), ()))) == sets.Steps(2, ())
    assert sets.steps_of(Known(((3,), (0,)))) is None  # leads away from the table
    assert sets.steps_of(Known((1, 2))) is None
    assert sets.steps_of(Known((((1,),), ()))) is None
    assert sets.steps_of(Known(())) is None
    assert sets.steps_of(Known(((),) * 513)) is None
    assert sets.steps_of(Known((tuple(range(14)), *((),) * 13))) is None  # fourteen different steps
    assert sets.steps_of(Finished("g1")) is None
