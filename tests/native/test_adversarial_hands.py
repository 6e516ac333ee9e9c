"""Hands made to be hard for the search for divisions: equal divisions, traps for the greedy, one card too few, too much
work. Every interpreter must find the same division of each, or come to the same limit.
"""

import random
from array import array
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest

from rulelang.pipeline import compile_text
from rulelang.play.batches import Batch, Matches
from rulelang_native import engine as native
from rulelang_native import playing
from rulelang_native.game import Game
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.batches import BatchProgram, CompiledBatch
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.machine import FIRST
from rulelang_reference import engine as reference

KINDS, COPIES, MOST = 9, 24, 11
Hand = tuple[int, ...]
"""How many of each kind."""

GAME = """
game "A hand to be divided":
  players: 2

values Card: 1..9
zone supply for each player: bag of Card, starts with each Card times {copies}
zone hand for each player: bag of Card
marker score for each player: -99999..999999

define close(g: bag of Card) = highest(c for each c in g) - lowest(c for each c in g) < 2
define mixed(g: bag of Card) = size of kinds of g is size of g
define fits(g: bag of Card) = {fits}
define worth(g: bag of Card) = {worth}
define best(p: player) = best_partition(worth(g) for each g in bags(2..{most}, p's hand) where fits(g))
define whole(p: player) = whole_partition(worth(g) for each g in bags(2..{most}, p's hand) where fits(g))

move add(card in my supply): put card from my supply into my hand

overview:
  repeat {size} times: seat(1) must add
  seat(1)'s score becomes value of best(seat(1)) * 100 + size of rest of best(seat(1))
  each g in groups of best(seat(1)): seat(1)'s score rises by lowest(c for each c in g) * size of g
  if possible of whole(seat(1)): seat(2)'s score becomes 1000 + value of whole(seat(1))
  end game, each p in players gets p's score
"""

SORTS = {
    "pairs and runs": ("close(g) or mixed(g) and size of g is 3", "size of g * size of g - 3", 3),
    "all alike or all different": ("size of kinds of g is 1 or mixed(g)", "highest(c for each c in g)", 4),
    "worth less the more": ("close(g)", "12 - 2 * size of g", 4),
    "pairs only": ("size of kinds of g is 1 and size of g is 2", "1", 3),
}
BY_HAND: dict[str, tuple[Callable[[tuple[int, ...]], bool], Callable[[tuple[int, ...]], int]]] = {
    "pairs and runs": (
        lambda g: max(g) - min(g) < 2 or (len(set(g)) == len(g) == 3),
        lambda g: len(g) ** 2 - 3,
    ),
    "all alike or all different": (lambda g: len(set(g)) in (1, len(g)), max),
    "worth less the more": (lambda g: max(g) - min(g) < 2, lambda g: 12 - 2 * len(g)),
    "pairs only": (lambda g: len(set(g)) == 1 and len(g) == 2, lambda g: 1),
}


def game_of(sort: str, size: int) -> tuple[Game, object]:
    fits, worth, most = SORTS[sort]
    program = compile_text(GAME.format(fits=fits, worth=worth, most=most, size=size, copies=COPIES)).program
    assert program is not None
    return native.configure(program, 2, {}), program


# ------------------------------------------------------------------ the adversary


def groups_of(sort: str) -> list[Hand]:
    """All groups, as counts."""
    fits, _ = BY_HAND[sort]
    found = []

    def more(start: int, group: tuple[int, ...]) -> None:
        if len(group) >= 2 and fits(group):
            counts = Counter(group)
            found.append(tuple(counts[kind] for kind in range(1, KINDS + 1)))
        if len(group) < SORTS[sort][2]:
            for kind in range(start, KINDS + 1):
                more(kind, (*group, kind))

    more(1, ())
    return found


def hardness(sort: str) -> Callable[[Hand], tuple[int, int]]:
    """How many best divisions a hand has, and how much better the best is than taking the dearest group each time."""
    _, worth = BY_HAND[sort]
    groups = groups_of(sort)
    worths = [worth(tuple(kind for kind, n in enumerate(group, 1) for _ in range(n))) for group in groups]

    def inside(group: Hand, hand: Hand) -> bool:
        return all(a <= b for a, b in zip(group, hand, strict=True))

    def less(hand: Hand, group: Hand) -> Hand:
        return tuple(b - a for a, b in zip(group, hand, strict=True))

    @cache
    def best(hand: Hand) -> tuple[int, int]:
        first = next((kind for kind, n in enumerate(hand) if n), None)
        if first is None:
            return 0, 1
        one = tuple(int(kind == first) for kind in range(KINDS))
        value, ways = best(less(hand, one))
        for group, own in zip(groups, worths, strict=True):
            if group[first] and inside(group, hand):
                other, others = best(less(hand, group))
                if other + own > value:
                    value, ways = other + own, others
                elif other + own == value:
                    ways += others
        return value, ways

    def greedy(hand: Hand) -> int:
        total = 0
        while True:
            there = [(own, group) for group, own in zip(groups, worths, strict=True) if inside(group, hand)]
            if not there or max(there)[0] <= 0:
                return total
            own, group = max(there)
            total, hand = total + own, less(hand, group)

    return lambda hand: (best(hand)[1], best(hand)[0] - greedy(hand))


