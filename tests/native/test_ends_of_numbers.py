"""Numbers that leave 64 bits: compiled games come to the same limit, at the same place, as printed Python."""

from collections.abc import Iterable

import pytest

from rulelang.failures import Exhausted
from rulelang.pipeline import compile_text
from rulelang.play.batches import Batch, Matches
from rulelang_native import engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.batches import BatchProgram, CompiledBatch
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import FIRST, SECOND
from rulelang_reference import engine as reference

SEED, MOST = 3, 9223372036854775807

GAME = """
game "At the ends of numbers":
  players: 2

board Cell: 4 by 4
marker mark for each Cell: -1..1 = 0
marker a: -9223372036854775807 - 1..9223372036854775807 = {a}
marker b: -9223372036854775807 - 1..9223372036854775807 = {b}
marker told: 0..99
zone hand for each player: bag of 1..5, starts with each 1..5

define work(n: number) = {work}

move go(n in 1..4):
  require allowed: {allowed} because "not now"
  {effect}
  told rises by 1

move put_down(card in my hand, c in Cell):
  require there: mark[c] is 0 and {also} because "not there"
  mark[c] becomes 1

overview:
  repeat 5 times:
    each p in players: p may go or put_down
  end game, each p in players gets seat_number(p) * remainder(a, 10) + {ending}
"""

PLAIN = {
    "a": str(MOST - 2),
    "b": "-1",
    "work": "n",
    "allowed": "yes",
    "also": "yes",
    "effect": "a becomes work(n)",
    "ending": "0",
}
CASES = {
    "sum": {"work": "a + n"},
    "sum of three": {"work": "a + n + b"},
    "difference": {"work": "b - a - n", "a": str(MOST)},
    "negative": {"work": "-a", "a": "-9223372036854775807 - 1"},
    "product": {"work": "a * n"},
    "product of two": {"work": "a * b * n", "a": str(1 << 40), "b": str(1 << 22)},
    "quotient": {"work": "quotient(a, b * n)", "a": "-9223372036854775807 - 1"},
    "quotient by itself": {"work": "quotient(a, n - 2)", "a": "-9223372036854775807 - 1"},
    "remainder": {"work": "remainder(a, n - 2)", "a": "-9223372036854775807 - 1"},
    "between": {"work": "quotient(a * 5, 1000)"},
    "made small": {"work": "smaller(a * 5 + n, 77)"},
    "total": {"work": "sum(a for each k in 1..n)"},
    "total of marks": {"work": "sum(a * mark[c] for each c in Cell)", "a": str(MOST)},
    "rises": {"effect": "a rises by n"},
    "falls": {"effect": "a falls by n", "a": "-9223372036854775807"},
    "requirement": {"allowed": "a + n > 5", "effect": "b becomes n"},
    "requirement of places": {
        "also": "a + mark[c] + row of c < 9223372036854775807 or a < 5",
        "effect": "a becomes 3 - n",
    },
    "requirement of cards": {"also": "a * card > 0", "effect": "b becomes n"},
    "count over places": {
        "effect": "b becomes count(each c in Cell where a + mark[c] + 1 > 3)",
        "a": str(MOST),
    },
    "ending": {"ending": "quotient(a * told, 1000)", "effect": "b becomes n"},
}


def game_of(case: dict[str, str]) -> tuple[Game, object]:
    program = compile_text(GAME.format(**{**PLAIN, **case})).program
    assert program is not None
    return engine.configure(program, 2, {}), program


def came(games: Iterable[object]) -> tuple[list[object], str]:
    """All games up to the first that comes to a limit, and that."""
    found: list[object] = []
    try:
        for each in games:
            found.append(each)
    except Exhausted as failure:
        return found, str(failure)
    return found, ""


@pytest.mark.parametrize("name", CASES)
def test_games_come_to_the_same_limit(name: str) -> None:
    game, _ = game_of(CASES[name])
    limits = set()
    for level in (FIRST, SECOND):
        machine = Compiled(game, level)
        for first in range(25):
            mine = came(compiled_playing.playouts(game, machine, 1, SEED, first))
            assert mine == came(playing.playouts(game, 1, SEED, "random", first))
            limits.add(mine[1][:6])
    assert "RL8012" in limits or name in ("remainder", "total of marks")


@pytest.mark.parametrize("name", CASES)
def test_batches_come_to_the_same_limit(name: str) -> None:
    game, program = game_of(CASES[name])
    mine: Batch = CompiledBatch(BatchProgram(game, FIRST), 6, SEED, 0)
    theirs: Batch = Matches(game, 6, SEED)  # type: ignore[arg-type]
    slow: Batch = Matches(reference.configure(program, 2, {}), 6, SEED)  # type: ignore[arg-type]
    step = 0
    while not theirs.over:
        assert mine.counts == theirs.counts == slow.counts and mine.views_many(2) == theirs.views_many(2)
        places = [(step * 7 + 3 * number) % count if count else 0 for number, count in enumerate(theirs.counts)]
        for batch in (mine, theirs, slow):
            batch.step_many(places)
        step += 1
    for number in range(6):
        said = [(str(batch.failure(number)), batch.outcome(number)) for batch in (mine, theirs, slow)]
        assert said[0] == said[1] == said[2]
