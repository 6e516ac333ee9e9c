"""One function or block while it is being written: statements in order, variables, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rulelang_native.flat import expressions as flat
from rulelang_native.flat.expressions import Flat, Name
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
        self.height = 0
        """How many formulas lie inside one another below here, none of them under a name yet (`formulas.lowered`)."""
        self._names = 0
        self._depth = self._loops = 0
        self._around: list[list[Statement]] = []
        """For each loop around here, the outermost first: what is written before it."""
        self._levels: dict[str, int] = {}
        """Inside how many loops each variable gets its value."""

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

    @contextmanager
    def loop(self, name: str, fact: Fact, variable: int) -> Iterator[list[Statement]]:
        """Write the body of a loop, in which a local stands for its variable.

        What does not change from one lap to the next is worked out once, when it is first needed (`once`); what that
        takes before the loop is written when the loop is left.
        """
        outer = self.locals.get(variable)
        self.locals[variable] = (Name(name), fact)
        before: list[Statement] = []
        self._around.append(before)
        self._levels[name] = len(self._around)
        try:
            with self.inside(loop=True) as each:
                yield each
        finally:
            self._around.pop()
            if outer is None:
                del self.locals[variable]
            else:
                self.locals[variable] = outer
        self.statements += before

    @property
    def in_loop(self) -> bool:
        """Whether there is a loop around here."""
        return bool(self._around)

    def once(self, names: Iterable[str]) -> list[Statement] | None:
        """Where something is prepared that depends on such variables, so that it is worked out once: before the
        outermost loop around here that changes none of them. None if there is no such loop.
        """
        level = max((self._levels.get(name, 0) for name in names), default=0)
        return self._around[level] if level < len(self._around) else None

    def name(self, kind: str = "t") -> str:
        """A name that no other variable of the function has."""
        self._names += 1
        name = f"{kind}{self._names}"
        self._levels[name] = len(self._around)
        return name

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
        """The step is given up here; what is still written behind it only has its shape."""
        self.fails = True
        self.add(If(ALWAYS, (Fail(self.lowering.failure(failure), values),)))

    def check(self, truth: Flat, failure: Failure, *values: Flat) -> None:
        """The step is given up here unless this holds."""
        if truth == ALWAYS:
            return
        self.fails = True
        self.add(If(refuted(truth), (Fail(self.lowering.failure(failure), values),)))


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