def climbed(sort: str, size: int, n: int, seed: int) -> list[Hand]:
    """Hands of which small changes made ever harder ones: by one measure, by the other, or by none."""
    draw, measure = random.Random(seed), hardness(sort)
    found: list[Hand] = []
    for number in range(n):
        cards = [draw.randint(1, draw.choice((2, 3, 5, KINDS))) for _ in range(size)]
        hand = as_counts(cards)
        for _ in range(12 if number % 3 else 0):
            changed = list(cards)
            changed[draw.randrange(size)] = draw.randint(1, KINDS)
            new = as_counts(changed)
            if measure(new)[number % 2] >= measure(hand)[number % 2]:
                cards, hand = changed, new
        found.append(hand)
    return found


def as_counts(cards: list[int]) -> Hand:
    counts = Counter(cards)
    return tuple(counts[kind] for kind in range(1, KINDS + 1))


def by_pattern(size: int) -> list[Hand]:
    """All alike, in pairs, one short of pairs, all different, and steps."""
    rows = [
        [1] * size,
        [1 + place // 2 % KINDS for place in range(size)],
        [1 + (place + 1) // 2 % KINDS for place in range(size)],
        [1 + place % KINDS for place in range(size)],
        [1 + place % 2 * (KINDS - 1) for place in range(size)],
        [1 + min(place, KINDS - 1) for place in range(size)],
        [1 + place * place % KINDS for place in range(size)],
    ]
    return [as_counts(row) for row in rows]


# ------------------------------------------------------------------ comparing


def dealt(batch: Batch, hands: list[Hand]) -> list[object]:
    """What comes of each hand, put together card by card: the returns, or the limit that was reached."""
    rows = [[kind for kind, n in enumerate(hand) for _ in range(n)] for hand in hands]
    taken = [[0] * KINDS for _ in hands]
    step = 0
    while not batch.over:
        places = array("q")
        for row, gone in zip(rows, taken, strict=True):
            kind = row[step] if step < len(row) else 0
            places.append(sum(gone[other] < COPIES for other in range(kind)))
            gone[kind] += step < len(row)
        batch.step_many(places)
        step += 1
    found: list[object] = []
    for number in range(len(hands)):
        outcome, failure = batch.outcome(number), batch.failure(number)
        found.append((failure.code, failure.message) if failure is not None else outcome and outcome.returns)
    return found


@pytest.mark.parametrize("size", [6, 9, MOST])
@pytest.mark.parametrize("sort", SORTS)
def test_hard_hands_are_divided_alike(sort: str, size: int) -> None:
    game, program = game_of(sort, size)
    hands = [*climbed(sort, size, 90, size), *by_pattern(size)]
    compiled = dealt(CompiledBatch(BatchProgram(game, FIRST), len(hands), 1, 0, 4096), hands)
    assert compiled == dealt(Matches(game, len(hands), 1), hands)  # type: ignore[arg-type]
    some = slice(0, None, 12)
    slow = reference.configure(program, 2, {})  # type: ignore[arg-type]
    assert compiled[some] == dealt(Matches(slow, len(hands[some]), 1), hands[some])
    measure = hardness(sort)
    assert max(measure(hand)[0] for hand in hands) > 1 or sort == "pairs only"
    assert len(set(map(str, compiled))) > 4


@pytest.mark.parametrize("size", [12, 16, 18, 20])
def test_too_much_work_is_the_same_limit_everywhere(size: int) -> None:
    game, program = game_of("all alike or all different", size)
    hands = by_pattern(size)
    compiled = dealt(CompiledBatch(BatchProgram(game, FIRST), len(hands), 1, 0, 4096), hands)
    assert compiled == dealt(Matches(game, len(hands), 1), hands)  # type: ignore[arg-type]
    slow = reference.configure(program, 2, {})  # type: ignore[arg-type]
    few = slice(0, None, 3)
    assert compiled[few] == dealt(Matches(slow, len(hands[few]), 1), hands[few])
    limits = sum("RL8009" in str(each) for each in compiled)
    assert (limits > 0) == (size > 12) and limits < len(hands)


@pytest.mark.parametrize("sort", SORTS)
def test_whole_games_of_random_hands_are_the_same(sort: str) -> None:
    game, _ = game_of(sort, MOST)
    expected = list(playing.playouts(game, 300, 5, "random", 0))
    assert list(compiled_playing.playouts(game, Compiled(game, FIRST), 300, 5)) == expected
