"""Closing a program: what is refused, and what is folded. Spec 14."""

from typing import Any

import attrs
import playing_rules
import pytest
from hand_programs import AT, FLAG, OPEN, Graph, c, marker, numbers, program, v, words, zone

from rulelang.failures import Exhausted, Refused
from rulelang.ir import expressions as ir
from rulelang.ir import nodes as n
from rulelang.ir import program as pg
from rulelang.ir.types import CellType, NamesType, NumberType
from rulelang.pipeline import compile_text
from rulelang.play.closing import close
from rulelang.play.kinds import Layout
from rulelang.play.pruning import decided

PON = pg.Option("pon_rule", NamesType("Pon", ("off", "on")), 0, None, None, AT)
GOAL = pg.Option("goal", numbers(5, 20), 10, None, None, AT)
FAST = pg.Option("fast", FLAG, 0, ir.Equal(ir.OptionValue(0), c(1)), words("Fast play needs pon."), AT)
ENOUGH = pg.Demand(
    "enough",
    ir.Less(ir.SeatCount(), ir.OptionValue(1)),
    words("Not for ", ir.Spoken(ir.SeatCount(), numbers(1, 9)), "."),
    AT,
)


def opened(graph: Graph | None = None, **rest: Any) -> pg.Program:
    """A program with options whose only zone has as many members as the goal."""
    g = graph or Graph()
    if graph is None:
        g.procedure("overview", 0, 1, 0)
        g.end(n.Aborted())
    goal = NumberType(c(1), ir.OptionValue(1))
    slots = [zone("heap", FLAG, "pile", OPEN, index=[goal]), marker("round", goal, 1)]
    given = {"options": (PON, GOAL, FAST), "demands": (ENOUGH,), "seats": (2, 5), **rest}
    return program(g, given.pop("slots", slots), **given)  # type: ignore[arg-type]


def reasons(*arguments: Any) -> list[str]:
    """The codes of the reasons against a configuration."""
    with pytest.raises(Refused) as refused:
        close(*arguments)
    assert all(reason.words for reason in refused.value.reasons)
    return [reason.code for reason in refused.value.reasons]


@pytest.mark.parametrize(
    ("seats", "options", "codes"),
    [
        (1, {}, ["seats"]),
        (6, {}, ["seats"]),
        (2, {"pom_rule": 1}, ["unknown_option"]),
        (2, {"pon_rule": "maybe"}, ["bad_option"]),
        (2, {"pon_rule": 1}, ["bad_option"]),
        (2, {"goal": 4, "x": 1}, ["bad_option", "unknown_option"]),
        (2, {"goal": True}, ["bad_option"]),
        (2, {"fast": "perhaps"}, ["bad_option"]),
        (2, {"fast": True}, ["option_needs"]),
        (5, {"goal": 5}, ["enough"]),
    ],
)
def test_refused_configurations(seats: int, options: dict[str, Any], codes: list[str]) -> None:
    assert reasons(opened(), seats, options) == codes


def test_a_near_name_is_suggested() -> None:
    with pytest.raises(Refused, match="Did you mean 'pon_rule'"):
        close(opened(), 2, {"pom_rule": "on"})
    with pytest.raises(Refused, match="Not for 5"):
        close(opened(), 5, {"goal": 5})


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({}, (0, 10, 0)),
        ({"pon-rule": "ON", "goal": "7", "fast": "true"}, (1, 7, 1)),
        ({"pon_rule": True, "goal": 20, "fast": False}, (1, 20, 0)),
        ({"pon_rule": False}, (0, 10, 0)),
    ],
)
def test_values_are_read_in_many_spellings(options: dict[str, Any], codes: tuple[int, ...]) -> None:
    assert close(opened(), 3, options).configuration == pg.Configuration(3, codes)


def test_bounds_become_literals() -> None:
    closed = close(opened(), 2, {"goal": 7})
    assert closed.slots[0].index == (numbers(1, 7),)
    assert Layout.of(closed).cells == 8


def graph_with(*conditions: Any) -> Graph:
    """Branches one after the other, each leading to an end of its own or on."""
    g = Graph()
    g.procedure("overview", 0, 3, 0)
    for grade, condition in enumerate(conditions):
        g.branch(condition, None, g.here + 2)
        g.end(n.Grade(c(grade)))
    g.end(n.Aborted())
    return g


