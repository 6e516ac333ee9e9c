"""In which configurations a change can make a difference: told without closing the rules in all of them."""

from itertools import product

import pytest

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Program
from rulelang.pipeline import compile_text
from rulelang.play.closing import close
from rulelang.rulebook.mutating import everywhere
from rulelang.rulebook.mutating.changes import Change, changes
from rulelang.rulebook.mutating.everywhere import Everywhere
from rulelang.rulebook.mutating.plain import plain_hash
from rulelang.rulebook.mutating.reached import Configured

RULES = """game "Fair":
  players: 2..3


option stalls: 1..3 = 2
option pace: slow, fast = slow
option gifts: yes, no = no needs pace is fast because "Only in a hurry."
board Spot: 2 by stalls
table Good:
  worth: 1..9
  row salt: 2
  row silk: 5
zone cart: pile of Good, starts with each Good times stalls
zone sack for each player: bag of Good, seen by owner
marker coins for each player: 0..9 = high
marker here for each Spot: 0..3
marker day: 0..3 = 0

require not_crowded: size of players < 3 or stalls > 1

overview:
  turns of p from seat(1):
    p must buy or wait
    if gifts: p's coins becomes 3
    if cart is empty or size of players is 4: end game, p wins

move buy(spot in Spot):
  require there_is: cart is not empty
  require near: row of spot <= stalls
  put top from cart into my sack
  my coins falls by 1 if pace is fast otherwise 2

move wait:
  day rises by 1
  each spot in Spot where row of spot is 1:
    here[spot] becomes 1

define high = 9 if stalls is 3 otherwise 8
define unread = 7 if stalls is 9 otherwise 6
"""
PLAIN = """game "Plain":
  players: 1..2

option size: 1..LONGEST = 5
option other: 1..2000 = 7

marker n: 0..9000 = 0

overview:
  turns of p from seat(1):
    p must step
    if n >= 3 * rest: end game, p wins

move step:
  n rises by amount

define amount = 2 if size is 777 otherwise 1
define rest = 3 if size is 777 and other is 9 otherwise 1
"""


def all_configurations(program: Program) -> list[Configured]:
    """All, and numbers of players beyond; the default of one option also chosen by its name."""
    options = {"stalls": (None, 1, 2, 3), "pace": (None, "fast"), "gifts": (None, True)}
    ways = [
        tuple(sorted((name, label) for name, label in zip(options, chosen, strict=True) if label is not None))
        for chosen in product(*options.values())
    ]
    return [(1, ()), *product((2, 3), ways), (4, ())]


def closed(program: Program, configured: Configured) -> str | None:
    try:
        return plain_hash(close(program, configured[0], dict(configured[1])))
    except (Refused, Exhausted):
        return None


def test_nowhere_else_is_there_a_difference() -> None:
    """Of every change of a game with options of every kind, gone through by closing it in every way there is."""
    program = compile_text(RULES).program
    mine = {each: closed(program, each) for each in all_configurations(program)}
    assert len(set(mine.values())) > 8
    space = Everywhere(program)
    assert space.count() == 2 * 3 * 2 * 2
    narrowed = 0
    for change in changes(program):
        changed = change.of(program)
        unlike = space.unlike(change, changed)
        apart = [each for each in mine if closed(changed, each) != mine[each]]
        within = {key(program, each) for each in apart}
        if (change.inside, change.said) == ("option gifts", "another default"):  # what it needs is asked of others then
            assert not unlike.whole
            continue
        assert unlike.whole and within <= {key(program, each) for each in unlike.configurations}, change
        narrowed += len(unlike.configurations) < space.count()
    assert narrowed > 20


def key(program: Program, configured: Configured) -> tuple[int, tuple[tuple[str, object], ...]]:
    defaults = {"stalls": 2, "pace": "slow", "gifts": False}
    return configured[0], tuple(sorted({**defaults, **dict(configured[1])}.items()))


def change_of(program: Program, said: str) -> Change:
    return next(each for each in changes(program) if each.said.startswith(said))


def test_a_long_range_is_gone_through_to_its_end() -> None:
    program = compile_text(PLAIN.replace("LONGEST", "1000")).program
    space = Everywhere(program)
    assert space.count() == 2 * 1000 * 2000
    two = change_of(program, "2 became 1")
    unlike = space.unlike(two, two.of(program))
    assert not unlike.whole  # the other option may matter behind it: two thousand ways
    assert unlike.configurations == ((1, (("size", 777),)), (2, (("size", 777),)))
    direction = change_of(program, "next(p) became previous(p)")
    assert space.unlike(direction, direction.of(program)) == everywhere.Unlike((), True)


def test_what_is_too_much_is_not_said_to_be_looked_at() -> None:
    program = compile_text(PLAIN.replace("LONGEST", "1000000000000")).program
    space = Everywhere(program)
    two = change_of(program, "2 became 1")
    assert space.unlike(two, two.of(program)) == everywhere.Unlike((), False)
    three = change_of(program, "3 became 2 in")
    assert not space.unlike(three, three.of(program)).whole
    default = change_of(program, "another default")
    assert not space.unlike(default, default.of(program)).whole


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ([(2, ()), (2, (("stalls", 2),)), (2, (("Stalls", "2"), ("gifts", "no")))], 1),
        ([(2, ()), (3, ()), (4, ()), (1, ())], 2),
        ([(2, (("gifts", True),)), (2, (("gifts", "yes"),))], 1),
    ],
)
def test_configurations_count_once_however_they_are_spelled(given: list[Configured], count: int) -> None:
    assert Everywhere(compile_text(RULES).program).within(given) == count
