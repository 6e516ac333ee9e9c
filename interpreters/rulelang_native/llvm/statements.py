"""Statements of the flat form as LLVM text: those of functions, and the effects of procedures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from rulelang import limits
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.llvm.abreast import Abreast
from rulelang_native.llvm.code import Val, number
from rulelang_native.llvm.laps import suits
from rulelang_native.llvm.piles import CHANGING
from rulelang_native.llvm.planes import (
    Guarded,
    Masks,
    guarded,
    lines,
    looks_for,
    numbers,
    shifted_groups,
    signed,
    slots_of,
    word_for,
)
from rulelang_native.llvm.shaping import ROWS
from rulelang_native.llvm.somes import going, in_steps, some_of
from rulelang_native.llvm.support import GAVE_UP, TOP, alloc, copy, field, give_up
from rulelang_native.llvm.values import Writer
from rulelang_native.llvm.walking import parts
from rulelang_native.llvm.words import NotAbreast, Word
from rulelang_native.lowering.failing import NotLowered

MOST_TO_LOOK_FOR = 8
"""So many places are not looked for one by one in a row that lies there: it is made a word once."""
FIRST_ROOM = 8
"""Elements that a gathered row has room for at first; it doubles when it is full."""


class Statements(Writer):
    """Writes statements."""

    metered = False
    offers = ""
    """Where a listing puts its answers; their stride is that of the whole program."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.loops: list[tuple[str, str]] = []
        """Of every loop around: the label of its next lap, and that behind it."""

    def statements(self, statements: Iterable[st.Statement]) -> None:
        """One after the other, as far as anything can come there."""
        for statement in statements:
            if self.ended:
                return
            write = STATEMENTS.get(type(statement))
            if write is None:
                raise NotLowered(f"{type(statement).__name__} has no form in LLVM")
            write(self, statement)

    # -------------------------------------------------------------- control

    def set(self, s: st.Set) -> None:
        name = self.prefix + s.name
        if self.decking.set(s):
            return
        if name in self.somes.telling:
            return
        if name in self.somes.names:
            self.store(self.somes.bits(s.value, self.somes.names[name]), self.variable(s.name)[0])
        elif name in self.singles.names:
            self.store(self.singles.number(s.value), self.variable(s.name)[0])
        elif (size := self.linking.names.get(name)) is not None:
            bits = word_for(size)
            self.line(f"store i{bits} {self.linking.word(s.value, bits)}, ptr {self.variable(s.name)[0]}, align 8")
        elif name in self.bagging.names:
            self.store(self.bagging.word(s.value, self.bagging.names[name]), self.variable(s.name)[0])
        elif name in self.worths:
            self.store(self.worth(s.value), self.variable(s.name)[0])
        elif name in self.checked:
            self.keep(self.variable(s.name), self.inside(s.value))
        else:
            value = self.value(s.value)
            if name in self.piling.copied and value.kind == "row":
                value = self.piling.copy(value)
            self.keep(self.variable(s.name), value)

    def inside(self, e: Flat) -> Val:
        """A number that perhaps lies outside 64 bits: the step is given up then. What it is made of lies inside."""
        match e:
            case flat.Math(operator="+" | "-" | "*"):
                word = {"+": "sadd", "-": "ssub", "*": "smul"}[e.operator]
                given = f"i64 {self.n(e.left)}, i64 {self.n(e.right)}"
                both = self.op(f"call {{ i64, i1 }} @llvm.{word}.with.overflow.i64({given})")
                self.given_up(self.op(f"extractvalue {{ i64, i1 }} {both}, 1"))
                return Val("number", self.op(f"extractvalue {{ i64, i1 }} {both}, 0"))
            case flat.Math(operator="//"):  # one number alone can leave: the least, turned round
                least = self.op(f"icmp eq i64 {self.n(e.left)}, {limits.INTEGER_MIN}")
                turned = self.op(f"icmp eq i64 {self.n(e.right)}, -1")
                self.given_up(self.op(f"and i1 {least}, {turned}"))
                return self.value(e)
            case flat.Either():
                place = self.room()

                def keep(part: Flat) -> None:
                    self.store(self.as_number(self.inside(part)), place)

                self.when(self.t(e.truth), lambda: keep(e.then), lambda: keep(e.otherwise))
                return Val("number", self.load(place))
            case _:
                return self.value(e)

    def given_up(self, truth: str) -> None:
        """Give the step up if something holds."""
        up, on = self.fresh("up"), self.fresh("on")
        self.split(truth, up, on, (1, 2000))
        self.label(up)
        give_up(self, GAVE_UP)
        self.leave()
        self.label(on)

    def if_(self, s: st.If) -> None:
        truth = self.t(s.truth)
        otherwise = (lambda: self.statements(s.otherwise)) if s.otherwise else None
        self.when(truth, lambda: self.statements(s.then), otherwise)

    def each(self, s: st.Each) -> None:
        if self.home.planes and (self.by_lines(s) or self.abreast(s)):
            return
        if self.by_planes(s):
            return
        if self.by_set(s):
            return
        if self.bagging.each(s) or self.singles.each(s) or self.somes.each(s):
            return
        element = self.variable(s.name)
        turn: tuple[str, Callable[[str], str]] | None = None
        match s.row:
            case flat.Span() | Known() if (steps := going(s.row)) is not None:
                row, count = number(steps[0]), str(steps[1])
            case flat.Span():
                low, high = self.n(s.row.low), self.n(s.row.high)
                more = self.op(f"add i64 {self.op(f'sub i64 {high}, {low}')}, 1")
                count = self.op(f"call i64 @llvm.smax.i64(i64 {more}, i64 0)")
                row = Val("number", low)  # goes up by one each time
            case flat.Turned() | flat.Joined() if (turn := self.in_turn(s.row)) is not None:
                row, count = number(0), turn[0]
            case _:
                changes = any(isinstance(part, CHANGING) for part in parts(s.body))
                row = self.piling.own(s.row) if changes else self.value(s.row)
                count = row.two
        frees = not _keeps_rows(s.body)
        top = self.op(f"load ptr, ptr {field(self, TOP)}") if frees else ""
        with self.loop(count) as (at, next_lap, on):
            if frees:  # what the lap before made is needed no more
                self.line(f"store ptr {top}, ptr {field(self, TOP)}")
            if turn is not None:
                self.keep(element, Val("number", turn[1](at)))
            elif row.kind == "number":
                self.keep(element, Val("number", self.op(f"add i64 {row.one}, {at}")))
            else:
                self.keep(element, self.element(row, at))
            self.in_loop(next_lap, on, s.body)

    def in_loop(self, next_lap: str, on: str, body: tuple[st.Statement, ...]) -> None:
        self.loops.append((next_lap, on))
        self.statements(body)
        self.loops.pop()

    def in_turn(self, row: Flat) -> tuple[str, Callable[[str], str]] | None:
        """The numbers from 0 to some number, turned so that one of them comes first or last, without making a row: how
        many there are, and what gives each; None if it is another row."""
        match row:
            case flat.Turned(row=Known(value=tuple() as known), start=start):
                last = 0
            case flat.Joined(
                left=flat.Minus(
                    left=flat.Turned(row=Known(value=tuple() as known), start=start), right=flat.Items(items=(moved,))
                ),
                right=flat.Items(items=(other,)),
            ) if start == moved == other:
                last = 1
            case _:
                return None
        size = len(known)
        if not size or known != tuple(range(size)):
            return None
        first = self.n(start)
        inside = self.op(f"icmp ult i64 {first}, {size}")
        begins = self.op(f"add i64 {first}, {last}")

        def each(at: str) -> str:
            place = self.op(f"add i64 {begins}, {at}")
            around = self.op(f"sub i64 {place}, {size}")
            turned = self.op(f"select i1 {self.op(f'icmp ult i64 {place}, {size}')}, i64 {place}, i64 {around}")
            # one that is not among them comes behind all, where it is to come last
            plain = self.op(f"select i1 {self.op(f'icmp ult i64 {at}, {size}')}, i64 {at}, i64 {first}")
            return self.op(f"select i1 {inside}, i64 {turned}, i64 {plain}")

        return self.op(f"select i1 {inside}, i64 {size}, i64 {size + last}"), each

    def by_lines(self, s: st.Each) -> bool:
        """A search for a line, all at once; False if it is none."""
        if not isinstance(s.row, Known) or not isinstance(s.row.value, tuple) or (found := lines(s)) is None:
            return False
        groups = shifted_groups(s.row.value)
        if groups is None:
            return False
        places = tuple(sorted({place for row in s.row.value for place in numbers(row)}))
        if not places:  # no line fits on this board
            return False
        masks = Masks(self, found.place, self.home.planes, places)
        write = masks.mask(flat.No(found.condition))
        if write is None or max(places) >= masks.bits:
            return False
        fits, word = write(), masks.word
        some = "0"
        for steps, starts in groups:
            line = str(signed(starts, masks.bits))
            for step in steps:
                there = fits if not step else self.op(f"lshr {word} {fits}, {step}")
                line = self.op(f"and {word} {line}, {there}")
            some = self.op(f"or {word} {some}, {line}")
        self.when(self.op(f"icmp ne {word} {some}, 0"), lambda: self.statements(found.then))
        return True

    def abreast(self, s: st.Each) -> bool:
        """A loop over places whose laps have loops inside, for all places at once; False if it cannot be."""
        if not suits(s):
            return False
        before = len(self.lines), len(self.slots), self.ended, dict(self.variables)
        try:
            all_ = Abreast(self, self.whole, s)
            all_.run()
            if all_.failed != 0 and not self.home.replays:
                raise NotAbreast
            if all_.offers and not self.offers_abreast(s, all_):
                raise NotAbreast
        except NotAbreast:
            del self.lines[before[0] :], self.slots[before[1] :]
            self.ended, self.variables = before[2:]
            return False
        self.home.abreast += 1
        self.end_abreast(all_)
        return True

    def end_abreast(self, all_: Abreast) -> None:
        """What failed at some place is given up; what is set at some place is set."""
        words = all_.words
        ends: list[tuple[Word, Callable[[], None]]] = [(all_.failed, partial(self.fail, st.Fail(0, ())))]
        for name, (value, word) in all_.flags.items():
            ends.append((word, partial(self.set, st.Set(name, Known(value)))))
        for word, then in ends:
            if word != 0:
                self.when(self.op(f"icmp ne {words.kind} {words.text(word)}, 0"), then)

    def offers_abreast(self, s: st.Each, all_: Abreast) -> bool:
        """Offer what all places offered, if it can be."""
        return False

    def by_planes(self, s: st.Each) -> bool:
        """A loop that goes only through the places for which something holds; False if it cannot be one."""
        row = s.row.value if isinstance(s.row, Known) else None
        if not isinstance(row, tuple) or (guard := guarded(s)) is None:
            return False
        places = tuple(each for each in row if isinstance(each, int) and each >= 0)
        if len(places) < len(row) or list(places) != sorted(set(places)) or not places:
            return False
        masks = Masks(self, s.name, self.home.planes, places)
        if places[-1] >= masks.bits or _changes(guard.then):
            return False
        written = [(each, masks.mask(each)) for each in guard.conditions]
        first = [write for _, write in written if write is not None]
        known = [each for each, write in written if write is not None]
        many = len(places) >= MOST_TO_LOOK_FOR
        if not any(slots_of(each, s.name) or (many and looks_for(each, s.name)) for each in known):
            return False
        # a condition may only be asked where those before it hold; the others are pure and total, so order is free
        later = tuple(each for each, write in written if write is None)
        word = masks.word
        left = str(signed(sum(1 << each for each in places), masks.bits))
        for write in first:
            left = self.op(f"and {word} {left}, {write()}")
        self.through(s, guard, later, left, masks.bits)
        return True

    def by_set(self, s: st.Each) -> bool:
        """A loop through places that lie as a word already; False if it is none."""
        size = self.linking.places(s.row)
        if size is None:
            return False
        guard = guarded(s) or Guarded((), s.body, False)
        if guard.conditions and _changes(guard.then):
            return False
        masks = Masks(self, s.name, self.home.planes, tuple(range(size)))
        written = [(each, masks.mask(each)) for each in guard.conditions]
        later = tuple(each for each, write in written if write is None)
        word, wanted = masks.word, "-1"
        for write in (write for _, write in written if write is not None):
            wanted = self.op(f"and {word} {wanted}, {write()}")
        if isinstance(s.row, flat.Linked) and not later and guard.once and _only_says(guard.then, s.name):
            self.when(self.linking.reached(s.row, wanted, masks.bits), lambda: self.statements(guard.then))
            return True
        left = self.op(f"and {word} {self.linking.word(s.row, masks.bits)}, {wanted}")
        self.through(s, guard, later, left, masks.bits)
        return True

    def through(self, s: st.Each, guard: Guarded, later: tuple[Flat, ...], left: str, bits: int) -> None:
        """What is done for each of these places for which later conditions hold, too."""
        given = (s, guard.then, left, bits)
        if (
            not later
            and not guard.once
            and any(done(*given) for done in (self.offers_places, self.gathers_places, self.counts_places))
        ):
            return
        word = f"i{bits}"
        if self.unrolls and bits <= 64 and self.few_places(s, guard, later, left, bits):
            return
        place = self.room(word)
        self.line(f"store {word} {left}, ptr {place}, align 8")
        head, lap, on = (self.fresh(stem) for stem in ("head", "lap", "on"))
        frees = not _keeps_rows(guard.then)
        top = self.op(f"load ptr, ptr {field(self, TOP)}") if frees else ""
        self.label(head)
        now = self.op(f"load {word}, ptr {place}, align 8")
        self.split(self.op(f"icmp ne {word} {now}, 0"), lap, on)
        self.label(lap)
        if frees:
            self.line(f"store ptr {top}, ptr {field(self, TOP)}")
        rest = self.op(f"and {word} {now}, {self.op(f'sub {word} {now}, 1')}")
        self.line(f"store {word} {rest}, ptr {place}, align 8")
        least = self.op(f"call {word} @llvm.cttz.{word}({word} {now}, i1 true)")
        number_ = least if bits == 64 else self.op(f"trunc {word} {least} to i64")
        self.keep(self.variable(s.name), Val("number", number_))
        self.loops.append((head, on))
        if later:
            fits = self.fresh("fits")
            self.split(self.both(later, False).one, fits, head)
            self.label(fits)
        self.statements(guard.then)
        self.loops.pop()
        if not self.ended:
            self.go(on if guard.once else head)
        self.label(on)

    def few_places(self, s: st.Each, guard: Guarded, later: tuple[Flat, ...], left: str, bits: int) -> bool:
        """The same one place after the other, if there are few; False if there are many."""
        row = s.row.value if isinstance(s.row, Known) else None
        span = in_steps(row) if row is not None else None
        if span is None or span[0] + span[1] > self.unrolls:
            return False
        with self.loop(str(span[0] + span[1])) as (at, next_lap, on):
            there = self.fresh("there")
            self.split(self.bit(left, at, bits), there, next_lap)
            self.label(there)
            self.keep(self.variable(s.name), Val("number", at))
            if later:
                fits = self.fresh("fits")
                self.split(self.both(later, False).one, fits, next_lap)
                self.label(fits)
            self.in_loop(next_lap, on, guard.then)
            if not self.ended and guard.once:
                self.go(on)
        return True

    def offers_places(self, s: st.Each, then: tuple[st.Statement, ...], places: str, bits: int) -> bool:
        """Offer all these places at once, if that is what is done for each of them; False if it is not."""
        return False

    def counts_places(self, s: st.Each, then: tuple[st.Statement, ...], places: str, bits: int) -> bool:
        """Count all these places at once, if that is what is done for each of them; False if it is not."""
        match then:
            case (st.Set(name=name, value=flat.Math("+", flat.Name(name=before), Known(value=1))),) if (
                name == before and name != s.name
            ):
                count = self.op(f"call i64 @counted{bits}(i{bits} {places})")
                total = self.op(f"add nsw i64 {self.n(flat.Name(name))}, {count}")
                self.keep(self.variable(name), Val("number", total))
                return True
            case _:
                return False

    def gathers_places(self, s: st.Each, then: tuple[st.Statement, ...], places: str, bits: int) -> bool:
        """Gather all these places at once, if that is what is done for each of them; False if it is not."""
        match then:
            case (st.Put(name=name, item=flat.Name(name=item)),) if (
                item == s.name and self.prefix + name in self.linking.gathers
            ):
                self.linking.more(name, self.linking.fit(places, bits, self.linking.gathered(name)[1]))
                return True
            case (st.Put(name=name, item=flat.Name(name=item)),) if (
                item == s.name and self.prefix + name in self.subsets
            ):
                place, low, _ = self.subsets[self.prefix + name]
                word = places if bits == 64 else self.op(f"trunc i{bits} {places} to i64")
                found = self.op(f"lshr i64 {word}, {low}") if low else word
                self.store(self.op(f"or i64 {self.load(place)}, {found}"), place)
                return True
            case _:
                return False

    def gather(self, s: st.Gather) -> None:
        name = self.prefix + s.name
        if name in self.linking.gathers:
            where, bits = self.linking.gathered(s.name)
            self.line(f"store i{bits} 0, ptr {where}, align 8")
            return
        if name in self.somes.told:
            self.store("0", self.somes.told[name].there)
            return
        span = some_of(self.whole, s.name)
        if span is not None:
            if name not in self.subsets:
                self.subsets[name] = (self.room(), *span)
            self.store("0", self.subsets[name][0])
            return
        if name not in self.gathered:
            kind = ROWS[ROWS.index(self.kinds[s.name]) + 1] if self.kinds.get(s.name) in ROWS else "row"
            self.gathered[name] = (self.room("ptr"), self.room(), self.room(), kind)
        _, count, most, _ = self.gathered[name]
        self.store("0", count)
        self.store("0", most)

    def gathers(self, s: st.Put) -> None:
        if self.prefix + s.name in self.linking.gathers:
            self.linking.more(s.name, self.one_bit(self.n(s.item), self.linking.gathered(s.name)[1]))
            return
        if (subset := self.subsets.get(self.prefix + s.name)) is not None:
            place, low, _ = subset
            bit = self.op(f"shl i64 1, {self.op(f'sub i64 {self.n(s.item)}, {low}')}")
            self.store(self.op(f"or i64 {self.load(place)}, {bit}"), place)
            return
        if self.somes.put(s):
            return
        item = self.piling.own(s.item)
        first, count, most, kind = self.gathered[self.prefix + s.name]
        size = 8 if kind == "row" else 16
        filled = self.load(count)

        def grow() -> None:
            larger = self.op(f"call i64 @llvm.smax.i64(i64 {self.op(f'shl i64 {filled}, 1')}, i64 {FIRST_ROOM})")
            out = alloc(self, larger, size)
            copy(self, out, self.op(f"load ptr, ptr {first}"), filled, size)
            self.line(f"store ptr {out}, ptr {first}")
            self.store(larger, most)

        self.when(self.op(f"icmp eq i64 {filled}, {self.load(most)}"), grow)
        where = self.at(self.op(f"load ptr, ptr {first}"), filled, size)
        if kind != "row":
            self.store_row(item, where)
        else:
            self.store(self.as_number(item), where)
        self.store(self.op(f"add i64 {filled}, 1"), count)

    def notes(self, s: st.Notes) -> None:
        """Notes only save work: where they have no table, what was noted is worked out again."""
        found = self.tables.get(self.prefix + s.name)
        if found is not None:
            self.line(f"call void @llvm.memset.p0.i64(ptr {found[0]}, i8 -1, i64 {found[1].size}, i1 false)")

    def note(self, s: st.Note) -> None:
        where = self.noted_at(s.name, s.key)
        if where is not None:
            self.line(f"store i8 {self.op(f'trunc i64 {self.n(s.value)} to i8')}, ptr {where}")

    def give(self, s: st.Give) -> None:
        raise NotLowered("a value is given where there is no function")

    def fail(self, s: st.Fail) -> None:
        give_up(self, GAVE_UP)
        self.leave()

    # -------------------------------------------------------------- effects

    def spend(self, s: st.Spend) -> None:
        self.spent(str(s.units))

    def spent(self, units: str) -> None:
        """Cost units; looked at here if it must be watched."""
        place = self.home.cost_place(self)
        total = self.op(f"add i64 {self.load(place)}, {units}")
        self.store(total, place)
        if self.metered:
            self.watch()

    def watch(self) -> None:
        """Give the step up if it has cost too much."""
        most = self.load(self.home.most_place(self))
        self.given_up(self.op(f"icmp sgt i64 {self.load(self.home.cost_place(self))}, {most}"))

    def spend_on(self, s: st.SpendOn) -> None:
        self.carried_out(s.procedure, [self.piling.own(each) for each in s.arguments])

    def carried_out(self, procedure: int, arguments: list[Val]) -> None:
        """A plain procedure, at once."""
        self.line(f"call void @q{procedure}(ptr %S{self.home.shares}{self.given(tuple(arguments))})")
        if self.home.procedure_can_fail(procedure):
            self.look()

    def write_cell(self, s: st.Store) -> None:
        if s.slot in self.home.planes:
            self.set_plane(s.slot, s.member, s.value)
            return
        if s.slot in self.home.bag_sets:
            self.linking.store(s)
            return
        layout = self.home.bags.get(s.slot)
        if layout is not None:
            bag = self.bagging.word(s.value, layout, whole=True)
            self.store(bag, self.cell(s.slot, s.member)[0])
            return
        if s.slot in self.home.piles:
            self.piling.change(s)
            return
        if s.slot in self.home.decks:
            self.decking.taken(s)
            return
        if s.slot in self.home.singles:
            value = Val("number", self.singles.number(s.value))
        else:
            value = self.piling.own(s.value)
        if self.by_registers(s.slot, s.member):
            new, chosen = self.as_number(value), self.n(s.member)
            for member in range(self.home.places.members[s.slot]):
                place = self.home.cell_place(self, s.slot, member)
                there = self.op(f"icmp eq i64 {chosen}, {member}")
                self.store(self.op(f"select i1 {there}, i64 {new}, i64 {self.load(place)}"), place)
            return
        self.keep(self.cell(s.slot, s.member), value)

    def remember(self, s: st.Remember) -> None:
        value = self.piling.own(s.value)
        self.keep(self.local(s.local), value)

    def settle(self, s: st.Settle) -> None:
        if s.slot in self.home.decks:
            self.decking.settle(s)
            return
        if s.slot in self.home.piles:
            pile = self.piling.row(self.piling.place(s.slot, s.member))
            done = self.op(f"call i1 @settle_here(ptr %S, ptr {pile.one}, i64 {pile.two}, i64 {self.n(s.card)})")
        else:
            place, _ = self.cell(s.slot, s.member)
            done = self.op(f"call i1 @settle(ptr %S, ptr {place}, i64 {self.n(s.card)})")

        def fails() -> None:
            give_up(self, GAVE_UP)
            self.leave()

        self.when(done, lambda: None, fails)

    def offer(self, s: st.Offer) -> None:
        raise NotLowered("an answer is offered outside of a listing")


