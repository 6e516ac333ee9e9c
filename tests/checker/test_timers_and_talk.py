"""Mistakes with timers, open play, votes and what is said: the line, the codes, the message. Spec 11 and 12."""

import pytest
from tables import mistakes

from rulelang.diagnostics.reading import source_from_text
from rulelang.pipeline import check_source

GAME = """game "Glass":
  players: 2..4
AUTOMATIC
values Word: hot, cold
values Pair: 1..2
option long: 1..3 = 2
zone hand for each player: bag of Word, seen by owner, starts with each Word
zone heap for each 1..2: bag of Word
timer glass: 60 seconds
timer flag: long minutes
marker taps: 0..99
marker over: yes or no
marker best: player
marker words: list of Word

move tap: taps rises by 1
move stop: end round
move say_it(said in lists(2, Word)):
  words becomes said
  each word in said: taps rises by 1

DECLARED

overview:
  if taps < 40: round
  best must tap or say_it
  end game, nobody wins
rule round:
"""


def game(line: str, automatic: str = "") -> str:
    """The game with instructions of the rule `round`, or with a declaration if the line begins with its word."""
    header = f"  automatic: {automatic}\n" if automatic else ""
    declared = line.split(" ")[0] in ("timer", "move", "define", "condition", "marker", "always")
    text = GAME.replace("AUTOMATIC\n", header).replace("DECLARED", line.replace(";;", "\n") if declared else "")
    work = "taps rises by 1" if declared else line
    return text + "".join(f"  {each}\n" for each in work.split(";;"))


GOOD = [
    "start glass;;pause glass;;resume glass;;reset glass",
    "if glass is running: taps rises by 1",
    "if glass is not empty or empty is glass: taps rises by 1",
    "if paused is glass or glass in [full, empty]: taps rises by 1",
    "if (glass if over otherwise empty) is full: taps rises by 1",
    "let state = glass;;if state is flag: taps rises by 1",
    "if left of glass < 1000 and left of (flag) > 0: taps rises by 1",
    'best must tap because "the glass is {glass}, {left of glass} ms are left"',
    "players may freely tap or stop until glass is empty or over",
    'others(best) may freely tap until left of glass < 5 because round_over: "the sand has run"',
    'players must once_each tap or stop because "does it count?"',
    "timer bell: 500 milliseconds",
    "timer bell: 2 * long - 1 seconds",
    "timer bell: size of players minutes",
    "define late = glass is empty",
    "always some_time: left of glass >= 0",
    'move late(n in 1..3):;;  require sand: glass is running because "the glass is {glass}"',
    "move number(ns in lists(long, Pair)): taps rises by sum(n for each n in ns)",
    "move seats(ps in lists(2, players)): best becomes item(ps, 1)",
    "move cards(cs in lists(2, my hand)): taps rises by size of cs",
]


@pytest.mark.parametrize("line", GOOD)
def test_what_can_be_said_of_time(line: str) -> None:
    assert mistakes(game(line)) == []


