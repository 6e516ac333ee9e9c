"""The generator gives published numbers, draws fairly, and keeps its streams apart."""

from collections import Counter

import pytest

from rulelang.failures import Broken, Exhausted
from rulelang.play.chance import Stream, match_key, mix, outcome_stream, player_stream


def test_a_stream_is_splitmix64_started_with_its_key() -> None:
    """The vector of the reference implementation for 1234567, and the well-known first output of 0."""
    stream = Stream(1234567)
    assert [stream.word() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert Stream(0).word() == 0xE220A8397B1DCDAF


def test_keys_are_outputs_of_their_key() -> None:
    stream = Stream(99)
    assert [mix(99, n) for n in range(4)] == [stream.word() for _ in range(4)]


def test_known_draws_never_change() -> None:
    key = match_key(7, 0)
    assert [outcome_stream(key, j).below(6) for j in range(12)] == [3, 1, 2, 2, 2, 0, 4, 4, 1, 1, 5, 3]
    assert [player_stream(key, 1, d).below(1000) for d in range(4)] == [234, 621, 639, 213]


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 52, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**63 + 12345, 2**64])
def test_draws_stay_below_their_bound(bound: int) -> None:
    stream = Stream(bound)
    assert all(0 <= stream.below(bound) < bound for _ in range(500))


def test_small_bounds_use_the_upper_half_of_a_word() -> None:
    assert Stream(5).below(2**32) == Stream(5).word() >> 32
    assert Stream(5).below(2**64) == Stream(5).word()


def test_unfair_products_are_drawn_anew() -> None:
    """With a bound just above half of 2**32 about half of all words must be thrown away."""
    stream = Stream(1)
    for _ in range(2000):
        stream.below(2**31 + 1)
    assert 3800 < stream.drawn < 4200
    stream = Stream(1)
    for _ in range(2000):
        stream.below(2**63 + 1)
    assert 3800 < stream.drawn < 4200


def test_draws_are_uniform() -> None:
    stream = Stream(2024)
    counts = Counter(stream.below(7) for _ in range(70_000))
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 22.5  # chi-square, 6 degrees, 0.1 %


def test_impossible_bounds() -> None:
    with pytest.raises(Broken):
        Stream(1).below(0)
    with pytest.raises(Exhausted):
        Stream(1).below(2**64 + 1)


def test_seeds_have_64_bits() -> None:
    assert match_key(-1, 0) != match_key(1, 0)
    with pytest.raises(Exhausted):
        match_key(2**63, 0)


def test_streams_of_outcomes_players_and_games_differ() -> None:
    keys = [outcome_stream(match_key(seed, game), j).key for seed in range(3) for game in range(3) for j in range(20)]
    keys += [
        player_stream(match_key(seed, 0), seat, d).key for seed in range(3) for seat in range(4) for d in range(20)
    ]
    assert len(set(keys)) == len(keys)
