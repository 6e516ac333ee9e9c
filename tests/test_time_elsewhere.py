"""Time, open play and spoken answers where they are passed on: comparing, dealing anew, mutants, native programs."""

from typing import Any

import attrs
import pytest
from hand_programs import SEAT, c
from test_spoken import talking
from test_time import tapped
from timed_programs import CALL, DRAW, HIDE, HINT, LAY, VOTE, party, tapping

from rulelang.failures import Refused
from rulelang.ir import expressions as ir
from rulelang.ir import nodes as n
from rulelang.play.agents import RandomAgent
from rulelang.play.alike import Pair, attempt_text
from rulelang.play.attempting import any_of_move
from rulelang.play.chance import Stream
from rulelang.play.comparing import Compared, Looked, drawn_event, drawn_time, glance, said
from rulelang.play.differing import compare
from rulelang.play.engine import children
from rulelang.play.event import Event, Expiry, Outcome, Play, Reading
from rulelang.play.formulas import Context
from rulelang.play.kinds import Layout
from rulelang.play.match import Match
from rulelang.play.quiet import is_quiet
from rulelang.play.reaching import Wanted, ways
from rulelang.play.resample import Resampler
from rulelang.play.resample_chain import Chain
from rulelang.rulebook.mutants import _node
from rulelang_native import engine as native
from rulelang_reference import engine


def party_at(*events: Event, seats: int = 2) -> Any:
    state = engine.configure(party(), seats, {}).start()
    for event in events:
        state = state.step(event)
    return state


# ------------------------------------------------------------------ two interpreters


@pytest.mark.parametrize(
    "program", [party(), tapping(), party(forced_choices=True)], ids=["party", "tapping", "forced"]
)
def test_an_interpreter_is_like_itself(program: Any) -> None:
    counts = Compared()
    assert compare(engine, engine, program, 2, {}, 5, 400, counts=counts) is None
    assert counts.moves >= 400 and counts.saved > 20


def looked(state: Any) -> Looked:
    found = glance(Pair(state, state), Compared())
    assert found is not None
    return found


def drawn(state: Any, times: int = 200) -> set[type[Event]]:
    seen = looked(state)
    events = [drawn_event(Pair(state, state), seen, Stream(key), key) for key in range(times)]
    for event in events:
        if event is not None:
            state.step(event)
    return {type(event) for event in events}


def test_events_are_drawn_that_can_come() -> None:
    assert drawn(party_at()) == {Play, Reading, Expiry}
    assert drawn(party_at(Play(0, DRAW))) == {Outcome, Reading, Expiry}
    assert drawn(party_at(Play(0, CALL), Expiry(1))) == {Play, Reading, Expiry}
    over = party_at(Expiry(0))
    assert drawn(over, 5) == {type(None)}


def test_due_timers_come_first_and_without_a_timer_only_readings() -> None:
    late = party_at(Reading(35_000), Play(0, CALL), Expiry(0))
    assert {type(drawn_time(looked(late), Stream(key))) for key in range(20)} == {Expiry}
    ready = engine.configure(tapping(), 2, {}).start()
    assert {type(drawn_time(looked(ready), Stream(key))) for key in range(20)} == {Reading}


def test_where_only_words_are_possible_something_is_said() -> None:
    one = talking(n.OneSeat(c(0), False, False)).start()
    assert drawn(one) == {Play}
    assert said(party_at(), 0, Stream(1))[0].move == HINT  # type: ignore[union-attr]
    assert said(tapped(), 0, Stream(1)) == ()
    deaf = attrs.evolve(party().moves[HINT].parameters[0], domain=c(()))
    moves = tuple(attrs.evolve(m, parameters=(deaf,)) if m == party().moves[HINT] else m for m in party().moves)
    nobody = engine.configure(attrs.evolve(party(), moves=moves), 2, {}).start()
    assert said(nobody, 0, Stream(1)) == ()
    assert any_of_move(nobody.game.program, 1, VOTE, Stream(2)).seat == 1


def test_a_game_where_nobody_can_do_anything_is_stuck_in_comparisons() -> None:
    stuck = engine.configure(tapping(), 2, {}).start()
    empty = attrs.evolve(looked(stuck), listed={0: ()})
    events = {type(drawn_event(Pair(stuck, stuck), empty, Stream(key), key)) for key in range(30)}
    assert events == {Reading, type(None)}


def test_times_in_words() -> None:
    assert attempt_text((), Reading(7)) == "reading 7" and attempt_text((), Expiry(1)) == "expiry of timer 1"


