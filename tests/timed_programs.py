"""Programs with a clock, open play, votes and spoken answers, written by hand as IR. Spec 11 and 12."""

from typing import Any

from hand_programs import (
    AT,
    BLIND,
    OWN,
    SEAT,
    Graph,
    c,
    copies,
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

from rulelang.ir import effects as fx
from rulelang.ir import expressions as ir
from rulelang.ir import nodes as n
from rulelang.ir import program as pg
from rulelang.ir.types import NamesType, OptionalType, SaidType
from rulelang.limits import LAST_TIME, TIMER_LENGTH

TIME = numbers(0, LAST_TIME)
NEVER = OptionalType(numbers(0, LAST_TIME + TIMER_LENGTH))
EVERY_SEAT = ir.AllOf(SEAT)

LEFT, END, CLOCK, TAPS = range(4)


def timer_slots(name: str, full: int) -> list[pg.Marker]:
    """The two markers of a timer."""
    return [marker(f"{name} left", numbers(0, full), full), marker(f"{name} end", NEVER, -1)]


def start(left: int, end: int, clock: int, full: int) -> tuple[fx.Effect, ...]:
    """``start``: full and running from now on."""
    return (fx.SetMarker(slot(left), c(full)), fx.SetMarker(slot(end), ir.Add(read(clock), c(full))))


def empty(left: int, end: int) -> ir.Expression:
    """``is empty``."""
    return ir.Both((ir.Equal(read(end), ir.NoneOf(NEVER)), ir.Equal(read(left), c(0))))


def rise(graph: Graph, name: str, slot_number: int) -> None:
    """The effects of a move by which the mover's marker rises."""
    entry = graph.here
    graph.do(fx.SetMarker(slot(slot_number, v(0)), ir.Add(read(slot_number, v(0)), c(1))))
    graph.ret()
    graph.procedure(name, 1, 1, entry)


def best(marker_number: int, variable: int) -> n.Winners:
    """Whoever has the most wins."""
    q = v(variable, "q")
    return n.Winners(ir.Select(q, EVERY_SEAT, c(1), (ir.RankBy(True, read(marker_number, q)),)))


def tapping(full: int = 30_000, **rest: Any) -> pg.Program:
    """ "As many as you can" of 11.1: one after the other taps until the sand has run through."""
    graph = Graph()
    p, items, position, who = v(0, "p"), v(1, "items"), v(2, "position"), v(3, "who")
    graph.do(fx.SetLocal(items, EVERY_SEAT), fx.SetLocal(position, c(0)))
    loop = graph.add(None)
    graph.decide(n.OneSeat(p, False, False), [1])
    head = graph.branch(empty(LEFT, END), graph.here + 3)
    graph.decide(n.AnyOfSeats(ir.MakeList((p,))), [0], who, words("tap while the sand runs"))
    graph.jump(head)
    graph.jump(loop)
    graph.nodes[loop] = n.Loop(items, position, p, loop + 1, graph.here, c(4), AT)
    graph.end(best(TAPS, 4))
    graph.procedure("overview", 0, 5, 0)
    rise(graph, "tap", TAPS)
    entry = graph.here
    graph.do(*start(LEFT, END, CLOCK, full))
    graph.ret()
    graph.procedure("ready", 1, 1, entry)
    slots = [*timer_slots("glass", full), marker("clock", TIME, 0), marker("taps", numbers(0, 999), 0, index=[SEAT])]
    timers = (pg.Timer("glass", LEFT, END, c(full), AT),)
    moves = [move("tap", 1), move("ready", 2)]
    return program(graph, slots, moves, seats=(2, 4), timers=timers, clock=CLOCK, **rest)


WORD = NamesType("Word", ("blue", "big", "old"))
SAID = SaidType(WORD, c(2))
KNOWN = c((0, 1))
"""Of the three words, the two that can be said."""

LONG_LEFT, LONG_END, SHORT_LEFT, SHORT_END, NOW, DECK, HAND, HEAP, LAID, AYES, HEARD = range(11)
DRAW, LAY, HIDE, HINT, CALL, VOTE = range(6)
PARTY_MOVES = ("draw", "lay", "hide", "hint", "call", "vote")
CARD = numbers(1, 6)


def once_each(graph: Graph, moves: list[int], left: ir.Local, who: ir.Local) -> None:
    """Every seat answers once, in any order."""
    graph.do(fx.SetLocal(left, EVERY_SEAT))
    head = graph.branch(ir.Equal(ir.Size(left), c(0)), graph.here + 4)
    graph.decide(n.AnyOfSeats(left), moves, who, words("what do you think?"))
    graph.do(fx.SetLocal(left, ir.Without(left, ir.MakeList((who,)), "list")))
    graph.jump(head)


def party(**rest: Any) -> pg.Program:
    """Everybody may draw, lay, hide (where nobody looks), hint and call for a vote, until the long glass is empty.

    A short glass is turned by each vote; when it runs out, play just goes on. Laying starts the long glass.
    """
    graph = Graph()
    who, left, voter, card = v(0, "who"), v(1, "left"), v(2, "voter"), v(1, "card")
    graph.do(*start(LONG_LEFT, LONG_END, NOW, 40_000), fx.Shuffle(slot(DECK)))
    head = graph.branch(empty(LONG_LEFT, LONG_END), graph.here + 3)
    graph.decide(n.AnyOfSeats(EVERY_SEAT), [DRAW, LAY, HIDE, HINT, CALL], who)
    graph.jump(head)
    graph.end(best(LAID, 3))
    graph.procedure("overview", 0, 4, 0)

    entry = graph.here
    graph.chance(n.TopOf(slot(DECK), c(0)), card)
    graph.branch(ir.Equal(card, c(0)), graph.here + 3)
    graph.do(fx.Settle(slot(DECK), card), fx.MoveTop(slot(DECK), c(1), slot(HAND, v(0)), "top"))
    graph.ret()
    graph.procedure("draw", 1, 2, entry)

    entry = graph.here
    graph.do(fx.MovePieces(card, slot(HAND, v(0)), slot(HEAP), "top"))
    graph.do(fx.SetMarker(slot(LAID, v(0)), ir.Add(read(LAID, v(0)), c(1))))
    graph.ret()
    graph.procedure("lay", 2, 2, entry)

    entry = graph.here
    graph.do(fx.SetMarker(slot(LAID, v(0)), ir.Add(read(LAID, v(0)), c(0))))
    graph.ret()
    graph.procedure("hide", 2, 2, entry)

    entry = graph.here
    graph.do(fx.SetMarker(slot(HEARD), ir.Add(read(HEARD), ir.Size(v(1)))))
    graph.ret()
    graph.procedure("hint", 2, 2, entry)

    entry = graph.here
    graph.do(*start(SHORT_LEFT, SHORT_END, NOW, 5_000))
    once_each(graph, [VOTE], left, voter)
    graph.ret()
    graph.procedure("call", 1, 3, entry)

    entry = graph.here
    graph.do(fx.SetMarker(slot(AYES), ir.Add(read(AYES), v(1))))
    graph.ret()
    graph.procedure("vote", 2, 2, entry)

    mine = [read(HAND, v(0))]
    moves = [
        move("draw", 1, requirements=[require("three", ir.Less(ir.Size(mine[0]), c(3)), words("three are enough"))]),
        move("lay", 2, [pg.Parameter("card", CARD, mine[0], "my hand", (HAND,), tuple(mine))]),
        pg.Move("hide", (pg.Parameter("card", CARD, mine[0], "my hand", (HAND,), tuple(mine)),), (), 2, 3, AT, True),
        move(
            "hint",
            4,
            [pg.Parameter("said", SAID, KNOWN, "what is known", (), ())],
            [require("once", ir.Equal(ir.Size(ir.Distinct(v(1))), ir.Size(v(1))), words("that was said"), 1)],
        ),
        move("call", 5),
        move("vote", 6, [pg.Parameter("aye", numbers(0, 1), c((0, 1)), "0..1", (), ())]),
    ]
    slots = [
        *timer_slots("long", 40_000),
        *timer_slots("short", 5_000),
        marker("clock", TIME, 0),
        zone("deck", CARD, "pile", BLIND, starts=[copies(CARD, 2)], blind=True),
        zone("hand", CARD, "bag", OWN, index=[SEAT]),
        zone("heap", CARD, "pile", pg.Sight(pg.Everyone(), pg.Everyone(), pg.Everyone())),
        marker("laid", numbers(0, 99), 0, index=[SEAT]),
        marker("ayes", numbers(0, 9999), 0),
        marker("heard", numbers(0, 9999), 0),
    ]
    timers = (
        pg.Timer("long", LONG_LEFT, LONG_END, c(40_000), AT),
        pg.Timer("short", SHORT_LEFT, SHORT_END, c(5_000), AT),
    )
    return program(graph, slots, moves, seats=(2, 3), timers=timers, clock=NOW, **rest)


def at_cell(state: Any, slot_number: int) -> Any:
    """What the only member of a marker says in a state."""
    return state.cells[state.game.layout.families[slot_number].base]
