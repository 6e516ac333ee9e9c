"""Games side by side: one instruction for each of several games, each in a lane of its own.

What takes a game from one wait to the next (`segments.py`) is compiled, and what LLVM made of it is written once more
for lanes. Branches become masks: every block is gone through for all lanes, and what it does counts only for those that
are in it. What is rare and has no form in lanes, as a number that has to be drawn anew, is left out: a lane that comes
there stays as it was before this segment, and its game is played on to its end by itself, by the same function for one
game. So lanes change nothing but time. A lane that is free takes the next game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulelang.play.chance import PLAYERS
from rulelang_native.llvm.code import Code
from rulelang_native.llvm.games import NUMBERS
from rulelang_native.llvm.laning import MOST_HELD, MOST_WAITS, Laning
from rulelang_native.llvm.segments import DRAW, STREAMS, LaneWriter, SegmentWriter, played_out
from rulelang_native.llvm.support import GAMMA, ONE, TWO, function
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.llvm.programs import Printer


REFILLED = 8
"""Lanes that are free before they are given games, all at once, as long as others play."""


def lanes(printer: Printer, whole: Callable[[list[str]], str]) -> list[str] | None:
    """The functions that play games side by side; None if these games are better played one after the other. ``whole``
    makes a module of functions."""
    try:
        segment = SegmentWriter(printer)
        if len(segment.held_places) > MOST_HELD or segment.waits > MOST_WAITS:
            raise NotLowered("games are too large for lanes")
        text = segment.text()
        compiled = _compiled(whole([DRAW, text, LaneWriter(printer).text()]))
        side_by_side = _Lanes(printer, segment, compiled)
        driver = side_by_side.text()
    except (NotLowered, ImportError):
        return None
    internal = text.replace("define i64 @segment", "define internal i64 @segment", 1)
    return [DRAW, internal, played_out(printer), driver]


def _compiled(text: str) -> str:
    """What LLVM makes of it."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    module = llvm.parse_assembly(text)
    target = llvm.Target.from_default_triple().create_target_machine(opt=2)
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = options.slp_vectorization = False
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    return str(module)


