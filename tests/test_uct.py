"""``uct:N``: it looks ahead, uses only what its seat knows, and chooses the same on every interpreter."""

from collections.abc import Callable

import pytest
from fake_games import Bids, Endless, Kuhn, TicTacToe
from playing_rules import closed
from test_windows import OPEN

from rulelang.failures import Exhausted
from rulelang.pipeline import compile_text, load
from rulelang.play.agents import RandomAgent, Situation
from rulelang.play.chance import Stream
from rulelang.play.configurations import all_seats
from rulelang.play.engine import Draw, NoRoom, State
from rulelang.play.event import Answer, Play
from rulelang.play.match import Match
from rulelang.play.monte_carlo import MonteCarloAgent, played_out
from rulelang.play.playouts import Summary, playouts
from rulelang.play.uct import Tree, UctAgent, asked
from rulelang_native import engine as native
from rulelang_reference import engine as reference

FORK = """
game "Two steps ahead":
  players: 2

marker spot: 0..9

move go(n in 1..3): spot becomes n
move answer(n in 1..3):
  spot becomes spot * 3 - n if spot is 3 otherwise spot

overview:
  seat(1) must go
  seat(2) must answer
  if spot is 3 or spot > 7: end game, seat(1) wins
  if spot is 2: end game, nobody wins
  end game, seat(2) wins
"""
"""At random 3 is best for seat 1 (8 or 7 or 6); seat 2 knows better, and then 3 is no better than 1."""


def situation(state: State, seat: int, deal: Callable[[Draw], State] | None = None) -> Situation:
    def unasked() -> None:
        raise AssertionError("it looks at deals only")

    return Situation(seat, state.moves(seat), unasked, deal or (lambda draw: state), program=state.game.program)  # type: ignore[arg-type]


def test_it_wins_where_it_can_and_prevents_where_it_must() -> None:
    match = Match(TicTacToe(), 1)
    for seat, cell in ((0, 0), (1, 4), (0, 1)):
        match.submit(Play(seat, 0, (cell,)))
    assert match.chosen(1, UctAgent(200)) == Play(1, 0, (2,))
    match.submit(Play(1, 0, (8,)))
    assert match.chosen(0, UctAgent(50)) == Play(0, 0, (2,))


def test_it_reckons_with_good_answers() -> None:
    """Where the other seat can choose, what is best against a random one is not always best."""
    state = closed(FORK, 2).start()
    tree = Tree(0, state.moves(0), 1000)
    for seed in range(300):
        tree.think(state, Stream(seed))
    assert tree.best() == Play(0, 0, (2,))
    assert max(tried.visits for tried in tree.root.tried[0].values()) > 150


def test_it_beats_what_does_not_look_ahead() -> None:
    game = native.configure(load("connect-four").program, 2, {})
    assert Summary.of_all(playouts(game, 4, 1, [UctAgent(60), RandomAgent()])).returns[0] > 0
    summary = Summary.of_all(playouts(TicTacToe(), 8, 3, [UctAgent(60), MonteCarloAgent(6)]))
    assert summary.returns[0] > 0


@pytest.mark.parametrize("make", [Kuhn, Bids])
def test_a_game_depends_only_on_seed_and_number(make: type[Kuhn]) -> None:
    agents = [UctAgent(12), RandomAgent()]
    games = list(playouts(make(), 6, 5, agents))
    assert list(playouts(make(), 2, 5, [UctAgent(12), RandomAgent()], first=3)) == games[3:5]


def test_two_deals_that_look_the_same_are_answered_the_same() -> None:
    """What the other seat really holds changes nothing."""
    for seed in range(8):
        answers = []
        for other in (0, 2):
            match = Match(Kuhn(), seed)
            match.force(1)
            match.force(other)
            answers.append(match.chosen(0, UctAgent(20)))
        assert answers[0] == answers[1]


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "leduc-poker", "sealed-auction"])
def test_it_chooses_the_same_on_every_interpreter(name: str) -> None:
    program = load(name).program
    seats = all_seats(program)[0]
    agents = [UctAgent(8), *[UctAgent(3, 2)] * (seats - 1)]
    told = []
    for each in (reference, native):
        match = Match(each.configure(program, seats, {}), 2)
        while match.outcome is None and len(match.events) < 30:
            match.go_on(agents)
        told.append(match.events)
    assert told[0] == told[1]


