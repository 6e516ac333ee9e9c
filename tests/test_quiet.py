"""Which acts may be taken back: the program decides, and never too kindly. R6."""

from collections.abc import Sequence
from typing import Any

import attrs
import pytest
from fake_engine import AT, TYPE, program
from playing_rules import closed

from rulelang.failures import Refused
from rulelang.ir.effects import Effect, Gather, MoveAll, SetMarker
from rulelang.ir.expressions import Apply, Constant, Expression, Local, Read, Slot, Words
from rulelang.ir.nodes import (
    AnyOfSeats,
    Branch,
    Call,
    Chance,
    Decide,
    Do,
    End,
    Leave,
    Loop,
    Node,
    OneSeat,
    Return,
    TopOf,
    Unresolved,
)
from rulelang.ir.program import Everyone, Function, Marker, Nobody, Procedure, Program, Requirement, Sight, These, Zone
from rulelang.play.event import Play
from rulelang.play.match import Match
from rulelang.play.quiet import hides, is_quiet

ONE = Constant(1)
TABLE = Slot(0, ())
HAND = Slot(1, (Constant(0),))
OPEN = SetMarker(TABLE, ONE)
SECRET = SetMarker(HAND, ONE)
ITEM = Local(0, "item")


def with_nodes(nodes: Sequence[Node], **changes: object) -> Program:
    """One move, whose procedure starts at node 1; node 0 asks for it and goes on to node 2."""
    declared = program("quiet", ["act"], hidden=True)
    wait = Decide(OneSeat(Constant(0), False), (0,), None, None, 2, AT)
    return attrs.evolve(declared, nodes=(wait, *nodes), **changes)


def quiet(nodes: Sequence[Node], reached: int = 0, **changes: object) -> bool:
    return is_quiet(with_nodes(nodes, **changes), 0, (0,), reached)


def do(effect: Effect, to: int = 0) -> Do:
    return Do(effect, to, AT)


BACK = do(OPEN, 0)
RETURN = Return(AT)
MAY = Decide(OneSeat(Constant(0), True), (0,), None, None, 4, AT)


@pytest.mark.parametrize(
    ("nodes", "expected", "reached"),
    [
        ([RETURN, BACK], True, 0),
        ([do(OPEN, 3), BACK, RETURN], True, 0),
        ([do(SECRET, 3), BACK, RETURN], False, 0),
        ([RETURN, do(SECRET)], False, 0),
        ([do(SetMarker(TABLE, Read(HAND)), 2), BACK], False, 0),
        ([do(MoveAll(HAND, TABLE, "top"), 2), BACK], False, 0),
        ([do(Gather((0, 1), TABLE), 2), BACK], False, 0),
        ([do(Gather((0,), TABLE), 2), BACK], True, 0),
        ([RETURN, Branch(ONE, 0, 3, AT), BACK], True, 0),
        ([RETURN, Branch(ONE, 0, 3, AT), do(SECRET)], False, 0),
        ([RETURN, Loop(ITEM, ITEM, ITEM, 3, 0, ONE, AT), do(SECRET, 2)], False, 0),
        ([RETURN, Loop(ITEM, ITEM, ITEM, 3, 0, ONE, AT), do(OPEN, 2)], True, 0),
        ([RETURN, Call(0, (), 3, AT), BACK], True, 0),
        ([RETURN, Call(0, (Read(HAND),), 3, AT), BACK], False, 0),
        ([RETURN, BACK, Call(0, (), 4, AT), do(SECRET)], True, 0),
        ([RETURN, BACK, Call(1, (), 4, AT), do(SECRET)], False, 0),
        ([RETURN, Branch(ONE, 0, 3, AT), Chance(TopOf(HAND, ONE), ITEM, 0, AT)], True, 0),
        ([RETURN, Branch(ONE, 0, 3, AT), Chance(TopOf(HAND, ONE), ITEM, 0, AT)], False, 3),
        ([RETURN, BACK, do(SECRET)], False, 3),
        ([Leave(0, AT), BACK, Call(0, (), 4, AT), do(SECRET)], False, 0),
        ([RETURN, Decide(OneSeat(Constant(0), True), (0,), None, None, 0, AT)], False, 2),
        ([RETURN, Decide(OneSeat(Read(HAND), False), (0,), None, None, 0, AT)], False, 2),
        ([RETURN, Decide(OneSeat(ONE, False), (0,), None, Words(("go",)), 0, AT)], True, 2),
        ([RETURN, Chance(TopOf(HAND, ONE), ITEM, 0, AT)], False, 2),
        ([RETURN, Chance(TopOf(TABLE, ONE), ITEM, 0, AT)], True, 2),
        ([RETURN, End(Unresolved(ONE), AT)], False, 2),
        ([do(SetMarker(TABLE, Apply(0, ())), 2), BACK], False, 0),
        ([RETURN, Branch(ONE, 0, 3, AT), MAY, do(SECRET)], False, 0),  # nobody need be asked on the way
        ([RETURN, Branch(ONE, 0, 3, AT), MAY, Branch(ONE, 4, 4, AT)], True, 0),
    ],
)
def test_every_node_before_the_next_wait_counts(nodes: list[Node], expected: bool, reached: int) -> None:
    functions = (Function("peek", 0, 0, Apply(1, ()), AT), Function("inner", 0, 0, Read(HAND), AT))
    assert quiet(nodes, reached, functions=functions) is expected


