"""The kind of every formula, and whether every statement fits the kinds. Spec 5.

Kinds flow from the leaves upwards; where a bare word could name values of several kinds, the kind that is expected
there decides. Bounds play no part: they are formulas until a program is closed. One mistake gives one message:
after a mistake a formula is ``Unknown``, which agrees with everything.

Here are the declarations; statements are in ``statements.py``, formulas in ``formulas.py``.
"""

from typing import assert_never

from rulelang.ast import nodes as ast
from rulelang.checker.declared import Declared
from rulelang.checker.formulas import KindTable
from rulelang.checker.kinds import (
    Collection,
    Flag,
    Kind,
    Number,
    Record,
    Seat,
    Unknown,
    agree,
    bare,
    opening,
    option_word,
    spoken,
)
from rulelang.checker.names import NameTable
from rulelang.checker.places import is_pick, is_said
from rulelang.checker.statements import ONLY_PUT, Statements
from rulelang.checker.symbols import RuleName
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, did_you_mean
from rulelang.grammar.words import SHAPES, UNITS

SIGHTS = ("content", "top", "size")


def speaks_of_another(node: ast.Declaration) -> bool:
    """Whether it uses the parameters of a rule or move; such come last, when the kinds of all parameters are known."""
    return isinstance(node, ast.Prefer | ast.Override)


