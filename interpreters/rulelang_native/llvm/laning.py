"""What takes a game from one wait to the next, written for lanes: LLVM's text read again, an instruction for all games.

Branches become masks: every block is gone through for all lanes, and what it does counts only for those that are in it.
Numbers that surely fit into 32 bits lie so (`narrow.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulelang_native.llvm.code import Code
from rulelang_native.llvm.narrow import ANY, Bounds, Num, bounds_of, fits, in_half, joined, known
from rulelang_native.llvm.reading import (
    ASSUMED,
    CALL,
    CLEARED,
    LABEL,
    LOAD,
    NOTHING,
    RESULT,
    STORE,
    Block,
    blocks_of,
    needed_by,
)
from rulelang_native.llvm.segments import LaneWriter, SegmentWriter
from rulelang_native.llvm.support import POOLS
from rulelang_native.lowering.failing import NotLowered

if TYPE_CHECKING:
    from rulelang_native.llvm.programs import Printer

LANES = 32
"""Games that are played at once: two registers of numbers of 32 bits, four of 64. Half as many where registers are half
as wide, and there are half as many of them."""
MOST_INSTRUCTIONS, MOST_BLOCKS, MOST_HELD, MOST_WAITS = 800, 300, 64, 16
MOST_IN_NARROW = 400
"""Instructions at most where registers are narrow: masks need more of them there."""
TABLE = 16
"""Known tables of so many numbers are looked at by comparing."""

RARE = re.compile(rf"@below\(|store i64 (?!0,)\S+, ptr %S,|ptr %S, i64 {POOLS}$")
"""What is done seldom: a draw that is drawn anew, giving up, and what is done before play."""

MATH = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr")
DIVIDING = ("udiv", "urem", "sdiv", "srem")
"""By a known number there is no division."""
EACH = ("ctpop", "cttz", "ctlz", "umin", "umax", "smin", "smax", "abs", "fshl", "fshr", "bitreverse", "bswap")
"""Intrinsics that there are for lanes, too."""


class _Away(Exception):
    """Something that has no form in lanes."""


class Laning:
    """Writes what takes a game from one wait to the next for lanes."""

    def __init__(self, printer: Printer, segment: SegmentWriter, compiled: str) -> None:
        self.printer, self.segment, self.compiled = printer, segment, compiled
        self.many = LANES if printer.wide else LANES // 2
        """Lanes."""
        self.blocks = {block.name: block for block in blocks_of(compiled, LaneWriter.NAME)}
        self.frame = len(segment.held_places)
        self.code = Code("")
        self.declared: set[str] = set()
        self.values: dict[str, tuple[str, str]] = {}
        """Of what LLVM named: the type of one, and its name in lanes."""
        self.numbers: dict[str, Num] = {}
        """Of what has 64 bits: how far it can go, and what holds it."""
        self.turned: dict[tuple[str, str], str] = {}
        """What holds a number in another width."""
        self.fields: dict[str, int] = {"%F": 0}
        self.results: dict[str, int] = {"%result": 0}
        self.tables: dict[str, tuple[tuple[int, ...], Num]] = {}
        self._look()
        # a game that leaves its lane must find everything there that it may need by itself
        self.needed = needed_by(self.blocks.values()) | needed_by(blocks_of(compiled, SegmentWriter.NAME))

    # -------------------------------------------------------------- which blocks

    def _look(self) -> None:
        """In which order blocks are gone through, and where games wait."""
        if len(self.blocks) > MOST_BLOCKS:
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
        return "<" + ", ".join([f"{kind} {value}"] * self.many) + ">"

    def lane(self, kind: str) -> str:
        return f"<{self.many} x {kind}>"

    def value(self, kind: str, text: str) -> str:
        """A value in lanes."""
        text = text.strip()
        if kind == "i64":
            return self.wide(self.number(text))
        if text.startswith("%"):
            if text not in self.values or self.values[text][0] != kind:
                raise _Away
            return self.values[text][1]
        if text in ("poison", "undef"):
            return "zeroinitializer"
        if not re.fullmatch(r"-?\d+|true|false", text):
            raise _Away
        return self.all_of(kind, text)

    def number(self, text: str) -> Num:
        """A number of 64 bits."""
        text = text.strip()
        if text.startswith("%"):
            if text not in self.numbers:
                raise _Away
            return self.numbers[text]
        if text in NOTHING:
            return known(0)
        if not re.fullmatch(r"-?\d+", text):
            raise _Away
        return known(int(text))

    def wide(self, num: Num) -> str:
        """A number, 64 bits for each lane."""
        if num.known is not None:
            return self.all_of("i64", str(num.known))
        if not fits(num.bounds):
            return num.name
        word = "zext nneg" if num.bounds[0] >= 0 else "sext"
        return self.turn(word, num.name, "i32", "i64")

    def half(self, num: Num) -> str:
        """The lower 32 bits of a number."""
        if num.known is not None:
            return self.all_of("i32", str(num.known))
        return num.name if fits(num.bounds) else self.turn("trunc", num.name, "i64", "i32")

    def turn(self, word: str, name: str, kind: str, wanted: str) -> str:
        """A number in another width, once."""
        if (name, wanted) not in self.turned:
            self.turned[name, wanted] = self.op(f"{word} {self.lane(kind)} {name} to {self.lane(wanted)}")
        return self.turned[name, wanted]

    def width(self, bounds: Bounds) -> str:
        """How numbers with these bounds lie."""
        return "i32" if fits(bounds) else "i64"

    def lying(self, num: Num, kind: str) -> str:
        """A number in this width."""
        return self.half(num) if kind == "i32" else self.wide(num)

    def given(self, bounds: Bounds, kind: str, text: str) -> Num:
        """What an instruction gives in this width."""
        name = self.op(text)
        if kind == "i64" and fits(bounds):
            name = self.op(f"trunc {self.lane('i64')} {name} to {self.lane('i32')}")
        return Num(bounds, name)

    def picked(self, mask: str, one: Num, other: Num | None) -> Num:
        """The one in the lanes of a mask, the other elsewhere; nothing is known there if there is no other."""
        if other is None or one == other:
            return one
        bounds = joined(one.bounds, other.bounds)
        kind = self.width(bounds)
        return Num(bounds, self.chosen(kind, mask, self.lying(one, kind), self.lying(other, kind)))

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

    def write(self, alive: str, places: dict[int, str], after: dict[int, str]) -> tuple[str, str]:
        """The segment for all lanes that are alive, given where the words of frames lie and where they are to lie
        afterwards: which have to be played by themselves, and which are over."""
        self.masks: dict[str, str] = {"entry": alive}
        self.edges: dict[tuple[str, str], str] = {}
        self.places = places
        self.left: str = ""
        self.over: str = ""
        self.stored: dict[int, Num] = {}
        """What lies in a frame afterwards, where that changes."""
        self.told: dict[int, Num] = {}
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
            turned = dict(self.turned)
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
                self.turned = turned
                del self.waits[kept[4] :]
                self.storing.discard(name)
                for each in block.next:
                    self.edges.pop((name, each), None)
                self.left = self.either(self.left, self.masks[name])
        if not self.waits or written > (MOST_INSTRUCTIONS if self.printer.wide else MOST_IN_NARROW):
            raise NotLowered("games are not worth lanes")
        if self.storing != set(self.waits):  # not all that wait store, so some lanes stay as they were
            raise NotLowered("games wait in several places")
        for place in sorted(self.needed):
            kind = self.kind_of(place)
            new = self.stored.get(place)
            word = self.load(places[place], kind) if new is None else self.lying(new, kind)
            self.code.line(f"store {self.lane(kind)} {word}, ptr {after[place]}, align 64")
        return self.left or "zeroinitializer", self.over or "zeroinitializer"

    def last(self, block: Block, line: str) -> None:
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

    def line(self, block: Block, line: str) -> None:
        """An instruction for all lanes."""
        if match := STORE.fullmatch(line):
            if match[2] == "%S" and match[1] == "0" and block.name == "entry":
                return  # that nothing has failed
            if match[2] in self.results:
                self.tells(block, self.results[match[2]], self.number(match[1]))
            elif match[2] not in self.fields:
                raise _Away
            elif self.fields[match[2]] in self.needed:
                self.keeps(block, self.fields[match[2]], self.number(match[1]))
            return
        if ASSUMED.match(line):
            return
        if (match := CLEARED.match(line)) and not int(match[2]) % 8:
            words = int(match[2]) // 8
            if match[1] in self.results:
                for place in range(self.results[match[1]], self.results[match[1]] + words):
                    self.tells(block, place, known(0))
                return
            if match[1] in self.fields:
                for place in range(self.fields[match[1]], self.fields[match[1]] + words):
                    self.keeps(block, place, known(0))
                return
        named = RESULT.fullmatch(line)
        if named is None:
            raise _Away
        name, what = named[1], named[2]
        num = self.wide_made(block, what)
        if num is not None:
            self.numbers[name] = num
            return
        kind, value = self.made(block, name, what)
        if value:
            self.values[name] = kind, value

    def kind_of(self, place: int) -> str:
        """How a word of a frame lies."""
        return self.width(self.segment.held_places[place][1])

    def load(self, where: str, kind: str) -> str:
        """What lies somewhere, in all lanes."""
        return self.op(f"load {self.lane(kind)}, ptr {where}, align 64")

    def keeps(self, block: Block, place: int, word: Num) -> None:
        """A word of a frame."""
        if place in self.needed:
            self.storing.add(block.name)
            self.stored[place] = self.picked(self.masks[block.name], word, self.stored.get(place))

    def tells(self, block: Block, place: int, word: Num) -> None:
        """A word of a result."""
        self.told[place] = self.picked(self.masks[block.name], word, self.told.get(place))

    def math(self, word: str, one: Num, other: Num) -> Num:
        """An instruction with two numbers."""
        bounds = bounds_of(word, one.bounds, other.bounds)
        kind = "i32" if fits(bounds) and in_half(word, one.bounds, other.bounds) else "i64"
        return self.given(bounds, kind, f"{word} {self.lane(kind)} {self.lying(one, kind)}, {self.lying(other, kind)}")

    def wide_made(self, block: Block, what: str) -> Num | None:
        """What an instruction gives that gives a number of 64 bits; None if it is another instruction."""
        if match := re.fullmatch(r"(\w+)((?: (?:nuw|nsw|exact|disjoint))*) i64 (\S+), (\S+)", what):
            if match[1] in MATH or (match[1] in DIVIDING and match[4].isdigit() and match[4] != "0"):
                return self.math(match[1], self.number(match[3]), self.number(match[4]))
            raise _Away
        if match := re.fullmatch(r"(zext|sext)(?: nneg)? (i\d+) (\S+) to i64", what):
            bits = int(match[2][1:])
            value = self.value(match[2], match[3])
            low = 0 if match[1] == "zext" else -(1 << bits - 1)
            bounds = (low, low + (1 << bits) - 1)
            kind = self.width(bounds)
            if kind == match[2]:
                return Num(bounds, value)
            return self.given(bounds, kind, f"{match[1]} {self.lane(match[2])} {value} to {self.lane(kind)}")
        if match := re.fullmatch(r"freeze i64 (\S+)", what):
            num = self.number(match[1])
            kind = self.width(num.bounds)
            return self.given(num.bounds, kind, f"freeze {self.lane(kind)} {self.lying(num, kind)}")
        if match := re.fullmatch(r"select i1 (\S+), i64 (\S+), i64 (\S+)", what):
            if match[3] in NOTHING or match[2] in NOTHING:
                return self.number(match[2] if match[3] in NOTHING else match[3])
            return self.picked(self.value("i1", match[1]), self.number(match[2]), self.number(match[3]))
        if match := re.fullmatch(r"phi i64 (.*)", what):
            return self.phi_of_numbers(block, match[1])
        if match := CALL.fullmatch(what):
            return self.called(match[2], match[3]) if match[1] == "i64" else None
        if match := LOAD.fullmatch(what):
            if match[1] in self.fields:
                place = self.fields[match[1]]
                if place not in self.needed:
                    return known(0)
                if place in self.stored:
                    raise NotLowered("something is stored before it is read")
                bounds = self.segment.held_places[place][1]
                return Num(bounds, self.load(self.places[place], self.width(bounds)))
            if match[1] in self.tables:
                return self.looked_up(*self.tables[match[1]])
            raise _Away
        return None

    def phi_of_numbers(self, block: Block, ways: str) -> Num:
        """A number that comes from different blocks: those that give the same are taken together."""
        masks: dict[Num, list[str]] = {}
        for text, before in re.findall(rf"\[ (\S+), %({LABEL}) \]", ways):
            if (before, block.name) in self.edges and text not in NOTHING:
                masks.setdefault(self.number(text), []).append(self.edges[before, block.name])
        if not masks:
            return known(0)
        # what comes most often is taken where nothing else is
        first, *others = sorted(masks, key=lambda each: -len(masks[each]))
        for other in others:
            mask = masks[other][0]
            for more in masks[other][1:]:
                mask = self.either(mask, more)
            first = self.picked(mask, other, first)
        return first

    def called(self, name: str, given: str) -> Num:
        """What an intrinsic gives that gives a number of 64 bits."""
        arguments = [each.split()[-1] for each in re.sub(r"\([^)]*\)", "", given).split(",")]
        numbers = [self.number(each) for each in arguments if each not in ("true", "false")]
        if name == "x86.bmi.pdep.64":
            return self.deposit(numbers)
        short = name.split(".")[0]
        if short not in EACH or name != f"{short}.i64":
            raise _Away
        bounds = [each.bounds for each in numbers]
        if short in ("umin", "umax", "smin", "smax"):
            found = bounds_of(short, *bounds)
            kind = "i32" if fits(found) and in_half(short, *bounds) else "i64"
        elif short == "ctpop" or (short == "cttz" and arguments[-1] == "true"):
            found = (0, 64)
            kind = "i32" if fits(bounds[0]) and bounds[0][0] >= 0 else "i64"
        else:
            found, kind = (0, 64) if short in ("cttz", "ctlz") else ANY, "i64"
        flag = f", i1 {arguments[-1]}" if short in ("cttz", "ctlz", "abs") else ""
        name = self.for_each(kind, short, [self.lying(each, kind) for each in numbers], flag)
        if kind == "i64" and fits(found):
            name = self.op(f"trunc {self.lane('i64')} {name} to {self.lane('i32')}")
        return Num(found, name)

    def deposit(self, numbers: list[Num]) -> Num:
        """The bits of a number laid where another has bits, lane by lane."""
        one, other = map(self.wide, numbers)
        found = "poison"
        for lane in range(self.many):
            a, b = (self.op(f"extractelement {self.lane('i64')} {each}, i64 {lane}") for each in (one, other))
            bit = self.op(f"call i64 @llvm.x86.bmi.pdep.64(i64 {a}, i64 {b})")
            found = self.op(f"insertelement {self.lane('i64')} {found}, i64 {bit}, i64 {lane}")
        bounds = (0, numbers[1].bounds[1]) if numbers[1].bounds[0] >= 0 else ANY
        if fits(bounds):
            found = self.op(f"trunc {self.lane('i64')} {found} to {self.lane('i32')}")
        return Num(bounds, found)

    def made(self, block: Block, name: str, what: str) -> tuple[str, str]:
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
            if kind == "i64":
                numbers = self.number(match[3]), self.number(match[4])
                kind = "i32" if all(fits(each.bounds) for each in numbers) else "i64"
                one, other = (self.lying(each, kind) for each in numbers)
            else:
                one, other = self.value(kind, match[3]), self.value(kind, match[4])
            return "i1", self.op(f"icmp {match[1]} {self.lane(kind)} {one}, {other}")
        if match := re.fullmatch(r"trunc(?: (?:nuw|nsw))* i64 (\S+) to (i\d+)", what):
            num = self.number(match[1])
            kind = self.width(num.bounds)
            if kind == match[2]:
                return kind, self.lying(num, kind)
            return match[2], self.op(f"trunc {self.lane(kind)} {self.lying(num, kind)} to {self.lane(match[2])}")
        if match := re.fullmatch(r"(zext|sext|trunc)(?: (?:nneg|nuw|nsw))* (i\d+) (\S+) to (i\d+)", what):
            value = self.value(match[2], match[3])
            return match[4], self.op(f"{match[1]} {self.lane(match[2])} {value} to {self.lane(match[4])}")
        if match := re.fullmatch(r"freeze (i\d+) (\S+)", what):
            return match[1], self.op(f"freeze {self.lane(match[1])} {self.value(match[1], match[2])}")
        if match := re.fullmatch(r"select i1 (\S+), (i\d+) (\S+), i\d+ (\S+)", what):
            kind, truth = match[2], self.value("i1", match[1])
            one, other = self.value(kind, match[3]), self.value(kind, match[4])
            return kind, self.chosen(kind, truth, one, other)
        if match := re.fullmatch(r"phi ptr (.*)", what):
            ways = re.findall(rf"\[ (\S+), %({LABEL}) \]", match[1])
            for known_places in (self.results, self.fields):
                there = {known_places.get(each) for each, _ in ways}
                place = there.pop() if len(there) == 1 else None
                if place is not None:  # the same, however one came here
                    known_places[name] = place
                    return "", ""
            raise _Away
        if match := re.fullmatch(r"phi (i\d+) (.*)", what):
            return match[1], self.phi(block, match[1], match[2])
        if match := CALL.fullmatch(what):
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
            self.tables[name] = table, self.number(match[2])
            return "", ""
        raise _Away

    def phi(self, block: Block, kind: str, ways: str) -> str:
        """What comes from different blocks."""
        found: str | None = None
        for given, before in re.findall(rf"\[ (\S+), %({LABEL}) \]", ways):
            if (before, block.name) in self.edges:
                found = self.chosen(kind, self.edges[before, block.name], self.value(kind, given), found)
        assert found is not None
        return found

    def intrinsic(self, kind: str, name: str, given: str) -> str:
        arguments = [each.split()[-1] for each in re.sub(r"\([^)]*\)", "", given).split(",")]
        short = name.split(".")[0]
        if short not in EACH or name != f"{short}.{kind}":
            raise _Away
        flag = short in ("cttz", "ctlz", "abs")
        values = [self.value(kind, each) for each in (arguments[:-1] if flag else arguments)]
        return self.for_each(kind, short, values, f", i1 {arguments[-1]}" if flag else "")

    def for_each(self, kind: str, short: str, values: list[str], flag: str = "") -> str:
        """An intrinsic for all lanes."""
        name, lane = f"@llvm.{short}.v{self.many}{kind}", self.lane(kind)
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

    def looked_up(self, table: tuple[int, ...], place: Num) -> Num:
        """What a known table says of places in it; anything of others."""
        found = known(table[0])
        kind = self.width(place.bounds)
        for number, value in enumerate(table[1:], 1):
            if known(value) != found:
                here = self.lying(place, kind)
                same = self.op(f"icmp eq {self.lane(kind)} {here}, {self.all_of(kind, str(number))}")
                found = self.picked(same, known(value), found)
        return found
