"""The kind of every formula. Spec 4.2 to 4.11.

The half of the types pass that ``types.py`` builds on. ``infer`` finds the kind of a formula and keeps it in the
table; ``expected`` does so where a kind is wanted, and reports if the two do not agree. What has operators or searches
is in ``operations.py``.
"""

import attrs

from rulelang.ast import nodes as ast
from rulelang.checker import builtins
from rulelang.checker.cells import literal
from rulelang.checker.kinds import (
    ANY_NUMBER,
    TIMER,
    Cell,
    Collection,
    Division,
    Edge,
    Empty,
    Flag,
    Kind,
    Member,
    Names,
    Nothing,
    Number,
    Optional,
    Record,
    Row,
    Seat,
    Text,
    Unknown,
    agree,
    bare,
    labels,
    opening,
    or_none,
    spoken,
)
from rulelang.checker.meant import number_hint, range_left, sort_hint
from rulelang.checker.name_formulas import VALUES
from rulelang.checker.one_or_all import one_or_all, way_to
from rulelang.checker.operations import Operations
from rulelang.checker.places import SlotRef, timer_of
from rulelang.checker.symbols import (
    ConditionName,
    DefineName,
    KindName,
    Label,
    LocalName,
    MarkerName,
    OptionName,
    TimerName,
    ZoneName,
    sort_of,
)
from rulelang.diagnostics import codes
from rulelang.diagnostics.diagnostic import did_you_mean


@attrs.frozen
class KindTable:
    """The findings of the types pass."""

    kinds: dict[ast.Node, Kind]
    """The kind of every formula."""
    labels: dict[ast.Name, tuple[Kind, int]]
    """For a bare word that is a value: its kind, and its number among the kind's words."""
    locals: dict[LocalName, Kind]
    """The kind of every local."""
    returns: dict[ast.Define, Kind]
    """The kind of every define's value."""


