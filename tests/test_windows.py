"""Windows, the table and several pieces at once, as a match, a record, a tree and a resampler meet them. Spec 9.9."""

from itertools import islice, product
from pathlib import Path

import pytest
from playing_rules import closed

from rulelang.failures import Exhausted, Refused
from rulelang.play.agents import RandomAgent
from rulelang.play.engine import State, children
from rulelang.play.event import Answer, Pass, Play, Sealed, lapsed, windows
from rulelang.play.live import resume_live, start_live
from rulelang.play.match import Match
from rulelang.play.record import write_record
from rulelang.play.record_reading import read_record
from rulelang.play.replay import replay
from rulelang.play.resample import Resampler
from rulelang.play.tree import perft
from rulelang.play.words import move_text, read_move, speak
from rulelang.testing import Dice

PON = """
game "Pon":
  players: 3

values Card: 1..3
zone hand for each player: bag of Card, seen by owner
zone stock: pile of Card, seen by nobody, starts with each Card times 5
zone heap: pile of Card
zone meld for each player: bag of Card
marker caller: player or nobody

move discard(card in my hand): put card from my hand onto heap
move call(two in bags(2, my hand)):
  require fits: copies(top of heap, two) is 2 because "{two} do not go with {top of heap}"
  put two from my hand into my meld
  put top from heap into my meld

overview:
  shuffle stock
  each p in players: put top(4) from stock into p's hand
  turns of p from seat(1):
    p must discard
    others(p) may in_order call as taker because window: "may anybody use {top of heap}?"
    caller becomes taker
    if p's hand is empty: end game, (all q in players with most size of q's meld) wins
"""

OPEN = """
game "Open window":
  players: 4

marker calls for each player: 0..9
marker caller: player or nobody

move call(n in 1..2): my calls rises by n
move wait

overview:
  others(seat(2)) may in_order call as taker
  caller becomes taker
  table must wait
  if caller is nobody: end game, nobody wins
  end game, caller wins
"""


def opened() -> Match:
    """A match that waits at the window of seats 3, 4 and 1."""
    return Match(closed(OPEN, 4), 1)


def told(match: Match, seat: int, text: str) -> Answer:
    """An answer in words."""
    return read_move(match.game.program, seat, text)


# ------------------------------------------------------------------ closing


def test_nobody_waits_for_an_answer_that_could_not_count() -> None:
    match = opened()
    assert match.state.waiting.first_only and match.missing == (2, 3, 0)
    match.submit(told(match, 3, "call(1)"))
    assert match.missing == (2,), "seat 1 comes behind the taker, seat 3 before it"
    match.submit(told(match, 2, "pass"))
    assert match.events == (Sealed((Pass(2), Play(3, 0, (1,)), Pass(0))),)


def test_the_first_in_the_list_closes_a_window_alone() -> None:
    match = opened()
    match.submit(told(match, 2, "call(2)"))
    assert match.missing == (4,) and match.state.waiting.kind == "seat"


def test_a_lapsed_answer_is_nowhere() -> None:
    """The same events, states, logs and records, whether seat 1 would have called or not."""
    matches = []
    for last in ("pass", "call(1)", "call(2)"):
        match = opened()
        match.submit(told(match, 0, last))
        match.submit(told(match, 3, "call(2)"))
        match.submit(told(match, 2, "pass"))
        matches.append(match)
    for other in matches[1:]:
        assert other.events == matches[0].events and other.state.to_bytes() == matches[0].state.to_bytes()
        assert other.record == matches[0].record and other.state.event == matches[0].state.event
        for seat in (None, 0, 1, 2, 3):
            assert other.state.information(seat) == matches[0].state.information(seat)


def test_only_who_took_it_is_observed() -> None:
    match = opened()
    for seat, text in ((2, "pass"), (0, "pass"), (3, "call(1)")):
        match.submit(told(match, seat, text))
    assert [(each.seat, each.move, each.arguments) for each in match.log(None)] == [(3, 0, (1,))]


