"""Words with arguments: defines, records, built-in functions, sums over searches. Spec 4.7, 4.9 and 4.11.

The lowest third of the types pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.ast import nodes as ast
from rulelang.checker import builtins
from rulelang.checker.gathered import speaks_of_mover
from rulelang.checker.kinds import (
    ANY_NUMBER,
    Cell,
    Collection,
    Division,
    Flag,
    Kind,
    Nothing,
    Optional,
    Record,
    Seat,
    Unknown,
    agree,
    bare,
    joined,
    or_none,
    spoken,
)
from rulelang.checker.places import Ref, is_pick, place
from rulelang.checker.symbols import (
    BuiltIn,
    ConditionName,
    DefineName,
    KindName,
    LocalName,
    RuleName,
    sort_of,
)
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related, did_you_mean
from rulelang.limits import FORMULA_DEPTH

if TYPE_CHECKING:
    from rulelang.checker.declared import Declared
    from rulelang.checker.names import NameTable


class Calls:
    """Calls; the walk's state lives here, for all three parts."""

    def __init__(self, declared: Declared, names: NameTable, findings: Findings) -> None:
        from rulelang.checker.formulas import KindTable

        self.declared = declared
        self.names = names
        self.findings = findings
        self.home = ""
        """The file of the game; what comes from a library stands elsewhere."""
        self.me = False
        """Whether ``me`` has a meaning here."""
        self.locals: dict[LocalName, Kind] = {}
        self.table = KindTable({}, {}, self.locals, {})
        self.running: list[ast.Define] = []
        """The defines whose kind is being found, outermost first."""
        self.dividing: ast.Expr | None = None
        """What a bag is being divided into: ``bags(2..5, cards)``."""
        self.saying: ast.Expr | None = None
        """The domain of the parameter that is being looked at; ``lists`` stands nowhere else."""

    # what the other parts provide
    if TYPE_CHECKING:

        def infer(self, node: ast.Expr, wanted: Kind | None = None) -> Kind: ...

        def expected(self, node: ast.Expr, wanted: Kind) -> Kind: ...

        def number(self, node: ast.Expr) -> None: ...

        def flag(self, node: ast.Expr) -> None: ...

        def elements(self, node: ast.Expr, wanted: Kind | None = None) -> Kind: ...

    def ref(self, node: ast.Expr) -> Ref | None:
        """The place a formula names."""
        return place(node, self.names)

    def text(self, text: ast.Text | None) -> None:
        for part in text.parts if text else ():
            if isinstance(part, ast.Hole):
                self.infer(part.value)

    # ------------------------------------------------------------------ defines

    def returned(self, node: ast.Define) -> Kind:
        """The kind of a define's value; found once, when it is first needed."""
        if node in self.table.returns:
            return self.table.returns[node]
        if node in self.running:
            path = [define.name for define in self.running[self.running.index(node) :]]
            self.findings.report(
                codes.RECURSIVE_NAME, node.at, word=node.name, hint=f"the way round: {' -> '.join([*path, node.name])}"
            )
            self.table.returns[node] = Unknown()
            return Unknown()
        if len(self.running) >= FORMULA_DEPTH // 2:
            self.findings.report(
                codes.FORMULA_TOO_DEEP,
                self.running[0].at,
                limit=FORMULA_DEPTH,
                hint="let fewer defines use other defines",
            )
            return Unknown()
        self.running.append(node)
        me, self.me = self.me, False
        for param in node.params:
            assert isinstance(param, ast.Param)
            self.locals[self.names.bindings[param]] = self.declared.kinds[param.type]
        kind: Kind | None = None
        for case in node.cases:
            if case.condition is not None:
                self.flag(case.condition)
            found = self.infer(case.value, kind)
            if kind is not None and not agree(kind, found):
                self.findings.report(codes.TYPE_MISMATCH, case.value.at, found=spoken(found), wanted=spoken(kind))
            kind = found if kind is None else joined(kind, found)
        self.me = me
        self.running.pop()
        return self.table.returns.setdefault(node, kind or Unknown())

    def arguments(
        self,
        name: str,
        node: ast.Node,
        params: tuple[ast.Node, ...],
        given: tuple[ast.Expr | ast.Each | ast.ValueOfEach, ...],
    ) -> None:
        """Check the arguments of a define, condition or rule against its parameters."""
        if len(params) != len(given):
            self.count(name, node, len(params), len(given))
        for param, argument in zip(params, given, strict=False):
            assert isinstance(param, ast.Param)
            if isinstance(argument, ast.Each | ast.ValueOfEach):
                self.search_misplaced(argument)
            else:
                self.expected(argument, self.declared.kinds[param.type])

    def mover_needed(self, node: ast.Node, condition: ast.Condition) -> None:
        """A condition that speaks of ``me`` has a meaning only where somebody moves."""
        if not self.me and speaks_of_mover(condition, self.names):
            self.findings.report(
                codes.UNEXPECTED_WORD,
                node.at,
                word=condition.name,
                expected="nobody moves here",
                related=(Related(condition.at, "this condition speaks of 'me'"),),
                hint="give the condition a player as a parameter",
            )

    def count(self, name: str, node: ast.Node, wanted: int, found: int) -> None:
        words = f"{wanted} value{'s' if wanted != 1 else ''}"
        self.findings.report(codes.WRONG_ARGUMENT_COUNT, node.at, word=name, wanted=words, found=str(found))

    def search_misplaced(self, node: ast.Each | ast.ValueOfEach) -> None:
        self.each(node.each if isinstance(node, ast.ValueOfEach) else node)
        if isinstance(node, ast.ValueOfEach):
            self.infer(node.value)
        self.findings.report(
            codes.UNEXPECTED_WORD,
            node.at,
            word="each",
            expected="a single value is needed",
            hint=f"'each' stands inside {', '.join(sorted(builtins.AGGREGATES))} only",
        )

    # ------------------------------------------------------------------ calls

    def apply(self, node: ast.Apply, wanted: Kind | None) -> Kind:
        symbol = self.names.uses.get(node.function) if isinstance(node.function, ast.Name) else None
        name = node.function.name if isinstance(node.function, ast.Name) else "this"
        match symbol:
            case DefineName():
                self.arguments(name, node, symbol.node.params, node.arguments)
                return self.returned(symbol.node)
            case ConditionName():
                self.arguments(name, node, symbol.node.params, node.arguments)
                self.mover_needed(node, symbol.node)
                return Flag()
            case KindName() if isinstance(symbol.kind, Record):
                return self.record(node, symbol.kind)
            case BuiltIn() if name in builtins.AGGREGATES:
                return self.aggregate(name, node)
            case BuiltIn() if name in builtins.FUNCTIONS:
                return self.function(name, node)
        for argument in node.arguments:
            if isinstance(argument, ast.Each | ast.ValueOfEach):
                self.each(argument.each if isinstance(argument, ast.ValueOfEach) else argument)
            else:
                self.infer(argument)
        if symbol is not None or not isinstance(node.function, ast.Name):
            found = sort_of(symbol) if symbol is not None else "a formula"
            hint = "a rule is carried out on a line of its own" if isinstance(symbol, RuleName) else None
            self.findings.report(
                codes.WRONG_SORT_OF_NAME,
                node.at,
                word=name,
                found=found,
                wanted="something that takes values in brackets",
                hint=hint,
            )
        return Unknown()

    def record(self, node: ast.Apply, kind: Record) -> Kind:
        if len(kind.fields) != len(node.arguments):
            self.count(kind.name, node, len(kind.fields), len(node.arguments))
        for (_, field), argument in zip(kind.fields, node.arguments, strict=False):
            if isinstance(argument, ast.Each | ast.ValueOfEach):
                self.search_misplaced(argument)
            else:
                self.expected(argument, field)
        return kind

    def each(self, node: ast.Each) -> Kind:
        kind = self.elements(node.domain)
        self.locals[self.names.bindings[node]] = kind
        if node.where is not None:
            self.flag(node.where)
        return kind

    def aggregate(self, name: str, node: ast.Apply) -> Kind:
        argument = node.arguments[0] if len(node.arguments) == 1 else None
        if name in ("best_partition", "whole_partition"):
            return self.partition(name, node, argument)
        if name == "count" and isinstance(argument, ast.Each):
            self.each(argument)
            return ANY_NUMBER
        if name != "count" and isinstance(argument, ast.ValueOfEach):
            self.each(argument.each)
            if name == "collect":
                return Collection("list", self.infer(argument.value))
            self.number(argument.value)
            return ANY_NUMBER
        for given in node.arguments:
            if isinstance(given, ast.Each | ast.ValueOfEach):
                self.each(given.each if isinstance(given, ast.ValueOfEach) else given)
            else:
                self.infer(given)
        self.findings.report(
            codes.WRONG_ARGUMENT_COUNT,
            node.at,
            word=name,
            wanted="a search",
            found="something else",
            hint=builtins.AGGREGATES[name],
        )
        return Unknown() if name == "collect" else ANY_NUMBER

    def partition(self, name: str, node: ast.Apply, argument: ast.Expr | ast.Each | ast.ValueOfEach | None) -> Kind:
        """``best_partition(worth for each set in bags(2..5, cards) where C)``"""
        if isinstance(argument, ast.ValueOfEach) and is_pick(argument.each.domain, self.names):
            self.dividing = argument.each.domain
            member = self.each(argument.each)
            self.number(argument.value)
            return Division(member.of if isinstance(member, Collection) else Unknown())
        for given in node.arguments:
            if isinstance(given, ast.Each | ast.ValueOfEach):
                self.each(given.each if isinstance(given, ast.ValueOfEach) else given)
            else:
                self.infer(given)
        self.findings.report(
            codes.WRONG_ARGUMENT_COUNT,
            node.at,
            word=name,
            wanted="a worth for each group",
            found="something else",
            hint=builtins.AGGREGATES[name],
        )
        return Unknown()

    def function(self, name: str, node: ast.Apply) -> Kind:
        given = [a for a in node.arguments if not isinstance(a, ast.Each | ast.ValueOfEach)]
        for search in node.arguments:
            if isinstance(search, ast.Each | ast.ValueOfEach):
                self.search_misplaced(search)
                return Unknown()
        if len(given) != builtins.ARITY[name]:
            self.count(name, node, builtins.ARITY[name], len(given))
            for argument in given:
                self.infer(argument)
            return Unknown()
        if name in ("lines", "rows", "columns", "diagonals", "cell", "edges"):
            return self.board_function(name, given, node)
        if name in ("beside", "around", "rays"):
            kind = bare(self.infer(given[0]))
            if isinstance(kind, Cell):
                cells = Collection("list", kind)
                return Collection("list", cells) if name == "rays" else cells
            if not isinstance(kind, Unknown):
                self.findings.report(codes.TYPE_MISMATCH, given[0].at, found=spoken(kind), wanted="a cell of a board")
            return Unknown()
        if name == "linked":
            return self.linked(given)
        if name == "lists":
            return self.lists(node, given)
        return self.bags(node, given) if name == "bags" else self.plain_function(name, given)

    def linked(self, given: list[ast.Expr]) -> Kind:
        """``linked(start, cells)``: both are collections of cells of one board; one of them may be empty."""
        start, within = kinds = [bare(self.elements(collection)) for collection in given]
        cells = [kind for kind in kinds if isinstance(kind, Cell)]
        for collection, kind in zip(given, kinds, strict=True):
            if not isinstance(kind, Cell | Unknown) and not (cells and isinstance(kind, Nothing)):
                found = spoken(Collection("list", kind))
                self.findings.report(codes.TYPE_MISMATCH, collection.at, found=found, wanted="a collection of cells")
                return Unknown()
        if len(cells) == 2 and start != within:
            self.findings.report(codes.TYPE_MISMATCH, given[1].at, found=spoken(within), wanted=spoken(start))
            return Unknown()
        return Collection("list", cells[0]) if cells else Unknown()

    def bags(self, node: ast.Apply, given: list[ast.Expr]) -> Kind:
        """``bags(3, my hand)``; from how many to how many only where a bag is divided."""
        if isinstance(given[0], ast.Between) and node is self.dividing:
            self.infer(given[0])
        else:
            self.number(given[0])
        member = self.elements(given[1])
        if isinstance(member, Collection | Division):
            self.findings.report(codes.TYPE_MISMATCH, given[1].at, found=spoken(member), wanted="single things to take")
            member = Unknown()
        return Collection("list", Collection("bag", member))

    def lists(self, node: ast.Apply, given: list[ast.Expr]) -> Kind:
        """``lists(4, Statement)``, where a move asks for it and nowhere else. Spec 12.4."""
        self.number(given[0])
        member = self.elements(given[1])
        if node is not self.saying:
            self.findings.report(
                codes.WRONG_SORT_OF_NAME,
                node.at,
                word="lists",
                found="what a move may say",
                wanted="a value",
                hint="it is the whole domain of a parameter: move hint(said in lists(4, Statement))",
            )
            return Unknown()
        if isinstance(member, Collection | Division):
            self.findings.report(codes.TYPE_MISMATCH, given[1].at, found=spoken(member), wanted="single things to say")
            member = Unknown()
        return Collection("list", Collection("list", member))

    def board_function(self, name: str, given: list[ast.Expr], node: ast.Apply) -> Kind:
        kind = self.infer(given[0])
        for number in given[1:]:
            self.number(number)
        symbol = self.names.uses.get(given[0])
        if not isinstance(symbol, KindName) or not isinstance(symbol.kind, Cell):
            if not isinstance(kind, Unknown):
                boards = [
                    n for n, s in self.declared.names.items() if isinstance(s, KindName) and isinstance(s.kind, Cell)
                ]
                hint = did_you_mean(getattr(given[0], "name", ""), boards)
                self.findings.report(codes.TYPE_MISMATCH, given[0].at, found=spoken(kind), wanted="a board", hint=hint)
            return Unknown()
        if name == "cell":
            return Optional(symbol.kind)
        if name == "edges":
            self.findings.report(
                codes.WRONG_SORT_OF_NAME,
                node.at,
                word=name,
                found="a kind of value",
                wanted="a value",
                hint="declare 'values Edge: edges(Board)' and use Edge",
            )
            return Unknown()
        return Collection("list", Collection("list", symbol.kind))

    def plain_function(self, name: str, given: list[ast.Expr]) -> Kind:
        if name in ("next", "previous", "others", "clockwise", "seat_number"):
            self.expected(given[0], Seat())
            if name in ("others", "clockwise"):
                return Collection("list", Seat())
            return ANY_NUMBER if name == "seat_number" else Seat()
        if name == "copies":
            member = self.elements(given[1])
            self.expected(given[0], member)
            return ANY_NUMBER
        if name == "item":
            member = self.elements(given[0])
            self.number(given[1])
            return member if isinstance(member, Collection) else or_none(member)
        for number in given:
            self.number(number)
        return Seat() if name == "seat" else ANY_NUMBER

    def kind_named(self, node: ast.Name) -> Kind:
        """The kind that a name declares."""
        symbol = self.declared.names.get(node.name)
        if isinstance(symbol, KindName):
            return symbol.kind
        if node.name == "player":
            return Seat()
        known = [n for n, s in self.declared.names.items() if isinstance(s, KindName)]
        self.findings.report(codes.UNKNOWN_TYPE, node.at, word=node.name, hint=did_you_mean(node.name, known))
        return Unknown()
