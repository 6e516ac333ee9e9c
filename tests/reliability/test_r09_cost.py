"""R9. What a step costs is never more than its static bound, and the same after a round trip through JSON."""

import pytest
from made_games import CLASSICS, classic, games

from rulelang.failures import Exhausted
from rulelang.ir.codec import content_hash, dumps, loads
from rulelang.ir.cost import Costs
from rulelang.pipeline import engine_named
from rulelang.play.engine import Game
from rulelang.play.record import header_of
from rulelang.testing import Dice, playthrough

STEPS = 40


def again(game: Game) -> Game:
    """The same game, by way of JSON."""
    program = loads(dumps(game.program))
    assert program == game.program and content_hash(program) == content_hash(game.program)
    header = header_of(program, 0)
    return engine_named("reference").configure(program, header.seats, header.options)


def check_costs(game: Game, dice: Dice) -> tuple[int, int]:
    """How many steps there were, and for how many a bound can be told."""
    costs, twin = Costs(game.program), again(game)
    steps, bounded = 0, 0
    assert twin.program == game.program, "closing once more changes nothing"
    try:
        other = twin.start()
    except Exhausted:
        return 0, 0
    setup = costs.setup()
    assert setup is None or other.cost <= setup
    bounds: dict[int, int | None] = {}
    for state, event in playthrough(game, dice, STEPS):
        assert (state.cost, state.to_bytes()) == (other.cost, other.to_bytes())
        if event is None:
            break
        node = state.waiting.node
        bound = bounds.setdefault(node, costs.event(node))
        other = other.step(event)
        steps += 1
        if bound is not None:
            bounded += 1
            assert other.cost <= bound, (node, event)
    return steps, bounded


@pytest.mark.parametrize("name", CLASSICS)
def test_classics_cost_no_more_than_their_bounds(name: str) -> None:
    for number in range(4):
        steps, bounded = check_costs(classic(name), Dice.seeded(71, number))
        assert steps
        assert bounded or classic(name).program.forced_choices, "choices that resolve themselves have no bound"


def test_generated_games_cost_no_more_than_their_bounds() -> None:
    found = [check_costs(game, Dice.seeded(72, number)) for number, game in games(0, 150)]
    assert sum(steps for steps, _ in found) > 2_000
    assert sum(bounded for _, bounded in found) > 500
