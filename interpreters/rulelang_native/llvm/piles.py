"""Piles in place: a pile lies in the state itself, how many cards first and then those, with room for all there can be.

A card is put on it or taken off by changing this number, and nothing is copied. As everywhere, a row is a value; so one
that was read from a pile is only looked at where it lies (a view) as long as what it shows stays as it is. That is seen
from the text (`Piling.learn`): a pile that grows, or whose cards are settled or go elsewhere, before a row of it is
read for the last time is copied first. Cards that are taken off the top stay where they were until others come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.ir.program import Program, Zone
from rulelang.ir.types import RecordType
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.llvm.code import Val
from rulelang_native.llvm.shaping import ROWS
from rulelang_native.llvm.support import CROWDED, alloc, give_up
from rulelang_native.llvm.walking import parts

if TYPE_CHECKING:
    from rulelang_native.llvm.values import Writer

SIZE = 8
"""Bits of each size where those of all piles of a zone lie in one word, by themselves."""
MOST, ALL = 128, 8192
"""Cards that a pile has room for at most, and bytes of all piles."""

CHANGING = (st.Store, st.Settle, st.SpendOn, st.Unsee)
"""What can change a pile."""
PASSING = (flat.Stretch, flat.ButLast, flat.LastOne, flat.Turned)
"""What gives a part of a row where it lies."""


def planned(program: Program, laid: Sequence[Sequence[Any]]) -> dict[int, int]:
    """The zones that lie in place, with the cards that each of their piles has room for, given what lies in each cell
    of each slot before play."""
    zones = {slot: each for slot, each in enumerate(program.slots) if isinstance(each, Zone)}
    found: dict[int, int] = {}
    for slot, zone in zones.items():
        if zone.shape == "pile" and not isinstance(zone.content, RecordType):
            same = [other for other, each in zones.items() if each.content == zone.content]
            found[slot] = sum(len(row) for other in same for row in laid[other])
    fits = sum(size(most) * len(laid[slot]) for slot, most in found.items()) <= ALL
    return found if fits and all(0 < most <= MOST for most in found.values()) else {}


def heights(piles: dict[int, int], members: Sequence[int]) -> frozenset[int]:
    """The zones of which the sizes of all piles can lie in one word."""
    return frozenset(slot for slot, most in piles.items() if most < 1 << SIZE and members[slot] * SIZE <= 64)


def size(most: int) -> int:
    """Bytes of a pile that has room for so many."""
    return 8 * (1 + most)


@attrs.frozen
class Pile:
    """Where a pile lies, as text."""

    slot: int
    where: str
    """Its size, and behind it its cards."""
    shift: str
    """Which bits of those of all piles of its zone its size is, if these lie by themselves."""


class Piling:
    """Writes what is done with piles in place."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.exact: dict[str, flat.Held] = {}
        """Variables that hold the whole of a pile where it lies, by their full names."""
        self.copied: set[str] = set()
        """Variables that hold a copy, as the pile changes while they are needed."""
        self.views: set[str] = set()
        """Variables that can hold a part of a pile where it lies."""

    # -------------------------------------------------------------- what is where

    def place(self, slot: int, member: Flat) -> Pile:
        """Where a pile lies."""
        return self.place_of(slot, self.writer.n(member))

    def place_of(self, slot: int, member: str) -> Pile:
        """The same, given the number of the member."""
        writer, bytes_ = self.writer, size(self.writer.home.piles[slot])
        first = writer.at("%S", writer.home.places.slots[slot], 1)
        if member.lstrip("-").isdigit():
            where, shift = writer.at(first, int(member) * bytes_, 1), str(SIZE * int(member))
        else:
            where = writer.at(first, writer.op(f"mul nuw nsw i64 {member}, {bytes_}"), 1)
            shift = writer.op(f"mul nuw nsw i64 {member}, {SIZE}") if slot in writer.home.heights else ""
        return Pile(slot, where, shift)

    def sizes(self, pile: Pile) -> str:
        """Where its size lies, perhaps with those of others."""
        return f"%h{pile.slot}" if pile.slot in self.writer.home.heights else pile.where

    def size(self, pile: Pile) -> str:
        """How many cards a pile has."""
        writer, sizes = self.writer, self.writer.load(self.sizes(pile))
        if pile.slot not in writer.home.heights or writer.home.places.members[pile.slot] == 1:
            return sizes
        return writer.op(f"and i64 {writer.op(f'lshr i64 {sizes}, {pile.shift}')}, {(1 << SIZE) - 1}")

    def resize(self, pile: Pile, count: str) -> None:
        """A pile has so many cards now."""
        writer, where = self.writer, self.sizes(pile)
        if pile.slot in writer.home.heights and writer.home.places.members[pile.slot] > 1:
            mask = writer.op(f"xor i64 {writer.op(f'shl i64 {(1 << SIZE) - 1}, {pile.shift}')}, -1")
            others = writer.op(f"and i64 {writer.load(where)}, {mask}")
            count = writer.op(f"or i64 {others}, {writer.op(f'shl i64 {count}, {pile.shift}')}")
        writer.store(count, where)

    def grow(self, pile: Pile, more: str) -> None:
        """A pile has so many cards more."""
        writer, where = self.writer, self.sizes(pile)
        if pile.slot in writer.home.heights and writer.home.places.members[pile.slot] > 1:
            more = writer.op(f"shl i64 {more}, {pile.shift}")
        writer.store(writer.op(f"add i64 {writer.load(where)}, {more}"), where)

    def row(self, pile: Pile) -> Val:
        """A pile as a row, where it lies."""
        return Val("row", self.writer.at(pile.where, 1), self.size(pile))

    def is_view(self, e: Flat) -> bool:
        """Whether a row can be one that is only looked at where a pile lies."""
        if not self.writer.home.piles:
            return False
        match e:
            case flat.Held():
                return e.slot in self.writer.home.piles
            case flat.Name():
                return self.writer.prefix + e.name in self.views
            case flat.Either():
                return self.is_view(e.then) or self.is_view(e.otherwise)
            case flat.Result():
                return self.writer.home.result_kind(e.function) in ROWS
            case flat.Stretch() | flat.ButLast() | flat.LastOne() | flat.Turned():
                return self.is_view(e.row)
            case _:
                return False

    def own(self, e: Flat) -> Val:
        """A value that stays as it is whatever happens to piles."""
        value = self.writer.value(e)
        return self.copy(value) if value.kind == "row" and self.is_view(e) else value

    def copy(self, row: Val) -> Val:
        """A copy of a row, in the arena."""
        out = alloc(self.writer, row.two)
        self.move(out, row)
        return Val("row", out, row.two)

    def move(self, to: str, row: Val) -> None:
        """The elements of a row go somewhere, perhaps where some of them were."""
        bytes_ = self.writer.op(f"shl i64 {row.two}, 3")
        self.writer.line(f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {row.one}, i64 {bytes_}, i1 false)")

    # -------------------------------------------------------------- variables

    def learn(self, body: tuple[st.Statement, ...]) -> None:
        """See which variables of a body hold piles where they lie, and which must hold a copy."""
        writer = self.writer
        if not writer.home.piles:
            return
        flow = list(_in_order(body))
        sets: dict[str, list[int]] = {}
        given: dict[str, list[Flat]] = {}
        for at, (part, _) in enumerate(flow):
            if isinstance(part, st.Set):
                sets.setdefault(part.name, []).append(at)
                given.setdefault(part.name, []).append(part.value)
        while True:
            before = len(self.views)
            for name in sets:
                if any(self.is_view(value) for value in given[name]):
                    self.views.add(writer.prefix + name)
            if len(self.views) == before:
                break
        for name, places in sets.items():
            if writer.prefix + name not in self.views:
                continue
            value = given[name][0]
            named = [at for at, (part, _) in enumerate(flow) if _reads(part, name)]
            ends = self.lasting(name, sets, flow)
            changes = [at for at, (part, _) in enumerate(flow) if self.changes(part, flow)]
            around = [loop for at in named for loop in flow[at][1]]
            crossed = any(places[0] < at < ends for at in changes) or any(
                loop in flow[at][1] for at in changes for loop in around
            )
            if crossed:
                self.copied.add(writer.prefix + name)
            elif len(places) == 1 and isinstance(value, flat.Held):
                self.exact[writer.prefix + name] = value
        self.views -= self.copied

    def lasting(self, name: str, sets: dict[str, list[int]], flow: list[tuple[st.Statement, tuple[int, ...]]]) -> int:
        """Where a variable is read for the last time, or one that holds a part of it."""
        names = {name}
        while True:
            parts_of = {other for other, places in sets.items() if any(_reads(flow[at][0], *names) for at in places)}
            if parts_of <= names:
                return max((at for at, (part, _) in enumerate(flow) if _reads(part, *names)), default=-1)
            names |= parts_of

    def changes(self, part: st.Statement, flow: list[tuple[st.Statement, tuple[int, ...]]]) -> bool:
        """Whether a statement can change cards that lie in a pile; taking some off the top does not."""
        match part:
            case st.Store():
                return part.slot in self.writer.home.piles and not _shrinks(part, flow)
            case st.Settle() | st.SpendOn() | st.Unsee():
                return True
            case _:
                return False

    # -------------------------------------------------------------- changes

    def is_whole(self, e: Flat, slot: int, member: Flat) -> bool:
        """Whether a row is the whole of this pile, as it lies there or lay there before cards were taken off."""
        held = flat.Held(slot, member)
        return e == held or (isinstance(e, flat.Name) and self.exact.get(self.writer.prefix + e.name) == held)

    def is_pile(self, e: Flat) -> bool:
        """Whether a row is the whole of some pile where it lies, or what was one before cards were taken off."""
        if isinstance(e, flat.Held):
            return e.slot in self.writer.home.piles
        return isinstance(e, flat.Name) and self.writer.prefix + e.name in self.exact

    def change(self, s: st.Store) -> None:
        """A pile has other cards now."""
        writer, held = self.writer, flat.Held(s.slot, s.member)
        where = self.place(s.slot, s.member)
        match s.value:
            case Known(value=()):
                self.resize(where, "0")
            case flat.ButLast(row=whole) if self.is_whole(whole, s.slot, s.member):
                self.resize(where, writer.value(s.value).two)
            case flat.Stretch(row=whole, first=Known(value=0)) if self.is_whole(whole, s.slot, s.member):
                self.resize(where, writer.value(s.value).two)
            case flat.Joined(left=left, right=flat.Items(items=(item,))) if left == held:
                self.put(where, writer.n(item))
            case flat.Joined(left=left, right=flat.LastOne() as last) if left == held and writer.singles.single(last):
                number = writer.singles.number(last)
                writer.when(writer.singles.some(number), lambda: self.put(where, number))
            case flat.Joined(left=left, right=flat.LastOne(row=other)) if left == held:
                row = writer.value(other)

                def put_last() -> None:
                    last = writer.at(row.one, writer.op(f"sub i64 {row.two}, 1"))
                    self.put(where, writer.load(last))

                writer.when(writer.op(f"icmp ne i64 {row.two}, 0"), put_last)
            case flat.Joined(left=left, right=other) if left == held:
                self.lay(where, self.size(where), writer.value(other))
            case _:
                self.lay(where, "0", writer.value(s.value))

    def put(self, pile: Pile, card: str) -> None:
        """A card comes on top."""
        writer, count = self.writer, self.size(pile)

        def put(after: str) -> None:
            writer.store(card, writer.at(writer.at(pile.where, 1), count))
            self.grow(pile, "1")

        self.if_fits(pile.slot, count, "1", put)

    def lay(self, pile: Pile, count: str, row: Val) -> None:
        """Cards come on so many, which stay."""
        writer = self.writer

        def lay(after: str) -> None:
            self.move(writer.at(writer.at(pile.where, 1), count), row)
            self.resize(pile, after)

        self.if_fits(pile.slot, count, row.two, lay)

    def if_fits(self, slot: int, count: str, more: str, then: Callable[[str], None]) -> None:
        """Go on if so many more have room; they always have, as no card comes from nowhere."""
        writer = self.writer
        after = writer.op(f"add nuw nsw i64 {count}, {more}")
        fits, crowded, on = writer.fresh("fits"), writer.fresh("crowded"), writer.fresh("on")
        writer.split(writer.op(f"icmp ule i64 {after}, {writer.home.piles[slot]}"), fits, crowded, (2000, 1))
        writer.label(crowded)
        give_up(writer, CROWDED)
        writer.go(on)
        writer.label(fits)
        then(after)
        writer.label(on)


