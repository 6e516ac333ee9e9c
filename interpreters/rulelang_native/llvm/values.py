"""Expressions of the flat form as LLVM text. Where only one part of an expression may be looked at there are branches;
LLVM makes selects of them where it may."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Data, Flat, Known
from rulelang_native.flat.program import Function
from rulelang_native.llvm.bags import Bagging, Packed
from rulelang_native.llvm.code import ROW, Code, Val, number
from rulelang_native.llvm.decks import Deck, Decking
from rulelang_native.llvm.divisions import NOTHING, UNKNOWN
from rulelang_native.llvm.listings import Notes, key_parts, noted
from rulelang_native.llvm.piles import Piling
from rulelang_native.llvm.planes import WORDS, Planes, signed, word_for
from rulelang_native.llvm.sets import Linking, Steps
from rulelang_native.llvm.shaping import ROWS, Kind
from rulelang_native.llvm.singles import Singles
from rulelang_native.llvm.somes import Somes, Span, in_steps
from rulelang_native.llvm.support import COST, MOST, alloc, field
from rulelang_native.llvm.walking import parts, reaches_the_ends
from rulelang_native.lowering.failing import NotLowered


@attrs.define
class Constants:
    """Known rows, each laid down once."""

    names: dict[tuple[Data, Kind | int], str] = attrs.field(factory=dict)
    lines: list[str] = attrs.field(factory=list)

    def words(self, masks: tuple[int, ...], bits: int) -> str:
        """Where known words of bits lie."""
        key = (masks, bits)
        if key not in self.names:
            name = f"@K{len(self.names)}"
            self.names[key] = name
            body = ", ".join(f"i{bits} {signed(each, bits)}" for each in masks)
            self.lines.append(f"{name} = internal constant [{len(masks)} x i{bits}] [{body}], align 8")
        return self.names[key]

    def subsets(self, low: int, size: int) -> str:
        """Where all rows of some of so many numbers lie, in order, by the bits that say which."""
        found: list[int] = []
        for bits in range(1 << size):
            row = [low + place for place in range(size) if bits >> place & 1]
            found += row + [0] * (size - len(row))
        return self.words(tuple(found), 64)

    def row(self, value: tuple[Data, ...]) -> Val:
        """Where a known row lies."""
        if not value:
            return Val("row", "null", "0")
        kind = ROWS[depth(value) - 1]
        if (value, kind) not in self.names:
            if kind != "row":
                inner = [self.row(each) for each in value if isinstance(each, tuple)]
                body = ", ".join(f"{ROW} {{ ptr {each.one}, i64 {each.two} }}" for each in inner)
                laid = f"[{len(value)} x {ROW}] [{body}]"
            else:
                body = ", ".join(f"i64 {each}" for each in value)
                laid = f"[{len(value)} x i64] [{body}]"
            name = f"@K{len(self.names)}"
            self.names[value, kind] = name
            self.lines.append(f"{name} = internal constant {laid}, align 8")
        return Val(kind, self.names[value, kind], str(len(value)))


def depth(value: Data) -> int:
    """How deep rows lie inside one another."""
    return 1 + max(map(depth, value), default=0) if isinstance(value, tuple) else 0


@attrs.frozen
class Places:
    """Where in a state the program's cells and the locals of its frames lie, in bytes."""

    slots: tuple[int, ...]
    rows: tuple[bool, ...]
    """Which slots hold rows: 16 bytes a member, else 8."""
    locals: Mapping[tuple[int, int], int]
    size: int
    members: tuple[int, ...] = ()
    """How many members each slot has."""


