"""``mc:N``: it finds what is better, uses only what its seat knows, and depends on nothing but its own draws."""

from collections.abc import Callable

import pytest
from fake_games import Bids, Endless, Kuhn, TicTacToe
from playing_rules import closed as compiled

from rulelang.failures import Refused
from rulelang.play import monte_carlo
from rulelang.play.agents import RandomAgent, Situation
from rulelang.play.chance import Stream
from rulelang.play.engine import Draw, State
from rulelang.play.event import Answer, Outcome, Play
from rulelang.play.match import Match
from rulelang.play.monte_carlo import MonteCarloAgent, roll_out
from rulelang.play.playouts import Summary, playouts
from rulelang.play.refusal import Refusal


def test_it_wins_where_it_can() -> None:
    match = Match(TicTacToe(), 1)
    for seat, cell in ((0, 0), (1, 4), (0, 1), (1, 8)):
        match.submit(Play(seat, 0, (cell,)))
    assert match.chosen(0, MonteCarloAgent(20)) == Play(0, 0, (2,))


def test_it_beats_random() -> None:
    summary = Summary.of_all(playouts(TicTacToe(), 12, 3, [MonteCarloAgent(8), RandomAgent()]))
    assert summary.returns[0] > 6


def test_sealed_choices_are_tried_with_drawn_answers_of_the_others() -> None:
    summary = Summary.of_all(playouts(Bids(), 12, 3, [MonteCarloAgent(10), RandomAgent()]))
    assert summary.returns[0] > 0


@pytest.mark.parametrize("make", [Kuhn, Bids])
def test_a_game_depends_only_on_seed_and_number(make: type[Kuhn]) -> None:
    agents = [MonteCarloAgent(4), RandomAgent()]
    games = list(playouts(make(), 6, 5, agents))
    assert list(playouts(make(), 2, 5, [MonteCarloAgent(4), RandomAgent()], first=3)) == games[3:5]


def test_two_deals_that_look_the_same_are_answered_the_same() -> None:
    """What the other seat really holds changes nothing."""
    for seed in range(8):
        answers = []
        for other in (0, 2):
            match = Match(Kuhn(), seed)
            match.force(1)
            match.force(other)
            answers.append(match.chosen(0, MonteCarloAgent(5)))
        assert answers[0] == answers[1]


def test_it_never_touches_the_state_of_the_game() -> None:
    match = Match(Kuhn(), 3)
    match.advance_chance()
    before = match.state.to_bytes()
    match.chosen(0, MonteCarloAgent(5))
    assert match.state.to_bytes() == before and match.state.previous is not None


def situation(answers: list[Answer], deal: Callable[[Draw], State]) -> Situation:
    def unasked() -> None:
        raise AssertionError("it looks at deals only")

    return Situation(0, answers, unasked, deal)  # type: ignore[arg-type]


def test_where_nothing_can_be_dealt_anew_it_plays_at_random_and_says_so_once() -> None:
    told: list[str] = []
    agent = MonteCarloAgent(5, tell=told.append)
    answers: list[Answer] = [Play(0, 0), Play(0, 1), Play(0, 2)]

    def refuse(draw: Draw) -> State:
        raise Refused([Refusal("no_history", "RL8016", "The cards lie badly.")])

    chosen = {agent.choose(situation(answers, refuse), Stream(seed)) for seed in range(30)}
    assert chosen == set(answers)
    assert told == ["mc:5 plays at random where the cards lie badly."]
    random = [RandomAgent().choose(situation(answers, refuse), Stream(seed)) for seed in range(9)]
    assert random == [MonteCarloAgent(5).choose(situation(answers, refuse), Stream(seed)) for seed in range(9)]


def test_it_says_once_that_it_takes_long_in_table_time() -> None:
    rules = """
game "Taps":
  players: 2

timer glass: 9 seconds
marker taps: 0..99
move tap: taps rises by 1
move hit: taps rises by 2
overview:
  start glass
  players may freely tap or hit until glass is empty
  end game, nobody wins
"""
    told: list[str] = []
    game = compiled(rules, 2)
    Match(game, 1).play([MonteCarloAgent(1, 5, told.append), RandomAgent()])
    words = "deals and tries everything anew whenever anything happens; in games in table time that can take very long."
    assert told == [f"mc:1:5 {words}"]


