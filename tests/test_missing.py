"""What is told where a formula names what is not there, and where nobody can move. Spec 7.4 and 8.4."""

from pathlib import Path

import pytest

from rulelang.failures import Exhausted
from rulelang.ir.expressions import Constant
from rulelang.ir.types import FlagType, NumberType, OptionalType, PickType, SeatType
from rulelang.pipeline import compile_file, compile_text, engine_named
from rulelang.play.agents import RandomAgent
from rulelang.play.match import Match
from rulelang.play.missing import noun
from rulelang.play.playouts import playouts

MISSING = """game "Missing":
  players: 2

values Suit: clubs, hearts
values Edge: edges(Square)
record Card:
  suit: Suit
  rank: 1..4
table Animal:
  legs: 0..9
  row cat: 4
board Square: 2 by 2
zone heap for each 1..3: pile of Card, starts with each Card
zone hand for each player: bag of Card
marker grid for each 1..3 and 1..2: yes or no
marker mark for each Square: yes or no
marker line for each Edge: yes or no
marker sort for each Suit: yes or no
marker fed for each Animal: yes or no
marker known for each Card: yes or no
marker tall for each heap: yes or no
marker points for each player and 2..3: 0..9
marker n: 0..9 = 4
marker card: Card or none
marker place: Square or none
marker side: Edge or none
marker suit_now: Suit or none
marker animal: Animal or none
marker which: heap or none
marker chief: player or nobody
move act: ACT

overview:
  seat(1) must act
  end game, nobody wins
"""

TOLD = [
    ("put top from heap[n] into my hand", "There is no heap[4]; 'heap' goes from 1 to 3."),
    ("put top from which into my hand", "One of the 'heap' is needed here, and there is none."),
    ("grid[1, n] becomes yes", "There is no 'grid' with 4 in its brackets there; that number goes from 1 to 2."),
    ("mark[place] becomes yes", "'mark' needs a cell of Square in its brackets, and there is none."),
    ("line[side] becomes yes", "'line' needs an edge of Square in its brackets, and there is none."),
    ("sort[suit_now] becomes yes", "'sort' needs one of 'Suit' in its brackets, and there is none."),
    ("fed[animal] becomes yes", "'fed' needs a row of Animal in its brackets, and there is none."),
    ("known[card] becomes yes", "'known' needs one of 'Card' in its brackets, and there is none."),
    ("tall[which] becomes yes", "'tall' needs one of the 'heap' in its brackets, and there is none."),
    ("chief's points[2] becomes 1", "'points' needs a player, and there is none."),
    ("item([table], 1)'s points[2] becomes 1", "The table has no 'points'."),
    ("my points[n] becomes 1", "There is no points[4]; 'points' goes from 2 to 3."),
    ("n becomes size of beside(place)", "A cell of Square is needed here, and there is none."),
    ("n becomes size of cells of side", "An edge of Square is needed here, and there is none."),
    ("card becomes Card(clubs, n + 1)", "There is no Card whose 'rank' is 5; it goes from 1 to 4."),
    ("card becomes Card(suit_now, 1)", "A Card needs one of 'Suit' as its 'suit', and there is none."),
]


def failure(rules: str, engine: str, seats: int = 2) -> Exhausted:
    """How play of the rules is given up."""
    game = engine_named(engine).configure(compile_text(rules).program, seats, {})
    with pytest.raises(Exhausted) as told:
        for _ in playouts(game, 1, 7, [RandomAgent()] * seats):
            pass
    return told.value


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(("act", "words"), TOLD, ids=[act for act, _ in TOLD])
def test_what_is_not_there_is_told_in_the_words_of_the_rules(act: str, words: str, engine: str) -> None:
    told = failure(MISSING.replace("ACT", act), engine)
    assert (told.code, told.message, told.line) == ("RL8005", words, 31)


def test_every_kind_has_a_name_in_sentences() -> None:
    program = compile_text(MISSING.replace("ACT", "n becomes 1")).program
    number = NumberType(Constant(1), Constant(3))
    kinds = [SeatType(), FlagType(), number, OptionalType(number), PickType(number, Constant(2))]
    assert [noun(program, kind) for kind in kinds] == [
        "a player",
        "yes or no",
        "a number",
        "a number",
        "several values",
    ]