def openly(act: Sequence[Node], until: Expression, answered: Local | None = None, **changes: object) -> bool:
    """Whether the act is quiet in open play (node 0, asked at node 2) behind which a secret is looked at."""
    wait = Decide(AnyOfSeats(Constant(0)), (0,), answered, None, 2, AT)
    nodes = (wait, act[0], Branch(until, 3, 0, AT), do(SECRET, 2), *act[1:])
    declared = program("quiet", ["act"], hidden=True)
    overview, *others = declared.procedures
    procedures = (attrs.evolve(overview, entry=2), *others)
    return is_quiet(attrs.evolve(declared, nodes=nodes, **{"procedures": procedures, **changes}), 0, (0,), 0)


def test_an_act_that_cannot_end_open_play_leads_straight_back() -> None:
    on_the_table = Read(TABLE)
    assert openly([RETURN], on_the_table)
    assert openly([Branch(on_the_table, 4, 4, AT), RETURN], on_the_table)
    assert openly([Call(1, (), 4, AT), RETURN], ONE) and openly([do(OPEN, 4), RETURN], ONE)


@pytest.mark.parametrize(
    ("act", "until", "changes"),
    [
        ([do(OPEN, 4), RETURN], Read(TABLE), {}),
        ([do(SECRET, 4), RETURN], ONE, {}),
        ([Branch(Read(HAND), 4, 4, AT), RETURN], ONE, {}),
        ([Leave(0, AT)], ONE, {}),
        ([attrs.evolve(MAY, next=4), RETURN], ONE, {}),
        ([RETURN], Read(TABLE), {"clock": 0}),
        ([RETURN], ITEM, {"answered": ITEM}),
        ([RETURN], ONE, {"procedures": program("quiet", ["act"], hidden=True).procedures}),
        ([do(OPEN, 0)], ONE, {}),
    ],
)
def test_an_act_that_may_end_open_play_or_touches_what_is_hidden_does_not(
    act: list[Node], until: Expression, changes: dict[str, Any]
) -> None:
    assert not openly(act, until, **changes)


ROUNDS = """
game "Rounds":
  players: 2

values Card: 1..9
zone deck: pile of Card, seen by nobody, starts with each Card
zone hand for each player: bag of Card, seen by owner
marker drawn: yes or no
marker said: 0..99

move talk: said rises by 1
move draw: drawn becomes yes

overview:
  shuffle deck
  repeat 9 times:
    players may freely talk or draw until drawn
    drawn becomes no
    put everything from seat(1)'s hand under deck
  end game, nobody wins
"""


def test_who_only_talks_can_take_it_back_though_a_new_round_would_touch_hidden_cards() -> None:
    match = Match(closed(ROUNDS, 2), 1)
    match.advance_chance()
    match.submit(Play(0, 0))
    match.undo(0)
    match.submit(Play(0, 1))
    with pytest.raises(Refused, match="something hidden may have been shown"):
        match.undo(0)


def test_what_goes_on_by_itself_is_not_quiet() -> None:
    asks: list[Node] = [RETURN, BACK]
    assert quiet(asks) and not quiet(asks, forced_choices=True)
    draws: list[Node] = [RETURN, Chance(TopOf(TABLE, ONE), ITEM, 0, AT)]
    assert quiet(draws, 2) and not quiet(draws, 2, forced_chance=True)


def test_a_requirement_on_something_hidden_tells_that_it_holds() -> None:
    declared = with_nodes([RETURN, BACK])
    holds: Expression = Read(HAND)
    move = attrs.evolve(declared.moves[0], requirements=(Requirement("has_it", holds, Words(()), 0, AT),))
    assert not is_quiet(attrs.evolve(declared, moves=(move,)), 0, (0,), 0)
    assert is_quiet(attrs.evolve(declared, moves=(move,)), 0, (), 0)


def test_what_decides_who_sees_something_is_not_quiet() -> None:
    everyone = Everyone()
    seen_by = These(Read(TABLE), ITEM)
    sight = Sight(seen_by, seen_by, everyone)
    declared = with_nodes([do(OPEN, 2), BACK])
    slots = (declared.slots[0], Marker("hand", (), TYPE, ONE, sight, AT))
    assert not is_quiet(attrs.evolve(declared, slots=slots), 0, (0,), 0)


def test_a_wait_that_is_none_is_not_quiet() -> None:
    declared = with_nodes([RETURN, BACK])
    assert not is_quiet(declared, -1, (), 0) and not is_quiet(declared, 99, (), 0) and not is_quiet(declared, 1, (), 0)


def test_what_a_game_hides() -> None:
    declared = program("open", ["act"])
    assert not hides(declared) and is_quiet(declared, 99, (), 0)
    public = Sight(Everyone(), Everyone(), Everyone())
    blind = Zone("deck", (), "pile", TYPE, public, (), True, AT)
    assert hides(attrs.evolve(declared, slots=(blind,)))
    secret = Marker("secret", (), TYPE, ONE, Sight(Nobody(), Nobody(), Nobody()), AT)
    assert hides(attrs.evolve(declared, slots=(secret,)))
    assert Procedure("p", 0, (), 0, AT).entry == 0
