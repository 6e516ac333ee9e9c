"""Folding: what is constant in a configured program becomes a constant. Spec 14.3.

A formula is constant if it reads nothing from the table and no local of the frame. What cannot be computed (it would
overflow, or cost too much) stays a formula and refuses when it is reached.
"""

from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeVar, cast, get_args

import attrs

from rulelang import limits
from rulelang.diagnostics.codes import COST_EXHAUSTED
from rulelang.failures import Broken, Exhausted
from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Expression, Value
from rulelang.ir.program import Program
from rulelang.ir.walk import children, rebuild, walk
from rulelang.play.formulas import Context, evaluate
from rulelang.play.kinds import Layout
from rulelang.play.reasons import exhausted

FORMULAS = frozenset(get_args(Expression))
Search = ir.Exists | ir.Every | ir.Select | ir.Choose | ir.Number | ir.Total | ir.Extreme | ir.Collect | ir.Partition

Ir = TypeVar("Ir")


class Folder:
    """Folds any part of a configured program; the program itself may be replaced as more of it gets closed.

    It remembers of every IR value that it has passed which locals it needs, or that it reads the table (None). A whole
    kind stays one where a search goes through it for a witness, so that the witness can be said in the kind's words.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._reading = _reading_functions(program)
        self._locals = most_locals(program)
        self._needs: dict[int, tuple[object, frozenset[int] | None]] = {}
        self._kinds: dict[int, ir.AllOf] = {}

    def fold(self, part: Ir) -> Ir:
        """The part with its constants folded."""
        return rebuild(part, self._change)

    def value(self, formula: Expression) -> Value:
        """The value of a formula that needs neither locals nor the table. Raises Exhausted."""
        if work(self.program, formula) > limits.SETUP_COST:
            raise exhausted(COST_EXHAUSTED, limit=limits.SETUP_COST)
        return evaluate(formula, before_play(self.program, self._locals))

    def value_for(self, formula: Expression, local: ir.Local, code: Value) -> Value:
        """The value of a formula that needs one local and not the table, where that local is this. Raises Exhausted."""
        if work(self.program, formula) > limits.EVENT_COST:
            raise exhausted(COST_EXHAUSTED, limit=limits.EVENT_COST)
        context = before_play(self.program, self._locals)
        context.locals[local.number] = code
        return evaluate(formula, context)

    def learn(self, function: int) -> None:
        """Note whether a function, now folded, still reads the table: an option may have decided all that it reads."""
        if not _reads(self.program.functions[function].body, self._reading):
            self._reading.discard(function)

    def is_constant(self, formula: Expression) -> bool:
        """Whether a formula needs neither locals nor the table."""
        return self._needed(formula) == frozenset()

    def _change(self, part: object) -> object:
        """The part itself, or what it amounts to; called for inner parts first."""
        needed = self._needed(part)
        if needed is not None and not needed and type(part) in FORMULAS:
            part = self._computed(cast(Expression, part))
        elif type(part) in SIMPLER:
            part = SIMPLER[type(part)](part)
            needed = self._needed(part)
        elif isinstance(part, ir.Exists | ir.Every) and id(part.domain) in self._kinds:
            part = attrs.evolve(part, domain=self._kinds[id(part.domain)])
        self._needs[id(part)] = (part, needed)
        return part

    def _needed(self, part: object) -> frozenset[int] | None:
        if isinstance(part, ir.Local):
            return frozenset((part.number,))
        if isinstance(part, ir.Read) or (isinstance(part, ir.Apply) and part.function in self._reading):
            return None
        needed: frozenset[int] = frozenset()
        for child in children(part):
            inner = self._needs[id(child)][1] if id(child) in self._needs else self._needed(child)
            if inner is None:
                return None
            needed |= inner
        return needed - {part.variable.number} if isinstance(part, Search) else needed

    def _computed(self, formula: Expression) -> Expression:
        if isinstance(formula, ir.Constant):
            return formula
        try:
            value: object = self.value(formula)
        except (Exhausted, Broken, ValueError):  # too much, or it needs a bound that is not closed yet
            return formula
        if not (isinstance(value, int) or (isinstance(value, tuple) and len(set(map(type, value))) < 2)):
            return formula  # a text, or a division, which no constant can be
        constant = ir.Constant(cast(Value, value))
        if isinstance(formula, ir.AllOf):
            self._kinds[id(constant)] = formula
        return constant


def before_play(program: Program, locals: int) -> Context:
    """What formulas are evaluated in that read nothing from the table."""
    return Context(program, Layout((), 0), (), [0] * locals)


def most_locals(program: Program) -> int:
    """Enough locals for any formula of the program."""
    return 1 + max((part.number for part in walk(program) if isinstance(part, ir.Local)), default=0)


def work(program: Program, formula: Expression, functions: dict[int, int] | None = None) -> int:
    """How many steps it takes at most to compute a formula that reads nothing: searches count their whole domain.

    ``functions`` are those that are counted already: defines that apply each other are gone through once, not as often
    as they are applied.
    """
    functions = {} if functions is None else functions
    inner = sum(work(program, cast(Expression, part), functions) for part in children(formula))
    if isinstance(formula, ir.Apply):
        if formula.function not in functions:
            functions[formula.function] = work(program, program.functions[formula.function].body, functions)
        return 1 + inner + functions[formula.function]
    if isinstance(formula, ir.Partition):
        return 1 + limits.EVENT_COST + inner * limits.COLLECTION
    if isinstance(formula, Search):
        if isinstance(formula.domain, ir.Constant) and isinstance(formula.domain.value, tuple):
            return 1 + inner * len(formula.domain.value)
        return 1 + inner * limits.COLLECTION
    return 1 + inner


# ------------------------------------------------------------------ functions


def _used_by(part: object) -> set[int]:
    """The functions that a part of the program applies."""
    return {inner.function for inner in walk(part) if isinstance(inner, ir.Apply)}


def callees_first(program: Program) -> list[int]:
    """The numbers of all functions, each after those that it applies."""
    graph = {number: _used_by(function.body) for number, function in enumerate(program.functions)}
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError:
        raise Broken("a function applies itself") from None


def _reading_functions(program: Program) -> set[int]:
    """The functions that read the table, themselves or by way of others."""
    reading: set[int] = set()
    for number in callees_first(program):
        if _reads(program.functions[number].body, reading):
            reading.add(number)
    return reading


def _reads(body: Expression, reading: set[int]) -> bool:
    """Whether a formula reads the table, itself or by way of functions that do."""
    return bool(_used_by(body) & reading) or any(isinstance(part, ir.Read) for part in walk(body))


def fold_functions(folder: Folder) -> None:
    """Fold every function of the folder's program, those that others apply first."""
    for number in callees_first(folder.program):
        functions = list(folder.program.functions)
        functions[number] = folder.fold(functions[number])
        folder.program = attrs.evolve(folder.program, functions=tuple(functions))
        folder.learn(number)


# ------------------------------------------------------------------ simpler forms


def _chosen(formula: ir.Conditional) -> Expression:
    if isinstance(formula.condition, ir.Constant):
        return formula.then if formula.condition.value else formula.otherwise
    return formula


def _without_certain(formula: ir.Both | ir.Either) -> Expression:
    """Without the parts that are certain; a part that decides alone decides."""
    deciding = 0 if isinstance(formula, ir.Both) else 1
    if any(isinstance(part, ir.Constant) and part.value == deciding for part in formula.parts):
        return ir.Constant(deciding)
    open_parts = tuple(part for part in formula.parts if not isinstance(part, ir.Constant))
    if len(open_parts) <= 1:
        return open_parts[0] if open_parts else ir.Constant(1 - deciding)
    return formula if len(open_parts) == len(formula.parts) else attrs.evolve(formula, parts=open_parts)


SIMPLER: dict[type, Callable[[Any], Expression]] = {
    ir.Conditional: _chosen,
    ir.Both: _without_certain,
    ir.Either: _without_certain,
}
"""Formulas that can become simpler although they are not constant."""
