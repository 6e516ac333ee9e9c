"""The best division of a bag into groups, as LLVM text. Spec 13.7; what it gives is what `runtime/partitions.py` gives.

Bags are packed, so many bits for each code as there is room for, of which the highest guards the count: one subtraction
tells whether a group lies inside a bag. All groups that there can be are judged before play and lie in a table, in
order, so that of two groups the one with the smaller number is the lesser. The best division of a bag depends on the
bag alone: it is remembered, with the group that its least member lies in, for as long as there is room, also from one
game to the next.

A division is where it lies in the arena: whether there is one, its worth, how many groups, the bag, the table, and the
numbers of the groups. What is left over, and the groups as rows, are made when they are asked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import combinations_with_replacement
from math import comb
from typing import Final

import attrs

from rulelang import limits
from rulelang_native.flat.program import Division
from rulelang_native.llvm.code import ROW, Code, Val
from rulelang_native.llvm.fixed import ENTRY as ENTRY
from rulelang_native.llvm.fixed import MEMORY as MEMORY
from rulelang_native.llvm.fixed import SLOTS as SLOTS
from rulelang_native.llvm.support import BASE, FULL, GAMMA, GAVE_UP, ONE, TOP, alloc, field, function, give_up
from rulelang_native.lowering.failing import NotLowered

WORDS, ENOUGH, LEAST = (64, 128), 5, 2
"""Bits that a packed bag can have, those that a code in it should have, and those that it must have."""
CODES = WORDS[-1] // LEAST
"""So many different codes fit in."""
CANDIDATES = 65_000
"""So many bags are judged at most."""
FEW = SLOTS // 2
"""When so many are remembered before a question, all are forgotten."""
MOST = SLOTS * 3 // 4
NOTHING: Final = -(1 << 62)
"""The worth of a bag that has no division."""
UNKNOWN: Final = NOTHING - 1
"""What is given in its place where it is not known at once what a bag is worth."""
LARGEST: Final = 1 << 48
"""What a group can be worth at most, so that no division comes near the ends of 64 bits."""
LEFT_OVER, NONE, END = -1, -2, -3
"""Choices that are no group: the least member is left over; there is no division; there are no members."""

THERE, WORTH, GROUPS, BAG, SIZE, TABLE, FIRST = range(7)
"""Words of a division."""


@attrs.frozen
class Table:
    """One way to divide bags, with the bags that could be groups of it."""

    number: int
    division: Division
    low: int
    high: int
    """The fewest and the most members of a group."""
    safe: int
    """Up to how many members no bag is too much work."""

    @property
    def width(self) -> int:
        """Words of a group: packed (two), worth, size, members; an even number."""
        return 4 + self.high + self.high % 2

    @property
    def codes(self) -> int:
        """How many different members there can be."""
        return self.division.high - self.division.low + 1

    @property
    def word(self) -> int:
        """Bits of a packed bag."""
        return next((word for word in WORDS if word // self.codes >= ENOUGH), WORDS[-1])

    @property
    def bits(self) -> int:
        """Bits of each code in a packed bag; there are at most 16, so that a count stays a number."""
        return min(16, self.word // self.codes)

    @property
    def candidates(self) -> list[tuple[int, ...]]:
        """All bags that are judged, in order."""
        codes = range(self.division.low, self.division.high + 1)
        sizes = range(max(1, self.low), self.high + 1)
        return sorted(bag for size in sizes for bag in combinations_with_replacement(codes, size))

    def words(self) -> array[int]:
        """The candidates for the program that judges them: size, then members."""
        found = array("q")
        for bag in self.candidates:
            found.extend((len(bag), *bag, *[0] * (self.high - len(bag))))
        return found

    @property
    def bytes(self) -> int:
        """Room for the table: where the groups of each least code begin, then the groups."""
        return 8 * (CODES + 2 + len(self.candidates) * self.width)


def table_of(number: int, division: Division, low: int, high: int) -> Table:
    """The table of a division. Raises NotLowered if it has no room."""
    codes = division.high - division.low + 1
    if not 0 < codes <= CODES:
        raise NotLowered("what is divided into groups has too many kinds for LLVM yet")
    sizes = range(max(1, low), high + 1)
    if high > limits.DIVIDED or sum(comb(codes + size - 1, size) for size in sizes) > CANDIDATES:
        raise NotLowered("there are too many groups for LLVM yet")
    return Table(number, division, low, high, _safe_size(low, high))


def _safe_size(low: int, high: int) -> int:
    size = 0
    while True:
        sizes = range(max(1, low), min(high, size + 1) + 1)
        candidates = sum(comb(size + 1, count) for count in sizes)
        if candidates > limits.COLLECTION or (1 << size + 1) * (1 + candidates) > limits.DIVIDING:
            return size
        size += 1


def written(table: Table, table_at: int, memory_at: int, shared: int) -> str:
    """The functions of one division, given where in a state its table and its memory are told, and how many cells lie
    by themselves: what a group is worth reads none of them."""
    return Writing(table, memory_at, table_at, shared).text()


class Writing:
    """Writes what is asked of one table."""

    def __init__(self, table: Table, memory_at: int, table_at: int = 0, shared: int = 0) -> None:
        self.shares = ", ptr null" * shared
        self.table = table
        self.number = table.number
        self.table_at, self.memory_at = table_at, memory_at
        self.bits = table.bits
        guards = sum(1 << self.bits * code + self.bits - 1 for code in range(table.codes))
        self.word = f"i{table.word}"
        self.guards = guards - (1 << table.word) if guards >> table.word - 1 else guards

    def text(self) -> str:
        number = self.number
        parts: list[tuple[str, Callable[[Code], None]]] = [
            (f"define internal ptr @found{number}(ptr %S, {self.word} %p)", self.found),
            (f"define internal i64 @next{number}(ptr %S, ptr %where)", self.next),
            (f"define internal i1 @less{number}(ptr %S, {self.word} %p, i64 %g, i64 %choice)", self.less),
            (f"define internal ptr @divide{number}(ptr %S, ptr %a, i64 %n)", self.divide),
            (f"define void @judge{number}(ptr %S, ptr %bags, i64 %n, ptr %table)", self.judge),
        ]
        nothing = f"@nothing{number} = internal constant [3 x i64] [i64 0, i64 0, i64 {END}], align 8"
        return "\n".join([nothing, *[function(header, write) for header, write in parts]])

    # -------------------------------------------------------------- parts

    def group(self, code: Code, number: str) -> str:
        """Where a group lies."""
        table = code.op(f"load ptr, ptr {code.at('%S', self.table_at, 1)}")
        place = code.op(f"add i64 {code.op(f'mul i64 {number}, {self.table.width}')}, {CODES + 2}")
        return code.at(table, place)

    def unit(self, code: Code, packed: str) -> tuple[str, str]:
        """The least code of a packed bag (counted from the least there is), and one of it."""
        lowest = code.op(f"call {self.word} @llvm.cttz.{self.word}({self.word} {packed}, i1 true)")
        least = code.op(f"udiv i64 {self.small(code, lowest)}, {self.bits}")
        return least, self.one(code, least)

    def one(self, code: Code, member: str) -> str:
        """One member, packed."""
        return code.op(f"shl {self.word} 1, {self.large(code, code.op(f'mul i64 {member}, {self.bits}'))}")

    def small(self, code: Code, packed: str) -> str:
        """The lower 64 bits."""
        return packed if self.word == "i64" else code.op(f"trunc {self.word} {packed} to i64")

    def large(self, code: Code, number: str) -> str:
        """A number, as wide as a packed bag."""
        return number if self.word == "i64" else code.op(f"zext i64 {number} to {self.word}")

    def packed(self, code: Code, where: str) -> str:
        """A packed bag that lies somewhere."""
        return code.op(f"load {self.word}, ptr {where}, align 8")

    def pack(self, code: Code, bag: str, where: str) -> None:
        code.line(f"store {self.word} {bag}, ptr {where}, align 8")

    def less_by(self, code: Code, bag: str, members: str) -> str:
        return code.op(f"sub {self.word} {bag}, {members}")

    def found(self, code: Code) -> None:
        """Where the best division of a packed bag is remembered; it is found if it is not."""
        nothing = f"@nothing{self.number}"
        empty, failed = code.op(f"icmp eq {self.word} %p, 0"), code.op(f"icmp ne i64 {code.load('%S')}, 0")
        stopped = code.op(f"or i1 {empty}, {failed}")
        code.when(stopped, lambda: code.end(f"ret ptr {nothing}"))
        memory = code.op(f"load ptr, ptr {code.at('%S', self.memory_at, 1)}")

        def slot() -> tuple[str, str]:
            """The slot of the bag, or the free one where it belongs; and what bag is there."""
            place, mixed = code.room(), self.small(code, "%p")
            if self.word != "i64":
                upper = self.small(code, code.op(f"lshr {self.word} %p, 64"))
                mixed = code.op(f"xor i64 {code.op(f'mul i64 {mixed}, {ONE}')}, {upper}")
            code.store(code.op(f"lshr i64 {code.op(f'mul i64 {mixed}, {GAMMA}')}, 48"), place)
            look, more, done = code.fresh("look"), code.fresh("more"), code.fresh("done")
            code.label(look)
            off = code.op(f"mul i64 {code.op(f'add i64 {code.load(place)}, 1')}, {ENTRY}")
            at = code.at(memory, off, 1)
            key = self.packed(code, code.at(at, 3))
            mine, free = code.op(f"icmp eq {self.word} {key}, %p"), code.op(f"icmp eq {self.word} {key}, 0")
            here = code.op(f"or i1 {mine}, {free}")
            code.split(here, done, more)
            code.label(more)
            code.store(code.op(f"and i64 {code.op(f'add i64 {code.load(place)}, 1')}, {SLOTS - 1}"), place)
            code.go(look)
            code.label(done)
            return at, key

        at, key = slot()
        code.when(code.op(f"icmp eq {self.word} {key}, %p"), lambda: code.end(f"ret ptr {at}"))
        least, one = self.unit(code, "%p")
        worth, spare, choice = code.room(), code.room(), code.room()
        code.store(str(NOTHING), worth)
        code.store("0", spare)
        code.store(str(NONE), choice)
        if not self.table.division.whole:
            rest = self.best(code, self.less_by(code, "%p", one))
            code.store(code.load(rest), worth)
            code.store(code.op(f"sub i64 {code.load(code.at(rest, 1))}, 1"), spare)
            code.store(str(LEFT_OVER), choice)
        table = code.op(f"load ptr, ptr {code.at('%S', self.table_at, 1)}")
        first = code.load(code.at(table, least))
        last = code.load(code.at(table, code.op(f"add i64 {least}, 1")))
        guarded = code.op(f"or {self.word} %p, {self.guards}")
        with code.loop(code.op(f"sub i64 {last}, {first}")) as (lap, next_lap, _):
            number = code.op(f"add i64 {first}, {lap}")
            group = self.group(code, number)
            members = self.packed(code, group)
            over = code.op(f"and {self.word} {self.less_by(code, guarded, members)}, {self.guards}")
            inside, divided = code.fresh("inside"), code.fresh("divided")
            code.split(code.op(f"icmp eq {self.word} {over}, {self.guards}"), inside, next_lap)
            code.label(inside)
            rest = self.best(code, self.less_by(code, "%p", members))
            rest_worth = code.load(rest)
            code.split(code.op(f"icmp ne i64 {rest_worth}, {NOTHING}"), divided, next_lap)
            code.label(divided)
            score = code.op(f"add i64 {rest_worth}, {code.load(code.at(group, 2))}")
            left = code.load(code.at(rest, 1))
            take, alike, closer = code.fresh("take"), code.fresh("alike"), code.fresh("closer")
            code.split(code.op(f"icmp sgt i64 {score}, {code.load(worth)}"), take, alike)
            code.label(alike)
            code.split(code.op(f"icmp eq i64 {score}, {code.load(worth)}"), closer, next_lap)
            code.label(closer)
            same = code.fresh("same")
            code.split(code.op(f"icmp sgt i64 {left}, {code.load(spare)}"), take, same)
            code.label(same)
            tied = code.fresh("tied")
            code.split(code.op(f"icmp eq i64 {left}, {code.load(spare)}"), tied, next_lap)
            code.label(tied)
            less = f"call i1 @less{self.number}(ptr %S, {self.word} %p, i64 {number}, i64 {code.load(choice)})"
            code.split(code.op(less), take, next_lap)
            code.label(take)
            code.store(score, worth)
            code.store(left, spare)
            code.store(number, choice)
        remembered = code.load(memory)

        def full() -> None:
            give_up(code, FULL)
            code.end(f"ret ptr {nothing}")

        code.when(code.op(f"icmp sgt i64 {remembered}, {MOST}"), full)
        at, _ = slot()
        for place, value in enumerate((worth, spare, choice)):
            code.store(code.load(value), code.at(at, place))
        self.pack(code, "%p", code.at(at, 3))
        code.store(code.op(f"add i64 {remembered}, 1"), memory)
        code.end(f"ret ptr {at}")

    def best(self, code: Code, bag: str) -> str:
        """Where the best division of a packed bag is remembered."""
        return code.op(f"call ptr @found{self.number}(ptr %S, {self.word} {bag})")

    def next(self, code: Code) -> None:
        """The next group of the division of a packed bag, END if there is none; the bag becomes what is left."""
        again = code.fresh("again")
        code.label(again)
        bag = self.packed(code, "%where")
        choice = code.load(code.at(self.best(code, bag), 2))

        def left_over() -> None:
            _, one = self.unit(code, bag)
            self.pack(code, self.less_by(code, bag, one), "%where")
            code.go(again)

        def group() -> None:
            members = self.packed(code, self.group(code, choice))
            self.pack(code, self.less_by(code, bag, members), "%where")
            code.end(f"ret i64 {choice}")

        code.when(code.op(f"icmp eq i64 {choice}, {LEFT_OVER}"), left_over)
        code.when(code.op(f"icmp sge i64 {choice}, 0"), group)
        code.end(f"ret i64 {END}")

    def less(self, code: Code) -> None:
        """Whether a group and what then is best are less than what was chosen: group by group."""
        one, two = code.room(self.word), code.room(self.word)
        mine, theirs = code.room(), code.room()
        code.store("%g", mine)
        self.pack(code, self.less_by(code, "%p", self.packed(code, self.group(code, "%g"))), one)

        def left_over() -> None:
            _, unit = self.unit(code, "%p")
            self.pack(code, self.less_by(code, "%p", unit), two)
            code.store(code.op(f"call i64 @next{self.number}(ptr %S, ptr {two})"), theirs)

        def group() -> None:
            code.store("%choice", theirs)
            self.pack(code, self.less_by(code, "%p", self.packed(code, self.group(code, "%choice"))), two)

        code.when(code.op("icmp slt i64 %choice, 0"), left_over, group)
        again = code.fresh("again")
        code.label(again)
        x, y = code.load(mine), code.load(theirs)
        code.when(code.op(f"icmp eq i64 {y}, {END}"), lambda: code.end("ret i1 false"))
        code.when(code.op(f"icmp eq i64 {x}, {END}"), lambda: code.end("ret i1 true"))
        code.when(code.op(f"icmp ne i64 {x}, {y}"), lambda: code.end(f"ret i1 {code.op(f'icmp slt i64 {x}, {y}')}"))
        code.store(code.op(f"call i64 @next{self.number}(ptr %S, ptr {one})"), mine)
        code.store(code.op(f"call i64 @next{self.number}(ptr %S, ptr {two})"), theirs)
        code.go(again)

    def too_much(self, code: Code) -> None:
        """A bag is too much work."""
        give_up(code, GAVE_UP)

    def make_room(self, code: Code) -> None:
        """All is forgotten once much is remembered."""
        memory = code.op(f"load ptr, ptr {code.at('%S', self.memory_at, 1)}")

        def forget() -> None:
            code.line(f"call void @llvm.memset.p0.i64(ptr {memory}, i8 0, i64 {MEMORY}, i1 false)")

        code.when(code.op(f"icmp sgt i64 {code.load(memory)}, {FEW}"), forget)

    def divide(self, code: Code) -> None:
        """The best division of a bag."""

        def too_much() -> None:
            self.too_much(code)
            code.end("ret ptr %S")

        code.when(code.op(f"icmp sgt i64 %n, {limits.DIVIDED}"), too_much)
        packed = code.room(self.word)
        self.pack(code, "0", packed)
        with code.loop("%n") as (at, _, _):
            off = code.op(f"sub i64 {code.load(code.at('%a', at))}, {self.table.division.low}")
            code.when(code.op(f"icmp uge i64 {off}, {self.table.codes}"), too_much)
            more = code.op(f"add {self.word} {self.packed(code, packed)}, {self.one(code, off)}")
            self.pack(code, more, packed)
            guards = code.op(f"and {self.word} {more}, {self.guards}")
            code.when(code.op(f"icmp ne {self.word} {guards}, 0"), too_much)
        bag = self.packed(code, packed)
        code.when(code.op(f"icmp sgt i64 %n, {self.table.safe}"), lambda: self.check(code, bag, too_much))
        self.make_room(code)
        entry = self.best(code, bag)
        code.when(code.op(f"icmp ne i64 {code.load('%S')}, 0"), lambda: code.end("ret ptr %S"))
        out = alloc(code, code.op(f"add i64 %n, {FIRST}"))
        worth = code.load(entry)
        there = code.op(f"icmp ne i64 {worth}, {NOTHING}")
        code.store(code.op(f"zext i1 {there} to i64"), out)
        code.store(code.op(f"select i1 {there}, i64 {worth}, i64 0"), code.at(out, WORTH))
        code.line(f"store ptr %a, ptr {code.at(out, BAG)}")
        code.store("%n", code.at(out, SIZE))
        table = code.op(f"load ptr, ptr {code.at('%S', self.table_at, 1)}")
        code.line(f"store ptr {table}, ptr {code.at(out, TABLE)}")
        count = code.at(out, GROUPS)
        code.store("0", count)
        where, again, done = code.room(self.word), code.fresh("again"), code.fresh("done")
        self.pack(code, bag, where)
        code.label(again)
        number = code.op(f"call i64 @next{self.number}(ptr %S, ptr {where})")
        more_groups = code.fresh("more")
        code.split(code.op(f"icmp sge i64 {number}, 0"), more_groups, done)
        code.label(more_groups)
        filled = code.load(count)
        code.line(f"store ptr {self.group(code, number)}, ptr {code.at(code.at(out, FIRST), filled)}")
        code.store(code.op(f"add i64 {filled}, 1"), count)
        code.go(again)
        code.label(done)
        code.end(f"ret ptr {out}")

    def check(self, code: Code, bag: str, too_much: Callable[[], None]) -> None:
        """Give up a bag that is too much work, as `runtime/partitions.py` counts it: how many bags there are inside it
        that are as large as groups, and how many there are at all."""
        high, codes = self.table.high, self.table.codes
        left, bags = code.room(), code.room(f"[{high + 1} x i64]")
        code.store("1", left)
        for number in range(high + 1):
            code.store("0" if number else "1", code.at(bags, number))
        with code.loop(str(codes)) as (at, _, _):
            shift = self.large(code, code.op(f"mul i64 {at}, {self.bits}"))
            shifted = self.small(code, code.op(f"lshr {self.word} {bag}, {shift}"))
            own = code.op(f"and i64 {shifted}, {(1 << self.bits - 1) - 1}")
            product = code.op(f"mul i64 {code.load(left)}, {code.op(f'add i64 {own}, 1')}")
            code.store(code.op(f"call i64 @llvm.smin.i64(i64 {product}, i64 {limits.DIVIDING + 1})"), left)
            with code.loop(str(high + 1)) as (lap, _, _):  # from the largest down, so that smaller ones are still old
                size = code.op(f"sub i64 {high}, {lap}")
                where, total = code.at(bags, size), code.room()
                code.store(code.load(where), total)
                with code.loop(code.op(f"call i64 @llvm.smin.i64(i64 {own}, i64 {size})")) as (less, _, _):
                    smaller = code.op(f"sub i64 {code.op(f'sub i64 {size}, {less}')}, 1")
                    code.store(code.op(f"add i64 {code.load(total)}, {code.load(code.at(bags, smaller))}"), total)
                code.store(code.op(f"call i64 @llvm.smin.i64(i64 {code.load(total)}, i64 {limits.DIVIDING})"), where)
        candidates = "0"
        for number in range(max(1, self.table.low), high + 1):
            candidates = code.op(f"add i64 {candidates}, {code.load(code.at(bags, number))}")
        work = code.op(f"mul i64 {code.load(left)}, {code.op(f'add i64 {candidates}, 1')}")
        many = code.op(f"icmp sgt i64 {candidates}, {limits.COLLECTION}")
        code.when(code.op(f"or i1 {many}, {code.op(f'icmp sgt i64 {work}, {limits.DIVIDING}')}"), too_much)

    def judge(self, code: Code) -> None:
        """All bags that could be groups are judged, and those that are go into the table."""
        table, low = self.table, self.table.division.low
        count, last = code.room(), code.room()
        code.store("0", count)
        code.store("-1", last)
        base = code.op(f"load ptr, ptr {field(code, BASE)}")
        with code.loop("%n") as (at, next_lap, _):
            code.line(f"store ptr {base}, ptr {field(code, TOP)}")
            bag = code.at("%bags", code.op(f"mul i64 {at}, {1 + table.high}"))
            size, members = code.load(bag), code.at(bag, 1)
            least = code.op(f"sub i64 {code.load(members)}, {low}")

            def begins(least: str = least) -> None:
                code.store(code.load(count), code.at("%table", least))
                code.store(least, last)

            code.when(code.op(f"icmp ne i64 {least}, {code.load(last)}"), begins)
            call = f"call {ROW} @{table.division.worth}(ptr %S{self.shares}, ptr {members}, i64 {size})"
            worth = code.unpacked(code.op(call), "row")
            group = code.fresh("group")
            code.split(code.op(f"icmp ne i64 {worth.two}, 0"), group, next_lap)
            code.label(group)
            value = code.load(worth.one)
            above = code.op(f"icmp sgt i64 {value}, {LARGEST}")
            large = code.op(f"or i1 {above}, {code.op(f'icmp slt i64 {value}, {-LARGEST}')}")
            code.when(large, lambda: give_up(code, GAVE_UP))
            number = code.load(count)
            place = code.op(f"add i64 {code.op(f'mul i64 {number}, {table.width}')}, {CODES + 2}")
            where = code.at("%table", place)
            self.pack(code, "0", where)
            with code.loop(size) as (inner, _, _):
                member = code.load(code.at(members, inner))
                code.store(member, code.at(code.at(where, 4), inner))
                one = self.one(code, code.op(f"sub i64 {member}, {low}"))
                self.pack(code, code.op(f"add {self.word} {self.packed(code, where)}, {one}"), where)
            code.store(code.load(worth.one), code.at(where, 2))
            code.store(size, code.at(where, 3))
            code.store(code.op(f"add i64 {number}, 1"), count)
        ends = code.op(f"add i64 {code.load(last)}, 1")
        code.store(code.load(count), code.at("%table", ends))
        code.end("ret void")


def _groups(code: Code) -> None:
    """The groups of a division, as rows that lie in its table."""
    count = code.load(code.at("%d", GROUPS))
    out = alloc(code, count, 16)
    with code.loop(count) as (at, _, _):
        group = code.op(f"load ptr, ptr {code.at(code.at('%d', FIRST), at)}")
        code.store_row(Val("row", code.at(group, 4), code.load(code.at(group, 3))), code.at(out, at, 16))
    code.end(f"ret {ROW} {code.packed(Val('rows', out, count))}")


def _rest(code: Code) -> None:
    """What is left over of the bag."""
    place = code.room(ROW)
    bag = Val("row", code.op(f"load ptr, ptr {code.at('%d', BAG)}"), code.load(code.at("%d", SIZE)))
    code.store_row(bag, place)
    with code.loop(code.load(code.at("%d", GROUPS))) as (at, _, _):
        group = code.op(f"load ptr, ptr {code.at(code.at('%d', FIRST), at)}")
        with code.loop(code.load(code.at(group, 3))) as (inner, _, _):
            row = code.load_row(place)
            member = code.load(code.at(code.at(group, 4), inner))
            code.store_row(
                code.unpacked(code.op(f"call {ROW} @drawn(ptr %S, ptr {row.one}, i64 {row.two}, i64 {member})"), "row"),
                place,
            )
    code.end(f"ret {ROW} {code.packed(code.load_row(place))}")


PARTS = "\n".join(
    [
        function(f"define internal {ROW} @groups_of(ptr %S, ptr %d)", _groups),
        function(f"define internal {ROW} @rest_of(ptr %S, ptr %d)", _rest),
    ]
)
"""What is asked of any division."""