class _Lanes(Laning):
    """The function that plays games side by side."""

    def mixed(self, key: str, number: int | str) -> str:
        """`mix` for all lanes."""
        lane = self.lane("i64")
        if isinstance(number, int):
            value = self.op(f"add {lane} {key}, {self.all_of('i64', str((number + 1) * GAMMA % 2**64))}")
        else:
            steps = self.op(f"mul {lane} {number}, {self.all_of('i64', str(GAMMA))}")
            value = self.op(f"add {lane} {self.op(f'add {lane} {steps}, {key}')}, {self.all_of('i64', str(GAMMA))}")
        for shift, factor in ((30, ONE), (27, TWO)):
            shifted = self.op(f"lshr {lane} {value}, {self.all_of('i64', str(shift))}")
            value = self.op(f"xor {lane} {value}, {shifted}")
            value = self.op(f"mul {lane} {value}, {self.all_of('i64', str(factor))}")
        shifted = self.op(f"lshr {lane} {value}, {self.all_of('i64', '31')}")
        return self.op(f"xor {lane} {value}, {shifted}")

    def everywhere(self, value: str, kind: str = "i64") -> str:
        """A number in all lanes."""
        lane = self.lane(kind)
        if kind == "i32":
            value = self.op(f"trunc i64 {value} to i32")
        one = self.op(f"insertelement {lane} poison, {kind} {value}, i64 0")
        return self.op(f"shufflevector {lane} {one}, {lane} poison, <{self.many} x i32> zeroinitializer")

    def text(self) -> str:
        """The function that plays games."""
        header = "define void @playouts(ptr %S, i64 %seed, i64 %first, i64 %n, ptr %offers, ptr %results)"
        body = function(header, self.play)
        return "\n".join([*sorted(self.declared), body])

    def play(self, code: Code) -> None:
        """All games."""
        self.code = code
        code.when(code.op("icmp eq i64 %n, 0"), lambda: code.end("ret void"))
        self.lay_out()
        code.label("refill")
        self.refill()
        code.label("sweep")
        now, after = (self.op(f"load ptr, ptr {each}") for each in (self.now, self.after))
        left, over = self.write(self.kept(self.alive, "i1"), self.words_in(now), self.words_in(after))
        code.line(f"store ptr {after}, ptr {self.now}")
        code.line(f"store ptr {now}, ptr {self.after}")
        code.split(self.nobody(self.op(f"or {self.lane('i1')} {left}, {over}")), "sweep", "gone")
        code.label("gone")
        lane = self.lane("i1")
        gone = self.op(f"or {lane} {left}, {over}")
        free = self.op(f"or {lane} {self.kept(self.free, 'i1')}, {gone}")
        self.keep(free, self.free, "i1")
        others = self.op(f"xor {lane} {gone}, {self.all_of('i1', 'true')}")
        alive = self.op(f"and {lane} {self.kept(self.alive, 'i1')}, {others}")
        self.keep(alive, self.alive, "i1")
        self.tell(over)
        code.split(self.nobody(left), "enough", "leave", (2000, 1))
        code.label("leave")
        self.leave(left)
        code.label("enough")
        count = self.op(f"call i64 @llvm.ctpop.i64(i64 {self.bits(free)})")
        few = self.op(f"icmp ult i64 {count}, {REFILLED}")
        playing = self.op(f"xor i1 {self.nobody(alive)}, true")
        code.split(self.op(f"and i1 {few}, {playing}"), "sweep", "refill")
        code.label("done")
        code.end("ret void")

    def room(self, what: str) -> str:
        name = f"%{self.code.fresh('v')}"
        self.code.slots.append(f"  {name} = alloca {what}, align 64")
        return name

    def words_in(self, frames: str) -> dict[int, str]:
        """Where the words of frames lie that are needed, side by side for all lanes."""
        return {place: self.code.at(frames, at, 1) for place, at in self.word_places.items()}

    def kept(self, where: str, kind: str = "i64") -> str:
        return self.op(f"load {self.lane(kind)}, ptr {where}, align 64")

    def keep(self, value: str, where: str, kind: str = "i64") -> None:
        self.code.line(f"store {self.lane(kind)} {value}, ptr {where}, align 64")

    def bits(self, mask: str) -> str:
        """A mask as a number."""
        return self.op(f"zext i{self.many} {self.op(f'bitcast <{self.many} x i1> {mask} to i{self.many}')} to i64")

    def nobody(self, mask: str) -> str:
        """Whether there is no lane in a mask."""
        return self.op(f"icmp eq i64 {self.bits(mask)}, 0")

    def lay_out(self) -> None:
        """One game goes to its first wait, which is the same for all, and all lanes are free. What a game draws from is
        different in each, but nothing is drawn before the first wait; here it is just told apart."""
        code = self.code
        self.frame_at = self.room(f"[{self.frame} x i64]")
        self.word_places, size = dict[int, int](), 0
        for place in sorted(self.needed):
            self.word_places[place] = size
            size += self.many * (4 if self.kind_of(place) == "i32" else 8)
        self.now, self.after = self.room("ptr"), self.room("ptr")
        """Where the frames of all lanes lie, and where they lie after the next sweep: a game that leaves its lane is
        found as it was before."""
        for where in (self.now, self.after):
            frames = self.room(f"[{max(size, 1)} x i8]")
            code.line(f"call void @llvm.memset.p0.i64(ptr {frames}, i8 0, i64 {size}, i1 false)")
            code.line(f"store ptr {frames}, ptr {where}")
        self.alive, self.free = self.room(self.lane("i1")), self.room(self.lane("i1"))
        self.games, self.next = self.room(self.lane("i64")), code.room()
        self.behind = max(self.frame, NUMBERS + self.printer.seats)
        self.laid = self.room(f"[{self.behind + 1} x {self.lane('i64')}]")

        def begun(result: str) -> str:
            with code.loop(str(self.frame)) as (at, _, _):
                code.store(at, code.at(self.frame_at, at))
            return code.op(f"call i64 @segment(ptr %S, ptr {self.frame_at}, ptr %offers, ptr {result})")

        def at_once() -> None:  # games end without any wait
            with code.loop("%n") as (at, _, _):
                begun(self.result(at))
            code.end("ret void")

        code.when(code.op(f"icmp ne i64 {begun('%results')}, 0"), at_once)
        self.start = [code.load(code.at(self.frame_at, place)) for place in range(self.frame)]
        self.keep("zeroinitializer", self.games)
        self.keep("zeroinitializer", self.alive, "i1")
        self.keep(self.all_of("i1", "true"), self.free, "i1")
        code.store("0", self.next)

    def result(self, game: str) -> str:
        """Where the result of a game lies."""
        return self.code.at("%results", self.op(f"mul i64 {game}, {NUMBERS + self.printer.seats}"))

    def refill(self) -> None:
        """Each free lane takes the next game, as long as there are any."""
        code, lane = self.code, self.lane("i64")
        free = self.kept(self.free, "i1")
        below = ", ".join(f"i64 {(1 << place) - 1}" for place in range(self.many))
        before = self.op(f"and {lane} {self.everywhere(self.bits(free))}, <{below}>")
        rank = self.for_each("i64", "ctpop", [before])
        game = self.op(f"add {lane} {rank}, {self.everywhere(code.load(self.next))}")
        count = self.op(f"call i64 @llvm.ctpop.i64(i64 {self.bits(free)})")
        code.store(self.op(f"add i64 {code.load(self.next)}, {count}"), self.next)
        there = self.op(f"icmp ult {lane} {game}, {self.everywhere('%n')}")
        self.keep(self.chosen("i1", free, there, self.kept(self.alive, "i1")), self.alive, "i1")
        self.keep(self.chosen("i64", free, game, self.kept(self.games)), self.games)
        key = self.mixed(self.everywhere("%seed"), self.op(f"add {lane} {game}, {self.everywhere('%first')}"))
        streams = [key, *[self.mixed(key, PLAYERS + seat) for seat in range(self.printer.decides)]]
        coming = key
        for number, stream in enumerate(streams[1:], STREAMS + 1):
            drawn = self.op(f"icmp eq i64 {self.start[STREAMS + len(streams)]}, {number}")
            coming = self.op(f"select i1 {drawn}, {lane} {stream}, {lane} {coming}")
        begins = dict(enumerate([*streams, coming], STREAMS))
        words = self.words_in(self.op(f"load ptr, ptr {self.now}"))
        for place in sorted(self.needed):
            kind = self.kind_of(place)
            new = begins.get(place) or self.everywhere(self.start[place], kind)
            self.keep(self.chosen(kind, free, new, self.kept(words[place], kind)), words[place], kind)
        self.keep("zeroinitializer", self.free, "i1")
        code.split(self.nobody(self.kept(self.alive, "i1")), "done", "sweep")

    def one_by_one(self, mask: str, then: Callable[[str], None]) -> None:
        """Do something for each lane of a mask, given where its words lie: those of all lanes side by side."""
        code = self.code
        rest, head, lap, on = code.room(), code.fresh("head"), code.fresh("lap"), code.fresh("on")
        code.store(self.bits(mask), rest)
        code.label(head)
        now = code.load(rest)
        code.split(code.op(f"icmp eq i64 {now}, 0"), on, lap)
        code.label(lap)
        then(code.at(self.laid, code.op(f"call i64 @llvm.cttz.i64(i64 {now}, i1 true)")))
        code.store(code.op(f"and i64 {now}, {code.op(f'sub i64 {now}, 1')}"), rest)
        code.go(head)
        code.label(on)

    def tell(self, over: str) -> None:
        """What the games that are over came to is written down."""
        code = self.code
        for place, value in self.told.items():
            self.keep(self.wide(value), code.at(self.laid, place * self.many))
        self.keep(self.kept(self.games), code.at(self.laid, self.behind * self.many))

        def write(mine: str) -> None:
            result = self.result(code.load(code.at(mine, self.behind * self.many)))
            for place in self.told:
                code.store(code.load(code.at(mine, place * self.many)), code.at(result, place))

        self.one_by_one(over, write)

    def leave(self, left: str) -> None:
        """Games that come to something rare are played on by themselves, from where they waited last."""
        code = self.code
        words = self.words_in(self.op(f"load ptr, ptr {self.after}"))
        for place in sorted(self.needed):
            kind = self.kind_of(place)
            old = self.kept(words[place], kind)
            if kind == "i32":
                old = self.op(f"sext {self.lane(kind)} {old} to {self.lane('i64')}")
            self.keep(old, code.at(self.laid, place * self.many))
        self.keep(self.kept(self.games), code.at(self.laid, self.behind * self.many))

        def play(mine: str) -> None:
            for place in sorted(self.needed):
                code.store(code.load(code.at(mine, place * self.many)), code.at(self.frame_at, place))
            result = self.result(code.load(code.at(mine, self.behind * self.many)))
            code.line(f"call void @played_out(ptr %S, ptr {self.frame_at}, ptr %offers, ptr {result})")

        self.one_by_one(left, play)
