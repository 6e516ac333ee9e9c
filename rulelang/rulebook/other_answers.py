"""Formulas that answer otherwise: what stands in their place when a word of the rules is taken out.

The answer has the same kind: yes for no, another number, an empty collection, a case less. Where the kind cannot be
told from the formula alone, nothing is offered.
"""

from collections.abc import Iterator

import attrs

from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Expression

FLAGS = (ir.Equal, ir.Less, ir.AtMost, ir.Contains, ir.Not, ir.Both, ir.Either, ir.Exists, ir.Every)
NUMBERS = (
    ir.Add,
    ir.Subtract,
    ir.Multiply,
    ir.Quotient,
    ir.Remainder,
    ir.Smaller,
    ir.Larger,
    ir.Size,
    ir.Occurrences,
    ir.Number,
    ir.Total,
)
COLLECTIONS = (ir.AllOf, ir.MakeList, ir.Join, ir.Without, ir.Distinct, ir.From, ir.Collect)


def other_answers(formula: Expression) -> Iterator[tuple[str, Expression]]:
    """Other formulas of the same kind, each with what was done."""
    match formula:
        case ir.Both() | ir.Either():
            yield "answered otherwise", ir.Not(formula)
            for place in range(len(formula.parts) if len(formula.parts) > 1 else 0):
                rest = formula.parts[:place] + formula.parts[place + 1 :]
                yield f"without part {place + 1}", attrs.evolve(formula, parts=rest) if len(rest) > 1 else rest[0]
        case _ if isinstance(formula, FLAGS):
            yield "answered otherwise", ir.Not(formula)
        case ir.Smaller() | ir.Larger():
            yield "the first of two", formula.left
            yield "the second of two", formula.right
        case _ if isinstance(formula, NUMBERS):
            yield "one more", ir.Add(formula, ir.Constant(1))
            yield "nothing", ir.Constant(0)
        case ir.Conditional():
            yield "the case never holds", formula.otherwise
            yield "the case always holds", formula.then
            yield "turned round", attrs.evolve(formula, then=formula.otherwise, otherwise=formula.then)
            yield from _deeper(formula)
        case ir.Select():
            yield from _without_ranks(formula)
            yield "without condition", attrs.evolve(formula, condition=ir.Constant(1))
            yield "nothing", ir.Constant(())
        case ir.Choose():
            yield from _without_ranks(formula)
            yield "nothing", formula.none
        case ir.Extreme():
            yield "the other extreme", attrs.evolve(formula, most=not formula.most)
            yield "nothing", formula.none
        case _ if isinstance(formula, COLLECTIONS):
            yield "nothing", ir.Constant(())
        case ir.Partition():
            yield "no group", attrs.evolve(formula, condition=ir.Constant(0))
            yield "worth nothing", attrs.evolve(formula, worth=ir.Constant(0))
            yield "the other partition", attrs.evolve(formula, whole=not formula.whole)
        case ir.PartitionPart():
            for said, partition in other_answers(formula.partition):
                yield said, attrs.evolve(formula, partition=partition)
            if formula.part == "possible":
                yield "answered otherwise", ir.Not(formula)
            if formula.part == "value":
                yield "worth nothing", ir.Constant(0)
        case _:
            return


def _deeper(formula: ir.Conditional) -> Iterator[tuple[str, Expression]]:
    for said, then in other_answers(formula.then):
        yield said, attrs.evolve(formula, then=then)
    for said, otherwise in other_answers(formula.otherwise):
        yield said, attrs.evolve(formula, otherwise=otherwise)


def _without_ranks(formula: ir.Select | ir.Choose) -> Iterator[tuple[str, Expression]]:
    for place, rank in enumerate(formula.ranks):
        rest = formula.ranks[:place] + formula.ranks[place + 1 :]
        yield f"without rank {place + 1}", attrs.evolve(formula, ranks=rest)
        other = attrs.evolve(rank, most=not rank.most)
        turned = (*formula.ranks[:place], other, *formula.ranks[place + 1 :])
        yield f"rank {place + 1} turned round", attrs.evolve(formula, ranks=turned)
