"""Rows of some of a few numbers that go up by one, in order, as bits; and what is gathered along such a row.

Players that are still in, those who hold the most: such rows are made and looked at in small programs all the time. As
bits they need no memory. What is gathered along one, one number for each of its elements, lies in as many places as
there could be elements, so that the best of them, and those that have it, are found by comparing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Data, Flat, Known
from rulelang_native.flat.program import Function
from rulelang_native.llvm.code import Val
from rulelang_native.llvm.planes import numbers
from rulelang_native.llvm.sets import chosen_from
from rulelang_native.llvm.shaping import ROWS
from rulelang_native.llvm.support import CROWDED, alloc, give_up
from rulelang_native.llvm.walking import given_alone, parts

if TYPE_CHECKING:
    from rulelang_native.llvm.values import Writer

MOST_TO_GATHER = 5
"""All rows that can be gathered of so many numbers lie ready."""

Span = tuple[int, int]
"""The least of the numbers, and how many there are."""


def in_steps(row: Data) -> Span | None:
    """Where a known row that goes up by one each time begins, and its length."""
    if not isinstance(row, tuple) or not row or not isinstance(row[0], int):
        return None
    return (row[0], len(row)) if row == tuple(range(row[0], row[0] + len(row))) else None


def some_of(whole: tuple[st.Statement, ...], name: str) -> Span | None:
    """If what is gathered under a name is surely some of a few numbers that go up by one, in order: the least of them,
    and how many there are."""
    span = in_steps(chosen_from(whole, name))
    return span if span is not None and span[0] >= 0 and span[1] <= MOST_TO_GATHER else None


def going(row: Flat) -> Span | None:
    """The numbers that a loop surely goes through, all of them, if they go up by one."""
    match row:
        case flat.Span(low=Known(value=int() as low), high=Known(value=int() as high)):
            return (low, high - low + 1) if high >= low else None
        case Known():
            return in_steps(row.value)
        case _:
            return None


@attrs.frozen
class Told:
    """What is gathered along a row."""

    span: Span
    values: str
    """Where the numbers lie, as many as there could be elements."""
    there: str
    """Where the bits lie that say which there are."""
    loop: str
    """What the loop calls an element."""


def along(body: tuple[st.Statement, ...], name: str) -> st.Each | None:
    """The loop each lap of which puts one number to what is gathered under a name, if it is surely gathered so."""
    begun = sum(part == st.Gather(name) for part in parts(body))
    puts = _count(body, name)
    if begun != 1 or not puts:
        return None
    for loop in _once_begun(body, st.Gather(name)):
        if _count(loop.body, name) == puts:
            finished = any(part == flat.Finished(name) for part in parts(loop.body))
            named = sum(isinstance(part, st.Set | st.Each) and part.name == loop.name for part in parts(body))
            changed = named != 1
            return loop if not finished and not changed and _puts(loop.body, name) == 1 else None
    return None


def _count(body: tuple[st.Statement, ...], name: str) -> int:
    """In how many places something is put to a gather."""
    return sum(isinstance(part, st.Put) and part.name == name for part in parts(body))


def _once_begun(body: tuple[st.Statement, ...], begins: st.Gather) -> Iterator[st.Each]:
    """The loops that stand behind a beginning, in the same list of statements."""
    if begins in body:
        yield from (each for each in body[body.index(begins) :] if isinstance(each, st.Each))
        return
    for each in body:
        match each:
            case st.If():
                yield from _once_begun(each.then, begins)
                yield from _once_begun(each.otherwise, begins)
            case st.Each():
                yield from _once_begun(each.body, begins)


def _puts(body: tuple[st.Statement, ...], name: str) -> int | None:
    """How often something is put to a gather each time, if that is sure; None if it is not."""
    count = 0
    for each in body:
        match each:
            case st.Put() if each.name == name:
                count += 1
            case st.If():
                then, otherwise = _puts(each.then, name), _puts(each.otherwise, name)
                if then is None or then != otherwise:
                    return None
                count += then
            case st.Each():
                if any(isinstance(part, st.Put) and part.name == name for part in parts(each.body)):
                    return None
                if any(isinstance(part, st.Give) for part in parts(each.body)):
                    return None
            case st.Stop() | st.Skip() | st.Give():
                return None
    return count


def ending(function: Function, seats: int) -> tuple[str, Span] | None:
    """What a function gathers that gives one number for each of so many, one after the other, and no row of it is
    needed: its name, and the numbers that its loop goes through."""
    match function.body:
        case (*before, st.Give(value=flat.Finished(gathered=name))):
            loop = along(function.body, name)
            span = going(loop.row) if loop is not None else None
            named = sum(part == flat.Finished(name) for part in parts(function.body))
            if span is not None and span[1] <= seats and loop in before and st.Gather(name) in before and named == 1:
                early = any(isinstance(part, st.Give) for part in parts(tuple(before)))
                return None if early else (name, span)
    return None


def names_each(function: Function, seats: int) -> bool:
    """Whether all rows that a function gives name their numbers one by one, and these are not too many."""

    def named(e: Flat) -> bool:
        match e:
            case Known():
                return isinstance(e.value, tuple) and len(numbers(e.value)) == len(e.value) <= seats
            case flat.Items():
                return len(e.items) <= seats
            case flat.Either():
                return named(e.then) and named(e.otherwise)
            case _:
                return False

    values = [part.value for part in parts(function.body) if isinstance(part, st.Give)]
    return all(each is not None and named(each) for each in values)


class Somes:
    """Writes what is done with such rows."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.names: dict[str, Span] = {}
        """Variables that hold such rows, by their full names."""
        self.told: dict[str, Told] = {}
        """What is gathered along such a row, by its full name."""
        self.telling: dict[str, str] = {}
        """Variables that hold what was gathered so, with the full name of that."""

    # -------------------------------------------------------------- which expressions

    def learn(self, body: tuple[st.Statement, ...]) -> None:
        """See which variables of a body hold such rows, and what is gathered along them."""
        writer = self.writer
        if not writer.home.apart:
            return
        given = given_alone(body)
        left = {name for name in given if writer.prefix + name not in writer.variables}
        gathered = sorted({part.name for part in parts(body) if isinstance(part, st.Gather)})
        while True:
            found = False
            for name in gathered:
                found |= self.learn_gather(body, name)
            for name in sorted(left):
                found_ = self.learn_name(name, given[name])
                found |= found_
                if found_:
                    left.discard(name)
            if not found:
                return

    def learn_gather(self, body: tuple[st.Statement, ...], name: str) -> bool:
        """See whether something is gathered along a row; whether that is new."""
        writer, full = self.writer, self.writer.prefix + name
        if full in self.told or full in writer.linking.gathers or writer.kinds.get(name) in ROWS:
            return False
        loop = along(body, name)
        span = self.span(loop.row) if loop is not None else None
        if loop is None or span is None or some_of(body, name) is not None:
            return False
        self.told[full] = Told(span, writer.room(f"[{span[1]} x i64]"), writer.room(), loop.name)
        return True

    def write_down(self, ending: tuple[str, Span], body: tuple[st.Statement, ...]) -> None:
        """What an ending gathers is written down where it is wanted, one after the other."""
        name, span = ending
        loop = along(body, name)
        assert loop is not None
        self.told[self.writer.prefix + name] = Told(span, "%out", self.writer.room(), loop.name)

    def learn_name(self, name: str, given: list[Flat]) -> bool:
        """See whether a variable holds such a row; whether that is new."""
        full = self.writer.prefix + name
        if len(given) == 1 and isinstance(given[0], flat.Finished):
            gathered = self.writer.prefix + given[0].gathered
            if gathered in self.told:
                self.telling[full] = gathered
                return True
        spans = {self.span(each) for each in given if not isinstance(each, Known)}
        span = spans.pop() if len(spans) == 1 else None
        if span is None or not all(_fits(each, span) for each in given if isinstance(each, Known)):
            return False
        self.names[full] = span
        return True

    def span(self, e: Flat) -> Span | None:
        """The numbers of which a row that lies as bits has some; None if it does not lie so."""
        writer = self.writer
        if not writer.home.apart:
            return None
        match e:
            case flat.Name():
                return self.names.get(writer.prefix + e.name)
            case flat.Finished():
                full = writer.prefix + e.gathered
                return None if full in writer.linking.gathers else some_of(writer.whole, e.gathered)
            case flat.Tied():
                return self.span(e.row) if self.along(e.numbers) is not None else None
            case flat.Either():
                ways = [each for each in (e.then, e.otherwise) if not isinstance(each, Known)]
                spans = {self.span(each) for each in ways}
                span = spans.pop() if len(spans) == 1 else None
                known = [each for each in (e.then, e.otherwise) if isinstance(each, Known)]
                return span if span is not None and all(_fits(each, span) for each in known) else None
            case flat.Result():
                return writer.home.somes.get(e.function)
            case _:
                return None

    def along(self, e: Flat) -> Told | None:
        """What was gathered along such a row, if a row is that."""
        match e:
            case flat.Finished():
                return self.told.get(self.writer.prefix + e.gathered)
            case flat.Name():
                full = self.telling.get(self.writer.prefix + e.name)
                return None if full is None else self.told[full]
            case _:
                return None

    # -------------------------------------------------------------- bits

    def given(self, body: tuple[st.Statement, ...]) -> Span | None:
        """The numbers of which everything that a body gives has some, if all lies so."""
        values = [part.value for part in parts(body) if isinstance(part, st.Give)]
        spans = {self.span(each) for each in values if each is not None and not isinstance(each, Known)}
        span = spans.pop() if len(spans) == 1 else None
        known = [each for each in values if isinstance(each, Known)]
        return span if span is not None and all(_fits(each, span) for each in known) else None

    def bits(self, e: Flat, span: Span) -> str:
        """Which of the numbers a row has, as bits."""
        writer = self.writer
        match e:
            case Known():
                return str(sum(1 << each - span[0] for each in numbers(e.value)))
            case flat.Name():
                return writer.load(writer.variable(e.name)[0])
            case flat.Finished():
                return writer.load(writer.subsets[writer.prefix + e.gathered][0])
            case flat.Tied():
                return self.tied(e, span)
            case flat.Result():
                return writer.called_for_bits(e)
            case _:
                assert isinstance(e, flat.Either)
                place, either = writer.room(), e

                def keep(part: Flat) -> None:
                    writer.store(self.bits(part, span), place)

                writer.when(writer.t(either.truth), lambda: keep(either.then), lambda: keep(either.otherwise))
                return writer.load(place)

    def tied(self, e: flat.Tied, span: Span) -> str:
        """Those whose number equals the best one."""
        writer, told, best = self.writer, self.along(e.numbers), self.writer.n(e.best)
        assert told is not None
        row, there = self.bits(e.row, span), writer.load(told.there)
        # the numbers were told along the very same row, as far as anybody knows
        same, on, wrong = writer.op(f"icmp eq i64 {row}, {there}"), writer.fresh("same"), writer.fresh("apart")
        writer.split(same, on, wrong, (2000, 1))
        writer.label(wrong)
        give_up(writer, CROWDED)
        writer.leave()
        writer.label(on)
        found = "0"
        for place in range(span[1]):
            is_it = writer.op(f"icmp eq i64 {writer.load(writer.at(told.values, place))}, {best}")
            both = writer.op(f"select i1 {self.bit(there, place)}, i1 {is_it}, i1 false")
            one = writer.op(f"select i1 {both}, i64 {1 << place}, i64 0")
            found = writer.op(f"or i64 {found}, {one}")
        return found

    def bit(self, bits: str, place: int) -> str:
        """Whether the number at a place is one of them."""
        one = self.writer.op(f"and i64 {bits}, {1 << place}")
        return self.writer.op(f"icmp ne i64 {one}, 0")

    def has(self, e: Flat, span: Span, item: str) -> str:
        """Whether a number is one of them."""
        writer = self.writer
        off = writer.op(f"sub i64 {item}, {span[0]}") if span[0] else item
        inside = writer.op(f"icmp ult i64 {off}, {span[1]}")
        near = writer.op(f"select i1 {inside}, i64 {off}, i64 0")
        there = writer.op(f"trunc i64 {writer.op(f'lshr i64 {self.bits(e, span)}, {near}')} to i1")
        return writer.op(f"and i1 {inside}, {there}")

    def counted(self, bits: str) -> str:
        """How many there are."""
        return self.writer.op(f"call i64 @llvm.ctpop.i64(i64 {bits})")

    def element(self, e: Flat, span: Span, place: Flat) -> str:
        """The number at a place of the row, which is there."""
        writer, bits = self.writer, self.bits(e, span)
        if place == Known(0):
            found = writer.op(f"call i64 @llvm.cttz.i64(i64 {bits}, i1 true)")
        else:
            found = writer.op(f"call i64 @kth64(i64 {bits}, i64 {writer.n(place)})")
        return writer.op(f"add i64 {found}, {span[0]}") if span[0] else found

    def as_row(self, bits: str, span: Span) -> Val:
        """A row of them: all that there can be lie ready."""
        writer, (low, size) = self.writer, span
        where = f"getelementptr [{size} x i64], ptr {writer.home.constants.subsets(low, size)}, i64 {bits}"
        return Val("row", writer.op(where), self.counted(bits))

    # -------------------------------------------------------------- what is gathered along

    def best(self, told: Told, most: bool) -> str:
        """The greatest or least number that was gathered; there is one."""
        writer, there = self.writer, self.writer.load(told.there)
        worst = -(1 << 63) if most else (1 << 63) - 1
        found = str(worst)
        for place in range(told.span[1]):
            value = writer.load(writer.at(told.values, place))
            here = writer.op(f"select i1 {self.bit(there, place)}, i64 {value}, i64 {worst}")
            found = writer.op(f"call i64 @llvm.s{'max' if most else 'min'}.i64(i64 {found}, i64 {here})")
        return found

    def told_row(self, told: Told) -> Val:
        """A row of what was gathered."""
        writer = self.writer
        there, filled = writer.load(told.there), writer.room()
        out = alloc(writer, str(told.span[1]))
        writer.store("0", filled)
        for place in range(told.span[1]):

            def put(place: int = place) -> None:
                now = writer.load(filled)
                writer.store(writer.load(writer.at(told.values, place)), writer.at(out, now))
                writer.store(writer.op(f"add i64 {now}, 1"), filled)

            writer.when(self.bit(there, place), put)
        return Val("row", out, writer.load(filled))

    def put(self, s: st.Put) -> bool:
        """One more number that is gathered along a row; False if it is something else."""
        writer, told = self.writer, self.told.get(self.writer.prefix + s.name)
        if told is None:
            return False
        place = writer.n(flat.Name(told.loop))
        if told.span[0]:
            place = writer.op(f"sub i64 {place}, {told.span[0]}")
        item = writer.n(s.item)
        writer.store(item, writer.at(told.values, place))
        return True

    # -------------------------------------------------------------- loops

    def each(self, s: st.Each) -> bool:
        """A loop through such a row; False if it goes through something else."""
        writer, span = self.writer, self.span(s.row)
        if span is None:
            return False
        bits = self.bits(s.row, span)
        for full, told in self.told.items():
            if told.loop == s.name and full.startswith(writer.prefix):
                writer.store(bits, told.there)
        with writer.loop(str(span[1])) as (at, next_lap, on):
            there = writer.op(f"trunc i64 {writer.op(f'lshr i64 {bits}, {at}')} to i1")
            lap = writer.fresh("there")
            writer.split(there, lap, next_lap)
            writer.label(lap)
            item = writer.op(f"add i64 {at}, {span[0]}") if span[0] else at
            writer.keep(writer.variable(s.name), Val("number", item))
            writer.in_loop(next_lap, on, s.body)
        return True


def _fits(e: Known, span: Span) -> bool:
    """Whether a known row is some of these numbers, in order."""
    row = numbers(e.value)
    inside = all(0 <= each - span[0] < span[1] for each in row)
    return (bool(row) or e.value == ()) and inside and list(row) == sorted(set(row))
