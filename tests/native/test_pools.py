"""Pools of unseen cards as counts say which cards are drawn as pools that are rows do."""

from typing import Any

import attrs
import pytest

from rulelang.pipeline import compile_text
from rulelang_native import engine, playing
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Known
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm import pools
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import FIRST, SECOND
from rulelang_native.llvm.pools import is_pool, settled_next
from rulelang_native.llvm.programs import Printer
from rulelang_native.llvm.steps import StepPrinter

SEED = 5

GAME = """
game "Pools":
  players: 2

values Thing: {values}
zone sack: pile of Thing, seen by nobody, starts with each Thing times {copies}
zone stock for each 1..2: pile of Thing, seen by nobody
zone heap for each 1..2: pile of Thing
zone hand for each player: bag of Thing, seen by owner
marker score for each player: 0..99999

move draw(n in 1..2):
  require any_there: stock[n] is not empty because "there is none"
  put top from stock[n] into my hand
  my score rises by size of kinds of my hand

move throw(card in my hand, n in 1..2):
  put card from my hand onto heap[n]
  my score rises by copies(card, my hand)

move mix(n in 1..2):
  require any_there: heap[n] is not empty because "there is none"
  put everything from heap[n] onto stock[n]
  again(n)

rule again(n: 1..2): shuffle stock[n]

overview:
  repeat {rounds} times:
    gather Thing to sack
    shuffle sack
    each n in 1..2: put top({dealt}) from sack onto stock[n]
    each p in players: put top(2) from sack into p's hand
    repeat 12 times:
      each p in players: p may draw or throw or mix
  end game, each p in players gets p's score
"""


def game_of(values: str, copies: int, dealt: int = 4, rounds: int = 2) -> Game:
    found = compile_text(GAME.format(values=values, copies=copies, dealt=dealt, rounds=rounds))
    assert found.program is not None, [str(each) for each in found.diagnostics]
    return engine.configure(found.program, 2, {})


def alike(game: Game, n: int = 60, *, quick: bool = True, level: int = FIRST) -> Compiled:
    machine = Compiled(game, level, quick=quick)
    expected = list(playing.playouts(game, n, SEED, "random", 0))
    assert list(compiled_playing.playouts(game, machine, n, SEED)) == expected
    return machine


@pytest.mark.parametrize("quick", [True, False], ids=["BMI2", "no BMI2"])
@pytest.mark.parametrize(
    ("values", "copies", "width"),
    [("1..6", 3, 16), ("0..15", 1, 16), ("3..20", 2, 32), ("7..45", 1, 64), ("0..63", 1, 64), ("-4..3", 4, 16)],
)
def test_piles_that_are_mixed_share_pools(values: str, copies: int, width: int, quick: bool) -> None:
    machine = alike(game_of(values, copies), quick=quick)
    assert machine.printed.pools is not None and machine.printed.pools.width == width
    assert machine.totals(60, SEED, 0)[2] == 0  # nothing is given up


@pytest.mark.parametrize(("values", "copies"), [("0..64", 1), ("1..16", 9)])
def test_too_many_kinds_or_cards_are_rows(values: str, copies: int) -> None:
    assert alike(game_of(values, copies), 20).printed.pools is None


def test_as_many_cards_as_a_byte_counts() -> None:
    machine = alike(game_of("1..1", 127, dealt=60, rounds=1), 10)
    assert machine.printed.pools is not None


def test_both_tiers() -> None:
    alike(game_of("1..9", 2), level=SECOND)


def test_steps_keep_rows() -> None:
    assert StepPrinter(game_of("1..6", 3)).pools is None


def test_a_planted_fault_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("1..6", 3)
    monkeypatch.setattr(pools._Writing, "first", lambda *_: "1")  # as if the second kind were drawn every time
    with pytest.raises(AssertionError):
        alike(game)


def test_a_pool_of_which_more_is_asked_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("1..6", 3)
    monkeypatch.setattr(pools, "_only_drawn_from", lambda _: False)
    assert alike(game, 20).printed.pools is None


# ------------------------------------------------------------------ what is drawn is settled at once

PILE = flat.Held(0, Known(0))
DRAWING: tuple[st.Statement, ...] = (
    st.Set("t1", PILE),
    st.Set("t2", flat.UnseenTop(flat.Name("t1"))),
    st.If(flat.IsOne(flat.Name("t2")), (st.Draw(3, flat.Name("t2")),), ()),
)
SETTLING: tuple[st.Statement, ...] = (st.Mark(4), st.Settle(0, Known(0), flat.Remembered(6), 1))
URN = flat.Name("t2")


def test_what_is_settled_next() -> None:
    assert is_pool(URN, DRAWING) and not is_pool(flat.Name("t1"), DRAWING) and not is_pool(Known((1, 2)), DRAWING)
    assert settled_next(URN, DRAWING, SETTLING, 6) == PILE


@pytest.mark.parametrize(
    ("body", "next_", "local"),
    [
        (DRAWING, SETTLING, 5),
        (DRAWING, (st.Settle(1, Known(0), flat.Remembered(6), 1),), 6),
        (DRAWING, (st.Settle(0, Known(1), flat.Remembered(6), 1),), 6),
        (DRAWING, (st.Store(0, Known(0), Known(())), *SETTLING), 6),
        (DRAWING, (), 6),
        ((*DRAWING, st.Store(0, Known(0), Known(()))), SETTLING, 6),
        ((*DRAWING, st.Set("t1", PILE)), SETTLING, 6),
    ],
)
def test_what_is_settled_later(body: Any, next_: Any, local: int) -> None:
    assert settled_next(URN, body, next_, local) is None


def test_a_member_that_changes_is_settled_later() -> None:
    pile = flat.Held(0, flat.Remembered(2))
    body = (st.Set("t1", pile), *DRAWING[1:])
    settling = (st.Settle(0, flat.Remembered(2), flat.Remembered(6), 1),)
    assert settled_next(URN, body, settling, 6) == pile
    assert settled_next(URN, (*body, st.Remember(2, Known(1))), settling, 6) is None
    assert settled_next(URN, body, (attrs.evolve(settling[0], card=flat.Remembered(2)),), 2) is None


def test_the_plan_of_the_large_game_has_them() -> None:
    from rulelang.pipeline import load

    program = load("13-animals").program
    assert program is not None
    printer = Printer(engine.configure(program, 4, {}), quick=True)
    text = printer.text()
    assert printer.pools is not None and printer.pools.codes == 13
    assert text.count("call i64 @from_pool(") == 3 and printer.heights == {0, 1, 2}
