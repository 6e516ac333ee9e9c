"""Ends that are decided by the order of two lines alone: what is told, and what says that the order is meant."""

import pytest
from copies import look

from rulelang.pipeline import compile_text, engine_named
from rulelang.rulebook.verify import order
from rulelang.rulebook.verify.found import Finding
from rulelang.rulebook.verify.order import Orders

RULES = """\
game "Orders":
  players: 2

marker points for each player: 0..3
marker rounds: 0..4

overview:
  repeat:
    seat(1) must step
    rounds rises by 1
{ends}

{rules}

move step(mine in 0..1, other in 0..1):
  require room: seat(1)'s points + mine <= 3 and seat(2)'s points + other <= 3 because "three are enough"
  seat(1)'s points rises by mine
  seat(2)'s points rises by other
"""
LAST = "    if rounds is 4: end game, nobody wins"
FIRST_HAS = "    if seat(1)'s points is 3: end game, seat(1) wins"
SECOND_HAS = "    if seat(2)'s points is 3: end game, seat(2) wins"
EACH_HAS = """\
    each p in players:
      if p's points is 3: end game, p wins"""


def found(*ends: str, rules: str = "", engine: str = "native") -> list[Finding]:
    """What is decided by order in a game with these ends."""
    report = look(compile_text(RULES.format(ends="\n".join(ends), rules=rules)).program, engine=engine)
    assert report.whole
    return [each for each in report.findings if each.kind == "order"]


def named(*ends: str, rules: str = "") -> list[str]:
    return sorted(each.id or "" for each in found(*ends, rules=rules))


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_two_ends_that_hold_in_one_position_are_told_with_both_lines(engine: str) -> None:
    told = {each.id: each for each in found(FIRST_HAS, LAST, SECOND_HAS, engine=engine)}
    assert {name: len(each.events) for name, each in told.items()} == {
        "overview: seat 1 wins before seat 2 wins": 3,
        "overview: seat 1 wins before nobody wins": 4,
        "overview: nobody wins before seat 2 wins": 4,
    }
    first = told["overview: seat 1 wins before seat 2 wins"]
    assert first.place is not None and first.other is not None
    assert (first.place.line, first.other.line) == (11, 13)
    assert "By line 11: seat 1 wins; by line 13: seat 2 wins." in first.said


def test_both_interpreters_tell_the_same() -> None:
    assert found(LAST, EACH_HAS) == found(LAST, EACH_HAS, engine="reference")


def test_ends_that_come_to_the_same_are_not_told() -> None:
    assert named("    if rounds is 4: end game, nobody wins", "    if rounds >= 3: end game, nobody wins") == []
    assert named("    if rounds is 3: end game, nobody wins", LAST.replace("nobody", "seat(1)")) == []


def test_otherwise_says_the_order() -> None:
    assert named(FIRST_HAS, LAST) == ["overview: seat 1 wins before nobody wins"]
    assert named(FIRST_HAS, LAST.replace("if", "otherwise if", 1)) == []
    assert named(FIRST_HAS, "    otherwise:", f"  {LAST}") == []
    assert named(FIRST_HAS, "    otherwise: check_time", rules=f"rule check_time:\n{LAST[2:]}\n") == [], "a rule, too"
    assert named(FIRST_HAS, "    otherwise:", f"  {SECOND_HAS}", LAST) == [
        "overview: seat 1 wins before nobody wins",
        "overview: seat 2 wins before nobody wins",
    ], "but not of what comes behind it"


def test_what_always_ends_is_no_second_condition() -> None:
    """Of two ends of which one is for all that is left, one must come: that is said."""
    some = "    if rounds is 4:\n      if seat(1)'s points > 1: end game, seat(1) wins"
    rest = "      otherwise: end game, seat(2) wins"
    assert named(SECOND_HAS, some, LAST) == [
        "overview: seat 1 wins before nobody wins",
        "overview: seat 2 wins before nobody wins",
        "overview: seat 2 wins before seat 1 wins",
    ]
    assert named(some, rest) == []
    assert named(SECOND_HAS, some, rest) == ["overview: seat 2 wins before seat 1 wins"]


def test_rules_that_are_called_are_gone_through() -> None:
    rules = f"rule check_points:\n  check_first\n\nrule check_first:\n{FIRST_HAS[2:]}\n\nrule check_time:\n{LAST[2:]}\n"
    (finding,) = found("    check_points", "    check_time", rules=rules)
    assert finding.id == "check_first: seat 1 wins before nobody wins"
    left = rules.replace(FIRST_HAS[2:], f"{FIRST_HAS[2:]}\n  if rounds < 9: end check_points")
    assert named("    check_points", "    check_time", rules=left) == [finding.id]


