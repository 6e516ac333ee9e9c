"""Verification: each rule refuses a bad program and accepts the nearest good one."""

import inspect
import sys
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from programs import (
    ALL,
    ANIMALS,
    CARD,
    CUP,
    DECK,
    DIE,
    FLAG,
    GRID,
    HAND,
    HEAP,
    HEAPS,
    LAST_HEAP,
    ONE,
    SCORE,
    SEAT,
    SEEN,
    SHOWN,
    SUIT,
    TWO,
    YES,
    ZERO,
    C,
    at,
    everything,
    read,
    say,
    spot,
    tic_tac_toe,
    with_effect,
    with_formula,
    with_node,
    x,
)

from rulelang.ir import effects as fx
from rulelang.ir import expressions as e
from rulelang.ir import laps
from rulelang.ir import nodes as n
from rulelang.ir import program as p
from rulelang.ir import types as t
from rulelang.ir.origin import Origin, Source
from rulelang.ir.verify import Finding, references, verify
from rulelang.ir.walk import excess, rebuild
from rulelang.limits import COLLECTION, DIAGNOSTICS, INTEGER_MAX, IR_DEPTH, LOCALS, NESTING, WINDOW_DEPTH
from rulelang.play.closing import close

ME, CARD_, HEAP_ = x(0, "me"), x(1, "card"), x(2, "heap")
INNER, KEPT = x(4, "search"), x(3, "kept")


def messages(program: p.Program) -> str:
    """Everything that is said against a program."""
    return "\n".join(f"{finding.path}: {finding.message}" for finding in verify(program))


def refuses(program: p.Program, said: str) -> None:
    assert said in messages(program)


def evolve(section: str, number: int, **fields: Any) -> p.Program:
    """The sample with one declaration changed."""
    program = everything()
    declared = list(getattr(program, section))
    declared[number] = attrs.evolve(declared[number], **fields)
    return attrs.evolve(program, **{section: tuple(declared)})


def test_the_samples_are_sound() -> None:
    assert verify(tic_tac_toe()) == verify(everything()) == ()
    assert verify(close(everything(), 3, {"ranks": 4})) == ()


def test_findings_say_where() -> None:
    program = with_formula(everything(), e.Not(C(5)))
    assert verify(program) == (Finding("/nodes/30/effect/value/value", "yes or no is needed, not a literal"),)


# ------------------------------------------------------------------ formulas: (bad, good, said)

IN_HAND = read(HAND, ME)
RANK_OF = e.Part(CARD_, CARD, 1)


def divided(
    bag: e.Expression, low: e.Expression = ONE, condition: e.Expression = YES, worth: e.Expression = ONE
) -> e.Partition:
    """Cards divided into groups of one or two."""
    return e.Partition(bag, CARD, low, TWO, x(5), condition, worth, False)


PARTS = e.Join(e.PartitionPart(divided(IN_HAND), "rest"), IN_HAND, "bag")

