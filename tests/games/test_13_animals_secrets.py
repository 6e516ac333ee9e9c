"""R8 on 13 Animals: whatever the others hold, a player is given the same, in call windows above all.

Cards that a seat does not see change places (between two other hands, or between a hand and the cards that lie face
down). View, wait, words, offered moves, their numbers and every refusal must stay the same to the letter. Each test
says how many hidden cards differed; a state is never compared with itself.
"""

import attrs
import pytest
from animals import Table, closed

from rulelang.play.chance import Stream
from rulelang.play.engine import State
from rulelang.play.event import Answer, Pass, Play
from rulelang.play.match import Match

OPTIONS: dict[str, tuple[tuple[str, int | str | bool], ...]] = {
    "base": (("stall_guard", 10),),
    "pon": (("pon", "on"), ("stall_guard", 10)),
    "contest": (("pon", "on"), ("pon_contest", "next_player_first"), ("stall_guard", 10)),
    "automatic": (("pon", "on"), ("going_out", "ten_automatic"), ("stall_guard", 10)),
}
SEATS, DEALS = 4, 2


def changed(state: State, seat: int, draw: Stream, swaps: int) -> State | None:
    """The state with hidden cards in other places; None if nothing can change."""
    table = Table(state)
    hands = [list(hand) for hand in table.members("hand")]
    pools = [list(pool) for pool in table.position.pools]
    before = [sorted(hand) for hand in hands]
    others = [place for place in range(len(hands)) if place != seat]
    for _ in range(swaps):
        one = hands[others[draw.below(len(others))]]
        places = [hands[other] for other in others if hands[other] is not one] + [pool for pool in pools if pool]
        other = places[draw.below(len(places))]
        here, there = draw.below(len(one)), draw.below(len(other))
        one[here], other[there] = other[there], one[here]
    if before == [sorted(hand) for hand in hands]:
        return None
    cells = list(table.position.cells)
    base = table.layout.families[table.slots["hand"]].base
    for place, hand in enumerate(hands):
        cells[base + place] = tuple(sorted(hand))
    position = attrs.evolve(table.position, cells=tuple(cells), pools=tuple(tuple(sorted(pool)) for pool in pools))
    return state.game.position(position)


def difference(one: State, other: State) -> int:
    """How many cards lie in other hands."""
    count = 0
    for mine, theirs in zip(Table(one).members("hand"), Table(other).members("hand"), strict=True):
        left = list(theirs)
        for card in mine:
            if card in left:
                left.remove(card)
        count += len(left)
    return count


def attempts(state: State, seat: int, draw: Stream) -> list[Answer]:
    """Some of everything that a seat can try, possible or not."""
    found: list[Answer] = [Pass(seat)]
    for number, move in enumerate(state.game.program.moves):
        digits = {"place": 3, "half": 2, "card": 13, "n": 5, "going_out_now": 2, "animal": 13, "three": 455}
        for _ in range(6 if move.parameters else 1):
            codes = tuple(draw.below(digits[each.name]) + (each.name == "n") for each in move.parameters)
            found.append(Play(seat, number, codes))
    return found


def given(state: State, seat: int, tried: list[Answer]) -> list[str]:
    """Everything that a seat is given."""
    moves = state.moves(seat) if seat in state.waiting.seats else ()
    return [
        repr(state.view(seat)),
        repr(state.waiting),
        repr(moves),
        repr([state.game.number(answer) for answer in moves]),
        repr([state.refusals(answer) for answer in tried]),
    ]


@pytest.mark.parametrize("name", OPTIONS)
def test_nothing_tells_what_another_holds(name: str) -> None:
    game = closed(SEATS, OPTIONS[name])
    compared = cards = windows = 0
    for seed in range(2):
        match, draw = Match(game, seed), Stream(1000 + seed)
        for _ in range(90):
            state = match.advance_chance()
            if state.waiting.kind == "over":
                break
            window = state.waiting.kind == "sealed"
            if not Table(state)["hands_open"] and (window or draw.below(6) == 0):
                for seat in range(SEATS):
                    tried = attempts(state, seat, draw)
                    for _ in range(DEALS if window else 1):
                        other = changed(state, seat, draw, 1 + draw.below(8))
                        if other is None:
                            continue
                        assert given(other, seat, tried) == given(state, seat, tried)
                        compared, windows = compared + 1, windows + window
                        cards += difference(state, other)
            for seat in match.missing[:1]:
                answers = match.state.moves(seat)
                match.submit(answers[draw.below(len(answers))])
    print(f"{name}: {compared} pairs, {windows} of them in call windows, {cards} hidden cards differed")
    assert compared >= 60 and cards >= compared
    assert windows >= 20 or name == "base"


def test_an_answer_in_a_window_tells_nothing_while_it_is_open() -> None:
    """S-79, 13A-R-P06: who has answered how is in no view, wait, word or log of the others; lapsed calls never are."""
    game = closed(SEATS, OPTIONS["pon"])
    seen = lapsed = 0
    for seed in range(12):
        match, draw = Match(game, seed), Stream(seed)
        for _ in range(150):
            state = match.advance_chance()
            if state.waiting.kind == "over":
                break
            if state.waiting.kind == "sealed":
                before = [repr((match.state.view(seat), match.state.waiting, match.log(seat))) for seat in range(SEATS)]
                for seat in reversed(match.missing[1:]):
                    answers = match.state.moves(seat)
                    match.submit(answers[0])  # a call where there is one
                    lapsed += isinstance(answers[0], Play)
                    after = [repr((match.state.view(s), match.state.waiting, match.log(s))) for s in range(SEATS)]
                    assert after == before
                    seen += 1
            for seat in match.missing[:1]:
                answers = match.state.moves(seat)
                match.submit(answers[draw.below(len(answers))])
    print(f"{seen} answers given in open windows, {lapsed} of them calls")
    assert seen >= 60
