"""Compiled games in table time are those of printed Python, to the bit: proposals, looks at the clock, timers, votes,
talk, and how late it is at the end. Spec 11 and 12.
"""

from collections.abc import Mapping
from pathlib import Path

import pytest
from test_native_time import NO_CLOCK, RACES
from timed_programs import party, tapping

from rulelang.failures import Exhausted
from rulelang.ir.program import Program
from rulelang.pipeline import compile_text, load
from rulelang.play.playouts import GameSummary
from rulelang_native import engine, in_time, playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm import starting, timing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.games import STATUS
from rulelang_native.llvm.steps import StepPrinter
from rulelang_native.lowering.failing import NotLowered

SEED = 31

TWO_AT_ONCE = """game "Two at once":
  players: 2..3

timer one_glass: 4 seconds
timer other_glass: 4 seconds
timer long: 8 seconds
marker laps: 0..9
marker taps for each player: 0..999
marker empties: 0..99

move tap: my taps rises by 1
move stop_one:
  require runs: one_glass is running
  pause one_glass
move again:
  require stopped: one_glass is paused or one_glass is empty
  start one_glass
move go_on:
  require paused: other_glass is paused
  resume other_glass
move stop_two: pause other_glass

overview:
  repeat until laps is 6:
    laps rises by 1
    if remainder(laps, 2) is 1:
      start other_glass
      start one_glass
    otherwise:
      start one_glass
      resume other_glass
    start long
    players may freely tap or stop_one or again or go_on or stop_two until one_glass is empty and long is not running
    if other_glass is empty: empties rises by 1
    reset long
  end game, each p in players gets p's taps + 1000 * empties
"""
"""Two timers that are empty at one moment, stopped, and set again."""

SAME_MOMENT = """game "Same moment":
  players: 2..3

timer one: 5 seconds
timer two: 5 seconds
timer three: 5 seconds
marker taps for each player: 0..999
marker laps: 0..99
marker seen: 0..9999

move tap: my taps rises by 1
move anew: start one

overview:
  repeat until laps is 8:
    laps rises by 1
    start three
    start two
    start one
    players may freely tap or anew until one is empty or two is empty
    if one is empty: seen rises by 1
    if two is empty: seen rises by 10
    if three is empty: seen rises by 100
  end game, each p in players gets p's taps + 1000 * seen
"""
"""Which of three timers comes first decides."""

DEADLINES = """game "Deadlines":
  players: 2..4

timer glass: {limit} milliseconds
marker taps for each player: 0..9999
marker laps: 0..999

move tap: my taps rises by 1

overview:
  repeat until laps is 40:
    laps rises by 1
    start glass
    players may freely tap until glass is empty
  end game, each p in players gets p's taps
"""
"""A glass that is empty before anybody can act (999), at the earliest moment (1000), and in between."""

ALONE = """game "Alone":
  players: 2..4

timer glass: 9 seconds
marker done for each player: 0..9
marker turned: 0..99
values Card: 1..4
zone deck: pile of Card, seen by nobody, starts with each Card times 9
zone heap: pile of Card

move act:
  require left: my done < turned
  my done rises by 1
  if my done is 3: seat(1) must choose
  put top from deck onto heap
move choose(n in 1..3): turned rises by n
move wait_for(p in players):
  require other: p is not me
  require some_done: p's done > my done
  if my done < 9: my done rises by 1
define free = all p in players where p's done < 9

overview:
  shuffle deck
  repeat until turned >= 9:
    turned rises by 1
    start glass
    free may freely act or wait_for until glass is empty or every p in players satisfies p's done >= turned
    players may in_order skip_it as taker
    if taker is nobody:
      each p in players: p must choose
  end game, each p in players gets p's done

move skip_it:
  require few: turned < 6
  turned rises by 1
"""
"""Open play that nobody is in, or nobody can do anything in; choices inside a move and windows behind it."""

LATE = """game "Late":
  players: 2..3

timer glass: 6 seconds
marker points for each player: 0..9999
marker laps: 0..99

move early(n in 1..4):
  require soon: left of glass > 1000 * n because "too late for that"
  my points rises by n
move whenever_you_like: my points rises by 1
move at_last(p in players):
  require near: left of glass < 2500
  if p's points > 2: p's points falls by 2
define able = all p in players where left of glass > 3000 or seat_number(p) > 1

overview:
  repeat until laps is 12:
    laps rises by 1
    start glass
    able may freely early or whenever_you_like or at_last until glass is empty
  end game, each p in players gets p's points
"""
"""Who may act, and how, depends on the clock: who has looked may come too late."""