STUCK = """game "Stuck":
  players: 1

values Card: 1..4
zone hand for each player: bag of Card
zone held for each player: bag of Card, starts with each Card
marker score: 0..9
move discard(card in my hand): put card from my hand into my held
move pair(cards in bags(2, my hand)): put cards from my hand into my held
move larger(card in my held, other in my held):
  require different: card is not other
  require far_larger: card > other + 3
  score becomes 1
move halves(cards in bags(2, my held)):
  require even: sum(card for each card in cards) > 90
  score becomes 1
move wait:
  require late: score > 3
  score becomes 1
move some_number(number in (all k in 1..9 where k > 9)): score becomes number
move say(card in lists(2, Card)):
  require late: score > 3
  score becomes 1
move last(card in my held): score becomes 1

overview:
  seat(1) must MOVES
  end game, nobody wins
"""

HINDERED = [
    ("wait", "'wait' is refused, because of 'late'"),
    ("discard", "'discard' has nothing to choose from in 'my hand'"),
    ("pair", "'pair' has nothing to choose from in 'my hand'"),
    ("larger", "'larger' is refused, because of 'far_larger'"),
    ("halves", "'halves' is refused, because of 'even'"),
    ("some_number", "'some_number' has nothing to choose from"),
    ("say or wait", "'wait' is refused, because of 'late'"),
    (
        "wait or discard or pair or larger",
        "'wait' is refused, because of 'late'; 'discard' has nothing to choose from in 'my hand'; "
        "'pair' has nothing to choose from in 'my hand'",
    ),
]


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(("moves", "words"), HINDERED, ids=[moves for moves, _ in HINDERED])
def test_where_nobody_can_move_it_is_told_why(moves: str, words: str, engine: str) -> None:
    told = failure(STUCK.replace("MOVES", moves), engine, 1)
    assert str(told) == f"RL8022: Seat 1 must move, and no move is possible; {words}. (game.rules, line 27)"


def test_a_move_that_can_be_made_is_not_hindered() -> None:
    """Only when somebody asks for a seat that could move: then the others are told, and it is not."""
    game = engine_named("reference").configure(compile_text(STUCK.replace("MOVES", "wait or last")).program, 1, {})
    told = Match(game, 7).dead_end(0)
    assert told.message == "Seat 1 must move, and no move is possible; 'wait' is refused, because of 'late'."


COUNTED = """game "Counted":
  players: 1
  uses: "counting.rules"

values Card: 1..4
marker count: 0..3
zone stock: bag of Card, starts with each Card
zone held: slot of Card
move act: ACT

overview:
  repeat: seat(1) must act
"""

COUNTING = """library "Counting":
  needs: count, stock, held

rule raised: count rises by 2
rule taken: put random from stock into held
"""


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(
    ("act", "words"),
    [
        (
            "raised",
            "RL8007: 'count' cannot become 4; it stays within 0..3. "
            "(counting.rules, line 4; declared in game.rules, line 6)",
        ),
        ("taken", "RL8011: held cannot hold more than 1. (counting.rules, line 5; declared in game.rules, line 8)"),
        ("count rises by 2", "RL8007: 'count' cannot become 4; it stays within 0..3. (game.rules, line 9)"),
    ],
)
def test_what_is_full_in_a_library_is_said_to_be_declared_in_the_game(
    tmp_path: Path, act: str, words: str, engine: str
) -> None:
    (tmp_path / "game.rules").write_text(COUNTED.replace("ACT", act))
    (tmp_path / "counting.rules").write_text(COUNTING)
    game = engine_named(engine).configure(compile_file(tmp_path / "game.rules").program, 1, {})
    with pytest.raises(Exhausted) as told:
        for _ in playouts(game, 1, 7, [RandomAgent()]):
            pass
    assert str(told.value).replace(f"{tmp_path}/", "") == words


def test_without_a_place_only_the_message_is_told() -> None:
    failure = Exhausted("RL8007", "Too much.")
    assert failure.said == "Too much."
