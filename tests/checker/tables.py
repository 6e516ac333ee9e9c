"""Tables of mistakes: one line of a small game, wrong and mended, with the message that the wrong one gets."""

from rulelang.failures import Diagnosed
from rulelang.pipeline import compile_text

Row = tuple[str, str, str, str]
"""Code, wrong line, mended line, message. In a line of several, `;;` stands for a line's end."""

GAME = """game "Table":
  players: 2..4

values Suit: clubs, hearts
values Rank: 1..4
record Card:
  suit: Suit
  rank: Rank
table Animal:
  copies: 1..9
  row cat: 3
  row dog: 2
board Square: 3 by 3
option pon: yes, no = yes
zone hand for each player: bag of Card, seen by owner
zone heap for each 1..3: pile of Card
zone stock: pile of Card, starts with each Card
zone pens: bag of Animal
marker round: 0..99
marker points for each player: 0..99
marker chosen: Suit
marker stone for each Square: player or nobody
define total(p: player) = p's points + round
move score: my points rises by 1
"""

OVERVIEW = """overview:
  if round < 9: deal
  seat(1) must score
  end game, nobody wins
rule deal:
  round rises by 1
"""


def program(row: Row, which: str) -> str:
    """The game with the wrong or the mended line: a declaration, or (indented) an instruction of the rule `deal`."""
    line = (row[1] if which == "wrong" else row[2]).replace(";;", "\n")
    if line.startswith("  "):
        return GAME + OVERVIEW + line + "\n"
    if line.startswith("overview"):
        return GAME + line + "\n" + OVERVIEW[OVERVIEW.index("rule deal") :]
    if line.startswith("game"):
        return line + GAME[GAME.index("\n") :] + OVERVIEW
    return GAME + line + "\n" + OVERVIEW


def mistakes(text: str) -> list[tuple[str, str]]:
    """Code and message of everything that is wrong with a program."""
    try:
        compile_text(text)
    except Diagnosed as diagnosed:
        return [(each.code.number, each.message) for each in diagnosed.diagnostics]
    return []


def unused(stage: str, table: list[Row], without: set[str]) -> set[str]:
    """The codes of a stage that no row of a table gives."""
    from rulelang.diagnostics.codes import CODES

    return {number for number, code in CODES.items() if code.stage == stage} - {row[0] for row in table} - without
