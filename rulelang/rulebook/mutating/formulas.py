"""What can stand in place of one formula: of the same kind, near it, and wrong.

Only the formula itself is changed, not what stands in it: those are formulas of their own. A code of a value is changed
to a neighbouring one, so that a name becomes another name and a number one less or more.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal

import attrs

from rulelang.ir import expressions as ir
from rulelang.ir.effects import Effect, MoveTop, SetMarker
from rulelang.ir.expressions import Expression
from rulelang.ir.nodes import Branch, Winners
from rulelang.ir.program import Marker, Program, Zone
from rulelang.ir.spoken import Speaker
from rulelang.ir.types import FlagType, NamesType, OptionalType, RowType, Type

Sort = Literal[
    "requirement",
    "comparison",
    "bound",
    "direction",
    "priority",
    "effect",
    "visibility",
    "branch",
    "constant",
    "condition",
    "sum",
    "choice",
    "result",
    "setting",
]
"""What kind of change it is."""

YES: Final = ir.Constant(1)
ONE: Final = ir.Constant(1)
LONGEST: Final = 90
"""Letters of a formula that is quoted."""


@attrs.frozen
class Other:
    """A formula in place of another, and what was done."""

    sort: Sort
    said: str
    new: Expression


class OtherFormulas:
    """The other formulas of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.speaker = Speaker(program)

    def text(self, formula: Expression) -> str:
        """A formula in words, without the numbers of locals, cut if it is long."""
        said = re.sub(r"%[0-9]+", "", self.speaker.formula(formula))
        said = said[1:-1] if _one_bracket(said) else said
        return said if len(said) <= LONGEST else f"{said[: LONGEST - 3]}..."

    def effect(self, effect: Effect) -> str:
        """An effect in words."""
        said = re.sub(r"%[0-9]+", "", self.speaker.effect(effect))
        return said if len(said) <= LONGEST else f"{said[: LONGEST - 3]}..."

    def instead(self, formula: Expression, holder: object, role: str) -> Iterator[Other]:
        """What can stand there. ``holder`` and ``role``: in which field of what the formula stands."""
        # 'is not' and 'not in' are changed as one, where 'not' stands; and a branch that goes the other way is a change
        # of its own.
        negated = isinstance(holder, ir.Not) or (role == "condition" and isinstance(holder, ir.Conditional | Branch))
        if _order_is_nothing(formula, holder, role):
            return
        match formula:
            case ir.Constant():
                yield from self._constant(formula, holder, role)
            case ir.Less():
                yield self._became("comparison", formula, ir.AtMost(formula.left, formula.right))
            case ir.AtMost():
                yield self._became("comparison", formula, ir.Less(formula.left, formula.right))
            case ir.Equal() if not negated:
                yield Other("comparison", f"'is' became 'is not' in '{self.text(formula)}'", ir.Not(formula))
            case ir.Contains() if not negated:
                yield Other("comparison", f"'in' became 'not in' in '{self.text(formula)}'", ir.Not(formula))
            case ir.Not() if not negated:
                yield self._became("comparison", formula, formula.value)
            case ir.Both() | ir.Either():
                yield from self._parts(formula)
            case ir.Exists():
                other = ir.Every(formula.variable, formula.domain, formula.condition)
                yield Other("condition", f"'some' became 'every' in '{self.text(formula)}'", other)
            case ir.Every():
                some = ir.Exists(formula.variable, formula.domain, formula.condition)
                yield Other("condition", f"'every' became 'some' in '{self.text(formula)}'", some)
            case ir.Conditional():
                turned = attrs.evolve(formula, then=formula.otherwise, otherwise=formula.then)
                yield Other("branch", f"the cases of '{self.text(formula)}' exchanged", turned)
            case ir.Add() | ir.Subtract() | ir.Smaller() | ir.Larger() | ir.Quotient() | ir.Multiply() | ir.Negative():
                yield from self._sum(formula)
            case ir.Remainder():
                yield from self._remainder(formula)
            case ir.Span() if not isinstance(formula.high, ir.Constant):
                yield self._became("bound", formula, attrs.evolve(formula, high=ir.Subtract(formula.high, ONE)))
            case (
                ir.MakeList() | ir.Join() | ir.Without() | ir.From() | ir.Last() | ir.Distinct() | ir.Ranks()
            ) | ir.Neighbours():
                yield from self._collection(formula)
            case _:
                yield from self._search(formula)

    # -------------------------------------------------------------- one kind each

    def _became(self, sort: Sort, old: Expression, new: Expression) -> Other:
        return Other(sort, f"'{self.text(old)}' became '{self.text(new)}'", new)

    def _constant(self, formula: ir.Constant, holder: object, role: str) -> Iterator[Other]:
        value, beside = formula.value, _beside(holder, role)
        if isinstance(value, tuple):
            if len(value) > 1:
                yield Other("priority", f"the order of '{self.text(formula)}' turned round", ir.Constant(value[::-1]))
            return
        if role in ("condition", "none"):
            return
        kind = None if beside is None else self._kind(beside)
        # One less of it would be nothing at all, which is a change of its own.
        step = value == 1 and isinstance(holder, ir.Add | ir.Subtract | MoveTop)
        other = value + 1 if value <= 0 or step else value - 1
        sort: Sort = "bound" if role in ("low", "high") else "constant"
        said = f"{self._value(kind, value)} became {self._value(kind, other)}"
        if beside is not None:
            said = f"{said} beside '{self.text(beside)}'"
        elif isinstance(holder, Expression):
            said = f"{said} in '{self.text(holder)}'"
        yield Other(sort, said, ir.Constant(other))

    def _value(self, kind: Type | None, code: int) -> str:
        """A code in the words of its kind, as far as the open program knows it."""
        match kind:
            case OptionalType():
                return self._value(kind.of, code)
            case NamesType(labels=labels) if 0 <= code < len(labels):
                return labels[code]
            case FlagType():
                return "yes" if code else "no"
            case RowType(table=table) if 0 <= code < len(self.program.tables[table].rows):
                return self.program.tables[table].rows[code]
            case _:
                return str(code)

    def _kind(self, formula: Expression) -> Type | None:
        """The kind of a formula that says it by itself."""
        match formula:
            case ir.OptionValue(option=option):
                return self.program.options[option].type
            case ir.Cell(table=table, column=column):
                return self.program.tables[table].columns[column].type
            case ir.Read(place=place):
                slot = self.program.slots[place.slot]
                return slot.type if isinstance(slot, Marker) else None
            case ir.Last(collection=ir.Read(place=place)):
                zone = self.program.slots[place.slot]
                return zone.content if isinstance(zone, Zone) else None
            case ir.Part(type=kind, field=field):
                fields = getattr(kind, "fields", ())
                return fields[field].type if field < len(fields) else None
            case _:
                return None

    def _parts(self, formula: ir.Both | ir.Either) -> Iterator[Other]:
        word = "and" if isinstance(formula, ir.Both) else "or"
        for place, part in enumerate(formula.parts if len(formula.parts) > 1 else ()):
            rest = formula.parts[:place] + formula.parts[place + 1 :]
            new = attrs.evolve(formula, parts=rest) if len(rest) > 1 else rest[0]
            yield Other("condition", f"without '{word} {self.text(part)}'", new)

    def _sum(self, formula: Expression) -> Iterator[Other]:
        match formula:
            case ir.Add(left=left, right=right):
                yield self._became("sum", formula, ir.Subtract(left, right))
            case ir.Subtract(left=left, right=right):
                yield self._became("sum", formula, ir.Add(left, right))
            case ir.Smaller(left=left, right=right):
                yield self._became("sum", formula, ir.Larger(left, right))
            case ir.Larger(left=left, right=right):
                yield self._became("sum", formula, ir.Smaller(left, right))
            case ir.Quotient(left=left) | ir.Multiply(left=left):
                yield self._became("sum", formula, left)
            case ir.Negative(value=value):
                yield self._became("sum", formula, value)
            case _:
                return

    def _remainder(self, formula: ir.Remainder) -> Iterator[Other]:
        """``next``, ``previous`` and ``seat`` are remainders of the number of players."""
        if isinstance(formula.right, ir.SeatCount):
            match formula.left:
                case ir.Add(left=seat, right=ir.Constant(value=1)) if not isinstance(seat, ir.Constant):
                    other = ir.Remainder(ir.Subtract(seat, ONE), formula.right)
                    said = self.text(seat)
                    yield Other("direction", f"next({said}) became previous({said})", other)
                case ir.Subtract(left=seat, right=ir.Constant(value=1)) if not isinstance(seat, ir.Constant):
                    other = ir.Remainder(ir.Add(seat, ONE), formula.right)
                    said = self.text(seat)
                    yield Other("direction", f"previous({said}) became next({said})", other)
                case ir.Subtract(left=ir.Constant(value=int(number))):
                    turned = ir.Remainder(ir.Constant(number), formula.right)
                    yield Other("constant", f"seat({number}) became the seat after it", turned)
                case _:
                    yield self._became("sum", formula, formula.left)
            return
        yield self._became("sum", formula, ir.Quotient(formula.left, formula.right))

    def _collection(self, formula: Expression) -> Iterator[Other]:
        match formula:
            case ir.MakeList(items=items) if len(items) > 1:
                said = f"the order of '{self.text(formula)}' turned round"
                yield Other("priority", said, attrs.evolve(formula, items=items[::-1]))
            case ir.Join(left=left, right=right):
                if formula.shape == "list":
                    other = attrs.evolve(formula, left=right, right=left)
                    yield Other("priority", f"the order of '{self.text(formula)}' turned round", other)
                yield Other("condition", f"without '+ {self.text(right)}'", left)
            case ir.Without(left=left, right=right):
                yield Other("condition", f"without 'but {self.text(right)}'", left)
            case ir.From(collection=collection, start=start):
                yield Other("direction", f"without 'from {self.text(start)}'", collection)
            case ir.Last(collection=ir.Read(place=place) as collection, none=none) if self._is_pile(place):
                yield Other(
                    "direction", f"the bottom instead of '{self.text(formula)}'", ir.Item(collection, ONE, none)
                )
            case ir.Ranks(direction="rows" | "columns"):
                other_way: Literal["rows", "columns"] = "columns" if formula.direction == "rows" else "rows"
                yield self._became("direction", formula, attrs.evolve(formula, direction=other_way))
            case ir.Neighbours():
                yield self._became("direction", formula, attrs.evolve(formula, around=not formula.around))
            case _:
                return

    def _is_pile(self, place: ir.Place) -> bool:
        zone = self.program.slots[place.slot]
        return isinstance(zone, Zone) and zone.shape == "pile" and not zone.blind

    def _search(self, formula: Expression) -> Iterator[Other]:
        match formula:
            case ir.Select() | ir.Choose():
                yield from self._ranks(formula)
            case ir.Extreme():
                yield self._became("priority", formula, attrs.evolve(formula, most=not formula.most))
            case ir.Partition():
                yield Other(
                    "condition", "whole and best partition exchanged", attrs.evolve(formula, whole=not formula.whole)
                )
            case _:
                pass
        match formula:
            case ir.Select() | ir.Choose() | ir.Number() | ir.Total() | ir.Extreme() | ir.Collect() | ir.Partition():
                if formula.condition != YES:
                    said = f"without 'where {self.text(formula.condition)}'"
                    yield Other("condition", said, attrs.evolve(formula, condition=YES))
            case _:
                return

    def _ranks(self, formula: ir.Select | ir.Choose) -> Iterator[Other]:
        for place, rank in enumerate(formula.ranks):
            word, other_word = ("most", "least") if rank.most else ("least", "most")
            other = attrs.evolve(rank, most=not rank.most)
            ranks = (*formula.ranks[:place], other, *formula.ranks[place + 1 :])
            said = self.text(rank.value)
            turned = attrs.evolve(formula, ranks=ranks)
            yield Other("priority", f"'with {word} {said}' became 'with {other_word} {said}'", turned)
            rest = formula.ranks[:place] + formula.ranks[place + 1 :]
            yield Other("priority", f"without 'with {word} {said}'", attrs.evolve(formula, ranks=rest))
        if len(formula.ranks) > 1:
            yield Other(
                "priority", "the order of the ranks turned round", attrs.evolve(formula, ranks=formula.ranks[::-1])
            )


