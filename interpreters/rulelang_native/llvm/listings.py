"""Listings as sets of numbers: which answers of a move there are is told by bits, and no answer is laid down before it
is chosen.

A listing goes through the values of one parameter after the other, in order. Where each of them is one of few numbers
that go up by one, an answer is a number, too: that of its values, written with as many digits as there are parameters.
Their order is that of the answers. What a listing notes of such values lies beside it in a small table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.program import Function
from rulelang_native.llvm.bags import Packed
from rulelang_native.llvm.planes import numbers, word_for
from rulelang_native.llvm.walking import parts

MOST = 128
"""Bits of a set of answers with several values."""
INNER = 64
"""Bits that are gathered apart for each value of the first parameter."""
NOTES = 1024
"""Numbers that are noted in a table."""

Layout = Callable[[Flat], Packed | None]
"""How a row lies as counts, if it does."""


@attrs.frozen
class Ranged:
    """The values of a move whose answers are told by bits: of each parameter the least, and how many there are."""

    lows: tuple[int, ...]
    counts: tuple[int, ...]
    loops: tuple[str, ...]
    """What the loops through them call them."""

    @property
    def bits(self) -> int:
        """Bits of the word that such a set lies in."""
        return word_for(prod(self.counts))

    def places(self, inner: bool) -> int:
        """How many answers there are for a value of the first parameter, or in all."""
        return prod(self.counts[1:] if inner else self.counts)


def ranged(function: Function, layout: Layout) -> Ranged | None:
    """How the answers of a listing are told by bits; None if they are not."""
    offers = [part for part in parts(function) if isinstance(part, st.Offer)]
    if len(offers) != 1 or not offers[0].values:
        return None
    loops = list(around(function.body, offers[0]))
    if offers[0].values != tuple(flat.Name(loop.name) for loop in loops):
        return None
    if any(isinstance(part, st.Give) for loop in loops for part in parts(loop.body)):
        return None
    if any(isinstance(part, st.Set) and part.name in [loop.name for loop in loops] for part in parts(function)):
        return None
    found = [span(loop.row, layout, once=True) for loop in loops]
    spans = [each for each in found if each is not None]
    if len(spans) < len(found) or prod(count for _, count in spans) > MOST:
        return None
    lows, counts = zip(*spans, strict=True)
    return Ranged(lows, counts, tuple(loop.name for loop in loops))


def around(body: tuple[st.Statement, ...], offer: st.Offer) -> Iterator[st.Each]:
    """The loops around an offer, the outermost first."""
    for each in body:
        match each:
            case st.Each() if offer in parts(each.body):
                yield each
                yield from around(each.body, offer)
            case st.If():
                yield from around(each.then, offer)
                yield from around(each.otherwise, offer)


@attrs.frozen
class Level:
    """One loop of a listing, with what is asked there before the next one begins."""

    loop: st.Each
    before: tuple[st.Statement, ...]
    free: bool
    """Whether that does not depend on the value of the first loop, and cannot fail."""


def levels(function: Function, ranged: Ranged) -> tuple[Level, ...] | None:
    """The loops of a listing if what is asked of one parameter depends on no other but the first: then the answers for
    a value of the first are all that can be put together of the values of the others. None if it is otherwise."""
    found: list[Level] = []
    last: st.Statement = function.body[-1]
    for _ in ranged.loops:
        if not isinstance(last, st.Each):
            return None
        loop = last
        *before, last = loop.body
        found.append(Level(loop, tuple(before), free=False))
    if not isinstance(last, st.Offer):
        return None
    for number, level in enumerate(found):
        for other in found:
            if other is not level and (_named(level) & (_set(other) - ({ranged.loops[0]} if number else set()))):
                return None
    first = {ranged.loops[0]}
    return tuple(
        attrs.evolve(each, free=not _named(each) & first and not any(isinstance(part, FAILING) for part in _all(each)))
        for each in found
    )


FAILING = (st.Fail, flat.Divided, flat.Bags, flat.HasAnswer, flat.Result)
"""What can fail."""


def _all(level: Level) -> Iterator[object]:
    """All that is asked there."""
    return parts((level.loop.row, level.before))


def _named(level: Level) -> set[str]:
    """The variables that are read there."""
    return {part.name for part in _all(level) if isinstance(part, flat.Name)}


def _set(level: Level) -> set[str]:
    """The variables that are given a value there."""
    inside = parts(level.before)
    return {level.loop.name, *(part.name for part in inside if isinstance(part, st.Set | st.Each | st.Gather))}


def span(row: Flat, layout: Layout, *, once: bool = False) -> tuple[int, int] | None:
    """Of a row whose numbers come in order: the least number there can be, and how many. ``once``: none comes twice."""
    match row:
        case Known():
            known = numbers(row.value)
            if not known or list(known) != sorted(set(known)):
                return None
            return known[0], known[-1] - known[0] + 1
        case flat.Distinct():
            found = layout(row.row)
        case _:
            found = None if once else layout(row)
    return None if found is None else (found.low, found.codes)


def never(function: Function) -> bool:
    """Whether a listing surely offers nothing, and comes to no limit before."""
    for each in function.body:
        match each:
            case st.Give():
                return True
            case st.If(truth=Known(value=value), then=(st.Give(),)) if value:
                return True
            case _ if any(isinstance(part, (st.Offer, *FAILING)) for part in parts(each)):
                return False
    return True


@attrs.frozen
class Notes:
    """Where what is noted under a name lies: a table of small numbers, by the numbers that it is noted under."""

    lows: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many numbers can be noted."""
        return prod(self.counts)


def noted(body: tuple[st.Statement, ...], layout: Layout) -> dict[str, Notes]:
    """What is noted in tables: truths, under numbers that loops go through."""
    spans: dict[str, tuple[int, int] | None] = {}
    given: dict[str, list[Flat]] = {}
    keys: dict[str, set[Flat]] = {}
    values: dict[str, list[Flat]] = {}
    for part in parts(body):
        match part:
            case st.Each():
                spans[part.name] = None if part.name in spans else span(part.row, layout)
            case st.Set():
                given.setdefault(part.name, []).append(part.value)
            case st.Note():
                keys.setdefault(part.name, set()).add(part.key)
                values.setdefault(part.name, []).append(part.value)
            case flat.Noted():
                keys.setdefault(part.notes, set()).add(part.key)
    found: dict[str, Notes] = {}
    for name, own in keys.items():
        key = own.pop() if len(own) == 1 else None
        of = [each.name if isinstance(each, flat.Name) else "" for each in key_parts(key)] if key is not None else []
        known = [spans.get(each) for each in of if each not in given]
        some = [each for each in known if each is not None]
        if not of or len(some) < len(of) or prod(count for _, count in some) > NOTES:
            continue
        if all(_is_truth(each, given) for each in values.get(name, [])):
            lows, counts = zip(*some, strict=True)
            found[name] = Notes(lows, counts)
    return found


def key_parts(key: Flat) -> tuple[Flat, ...]:
    """The numbers that something is noted under."""
    return key.items if isinstance(key, flat.Items) else (key,)


def _is_truth(value: Flat, given: dict[str, list[Flat]]) -> bool:
    """Whether a number is 0 or 1 (or, where it was looked for among notes, -1)."""
    match value:
        case flat.AsNumber() | flat.Noted():
            return True
        case Known():
            return value.value in (-1, 0, 1)
        case flat.Name():
            return all(_is_truth(each, {}) for each in given.get(value.name, [Known(2)]))
        case _:
            return False
