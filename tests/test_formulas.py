"""The meaning of every formula, by example. Spec 4 and 5."""

from typing import Any, get_args

import attrs
import pytest
from hand_programs import AT, FLAG, OPEN, SEAT, Graph, c, marker, numbers, program, read, v, zone

from rulelang.failures import Broken, Exhausted
from rulelang.ir import expressions as ir
from rulelang.ir import program as pg
from rulelang.ir.types import (
    CellType,
    CollectionType,
    EdgeType,
    FieldType,
    MemberType,
    NamesType,
    OptionalType,
    RecordType,
    RowType,
    TextType,
)
from rulelang.play import kinds
from rulelang.play.formulas import MEANINGS, Context, evaluate, partitions
from rulelang.play.kinds import Layout
from rulelang.play.words import place_name, read_value, speak

CARD = RecordType("Card", (FieldType("suit", NamesType("Suit", ("red", "blue"))), FieldType("rank", numbers(1, 3))))
TABLE_COLUMNS = (
    pg.Column("copies", numbers(1, 9), (4, 7)),
    pg.Column("friends", CollectionType("list", RowType(0), c(2)), ((1,), ())),
    pg.Column("cry", TextType(), ("hum", "splash")),
)
TABLE = pg.Table("Animal", ("tapir", "kappa"), TABLE_COLUMNS, AT)
DOUBLE = pg.Function("double", 1, 1, ir.Add(v(0), v(0)), AT)


def game() -> pg.Program:
    """A board of 2 rows and 3 columns, four heaps with two cards each, one marker."""
    g = Graph()
    start = pg.Start(v(0), c((3, 1)), c(1))
    return attrs.evolve(
        program(
            g,
            [zone("heap", CARD, "pile", OPEN, index=[numbers(1, 2), SEAT], starts=[start]), marker("round", FLAG, 0)],
            boards=(pg.Board("board", c(2), c(3), AT), pg.Board("comb", c(3), c(3), AT, "hexagons")),
            tables=(TABLE,),
            functions=(DOUBLE,),
            options=(pg.Option("pon", FLAG, 0, None, None, AT),),
        ),
        configuration=pg.Configuration(2, (1,)),
    )


def value(formula: Any) -> Any:
    """The value of a formula with two locals, 5 and (2, 7, 7)."""
    closed = game()
    context = Context(closed, Layout.of(closed), ((3, 1), (), (2,), (0, 5), 1), [5, (2, 7, 7), 0, 0])
    result = evaluate(formula, context)
    assert context.locals == [5, (2, 7, 7), 0, 0], "a formula leaves no trace in the frame"
    return result


X = v(3)
NUMBERS = c((4, 1, 3, 1))
EVEN = ir.Equal(ir.Remainder(X, c(2)), c(0))
ODD = ir.Not(EVEN)
BIG = c(2**63 - 1)


SIZE = ir.Size(v(3))


def divided(
    bag: ir.Expression,
    low: int = 2,
    high: int = 3,
    worth: ir.Expression = SIZE,
    whole: bool = False,
) -> ir.Partition:
    """A bag divided into groups of equal members."""
    alike = ir.Equal(ir.Size(ir.Distinct(v(3))), c(1))
    return ir.Partition(bag, numbers(1, 9), c(low), c(high), v(3), alike, worth, whole)


