"""Every mistake with kinds: the wrong line, the mended line, the message. Spec 5."""

import pytest
from tables import Row, mistakes, program, unused

from rulelang.limits import FORMULA_DEPTH

# fmt: off
# ruff: noqa: E501
TABLE: list[Row] = [
    ("RL4001", "  chosen becomes round", "  chosen becomes clubs", "This is a number; one of 'Suit' is needed here."),
    ("RL4001", "zone box: Card", "zone box: bag of Card", "This is no holder; 'pile of', 'bag of' or 'slot of' something is needed here."),
    ("RL4001", "marker two: Suit or Rank", "marker two: Suit or none", "This is a choice of kinds; one kind, perhaps 'or none' is needed here."),
    ("RL4001", "  players must score", "  players must secretly score", "This is a list of players; one player is needed here."),
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
    ("RL4001", "  each c in rays(seat(1)): round rises by size of c", "  each c in rays(cell(Square, 1, 1)): round rises by size of c", "This is a player; a cell of a board is needed here."),
    ("RL4001", "  each c in linked([seat(1)], Square): round rises by 1", "  each c in linked([cell(Square, 1, 1)], Square): round rises by 1", "This is a list of players; a collection of cells is needed here."),
    ("RL4001", "  each c in linked(Square, stock): round rises by 1", "  each c in linked(Square, Square): round rises by 1", "This is a list of Card; a collection of cells is needed here."),
    ("RL4001", "board Comb: 2 by 2 hexagons;;define d = linked(Square, Comb)", "board Comb: 2 by 2 hexagons;;define d = linked(Comb, Comb)", "This is a cell of Comb; a cell of Square is needed here."),
    ("RL4001", "board Comb: 2 by 2 hexagons;;values Side: edges(Comb)", "board Comb: 2 by 2 squares;;values Side: edges(Comb)", "This is a board of hexagons; a board of squares is needed here."),
    ("RL4001", "  each c in linked(empty, []): round rises by 1", "  each c in linked(empty, Square): round rises by 1", "This is a list of none; a collection of cells is needed here."),
    ("RL4001", "  each l in rows(Suit): round rises by 1", "  each l in rows(Square): round rises by 1", "This is a list of 'Suit'; a board is needed here."),
    ("RL4001", "zone kept: bag of Card, seen by round", "zone kept: bag of Card, seen by players", "This is a number; players, 'owner', 'everyone' or 'nobody' is needed here."),
    ("RL4001", "move pick(l in rows(Square)): my points rises by 1", "move pick(s in Square): my points rises by 1", "This is a list of cells of Square; single things to choose from is needed here."),
    ("RL4001", "  stone[seat(1)] becomes nobody", "  stone[cell(Square, 1, 1)] becomes nobody", "This is a player; a cell of Square is needed here."),
    ("RL4001", "  each b in bags(2, bags(2, stock)): round rises by 1", "  each b in bags(2, stock): round rises by size of b", "This is a bag of Card; single things to take is needed here."),
    ("RL4001", "  let d = [best_partition(1 for each g in bags(2, stock))]", "  let d = best_partition(1 for each g in bags(2, stock))", "This is a partition; a single value is needed here."),
    ("RL4001", '  seat(1) must score because "{best_partition(1 for each g in bags(2, stock))}"', '  seat(1) must score because "{value of best_partition(1 for each g in bags(2, stock))}"', "This is a partition; words or a value is needed here."),
    ("RL4001", "  table may in_order score", "  [seat(1)] may in_order score", "This is a player; players is needed here."),
    ("RL4001", "  put position(2) from seat(1)'s hand onto stock", "  put position(2) from heap[1] onto stock", "This is a bag; a pile is needed here."),
    ("RL4002", "move pick(b in bags(1..2, stock)): round rises by 1", "move pick(b in bags(2, stock)): round rises by 1", "This is a list of numbers, and one cannot reckon with that."),
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
    ("RL4016", "  let cards = [1, 2];;  round rises by cards[1]", "  let cards = [1, 2];;  round rises by item(cards, 1)", "Brackets choose one of several zones or markers; 'cards' is a list of numbers."),
    ("RL4016", "  let c = 3;;  each l in rows(Square): round rises by row of l[1]", "  let c = 3;;  each l in rows(Square): round rises by row of item(l, 1)", "Brackets choose one of several zones or markers; 'l' is a list of cells of Square."),
    ("RL4015", "  each s in Square where s is nobody: round rises by 1", "  each s in Square where stone[s] is nobody: round rises by 1", "A cell of Square is never 'nobody'."),
    ("RL4015", "  if round is none: round rises by 1", "  if round is 0: round rises by 1", "A number is never 'none'."),
    ("RL4015", "  if chosen is not (none): round rises by 1", "  if chosen is not clubs: round rises by 1", "One of 'Suit' is never 'none'."),
    ("RL4015", "  each p in players:;;    if (p) is nobody: round rises by 1", "  each p in players:;;    if p is seat(1): round rises by 1", "A player is never 'nobody'."),
    ("RL4015", "  each p in players but seat(1):;;    if p's points is none: round rises by 1", "  each p in players but seat(1):;;    if p is none: round rises by 1", "A number is never 'none'."),
    ("RL4015", "  turns of p from seat(1):;;    if nobody is p: end deal;;    p must score", "  turns of p from seat(1):;;    if p is seat(1): end deal;;    p must score", "A player is never 'nobody'."),
    ("RL4015", "  if some n in (1..3) where n is none: round rises by 1", "  if some n in (1..3) where n is 2: round rises by 1", "A number is never 'none'."),
    ("RL4015", "  if some q in others(seat(1)) where q is none: round rises by 1", "  if some q in beside(cell(Square, 1, 1)) where q is none: round rises by 1", "A player is never 'none'."),
    ("RL4015", "  each c in stock where c is none: round rises by 1", "  let c = 3;;  if c is none: round rises by 1", "A Card is never 'none'."),
    ("RL4015", "move pick(s in Square):;;  require free: s is nobody;;  round becomes 1", "move pick(s in Square):;;  require free: stone[s] is nobody;;  round becomes 1", "A cell of Square is never 'nobody'."),
    ("RL4015", "  if round is none: round rises by 1", "  if seat(1) is nobody: round rises by 1", "A number is never 'none'."),
    ("RL4015", "move wake:;;  require awake: me is nobody;;  round becomes 1", "define awake(p: player) = p is nobody", "A player is never 'nobody'."),
    ("RL4006", "  put top from round onto stock", "  put top from heap[1] onto stock", "This is a number; something can only be put into a zone or a cell."),
    ("RL4006", "option dice: 1..3 = 1;;rule more: roll dice", "option dice: 1..3 = 1;;rule more: roll round", "This is a number (dice); only a marker or a zone of dice can be rolled."),
    ("RL4006", "  shuffle round", "  put top from stock onto heap[1]", "This is a number; only a pile can be shuffled."),
    ("RL4006", "marker box: Suit, starts with each Suit", "marker box: Suit = clubs", "This is a marker; something can only be put into a zone or a cell."),
    ("RL4007", "  round rises by points", "  round rises by seat(1)'s points", "'points' is told apart by a player, not by nothing."),
    ("RL4007", "  put top from stock onto heap", "  put top from stock onto heap[2]", "'heap' is told apart by a number, not by nothing."),
    ("RL4007", "  put top from stock[1] onto heap[2]", "  put top from stock onto heap[2]", "'stock' is told apart by nothing (there is only one), not by an index."),
    ("RL4007", "zone kept: bag of Card, seen by owner", "zone kept for each player: bag of Card, seen by owner", "'kept' is told apart by nothing, not by an owner."),
    ("RL4009", "option size: small, large = huge", "option size: small, large = small", "'huge' is not one of the values of the option 'size'."),
    ("RL4013", "values Colour: hearts, blue;;define warm = hearts", "values Colour: hearts, blue;;define warm = chosen is hearts", "'hearts' could be one of 'Suit' or one of 'Colour'."),
    ("RL4010", "  put top from stock into pens", "  put top from stock onto heap[1]", "A Card cannot lie in 'pens', which holds a row of Animal."),
    ("RL4010", "zone box: bag of Card, starts with each Suit", "zone box: bag of Card, starts with each Card", "One of 'Suit' cannot lie in 'box', which holds a Card."),
    ("RL4010", "zone odd: pile of 1..3, starts with each 1..3;;zone even: pile of 1..4;;rule more: put top from odd onto even", "zone odd: pile of 1..3, starts with each 1..3;;zone even: pile of 1..3;;rule more: put top from odd onto even", "What lies in 'odd' cannot lie in 'even', which holds other numbers."),
    ("RL4010", "  gather Animal to stock", "  gather Animal to pens", "A row of Animal cannot lie in 'stock', which holds a Card."),
    ("RL4011", "  if round: round rises by 1", "  if round > 0: round rises by 1", "This is a number; a condition, true or false, is needed here."),
    ("RL4011", "  if some c in stock where suit of c: round rises by 1", "  if some c in stock where suit of c is clubs: round rises by 1", "This is one of 'Suit'; a condition, true or false, is needed here."),
    ("RL4011", "always late: round", "always late: round < 99", "This is a number; a condition, true or false, is needed here."),
    ("RL4012", "  pon becomes no", "  round becomes 0", "'pon' cannot be changed."),
    ("RL4012", "  heap[1] becomes empty", "  put everything from heap[1] onto stock", "'heap' cannot be changed."),
    ("RL2020", "  my points rises by 1", "  seat(1)'s points rises by 1", "'me' is not expected here; nobody moves here."),
    ("RL2020", "  round rises by quotient(each p in players, 2)", "  round rises by quotient(count(each p in players), 2)", "'each' is not expected here; a single value is needed."),
    ("RL4001", "define worth:;;  1 when pon;;  clubs otherwise", "define worth:;;  1 when pon;;  2 otherwise", "This is one of 'Suit'; a number is needed here."),
    ("RL4001", "zone box: bag of list of Rank", "zone box: bag of Rank", "This is a list of numbers (Rank); a kind of component is needed here."),
    ("RL4001", "zone box: bag of text", "zone box: bag of Suit", "This is a text; a kind of component is needed here."),
    ("RL4001", "record Die:;;  face: list of 1..6", "record Die:;;  face: 1..6", "This is a list of numbers; a single value is needed here."),
    ("RL4001", "record Die:;;  face: text", "record Die:;;  face: Suit", "This is a text; a value that can be compared is needed here."),
    ("RL4001", "marker source: stock", "marker source: heap", "This is a single zone; a kind of value is needed here."),
    ("RL4001", "marker out for each list of Suit: yes or no", "marker out for each Suit: yes or no", "This is many values; a single kind is needed here."),
    ("RL4001", "  each p in players but 3: p's points rises by 1", "  each p in players but seat(3): p's points rises by 1", "This is a number; a player is needed here."),
    ("RL4001", "  end game, each s in Suit gets 1", "  end game, each p in players gets 1", "This is one of 'Suit'; players is needed here."),
    ("RL4001", "marker past: list of 1..3;;rule more: roll past", "marker past: 1..3;;rule more: roll past", "This is a list of numbers; a single value to roll is needed here."),
    ("RL4011", "condition both:;;  require a: round", "condition both:;;  require a: round > 3", "This is a number; a condition, true or false, is needed here."),
    ("RL4003", "condition both(n: 0..9):;;  require a: n > round;;move go:;;  require both", "condition both(n: 0..9):;;  require a: n > round;;move go:;;  require both(3)", "'both' takes 1 value, but is given 0."),
    ("RL4001", "  roll round from Suit", "  roll round from Rank", "This is a collection of 'Suit'; a collection of numbers is needed here."),
    ("RL4001", "  roll chosen from stock", "  roll chosen from [clubs, hearts, hearts]", "This is a collection of Card; a collection of 'Suit' is needed here."),
    ("RL4001", "marker past: list of 1..3;;rule more: roll past from [1]", "marker past: 1..3;;rule more: roll past from [1]", "This is a list of numbers; a single value to roll is needed here."),
    ("RL4006", "  roll total(seat(1)) from 1..6", "  roll round from 1..6", "This is a number; only a marker or a zone of dice can be rolled."),
    ("RL4005", "  roll round from 3", "  roll round from [3]", "This is a number, which has no members."),
    ("RL2020", "zone cup: bag of Rank showing 1..6;;rule more: roll cup from 1..6", "zone cup: bag of Rank showing 1..6;;rule more: roll cup", "'from' is not expected here; dice in a zone land on what the zone is 'showing'."),
    ("RL2020", "  roll pens from Animal", "  put random from pens into pens", "'from' is not expected here; dice in a zone land on what the zone is 'showing'."),
    ("RL2020", "  shuffle stock from heap[1]", "  put everything from heap[1] onto stock", "'from' is not expected here; 'shuffle' has no 'from'."),
    ("RL2020", "  gather Card from stock to heap[1]", "  gather Card to heap[1]", "'from' is not expected here; 'gather' has no 'from'."),
    ("RL4001", "  gather Card(clubs, 1) to stock", "  gather Card to stock", "This is a formula; a kind of component is needed here."),
    ("RL4002", "  round rises by empty", "  round rises by size of stock", "This is an empty collection, and one cannot reckon with that."),
    ("RL4003", "  round rises by count(s for each s in Suit)", "  round rises by count(each s in Suit)", "'count' takes a search, but is given something else."),
    ("RL4003", "  round rises by value of whole_partition(stock)", "  round rises by value of whole_partition(1 for each g in bags(2, stock))", "'whole_partition' takes a worth for each group, but is given something else."),
    ("RL4004", "  if clubs is round: round rises by 1", "  if clubs is chosen: round rises by 1", "One of 'Suit' cannot be compared with a number."),
    ("RL4005", "  if empty is round: round rises by 1", "  if empty is stock: round rises by 1", "This is a number, which has no members."),
    ("RL4010", "zone dice: bag of Square showing 1..6;;rule more: put top from stock into dice", "zone dice: bag of Card showing 1..6;;rule more: gather Card to stock", "A Card cannot lie in 'dice', which holds a Square showing a number."),
    ("RL4010", "zone folk: bag of Suit, starts with each player", "zone folk: bag of player, starts with each player", "A player cannot lie in 'folk', which holds one of 'Suit'."),
    ("RL4010", "zone dice: bag of Suit, starts with each 1..6", "zone dice: bag of 1..6, starts with each 1..6", "A number cannot lie in 'dice', which holds one of 'Suit'."),
    ("RL2020", "condition rich: my points > 3;;rule more: round rises by (1 if rich otherwise 2)", "condition rich(p: player): p's points > 3;;rule more: round rises by (1 if rich(seat(1)) otherwise 2)", "'rich' is not expected here; nobody moves here."),
    ("RL2020", "  round rises by total(each p in players)", "  round rises by total(seat(1))", "'each' is not expected here; a single value is needed."),
    ("RL2020", "  round rises by smaller(p's points for each p in players, 2)", "  round rises by smaller(lowest(p's points for each p in players), 2)", "'each' is not expected here; a single value is needed."),
    ("RL2020", "  put Card(each s in Suit, 1) from stock onto heap[1]", "  put Card(clubs, 1) from stock onto heap[1]", "'each' is not expected here; a single value is needed."),
    ("RL2020", "  put top(each p in players) from stock onto heap[1]", "  put top(count(each p in players)) from stock onto heap[1]", "'each' is not expected here; a single value is needed."),
    ("RL2020", "  shuffle heap[1] to stock", "  put everything from heap[1] onto stock", "'to' is not expected here; 'shuffle' has no 'to'."),
    ("RL4001", "values Edge: edges(Square);;marker fence for each Edge: yes or no;;rule more: fence[round] becomes yes", "values Edge: edges(Square);;marker fence for each Edge: yes or no;;rule more: fence[item(Edge, 1)] becomes yes", "This is a number; an edge of Square is needed here."),
    ("RL4001", "marker last: heap = 3", "marker last: heap = heap[3]", "This is a number; one of the zones 'heap' is needed here."),
    ("RL4001", "marker best: [1, 2]", "marker best: 1..2", "This is a formula; a kind of value is needed here."),
    ("RL4001", "marker three: 3 = clubs", "marker three: 3 = 3", "This is one of 'Suit'; a number is needed here."),
    ("RL4001", "  let top_row = first r in rows(Square)", "  if some r in rows(Square) where size of r is 3: round rises by 1", "This is many lists; single things is needed here."),
    ("RL4007", "  stone[cell(Square, 1, 1), 2] becomes nobody", "  stone[cell(Square, 1, 2)] becomes nobody", "'stone' is told apart by a cell of Square, not by 2 indices."),
    ("RL2020", "  stone[cell(Square, 1, 1)]", "  stone[cell(Square, 1, 1)] becomes nobody", "'this' is not expected here; a line begins with a rule's name or a change."),
    ("RL4010", "  put round from stock onto heap[1]", "  put Card(clubs, 1) from stock onto heap[1]", "A number cannot lie in 'stock', which holds a Card."),
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


SECOND_MISTAKES = [
    ("  round rises by 1 + count(each c in round where c > clubs)", "RL4005"),
    ("  each c in beside(nowhere): round rises by 1", "RL3001"),
    ("  each c in linked(nowhere, Square): round rises by 1", "RL3001"),
    ("  each c in linked(Square, nowhere): round rises by 1", "RL3001"),
    ("  round becomes nowhere if pon otherwise none", "RL3001"),
    ("  let x = first y in nowhere;;  put top from x onto stock", "RL3001"),
    ("  let x = item(nowhere, 1);;  round rises by x", "RL3001"),
    ("  round rises by nowhere(3)", "RL3001"),
    ("  round rises by nowhere[3]", "RL3001"),
    ("  roll nowhere", "RL3001"),
    ("  roll nowhere from 1..3", "RL3001"),
    ("  roll round from nowhere", "RL3001"),
    ("  each r in rows(nowhere): round rises by size of r", "RL3001"),
    ("  round rises by stock(each p in players where p's points > 3)", "RL3011"),
]


@pytest.mark.parametrize(("lines", "code"), SECOND_MISTAKES)
def test_one_mistake_gives_one_message(lines: str, code: str) -> None:
    assert [number for number, _ in mistakes(program(("", lines, "", ""), "wrong"))] == [code]


def test_a_list_of_something_unknown_is_a_list_all_the_same() -> None:
    assert mistakes(program(("", "  round rises by [nowhere]", "", ""), "wrong")) == [
        ("RL4002", "This is a list of something unknown, and one cannot reckon with that."),
        ("RL3001", "Nothing here is called 'nowhere'."),
    ]


EMPTY_LISTS = [
    ("  each x in []: put top from x onto stock", "RL4006"),
    ("  let x = item([], 1);;  put top from x onto stock", "RL4006"),
    ("  shuffle item([], 1)", "RL4006"),
    ("  roll item([], 1)", "RL4006"),
    ("  item([], 1) becomes 3", "RL4012"),
    ("  let x = top of [];;  round rises by rank of x", "RL3007"),
    ("  each x in beside(item([], 1)): round rises by 1", "RL4001"),
    ("  each x in []: round rises by 1", None),
    ("  if round in []: round rises by 1", None),
    ("  each x in [] + [3]: round rises by x", None),
    ("  each x in [3] + []: round rises by x", None),
    ("  each x in empty + stock: round rises by rank of x", None),
    ("  each x in stock but []: round rises by rank of x", None),
    ("  each x in stock + [clubs]: round rises by rank of x", "RL4001"),
]


@pytest.mark.parametrize(("lines", "code"), EMPTY_LISTS)
def test_what_an_empty_list_has_in_it_is_none(lines: str, code: str | None) -> None:
    found = [number for number, _ in mistakes(program(("", lines, "", ""), "wrong"))]
    assert found == ([code] if code else [])


EXCEPTIONS = [
    ("rule gain(p: player): p's points rises by 1", "before gain: put top from p onto stock", "RL4006"),
    ("rule gain(p: player): p's points rises by 1", "before gain: p's points rises by 1", None),
    ("move bet(s in Suit): chosen becomes s", "after bet: round rises by s", "RL4002"),
    ("move bet(s in Suit): chosen becomes s", "after bet: chosen becomes s", None),
]


@pytest.mark.parametrize(("rule", "exception", "code"), EXCEPTIONS)
def test_an_exception_knows_the_parameters_wherever_it_stands(rule: str, exception: str, code: str | None) -> None:
    for lines in (f"{rule};;{exception}", f"{exception};;{rule}"):
        found = [number for number, _ in mistakes(program(("", lines, "", ""), "wrong"))]
        assert found == ([code] if code else [])


def test_a_chain_of_defines_is_limited_whatever_order_it_is_written_in() -> None:
    steps = [f"define step_{n} = step_{n - 1}" for n in reversed(range(1, FORMULA_DEPTH))]
    row = (
        "",
        ";;".join((*steps, "define step_0 = 1")),
        ";;".join((*steps[-FORMULA_DEPTH // 4 :], "define step_0 = 1")),
        "",
    )
    assert {code for code, _ in mistakes(program(row, "wrong"))} == {"RL6010"}
    assert mistakes(program(row, "mended")) == []


MANY = [
    ("[round]", "a list of numbers"),
    ("Rank", "a list of numbers (Rank)"),
    ("players", "a list of players"),
    ("Card", "a list of Card"),
    ("Square", "a list of cells of Square"),
    ("Side", "a list of edges of Square"),
    ("Animal", "a list of rows of Animal"),
    ("rows(Square)", "a list of lists of cells of Square"),
    ("Suit", "a list of 'Suit'"),
    ("heap", "a list of zones 'heap'"),
    ("collect(stone[s] for each s in Square)", "a list of players or none"),
    ("[pon]", "a list of yes or no"),
    ("pens", "a bag of rows of Animal"),
]


@pytest.mark.parametrize(("many", "called"), MANY)
def test_many_things_are_called_as_at_the_table(many: str, called: str) -> None:
    found = mistakes(program(("", f"values Side: edges(Square);;rule more: round becomes {many}", "", ""), "wrong"))
    assert found == [("RL4001", f"This is {called}; a number is needed here.")]
