"""The finer points of who may know what: one line of a small game, refused or accepted. Spec 7.9."""

import itertools

import pytest
from tables import mistakes

from rulelang.diagnostics.reading import source_from_text
from rulelang.pipeline import check_source, compile_text

GAME = """game "Table":
  players: PLAYERS

values Card: 1..6
values Half: left, right
zone deck for each Half: pile of Card, seen by nobody, starts with each Card
zone hand for each player: bag of Card, seen by owner
zone forehead for each player: slot of Card, seen by others(owner)
zone partners for each player: bag of Card, seen by [owner, next(owner)]
zone shelf for each player: bag of Card, seen by all_of_us
zone team for each player: bag of Card, seen by [owner] + [next(owner)]
zone chest for each player: bag of Card, seen by owner, size seen by owner
zone tower for each player: pile of Card, seen by owner, top seen by everyone
zone open_hand for each player: bag of Card, seen by all_but_none(owner)
zone heap for each 1..3: pile of Card
marker last_heap: heap or none
marker leader: player
marker points for each player: 0..99
option open: yes, no = no
zone bid for each player: slot of Card, seen by readers(owner)
define readers(p: player) = players if open otherwise [p]
define all_but_none(p: player) = players but next(p) if open otherwise clockwise(p)
define all_of_us = players
define best(p: player) = highest(c for each c in p's hand)
define twice(p: player) = best(p) + best(p)
define neighbour_best(p: player) = best(next(p))
condition strong(limit: 0..9): best(me) > limit because "{best(me)} is not more than {limit}"
condition strong_too(limit: 0..9): best(me) > limit because "{best(leader)} is more"

move plain
move next_to(n in 1..3): my points rises by n
move play(card in my hand): put card from my hand onto heap[1]
overview:
  shuffle deck[left]
  each p in players: put top from deck[left] into p's hand
  seat(1) must try_it
  go_on(leader)
  end game, nobody wins
"""


def game(move: str, rule: str = "seat(1) must plain", players: str = "2..4") -> str:
    lines = "".join(f"  {line}\n" for line in rule.split(";;"))
    body = "".join(f"  {line}\n" for line in move.split(";;"))
    head = "" if move.startswith("move") else "move try_it:\n"
    body = body.replace("  move", "move", 1) if move.startswith("move") else body
    return GAME.replace("PLAYERS", players) + head + body + "rule go_on(p: player):\n" + lines


# fmt: off
# ruff: noqa: E501
MOVER = [
    ("my hand is empty", None),
    ("best(me) > 2", None),
    ("twice(me) > 2", None),
    ("neighbour_best(me) > 2", "RL5001"),
    ("best(next(me)) > 2", "RL5001"),
    ("size of next(me)'s hand > 2", None),
    ("size of next(me)'s chest > 2", "RL5001"),
    ("size of my chest > 2", None),
    ("next(me)'s chest is empty", "RL5001"),
    ("next(me)'s hand is empty", None),
    ("top of next(me)'s tower is 3", None),
    ("item(next(me)'s tower, 1) is 3", "RL5001"),
    ("next(me)'s forehead is 3", None),
    ("previous(me)'s forehead is 3", None),
    ("my forehead is 3", "RL5001"),
    ("my forehead is none", None),
    ("leader's forehead is 3", "RL5001"),
    ("some p in others(me) where p's forehead is 3", None),
    ("every p in players but me satisfies p's forehead is 3", None),
    ("some p in players where p's forehead is 3", "RL5001"),
    ("some p in [next(me), previous(me)] where p's forehead is 3", None),
    ("some p in (all q in others(me) where q is leader) where p's forehead is 3", None),
    ("count(each p in others(me) where p's forehead is 3) > 0", None),
    ("some p in [first q in others(me)] where p's forehead is 3", None),
    ("some p in [item(others(me), 1)] where p's forehead is 3", None),
    ("some p in [next(me) if open otherwise previous(me)] where p's forehead is 3", None),
    ("some p in [next(me) if open otherwise me] where p's forehead is 3", "RL5001"),
    ("some p in (others(me) if open otherwise [next(me)]) where p's forehead is 3", None),
    ("some p in (players but me) + [leader] where p's forehead is 3", "RL5001"),
    ("some p in [me] + [leader] but me where p's forehead is 3", None),
    ("3 in my partners", None),
    ("3 in next(me)'s partners", "RL5001"),
    ("3 in my open_hand", None),
    ("3 in my team", None),
    ("3 in leader's shelf", None),
    ("3 in next(me)'s team", "RL5001"),
    ("my bid is 3", None),
    ("next(me)'s bid is 3", "RL5001"),
    ("3 in (my hand but 2)", None),
    ("copies(3, next(me)'s hand) > 0", "RL5001"),
    ("size of kinds of next(me)'s hand > 1", "RL5001"),
    ("strong(3)", None),
    ("size of deck[left] > 3", None),
    ("deck[left] is not empty", None),
    ("top of deck[left] is 3", "RL5005"),
    ("some c in deck[right] where c is 3", "RL5005"),
    ("best(me) > 2 and best(leader) > 2", "RL5001"),
    ("not (best(leader) > 2 or open)", "RL5001"),
    ("(1 if open otherwise best(leader)) > -1", "RL5001"),
    ("[best(leader)] is [2]", "RL5001"),
    ("2 * best(leader) is 2", "RL5001"),
    ("3 in 1..best(leader)", "RL5001"),
    ("sum(c for each c in leader's hand) > 3", "RL5001"),
    ("(first c in [1, 2] with most best(leader)) is 2", "RL5001"),
    ("top of last_heap is 3", None),
]


