"""R3 for the third interpreter. Compiled games are those of printed Python: kinds of end, winners, returns, lengths,
decisions, cost. Printed Python is held against the reference, state by state, by `test_r03_interpreters_agree.py`.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, cast

import pytest
from made_games import accepted

from rulelang.failures import Exhausted, Refused
from rulelang.pipeline import load
from rulelang.play.batches import Batch, Matches, in_table_time
from rulelang.play.chance import Stream
from rulelang.play.configurations import all_seats, choices
from rulelang.play.engine import NoRoom
from rulelang.play.playouts import GameSummary
from rulelang.rulesets import all_rulesets
from rulelang_native import engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.batches import BatchProgram, CompiledBatch
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import FIRST
from rulelang_native.lowering.failing import NotLowered

RULESETS = tuple(name for name, _ in all_rulesets())
MOVES = 7_500
"""Of each ruleset, by all seats together: more than 200,000 in all."""
BLOCK = 4


@lru_cache(4)
def compiled(name: str, variant: int) -> tuple[Game, Compiled]:
    """A ruleset with some seats and options, compiled."""
    program = load(name).program
    seats = all_seats(program)
    count = seats[variant % len(seats)]
    known = choices(program, count)
    options = {} if variant == 0 or not known else dict([known[variant % len(known)]])
    game = engine.configure(program, count, options)
    return game, Compiled(game, FIRST)


def told(games: Iterator[GameSummary]) -> list[str]:
    """What games there are, up to one that comes to a limit, which is told as well."""
    found: list[str] = []
    try:
        found += [str(each) for each in games]
    except Exhausted as failure:
        found.append(str(failure))
    return found


def check_compiled(name: str, variant: int, seed: int, moves: int) -> int:
    """Random games until there were so many moves; how many there were."""
    game, machine = compiled(name, variant)
    done = first = 0
    while done < moves:
        mine = told(compiled_playing.playouts(game, machine, BLOCK, seed, first))
        theirs = told(playing.playouts(game, BLOCK, seed, "random", first))
        assert mine == theirs, (name, game.seats, seed, first)
        done += machine.totals(BLOCK, seed, first)[1]
        first += BLOCK
        if done == 0 and first >= 50 * BLOCK:
            break  # nobody ever decides anything, or every game is given up
    return done


@pytest.mark.parametrize("name", RULESETS)
def test_compiled_games_are_those_of_printed_python(name: str) -> None:
    assert check_compiled(name, 0, 20, MOVES) >= MOVES


def compiled_rulesets(first: int, count: int) -> int:
    """For long runs: rulesets with all seats and options in turn."""
    done = 0
    for number in range(first, first + count):
        draw = Stream(number)
        name = RULESETS[number % len(RULESETS)]
        try:
            done += check_compiled(name, draw.below(1 << 16), draw.below(1 << 30), MOVES)
        except (NotLowered, Refused):  # not with these seats or options
            continue
    return done


def compiled_made_games(first: int, count: int) -> Counter[str]:
    """Made-up games, whole and as a batch: decisions of seats, games, and those that come to a limit."""
    found = Counter(numbers=count)
    for _, made in accepted(first, count):
        try:
            game = engine.configure(made.program, made.program.fewest_seats, {})
            machine = Compiled(game, FIRST, promises=bool(game.program.invariants))
        except (NotLowered, Refused, Exhausted):  # nor does it begin elsewhere
            continue
        for number in range(BLOCK):
            mine = told(compiled_playing.playouts(game, machine, 1, 7, number))
            theirs = told(playing.playouts(game, 1, 7, "random", number, promises=True))
            assert mine == theirs, (made.program.name, number)
            found["promises"] += len(game.program.invariants)
            found["moves"] += machine.totals(1, 7, number)[1]
            found["games"] += 1
            found["given up"] += machine.totals(1, 7, number)[2]
        found["steps"] += stepped_alike(game)
    return found


def stepped_alike(game: Game) -> int:
    """A batch of a game, beside one of matches: how many steps there were."""
    if in_table_time(game.program):
        return 0
    try:
        mine: Batch = CompiledBatch(BatchProgram(game, FIRST), BLOCK, 7, 0)
    except (NotLowered, Exhausted, NoRoom):
        return 0
    theirs, step = Matches(cast(Any, game), BLOCK, 7), 0
    while step < 20 and not theirs.over:
        assert mine.seats == theirs.seats and mine.counts == theirs.counts and mine.views_many() == theirs.views_many()
        places = [(5 * step + 3 * number) % count if count else 0 for number, count in enumerate(theirs.counts)]
        for batch in (mine, theirs):
            batch.step_many(places)
        step += 1
    for number in range(BLOCK):
        assert str(mine.failure(number)) == str(theirs.failure(number))
        assert mine.outcome(number) == theirs.outcome(number)
    return step


@pytest.mark.parametrize("first", [5110, 5530])
def test_made_up_games_are_those_of_printed_python(first: int) -> None:
    """Among these some were found that were not."""
    found = compiled_made_games(first, 8)
    assert found["moves"] > 50 and found["steps"] > 20 and found["promises"] > 0
