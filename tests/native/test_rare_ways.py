"""What few programs do: graphs that no text has, limits, kinds without values, words that fail, long rows."""

from fractions import Fraction
from typing import Any

import attrs
import pytest
import test_formulas
from both_engines import differ, ending, game_of, native, native_value, program_of, reference, reference_value
from hand_programs import SEAT, Graph, c, ir, marker, move, n, numbers, pg, program, read, slot, v
from hand_programs import fx as effects
from made_formulas import CELLS, table

from rulelang import limits
from rulelang.failures import Exhausted
from rulelang.ir.program import Program
from rulelang.ir.types import FieldType, RecordType
from rulelang.play.agents import RandomAgent
from rulelang.play.chance import Stream, match_key, mix
from rulelang.play.event import Play
from rulelang.play.playouts import playouts
from rulelang_native import Engine
from rulelang_native.lowering import program as lowering
from rulelang_native.lowering.failing import NotLowered

REFUSED = test_formulas.test_limits_refuse.pytestmark[0].args[1]


@pytest.mark.parametrize("formula", REFUSED, ids=lambda formula: type(formula).__name__)
def test_the_limits_of_formulas(formula: Any) -> None:
    built = test_formulas.game()
    cells, locals = ((3, 1), (), (2,), (0, 5), 1), [5, (2, 7, 7)]
    module = ending(built, formula, [locals])
    found = native_value(module, cells, locals)
    assert isinstance(found, str) and found == reference_value(module.program, formula, cells, locals)


EMPTY = RecordType("Nothing", (FieldType("a", numbers(1, 0)), FieldType("b", numbers(1, 3))))
MANY = RecordType("Many", tuple(FieldType(f"f{place}", numbers(1, 2)) for place in range(6)))


@pytest.mark.parametrize(
    "formula",
    [
        ir.Part(v(0), EMPTY, 0),
        ir.Part(v(0), EMPTY, 1),
        ir.MakeRecord(EMPTY, (v(0), v(0))),
        ir.MakeRecord(MANY, tuple(ir.Add(ir.Remainder(v(0), c(place + 1)), c(1)) for place in range(6))),
        ir.Part(ir.MakeRecord(MANY, (c(2), c(1), c(2), c(1), v(0), c(2))), MANY, 4),
        ir.PartitionPart(
            ir.Partition(
                v(1),
                numbers(0, 9),
                c(1),
                c(2),
                v(3),
                c(1),
                ir.Multiply(ir.Total(v(4), v(3), c(1), v(4)), c(2**61)),
                False,
            ),
            "value",
        ),
        ir.Size(ir.Collect(v(3), v(1), c(1), ir.Add(v(3), v(0)))),
        ir.Quotient(ir.Subtract(ir.Multiply(v(0), c(-1)), c(2**62)), c(-1)),
    ],
    ids=lambda formula: type(formula).__name__,
)
def test_kinds_without_values_and_parts_without_number(formula: ir.Expression) -> None:
    for locals in ([1, (1, 2)], [2, (0, 6, 6)], [3, ()], [-5, (1,)]):
        module = ending(table(), formula, [locals, [1, (2,)]])
        assert native_value(module, CELLS, locals) == reference_value(module.program, formula, CELLS, locals)


# ------------------------------------------------------------------ graphs


def graph(build: Any, seats: Any = None) -> Program:
    """A marker 0..9, and an overview that asks for a number and then goes as it is built, to an end."""
    g = Graph()
    g.procedure("overview", 0, 2, g.here)
    g.decide(n.OneSeat(c(0), False), (0,))
    build(g)
    g.procedure("set", 2, 2, g.here)
    g.do(effects.SetMarker(slot(0), v(1)))
    g.ret()
    number = pg.Parameter("n", numbers(0, 9), ir.AllOf(numbers(0, 9)), "0..9", (), ())
    return program(g, [marker("total", numbers(0, 9), 0), marker("way", numbers(0, 99), 0)], [move("set", 1, [number])])


def test_ways_that_meet_twice_behind_one_branch() -> None:
    """Both of two branches lead to both of two ends, on a way that leaves a branch whose other ways meet."""
    total = read(0)

    def build(g: Graph) -> None:
        first = g.here
        g.branch(ir.Less(total, c(5)), first + 1, first + 8)
        g.branch(ir.Less(total, c(3)), first + 2, first + 9)
        g.branch(ir.Equal(total, c(0)), first + 3, first + 4)
        g.branch(ir.Equal(total, c(1)), first + 5, first + 6)
        g.branch(ir.Equal(total, c(2)), first + 6, first + 5)
        g.end(n.Winners(c((0,))))
        g.end(n.Winners(c((1,))))
        g.ret()
        g.do(effects.SetMarker(slot(1), c(8)))
        g.end(n.Amounts(v(0), c((0, 1)), ir.Add(total, read(1))))

    assert differ(graph(build), moves=60) is None


def test_a_branch_with_nothing_on_either_way() -> None:
    total = read(0)

    def build(g: Graph) -> None:
        first = g.here
        g.branch(ir.Less(total, c(5)), first + 1, first + 2)
        g.branch(ir.Equal(total, c(1)), first + 2, first + 2)
        g.end(n.Amounts(v(0), c((0, 1)), total))

    assert differ(graph(build), moves=60) is None


@pytest.mark.parametrize("first_only", [False, True])
def test_a_list_of_seats_some_of_which_there_are_not(first_only: bool) -> None:
    seats = ir.MakeList((c(1), ir.Subtract(read(0), c(3))))

    def build(g: Graph) -> None:
        g.decide(n.SealedSeats(seats, True, first_only), (0,), v(0))
        g.end(n.Amounts(v(1), c((0, 1)), ir.Add(read(0), v(0))))

    assert differ(graph(build), moves=80) is None