CASES = [
    (c(7), 7),
    (ir.NoneOf(numbers(3, 4)), 2),
    (ir.NoneOf(OptionalType(SEAT)), -1),
    (ir.AllOf(numbers(-1, 1)), (-1, 0, 1)),
    (ir.AllOf(OptionalType(SEAT)), (-1, 0, 1)),
    (ir.AllOf(MemberType(0)), (0, 1, 2, 3)),
    (ir.OptionValue(0), 1),
    (ir.SeatCount(), 2),
    (v(0), 5),
    (read(0, c(1), c(0)), (3, 1)),
    (read(0, c(2), c(1)), (0, 5)),
    (ir.Read(ir.Member(0, c(2))), (2,)),
    (read(1), 1),
    (ir.Cell(0, 0, c(1)), 7),
    (ir.Cell(0, 0, c(-1)), 0),
    (ir.Cell(0, 1, c(-1)), ()),
    (ir.Cell(0, 2, c(-1)), ()),
    (ir.Apply(0, (c(21),)), 42),
    (ir.Add(c(2), c(3)), 5),
    (ir.Subtract(c(2), c(3)), -1),
    (ir.Multiply(c(2), c(3)), 6),
    (ir.Quotient(c(-7), c(2)), -4),
    (ir.Quotient(c(7), c(0)), 0),
    (ir.Remainder(c(-7), c(2)), 1),
    (ir.Remainder(c(7), c(0)), 7),
    (ir.Negative(c(2)), -2),
    (ir.Smaller(c(2), c(3)), 2),
    (ir.Larger(c(2), c(3)), 3),
    (ir.Equal(c((1, 2)), c((1, 2))), 1),
    (ir.Equal(c((1, 2)), c((2, 1))), 0),
    (ir.Less(c(2), c(2)), 0),
    (ir.AtMost(c(2), c(2)), 1),
    (ir.Contains(c(7), v(1)), 1),
    (ir.Contains(c(1), v(1)), 0),
    (ir.Not(c(0)), 1),
    (ir.Both((c(1), c(0), ir.Add(BIG, c(1)))), 0),
    (ir.Both(()), 1),
    (ir.Either((c(0), c(1), ir.Add(BIG, c(1)))), 1),
    (ir.Either(()), 0),
    (ir.Conditional(c(1), c(2), ir.Add(BIG, c(1))), 2),
    (ir.Conditional(c(0), ir.Add(BIG, c(1)), c(3)), 3),
    (ir.MakeRecord(CARD, (c(1), c(3))), 5),
    (ir.Part(c(5), CARD, 0), 1),
    (ir.Part(c(5), CARD, 1), 3),
    (ir.Span(c(2), c(4), c(9)), (2, 3, 4)),
    (ir.Span(c(4), c(2), c(9)), ()),
    (ir.MakeList((c(3), c(1))), (3, 1)),
    (ir.Join(c((3,)), c((1,)), "list"), (3, 1)),
    (ir.Join(c((3,)), c((1,)), "bag"), (1, 3)),
    (ir.Without(NUMBERS, c((1,)), "list"), (4, 3)),
    (ir.Without(c((1, 1, 3, 4)), c((1, 4, 9)), "bag"), (1, 3)),
    (ir.Size(NUMBERS), 4),
    (ir.Occurrences(c(1), NUMBERS), 2),
    (ir.Distinct(NUMBERS), (1, 3, 4)),
    (ir.Item(NUMBERS, c(1), c(-9)), 4),
    (ir.Item(NUMBERS, c(0), c(-9)), -9),
    (ir.Item(NUMBERS, c(5), c(-9)), -9),
    (ir.Last(NUMBERS, c(-9)), 1),
    (ir.Last(c(()), c(-9)), -9),
    (ir.From(NUMBERS, c(3)), (3, 1, 4, 1)),
    (ir.From(NUMBERS, c(8)), (4, 1, 3, 1)),
    (ir.Exists(X, NUMBERS, EVEN), 1),
    (ir.Exists(X, c(()), EVEN), 0),
    (ir.Every(X, NUMBERS, EVEN), 0),
    (ir.Every(X, c(()), EVEN), 1),
    (ir.Select(X, NUMBERS, ODD, ()), (1, 3, 1)),
    (ir.Select(X, NUMBERS, ODD, (ir.RankBy(False, X),)), (1, 1)),
    (ir.Select(X, NUMBERS, c(1), (ir.RankBy(True, ODD), ir.RankBy(True, X))), (3,)),
    (ir.Choose(X, NUMBERS, ODD, (), c(-9)), 1),
    (ir.Choose(X, NUMBERS, ODD, (ir.RankBy(True, X),), c(-9)), 3),
    (ir.Choose(X, NUMBERS, c(0), (ir.RankBy(True, X),), c(-9)), -9),
    (ir.Number(X, NUMBERS, ODD), 3),
    (ir.Total(X, NUMBERS, ODD, ir.Multiply(X, c(10))), 50),
    (ir.Extreme(True, X, NUMBERS, ODD, X, c(-9)), 3),
    (ir.Extreme(False, X, NUMBERS, ODD, X, c(-9)), 1),
    (ir.Extreme(False, X, NUMBERS, c(0), X, c(-9)), -9),
    (ir.Collect(X, NUMBERS, ODD, ir.Negative(X)), (-1, -3, -1)),
    (ir.Picks(NUMBERS, c(2)), ((1, 1), (1, 3), (1, 4), (3, 4))),
    (ir.Picks(NUMBERS, c(0)), ((),)),
    (ir.Picks(NUMBERS, c(5)), ()),
    (ir.Picks(NUMBERS, c(-1)), ()),
    (ir.Picks(c((7,) * 80), c(3)), ((7, 7, 7),)),
    (divided(c((2, 2, 5, 5, 5, 9))), (1, 5, (9,), ((2, 2), (5, 5, 5)))),
    (divided(c((2, 2, 5, 5, 5, 9)), whole=True), (0, 0, (2, 2, 5, 5, 5, 9), ())),
    (divided(c((2, 2, 5, 5, 5)), whole=True), (1, 5, (), ((2, 2), (5, 5, 5)))),
    (divided(c((5, 5, 5, 5))), (1, 4, (), ((5, 5), (5, 5)))),
    (divided(c((5, 5, 5, 5)), worth=c(0)), (1, 0, (), ((5, 5), (5, 5)))),
    (divided(c((5, 5, 5, 5)), worth=c(-1)), (1, 0, (5, 5, 5, 5), ())),
    (divided(c((5, 5, 5, 5)), worth=c(-1), whole=True), (1, -2, (), ((5, 5), (5, 5)))),
    (divided(c(())), (1, 0, (), ())),
    (divided(c((5, 5)), low=-3), (1, 2, (), ((5,), (5,)))),
    (divided(c((5, 5)), low=3, high=2), (1, 0, (5, 5), ())),
    (divided(c((5, 5)), high=2**62), (1, 2, (), ((5, 5),))),
    (ir.PartitionPart(divided(c((2, 2, 9))), "possible"), 1),
    (ir.PartitionPart(divided(c((2, 2, 9))), "value"), 2),
    (ir.PartitionPart(divided(c((2, 2, 9))), "rest"), (9,)),
    (ir.PartitionPart(divided(c((2, 2, 9))), "groups"), ((2, 2),)),
    (ir.Lines(0, c(2)), ((0, 1), (0, 4), (0, 3), (1, 2), (1, 5), (1, 4), (1, 3), (2, 5), (2, 4), (3, 4), (4, 5))),
    (ir.Lines(0, c(3)), ((0, 1, 2), (3, 4, 5))),
    (ir.Lines(0, c(1)), ((0,), (1,), (2,), (3,), (4,), (5,))),
    (ir.Lines(0, c(0)), ()),
    (ir.Ranks(0, "rows"), ((0, 1, 2), (3, 4, 5))),
    (ir.Ranks(0, "columns"), ((0, 3), (1, 4), (2, 5))),
    (ir.Ranks(0, "diagonals"), ((0, 4), (1, 5), (1, 3), (2, 4))),
    (ir.Neighbours(0, c(1), False), (4, 2, 0)),
    (ir.Neighbours(0, c(4), True), (5, 2, 1, 0, 3)),
    (ir.Rays(0, c(1)), ((4,), (5,), (2,), (0,), (3,))),
    (ir.Rays(0, c(3)), ((4, 5), (1,), (0,))),
    (ir.Linked(0, c((0,)), c((0, 1, 4, 5))), (0, 1, 4, 5)),
    (ir.Linked(0, c((5, 3)), c((0, 2, 4, 5))), (2, 4, 5)),
    (ir.Linked(0, c((2,)), c((2, 3))), (2,)),
    (ir.Linked(0, c((4, 4, -1, 6)), c((6, 4, 4, -1, 7, 1))), (1, 4)),
    (ir.Linked(0, c(()), c((0, 1))), ()),
    (ir.Lines(1, c(3)), ((0, 1, 2), (0, 3, 6), (1, 4, 7), (2, 5, 8), (2, 4, 6), (3, 4, 5), (6, 7, 8))),
    (ir.Ranks(1, "rows"), ((0, 1, 2), (3, 4, 5), (6, 7, 8))),
    (ir.Ranks(1, "diagonals"), ((2, 4, 6),)),
    (ir.Neighbours(1, c(4), False), (7, 5, 2, 1, 3, 6)),
    (ir.Neighbours(1, c(4), True), (7, 5, 2, 1, 3, 6)),
    (ir.Neighbours(1, c(0), False), (3, 1)),
    (ir.Neighbours(1, c(2), False), (5, 1, 4)),
    (ir.Rays(1, c(0)), ((3, 6), (1, 2))),
    (ir.Rays(1, c(2)), ((5, 8), (1, 0), (4, 6))),
    (ir.Linked(1, c((2,)), c((2, 4, 6, 8))), (2, 4, 6)),
    (ir.Linked(1, c((0,)), c((0, 4, 8))), (0,)),
    (ir.CellAt(0, c(2), c(1)), 3),
    (ir.CellAt(0, c(3), c(1)), -1),
    (ir.RowOf(0, c(3)), 2),
    (ir.ColumnOf(0, c(3)), 1),
    (ir.EdgesOf(0, c(4)), (4, 7, 14, 15)),
    (ir.CellsBeside(0, c(1)), (1,)),
    (ir.CellsBeside(0, c(4)), (1, 4)),
    (ir.CellsBeside(0, c(14)), (3, 4)),
    (ir.CellsBeside(0, c(16)), (5,)),
]


