"""The driver: chance, sealed answers, refusals that change nothing, and taking back. R6 and R7."""

import pytest
from fake_games import Bids, Deal, Endless, Kuhn, TicTacToe

from rulelang.failures import Exhausted, Refused
from rulelang.play import match as match_module
from rulelang.play.agents import RandomAgent, Situation
from rulelang.play.chance import Stream
from rulelang.play.engine import Draw
from rulelang.play.event import Answer, Outcome, Pass, Play, Sealed
from rulelang.play.match import Match


def code(refused: pytest.ExceptionInfo[Refused]) -> str:
    return refused.value.reasons[0].code


def test_chance_goes_on_until_a_seat_must_act() -> None:
    match = Match(Kuhn(), 7)
    assert match.advance_chance().waiting.kind == "seat"
    assert [type(event) for event in match.events] == [Outcome, Outcome]
    assert match.advance_chance() is match.state


def test_the_same_seed_deals_the_same_and_another_game_otherwise() -> None:
    deals = {Match(Deal((1,) * 20, 5), 7, n).advance_chance().to_bytes() for n in (0, 0, 1, 2)}
    assert len(deals) == 3


def test_a_forced_outcome_shifts_no_other() -> None:
    """Outcome j depends on the seed and on j alone; here the same cards stay in the deck."""
    plain = Match(Endless(), 7)
    forced = Match(Endless(), 7)
    for number in range(6):
        for match in (plain, forced):
            match.submit(Play(0, 3))
        plain.advance_chance()
        if number == 2:
            forced.force((plain.events[-1].value + 1) % 6)
        else:
            forced.advance_chance()
    rolled = [[e.value for e in match.events if isinstance(e, Outcome)] for match in (plain, forced)]
    assert rolled[0][:2] == rolled[1][:2] and rolled[0][3:] == rolled[1][3:] and rolled[0][2] != rolled[1][2]


def test_a_refused_answer_changes_nothing() -> None:
    match = Match(TicTacToe(), 1)
    match.submit(Play(0, 0, (4,)))
    before, events = match.state.to_bytes(), match.events
    for wrong in (Play(1, 0, (4,)), Play(0, 0, (0,)), Play(1, 0, (9,)), Pass(1)):
        reasons = match.explain(wrong)
        with pytest.raises(Refused) as refused:
            match.submit(wrong)
        assert refused.value.reasons == reasons and reasons
        assert match.state.to_bytes() == before and match.events == events
    with pytest.raises(Refused):
        match.force(3)
    assert match.state.to_bytes() == before


def test_sealed_answers_take_effect_together() -> None:
    match = Match(Bids(), 1)
    start = match.state
    match.submit(Play(1, 0, (2,)))
    assert match.state is start and match.events == () and match.missing == (0,)
    with pytest.raises(Refused) as refused:
        match.submit(Play(1, 0, (0,)))
    assert code(refused) == "already_answered"
    with pytest.raises(Refused):
        match.submit(Play(0, 0, (7,)))
    assert match.missing == (0,)
    match.submit(Pass(0))
    assert match.events == (Sealed((Pass(0), Play(1, 0, (2,)))),) and match.missing == (0, 1)


def test_an_event_is_refused_while_sealed_answers_are_open() -> None:
    match = Match(Bids(), 1)
    match.submit(Play(1, 0, (2,)))
    with pytest.raises(Refused) as refused:
        match.apply(Sealed((Pass(0), Pass(1))))
    assert code(refused) == "sealed_answers_open"


def test_the_log_of_a_seat_holds_what_it_observed() -> None:
    match = Match(Bids(), 1)
    match.submit(Play(0, 0, (1,)))
    match.submit(Play(1, 0, (2,)))
    assert [moved.arguments for moved in match.log(0)] == [(1,), (None,)]
    assert [moved.arguments for moved in match.log(None)] == [(None,), (None,)]


def test_agents_play_to_the_end_and_stop_for_people() -> None:
    match = Match(Kuhn(), 3)
    assert match.play([RandomAgent(), None]) is None or match.outcome
    match = Match(Kuhn(), 3)
    outcome = match.play([RandomAgent(), RandomAgent()])
    assert outcome is not None and outcome == match.outcome and match.record.ending is not None
    match = Match(Bids(), 3)
    assert match.play([RandomAgent(), None]) is None
    assert match.missing == (1,)


