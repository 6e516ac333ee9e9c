"""Many games by automatic players, without a state or an answer object in between.

Each game is the one that a match (`rulelang.play.match`) plays with the same seed, number and players: the same draws
for the same decisions and outcomes (Spec 10.6), the same order of sealed answers, the same limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

import attrs

from rulelang import limits
from rulelang.diagnostics import codes
from rulelang.failures import Exhausted
from rulelang.limits import RECORD_EVENTS
from rulelang.play.chance import GAMMA, MASK, PLAYERS, match_key, mix
from rulelang.play.hindrances import dead_end
from rulelang.play.lengths import too_long
from rulelang.play.playouts import GameSummary
from rulelang.play.reasons import exhausted, placed, standing
from rulelang_native.endings import outcome_of
from rulelang_native.runtime.machine import Entry, Machine
from rulelang_native.runtime.module import Decision
from rulelang_native.state import preferred_place
from rulelang_native.steps import take_outcome

if TYPE_CHECKING:
    from rulelang_native.game import Game

Policy = Sequence[Literal["random", "advised"]]
"""One automatic player for each seat."""

MANY = limits.LISTED_MOVES + 1


def playouts(
    game: Game, n: int, seed: int, policy: str | Policy, first: int = 0, *, promises: bool = False
) -> Iterator[GameSummary]:
    """Games ``first`` to ``first + n - 1`` of a seed, one after the other. Raises Exhausted for an endless game."""
    advised = advised_seats(game, policy)
    play = playout
    if game.module.in_time:
        from rulelang_native.in_time import playout_in_time

        play = playout_in_time
    watched = _Promises(game) if promises and game.program.invariants else None
    for number in range(first, first + n):
        with game.module.blame.watching():
            summary = play(game, seed, number, advised, watched)
        yield summary if watched is None else attrs.evolve(summary, broken=watched.taken())


class _Promises:
    """Looks at the author's invariants wherever a game waits."""

    def __init__(self, game: Game) -> None:
        functions = game.module.functions
        self._checks = [
            (each.name, functions[f"invariant{place}"], each.at) for place, each in enumerate(game.program.invariants)
        ]
        self._broken: set[str] = set()

    def __call__(self, cells: list[Any]) -> None:
        for name, holds, at in self._checks:
            with standing(at):
                if not holds(cells):
                    self._broken.add(name)

    def taken(self) -> tuple[str, ...]:
        """The names of those that did not hold, in order of declaration; then all is forgotten."""
        found = tuple(name for name, _, _ in self._checks if name in self._broken)
        self._broken.clear()
        return found


def advised_seats(game: Game, policy: str | Policy) -> tuple[bool, ...]:
    """Which seats follow the advice. Raises ValueError for a policy that is none."""
    names = (policy,) * game.seats if isinstance(policy, str) else tuple(policy)
    if len(names) != game.seats or not set(names) <= {"random", "advised"}:
        raise ValueError(f"a policy is 'random' or 'advised', or one of them for each of {game.seats} seats")
    return (*(name == "advised" for name in names), False)  # what belongs to no seat goes on at random


