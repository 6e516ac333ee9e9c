"""Leaks that were found by thinking what else could leak: who is told an answer, and what chance tells by waiting.

Programs that are refused stand in `tests/checker/leaking`; here is what accepted ones show, and the finer cases.
"""

import pytest

from rulelang.failures import Diagnosed
from rulelang.pipeline import compile_text, engine_named
from rulelang.play.event import Play
from rulelang.play.match import Match

GAME = """game "G":
  players: 3
  {automatic}

values Card: 1..9
option way: one, two = one
zone deck: pile of Card, seen by nobody, starts with each Card
zone buried: pile of Card, seen by nobody, size seen by nobody
zone half for each way_of: pile of Card, seen by nobody
zone tray for each 1..2: pile of Card, seen by nobody
values way_of: left, right
zone hand for each player: bag of Card, seen by owner
zone forehead for each player: bag of Card, seen by others(owner)
zone pair for each player: bag of Card, seen by [owner, next(owner)]
zone joint for each player: bag of Card, seen by [next(owner), owner]
zone laid for each player: bag of Card, seen by owner
zone heap: bag of Card
zone cup: bag of way_of showing 1..2, seen by nobody, size seen by nobody, starts with each way_of
zone pot for each 1..2: bag of way_of, seen by nobody, starts with each way_of
marker secret: 1..3, seen by nobody
marker which: way_of, seen by nobody
marker number: 1..3
marker chief: player
define at_head(p: player) = p's forehead
define neighbour(p: player) = at_head(next(p))
define two_on(p: player) = at_head(next(next(p)))
define plain_one(p: player, n: number) = at_head(p)
{lines}
move wait: number becomes 1
"""


def game(*lines: str, overview: str = "", automatic: str = "reasons: not_offered") -> str:
    """The rules with these declarations, and an overview that deals, does these lines, and asks everybody."""
    dealt = ["shuffle deck", *(f"each p in players: put top from deck into p's {z}" for z in ("hand", "forehead"))]
    dealt += [f"each p in players: put top from deck into p's {z}" for z in ("pair",)]
    body = "\n".join(f"  {line}" for line in [*dealt, *overview.splitlines()])
    asked = "  each p in players: p must wait\n"
    return GAME.format(lines="\n".join(lines), automatic=automatic) + f"\noverview:\n{body}\n{asked}"


def mistakes(text: str) -> list[str]:
    """The codes of what is wrong."""
    try:
        compile_text(text)
    except Diagnosed as found:
        return [each.code.number for each in found.diagnostics]
    return []


# ------------------------------------------------------------------ who is told an answer

TOLD = [
    # what it is chosen from, how many of the others are told, and whether the next player is
    ("my hand", 0, False),
    ("next(me)'s forehead", 1, False),
    ("at_head(next(me))", 1, False),
    ("neighbour(me)", 1, False),
    ("at_head(p)", 1, False),
    ("plain_one(next(me), 2)", 1, False),
    ("at_head(next(me)) + at_head(next(me))", 1, False),
    ("my pair", 1, True),
    ("my hand + my pair", 0, False),
    ("(all c in my hand where some d in next(me)'s forehead where d is not c)", 0, False),
]


@pytest.mark.parametrize(("domain", "told", "neighbour"), TOLD, ids=[domain for domain, *_ in TOLD])
@pytest.mark.parametrize("engine", ["reference", "native"])
def test_an_answer_is_told_to_those_who_see_where_it_comes_from(
    engine: str, domain: str, told: int, neighbour: bool
) -> None:
    text = game(f"move name_it(p in [next(me)], card in {domain}): number becomes 1", overview="seat(1) must name_it")
    match = Match(engine_named(engine).configure(compile_text(text).program, 3, {}), 5)
    match.advance_chance()
    answer = match.state.moves(0)[0]
    match.submit(answer)
    heard = [match.log(seat)[0].arguments[1] for seat in (1, 2)]
    assert isinstance(answer, Play) and set(heard) <= {answer.arguments[1], None}
    assert sum(code is not None for code in heard) == told
    assert (heard[0] is not None) == neighbour
    assert match.log(0)[0].arguments == answer.arguments


