"""Formulas that are too deep, with the defines that they use, are told at the line that uses them. Spec 16.1."""

from case_files import compiled, refused_codes

from rulelang.ir.codec import dumps
from rulelang.limits import FORMULA_DEPTH, WINDOW_DEPTH

OPENING = 'game "Deep":\n  players: 2\n\nmarker n: 0..9\n'


def tower(height: int) -> list[str]:
    """Defines of which each uses the one before, two levels deeper: a minus, and what it stands before."""
    return ["define step_0 = n\n", *(f"define step_{i} = -step_{i - 1}\n" for i in range(1, height))]


def game(steps: list[str]) -> str:
    """A game that ends with the highest define as its grade."""
    return OPENING + "".join(steps) + f"overview: end game, grade step_{len(steps) - 1}\n"


def test_a_tower_of_defines_may_reach_the_limit_and_no_further() -> None:
    highest = next(height for height in range(2, FORMULA_DEPTH) if refused_codes(game(tower(height))) == ["RL6010"])
    assert FORMULA_DEPTH // 2 - 3 <= highest <= FORMULA_DEPTH // 2 + 1
    assert len(compiled(game(tower(highest - 1))).functions) == highest - 1
    assert refused_codes(game(tower(highest + 100))) == ["RL6010"]


def test_defines_may_stand_in_any_order() -> None:
    steps = tower(30)
    program = compiled(game(steps).replace("".join(steps), "".join(reversed(steps))))
    assert program.functions[0].name == "step_29"


def test_rules_may_carry_out_rules_up_to_the_limit() -> None:
    def chain(rules: int) -> str:
        steps = [f"rule step_{i}: step_{i - 1}\n" for i in range(1, rules)]
        return OPENING + "rule step_0: n becomes 1\n" + "".join(steps) + f"overview: step_{rules - 1}\n"

    assert len(compiled(chain(WINDOW_DEPTH - 1)).procedures) == WINDOW_DEPTH
    assert refused_codes(chain(WINDOW_DEPTH)) == refused_codes(chain(WINDOW_DEPTH + 50)) != ["by nobody"]


def test_chains_of_and_and_or_inside_each_other_are_told_before_they_are_too_deep_to_be_written_down() -> None:
    """A list of parts is a level of a document too, although it is none of a formula."""

    def nested(height: int) -> str:
        condition = "n is 9"
        for _ in range(height):
            condition = f"(n is 1 or n is 2 and {condition})"
        return OPENING + f"overview:\n  if {condition}: end game, grade 1\n  end game, grade 0\n"

    heights = range(36, 60, 2)
    answers = [refused_codes(nested(height)) for height in heights]
    fitting = answers.index(["RL6010"])
    assert fitting > 0, "some of them fit"
    assert dumps(compiled(nested(heights[fitting - 1]))), "and those that do can be written down"
    assert answers[fitting:] == [["RL6010"]] * (len(answers) - fitting)
