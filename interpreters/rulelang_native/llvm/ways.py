"""Answers of a listing that was carried out for all places at once: one word for every way to the second value."""

from __future__ import annotations

import attrs

from rulelang_native.llvm.abreast import Abreast
from rulelang_native.llvm.code import Code
from rulelang_native.llvm.values import Constants
from rulelang_native.llvm.words import Case, Known, Number, Word

MOST_WAYS = 64
"""So many ways from first values to second ones."""


@attrs.frozen
class Ways:
    """How the answers of a listing of pairs are told."""

    bits: int
    """Bits of each word."""
    ways: tuple[Known, ...]
    """For each word: what the second value is, for every first one."""
    first: tuple[int, ...]
    """The first values that there are."""

    @property
    def digits(self) -> int:
        """How many words tell how many answers there are for each first value."""
        return len(self.ways).bit_length()

    @property
    def words(self) -> int:
        """How many words there are in all."""
        return len(self.ways) + self.digits

    def second(self, code: Code, constants: Constants, first: str, way: str) -> str:
        """The second value of an answer, by the first one and the way."""
        if all(known.step is not None for known in self.ways):
            table = constants.words(tuple(known.step or 0 for known in self.ways), 64)
            return code.op(f"add i64 {first}, {code.load(code.at(table, way))}")
        rows: list[int] = []
        for known in self.ways:
            rows += [known.number(place) if known.there(place) else 0 for place in range(self.bits)]
        at = code.op(f"add i64 {code.op(f'mul i64 {way}, {self.bits}')}, {first}")
        return code.load(code.at(constants.words(tuple(rows), 64), at))


def told(all_: Abreast) -> list[tuple[Word, Known | None]] | None:
    """What was offered, in order: where, and of pairs what the second value is. None if it is more than that."""
    words = all_.words
    own = Number((Case(words.full, Known(step=0)),))
    found: list[tuple[Word, Known | None]] = []
    for where, values in all_.offers:
        if len(values) not in (1, 2) or values[0] != own:
            return None
        if len(values) == 1:
            found.append((where, None))
            continue
        second = values[1]
        if not isinstance(second, Number) or any(case.free is not None for case in second.cases):
            return None
        for case in second.cases:
            if (word := words.both(where, case.where)) != 0:
                found.append((word, case.known))
    if any(known is None for _, known in found) and len(found) > 1:
        return None
    return found if len(found) <= MOST_WAYS else None
