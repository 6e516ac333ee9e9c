"""The reference interpreter on small programs written by hand. Spec 7 to 10, 13 and 16."""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import attrs
import pytest
from hand_programs import (
    AT,
    BLIND,
    EVERYONE,
    NOBODY,
    OPEN,
    OWN,
    SEAT,
    Graph,
    c,
    copies,
    deal,
    marker,
    move,
    numbers,
    poker,
    program,
    read,
    require,
    slot,
    v,
    words,
    zone,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang import limits
from rulelang.failures import Exhausted, Refused
from rulelang.ir import effects as fx
from rulelang.ir import expressions as ir
from rulelang.ir import nodes as n
from rulelang.ir import program as pg
from rulelang.ir.types import FieldType, NamesType, OptionalType, RecordType
from rulelang.ir.verify import verify
from rulelang.play.engine import children
from rulelang.play.event import Event, Outcome, Pass, Play, Sealed
from rulelang.play.view import Observed, Seen
from rulelang.play.words import move_text, read_move
from rulelang_reference import engine
from rulelang_reference.game import Game
from rulelang_reference.state import UNSEEN, State

ANIMAL = NamesType("Animal", ("tapir", "kappa", "baku"))
ME, CARD = v(0, "me"), v(1, "card")
NONE = c(-1)


def start(built: pg.Program, seats: int = 2, **options: Any) -> Any:
    """The first state of a program."""
    return engine.configure(built, seats, options).start()


def after(state: Any, *events: Event) -> Any:
    """The state after some events, each of which leaves the state before it untouched."""
    for event in events:
        before = state.to_bytes()
        following = state.step(event)
        assert state.to_bytes() == before
        assert following.previous is state and following.event == event
        state = following
    return state


def reachable(state: Any, most: int = 3000) -> Iterator[Any]:
    """States that can follow, the nearest first."""
    waiting, seen = [state], set()
    while waiting and len(seen) < most:
        current = waiting.pop(0)
        if current.hash not in seen:
            seen.add(current.hash)
            yield current
            waiting += [current.step(event) for event in children(current)]


# ------------------------------------------------------------------ dice


def dice() -> pg.Program:
    """Two dice in an open tray; the seat that rolls may roll both again once."""
    face = numbers(1, 2)
    die = RecordType(
        "Die", (FieldType("colour", NamesType("Colour", ("white", "black"))), FieldType("face", OptionalType(face)))
    )
    tray = zone("tray", die, "bag", OPEN, starts=[pg.Start(v(0), c((0, 3)), c(1))])
    g = Graph()
    g.procedure("overview", 0, 3, g.here)
    g.call(1)
    g.decide(n.OneSeat(c(0), True), (0,), v(2))
    g.branch(v(2), None, g.here + 3)
    g.call(1)
    g.call(1)
    total = ir.Total(v(1), read(0), c(1), ir.Part(v(1), die, 1))
    g.end(n.Grade(total))
    g.procedure("roll", 0, 2, g.here)
    g.do(fx.PickUp(slot(0), die))
    for _ in range(2):
        g.chance(n.AnyOf(ir.AllOf(face), c(0)), v(0))
        g.do(fx.Land(slot(0), v(0), die))
    g.ret()
    g.procedure("again", 1, 1, g.here)
    g.ret()
    return program(g, [tray], [move("again", 2)])


def test_dice_are_rolled_one_after_the_other() -> None:
    state = start(dice())
    assert state.waiting.kind == "chance"
    assert state.chance() == ((1, Fraction(1, 2)), (2, Fraction(1, 2)))
    state = after(state, Outcome(2), Outcome(1))
    assert state.view(1).seen == (Seen(0, 0, "content", (2, 4)),)
    assert state.moves(0) == (Play(0, 0), Pass(0))
    ended = after(state, Pass(0))
    assert (ended.outcome.kind, ended.outcome.grade, ended.outcome.returns) == ("grade", 3, (3, 3))
    again = after(state, Play(0, 0))
    assert again.waiting.kind == "chance"
    assert again.view(None).seen == (Seen(0, 0, "content", (0, 3)),)


def test_an_outcome_that_cannot_come_is_refused() -> None:
    state = start(dice())
    for event in (Outcome(3), Play(0, 0), Pass(1), Sealed((Pass(0),))):
        with pytest.raises(Refused) as refused:
            state.step(event)
        assert refused.value.reasons[0].words


# ------------------------------------------------------------------ dealing


def dealing(*effects: Any, draws: int = 2, forced_chance: bool = False) -> pg.Program:
    """A blind deck of six, some effects, then cards dealt to the seats in turn."""
    deck, hand, heap = range(3)
    slots = [
        zone("deck", ANIMAL, "pile", BLIND, starts=[copies(ANIMAL, 2)], blind=True),
        zone("hand", ANIMAL, "bag", OWN, index=[SEAT]),
        zone("heap", ANIMAL, "pile", pg.Sight(NOBODY, EVERYONE, EVERYONE)),
        zone("spare", ANIMAL, "pile", BLIND, blind=True),
    ]
    g = Graph()
    g.procedure("overview", 0, 2, g.here)
    g.do(*effects)
    for turn in range(draws):
        deal(g, deck, v(0), slot(hand, c(turn % 2)))
    g.decide(n.OneSeat(c(0), False), (0,))
    g.end(n.Aborted())
    g.procedure("lay", 2, 2, g.here)
    g.do(fx.MovePieces(CARD, slot(hand, ME), slot(heap), "top"))
    g.ret()
    here = ir.Read(slot(hand, ME))
    lay = pg.Parameter("card", ANIMAL, here, "my hand", (hand,), (here, read(heap)))
    return program(
        g,
        slots,
        [
            move(
                "lay",
                1,
                [lay],
                [require("no_baku", ir.Not(ir.Equal(CARD, c(2))), words("No ", ir.Spoken(CARD, ANIMAL), "."), 1)],
            )
        ],
        forced_chance=forced_chance,
    )


SHUFFLE = fx.Shuffle(slot(0))


def known_on_top(count: int) -> Any:
    """The lowest cards of the deck come back on top, after a shuffle of the others."""
    return (
        fx.MoveTop(slot(0), c(6 - count), slot(3), "top"),
        fx.Shuffle(slot(3)),
        fx.MoveAll(slot(3), slot(0), "bottom"),
    )


def test_a_shuffled_deck_is_drawn_without_replacement() -> None:
    state = start(dealing(SHUFFLE))
    assert state.chance() == tuple((code, Fraction(1, 3)) for code in range(3))
    state = after(state, Outcome(1))
    assert state.chance() == ((0, Fraction(2, 5)), (1, Fraction(1, 5)), (2, Fraction(2, 5)))
    state = after(state, Outcome(1))
    assert state.cells[:3] == ((UNSEEN,) * 4, (1,), (1,))
    assert state.pools == ((0, 0, 2, 2),)


def test_known_cards_on_top_need_no_chance() -> None:
    state = start(dealing(*known_on_top(2)))
    assert state.waiting.kind == "seat"
    assert state.cells[0] == (UNSEEN,) * 4
    assert state.cells[1:3] == ((0,), (0,))
    assert state.pools == ((1, 1, 2, 2),)


def test_each_seat_sees_its_own_hand_only() -> None:
    state = after(start(dealing(SHUFFLE)), Outcome(1), Outcome(0))
    hidden = {seat: [s for s in state.view(seat).seen if s.slot == 1] for seat in (0, 1, None)}
    assert hidden[0] == [Seen(1, 0, "content", (1,)), Seen(1, 1, "size", 1)]
    assert hidden[1] == [Seen(1, 0, "size", 1), Seen(1, 1, "content", (0,))]
    assert hidden[None] == [Seen(1, 0, "size", 1), Seen(1, 1, "size", 1)]
    assert Seen(2, 0, "top", -1) in state.view(1).seen and Seen(2, 0, "size", 0) in state.view(1).seen
    assert Seen(0, 0, "size", 4) in state.view(0).seen
    for seat in (0, 1, None):
        assert all(-1 <= value <= 6 for seen in state.view(seat).seen for value in _numbers(seen.value))


def _numbers(value: Any) -> list[int]:
    return [value] if isinstance(value, int) else [inner for each in value for inner in _numbers(each)]


def test_a_laid_card_is_observed_by_those_who_see_a_place() -> None:
    state = after(start(dealing(SHUFFLE)), Outcome(1), Outcome(0), Play(0, 0, (1,)))
    assert state.outcome.kind == "aborted"
    assert state.observed(0) == (Observed(0, 0, (1,)),)
    assert state.observed(1) == (Observed(0, 0, (None,)),)
    assert state.observed(None) == (Observed(0, 0, (None,)),)
    assert Seen(2, 0, "top", 1) in state.view(1).seen
    assert state.information(1).observed == state.observed(1)


CUT = (SHUFFLE, fx.MoveTop(slot(0), c(3), slot(3), "top"))


def test_a_cut_deck_shares_its_pool() -> None:
    state = start(dealing(*CUT))
    assert state.cells[0] == state.cells[4] == (UNSEEN,) * 3
    assert len(state.chance()) == 3
    again = start(dealing(*CUT, SHUFFLE, fx.Shuffle(slot(3))))
    assert again.cells == state.cells and again.pools == state.pools, "what is unseen throughout needs no mixing"


def test_a_shuffle_that_mixes_settles_what_is_shared_first() -> None:
    mixed = (
        fx.MoveTop(slot(0), c(1), slot(2), "top"),
        *CUT,
        fx.MoveAll(slot(2), slot(0), "top"),
        SHUFFLE,
    )
    state = start(dealing(*mixed, draws=1))
    assert state.waiting.kind == "chance"
    assert state.chance() == ((0, Fraction(2, 5)), (1, Fraction(2, 5)), (2, Fraction(1, 5)))
    state = after(state, Outcome(0), Outcome(1))
    assert state.cells[0] == (UNSEEN - 1,) * 3
    assert state.pools == ((0, 1, 2), (0, 1, 2))
    again = state.game.from_bytes(state.to_bytes())
    assert again.pools == state.pools and again.cells[0] == (UNSEEN,) * 3, "pools are numbered as they first appear"


def test_forced_chance_resolves_itself_only_where_the_rules_say_so() -> None:
    one = (fx.MoveTop(slot(0), c(5), slot(2), "top"), SHUFFLE)
    assert start(dealing(*one, draws=1)).chance() == ((0, Fraction(1)),)
    assert start(dealing(*one, draws=1, forced_chance=True)).waiting.kind == "seat"
    alike = (fx.MoveTop(slot(0), c(4), slot(2), "top"), SHUFFLE)
    assert start(dealing(*alike, draws=1, forced_chance=True)).waiting.kind == "chance", "nobody is told they are alike"


def test_gather_and_pieces_keep_their_order() -> None:
    down = start(
        dealing(fx.MoveTop(slot(0), c(3), slot(2), "top"), fx.MoveTop(slot(0), c(1), slot(2), "bottom"), draws=0)
    )
    assert down.cells[0] == (0, 0) and down.cells[3] == (1, 1, 2, 2)
    gathered = start(dealing(fx.MoveTop(slot(0), c(3), slot(2), "top"), fx.Gather((0, 1, 2, 3), slot(3)), draws=0))
    assert gathered.cells[4] == (0, 0, 1, 1, 2, 2)
    some = start(dealing(fx.MovePieces(c((1, 0, 1)), slot(0), slot(2), "top"), draws=0))
    assert some.cells[0] == (0, 2, 2) and some.cells[3] == (1, 0, 1)


@pytest.mark.parametrize(
    "effect",
    [
        fx.MovePieces(c((0, 0, 0)), slot(0), slot(2), "top"),
        fx.SetLocal(v(0), ir.Add(c(2**63 - 1), v(1))),
        fx.MovePieces(c(0), slot(1, v(1)), slot(2), "top"),
    ],
)
def test_limits_of_effects(effect: Any) -> None:
    one = fx.SetLocal(v(1), ir.Size(read(0)))
    with pytest.raises(Exhausted):
        start(dealing(one, effect, draws=0))


# ------------------------------------------------------------------ refusals


def test_every_failing_reason_is_given_in_order() -> None:
    state = after(start(dealing(SHUFFLE)), Outcome(1), Outcome(2))
    reasons = {
        Play(0, 0, (1,)): [],
        Play(0, 0, (0,)): ["card_not_there"],
        Play(0, 0, (3,)): ["no_such_value"],
        Play(0, 0, ()): ["wrong_number_of_arguments"],
        Play(1, 0, (2,)): ["not_your_turn", "no_baku"],
        Play(1, 0, (0,)): ["not_your_turn", "card_not_there"],
        Play(5, 0, (0,)): ["no_such_seat"],
        Play(0, 7, ()): ["no_such_move"],
        Pass(0): ["not_offered"],
        Pass(1): ["not_your_turn"],
    }
    assert {answer: [reason.code for reason in state.refusals(answer)] for answer in reasons} == reasons
    assert state.refusals(Play(0, 0, (0,)))[0].words == "tapir is not in your hand."
    no_baku = state.refusals(Play(1, 0, (2,)))[1]
    assert (no_baku.words, no_baku.witnesses[0].value) == ("No baku.", "baku")
    over = after(state, Play(0, 0, (1,)))
    assert over.refusals(Play(0, 0, (1,)))[0].code == "game_over"
    assert [reason.code for reason in start(dealing(SHUFFLE)).refusals(Pass(0))] == ["not_your_turn"]


def test_a_waiting_point_gives_its_own_words() -> None:
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.decide(n.OneSeat(c(0), False), (0,), None, words("First ", ir.Spoken(c(0), SEAT), "."))
    g.end(n.Winners(c((0,))))
    g.procedure("go", 1, 1, g.here)
    g.ret()
    state = start(program(g, [], [move("go", 1), move("stay", 1)]))
    assert state.waiting.words == "First seat 1."
    assert [reason.words for reason in state.refusals(Play(1, 0))] == ["First seat 1."]
    assert [reason.code for reason in state.refusals(Play(0, 1))] == ["not_offered"]
    assert after(state, Play(0, 0)).outcome.returns == (1, -1)


def test_searches_bring_their_witness() -> None:
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.decide(n.OneSeat(c(0), False), (0, 1))
    g.end(n.Winners(c(())))
    g.procedure("go", 1, 1, g.here)
    g.ret()
    every = ir.Every(v(1, "heap"), c((1, 2, 3)), ir.Less(c(0), ir.Size(read(0, v(1, "heap")))))
    some = ir.Not(ir.Exists(v(1, "heap"), c((1, 2, 3)), ir.Equal(ir.Size(read(0, v(1, "heap"))), c(1))))
    moves = [
        move("go", 1, (), [require("filled", every, words("A heap is empty."))], locals=2),
        move("run", 1, (), [require("none_single", ir.Both((every, some)), words("One is single."))], locals=2),
    ]
    state = start(program(g, [zone("heap", ANIMAL, "pile", OPEN, index=[numbers(1, 3)])], moves))
    assert [(w.name, w.value) for w in state.refusals(Play(0, 0))[0].witnesses] == [("heap", "1")]
    assert state.refusals(Play(0, 1))[0].witnesses[0].name == "heap"
    assert state.moves(0) == ()


# ------------------------------------------------------------------ sealed answers


def sealed(may_pass: bool, leaving: bool = False, forced: bool = False) -> pg.Program:
    """Every seat bids a number below its limit; bids are written down one after the other."""
    bids, count, limit = 0, 1, 2
    g = Graph()
    g.procedure("overview", 0, 1, g.here)
    g.call(1)
    g.end(n.Amounts(v(0), ir.AllOf(SEAT), read(bids, v(0))))
    g.procedure("bidding", 0, 1, g.here)
    g.decide(n.SealedSeats(c((1, 0)), may_pass), (0,), v(0))
    g.ret()
    g.procedure("bid", 2, 2, g.here)
    g.do(
        fx.SetMarker(slot(bids, ME), ir.Add(ir.Multiply(CARD, c(10)), read(count))),
        fx.SetMarker(slot(count), ir.Add(read(count), c(1))),
    )
    g.add(n.Leave(1, AT)) if leaving else g.ret()
    secret = pg.Sight(pg.Owner(), NOBODY, NOBODY)
    slots = [
        marker("bids", numbers(0, 99), 0, secret, [SEAT]),
        marker("count", numbers(0, 2), 0),
        marker("limit", numbers(0, 3), 1 if forced else 2, secret, [SEAT]),
    ]
    amount = pg.Parameter(
        "amount", numbers(0, 3), ir.Span(c(1), read(limit, ME), c(9)), "the amounts", (), (read(bids, ME),)
    )
    return program(g, slots, [move("bid", 2, [amount])], forced_choices=forced)


def test_sealed_answers_are_carried_out_in_the_order_of_the_list() -> None:
    state = start(sealed(may_pass=False))
    assert (state.waiting.kind, state.waiting.seats) == ("sealed", (1, 0))
    assert next(children(state)) == Sealed((Play(1, 0, (1,)), Play(0, 0, (1,))))
    ended = after(state, Sealed((Play(1, 0, (2,)), Play(0, 0, (1,)))))
    assert ended.outcome.returns == (11, 20)
    assert ended.outcome.places == (2, 1) and ended.outcome.winners == (1,)
    assert ended.observed(0) == (Observed(1, 0, (None,)), Observed(0, 0, (1,)))
    assert ended.observed(None) == (Observed(1, 0, (None,)), Observed(0, 0, (None,)))


def test_leaving_drops_the_later_sealed_answers() -> None:
    ended = after(start(sealed(may_pass=False, leaving=True)), Sealed((Play(1, 0, (2,)), Play(0, 0, (1,)))))
    assert ended.outcome.returns == (0, 20)


def test_sealed_seats_may_pass() -> None:
    state = start(sealed(may_pass=True))
    assert state.moves(1) == (Play(1, 0, (1,)), Play(1, 0, (2,)), Pass(1))
    ended = after(state, Sealed((Pass(1), Play(0, 0, (1,)))))
    assert ended.outcome.returns == (10, 0)
    assert ended.observed(0)[0] == Observed(1, None, ())


def test_sealed_answers_come_together() -> None:
    state = start(sealed(may_pass=False))
    wrong: list[Event] = [
        Play(1, 0, (1,)),
        Sealed((Play(0, 0, (1,)), Play(1, 0, (1,)))),
        Sealed((Play(1, 0, (1,)),)),
        Sealed((Play(1, 0, (3,)), Play(0, 0, (3,)))),
        Sealed((Pass(1), Pass(0))),
    ]
    for event in wrong:
        with pytest.raises(Refused):
            state.step(event)


def test_forced_choices_resolve_themselves_and_are_observed() -> None:
    state = start(sealed(may_pass=False, forced=True))
    assert state.outcome.returns == (11, 10)
    assert state.observed(0) == (Observed(1, 0, (None,)), Observed(0, 0, (1,)))


# ------------------------------------------------------------------ loops and leaving


def rounds(capacity: int = 3, most_stops: int = 3) -> pg.Program:
    """Three rounds in which each seat counts up to a limit and may stop the whole round."""
    total, hops = 0, 1
    g = Graph()
    g.procedure("overview", 0, 3, g.here)
    g.do(fx.SetLocal(v(0), c((1, 2, 3))), fx.SetLocal(v(1), c(0)))
    head = g.add(n.Loop(v(0), v(1), v(2), g.here + 1, g.here + 3, c(capacity), AT))
    g.call(1)
    g.jump(head)
    g.end(n.Grade(read(total)))
    g.procedure("round", 0, 1, g.here)
    top = g.here
    g.decide(n.OneSeat(c(0), True), (0, 1), v(0))
    g.branch(v(0), top, None)
    g.ret()
    g.procedure("count", 1, 1, g.here)
    g.do(fx.SetMarker(slot(total), ir.Add(read(total), c(1))))
    g.ret()
    g.procedure("stop", 1, 1, g.here)
    g.do(fx.SetMarker(slot(hops), ir.Add(read(hops), c(1))))
    g.add(n.Leave(1, AT))
    below = require("below", ir.Less(read(total), c(4)), words("That is enough."))
    moves = [move("count", 2, requirements=[below]), move("stop", 3, requirements=[below])]
    always = pg.Invariant("low", ir.Less(read(total), c(4)), 1, AT)
    return program(
        g, [marker("total", numbers(0, 9), 0), marker("hops", numbers(0, most_stops), 0)], moves, invariants=(always,)
    )


COUNT, STOP = Play(0, 0), Play(0, 1)


def test_a_round_is_left_and_the_loop_goes_on() -> None:
    state = after(start(rounds()), COUNT, STOP, COUNT, Pass(0), COUNT, Pass(0))
    assert state.outcome.grade == 3


def test_a_seat_without_a_move_is_not_asked() -> None:
    state = after(start(rounds()), COUNT, COUNT, COUNT)
    assert state.game.invariants(state) == ()
    state = after(state, COUNT)
    assert state.outcome.grade == 4 and state.game.invariants(state) == ("low",)


def test_exhausted_leaves_the_state_as_it_was() -> None:
    state = after(start(rounds(most_stops=1)), STOP)
    before = state.to_bytes()
    with pytest.raises(Exhausted, match=r"'hops' cannot become 2; it stays within 0\.\.1"):
        state.step(STOP)
    assert state.to_bytes() == before
    with pytest.raises(Exhausted, match="RL8011"):
        after(start(rounds(capacity=1)), Pass(0))


def endless(*nodes: Any) -> pg.Program:
    """A program that never waits."""
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    for node in nodes:
        g.add(node)
    return program(g, [marker("one", numbers(1, 1), 1)])


def test_cost_and_depth_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SETUP_COST", 1000)
    one = ir.Equal(read(0), c(1))
    with pytest.raises(Exhausted, match="RL8009"):
        start(endless(n.Branch(one, 0, 0, AT)))
    with pytest.raises(Exhausted, match="RL8010"):
        start(endless(n.Call(0, (), 0, AT)))


def test_the_end_of_the_overview_breaks_the_game_off() -> None:
    for last in (n.Return(AT), n.Leave(0, AT)):
        state = start(endless(last))
        assert state.outcome.kind == "aborted" and state.waiting.kind == "over"
        assert state.game.from_bytes(state.to_bytes()).outcome == state.outcome


@pytest.mark.parametrize(
    ("outcome", "winners", "places", "returns"),
    [
        (n.Winners(c((0, 2))), (0, 2), (1, 3, 1), (Fraction(1, 2), -1, Fraction(1, 2))),
        (n.Winners(c(())), (), (1, 1, 1), (0, 0, 0)),
        (n.Winners(c((2, 1, 0))), (), (1, 1, 1), (0, 0, 0)),
        (n.Amounts(v(0), c((1, 2)), v(0)), (2,), (3, 2, 1), (0, 1, 2)),
        (n.Amounts(v(0), c((0, 1, 2)), c(4)), (), (1, 1, 1), (4, 4, 4)),
        (n.Grade(c(7)), (), (1, 1, 1), (7, 7, 7)),
        (n.Unresolved(c((1, 2))), (), (3, 1, 1), (0, 0, 0)),
        (n.Aborted(), (), (1, 1, 1), (0, 0, 0)),
    ],
)
def test_outcomes(outcome: Any, winners: Any, places: Any, returns: Any) -> None:
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.end(outcome)
    ended = start(program(g, [], seats=(3, 3)), 3).outcome
    assert (ended.winners, ended.places, ended.returns) == (winners, places, returns)


# ------------------------------------------------------------------ sight


def test_sight_by_a_list_of_seats() -> None:
    chief = pg.These(ir.MakeList((read(0),)), v(3, "owner"))
    left = pg.These(ir.MakeList((ir.Remainder(ir.Add(v(3), c(1)), ir.Size(ir.AllOf(SEAT))),)), v(3, "owner"))
    slots = [
        marker("chief", SEAT, 1),
        marker("plan", numbers(0, 9), 4, pg.Sight(chief, chief, chief)),
        marker("brow", numbers(0, 9), 5, pg.Sight(left, left, left), [SEAT]),
    ]
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.end(n.Aborted())
    state = start(program(g, slots))
    assert [(s.slot, s.member) for s in state.view(0).seen] == [(0, 0), (2, 1)]
    assert [(s.slot, s.member) for s in state.view(1).seen] == [(0, 0), (1, 0), (2, 0)]
    assert [(s.slot, s.member) for s in state.view(None).seen] == [(0, 0)]


# ------------------------------------------------------------------ every program

PROGRAMS = {
    "dice": dice(),
    "dealing": dealing(SHUFFLE),
    "cut": dealing(fx.MoveTop(slot(0), c(1), slot(2), "top"), *CUT, fx.MoveAll(slot(2), slot(0), "top"), SHUFFLE),
    "sealed": sealed(may_pass=True),
    "rounds": rounds(),
    "poker": poker(),
}


@pytest.fixture(params=PROGRAMS)
def game(request: pytest.FixtureRequest) -> Game:
    """Each of the small games."""
    return engine.configure(PROGRAMS[request.param], 2, {})


def test_the_programs_of_this_file_are_sound(game: Game) -> None:
    assert verify(game.program) == ()


def test_states_are_saved_and_loaded(game: Game) -> None:
    for state in reachable(game.start(), 400):
        loaded = game.from_bytes(state.to_bytes())
        assert loaded.to_bytes() == state.to_bytes() and loaded.hash == state.hash
        assert loaded.waiting == state.waiting and loaded.outcome == state.outcome
        assert loaded.chance() == state.chance()
        assert [loaded.moves(seat) for seat in (0, 1)] == [state.moves(seat) for seat in (0, 1)]
        assert [loaded.view(seat) for seat in (0, 1, None)] == [state.view(seat) for seat in (0, 1, None)]


def test_damaged_bytes_are_refused_or_read_back_alike(game: Game) -> None:
    rng = random.Random(3)
    for state in list(reachable(game.start(), 40)):
        data = state.to_bytes()
        for cut in range(len(data)):
            with pytest.raises(Refused):
                game.from_bytes(data[:cut])
        for _ in range(40):
            damaged = bytearray(data)
            damaged[rng.randrange(len(data))] = rng.randrange(256)
            try:
                assert game.from_bytes(bytes(damaged)).to_bytes() == damaged
            except Refused as refused:
                assert refused.reasons[0].code == "not_a_state"


def attempts(game: Game) -> Iterator[Any]:
    """Every answer by every seat, as far as there are numbers."""
    for seat in (0, 1):
        yield from (game.answer(seat, number) for number in range(game.max_numbers))


def test_listed_moves_are_exactly_the_attempts_that_are_not_refused(game: Game) -> None:
    for state in reachable(game.start(), 400):
        for seat in (0, 1):
            listed = state.moves(seat)
            legal = [answer for answer in attempts(game) if answer.seat == seat and not state.refusals(answer)]
            assert list(listed) == legal
            assert [game.number(answer) for answer in listed] == sorted(game.number(answer) for answer in listed)


def test_numbers_and_words_of_moves_are_read_back(game: Game) -> None:
    for number in range(game.max_numbers):
        answer = game.answer(1, number)
        assert game.number(answer) == number
        assert read_move(game.program, 1, move_text(game.program, answer).upper()) == answer
    with pytest.raises(Refused):
        game.answer(0, game.max_numbers)


@given(st.integers(0, 2**32), st.sampled_from(sorted(PROGRAMS)))
@settings(max_examples=60, deadline=None)
def test_a_random_game_ends_and_replays(seed: int, name: str) -> None:
    rng = random.Random(seed)
    state: State = engine.configure(PROGRAMS[name], 2, {}).start()
    events = []
    while following := list(children(state)):
        events.append(rng.choice(following))
        state = state.step(events[-1])
        assert 0 < state.cost <= 1_000_000
        assert len(events) < 200
    again = after(engine.configure(PROGRAMS[name], 2, {}).start(), *events)
    assert again.to_bytes() == state.to_bytes()
    assert [again.information(seat) for seat in (0, 1, None)] == [state.information(seat) for seat in (0, 1, None)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("lya(tapir)", "no_such_move"),
        ("lay", "wrong_number_of_arguments"),
        ("lay(a, b)", "wrong_number_of_arguments"),
        ("lay(tapir", "wrong_number_of_arguments"),
        ("lay(taper)", "bad_argument"),
    ],
)
def test_texts_that_are_no_moves(text: str, code: str) -> None:
    closed = engine.configure(dealing(SHUFFLE), 2, {}).program
    with pytest.raises(Refused) as refused:
        read_move(closed, 0, text)
    assert refused.value.reasons[0].code == code
    assert read_move(closed, 0, " Lay ( TAPIR ) ") == Play(0, 0, (0,))
    assert read_move(closed, 1, "pass") == Pass(1)


def test_poker_has_the_histories_of_leduc() -> None:
    """The whole tree against the oracle: six different cards, every seat's information sets, exact random play."""
    histories: list[int] = []
    known: tuple[set[Any], set[Any]] = (set(), set())
    expected, layer = Fraction(0), [(start(poker(suits=2)), Fraction(1))]
    while layer:
        histories.append(len(layer))
        following = []
        for state, weight in layer:
            if state.outcome is not None:
                expected += weight * state.outcome.returns[0]
            elif state.waiting.kind == "seat":
                known[state.waiting.seats[0]].add(state.information(state.waiting.seats[0]))
            events = list(children(state))
            following += [(state.step(event), weight / len(events)) for event in events]
        layer = following
    assert histories == [1, 6, 30, 60, 150, 390, 780, 1800, 2640, 2280, 1080, 240]
    assert expected == Fraction(-5, 64)
    assert [len(sets) for sets in known] == [468, 468]


def test_the_engine_knows_its_name() -> None:
    assert engine.name == "reference"
    assert attrs.asdict(start(dice()).waiting)["kind"] == "chance"
