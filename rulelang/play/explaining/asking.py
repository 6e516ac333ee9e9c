"""Questions in words: a define with its values, or a marker: ``total(seat 1)``, ``seat 1's points``."""

import re
from collections.abc import Sequence
from typing import Any, cast

import attrs

from rulelang.failures import Refused
from rulelang.ir.expressions import Value
from rulelang.ir.program import Program
from rulelang.ir.types import CollectionType, NumberType, SeatType, TextType, Type
from rulelang.play import kinds
from rulelang.play.explaining.kinds_of import NUMBER, Kinds
from rulelang.play.kinds import Layout
from rulelang.play.refusal import Refusal
from rulelang.play.times import timer_slots
from rulelang.play.words import describe_kind, plain, read_value, suggestion


@attrs.frozen
class AskedDefine:
    """A define for some values."""

    function: int
    arguments: tuple[Value, ...]
    given: tuple[Type | None, ...]


@attrs.frozen
class AskedPlace:
    """A zone or marker."""

    slot: int
    member: int


@attrs.frozen
class AskedTimer:
    """A timer, or what is left of it."""

    timer: int
    left: bool


Asked = AskedDefine | AskedPlace | AskedTimer


def read_question(program: Program, learned: Kinds, cells: Sequence[Any], text: str) -> Asked:
    """What a text asks for. Raises Refused if it asks for nothing that there is."""
    name, words = _taken_apart(text)
    for function, declared in enumerate(program.functions):
        if plain(declared.name) == plain(name) and declared.name.isidentifier():
            return _define(program, learned, cells, function, words)
    kept = timer_slots(program)  # the words of the rules ask for timers themselves
    for slot, _ in enumerate(program.slots):
        if slot not in kept and plain(program.slots[slot].name) == plain(name):
            return _place(program, slot, words)
    left = plain(name) == "left" and len(words) == 1
    for timer, declared_timer in enumerate(program.timers):
        if plain(declared_timer.name) == plain(words[0] if left else name):
            return AskedTimer(timer, left)
    known = [each.name for each in (*program.functions, *program.slots, *program.timers) if each.name.isidentifier()]
    raise _refused("no_such_word", f"Nothing is called '{name}' here.{suggestion(name, known)}")


def _taken_apart(text: str) -> tuple[str, list[str]]:
    """``seat 1's sheet[2]``, ``sheet(seat 1, 2)``: the name, and the values behind or before it."""
    found = re.fullmatch(
        r"(?:(?P<owner>[^(\[]+?)'s\s+)?(?P<name>[^\[(]+?)\s*(?:\((?P<round>.*)\)|\[(?P<square>.*)\])?", text.strip()
    )
    if found is None:
        return text.strip(), []
    name, inside = found["name"], found["round"] or found["square"] or ""
    before, of, after = name.partition(" of ")
    words = [found["owner"]] if found["owner"] else []
    if of:
        name, words = before, [*words, after]
    return name.strip(), [*words, *(part.strip() for part in re.split(r",(?![^\[]*\])", inside) if part.strip())]


def _define(program: Program, learned: Kinds, cells: Sequence[Any], function: int, words: list[str]) -> AskedDefine:
    declared = program.functions[function]
    if len(words) != declared.parameters:
        counted = f"{declared.parameters} value{'s' if declared.parameters != 1 else ''}"
        raise _refused("wrong_number_of_arguments", f"'{declared.name}' takes {counted}, but is given {len(words)}.")
    given = tuple(learned.parameters[function].get(place) for place in range(declared.parameters))
    values = tuple(_value(program, cells, kind, word, declared.name) for kind, word in zip(given, words, strict=True))
    return AskedDefine(function, values, given)


def _place(program: Program, slot: int, words: list[str]) -> AskedPlace:
    declared = program.slots[slot]
    if len(words) != len(declared.index):
        words = [part for word in words for part in re.split(r"\s+(?=\S+$)", word)] if len(words) == 1 else words
    if len(words) != len(declared.index):
        counted = f"{len(declared.index)} value{'s' if len(declared.index) != 1 else ''}"
        raise _refused("wrong_number_of_arguments", f"'{declared.name}' needs {counted} to say which one it is.")
    codes = tuple(
        cast(int, _value(program, (), kind, word, declared.name))
        for kind, word in zip(declared.index, words, strict=True)
    )
    member = Layout.of(program).flat(slot, codes)
    if member is None:
        raise _refused("bad_argument", f"There is no such '{declared.name}'.")
    return AskedPlace(slot, member)


def _value(program: Program, cells: Sequence[Any], kind: Type | None, word: str, name: str) -> Value:
    """A value as people write it; a bag or list as ``[kappa, 2 of fox]``, or as the place where it lies."""
    single = NUMBER if kind is None or isinstance(kind, TextType) else kind
    if isinstance(single, CollectionType):
        return _collection(program, cells, single, word, name)
    if isinstance(single, SeatType) or kind is None:
        seats = kinds.seat_count(program)
        found = re.fullmatch(r"(?:seat\s+)?([0-9]{1,2})", plain(word))
        if found and (kind is not None or not word.strip().isdecimal()) and 1 <= int(found[1]) <= seats:
            return int(found[1]) - 1
    code = read_value(program, single, word) if single is not NUMBER else None
    if code is None and isinstance(single, NumberType):
        code = _plain_number(word)
    if code is None:
        expected = "a whole number" if isinstance(single, NumberType) else describe_kind(program, single)
        raise _refused("bad_argument", f"{word} is no value for '{name}'. It is {expected}.")
    return code


def _plain_number(word: str) -> int | None:
    return int(word) if re.fullmatch(r"-?[0-9]{1,18}", word.strip(), re.ASCII) else None


def _collection(program: Program, cells: Sequence[Any], kind: CollectionType, word: str, name: str) -> Value:
    inside = re.fullmatch(r"\[(.*)\]", word.strip())
    if inside is None:
        place, words = _taken_apart(word)
        slot = next((n for n, each in enumerate(program.slots) if plain(each.name) == plain(place)), None)
        if slot is None:
            raise _refused("bad_argument", f"{word} is no value for '{name}'. Write [A, 2 of B], or where it lies.")
        asked = _place(program, slot, words)
        lying: Value = cells[Layout.of(program).families[slot].base + asked.member]
        return lying if isinstance(lying, tuple) else (lying,)
    codes: list[Value] = []
    for part in inside[1].split(",") if inside[1].strip() else ():
        counted = re.fullmatch(r"\s*([0-9]{1,4})\s+(?:of|x)\s+(.+)", part)
        times, said = (int(counted[1]), counted[2]) if counted else (1, part.strip())
        codes += [_value(program, cells, kind.of, said, name)] * times
    return tuple(sorted(codes)) if kind.shape == "bag" else tuple(codes)


def _refused(code: str, words: str) -> Refused:
    return Refused([Refusal(code, None, words)])
