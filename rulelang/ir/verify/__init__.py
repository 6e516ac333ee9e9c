"""Whether a program is sound, so that no interpreter can fail on it. Spec 1.3.

Each pass asks one question and relies on those before it; the first that finds something is the last that runs:

1. `references`: does every number name something, and has every bound its form?
2. `recursion`: does every chain of functions, procedures and families end, and is no formula too deep?
3. `flow`: does every way through a procedure end soundly, and is every local set before it is read?
4. `declarations`, `nodes`: does every formula and effect get the kinds of values that it works on?

A program that passes may still be refused at run time by the limits (a value outside its kind, too much work), never
by a reference, a shape or a stack that is not there.
"""

from rulelang.ir.program import Program
from rulelang.ir.verify import declarations, flow, nodes, recursion, references
from rulelang.ir.verify.finding import Finding, Report
from rulelang.ir.verify.formulas import Formulas

__all__ = ["Finding", "verify"]

ROUNDS = 6
"""How often the program is gone through to find out the kinds of its locals."""


def verify(program: Program) -> tuple[Finding, ...]:
    """What is unsound in a program, at most a hundred findings; nothing if it can be played."""
    report = Report()
    try:
        _check(program, report)
    except RecursionError:  # the caller's own stack left too little room for a program within the limits
        report.muted = False
        report.add("", "nested too deeply to be looked at from here")
    return report.findings


def _check(program: Program, report: Report) -> None:
    for check in (references.check, recursion.check):
        check(program, report)
        if report.findings:
            return
    known = flow.check(program, report)
    if not report.findings:
        _check_kinds(program, known, report)


def _check_kinds(program: Program, known: dict[int, int], report: Report) -> None:
    """Go through all formulas until no local's kind changes, then once more, aloud."""
    formulas = Formulas(program, report)
    report.muted = True
    for _ in range(ROUNDS):
        formulas.changed = False
        declarations.check(formulas)
        nodes.check(formulas, known)
        if not formulas.changed:
            break
    else:
        formulas.forget()
    report.muted = False
    declarations.check(formulas)
    nodes.check(formulas, known)
