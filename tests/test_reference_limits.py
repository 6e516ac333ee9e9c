"""Where the reference interpreter refuses to go on, and its rarer paths. Spec 8.5, 9.3, 10.3 and 16."""

import ast
from pathlib import Path
from typing import Any

import pytest
from hand_programs import (
    AT,
    BLIND,
    FLAG,
    NOBODY,
    OPEN,
    SEAT,
    Graph,
    c,
    marker,
    move,
    numbers,
    program,
    read,
    require,
    slot,
    v,
    words,
    zone,
)

import rulelang.play
import rulelang_reference
from rulelang import limits
from rulelang.diagnostics import codes
from rulelang.failures import Broken, Exhausted, Refused
from rulelang.ir import effects as fx
from rulelang.ir import expressions as ir
from rulelang.ir import nodes as n
from rulelang.ir import program as pg
from rulelang.ir.types import (
    CellType,
    CollectionType,
    EdgeType,
    FieldType,
    MemberType,
    NamesType,
    NumberType,
    OptionalType,
    RecordType,
    RowType,
    TextType,
)
from rulelang.play import kinds
from rulelang.play.event import Outcome, Pass, Play
from rulelang.play.folding import Folder, callees_first
from rulelang.play.kinds import Layout
from rulelang.play.view import Observed, Seen
from rulelang.play.words import describe_kind, speak
from rulelang_reference import engine, saving

FACE = numbers(1, 2)
DIE = RecordType("Die", (FieldType("colour", FLAG), FieldType("face", OptionalType(FACE))))
BAG = CollectionType("bag", FACE, c(3))
DECK, NEST, TRAY, SET, OTHER = range(5)


def table(*effects: Any, requirements: Any = (), parameters: Any = (), **rest: Any) -> pg.Program:
    """A deck of 1 2 1 2, an empty slot, a row of one white die, a marker for a bag; effects; then a move of seat 1."""
    slots = [
        zone("deck", FACE, "pile", BLIND, starts=[pg.Start(v(0), c((1, 2, 1, 2)), c(1))], blind=True),
        zone("nest", FACE, "slot", OPEN),
        zone("tray", DIE, "pile", OPEN, starts=[pg.Start(v(0), c((0,)), c(1))]),
        pg.Marker("set", (), BAG, c(()), OPEN, AT),
        zone("other", FACE, "pile", BLIND, blind=True),
    ]
    g = Graph()
    g.procedure("overview", 0, 3, 0)
    g.do(*effects)
    g.decide(n.OneSeat(c(0), False), (0,))
    g.end(n.Aborted())
    g.procedure("go", 1 + len(parameters), 1 + len(parameters), g.here)
    g.ret()
    return program(g, slots, [move("go", 1, parameters, requirements, locals=4)], **rest)


def start(built: pg.Program) -> Any:
    """The first state."""
    return engine.configure(built, 2, {}).start()


@pytest.mark.parametrize(
    ("effects", "code"),
    [
        ([fx.SetMarker(slot(SET), c((1, 3)))], "RL8007"),
        ([fx.SetMarker(slot(SET), c((1, 1, 1, 1)))], "RL8007"),
        ([fx.MoveTop(slot(DECK), c(2), slot(NEST), "top")], "RL8011"),
        ([fx.Shuffle(slot(DECK)), fx.Settle(slot(DECK), c(9))], "RL8008"),
        ([fx.Land(slot(TRAY), c(3), DIE)], "RL8007"),
        ([fx.Land(slot(TRAY), c(1), DIE), fx.Land(slot(TRAY), c(1), DIE)], "RL8008"),
        ([fx.MovePieces(c(2), slot(NEST), slot(DECK), "top")], "RL8008"),
    ],
)
def test_effects_that_cannot_be(effects: Any, code: str) -> None:
    with pytest.raises(Exhausted, match=code):
        start(table(*effects))


