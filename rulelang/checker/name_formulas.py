"""What the names in formulas stand for: scopes, look-ups, searches. Spec 4.1.

The half of the names pass that ``names.py`` builds on.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, assert_never

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker import builtins
from rulelang.checker.declared import Declared
from rulelang.checker.libraries import library_hint
from rulelang.checker.meant import part_hint, sort_hint
from rulelang.checker.parts import parts
from rulelang.checker.symbols import (
    BuiltIn,
    ConditionName,
    DefineName,
    KindName,
    Label,
    LocalName,
    MarkerName,
    MoveName,
    OptionName,
    RuleName,
    Symbol,
    TimerName,
    ZoneName,
    sort_of,
)
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related, are_alike, nearest, quoted

Sorts = tuple[type[Symbol], ...]
"""Some sorts of names."""

VALUES: Final[Sorts] = (
    LocalName,
    OptionName,
    KindName,
    ZoneName,
    MarkerName,
    TimerName,
    DefineName,
    ConditionName,
    BuiltIn,
)
"""What can stand in a formula."""

CALLED: Final[Sorts] = (DefineName, ConditionName, KindName, BuiltIn)
"""What can stand before brackets in a formula."""


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
        self.binders: dict[str, ast.Node] = {}
        """What was bound last under every name of this declaration, whether or not it is still known."""

    # ------------------------------------------------------------------ scopes

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append({})
        yield
        self.scopes.pop()

    def bind(self, name: str, node: ast.Node) -> None:
        known = self.local(name)
        self.binders[name] = node
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

    def words(self) -> Iterable[str]:
        """All names but those of locals."""
        yield from self.declared.names
        yield from self.declared.labels
        yield from builtins.FUNCTIONS
        yield from builtins.AGGREGATES
        yield from builtins.VALUES

    # ------------------------------------------------------------------ uses

    def use(self, name: str, node: ast.Node, likely: Sorts = VALUES) -> None:
        """Look up a name; what is ``likely`` here is what may have been meant."""
        symbol: Symbol | None = self.local(name) or self.declared.names.get(name)
        elsewhere = likely is VALUES and isinstance(symbol, MoveName | RuleName)  # these never stand in a formula
        if (symbol is None or elsewhere) and name in self.declared.labels:
            symbol = Label(name, self.declared.labels[name])
        if symbol is None and (name in builtins.FUNCTIONS or name in builtins.AGGREGATES or name in builtins.VALUES):
            symbol = BuiltIn(name)
        if symbol is None:
            here = {name: local for scope in self.scopes for name, local in scope.items()}
            self.unknown(
                codes.UNKNOWN_NAME,
                name,
                node,
                lambda: (*here, *self.words()),
                lambda: [other for other in (*here, *self.words()) if self.is_of(other, likely, here)],
            )
        else:
            self.table.uses[node] = symbol

    def is_of(self, name: str, sorts: Sorts, here: Mapping[str, LocalName]) -> bool:
        """Whether a name stands for something of these sorts; locals and words of the language are values."""
        return isinstance(self.declared.names.get(name, here.get(name) or BuiltIn(name)), sorts)

    def unknown(
        self,
        code: codes.Code,
        name: str,
        node: ast.Node,
        candidates: Callable[[], Iterable[str]],
        likelier: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """Report a name that nothing has, with what may have been meant, the ``likelier`` first: asked where shown."""
        gone = self.binders.get(name) if code is codes.UNKNOWN_NAME else None

        def hint() -> str | None:
            known = _known_in(name, gone) if gone is not None else None
            part = part_hint(self.declared, name) if code is codes.UNKNOWN_NAME else None
            near = nearest(name, likelier()) or nearest(name, candidates())
            library = library_hint(name) if near is None or not are_alike(name, near) else None
            return known or part or library or (f"did you mean {quoted(near)}?" if near is not None else None)

        self.findings.report(code, node.at, word=name, hint=hint)

    def of_sort(self, name: str, node: ast.Node, sort: type[Symbol], code: codes.Code, wanted: str) -> Symbol | None:
        """Look up a name that must be a rule, move or condition."""
        symbol = self.declared.names.get(name)
        if isinstance(symbol, sort):
            return symbol
        if symbol is None:
            self.unknown(code, name, node, lambda: self.declared.of_sort(sort))
        else:
            self.findings.report(
                codes.WRONG_SORT_OF_NAME,
                node.at,
                word=name,
                found=sort_of(symbol),
                wanted=wanted,
                hint=lambda: sort_hint(self.declared, name, sort),
            )
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
                self.place(node.function, CALLED)
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
            self.unknown(codes.UNKNOWN_NAME, name, node, lambda: self.declared.of_sort(ZoneName, MarkerName))
        else:
            self.table.uses[node] = symbol

    def place(self, node: ast.Expr, likely: Sorts) -> None:
        """A formula that must name something of these sorts."""
        match node:
            case ast.Name():
                self.use(node.name, node, likely)
            case ast.At(family=ast.Name() as family):
                self.use(family.name, family, likely)
                for index in node.indices:
                    self.expr(index)
            case _:
                self.expr(node)

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


def _known_in(name: str, binder: ast.Node) -> str | None:
    """Where a name is known that is not known here."""
    match binder:
        case ast.EachLoop() | ast.Turns():
            return f"{quoted(name)} is known in the loop of line {binder.at.line} only"
        case ast.Exists() | ast.Every() | ast.Select() | ast.Each():
            return f"{quoted(name)} is known inside the search of line {binder.at.line} only"
        case ast.Let():
            return f"{quoted(name)} is known from line {binder.at.line} to the end of that block only"
        case _:
            return None
