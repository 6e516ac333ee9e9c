"""Tree counts against the oracle file and against plain enumeration."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from fake_games import Bids, Deal, Endless, FakeGame, Kuhn, TicTacToe
from playing_rules import closed

from rulelang.play.engine import State, children
from rulelang.play.event import Outcome
from rulelang.play.tree import count_information_sets, perft

TIC_TAC_TOE = {
    "full_tree": True,
    "max_depth": 9,
    "total_histories": 549946,
    "histories_by_depth": [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "decision_nodes_by_depth": [1, 9, 72, 504, 3024, 13680, 49392, 100224, 127872, 0],
    "chance_nodes_by_depth": [0] * 10,
    "simultaneous_nodes_by_depth": [0] * 10,
    "terminal_histories_by_depth": [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872],
    "terminal_histories": 255168,
    "sum_of_player0_returns_over_terminal_histories": {"exact": "53280", "decimal": 53280.0},
    "expected_returns_uniform_random_play": [
        {"exact": "187/630", "decimal": 0.2968253968253968},
        {"exact": "-187/630", "decimal": -0.2968253968253968},
    ],
}


def test_tic_tac_toe_as_everybody_knows_it() -> None:
    result = perft(TicTacToe(), 20)
    divide = result.pop("divide")
    assert result == TIC_TAC_TOE
    assert divide["depth"] == 9
    below = divide["histories_at_that_depth_below_each_root_move"]
    assert sorted(below.values()) == sorted([13968, 14688, 13968, 14688, 13248, 14688, 13968, 14688, 13968])
    assert '{"play": "mark", "seat": 1, "arguments": [4]}' in below


def test_kuhn_poker_as_in_the_oracle() -> None:
    result = perft(Kuhn(), 9, name=lambda event: f"Deal:{event.value}" if isinstance(event, Outcome) else "")
    assert result["histories_by_depth"] == [1, 3, 6, 12, 24, 12]
    assert result["decision_nodes_by_depth"] == [0, 0, 6, 12, 6, 0]
    assert result["chance_nodes_by_depth"] == [1, 3, 0, 0, 0, 0]
    assert result["terminal_histories_by_depth"] == [0, 0, 0, 0, 18, 12]
    assert result["expected_returns_uniform_random_play"][0]["exact"] == "1/8"
    assert result["information_sets"] == [6, 6]
    below = {"Deal:0": 4, "Deal:1": 4, "Deal:2": 4}
    assert result["divide"] == {"depth": 5, "histories_at_that_depth_below_each_root_move": below}
    json.dumps(result)


@pytest.mark.parametrize("make", [Kuhn, Bids, lambda: Deal((2, 2, 1), 2), Endless, TicTacToe])
@pytest.mark.parametrize("depth", [0, 1, 2, 4])
def test_counts_are_those_of_plain_enumeration(make: type[FakeGame], depth: int) -> None:
    """Merging equal states must not change anything."""
    levels: list[list[tuple[State, Fraction]]] = [[(make().start(), Fraction(1))]]
    for _ in range(depth):
        levels.append([pair for state, weight in levels[-1] for pair in spread(state, weight)])
    result = perft(make(), depth)
    histories = [len(level) for level in levels if level]
    assert result["histories_by_depth"] == histories
    over = [(state, weight) for level in levels for state, weight in level if state.outcome]
    assert result["terminal_histories"] == len(over)
    total = sum(state.outcome.returns[0] for state, _ in over if state.outcome)
    assert result["sum_of_player0_returns_over_terminal_histories"]["exact"] == str(total)
    expected = sum((w * s.outcome.returns[0] for s, w in over if s.outcome), Fraction(0))
    if result["full_tree"]:
        assert result["expected_returns_uniform_random_play"][0]["exact"] == str(expected)
    else:
        assert result["probability_weighted_player0_return_of_those"]["exact"] == str(expected)
        ending = sum((weight for _, weight in over), Fraction(0))
        assert result["probability_of_terminal_within_depth_uniform_random_play"]["exact"] == str(ending)
    divide = result["divide"]
    assert sum(divide["histories_at_that_depth_below_each_root_move"].values()) == (histories[-1] if depth else 0)
    known: list[set[object]] = [set(), set()]
    for level in levels:
        for state, _ in level:
            for seat in state.waiting.seats:
                known[seat].add(repr(state.information(seat)))
    assert count_information_sets(make(), depth) == [len(sets) for sets in known]


def spread(state: State, weight: Fraction) -> list[tuple[State, Fraction]]:
    if state.waiting.kind == "chance":
        return [(state.step(Outcome(value)), weight * p) for value, p in state.chance()]
    events = list(children(state))
    return [(state.step(event), weight / len(events)) for event in events]


def test_information_sets_only_where_something_is_hidden_and_asked_for() -> None:
    assert "information_sets" not in perft(TicTacToe(), 2)
    assert "information_sets" not in perft(Kuhn(), 2, False)


def test_a_tree_can_start_anywhere_and_reports_progress() -> None:
    told: list[int] = []
    state = TicTacToe().start()
    for event in list(children(state))[:1]:
        state = state.step(event)
    result = perft(TicTacToe(), 9, start=state, progress=told.append)
    assert result["histories_by_depth"][1] == 8 and result["max_depth"] == 8
    assert told == sorted(told) and told
    count_information_sets(Endless(), 6, progress=told.append)


def test_a_deep_tree_needs_no_recursion() -> None:
    result = perft(Deep(), 1100)
    assert result["histories_by_depth"] == [1] * 1101 and not result["full_tree"]
    assert count_information_sets(Deep(), 1100) == [1101, 0]


class Deep(Endless):
    """One long line."""

    def answers(self, p, seat):
        return super().answers(p, seat)[:1]


ORACLE = Path(__file__).parent / "oracles" / "openspiel_perft.json"


def test_keys_are_spelled_as_in_the_oracle_file() -> None:
    if not ORACLE.exists():
        pytest.skip("the oracle file is not in this checkout")
    entry = next(game for game in json.loads(ORACLE.read_text())["games"] if game["id"] == "tic_tac_toe")
    result = perft(TicTacToe(), 9)
    assert {key: entry[key] for key in result if key != "divide"} == {k: v for k, v in result.items() if k != "divide"}


ROUNDS = """
game "Rounds":
  players: 2

marker score for each player: 0..9
move next_round: seat(1)'s score rises by 1
move gain(n in 1..2): my score rises by n

overview:
  table must next_round
  each p in players: p must gain
  end game, nobody wins
"""


def test_what_the_table_does_is_nobodys_knowledge() -> None:
    """Seat 1 is asked once; seat 2 after two different answers of seat 1; the table is no seat."""
    assert count_information_sets(closed(ROUNDS, 2), 5) == [1, 2]
