"""How play can have come to a rule: windows, values that are not there, and what follows from them. Spec 15.4."""

import pytest
from playing import outcome

WAYS = """rules cards:
  game "Ways":
    players: 2..3

  marker worth for each 1..3: 0..9 = 4
  marker score for each player: 0..20

  move call: score_of_call
  move go_on: my score rises by 1

  rule score_of_call: worth[1] becomes 2
  rule duel(amount: 0..9, number: 0..9):
    seat(1) must go_on
  rule raid(amount: 0..9, number: 0..9):
    seat(2) must go_on
  rule claimed(p: player):
    p must go_on
  rule late:
    seat(2) must go_on
  rule unclaimed:
    seat(2) must go_on

  overview:
    seat(1) must go_on
    each n in 0..3: duel(worth[n], n)
    each m in [3, 0, 1]:
      let amount = worth[m]
      raid(amount, m)
    players may in_order call as caller
    if caller is nobody: unclaimed
    otherwise: claimed(caller)
    players may in_turn go_on
    late
    end game, nobody wins

"""


@pytest.mark.parametrize(
    ("reach", "then"),
    [
        ("reach duel where number is 2", "to move: Ann"),
        ("reach raid where number is 3 and amount is 4", "to move: Ben"),
        ("reach claimed where p is Ben", "to move: Ben"),
        ("reach claimed where p is Ann", "to move: Ann"),
        ("reach unclaimed", "to move: Ben"),
        ("reach late", "to move: Ben"),
        ("reach call", "to move: Ann, Ben"),
    ],
)
def test_ways(reach: str, then: str) -> None:
    result = outcome(reach, "", then, WAYS)
    assert (result.status, result.reason, result.complaints) == ("passed", "", ())


@pytest.mark.parametrize("reach", ["duel where number is 0", "raid where number is 1"])
def test_no_way_leads_over_a_place_that_is_not_there(reach: str) -> None:
    """There is no worth[0]: play is given up there, and comes to nothing behind it."""
    result = outcome(f"reach {reach}", "", "game goes on", WAYS)
    assert result.status == "error"
    assert "but not like this" in result.reason


def test_whoever_takes_in_a_window_may_be_any_of_those_who_are_asked() -> None:
    rules = WAYS.replace("p must go_on", 'p must go_on because "{p} has called"')
    for name in ("Ann", "Ben"):
        result = outcome(f"reach claimed where p is {name}", f"{name}: go_on", "game goes on", rules)
        assert (result.status, result.reason) == ("passed", "")