class Writer(Code, ABC):
    """A function of the program under way."""

    hasty = False
    """Whether what divisions say is not worked out if it is not known yet: `unsure` says what is given then."""

    def __init__(self, header: str, home: Home, frame: int | None, kinds: Mapping[str, Kind]) -> None:
        super().__init__(header)
        self.home = home
        self.unrolls = FEW_LAPS if home.by_comparing else 0
        self.frame = frame
        """The procedure whose frame is the running one."""
        self.plain_locals: dict[int, tuple[str, Kind]] | None = None
        """Where a plain procedure keeps its locals."""
        self.kinds = kinds
        self.variables: dict[str, tuple[str, Kind]] = {}
        self.gathered: dict[str, tuple[str, str, str, Kind]] = {}
        self.subsets: dict[str, tuple[str, int, int]] = {}
        """What is gathered of few numbers that go up by one: which of them as bits, the least, and how many."""
        self.prefix = ""
        self.whole: tuple[st.Statement, ...] = ()
        """What is written just now, as a whole."""
        self.bagging = Bagging(self)
        self.piling = Piling(self)
        self.linking = Linking(self)
        self.singles = Singles(self)
        self.decking = Decking(self)
        self.somes = Somes(self)
        self.ready: dict[flat.Result, str] = {}
        """Where the bits lie that functions gave, which give the same wherever they are asked."""
        self.checked: set[str] = set()
        """Variables that are given what perhaps lies outside 64 bits, which is looked at then, by their full names."""
        self.worths: set[str] = set()
        """Variables that hold what a division is worth, by their full names: nothing else is asked of it."""
        self.tables: dict[str, tuple[str, Notes]] = {}
        """Where what is noted under a name lies."""

    # -------------------------------------------------------------- variables

    def variable(self, name: str) -> tuple[str, Kind]:
        """Where a variable is kept."""
        name_ = self.prefix + name
        if name_ not in self.variables:
            kind = self.kinds.get(name, "number")
            as_numbers = (self.bagging.names, self.worths, self.singles.names, self.somes.names, self.decking.names)
            if any(name_ in names for names in (*as_numbers, self.decking.pools)):
                kind = "number"
            size = self.linking.names.get(name_)
            self.variables[name_] = (self.room(LAID[kind] if size is None else f"i{word_for(size)}"), kind)
        return self.variables[name_]

    def keep(self, where: tuple[str, Kind], value: Val) -> None:
        """Give a variable a value; an empty row fits any row."""
        place, kind = where
        if kind == "truth":
            self.line(f"store i1 {self.as_truth(value)}, ptr {place}")
        elif kind == "number":
            self.store(self.as_number(value), place)
        else:
            self.put(value, place)

    def kept(self, where: tuple[str, Kind]) -> Val:
        place, kind = where
        if kind == "truth":
            return Val("truth", self.op(f"load i1, ptr {place}"))
        return self.get(place, kind)

    def local(self, local: int) -> tuple[str, Kind]:
        """Where a local of the running frame lies."""
        if self.plain_locals is not None:
            return self.plain_locals[local]
        assert self.frame is not None
        return self.home.local_place(self, self.frame, local), self.home.local_kind(self.frame, local)

    def local_is_number(self, local: int) -> bool:
        """Whether a local of the running frame is a number."""
        if self.plain_locals is not None:
            return self.plain_locals[local][1] == "number"
        return self.frame is not None and self.home.local_kind(self.frame, local) == "number"

    # -------------------------------------------------------------- conversions

    def as_truth(self, value: Val) -> str:
        """An i1: whether a number is not 0, or a row not empty."""
        if value.kind == "truth":
            return value.one
        return self.op(f"icmp ne i64 {value.two if value.kind in ('row', 'rows') else value.one}, 0")

    def as_number(self, value: Val) -> str:
        """An i64."""
        return self.op(f"zext i1 {value.one} to i64") if value.kind == "truth" else value.one

    def n(self, value: Flat) -> str:
        """A number."""
        return self.as_number(self.value(value))

    def t(self, value: Flat) -> str:
        """A truth."""
        return self.as_truth(self.value(value))

    # -------------------------------------------------------------- expressions

    def value(self, value: Flat) -> Val:
        """Any expression."""
        write = EXPRESSIONS.get(type(value))
        if write is None:
            raise NotLowered(f"{type(value).__name__} has no form in LLVM")
        return write(self, value)

    def known(self, e: Known) -> Val:
        return number(e.value) if isinstance(e.value, int) else self.home.constants.row(e.value)

    def cell(self, slot: int, member: Flat) -> tuple[str, Kind]:
        """Where a member of a slot lies."""
        row = self.home.places.rows[slot]
        size = 16 if row else 8
        if isinstance(member, Known):
            assert isinstance(member.value, int)
            return self.home.cell_place(self, slot, member.value), "row" if row else "number"
        place = self.n(member)
        return self.at(self.home.cell_place(self, slot, 0), place, size), "row" if row else "number"

    def by_registers(self, slot: int, member: Flat) -> bool:
        """Whether one of few numbers that lie by themselves is chosen by comparing, so that they need no memory."""
        places = self.home.places
        few = self.home.by_comparing and self.home.apart and not places.rows[slot] and places.members[slot] <= FEW
        return few and not isinstance(member, Known)

    def named(self, e: flat.Name) -> Val:
        layout = self.bagging.layout(e)
        if layout is not None:
            return self.bagging.as_row(self.bagging.word(e, layout), layout)
        if (places := self.linking.places(e)) is not None:
            return self.linking.as_row(e, places)
        if (told := self.somes.along(e)) is not None:
            return self.somes.told_row(told)
        if (span := self.somes.span(e)) is not None:
            return self.somes.as_row(self.somes.bits(e, span), span)
        if self.singles.single(e):
            return self.singles.as_row(self.singles.number(e))
        return self.kept(self.variable(e.name))

    def turned(self, e: flat.Turned) -> Val:
        """A row that begins with one of its numbers. A known one lies there twice, so that nothing is copied: it begins
        somewhere in the first half."""
        known = e.row.value if isinstance(e.row, Known) else ()
        if not isinstance(known, tuple) or not known or known != tuple(range(len(known))):
            return self.of_row("turned", e.row, e.start)
        first, twice = self.n(e.start), self.home.constants.row(known * 2)
        inside = self.op(f"icmp ult i64 {first}, {len(known)}")
        return Val("row", self.at(twice.one, self.op(f"select i1 {inside}, i64 {first}, i64 0")), str(len(known)))

    def row_of(self, slot: int, member: str) -> Val:
        """The row that a member of a slot holds, given the number of the member."""
        if slot in self.home.piles:
            return self.piling.row(self.piling.place_of(slot, member))
        if slot in self.home.bag_sets:
            return self.linking.in_bag(slot, member)
        size = 16 if self.home.places.rows[slot] else 8
        where = self.at(self.home.cell_place(self, slot, 0), member, size)
        if slot in self.home.singles:
            return self.singles.as_row(self.load(where))
        return self.row_in(slot, where)

    def row_in(self, slot: int, where: str) -> Val:
        """The row that lies in a cell, however it lies there."""
        layout = self.home.bags.get(slot)
        if layout is not None:
            return self.bagging.as_row(self.load(where), layout)
        return self.load_row(where)

    def chosen_number(self, slot: int, member: Flat) -> str:
        """The number that a member of a slot holds."""
        if not self.by_registers(slot, member):
            return self.load(self.cell(slot, member)[0])
        place, found = self.n(member), self.load(self.home.cell_place(self, slot, 0))
        for other in range(1, self.home.places.members[slot]):
            there = self.op(f"icmp eq i64 {place}, {other}")
            one = self.load(self.home.cell_place(self, slot, other))
            found = self.op(f"select i1 {there}, i64 {one}, i64 {found}")
        return found

    def held(self, e: flat.Held) -> Val:
        if e.slot in self.home.piles:
            return self.piling.row(self.piling.place(e.slot, e.member))
        if (places := self.linking.places(e)) is not None:
            return self.linking.as_row(e, places)
        if e.slot in self.home.bags:
            return self.row_in(e.slot, self.cell(e.slot, e.member)[0])
        if e.slot in self.home.singles:
            return self.singles.as_row(self.chosen_number(e.slot, e.member))
        planes = self.home.planes.get(e.slot)
        if planes is None:
            if self.by_registers(e.slot, e.member):
                return Val("number", self.chosen_number(e.slot, e.member))
            return self.get(*self.cell(e.slot, e.member))
        place, found = self.n(e.member), str(planes.low)
        for value in range(1, planes.values):
            bit = self.as_number(
                Val("truth", self.bit(self.plane(e.slot, Known(planes.low + value)), place, planes.word))
            )
            more = bit if value == 1 else self.op(f"mul i64 {bit}, {value}")
            found = self.op(f"add i64 {found}, {more}")
        return Val("number", found)

    # -------------------------------------------------------------- planes

    def bit(self, word: str, place: str, bits: int) -> str:
        """Whether a place is in a word of bits."""
        shift = place if bits == 64 else self.op(f"zext i64 {place} to i{bits}")
        return self.op(f"trunc i{bits} {self.op(f'lshr i{bits} {word}, {shift}')} to i1")

    def one_bit(self, place: str, bits: int) -> str:
        """A place as a word of bits."""
        shift = place if bits == 64 else self.op(f"zext i64 {place} to i{bits}")
        return self.op(f"shl i{bits} 1, {shift}")

    def as_wide(self, word: str, bits: int, wanted: str) -> str:
        """A word of bits in a word at least as wide."""
        if f"i{bits}" == wanted:
            return word
        return self.op(f"zext i{bits} {word} to {wanted}")

    def plane_place(self, slot: int, value: int | str) -> str:
        """Where the plane of a value lies, counted from the least one."""
        planes = self.home.planes[slot]
        base = self.home.cell_place(self, slot, 0)
        if isinstance(value, int):
            return self.at(base, value * planes.word // 8, 1)
        return self.op(f"getelementptr i{planes.word}, ptr {base}, i64 {value}")

    def plane(self, slot: int, value: Flat) -> str:
        """The places of a slot that have a value."""
        planes = self.home.planes[slot]
        if isinstance(value, Known):
            assert isinstance(value.value, int)
            number = value.value - planes.low
            if not 0 <= number < planes.values:
                return "0"
            return self.op(f"load i{planes.word}, ptr {self.plane_place(slot, number)}, align 8")
        if self.home.apart and planes.word == WORDS[0]:  # chosen in registers: that needs no memory
            chosen, wanted = "0", self.n(value)
            for number in range(planes.values):
                is_it = self.op(f"icmp eq i64 {wanted}, {planes.low + number}")
                word = self.op(f"load i{planes.word}, ptr {self.plane_place(slot, number)}, align 8")
                chosen = self.op(f"select i1 {is_it}, i{planes.word} {word}, i{planes.word} {chosen}")
            return chosen
        number_ = self.op(f"sub i64 {self.n(value)}, {planes.low}")
        there = self.op(f"icmp ult i64 {number_}, {planes.values}")
        near = self.op(f"select i1 {there}, i64 {number_}, i64 0")
        word = self.op(f"load i{planes.word}, ptr {self.plane_place(slot, near)}, align 8")
        return self.op(f"select i1 {there}, i{planes.word} {word}, i{planes.word} 0")

    def set_plane(self, slot: int, member: Flat, value: Flat) -> None:
        """A place of a slot has another value now."""
        planes = self.home.planes[slot]
        word = f"i{planes.word}"
        one = self.one_bit(self.n(member), planes.word)
        others, new = self.op(f"xor {word} {one}, -1"), self.value(value)
        for number_ in range(planes.values):
            where = self.plane_place(slot, number_)
            rest = self.op(f"and {word} {self.op(f'load {word}, ptr {where}, align 8')}, {others}")
            if isinstance(value, Known):
                there = self.op(f"or {word} {rest}, {one}") if value.value == planes.low + number_ else rest
            else:
                is_it = self.op(f"icmp eq i64 {self.as_number(new)}, {planes.low + number_}")
                there = self.op(f"or {word} {rest}, {self.op(f'select i1 {is_it}, {word} {one}, {word} 0')}")
            self.line(f"store {word} {there}, ptr {where}, align 8")

    def looked_up(self, masks: tuple[int, ...], bits: int, low: int, value: Flat) -> str:
        """One of several known words, by a value; none if it is another."""
        name = self.home.constants.words(masks, bits)
        number_ = self.op(f"sub i64 {self.n(value)}, {low}")
        there = self.op(f"icmp ult i64 {number_}, {len(masks)}")
        near = self.op(f"select i1 {there}, i64 {number_}, i64 0")
        where = self.op(f"getelementptr i{bits}, ptr {name}, i64 {near}")
        return self.op(f"select i1 {there}, i{bits} {self.op(f'load i{bits}, ptr {where}, align 8')}, i{bits} 0")

    def math(self, e: flat.Math) -> Val:
        left, right = self.n(e.left), self.n(e.right)
        match e.operator:
            case "+" | "-" | "*":
                word = {"+": "add", "-": "sub", "*": "mul"}[e.operator]
                return Val("number", self.op(f"{word} nsw i64 {left}, {right}"))
            case "min" | "max":
                return Val("number", self.op(f"call i64 @llvm.s{e.operator}.i64(i64 {left}, i64 {right})"))
        minus_one = self.op(f"icmp eq i64 {right}, -1")  # by which the least number cannot be divided on x86
        rest = self.op(f"srem i64 {left}, {self.op(f'select i1 {minus_one}, i64 1, i64 {right}')}")
        wrong = self.op(f"icmp ne i64 {rest}, 0")
        apart = self.op(f"icmp slt i64 {self.op(f'xor i64 {rest}, {right}')}, 0")
        down = self.op(f"and i1 {wrong}, {apart}")  # towards the smaller number, as Python divides
        if e.operator == "%":
            return Val("number", self.op(f"select i1 {down}, i64 {self.op(f'add i64 {rest}, {right}')}, i64 {rest}"))
        divisor = self.op(f"select i1 {minus_one}, i64 1, i64 {right}")
        whole = self.op(f"sub i64 {self.op(f'sdiv i64 {left}, {divisor}')}, {self.op(f'zext i1 {down} to i64')}")
        turned = self.op(f"sub i64 0, {left}")
        return Val("number", self.op(f"select i1 {minus_one}, i64 {turned}, i64 {whole}"))

    def compare(self, e: flat.Compare) -> Val:
        for one, other in ((e.left, e.right), (e.right, e.left)) if e.operator in ("==", "!=") else ():
            if isinstance(one, flat.Held) and one.slot in self.home.planes and not isinstance(other, flat.Held):
                planes = self.home.planes[one.slot]
                there = self.bit(self.plane(one.slot, other), self.n(one.member), planes.word)
                return Val("truth", there if e.operator == "==" else self.op(f"xor i1 {there}, true"))
        for one, other in ((e.left, e.right), (e.right, e.left)) if e.operator in ("==", "!=") else ():
            layout = self.bagging.layout(one)
            if layout is not None and (isinstance(other, Known) or self.bagging.layout(other) == layout):
                word = "eq" if e.operator == "==" else "ne"
                if self.bagging.packs(other, layout):
                    mine, theirs = self.bagging.word(one, layout), self.bagging.word(other, layout)
                    return Val("truth", self.op(f"icmp {word} i64 {mine}, {theirs}"))
        if e.operator in ("==", "!=") and self.singles.single(e.left) and self.singles.single(e.right):
            word = "eq" if e.operator == "==" else "ne"
            mine, theirs = self.singles.number(e.left), self.singles.number(e.right)
            return Val("truth", self.op(f"icmp {word} i64 {mine}, {theirs}"))
        left, right = self.value(e.left), self.value(e.right)
        if left.kind in ROWS:
            if left.kind != "row" and left.one != "null" and right.one != "null":
                raise NotLowered("rows of rows are compared")
            same = self.op(f"call i1 @same(ptr {left.one}, i64 {left.two}, ptr {right.one}, i64 {right.two})")
            return Val("truth", same if e.operator == "==" else self.op(f"xor i1 {same}, true"))
        word = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle"}[e.operator]
        return Val("truth", self.op(f"icmp {word} i64 {self.as_number(left)}, {self.as_number(right)}"))

    def has(self, e: flat.Has) -> Val:
        item = self.value(e.item)
        if item.kind in ROWS:
            raise NotLowered("a row is looked for in a row of rows")
        x = self.as_number(item)
        if isinstance(e.row, Known) and isinstance(e.row.value, tuple):
            return Val("truth", self.among(x, e.row.value))
        if isinstance(e.row, flat.Span):
            low, high = self.n(e.row.low), self.n(e.row.high)
            above, below = self.op(f"icmp sle i64 {low}, {x}"), self.op(f"icmp sle i64 {x}, {high}")
            return Val("truth", self.op(f"and i1 {above}, {below}"))
        layout = self.bagging.layout(e.row, loose=True)
        if layout is not None:
            return Val("truth", self.bagging.has(self.bagging.word(e.row, layout), x, layout))
        if (places := self.linking.places(e.row)) is not None:
            return Val("truth", self.linking.has(e.row, x, places))
        if (span := self.somes.span(_loose(e.row))) is not None:
            return Val("truth", self.somes.has(_loose(e.row), span, x))
        if self.singles.single(e.row):
            return Val("truth", self.singles.has(self.singles.number(e.row), x))
        if isinstance(e.row, flat.Items) and len(e.row.items) <= FEW and all(map(_is_number, e.row.items)):
            found = "false"
            for each in e.row.items:
                found = self.op(f"or i1 {found}, {self.op(f'icmp eq i64 {x}, {self.n(each)}')}")
            return Val("truth", found)
        row = self.value(_loose(e.row))
        return Val("truth", self.op(f"call i1 @has(ptr {row.one}, i64 {row.two}, i64 {x})"))

    def among(self, x: str, known: tuple[Data, ...]) -> str:
        """Whether a number is one of some known ones."""
        numbers = sorted({each for each in known if isinstance(each, int)})
        if not numbers:
            return "false"
        low, high = numbers[0], numbers[-1]
        if len(numbers) == high - low + 1:
            return self.op(f"icmp ule i64 {self.op(f'sub i64 {x}, {low}')}, {high - low}")
        if high - low < 64:
            bits = sum(1 << (each - low) for each in numbers)
            bits -= (1 << 64) if bits >> 63 else 0
            off = self.op(f"sub i64 {x}, {low}")
            near = self.op(f"icmp ule i64 {off}, 63")
            shift = self.op(f"and i64 {off}, 63")
            there = self.op(f"trunc i64 {self.op(f'lshr i64 {bits}, {shift}')} to i1")
            return self.op(f"and i1 {near}, {there}")
        row = self.home.constants.row(tuple(numbers))
        return self.op(f"call i1 @has(ptr {row.one}, i64 {row.two}, i64 {x})")

    def both(self, parts: tuple[Flat, ...], stop_at: bool) -> Val:
        """Truths one after the other, up to the first that is `stop_at`."""
        if all(is_safe(part) for part in parts):
            word, found = ("or" if stop_at else "and"), self.t(parts[0])
            for part in parts[1:]:
                found = self.op(f"{word} i1 {found}, {self.t(part)}")
            return Val("truth", found)
        place, done = self.room("i1"), self.fresh("done")
        self.line(f"store i1 {str(stop_at).lower()}, ptr {place}")
        for part in parts[:-1]:
            found, on = self.t(part), self.fresh("and")
            self.split(found, *((done, on) if stop_at else (on, done)))
            self.label(on)
        self.line(f"store i1 {self.t(parts[-1])}, ptr {place}")
        self.label(done)
        return Val("truth", self.op(f"load i1, ptr {place}"))

    def either(self, e: flat.Either) -> Val:
        truth = self.t(e.truth)
        if is_safe(e.then) and is_safe(e.otherwise):
            then, other = self.value(e.then), self.value(e.otherwise)
            if then.kind == other.kind == "number":
                return Val("number", self.op(f"select i1 {truth}, i64 {then.one}, i64 {other.one}"))
        yes, no, on = self.fresh("yes"), self.fresh("no"), self.fresh("on")
        place = self.room(LAID["rows"])
        self.split(truth, yes, no)
        self.label(yes)
        then = self.value(e.then)
        self._either_way(then, place)
        self.go(on)
        self.label(no)
        other = self.value(e.otherwise)
        self._either_way(other, place)
        self.label(on)
        if then.kind == "division":
            return self.get(place, "division")
        if then.kind in ROWS:
            known_empty = then.one == "null"
            return self.load_row(place, other.kind if known_empty else then.kind)
        return Val("number", self.load(place))

    def _either_way(self, value: Val, place: str) -> None:
        if value.kind in ROWS or value.kind == "division":
            self.put(value, place)
        else:
            self.store(self.as_number(value), place)

    def some(self, e: flat.IsOne) -> Val:
        """Whether a number is not 0, or a row not empty."""
        layout = self.bagging.layout(e.value, loose=True)
        if layout is not None:
            return Val("truth", self.op(f"icmp ne i64 {self.bagging.word(e.value, layout)}, 0"))
        if (places := self.linking.places(e.value)) is not None:
            bits = word_for(places)
            return Val("truth", self.op(f"icmp ne i{bits} {self.linking.word(e.value, bits)}, 0"))
        if self.decking.whole(e.value) is not None or self.decking.pool(e.value) is not None:
            return Val("truth", self.op(f"icmp ne i64 {self.decking.counted(e.value)}, 0"))
        if (told := self.somes.along(e.value)) is not None:
            return Val("truth", self.op(f"icmp ne i64 {self.load(told.there)}, 0"))
        if (span := self.somes.span(e.value)) is not None:
            return Val("truth", self.op(f"icmp ne i64 {self.somes.bits(e.value, span)}, 0"))
        if self.singles.single(e.value):
            return Val("truth", self.singles.some(self.singles.number(e.value)))
        return Val("truth", self.t(e.value))

    def length(self, e: flat.Length) -> Val:
        layout = self.bagging.layout(e.row, loose=True)
        if layout is not None:
            return Val("number", self.bagging.counted(self.bagging.word(e.row, layout), layout))
        if (places := self.linking.places(e.row)) is not None:
            return Val("number", self.linking.counted(e.row, places))
        if self.decking.whole(e.row) is not None or self.decking.pool(e.row) is not None:
            return Val("number", self.decking.counted(e.row))
        if (told := self.somes.along(e.row)) is not None:
            return Val("number", self.somes.counted(self.load(told.there)))
        if (span := self.somes.span(e.row)) is not None:
            return Val("number", self.somes.counted(self.somes.bits(e.row, span)))
        if self.singles.single(e.row):
            return Val("number", self.singles.counted(self.singles.number(e.row)))
        if isinstance(e.row, flat.Distinct) and (layout := self.bagging.layout(e.row.row, loose=True)) is not None:
            there = self.bagging.there(self.bagging.word(e.row.row, layout), layout)
            return Val("number", self.op(f"call i64 @llvm.ctpop.i64(i64 {there})"))
        match e.row:
            case flat.Sorted():
                return self.length(flat.Length(e.row.row))
            case flat.Joined():
                left, right = self.length(flat.Length(e.row.left)), self.length(flat.Length(e.row.right))
                return Val("number", self.op(f"add i64 {left.one}, {right.one}"))
            case flat.Span():
                more = self.op(f"sub i64 {self.n(e.row.high)}, {self.n(e.row.low)}")
                return Val("number", self.op(f"call i64 @llvm.smax.i64(i64 {self.op(f'add i64 {more}, 1')}, i64 0)"))
        return Val("number", self.value(e.row).two)

    def element_at(self, e: flat.At) -> Val:
        if isinstance(e.place, Known) and e.place.value in (0, 1) and self.is_worth(e.row):
            worth = self.worth(e.row)
            if e.place.value == 0:
                return Val("truth", self.op(f"icmp ne i64 {worth}, {NOTHING}"))
            there = self.op(f"icmp ne i64 {worth}, {NOTHING}")
            return Val("number", self.op(f"select i1 {there}, i64 {worth}, i64 0"))
        if (slot := self.decking.whole(e.row)) is not None:
            return Val("number", self.decking.top(e.row, slot))
        if (span := self.somes.span(e.row)) is not None:
            return Val("number", self.somes.element(e.row, span, e.place))
        if self.singles.single(e.row):
            return Val("number", self.singles.number(e.row))
        if isinstance(e.row, flat.Span):
            return Val("number", self.op(f"add i64 {self.n(e.row.low)}, {self.n(e.place)}"))
        if isinstance(e.row, Known) and (steps := in_steps(e.row.value)) is not None:
            return Val("number", self.op(f"add i64 {steps[0]}, {self.n(e.place)}"))
        row = self.value(e.row)
        if row.kind == "division":
            return self.part(row, e.place)
        return self.element(row, self.n(e.place))

    def part(self, division: Val, place: Flat) -> Val:
        """Whether a division is there, its worth, the rest, or its groups."""
        assert isinstance(place, Known)
        if place.value in (0, 1):
            return Val("number", self.load(self.at(division.one, place.value)))
        name, kind = PARTS[place.value]  # type: ignore[index]
        return self.unpacked(self.op(f"call {ROW} @{name}(ptr %S, ptr {division.one})"), kind)

    def is_worth(self, e: Flat) -> bool:
        """Whether it is a division of which only its worth is worked out."""
        match e:
            case flat.Divided():
                layout = self.bagging.layout(e.row, loose=True)
                return layout is not None and self.home.scores(e, layout)
            case flat.Name():
                return self.prefix + e.name in self.worths
            case _:
                return False

    def worth(self, e: Flat) -> str:
        """What a division is worth, NOTHING if there is none."""
        if isinstance(e, flat.Name):
            return self.load(self.variable(e.name)[0])
        assert isinstance(e, flat.Divided)
        layout = self.bagging.layout(e.row, loose=True)
        assert layout is not None
        found = self.score(e.division, self.bagging.word(e.row, layout))
        if not self.hasty:
            self.look()
        return found

    def score(self, division: int, bag: str) -> str:
        """What a bag is worth, NOTHING if it has no division; nobody has looked yet whether that failed."""
        found = self.op(f"call i64 @{'known' if self.hasty else 'score'}{division}(ptr %S, i64 {bag})")
        if self.hasty:
            unsure, on = self.fresh("unsure"), self.fresh("on")
            self.split(self.op(f"icmp eq i64 {found}, {UNKNOWN}"), unsure, on, (1, 2000))
            self.label(unsure)
            self.unsure()
            self.label(on)
        return found

    def unsure(self) -> None:
        """What is given where something is not known at once."""
        raise NotImplementedError

    def learn(self, body: tuple[st.Statement, ...]) -> None:
        """See what the variables of a body hold."""
        self.checked |= {self.prefix + name for name in reaches_the_ends(body)}
        self.bagging.learn(body)
        self.piling.learn(body)
        self.linking.learn(body)
        self.decking.learn(body)
        self.singles.learn(body)
        self.somes.learn(body)
        for name, notes in noted(body, partial(self.bagging.layout, loose=True)).items():
            self.tables[self.prefix + name] = (self.room(f"[{notes.size} x i8]"), notes)
        if not self.home.bags:
            return
        given: dict[str, list[Flat]] = {}
        asked, named = Counter[str](), Counter[str]()
        for part in parts(body):
            match part:
                case st.Set():
                    given.setdefault(part.name, []).append(part.value)
                case flat.Name():
                    named[part.name] += 1
                case flat.At(row=flat.Name(name=name), place=Known(value=0 | 1)):
                    asked[name] += 1
        for name, values in given.items():
            new = asked[name] == named[name] and self.prefix + name not in self.variables
            if new and all(isinstance(each, flat.Divided) and self.is_worth(each) for each in values):
                self.worths.add(self.prefix + name)

    def noted_at(self, name: str, key: Flat) -> str | None:
        """Where a number is noted, if there is a table of it."""
        found = self.tables.get(self.prefix + name)
        if found is None:
            return None
        place = ""
        for own, low, count in zip(key_parts(key), found[1].lows, found[1].counts, strict=True):
            more = self.op(f"sub i64 {self.n(own)}, {low}")
            place = self.op(f"add i64 {self.op(f'mul i64 {place}, {count}')}, {more}") if place else more
        return self.at(found[0], place, 1)

    def noted(self, e: flat.Noted) -> Val:
        where = self.noted_at(e.notes, e.key)
        if where is None:
            return number(-1)
        return Val("number", self.op(f"sext i8 {self.op(f'load i8, ptr {where}')} to i64"))

    def divided(self, e: flat.Divided) -> Val:
        self.home.divides(e)
        row = self.piling.own(e.row)
        found = self.op(f"call ptr @divide{e.division}(ptr %S, ptr {row.one}, i64 {row.two})")
        self.look()
        return Val("division", found)

    def bags(self, e: flat.Bags) -> Val:
        found = self.called("bags", "rows", self.value(e.row), self.n(e.count))
        self.look()
        return found

    def items(self, e: flat.Items) -> Val:
        if not e.items:
            return Val("row", "null", "0")
        found = [self.piling.own(each) for each in e.items]
        deepest = max((ROWS.index(each.kind) + 1 for each in found if each.kind in ROWS), default=0)
        if deepest >= len(ROWS):
            raise NotLowered("rows lie deeper inside one another than they have a form in LLVM")
        kind = ROWS[deepest]
        size = 16 if deepest else 8
        out = alloc(self, str(len(found)), size)
        for place, each in enumerate(found):
            where = self.at(out, place, size)
            if deepest:
                self.store_row(each, where)
            else:
                self.store(self.as_number(each), where)
        return Val(kind, out, str(len(found)))

    def stretch(self, e: flat.Stretch) -> Val:
        """As Python cuts: places behind the end are the end; lowering never asks for places below 0."""
        row = self.value(e.row)
        first = self.op(f"call i64 @llvm.smin.i64(i64 {self.n(e.first)}, i64 {row.two})")
        end = row.two if e.end is None else self.op(f"call i64 @llvm.smin.i64(i64 {self.n(e.end)}, i64 {row.two})")
        count = self.op(f"call i64 @llvm.smax.i64(i64 {self.op(f'sub i64 {end}, {first}')}, i64 0)")
        return Val(row.kind, self.at(row.one, first, row.size), count)

    def but_last(self, e: flat.ButLast) -> Val:
        row = self.value(e.row)
        fewer = self.op(f"call i64 @llvm.smax.i64(i64 {self.op(f'sub i64 {row.two}, 1')}, i64 0)")
        return Val(row.kind, row.one, fewer)

    def last_one(self, e: flat.LastOne) -> Val:
        if self.singles.single(e):
            return self.singles.as_row(self.singles.number(e))
        row = self.value(e.row)
        fewer = self.op(f"call i64 @llvm.smax.i64(i64 {self.op(f'sub i64 {row.two}, 1')}, i64 0)")
        return Val(row.kind, self.at(row.one, fewer, row.size), self.op(f"sub i64 {row.two}, {fewer}"))

    def joined(self, e: flat.Joined) -> Val:
        left, right = self.value(e.left), self.value(e.right)
        kind = max(left.kind, right.kind, key=ROWS.index)
        name = "joined" if kind == "row" else "joined_rows"
        return self.called(name, kind, left, right)

    def called(self, name: str, kind: Kind, *values: Val | str) -> Val:
        """A row that a support function makes."""
        return self.unpacked(self.op(f"call {ROW} @{name}(ptr %S{self.given(values)})"), kind)

    def given(self, values: tuple[Val | str, ...]) -> str:
        """Arguments, each behind a comma."""
        text = ""
        for each in values:
            if isinstance(each, str):
                text += f", i64 {each}"
            elif each.kind in ROWS:
                text += f", ptr {each.one}, i64 {each.two}"
            elif each.kind == "division":
                text += f", ptr {each.one}"
            else:
                text += f", i64 {self.as_number(each)}"
        return text

    def of_bag(self, name: str, e: Any, row: Flat, *more: Flat) -> Val:
        """A row in order, which is made of a bag that lies as counts if there is one."""
        layout = self.bagging.layout(e)
        if layout is not None:
            return self.bagging.as_row(self.bagging.word(e, layout), layout)
        if (places := self.linking.places(e)) is not None:
            return self.linking.as_row(e, places)
        if name == "distinct" and (layout := self.bagging.layout(row, loose=True)) is not None:
            return self.bagging.as_row(self.bagging.there(self.bagging.word(row, layout), layout), layout)
        return self.of_row(name, row, *more)

    def of_row(self, name: str, row: Flat, *more: Flat) -> Val:
        """A row made of a row of numbers, and of other values."""
        first = self.value(row)
        if first.kind != "row":
            raise NotLowered(f"{name} is asked of a row of rows")
        return self.called(name, "row", first, *[self.value(each) for each in more])

    def times(self, e: flat.Times) -> Val:
        layout = self.bagging.layout(e.row, loose=True)
        if layout is not None:
            return Val("number", self.bagging.times(self.bagging.word(e.row, layout), self.n(e.item), layout))
        if self.singles.single(e.row):
            there = self.singles.has(self.singles.number(e.row), self.n(e.item))
            return Val("number", self.op(f"zext i1 {there} to i64"))
        row = self.value(_loose(e.row))
        return Val("number", self.op(f"call i64 @times(ptr {row.one}, i64 {row.two}, i64 {self.n(e.item)})"))

    def best(self, e: flat.Best) -> Val:
        if (told := self.somes.along(_loose(e.row))) is not None:
            return Val("number", self.somes.best(told, e.most))
        if self.singles.single(e.row):
            return Val("number", self.singles.number(e.row))
        row = self.value(_loose(e.row))
        name = "highest" if e.most else "lowest"
        return Val("number", self.op(f"call i64 @{name}(ptr {row.one}, i64 {row.two})"))

    def tied(self, e: flat.Tied) -> Val:
        if (span := self.somes.span(e)) is not None:
            return self.somes.as_row(self.somes.bits(e, span), span)
        row, numbers, best = self.value(e.row), self.value(e.numbers), self.value(e.best)
        if row.kind != "row":
            raise NotLowered("rows are tied")
        return self.called("tied", "row", row, numbers, best)

    def linked(self, e: flat.Linked) -> Val:
        places = self.linking.places(e)
        return self.of_row("linked", e.start, e.among, e.near) if places is None else self.linking.as_row(e, places)

    def finished(self, e: flat.Finished) -> Val:
        if (told := self.somes.along(e)) is not None:
            return self.somes.told_row(told)
        if (places := self.linking.places(e)) is not None:
            return self.linking.as_row(e, places)
        if (subset := self.subsets.get(self.prefix + e.gathered)) is not None:
            place, low, size = subset
            bits = self.load(place)
            where = self.op(f"getelementptr [{size} x i64], ptr {self.home.constants.subsets(low, size)}, i64 {bits}")
            return Val("row", where, self.op(f"call i64 @llvm.ctpop.i64(i64 {bits})"))
        first, count, _, kind = self.gathered[self.prefix + e.gathered]
        return Val(kind, self.op(f"load ptr, ptr {first}"), self.load(count))

    def called_for_bits(self, e: flat.Result) -> str:
        """The bits that a function gives whose rows lie so."""
        if e in self.ready:
            return self.load(self.ready[e])
        given = self.given(tuple(self.value(each) for each in e.arguments))
        found = self.op(f"call i64 @{e.function}(ptr %S{self.home.shares}{given})")
        if self.home.can_fail(e.function):
            self.look()
        return found

    def result(self, e: flat.Result) -> Val:
        if (span := self.home.somes.get(e.function)) is not None:
            return self.somes.as_row(self.called_for_bits(e), span)
        given = self.given(tuple(self.value(each) for each in e.arguments))
        kind = self.home.result_kind(e.function)
        if kind in ROWS:
            found = self.unpacked(self.op(f"call {ROW} @{e.function}(ptr %S{self.home.shares}{given})"), kind)
        elif kind == "division":
            found = Val(kind, self.op(f"call ptr @{e.function}(ptr %S{self.home.shares}{given})"))
        else:
            found = Val("number", self.op(f"call i64 @{e.function}(ptr %S{self.home.shares}{given})"))
        if self.home.can_fail(e.function):
            self.look()
        return found

    def has_answer(self, e: flat.HasAnswer) -> Val:
        found = self.op(f"call i1 @any{e.node}(ptr %S{self.home.shares}, i64 {self.n(e.seat)})")
        self.look()
        return Val("truth", found)

    def look(self) -> None:
        """End here if the step was given up."""
        failed = self.op(f"icmp ne i64 {self.load('%S')}, 0")
        up, on = self.fresh("up"), self.fresh("on")
        self.split(failed, up, on, (1, 2000))
        self.label(up)
        self.leave()
        self.label(on)

    @abstractmethod
    def leave(self) -> None:
        """End the function, as the step was given up."""

    @abstractmethod
    def in_loop(self, next_lap: str, on: str, body: tuple[st.Statement, ...]) -> None:
        """The statements of a lap of a loop, given the label of its next lap and that behind it."""


class Home(ABC):
    """What the functions of one program know of one another."""

    def __init__(self) -> None:
        self.constants = Constants()
        self.functions: dict[str, Function] = {}
        """The functions of the program."""
        self.replays = False
        """Whether a step may be given up that would perhaps not fail: all of it is done again then."""
        self.abreast = 0
        """How many loops are carried out for all their places at once."""
        self.places = Places((), (), {}, 0)
        self.planes: dict[int, Planes] = {}
        self.by_comparing = False
        """Whether one of few numbers is chosen by comparing."""
        self.bags: dict[int, Packed] = {}
        """The zones that lie as counts."""
        self.bag_sets: dict[int, int] = {}
        """The zones that lie as sets of places, and how many places there are."""
        self.singles: frozenset[int] = frozenset()
        """The zones with room for one piece, which lie as numbers."""
        self.decks: dict[int, Deck] = {}
        """The piles of which only what is left in their pool lies."""
        self.somes: dict[str, Span] = {}
        """The functions that give some of a few numbers as bits."""
        self.endings: dict[str, tuple[str, Span] | None] = {}
        """The functions that write down how a game ends: what they gather, and the numbers that they go through; None
        for those that name each number."""
        self.piles: dict[int, int] = {}
        """The zones whose piles lie in place, and how many cards each has room for."""
        self.heights: frozenset[int] = frozenset()
        """Those of them of which the sizes of all piles lie in one word, by itself."""
        self.floods: dict[Steps, int] = {}
        """The boards on which something is linked by shifting, numbered."""
        self.set_words: set[int] = set()
        """Bits of the words that are made of rows, or rows of them."""
        self.listed_at_once: set[str] = set()
        """The listings that go through no kinds of a bag, but tell all at once."""
        self.apart = False
        """Whether cells and locals that hold numbers lie by themselves, each given to every function, and not in the
        state: in small programs, where they can be kept in registers."""

    @property
    def shares(self) -> str:
        """What every function is given, behind the state."""
        return "".join(f", ptr {name}" for name in self.shared)

    @property
    def shared(self) -> list[str]:
        """The names of it: the cost, the most of it, and the cells that lie by themselves."""
        if not self.apart:
            return []
        cells = [f"%c{slot}" for slot, row in enumerate(self.places.rows) if not row]
        return ["%cost", "%most", *cells, *[f"%h{slot}" for slot in sorted(self.heights)]]

    def of_frame(self, procedure: int) -> list[str]:
        """The names of the locals of a frame that lie by themselves."""
        if not self.apart:
            return []
        locals = [local for number, local in self.places.locals if number == procedure]
        return [f"%v{procedure}_{local}" for local in locals if self.local_kind(procedure, local) == "number"]

    def last_place(self, slot: int) -> str:
        """Where it lies which of the cards of a deck was drawn last."""
        return f"%last{slot}"

    def cost_place(self, code: Code) -> str:
        """Where the cost of the step lies."""
        return "%cost" if self.apart else field(code, COST)

    def most_place(self, code: Code) -> str:
        """Where the most of it lies."""
        return "%most" if self.apart else field(code, MOST)

    def cell_place(self, code: Code, slot: int, member: int) -> str:
        """Where a member of a slot lies."""
        if self.apart and not self.places.rows[slot]:
            return code.at(f"%c{slot}", member)
        assert slot not in self.planes or member == 0
        return code.at("%S", self.places.slots[slot] + (16 if self.places.rows[slot] else 8) * member, 1)

    def local_place(self, code: Code, procedure: int, local: int) -> str:
        """Where a local of a frame lies."""
        if self.apart and self.local_kind(procedure, local) == "number":
            return f"%v{procedure}_{local}"
        return code.at("%S", self.places.locals[procedure, local], 1)

    def flood(self, steps: Steps) -> int:
        """The number of a board on which something is linked."""
        return self.floods.setdefault(steps, len(self.floods))

    @abstractmethod
    def local_kind(self, procedure: int, local: int) -> Kind:
        """What a local of a procedure holds."""

    @abstractmethod
    def result_kind(self, function: str) -> Kind:
        """What a function gives."""

    @abstractmethod
    def can_fail(self, function: str) -> bool:
        """Whether a function can give the step up."""

    @abstractmethod
    def procedure_can_fail(self, procedure: int) -> bool:
        """Whether a plain procedure can give the step up."""

    @abstractmethod
    def divides(self, e: flat.Divided) -> None:
        """A division is asked for."""

    @abstractmethod
    def scores(self, e: flat.Divided, layout: Packed) -> bool:
        """Whether it can be asked for what a bag that lies so is worth at its best."""

    @abstractmethod
    def spares(self, division: int) -> None:
        """It is asked what bags can spare so that they divide."""


PARTS: dict[int, tuple[str, Kind]] = {2: ("rest_of", "row"), 3: ("groups_of", "rows")}
"""Parts of a division that are made when they are asked for."""

FEW = 4
"""So many numbers are few."""
FEW_LAPS = 8
"""Loops of so many laps are written out where games are to be played in lanes."""

LAID: dict[Kind, str] = {"number": "i64", "truth": "i1", "division": "ptr", **dict.fromkeys(ROWS, "[2 x i64]")}


def _loose(row: Flat) -> Flat:
    """A row whose order, and how often each is in it, does not matter or is the same."""
    return _loose(row.row) if isinstance(row, flat.Sorted) else row


def _is_number(value: Flat) -> bool:
    """Whether an expression is surely a number, and may be worked out although it is not needed."""
    match value:
        case Known():
            return isinstance(value.value, int)
        case flat.Held() | flat.Math():
            return is_safe(value)
        case _:
            return False


def is_safe(value: Flat) -> bool:
    """Whether an expression may be worked out although it is not needed: cheap, and without a place that may not be."""
    match value:
        case Known() | flat.Name() | flat.Remembered():
            return True
        case flat.Held():
            return isinstance(value.member, Known)
        case flat.Math():
            divides = value.operator in ("//", "%") and not isinstance(value.right, Known)
            return not divides and is_safe(value.left) and is_safe(value.right)
        case flat.Compare():
            return is_safe(value.left) and is_safe(value.right)
        case flat.No() | flat.AsNumber():
            return is_safe(value.truth)
        case flat.IsOne():
            return is_safe(value.value)
        case flat.All() | flat.Any():
            return all(is_safe(part) for part in value.parts)
        case _:
            return False


EXPRESSIONS: dict[type, Callable[[Writer, Any], Val]] = {
    Known: Writer.known,
    flat.Name: Writer.named,
    flat.Remembered: lambda w, e: w.kept(w.local(e.local)),
    flat.Held: Writer.held,
    flat.Math: Writer.math,
    flat.Compare: Writer.compare,
    flat.Has: Writer.has,
    flat.All: lambda w, e: w.both(e.parts, False),
    flat.Any: lambda w, e: w.both(e.parts, True),
    flat.No: lambda w, e: Val("truth", w.op(f"xor i1 {w.t(e.truth)}, true")),
    flat.Either: Writer.either,
    flat.AsNumber: lambda w, e: Val("number", w.op(f"zext i1 {w.t(e.truth)} to i64")),
    flat.IsOne: Writer.some,
    flat.Length: Writer.length,
    flat.At: Writer.element_at,
    flat.Times: Writer.times,
    flat.Items: Writer.items,
    flat.Span: lambda w, e: w.called("span", "row", w.n(e.low), w.n(e.high)),
    flat.Joined: Writer.joined,
    flat.Stretch: Writer.stretch,
    flat.ButLast: Writer.but_last,
    flat.LastOne: Writer.last_one,
    flat.EachOnce: lambda w, e: w.of_row("each_once", e.row),
    flat.Replaced: lambda w, e: w.of_row("replaced", e.row, e.item, e.by),
    flat.UnseenTop: lambda w, e: w.of_row("unseen_top", e.pile),
    flat.HasAnswer: Writer.has_answer,
    flat.Sorted: lambda w, e: w.of_bag("sorted", e, e.row),
    flat.Distinct: lambda w, e: w.of_bag("distinct", e, e.row),
    flat.Within: lambda w, e: w.of_row("within", e.row, Known(e.low), Known(e.high)),
    flat.Minus: lambda w, e: w.of_row("minus", e.left, e.right),
    flat.BagMinus: lambda w, e: w.of_bag("bag_minus", e, e.left, e.right),
    flat.TakenOut: lambda w, e: w.of_bag("taken_out", e, e.row, e.item),
    flat.Turned: lambda w, e: w.turned(e),
    flat.Linked: Writer.linked,
    flat.Best: Writer.best,
    flat.Tied: Writer.tied,
    flat.Finished: Writer.finished,
    flat.Noted: Writer.noted,
    flat.Result: Writer.result,
    flat.Bags: Writer.bags,
    flat.Divided: Writer.divided,
}
