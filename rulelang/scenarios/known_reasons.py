"""Every reason that an attempt or a configuration can be refused for, by the name that scenarios write."""

from typing import Final

from rulelang.ir.nodes import Decide
from rulelang.ir.program import Program

ENGINE: Final = {
    "game_over": "the game is over",
    "not_your_turn": "another player is asked",
    "not_offered": "this move is not possible now",
    "already_answered": "the player has answered already",
    "no_such_value": "a value that this game does not have",
    "wrong_event": "the game waits for something else",
    "time_goes_back": "it is later already",
    "no_such_time": "no game is that long",
    "seats": "the wrong number of players",
    "unknown_option": "there is no such option",
    "bad_option": "an option cannot have this value",
    "option_needs": "an option needs another",
}
"""The engine's own reasons."""


def known_reasons(program: Program) -> dict[str, None]:
    """The engine's reasons, and those of this program: requirements, places of parameters, choices, demands."""
    found = dict.fromkeys(ENGINE)
    for move in program.moves:
        found |= dict.fromkeys(requirement.name for requirement in move.requirements)
        found |= dict.fromkeys(f"{parameter.name}_not_there" for parameter in move.parameters)
    for node in program.nodes:
        if isinstance(node, Decide) and node.reason is not None:
            found[node.reason] = None
    return found | dict.fromkeys(demand.name for demand in program.demands)
