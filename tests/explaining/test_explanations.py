"""What is answered when somebody asks where a value comes from, in documents that a reader can follow."""

import os
from pathlib import Path

import attrs
import pytest
from explanation_files import Table, carried_out

from rulelang.failures import Exhausted
from rulelang.play.event import Play
from rulelang.play.explaining import Explained, History, Seen
from rulelang.play.explaining.explainer import NODES
from rulelang_reference import engine

CASES = sorted(Path(__file__).parent.glob("*.case"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    real = carried_out(written)
    if os.environ.get("RULELANG_ACCEPT"):
        path.write_text(real, encoding="utf-8")
        return
    assert real.splitlines() == written.splitlines()


LONG = """game "Long":
  players: 2
marker points for each player: 0..9 = 1
overview: end game, each p in players gets total(p)
define total(p: player) = sum(sum(n * m + p's points for each m in 1..30) for each n in 1..30)
"""


def _counted(tree: Explained) -> int:
    return 1 + sum(map(_counted, tree.parts))


def test_when_a_tree_is_full_the_rest_has_its_values_alone() -> None:
    """The first seat's total fills the tree; the second is told, and that there is more below it."""
    first, second = Table(LONG).result()
    assert (second.said, second.value) == ("seat 2", first.value)
    assert [(part.said, part.role) for part in second.parts] == [("and so on", "more")]
    assert NODES // 2 < _counted(first) <= NODES


SPOTS = """game "Spots":
  players: 2
zone hand for each player: bag of 1..9, seen by owner, starts with each 1..3
marker spot for each 1..3: yes or no
move tick(n in 1..9): spot[n] becomes yes
overview:
  turns of p from seat(1): p must tick
"""


def test_what_a_seat_sees_is_as_large_as_the_table() -> None:
    table = Table(SPOTS)
    seen = Seen(table.match.game.program, table.match.state, 0)
    assert (len(seen), seen[0], [seen[cell] for cell in range(2, 5)]) == (5, (1, 2, 3), [0, 0, 0])


def test_what_was_never_written_is_not_remembered() -> None:
    """There is no ninth spot, so the event is given up; the one before it wrote."""
    table, history = Table(SPOTS), History()
    state = engine.watched_by(history).configure(table.program, 2, {}).start().step(Play(0, 0, (2,)))
    with pytest.raises(Exhausted, match="RL8005"):
        state.step(Play(1, 0, (9,)))
    assert [(writing.slot, writing.member) for writing in history.writings] == [(1, 1)]


ENOUGH = """game "Enough":
  players: 2
marker points for each player: 0..9
move take: my points rises by 5
whenever some p in players where p's points > 3: end game, (all p in players with most p's points) wins
overview:
  turns of p from seat(1): p must take
"""


def test_a_program_that_does_not_say_what_ended_it_is_explained_without() -> None:
    """As one may be that was not written from rules: the procedure is there, the function has another name."""
    table = Table(ENOUGH, acts=("seat 1: take",))
    assert table.result()[0].role == "whenever"
    functions = (
        attrs.evolve(each, name="other") if each.name == "whenever 1" else each for each in table.program.functions
    )
    table.program = attrs.evolve(table.program, functions=tuple(functions))
    assert [told.role for told in table.result()] == [
        told.role for told in Table(ENOUGH, acts=("seat 1: take",)).result()[1:]
    ]
