"""Formulas as deep as the language allows are played, or refused before play with the rule's name: never a crash."""

import attrs
import pytest

from rulelang.failures import Exhausted
from rulelang.ir import effects as fx
from rulelang.ir import expressions as ex
from rulelang.ir import nodes as n
from rulelang.ir.origin import Origin, Source
from rulelang.ir.program import Column, Program, Table
from rulelang.ir.types import TextType
from rulelang.pipeline import compile_text, engine_named

RULES = """
game "Deep":
  players: 2

marker n: 0..99
marker a for each 0..9: 0..9
{declared}

overview:
  a[2] becomes 3
  n becomes 2
  seat(1) must go
  end game, nobody wins

move go:
  n becomes {formula}
"""


def program(formula: str, *declared: str) -> Program:
    """A game whose move works out a formula."""
    return compile_text(RULES.format(formula=formula, declared="\n".join(declared)).lstrip()).program


def ends(whole: Program) -> list[bytes]:
    """The state behind the move, on each interpreter."""
    found = []
    for name in ("reference", "native"):
        state = engine_named(name).configure(whole, 2, {}).start()
        found.append(state.step(next(iter(state.moves(0)))).to_bytes())
    return found


def wrapped(before: str, inner: str, after: str, times: int) -> str:
    """A formula around a formula, so many times."""
    for _ in range(times):
        inner = f"{before}{inner}{after}"
    return inner


DEEP = {
    "numbers": wrapped("(9 - ", "n", ")", 60),
    "a long sum": "n" + " - 1 + 1" * 75,
    "a long sum from the left": wrapped("", "n", " + n", 35),
    "products": wrapped("remainder(3 * ", "n", " + 1, 10)", 50),
    "places in places": wrapped("a[", "n", "]", 60),
    "smaller": wrapped("smaller(9, ", "n", ")", 60),
    "one or the other": wrapped("(", "n", " if n > 1 otherwise 1)", 60),
    "conditions": wrapped("(1 if ", "n", " > 1 otherwise 2)", 31),
    "and, or": f"1 if {wrapped('(n is 1 or n is 2 and ', 'n is 2', ')', 40)} otherwise 3",
    "not": f"1 if {wrapped('not ', 'n is 2', '', 58)} otherwise 3",
    "lists": f"size of {wrapped('kinds of (', '1..n', ')', 31)}",
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_formulas_are_played(name: str) -> None:
    reference, native = ends(program(DEEP[name]))
    assert native == reference


def test_defines_that_use_defines_are_played() -> None:
    steps = [f"define step_{i}(x: number) = 9 - step_{i + 1}(x)" for i in range(51)]
    reference, native = ends(program("step_0(n)", *steps, "define step_51(x: number) = smaller(9, x)"))
    assert native == reference


def test_large_defines_that_use_defines_are_played() -> None:
    """Too large to be written out: a function each."""
    more = " + ".join(["(a[x] - a[x])"] * 9)
    steps = [f"define step_{i}(x: 0..9) = remainder(step_{i + 1}(x) + {more}, 10)" for i in range(12)]
    reference, native = ends(program("step_0(n)", *steps, "define step_12(x: 0..9) = x"))
    assert native == reference


def searches(times: int) -> str:
    """A search inside a search, so many times; each reads what it searches."""
    names = [f"x{i}" for i in range(times)]
    inner = f"n is {' + '.join(names)}"
    for name in reversed(names):
        inner = f"some {name} in 1..1 where {inner}"
    return f"1 if {inner} otherwise 2"


def test_as_many_searches_as_python_has_loops_are_played() -> None:
    reference, native = ends(program(searches(17)))
    assert native == reference


@pytest.mark.parametrize("times", [19, 40])
def test_more_searches_are_refused_before_play_by_the_rules_name(times: int) -> None:
    whole = program(searches(times))
    assert engine_named("reference").configure(whole, 2, {}).start().waiting
    with pytest.raises(Exhausted) as refused:
        engine_named("native").configure(whole, 2, {})
    assert refused.value.code == "RL8023"
    assert "'go': searches inside searches" in refused.value.message and "--engine reference" in refused.value.message
    assert (refused.value.file, refused.value.line) == ("game.rules", 14)


def test_a_text_of_a_table_as_a_value_is_refused_by_the_rules_name() -> None:
    whole = program("n")
    at = Source(Origin("game.rules", 1, 1), ())
    words = Table("Words", ("one",), (Column("word", TextType(), ("Hello",)),), at)
    (place,) = [at for at, node in enumerate(whole.nodes) if node.at.origin.line == 15]
    said = whole.nodes[place]
    assert isinstance(said, n.Do) and isinstance(said.effect, fx.SetMarker)
    effect = attrs.evolve(said.effect, value=ex.Cell(0, 0, said.effect.value))
    nodes = (*whole.nodes[:place], attrs.evolve(said, effect=effect), *whole.nodes[place + 1 :])
    whole = attrs.evolve(whole, tables=(words,), nodes=nodes)
    with pytest.raises(Exhausted) as refused:
        engine_named("native").configure(whole, 2, {})
    assert refused.value.code == "RL8023" and "'go': a text of a table" in refused.value.message
