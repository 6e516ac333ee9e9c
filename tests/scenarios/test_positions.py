"""Positions of the protocol, and the rule by which a table that is given in part is filled up."""

# ruff: noqa: E501  # tables read better in whole lines

from collections import Counter

import attrs
import pytest
from playing import CARDS, outcome

import rulelang
from rulelang.failures import Refused
from rulelang.play.match import Match
from rulelang.play.position import Position, Unseen

CLASSICS = (
    "tic-tac-toe",
    "leduc-poker",
    "goofspiel",
    "pig",
    "liars-dice",
    "dots-and-boxes",
    "connect-four",
    "kuhn-poker",
)


@pytest.mark.parametrize("name", CLASSICS)
def test_a_state_written_down_and_laid_out_is_the_same(name: str) -> None:
    from rulelang.play.agents import RandomAgent

    game = rulelang.load(name).configure().game
    match = Match(game, 5)
    while match.advance_chance().waiting.kind != "over" and len(match.events) < 40:
        again = game.position(match.state.position())
        assert again.hash == match.state.hash
        assert again.waiting == match.state.waiting
        for seat in match.missing:
            match.submit(match.chosen(seat, RandomAgent()))
    assert game.position(match.state.position()).outcome == match.state.outcome


def changed(position: Position, **changes: object) -> Position:
    return attrs.evolve(position, **changes)  # type: ignore[arg-type]


def test_what_cannot_lie_like_that_is_refused() -> None:
    game = rulelang.load("kuhn-poker").configure().game
    position = Match(game, 1).advance_chance().position()
    deck, *rest = position.cells
    for wrong in (
        changed(position, cells=position.cells[:-1]),
        changed(position, cells=(deck, (7,), *rest[1:])),
        changed(position, cells=(deck, (1, 2), *rest[1:])),
        changed(position, cells=(deck, 1, *rest[1:])),
        changed(position, cells=(deck, (Unseen(0),), *rest[1:])),
        changed(position, cells=((), *rest)),
        changed(position, pools=()),
        changed(position, cells=(deck, *rest[:-1], (1,))),
        changed(position, frames=(attrs.evolve(position.frames[0], locals=()),)),
    ):
        with pytest.raises(Refused):
            game.position(wrong)


FILLED = {
    "hands that are not spoken of stay as large": (
        "Ann's hand holds ace, two, three",
        "size of Ben's hand is 2; size of stock is 7",
    ),
    "unseen piles give what others need": (
        "heap[1] holds 5 of anything",
        "size of stock is 3; size of Ann's hand is 2",
    ),
    "unseen piles take what is left": ("Ann's hand is empty; Ben's hand is empty", "size of stock is 12"),
    "all that is left": ("heap[1] holds anything; stock is empty", "size of heap[1] is 8; size of Ben's hand is 2"),
    "anything leaves what lies unseen": ("heap[1] holds anything", "heap[1] is empty; size of stock is 8"),
    "two take their share": (
        "heap[1] holds anything; heap[2] holds anything; stock is empty",
        "size of heap[1] is 4; size of heap[2] is 4",
    ),
    "a card taken from a hand is made up for": (
        "heap[1] holds 3 of ace, 3 of two, 3 of three",
        "size of Ann's hand + size of Ben's hand is 3; every c in Ann's hand satisfies c is four; stock is empty",
    ),
    "a later line counts": ("Ann's score is 3; Ann's score is 4", "Ann's score is 4"),
    "unseen piles in part": (
        "stock holds 3 of anything, ace, 2 of anything",
        "size of stock is 6; stock holds 3 of anything, ace, 2 of anything",
    ),
}


@pytest.mark.parametrize("name", FILLED)
def test_the_rest_of_the_table(name: str) -> None:
    given, then = FILLED[name]
    if name == "unseen piles in part":
        given += "; heap[1] holds anything"
    result = outcome(given, "", then)
    assert (result.status, result.reason, result.complaints) == ("passed", "", ())


def test_pieces_that_nothing_can_take_are_told() -> None:
    rules = (
        CARDS.replace("  zone stock: pile of Card, seen by nobody", "  zone stock: bag of Card, seen by nobody")
        .replace("    shuffle stock\n", "")
        .replace("put top from stock", "put random from stock")
        .replace("put top(2) from stock", "put random from stock")
    )
    result = outcome("stock is empty; Ann's hand holds ace", "", "game goes on", rules)
    assert result.status == "error"
    assert "pieces are left over (" in result.reason and "let a zone hold 'anything'" in result.reason


def test_nothing_is_added_or_lost() -> None:
    from playing import scenario

    from rulelang.pipeline import engine_named
    from rulelang.scenarios.check import check_file
    from rulelang.scenarios.files import Library, play_file_from_text
    from rulelang.scenarios.opening import begin
    from rulelang.scenarios.workshop import Workshop

    for number in range(20):
        given = f"Ann's hand holds {number % 5} of anything, ace; heap[{number % 2 + 1}] holds two, {number % 3} of anything"
        text = CARDS + scenario(given, "", "game goes on")
        [checked] = check_file(play_file_from_text("t.play", text), Library())
        game = engine_named("reference").configure(checked.compiled.program, 2, {})
        shop = Workshop(checked.bench, game, checked.players)
        position = begin(shop, checked.scenario.blocks[0].facts, number).position()  # type: ignore[union-attr]
        cards = Counter(card for pool in position.pools for card in pool)
        for slot, family in enumerate(shop.layout.families):
            if hasattr(game.program.slots[slot], "content"):
                for cell in position.cells[family.base : family.base + family.count]:
                    cards.update(card for card in cell if isinstance(card, int))  # type: ignore[union-attr]
        assert cards == Counter({0: 3, 1: 3, 2: 3, 3: 3})
