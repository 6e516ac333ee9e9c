"""Clock, timers, open play and votes on the reference interpreter. Spec 11.1 to 11.3 and 12.3."""

from typing import Any

import attrs
import pytest
from hand_programs import AT, SEAT, Graph, c, marker, move, numbers, program, read, require, slot, v, words
from timed_programs import (
    CALL,
    CLOCK,
    DRAW,
    END,
    HIDE,
    LONG_END,
    NEVER,
    SHORT_END,
    TAPS,
    TIME,
    VOTE,
    party,
    start,
    tapping,
    timer_slots,
)

from rulelang.failures import Exhausted, Refused
from rulelang.ir import effects as fx
from rulelang.ir import expressions as ir
from rulelang.ir import nodes as n
from rulelang.ir import program as pg
from rulelang.ir.cost import Costs, event_bound
from rulelang.ir.verify import verify
from rulelang.limits import LAST_TIME
from rulelang.play.agents import RandomAgent
from rulelang.play.event import Event, Expiry, Outcome, Pass, Play, Reading, Sealed
from rulelang.play.match import Match
from rulelang_reference import engine

TAP, READY = 0, 1


def at(state: Any, slot_number: int) -> Any:
    """What the only member of a marker says."""
    return state.cells[state.game.layout.families[slot_number].base]


def after(state: Any, *events: Event) -> Any:
    """The state after events, each of which is saved, loaded and laid out again."""
    for event in events:
        state = state.step(event)
        again = state.game.from_bytes(state.to_bytes())
        laid = state.game.position(state.position())
        for other in (again, laid):
            assert (other.waiting, other.now, other.deadline, other.to_bytes()) == (
                state.waiting,
                state.now,
                state.deadline,
                state.to_bytes(),
            )
    return state


def tapped(seats: int = 2, **rest: Any) -> Any:
    """Seat 1 may tap now."""
    return after(engine.configure(tapping(**rest), seats, {}).start(), Play(0, READY))


def codes(state: Any, event: Event) -> list[str]:
    """Why an event is refused."""
    before = state.to_bytes()
    with pytest.raises(Refused) as refused:
        state.step(event)
    assert state.to_bytes() == before
    return [reason.code for reason in refused.value.reasons]


# ------------------------------------------------------------------ readings and expiries


def test_a_reading_sets_the_clock_and_nothing_else() -> None:
    state = tapped()
    assert (state.now, state.deadline) == (0, (0, 30_000))
    later = after(state, Reading(41), Reading(41))
    assert (later.now, later.deadline, later.waiting) == (41, (0, 30_000), state.waiting)
    assert later.event == Reading(41) and at(later, CLOCK) == 41


def test_readings_that_cannot_be() -> None:
    state = after(tapped(), Reading(100))
    assert codes(state, Reading(99)) == ["time_goes_back"]
    assert codes(state, Reading(-1)) == ["time_goes_back"]
    assert codes(state, Reading(30_000)) == ["timer_runs_out"]
    after(state, Reading(29_999))
    ready = engine.configure(tapping(), 2, {}).start()
    assert codes(ready, Reading(LAST_TIME + 1)) == ["no_such_time"]
    assert after(ready, Reading(LAST_TIME)).now == LAST_TIME


def test_a_timer_that_would_run_out_after_the_last_moment_never_does() -> None:
    ready = engine.configure(tapping(), 2, {}).start()
    late = after(ready, Reading(LAST_TIME - 30_000), Play(0, READY))
    assert late.deadline == (0, LAST_TIME) and after(late, Expiry(0)).now == LAST_TIME
    too_late = after(ready, Reading(LAST_TIME - 29_999), Play(0, READY))
    assert too_late.deadline is None and at(too_late, END) == LAST_TIME + 1
    assert after(too_late, Reading(LAST_TIME), Play(0, TAP)).now == LAST_TIME
    assert codes(too_late, Expiry(0)) == ["no_such_time"]


def test_an_expiry_empties_the_timer_and_open_play_asks_again() -> None:
    state = after(tapped(), Play(0, TAP), Expiry(0))
    assert (state.now, state.deadline) == (30_000, None)
    assert state.waiting.kind == "seat" and state.waiting.seats == (1,) and state.waiting.moves == (READY,)
    assert codes(state, Play(0, TAP)) == ["not_your_turn"]
    state = after(state, Play(1, READY))
    assert state.deadline == (0, 60_000)
    over = after(state, Expiry(0))
    assert over.waiting.kind == "over" and over.deadline is None and over.now == 60_000
    assert over.outcome is not None and over.outcome.winners == (0,)
    assert codes(over, Reading(70_000)) == codes(over, Expiry(0)) == ["game_over"]


