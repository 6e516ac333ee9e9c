"""R6. Undo gives the earlier state byte for byte, and never crosses a reveal, chance, or another seat's act.

Whether something was revealed is asked without the module that decides it: from what the seat knew before its act, all
is dealt anew as often as there is time; an act that may be taken back shows the same in every deal.
"""

from collections import Counter

import pytest
from made_games import CLASSICS, classic, games

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Everyone
from rulelang.play.engine import Game, State
from rulelang.play.event import Answer, Outcome, Play, Sealed
from rulelang.play.match import Match
from rulelang.play.resample import Resampler
from rulelang.testing import Dice

STEPS = 25
SEEN = (Everyone,)


def check_undo(game: Game, dice: Dice, found: Counter[str]) -> None:
    """Play one game, and try to take back after every act."""
    try:
        match = Match(game, dice.below(1000))
    except Exhausted:
        return
    for _ in range(STEPS):
        try:
            match.advance_chance()
            asked = match.missing
            if not asked:
                return
            seat = dice.pick(asked)
            answers = match.state.moves(seat)
            if not answers:
                return
            act(match, dice.pick(answers), dice, found)
        except Exhausted:
            return


def act(match: Match, answer: Answer, dice: Dice, found: Counter[str]) -> None:
    """One act, and an attempt of some seat to take it back."""
    before, events, missing, sealed = match.state, match.events, match.missing, match.sealed
    match.submit(answer)
    after, event = match.state, match.events[-1:]
    by = dice.pick((None, answer.seat, *before.waiting.seats))
    try:
        match.undo(by)
    except Refused as refused:
        assert match.state is after, "a refused undo changes nothing"
        found[refused.reasons[0].code] += 1
        return
    found["taken back"] += 1
    if after is before:  # a sealed answer, not yet complete
        gone = answer.seat if by is None else by
        assert match.state is before and match.events == events
        expected = [seat for seat in before.waiting.seats if seat in set(missing) - {answer.seat} | {gone}]
        if before.waiting.first_only:  # behind somebody who takes nobody is missing, until that is taken back
            left = {seat: given for seat, given in {**sealed, answer.seat: answer}.items() if seat != gone}
            assert match.sealed == left
            expected = []
            for seat in before.waiting.seats:
                if seat not in left:
                    expected.append(seat)
                elif isinstance(left[seat], Play):
                    break
        assert list(match.missing) == expected
        return
    assert match.state.to_bytes() == before.to_bytes() and match.events == events and match.missing == missing
    assert event and not isinstance(event[0], Outcome)
    acted = {part.seat for part in event[0].answers} if isinstance(event[0], Sealed) else {answer.seat}
    assert acted == {answer.seat} and by in (None, answer.seat)
    if len(events) < 12 and any(trait not in SEEN for trait in sights(before.game)):
        shows_nothing(before, after, answer.seat, dice, found)
    match.apply(event[0])


def sights(game: Game) -> list[type]:
    """Who sees what lies in each zone and stands on each marker."""
    return [type(slot.sight.content) for slot in game.program.slots]


def shows_nothing(before: State, after: State, seat: int, dice: Dice, found: Counter[str]) -> None:
    """In whatever deal the seat may have been in, the act would have shown it the same."""
    assert after.event is not None
    try:
        other = Resampler(before, seat).draw(dice).step(after.event)
    except (Refused, Exhausted):
        return
    found["dealt anew"] += other.to_bytes() != after.to_bytes()
    assert other.view(seat) == after.view(seat) and other.observed(seat) == after.observed(seat)


@pytest.mark.parametrize("name", CLASSICS)
def test_undo_in_classics(name: str) -> None:
    found: Counter[str] = Counter()
    for number in range(8):
        check_undo(classic(name), Dice.seeded(41, number), found)
    assert sum(found.values()) > 8


def test_undo_in_generated_games() -> None:
    found: Counter[str] = Counter()
    for number, game in games(0, 140):
        check_undo(game, Dice.seeded(42, number), found)
    assert {"taken back", "another_seat", "reveal", "dealt anew"} <= set(found), found
    assert found["taken back"] > 100 and found["reveal"] > 100