@pytest.mark.parametrize(("condition", "code"), MOVER, ids=[condition for condition, _ in MOVER])
def test_a_requirement_reads_what_the_mover_sees(condition: str, code: str | None) -> None:
    found = mistakes(game(f"require x: {condition}"))
    assert [number for number, _ in found] == ([code] if code else [])


MOVES = [
    ("require strong(3)", []),
    ("require strong(best(leader))", ["RL5001", "RL5002"]),
    ("require strong_too(3)", ["RL5002"]),
    ("require x: open unless best(leader) > 3", ["RL5001"]),
    ('require x: open because "{best(me)}"', []),
    ('require x: open because "{best(leader)}"', ["RL5002"]),
    ("move try_it(card in my hand): put card from my hand onto heap[1]", []),
    ("move try_it(card in next(me)'s hand, other in my hand): my points rises by card + other", ["RL5007"]),
    ("move try_it(p in (all q in players where best(q) > 3)): p's points rises by 1", ["RL5007"]),
    ("move try_it(p in players, maybe fast): p's points rises by 1", []),
    ("move try_it(card in my hand):;;require low: card < best(next(me))", ["RL5001"]),
]


@pytest.mark.parametrize(("move", "wanted"), MOVES)
def test_a_move_tells_the_mover_nothing_new(move: str, wanted: list[str]) -> None:
    assert [number for number, _ in mistakes(game(move))] == wanted


FLOW = [
    ("p must plain", []),
    ("let q = first q in players with most best(q);;q must plain", ["RL5003"]),
    ("let q = first q in players with most best(q);;q's points rises by 1;;seat(1) must plain", []),
    ("let q = first q in players with most best(q);;leader becomes q;;leader must plain", []),
    ("if best(p) > 3: end game, nobody wins;;p must plain", []),
    ("if best(p) > 3: p's points rises by 1;;p must plain", []),
    ("if best(p) > 3: p must plain", ["RL5004"]),
    ("if open: p must plain;;otherwise if best(p) > 3: p's points rises by 1", []),
    ("if best(p) > 3: p's points rises by 1;;otherwise if open: p must plain", ["RL5004"]),
    ("if best(p) > 3: p's points rises by 1;;otherwise: p must plain", ["RL5004"]),
    ("if best(p) > 3: end go_on;;p must plain", ["RL5004"]),
    ("if best(p) > 3: end go_on;;p's points rises by 1", []),
    ("each c in p's hand: p's points rises by c", []),
    ("each c in p's hand: p must plain", ["RL5004"]),
    ("each q in players where best(q) > 3: q must plain", ["RL5004"]),
    ("each q in players from (first x in players with most best(x)): q must plain", ["RL5004"]),
    ("repeat best(p) times: p must plain", ["RL5004"]),
    ("repeat size of p's hand times: p must plain", []),
    ("repeat size of p's chest times: p must plain", ["RL5004"]),
    ("repeat until best(p) > 3: p must plain", ["RL5004"]),
    ("if best(p) > 3: put top from deck[left] into p's hand", ["RL5004"]),
    ("if best(p) > 3: put everything from deck[left] onto deck[right]", []),
    ("if best(p) > 3: shuffle deck[left]", ["RL5004"]),
    ("if best(p) > 3: put random from p's hand into p's chest", ["RL5004"]),
    ("if best(p) > 3: put highest(c for each c in p's hand) from p's hand into p's chest", []),
    ('p must plain because "{best(p)}"', ["RL5002"]),
    ('p must plain because "{size of p\'s hand}"', []),
    ("players must secretly play", []),
    ("(all q in players where size of q's hand > 0) must secretly play", []),
    ("p may play", []),
    ("put 3 from deck[left] into p's hand", ["RL5005"]),
    ("put position(3) from deck[left] into p's hand", ["RL5005"]),
    ("put highest(c for each c in deck[left]) from deck[left] into p's hand", ["RL5005", "RL5005"]),
    ("put top(best(p)) from deck[left] onto deck[right]", []),
    ("p's points rises by top of deck[left]", ["RL5005"]),
    ("roll p's points from deck[left]", ["RL5005"]),
    ("roll p's points from p's hand", []),
    ("if leader is p: end game, each q in players gets best(q)", []),
    ("if leader is p: end game, grade best(p)", []),
    ("gather Card to deck[left]", []),
    ("gather Card to heap[1]", ["RL5009"]),
    ("shuffle heap[1]", ["RL5008"]),
    ("shuffle p's tower", ["RL5008"]),
    (
        "last_heap becomes first h in heap where h is empty;;put top from deck[left] onto heap[2];;p's points rises by top of last_heap",
        [],
    ),
]