FORMULAS: list[tuple[str, e.Expression, e.Expression, str]] = [
    ("arithmetic", e.Add(IN_HAND, ONE), e.Add(RANK_OF, ONE), "one value is needed, not a bag"),
    ("negative", e.Negative(IN_HAND), e.Negative(ONE), "one value is needed"),
    ("comparison", e.Less(IN_HAND, ONE), e.Less(ONE, ONE), "one value is needed"),
    ("equal kinds", e.Equal(ME, CARD_), e.Equal(ME, ZERO), "a seat cannot be compared with a value of 'Card'"),
    ("equal shapes", e.Equal(IN_HAND, read(HEAPS, ONE)), e.Equal(IN_HAND, IN_HAND), "cannot be compared"),
    ("equal depth", e.Equal(IN_HAND, CARD_), e.Equal(IN_HAND, C(())), "cannot be compared"),
    ("texts", e.Equal(e.Cell(0, 0, ZERO), ZERO), e.Equal(e.Cell(0, 1, ZERO), ZERO), "a text cannot be compared"),
    ("not", e.Not(C(2)), e.Not(C(1)), "yes or no is needed"),
    ("and", e.Both((YES, ME)), e.Both((YES, e.Not(YES))), "yes or no is needed, not a seat"),
    ("or", e.Either((e.Add(ONE, ONE),)), e.Either(()), "yes or no is needed, not a number"),
    ("if", e.Conditional(ME, ONE, ONE), e.Conditional(YES, ONE, ONE), "yes or no is needed"),
    ("two ways", e.Conditional(YES, ME, IN_HAND), e.Conditional(YES, ME, ZERO), "a seat one way and a bag"),
    ("in", e.Contains(ME, IN_HAND), e.Contains(CARD_, IN_HAND), "a value of 'Card' is needed, not a seat"),
    ("in what", e.Contains(ME, ME), e.Contains(ME, C((0, 1))), "a collection is needed, not a seat"),
    ("copies", e.Occurrences(ME, IN_HAND), e.Occurrences(CARD_, IN_HAND), "a value of 'Card' is needed"),
    ("record", e.Part(ME, CARD, 1), e.Part(CARD_, CARD, 1), "a value of 'Card' is needed, not a seat"),
    ("part", e.Part(CARD_, CARD, 2), e.Part(CARD_, CARD, 0), "there is no part of 'Card' 2"),
    ("no record", e.Part(CARD_, SEAT, 0), e.Part(CARD_, CARD, 0), "this is no kind of record"),
    ("parts", e.MakeRecord(CARD, (ZERO,)), e.MakeRecord(CARD, (ZERO, ONE)), "needs 2 values, not 1"),
    ("part kinds", e.MakeRecord(CARD, (ME, ONE)), e.MakeRecord(CARD, (ZERO, ONE)), "a value of 'Suit' is needed"),
    ("span", e.Span(IN_HAND, ONE, TWO), e.Span(ONE, TWO, TWO), "one value is needed"),
    ("span capacity", e.Span(ONE, TWO, C(COLLECTION + 1)), e.Span(ONE, TWO, C(COLLECTION)), "no number from 0 to"),
    ("span bound", e.Span(ONE, TWO, RANK_OF), e.Span(ONE, TWO, e.SeatCount()), "'card' has no value here"),
    ("list", e.MakeList((IN_HAND,)), e.MakeList((CARD_, ZERO)), "one value is needed, not a bag"),
    ("join", e.Join(IN_HAND, e.AllOf(SEAT), "bag"), e.Join(IN_HAND, e.MakeList((CARD_,)), "bag"), "does not go with"),
    ("without", e.Without(ME, ME, "list"), e.Without(C((1,)), C(()), "list"), "a collection is needed"),
    ("size", e.Size(ME), e.Size(IN_HAND), "a collection is needed"),
    ("size of marker", e.Size(read(LAST_HEAP)), e.Size(read(SEEN)), "a collection is needed"),
    ("kinds", e.Distinct(ME), e.Distinct(IN_HAND), "a collection is needed"),
    ("item", e.Item(IN_HAND, C((1,)), ZERO), e.Item(IN_HAND, ONE, ZERO), "one value is needed"),
    ("item none", e.Item(IN_HAND, ONE, ME), e.Item(IN_HAND, ONE, CARD_), "a value of 'Card' is needed"),
    ("top", e.Last(ME, ZERO), e.Last(IN_HAND, ZERO), "a collection is needed"),
    ("from", e.From(e.AllOf(SEAT), CARD_), e.From(e.AllOf(SEAT), ME), "a seat is needed"),
    ("picks", e.Picks(ME, TWO), e.Picks(IN_HAND, TWO), "a collection is needed, not a seat"),
    ("how many", e.Picks(IN_HAND, IN_HAND), e.Picks(IN_HAND, ONE), "one value is needed, not a bag"),
    ("divided", divided(ME), divided(IN_HAND), "a collection of a value of 'Card' is needed"),
    ("groups", divided(IN_HAND, condition=C(2)), divided(IN_HAND), "yes or no is needed"),
    ("worth", divided(IN_HAND, worth=IN_HAND), divided(IN_HAND, worth=e.Size(x(5))), "one value is needed, not a bag"),
    ("sizes", divided(IN_HAND, low=IN_HAND), divided(IN_HAND, low=e.SeatCount()), "'hand' is not there yet"),
    ("part of what", e.PartitionPart(ME, "value"), e.PartitionPart(divided(IN_HAND), "value"), "a division is needed"),
    ("division in a list", e.MakeList((divided(IN_HAND),)), PARTS, "one value is needed, not a division"),
    ("division as a number", e.Add(divided(IN_HAND), ONE), PARTS, "one value is needed, not a division"),
    ("table row", e.Cell(0, 1, ME), e.Cell(0, 1, TWO), "a row of table 0 is needed, not a seat"),
    ("table", e.Cell(1, 0, ZERO), e.Cell(0, 1, ZERO), "there is no table 1"),
    ("column", e.Cell(0, 3, ZERO), e.Cell(0, 2, ZERO), "there is no column 3"),
    ("text kept", e.Cell(0, 0, ZERO), e.Cell(0, 2, ZERO), "a text can only be spoken"),
    ("lines", e.Lines(2, TWO), e.Lines(0, TWO), "there is no board 2"),
    ("line length", e.Lines(0, ZERO), e.Lines(0, ONE), "this is no number from 1"),
    ("line of what", e.Lines(0, IN_HAND), e.Lines(0, ONE), "one value is needed"),
    ("cell", e.Neighbours(0, ME, False), e.Neighbours(0, e.CellAt(0, ONE, ONE), False), "a cell of board 0"),
    ("rays", e.Rays(0, ME), e.Rays(0, e.CellAt(0, ONE, ONE)), "a cell of board 0"),
    (
        "linked from",
        e.Linked(0, ME, C((1,))),
        e.Linked(0, C((1,)), C((1,))),
        "a collection of a cell of board 0 is needed",
    ),
    (
        "linked in",
        e.Linked(0, C(()), IN_HAND),
        e.Linked(0, C(()), e.AllOf(t.CellType(0))),
        "a collection of a cell of board 0",
    ),
    ("edges of hexagons", e.EdgesOf(1, ZERO), e.EdgesOf(0, ZERO), "edges of board 1, which has no square cells"),
    ("kind of edges", e.AllOf(t.EdgeType(1)), e.AllOf(t.EdgeType(0)), "edges of board 1, which has no square cells"),
    ("no board for edges", e.EdgesOf(2, ZERO), e.EdgesOf(0, ZERO), "there is no board 2"),
    ("cell at", e.CellAt(0, IN_HAND, ONE), e.CellAt(0, ONE, ONE), "one value is needed"),
    ("row", e.RowOf(0, ME), e.ColumnOf(0, ZERO), "a cell of board 0 is needed"),
    ("edge", e.CellsBeside(0, ME), e.CellsBeside(0, ZERO), "an edge of board 0 is needed"),
    ("edges", e.EdgesOf(0, ME), e.EdgesOf(0, ZERO), "a cell of board 0 is needed"),
    ("function", e.Apply(9, ()), e.Apply(0, (ME,)), "there is no function 9"),
    ("arguments", e.Apply(0, ()), e.Apply(0, (ME,)), "function 'best' needs 1 values, not 0"),
    ("option", e.OptionValue(2), e.OptionValue(1), "there is no option 2"),
    ("slot", read(11), read(SCORE, ME), "there is no slot 11"),
    ("negative number", read(-1), read(SCORE, ME), "there is no slot -1"),
    ("indices", read(SCORE), read(SCORE, ME), "'score' needs 1 values, not 0"),
    ("index kind", read(HEAPS, IN_HAND), read(HEAPS, RANK_OF), "a number is needed, not a bag"),
    ("index seat", read(SCORE, CARD_), read(SCORE, ME), "a seat is needed"),
    ("member", e.Read(e.Member(HEAPS, ME)), e.Read(e.Member(HEAPS, HEAP_)), "a member of slot 3 is needed"),
    ("member slot", e.Read(e.Member(99, HEAP_)), e.Read(e.Member(HEAPS, HEAP_)), "there is no slot 99"),
    ("blind pile", e.Last(read(DECK), ZERO), e.Size(read(DECK)), "nothing may look into 'deck'"),
    ("local", x(6), KEPT if False else HEAP_, "there is no local 6 here"),
    ("far local", x(LOCALS), HEAP_, f"there is no local {LOCALS}"),
    ("local not set", x(5, "inner"), HEAP_, "'inner' has no value here"),
    ("long constant", C((0,) * (COLLECTION + 1)), C((0,) * COLLECTION), "more than 65536 elements"),
    ("mixed constant", C((0, (1,))), C(((0,), (1,))), "codes and collections of codes are mixed"),
    ("deep constant", C((((1,),),)), C(((1,),)), "more than two deep"),
    ("large constant", C(INTEGER_MAX + 1), C(INTEGER_MAX), "more than 64 bits"),
    ("none twice", e.AllOf(t.OptionalType(t.OptionalType(SEAT))), e.AllOf(t.OptionalType(SEAT)), "none is added twice"),
    ("empty range", e.AllOf(t.NumberType(TWO, ONE)), e.AllOf(t.NumberType(ONE, ONE)), "no numbers from 2 to 1"),
    ("bound", e.AllOf(t.NumberType(C((1,)), ONE)), e.AllOf(t.NumberType(ONE, ONE)), "this is no number from"),
    ("bound read", e.AllOf(t.NumberType(ZERO, read(SCORE, ZERO))), e.AllOf(SUIT), "'score' is not there yet"),
    ("bound kind", e.AllOf(t.NumberType(ZERO, e.AllOf(SEAT))), e.AllOf(SUIT), "one value is needed"),
    ("names", e.AllOf(t.NamesType("N", ())), e.AllOf(t.NamesType("N", ("a",))), "there is no name"),
    ("two names", e.AllOf(t.NamesType("N", ("a", "a"))), e.AllOf(t.NamesType("N", ("a", "b"))), "'a' is there 2 times"),
    ("board of cells", e.AllOf(t.CellType(2)), e.AllOf(t.CellType(1)), "there is no board 2"),
    ("table of rows", e.AllOf(t.RowType(1)), e.AllOf(t.RowType(0)), "there is no table 1"),
    ("slot of members", e.AllOf(t.MemberType(11)), e.AllOf(t.MemberType(3)), "there is no slot 11"),
]


@pytest.mark.parametrize(("bad", "good", "said"), [row[1:] for row in FORMULAS], ids=[row[0] for row in FORMULAS])
def test_formulas(bad: e.Expression, good: e.Expression, said: str) -> None:
    refuses(with_formula(everything(), bad), said)
    assert messages(with_formula(everything(), good)) == ""


