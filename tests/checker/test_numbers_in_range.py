"""A number that is written out where a range is wanted must lie in it. Spec 5.1."""

import pytest

from rulelang.failures import Diagnosed
from rulelang.pipeline import compile_text

GAME = """game "Ranges":
  players: 2

option most: 1..9 = 9
marker score: 0..9
marker debt: -5..-1 = -1
marker kept: 0..most
marker mark for each 1..3: 0..9
marker starter: player
marker chosen: player or nobody
record Card:
  rank: 2..5

rule up(x: 1..5): score rises by x
define half(y: 1..3) = y
define any(n: number) = n
move go(k in 1..3):
  LINE

overview:
  seat(1) must go
  end game, nobody wins
"""

BEYOND = [
    ("up(9)", "'9' is not one of the values of 1..5."),
    ("up(0)", "'0' is not one of the values of 1..5."),
    ("score becomes 10", "'10' is not one of the values of 0..9."),
    ("score becomes (10)", "'10' is not one of the values of 0..9."),
    ("debt becomes -6", "'-6' is not one of the values of -5..-1."),
    ("debt becomes 0", "'0' is not one of the values of -5..-1."),
    ("score becomes half(4)", "'4' is not one of the values of 1..3."),
    ("mark[4] becomes 1", "'4' is not one of the values of 1..3."),
    ("score becomes rank of Card(6)", "'6' is not one of the values of 2..5."),
]

WITHIN = [
    "up(5)",
    "score becomes 0",
    "debt becomes -5",
    "kept becomes 12",
    "score becomes any(99)",
    "score rises by 50",
]
"""The last three: bounds that an option decides, parameters without any, and amounts, which no range bounds."""


@pytest.mark.parametrize(("line", "said"), BEYOND)
def test_a_plain_number_beyond_its_range_is_refused(line: str, said: str) -> None:
    with pytest.raises(Diagnosed) as wrong:
        compile_text(GAME.replace("LINE", line))
    assert [(each.code.number, each.message) for each in wrong.value.diagnostics] == [("RL4009", said)]


@pytest.mark.parametrize("line", WITHIN)
def test_others_are_looked_at_in_play(line: str) -> None:
    assert compile_text(GAME.replace("LINE", line))


NEVER = [
    ("score becomes none", "'score' is never 'none'."),
    ("starter becomes nobody", "'starter' is never 'nobody'."),
    ("mark[1] becomes (none)", "'mark' is never 'none'."),
]


@pytest.mark.parametrize(("line", "said"), NEVER)
def test_a_marker_that_refuses_none_is_not_made_none(line: str, said: str) -> None:
    with pytest.raises(Diagnosed) as wrong:
        compile_text(GAME.replace("LINE", line))
    assert [(each.code.number, each.message) for each in wrong.value.diagnostics] == [("RL4015", said)]


def test_a_marker_that_may_be_none_is() -> None:
    assert compile_text(GAME.replace("LINE", "chosen becomes none"))
