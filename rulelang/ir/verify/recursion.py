"""Second pass: does every chain end, and is nothing too deep or too large? Spec 4.7, 9.1 and 16.

Functions apply only functions that do not lead back, procedures open only such procedures, and a family is not indexed
by its own members. A formula counts with the bodies of its functions: unfolded it is no deeper than a document may be,
so that every interpreter can work it out by plain recursion.
"""

from collections.abc import Sequence

from rulelang.ir.calls import applied_by, inner_first, opened_by
from rulelang.ir.expressions import AllOf, Apply
from rulelang.ir.program import Program
from rulelang.ir.sizes import members, size
from rulelang.ir.types import (
    CellType,
    EdgeType,
    FlagType,
    MemberType,
    NamesType,
    NumberType,
    OptionalType,
    RecordType,
    RowType,
    SeatType,
)
from rulelang.ir.verify.finding import Report
from rulelang.ir.walk import children, walk, walk_with_paths
from rulelang.limits import COLLECTION, INTEGER_MAX, IR_DEPTH, WINDOW_DEPTH

_KINDS = (
    NumberType,
    FlagType,
    NamesType,
    SeatType,
    RecordType,
    CellType,
    EdgeType,
    RowType,
    MemberType,
    OptionalType,
)


def check(program: Program, report: Report) -> None:
    """Report chains that lead back to themselves or are too long, and kinds that are too large."""
    _families(program, report)
    _functions(program, report)
    _procedures(program, report)
    if not report.findings and program.configuration is not None:
        _sizes(program, report)


def _families(program: Program, report: Report) -> None:
    """No family is indexed by itself, through whatever families."""
    indexed = [
        sorted({kind.slot for index in slot.index for kind in walk(index) if isinstance(kind, MemberType)})
        for slot in program.slots
    ]
    _, ring = inner_first(len(indexed), lambda number: indexed[number])
    if ring:
        report.add(f"/slots/{ring[0]}", f"'{program.slots[ring[0]].name}' is indexed by its own members")


def _functions(program: Program, report: Report) -> None:
    """Functions do not lead back to themselves, and no formula is too deep with the bodies of its functions."""
    applied = [applied_by(function.body) for function in program.functions]
    order, ring = inner_first(len(applied), lambda number: applied[number])
    if ring:
        names = " to ".join(f"'{program.functions[number].name}'" for number in (*ring[:5], ring[0]))
        report.add(f"/functions/{ring[0]}", f"functions lead back to themselves: {names}")
        return
    depths: dict[int, int] = {}
    for number in order:
        depths[number] = _depth(program.functions[number].body, depths)
    for number, depth in depths.items():
        if depth > IR_DEPTH:
            report.add(f"/functions/{number}", f"with all that it applies this is nested more than {IR_DEPTH} deep")
    for section in ("options", "demands", "boards", "slots", "moves", "nodes", "invariants", "preferences"):
        for number, declared in enumerate(getattr(program, section)):
            if not report.findings and _depth(declared, depths) > IR_DEPTH:
                report.add(f"/{section}/{number}", f"with all that it applies this is nested more than {IR_DEPTH} deep")


def _depth(value: object, depths: dict[int, int]) -> int:
    """How deep a value is nested, the bodies of functions put in."""
    deepest = 0
    waiting = [(value, 1)]
    while waiting:
        inner, depth = waiting.pop()
        below = depths[inner.function] if isinstance(inner, Apply) else 0
        deepest = max(deepest, depth + below)
        waiting.extend((child, depth + 1) for child in children(inner))
    return deepest


def _procedures(program: Program, report: Report) -> None:
    """Procedures do not open themselves, through whatever procedures and moves."""
    opened = opened_by(program)
    order, ring = inner_first(len(opened), lambda number: opened[number])
    if ring:
        names = " to ".join(f"'{program.procedures[number].name}'" for number in (*ring[:5], ring[0]))
        report.add(f"/procedures/{ring[0]}", f"rules lead back to themselves: {names}")
        return
    if _longest(order, opened) > WINDOW_DEPTH:
        report.add("/procedures", f"more than {WINDOW_DEPTH} rules can be open at once")


def _longest(order: Sequence[int], opened: Sequence[Sequence[int]]) -> int:
    """The length of the longest chain."""
    lengths: dict[int, int] = {}
    for number in order:
        lengths[number] = 1 + max((lengths[inner] for inner in opened[number]), default=0)
    return max(lengths.values(), default=0)


def _sizes(program: Program, report: Report) -> None:
    """Codes fit into 64 bits; families and lists of all values fit into a collection."""
    for path, value in walk_with_paths(program):
        if isinstance(value, _KINDS) and size(program, value) > INTEGER_MAX:
            report.add(path, "this kind has too many values")
        elif isinstance(value, AllOf) and size(program, value.type) > COLLECTION:
            report.add(path, f"a list of all values has more than {COLLECTION} elements")
    if report.findings:
        return
    for number, slot in enumerate(program.slots):
        if members(program, number) > COLLECTION:
            report.add(f"/slots/{number}", f"'{slot.name}' has more than {COLLECTION} members")
