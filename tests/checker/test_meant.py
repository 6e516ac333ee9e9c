"""What an author may have meant: a property without what it belongs to, and things where a number is wanted."""

import pytest

from rulelang.failures import Diagnosed
from rulelang.pipeline import compile_text

GAME = """game "Meant":
  players: 2

record Card:
  rank: 1..4
  suit: Suit
  cost: 1..9 or none
record Token:
  cost: 1..9
values Suit: clubs, hearts
table Animal:
  legs: 0..9
  wild: yes or no
  row cat: 4, no
board Square: 3 by 3
zone hand for each player: bag of Card, seen by owner, starts with each Card
zone bowl: bag of Token, starts with each Token
zone dice: bag of Animal showing 1..6, starts with each Animal
marker coins: 0..99
marker points for each player: 0..99
marker side for each player: Suit
marker worth for each Square: 0..9
marker bonus for each Animal: 0..9
marker bid for each player and 1..3: 0..9
marker hurry: yes or no

move go(card in my hand):
  require paid: LINE because "no"
  coins rises by 1

overview:
  seat(1) must go
  end game, nobody wins

define paid_for(p: player, a: Animal, s: Square, c: Card, few: list of number) = DEFINED
"""


def hints(line: str = "coins > 3", defined: str = "1") -> list[str]:
    """What is said of mistakes in a requirement and in a definition: the code and the way out."""
    with pytest.raises(Diagnosed) as wrong:
        compile_text(GAME.replace("LINE", line).replace("DEFINED", defined))
    return [f"{each.code.number} {each.hint}" for each in wrong.value.diagnostics]


PARTS = {
    "coins >= my cost": "'cost' is a part of Card and Token: write 'cost of ...'",
    "coins >= cost": "'cost' is a part of Card and Token: write 'cost of ...'",
    "coins >= cost(card)": "'cost' is a part of Card and Token: write 'cost of ...'",
    "seat(1)'s legs > 2": "'legs' is a part of Animal: write 'legs of ...'",
    "some d in dice where face is 3": "'face' is a part of what lies in 'dice': write 'face of ...'",
    "coins >= size": "write 'size of ...'; size of a collection or zone: how many",
    "coins >= pionts": "did you mean 'points'?",
    "coins >= wherever": "None",
}


@pytest.mark.parametrize("line", PARTS)
def test_a_property_is_written_with_what_it_belongs_to(line: str) -> None:
    assert hints(line) == [f"RL3001 {PARTS[line]}"]


def test_a_rule_is_no_property() -> None:
    with pytest.raises(Diagnosed) as wrong:
        compile_text(
            GAME.replace("LINE", "coins > 3")
            .replace("DEFINED", "1")
            .replace("  seat(1) must", "  legs\n  seat(1) must")
        )
    assert [(each.code.number, each.hint) for each in wrong.value.diagnostics] == [("RL3004", None)]


NUMBERS = {
    "c + 1": "RL4002 did you mean 'rank of c' or 'cost of c'?",
    "1 + a": "RL4002 did you mean 'legs of a' or 'bonus[a]'?",
    "a < 3": "RL4002 did you mean 'legs of a' or 'bonus[a]'?",
    "3 is a": "RL4004 did you mean 'legs of a' or 'bonus[a]'?",
    "c is 3": "RL4004 did you mean 'rank of c' or 'cost of c'?",
    "1 < suit of c": "RL4004 None",
    "smaller(1, cat)": "RL4002 did you mean 'legs of cat' or 'bonus[cat]'?",
    "item(few, c)": "RL4002 did you mean 'rank of c' or 'cost of c'?",
    "s * 2": "RL4002 did you mean 'worth[s]', 'row of s' or 'column of s'?",
    "-p": "RL4002 did you mean \"p's points\" or 'seat_number(p)'?",
    "next(p) + 1": "RL4002 did you mean \"...'s points\" or 'seat_number(...)'?",
    "p's hand + 1": "RL4001 None",
    "1 + p's hand": 'RL4002 did you mean "size of p\'s hand"?',
    "1 + few": "RL4002 did you mean 'size of few' or 'sum(n for each n in few)'?",
    "1 + players": "RL4002 did you mean 'size of players'?",
    "1 + [1, 2]": "RL4002 None",
    "1 + suit of c": "RL4002 None",
    "1 + yes": "RL4002 None",
    "1 + (hurry is yes)": "RL4002 did you mean '1 if ... otherwise 0'?",
    "1 + hurry": "RL4002 did you mean '1 if hurry otherwise 0'?",
    "1 + (hurry)": "RL4002 did you mean '1 if hurry otherwise 0'?",
    "1 + best_partition(3 for each set in bags(1..2, players))": "RL4002 did you mean 'value of ...'?",
    "1 + (first d in dice where face of d is 1)": "RL4002 did you mean 'face of ...'?",
    "1 + top of p's hand": 'RL4002 did you mean "rank of top of p\'s hand" or "cost of top of p\'s hand"?',
}


