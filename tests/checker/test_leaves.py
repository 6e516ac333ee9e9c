"""``end RULE`` stands only where RULE runs, however play came there: RL6015. Spec 9.7."""

import pytest

from rulelang.failures import Diagnosed
from rulelang.pipeline import compile_text

GAME = """game "Laps":
  players: 2

option guard: on, off = on
marker count: 0..9

move go: count rises by 1
move stop: end lap

rule lap:
  repeat: seat(1) must go or stop
rule unused: end lap
{more}
overview:
  {play}
  end game, nobody wins
"""

WAYS = [
    ("lap", "", None),
    ("lap;;  around", "rule around: lap", None),
    ("lap;;  seat(2) must go or stop", "", (8, 16)),
    ("lap;;  players must secretly stop", "", (8, 16)),
    ("lap;;  around", "rule around:\n  seat(2) must go or stop\n  lap", (8, 14)),
    ("lap;;  leave_it", "rule leave_it:\n  if count > 3: end lap", (14, 17)),
    ("lap;;  around", "rule around: end lap\nrule more: around", (13, 17)),
    ("around", "rule around: lap\nbefore lap:\n  if count > 3: end lap", None),
    ("lap;;  around", "rule around: count rises by 1\ninstead of around when guard is off: end lap", (14, 17)),
    ("lap", "rule out:\n  lap\nmove far: end out", None),
    ("out", "rule out:\n  lap\n  seat(1) must far\nmove far: end out", None),
]


@pytest.mark.parametrize(("play", "more", "wrong"), WAYS)
def test_a_rule_is_left_only_where_it_runs(play: str, more: str, wrong: tuple[int, int] | None) -> None:
    text = GAME.format(more=more, play=play.replace(";;", "\n"))
    found = []
    try:
        compile_text(text)
    except Diagnosed as mistakes:
        for each in mistakes.diagnostics:
            found.append((each.code.number, each.place and each.place.line, each.related[0].place.line))
    assert found == ([] if wrong is None else [("RL6015", *wrong)])
