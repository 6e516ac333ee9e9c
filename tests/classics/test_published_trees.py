"""The trees of our rulesets equal trees that somebody else counted.

`tests/oracles/openspiel_perft.json` was measured with OpenSpiel 2.0.2; its texts say what each figure means. Every
figure of an entry is compared: histories, decision, chance, joint and final nodes by depth, sums and exact expected
returns, the sizes below each first move, and the numbers of information sets. Every program goes through JSON first.

Small trees are counted whole by both interpreters. Of a large one everybody's run counts the first few depths; the
whole is counted under the mark `soak`.
"""

import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest

from rulelang import rulesets
from rulelang.ir.codec import dumps, loads
from rulelang.pipeline import compile_file, engine_named
from rulelang.play.engine import Game, State
from rulelang.play.event import Outcome
from rulelang.play.record import Record, header_of, record_lines, write_record
from rulelang.play.tree import perft

ORACLES = Path(__file__).parent.parent / "oracles" / "openspiel_perft.json"


@attrs.frozen
class Entry:
    """One published tree and the ruleset, seats and options that should reproduce it."""

    oracle: str
    ruleset: str
    seats: int = 2
    options: tuple[tuple[str, int | str], ...] = ()
    known: str = "information_sets_of_acting_player"
    """Which published number of information sets is that of the rules."""
    depth: int | None = None
    """How deep it is counted in everybody's run, where the whole costs more than a few seconds."""


ENGINES = ("reference", "native")
SMALL_HANABI = (("ranks", 2), ("hand_size", 1), ("most_lives", 1))
ENTRIES = (
    Entry("tic_tac_toe", "tic-tac-toe"),
    Entry("connect_four_3x4", "connect-four", options=(("rows", 3), ("columns", 4), ("in_a_row", 3))),
    Entry("dots_and_boxes_1x2", "dots-and-boxes", options=(("rows", 1), ("columns", 2))),
    Entry("kuhn_poker", "kuhn-poker"),
    Entry("kuhn_poker_3p", "kuhn-poker", seats=3),
    Entry("leduc_poker", "leduc-poker"),
    Entry("liars_dice_1x3", "liars-dice", options=(("dice", 1), ("sides", 3))),
    Entry("liars_dice_2x2", "liars-dice", options=(("dice", 2), ("sides", 2))),
    Entry("pig_5_3_8", "pig", options=(("target", 5), ("faces", 3), ("horizon", 8))),
    Entry("goofspiel_4_desc_hidden", "goofspiel", options=(("cards", 4), ("order", "descending"), ("bids", "hidden"))),
    Entry("goofspiel_3_random", "goofspiel", options=(("cards", 3),)),
    Entry("nim_123_misere", "nim", options=(("heaps", 3), ("growth", 1))),
    Entry("breakthrough_3x3", "breakthrough", options=(("rows", 3), ("columns", 3))),
    Entry("breakthrough_4x3", "breakthrough", options=(("rows", 4), ("columns", 3)), depth=6),
    Entry("othello", "othello", depth=5),
    Entry("dark_hex_2x2", "dark-hex", options=(("size", 2),)),
    Entry(
        "dark_hex_2x2",
        "dark-hex",
        options=(("size", 2), ("attempts", "heard")),
        known="information_sets_by_openspiel_string",
    ),
    Entry("kalah", "kalah", depth=5),
    Entry("iterated_pd_5", "prisoners-dilemma", options=(("most_rounds", 5),)),
    Entry("blotto_5_3", "blotto", options=(("soldiers", 5),)),
    Entry("sealed_auction_4", "sealed-auction", options=(("most_value", 4),)),
    Entry("sheriff_2_2_2", "sheriff", options=(("most_items", 2), ("most_bribe", 2), ("rounds", 2))),
    Entry("oh_hell_3p_2x3", "oh-hell", seats=3, options=(("suits", 2), ("ranks", 3)), depth=8),
    Entry("hanabi_1x2", "hanabi", options=(*SMALL_HANABI, ("colours", 1), ("most_clues", 2))),
    Entry("hanabi_2x2", "hanabi", options=(*SMALL_HANABI, ("colours", 2), ("most_clues", 1))),
    Entry("crazy_eights_2p_fixed_deal", "crazy-eights", depth=4),
)

BY_DEPTH = (
    "histories_by_depth",
    "decision_nodes_by_depth",
    "chance_nodes_by_depth",
    "simultaneous_nodes_by_depth",
    "terminal_histories_by_depth",
)
PLAIN_FIGURES = (
    *BY_DEPTH,
    "full_tree",
    "total_histories",
    "terminal_histories",
    "sum_of_player0_returns_over_terminal_histories",
    "expected_returns_uniform_random_play",
    "probability_of_terminal_within_depth_uniform_random_play",
    "probability_weighted_player0_return_of_those",
)
BELOW = "histories_at_that_depth_below_each_root_move"


@cache
def published() -> dict[str, dict[str, Any]]:
    return {game["id"]: game for game in json.loads(ORACLES.read_text())["games"]}


