"""Numbers, and yes or no. Spec 4.4 to 4.6."""

from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Value
from rulelang.play.formulas.context import Context, evaluate, items, means, number, within_64_bits


@means(ir.Add)
def add(formula: ir.Add, context: Context) -> Value:
    """left + right."""
    return within_64_bits(number(formula.left, context) + number(formula.right, context))


@means(ir.Subtract)
def subtract(formula: ir.Subtract, context: Context) -> Value:
    """left - right."""
    return within_64_bits(number(formula.left, context) - number(formula.right, context))


@means(ir.Multiply)
def multiply(formula: ir.Multiply, context: Context) -> Value:
    """left * right."""
    return within_64_bits(number(formula.left, context) * number(formula.right, context))


@means(ir.Quotient)
def quotient(formula: ir.Quotient, context: Context) -> Value:
    """left divided by right, rounded down; 0 if right is 0."""
    left, right = number(formula.left, context), number(formula.right, context)
    return within_64_bits(left // right) if right else 0


@means(ir.Remainder)
def remainder(formula: ir.Remainder, context: Context) -> Value:
    """What Quotient leaves over; left if right is 0."""
    left, right = number(formula.left, context), number(formula.right, context)
    return left % right if right else left


@means(ir.Negative)
def negative(formula: ir.Negative, context: Context) -> Value:
    """-value."""
    return within_64_bits(-number(formula.value, context))


@means(ir.Smaller)
def smaller(formula: ir.Smaller, context: Context) -> Value:
    """The smaller one."""
    return min(number(formula.left, context), number(formula.right, context))


@means(ir.Larger)
def larger(formula: ir.Larger, context: Context) -> Value:
    """The larger one."""
    return max(number(formula.left, context), number(formula.right, context))


@means(ir.Equal)
def equal(formula: ir.Equal, context: Context) -> Value:
    """1 if both are the same; bags are kept sorted, so that this holds for collections too."""
    return 1 if evaluate(formula.left, context) == evaluate(formula.right, context) else 0


@means(ir.Less)
def less(formula: ir.Less, context: Context) -> Value:
    """1 if left < right."""
    return 1 if number(formula.left, context) < number(formula.right, context) else 0


@means(ir.AtMost)
def at_most(formula: ir.AtMost, context: Context) -> Value:
    """1 if left <= right."""
    return 1 if number(formula.left, context) <= number(formula.right, context) else 0


@means(ir.Contains)
def contains(formula: ir.Contains, context: Context) -> Value:
    """1 if the item is in the collection."""
    return 1 if evaluate(formula.item, context) in items(formula.collection, context) else 0


@means(ir.Not)
def not_(formula: ir.Not, context: Context) -> Value:
    """1 if the value is 0."""
    return 0 if evaluate(formula.value, context) else 1


@means(ir.Both)
def both(formula: ir.Both, context: Context) -> Value:
    """0 at the first part that is 0, else 1."""
    for part in formula.parts:
        if not evaluate(part, context):
            return 0
    return 1


@means(ir.Either)
def either(formula: ir.Either, context: Context) -> Value:
    """1 at the first part that is 1, else 0."""
    for part in formula.parts:
        if evaluate(part, context):
            return 1
    return 0


@means(ir.Conditional)
def conditional(formula: ir.Conditional, context: Context) -> Value:
    """One of two values; only that one is looked at."""
    if evaluate(formula.condition, context):
        return evaluate(formula.then, context)
    return evaluate(formula.otherwise, context)
