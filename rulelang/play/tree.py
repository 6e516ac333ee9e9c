"""Exact counts over a game's tree, known as *perft*. Spec 15.6.

A history is one sequence of events from the start; its depth is their number. A joint answer of sealed seats is one
event, and so is each outcome of chance. Counts are those of the oracle files: histories of each depth by what they
wait for, the histories that end, the sum of seat 1's returns over them, and the expected returns of random play.

Equal states have equal trees, so each is walked once for each remaining depth. Information sets depend on what was
observed on the way and need every history; they are counted by a second walk, and only where something is hidden.
"""

import hashlib
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, Final, Literal, cast

import attrs

from rulelang.diagnostics.codes import NO_TREE
from rulelang.failures import Refused
from rulelang.ir.nodes import AnyOfSeats, Decide
from rulelang.play import kinds
from rulelang.play.engine import Game, State, children
from rulelang.play.event import Event, Outcome, Play, Sealed
from rulelang.play.quiet import hides
from rulelang.play.reasons import engine_refusal
from rulelang.play.record import as_line, event_json
from rulelang.play.view import InformationState, View

Progress = Callable[[int], None]
"""Is told now and then how many states have been looked at."""

NodeKind = Literal["seat", "sealed", "chance", "over"]

PROGRESS_EVERY: Final = 1024
REMEMBERED: Final = 1_000_000
"""Subtrees kept at most; beyond that, equal states are walked again."""

KINDS: Final[tuple[tuple[NodeKind, str], ...]] = (
    ("seat", "decision_nodes_by_depth"),
    ("chance", "chance_nodes_by_depth"),
    ("sealed", "simultaneous_nodes_by_depth"),
    ("over", "terminal_histories_by_depth"),
)


@attrs.define
class Tally:
    """The tree below one state down to some depth: element d of each list is about the histories of d events."""

    nodes: dict[NodeKind, list[int]]
    returns_sum: Fraction
    """Of seat 1, over the histories that end."""
    expected: list[Fraction]
    """Of every seat: each return times the probability of its history in random play."""
    ending: Fraction
    """The probability of ending within the depth in random play."""

    @classmethod
    def empty(cls, depth: int, seats: int) -> "Tally":
        """Nothing counted yet."""
        return cls({kind: [0] * (depth + 1) for kind, _ in KINDS}, Fraction(0), [Fraction(0)] * seats, Fraction(0))

    def histories(self, depth: int) -> int:
        """All histories of a depth."""
        return sum(counts[depth] for counts in self.nodes.values())

    def add(self, child: "Tally", weight: Fraction) -> None:
        """Add the tree below one event; ``weight`` is the event's probability in random play."""
        for kind, counts in child.nodes.items():
            mine = self.nodes[kind]
            for depth, count in enumerate(counts):
                mine[depth + 1] += count
        self.returns_sum += child.returns_sum
        self.ending += weight * child.ending
        self.expected = [mine + weight * theirs for mine, theirs in zip(self.expected, child.expected, strict=True)]


@attrs.define
class _Open:
    """A state whose tree is being counted."""

    tally: Tally
    key: bytes
    depth: int
    events: Iterator[tuple[Event, Fraction]]
    state: State
    weight: Fraction
    """The probability of the event that led here."""
    event: Event | None


