"""A state with a planted fault: it betrays what others hold, in one place. Tests that look for leaks must find it."""

from collections.abc import Iterator
from typing import Any

import attrs
from given_to import seats_of

from rulelang.ir.program import Everyone, Zone
from rulelang.play import words
from rulelang.play.engine import State
from rulelang.play.event import Answer
from rulelang.play.kinds import Layout
from rulelang.play.refusal import Refusal
from rulelang.play.view import Observed, Seen, View


@attrs.frozen
class Leaky:
    """A state that betrays what others hold, in one place."""

    real: State
    fault: str

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def secret(self) -> str:
        """What lies in every zone that not everybody sees, in words."""
        program, position = self.real.game.program, self.real.position()
        said = []
        for slot, family in zip(program.slots, Layout.of(program).families, strict=True):
            for cell in range(family.base, family.base + family.count):
                lying = position.cells[cell]
                if isinstance(slot, Zone) and not isinstance(slot.sight.content, Everyone) and isinstance(lying, tuple):
                    pieces = tuple(piece for piece in lying if isinstance(piece, int))
                    said.append(words.speak(program, slot.content, pieces))
        return ", ".join(said)

    def view(self, seat: int | None) -> View:
        view = self.real.view(seat)
        if self.fault != "a view that peeks":
            return view
        others = [self.real.view(other).seen for other in range(seats_of(self.real))]
        more = [each for seen in others for each in seen if each.part == "content"]
        known = {(each.slot, each.member) for each in view.seen if each.part == "content"}
        return attrs.evolve(view, seen=(*view.seen, *self._unknown(more, known)))

    @staticmethod
    def _unknown(more: list[Seen], known: set[tuple[int, int]]) -> Iterator[Seen]:
        return (each for each in more if (each.slot, each.member) not in known)

    @property
    def waiting(self) -> Any:
        if self.fault != "a prompt that names it":
            return self.real.waiting
        return attrs.evolve(self.real.waiting, words=self.secret())

    def refusals(self, answer: Answer) -> tuple[Refusal, ...]:
        found = self.real.refusals(answer)
        if self.fault != "a refusal that names it":
            return found
        return tuple(attrs.evolve(each, words=f"{each.words} {self.secret()}") for each in found)

    def observed(self, seat: int | None) -> tuple[Observed, ...]:
        seen = self.real.observed(seat)
        if self.fault != "a log that names it":
            return seen
        logs = [self.real.observed(other) for other in range(seats_of(self.real))]
        whole = zip(*(log for log in logs if len(log) == len(seen)), strict=True)
        return tuple(attrs.evolve(each, arguments=_filled(told)) for each, told in zip(seen, whole, strict=True))


def _filled(told: tuple[Observed, ...]) -> tuple[int | None, ...]:
    """The answers of a move as far as anybody was shown them."""
    arguments = zip(*(each.arguments for each in told), strict=True)
    return tuple(next((code for code in codes_ if code is not None), None) for codes_ in arguments)
