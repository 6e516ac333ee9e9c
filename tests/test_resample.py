"""Dealing anew: never against what was seen, exactly as likely as it should be, and told apart from cheating. R8."""

from collections import Counter
from fractions import Fraction

import pytest
from fake_games import Bids, Deal, FakeState, Fiddle, Kuhn, Leaky
from playing_rules import closed

from rulelang import limits
from rulelang.failures import Broken, Exhausted, Refused
from rulelang.pipeline import load
from rulelang.play import resample as resample_module
from rulelang.play.agents import RandomAgent
from rulelang.play.chance import Stream
from rulelang.play.event import Outcome, Play
from rulelang.play.match import Match
from rulelang.play.resample import Resampler, _Dealing, resample, weighted
from rulelang.testing import Dice


def chi_square(counts: Counter[object], expected: dict[object, Fraction], total: int) -> float:
    assert set(counts) <= set(expected)
    return float(sum((counts[key] - total * p) ** 2 / (total * p) for key, p in expected.items()))


def dealt(game: Deal, *cards: int) -> Match:
    match = Match(game, 1)
    for card in cards:
        match.force(card)
    return match


def hands(match: Match, seat: int, count: int, seed: int = 1) -> Counter[object]:
    resampler, stream = Resampler(match.state, seat), Stream(seed)
    game = match.game
    assert isinstance(game, Deal)
    found: Counter[object] = Counter()
    for _ in range(count):
        state = resampler.draw(stream)
        assert isinstance(state, FakeState)
        found[game.hand(state.position, 1 - seat)] += 1
    return found


def test_an_unseen_hand_is_uniform() -> None:
    """Seat 1 holds 0 and 1 of six cards: each of the six pairs of the rest is equally likely for seat 2."""
    match = dealt(Deal((1,) * 6, 2, plays=False), 0, 4, 1, 5)
    counts = hands(match, 0, 1200)
    pairs = {(a, b): Fraction(1, 6) for a in range(2, 6) for b in range(a + 1, 6)}
    assert chi_square(counts, pairs, 1200) < 20.5  # 5 degrees, 0.1 %


def test_copies_weigh_what_they_should() -> None:
    """Seat 1 holds two 2s of (0 0 1 2 2 2), seat 2 has shown a 0: its other card is 0, 1 or 2 as 1 : 2 : 2."""
    match = dealt(Deal((2, 1, 3), 2), 2, 0, 2, 2)
    match.submit(Play(1, 0, (0,)))
    counts = hands(match, 0, 1200)
    expected = {(0,): Fraction(1, 5), (1,): Fraction(2, 5), (2,): Fraction(2, 5)}
    assert chi_square(counts, expected, 1200) < 13.8  # 2 degrees, 0.1 %


def test_the_shuffled_way_is_as_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resample_module, "TRIES", 0)
    match = dealt(Deal((2, 1, 3), 2), 2, 0, 2, 2)
    match.submit(Play(1, 0, (0,)))
    counts = hands(match, 0, 300)
    expected = {(0,): Fraction(1, 5), (1,): Fraction(2, 5), (2,): Fraction(2, 5)}
    assert chi_square(counts, expected, 300) < 13.8


def test_large_hands_are_dealt_anew() -> None:
    """Eight of 24 cards each: forward drawing dies of our own cards, so the cards are shuffled."""
    match = Match(Deal((1,) * 24, 8, plays=False), 4)
    match.advance_chance()
    resampler = Resampler(match.state, 0)
    real = set(match.game.hand(match.state.position, 1))  # type: ignore[attr-defined]
    stream = Stream(1)
    same = []
    for _ in range(12):
        state = resampler.draw(stream)
        assert state.information(0) == match.state.information(0)
        same.append(len(real & set(match.game.hand(state.position, 1))))  # type: ignore[attr-defined]
    assert sum(same) / len(same) < 5.2  # 4 by chance, 8 for a copy


def test_only_the_trace_counts() -> None:
    """Two deals that seat 1 cannot tell apart give it the same for the same draws: nothing hidden shines through."""
    first = dealt(Deal((1,) * 6, 2, plays=False), 0, 4, 1, 5)
    second = dealt(Deal((1,) * 6, 2, plays=False), 0, 2, 1, 3)
    assert first.state.position != second.state.position  # type: ignore[attr-defined]
    for seed in range(20):
        one, two = (resample(match.state, 0, Stream(seed)) for match in (first, second))
        assert one.to_bytes() == two.to_bytes()


