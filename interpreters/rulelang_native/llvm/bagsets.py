"""Bags without doubles as sets: a bag in which no piece can lie twice lies as one word of bits, a bit for each piece.

That no piece can lie twice is seen in the flat program. Bags of the same kind of piece belong together. Before play, no
piece lies twice in all of them (or in all that one member of a family has); and wherever a piece is put into one of
them, it has just been taken out of one of them (of the same member). Whatever else is put there, the bag stays as it
was. So such a word needs no looking at what does not fit.

What is asked of such a bag is asked of a set (`sets.py`), and so is what is linked on a board among its pieces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import attrs

from rulelang.ir.program import Program, Zone
from rulelang.ir.types import RecordType
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Flat, Known
from rulelang_native.flat.program import FlatProgram, Function
from rulelang_native.llvm.planes import MOST_PLACES
from rulelang_native.llvm.walking import parts

NATIVE = (flat.Length, flat.Has, flat.Distinct, flat.Sorted, flat.TakenOut, flat.IsOne, flat.Linked,
          st.Store, st.Set, st.Each)  # fmt: skip
"""What is done on the word with a set that stands directly inside."""


def planned(
    program: Program,
    laid: Sequence[Sequence[Any]],
    spans: Sequence[tuple[int, int]],
    flat_program: FlatProgram,
    played: Sequence[Function],
) -> dict[int, int]:
    """The zones that lie as sets, with how many places there are: given what lies in each cell of each slot before
    play, the least and greatest code of each slot, and the functions that are called in play."""
    groups: dict[tuple[Any, int], list[int]] = {}
    for slot, zone in enumerate(program.slots):
        if (
            isinstance(zone, Zone)
            and zone.shape == "bag"
            and not zone.blind
            and not isinstance(zone.content, RecordType)
        ):
            low, high = spans[slot]
            if low >= 0 and high < MOST_PLACES:
                groups.setdefault((zone.content, len(laid[slot])), []).append(slot)
    found: dict[int, int] = {}
    for group in groups.values():
        slots = set(group)
        while slots and (bad := _doubled(slots, laid, flat_program)):
            slots -= bad
        if slots and all(_suits((tuple(played), flat_program.procedures), slot) for slot in slots):
            size = 1 + max(max(spans[slot][1], *map(_most, laid[slot])) for slot in sorted(slots))
            found.update(dict.fromkeys(sorted(slots), size))
    return found


def _most(row: Sequence[int]) -> int:
    return max(row, default=0)


def _doubled(slots: set[int], laid: Sequence[Sequence[Any]], program: FlatProgram) -> set[int]:
    """Zones among these in which a piece could come to lie twice."""
    members = range(len(laid[min(slots)]))
    by_member = [Counter(piece for slot in slots for piece in laid[slot][member]) for member in members]
    if any(count > 1 for counted in by_member for count in counted.values()):
        return set(slots)
    apart = all(count == 1 for count in sum(by_member, Counter[int]()).values())
    bad: set[int] = set()
    for body in _bodies(program):
        for place, each in enumerate(body):
            match each:
                case st.Store() if each.slot in slots:
                    if not _sound(body, place, each, slots, apart=apart):
                        bad.add(each.slot)
                case st.Settle() | st.Unsee() if each.slot in slots:
                    bad.add(each.slot)
    return bad


def _bodies(program: FlatProgram) -> Iterator[tuple[st.Statement, ...]]:
    """All rows of statements one after the other."""
    for part in parts((program.functions, program.procedures)):
        for field in attrs.fields(type(part)):
            value = getattr(part, field.name)
            if isinstance(value, tuple) and value and isinstance(value[0], st.Statement):
                yield value


def _sound(body: tuple[st.Statement, ...], place: int, s: st.Store, slots: set[int], *, apart: bool) -> bool:
    """Whether no piece comes to lie twice by what is stored."""
    if taken(s, body[:place]) is not None or s.value == Known(()):
        return True
    put = added(s)
    before = body[place - 1] if place else None
    if put is None or not isinstance(before, st.Store) or before.slot not in slots:
        return False
    # the piece that was taken out just before, of the same member unless there is only one of it
    same = apart or before.member == s.member
    return same and taken(before, body[: place - 1]) == put


def added(s: st.Store) -> Flat | None:
    """The piece that is put into a bag, if that is what is stored."""
    match s.value:
        case flat.Sorted(row=flat.Joined(left=flat.Held() as held, right=flat.Items(items=(item,)))) if (
            held.slot == s.slot and held.member == s.member and _plain(item) and _plain(s.member)
        ):
            return item
        case _:
            return None


def taken(s: st.Store, before: tuple[st.Statement, ...]) -> Flat | None:
    """The piece that is taken out of a bag, if that is what is stored."""
    here = flat.Held(s.slot, s.member)
    match s.value:
        case flat.TakenOut(row=row, item=item) if _plain(item) and _plain(s.member):
            if row == here:
                return item
            for each in reversed(before):  # the bag has a name since it was looked into, and did not change
                if isinstance(each, st.Set):
                    return item if flat.Name(each.name) == row and each.value == here else None
                if not isinstance(each, st.If) or each.otherwise or not all(isinstance(p, st.Fail) for p in each.then):
                    return None
        case _:
            pass
    return None


def _plain(value: Flat) -> bool:
    """Whether a value is the same as long as no variable or local is given another."""
    match value:
        case Known() | flat.Name() | flat.Remembered():
            return True
        case flat.Math():
            return _plain(value.left) and _plain(value.right)
        case _:
            return False


def _suits(played: Any, slot: int) -> bool:
    """Whether rows are seldom needed: at most in one use of three."""
    native = others = 0

    def look(thing: Any, above: type | None) -> None:
        nonlocal native, others
        if isinstance(thing, flat.Held) and thing.slot == slot:
            native, others = native + (above in NATIVE), others + (above not in NATIVE)
        if isinstance(thing, flat.Joined):
            look(thing.left, above)
            look(thing.right, above)
        elif isinstance(thing, tuple):
            for each in thing:
                look(each, above)
        elif attrs.has(type(thing)):
            for field in attrs.fields(type(thing)):
                look(getattr(thing, field.name), type(thing))

    look(played, None)
    return native > 2 * others


def offered(function: Function, sets: dict[int, int]) -> int | None:
    """How many places there are of which a listing offers some, one after the other, if it goes through such a bag."""
    offers = [part for part in parts(function) if isinstance(part, st.Offer)]
    loops = [part for part in parts(function) if isinstance(part, st.Each) and st.Offer in map(type, parts(part))]
    if len(offers) != 1 or len(loops) != 1 or offers[0].values != (flat.Name(loops[0].name),):
        return None
    row = loops[0].row
    row = row.row if isinstance(row, flat.Distinct) else row
    return sets.get(row.slot) if isinstance(row, flat.Held) else None
