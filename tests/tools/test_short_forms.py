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
values Word: it_is_blue, it_is_big, old, nose_is_big
values Number: 1..30
zone hand for each player: bag of Card, seen by owner
zone box: bag of Card, starts with each Card times 4
zone lines for each 1..2: pile of Card
marker n: 0..99

overview:
  each p in players:
    each c in [yak, owl, owl, moon_bear, moon_moth]: put c from box into p's hand
  players may freely touch or trade or tell or say or whisper or take or set or give until n > 90
  seat(1) may touch
  end game, nobody wins

move touch(card in my hand): n becomes 91
move trade(card in my hand, partner in players, maybe loudly): n rises by 1
move tell(who in players, said in lists(3, Word)): n rises by 1
move say(said in lists(3, Word)): n rises by 1
move whisper(said in lists(3, Word), maybe gladly, maybe noisily): n rises by 1
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
        # a 'maybe' at the end may be left out, however the move is written
        ("tr owl 2", "trade(owl, seat 2, no)"),
        ("tr(owl, 2)", "trade(owl, seat 2, no)"),
        ("wh old", "whisper([old], no, no)"),
        ("wh [old]", "whisper([old], no, no)"),
        ("wh (old)", "whisper([old], no, no)"),
        ("whisper(old, it_is_blue)", "whisper([old, it_is_blue], no, no)"),
        ("wh old it_is_bl yes", "whisper([old, it_is_blue], yes, no)"),
        ("wh old, it_is_bl, no, y", "whisper([old, it_is_blue], no, yes)"),
        ("wh [old it_is_bl] y", "whisper([old, it_is_blue], yes, no)"),
        ("wh([old, it_is_bl], yes, yes)", "whisper([old, it_is_blue], yes, yes)"),
        ("wh nose_is_big no", "whisper([nose_is_big], no, no)"),
        ("wh old n", "whisper([old, nose_is_big], no, no)"),  # it begins something that can be said
        ("ta [2 of owl]", "take([owl, owl])"),
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
        ("say blah", "'blah' is not a choice for 'said'. It is 1 to 3 in square brackets, such as [it_is_blue]."),
        ("say olt", "'olt' is not a choice for 'said'. Did you mean 'old'?"),
        ("say [old [it]", "'it' could be it_is_blue, it_is_big: type more of it."),
        ("say", "Write 'say SAID ...'; 'said' is 1 to 3 with or without square brackets, such as [it_is_blue]."),
        ("say []", "'[]' is not a choice for 'said'. At least one is wanted, such as [it_is_blue]."),
        ("say([ ])", "'[]' is not a choice for 'said'. At least one is wanted, such as [it_is_blue]."),
        (
            "wh",
            "Write 'whisper SAID ... GLADLY NOISILY'; 'said' is 1 to 3 with or without square brackets, such as "
            "[it_is_blue]; 'gladly' is yes or no, no if it is left out; 'noisily' is yes or no, no if it is left out.",
        ),
        ("wh [old] yes yes yes", "Write 'whisper SAID ..."),
        ("ta [owl]", "'[owl]' is not a choice for 'two'. It is 2 in square brackets, such as "),
        ("trade owl", "Write 'trade CARD PARTNER LOUDLY'; 'loudly' is yes or no, no if it is left out."),
        ("say [old, old, old, old]", "'[old, old, old, old]' is not a choice for 'said'."),
        ("te 2", "Write 'tell WHO SAID ...';"),
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


def test_what_others_read_does_not_depend_on_a_hand() -> None:
    """Of the owl and the otter only the owl is in this hand; whoever reads the answer must not be told so."""
    state = match().state
    with pytest.raises(Refused) as refused:
        read_short(state, 0, "to o", overheard=True)
    assert refused.value.reasons[0].words == "'o' could be owl, otter: type more of it."
    assert move_text(state.game.program, read_short(state, 0, "to ot", overheard=True)) == "touch(otter)"


def test_many_that_begin_alike_are_not_all_listed() -> None:
    with pytest.raises(Refused) as refused:
        named("n", [f"n{number}" for number in range(9)])
    assert refused.value.reasons[0].words == "'n' could be n0, n1, n2, n3, n4, n5, ...: type more of it."
    assert named("", ["a"]) is None and named("B c", ["a", "b_c", "b_c_d"]) == 1
