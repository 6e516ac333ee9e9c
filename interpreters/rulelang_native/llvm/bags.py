"""Bags as counts: a bag of few kinds of pieces lies as one word of 64 bits, so many bits for each kind.

Which zones lie so is decided from declarations and uses alone. Pieces only ever move, so that of each kind there are
never more in a zone than there were on the table before play: that many fit into its bits. What is made of such bags
for a moment (two of them together, a card more) may be more, and is looked at (`Bagging.together`): what does not fit
is given up, and printed Python plays the game.

What is asked of a bag (how many, of how many kinds, of one kind, a bag without a card, whether it divides into groups)
is worked out on the word. A row is made of it where somebody needs a row; both say the same, in order of codes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.ir.program import Program, Zone
from rulelang.ir.types import RecordType
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Data, Flat, Known
from rulelang_native.llvm.code import ROW, Code, Val
from rulelang_native.llvm.support import CROWDED, alloc, function, give_up
from rulelang_native.llvm.walking import given_alone

if TYPE_CHECKING:
    from rulelang_native.llvm.values import Writer

WORD = 64
"""Bits of a bag."""


@attrs.frozen
class Packed:
    """How bags of some kind of piece lie in a word."""

    low: int
    """The least code."""
    most: tuple[int, ...]
    """Of each code from there on: how many there are on the table."""

    @property
    def codes(self) -> int:
        """How many codes there are."""
        return len(self.most)

    @property
    def bits(self) -> int:
        """Bits of each code."""
        return max(1, max(self.most).bit_length())

    @property
    def used(self) -> int:
        """Bits that can be set while all pieces are those on the table."""
        return sum(((1 << most.bit_length()) - 1) << self.bits * code for code, most in enumerate(self.most))

    @property
    def name(self) -> str:
        """What functions of it are called."""
        return f"{self.low}_{self.codes}_{self.bits}".replace("-", "m")

    def every(self, bits: int = 1) -> int:
        """The same bits for each code."""
        return sum(bits << self.bits * code for code in range(self.codes))

    def word(self, row: Iterable[int]) -> int | None:
        """A row as a word; None if it does not fit."""
        counts = Counter(row)
        found = 0
        for item, count in counts.items():
            if not 0 <= item - self.low < self.codes or count.bit_length() > self.bits:
                return None
            found |= count << (item - self.low) * self.bits
        return found

    def row(self, word: int) -> tuple[int, ...]:
        """A word as a row."""
        field = (1 << self.bits) - 1
        return tuple(self.low + code for code in range(self.codes) for _ in range(word >> code * self.bits & field))


def signed(word: int) -> int:
    """A word as LLVM writes it."""
    return word - (1 << WORD) if word >> WORD - 1 else word


# ------------------------------------------------------------------ which zones


def possible(program: Program, laid: Sequence[Sequence[Any]], lows: Sequence[tuple[int, int]]) -> dict[int, Packed]:
    """The zones that could lie as counts, given what lies in each cell of each slot before play, and the least and
    greatest code of each slot."""
    zones = {slot: each for slot, each in enumerate(program.slots) if isinstance(each, Zone)}
    found: dict[int, Packed] = {}
    for slot, zone in zones.items():
        if zone.shape != "bag" or zone.blind or isinstance(zone.content, RecordType):
            continue
        low, high = lows[slot]
        copies: Counter[int] = Counter()
        for other, each in zones.items():
            if each.content == zone.content:
                copies.update(piece for row in laid[other] for piece in row)
        if high < low or high - low >= WORD or any(not low <= piece <= high for piece in copies):
            continue
        packed = Packed(low, tuple(copies[code] for code in range(low, high + 1)))
        if packed.codes * packed.bits <= WORD:
            found[slot] = packed
    return found


NATIVE = (flat.Length, flat.Has, flat.Times, flat.Distinct, flat.Sorted, flat.BagMinus, flat.TakenOut, flat.IsOne,
          flat.Divided, st.Store, st.Set, st.Each)  # fmt: skip
"""What is done on the word with a bag that stands directly inside."""


def suiting(possible: Mapping[int, Packed], played: Any) -> dict[int, Packed]:
    """Those of which rows are seldom needed: at most one in three uses needs one. A bag that is put together with
    others in some order, or kept under a name, counts as used where that is used."""
    native, others = Counter[int](), Counter[int]()

    def look(thing: Any, above: type | None) -> None:
        match thing:
            case flat.Held() if thing.slot in possible:
                (native if above in NATIVE else others)[thing.slot] += 1
                look(thing.member, flat.Held)
                return
            case flat.Joined() if above in NATIVE and above is not st.Each:
                look(thing.left, above)
                look(thing.right, above)
                return
        if isinstance(thing, tuple):
            for each in thing:
                look(each, above)
        elif attrs.has(type(thing)):
            for field in attrs.fields(type(thing)):
                look(getattr(thing, field.name), type(thing))

    look(played, None)
    return {slot: packed for slot, packed in possible.items() if native[slot] > 2 * others[slot]}


# ------------------------------------------------------------------ operations


class Bagging:
    """Writes what is done with bags that lie as counts."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.names: dict[str, Packed] = {}
        """Variables that hold such bags, by their full names."""

    # -------------------------------------------------------------- which expressions

    def learn(self, body: tuple[st.Statement, ...]) -> None:
        """See which variables of a body hold bags: those that are given nothing else."""
        writer = self.writer
        if not writer.home.bags:
            return
        given = given_alone(body)
        left = {name for name in given if writer.prefix + name not in writer.variables}
        while True:
            found = False
            for name in sorted(left):
                layouts = {self.layout(each) for each in given[name] if not isinstance(each, Known)}
                layout = next(iter(layouts)) if len(layouts) == 1 else None
                known = [each for each in given[name] if isinstance(each, Known)]
                if layout is not None and all(_fits(each.value, layout) for each in known):
                    self.names[writer.prefix + name] = layout
                    left.discard(name)
                    found = True
            if not found:
                return

    def layout(self, e: Flat, *, loose: bool = False) -> Packed | None:
        """How the row that an expression gives lies as counts; None if it does not. ``loose``: as if its order did not
        matter; otherwise it is in order."""
        match e:
            case flat.Held():
                return self.writer.home.bags.get(e.slot)
            case flat.Name():
                return self.names.get(self.writer.prefix + e.name)
            case flat.Sorted():
                return self.layout(e.row, loose=True)
            case flat.Joined() if loose:
                for one, more in ((e.left, e.right), (e.right, e.left)):
                    found = self.layout(one, loose=True)
                    if found is not None and self.packs(more, found):
                        return found
                return None
            case flat.TakenOut():
                return self.layout(e.row, loose=loose)
            case flat.BagMinus():
                found = self.layout(e.left, loose=loose)
                return found if found is not None and isinstance(e.right, flat.Items) and _single(e.right) else None
            case flat.Either():
                found = self.layout(e.then, loose=loose)
                return found if found is not None and self.layout(e.otherwise, loose=loose) == found else None
            case _:
                return None

    def packs(self, e: Flat, layout: Packed) -> bool:
        """Whether what an expression gives can be counted without a row being made."""
        match e:
            case Known():
                return _fits(e.value, layout, loose=True)
            case flat.Items():
                return _single(e)
            case flat.LastOne():
                return True
            case _:
                return self.writer.singles.single(e) or self.layout(e, loose=True) == layout

    # -------------------------------------------------------------- words

    def word(self, e: Flat, layout: Packed, *, whole: bool = False) -> str:
        """A bag as a word; what does not lie so yet is counted. ``whole``: it is what a zone holds, so that it fits."""
        writer = self.writer
        match e:
            case Known() if _fits(e.value, layout, loose=True):
                assert isinstance(e.value, tuple)
                return str(signed(layout.word(_numbers(e.value)) or 0))
            case flat.Held() if writer.home.bags.get(e.slot) == layout:
                return writer.load(writer.cell(e.slot, e.member)[0])
            case flat.Name() if self.layout(e) == layout:
                return writer.load(writer.variable(e.name)[0])
            case flat.Sorted():
                return self.word(e.row, layout, whole=whole)
            case flat.Joined():
                left = self.word(e.left, layout, whole=whole)
                right = self.word(e.right, layout, whole=whole)
                return self.together(left, right, layout, sure=whole or _apart(e))
            case flat.Items():
                found = "0"
                for item in e.items:
                    found = self.together(found, self.one(writer.n(item), layout), layout, sure=whole)
                return found
            case _ if writer.singles.single(e):
                number, place = writer.singles.number(e), writer.room()
                writer.store("0", place)

                def only() -> None:
                    writer.store(self.one(number, layout), place)

                writer.when(writer.singles.some(number), only)
                return writer.load(place)
            case flat.LastOne() if writer.piling.is_pile(
                e.row
            ):  # before its cards lies a number, so no branch is needed
                row = writer.value(e.row)
                some = writer.op(f"icmp ne i64 {row.two}, 0")
                card = writer.load(writer.at(row.one, writer.op(f"sub i64 {row.two}, 1")))
                shift, inside = self.place(card, layout)
                self.gives_up(writer.op(f"and i1 {some}, {writer.op(f'xor i1 {inside}, true')}"))
                return writer.op(f"shl i64 {writer.op(f'zext i1 {some} to i64')}, {shift}")
            case flat.LastOne():
                row = writer.value(e.row)
                place = writer.room()
                writer.store("0", place)

                def last() -> None:
                    at = writer.op(f"sub i64 {row.two}, 1")
                    writer.store(self.one(writer.load(writer.at(row.one, at)), layout), place)

                writer.when(writer.op(f"icmp ne i64 {row.two}, 0"), last)
                return writer.load(place)
            case flat.TakenOut() if self.layout(e, loose=True) == layout:
                bag = self.word(e.row, layout, whole=whole)
                return writer.op(f"sub i64 {bag}, {self.one(writer.n(e.item), layout)}")
            case flat.BagMinus() if self.layout(e, loose=True) == layout:
                bag = self.word(e.left, layout)
                assert isinstance(e.right, flat.Items)
                taken = writer.n(e.right.items[0])
                there = self.has(bag, taken, layout)
                shift, _ = self.place(taken, layout)
                one = writer.op(f"shl i64 {writer.op(f'zext i1 {there} to i64')}, {shift}")
                return writer.op(f"sub i64 {bag}, {one}")
            case flat.Either():
                place = writer.room()

                def keep(part: Flat) -> None:
                    writer.store(self.word(part, layout, whole=whole), place)

                writer.when(writer.t(e.truth), lambda: keep(e.then), lambda: keep(e.otherwise))
                return writer.load(place)
            case _:
                return self.of_row(writer.value(e), layout)

    def of_row(self, row: Val, layout: Packed) -> str:
        """A row, counted."""
        return self.writer.op(f"call i64 @bag{layout.name}(ptr %S, ptr {row.one}, i64 {row.two})")

    def as_row(self, word: str, layout: Packed) -> Val:
        """A row of all that is in a bag."""
        return self.writer.unpacked(self.writer.op(f"call {ROW} @row{layout.name}(ptr %S, i64 {word})"), "row")

    def together(self, left: str, right: str, layout: Packed, *, sure: bool) -> str:
        """Two bags together; looked at if it is not sure that they fit."""
        writer = self.writer
        if "0" in (left, right):
            return right if left == "0" else left
        found = writer.op(f"add i64 {left}, {right}")
        if not sure:
            carried = writer.op(f"xor i64 {writer.op(f'xor i64 {left}, {right}')}, {found}")
            first = signed(layout.every() & ~1 | (1 << layout.codes * layout.bits) % (1 << WORD))
            over = writer.op(f"icmp ne i64 {writer.op(f'and i64 {carried}, {first}')}, 0")
            if layout.codes * layout.bits == WORD:
                over = writer.op(f"or i1 {over}, {writer.op(f'icmp ult i64 {found}, {left}')}")
            self.gives_up(over)
        return found

    def gives_up(self, truth: str) -> None:
        """Leave a mark if something does not fit."""
        yes, on = self.writer.fresh("crowded"), self.writer.fresh("on")
        self.writer.split(truth, yes, on, (1, 2000))
        self.writer.label(yes)
        give_up(self.writer, CROWDED)
        self.writer.label(on)

    def place(self, item: str, layout: Packed) -> tuple[str, str]:
        """Where in a word an item is counted, and whether it is counted at all; somewhere if it is not."""
        writer = self.writer
        off = writer.op(f"sub i64 {item}, {layout.low}") if layout.low else item
        inside = writer.op(f"icmp ult i64 {off}, {layout.codes}")
        near = writer.op(f"select i1 {inside}, i64 {off}, i64 0")
        return writer.op(f"mul nuw nsw i64 {near}, {layout.bits}"), inside

    def one(self, item: str, layout: Packed) -> str:
        """A bag of one item; what cannot be in it is given up."""
        shift, inside = self.place(item, layout)
        self.gives_up(self.writer.op(f"xor i1 {inside}, true"))
        return self.writer.op(f"shl i64 1, {shift}")

    def times(self, bag: str, item: str, layout: Packed) -> str:
        """How many of an item are in a bag."""
        writer = self.writer
        shift, inside = self.place(item, layout)
        field = writer.op(f"and i64 {writer.op(f'lshr i64 {bag}, {shift}')}, {(1 << layout.bits) - 1}")
        return writer.op(f"select i1 {inside}, i64 {field}, i64 0")

    def has(self, bag: str, item: str, layout: Packed) -> str:
        """Whether an item is in a bag."""
        return self.writer.op(f"icmp ne i64 {self.times(bag, item, layout)}, 0")

    def there(self, bag: str, layout: Packed) -> str:
        """One of each kind that is in a bag."""
        return there(self.writer, bag, layout)

    def counted(self, bag: str, layout: Packed) -> str:
        """How many are in a bag."""
        return counted(self.writer, bag, layout)

    # -------------------------------------------------------------- loops

    def each(self, s: st.Each) -> bool:
        """A loop through a bag, or through the kinds in it; False if it goes through something else."""
        writer = self.writer
        if not writer.home.bags:
            return False
        if isinstance(s.row, flat.Distinct) and (layout := self.layout(s.row.row, loose=True)) is not None:
            bag, once = self.there(self.word(s.row.row, layout), layout), True
        elif (layout := self.layout(s.row)) is not None:
            bag, once = self.word(s.row, layout), False
        else:
            return False
        left = writer.room()
        writer.store(bag, left)
        element = writer.variable(s.name)
        head, lap, on = (writer.fresh(stem) for stem in ("head", "lap", "on"))
        writer.label(head)
        now = writer.load(left)
        writer.split(writer.op(f"icmp ne i64 {now}, 0"), lap, on)
        writer.label(lap)
        lowest = writer.op(f"call i64 @llvm.cttz.i64(i64 {now}, i1 true)")
        code = writer.op(f"udiv i64 {lowest}, {layout.bits}")
        if once:
            rest = writer.op(f"and i64 {now}, {writer.op(f'sub i64 {now}, 1')}")
        else:
            one = writer.op(f"shl i64 1, {writer.op(f'mul nuw nsw i64 {code}, {layout.bits}')}")
            rest = writer.op(f"sub i64 {now}, {one}")
        writer.store(rest, left)
        item = writer.op(f"add nsw i64 {code}, {layout.low}") if layout.low else code
        writer.keep(element, Val("number", item))
        writer.in_loop(head, on, s.body)
        writer.go(head)
        writer.label(on)
        return True


