"""The checked program: the syntax tree and what the passes found out about it. Spec 1.3."""

from collections.abc import Mapping

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker import bounds, data_check, data_schema, gathered, names, no_seat, types, visibility, written_out
from rulelang.checker import declared as declarations
from rulelang.checker.blind import blind_zones
from rulelang.checker.declared import Data, Declared
from rulelang.checker.formulas import KindTable
from rulelang.checker.names import NameTable
from rulelang.diagnostics.diagnostic import Findings


@attrs.frozen
class Checked:
    """A tree without mistakes, and the tables of the passes."""

    rules: ast.Rules
    declared: Declared
    names: NameTable
    types: KindTable
    blind: frozenset[ast.Zone]
    """The zones in which unseen cards can lie."""
    used_up: Mapping[ast.Repeat, ast.Expr] = attrs.field(factory=dict)
    """The loops that end because they use up what lies in a zone, or the range of a marker, and its place."""


def check(rules: ast.Rules, data: Data, findings: Findings) -> Checked:
    """Run the passes one after another; every mistake goes to ``findings``.

    A pass that would only repeat earlier mistakes in other words is left out.
    """
    declared = declarations.collect(rules, data, findings)
    table = names.resolve(rules, declared, findings)
    kinds = types.infer(rules, declared, table, findings)
    gathered.in_circles(rules, table, findings)
    data_check.check_tables(rules, declared, kinds, findings)
    blind = blind_zones(rules, table, kinds)
    checked = Checked(rules, declared, table, kinds, blind)
    if not findings:
        written_out.too_large(rules, table, findings)
    if not findings:
        no_seat.prove(rules, table, findings)
        data_schema.hold_against(rules, declared, findings)
        visibility.prove(checked, findings)
        return attrs.evolve(checked, used_up=bounds.prove(checked, findings))
    return checked
