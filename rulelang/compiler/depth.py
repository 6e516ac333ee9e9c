"""How deep formulas are nested, the defines inside them unfolded. Spec 16.1.

Interpreters work formulas out by going down into them; this keeps every one of them within what any of them can do.
A single line is kept short by the limit on nesting; what can still grow are defines that use defines, and long chains.
"""

from collections.abc import Iterator

from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings
from rulelang.ir.calls import inner_first, opened_by
from rulelang.ir.expressions import Apply, Expression
from rulelang.ir.origin import Source
from rulelang.ir.program import Program
from rulelang.ir.walk import children, excess
from rulelang.limits import FORMULA_DEPTH, IR_BYTES, IR_DEPTH, LOCALS, WINDOW_DEPTH
from rulelang.source import Place

AROUND = 4
"""How deep a declaration, node or formula lies in a document: the program, a list in it, the thing, and one more."""


class Depths:
    """The depths of one program's formulas. Defines do not use themselves; the checker has seen to that."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.functions: dict[int, int] = {}

    def function(self, number: int) -> int:
        """The depth of a define, unfolded."""
        if number in self.functions:
            return self.functions[number]
        waiting = [number]
        while waiting:
            current = waiting[-1]
            body = self.program.functions[current].body
            needed = [inner for inner in _applied(body) if inner not in self.functions]
            if needed:
                waiting.extend(needed)
            else:
                self.functions[current] = self.formula(body)
                waiting.pop()
        return self.functions[number]

    def formula(self, formula: object) -> int:
        """The depth of anything made of formulas."""
        deepest = 0
        stack: list[tuple[object, int]] = [(formula, 1)]
        while stack:
            node, depth = stack.pop()
            if isinstance(node, Apply):
                depth += self.function(node.function)
            deepest = max(deepest, depth)
            stack.extend((child, depth + 1) for child in children(node))
        return deepest


def _applied(body: Expression) -> Iterator[int]:
    stack: list[object] = [body]
    while stack:
        node = stack.pop()
        if isinstance(node, Apply):
            yield node.function
        stack.extend(children(node))


def check_open_rules(program: Program, findings: Findings) -> None:
    """Report a chain of rules and moves that open each other deeper than play may go; none opens itself."""
    opened = opened_by(program)
    order, _ = inner_first(len(opened), lambda number: opened[number])
    longest: dict[int, int] = {}
    for number in order:
        longest[number] = 1 + max((longest[inner] for inner in opened[number]), default=0)
    if longest and max(longest.values()) > WINDOW_DEPTH:
        origin = program.procedures[0].at.origin
        place = Place(origin.file, origin.line, origin.column, origin.line, origin.column + 1)
        findings.report(
            codes.TOO_MANY_OPEN_RULES,
            place,
            count=max(longest.values()),
            limit=WINDOW_DEPTH,
            hint="let fewer rules carry out other rules",
        )


def check_locals(program: Program, findings: Findings) -> None:
    """Report rules, defines and moves that remember more names than a frame has room for."""
    named = [(each.name, each.locals, each.at) for each in program.functions]
    named += [(each.name, each.locals, each.at) for each in program.moves]
    named += [(each.name, each.locals, each.at) for each in program.invariants]
    named += [(each.name, len(each.locals), each.at) for each in program.procedures]
    for name, count, at in named:
        if count > LOCALS:
            origin = at.origin
            place = Place(origin.file, origin.line, origin.column, origin.line, origin.column + 1)
            hint = "these are the names that it has: parameters, lets, loops and searches"
            findings.report(codes.TOO_LARGE, place, word=name, size=count, limit=LOCALS, hint=hint)


def check_depth(program: Program, findings: Findings) -> None:
    """Report what is nested deeper than the limit, at the declaration or line that it belongs to."""
    depths = Depths(program)
    places: list[tuple[object, Source]] = [(f.body, f.at) for f in program.functions]
    places += [(node, node.at) for node in program.nodes]
    places += [(move, move.at) for move in program.moves]
    places += [(slot, slot.at) for slot in program.slots]
    places += [(option.needs, option.at) for option in program.options if option.needs is not None]
    places += [(demand.condition, demand.at) for demand in program.demands]
    places += [(invariant.condition, invariant.at) for invariant in program.invariants]
    places += [(preference, preference.at) for preference in program.preferences]
    for formula, at in places:
        hint = "let fewer defines use other defines"
        too_deep = depths.formula(formula) > FORMULA_DEPTH
        if not too_deep and excess(formula, IR_DEPTH - AROUND, IR_BYTES) == "depth":
            too_deep, hint = True, "let fewer `and` and `or` stand inside each other"
        if too_deep:
            origin = at.origin
            place = Place(origin.file, origin.line, origin.column, origin.line, origin.column + 1)
            findings.report(
                codes.FORMULA_TOO_DEEP,
                place,
                limit=FORMULA_DEPTH,
                hint=hint,
            )
