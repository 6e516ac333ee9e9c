"""Rules on both interpreters, and single formulas on the native one."""

from collections.abc import Mapping, Sequence
from typing import cast

import attrs

from rulelang.failures import Exhausted
from rulelang.ir import effects as fx
from rulelang.ir import nodes as n
from rulelang.ir.expressions import Constant, Expression, Local, Value
from rulelang.ir.origin import Origin, Source
from rulelang.ir.program import Procedure, Program
from rulelang.pipeline import compile_source
from rulelang.play.comparing import Compared, Effort
from rulelang.play.differing import Difference, compare
from rulelang.play.engine import Engine
from rulelang.play.formulas import Context, evaluate
from rulelang.play.kinds import Layout
from rulelang.source import Source as Text
from rulelang_native import engine as native
from rulelang_native.game import Game
from rulelang_native.runtime.module import Module
from rulelang_reference import engine as reference

AT = Source(Origin("hand.rules", 1, 1))
CLOSELY = Effort(closely=1, attempts=4, saved=2)
SEARCHED = 6
"""Further locals, for the variables of searches."""


def program_of(rules: str) -> Program:
    """The program of some rules."""
    return compile_source(Text("game.rules", rules.lstrip()), "game").program


def game_of(rules: str, seats: int = 2, options: Mapping[str, int | str | bool] | None = None) -> Game:
    """The game of some rules on the native interpreter."""
    return native.configure(program_of(rules), seats, options or {})


def differ(
    program: Program | str,
    seats: int = 2,
    moves: int = 100,
    options: Mapping[str, int | str | bool] | None = None,
    *,
    effort: Effort = CLOSELY,
    counts: Compared | None = None,
    judged: Engine = native,
    seed: int = 7,
) -> Difference | None:
    """How the native interpreter differs from the reference; None if it does not."""
    built = program_of(program) if isinstance(program, str) else program
    return compare(judged, reference, built, seats, options or {}, seed, moves, effort=effort, counts=counts)


# ------------------------------------------------------------------ single formulas


def ending(program: Program, formula: Expression, rows: Sequence[Sequence[Value]]) -> Module:
    """The program, whose overview puts each row of values into its locals and ends as the formula says.

    What lowering knows of a local is what these values have in common.
    """
    count = len(rows[0])
    names = tuple(f"x{place}" for place in range(count + SEARCHED))
    entry = len(program.nodes)
    nodes: list[n.Node] = []
    for row in rows:
        for place, each in enumerate(row):
            nodes.append(n.Do(fx.SetLocal(Local(place, names[place]), Constant(each)), entry + len(nodes) + 1, AT))
    nodes.append(n.End(n.Winners(formula), AT))
    overview = Procedure("overview", 0, names, entry, AT)
    procedures = (overview, *program.procedures[1:])
    return Module(attrs.evolve(program, nodes=(*program.nodes, *nodes), procedures=procedures))


def native_value(module: Module, cells: Sequence[Value], locals: Sequence[Value]) -> Value | str:
    """What the formula of ``ending`` comes to, or how it fails."""
    end = next(call for name, call in module.functions.items() if name.startswith("end0_"))
    try:
        return cast(Value, end(list(cells), list(locals)))
    except Exhausted as failure:
        return f"{failure.code}: {failure.message}"


def reference_value(
    program: Program, formula: Expression, cells: Sequence[Value], locals: Sequence[Value]
) -> Value | str:
    """The same by the meanings of formulas."""
    context = Context(program, Layout.of(program), cells, [*locals, *[0] * SEARCHED])
    try:
        return evaluate(formula, context)
    except Exhausted as failure:
        return f"{failure.code}: {failure.message}"
