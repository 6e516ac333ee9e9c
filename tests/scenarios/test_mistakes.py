"""What authors of scenarios are told: every mistake with its words, and all of a file at once."""

# ruff: noqa: E501  # tables read better in whole lines

import pytest
from playing import CARDS, mistakes, scenario

MISTAKES = {
    "player": (
        ("", "Anna: draw", "to move: Ann"),
        ["5 RL3501 Nobody here is called 'Anna'. -> did you mean 'Ann'?"],
    ),
    "another player": (
        ("", "Ann: draw", "to move: Cleo"),
        ["7 RL3501 Nobody here is called 'Cleo'. -> the players are Ann, Ben"],
    ),
    "move": (("", "Ann: drow", "game goes on"), ["5 RL3005 There is no move called 'drow'. -> did you mean 'draw'?"]),
    "too few values": (
        ("", "Ann: lay(ace)", "game goes on"),
        ["5 RL4003 'lay' takes 3 values (card, where_to, loudly), but is given 1."],
    ),
    "values of pass": (("", "Ann: pass(1)", "game goes on"), ["5 RL4003 'pass' takes nothing, but is given 1."]),
    "kind of a value": (
        ("", "Ann: lay(3, heap[1])", "game goes on"),
        ["5 RL4001 This is a number; one of 'Card' is needed here."],
    ),
    "value": (
        ("", "Ann: lay(tree, heap[1])", "game goes on"),
        ["5 RL3001 Nothing here is called 'tree'. -> did you mean 'three'?"],
    ),
    "search as a value": (
        ("", "Ann: lay(each c in held, heap[1])", "game goes on"),
        ["5 RL2027 A condition is given single values; 'each' cannot stand here."],
    ),
    "reason": (
        ("", "Ann: draw  refused higer", ""),
        ["5 RL3502 Nothing in this game is ever refused as 'higer'. -> did you mean 'higher'?"],
    ),
    "option": (
        ("option row = 3", "", "game goes on"),
        ["4 RL7001 There is no option called 'row'. -> did you mean 'rows'?"],
    ),
    "value of an option": (
        ("option size_of_hands = huge", "", "game goes on"),
        ["4 RL7002 'size_of_hands' cannot be 'huge'. -> it is small or large"],
    ),
    "number of an option": (
        ("option rows = small", "", "game goes on"),
        ["4 RL4001 This is no number; a number (rows) is needed here."],
    ),
    "yes or no of an option": (
        ("option open = 3", "", "game goes on"),
        ["4 RL4011 This is a number; a condition, true or false, is needed here."],
    ),
    "option twice": (
        ("option rows = 3; option rows = 4", "", "game goes on"),
        ["5 RL3507 'option rows' was said before in this scenario."],
    ),
    "players twice": (
        ("players: Cleo, Dora", "", "game goes on"),
        ["4 RL3507 'players' was said before in this scenario."],
    ),
    "name of a player": (
        ("each ace in players: Ann's score is 1", "", ""),
        [
            "4 RL2020 'Ann' is not expected here; after ':' comes the end of the line. -> it is written like this: each p in players:"
        ],
    ),
    "zone": (
        ("stok holds ace", "", "game goes on"),
        ["4 RL3001 Nothing here is called 'stok'. -> did you mean 'stock'?"],
    ),
    "index": (
        ("heap[1, 2] holds ace", "", "game goes on"),
        ["4 RL4007 'heap' is told apart by a number, not by 2 indices. -> write heap[...]"],
    ),
    "owner": (
        ("hand holds ace", "", "game goes on"),
        ["4 RL4007 'hand' is told apart by a player, not by nothing. -> write p's hand, or my hand in a move"],
    ),
    "family": (
        ("heap holds ace", "", "game goes on"),
        [
            "4 RL3506 This is the whole family 'heap'; only what a zone holds or a marker says can be given. -> name one: heap[...], or write 'each ...:'"
        ],
    ),
    "marker that holds": (
        ("active holds Ann", "", "game goes on"),
        [
            "4 RL3506 This is a marker, which holds nothing; only what a zone holds or a marker says can be given. -> write 'is' for what a marker says"
        ],
    ),
    "zone that is": (
        ("heap[1] is ace", "", "game goes on"),
        ["4 RL4001 This is one of 'Card'; 'empty' is needed here. -> write 'heap holds ...'"],
    ),
    "piece of another kind": (
        ("heap[1] holds 3", "", "game goes on"),
        ["4 RL4001 This is a number; one of 'Card' is needed here."],
    ),
    "marker of another kind": (
        ("active is ace", "", "game goes on"),
        ["4 RL4001 This is one of 'Card'; a player is needed here."],
    ),
    "formula that is given": (
        ("best is Ann", "", "game goes on"),
        ["4 RL3506 This is a player or none; only what a zone holds or a marker says can be given."],
    ),
    "two anythings": (
        ("Ann's hand holds anything, ace, anything", "", "game goes on"),
        ["4 RL3510 Only one 'anything' without a number can stand in a line."],
    ),
    "rule": (
        ("reach take_trun", "", "game goes on"),
        ["4 RL3004 There is no rule called 'take_trun'. -> did you mean 'take_turn'?"],
    ),
    "name where play stands": (
        ("reach take_turn where r is Ann", "", "game goes on"),
        ["4 RL3001 Nothing here is called 'r'."],
    ),
    "outcome": (
        ("", "Ann: draw  giving Ann", "game goes on"),
        ["5 RL3508 Chance never gives this in this game. -> it gives one of 'Card'"],
    ),
    "claim": (("", "", "Ann's score"), ["5 RL4011 This is a number; a condition, true or false, is needed here."]),
    "unseen pile": (
        ("", "", "ace in stock"),
        ["5 RL5005 'stock' lies unseen; nothing may depend on what is in it. -> write 'stock holds ...'"],
    ),
    "who moves": (("", "", "to move: Bon"), ["5 RL3501 Nobody here is called 'Bon'. -> did you mean 'Ben'?"]),
    "who sees": (("", "", "Cleo sees active"), ["5 RL3501 Nobody here is called 'Cleo'. -> the players are Ann, Ben"]),
    "amount": (("", "", "game over, Ann gets ace"), ["5 RL4001 This is one of 'Card'; a number is needed here."]),
    "me": (
        ("", "", "my score is 3"),
        [
            "5 RL2020 'me' is not expected here; nobody moves here. -> 'me' and 'my' are the seat that moves; a rule takes a player as a parameter"
        ],
    ),
    "nothing is checked": (
        ("", "Ann: draw", ""),
        [
            "1 RL3509 This scenario checks nothing. -> say below 'then:' what must be true, or behind a move why it is refused"
        ],
    ),
    "edge without edges": (
        ("", "", "a1 - b1 is 3"),
        ["5 RL4009 'a1-b1' is not one of the values of an edge of one board."],
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(name: str) -> None:
    (given, when, then), said = MISTAKES[name]
    assert mistakes(scenario(given, when, then)) == said


FILES = {
    'scenario "A" of chess:\n  then:\n    game goes on\n': ["1 RL1010 There is no ruleset called 'chess'."],
    'scenarios "A" of cards:\n  then:\n    game goes on\n': [
        "1 RL2030 'scenarios' begins no declaration. -> did you mean 'scenario'?"
    ],
    "move a:\n  b\n": [
        "1 RL2030 'move' begins no declaration. -> a play file holds scenarios; each begins like this: "
        'scenario "The third raise" of "leduc-poker":'
    ],
    'scenario "A" of cards\n  then:\n    game goes on\n': [
        "1 RL2029 A ':' is missing after 'cards'. -> it is written like this: scenario \"The third raise\" of \"leduc-poker\":"
    ],
    'scenario "A" of cards:\n  then\n    game goes on\n': [
        "2 RL2029 A ':' is missing after 'then'. -> it is written like this: then:"
    ],
    "reasons:\n  late: higher\n  late: quiet\n" + scenario("", "", "game goes on"): [
        "3 RL3507 'late' was said before in this scenario."
    ],
    scenario("", "", "game goes on") + scenario("", "", "game goes on"): [
        "6 RL3504 Two scenarios of this file are called 'S'."
    ],
    'scenario "A" of cards:\n  given:\n    players: Ann, two\n  then:\n    game goes on\n': [
        "3 RL3002 'two' is already declared. -> choose another name"
    ],
    'scenario "A" of cards:\n  given:\n    players: Ann, active\n  then:\n    game goes on\n': [
        "3 RL3002 'active' is already declared. -> choose another name"
    ],
    'scenario "A" of cards:\n  given:\n    players: Ann\n  then:\n    game goes on\n': [
        "3 RL7004 This game is for 2 to 3 seats, not 1."
    ],
    'rules cards:\n  game "x":\n': [
        "-51 RL3503 This play file holds no scenario.",
        "1 RL3002 'cards' is already declared.",
    ],
    "rules other:\nscenario": [
        "1 RL2003 An indented block must follow this line.",
        "2 RL2024 The line ends too early; after 'scenario' comes a text in quotation marks. -> it is written like this: "
        'scenario "The third raise" of "leduc-poker":',
    ],
}


@pytest.mark.parametrize("text", FILES)
def test_mistake_of_a_file(text: str) -> None:
    found = mistakes(text)
    assert found == FILES[text]


def test_all_mistakes_are_told_at_once() -> None:
    text = scenario(
        "option row = 3; stok holds ace", "Anna: drow; Ann: draw  refused higer", "Ann's score; to move: Bon"
    )
    assert [line.split()[1] for line in mistakes(text)] == [
        *("RL7001", "RL3001", "RL3501", "RL3005", "RL3502", "RL4011", "RL3501"),
    ]


def test_mistakes_of_inline_rules_point_into_the_play_file() -> None:
    wrong = CARDS.replace("my score rises by 2", "my scor rises by 2")
    found = mistakes(scenario("", "", "game goes on"), wrong)
    line = next(n for n, row in enumerate(wrong.split("\n"), 1) if "my scor " in row) - wrong.count("\n")
    assert found == [f"{line} RL3001 Nothing here is called 'scor'. -> did you mean 'score'?"]
