"""Timers: two markers each, and the clock that they share. Spec 11.1.

``left`` is what was left at the last change, ``end`` the moment when the timer will be empty, none while it does not
run. The names of these markers have a dot in them, so that no author can have declared them.
"""

from typing import Final

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker.cells import literal
from rulelang.checker.kinds import TIMER
from rulelang.compiler.context import Compilation, source
from rulelang.compiler.lower_types import TypeLowering
from rulelang.diagnostics import codes
from rulelang.grammar.words import UNITS
from rulelang.ir import expressions as ir
from rulelang.ir import program as p
from rulelang.ir.effects import SetMarker
from rulelang.ir.types import NumberType, OptionalType

ZERO: Final = ir.Constant(0)
TIMES: Final = NumberType(ZERO, ir.Constant(limits.LAST_TIME))
"""Moments of table time, in milliseconds from the beginning of the game."""
NEVER: Final = ir.NoneOf(TIMES)
OPEN: Final = p.Sight(p.Everyone(), p.Everyone(), p.Everyone())
CLOCK: Final = "table.clock"
FULL, RUNNING, PAUSED, EMPTY = (ir.Constant(code) for code in range(len(TIMER.labels)))


class TimerLowering:
    """Lowers the timers of one program, their states and what changes them."""

    def __init__(self, compilation: Compilation, types: TypeLowering) -> None:
        self.c = compilation
        self.types = types

    # ------------------------------------------------------------------ declarations

    def slots(self) -> tuple[p.Marker, ...]:
        """The markers of all timers, then the clock."""
        timers = self.c.numbers.timers
        found: list[p.Marker] = []
        for node in timers:
            at, full = source(node, node.citations), self.full(node)
            found.append(p.Marker(f"{node.name}.left", (), NumberType(ZERO, full), full, OPEN, at))
            found.append(p.Marker(f"{node.name}.end", (), OptionalType(TIMES), NEVER, OPEN, at))
        if timers:
            first = source(next(iter(timers)))
            found.append(p.Marker(CLOCK, (), TIMES, ZERO, OPEN, first))
        return tuple(found)

    def timers(self) -> tuple[p.Timer, ...]:
        """What interpreters must know of every timer."""
        numbers = self.c.numbers
        return tuple(
            p.Timer(node.name, numbers.left(node), numbers.end(node), self.full(node), source(node, node.citations))
            for node in numbers.timers
        )

    def clock(self) -> int | None:
        """The slot of the clock, if there is one."""
        return self.c.numbers.clock if self.c.numbers.timers else None

    def check(self) -> None:
        """Report timers whose time is not known before play, or is none or too much as far as it is written."""
        for node in self.c.numbers.timers:
            self.types.declared_bound(node.length)
            written, most = literal(node.length), limits.TIMER_LENGTH
            time = None if written is None else written * UNITS[node.unit]
            if time is not None and not 0 < time <= most:
                self.c.findings.report(codes.TIMER_LENGTH, node.length.at, word=node.name, time=time, limit=most)

    def full(self, node: ast.Timer) -> ir.Expression:
        """How long it runs, in milliseconds."""
        length, unit = self.types.bound(node.length, ZERO), UNITS[node.unit]
        if isinstance(length, ir.Constant) and isinstance(length.value, int):
            return ir.Constant(length.value * unit)
        return ir.Multiply(length, ir.Constant(unit))

    # ------------------------------------------------------------------ formulas

    def left(self, node: ast.Timer) -> ir.Slot:
        """The marker of what was left at the last change."""
        return ir.Slot(self.c.numbers.left(node), ())

    def end(self, node: ast.Timer) -> ir.Slot:
        """The marker of the moment when it will be empty."""
        return ir.Slot(self.c.numbers.end(node), ())

    def now(self) -> ir.Read:
        """The time of the last reading."""
        return ir.Read(ir.Slot(self.c.numbers.clock, ()))

    def rests(self, node: ast.Timer) -> ir.Expression:
        """Whether it does not run."""
        return ir.Equal(ir.Read(self.end(node)), NEVER)

    def state(self, node: ast.Timer) -> ir.Expression:
        """The code of one of its four names."""
        left = ir.Read(self.left(node))
        at_rest = ir.Conditional(
            ir.Equal(left, ZERO), EMPTY, ir.Conditional(ir.Equal(left, self.full(node)), FULL, PAUSED)
        )
        return ir.Conditional(self.rests(node), at_rest, RUNNING)

    def is_in(self, node: ast.Timer, state: ir.Expression) -> ir.Expression:
        """Whether it is in one of its four states, where that is written as a word."""
        left, rests, full = ir.Read(self.left(node)), self.rests(node), self.full(node)
        if state == RUNNING:
            return ir.Not(rests)
        if state == EMPTY:
            return ir.Both((rests, ir.Equal(left, ZERO)))
        if state == FULL:
            return ir.Both((rests, ir.Equal(left, full)))
        return ir.Both((rests, ir.Less(ZERO, left), ir.Less(left, full)))

    def left_of(self, node: ast.Timer) -> ir.Expression:
        """What is left now."""
        running = ir.Subtract(ir.Read(self.end(node)), self.now())
        return ir.Conditional(self.rests(node), ir.Read(self.left(node)), running)

    # ------------------------------------------------------------------ changes

    def changes(self, node: ast.Timer, verb: str) -> tuple[ir.Expression | None, tuple[SetMarker, ...]]:
        """The condition under which a command does anything, and what it does then, in this order."""
        left, end, full = self.left(node), self.end(node), self.full(node)
        match verb:
            case "start":
                runs = SetMarker(end, ir.Add(self.now(), full))
                return None, (SetMarker(left, full), runs)
            case "pause":
                kept = ir.Subtract(ir.Read(end), self.now())
                return ir.Not(self.rests(node)), (SetMarker(left, kept), SetMarker(end, NEVER))
            case "resume":
                some = ir.Both((self.rests(node), ir.Less(ZERO, ir.Read(left))))
                return some, (SetMarker(end, ir.Add(self.now(), ir.Read(left))),)
            case _:
                return None, (SetMarker(left, full), SetMarker(end, NEVER))
