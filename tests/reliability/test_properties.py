"""What holds for every game: the formatter and JSON change nothing, and a game is its events. Spec 2.6 and 16.6.

These examples are Hypothesis's: what fails is made smaller.
"""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st
from made_games import closed

from rulelang.ast.compare import same_program
from rulelang.ast.from_tree import parse_rules
from rulelang.ast.unparse import format_source
from rulelang.failures import Diagnosed, Exhausted, Refused
from rulelang.ir.codec import content_hash, dumps, loads, origin_hash
from rulelang.pipeline import Compiled, compile_text
from rulelang.source import Source
from rulelang.testing import Dice, playthrough
from rulelang.testing.strategies import answers, damaged, programs


def compiled(text: str) -> Compiled | None:
    try:
        return compile_text(text)
    except Diagnosed:
        return None


@given(programs())
def test_the_formatter_changes_nothing(text: str) -> None:
    source = Source("game.rules", text)
    once = format_source(source)
    assert same_program(parse_rules(source), parse_rules(Source("game.rules", once)))
    assert format_source(Source("game.rules", once)) == once
    before, after = compiled(text), compiled(once)
    assert (before is None) == (after is None)
    if before is not None and after is not None:
        assert content_hash(before.program) == content_hash(after.program)


@given(damaged(programs()))
def test_the_formatter_reads_what_the_checker_reads(text: str) -> None:
    try:
        once = format_source(Source("game.rules", text))
    except Diagnosed:
        return
    assert format_source(Source("game.rules", once)) == once


@given(programs(), st.integers(0, 1000))
def test_json_changes_nothing(text: str, number: int) -> None:
    found = compiled(text)
    if found is None:
        return
    again = loads(dumps(found.program))
    assert again == found.program
    assert content_hash(again) == content_hash(found.program)
    assert origin_hash(again) == origin_hash(found.program)
    game, twin = closed(number, found), closed(number, Compiled(again, None, None))
    if game is None or twin is None:
        assert game is twin is None
        return
    assert content_hash(game.program) == content_hash(twin.program)
    mine = [(state.to_bytes(), event) for state, event in playthrough(game, Dice.seeded(8, number), 15)]
    theirs = [(state.to_bytes(), event) for state, event in playthrough(twin, Dice.seeded(8, number), 15)]
    assert mine == theirs


@given(programs(), st.data())
def test_an_attempt_changes_nothing(text: str, data: st.DataObject) -> None:
    found = compiled(text)
    game = closed(0, found) if found is not None else None
    for state, _ in playthrough(game, Dice.seeded(9, 0), 6) if game is not None else ():
        before = state.to_bytes()
        with suppress(Refused, Exhausted):
            state.step(data.draw(answers(state)))
        assert state.to_bytes() == before