def test_what_a_player_draws_shifts_nobody_else() -> None:
    class Waster:
        name = "waster"

        def choose(self, situation: Situation, draw: Draw) -> Answer:
            for _ in range(50):
                draw.below(6)
            return situation.answers[0]

    class First:
        name = "first"

        def choose(self, situation: Situation, draw: Draw) -> Answer:
            return situation.answers[0]

    matches = [Match(Deal((1,) * 20, 5), 7) for _ in range(2)]
    for match, agent in zip(matches, (Waster(), First()), strict=True):
        match.play([RandomAgent(), agent])
    assert matches[0].events == matches[1].events


def test_agents_see_information_and_can_think_ahead() -> None:
    match = Match(Kuhn(), 3)
    match.advance_chance()
    seen = []

    class Thinker:
        name = "thinker"

        def choose(self, situation: Situation, draw: Draw) -> Answer:
            seen.append((situation.information, situation.resample(draw)))
            return situation.answers[0]

    match.chosen(0, Thinker())
    information, other = seen[0]
    assert information == match.state.information(0) == other.information(0)


def test_undo_gives_the_earlier_state_byte_for_byte() -> None:
    match = Match(TicTacToe(), 1)
    saved = [match.state.to_bytes()]
    for cell in (4, 0, 8, 2):
        match.submit(Play(len(saved) % 2 ^ 1, 0, (cell,)))
        saved.append(match.state.to_bytes())
    while match.events:
        assert match.state.to_bytes() == saved.pop()
        match.undo()
    assert match.state.to_bytes() == saved.pop() == match.game.start().to_bytes()
    with pytest.raises(Refused) as refused:
        match.undo()
    assert code(refused) == "nothing_to_undo"


@pytest.mark.parametrize(
    ("plays", "seat", "reason"),
    [
        ([Play(0, 0)], 0, None),
        ([Play(0, 0)], None, None),
        ([Play(0, 0)], 1, "another_seat"),
        ([Play(0, 1)], 0, "reveal"),
        ([Play(0, 2), Play(1, 0)], 0, "another_seat"),
        ([Play(0, 2), Play(1, 0)], 1, None),
        ([Play(0, 3)], 0, "chance"),
    ],
)
def test_undo_never_crosses_a_reveal_chance_or_another_seat(
    plays: list[Play], seat: int | None, reason: str | None
) -> None:
    match = Match(Endless(), 1)
    for play in plays:
        before = match.state.to_bytes()
        match.submit(play)
        match.advance_chance()
    if reason is None:
        assert match.undo(seat).to_bytes() == before
        return
    now = match.state.to_bytes()
    with pytest.raises(Refused) as refused:
        match.undo(seat)
    assert code(refused) == reason and match.state.to_bytes() == now


def test_undo_of_a_sealed_answer_that_waits() -> None:
    match = Match(Bids(), 1)
    match.submit(Play(1, 0, (2,)))
    with pytest.raises(Refused) as refused:
        match.undo(0)
    assert code(refused) == "another_seat"
    match.undo(1)
    assert match.missing == (0, 1)
    match.submit(Play(1, 0, (1,)))
    match.submit(Play(0, 0, (1,)))
    with pytest.raises(Refused) as refused:
        match.undo()
    assert code(refused) == "another_seat"


def test_the_same_is_drawn_again_after_undo() -> None:
    """A seat cannot roll until it likes the result."""
    match = Match(Endless(), 5)
    match.submit(Play(0, 0))
    first = match.chosen(0, RandomAgent())
    match.undo()
    match.submit(Play(0, 0))
    assert match.chosen(0, RandomAgent()) == first


def test_a_match_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_module, "RECORD_EVENTS", 20)
    match = Match(Endless(), 1)
    with pytest.raises(Exhausted):
        match.play([RandomAgent(), RandomAgent()])
    assert len(match.events) == 20


def test_random_is_uniform_over_answers() -> None:
    match = Match(TicTacToe(), 1)
    situation = Situation(0, match.state.moves(0), lambda: match.state.information(0), lambda draw: match.state)
    stream = Stream(3)
    counts = [0] * 9
    for _ in range(9000):
        choice = RandomAgent().choose(situation, stream)
        assert isinstance(choice, Play)
        counts[choice.arguments[0]] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 26.1
