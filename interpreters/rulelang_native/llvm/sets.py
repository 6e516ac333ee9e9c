"""Sets of places as words of bits: what is linked on a board is found by shifting such a word.

A known table of what is beside each place becomes a few steps (`Steps`): all pairs of places whose numbers differ by
the same are one shift, and a mask says where it may arrive. What is reached grows by one step after the other until
none adds anything. What may be walked on, and where one starts, is a word already if it is a known row, a few numbers,
a row that a known table tells, a gather from a known row in order, or something else that is linked; any other row
becomes one.

A row is made of such a word where somebody needs a row; both say the same, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Data, Flat, Known
from rulelang_native.llvm.bagsets import added
from rulelang_native.llvm.code import ROW, Code, Val
from rulelang_native.llvm.planes import MOST_PLACES, numbers, signed, word_for
from rulelang_native.llvm.support import alloc, function
from rulelang_native.llvm.walking import parts

if TYPE_CHECKING:
    from rulelang_native.llvm.values import Writer

MOST_STEPS = 12
"""So many different steps are less work than looking at what is beside each place."""
MOST_ITEMS = 4
"""So many numbers become a word one by one."""


@attrs.frozen
class Steps:
    """What is beside each place, as steps of the same length."""

    places: int
    steps: tuple[tuple[int, int], ...]
    """How far each goes, and the places where it may arrive, as bits."""

    @property
    def word(self) -> int:
        """Bits of the words of such places."""
        return word_for(self.places)


def steps_of(near: Flat) -> Steps | None:
    """A known table of what is beside each place as steps; None if it is none, or has too many different ones."""
    if not isinstance(near, Known) or not isinstance(near.value, tuple) or not 0 < len(near.value) <= MOST_PLACES:
        return None
    size = len(near.value)
    arriving: dict[int, int] = {}
    for place, row in enumerate(near.value):
        if not isinstance(row, tuple) or len(numbers(row)) < len(row):
            return None
        for beside in numbers(row):
            if not 0 <= beside < size:
                return None
            arriving[beside - place] = arriving.get(beside - place, 0) | 1 << beside
    if len(arriving) > MOST_STEPS:
        return None
    # the longest first: most chains lead from one row to the next
    return Steps(size, tuple(sorted(arriving.items(), key=lambda each: (-abs(each[0]), each[0]))))


def ascending(row: Data) -> tuple[int, ...]:
    """A known row of places in order, each once; none if it is something else."""
    found = numbers(row)
    fits = found and found[0] >= 0 and found[-1] < MOST_PLACES and list(found) == sorted(set(found))
    return found if fits else ()


def chosen_from(whole: tuple[st.Statement, ...], name: str) -> tuple[Data, ...]:
    """The known row of which what is gathered under a name is surely a part, in order; none if there is no such row."""
    inside = [part for part in parts(whole) if isinstance(part, st.Gather | st.Put) and part.name == name]
    if len(inside) != 2:  # begun once, and put in one place
        return ()
    loops = [part for part in parts(whole) if isinstance(part, st.Each)]
    for loop in loops:
        if st.Put(name, flat.Name(loop.name)) in _without_loops(loop.body) and isinstance(loop.row, Known):
            changed = any(part == st.Gather(name) or _sets(part, loop.name) for part in parts(loop.body))
            around = [each for each in loops if any(part is loop for part in parts(each.body))]
            once = all(st.Gather(name) in parts(each.body) for each in around)  # begun anew in each of their laps
            return loop.row.value if once and not changed and isinstance(loop.row.value, tuple) else ()
    return ()


def _sets(part: object, name: str) -> bool:
    """Whether something gives a variable a value."""
    return isinstance(part, st.Set | st.Each) and part.name == name


def _without_loops(body: tuple[st.Statement, ...]) -> Iterator[st.Statement]:
    """The statements of a lap that come to pass at most once in it."""
    for each in body:
        yield each
        if isinstance(each, st.If):
            yield from _without_loops(each.then)
            yield from _without_loops(each.otherwise)


# ------------------------------------------------------------------ operations


class Linking:
    """Writes what is done with sets of places that lie as words."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.names: dict[str, int] = {}
        """Variables that hold such sets, by their full names, with how many places there are."""
        self.gathers: dict[str, tuple[str, int]] = {}
        """What is gathered as such a set, by its full name: where its word lies, and how many places there are."""

    # -------------------------------------------------------------- which expressions

    def learn(self, body: tuple[st.Statement, ...]) -> None:
        """See which variables and gathers of a body are needed as sets, for something that is linked."""
        writer = self.writer
        found = [part for part in parts(body) if isinstance(part, flat.Linked) and steps_of(part.near) is not None]
        if not found and not writer.home.bag_sets:
            return
        given: dict[str, list[Flat]] = {}
        other: set[str] = set()
        for part in parts(body):
            match part:
                case st.Set() if writer.prefix + part.name not in writer.variables:
                    given.setdefault(part.name, []).append(part.value)
                case st.Each() | st.Gather() | st.Notes():
                    other.add(part.name)
        waiting: list[Flat] = [each for linked in found for each in (linked.start, linked.among)]
        for name, values in given.items():
            if all(each in found for each in values) or all(self.places(each) for each in values):
                waiting.append(flat.Name(name))
        names = list[str]()
        while waiting:
            match waiting.pop():
                case flat.Name(name=name) if name in given and name not in names and name not in other:
                    names.append(name)
                    waiting += given[name]
                case flat.Finished(gathered=name) if row := ascending(chosen_from(body, name)):
                    word = f"i{word_for(row[-1] + 1)}"
                    self.gathers[writer.prefix + name] = (writer.room(word), row[-1] + 1)
                case flat.Either() as either:
                    waiting += [either.then, either.otherwise]
        while True:
            before = len(self.names)
            for name in names:
                sizes = [self.places(each) for each in given[name]]
                if all(sizes):
                    self.names[writer.prefix + name] = max(size or 0 for size in sizes)
            if len(self.names) == before:
                return

    def places(self, e: Flat) -> int | None:
        """How many places there are of which an expression, which lies as a word, gives some, in order; None if it does
        not lie so."""
        match e:
            case flat.Name():
                return self.names.get(self.writer.prefix + e.name)
            case flat.Finished():
                found = self.gathers.get(self.writer.prefix + e.gathered)
                return None if found is None else found[1]
            case flat.Linked():
                steps = steps_of(e.near)
                return None if steps is None else steps.places
            case flat.Held():
                return self.writer.home.bag_sets.get(e.slot)
            case flat.Sorted() | flat.Distinct() | flat.TakenOut():
                return self.places(e.row)
            case _:
                return None

    def free(self, e: Flat, place: str) -> bool:
        """Whether it can be asked of any place whether it is in a row, before a loop over the places."""
        from rulelang_native.llvm.values import is_safe

        match e:
            case Known():
                return isinstance(e.value, tuple) and len(numbers(e.value)) == len(e.value)
            case flat.Either():
                named = any(part == flat.Name(place) for part in parts(e.truth))
                return not named and is_safe(e.truth) and self.free(e.then, place) and self.free(e.otherwise, place)
            case flat.Held():
                named = any(part == flat.Name(place) for part in parts(e.member))
                return not named and is_safe(e.member) and e.slot not in self.writer.home.bags
            case flat.Name():
                is_row = self.writer.kinds.get(e.name) == "row"
                return is_row and e.name != place and self.writer.bagging.layout(e) is None
            case _:
                return False

    # -------------------------------------------------------------- words

    def word(self, e: Flat, bits: int) -> str:
        """The numbers from 0 to some number of bits that are in a row, as a word of so many bits."""
        writer, word = self.writer, f"i{bits}"
        match e:
            case Known(value=tuple() as row):
                return str(signed(_bits(row, bits), bits))
            case flat.Name() | flat.Finished() if (size := self.places(e)) is not None:
                mine = word_for(size)
                where = writer.variable(e.name)[0] if isinstance(e, flat.Name) else self.gathered(e.gathered)[0]
                return self.fit(writer.op(f"load i{mine}, ptr {where}, align 8"), mine, bits)
            case flat.Held() if (size := self.places(e)) is not None:
                mine = word_for(size)
                found = writer.op(f"load i{mine}, ptr {self.bag_place(e.slot, e.member)}, align 8")
                return self.fit(found, mine, bits)
            case flat.Sorted() | flat.Distinct() if self.places(e) is not None:
                return self.word(e.row, bits)
            case flat.TakenOut() if self.places(e) is not None:
                rest = writer.op(f"xor {word} {writer.one_bit(writer.n(e.item), bits)}, -1")
                return writer.op(f"and {word} {self.word(e.row, bits)}, {rest}")
            case flat.Linked() if (steps := steps_of(e.near)) is not None:
                start, among = self.word(e.start, steps.word), self.word(e.among, steps.word)
                flood = writer.home.flood(steps)
                given = f"i{steps.word} {start}, i{steps.word} {among}"
                return self.fit(writer.op(f"call i{steps.word} @flood{flood}({given})"), steps.word, bits)
            case flat.Either() if self.free(e, ""):
                truth, then, other = writer.t(e.truth), self.word(e.then, bits), self.word(e.otherwise, bits)
                return writer.op(f"select i1 {truth}, {word} {then}, {word} {other}")
            case flat.At(row=Known(value=tuple() as table), place=place) if table and all(
                isinstance(row, tuple) and len(numbers(row)) == len(row) for row in table
            ):
                return writer.looked_up(tuple(_bits(row, bits) for row in table), bits, 0, place)
            case flat.Items() if 0 < len(e.items) <= MOST_ITEMS:
                found = "0"
                for item in e.items:
                    code = writer.n(item)
                    inside = writer.op(f"icmp ult i64 {code}, {bits}")
                    near = writer.op(f"select i1 {inside}, i64 {code}, i64 0")
                    one = writer.op(f"select i1 {inside}, {word} {writer.one_bit(near, bits)}, {word} 0")
                    found = writer.op(f"or {word} {found}, {one}")
                return found
            case _:
                found_ = self.near(e) if isinstance(e, flat.Held) else writer.value(e)
                assert found_.kind == "row"
                writer.home.set_words.add(bits)
                return writer.op(f"call {word} @set_of{bits}(ptr {found_.one}, i64 {found_.two})")

    # -------------------------------------------------------------- bags that lie as sets

    def bag_place(self, slot: int, member: Flat) -> str:
        """Where the word of a bag lies."""
        bits = word_for(self.writer.home.bag_sets[slot])
        place = self.writer.n(member)
        base = self.writer.home.cell_place(self.writer, slot, 0)
        return self.writer.op(f"getelementptr i{bits}, ptr {base}, i64 {place}")

    def in_bag(self, slot: int, member: str) -> Val:
        """A row of all that lies in a bag, given the number of its member."""
        bits = word_for(self.writer.home.bag_sets[slot])
        base = self.writer.home.cell_place(self.writer, slot, 0)
        where = self.writer.op(f"getelementptr i{bits}, ptr {base}, i64 {member}")
        return self.row_of(self.writer.op(f"load i{bits}, ptr {where}, align 8"), bits)

    def store(self, s: st.Store) -> None:
        """A bag holds something else now: a piece more, or what is a set already."""
        writer, where = self.writer, self.bag_place(s.slot, s.member)
        bits = word_for(writer.home.bag_sets[s.slot])
        item = added(s)
        if item is None:
            found = self.word(s.value, bits)
        else:
            before = writer.op(f"load i{bits}, ptr {where}, align 8")
            found = writer.op(f"or i{bits} {before}, {writer.one_bit(writer.n(item), bits)}")
        writer.line(f"store i{bits} {found}, ptr {where}, align 8")

    # -------------------------------------------------------------- asking

    def near(self, e: flat.Held) -> Val:
        """The row that a member holds; of one that is not there any, as it was not to be asked for then."""
        if isinstance(e.member, Known):
            return self.writer.value(e)
        member, members = self.writer.n(e.member), self.writer.home.places.members[e.slot]
        inside = self.writer.op(f"icmp ult i64 {member}, {members}")
        return self.writer.row_of(e.slot, self.writer.op(f"select i1 {inside}, i64 {member}, i64 0"))

    def reached(self, e: flat.Linked, wanted: str, bits: int) -> str:
        """Whether one of the wanted places is linked."""
        steps = steps_of(e.near)
        assert steps is not None
        given = [self.word(e.start, steps.word), self.word(e.among, steps.word), self.fit(wanted, bits, steps.word)]
        text = ", ".join(f"i{steps.word} {each}" for each in given)
        return self.writer.op(f"call i1 @reached{self.writer.home.flood(steps)}({text})")

    def has(self, e: Flat, item: str, places: int) -> str:
        """Whether a number is in a row that lies as a word."""
        writer, bits = self.writer, word_for(places)
        inside = writer.op(f"icmp ult i64 {item}, {places}")
        near = writer.op(f"select i1 {inside}, i64 {item}, i64 0")
        return writer.op(f"and i1 {inside}, {writer.bit(self.word(e, bits), near, bits)}")

    def counted(self, e: Flat, places: int) -> str:
        """How many there are in a row that lies as a word."""
        bits = word_for(places)
        return self.writer.op(f"call i64 @counted{bits}(i{bits} {self.word(e, bits)})")

    def as_row(self, e: Flat, places: int) -> Val:
        """A row of all that is in a row that lies as a word."""
        return self.row_of(self.word(e, word_for(places)), word_for(places))

    def row_of(self, word: str, bits: int) -> Val:
        """A row of all that is in a word."""
        self.writer.home.set_words.add(bits)
        return self.writer.unpacked(self.writer.op(f"call {ROW} @row_of{bits}(ptr %S, i{bits} {word})"), "row")

    def gathered(self, name: str) -> tuple[str, int]:
        """Where the word of a gather lies, and its bits."""
        where, places = self.gathers[self.writer.prefix + name]
        return where, word_for(places)

    def more(self, name: str, some: str) -> None:
        """These are gathered too."""
        where, bits = self.gathered(name)
        before = self.writer.op(f"load i{bits}, ptr {where}, align 8")
        self.writer.line(f"store i{bits} {self.writer.op(f'or i{bits} {before}, {some}')}, ptr {where}, align 8")

    def fit(self, word: str, bits: int, wanted: int) -> str:
        """A word of bits in a word of another length; what does not fit is left out."""
        if bits == wanted:
            return word
        return self.writer.op(f"{'zext' if bits < wanted else 'trunc'} i{bits} {word} to i{wanted}")