def search(domain: e.Expression, condition: e.Expression, value: e.Expression, variable: e.Local = INNER) -> list[Any]:
    """Every search with these parts."""
    rank = (e.RankBy(True, value),)
    return [
        e.Exists(variable, domain, condition),
        e.Every(variable, domain, condition),
        e.Number(variable, domain, condition),
        e.Select(variable, domain, condition, rank),
        e.Choose(variable, domain, condition, rank, ZERO),
        e.Total(variable, domain, condition, value),
        e.Extreme(False, variable, domain, condition, value, ZERO),
        e.Collect(variable, domain, condition, value),
    ]


@pytest.mark.parametrize("number", range(8))
def test_searches(number: int) -> None:
    part = e.Part(INNER, CARD, 1)
    assert messages(with_formula(everything(), search(IN_HAND, e.Less(part, TWO), part)[number])) == ""
    refuses(with_formula(everything(), search(ME, YES, ONE)[number]), "a collection is needed, not a seat")
    refuses(with_formula(everything(), search(IN_HAND, part, ONE)[number]), "yes or no is needed, not a number")
    refuses(with_formula(everything(), search(IN_HAND, YES, ONE, HEAP_)[number]), "'heap' is local 2, which is in use")
    refuses(with_formula(everything(), search(IN_HAND, YES, ONE, x(6))[number]), "there is no local 6 here")
    if number > 2:
        refuses(with_formula(everything(), search(IN_HAND, YES, IN_HAND)[number]), "one value is needed, not a bag")


def test_what_stands_for_none_in_a_search_has_the_kind_of_an_element() -> None:
    for none, said in ((ME, "a value of 'Card' is needed, not a seat"), (CARD_, "")):
        formula = e.Choose(INNER, IN_HAND, YES, (), none)
        assert said in messages(with_formula(everything(), formula))


def test_a_search_variable_has_no_value_after_its_search() -> None:
    inside = e.Both((e.Exists(INNER, IN_HAND, YES), e.Exists(INNER, IN_HAND, e.Equal(INNER, CARD_))))
    assert messages(with_formula(everything(), inside)) == ""
    after = e.Both((e.Exists(INNER, IN_HAND, YES), e.Equal(INNER, CARD_)))
    refuses(with_formula(everything(), after), "'search' has no value here")
    twice = e.Exists(INNER, IN_HAND, e.Exists(INNER, IN_HAND, YES))
    refuses(with_formula(everything(), twice), "'search' is local 4, which is in use here")


# ------------------------------------------------------------------ effects: (bad, good, said)

TOP_OF_HEAP = spot(HEAPS, ONE)
EFFECTS: list[tuple[str, fx.Effect, fx.Effect, str]] = [
    ("marker", fx.SetMarker(spot(SHOWN), ONE), fx.SetMarker(spot(SCORE, ME), ONE), "'shown' is no marker"),
    ("value", fx.SetMarker(spot(LAST_HEAP), ME), fx.SetMarker(spot(LAST_HEAP), HEAP_), "a member of slot 3 is needed"),
    ("values", fx.SetMarker(spot(SEEN), ONE), fx.SetMarker(spot(SEEN), C((1,))), "a list of a cell of board 0"),
    (
        "top of a bag",
        fx.MoveTop(spot(HAND, ME), ONE, TOP_OF_HEAP, "top"),
        fx.MoveTop(TOP_OF_HEAP, ONE, spot(HAND, ME), "top"),
        "'hand' is no pile",
    ),
    (
        "count",
        fx.MoveTop(TOP_OF_HEAP, IN_HAND, spot(SHOWN), "top"),
        fx.MoveTop(TOP_OF_HEAP, RANK_OF, spot(SHOWN), "top"),
        "one value is needed",
    ),
    (
        "source",
        fx.MoveAll(spot(SEEN), TOP_OF_HEAP, "top"),
        fx.MoveAll(spot(HAND, ME), TOP_OF_HEAP, "top"),
        "'seen' is no zone",
    ),
    (
        "target",
        fx.MoveAll(TOP_OF_HEAP, spot(SEEN), "top"),
        fx.MoveAll(TOP_OF_HEAP, spot(SHOWN), "bottom"),
        "'seen' is no zone",
    ),
    (
        "other pieces",
        fx.MoveAll(spot(CUP), TOP_OF_HEAP, "top"),
        fx.MoveAll(spot(SHOWN), TOP_OF_HEAP, "top"),
        "what lies in 'cup' is of another kind than what lies in 'heap'",
    ),
    (
        "unseen cards",
        fx.MoveAll(spot(DECK), TOP_OF_HEAP, "top"),
        fx.MoveAll(TOP_OF_HEAP, spot(DECK), "top"),
        "unseen cards of 'deck' cannot lie in 'heap'",
    ),
    (
        "pieces looked for",
        fx.MovePieces(CARD_, spot(DECK), TOP_OF_HEAP, "top"),
        fx.MovePieces(CARD_, TOP_OF_HEAP, spot(DECK), "top"),
        "nothing may look for pieces in 'deck'",
    ),
    (
        "pieces",
        fx.MovePieces(ME, TOP_OF_HEAP, spot(SHOWN), "top"),
        fx.MovePieces(e.Item(IN_HAND, ONE, ZERO), TOP_OF_HEAP, spot(SHOWN), "top"),
        "a value of 'Card' is needed, not a seat",
    ),
    (
        "many pieces",
        fx.MovePieces(e.AllOf(SEAT), TOP_OF_HEAP, spot(SHOWN), "top"),
        fx.MovePieces(IN_HAND, TOP_OF_HEAP, spot(SHOWN), "top"),
        "a collection of a value of 'Card' is needed",
    ),
    (
        "position of a bag",
        fx.MoveAt(spot(HAND, ME), ONE, TOP_OF_HEAP, "top"),
        fx.MoveAt(TOP_OF_HEAP, ONE, spot(HAND, ME), "top"),
        "'hand' is no pile",
    ),
    (
        "position",
        fx.MoveAt(TOP_OF_HEAP, IN_HAND, spot(SHOWN), "top"),
        fx.MoveAt(TOP_OF_HEAP, e.Size(IN_HAND), spot(SHOWN), "top"),
        "one value is needed, not a bag",
    ),
    (
        "position unseen",
        fx.MoveAt(spot(DECK), ONE, TOP_OF_HEAP, "top"),
        fx.MoveTop(spot(DECK), ONE, TOP_OF_HEAP, "top"),
        "nothing may look for pieces in 'deck'",
    ),
    (
        "position of other things",
        fx.MoveAt(TOP_OF_HEAP, ONE, spot(CUP), "top"),
        fx.MoveAt(TOP_OF_HEAP, ONE, TOP_OF_HEAP, "top"),
        "of another kind",
    ),
    ("gather zones", fx.Gather((SCORE,), spot(DECK)), fx.Gather((HAND,), spot(DECK)), "'score' is no zone"),
    ("gather numbers", fx.Gather((11,), spot(DECK)), fx.Gather((), spot(DECK)), "there is no slot 11"),
    ("gather kinds", fx.Gather((CUP,), spot(DECK)), fx.Gather((HEAPS,), spot(DECK)), "'cup' is of another kind"),
    ("gather unseen", fx.Gather((DECK,), TOP_OF_HEAP), fx.Gather((HAND,), TOP_OF_HEAP), "unseen cards of 'deck'"),
    ("gather into", fx.Gather((HAND,), spot(SHOWN)), fx.Gather((SHOWN,), spot(HAND, ME)), "holds only one piece"),
    ("gather onto", fx.Gather((HAND,), spot(SEEN)), fx.Gather((HAND,), spot(DECK)), "'seen' is no zone"),
    ("shuffle", fx.Shuffle(TOP_OF_HEAP), fx.Shuffle(spot(DECK)), "no unseen cards can lie in 'heap'"),
    ("shuffle a bag", fx.Shuffle(spot(HAND, ME)), fx.Shuffle(spot(DECK)), "'hand' is no pile"),
    ("settle", fx.Settle(TOP_OF_HEAP, CARD_), fx.Settle(spot(DECK), CARD_), "no unseen cards can lie in 'heap'"),
    ("settle card", fx.Settle(spot(DECK), ME), fx.Settle(spot(DECK), ZERO), "a value of 'Card' is needed"),
    ("settle what", fx.Settle(spot(SEEN), ME), fx.Settle(spot(DECK), ZERO), "'seen' is no zone"),
    ("dice", fx.PickUp(spot(CUP), CARD), fx.PickUp(spot(CUP), DIE), "this is not what lies in 'cup'"),
    ("no dice", fx.PickUp(spot(CUP), SUIT), fx.PickUp(spot(CUP), DIE), "this is no kind of record"),
    ("cards", fx.PickUp(spot(SHOWN), CARD), fx.PickUp(spot(CUP), DIE), "records of a piece and a face or none"),
    ("dice where", fx.PickUp(spot(SEEN), DIE), fx.PickUp(spot(CUP), DIE), "'seen' is no zone"),
    ("face", fx.Land(spot(CUP), IN_HAND, DIE), fx.Land(spot(CUP), ONE, DIE), "a number is needed, not a bag"),
    ("set local", fx.SetLocal(x(3), ONE), fx.SetLocal(x(1), CARD_), "'discard' has no local 3"),
]


