"""What is seen in a loop before it is carried out for all places at once: whether the order of its laps matters."""

from __future__ import annotations

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.llvm.planes import numbers
from rulelang_native.llvm.walking import parts, reaches_the_ends

STATEMENTS = (
    st.Set, st.If, st.Each, st.Stop, st.Skip, st.Fail, st.Gather, st.Put, st.Offer, st.Notes, st.Note, st.Mark,
)  # fmt: skip
"""What can be carried out for all places at once."""
LEAST_PLACES = 8
"""So few places are gone through one after the other."""


def suits(loop: st.Each) -> bool:
    """Whether it is worth while to try it: a loop over many places, with loops inside, that changes nothing."""
    if not isinstance(loop.row, flat.Known) or len(numbers(loop.row.value)) < LEAST_PLACES:
        return False
    inside = list(parts(loop.body))
    if not any(isinstance(part, st.Each | flat.Result) for part in inside) or reaches_the_ends(loop.body):
        return False
    return all(isinstance(part, STATEMENTS) for part in inside if isinstance(part, st.Statement))


def flags(loop: st.Each, only: set[str]) -> dict[str, int] | None:
    """The flags that a loop raises if the order of its laps does not matter, with what they are set to; None if it
    does. Whatever else a lap sets is named nowhere else, so that each lap sets it anew."""
    inside = list(parts(loop.body))
    stop = stops(loop.body)
    if any(isinstance(part, st.Give) for part in inside):
        return None
    if stop and any(isinstance(part, st.Put | st.Offer) for part in inside):
        return None
    found: dict[str, int] = {}
    for part in inside:
        if not isinstance(part, st.Set) or part.name in only:
            continue
        if prepared(loop.body, part.name):
            continue
        if not isinstance(part.value, flat.Known) or not isinstance(part.value.value, int):
            return None
        if found.setdefault(part.name, part.value.value) != part.value.value:
            return None
    if any(isinstance(part, flat.Name) and part.name in found for part in inside):
        return None
    if any(isinstance(part, st.Gather | st.Each) and part.name not in only for part in inside):
        return None
    return found


def stops(body: tuple[st.Statement, ...]) -> bool:
    """Whether a lap can leave its loop."""
    for each in body:
        match each:
            case st.Stop():
                return True
            case st.If() if stops(each.then) or stops(each.otherwise):
                return True
    return False


def prepared(body: tuple[st.Statement, ...], name: str) -> bool:
    """Whether a variable says that something is prepared."""
    return any(
        isinstance(part, st.If)
        and part.truth == flat.No(flat.IsOne(flat.Name(name)))
        and part.then[-1:] == (st.Set(name, flat.Known(1)),)
        for part in parts(body)
    )


def only_inside(whole: tuple[st.Statement, ...], loop: st.Each) -> set[str]:
    """The variables that are named nowhere but in a loop."""
    inside, everywhere = named(loop.body), named(whole)
    return {name for name, times in inside.items() if times == everywhere.get(name)} | {loop.name}


def given(body: tuple[st.Statement, ...]) -> dict[str, int]:
    """The variables that are given something, and how often."""
    found: dict[str, int] = {}
    for part in parts(body):
        if isinstance(part, st.Set | st.Each | st.Gather):
            found[part.name] = found.get(part.name, 0) + 1
    return found


def named(body: tuple[st.Statement, ...]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in parts(body):
        match part:
            case flat.Name() | st.Set() | st.Each() | st.Gather() | st.Put():
                found[part.name] = found.get(part.name, 0) + 1
            case flat.Finished():
                found[part.gathered] = found.get(part.gathered, 0) + 1
    return found
