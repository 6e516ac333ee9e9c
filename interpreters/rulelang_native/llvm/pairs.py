"""Listings of pairs of places: a move from somewhere to somewhere else, whose answers are told by a few words of bits.

A listing of a move with two parameters is carried out for all values of the first at once (`abreast.py`). What comes of
it is a word for every way to get from the first value to the second one (`Way`): how far it is, or what a known table
says. Each has a bit for every first value from which that is an answer. Ways are in the order in which the listing
goes through the second values, so that the answers of a first value are in their order, too.

How many answers there are for each first value is counted for all of them at once, in words that are the digits of
those numbers; the first value of the k-th answer is found by halves.
"""

from __future__ import annotations

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.program import Function
from rulelang_native.llvm.abreast import Abreast
from rulelang_native.llvm.code import Code, Val
from rulelang_native.llvm.laps import STATEMENTS
from rulelang_native.llvm.listings import around
from rulelang_native.llvm.shaping import Kind
from rulelang_native.llvm.statements import Statements
from rulelang_native.llvm.support import function
from rulelang_native.llvm.values import Constants, Home
from rulelang_native.llvm.walking import parts
from rulelang_native.llvm.ways import Ways, told
from rulelang_native.llvm.words import NotAbreast, Word

CHUNK = 64
"""Bits of which the k-th is looked for."""


def of_two(function: Function) -> st.Each | None:
    """The loop through the first values, if a listing goes through two values and does nothing else."""
    offers = [part for part in parts(function) if isinstance(part, st.Offer)]
    if len(offers) != 1 or not function.body:
        return None
    loops = list(around(function.body, offers[0]))
    if len(loops) != 2 or function.body[-1] is not loops[0]:
        return None
    if offers[0].values != tuple(flat.Name(loop.name) for loop in loops):
        return None
    given = [part.name for part in parts(function) if isinstance(part, st.Set | st.Each)]
    if any(given.count(loop.name) > 1 for loop in loops):
        return None
    inside = [part for part in parts(loops[0].body) if isinstance(part, st.Statement)]
    return loops[0] if all(isinstance(part, STATEMENTS) for part in inside) else None


