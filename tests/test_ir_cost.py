"""Static costs: the stated formulas on small cases, and bounds that real play never exceeds."""

import random
from typing import Any

import attrs
import pytest
from programs import (
    CARD,
    CUP,
    DECK,
    EDGE,
    GRID,
    HAND,
    HEAPS,
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
    spot,
    tic_tac_toe,
    with_node,
    x,
)

from rulelang.ir import effects as fx
from rulelang.ir import expressions as e
from rulelang.ir import nodes as n
from rulelang.ir import program as p
from rulelang.ir import types as t
from rulelang.ir.cost import Costs, capacity, event_bound, formula_cost, node_cost, setup_bound
from rulelang.ir.sizes import least, members, number_in, pieces, seats, size, started
from rulelang.limits import COLLECTION
from rulelang.pipeline import compile_text
from rulelang.play.closing import close


def closed() -> p.Program:
    """The sample for three players with literal bounds, not simplified otherwise."""
    program = close(everything(), 3, {})
    return attrs.evolve(everything(), configuration=program.configuration, slots=program.slots, tables=program.tables)


CARDS = 12
"""Two suits, three ranks, each card twice."""

HANDS = read(HAND, ZERO)
X = x(1)

# ------------------------------------------------------------------ formulas

FORMULAS: list[tuple[str, e.Expression, int, int]] = [
    ("literal", ONE, 1, 1),
    ("codes", C((1, 2, 3)), 1, 3),
    ("lists", C(((1, 2), (3,))), 1, 2),
    ("all", e.AllOf(SEAT), 1, 3),
    ("sum", e.Add(ONE, e.Negative(ONE)), 4, 1),
    ("marker", read(SCORE, ZERO), 2, 1),
    ("marker of many", read(SEEN), 1, 9),
    ("bag", HANDS, 2, CARDS),
    ("pile", e.Size(read(DECK)), 2, 1),
    ("slot", read(SHOWN), 1, 1),
    ("member", e.Read(e.Member(HEAPS, ZERO)), 2, CARDS),
    ("cell", e.Cell(0, 1, ZERO), 2, 1),
    ("cell of many", e.Cell(0, 2, ZERO), 2, 2),
    ("and", e.Both((YES, YES, YES)), 4, 1),
    ("if", e.Conditional(YES, C((1, 2)), C((1, 2, 3))), 4, 3),
    ("span", e.Span(ONE, TWO, C(7)), 3, 7),
    ("list", e.MakeList((ONE, TWO)), 3, 2),
    ("join", e.Join(HANDS, C((1, 2)), "bag"), 4, CARDS + 2),
    ("without", e.Without(HANDS, C((1, 2)), "bag"), 4, CARDS),
    ("kinds", e.Distinct(HANDS), 3, CARDS),
    ("item", e.Item(C(((1, 2), (3,))), ONE, C(())), 4, 2),
    ("top", e.Last(HANDS, ZERO), 4, 1),
    ("from", e.From(e.AllOf(SEAT), ONE), 3, 3),
    ("some", e.Exists(X, HANDS, e.Equal(X, ZERO)), 1 + 2 + CARDS * 3, 1),
    ("every", e.Every(X, e.AllOf(SEAT), YES), 1 + 1 + 3, 1),
    ("count", e.Number(X, C(()), YES), 1 + 1, 1),
    ("all where", e.Select(X, HANDS, YES, (e.RankBy(True, X),)), 1 + 2 + CARDS * 2, CARDS),
    ("first where", e.Choose(X, HANDS, YES, (e.RankBy(True, X),), ZERO), 1 + 2 + 1 + CARDS * 2, 1),
    ("first of lists", e.Choose(X, C(((1, 2, 3),)), YES, (), C(())), 1 + 1 + 1 + 1, 3),
    ("total", e.Total(X, HANDS, YES, e.Add(X, ONE)), 1 + 2 + CARDS * 4, 1),
    ("highest", e.Extreme(True, X, HANDS, YES, X, ZERO), 1 + 2 + 1 + CARDS * 2, 1),
    ("collect", e.Collect(X, HANDS, YES, X), 1 + 2 + CARDS * 2, CARDS),
    ("in lines", e.Exists(X, e.Lines(0, C(3)), e.Every(x(2), X, YES)), 1 + 2 + 8 * (1 + 1 + 3), 1),
    ("lines", e.Lines(0, TWO), 2, 6 + 6 + 8),
    ("rows", e.Ranks(0, "rows"), 1, 3),
    ("columns", e.Ranks(0, "columns"), 1, 3),
    ("diagonals", e.Ranks(0, "diagonals"), 1, 2),
    ("beside", e.Neighbours(0, ZERO, False), 2, 4),
    ("around", e.Neighbours(0, ZERO, True), 2, 8),
    ("rays", e.Rays(0, ZERO), 2, 8),
    ("in rays", e.Exists(X, e.Rays(0, ZERO), e.Every(x(2), X, YES)), 1 + 2 + 8 * (1 + 1 + 2), 1),
    ("linked", e.Linked(0, e.MakeList((ZERO,)), C((1, 2))), 1 + 2 + 1 + 9 * 4, 9),
    ("linked hexagons", e.Linked(1, C(()), C((1, 2))), 1 + 1 + 1 + 8 * 6, 8),
    ("lines of hexagons", e.Lines(1, TWO), 2, 6 + 4 + 3),
    ("diagonals of hexagons", e.Ranks(1, "diagonals"), 1, 3),
    ("beside a hexagon", e.Neighbours(1, ZERO, False), 2, 6),
    ("around a hexagon", e.Neighbours(1, ZERO, True), 2, 6),
    ("rays of hexagons", e.Exists(X, e.Rays(1, ZERO), e.Every(x(2), X, YES)), 1 + 2 + 6 * (1 + 1 + 3), 1),
    ("edges", e.EdgesOf(0, ZERO), 2, 4),
    ("cells", e.CellsBeside(0, ZERO), 2, 2),
    ("function", e.Apply(4, (ZERO,)), 2 + 7, 9),
    ("unknown local", x(7), 1, COLLECTION),
]


