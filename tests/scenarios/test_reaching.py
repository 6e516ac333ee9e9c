"""How play can have come to a rule: windows, values that are not there, and what follows from them. Spec 15.4."""

import pytest
from playing import outcome, results, scenario

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


LEAD = """rules cards:
  game "Lead":
    players: 2..3

  marker leader: player
  marker bets: 0..4
  marker trump: 0..9
  marker hour: 1..9 = 1
  marker minute: 1..9 = 1
  marker laps for each 1..4: 0..3 = 1
  marker out for each player: yes or no

  move bid: bets rises by 1
  move act: leader becomes me

  overview:
    roll leader
    repeat until trump > 0: roll trump
    bidding(leader)
    opening(laps[hour])
    clockwise(leader) may in_turn act

  rule bidding(p: player):
    nobody_bids
    p must bid

  rule nobody_bids:
    if bets is 0: end bidding

  rule opening(number: 0..3):
    repeat number times: (all p in players where p's out and laps[minute] > 0) may secretly bid

"""


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ("leader is Ann", "to move: Ann"),
        ("leader is Ben", "to move: Ben"),
        ("leader is Ben; bets is 1", "to move: Ben"),
        ("leader is Ann; bets is 1", "to move: Ann"),
        ("Ann's out is yes; Ben's out is yes", "to move: Ann, Ben"),
        ("leader is Ben; Ann's out is yes; hour is 2; laps[2] is 0", "to move: Ben"),
    ],
)
def test_what_is_given_bears_on_the_first_choice_under_every_title(given: str, then: str) -> None:
    """What the rules remember of the deal (who leads, which choice comes first) is as given, not as the seed rolled."""
    assert reasons(given, then, LEAD) == [("passed", "")] * 12


def reasons(given: str, then: str, rules: str) -> list[tuple[str, str]]:
    """What comes of one scenario under twelve titles, and so with twelve seeds."""
    text = scenario(given, "", then)
    titled = [text.replace('scenario "S"', f'scenario "S {number}"') for number in range(12)]
    return [(each.status, each.reason) for each in results("\n".join(titled), rules)]


NOWHERE = {
    "play goes round": ("trump is 0", LEAD),
    "what a rule is given cannot be worked out": ("hour is 9", LEAD),
    "who is asked cannot be worked out": ("minute is 9; Ann's out is yes", LEAD),
    "the game would be over": ("hour is 2", LEAD.replace("opening(laps[hour])", "if hour is 2: end game, nobody wins")),
    "the rules come to their end": (
        "hour is 2",
        LEAD.replace("clockwise(leader) may in_turn", "if hour is 1: seat(1) may"),
    ),
}


@pytest.mark.parametrize("name", NOWHERE)
def test_what_is_given_leads_to_no_choice(name: str) -> None:
    given, rules = NOWHERE[name]
    said = (
        "the table as it is given leads to no choice, or play would be over before: say with 'reach' where play stands"
    )
    found = reasons(given, "game goes on", rules)
    assert [(status, reason.partition(": ")[2]) for status, reason in found] == [("error", said)] * 12


def test_what_is_given_and_bears_on_nothing_leaves_play_where_it_is() -> None:
    """The rules remember what the table no longer says."""
    forgotten = "    let first_one = leader\n    leader becomes seat(1)\n    bidding(leader)"
    rules = LEAD.replace("    bidding(leader)", forgotten).replace("clockwise(leader) may", "clockwise(first_one) may")
    plain, given = reasons("", "to move: Ben", rules), reasons("minute is 2", "to move: Ben", rules)
    assert plain == given and {status for status, _ in given} == {"passed", "failed"}
