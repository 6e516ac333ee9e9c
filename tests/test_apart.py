"""Two programs side by side: where they come apart, and that they do not."""

from typing import Any

import attrs
import pytest

from rulelang.failures import Exhausted, Refused
from rulelang.ir import nodes
from rulelang.ir.program import Everyone, Program
from rulelang.pipeline import compile_text, engine_named
from rulelang.play import apart
from rulelang.play.alike import Pair
from rulelang.play.apart import Apart, begin_alike, search, wander
from rulelang.play.chance import Stream
from rulelang.play.event import Outcome, Pass, Play

RULES = """game "Steps":
  players: 2

option extra: 0..3 = 0
marker steps: 0..9
marker side: 1..2 = 1
zone pouch for each player: bag of Colour, seen by owner, starts with each Colour
values Colour: red, blue

overview:
  roll side
  turns of p from seat(1):
    p must step or look
    if steps >= 4: end game, p wins

move step(amount in 1..2):
  require room: steps + amount <= 9
  steps rises by amount

move look, seen by me: steps rises by 1
"""


def program(*changes: tuple[str, str], text: str = RULES) -> Program:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return compile_text(text).program


def pair(*changes: tuple[str, str], text: str = RULES, first: Program | None = None) -> Pair[Any]:
    engine = engine_named("reference")
    return Pair(
        engine.configure(first or program(text=text), 2, {}), engine.configure(program(*changes, text=text), 2, {})
    )


def found(*changes: tuple[str, str]) -> Apart:
    gone = search(pair(*changes), 500)
    assert gone.apart is not None and not gone.whole
    return gone.apart


def test_the_same_rules_are_the_same_game_in_all_states() -> None:
    gone = search(pair(), 500)
    assert gone.apart is None and gone.whole and gone.states > 10
    cut = search(pair(), 5)
    assert (cut.apart, cut.states, cut.whole) == (None, 5, False)
    far = wander(pair(), 1, 60)
    assert far.apart is None and far.states >= 60 and not far.whole


@pytest.mark.parametrize(
    ("change", "subject", "events"),
    [
        (("p must", "next(p) must"), "to_move", 1),
        (("in 1..2)", "in 1..1)"), "moves", 1),
        (("in 1..2)", "in 1..3)"), "moves", 1),
        (("steps >= 4", "steps >= 3"), "result", 3),
        (("rises by amount", "rises by 1"), "table", 2),
        (("side: 1..2", "side: 1..1"), "chance", 0),
        (("seen by owner", "seen by nobody"), "view", 0),
        (("look, seen by me", "look"), "observed", 2),
        (("steps: 0..9", "steps: 0..9 = 1"), "table", 0),
    ],
)
def test_where_they_come_apart(change: tuple[str, str], subject: str, events: int) -> None:
    there = found(change)
    assert (there.subject, len(there.events)) == (subject, events)
    far = wander(pair(change), 1, 200)
    assert far.apart is not None and far.apart.subject == subject


def test_a_pass_that_one_allows_is_what_to_try() -> None:
    first = program()
    choices = [number for number, node in enumerate(first.nodes) if isinstance(node, nodes.Decide)]
    asked = first.nodes[choices[0]]
    assert isinstance(asked, nodes.Decide)
    may = attrs.evolve(asked, asked=attrs.evolve(asked.asked, may_pass=True))
    other = attrs.evolve(first, nodes=tuple(may if node is asked else node for node in first.nodes))
    engine = engine_named("reference")
    gone = search(Pair(engine.configure(first, 2, {}), engine.configure(other, 2, {})), 50)
    assert gone.apart is not None and (gone.apart.subject, gone.apart.tried) == ("to_move", Pass(0))
    assert found(("p must", "next(p) must")).tried is None


def test_a_move_that_one_allows_is_what_to_try() -> None:
    there = found(("in 1..2)", "in 1..3)"))
    assert (there.first, there.second) == (None, Play(0, 0, (3,)))
    assert there.tried == there.second


def test_reasons() -> None:
    rules = RULES.replace("steps + amount <= 9", "steps + amount <= 1")
    gone = search(pair(("room:", "space:"), text=rules), 50)
    assert gone.apart is not None
    assert (gone.apart.subject, gone.apart.first, gone.apart.second) == ("reasons", ("room",), ("space",))
    assert gone.apart.tried == Play(0, 0, (2,))


def test_words_and_sizes() -> None:
    told = found(("must step or look", 'must step or look because "go on"'))
    assert told.subject == "words"
    board = "board Square: {0} by 2\nmarker mark for each Square: yes or no\n"
    small, large = (RULES.replace("\noverview", f"\n{board.format(rows)}\noverview") for rows in (2, 3))
    gone = search(pair((small, large), text=small), 50)
    assert gone.apart is not None and gone.apart.subject == "size"


def test_pools() -> None:
    rules = """game "Cards":
  players: 2
values Card: 1..4
zone low: pile of Card, seen by nobody, starts with each Card times (1 if it < 3 otherwise 0)
zone high: pile of Card, seen by nobody, starts with each Card times (1 if it > 2 otherwise 0)
marker done: 0..9
overview:
  shuffle low
  shuffle high
  turns of p from seat(1): p must go
move go:
  require room: done < 9
  done rises by 1
"""
    gone = search(pair(("it < 3", "it < 30"), ("it > 2", "it < 3"), ("it < 30", "it > 2"), text=rules), 50)
    assert gone.apart is not None and gone.apart.subject == "pools"


