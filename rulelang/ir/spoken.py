"""Formulas, places, effects and kinds in infix words, for listings of a program. Never shown to players."""

from typing import assert_never

from rulelang.ir import effects, expressions, types
from rulelang.ir.effects import Effect
from rulelang.ir.expressions import Expression, Place, Value, Words
from rulelang.ir.measure import Search
from rulelang.ir.program import Program
from rulelang.ir.types import Type

e = expressions
Made = (
    e.Smaller
    | e.Larger
    | e.Conditional
    | e.Part
    | e.MakeRecord
    | e.Span
    | e.MakeList
    | e.Join
    | e.Without
    | e.Picks
    | e.Contains
    | e.Size
    | e.Occurrences
    | e.Distinct
    | e.Item
    | e.Last
    | e.From
)
OnBoard = (
    e.Lines | e.Ranks | e.Neighbours | e.Rays | e.Linked | e.CellAt | e.RowOf | e.ColumnOf | e.EdgesOf | e.CellsBeside
)

_INFIX: dict[type, str] = {
    e.Add: "+",
    e.Subtract: "-",
    e.Multiply: "*",
    e.Quotient: "div",
    e.Remainder: "mod",
    e.Equal: "is",
    e.Less: "<",
    e.AtMost: "<=",
}


class Speaker:
    """Says the pieces of one program in words; unsound ones too, as far as they go."""

    def __init__(self, program: Program) -> None:
        self.program = program

    # -------------------------------------------------------------- names

    def named(self, section: str, number: int) -> str:
        """The name of a declaration, or its number if there is no such."""
        declared = getattr(self.program, section)
        return str(declared[number].name) if 0 <= number < len(declared) else f"{section}#{number}"

    def column(self, table: int, column: int) -> str:
        """The name of a column."""
        columns = self.program.tables[table].columns if 0 <= table < len(self.program.tables) else ()
        return columns[column].name if 0 <= column < len(columns) else f"column#{column}"

    def local(self, local: e.Local) -> str:
        """A local with its number, as names may repeat."""
        return f"{local.name}%{local.number}"

    # -------------------------------------------------------------- kinds

    def kind(self, kind: Type) -> str:
        """A kind of value."""
        match kind:
            case types.NumberType():
                bounds = f"{self.formula(kind.low)}..{self.formula(kind.high)}"
                return f"{kind.name} ({bounds})" if kind.name else bounds
            case types.FlagType():
                return "yes or no"
            case types.NamesType() | types.RecordType():
                return kind.name
            case types.SeatType():
                return "player"
            case types.CellType():
                return self.named("boards", kind.board)
            case types.EdgeType():
                return f"edge of {self.named('boards', kind.board)}"
            case types.RowType():
                return self.named("tables", kind.table)
            case types.MemberType():
                return f"one of {self.named('slots', kind.slot)}"
            case types.OptionalType():
                return f"{self.kind(kind.of)} or none"
            case types.PickType():
                return f"{self.formula(kind.count)} of {self.kind(kind.of)}"
            case types.SaidType():
                return f"1 to {self.formula(kind.most)} of {self.kind(kind.of)}, said"
            case types.CollectionType():
                return f"{kind.shape} of {self.kind(kind.of)}, at most {self.formula(kind.capacity)}"
            case types.TextType():
                return "text"
            case _:
                assert_never(kind)

    # -------------------------------------------------------------- formulas

    def formula(self, formula: Expression) -> str:
        """A formula; brackets stand around everything that has parts in infix words."""
        match formula:
            case e.Constant():
                return _value(formula.value)
            case e.NoneOf():
                return f"none of {self.kind(formula.type)}"
            case e.AllOf():
                return f"every {self.kind(formula.type)}"
            case e.OptionValue():
                return f"option {self.named('options', formula.option)}"
            case e.SeatCount():
                return "size of players"
            case e.Local():
                return self.local(formula)
            case e.Read():
                return self.place(formula.place)
            case e.Cell():
                return f"{self.column(formula.table, formula.column)} of {self.formula(formula.row)}"
            case e.Apply():
                return f"{self.named('functions', formula.function)}({self.listed(formula.arguments)})"
            case (
                e.Add() | e.Subtract() | e.Multiply() | e.Quotient() | e.Remainder() | e.Equal() | e.Less() | e.AtMost()
            ):
                return self._infix(formula)
            case e.Negative():
                return f"-{self.formula(formula.value)}"
            case e.Not():
                return f"not {self.formula(formula.value)}"
            case e.Both() | e.Either():
                word = " and " if isinstance(formula, e.Both) else " or "
                return f"({word.join(self.formula(part) for part in formula.parts)})"
            case e.Partition():
                word = "whole partition" if formula.whole else "best partition"
                sizes = f"{self.formula(formula.low)}..{self.formula(formula.high)}"
                found = f"{self.local(formula.variable)} of {sizes} in {self.formula(formula.collection)}"
                worth = self.formula(formula.worth)
                return f"({word} into {found} where {self.formula(formula.condition)} worth {worth})"
            case e.PartitionPart():
                return f"{formula.part} of {self.formula(formula.partition)}"
            case e.Exists() | e.Every() | e.Number() | e.Select() | e.Choose() | e.Total() | e.Collect() | e.Extreme():
                return self._found(formula)
            case e.Lines() | e.Ranks() | e.Neighbours() | e.Rays() | e.Linked() | e.CellAt() | e.RowOf() | e.ColumnOf():
                return self._on_board(formula)
            case e.EdgesOf() | e.CellsBeside():
                return self._on_board(formula)
            case _:
                return self._made(formula)

    def _infix(
        self,
        formula: e.Add | e.Subtract | e.Multiply | e.Quotient | e.Remainder | e.Equal | e.Less | e.AtMost,
    ) -> str:
        return f"({self.formula(formula.left)} {_INFIX[type(formula)]} {self.formula(formula.right)})"

    def _made(self, formula: Made) -> str:
        """Choices between values, records and collections."""
        match formula:
            case e.Smaller() | e.Larger():
                word = "smaller" if isinstance(formula, e.Smaller) else "larger"
                return f"{word}({self.formula(formula.left)}, {self.formula(formula.right)})"
            case e.Conditional():
                then, otherwise = self.formula(formula.then), self.formula(formula.otherwise)
                return f"({then} if {self.formula(formula.condition)} otherwise {otherwise})"
            case e.Part():
                parts = formula.type.fields if isinstance(formula.type, types.RecordType) else ()
                name = parts[formula.field].name if 0 <= formula.field < len(parts) else f"part#{formula.field}"
                return f"{name} of {self.formula(formula.value)}"
            case e.MakeRecord():
                return f"{self.kind(formula.type)}({self.listed(formula.parts)})"
            case e.Span():
                return f"{self.formula(formula.low)}..{self.formula(formula.high)}"
            case e.MakeList():
                return f"[{self.listed(formula.items)}]"
            case e.Join():
                return f"({self.formula(formula.left)} + {self.formula(formula.right)} as {formula.shape})"
            case e.Without():
                return f"({self.formula(formula.left)} but {self.formula(formula.right)} as {formula.shape})"
            case e.Contains():
                return f"({self.formula(formula.item)} in {self.formula(formula.collection)})"
            case e.Occurrences():
                return f"copies({self.formula(formula.item)}, {self.formula(formula.collection)})"
            case e.Size():
                return f"size of {self.formula(formula.collection)}"
            case e.Distinct():
                return f"kinds of {self.formula(formula.collection)}"
            case e.Item():
                place = f"item {self.formula(formula.position)} of {self.formula(formula.collection)}"
                return f"({place} else {self.formula(formula.none)})"
            case e.Last():
                return f"(top of {self.formula(formula.collection)} else {self.formula(formula.none)})"
            case e.Picks():
                return f"picks of {self.formula(formula.count)} from {self.formula(formula.collection)}"
            case e.From():
                return f"({self.formula(formula.collection)} from {self.formula(formula.start)})"
            case _:
                assert_never(formula)

    def _found(self, formula: Search) -> str:
        """Searches."""
        match formula:
            case e.Exists() | e.Every() | e.Number():
                word = {e.Exists: "some", e.Every: "every", e.Number: "count of"}[type(formula)]
                return f"{word} {self._domain(formula)}"
            case e.Select():
                return f"all {self._domain(formula)}{self._ranks(formula.ranks)}"
            case e.Choose():
                return f"(first {self._domain(formula)}{self._ranks(formula.ranks)} else {self.formula(formula.none)})"
            case e.Total():
                return f"(sum of {self.formula(formula.value)} for {self._domain(formula)})"
            case e.Collect():
                return f"(collect {self.formula(formula.value)} for {self._domain(formula)})"
            case e.Extreme():
                word, none = "highest" if formula.most else "lowest", self.formula(formula.none)
                return f"({word} {self.formula(formula.value)} for {self._domain(formula)} else {none})"
            case _:
                assert_never(formula)

    def _domain(self, search: Search) -> str:
        where = "" if search.condition == e.Constant(1) else f" where {self.formula(search.condition)}"
        return f"{self.local(search.variable)} in {self.formula(search.domain)}{where}"

    def ranks(self, ranks: tuple[e.RankBy, ...]) -> str:
        """How a preference orders the answers that fit it."""
        return self._ranks(ranks)

    def _ranks(self, ranks: tuple[e.RankBy, ...]) -> str:
        return "".join(f" with {'most' if rank.most else 'least'} {self.formula(rank.value)}" for rank in ranks)

    def _on_board(self, formula: OnBoard) -> str:
        match formula:
            case e.Lines():
                return f"lines({self.named('boards', formula.board)}, {self.formula(formula.length)})"
            case e.Ranks():
                return f"{formula.direction} of {self.named('boards', formula.board)}"
            case e.Neighbours():
                return f"cells {'around' if formula.around else 'beside'} {self.formula(formula.cell)}"
            case e.Rays():
                return f"rays from {self.formula(formula.cell)}"
            case e.Linked():
                return f"linked({self.formula(formula.start)}, {self.formula(formula.within)})"
            case e.CellAt():
                board = self.named("boards", formula.board)
                return f"cell({board}, {self.formula(formula.row)}, {self.formula(formula.column)})"
            case e.RowOf():
                return f"row of {self.formula(formula.cell)}"
            case e.ColumnOf():
                return f"column of {self.formula(formula.cell)}"
            case e.EdgesOf():
                return f"edges of {self.formula(formula.cell)}"
            case e.CellsBeside():
                return f"cells of {self.formula(formula.edge)}"
            case _:
                assert_never(formula)

    def listed(self, formulas: tuple[Expression, ...]) -> str:
        """Some formulas, with commas."""
        return ", ".join(self.formula(formula) for formula in formulas)

    def place(self, place: Place) -> str:
        """A zone or marker."""
        name = self.named("slots", place.slot)
        match place:
            case e.Slot():
                return f"{name}[{self.listed(place.indices)}]" if place.indices else name
            case e.Member():
                return f"{name}[which {self.formula(place.member)}]"
            case _:
                assert_never(place)

    def words(self, words: Words) -> str:
        """A text for people with its holes."""
        parts = [part if isinstance(part, str) else "{" + self.formula(part.value) + "}" for part in words.parts]
        return '"' + "".join(parts).replace("\n", " ") + '"'

    # -------------------------------------------------------------- effects

    def effect(self, effect: Effect) -> str:
        """What changes."""
        match effect:
            case effects.SetMarker():
                return f"{self.place(effect.marker)} becomes {self.formula(effect.value)}"
            case effects.SetLocal():
                return f"let {self.local(effect.local)} = {self.formula(effect.value)}"
            case effects.MoveTop():
                what = f"top({self.formula(effect.count)})"
                return self._move(what, effect.source, effect.target, effect.end)
            case effects.MoveAt():
                what = f"position({self.formula(effect.position)})"
                return self._move(what, effect.source, effect.target, effect.end)
            case effects.MoveAll():
                return self._move("everything", effect.source, effect.target, effect.end)
            case effects.MovePieces():
                return self._move(self.formula(effect.pieces), effect.source, effect.target, effect.end)
            case effects.Gather():
                zones = ", ".join(self.named("slots", zone) for zone in effect.zones)
                return f"gather from {zones} into {self.place(effect.target)}"
            case effects.Shuffle():
                return f"shuffle {self.place(effect.pile)}"
            case effects.Settle():
                return f"top of {self.place(effect.pile)} turns out to be {self.formula(effect.card)}"
            case effects.PickUp():
                return f"pick up {self.place(effect.zone)}"
            case effects.Land():
                return f"one of {self.place(effect.zone)} shows {self.formula(effect.face)}"
            case _:
                assert_never(effect)

    def _move(self, what: str, source: Place, target: Place, end: str) -> str:
        return f"put {what} from {self.place(source)} {'onto' if end == 'top' else 'under'} {self.place(target)}"


def _value(value: Value) -> str:
    if isinstance(value, int):
        return str(value)
    return f"[{', '.join(_value(item) for item in value)}]"