def test_decided_branches_and_unreachable_nodes_go() -> None:
    pon, few = ir.Equal(ir.OptionValue(0), c(1)), ir.Less(ir.SeatCount(), c(4))
    closed = close(opened(graph_with(pon, few)), 2, {})
    assert [type(node).__name__ for node in closed.nodes] == ["End"]
    assert closed.nodes[closed.procedures[0].entry].outcome == n.Grade(c(1))  # type: ignore[union-attr]
    closed = close(opened(graph_with(pon, few)), 5, {})
    assert closed.nodes[closed.procedures[0].entry].outcome == n.Aborted()  # type: ignore[union-attr]


def folded(condition: Any, **rest: Any) -> Any:
    """A condition as it stands in the closed program; what it is decided by is in local 0."""
    closed = close(opened(graph_with(ir.Equal(v(0), condition)), **rest), 2, {})
    first = closed.nodes[0]
    assert isinstance(first, n.Branch) and isinstance(first.condition, ir.Equal)
    return first.condition.right


def test_decided_branches_that_go_round_are_passed_once() -> None:
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.add(n.Branch(c(1), 1, 2, AT))
    g.add(n.Branch(c(0), 2, 0, AT))
    g.end(n.Aborted())
    assert decided(opened(g), 0) == [(0, True), (1, False)]
    assert decided(opened(g), 2) == []


PICKS = """
game "So many at once":
  players: 2

option many: 0..70 = 2
values Card: 1..3
zone hand for each player: bag of Card, starts with each Card
move lay(cards in bags(many - 1, my hand)): put cards from my hand into next(me)'s hand
overview:
  turns of p from seat(1): p must lay
"""


@pytest.mark.parametrize(("many", "code"), [(0, "RL6003"), (66, "RL6004")])
def test_an_answer_names_as_many_pieces_as_can_be(many: int, code: str) -> None:
    with pytest.raises(Exhausted, match=code):
        playing_rules.closed(PICKS, 2, {"many": many})


def test_an_answer_may_name_one_piece_or_none() -> None:
    assert len(playing_rules.closed(PICKS, 2, {"many": 1}).start().moves(0)) == 1
    assert len(playing_rules.closed(PICKS, 2, {"many": 2}).start().moves(0)) == 3


LOCAL = v(1)
TRIANGLE = pg.Function("triangle", 1, 2, ir.Total(v(1), ir.Span(c(1), v(0), c(99)), c(1), v(1)), AT)
ROUND = pg.Function("round", 0, 0, ir.Read(ir.Slot(1, ())), AT)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (ir.Add(ir.SeatCount(), c(1)), c(3)),
        (ir.Add(ir.Add(c(1), c(2)), LOCAL), ir.Add(c(3), LOCAL)),
        (ir.Size(ir.AllOf(NumberType(c(1), ir.OptionValue(1)))), c(10)),
        (ir.Total(v(2), ir.Span(c(1), c(4), c(4)), c(1), v(2)), c(10)),
        (ir.Number(v(2), c((1, 2)), ir.Equal(v(2), LOCAL)), ir.Number(v(2), c((1, 2)), ir.Equal(v(2), LOCAL))),
        (ir.Apply(0, (c(4),)), c(10)),
        (ir.Apply(1, ()), ir.Apply(1, ())),
        (ir.Both((ir.Not(LOCAL), c(1))), ir.Not(LOCAL)),
        (ir.Both((ir.Not(LOCAL), c(0))), c(0)),
        (ir.Both((LOCAL, c(1), LOCAL)), ir.Both((LOCAL, LOCAL))),
        (ir.Either((LOCAL, c(1))), c(1)),
        (ir.Either((c(0), c(0))), c(0)),
        (ir.Conditional(ir.Less(ir.SeatCount(), c(9)), LOCAL, c(3)), LOCAL),
        (ir.Conditional(LOCAL, c(3), ir.Add(c(1), c(1))), ir.Conditional(LOCAL, c(3), c(2))),
        (ir.Add(c(2**63 - 1), c(1)), ir.Add(c(2**63 - 1), c(1))),
        (ir.Lines(0, c(2)), c(((0, 1),))),
        (ir.Size(ir.AllOf(CellType(0))), c(2)),
    ],
)
def test_constants_are_folded(formula: Any, expected: Any) -> None:
    board = pg.Board("board", c(1), ir.SeatCount(), AT)
    assert folded(formula, functions=(TRIANGLE, ROUND), boards=(board,)) == expected


