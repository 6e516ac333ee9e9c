"""Printed programs grow with the rules, never with cells or players: only sizes are looked at here, never time."""

from collections.abc import Callable
from typing import Any, get_args

import pytest
from both_engines import program_of

from rulelang.play.closing import close
from rulelang.testing.growing import GROWING, board, table
from rulelang_native.flat.statements import Statement
from rulelang_native.runtime.module import Module

STATEMENTS = get_args(Statement)
MOST_MORE = 1.15
"""How much larger a part may be in a large program than in a small one: names and numbers get longer."""


def module_of(rules: str, seats: int = 2) -> Module:
    """The printed program."""
    return Module(close(program_of(rules), seats, {}))


def statements(part: Any) -> int:
    """The statements in a part of a flat program."""
    if isinstance(part, tuple):
        return sum(map(statements, part))
    if isinstance(part, STATEMENTS):
        inside = (getattr(part, name, ()) for name in ("then", "otherwise", "body"))
        return 1 + sum(map(statements, inside))
    return 0


def sizes(module: Module) -> tuple[int, int]:
    """Bytes of source, and flat statements."""
    flat = module.flat
    bodies = [each.body for each in flat.functions] + [block.body for each in flat.procedures for block in each.blocks]
    return len(module.source.encode()), statements(tuple(bodies))


@pytest.mark.parametrize("name", GROWING)
def test_twice_as_many_rules_are_twice_as_much(name: str) -> None:
    make = GROWING[name]
    small, middle, large = (sizes(module_of(make(count))) for count in (10, 20, 40))
    for few, more, most in zip(small, middle, large, strict=True):
        assert 0 < most - more <= 2 * (more - few) * MOST_MORE
        assert more > few


@pytest.mark.parametrize(("make", "counts"), [(board, (10, 20, 80)), (table, (2, 5, 16))], ids=["cells", "players"])
def test_larger_boards_and_more_players_are_the_same_rules(make: Callable[[int], str], counts: tuple[int, ...]) -> None:
    found = [sizes(module_of(make(count), 2 if make is board else count)) for count in counts]
    assert len({count for _, count in found}) == 1
    lengths = [length for length, _ in found]
    assert max(lengths) - min(lengths) <= 20, "only numbers have more digits"