@pytest.mark.parametrize(("formula", "cost", "most"), [row[1:] for row in FORMULAS], ids=[row[0] for row in FORMULAS])
def test_formulas(formula: e.Expression, cost: int, most: int) -> None:
    assert formula_cost(closed(), formula) == cost
    assert capacity(closed(), formula) == most


def test_capacities_of_locals_can_be_given() -> None:
    assert formula_cost(closed(), e.Exists(X, x(7), YES), {7: 5}) == 1 + 1 + 5
    assert capacity(closed(), x(7), {7: 5}) == 5


def test_no_collection_counts_for_more_than_the_limit() -> None:
    assert capacity(closed(), e.Join(x(7), x(8), "list")) == COLLECTION


# ------------------------------------------------------------------ sizes


@pytest.mark.parametrize(
    ("kind", "count", "first"),
    [
        (t.NumberType(C(-2), C(3)), 6, -2),
        (t.FlagType(), 2, 0),
        (SUIT, 2, 0),
        (SEAT, 3, 0),
        (GRID, 9, 0),
        (EDGE, 24, 0),
        (t.RowType(0), 3, 0),
        (t.MemberType(HEAPS), 3, 0),
        (t.OptionalType(t.NumberType(ONE, TWO)), 3, 0),
        (t.RecordType("R", (t.FieldType("a", SUIT), t.FieldType("b", t.OptionalType(SEAT)))), 8, 0),
    ],
)
def test_kinds_have_sizes(kind: t.SingleType, count: int, first: int) -> None:
    assert (size(closed(), kind), least(kind)) == (count, first)


def test_open_programs_have_no_sizes() -> None:
    for ask in (lambda: seats(everything()), lambda: number_in(e.SeatCount())):
        with pytest.raises(ValueError, match="not closed"):
            ask()