@pytest.mark.parametrize(
    "domain",
    [
        "my pair + my joint",
        "next(me)'s forehead + next(next(me))'s forehead",
        "two_on(me)",
        "at_head(item(others(me), 1))",
        "(all c in Card where some q in others(me) where c in q's forehead)",
    ],
)
def test_where_it_is_not_known_who_may_be_told_an_answer_it_is_refused(domain: str) -> None:
    assert set(mistakes(game(f"move name_it(card in {domain}): number becomes 1"))) <= {"RL5007", "RL5001"}
    assert mistakes(game(f"move name_it(card in {domain}): number becomes 1")) != []


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(("instead", "told"), [("my laid", False), ("heap", True)])
def test_what_an_exception_does_not_lay_open_is_not_told(engine: str, instead: str, told: bool) -> None:
    text = game(
        "move lay(card in my hand): put card from my hand into heap",
        f"instead of lay when way is one: put card from my hand into {instead}",
        "instead of wait when way is two: number becomes 2",
        overview="seat(1) must lay",
    )
    match = Match(engine_named(engine).configure(compile_text(text).program, 3, {}), 5)
    match.advance_chance()
    match.submit(match.state.moves(0)[0])
    assert (match.log(1)[0].arguments != (None,)) == told


# ------------------------------------------------------------------ what chance tells by waiting

CHANCE = [
    ("roll number from [1, secret]", []),
    ("roll number from (all n in 1..3 with most n)", []),
    ("roll number from (all n in 1..3 where n is secret)", ["RL5004"]),
    ("roll number from [1] + [2]", []),
    ("roll secret from seat(1)'s hand", []),
    ("roll cup", ["RL5004"]),
    ("shuffle half[which]", ["RL5004"]),
    ("put top from half[which] into heap", ["RL5004"]),
    ("put top(secret) from deck into heap", ["RL5004"]),
    ("put top(secret) from deck onto half[left]", []),  # all see how many there are now
    ("put top(secret) from half[left] onto half[right]", []),
    ("put top from deck onto half[which]", []),
    ("put top from buried into heap", ["RL5004"]),
    ("put top from deck onto buried", []),
    ("if secret is 1: put top from deck onto buried", ["RL5004"]),
    ("if secret is 1: put top from deck under deck", ["RL5004"]),
    ("if secret is 1: put top from half[left] onto half[right]", []),
    ("if secret is 1: put top from half[left] under half[left]", ["RL5004"]),
    ("put top from deck onto tray[1]\nif secret is 1: put top from tray[1] onto tray[2]", []),
    ("put top from deck onto tray[1]\nif secret is 1: put top from tray[1] onto tray[number]", ["RL5004"]),
    ("if secret is 1: put everything from heap into seat(1)'s hand", []),
    ("if secret is 1: put everything from heap onto deck", ["RL5004"]),
]


@pytest.mark.parametrize(("line", "wanted"), CHANCE, ids=[line for line, _ in CHANCE])
def test_how_often_chance_is_waited_for_is_known_to_all(line: str, wanted: list[str]) -> None:
    unseen = "put top from deck onto half[left]\nput top from deck onto buried\n"  # so that cards can lie there unseen
    assert mistakes(game(overview=unseen + line)) == wanted


def test_where_chance_resolves_itself_one_thing_to_roll_from_or_several_is_a_difference() -> None:
    most = "roll chief from all p in players with most size of kinds of p's hand"
    assert mistakes(game(overview=most)) == []
    assert mistakes(game(overview=most, automatic="automatic: forced_chance")) == ["RL5004"]


# ------------------------------------------------------------------ the table, and those who watch

TABLE = [
    ("table must ask", ["RL5001"]),
    ("[table] must once_each ask", ["RL5001"]),
    ("(table if number is 1 otherwise seat(1)) must ask", ["RL5001"]),
    ("let it_is = table\nit_is must ask", ["RL5001"]),
    ("(table) must tell", ["RL5002"]),
    ("table must gathered", ["RL5001", "RL5002"]),
    ("table must wait", []),
    ("seat(1) must ask", []),
]


@pytest.mark.parametrize(("lines", "wanted"), TABLE, ids=[lines for lines, _ in TABLE])
def test_the_table_is_told_nothing_that_spectators_do_not_see(lines: str, wanted: list[str]) -> None:
    text = game(
        "condition high: some p in others(me) where 5 in p's forehead",
        '  because "{lowest(size of kinds of p\'s forehead for each p in others(me))} is low"',
        "move ask:",
        '  require seen: some p in others(me) where 5 in p\'s forehead because "nobody has it"',
        "move tell:",
        '  require said: number > 0 because "{lowest(size of kinds of p\'s forehead for each p in others(me))}"',
        "move gathered:",
        "  require high",
        overview=lines,
    )
    assert mistakes(text) == wanted


@pytest.mark.parametrize(
    ("sight", "wanted"), [("everyone", []), ("players", ["RL5004"]), ("clockwise(seat(1))", ["RL5004"])]
)
def test_what_only_the_players_see_decides_nothing_before_spectators(sight: str, wanted: list[str]) -> None:
    text = game(f"marker plan: 1..3, seen by {sight}", overview="if plan is 1: seat(1) must wait")
    assert mistakes(text) == wanted
