"""An interpreter that plays whole games by itself is let do so, where all players are ones that it knows."""

from rulelang import load
from rulelang.play.agents import AdvisedAgent, RandomAgent
from rulelang.play.playouts import playouts


def test_simulations_hand_whole_games_over() -> None:
    agents = [RandomAgent(), AdvisedAgent()]
    native = load("pig", engine="native").configure().game
    reference = load("pig").configure().game
    assert list(playouts(native, 6, 3, agents, first=2)) == list(playouts(reference, 6, 3, agents, first=2))
