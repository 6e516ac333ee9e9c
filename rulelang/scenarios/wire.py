"""What the conformance protocol says of games: events, waits, results and views as JSON. docs/guide/conformance.md

Events are written as in records (15.5), values by their codes, seats from 1; null is a spectator.
"""

from typing import Any, Final

from rulelang.play.engine import State
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.outcome import GameOutcome
from rulelang.play.record import event_json
from rulelang.play.view import View

PROTOCOL: Final = 1
"""The version of the protocol, in every ``load``."""

STATES: Final = "states"
"""What an engine says it accepts if it can start from the canonical bytes of a state (16.5)."""

TIME: Final = "time"
"""What an engine says it accepts if it knows table time (11.3): it can be asked to ``read`` the clock."""

Json = dict[str, Any]


def waits_json(state: State) -> Json:
    """Who or what must act, and the result if the game is over."""
    waiting = state.waiting
    outcome = state.outcome
    return {
        "waiting": waiting.kind,
        "seats": [seat + 1 for seat in waiting.seats],
        "result": None if outcome is None else result_json(outcome),
    }


def result_json(outcome: GameOutcome) -> Json:
    """How a game ended."""
    return {
        "kind": outcome.kind,
        "winners": [seat + 1 for seat in outcome.winners],
        "returns": [str(amount) for amount in outcome.returns],
        "grade": outcome.grade,
    }


def moves_json(state: State, seat: int) -> list[Json]:
    """Every legal answer of a seat, in the order of their numbers. Raises Exhausted."""
    return [event_json(state.game.program, answer) for answer in state.moves(seat)]


def view_json(state: State, seat: int | None) -> list[Json]:
    """Everything that a seat sees now."""
    view: View = state.view(seat)
    slots = state.game.program.slots
    return [
        {"place": slots[seen.slot].name, "member": seen.member, "part": seen.part, "value": _plain(seen.value)}
        for seen in view.seen
    ]


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def answer_of_json(state: State, event: Json) -> Answer | None:
    """The answer that a line means; None if it means none."""
    names = [move.name for move in state.game.program.moves]
    match event:
        case {"pass": int(seat)}:
            return Pass(seat - 1)
        case {"play": str(name), "seat": int(seat), "arguments": list(arguments)} if name in names and all(
            type(each) is int for each in arguments
        ):
            return Play(seat - 1, names.index(name), tuple(arguments))
        case _:
            return None
