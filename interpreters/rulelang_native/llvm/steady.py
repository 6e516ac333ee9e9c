"""What never changes in games that are played from the start: with these seats and options some zones and markers keep
what they hold before play, whatever happens. They are known like numbers of the rules, and nothing is written there.

A rule can only be carried out if another that can be carried out begins it, and the effects of a move only if it can
be asked for. What changes a cell there is looked at; to write what lies there from the start changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Data, Known
from rulelang_native.flat.program import FlatProgram
from rulelang_native.llvm.walking import parts


def carried_out(program: FlatProgram, effects_at: Callable[[int], Sequence[int]]) -> frozenset[int]:
    """The procedures that can come to be carried out; ``effects_at`` a node are those of the moves asked for there."""
    seen, waiting = {0}, [0]
    while waiting:
        begun: list[int] = []
        for part in parts(program.procedures[waiting.pop()]):
            match part:
                case st.Open() | st.SpendOn():
                    begun.append(part.procedure)
                case st.Ask() | st.Force():
                    begun += effects_at(part.node)
        for each in begun:
            if each not in seen:
                seen.add(each)
                waiting.append(each)
    return frozenset(seen)


def steady(
    program: FlatProgram, laid: Sequence[Sequence[Any]], effects_at: Callable[[int], Sequence[int]]
) -> dict[int, Data]:
    """The slots that never change, and what each of their members holds, given what lies in each before play."""
    left: dict[int, Data] = {
        slot: members[0]
        for slot, members in enumerate(laid)
        if members and all(each == members[0] for each in members) and _is_data(members[0])
    }
    for number in carried_out(program, effects_at):
        for part in parts(program.procedures[number]):
            match part:
                case st.Store() if part.slot in left and part.value != Known(left[part.slot]):
                    del left[part.slot]
                case st.Settle() | st.Unsee() if part.slot in left:
                    del left[part.slot]
    return left


def _is_data(value: object) -> bool:
    """Whether it is a number, or a row of them."""
    if isinstance(value, tuple):
        return all(_is_data(each) for each in value)
    return isinstance(value, int)


def settled(program: FlatProgram, known: Mapping[int, Data]) -> FlatProgram:
    """A program with what never changes in place of asking for it, and without writing it."""
    return _put_in(program, known) if known else program


def _put_in(thing: Any, known: Mapping[int, Data]) -> Any:
    match thing:
        case flat.Held() if thing.slot in known:
            return Known(known[thing.slot])
        case Known():
            return thing
        case tuple():
            kept = [each for each in thing if not (isinstance(each, st.Store) and each.slot in known)]
            found = tuple(_put_in(each, known) for each in kept)
            return thing if len(found) == len(thing) and all(map(_is_same, found, thing)) else found
        case _ if attrs.has(type(thing)):
            names = [each.name for each in attrs.fields(type(thing))]
            before = [getattr(thing, name) for name in names]
            after = [_put_in(each, known) for each in before]
            return thing if all(map(_is_same, before, after)) else type(thing)(*after)
        case _:
            return thing


def _is_same(one: object, other: object) -> bool:
    return one is other
