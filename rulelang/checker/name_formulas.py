"""What the names in formulas stand for: scopes, look-ups, searches. Spec 4.1.

The half of the names pass that ``names.py`` builds on.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import assert_never

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker import builtins
from rulelang.checker.declared import Declared
from rulelang.checker.libraries import library_hint
from rulelang.checker.meant import part_hint
from rulelang.checker.parts import parts
from rulelang.checker.symbols import (
    BuiltIn,
    KindName,
    Label,
    LocalName,
    MoveName,
    RuleName,
    Symbol,
    ZoneName,
    sort_of,
)
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related, did_you_mean


@attrs.frozen
class NameTable:
    """The findings of the names pass."""

    uses: dict[ast.Node, Symbol]
    """What a using node (Name, My, Its, RequireNamed, Leave, Overrides ...) stands for."""
    bindings: dict[ast.Node, LocalName]
    """The local that a binding node (Param, Let, EachLoop, Exists, ...) introduces."""
    moves: dict[ast.Choose, tuple[MoveName, ...]]
    """The moves a choice offers."""


class NameFormulas:
    """One walk over the file."""

    def __init__(self, declared: Declared, findings: Findings) -> None:
        self.declared = declared
        self.findings = findings
        self.scopes: list[dict[str, LocalName]] = []
        self.table = NameTable({}, {}, {})

    # ------------------------------------------------------------------ scopes

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append({})
        yield
        self.scopes.pop()

    def bind(self, name: str, node: ast.Node) -> None:
        known = self.local(name)
        other = self.declared.names.get(name)
        if known is not None:
            self.twice(name, node, known.binder)
        elif other is not None and not isinstance(other, BuiltIn | KindName | RuleName | MoveName):
            self.twice(name, node, getattr(other, "node", node))
        elif name in builtins.TAKEN:
            self.findings.report(codes.DECLARED_TWICE, node.at, word=name, hint=f"'{name}' is a word of the language")
        symbol = self.table.bindings.setdefault(node, LocalName(name, node))
        self.scopes[-1][name] = symbol

    def twice(self, name: str, node: ast.Node, first: ast.Node) -> None:
        self.findings.report(
            codes.DECLARED_TWICE,
            node.at,
            word=name,
            related=(Related(first.at, "declared here"),),
            hint="choose another name",
        )

    def local(self, name: str) -> LocalName | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def visible_names(self) -> Iterable[str]:
        yield from (name for scope in self.scopes for name in scope)
        yield from self.declared.names
        yield from self.declared.labels
        yield from builtins.FUNCTIONS
        yield from builtins.AGGREGATES
        yield from builtins.VALUES

    # ------------------------------------------------------------------ uses

    def use(self, name: str, node: ast.Node) -> None:
        symbol: Symbol | None = self.local(name) or self.declared.names.get(name)
        if symbol is None and name in self.declared.labels:
            symbol = Label(name, self.declared.labels[name])
        if symbol is None and (name in builtins.FUNCTIONS or name in builtins.AGGREGATES or name in builtins.VALUES):
            symbol = BuiltIn(name)
        if symbol is None:
            self.unknown(codes.UNKNOWN_NAME, name, node, self.visible_names())
        else:
            self.table.uses[node] = symbol

    def unknown(self, code: codes.Code, name: str, node: ast.Node, candidates: Iterable[str]) -> None:
        names = tuple(candidates)

        def hint() -> str | None:
            part = part_hint(self.declared, name) if code is codes.UNKNOWN_NAME else None
            return part or did_you_mean(name, names) or library_hint(name)

        self.findings.report(code, node.at, word=name, hint=hint)

    def of_sort(self, name: str, node: ast.Node, sort: type[Symbol], code: codes.Code, wanted: str) -> Symbol | None:
        """Look up a name that must be a rule, move or condition."""
        symbol = self.declared.names.get(name)
        if isinstance(symbol, sort):
            return symbol
        if symbol is None:
            self.unknown(code, name, node, (n for n, s in self.declared.names.items() if isinstance(s, sort)))
        else:
            self.findings.report(codes.WRONG_SORT_OF_NAME, node.at, word=name, found=sort_of(symbol), wanted=wanted)
        return None

    # ------------------------------------------------------------------ formulas

    def text(self, text: ast.Text | None) -> None:
        for part in text.parts if text else ():
            if isinstance(part, ast.Hole):
                self.expr(part.value)

    def type(self, type_: ast.TypeExpr) -> None:
        for part in type_.alternatives:
            self.type_part(part)

    def type_part(self, node: ast.Expr) -> None:
        """Only the bounds in a type are formulas; the words in it are read by ``declared``."""
        match node:
            case ast.Between():
                self.expr(node)
            case ast.Field():
                self.type_part(node.value)
            case ast.Bracket():
                self.type_part(node.value)
            case _:
                pass

    def argument(self, node: "ast.Expr | ast.Each | ast.ValueOfEach") -> None:
        if isinstance(node, ast.Each):
            with self.scope():
                self.each(node)
        elif isinstance(node, ast.ValueOfEach):
            with self.scope():
                self.each(node.each)
                self.expr(node.value)
        else:
            self.expr(node)

    def each(self, node: ast.Each) -> None:
        self.expr(node.domain)
        self.bind(node.name, node)
        if node.where is not None:
            self.expr(node.where)

    def expr(self, node: ast.Expr) -> None:
        match node:
            case ast.Name():
                self.use(node.name, node)
            case ast.My():
                self.owned(node.name, node)
            case ast.Its():
                self.expr(node.owner)
                self.owned(node.name, node)
            case ast.Apply():
                self.expr(node.function)
                for argument in node.arguments:
                    self.argument(argument)
            case ast.Exists() | ast.Every() | ast.Select():
                self.search(node)
            case ast.Text():
                self.text(node)
            case _:
                for part in parts(node):
                    self.expr(part)

    def owned(self, name: str, node: ast.Node) -> None:
        symbol = self.declared.names.get(name)
        if symbol is None:
            slots = (
                n for n, s in self.declared.names.items() if isinstance(s, ZoneName) or "Marker" in type(s).__name__
            )
            self.unknown(codes.UNKNOWN_NAME, name, node, slots)
        else:
            self.table.uses[node] = symbol

    def search(self, node: ast.Exists | ast.Every | ast.Select) -> None:
        self.expr(node.domain)
        with self.scope():
            self.bind(node.name, node)
            match node:
                case ast.Exists():
                    self.expr(node.where)
                case ast.Every():
                    self.expr(node.condition)
                case ast.Select():
                    if node.where is not None:
                        self.expr(node.where)
                    for rank in node.ranks:
                        self.expr(rank.value)
                case _:
                    assert_never(node)
