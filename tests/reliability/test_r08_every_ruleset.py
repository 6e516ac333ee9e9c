"""R8 for every ruleset: two states that are equal for a seat, or for those who watch, give the same bytes.

From random positions, with several numbers of seats and choices of options, everything that the seat has not seen is
dealt anew (`Resampler`), or hidden things change places (`exchanged`). Then everything that it is given must be the
same to the letter: by the engine, on the screen, and when it asks why. Each test prints how many hidden things
differed. Where no deal is found that fits what was seen, that is counted; and there must be enough pairs all the same.

The checks are plain functions of the first number and of how many there are, for long runs.
"""

from collections import Counter
from typing import cast

import attrs
import pytest
from exchanges import exchanged
from given_to import (
    HIDING,
    OPEN,
    RULESETS,
    AnyDeal,
    Questions,
    differing,
    given,
    keeps_secrets,
    rules_of,
    shown,
    some_game,
    told,
    tried_by,
    unequal,
    viewers,
)
from leaky import Leaky

from rulelang.failures import Refused
from rulelang.ir.program import Everyone, Zone
from rulelang.play.engine import Game, State
from rulelang.play.kinds import Layout
from rulelang.testing import Dice, playthrough

DECISIONS = 8
"""A game is looked at at one of its first waits for a seat. A deal anew goes through the whole game again."""

LATER = {"taiwan-monsters-brawl": 30, "monster-bande": 24}
"""The same where nothing is hidden at the first waits."""

SLOW = {"spades": 1, "oh-hell": 1, "harvest-draft": 1, "thirty-one": 1, "monster-bande": 1}
SLOW |= dict.fromkeys(["13-animals", "blotto", "crazy-eights", "hanabi"], 2)
SLOW |= dict.fromkeys(["little-rummy", "taiwan-monsters-brawl", "three-card-poker"], 3)
"""How many games of those there are in CI where a deal takes long, each with a pair for everybody; of others eight."""

LOOKS = 6
"""Positions of one game in which hidden things change places."""


def a_position(game: Game, dice: Dice, decisions: int) -> State | None:
    """One of the first states of a random game at which somebody is asked; None if it comes to none."""
    asked: list[State] = []
    for state, _ in playthrough(game, dice, 400):
        if state.waiting.kind not in ("chance", "over"):
            asked.append(state)
        if len(asked) == decisions:
            break
    return dice.pick(asked) if asked else None


def something_lies_hidden(state: State, seat: int | None) -> bool:
    """Whether something has been put or written where the seat does not see it; unseen piles do not count (10.4)."""
    layout, now, before = Layout.of(state.game.program), state.position().cells, state.game.start().position().cells
    seen = {(each.slot, each.member) for each in state.view(seat).seen if each.part == "content"}
    return any(
        now[family.base + member] != before[family.base + member]
        for number, (slot, family) in enumerate(zip(state.game.program.slots, layout.families, strict=True))
        if not (isinstance(slot, Zone) and slot.blind)
        for member in range(family.count)
        if (number, member) not in seen
    )


def same(real: State, other: State, seat: int | None, dice: Dice, asked: Questions, *, past: bool) -> list[str]:
    """Which of the texts that the seat is given differ; with a past, also those that tell it."""
    tried = tried_by(real, seat, dice)
    mine, theirs = (given(state, seat, tried) | shown(state, seat, tried, asked) for state in (real, other))
    if past:
        return unequal(mine | told(real, seat), theirs | told(other, seat))
    return [name for name in unequal(mine, theirs) if name != "log"]


# ------------------------------------------------------------------ everything unseen is dealt anew


def dealt_anew(name: str, first: int, count: int, engine: str = "native", decisions: int | None = None) -> Counter[str]:
    """Compare one position of each of these games with what it could be, for every seat and for those who watch."""
    found: Counter[str] = Counter()
    asked = Questions(rules_of(name))
    for number in range(first, first + count):
        dice = Dice.seeded(68, number)
        state = a_position(some_game(name, dice, engine), dice, decisions or LATER.get(name, DECISIONS))
        for seat in viewers(state) if state is not None else ():
            assert state is not None
            try:
                other = AnyDeal(state, seat).draw(dice)
            except Refused as refused:
                found[refused.reasons[0].code] += 1
                continue
            assert same(state, other, seat, dice, asked, past=True) == [], (name, number, seat)
            found["pairs"] += 1
            found["before spectators"] += seat is None
            found["with something hidden"] += something_lies_hidden(state, seat)
            found["that differ"] += state.position() != other.position()
            found["hidden"] += differing(state, other)
    return found