def _only_says(body: tuple[st.Statement, ...], place: str) -> bool:
    """Whether a lap says that there is a place, and not which."""
    plain = all(isinstance(each, st.Set) for each in body)
    return plain and not any(part == flat.Name(place) for part in parts(body))


def _changes(body: tuple[st.Statement, ...]) -> bool:
    """Whether a lap can change what its condition reads, or something that a variable of it holds."""
    inside = (st.Store, st.Settle, st.SpendOn, st.Remember, st.Fail)
    return any(isinstance(part, inside) for part in parts(body))


def _keeps_rows(body: tuple[st.Statement, ...]) -> bool:
    """Whether a lap can make a row that is needed behind it."""
    for each in body:
        match each:
            case st.Put() | st.Store() | st.Remember() | st.Settle() | st.SpendOn() | st.Offer():
                return True  # also of what grows by numbers: it may be laid down anew
            case st.Set():
                if not _is_number(each.value):
                    return True
            case st.If():
                if _keeps_rows(each.then) or _keeps_rows(each.otherwise):
                    return True
            case st.Each():
                if _keeps_rows(each.body):
                    return True
    return False


def _is_number(value: Flat) -> bool:
    """Whether an expression is surely no row."""
    match value:
        case Known():
            return isinstance(value.value, int)
        case flat.Either():
            return _is_number(value.then) and _is_number(value.otherwise)
        case (
            flat.Math() | flat.Compare() | flat.Has() | flat.All() | flat.Any() | flat.No() | flat.AsNumber()
            | flat.IsOne() | flat.Length() | flat.Times() | flat.Best() | flat.HasAnswer() | flat.Noted()
        ):  # fmt: skip
            return True
        case _:
            return False


STATEMENTS: dict[type, Callable[[Statements, Any], None]] = {
    st.Set: Statements.set,
    st.If: lambda w, s: w.if_(s),
    st.Each: lambda w, s: w.each(s),
    st.Stop: lambda w, s: w.go(w.loops[-1][1]),
    st.Skip: lambda w, s: w.go(w.loops[-1][0]),
    st.Gather: Statements.gather,
    st.Put: Statements.gathers,
    st.Notes: Statements.notes,
    st.Note: Statements.note,
    st.Give: lambda w, s: w.give(s),
    st.Fail: Statements.fail,
    st.Spend: Statements.spend,
    st.Mark: lambda w, s: None,
    st.SpendOn: Statements.spend_on,
    st.Store: Statements.write_cell,
    st.Remember: Statements.remember,
    st.Settle: Statements.settle,
    st.Offer: lambda w, s: w.offer(s),
}
"""How each class is written."""