@pytest.mark.parametrize("defined", NUMBERS)
def test_where_a_number_is_wanted_those_of_the_value_are_offered(defined: str) -> None:
    assert hints(defined=defined) == [NUMBERS[defined]]


def test_of_the_mover_it_is_my_own() -> None:
    assert hints("me > 3") == ["RL4002 did you mean 'my points' or 'seat_number(me)'?"]
    assert hints("1 < my side") == ["RL4004 None"]
    assert hints("1 + my hand > 3") == ["RL4002 did you mean 'size of my hand'?"]


@pytest.mark.parametrize(
    ("defined", "hint"),
    [
        ("some q in Square where q is nobody", "did you mean 'taken[q] is nobody'?"),
        ("some q in Square where none is q", "did you mean 'taken[q] is none'?"),
        ("some q in Animal where q is none", "only what is declared with 'or none' can be none"),
        ("some q in players where q is nobody", "only what is declared with 'or nobody' can be nobody"),
        ("coins is none", "only what is declared with 'or none' can be none"),
        ("p is none or a is none or s is none or c is none", None),
        ("some x in few where x is none", None),
    ],
)
def test_what_is_never_none_may_be_a_marker_that_was_forgotten(defined: str, hint: str | None) -> None:
    rules = GAME.replace("LINE", "coins > 3").replace("DEFINED", defined)
    rules = rules.replace("marker hurry", "marker taken for each Square: player or nobody\nmarker hurry")
    if hint is None:
        compile_text(rules)
        return
    with pytest.raises(Diagnosed) as wrong:
        compile_text(rules)
    assert [(each.code.number, each.hint) for each in wrong.value.diagnostics] == [("RL4015", hint)]


SEVERAL = """game "Several":
  players: 2

board Square: 3 by 3
zone discards: bag of Card
values Card: 1..9
option bids: 1..9 = 3
zone bid for each player: bag of Card
marker points for each player: 0..9
marker mark for each Square: player or nobody
marker starter: player
marker drawn: 0..9
define best = all p in players with most p's points
define leader = (first p in players with most p's points)
define free(n: 1..9) = all s in Square where row of s is n
define either(n: 1..9):
  players when n is 1
  players otherwise
define several(cells: list of Square) = size of cells
define counted(p: player) = 1
move discard: drawn rises by 1
move draw: drawn rises by 1
rule deal: drawn rises by 1

overview:
  LINE
  seat(1) must draw
  end game, nobody wins
"""

ONE_OR_ALL = [
    ("starter becomes best", "'all' gives a list; for one of them write 'first', or here 'first x in best'", 13),
    ("if mark[free(1)] is nobody: drawn rises by 1", "'all' gives a list; for one of them write 'first'", 15),
    ("if free(1) is none: drawn rises by 1", "'all' gives a list; for one of them write 'first'", 15),
    ("starter becomes all p in players", "'all' gives a list; for one of them write 'first'", None),
    ("each p in leader: drawn rises by 1", "'first' gives one; for a list of all who are equal write 'all'", 14),
    (
        "drawn becomes several(first s in Square)",
        "'first' gives one; for a list of all who are equal write 'all'",
        None,
    ),
    ("drawn becomes several(cell(Square, 1, 1))", None, None),
    ("drawn becomes several(3)", None, None),
    ("each p in drawn: drawn rises by 1", None, None),
    (
        "starter becomes players",
        "'first x in players' is one of them; 'each x in players' and 'some x in players' go through them all",
        None,
    ),
    ("starter becomes either(1)", None, None),
    ("mark[drawn] becomes nobody", "a cell is named by its row and column: cell(Square, ..., ...)", None),
    ("mark[starter] becomes nobody", None, None),
    ("starter becomes starter + 1", "did you mean 'next(starter)'?", None),
    ("starter becomes starter - 1", "did you mean 'previous(starter)'?", None),
    ("starter becomes starter + 2", "did you mean \"starter's points\" or 'seat_number(starter)'?", None),
]