@pytest.mark.parametrize("name", HIDING)
def test_what_is_dealt_anew_is_not_noticed(name: str) -> None:
    games = SLOW.get(name, 8)
    found = dealt_anew(name, 0, games)
    print("dealt anew:", name, dict(found))
    assert found["pairs"] >= 2 * games and found["before spectators"] >= games // 2
    assert found["hidden"] >= found["that differ"] >= found["with something hidden"] // 6
    assert keeps_secrets(rules_of(name)) or not found["hidden"]


def test_in_nearly_every_ruleset_something_lies_hidden() -> None:
    """Where nothing ever does while somebody is asked, the test above has nothing to exchange: that is known by name.

    In Blotto all answer at once, and then the game is over; what is hidden in the others is an unseen pile.
    """
    idle = []
    for name in HIDING:
        dice = Dice.seeded(71, 0)
        places = [a_position(some_game(name, dice, "native"), dice, LATER.get(name, DECISIONS)) for _ in range(8)]
        if not any(something_lies_hidden(state, seat) for state in places if state for seat in viewers(state)):
            idle.append(name)
    assert idle == ["blotto", "meadow-tiles", "snap"]
    assert [name for name in idle if keeps_secrets(rules_of(name))] == ["blotto"]


# ------------------------------------------------------------------ hidden things change places


def exchanges(name: str, first: int, count: int, engine: str = "reference", steps: int = 100) -> Counter[str]:
    """In states of these games, for every seat and for those who watch: something else lies out of their sight."""
    found: Counter[str] = Counter()
    asked = Questions(rules_of(name))
    for number in range(first, first + count):
        dice = Dice.seeded(69, number)
        played = [state for state, _ in playthrough(some_game(name, dice, engine), dice, steps)]
        for _ in range(LOOKS):
            state = dice.pick(played)
            if state.outcome is not None:
                continue
            seat = dice.pick(viewers(state))
            other = exchanged(state, seat, dice)
            if other is None or not (changed := differing(state, other)):
                continue
            assert same(state, other, seat, dice, asked, past=False) == [], (name, number, seat)
            found["pairs"] += 1
            found["before spectators"] += seat is None
            found["hidden"] += changed
    return found


SECRET = [name for name in HIDING if keeps_secrets(rules_of(name))]


@pytest.mark.parametrize("name", SECRET)
def test_what_changes_places_is_not_noticed(name: str) -> None:
    found = exchanges(name, 0, 12)
    print("exchanged:", name, dict(found))
    assert found["pairs"] >= 12 and found["before spectators"] >= 4
    assert found["hidden"] >= found["pairs"]


# ------------------------------------------------------------------ where there is nothing to hide


def test_games_without_secrets_are_open_in_every_part() -> None:
    """What is left out above: games in which everybody sees everything that is declared, whatever is chosen."""
    print("nothing hidden:", *OPEN)
    assert len(OPEN) + len(HIDING) == len(RULESETS) >= 33
    assert OPEN and HIDING
    for name in OPEN:
        program = rules_of(name)
        for slot in program.slots:
            assert isinstance(slot.sight.content, Everyone) and not getattr(slot, "blind", False), (name, slot.name)
        assert not any(move.private for move in program.moves), name


@pytest.mark.parametrize("name", OPEN)
def test_in_a_game_without_secrets_all_see_the_whole_table(name: str) -> None:
    dice = Dice.seeded(70, 0)
    game = some_game(name, dice)
    looks = 0
    for state, _ in playthrough(game, dice, 30):
        views = [attrs.evolve(state.view(seat), seat=None) for seat in viewers(state)]
        assert all(view == views[0] for view in views)
        assert [each.value for each in views[0].seen] == list(state.position().cells)
        looks += len(views)
    assert looks >= 3


# ------------------------------------------------------------------ planted faults


FAULTS = {
    "a view that peeks": ("leduc-poker", {"view", "table", "explain"}),
    "a prompt that names it": ("liars-dice", {"wait", "prompt"}),
    "a refusal that names it": ("kuhn-poker", {"reasons", "why"}),
    "a log that names it": ("sealed-auction", {"log", "told", "heard"}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed(fault: str) -> None:
    """Two states that are the same for a seat, each with the same fault: what it betrays differs, and that is seen."""
    name, places = FAULTS[fault]
    asked, noticed, pairs = Questions(rules_of(name)), set[str](), 0
    for number in range(6):
        dice = Dice.seeded(73, number)
        state = a_position(some_game(name, dice), dice, DECISIONS)
        for seat in viewers(state) if state is not None else ():
            assert state is not None
            other = AnyDeal(state, seat).draw(dice)
            assert same(state, other, seat, dice, asked, past=True) == []
            one, two = cast(State, Leaky(state, fault)), cast(State, Leaky(other, fault))
            noticed |= set(same(one, two, seat, dice, asked, past=True))
            pairs += 1
    print(fault, pairs, "pairs, noticed in", noticed)
    assert places <= noticed