def there(code: Code, bag: str, layout: Packed) -> str:
    """One of each kind that is in a bag."""
    found, bits = bag, layout.bits
    width = 1
    while width < bits:
        step = min(width, bits - width)
        found = code.op(f"or i64 {found}, {code.op(f'lshr i64 {found}, {step}')}")
        width += step
    return found if bits == 1 else code.op(f"and i64 {found}, {signed(layout.every())}")


def counted(code: Code, bag: str, layout: Packed) -> str:
    """How many are in a bag."""
    if layout.bits == 1:
        return code.op(f"call i64 @llvm.ctpop.i64(i64 {bag})")
    if layout.bits == 4:  # no more than 15 of each of 16, so that a byte has room for all
        low = signed(sum(15 << 8 * byte for byte in range(8)))
        halves = code.op(f"and i64 {bag}, {low}"), code.op(f"and i64 {code.op(f'lshr i64 {bag}, 4')}, {low}")
        bytes_ = code.op(f"add nuw nsw i64 {halves[0]}, {halves[1]}")
        return code.op(f"lshr i64 {code.op(f'mul i64 {bytes_}, {sum(1 << 8 * byte for byte in range(8))}')}, 56")
    total = ""
    for bit in range(layout.bits):
        part = code.op(f"and i64 {bag}, {signed(layout.every(1 << bit))}")
        count = code.op(f"call i64 @llvm.ctpop.i64(i64 {part})")
        more = code.op(f"shl nuw nsw i64 {count}, {bit}") if bit else count
        total = code.op(f"add nuw nsw i64 {total}, {more}") if total else more
    return total