@pytest.mark.parametrize(("rule", "wanted"), FLOW, ids=[rule for rule, _ in FLOW])
def test_a_wait_follows_from_what_everybody_sees(rule: str, wanted: list[str]) -> None:
    assert [number for number, _ in mistakes(game("my points rises by 1", rule))] == wanted


def test_a_rule_gets_the_labels_of_all_its_calls() -> None:
    """The second call hands on a hidden seat; the rule's own line is where it tells."""
    rule = "let q = first q in players with most best(q);;inner(leader);;inner(q)"
    text = game("my points rises by 1", rule) + "rule inner(x: player):\n  x must plain\n"
    assert [number for number, _ in mistakes(text)] == ["RL5003"]
    assert mistakes(text.replace("inner(q)", "inner(seat(2))")) == []


ANSWERS = [
    ("move try_it(n in 1..3):;;if n is 2: next(me) must plain", []),
    ("move try_it(card in my hand):;;if card is 2: next(me) must plain", ["RL5004"]),
    ("move try_it(card in my hand):;;put card from my hand onto heap[1];;if card is 2: next(me) must plain", []),
    (
        "move try_it(card in my hand):;;put card from my hand into my chest;;if card is 2: next(me) must plain",
        ["RL5004"],
    ),
    ("move try_it(n in kinds of my hand):;;if n is 2: next(me) must plain", ["RL5004"]),
    ("move try_it(n in kinds of my hand):;;my points becomes n;;if n is 2: next(me) must plain", []),
    ("move try_it(card in my hand, h in heap):;;put card from my hand onto h;;if card is 2: next(me) must plain", []),
]


@pytest.mark.parametrize(("move", "wanted"), ANSWERS, ids=[move for move, _ in ANSWERS])
def test_an_answer_is_known_to_others_if_it_is_laid_open(move: str, wanted: list[str]) -> None:
    assert [number for number, _ in mistakes(game(move))] == wanted


def test_next_is_somebody_else_only_if_two_play() -> None:
    text = game("require x: next(me)'s forehead is 3", players="1..2")
    assert [number for number, _ in mistakes(text)] == ["RL5001"]


FORCED = [
    ("seat(1) must plain", []),
    ("seat(1) must next_to", []),
    ("seat(1) must play", ["RL5010"]),
    ("seat(1) may play", []),
    ("players may secretly play", []),
    ("players must secretly play", ["RL5010"]),
    ("seat(1) must guess", ["RL5001"]),
]


@pytest.mark.parametrize(("rule", "wanted"), FORCED, ids=[rule for rule, _ in FORCED])
def test_with_forced_choices_everybody_knows_how_many_answers_there_are(rule: str, wanted: list[str]) -> None:
    """Two decks with every card once: a hand may hold two equal cards. Whether it holds any, its size tells.

    What not even the mover may know is said at the move, once.
    """
    text = game("my points rises by 1", rule).replace("2..4\n", "2..4\n  automatic: forced_choices\n")
    text += "move guess:\n  require high: best(leader) > 3\n" if "guess" in rule else ""
    assert [number for number, _ in mistakes(text)] == wanted