@pytest.mark.parametrize(("bad", "good", "said"), [row[1:] for row in EFFECTS], ids=[row[0] for row in EFFECTS])
def test_effects(bad: fx.Effect, good: fx.Effect, said: str) -> None:
    refuses(with_effect(everything(), bad), said)
    assert messages(with_effect(everything(), good)) == ""


# ------------------------------------------------------------------ nodes: (number, bad, good, said)

TOP = n.TopOf(spot(DECK), ZERO)
NODES: list[tuple[str, int, n.Node, n.Node, str]] = [
    ("next", 31, n.Do(fx.Shuffle(spot(DECK)), 99, at(1)), n.Return(at(1)), "there is no node 99"),
    ("branch", 9, n.Branch(x(1), 10, 11, at(1)), n.Branch(x(4), 10, 11, at(1)), "yes or no is needed, not a seat"),
    ("call", 7, n.Call(9, (), 8, at(1)), n.Call(1, (ZERO,), 8, at(1)), "there is no procedure 9"),
    ("arguments", 7, n.Call(1, (), 8, at(1)), n.Call(1, (ZERO,), 8, at(1)), "rule 'roll' needs 1 values, not 0"),
    ("leave", 32, n.Leave(9, at(1)), n.Leave(3, at(1)), "there is no procedure 9"),
    ("leave another", 32, n.Leave(2, at(1)), n.Leave(0, at(1)), "'discard' need not be open when 'stop' leaves it"),
    (
        "loop locals",
        3,
        n.Loop(x(0), x(2), x(2), 4, 7, ONE, at(1)),
        n.Loop(x(0), x(2), x(1), 4, 7, ONE, at(1)),
        "three different locals",
    ),
    (
        "loop items",
        3,
        n.Loop(x(2), x(4), x(1), 4, 7, ONE, at(1)),
        n.Loop(x(0), x(2), x(1), 4, 7, ONE, at(1)),
        "'x' has no value here",
    ),
    (
        "loop capacity",
        3,
        n.Loop(x(0), x(2), x(1), 4, 7, C(-1), at(1)),
        n.Loop(x(0), x(2), x(1), 4, 7, ZERO, at(1)),
        "this is no number from 0",
    ),
    (
        "lap",
        2,
        n.Do(fx.SetLocal(x(2), ONE), 3, at(1)),
        n.Do(fx.SetLocal(x(2), ZERO), 3, at(1)),
        "counts laps, so it begins",
    ),
    (
        "moves",
        8,
        n.Decide(n.OneSeat(ZERO, True), (3,), x(4), None, 9, at(1)),
        n.Decide(n.OneSeat(ZERO, True), (1,), x(4), None, 9, at(1)),
        "there is no move 3",
    ),
    (
        "no moves",
        8,
        n.Decide(n.OneSeat(ZERO, True), (), x(4), None, 9, at(1)),
        n.Decide(n.OneSeat(ZERO, False), (0,), x(4), None, 9, at(1)),
        "the moves are none",
    ),
    (
        "seat",
        8,
        n.Decide(n.OneSeat(x(0), True), (0,), x(4), None, 9, at(1)),
        n.Decide(n.OneSeat(e.Item(x(0), ONE, ZERO), True), (0,), x(4), None, 9, at(1)),
        "a seat is needed, not a list of a seat",
    ),
    (
        "seats",
        8,
        n.Decide(n.SealedSeats(ZERO, True), (0,), x(4), None, 9, at(1)),
        n.Decide(n.SealedSeats(x(0), True), (0,), x(4), None, 9, at(1)),
        "a collection of a seat is needed",
    ),
    (
        "answered",
        8,
        n.Decide(n.OneSeat(ZERO, True), (0,), None, None, 9, at(1)),
        n.Decide(n.OneSeat(ZERO, True), (0,), x(4), None, 9, at(1)),
        "'answered' has no value here",
    ),
    (
        "words",
        8,
        n.Decide(n.OneSeat(ZERO, True), (0,), x(4), say(e.Spoken(ZERO, CARD), e.Spoken(x(0), SEAT)), 9, at(1)),
        n.Decide(n.OneSeat(ZERO, True), (0,), x(4), say(e.Spoken(e.Cell(0, 0, ZERO), t.TextType())), 9, at(1)),
        "a seat is needed, not a list",
    ),
    (
        "any of",
        18,
        n.Chance(n.AnyOf(ZERO, ZERO), x(4), 19, at(1)),
        n.Chance(n.AnyOf(C((1, 2)), ZERO), x(4), 19, at(1)),
        "a collection is needed",
    ),
    (
        "one of many",
        18,
        n.Chance(n.AnyOf(C(((1, 2),)), C((1,))), x(4), 20, at(1)),
        n.Chance(n.AnyOf(C((1, 2)), ZERO), x(4), 20, at(1)),
        "chance gives one value",
    ),
    (
        "top of",
        4,
        n.Chance(n.TopOf(spot(HAND, ZERO), ZERO), x(3), 5, at(1)),
        n.Chance(TOP, x(3), 5, at(1)),
        "'hand' is no pile",
    ),
    (
        "window without a pass",
        8,
        n.Decide(n.SealedSeats(e.AllOf(SEAT), False, first_only=True), (0,), None, None, 10, at(1)),
        n.Decide(n.SealedSeats(e.AllOf(SEAT), True, first_only=True), (0,), None, None, 10, at(1)),
        "whoever is asked in a window may pass",
    ),
    (
        "many asked alone",
        8,
        n.Decide(n.OneSeat(e.AllOf(SEAT), True, True), (0,), None, None, 10, at(1)),
        n.Decide(n.OneSeat(e.SeatCount(), True, True), (0,), None, None, 10, at(1), "too_late"),
        "a seat is needed",
    ),
    ("result", 4, n.Chance(TOP, x(6), 5, at(1)), n.Chance(TOP, x(3), 5, at(1)), "'overview' has no local 6"),
    ("winners", 13, n.End(n.Winners(ZERO), at(1)), n.End(n.Winners(C(())), at(1)), "a collection of a seat is needed"),
    ("unresolved", 13, n.End(n.Unresolved(C(0)), at(1)), n.End(n.Unresolved(x(0)), at(1)), "a collection of a seat"),
    (
        "amounts",
        13,
        n.End(n.Amounts(x(0), x(0), ONE), at(1)),
        n.End(n.Amounts(x(5), x(0), x(5)), at(1)),
        "'x' is local 0, which is in use here",
    ),
    (
        "amount",
        13,
        n.End(n.Amounts(x(5), x(0), x(0)), at(1)),
        n.End(n.Amounts(x(5), x(0), ONE), at(1)),
        "a number is needed, not a list",
    ),
    ("grade", 13, n.End(n.Grade(x(0)), at(1)), n.End(n.Grade(ONE), at(1)), "one value is needed"),
    ("shared", 31, n.Branch(YES, 28, 28, at(1)), n.Return(at(1)), "this belongs to 'roll' and to 'discard'"),
]


