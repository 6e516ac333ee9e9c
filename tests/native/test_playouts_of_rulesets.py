"""Games of every ruleset at once: each is the one that a match plays with the same seed, number and players."""

import pytest
from both_engines import native
from by_matches import by_matches, came_to

from rulelang.pipeline import load
from rulelang.play.configurations import all_seats
from rulelang.rulesets import all_rulesets

RULESETS = tuple(name for name, _ in all_rulesets())
GAMES = {"13-animals": 2, "breakthrough": 2, "monster-bande": 1}


@pytest.mark.parametrize("kind", ["random", "advised", "mixed"])
@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_at_random_and_as_advised(name: str, kind: str) -> None:
    program = load(name).program
    for seats in {min(all_seats(program)), max(all_seats(program))}:
        game = native.configure(program, seats, {})
        mixed = [("random", "advised")[seat % 2] for seat in range(seats)]
        policy = mixed if kind == "mixed" else [kind] * seats
        n = GAMES.get(name, 12)
        chosen = tuple(policy) if kind == "mixed" else kind
        found = came_to(lambda game=game, n=n, chosen=chosen: list(game.playouts(n, 5, chosen)))  # type: ignore[misc]
        assert found == came_to(lambda seats=seats, n=n, policy=policy: by_matches(program, seats, policy, n))  # type: ignore[misc]
