"""Formulas in words for people: as listings of a program say them, but with constants and places said as at the table.

Built on ``rulelang.ir.spoken``, which numbers its locals and leaves codes as they are.
"""

from collections.abc import Mapping
from itertools import accumulate

from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Expression, Place, Value
from rulelang.ir.measure import Search as MeasuredSearch
from rulelang.ir.program import Program
from rulelang.ir.spoken import Speaker
from rulelang.ir.types import CollectionType, NumberType, RecordType, SeatType, Type
from rulelang.play.explaining.kinds_of import Kinds, Locals, element
from rulelang.play.explaining.timers import AboutTimer, about_timers
from rulelang.play.folding import Search
from rulelang.play.words import speak, speak_none


class Wording(Speaker):
    """Says the formulas of one program, whose kinds are closed."""

    def __init__(self, program: Program, kinds: Kinds) -> None:
        super().__init__(program)
        self.kinds = kinds
        self._timers = about_timers(program)
        self._locals: Locals = {}

    def about_timer(self, formula: Expression) -> AboutTimer | None:
        """What a formula asks of a timer, if it does."""
        return self._timers.get(formula) if self._timers else None  # large formulas are not looked up in vain

    def said(self, formula: Expression, locals: Locals) -> str:
        """A formula without the brackets around it."""
        self._locals = locals
        return _bare(self.formula(formula))

    def called(self, formula: ir.Apply, locals: Locals, standing: Mapping[int, Value]) -> str:
        """A define with its arguments; some of them, by their places, are said as the values that they have."""
        self._locals = locals
        return self._call(formula, standing)

    # ------------------------------------------------------------------ values

    def value(self, kind: Type | None, value: Value) -> str:
        """A value in the words of its kind; as numbers, if nothing tells its kind."""
        if isinstance(value, int):
            single = kind if kind is not None and not isinstance(kind, CollectionType) else _PLAIN
            return speak(self.program, single, value)
        if not value:
            return "nothing"
        of = element(kind)
        if isinstance(of, CollectionType) or any(isinstance(item, tuple) for item in value):
            return ", ".join(f"[{self.value(of, item)}]" for item in value)
        return speak(self.program, kind if isinstance(kind, CollectionType) else _PLAIN_LIST, value)

    # ------------------------------------------------------------------ formulas

    def local(self, local: ir.Local) -> str:
        """A local by its name."""
        return local.name

    def kind(self, kind: Type) -> str:
        """A kind by its name."""
        return kind.name if isinstance(kind, NumberType) and kind.name else super().kind(kind)

    def formula(self, formula: Expression) -> str:
        """A formula, constants in the words of what they are compared with."""
        timed = self.about_timer(formula)
        if timed is not None:
            return f"({timed.said})" if timed.sort == "question" else timed.said
        match formula:
            case ir.Constant(value=()):
                return "empty"
            case ir.NoneOf():
                return speak_none(formula.type)
            case ir.Conditional() if plain_of(formula) is not None:
                return self.formula(plain_of(formula) or formula)
            case ir.Cell(row=ir.Constant(value=int(row))) if 0 <= row < len(self.program.tables[formula.table].rows):
                return f"{self.column(formula.table, formula.column)} of {self.program.tables[formula.table].rows[row]}"
            case ir.Equal() | ir.Contains():
                left = formula.left if isinstance(formula, ir.Equal) else formula.item
                right = formula.right if isinstance(formula, ir.Equal) else formula.collection
                return f"({self._beside(left, right)} {_word(formula)} {self._beside(right, left)})"
            case ir.Less() | ir.AtMost():
                return self._compared(formula)
            case ir.Not(value=ir.Equal() as equal):
                return f"({self._beside(equal.left, equal.right)} is not {self._beside(equal.right, equal.left)})"
            case ir.Exists() | ir.Every() | ir.Number() | ir.Select() | ir.Choose() | ir.Total() | ir.Collect():
                return self._inside(formula)
            case ir.Extreme() | ir.Partition():
                return self._inside(formula)
            case ir.Item() | ir.Last():
                what = "top of" if isinstance(formula, ir.Last) else f"item {self.formula(formula.position)} of"
                return f"{what} {self.formula(formula.collection)}"
            case ir.Apply():
                return self._call(formula, {})
            case ir.Join() | ir.Without():
                left, right = formula.left, formula.right
                word = "+" if isinstance(formula, ir.Join) else "but"
                return f"({self._beside(left, right)} {word} {self._beside(right, left)})"
            case ir.Occurrences():
                item = self._beside(formula.item, formula.collection)
                return f"copies({item}, {self.formula(formula.collection)})"
            case ir.From():
                start = self._as(element(self.kinds.of(formula.collection, self._locals)), formula.start)
                return f"({self.formula(formula.collection)} from {start})"
            case ir.MakeRecord(type=RecordType(name=name, fields=fields)):
                parts = zip(fields, formula.parts, strict=True)
                return f"{name}({', '.join(self._as(field.type, part) for field, part in parts)})"
            case ir.MakeList() if formula.items:
                return f"[{self.listed(formula.items)}]"
            case _:
                return super().formula(formula)

    def _call(self, formula: ir.Apply, standing: Mapping[int, Value]) -> str:
        name, kinds = self.named("functions", formula.function), self.kinds.given(formula, self._locals)
        words = [
            self.value(kind, standing[place]) if place in standing else _bare(self._as(kind, argument))
            for place, (kind, argument) in enumerate(zip(kinds, formula.arguments, strict=True))
        ]
        return f"{name}({', '.join(words)})" if words else name

    def _inside(self, formula: Search) -> str:
        """A search, whose variable has a kind only inside it."""
        outer = self._locals
        self._locals = self.kinds.inside(formula, outer)
        words = super().formula(formula)
        self._locals = outer
        return words

    def _found(self, formula: MeasuredSearch) -> str:
        """Searches, without what they give if there is nothing."""
        match formula:
            case ir.Choose():
                return f"(first {self._domain(formula)}{self.ranks(formula.ranks)})"
            case ir.Extreme():
                word = "highest" if formula.most else "lowest"
                return f"({word} {self.formula(formula.value)} for {self._domain(formula)})"
            case _:
                return super()._found(formula)

    def _compared(self, formula: ir.Less | ir.AtMost) -> str:
        """What is less than what; a written value stands at the end, as rules have it."""
        left, right = self._beside(formula.left, formula.right), self._beside(formula.right, formula.left)
        word = "<" if isinstance(formula, ir.Less) else "<="
        if isinstance(formula.left, ir.Constant):
            return f"({right} {word.replace('<', '>')} {left})"
        return f"({left} {word} {right})"

    def _beside(self, formula: Expression, other: Expression) -> str:
        """A formula; written values are in the words of the other's kind."""
        return self._as(element(self.kinds.of(other, self._locals)), formula)

    def _as(self, kind: Type | None, formula: Expression) -> str:
        """A formula; written values are in the words of a kind, seats as rules write them."""
        match formula:
            case ir.Remainder(left=ir.Add(left=seat)) if isinstance(kind, SeatType):
                return f"next({self._as(kind, seat)})"
            case ir.Remainder(left=ir.Subtract(left=given)) if isinstance(kind, SeatType):
                before = isinstance(self.kinds.of(given, self._locals), SeatType)
                return f"previous({self.formula(given)})" if before else f"seat({_bare(self.formula(given))})"
            case ir.Constant(value=int(code)):
                return self.value(kind, code)
            case ir.MakeList(items=items):
                return f"[{', '.join(self._as(kind, item) for item in items)}]"
            case _:
                return self.formula(formula)

    def place(self, place: Place) -> str:
        """A zone or marker, as rules write it."""
        declared = self.program.slots[place.slot]
        if isinstance(place, ir.Member):
            return self.formula(place.member)
        indices = [self._as(kind, index) for kind, index in zip(declared.index, place.indices, strict=True)]
        owner = ""
        if indices and isinstance(declared.index[0], SeatType):
            owned = indices.pop(0)
            owner = "my " if owned == "me" else f"{owned}'s "
        return f"{owner}{declared.name}" + (f"[{', '.join(indices)}]" if indices else "")


def plain_of(formula: Expression) -> Expression | None:
    """The formula whose none was only fitted to another kind, if that is all that a condition does."""
    match formula:
        case ir.Conditional(condition=ir.Equal(left=left, right=ir.NoneOf()), then=ir.NoneOf(), otherwise=otherwise):
            return otherwise if left == otherwise else None
        case _:
            return None


_PLAIN = NumberType(ir.Constant(0), ir.Constant(0))
_PLAIN_LIST = CollectionType("list", _PLAIN, ir.Constant(0))


def _word(formula: ir.Equal | ir.Contains) -> str:
    return "is" if isinstance(formula, ir.Equal) else "in"


def _bare(words: str) -> str:
    """A text without the brackets around all of it."""
    depths = list(accumulate((sign == "(") - (sign == ")") for sign in words))
    return words[1:-1] if words.startswith("(") and depths.index(0) == len(words) - 1 else words