def test_effects_that_find_nothing_to_do() -> None:
    """Negative counts, an empty pile to shuffle, a top that is settled already."""
    state = start(
        table(
            fx.MoveTop(slot(DECK), c(-3), slot(OTHER), "top"),
            fx.Shuffle(slot(OTHER)),
            fx.Settle(slot(DECK), c(1)),
            fx.Settle(slot(OTHER), c(1)),
            fx.SetMarker(slot(SET), c((2, 1))),
        )
    )
    assert state.cells == ((1, 2, 1, 2), (), (0,), (1, 2), ())


def test_a_row_of_dice_keeps_its_order() -> None:
    state = start(table(fx.Land(slot(TRAY), c(2), DIE)))
    assert state.view(1).seen[2] == Seen(TRAY, 0, "content", (2,))
    assert start(table(fx.Land(slot(TRAY), c(2), DIE), fx.PickUp(slot(TRAY), DIE))).cells[TRAY] == (0,)


def test_pools_get_the_lowest_free_number() -> None:
    """Two piles over two pools; when the first is gathered up and shuffled with the other, one pool is left."""
    state = start(
        table(
            fx.MoveTop(slot(DECK), c(2), slot(OTHER), "top"),
            fx.Shuffle(slot(DECK)),
            fx.Shuffle(slot(OTHER)),
            fx.Gather((DECK,), slot(OTHER)),
            fx.Shuffle(slot(OTHER)),
        )
    )
    assert state.pools == ((1, 1, 2, 2),)


def test_a_shared_pool_of_equal_cards_is_settled_by_chance_also_under_forced_chance() -> None:
    """That the cards of a pool are alike is nobody's business; only a last card would settle itself."""
    alike = [pg.Start(v(0), c((1, 1, 1)), c(1))]
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.do(
        fx.Shuffle(slot(0)),
        fx.MoveTop(slot(0), c(1), slot(1), "top"),
        fx.MoveAll(slot(2), slot(0), "top"),
        fx.Shuffle(slot(0)),
    )
    g.end(n.Aborted())
    slots = [
        zone("deck", FACE, "pile", BLIND, starts=alike, blind=True),
        zone("half", FACE, "pile", BLIND, blind=True),
        zone("top", FACE, "pile", OPEN, starts=[pg.Start(v(0), c((2,)), c(1))]),
    ]
    for forced in (False, True):
        state = start(program(g, slots, forced_chance=forced))
        assert state.chance() == ((1, 1),)
        state = state.step(Outcome(1)).step(Outcome(1))
        assert state.outcome.kind == "aborted" and state.pools == ((1,), (1, 1, 2))


def test_chance_from_nothing_gives_none() -> None:
    g = Graph()
    g.procedure("overview", 0, 2, 0)
    g.chance(n.AnyOf(c(()), c(-5)), v(0))
    g.chance(n.TopOf(slot(0), c(-4)), v(1))
    g.end(n.Grade(ir.Add(v(0), v(1))))
    assert start(program(g, [zone("pile", FACE, "pile", BLIND, blind=True)])).outcome.grade == -9


@pytest.mark.parametrize(
    "starts",
    [[pg.Start(v(0), c((1,)), c(70_000))], [pg.Start(v(0), c((1, 2)), c(1))]],
)
def test_a_zone_that_begins_too_full(starts: Any) -> None:
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.end(n.Aborted())
    with pytest.raises(Exhausted, match="RL8011"):
        start(program(g, [zone("nest", FACE, "slot", OPEN, starts=starts)]))


def test_a_seat_that_does_not_exist_is_not_asked() -> None:
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.decide(n.OneSeat(ir.Negative(read(0)), False), ())
    g.end(n.Aborted())
    with pytest.raises(Exhausted, match="RL8014"):
        start(program(g, [marker("one", numbers(1, 1), 1)]))


def test_nobody_asked_goes_on() -> None:
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.decide(n.SealedSeats(c(()), False), ())
    g.end(n.Aborted())
    assert start(program(g, [])).outcome.kind == "aborted"