def test_expiries_that_cannot_be() -> None:
    ready = engine.configure(tapping(), 2, {}).start()
    for timer in (-1, 0, 1):
        assert codes(ready, Expiry(timer)) == ["wrong_event"]
    with pytest.raises(Refused, match="not for 'glass', which does not run"):
        ready.step(Expiry(0))
    with pytest.raises(Refused, match="not for a timer"):
        ready.step(Expiry(1))


def test_a_game_without_a_clock_has_no_time() -> None:
    graph = Graph()
    graph.decide(n.OneSeat(c(0), True, True), [0])
    graph.end(n.Aborted())
    graph.procedure("overview", 0, 1, 0)
    entry = graph.here
    graph.ret()
    graph.procedure("go", 1, 1, entry)
    state = engine.configure(program(graph, [], [move("go", 1)]), 2, {}).start()
    assert (state.now, state.deadline) == (0, None)
    assert codes(state, Reading(0)) == codes(state, Expiry(0)) == ["wrong_event"]


def test_of_two_timers_the_first_to_end_runs_out_and_of_equal_ends_the_first_declared() -> None:
    state = after(engine.configure(party(), 2, {}).start(), Reading(1_000), Play(0, CALL))
    assert state.deadline == (1, 6_000) and (at(state, LONG_END), at(state, SHORT_END)) == (40_000, 6_000)
    assert codes(state, Expiry(0)) == codes(state, Reading(6_000)) == ["timer_runs_out"]
    late = after(engine.configure(party(), 2, {}).start(), Reading(35_000), Play(0, CALL))
    assert late.deadline == (0, 40_000) and codes(late, Expiry(1)) == ["timer_runs_out"]
    both = after(late, Expiry(0))
    assert both.deadline == (1, 40_000) and codes(both, Reading(40_000)) == ["timer_runs_out"]
    assert after(both, Expiry(1)).deadline is None


# ------------------------------------------------------------------ open play and votes


def test_in_open_play_any_of_the_asked_acts_and_nobody_passes() -> None:
    state = engine.configure(party(), 3, {}).start()
    assert state.waiting.kind == "anyone" and state.waiting.seats == (0, 1, 2) and not state.waiting.may_pass
    assert codes(state, Pass(0)) == ["not_offered"]
    assert codes(state, Sealed((Play(0, CALL),))) == ["wrong_event"]
    assert codes(state, Play(0, VOTE, (1,))) == ["not_offered"]
    assert codes(state, Outcome(1)) == ["wrong_event"]
    assert state.moves(2) == (Play(2, DRAW), Play(2, CALL))
    state = after(state, Play(2, DRAW))
    assert state.waiting.kind == "chance"
    state = after(state, Outcome(4), Play(0, CALL))
    assert state.observed(1)[-1].seat == 0


def test_a_vote_asks_each_once_and_suspends_open_play() -> None:
    state = after(engine.configure(party(), 3, {}).start(), Play(1, CALL), Play(2, VOTE, (1,)))
    assert state.waiting.kind == "anyone" and state.waiting.seats == (0, 1)
    assert codes(state, Play(2, VOTE, (1,))) == ["not_your_turn"]
    assert codes(state, Play(0, DRAW)) == ["not_offered"]
    state = after(state, Expiry(1))
    assert state.waiting.seats == (0, 1) and state.now == 5_000  # an expiry is nobody's answer
    state = after(state, Play(1, VOTE, (0,)), Play(0, VOTE, (1,)))
    assert state.waiting.seats == (0, 1, 2) and DRAW in state.waiting.moves


def test_choices_of_one_are_never_taken_for_granted_in_open_play() -> None:
    state = engine.configure(tapping(forced_choices=True, forced_chance=True), 2, {}).start()  # ready by itself
    assert state.waiting.kind == "anyone" and state.moves(0) == (Play(0, TAP),)
    assert after(state, Play(0, TAP)).waiting.kind == "anyone"


def test_open_play_waits_for_time_even_if_nobody_is_in_it() -> None:
    closed = engine.configure(tapping(), 2, {}).program
    nodes = tuple(
        attrs.evolve(node, asked=n.AnyOfSeats(c(()))) if getattr(node, "moves", None) == (TAP,) else node
        for node in closed.nodes
    )
    game = type(engine.configure(tapping(), 2, {}))(attrs.evolve(closed, nodes=nodes))
    state = after(game.start(), Play(0, READY), Reading(5))
    assert state.waiting.kind == "anyone" and state.waiting.seats == ()
    assert after(state, Expiry(0)).waiting.seats == (1,)


