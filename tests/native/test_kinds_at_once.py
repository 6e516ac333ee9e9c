"""Listings that tell all kinds of a bag at once offer what printed Python offers kind by kind."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from rulelang.pipeline import compile_text
from rulelang_native import engine, playing
from rulelang_native.flat import expressions as flat
from rulelang_native.flat import statements as st
from rulelang_native.flat.expressions import Known
from rulelang_native.game import Game
from rulelang_native.llvm import kinds
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.kinds import reached, truth_of
from rulelang_native.llvm.machine import FIRST, SECOND

SEED = 11

GAME = """
game "Kinds":
  players: 2

values Thing: {values}
option strict: no, yes = no
zone sack: pile of Thing, seen by nobody, starts with each Thing times {copies}
zone hand for each player: bag of Thing, seen by owner
zone kept for each player: bag of Thing
zone heap for each 1..{places}: pile of Thing
marker last: Thing or none
marker score for each player: 0..9999

define both(p: player) = p's hand + p's kept
{moves}

overview:
  repeat 6 times:
    shuffle sack
    each p in players: put top({drawn}) from sack into p's hand
    repeat 5 times:
      each p in players: p may {names}
    each p in players: put everything from p's hand onto heap[1]
    gather Thing to sack
  end game, each p in players gets p's score
"""

CONDITIONS = (
    "card is not last",
    "copies(card, my hand) > 1",
    "copies(card, my hand) > 2 or card is last",
    "not (copies(card, my hand) > 1 and last is not none)",
    "strict is yes or size of my hand > 2",
    "(copies(card, my hand) > 1 if last is none otherwise card is not last)",
    "card in my kept or my kept is empty",
    "last is none or card < last",
    "last is none or card >= last",
    "last is none or last < card or card is {one}",
    "last is none or last >= card",
    "card not in my kept",
    "card is {one} or card is {two} or my score > 40",
)

LONE = """
move play(card in {bag}):
  require allowed: {condition} because "not now"
  require there: {also} because "it is not there"
  put card from my {zone} onto heap[1]
  last becomes card
  my score rises by 1
"""

KEEP = """
move keep(card in my hand):
  put card from my hand into my kept
  my score rises by 2
"""

DROP = """
define divides(cards: bag of Thing) = possible of whole_partition(size of set for each set in bags(2..3, cards)
  where size of kinds of set is 1{more})

move drop(card in {bag}, place in 1..{places}, maybe out):
  require there: {there} because "it is kept"
  require place_free: heap[place] is empty or no other in heap where other is empty because "another one is empty"
  require sets: not out or divides({divided}) because "it does not divide"
  if card in my hand: put card from my hand onto heap[place]
  otherwise: put card from my kept onto heap[place]
  last becomes card
  my score rises by place + (10 if out otherwise 0)