def test_leaving_what_does_not_run_is_our_own_bug() -> None:
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.add(n.Leave(1, AT))
    g.procedure("other", 0, 1, 0)
    with pytest.raises(Broken):
        start(program(g, []))


# ------------------------------------------------------------------ attempts and witnesses


def test_an_attempt_out_of_turn_is_refused_even_if_its_requirement_overflows() -> None:
    over = require("far", ir.Less(ir.Add(c(2**63 - 1), v(0)), c(0)), words("Far."))
    state = start(table(requirements=[over]))
    assert [reason.code for reason in state.refusals(Play(1, 0))] == ["not_your_turn"]
    further = require("far", ir.Less(ir.Add(c(2**63 - 1), ir.Add(v(0), c(1))), c(0)), words("Far."))
    ahead = start(table(requirements=[further]))
    with pytest.raises(Exhausted):
        ahead.refusals(Play(0, 0))


def witness_of(condition: Any, *said: Any) -> list[tuple[str, str]]:
    """The witnesses against a requirement."""
    animals = pg.Table("Animal", ("tapir", "kappa"), (pg.Column("copies", numbers(1, 9), (4, 7)),), AT)
    twice = pg.Function("twice", 1, 1, ir.Add(v(0), v(0)), AT)
    state = start(
        table(
            fx.SetMarker(slot(SET), c((1, 2))),
            requirements=[require("because", condition, words(*said))],
            tables=(animals,),
            functions=(twice,),
        )
    )
    return [(each.name, each.value) for each in state.refusals(Play(0, 0))[0].witnesses]


X = v(3, "x")
NEVER = ir.Equal(v(0), c(9))


@pytest.mark.parametrize(
    ("condition", "said", "expected"),
    [
        (NEVER, [ir.Spoken(v(0, "me"), SEAT)], [("me", "seat 1")]),
        (NEVER, [ir.Spoken(ir.Size(read(SET)), FACE)], [("set", "2")]),
        (NEVER, [ir.Spoken(ir.Apply(0, (v(0),)), FACE)], [("twice", "0")]),
        (NEVER, [ir.Spoken(ir.Add(v(0), c(4)), FACE), ir.Spoken(c(1), FACE)], [("value", "4")]),
        (ir.Every(X, read(SET), ir.Equal(X, c(1))), [], [("x", "2")]),
        (ir.Every(X, read(TRAY), ir.Equal(X, c(1))), [], [("x", "no none")]),
        (ir.Every(X, ir.AllOf(SEAT), ir.Equal(X, v(0))), [], [("x", "seat 2")]),
        (ir.Every(X, c((0, 1)), ir.Less(ir.Cell(0, 0, X), ir.Add(v(0), c(5)))), [], [("x", "kappa")]),
        (ir.Every(X, c((0, 1)), ir.Less(ir.Size(ir.Read(ir.Member(TRAY, c(0)))), X)), [], [("x", "0")]),
        (ir.Every(X, c((0,)), ir.Less(ir.Size(ir.Read(ir.Member(TRAY, X))), X)), [], [("x", "tray")]),
        (ir.Either((NEVER, ir.Not(ir.Exists(X, read(SET), ir.Equal(X, c(2)))))), [], [("x", "2")]),
        (ir.Both((ir.Equal(v(0), c(0)), ir.Every(X, read(SET), NEVER))), [], [("x", "1")]),
        (ir.Exists(X, read(SET), NEVER), [], []),
    ],
)
def test_witnesses(condition: Any, said: Any, expected: Any) -> None:
    assert witness_of(condition, *said) == expected


