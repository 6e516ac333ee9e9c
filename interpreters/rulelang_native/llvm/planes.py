"""Boards as planes: a zone or marker over at most 512 places with few values lies as one word of bits for each value.

A loop that looks for places, or goes through those for which something holds, then becomes a few operations on whole
words: which places hold is worked out for all of them at once. What can be worked out like that (`Masks`) is a formula
of the loop's place made of comparisons of such a marker, or of what a known table says of the place, with values that
do not depend on it. Nothing else changes: places come in the same order, and what is done for each is the same.

Lines: whether some row of a known table of rows lies wholly inside such a set of places is asked for all rows that are
the same but for where they begin at once, by shifting the set onto itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Data, Flat, Known
from rulelang_native.flat.program import FlatProgram, Function
from rulelang_native.llvm.walking import parts

if TYPE_CHECKING:
    from rulelang_native.llvm.values import Writer

MOST_PLACES, MOST_VALUES = 512, 4
LARGE, MANY_VALUES = 16, 8
"""So many places are a board, on which there can be more kinds of pieces."""
WORDS = (64, 128, 256, 512)
"""Bits of the words that sets of places lie in."""


def word_for(places: int) -> int:
    """Bits of the word that a set of so many places lies in."""
    return next(word for word in WORDS if places <= word)


def most_values(places: int) -> int:
    """How many values a zone or marker over so many places can have that lies as planes."""
    return MOST_VALUES if places < LARGE else MANY_VALUES


@attrs.frozen
class Planes:
    """One slot that lies as planes."""

    slot: int
    places: int
    low: int
    values: int
    """How many values there are, from ``low`` on."""

    @property
    def word(self) -> int:
        """Bits of the words that planes lie in."""
        return word_for(self.places)

    @property
    def bytes(self) -> int:
        """Room for all planes."""
        return self.values * self.word // 8


def planned(program: FlatProgram, slots: Iterable[Planes]) -> dict[int, Planes]:
    """Those of the slots that could be planes of which some loop makes use."""
    known = {each.slot: each for each in slots}
    used: set[int] = set()
    for loop in (part for part in parts(program) if isinstance(part, st.Each)):
        guard = guarded(loop)
        for condition in guard.conditions if guard is not None else ():
            used |= {slot for slot in slots_of(condition, loop.name) if slot in known}
    return {slot: known[slot] for slot in sorted(used)}


def slots_of(condition: Flat, place: str) -> set[int]:
    """The slots that are compared at a loop's place."""
    return {part.slot for part in parts(condition) if isinstance(part, flat.Held) and part.member == flat.Name(place)}


def looks_for(condition: Flat, place: str) -> bool:
    """Whether a loop's place is looked for in a row that is not known before play."""
    return any(
        isinstance(part, flat.Has) and part.item == flat.Name(place) and not isinstance(part.row, Known | flat.Span)
        for part in parts(condition)
    )


def offered(function: Function) -> tuple[int, ...] | None:
    """The values of the only parameter of a move, if its listing goes through them in order: (0,) if there is none.

    None: its answers are not told by a set of small numbers.
    """
    offers = [part for part in parts(function) if isinstance(part, st.Offer)]
    if len(offers) != 1 or len(offers[0].values) > 1:
        return None
    if not offers[0].values:
        return None if any(isinstance(part, st.Each) and offers[0] in parts(part) for part in parts(function)) else (0,)
    loops = [part for part in parts(function) if isinstance(part, st.Each) and offers[0] in parts(part)]
    if len(loops) != 1 or offers[0].values != (flat.Name(loops[0].name),) or not isinstance(loops[0].row, Known):
        return None
    values = numbers(loops[0].row.value)
    fits = values and values[0] >= 0 and values[-1] < WORDS[-1] and list(values) == sorted(set(values))
    return values if fits else None


# ------------------------------------------------------------------ loops


@attrs.frozen
class Guarded:
    """A loop that does something for those places alone for which all conditions hold."""

    conditions: tuple[Flat, ...]
    then: tuple[st.Statement, ...]
    once: bool
    """Whether it is left behind the first one."""


def guarded(loop: st.Each) -> Guarded | None:
    """A loop as one that does something where conditions hold; None if it does something for every element."""
    body, conditions = loop.body, list[Flat]()
    while body:
        first = body[0]
        if not isinstance(first, st.If) or first.otherwise:
            break
        if first.then == (st.Skip(),):
            conditions.append(flat.No(first.truth))
            body = body[1:]
        elif len(body) == 1:
            conditions += first.truth.parts if isinstance(first.truth, flat.All) else (first.truth,)
            body = first.then
            break
        else:
            break
    if not conditions or not body:
        return None
    once = isinstance(body[-1], st.Stop)
    return Guarded(tuple(conditions), body[:-1] if once else body, once)


@attrs.frozen
class Lines:
    """A loop that looks for a row of a known table all of whose places fulfil a condition."""

    condition: Flat
    """What does not hold of a place of such a row."""
    place: str
    then: tuple[st.Statement, ...]


def lines(loop: st.Each) -> Lines | None:
    """A search for a line: a flag is set, taken back at the first place that does not fit, and looked at."""
    match loop.body:
        case (
            st.Set(name=flag, value=Known(value=1)),
            st.Each(name=place, row=flat.Name(name=row), body=(st.If(truth=condition, then=then, otherwise=()),)),
            st.If(truth=flat.IsOne(value=flat.Name(name=asked)), then=found, otherwise=()),
        ) if (
            row == loop.name
            and asked == flag
            and then == (st.Set(flag, Known(0)), st.Stop())
            and found
            and isinstance(found[-1], st.Stop)
            and not _names(found, flag, place, row)
            and not _names((condition,), flag, row)
        ):
            return Lines(condition, place, found[:-1])
        case _:
            return None


