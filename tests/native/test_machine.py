"""A step under way: unseen cards and their pools, what comes by itself, frames that open, close and are left."""

import attrs
import pytest
from both_engines import differ, game_of, program_of
from hand_programs import Graph, n, program

from rulelang import limits
from rulelang.failures import Broken, Exhausted
from rulelang.ir.program import Configuration
from rulelang.play.event import Outcome, Play, Sealed
from rulelang_native.game import Game
from rulelang_native.runtime.machine import UNSEEN, Machine, drawn, first_shared

POOL, OTHER = UNSEEN, UNSEEN - 1


def machine(cells: list[object], pools: list[tuple[int, ...]]) -> Machine:
    """A machine with such cells: piles of a game of four."""
    return Machine(game_of(PILES).module, cells, pools, [[0, 0, []]])


PILES = """
game "Piles":
  players: 2

values Card: 1..9
zone one: pile of Card, seen by nobody, starts with each Card
zone two: pile of Card, seen by nobody
zone three: pile of Card

overview:
  shuffle one
  turns of p from seat(1): p must go

move go: put top from one onto two
"""


def test_a_pool_without_one_card() -> None:
    assert drawn((1, 1, 2), 1) == (1, 2) and drawn((3,), 3) == ()


@pytest.mark.parametrize(
    ("pile", "pools", "place"),
    [
        ((), [], -1),
        ((1, 2), [], -1),
        ((POOL, POOL), [(1, 2, 3)], -1),
        ((POOL, 4), [(1,)], -1),
        ((4, POOL), [(1, 2)], 1),
        ((POOL, 4, OTHER), [(1,), (2, 3)], 2),
        ((OTHER, POOL), [(1, 2), (2, 3)], 0),
    ],
)
def test_what_must_be_settled_before_a_pile_is_shuffled(
    pile: tuple[int, ...], pools: list[tuple[int, ...]], place: int
) -> None:
    assert first_shared(pile, pools) == place


def test_an_unseen_top_is_any_of_its_pool() -> None:
    step = machine([(1, POOL), (POOL, 1), ()], [(2, 3)])
    assert [step.unseen_top(pile) for pile in step.c] == [(2, 3), (), ()]


def test_a_top_is_settled_and_leaves_its_pool() -> None:
    step = machine([(1, POOL), (POOL,), (4,)], [(2, 3)])
    failure = len(step.module.flat.failures) - 1
    step.settle(0, 3, failure, 0)
    assert (step.c[0], step.pools) == ((1, 3), [(2,)])
    step.settle(0, 2, failure, 0)
    step.settle(2, 2, failure, 0)
    assert step.c == [(1, 3), (POOL,), (4,)], "what is seen already stays"
    step.settle(1, 2, failure, 0)
    assert (step.c[1], step.pools) == ((2,), [()])


def test_a_pile_becomes_unseen_over_the_lowest_free_pool() -> None:
    step = machine([(3, 1, 2), (5,), ()], [(), (7,)])
    assert step.unsee(0) == ()
    assert (step.c[0], step.pools) == ((POOL,) * 3, [(1, 2, 3), (7,)])
    assert step.unsee(1) == () and step.pools[2] == (5,) and step.c[1] == (UNSEEN - 2,)
    assert step.unsee(2) == () and step.c[2] == ()
    assert step.unsee(0) == () and step.pools[0] == (1, 2, 3), "it is so already"


def test_what_a_pile_shares_with_another_is_drawn_first() -> None:
    step = machine([(4, POOL), (POOL,), ()], [(1, 2)])
    assert step.unsee(0) == (1, 2), "two cards: chance decides"
    step.settle_shared(0, 2)
    assert (step.c[0], step.pools) == ((4, 2), [(1,)])
    assert step.unsee(0) == () and step.pools == [(1,), (2, 4)]


def test_frames() -> None:
    g = Graph()
    g.procedure("overview", 0, 1, g.here)
    g.end(n.Aborted())
    g.procedure("rule", 1, 3, g.here)
    g.ret()
    built = attrs.evolve(program(g, []), configuration=Configuration(2, ()))
    step = Machine(Game(built).module, [], [], [[0, 0, [0]]])
    step.open(1, [7])
    assert step.frames[-1] == [1, 1, [7, 0, 0]], "locals behind the arguments are 0"
    assert not step.close() and len(step.frames) == 1
    for _ in range(3):
        step.open(1, [1])
    assert not step.leave(1) and len(step.frames) == 3, "the innermost one"
    assert step.leave(0) and step.over == 1, "nothing is left behind the overview"
    with pytest.raises(Broken):
        step.leave(5)
    while len(step.frames) < limits.WINDOW_DEPTH:
        step.open(1, [1])
    with pytest.raises(Exhausted, match="RL8010"):
        step.open(1, [1])
    del step.frames[1:]
    assert step.close() and step.over == step.frames[0][1]


FORCED = """
game "Forced":
  players: 2
  automatic: forced_chance, forced_choices

values Card: 1..3
zone one: pile of Card, seen by nobody, starts with each Card times 2
zone hand for each player: bag of Card
zone heap: pile of Card
marker die: 1..2

overview:
  shuffle one
  turns of p from seat(1):
    if one is empty: end game, nobody wins
    put top from one into p's hand
    p must lay or keep
    players must secretly keep or lay

move lay(card in my hand):
  require alike: card is 2 because "only a two"
  put card from my hand onto heap
move keep
"""


BOTH = "forced_chance, forced_choices"


@pytest.mark.parametrize("kept", ["forced_chance", "forced_choices", None])
def test_what_is_forced_comes_by_itself(kept: str | None) -> None:
    rules = FORCED if kept is None else FORCED.replace(BOTH, kept)
    assert differ(rules, moves=150) is None


def test_one_card_alone_is_no_chance() -> None:
    """Six cards: five outcomes are drawn, the sixth comes by itself; and who can only keep is not asked."""
    state = game_of(FORCED).start()
    outcomes = asked = 0
    while state.outcome is None:
        if state.waiting.kind == "chance":
            state = state.step(Outcome(1 if 1 in dict(state.chance()) else max(dict(state.chance()))))
            outcomes += 1
            continue
        asked += 1
        seats = state.waiting.seats
        assert any(len(state.moves(seat)) > 1 for seat in seats)
        answers = tuple(state.moves(seat)[-1] for seat in seats)
        state = state.step(answers[0] if state.waiting.kind == "seat" else Sealed(answers))
    assert outcomes == 5 and asked > 0


COSTLY = """
game "Costly":
  players: 2

marker far: 0..100000

overview:
  turns of p from seat(1): p must go or stay

move go(n in 1..9):
  repeat 65536 times: far becomes sum(n * m for each m in 1..9)
move stay
"""


@pytest.mark.soak  # it spends a million units, twice
def test_a_step_that_costs_too_much_is_given_up_and_nothing_has_happened() -> None:
    assert differ(COSTLY, moves=40) is None
    state = game_of(COSTLY).start()
    with pytest.raises(Exhausted, match="RL8009") as failure:
        state.step(Play(0, 0, (3,)))
    assert failure.value.line == 10 and state.cells == (0,)
    assert game_of(COSTLY).module.flat.metered and not game_of(PILES).module.flat.metered
    assert program_of(COSTLY).moves[0].name == "go"
