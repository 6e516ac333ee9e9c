"""How the graph of a rule becomes blocks: branches that meet, loops, waits inside loops, rules that are left."""

import pytest
from both_engines import differ, game_of, program_of

from rulelang.play.closing import close
from rulelang.play.comparing import Compared
from rulelang_native.flat import statements as st
from rulelang_native.lowering.flow import Shape, plain_procedures

HEAD = """
game "Shapes":
  players: 2..3

marker total: 0..99
marker odd: 0..9
marker moved: 0..99
marker last: player or nobody

"""
MOVE = """
move add(n in 1..9):
  total becomes n
  moved rises by 1
"""

SHAPES = {
    "ways that meet": """overview:
  turns of p from seat(1):
    p must add
    if total > 4: odd becomes 1
    otherwise:
      odd becomes 2
    last becomes p
    if moved > 8: end game, nobody wins
""",
    "one way that ends": """overview:
  turns of p from seat(1):
    p must add
    if total > 7:
      end game, p wins
    odd becomes 3
""",
    "ways inside ways": """overview:
  turns of p from seat(1):
    p must add
    if total > 4:
      if total > 7: odd becomes 1
      otherwise if total > 6: odd becomes 2
      otherwise:
        odd becomes 3
      moved rises by 1
    otherwise:
      if total is 3: last becomes nobody
    odd rises by 1
    if moved > 20: end game, nobody wins
""",
    "a wait on one way": """overview:
  turns of p from seat(1):
    p must add
    if total > 4:
      odd becomes 1
      p must add
      odd becomes 2
    otherwise:
      odd becomes 3
    last becomes p
    if moved > 12: end game, nobody wins
""",
    "a loop that waits": """overview:
  turns of p from seat(1):
    each q in players:
      if q is not p:
        q must add
        if total is 9: end game, q wins
      otherwise: odd becomes 4
    repeat until total > 3:
      total rises by 1
      last becomes p
    p must add
""",
    "loops inside loops": """overview:
  turns of p from seat(1):
    repeat 3 times:
      each q in players:
        if total < 90:
          total rises by 1
          each k in 1..2: odd becomes k
    p must add
    repeat until total > 5: p must add
    if moved > 12: end game, nobody wins
""",
}
"""Overviews by what is in them."""


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_play_alike(name: str) -> None:
    counts = Compared()
    for seats in (2, 3):
        assert differ(HEAD + SHAPES[name] + MOVE, seats, 120, counts=counts) is None
    assert counts.moves == 240 and counts.exhausted < counts.games


LEAVING = """
game "Leaving":
  players: 2

marker total: 0..99
marker steps: 0..99

overview:
  turns of p from seat(1):
    p must add
    outer(p)
    total rises by 1
    if steps > 30: end game, nobody wins

rule outer(p: player):
  each k in 1..3:
    middle(p, k)
    if total > 60: end outer
    steps rises by 1

rule middle(p: player, k: 1..3):
  repeat until remainder(total, 5) is 4:
    p must add or leave_all or leave_one
    total rises by k

move add(n in 1..3): total rises by n
move leave_all: end outer
move leave_one: end middle
"""


def shape_of(rules: str, name: str) -> tuple[Shape, frozenset[int]]:
    """The shape of one rule, and the rules that never wait."""
    program = close(program_of(rules), 2, {})
    number = next(at for at, each in enumerate(program.procedures) if each.name == name)
    plain = plain_procedures(program)
    return Shape(program, program.procedures[number].entry, plain), plain


def test_a_branch_whose_ways_meet_is_one_block() -> None:
    """The start, the decision and what comes after it; nothing where only branches meet."""
    meeting, _ = shape_of(HEAD + SHAPES["ways inside ways"] + MOVE, "overview")
    assert len(meeting.joins) >= 2 and not set(meeting.joins.values()) & meeting.labels
    waiting, _ = shape_of(HEAD + SHAPES["a wait on one way"] + MOVE, "overview")
    outside = [branch for branch in waiting.after if len(waiting.after[branch]) > 1 and branch not in waiting.joins]
    assert outside, "the branch with a wait inside has its end in a block of its own"


def test_rules_that_never_wait_are_carried_out_at_once() -> None:
    program = close(program_of(HEAD + SHAPES["ways that meet"] + MOVE), 2, {})
    assert {program.procedures[at].name for at in plain_procedures(program)} == {"add"}
    flat = game_of(HEAD + SHAPES["ways that meet"] + MOVE).module.flat
    opened = [s for each in flat.procedures for block in each.blocks for s in block.body if isinstance(s, st.Open)]
    assert [each.plain for each in flat.procedures] == [False, True] and not opened


CALLS = """
game "Calls":
  players: 2

marker total: 0..99
marker twice: 0..99

overview:
  turns of p from seat(1):
    p must add
    note(total)
    if total > 50: end game, nobody wins

rule note(n: 0..99):
  if n > 20: twice becomes half(n) + 1
  otherwise: deeper(n)

rule deeper(n: 0..99):
  each k in 1..3:
    if k * 7 > n: twice becomes k
  if n is 13: end deeper
  twice becomes n

define half(n: number) = quotient(n, 2)

move add(n in 1..9):
  total rises by n
  note(n)
"""


def test_rules_in_rules_are_called_as_functions() -> None:
    assert differ(CALLS, moves=150) is None
    game = game_of(CALLS)
    assert all(each.plain for each in game.module.flat.procedures[1:])
    assert "cost += q" in game.module.source


def test_rules_that_are_left_from_inside_others() -> None:
    counts = Compared()
    assert differ(LEAVING, moves=200, counts=counts) is None
    assert counts.moves == 200 and counts.games > 3
    assert "m.leave(" in game_of(LEAVING).module.source
