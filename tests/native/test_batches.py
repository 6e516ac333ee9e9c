"""Games side by side: compiled batches are batches of matches, and those are the games that matches play."""

import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulelang.failures import Exhausted
from rulelang.ir.program import Program
from rulelang.pipeline import compile_text, load
from rulelang.play import batches
from rulelang.play.batches import Batch, Matches, fields
from rulelang.play.chance import Stream, match_key, player_stream
from rulelang.play.configurations import all_seats
from rulelang_native import engine as native
from rulelang_native import playing
from rulelang_native.game import Game
from rulelang_native.llvm.batches import BatchProgram, CompiledBatch
from rulelang_native.llvm.machine import FIRST
from rulelang_reference import engine as reference

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from test_windows import OPEN, PON

SMALL = ("tic-tac-toe", "leduc-poker", "goofspiel", "pig", "sealed-auction", "dark-hex")

HIDDEN = """
game "Everything that can be seen":
  players: 2

values Card: 1..4
zone stock: pile of Card, seen by nobody, size seen by everyone, starts with each Card times 3
zone hand for each player: bag of Card, seen by owner, size seen by everyone
zone heap: pile of Card, seen by nobody, top seen by everyone
marker guess for each player: 0..4
marker named: list of Card = []
marker secret for each player: 0..9, seen by owner

move take(n in 1..2):
  put top(n) from stock into my hand
  my secret becomes n
move drop(card in my hand):
  put card from my hand onto heap

overview:
  shuffle stock
  each p in players: put top(2) from stock into p's hand
  repeat 2 times:
    players must secretly drop
    each p in players: p may take
  end game, (all p in players with most size of p's hand) wins
"""


def compiled(game: Game, n: int, seed: int, room: int = 4096, **more: int) -> CompiledBatch:
    return CompiledBatch(BatchProgram(game, FIRST, **more), n, seed, 0, room)


def alike(one: Batch, other: Batch, seats: int, most: int = 200, look: bool = True) -> int:
    """Step both by the same draws until all is over, and compare whatever they say; how many steps there were."""
    draw, steps = Stream(7), 0
    assert one.width == other.width
    while steps < most:
        assert one.seats == other.seats and one.counts == other.counts
        if look:
            for viewer in (None, 0, seats):
                assert one.views_many(viewer) == other.views_many(viewer), viewer
            for game in range(len(one.seats)):
                assert list(one.moves(game)) == list(other.moves(game))
        if one.over:
            break
        places = array("q", [draw.below(count) if count else 0 for count in one.counts])
        one.step_many(places)
        other.step_many(places)
        steps += 1
    for game in range(len(one.seats)):
        assert one.outcome(game) == other.outcome(game)
        assert str(one.failure(game)) == str(other.failure(game))
    return steps


@pytest.mark.parametrize("name", SMALL)
def test_compiled_batches_are_batches_of_matches(name: str) -> None:
    program = load(name).program
    seats = all_seats(program)[-1]
    game = native.configure(program, seats, {})
    assert alike(compiled(game, 3, 5), Matches(game, 3, 5), seats, 40)  # type: ignore[arg-type]


def test_the_reference_says_the_same() -> None:
    program = load("leduc-poker").program
    game = native.configure(program, 2, {})
    other = reference.configure(program, 2, {})
    assert isinstance(batches.begin(other, 2, 1), Matches)
    assert alike(compiled(game, 4, 1), Matches(other, 4, 1), 2)


@pytest.mark.parametrize("text", [HIDDEN, OPEN, PON])
def test_sights_joint_answers_and_windows(text: str) -> None:
    program = compile_text(text).program
    seats = program.fewest_seats
    game = native.configure(program, seats, {})
    assert alike(compiled(game, 5, 2), Matches(game, 5, 2), seats)  # type: ignore[arg-type]


def test_games_of_a_batch_are_the_games_of_playouts() -> None:
    """Random seats that draw as the player `random` does play the games that random players play."""
    program = load("spades").program
    game = native.configure(program, 4, {})
    batch = compiled(game, 6, 9)
    decisions: list[list[int]] = [[0] * 4 for _ in range(6)]
    while not batch.over:
        places = array("q", bytes(8 * 6))
        for number, (seat, count) in enumerate(zip(batch.seats, batch.counts, strict=True)):
            if seat >= 0:
                draw = player_stream(match_key(9, number), seat, decisions[number][seat])
                places[number] = draw.below(count) if count > 1 else 0
                decisions[number][seat] += 1
        batch.step_many(places)
    told = list(playing.playouts(game, 6, 9, "random"))
    for number, summary in enumerate(told):
        outcome = batch.outcome(number)
        assert outcome is not None and outcome.returns == summary.returns
        assert sum(decisions[number]) == summary.decisions


def test_little_room_changes_nothing() -> None:
    """Rows that do not fit make all blobs larger, in the middle of a step."""
    program = load("goofspiel").program
    game = native.configure(program, 2, {})
    assert alike(compiled(game, 3, 5, room=8), Matches(game, 3, 5), 2)  # type: ignore[arg-type]