@pytest.mark.parametrize(("number", "bad", "good", "said"), [r[1:] for r in NODES], ids=[r[0] for r in NODES])
def test_nodes(number: int, bad: n.Node, good: n.Node, said: str) -> None:
    refuses(with_node(everything(), number, bad), said)
    assert messages(with_node(everything(), number, good)) == ""


# ------------------------------------------------------------------ declarations: (section, number, bad, good, said)

NONE = Source(Origin("x", 0, 1))
AUDIENCE = p.These(e.AllOf(SEAT), x(0))
DECLARED: list[tuple[str, str, int, dict[str, Any], dict[str, Any], str]] = [
    ("origin", "boards", 0, {"at": NONE}, {"at": at(1)}, "lines and columns count from 1"),
    ("rows", "boards", 0, {"rows": ZERO}, {"rows": C(4)}, "this is no number from 1"),
    ("columns", "boards", 0, {"columns": e.AllOf(SEAT)}, {"columns": e.SeatCount()}, "one value is needed"),
    ("option kind", "options", 1, {"type": SEAT}, {"type": SUIT}, "an option is a number, one of some names"),
    ("option default", "options", 1, {"default": 2}, {"default": 1}, "this is no value of the option"),
    ("option needs", "options", 1, {"needs": C(2)}, {"needs": YES}, "yes or no is needed"),
    ("option reads", "options", 1, {"needs": e.Less(ONE, read(SCORE, ZERO))}, {"needs": YES}, "is not there yet"),
    (
        "option applies",
        "options",
        1,
        {"needs": e.Apply(2, (ZERO,))},
        {"needs": e.Less(e.Apply(5, (ZERO,)), ONE)},
        "'first' reads what is not there yet",
    ),
    ("demand", "demands", 0, {"condition": ONE and C(3)}, {"condition": YES}, "yes or no is needed"),
    ("table rows", "tables", 0, {"rows": ("a", "b")}, {}, "column 'name' needs 2 values, not 3"),
    ("row names", "tables", 0, {"rows": ("a", "b", "b")}, {"rows": ("a", "b", "c")}, "the row 'b' is there 2 times"),
    (
        "start values",
        "slots",
        SHOWN,
        {"starts": (p.Start(x(0), e.AllOf(SEAT), ONE),)},
        {"starts": (p.Start(x(0), e.AllOf(CARD), e.Part(x(0), CARD, 1)),)},
        "a collection of a value of 'Card' is needed",
    ),
    (
        "start times",
        "slots",
        SHOWN,
        {"starts": (p.Start(x(0), e.AllOf(CARD), x(1)),)},
        {"starts": (p.Start(x(0), e.AllOf(CARD), ONE),)},
        "'x' has no value here",
    ),
    ("initial", "slots", SCORE, {"initial": e.AllOf(SEAT)}, {"initial": e.SeatCount()}, "a number is needed"),
    ("marker text", "slots", SCORE, {"type": t.TextType()}, {"type": FLAG}, "a marker cannot say a text"),
    (
        "blind bag",
        "slots",
        HAND,
        {"blind": True, "sight": p.Sight(p.Nobody(), p.Nobody(), p.Everyone())},
        {},
        "only in a pile",
    ),
    ("blind and seen", "slots", DECK, {"sight": ALL}, {}, "so nobody sees it"),
    ("owner", "slots", SHOWN, {"sight": p.Sight(p.Owner(), p.Nobody(), p.Nobody())}, {"sight": ALL}, "has no owner"),
    (
        "audience",
        "slots",
        SHOWN,
        {"sight": p.Sight(p.These(C(0), x(0)), p.Nobody(), p.Nobody())},
        {"sight": p.Sight(AUDIENCE, p.Nobody(), p.Nobody())},
        "a collection of a seat is needed",
    ),
    (
        "audience of an owner",
        "slots",
        SHOWN,
        {"sight": p.Sight(p.These(e.MakeList((x(0),)), x(0)), p.Nobody(), p.Nobody())},
        {"sight": p.Sight(AUDIENCE, AUDIENCE, AUDIENCE)},
        "'x' has no value here",
    ),
    ("family of itself", "slots", ANIMALS, {"index": (t.MemberType(ANIMALS),)}, {}, "is indexed by its own members"),
    ("capacity", "slots", SEEN, {"type": t.CollectionType("list", GRID, C(-1))}, {}, "this is no number from 0"),
    ("function locals", "functions", 4, {"locals": 0}, {"locals": 5}, "of 0 locals 1 cannot be parameters"),
    ("function local", "functions", 0, {"locals": 1}, {}, "there is no local 1 here"),
    (
        "recursion",
        "functions",
        4,
        {"body": e.Apply(4, (ZERO,))},
        {},
        "functions lead back to themselves: 'near' to 'near'",
    ),
    (
        "procedure locals",
        "procedures",
        3,
        {"locals": ()},
        {"locals": ("me", "x")},
        "of 0 locals 1 cannot be parameters",
    ),
    ("entry", "procedures", 3, {"entry": 36}, {}, "there is no node 36"),
    ("overview", "procedures", 0, {"parameters": 1}, {}, "the overview has no parameters"),
    ("move locals", "moves", 0, {"locals": 2}, {"locals": 4}, "2 locals are not enough or too many"),
    ("move effects", "moves", 0, {"procedure": 3}, {}, "the effects take 1 values, but mover and answers are 3"),
    ("move procedure", "moves", 1, {"procedure": 5}, {}, "there is no procedure 5"),
    ("invariant", "invariants", 0, {"condition": C(2)}, {"condition": YES}, "yes or no is needed"),
    ("invariant locals", "invariants", 0, {"locals": 0}, {}, "there is no local 0 here"),
    ("empty name", "boards", 0, {"name": " "}, {"name": "B"}, "a name is empty"),
    ("long name", "boards", 0, {"name": "x" * 129}, {"name": "x" * 128}, "more than 128 letters"),
    ("hidden signs", "boards", 0, {"name": "a\u202eb"}, {"name": "Bäume"}, "signs that cannot be shown"),
    ("control signs", "demands", 0, {"words": say("a\x1b[2J")}, {"words": say("a\nb\u00a0c")}, "cannot be shown"),
]


