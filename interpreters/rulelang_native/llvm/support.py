"""What printed functions call: rows made of rows, pools of unseen cards, chance. Each is written as LLVM text once.

Rows lie in an arena, element behind element, 8 bytes each (16 for rows of rows: where, and how many). Nothing changes a
row that was made. When the arena is full the step is given up (`FULL`) and goes on from its beginning, so that whatever
is still written stays inside; whoever began the step sees it and plays the game otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from rulelang import limits
from rulelang_native.llvm.code import ROW, Code, Val
from rulelang_native.llvm.fixed import BASE as BASE
from rulelang_native.llvm.fixed import COST as COST
from rulelang_native.llvm.fixed import END as END
from rulelang_native.llvm.fixed import FAILED as FAILED
from rulelang_native.llvm.fixed import FIRST as FIRST
from rulelang_native.llvm.fixed import MOST as MOST
from rulelang_native.llvm.fixed import POOLS as POOLS
from rulelang_native.llvm.fixed import TOP as TOP

MOST_POOLS = 32
LAST = FIRST + 16 * MOST_POOLS
"""Which of the outcomes was drawn last, counted from 0: where in its pool a card lies that is settled then."""
CELLS = LAST + 8
"""Where what the program declares begins."""

UNSEEN = -(1 << 62)
"""An unseen card of pool k is UNSEEN - k."""

GAVE_UP, FULL, CROWDED = 1, 2, 3
"""Why a step was given up: a limit of the language, no more room in the arena, too many pools."""

GAMMA = 0x9E3779B97F4A7C15 - (1 << 64)
ONE, TWO = 0xBF58476D1CE4E5B9 - (1 << 64), 0x94D049BB133111EB - (1 << 64)

HEAD = """declare void @llvm.assume(i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i128 @llvm.cttz.i128(i128, i1)
declare i256 @llvm.cttz.i256(i256, i1)
declare i512 @llvm.cttz.i512(i512, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare <8 x i64> @llvm.masked.load.v8i64.p0(ptr, i32, <8 x i1>, <8 x i64>)
declare void @llvm.masked.store.v8i64.p0(<8 x i64>, ptr, i32, <8 x i1>)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
!0 = !{!"branch_weights", i32 2000, i32 1}
!1 = !{!"branch_weights", i32 1, i32 2000}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.full"}
"""

LONG = 24
"""Rows of so many elements are long."""

AT_ONCE, AHEAD = 8, 16
"""Words of chance that are worked out at once, and those that a stream has room for: powers of two."""
NEXT, KEY, NUMBER, STREAM = 8 * AHEAD, 8 * AHEAD + 8, 8 * AHEAD + 16, 16 * AHEAD
"""A stream of draws: its next words, where among them the next one is (in bytes), its key, the number of the draw that
is the first of them; and how many bytes it takes, so that streams one behind the other are quickly found."""

Written = Callable[[Code], None]


def field(code: Code, offset: int) -> str:
    """Where a field of the state lies."""
    return code.at("%S", offset, 1)


def alloc(code: Code, count: str, size: int = 8) -> str:
    """Room for so many elements in the arena."""
    bytes_ = code.op(f"shl i64 {count}, {3 if size == 8 else 4}")
    return code.op(f"call ptr @alloc(ptr %S, i64 {bytes_})")


def give_up(code: Code, why: int) -> None:
    """The step is given up; whoever called looks at it."""
    code.store(str(why), field(code, FAILED))


def copy(code: Code, to: str, source: str, count: str, size: int = 8) -> None:
    """So many elements are copied, none onto itself."""
    with code.loop(count) as (at, _, _):
        kind = "i64" if size == 8 else ROW
        element = code.op(f"load {kind}, ptr {code.at(source, at, size)}")
        code.line(f"store {kind} {element}, ptr {code.at(to, at, size)}")


def function(header: str, write: Written) -> str:
    """The text of one function."""
    code = Code(header)
    write(code)
    return code.text()


ALLOC = f"""define internal ptr @alloc(ptr %S, i64 %n) alwaysinline {{
entry:
  %where = getelementptr i8, ptr %S, i64 {TOP}
  %top = load ptr, ptr %where
  %new = getelementptr i8, ptr %top, i64 %n
  %last = getelementptr i8, ptr %S, i64 {END}
  %end = load ptr, ptr %last
  %fits = icmp ule ptr %new, %end
  br i1 %fits, label %yes, label %no, !prof !0
yes:
  store ptr %new, ptr %where
  ret ptr %top
no:
  %first = getelementptr i8, ptr %S, i64 {BASE}
  %base = load ptr, ptr %first
  %again = getelementptr i8, ptr %base, i64 %n
  store ptr %again, ptr %where
  store i64 {FULL}, ptr %S
  ret ptr %base
}}
"""

CHANCE = f"""define internal i64 @scramble(i64 %a) alwaysinline {{
entry:
  %b = lshr i64 %a, 30
  %c = xor i64 %a, %b
  %d = mul i64 %c, {ONE}
  %e = lshr i64 %d, 27
  %f = xor i64 %d, %e
  %g = mul i64 %f, {TWO}
  %h = lshr i64 %g, 31
  %i = xor i64 %g, %h
  ret i64 %i
}}
define internal i64 @mix(i64 %key, i64 %n) alwaysinline {{
entry:
  %a = add i64 %n, 1
  %b = mul i64 %a, {GAMMA}
  %c = add i64 %b, %key
  %d = call i64 @scramble(i64 %c)
  ret i64 %d
}}
define internal i64 @place(ptr %stream, i64 %bound) alwaysinline {{
entry:
  %where = getelementptr i8, ptr %stream, i64 {NEXT}
  %next = load i64, ptr %where
  %here = getelementptr i8, ptr %stream, i64 %next
  %word = load i64, ptr %here
  %high = lshr i64 %word, 32
  %product = mul i64 %high, %bound
  %low = and i64 %product, 4294967295
  %sure = icmp uge i64 %low, %bound
  br i1 %sure, label %done, label %look, !prof !0
look:
  %result2 = call i64 @drawn_below(ptr %stream, i64 %bound)
  ret i64 %result2
done:
  %result = lshr i64 %product, 32
  ret i64 %result
}}
define internal {{ i64, i64 }} @pair(ptr %stream, i64 %one, i64 %two) alwaysinline {{
entry:
  %where = getelementptr i8, ptr %stream, i64 {NEXT}
  %next = load i64, ptr %where
  %here = getelementptr i8, ptr %stream, i64 %next
  %word = load i64, ptr %here
  %high = lshr i64 %word, 32
  %product = mul i64 %high, %one
  %first = lshr i64 %product, 32
  %left = and i64 %product, 4294967295
  %product2 = mul i64 %left, %two
  %second = lshr i64 %product2, 32
  %low = and i64 %product2, 4294967295
  %bound = mul i64 %one, %two
  %sure = icmp uge i64 %low, %bound
  br i1 %sure, label %done, label %look, !prof !0
look:
  %anew = call i64 @drawn_below(ptr %stream, i64 %bound)
  %first2 = udiv i64 %anew, %two
  %second2 = urem i64 %anew, %two
  br label %done
done:
  %a = phi i64 [ %first, %entry ], [ %first2, %look ]
  %b = phi i64 [ %second, %entry ], [ %second2, %look ]
  %c = insertvalue {{ i64, i64 }} poison, i64 %a, 0
  %d = insertvalue {{ i64, i64 }} %c, i64 %b, 1
  ret {{ i64, i64 }} %d
}}
define internal i64 @drawn_below(ptr %stream, i64 %bound) noinline {{
entry:
  %at = getelementptr i8, ptr %stream, i64 {KEY}
  %key = load i64, ptr %at
  %from = getelementptr i8, ptr %stream, i64 {NUMBER}
  %first = load i64, ptr %from
  %where = getelementptr i8, ptr %stream, i64 {NEXT}
  %next = load i64, ptr %where
  %more = lshr i64 %next, 3
  %n = add i64 %first, %more
  %result = call i64 @below(i64 %key, i64 %n, i64 %bound)
  ret i64 %result
}}
define internal void @advance(ptr %stream) alwaysinline {{
entry:
  %where = getelementptr i8, ptr %stream, i64 {NEXT}
  %next = load i64, ptr %where
  %after = add i64 %next, 8
  store i64 %after, ptr %where
  %used = icmp eq i64 %after, {NEXT}
  br i1 %used, label %more, label %done, !prof !1
more:
  call void @more_words(ptr %stream)
  ret void
done:
  ret void
}}
define internal i64 @below(i64 %of, i64 %n, i64 %bound) noinline {{
entry:
  %key = call i64 @mix(i64 %of, i64 %n)
  %first = call i64 @mix(i64 %key, i64 0)
  %high = lshr i64 %first, 32
  %product = mul i64 %high, %bound
  %low = and i64 %product, 4294967295
  %sure = icmp uge i64 %low, %bound
  br i1 %sure, label %done, label %look, !prof !0
look:
  %minus = sub i64 4294967296, %bound
  %unfair = urem i64 %minus, %bound
  br label %again
again:
  %drawn = phi i64 [ 0, %look ], [ %next, %more ]
  %now = phi i64 [ %product, %look ], [ %product2, %more ]
  %rest = and i64 %now, 4294967295
  %fair = icmp uge i64 %rest, %unfair
  br i1 %fair, label %done2, label %more
more:
  %next = add i64 %drawn, 1
  %word = call i64 @mix(i64 %key, i64 %next)
  %high2 = lshr i64 %word, 32
  %product2 = mul i64 %high2, %bound
  br label %again
done2:
  %result2 = lshr i64 %now, 32
  ret i64 %result2
done:
  %result = lshr i64 %product, 32
  ret i64 %result
}}
"""


def _words(code: Code) -> None:
    """The first words of so many draws of a key from n on: outputs of SplitMix64 as `mix` gives them, side by side."""
    lanes = f"<{AT_ONCE} x i64>"

    def all_of(number: int) -> str:
        return "<" + ", ".join([f"i64 {number}"] * AT_ONCE) + ">"

    def scrambled(value: str) -> str:
        for shift, factor in ((30, ONE), (27, TWO)):
            value = code.op(f"xor {lanes} {value}, {code.op(f'lshr {lanes} {value}, {all_of(shift)}')}")
            value = code.op(f"mul {lanes} {value}, {all_of(factor)}")
        return code.op(f"xor {lanes} {value}, {code.op(f'lshr {lanes} {value}, {all_of(31)}')}")

    first = code.op(f"add i64 {code.op(f'mul i64 %n, {GAMMA}')}, %key")
    one = code.op(f"insertelement {lanes} poison, i64 {first}, i64 0")
    each = code.op(f"shufflevector {lanes} {one}, {lanes} poison, <{AT_ONCE} x i32> zeroinitializer")
    steps = ", ".join(f"i64 {(place + 1) * GAMMA % 2**64 - 2**64}" for place in range(AT_ONCE))
    keys = scrambled(code.op(f"add {lanes} {each}, <{steps}>"))
    words = scrambled(code.op(f"add {lanes} {keys}, {all_of(GAMMA)}"))
    code.line(f"store {lanes} {words}, ptr %where, align 8")
    code.end("ret void")


def _stream(code: Code) -> None:
    """A stream begins: few words at first, as many games are short; they lie behind the room for the others."""
    before = AHEAD - AT_ONCE
    code.line(f"call void @words(ptr {code.at('%stream', before)}, i64 %key, i64 0)")
    for place, value in ((NEXT, str(8 * before)), (KEY, "%key"), (NUMBER, str(-before))):
        code.store(value, code.at("%stream", place, 1))
    code.end("ret void")


def _more_words(code: Code) -> None:
    """All words of a stream are used up: the next ones."""
    key, number = (code.load(code.at("%stream", place, 1)) for place in (KEY, NUMBER))
    first = code.op(f"add i64 {number}, {AHEAD}")
    for place in range(0, AHEAD, AT_ONCE):
        n = code.op(f"add i64 {first}, {place}")
        code.line(f"call void @words(ptr {code.at('%stream', place)}, i64 {key}, i64 {n})")
    code.store("0", code.at("%stream", NEXT, 1))
    code.store(first, code.at("%stream", NUMBER, 1))
    code.end("ret void")


# ------------------------------------------------------------------ sets of small numbers


def kth(code: Code, word: int) -> None:
    """The k-th number of a set that has more than k, counted from 0."""
    rest = code.room()
    code.store("%k", rest)
    for number in range(word // 64 - 1):
        part = _part(code, word, number)
        count, left = code.op(f"call i64 @llvm.ctpop.i64(i64 {part})"), code.load(rest)

        def here(part: str = part, left: str = left, number: int = number) -> None:
            place = code.op(f"call i64 @kth64(i64 {part}, i64 {left})")
            code.end(f"ret i64 {code.op(f'add i64 {place}, {64 * number}')}")

        code.when(code.op(f"icmp ult i64 {left}, {count}"), here)
        code.store(code.op(f"sub i64 {left}, {count}"), rest)
    last = _part(code, word, word // 64 - 1)
    place = code.op(f"call i64 @kth64(i64 {last}, i64 {code.load(rest)})")
    code.end(f"ret i64 {code.op(f'add i64 {place}, {word - 64}')}")


def _part(code: Code, word: int, number: int) -> str:
    """64 bits of a wider word."""
    if word == 64:
        return "%set"
    return code.op(f"trunc i{word} {code.op(f'lshr i{word} %set, {64 * number}')} to i64")


def _counted(code: Code, word: int) -> None:
    """How many numbers are in a set."""
    total = "0"
    for number in range(word // 64):
        part = _part(code, word, number)
        total = code.op(f"add i64 {total}, {code.op(f'call i64 @llvm.ctpop.i64(i64 {part})')}")
    code.end(f"ret i64 {total}")


QUICK = """declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
define internal i64 @kth64(i64 %set, i64 %k) alwaysinline {
entry:
  %one = shl i64 1, %k
  %bit = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %set)
  %place = call i64 @llvm.cttz.i64(i64 %bit, i1 true)
  ret i64 %place
}
declare i64 @llvm.x86.bmi.pext.64(i64, i64)
define internal i64 @extracted(i64 %from, i64 %mask) alwaysinline {
entry:
  %found = call i64 @llvm.x86.bmi.pext.64(i64 %from, i64 %mask)
  ret i64 %found
}
define internal i64 @deposited(i64 %from, i64 %mask) alwaysinline {
entry:
  %found = call i64 @llvm.x86.bmi.pdep.64(i64 %from, i64 %mask)
  ret i64 %found
}
"""
"""With a processor that has BMI2."""
SLOW = """define internal i64 @kth64(i64 %set, i64 %k) {
entry:
  br label %look
look:
  %left = phi i64 [ %set, %entry ], [ %fewer, %more ]
  %count = phi i64 [ %k, %entry ], [ %less, %more ]
  %done = icmp eq i64 %count, 0
  br i1 %done, label %here, label %more
more:
  %minus = sub i64 %left, 1
  %fewer = and i64 %left, %minus
  %less = sub i64 %count, 1
  br label %look
here:
  %place = call i64 @llvm.cttz.i64(i64 %left, i1 true)
  ret i64 %place
}
define internal i64 @extracted(i64 %from, i64 %mask) {
entry:
  br label %look
look:
  %left = phi i64 [ %mask, %entry ], [ %fewer, %more ]
  %found = phi i64 [ 0, %entry ], [ %next, %more ]
  %bit = phi i64 [ 1, %entry ], [ %higher, %more ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %end, label %more
more:
  %minus = sub i64 %left, 1
  %fewer = and i64 %left, %minus
  %lowest = xor i64 %left, %fewer
  %there = and i64 %from, %lowest
  %is = icmp ne i64 %there, 0
  %one = select i1 %is, i64 %bit, i64 0
  %next = or i64 %found, %one
  %higher = shl i64 %bit, 1
  br label %look
end:
  ret i64 %found
}
define internal i64 @deposited(i64 %from, i64 %mask) {
entry:
  br label %look
look:
  %left = phi i64 [ %mask, %entry ], [ %fewer, %more ]
  %rest = phi i64 [ %from, %entry ], [ %lower, %more ]
  %found = phi i64 [ 0, %entry ], [ %next, %more ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %end, label %more
more:
  %minus = sub i64 %left, 1
  %fewer = and i64 %left, %minus
  %lowest = xor i64 %left, %fewer
  %bit = and i64 %rest, 1
  %is = icmp ne i64 %bit, 0
  %one = select i1 %is, i64 %lowest, i64 0
  %next = or i64 %found, %one
  %lower = lshr i64 %rest, 1
  br label %look
end:
  ret i64 %found
}
"""


# ------------------------------------------------------------------ rows


def _has(code: Code) -> None:
    with code.loop("%n") as (at, _, _):
        here = code.op(f"icmp eq i64 {code.load(code.at('%a', at))}, %x")
        code.when(here, lambda: code.end("ret i1 true"))
    code.end("ret i1 false")


def _times(code: Code) -> None:
    count = code.room()
    code.store("0", count)
    with code.loop("%n") as (at, _, _):
        here = code.op(f"icmp eq i64 {code.load(code.at('%a', at))}, %x")
        code.store(code.op(f"add i64 {code.load(count)}, {code.op(f'zext i1 {here} to i64')}"), count)
    code.end(f"ret i64 {code.load(count)}")


def _same(code: Code) -> None:
    code.when(code.op("icmp ne i64 %n, %m"), lambda: code.end("ret i1 false"))
    with code.loop("%n") as (at, _, _):
        differs = code.op(f"icmp ne i64 {code.load(code.at('%a', at))}, {code.load(code.at('%b', at))}")
        code.when(differs, lambda: code.end("ret i1 false"))
    code.end("ret i1 true")


def _filtered(code: Code, keep: Callable[[str, str], str]) -> None:
    """The elements of a (so many as n) for which something holds, given their place and themselves."""
    out, count = alloc(code, "%n"), code.room()
    code.store("0", count)
    with code.loop("%n") as (at, _, _):
        item = code.load(code.at("%a", at))
        held = keep(at, item)
        filled = code.load(count)
        code.store(item, code.at(out, filled))
        code.store(code.op(f"add i64 {filled}, {code.op(f'zext i1 {held} to i64')}"), count)
    code.end(f"ret {ROW} {code.packed(Val('row', out, code.load(count)))}")


def _not_in(code: Code, row: str, count: str, item: str) -> str:
    return code.op(f"xor i1 {code.op(f'call i1 @has(ptr {row}, i64 {count}, i64 {item})')}, true")


def _minus(code: Code) -> None:
    _filtered(code, lambda at, item: _not_in(code, "%b", "%m", item))


def _within(code: Code) -> None:
    _filtered(
        code,
        lambda at, item: code.op(
            f"and i1 {code.op(f'icmp sle i64 %low, {item}')}, {code.op(f'icmp sle i64 {item}, %high')}"
        ),
    )


def _tied(code: Code) -> None:
    _filtered(code, lambda at, item: code.op(f"icmp eq i64 {code.load(code.at('%b', at))}, %best"))


def _sorted(code: Code) -> None:
    """By putting each in its place: rows are short."""
    out = alloc(code, "%n")
    with code.loop("%n") as (at, _, _):
        item = code.load(code.at("%a", at))
        place = code.room()
        code.store(at, place)
        head, more, done = code.fresh("sink"), code.fresh("more"), code.fresh("done")
        code.label(head)
        now = code.load(place)
        before = code.op(f"sub i64 {now}, 1")
        code.split(code.op(f"icmp sgt i64 {now}, 0"), more, done)
        code.label(more)
        other = code.load(code.at(out, before))
        shift = code.fresh("shift")
        code.split(code.op(f"icmp sgt i64 {other}, {item}"), shift, done)
        code.label(shift)
        code.store(other, code.at(out, now))
        code.store(before, place)
        code.go(head)
        code.label(done)
        code.store(item, code.at(out, code.load(place)))
    code.end(f"ret {ROW} {code.packed(Val('row', out, '%n'))}")


def _sorted_long(code: Code) -> None:
    """The same of a row that is perhaps long: by counting if it is, and of small numbers."""
    in_order = f"call {ROW} @sorted(ptr %S, ptr %a, i64 %n)"
    long = code.op(f"icmp ult i64 {code.op(f'sub i64 %n, {LONG}')}, {256 - LONG}")
    code.when(long, lambda: _by_counting(code))
    code.end(f"ret {ROW} {code.op(in_order)}")


def _by_counting(code: Code) -> None:
    out, low, high = alloc(code, "%n"), code.room(), code.room()
    for place in (low, high):
        code.store(code.load("%a"), place)
    with code.loop("%n") as (at, _, _):
        item = code.load(code.at("%a", at))
        for name, place in (("smin", low), ("smax", high)):
            code.store(code.op(f"call i64 @llvm.{name}.i64(i64 {code.load(place)}, i64 {item})"), place)
    span = code.op(f"sub i64 {code.load(high)}, {code.load(low)}")

    def count() -> None:
        counts, filled = code.room("[256 x i8]"), code.room()
        code.line(f"call void @llvm.memset.p0.i64(ptr {counts}, i8 0, i64 256, i1 false)")
        with code.loop("%n") as (at, _, _):
            where = code.at(counts, code.op(f"sub i64 {code.load(code.at('%a', at))}, {code.load(low)}"), 1)
            before = code.op(f"load i8, ptr {where}")
            code.line(f"store i8 {code.op(f'add i8 {before}, 1')}, ptr {where}")
        code.store("0", filled)
        with code.loop(code.op(f"add i64 {span}, 1")) as (number, _, _):
            many = code.op(f"zext i8 {code.op(f'load i8, ptr {code.at(counts, number, 1)}')} to i64")
            first, item = code.load(filled), code.op(f"add i64 {code.load(low)}, {number}")
            with code.loop(many) as (more, _, _):
                code.store(item, code.at(out, code.op(f"add i64 {first}, {more}")))
            code.store(code.op(f"add i64 {first}, {many}"), filled)
        code.end(f"ret {ROW} {code.packed(Val('row', out, '%n'))}")

    code.when(code.op(f"icmp ult i64 {span}, 256"), count)


def _distinct(code: Code) -> None:
    sorted_ = code.unpacked(code.op(f"call {ROW} @sorted(ptr %S, ptr %a, i64 %n)"), "row")
    out, count = alloc(code, "%n"), code.room()
    code.store("0", count)
    with code.loop("%n") as (at, next_lap, _):
        item = code.load(code.at(sorted_.one, at))
        filled = code.load(count)
        fresh, look = code.fresh("fresh"), code.fresh("look")
        code.split(code.op(f"icmp eq i64 {filled}, 0"), fresh, look)
        code.label(look)
        last = code.load(code.at(out, code.op(f"sub i64 {filled}, 1")))
        code.split(code.op(f"icmp eq i64 {last}, {item}"), next_lap, fresh)
        code.label(fresh)
        code.store(item, code.at(out, filled))
        code.store(code.op(f"add i64 {filled}, 1"), count)
    code.end(f"ret {ROW} {code.packed(Val('row', out, code.load(count)))}")


def _each_once(code: Code) -> None:
    out, count = alloc(code, "%n"), code.room()
    code.store("0", count)
    with code.loop("%n") as (at, _, _):
        item = code.load(code.at("%a", at))
        filled = code.load(count)
        new = _not_in(code, out, filled, item)

        def keep(item: str = item, filled: str = filled) -> None:
            code.store(item, code.at(out, filled))
            code.store(code.op(f"add i64 {filled}, 1"), count)

        code.when(new, keep)
    code.end(f"ret {ROW} {code.packed(Val('row', out, code.load(count)))}")


def _bag_minus(code: Code) -> None:
    """Both may be in any order; what is left is in order, save where only one is taken out: then it stays as it was."""
    left, taken = code.room("ptr"), alloc(code, "%m")
    code.line(f"store ptr %a, ptr {left}")
    copy(code, taken, "%b", "%m")
    one = code.op("icmp ne i64 %m, 1")

    def in_order() -> None:
        row = code.unpacked(code.op(f"call {ROW} @sorted(ptr %S, ptr %a, i64 %n)"), "row")
        code.line(f"store ptr {row.one}, ptr {left}")

    code.when(one, in_order)
    source, out, count = code.op(f"load ptr, ptr {left}"), alloc(code, "%n"), code.room()
    rest = code.room()
    code.store("%m", rest)
    code.store("0", count)
    with code.loop("%n") as (at, next_lap, _):
        item = code.load(code.at(source, at))
        place = code.op(f"call i64 @find(ptr {taken}, i64 {code.load(rest)}, i64 {item})")

        def out_of_both(place: str = place, next_lap: str = next_lap) -> None:
            last = code.op(f"sub i64 {code.load(rest)}, 1")
            code.store(code.load(code.at(taken, last)), code.at(taken, place))
            code.store(last, rest)
            code.go(next_lap)

        code.when(code.op(f"icmp sge i64 {place}, 0"), out_of_both)
        filled = code.load(count)
        code.store(item, code.at(out, filled))
        code.store(code.op(f"add i64 {filled}, 1"), count)
    code.end(f"ret {ROW} {code.packed(Val('row', out, code.load(count)))}")


def _find(code: Code) -> None:
    """The first place, -1 if there is none."""
    with code.loop("%n") as (at, _, _):
        here = code.op(f"icmp eq i64 {code.load(code.at('%a', at))}, %x")

        def found(at: str = at) -> None:
            code.end(f"ret i64 {at}")

        code.when(here, found)
    code.end("ret i64 -1")


def _find_last(code: Code) -> None:
    with code.loop("%n") as (at, _, _):
        place = code.op(f"sub i64 {code.op('sub i64 %n, 1')}, {at}")
        here = code.op(f"icmp eq i64 {code.load(code.at('%a', place))}, %x")

        def found(place: str = place) -> None:
            code.end(f"ret i64 {place}")

        code.when(here, found)
    code.end("ret i64 -1")


def _one_less(code: Code, last: bool) -> None:
    """The row without the first, or the last, element that equals x, if there is one. There is no branch but for the
    length: where an element lies in a row is seldom foreseen."""
    out, gone = alloc(code, "%n"), code.room()
    code.store("0", gone)
    with code.loop("%n") as (lap, _, _):
        at = code.op(f"sub i64 {code.op('sub i64 %n, 1')}, {lap}") if last else lap
        item, before = code.load(code.at("%a", at)), code.load(gone)
        code.store(item, code.at(out, code.op(f"{'add' if last else 'sub'} i64 {at}, {before}")))
        same = code.op(f"zext i1 {code.op(f'icmp eq i64 {item}, %x')} to i64")
        code.store(code.op(f"or i64 {before}, {same}"), gone)
    first = code.at(out, code.load(gone)) if last else out
    code.end(f"ret {ROW} {code.packed(Val('row', first, code.op(f'sub i64 %n, {code.load(gone)}')))}")


def _taken_out(code: Code) -> None:
    _one_less(code, last=True)


def _drawn(code: Code) -> None:
    _one_less(code, last=False)


def _turned(code: Code) -> None:
    place = code.op("call i64 @find(ptr %a, i64 %n, i64 %x)")
    whole = code.packed(Val("row", "%a", "%n"))
    code.when(code.op(f"icmp slt i64 {place}, 0"), lambda: code.end(f"ret {ROW} {whole}"))
    out = alloc(code, "%n")
    rest = code.op(f"sub i64 %n, {place}")
    copy(code, out, code.at("%a", place), rest)
    copy(code, code.at(out, rest), "%a", place)
    code.end(f"ret {ROW} {code.packed(Val('row', out, '%n'))}")


def _replaced(code: Code) -> None:
    place = code.op("call i64 @find(ptr %a, i64 %n, i64 %x)")
    out = alloc(code, "%n")
    copy(code, out, "%a", "%n")
    code.store("%y", code.at(out, place))
    code.end(f"ret {ROW} {code.packed(Val('row', out, '%n'))}")


def _best(code: Code, most: bool) -> None:
    best = code.room()
    code.store(code.load("%a"), best)
    with code.loop("%n") as (at, _, _):
        name = "smax" if most else "smin"
        now = code.op(f"call i64 @llvm.{name}.i64(i64 {code.load(best)}, i64 {code.load(code.at('%a', at))})")
        code.store(now, best)
    code.end(f"ret i64 {code.load(best)}")


def _span(code: Code) -> None:
    more = code.op(f"add i64 {code.op('sub i64 %high, %low')}, 1")
    count = code.op(f"call i64 @llvm.smax.i64(i64 {more}, i64 0)")
    out = alloc(code, count)
    with code.loop(count) as (at, _, _):
        code.store(code.op(f"add i64 %low, {at}"), code.at(out, at))
    code.end(f"ret {ROW} {code.packed(Val('row', out, count))}")


def _joined(code: Code, size: int) -> None:
    """If the first row is the last one that was made, the second comes behind it where it lies: nothing changes what is
    in the first one, and rows that are put together piece by piece are copied once."""
    end, top = code.at("%a", "%n", size), code.op(f"load ptr, ptr {field(code, TOP)}")

    def longer() -> None:
        behind = alloc(code, "%m", size)

        def in_place() -> None:
            copy(code, behind, "%b", "%m", size)
            code.end(f"ret {ROW} {code.packed(Val('row', '%a', code.op('add i64 %n, %m')))}")

        code.when(code.op(f"icmp eq ptr {behind}, {end}"), in_place)  # else there was no room

    last = code.op(f"and i1 {code.op(f'icmp eq ptr {end}, {top}')}, {code.op('icmp ne i64 %n, 0')}")
    code.when(last, longer)
    out = alloc(code, code.op("add i64 %n, %m"), size)
    copy(code, out, "%a", "%n", size)
    copy(code, code.at(out, "%n", size), "%b", "%m", size)
    code.end(f"ret {ROW} {code.packed(Val('row', out, code.op('add i64 %n, %m')))}")


def _linked(code: Code) -> None:
    """What is found is gone through while it grows; `among` shrinks as its elements are found."""
    start = code.unpacked(code.op(f"call {ROW} @distinct(ptr %S, ptr %a, i64 %n)"), "row")
    left, found = alloc(code, "%m"), alloc(code, "%m")
    copy(code, left, "%b", "%m")
    open_, count = code.room(), code.room()
    code.store("%m", open_)
    code.store("0", count)

    def take(item: str, next_lap: str) -> None:
        place = code.op(f"call i64 @find(ptr {left}, i64 {code.load(open_)}, i64 {item})")
        there = code.fresh("there")
        code.split(code.op(f"icmp sge i64 {place}, 0"), there, next_lap)
        code.label(there)
        last = code.op(f"sub i64 {code.load(open_)}, 1")
        code.store(code.load(code.at(left, last)), code.at(left, place))
        code.store(last, open_)
        filled = code.load(count)
        code.store(item, code.at(found, filled))
        code.store(code.op(f"add i64 {filled}, 1"), count)

    with code.loop(start.two) as (at, next_lap, _):
        item = code.load(code.at(start.one, at))
        inside = code.fresh("inside")
        code.split(code.op(f"icmp ult i64 {item}, %k"), inside, next_lap)
        code.label(inside)
        take(item, next_lap)
    place = code.room()
    code.store("0", place)
    head, lap, done = code.fresh("head"), code.fresh("lap"), code.fresh("done")
    code.label(head)
    now = code.load(place)
    code.split(code.op(f"icmp slt i64 {now}, {code.load(count)}"), lap, done)
    code.label(lap)
    near = code.element(Val("rows", "%near", "%k"), code.load(code.at(found, now)))
    with code.loop(near.two) as (at, next_lap, _):
        take(code.load(code.at(near.one, at)), next_lap)
    code.store(code.op(f"add i64 {now}, 1"), place)
    code.go(head)
    code.label(done)
    code.end(f"ret {ROW} {code.op(f'call {ROW} @sorted(ptr %S, ptr {found}, i64 {code.load(count)})')}")


def _bags(code: Code) -> None:
    """Every bag of so many elements of a sorted row, in order: places go up, the last one that can first; where
    elements are equal the first of them is taken first."""
    nothing = f"ret {ROW} zeroinitializer"
    code.when(code.op("icmp ugt i64 %k, %n"), lambda: code.end(nothing))

    def too_many() -> None:
        give_up(code, GAVE_UP)
        code.end(nothing)

    code.when(code.op(f"icmp ugt i64 %k, {limits.PICKED}"), too_many)
    places = alloc(code, "%k")
    with code.loop("%k") as (at, _, _):
        code.store(at, code.at(places, at))
    out, count, most = code.room("ptr"), code.room(), code.room()
    code.line(f"store ptr {alloc(code, '16', 16)}, ptr {out}")
    code.store("0", count)
    code.store("16", most)
    bag, done = code.fresh("bag"), code.fresh("done")
    code.label(bag)
    filled = code.load(count)
    code.when(code.op(f"icmp uge i64 {filled}, {limits.COLLECTION}"), too_many)

    def grow() -> None:
        larger = code.op(f"shl i64 {filled}, 1")
        new = alloc(code, larger, 16)
        copy(code, new, code.op(f"load ptr, ptr {out}"), filled, 16)
        code.line(f"store ptr {new}, ptr {out}")
        code.store(larger, most)

    code.when(code.op(f"icmp eq i64 {filled}, {code.load(most)}"), grow)
    row = alloc(code, "%k")
    with code.loop("%k") as (at, _, _):
        code.store(code.load(code.at("%a", code.load(code.at(places, at)))), code.at(row, at))
    code.store_row(Val("row", row, "%k"), code.at(code.op(f"load ptr, ptr {out}"), filled, 16))
    code.store(code.op(f"add i64 {filled}, 1"), count)
    with code.loop("%k") as (lap, next_lap, _):
        at = code.op(f"sub i64 {code.op('sub i64 %k, 1')}, {lap}")
        place = code.load(code.at(places, at))
        item = code.load(code.at("%a", place))
        new_place = code.room()
        code.store(place, new_place)
        seek, more, found = code.fresh("seek"), code.fresh("more"), code.fresh("found")
        code.label(seek)
        further = code.op(f"add i64 {code.load(new_place)}, 1")
        code.store(further, new_place)
        code.split(code.op(f"icmp slt i64 {further}, {code.op(f'sub i64 %n, {lap}')}"), more, next_lap)
        code.label(more)
        code.split(code.op(f"icmp sgt i64 {code.load(code.at('%a', further))}, {item}"), found, seek)
        code.label(found)
        with code.loop(code.op(f"add i64 {lap}, 1")) as (on, _, _):
            after = code.op(f"add i64 {code.load(new_place)}, {on}")
            code.store(after, code.at(places, code.op(f"add i64 {at}, {on}")))
        code.go(bag)
    code.go(done)
    code.label(done)
    code.end(f"ret {ROW} {code.packed(Val('rows', code.op(f'load ptr, ptr {out}'), code.load(count)))}")


# ------------------------------------------------------------------ unseen cards


def _pool_at(code: Code, pool: str) -> str:
    return code.op(f"getelementptr {ROW}, ptr {field(code, FIRST)}, i64 {pool}")


def _unseen_top(code: Code) -> None:
    nothing = f"ret {ROW} zeroinitializer"
    code.when(code.op("icmp eq i64 %n, 0"), lambda: code.end(nothing))
    last = code.load(code.at("%a", code.op("sub i64 %n, 1")))
    code.when(code.op(f"icmp sgt i64 {last}, {UNSEEN}"), lambda: code.end(nothing))
    pool = code.load_row(_pool_at(code, code.op(f"sub i64 {UNSEEN}, {last}")))
    code.end(f"ret {ROW} {code.packed(pool)}")


def _settle(code: Code) -> None:
    """The top card of a pile, if it is unseen, becomes this one: false if its pool does not have it."""
    pile = code.load_row("%cell")
    code.when(code.op(f"icmp eq i64 {pile.two}, 0"), lambda: code.end("ret i1 true"))
    place = code.op(f"sub i64 {pile.two}, 1")
    last = code.load(code.at(pile.one, place))
    code.when(code.op(f"icmp sgt i64 {last}, {UNSEEN}"), lambda: code.end("ret i1 true"))
    code.end(f"ret i1 {code.op(f'call i1 @settle_at(ptr %S, ptr %cell, i64 {place}, i64 %card)')}")


def _settle_at(code: Code) -> None:
    """The card at a place, which is unseen, becomes this one, which leaves its pool; false if it is not in it."""
    pile = code.load_row("%cell")
    card = code.load(code.at(pile.one, "%place"))
    where = _pool_at(code, code.op(f"sub i64 {UNSEEN}, {card}"))
    pool = code.load_row(where)
    drawn = code.op(f"call {ROW} @drawn(ptr %S, ptr {pool.one}, i64 {pool.two}, i64 %card)")
    rest = code.unpacked(drawn, "row")
    code.when(code.op(f"icmp eq i64 {rest.two}, {pool.two}"), lambda: code.end("ret i1 false"))
    code.store_row(rest, where)
    out = alloc(code, pile.two)
    copy(code, out, pile.one, pile.two)
    code.store("%card", code.at(out, "%place"))
    code.store_row(Val("row", out, pile.two), "%cell")
    code.end("ret i1 true")


def _leaves_pool(code: Code) -> None:
    """A card leaves the pool of an unseen one, if it is in it. Nobody else holds a pool, and it is in order."""
    where = _pool_at(code, code.op(f"sub i64 {UNSEEN}, %unseen"))
    pool = code.load_row(where)
    code.when(code.op(f"icmp eq i64 {pool.two}, 0"), lambda: code.end("ret i1 false"))
    low, left = code.room(), code.room()
    head, half, done, drawn = code.fresh("head"), code.fresh("half"), code.fresh("done"), code.fresh("drawn")
    last, search = code.load(field(code, LAST)), code.fresh("search")
    code.store(last, low)
    code.split(code.op(f"icmp ult i64 {last}, {pool.two}"), drawn, search)
    code.label(drawn)
    code.split(code.op(f"icmp eq i64 {code.load(code.at(pool.one, last))}, %card"), done, search, (2000, 1))
    code.label(search)
    code.store("0", low)
    code.store(pool.two, left)
    code.label(head)
    count = code.load(left)
    code.split(code.op(f"icmp ugt i64 {count}, 1"), half, done)
    code.label(half)
    lower = code.op(f"lshr i64 {count}, 1")
    middle = code.op(f"add i64 {code.load(low)}, {lower}")
    below = code.op(f"icmp slt i64 {code.load(code.at(pool.one, code.op(f'sub i64 {middle}, 1')))}, %card")
    code.store(code.op(f"select i1 {below}, i64 {middle}, i64 {code.load(low)}"), low)
    code.store(code.op(f"sub i64 {count}, {lower}"), left)
    code.go(head)
    code.label(done)
    place = code.load(low)
    there = code.op(f"icmp eq i64 {code.load(code.at(pool.one, place))}, %card")
    code.when(there, lambda: None, lambda: code.end("ret i1 false"))
    fewer = code.op(f"sub i64 {pool.two}, 1")
    close_gap(code, code.at(pool.one, place), code.op(f"sub i64 {fewer}, {place}"))
    code.store(fewer, code.at(where, 1))
    code.end("ret i1 true")


LANES = 8
"""Numbers that are moved at once."""


def close_gap(code: Code, to: str, count: str) -> None:
    """Move so many numbers, those behind a place, one place down. They are few, so that a call would take longer."""
    vector, truths = f"<{LANES} x i64>", f"<{LANES} x i1>"
    steps = f"<{', '.join(f'i64 {lane}' for lane in range(LANES))}>"
    place = code.room()
    code.store("0", place)
    head, lap, on = (code.fresh(stem) for stem in ("head", "lap", "on"))
    code.label(head)
    done = code.load(place)
    left = code.op(f"sub i64 {count}, {done}")
    code.split(code.op(f"icmp sgt i64 {left}, 0"), lap, on)
    code.label(lap)
    one = code.op(f"insertelement {vector} undef, i64 {left}, i64 0")
    all_ = code.op(f"shufflevector {vector} {one}, {vector} undef, <{LANES} x i32> zeroinitializer")
    there = code.op(f"icmp slt {vector} {steps}, {all_}")
    here = code.at(to, done)
    from_ = f"ptr {code.at(here, 1)}, i32 8, {truths} {there}, {vector} undef"
    moved = code.op(f"call {vector} @llvm.masked.load.v{LANES}i64.p0({from_})")
    code.line(f"call void @llvm.masked.store.v{LANES}i64.p0({vector} {moved}, ptr {here}, i32 8, {truths} {there})")
    code.store(code.op(f"add i64 {done}, {LANES}"), place)
    code.go(head)
    code.label(on)


def _settle_here(code: Code) -> None:
    """The same as `settle`, of a pile that lies in place."""
    code.when(code.op("icmp eq i64 %n, 0"), lambda: code.end("ret i1 true"))
    last = code.at("%a", code.op("sub i64 %n, 1"))
    code.when(code.op(f"icmp sgt i64 {code.load(last)}, {UNSEEN}"), lambda: code.end("ret i1 true"))
    code.end(f"ret i1 {code.op(f'call i1 @settle_place(ptr %S, ptr {last}, i64 %card)')}")


def _settle_place(code: Code) -> None:
    """An unseen card becomes this one, where it lies."""
    there = code.op(f"call i1 @leaves_pool(ptr %S, i64 {code.load('%where')}, i64 %card)")
    code.when(there, lambda: None, lambda: code.end("ret i1 false"))
    code.store("%card", "%where")
    code.end("ret i1 true")


def _first_shared(code: Code) -> None:
    """The lowest place whose card must be settled before the pile can be shuffled, -1 if there is none."""
    with code.loop("%n") as (at, next_lap, _):
        card = code.load(code.at("%a", at))
        unseen = code.fresh("unseen")
        code.split(code.op(f"icmp sle i64 {card}, {UNSEEN}"), unseen, next_lap)
        code.label(unseen)
        here = code.op(f"call i64 @times(ptr %a, i64 %n, i64 {card})")
        pool = code.load_row(_pool_at(code, code.op(f"sub i64 {UNSEEN}, {card}")))

        def found(at: str = at) -> None:
            code.end(f"ret i64 {at}")

        # a whole pile over one pool stays as it is
        code.when(code.op(f"icmp eq i64 {here}, %n"), lambda: code.end("ret i64 -1"))
        code.when(code.op(f"icmp slt i64 {here}, {pool.two}"), found)
    code.end("ret i64 -1")


def _unsee(code: Code) -> None:
    """The pile becomes unseen over one pool, unless something must be drawn first: that urn, else nothing."""
    pile = code.load_row("%cell")

    def changed() -> str:
        out = alloc(code, pile.two)
        code.store_row(Val("row", out, pile.two), "%cell")
        return out

    _unseen(code, pile, changed, "sorted")


def _unsee_here(code: Code) -> None:
    """The same, of a pile that lies in place."""
    _unseen(code, Val("row", "%a", "%n"), lambda: "%a", "sorted_long")


def _unseen(code: Code, pile: Val, changed: Callable[[], str], in_order: str) -> None:
    nothing = f"ret {ROW} zeroinitializer"
    code.when(code.op(f"icmp eq i64 {pile.two}, 0"), lambda: code.end(nothing))
    place = code.op(f"call i64 @first_shared(ptr %S, ptr {pile.one}, i64 {pile.two})")

    def shared() -> None:
        card = code.load(code.at(pile.one, place))
        pool = code.load_row(_pool_at(code, code.op(f"sub i64 {UNSEEN}, {card}")))
        code.end(f"ret {ROW} {code.packed(pool)}")

    code.when(code.op(f"icmp sge i64 {place}, 0"), shared)
    first = code.load(pile.one)
    alike = code.op(f"call i64 @times(ptr {pile.one}, i64 {pile.two}, i64 {first})")
    unseen = code.op(f"icmp sle i64 {first}, {UNSEEN}")
    code.when(code.op(f"and i1 {unseen}, {code.op(f'icmp eq i64 {alike}, {pile.two}')}"), lambda: code.end(nothing))
    cards, count = alloc(code, pile.two), code.room()
    code.store("0", count)

    def keep(card: str) -> None:
        filled = code.load(count)
        code.store(card, code.at(cards, filled))
        code.store(code.op(f"add i64 {filled}, 1"), count)

    with code.loop(pile.two) as (at, _, _):
        card = code.load(code.at(pile.one, at))

        def from_pool(card: str = card) -> None:
            where = _pool_at(code, code.op(f"sub i64 {UNSEEN}, {card}"))
            pool = code.load_row(where)
            with code.loop(pool.two) as (inner, _, _):
                keep(code.load(code.at(pool.one, inner)))
            code.store("0", code.at(where, 1))

        code.when(code.op(f"icmp sle i64 {card}, {UNSEEN}"), from_pool, partial(keep, card))
    number = code.room()
    chosen = empty_pool(code, number, lambda at: code.load(code.at(_pool_at(code, at), 1)))
    sorted_ = code.op(f"call {ROW} @{in_order}(ptr %S, ptr {cards}, i64 {pile.two})")
    code.store_row(code.unpacked(sorted_, "row"), _pool_at(code, chosen))
    out = changed()
    token = code.op(f"sub i64 {UNSEEN}, {chosen}")
    with code.loop(pile.two) as (at, _, _):
        code.store(token, code.at(out, at))
    code.end(nothing)


def empty_pool(code: Code, number: str, size: Callable[[str], str]) -> str:
    """The first pool that is empty, or one more, found by way of a room; ``size`` says how many cards a pool has."""
    pools = code.load(field(code, POOLS))
    code.store(pools, number)
    with code.loop(pools) as (at, _, on):
        empty = code.op(f"icmp eq i64 {size(at)}, 0")

        def use(at: str = at, on: str = on) -> None:
            code.store(at, number)
            code.go(on)

        code.when(empty, use)
    chosen = code.load(number)
    code.when(code.op(f"icmp eq i64 {chosen}, {pools}"), lambda: one_more_pool(code, pools))
    return chosen


def one_more_pool(code: Code, pools: str) -> None:
    def too_many() -> None:
        give_up(code, CROWDED)
        code.end(f"ret {ROW} zeroinitializer")

    code.when(code.op(f"icmp eq i64 {pools}, {MOST_POOLS}"), too_many)
    code.store(code.op(f"add i64 {pools}, 1"), field(code, POOLS))


SUPPORT: dict[str, tuple[str, Written]] = {
    "words": ("void @words(ptr %where, i64 %key, i64 %n) alwaysinline", _words),
    "stream": ("void @stream(ptr %stream, i64 %key) alwaysinline", _stream),
    "more_words": ("void @more_words(ptr %stream) noinline", _more_words),
    "has": ("i1 @has(ptr %a, i64 %n, i64 %x)", _has),
    "find": ("i64 @find(ptr %a, i64 %n, i64 %x)", _find),
    "find_last": ("i64 @find_last(ptr %a, i64 %n, i64 %x)", _find_last),
    "times": ("i64 @times(ptr %a, i64 %n, i64 %x)", _times),
    "same": ("i1 @same(ptr %a, i64 %n, ptr %b, i64 %m)", _same),
    "minus": (ROW + " @minus(ptr %S, ptr %a, i64 %n, ptr %b, i64 %m)", _minus),
    "within": (ROW + " @within(ptr %S, ptr %a, i64 %n, i64 %low, i64 %high)", _within),
    "tied": (ROW + " @tied(ptr %S, ptr %a, i64 %n, ptr %b, i64 %m, i64 %best)", _tied),
    "sorted": (ROW + " @sorted(ptr %S, ptr %a, i64 %n)", _sorted),
    "sorted_long": (ROW + " @sorted_long(ptr %S, ptr %a, i64 %n) noinline", _sorted_long),
    "distinct": (ROW + " @distinct(ptr %S, ptr %a, i64 %n)", _distinct),
    "each_once": (ROW + " @each_once(ptr %S, ptr %a, i64 %n)", _each_once),
    "bag_minus": (ROW + " @bag_minus(ptr %S, ptr %a, i64 %n, ptr %b, i64 %m)", _bag_minus),
    "taken_out": (ROW + " @taken_out(ptr %S, ptr %a, i64 %n, i64 %x)", _taken_out),
    "drawn": (ROW + " @drawn(ptr %S, ptr %a, i64 %n, i64 %x)", _drawn),
    "turned": (ROW + " @turned(ptr %S, ptr %a, i64 %n, i64 %x)", _turned),
    "replaced": (ROW + " @replaced(ptr %S, ptr %a, i64 %n, i64 %x, i64 %y)", _replaced),
    "highest": ("i64 @highest(ptr %a, i64 %n)", lambda code: _best(code, True)),
    "lowest": ("i64 @lowest(ptr %a, i64 %n)", lambda code: _best(code, False)),
    "span": (ROW + " @span(ptr %S, i64 %low, i64 %high)", _span),
    "joined": (ROW + " @joined(ptr %S, ptr %a, i64 %n, ptr %b, i64 %m)", lambda code: _joined(code, 8)),
    "joined_rows": (ROW + " @joined_rows(ptr %S, ptr %a, i64 %n, ptr %b, i64 %m)", lambda code: _joined(code, 16)),
    "bags": (ROW + " @bags(ptr %S, ptr %a, i64 %n, i64 %k)", _bags),
    "linked": (ROW + " @linked(ptr %S, ptr %a, i64 %n, ptr %b, i64 %m, ptr %near, i64 %k)", _linked),
    "unseen_top": (ROW + " @unseen_top(ptr %S, ptr %a, i64 %n)", _unseen_top),
    "settle": ("i1 @settle(ptr %S, ptr %cell, i64 %card)", _settle),
    "settle_at": ("i1 @settle_at(ptr %S, ptr %cell, i64 %place, i64 %card)", _settle_at),
    "leaves_pool": ("i1 @leaves_pool(ptr %S, i64 %unseen, i64 %card)", _leaves_pool),
    "settle_here": ("i1 @settle_here(ptr %S, ptr %a, i64 %n, i64 %card)", _settle_here),
    "settle_place": ("i1 @settle_place(ptr %S, ptr %where, i64 %card)", _settle_place),
    "unsee_here": (ROW + " @unsee_here(ptr %S, ptr %a, i64 %n)", _unsee_here),
    "first_shared": ("i64 @first_shared(ptr %S, ptr %a, i64 %n)", _first_shared),
    "unsee": (ROW + " @unsee(ptr %S, ptr %cell)", _unsee),
}


def support(*, quick: bool, others: Mapping[str, tuple[str, Written]] | None = None) -> str:
    """The text of everything that printed functions call; ``quick``: for a processor that has BMI2. ``others``: what is
    written in place of some functions, or besides."""
    each = {**SUPPORT, **(others or {})}
    written = [function(f"define internal {header}", write) for header, write in each.values()]
    for word in (64, 128, 256, 512):
        header = f"define internal i64 @counted{word}(i{word} %set) alwaysinline"
        written.append(function(header, partial(_counted, word=word)))
        if word > 64:
            header = f"define internal i64 @kth{word}(i{word} %set, i64 %k)"
            written.append(function(header, partial(kth, word=word)))
    return "\n".join([HEAD, ALLOC, CHANCE, QUICK if quick else SLOW, *written])
