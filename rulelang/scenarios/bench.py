"""The ruleset that a scenario speaks of, made ready for formulas that are not in its text.

Names of the scenario (its players, the cells of boards, what running rules remember) become locals: whoever evaluates
a formula gives them their values. Everything else is looked up, checked and lowered as in the rules themselves, with
copies of the tables that the checker made of the rules.
"""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker.blind import statements
from rulelang.checker.checked import Checked
from rulelang.checker.formulas import Formulas, KindTable
from rulelang.checker.kinds import Cell, Collection, Edge, Kind, Record, Unknown, bare
from rulelang.checker.name_formulas import VALUES, Sorts
from rulelang.checker.names import NameTable, NameWalk
from rulelang.checker.symbols import LocalName
from rulelang.compiler.context import Compilation, Frame, numbers_of
from rulelang.compiler.lower_formulas import FormulaLowering
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings
from rulelang.ir import expressions as ir

if TYPE_CHECKING:
    from rulelang.play.engine import Engine, Game

_CELL: Final = re.compile(r"[a-z]{1,3}[1-9][0-9]{0,4}")


@attrs.frozen(eq=False)
class PlayerName(LocalName):
    """What a seat is called in a scenario."""

    seat: int = 0


@attrs.frozen(eq=False)
class RememberedName(LocalName):
    """What a running rule remembers: a parameter, a ``let``, the variable of a loop."""


@attrs.frozen(eq=False)
class SpotName(LocalName):
    """A cell (``b2``) or an edge (``a1 - b1``) in the words of the table."""

    text: str = ""
    edge: bool = False


class PlayNames(NameWalk):
    """Names in the formulas of scenarios."""

    def use(self, name: str, node: ast.Node, likely: Sorts = VALUES) -> None:
        if self._is_spot(name) and self._boards():
            self.table.uses[node] = SpotName(name, node, text=name)
        else:
            super().use(name, node, likely)

    def expr(self, node: ast.Expr) -> None:
        match node:
            case ast.Sum(first=ast.Name(name=start), rest=(ast.Binary(operator="-", value=ast.Name(name=end)),)) if (
                self._is_spot(start) and self._is_spot(end)
            ):
                self.table.uses[node] = SpotName(start, node, text=f"{start}-{end}", edge=True)
            case _:
                super().expr(node)

    def _is_spot(self, name: str) -> bool:
        known = self.local(name) or name in self.declared.names or name in self.declared.labels
        return not known and _CELL.fullmatch(name) is not None

    def _boards(self) -> bool:
        return any(isinstance(kind, Cell) for kind in self.declared.kinds.values())

    @property
    def bound(self) -> dict[str, LocalName]:
        """The names of the innermost scope."""
        return self.scopes[-1]


class PlayFormulas(Formulas):
    """Kinds of the formulas of scenarios."""

    def kind_of(self, node: ast.Expr, wanted: Kind | None) -> Kind:
        symbol = self.names.uses.get(node)
        if isinstance(symbol, SpotName):
            return self.spot(symbol, wanted)
        return super().kind_of(node, wanted)

    def spot(self, symbol: SpotName, wanted: Kind | None) -> Kind:
        """The board of a cell or edge: the wanted one, or the only one."""
        sort = Edge if symbol.edge else Cell
        found = [kind for kind in dict.fromkeys(self.declared.kinds.values()) if isinstance(kind, sort)]
        wished = bare(wanted.of if isinstance(wanted, Collection) else wanted) if wanted is not None else None
        chosen: Kind = wished if isinstance(wished, sort) else found[0] if len(found) == 1 else Unknown()
        if isinstance(chosen, Unknown):
            what = "an edge" if symbol.edge else "a cell"
            hint = "write cell(BOARD, row, column)" if found else None
            self.findings.report(
                codes.VALUE_NOT_OF_TYPE, symbol.binder.at, word=symbol.text, wanted=f"{what} of one board", hint=hint
            )
        self.locals[symbol] = chosen
        return chosen


class PlayLowering(FormulaLowering):
    """Formulas of scenarios to formulas of the IR."""

    def value(self, node: ast.Expr, frame: Frame, wanted: Kind | None) -> ir.Expression:
        symbol = self.names.uses.get(node)
        if isinstance(symbol, SpotName):
            return frame.local(symbol)
        return super().value(node, frame, wanted)


class Bench:
    """One checked ruleset with tables that grow by the formulas of scenarios."""

    def __init__(self, checked: Checked, findings: Findings) -> None:
        names = NameTable(dict(checked.names.uses), dict(checked.names.bindings), dict(checked.names.moves))
        self.names = PlayNames(checked.declared, findings)
        self.names.table = names
        self.kinds = PlayFormulas(checked.declared, names, findings)
        self.kinds.locals.update(checked.types.locals)
        table = checked.types
        self.kinds.table = KindTable(dict(table.kinds), dict(table.labels), self.kinds.locals, dict(table.returns))
        self.checked = attrs.evolve(checked, names=names, types=self.kinds.table)
        self.findings = findings
        self.numbers = numbers_of(checked.rules)
        self.lowering = PlayLowering(Compilation(self.checked, self.numbers, findings))
        self.closed: dict[tuple[int, int, tuple[tuple[str, int | str | bool], ...]], tuple[Engine, Game]] = {}
        """The program closed for scenarios: by engine (kept with it), seats and options."""

    def named(self, sort: type[ast.Move] | type[ast.Rule] | type[ast.Option]) -> Mapping[str, ast.Node]:
        """The declarations of a sort by their names."""
        return {
            node.name: node
            for node in self.checked.rules.declarations
            if isinstance(node, sort) and isinstance(node, ast.Move | ast.Rule | ast.Option)
        }

    def chance_kinds(self) -> tuple[Kind, ...]:
        """The kinds of what chance can give: pieces, faces, and the markers that are rolled."""
        declared = self.checked.declared
        found: dict[Kind, None] = {}
        for node in self.checked.rules.declarations:
            if isinstance(node, ast.Zone):
                kind = declared.kinds[node]
                found[kind] = None
                if isinstance(kind, Record) and node.showing is not None:
                    found[bare(kind.fields[1][1])] = None
            for statement in statements(node):
                if isinstance(statement, ast.Command) and statement.verb == "roll":
                    found[bare(self.kinds.table.kinds.get(statement.object, Unknown()))] = None
        return tuple(kind for kind in found if not isinstance(kind, Unknown))

    def remembered(self, target: ast.Node) -> Iterable[tuple[str, Kind]]:
        """What rules can remember when play stands in one of them, by name: of every rule, the target's first."""
        binders = self.checked.names.bindings
        declarations = [target, *(node for node in self.checked.rules.declarations if node is not target)]
        for declaration in declarations:
            if not isinstance(declaration, ast.Rule | ast.Overview):
                continue
            for param in declaration.params if isinstance(declaration, ast.Rule) else ():
                yield binders[param].name, self.kinds.locals.get(binders[param], Unknown())
            for statement in statements(declaration):
                if statement in binders:
                    yield binders[statement].name, self.kinds.locals.get(binders[statement], Unknown())
