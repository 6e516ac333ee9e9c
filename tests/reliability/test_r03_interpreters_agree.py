"""R3. Interpreters agree: moves and their order, state bytes, every view, cost, refusals, outcome, chance, failures.

`native` is played against `reference` over all rulesets, seats and options, and over made-up games. It must be
installed: without it this fails. RULELANG_JUDGED names another interpreter to be judged.
"""

import os
from collections.abc import Sequence

import pytest
from made_games import SEED, accepted

from rulelang.ir.program import Program
from rulelang.pipeline import engine_named, load
from rulelang.play.alike import Pair
from rulelang.play.closing import close
from rulelang.play.comparing import Compared, Effort
from rulelang.play.configurations import all_seats
from rulelang.play.covering import Covering
from rulelang.play.differing import Difference
from rulelang.play.record import Record, header_of, record_lines
from rulelang.play.shortening import shortest
from rulelang.play.wholes import Configured, compare_compiled
from rulelang.rulesets import all_rulesets

JUDGED = os.environ.get("RULELANG_JUDGED", "native")

RULESETS = tuple(name for name, _ in all_rulesets())
MOVES = 3_600
"""Of each ruleset."""
FEWER = {
    "monster-bande": 400,
    "taiwan-monsters-brawl": 1_400,
    "13-animals": 2_000,
    "blotto": 1_200,
    "breakthrough": 300,
    "connect-four": 4_000,
    "crazy-eights": 2_000,
    "dots-and-boxes": 4_000,
    "hanabi": 2_000,
    "little-rummy": 2_500,
    "othello": 2_500,
}
"""Of those that take their time."""

COMPILED = 1_900
"""Events of each ruleset in compiled games, and answers in compiled batches, that the reference plays, too."""
FEWER_COMPILED = {"breakthrough": 200, "blotto": 400, "meadow-tiles": 500, "othello": 800, "five-in-a-row": 900}
UNSTEPPED = ("caravan-decks", "monster-bande", "snap")
"""Those that have no batches: table time, and what LLVM has no steps for."""

MADE, MADE_PARTS, MADE_MOVES = 30, 4, 100
"""Made-up games of a part, the parts, and the moves of each game."""
LEAST_MADE = 1_500
"""Moves of a part: some games end, or reach a limit, before all are played."""

OFTEN = Effort(closely=8, attempts=4, saved=8, compiled=False)
"""Views, bytes, moves and cost in every state; the rest in one of eight and what was observed wherever a game ends.
Compiled games are held against printed Python by `test_r03_compiled_games.py`, which is much faster."""


def judge(
    program: Program, seats: Sequence[int], moves: int, seed: int, effort: Effort = OFTEN, *, varied: bool = True
) -> Compared:
    """What was compared; a difference fails, with the shortest record that was found."""
    covering = Covering(engine_named(JUDGED), engine_named("reference"), program, seed, effort)
    difference = covering.compare(seats, None if varied else {}, moves)
    if difference is not None:
        short = shortest(covering.first, covering.second, program, difference)
        pytest.fail(said(program, short), pytrace=False)
    return covering.counts


def said(program: Program, difference: Difference) -> str:
    """A difference with its record."""
    closed = close(program, difference.seats, difference.options)
    record = Record(header_of(closed, difference.seed, difference.game), difference.events)
    sides = f"  {JUDGED}: {difference.first}\n  reference: {difference.second}\n"
    return f"{program.name}: {difference.what}\n{sides}{''.join(record_lines(closed, record))}"


def judge_made(first: int, count: int, moves: int, effort: Effort = OFTEN, *, varied: bool = False) -> int:
    """Made-up games, each for some number of seats, or varied in seats and options; how many moves were compared."""
    played = 0
    for number, compiled in accepted(first, count):
        program = compiled.program
        seats = all_seats(program)
        chosen = seats if varied else seats[number % len(seats) :][:1]
        played += judge(program, chosen, moves, SEED + number, effort, varied=varied).moves
    return played


@pytest.mark.parametrize("name", RULESETS)
def test_interpreters_agree_on_rulesets(name: str) -> None:
    program = load(name).program
    moves = FEWER.get(name, MOVES)
    counts = judge(program, all_seats(program), moves, SEED)
    assert counts.moves == moves
    assert counts.configurations >= len(all_seats(program)) and counts.games > 4
    assert counts.attempts > moves // 8 and counts.saved > moves // 400


@pytest.mark.parametrize("part", range(MADE_PARTS))
def test_interpreters_agree_on_made_up_games(part: int) -> None:
    assert judge_made(1_000 + part * MADE, MADE, MADE_MOVES) >= LEAST_MADE


@pytest.mark.parametrize("name", RULESETS)
def test_compiled_games_and_batches_agree_with_the_reference(name: str) -> None:
    program = load(name).program
    seats = program.fewest_seats
    games = Pair(*(engine_named(each).configure(program, seats, {}) for each in (JUDGED, "reference")))
    counts = Compared(moves=FEWER_COMPILED.get(name, COMPILED))
    difference = compare_compiled(Configured(games, seats, {}, SEED), counts)
    if difference is not None:
        pytest.fail(said(program, difference), pytrace=False)
    if JUDGED == "native":
        assert counts.compiled >= counts.moves
        assert counts.stepped >= counts.moves or name in UNSTEPPED


def test_that_is_as_much_as_is_asked_for() -> None:
    stepped = sum(FEWER.get(name, MOVES) for name in RULESETS) + MADE_PARTS * LEAST_MADE
    compiled = [FEWER_COMPILED.get(name, COMPILED) * (1 if name in UNSTEPPED else 2) for name in RULESETS]
    assert stepped >= 100_000 and stepped + sum(compiled) >= 200_000