PILES_LATE = LATE.replace(
    "move whenever_you_like",
    "zone bits: bag of 1..3, starts with each 1..3 times 2\n"
    "move three(g in bags(2, bits)): my points rises by size of g\n"
    "move whenever_you_like",
).replace("early or whenever", "early or three or whenever")

TABLE = """game "Table":
  players: 2..16

timer glass: 20 seconds
marker calls: 0..99
marker points for each player: 0..999
values Side: left, right

move call(s in Side):
  require table_only: me is table
  calls rises by 1
  if s is left: pause glass
  otherwise: resume glass
move tap:
  require player_only: me is not table
  my points rises by 1
move over:
  require paused: glass is paused
  resume glass

overview:
  repeat 3 times:
    start glass
    players + [table] may freely call or over until glass is empty or calls >= 20
    players may freely tap or over until glass is empty
    table must call
    calls becomes 0
  end game, each p in players gets p's points
"""

STUCK = """game "Stuck":
  players: 2
timer glass: 5 seconds
marker taps: 0..99
move tap:
  require few: taps < 9
  taps rises by 1
  if taps is 9: pause glass
move hold:
  require fewer: taps < 9
  pause glass
overview:
  start glass
  players may freely tap or hold until taps is 99
  end game, nobody wins
"""
"""Nobody can do anything, and no timer runs."""

ENDLESS = """game "Endless":
  players: 2
timer glass: 5 seconds
move tap: start glass
overview:
  start glass
  players may freely tap until glass is empty and glass is running
  end game, nobody wins
"""

OVERFULL = """game "Overfull":
  players: 2
timer glass: 60 seconds
marker taps for each player: 0..7
move tap: my taps rises by 1
overview:
  start glass
  players may freely tap until glass is empty
  end game, each p in players gets p's taps
"""


def program_of(text: str, **given: object) -> Program:
    for name, value in given.items():
        text = text.replace("{" + name + "}", str(value))
    return compile_text(text).program


PROGRAMS: Mapping[str, tuple[Program, tuple[int, ...]]] = {
    "tapping": (tapping(), (2, 3)),
    "party": (party(), (2, 3)),
    "forced party": (party(forced_choices=True), (2,)),
    "races": (compile_text(RACES).program, (2, 4)),
    "no clock": (compile_text(NO_CLOCK).program, (2, 3)),
    "two at once": (program_of(TWO_AT_ONCE), (2, 3)),
    "same moment": (program_of(SAME_MOMENT), (2, 3)),
    **{f"deadline {limit}": (program_of(DEADLINES, limit=limit), (2, 4)) for limit in (1, 999, 1000, 1001, 4500)},
    "alone": (program_of(ALONE), (2, 4)),
    "late": (program_of(LATE), (2, 3)),
    "table": (program_of(TABLE), (2, 16)),
}


def told(game: Game, n: int, machine: Compiled | None = None, seed: int = SEED) -> list[GameSummary | str]:
    """Games of printed Python, or of a compiled program, each by itself; or why there is none."""
    found: list[GameSummary | str] = []
    for number in range(n):
        try:
            if machine is None:
                found += playing.playouts(game, 1, seed, "random", number)
            else:
                found += compiled_playing.playouts(game, machine, 1, seed, number)
        except Exhausted as failure:
            found.append(f"{failure.code} {failure.message} {failure.line}")
    return found


def given_up(machine: Compiled, n: int, seed: int = SEED) -> int:
    return sum(1 for number in range(n) if machine.playouts(1, seed, number)[STATUS])


@pytest.mark.parametrize("name", PROGRAMS)
def test_small_programs_are_played_alike(name: str) -> None:
    program, numbers = PROGRAMS[name]
    for seats in numbers:
        game = engine.configure(program, seats, {})
        machine = Compiled(game, 1)
        games = told(game, 40)
        assert told(game, 40, machine) == games
        assert not given_up(machine, 40), "these never come to a limit"
        assert len({str(each) for each in games}) > 5


@pytest.mark.parametrize(("name", "seats", "n"), [("snap", 2, 30), ("snap", 6, 20), ("monster-bande", 3, 4)])
def test_rulesets_are_played_alike(name: str, seats: int, n: int) -> None:
    game = engine.configure(load(name).program, seats, {})
    machine = Compiled(game, 1)
    assert told(game, n, machine) == told(game, n)
    assert not given_up(machine, n)


