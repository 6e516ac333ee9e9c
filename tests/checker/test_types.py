"""Every mistake with kinds: the wrong line, the mended line, the message. Spec 5."""

import pytest
from tables import Row, mistakes, program, unused

# fmt: off
# ruff: noqa: E501
TABLE: list[Row] = [
    ("RL4001", "  chosen becomes round", "  chosen becomes clubs", "This is a number; one of 'Suit' is needed here."),
    ("RL4001", "zone box: Card", "zone box: bag of Card", "This is no holder; 'pile of', 'bag of' or 'slot of' something is needed here."),
    ("RL4001", "marker two: Suit or Rank", "marker two: Suit or none", "This is a choice of kinds; one kind, perhaps 'or none' is needed here."),
    ("RL4001", "  players must score", "  players must secretly score", "This is a list of which each is a player; one player is needed here."),
    ("RL4001", "  seat(1) must secretly score", "  [seat(1)] must secretly score", "This is a player; players is needed here."),
    ("RL4001", "  end game, round wins", "  end game, seat(1) wins", "This is a number; a player or players is needed here."),
    ("RL4001", "  each p in players: put top from p's hand onto stock", "  each p in players: put random from p's hand onto stock", "This is a bag; a pile is needed here."),
    ("RL4001", "  put random from stock into seat(1)'s hand", "  put top from stock into seat(1)'s hand", "This is a pile; a bag is needed here."),
    ("RL4001", "  put top from stock onto seat(1)'s hand", "  put top from stock into seat(1)'s hand", "This is a bag; a pile is needed here."),
    ("RL4001", "  shuffle pens", "  put top from stock onto heap[1]", "This is a bag; a pile is needed here."),
    ("RL4001", "  roll pens", "  roll round", "This is a zone whose pieces show nothing; a marker or dice is needed here."),
    ("RL4001", "  round becomes 3 if pon otherwise clubs", "  round becomes 3 if pon otherwise 4", "This is one of 'Suit'; a number is needed here."),
    ("RL4001", "  round rises by size of [clubs, 3]", "  round rises by size of [clubs, hearts]", "This is a number; one of 'Suit' is needed here."),
    ("RL4001", "  round rises by total(3)", "  round rises by total(seat(3))", "This is a number; a player is needed here."),
    ("RL4001", "  each c in beside(seat(1)): round rises by 1", "  each c in beside(cell(Square, 1, 1)): round rises by 1", "This is a player; a cell of a board is needed here."),
    ("RL4001", "  each l in rows(Suit): round rises by 1", "  each l in rows(Square): round rises by 1", "This is a list of which each is one of 'Suit'; a board is needed here."),
    ("RL4001", "zone kept: bag of Card, seen by round", "zone kept: bag of Card, seen by players", "This is a number; players, 'owner', 'everyone' or 'nobody' is needed here."),
    ("RL4001", "move pick(l in rows(Square)): my points rises by 1", "move pick(s in Square): my points rises by 1", "This is a list of which each is a cell of Square; single things to choose from is needed here."),
    ("RL4001", "  stone[seat(1)] becomes nobody", "  stone[cell(Square, 1, 1)] becomes nobody", "This is a player; a cell of Square is needed here."),
    ("RL4001", "  each b in bags(2, bags(2, stock)): round rises by 1", "  each b in bags(2, stock): round rises by size of b", "This is a bag of which each is a Card; single things to take is needed here."),
    ("RL4001", "  let d = [best_partition(1 for each g in bags(2, stock))]", "  let d = best_partition(1 for each g in bags(2, stock))", "This is a partition; a single value is needed here."),
    ("RL4001", '  seat(1) must score because "{best_partition(1 for each g in bags(2, stock))}"', '  seat(1) must score because "{value of best_partition(1 for each g in bags(2, stock))}"', "This is a partition; words or a value is needed here."),
    ("RL4001", "  table may in_order score", "  [table] may in_order score", "This is a player; players is needed here."),
    ("RL4001", "  put position(2) from seat(1)'s hand onto stock", "  put position(2) from heap[1] onto stock", "This is a bag; a pile is needed here."),
    ("RL4002", "move pick(b in bags(1..2, stock)): round rises by 1", "move pick(b in bags(2, stock)): round rises by 1", "This is a list of which each is a number, and one cannot reckon with that."),
    ("RL4002", "  put position(clubs) from heap[1] onto stock", "  put position(round) from heap[1] onto stock", "This is one of 'Suit', and one cannot reckon with that."),
    ("RL4003", "  put position(1, 2) from heap[1] onto stock", "  put position(1) from heap[1] onto stock", "'position' takes 1 value, but is given 2."),
    ("RL4003", "  round rises by value of best_partition(each g in bags(2, stock))", "  round rises by value of best_partition(1 for each g in bags(2, stock))", "'best_partition' takes a worth for each group, but is given something else."),
    ("RL4005", "  round rises by size of best_partition(1 for each g in bags(2, stock))", "  round rises by size of rest of best_partition(1 for each g in bags(2, stock))", "This is a partition, which has no members."),
    ("RL4009", "option guard: off, 1..9 = 0", "option guard: off, 1..9 = off", "'0' is not one of the values of off, 1..9."),
    ("RL4013", "option one: off, 1..9 = off;;option two: off, 5..9 = off;;define none_of_them = round is off", "option one: off, 1..9 = off;;option two: off, 5..9 = off;;define none_of_them = two is off", "'off' could be a number (one) or a number (two)."),
    ("RL4002", "  round rises by clubs", "  round rises by 1", "This is one of 'Suit', and one cannot reckon with that."),
    ("RL4002", "  round becomes seat(1) + 1", "  round becomes seat_number(seat(1)) + 1", "This is a player, and one cannot reckon with that."),
    ("RL4002", "  chosen rises by 1", "  round rises by 1", "This is one of 'Suit', and one cannot reckon with that."),
    ("RL4002", "  if seat(1) < 3: round rises by 1", "  if seat_number(seat(1)) < 2: round rises by 1", "This is a player, and one cannot reckon with that."),
    ("RL4002", "  each p in players - seat(1): p's points rises by 1", "  each p in players but seat(1): p's points rises by 1", "This is a player, and one cannot reckon with that."),
    ("RL4003", "  round rises by total", "  round rises by total(seat(1))", "'total' takes 1 value, but is given 0."),
    ("RL4003", "  round rises by smaller(1)", "  round rises by smaller(1, 2)", "'smaller' takes 2 values, but is given 1."),
    ("RL4003", "  put Card(clubs) from stock onto heap[1]", "  put Card(clubs, 1) from stock onto heap[1]", "'Card' takes 2 values, but is given 1."),
    ("RL4003", "  round rises by count(stock)", "  round rises by count(each c in stock)", "'count' takes a search, but is given something else."),
    ("RL4003", "  end game, grade", "  end game, grade 3", "'grade' takes one value, but is given none."),
    ("RL4003", "table Fish:;;  weight: 1..9;;  row eel: 1, 2;;", "table Fish:;;  weight: 1..9;;  row eel: 1;;", "'eel' takes 1 value, but is given 2."),
    ("RL4004", "  if chosen is 3: round rises by 1", "  if chosen is clubs: round rises by 1", "One of 'Suit' cannot be compared with a number."),
    ("RL4004", "  if seat(1) in stock: round rises by 1", "  if seat(1) in players: round rises by 1", "A player cannot be compared with a Card."),
    ("RL4004", "  if clubs < round: round rises by 1", "  if chosen < hearts: round rises by 1", "One of 'Suit' cannot be compared with a number."),
    ("RL4005", "  each c in round: round rises by 1", "  each c in 1..round: round rises by 1", "This is a number, which has no members."),
    ("RL4005", "  let cards = [1, 2];;  round rises by cards[1]", "  let cards = [1, 2];;  round rises by item(cards, 1)", "This is a list of which each is a number, which has no members."),
    ("RL4006", "  put top from round onto stock", "  put top from heap[1] onto stock", "This is a number; something can only be put into a zone or a cell."),
    ("RL4006", "marker box: Suit, starts with each Suit", "marker box: Suit = clubs", "This is a marker; something can only be put into a zone or a cell."),
    ("RL4007", "  round rises by points", "  round rises by seat(1)'s points", "'points' is told apart by a player, not by nothing."),
    ("RL4007", "  put top from stock onto heap", "  put top from stock onto heap[2]", "'heap' is told apart by a number, not by nothing."),
    ("RL4007", "  put top from stock[1] onto heap[2]", "  put top from stock onto heap[2]", "'stock' is told apart by nothing (there is only one), not by an index."),
    ("RL4007", "zone kept: bag of Card, seen by owner", "zone kept for each player: bag of Card, seen by owner", "'kept' is told apart by nothing, not by an owner."),
    ("RL4009", "option size: small, large = huge", "option size: small, large = small", "'huge' is not one of the values of the option 'size'."),
    ("RL4013", "values Colour: hearts, blue;;define warm = hearts", "values Colour: hearts, blue;;define warm = chosen is hearts", "'hearts' could be one of 'Suit' or one of 'Colour'."),
    ("RL4010", "  put top from stock into pens", "  put top from stock onto heap[1]", "A Card cannot lie in 'pens', which holds a row of Animal."),
    ("RL4010", "zone box: bag of Card, starts with each Suit", "zone box: bag of Card, starts with each Card", "One of 'Suit' cannot lie in 'box', which holds a Card."),
    ("RL4010", "  gather Animal to stock", "  gather Animal to pens", "A row of Animal cannot lie in 'stock', which holds a Card."),
    ("RL4011", "  if round: round rises by 1", "  if round > 0: round rises by 1", "This is a number; a condition, true or false, is needed here."),
    ("RL4011", "  if some c in stock where suit of c: round rises by 1", "  if some c in stock where suit of c is clubs: round rises by 1", "This is one of 'Suit'; a condition, true or false, is needed here."),
    ("RL4011", "always late: round", "always late: round < 99", "This is a number; a condition, true or false, is needed here."),
    ("RL4012", "  pon becomes no", "  round becomes 0", "'pon' cannot be changed."),
    ("RL4012", "  heap[1] becomes empty", "  put everything from heap[1] onto stock", "'heap' cannot be changed."),
    ("RL2020", "  my points rises by 1", "  seat(1)'s points rises by 1", "'me' is not expected here; nobody moves here."),
    ("RL2020", "  round rises by quotient(each p in players, 2)", "  round rises by quotient(count(each p in players), 2)", "'each' is not expected here; a single value is needed."),
    ("RL2024", "  gather Card", "  gather Card to stock", "The line ends too early; write 'gather KIND to ZONE'."),
    ("RL2024", "  end game", "  end game, nobody wins", "The line ends too early; it does not say how the game ends."),
]
# fmt: on


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]} {row[1].strip()[:40]}")
def test_the_wrong_line_gets_its_message_and_the_mended_one_none(row: Row) -> None:
    assert mistakes(program(row, "wrong")) == [(row[0], row[3])]
    assert mistakes(program(row, "mended")) == []


def test_every_code_is_in_the_table() -> None:
    lowering = {"RL4014"}  # tests/compiler/lowering/13-07-best-partition.case
    assert unused("types", TABLE, lowering) == set()


def test_one_mistake_gives_one_message() -> None:
    row = ("", "  round rises by 1 + count(each c in round where c > clubs)", "", "")
    assert [code for code, _ in mistakes(program(row, "wrong"))] == ["RL4005"]