def _names(things: object, *names: str) -> bool:
    return any(isinstance(part, flat.Name) and part.name in names for part in parts(things))


# ------------------------------------------------------------------ masks


class Masks:
    """Which places of a loop fulfil a formula, as a word of bits."""

    def __init__(self, writer: Writer, place: str, planes: dict[int, Planes], row: tuple[int, ...]) -> None:
        self.writer = writer
        self.place = place
        self.planes = planes
        self.row = row
        top = max(row, default=0)
        wide = max([top + 1, *[each.places for each in planes.values()]])
        self.word = f"i{word_for(min(wide, WORDS[-1]))}"

    def mask(self, formula: Flat) -> Callable[[], str] | None:
        """How the places are worked out for which a truth holds; None if it has to be asked place by place."""
        match formula:
            case flat.No():
                inner = self.mask(formula.truth)
                return None if inner is None else lambda: self.writer.op(f"xor {self.word} {inner()}, -1")
            case flat.All() | flat.Any():
                found = [self.mask(part) for part in formula.parts]
                word = "and" if isinstance(formula, flat.All) else "or"
                return self._joined([each for each in found if each is not None], word) if all(found) else None
            case flat.Has(item=flat.Name(name=name)) if name == self.place and self.writer.linking.free(
                formula.row, name
            ):
                row = formula.row
                return lambda: self.writer.linking.word(row, self.bits)
            case flat.IsOne(value=flat.AsNumber(truth=truth)):
                return self.mask(truth)
            case flat.IsOne(value=flat.Held() as held) if self._here(held):
                none = self._plane(held.slot, Known(0))
                return lambda: self.writer.op(f"xor {self.word} {none()}, -1")
            case flat.Compare() if formula.operator in ("==", "!="):
                found_ = self._compared(formula.left, formula.right) or self._compared(formula.right, formula.left)
                if found_ is not None and formula.operator == "!=":
                    equal = found_
                    return lambda: self.writer.op(f"xor {self.word} {equal()}, -1")
                return found_ or self._apart(formula)
            case _:
                return self._apart(formula)

    def _joined(self, found: list[Callable[[], str]], word: str) -> Callable[[], str]:
        def write() -> str:
            first, *rest = [each() for each in found]
            for other in rest:
                first = self.writer.op(f"{word} {self.word} {first}, {other}")
            return first

        return write

    def _here(self, held: flat.Held) -> bool:
        return held.slot in self.planes and held.member == flat.Name(self.place)

    def _free(self, value: Flat) -> bool:
        """Whether a value does not depend on the place, and can be worked out although nobody asks."""
        from rulelang_native.llvm.values import is_safe

        return is_safe(value) and not _names((value,), self.place)

    def _apart(self, formula: Flat) -> Callable[[], str] | None:
        """A truth that does not depend on the place."""
        if not self._free(formula):
            return None
        return lambda: self.writer.op(f"sext i1 {self.writer.t(formula)} to {self.word}")

    def _compared(self, one: Flat, other: Flat) -> Callable[[], str] | None:
        """Where one side, which depends on the place, equals the other, which does not."""
        if not self._free(other):
            return None
        match one:
            case flat.Held() if self._here(one):
                return self._plane(one.slot, other)
            case flat.At(row=Known(value=tuple() as table), place=flat.Name(name=name)) if name == self.place:
                return self._by_table(table, other)
            case flat.Name(name=name) if name == self.place:
                return lambda: self.writer.linking.word(flat.Items((other,)), self.bits)
            case _:
                return None

    def _plane(self, slot: int, value: Flat) -> Callable[[], str]:
        return lambda: self.writer.as_wide(self.writer.plane(slot, value), self.planes[slot].word, self.word)

    def _by_table(self, table: tuple[Data, ...], value: Flat) -> Callable[[], str] | None:
        """Where a known table says this."""
        numbers = [each for each in table if isinstance(each, int)]
        if len(numbers) != len(table) or max(self.row, default=0) >= len(table):
            return None
        where: dict[int, int] = {}
        for place in self.row:
            where[numbers[place]] = where.get(numbers[place], 0) | 1 << place
        if isinstance(value, Known):
            assert isinstance(value.value, int)
            bits = where.get(value.value, 0)
            return lambda: str(signed(bits, self.bits))
        low, high = min(where), max(where)
        if high - low > 4 * len(where) + 16:
            return None
        masks = tuple(where.get(each, 0) for each in range(low, high + 1))
        return lambda: self.writer.looked_up(masks, self.bits, low, value)

    @property
    def bits(self) -> int:
        return int(self.word[1:])


def signed(bits: int, word: int) -> int:
    """A word of bits as LLVM writes it."""
    return bits - (1 << word) if bits >> word - 1 else bits


def numbers(row: Data) -> tuple[int, ...]:
    """The elements of a row of numbers; none if it is something else."""
    if not isinstance(row, tuple):
        return ()
    found = tuple(each for each in row if isinstance(each, int))
    return found if len(found) == len(row) else ()


def shifted_groups(rows: tuple[Data, ...]) -> list[tuple[tuple[int, ...], int]] | None:
    """Rows of places by what is added to their least place: those, and the places where they begin, as bits. None if
    there are too many different ones for shifting to be less work than looking."""
    groups: dict[tuple[int, ...], int] = {}
    for row in rows:
        places = numbers(row)
        if not places or min(places) < 0:
            return None
        least = min(places)
        steps = tuple(sorted({each - least for each in places}))
        groups[steps] = groups.get(steps, 0) | 1 << least
    return list(groups.items()) if len(groups) * 2 <= max(8, len(rows)) else None
