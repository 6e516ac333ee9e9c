"""Every formula means natively what it means in the specification: by the same examples, and by made-up ones."""

from typing import Any, get_args

import pytest
from both_engines import ending, native_value, reference_value
from made_formulas import CELLS, Grower, table
from test_formulas import CASES, game

from rulelang.ir import expressions as ir
from rulelang.ir.walk import walk
from rulelang.testing import Dice
from rulelang_native.lowering.failing import NotLowered

LOCALS = [5, (2, 7, 7)]
MADE, TUPLES = 600, 3
"""Formulas that are made up, and the values of the locals in which each is looked at."""


TEXTS = [(formula, value) for formula, value in CASES if isinstance(formula, ir.Cell) and formula.column == 2]
VALUES = [case for case in CASES if case not in TEXTS]


@pytest.mark.parametrize(("formula", "expected"), VALUES, ids=lambda case: type(case).__name__)
def test_the_examples_of_the_specification(formula: Any, expected: Any) -> None:
    program = game()
    module = ending(program, formula, [LOCALS])
    found = native_value(module, ((3, 1), (), (2,), (0, 5), 1), [*LOCALS, 0, 0])
    assert found == expected and repr(found) == repr(expected)


def test_a_text_of_a_table_is_no_value() -> None:
    """It can only be spoken; the message says what is the matter before play."""
    assert len(TEXTS) == 1
    with pytest.raises(NotLowered, match="a text of a table"):
        ending(game(), TEXTS[0][0], [LOCALS])


@pytest.mark.parametrize("part", range(6))
def test_made_up_formulas(part: int) -> None:
    program = table()
    failed = 0
    for number in range(part, MADE, 6):
        dice = Dice.seeded(3, number)
        grower = Grower(dice)
        formula, rows = grower.formula(), [grower.locals() for _ in range(TUPLES)]
        module = ending(program, formula, rows)
        for row in rows:
            expected = reference_value(module.program, formula, CELLS, row)
            found = native_value(module, CELLS, row)
            assert (found, repr(found)) == (expected, repr(expected)), f"{number}: {formula}, {row}\n{module.source}"
            failed += isinstance(found, str)
    assert failed > 8


def test_every_class_of_formula_is_made_up() -> None:
    formulas = [Grower(Dice.seeded(3, number)).formula() for number in range(MADE)]
    assert set(get_args(ir.Expression)) <= {type(each) for formula in formulas for each in walk(formula)}