MONSTERS: list[tuple[int, dict[str, int | str | bool]]] = [
    (2, {"preset": "younger"}),
    (2, {"mode": "memo"}),
    (3, {"second_guess": "may_decline", "stop_verdict": "by_vote", "drawing": "automatic"}),
    (3, {"expiry_card": "finish_guess", "three_error_ends": "first_miss", "error_ends_turn": "both"}),
    (4, {"standing_up": "explicit", "team_touch": "consensus", "stop_callers": "anyone", "couples": 9}),
    (4, {"stop_verdict": "external", "vote_tie": "revote", "describer_rotation": "free", "couples": 9}),
    (5, {"allow_pass": True, "put_back": "deferred", "hourglass_turner": "any_player", "max_rounds": 6}),
    (8, {"team_assignment": "random", "team_count": 4, "starting_player": "random", "couples": 6}),
]


@pytest.mark.parametrize(("seats", "options"), MONSTERS)
def test_options_of_monster_bande_are_played_alike(seats: int, options: dict[str, int | str | bool]) -> None:
    game = engine.configure(load("monster-bande").program, seats, options)
    assert told(game, 2, Compiled(game, 1)) == told(game, 2)


def test_what_cannot_go_on_is_said_by_printed_python() -> None:
    for text, code in ((STUCK, "RL8022"), (ENDLESS, "RL8028"), (OVERFULL, "RL")):
        game = engine.configure(program_of(text), 2, {})
        machine = Compiled(game, 1)
        n = 1 if text is ENDLESS else 12
        games = told(game, n)
        assert told(game, n, machine) == games
        assert any(str(each).startswith(code) for each in games)
        assert given_up(machine, n) == sum(isinstance(each, str) for each in games)


def test_tiers_blocks_and_totals_are_the_same() -> None:
    game = engine.configure(program_of(TWO_AT_ONCE), 3, {})
    machine, quick = Compiled(game, 2), Compiled(game, 1, quick=False)
    games = list(playing.playouts(game, 50, SEED, "random", 7))
    assert list(compiled_playing.playouts(game, machine, 50, SEED, 7)) == games
    assert list(compiled_playing.playouts(game, quick, 50, SEED, 7)) == games
    events, decisions = sum(each.length for each in games), sum(each.decisions for each in games)
    assert machine.totals(50, SEED, 7) == (events, decisions, 0)
    assert all(each.time > 0 for each in games)


def test_games_that_begin_at_once_tell_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "objects"))
    game = engine.configure(load("snap").program, 3, {})
    starting.keep(game, "these rules", 3, {})
    known = starting.beginning("these rules", 3, {})
    assert known is not None
    assert known.summaries(20, SEED) == list(playing.playouts(game, 20, SEED, "random"))


def waits(monkeypatch: pytest.MonkeyPatch, longest: int) -> None:
    """Acts take so long at most."""
    for module in (timing, in_time):
        monkeypatch.setattr(module, "LONGEST", longest)
    monkeypatch.setattr(timing, "DELAYS", longest - timing.SHORTEST + 1)


@pytest.mark.parametrize("name", ["races", "alone", "same moment", "deadline 1001", "late", "table", "no clock"])
def test_equal_times_go_by_the_order_of_the_list(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waits(monkeypatch, timing.SHORTEST + 1)
    program, numbers = PROGRAMS[name]
    game = engine.configure(program, numbers[-1], {})
    assert told(game, 40, Compiled(game, 1)) == told(game, 40)


def test_draws_that_are_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 7001 waiting times hardly any draw is unfair; of very many more than half are."""
    waits(monkeypatch, 2**31 + 12_345)
    text = DEADLINES.replace("{limit}", "60000000").replace("laps is 40", "laps is 3")
    for program in (program_of(text), compile_text(NO_CLOCK).program):
        game = engine.configure(program, 3, {})
        machine = Compiled(game, 1)
        games = told(game, 30)
        assert told(game, 30, machine) == games
        assert not given_up(machine, 30)


def test_what_has_no_form_is_named() -> None:
    game = engine.configure(program_of(PILES_LATE), 2, {})
    with pytest.raises(NotLowered, match="depends on the clock, and answers hold several things"):
        Compiled(game)
    assert game.compiled is None
    with pytest.raises(NotLowered, match="table time has no steps in LLVM yet"):
        StepPrinter(engine.configure(load("snap").program, 2, {}))
