"""What is typed in a hurry: beginnings of names and values, blanks for brackets."""

import pytest

from rulelang.failures import Refused
from rulelang.pipeline import compile_source, engine_named
from rulelang.play.event import Play
from rulelang.play.match import Match
from rulelang.play.words import move_text
from rulelang.source import Source
from rulelang.tools.short import named, read_short

RULES = """game "Short":
  players: 2

values Card: moon_bear, moon_moth, owl, otter, yak
values Word: it_is_blue, it_is_big, old
values Number: 1..30
zone hand for each player: bag of Card, seen by owner
zone box: bag of Card, starts with each Card times 4
zone lines for each 1..2: pile of Card
marker n: 0..99

overview:
  each p in players:
    each c in [yak, owl, owl, moon_bear, moon_moth]: put c from box into p's hand
  players may freely touch or trade or tell or say or take or set or give until n > 90
  seat(1) may touch
  end game, nobody wins

move touch(card in my hand): n becomes 91
move trade(card in my hand, partner in players, maybe loudly): n rises by 1
move tell(who in players, said in lists(3, Word)): n rises by 1
move say(said in lists(3, Word)): n rises by 1
move take(two in bags(2, my hand)): n rises by 1
move set(m in 1..30): n becomes m
move give(card in my hand, where_to in lines): put card from my hand onto where_to
move undo_it: n rises by 1
"""


def match() -> Match:
    program = compile_source(Source("game.rules", RULES), "game").program
    return Match(engine_named("reference").configure(program, 2, {}), 1)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("touch(yak)", "touch(yak)"),
        ("Touch y", "touch(yak)"),
        ("to y", "touch(yak)"),
        ("touch moon_b", "touch(moon_bear)"),
        ("to(moon_b)", "touch(moon_bear)"),
        ("to o", "touch(owl)"),  # of the two that begin like that, only the owl is in the hand
        ("to ot", "touch(otter)"),  # which is not there: that is told when it is tried
        ("tr owl 2 yes", "trade(owl, seat 2, yes)"),
        ("tr owl, 2, n", "trade(owl, seat 2, no)"),
        ("trade(owl, seat 2, no)", "trade(owl, seat 2, no)"),
        ("te 2 old it_is_bl", "tell(seat 2, [old, it_is_blue])"),
        ("te 2 [old, it_is_bi]", "tell(seat 2, [old, it_is_big])"),
        ("say o", "say([old])"),
        ("sa(old it_is_blue)", "say([old, it_is_blue])"),
        ("ta owl yak", "take([owl, yak])"),
        ("ta [ow ya]", "take([owl, yak])"),
        ("set 3", "set(3)"),
        ("se 12", "set(12)"),
        ("un", "undo_it"),
        ("gi yak lines_1", "give(yak, lines 1)"),
    ],
)
def test_what_is_meant(typed: str, meant: str) -> None:
    state = match().state
    answer = read_short(state, 0, typed)
    assert move_text(state.game.program, answer) == meant


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("t y", "'t' could be touch, trade, tell, take: type more of it."),
        ("fly", "This game has no move called 'fly'."),
        ("touch moon", "'moon' could be moon_bear, moon_moth: type more of it."),
        ("to x", "'x' is not a choice for 'card'."),
        ("to", "Write 'touch CARD'."),
        ("to y y", "Write 'touch CARD'."),
        ("un 3", "Write 'undo_it'."),
        ("se 1x", "'1x' is not a choice for 'm'."),
        ("set 40", "'40' is not a choice for 'm'."),
        ("say it", "'it' could be it_is_blue, it_is_big: type more of it."),
        ("say blah", "'[blah]' is not a choice for 'said'."),
        ("say", "Write 'say SAID'."),
        ("say [old, old, old, old]", "'[old, old, old, old]' is not a choice for 'said'."),
        ("te 2", "Write 'tell WHO SAID'."),
    ],
)
def test_what_is_told(typed: str, told: str) -> None:
    with pytest.raises(Refused) as refused:
        read_short(match().state, 0, typed)
    assert refused.value.reasons[0].words.startswith(told)


def test_passing_is_short_where_one_may_pass() -> None:
    played = match()
    played.submit(Play(0, 0, (0,)))
    state = played.state
    assert move_text(state.game.program, read_short(state, 0, "p")) == "pass"
    assert move_text(state.game.program, read_short(state, 0, "t y")) == "touch(yak)"
    assert move_text(state.game.program, read_short(state, 0, "tr owl 2 no")) == "trade(owl, seat 2, no)"


def test_many_that_begin_alike_are_not_all_listed() -> None:
    with pytest.raises(Refused) as refused:
        named("n", [f"n{number}" for number in range(9)])
    assert refused.value.reasons[0].words == "'n' could be n0, n1, n2, n3, n4, n5, ...: type more of it."
    assert named("", ["a"]) is None and named("B c", ["a", "b_c", "b_c_d"]) == 1
