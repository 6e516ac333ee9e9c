"""Games side by side: one instruction for each of several games, each in a lane of its own.

What takes a game from one wait to the next (`segments.py`) is compiled, and what LLVM made of it is written once more
for lanes. Branches become masks: every block is gone through for all lanes, and what it does counts only for those that
are in it. What is rare and has no form in lanes, as a number that has to be drawn anew, is left out: a lane that comes
there stays as it was before this segment, and its game is played on to its end by itself, by the same function for one
game. So lanes change nothing but time. A lane that is free takes the next game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import attrs

from rulelang.play.chance import PLAYERS
from rulelang_native.llvm.code import Code
from rulelang_native.llvm.games import NUMBERS
from rulelang_native.llvm.segments import DRAW, STREAMS, LaneWriter, SegmentWriter, played_out
from rulelang_native.llvm.support import GAMMA, ONE, POOLS, TWO, function
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.llvm.programs import Printer

LANES = 16
"""Games that are played at once: twice as many as fit into a register, so that one half need not wait for the other."""
MOST_INSTRUCTIONS, MOST_BLOCKS, MOST_HELD = 800, 300, 64
TABLE = 16
"""Known tables of so many numbers are looked at by comparing."""

RARE = re.compile(rf"@below\(|store i64 (?!0,)\S+, ptr %S,|ptr %S, i64 {POOLS}$")
"""What is done seldom: a draw that is drawn anew, giving up, and what is done before play."""

MATH = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr")
DIVIDING = ("udiv", "urem", "sdiv", "srem")
"""By a known number there is no division."""
EACH = ("ctpop", "cttz", "ctlz", "umin", "umax", "smin", "smax", "abs", "fshl", "fshr", "bitreverse", "bswap")
"""Intrinsics that there are for lanes, too."""

NAME = r"%[\w.$-]+|%\"[^\"]+\""
RESULT = re.compile(rf"({NAME}) = (.*)")
LABEL = r"[\w.$-]+|\"[^\"]+\""
BLOCK = re.compile(rf"^({LABEL}):")
STORE = re.compile(r"store i64 (\S+), ptr (\S+), align \d+")
CLEARED = re.compile(rf"(?:tail )?call void @llvm\.memset\.p0\.i64\(ptr [^%]*({NAME}), i8 0, i64 (\d+), i1 false\)")
ASSUMED = re.compile(r"(tail )?call void @llvm\.assume\(")
"""What LLVM was told, or remembers."""
LOAD = re.compile(r"load i64, ptr (\S+), align \d+")


class _Away(Exception):
    """Something that has no form in lanes."""


@attrs.define
class _Block:
    name: str
    lines: list[str] = attrs.field(factory=list)
    next: list[str] = attrs.field(factory=list)
    """Where it can go on."""


def lanes(printer: Printer, whole: Callable[[list[str]], str]) -> list[str] | None:
    """The functions that play games side by side; None if these games are better played one after the other. ``whole``
    makes a module of functions."""
    try:
        segment = SegmentWriter(printer)
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


def _blocks(compiled: str, name: str) -> list[_Block]:
    """The blocks of a function."""
    body = compiled[compiled.index(f"i64 @{name}(") :]
    body = body[body.index("\n") + 1 : body.index("\n}")]
    found = [_Block("entry")]
    for line in re.sub(
        r"\[\n\s*(i64.*?)\n\s*\]", lambda m: "[ " + " ".join(m[1].split()) + " ]", body, flags=re.S
    ).split("\n"):
        line = line.split(" ;")[0] if not line.strip().startswith(";") else ""
        begins = BLOCK.match(line)
        if begins:
            if found[0].lines or begins[1] != "entry":
                found.append(_Block(begins[1]))
        elif line.strip():
            found[-1].lines.append(re.sub(r"(, ![\w.]+ ![\w]+)+$", "", line.strip()))
    return found


def _needed(blocks: Iterable[_Block]) -> set[int]:
    """The numbers of a frame on which anything else depends."""
    kept = list(blocks)
    fields, loads = {"%F": 0}, dict[str, int]()
    uses, stores, waiting = dict[str, list[str]](), dict[int, list[str]](), list[str]()
    for block in kept:
        for line in block.lines:
            if match := re.match(rf"({NAME}) = getelementptr .*i8, ptr %F, i64 (\d+)$", line):
                fields[match[1]] = int(match[2]) // 8
    for block in kept:
        for line in block.lines:
            named = RESULT.fullmatch(line)
            if named is None:
                match = STORE.fullmatch(line)
                if match and match[2] in fields:
                    stores.setdefault(fields[match[2]], []).append(match[1])
                elif not ASSUMED.match(line):
                    waiting += re.findall(NAME, line)
                continue
            match = LOAD.fullmatch(named[2])
            if match and match[1] in fields:
                loads[named[1]] = fields[match[1]]
            elif named[1] not in fields:
                uses[named[1]] = re.findall(NAME, named[2])
                if "call" in named[2].split() and "@llvm." not in named[2]:
                    waiting += uses[named[1]]
    needed, seen = set[int](), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        waiting += uses.get(name, [])
        if name in loads and loads[name] not in needed:
            needed.add(loads[name])
            waiting += stores.get(loads[name], [])
    return needed


class _Lanes:
    """The segment for lanes, and the function that plays games with it."""

    def __init__(self, printer: Printer, segment: SegmentWriter, compiled: str) -> None:
        self.printer, self.segment, self.compiled = printer, segment, compiled
        self.blocks = {block.name: block for block in _blocks(compiled, LaneWriter.NAME)}
        self.frame = len(segment.held_places)
        self.code = Code("")
        self.declared: set[str] = set()
        self.values: dict[str, tuple[str, str]] = {}
        """Of what LLVM named: the type of one, and its name in lanes."""
        self.fields: dict[str, int] = {"%F": 0}
        self.results: dict[str, int] = {"%result": 0}
        self.tables: dict[str, tuple[tuple[int, ...], str]] = {}
        self._look()
        # a game that leaves its lane must find everything there that it may need by itself
        self.needed = _needed(self.blocks.values()) | _needed(_blocks(compiled, SegmentWriter.NAME))

    # -------------------------------------------------------------- which blocks

    def _look(self) -> None:
        """In which order blocks are gone through, and where games wait."""
        if len(self.blocks) > MOST_BLOCKS or self.frame > MOST_HELD:
            raise NotLowered("games are too large for lanes")
        for block in self.blocks.values():
            block.next = re.findall(rf"label %({LABEL})", block.lines[-1])
            if any(each not in self.blocks for each in block.next):
                raise NotLowered("LLVM writes something that is not known here")
        order: list[str] = []
        under, done = set[str](), set[str]()

        def visit(name: str) -> None:
            under.add(name)
            for each in self.blocks[name].next:
                if each in under:
                    raise NotLowered("there is a loop")
                if each not in done:
                    visit(each)
            under.discard(name)
            done.add(name)
            order.append(name)

        visit("entry")
        self.order = order[::-1]
        self.before: dict[str, list[str]] = {name: [] for name in self.order}
        for name in self.order:
            for each in dict.fromkeys(self.blocks[name].next):
                self.before[each].append(name)

    # -------------------------------------------------------------- words about lanes

    def op(self, text: str) -> str:
        return self.code.op(text)

    def all_of(self, kind: str, value: str) -> str:
        return "<" + ", ".join([f"{kind} {value}"] * LANES) + ">"

    def lane(self, kind: str) -> str:
        return f"<{LANES} x {kind}>"

    def value(self, kind: str, text: str) -> str:
        """A value in lanes."""
        text = text.strip()
        if text.startswith("%"):
            if text not in self.values or self.values[text][0] != kind:
                raise _Away
            return self.values[text][1]
        if text in ("poison", "undef"):
            return "zeroinitializer"
        if not re.fullmatch(r"-?\d+|true|false", text):
            raise _Away
        return self.all_of(kind, text)

    def both(self, one: str, other: str) -> str:
        """Both truths; the other may be nothing at all where the one is false."""
        return self.op(f"select {self.lane('i1')} {one}, {self.lane('i1')} {other}, {self.lane('i1')} zeroinitializer")

    def chosen(self, kind: str, mask: str, one: str, other: str | None) -> str:
        """The one in the lanes of a mask, the other elsewhere; nothing is known there if there is no other."""
        if other is None:
            return one
        lane = self.lane(kind)
        return self.op(f"select {self.lane('i1')} {mask}, {lane} {one}, {lane} {other}")

    def either(self, one: str | None, other: str) -> str:
        """The lanes of both masks; the first may be none at all."""
        return other if not one else self.op(f"or {self.lane('i1')} {one}, {other}")

    # -------------------------------------------------------------- the segment

    def write(self, alive: str, places: list[str]) -> tuple[str, str]:
        """The segment for all lanes that are alive: which have to be played by themselves, and which are over."""
        self.masks: dict[str, str] = {"entry": alive}
        self.edges: dict[tuple[str, str], str] = {}
        self.places = places
        self.left: str = ""
        self.over: str = ""
        self.stored: dict[int, str] = {}
        """What lies in a frame afterwards, where that changes."""
        self.told: dict[int, str] = {}
        """What games that are over come to, by the words of a result."""
        self.waits: list[str] = []
        """The blocks where games wait."""
        self.storing: set[str] = set()
        written = 0
        for name in self.order:
            block = self.blocks[name]
            for before in self.before[name]:
                if (before, name) in self.edges:
                    self.masks[name] = self.either(self.masks.get(name), self.edges[before, name])
            if name not in self.masks:
                continue  # nothing that has a form comes here
            written += len(block.lines)
            kept = len(self.code.lines), self.over, dict(self.stored), dict(self.told), len(self.waits)
            at_line = ""
            try:
                for at_line in block.lines[:-1]:
                    self.line(block, at_line)
                at_line = block.lines[-1]
                self.last(block, at_line)
            except _Away:
                if not RARE.search(at_line):
                    raise NotLowered(f"what is not rare has no form in lanes: {at_line}") from None
                del self.code.lines[kept[0] :]
                _, self.over, self.stored, self.told, _ = kept
                del self.waits[kept[4] :]
                self.storing.discard(name)
                for each in block.next:
                    self.edges.pop((name, each), None)
                self.left = self.either(self.left, self.masks[name])
        if not self.waits or written > MOST_INSTRUCTIONS:
            raise NotLowered("games are not worth lanes")
        lane = self.lane("i64")
        self.old = {place: self.op(f"load {lane}, ptr {places[place]}, align 64") for place in self.stored}
        for place, new in self.stored.items():
            if self.storing != set(self.waits):  # not all that wait store, so some lanes stay as they were
                raise NotLowered("games wait in several places")
            self.code.line(f"store {lane} {new}, ptr {places[place]}, align 64")
        return self.left or "zeroinitializer", self.over or "zeroinitializer"

    def last(self, block: _Block, line: str) -> None:
        """How a block ends."""
        name, mask = block.name, self.masks[block.name]
        if match := re.fullmatch(r"br label %(\S+)", line):
            self.edges[name, match[1]] = mask
        elif line == "unreachable":
            pass  # no lane ever comes here
        elif match := re.fullmatch(r"br i1 (\S+), label %(\S+), label %(\S+)", line):
            yes = self.both(mask, self.value("i1", match[1]))
            self.edges[name, match[2]] = yes
            no = self.op(f"xor {self.lane('i1')} {mask}, {yes}")
            self.edges[name, match[3]] = self.either(self.edges.get((name, match[3])), no)
        elif match := re.fullmatch(r"switch (i\d+) (\S+), label %(\S+) \[ (.*) \]", line):
            value, rest = self.value(match[1], match[2]), mask
            for number, label in re.findall(rf"i\d+ (-?\d+), label %({LABEL})", match[4]):
                same = self.op(f"icmp eq {self.lane(match[1])} {value}, {self.all_of(match[1], number)}")
                there = self.both(rest, same)
                self.edges[name, label] = self.either(self.edges.get((name, label)), there)
                rest = self.op(f"xor {self.lane('i1')} {rest}, {there}")
            self.edges[name, match[3]] = self.either(self.edges.get((name, match[3])), rest)
        elif match := re.fullmatch(r"ret i64 (\S+)", line):
            phi = next((each for each in block.lines if each.startswith(f"{match[1]} = phi i64 ")), None)
            ways = [(match[1], name)] if phi is None else re.findall(rf"\[ (\S+), %({LABEL}) \]", phi)
            for given, before in ways:
                there = mask if phi is None else self.edges.get((before, name), "")
                if there and given == "0":
                    self.waits.append(before)
                elif there and given == "1":
                    self.over = self.either(self.over, there)
                elif there:
                    raise NotLowered("LLVM writes something that is not known here")
        else:
            raise _Away

    def line(self, block: _Block, line: str) -> None:
        """An instruction for all lanes."""
        if match := STORE.fullmatch(line):
            if match[2] == "%S" and match[1] == "0" and block.name == "entry":
                return  # that nothing has failed
            if match[2] in self.results:
                self.tells(block, self.results[match[2]], self.value("i64", match[1]))
            elif match[2] not in self.fields:
                raise _Away
            elif self.fields[match[2]] in self.needed:
                self.keeps(block, self.fields[match[2]], self.value("i64", match[1]))
            return
        if ASSUMED.match(line):
            return
        if (match := CLEARED.match(line)) and not int(match[2]) % 8:
            words = int(match[2]) // 8
            if match[1] in self.results:
                for place in range(self.results[match[1]], self.results[match[1]] + words):
                    self.tells(block, place, "zeroinitializer")
                return
            if match[1] in self.fields:
                for place in range(self.fields[match[1]], self.fields[match[1]] + words):
                    self.keeps(block, place, "zeroinitializer")
                return
        named = RESULT.fullmatch(line)
        if named is None:
            raise _Away
        name, what = named[1], named[2]
        kind, value = self.made(block, name, what)
        if value:
            self.values[name] = kind, value

    def keeps(self, block: _Block, place: int, word: str) -> None:
        """A word of a frame."""
        if place in self.needed:
            self.storing.add(block.name)
            self.stored[place] = self.chosen("i64", self.masks[block.name], word, self.stored.get(place))

    def tells(self, block: _Block, place: int, word: str) -> None:
        """A word of a result."""
        self.told[place] = self.chosen("i64", self.masks[block.name], word, self.told.get(place))

    def made(self, block: _Block, name: str, what: str) -> tuple[str, str]:
        """What an instruction gives: its type, and its name in lanes."""
        if match := re.fullmatch(r"(\w+)((?: (?:nuw|nsw|exact|disjoint))*) (i\d+) (\S+), (\S+)", what):
            divides = match[1] in DIVIDING and match[5].isdigit() and match[5] != "0"
            if match[1] not in MATH and not divides:
                raise _Away
            kind = match[3]
            one, other = self.value(kind, match[4]), self.value(kind, match[5])
            return kind, self.op(f"{match[1]} {self.lane(kind)} {one}, {other}")
        if match := re.fullmatch(r"icmp (?:samesign )?(\w+) (i\d+) (\S+), (\S+)", what):
            kind = match[2]
            one, other = self.value(kind, match[3]), self.value(kind, match[4])
            return "i1", self.op(f"icmp {match[1]} {self.lane(kind)} {one}, {other}")
        if match := re.fullmatch(r"(zext|sext|trunc)(?: (?:nneg|nuw|nsw))* (i\d+) (\S+) to (i\d+)", what):
            value = self.value(match[2], match[3])
            return match[4], self.op(f"{match[1]} {self.lane(match[2])} {value} to {self.lane(match[4])}")
        if match := re.fullmatch(r"freeze (i\d+) (\S+)", what):
            return match[1], self.op(f"freeze {self.lane(match[1])} {self.value(match[1], match[2])}")
        if match := re.fullmatch(r"select i1 (\S+), (i\d+) (\S+), i\d+ (\S+)", what):
            kind, truth = match[2], self.value("i1", match[1])
            one, other = self.value(kind, match[3]), self.value(kind, match[4])
            return kind, self.chosen(kind, truth, one, other)
        if match := re.fullmatch(r"phi (i\d+) (.*)", what):
            return match[1], self.phi(block, match[1], match[2])
        if match := re.fullmatch(
            r"(?:tail |notail )?call (?:[\w]+(?:\([^)]*\))? )*?(i\d+) @llvm\.([\w.]+?)\((.*)\)(?: #\d+)?", what
        ):
            return match[1], self.intrinsic(match[1], match[2], match[3])
        if match := re.fullmatch(r"getelementptr (?:inbounds )?(?:nuw |nusw )*i8, ptr %result, i64 (\d+)", what):
            if int(match[1]) % 8:
                raise _Away
            self.results[name] = int(match[1]) // 8
            return "", ""
        if match := re.fullmatch(r"getelementptr (?:inbounds )?(?:nuw |nusw )*i8, ptr %F, i64 (\d+)", what):
            if int(match[1]) % 8 or int(match[1]) >= 8 * self.frame:
                raise _Away
            self.fields[name] = int(match[1]) // 8
            return "", ""
        if match := re.fullmatch(
            r"getelementptr (?:inbounds )?(?:nuw |nusw )*(?:i64|\[\d+ x i64\]), ptr (@\S+),(?: i64 0,)? i64 (\S+)", what
        ):
            table = self.table(match[1])
            self.tables[name] = table, self.value("i64", match[2])
            return "", ""
        if match := LOAD.fullmatch(what):
            if match[1] in self.fields:
                place = self.fields[match[1]]
                if place not in self.needed:
                    return "i64", "zeroinitializer"
                if place in self.stored:
                    raise NotLowered("something is stored before it is read")
                return "i64", self.op(f"load {self.lane('i64')}, ptr {self.places[place]}, align 64")
            if match[1] in self.tables:
                return "i64", self.looked_up(*self.tables[match[1]])
        raise _Away

    def phi(self, block: _Block, kind: str, ways: str) -> str:
        """What comes from different blocks."""
        found: str | None = None
        for given, before in re.findall(rf"\[ (\S+), %({LABEL}) \]", ways):
            if (before, block.name) in self.edges:
                found = self.chosen(kind, self.edges[before, block.name], self.value(kind, given), found)
        assert found is not None
        return found

    def intrinsic(self, kind: str, name: str, given: str) -> str:
        arguments = [each.split()[-1] for each in re.sub(r"\([^)]*\)", "", given).split(",")]
        if name == "x86.bmi.pdep.64":
            one, other = (self.value("i64", each) for each in arguments)
            found = "poison"
            for lane in range(LANES):
                a, b = (self.op(f"extractelement {self.lane('i64')} {each}, i64 {lane}") for each in (one, other))
                bit = self.op(f"call i64 @llvm.x86.bmi.pdep.64(i64 {a}, i64 {b})")
                found = self.op(f"insertelement {self.lane('i64')} {found}, i64 {bit}, i64 {lane}")
            return found
        short = name.split(".")[0]
        if short not in EACH or name != f"{short}.{kind}":
            raise _Away
        flag = short in ("cttz", "ctlz", "abs")
        values = [self.value(kind, each) for each in (arguments[:-1] if flag else arguments)]
        return self.for_each(kind, short, values, f", i1 {arguments[-1]}" if flag else "")

    def for_each(self, kind: str, short: str, values: list[str], flag: str = "") -> str:
        """An intrinsic for all lanes."""
        name, lane = f"@llvm.{short}.v{LANES}{kind}", self.lane(kind)
        given = ", ".join([lane] * len(values) + ["i1"] * bool(flag))
        self.declared.add(f"declare {lane} {name}({given})")
        return self.op(f"call {lane} {name}({', '.join(f'{lane} {each}' for each in values)}{flag})")

    def table(self, name: str) -> tuple[int, ...]:
        """A known table of numbers."""
        match = re.search(rf"^{re.escape(name)} = .*constant \[\d+ x i64\] \[(.*)\], align", self.compiled, re.M)
        if match is None:
            raise _Away
        found = tuple(int(each.split()[1]) for each in match[1].split(","))
        if len(found) > TABLE:
            raise _Away
        return found

    def looked_up(self, table: tuple[int, ...], place: str) -> str:
        """What a known table says of places in it; anything of others."""
        found = self.all_of("i64", str(table[0]))
        for number, value in enumerate(table[1:], 1):
            here = self.op(f"icmp eq {self.lane('i64')} {place}, {self.all_of('i64', str(number))}")
            found = self.chosen("i64", here, self.all_of("i64", str(value)), found)
        return found

    # -------------------------------------------------------------- all games

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

    def everywhere(self, value: str) -> str:
        """A number in all lanes."""
        lane = self.lane("i64")
        one = self.op(f"insertelement {lane} poison, i64 {value}, i64 0")
        return self.op(f"shufflevector {lane} {one}, {lane} poison, <{LANES} x i32> zeroinitializer")

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
        left, over = self.write(self.kept(self.alive, "i1"), self.held)
        code.split(self.nobody(self.op(f"or {self.lane('i1')} {left}, {over}")), "sweep", "gone")
        code.label("gone")
        self.keep(self.op(f"or {self.lane('i1')} {left}, {over}"), self.free, "i1")
        self.tell(over)
        code.split(self.nobody(left), "refill", "leave", (2000, 1))
        code.label("leave")
        self.leave(left)
        code.go("refill")
        code.label("done")
        code.end("ret void")

    def room(self, what: str) -> str:
        name = f"%{self.code.fresh('v')}"
        self.code.slots.append(f"  {name} = alloca {what}, align 64")
        return name

    def kept(self, where: str, kind: str = "i64") -> str:
        return self.op(f"load {self.lane(kind)}, ptr {where}, align 64")

    def keep(self, value: str, where: str, kind: str = "i64") -> None:
        self.code.line(f"store {self.lane(kind)} {value}, ptr {where}, align 64")

    def bits(self, mask: str) -> str:
        """A mask as a number."""
        return self.op(f"zext i{LANES} {self.op(f'bitcast <{LANES} x i1> {mask} to i{LANES}')} to i64")

    def nobody(self, mask: str) -> str:
        """Whether there is no lane in a mask."""
        return self.op(f"icmp eq i64 {self.bits(mask)}, 0")

    def lay_out(self) -> None:
        """One game goes to its first wait, which is the same for all, and all lanes are free. What a game draws from is
        different in each, but nothing is drawn before the first wait; here it is just told apart."""
        code = self.code
        self.frame_at = self.room(f"[{self.frame} x i64]")
        self.held = [self.room(self.lane("i64")) for _ in range(self.frame)]
        self.alive, self.free = self.room(self.lane("i1")), self.room(self.lane("i1"))
        self.number, self.next = self.room(self.lane("i64")), code.room()
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
        for each in (*self.held, self.number):
            self.keep("zeroinitializer", each)
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
        below = ", ".join(f"i64 {(1 << place) - 1}" for place in range(LANES))
        before = self.op(f"and {lane} {self.everywhere(self.bits(free))}, <{below}>")
        rank = self.for_each("i64", "ctpop", [before])
        game = self.op(f"add {lane} {rank}, {self.everywhere(code.load(self.next))}")
        count = self.op(f"call i64 @llvm.ctpop.i64(i64 {self.bits(free)})")
        code.store(self.op(f"add i64 {code.load(self.next)}, {count}"), self.next)
        there = self.op(f"icmp ult {lane} {game}, {self.everywhere('%n')}")
        self.keep(self.chosen("i1", free, there, self.kept(self.alive, "i1")), self.alive, "i1")
        self.keep(self.chosen("i64", free, game, self.kept(self.number)), self.number)
        key = self.mixed(self.everywhere("%seed"), self.op(f"add {lane} {game}, {self.everywhere('%first')}"))
        streams = [key, *[self.mixed(key, PLAYERS + seat) for seat in range(self.printer.decides)]]
        coming = key
        for number, stream in enumerate(streams[1:], STREAMS + 1):
            drawn = self.op(f"icmp eq i64 {self.start[STREAMS + len(streams)]}, {number}")
            coming = self.op(f"select i1 {drawn}, {lane} {stream}, {lane} {coming}")
        begins = dict(enumerate([*streams, coming], STREAMS))
        for place in sorted(self.needed):
            new = begins.get(place) or self.everywhere(self.start[place])
            self.keep(self.chosen("i64", free, new, self.kept(self.held[place])), self.held[place])
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
        for place, value in {**self.told, self.behind: self.kept(self.number)}.items():
            self.keep(value, code.at(self.laid, place * LANES))

        def write(mine: str) -> None:
            result = self.result(code.load(code.at(mine, self.behind * LANES)))
            for place in self.told:
                code.store(code.load(code.at(mine, place * LANES)), code.at(result, place))

        self.one_by_one(over, write)

    def leave(self, left: str) -> None:
        """Games that come to something rare are played on by themselves, from where they waited last."""
        code = self.code
        for place in sorted(self.needed):
            self.keep(self.old.get(place) or self.kept(self.held[place]), code.at(self.laid, place * LANES))
        self.keep(self.kept(self.number), code.at(self.laid, self.behind * LANES))

        def play(mine: str) -> None:
            for place in sorted(self.needed):
                code.store(code.load(code.at(mine, place * LANES)), code.at(self.frame_at, place))
            result = self.result(code.load(code.at(mine, self.behind * LANES)))
            code.line(f"call void @played_out(ptr %S, ptr {self.frame_at}, ptr %offers, ptr {result})")

        self.one_by_one(left, play)
