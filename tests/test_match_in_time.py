"""Matches that keep time: readings, expiries, sealed answers, undo, records, simulated time. Spec 11.3, 11.4, 15.2."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import jsonschema
import pytest
from hand_programs import AT, SEAT, Graph, c, marker, move, numbers, program, read, slot, v
from test_time import RING, bell, tapped, while_it_runs
from timed_programs import (
    CALL,
    CLOCK,
    DRAW,
    HIDE,
    HINT,
    LAY,
    TAPS,
    TIME,
    VOTE,
    at_cell,
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
from rulelang.pipeline import load
from rulelang.play.agents import LONGEST, SHORTEST, AdvisedAgent, Agent, RandomAgent, Situation
from rulelang.play.chance import Stream
from rulelang.play.engine import Draw
from rulelang.play.event import Answer, Expiry, Outcome, Pass, Play, Reading, Sealed
from rulelang.play.live import resume_live, start_live
from rulelang.play.match import Match
from rulelang.play.monte_carlo import MonteCarloAgent, roll_out
from rulelang.play.playouts import playout, playouts
from rulelang.play.record import RecordFault, record_lines, write_record
from rulelang.play.record_reading import read_record
from rulelang.play.replay import replay
from rulelang.play.tree import count_information_sets, perft
from rulelang_reference import engine

TAP, READY = 0, 1


def ready(seats: int = 2, seed: int = 1, **rest: Any) -> Match:
    return Match(engine.configure(tapping(**rest), seats, {}), seed)


def lively(seats: int = 2, seed: int = 1) -> Match:
    return Match(engine.configure(party(), seats, {}), seed)


def refused(call: Any, *arguments: Any) -> list[str]:
    with pytest.raises(Refused) as failure:
        call(*arguments)
    return [reason.code for reason in failure.value.reasons]


# ------------------------------------------------------------------ the clock of a match


def test_reading_makes_the_expiries_that_are_due_first() -> None:
    match = ready()
    match.submit(Play(0, READY))
    match.read(10)
    assert match.now == 10
    match.read(30_000)
    assert match.events == (Play(0, READY), Reading(10), Expiry(0), Reading(30_000))
    assert match.state.waiting.seats == (1,)
    assert refused(match.read, 29_999) == ["time_goes_back"]
    assert refused(match.read, 10**12 + 1) == ["no_such_time"]
    assert len(match.events) == 4


def test_a_game_that_an_expiry_ends_is_over_before_the_reading() -> None:
    match = ready()
    match.submit(Play(0, READY))
    match.expire()
    match.submit(Play(1, READY))
    match.read(99_000)
    assert match.events[-1] == Expiry(0) and match.now == 60_000 and match.outcome is not None
    assert refused(match.read, 99_000) == ["game_over"]
    assert refused(match.expire) == ["game_over"]


def test_a_reading_that_changed_nothing_does_not_stand_in_the_way_of_undo() -> None:
    """The clock is read before each attempt, and an attempt that is refused leaves nothing but that."""
    match = ready()
    assert refused(match.undo) == ["nothing_to_undo"]
    match.read(0)
    assert refused(match.undo) == ["nothing_to_undo"]
    match.submit(Play(0, READY))
    for _ in range(3):
        match.read(0)
        assert refused(match.submit, Play(0, READY)) == ["not_offered"]
    assert match.undo().hash == ready().state.hash and match.events == (Reading(0),)
    match.submit(Play(0, READY))
    match.read(1)
    assert refused(match.undo) == ["time"]


def test_whose_act_it_was_that_somebody_wants_to_take_back() -> None:
    match = ready()
    match.submit(Play(0, READY))
    with pytest.raises(Refused, match="seat 1 has acted since"):
        match.undo(1)


def test_without_a_timer_nothing_expires() -> None:
    assert refused(ready().expire) == ["no_timer"]


def test_expiries_come_in_order_and_chance_decides_in_between() -> None:
    match = lively()
    match.submit(Play(0, CALL))
    match.submit(Play(0, VOTE, (1,)))
    match.submit(Play(1, VOTE, (1,)))
    match.submit(Play(0, DRAW))
    match.read(5_000)
    assert [type(event) for event in match.events[-3:]] == [Expiry, Outcome, Reading]


# ------------------------------------------------------------------ sealed answers


def sealed(asked: Any) -> Match:
    return Match(engine.configure(bell(asked), 2, {}), 1)


def test_a_sealed_answer_stays_when_time_goes_on() -> None:
    match = sealed(n.SealedSeats(c((0, 1)), True))
    match.submit(Play(1, RING, (2,)))
    match.read(5)
    assert match.sealed == {1: Play(1, RING, (2,))} and match.missing == (0,)
    match.submit(Pass(0))
    assert match.events == (Reading(5), Sealed((Pass(0), Play(1, RING, (2,)))))


def test_a_sealed_answer_that_comes_to_be_illegal_is_given_again() -> None:
    match = sealed(n.SealedSeats(c((0, 1)), True))
    match.submit(Play(1, RING, (2,)))
    match.read(10_000)
    assert match.sealed == {} and match.missing == (0, 1)
    match.submit(Pass(1))
    match.submit(Pass(0))
    assert match.state.waiting.seats == (1,)


def test_if_only_those_are_asked_who_have_answered_it_goes_on() -> None:
    match = sealed(n.SealedSeats(while_it_runs(), True))
    match.submit(Pass(0))
    match.expire()
    assert match.events == (Expiry(0), Sealed((Pass(0),)))


def test_a_sealed_answer_to_what_is_over_is_gone() -> None:
    match = sealed(n.SealedSeats(ir.Conditional(while_it_runs().condition, c((0, 1)), c(())), True))
    match.submit(Pass(0))
    match.expire()
    assert match.sealed == {} and match.state.waiting.seats == (1,)


# ------------------------------------------------------------------ taking back


def test_undo_does_not_cross_time() -> None:
    match = ready()
    match.submit(Play(0, READY))
    match.read(5)
    match.submit(Play(0, TAP))
    match.undo()
    assert match.events == (Play(0, READY), Reading(5))
    assert refused(match.undo) == ["time"]
    match.expire()
    assert refused(match.undo) == ["time"]


# ------------------------------------------------------------------ records


def test_a_record_has_readings_and_expiries(tmp_path: Path) -> None:
    match = lively(3, 4)
    match.submit(Play(0, HINT, (4,)))
    match.play([RandomAgent()] * 3)
    path = tmp_path / "game.record.jsonl"
    write_record(path, match.game.program, match.record)
    lines = [json.loads(line) for line in record_lines(match.game.program, match.record)]
    assert {"expiry": "long"} in lines and any("reading" in line for line in lines)
    schema = json.loads((Path(__file__).parents[1] / "docs" / "schemas" / "record.schema.json").read_text())
    for line in lines:
        jsonschema.Draft202012Validator(schema).validate(line)
    record = read_record(path, match.game.program)
    assert record == match.record
    assert replay(match.game, record).state.to_bytes() == match.state.to_bytes()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"reading": -1}, "RL9011"),
        ({"reading": 10**12 + 1}, "RL9011"),
        ({"reading": "x"}, "RL9011"),
        ({"reading": 1, "seat": 1}, "RL9006"),
        ({"expiry": 1}, "RL9011"),
        ({"expiry": "sand"}, "RL9023"),
        ({"expiry": "glass", "seat": 1}, "RL9006"),
    ],
)
def test_damaged_times_are_told(tmp_path: Path, line: dict[str, Any], code: str) -> None:
    match = ready()
    path = tmp_path / "game.record.jsonl"
    write_record(path, match.game.program, match.record)
    path.write_text(path.read_text() + json.dumps(line) + "\n")
    with pytest.raises(RecordFault) as fault:
        read_record(path, match.game.program)
    assert fault.value.code == code and fault.value.line == 2


def test_a_record_with_impossible_times_is_not_replayed() -> None:
    match = ready()
    match.read(5)
    record = attrs.evolve(match.record, events=(Reading(5), Reading(4)))
    with pytest.raises(RecordFault, match="Event 2 of the record is not possible"):
        replay(match.game, record)


def test_a_match_that_was_broken_off_goes_on_as_it_would_have(tmp_path: Path) -> None:
    whole = lively(3, 9)
    whole.play([RandomAgent()] * 3)
    for count in range(0, len(whole.events), 5):
        match = lively(3, 9)
        for event in whole.events[:count]:
            match.apply(event)
        while match.state.waiting.kind != "over" and isinstance(match.state.event, Reading):
            match.apply(whole.events[len(match.events)])  # an act that was read the clock for
        match.play([RandomAgent()] * 3)
        assert match.events == whole.events


def test_live_records_keep_time(tmp_path: Path) -> None:
    path = tmp_path / "live.record.jsonl"
    game = engine.configure(tapping(), 2, {})
    match, live = start_live(path, game, 3)
    with live:
        match.submit(Play(0, READY))
        match.read(77)
    again, live = resume_live(path, game)
    with live:
        assert again.now == 77


# ------------------------------------------------------------------ simulated time


def test_random_acts_after_one_to_eight_seconds() -> None:
    match = ready(3)
    match.play([RandomAgent()] * 3)
    times = [event.time for event in match.events if isinstance(event, Reading)]
    starts = [0, 30_000, 60_000]
    steps = [after - before for before, after in pairwise(sorted({*times, *starts}))]
    assert all(step <= 8_000 for step in steps) and match.now == 90_000


def test_each_goes_on_with_what_it_had_begun() -> None:
    match = Match(engine.configure(hurried(60_000, 60_000), 3, {}), 5)
    match.play([RandomAgent()] * 3)
    last = dict.fromkeys(range(3), 0)
    waited: list[int] = []
    state: Any = match.game.start()
    for event in match.events:
        if isinstance(event, Play):
            waited.append(state.now - last[event.seat])
            last[event.seat] = state.now
        state = state.step(event)
    assert waited and all(1_000 <= each <= 8_000 for each in waited)


def test_games_depend_only_on_seed_and_number() -> None:
    game = engine.configure(party(), 3, {})
    agents: list[Agent] = [RandomAgent(), AdvisedAgent(), RandomAgent()]
    games = list(playouts(game, 4, 7, agents))
    assert games[2:] == list(playouts(game, 2, 7, agents, first=2))
    assert all(each.time >= 40_000 for each in games)
    for summary in games:
        match = Match(game, 7, summary.number)
        match.play(agents)
        acts = [event for event in match.events if isinstance(event, Play)]
        assert summary.decisions == len(acts) and summary.length == len(match.events)


class Model:
    """Acts after a fixed time, or never; remembers what it was told."""

    name = "model"

    def __init__(self, delay: int | None, answer: Any = None, *, everywhere: bool = False) -> None:
        self.delay = delay
        self.answer = answer
        self.takes_time = everywhere
        self.told: list[tuple[int, bool]] = []

    def choose(self, situation: Situation, draw: Draw) -> Answer:
        return situation.answers[0]

    def propose(self, situation: Situation, draw: Draw) -> tuple[int, Answer] | None:
        self.told.append((situation.waited, situation.happened))
        if self.delay is None:
            return None
        return self.delay, self.answer or situation.answers[0]


def test_the_earliest_acts_and_of_equal_times_the_first_that_is_asked() -> None:
    match = lively(3)
    found = match.proposal([Model(900), Model(700), Model(700)])
    assert found is not None and (found.time, found.answer) == (700, Play(1, DRAW))
    assert match.events == ()


def test_players_are_told_how_long_they_have_waited() -> None:
    match = lively(2)
    slow, quick = Model(None), Model(15_000)
    match.play([slow, quick])
    assert slow.told[:3] == [(0, False), (15_000, True), (30_000, True)]
    assert [told for told, _ in quick.told[:3]] == [0, 0, 0]


def test_readings_alone_are_nothing_that_happens() -> None:
    match = lively(2)
    slow = Model(None)
    match.read(10)
    match.proposal([slow, None])
    match.read(30)
    match.proposal([slow, None])
    match.submit(Play(1, CALL))
    match.proposal([slow, None])
    assert slow.told == [(10, False), (30, False), (30, True)]
    match.undo()
    match.proposal([slow, None])
    assert slow.told[-1] == (30, False)


def test_an_act_at_the_moment_of_expiry_is_too_late() -> None:
    match = ready(2)
    match.submit(Play(0, READY))
    match.play([Model(30_000), None])
    assert match.events[1] == Expiry(0) and at_cell_of(match, 0) == 0


def at_cell_of(match: Match, seat: int) -> Any:
    state: Any = match.state
    return state.cells[state.game.layout.families[TAPS].base + seat]


def test_where_nobody_does_anything_time_jumps_to_the_next_timer() -> None:
    match = ready(2)
    outcome = match.play([Model(None)] * 2)
    assert outcome is not None and [type(event) for event in match.events] == [Play, Expiry, Play, Expiry]


def test_without_a_timer_it_is_stuck() -> None:
    graph = Graph()
    graph.decide(n.AnyOfSeats(c((0, 1))), [0])
    graph.end(n.Aborted())
    graph.procedure("overview", 0, 1, 0)
    entry = graph.here
    graph.ret()
    graph.procedure("go", 1, 1, entry)
    given = program(graph, [], [move("go", 1)])
    match = Match(engine.configure(given, 2, {}), 1)
    with pytest.raises(Exhausted) as failure:
        match.play([Model(None)] * 2)
    assert failure.value.code == "RL8022" and failure.value.file == "hand.rules"
    assert Match(match.game, 1).play([Model(0)] * 2) is not None  # open play without a clock takes no time
    assert refused(match.read, 5) == ["wrong_event"]


def test_without_a_clock_acts_only_have_an_order() -> None:
    game = engine.configure(silent(99), 2, {})
    acts = [0, 0]
    for number in range(60):
        match = Match(game, 3, number)
        match.play([RandomAgent()] * 2)
        assert match.now == 0 and len(match.events) == 3
        for event in match.events:
            acts[event.seat] += 1  # type: ignore[union-attr]
        again = Match(game, 3, number)
        again.apply(match.events[0])
        again.play([RandomAgent()] * 2)
        assert again.events == match.events
    assert min(acts) > 60


def test_people_in_open_play_are_waited_for() -> None:
    match = ready(2)
    assert match.play([RandomAgent(), None]) is None
    assert match.state.waiting.seats == (1,) and match.now == 30_000
    assert match.proposal([RandomAgent(), None]) is None
    match.submit(Play(1, READY))
    assert match.play([RandomAgent(), None]) is None and match.events[-1] == Play(1, READY)


def test_an_act_that_comes_too_late_leaves_the_reading() -> None:
    early = Match(engine.configure(hurried(), 2, {}), 1)
    early.play([Model(3_000, Play(0, 0)), Model(4_000, Play(1, 0))])
    assert [event for event in early.events if isinstance(event, Play)] == [Play(0, 0)]
    assert Reading(6_000) in early.events


def hurried(before: int = 4_000, full: int = 10_000) -> pg.Program:
    """Everybody may go before a moment; it ends when the glass is empty."""
    graph = Graph()
    graph.do(*start(0, 1, CLOCK, full))
    running = ir.Not(ir.Equal(read(1), ir.NoneOf(pg_never())))
    head = graph.branch(running, None, graph.here + 3)
    graph.decide(n.AnyOfSeats(ir.AllOf(SEAT)), [0])
    graph.jump(head)
    graph.end(n.Aborted())
    graph.procedure("overview", 0, 1, 0)
    entry = graph.here
    graph.do(fx.SetMarker(slot(3), ir.Add(read(3), c(1))))
    graph.ret()
    graph.procedure("go", 1, 1, entry)
    early = pg.Requirement("early", ir.Less(read(CLOCK), c(before)), ir.Words(("too late",)), 0, AT)
    slots = [*timer_slots("glass", full), marker("clock", TIME, 0), marker("gone", numbers(0, 99), 0)]
    timers = (pg.Timer("glass", 0, 1, c(full), AT),)
    return program(graph, slots, [move("go", 1, requirements=[early])], seats=(2, 3), timers=timers, clock=CLOCK)


def pg_never() -> Any:
    from timed_programs import NEVER

    return NEVER


def test_who_can_do_nothing_proposes_nothing() -> None:
    match = Match(engine.configure(hurried(), 2, {}), 1)
    assert match.play([RandomAgent(), AdvisedAgent()]) is not None
    acts = [event for event in match.events if isinstance(event, Reading)]
    assert all(event.time < 4_000 + 8_000 for event in acts) and match.events[-1] == Expiry(0)


def test_acts_at_other_waits_take_no_time_unless_a_player_says_so() -> None:
    hasty = sealed(n.SealedSeats(c((0, 1)), False))
    hasty.play([Model(2_000)] * 2)
    assert hasty.now == 0
    slow = sealed(n.SealedSeats(c((0, 1)), False))
    slow.play([Model(2_000, everywhere=True), RandomAgent()])
    assert [type(event) for event in slow.events] == [Reading, Sealed, Play] and slow.now == 2_000
    late = sealed(n.OneSeat(c(0), True, True))
    late.play([Model(11_000, Pass(0), everywhere=True), RandomAgent()])
    assert late.events[0] == Expiry(0) and late.now == 21_000


def test_monte_carlo_thinks_ahead_in_open_play() -> None:
    alone = playout(engine.configure(tapping(full=9_000), 2, {}), 3, 0, [MonteCarloAgent(2), RandomAgent()])
    assert alone.time == 18_000


def test_roll_outs_go_through_open_play() -> None:
    state = engine.configure(party(), 2, {}).start()
    for key in range(20):
        assert roll_out(state, Play(0, CALL), Stream(key)) in (-1, 0, 1)
    late = engine.configure(hurried(before=0), 2, {}).start()
    with pytest.raises(Refused):
        roll_out(late.step(Reading(1)), Play(0, 0), Stream(1))


def test_roll_outs_wait_for_timers_and_get_stuck_without() -> None:
    game = engine.configure(hurried(), 2, {})
    for key in range(20):  # acts that come too late are given up, and then the glass runs out
        assert roll_out(game.start(), Play(0, 0), Stream(key)) == 0
    assert roll_out(engine.configure(silent(), 2, {}).start(), Play(0, 0), Stream(1)) == 0
    assert roll_out(engine.configure(silent(2), 2, {}).start(), Play(0, 0), Stream(1)) == 0


def silent(most: int = 1) -> pg.Program:
    """Without a clock: each may go, a few times in all, and it ends after three."""
    graph = Graph()
    head = graph.branch(ir.Less(read(0), c(3)), None, graph.here + 3)
    graph.decide(n.AnyOfSeats(ir.AllOf(SEAT)), [0])
    graph.jump(head)
    graph.end(n.Aborted())
    graph.procedure("overview", 0, 1, 0)
    entry = graph.here
    graph.do(fx.SetMarker(slot(0), ir.Add(read(0), c(1))))
    graph.ret()
    graph.procedure("go", 1, 1, entry)
    few = pg.Requirement("few", ir.Less(read(0), c(most)), ir.Words(("no more",)), 0, AT)
    return program(graph, [marker("gone", numbers(0, 9), 0)], [move("go", 1, requirements=[few])])


# ------------------------------------------------------------------ trees


def test_games_with_open_play_have_no_tree() -> None:
    game = engine.configure(tapping(), 2, {})
    for count in (perft, count_information_sets):
        with pytest.raises(Refused) as failure:
            count(game, 2)
        reason = failure.value.reasons[0]
        assert (reason.code, reason.number) == ("no_tree", "RL8027") and "open play" in reason.words


def test_games_where_something_is_said_have_no_tree() -> None:
    from test_spoken import talking

    with pytest.raises(Refused, match="moves that carry words"):
        perft(talking(n.OneSeat(c(0), True, False)), 2)


__all__ = ["HIDE", "LAY", "at_cell", "tapped", "v"]


def test_an_advised_player_needs_its_time_from_when_there_is_something_to_do() -> None:
    """In snap nothing is advised until a pair lies there: nobody who waits for it has been at it for minutes."""
    game = load("snap", "reference").configure(2, {"look": 20}).game
    for seed in range(8):
        match, turned, shown = Match(game, seed), 0, 0
        while match.outcome is None:
            match.advance_chance()
            cards = sum(isinstance(event, Outcome) for event in match.events)
            if cards > turned:
                turned, shown = cards, match.now
            if match.go_on([AdvisedAgent(), AdvisedAgent()]) and isinstance(match.events[-1], Play):
                assert SHORTEST <= match.now - shown <= LONGEST
