"""Games over places with conditions made at random: compiled for all places at once, as printed Python plays them."""

import random
import re

import pytest

from rulelang.failures import Exhausted
from rulelang.pipeline import compile_text
from rulelang.play.playouts import GameSummary
from rulelang_native import engine, playing
from rulelang_native.llvm import playing as compiled_playing
from rulelang_native.llvm.compiled import Compiled
from rulelang_native.llvm.programs import Printer


class Maker:
    """Makes formulas of places."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.names = 0

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def number(self, places: list[str], depth: int) -> str:
        """A number."""
        place, kind = self.chance.choice(places), self.chance.randrange(8)
        plain = [f"row of {place}", f"column of {place}", f"mood[{place}]", f"kind[{place}]", "level"]
        plain += [str(self.chance.randrange(-2, 6)), "(1 if me is seat(1) otherwise -1)"]
        if not depth or kind < 5:
            return self.chance.choice(plain)
        one, other = self.number(places, depth - 1), self.number(places, depth - 1)
        if kind == 5:
            return f"({one} if {self.truth(places, depth - 1)} otherwise {other})"
        return f"({one} {self.chance.choice('+-*')} {other})"

    def row(self, place: str) -> str:
        """What lies beside a place."""
        return self.chance.choice([f"around({place})", f"beside({place})"])

    def truth(self, places: list[str], depth: int) -> str:
        """A condition."""
        place, other, no = self.chance.choice(places), self.chance.choice(places), self.chance.choice(["", "not "])
        kind, less = self.chance.randrange(13), max(depth - 1, 0)
        if kind < 2:
            return f"stone[{place}] is {no}{self.chance.choice(['me', 'nobody', 'next(me)'])}"
        if kind == 2:
            compared = self.chance.choice(["<", "<=", ">", ">=", "is", "is not"])
            return f"{self.number(places, less)} {compared} {self.number(places, less)}"
        if kind == 3:
            return f"{self.chance.choice(['stone', 'mood'])}[{place}] is {no}mood[{other}]".replace(
                "stone[" + place + "] is " + no + "mood", "stone[" + place + "] is " + no + "stone"
            )
        if kind == 4:
            return f"{place} in {self.row(other)}"
        if kind == 5:
            return f"{place} is {no}{other}"
        if not depth:
            return f"kind[{place}] is {self.chance.randrange(6)}"
        name, inner = self.fresh(), self.fresh()
        match kind:
            case 6:
                return f"({self.truth(places, less)} and {self.truth(places, less)})"
            case 7:
                return f"({self.truth(places, less)} or {self.truth(places, less)})"
            case 8:
                return f"(not {self.truth(places, less)})"
            case 9:
                return f"(some {name} in {self.row(place)} where {self.truth([*places, name], less)})"
            case 10:
                return f"(every {name} in {self.row(place)} satisfies {self.truth([*places, name], less)})"
            case 11:
                first = f"first {inner} in {name} where {self.truth([*places, inner], less)}"
                return f"(some {name} in rays({place}) where ({first}) is {self.chance.choice(['not none', other])})"
            case _:
                some = f"some {inner} in {name} where {self.truth([*places, inner], less)}"
                return f"(some {name} in rays({place}) where {some})"

    def game(self) -> str:
        """A whole game."""
        chance = self.chance
        rows, columns, shape = chance.randrange(2, 8), chance.randrange(3, 10), chance.choice(["", "hexagons"])
        of_who, among = self.truth(["p"], 3), self.truth(["p", "q"], 2)
        way = chance.choice(["goal in reach(me, start)", self.truth(["start", "goal"], 3), "goal in around(start)"])
        return f"""game "Made":
  players: 2

board Place: {rows} by {columns} {shape}
marker stone for each Place: player or nobody
marker mood for each Place: 0..3
marker kind for each Place: 0..5
marker level: -3..3 = 0

define has(who: player, p: Place) = {_of("who", of_who)}
define reach(who: player, p: Place) =
  all q in {chance.choice(["around(p)", "beside(p)", "Place"])} where {_of("who", among)}

move lay(place in Place):
  require free: {self.truth(["place"], 3)}
  stone[place] becomes me
  level becomes remainder(level + 1, 4)

move push(start in Place, goal in {chance.choice(["Place", "around(start)"])}):
  require own: {self.truth(["start"], 2)}
  require way: {way}
  require there: {self.truth(["start", "goal"], 2)} or has(me, goal)
  stone[goal] becomes stone[start]
  stone[start] becomes nobody
  kind[goal] becomes remainder(kind[start] + 1, 6)

move wait(n in 0..3): level becomes n - 1

overview:
  each p in Place:
    mood[p] becomes remainder(row of p * 3 + column of p, 4)
    kind[p] becomes remainder(row of p + column of p * 2, 6)
    if remainder(row of p + column of p, 3) is 0: stone[p] becomes seat(1) if row of p < 3 otherwise seat(2)
  repeat 8 times:
    each p in players:
      p must lay or push or wait
      if some x in Place where has(p, x) and stone[x] is p and {_of("p", self.truth(["x"], 2))}: level becomes 2
  end game, all p in players where level > 0 wins
"""


def _of(who: str, formula: str) -> str:
    return re.sub(r"\bme\b", who, formula)


@pytest.mark.parametrize("block", range(4))
def test_conditions_made_at_random(block: int) -> None:
    abreast = pairs = 0
    for seed in range(8 * block, 8 * block + 8):
        rules = Maker(seed).game()
        game = engine.configure(compile_text(rules).program, 2, {})
        machine, printer = Compiled(game, 1), Printer(game)
        printer.text()
        abreast, pairs = abreast + bool(printer.abreast), pairs + bool(printer.pairs)
        told: list[list[GameSummary] | str] = []
        for games in (
            compiled_playing.playouts(game, machine, 5, seed),
            playing.playouts(game, 5, seed, "random"),
        ):
            try:
                told.append(list(games))
            except Exhausted as failure:
                told.append(str(failure))
        assert told[0] == told[1], rules
    assert abreast and pairs


def test_what_holds_at_no_place_does_not_hold() -> None:
    """What is asked of lanes that are no places is no answer."""
    rules = re.sub(r"require (own|way|there): .*", r"require \1: EVERY", Maker(3).game())
    rules = rules.replace("EVERY", "every x in beside(goal) satisfies goal is not goal", 1).replace(
        "EVERY", "level < 9"
    )
    game = engine.configure(compile_text(rules).program, 2, {})
    printer = Printer(game)
    printer.text()
    assert not printer.pairs
    found = list(compiled_playing.playouts(game, Compiled(game, 1), 10, 1))
    assert found == list(playing.playouts(game, 10, 1, "random"))
