"""Closed programs in a plainer form, so that what means the same is written the same.

Only what holds for all whole numbers is done: ``x - 1`` around a table of N seats is ``x + N - 1`` (and ``x + N`` is
``x + 0``), ``x < 3`` is ``x <= 2``. What counted only until the program was closed is left out: numbers of seats,
options, demands; so are promises, advice, and functions that nobody asks. Markers and zones may also be compared by the
state that play begins with, instead of by their declarations.
"""

import attrs

from rulelang.ir import expressions as ir
from rulelang.ir.codec import content_hash
from rulelang.ir.program import Program, Zone
from rulelang.ir.walk import rebuild
from rulelang.rulebook.mutating.spots import functions_in_play

_NOTHING = ir.Constant(0)


def plain_hash(closed: Program) -> str:
    """The content hash of a closed program in its plainer form."""
    alive = functions_in_play(closed)
    functions = tuple(
        function if number in alive else attrs.evolve(function, body=_NOTHING)
        for number, function in enumerate(closed.functions)
    )
    bare = attrs.evolve(
        closed,
        fewest_seats=1,
        most_seats=1,
        options=(),
        demands=(),
        invariants=(),
        preferences=(),
        functions=functions,
    )
    return content_hash(rebuild(bare, plainer))


def without_setting(closed: Program) -> Program:
    """A closed program without what lies and is written before play."""
    return attrs.evolve(
        closed,
        slots=tuple(
            attrs.evolve(slot, starts=()) if isinstance(slot, Zone) else attrs.evolve(slot, initial=_NOTHING)
            for slot in closed.slots
        ),
    )


def plainer(part: object) -> object:
    """One part in its plainer form; what is in it has been made plainer before."""
    match part:
        case ir.Remainder(
            left=ir.Add(left=left, right=ir.Constant(value=int(step))), right=ir.Constant(value=int(around))
        ) if around > 0:
            return ir.Remainder(ir.Add(left, ir.Constant(step % around)), part.right)
        case ir.Remainder(
            left=ir.Subtract(left=left, right=ir.Constant(value=int(step))), right=ir.Constant(value=int(around))
        ) if around > 0:
            return ir.Remainder(ir.Add(left, ir.Constant(-step % around)), part.right)
        case ir.Less(right=ir.Constant(value=int(bound))):
            return ir.AtMost(part.left, ir.Constant(bound - 1))
        case ir.Less(left=ir.Constant(value=int(bound))):
            return ir.AtMost(ir.Constant(bound + 1), part.right)
        case _:
            return part