def test_a_raw_event_takes_its_one_form() -> None:
    """Also where somebody feeds events by hand: what lapsed is not remembered, but must be legal."""
    state = opened().state
    raw = Sealed((Play(2, 0, (1,)), Play(3, 0, (2,)), Pass(0)))
    assert state.step(raw).event == Sealed((Play(2, 0, (1,)), Pass(3), Pass(0)))
    match = opened()
    match.apply(raw)
    assert match.events == (Sealed(lapsed(raw.answers)),)
    with pytest.raises(Refused):
        state.step(Sealed((Play(2, 0, (1,)), Play(3, 0, (9,)), Pass(0))))


@pytest.mark.parametrize(
    "answers",
    [
        (Pass(2), Pass(3)),
        (Pass(2), Pass(3), Pass(0), Pass(1)),
        (Pass(3), Pass(2), Pass(0)),
        (Pass(2), Pass(2), Pass(2)),
        (Pass(2), Pass(3), Pass(1)),
        (Pass(2), Pass(3), Play(0, 1)),
        (Pass(2), Pass(3), Play(0, 7)),
        (Pass(2), Pass(3), Play(0, 0, (3,))),
        (Pass(2), Pass(3), Play(0, 0, ())),
        (),
    ],
)
def test_wrong_answers_of_a_window_are_refused(answers: tuple[Play | Pass, ...]) -> None:
    state = opened().state
    before = state.to_bytes()
    with pytest.raises(Refused):
        state.step(Sealed(answers))
    assert state.to_bytes() == before


def test_who_is_not_in_the_list_and_who_answers_twice_is_refused() -> None:
    match = opened()
    match.submit(told(match, 0, "pass"))
    for seat, text, code in (
        (1, "call(1)", "not_your_turn"),
        (4, "call(1)", "not_your_turn"),
        (0, "call(1)", "already_answered"),
    ):
        with pytest.raises(Refused) as refused:
            match.submit(told(match, seat, text))
        assert refused.value.reasons[0].code == code
    with pytest.raises(Refused) as refused:
        match.submit(Pass(5))
    assert refused.value.reasons[0].code == "no_such_seat"


# ------------------------------------------------------------------ taking back, records


def test_an_answer_is_taken_back_until_the_window_closes() -> None:
    match = opened()
    match.submit(told(match, 3, "call(1)"))
    with pytest.raises(Refused):
        match.undo(2)
    match.undo(3)
    assert match.missing == (2, 3, 0)
    for seat in (3, 2, 0):
        match.submit(told(match, seat, "pass"))
    with pytest.raises(Refused):
        match.undo(3)


