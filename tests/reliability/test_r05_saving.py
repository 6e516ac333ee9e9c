"""R5. A state saved at any step goes on as before, and every record ever committed replays."""

import pytest
from made_games import CLASSICS, RECORDS, classic, games, listed

from rulelang.ir.codec import content_hash
from rulelang.play.engine import Game, State
from rulelang.play.event import Event
from rulelang.play.record_reading import read_header, read_record
from rulelang.play.replay import replay
from rulelang.testing import Dice, playthrough
from rulelang.testing.golden import GAMES, golden_game

STEPS = 40


def check_saving(game: Game, dice: Dice) -> int:
    """Load every third state of a game and play on from there; the number of states that were loaded."""
    played = list(playthrough(game, dice, STEPS))
    loaded = 0
    for start in range(0, len(played), 3):
        state = played[start][0]
        again = game.from_bytes(state.to_bytes())
        assert again.previous is None
        goes_on_alike(again, played[start : start + 6])
        loaded += 1
    return loaded


def goes_on_alike(state: State, played: list[tuple[State, Event | None]]) -> None:
    for number, (real, event) in enumerate(played):
        assert state.to_bytes() == real.to_bytes() and state.hash == real.hash
        assert state.waiting == real.waiting and state.outcome == real.outcome
        assert state.view(0) == real.view(0) and state.view(None) == real.view(None)
        assert [listed(state, seat) for seat in state.waiting.seats] == [listed(real, s) for s in real.waiting.seats]
        assert state.chance() == real.chance()
        if number + 1 == len(played) or event is None:
            return
        state = state.step(event)


@pytest.mark.parametrize("name", CLASSICS)
def test_saved_classics_go_on(name: str) -> None:
    for number in range(3):
        assert check_saving(classic(name), Dice.seeded(31, number)) > 1


def test_saved_generated_games_go_on() -> None:
    assert sum(check_saving(game, Dice.seeded(32, number)) for number, game in games(0, 120)) > 400


@pytest.mark.parametrize("name", GAMES)
def test_golden_records_replay(name: str) -> None:
    game = golden_game(RECORDS, name)
    record = read_record(RECORDS / f"{name}.record.jsonl", game.program)
    assert record.ending is not None
    match = replay(game, record)
    assert match.state.hash == record.ending.state
    assert match.outcome == record.ending.outcome


def test_every_committed_record_is_golden() -> None:
    """Each has the program that it was made with, so that it replays whatever becomes of the language."""
    records = sorted(path.name.removesuffix(".record.jsonl") for path in RECORDS.glob("*.record.jsonl"))
    assert records == sorted(GAMES)
    for name in records:
        header = read_header(RECORDS / f"{name}.record.jsonl")
        assert content_hash(golden_game(RECORDS, name).program) == header.program
