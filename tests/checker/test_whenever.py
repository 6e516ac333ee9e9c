"""`whenever C: ...` ends the game and nothing else, as soon as something has changed: RL6016 to RL6019. Spec 9.8."""

import pytest

from rulelang.compiler.whenever import read_by
from rulelang.failures import Diagnosed
from rulelang.pipeline import compile_text

GAME = """game "Any time":
  players: 2..3

values Card: 1..6
timer glass: 3 seconds
zone deck: pile of Card, seen by nobody, starts with each Card
zone hand for each player: bag of Card, seen by owner
zone heap for each 1..2: pile of Card
marker points for each player: 0..9
marker last: heap or none
option many: yes, no = yes
define rich(p: player) = p's points > 3
define ran_out = glass is empty
define full = some h in heap where size of h > 3
define static = many and size of players is 2
condition over: size of deck is 0
condition mine: my points > 3

move take: my points rises by 1
rule go_on:
  seat(1) must take

overview:
  shuffle deck
  turns of p from seat(1): p must take
"""

WON = "end game, (all p in players with most p's points) wins"

BODIES = [
    (f"{WON}", []),
    (f"let best = highest(p's points for each p in players);;{WON}", []),
    (f"if many: {WON};;otherwise: end game, nobody wins", []),
    (f"if many: {WON};;end game, nobody wins", []),
    (
        f"if many:;;  if static: {WON};;  otherwise: {WON};;otherwise if full: end game, aborted;;otherwise: {WON}",
        [],
    ),
    ("let best = 3", [("RL6017", 26)]),
    (f"if many: {WON}", [("RL6017", 26)]),
    (f"if many: {WON};;otherwise if full: end game, aborted", [("RL6017", 26)]),
    (f"if many:;;  if static: {WON};;otherwise: {WON}", [("RL6017", 26)]),
    (f"if many: let best = 3;;otherwise: {WON}", [("RL6017", 26)]),
    (f"last becomes none;;{WON}", [("RL6016", 27)]),
    (f"go_on;;{WON}", [("RL6016", 27)]),
    (f"seat(1) must take;;{WON}", [("RL6016", 27)]),
    (f"each p in players: p's points rises by 1;;{WON}", [("RL6016", 27)]),
    (f"repeat 2 times:;;  roll last;;{WON}", [("RL6016", 27)]),
    ("end go_on", [("RL6016", 27)]),
    (f"{WON};;end game, nobody wins", [("RL6013", 28)]),
    (f"if many: {WON};;otherwise: {WON};;end game, nobody wins", [("RL6013", 29)]),
    ("end game", [("RL2024", 27)]),
    ("end game, me wins", [("RL2020", 27)]),
    ("end game, each p in players gets top of deck", [("RL5005", 27)]),
    ("end game, each p in players gets highest(c for each c in p's hand)", []),
]


def found(condition: str, body: str = WON) -> list[tuple[str, int]]:
    lines = "".join(f"  {line}\n" for line in body.split(";;"))
    try:
        compile_text(f"{GAME}whenever {condition}:\n{lines}")
    except Diagnosed as mistakes:
        return [(each.code.number, each.place.line) for each in mistakes.diagnostics if each.place is not None]
    return []


@pytest.mark.parametrize(("body", "codes"), BODIES)
def test_the_body_ends_the_game_on_every_way(body: str, codes: list[tuple[str, int]]) -> None:
    assert found("rich(seat(1))", body) == codes


CONDITIONS = [
    ("some p in players where rich(p)", None),
    ("full", None),
    ("over", None),
    ("size of deck is 0 or deck is empty", None),
    ("last is heap[1]", None),
    ("some p in players where 3 in p's hand", None),
    ("static and full", None),
    ("mine", "RL2020"),
    ("my points > 3", "RL2020"),
    ("static", "RL6019"),
    ("size of players is 3", "RL6019"),
    ("glass is empty", "RL6018"),
    ("ran_out or full", "RL6018"),
    ("left of glass < 3000", "RL6018"),
    ("top of deck is 3", "RL5005"),
    ("some h in heap where top of deck is top of h", "RL5005"),
    ("size of deck", "RL4011"),
    ("nowhere is 3", "RL3001"),
]


@pytest.mark.parametrize(("condition", "code"), CONDITIONS)
def test_the_condition_reads_what_rules_change(condition: str, code: str | None) -> None:
    assert [number for number, _ in found(condition)] == ([] if code is None else [code])


SHOWN = [
    ("if many: end game, nobody wins", "where this does not hold, the game goes on", 27),
    ("if many: let best = 3;;otherwise: end game, nobody wins", "behind this, the game goes on", 27),
    (
        "if many: end game, nobody wins;;otherwise:;;  if full: end game, nobody wins",
        "where this does not hold, the game goes on",
        29,
    ),
]


@pytest.mark.parametrize(("body", "words", "line"), SHOWN)
def test_the_way_on_which_the_game_goes_on_is_shown(body: str, words: str, line: int) -> None:
    lines = "".join(f"  {line}\n" for line in body.split(";;"))
    with pytest.raises(Diagnosed) as caught:
        compile_text(f"{GAME}whenever full:\n{lines}")
    (mistake,) = caught.value.diagnostics
    assert [(each.message, each.place.line) for each in mistake.related] == [(words, line)]


def test_what_two_conditions_and_one_condition_twice_use_is_followed_once() -> None:
    more = "condition here: some p in players where rich(p) or tall(p)\ncondition there: over or rich(seat(2))\n"
    more += "define tall(p: player) = rich(p) or full\n"
    game = GAME.replace("move take", f"{more}move take")
    program = compile_text(f"{game}whenever here and not there: {WON}\n").program
    number = next(number for number, function in enumerate(program.functions) if function.name == "whenever 1")
    read = {program.slots[slot].name for slot in read_by(program, number)}
    assert read == {"points", "heap", "deck"}


def test_defines_in_a_circle_are_told_once_where_a_condition_uses_them() -> None:
    more = "define there(n: 0..9) = back(n)\ndefine back(n: 0..9) = there(n)\ncondition far: there(3) > 4\n"
    game = GAME.replace("move take", f"{more}move take")
    with pytest.raises(Diagnosed) as caught:
        compile_text(f"{game}whenever far: {WON}\n")
    assert [mistake.code.number for mistake in caught.value.diagnostics].count("RL3008") == 1