def test_pieces_are_counted_from_the_beginnings() -> None:
    program = closed()
    dice, animals, deck = program.slots[CUP], program.slots[5], program.slots[DECK]
    assert isinstance(dice, p.Zone) and isinstance(animals, p.Zone) and isinstance(deck, p.Zone)
    assert (pieces(program, dice.content), pieces(program, animals.content)) == (2, 1 + 2 + 3)
    assert pieces(program, deck.content) == started(program, deck) == CARDS
    assert members(program, HAND) == 3


@pytest.mark.parametrize(
    ("values", "times", "count"),
    [
        (C((1, 2)), x(0), 3),
        (C((1, 2)), e.Multiply(x(0), TWO), 6),
        (C((1, 2)), e.Cell(0, 1, x(0)), 2 + 3),
        (C((1, 9)), e.Cell(0, 1, x(0)), COLLECTION),
        (C((1,)), e.Cell(0, 0, x(0)), COLLECTION),
        (C((1,)), e.Add(x(0), ONE), COLLECTION),
        (C((1,)), e.Multiply(ONE, x(9)), COLLECTION),
        (e.MakeList((ONE,)), ONE, COLLECTION),
        (e.AllOf(t.RowType(0)), e.Cell(0, 1, x(0)), 1 + 2 + 3),
    ],
)
def test_beginnings_are_looked_up_or_taken_for_the_limit(values: Any, times: Any, count: int) -> None:
    zone = attrs.evolve(closed().slots[CUP], starts=(p.Start(x(0), values, times),))
    assert isinstance(zone, p.Zone)
    assert started(closed(), zone) == count


# ------------------------------------------------------------------ nodes

GETS = n.Amounts(x(5), e.AllOf(SEAT), e.Add(x(5), ONE))
NODES: list[tuple[str, n.Node, int]] = [
    ("do", n.Do(fx.SetMarker(spot(SCORE, ZERO), e.Add(ONE, ONE)), 31, at(1)), 1 + 1 + 3),
    ("top", n.Do(fx.MoveTop(spot(HEAPS, ONE), TWO, spot(SHOWN), "top"), 31, at(1)), 1 + 1 + 1),
    ("everything", n.Do(fx.MoveAll(spot(HEAPS, ONE), spot(SHOWN), "top"), 31, at(1)), 1 + 1 + CARDS),
    ("gather", n.Do(fx.Gather((HAND,), spot(DECK)), 31, at(1)), 1 + CARDS),
    ("shuffle", n.Do(fx.Shuffle(spot(DECK)), 31, at(1)), 1 + CARDS),
    ("pick up", n.Do(fx.PickUp(spot(CUP), CARD), 31, at(1)), 1 + 2),
    ("branch", n.Branch(e.Not(YES), 31, 31, at(1)), 3),
    ("call", n.Call(1, (ZERO,), 31, at(1)), 2),
    ("return", n.Return(at(1)), 1),
    ("leave", n.Leave(2, at(1)), 1),
    ("decide", n.Decide(n.OneSeat(e.Add(ONE, ONE), True), (0,), None, None, 31, at(1)), 4),
    ("chance", n.Chance(n.AnyOf(HANDS, ZERO), x(0), 31, at(1)), 1 + 2 + 1),
    ("top of", n.Chance(n.TopOf(spot(DECK), ZERO), x(0), 31, at(1)), 1 + 1),
    ("end", n.End(n.Winners(e.MakeList((ZERO,))), at(1)), 3),
    ("amounts", n.End(GETS, at(1)), 1 + 1 + 3 * 3),
    ("aborted", n.End(n.Aborted(), at(1)), 1),
]


@pytest.mark.parametrize(("node", "cost"), [row[1:] for row in NODES], ids=[row[0] for row in NODES])
def test_nodes(node: n.Node, cost: int) -> None:
    assert node_cost(with_node(closed(), 30, node), 30) == cost


