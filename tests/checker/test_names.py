"""Every mistake with names: the wrong line, the mended line, the message. Spec 4.1."""

import pytest
from tables import Row, mistakes, program, unused

from rulelang.diagnostics.codes import CODES

# fmt: off
# ruff: noqa: E501
TABLE: list[Row] = [
    ("RL3001", "  rund rises by 1", "  round rises by 1", "Nothing here is called 'rund'."),
    ("RL3001", "  each p in players: q's points rises by 1", "  each p in players: p's points rises by 1", "Nothing here is called 'q'."),
    ("RL3001", "  each p in players: p's poinst rises by 1", "  each p in players: p's points rises by 1", "Nothing here is called 'poinst'."),
    ("RL3001", "move bet(n in 1..3):;;  require low;;  my points rises by n", "condition low: round < 9;;move bet(n in 1..3):;;  require low;;  my points rises by n", "Nothing here is called 'low'."),
    ("RL3001", "  round rises by size of players + after;;  let after = 1", "  let after = 1;;  round rises by size of players + after", "Nothing here is called 'after'."),
    ("RL3002", "marker round: 0..5", "marker lap: 0..5", "'round' is already declared."),
    ("RL3002", "zone players: bag of Card", "zone winners: bag of Card", "'players' is already declared."),
    ("RL3002", "values Hour: one, two, one", "values Hour: one, two, three", "'one' is already declared."),
    ("RL3002", "record Die:;;  face: 1..6;;  face: Suit", "record Die:;;  face: 1..6;;  colour: Suit", "'face' is already declared."),
    ("RL3002", "  let round = 3", "  let lap = 3", "'round' is already declared."),
    ("RL3002", "  each p in players:;;    each p in players: p's points rises by 1", "  each p in players:;;    each q in players: q's points rises by 1", "'p' is already declared."),
    ("RL3002", "  let players = 3", "  let all_of_us = 3", "'players' is already declared."),
    ("RL3002", "overview: end game, nobody wins;;overview: end game, nobody wins", "overview: end game, nobody wins", "'overview' is already declared."),
    ("RL3002", "always late: round < 9;;always late: round < 8", "always late: round < 9;;always later: round < 8", "'late' is already declared."),
    ("RL3002", "always late: round < 9;;define late = 3", "always late: round < 9;;define lateness = 3", "'late' is already declared."),
    ("RL3002", "require few: pon;;require few: size of players < 4", "require few: pon;;require fewer: size of players < 4", "'few' is already declared."),
    ("RL3003", 'game "Table":\n  colour: 3', 'game "Table":\n  about: "small"', "'colour' is not one of the words that can stand here."),
    ("RL3003", "  shufle stock", "  put top from stock onto heap[1]", "'shufle' is not one of the words that can stand here."),
    ("RL3003", "  players must secretely score", "  players must secretly score", "'secretely' is not one of the words that can stand here."),
    ("RL3003", "  players must in_turn score", "  players may in_turn score", "'in_turn' is not one of the words that can stand here."),
    ("RL3003", "  end game, draw players", "  end game, unresolved players", "'draw' is not one of the words that can stand here."),
    ("RL3003", "zone box: pile of Card, contents seen by nobody", "zone box: pile of Card, content seen by nobody", "'contents' is not one of the words that can stand here."),
    ("RL3004", "  score_round", "  deal_again;;rule deal_again: round rises by 1", "There is no rule called 'score_round'."),
    ("RL3004", "  if round > 3: end dael", "  if round > 3: end deal", "There is no rule called 'dael'."),
    ("RL3004", "before dael: round rises by 1", "before deal: round rises by 1", "There is no rule called 'dael'."),
    ("RL3005", "  seat(1) must scorre", "  seat(1) must score", "There is no move called 'scorre'."),
    ("RL3007", "  round rises by count(each c in stock where colour of c is clubs)", "  round rises by count(each c in stock where suit of c is clubs)", "A Card has nothing called 'colour'."),
    ("RL3003", "board Comb: 3 by 3 hexagon", "board Comb: 3 by 3 hexagons", "'hexagon' is not one of the words that can stand here."),
    ("RL3007", "board Comb: 2 by 2 hexagons;;define sides(c: Comb) = size of edges of c", "board Comb: 2 by 2 squares;;define sides(c: Comb) = size of edges of c", "A cell of Comb has nothing called 'edges'."),
    ("RL3007", "  round rises by row of round", "  round rises by row of cell(Square, 1, 1)", "A number has nothing called 'row'."),
    ("RL3008", "define a = b + 1;;define b = a + 1", "define a = 2;;define b = a + 1", "'a' is defined by way of itself."),
    ("RL3008", "record Box:;;  inside: Box", "record Box:;;  inside: Suit", "'Box' is defined by way of itself."),
    ("RL3010", "marker trump: Siut or none", "marker trump: Suit or none", "There is no kind of thing called 'Siut'."),
    ("RL3010", "values Side: edges(Suit)", "values Side: edges(Square)", "There is no kind of thing called 'Suit'."),
    ("RL3010", "zone box: bag of Card, starts with each Crad", "zone box: bag of Card, starts with each Card", "There is no kind of thing called 'Crad'."),
    ("RL3011", "  round rises by deal", "  round rises by total(seat(1))", "'deal' is a rule; a value is needed here."),
    ("RL3011", "  total(seat(1))", "  deal_again;;rule deal_again: round rises by total(seat(1))", "'total' is a define; a rule is needed here."),
    ("RL3011", "  seat(1) must deal", "  seat(1) must score", "'deal' is a rule; a move is needed here."),
    ("RL3011", "  round rises by round(3)", "  round rises by quotient(round, 3)", "'round' is a marker; something that takes values in brackets is needed here."),
    ("RL3011", "  each p in players: round rises by p's total", "  each p in players: round rises by p's points", "'total' is a define; a zone or marker of a player is needed here."),
    ("RL3011", "  round rises by size of edges(Square)", "values Edge: edges(Square);;rule more: round rises by size of Edge", "'edges' is a kind of value; a value is needed here."),
    ("RL3011", "  round rises by clubs(3)", "  chosen becomes clubs", "'clubs' is a value; something that takes values in brackets is needed here."),
    ("RL3011", "condition late: round > 3;;rule more: late", "condition late: round > 3;;rule more: round rises by 1", "'late' is a condition; a rule is needed here."),
    ("RL3011", "  put heap[1](2) from heap[1] onto stock", "  put top(2) from heap[1] onto stock", "'this' is a formula; something that takes values in brackets is needed here."),
    ("RL3010", "zone box: bag of Card, starts with each Kard", "zone box: bag of Card, starts with each Card", "There is no kind of thing called 'Kard'."),
    ("RL3018", "  seat(1) must score or score", "  seat(1) must score", "'score' is already offered here."),
    ("RL3001", "condition both:;;  require nothing_else", "condition both:;;  require nothing: round > 3", "Nothing here is called 'nothing_else'."),
    ("RL3008", "condition both:;;  require other;;condition other: both and round > 3", "condition both:;;  require other;;condition other: round > 3", "'both' is defined by way of itself."),
    ("RL3008", "condition both: ends;;define ends = both or round > 3", "condition both: ends;;define ends = round > 3", "'both' is defined by way of itself."),
    ("RL3008", "condition both:;;  require both", "condition both:;;  require a: round > 3", "'both' is defined by way of itself."),
    ("RL3014", "instead of score.low:;;  require low: round < 9", "before score: round rises by 1", "replacing a single requirement is specified in section 14.4 but not built yet."),
    ("RL3014", "  seat(1) must score as who", "  players may in_order score as who", "'as' at a choice is specified in section 9.9 but not built yet."),
    ("RL3003", "  players may freely score", "  players may freely score until round > 3", "'freely' is not one of the words that can stand here."),
    ("RL3014", "  reveal stock", "  put top from stock onto heap[1]", "'reveal' is specified in section 7.5 but not built yet."),
]
# fmt: on