def test_wrong_places_are_refused_before_anything_happens() -> None:
    game = native.configure(load("tic-tac-toe").program, 2, {})
    for batch in (compiled(game, 2, 1), Matches(game, 2, 1)):  # type: ignore[arg-type]
        for wrong in ([0], [0, 9], [-1, 0], [0, 0, 0], [0, 1 << 70]):
            with pytest.raises(IndexError):
                batch.step_many(wrong)
        for odd in ([0, 0.5], [0, None], "00"):
            with pytest.raises(TypeError):
                batch.step_many(odd)  # type: ignore[arg-type]
        for viewer in (-1, 3):
            with pytest.raises(ValueError, match="spectator"):
                batch.views_many(viewer)
        assert list(batch.seats) == [0, 0] and list(batch.counts) == [9, 9]


def test_what_comes_to_a_limit_is_over_without_a_result() -> None:
    program = compile_text(
        """
game "Dead end":
  players: 1
marker n: 0..3
move up(k in 1..2):
  require low: n < 2 because "it is high"
  n becomes k
overview:
  repeat 3 times: seat(1) must up
  end game, seat(1) wins
"""
    ).program
    game = native.configure(program, 1, {})
    for batch in (compiled(game, 2, 1), Matches(game, 2, 1)):  # type: ignore[arg-type]
        batch.step_many([0, 1])
        assert list(batch.seats) == [0, -1] and not batch.over
        batch.step_many([1, 0])
        assert batch.over and batch.outcome(1) is None
        assert isinstance(batch.failure(1), Exhausted) and isinstance(batch.failure(0), Exhausted)
        assert list(batch.moves(1)) == []


def test_a_step_that_comes_to_a_limit_ends_its_game_alone() -> None:
    program = compile_text(
        """
game "Beyond the end":
  players: 1
marker n: 0..3
move up(k in 1..3): n rises by k
overview:
  repeat 2 times: seat(1) must up
  end game, seat(1) wins
"""
    ).program
    game = native.configure(program, 1, {})
    for batch in (compiled(game, 2, 1), Matches(game, 2, 1)):  # type: ignore[arg-type]
        batch.step_many([0, 2])
        batch.step_many([0, 0])
        assert batch.over and batch.outcome(0) is not None and batch.failure(0) is None
        assert batch.outcome(1) is None and batch.failure(1) is not None


@pytest.mark.parametrize(("name", "half"), [("spades", 6_000), ("13-animals", 4_000), ("goofspiel", 700)])
def test_games_that_have_no_room_go_on_by_themselves(name: str, half: int) -> None:
    program = load(name).program
    seats = all_seats(program)[-1]
    game = native.configure(program, seats, {})
    for room in (half, 1 << 23):
        batch = compiled(game, 3, 5, half=room)
        assert alike(batch, Matches(game, 3, 5), seats, 60) > 20  # type: ignore[arg-type]
        assert bool(batch._alone) == (room == half)


def test_threads_step_batches_of_one_game_as_if_alone() -> None:
    """There is one place to work in: who works there is not disturbed."""
    game = native.configure(load("spades").program, 4, {})
    program = BatchProgram(game, FIRST)

    def played(seed: int) -> list[object]:
        batch, draw = CompiledBatch(program, 60, seed, 0), Stream(seed)
        while not batch.over:
            batch.step_many([draw.below(count) if count else 0 for count in batch.counts])
            batch.views_many(0)
        return [batch.outcome(number) for number in range(60)]

    alone = [played(seed) for seed in range(6)]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(played, range(6))) == alone


def test_less_than_no_games_are_refused() -> None:
    game = native.configure(load("tic-tac-toe").program, 2, {})
    with pytest.raises(ValueError, match="less than 0"):
        batches.begin(game, -1, 1)  # type: ignore[arg-type]


def test_table_time_is_refused() -> None:
    game = native.configure(load("snap").program, 2, {})
    with pytest.raises(ValueError, match="side by side"):
        batches.begin(game, 2, 1)  # type: ignore[arg-type]


def test_an_empty_batch_is_over() -> None:
    game = native.configure(load("tic-tac-toe").program, 2, {})
    for batch in (batches.begin(game, 0, 1), Matches(game, 0, 1)):  # type: ignore[arg-type]
        assert batch.over and list(batch.views_many()) == []
        batch.step_many([])


def test_without_compiling_matches_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    game = native.configure(load("tic-tac-toe").program, 2, {})
    assert isinstance(batches.begin(game, 1, 1), CompiledBatch)  # type: ignore[arg-type]
    monkeypatch.setenv("RULELANG_NATIVE", "python")
    other = native.configure(load("tic-tac-toe").program, 2, {})
    assert isinstance(batches.begin(other, 1, 1), Matches)  # type: ignore[arg-type]


def test_a_row_is_described() -> None:
    program: Program = native.configure(compile_text(HIDDEN).program, 2, {}).program
    laid = fields(program)
    assert [(each.name, each.member, each.first, each.words) for each in laid][:4] == [
        ("stock", 0, 0, 9),
        ("hand", 0, 9, 9),
        ("hand", 1, 18, 9),
        ("heap", 0, 27, 9),
    ]
    assert list(laid[0].codes) == [1, 2, 3, 4] and not laid[4].codes