def test_all_answers_of_all_seats_are_children_of_open_play() -> None:
    assert list(children(party_at())) == [Play(seat, move) for seat in (0, 1) for move in (DRAW, CALL)]


# ------------------------------------------------------------------ dealing anew


def test_time_goes_on_in_a_new_deal_where_it_went_on() -> None:
    match = Match(engine.configure(party(), 2, {}), 3)
    match.play([RandomAgent()] * 2)
    real = match.state
    times = [event for event in match.events if isinstance(event, Reading | Expiry)]
    for seat in (0, 1):
        resampler = Resampler(real, seat)
        for key in range(3):
            found = resampler.draw(Stream(key))
            assert found.information(seat) == real.information(seat)
            assert [each for each in path(found) if isinstance(each, Reading | Expiry)] == times


def path(state: Any) -> list[Event]:
    events: list[Event] = []
    while state.previous is not None:
        events.append(state.event)
        state = state.previous
    return events[::-1]


def test_a_reading_that_shows_nothing_is_not_left_out() -> None:
    real = party_at(Play(0, DRAW), Outcome(3), Reading(0), Reading(0), Play(1, CALL))
    found = Resampler(real, 1).draw(Stream(4))
    seen = [event for event in path(found) if not (isinstance(event, Play) and event.move == HIDE)]
    assert [type(event) for event in seen] == [Play, Outcome, Reading, Reading, Play]


def test_what_another_said_is_heard() -> None:
    real = party_at(Play(0, DRAW), Outcome(3), Play(0, HINT, (4,)), Play(1, HINT, (1,)), Reading(9))
    for seat in (0, 1):
        found = Resampler(real, seat).draw(Stream(5))
        assert [event for event in path(found) if isinstance(event, Play) and event.move == HINT] == [
            Play(0, HINT, (4,)),
            Play(1, HINT, (1,)),
        ]


def test_a_line_that_is_changed_keeps_its_times_and_words() -> None:
    events = [Play(0, DRAW), Outcome(3), Reading(5), Play(0, HIDE, (3,)), Play(0, HINT, (4,)), Expiry(0)]
    state = party_at(*events)
    states = [state]
    while states[0].previous is not None:
        states.insert(0, states[0].previous)
    chain = Chain(states, 1)
    assert chain.changeable == [1, 2, 4, 5]
    found = chain.draw(Stream(8))
    assert found is not None and [type(e) for e in path(found)] == [type(e) for e in events]
    said_alone = talking(n.SealedSeats(ir.AllOf(SEAT), False)).start()
    from rulelang.play.event import Sealed

    spoken = said_alone.step(Sealed((Play(0, 0, (1,)), Play(1, 0, (2,)))))
    again = Chain([said_alone, spoken], 1).draw(Stream(1))  # nothing else is listed
    assert again is not None and path(again) == path(spoken)


# ------------------------------------------------------------------ programs


def test_mutants_of_open_play_are_never_passed() -> None:
    closed = engine.configure(tapping(), 2, {}).program
    said_ = {
        node.moves: [mutant.said for mutant in _node(closed, number, node)]
        for number, node in enumerate(closed.nodes)
        if isinstance(node, n.Decide)
    }
    assert said_ == {(1,): ["nobody is asked", "may pass"], (0,): ["nobody is asked", "without words"]}


def test_play_is_reached_behind_whoever_acted() -> None:
    closed = engine.configure(party(), 2, {}).program
    context = Context(closed, Layout.of(closed), party_at().cells, [])
    found = next(iter(ways(closed, context, Wanted(move=DRAW), lambda known: known.get("x0") == 1)))
    assert found.known["x0"] == 1 and found.frames[0].locals[0] == 1


def test_open_play_is_never_skipped() -> None:
    closed = engine.configure(party(forced_choices=True), 2, {}).program
    start = party_at().waiting.node
    assert not is_quiet(closed, start, (LAY,), start)
    assert is_quiet(closed, start, (HINT,), start)


def test_the_native_interpreter_knows_no_time() -> None:
    from programs import tic_tac_toe

    state = native.configure(tic_tac_toe(), 2, {}).start()
    assert (state.now, state.deadline) == (0, None)
    for event in (Reading(0), Expiry(0)):
        with pytest.raises(Refused) as refused:
            state.step(event)
        reference = engine.configure(tic_tac_toe(), 2, {}).start()
        with pytest.raises(Refused) as wanted:
            reference.step(event)
        assert refused.value.reasons == wanted.value.reasons
