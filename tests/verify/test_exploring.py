"""Going through positions: what is seen, what is claimed, where it ends, and the same on both interpreters."""

from collections.abc import Callable
from typing import Any

import attrs
import pytest
from copies import kinds_of, look, never_used

from rulelang.failures import Exhausted, Refused
from rulelang.pipeline import compile_text, engine_named, load
from rulelang.play.engine import State
from rulelang.play.event import Expiry, Play
from rulelang.play.refusal import Refusal
from rulelang.play.replay import replay
from rulelang.play.watching import Noting
from rulelang.rulebook.verify import looking
from rulelang.rulebook.verify.report import Report, Task, verify
from rulelang.rulebook.verify.saving import record_of
from rulelang.testing.faulty import Fault, FaultyEngine

STEPS = """\
game "Steps":
  players: 2

marker height: 0..9

overview:
  repeat:
    seat(1) must up or down

move up:
  require low: height < 3 because "this is the top"
  height rises by 1

move down:
  require high: height > 0 because "this is the bottom"
  height falls by 1
"""
"""A game without an end."""

CLOCK = """\
game "A glass":
  players: 2

timer glass: 5 seconds
marker taps: 0..3

overview:
  start glass
  players may freely tap until glass is empty or taps is 3
  end game, nobody wins

move tap: taps rises by 1
"""

STUCK = """\
game "Nobody can":
  players: 2

marker taps: 0..3

overview:
  players may freely tap until taps is 3
  end game, nobody wins

move tap:
  require few: taps < 2 because "that is enough"
  taps rises by 1
"""

TALK = """\
game "Talk":
  players: 2

values Word: yes_word, no_word

marker told: yes or no

overview:
  seat(1) must tell
  end game, nobody wins

move tell(words in lists(2, Word)): told becomes yes
"""

WINDOW = """\
game "A window":
  players: 2

marker left_over: 0..2 = 2

overview:
  repeat until left_over is 0: players may in_order take as taker
  end game, nobody wins

move take:
  require mine: me is seat(1) because "only the first seat"
  left_over falls by 1
"""


def test_every_position_of_a_known_game_is_seen_once() -> None:
    report = look("tic-tac-toe")
    assert (report.counts.positions, report.counts.ended, report.counts.deepest) == (5478, 958, 9)
    assert report.whole and report.all_tried and report.mistakes == 0


def test_depth_and_number_of_positions_bound_it() -> None:
    shallow = look("tic-tac-toe", depth=2)
    assert (shallow.counts.positions, shallow.counts.deepest, shallow.whole) == (1 + 9 + 72, 2, False)
    few = look("tic-tac-toe", states=50)
    assert (few.counts.positions, few.whole) == (50, False)
    assert {part.id for part in few.unused} >= {"branch overview 1 holds"}
    assert never_used(few) == []


def test_many_events_from_few_positions_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    report = look("five-in-a-row", states=8, attempts=0)
    assert report.counts.positions == 8
    assert report.counts.events < 8 * 20 + 226
    monkeypatch.setattr("rulelang.rulebook.verify.space.WIDEST", 5)
    wide = look("tic-tac-toe", depth=1)
    assert (wide.counts.positions, wide.whole) == (1 + 5, False)


@pytest.mark.parametrize(("game", "options"), [("kuhn-poker", {}), ("goofspiel", {"cards": 3}), ("sheriff", {})])
def test_both_interpreters_find_the_same(game: str, options: dict[str, int]) -> None:
    native, reference = (look(game, 2, options, engine=engine) for engine in ("native", "reference"))
    for name in ("counts", "whole", "all_tried", "attempts", "findings", "unused"):
        assert getattr(native, name) == getattr(reference, name), name


@pytest.mark.parametrize("game", ["harvest-draft", "snap", "13-animals"])
def test_both_interpreters_find_the_same_in_random_games(game: str) -> None:
    native, reference = (look(game, games=1, engine=engine) for engine in ("native", "reference"))
    for name in ("counts", "attempts", "findings", "unused"):
        assert getattr(native, name) == getattr(reference, name), name


def test_a_game_without_an_end_is_told_once() -> None:
    report = look(STEPS)
    assert kinds_of(report) == [("endless", 0)]
    assert report.findings[0].positions == 4
    assert look(STEPS, games=2, depth=50).counts.cut == 2


def test_time_stands_still_but_for_timers() -> None:
    report = look(CLOCK)
    assert (report.left_out, report.whole, report.mistakes) == (("time",), False, 0)
    assert report.counts.ended == 4  # the third tap, or the glass after none, one or two
    assert look(CLOCK, games=5).counts.ended == 5


def test_nobody_can_do_anything_in_open_play() -> None:
    report = look(STUCK)
    assert kinds_of(report) == [("dead_end", 2)]
    assert report.findings[0].said == "Nobody can do anything here, and no timer runs."


def test_what_is_said_is_left_out() -> None:
    report = look(TALK)
    assert (report.left_out, report.whole, report.mistakes) == (("talk",), False, 0)
    assert look(TALK, games=2).counts.cut == 2


def test_passing_for_ever_is_seen_in_positions_and_in_games() -> None:
    assert kinds_of(look(WINDOW)) == [("passing", 2)]  # after the first pass, it is known that nobody took
    assert kinds_of(look(WINDOW, games=5)) == [("passing", 2)]


def test_every_record_can_be_replayed() -> None:
    for report in (look(STEPS), look(STUCK), look(WINDOW), look(WINDOW, games=3)):
        for finding in report.findings:
            assert replay(report.game, record_of(report, finding)).events == finding.events


