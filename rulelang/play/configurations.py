"""The configurations of a program, in an order that soon has tried every option: for comparisons that cover them.

For every number of seats first all defaults; then each option with each of its values (of long ranges the ends, the
middle and what is near the default) while the others stay as they are. Where such a choice is refused alone, it is
tried together with one other choice that allows it. Behind that, mixtures of what was accepted, drawn from a key, for
ever.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Program
from rulelang.play import kinds
from rulelang.play.attempting import pick
from rulelang.play.chance import Stream
from rulelang.play.closing import close
from rulelang.play.record import option_label

Label = int | str | bool
Options = Mapping[str, Label]

LISTED: Final = 12
"""Values of an option that are all gone through."""

MIXED: Final = 4
"""Choices in a mixture, at most."""


def all_seats(program: Program) -> tuple[int, ...]:
    """Every number of seats that the rules allow."""
    return tuple(range(program.fewest_seats, program.most_seats + 1))


def choices(program: Program, seats: int) -> list[tuple[str, Label]]:
    """Every value of every option that is not its default; of long ranges some."""
    try:
        closed = close(program, seats, {})
    except (Refused, Exhausted):
        return []
    found: list[tuple[str, Label]] = []
    for option in closed.options:
        codes: Sequence[int] = kinds.all_codes(closed, option.type)
        if len(codes) > LISTED:
            low, high = codes[0], codes[-1]
            near = {low, low + 1, low + 2, option.default - 1, option.default + 1, (low + high) // 2, high - 1, high}
            codes = sorted(code for code in near if code in codes)  # a range may be too long to be gone through
        found += [(option.name, option_label(option.type, code)) for code in codes if code != option.default]
    return found


class Variations:
    """The configurations of one number of seats, besides the defaults."""

    def __init__(self, program: Program, seats: int) -> None:
        self.program = program
        self.seats = seats
        self.choices = choices(program, seats)
        self.accepted: list[Options] = []
        """Those of which mixtures are made."""
        self._helpers: list[tuple[str, Label]] = []

    def each(self) -> Iterator[Options]:
        """Every choice alone, and if it is refused, once more with another that allows it."""
        for choice in self.choices:
            alone = dict([choice])
            yield alone
            together = alone if self.allowed(alone) else self._helped(choice)
            if together is None:
                continue
            self.accepted.append(together)
            if together is not alone:
                yield together

    def mixed(self, draw: Stream) -> Options:
        """Several choices together; they may be refused."""
        options: dict[str, Label] = {}
        for _ in range(2 + draw.below(MIXED - 1)):
            options.update(pick(self.accepted, draw))
        return options

    def allowed(self, options: Options) -> bool:
        """Whether a game can be closed like that."""
        try:
            close(self.program, self.seats, options)
        except (Refused, Exhausted):
            return False
        return True

    def _helped(self, choice: tuple[str, Label]) -> Options | None:
        """The choice with another one, first of all with one that has helped before."""
        for helper in (*self._helpers, *self.choices):
            options = dict([choice, helper])
            if helper[0] != choice[0] and self.allowed(options):
                if helper not in self._helpers:
                    self._helpers.append(helper)
                return options
        return None