"""


def game_of(moves: str, names: str, values: str = "1..6", copies: int = 4, **more: object) -> Game:
    given = {"places": 3, "drawn": 6, **more}
    text = GAME.format(moves=moves, names=names, values=values, copies=copies, **given)
    found = compile_text(text)
    assert found.program is not None, [str(each) for each in found.diagnostics]
    return engine.configure(found.program, 2, {})


def alike(game: Game, n: int = 60, *, quick: bool = True, level: int = FIRST) -> Compiled:
    machine = Compiled(game, level, quick=quick)
    expected = list(playing.playouts(game, n, SEED, "random", 0))
    assert list(compiled_playing.playouts(game, machine, n, SEED)) == expected
    return machine


def listed(machine: Compiled) -> set[str]:
    return machine.printed.listed_at_once


VALUES = [("1..6", 4), ("0..2", 9), ("5..9", 1), ("1..30", 1), ("2..22", 3)]


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize(("values", "copies"), VALUES)
def test_one_parameter(condition: str, values: str, copies: int) -> None:
    low = int(values.split("..")[0])
    asked = condition.format(one=low, two=low + 2)
    game = game_of(LONE.format(bag="my hand", condition=asked, also="card in my hand", zone="hand") + KEEP,
                   "play or keep", values, copies, drawn=3)  # fmt: skip
    assert listed(alike(game, 30)) == {"list0", "list1"}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_cards_of_two_bags_of_which_one_counts(condition: str) -> None:
    asked = condition.format(one=1, two=3)
    game = game_of(LONE.format(bag="both(me)", condition=asked, also="card in my hand", zone="hand") + KEEP,
                   "play or keep")  # fmt: skip
    assert "list0" in listed(alike(game))


@pytest.mark.parametrize("quick", [True, False], ids=["BMI2", "no BMI2"])
@pytest.mark.parametrize("places", [1, 3, 5])
@pytest.mark.parametrize(
    ("bag", "there", "divided"),
    [
        ("my hand", "yes", "my hand but card"),
        ("both(me)", "card in my hand", "my hand but card"),
        ("both(me)", "yes", "my hand but card"),  # a card that is kept takes nothing from the hand
        ("both(me)", "yes", "both(me) but card"),
        ("my hand", "copies(card, my hand) > 1", "my hand but card"),
    ],
)
@pytest.mark.parametrize(("values", "copies", "more"), [("1..6", 4, ""), ("3..7", 2, " or size of kinds of set is 3")])
def test_a_place_and_what_can_be_spared(
    bag: str, there: str, divided: str, values: str, copies: int, more: str, places: int, quick: bool
) -> None:
    drop = DROP.format(bag=bag, there=there, divided=divided, places=places, more=more)
    game = game_of(drop + KEEP, "drop or keep", values, copies, places=places, drawn=4)
    machine = alike(game, 40, quick=quick)
    assert "list0" in listed(machine)
    assert bool(machine.printed.spared) or divided.startswith("both")


def test_what_is_reckoned_with_a_card_goes_through_the_kinds() -> None:
    asked = "card * 2 - 3 is not last or card > 4"
    game = game_of(LONE.format(bag="my hand", condition=asked, also="card in my hand", zone="hand"), "play")
    assert "list0" not in listed(alike(game))


def test_more_than_there_is_room_for_goes_through_the_kinds() -> None:
    drop = DROP.format(bag="my hand", there="yes", divided="my hand but card", places=12, more="")
    game = game_of(drop + KEEP, "drop or keep", "1..6", 4, places=12)
    assert "list0" not in listed(alike(game, 20))


def test_both_tiers_and_a_planted_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    drop = DROP.format(bag="both(me)", there="yes", divided="my hand but card", places=3, more="")
    game = game_of(drop + KEEP, "drop or keep", drawn=4)
    alike(game, level=SECOND)
    monkeypatch.setattr(kinds, "_bags_with", lambda *_: [flat.Held(each, flat.Name("me")) for each in range(9)])
    with pytest.raises(AssertionError):  # as if every card lay in the hand
        alike(game)


# ------------------------------------------------------------------ what a bag can spare


@pytest.mark.parametrize("more", ["", " or size of kinds of set is 3"])
def test_what_can_be_spared_is_found_sooner_or_later(more: str) -> None:
    """Games that begin with nothing known, and games that find what others left, are the same."""
    drop = DROP.format(bag="my hand", there="yes", divided="my hand but card", places=2, more=more)
    game = game_of(drop, "drop", places=2)
    machine = Compiled(game, FIRST)
    first = machine.playouts(200, SEED, 0)
    again = machine.playouts(200, SEED, 0)
    assert list(first) == list(again)
    assert list(machine.playouts(10, SEED, 50)) == list(first[50 * machine.words : 60 * machine.words])


# ------------------------------------------------------------------ what must hold


def run(body: Sequence[st.Statement], known: dict[str, int]) -> bool | None:
    """Whether the end is reached, statement by statement."""
    for each in body:
        match each:
            case st.Set():
                known[each.name] = value_of(each.value, known)
            case st.Skip():
                return False
            case st.If():
                if not run(each.then if value_of(each.truth, known) else each.otherwise, known):
                    return False
    return True


def value_of(formula: flat.Flat, known: dict[str, int]) -> int:
    match formula:
        case Known(value=int() as value):
            return value
        case flat.Name():
            return known[formula.name]
        case flat.IsOne(value=inner) | flat.AsNumber(truth=inner):
            return int(bool(value_of(inner, known)))
        case flat.No():
            return int(not value_of(formula.truth, known))
        case flat.All():
            return int(all(value_of(part, known) for part in formula.parts))
        case flat.Any():
            return int(any(value_of(part, known) for part in formula.parts))
        case flat.Either():
            return value_of(formula.then if value_of(formula.truth, known) else formula.otherwise, known)
        case flat.Compare():
            left, right = value_of(formula.left, known), value_of(formula.right, known)
            return int(
                {"==": left == right, "!=": left != right, "<": left < right, "<=": left <= right}[formula.operator]
            )
        case _:
            raise AssertionError(formula)


def made_truth(draw: random.Random, names: list[str], deep: int = 2) -> flat.Flat:
    some = draw.randrange(6 if deep else 2)
    if some == 0:
        return flat.IsOne(flat.Name(draw.choice(names)))
    if some == 1:
        number: Any = draw.choice([flat.Name(draw.choice(names)), Known(draw.randrange(-1, 3))])
        return flat.Compare(draw.choice(["==", "!=", "<", "<="]), flat.Name(draw.choice(names)), number)
    inner = made_truth(draw, names, deep - 1)
    if some == 2:
        return flat.No(inner)
    if some == 3:
        return flat.IsOne(flat.AsNumber(inner))
    both = (inner, made_truth(draw, names, deep - 1))
    return flat.All(both) if some == 4 else flat.Any(both)


def made_body(draw: random.Random, names: list[str], deep: int = 2) -> tuple[st.Statement, ...]:
    found: list[st.Statement] = []
    for _ in range(draw.randint(1, 3)):
        some = draw.randrange(4 if deep else 2)
        if some == 0:
            found.append(st.Set(draw.choice(names), flat.AsNumber(made_truth(draw, names))))
        elif some == 1:
            found.append(st.If(made_truth(draw, names), (st.Skip(),), ()))
        elif some == 2:
            found.append(st.If(made_truth(draw, names), made_body(draw, names, deep - 1), ()))
        else:
            inner = (made_body(draw, names, deep - 1), made_body(draw, names, deep - 1))
            found.append(st.If(made_truth(draw, names), *inner))
    return tuple(found)


def test_a_formula_says_whether_the_end_is_reached() -> None:
    draw, names = random.Random(SEED), ["a", "b", "c"]
    found, ends = 0, [0, 0]
    for _ in range(600):
        body = made_body(draw, names)
        formula = reached(body, {})
        for values in ([x, y, z] for x in (-1, 0, 1) for y in (0, 1) for z in (0, 2)):
            known = dict(zip(names, values, strict=True))
            expected = bool(run(body, dict(known)))
            ends[expected] += 1
            if formula is not None:
                assert bool(value_of(formula, known)) == expected, (body, known)
                found += 1
                put_in = kinds.replaced(formula, {name: Known(value) for name, value in known.items()})
                assert truth_of(put_in) in (expected, None)
    assert found > 4000 and min(ends) > 500


def test_what_cannot_be_followed_is_said() -> None:
    assert reached((st.Each("x", Known((1, 2)), ()),), {}) is None
    assert reached((st.If(flat.IsOne(flat.Name("a")), (st.Stop(),), ()),), {}) is None