def test_sealed_bids_are_dealt_anew() -> None:
    """Seat 2 bid less than our 2: it passed, or bid 0 or 1; a pass was observed, so it is none."""
    match = Match(Bids(), 1)
    match.submit(Play(0, 0, (2,)))
    match.submit(Play(1, 0, (0,)))
    stream, resampler = Stream(2), Resampler(match.state, 0)
    counts: Counter[object] = Counter(resampler.draw(stream).position for _ in range(1000))  # type: ignore[attr-defined]
    assert chi_square(counts, {((2, 0),): Fraction(1, 2), ((2, 1),): Fraction(1, 2)}, 1000) < 10.8
    assert resample(match.state, 1, stream).information(1) == match.state.information(1)


@pytest.mark.parametrize("make", [Kuhn, Bids, lambda: Deal((2, 2, 1), 2)])
def test_every_state_of_a_game_can_be_dealt_anew_for_every_seat(make: type[Kuhn]) -> None:
    for seed in range(12):
        match = Match(make(), seed)
        match.play([RandomAgent()] * 2)
        state: FakeState | None = match.state  # type: ignore[assignment]
        while state is not None:
            for seat in (0, 1):
                other = resample(state, seat, Stream(seed))
                assert other.information(seat) == state.information(seat)
                assert other.moves(seat) == state.moves(seat)
            state = state.previous


def test_the_shuffled_way_fits_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resample_module, "TRIES", 0)
    for make in (Kuhn, Bids, lambda: Deal((2, 2, 1), 2)):
        for seed in range(6):
            match = Match(make(), seed)
            match.play([RandomAgent()] * 2)
            state = match.state.previous
            assert state is not None
            for seat in (0, 1):
                try:
                    other = resample(state, seat, Stream(seed))
                except Refused as refused:
                    assert refused.reasons[0].code == "cannot_resample"
                    continue
                assert other.information(seat) == state.information(seat)


def test_nothing_hidden_gives_the_same_state(monkeypatch: pytest.MonkeyPatch) -> None:
    state = Deal((1,) * 4, 2).start()
    assert resample(state, 0, Stream(1)).to_bytes() == state.to_bytes()
    monkeypatch.setattr(resample_module, "TRIES", 0)
    assert resample(state, 0, Stream(1)).to_bytes() == state.to_bytes()


def test_without_history_there_is_none() -> None:
    match = dealt(Deal((1,) * 4, 2), 0, 1)
    loaded = match.game.from_bytes(match.state.to_bytes())
    with pytest.raises(Refused) as refused:
        resample(loaded, 0, Stream(1))
    assert refused.value.reasons[0].code == "no_history"


def test_a_copying_resample_is_caught() -> None:
    """What the uniformity test above would say of a resample that hands out the real state."""
    match = dealt(Deal((1,) * 6, 2, plays=False), 0, 4, 1, 5)
    copied: Counter[object] = Counter(match.game.hand(match.state.position, 1) for _ in range(3000))  # type: ignore[attr-defined]
    pairs = {(a, b): Fraction(1, 6) for a in range(2, 6) for b in range(a + 1, 6)}
    assert chi_square(copied, pairs, 3000) > 1000


def test_a_resample_that_contradicts_the_view_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    match = dealt(Deal((1,) * 6, 2, plays=False), 0, 4, 1, 5)
    wrong = dealt(Deal((1,) * 6, 2, plays=False), 2, 4, 1, 5).state
    monkeypatch.setattr(_Dealing, "_forward", lambda self, draw: wrong)
    with pytest.raises(Broken):
        resample(match.state, 0, Stream(1))


def test_weighted_draws_follow_their_weights() -> None:
    stream = Stream(9)
    weights = [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]
    counts: Counter[object] = Counter(weighted(stream, weights) for _ in range(6000))
    assert chi_square(counts, dict(enumerate(weights)), 6000) < 13.8
    assert Outcome(1).value == 1