def nested(depth: int) -> Any:
    """A formula nested so deep."""
    formula: Any = v(1)
    for _ in range(depth):
        formula = ir.Negative(formula)
    return formula


@pytest.mark.parametrize(
    "rest",
    [
        {"boards": (pg.Board("board", c(10**6), c(10**6), AT),)},
        {"boards": (pg.Board("board", c(0), c(3), AT),)},
        {"slots": [zone("heap", FLAG, "pile", OPEN, index=[numbers(1, 10**6), numbers(1, 10**6)])]},
        {"slots": [marker("far", NumberType(c(0), ir.Multiply(c(2**62), c(2))), 0)]},
        {
            "moves": [
                pg.Move(
                    "far",
                    tuple(pg.Parameter(f"x{i}", numbers(1, 2**40), c(()), "", (), ()) for i in range(2)),
                    (),
                    3,
                    0,
                    AT,
                )
            ]
        },
        {"graph": graph_with(nested(200))},
        {"functions": (*(pg.Function(f"f{i}", 0, 0, ir.Apply(i + 1, ()), AT) for i in range(300)), ROUND)},
    ],
)
def test_what_is_too_large_is_refused_before_it_is_built(rest: dict[str, Any]) -> None:
    with pytest.raises(Exhausted):
        close(opened(**rest), 2, {})


def test_closing_is_deterministic_and_changes_nothing_in_a_closed_program() -> None:
    closed = close(opened(graph_with(v(0), v(1))), 2, {"goal": 7})
    assert close(opened(graph_with(v(0), v(1))), 2, {"goal": 7}) == closed
    again = close(attrs.evolve(closed, configuration=None), 2, {"goal": 7})
    assert again == closed


def beginning(times: str, values: str = "red, green, blue") -> pg.Start:
    """What the only zone of a closed game starts with."""
    text = (
        f'game "G":\n  players: 2\nvalues Gem: {values}\nzone bank: bag of Gem, starts with each Gem times {times}\n'
        "define before(g: Gem) = count(each other in Gem where other < g)\noverview:\n  end game, nobody wins\n"
    )
    zones = [slot for slot in close(compile_text(text).program, 2, {}).slots if isinstance(slot, pg.Zone)]
    return zones[0].starts[0]


@pytest.mark.parametrize(
    ("times", "pieces"),
    [
        ("(2 if it is green otherwise 0)", (1, 1)),
        ("before(it)", (1, 2, 2)),
        ("before(it) * 2 - 1", (1, 2, 2, 2)),
        ("2", None),
    ],
)
def test_what_lies_there_before_play_is_counted(times: str, pieces: tuple[int, ...] | None) -> None:
    """With a condition on what it starts with a zone was taken to hold as much as can be: too dear to search."""
    start = beginning(times)
    assert (start.values, start.times) == ((c((0, 1, 2)), c(2)) if pieces is None else (c(pieces), c(1)))


@pytest.mark.parametrize(
    ("times", "values"),
    [
        ("it * 60000", "1..3"),
        ("it * 9223372036854775807", "1..3"),
        ("count(each a in 1..2000 where (some b in 1..2000 where b + a < it))", "1..3"),
        ("(1 if it is 7 otherwise 0)", "1..70000"),
    ],
)
def test_what_is_too_much_to_count_stays_a_formula(times: str, values: str) -> None:
    assert not isinstance(beginning(times, values).times, ir.Constant)


DECIDED = """game "Decided":
  players: 2

option reading: yes, no = no
marker count: 0..9

define base = count if reading otherwise 3
define next_one = base + 1
move go: count becomes next_one

overview:
  seat(1) must go
  if next_one in [2]: count becomes 7
  end game, grade count
"""


def test_what_an_option_leaves_of_a_define_is_folded_at_once() -> None:
    program = compile_text(DECIDED).program
    closed = close(program, 2, {"reading": "no"})
    assert [function.body for function in closed.functions] == [ir.Constant(3), ir.Constant(4)]
    assert not any(isinstance(node, n.Branch) for node in closed.nodes)
    assert close(closed, 2, {"reading": "no"}) == closed
    assert any(isinstance(node, n.Branch) for node in close(program, 2, {"reading": "yes"}).nodes)