def test_a_node_that_nothing_reaches_has_a_cost() -> None:
    program = closed()
    lost = attrs.evolve(program, nodes=(*program.nodes, n.Branch(x(0), 0, 0, at(1))))
    assert node_cost(lost, len(program.nodes)) == 2


# ------------------------------------------------------------------ events


def flow(*nodes: n.Node, more: tuple[p.Procedure, ...] = (), **fields: Any) -> p.Program:
    """Tic-tac-toe with these nodes for an overview; nodes 90 and 91 are the effects of its move, which cost 3 + 1."""
    padded = (*nodes, *(n.Return(at(1)) for _ in range(90 - len(nodes))), n.Do(PLACE, 91, at(1)), n.Return(at(1)))
    place = attrs.evolve(tic_tac_toe().procedures[1], entry=90)
    procedures = (p.Procedure("overview", 0, tuple("abcdefgh"), 0, at(1)), place, *more)
    return attrs.evolve(tic_tac_toe(), procedures=procedures, nodes=padded, **fields)


PLACE = fx.SetMarker(spot(0, x(1)), x(0))
MOVE = 1 + 1 + 1 + 1
"""The effects of the move."""
ATTEMPT = 1 + 4
"""Its domain and its requirement."""


def ask(following: int, seat: Any = ZERO, may_pass: bool = False) -> n.Decide:
    return n.Decide(n.OneSeat(seat, may_pass), (0,), None, None, following, at(1))


def do(number: int, value: e.Expression, following: int) -> n.Do:
    return n.Do(fx.SetLocal(x(number), value), following, at(1))


def loop(body: int, done: int, local: int = 0, laps: int = 5) -> n.Loop:
    return n.Loop(x(local), x(local + 1), x(local + 2), body, done, C(laps), at(1))


END = n.End(n.Aborted(), at(1))


def test_an_event_goes_to_the_next_wait() -> None:
    assert event_bound(flow(ask(1), do(3, ZERO, 2), ask(3), END), 0) == ATTEMPT + MOVE + 2 + 2
    assert event_bound(flow(ask(1), do(3, ZERO, 2), ask(3), END), 2) == ATTEMPT + MOVE + 1


def test_the_dearer_way_counts() -> None:
    program = flow(ask(1), n.Branch(YES, 2, 3, at(1)), do(3, e.Add(ONE, ONE), 3), END)
    assert event_bound(program, 0) == ATTEMPT + MOVE + 2 + 4 + 1


def test_laps_multiply() -> None:
    program = flow(do(0, C((1, 2)), 1), do(1, ZERO, 2), loop(3, 4), do(3, ONE, 2), END)
    assert setup_bound(program) == 9 + 2 + 2 + 1 + 5 * (2 + 1) + 1


def test_laps_inside_laps_multiply_again() -> None:
    start = (do(0, C((1,)), 1), do(1, ZERO, 2))
    inner = (do(3, C((1,)), 4), do(4, ZERO, 5), loop(6, 2, 3, 7), do(6, ONE, 5))
    lap = 2 + 2 + 1 + 7 * (2 + 1)
    assert setup_bound(flow(*start, loop(3, 7), *inner, END)) == 9 + 4 + 1 + 5 * (lap + 1) + 1


def test_a_way_out_of_a_lap_counts_after_all_laps() -> None:
    start = (do(0, C((1,)), 1), do(1, ZERO, 2), loop(3, 4))
    broken = flow(*start, n.Branch(YES, 2, 5, at(1)), END, do(3, e.Add(ONE, ONE), 4))
    assert setup_bound(broken) == 9 + 4 + 1 + 5 * (2 + 1) + 4 + 1