class _Types(Statements):
    """One walk over the file."""

    def rules(self, rules: ast.Rules) -> None:
        self.home = rules.game.at.file
        for header in rules.game.headers:
            self.header(header)
        for node in sorted(rules.declarations, key=speaks_of_another):
            self.me = False
            self.declaration(node)

    def header(self, node: ast.Header) -> None:
        known = ("players", "automatic", "data", "rulebook", "rulings", "about", "direction", "reasons", "uses")
        if node.name not in known:
            self.findings.report(codes.UNKNOWN_SOFT_WORD, node.at, word=node.name, hint=did_you_mean(node.name, known))

    # ------------------------------------------------------------------ declarations

    def declaration(self, node: ast.Declaration) -> None:
        match node:
            case ast.Option():
                self.option(node)
            case ast.Demand():
                self.flag(node.condition)
                self.text(node.because)
            case ast.Values():
                self.bounds(node.values)
            case ast.Record():
                for column in node.columns:
                    self.bounds(column.type.alternatives)
            case ast.Table():
                for column in node.columns:
                    self.bounds(column.type.alternatives)
                self.table_rows(node)
            case ast.Board():
                self.number(node.rows)
                self.number(node.columns)
                if node.shape is not None and node.shape not in SHAPES:
                    hint = did_you_mean(node.shape, SHAPES)
                    self.findings.report(codes.UNKNOWN_SOFT_WORD, node.at, word=node.shape, hint=hint)
            case ast.Zone() | ast.Marker():
                self.slot(node)
            case ast.Timer():
                self.timer(node)
            case ast.Define():
                self.params(node.params)
                self.returned(node)
            case ast.Condition():
                self.params(node.params)
                self.me = True
                if node.value is not None:
                    self.flag(node.value)
                self.text(node.because)
                for requirement in node.requirements:
                    self.requirement(requirement)
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
                self.flag(node.condition)
            case ast.Prefer():
                self.prefer(node)
            case ast.Whenever():
                self.flag(node.condition)
                self.body(node.body)
            case _:
                assert_never(node)

    def bounds(self, values: tuple[ast.Expr, ...]) -> None:
        for value in values:
            match value:
                case ast.Between():
                    self.number(value.low)
                    self.number(value.high)
                case ast.Field():
                    self.bounds((value.value,))
                case _:
                    pass

    def option(self, node: ast.Option) -> None:
        kind = self.declared.kinds[node]
        self.bounds(node.values)
        if isinstance(kind, Number | Flag):
            self.expected(node.default, kind)
        elif (word := option_word(node.default)) not in kind.labels:  # type: ignore[union-attr]
            self.findings.report(
                codes.VALUE_NOT_OF_TYPE, node.default.at, word=word or "this", wanted=f"the option '{node.name}'"
            )
        if node.needs is not None:
            self.flag(node.needs)
        self.text(node.because)

    def timer(self, node: ast.Timer) -> None:
        self.number(node.length)
        if node.unit not in UNITS:
            hint = did_you_mean(node.unit, UNITS) or f"a timer is counted in {', '.join(UNITS)}"
            self.findings.report(codes.UNKNOWN_SOFT_WORD, node.at, word=node.unit, hint=hint)

    def table_rows(self, node: ast.Table) -> None:
        for row in node.rows:
            if len(row.values) != len(node.columns):
                self.findings.report(
                    codes.WRONG_ARGUMENT_COUNT,
                    row.at,
                    word=row.name,
                    wanted=f"{len(node.columns)} value{'s' if len(node.columns) != 1 else ''}",
                    found=str(len(row.values)),
                )
                continue
            for column, value in zip(node.columns, row.values, strict=True):
                self.expected(value, self.declared.kinds[column.type], within=False)  # data_check.py looks at ranges

    def slot(self, node: ast.Zone | ast.Marker) -> None:
        for kind in node.index.kinds if node.index else ():
            self.bounds((kind,))
            if isinstance(self.declared.kinds.get(kind), Collection):
                self.findings.report(codes.TYPE_MISMATCH, kind.at, found="many values", wanted="a single kind")
        self.bounds(node.type.alternatives)
        if isinstance(node, ast.Marker) and node.initial is not None:
            self.expected(node.initial, self.declared.kinds[node])
        for trait in node.traits:
            if isinstance(trait, ast.SeenBy):
                self.seen_by(node, trait)
            else:
                self.starts(node, trait)

    def seen_by(self, node: ast.Zone | ast.Marker, trait: ast.SeenBy) -> None:
        if trait.part not in SIGHTS:
            self.findings.report(
                codes.UNKNOWN_SOFT_WORD, trait.at, word=trait.part, hint=did_you_mean(trait.part, SIGHTS)
            )
        owned = node.index is not None and isinstance(self.declared.kinds.get(node.index.kinds[0]), Seat)
        if isinstance(trait.seats, ast.Name) and trait.seats.name in ("owner", "everyone"):
            if trait.seats.name == "owner" and not owned:
                self.findings.report(
                    codes.WRONG_INDEX,
                    trait.at,
                    word=node.name,
                    wanted="nothing",
                    found="an owner",
                    hint="write 'for each player'",
                )
            return
        if isinstance(trait.seats, ast.Constant) and trait.seats.word == "nobody":
            return
        self.locals[self.names.bindings[trait]] = Seat()
        kind = self.infer(trait.seats)
        if isinstance(bare(kind), Seat | Unknown):
            return
        if not (isinstance(kind, Collection) and agree(kind.of, Seat())):
            self.findings.report(
                codes.TYPE_MISMATCH,
                trait.seats.at,
                found=spoken(kind),
                wanted="players, 'owner', 'everyone' or 'nobody'",
            )

    def starts(self, node: ast.Zone | ast.Marker, trait: ast.StartsWith) -> None:
        if isinstance(node, ast.Marker):
            self.findings.report(
                codes.NOT_A_PLACE,
                trait.at,
                found="a marker",
                only=ONLY_PUT,
                hint="give a marker its first value with '= VALUE'",
            )
            return
        kind = self.type_as_values(trait.kind)
        content = self.declared.kinds[node]
        if isinstance(content, Record) and node.showing is not None:
            content = content.fields[0][1]
        if not agree(kind, content):
            self.findings.report(
                codes.PUT_BETWEEN_KINDS, trait.at, found=opening(kind), word=node.name, wanted=spoken(content)
            )
        self.locals[self.names.bindings[trait]] = kind
        if trait.times is not None:
            self.number(trait.times)

    def params(self, params: tuple[ast.Node, ...]) -> None:
        for param in params:
            assert isinstance(param, ast.Param)
            self.bounds(param.type.alternatives)
            self.locals[self.names.bindings[param]] = self.declared.kinds[param.type]

    def move(self, node: ast.Move) -> None:
        self.me = True
        for parameter in node.parameters:
            kind: Kind = Flag()
            if isinstance(parameter, ast.ChoiceOf):
                self.saying = parameter.domain
                kind = bare(self.elements(parameter.domain))
                several = is_pick(parameter.domain, self.names) or is_said(parameter.domain, self.names)
                if isinstance(kind, Collection) and not several:
                    self.findings.report(
                        codes.TYPE_MISMATCH,
                        parameter.domain.at,
                        found=spoken(kind),
                        wanted="single things to choose from",
                    )
                    kind = Unknown()
            self.locals[self.names.bindings[parameter]] = kind
        for requirement in node.requirements:
            self.requirement(requirement)
        for statement in node.effects:
            self.statement(statement)

    def requirement(self, node: ast.Node) -> None:
        if isinstance(node, ast.RequireNamed):
            symbol = self.names.uses.get(node)
            if symbol is not None:
                self.arguments(node.name, node, getattr(symbol, "node").params, node.arguments)  # noqa: B009
            return
        assert isinstance(node, ast.Require)
        self.flag(node.condition)
        if node.unless is not None:
            self.flag(node.unless)
        self.text(node.because)

    def prefer(self, node: ast.Prefer) -> None:
        if node.move != "pass" and node not in self.names.uses:
            return  # there is no such move, and so no names of its answers
        self.me = True
        for rank in node.ranks:
            self.ordered(rank.value)
        if node.when is not None:
            self.flag(node.when)

    def override(self, node: ast.Override) -> None:
        if node not in self.names.uses:
            return  # there is no such rule, and so no names in the body
        self.me = not isinstance(self.names.uses.get(node), RuleName)
        if node.when is not None:
            self.flag(node.when)
        if node.part is not None or node.requirements:
            self.findings.report(
                codes.NOT_BUILT_YET,
                node.at,
                word="replacing a single requirement",
                section="14.4",
                hint="write 'unless' in the requirement",
            )
        self.body(node.body)


def infer(rules: ast.Rules, declared: Declared, names: NameTable, findings: Findings) -> KindTable:
    """Find the kind of every formula; mistakes go to ``findings``."""
    walk = _Types(declared, names, findings)
    walk.rules(rules)
    return walk.table
