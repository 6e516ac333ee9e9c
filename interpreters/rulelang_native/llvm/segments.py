"""A game from one wait to the next as one LLVM function over a row of numbers: what games side by side are made of.

It is the game that `games.py` plays, and draws the same. Everything that a game holds lies in a frame, a row of numbers
of 64 bits; the function loads all of it, goes on to the next wait, and stores it again. Between two waits there is no
loop of the flow, so that `lanes.py` can do the same for several games at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.llvm.code import Code, Val
from rulelang_native.llvm.games import GameWriter
from rulelang_native.llvm.support import BASE, FAILED, GAMMA, POOLS, TOP, field, function
from rulelang_native.llvm.walking import parts
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.llvm.programs import Printer

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

    HEADER = "define i64 @segment(ptr %S, ptr noalias %F, ptr %offers, ptr noalias %result)"
    DONE = "ret i64 1"

    def __init__(self, printer: Printer) -> None:
        self.waits = 0
        """How many places there are where games wait."""
        self.streams: list[str] = []
        self.held_places: list[str] = []
        """What lies in a frame."""
        self.pc = self.coming = self.word = ""
        """Which wait it is, what the draw behind it comes from, and the word of that draw."""
        super().__init__(printer)
        self.label("wait")
        for place, where in enumerate(self.held_places):
            self.store(self.load(where), self.at("%F", place))
        self.end("ret i64 0")
        self.label("resume")
        own = self.op(f"call i64 @mix(i64 {self.load(self.coming)}, i64 0)")
        self.store(self.op(f"call i64 @mix(i64 {own}, i64 0)"), self.word)
        ways = " ".join(f"i64 {number}, label %waited{number}" for number in range(1, self.waits + 1))
        self.end(f"switch i64 {self.load(self.pc)}, label %start [ {ways} ]")

    def begin(self) -> None:
        printer = self.printer
        rows = printer.held_rows() or printer.bag_sets or printer.makes_rows
        if not printer.apart or rows or printer.flat.divisions:
            raise NotLowered("a game holds more than numbers")
        if 1 + printer.decides > MOST_STREAMS:
            raise NotLowered("there are too many who decide")
        if any(planes.word != 64 for planes in printer.planes.values()):
            raise NotLowered("a board has more than 64 places")
        self.by_themselves()
        self.streams = [self.room() for _ in range(1 + printer.decides)]
        self.pc, self.coming, self.word = (self.room() for _ in range(3))
        places = [self.pc, *self.streams, self.coming, self.total, self.events, self.decisions, "%cost", "%most"]
        for slot, cells in enumerate(printer.module.around.slots):
            planes = printer.planes.get(slot)
            for member in range(planes.values if planes else cells.members):
                places.append(self.at(f"%c{slot}", member))
        for procedure in sorted(printer.over_frames):
            for local in range(printer.flat.procedures[procedure].locals):
                if printer.local_kind(procedure, local) != "number":
                    raise NotLowered("a rule remembers more than numbers")
            places += [*printer.of_frame(procedure), f"%ret{procedure}"]
        self.held_places = places
        self.store("0", field(self, FAILED))
        for place, where in enumerate(places):
            self.store(self.load(self.at("%F", place)), where)
        self.go("resume")
        self.label("start")
        self.first()

    def statements(self, statements: Iterable[st.Statement]) -> None:
        for s in statements:
            if self.ended:
                return
            if isinstance(s, st.Ask | st.Draw):
                self.wait(s)
            super().statements((s,))

    def wait(self, s: st.Ask | st.Draw) -> None:
        """The game waits, and goes on from here."""
        asked = s.seats if isinstance(s, st.Ask) else s.urn
        if isinstance(s, st.Ask) and self.printer.module.decisions[s.node].kind != "seat":
            raise NotLowered("answers wait for one another")
        if self.loops or any(isinstance(part, flat.Name) for part in parts(asked)):
            raise NotLowered("a game waits inside of something")
        if isinstance(s, st.Ask):
            self.store(self.of_seat(self.seat_of(s.seats)), self.coming)
        else:
            self.store(self.load(self.streams[0]), self.coming)
        self.waits += 1
        self.store(str(self.waits), self.pc)
        self.go("wait")
        self.label(f"waited{self.waits}")

    def force(self, s: st.Force) -> None:
        if not self.printer.module.decisions[s.node].speaks:
            raise NotLowered("answers wait for one another")

    # -------------------------------------------------------------- chance

    def drawn(self, urn: Val) -> str:
        self.event_begins()
        place = self.placed(urn.two)
        self.store(self.op(f"add i64 {self.load(self.streams[0])}, {GAMMA}"), self.streams[0])
        return self.load(self.at(urn.one, place))

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


def played_out(printer: Printer) -> str:
    """A game that waits goes on to its end by itself."""

    def write(code: Code) -> None:
        for place in (FAILED, POOLS):
            code.store("0", field(code, place))
        code.line(f"store ptr {code.op(f'load ptr, ptr {field(code, BASE)}')}, ptr {field(code, TOP)}")
        code.label("again")
        over = code.op("call i64 @segment(ptr %S, ptr %F, ptr %offers, ptr %result)")
        code.split(code.op(f"icmp eq i64 {over}, 0"), "again", "done")
        code.label("done")
        code.end("ret void")

    return function("define internal void @played_out(ptr %S, ptr %F, ptr %offers, ptr %result) noinline", write)
