"""Ends of the game that are decided by the order of two lines alone: what each of them asks held in one position.

    if the board is full: end game, nobody wins
    if some line is p's: end game, p wins          # on the last square both hold

Where the game has ended by a condition, play goes on in thought as if that one did not hold. If it comes to another
condition that holds and ends the game otherwise, with nothing in between that changes anything on the table, only the
order of the two lines says which of them counts. Nobody is asked to do without such an order. But the author can say
that it is meant: with ``otherwise``, by the order of a loop (``from``), with ``whenever``; or in ``verify.toml``.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, cast

import attrs

from rulelang.failures import Exhausted
from rulelang.ir import nodes as n
from rulelang.ir.effects import SetLocal, Shuffle
from rulelang.ir.expressions import AllOf, Constant, Expression, MakeList, Select, Value
from rulelang.ir.laps import reachable
from rulelang.ir.program import Program
from rulelang.ir.spoken import Speaker
from rulelang.ir.whenever import asks_whenever
from rulelang.play import kinds
from rulelang.play.closing import close_whole
from rulelang.play.engine import Game, State
from rulelang.play.formulas import Context, evaluate
from rulelang.play.kinds import Layout
from rulelang.play.outcome import GameOutcome
from rulelang.play.position import Position, StackFrame
from rulelang.play.pruning import kept_nodes
from rulelang.play.words import seat_name

LONGEST: Final = 10_000
"""Nodes that play comes to in thought."""


@attrs.frozen
class Decided:
    """Two conditions that both hold in a position, and end the game in two ways."""

    first: n.Branch
    second: n.Branch
    name: str
    """As ``verify.toml`` names it: the rule and both ends, the one that counts first."""
    outcome: GameOutcome
    other: GameOutcome
    """How the game would have ended by the second condition."""


class Orders:
    """Looks for them in one closed program."""

    def __init__(self, game: Game, opened: Program, seats: int, options: Mapping[str, int | str | bool]) -> None:
        """A game, and the open program that was closed like this: it says what the author has written."""
        self.game = game
        self.program = game.program
        self.opened = opened
        self.layout = Layout.of(game.program)
        self._chosen = seats, options

    @cached_property
    def _kept(self) -> list[int]:
        """What the nodes are called in the open program."""
        return kept_nodes(close_whole(self.opened, *self._chosen))

    @cached_property
    def unsaid(self) -> frozenset[int]:
        """The loops whose order the author has not said."""
        unsaid = loops_without_order(self.opened)
        return frozenset(new for new, old in enumerate(self._kept) if old in unsaid)

    @cached_property
    def ending(self) -> frozenset[int]:
        """The nodes from which the game ends on every way, before anybody or anything is waited for."""
        found: set[int] = set()
        quiet = _quiet(self.program)
        grown = True
        while grown:
            more = {
                number
                for number, node in enumerate(self.program.nodes)
                if number not in found and self._ends(node, found, quiet)
            }
            grown = bool(more)
            found |= more
        return frozenset(found)

    def _ends(self, node: n.Node, found: set[int], quiet: frozenset[int]) -> bool:
        match node:
            case n.End():
                return True
            case n.Do():
                return node.next in found and not isinstance(node.effect, Shuffle)
            case n.Branch():
                return node.then in found and node.otherwise in found
            case n.Loop():
                return node.body in found and node.done in found
            case n.Call():
                inside = self.program.procedures[node.procedure].entry
                return inside in found or (node.procedure in quiet and node.next in found)
            case _:
                return False

    @cached_property
    def conditional(self) -> frozenset[int]:
        """The branches that end the game if their condition holds, and need not if it does not."""
        return frozenset(
            number
            for number, node in enumerate(self.program.nodes)
            if isinstance(node, n.Branch) and node.then in self.ending and node.otherwise not in self.ending
        )

    # -------------------------------------------------------------- looking

    def look(self, path: Sequence[int], state: State) -> list[Decided]:
        """What was decided by order when the game ended, given the nodes that were come to last."""
        if self.conditional.isdisjoint(path) or state.outcome is None:
            return []
        found: list[Decided] = []
        position = state.position()
        for number, depth in self._ended_by(path, len(position.frames) - 1):
            first = cast(n.Branch, self.program.nodes[number])
            thought = _Thought(self, position, depth, number, first)
            second = thought.second()
            after = None if second is None else thought.ended(second)
            if second is not None and after is not None and after.outcome not in (None, state.outcome):
                assert after.outcome is not None
                rule = self.program.procedures[state.position().frames[-1].procedure].name
                name = f"{rule}: {self._end(state)} before {self._end(after)}"
                found.append(Decided(first, second, name, state.outcome, after.outcome))
        return found

    def _ended_by(self, path: Sequence[int], depth: int) -> list[tuple[int, int]]:
        """The conditions by which the game has ended, the innermost first, and how deep in the stack each stands.

        Only those behind which nothing was changed: what lies on the table now is what lay there then.
        """
        found: list[tuple[int, int]] = []
        for place in range(len(path) - 2, -1, -1):
            node = self.program.nodes[path[place]]
            match node:
                case n.Branch():
                    if path[place] in self.conditional and path[place + 1] == node.then:
                        found.append((path[place], depth))
                case n.Do(effect=SetLocal()) | n.Loop():
                    pass
                case n.Call():
                    depth -= 1
                case _:
                    break
        return found

    def _end(self, state: State) -> str:
        """The line by which the game has ended, as its author has written it."""
        number = state.position().frames[-1].node
        closed, written = self.program.nodes[number], self.opened.nodes[self._kept[number]]
        if isinstance(closed, n.End) and isinstance(closed.outcome, n.Winners) and isinstance(written, n.End):
            match closed.outcome.seats:
                case Constant(value=(int(seat),)):
                    return f"{seat_name(seat)} wins"
        return end_text(self.opened, written.outcome) if isinstance(written, n.End) else "broken off"


class _Thought:
    """Play from a position as if one condition did not hold there."""

    def __init__(self, orders: Orders, position: Position, depth: int, number: int, first: n.Branch) -> None:
        self.orders = orders
        self.program = orders.program
        self.position = position
        self.frames = [
            [each.procedure, each.node, list(each.locals)] for each in position.frames[: depth + 1]
        ]  # what was called behind the condition is not there
        self.frames[-1][1] = first.otherwise
        self.number = number
        self.first = first
        self.depth = depth
        self.inside = True
        """Whether play is still in what stands below ``otherwise``."""
        self.begun: set[tuple[int, int]] = set()
        """The loops that began behind the condition: a frame, and the local of what is looped over."""

    def second(self) -> n.Branch | None:
        """The next condition that holds and ends the game, if it is only behind the first one by its place."""
        context = Context(self.program, self.orders.layout, self.position.cells, [])  # type: ignore[arg-type]
        try:
            for _ in range(LONGEST):
                _, number, held = cast("tuple[int, int, list[Value]]", self.frames[-1])
                node = self.program.nodes[number]
                self._leave_otherwise(node)
                context.locals = held
                if isinstance(node, n.Branch) and evaluate(node.condition, context):
                    if number in self.orders.conditional:
                        return node if self._by_order(node) else None
                    self.frames[-1][1] = node.then
                elif not self._go_on(node, context):
                    return None
        except Exhausted:
            pass
        return None

    def _leave_otherwise(self, node: n.Node) -> None:
        """Everything below ``otherwise`` stands further to the right than its ``if``, or is another case of it."""
        mine, origin = self.first.at.origin, node.at.origin
        deeper = origin.line > mine.line and origin.column > mine.column
        same = origin.file == mine.file and (origin == mine or deeper)
        if isinstance(node, n.Loop) and (len(self.frames), node.items.number) not in self.begun:
            same = False  # the next lap
        if len(self.frames) - 1 < self.depth or (len(self.frames) - 1 == self.depth and not same):
            self.inside = False

    def _by_order(self, second: n.Branch) -> bool:
        """Whether nothing but the order of lines says that the first condition counts."""
        mine = asks_whenever(self.program, self.first)
        return not self.inside and (not mine or asks_whenever(self.program, second))

    def _go_on(self, node: n.Node, context: Context) -> bool:
        """Carry out what changes nothing on the table; whether it could be."""
        frame = self.frames[-1]
        held = cast("list[Value]", frame[2])
        match node:
            case n.Branch():
                frame[1] = node.otherwise
            case n.Do(effect=SetLocal(local=local, value=value)):
                held[local.number] = evaluate(value, context)
                self.begun.add((len(self.frames), local.number))
                frame[1] = node.next
            case n.Loop():
                items, place = cast("tuple[Value, ...]", held[node.items.number]), held[node.position.number]
                assert isinstance(place, int)
                if place >= len(items):
                    frame[1] = node.done
                    return True
                if (len(self.frames), node.items.number) not in self.begun and frame[1] not in self.orders.unsaid:
                    return False  # the author has said who comes first
                held[node.item.number], held[node.position.number] = items[place], place + 1
                frame[1] = node.body
            case n.Call():
                given = [evaluate(each, context) for each in node.arguments]
                frame[1] = node.next
                called = self.program.procedures[node.procedure]
                rest = [0] * (len(called.locals) - len(given))
                self.frames.append([node.procedure, called.entry, [*given, *rest]])
            case n.Return():
                self.frames.pop()
                return bool(self.frames)
            case n.Leave():
                while self.frames and self.frames.pop()[0] != node.procedure:
                    pass
                return bool(self.frames)
            case _:
                return False
        return True

    def ended(self, second: n.Branch) -> State | None:
        """How the game ends by the second condition; None if a limit is reached."""
        self.frames[-1][1] = second.then
        frames = tuple(
            StackFrame(cast(int, procedure), cast(int, node), tuple(cast("list[Value]", held)))
            for procedure, node, held in self.frames
        )
        try:
            return self.orders.game.position(attrs.evolve(self.position, frames=frames))
        except Exhausted:
            return None


def _quiet(program: Program) -> frozenset[int]:
    """The procedures in which nobody and nothing is waited for, and that come back to where they were called."""
    loud: set[int] = set()
    nodes = {number: reachable(program, each.entry) for number, each in enumerate(program.procedures)}
    grown = True
    while grown:
        more = {
            number
            for number, places in nodes.items()
            if number not in loud and any(_is_loud(program.nodes[place], loud) for place in places)
        }
        grown = bool(more)
        loud |= more
    return frozenset(nodes) - loud


def _is_loud(node: n.Node, loud: set[int]) -> bool:
    waits = isinstance(node, n.Decide | n.Chance | n.Leave)
    shuffles = isinstance(node, n.Do) and isinstance(node.effect, Shuffle)
    return waits or shuffles or (isinstance(node, n.Call) and node.procedure in loud)


# ------------------------------------------------------------------ loops


def loops_without_order(program: Program) -> frozenset[int]:
    """The loops of an open program whose order its author has not said.

    ``each p in players`` says none; ``each p in players from next(p)``, ``turns of`` and ``1..3`` do.
    """
    unsaid: set[int] = set()
    for procedure in program.procedures:
        nodes = {number: program.nodes[number] for number in reachable(program, procedure.entry)}
        effects = [node.effect for node in nodes.values() if isinstance(node, n.Do)]
        looped = {each.local.number for each in effects if isinstance(each, SetLocal) and _says_no_order(each.value)}
        unsaid |= {number for number, node in nodes.items() if isinstance(node, n.Loop) and node.items.number in looped}
    return frozenset(unsaid)


def _says_no_order(items: Expression) -> bool:
    return isinstance(items, AllOf) or (isinstance(items, Select) and not items.ranks and _says_no_order(items.domain))


# ------------------------------------------------------------------ words


def end_text(program: Program, outcome: n.Outcome) -> str:
    """How a game ends by a line, much as its author has written it: ``p wins``."""
    return re.sub(r"%[0-9]+", "", _end_text(Speaker(program), outcome))


def _end_text(say: Speaker, outcome: n.Outcome) -> str:
    match outcome:
        case n.Winners(seats=MakeList(items=(seat,))):
            return f"{say.formula(seat)} wins"
        case n.Winners(seats=Constant(value=())):
            return "nobody wins"
        case n.Winners():
            return f"{say.formula(outcome.seats)} wins"
        case n.Amounts():
            return f"each {say.local(outcome.variable)} gets {say.formula(outcome.amount)}"
        case n.Grade():
            return f"grade {say.formula(outcome.grade)}"
        case n.Unresolved():
            return f"unresolved {say.formula(outcome.seats)}"
        case _:
            return "aborted"


def outcome_text(program: Program, outcome: GameOutcome) -> str:
    """How a game has ended, or would have."""
    seats = kinds.seat_count(program)
    names = [seat_name(seat, seats) for seat in range(seats)]
    match outcome.kind:
        case "winners":
            if len(outcome.winners) in (0, seats):
                return "nobody wins"
            return f"{' and '.join(names[seat] for seat in outcome.winners)} {_form(len(outcome.winners), 'win')}"
        case "amounts":
            return ", ".join(f"{name} gets {amount}" for name, amount in zip(names, outcome.returns, strict=True))
        case "grade":
            return f"all reach {outcome.grade}"
        case "unresolved":
            tied = [name for name, place in zip(names, outcome.places, strict=True) if place == 1]
            return f"{' and '.join(tied)} stay tied"
        case _:
            return "the game is broken off"


def _form(count: int, verb: str) -> str:
    return f"{verb}s" if count == 1 else verb