def test_called_rules_count_and_may_wait() -> None:
    rule = (p.Procedure("rule", 0, ("a",), 10, at(1)),)
    pads = tuple(n.Return(at(1)) for _ in range(7))
    program = flow(ask(1), n.Call(2, (), 2, at(1)), END, *pads, do(0, ZERO, 11), n.Return(at(1)), more=rule)
    assert event_bound(program, 0) == ATTEMPT + MOVE + 1 + 2 + 1 + 1
    waiting = flow(ask(1), n.Call(2, (), 2, at(1)), END, *pads, ask(11), do(0, e.Add(ONE, ONE), 12), more=rule)
    assert event_bound(waiting, 0) == ATTEMPT + MOVE + 1 + 2
    assert event_bound(waiting, 10) == ATTEMPT + MOVE + 4 + 1 + 1


def test_left_rules_go_on_where_they_were_opened() -> None:
    more = (p.Procedure("outer", 0, (), 10, at(1)), p.Procedure("inner", 0, (), 12, at(1)))
    pads = tuple(n.Return(at(1)) for _ in range(7))
    outer, inner = n.Call(3, (), 11, at(1)), n.Leave(2, at(1))
    program = flow(n.Call(2, (), 1, at(1)), do(3, ZERO, 2), ask(3), *pads, outer, n.Return(at(1)), inner, more=more)
    assert setup_bound(program) == 9 + 1 + 1 + 1 + 2 + 2
    waiting = with_node(with_node(program, 12, ask(13)), 13, n.Leave(2, at(1)))
    assert event_bound(waiting, 12) == ATTEMPT + MOVE + 1 + 2 + 2


def test_every_sealed_answer_counts() -> None:
    sealed = n.Decide(n.SealedSeats(C((0, 1)), True), (0,), None, None, 1, at(1))
    assert event_bound(flow(sealed, END), 0) == 2 * (ATTEMPT + MOVE) + 1


def test_only_one_answer_of_a_window_counts() -> None:
    window = n.Decide(n.SealedSeats(C((0, 1)), True, True), (0,), None, None, 1, at(1))
    assert event_bound(flow(window, END), 0) == ATTEMPT + MOVE + 1


def test_a_move_that_waits_leaves_the_other_answers_to_come() -> None:
    sealed = n.Decide(n.SealedSeats(C((0, 1)), True), (0,), None, None, 1, at(1))
    program = flow(sealed, END)
    coin = n.Chance(n.AnyOf(C((0, 1)), ZERO), x(1), 91, at(1))
    waiting = with_node(program, 90, coin)
    assert event_bound(waiting, 0) == 2 * ATTEMPT + 3
    assert event_bound(waiting, 90) == 1 + 3


def test_endless_rings_have_no_bound() -> None:
    passing = flow(ask(0, may_pass=True))
    assert event_bound(passing, 0) is None
    assert setup_bound(passing) is None
    assert event_bound(passing, 0, skipping=False) == ATTEMPT + MOVE + 2
    assert event_bound(flow(ask(0)), 0) == ATTEMPT + MOVE + 2
    assert event_bound(flow(ask(1), n.Branch(YES, 1, 1, at(1))), 0) is None


def test_what_may_not_wait_is_gone_through() -> None:
    def behind(wait: n.Node, **fields: Any) -> tuple[int | None, int | None]:
        program = flow(ask(1), wait, do(3, e.Add(ONE, ONE), 3), END, **fields)
        return event_bound(program, 0), event_bound(program, 0, skipping=False)

    start, rest = ATTEMPT + MOVE, 4 + 1
    assert behind(ask(2, may_pass=True)) == (start + 2 + rest, start + 2)
    assert behind(ask(2)) == (start + 2, start + 2)
    assert behind(n.Chance(n.AnyOf(C((0, 1)), ZERO), x(4), 2, at(1))) == (start + 3, start + 3)
    assert behind(n.Chance(n.AnyOf(C(()), ZERO), x(4), 2, at(1))) == (start + 3 + rest, start + 3)
    assert behind(n.Chance(n.AnyOf(e.MakeList((ZERO,)), ZERO), x(4), 2, at(1))) == (start + 4 + rest, start + 4)
    one = n.Chance(n.AnyOf(C((1, 1)), ZERO), x(4), 2, at(1))
    assert behind(one) == (start + 3, start + 3)
    assert behind(one, forced_chance=True) == (start + 3 + rest, start + 3)
    some = n.Decide(n.SealedSeats(C((0,)), False), (0,), None, None, 2, at(1))
    none = n.Decide(n.SealedSeats(C(()), False), (0,), None, None, 2, at(1))
    assert behind(some) == (start + 2, start + 2)
    assert behind(none) == (start + 2 + rest, start + 2)
    forced = start + 2 + start + rest
    assert behind(ask(2), forced_choices=True) == (forced, start + 2)


