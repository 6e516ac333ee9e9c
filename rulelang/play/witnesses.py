"""Values that show why a requirement does not hold: what fills its words, and what its searches found. Spec 8.5."""

from collections.abc import Iterator

from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Expression, Spoken, Value
from rulelang.ir.program import Program, Requirement, Zone
from rulelang.ir.types import CollectionType, MemberType, NumberType, RowType, Type
from rulelang.ir.walk import walk
from rulelang.play.formulas import Context, evaluate
from rulelang.play.formulas.searches import first_failing, first_satisfying
from rulelang.play.refusal import Witness
from rulelang.play.words import speak

ANY_NUMBER = NumberType(ir.Constant(0), ir.Constant(0))
"""The kind in whose words a value is said if nothing tells its kind: as a number."""


def witnesses(requirement: Requirement, context: Context) -> tuple[Witness, ...]:
    """The holes of the words in order, then the searched things, each name once."""
    found: dict[str, Witness] = {}
    for part in requirement.words.parts:
        if isinstance(part, Spoken):
            name = _name(part.value, context.program)
            found.setdefault(name, Witness(name, speak(context.program, part.type, evaluate(part.value, context))))
    for variable, kind, value in _searched(requirement.condition, context, wanted=True):
        found.setdefault(variable, Witness(variable, speak(context.program, kind, value)))
    return tuple(found.values())


def _name(formula: Expression, program: Program) -> str:
    """What a hole is called: by its local, its place or its define."""
    if isinstance(formula, ir.Local):
        return formula.name
    if isinstance(formula, ir.Apply):
        return program.functions[formula.function].name
    read = next((part for part in walk(formula) if isinstance(part, ir.Read)), None)
    return program.slots[read.place.slot].name if read else "value"


def _searched(formula: Expression, context: Context, *, wanted: bool) -> Iterator[tuple[str, Type, Value]]:
    """The elements by which a condition is not as wanted."""
    if bool(evaluate(formula, context)) == wanted:
        return
    match formula:
        case ir.Not():
            yield from _searched(formula.value, context, wanted=not wanted)
        case ir.Both() | ir.Either():
            for part in formula.parts:
                yield from _searched(part, context, wanted=wanted)
        case ir.Every() if wanted:
            yield from _named(formula, first_failing(formula, context), context.program)
        case ir.Exists() if not wanted:
            yield from _named(formula, first_satisfying(formula, context), context.program)
        case _:
            pass


def _named(
    search: ir.Every | ir.Exists, elements: tuple[Value, ...], program: Program
) -> Iterator[tuple[str, Type, Value]]:
    for element in elements:
        yield search.variable.name, _kind_of(search, program), element


def _kind_of(search: ir.Every | ir.Exists, program: Program) -> Type:
    """The kind of a search's variable, told by its domain or by how it is used."""
    domain, variable = search.domain, search.variable
    if isinstance(domain, ir.AllOf):
        return domain.type
    if isinstance(domain, ir.Read):
        slot = program.slots[domain.place.slot]
        if isinstance(slot, Zone):
            return slot.content
        return slot.type.of if isinstance(slot.type, CollectionType) else slot.type
    for part in walk(search.condition):
        if isinstance(part, ir.Slot) and variable in part.indices:
            return program.slots[part.slot].index[part.indices.index(variable)]
        if isinstance(part, ir.Member) and part.member == variable:
            return MemberType(part.slot)
        if isinstance(part, ir.Cell) and part.row == variable:
            return RowType(part.table)
    return ANY_NUMBER