def test_what_depends_on_a_failed_answer_is_left_out() -> None:
    first = pg.Parameter("first", FACE, c((1,)), "the first", (), ())
    second = pg.Parameter("second", FACE, ir.MakeList((v(1),)), "the second", (), ())
    both = require("both", ir.Equal(v(1), c(9)), words("Never ", ir.Spoken(v(2), FACE), "."), 1)
    state = start(table(parameters=[first, second], requirements=[both]))
    assert [r.code for r in state.refusals(Play(0, 0, (2, 2)))] == ["first_not_there"]
    assert [r.code for r in state.refusals(Play(0, 0, (1, 2)))] == ["second_not_there", "both"]
    assert [r.code for r in state.refusals(Play(0, 0, (1, 7)))] == ["no_such_value"]


# ------------------------------------------------------------------ lists that are too long


def test_too_many_moves_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    face = pg.Parameter("face", FACE, ir.AllOf(FACE), "the faces", (), ())
    state = start(table(parameters=[face]))
    monkeypatch.setattr(limits, "LISTED_MOVES", 1)
    with pytest.raises(Exhausted, match="RL8015"):
        state.moves(0)
    assert state.refusals(Play(0, 0, (1,))) == ()


def test_what_takes_too_long_to_list_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where hardly anything is legal: every answer that was tried counts."""
    face = pg.Parameter("face", FACE, ir.AllOf(FACE), "the faces", (), ())
    two = require("two", ir.Equal(v(1), c(2)), words("Only a two."), 1)
    state = start(table(parameters=[face], requirements=[two]))
    monkeypatch.setattr(limits, "TRIED_ANSWERS", 2)
    assert [move.arguments for move in state.moves(0)] == [(2,)]
    monkeypatch.setattr(limits, "TRIED_ANSWERS", 1)
    with pytest.raises(Exhausted, match="RL8009"):
        start(table(parameters=[face], requirements=[two])).moves(0)


def test_a_state_that_is_too_large_is_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    state = start(table())
    data = state.to_bytes()
    monkeypatch.setattr(limits, "STATE_BYTES", 4)
    with pytest.raises(Exhausted, match="RL8020"):
        saving.write(state)
    with pytest.raises(Refused, match="too many"):
        state.game.from_bytes(data)


# ------------------------------------------------------------------ what is shown


def test_a_named_place_that_all_see_shows_the_answer_to_all() -> None:
    seen = pg.Parameter("face", FACE, ir.AllOf(FACE), "the faces", (), (read(DECK), read(NEST)))
    hidden = pg.Parameter("face", FACE, ir.AllOf(FACE), "the faces", (), (read(DECK),))
    plain = pg.Parameter("face", FACE, ir.AllOf(FACE), "the faces", (), ())
    for parameter, shown in ((seen, 1), (hidden, None), (plain, 1)):
        after = start(table(parameters=[parameter])).step(Play(0, 0, (1,)))
        assert after.observed(None) == after.observed(1) == (Observed(0, 0, (shown,)),)


def test_a_top_that_is_unseen_stays_unseen() -> None:
    """No checked program has such a sight; should one come, nothing is revealed."""
    for sight, parts in (
        (pg.Sight(NOBODY, pg.Everyone(), pg.Everyone()), ["size"]),
        (OPEN, ["size"]),
        (pg.Sight(NOBODY, NOBODY, NOBODY), []),
    ):
        g = Graph()
        g.procedure("overview", 0, 1, 0)
        g.do(fx.Shuffle(slot(0)))
        g.end(n.Aborted())
        deck = zone("deck", FACE, "pile", sight, starts=[pg.Start(v(0), c((1, 2)), c(1))], blind=True)
        assert [seen.part for seen in start(program(g, [deck])).view(0).seen] == parts


# ------------------------------------------------------------------ numbers in bytes, words, kinds


def test_large_and_negative_locals_are_saved() -> None:
    values = (-(2**63), (2**63 - 1, -1), ((1,), ()))
    state = start(table(*(fx.SetLocal(v(place), c(value)) for place, value in enumerate(values))))
    loaded = state.game.from_bytes(state.to_bytes())
    assert loaded.frames == state.frames
    assert state.frames[0].locals == values


def test_bytes_with_one_thing_wrong() -> None:
    """A second way to write a number, a number beyond 64 bits, a frame that is not the overview's."""
    state = start(table(fx.SetLocal(v(0), c(5))))
    data = state.to_bytes()
    head, locals = data[: -len(b"\x00\x0a\x00\x00\x00\x00")], data[-6:]
    assert locals == b"\x00\x0a\x00\x00\x00\x00"
    for damaged, reason in (
        (head + b"\x00\x8a\x00\x00\x00\x00\x00", "canonical"),
        (head + b"\x00" + b"\xff" * 9 + b"\x7f" + b"\x00" * 4, "number is too large"),
        (head[:-3] + b"\x00", "overview"),
        (data + b"\x00", "left over"),
    ):
        with pytest.raises(Refused, match=reason):
            state.game.from_bytes(damaged)


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\xff" * 20,
        b"\x04" + b"\x00" * 4 + b"\xff\xff\xff\xff\x7f",
    ],
)
def test_bytes_that_are_no_state(damage: bytes) -> None:
    with pytest.raises(Refused):
        start(table()).game.from_bytes(damage)


