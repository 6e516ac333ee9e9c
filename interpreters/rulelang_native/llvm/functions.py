"""Functions, listings and plain procedures as LLVM functions.

A function that can fail leaves a mark in the state (`FAILED`) and gives anything; whoever calls it looks. A listing
puts its answers one after the other: the move, then two words for each parameter (a number and nothing, or where a row
lies and how long it is).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.program import Function, Procedure
from rulelang_native.llvm.abreast import Abreast
from rulelang_native.llvm.code import ROW, Val, number
from rulelang_native.llvm.kinds import at_once
from rulelang_native.llvm.listings import INNER, Level, Ranged, levels
from rulelang_native.llvm.planes import numbers
from rulelang_native.llvm.shaping import ROWS, Kind
from rulelang_native.llvm.statements import Statements
from rulelang_native.llvm.values import LAID, Home
from rulelang_native.llvm.walking import parts
from rulelang_native.llvm.ways import Ways, told
from rulelang_native.llvm.words import Word

TYPES: dict[Kind, str] = {"number": "i64", "truth": "i64", "division": "ptr", **dict.fromkeys(ROWS, ROW)}
ANYTHING: dict[str, str] = {"i64": "i64 0", "ptr": "ptr null", ROW: f"{ROW} zeroinitializer"}
"""What is given where nobody will look at it."""
INLINE = 40
"""Plain procedures and functions of so few statements are written out where they are called."""


def parameters(home: Home, kinds: list[Kind]) -> list[str]:
    """How parameters are declared: a row is two."""
    text = []
    for place, kind in enumerate(kinds):
        text += [f"ptr %p{place}", f"i64 %l{place}"] if kind in ROWS else [f"{TYPES[kind]} %p{place}"]
    return text


class FunctionWriter(Statements):
    """A function that gives a value."""

    def __init__(self, home: Home, function: Function, kinds: dict[str, Kind], given: list[Kind], result: Kind) -> None:
        inline = "alwaysinline" if _size(function.body) <= INLINE or home.apart else ""
        names = home.shared + (home.of_frame(function.frame) if function.frame is not None else [])
        self.span = home.somes.get(function.name)
        """The numbers of which it gives some as bits."""
        self.ending = home.endings.get(function.name)
        """What it gathers, if it writes down how a game ends."""
        self.writes_down = function.name in home.endings
        out = ["ptr %out"] if self.writes_down else []
        header = ", ".join(["ptr %S", *[f"ptr {name}" for name in names], *parameters(home, given), *out])
        self.gives = "i64" if self.writes_down or self.span is not None else TYPES[result]
        super().__init__(
            f"define internal {self.gives} @{function.name}({header}) {inline}", home, function.frame, kinds
        )
        self.result_kind = result
        for place, (name, kind) in enumerate(zip(function.parameters, given, strict=True)):
            where = self.variable(name)
            if kind in ROWS:
                self.line(f"store ptr %p{place}, ptr {where[0]}")
                self.store(f"%l{place}", self.at(where[0], 1))
            else:
                self.put(Val("number" if kind == "truth" else kind, f"%p{place}"), where[0])
        self.whole = function.body
        self.learn(function.body)
        if self.ending is not None:
            self.somes.write_down(self.ending, function.body)
            self.ask_before(function.body)
        self.statements(function.body)

    def ask_before(self, body: tuple[st.Statement, ...]) -> None:
        """Functions of nothing that a body asks in several places are asked once: it changes nothing."""
        asked = Counter(part for part in parts(body) if isinstance(part, flat.Result) and not part.arguments)
        for each, times in asked.items():
            if times > 1 and each.function in self.home.somes and not self.home.can_fail(each.function):
                place = self.room()
                self.store(self.called_for_bits(each), place)
                self.ready[each] = place

    def give(self, s: st.Give) -> None:
        assert s.value is not None
        if self.ending is not None:
            self.end(f"ret i64 {self.ending[1][1]}")
            return
        if self.writes_down:
            self.end(f"ret i64 {self.write_down(s.value)}")
            return
        if self.span is not None:
            self.end(f"ret i64 {self.somes.bits(s.value, self.span)}")
            return
        value = self.value(s.value)
        if self.result_kind in ROWS:
            self.end(f"ret {ROW} {self.packed(value)}")
        elif self.result_kind == "division":
            self.end(f"ret ptr {value.one}")
        else:
            self.end(f"ret i64 {self.as_number(value)}")

    def write_down(self, row: Flat) -> str:
        """Numbers that are named are written down where they are wanted: how many there are."""
        if isinstance(row, flat.Either):
            count, either = self.room(), row
            self.when(
                self.t(either.truth),
                lambda: self.store(self.write_down(either.then), count),
                lambda: self.store(self.write_down(either.otherwise), count),
            )
            return self.load(count)
        assert isinstance(row, Known | flat.Items)
        if isinstance(row, Known):
            each = [str(number) for number in numbers(row.value)]
        else:
            each = [self.n(item) for item in row.items]
        for place, number_ in enumerate(each):
            self.store(number_, self.at("%out", place))
        return str(len(each))

    def leave(self) -> None:
        self.end(f"ret {ANYTHING[self.gives]}")


class ListingWriter(Statements):
    """A listing: it is given how many answers there are, and gives how many there are then; no more than wanted."""

    def __init__(self, home: Home, function: Function, kinds: dict[str, Kind], stride: int) -> None:
        inline = "alwaysinline" if home.apart else ""
        super().__init__(
            f"define internal i64 @{function.name}(ptr %S{home.shares}, i64 %me, ptr %out, i64 %before, i64 %stop)"
            f" {inline}",
            home,
            None,
            kinds,
        )
        self.stride = stride
        self.count = self.room()
        self.store("%before", self.count)
        self.store("%me", self.variable("me")[0])
        self.whole = function.body
        self.learn(function.body)
        self.statements(function.body)
        if not self.ended:
            self.leave()

    def give(self, s: st.Give) -> None:
        self.leave()

    def leave(self) -> None:
        self.end(f"ret i64 {self.load(self.count)}")

    def offer(self, s: st.Offer) -> None:
        self.lay_down(s.move, [self.piling.own(each) for each in s.values])

    def offers_abreast(self, s: st.Each, all_: Abreast) -> bool:
        """One place after the other, and for each what it offered in the order in which it did."""
        offers = [part for part in parts(s.body) if isinstance(part, st.Offer)]
        found = told(all_)
        if len(offers) != 1 or not found or all_.failed != 0:
            return False
        move = offers[0].move
        words, word = all_.words, all_.words.kind
        left, place, number_ = self.room(word), self.room(), self.room()
        some: Word = 0
        for where, _ in found:
            some = words.any(some, where)
        self.line(f"store {word} {words.text(some)}, ptr {left}, align 8")
        with self.bits_of(left, words.bits, place):
            first = self.load(place)
            if found[0][1] is None:
                self.lay_down(move, [Val("number", first)])
                return True
            ways = Ways(words.bits, tuple(known for _, known in found if known is not None), all_.places)
            here = "0"
            for way, (where, _) in enumerate(found):
                bit = self.op(f"zext i1 {self.bit(words.text(where), first, words.bits)} to i64")
                here = self.op(f"or i64 {here}, {self.op(f'shl i64 {bit}, {way}')}")
            inner = self.room()
            self.store(here, inner)
            with self.bits_of(inner, 64, number_):
                second = ways.second(self, self.home.constants, first, self.load(number_))
                self.lay_down(move, [Val("number", first), Val("number", second)])
        return True

    @contextmanager
    def bits_of(self, left: str, bits: int, place: str) -> Iterator[None]:
        """What is done for each bit of a word in memory, in order; which one it is lies in memory, too."""
        word = f"i{bits}"
        head, lap, on = (self.fresh(stem) for stem in ("head", "lap", "on"))
        self.label(head)
        now = self.op(f"load {word}, ptr {left}, align 8")
        self.split(self.op(f"icmp ne {word} {now}, 0"), lap, on)
        self.label(lap)
        rest = self.op(f"and {word} {now}, {self.op(f'sub {word} {now}, 1')}")
        self.line(f"store {word} {rest}, ptr {left}, align 8")
        least = self.op(f"call {word} @llvm.cttz.{word}({word} {now}, i1 true)")
        self.store(least if bits == 64 else self.op(f"trunc {word} {least} to i64"), place)
        yield
        self.go(head)
        self.label(on)

    def lay_down(self, move: int, values: list[Val]) -> None:
        """One more answer."""
        filled = self.load(self.count)
        where = self.at("%out", self.op(f"mul nuw nsw i64 {filled}, {self.stride}"))
        self.store(str(move), where)
        for place, value in enumerate(values):
            spot = self.at(where, 1 + 2 * place)
            if value.kind == "row":
                self.store_row(value, spot)
            else:
                self.store(self.as_number(value), spot)
        after = self.op(f"add nuw nsw i64 {filled}, 1")
        self.store(after, self.count)
        enough, on = self.fresh("enough"), self.fresh("on")
        self.split(self.op(f"icmp sge i64 {after}, %stop"), enough, on)
        self.label(enough)
        self.leave()
        self.label(on)


class SetWriter(Statements):
    """A listing as the set of its answers: it gives a word of bits. An answer is the value of the only parameter, or if
    there are several, or values of a bag, its number (`listings.py`)."""

    def __init__(
        self, home: Home, function: Function, kinds: dict[str, Kind], bits: int, ranged: Ranged | None = None
    ) -> None:
        header = f"define internal i{bits} @set{function.name[4:]}(ptr %S{home.shares}, i64 %me)"
        super().__init__(f"{header} {'alwaysinline' if home.apart else ''}", home, None, kinds)
        self.name = function.name
        self.bits = bits
        self.ranged = ranged
        self.levels = levels(function, ranged) if ranged is not None and 1 < ranged.places(True) <= INNER else None
        """The loops through the values, where those of one do not depend on those of another."""
        self.alone = levels(function, ranged) if ranged is not None and len(ranged.loops) == 1 else None
        """The loop through the values of the only parameter."""
        self.found: dict[str, tuple[str, int, int]] = {}
        """Where the values of such a loop are put down as bits, the least one, and how many bits there are for each."""
        self.set_place = self.room(f"i{bits}")
        self.line(f"store i{bits} 0, ptr {self.set_place}, align 8")
        self.store("%me", self.variable("me")[0])
        self.whole = function.body
        self.learn(function.body)
        if self.levels is not None:
            self.tables.clear()  # everything is worked out once
        self.statements(function.body)
        if not self.ended:
            self.leave()

    def give(self, s: st.Give) -> None:
        self.leave()

    def leave(self) -> None:
        self.end(f"ret i{self.bits} {self.op(f'load i{self.bits}, ptr {self.set_place}, align 8')}")

    def told(self, kinds: str, others: str, values: dict[int, str]) -> bool:
        """Whether all answers are told by these: kinds of a bag; what there is for each; and if one more parameter has
        other values for some of them, the kinds for each value."""
        return False

    def offer(self, s: st.Offer) -> None:
        if self.ranged is None:
            self.offer_all(self.one_bit(self.n(s.values[0]), self.bits) if s.values else "1")
        elif len(s.values) == len(self.ranged.loops):
            self.offer_all(self.one_bit(self.place(s.values), self.bits))
        elif s.values == (flat.Name(self.ranged.loops[0]),):
            self.offer_together()
        else:
            (name,) = s.values
            assert isinstance(name, flat.Name)
            place, low, width = self.found[name.name]
            shift = self.op(f"mul i64 {self.op(f'sub i64 {self.n(name)}, {low}')}, {width}")
            self.store(self.op(f"or i64 {self.load(place)}, {self.one_bit(shift, 64)}"), place)

    def place(self, values: tuple[Flat, ...]) -> str:
        """The number of an answer, by its values."""
        assert self.ranged is not None
        found = ""
        for value, low, count in zip(values, self.ranged.lows, self.ranged.counts, strict=False):
            own = self.op(f"sub i64 {self.n(value)}, {low}")
            found = self.op(f"add i64 {self.op(f'mul i64 {found}, {count}')}, {own}") if found else own
        return found

    def each(self, s: st.Each) -> None:
        if self.alone is not None and s is self.alone[0].loop:
            assert self.ranged is not None
            loop = super().each
            if not at_once(self, self.alone, self.ranged, lambda: loop(s)):
                loop(s)
            return
        if self.levels is None or s is not self.levels[0].loop:
            super().each(s)
            return
        assert self.ranged is not None
        first = self.levels[0]
        width = self.ranged.places(True)
        for level, low, count in zip(self.levels[1:], self.ranged.lows[1:], self.ranged.counts[1:], strict=True):
            width //= count
            self.found[level.loop.name] = (self.room(), low, width)
            if level.free:
                self.go_through(level)
        if not at_once(self, self.levels, self.ranged, lambda: self.go_through(first)):
            self.go_through(first)

    def go_through(self, level: Level) -> None:
        """See which values of one loop there are."""
        if level.loop.name in self.found:
            self.store("0", self.found[level.loop.name][0])
        name = level.loop.name
        super().each(st.Each(name, level.loop.row, (*level.before, st.Offer(0, (flat.Name(name),)))))

    def offer_together(self) -> None:
        """All answers for a value of the first parameter."""
        assert self.levels is not None and self.ranged is not None
        some, on = self.fresh("some"), self.fresh("on")
        for level in sorted(self.levels[1:], key=lambda level: not level.free):
            if not level.free:
                self.go_through(level)
            there = self.op(f"icmp ne i64 {self.load(self.found[level.loop.name][0])}, 0")
            self.split(there, some, on)
            self.label(some)
            some = self.fresh("some")
        found = "1"
        for level in self.levels[1:]:
            found = self.op(f"mul i64 {found}, {self.load(self.found[level.loop.name][0])}")
        word, first = f"i{self.bits}", self.n(flat.Name(self.ranged.loops[0]))
        first = self.op(f"sub i64 {first}, {self.ranged.lows[0]}")
        shift = self.op(f"mul i64 {first}, {self.ranged.places(True)}")
        if self.bits > 64:
            shift = self.op(f"zext i64 {shift} to {word}")
        self.offer_all(self.op(f"shl {word} {self.as_wide(found, 64, word)}, {shift}"))
        self.label(on)

    def offer_all(self, some: str) -> None:
        """Answers with these values."""
        before = self.op(f"load i{self.bits}, ptr {self.set_place}, align 8")
        self.line(f"store i{self.bits} {self.op(f'or i{self.bits} {before}, {some}')}, ptr {self.set_place}, align 8")

    def offers_abreast(self, s: st.Each, all_: Abreast) -> bool:
        found = told(all_)
        if self.ranged is not None or found is None or any(known is not None for _, known in found):
            return False
        words, word = all_.words, 0 if not found else found[0][0]
        if words.bits > self.bits:
            word = self.op(f"trunc {words.kind} {words.text(word)} to i{self.bits}")
        else:
            word = self.as_wide(words.text(word), words.bits, f"i{self.bits}")
        self.offer_all(word)
        return True

    def offers_places(self, s: st.Each, then: tuple[st.Statement, ...], places: str, bits: int) -> bool:
        match then:
            case (st.Offer(values=(flat.Name(name=name),)),) if (
                name == s.name and bits <= self.bits and self.ranged is None
            ):
                self.offer_all(self.as_wide(places, bits, f"i{self.bits}"))
                return True
            case _:
                return False


class HastySetWriter(SetWriter):
    """The same, with all bits set where it is not known yet what bags are worth: nothing is worked out."""

    hasty = True

    def __init__(self, home: Home, function: Function, kinds: dict[str, Kind], bits: int) -> None:
        super().__init__(home, function, kinds, bits)
        self.header = self.header.replace("@set", "@hasty", 1)

    def unsure(self) -> None:
        self.end(f"ret i{self.bits} -1")


class FactorWriter(SetWriter):
    """The same of a listing through the kinds of a bag, as two factors: kinds, and what there is for each of them, as
    numbers below `Ranged.places`. It is said, too, whether these are all answers; not where it is not known at once."""

    hasty = True
    GIVES = "{ i64, i64, i1 }"

    def __init__(self, home: Home, function: Function, kinds: dict[str, Kind], bits: int, ranged: Ranged) -> None:
        self.suits = False
        """Whether there is such a function."""
        super().__init__(home, function, kinds, bits, ranged)
        inline = "alwaysinline" if home.apart else ""
        self.header = f"define internal {self.GIVES} @factors{function.name[4:]}(ptr %S{home.shares}, i64 %me) {inline}"

    def leave(self) -> None:
        self.end(f"ret {self.GIVES} zeroinitializer")

    def unsure(self) -> None:
        self.leave()

    def told(self, kinds: str, others: str, values: dict[int, str]) -> bool:
        assert self.ranged is not None and self.levels is not None
        alone = "true"
        if values:
            changing = next(level for level in self.levels[1:] if not level.free)
            _, low, width = self.found[changing.loop.name]
            (first, holds), *more = values.items()
            for _, other in more:
                none = self.op(f"icmp eq i64 {self.op(f'and i64 {kinds}, {other}')}, 0")
                alone = self.op(f"and i1 {alone}, {none}")
            kinds = self.op(f"and i64 {kinds}, {holds}")
            others = self.op(f"shl i64 {others}, {(first - low) * width}")
        found = "poison"
        for place, (kind, value) in enumerate((("i64", kinds), ("i64", others), ("i1", alone))):
            found = self.op(f"insertvalue {self.GIVES} {found}, {kind} {value}, {place}")
        self.end(f"ret {self.GIVES} {found}")
        self.suits = True
        return True

    def go_through(self, level: Level) -> None:
        if level.loop.name in self.found:
            super().go_through(level)
        else:
            self.leave()


class PlainWriter(Statements):
    """A procedure that never waits: its locals are variables."""

    def __init__(self, home: Home, procedure: Procedure, kinds: dict[int, dict[str, Kind]], *, metered: bool) -> None:
        self.metered = metered
        given = [home.local_kind(procedure.number, place) for place in range(procedure.parameters)]
        size = sum(_size(block.body) for block in procedure.blocks)
        header = ", ".join([f"ptr %S{home.shares}", *parameters(home, given)])
        inline = "alwaysinline" if size <= INLINE or home.apart else ""
        super().__init__(f"define internal void @q{procedure.number}({header}) {inline}", home, procedure.number, {})
        self.plain_locals = {}
        for place in range(procedure.locals):
            kind = home.local_kind(procedure.number, place)
            where = (self.room(LAID[kind]), kind)
            self.plain_locals[place] = where
            if place < procedure.parameters:
                if kind in ROWS:
                    self.line(f"store ptr %p{place}, ptr {where[0]}")
                    self.store(f"%l{place}", self.at(where[0], 1))
                else:
                    self.keep(where, Val("number", f"%p{place}"))
            elif kind in ROWS:
                self.line(f"store [2 x i64] zeroinitializer, ptr {where[0]}")
            else:
                self.keep(where, number(0))
        self.go(f"at{procedure.entry}")
        for block in procedure.blocks:
            self.label(f"at{block.node}")
            self.prefix, self.kinds, self.whole = f"{block.node}:", kinds[block.node], block.body
            self.learn(block.body)
            self.statements(block.body)

    def leave(self) -> None:
        self.end("ret void")

    def statements(self, statements: Iterable[st.Statement]) -> None:
        for statement in statements:
            if self.ended:
                return
            match statement:
                case st.Goto():
                    self.go(f"at{statement.node}")
                case st.Close():
                    self.leave()
                case _:
                    super().statements((statement,))


def _size(body: tuple[st.Statement, ...]) -> int:
    """How many statements there are, those inside counted."""
    count = 0
    for each in body:
        count += 1
        match each:
            case st.If():
                count += _size(each.then) + _size(each.otherwise)
            case st.Each():
                count += _size(each.body)
    return count