def playout(
    game: Game,
    seed: int,
    number: int,
    advised: tuple[bool, ...],
    look: Callable[[list[Any]], None] | None = None,
) -> GameSummary:
    """One game from its start to its end; somebody may look at the cells wherever it waits."""
    key = match_key(seed, number)
    machine = game.beginning()
    module = game.module
    decisions = module.decisions
    results = module.results
    risky = module.risky
    counts = [0] * (game.seats + 1)
    keys = [mix(key, PLAYERS + seat) for seat in range(game.seats + 1)]
    total, outcomes, answered = machine.cost, 0, 0
    length = 0
    frames, cells = machine.frames, machine.c
    advance, answer_one, listings = machine.advance, machine.answer_one, module.listings
    if look is not None:
        look(cells)
    while machine.over < 0:
        if length >= RECORD_EVENTS:
            raise too_long(game.program, frames[-1][1], number, RECORD_EVENTS)
        machine.cost = 0
        length += 1
        frame = frames[-1]
        decision = decisions.get(frame[1])
        if decision is None:
            urn = machine.urn
            value = urn[_below(mix(key, outcomes), len(urn))] if len(urn) > 1 else urn[0]
            outcomes += 1
            result = results[frame[1]]
            if result is None:
                take_outcome(machine, value)
            else:
                frame[2][result[0]] = value
                frame[1] = result[1]
        elif decision.kind == "seat":
            seat = machine.asked[0]
            found: list[Any] = []
            for move in decision.moves:
                listings[move](cells, seat, found, MANY)
            if decision.may_pass:
                found.append(None)
            count = len(found)
            if advised[seat] or not 0 < count < MANY:
                entry = chosen(game, machine, seat, found, keys[seat], counts, advised[seat])
            elif count > 1:
                # the first draw of mix(keys[seat], counts[seat]), as in rulelang.play.chance, without any call
                word = (keys[seat] + (counts[seat] + 1) * GAMMA) & MASK
                word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
                word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
                word = ((word ^ (word >> 31)) + GAMMA) & MASK
                word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
                word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
                product = ((word ^ (word >> 31)) >> 32) * count
                if product & 0xFFFFFFFF < count:
                    entry = found[_below(mix(keys[seat], counts[seat]), count)]
                else:
                    entry = found[product >> 32]
            else:
                entry = found[0]
            counts[seat] += 1
            answered += 1
            if entry is None or risky:
                machine.carry_out(decision, [(seat, entry)])
            else:
                answer_one(decision, seat, entry)
        else:
            asked = machine.asked
            machine.carry_out(decision, sealed_answers(game, machine, decision, keys, counts, advised))
            for seat in asked:
                counts[seat] += 1
            answered += len(asked)
        advance()
        total += machine.cost
        if look is not None:
            look(cells)
    outcome = outcome_of(machine)
    return GameSummary(number, outcome.kind, outcome.winners, outcome.returns, length, answered, total)


def sealed_answers(
    game: Game, machine: Machine, decision: Decision, keys: list[int], counts: list[int], advised: tuple[bool, ...]
) -> list[tuple[int, Entry | None]]:
    """The answers of all asked seats; in a window nobody is asked behind the first that moves."""
    answers: list[tuple[int, Entry | None]] = []
    for seat in machine.asked:
        found: list[Any] = []
        for move in decision.moves:
            game.module.listings[move](machine.c, seat, found, MANY)
        if decision.may_pass:
            found.append(None)
        entry = chosen(game, machine, seat, found, keys[seat], counts, advised[seat])
        answers.append((seat, entry))
        if decision.first_only and entry is not None:
            break
    return answers


def chosen(
    game: Game, machine: Machine, seat: int, found: list[Any], key: int, counts: list[int], advised: bool
) -> Entry | None:
    """One of the legal answers: the advised one, or any."""
    count = len(found)
    if not count:
        raise dead_end(game.program, game.layout, machine.c, machine.frames[-1][1], seat)
    if count >= MANY:
        raise too_many(game, machine)
    if advised:
        place = preferred_place(game, machine.c, seat, found)
        if place is not None:
            return cast("Entry | None", found[place])
    if count == 1:
        return cast("Entry | None", found[0])
    return cast("Entry | None", found[_below(mix(key, counts[seat]), count)])


def too_many(game: Game, machine: Machine) -> Exhausted:
    """There are more answers than are listed."""
    failure = exhausted(codes.TOO_MANY_MOVES, limit=limits.LISTED_MOVES)
    return placed(failure, game.program.nodes[machine.frames[-1][1]].at)


def drawn_outcome(machine: Machine, key: int) -> None:
    """What chance gives, by the first draw of a key."""
    urn = machine.urn
    value = urn[_below(key, len(urn))] if len(urn) > 1 else urn[0]
    frame = machine.frames[-1]
    result = machine.module.results[frame[1]]
    if result is None:
        take_outcome(machine, value)
    else:
        frame[2][result[0]] = value
        frame[1] = result[1]


def _below(key: int, bound: int) -> int:
    """The first bounded draw of a key. As `rulelang.play.chance.Stream.below`, up to 2**32."""
    drawn = 0
    while True:
        drawn += 1
        word = (key + drawn * GAMMA) & MASK
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
        product = ((word ^ (word >> 31)) >> 32) * bound
        low = product & 0xFFFFFFFF
        if low >= bound or low >= ((1 << 32) - bound) % bound:
            return product >> 32