def _bits(row: Data, bits: int) -> int:
    """Those of the numbers of a row that fit into a word, as bits."""
    return sum(1 << each for each in set(numbers(row)) if 0 <= each < bits)


# ------------------------------------------------------------------ functions


def written(floods: dict[Steps, int], words: Iterable[int]) -> list[str]:
    """The functions that are called for sets."""
    found = []
    for steps, name in floods.items():
        word = f"i{steps.word}"
        header = f"define internal {word} @flood{name}({word} %start, {word} %among)"
        found.append(function(header, partial(_flood, steps=steps)))
        header = f"define internal i1 @reached{name}({word} %start, {word} %among, {word} %wanted)"
        found.append(function(header, partial(_reached, steps=steps)))
    for bits in sorted(words):
        found.append(function(f"define internal i{bits} @set_of{bits}(ptr %a, i64 %n)", partial(_set_of, bits=bits)))
        found.append(
            function(f"define internal {ROW} @row_of{bits}(ptr %S, i{bits} %set)", partial(_row_of, bits=bits))
        )
    return found


def _walk(code: Code, steps: Steps, done: str, look: Callable[[str], None]) -> str:
    """Go on by all steps until nothing is added: where what was reached lies. Each lap is looked at."""
    word = f"i{steps.word}"
    place, head, lap = code.room(word), code.fresh("head"), code.fresh("lap")
    code.line(f"store {word} {code.op(f'and {word} %start, {_where(steps, code)}')}, ptr {place}, align 8")
    arriving = []
    for distance, mask in steps.steps:
        arriving.append((distance, code.op(f"and {word} %among, {signed(mask, steps.word)}")))
    code.label(head)
    now = code.op(f"load {word}, ptr {place}, align 8")
    look(now)
    after = now
    for distance, may_arrive in arriving:
        there = code.op(f"{'shl' if distance > 0 else 'lshr'} {word} {after}, {abs(distance)}")
        after = code.op(f"or {word} {after}, {code.op(f'and {word} {there}, {may_arrive}')}")
    code.line(f"store {word} {after}, ptr {place}, align 8")
    code.split(code.op(f"icmp eq {word} {after}, {now}"), done, lap)
    code.label(lap)
    code.go(head)
    return place