def test_deals_that_were_found_before_one_is_refused_count() -> None:
    match = Match(TicTacToe(), 1)
    for seat, cell in ((0, 0), (1, 4), (0, 1), (1, 8)):
        match.submit(Play(seat, 0, (cell,)))
    left = [match.state] * 12

    def some(draw: Draw) -> State:
        if not left:
            raise Refused([Refusal("cannot_resample", "RL8016", "No more.")])
        return left.pop()

    agent = MonteCarloAgent(1000, tell=lambda words: pytest.fail(words))
    assert agent.choose(situation(list(match.state.moves(0)), some), Stream(1)) == Play(0, 0, (2,))


def test_a_single_answer_needs_no_thought() -> None:
    def unused(draw: Draw) -> State:
        raise AssertionError

    assert MonteCarloAgent(9).choose(situation([Play(0, 1)], unused), Stream(1)) == Play(0, 1)


def test_what_does_not_end_in_time_counts_nothing() -> None:
    state = TicTacToe().start()
    assert roll_out(state, Play(0, 0, (0,)), Stream(1), 2) == 0
    endless = Endless()
    answer = endless.start().moves(0)[0]
    assert roll_out(endless.start(), answer, Stream(1), 50) == 0


def test_a_roll_out_has_no_more_events_than_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    state = Kuhn().start().step(Outcome(2)).step(Outcome(0))
    worth = [roll_out(state, Play(0, 1), Stream(seed)) for seed in range(9)]
    assert set(worth) == {1, 2}
    monkeypatch.setattr(monte_carlo, "RECORD_EVENTS", 1)
    assert {roll_out(state, Play(0, 1), Stream(seed)) for seed in range(9)} == {0}


STUCK = """
game "Stuck":
  players: 2

marker gone: 0..1
marker points for each player: 0..9

move wait: gone rises by 1
move run: gone rises by 2
move win: end game, seat(1) wins
move lose:
  require never: gone > 1 because "not yet"

overview:
  seat(1) must wait or run or win
  seat(2) must lose
  end game, seat(1) wins
"""


def test_what_stops_at_a_limit_or_has_no_way_on_counts_nothing() -> None:
    """After `wait` nobody can go on, and `run` is given up by the marker."""
    state = compiled(STUCK, 2).start()
    worth = [roll_out(state, answer, Stream(1)) for answer in state.moves(0)]
    assert worth == [0, 0, 1]
    assert Match(state.game, 1).chosen(0, MonteCarloAgent(4)) == Play(0, 2)


def test_names_say_what_they_do() -> None:
    assert MonteCarloAgent(50).name == "mc:50" and MonteCarloAgent(50, 20).name == "mc:50:20"


WINDOW = """
game "A window":
  players: 3

values Card: 1..4
zone deck: pile of Card, seen by nobody, starts with each Card times 2
zone hand for each player: slot of Card, seen by owner
marker taken: yes or no

move offer: taken becomes no
move take:
  taken becomes yes
  end game, each p in players gets 3 * my_card(me) - 7 if p is me otherwise 0

define my_card(p: player) = lowest(c for each c in p's hand)

overview:
  shuffle deck
  each p in players: put top from deck into p's hand
  seat(1) must offer
  others(seat(1)) may in_order take
  end game, nobody wins
"""


def test_in_a_window_it_takes_what_is_worth_it() -> None:
    """Only who holds 3 or 4 gains by taking; who has answered before is dealt with by drawing their answers."""
    game = compiled(WINDOW, 3)
    seen = set()
    for seed in range(12):
        match = Match(game, seed)
        match.advance_chance()
        match.submit(match.state.moves(0)[0])
        assert match.state.waiting.first_only
        for seat in match.missing:
            hand = next(each.value for each in match.state.view(seat).seen if each.slot == 1 and each.member == seat)
            answer = match.chosen(seat, MonteCarloAgent(12))
            assert isinstance(answer, Play) == (hand[0] > 2)  # type: ignore[index]
            seen.add(hand)
    assert len(seen) > 2