@cache
def counted(entry: Entry, engine: str, depth: int) -> dict[str, Any]:
    oracle = published()[entry.oracle]
    program = loads(dumps(compile_file(rulesets.find(entry.ruleset)).program))
    game = engine_named(engine).configure(program, entry.seats, dict(entry.options))
    known = entry.known in oracle
    return perft(game, depth, known, start=after_the_start(game, oracle["start"]))


def after_the_start(game: Game, start: Any) -> State:
    """Where counting begins: at the start, or behind a deal of which the oracle tells every card."""
    state = game.start()
    if isinstance(start, dict):
        for outcome in fixed_deal(start["after_fixed_chance_prefix"]):
            state = state.step(Outcome(outcome))
    return state


def fixed_deal(deal: dict[str, Any]) -> list[int]:
    """The dealer, the cards in turn from the dealer's left, and the one that is turned up."""
    hands = [deal["player1_hand"], deal["player0_hand"]]
    cards = [card for pair in zip(*hands, strict=True) for card in pair]
    return [deal["dealer"], *(card_code(card) for card in [*cards, deal["turned_up"]])]


def card_code(card: str) -> int:
    """Of a record of rank, from the ace, and suit."""
    return "A23456789TJQK".index(card[0]) * 4 + "CDHS".index(card[1])


def each_case(entries: Iterable[Entry], *marks: pytest.MarkDecorator) -> list[Any]:
    return [
        pytest.param(entry, engine, id=f"{entry.oracle}-{engine}", marks=marks)
        for entry in entries
        for engine in ENGINES
    ]


LARGE = [entry for entry in ENTRIES if entry.depth is not None]
IN_PART = each_case(LARGE)
WHOLE = each_case(entry for entry in ENTRIES if entry.depth is None) + each_case(LARGE, pytest.mark.soak)


def whole_depth(entry: Entry) -> int:
    depth: int = published()[entry.oracle]["max_depth"]
    return depth


@pytest.mark.parametrize(("entry", "engine"), WHOLE)
def test_every_figure_is_the_published_one(entry: Entry, engine: str) -> None:
    wanted, found = published()[entry.oracle], counted(entry, engine, whole_depth(entry))
    figures = [figure for figure in PLAIN_FIGURES if figure in wanted]
    assert {figure: json.loads(json.dumps(found[figure])) for figure in figures} == {
        figure: wanted[figure] for figure in figures
    }


@pytest.mark.parametrize(("entry", "engine"), WHOLE)
def test_sizes_below_each_first_move_are_the_published_ones(entry: Entry, engine: str) -> None:
    if "divide" in published()[entry.oracle]:  # a tree of one event has none
        wanted, found = published()[entry.oracle]["divide"], counted(entry, engine, whole_depth(entry))["divide"]
        assert found["depth"] == wanted["depth"]
        assert sorted(found[BELOW].values()) == sorted(wanted[BELOW].values())


@pytest.mark.parametrize(("entry", "engine"), WHOLE)
def test_information_sets_are_the_published_ones(entry: Entry, engine: str) -> None:
    wanted = published()[entry.oracle].get(entry.known)
    if wanted is not None:  # games without hidden information have no such figure
        assert counted(entry, engine, whole_depth(entry))["information_sets"] == wanted


@pytest.mark.parametrize(("entry", "engine"), WHOLE)
def test_the_depth_below_is_as_large_as_published(entry: Entry, engine: str) -> None:
    wanted = published()[entry.oracle].get("histories_at_next_depth")
    if wanted is not None:  # a tree that was counted whole has none
        below = whole_depth(entry) + 1
        assert counted(entry, engine, below)["histories_by_depth"][below] == wanted


@pytest.mark.parametrize(("entry", "engine"), IN_PART)
def test_the_first_depths_are_the_published_ones(entry: Entry, engine: str) -> None:
    wanted, found = published()[entry.oracle], counted(entry, engine, entry.depth or 0)
    for figure in BY_DEPTH:
        assert found[figure] == wanted[figure][: len(found[figure])]
    assert found["max_depth"] == entry.depth


def test_every_entry_is_a_published_one() -> None:
    assert {entry.oracle for entry in ENTRIES} <= set(published())


def test_the_record_beside_crazy_eights_is_the_published_deal() -> None:
    """The README counts after it. With `RULELANG_ACCEPT=1` it is written anew, when the rules have changed."""
    path = rulesets.find("crazy-eights").parent / "published-deal.record.jsonl"
    game = engine_named("reference").configure(compile_file(rulesets.find("crazy-eights")).program, 2, {})
    deal = fixed_deal(published()["crazy_eights_2p_fixed_deal"]["start"]["after_fixed_chance_prefix"])
    record = Record(header_of(game.program, 0), tuple(Outcome(outcome) for outcome in deal))
    if os.environ.get("RULELANG_ACCEPT"):
        write_record(path, game.program, record)
    assert path.read_text() == "".join(record_lines(game.program, record))
