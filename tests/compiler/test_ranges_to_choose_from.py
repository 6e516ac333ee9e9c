"""What a range to choose from is called in the help at the table. Spec 8.2."""

import pytest
from case_files import compiled

GAME = """game "Choosing":
  players: 2

marker chips for each player: 0..9
option most_chips: 2..9 = 5
move pay(n in RANGE): my chips becomes n
overview:
  seat(1) must pay
  end game, nobody wins
"""

RANGES = [
    ("1..4", "1..4"),
    ("-1..4", "-1..4"),
    ("1..most_chips", "1..most chips"),
    ("1..2 * (most_chips + 1) - 1", "1..2 * (most chips + 1) - 1"),
    ("1..size of players", "1..size of players"),
    ("1..smaller(9, most_chips)", "1..something"),
]


@pytest.mark.parametrize(("written", "said"), RANGES)
def test_a_range_is_named(written: str, said: str) -> None:
    program = compiled(GAME.replace("RANGE", written))
    assert program.moves[0].parameters[0].domain_name == said
