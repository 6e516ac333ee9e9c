"""Formulas for lists that are plainly never empty. Spec 16.3.

A loop over such a list surely begins with its body. So it waits if its body waits, also inside another loop that sets
the list again in every lap: ``repeat until ...: each p in players: p must play``.
"""

from rulelang.ir.expressions import AllOf, Constant, Expression, From, Join, MakeList, Span
from rulelang.ir.types import NamesType, SeatType


def is_filled(value: Expression) -> bool:
    """Whether a list has something in it, whatever the state and the configuration."""
    match value:
        case AllOf(type=SeatType()):
            return True
        case AllOf(type=NamesType(labels=labels)):
            return bool(labels)
        case From(collection=collection):
            return is_filled(collection)
        case Span(low=Constant(value=int(low)), high=Constant(value=int(high))):
            return low <= high
        case MakeList(items=items) | Constant(value=tuple(items)):
            return bool(items)
        case Join(left=left, right=right):
            return is_filled(left) or is_filled(right)
        case _:
            return False