def test_kinds_are_described_with_an_example() -> None:
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.end(n.Aborted())
    closed = engine.configure(
        program(
            g,
            [zone("heap", FACE, "pile", OPEN, index=[FACE])],
            boards=(pg.Board("board", c(2), c(30), AT),),
            tables=(pg.Table("Animal", ("tapir",), (), AT),),
        ),
        2,
        {},
    ).program
    described = {
        FACE: "a number from 1 to 2, such as 1",
        FLAG: "yes or no",
        SEAT: "a seat, such as seat 1",
        NamesType("Suit", ("red",)): "one of 'Suit', such as red",
        DIE: "one of 'Die', such as no none",
        CellType(0): "a cell of 'board', such as a1",
        EdgeType(0): "an edge of 'board', such as a1-b1",
        RowType(0): "one of 'Animal', such as tapir",
        MemberType(0): "one of 'heap', such as heap 1",
        OptionalType(SEAT): "a seat, such as seat 1, or nobody",
        numbers(3, 1): "a number from 3 to 1, such as nothing",
    }
    assert {kind: describe_kind(closed, kind) for kind in described} == described
    assert speak(closed, CellType(0), 26) == "aa1"
    assert speak(closed, TextType(), "Two claws.") == "Two claws."
    assert speak(closed, SEAT, 9) == "9" and speak(closed, SEAT, -1) == "nobody"
    assert speak(closed, CollectionType("list", SEAT, c(2)), 4) == "4"
    layout = Layout.of(closed)
    assert [layout.flat(0, (code,)) for code in (0, 1, 2, 3)] == [None, 0, 1, None]
    huge = RecordType("Huge", (FieldType("one", numbers(0, 9999)), FieldType("two", numbers(0, 9999))))
    from rulelang.play.words import read_value

    assert read_value(closed, huge, "1 1") is None
    assert kinds.split(closed, huge, 10_001) == (1, 1)


# ------------------------------------------------------------------ folding


def test_functions_that_apply_themselves_are_our_own_bug() -> None:
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.end(n.Aborted())
    around = pg.Function("around", 0, 0, ir.Apply(0, ()), AT)
    with pytest.raises(Broken):
        callees_first(program(g, [], functions=(around,)))


def test_a_constant_that_costs_too_much_stays_a_formula_and_refuses_as_a_bound() -> None:
    many = ir.Span(c(1), c(60_000), c(60_000))
    huge = ir.Number(v(0), many, ir.Exists(v(1), many, ir.Less(v(1), v(0))))
    g = Graph()
    g.procedure("overview", 0, 2, 0)
    g.end(n.Grade(huge))
    closed = engine.configure(program(g, []), 2, {}).program
    assert isinstance(closed.nodes[0].outcome.grade, ir.Number)  # type: ignore[union-attr]
    with pytest.raises(Exhausted):
        start(program(g, []))
    with pytest.raises(Exhausted):
        engine.configure(program(g, [marker("far", NumberType(c(0), huge), 0)]), 2, {})
    with pytest.raises(Broken):
        engine.configure(program(g, [marker("odd", NumberType(c(0), read(0)), 0)]), 2, {})
    assert Folder(closed).fold(c(1)) == c(1)


