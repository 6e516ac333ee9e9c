"""One function or block while it is being written: statements in order, variables, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rulelang.ir.expressions import Local
from rulelang_native.flat import expressions as flat
from rulelang_native.flat.expressions import Flat
from rulelang_native.flat.program import Failure
from rulelang_native.flat.statements import Fail, If, Set, Statement
from rulelang_native.lowering.facts import Fact
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.lowering.program import Lowering

MOST_DEPTH, MOST_LOOPS = 80, 18
"""What printers take: Python allows 100 levels of indentation and 20 loops inside each other."""

Found = tuple[Flat, Fact]
"""A value and what is known of it."""

NEVER, ALWAYS = flat.Known(0), flat.Known(1)
"""Truths that are known before play."""


class Body:
    """Statements under way. ``locals`` says what stands for each local of the program's formulas."""

    def __init__(self, lowering: Lowering, locals: dict[int, Found]) -> None:
        self.lowering = lowering
        self.locals = locals
        self.statements: list[Statement] = []
        self.fails = False
        """Whether anything here can fail."""
        self._names = 0
        self._depth = self._loops = 0

    # -------------------------------------------------------------- writing

    def add(self, statement: Statement) -> None:
        """One more statement."""
        self.statements.append(statement)

    @contextmanager
    def inside(self, *, loop: bool = False) -> Iterator[list[Statement]]:
        """Write into a list of its own: the body of a branch or a loop."""
        outer, self.statements = self.statements, []
        depth, loops = self._depth, self._loops
        self._depth, self._loops = depth + 1, loops + loop
        if self._depth > MOST_DEPTH or self._loops > MOST_LOOPS:
            raise NotLowered("searches inside searches, or conditions inside conditions, are nested too deeply")
        try:
            yield self.statements
        finally:
            self.statements = outer
            self._depth, self._loops = depth, loops

    def name(self, kind: str = "t") -> str:
        """A name that no other variable of the function has."""
        self._names += 1
        return f"{kind}{self._names}"

    def keep(self, value: Flat, kind: str = "t") -> Flat:
        """A value under a name of its own, so that it is worked out once and stays what it is."""
        name = self.name(kind)
        self.add(Set(name, value))
        return flat.Name(name)

    def simple(self, value: Flat) -> Flat:
        """A value that may be written down several times."""
        return value if isinstance(value, flat.Known | flat.Name | flat.Remembered) else self.keep(value)

    # -------------------------------------------------------------- checks

    def fail(self, failure: Failure, *values: Flat) -> None:
        """The step is given up here."""
        self.fails = True
        self.add(Fail(self.lowering.failure(failure), values))

    def check(self, truth: Flat, failure: Failure, *values: Flat) -> None:
        """The step is given up here unless this holds."""
        if truth == ALWAYS:
            return
        self.fails = True
        self.add(If(refuted(truth), (Fail(self.lowering.failure(failure), values),)))

    # -------------------------------------------------------------- variables of searches

    @contextmanager
    def bound(self, variable: Local, value: Flat, fact: Fact) -> Iterator[None]:
        """Inside, a local stands for this value."""
        outer = self.locals.get(variable.number)
        self.locals[variable.number] = (value, fact)
        try:
            yield
        finally:
            if outer is None:
                del self.locals[variable.number]
            else:
                self.locals[variable.number] = outer


def refuted(truth: Flat) -> Flat:
    """The opposite of a truth, in its simplest form."""
    match truth:
        case flat.No():
            return truth.truth
        case flat.Compare(operator="=="):
            return flat.Compare("!=", truth.left, truth.right)
        case flat.Compare(operator="!="):
            return flat.Compare("==", truth.left, truth.right)
        case flat.Known():
            return NEVER if truth.value else ALWAYS
        case _:
            return flat.No(truth)


def between(value: Flat, fact: Fact, low: int, high: int) -> Flat:
    """Whether a number lies between these; no more is asked than its facts leave open."""
    parts: list[Flat] = []
    if fact.low < low:
        parts.append(flat.Compare("<=", flat.Known(low), value))
    if fact.high > high:
        parts.append(flat.Compare("<=", value, flat.Known(high)))
    if not parts or fact.low > fact.high:
        return ALWAYS
    return parts[0] if len(parts) == 1 else flat.All(tuple(parts))
