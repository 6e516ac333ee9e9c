"""Positions: laid out wherever a frame can stand, also where play never comes to stand; and saved states."""

from collections.abc import Iterator
from typing import cast

import attrs
import pytest
from both_engines import differ, native, program_of, reference
from test_flow_shapes import CALLS, HEAD, LEAVING, MOVE, SHAPES

from rulelang.failures import Broken, Exhausted, Refused
from rulelang.ir.expressions import Constant
from rulelang.ir.laps import reachable
from rulelang.ir.program import Marker, Program
from rulelang.ir.types import CollectionType
from rulelang.pipeline import load
from rulelang.play.engine import Game
from rulelang.play.position import Position, StackFrame, Unseen
from rulelang.testing import Dice, legal_event


def laid_out(game: Game, position: Position) -> object:
    """What a position comes to: bytes, cost, what is waited for; or how it is refused."""
    try:
        state = game.position(position)
        return state.to_bytes(), state.cost, state.waiting, state.outcome
    except Refused as refused:
        return "refused", [reason.code for reason in refused.reasons]
    except Exhausted as failure:
        return failure.code, failure.message
    except (TypeError, Broken):  # a rule inside a loop through nothing, or that leaves one that does not run
        return "nonsense"


def standing_everywhere(program: Program, position: Position) -> Iterator[Position]:
    """The same table, with a frame at every node of every rule: alone, or on top of the overview."""
    overview = position.frames[0]
    for number, procedure in enumerate(program.procedures):
        for node in sorted(reachable(program, procedure.entry)):
            locals = overview.locals if number == 0 else (0,) * len(procedure.locals)
            frame = StackFrame(number, node, locals)
            yield attrs.evolve(position, frames=(frame,) if number == 0 else (overview, frame))


RULES = {
    **{name: HEAD + shape + MOVE for name, shape in SHAPES.items()},
    "left rules": LEAVING,
    "called rules": CALLS,
}


@pytest.mark.parametrize("name", RULES)
def test_frames_at_every_node(name: str) -> None:
    program = program_of(RULES[name])
    one, other = native.configure(program, 2, {}), reference.configure(program, 2, {})
    again: list[object] = []
    for seed in range(3):
        state, dice = other.start(), Dice.seeded(23, seed)
        for _ in range(seed * 2):
            event = legal_event(state, dice)
            if event is not None:
                state = state.step(event)
        for position in standing_everywhere(other.program, state.position()):
            found = laid_out(one, position)
            assert found == laid_out(other, position), position.frames
            again.append(found)
    assert len(again) > 20
    assert differ(program, moves=60) is None, "what was written anew plays on alike"


def test_a_rule_is_written_anew_only_once_for_each_node() -> None:
    program = program_of(CALLS)
    game = native.configure(program, 2, {})
    position = game.start().position()
    for _ in range(2):
        for each in standing_everywhere(game.program, position):
            laid_out(game, each)
    sources = len(game.module.blame.marks)
    for each in standing_everywhere(game.program, position):
        laid_out(game, each)
    assert len(game.module.blame.marks) == sources > 1


def test_a_frame_outside_its_rule_is_our_own_bug() -> None:
    game = native.configure(program_of(CALLS), 2, {})
    position = game.start().position()
    foreign = StackFrame(1, position.frames[0].node, (0,) * len(game.program.procedures[1].locals))
    with pytest.raises(Broken, match="outside its rule"):
        game.position(attrs.evolve(position, frames=(position.frames[0], foreign)))


TABLE = """
game "Table":
  players: 2

values Card: 1..3
zone stock: pile of Card, seen by nobody, starts with each Card times 2
zone place: slot of Card
zone hand for each player: bag of Card, seen by owner
marker total: 0..9
marker told: list of (1..3)

overview:
  shuffle stock
  put top(2) from stock into seat(1)'s hand
  turns of p from seat(1): p must go

move go: total becomes 1
"""


