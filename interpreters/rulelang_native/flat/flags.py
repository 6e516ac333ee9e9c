"""Conditions that prepare something once, when it is first needed; behind them it is there on every way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Known


def flagged(body: tuple[st.Statement, ...]) -> Iterator[st.If]:
    """Conditions that prepare something once: only they set their flag, everything else unsets it."""
    sets: dict[str, list[st.Set]] = {}
    asked: dict[str, list[tuple[st.If, Callable[[object], bool]]]] = {}
    waiting = [body]
    while waiting:
        for each in waiting.pop():
            match each:
                case st.Set():
                    sets.setdefault(each.name, []).append(each)
                case st.If():
                    match each.truth:
                        case flat.No(flat.IsOne(flat.Name(name))):
                            asked.setdefault(name, []).append((each, lambda value: value == 0))
                        case flat.Compare("<", flat.Name(name), Known(0)):
                            asked.setdefault(name, []).append((each, lambda v: isinstance(v, int) and v < 0))
                    waiting += [each.then, each.otherwise]
                case st.Each():
                    waiting.append(each.body)
                case _:
                    pass
    for name, guards in asked.items():
        guard, unset = guards[0]
        last = guard.then[-1] if guard.then else None
        if len(guards) > 1 or guard.otherwise or not isinstance(last, st.Set) or last.name != name:
            continue
        others = [each for each in sets[name] if each is not last]
        if all(isinstance(each.value, Known) and unset(each.value.value) for each in others):
            yield guard
