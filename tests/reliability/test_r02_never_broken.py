"""R2. An accepted program never ends in Broken, and what lowering makes always verifies.

The games are also those of R1's generated texts: whatever `compile_text` raises besides Diagnosed fails here. In every
state the author's promises are asked for; the generated ones hold by construction (R2 is where they are played most).
"""

import pytest
from made_games import CLASSICS, accepted, classic, closed

from rulelang.ir.verify import verify
from rulelang.testing import Dice, playthrough

STEPS = 50
PART = 250


def play(first: int, count: int) -> tuple[int, int]:
    """How many games were accepted, and how many events they took; everything else that can happen is a failure."""
    programs, events = 0, 0
    for number, compiled in accepted(first, count):
        programs += 1
        game = closed(number, compiled)
        if game is None:
            continue
        assert not verify(game.program), number
        for state, event in playthrough(game, Dice.seeded(3, number), STEPS):
            assert game.invariants(state) == (), number
            events += event is not None
    return programs, events


@pytest.mark.parametrize("part", range(8))
def test_generated_games_never_break(part: int) -> None:
    programs, events = play(part * PART, PART)
    assert programs >= 0.8 * PART
    assert events >= 10 * programs, "the games are over before they have begun"


@pytest.mark.parametrize("name", CLASSICS)
def test_classics_never_break(name: str) -> None:
    for number in range(20):
        for state, _ in playthrough(classic(name), Dice.seeded(4, number), 4 * STEPS):
            assert classic(name).invariants(state) == ()