@pytest.mark.parametrize(("line", "hint", "said"), ONE_OR_ALL)
def test_one_where_many_are_wanted_and_many_where_one_is(line: str, hint: str | None, said: int | None) -> None:
    with pytest.raises(Diagnosed) as wrong:
        compile_text(SEVERAL.replace("LINE", line))
    found = wrong.value.diagnostics[0]
    assert (found.hint, [each.place.line for each in found.related]) == (hint, [said] if said else [])


NAMES = [
    ("drew becomes 3", "did you mean 'drawn'?"),
    ("drew rises by 3", "did you mean 'drawn'?"),
    ("put top from discard into discards", "did you mean 'discards'?"),
    ("put top from discarda into discards", "did you mean 'discards'?"),
    ("put 3 from seat(1)'s bids into discards", "did you mean 'bid'?"),
    ("put 3 from discards into seat(1)'s bidd", "did you mean 'bid'?"),
    ("put 3 from discards into seat(1)'s counted", "write counted(p)"),
    ("drew[1] becomes 3", "did you mean 'drawn'?"),
    ("draw becomes 3", "did you mean 'drawn'?"),
    ("deal becomes 3", None),
    ("drawn becomes draw", "did you mean 'drawn'?"),
    ("drawn becomes countd(seat(1))", "did you mean 'counted'?"),
    ("seat(1) must drawn", "did you mean 'draw'?"),
    ("seat(1) must starter", "the moves here are: discard, draw"),
    ("drawn", None),
    ("drawn becomes has_line(seat(1))", "the library 'lines' has this word; name it on the cover: uses: lines"),
    ("drawn becomes 1 if board_ful otherwise 2", None),
    ("if some q in players where q is q: drawn becomes counted(qq)", None),
    ("drawn becomes counted(p)", None),
    ("if some q in players where q is starter: starter becomes q", "'q' is known inside the search of line 26 only"),
]


@pytest.mark.parametrize(("line", "hint"), NAMES)
def test_of_several_near_names_one_of_the_wanted_sort_is_meant(line: str, hint: str | None) -> None:
    with pytest.raises(Diagnosed) as wrong:
        compile_text(SEVERAL.replace("LINE", line))
    assert wrong.value.diagnostics[0].hint == hint


KNOWN = [
    ("each q in players: drawn rises by 1\n  starter becomes q", "'q' is known in the loop of line 26 only"),
    ("if drawn > 3:\n    let q = 4\n  drawn becomes q", "'q' is known from line 27 to the end of that block only"),
    ("starter becomes q\n  each q in players: drawn rises by 1", None),
    ("seat(1) must draw\n  starter becomes q\n\nrule more(q: player):\n  drawn becomes 1", None),
    ("if drawn > 3:\n    players may in_order draw as q\n  starter becomes q", None),
]


@pytest.mark.parametrize(("lines", "hint"), KNOWN)
def test_it_is_said_where_a_name_is_known(lines: str, hint: str | None) -> None:
    with pytest.raises(Diagnosed) as wrong:
        compile_text(SEVERAL.replace("LINE", lines))
    assert wrong.value.diagnostics[0].hint == hint


STATUS = """game "Words":
  players: 2

values Status: winner, loser
marker got: Status = winner
define winner = 3

move go:
  DOES
overview:
  seat(1) must go
  end game, nobody wins
"""


@pytest.mark.parametrize(
    "does",
    ["got becomes winner", "if got is winner: got becomes loser", "got becomes loser if winner is got otherwise loser"],
)
def test_a_value_whose_word_is_taken_is_told_apart_from_what_took_it(does: str) -> None:
    with pytest.raises(Diagnosed) as wrong:
        compile_text(STATUS.replace("DOES", does).replace("Status = winner", "Status = loser"))
    found = wrong.value.diagnostics[0]
    assert found.hint == "one of 'Status' is called 'winner', too: give that another name"
    assert [each.place.line for each in found.related] == [6]
