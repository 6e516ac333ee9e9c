"""Everything that is declared, by name, and the kinds that the declarations speak of. Spec 4.1 and 5.

This runs before names are resolved: a declaration may stand anywhere in the file. Kinds are read from type
expressions here, because only here are words such as ``player``, ``bag of Card`` or ``yes or no`` types.
"""

from collections.abc import Iterable, Mapping
from typing import assert_never

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker import builtins
from rulelang.checker.kinds import (
    ANY_NUMBER,
    TIMER,
    Cell,
    Collection,
    Edge,
    Flag,
    Kind,
    Member,
    Names,
    Number,
    Optional,
    Record,
    Row,
    Seat,
    Text,
    Unknown,
    called,
    spoken,
)
from rulelang.checker.symbols import (
    ConditionName,
    DefineName,
    KindName,
    MarkerName,
    MoveName,
    OptionName,
    RuleName,
    Symbol,
    TimerName,
    ZoneName,
)
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import Findings, Related, did_you_mean
from rulelang.source import Place


@attrs.frozen
class DataRow:
    """One row of a table as it stands in a data file: its name, its cells, and where it stands."""

    name: str
    cells: Mapping[str, object]
    place: Place | None
    cell_places: Mapping[str, Place | None] = attrs.field(factory=dict)

    @property
    def name_place(self) -> Place | None:
        """Where it says its name."""
        return self.cell_places.get("id", self.place)


Data = Mapping[str, tuple[DataRow, ...]]
"""The rows of the data file under each key that a table reads from."""


@attrs.frozen
class Declared:
    """The declarations of a file."""

    names: dict[str, Symbol]
    labels: dict[str, tuple[Kind, ...]]
    """Every bare word for a value, and the kinds that have it, in the order of declaration."""
    kinds: dict[ast.Node, Kind]
    """The kind of every type expression (TypeExpr), type part of an index, option, zone content and marker."""
    rows: dict[ast.Table, tuple[DataRow | ast.Row, ...]]
    """The rows of every table."""


def shape_of(zone: ast.Zone) -> str:
    """``pile``, ``bag`` or ``slot``."""
    part = zone.type.alternatives[0]
    return part.name if isinstance(part, ast.Field) else "bag"