def test_what_is_done_by_nobody_is_seen_by_everybody() -> None:
    state = after(tapped(), Reading(7))
    for seat in (0, 1, None):
        assert (CLOCK, 7) in [(seen.slot, seen.value) for seen in state.view(seat).seen]
        assert [each.move for each in state.observed(seat)] == [READY]


# ------------------------------------------------------------------ other waits

RING, NOTE = 0, 1
BELL_LEFT, BELL_END, BELL_CLOCK, RUNG = range(4)
RUNS = ir.Not(ir.Equal(read(BELL_END), ir.NoneOf(NEVER)))


def bell(asked: Any, *, forced: bool = False) -> pg.Program:
    """Ring while the bell timer runs, which is ten seconds; then seat 2 notes it down."""
    graph = Graph()
    graph.do(*start(BELL_LEFT, BELL_END, BELL_CLOCK, 10_000))
    graph.decide(asked, [RING])
    graph.decide(n.OneSeat(c(1), False, False), [NOTE])
    graph.end(n.Aborted())
    graph.procedure("overview", 0, 1, 0)
    entry = graph.here
    graph.do(fx.SetMarker(slot(RUNG, v(0)), ir.Add(read(RUNG, v(0)), v(1))))
    graph.ret()
    graph.procedure("ring", 2, 2, entry)
    entry = graph.here
    graph.ret()
    graph.procedure("note", 1, 1, entry)
    often = pg.Parameter("often", numbers(1, 2), c((1, 2)), "1..2", (), ())
    moves = [move("ring", 1, [often], [require("running", RUNS, words("the bell is out"))]), move("note", 2)]
    slots = [*timer_slots("bell", 10_000), marker("clock", TIME, 0), marker("rung", numbers(0, 9), 0, index=[SEAT])]
    timers = (pg.Timer("bell", BELL_LEFT, BELL_END, c(10_000), AT),)
    return program(graph, slots, moves, timers=timers, clock=BELL_CLOCK, forced_choices=forced)


def test_an_expiry_leaves_other_waits() -> None:
    state = engine.configure(bell(n.OneSeat(c(0), False, False)), 2, {}).start()
    later = after(state, Reading(3), Expiry(0))
    assert later.waiting == state.waiting and later.now == 10_000
    assert codes(later, Play(0, RING, (1,))) == ["running"]


def test_whoever_may_do_nothing_any_more_is_no_longer_asked() -> None:
    state = engine.configure(bell(n.OneSeat(c(0), True, False)), 2, {}).start()
    assert state.waiting.seats == (0,)
    assert after(state, Expiry(0)).waiting.seats == (1,)
    told = engine.configure(bell(n.OneSeat(c(0), True, True)), 2, {}).start()
    assert after(told, Expiry(0)).waiting.seats == (0,)


def while_it_runs() -> Any:
    """Both seats while the bell runs, afterwards only seat 1."""
    return ir.Conditional(RUNS, c((0, 1)), c((0,)))


def test_sealed_seats_are_found_out_anew() -> None:
    state = engine.configure(bell(n.SealedSeats(while_it_runs(), True)), 2, {}).start()
    assert state.waiting.seats == (0, 1)
    assert after(state, Expiry(0)).waiting.seats == (0,)
    none = ir.Conditional(RUNS, c((0, 1)), c(()))
    state = engine.configure(bell(n.SealedSeats(none, True)), 2, {}).start()
    assert after(state, Expiry(0)).waiting.moves == (NOTE,)


def test_a_chance_step_stays_a_chance_step() -> None:
    state = after(engine.configure(party(), 2, {}).start(), Play(0, DRAW))
    assert state.waiting.kind == "chance"
    later = after(state, Reading(9))
    assert later.chance() == state.chance() and later.waiting == state.waiting
    gone = after(state, Expiry(0), Outcome(2))
    assert gone.waiting.kind == "over"  # the open play that the move interrupts asks again


def test_a_clock_costs_no_more_than_is_said() -> None:
    state: Any = engine.configure(bell(n.SealedSeats(while_it_runs(), True)), 2, {}).start()
    for event in (Reading(5), Expiry(0), Sealed((Pass(0),)), Play(1, NOTE)):
        bound = event_bound(state.game.program, state.waiting.node)
        state = state.step(event)
        assert bound is not None and 0 < state.cost <= bound


