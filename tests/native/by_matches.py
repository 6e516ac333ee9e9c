"""Games on the reference interpreter, one move after the other, for what plays many at once to be compared with."""

from collections.abc import Callable, Sequence

from both_engines import reference

from rulelang.failures import Exhausted
from rulelang.ir.program import Program
from rulelang.play.agents import AdvisedAgent, Agent, RandomAgent
from rulelang.play.playouts import GameSummary, playouts

AGENTS: dict[str, Agent] = {"random": RandomAgent(), "advised": AdvisedAgent()}


def by_matches(
    program: Program, seats: int, policy: Sequence[str], n: int, first: int = 0, seed: int = 5
) -> list[GameSummary]:
    """Games on the reference interpreter, one move after the other."""
    game = reference.configure(program, seats, {})
    return list(playouts(game, n, seed, [AGENTS[each] for each in policy], first))


def came_to(play: Callable[[], list[GameSummary]]) -> object:
    """All games, or how and where they were given up."""
    try:
        return play()
    except Exhausted as failure:
        return failure.code, failure.message, failure.file, failure.line