def test_a_division_that_is_remembered_and_saved() -> None:
    groups = ir.Partition(c((1, 1, 2, 2, 3)), numbers(0, 9), c(2), c(2), v(1), c(1), ir.Size(v(1)), False)

    def build(g: Graph) -> None:
        g.do(effects.SetLocal(v(0), groups))
        g.decide(n.OneSeat(c(1), False), (0,))
        g.end(n.Amounts(v(1), c((0, 1)), ir.PartitionPart(v(0), "value")))

    assert differ(graph(build), moves=30) is None
    state = native.configure(graph(build), 2, {}).start().step(Play(0, 0, (3,)))
    assert state.frames[0][2][0] == (1, 4, (3,), ((1, 1), (2, 2)))
    assert state.game.from_bytes(state.to_bytes()).step(Play(1, 0, (3,))).outcome.returns == (Fraction(4),) * 2


def test_many_indices() -> None:
    wide = marker("wide", numbers(0, 9), 0, index=[numbers(1, 2)] * 5 + [SEAT])

    def build(g: Graph) -> None:
        at = [ir.Remainder(ir.Add(read(0), c(place)), c(3)) for place in range(5)]
        g.do(effects.SetMarker(slot(2, *at, c(1)), read(0)))
        g.end(n.Amounts(v(0), c((0, 1)), read(2, c(1), c(2), c(1), c(2), c(1), v(0))))

    built = graph(build)
    assert differ(attrs.evolve(built, slots=(*built.slots, wide)), moves=60) is None


def test_seats_that_see_although_there_is_no_such_seat() -> None:
    seen = pg.These(ir.MakeList((ir.Subtract(read(0), c(1)),)), v(1, "owner"))
    secret = marker("secret", numbers(0, 9), 4, pg.Sight(seen, seen, seen))
    built = graph(lambda g: g.end(n.Aborted()))
    assert differ(attrs.evolve(built, slots=(*built.slots, secret)), moves=30) is None


def test_what_does_not_settle_is_refused_before_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lowering, "ROUNDS", -100)
    with pytest.raises(NotLowered, match="does not settle"):
        ending(table(), ir.Add(v(0), c(1)), [[1, ()]])
    with pytest.raises(Exhausted, match="RL8023"):
        Engine().configure(graph(lambda g: g.end(n.Aborted())), 2, {})


# ------------------------------------------------------------------ rules


RESHUFFLED = """
game "Reshuffled":
  players: 2

values Card: 1..3
zone one: pile of Card, seen by nobody, starts with each Card
zone two: pile of Card, seen by nobody
zone open: pile of Card, starts with each Card
marker laps: 0..9

overview:
  shuffle one
  turns of p from seat(1):
    p must mix
    laps rises by 1
    if laps is 4: end game, nobody wins

move mix:
  put top from one onto two
  put top from open onto one
  shuffle one
  shuffle two
"""

IN_TURN = """
game "In turn":
  players: 3

marker total: 0..9999

overview:
  turns of p from seat(1):
    p must add
    players may in_turn add or finish
    if total > 40: end game, nobody wins

move add(n in 1..5): total rises by n
move finish:
  require far: total > 20 because "too early"
  total rises by 20
"""


@pytest.mark.parametrize(
    ("rules", "seats"),
    [(RESHUFFLED, 2), (IN_TURN, 3)],
    ids=["shuffles", "in turn"],
)
def test_rules_that_few_games_have(rules: str, seats: int) -> None:
    program = program_of(rules)
    assert differ(program, seats, 40) is None
    found = []
    for engine in (Engine(), reference):
        game = engine.configure(program, seats, {})
        found.append(list(playouts(game, 20, 3, [RandomAgent()] * seats)))
    assert found[0] == found[1]


PICKING = """
game "Picking":
  players: 2

marker total: 0..60000

overview:
  seat(1) must choose
  end game, nobody wins

move choose(n in 1..60000): total becomes n
"""


def test_a_word_that_must_be_drawn_again() -> None:
    """Of 60,000 answers, one word in seventy thousand would favour some: the same is drawn again as in a match."""
    bound, seed = 60_000, 0
    while True:
        stream = Stream(mix(match_key(seed, 0), 2**32))
        key = mix(mix(match_key(seed, 0), playing_key()), 0)
        stream = Stream(key)
        stream.below(bound)
        if stream.drawn > 1:
            break
        seed += 1
    game = game_of(PICKING)
    agents = [RandomAgent()] * 2
    assert list(game.playouts(1, seed)) == list(
        playouts(reference.configure(program_of(PICKING), 2, {}), 1, seed, agents)
    )


def playing_key() -> int:
    """What seat 1's draws are numbered from."""
    from rulelang.play.chance import PLAYERS

    return PLAYERS


def test_limits_of_setting_up_and_saving(monkeypatch: pytest.MonkeyPatch) -> None:
    state = game_of(RESHUFFLED).start()
    monkeypatch.setattr(limits, "STATE_BYTES", 4)
    with pytest.raises(Exhausted, match="RL80"):
        state.to_bytes()
    monkeypatch.setattr(limits, "SETUP_COST", 3)
    found = []
    for engine in (Engine(), reference):
        with pytest.raises(Exhausted) as failure:
            engine.configure(program_of(RESHUFFLED), 2, {}).start()
        found.append((failure.value.code, failure.value.message, failure.value.line))
    assert found[0] == found[1]
