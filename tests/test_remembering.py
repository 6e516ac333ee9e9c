"""What an automatic player remembers: everything that its seat was shown, and when, and nothing else. Spec 15.1."""

import pytest
from test_match_in_time import READY, TAP, ready

from rulelang.pipeline import compile_text, engine_named
from rulelang.play.event import Expiry, Play
from rulelang.play.match import Match
from rulelang.play.remembering import Memories, Moment
from rulelang.play.view import Observed

SHIPS = """game "Where is the ship":
  players: 2

board Cell: 2 by 2
values Weather: calm, storm
marker ship for each player: Cell or none, seen by owner
marker weather: Weather, seen by nobody
marker wind: Weather
marker shots: 0..9

move anchor(cell in Cell), seen by me: my ship becomes cell
move shoot(cell in Cell): shots rises by 1

overview:
  repeat 3 times: seat(1) must anchor
  repeat 4 times:
    roll weather
    seat(2) must shoot
  roll wind
  seat(2) must shoot
  end game, nobody wins
"""


def at_sea(engine: str) -> Match:
    """A match of the game above, up to the last shot."""
    match = Match(engine_named(engine).configure(compile_text(SHIPS).program, 2, {}), 1)
    for answer in (Play(0, 0, (3,)), Play(0, 0, (3,)), Play(0, 0, (1,)), *[Play(1, 1, (0,))] * 4):
        match.advance_chance()
        match.submit(answer)
    match.advance_chance()
    return match


def told(moments: tuple[Moment, ...]) -> list[object]:
    """All that is in a memory."""
    return [(each.time, each.observed, each.expired, each.view) for each in moments]


def test_steps_that_showed_a_seat_nothing_are_left_out() -> None:
    """Seat 1 anchors where nobody looks: it remembers each time, seat 2 only what it can tell from what waits."""
    match = at_sea("reference")
    mine, theirs = (match.situation(1).memory, Memories().of(match.state, 0))
    assert [moment.observed for moment in theirs[1:4]] == [(Observed(0, 0, (cell,)),) for cell in (3, 3, 1)]
    assert sum(len(moment.observed) for moment in theirs) == 7 and sum(len(moment.observed) for moment in mine) == 4
    assert len(mine) == len(theirs) - 2, "that seat 1 anchored twice more is nothing that seat 2 could tell"
    assert all(one.observed or one.view != other.view for one, other in zip(mine[1:], mine, strict=False))
    assert mine[-1].view == match.state.view(1) and mine[-1].view is mine[-1].view


@pytest.mark.parametrize("seat", [0, 1])
def test_interpreters_remember_the_same_however_they_are_asked(seat: int) -> None:
    """Step by step, as matches ask, or all at once; what was observed does not depend on what was asked before."""
    found = []
    for engine in ("reference", "native"):
        line = [at_sea(engine).state]
        while line[-1].previous is not None:
            line.append(line[-1].previous)
        memories = Memories()
        for state in reversed(line):
            moments = memories.of(state, seat)
            assert state.observed(seat) == state.observed(seat)
        assert told(moments) == told(Memories().of(line[0], seat))
        assert [len(state.observed(seat)) for state in line] == sorted(
            [len(state.observed(seat)) for state in reversed(line)], reverse=True
        )
        assert line[-1].observed(seat) == ()
        found.append(told(moments))
    assert found[0] == found[1]


def test_memory_goes_on_from_question_to_question_and_back() -> None:
    """It is always that of the line that was played, with the times at which things happened."""
    match = ready()
    match.submit(Play(0, READY))
    kept = [match.situation(0).memory]
    for time in (2_000, 5_500):
        match.read(time)
        match.submit(Play(0, TAP))
        kept.append(match.situation(0).memory)
    assert [len(each) for each in kept] == [2, 4, 6]
    assert kept[2][:4] == kept[1] and kept[1][:2] == kept[0]
    assert [moment.time for moment in kept[2]] == [0, 0, 2_000, 2_000, 5_500, 5_500]
    assert [moment.expired for moment in kept[2]] == [None] * 6
    match.undo()
    assert told(match.situation(0).memory) == told(kept[2][:5])
    match.expire()
    assert isinstance(match.events[-1], Expiry)
    assert match.situation(1).memory[-1].expired == match.events[-1].timer