def _where(steps: Steps, code: Code) -> str:
    """What may be walked on, of the places that there are."""
    every = signed((1 << steps.places) - 1, steps.word)
    return code.op(f"and i{steps.word} %among, {every}")


def _flood(code: Code, steps: Steps) -> None:
    place = _walk(code, steps, "done", lambda now: None)
    code.label("done")
    code.end(f"ret i{steps.word} {code.op(f'load i{steps.word}, ptr {place}, align 8')}")


def _reached(code: Code, steps: Steps) -> None:
    """Whether one of the wanted places is linked; nothing is walked if none of them may be walked on."""
    word = f"i{steps.word}"
    aim = code.op(f"and {word} {_where(steps, code)}, %wanted")
    code.when(code.op(f"icmp eq {word} {aim}, 0"), lambda: code.end("ret i1 false"))

    def look(now: str) -> None:
        there = code.op(f"icmp ne {word} {code.op(f'and {word} {now}, {aim}')}, 0")
        code.when(there, lambda: code.end("ret i1 true"))

    _walk(code, steps, "done", look)
    code.label("done")
    code.end("ret i1 false")


def _set_of(code: Code, bits: int) -> None:
    """The numbers of a row that fit into a word."""
    place = code.room(f"i{bits}")
    code.line(f"store i{bits} 0, ptr {place}, align 8")
    with code.loop("%n") as (at, next_lap, _):
        item, inside = code.load(code.at("%a", at)), code.fresh("inside")
        code.split(code.op(f"icmp ult i64 {item}, {bits}"), inside, next_lap)
        code.label(inside)
        shift = item if bits == 64 else code.op(f"zext i64 {item} to i{bits}")
        one = code.op(f"shl i{bits} 1, {shift}")
        before = code.op(f"load i{bits}, ptr {place}, align 8")
        code.line(f"store i{bits} {code.op(f'or i{bits} {before}, {one}')}, ptr {place}, align 8")
    code.end(f"ret i{bits} {code.op(f'load i{bits}, ptr {place}, align 8')}")


def _row_of(code: Code, bits: int) -> None:
    """The numbers of a set, in order."""
    word = f"i{bits}"
    count = code.op(f"call i64 @counted{bits}({word} %set)")
    out, place = alloc(code, count), code.room(word)
    code.line(f"store {word} %set, ptr {place}, align 8")
    with code.loop(count) as (at, _, _):
        now = code.op(f"load {word}, ptr {place}, align 8")
        least = code.op(f"call {word} @llvm.cttz.{word}({word} {now}, i1 true)")
        code.store(least if bits == 64 else code.op(f"trunc {word} {least} to i64"), code.at(out, at))
        rest = code.op(f"and {word} {now}, {code.op(f'sub {word} {now}, 1')}")
        code.line(f"store {word} {rest}, ptr {place}, align 8")
    code.end(f"ret {ROW} {code.packed(Val('row', out, count))}")