class Formulas(Operations):
    """Formulas; see the module's text."""

    # ------------------------------------------------------------------ what is wanted

    def expected(self, node: ast.Expr, wanted: Kind, *, within: bool = True) -> Kind:
        """The kind of a formula where one is wanted; with ``within`` plain numbers must lie in its range, too."""
        kind = self.infer(node, wanted)
        if not agree(kind, wanted):
            way = way_to(self.declared, self.names, node, kind, wanted)
            self.findings.report(
                codes.TYPE_MISMATCH,
                node.at,
                found=spoken(kind),
                wanted=spoken(wanted),
                related=way.related,
                hint=way.hint,
            )
        elif within and (allowed := range_left(node, bare(wanted))) is not None:
            self.findings.report(codes.VALUE_NOT_OF_TYPE, node.at, word=literal(node), wanted=allowed)
        return kind

    def number(self, node: ast.Expr) -> None:
        kind = self.infer(node, ANY_NUMBER)
        if not agree(kind, ANY_NUMBER) or isinstance(kind, Nothing):
            self.not_a_number(node, kind)

    def not_a_number(self, node: ast.Expr, kind: Kind, hint: str | None = None) -> None:
        hint = hint or number_hint(self.declared, node, kind)
        self.findings.report(codes.NOT_A_NUMBER, node.at, found=spoken(kind), hint=hint)

    def ordered(self, node: ast.Expr, wanted: Kind = ANY_NUMBER) -> Kind:
        """A value that comes before or after others: a number, or a name in the order of declaration."""
        kind = self.infer(node, wanted)
        if not isinstance(bare(kind), Number | Flag | Names | Unknown):
            self.not_a_number(node, kind)
            return Unknown()
        return kind

    def flag(self, node: ast.Expr) -> None:
        kind = self.infer(node, Flag())
        if not agree(kind, Flag()) or isinstance(kind, Nothing):
            self.findings.report(codes.NOT_A_CONDITION, node.at, found=spoken(kind))

    def elements(self, node: ast.Expr, wanted: Kind | None = None) -> Kind:
        """The kind of the members of a collection: a list, a bag, a zone, or all values of a kind."""
        kind = self.infer(node, Collection("list", wanted) if wanted is not None else None)
        return self.members(kind, node)

    def members(self, kind: Kind, node: ast.Expr) -> Kind:
        if isinstance(kind, Collection):
            return kind.of
        ref = self.ref(node)
        if isinstance(ref, SlotRef) and isinstance(ref.node, ast.Zone):
            return self.declared.kinds[ref.node]
        if isinstance(bare(kind), Member):
            return self.declared.kinds[bare(kind).zone]  # type: ignore[union-attr]
        if isinstance(kind, Empty):
            return Nothing()
        if not isinstance(kind, Unknown):
            way = one_or_all(self.names, node, first=True)
            self.findings.report(
                codes.NOT_A_COLLECTION, node.at, found=spoken(kind), related=way.related, hint=way.hint
            )
        return Unknown()

    # ------------------------------------------------------------------ formulas

    def infer(self, node: ast.Expr, wanted: Kind | None = None) -> Kind:
        kind = self.kind_of(node, wanted)
        self.table.kinds[node] = kind
        return kind

    def kind_of(self, node: ast.Expr, wanted: Kind | None) -> Kind:
        match node:
            case ast.Number():
                return ANY_NUMBER
            case ast.Text():
                self.text(node)
                return Text()
            case ast.Constant():
                kinds: dict[str, Kind] = {"yes": Flag(), "no": Flag(), "empty": Empty()}
                return TIMER if wanted == TIMER and node.word == "empty" else kinds.get(node.word, Nothing())
            case ast.Name():
                return self.name(node, wanted)
            case ast.Me():
                if not self.me:
                    self.findings.report(
                        codes.UNEXPECTED_WORD,
                        node.at,
                        word="me",
                        expected="nobody moves here",
                        hint="'me' and 'my' are the seat that moves; a rule takes a player as a parameter",
                    )
                return Seat()
            case ast.My() | ast.Its():
                return self.owned(node, wanted)
            case ast.At():
                return self.indexed(node, wanted)
            case ast.Apply():
                return self.apply(node, wanted)
            case ast.Field():
                return self.field(node)
            case ast.Bracket():
                return self.infer(node.value, wanted)
            case ast.ListOf():
                return self.list_of(node, wanted)
            case ast.Exists() | ast.Every() | ast.Select():
                return self.search(node, wanted)
            case _:
                return self.operation(node, wanted)

    def name(self, node: ast.Name, wanted: Kind | None) -> Kind:
        symbol = self.names.uses.get(node)
        match symbol:
            case None:
                return Unknown()
            case LocalName():
                return self.locals.get(symbol, Unknown())
            case OptionName():
                return self.declared.kinds[symbol.node]
            case KindName():
                return Collection("list", symbol.kind)
            case ZoneName() | MarkerName():
                return self.slot_kind(node, SlotRef(symbol.node, None, ()))
            case TimerName():
                return TIMER
            case DefineName():
                self.arguments(node.name, node, symbol.node.params, ())
                return self.returned(symbol.node)
            case ConditionName():
                self.arguments(node.name, node, symbol.node.params, ())
                self.mover_needed(node, symbol.node)
                return Flag()
            case Label():
                return self.label(node, symbol, wanted)
            case _:
                if node.name == "players":
                    return Collection("list", Seat())
                if node.name == "table":
                    return Seat()
                hint = sort_hint(self.declared, node.name, *VALUES)
                found = sort_of(symbol)
                self.findings.report(
                    codes.WRONG_SORT_OF_NAME, node.at, word=node.name, found=found, wanted="a value", hint=hint
                )
                return Unknown()

    def label(self, node: ast.Name, symbol: Label, wanted: Kind | None) -> Kind:
        """A bare word for a value: the expected kind decides, else it must belong to one kind only."""
        wished = bare(wanted.of if isinstance(wanted, Collection) else wanted) if wanted is not None else None
        chosen = next((kind for kind in symbol.kinds if kind == wished), None)
        if chosen is None and isinstance(wished, Number):
            numbers = [kind for kind in symbol.kinds if isinstance(kind, Number)]
            chosen = numbers[0] if len(numbers) == 1 else None
        if chosen is None and len(symbol.kinds) == 1:
            chosen = symbol.kinds[0]
        if chosen is None:
            owners = " or ".join(spoken(kind) for kind in symbol.kinds)
            self.findings.report(
                codes.AMBIGUOUS_VALUE,
                node.at,
                word=node.name,
                kinds=owners,
                hint="use it where one of these is expected",
            )
            return Unknown()
        if isinstance(chosen, Number):  # a word for the least number
            assert isinstance(chosen.low, ast.Number)
            self.table.labels[node] = (chosen, chosen.low.value)
        else:
            self.table.labels[node] = (chosen, labels(chosen).index(node.name))
        return chosen

    # ------------------------------------------------------------------ properties

    def field(self, node: ast.Field) -> Kind:
        kind = self.infer(node.value)
        if isinstance(kind, Unknown):
            return Unknown()
        own = self.part_of(node.name, bare(kind))
        if own is not None:
            return Optional(own) if kind != bare(kind) and not isinstance(own, Optional | Collection | Text) else own
        if node.name in builtins.FIELDS:
            return self.builtin_field(node, kind)
        known = [*builtins.FIELDS, *self.part_names(bare(kind))]
        self.findings.report(
            codes.UNKNOWN_FIELD, node.at, owner=opening(kind), word=node.name, hint=did_you_mean(node.name, known)
        )
        return Unknown()

    def part_of(self, name: str, kind: Kind) -> Kind | None:
        if isinstance(kind, Record):
            return dict(kind.fields).get(name)
        if isinstance(kind, Division):
            parts: dict[str, Kind] = {
                "possible": Flag(),
                "value": ANY_NUMBER,
                "rest": Collection("bag", kind.of),
                "groups": Collection("list", Collection("bag", kind.of)),
            }
            return parts.get(name)
        if isinstance(kind, Row):
            return next((self.declared.kinds[c.type] for c in kind.table.columns if c.name == name), None)
        return None

    def part_names(self, kind: Kind) -> list[str]:
        if isinstance(kind, Record):
            return [name for name, _ in kind.fields]
        return [column.name for column in kind.table.columns] if isinstance(kind, Row) else []

    def builtin_field(self, node: ast.Field, kind: Kind) -> Kind:
        if node.name in ("size", "top", "kinds"):
            member = self.members(kind, node.value)
            if node.name == "size":
                return ANY_NUMBER
            if node.name == "top":
                return member if isinstance(member, Collection) else or_none(member)
            return Collection("list", member)
        if node.name == "left":
            if timer_of(node.value, self.names) is None:
                self.findings.report(codes.UNKNOWN_FIELD, node.at, owner=opening(kind), word=node.name)
            return ANY_NUMBER
        wanted = Edge if node.name == "cells" else Cell
        place = bare(kind)
        if not isinstance(place, wanted):
            self.findings.report(codes.UNKNOWN_FIELD, node.at, owner=opening(kind), word=node.name)
            return Unknown()
        if node.name in ("row", "column"):
            return ANY_NUMBER
        if node.name == "edges" and place.board.shape == "hexagons":
            hint = "only the cells of a board of squares have edges"
            self.findings.report(codes.UNKNOWN_FIELD, node.at, owner=opening(kind), word=node.name, hint=hint)
            return Unknown()
        other: Kind = Cell(place.board) if node.name == "cells" else Edge(place.board)
        return Collection("list", other)
