"""What long runs do, row by row of the reliability table: the same checks as in the tests, from other numbers on.

Every row is a function of the first number and of how many there are; the same numbers give the same work. It returns
totals, and raises whatever a test would raise. `scripts/soak.py` runs them and keeps the ledger.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import attrs
import test_r01_any_text as r01
import test_r02_never_broken as r02
import test_r03_compiled_games as r03_compiled
import test_r03_interpreters_agree as r03
import test_r04_same_bytes as r04
import test_r05_saving as r05
import test_r06_undo as r06
import test_r07_illegal_moves as r07
import test_r08_canaries as r08_canaries
import test_r08_every_ruleset as r08_rulesets
import test_r08_no_secrets as r08
import test_r09_cost as r09
import test_r10_fuzz as r10_fuzz
import test_r10_hostile as r10_hostile
import test_r11_grammar as r11
from given_to import HIDING
from made_games import games

from rulelang.failures import Exhausted, Refused
from rulelang.ir.program import Program
from rulelang.ir.verify import verify
from rulelang.pipeline import engine_named, load
from rulelang.play.comparing import Effort
from rulelang.play.configurations import Label, all_seats, choices
from rulelang.play.engine import Game
from rulelang.rulesets import all_rulesets
from rulelang.testing import Dice, game_text, playthrough
from rulelang.testing.damage import damaged

os.environ.setdefault("RULELANG_CACHE", "off")  # what is compiled here nobody needs once more

Totals = Counter[str]
Batch = Callable[[int, int], Totals]

RULESETS = tuple(name for name, _ in all_rulesets())


@attrs.frozen
class Kind:
    """One kind of work of a row."""

    row: str
    name: str
    what: str
    batch: Batch
    count: int
    """How many numbers a batch has: about a minute of them."""
    goals: Mapping[str, int] = attrs.field(factory=dict)
    """The totals that the reliability table asks for."""
    weight: int = 1
    """Its share of the time."""

    @property
    def key(self) -> str:
        """How it is called in the ledger."""
        return f"{self.row} {self.name}"


# ------------------------------------------------------------------ what is played


@cache
def rules_of(name: str) -> Program:
    """A ruleset, compiled once."""
    return load(name).program


@cache
def choices_of(name: str, seats: int) -> tuple[tuple[str, Label], ...]:
    """Everything that can be chosen for a ruleset, besides the defaults."""
    return tuple(choices(rules_of(name), seats))


def ruleset_games(
    first: int, count: int, engine: str = "reference", names: Sequence[str] = RULESETS
) -> Iterator[tuple[int, Game]]:
    """The rulesets in turn, with some number of seats and some options, ready to play."""
    for number in range(first, first + count):
        name, dice = names[number % len(names)], Dice.seeded(90, number)
        program = rules_of(name)
        seats = dice.pick(all_seats(program))
        options = dict(dice.pick(choices_of(name, seats)) for _ in range(dice.below(3)) if choices_of(name, seats))
        try:
            yield number, engine_named(engine).configure(program, seats, options)
        except (Refused, Exhausted):
            yield number, engine_named(engine).configure(program, seats, {})


# ------------------------------------------------------------------ R1 and R2: texts and programs


def damaged_texts(first: int, count: int) -> Totals:
    found = Totals(r01.answer(text) for text in r01.damaged_texts(first, count))
    return Totals(found, texts=count)


def generated_texts(first: int, count: int) -> Totals:
    found = Totals(texts=count)
    for number in range(first, first + count):
        found[r01.answer(game_text(Dice.seeded(14, number)))] += 1
    return found


def large_texts(first: int, count: int) -> Totals:
    found = Totals(texts=count)
    for number in range(first, first + count):
        dice = Dice.seeded(13, number)
        found[r01.answer(damaged(r01.large_text(dice), dice))] += 1
    return found


def generated_never_break(first: int, count: int) -> Totals:
    programs, events = r02.play(first, count)
    return Totals(programs=programs, events=events)


def rulesets_never_break(first: int, count: int) -> Totals:
    found = Totals()
    for number, game in ruleset_games(first, count):
        assert not verify(game.program), number
        for state, event in playthrough(game, Dice.seeded(5, number), 300):
            assert game.invariants(state) == (), (game.program.name, number)
            found["events"] += event is not None
        found["games"] += 1
    return found


def whole_games(first: int, count: int) -> Totals:
    """To their end, on the native interpreter, every promise asked for at every wait."""
    found = Totals()
    for number, game in ruleset_games(first, count, "native"):
        for summary in game.playouts(8, number, "random", promises=True):
            assert summary.broken == (), (game.program.name, number)
            found["games"] += 1
            found["events"] += summary.length
    return found


# ------------------------------------------------------------------ R3: interpreters


def interpreters_on_rulesets(first: int, count: int) -> Totals:
    found = Totals()
    for number in range(first, first + count):
        program = rules_of(RULESETS[number % len(RULESETS)])
        effort = attrs.evolve(r03.OFTEN, compiled=True) if number // len(RULESETS) % 4 else Effort()
        counts = r03.judge(program, all_seats(program), 600, number, effort)
        found.update(attrs.asdict(counts))
    return found


def interpreters_on_made_games(first: int, count: int) -> Totals:
    moves = r03.judge_made(first, count, 4 * r03.MADE_MOVES, varied=True)
    return Totals(moves=moves)


# ------------------------------------------------------------------ R4: hash seeds


def hash_seeds(first: int, count: int) -> Totals:
    seeds = [1 + number % 4_000_000_000 for number in range(first, first + count)]
    wanted = r04.printed(0)
    for seed in seeds:
        assert r04.printed(seed) == wanted, seed
    return Totals({"hash seeds": count, "lines": count * wanted.count("\n")})


# ------------------------------------------------------------------ R5, R6, R7, R9: games


def saved(first: int, count: int) -> Totals:
    found = Totals()
    for number, game in games(first, count):
        found["states"] += r05.check_saving(game, Dice.seeded(33, number))
        found["games"] += 1
    return found


def saved_rulesets(first: int, count: int) -> Totals:
    found = Totals()
    for number, game in ruleset_games(first, count):
        found["states"] += r05.check_saving(game, Dice.seeded(34, number))
        found["games"] += 1
    return found


def undone(first: int, count: int) -> Totals:
    found = Totals()
    for number, game in games(first, count):
        r06.check_undo(game, Dice.seeded(43, number), found)
        found["games"] += 1
    return found


def undone_rulesets(first: int, count: int) -> Totals:
    found = Totals()
    for number, game in ruleset_games(first, count):
        r06.check_undo(game, Dice.seeded(44, number), found)
        found["games"] += 1
    return found


def attempted(first: int, count: int) -> Totals:
    found = Totals()
    for number, game in games(first, count):
        found["tries"] += r07.check_game(game, Dice.seeded(53, number), 40)
        found["games"] += 1
    return found


def attempted_rulesets(first: int, count: int) -> Totals:
    found = Totals()
    for number, game in ruleset_games(first, count):
        found["tries"] += r07.check_game(game, Dice.seeded(54, number), 40)
        found["games"] += 1
    return found


def compiled_games(first: int, count: int) -> Totals:
    """Compiled games against printed Python."""
    return Totals(moves=r03_compiled.compiled_rulesets(first, count))


def compiled_made_games(first: int, count: int) -> Totals:
    """Compiled made-up games and batches against printed Python."""
    return Totals(r03_compiled.compiled_made_games(first, count))


def costs(first: int, count: int) -> Totals:
    found = Totals()
    for number, game in games(first, count):
        steps, bounded = r09.check_costs(game, Dice.seeded(73, number))
        found.update(games=1, steps=steps, bounded=bounded)
    return found


def costs_of_rulesets(first: int, count: int) -> Totals:
    found = Totals()
    for number, game in ruleset_games(first, count):
        steps, bounded = r09.check_costs(game, Dice.seeded(74, number))
        found.update(games=1, steps=steps, bounded=bounded)
    return found


# ------------------------------------------------------------------ R8: secrets


def dealt_anew(first: int, count: int) -> Totals:
    return r08.check_generated(first, count, 1_000_000)


def exchanged(first: int, count: int) -> Totals:
    found = Totals()
    for number, game in games(first, count):
        if r08.hides(game):
            r08.check_exchanges(game, Dice.seeded(67, number), found)
    return found


def exchanged_in_rulesets(first: int, count: int) -> Totals:
    found = Totals()
    for number, game in ruleset_games(first, count, names=HIDING):
        if r08.hides(game):
            r08.check_exchanges(game, Dice.seeded(68, number), found)
            found["games"] += 1
    return found


def dealt_anew_in_rulesets(first: int, count: int) -> Totals:
    """Everything that a seat, or who watches, has not seen is dealt anew."""
    found = Totals()
    for number in range(first, first + count):
        found += r08_rulesets.dealt_anew(HIDING[number % len(HIDING)], number, 1)
    return found


def canaries(first: int, count: int) -> Totals:
    """Unmistakable names of hidden things are looked for in every text."""
    found = Totals(games=count)
    for number in range(first, first + count):
        found += r08_canaries.look_for_canaries(HIDING[number % len(HIDING)], number, 1)
    return found


# ------------------------------------------------------------------ R10 and R11: hostile input


def counted(fuzz: Batch) -> Batch:
    """A fuzzer whose totals say how many examples there were, besides what came of them."""
    return lambda first, count: Totals({**fuzz(first, count), "examples": count})


def terminals(first: int, count: int) -> Totals:
    """Every terminal of both grammars on all its bad texts; the numbers say nothing here."""
    found = Totals()
    for grammar in (r11.tables.build(strict=True), r11.tables.build_plays(strict=True)):
        for terminal in r11.terminals(grammar):
            r11.check_terminal(terminal)
            found["terminals"] += 1
            found["texts"] += sum(1 for _ in r11.bad_texts(terminal))
    return found


def hostile_files(first: int, count: int) -> Totals:
    """The whole corpus, a kind after the other."""
    found = Totals()
    for number in range(first, first + count):
        kind = r10_hostile.KINDS[number % len(r10_hostile.KINDS)]
        r10_hostile.check_kind(kind)
        found["cases"] += len(r10_hostile.cases(kind))
    return found


KINDS = (
    Kind("R1", "damaged", "small games' texts, damaged", damaged_texts, 8_000, {"texts": 500_000}, 2),
    Kind("R1", "generated", "texts of made-up games", generated_texts, 1_000, {"texts": 100_000}, 2),
    Kind("R1", "large", "texts of 16 KiB, damaged", large_texts, 500),
    Kind("R2", "generated", "made-up games, 50 moves each", generated_never_break, 800, {"programs": 150_000}, 4),
    Kind("R2", "rulesets", "rulesets, 300 moves each", rulesets_never_break, 8 * len(RULESETS)),
    Kind("R2", "whole games", "rulesets, random games to their end (native)", whole_games, 4 * len(RULESETS), {}, 2),
    Kind("R3", "rulesets", "rulesets, all seats and options", interpreters_on_rulesets, 30, {"moves": 10_000_000}, 6),
    Kind("R3", "generated", "made-up games", interpreters_on_made_games, 60, {}, 2),
    Kind(
        "R3", "compiled", "rulesets, whole games", compiled_games, len(r03_compiled.RULESETS), {"moves": 10_000_000}, 6
    ),
    Kind("R3", "compiled generated", "made-up games, whole and in batches", compiled_made_games, 60, {}, 2),
    Kind("R4", "hash seeds", "programs, records and messages", hash_seeds, 4, {"hash seeds": 32}),
    Kind("R5", "generated", "made-up games", saved, 600, {"games": 10_000}),
    Kind("R5", "rulesets", "rulesets", saved_rulesets, 8 * len(RULESETS)),
    Kind("R6", "generated", "made-up games", undone, 500, {"games": 10_000}),
    Kind("R6", "rulesets", "rulesets", undone_rulesets, 4 * len(RULESETS)),
    Kind("R7", "generated", "made-up games", attempted, 400, {"tries": 10_000_000}, 2),
    Kind("R7", "rulesets", "rulesets", attempted_rulesets, 4 * len(RULESETS)),
    Kind("R8", "dealt anew", "made-up games", dealt_anew, 150, {"pairs": 100_000}, 2),
    Kind("R8", "exchanged", "made-up games", exchanged, 50, {"pairs": 100_000}),
    Kind("R8", "exchanged in rulesets", "rulesets", exchanged_in_rulesets, 4 * len(HIDING), {"pairs": 100_000}, 2),
    Kind("R8", "dealt anew in rulesets", "rulesets", dealt_anew_in_rulesets, 2 * len(HIDING), {"pairs": 100_000}, 2),
    Kind("R8", "canaries", "rulesets, every text searched", canaries, len(HIDING)),
    Kind("R9", "generated", "made-up games", costs, 700),
    Kind("R9", "rulesets", "rulesets", costs_of_rulesets, 8 * len(RULESETS)),
    Kind("R10", "hostile files", "the corpus", hostile_files, len(r10_hostile.KINDS), {"cases": 200}),
    Kind("R10", "damaged hostile files", "the corpus, damaged", counted(r10_hostile.fuzz_mutants), 400),
    *[
        Kind("R10", name, "examples, damaged", counted(fuzz), 4 * size)
        for name, (fuzz, size, _) in r10_fuzz.SIZES.items()
    ],
    Kind("R11", "terminals", "both grammars, 100 KB of bad text", terminals, 1, {"terminals": 80}),
)
"""All kinds of work, in the order of the table."""
