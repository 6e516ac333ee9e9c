"""Where in the rules a limit was reached: the statement, the requirement or the declaration. Spec 16.4."""

import pytest
from playing_rules import closed

from rulelang import limits
from rulelang.failures import Exhausted
from rulelang.play.event import Play
from rulelang.play.match import Match
from rulelang.play.record import Record
from rulelang.play.replay import replay

RULES = """
game "Limits":
  players: 2

option many: 1..70000 = 1
values Card: 1..9
board Square: many by 3
zone stock: bag of Card, starts with each Card
zone hand for each player: bag of Card
zone nest: slot of Card
zone shelf for each 1..many and 1..4: slot of Card
marker score: 0..9
marker far: 0..1000000
marker mark for each 1..3: yes or no
define doubled(n: number) = n * 2

move count(n in 1..9): score rises by n
move push(n in 1..9): nest_it(n)
move tick(n in 1..9):
  mark[n] becomes yes
move take(n in 1..9):
  put n from seat(1)'s hand into nest
move multiply: score becomes 4000000000 * doubled(4000000000)
move go_round:
  repeat until score is 8:
    repeat 65536 times: far becomes sum(n * score for each n in 1..9)
    seat(1) must count
move guess(n in 1..9):
  require not_large: 9000000000000000000 + n * 300000000000000000 > 0
  score becomes n
move name_it(a in 1..9, b in 1..9): score becomes a
rule nest_it(n: 1..9):
  put n from stock into nest

prefer name_it with most a * 4000000000 * 4000000000

overview:
  turns of p from seat(1):
    p must count or push or tick or take or multiply or go_round or guess or name_it
"""


def line_of(words: str) -> int:
    """The line of the rules that begins with these words."""
    return next(n for n, line in enumerate(RULES.lstrip().splitlines(), 1) if line.strip().startswith(words))


@pytest.mark.parametrize(
    ("moves", "code", "place"),
    [
        (["count 5", "count 5"], "RL8007", "move count"),
        (["push 5", "push 6"], "RL8011", "put n from stock into nest"),
        (["tick 4"], "RL8005", "mark[n] becomes"),
        (["take 4"], "RL8008", "put n from seat(1)'s hand"),
        (["multiply"], "RL8012", "move multiply"),
        (["go_round"], "RL8009", "repeat 65536 times"),
        (["guess 9"], "RL8012", "require not_large"),
    ],
)
def test_a_move_that_is_given_up_says_at_which_line(moves: list[str], code: str, place: str) -> None:
    match = Match(closed(RULES, 2), 1)
    names = [move.name for move in match.game.program.moves]
    with pytest.raises(Exhausted) as failure:
        for number, said in enumerate(moves):
            name, *values = said.split()
            match.submit(Play(number % 2, names.index(name), tuple(map(int, values))))
    assert (failure.value.code, failure.value.file, failure.value.line) == (code, "game.rules", line_of(place))
    assert str(failure.value) == f"{code}: {failure.value.message} (game.rules, line {line_of(place)})"


@pytest.mark.parametrize(("many", "place"), [(70_000, "board Square"), (20_000, "zone shelf")])
def test_a_game_that_cannot_be_set_up_says_what_is_too_large(many: int, place: str) -> None:
    with pytest.raises(Exhausted, match="RL6004") as failure:
        closed(RULES, 2, {"many": many})
    assert failure.value.line == line_of(place)


@pytest.mark.parametrize(
    ("place", "instead", "code"),
    [
        ("marker score", "marker score: 0..9 = size of Card + many", "RL8007"),
        ("zone nest", "zone nest: slot of Card, starts with each Card", "RL8011"),
        ("move name_it", "move name_it(a in 1..4000000000, b in 1..4000000000): score becomes 1", "RL6007"),
        ("marker far", "marker far: 0..4000000000 * 4000000000 * many", "RL8012"),
    ],
)
def test_declarations_that_cannot_be_are_named_with_their_line(place: str, instead: str, code: str) -> None:
    rules = "\n".join(instead if line.startswith(place) else line for line in RULES.splitlines())
    with pytest.raises(Exhausted, match=code) as failure:
        closed(rules, 2).start()
    assert failure.value.line == line_of(place)


def test_lists_and_advice_say_where_they_became_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    state = closed(RULES, 2).start()
    with pytest.raises(Exhausted) as failure:
        state.preferred(0)
    assert (failure.value.code, failure.value.line) == ("RL8012", line_of("move guess"))
    fewer = closed(RULES.replace(" or guess", ""), 2)
    with pytest.raises(Exhausted) as failure:
        fewer.start().preferred(0)
    assert (failure.value.code, failure.value.line) == ("RL8012", line_of("prefer name_it"))
    monkeypatch.setattr(limits, "LISTED_MOVES", 7)
    with pytest.raises(Exhausted) as failure:
        fewer.start().moves(0)
    assert (failure.value.code, failure.value.line) == ("RL8015", line_of("p must count"))


def test_a_record_that_cannot_be_played_says_it_too() -> None:
    match = Match(closed(RULES, 2), 1)
    match.submit(Play(0, 0, (5,)))
    record = match.record
    damaged = Record(record.header, (*record.events, Play(1, 0, (5,))), None)
    with pytest.raises(Exception, match=f"game.rules, line {line_of('move count')}"):
        replay(match.game, damaged)
