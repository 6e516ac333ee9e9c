"""Words of bits under way, and what is known of all places of a loop: what `abreast.py` counts with.

A word is a number where it is known before play, else the name of a register. Nothing is written twice: all of it
stands in one straight line, and nothing that it reads changes there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from rulelang_native.flat.expressions import Data, Flat
from rulelang_native.llvm.planes import signed

if TYPE_CHECKING:
    from rulelang_native.llvm.values import Writer

Word = int | str

MOST_LINES = 3000
"""So many instructions for all places are more work than one place after the other."""


class NotAbreast(Exception):
    """Something has no form for all places at once."""


@attrs.frozen
class Seen:
    """What is known of a register."""

    most: int
    """The bits that it can have."""
    above: frozenset[str] = frozenset()
    """Registers that surely have all its bits."""
    parts: tuple[Word, ...] = ()
    """Words that it is put together of."""


class Words:
    """Writes operations on words, as far as what is known of them leaves something to do."""

    def __init__(self, writer: Writer, bits: int) -> None:
        self.writer = writer
        self.bits = bits
        self.full = (1 << bits) - 1
        self._done: dict[str, str] = {}
        self._other: dict[Word, Word] = {}
        """Registers that hold just the other bits."""
        self._seen: dict[str, Seen] = {}
        self._apart: dict[tuple[str, str], bool] = {}

    @property
    def kind(self) -> str:
        """The type of the words."""
        return f"i{self.bits}"

    def text(self, word: Word) -> str:
        """A word as LLVM writes it."""
        return str(signed(word & self.full, self.bits)) if isinstance(word, int) else word

    def op(self, text: str, seen: Seen | None = None) -> str:
        """An instruction; the same one is written once."""
        if text not in self._done:
            if len(self._done) >= MOST_LINES:
                raise NotAbreast
            self._done[text] = name = self.writer.op(text)
            if seen is not None:
                self._seen[name] = attrs.evolve(seen, above=seen.above | {name})
        return self._done[text]

    def seen(self, word: Word) -> Seen:
        """What is known of a word."""
        if isinstance(word, int):
            return Seen(word)
        return self._seen.get(word) or Seen(self.full, frozenset({word}))

    def apart(self, one: Word, other: Word) -> bool:
        """Whether two words surely have no bit in common."""
        mine, theirs = self.seen(one), self.seen(other)
        if not mine.most & theirs.most:
            return True
        if isinstance(one, int) or isinstance(other, int):
            return False
        key = (one, other) if one < other else (other, one)
        if key not in self._apart:
            self._apart[key] = (
                any(self._other.get(each) in theirs.above for each in mine.above)
                or bool(mine.parts and all(self.apart(each, other) for each in mine.parts))
                or bool(theirs.parts and all(self.apart(one, each) for each in theirs.parts))
            )
        return self._apart[key]

    def inside(self, one: Word, other: Word) -> bool:
        """Whether all bits of a word are surely in another one."""
        if isinstance(other, int):
            return not self.seen(one).most & ~other
        if isinstance(one, int):
            return not one
        rest = self._other.get(other)
        return other in self.seen(one).above or (rest is not None and self.apart(one, rest))

    def both(self, one: Word, other: Word) -> Word:
        """The bits that are in both."""
        if isinstance(one, int) and isinstance(other, int):
            return one & other
        if self.apart(one, other):
            return 0
        for mine, theirs in ((one, other), (other, one)):
            if self.inside(mine, theirs):
                return mine
        if isinstance(one, int):
            one, other = other, one
        mine_, theirs_ = self.seen(one), self.seen(other)
        seen = Seen(mine_.most & theirs_.most, mine_.above | theirs_.above)
        return self.op(f"and {self.kind} {self.text(one)}, {self.text(other)}", seen)

    def any(self, one: Word, other: Word) -> Word:
        """The bits that are in one of them."""
        if isinstance(one, int) and isinstance(other, int):
            return one | other
        for mine, theirs in ((one, other), (other, one)):
            if self.inside(mine, theirs):
                return theirs
        if self._other.get(one) == other:
            return self.full
        if isinstance(one, int):
            one, other = other, one
        mine_, theirs_ = self.seen(one), self.seen(other)
        seen = Seen(mine_.most | theirs_.most, mine_.above & theirs_.above, (one, other))
        return self.op(f"or {self.kind} {self.text(one)}, {self.text(other)}", seen)

    def none(self, word: Word) -> Word:
        """The other bits."""
        if isinstance(word, int):
            return self.full & ~word
        if word not in self._other:
            self._other[word] = self.op(f"xor {self.kind} {word}, -1")
            self._other[self._other[word]] = word
        return self._other[word]

    def less(self, one: Word, other: Word) -> Word:
        """The bits of the first that are not in the other."""
        if self.inside(one, other):
            return 0
        return one if self.apart(one, other) else self.both(one, self.none(other))

    def odd(self, one: Word, other: Word) -> Word:
        """The bits that are in just one of them."""
        if self.apart(one, other):
            return self.any(one, other)
        if isinstance(one, int) and isinstance(other, int):
            return one ^ other
        most = self.seen(one).most | self.seen(other).most
        return self.op(f"xor {self.kind} {self.text(one)}, {self.text(other)}", Seen(most))

    def moved(self, word: Word, step: int) -> Word:
        """At every place the bit of the place that lies a step further on."""
        if isinstance(word, int):
            return (word >> step if step > 0 else word << -step) & self.full
        if abs(step) >= self.bits:
            return 0
        if not step:
            return word
        most = self.moved(self.seen(word).most, step)
        assert isinstance(most, int)
        return self.op(f"{'lshr' if step > 0 else 'shl'} {self.kind} {word}, {abs(step)}", Seen(most))

    def spread(self, truth: str) -> Word:
        """All bits, or none."""
        if truth in ("true", "false"):
            return self.full if truth == "true" else 0
        return self.op(f"sext i1 {truth} to {self.kind}")

    def if_(self, truth: str, word: int) -> Word:
        """A known word, or no bits."""
        if truth in ("true", "false"):
            return word if truth == "true" else 0
        return self.op(f"select i1 {truth}, {self.kind} {self.text(word)}, {self.kind} 0", Seen(word))


@attrs.frozen(cache_hash=True)
class Known:
    """What is known for every place: the same, something that lies a step from it, or one thing each. Of places that do
    not matter nothing is known then."""

    same: Data | None = None
    step: int | None = None
    each: tuple[Data | None, ...] = ()

    def there(self, place: int) -> bool:
        """Whether it is known of a place."""
        return not self.each or (place < len(self.each) and self.each[place] is not None)

    def at(self, place: int) -> Data:
        """What it is at a place of which it is known."""
        if self.same is not None:
            return self.same
        if self.step is not None:
            return place + self.step
        found = self.each[place]
        assert found is not None
        return found

    def number(self, place: int) -> int:
        """The same, where it is a number."""
        found = self.at(place)
        if not isinstance(found, int):
            raise NotAbreast
        return found

    def row(self, place: int) -> tuple[Data, ...]:
        """The same, where it is a row."""
        found = self.at(place)
        if not isinstance(found, tuple):
            raise NotAbreast
        return found


def known_for(places: tuple[int, ...], what: Callable[[int], Data], *, a_step: bool = False) -> Known:
    """What is known for each of some places. ``a_step``: of a single place, that it lies a step from it."""
    if not places:
        raise NotAbreast
    found = [what(place) for place in places]
    first = found[0]
    if all(each == first for each in found) and (len(found) > 1 or not a_step or not isinstance(first, int)):
        return Known(same=first)
    if isinstance(first, int):
        step = first - places[0]
        if all(each == place + step for each, place in zip(found, places, strict=True)):
            return Known(step=step)
    each_: list[Data | None] = [None] * (places[-1] + 1)
    for place, value in zip(places, found, strict=True):
        each_[place] = value
    return Known(each=tuple(each_))


@attrs.frozen(cache_hash=True)
class Case:
    """A number that it is at some places: what is known of it, and what is added that is the same for all."""

    where: Word
    known: Known
    free: Flat | None = None


@attrs.frozen(cache_hash=True)
class Truth:
    """Where something holds."""

    word: Word


@attrs.frozen(cache_hash=True)
class Number:
    """A number for every place: every place that matters is in just one case."""

    cases: tuple[Case, ...]


@attrs.frozen(cache_hash=True)
class Piece:
    """What lies on a board that lies as planes, at a place for every place."""

    slot: int
    place: Number


@attrs.frozen(cache_hash=True)
class Rows:
    """A known row for every place."""

    known: Known


@attrs.define(eq=False)
class Gathered:
    """Numbers that are gathered, and where they are; in no order."""

    items: list[tuple[Word, Number]] = attrs.field(factory=list)


@attrs.frozen(cache_hash=True)
class Nothing:
    """What some way leaves unset, or has no form; nobody may ask for it."""


Value = Truth | Number | Piece | Rows | Gathered | Nothing


def merged(words: Words, cases: list[Case]) -> Number:
    """Cases as a number; those that say the same become one."""
    found: list[Case] = []
    for case in cases:
        if case.where == 0:
            continue
        for place, other in enumerate(found):
            if (other.known, other.free) == (case.known, case.free):
                found[place] = attrs.evolve(other, where=words.any(other.where, case.where))
                break
        else:
            found.append(case)
    return Number(tuple(found))