def test_one_that_cannot_go_on() -> None:
    there = found(("steps >= 4", "steps >= 99 - 90"), ("in 1..2)", "in 1..2)"))
    assert there.subject == "result"
    rules = RULES.replace("  require room: steps + amount <= 9\n", "")
    gone = search(pair(("rises by amount", "rises by 5 * amount"), text=rules), 300)
    assert gone.apart is not None and gone.apart.subject in ("fails", "table")


class _Weak:
    """A game or a state that fails where it is told to."""

    def __init__(self, inner: Any, start: Exception | None = None, step: Exception | None = None) -> None:
        self._inner, self._start, self._step = inner, start, step

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def start(self) -> Any:
        if self._start is not None:
            raise self._start
        return _Weak(self._inner.start(), None, self._step)

    def step(self, event: Any) -> Any:
        if self._step is not None:
            raise self._step
        return self._inner.step(event)


def test_a_start_or_step_of_one_alone_that_fails_is_a_difference() -> None:
    games, limit = pair(), Exhausted("RL8003", "too much")
    broken = Pair(games.first, _Weak(games.second, start=limit))
    for gone in (search(broken, 9), wander(broken, 1, 9)):
        assert gone.apart is not None and (gone.apart.subject, gone.apart.second) == ("start", "Exhausted")
    assert not begin_alike(broken, 9)
    stuck = Pair(games.first, _Weak(games.second, step=limit))
    for gone in (search(stuck, 9), wander(stuck, 1, 9)):
        assert gone.apart is not None and (gone.apart.subject, len(gone.apart.events)) == ("fails", 1)
    neither = Pair(_Weak(games.first, start=limit), _Weak(games.second, start=limit))
    assert search(neither, 9).whole and search(neither, 9).states == 0
    assert wander(neither, 1, 9).apart is None
    dead = Pair(_Weak(games.first, step=limit), _Weak(games.second, step=limit))
    assert search(dead, 9).apart is None and wander(dead, 1, 9).apart is None


def test_what_begins_alike() -> None:
    overwritten = RULES.replace("  roll side\n", "  roll side\n  steps becomes 0\n")
    other = ("steps: 0..9", "steps: 0..9 = 1")
    assert begin_alike(pair(other, text=overwritten), 50)
    assert not begin_alike(pair(other, text=overwritten), 0)
    assert not begin_alike(pair(other), 50)
    assert not begin_alike(pair(("side: 1..2", "side: 1..1"), other), 50)
    games = pair(other)
    stuck = Pair(games.first, _Weak(games.second, step=Refused([])))
    assert not begin_alike(stuck, 50)


def test_a_game_without_choices_is_wandered_once() -> None:
    rules = 'game "Nothing":\n  players: 2\n\noverview: end game, seat(1) wins\n'
    gone = wander(pair(text=rules), 1, 100)
    assert (gone.apart, gone.states) == (None, 1)
    assert search(pair(text=rules), 100).whole


def test_many_answers_are_drawn_and_nothing_is_shown() -> None:
    rules = RULES.replace("amount in 1..2", "amount in 1..2, other in 1..300")
    gone = search(pair(text=rules), 3)
    assert gone.apart is None and not gone.whole
    games = pair(text=rules)
    assert apart.answers_of(games.first) is None
    state = games.first.start().step(Outcome(1))
    tried = list(apart._tried(state, Stream(1)))
    assert len(tried) <= apart.DRAWN
    assert all(isinstance(each, Pass) or len(each.arguments) in (0, 2) for each in tried)
    assert not apart._is_said(games.first.program, Play(0, 9, ()))
    assert not apart._is_said(games.first.program, Play(0, 0, (1,)))
    assert not apart._is_said(games.first.program, Play(7, 1, ()))
    assert apart._is_said(games.first.program, Play(1, 0, (1, 300))) and apart._is_said(games.first.program, Pass(1))


def test_open_play_is_not_gone_through() -> None:
    rules = """game "Bell":
  players: 2
timer glass: 3 seconds
marker rung: 0..1
overview:
  start glass
  players may freely ring until rung is 1 or glass is empty
  end game, seat(1) wins
move ring: rung becomes 1
"""
    gone = search(pair(text=rules), 50)
    assert gone.apart is None and not gone.whole
    assert wander(pair(text=rules), 1, 30).apart is None


def test_more_states_ahead_than_are_kept() -> None:
    rules = RULES.replace("amount in 1..2", "amount in 1..30").replace("0..9", "0..99").replace("<= 9", "<= 99")
    gone = search(pair(text=rules.replace(">= 4", ">= 90")), 3)
    assert gone.apart is None and not gone.whole


def test_a_view_that_is_widened() -> None:
    first = program()
    pouch = attrs.evolve(first.slots[2], sight=attrs.evolve(first.slots[2].sight, content=Everyone()))
    wide = attrs.evolve(first, slots=(*first.slots[:2], pouch, *first.slots[3:]))
    assert any(isinstance(node, nodes.Decide) for node in wide.nodes)
    engine = engine_named("reference")
    games = Pair(engine.configure(first, 2, {}), engine.configure(wide, 2, {}))
    gone = search(games, 50)
    assert gone.apart is not None and (gone.apart.subject, gone.apart.seat) == ("view", 0)
    assert apart.spot_of(games.first.program, 3) == (2, 1)