def test_requirements_are_proved_only_if_all_answers_were_tried() -> None:
    rules = STEPS.replace("height < 3", "height < 9").replace("repeat:", "repeat 2 times:")
    whole = look(rules)
    assert never_used(whole) == ["requirement up.low fails"]
    some = look(rules, attempts=0)
    assert (some.all_tried, never_used(some)) == (False, [])
    assert "requirement up.low fails" in {part.id for part in some.unused}
    assert look(rules, allowed={"requirement up.low fails": "height is small here"}).mistakes == 0


# ------------------------------------------------------------------ interpreters that are wrong


class HidesOne(Fault):
    """The last answer is not listed."""

    def moves(self, state: Any, seat: Any) -> Any:
        listed = state.moves(seat)
        return listed[:-1] if len(listed) > 1 else listed


class ListsTwo(Fault):
    """A move that is not legal is listed."""

    def moves(self, state: Any, seat: Any) -> Any:
        return (Play(0, 0), Play(0, 1))


class Tired(Fault):
    """Something reaches a limit."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def moves(self, state: Any, seat: Any) -> Any:
        return self.or_give_up("moves", lambda: state.moves(seat))

    def refusals(self, state: Any, answer: Any) -> Any:
        return self.or_give_up("refusals", lambda: state.refusals(answer))

    def or_give_up(self, what: str, ask: Callable[[], Any]) -> Any:
        if what == self.what:
            raise Exhausted("RL8010", "Too much work.")
        return ask()


def faulty(rules: str, fault: Fault, attempts: int = 24) -> Report:
    """What is found where an interpreter is wrong."""
    program = compile_text(rules).program if "\n" in rules else load(rules).program
    return verify(program, FaultyEngine(engine_named("reference"), fault), Task(2, {}, attempts))


def test_lists_and_attempts_that_do_not_agree_are_found() -> None:
    hidden = faulty("tic-tac-toe", HidesOne()).findings[0]
    assert hidden.kind == "disagreement"
    assert hidden.said.endswith("is not listed, but would be taken.")
    listed = faulty(STEPS, ListsTwo())
    assert [each.kind for each in listed.findings] == ["disagreement", "disagreement"]
    assert listed.findings[0].said == "seat 1: down is listed, but is refused."
    assert listed.findings[0].tried == Play(0, 1)


@pytest.mark.parametrize("what", ["moves", "refusals"])
def test_what_reaches_a_limit_is_found(what: str) -> None:
    report = faulty(STEPS, Tired(what))
    assert report.findings[0].kind == "given_up"
    assert "Too much work." in report.findings[0].said


class NoPromises:
    """An interpreter that cannot say whether a promise holds."""

    name = "no promises"

    def configure(self, program: Any, seats: Any, options: Any) -> Any:
        game = engine_named("reference").configure(program, seats, options)

        def invariants(state: Any) -> Any:
            raise Exhausted("RL8010", "Too much work.")

        game.invariants = invariants  # type: ignore[method-assign]
        return game


def test_a_promise_that_cannot_be_looked_at_is_found() -> None:
    program = compile_text(STEPS + "\nalways low_enough: height < 4\n").program
    report = verify(program, NoPromises(), Task(2, {}, 24))
    assert [each.kind for each in report.findings] == ["given_up", "endless"]


def test_an_interpreter_that_cannot_note_says_nothing_about_lines() -> None:
    report = faulty(STEPS, Fault())
    assert (report.left_out, report.unused) == (("lines",), ())


def test_what_the_rules_do_not_allow_is_refused() -> None:
    with pytest.raises(Refused):
        look("tic-tac-toe", 3)


# ------------------------------------------------------------------ small things


@pytest.mark.parametrize("name", ["native", "reference"])
def test_an_interpreter_notes_where_it_comes_by(name: str) -> None:
    path: list[int] = []
    engine = engine_named(name)
    assert isinstance(engine, Noting)
    state: State = engine.noting(path).configure(load("tic-tac-toe").program, 2, {}).start()
    waits = path[-1]
    assert waits == state.waiting.node
    path.clear()
    after = state.step(state.moves(0)[0])
    assert path[-1] == after.waiting.node == waits
    plain = engine.configure(load("tic-tac-toe").program, 2, {}).start()
    assert plain.hash == state.hash and plain.cost == state.cost


def test_events_have_words() -> None:
    program = engine_named("native").configure(compile_text(CLOCK).program, 2, {}).program
    assert looking.said_event(program, Expiry(0)) == "the running out of glass"


def test_a_refusal_counts_as_scenarios_count_it() -> None:
    from rulelang.rulebook.verify.reached import Reached

    closed = engine_named("native").configure(load("liars-dice").program, 2, {}).program
    reached = Reached(closed, [])
    line = closed.moves[0].requirements[0].at.origin.line
    reached.refused(Play(0, 0, (1, 1)), (Refusal("no_such_value", "RL8004", "?"),))
    assert (reached.held, reached.failed) == (set(), set())
    reached.refused(Play(0, 0, (1, 1)), (Refusal("higher", None, "?", line=line),))
    assert reached.failed == {(0, 0)}
    reached.refused(Play(0, 0, (1, 1)), (Refusal("not_your_turn", "RL8003", "?"),))
    assert reached.held == {(0, 0)}


def test_a_report_is_a_value() -> None:
    report = look("kuhn-poker")
    assert attrs.evolve(report, stopped=True) != report
