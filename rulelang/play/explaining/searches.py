"""What searches found, and how a bag was divided: the elements that decided, each with what it counts."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, assert_never, cast

from rulelang.ir import expressions as ir
from rulelang.ir.expressions import Expression, Value
from rulelang.ir.types import Type
from rulelang.play.explaining.kinds_of import Kinds, Locals, element, listing
from rulelang.play.explaining.tree import Explained, Role
from rulelang.play.explaining.wording import Wording
from rulelang.play.formulas import Context, evaluate, items
from rulelang.play.formulas.searches import first_failing, first_satisfying, satisfying

Counting = ir.Number | ir.Total | ir.Extreme | ir.Collect
Through = ir.Exists | ir.Every | ir.Select | ir.Choose | Counting
"""Searches through a collection."""
Search = Through | ir.Partition | ir.PartitionPart


class SearchExplanation:
    """The searches of an `Explainer`."""

    context: Context
    kinds: Kinds
    known: Locals
    left: int
    wording: Wording

    if TYPE_CHECKING:

        def explain(self, formula: Expression, role: Role = "", wanted: Type | None = None) -> Explained: ...

        def element(
            self, variable: int, item: Value, kind: Type | None, formula: Expression | None, role: Role = "for"
        ) -> Explained: ...

        def more(self, count: int = 0) -> Explained: ...

    def search(self, formula: Search) -> Iterator[Explained]:
        """The elements that decided a search."""
        match formula:
            case ir.Partition():
                yield from self._division(formula)
            case ir.PartitionPart():
                yield self.explain(formula.partition)
            case ir.Exists():
                yield from self._witness(formula, first_satisfying(formula, self.context))
            case ir.Every():
                yield from self._witness(formula, first_failing(formula, self.context))
            case ir.Select() | ir.Choose():
                yield from self._chosen(formula)
            case ir.Number():
                yield from self._each(formula, list(satisfying(formula, self.context)), None)
            case ir.Total() | ir.Extreme() | ir.Collect():
                yield from self._each(formula, list(satisfying(formula, self.context)), formula.value)
            case _:
                assert_never(formula)

    def _kind(self, formula: Through) -> Type | None:
        return element(self.kinds.of(formula.domain, self.known))

    def _witness(self, formula: ir.Exists | ir.Every, found: Sequence[Value]) -> Iterator[Explained]:
        """The element that decided; if none did, all of them were looked at."""
        for item in found:
            yield self.element(formula.variable.number, item, self._kind(formula), formula.condition, "kept")
        if not found and not isinstance(formula.domain, ir.AllOf | ir.Constant):
            yield self.explain(formula.domain, "for")

    def _each(self, formula: Counting, found: Sequence[Value], value: Expression | None) -> Iterator[Explained]:
        kind = self._kind(formula)
        for number, item in enumerate(found):
            if number >= ELEMENTS or self.left <= 0:
                yield self.more(len(found) - number)
                return
            yield self.element(formula.variable.number, item, kind, value)

    def _chosen(self, formula: ir.Select | ir.Choose) -> Iterator[Explained]:
        """The candidates with their rank, those that were chosen marked."""
        candidates = list(satisfying(formula, self.context))
        best = evaluate(formula, self.context)
        kept = best if isinstance(formula, ir.Select) else (best,)
        kind = self._kind(formula)
        rank = formula.ranks[0].value if formula.ranks else None
        for number, item in enumerate(candidates):
            if number >= ELEMENTS or self.left <= 0:
                yield self.more(len(candidates) - number)
                return
            role: Role = "kept" if item in cast("tuple[Value, ...]", kept) else "for"
            told = self.element(formula.variable.number, item, kind, rank, role)
            yield told
        for later in formula.ranks[1:]:
            yield from (
                self.element(formula.variable.number, item, kind, later.value, "kept")
                for item in cast("tuple[Value, ...]", kept)[: ELEMENTS if self.left > 0 else 0]
            )

    def _division(self, formula: ir.Partition) -> Iterator[Explained]:
        """The groups with their worth, and what is left over."""
        _, _, rest, groups = items(formula, self.context)
        kind = listing(formula.of, "bag")
        for group in cast("tuple[tuple[int, ...], ...]", groups):
            yield self.element(formula.variable.number, group, kind, formula.worth, "group")
        if rest:
            yield Explained(self.wording.value(kind, rest), "", "rest")


ELEMENTS = 24
"""Elements of one search that are told."""