def _numbers(row: tuple[Data, ...]) -> tuple[int, ...]:
    return tuple(each for each in row if isinstance(each, int))


def _fits(value: Data, layout: Packed, *, loose: bool = False) -> bool:
    """Whether a known row can lie as counts."""
    if not isinstance(value, tuple) or len(_numbers(value)) < len(value):
        return False
    numbers = _numbers(value)
    return (loose or list(numbers) == sorted(numbers)) and layout.word(numbers) is not None


def _single(e: flat.Items) -> bool:
    """Whether it is a row of one number."""
    return len(e.items) == 1 and not isinstance(e.items[0], flat.Items) and _is_number(e.items[0])


def _is_number(e: Flat) -> bool:
    return not isinstance(e, Known) or isinstance(e.value, int)


def _apart(e: Flat) -> bool:
    """Whether all that is put together lies in different cells, so that it is no more than there is on the table."""
    cells: list[tuple[int, Flat, int]] = []

    def look(e: Flat) -> bool:
        match e:
            case flat.Joined():
                return look(e.left) and look(e.right)
            case flat.Sorted():
                return look(e.row)
            case flat.Held():
                base, off = _from(e.member)
                for slot, other, other_off in cells:
                    if slot == e.slot and (other != base or other_off == off):
                        return False
                cells.append((e.slot, base, off))
                return True
            case _:
                return False

    return look(e)


