"""Many games by automatic players, and what they add up to. Spec 15.7.

Game i depends only on the seed and on i, so any division of the games among workers gives the same numbers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Protocol, runtime_checkable

import attrs

from rulelang.failures import Broken
from rulelang.play.agents import AdvisedAgent, Agent, RandomAgent
from rulelang.play.engine import Game
from rulelang.play.event import Expiry, Outcome, Reading, Sealed
from rulelang.play.match import Match

KNOWN = (RandomAgent, AdvisedAgent)
"""Players that interpreters may know themselves."""


@attrs.frozen
class GameSummary:
    """One finished game."""

    number: int
    """Which game of the seed."""
    kind: str
    """As in ``GameOutcome``."""
    winners: tuple[int, ...]
    returns: tuple[Fraction, ...]
    length: int
    """Events."""
    decisions: int
    """Answers of seats, each sealed one counted."""
    cost: int
    """Cost units of all its events."""
    time: int = 0
    """Table time at its end, in milliseconds; 0 in games without a clock."""
    broken: tuple[str, ...] = ()
    """The author's promises (Spec 13.6) that did not hold at some wait, if they were looked at."""


@runtime_checkable
class PlaysMany(Protocol):
    """A game whose interpreter plays whole games by itself, the same ones as a match with such players does."""

    def playouts(
        self,
        n: int,
        seed: int,
        policy: str | Sequence[str],
        threads: int = 1,
        first: int = 0,
        *,
        promises: bool = False,
    ) -> Iterator[GameSummary]:
        """Games ``first`` to ``first + n - 1`` of a seed; ``policy`` names the player of every seat."""


@runtime_checkable
class CompilesGames(Protocol):
    """A game whose interpreter has a second form for many games, such as machine code, and uses it where that pays."""

    def compiled_playouts(
        self, n: int, seed: int, policy: str | Sequence[str], first: int = 0, *, promises: bool = False
    ) -> Iterator[GameSummary | None] | None:
        """The same games by that form alone, whether it pays or not; None for a game that it gives up.

        None instead of all games if it has no form for these rules and players.
        """


def playouts(
    game: Game, n: int, seed: int, agents: Sequence[Agent], first: int = 0, *, promises: bool = False
) -> Iterator[GameSummary]:
    """Games ``first`` to ``first + n - 1`` of a seed, one after the other. Raises Exhausted for an endless game.

    With ``promises``, the author's invariants are looked at in every state.

    An interpreter that plays whole games by itself does so, if all players are ones that it knows.
    """
    if isinstance(game, PlaysMany) and all(type(agent) in KNOWN for agent in agents):
        yield from game.playouts(n, seed, [agent.name for agent in agents], first=first, promises=promises)
        return
    for number in range(first, first + n):
        yield playout(game, seed, number, agents, promises=promises)


def playout(game: Game, seed: int, number: int, agents: Sequence[Agent], *, promises: bool = False) -> GameSummary:
    """One game from its start to its end."""
    match = _Counting(game, seed, number)
    outcome = match.play(agents)
    if outcome is None:
        raise Broken("a game stopped although every seat has an automatic player")
    decisions = 0
    for event in match.events:
        if not isinstance(event, Outcome | Reading | Expiry):
            decisions += len(event.answers) if isinstance(event, Sealed) else 1
    return GameSummary(
        number,
        outcome.kind,
        outcome.winners,
        outcome.returns,
        len(match.events),
        decisions,
        match.total_cost,
        match.now,
        match.broken() if promises and game.program.invariants else (),
    )


class _Counting(Match):
    """A match that adds up what its steps cost."""

    @property
    def total_cost(self) -> int:
        """Of every step so far, the start included."""
        return sum(state.cost for state in self._states)

    def broken(self) -> tuple[str, ...]:
        """The promises that do not hold in some state so far, in order of declaration."""
        found = {name for state in self._states for name in self.game.invariants(state)}
        return tuple(each.name for each in self.game.program.invariants if each.name in found)


@attrs.frozen
class Summary:
    """What finished games add up to. Merging is exact and in any order the same."""

    games: int = 0
    kinds: tuple[tuple[str, int], ...] = ()
    """How many games ended how, in alphabetical order."""
    wins: tuple[tuple[int, int], ...] = ()
    """In how many games each seat was among the winners, those without a win left out."""
    returns: tuple[Fraction, ...] = ()
    """Sums, one a seat."""
    squares: tuple[Fraction, ...] = ()
    """Sums of the squared returns, for error bars."""
    length: int = 0
    shortest: int = 0
    longest: int = 0
    decisions: int = 0
    cost: int = 0
    broken: tuple[tuple[str, int, int], ...] = ()
    """The promises that did not hold: name, in how many games, and the first of them."""

    @classmethod
    def of_all(cls, games: Iterable[GameSummary]) -> "Summary":
        """All of them, without keeping any."""
        ends: Counter[tuple[str, tuple[int, ...], tuple[Fraction, ...]]] = Counter()
        length = decisions = cost = longest = 0
        shortest: int | None = None
        broken: dict[str, list[int]] = {}
        for game in games:
            for name in game.broken:
                broken.setdefault(name, []).append(game.number)
            ends[(game.kind, game.winners, game.returns)] += 1
            length += game.length
            decisions += game.decisions
            cost += game.cost
            longest = max(longest, game.length)
            shortest = game.length if shortest is None else min(shortest, game.length)
        if shortest is None:
            return cls()
        seats = range(len(next(iter(ends))[2]))
        kinds: Counter[str] = Counter()
        wins: Counter[int] = Counter()
        for (kind, winners, _), count in ends.items():
            kinds[kind] += count
            for seat in winners:
                wins[seat] += count
        returns = [sum((end[2][seat] * count for end, count in ends.items()), Fraction(0)) for seat in seats]
        squares = [sum((end[2][seat] ** 2 * count for end, count in ends.items()), Fraction(0)) for seat in seats]
        return cls(
            games=ends.total(),
            kinds=tuple(sorted(kinds.items())),
            wins=tuple(sorted(wins.items())),
            returns=tuple(returns),
            squares=tuple(squares),
            length=length,
            shortest=shortest,
            longest=longest,
            decisions=decisions,
            cost=cost,
            broken=tuple((name, len(found), min(found)) for name, found in sorted(broken.items())),
        )

    def merge(self, other: "Summary") -> "Summary":
        """Both together."""
        if not self.games or not other.games:
            return self if self.games else other
        return Summary(
            games=self.games + other.games,
            kinds=tuple(sorted((Counter(dict(self.kinds)) + Counter(dict(other.kinds))).items())),
            wins=tuple(sorted((Counter(dict(self.wins)) + Counter(dict(other.wins))).items())),
            returns=_added(self.returns, other.returns),
            squares=_added(self.squares, other.squares),
            length=self.length + other.length,
            shortest=min(self.shortest, other.shortest),
            longest=max(self.longest, other.longest),
            decisions=self.decisions + other.decisions,
            cost=self.cost + other.cost,
            broken=_both_broken(self.broken, other.broken),
        )


def _both_broken(
    left: tuple[tuple[str, int, int], ...], right: tuple[tuple[str, int, int], ...]
) -> tuple[tuple[str, int, int], ...]:
    found = {name: (games, first) for name, games, first in left}
    for name, games, first in right:
        before = found.get(name, (0, first))
        found[name] = (before[0] + games, min(before[1], first))
    return tuple((name, *found[name]) for name in sorted(found))


def _added(left: tuple[Fraction, ...], right: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    return tuple(mine + theirs for mine, theirs in zip(left, right, strict=True))
