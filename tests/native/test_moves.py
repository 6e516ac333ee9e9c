"""Legal answers: listed, counted, taken by their place; what depends on other answers is worked out once or noted."""

import attrs
import pytest
from both_engines import differ, game_of, native, program_of, reference

from rulelang import limits
from rulelang.failures import Exhausted, Refused
from rulelang.pipeline import load
from rulelang.play.event import Pass, Play
from rulelang.testing import Dice, legal_event
from rulelang_native.flat import statements as st
from rulelang_native.state import State

DEPENDING = """
game "Depending":
  players: 2..3

values Card: 1..6
zone hand for each player: bag of Card, starts with each Card
zone heap for each player: pile of Card
marker total: 0..99
marker laid for each player: 0..99

overview:
  turns of p from seat(1):
    p must lay or swap or choose or rest
    if total > 90: end game, nobody wins

move lay(card in my hand, q in players, n in 1..4):
  require fits: worth(card) >= n because "{card} is too little"
  require other: q is not me or far(card) because "not yours"
  require room: size of q's heap + n < 7 and some c in q's heap + [6] where c >= n because "no room"
  require alone: every c in my hand satisfies c <= card + n + 1 because "a larger one first"
  put card from my hand onto q's heap
  total rises by n

move swap(two in bags(2, my hand), n in 1..2):
  require even: remainder(sum(c for each c in two), 2) is 0 because "odd"
  require much: sum(c * c for each c in two) > n * 9 because "too little"
  put two from my hand into next(me)'s hand
  total rises by n

move choose(n in 1..9, m in (all x in 1..9 where x >= n), k in (all x in 1..9 where x > m and x > n)):
  require sum_of_three: remainder(n + m + k, 5) is 0 because "no"
  total becomes n

move rest(q in others(me)):
  my laid rises by worth(1)
  total rises by 9

define worth(card: number) = 1 + size of (all x in 1..6 where x * x <= card * card) - 1
define far(card: number) = some x in players where size of x's heap + 3 > card
"""


def walk_of(name: str, seats: int, steps: int, seed: int) -> list[State]:
    """States of a game at random."""
    state = native.configure(load(name).program, seats, {}).start()
    dice = Dice.seeded(19, seed)
    found = []
    for _ in range(steps):
        if state.outcome is not None:
            break
        found.append(state)
        event = legal_event(state, dice)
        assert event is not None
        state = state.step(event)
    return found


@pytest.mark.parametrize(
    ("name", "seats"), [("13-animals", 4), ("liars-dice", 2), ("goofspiel", 2), ("little-rummy", 3), ("pig", 2)]
)
def test_counted_listed_and_taken_by_their_place(name: str, seats: int) -> None:
    for state in walk_of(name, seats, 40, 3):
        if state.waiting.kind == "chance":
            continue
        for seat in state.waiting.seats:
            fresh = state.game.from_bytes(state.to_bytes())
            moves = state.moves(seat)
            assert state.count(seat) == len(moves)
            assert [fresh.unrank(seat, place) for place in range(len(moves))] == list(moves), "before they are listed"
            assert [state.unrank(seat, place) for place in range(len(moves))] == list(moves), "and after"
            numbers = [state.game.number(move) for move in moves]
            assert numbers == sorted(set(numbers)) and [state.game.answer(seat, each) for each in numbers] == list(
                moves
            )
            with pytest.raises(IndexError):
                fresh.unrank(seat, len(moves))


def test_who_is_not_asked_has_no_moves() -> None:
    state = game_of(DEPENDING).start()
    assert state.waiting.seats == (0,) and state.count(0) > 5
    for seat in (1, 2, 9):
        assert len(state.moves(seat)) == state.count(seat) == 0
        with pytest.raises(IndexError):
            state.unrank(seat, 0)


def test_places_that_no_list_has() -> None:
    for place in (-1, limits.LISTED_MOVES, 10**9):
        with pytest.raises(IndexError):
            game_of(DEPENDING).start().unrank(0, place)


def test_moves_are_a_sequence() -> None:
    moves = game_of(DEPENDING).start().moves(0)
    again = game_of(DEPENDING).start().moves(0)
    other = reference.configure(program_of(DEPENDING), 2, {}).start().moves(0)
    assert list(moves) == list(other) and moves == again and len(moves) == len(other)
    assert moves == tuple(other) and moves != other[1:] and moves != 3 and repr(moves) == repr(tuple(other))
    assert moves[1:3] == tuple(other)[1:3] and moves[-1] == other[-1] and other[2] in moves


def test_numbers_that_there_are_not() -> None:
    game = game_of(DEPENDING)
    last = game.number(Pass(0))
    assert game.max_numbers == last + 1 and game.answer(1, last) == Pass(1)
    for number in (-1, last + 1):
        with pytest.raises(Refused):
            game.answer(0, number)
    assert game.number(game.answer(0, last - 1)) == last - 1


def test_answers_that_depend_on_others() -> None:
    for seats in (2, 3):
        assert differ(DEPENDING, seats, 120) is None


def _all(statements: tuple[st.Statement, ...]) -> list[st.Statement]:
    found: list[st.Statement] = []
    for each in statements:
        found.append(each)
        for part in ("then", "otherwise", "body"):
            found += _all(getattr(each, part, ()))
    return found


def test_what_other_answers_do_not_change_is_worked_out_once() -> None:
    """`fits` reads the first and the third answer, so it is noted by both; `other` is kept for each first answer."""
    flat = game_of(DEPENDING, 3).module.flat
    listing = next(each for each in flat.functions if each.name == "list0")
    inside = _all(listing.body)
    assert any(isinstance(each, st.Notes) for each in inside) and any(isinstance(each, st.Note) for each in inside)
    assert sum(isinstance(each, st.Offer) for each in inside) == 1


def test_too_many_answers_are_given_up_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LISTED_MOVES", 3)
    state = game_of(DEPENDING).start()
    with pytest.raises(Exhausted, match="RL8015"):
        state.moves(0)
    assert state.refusals(Play(0, 3, (1,))) == ()


def test_tries_are_counted_if_there_could_be_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "tried" not in game_of(DEPENDING).module.source
    program = program_of(DEPENDING)
    for most in (100, 200, 2000):
        monkeypatch.setattr(limits, "TRIED_ANSWERS", most)
        assert differ(attrs.evolve(program, title=str(most)), moves=20) is None
    monkeypatch.setattr(limits, "TRIED_ANSWERS", 100)
    state = game_of(DEPENDING).start()
    assert "tried" in state.game.module.source
    with pytest.raises(Exhausted, match="RL8009") as failure:
        state.moves(0)
    assert failure.value.line == 29
