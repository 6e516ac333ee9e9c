"""Lines that play never comes to: RL6013. Spec 16.3."""

import re

import pytest

from rulelang import limits
from rulelang.failures import Diagnosed
from rulelang.pipeline import compile_text

GAME = """game "Ways":
  players: 2

marker count: 0..99
marker leader: player

move act: count rises by 1
move stop: end game, nobody wins
move leave: end lap

rule over: end game, nobody wins
rule lap: leader must act or leave
rule never: over
rule played: players may freely act or finish until no
move finish: end played
rule changed: end game, nobody wins
instead of changed when size of players is 3: count rises by 1

overview:
  if count < 50: work
  if count < 60: lap
  leader must act or stop
  end game, nobody wins
rule work:
"""

LINES = [
    ("end game, nobody wins;;count rises by 1", 2),
    ("count rises by 1;;end game, nobody wins", None),
    ("over;;count rises by 1", 2),
    ("never;;count rises by 1;;count rises by 2", 2),
    ("changed;;count rises by 1", None),
    ("lap;;count rises by 1", None),
    ("leader must stop;;count rises by 1", 2),
    ("leader may stop;;count rises by 1", None),
    ("leader must act or stop;;count rises by 1", None),
    ("[leader] must secretly stop;;count rises by 1", None),
    ("turns of p from leader: p must act;;count rises by 1", 2),
    ("turns of p in others(leader) from leader: p must act;;count rises by 1", None),
    ("turns of p in [leader] from leader: p must act;;count rises by 1", 2),
    ("repeat: leader must act;;count rises by 1", 2),
    ("repeat until count > 3: leader must act;;count rises by 1", None),
    ("repeat until count > 3: over;;count rises by 1", 2),
    ("repeat 2 times: over;;count rises by 1", 2),
    ("repeat count times: over;;count rises by 1", None),
    ("each p in players: over;;count rises by 1", None),
    ("if count > 3: over;;count rises by 1", None),
    ("if count > 3: over;;otherwise: end game, leader wins;;count rises by 1", 3),
    ("if count > 3: over;;otherwise if count > 2: act_it;;otherwise: over;;count rises by 1", None),
    ("if count > 3:;;  over;;  count rises by 1", 3),
    ("if count > 3: act_it;;otherwise:;;  over;;  count rises by 1", 4),
    ("each p in players:;;  over;;  count rises by 1", 3),
    ("repeat 3 times:;;  leader must act;;  end work;;  count rises by 1", 4),
    ("players may freely act until no;;count rises by 1", 2),
    ("players may freely act or stop until no;;count rises by 1", 2),
    ("players may freely act until count > 3;;count rises by 1", None),
    ("repeat 2 times: played;;count rises by 1", None),
]


@pytest.mark.parametrize(("lines", "unreached"), LINES)
def test_a_line_behind_which_play_does_not_go_on(lines: str, unreached: int | None) -> None:
    laid_out = "".join(f"  {line}\n" for line in lines.split(";;"))
    while loop := re.search(r"^( *)(.*?): ((?:each|repeat|turns).*)$", laid_out, re.MULTILINE):
        laid_out = laid_out.replace(loop[0], f"{loop[1]}{loop[2]}:\n{loop[1]}  {loop[3]}")
    text = GAME + laid_out + "rule act_it: count rises by 1\n"
    found = []
    try:
        compile_text(text)
    except Diagnosed as wrong:
        found = [(each.code.number, each.place.line if each.place else 0) for each in wrong.diagnostics]
    first = GAME.count("\n")
    assert found == ([] if unreached is None else [("RL6013", first + unreached)])


def test_it_shows_the_line_that_leads_out_and_a_way() -> None:
    with pytest.raises(Diagnosed) as wrong:
        compile_text(GAME + "  turns of p from leader: p must act\n  count rises by 1\n")
    (found,) = wrong.value.diagnostics
    assert [related.message for related in found.related] == ["behind this, play does not go on here"]
    assert found.hint == "put it into the loop, or leave the loop with 'end RULE' and write it behind that rule"
    with pytest.raises(Diagnosed) as wrong:
        compile_text(GAME + "  over\n  count rises by 1\n")
    assert wrong.value.diagnostics[0].hint == "leave it out, or move it up"
    with pytest.raises(Diagnosed) as wrong:
        compile_text(GAME + "  players may freely act until no\n  count rises by 1\n")
    (found,) = wrong.value.diagnostics
    assert [related.message for related in found.related] == ["this open play goes on until 'no', which never holds"]
    assert found.hint == "write behind 'until' what ends the open play"


def test_exceptions_and_moves_are_looked_through_too() -> None:
    text = GAME + "  count rises by 1\nbefore over:\n  end game, nobody wins\n  count rises by 1\n"
    with pytest.raises(Diagnosed) as wrong:
        compile_text(text)
    assert [(each.code.number, str(each.place)) for each in wrong.value.diagnostics] == [("RL6013", "game.rules:28:3")]
    text = GAME.replace("move act: count rises by 1", "move act:\n  over\n  count rises by 1") + "  count rises by 1\n"
    with pytest.raises(Diagnosed) as wrong:
        compile_text(text)
    assert [(each.code.number, str(each.place)) for each in wrong.value.diagnostics] == [
        ("RL6013", "game.rules:9:3"),
        ("RL6013", "game.rules:25:3"),
    ]


def test_rules_may_be_as_deep_in_each_other_as_they_may_run() -> None:
    deep = limits.WINDOW_DEPTH - 1
    chain = "".join(f"rule r{number}: r{number + 1}\n" for number in range(deep - 1))
    text = f'game "Deep":\n  players: 1\n\n{chain}rule r{deep - 1}: end game, nobody wins\n\noverview:\n  r0\n'
    compile_text(text)
    with pytest.raises(Diagnosed) as wrong:
        compile_text(text + "  r0\n")
    assert [each.code.number for each in wrong.value.diagnostics] == ["RL6013"]
