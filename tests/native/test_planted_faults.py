"""Faults planted in the native interpreter itself, in its source: `differ` finds each within 20,000 moves.

A fault is one changed line of one function. Beside each stands within how many moves it is found with seed 7, at most.
"""

import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from both_engines import program_of, reference

from rulelang.pipeline import load
from rulelang.play.comparing import Compared, Effort
from rulelang.play.differing import Difference, compare
from rulelang_native import Engine, sight, state, steps
from rulelang_native.game import Game
from rulelang_native.lowering import effects, flow, formulas
from rulelang_native.lowering import program as whole
from rulelang_native.runtime import module, partitions, rows

WITHIN = 20_000
"""Moves within which every fault must be found."""

OFTEN = Effort(closely=4, attempts=4, saved=4)

WINDOW = """
game "Window":
  players: 3

marker calls for each player: 0..9
marker rounds: 0..9

overview:
  turns of p from seat(1):
    p must go_on
    others(p) may in_order call as taker because window: "does anybody call?"
    if rounds is 9: end game, nobody wins

move go_on: rounds rises by 1
move call(n in 1..2): my calls rises by n
"""

GROWING = """
game "Growing":
  players: 2

marker total: 1..9000000000000000000 = 1
marker least: 0..9000000000000000000

overview:
  turns of p from seat(1): p must grow

move grow(n in 1..9):
  total becomes total * (n + 1)
  least becomes smaller(total * 3, 5)
"""

BRANCHES = """
game "Branches":
  players: 2

marker total: 0..99
marker odd: 0..99

overview:
  turns of p from seat(1):
    p must add
    if total > 90: end game, nobody wins

move add(n in 1..9):
  if n > 4: odd becomes n
  otherwise: odd becomes 0
  total rises by n
"""

FACE_DOWN = """
game "Face down":
  players: 2

values Card: 1..5
zone stock: pile of Card, seen by nobody, starts with each Card times 4
zone hand for each player: bag of Card, seen by owner
zone away: pile of Card, seen by nobody
zone table: bag of Card

overview:
  shuffle stock
  each p in players: put top(3) from stock into p's hand
  turns of p from seat(1):
    if stock is empty: end game, nobody wins
    put top from stock into p's hand
    p must lay or show

move lay(card in my hand): put card from my hand onto away
move show(card in my hand): put card from my hand into table
"""

PAIRS = """
game "Pairs":
  players: 2

values Card: 1..5
zone stock: pile of Card, seen by nobody, starts with each Card times 4
zone hand for each player: bag of Card, seen by owner
marker lowest: 0..99

overview:
  shuffle stock
  turns of p from seat(1):
    if size of stock < 4: end game, nobody wins
    put top(2) from stock into p's hand
    lowest becomes lowest_of(p)
    p must drop

move drop(card in my hand): put card from my hand into stock
define lowest_of(p: player) = total(groups of best(p's hand))
define total(gs: list of bag of Card) = sum(item(g, 1) for each g in gs)
define best(cards: bag of Card) = best_partition(1 for each g in bags(2..2, cards))
"""


ROW = """
game "Row":
  players: 2

values Card: 1..3
zone row: pile of Card, starts with each Card times 3
zone away: pile of Card

overview:
  turns of p from seat(1):
    p must fetch or drop

move fetch(card in away): put card from away onto row
move drop(card in row): put card from row onto away
"""


@attrs.frozen
class Planted:
    """One changed line."""

    function: Callable[..., Any]
    line: str
    instead: str
    rules: str
    what: str
    """What differs, as the comparison names it."""
    moves: int
    """Within how many moves it is found."""
    seats: int = 2


