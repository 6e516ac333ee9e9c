"""Time, open play, votes and spoken answers: the native interpreter answers as the reference does. Spec 11 and 12."""

import pytest
from both_engines import differ, native, reference
from timed_programs import party, tapping

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Program
from rulelang.pipeline import compile_text, load
from rulelang.play.agents import AdvisedAgent, RandomAgent
from rulelang.play.engine import Game
from rulelang.play.event import Event, Expiry, Pass, Play, Reading
from rulelang.play.playouts import playouts

SAID = """game "Say it":
  players: 3

values Category: size, colour, number
values Ballot: aye, nay
table Statement:
  touches: list of Category
  row it_is_blue: [colour]
  row it_is_big: [size]
  row it_has_two_eyes: [number, size]

timer glass: 20 seconds
timer long: 3 minutes
marker forbidden: Category
marker foul: yes or no
marker ayes: 0..9
marker nays: 0..9

move hint(said in lists(4, Statement)):
  require speaker: me is seat(1) because "only seat 1 speaks"
  require new: size of kinds of said is size of said because "{said}: that is said twice"
  if some statement in said where forbidden in touches of statement: foul becomes yes

move stop:
  require other: me is not seat(1)
  pause glass
  ayes becomes 0
  nays becomes 0
  players must once_each vote because "was it foul?"
  if ayes > nays: end game, [me] wins
  resume glass

move vote(ballot in Ballot):
  if ballot is aye: ayes rises by 1
  otherwise: nays rises by 1

overview:
  roll forbidden
  start long
  seat(1) may hint
  start glass
  players may freely hint or stop until glass is empty because round_over: "{left of glass} are left"
  end game, nobody wins
"""

FORCED = SAID.replace("players: 3", "players: 3\n  automatic: forced_choices, forced_chance")


def games(program: Program, seats: int) -> list[Game]:
    return [engine.configure(program, seats, {}) for engine in (reference, native)]


@pytest.mark.parametrize(
    ("program", "seats"),
    [
        (tapping(), 3),
        (party(), 2),
        (party(forced_choices=True), 2),
        (compile_text(SAID).program, 3),
        (compile_text(FORCED).program, 3),
        (load("snap").program, 2),
        (load("snap").program, 5),
    ],
)
def test_no_difference(program: Program, seats: int) -> None:
    assert differ(program, seats, 250) is None


RACES = """game "Races":
  players: 2..4

timer glass: 5 seconds
timer long: 40 seconds
values Card: 1..6
zone deck: pile of Card, seen by nobody, starts with each Card times 2
zone heap: pile of Card
marker taps for each player: 0..99
marker votes: 0..99
marker laps: 0..99

move tap:
  require late: left of glass < 3000 because "too early"
  my taps rises by 1
  if remainder(my taps, 2) is 1: put top from deck onto heap
move hold(n in 1..3):
  require even: remainder(my taps, 2) is 0
  pause glass
  players must once_each vote
  resume glass
move vote(n in 0..2): votes rises by n
move buzz:
  require runs: glass is running
  my taps rises by 1
move done

overview:
  shuffle deck
  start long
  repeat until long is empty or laps is 9:
    start glass
    laps rises by 1
    seat(1) may buzz
    players may freely tap or hold until glass is empty or size of heap >= 12
    players may secretly buzz or done
  end game, (all p in players with most p's taps) wins

prefer tap when my taps < 5
prefer vote with most n when votes > 3
"""
NO_CLOCK = """game "No clock":
  players: 2..3

marker votes: 0..99
move vote(n in 0..2): votes rises by n
move again

overview:
  repeat 3 times:
    players must once_each vote
    players may freely again or vote until votes >= 4 or votes is 1
    votes becomes 0
  end game, nobody wins
"""
TIMED = {
    "snap": (load("snap").program, 3),
    "tapping": (tapping(), 2),
    "races, 2": (compile_text(RACES).program, 2),
    "races, 4": (compile_text(RACES).program, 4),
    "no clock": (compile_text(NO_CLOCK).program, 3),
}


@pytest.mark.parametrize("name", TIMED)
@pytest.mark.parametrize("players", ["random", "advised", "mixed"])
def test_whole_games_in_time_are_the_same(name: str, players: str) -> None:
    program, seats = TIMED[name]
    advised = {"random": (), "advised": range(seats), "mixed": (0,)}[players]
    agents = [AdvisedAgent() if seat in advised else RandomAgent() for seat in range(seats)]
    told = []
    for game in games(program, seats):
        try:
            told.append([repr(each) for each in playouts(game, 12, 5, agents, promises=True)])
        except Exhausted as failure:
            told.append([failure.code, failure.message, str(failure.line)])
    assert told[0] == told[1] and len(told[0]) > 2


def test_what_is_said_and_when_goes_the_same_way() -> None:
    program = compile_text(SAID).program
    hint, stop, vote = (
        next(i for i, move in enumerate(program.moves) if move.name == name) for name in ("hint", "stop", "vote")
    )
    ways: list[list[Event]] = [
        [Play(0, hint, (5,)), Reading(4_000), Play(0, hint, (2,)), Play(1, stop), Reading(9_000)],
        [Pass(0), Reading(20_000), Reading(19_999), Expiry(1), Expiry(0)],
        [Pass(0), Expiry(0)],
        [
            Pass(0),
            Play(2, stop),
            Expiry(1),
            Play(1, vote, (0,)),
            Play(1, vote, (0,)),
            Play(0, vote, (1,)),
            Play(2, vote, (0,)),
        ],
        [Pass(0), Play(0, hint, (84,)), Play(0, hint, (10**6,)), Play(1, hint, (1,)), Play(0, hint, (0, 0)), Expiry(7)],
        [Reading(10**13), Reading(-1), Play(0, hint, (3,)), Reading(10**12)],
    ]
    for way in ways:
        states = [game.start().step(_outcome(game)) for game in games(program, 3)]
        for event in way:
            told = []
            for place, state in enumerate(states):
                try:
                    states[place] = state.step(event)
                    told.append("")
                except Refused as refused:
                    told.append(repr(refused.reasons))
            assert told[0] == told[1]
            one, other = states
            assert one.to_bytes() == other.to_bytes() and one.waiting == other.waiting
            assert (one.now, one.deadline, one.cost, one.outcome) == (
                other.now,
                other.deadline,
                other.cost,
                other.outcome,
            )
            assert all(one.information(seat) == other.information(seat) for seat in (0, 1, 2, None))
            assert [tuple(one.moves(seat)) for seat in range(3)] == [tuple(other.moves(seat)) for seat in range(3)]
            assert states[1].game.from_bytes(one.to_bytes()).to_bytes() == one.to_bytes()


def _outcome(game: Game) -> Event:
    from rulelang.play.event import Outcome

    return Outcome(game.start().chance()[0][0])
