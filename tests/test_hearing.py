"""What everybody may hear of why a move is not possible: nothing that could tell of what lies hidden. Spec 7.6."""

import pytest

from rulelang.pipeline import compile_source, engine_named
from rulelang.play.hearing import Hearing
from rulelang.play.match import Match
from rulelang.play.words import read_move
from rulelang.source import Source

RULES = """game "Heard":
  players: 2

values Card: ape, bear
zone hand for each player: bag of Card, seen by owner
zone box: pile of Card, seen by nobody, starts with each Card
marker open_one: Card
marker passes: 0..9

define holds(p: player, c: Card) = c in p's hand
define shown(c: Card) = c is open_one

overview:
  shuffle box
  each p in players: put top(1) from box into p's hand
  players may freely ask or lay or tell or name or wait or count until passes > 1
  seat(2) must wait
  end game, nobody wins

move ask(c in Card):
  require not_shown: not shown(c) because "{c} is shown"
  require not_held: not holds(me, c) because "you hold it"
  passes rises by 1
move lay(c in my hand, n in 1..9):
  require early: passes is 0 because "it is too late"
  require one: n is 1 because "{n} is not one"
  passes rises by 1
move tell(n in 1..9):
  require told: n > 5 because "you hold {size of my hand}"
  passes rises by 1
move name(n in 1..9, c in my hand):
  require one: n is 1 because "{n} is not one"
  passes rises by 1
move wait:
  require waited: passes > 0 because "nobody has waited"
  passes rises by 1
move count:
  require small: passes * 9000000000000000000 * 9 < 9 because "too much"
  passes rises by 1
"""


def match(seed: int) -> Match:
    program = compile_source(Source("game.rules", RULES), "game").program
    played = Match(engine_named("reference").configure(program, 2, {}), seed)
    played.advance_chance()
    return played


def heard(seed: int, move: str) -> tuple[list[str], bool]:
    played = match(seed)
    program = played.game.program
    found = Hearing(program).why(played, read_move(program, 0, move))
    return [reason.words for reason in found.reasons], found.whole


@pytest.mark.parametrize(
    ("move", "told", "whole"),
    [
        ("ask(ape)", ["ape is shown"], False),  # a define that reads a hand tells of it
        ("ask(bear)", [], False),
        ("lay(ape, 2)", [], False),  # that 2 is not one is said only if there is an ape
        ("tell(3)", [], False),  # the words tell
        ("name(3, ape)", ["3 is not one"], False),  # known before the card is asked for
        ("name(1, ape)", [], False),
        ("wait", ["nobody has waited"], True),
        ("pass", ["'pass' is not possible now."], True),
    ],
)
def test_what_is_told_is_the_same_whatever_lies_hidden(move: str, told: list[str], whole: bool) -> None:
    both = [heard(seed, move) for seed in range(6)]
    hands = {match(seed).state.view(0).seen for seed in range(6)}
    assert len(hands) == 2 and all(each == both[0] for each in both)
    assert both[0] == (told, whole)


def test_who_may_do_what_as_far_as_everybody_knows() -> None:
    """Nobody can wait, and everybody knows; who can lay or ask is only for those who see the hands."""
    played = match(1)
    program = played.game.program
    able = Hearing(program).who_may(played.state, (0, 1))
    assert {program.moves[move].name: seats for move, seats in able.items()} == {
        "ask": (0, 1),
        "lay": (0, 1),
        "tell": (0, 1),
        "name": (0, 1),
        "count": (0, 1),
    }
    played.submit(read_move(program, 0, "tell(6)"))
    able = Hearing(program).who_may(played.state, (0, 1))
    assert [program.moves[move].name for move in able] == ["ask", "tell", "name", "wait", "count"]
    assert able[len(program.moves) - 1] == (0, 1)  # it is too much to work out: whoever tries is told so


def test_whose_turn_it_is_everybody_may_hear() -> None:
    played = match(1)
    program = played.game.program
    for move in ("tell(6)", "tell(7)"):
        played.submit(read_move(program, 1, move))
    reasons = [reason.words for reason in Hearing(program).why(played, read_move(program, 0, "ask(bear)")).reasons]
    assert reasons == ["It is not seat 1's turn."]
