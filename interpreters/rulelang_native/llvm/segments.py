"""A game from one wait to the next as one LLVM function over a row of numbers: what games side by side are made of.

It is the game that `games.py` plays, and draws the same. Everything that a game holds lies in a frame, a row of numbers
of 64 bits; the function loads all of it, goes on to the next wait, and stores it again. Between two waits there is no
loop of the flow, so that `lanes.py` can do the same for several games at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulelang import limits
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.llvm.code import Code
from rulelang_native.llvm.games import GameWriter
from rulelang_native.llvm.narrow import ANY, Bounds
from rulelang_native.llvm.singles import NONE
from rulelang_native.llvm.support import BASE, FAILED, GAMMA, GAVE_UP, POOLS, TOP, field, function, give_up
from rulelang_native.llvm.walking import parts
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.llvm.programs import Printer

NARROW = 1 << 16
"""LLVM is told of bounds that are no further apart."""
STREAMS, MOST_STREAMS = 1, 5
"""Where in a frame what is drawn from begins: outcomes, and all who decide, and behind them whoever draws next."""

DRAW = """define internal i64 @draw(i64 %word, i64 %at, i64 %bound) alwaysinline {
entry:
  %high = lshr i64 %word, 32
  %product = mul i64 %high, %bound
  %low = and i64 %product, 4294967295
  %sure = icmp uge i64 %low, %bound
  br i1 %sure, label %done, label %look, !prof !0
look:
  %result2 = call i64 @below(i64 %at, i64 0, i64 %bound)
  ret i64 %result2
done:
  %result = lshr i64 %product, 32
  ret i64 %result
}
"""
"""A draw of a stream: its key and the step of SplitMix64 as often as it was drawn from are added up in one number."""


class SegmentWriter(GameWriter):
    """The function that takes a game from one wait to the next: it gives 1 if the game is over, and else 0. Raises
    NotLowered if something that the game holds does not fit into a frame."""

    NAME = "segment"
    HEADER = f"define i64 @{NAME}(ptr %S, ptr noalias %F, ptr %offers, ptr noalias %result)"
    DONE = "ret i64 1"
    TIDIES = False

    in_lanes = False
    """Whether it is written for lanes: they never begin a game, and what is rare leaves its lane."""

    def __init__(self, printer: Printer) -> None:
        self.waits = self.ours = 0
        """How many places there are where games wait."""
        self.streams: list[str] = []
        self.held_places: list[tuple[str, Bounds]] = []
        """What lies in a frame, with the least and the greatest that it can be."""
        self.pc = self.coming = self.asked = self.word = ""
        """Which wait it is, what the draw behind it comes from, who is asked, and the word of that draw."""
        super().__init__(printer)
        self.label("wait")
        for place, (where, _) in enumerate(self.held_places):
            self.store(self.load(where), self.at("%F", place))
        self.end("ret i64 0")
        self.label("resume")
        self.store("0", printer.cost_place(self))
        self.store(str(limits.EVENT_COST), printer.most_place(self))
        own = self.op(f"call i64 @mix(i64 {self.load(self.coming)}, i64 0)")
        self.store(self.op(f"call i64 @mix(i64 {own}, i64 0)"), self.word)
        self.store("0", field(self, FAILED))  # so late that LLVM finds it when it looks back
        ways = " ".join(f"i64 {number}, label %waited{number}" for number in range(1, self.waits + 1))
        self.end(f"switch i64 {self.load(self.pc)}, label %start [ {ways} ]")

    def begin(self) -> None:
        printer = self.printer
        if printer.clock is not None or printer.advice.bits:
            raise NotLowered("games in table time, or with advice, are played one after the other")
        rows = printer.held_rows() or printer.piles or printer.bag_sets
        if not printer.apart or rows or printer.flat.divisions:
            raise NotLowered("a game holds more than numbers")
        if 1 + printer.decides > MOST_STREAMS:
            raise NotLowered("there are too many who decide")
        if any(planes.word != 64 for planes in printer.planes.values()):
            raise NotLowered("a board has more than 64 places")
        self.by_themselves()
        self.streams = [self.room() for _ in range(1 + printer.decides)]
        self.pc, self.coming, self.asked, self.word = (self.room() for _ in range(4))
        places: list[tuple[str, Bounds]] = [(self.pc, (0, NARROW)), *[(each, ANY) for each in self.streams]]
        places += [(self.coming, ANY), (self.asked, (0, printer.decides)), (self.total, ANY)]
        places += [(each, (0, limits.RECORD_EVENTS)) for each in (self.events, self.decisions)]
        self.ours = len(places)
        for slot in range(len(printer.module.around.slots)):
            places += self.cells_of(slot)
        for procedure in sorted(printer.over_frames):
            for local in range(printer.flat.procedures[procedure].locals):
                if printer.local_kind(procedure, local) != "number":
                    raise NotLowered("a rule remembers more than numbers")
                fact = printer.module.lowering.local_fact(procedure, local)
                # 0 lies there before the procedure has begun
                bounds = (min(fact.low, 0), max(fact.high, 0)) if fact.depth == 0 else ANY
                places.append((printer.local_place(self, procedure, local), bounds))
            places.append((f"%ret{procedure}", (0, NARROW)))
        self.held_places = places
        for place, (where, _) in enumerate(places):
            self.store(self.load(self.at("%F", place)), where)
        self.tell_bounds()
        self.go("resume")
        self.label("start")
        if self.in_lanes:
            self.end("unreachable")
        else:
            for procedure in sorted(printer.over_frames):
                for where in printer.of_frame(procedure):
                    self.store("0", where)
            self.first()

    def cells_of(self, slot: int) -> list[tuple[str, Bounds]]:
        """Where what a slot holds lies, with its bounds."""
        printer, held = self.printer, self.printer.module.lowering.held[slot]
        first, members = f"%c{slot}", printer.module.around.slots[slot].members
        if slot in printer.decks:
            deck = printer.decks[slot]
            cards = len(deck.cards)
            return [(first, (0, (1 << cards * deck.bits) - 1)), (self.at(first, 1), (0, cards))]
        if slot in printer.planes:
            planes = printer.planes[slot]
            return [(self.at(first, value), (0, (1 << planes.places) - 1)) for value in range(planes.values)]
        bounds = (held.low, held.high)
        if slot in printer.bags:
            bounds = (0, printer.bags[slot].used)
        elif slot in printer.singles:
            bounds = (min(NONE, held.low), max(NONE, held.high))
        return [(self.at(first, member), bounds) for member in range(members)]

    def tell_bounds(self) -> None:
        """LLVM is told what lowering knows of the numbers that a game holds: then a loop over the players from one of
        them on has a known number of laps."""
        for where, (low, high) in self.held_places[self.ours :]:
            self.bounded(where, low, high)

    def bounded(self, where: str, low: int, high: int) -> None:
        """A number lies between these."""
        if 0 <= high - low < NARROW:
            off = self.op(f"sub i64 {self.load(where)}, {low}") if low else self.load(where)
            self.line(f"call void @llvm.assume(i1 {self.op(f'icmp ule i64 {off}, {high - low}')})")

    def statements(self, statements: Iterable[st.Statement]) -> None:
        for s in statements:
            if self.ended:
                return
            if isinstance(s, st.Ask | st.Draw):
                self.wait(s)
            super().statements((s,))

    def wait(self, s: st.Ask | st.Draw) -> None:
        """The game waits, and goes on from here."""
        if isinstance(s, st.Ask) and self.printer.module.decisions[s.node].kind != "seat":
            raise NotLowered("answers wait for one another")
        of_deck = isinstance(s, st.Draw) and self.decking.pool(s.urn) is not None
        named = isinstance(s, st.Draw) and any(isinstance(part, flat.Name) for part in parts(s.urn))
        if self.loops or (named and not of_deck):
            raise NotLowered("a game waits inside of something")
        if isinstance(s, st.Ask):
            seat = super().seat_of(s.seats)
            self.store(seat, self.asked)
            self.store(self.of_seat(seat), self.coming)
        else:
            self.store(self.load(self.streams[0]), self.coming)
        self.event_ends()
        if self.printer.bags:
            self.look()  # something that did not fit was perhaps not looked at yet, and is forgotten behind a wait
        self.waits += 1
        self.store(str(self.waits), self.pc)
        self.go("wait")
        self.label(f"waited{self.waits}")

    def seat_of(self, seats: flat.Flat) -> str:
        """Who is asked, as was said when the wait began."""
        return self.load(self.asked)

    def force(self, s: st.Force) -> None:
        if not self.printer.module.decisions[s.node].speaks:
            raise NotLowered("answers wait for one another")

    def event_begins(self) -> None:
        """What came before was added up when the wait began."""
        count = self.load(self.events)
        up, on = self.fresh("long"), self.fresh("on")
        self.split(self.op(f"icmp uge i64 {count}, {limits.RECORD_EVENTS}"), up, on, (1, 2000))
        self.label(up)
        self.leave()
        self.label(on)
        self.store(self.op(f"add i64 {count}, 1"), self.events)

    def if_(self, s: st.If) -> None:
        pool = self.decking.pool(s.truth.value) if isinstance(s.truth, flat.IsOne) else None
        draws = bool(s.then) and isinstance(s.then[-1], st.Draw)
        if pool is None or not self.in_lanes or s.otherwise or not draws:
            super().if_(s)
            return
        drawn, on = self.fresh("drawn"), self.fresh("on")  # an empty deck leaves the lane
        self.split(self.t(s.truth), drawn, on)
        self.label(drawn)
        self.statements(s.then)
        self.label(on)
        give_up(self, GAVE_UP)
        self.leave()

    def forget(self, procedure: int) -> None:
        """No answers wait."""

    # -------------------------------------------------------------- chance

    def drawn_place(self, count: str) -> str:
        self.event_begins()
        place = self.placed(count)
        self.store(self.op(f"add i64 {self.load(self.streams[0])}, {GAMMA}"), self.streams[0])
        return place

    def drawn_by(self, seat: str, bound: str) -> str:
        return self.placed(bound)

    def placed(self, bound: str) -> str:
        """What is drawn now, as whom was said when the wait began."""
        return self.op(f"call i64 @draw(i64 {self.load(self.word)}, i64 {self.load(self.coming)}, i64 {bound})")

    def of_seat(self, seat: str) -> str:
        """Where a seat's draws have come to."""
        found = self.load(self.streams[1])
        for number, stream in enumerate(self.streams[2:], 1):
            found = self.op(
                f"select i1 {self.op(f'icmp eq i64 {seat}, {number}')}, i64 {self.load(stream)}, i64 {found}"
            )
        return found

    def counted(self, seat: str) -> None:
        for number, stream in enumerate(self.streams[1:]):
            now = self.load(stream)
            after = self.op(f"add i64 {now}, {GAMMA}")
            self.store(self.op(f"select i1 {self.op(f'icmp eq i64 {seat}, {number}')}, i64 {after}, i64 {now}"), stream)


class LaneWriter(SegmentWriter):
    """The same function as it is written for lanes. What its rare ways do not do is done by the other."""

    NAME = "in_lanes"
    HEADER = f"define i64 @{NAME}(ptr %S, ptr noalias %F, ptr %offers, ptr noalias %result)"
    in_lanes = True


def played_out(printer: Printer) -> str:
    """A game that waits goes on to its end by itself."""

    def write(code: Code) -> None:
        for place in (FAILED, POOLS):
            code.store("0", field(code, place))
        code.label("again")  # a game that waits holds no rows
        code.line(f"store ptr {code.op(f'load ptr, ptr {field(code, BASE)}')}, ptr {field(code, TOP)}")
        over = code.op("call i64 @segment(ptr %S, ptr %F, ptr %offers, ptr %result)")
        code.split(code.op(f"icmp eq i64 {over}, 0"), "again", "done")
        code.label("done")
        code.end("ret void")

    return function("define internal void @played_out(ptr %S, ptr %F, ptr %offers, ptr %result) noinline", write)
