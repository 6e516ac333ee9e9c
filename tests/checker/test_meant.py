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
