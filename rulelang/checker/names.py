"""What every name stands for. Spec 4.1.

Declarations come first, in any order of the file; all of them share one space of names. Inside a rule, move or
define, the parameters, ``let`` lines, loops and searches bind names that live to the end of their body; a name
bound inside hides nothing (a second meaning for the same word is a mistake, so that a reader never has to ask
which is meant), except that values - bare words such as ``clubs`` - give way to everything else.

A bare word that names values of several kinds stays a ``Label``: the types pass picks the kind that is expected.
The result is a table from nodes to symbols; nothing is written into the tree.
"""

from collections.abc import Iterable
from typing import assert_never

from rulelang.ast import nodes as ast
from rulelang.checker import builtins
from rulelang.checker.declared import Declared
from rulelang.checker.name_formulas import NameFormulas, NameTable
from rulelang.checker.symbols import (
    ConditionName,
    LocalName,
    MarkerName,
    MoveName,
    RuleName,
    ZoneName,
)
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related

__all__ = ["NameTable", "NameWalk", "resolve"]


class NameWalk(NameFormulas):
    """One walk over the file: declarations and statements."""

    # ------------------------------------------------------------------ declarations

    def rules(self, rules: ast.Rules) -> None:
        for declaration in rules.declarations:
            self.binders = {}
            with self.scope():
                self.declaration(declaration)

    def declaration(self, node: ast.Declaration) -> None:
        match node:
            case ast.Option():
                if node.needs is not None:
                    self.expr(node.needs)
                self.text(node.because)
                self.option_values(node)
            case ast.Demand():
                self.expr(node.condition)
                self.text(node.because)
            case ast.Values() | ast.Record():
                self.kind_declaration(node)
            case ast.Table():
                for row in node.rows:
                    for value in row.values:
                        self.expr(value)
            case ast.Board():
                self.expr(node.rows)
                self.expr(node.columns)
            case ast.Zone() | ast.Marker():
                self.slot(node)
            case ast.Timer():
                self.expr(node.length)
            case ast.Define() | ast.Condition():
                self.word(node)
            case ast.Move():
                self.move(node)
            case ast.Rule():
                self.params(node.params)
                self.body(node.body)
            case ast.Overview():
                self.body(node.body)
            case ast.Override():
                self.override(node)
            case ast.Always():
                self.expr(node.condition)
            case ast.Whenever():
                self.expr(node.condition)
                self.body(node.body)
            case ast.Prefer():
                self.prefer(node)
            case _:
                assert_never(node)

    def option_values(self, node: ast.Option) -> None:
        for value in (*node.values, node.default):
            if isinstance(value, ast.Between | ast.Number | ast.Negative):
                self.expr(value)
        if isinstance(node.default, ast.Name) and any(isinstance(value, ast.Between) for value in node.values):
            self.expr(node.default)

    def kind_declaration(self, node: ast.Values | ast.Record) -> None:
        """Bounds are formulas; words for values are not looked up."""
        if isinstance(node, ast.Record):
            for column in node.columns:
                self.type(column.type)
        else:
            for value in node.values:
                if not isinstance(value, ast.Name):
                    self.type_part(value)

    def slot(self, node: ast.Zone | ast.Marker) -> None:
        for kind in node.index.kinds if node.index else ():
            self.type_part(kind)
        self.type(node.type)
        if isinstance(node, ast.Zone) and node.showing is not None:
            self.type(node.showing)
        if isinstance(node, ast.Marker) and node.initial is not None:
            self.expr(node.initial)
        for trait in node.traits:
            with self.scope():
                if isinstance(trait, ast.SeenBy):
                    self.seen_by(trait)
                else:
                    self.bind("it", trait)
                    self.type_part(trait.kind)
                    if trait.times is not None:
                        self.expr(trait.times)

    def seen_by(self, trait: ast.SeenBy) -> None:
        """``owner`` and ``everyone`` are words of this place only."""
        if isinstance(trait.seats, ast.Name) and trait.seats.name in ("owner", "everyone"):
            return
        self.bind("owner", trait)
        self.expr(trait.seats)

    def params(self, params: Iterable[ast.Node]) -> None:
        for param in params:
            assert isinstance(param, ast.Param)
            self.type(param.type)
            self.bind(param.name, param)

    def word(self, node: ast.Define | ast.Condition) -> None:
        self.params(node.params)
        if isinstance(node, ast.Condition):
            if node.value is not None:
                self.expr(node.value)
            self.text(node.because)
            for requirement in node.requirements:
                self.requirement(requirement)
            return
        for case in node.cases:
            if case.condition is not None:
                self.expr(case.condition)
            self.expr(case.value)

    def move(self, node: ast.Move) -> None:
        for parameter in node.parameters:
            if isinstance(parameter, ast.ChoiceOf):
                self.expr(parameter.domain)
            self.bind(parameter.name, parameter)
        for requirement in node.requirements:
            self.requirement(requirement)
        for statement in node.effects:
            self.statement(statement)

    def requirement(self, node: ast.Node) -> None:
        if isinstance(node, ast.RequireNamed):
            symbol = self.of_sort(node.name, node, ConditionName, codes.UNKNOWN_NAME, "a condition")
            if symbol is not None:
                self.table.uses[node] = symbol
            for argument in node.arguments:
                self.expr(argument)
            return
        assert isinstance(node, ast.Require)
        with self.scope():
            self.expr(node.condition)
            if node.unless is not None:
                self.expr(node.unless)
            self.text(node.because)

    def override(self, node: ast.Override) -> None:
        symbol = self.declared.names.get(node.rule)
        if not isinstance(symbol, RuleName | MoveName):
            self.unknown(codes.UNKNOWN_RULE, node.rule, node, lambda: self.declared.of_sort(RuleName, MoveName))
            return
        self.table.uses[node] = symbol
        if node.when is not None:
            self.expr(node.when)
        target = symbol.node
        bound = target.params if isinstance(target, ast.Rule) else target.parameters
        for param in bound:
            assert isinstance(param, ast.Param | ast.ChoiceOf | ast.Maybe)
            self.scopes[-1][param.name] = self.table.bindings.setdefault(param, LocalName(param.name, param))
        for requirement in node.requirements:
            self.requirement(requirement)
        self.body(node.body)

    def prefer(self, node: ast.Prefer) -> None:
        """The parameters of the move have their names here too; `pass` is no move, unless one is called so."""
        if node.move != "pass" or node.move in self.declared.names:
            symbol = self.of_sort(node.move, node.move_place, MoveName, codes.UNKNOWN_MOVE, "a move")
            if not isinstance(symbol, MoveName):
                return
            self.table.uses[node] = symbol
            for parameter in symbol.node.parameters:
                local = self.table.bindings.setdefault(parameter, LocalName(parameter.name, parameter))
                self.scopes[-1][parameter.name] = local
        for rank in node.ranks:
            self.expr(rank.value)
        if node.when is not None:
            self.expr(node.when)

    # ------------------------------------------------------------------ statements

    def body(self, body: ast.Body) -> None:
        with self.scope():
            for statement in body.statements:
                self.statement(statement)

    def statement(self, node: ast.Statement) -> None:
        match node:
            case ast.Let():
                self.expr(node.value)
                self.bind(node.name, node)
            case ast.Becomes():
                self.place(node.target, (MarkerName,))
                self.expr(node.value)
            case ast.Rises() | ast.Falls():
                self.place(node.target, (MarkerName,))
                self.expr(node.by)
            case ast.Put():
                self.put(node)
            case ast.Choose():
                self.choose(node)
            case ast.Leave():
                symbol = self.of_sort(node.rule, node, RuleName, codes.UNKNOWN_RULE, "a rule")
                if symbol is not None:
                    self.table.uses[node] = symbol
            case ast.Finish():
                self.finish(node)
            case ast.Call():
                self.call(node)
            case ast.Command():
                self.command(node)
            case ast.EachLoop() | ast.Turns() | ast.Repeat():
                self.loop(node)
            case ast.Branch():
                for condition, body in node.cases:
                    self.expr(condition)
                    self.body(body)
                if node.otherwise is not None:
                    self.body(node.otherwise)
            case _:
                assert_never(node)

    def put(self, node: ast.Put) -> None:
        what = node.what
        if isinstance(what, ast.Name) and what.name in builtins.PUT_WORDS and self.local(what.name) is None:
            pass
        elif isinstance(what, ast.Apply) and self.is_put_function(what):
            for argument in what.arguments:
                self.argument(argument)
        else:
            self.expr(what)
        self.place(node.source, (ZoneName, LocalName))
        self.place(node.target, (ZoneName, LocalName))

    def is_put_function(self, what: ast.Apply) -> bool:
        """``top(3)`` and ``position(2)``, unless the author has declared such a word."""
        if not isinstance(what.function, ast.Name):
            return False
        name = what.function.name
        return name in builtins.PUT_FUNCTIONS and name not in self.declared.names and self.local(name) is None

    def choose(self, node: ast.Choose) -> None:
        self.expr(node.who)
        found: dict[MoveName, ast.Node] = {}
        for name, place in zip(node.moves, node.move_places, strict=True):
            symbol = self.of_sort(name, place, MoveName, codes.UNKNOWN_MOVE, "a move")
            if isinstance(symbol, MoveName) and found.setdefault(symbol, place) is not place:
                self.findings.report(
                    codes.OFFERED_TWICE,
                    place.at,
                    word=name,
                    related=(Related(found[symbol].at, "first offered here"),),
                    hint="leave one of them out, or name another move",
                )
        self.table.moves[node] = tuple(found)
        if node.until is not None:
            self.expr(node.until)
        self.text(node.because)
        if node.result is not None:
            self.bind(node.result, node)

    def finish(self, node: ast.Finish) -> None:
        match node.outcome:
            case ast.Wins():
                self.expr(node.outcome.seats)
            case ast.Gets():
                self.expr(node.outcome.domain)
                with self.scope():
                    self.bind(node.outcome.name, node.outcome)
                    self.expr(node.outcome.amount)
            case ast.Result():
                if node.outcome.value is not None:
                    self.expr(node.outcome.value)
            case None:
                pass
            case _:
                assert_never(node.outcome)

    def call(self, node: ast.Call) -> None:
        """A statement that is only a name (with arguments) carries out a rule."""
        function = node.rule.function if isinstance(node.rule, ast.Apply) else node.rule
        if not isinstance(function, ast.Name):
            self.findings.report(
                codes.UNEXPECTED_WORD,
                node.at,
                word="this",
                expected="a line begins with a rule's name or a change",
            )
            return
        symbol = self.of_sort(function.name, function, RuleName, codes.UNKNOWN_RULE, "a rule")
        if symbol is not None:
            self.table.uses[node] = symbol
        if isinstance(node.rule, ast.Apply):
            for argument in node.rule.arguments:
                self.argument(argument)

    def command(self, node: ast.Command) -> None:
        if node.verb == "gather":
            self.type_part(node.object)
        else:
            self.expr(node.object)
        for part in (node.source, node.to):
            if part is not None:
                self.expr(part)

    def loop(self, node: ast.EachLoop | ast.Turns | ast.Repeat) -> None:
        with self.scope():
            if isinstance(node, ast.Repeat):
                if node.times is not None:
                    self.expr(node.times)
            else:
                if node.domain is not None:
                    self.expr(node.domain)
                if node.start is not None:
                    self.expr(node.start)
                self.bind(node.name, node)
                if isinstance(node, ast.EachLoop) and node.where is not None:
                    self.expr(node.where)
            self.body(node.body)
            if isinstance(node, ast.Repeat) and node.until is not None:
                self.expr(node.until)


def resolve(rules: ast.Rules, declared: Declared, findings: Findings) -> NameTable:
    """Look up every name of a file; mistakes go to ``findings``."""
    walk = NameWalk(declared, findings)
    walk.rules(rules)
    return walk.table
