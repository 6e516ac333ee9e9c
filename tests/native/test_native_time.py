"""Time, open play, votes and spoken answers: the native interpreter answers as the reference does. Spec 11 and 12."""

import pytest
from both_engines import differ, native, reference
from timed_programs import party, tapping

from rulelang.failures import Refused
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


def test_whole_games_in_time_are_the_same() -> None:
    for agents in ([RandomAgent()] * 3, [AdvisedAgent(), RandomAgent(), AdvisedAgent()]):
        one, other = (list(playouts(game, 6, 5, agents, promises=True)) for game in games(load("snap").program, 3))
        assert one == other and all(game.time > 0 for game in one)


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