def perft(
    game: Game,
    depth: int,
    information_sets: bool = True,
    *,
    start: State | None = None,
    name: Callable[[Event], str] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Count the tree down to a depth, in the shape of the oracle files.

    Lists end with the deepest histories there are. Where the depth cuts the tree off (``full_tree`` is false), the
    expected returns are replaced by the probability of ending in time and the part of seat 1's return that falls on it.
    ``name`` words a root move for ``divide``; without it, moves are written as in a record.
    """
    check_has_tree(game)
    root = start if start is not None else game.start()
    below: dict[str, list[int]] = {}
    tally = _count(game, root, depth, below, name or (lambda event: _written(game, event)), progress)
    deepest = max(d for d in range(depth + 1) if tally.histories(d))
    result = _result(tally, deepest, depth, below)
    if information_sets and hides(game.program):
        result["information_sets"] = count_information_sets(game, depth, start=root, progress=progress)
    return result


def check_has_tree(game: Game) -> None:
    """Refuse games whose histories cannot be listed: those with open play, and those where something is said."""
    program = game.program
    for node in program.nodes:
        if isinstance(node, Decide):
            open_play, spoken = isinstance(node.asked, AnyOfSeats), kinds.speaks(program, node)
            if open_play or spoken:
                what = "open play" if open_play else "moves that carry words"
                raise Refused([engine_refusal("no_tree", NO_TREE, None, node.at, what=what)])


def _written(game: Game, event: Event) -> str:
    return as_line(event_json(game.program, event)).rstrip("\n")


def _result(tally: Tally, deepest: int, depth: int, below: dict[str, list[int]]) -> dict[str, Any]:
    full = tally.histories(depth) == tally.nodes["over"][depth]
    result: dict[str, Any] = {
        "full_tree": full,
        "max_depth": deepest,
        "total_histories": sum(tally.histories(d) for d in range(deepest + 1)),
        "histories_by_depth": [tally.histories(d) for d in range(deepest + 1)],
    }
    result |= {name: tally.nodes[kind][: deepest + 1] for kind, name in KINDS}
    result["terminal_histories"] = sum(tally.nodes["over"])
    result["sum_of_player0_returns_over_terminal_histories"] = _exact(tally.returns_sum)
    if full:
        result["expected_returns_uniform_random_play"] = [_exact(amount) for amount in tally.expected]
    else:
        result["probability_of_terminal_within_depth_uniform_random_play"] = _exact(tally.ending)
        result["probability_weighted_player0_return_of_those"] = _exact(tally.expected[0])
    moves = {name: counts[deepest - 1] if counts and deepest else 0 for name, counts in below.items()}
    result["divide"] = {"depth": deepest, "histories_at_that_depth_below_each_root_move": moves}
    return result


def _exact(amount: Fraction) -> dict[str, Any]:
    """A number for machines, and for people; never infinite."""
    return {"exact": str(amount), "decimal": float(amount)}


# ------------------------------------------------------------------ counting


def _count(
    game: Game,
    root: State,
    depth: int,
    below: dict[str, list[int]],
    name: Callable[[Event], str],
    progress: Progress | None,
) -> Tally:
    """Depth first with a stack of our own; ``below`` gets the histories by depth under every root move."""
    configuration = game.program.configuration
    seats = configuration.seats if configuration else game.program.fewest_seats
    known: dict[tuple[bytes, int], Tally] = {}
    looked_at = 1
    stack = [_open(root, depth, seats, Fraction(1), None)]
    while True:
        top = stack[-1]
        step = next(top.events, None)
        if step is not None:
            event, weight = step
            looked_at += 1
            if progress is not None and looked_at % PROGRESS_EVERY == 0:
                progress(looked_at)
            child = _open(top.state.step(event), top.depth - 1, seats, weight, event)
            done = known.get((child.key, child.depth)) if child.key else None
            if done is None:
                stack.append(child)
                continue
        else:
            stack.pop()
            if not stack:
                return top.tally
            done, weight, event, child = top.tally, top.weight, top.event or Outcome(0), top
            if child.key and len(known) < REMEMBERED:
                known[child.key, child.depth] = done
            top = stack[-1]
        top.tally.add(done, weight)
        if len(stack) == 1:
            below[name(event)] = [done.histories(d) for d in range(child.depth + 1)]


def _open(state: State, depth: int, seats: int, weight: Fraction, event: Event | None) -> _Open:
    tally = Tally.empty(depth, seats)
    kind = cast(NodeKind, state.waiting.kind)
    tally.nodes[kind][0] = 1
    outcome = state.outcome
    if outcome is not None:
        tally.returns_sum = outcome.returns[0]
        tally.expected = list(outcome.returns)
        tally.ending = Fraction(1)
    inner = depth > 0 and kind != "over"
    key = hashlib.blake2b(state.to_bytes(), digest_size=20).digest() if inner else b""
    return _Open(tally, key, depth, _weighted(state) if inner else iter(()), state, weight, event)


def _weighted(state: State) -> Iterator[tuple[Event, Fraction]]:
    """Every event that can follow, with its probability in random play."""
    waiting = state.waiting
    if waiting.kind == "chance":
        yield from ((Outcome(value), weight) for value, weight in state.chance())
        return
    ways = [len(state.moves(seat)) for seat in waiting.seats]
    for event in children(state):
        yield event, Fraction(1, math.prod(ways[: _counted(event) if waiting.first_only else None]))


def _counted(event: Event) -> int | None:
    """How many answers of a window count: those up to the first that moves, all if none does."""
    answers = event.answers if isinstance(event, Sealed) else ()
    return next((place for place, answer in enumerate(answers, 1) if isinstance(answer, Play)), None)


# ------------------------------------------------------------------ information sets


def count_information_sets(
    game: Game, depth: int, *, start: State | None = None, progress: Progress | None = None
) -> list[int]:
    """For every seat: how many different things it can know when it is asked, down to a depth."""
    check_has_tree(game)
    configuration = game.program.configuration
    found: list[set[bytes]] = [
        set() for _ in range(configuration.seats if configuration else game.program.fewest_seats)
    ]
    root = start if start is not None else game.start()
    stack: list[tuple[State, Iterator[Event]]] = [(root, _visit(root, depth, found))]
    looked_at = 1
    while stack:
        state, events = stack[-1]
        event = next(events, None)
        if event is None:
            stack.pop()
            continue
        looked_at += 1
        if progress is not None and looked_at % PROGRESS_EVERY == 0:
            progress(looked_at)
        after = state.step(event)
        stack.append((after, _visit(after, depth - len(stack), found)))
    return [len(known) for known in found]


def _visit(state: State, depth: int, found: list[set[bytes]]) -> Iterator[Event]:
    """Note what the asked seats know, and go on to what can follow."""
    for seat in state.waiting.seats:
        if seat < len(found):  # what the table does is nobody's knowledge
            found[seat].add(information_key(state.information(seat)))
    return children(state) if depth > 0 else iter(())


def information_key(information: InformationState) -> bytes:
    """The same for equal information states and for no others, in few bytes."""
    view: View = information.view
    waiting = view.waiting
    text = repr(
        (
            [(seen.slot, seen.member, seen.part, seen.value) for seen in view.seen],
            (waiting.kind, waiting.seats, waiting.moves, waiting.may_pass, waiting.node, waiting.words),
            [(moved.seat, moved.move, moved.arguments) for moved in information.observed],
        )
    )
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).digest()
