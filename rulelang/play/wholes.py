"""Compiled games of one interpreter, held against matches of another. See ``rulelang.play.differing``.

Compiled code has no states that could be asked: it plays whole games, or batches on arrays. A whole game must come to
what the same game comes to when it is played state by state; a batch must say at every step what a batch of matches
says.
"""

from array import array
from contextlib import suppress
from functools import partial
from typing import Final

import attrs

from rulelang.failures import Exhausted
from rulelang.play.agents import AdvisedAgent, Agent, RandomAgent
from rulelang.play.alike import Crashed, Failed, Pair, outcome_of, texts
from rulelang.play.batches import Batch, Batches, Matches, in_table_time
from rulelang.play.chance import PLAYERS, Stream, match_key, mix
from rulelang.play.comparing import Compared
from rulelang.play.differing import Difference, Options
from rulelang.play.engine import Game
from rulelang.play.event import Answer, Event
from rulelang.play.match import Match
from rulelang.play.outcome import GameOutcome
from rulelang.play.playouts import CompilesGames, GameSummary, playout

SUBJECT: Final = "compiled"
"""What kind of thing differs, of all differences of this module."""

PLACES: Final = PLAYERS + 2**32 + 3
"""Number, beyond those of all players and comparisons, of what the answers of batches are drawn from."""

ABREAST: Final = 4
"""Games of a batch."""

CLOSELY: Final = 4
"""One of how many steps of a batch is looked at with all answers, and from elsewhere."""

ELSEWHERE: Final = 64
"""Games that are tried for a shorter one that differs."""

SEARCHED: Final = 10_000
"""Events of these, at most."""

IN_VAIN: Final = 8
"""Games one after the other that are given up, or end before they begin, until no more are tried."""


@attrs.frozen
class Configured:
    """One configuration on both interpreters, the first of which may have compiled games."""

    games: Pair[Game]
    seats: int
    options: Options
    seed: int

    def found(self, what: str, first: str, second: str, number: int, events: tuple[Event, ...]) -> Difference:
        """A difference in this configuration."""
        return Difference(what, first, second, self.seats, self.options, self.seed, number, events, SUBJECT)


def is_compiled(here: Configured) -> bool:
    """Whether the first interpreter has compiled games here; true as well if it fails to say so."""
    game = here.games.first
    return isinstance(game, CompilesGames) and outcome_of(_no_games, game) is not None


def _no_games(game: CompilesGames) -> object:
    return game.compiled_playouts(0, 0, RandomAgent.name)


def compare_compiled(here: Configured, counts: Compared) -> Difference | None:
    """Compare as many events of whole games, and as many answers of batches, as events were stepped, if there are
    compiled ones; None if nothing differs. What is begun is played to its end, if it has one.
    """
    game = here.games.first
    whole = _WholeGames(here, game, counts).compare() if isinstance(game, CompilesGames) else None
    return whole or _compare_batches(here, counts)


# ------------------------------------------------------------------ whole games


GIVEN_UP: Final = object()
"""What stands for a compiled game that is played otherwise."""


class _WholeGames:
    """Whole games, by all kinds of players in turn."""

    def __init__(self, here: Configured, game: CompilesGames, counts: Compared) -> None:
        self.here = here
        self.game = game
        self.counts = counts
        program = here.games.first.program
        self.ways: list[tuple[Agent, bool]] = [(RandomAgent(), False)]
        """Who plays at all seats, and whether the promises of the rules are looked at: one game after the other."""
        if program.preferences:
            self.ways.append((AdvisedAgent(), False))
        if program.invariants:
            self.ways.append((RandomAgent(), True))

    def compare(self) -> Difference | None:
        """One after the other, until enough was compared."""
        number = vain = 0
        while self.counts.compiled < self.counts.moves and vain < IN_VAIN:
            events = 0
            mine = self.compiled(number)
            if mine is None:  # players or promises that are not compiled; the others go on
                self.ways.remove(self.way(number))
                if not self.ways:
                    return None
                continue
            if mine is GIVEN_UP:
                self.counts.given_up += 1
            else:
                theirs = self.matched(number)
                if mine != theirs or isinstance(mine, Crashed):
                    return self.shorter(self.differing(mine, theirs, number))
                events = theirs.length if isinstance(theirs, GameSummary) else 0
            self.counts.compiled += events
            vain = 0 if events else vain + 1
            number += 1
        return None

    def way(self, number: int) -> tuple[Agent, bool]:
        """How a game is played."""
        return self.ways[number % len(self.ways)]

    def compiled(self, number: int) -> object:
        """What a compiled game comes to: None if nothing is compiled, `GIVEN_UP` if it is given up."""

        def only(game: CompilesGames) -> object:
            agent, promises = self.way(number)
            games = game.compiled_playouts(1, self.here.seed, agent.name, number, promises=promises)
            return None if games is None else next(iter(games)) or GIVEN_UP

        return outcome_of(only, self.game)

    def matched(self, number: int) -> object:
        """What the same game comes to, state by state."""
        agent, promises = self.way(number)
        agents, seed = [agent] * self.here.seats, self.here.seed
        return outcome_of(lambda game: playout(game, seed, number, agents, promises=promises), self.here.games.second)

    def differing(self, mine: object, theirs: object, number: int) -> Difference:
        """What two games do not agree on, with the events of the match."""
        match = Match(self.here.games.second, self.here.seed, number)
        agent, _ = self.way(number)
        with suppress(Exhausted):
            match.play([agent] * self.here.seats)
        return self.here.found(f"compiled game of {agent.name} players", *texts(mine, theirs), number, match.events)

    def shorter(self, best: Difference) -> Difference:
        """The shortest of some games that differ."""
        events = 0
        for number in range(ELSEWHERE):
            theirs = self.matched(number)
            events += theirs.length if isinstance(theirs, GameSummary) else 0
            if events > SEARCHED:
                break
            if isinstance(theirs, GameSummary) and theirs.length < len(best.events):
                mine = self.compiled(number)
                if mine is not GIVEN_UP and mine != theirs:
                    best = self.differing(mine, theirs, number)
        return best


