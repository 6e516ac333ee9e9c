"""Every ruleset: compiled roll-outs and states dealt anew are those of printed Python."""

import pytest
from test_batches import alike
from test_batches import compiled as compiled_batch
from test_rolling import compiled, dealt, decisions, plain, rolled

from rulelang.pipeline import load
from rulelang.play.batches import Matches
from rulelang.play.configurations import all_seats
from rulelang.play.match import Match
from rulelang.play.quiet import hides
from rulelang.rulesets import all_rulesets
from rulelang_native import engine
from rulelang_native.llvm.machine import FIRST
from rulelang_native.llvm.rolling import Steps

RULESETS = tuple(name for name, _ in all_rulesets())
WITHOUT = ("caravan-decks", "monster-bande", "snap")
"""Rulesets that have no steps: table time, and answers of which telling who is shown them can fail."""


@pytest.mark.parametrize("name", [name for name in RULESETS if name not in WITHOUT])
def test_rulesets_are_rolled_out_alike(name: str) -> None:
    program = load(name).program
    game = engine.configure(program, all_seats(program)[-1], {})
    assert rolled(game, Steps(game, FIRST), 1) > 0


@pytest.mark.parametrize("name", [name for name in RULESETS if name not in (*WITHOUT, "taiwan-monsters-brawl")])
def test_rulesets_are_dealt_anew_alike(name: str) -> None:
    """Seats and spectators; compared by the hash of the state, and by how much was drawn."""
    program = load(name).program
    if not hides(program):
        return
    game = engine.configure(program, all_seats(program)[-1], {})
    compiled(game)
    other = plain(game)
    count = 0
    most = 1 if name in ("13-animals", "crazy-eights", "hanabi", "spades") else 2  # where printed Python takes long
    for match, seat in decisions(game, 2, most, 4):
        twin = Match(other, 2)
        for event in match.events:
            twin.apply(event)
        viewer = None if count % 3 == 2 else seat
        assert dealt(game, viewer, match, count) == dealt(other, viewer, twin, count)
        assert match.state.view(viewer) == twin.state.view(viewer)
        count += 1
    assert count


@pytest.mark.parametrize("name", [name for name in RULESETS if name not in WITHOUT])
def test_rulesets_are_stepped_side_by_side_alike(name: str) -> None:
    program = load(name).program
    seats = all_seats(program)[-1]
    game = engine.configure(program, seats, {})
    assert alike(compiled_batch(game, 2, 5), Matches(game, 2, 5), seats, 12) > 0  # type: ignore[arg-type]