def test_words_used_in_many_ways_stay_cheap() -> None:
    """A chain of defines, each of which uses the one before it twice with other seats."""
    params = ", ".join(f"p{n}: player" for n in range(8))
    lines = [f"define d0({params}) = {' + '.join(f'best(p{n})' for n in range(8))}"]
    for number in range(1, 30):
        one = ", ".join(f"next(p{n})" if n == number % 8 else f"p{n}" for n in range(8))
        other = ", ".join(f"p{(n + 1) % 8}" for n in range(8))
        lines.append(f"define d{number}({params}) = smaller(d{number - 1}({one}), d{number - 1}({other}))")
    me = ", ".join(["me"] * 8)
    text = game(f"require x: d29({me}) > 0") + "\n".join(lines) + "\n"
    _, findings = check_source(source_from_text("x.rules", text))
    assert [each.code.number for each in findings.diagnostics()] == ["RL5001"]


def test_of_too_many_ways_to_use_one_word_the_last_are_taken_for_anybody() -> None:
    """Of five seats, the last four are each the mover, somebody else or anybody: 81 ways, of which 64 are told apart."""
    seats = itertools.product(("me", "next(me)", "leader"), repeat=4)
    ways = [f"wears_three(next(me), {', '.join(others)})" for others in seats]
    word = "define wears_three(a: player, b: player, c: player, d: player, e: player) = 1 if a's forehead is 3 otherwise 0\n"
    assert mistakes(game(f"require x: {' + '.join(ways[:64])} > 0") + word) == []
    found = mistakes(game(f"require x: {' + '.join(ways[:65])} > 0") + word)
    assert [number for number, _ in found] == ["RL5001"]


def test_a_finding_names_the_word_the_place_and_a_way_out() -> None:
    text = game("require x: best(next(me)) > 2")
    _, findings = check_source(source_from_text("x.rules", text))
    (found,) = findings.diagnostics()
    assert found.message == "This requirement reads 'hand', which the player who moves may not see."
    assert [related.message for related in found.related] == ["'hand' is read here", "only its owner sees it"]
    assert found.place is not None and text.splitlines()[found.place.line - 1][found.place.column - 1 :].startswith(
        "best"
    )
    assert found.hint == "compare hidden things in the effects of the move, and show what comes of it"


def test_a_marker_that_says_which_pile_stands_for_it() -> None:
    rule = "last_heap becomes first h in heap where h is empty;;put top from deck[left] onto last_heap;;"
    rule += "if top of last_heap > 3: p must plain"
    assert mistakes(game("my points rises by size of last_heap", rule)) == []


def test_the_game_itself_is_sound() -> None:
    compile_text(game("my points rises by 1"))


GATHERED = [
    ("require a: best(me) > n because \"{best(me)}\"", "both(2)", []),
    ("require a: best(leader) > n", "both(2)", ["RL5001"]),
    ("require a: n > 3 unless best(leader) > n", "both(2)", ["RL5001"]),
    ("require a: n > 3;;require b: leader is me because \"{best(leader)}\"", "both(2)", ["RL5002"]),
    ("require a: n > 3", "both(best(leader))", ["RL5001"]),
    ("require a: n > 3", "both(best(me))", []),
    ("require a: leader is me because \"{n}\"", "both(best(leader))", ["RL5002"]),
    ("require strong(n)", "both(2)", []),
    ("require strong_too(n)", "both(2)", ["RL5002"]),
    ("require strong(best(leader))", "both(2)", ["RL5001", "RL5002"]),
    ("require more(n)", "both(2)", []),
    ("require more(n)", "both(best(leader))", ["RL5001", "RL5002"]),
    ("require a: top of deck[left] is n", "both(2)", ["RL5005"]),
]


@pytest.mark.parametrize(("lines", "required", "wanted"), GATHERED)
def test_what_a_condition_gathers_is_read_by_whoever_moves(lines: str, required: str, wanted: list[str]) -> None:
    body = "".join(f"  {line}\n" for line in lines.split(";;"))
    inner = 'condition more(k: 0..9):\n  require c: k < 9 because "{k} is too much"\n'
    text = game(f"require {required};;my points rises by 1") + f"{inner}condition both(n: 0..9):\n{body}"
    assert sorted({number for number, _ in mistakes(text)}) == wanted
