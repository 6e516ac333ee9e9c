"""Two interpreters compared in all the configurations of a program, so that one run covers seats and options.

Half of the events go to the defaults, shared by the numbers of seats. The other half goes to all other
configurations, in the order of ``configurations``: every value of every option, then mixtures until the events are
used up. Behind the events of a configuration its compiled games are compared, if the first interpreter has such.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from rulelang.ir.program import Program
from rulelang.play.alike import Pair
from rulelang.play.chance import Stream, match_key, mix
from rulelang.play.comparing import Compared, Effort
from rulelang.play.configurations import Variations
from rulelang.play.differing import SEARCHES, Difference, Options, Progress, compare, configured
from rulelang.play.engine import Engine
from rulelang.play.wholes import Configured, compare_compiled, is_compiled

LEAST: Final = 25
"""Events that a configuration is played for, at least, as long as there are any."""

WORTH_COMPILING: Final = 500
"""Events that must be owed until an option is compiled: that takes longer than to play a few."""

IDLE: Final = 64
"""Mixtures one after the other in which nothing could be played, until no more are tried."""


@attrs.define
class Covering:
    """One comparison over many configurations. All of ``counts`` is right at any time."""

    first: Engine
    second: Engine
    program: Program
    seed: int
    effort: Effort = attrs.field(factory=Effort)
    counts: Compared = attrs.field(factory=Compared)
    progress: Progress | None = None
    chosen: Options | None = None
    """The options that somebody asked for, if so."""
    uncompiled: int = 0
    """Configurations whose compiled games should have been compared, and for which there were none."""

    def compare(self, seats: Sequence[int], options: Options | None, moves: int) -> Difference | None:
        """Compare so many events; with ``options`` in these alone, without in all that there are."""
        end = self.counts.moves + moves
        self.chosen = options
        varied = [] if options is not None else [Variations(self.program, number) for number in seats]
        varied = [variations for variations in varied if variations.choices]
        defaults = moves // 2 if varied else moves
        for place, number in enumerate(seats):
            if self.counts.moves >= end:
                return None
            share = defaults * (place + 1) // len(seats) - defaults * place // len(seats)
            difference = self.one(number, options or {}, max(share, LEAST), end)
            if difference is not None:
                return difference
        share = max(LEAST, moves // 4 // sum(len(each.choices) for each in varied)) if varied else 0
        for number, chosen in self.others(varied):
            if self.counts.moves >= end:
                break
            difference = self.one(number, chosen, share, end)
            if difference is not None:
                return difference
        return None

    def others(self, varied: Sequence[Variations]) -> Iterator[tuple[int, Options]]:
        """All configurations but the defaults, numbers of seats in turn."""
        open_ones = [(variations.seats, variations.each()) for variations in varied]
        while open_ones:
            for number, each in list(open_ones):
                chosen = next(each, None)
                if chosen is None:
                    open_ones.remove((number, each))
                else:
                    yield number, chosen
        draw = Stream(mix(match_key(self.seed, 0), SEARCHES))
        mixing = [variations for variations in varied if variations.accepted]
        idle = 0
        while mixing and idle < IDLE:
            for variations in mixing:
                before = self.counts.moves
                yield variations.seats, variations.mixed(draw)
                idle = idle + 1 if self.counts.moves == before else 0

    def one(self, seats: int, options: Options, share: int, end: int) -> Difference | None:
        """One configuration, for its share of what is left, and then its compiled games if they are owed."""
        difference = compare(
            self.first,
            self.second,
            self.program,
            seats,
            options,
            self.seed,
            min(share, end - self.counts.moves),
            effort=self.effort,
            counts=self.counts,
            progress=self.progress,
        )
        return difference or self.compiled(seats, options)

    def compiled(self, seats: int, options: Options) -> Difference | None:
        """Compiled games of a configuration, until as much of them was compared as was stepped."""
        owed = self.counts.moves - self.counts.compiled
        least = WORTH_COMPILING if options and options is not self.chosen else 1
        if not self.effort.compiled or owed < least:
            return None
        games = configured(Pair(self.first, self.second), self.program, seats, options)
        if games is None:
            return None
        here = Configured(games, seats, options, self.seed)
        self.uncompiled += not is_compiled(here)
        return compare_compiled(here, self.counts)