def test_records_of_windows_and_tables_are_replayed(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    match, live = start_live(path, closed(OPEN, 4), 3)
    with live:
        match.submit(told(match, 0, "call(2)"))
        match.submit(told(match, 2, "call(1)"))
        assert '"pass": 1' in path.read_text(encoding="utf-8"), "seat 1 has lapsed"
        match.submit(told(match, 4, "wait"))
    resumed, again = resume_live(path, match.game)
    again.__exit__(None, None, None)
    assert resumed.state.to_bytes() == match.state.to_bytes() and resumed.outcome == match.outcome
    write_record(tmp_path / "whole.jsonl", match.game.program, match.record)
    assert read_record(tmp_path / "whole.jsonl", match.game.program) == match.record


def test_the_table_of_sixteen_seats_can_be_recorded(tmp_path: Path) -> None:
    game = closed(OPEN.replace("players: 4", "players: 16").replace("others(seat(2))", "players + [table]"), 16)
    match = Match(game, 1)
    for seat in (16, *range(16)):
        match.submit(told(match, seat, "pass"))
    match.submit(told(match, 16, "wait"))
    write_record(tmp_path / "r.jsonl", game.program, match.record)
    assert replay(game, read_record(tmp_path / "r.jsonl", game.program)).state.to_bytes() == match.state.to_bytes()


# ------------------------------------------------------------------ trees


def test_children_are_the_forms_that_differ() -> None:
    state = opened().state
    assert list(children(state)) == [
        *(Sealed((Play(2, 0, (n,)), Pass(3), Pass(0))) for n in (1, 2)),
        *(Sealed((Pass(2), Play(3, 0, (n,)), Pass(0))) for n in (1, 2)),
        *(Sealed((Pass(2), Pass(3), Play(0, 0, (n,)))) for n in (1, 2)),
        Sealed((Pass(2), Pass(3), Pass(0))),
    ]


@pytest.mark.parametrize("passing", list(product((True, False), repeat=3)))
def test_forms_are_those_of_all_joint_answers(passing: tuple[bool, ...]) -> None:
    listed = [
        [*(Play(seat, 0, (n,)) for n in range(seat + 1)), *[Pass(seat)] * may] for seat, may in enumerate(passing)
    ]
    joint = product(*listed)
    assert list(windows(listed)) == [each for each in joint if lapsed(each) == each]


def test_random_play_in_a_window_has_probabilities_that_add_up() -> None:
    found = perft(opened().game, 4)
    assert found["full_tree"] and found["histories_by_depth"] == [1, 7, 7]
    exact = [each["exact"] for each in found["expected_returns_uniform_random_play"]]
    # seat 3 takes it in 2 of 3 cases, seat 4 in 2 of 9, seat 1 in 2 of 27; a winner gets 3, the others lose 1
    assert exact == ["-2/3", "-26/27", "46/27", "-2/27"]


def test_a_window_with_many_answers_is_listed_one_after_the_other() -> None:
    """Each seat has 2 000 answers: the joint ones are never all gone through."""
    game = closed(OPEN.replace("n in 1..2", "n in 1..2000").replace("0..9", "0..2000"), 4)
    state = game.start()
    assert len(list(islice(children(state), 10_000))) == 6_001


# ------------------------------------------------------------------ hidden hands


def waiting_windows(seed: int) -> list[State]:
    """Every state of a random game that waits at the window."""
    match, found = Match(closed(PON, 3), seed), []
    agents = [RandomAgent()] * 3
    while match.advance_chance().waiting.kind != "over":
        state = match.state
        if state.waiting.first_only:
            found.append(state)
        while match.state is state:
            match.submit(match.chosen(match.missing[0], agents[0]))
    return found


def test_everybody_is_asked_whatever_they_hold() -> None:
    asked = [
        (state.waiting.seats, [len(state.moves(seat)) for seat in state.waiting.seats]) for state in waiting_windows(1)
    ]
    assert any(1 in answers for _, answers in asked) and any(max(answers) > 1 for _, answers in asked)
    assert all(len(seats) == 2 for seats, _ in asked)


def test_a_seat_cannot_tell_whether_an_answer_lapsed() -> None:
    """Pairs of states that differ in what the later seat would have said, or could: all that others get is the same."""
    pairs = 0
    for state in (state for seed in range(16) for state in waiting_windows(seed)):
        first, second = state.waiting.seats
        takes = [answer for answer in state.moves(first) if isinstance(answer, Play)]
        for take in takes[:2]:
            after = {state.step(Sealed((take, answer))).to_bytes() for answer in state.moves(second)}
            assert len(after) == 1
            pairs += len(state.moves(second)) > 1
    assert pairs > 3


def test_hands_dealt_anew_keep_a_window_as_it_is() -> None:
    """R8: another deal that fits gives the seat the same wait, answers and log, before the window and after it."""
    differing = 0
    for seed in range(3):
        for state in waiting_windows(seed):
            first, second = state.waiting.seats
            passed = state.step(Sealed((Pass(first), Pass(second))))
            for place, position in enumerate((state, passed)):
                for seat in range(3):
                    other = Resampler(position, seat).draw(Dice.seeded(seed, place))
                    assert other.information(seat) == position.information(seat)
                    assert list(other.moves(seat)) == list(position.moves(seat))
                    differing += other.to_bytes() != position.to_bytes()
    assert differing > 20


def test_what_a_seat_took_is_dealt_anew_with_it() -> None:
    for state in (state for seed in range(4) for state in waiting_windows(seed)):
        first, second = state.waiting.seats
        take = next((answer for answer in state.moves(first) if isinstance(answer, Play)), None)
        if take is not None:
            taken = state.step(Sealed((take, state.moves(second)[0])))
            for seat in (first, second):
                other = Resampler(taken, seat).draw(Dice.seeded(5))
                assert other.observed(seat)[-1].seat == first
            return
    raise AssertionError("nobody could take anything")


# ------------------------------------------------------------------ the table


def test_the_table_is_no_player() -> None:
    match = opened()
    for seat in (2, 3, 0):
        match.submit(told(match, seat, "pass"))
    state = match.state
    assert (
        state.waiting.seats == (4,)
        and speak(match.game.program, match.game.program.slots[0].index[0], 4) == "the table"
    )
    assert [move_text(match.game.program, answer) for answer in state.moves(4)] == ["wait"]
    assert state.view(4).seen == state.view(None).seen
    for seat in (0, 1, 2, 3):
        with pytest.raises(Refused):
            match.submit(told(match, seat, "wait"))
    assert match.play([None] * 4) is not None, "nobody need be found who plays the table"
    assert match.outcome is not None and len(match.outcome.places) == 4


def test_what_the_table_does_is_taken_back_by_nobody_else() -> None:
    match = Match(closed(OPEN.replace("  table must wait\n", "  repeat 2 times: table must wait\n"), 4), 1)
    for seat in (2, 3, 0):
        match.submit(told(match, seat, "pass"))
    match.submit(told(match, 4, "wait"))
    with pytest.raises(Refused):
        match.undo(0)
    match.undo()
    assert match.state.waiting.seats == (4,)


def test_a_hand_of_the_table_is_no_place() -> None:
    rules = PON.replace("    p must discard\n", "    ask(table)\n") + "rule ask(q: player):\n  q must discard\n"
    match = Match(closed(rules, 3), 1)
    match.advance_chance()
    before = match.state.to_bytes()
    with pytest.raises(Exhausted):
        match.submit(Play(3, 0, (1,)))
    with pytest.raises(Exhausted):
        match.state.moves(3)
    assert match.state.to_bytes() == before


# ------------------------------------------------------------------ several pieces at once


def test_numbers_of_answers_with_several_pieces() -> None:
    match = Match(closed(PON, 3), 1)
    game = match.game
    ranks = [game.answer(0, 3 + rank) for rank in range(6)]
    said = [move_text(game.program, answer) for answer in ranks]
    assert said == [f"call([{a}, {b}])" for a, b in ((1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3))]
    assert [game.number(answer) for answer in ranks] == list(range(3, 9))
    assert [game.number(told(match, 0, text)) for text in ("call([3,2])", "call([2 of 1])", "CALL( [ 2 , 1 ] )")] == [
        7,
        3,
        4,
    ]


@pytest.mark.parametrize(
    "text", ["[1]", "[1, 1, 1]", "[]", "1, 2", "[1, 4]", "[0 of 1, 1, 1]", "[9999 of 1]", "[[1], 2]", "[1 2]", "nobody"]
)
def test_what_is_no_bag_of_two_is_refused(text: str) -> None:
    match = Match(closed(PON, 3), 1)
    if text == "[0 of 1, 1, 1]":
        assert told(match, 0, f"call({text})") == told(match, 0, "call([1, 1])")
        return
    with pytest.raises(Refused):
        told(match, 0, f"call({text})")


@pytest.mark.parametrize("rank", [-1, 6, 2**63 - 1, -(2**63)])
def test_a_rank_that_is_none_is_refused(rank: int) -> None:
    state = waiting_windows(1)[0]
    (reason, *_) = state.refusals(Play(state.waiting.seats[0], 1, (rank,)))
    assert reason.code == "no_such_value"
