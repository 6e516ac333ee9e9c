"""R8 on Taiwan Monsters Brawl: whatever the others hold, a player is given the same, in spell windows above all.

Spell Cards that a seat does not see change places (between two other hands, or between a hand and the deck that lies
face down). View, wait, words, offered moves, their numbers, the advice and every refusal must stay the same to the
letter. Each test says how many hidden cards differed; a state is never compared with itself.
"""

from collections import Counter

import attrs
import pytest
from monsters import (
    Options,
    Table,
    attempts,
    changed,
    closed,
    data,
    labels,
    move_of,
    offered,
    steps,
)

from rulelang.play.chance import Stream
from rulelang.play.engine import State
from rulelang.play.event import Answer, Event, Outcome

OPTIONS: dict[str, Options] = {
    "base": (),
    "draw_two": (("draw_two", "every_draw"),),
    "active_only": (("spell_timing", "active_only"), ("modifier_window", "current_roller")),
    "left_out": (("mountain_troll", "left_out"), ("unplaceable_rune", "chi_always")),
}
SEATS = (2, 3, 4)
NAMING = {row["id"] for row in data()["spells"]} | {"drop", "keep"}
"""The moves that name a card which the player holds."""


def swapped(state: State, kept: int | None, draw: Stream, swaps: int) -> tuple[State, int] | None:
    """The state with Spell Cards in other places, those of one seat (or of none) left alone; and how many differ.

    None if nothing has changed. How many cards lie where stays the same, for everybody sees that.
    """
    table = Table(state)
    before = {name: [Counter(cards) for cards in table.members(name)] for name in ("hand", "looked_at")}
    places = {name: [list(cards) for cards in table.members(name)] for name in ("hand", "looked_at")}
    pools = [list(pool) for pool in table.position.pools]
    hidden = [cards for name in places for seat, cards in enumerate(places[name]) if cards and seat != kept]
    if not hidden:
        return None
    others = hidden + [pools[pool] for pool in sorted(table.pool_of_spells())]
    for _ in range(swaps):
        one, other = hidden[draw.below(len(hidden))], others[draw.below(len(others))]
        here, there = draw.below(len(one)), draw.below(len(other))
        one[here], other[there] = other[there], one[here]
    values = {name: [tuple(sorted(cards)) for cards in places[name]] for name in places}
    position = attrs.evolve(
        changed(state.game, table.position, values), pools=tuple(tuple(sorted(pool)) for pool in pools)
    )
    differ = sum(
        (old - Counter(new)).total() for name in places for old, new in zip(before[name], places[name], strict=True)
    )
    if not differ:
        return None
    return state.game.position(position), differ


def given(state: State, seat: int | None, tried: list[Answer]) -> list[str]:
    """Everything that a seat is given, or a spectator: words are part of what is waited for, and of refusals."""
    if seat is None:
        return [repr(state.view(None)), repr(state.waiting), repr(state.outcome)]
    asked = seat in state.waiting.seats
    moves = state.moves(seat) if asked else ()
    return [
        repr(state.view(seat)),
        repr(state.waiting),
        repr(state.outcome),
        repr(moves),
        repr([state.game.number(answer) for answer in moves]),
        repr(state.preferred(seat) if asked else None),
        repr([state.refusals(answer) for answer in tried]),
    ]


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("name", OPTIONS)
def test_nothing_tells_what_another_holds(name: str, seats: int) -> None:
    game = closed(seats, OPTIONS[name])
    windows = Counter[str]()
    compared = cards = watched = 0
    for seed in range(5):
        draw, looks = Stream(1_000 + seed), Counter[str]()
        for state, _, _ in steps(game, seed):
            window = Table(state).window
            rare = not window and draw.below(8) > 0
            if state.waiting.kind == "chance" or rare or looks[window] == 5:
                continue
            looks[window] += 1
            for kept in (*range(seats), None):
                other = swapped(state, kept, draw, 1 + draw.below(8))
                if other is None:
                    continue
                tried = [] if kept is None else attempts(state, kept, draw, each=2)
                assert given(other[0], kept, tried) == given(state, kept, tried)
                compared, cards, watched = compared + 1, cards + other[1], watched + (kept is None)
                windows[window] += 1
    elsewhere = windows.pop("", 0)
    print(
        f"{name}, {seats} players: {compared} pairs, {elsewhere} of them in no window, {watched} before spectators, "
        f"{cards} hidden cards differed; by windows {dict(windows)}"
    )
    assert compared >= 200 and cards >= compared
    assert elsewhere >= 20 and watched >= 40
    assert set(windows) == set(labels(game, "Window"))


def same_for_both(one: State, other: State, draw: Stream) -> Event | None:
    """Something that can happen in both states and names no card: an answer, or what chance gives; None if nothing."""
    if one.waiting.kind == "over":
        return None
    if one.waiting.kind == "chance":
        return Outcome(one.sample(draw)) if one.chance() == other.chance() else None
    seat = one.waiting.seats[0]
    common = [
        answer for answer in one.moves(seat) if move_of(one.game, answer) not in NAMING and answer in other.moves(seat)
    ]
    return common[draw.below(len(common))] if common else None


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("spell_timing", ["windows", "active_only"])
def test_who_is_asked_depends_on_how_many_cards_there_are(spell_timing: str, seats: int) -> None:
    """All hands change their cards, not their sizes; then the same happens, and the same seats are asked in windows.

    So whether a seat is asked, and when, tells of no card: not whether it could be played, paid for, or would do
    anything.
    """
    game = closed(seats, (("spell_timing", spell_timing),))
    asked, silent, begun, cards = Counter[str](), 0, 0, 0
    for seed in range(12):
        draw = Stream(2_000 + seed)
        for state, _, _ in steps(game, seed):
            if state.waiting.kind == "chance" or draw.below(12) > 0:
                continue
            other = swapped(state, None, draw, 12)
            if other is None:
                continue
            one, two = state, other[0]
            begun, cards, later = begun + 1, cards + other[1], False
            for _ in range(40):
                event = same_for_both(one, two, draw)
                if event is None:
                    break
                one, two = one.step(event), two.step(event)
                assert one.waiting == two.waiting
                table = Table(one)
                later = later or table.window != Table(state).window
                if "tornado" in offered(one):
                    (seat,) = one.waiting.seats
                    asked[table.window] += 1
                    if later:  # in the first one a hand may have become empty
                        assert table.members("hand")[seat] or table.window == "dice_rolled"  # where there are rerolls
                        silent += sum(not hand for hand in table.members("hand"))
    print(
        f"{spell_timing}, {seats} players: {begun} beginnings with {cards} cards exchanged, then asked in windows "
        f"{dict(asked)}; {silent} times somebody with no card was not asked"
    )
    assert begun >= 50 and cards >= begun and silent > 0
    assert set(asked) == set(labels(game, "Window"))
