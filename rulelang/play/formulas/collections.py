"""Collections: lists in their order and sorted bags, both tuples of codes. Spec 4.8."""

from collections import Counter

from rulelang import limits
from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Value
from rulelang.play.formulas.bags import bags_of, how_many_bags
from rulelang.play.formulas.context import Context, check_length, codes, evaluate, items, means, number


@means(ir.Span)
def span(formula: ir.Span, context: Context) -> Value:
    """low, low + 1, ..., high."""
    low, high = number(formula.low, context), number(formula.high, context)
    check_length(high - low + 1, number(formula.capacity, context))
    check_length(high - low + 1)
    return tuple(range(low, high + 1))


@means(ir.MakeList)
def make_list(formula: ir.MakeList, context: Context) -> Value:
    """The items in written order."""
    return tuple([evaluate(item, context) for item in formula.items])


@means(ir.Join)
def join(formula: ir.Join, context: Context) -> Value:
    """Lists one after the other; bags added."""
    left, right = codes(formula.left, context), codes(formula.right, context)
    check_length(len(left) + len(right))
    return tuple(sorted(left + right)) if formula.shape == "bag" else left + right


@means(ir.Without)
def without(formula: ir.Without, context: Context) -> Value:
    """A list without every element that is in right; a bag with right's elements taken out once each."""
    left, right = codes(formula.left, context), codes(formula.right, context)
    if formula.shape == "list":
        away = set(right)
        return tuple([item for item in left if item not in away])
    return tuple(sorted((Counter(left) - Counter(right)).elements()))


@means(ir.Size)
def size(formula: ir.Size, context: Context) -> Value:
    """How many elements."""
    return len(items(formula.collection, context))


@means(ir.Occurrences)
def occurrences(formula: ir.Occurrences, context: Context) -> Value:
    """How often the item is there."""
    return items(formula.collection, context).count(evaluate(formula.item, context))


@means(ir.Distinct)
def distinct(formula: ir.Distinct, context: Context) -> Value:
    """Every different element once, in order of codes."""
    return tuple(sorted(set(codes(formula.collection, context))))


@means(ir.Item)
def item(formula: ir.Item, context: Context) -> Value:
    """The n-th element, counted from 1."""
    collection, position = items(formula.collection, context), number(formula.position, context)
    if 1 <= position <= len(collection):
        return collection[position - 1]
    return evaluate(formula.none, context)


@means(ir.Last)
def last(formula: ir.Last, context: Context) -> Value:
    """The last element: of a pile, its top card."""
    collection = items(formula.collection, context)
    return collection[-1] if collection else evaluate(formula.none, context)


@means(ir.Picks)
def picks(formula: ir.Picks, context: Context) -> Value:
    """Every bag that can be taken out, each once, in lexicographic order."""
    bag, count = tuple(sorted(codes(formula.collection, context))), number(formula.count, context)
    if not 0 <= count <= len(bag):
        return ()
    check_length(count, limits.PICKED)
    check_length(how_many_bags(bag, count)[count])
    return tuple(bags_of(bag, count))


@means(ir.From)
def from_(formula: ir.From, context: Context) -> Value:
    """The list turned so that it begins with ``start``, if that is in it."""
    collection, start = items(formula.collection, context), evaluate(formula.start, context)
    if start not in collection:
        return collection
    turn = collection.index(start)
    return collection[turn:] + collection[:turn]
