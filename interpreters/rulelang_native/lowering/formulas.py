"""Formulas: names, numbers, truths and collections. Searches are in `searches`.

`value` gives a flat value and its facts, `truth` a flat truth; what must be looked at before is written into the body.
The order in which things can fail is that of the reference: left before right, first before later.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Literal, cast

import attrs

from rulelang import limits
from rulelang.failures import Exhausted
from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Expression
from rulelang.ir.program import Marker, Zone
from rulelang.ir.sizes import pieces
from rulelang.ir.types import CollectionType, RecordType, SingleType, TextType
from rulelang.ir.walk import walk
from rulelang.play import kinds
from rulelang.play.folding import before_play
from rulelang.play.formulas import evaluate
from rulelang.play.missing import MEMBER
from rulelang_native.flat import expressions as flat
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.program import Failure
from rulelang_native.flat.statements import If, Set, Statement
from rulelang_native.lowering.body import ALWAYS, NEVER, Body, Found, between, refuted
from rulelang_native.lowering.facts import HIGH, LOW, TRUTH, UNSEEN_YET, Fact, fact_of, joined, number
from rulelang_native.lowering.failing import NotLowered

OVERFLOW = Failure("overflow")
TOO_LONG = Failure("too_long", limit=limits.COLLECTION)

DEEP, HIGH_ENOUGH = 4, 24
"""From how many formulas inside one another on it is asked how high the expression is, and what is too high."""

MANY = 4
"""More indices, or parts of a record, than these stand under names of their own."""

Lower = Callable[[Body, Any], Found]
VALUES: dict[type, Lower] = {}
"""How each class of formula is lowered."""


def lowers(kind: type) -> Callable[[Lower], Lower]:
    """Enter a function as the way to lower a class of formula."""

    def enter(function: Lower) -> Lower:
        VALUES[kind] = function
        return function

    return enter


def value(body: Body, formula: Expression) -> Found:
    """The value of a formula, and what is known of it."""
    outer, body.height = body.height, 0
    found, fact = _value(body, formula)
    return lowered(body, found, outer), fact


def lowered(body: Body, found: Flat, outer: int) -> Flat:
    """A value, under a name if it has become high: printers take only so many expressions inside one another."""
    height = body.height + 1
    if height >= DEEP and _height(found) >= HIGH_ENOUGH:
        found, height = body.keep(found), 0
    body.height = max(outer, height)
    return found


def _height(found: Any) -> int:
    """How many expressions lie inside one another."""
    if isinstance(found, tuple):
        return max(map(_height, found), default=0)
    if isinstance(found, Known | flat.Name) or not attrs.has(type(found)):
        return 0
    return 1 + max(map(_height, attrs.astuple(found, recurse=False)), default=0)


def _value(body: Body, formula: Expression) -> Found:
    if isinstance(formula, TRUTHS):
        found = truth(body, formula)
        if isinstance(found, Known):
            return found, fact_of(cast(int, found.value))
        return flat.AsNumber(found), TRUTH
    before = _unchanging(body, formula)
    if before is None:
        return VALUES[type(formula)](body, formula)
    known, name = body.name("k"), body.name()
    with body.inside() as inner:
        result, fact = VALUES[type(formula)](body, formula)
        body.add(Set(name, result))
        body.add(Set(known, ALWAYS))
    before.append(Set(known, NEVER))
    body.add(If(flat.No(flat.IsOne(flat.Name(known))), tuple(inner)))
    return flat.Name(name), fact


def _unchanging(body: Body, formula: Expression) -> list[Statement] | None:
    """Where a heavy formula inside loops is prepared, if some of them do not change it; else None."""
    if not isinstance(formula, HEAVY) or not body.in_loop:
        return None
    if isinstance(formula, ir.Apply) and body.lowering.small(formula.function):
        return None
    inner = {part.variable.number for part in walk(formula) if isinstance(part, SEARCHES)}
    numbers = {part.number for part in walk(formula) if isinstance(part, ir.Local)} - inner
    standing = (body.locals[each][0] for each in sorted(numbers))
    return body.once(each.name for each in standing if isinstance(each, flat.Name))


def simple(body: Body, formula: Expression) -> Found:
    """The same, as something that may be written down several times."""
    found, fact = value(body, formula)
    return body.simple(found), fact


# ------------------------------------------------------------------ names


@lowers(ir.Constant)
def _constant(body: Body, formula: ir.Constant) -> Found:
    return Known(formula.value), fact_of(formula.value)


@lowers(ir.Local)
def _local(body: Body, formula: ir.Local) -> Found:
    return body.locals[formula.number]


@lowers(ir.AllOf)
def _all_of(body: Body, formula: ir.AllOf) -> Found:
    size, low = kinds.size(body.lowering.program, formula.type), kinds.least(formula.type)
    if size > limits.COLLECTION:
        body.fail(TOO_LONG)
        return Known(()), Fact(1, LOW, HIGH)
    return body.lowering.shared(tuple(range(low, low + size)))


@lowers(ir.Read)
def _read(body: Body, formula: ir.Read) -> Found:
    slot = formula.place.slot
    return flat.Held(slot, member(body, formula.place)), body.lowering.held[slot]


def member(body: Body, place: ir.Place) -> Flat:
    """The member of a family that a place names; the step is given up if there is no such."""
    lowering = body.lowering
    family = lowering.layout.families[place.slot]
    if isinstance(place, ir.Member):
        failure = Failure("no_place", place.slot, index=MEMBER)
        which, fact = simple(body, place.member)
        body.check(between(which, fact, 0, family.count - 1), failure, which)
        return Known(0) if _is_outside(which, 0, family.count - 1) else which
    total: Flat = Known(0)
    spans = zip(place.indices, family.lows, family.sizes, family.strides, strict=True)
    for which_index, (index, low, extent, stride) in enumerate(spans):
        failure = Failure("no_place", place.slot, index=which_index)
        digit, fact = value(body, index)
        if not fact.inside(low, low + extent - 1):
            digit = body.simple(digit)
            body.check(between(digit, fact, low, low + extent - 1), failure, digit)
            digit = Known(low) if _is_outside(digit, low, low + extent - 1) else digit
        if len(place.indices) > MANY:
            digit, total = body.simple(digit), body.simple(total)
        total = plus(total, times(plus(digit, Known(-low)), stride))
    return total


def _is_outside(found: Flat, low: int, high: int) -> bool:
    """Whether a number is known, and none of these: the step is always given up before it is used."""
    return isinstance(found, Known) and not low <= cast(int, found.value) <= high


def plus(left: Flat, right: Flat) -> Flat:
    """A sum that cannot overflow."""
    if isinstance(left, Known) and isinstance(right, Known):
        return Known(cast(int, left.value) + cast(int, right.value))
    if left == Known(0) or right == Known(0):
        return right if left == Known(0) else left
    if isinstance(right, Known) and cast(int, right.value) < 0:
        return flat.Math("-", left, Known(-cast(int, right.value)))
    return flat.Math("+", left, right)


def times(left: Flat, factor: int) -> Flat:
    """A product that cannot overflow."""
    if isinstance(left, Known):
        return Known(cast(int, left.value) * factor)
    return left if factor == 1 else flat.Math("*", left, Known(factor))


@lowers(ir.Cell)
def _cell(body: Body, formula: ir.Cell) -> Found:
    table = body.lowering.program.tables[formula.table]
    column = table.columns[formula.column]
    if isinstance(column.type, TextType):
        raise NotLowered("a text of a table is used as a value")
    row, fact = simple(body, formula.row)
    values, _ = body.lowering.shared(cast("tuple[Any, ...]", column.values))
    element = joined(fact_of(each) for each in cast("tuple[ir.Value, ...]", column.values))
    if isinstance(row, Known) and 0 <= cast(int, row.value) < len(table.rows):
        return body.lowering.shared(cast(ir.Value, column.values[cast(int, row.value)]))
    if fact.inside(0, len(table.rows) - 1) and table.rows:
        return flat.At(values, row), element
    none = kinds.nothing(column.type)
    there = between(row, fact, 0, len(table.rows) - 1)
    return flat.Either(there, flat.At(values, row), Known(none)), element.joined(fact_of(none))


@lowers(ir.Apply)
def _apply(body: Body, formula: ir.Apply) -> Found:
    arguments = [value(body, argument) for argument in formula.arguments]
    if body.lowering.small(formula.function):
        return _written_out(body, formula.function, arguments)
    arguments = [
        (body.simple(each) if body.lowering.can_fail(formula.function) else each, fact) for each, fact in arguments
    ]
    result, fails = body.lowering.function(formula.function, [fact for _, fact in arguments])
    body.fails |= fails
    call = flat.Result(f"f{formula.function}", tuple(each for each, _ in arguments))
    # what can fail is worked out where it stands, not where its value is used
    return (body.keep(call) if fails else call), result


def _written_out(body: Body, function: int, arguments: list[Found]) -> Found:
    """A small function where it is applied, instead of a call."""
    declared = body.lowering.program.functions[function]
    outer = body.locals
    body.locals = {place: (body.simple(found), fact) for place, (found, fact) in enumerate(arguments)}
    try:
        return value(body, declared.body)
    finally:
        body.locals = outer


# ------------------------------------------------------------------ numbers


def _checked(
    body: Body, operator: Literal["+", "-", "*"], formula: Any, bounds: tuple[int, int], parts: tuple[Flat, Flat]
) -> Found:
    low, high = bounds
    result: Flat = flat.Math(operator, *parts)
    if low >= LOW and high <= HIGH:
        return result, Fact(0, low, high)
    result = body.keep(result)
    body.check(between(result, Fact(0, low, high), LOW, HIGH), OVERFLOW)
    return result, number(low, high)


@lowers(ir.Add)
def _add(body: Body, formula: ir.Add) -> Found:
    (left, one), (right, two) = value(body, formula.left), value(body, formula.right)
    return _checked(body, "+", formula, (one.low + two.low, one.high + two.high), (left, right))


@lowers(ir.Subtract)
def _subtract(body: Body, formula: ir.Subtract) -> Found:
    (left, one), (right, two) = value(body, formula.left), value(body, formula.right)
    return _checked(body, "-", formula, (one.low - two.high, one.high - two.low), (left, right))


@lowers(ir.Multiply)
def _multiply(body: Body, formula: ir.Multiply) -> Found:
    (left, one), (right, two) = value(body, formula.left), value(body, formula.right)
    corners = [a * b for a in (one.low, one.high) for b in (two.low, two.high)]
    return _checked(body, "*", formula, (min(corners), max(corners)), (left, right))


@lowers(ir.Negative)
def _negative(body: Body, formula: ir.Negative) -> Found:
    found, fact = value(body, formula.value)
    return _checked(body, "-", formula, (-fact.high, -fact.low), (Known(0), found))


@lowers(ir.Quotient)
def _quotient(body: Body, formula: ir.Quotient) -> Found:
    (left, one), (right, two) = value(body, formula.left), simple(body, formula.right)
    if right == Known(0):
        return right, fact_of(0)
    result: Flat = flat.Math("//", left, right)
    most = max(abs(one.low), abs(one.high))
    bounds = (-most - 1 if one.low < 0 or two.low < 0 else 0, most)
    if not (two.low > 0 or two.high < 0):
        result = flat.Either(flat.IsOne(right), result, Known(0))
    if one.low == LOW and two.low <= -1 <= two.high:
        result = body.keep(result)
        body.check(flat.Compare("<=", result, Known(HIGH)), OVERFLOW)
    return result, number(*bounds)


@lowers(ir.Remainder)
def _remainder(body: Body, formula: ir.Remainder) -> Found:
    (left, one), (right, two) = simple(body, formula.left), simple(body, formula.right)
    if right == Known(0):
        return left, one
    result: Flat = flat.Math("%", left, right)
    fact = Fact(0, min(0, two.low + 1), max(0, two.high - 1))
    if two.low > 0 or two.high < 0:
        return result, fact
    return flat.Either(flat.IsOne(right), result, left), fact.joined(Fact(0, one.low, one.high))


@lowers(ir.Smaller)
def _smaller(body: Body, formula: ir.Smaller) -> Found:
    (left, one), (right, two) = value(body, formula.left), value(body, formula.right)
    return flat.Math("min", left, right), Fact(0, min(one.low, two.low), min(one.high, two.high))


@lowers(ir.Larger)
def _larger(body: Body, formula: ir.Larger) -> Found:
    (left, one), (right, two) = value(body, formula.left), value(body, formula.right)
    return flat.Math("max", left, right), Fact(0, max(one.low, two.low), max(one.high, two.high))


SEARCHES = (ir.Exists, ir.Every, ir.Select, ir.Choose, ir.Number, ir.Total, ir.Extreme, ir.Collect, ir.Partition)
HEAVY = (*SEARCHES, ir.Apply, ir.Picks)
"""Formulas that are worked out once where a loop does not change them."""

# ------------------------------------------------------------------ truths

TRUTHS = (
    ir.Equal,
    ir.Less,
    ir.AtMost,
    ir.Contains,
    ir.Not,
    ir.Both,
    ir.Either,
    ir.Exists,
    ir.Every,
)


def truth(body: Body, formula: Expression) -> Flat:
    """Whether a formula is not 0."""
    outer, body.height = body.height, 0
    return lowered(body, _truth(body, formula), outer)


def _truth(body: Body, formula: Expression) -> Flat:
    match formula:
        case ir.Equal():
            (left, _), (right, _) = value(body, formula.left), value(body, formula.right)
            return _compared("==", left, right)
        case ir.Less():
            (left, _), (right, _) = value(body, formula.left), value(body, formula.right)
            return _compared("<", left, right)
        case ir.AtMost():
            (left, _), (right, _) = value(body, formula.left), value(body, formula.right)
            return _compared("<=", left, right)
        case ir.Contains():
            (item, _), (row, _) = value(body, formula.item), value(body, formula.collection)
            if isinstance(row, Known) and isinstance(item, Known):
                return ALWAYS if item.value in cast("tuple[Any, ...]", row.value) else NEVER
            return flat.Has(row, item)
        case ir.Not():
            return refuted(truth(body, formula.value))
        case ir.Both():
            return _parts(body, formula.parts, wanted=True)
        case ir.Either():
            return _parts(body, formula.parts, wanted=False)
        case ir.Exists() | ir.Every():
            from rulelang_native.lowering.searches import some

            before = _unchanging(body, formula)
            if before is None:
                return some(body, formula)
            known = body.name("k")
            with body.inside() as inner:
                found = some(body, formula)
                body.add(Set(known, found if isinstance(found, Known) else flat.AsNumber(found)))
            before.append(Set(known, Known(-1)))
            body.add(If(flat.Compare("<", flat.Name(known), Known(0)), tuple(inner)))
            return flat.IsOne(flat.Name(known))
        case ir.Conditional():
            return _either_truth(body, formula)
        case _:
            found, _ = value(body, formula)
            if isinstance(found, Known):
                return ALWAYS if found.value else NEVER
            if isinstance(found, flat.AsNumber):
                return found.truth
            return flat.IsOne(found)


def _compared(operator: Literal["==", "<", "<="], left: Flat, right: Flat) -> Flat:
    if isinstance(left, Known) and isinstance(right, Known):
        one, two = cast(int, left.value), cast(int, right.value)
        return ALWAYS if (one == two if operator == "==" else one < two if operator == "<" else one <= two) else NEVER
    return flat.Compare(operator, left, right)


def _parts(body: Body, parts: tuple[Expression, ...], *, wanted: bool) -> Flat:
    """All parts, or any of them: a part is looked at only if those before it have not decided."""
    kind: type[flat.All] | type[flat.Any] = flat.All if wanted else flat.Any
    open_parts: list[Flat] = []
    name: str | None = None
    for place, part in enumerate(parts):
        with body.inside() as inner:
            found = truth(body, part)
        if not inner or place == 0:
            body.statements += inner
            open_parts.append(found)
            continue
        before = _together(kind, open_parts)
        if name is None:
            name = body.name()
        body.add(Set(name, before))
        now = flat.Name(name)
        body.add(If(now if wanted else refuted(now), (*inner, Set(name, found))))
        open_parts = [now]
    return _together(kind, open_parts)


def _together(kind: type[flat.All] | type[flat.Any], parts: list[Flat]) -> Flat:
    deciding, certain = (NEVER, ALWAYS) if kind is flat.All else (ALWAYS, NEVER)
    kept: list[Flat] = []
    for part in parts:
        if part == certain:
            continue
        kept.append(part)
        if part == deciding:
            break
    if len(kept) < 2:
        return kept[0] if kept else certain
    return kind(tuple(kept))


def _either_truth(body: Body, formula: ir.Conditional) -> Flat:
    condition = truth(body, formula.condition)
    if isinstance(condition, Known):
        return truth(body, formula.then if condition == ALWAYS else formula.otherwise)
    with body.inside() as then:
        one = truth(body, formula.then)
    with body.inside() as otherwise:
        two = truth(body, formula.otherwise)
    if not then and not otherwise:
        return flat.Either(condition, one, two)
    name = body.name()
    body.add(If(condition, (*then, Set(name, one)), (*otherwise, Set(name, two))))
    return flat.Name(name)


@lowers(ir.Conditional)
def _conditional(body: Body, formula: ir.Conditional) -> Found:
    condition = truth(body, formula.condition)
    if isinstance(condition, Known):
        return value(body, formula.then if condition == ALWAYS else formula.otherwise)
    with body.inside() as then:
        one, first = value(body, formula.then)
    with body.inside() as otherwise:
        two, second = value(body, formula.otherwise)
    fact = joined((first, second))
    if not then and not otherwise:
        return flat.Either(condition, one, two), fact
    name = body.name()
    body.add(If(condition, (*then, Set(name, one)), (*otherwise, Set(name, two))))
    return flat.Name(name), fact


def otherwise_none(body: Body, there: Flat, found: Found, none: Expression) -> Found:
    """A value if a truth holds, else what stands for none."""
    with body.inside() as inner:
        nothing, fact = value(body, none)
    both = found[1].joined(fact)
    if not inner:
        return flat.Either(there, found[0], nothing), both
    name = body.name()
    body.add(If(there, (Set(name, found[0]),), (*inner, Set(name, nothing))))
    return flat.Name(name), both


# ------------------------------------------------------------------ records


@lowers(ir.Part)
def _part(body: Body, formula: ir.Part) -> Found:
    program, kind = body.lowering.program, cast(RecordType, formula.type)
    code, fact = simple(body, formula.value)
    field = kind.fields[formula.field].type
    stride = 1
    for later in kind.fields[formula.field + 1 :]:
        stride *= kinds.size(program, later.type)
    size, low = kinds.size(program, field), kinds.least(field)
    if not size:
        return Known(kinds.none_code(field)), fact_of(kinds.none_code(field))
    digit: Flat = code if stride == 1 else flat.Math("//", code, Known(stride))
    if formula.field > 0:
        digit = flat.Math("%", digit, Known(size))
    part = plus(digit, Known(low))
    whole = kinds.size(program, kind)
    found = number(low, low + size - 1)
    if fact.inside(0, whole - 1):
        return part, found
    none = kinds.none_code(field)
    return flat.Either(between(code, fact, 0, whole - 1), part, Known(none)), found.joined(fact_of(none))


@lowers(ir.MakeRecord)
def _make_record(body: Body, formula: ir.MakeRecord) -> Found:
    program, kind = body.lowering.program, cast(RecordType, formula.type)
    parts = [simple(body, part) for part in formula.parts]
    fits: list[Flat] = []
    code: Flat = Known(0)
    for (part, fact), field in zip(parts, kind.fields, strict=True):
        low, size = kinds.least(field.type), kinds.size(program, field.type)
        fits.append(between(part, fact, low, low + size - 1) if size else NEVER)
    failure = Failure("no_record", words=(kind.name, ""))
    body.check(_together(flat.All, fits), failure, *[part for part, _ in parts])
    for (part, _), field in zip(parts, kind.fields, strict=True):
        low, size = kinds.least(field.type), kinds.size(program, field.type)
        if len(parts) > MANY:
            code = body.simple(code)
        code = plus(times(code, size), plus(part, Known(-low)))
    return code, number(0, max(0, kinds.size(program, kind) - 1))


# ------------------------------------------------------------------ collections


@lowers(ir.Span)
def _span(body: Body, formula: ir.Span) -> Found:
    (low, one), (high, two) = simple(body, formula.low), simple(body, formula.high)
    most = kinds.bound(formula.capacity)
    longest = max(0, two.high - one.low + 1)
    for limit in (most, limits.COLLECTION):
        if longest > limit:
            # high - low + 1 may not fit 64 bits, high - limit does not overflow where it matters
            body.check(flat.Compare("<", flat.Math("-", high, low), Known(limit)), Failure("too_long", limit=limit))
            longest = limit
    return flat.Span(low, high), Fact(1, one.low, two.high, longest, ordered=True)


@lowers(ir.MakeList)
def _make_list(body: Body, formula: ir.MakeList) -> Found:
    items = [value(body, item) for item in formula.items]
    inner = joined(fact for _, fact in items) if items else Fact(0, 1, 0)
    fact = Fact(inner.depth + 1, inner.low, inner.high, len(items), ordered=len(items) < 2 and inner.depth == 0)
    return flat.Items(tuple(item for item, _ in items)), fact


def _rows(one: Fact, two: Fact, length: int, *, ordered: bool) -> Fact:
    both = one.joined(two)
    return Fact(both.depth, both.low, both.high, min(length, limits.COLLECTION), ordered)


@lowers(ir.Join)
def _join(body: Body, formula: ir.Join) -> Found:
    (left, one), (right, two) = value(body, formula.left), value(body, formula.right)
    length = one.length + two.length
    if length > limits.COLLECTION:
        left, right = body.simple(left), body.simple(right)
        together = flat.Math("+", flat.Length(left), flat.Length(right))
        body.check(flat.Compare("<=", together, Known(limits.COLLECTION)), TOO_LONG)
    whole: Flat = flat.Joined(left, right)
    if formula.shape == "bag":
        return flat.Sorted(whole), _rows(one, two, length, ordered=True)
    return whole, _rows(one, two, length, ordered=False)


@lowers(ir.Without)
def _without(body: Body, formula: ir.Without) -> Found:
    (left, one), (right, _) = value(body, formula.left), value(body, formula.right)
    if formula.shape == "list":
        return flat.Minus(left, right), one
    return flat.BagMinus(in_order(left, one), right), Fact(one.depth, one.low, one.high, one.length, ordered=True)


def in_order(row: Flat, fact: Fact) -> Flat:
    """The row in order of codes, as it is if it is so already."""
    return row if fact.ordered else flat.Sorted(row)


@lowers(ir.Size)
def _size(body: Body, formula: ir.Size) -> Found:
    row, fact = value(body, formula.collection)
    if isinstance(row, Known):
        return body.lowering.shared(len(cast("tuple[Any, ...]", row.value)))
    return flat.Length(row), number(0, fact.length)


@lowers(ir.Occurrences)
def _occurrences(body: Body, formula: ir.Occurrences) -> Found:
    row, fact = value(body, formula.collection)
    item, _ = value(body, formula.item)
    return flat.Times(row, item), number(0, fact.length)


@lowers(ir.Distinct)
def _distinct(body: Body, formula: ir.Distinct) -> Found:
    row, fact = value(body, formula.collection)
    return flat.Distinct(row), Fact(fact.depth, fact.low, fact.high, fact.length, ordered=True)


@lowers(ir.Item)
def _item(body: Body, formula: ir.Item) -> Found:
    (row, fact), (position, _) = simple(body, formula.collection), simple(body, formula.position)
    there = flat.All((flat.Compare("<=", Known(1), position), flat.Compare("<=", position, flat.Length(row))))
    return otherwise_none(body, there, (flat.At(row, flat.Math("-", position, Known(1))), fact.element), formula.none)


@lowers(ir.Last)
def _last(body: Body, formula: ir.Last) -> Found:
    row, fact = simple(body, formula.collection)
    last = flat.At(row, flat.Math("-", flat.Length(row), Known(1)))
    return otherwise_none(body, flat.IsOne(row), (last, fact.element), formula.none)


@lowers(ir.From)
def _from(body: Body, formula: ir.From) -> Found:
    (row, fact), (start, _) = value(body, formula.collection), value(body, formula.start)
    return flat.Turned(row, start), Fact(fact.depth, fact.low, fact.high, fact.length)


@lowers(ir.Picks)
def _picks(body: Body, formula: ir.Picks) -> Found:
    (row, fact), (count, _) = value(body, formula.collection), value(body, formula.count)
    body.fails = True
    failure = body.lowering.failure(Failure("too_long", limit=limits.PICKED))
    bags = body.keep(flat.Bags(in_order(row, fact), count, failure))
    return bags, Fact(2, fact.low, fact.high, limits.COLLECTION)


# ------------------------------------------------------------------ boards


def _on_board(body: Body, formula: Expression, board: int, of: str, size: int) -> Flat:
    """A cell or edge that a formula names; the step is given up if it is not on the board."""
    code, fact = simple(body, formula)
    words = (f"{'A cell' if of == 'cell' else 'An edge'} of {body.lowering.program.boards[board].name}", "")
    body.check(between(code, fact, 0, size - 1), Failure("no_cell", words=words), code)
    return code


def _looked_up(body: Body, board: int, of: str, formula: Expression, key: Any) -> Found:
    """What a board says of every cell (or edge), worked out before play and looked up."""
    lowering = body.lowering
    rows, columns = kinds.board_size(lowering.program, board)
    size = rows * columns if of == "cell" else (rows + 1) * columns + rows * (columns + 1)
    code = _on_board(body, formula, board, of, size)
    context = before_play(lowering.program, 1)
    known = tuple(evaluate(key(ir.Constant(each)), context) for each in range(size))
    values, fact = lowering.shared(known)
    return flat.At(values, code), fact.element if fact.depth == 1 else joined(fact_of(each) for each in known)


@lowers(ir.Neighbours)
def _neighbours(body: Body, formula: ir.Neighbours) -> Found:
    around = formula.around
    return _looked_up(body, formula.board, "cell", formula.cell, lambda at: ir.Neighbours(formula.board, at, around))


@lowers(ir.Rays)
def _rays(body: Body, formula: ir.Rays) -> Found:
    return _looked_up(body, formula.board, "cell", formula.cell, lambda at: ir.Rays(formula.board, at))


@lowers(ir.Linked)
def _linked(body: Body, formula: ir.Linked) -> Found:
    program = body.lowering.program
    size = prod(kinds.board_size(program, formula.board))
    context = before_play(program, 1)
    near = tuple(evaluate(ir.Neighbours(formula.board, ir.Constant(each), False), context) for each in range(size))
    (start, _), (among, _) = value(body, formula.start), value(body, formula.within)
    beside, _ = body.lowering.shared(near)
    return flat.Linked(start, among, beside), Fact(1, 0, size - 1, size, ordered=True)


@lowers(ir.RowOf)
def _row_of(body: Body, formula: ir.RowOf) -> Found:
    return _looked_up(body, formula.board, "cell", formula.cell, lambda at: ir.RowOf(formula.board, at))


@lowers(ir.ColumnOf)
def _column_of(body: Body, formula: ir.ColumnOf) -> Found:
    return _looked_up(body, formula.board, "cell", formula.cell, lambda at: ir.ColumnOf(formula.board, at))


@lowers(ir.EdgesOf)
def _edges_of(body: Body, formula: ir.EdgesOf) -> Found:
    return _looked_up(body, formula.board, "cell", formula.cell, lambda at: ir.EdgesOf(formula.board, at))


@lowers(ir.CellsBeside)
def _cells_beside(body: Body, formula: ir.CellsBeside) -> Found:
    return _looked_up(body, formula.board, "edge", formula.edge, lambda at: ir.CellsBeside(formula.board, at))


@lowers(ir.CellAt)
def _cell_at(body: Body, formula: ir.CellAt) -> Found:
    rows, columns = kinds.board_size(body.lowering.program, formula.board)
    (row, one), (column, two) = simple(body, formula.row), simple(body, formula.column)
    there = [between(row, one, 1, rows), between(column, two, 1, columns)]
    cell = plus(times(plus(row, Known(-1)), columns), plus(column, Known(-1)))
    return flat.Either(_together(flat.All, there), cell, Known(-1)), number(-1, rows * columns - 1)


def _told(body: Body, formula: Expression) -> Found:
    """A formula that needs nothing from the table and was not folded: it fails, always in the same way."""
    try:
        known = evaluate(formula, before_play(body.lowering.program, 1))
    except Exhausted as failure:
        body.fail(Failure("told", words=(failure.code, failure.message)))
        return Known(()), UNSEEN_YET
    return body.lowering.shared(known)


VALUES[ir.Lines] = VALUES[ir.Ranks] = VALUES[ir.NoneOf] = VALUES[ir.OptionValue] = VALUES[ir.SeatCount] = _told


# ------------------------------------------------------------------ what lies in a slot


def fact_of_slot(lowering: Any, slot: int) -> Fact:
    """What is known of what lies or is written in a slot."""
    declared = lowering.program.slots[slot]
    if isinstance(declared, Zone):
        if declared.blind:
            return Fact(1, -(1 << 62), HIGH, limits.COLLECTION)
        low, size = kinds.least(declared.content), kinds.size(lowering.program, declared.content)
        length = 1 if declared.shape == "slot" else pieces(lowering.program, declared.content)
        return Fact(1, low, low + size - 1, length, ordered=declared.shape == "bag")
    kind = cast(Marker, declared).type
    if isinstance(kind, CollectionType):
        of = cast(SingleType, kind.of)
        low, size = kinds.least(of), kinds.size(lowering.program, of)
        return Fact(1, low, low + size - 1, kinds.bound(kind.capacity), ordered=kind.shape == "bag")
    low, size = kinds.least(cast(SingleType, kind)), kinds.size(lowering.program, cast(SingleType, kind))
    return Fact(0, low, low + size - 1)


def fact_of_kind(lowering: Any, kind: SingleType) -> Fact:
    """What is known of a value of a single kind."""
    low, size = kinds.least(kind), kinds.size(lowering.program, kind)
    return Fact(0, low, low + size - 1)
