"""Constants, names, places, tables, defines and records. Spec 4.2, 4.3, 4.7, 5.4, 6.3 and 7.4."""

from typing import cast

from rulelang.failures import Broken
from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Value
from rulelang.ir.types import RecordType
from rulelang.play import kinds
from rulelang.play.formulas.context import Context, check_length, evaluate, means, number
from rulelang.play.missing import MEMBER, no_place, no_record


@means(ir.Constant)
def constant(formula: ir.Constant, context: Context) -> Value:
    """The value as written."""
    return formula.value


@means(ir.NoneOf)
def none_of(formula: ir.NoneOf, context: Context) -> Value:
    """The code just below the least one."""
    return kinds.none_code(formula.type)


@means(ir.AllOf)
def all_of(formula: ir.AllOf, context: Context) -> Value:
    """Every code of the kind."""
    check_length(kinds.size(context.program, formula.type))
    return tuple(kinds.all_codes(context.program, formula.type))


@means(ir.OptionValue)
def option_value(formula: ir.OptionValue, context: Context) -> Value:
    """The code that was chosen before play."""
    if context.program.configuration is None:
        raise Broken("an option was read before the program was closed")
    return context.program.configuration.options[formula.option]


@means(ir.SeatCount)
def seat_count(formula: ir.SeatCount, context: Context) -> Value:
    """The number of players."""
    return kinds.seat_count(context.program)


@means(ir.Local)
def local(formula: ir.Local, context: Context) -> Value:
    """What the frame remembers under this name."""
    return context.locals[formula.number]


@means(ir.Read)
def read(formula: ir.Read, context: Context) -> Value:
    """What lies or is written there now."""
    return context.cells[cell_of(formula.place, context)]


def member_of(place: ir.Place, context: Context) -> int:
    """The flat index, within its family, of the zone or marker that a place names."""
    family = context.layout.families[place.slot]
    flat = 0
    if type(place) is ir.Member:
        flat = number(place.member, context)
        if not 0 <= flat < family.count:
            raise no_place(context.program, place.slot, MEMBER, flat)
        return flat
    for index, low, extent, stride in zip(
        cast(ir.Slot, place).indices, family.lows, family.sizes, family.strides, strict=True
    ):
        digit = number(index, context) - low
        if not 0 <= digit < extent:
            raise _no_such_place(cast(ir.Slot, place), context)
        flat += digit * stride
    return flat


def cell_of(place: ir.Place, context: Context) -> int:
    """The cell of the state that a place names."""
    return context.layout.families[place.slot].base + member_of(place, context)


def _no_such_place(place: ir.Slot, context: Context) -> Exception:
    """Which index it is that fails; only then is it counted."""
    family = context.layout.families[place.slot]
    found = [number(index, context) for index in place.indices]
    spans = zip(found, family.lows, family.sizes, strict=True)
    wrong = next(place for place, (code, low, size) in enumerate(spans) if not low <= code < low + size)
    return no_place(context.program, place.slot, wrong, found[wrong])


@means(ir.Cell)
def cell(formula: ir.Cell, context: Context) -> Value:
    """What the table says in this row. A text comes out only into words for people."""
    table = context.program.tables[formula.table]
    row = number(formula.row, context)
    column = table.columns[formula.column]
    if not 0 <= row < len(table.rows):
        return kinds.nothing(column.type)
    return cast(Value, column.values[row])


@means(ir.Apply)
def apply(formula: ir.Apply, context: Context) -> Value:
    """The body's value, with the arguments as its first locals."""
    function = context.program.functions[formula.function]
    inner: list[Value] = [0] * function.locals
    for place, argument in enumerate(formula.arguments):
        inner[place] = evaluate(argument, context)
    outer, context.locals = context.locals, inner
    try:
        return evaluate(function.body, context)
    finally:
        context.locals = outer


@means(ir.Part)
def part(formula: ir.Part, context: Context) -> Value:
    """One digit of the record's code."""
    kind = cast(RecordType, formula.type)
    code = number(formula.value, context)
    if not 0 <= code < kinds.size(context.program, kind):
        return kinds.none_code(kind.fields[formula.field].type)
    return kinds.split(context.program, kind, code)[formula.field]


@means(ir.MakeRecord)
def make_record(formula: ir.MakeRecord, context: Context) -> Value:
    """The record's code from its digits; a part outside its kind is refused."""
    kind = cast(RecordType, formula.type)
    parts = tuple([number(part, context) for part in formula.parts])
    code = kinds.join(context.program, kind, parts)
    if code is None:
        raise no_record(context.program, kind, parts)
    return code