@pytest.mark.parametrize(
    ("section", "number", "bad", "good", "said"), [r[1:] for r in DECLARED], ids=[r[0] for r in DECLARED]
)
def test_declarations(section: str, number: int, bad: dict[str, Any], good: dict[str, Any], said: str) -> None:
    refuses(evolve(section, number, **bad), said)
    assert messages(evolve(section, number, **good)) == ""


COLUMNS: list[tuple[t.Type, Any, Any]] = [
    (t.TextType(), 3, "three"),
    (t.NumberType(ONE, C(3)), "one", 1),
    (t.NumberType(ONE, C(3)), 4, 3),
    (t.NumberType(ONE, e.SeatCount()), True, 99),
    (t.CollectionType("list", FLAG, C(3)), 1, (1, 0)),
    (t.CollectionType("list", FLAG, C(3)), (2,), ()),
]


@pytest.mark.parametrize(("kind", "bad", "good"), COLUMNS)
def test_columns_hold_values_of_their_kind(kind: t.Type, bad: Any, good: Any) -> None:
    def table(value: Any) -> p.Program:
        column = p.Column("c", kind, (value,))
        return attrs.evolve(everything(), tables=(*everything().tables, p.Table("T", ("row",), (column,), at(1))))

    refuses(table(bad), "is no value of column 'c'")
    assert messages(table(good)) == ""


def test_tables_may_be_empty() -> None:
    empty = p.Table("Empty", (), (p.Column("c", FLAG, ()),), at(1)), p.Table("Bare", ("row",), (), at(1))
    assert messages(attrs.evolve(everything(), tables=(*everything().tables, *empty))) == ""


def changed_move(**fields: Any) -> p.Program:
    """The sample with a changed first parameter or requirement of its first move."""
    move = everything().moves[0]
    if "requirement" in fields:
        return evolve("moves", 0, requirements=(attrs.evolve(move.requirements[0], **fields["requirement"]),))
    return evolve("moves", 0, parameters=(attrs.evolve(move.parameters[0], **fields), move.parameters[1]))


MOVES: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("domain", {"domain": e.AllOf(SEAT)}, {"domain": IN_HAND}, "a collection of a value of 'Card' is needed"),
    (
        "later answer",
        {"domain": e.Read(e.Member(HEAPS, HEAP_))},
        {"domain": read(HEAPS, ONE)},
        "'heap' has no value here",
    ),
    ("own answer", {"domain": e.MakeList((CARD_,))}, {"domain": e.MakeList((ZERO,))}, "'card' has no value here"),
    ("named slot", {"named": (11,)}, {"named": ()}, "there is no slot 11"),
    ("named places", {"named_places": (ZERO,)}, {"named_places": (read(DECK),)}, "a place is needed"),
    ("prefix", {"requirement": {"prefix": 3}}, {"requirement": {"prefix": 2}}, "the move has no 3 parameters"),
    ("reads ahead", {"requirement": {"prefix": 1}}, {"requirement": {"prefix": 2}}, "'heap' has no value here"),
    ("condition", {"requirement": {"condition": ME}}, {"requirement": {"condition": YES}}, "yes or no is needed"),
    (
        "words",
        {"requirement": {"words": say(e.Spoken(x(7), CARD))}},
        {"requirement": {"words": say(e.Spoken(x(2, "witness"), HEAP))}},
        "there is no local 7 here",
    ),
]


def test_only_moves_ask_for_picks() -> None:
    pick = t.PickType(SUIT, TWO)
    refuses(evolve("slots", SCORE, type=pick), "only a move may ask for a pick")
    refuses(evolve("slots", DECK, content=pick), "a pick, which only a move may ask for")
    refuses(changed_move(type=t.OptionalType(t.PickType(CARD, TWO))), "only a move may ask for a pick")


@pytest.mark.parametrize(("bad", "good", "said"), [row[1:] for row in MOVES], ids=[row[0] for row in MOVES])
def test_moves(bad: dict[str, Any], good: dict[str, Any], said: str) -> None:
    refuses(changed_move(**bad), said)
    assert messages(changed_move(**good)) == ""


def test_words_may_speak_of_a_witness() -> None:
    move = everything().moves[0]
    search_ = e.Exists(x(3, "w"), IN_HAND, YES)
    requirement = attrs.evolve(move.requirements[0], condition=search_, words=say(e.Spoken(x(3, "w"), CARD)))
    assert messages(evolve("moves", 0, locals=4, requirements=(requirement,))) == ""
    refuses(
        evolve("moves", 0, locals=4, requirements=(attrs.evolve(requirement, condition=x(3, "w")),)), "has no value"
    )


# ------------------------------------------------------------------ whole programs


def test_names_of_a_section_differ() -> None:
    program = everything()
    refuses(
        attrs.evolve(program, moves=(program.moves[0], attrs.evolve(program.moves[1], name="discard"))), "'discard'"
    )


@pytest.mark.parametrize(("fewest", "most"), [(0, 2), (3, 2), (1, 17)])
def test_players_are_one_to_sixteen(fewest: int, most: int) -> None:
    refuses(attrs.evolve(everything(), fewest_seats=fewest, most_seats=most), "not for 1 to 16")
    assert messages(attrs.evolve(everything(), fewest_seats=1, most_seats=16)) == ""


def test_there_is_an_overview() -> None:
    empty = attrs.evolve(tic_tac_toe(), procedures=(), moves=(), nodes=())
    refuses(empty, "there is no overview")


def closed(**fields: Any) -> p.Program:
    return attrs.evolve(close(everything(), 3, {}), **fields)


def asking(formula: e.Expression) -> tuple[p.Invariant, ...]:
    """An invariant with a formula in it."""
    return (p.Invariant("asks", e.Equal(formula, formula), 0, at(1)),)


def test_configurations_choose_what_there_is() -> None:
    assert messages(closed()) == ""
    refuses(closed(configuration=p.Configuration(5, (3, 0))), "the game is not for 5 players")
    refuses(closed(configuration=p.Configuration(3, (3,))), "the configuration needs 2 values, not 1")
    refuses(closed(configuration=p.Configuration(3, (5, 0))), "this is no value of 'ranks'")


@pytest.mark.parametrize("formula", [e.SeatCount(), e.OptionValue(0), e.NoneOf(SEAT)])
def test_nothing_is_open_in_a_closed_program(formula: e.Expression) -> None:
    assert messages(attrs.evolve(everything(), invariants=asking(formula))) == ""
    refuses(closed(invariants=asking(formula)), "has no place in a closed program")


def test_bounds_are_decided_in_a_closed_program() -> None:
    refuses(
        closed(invariants=asking(e.Span(ONE, TWO, e.Add(ONE, ONE)))), "this is not decided, but the program is closed"
    )


def test_closed_kinds_are_not_too_large() -> None:
    huge, wide = t.NumberType(ZERO, C(INTEGER_MAX)), t.NumberType(ONE, C(COLLECTION))
    marker = everything().slots[SCORE]
    for kind, said in (
        (wide, ""),
        (huge, "a list of all values has more"),
        (t.NumberType(C(-1), C(INTEGER_MAX)), "too many values"),
    ):
        assert said in messages(closed(invariants=asking(e.AllOf(kind))))
    slots = (*closed().slots, attrs.evolve(marker, name="wide", index=(wide,), type=FLAG, initial=ZERO))
    assert messages(closed(slots=slots)) == ""
    slots = (*closed().slots, attrs.evolve(marker, name="wide", index=(wide, SEAT), type=FLAG, initial=ZERO))
    refuses(closed(slots=slots), "'wide' has more than 65536 members")