def test_a_shuffle_can_wait_for_each_card() -> None:
    forced = close(everything(), 3, {})
    waiting = attrs.evolve(forced, forced_chance=False)
    (shuffle,) = [i for i, node in enumerate(forced.nodes) if isinstance(getattr(node, "effect", None), fx.Shuffle)]
    assert shuffle == 0 and node_cost(forced, 0) == 1 + CARDS
    bounds = [event_bound(program, 0) for program in (forced, waiting)]
    assert None not in bounds
    assert bounds[0] - bounds[1] == (1 + CARDS) * CARDS  # type: ignore[operator]
    assert setup_bound(waiting) == laid_out(waiting) + bounds[1]  # type: ignore[operator]


def laid_out(program: p.Program) -> int:
    """One for every place and piece at the beginning."""
    return sum(
        members(program, number) * (1 + (started(program, slot) if isinstance(slot, p.Zone) else 0))
        for number, slot in enumerate(program.slots)
    )


# ------------------------------------------------------------------ extents of locals


def test_locals_are_as_large_as_what_is_put_there() -> None:
    program = flow(do(0, C((1, 2, 3)), 1), do(3, x(0), 2), n.Branch(e.Exists(x(5), x(3), YES), 3, 3, at(1)), END)
    assert node_cost(program, 2) == 1 + 1 + 1 + 3


def test_parameters_are_as_large_as_the_largest_argument() -> None:
    function = p.Function("f", 1, 2, e.Exists(x(1), x(0), YES), at(1))
    both = e.Both((e.Apply(0, (C((1,)),)), e.Apply(0, (C((1, 2, 3, 4)),))))
    program = flow(n.Branch(both, 1, 1, at(1)), END, functions=(function,))
    assert node_cost(program, 0) == 1 + 1 + 2 * (2 + 1 + 1 + 4)


def test_rules_pass_collections_on() -> None:
    rule = (p.Procedure("rule", 1, ("a", "b"), 10, at(1)),)
    pads = tuple(n.Return(at(1)) for _ in range(8))
    inside = n.Branch(e.Exists(x(1), x(0), YES), 11, 11, at(1))
    program = flow(n.Call(2, (C((1, 2)),), 1, at(1)), END, *pads, inside, n.Return(at(1)), more=rule)
    assert node_cost(program, 10) == 1 + 1 + 1 + 2


def test_loop_items_can_be_lists() -> None:
    nodes = (
        do(0, e.Lines(0, C(3)), 1),
        do(1, ZERO, 2),
        loop(3, 4),
        n.Branch(e.Exists(x(5), x(2), YES), 2, 2, at(1)),
        END,
    )
    assert node_cost(flow(*nodes), 3) == 1 + 1 + 1 + 3


def test_what_keeps_growing_counts_as_the_largest() -> None:
    nodes = (do(0, C(()), 1), do(0, e.Join(x(0), C((1,)), "list"), 2), ask(1), END)
    growing = with_node(flow(*nodes), 2, n.Branch(e.Exists(x(5), x(0), YES), 3, 1, at(1)))
    assert node_cost(growing, 2) == 1 + 1 + 1 + COLLECTION


# ------------------------------------------------------------------ size of the work


def test_functions_do_not_multiply_the_work() -> None:
    """Each applies the one before it twice: the cost doubles sixty times, the work does not."""
    functions = [p.Function("f0", 0, 0, YES, at(1))]
    for number in range(60):
        twice = e.Both((e.Apply(number, ()), e.Apply(number, ())))
        functions.append(p.Function(f"f{number + 1}", 0, 0, twice, at(1)))
    program = attrs.evolve(tic_tac_toe(), functions=tuple(functions))
    assert formula_cost(program, e.Apply(60, ())) > 2**60


