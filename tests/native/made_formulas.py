"""Formulas of every class, made up by kind: a number, a truth, a row, rows of rows, a card, a cell ..."""

from collections.abc import Callable
from typing import Any

import attrs
from hand_programs import AT, FLAG, OPEN, SEAT, Graph, c, marker, numbers, program, read, v, zone

from rulelang.ir import expressions as ir
from rulelang.ir import program as pg
from rulelang.ir.expressions import Expression, Value
from rulelang.ir.types import CollectionType, FieldType, NamesType, RecordType, RowType, TextType
from rulelang.testing import Dice

CARD = RecordType("Card", (FieldType("suit", NamesType("Suit", ("red", "blue"))), FieldType("rank", numbers(1, 3))))
COLUMNS = (
    pg.Column("copies", numbers(1, 9), (4, 7)),
    pg.Column("friends", CollectionType("list", RowType(0), c(2)), ((1,), ())),
    pg.Column("cry", TextType(), ("hum", "splash")),
)
Make = Callable[[ir.Local, Expression, int], Expression]
"""A search with a variable and a domain, whose parts are so deep."""

HUGE = 2**63 - 1
NUMBER, ROW, TRUTH = 0, 1, 2
"""What the three locals hold."""


def _functions() -> tuple[pg.Function, ...]:
    """One that is written out where it is applied, and three that are called: one of them can fail."""
    x = v(2)
    squares = ir.Total(x, v(0), ir.Less(v(1), x), ir.Multiply(x, x))
    long = ir.Add(squares, ir.Add(ir.Number(x, v(0), ir.Equal(x, v(1))), ir.Extreme(True, x, v(0), c(1), x, c(0))))
    failing = ir.Add(long, ir.Multiply(ir.Multiply(v(1), c(2**61)), ir.Size(v(0))))
    even = ir.Equal(ir.Remainder(x, c(2)), c(0))
    halves = ir.Join(ir.Select(x, v(0), even, ()), ir.Select(x, v(0), ir.Not(even), (ir.RankBy(True, x),)), "list")
    rows = ir.Join(halves, ir.Join(ir.Distinct(halves), ir.MakeList((v(1), ir.Size(v(0)))), "list"), "bag")
    return (
        pg.Function("double", 1, 1, ir.Add(v(0), v(0)), AT),
        pg.Function("long", 2, 3, ir.Larger(long, ir.Smaller(long, c(40))), AT),
        pg.Function("failing", 2, 3, failing, AT),
        pg.Function("halves", 2, 3, rows, AT),
    )


def table() -> pg.Program:
    """A board of 2 rows and 3 columns, four heaps, markers for a number, a list and a bag."""
    start = pg.Start(v(0), c((3, 1)), c(1))
    return attrs.evolve(
        program(
            Graph(),
            [
                zone("heap", CARD, "pile", OPEN, index=[numbers(1, 2), SEAT], starts=[start]),
                marker("round", FLAG, 0),
                marker("total", numbers(-5, 20), 0),
                pg.Marker("told", (), CollectionType("list", numbers(0, 5), c(4)), c(()), OPEN, AT),
                pg.Marker("kept", (), CollectionType("bag", numbers(0, 5), c(4)), c(()), OPEN, AT),
            ],
            boards=(pg.Board("board", c(2), c(3), AT), pg.Board("comb", c(3), c(3), AT, "hexagons")),
            tables=(pg.Table("Animal", ("tapir", "kappa"), COLUMNS, AT),),
            functions=_functions(),
            options=(pg.Option("pon", FLAG, 0, None, None, AT),),
        ),
        configuration=pg.Configuration(2, (1,)),
    )


CELLS: tuple[Value, ...] = ((3, 1), (), (2,), (0, 5), 1, 7, (4, 0, 4), (1, 1, 5))
"""One way in which everything lies."""


