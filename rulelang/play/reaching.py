"""How play can have come to a rule, or to a choice, with the table as it lies now. Spec 15.4.

A *way* is a row of calls from the overview on. Each running rule of a way has been gone through from its beginning to
the call of the next one: what `let`, loops and turns remember there is worked out as in play, effects on the table are
passed over (the table lies as it was given), and where the rules branch or go round, every direction is tried, the one
that the table asks for first. So the players on turn, the numbers of rounds and the arguments of rules are such as they
can be, and the first that fit the wanted condition are taken.

Where nobody says where play shall stand, only the directions that the table asks for are gone, to the first choice.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Final, assert_never, cast

import attrs

from rulelang.failures import Exhausted
from rulelang.ir.effects import SetLocal
from rulelang.ir.expressions import Expression, Value
from rulelang.ir.laps import successors
from rulelang.ir.nodes import (
    Branch,
    Call,
    Chance,
    Decide,
    Do,
    End,
    Leave,
    Loop,
    OneSeat,
    Return,
    SealedSeats,
    names_who_moved,
)
from rulelang.ir.program import Program
from rulelang.ir.types import SeatType
from rulelang.play.formulas import Context, evaluate
from rulelang.play.kinds import none_code
from rulelang.play.position import StackFrame

STEPS: Final = 20_000
"""Places that are looked at within one rule of a way."""

Known = Mapping[str, Value]
"""What the running rules remember, by name; an inner rule's name hides that of an outer one."""


@attrs.frozen
class Way:
    """One row of calls, and what the rules remember on it."""

    calls: tuple[int, ...]
    """The nodes that open the next rule; last the choice itself, if that is wanted."""
    frames: tuple[StackFrame, ...]
    known: Known


@attrs.frozen
class Wanted:
    """Where play shall stand: at the start of a procedure, or where a move is offered."""

    procedure: int | None = None
    move: int | None = None


def ways(program: Program, context: Context, wanted: Wanted, holds: Callable[[Known], bool]) -> Iterator[Way]:
    """One way for each row of calls on which the condition can hold."""
    finder = _Finder(program, context, holds)
    for calls in call_rows(program, wanted):
        way = next(finder.along(calls), None)
        if way is not None:
            yield way


def first_choice(program: Program, context: Context) -> tuple[StackFrame, ...] | None:
    """What runs at the first choice to which the table leads as it lies; None if it leads to none."""
    finder = _Finder(program, context, lambda _: True)
    overview = program.procedures[0]
    running = [_Here(0, overview.entry, (0,) * len(overview.locals), ())]
    for _ in range(STEPS):
        here = running[-1]
        node = program.nodes[here.node]
        try:
            if isinstance(node, Decide) and finder.asks_somebody(node, here):
                return tuple(StackFrame(each.procedure, each.node, each.locals) for each in running)
        except Exhausted:
            return None
        match node:
            case Call():
                opened = finder.opened(node, here)
                if opened is None:
                    return None
                running[-1:] = [attrs.evolve(here, node=node.next), opened]
            case Return():
                running.pop()
            case Leave():
                while running.pop().procedure != node.procedure:
                    pass
            case _:
                following = finder.after(here)
                if not following:
                    return None
                running[-1] = following[-1 if isinstance(node, Decide) else 0]
        if not running:
            return None
    return None


def call_rows(program: Program, wanted: Wanted) -> Iterator[tuple[int, ...]]:
    """Every row of calls from the overview to where play shall stand, in the order of the rules. Moves open no rows."""
    leading = _leading(program, wanted)
    stack: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    while stack:
        procedure, calls = stack.pop()
        if procedure == wanted.procedure:
            yield calls
            continue
        deeper: list[tuple[int, tuple[int, ...]]] = []
        for number in _nodes_of(program, procedure):
            node = program.nodes[number]
            if isinstance(node, Call) and node.procedure in leading:
                deeper.append((node.procedure, (*calls, number)))
            elif isinstance(node, Decide) and wanted.move is not None and wanted.move in node.moves:
                yield (*calls, number)
        stack += reversed(deeper)


def _leading(program: Program, wanted: Wanted) -> set[int]:
    """The procedures that lead to where play shall stand, by calls alone."""
    leads: dict[int, bool] = {}

    def find(procedure: int) -> bool:
        if procedure not in leads:
            leads[procedure] = procedure == wanted.procedure
            for number in _nodes_of(program, procedure):
                node = program.nodes[number]
                offered = isinstance(node, Decide) and wanted.move is not None and wanted.move in node.moves
                if offered or (isinstance(node, Call) and find(node.procedure)):
                    leads[procedure] = True
        return leads[procedure]

    return {number for number in range(len(program.procedures)) if find(number)}


def _nodes_of(program: Program, procedure: int) -> list[int]:
    """The nodes of a procedure, as one reads them."""
    found, waiting = dict[int, None](), [program.procedures[procedure].entry]
    while waiting:
        number = waiting.pop()
        if number not in found:
            found[number] = None
            waiting.extend(reversed(successors(program.nodes[number])))
    return list(found)


@attrs.frozen
class _Here:
    """Where one is within a rule, and what it remembers."""

    procedure: int
    node: int
    locals: tuple[Value, ...]
    names: tuple[tuple[str, Value], ...]


