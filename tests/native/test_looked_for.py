"""Loops that look for their element in a row, or compare it: all elements at once as a word, to the bit the same."""

import pytest

from rulelang.pipeline import compile_text
from rulelang_native import engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.compiled import Compiled

SEED = 12

RULES = """game "Looking":
  players: 2..3

values Card: {low}..{high}
zone deck: pile of Card, seen by nobody, starts with each Card times {times}
zone hand for each player: pile of Card
zone heap: pile of Card
zone marked: bag of Card
marker last: Card or none
marker points for each player: 0..99999
marker friend: player or nobody
marker parity: 0..1

define mine(p: player) = p's hand
define odd(c: Card) = remainder(c, 2) is 1

move play(c in Card):
  require there: c in my hand
  require new: c is not last
  put c from my hand onto heap
  last becomes c
  parity becomes 1 - parity
  my points rises by count(each d in Card where d in heap and d not in my hand)
  my points rises by sum(1 for each d in Card where d in mine(next(me)) and (d is c or odd(d)))
  if some d in Card where d in heap and d in next(me)'s hand and d is not c: my points rises by 7
  if every d in Card satisfies d not in marked or d in heap or d is last: my points rises by 100
move mark(c in Card):
  require free: c not in marked
  require in_heap: c in heap and (c in my hand or c is not last)
  put c from heap into marked
move befriend(p in players):
  require other: p is not me
  friend becomes p if friend is nobody otherwise nobody
move ask(c in Card):
  require theirs: friend is not nobody and c in friend's hand
  require not_both: friend is nobody or c not in friend's hand or c not in my hand
  put c from friend's hand onto my hand
  my points rises by count(each d in Card where friend is nobody or d in friend's hand)
move draw:
  require some_left: size of deck > 0
  put top from deck onto my hand
move give_up

overview:
  shuffle deck
  repeat {times} times:
    each p in players:
      put top from deck onto p's hand
  repeat 30 times:
    each p in players:
      p must play or mark or befriend or ask or draw or give_up
      p's points rises by count(each d in Card where d not in marked and (friend is nobody or d in friend's hand))
      let far = first c in Card where c in heap and c not in marked
      if far is not none: p's points rises by 3
  end game, each p in players gets p's points
"""


def game_of(seats: int, **given: int) -> Game:
    text = RULES
    for name, value in given.items():
        text = text.replace("{" + name + "}", str(value))
    return engine.configure(compile_text(text).program, seats, {})


@pytest.mark.parametrize(
    ("low", "high", "times"), [(0, 12, 4), (1, 20, 2), (5, 63, 1), (0, 64, 1), (0, 70, 3), (3, 127, 1), (-4, 20, 2)]
)
def test_games_are_the_same(low: int, high: int, times: int) -> None:
    for seats in (2, 3):
        game = game_of(seats, low=low, high=high, times=times)
        machine = Compiled(game, 1)
        games = list(playing.playouts(game, 25, SEED, "random"))
        assert list(compiled_playing.playouts(game, machine, 25, SEED)) == games
        assert len({each.returns for each in games}) > 10


def test_rows_are_made_words() -> None:
    """The listing is one word, and is worked out without a loop through all cards."""
    text = Compiled(game_of(2, low=0, high=63, times=1), 1).text
    listing = text[text.index("i64 @set0(") :]
    assert "@set_of64" in listing[: listing.index("\n}")]
