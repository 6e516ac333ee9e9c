"""The games that the reliability tests play: classics with small options, and made-up ones by number."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from rulelang.failures import Diagnosed, Exhausted, Refused
from rulelang.pipeline import Compiled, compile_text, engine_named, load
from rulelang.play.engine import Game, State
from rulelang.play.event import Answer
from rulelang.testing import Dice, game_text

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "tests" / "records"

SEED = 1
"""Of all generated games; another number of the example gives another game."""

CLASSICS: Mapping[str, tuple[str, int, Mapping[str, int | str | bool]]] = {
    "connect-four": ("connect-four", 2, {"rows": 4, "columns": 4, "in_a_row": 3}),
    "dots-and-boxes": ("dots-and-boxes", 2, {}),
    "goofspiel": ("goofspiel", 2, {"cards": 5}),
    "goofspiel-hidden": ("goofspiel", 2, {"cards": 4, "order": "descending", "bids": "hidden"}),
    "kuhn-poker": ("kuhn-poker", 3, {}),
    "leduc-poker": ("leduc-poker", 2, {}),
    "liars-dice": ("liars-dice", 2, {"dice": 2}),
    "pig": ("pig", 2, {"target": 30, "horizon": 60}),
    "tic-tac-toe": ("tic-tac-toe", 2, {}),
}
HIDDEN = ("goofspiel-hidden", "kuhn-poker", "leduc-poker", "liars-dice")
"""Those in which somebody does not see something."""


@cache
def classic(name: str) -> Game:
    """One of the classics, closed."""
    ruleset, seats, options = CLASSICS[name]
    return load(ruleset).configure(seats, options).game


def accepted(first: int, count: int) -> Iterator[tuple[int, Compiled]]:
    """The generated games with these numbers that are accepted; any other end than Diagnosed is a failure."""
    for number in range(first, first + count):
        try:
            yield number, compile_text(game_text(Dice.seeded(SEED, number)))
        except Diagnosed:
            continue


def closed(number: int, compiled: Compiled) -> Game | None:
    """A generated game closed for some number of seats and some options; None if it is too large or refused."""
    program = compiled.program
    dice = Dice.seeded(SEED + 1, number)
    seats = dice.between(program.fewest_seats, program.most_seats)
    try:
        return engine_named("reference").configure(program, seats, {})
    except (Refused, Exhausted):
        return None


def games(first: int, count: int) -> Iterator[tuple[int, Game]]:
    """Generated games, ready to play."""
    for number, compiled in accepted(first, count):
        game = closed(number, compiled)
        if game is not None:
            yield number, game


def listed(state: State, seat: int) -> list[Answer] | None:
    """The legal answers of a seat; None if they cannot be listed, as a requirement stumbles over what is none."""
    try:
        return list(state.moves(seat))
    except Exhausted:
        return None
