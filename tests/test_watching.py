"""Interpreters that tell where they come by."""

from rulelang.ir.nodes import Branch
from rulelang.pipeline import compile_text
from rulelang.play.event import Play
from rulelang_reference import engine

RULES = """game "Odd":
  players: 2
marker sum: 0..99
move add(n in 1..3): sum rises by n
overview:
  turns of p from seat(1):
    p must add
    if sum is 4: sum falls by 1
"""


def test_the_reference_notes_every_node_and_nothing_of_questions() -> None:
    path: list[int] = []
    state = engine.noting(path).configure(compile_text(RULES).program, 2, {}).start()
    assert path[-1] == state.waiting.node
    path.clear()
    assert state.refusals(Play(0, 0, (9,))) and state.moves(0)
    assert path == [], "whoever only asks comes to no node"
    state = state.step(Play(0, 0, (2,)))
    assert path[-1] == state.waiting.node and any(isinstance(state.game.program.nodes[node], Branch) for node in path)