FAULTS = {
    "an unrank that is off by one": Planted(
        state.State.unrank, "self.entries(seat)[place]", "self.entries(seat)[place - 1]", "leduc-poker", "preferred", 60
    ),
    "numbers of answers read from the wrong end": Planted(
        Game.answer, "tuple(reversed(found))", "tuple(found)", "liars-dice", "answer", 60
    ),
    "the last of a window instead of the first": Planted(
        steps._after_answers,
        "answers = lapsed(answers)",
        "answers = lapsed(answers[::-1])[::-1]",
        WINDOW,
        "bytes",
        60,
        3,
    ),
    "draws from the other end of the urn": Planted(
        state.State.sample, "draw.below(len(self.urn))", "-1 - draw.below(len(self.urn))", "kuhn-poker", "sample", 60
    ),
    "a listing of the state before": Planted(
        module.Module.listed,
        "decision = self.decisions[node]",
        "cells, self.__dict__['stale'] = self.__dict__.get('stale', cells), cells; decision = self.decisions[node]",
        "tic-tac-toe",
        "moves",
        60,
    ),
    "no check for numbers beyond 64 bits": Planted(
        formulas._checked, "if low >= LOW and high <= HIGH:", "if True:", GROWING, "step", 200
    ),
    "a wrong cost of one node": Planted(
        whole.Lowering.__init__,
        "costs.node(each) for each in",
        "costs.node(each) + (each == 3) for each in",
        "tic-tac-toe",
        "cost",
        60,
    ),
    "a branch whose ways meet one node too late": Planted(
        flow.Writer._branch,
        "return join",
        "return join if join is None else self.shape.after[join][0]",
        BRANCHES,
        "bytes",
        60,
    ),
    "a hidden pile that everybody sees": Planted(
        module.Module.sees, "return 0\n", "return self.everybody\n", FACE_DOWN, "view", 200
    ),
    "every observed answer in full": Planted(
        sight._observed, "if seats & bit else None", "if True else None", FACE_DOWN, "observed", 200
    ),
    "a division that forgets ties": Planted(
        partitions.Divider._found, "if divided < best[2]:", "if divided > best[2]:", PAIRS, "bytes", 2_000
    ),
    "a bag that is not sorted": Planted(
        effects._lay,
        'flat.Sorted(together) if zone.shape == "bag" else together',
        "together",
        FACE_DOWN,
        "bytes",
        60,
    ),
    "the first of equal pieces instead of the last": Planted(
        rows.taken_out, "if row.count(item) == 1:", "if True:", ROW, "bytes", 200
    ),
}


def plant(monkeypatch: pytest.MonkeyPatch, fault: Planted) -> None:
    """Change the line, wherever the function was imported."""
    source = textwrap.dedent(inspect.getsource(fault.function))
    assert source.count(fault.line) == 1, f"the line is no longer there:\n{source}"
    names = dict(fault.function.__globals__)
    future = fault.function.__code__.co_flags & 0x1000000  # annotations are not looked at
    exec(
        compile(source.replace(fault.line, fault.instead), "<planted>", "exec", flags=future, dont_inherit=True), names
    )
    monkeypatch.setattr(fault.function, "__code__", names[fault.function.__name__].__code__)


def found(fault: Planted, counts: Compared) -> Difference | None:
    """What the comparison shows, on an interpreter that has no game from before."""
    program = program_of(fault.rules) if "\n" in fault.rules else load(fault.rules).program
    return compare(Engine(), reference, program, fault.seats, {}, 7, fault.moves, effort=OFTEN, counts=counts)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_found(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    fault = FAULTS[name]
    plant(monkeypatch, fault)
    counts = Compared()
    difference = found(fault, counts)
    assert difference is not None, f"not found in {counts.moves} moves"
    assert difference.subject == fault.what and counts.moves <= fault.moves <= WITHIN


@pytest.mark.parametrize("rules", sorted({fault.rules for fault in FAULTS.values()}))
def test_without_a_fault_nothing_differs(rules: str) -> None:
    fault = next(each for each in FAULTS.values() if each.rules == rules)
    counts = Compared()
    assert found(attrs.evolve(fault, moves=60), counts) is None
    assert counts.moves == 60