class PairWriter(Statements):
    """A listing of pairs: it lays down its words, and gives how many answers there are. Raises NotAbreast for one that
    cannot be told so."""

    def __init__(self, home: Home, function: Function, kinds: dict[str, Kind]) -> None:
        header = f"define internal i64 @pairs{function.name[4:]}(ptr %S{home.shares}, i64 %me, ptr %out)"
        super().__init__(f"{header} {'alwaysinline' if home.apart else ''}", home, None, kinds)
        loop = of_two(function)
        if loop is None:
            raise NotAbreast
        self.outer: st.Each = loop
        self.ways: Ways | None = None
        self.store("%me", self.variable("me")[0])
        self.whole = function.body
        self.learn(function.body)
        self.statements(function.body)

    def give(self, s: st.Give) -> None:
        self.leave()

    def leave(self) -> None:
        """There are none."""
        self.end("ret i64 0")

    def each(self, s: st.Each) -> None:
        if s is not self.outer:
            super().each(s)
            return
        all_ = Abreast(self, self.whole, s)
        all_.run()
        if all_.flags:
            raise NotAbreast
        words, bits = all_.words, all_.words.bits
        found = [(word, known) for word, known in told(all_) or () if known is not None]
        if not found:
            raise NotAbreast
        self.ways = Ways(bits, tuple(known for _, known in found), all_.places)
        self.end_abreast(all_)
        digits: list[Word] = [0] * self.ways.digits
        for word, _ in found:  # one more for each, where there is one
            for place, digit in enumerate(digits):
                digits[place], word = words.odd(digit, word), words.both(digit, word)
        for place, word in enumerate([*[word for word, _ in found], *digits]):
            where_ = self.at("%out", place * bits // 8, 1)
            self.line(f"store {words.kind} {words.text(word)}, ptr {where_}, align 8")
        total = "0"
        for place, word in enumerate(digits):
            count = self.op(f"call i64 @counted{bits}({words.kind} {words.text(word)})")
            total = self.op(f"add i64 {total}, {self.op(f'shl i64 {count}, {place}')}")
        self.end(f"ret i64 {total}")


def picked(number: int, ways: Ways, constants: Constants, *, inline: bool) -> str:
    """The function that gives the k-th answer: both values in one number."""

    def write(code: Code) -> None:
        count = len(ways.ways)
        left, chunk = "%k", "0"
        base = code.at("%out", count * ways.bits // 8, 1)
        digits = _digits(code, base, ways, "0")
        for part in range(1, ways.bits // CHUNK):  # the chunk of the first value, one after the other
            before = _answers(code, digits)
            later = code.op(f"icmp uge i64 {left}, {before}")
            inside = code.op(f"and i1 {later}, {code.op(f'icmp eq i64 {chunk}, {part - 1}')}")
            left = code.op(f"select i1 {inside}, i64 {code.op(f'sub i64 {left}, {before}')}, i64 {left}")
            chunk = code.op(f"select i1 {inside}, i64 {part}, i64 {chunk}")
            digits = _digits(code, base, ways, chunk)
        place, half = "0", CHUNK // 2
        while half:  # the first value, by halves
            low = code.op(f"shl i64 {(1 << half) - 1}, {place}")
            before = _answers(code, [code.op(f"and i64 {digit}, {low}") for digit in digits])
            later = code.op(f"icmp uge i64 {left}, {before}")
            left = code.op(f"select i1 {later}, i64 {code.op(f'sub i64 {left}, {before}')}, i64 {left}")
            place = code.op(f"select i1 {later}, i64 {code.op(f'add i64 {place}, {half}')}, i64 {place}")
            half //= 2
        ways_here = "0"
        for way in range(count):
            word = _chunk(code, code.at("%out", way * ways.bits // 8, 1), ways, chunk)
            bit = code.op(f"and i64 {code.op(f'lshr i64 {word}, {place}')}, 1")
            ways_here = code.op(f"or i64 {ways_here}, {code.op(f'shl i64 {bit}, {way}')}")
        way_ = code.op(f"call i64 @kth64(i64 {ways_here}, i64 {left})")
        first = code.op(f"add i64 {code.op(f'shl i64 {chunk}, 6')}, {place}")
        second = ways.second(code, constants, first, way_)
        high = code.op(f"shl i64 {second}, 16")
        code.end(f"ret i64 {code.op(f'or i64 {high}, {first}')}")

    header = f"define internal i64 @picked{number}(ptr %out, i64 %k)"
    return function(f"{header} {'alwaysinline' if inline else ''}", write)


def values_of(code: Code, answer: str) -> list[Val]:
    """Both values of an answer."""
    first = code.op(f"and i64 {answer}, 65535")
    return [Val("number", first), Val("number", code.op(f"lshr i64 {answer}, 16"))]


def _chunk(code: Code, where: str, ways: Ways, chunk: str) -> str:
    """64 bits of a word in memory, which begins with the lowest ones."""
    return code.load(where if ways.bits == CHUNK else code.at(where, chunk))


def _digits(code: Code, base: str, ways: Ways, chunk: str) -> list[str]:
    places = range(ways.digits)
    return [_chunk(code, code.at(base, place * ways.bits // 8, 1), ways, chunk) for place in places]


def _answers(code: Code, digits: list[str]) -> str:
    """How many answers digits tell."""
    total = ""
    for place, digit in enumerate(digits):
        count = code.op(f"call i64 @llvm.ctpop.i64(i64 {digit})")
        more = code.op(f"shl i64 {count}, {place}") if place else count
        total = code.op(f"add i64 {total}, {more}") if total else more
    return total