# ------------------------------------------------------------------ ways through procedures


def flow(*nodes: n.Node, locals: int = 4, more: tuple[p.Procedure, ...] = ()) -> p.Program:
    """Tic-tac-toe with these nodes for an overview; node 90 and 91 are the effects of its move."""
    names = tuple(f"v{number}" for number in range(locals))
    padded = (*nodes, *(n.Return(at(1)) for _ in range(90 - len(nodes))), n.Return(at(1)), n.Return(at(1)))
    place = attrs.evolve(tic_tac_toe().procedures[1], entry=90)
    procedures = (p.Procedure("overview", 0, names, 0, at(1)), place, *more)
    return attrs.evolve(tic_tac_toe(), procedures=procedures, nodes=padded)


def do(number: int, value: e.Expression, following: int) -> n.Do:
    return n.Do(fx.SetLocal(x(number), value), following, at(1))


ASK = n.Decide(n.OneSeat(ZERO, False), (0,), None, None, 0, at(1))
SEATS = e.AllOf(SEAT)
ENDLESS = "the game can go round for ever without a wait"


def loop(body: int, done: int, local: int = 0) -> n.Loop:
    return n.Loop(x(local), x(local + 1), x(local + 2), body, done, TWO, at(1))


def test_a_window_answers_with_a_seat() -> None:
    def program(first_only: bool) -> p.Program:
        asked = n.SealedSeats(SEATS, True, first_only)
        ask = n.Decide(asked, (0,), x(0), None, 1, at(1))
        return flow(ask, n.Branch(x(0), 2, 2, at(1)), n.Return(at(1)))

    assert messages(program(False)) == ""
    refuses(program(True), "yes or no is needed, not a seat")


def test_rings_wait() -> None:
    refuses(flow(n.Branch(YES, 0, 1, at(1)), n.Return(at(1))), ENDLESS)
    refuses(flow(do(0, ZERO, 1), do(0, ONE, 0)), ENDLESS)
    assert messages(flow(n.Branch(YES, 1, 1, at(1)), ASK)) == ""


def test_loops_end_unless_something_sets_them_again() -> None:
    start = (do(0, SEATS, 1), do(1, ZERO, 2))
    assert messages(flow(*start, loop(3, 4), do(3, ZERO, 2), n.Return(at(1)))) == ""
    refuses(flow(*start, loop(3, 4), do(1, ZERO, 2), n.Return(at(1))), ENDLESS)
    refuses(flow(*start, loop(3, 4), do(0, SEATS, 2), n.Return(at(1))), ENDLESS)
    refuses(flow(*start, loop(2, 2)), ENDLESS)
    refuses(flow(*start, loop(3, 2), n.Return(at(1))), ENDLESS)


def test_nested_loops_are_set_again_by_the_outer_one() -> None:
    outer = (
        do(0, SEATS, 1),
        do(1, ZERO, 2),
        loop(3, 7),
        do(3, SEATS, 4),
        do(4, ZERO, 5),
        loop(6, 2, 3),
        do(6, ZERO, 5),
    )
    assert messages(flow(*outer, n.Return(at(1)), locals=7)) == ""
    refuses(flow(*outer[:6], do(6, ZERO, 4), n.Return(at(1)), locals=7), ENDLESS)


def test_turns_go_round_if_their_body_waits() -> None:
    ask = attrs.evolve(ASK, next=2)
    start = (do(0, SEATS, 1), do(1, ZERO, 2))
    assert messages(flow(*start, loop(3, 4), ask, do(1, ZERO, 2))) == ""
    refuses(flow(*start, loop(3, 4), do(3, ZERO, 2), do(1, ZERO, 2)), ENDLESS)
    refuses(flow(*start, loop(3, 4), ask, n.Branch(YES, 5, 2, at(1)), do(1, ZERO, 2)), ENDLESS)


def test_a_rule_that_waits_is_a_wait() -> None:
    def calling(inner: n.Node) -> p.Program:
        more = (p.Procedure("inner", 0, (), 1, at(1)),)
        return flow(n.Call(2, (), 0, at(1)), inner, n.Return(at(1)), more=more)

    assert messages(calling(attrs.evolve(ASK, next=2))) == ""
    refuses(calling(n.Branch(YES, 2, 2, at(1))), ENDLESS)
    refuses(calling(n.Leave(2, at(1))), ENDLESS)
    assert messages(calling(n.Leave(0, at(1)))) == ""


def test_an_inner_rule_can_leave_the_outer_one_round_and_round() -> None:
    def program(leave: int) -> p.Program:
        more = (p.Procedure("outer", 0, (), 1, at(1)), p.Procedure("inner", 0, (), 2, at(1)))
        inner_call = n.Call(3, (), 3, at(1))
        return flow(n.Call(2, (), 0, at(1)), inner_call, n.Leave(leave, at(1)), attrs.evolve(ASK, next=4), more=more)

    refuses(program(2), ENDLESS)
    assert messages(program(3)) == ""


def test_locals_are_set_on_every_way() -> None:
    use = n.Do(fx.SetLocal(x(1), x(0, "v0")), 3, at(1))
    assert messages(flow(n.Branch(YES, 1, 4, at(1)), do(0, ZERO, 2), use, n.Return(at(1)), do(0, ONE, 2))) == ""
    refuses(flow(n.Branch(YES, 1, 2, at(1)), do(0, ZERO, 2), use, n.Return(at(1))), "'v0' has no value here")


def test_locals_hold_one_value_or_many() -> None:
    assert messages(flow(do(0, SEATS, 1), do(0, C(()), 2), n.Return(at(1)))) == ""
    refuses(flow(do(0, SEATS, 1), do(0, ZERO, 2), n.Return(at(1))), "sometimes one value, sometimes many")


def test_ways_that_are_too_tangled_are_refused() -> None:
    nodes: list[n.Node] = []
    count = NESTING + 20
    for number in range(count):
        nodes += [n.Branch(YES, 2 * number + 2, 2 * number + 1, at(1)), attrs.evolve(ASK, next=max(0, 2 * number - 2))]
    nodes += [n.Return(at(1))]
    enter = len(nodes)
    nodes += [n.Branch(YES, enter + 1, 2 * count - 2, at(1)), do(0, ZERO, 0)]
    program = attrs.evolve(
        tic_tac_toe(),
        procedures=(p.Procedure("overview", 0, ("a",), enter, at(1)), attrs.evolve(PLACE, entry=len(nodes))),
        nodes=(*nodes, n.Return(at(1))),
    )
    refuses(program, "the ways through 'overview' are too tangled")


PLACE = tic_tac_toe().procedures[1]


def test_laps_that_take_too_long_to_look_through_count_as_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    start = (do(0, SEATS, 1), do(1, ZERO, 2))
    lap = flow(*start, loop(3, 4), do(3, ZERO, 2), n.Return(at(1)))
    turns = flow(*start, loop(3, 4), attrs.evolve(ASK, next=2), do(1, ZERO, 2))
    for work, said in ((5, ""), (1, ENDLESS)):
        monkeypatch.setattr(laps, "WORK", work)
        assert said in messages(lap) and said in messages(turns)
    monkeypatch.setattr(laps, "WORK", 2)
    refuses(turns, ENDLESS)


