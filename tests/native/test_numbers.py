"""Decks as packed pools, zones for one piece as numbers, rows of a few players as bits: each says what rows say."""

from collections.abc import Iterable

import pytest

from rulelang.pipeline import compile_text
from rulelang_native import engine, playing
from rulelang_native.flat import statements as st
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.games import GameWriter
from rulelang_native.llvm.laning import LANES
from rulelang_native.llvm.machine import FIRST, SECOND
from rulelang_native.llvm.plan import plan
from rulelang_native.llvm.programs import Printer
from rulelang_native.llvm.segments import SegmentWriter

SEED = 11

DRAWING = """
game "Drawing":
  players: 2..3

values Card: {cards}
zone deck: pile of Card, seen by nobody, starts with each Card times {copies}
zone hand for each player: slot of Card, seen by owner
zone table: slot of Card
zone heap: bag of Card
zone away: {away}
marker score for each player: -99..999
marker left: 0..99
marker round: 0..30
marker asker: player

define own(p: player) = (p's hand if p's hand is not empty otherwise 0)

move keep: my score rises by 1
move drop:
  require other: my hand is not empty and my hand is not table because "it lies there already"
  my score rises by own(me) + (20 if copies(own(me), heap) > 0 otherwise 0)
  put everything from my hand into heap
move show:
  require holding: my hand is not empty and table is empty because "there is nothing"
  put everything from my hand into table
  my score rises by {shown}
move draw:
  require room: size of my hand < 1 because "there is one"
  if deck is not empty: my score rises by size of deck
  asker becomes me

overview:
  {before}
  {shuffle}
  each p in players: put top from deck into p's hand
  put top from deck into away
  turns of p from seat(1):
    round rises by 1
    left becomes size of deck
    p must keep or drop or show or draw
    if p's hand is empty and asker is p:
      put top from deck into p's hand
    {again}
    if round is 14:
      end game, each q in players gets q's score + left + own(q)
        + (300 if q's hand is next(q)'s hand otherwise 0) + copies({least}, heap)
"""

SPANS = """
game "Spans":
  players: 2..3

marker score for each player: -999..9999 = 0
marker total: 0..999
marker rounds: 0..9

move up: my score rises by 1
move down: my score falls by 2

rule pay(low: 1..6, high: 1..6):
  each n in low..high:
    each p in players from seat(2):
      p must up or down
      p's score rises by n * n
      total rises by n
  rounds rises by 1

overview:
  pay(2, 4)
  pay(3, {high})
  each n in 5..6:
    pay(n, 6)
  each m in [3, 1, 2]:
    each p in players:
      p must up or down
      p's score rises by 10 * m
  end game, each p in players gets p's score + total * rounds
"""

WINNERS = """
game "Winners":
  players: 3

marker points for each player: 0..9 = 0
marker turn: 0..9

move up: my points rises by 1
move wait: turn becomes larger(turn, 1)

overview:
  turns of p from seat(1):
    turn rises by 1
    p must up or wait
    if p's points is 2: end game, [next(p), p] wins
    if turn > 7: end game, [next(p), p, next(next(p))] wins
"""

TIES = """
game "Ties":
  players: 2..5

values Die: 1..{faces}
marker die for each player: Die
marker points for each player: -9..9
marker out for each player: yes or no
marker last: player or nobody
marker turn: 0..60

define still_in = all p in players where not p's out
define best = all p in still_in with most p's points then least p's die then most twice(p)
define twice(p: player) = 2 if p is last otherwise p's die
define leader = first p in still_in with most p's die
define others(q: player) = all p in players where not p's out and p is not q

move up:
  require low: my points < 9 because "it is high"
  my points rises by 1
move down:
  require high: my points > -9 because "it is low"
  my points falls by 1
  last becomes me
move wait: my points becomes -my points
move leave:
  require others: size of others(me) > {fewest} because "nobody would be left"
  my out becomes yes

overview:
  each p in players: roll p's die
  turns of p from seat(1):
    turn rises by 1
    if p's out: p must wait
    otherwise: p must up or down or leave
    if turn is 30 or still_in is empty:
      end game, each q in players gets
        100 + size of best if q in best
        otherwise 50 if q is leader
        otherwise (lowest(r's points for each r in still_in) if still_in is not empty otherwise -20)
"""


def game_of(text: str, seats: int) -> Game:
    found = compile_text(text)
    assert found.program is not None, found
    return engine.configure(found.program, seats, {})


def alike(game: Game, level: int, counts: tuple[int, ...] = (1, LANES, 150)) -> None:
    machine = Compiled(game, level)
    for first, n in enumerate(counts):
        mine = list(compiled_playing.playouts(game, machine, n, SEED, first))
        assert mine == list(playing.playouts(game, n, SEED, "random", first))
    assert machine.totals(200, SEED, 0)[2] == 0  # none was given up


