"""Searches: one variable runs through a collection. Spec 4.9.

After a search its variable is 0 again, so that nothing of it remains in a saved state.
"""

from collections.abc import Iterator

from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Value
from rulelang.play.formulas.context import Context, evaluate, items, means, number, within_64_bits

Search = ir.Exists | ir.Every | ir.Select | ir.Choose | ir.Number | ir.Total | ir.Extreme | ir.Collect


def satisfying(search: Search, context: Context) -> Iterator[Value]:
    """Each element that satisfies the condition, in the domain's order, while it is the variable's value."""
    locals, variable, condition = context.locals, search.variable.number, search.condition
    for element in items(search.domain, context):
        locals[variable] = element
        if evaluate(condition, context):
            yield element
    locals[variable] = 0


def first_satisfying(search: ir.Exists | ir.Choose, context: Context) -> tuple[Value, ...]:
    """The first element that satisfies the condition, alone; empty if there is none."""
    for element in satisfying(search, context):
        context.locals[search.variable.number] = 0
        return (element,)
    return ()


def first_failing(search: ir.Every, context: Context) -> tuple[Value, ...]:
    """The first element that does not satisfy the condition, alone; empty if there is none."""
    locals, variable, condition = context.locals, search.variable.number, search.condition
    failing: tuple[Value, ...] = ()
    for element in items(search.domain, context):
        locals[variable] = element
        if not evaluate(condition, context):
            failing = (element,)
            break
    locals[variable] = 0
    return failing


@means(ir.Exists)
def exists(formula: ir.Exists, context: Context) -> Value:
    """1 if some element satisfies the condition."""
    return 1 if first_satisfying(formula, context) else 0


@means(ir.Every)
def every(formula: ir.Every, context: Context) -> Value:
    """1 if every element satisfies the condition."""
    return 0 if first_failing(formula, context) else 1


def _narrowed(search: ir.Select | ir.Choose, context: Context) -> tuple[Value, ...]:
    """The satisfying elements; each rank keeps those of the still tied that have the most (or least)."""
    tied = list(satisfying(search, context))
    for rank in search.ranks:
        values = []
        for element in tied:
            context.locals[search.variable.number] = element
            values.append(number(rank.value, context))
        context.locals[search.variable.number] = 0
        if values:
            best = max(values) if rank.most else min(values)
            tied = [element for element, value in zip(tied, values, strict=True) if value == best]
    return tuple(tied)


@means(ir.Select)
def select(formula: ir.Select, context: Context) -> Value:
    """All of them, in the domain's order."""
    return _narrowed(formula, context)


@means(ir.Choose)
def choose(formula: ir.Choose, context: Context) -> Value:
    """The first of them."""
    found = _narrowed(formula, context) if formula.ranks else first_satisfying(formula, context)
    return found[0] if found else evaluate(formula.none, context)


@means(ir.Number)
def number_of(formula: ir.Number, context: Context) -> Value:
    """How many there are."""
    return sum(1 for _ in satisfying(formula, context))


@means(ir.Total)
def total(formula: ir.Total, context: Context) -> Value:
    """The sum of a number over them."""
    amount = 0
    for _ in satisfying(formula, context):
        amount = within_64_bits(amount + number(formula.value, context))
    return amount


@means(ir.Extreme)
def extreme(formula: ir.Extreme, context: Context) -> Value:
    """The highest (or lowest) number over them."""
    values = [number(formula.value, context) for _ in satisfying(formula, context)]
    if not values:
        return evaluate(formula.none, context)
    return max(values) if formula.most else min(values)


@means(ir.Collect)
def collect(formula: ir.Collect, context: Context) -> Value:
    """The values for them, in the domain's order."""
    return tuple([evaluate(formula.value, context) for _ in satisfying(formula, context)])