def table() -> Program:
    """The program of the table, whose list holds two at most."""
    program = program_of(TABLE)
    told = cast(Marker, program.slots[4])
    kind = attrs.evolve(cast(CollectionType, told.type), capacity=Constant(2))
    return attrs.evolve(program, slots=(*program.slots[:4], attrs.evolve(told, type=kind)))


def dealt(game: Game) -> Position:
    """Two cards in a hand, four unseen."""
    state, dice = game.start(), Dice.seeded(1, 1)
    while state.waiting.kind == "chance":
        event = legal_event(state, dice)
        assert event is not None
        state = state.step(event)
    return state.position()


@pytest.mark.parametrize(
    ("cell", "instead", "said"),
    [
        (0, 3, "holds something else"),
        (0, (Unseen(4),) * 4, "nothing lies unseen"),
        (0, (1, 1, 1, 1, 1, 1, 1), "holds at most 6"),
        (1, (1, 2), "holds at most 1"),
        (1, (9,), "cannot hold 9"),
        (1, (Unseen(0),), "nothing lies unseen"),
        (2, (1, "x"), "cannot hold x"),
        (4, 10, "cannot be 10"),
        (4, (1,), "holds something else"),
        (5, (1, 2, 3), "holds at most 2"),
        (5, (4,), "cannot hold 4"),
    ],
)
def test_what_cannot_lie_like_that(cell: int, instead: object, said: str) -> None:
    program = table()
    position = dealt(native.configure(program, 2, {}))
    cells = (*position.cells[:cell], instead, *position.cells[cell + 1 :])
    wrong = attrs.evolve(position, cells=cells)
    for engine in (native, reference):
        with pytest.raises(Refused, match=said):
            engine.configure(program, 2, {}).position(wrong)


def test_tables_that_do_not_fit() -> None:
    program = table()
    game, other = native.configure(program, 2, {}), reference.configure(program, 2, {})
    position = dealt(game)
    assert laid_out(game, position) == laid_out(other, position)
    more = (*position.frames[0].locals, 0)
    for wrong, said in (
        (attrs.evolve(position, cells=position.cells[1:]), "another number of places"),
        (attrs.evolve(position, pools=((1,),)), "a pool does not fit its piles"),
        (attrs.evolve(position, pools=(*position.pools, (1,))), "a pool does not fit its piles"),
        (attrs.evolve(position, frames=(attrs.evolve(position.frames[0], locals=more),)), "does not fit"),
    ):
        for each in (game, other):
            with pytest.raises(Refused, match=said):
                each.position(wrong)
    unsorted = attrs.evolve(position, cells=(*position.cells[:2], (3, 1), *position.cells[3:]))
    assert game.position(unsorted).cells[2] == (1, 3) == other.position(unsorted).cells[2]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["leduc-poker", "13-animals"])
def test_damaged_bytes_are_refused_or_play_on_alike(name: str) -> None:
    program = load(name).program
    game, other = native.configure(program, 2, {}), reference.configure(program, 2, {})
    state, dice = game.start(), Dice.seeded(29, 5)
    for _ in range(30):
        event = legal_event(state, dice)
        if event is None:
            break
        state = state.step(event)
    data = state.to_bytes()
    refused = 0
    for _ in range(300):
        place, value = dice.below(len(data)), dice.below(256)
        damaged = data[:place] + bytes([value]) + data[place + 1 :]
        found = [read(each, damaged) for each in (game, other)]
        # what the reference refuses is refused; and so is a rule that remembers what play never lets it remember
        assert found[0] in (found[1], "refused"), damaged
        refused += found[1] == "refused"
    assert refused > 100


def read(game: Game, data: bytes) -> object:
    """What such bytes come to."""
    try:
        state = game.from_bytes(data)
        return state.to_bytes(), state.waiting, [list(state.moves(seat)) for seat in state.waiting.seats]
    except Refused:
        return "refused"
    except Exhausted as failure:
        return failure.code