class _Declarations:
    """Collects declarations in two steps: kinds first, then what uses them."""

    def __init__(self, data: Data, findings: Findings) -> None:
        self.data = data
        self.findings = findings
        self.found = Declared({}, {}, {}, {})
        self.reading: set[str] = set()
        self.pending: dict[str, ast.Values | ast.Record | ast.Table | ast.Board] = {}
        self.zones: dict[str, ast.Zone] = {}
        self.declarations: dict[str, ast.Node] = {}
        """The first declaration of every name."""

    # ------------------------------------------------------------------ collecting

    def collect(self, rules: ast.Rules) -> None:
        for node in rules.declarations:
            match node:
                case ast.Values() | ast.Record() | ast.Table() | ast.Board():
                    self.pending.setdefault(node.name, node)
                case ast.Zone():
                    self.zones.setdefault(node.name, node)
                case _:
                    pass
        if any(isinstance(node, ast.Timer) for node in rules.declarations):
            self.label((word for word in TIMER.labels if word != "empty"), TIMER)
        for node in rules.declarations:
            symbol = self.symbol(node)
            if symbol is not None:
                name = getattr(node, "name")  # noqa: B009 - every one of these has a name
                if self.enter(name, node):
                    self.found.names[name] = symbol
        for node in rules.declarations:
            if isinstance(node, ast.Always | ast.Demand):
                self.enter(node.name, node)
        for node in rules.declarations:
            self.read_kinds(node)

    def enter(self, name: str, node: ast.Node) -> bool:
        """Whether it is the first declaration of that name; of any other the first is shown."""
        first = self.declarations.setdefault(name, node)
        if first is not node:
            self.findings.report(
                codes.DECLARED_TWICE,
                node.at,
                word=name,
                related=(Related(first.at, "first declared here"),),
                hint="choose another name",
            )
            return False
        if name in builtins.TAKEN:
            self.findings.report(
                codes.DECLARED_TWICE,
                node.at,
                word=name,
                hint=f"'{name}' is a word of the language; choose another name",
            )
        return True

    def symbol(self, node: ast.Declaration) -> Symbol | None:
        match node:
            case ast.Values() | ast.Record() | ast.Table() | ast.Board():
                return KindName(node, self.declared_kind(node))
            case ast.Option():
                return OptionName(node)
            case ast.Zone():
                return ZoneName(node)
            case ast.Marker():
                return MarkerName(node)
            case ast.Timer():
                return TimerName(node)
            case ast.Define():
                return DefineName(node)
            case ast.Condition():
                return ConditionName(node)
            case ast.Move():
                return MoveName(node)
            case ast.Rule():
                return RuleName(node)
            case _:
                return None

    def label(self, words: Iterable[str], kind: Kind) -> None:
        for word in words:
            self.found.labels[word] = (*self.found.labels.get(word, ()), kind)

    # ------------------------------------------------------------------ declared kinds

    def declared_kind(self, node: ast.Values | ast.Record | ast.Table | ast.Board) -> Kind:
        if node in self.found.kinds:
            return self.found.kinds[node]
        if node.name in self.reading:
            self.findings.report(codes.RECURSIVE_NAME, node.at, word=node.name)
            return Unknown()
        self.reading.add(node.name)
        kind: Kind
        match node:
            case ast.Values():
                kind = self.values_kind(node)
            case ast.Record():
                fields = tuple((column.name, self.single(column.type)) for column in node.columns)
                self.repeated(column for column in node.columns)
                kind = Record(node.name, fields)
            case ast.Table():
                kind = self.table_kind(node)
            case ast.Board():
                kind = Cell(node)
            case _:
                assert_never(node)
        self.reading.discard(node.name)
        self.found.kinds[node] = kind
        return kind

    def repeated(self, columns: Iterable[ast.Column]) -> None:
        seen: dict[str, ast.Column] = {}
        for column in columns:
            if column.name in seen:
                related = (Related(seen[column.name].at, "first named here"),)
                self.findings.report(codes.DECLARED_TWICE, column.at, word=column.name, related=related)
            seen.setdefault(column.name, column)

    def repeated_rows(self, node: ast.Table) -> None:
        first: dict[str, ast.Row] = {}
        for row in node.rows:
            if first.setdefault(row.name, row) is not row:
                related = (Related(first[row.name].at, "first given here"),)
                self.findings.report(codes.ROW_TWICE, row.at, table=node.name, word=row.name, related=related)

    def values_kind(self, node: ast.Values) -> Kind:
        match node.values:
            case (ast.Between(low=low, high=high),):
                return Number(low, high, node.name)
            case (ast.Apply(function=ast.Name(name="edges"), arguments=(ast.Name(name=board),)),):
                found = self.pending.get(board)
                if isinstance(found, ast.Board) and found.shape == "hexagons":
                    wanted = "a board of squares"
                    self.findings.report(
                        codes.TYPE_MISMATCH, node.values[0].at, found="a board of hexagons", wanted=wanted
                    )
                    return Unknown()
                if isinstance(found, ast.Board):
                    return Edge(found)
                self.findings.report(
                    codes.UNKNOWN_TYPE, node.values[0].at, word=board, hint="edges(...) takes the name of a board"
                )
                return Unknown()
        return self.word_list(node.name, node.values)

    def word_list(self, owner: str, values: tuple[ast.Expr, ...], none: bool = False) -> Kind:
        """Named values; of an option, one may be called ``none``."""
        words: list[str] = []
        for value in values:
            if none and isinstance(value, ast.Constant) and value.word == "none" and "none" not in words:
                words.append("none")
            elif not isinstance(value, ast.Name):
                self.findings.report(
                    codes.TYPE_MISMATCH, value.at, found="a formula", wanted="a word (or a single span such as 1..6)"
                )
            elif value.name in words:
                self.findings.report(codes.DECLARED_TWICE, value.at, word=value.name)
            else:
                words.append(value.name)
        kind = Names(owner, tuple(words))
        self.label(words, kind)
        return kind

    def table_kind(self, node: ast.Table) -> Kind:
        self.repeated(node.columns)
        self.repeated_rows(node)
        rows: tuple[DataRow | ast.Row, ...] = node.rows
        if node.source is not None:
            rows = (*self.data.get(node.source, ()), *node.rows)
        self.found.rows[node] = rows
        kind = Row(node, tuple(dict.fromkeys(row.name for row in rows)))
        self.label(kind.labels, kind)
        return kind

    # ------------------------------------------------------------------ kinds of types

    def read_kinds(self, node: ast.Declaration) -> None:
        """Read every type that a declaration mentions."""
        match node:
            case ast.Option():
                self.found.kinds[node] = self.option_kind(node)
            case ast.Zone():
                self.index(node.index)
                self.found.kinds[node] = self.zone_content(node)
            case ast.Marker():
                self.index(node.index)
                self.found.kinds[node] = self.type(node.type)
            case ast.Table():
                for column in node.columns:
                    self.type(column.type)
            case ast.Define() | ast.Condition() | ast.Rule():
                for param in node.params:
                    assert isinstance(param, ast.Param)
                    self.type(param.type)
            case _:
                pass

    def option_kind(self, node: ast.Option) -> Kind:
        match node.values:
            case (ast.Between(low=low, high=high),):
                return Number(low, high, node.name)
            case (ast.Name(name=word) as off, ast.Between(low=ast.Number(value=value), high=high)):
                kind = Number(ast.Number(off.at, value - 1), high, node.name, word)
                self.label([word], kind)
                return kind
        words = [value.word if isinstance(value, ast.Constant) else "" for value in node.values]
        if sorted(words) == ["no", "yes"]:
            return Flag()
        return self.word_list(node.name, node.values, none=True)

    def index(self, index: ast.Index | None) -> None:
        for kind in index.kinds if index else ():
            self.found.kinds[kind] = self.type_word(kind)

    def zone_content(self, node: ast.Zone) -> Kind:
        content: Kind = Unknown()
        match node.type.alternatives:
            case (ast.Field(name="pile" | "bag" | "slot", value=value),):
                content = self.type_word(value)
            case _:
                self.findings.report(
                    codes.TYPE_MISMATCH,
                    node.type.at,
                    found="no holder",
                    wanted="'pile of', 'bag of' or 'slot of' something",
                    hint=f"for a value that is not a component, make '{node.name}' a marker",
                )
        if isinstance(content, Collection | Text):
            self.findings.report(codes.TYPE_MISMATCH, node.type.at, found=spoken(content), wanted="a kind of component")
            content = Unknown()
        if node.showing is None or isinstance(content, Unknown):
            return content
        face = self.single(node.showing)
        return Record(f"{called(content)} showing {called(face)}", (("piece", content), ("face", Optional(face))))

    def single(self, type_: ast.TypeExpr) -> Kind:
        kind = self.type(type_)
        if isinstance(kind, Collection | Text):
            wanted = "a single value" if isinstance(kind, Collection) else "a value that can be compared"
            self.findings.report(codes.TYPE_MISMATCH, type_.at, found=spoken(kind), wanted=wanted)
            return Unknown()
        return kind

    def type(self, type_: ast.TypeExpr) -> Kind:
        parts = list(type_.alternatives)
        words = [part.word for part in parts if isinstance(part, ast.Constant)]
        if len(parts) == 2 and sorted(words) == ["no", "yes"]:
            kind: Kind = Flag()
        elif len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].word in ("none", "nobody"):
            kind = Optional(self.type_word(parts[0]))
        elif len(parts) == 1:
            kind = self.type_word(parts[0])
        else:
            kind = Unknown()
            hint = "declare the words with 'values NAME: a, b' and use that name" if len(words) < len(parts) else None
            self.findings.report(
                codes.TYPE_MISMATCH,
                type_.at,
                found="a choice of kinds",
                wanted="one kind, perhaps 'or none'",
                hint=hint,
            )
        self.found.kinds[type_] = kind
        return kind

    def type_word(self, node: ast.Expr) -> Kind:
        """A kind from one alternative: a name, a span, ``bag of T`` or ``list of T``."""
        match node:
            case ast.Between(low=low, high=high):
                return Number(low, high)
            case ast.Number():
                return Number(node, node)
            case ast.Bracket(value=value):
                return self.type_word(value)
            case ast.Field(name="bag" | "list" as shape, value=value):
                of = self.type_word(value)
                return Collection("bag" if shape == "bag" else "list", of)
            case ast.Name(name="player"):
                return Seat()
            case ast.Name(name="text"):
                return Text()
            case ast.Name(name="number"):
                return ANY_NUMBER
            case ast.Name(name=name):
                return self.named_type(name, node)
        self.findings.report(codes.TYPE_MISMATCH, node.at, found="a formula", wanted="a kind of value")
        return Unknown()

    def named_type(self, name: str, node: ast.Name) -> Kind:
        declaration = self.pending.get(name)
        if declaration is not None:
            return self.declared_kind(declaration)
        if name in self.zones:
            zone = self.zones[name]
            if zone.index is None:
                self.findings.report(
                    codes.TYPE_MISMATCH,
                    node.at,
                    found="a single zone",
                    wanted="a kind of value",
                    hint="only a family of zones is a kind",
                )
                return Unknown()
            return Member(zone)
        known = (*self.pending, *self.zones, *builtins.TYPES)
        self.findings.report(codes.UNKNOWN_TYPE, node.at, word=name, hint=lambda: did_you_mean(name, known))
        return Unknown()


def collect(rules: ast.Rules, data: Data, findings: Findings) -> Declared:
    """Collect the declarations of a file; mistakes go to ``findings``."""
    walk = _Declarations(data, findings)
    walk.collect(rules)
    return walk.found
