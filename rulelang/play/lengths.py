"""A game that goes on for too long: what is said of it, and where the rules let it. Spec 16.1."""

from rulelang.diagnostics.codes import GAME_TOO_LONG, NO_SUCH_TIME
from rulelang.failures import Exhausted
from rulelang.ir.nodes import AnyOfSeats, Decide
from rulelang.ir.origin import Source
from rulelang.ir.program import Program
from rulelang.limits import LAST_TIME
from rulelang.play.reasons import exhausted, placed


def too_long(program: Program, node: int, number: int, limit: int) -> Exhausted:
    """That a game is not over after so many events, and the wait at which it was found.

    Whoever plays many games is told which one it is.
    """
    game = f"Game {number} of this seed" if number else "The game"
    words = GAME_TOO_LONG.sentence.format(game=game, limit=limit)
    if _open_play(program, node):
        words += " It is in open play here, which perhaps nothing ends."
    return placed(Exhausted(GAME_TOO_LONG.number, words), _at(program, node))


def too_late(program: Program, node: int, time: int) -> Exhausted:
    """That an automatic player would act after the last moment that there is, and where it would."""
    return placed(exhausted(NO_SUCH_TIME, time=time, limit=LAST_TIME), _at(program, node))


def _open_play(program: Program, number: int) -> bool:
    """Whether it is a wait of open play; a vote, in which everybody answers once, is none."""
    node = program.nodes[number] if 0 <= number < len(program.nodes) else None
    return isinstance(node, Decide) and isinstance(node.asked, AnyOfSeats) and node.answered is None


def _at(program: Program, number: int) -> Source | None:
    return program.nodes[number].at if 0 <= number < len(program.nodes) else None