@pytest.mark.parametrize(("formula", "expected"), CASES, ids=lambda case: type(case).__name__)
def test_value(formula: Any, expected: Any) -> None:
    assert value(formula) == expected


def test_every_formula_has_a_meaning_and_a_case() -> None:
    assert set(MEANINGS) == set(get_args(ir.Expression))
    assert {type(formula) for formula, _ in CASES} == set(get_args(ir.Expression))


@pytest.mark.parametrize(
    "formula",
    [
        ir.Add(BIG, c(1)),
        ir.Subtract(ir.Negative(BIG), c(2)),
        ir.Multiply(BIG, c(2)),
        ir.Negative(ir.Subtract(ir.Negative(BIG), c(1))),
        ir.Quotient(ir.Subtract(ir.Negative(BIG), c(1)), c(-1)),
        ir.Total(X, c((1, 2)), c(1), BIG),
        ir.Span(c(1), c(10), c(9)),
        ir.Span(c(1), c(70_000), c(70_000)),
        ir.AllOf(numbers(1, 10**12)),
        ir.Join(ir.Span(c(1), c(40_000), c(65_536)), ir.Span(c(1), c(40_000), c(65_536)), "list"),
        read(0, c(3), c(0)),
        ir.Read(ir.Member(0, c(4))),
        ir.MakeRecord(CARD, (c(0), c(4))),
        ir.RowOf(0, c(6)),
        ir.Rays(0, c(-1)),
        ir.CellsBeside(0, c(17)),
        ir.Picks(ir.Span(c(1), c(100), c(100)), c(3)),
        ir.Picks(c((7,) * 80), c(65)),
        divided(c((7,) * 65)),
        divided(c(tuple(range(1, 65)))),
        divided(c(tuple(range(1, 65))), high=64),
        divided(c(tuple(range(1, 19))), low=1, high=1),
    ],
    ids=lambda formula: type(formula).__name__,
)
def test_limits_refuse(formula: Any) -> None:
    with pytest.raises(Exhausted):
        value(formula)