def _beside(holder: object, role: str) -> Expression | None:
    """What a code is compared with, or what it is written on."""
    match holder:
        case ir.Equal() | ir.Less() | ir.AtMost():
            return holder.right if role == "left" else holder.left
        case SetMarker():
            return ir.Read(holder.marker) if role == "value" else None
        case _:
            return None


def _order_is_nothing(formula: Expression, holder: object, role: str) -> bool:
    """Whether only the order of a list would be changed, where its order counts for nothing."""
    if not isinstance(formula, ir.MakeList | ir.From) and not (
        isinstance(formula, ir.Constant) and isinstance(formula.value, tuple)
    ):
        return False
    match holder:
        case ir.Exists() | ir.Every() | ir.Number() | ir.Total() | ir.Extreme():
            return role == "domain"
        case ir.Contains() | ir.Occurrences():
            return role == "collection"
        case ir.Without():
            return role == "right"
        case ir.Size() | ir.Distinct() | Winners():
            return True
        case _:
            return False


def _one_bracket(said: str) -> bool:
    """Whether one pair of brackets holds a whole text."""
    if not said.startswith("(") or not said.endswith(")"):
        return False
    depth = 0
    for place, letter in enumerate(said):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and place < len(said) - 1:
            return False
    return True


__all__ = ["Other", "OtherFormulas", "Sort"]
