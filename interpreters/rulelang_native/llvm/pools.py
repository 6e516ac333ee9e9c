"""Pools of unseen cards as counts: of each kind a pool says how many cards it has up to that kind, in one byte.

Which card is the k-th of a pool is seen by comparing all these numbers with k at once, and a card leaves it when one is
taken from those of its kind and all above. Nothing is moved, nothing is searched, and shuffling a pile counts its cards
instead of sorting them. So it lies where games are played from the start and every pile that is ever shuffled lies in
place (`piles.py`): pieces only ever move, so that those that lie there before play are all that a pool can hold.

Before the numbers of a pool lies how many cards it has, by itself: so the draws of cards that follow one another need
not wait for these numbers. Then comes a byte that is always zero, so that below the first kind there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import attrs

from rulelang.ir.program import Program, Zone
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.program import FlatProgram
from rulelang_native.llvm import support
from rulelang_native.llvm.code import ROW, Code, Val
from rulelang_native.llvm.support import CROWDED, FIRST, LAST, MOST_POOLS, UNSEEN, field, give_up
from rulelang_native.llvm.walking import parts

WIDTHS = (16, 32, 64)
"""Kinds that there is room for."""
MOST_CARDS = 127
"""Cards that a byte can count: processors compare bytes with a sign."""
HEAD = 16
"""Bytes before the numbers of a pool, of which the last one is the zero."""
NOTHING = f"ret {ROW} zeroinitializer"


@attrs.frozen
class Pools:
    """How pools lie."""

    low: int
    """The least code of a card."""
    codes: int
    """How many codes there are."""
    at: int = FIRST
    """Where in a state they lie."""

    @property
    def width(self) -> int:
        """Bytes for the numbers of one."""
        return next(width for width in WIDTHS if self.codes <= width)

    @property
    def stride(self) -> int:
        """How far they lie apart."""
        return HEAD + self.width

    @property
    def bytes(self) -> int:
        """Bytes for all of them."""
        return MOST_POOLS * self.stride

    @property
    def vector(self) -> str:
        """The numbers of one."""
        return f"<{self.width} x i8>"


def planned(
    program: Program,
    laid: Sequence[Sequence[Any]],
    flat_: FlatProgram,
    piles: Mapping[int, int],
    decks: Collection[int],
) -> Pools | None:
    """How pools lie as counts, given what lies in each cell before play and which zones are piles in place; None if
    rows of cards are needed."""
    shuffled = {part.slot for part in parts(flat_.procedures) if isinstance(part, st.Unsee | st.Settle)} - set(decks)
    if not shuffled or not shuffled <= piles.keys() or any(piles[slot] > MOST_CARDS for slot in shuffled):
        return None
    contents = [zone.content for slot in shuffled if isinstance(zone := program.slots[slot], Zone)]
    cards = [
        card
        for slot, zone in enumerate(program.slots)
        if isinstance(zone, Zone) and zone.content in contents
        for row in laid[slot]
        for card in row
    ]
    if not cards or max(cards) - min(cards) >= WIDTHS[-1] or not _only_drawn_from(flat_):
        return None
    return Pools(min(cards), max(cards) - min(cards) + 1)


def _only_drawn_from(flat_: FlatProgram) -> bool:
    """Whether nothing is asked of a pool but whether it is there, and which card is drawn from it."""
    if any(isinstance(part, flat.UnseenTop) for part in parts(flat_.functions)):
        return False
    for block in (block for procedure in flat_.procedures for block in procedure.blocks):
        inside = list(parts(block.body))
        sets = [part for part in inside if isinstance(part, st.Set) and isinstance(part.value, flat.UnseenTop)]
        names = {part.name for part in sets}
        if sum(isinstance(part, flat.UnseenTop) for part in inside) != len(sets):
            return False
        if any(isinstance(part, st.Set) and part.name in names and part not in sets for part in inside):
            return False
        read = sum(isinstance(part, flat.Name) and part.name in names for part in inside)
        for part in inside:
            match part:
                case flat.IsOne(value=flat.Name(name=name)) | st.Draw(urn=flat.Name(name=name)) if name in names:
                    read -= 1
        if read:
            return False
    return True


def is_pool(urn: flat.Flat, body: Sequence[st.Statement]) -> bool:
    """Whether an urn is a pool, given the text around where it is drawn from."""
    if not isinstance(urn, flat.Name):
        return False
    given = [part.value for part in parts(tuple(body)) if isinstance(part, st.Set) and part.name == urn.name]
    return bool(given) and all(isinstance(value, flat.UnseenTop) for value in given)


def settled_next(
    urn: flat.Flat, body: Sequence[st.Statement], next_: Sequence[st.Statement], local: int
) -> flat.Held | None:
    """The pile whose top card is drawn, if the first thing that is done then is to settle that card: so both are done
    at once. Given are the text around the draw, what comes behind it, and the local that has the card then."""
    inside = list(parts(tuple(body)))
    sets = [part for part in inside if isinstance(part, st.Set)]
    given = {part.name: part.value for part in sets if sum(each.name == part.name for each in sets) == 1}
    top = given.get(urn.name) if isinstance(urn, flat.Name) else None
    pile = given.get(top.pile.name) if isinstance(top, flat.UnseenTop) and isinstance(top.pile, flat.Name) else None
    first = next((each for each in next_ if not isinstance(each, st.Mark | st.Spend)), None)
    if not isinstance(pile, flat.Held) or not isinstance(first, st.Settle):
        return None
    same = (first.slot, first.member, first.card) == (pile.slot, pile.member, flat.Remembered(local))
    changing = {part.local for part in inside if isinstance(part, st.Remember)} | {local}
    for part in parts(pile.member):
        same = same and not isinstance(part, flat.Name)
        same = same and not (isinstance(part, flat.Remembered) and part.local in changing)
    changed = any(isinstance(part, st.Store | st.SpendOn | st.Settle | st.Unsee) for part in inside)
    return pile if same and not changed else None


# ------------------------------------------------------------------ the text


def written(pools: Pools) -> dict[str, tuple[str, Callable[[Code], None]]]:
    """What is called in place of the functions of these names in `support.py`, which are for pools that are rows."""
    writing = _Writing(pools)
    found: dict[str, tuple[str, Callable[[Code], None]]] = {
        name: (support.SUPPORT[name][0], write)
        for name, write in (
            ("unseen_top", writing.unseen_top),
            ("leaves_pool", writing.leaves_pool),
            ("first_shared", writing.first_shared),
            ("unsee_here", writing.unsee_here),
        )
    }
    found["from_pool"] = ("i64 @from_pool(ptr %pool, i64 %place, ptr %where) alwaysinline", writing.from_pool)
    found["of_pool"] = ("i64 @of_pool(ptr %pool, i64 %place) alwaysinline", writing.of_pool)
    return found


@attrs.frozen
class _Writing:
    """Writes these functions."""

    pools: Pools

    def at(self, code: Code, pool: str) -> str:
        """Where the numbers of a pool lie."""
        off = code.op(f"mul nuw nsw i64 {pool}, {self.pools.stride}")
        return code.at("%S", code.op(f"add nuw nsw i64 {off}, {self.pools.at + HEAD}"), 1)

    def of(self, code: Code, unseen: str) -> str:
        """The same of the pool of an unseen card."""
        return self.at(code, code.op(f"sub i64 {UNSEEN}, {unseen}"))

    def byte(self, code: Code, pool: str, place: str | int) -> str:
        return code.op(f"load i8, ptr {code.at(pool, place, 1)}")

    def size(self, code: Code, pool: str) -> str:
        """How many cards a pool has."""
        return code.load(self.count(code, pool))

    def count(self, code: Code, pool: str) -> str:
        """Where that lies."""
        return code.at(pool, -HEAD, 1)

    def numbers(self, code: Code, pool: str) -> str:
        return code.op(f"load {self.pools.vector}, ptr {pool}, align 8")

    def everywhere(self, code: Code, number: str) -> str:
        """A number in every byte."""
        vector, width = self.pools.vector, self.pools.width
        one = code.op(f"insertelement {vector} poison, i8 {code.op(f'trunc i64 {number} to i8')}, i64 0")
        return code.op(f"shufflevector {vector} {one}, {vector} poison, <{width} x i32> zeroinitializer")

    def above(self, code: Code, numbers: str, place: str) -> str:
        """For each kind a number that is less than 0 if the card at a place is of this kind or one below."""
        return code.op(f"sub {self.pools.vector} {self.everywhere(code, place)}, {numbers}")

    def as_numbers(self, code: Code, signs: str) -> str:
        """-1 for what is less than 0, else 0. By its sign, which processors have without comparing."""
        return code.op(f"ashr {self.pools.vector} {signs}, <{', '.join(['i8 7'] * self.pools.width)}>")

    def first(self, code: Code, signs: str) -> str:
        """The first kind for which it is less than 0."""
        width = self.pools.width
        less = code.op(f"icmp slt {self.pools.vector} {signs}, zeroinitializer")
        bits = code.op(f"bitcast <{width} x i1> {less} to i{width}")
        wide = bits if width == 64 else code.op(f"zext i{width} {bits} to i64")
        return code.op(f"call i64 @llvm.cttz.i64(i64 {wide}, i1 false)")

    def from_there(self, code: Code, kind: str) -> str:
        """-1 for a kind and those above, else 0."""
        vector, width = self.pools.vector, self.pools.width
        steps = ", ".join(f"i8 {step + 1}" for step in range(width))
        return self.as_numbers(code, code.op(f"sub {vector} {self.everywhere(code, kind)}, <{steps}>"))

    def kind(self, code: Code, card: str) -> str:
        """Which kind a card is, counted from 0."""
        return code.op(f"sub i64 {card}, {self.pools.low}")

    def has(self, code: Code, kind: str) -> str:
        """Whether there is such a kind."""
        return code.op(f"icmp ult i64 {kind}, {self.pools.codes}")

    def of_pool(self, code: Code) -> None:
        """The card of a pool that stands at a place if they lie in order."""
        kind = self.first(code, self.above(code, self.numbers(code, "%pool"), "%place"))
        code.end(f"ret i64 {code.op(f'add i64 {kind}, {self.pools.low}')}")

    def from_pool(self, code: Code) -> None:
        """The same; it leaves the pool, and lies somewhere."""
        numbers = self.numbers(code, "%pool")
        above = self.above(code, numbers, "%place")
        card = code.op(f"add i64 {self.first(code, above)}, {self.pools.low}")
        self.leaves(code, "%pool", numbers, self.as_numbers(code, above))
        code.store(card, "%where")
        code.end(f"ret i64 {card}")

    def unseen_top(self, code: Code) -> None:
        code.when(code.op("icmp eq i64 %n, 0"), lambda: code.end(NOTHING))
        last = code.load(code.at("%a", code.op("sub i64 %n, 1")))
        code.when(code.op(f"icmp sgt i64 {last}, {UNSEEN}"), lambda: code.end(NOTHING))
        self.give(code, last)

    def give(self, code: Code, unseen: str) -> None:
        """The pool of an unseen card, as an urn."""
        pool = self.of(code, unseen)
        code.end(f"ret {ROW} {code.packed(Val('row', pool, self.size(code, pool)))}")

    def leaves_pool(self, code: Code) -> None:
        """A card leaves the pool of an unseen one, if it is in it. Mostly it was drawn just before; then those of its
        kind and above are the ones that were found by drawing."""
        kind, pool = self.kind(code, "%card"), self.of(code, "%unseen")
        numbers, size = self.numbers(code, pool), self.size(code, pool)
        last = code.load(field(code, LAST))
        above = self.above(code, numbers, last)
        inside = code.op(f"icmp ult i64 {last}, {size}")
        same = code.op(f"icmp eq i64 {self.first(code, above)}, {kind}")
        drawn, other = code.fresh("drawn"), code.fresh("other")
        code.split(code.op(f"and i1 {inside}, {same}"), drawn, other, (2000, 1))
        code.label(drawn)
        self.leaves(code, pool, numbers, self.as_numbers(code, above))
        code.end("ret i1 true")
        code.label(other)
        code.when(self.has(code, kind), lambda: None, lambda: code.end("ret i1 false"))
        below = self.byte(code, code.at(pool, -1, 1), kind)
        there = code.op(f"icmp ne i8 {below}, {self.byte(code, pool, kind)}")
        code.when(there, lambda: None, lambda: code.end("ret i1 false"))
        self.leaves(code, pool, numbers, self.from_there(code, kind))
        code.end("ret i1 true")

    def leaves(self, code: Code, pool: str, numbers: str, less: str) -> None:
        """There is one card less in a pool, and in these of its numbers."""
        fewer = code.op(f"add {self.pools.vector} {numbers}, {less}")
        code.line(f"store {self.pools.vector} {fewer}, ptr {pool}, align 8")
        code.store(code.op(f"sub i64 {self.size(code, pool)}, 1"), self.count(code, pool))

    def first_shared(self, code: Code) -> None:
        """The lowest place whose card must be settled before the pile can be shuffled, -1 if there is none."""
        with code.loop("%n") as (at, next_lap, _):
            card = code.load(code.at("%a", at))
            unseen = code.fresh("unseen")
            code.split(code.op(f"icmp sle i64 {card}, {UNSEEN}"), unseen, next_lap)
            code.label(unseen)
            here = code.op(f"call i64 @times(ptr %a, i64 %n, i64 {card})")
            size = self.size(code, self.of(code, card))
            # a whole pile over one pool stays as it is
            code.when(code.op(f"icmp eq i64 {here}, %n"), lambda: code.end("ret i64 -1"))

            def found(at: str = at) -> None:
                code.end(f"ret i64 {at}")

            code.when(code.op(f"icmp slt i64 {here}, {size}"), found)
        code.end("ret i64 -1")

    def unsee_here(self, code: Code) -> None:
        """The pile becomes unseen over one pool, unless something must be drawn first: that urn, else nothing."""
        vector, counts, number, hidden = self.pools.vector, code.room(self.pools.vector), code.room(), code.room()
        code.when(code.op("icmp eq i64 %n, 0"), lambda: code.end(NOTHING))
        code.line(f"store {vector} zeroinitializer, ptr {counts}, align 8")
        code.store("0", hidden)

        def more(numbers: str, how: str) -> None:
            before = code.op(f"load {vector}, ptr {counts}, align 8")
            code.line(f"store {vector} {code.op(f'{how} {vector} {before}, {numbers}')}, ptr {counts}, align 8")

        def crowded() -> None:
            give_up(code, CROWDED)
            code.end(NOTHING)

        with code.loop("%n") as (at, next_lap, _):
            card = code.load(code.at("%a", at))
            unseen, seen = code.fresh("unseen"), code.fresh("seen")
            code.split(code.op(f"icmp sle i64 {card}, {UNSEEN}"), unseen, seen)
            code.label(unseen)
            code.store("1", hidden)
            code.go(next_lap)
            code.label(seen)
            kind = self.kind(code, card)
            code.when(self.has(code, kind), lambda: None, crowded)
            more(self.from_there(code, kind), "sub")

        def from_pools() -> None:
            place = code.op("call i64 @first_shared(ptr %S, ptr %a, i64 %n)")
            first = code.op(f"icmp sge i64 {place}, 0")
            code.when(first, lambda: self.give(code, code.load(code.at("%a", place))))
            lowest = code.load("%a")
            alike = code.op(f"icmp eq i64 {code.op(f'call i64 @times(ptr %a, i64 %n, i64 {lowest})')}, %n")
            code.when(alike, lambda: code.end(NOTHING))  # so one of its cards is unseen, and then all are
            with code.loop("%n") as (at, next_lap, _):
                card, mine = code.load(code.at("%a", at)), code.fresh("mine")
                code.split(code.op(f"icmp sle i64 {card}, {UNSEEN}"), mine, next_lap)
                code.label(mine)
                pool = self.of(code, card)  # empty from the second of its cards on
                more(self.numbers(code, pool), "add")
                code.line(f"store {vector} zeroinitializer, ptr {pool}, align 8")
                code.store("0", self.count(code, pool))

        code.when(code.op(f"icmp ne i64 {code.load(hidden)}, 0"), from_pools)
        chosen = support.empty_pool(code, number, lambda at: self.size(code, self.at(code, at)))
        all_ = code.op(f"load {vector}, ptr {counts}, align 8")
        to = self.at(code, chosen)
        code.line(f"store {vector} {all_}, ptr {to}, align 8")
        code.store("%n", self.count(code, to))
        token = code.op(f"sub i64 {UNSEEN}, {chosen}")
        with code.loop("%n") as (at, _, _):
            code.store(token, code.at("%a", at))
        code.end(NOTHING)
