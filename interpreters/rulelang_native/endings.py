"""How a game ends: places, winners and returns, from the numbers that an End node states. Spec 13."""

from fractions import Fraction
from functools import lru_cache
from typing import Literal

from rulelang.ir import nodes as ir
from rulelang.play.outcome import GameOutcome
from rulelang_native.runtime.machine import Machine

Kind = Literal["winners", "amounts", "grade", "unresolved", "aborted"]


def outcome_of(machine: Machine) -> GameOutcome:
    """The result that the machine has come to."""
    module = machine.module
    node = module.program.nodes[machine.over]
    if not isinstance(node, ir.End):
        return outcome("aborted", (), module.seats)
    procedure, _, locals = machine.frames[-1]
    numbers = module.functions[f"end{procedure}_{machine.over}"](machine.c, locals)
    return outcome(kind_of(node), tuple(numbers), module.seats)


def kind_of(node: ir.Node) -> Kind:
    """How a game ends that is over at a node."""
    return KINDS[type(node.outcome)] if isinstance(node, ir.End) else "aborted"


KINDS: dict[type, Kind] = {
    ir.Winners: "winners",
    ir.Amounts: "amounts",
    ir.Grade: "grade",
    ir.Unresolved: "unresolved",
    ir.Aborted: "aborted",
}


@lru_cache(4096)
def outcome(kind: Kind, numbers: tuple[int, ...], seats: int) -> GameOutcome:
    """The result that numbers state."""
    nothing, first = (Fraction(0),) * seats, (1,) * seats
    match kind:
        case "winners":
            best = tuple(seat for seat in range(seats) if seat in numbers)
            if len(best) in (0, seats):
                return GameOutcome("winners", (), first, nothing)
            share = Fraction(seats - len(best), len(best))
            returns = tuple(share if seat in best else Fraction(-1) for seat in range(seats))
            return GameOutcome("winners", best, _places_with_first(best, seats), returns)
        case "amounts":
            places = tuple(1 + sum(other > mine for other in numbers) for mine in numbers)
            best = tuple(seat for seat in range(seats) if places[seat] == 1)
            returns = tuple(Fraction(each) for each in numbers)
            return GameOutcome("amounts", best if len(best) < seats else (), places, returns)
        case "grade":
            return GameOutcome("grade", (), first, (Fraction(numbers[0]),) * seats, numbers[0])
        case "unresolved":
            tied = tuple(seat for seat in range(seats) if seat in numbers)
            return GameOutcome("unresolved", (), _places_with_first(tied, seats), nothing)
        case _:
            return GameOutcome("aborted", (), first, nothing)


def _places_with_first(first: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """These share the first place, all others the next."""
    return tuple(1 if seat in first else 1 + len(first) for seat in range(seats))
