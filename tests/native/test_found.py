"""Differences that were found, and stay mended: a case for each."""

from both_engines import differ, game_of

from rulelang.play.event import Play

FAR = """
game "Far":
  players: 2

option n: 1..9 = 2
marker mark for each 1..3: 0..9

overview:
  turns of p from seat(1): p must go or look

move go:
  mark[n] becomes 1
move look(k in 1..3):
  require small: mark[n] < k
  mark[k] becomes 1
"""


def test_a_place_that_options_lead_beyond_the_last() -> None:
    """The index is known before play and no place has it: only a move that comes there is given up."""
    for n in (2, 3, 4, 9):
        assert differ(FAR, options={"n": n}) is None
    assert game_of(FAR, options={"n": 3}).start().step(Play(0, 0, ())).cells == (0, 0, 1)
