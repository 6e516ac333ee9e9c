"""Timers: two markers each, and the clock that they share. Spec 11.1.

``left`` is what was left at the last change, ``end`` the moment when the timer will be empty, none while it does not
run. The names of these markers have a dot in them, so that no author can have declared them.
"""

from typing import Final

from rulelang import limits
from rulelang.ast import nodes as ast
from rulelang.checker.cells import literal
from rulelang.compiler.context import Compilation, source
from rulelang.compiler.lower_types import TypeLowering
from rulelang.diagnostics import codes
from rulelang.grammar.words import UNITS
from rulelang.ir import expressions as ir
from rulelang.ir import program as p
from rulelang.ir.effects import SetMarker
from rulelang.ir.timing import ENDS, NEVER, TIMES, ZERO, Timing
from rulelang.ir.types import NumberType, OptionalType

OPEN: Final = p.Sight(p.Everyone(), p.Everyone(), p.Everyone())
CLOCK: Final = "table.clock"


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
            found.append(p.Marker(f"{node.name}.end", (), OptionalType(ENDS), NEVER, OPEN, at))
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
            self.types.declared_bound(node.length, f"How long '{node.name}' runs")
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

    def timing(self, node: ast.Timer) -> Timing:
        """The formulas of a timer."""
        numbers = self.c.numbers
        return Timing(numbers.left(node), numbers.end(node), numbers.clock, self.full(node))

    def state(self, node: ast.Timer) -> ir.Expression:
        """The code of one of its four names."""
        return self.timing(node).state

    def is_in(self, node: ast.Timer, state: ir.Expression) -> ir.Expression:
        """Whether it is in one of its four states, where that is written as a word."""
        return self.timing(node).is_in(state)

    def left_of(self, node: ast.Timer) -> ir.Expression:
        """What is left now."""
        return self.timing(node).left_of

    # ------------------------------------------------------------------ changes

    def changes(self, node: ast.Timer, verb: str) -> tuple[ir.Expression | None, tuple[SetMarker, ...]]:
        """The condition under which a command does anything, and what it does then, in this order."""
        timing = self.timing(node)
        left, end, full, now = timing.left, timing.end, timing.full, timing.now
        match verb:
            case "start":
                runs = SetMarker(end, ir.Add(now, full))
                return None, (SetMarker(left, full), runs)
            case "pause":
                kept = ir.Subtract(ir.Read(end), now)
                return ir.Not(timing.rests), (SetMarker(left, kept), SetMarker(end, NEVER))
            case "resume":
                some = ir.Both((timing.rests, ir.Less(ZERO, ir.Read(left))))
                return some, (SetMarker(end, ir.Add(now, ir.Read(left))),)
            case _:
                return None, (SetMarker(left, full), SetMarker(end, NEVER))