def test_a_loop_over_players_says_no_order_unless_it_is_said_where_it_begins() -> None:
    twice = "overview: p wins before p wins"
    (finding,) = (each for each in found(EACH_HAS) if each.id == twice)
    assert finding.place == finding.other
    assert "held twice" in finding.said
    assert named(EACH_HAS.replace("players:", "players from seat(2):")) == []
    assert named(EACH_HAS.replace("players:", "(all q in players where q's points > 1):")) == [twice]
    assert named("    each p in players where p's points is 3: end game, p wins") == [twice]
    assert named("    each n in 1..2:\n      if seat(n)'s points is 3: end game, seat(n) wins") == []
    assert named(EACH_HAS, LAST) == ["overview: p wins before nobody wins", twice]
    assert named(LAST, EACH_HAS) == ["overview: nobody wins before p wins", twice], "the loop begins behind the line"


def test_what_changes_the_table_stands_between() -> None:
    assert named(FIRST_HAS, "    rounds becomes rounds", LAST) == []
    bonus = "    if seat(1)'s points is 3:\n      rounds becomes 0\n      end game, seat(1) wins"
    assert named(bonus, LAST) == []
    assert named(LAST, bonus) == ["overview: nobody wins before seat 1 wins"], "what it comes to is played to its end"


def test_whenever_goes_first_and_two_of_them_in_their_order() -> None:
    when = "whenever seat(1)'s points is 3: end game, seat(1) wins\n"
    both = "whenever seat(1)'s points + seat(2)'s points >= 5: end game, nobody wins\n"
    assert named(LAST, rules=when) == []
    assert named(LAST, rules=f"{when}\n{both}") == ["whenever 1: seat 1 wins before nobody wins"]


def test_a_reason_says_that_it_is_meant() -> None:
    program = compile_text(RULES.format(ends=f"{FIRST_HAS}\n{LAST}", rules="")).program
    name = "overview: seat 1 wins before nobody wins"
    assert look(program).mistakes == 1
    meant = look(program, allowed={name: "who has three has won"})
    assert (meant.mistakes, [each.reason for each in meant.findings]) == (0, ["who has three has won"])
    turned = compile_text(RULES.format(ends=f"{LAST}\n{FIRST_HAS}", rules="")).program
    assert look(turned, allowed={name: "who has three has won"}).mistakes == 1, (
        "a reason for one order is none for both"
    )


def test_it_is_found_in_random_games_too() -> None:
    program = compile_text(RULES.format(ends=f"{FIRST_HAS}\n{LAST}", rules="")).program
    assert [each.kind for each in look(program, games=60).findings] == ["order"]


def test_a_limit_on_the_way_in_thought_is_nobodys_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    assert named(FIRST_HAS, LAST.replace("rounds is 4", "rounds * 4611686018427387904 > 0")) == []
    far = "    if rounds is 4:\n      rounds rises by 1\n      end game, nobody wins"
    assert named(FIRST_HAS, far) == []
    monkeypatch.setattr(order, "LONGEST", 0)
    assert named(FIRST_HAS, LAST) == []


def test_ends_in_words() -> None:
    ends = (
        "end game, each p in players gets p's points",
        "end game, grade rounds",
        "end game, unresolved players",
        "end game, aborted",
        "end game, (all p in players with most p's points) wins",
    )
    said = [found(f"    if seat(2)'s points is 3: {end}", LAST)[0] for end in ends]
    assert [each.id.split(" before ")[0] for each in said if each.id] == [
        "overview: each p gets points[p]",
        "overview: grade rounds",
        "overview: unresolved every player",
        "overview: aborted",
        "overview: all p in every player with most points[p] wins",
    ]
    words = ("seat 2 gets 3", "all reach 4", "seat 1 and seat 2 stay tied", "the game is broken off", "seat 2 wins")
    for finding, word in zip(said, words, strict=True):
        assert word in finding.said


def test_an_overview_without_more_lines_breaks_the_game_off() -> None:
    text = RULES.replace("  repeat:", "  repeat 4 times:")
    assert look(compile_text(text.format(ends=FIRST_HAS, rules="")).program).findings == ()


def test_only_what_has_ended_is_looked_at() -> None:
    program = compile_text(RULES.format(ends=LAST, rules="")).program
    game = engine_named("native").configure(program, 2, {})
    assert Orders(game, program, 2, {}).look(range(len(game.program.nodes)), game.start()) == []


def test_tic_tac_toe_says_why_a_line_comes_first() -> None:
    report = look("tic-tac-toe")
    assert report.mistakes == 0
    assert [(each.kind, bool(each.reason), each.positions) for each in report.findings] == [("order", True, 62)]
    assert look("tic-tac-toe", allowed={}).mistakes == 1


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("connect-four", {"rows": 1, "columns": 3, "in_a_row": 2}),
        ("five-in-a-row", {"rows": 3, "columns": 3, "in_a_row": 3}),
    ],
)
def test_other_classics_say_so_too(game: str, options: dict[str, int]) -> None:
    report = look(game, options=options)
    assert report.whole and report.findings[0].kind == "order" and all(each.reason for each in report.findings)