def test_windows_are_looked_into() -> None:
    events = []
    for each in (reference, native):
        match = Match(each.configure(compile_text(OPEN).program, 4, {}), 3)
        match.play([UctAgent(30)] * 4)
        events.append(match.events)
    assert events[0] == events[1]


def test_what_does_not_end_in_time_counts_nothing() -> None:
    state = Endless().start()
    assert played_out(state, Stream(1), 20) is None
    tree = Tree(0, state.moves(0), 3)
    for seed in range(6):
        tree.think(state, Stream(seed))
    tried = tree.root.tried[0].values()
    assert sum(each.visits for each in tried) == 6 and all(each.total == 0 for each in tried)


def test_a_dead_end_counts_nothing() -> None:
    dead = closed(
        """
game "Dead end":
  players: 1
marker n: 0..3
move up(k in 1..2):
  require low: n < 2 because "it is high"
  n becomes k
overview:
  repeat 3 times: seat(1) must up
  end game, seat(1) wins
""",
        1,
    )
    tree = Tree(0, dead.start().moves(0), 1000)
    for seed in range(9):
        tree.think(dead.start(), Stream(seed))
    assert sum(each.visits for each in tree.root.tried[0].values()) == 9
    assert not any(each.total for each in tree.root.tried[0].values())


def test_where_there_is_no_room_its_twin_is_asked() -> None:
    class Full:
        twin = "asked"

    def what(state: object) -> object:
        if isinstance(state, Full):
            raise NoRoom
        return state

    assert asked(Full(), what) == "asked"  # type: ignore[arg-type]


def test_it_is_named_with_its_numbers() -> None:
    assert UctAgent(50).name == "uct:50" and UctAgent(50, 20).name == "uct:50:20"


def test_in_open_play_every_answer_is_tried() -> None:
    game = closed(
        """
game "Taps":
  players: 2
timer glass: 9 seconds
marker taps: 0..99
move tap: taps rises by 1
move hit: taps rises by 2
overview:
  start glass
  players may freely tap or hit until glass is empty
  end game, seat(1) wins
""",
        2,
    )
    match = Match(game, 1)
    assert match.play([UctAgent(3), RandomAgent()]) is not None
    answers: list[Answer] = list(game.start().moves(0))
    assert UctAgent(3).choose(situation(game.start(), 0), Stream(1)) in answers


def test_open_play_behind_a_decision_is_rolled_out() -> None:
    game = closed(
        """
game "Begin and tap":
  players: 2
timer glass: 9 seconds
marker taps: 0..99
move begin(n in 1..2): taps rises by n
move tap: taps rises by 1
overview:
  seat(1) must begin
  start glass
  players may freely tap until glass is empty
  if taps > 5: end game, seat(1) wins
  end game, seat(2) wins
""",
        2,
    )
    state = game.start()
    tree = Tree(0, state.moves(0), 1000)
    for seed in range(9):
        tree.think(state, Stream(seed))
    assert sum(each.visits for each in tree.root.tried[0].values()) == 9


def test_what_is_dealt_is_what_it_thinks_in() -> None:
    match = Match(Kuhn(), 1)
    match.force(1)
    match.force(0)
    deals: list[State] = []

    def deal(draw: Draw) -> State:
        deals.append(match.situation(0).resample(draw))
        return deals[-1]

    UctAgent(7).choose(situation(match.state, 0, deal), Stream(1))
    assert len(deals) == 7 and {each.view(0) for each in deals} == {match.state.view(0)}


def test_no_answer_at_all_is_told() -> None:
    tree = Tree(0, (), 10)
    with pytest.raises(Exhausted):
        tree._chosen(tree.root, 0, (), Stream(1))