# ------------------------------------------------------------------ batches


@attrs.frozen
class Shown:
    """What a batch says of one game."""

    asked: int
    """As in ``Batch.seats``."""
    count: int
    view: tuple[int, ...]
    """What the asked seat sees, as one row of ``Batch.views_many``."""
    answers: tuple[Answer, ...] = ()
    elsewhere: tuple[int, ...] = ()
    """What some other seat or a spectator sees."""
    result: GameOutcome | None = None
    limit: str = ""
    """What the game was given up for."""


def _shown(batch: Batch, viewer: int | None) -> tuple[Shown, ...]:
    """What a batch says of all its games, with a viewer closely."""
    width, views = batch.width, batch.views_many()
    elsewhere = array("q") if viewer is None else batch.views_many(viewer)
    return tuple(
        Shown(
            asked,
            count,
            tuple(views[number * width : (number + 1) * width]),
            () if viewer is None else tuple(batch.moves(number)),
            tuple(elsewhere[number * width : (number + 1) * width]),
            batch.outcome(number),
            str(batch.failure(number) or ""),
        )
        for number, (asked, count) in enumerate(zip(batch.seats, batch.counts, strict=True))
    )


def _compare_batches(here: Configured, counts: Compared) -> Difference | None:
    """Batches of a few games, one after the other."""
    first = 0
    while counts.stepped < counts.moves and not in_table_time(here.games.first.program):
        game = here.games.first
        mine = outcome_of(partial(_batch, here.seed, first), game) if isinstance(game, Batches) else None
        if mine is None:
            return None
        if isinstance(mine, Failed | Crashed):
            return here.found("compiled batch", *texts(mine, None), first, ())
        before = counts.stepped
        theirs = Matches(here.games.second, ABREAST, here.seed, first)
        draw = Stream(mix(match_key(here.seed, first), PLACES))
        differs = _step_batches(Pair(mine, theirs), draw, here.seats, counts)
        if differs is not None:
            number, one, other = differs
            what = f"compiled batch, game {first + number}"
            return here.found(what, one, other, first + number, theirs.events(number))
        if counts.stepped == before:  # they end before they begin
            return None
        first += ABREAST
    return None


def _step_batches(pair: Pair[Batch], draw: Stream, seats: int, counts: Compared) -> tuple[int, str, str] | None:
    """Step both by the same draws until all games are over, or enough was compared; the first game that differs, and
    what each says of it."""
    step, theirs = 0, pair.second
    while True:
        viewer = draw.below(seats + 1) if step % CLOSELY == 0 else None
        mine, others = outcome_of(partial(_shown, viewer=viewer), pair.first), _shown(theirs, viewer)
        if mine != others:
            return _first_difference(mine, others)
        if theirs.over or counts.stepped >= counts.moves:
            return None
        places = [draw.below(count) if count else 0 for count in theirs.counts]
        stepped = outcome_of(partial(_step, places), pair.first)
        theirs.step_many(places)
        if stepped is not None:
            return 0, *texts(stepped, None)
        counts.stepped += sum(one.count > 0 for one in others)
        step += 1


def _batch(seed: int, first: int, game: Batches) -> Batch | None:
    return game.batch(ABREAST, seed, first)


def _step(places: list[int], batch: Batch) -> None:
    batch.step_many(places)


def _first_difference(mine: object, others: tuple[Shown, ...]) -> tuple[int, str, str]:
    """The first game that differs, and what each says of it."""
    if not isinstance(mine, tuple) or len(mine) != len(others):  # it says nothing, or of other games
        return 0, *texts(mine, others)
    number = [one == other for one, other in zip(mine, others, strict=True)].index(False)
    return number, *texts(mine[number], others[number])
