"""A difference between two games in words, and as a scenario that notices it."""

from collections.abc import Iterator
from typing import Final

from rulelang.failures import Exhausted, Refused
from rulelang.play.apart import Apart
from rulelang.play.engine import Game, State
from rulelang.play.view import Seen
from rulelang.scenarios.skeleton import NAMES, Skeleton

SUBJECTS: Final = {
    "setup": "one of both cannot be set up",
    "start": "one of both cannot begin",
    "fails": "one of both cannot go on",
    "result": "the results differ",
    "to_move": "others must act, or may pass",
    "words": "players are told other words",
    "chance": "chance can give other things",
    "moves": "other moves are legal",
    "table": "other things lie or are written on the table",
    "size": "there are more or fewer places on the table",
    "pools": "other cards can turn up",
    "view": "somebody sees something else",
    "observed": "somebody observes something else",
    "reasons": "an attempt is refused for other reasons",
}
"""What people can tell of two games."""


def scenario_lines(
    game: Game | None,
    apart: Apart,
    title: str,
    ruleset: str,
    seats: int,
    options: tuple[tuple[str, int | str | bool], ...],
    other: Game | None = None,
) -> Iterator[str]:
    """A scenario that holds in a game and not in the other; ``game`` is None if the game cannot be set up.

    ``other``, if it is known, has words for what there is in the other game only.
    """
    if game is None:
        yield f'scenario "{title}" of "{ruleset}":'
        yield "  given:"
        yield f"    players: {', '.join((*NAMES, *(f'P{n}' for n in range(len(NAMES) + 1, seats + 1)))[:seats])}"
        yield from (f"    option {name} = {_label(label)}" for name, label in options)
        yield "    refused seats"
        return
    skeleton = Skeleton(game)
    yield from skeleton.lines(title, apart.events, options)
    state = game.start()
    try:
        for event in apart.events:
            state = state.step(event)
    except (Refused, Exhausted):
        yield "  # the last line cannot be done"
        return
    if apart.tried is not None:
        if not apart.events:
            yield "  when:"
        said = None if other is None or skeleton.knows(apart.tried) else Skeleton(other).act(apart.tried)
        yield f"    {skeleton.attempt(state, apart.tried, said)}"
        if apart.subject in ("reasons", "moves", "to_move"):
            return
    yield "  then:"
    yield from (f"    {line}" for line in _claims(skeleton, state, apart))


def _claims(skeleton: Skeleton, state: State, apart: Apart) -> Iterator[str]:
    if apart.subject == "table":
        slot, member, _ = apart.first
        yield skeleton.lies(state, slot, member)
    elif apart.subject == "view" and isinstance(apart.first or apart.second, Seen):
        seen = apart.first or apart.second
        who = "# a spectator" if apart.seat is None else skeleton.names[apart.seat]
        mine, theirs = getattr(apart.first, "part", ""), getattr(apart.second, "part", "")
        verb = "never sees" if theirs == "content" and mine != "content" else "sees"
        yield f"{who} {verb} {skeleton.place(seen.slot, seen.member)}"
    yield from skeleton.now(state)


def _label(label: int | str | bool) -> int | str:
    return ("yes" if label else "no") if isinstance(label, bool) else label
