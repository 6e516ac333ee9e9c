"""Rulesets of any size, for what must grow with the rules and no faster, or must not grow at all.

`GROWING` makes texts with so many of one thing: rules, moves, defines ...; `board` and `table` make the same rules for
larger boards and more players.
"""

from collections.abc import Callable, Iterator
from typing import Final

HEAD: Final = """game "Growing":
  players: 2..16

marker total: 0..1000
marker points for each player: 0..1000
"""


def _game(declared: Iterator[str], overview: str, more: str = "") -> str:
    return "\n\n".join([HEAD.strip(), f"overview:\n{overview}", *declared, *([more] if more else [])]) + "\n"


ADD: Final = """move add(n in 1..9):
  require below: total + n < 900 because "{n} is too much"
  total rises by n"""
TURNS: Final = "  turns of p from seat(1): p must add"


def rules(count: int) -> str:
    """So many rules, each called by a move."""
    one = "rule r{0}(n: 1..9):\n  if total > {0}: total falls by n\n  otherwise: seat(1)'s points becomes {0}"
    add = f"{ADD}\n" + "\n".join(f"  r{number}(n)" for number in range(count))
    return _game((one.format(number) for number in range(count)), TURNS, add)


def moves(count: int) -> str:
    """So many moves, each offered at one place."""
    one = (
        "move m{0}(n in 1..9, q in players):\n"
        '  require other: q is not me because "that is you"\n'
        '  require below: q\'s points + n < {0} + 900 because "{{n}} is too much"\n'
        "  q's points rises by n"
    )
    offered = " or ".join(f"m{number}" for number in range(count))
    return _game((one.format(number) for number in range(count)), f"  turns of p from seat(1): p must {offered}")


def defines(count: int) -> str:
    """So many defines, each using the one before, up to eight in a chain."""
    first = "define d{0}(n: number) = size of (all q in players where q's points > n)"
    one = "define d{0}(n: number) = smaller(900, d{1}(n) + size of (all q in players where q's points is n + {0}))"
    ends = [number for number in range(count) if number % 8 == 7 or number == count - 1]
    add = f"{ADD}\n" + "\n".join(f"  my points becomes d{number}(n)" for number in ends)
    all_of_them = (one.format(n, n - 1) if n % 8 else first.format(n) for n in range(count))
    return _game(all_of_them, TURNS, add)


def requirements(count: int) -> str:
    """So many requirements of one move."""
    one = '  require r{0}: every q in players satisfies q\'s points + n < {0} + 800 because "{{n}} is too much"'
    add = "move add(n in 1..9):\n" + "\n".join(one.format(number) for number in range(count)) + "\n  total becomes n"
    return _game(iter([]), TURNS, add)


def branches(count: int) -> str:
    """So many conditions in one rule, one behind the other."""
    one = "  if total > {0} and n > 3: total falls by 1\n  otherwise: me's points becomes {0}"
    add = f"{ADD}\n" + "\n".join(one.format(number).replace("me's", "my") for number in range(count))
    return _game(iter([]), TURNS, add)


def nested(count: int) -> str:
    """So many conditions, eight inside one another."""
    lines: list[str] = []
    for number in range(count):
        depth = number % 8 + 1
        lines.append(f"{'  ' * depth}if total > {number}:")
        if depth == 8 or number == count - 1:
            lines.append(f"{'  ' * (depth + 1)}total falls by 1")
    return _game(iter([]), TURNS, f"{ADD}\n" + "\n".join(lines))


def waits(count: int) -> str:
    """So many decisions, one behind the other, again and again."""
    asked = "\n".join(f"    p must add\n    if total > {number}: p may add" for number in range(count))
    return _game(iter([]), f"  turns of p from seat(1):\n{asked}", ADD)


def loops(count: int) -> str:
    """So many loops over the players, each with a wait, one behind the other."""
    asked = "\n".join(f"    each q in players:\n      if q's points < {n}: q must add" for n in range(count))
    return _game(iter([]), f"  turns of p from seat(1):\n    p must add\n{asked}", ADD)


def slots(count: int) -> str:
    """So many markers and zones, each with a line that changes it."""
    one = "zone z{0} for each player: bag of Card, seen by owner, starts with each Card\nmarker k{0}: 0..{0}"
    add = f"{ADD}\n" + "\n".join(
        f"  k{number} becomes {number}\n  put 2 from my z{number} into my z{(number + 1) % count}"
        for number in range(count)
    )
    return _game(iter(["values Card: 1..3", *(one.format(number) for number in range(count))]), TURNS, add)


GROWING: Final[dict[str, Callable[[int], str]]] = {
    "rules": rules,
    "moves": moves,
    "defines": defines,
    "requirements": requirements,
    "conditions in a row": branches,
    "conditions in conditions": nested,
    "decisions": waits,
    "loops that wait": loops,
    "zones and markers": slots,
}
"""What grows, and how to write down so many of it."""


def board(side: int) -> str:
    """The same rules on a board of so many rows and columns."""
    return f"""game "Board":
  players: 2

board Square: {side} by {side}
marker mark for each Square: player or nobody

overview:
  turns of p from seat(1):
    p must place
    if line_of(p): end game, p wins

move place(square in Square):
  require free: mark[square] is nobody because "{{square}} is taken"
  require beside: (some other in around(square) where mark[other] is not nobody) or no_mark
    because "{{square}} is not beside a mark"
  mark[square] becomes me

define no_mark = every square in Square satisfies mark[square] is nobody
define line_of(p: player) =
  some line in lines(Square, 3) where every square in line satisfies mark[square] is p
"""


def table(seats: int) -> str:
    """The same rules for so many players."""
    return f"""game "Table":
  players: {seats}

values Card: 1..40
zone stock: pile of Card, seen by nobody, starts with each Card
zone hand for each player: bag of Card, seen by owner
zone heap for each player: pile of Card
marker points for each player: 0..1000

overview:
  shuffle stock
  each p in players: put top(2) from stock into p's hand
  turns of p from seat(1):
    p must lay
    others(p) may in_order call as taker
    if every q in players satisfies q's hand is empty: end game, each q in players gets q's points

move lay(card in my hand, q in players):
  require other: q is not me because "that is you"
  put card from my hand onto q's heap
move call(n in 1..2): my points rises by n
"""
