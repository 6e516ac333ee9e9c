"""Times in the words of the table, and how long players take who follow advice."""

import pytest
from playing_rules import closed
from timed_programs import tapping

from rulelang.ir.program import Program
from rulelang.play.agents import AdvisedAgent, RandomAgent
from rulelang.play.event import Expiry, Play, Reading
from rulelang.play.match import Match
from rulelang.play.times import clock_text, expiry_text, left_text, timer_slots, timer_text
from rulelang_reference import engine


@pytest.mark.parametrize(
    ("time", "said"),
    [
        (0, "0:00.0"),
        (99, "0:00.0"),
        (41_250, "0:41.2"),
        (60_000, "1:00.0"),
        (3_599_999, "59:59.9"),
        (3_600_000, "1:00:00.0"),
        (3_941_200, "1:05:41.2"),
    ],
)
def test_times_are_cut_off_at_tenths(time: int, said: str) -> None:
    assert clock_text(time) == said


def test_what_is_left_is_said_shortly() -> None:
    assert [left_text(time) for time in (75_900, 10_000, 9_999)] == ["1:15", "0:10", "0:09.9"]


def test_how_a_timer_stands() -> None:
    assert timer_text(3_000, 3_000, 4_000, 1_500) == "running, 0:02.5 left"
    assert timer_text(3_000, 3_000, 4_000, 4_500) == "running, 0:00.0 left"
    assert timer_text(3_000, 3_000, -1, 9) == "full"
    assert timer_text(3_000, 0, -1, 9) == "empty"
    assert timer_text(3_000, 1_200, -1, 9) == "paused, 0:01.2 left"


def test_the_markers_of_time_and_what_has_run_out() -> None:
    program: Program = tapping()
    assert timer_slots(program) == {0, 1, 2}
    assert expiry_text(program, Expiry(0)) == "the glass is empty"
    assert timer_slots(closed('game "G":\n  players: 1\n\noverview: end game, nobody wins\n', 1).program) == frozenset()


# ------------------------------------------------------------------ advice in open play

GAME = """
game "Advice":
  players: 2

timer glass: 20 seconds
marker n: 0..99
marker ayes: 0..9

overview:
  start glass
  players may freely tap or rest until glass is empty
  players must once_each vote
  end game, nobody wins

move tap: n rises by 1
move rest: n rises by 2
move vote: ayes rises by 1
"""


def taps(rules: str) -> Match:
    match = Match(closed(rules, 2), 3)
    match.play([AdvisedAgent(), AdvisedAgent()])
    assert match.outcome is not None
    return match


def moves_of(match: Match) -> list[str]:
    names = match.game.program.moves
    return [names[event.move].name for event in match.events if isinstance(event, Play)]


def test_where_a_line_fits_what_is_advised_is_done_in_its_time() -> None:
    match = taps(GAME + "prefer rest when n < 4\n")
    assert moves_of(match) == ["rest", "rest", "vote", "vote"]
    times = [event.time for event in match.events if isinstance(event, Reading)]
    assert all(later - sooner >= 1_000 for sooner, later in zip([0, *times], times, strict=False) if sooner == 0)


def test_where_no_line_fits_nothing_is_done() -> None:
    match = taps(GAME + "prefer tap when n > 50\n")
    assert moves_of(match) == ["vote", "vote"] and match.now >= 20_000


def test_a_vote_is_answered_whether_a_line_fits_or_not() -> None:
    assert moves_of(taps(GAME + "prefer tap when n > 50\nprefer vote when n > 50\n")) == ["vote", "vote"]


def test_without_lines_about_its_moves_open_play_is_as_random_players_play_it() -> None:
    match, other = taps(GAME + "prefer vote\n"), Match(closed(GAME, 2), 3)
    other.play([RandomAgent(), RandomAgent()])
    assert moves_of(match) == moves_of(other) and len(moves_of(match)) > 4


def test_who_can_do_nothing_proposes_nothing() -> None:
    rules = GAME.replace("move tap: n", 'move tap:\n  require few: n < 2 because "that is enough"\n  n').replace(
        " or rest", ""
    )
    assert moves_of(taps(rules)) == ["tap", "tap", "vote", "vote"]


def test_going_on_is_one_thing_after_another() -> None:
    match = Match(closed(GAME, 2), 3)
    seen = 0
    while match.go_on([RandomAgent(), RandomAgent()]):
        assert len(match.events) > seen
        seen = len(match.events)
    assert match.outcome is not None
    assert not Match(closed(GAME, 2), 3).go_on([RandomAgent(), None])
    assert engine.name == "reference"