def _in_order(
    body: tuple[st.Statement, ...], loops: tuple[int, ...] = ()
) -> Iterator[tuple[st.Statement, tuple[int, ...]]]:
    """All statements in the order of the text, each with the loops around it; one that holds others comes first."""
    for each in body:
        yield each, loops
        match each:
            case st.If():
                yield from _in_order(each.then, loops)
                yield from _in_order(each.otherwise, loops)
            case st.Each():
                yield from _in_order(each.body, (*loops, id(each)))


def _reads(part: st.Statement, *names: str) -> bool:
    """Whether a statement itself reads one of some variables, apart from those inside."""
    match part:
        case st.If():
            inside: Any = part.truth
        case st.Each():
            inside = part.row
        case _:
            inside = part
    return any(isinstance(each, flat.Name) and each.name in names for each in parts(inside))


def _shrinks(s: st.Store, flow: list[tuple[st.Statement, tuple[int, ...]]]) -> bool:
    """Whether a pile only loses cards from its top."""
    match s.value:
        case Known(value=()):
            return True
        case flat.ButLast(row=row) | flat.Stretch(row=row, first=Known(value=0)):
            pass
        case _:
            return False
    held = flat.Held(s.slot, s.member)
    if isinstance(row, flat.Name):
        given = [part.value for part, _ in flow if isinstance(part, st.Set) and part.name == row.name]
        return given == [held]
    return row == held
