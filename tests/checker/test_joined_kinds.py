"""What is put together is as large as its parts: what is listed can be chosen, and nothing else. Spec 5, 8.2."""

import pytest

from rulelang.failures import Diagnosed
from rulelang.pipeline import compile_text, engine_named
from rulelang.play.event import Play

RULES = """game "Joined":
  players: 2

marker total: 0..99
marker flag: yes or no
marker middle: 1..20
define near = 1..3
define there = (7..9) if flag otherwise (1..3)
define early = 1..3 if not flag otherwise 7..9

move go(n in {domain}): total rises by n

overview:
  flag becomes yes
  seat(1) must go
  end game, nobody wins
"""

DOMAINS = [
    ("(1..3) + (7..9)", (1, 2, 3, 7, 8, 9)),
    ("(7..9) + (1..3)", (7, 8, 9, 1, 2, 3)),
    ("near + (5..5) + (-1..0)", (1, 2, 3, 5, -1, 0)),
    ("(1..9) but (2..8)", (1, 9)),
    ("(9..1) + (1..2)", (1, 2)),
    ("there", (7, 8, 9)),
    ("early", (7, 8, 9)),
]


@pytest.mark.parametrize(("domain", "numbers"), DOMAINS)
@pytest.mark.parametrize("engine", ["reference", "native"])
def test_what_is_listed_can_be_chosen(domain: str, numbers: tuple[int, ...], engine: str) -> None:
    program = compile_text(RULES.format(domain=domain)).program
    state = engine_named(engine).configure(program, 2, {}).start()
    assert sorted(answer.arguments[0] for answer in state.moves(0)) == sorted(numbers)  # type: ignore[union-attr]
    for number in range(-3, 12):
        assert (state.refusals(Play(0, 0, (number,))) == ()) == (number in numbers), number


@pytest.mark.parametrize("domain", ["(1..3) + (middle..20)", "(middle..20) + (1..3)", "(1..middle) + (1..3)"])
def test_what_has_no_bound_is_refused(domain: str) -> None:
    with pytest.raises(Diagnosed) as refused:
        compile_text(RULES.format(domain=domain))
    assert {mistake.code.number for mistake in refused.value.diagnostics} == {"RL6008"}
