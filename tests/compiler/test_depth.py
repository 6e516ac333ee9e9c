"""Formulas that are nested too deeply, through the defines that they use, are told at the line that uses them. Spec 16.1."""

from case_files import compiled, refused_codes

from rulelang.limits import FORMULA_DEPTH

OPENING = 'game "Deep":\n  players: 2\n\nmarker n: 0..9\n'


def tower(height: int) -> str:
    """Defines of which each uses the one before, two levels deeper."""
    steps = [f"define step_{i} = -step_{i - 1}\n" for i in range(1, height)]
    return OPENING + "define step_0 = n\n" + "".join(steps)


def ending(height: int) -> str:
    """An overview that uses the highest define."""
    return f"overview: end game, grade step_{height - 1}\n"


def test_a_tower_of_defines_may_reach_the_limit_and_no_further() -> None:
    # A step is two levels (the minus and what is applied), the lowest one, and the line that uses the highest one more.
    most = next(
        height for height in range(1, FORMULA_DEPTH) if refused_codes(tower(height) + ending(height)) == ["RL2009"]
    )
    assert FORMULA_DEPTH // 2 - 3 <= most - 1 <= FORMULA_DEPTH // 2
    assert compiled(tower(most - 1) + ending(most - 1)).functions
    assert refused_codes(tower(most + 40) + ending(most + 40)) == ["RL2009"]


def test_defines_in_any_order() -> None:
    lines = tower(30).removeprefix(OPENING).splitlines(keepends=True)
    program = compiled(OPENING + "".join(reversed(lines)) + ending(30))
    assert [function.name for function in program.functions][0] == "step_29"
