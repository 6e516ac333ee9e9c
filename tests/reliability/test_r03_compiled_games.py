"""R3 for the third interpreter. Compiled games are those of printed Python: kinds of end, winners, returns, lengths,
decisions, cost. Printed Python is held against the reference, state by state, by `test_r03_interpreters_agree.py`.
"""

from collections.abc import Iterator
from functools import lru_cache

import pytest

from rulelang.failures import Exhausted, Refused
from rulelang.pipeline import load
from rulelang.play.chance import Stream
from rulelang.play.configurations import all_seats, choices
from rulelang.play.playouts import GameSummary
from rulelang.rulesets import all_rulesets
from rulelang_native import engine, playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
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