class Grower:
    """Makes up formulas; the deeper, the simpler."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice
        self.variables: list[tuple[int, str]] = []
        """Those of the searches around, and what kind of thing they are."""
        self.makers: dict[str, list[Callable[[int], Expression]]] = {
            "number": self._numbers(),
            "truth": self._truths(),
            "row": self._rows(),
            "rows": self._rows_of_rows(),
        }

    def locals(self) -> list[Value]:
        """Values of the three locals."""
        one = self.dice.pick((*range(-3, 8), 2**40, -HUGE - 1, HUGE))
        row = tuple(self.dice.between(0, 6) for _ in range(self.dice.between(0, 6)))
        return [one, tuple(sorted(row)) if self.dice.chance(33) else row, self.dice.between(0, 1)]

    def formula(self) -> Expression:
        """Any formula."""
        return self.make(self.dice.pick(tuple(self.makers)), 4)

    def make(self, kind: str, depth: int) -> Expression:
        """A formula of a kind."""
        if depth <= 0 or self.dice.chance(14):
            return self.leaf(kind)
        return self.dice.pick(self.makers[kind])(depth - 1)

    def leaf(self, kind: str) -> Expression:
        """A formula without parts."""
        around = [v(number) for number, of in self.variables if of == kind]
        if around and self.dice.chance(50):
            return self.dice.pick(around)
        number = self.dice.between(-2, 7)
        row = tuple(self.dice.between(0, 6) for _ in range(self.dice.between(0, 5)))
        leaves: dict[str, tuple[Expression, ...]] = {
            "number": (v(NUMBER), c(number), c(number), read(2), ir.SeatCount(), ir.OptionValue(0)),
            "truth": (v(TRUTH), c(1), c(0), read(1)),
            "row": (v(ROW), v(ROW), c(row), read(3), read(4), read(0, c(1), c(1)), ir.AllOf(numbers(-1, 2))),
            "rows": (c((row, (1, 2))), ir.Ranks(0, "rows"), ir.Lines(0, c(2))),
        }
        return self.dice.pick(leaves[kind])

    # -------------------------------------------------------------- parts

    def search(
        self, make: Callable[[ir.Local, Expression, int], Expression], depth: int, of: str = "row"
    ) -> Expression:
        """A search through a row (or through rows), whose variable its parts may read."""
        domain = self.make(of, depth)
        number = 3 + len(self.variables)
        if number > 7:
            return self.leaf("row")
        self.variables.append((number, "number" if of == "row" else "row"))
        try:
            return make(v(number), domain, depth)
        finally:
            self.variables.pop()

    def ranks(self, depth: int) -> tuple[ir.RankBy, ...]:
        """By what a search prefers elements."""
        count = self.dice.pick((0, 1, 1, 2))
        return tuple(ir.RankBy(self.dice.chance(50), self.make("number", depth)) for _ in range(count))

    def condition(self, depth: int) -> Expression:
        """What elements must satisfy; often nothing."""
        return c(1) if self.dice.chance(33) else self.make("truth", depth)

    def near(self, low: int, high: int) -> Expression:
        """A number that lies mostly, not always, between these."""
        if self.dice.chance(25):
            return self.make("number", 1)
        number = self.dice.between(low, high)
        return ir.Remainder(v(NUMBER), c(high + 1)) if self.dice.chance(50) and low == 0 else c(number)

    def division(self, depth: int) -> ir.Partition:
        """A bag divided into groups."""
        x, dice = v(3 + len(self.variables)), self.dice
        size, inner = ir.Size(x), v(4 + len(self.variables))
        alike = ir.Equal(ir.Size(ir.Distinct(x)), c(1))
        climbing = ir.Less(ir.Item(x, c(1), c(0)), ir.Last(x, c(9)))
        return ir.Partition(
            self.make("row", depth),
            numbers(0, 9),
            c(dice.between(-1, 2)),
            c(dice.between(1, 3)),
            x,
            dice.pick((alike, climbing, ir.Either((alike, climbing)), c(1))),
            dice.pick((size, ir.Multiply(size, size), c(0), c(-1), ir.Total(inner, x, c(1), inner))),
            dice.chance(50),
        )

    # -------------------------------------------------------------- makers

    def _numbers(self) -> list[Callable[[int], Expression]]:
        def two(kind: Any) -> Callable[[int], Expression]:
            return lambda d: kind(self.make("number", d), self.make("number", d))

        def one(kind: Any, of: str = "row") -> Callable[[int], Expression]:
            return lambda d: kind(self.make(of, d))

        none = c(-9)
        return [
            *map(two, (ir.Add, ir.Subtract, ir.Multiply, ir.Quotient, ir.Remainder, ir.Smaller, ir.Larger)),
            one(ir.Negative, "number"),
            one(ir.Size),
            lambda d: ir.Size(self.make("rows", d)),
            lambda d: ir.NoneOf(numbers(3, 4)),
            lambda d: ir.Cell(0, 0, self.near(0, 1)),
            lambda d: ir.Size(ir.Read(ir.Member(0, self.near(0, 3)))),
            lambda d: ir.Last(read(0, self.near(1, 2), self.near(0, 1)), none),
            lambda d: ir.Apply(0, (self.make("number", d),)),
            lambda d: ir.Apply(1, (self.make("row", d), self.make("number", d))),
            lambda d: ir.Apply(2, (self.make("row", d), self.make("number", d))),
            lambda d: ir.Conditional(self.make("truth", d), self.make("number", d), self.make("number", d)),
            lambda d: self.make("truth", d),
            lambda d: ir.MakeRecord(CARD, (self.near(0, 1), self.near(1, 3))),
            lambda d: ir.Part(self.near(0, 5), CARD, self.dice.between(0, 1)),
            lambda d: ir.Occurrences(self.make("number", d), self.make("row", d)),
            lambda d: ir.Item(self.make("row", d), self.near(0, 3), self.make("number", d)),
            lambda d: ir.Last(self.make("row", d), self.make("number", d)),
            lambda d: self.search(lambda x, row, n: ir.Number(x, row, self.condition(n)), d),
            lambda d: self.search(lambda x, row, n: ir.Number(x, row, self.condition(n)), d, "rows"),
            lambda d: self.search(lambda x, row, n: ir.Total(x, row, self.condition(n), self.make("number", n)), d),
            lambda d: self.search(
                lambda x, row, n: ir.Extreme(
                    self.dice.chance(50),
                    x,
                    row,
                    self.condition(n),
                    self.make("number", n),
                    self.dice.pick((c(-9), v(NUMBER))),
                ),
                d,
            ),
            lambda d: self.search(
                lambda x, row, n: ir.Choose(
                    x, row, self.condition(n), self.ranks(n), self.dice.pick((c(-9), v(NUMBER)))
                ),
                d,
            ),
            lambda d: ir.PartitionPart(self.division(d), self.dice.pick(("possible", "value"))),
            lambda d: ir.CellAt(0, self.near(1, 2), self.near(1, 3)),
            lambda d: ir.RowOf(0, self.near(0, 5)),
            lambda d: ir.ColumnOf(0, self.near(0, 5)),
        ]

    def _truths(self) -> list[Callable[[int], Expression]]:
        def parts(depth: int) -> tuple[Expression, ...]:
            return tuple(self.make("truth", depth) for _ in range(self.dice.between(1, 3)))

        return [
            lambda d: ir.Equal(self.make("number", d), self.make("number", d)),
            lambda d: ir.Equal(self.make("row", d), self.make("row", d)),
            lambda d: ir.Less(self.make("number", d), self.make("number", d)),
            lambda d: ir.AtMost(self.make("number", d), self.make("number", d)),
            lambda d: ir.Contains(self.make("number", d), self.make("row", d)),
            lambda d: ir.Contains(self.make("row", d), self.make("rows", d)),
            lambda d: ir.Not(self.make("truth", d)),
            lambda d: ir.Both(parts(d)),
            lambda d: ir.Either(parts(d)),
            lambda d: ir.Conditional(self.make("truth", d), self.make("truth", d), self.make("truth", d)),
            lambda d: self.search(lambda x, row, n: ir.Exists(x, row, self.condition(n)), d),
            lambda d: self.search(lambda x, row, n: ir.Every(x, row, self.condition(n)), d),
            lambda d: self.search(lambda x, row, n: ir.Every(x, row, self.condition(n)), d, "rows"),
            lambda d: self.search(lambda x, row, n: ir.Exists(x, row, self.condition(n)), d, "rows"),
        ]

    def _rows(self) -> list[Callable[[int], Expression]]:
        def shape() -> Any:
            return self.dice.pick(("list", "bag"))

        return [
            lambda d: ir.Span(self.near(-1, 3), self.near(0, 6), c(9)),
            lambda d: ir.MakeList(tuple(self.make("number", d) for _ in range(self.dice.between(0, 3)))),
            lambda d: ir.Join(self.make("row", d), self.make("row", d), shape()),
            lambda d: ir.Without(self.make("row", d), self.make("row", d), "list"),
            lambda d: ir.Without(ir.Join(self.make("row", d), c(()), "bag"), self.make("row", d), "bag"),
            lambda d: ir.Distinct(self.make("row", d)),
            lambda d: ir.From(self.make("row", d), self.make("number", d)),
            lambda d: ir.Item(self.make("rows", d), self.near(0, 3), c(())),
            lambda d: ir.Conditional(self.make("truth", d), self.make("row", d), self.make("row", d)),
            lambda d: ir.Cell(0, 1, self.near(-1, 1)),
            lambda d: ir.Apply(3, (self.make("row", d), self.make("number", d))),
            lambda d: self.search(lambda x, row, n: ir.Select(x, row, self.condition(n), self.ranks(n)), d),
            lambda d: self.search(lambda x, row, n: ir.Collect(x, row, self.condition(n), self.make("number", n)), d),
            lambda d: ir.PartitionPart(self.division(d), "rest"),
            lambda d: ir.Neighbours(self.dice.between(0, 1), self.near(0, 5), self.dice.chance(50)),
            lambda d: ir.Linked(self.dice.between(0, 1), self.make("row", d), self.make("row", d)),
            lambda d: ir.EdgesOf(0, self.near(0, 5)),
            lambda d: ir.CellsBeside(0, self.near(0, 16)),
        ]

    def _rows_of_rows(self) -> list[Callable[[int], Expression]]:
        return [
            lambda d: ir.Picks(ir.Join(self.make("row", d), c(()), "bag"), c(self.dice.between(-1, 3))),
            lambda d: ir.PartitionPart(self.division(d), "groups"),
            lambda d: ir.Rays(self.dice.between(0, 1), self.near(0, 5)),
            lambda d: ir.Ranks(0, self.dice.pick(("rows", "columns", "diagonals"))),
            lambda d: ir.Lines(0, c(self.dice.between(0, 3))),
            lambda d: self.search(lambda x, rows, n: ir.Select(x, rows, self.condition(n), self.ranks(n)), d, "rows"),
        ]
