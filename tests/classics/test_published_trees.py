"""The trees of our rulesets equal trees that somebody else counted.

`tests/oracles/openspiel_perft.json` was measured with OpenSpiel 2.0.2; its texts say what each figure means. Every
figure of an entry is compared: histories, decision, chance, joint and final nodes by depth, sums and exact expected
returns, the sizes below each first move, and the numbers of information sets. Every program goes through JSON first.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest

from rulelang import rulesets
from rulelang.ir.codec import dumps, loads
from rulelang.pipeline import compile_file, engine_named
from rulelang.play.tree import perft

ORACLES = Path(__file__).parent.parent / "oracles" / "openspiel_perft.json"


@attrs.frozen
class Entry:
    """One published tree and the ruleset, seats and options that should reproduce it."""

    oracle: str
    ruleset: str
    seats: int = 2
    options: tuple[tuple[str, int | str], ...] = ()


# Every entry is counted to its full depth: the slowest takes under three seconds of CPU time.
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
)

PLAIN_FIGURES = (
    "histories_by_depth",
    "decision_nodes_by_depth",
    "chance_nodes_by_depth",
    "simultaneous_nodes_by_depth",
    "terminal_histories_by_depth",
    "terminal_histories",
    "sum_of_player0_returns_over_terminal_histories",
    "expected_returns_uniform_random_play",
)
BELOW = "histories_at_that_depth_below_each_root_move"


@cache
def published() -> dict[str, dict[str, Any]]:
    return {game["id"]: game for game in json.loads(ORACLES.read_text())["games"]}


@cache
def counted(entry: Entry) -> dict[str, Any]:
    program = loads(dumps(compile_file(rulesets.find(entry.ruleset)).program))
    game = engine_named("reference").configure(program, entry.seats, dict(entry.options))
    return perft(game, published()[entry.oracle]["max_depth"])


def each_entry() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.oracle)


@each_entry()
@pytest.mark.parametrize("figure", PLAIN_FIGURES)
def test_figure_equals_the_published_one(entry: Entry, figure: str) -> None:
    assert json.loads(json.dumps(counted(entry)[figure])) == published()[entry.oracle][figure]


@each_entry()
def test_sizes_below_each_first_move_are_the_published_ones(entry: Entry) -> None:
    wanted, found = published()[entry.oracle]["divide"], counted(entry)["divide"]
    assert found["depth"] == wanted["depth"]
    assert sorted(found[BELOW].values()) == sorted(wanted[BELOW].values())


@each_entry()
def test_information_sets_are_the_published_ones(entry: Entry) -> None:
    wanted = published()[entry.oracle].get("information_sets_of_acting_player")
    if wanted is not None:  # games without hidden information have no such figure
        assert counted(entry)["information_sets"] == wanted


def test_every_published_tree_of_these_games_is_compared() -> None:
    ours = ("tic_tac", "connect_four", "kuhn", "leduc", "pig", "liars", "goofspiel", "dots")
    assert {entry.oracle for entry in ENTRIES} == {name for name in published() if name.startswith(ours)}