def test_rules_and_ways_do_not_multiply_the_work() -> None:
    """Sixty branches in a row that meet again, in each of sixty rules that call the next one twice."""
    nodes: list[n.Node] = []
    procedures = []
    for number in range(60):
        first = len(nodes)
        procedures.append(p.Procedure(f"r{number}", 0, (), first, at(1)))
        for _ in range(60):
            here = len(nodes)
            nodes += [n.Branch(YES, here + 1, here + 2, at(1)), n.Branch(YES, here + 2, here + 2, at(1))]
        if number < 59:
            here = len(nodes)
            nodes += [n.Call(number + 1, (), here + 1, at(1)), n.Call(number + 1, (), here + 2, at(1))]
        nodes.append(n.Return(at(1)))
    program = attrs.evolve(tic_tac_toe(), procedures=tuple(procedures), moves=(), nodes=tuple(nodes))
    bound = setup_bound(program)
    assert bound is not None and bound > 2**59


# ------------------------------------------------------------------ real play


@pytest.mark.parametrize("name", ["tic-tac-toe", "leduc-poker", "goofspiel", "pig", "liars-dice", "dots-and-boxes"])
def test_play_never_costs_more_than_its_bound(name: str) -> None:
    import rulelang
    from rulelang.play.event import Outcome, Sealed

    game = rulelang.load(name).configure()
    costs, rng = Costs(game.program), random.Random(7)
    for _ in range(5):
        state = game.start()
        bound = costs.setup()
        for _ in range(60):
            assert bound is None or state.cost <= bound
            waiting = state.waiting
            if waiting.kind == "over":
                break
            bound = costs.event(waiting.node)
            if waiting.kind == "seat":
                state = state.step(rng.choice(state.moves(waiting.seats[0])))
            elif waiting.kind == "sealed":
                state = state.step(Sealed(tuple(rng.choice(state.moves(seat)) for seat in waiting.seats)))
            else:
                state = state.step(Outcome(rng.choice(state.chance())[0]))


LEFT_AND_NOT_OPEN = """game "Left and not open":
  players: 2

option guard: on, off = on
marker count: 0..9

move wait
move stop:
  other
  end lap

rule other: seat(2) must wait
rule lap: seat(1) must stop
instead of lap when guard is off: count rises by 2

overview:
  lap
  end game, grade count
"""


def test_nothing_follows_a_rule_that_is_left_by_name_and_never_open() -> None:
    program = close(compile_text(LEFT_AND_NOT_OPEN).program, 2, {"guard": "off"})
    costs = Costs(program)
    waits = [number for number, node in enumerate(program.nodes) if isinstance(node, n.Decide)]
    assert waits and all((costs.event(number) or 0) > 0 for number in waits)


PICKED = """game "Picked":
  players: 2

values Card: 1..5
zone hand for each player: bag of Card, seen by owner, starts with each Card times 3
marker total: 0..99

move lay(some_cards in bags(COUNT, my hand)):
  require low: every card in some_cards satisfies card < 4
  each card in some_cards: total rises by 1

overview:
  seat(1) must lay
  end game, nobody wins
"""


def test_what_goes_through_a_pick_counts_as_often_as_it_has_pieces() -> None:
    bounds = []
    for count in (1, 2, 3):
        program = close(compile_text(PICKED.replace("COUNT", str(count))).program, 2, {})
        costs = Costs(program)
        waits = next(number for number, node in enumerate(program.nodes) if isinstance(node, n.Decide))
        bounds.append((costs.attempt(0), costs.event(waits) or 0))
    attempts, events = zip(*bounds, strict=True)
    assert attempts[2] - attempts[1] > 3 and events[2] - events[1] > attempts[2] - attempts[1]