def test_a_collection_that_could_grow_too_large_is_refused() -> None:
    g = Graph()
    g.procedure("overview", 0, 2, 0)
    g.end(n.Aborted())
    with pytest.raises(Exhausted, match="RL6004"):
        engine.configure(
            program(g, [pg.Marker("set", (), CollectionType("bag", FACE, c(70_000)), c(()), OPEN, AT)]), 2, {}
        )


def test_decided_branches_that_go_round_are_left_to_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SETUP_COST", 1000)
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.add(n.Branch(c(1), 1, 0, AT))
    g.add(n.Branch(c(1), 0, 1, AT))
    with pytest.raises(Exhausted, match="RL8009"):
        start(program(g, []))


def test_an_option_that_needs_another_says_so_itself() -> None:
    g = Graph()
    g.procedure("overview", 0, 1, 0)
    g.end(n.Aborted())
    option = pg.Option("fast", FLAG, 0, c(0), None, AT)
    with pytest.raises(Refused, match="'fast' cannot be 'yes' here"):
        engine.configure(program(g, [], options=(option,)), 2, {"fast": True})


# ------------------------------------------------------------------ the engine's own sentences


def test_every_reason_fills_every_blank_of_its_sentence() -> None:
    folders = (*rulelang.play.__path__, *rulelang_reference.__path__)
    files = [file for folder in folders for file in Path(folder).rglob("*.py")]
    calls = [
        call
        for file in files
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("exhausted", "engine_refusal")
    ]
    assert len(calls) > 30
    for call in calls:
        names = [arg.id for arg in call.args if isinstance(arg, ast.Name) and arg.id.isupper()]
        blanks = {keyword.arg for keyword in call.keywords if keyword.arg}
        if names and len(call.args) < 3:
            assert blanks == set(getattr(codes, names[0]).words), ast.unparse(call)


def test_the_first_answer_of_a_sample_is_the_least_outcome() -> None:
    class Lowest:
        """Draws 0."""

        def below(self, bound: int) -> int:
            """The least number."""
            return 0 if bound == 4 else -1

    g = Graph()
    g.procedure("overview", 0, 2, 0)
    g.chance(n.AnyOf(c((7, 3, 7, 5)), c(0)), v(0))
    g.end(n.Grade(v(0)))
    state = start(program(g, []))
    assert state.sample(Lowest()) == 3
    assert [value for value, _ in state.chance()] == [3, 5, 7]
    assert state.step(Outcome(3)).chance() == ()


def test_a_forced_choice_is_no_choice_for_one_of_two() -> None:
    """Forced choices resolve themselves only if every asked seat has exactly one answer."""
    more = require("more", ir.Equal(v(0), c(0)), words("Not you."))
    assert start(table(requirements=[more], forced_choices=True)).outcome.kind == "aborted"
    never = require("never", ir.Equal(v(0), c(9)), words("Never."))
    assert start(table(requirements=[never], forced_choices=True)).moves(0) == ()


def test_a_text_of_a_table_is_said_but_never_folded() -> None:
    ability = pg.Table("Animal", ("tapir",), (pg.Column("ability", TextType(), ("Eats dreams.",)),), AT)
    said = words("It ", ir.Spoken(ir.Cell(0, 0, c(0)), TextType()))
    state = start(table(requirements=[require("dream", NEVER, said)], tables=(ability,)))
    assert state.refusals(Play(0, 0))[0].words == "It Eats dreams."


def test_passing_when_it_is_not_allowed() -> None:
    assert [reason.code for reason in start(table()).refusals(Pass(0))] == ["not_offered"]
    with pytest.raises(Refused, match="waits for an answer"):
        start(table()).step(Outcome(1))