class _Finder:
    """Goes along rows of calls."""

    def __init__(self, program: Program, context: Context, holds: Callable[[Known], bool]) -> None:
        self.program = program
        self.table = context
        self.holds = holds

    def along(self, calls: tuple[int, ...]) -> Iterator[Way]:
        """The ways along one row of calls on which the condition holds."""
        for frames, known in self._on(0, (), calls):
            if self.holds(known):
                yield Way(calls, frames, known)

    def _on(
        self, procedure: int, arguments: tuple[Value, ...], calls: tuple[int, ...]
    ) -> Iterator[tuple[tuple[StackFrame, ...], Known]]:
        start = self._entered(procedure, arguments)
        if not calls:
            yield (StackFrame(procedure, start.node, start.locals),), dict(start.names)
            return
        first, *rest = calls
        for here in self._walk(start, first):
            node = self.program.nodes[first]
            if isinstance(node, Decide):
                yield (StackFrame(procedure, first, here.locals),), dict(here.names)
                continue
            assert isinstance(node, Call)
            given = self._arguments(node, here)
            if given is None:
                continue
            frame = StackFrame(procedure, node.next, here.locals)
            for frames, known in self._on(node.procedure, given, tuple(rest)):
                yield (frame, *frames), {**dict(here.names), **known}

    def opened(self, node: Call, here: _Here) -> _Here | None:
        """The beginning of the rule that is called here; None if its arguments cannot be worked out."""
        arguments = self._arguments(node, here)
        return None if arguments is None else self._entered(node.procedure, arguments)

    def asks_somebody(self, node: Decide, here: _Here) -> bool:
        """Whether the choice is anybody's at all. Raises Exhausted."""
        return not isinstance(node.asked, SealedSeats) or bool(self._value(node.asked.seats, here))

    def _entered(self, procedure: int, arguments: tuple[Value, ...]) -> _Here:
        declared = self.program.procedures[procedure]
        locals = (*arguments, *[0] * (len(declared.locals) - len(arguments)))
        return _Here(procedure, declared.entry, locals, tuple(zip(declared.locals, arguments, strict=False)))

    def _arguments(self, node: Call, here: _Here) -> tuple[Value, ...] | None:
        try:
            return tuple(self._value(argument, here) for argument in node.arguments)
        except Exhausted:
            return None

    def _walk(self, start: _Here, end: int) -> Iterator[_Here]:
        """Every state in which one comes to a node of the rule, nearest first."""
        waiting, seen = deque([start]), {(start.node, start.locals)}
        while waiting:
            here = waiting.popleft()
            if here.node == end:
                yield here
            for following in self.after(here):
                key = (following.node, following.locals)
                if key not in seen and len(seen) < STEPS:
                    seen.add(key)
                    waiting.append(following)

    def after(self, here: _Here) -> list[_Here]:
        """Where one can get from here, within the rule: first where the table asks to go."""
        node = self.program.nodes[here.node]
        try:
            match node:
                case Do(effect=SetLocal(local=local, value=value)):
                    return [self._remembering(here, node.next, local.number, self._value(value, here))]
                case Do() | Call() | Chance():
                    return [attrs.evolve(here, node=node.next)]
                case Branch():
                    ways = (node.then, node.otherwise)
                    ordered = ways if self._value(node.condition, here) else ways[::-1]
                    return [attrs.evolve(here, node=number) for number in dict.fromkeys(ordered)]
                case Loop():
                    return self._loop(node, here)
                case Decide():
                    return self._decide(node, here)
                case Return() | Leave() | End():
                    return []
                case _:
                    assert_never(node)
        except Exhausted:
            return []

    def _loop(self, node: Loop, here: _Here) -> list[_Here]:
        name = self.program.procedures[here.procedure].locals[node.item.number]
        names = tuple(pair for pair in here.names if pair[0] != name)  # behind a loop its variable is not known
        done = attrs.evolve(here, node=node.done, names=names)
        items = cast(tuple[Value, ...], here.locals[node.items.number])
        position = cast(int, here.locals[node.position.number])
        if position >= len(items):
            return [done]
        taken = self._remembering(here, node.body, node.item.number, items[position])
        return [self._remembering(taken, node.body, node.position.number, position + 1), done]

    def _decide(self, node: Decide, here: _Here) -> list[_Here]:
        if node.answered is None:
            return [attrs.evolve(here, node=node.next)]
        answers: tuple[Value, ...] = (1, 0)
        if not isinstance(node.asked, OneSeat) and names_who_moved(node.asked):
            seats = cast(tuple[Value, ...], self._value(node.asked.seats, here))
            answers = (*seats, none_code(SeatType()))
        return [self._remembering(here, node.next, node.answered.number, answer) for answer in answers]

    def _remembering(self, here: _Here, node: int, local: int, value: Value) -> _Here:
        name = self.program.procedures[here.procedure].locals[local]
        names = (*(pair for pair in here.names if pair[0] != name), (name, value))
        return _Here(here.procedure, node, (*here.locals[:local], value, *here.locals[local + 1 :]), names)

    def _value(self, formula: Expression, here: _Here) -> Value:
        return evaluate(formula, Context(self.program, self.table.layout, self.table.cells, list(here.locals)))