def test_what_groups_are_worth_may_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded, and no answer depends on what is remembered."""
    monkeypatch.setattr(partitions, "WORTHS", 1)
    formula = divided(v(1), worth=ir.Multiply(SIZE, SIZE))
    closed = game()
    context = Context(closed, Layout.of(closed), ((3, 1), (), (2,), (0, 5), 1), [5, (), 0, 0])
    found = []
    for bag in ((2, 2, 5, 5, 5), (1, 1, 4, 6, 6), (2, 2, 5, 5, 5)):
        context.locals[1] = bag
        found.append(evaluate(ir.PartitionPart(formula, "groups"), context))
    assert found == [((2, 2), (5, 5, 5)), ((1, 1), (6, 6)), ((2, 2), (5, 5, 5))]


SPOKEN = [
    (numbers(-3, 9), -3, "-3"),
    (FLAG, 1, "yes"),
    (NamesType("Suit", ("red_fox", "blue")), 0, "red_fox"),
    (SEAT, 1, "seat 2"),
    (OptionalType(SEAT), -1, "nobody"),
    (OptionalType(numbers(1, 3)), 0, "none"),
    (CARD, 5, "blue 3"),
    (CellType(0), 4, "b2"),
    (EdgeType(0), 0, "a1-b1"),
    (EdgeType(0), 9, "a1-a2"),
    (RowType(0), 1, "kappa"),
    (MemberType(0), 3, "heap 2 seat 2"),
]


@pytest.mark.parametrize(("kind", "code", "text"), SPOKEN)
def test_spoken_and_read_again(kind: Any, code: int, text: str) -> None:
    closed = game()
    assert speak(closed, kind, code) == text
    spoken = [speak(closed, kind, each) for each in kinds.all_codes(closed, kind)]
    assert len(set(spoken)) == len(spoken)
    assert [read_value(closed, kind, said.upper().replace("_", " ")) for said in spoken] == list(
        kinds.all_codes(closed, kind)
    )
    assert read_value(closed, kind, "no such thing") is None
    assert read_value(closed, SEAT, "2") == 1


def test_an_open_program_has_no_options_yet() -> None:
    built = attrs.evolve(game(), configuration=None)
    with pytest.raises(Broken):
        evaluate(ir.OptionValue(0), Context(built, Layout((), 0), (), []))


def test_places_and_collections_are_spoken() -> None:
    closed = game()
    assert place_name(closed, 0, 0) == "heap 1 seat 1"
    assert place_name(closed, 1, 0) == "round"
    assert speak(closed, CollectionType("bag", SEAT, c(9)), (0, 1, 1)) == "seat 1, 2 x seat 2"
    assert speak(closed, CollectionType("list", SEAT, c(9)), (1, 0)) == "seat 2, seat 1"
    assert speak(closed, CollectionType("list", SEAT, c(9)), ()) == "nothing"
    assert speak(closed, TextType(), ()) == "", "where a table has no row, it has no words"