def drawing(**given: str) -> str:
    plain = {"cards": "1..4", "copies": "2", "away": "bag of Card", "shown": "own(me)", "least": "1"}
    more = {"before": "left becomes 1", "shuffle": "shuffle deck", "again": "left becomes size of deck"}
    return DRAWING.format(**{**plain, **more, **given})


DECKS = {
    "plain": drawing(),
    "one card": drawing(cards="1..1", copies="1"),
    "one kind": drawing(cards="3..3", copies="5", least="3"),
    "from 0": drawing(cards="0..6", copies="1"),
    "as many as there is room for": drawing(cards="0..13", copies="1"),
    "shuffled again": drawing(again="shuffle deck"),
    "shuffled in a branch": drawing(before="if asker is seat(2): shuffle deck", away="pile of Card"),
    "two at once": drawing(again="if round is 3: put top(2) from deck under away", away="pile of Card"),
    "shuffled on both ways": drawing(shuffle="if asker is seat(1): shuffle deck\n  otherwise: shuffle deck"),
    "another pile": drawing(away="pile of Card"),
    "looked at as a row": drawing(shown="highest(c for each c in table)"),
}
NO_DECKS = {
    "too many": drawing(cards="0..14", copies="1"),
    "taken before it is shuffled": drawing(before="put top from deck into table"),
    "perhaps not shuffled": drawing(shuffle="if asker is seat(1): shuffle deck"),
    "some come back": drawing(again="if heap is not empty: put everything from heap onto deck"),
    "come back and shuffled": drawing(again="if deck is empty: gather Card to deck"),
    "nobody sees them elsewhere": drawing(away="pile of Card, seen by nobody"),
    "some go elsewhere unseen": drawing(
        again="if round is 3: put top(2) from deck under away", away="pile of Card, seen by nobody"
    ),
}
IN_LANES = (
    "plain",
    "one card",
    "one kind",
    "from 0",
    "as many as there is room for",
    "shuffled again",
    "shuffled on both ways",
)


@pytest.mark.parametrize("name", [*DECKS, *NO_DECKS])
@pytest.mark.parametrize("seats", [2, 3])
def test_decks_are_played_alike(name: str, seats: int) -> None:
    game = game_of({**DECKS, **NO_DECKS}[name], seats)
    printer = Printer(game, quick=True)
    assert len(printer.decks) == (name in DECKS)
    assert len(printer.singles) == 2
    assert ("@segment" in printer.text()) == (name in IN_LANES)
    alike(game, FIRST)
    alike(game, SECOND, (150,))


def test_what_was_not_drawn_just_now_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which card was drawn last is only a hint; here it is always the first one."""
    keep = GameWriter.statements

    def forgetting(self: GameWriter, statements: Iterable[st.Statement]) -> None:
        for s in statements:
            if isinstance(s, st.Settle) and s.slot in self.printer.decks:
                self.store("0", self.printer.last_place(s.slot))
            keep(self, (s,))

    monkeypatch.setattr(GameWriter, "statements", forgetting)
    for name in ("plain", "one kind", "from 0"):
        game = game_of(DECKS[name], 3)
        assert Printer(game, quick=True).decks
        alike(game, FIRST)


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize(("faces", "fewest"), [(2, 0), (6, 1), (6, 2)])
def test_ties_are_broken_alike(seats: int, faces: int, fewest: int) -> None:
    game = game_of(TIES.format(faces=faces, fewest=fewest), seats)
    printer = Printer(game, quick=True)
    assert len(printer.somes) >= 2 and len(printer.endings) == 1
    assert "@segment" in printer.text() or seats > 2
    alike(game, FIRST)
    alike(game, SECOND, (150,))


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("high", [2, 3, 6])
def test_spans_of_parameters_are_gone_through_alike(seats: int, high: int) -> None:
    game = game_of(SPANS.format(high=high), seats)
    assert not Printer(game, quick=True).held_rows()
    alike(game, FIRST)
    alike(game, SECOND, (150,))


def test_winners_that_are_named_are_the_same() -> None:
    game = game_of(WINNERS, 3)
    printer = Printer(game, quick=True)
    assert len(printer.endings) == 2 and "@segment" in printer.text()
    alike(game, FIRST)
    alike(game, SECOND, (150,))


def test_the_plan_says_it() -> None:
    said = plan(game_of(DECKS["plain"], 2))
    assert "deck: a deck, as what is left of 8 cards of 2 bits in order" in said
    assert "hand: 2 times a piece or none, as a number of 64 bits" in said
    assert f"random games are played {LANES} side by side" in said


def test_a_game_waits_with_numbers_alone() -> None:
    game = game_of(DECKS["plain"], 3)
    writer = SegmentWriter(Printer(game, quick=True))
    assert writer.waits == 4  # for a card of the deal, one laid away, one drawn, and an answer