# fmt: off
# ruff: noqa: E501
WRONG = [
    # timers
    ("timer bell: 3 hours", "RL3003", "'hours' is not one of the words that can stand here."),
    ("timer bell: 3 second", "RL3003", "'second' is not one of the words that can stand here."),
    ("timer bell: hot seconds", "RL4002", None),
    ("timer bell: taps seconds", "RL6008", "Nothing says how large 'this' may become."),
    ("timer bell: left of glass seconds", "RL6008", None),
    ("timer bell: (3 if glass is full otherwise 2) seconds", "RL6008", None),
    ("timer bell: 0 seconds", "RL6014", "'bell' runs for 0 milliseconds; a timer runs for 1 to 86400000."),
    ("timer bell: 1441 minutes", "RL6014", None),
    ("timer bell: -2 minutes", "RL6014", "'bell' runs for -120000 milliseconds; a timer runs for 1 to 86400000."),
    ("timer taps: 3 seconds", "RL3002", "'taps' is already declared."),
    ("marker share: 0..9 = left of glass", "RL4001", None),
    # commands
    ("start taps", "RL3011", "'taps' is a marker; a timer is needed here."),
    ("start best's hand", "RL3011", "'hand' is a zone; a timer is needed here."),
    ("pause heap[1]", "RL3011", "'this' is a value; a timer is needed here."),
    ("start glas", "RL3001", "Nothing here is called 'glas'."),
    ("start glass to taps", "RL2020", None),
    ("shuffle glass", "RL4006", None),
    ("put everything from glass into heap[1]", "RL4006", None),
    ("glass becomes full", "RL4012", None),
    ("glass rises by 3", "RL4012", None),
    ("best's glass becomes 3", "RL3011", None),
    ("announce glass", "RL3003", "'announce' is not one of the words that can stand here."),
    # states
    ("if glass is broken: taps rises by 1", "RL3001", "Nothing here is called 'broken'."),
    ("if glass is hot: taps rises by 1", "RL4004", "The state of a timer cannot be compared with one of 'Word'."),
    ("if glass < 3: taps rises by 1", "RL4004", None),
    ("if glass is 3: taps rises by 1", "RL4004", None),
    ("taps rises by left of taps", "RL3007", "A number has nothing called 'left'."),
    ("let state = glass;;taps rises by left of state", "RL3007", "The state of a timer has nothing called 'left'."),
    ("taps rises by left of over", "RL3007", None),
    # open play and votes
    ("players may freely tap", "RL3003", "'freely' is not one of the words that can stand here."),
    ("players must freely tap until over", "RL3003", "'freely' is not one of the words that can stand here."),
    ("players may freely tap until taps", "RL4011", None),
    ("best may freely tap until over", "RL4001", "This is a player; players is needed here."),
    ("players may once_each tap", "RL3003", "'once_each' is not one of the words that can stand here."),
    ("best must once_each tap", "RL4001", "This is a player; players is needed here."),
    ("best must tap until over", "RL2020", None),
    ("players must secretly tap until over", "RL2020", None),
    ("players must freeley tap until over", "RL3003", "'freeley' is not one of the words that can stand here."),
    ("players may freely tap until over as who", "RL3014", "'as' at a choice is specified in section 9.9 but not built yet."),
    ("players may freely tap until hot in best's hand", "RL5004", None),
    ("(all p in players where hot in p's hand) may freely tap until over", "RL5003", None),
    ("(all p in players where hot in p's hand) must once_each tap", "RL5003", None),
    ('players may freely tap until over because "{best\'s hand}"', "RL5002", None),
    # what is said
    ("words becomes lists(2, Word)", "RL3011", "'lists' is what a move may say; a value is needed here."),
    ("taps rises by count(each l in lists(2, Word))", "RL3011", None),
    ("move two(ws in lists(2, lists(2, Word)))", "RL3011", None),
    ("move two(ws in lists(2, bags(2, my hand)))", "RL4001", "This is a bag of which each is one of 'Word'; single things to say is needed here."),
    ("move two(ws in lists(Word))", "RL4003", None),
    ("move two(ws in lists(hot, Word))", "RL4002", None),
    ("move two(ws in lists(2, taps))", "RL4005", None),
    ("move two(ws in lists(taps, Word))", "RL6008", None),
    ("move two(ws in lists(0, Word))", "RL6003", "No number lies in 1..0."),
    ("move two(ws in lists(65, Word))", "RL6004", "'one answer' may have 65 members; at most 64 are allowed."),
    ("move two(ws in lists(2, [1, 2, taps]))", "RL6008", None),
    ("move two(ws in lists(2, best's hand))", "RL5007", None),
    ("move two(ws in lists(2, Word)):;;  require cold: ws is hot", "RL4004", None),
]
# fmt: on


@pytest.mark.parametrize(("line", "code", "message"), WRONG)
def test_what_cannot_be_said_of_time(line: str, code: str, message: str | None) -> None:
    found = mistakes(game(line))
    assert [number for number, _ in found] == [code]
    assert message in (None, found[0][1])


HINTS = [
    ("timer bell: 3 hours", "a timer is counted in milliseconds, seconds, minutes"),
    ("timer bell: 3 second", "did you mean 'seconds'?"),
    ("glass becomes full", "a timer is changed with start or pause or resume or reset: start glass"),
    ("players may freely tap", "say when it is over: 'players may freely draw or stop until glass is empty'"),
    ("players must freely tap until over", "nobody has to act: write 'may freely'"),
    ("players may once_each tap", "everybody answers: write 'must once_each'"),
]


@pytest.mark.parametrize(("line", "hint"), HINTS)
def test_ways_out(line: str, hint: str) -> None:
    _, findings = check_source(source_from_text("game.rules", game(line)))
    assert [each.hint for each in findings.diagnostics()] == [hint]


LAPS = [
    ("repeat:;;  players may freely tap until over", "", ["RL6001"]),
    ("repeat:;;  players may freely tap until over;;  best must tap", "", []),
    ("repeat:;;  players must once_each tap", "", []),
    ("repeat:;;  players must once_each tap", "forced_choices", []),
    ("repeat:;;  others(best) must once_each tap", "", ["RL6001"]),
    ("repeat until glass is empty:;;  taps rises by 1", "", ["RL6001"]),
    ("repeat:;;  start glass;;  pause glass", "", ["RL6001"]),
    ("players may freely tap or stop until over;;taps rises by 1", "", []),
    ("players must once_each stop;;taps rises by 1", "", []),
    ("players may freely say_it until over", "forced_choices", []),
]


@pytest.mark.parametrize(("line", "automatic", "codes"), LAPS)
def test_open_play_and_votes_in_loops(line: str, automatic: str, codes: list[str]) -> None:
    assert [number for number, _ in mistakes(game(line, automatic))] == codes


def test_a_name_of_the_author_is_no_state() -> None:
    """A marker called `running` hides the word; the other words stay."""
    text = game("if glass is empty: taps rises by 1").replace("marker over", "marker running: yes or no\nmarker over")
    assert mistakes(text) == []


def test_states_give_way_to_other_values() -> None:
    text = game("if glass is full or chair is full: taps rises by 1")
    text = text.replace("marker over", "values Chair: free, full\nmarker chair: Chair\nmarker over")
    assert mistakes(text) == []
