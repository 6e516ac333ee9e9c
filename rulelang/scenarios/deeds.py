"""Moves of a scenario: what is written becomes an answer, with the values of its formulas on the table as it is."""

from collections.abc import Sequence
from typing import Any, cast

from rulelang.ast import nodes as rules_ast
from rulelang.ast.nodes import plays as ast
from rulelang.checker.kinds import Flag, Kind
from rulelang.ir.expressions import Value
from rulelang.ir.types import PickType, SaidType, SingleType
from rulelang.play import kinds
from rulelang.play.event import Answer, Pass, Play
from rulelang.scenarios.check_deeds import is_hidden
from rulelang.scenarios.workshop import Workshop


def answer_of(shop: Workshop, seat: int, deed: ast.Deed, cells: Sequence[Any]) -> Answer:
    """The answer that a line means. An answer written as 'anything' (in what seats saw) is 0. Raises Exhausted."""
    names = [move.name for move in shop.program.moves]
    if deed.name not in names:
        return Pass(seat)
    number = names.index(deed.name)
    move = cast(rules_ast.Move, shop.bench.named(rules_ast.Move)[deed.name])
    codes: list[int] = []
    for position, parameter in enumerate(move.parameters):
        if position >= len(deed.arguments):
            codes.append(0)  # a 'maybe' that is left out
            continue
        argument = cast(rules_ast.Expr, deed.arguments[position])
        known = argument in shop.bench.kinds.table.kinds
        value = shop.value(argument, cells, _kind(shop, parameter)) if known else 0
        codes.append(_code(shop, shop.program.moves[number].parameters[position].type, value))
    return Play(seat, number, tuple(codes))


def _code(shop: Workshop, kind: SingleType, value: Value) -> int:
    """The code of an answer; too many things said, or too few, are a value that the game does not have."""
    if isinstance(kind, SaidType):
        said = cast(tuple[int, ...], value)
        if not 1 <= len(said) <= kinds.bound(kind.most):
            return kinds.size(shop.program, kind)
        return kinds.rank_of_said(shop.program, kind, said)
    if not isinstance(kind, PickType):
        return cast(int, value)
    bag = tuple(sorted(cast(tuple[int, ...], value))) if isinstance(value, tuple) else ()
    if len(bag) != kinds.bound(kind.count) or not all(kinds.contains(shop.program, kind.of, code) for code in bag):
        return kinds.size(shop.program, kind)
    return kinds.rank(shop.program, kind, bag)


def shown_arguments(deed: ast.Deed, codes: Sequence[int]) -> tuple[int | None, ...]:
    """The answers of a move as a seat saw them, None where it was not told."""
    hidden = [is_hidden(argument) for argument in deed.arguments]
    return tuple(None if i < len(hidden) and hidden[i] else code for i, code in enumerate(codes))


def _kind(shop: Workshop, parameter: rules_ast.Node) -> Kind:
    if isinstance(parameter, rules_ast.Maybe):
        return Flag()
    return shop.bench.kinds.locals[shop.bench.checked.names.bindings[parameter]]