def test_kinds_that_never_come_to_rest_are_taken_for_unknown() -> None:
    """Each round finds the kind of one local more; nodes stand in the wrong order for it."""

    def program(count: int) -> p.Program:
        nodes: list[n.Node] = [n.Branch(x(0), count + 1, count + 1, at(1))]
        nodes += [do(number, x(number + 1), number) for number in range(count)]
        nodes += [n.Return(at(1)), do(count, SEATS, count)]
        return attrs.evolve(
            flow(*nodes, locals=count + 1),
            procedures=tuple(
                attrs.evolve(procedure, entry=count + 2) if procedure.name == "overview" else procedure
                for procedure in flow(locals=count + 1).procedures
            ),
        )

    refuses(program(3), "yes or no is needed, not a list of a seat")
    assert messages(program(20)) == ""


@pytest.mark.parametrize(
    ("bad", "good"),
    [
        (e.AllOf(GRID), SEATS),
        (e.AllOf(GRID), e.AllOf(SUIT)),
        (e.From(e.AllOf(GRID), ZERO), e.From(e.AllOf(SUIT), ZERO)),
        (e.Span(TWO, ONE, TWO), e.Span(ONE, TWO, TWO)),
        (C(()), C((0,))),
        (e.MakeList(()), e.MakeList((ZERO,))),
        (e.Join(C(()), C(()), "list"), e.Join(C(()), C((1,)), "list")),
    ],
)
def test_loops_over_what_is_set_again_wait_if_it_is_never_empty(bad: e.Expression, good: e.Expression) -> None:
    def program(items: e.Expression) -> p.Program:
        return flow(do(0, items, 1), do(1, ZERO, 2), loop(3, 0), attrs.evolve(ASK, next=2))

    refuses(program(bad), ENDLESS)
    assert messages(program(good)) == ""


def test_a_leave_names_what_is_always_open() -> None:
    def program(second: int) -> p.Program:
        more = (
            p.Procedure("left", 0, (), 2, at(1)),
            p.Procedure("inner", 0, (), 4, at(1)),
        )
        nodes = (n.Call(2, (), 1, at(1)), n.Call(second, (), 5, at(1)), n.Call(3, (), 3, at(1)), n.Return(at(1)))
        return flow(*nodes, n.Leave(2, at(1)), n.Return(at(1)), more=more)

    assert messages(program(2)) == ""
    refuses(program(3), "'left' need not be open when 'inner' leaves it")


def test_rules_do_not_lead_back_to_themselves() -> None:
    more = (p.Procedure("a", 0, (), 1, at(1)), p.Procedure("b", 0, (), 2, at(1)))
    nodes = (n.Call(2, (), 4, at(1)), n.Call(3, (), 5, at(1)))
    assert messages(flow(*nodes, attrs.evolve(ASK, next=3), more=more)) == ""
    refuses(flow(*nodes, n.Call(2, (), 3, at(1)), more=more), "rules lead back to themselves: 'a' to 'b' to 'a'")


def test_moves_count_among_rules_that_lead_back() -> None:
    program = flow(ASK)
    back = with_node(program, 90, attrs.evolve(ASK, next=91))
    refuses(back, "rules lead back to themselves: 'place' to 'place'")


def chain(length: int) -> p.Program:
    """Rules that call one another in a row."""
    procedures = [p.Procedure(f"r{i}", 0, (), i, at(1)) for i in range(length)]
    nodes: list[n.Node] = [n.Call(i + 1, (), length + i, at(1)) for i in range(length - 1)]
    nodes += [n.Return(at(1)) for _ in range(length)]
    return attrs.evolve(tic_tac_toe(), procedures=tuple(procedures), moves=(), nodes=tuple(nodes))


def test_at_most_so_many_frames_are_open() -> None:
    assert messages(chain(WINDOW_DEPTH)) == ""
    refuses(chain(WINDOW_DEPTH + 1), f"more than {WINDOW_DEPTH} rules can be open at once")
    refuses(chain(5_000), "rules can be open at once")


# ------------------------------------------------------------------ hostile programs


def nested(levels: int, of: Callable[[Any], Any] = e.Not) -> Any:
    formula: Any = YES
    for _ in range(levels):
        formula = of(formula)
    return formula


def functions(count: int, depth: int) -> p.Program:
    """Functions that apply one another in a row, each so deep."""
    found = []
    for number in range(count):
        body: Any = e.Apply(number + 1, ()) if number + 1 < count else YES
        for _ in range(depth):
            body = e.Not(body)
        found.append(p.Function(f"f{number}", 0, 0, body, at(1)))
    invariant = p.Invariant("all", e.Apply(0, ()), 0, at(1))
    return attrs.evolve(tic_tac_toe(), functions=tuple(found), invariants=(invariant,), nodes=FLAT_NODES)


FLAT_NODES = with_node(tic_tac_toe(), 2, n.Branch(YES, 3, 4, at(1))).nodes


def test_deep_formulas_are_findings_not_errors() -> None:
    for levels, said in ((150, ""), (300, "nested more than 200 deep"), (100_000, "nested more than 200 deep")):
        assert said in messages(attrs.evolve(tic_tac_toe(), invariants=(p.Invariant("i", nested(levels), 0, at(1)),)))


WAYS_DOWN: list[Callable[[Any], Any]] = [
    e.Not,
    lambda inner: e.Both((inner,)),
    lambda inner: e.Conditional(inner, YES, YES),
    lambda inner: e.Conditional(YES, YES, inner),
    lambda inner: e.Not(e.Less(inner, YES)),
    lambda inner: e.Add(ONE, e.Read(e.Slot(0, (inner,)))),
    lambda inner: e.Exists(x(9), e.Span(ONE, inner, TWO), YES),
]


@pytest.mark.parametrize("way", WAYS_DOWN)
def test_programs_as_deep_as_documents_are_looked_at(way: Callable[[Any], Any]) -> None:
    levels = 300
    while excess(nested(levels, way), IR_DEPTH - 4, 10_000):
        levels -= 1
    program = attrs.evolve(tic_tac_toe(), invariants=(p.Invariant("i", nested(levels, way), 10, at(1)),))
    assert [finding for finding in verify(program) if "yes or no" not in finding.message] == []


def test_functions_count_with_what_they_apply() -> None:
    assert messages(functions(10, 15)) == ""
    refuses(functions(20, 15), f"with all that it applies this is nested more than {IR_DEPTH} deep")
    refuses(functions(5_000, 1), "with all that it applies")
    for levels, said in ((2, ""), (20, "/invariants/0: with all that it applies")):
        above = p.Invariant("i", nested(levels, lambda f: e.Apply(0, ()) if f is YES else e.Not(f)), 0, at(1))
        assert said in messages(attrs.evolve(functions(12, 15), invariants=(above,)))


def test_programs_too_large_for_a_document_are_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "IR_BYTES", 50)
    assert messages(tic_tac_toe()) == ": the program is too large"


def test_a_stack_that_is_nearly_full_is_a_finding() -> None:
    program = attrs.evolve(tic_tac_toe(), invariants=(p.Invariant("i", nested(190), 0, at(1)),))

    def below(levels: int) -> str:
        return messages(program) if levels == 0 else below(levels - 1)

    depth = sys.getrecursionlimit() - 250
    assert "nested too deeply to be looked at from here" in below(depth - len(inspect.stack()))


def test_at_most_a_hundred_findings() -> None:
    def wrong(value: object) -> object:
        return attrs.evolve(value, line=0) if isinstance(value, Origin) else value

    many = rebuild(attrs.evolve(everything(), nodes=everything().nodes * 10), wrong)
    assert len(verify(many)) == DIAGNOSTICS