def _from(member: Flat) -> tuple[Flat, int]:
    """A member as something and a number added to it."""
    match member:
        case Known(value=int() as value):
            return Known(0), value
        case flat.Math(operator="+", left=left, right=Known(value=int() as value)):
            return left, value
        case _:
            return member, 0


# ------------------------------------------------------------------ functions


def written(layout: Packed) -> str:
    """What turns rows into such bags, and bags into rows."""

    def bag(code: Code) -> None:
        found = code.room()
        code.store("0", found)
        with code.loop("%n") as (at, next_lap, _):
            off = code.op(f"sub i64 {code.load(code.at('%a', at))}, {layout.low}")
            inside, fits, wrong = code.fresh("inside"), code.fresh("fits"), code.fresh("wrong")
            code.split(code.op(f"icmp ult i64 {off}, {layout.codes}"), inside, wrong)
            code.label(inside)
            shift = code.op(f"mul nuw nsw i64 {off}, {layout.bits}")
            now = code.load(found)
            field = code.op(f"and i64 {code.op(f'lshr i64 {now}, {shift}')}, {(1 << layout.bits) - 1}")
            code.split(code.op(f"icmp ne i64 {field}, {(1 << layout.bits) - 1}"), fits, wrong)
            code.label(wrong)
            give_up(code, CROWDED)
            code.go(next_lap)
            code.label(fits)
            code.store(code.op(f"add i64 {now}, {code.op(f'shl i64 1, {shift}')}"), found)
        code.end(f"ret i64 {code.load(found)}")

    def row(code: Code) -> None:
        count = counted(code, "%bag", layout)
        out, left = alloc(code, count), code.room()
        code.store("%bag", left)
        with code.loop(count) as (at, _, _):
            now = code.load(left)
            number = code.op(f"udiv i64 {code.op(f'call i64 @llvm.cttz.i64(i64 {now}, i1 true)')}, {layout.bits}")
            code.store(code.op(f"add i64 {number}, {layout.low}"), code.at(out, at))
            one = code.op(f"shl i64 1, {code.op(f'mul nuw nsw i64 {number}, {layout.bits}')}")
            code.store(code.op(f"sub i64 {now}, {one}"), left)
        code.end(f"ret {ROW} {code.packed(Val('row', out, count))}")

    return "\n".join(
        [
            function(f"define internal i64 @bag{layout.name}(ptr %S, ptr %a, i64 %n)", bag),
            function(f"define internal {ROW} @row{layout.name}(ptr %S, i64 %bag)", row),
        ]
    )
