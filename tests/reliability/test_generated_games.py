"""Generated games are not trivial: most are accepted, and all constructs are reached while they are played."""

from statistics import median

import attrs
from made_games import SEED, accepted, closed

from rulelang.ast import nodes as ast
from rulelang.ast.compare import same_program
from rulelang.ast.from_tree import parse_rules
from rulelang.failures import Exhausted, Refused
from rulelang.ir import effects, expressions, nodes
from rulelang.play.formulas import MEANINGS
from rulelang.source import Source
from rulelang.testing import Dice, attempts, game_text, game_tree, playthrough, writing
from rulelang.testing.reached import Reached

SAMPLE = 200

ABSTRACT = {"Node"}
"""No node of the tree is only this, save where a word stands."""

FOLDED = {"NoneOf", "OptionValue", "SeatCount"}
"""Only in open programs: closing puts constants in their place."""

PARTS = {"Slot", "Member", "RankBy", "Spoken", "Words"}
"""Parts of formulas; they have no value of their own."""


def classes(*modules: object) -> set[str]:
    found = [thing for module in modules for thing in vars(module).values() if isinstance(thing, type)]
    return {thing.__name__ for thing in found if attrs.has(thing)}


def test_every_construct_is_reached_at_run_time() -> None:
    reached, played = Reached(), 0
    for number, compiled in accepted(0, SAMPLE):
        assert compiled.checked is not None
        with reached.watching():
            game = closed(number, compiled)
            for state, _ in playthrough(game, Dice.seeded(3, number), 50) if game else ():
                for event in attempts(state, Dice.seeded(4, number), 1):
                    try:
                        state.step(event)
                    except (Refused, Exhausted):
                        continue
        reached.tree(compiled.checked.rules)
        played += 1
    assert played >= 0.8 * SAMPLE
    assert classes(ast) - ABSTRACT <= set(reached.ast)
    formulas = {kind.__name__ for kind in MEANINGS}
    assert classes(nodes, effects) - classes(expressions) - {"Source"} <= set(reached.ir)
    assert formulas - FOLDED <= set(reached.ir)
    assert classes(expressions) - {"Source"} <= formulas | PARTS
    print("games:", played)


def test_the_median_size_is_stated() -> None:
    texts = [game_text(Dice.seeded(SEED, number)) for number in range(SAMPLE)]
    size, lines = median(map(len, texts)), median(text.count("\n") for text in texts)
    print("median size:", f"{size} characters, {lines} lines")
    assert 2_000 <= size <= 6_000
    assert 50 <= lines <= 150
    assert len(set(texts)) == SAMPLE


def test_what_is_written_is_what_was_made() -> None:
    for number in range(SAMPLE):
        made = game_tree(Dice.seeded(SEED, number))
        read = parse_rules(Source("game.rules", writing.rules(made)))
        assert same_program(made, read), number


def test_a_number_names_a_game() -> None:
    assert game_text(Dice.seeded(5, 7)) == game_text(Dice.seeded(5, 7)) != game_text(Dice.seeded(5, 8))
