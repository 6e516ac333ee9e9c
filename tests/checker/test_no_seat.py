"""What belongs to no seat owns nothing: a choice of the table, refused or accepted. Spec 12.1."""

import pytest
from tables import mistakes, program

from rulelang.diagnostics.reading import source_from_text
from rulelang.pipeline import check_source

POINTS = "'points' is told apart by a player, not by the table."
HAND = "'hand' is told apart by a player, not by the table."
VOTE = "'vote' is told apart by a player, not by the table."
NO_PLAYER = "This is the table; a player is needed here."

LINES = [
    ("table must score", POINTS),
    ("(table) may score", POINTS),
    ("let nobody_s = table;;  nobody_s must score", POINTS),
    ("[seat(1), table] must secretly score", POINTS),
    ("([seat(1), table]) must secretly score", POINTS),
    ("[seat(1)] must secretly score", None),
    ("table must count_on", None),
    ("table must count_on or score", POINTS),
    ("table must take", HAND),
    ("table must show", POINTS),
    ("table must vote_for", VOTE),
    ("table must lead", NO_PLAYER),
    ("table must lead_on", None),
    ("table must ask_first", None),
    ("table must buy", POINTS),
    ("table must sell", POINTS),
    ("table must be_added_to", POINTS),
    ("seat(1) must score or take or show or vote_for or lead or ask_first or buy or sell or be_added_to", None),
    ("round rises by table's points", POINTS),
    ("vote[1, table] becomes yes", VOTE),
    ("vote[1, seat(1)] becomes yes", None),
    ("leader becomes table", NO_PLAYER),
    ("leader becomes (table)", NO_PLAYER),
    ("leader becomes seat(1)", None),
    ("roll leader from [seat(1), table]", NO_PLAYER),
    ("roll leader from [seat(1), seat(2)]", None),
    ("if leader is table: round rises by 1", None),
]

MOVES = """
marker vote for each 1..3 and player: yes or no
marker leader: player = seat(1)
condition rich: my points > 3
condition richer: rich and round > 3
move count_on: round rises by 1
move take(card in my hand): put card from my hand onto stock
move show:
  require enough: round < 9 because "you have {my points}"
move vote_for: vote[1, me] becomes yes
move lead: leader becomes me
move lead_on: leader becomes next(me)
move ask_first:
  if me is not table: my points rises by 1
move buy:
  require richer
move sell:
  if richer: round rises by 1
move be_added_to: round rises by 1
before be_added_to: my points rises by 1
"""


@pytest.mark.parametrize(("line", "message"), LINES, ids=[line for line, _ in LINES])
def test_nothing_is_the_table_s_own(line: str, message: str | None) -> None:
    row = ("", f"  {line}".replace("if leader is table: ", "if leader is table:;;    "), "", "")
    found = mistakes(program(row, "wrong") + MOVES)
    assert [said for _, said in found] == ([message] if message else [])


def test_a_marker_does_not_begin_with_the_table() -> None:
    row = ("", "marker dealer: player = table", "marker dealer: player = seat(1)", "")
    assert mistakes(program(row, "wrong")) == [("RL4001", NO_PLAYER)]
    assert mistakes(program(row, "mended")) == []


def test_the_choice_is_where_it_is_said_and_the_move_shows_why() -> None:
    _, findings = check_source(source_from_text("x.rules", program(("", "  table must score", "", ""), "wrong")))
    (found,) = findings.diagnostics()
    assert [related.message for related in found.related] == ["'score' needs a player here"]
    assert found.hint == "let a player make this move: the table has nothing that is 'my'"
