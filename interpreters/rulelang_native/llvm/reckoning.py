"""What single expressions are for all places of a loop at once: words of bits, and numbers as cases (`words.py`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat.expressions import Data, Flat
from rulelang_native.llvm.planes import numbers
from rulelang_native.llvm.words import (
    Case,
    Gathered,
    Known,
    NotAbreast,
    Nothing,
    Number,
    Piece,
    Rows,
    Truth,
    Value,
    Word,
    Words,
    known_for,
    merged,
)

if TYPE_CHECKING:
    from rulelang_native.llvm.values import Writer

MOST_GROUPS = 16
"""So many different steps are less work than looking at each place."""
MOST_CASES = 16
"""So many cases of a number are few."""
SHORT = 16
"""Rows of so many numbers are gone through one after the other."""

Operator = Literal["+", "-", "*", "//", "%", "min", "max"]
Env = dict[str, Value]


class Reckoning:
    """Works out expressions for all places. Raises NotAbreast for one that has no form."""

    def __init__(self, writer: Writer, places: tuple[int, ...], words: Words, env: Env) -> None:
        self.writer = writer
        self.places = places
        self.words = words
        self.every = sum(1 << place for place in places)
        self.env = env
        """What variables hold."""
        self.active: Word = self.every
        """For whom the statement is that is carried out now."""
        self._free: dict[Flat, str] = {}

    @property
    def inside_a_call(self) -> bool:
        """Whether a function is carried out, whose variables are all known here."""
        return False

    def result(self, e: flat.Result) -> Value:
        """What a function gives."""
        raise NotAbreast

    def known_of(self, *known: Known) -> tuple[int, ...]:
        """The places of which all these are known."""
        if not any(each.each for each in known):
            return self.places
        return tuple(place for place in self.places if all(each.there(place) for each in known))

    def element(self, lanes: tuple[int, ...], what: Callable[[int], Data]) -> tuple[Word, Value]:
        known, where = known_for(lanes, what, a_step=True), sum(1 << place for place in lanes)
        return where, Rows(known) if isinstance(what(lanes[0]), tuple) else Number((Case(self.words.full, known),))

    # -------------------------------------------------------------- what ways meet with

    def blended(self, ways: list[tuple[Word, Env]]) -> Env:
        """What variables hold where ways meet, each with its places."""
        if len(ways) == 1:
            return ways[0][1]
        found: Env = {}
        for name in {name: 0 for _, env in ways for name in env}:
            found[name] = self.blend([(lanes, env.get(name, Nothing())) for lanes, env in ways])
        return found

    def blend(self, ways: list[tuple[Word, Value]]) -> Value:
        first = ways[0][1]
        if all(value is first or value == first for _, value in ways):
            return first
        if all(isinstance(value, Truth) for _, value in ways):
            word: Word = 0
            for lanes, value in ways:
                assert isinstance(value, Truth)
                word = self.words.any(word, self.words.both(lanes, value.word))
            return Truth(word)
        cases: list[Case] = []
        for lanes, value in ways:
            try:
                number = self.as_number(value)
            except NotAbreast:
                return Nothing()
            cases += [attrs.evolve(case, where=self.words.both(lanes, case.where)) for case in number.cases]
        found = merged(self.words, cases)
        return found if len(found.cases) <= MOST_CASES else Nothing()

    # -------------------------------------------------------------- values

    def value(self, e: Flat) -> Value:
        """What an expression is at every place."""
        if isinstance(e, flat.Known):
            if isinstance(e.value, int):
                return same(self.words, e.value)
            return Rows(Known(same=e.value))
        if isinstance(e, flat.Name) and e.name in self.env:
            return self.env[e.name]
        free = self.free(e)
        if isinstance(free, flat.Known) and isinstance(free.value, int):
            return same(self.words, free.value)
        if free is not None:
            return Number((Case(self.words.full, Known(same=0), free),))
        write = VALUES.get(type(e))
        if write is None:
            raise NotAbreast
        return write(self, e)

    def truth(self, e: Flat) -> Word:
        """Where a truth holds."""
        found = self.value(e)
        if isinstance(found, Truth):
            return found.word
        if isinstance(found, Rows):
            return sum(1 << place for place in self.known_of(found.known) if found.known.row(place))
        if isinstance(found, Gathered):
            word: Word = 0
            for where, _ in found.items:
                word = self.words.any(word, where)
            return word
        if isinstance(found, Piece):
            return self.words.none(self.equal(found, same(self.words, 0)))
        return self.words.none(self.equal(self.as_number(found), same(self.words, 0)))

    def number(self, e: Flat) -> Number:
        return self.as_number(self.value(e))

    def as_number(self, value: Value) -> Number:
        """A number for every place."""
        match value:
            case Number():
                return value
            case Truth():
                cases = [Case(value.word, Known(same=1)), Case(self.words.none(value.word), Known(same=0))]
                return merged(self.words, cases)
            case Piece():
                planes = self.writer.home.planes[value.slot]
                cases = []
                for each in range(planes.low, planes.low + planes.values):
                    where = self.on_board(value, flat.Known(each))
                    cases.append(Case(where, Known(same=each)))
                return merged(self.words, cases)
            case _:
                raise NotAbreast

    # -------------------------------------------------------------- what is the same for all places

    def free(self, e: Flat) -> Flat | None:
        """An expression that is the same for all places, as one that can be worked out outside; None if it is none."""
        match e:
            case flat.Known():
                return e if isinstance(e.value, int) else None
            case flat.Name():
                if e.name not in self.env:
                    return (
                        None
                        if self.inside_a_call or self.writer.kinds.get(e.name, "number") not in ("number", "truth")
                        else e
                    )
                return self._as_free(self.env[e.name])
            case flat.Remembered():
                return e if not self.inside_a_call and self.writer.local_is_number(e.local) else None
            case flat.Held(member=flat.Known()):
                home = self.writer.home
                rows = home.places.rows[e.slot] or e.slot in home.piles or e.slot in home.bags
                return None if rows or e.slot in home.bag_sets else e
            case flat.Math(operator="//" | "%", right=right) if not isinstance(right, flat.Known):
                return None
            case flat.Math() | flat.Compare():
                one, two = self.free(e.left), self.free(e.right)
                return None if one is None or two is None else _worked_out(attrs.evolve(e, left=one, right=two))
            case flat.No() | flat.AsNumber():
                inner = self.free(e.truth)
                if isinstance(inner, flat.Known):
                    return flat.Known(int(not inner.value if isinstance(e, flat.No) else bool(inner.value)))
                return None if inner is None else attrs.evolve(e, truth=inner)
            case flat.IsOne():
                value = self.free(e.value)
                if isinstance(value, flat.Known):
                    return flat.Known(int(bool(value.value)))
                return None if value is None else attrs.evolve(e, value=value)
            case flat.All() | flat.Any():
                found = [self.free(each) for each in e.parts]
                some = tuple(each for each in found if each is not None)
                return None if len(some) < len(found) else attrs.evolve(e, parts=some)
            case flat.Either():
                truth, then, other = self.free(e.truth), self.free(e.then), self.free(e.otherwise)
                if truth is None or then is None or other is None:
                    return None
                if isinstance(truth, flat.Known):
                    return then if truth.value else other
                return flat.Either(truth, then, other)
            case _:
                return None

    def _as_free(self, value: Value) -> Flat | None:
        match value:
            case Number(cases=(Case(known=Known(same=int(same)), free=free),)):
                if free is None:
                    return flat.Known(same)
                return free if same == 0 else flat.Math("+", free, flat.Known(same))
            case Truth(word=int(word)) if self.every & word in (0, self.every):
                return flat.Known(int(bool(word & self.every)))
            case _:
                return None

    def scalar(self, e: Flat) -> str:
        """What is the same for all places, worked out."""
        if e not in self._free:
            first = len(self.writer.lines)
            self._free[e] = self.writer.n(e)
            for place in range(first, len(self.writer.lines)):  # where nobody asks for it, it may be too much
                self.writer.lines[place] = self.writer.lines[place].replace(" nsw ", " ")
        return self._free[e]

    # -------------------------------------------------------------- comparing

    def equal(self, one: Value, other: Value) -> Word:
        """Where two numbers are the same."""
        for mine, theirs in ((one, other), (other, one)):
            if isinstance(mine, Piece):
                free = self._as_free(theirs)
                if free is not None:
                    return self.on_board(mine, free)
        return self.compared("==", self.as_number(one), self.as_number(other))

    def on_board(self, piece: Piece, value: Flat) -> Word:
        """Where a piece is of a value that is the same for all places."""
        key = flat.Compare("==", flat.Held(piece.slot, flat.Known(-1)), value)
        if key not in self._free:
            planes = self.writer.home.planes[piece.slot]
            plane = self.writer.plane(piece.slot, value)
            self._free[key] = plane if plane == "0" else self.writer.as_wide(plane, planes.word, self.words.kind)
        plane = self._free[key]
        board: Word = 0 if plane == "0" else plane
        found: Word = 0
        for case in piece.place.cases:
            if case.free is not None:
                raise NotAbreast
            found = self.words.any(found, self.words.both(case.where, self._seen(board, case)))
        return found

    def _seen(self, board: Word, case: Case) -> Word:
        """For every place the bit of another one."""
        if case.known.step is not None:
            return self.words.moved(board, case.known.step)
        if isinstance(case.known.same, int):
            here = self.words.moved(board, case.known.same) if 0 <= case.known.same < self.words.bits else 0
            kind = self.words.kind
            return 0 if here == 0 else self.words.spread(self.words.op(f"trunc {kind} {self.words.text(here)} to i1"))
        groups: dict[int, int] = {}
        for place in self.known_of(case.known):
            if isinstance(case.where, int) and not case.where >> place & 1:
                continue
            there = case.known.number(place)
            if 0 <= there < self.words.bits:
                groups[there - place] = groups.get(there - place, 0) | 1 << place
        if len(groups) > MOST_GROUPS:
            raise NotAbreast
        found: Word = 0
        for step in sorted(groups):
            found = self.words.any(found, self.words.both(groups[step], self.words.moved(board, step)))
        return found

    def compared(self, operator: str, one: Number, other: Number) -> Word:
        """Where two numbers compare so; cases that fulfil it, or those that do not, whatever are fewer."""
        words, pairs = self.words, list[tuple[Word, Word]]()
        for mine in one.cases:
            for theirs in other.cases:
                where = words.both(mine.where, theirs.where)
                if where != 0:
                    # of other places than those that matter now it may be wrong what is known
                    most = words.seen(where).most & words.seen(self.active).most
                    pairs.append((where, self._case(operator, mine, theirs, most)))
        false = [where for where, holds in pairs if holds == 0]
        plain = all(holds in (0, words.full) for _, holds in pairs)
        if plain and 2 * len(false) < len(pairs):
            rest: Word = 0
            for where in false:
                rest = words.any(rest, where)
            return words.none(rest)
        some: Word = 0
        for where, holds in pairs:
            some = words.any(some, words.both(where, holds))
        return some

    def _case(self, operator: str, one: Case, other: Case, most: int) -> Word:
        """Where two cases compare so, of the places that can matter."""
        mine, theirs = one.known, other.known
        if one.free == other.free:
            if mine.step is not None and theirs.step is not None:
                return self.words.full if HOLDS[operator](mine.step, theirs.step) else 0
            if isinstance(mine.same, int) and isinstance(theirs.same, int):
                return self.words.full if HOLDS[operator](mine.same, theirs.same) else 0
            lanes = [place for place in self.known_of(mine, theirs) if most >> place & 1]
            there = [place for place in lanes if HOLDS[operator](mine.number(place), theirs.number(place))]
            return self.words.full if len(there) == len(lanes) else sum(1 << place for place in there)
        if one.free is not None and other.free is not None:
            if (mine.same, theirs.same) != (0, 0):
                raise NotAbreast
            return self.words.spread(self._holds(operator, one.free, other.free))
        wanted: dict[int, int] = {}
        free: Flat | None = one.free if one.free is not None else other.free
        assert free is not None
        for place in self.known_of(mine, theirs):
            if not most >> place & 1:
                continue
            off = theirs.number(place) - mine.number(place)
            off = off if one.free is not None else -off
            wanted[off] = wanted.get(off, 0) | 1 << place
        if len(wanted) > SHORT:
            raise NotAbreast
        found: Word = 0
        for off in sorted(wanted):
            pair = (free, flat.Known(off)) if one.free is not None else (flat.Known(off), free)
            holds = self._holds(operator, *pair)
            all_ = len(wanted) == 1
            word = self.words.spread(holds) if all_ else self.words.if_(holds, wanted[off])
            found = self.words.any(found, word)
        return found

    def _holds(self, operator: str, left: Flat, right: Flat) -> str:
        word = {"==": "eq", "<": "slt", "<=": "sle"}[operator]
        first = str(left.value) if isinstance(left, flat.Known) else self.scalar(left)
        second = str(right.value) if isinstance(right, flat.Known) else self.scalar(right)
        return self.words.op(f"icmp {word} i64 {first}, {second}")

    # -------------------------------------------------------------- single expressions

    def _held(self, e: flat.Held) -> Value:
        if e.slot not in self.writer.home.planes:
            raise NotAbreast
        return Piece(e.slot, self.number(e.member))

    def _compare(self, e: flat.Compare) -> Value:
        one, other = self.value(e.left), self.value(e.right)
        if e.operator in ("==", "!="):
            word = self.equal(one, other)
            return Truth(word if e.operator == "==" else self.words.none(word))
        return Truth(self.compared(e.operator, self.as_number(one), self.as_number(other)))

    def _parts(self, e: flat.All | flat.Any) -> Value:
        every = isinstance(e, flat.All)
        word: Word = self.words.full if every else 0
        for part in e.parts:
            word = self.words.both(word, self.truth(part)) if every else self.words.any(word, self.truth(part))
        return Truth(word)

    def _either(self, e: flat.Either) -> Value:
        truth = self.truth(e.truth)
        if isinstance(truth, int) and truth & self.every in (0, self.every):
            return self.value(e.then if truth & self.every else e.otherwise)
        return self.blend([(truth, self.value(e.then)), (self.words.none(truth), self.value(e.otherwise))])

    def _math(self, e: flat.Math) -> Value:
        one, other = self.number(e.left), self.number(e.right)
        cases = list[Case]()
        for mine in one.cases:
            for theirs in other.cases:
                where = self.words.both(mine.where, theirs.where)
                if where != 0:
                    cases += self._counted(e.operator, where, mine, theirs)
        if len(cases) > MOST_CASES:
            raise NotAbreast
        return merged(self.words, cases)

    def _counted(self, operator: Operator, where: Word, one: Case, other: Case) -> list[Case]:
        """Two cases taken together: several if what is the same for all is not just added."""
        free: Flat | None = one.free
        if other.free is not None:
            free = other.free
        just_added = (operator == "+" or other.free is None) and operator in ("+", "-")
        if free is not None and (not just_added or (one.free is not None and other.free is not None)):
            return self._by_what_is_known(operator, where, one, other)

        def known(place: int) -> int:
            left, right = one.known.number(place), other.known.number(place)
            if operator in ("//", "%") and right == 0:
                raise NotAbreast
            return COUNTED[operator](left, right)

        lanes = self.known_of(one.known, other.known)
        return [Case(where, known_for(lanes, known) if lanes else one.known, free)]

    def _by_what_is_known(self, operator: Operator, where: Word, one: Case, other: Case) -> list[Case]:
        """Two cases taken together, for each pair of what is known of them."""
        if operator in ("//", "%"):
            raise NotAbreast
        pairs: dict[tuple[int, int], int] = {}
        most = self.words.seen(where).most & self.words.seen(self.active).most
        for place in self.known_of(one.known, other.known):
            if not most >> place & 1:
                continue
            pair = one.known.number(place), other.known.number(place)
            pairs[pair] = pairs.get(pair, 0) | 1 << place
        if len(pairs) > MOST_CASES:
            raise NotAbreast
        found = []
        for pair in sorted(pairs):
            mine, theirs = (_with(case.free, number) for case, number in zip((one, other), pair, strict=True))
            here = self.words.both(where, pairs[pair] if len(pairs) > 1 else self.words.full)
            found.append(Case(here, Known(same=0), flat.Math(operator, mine, theirs)))
        return found

    def _at(self, e: flat.At) -> Value:
        row, place = self.value(e.row), self.number(e.place)
        if not isinstance(row, Rows):
            raise NotAbreast
        if any(case.free is not None for case in place.cases):
            raise NotAbreast
        found: list[tuple[Word, Value]] = []
        for case in place.cases:
            lanes = self.known_of(row.known, case.known)
            inside = tuple(each for each in lanes if 0 <= case.known.number(each) < len(row.known.row(each)))
            if not inside:
                continue
            _, value = self.element(inside, partial(_chosen, row.known, case.known))
            found.append((case.where, value))
        if not found:
            raise NotAbreast
        return found[0][1] if len(place.cases) == len(found) == 1 else self.blend(found)

    def _distinct(self, e: flat.Distinct | flat.Sorted) -> Value:
        row = self.value(e.row)
        if isinstance(row, Gathered):
            return row  # in no order, but for what is gathered twice
        if not isinstance(row, Rows):
            raise NotAbreast
        once = isinstance(e, flat.Distinct)
        return Rows(known_for(self.known_of(row.known), lambda place: _in_order(row.known.row(place), once=once)))

    def _length(self, e: flat.Length) -> Value:
        row = self.value(e.row)
        if not isinstance(row, Rows):
            raise NotAbreast
        lanes = self.known_of(row.known)
        return Number((Case(self.words.full, known_for(lanes, lambda place: len(row.known.row(place)))),))

    def _has(self, e: flat.Has) -> Value:
        row, item = self.value(e.row), self.number(e.item)
        if isinstance(row, Gathered):
            found: Word = 0
            for where, each in row.items:
                found = self.words.any(found, self.words.both(where, self.compared("==", each, item)))
            return Truth(found)
        if not isinstance(row, Rows) or any(case.free is not None for case in item.cases):
            raise NotAbreast
        found = 0
        for case in item.cases:
            lanes = self.known_of(row.known, case.known)
            there = sum(1 << each for each in lanes if case.known.number(each) in row.known.row(each))
            found = self.words.any(found, self.words.both(case.where, there))
        return Truth(found)


def _worked_out(e: flat.Math | flat.Compare) -> Flat:
    """The same, as a number if all of it is known."""
    if not isinstance(e.left, flat.Known) or not isinstance(e.right, flat.Known):
        return e
    left, right = e.left.value, e.right.value
    if not isinstance(left, int) or not isinstance(right, int):
        return e
    if isinstance(e, flat.Math):
        return e if e.operator in ("//", "%") and not right else flat.Known(COUNTED[e.operator](left, right))
    return flat.Known(int(left != right if e.operator == "!=" else HOLDS[e.operator](left, right)))


def _with(free: Flat | None, number: int) -> Flat:
    """What is the same for all, and a number more."""
    if free is None:
        return flat.Known(number)
    return flat.Math("+", free, flat.Known(number)) if number else free


def _in_order(row: tuple[Data, ...], *, once: bool) -> tuple[Data, ...]:
    found = numbers(row)
    if len(found) < len(row):
        raise NotAbreast
    return tuple(sorted(set(found) if once else found))


def _chosen(rows: Known, numbers_: Known, place: int) -> Data:
    return rows.row(place)[numbers_.number(place)]


def same(words: Words, value: int) -> Number:
    return Number((Case(words.full, Known(same=value)),))


HOLDS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}
COUNTED: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "min": min,
    "max": max,
}

VALUES: dict[type, Callable[[Reckoning, Any], Value]] = {
    flat.Held: Reckoning._held,
    flat.Compare: Reckoning._compare,
    flat.All: Reckoning._parts,
    flat.Any: Reckoning._parts,
    flat.No: lambda a, e: Truth(a.words.none(a.truth(e.truth))),
    flat.IsOne: lambda a, e: Truth(a.truth(e.value)),
    flat.AsNumber: lambda a, e: Truth(a.truth(e.truth)),
    flat.Either: Reckoning._either,
    flat.Math: Reckoning._math,
    flat.At: Reckoning._at,
    flat.Length: Reckoning._length,
    flat.Distinct: Reckoning._distinct,
    flat.Sorted: Reckoning._distinct,
    flat.Has: Reckoning._has,
    flat.Finished: lambda a, e: a.env.get(e.gathered, Nothing()),
    flat.Noted: lambda a, e: same(a.words, -1),
    flat.Result: lambda r, e: r.result(e),
}