NOT_YET = {"RL3015", "RL3016", "RL3017", *(number for number in CODES if number.startswith("RL35"))}
"""RL3015 has a test below; RL35xx are those of scenarios."""


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]} {row[1].strip()[:40]}")
def test_the_wrong_line_gets_its_message_and_the_mended_one_none(row: Row) -> None:
    assert mistakes(program(row, "wrong")) == [(row[0], row[3])]
    assert mistakes(program(row, "mended")) == []


SORTS = [
    ("let x = 3;;  round rises by x(1)", "'x' is a name of this rule"),
    ("round rises by pon(1)", "'pon' is an option"),
    ("round rises by Suit(1)", "'Suit' is a kind of value"),
    ("round rises by stock(1)", "'stock' is a zone"),
    ("round rises by score(1)", "'score' is a move"),
    ("round rises by deal(1)", "'deal' is a rule"),
    ("round rises by players(1)", "'players' is a word of the language"),
]


@pytest.mark.parametrize(("line", "message"), SORTS)
def test_only_some_sorts_of_names_take_values_in_brackets(line: str, message: str) -> None:
    wanted = f"{message}; something that takes values in brackets is needed here."
    assert mistakes(program(("", f"  {line}", "", ""), "wrong")) == [("RL3011", wanted)]


def test_every_code_is_in_the_table() -> None:
    assert unused("names", TABLE, NOT_YET) == set()


def test_one_mistake_gives_one_message() -> None:
    row = ("", "  each q in plaiers: q's points rises by 1 + q's points", "", "")
    assert mistakes(program(row, "wrong")) == [("RL3001", "Nothing here is called 'plaiers'.")]


def test_all_independent_mistakes_are_found_at_once() -> None:
    row = ("", "  rund rises by 1;;  seat(1) must scorre;;  dael", "", "")
    assert [code for code, _ in mistakes(program(row, "wrong"))] == ["RL3001", "RL3005", "RL3004"]


def test_a_game_says_how_many_play_and_how_it_begins() -> None:
    assert mistakes('game "A":\n  about: 1\n\noverview: end game, nobody wins\n') == [
        ("RL3015", "This game does not say how many play.")
    ]
    assert mistakes('game "A":\n  players: 2\n\nmarker round: 0..9\n') == [
        ("RL3015", "This game does not say how it begins.")
    ]


COVERS = [
    ("0", "RL4001", "This is a game for 0 players; a game for at least 1 player is needed here."),
    ("0..3", "RL4001", "This is a game for 0 players; a game for at least 1 player is needed here."),
    ("5..2", "RL6003", "No number lies in 5..2."),
    ("2, 3", "RL4001", "This is no plain number of players; 2, for instance, or 2..4 is needed here."),
    ("17", "RL6009", "A game has at most 16 seats."),
]


@pytest.mark.parametrize(("players", "code", "message"), COVERS)
def test_what_is_wrong_with_the_number_of_players_is_said(players: str, code: str, message: str) -> None:
    text = f'game "A":\n  players: {players}\n\noverview: end game, nobody wins\n'
    assert mistakes(text) == [(code, message)]


def test_a_value_gives_way_to_other_names() -> None:
    """`clubs` is a value of Suit; a local of that name is meant inside."""
    row = ("", "", "  let clubs = 3;;  round rises by clubs", "")
    assert mistakes(program(row, "mended")) == []