@pytest.mark.parametrize("declared", [tapping(), party()], ids=["taps", "party"])
def test_events_in_open_play_have_bounds(declared: pg.Program) -> None:
    game = engine.configure(declared, 2, {})
    match = Match(game, 5)
    match.play([RandomAgent()] * 2)
    costs = Costs(game.program)
    state: Any = game.start()
    for event in match.events:
        bound = costs.event(state.waiting.node)
        state = state.step(event)
        assert bound is not None and 0 < state.cost <= bound


# ------------------------------------------------------------------ soundness

GLASS = pg.Timer("glass", 0, 1, c(30_000), AT)


def said(changed: pg.Program) -> str:
    return "; ".join(str(finding) for finding in verify(changed))


@pytest.mark.parametrize(
    ("changes", "words_"),
    [
        ({"clock": None}, "there are timers and no clock"),
        ({"clock": 9}, "there is no slot 9"),
        ({"clock": TAPS}, "'taps' is no single marker for such a time"),
        ({"timers": (attrs.evolve(GLASS, left=9),)}, "there is no slot 9"),
        ({"timers": (attrs.evolve(GLASS, end=-1),)}, "there is no slot -1"),
        ({"timers": (attrs.evolve(GLASS, full=c(0)),)}, "this is no number from 1 to 86400000"),
        ({"timers": (attrs.evolve(GLASS, full=c(86_400_001)),)}, "this is no number from 1 to 86400000"),
        ({"timers": (attrs.evolve(GLASS, full=c(20_000)),)}, "'glass left' is no single marker for such a time"),
        ({"timers": (attrs.evolve(GLASS, full=v(0)),)}, "'x' has no value here"),
        ({"timers": (attrs.evolve(GLASS, end=CLOCK),)}, "'clock' is no single marker for such a time"),
        ({"timers": (GLASS, GLASS)}, "the name 'glass' is there 2 times"),
        ({"timers": (GLASS, attrs.evolve(GLASS, name="other"))}, "two times are kept in one marker"),
    ],
)
def test_clocks_and_timers_are_sound(changes: dict[str, Any], words_: str) -> None:
    assert said(tapping()) == ""
    assert words_ in said(attrs.evolve(tapping(), **changes))


def test_everybody_sees_the_time() -> None:
    hidden = attrs.evolve(tapping().slots[CLOCK], sight=pg.Sight(pg.Nobody(), pg.Nobody(), pg.Nobody()))
    slots = (*tapping().slots[:CLOCK], hidden, *tapping().slots[CLOCK + 1 :])
    assert "not everybody sees 'clock'" in said(attrs.evolve(tapping(), slots=slots))


def test_effects_do_not_set_the_clock() -> None:
    nodes = tuple(
        attrs.evolve(node, effect=fx.SetMarker(slot(CLOCK), c(5)))
        if isinstance(node, n.Do) and isinstance(node.effect, fx.SetMarker) and node.effect.marker == slot(TAPS, v(0))
        else node
        for node in tapping().nodes
    )
    assert "only readings and expiries set the clock" in said(attrs.evolve(tapping(), nodes=nodes))


def test_open_play_is_of_seats() -> None:
    nodes = tuple(
        attrs.evolve(node, asked=n.AnyOfSeats(read(CLOCK))) if getattr(node, "moves", None) == (TAP,) else node
        for node in tapping().nodes
    )
    assert "a collection of a seat is needed" in said(attrs.evolve(tapping(), nodes=nodes))


@pytest.mark.parametrize("full", [0, 86_400_001])
def test_how_long_a_timer_runs_may_depend_on_options(full: int) -> None:
    length = pg.Option("length", numbers(0, 90_000_000), 30_000, None, None, AT)
    timer = attrs.evolve(GLASS, full=ir.OptionValue(0))
    left = attrs.evolve(tapping().slots[0], type=attrs.evolve(tapping().slots[0].type, high=ir.OptionValue(0)))  # type: ignore[union-attr]
    slots = (attrs.evolve(left, initial=c(0)), *tapping().slots[1:])
    opened = attrs.evolve(tapping(), options=(length,), timers=(timer,), slots=slots)
    assert said(opened) == ""
    assert engine.configure(opened, 2, {}).program.timers[0].full == c(30_000)
    with pytest.raises(Exhausted) as failure:
        engine.configure(opened, 2, {"length": full})
    assert failure.value.code == "RL6014" and "'glass' runs for" in failure.value.said


def test_private_acts_are_not_observed() -> None:
    state = after(engine.configure(party(), 2, {}).start(), Play(0, DRAW), Outcome(3))
    state = after(state, Play(0, HIDE, (3,)))
    assert [each.move for each in state.observed(1)] == [DRAW]
    assert [each.move for each in state.observed(0)] == [DRAW, HIDE]