def test_how_often_somebody_acted_unseen_stays_unseen() -> None:
    """Seat 2 fiddled once; seat 1 cannot know, so it may have been any number of times."""
    match = Match(Fiddle(3), 1)
    match.submit(Play(1, 0))
    match.submit(Play(1, 1))
    resampler, stream = Resampler(match.state, 0), Stream(1)
    counts = Counter(resampler.draw(stream).position[0] for _ in range(300))  # type: ignore[attr-defined]
    assert set(counts) == {0, 1, 2, 3}
    assert resample(match.state, 1, stream).to_bytes() == match.state.to_bytes()


def test_lines_without_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(Fiddle(10**6), 1)
    match.submit(Play(1, 0))
    match.submit(Play(1, 1))
    stream = Stream(0)
    monkeypatch.setattr(resample_module, "RECORD_EVENTS", 2)
    for _ in range(10):
        assert resample(match.state, 0, stream).information(0) == match.state.information(0)


def test_an_own_answer_that_is_not_possible_in_a_line_ends_it() -> None:
    match = dealt(Leaky((1,) * 6, 2, plays=False), 2, 0, 3, 4)
    match.submit(Play(0, 1))
    for seed in range(5):
        assert 0 in match.game.hand(resample(match.state, 0, Stream(seed)).position, 1)  # type: ignore[attr-defined]


def test_a_line_that_cannot_be_changed_is_not_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resample_module, "TRIES", 0)
    match = dealt(Deal((1, 1), 1, plays=False), 0, 1)
    with pytest.raises(Refused) as refused:
        resample(match.state, 0, Stream(1))
    assert refused.value.reasons[0].code == "cannot_resample"


def test_a_forward_way_that_stops_leads_to_the_shuffled_one(monkeypatch: pytest.MonkeyPatch) -> None:
    match = dealt(Deal((1,) * 6, 2, plays=False), 0, 4, 1, 5)
    monkeypatch.setattr(resample_module, "ACCEPTANCES", 0)
    assert resample(match.state, 0, Stream(1)).information(0) == match.state.information(0)
    monkeypatch.undo()
    resampler = Resampler(match.state, 0)
    resampler.draw(Stream(1))
    monkeypatch.setattr(_Dealing, "_line", lambda self, draw: None)
    assert resampler.draw(Stream(2)).information(0) == match.state.information(0)


def test_dead_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resample_module, "DEAD_WORK", 10)
    match = Match(Deal((1,) * 20, 8, plays=False), 4)
    match.advance_chance()
    assert resample(match.state, 0, Stream(1)).information(0) == match.state.information(0)


HANDS = """
game "Hands":
  players: 2

values Card: 1..4
zone deck: pile of Card, seen by nobody, starts with each Card times 2
zone hand for each player: bag of Card, seen by owner
zone shown: pile of Card

move play(card in my hand): put card from my hand onto shown

overview:
  shuffle deck
  each p in players: put top(3) from deck into p's hand
  seat(2) must play
  seat(1) must play
  end game, nobody wins
"""


def test_answers_that_are_too_many_to_list_are_taken_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand is dealt anew if its owner's answer stays; nobody else's answers can be tried then."""
    match = Match(closed(HANDS, 2), 3)
    match.advance_chance()
    match.submit(match.state.moves(1)[0])
    before = match.state.information(0)
    monkeypatch.setattr(limits, "LISTED_MOVES", 1)
    with pytest.raises(Exhausted, match="RL8015"):
        match.state.moves(0)
    resampler, stream = Resampler(match.state, 0), Stream(5)
    found = [resampler.draw(stream) for _ in range(30)]
    assert all(state.information(0) == before for state in found)
    assert {state.event for state in found} == {match.state.event}
    assert len({state.to_bytes() for state in found}) > 3


def test_who_only_watches_is_dealt_anew_too() -> None:
    """A spectator is told no answers, so that none have to be the same."""
    state = load("kuhn-poker").configure().game.start()
    while state.waiting.kind == "chance":
        state = state.step(Outcome(state.chance()[0][0]))
    found = {Resampler(state, None).draw(Dice.seeded(3, number)).to_bytes() for number in range(40)}
    assert len(found) > 2
    for number in range(10):
        other = Resampler(state, None).draw(Dice.seeded(3, number))
        assert other.view(None) == state.view(None) and other.observed(None) == state.observed(None)
