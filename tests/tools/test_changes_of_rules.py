"""What is changed of a program, and what of it is the same all the same."""

import pytest

from rulelang.ir import nodes
from rulelang.ir.verify import verify
from rulelang.pipeline import compile_text
from rulelang.play.closing import close
from rulelang.rulebook.mutating.changes import Change, changes
from rulelang.rulebook.mutating.plain import plain_hash, without_setting
from rulelang.rulesets import find
from rulelang.tools.loading import open_program

RULES = """game "Market":
  players: 2..4

option price: 1..9 = 3
option open: yes, no = no
values Suit: red, blue
table Good:
  worth: 1..9
  row salt: 2
  row silk: 5
zone stall: pile of Good, starts with each Good times 2
zone hand for each player: bag of Good, seen by owner
marker money for each player: 0..99 = 9
marker trump: Suit
marker last: player or nobody

require fair: price < 8 or open

overview:
  each p in clockwise(seat(2)): put top from stall into p's hand
  turns of p from seat(1):
    p must buy or sell
    if p's money is 0 or stall is empty: end game, richest wins

move buy:
  require enough
  require some_left: stall is not empty
  put top from stall into my hand
  my money falls by price

move sell(good in my hand):
  require enough
  put good from my hand onto stall
  my money rises by worth of good
  last becomes me

condition enough:
  require money_left: my money >= price

define richest = all p in players with most p's money then least size of p's hand
define rich(p: player) = every good in p's hand satisfies worth of good in [2, 5]
define after(p: player) = next(p)
define unused = 3

always rich_or_not: every p in players satisfies p's money < 90
prefer buy when rich(me) and after(me) is seat(1)
"""


def all_of(text: str = RULES) -> dict[str, Change]:
    return {f"{change.inside}: {change.said}": change for change in changes(compile_text(text).program)}


def test_every_kind_of_change_is_made_of_a_plain_game() -> None:
    found = all_of()
    expected = {
        "players: one player more is allowed",
        "players: 4 players are not allowed",
        "option price: another default",
        "option open: another default",
        "table Good: worth of salt and silk exchanged",
        "hand: everybody sees what lies there",
        "stall: begins without what lies there",
        "money: 9 became 8",
        "demand fair: demand left out",
        "demand fair: without 'or option open'",
        "overview: without 'from ((2 - 1) mod size of players)'",
        "overview: 'must' became 'may' before 'buy or sell'",
        "overview: 'buy' not offered",
        "overview: next(p) became previous(p)",
        "overview: nobody wins",
        "move buy, money_left: requirement left out",
        "move buy, money_left: 'option price <= money[me]' became 'option price < money[me]'",
        "move sell: 'last becomes me' left out",
        "move sell: 'money[me] + worth of good' became 'money[me] - worth of good'",
        "move sell: 'onto' became 'under' in 'put good from hand[me] onto stall'",
        "define richest: 'with most money[p]' became 'with least money[p]'",
        "define richest: the order of the ranks turned round",
    }
    assert not {name for name in expected if name not in found and "clockwise" not in name and "from (" not in name}
    assert {change.sort for change in found.values()} >= {
        "bound",
        "branch",
        "choice",
        "comparison",
        "condition",
        "constant",
        "direction",
        "effect",
        "priority",
        "requirement",
        "result",
        "setting",
        "sum",
        "visibility",
    }


def test_what_is_no_part_of_the_game_is_not_changed() -> None:
    names = " ".join(all_of())
    assert "define rich:" not in names and "define after" not in names and "define unused" not in names
    assert "always" not in names


def test_a_line_that_several_moves_ask_is_one_thing() -> None:
    program = compile_text(RULES).program
    dropped = next(each for each in changes(program) if each.inside == "move buy, money_left" and len(each.puts) == 2)
    assert dropped.touched.moves == {0, 1}
    asked = [[each.name for each in move.requirements] for move in dropped.of(program).moves]
    assert asked == [["some_left"], []]
    together = all_of()["move buy, money_left: 'option price <= money[me]' became 'option price < money[me]'"]
    conditions = {str(move.requirements[0].condition)[:5] for move in together.of(program).moves}
    assert conditions == {"Less("}


def test_an_effect_that_a_whenever_looks_at_is_one_thing() -> None:
    text = RULES + "\nwhenever seat(1)'s money is 5: end game, seat(2) wins\n"
    program = compile_text(text).program
    left_out = all_of(text)["move sell: 'money[me] becomes (money[me] + worth of good)' left out"]
    assert len(left_out.puts) == len(left_out.touched.nodes) > 1
    assert not verify(left_out.of(program))


def test_starting_a_timer_is_one_thing() -> None:
    program = open_program(find("snap"))
    timers = [change for change in changes(program) if change.said == "what sets the timer left out"]
    assert {change.inside for change in timers} == {"rule turn_a_card", "rule take_the_heap"}
    assert not [change for change in changes(program) if change.inside in ("glass.left", "glass.end")]
    assert all(not verify(change.of(program)) for change in timers)


@pytest.mark.parametrize("name", ["kalah", "harvest-draft", "sheriff", "dark-hex", "goofspiel"])
def test_changed_formulas_are_as_sound_as_before(name: str) -> None:
    """So that only changes of other kinds need to be verified."""
    from rulelang.rulebook.mutating.noticing import UNCHECKED

    program = open_program(find(name))
    for change in changes(program):
        if change.sort in UNCHECKED:
            changed = change.of(program)
            assert changed != program and not verify(changed), change


def test_plainer_forms_mean_the_same() -> None:
    def closed(old: str, new: str) -> str:
        assert old in RULES
        return plain_hash(close(compile_text(RULES.replace(old, new)).program, 2, {}))

    same = closed("turns of p", "turns of p")
    text = RULES.replace("after(me) is seat(1)", "after(me) is seat(2)").replace("p's money < 90", "p's money < 80")
    assert plain_hash(close(compile_text(text).program, 2, {})) == same
    assert closed("price < 8 or open", "price < 7 or open") == same
    assert closed("is 0 or stall", "< 1 or stall") != same
    assert closed("my money >= price", "my money > price - 1") == same
    assert closed("with most p's money", "with least p's money") != same
    one = close(compile_text(RULES).program, 2, {})
    other = close(compile_text(RULES.replace("0..99 = 9", "0..99 = 8")).program, 2, {})
    assert plain_hash(one) != plain_hash(other)
    assert plain_hash(without_setting(one)) == plain_hash(without_setting(other))


def test_next_and_previous_are_the_same_for_two() -> None:
    program = compile_text(RULES).program
    turned = next(each for each in changes(program) if each.said == "next(p) became previous(p)")
    changed = turned.of(program)
    assert plain_hash(close(program, 2, {})) == plain_hash(close(changed, 2, {}))
    assert plain_hash(close(program, 3, {})) != plain_hash(close(changed, 3, {}))
    assert any(isinstance(node, nodes.Decide) for node in changed.nodes)
