"""``prefer``: advice is kept apart from the game, told only from what a seat sees, and worth following."""

import json
from typing import Any

import attrs
import pytest
from programs import at, tic_tac_toe

import rulelang
from rulelang import limits
from rulelang.failures import Exhausted
from rulelang.ir import expressions as ir
from rulelang.ir.codec import content_hash, dumps, loads, origin_hash
from rulelang.ir.faults import IRFault
from rulelang.ir.program import Preference, Program
from rulelang.ir.verify import verify
from rulelang.pipeline import compile_text
from rulelang.play.agents import AdvisedAgent, RandomAgent
from rulelang.play.chance import Stream
from rulelang.play.match import Match
from rulelang.play.playouts import Summary, playouts
from rulelang.play.resample import Resampler

YES = ir.Constant(1)
WITH_ADVICE = ["pig", "leduc-poker", "liars-dice"]


def advice(**changes: Any) -> Program:
    preference = Preference(0, YES, (ir.RankBy(False, ir.Constant(3)),), 4, at(60))
    return attrs.evolve(tic_tac_toe(), preferences=(attrs.evolve(preference, **changes),))


# ------------------------------------------------------------------ in the program


def test_documents_without_advice_are_what_they_were() -> None:
    assert "preferences" not in json.loads(dumps(tic_tac_toe()))
    assert loads(dumps(tic_tac_toe())).preferences == ()


def test_advice_is_written_and_read_back() -> None:
    program = advice()
    assert loads(dumps(program)) == program and verify(program) == ()


@pytest.mark.parametrize("document", ["3", '[{"kind": "Preference"}]', "null"])
def test_advice_is_read_strictly(document: str) -> None:
    written = json.loads(dumps(tic_tac_toe()))
    with pytest.raises(IRFault) as fault:
        loads(json.dumps({**written, "preferences": json.loads(document)}))
    assert fault.value.path.startswith("/preferences")


def test_advice_is_no_part_of_what_a_program_means() -> None:
    assert content_hash(advice()) == content_hash(tic_tac_toe())
    assert origin_hash(advice()) != origin_hash(tic_tac_toe())


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"move": 7}, "there is no move 7"),
        ({"locals": 0}, "cannot be the seat and the answers"),
        ({"condition": ir.Constant(2)}, "yes or no is needed"),
        ({"condition": ir.Local(3, "later")}, "has no value here"),
        ({"ranks": (ir.RankBy(True, ir.AllOf(tic_tac_toe().moves[0].parameters[0].type)),)}, "one value is needed"),
    ],
)
def test_unsound_advice_is_found(changes: dict[str, Any], said: str) -> None:
    found = verify(advice(**changes))
    assert found and found[0].path.startswith("/preferences/0") and said in found[0].message


def test_passing_can_be_advised() -> None:
    assert verify(advice(move=None, locals=1)) == ()


# ------------------------------------------------------------------ in play


@pytest.mark.parametrize("name", WITH_ADVICE)
def test_advised_beats_random_from_every_seat(name: str) -> None:
    game = rulelang.load(name).configure().game
    for seat in (0, 1):
        agents = [RandomAgent(), RandomAgent()]
        agents[seat] = AdvisedAgent()  # type: ignore[call-overload]
        assert Summary.of_all(playouts(game, 150, 11, agents)).returns[seat] > 0


@pytest.mark.parametrize("name", WITH_ADVICE)
def test_advice_is_the_same_in_all_states_that_a_seat_cannot_tell_apart(name: str) -> None:
    game = rulelang.load(name).configure().game
    compared = 0
    for seed in range(6):
        match = Match(game, seed)
        while match.advance_chance().waiting.kind != "over" and len(match.events) < 40:
            (seat,) = match.missing
            resampler, stream = Resampler(match.state, seat), Stream(seed)
            for _ in range(3):
                assert resampler.draw(stream).preferred(seat) == match.state.preferred(seat)
                compared += 1
            match.submit(match.chosen(seat, RandomAgent()))
    assert compared > 40


def test_advice_is_legal_and_takes_no_draw() -> None:
    match = Match(rulelang.load("pig").configure().game, 3)
    while match.advance_chance().waiting.kind != "over" and len(match.events) < 60:
        (seat,) = match.missing
        stream = Stream(1)
        answer = match.chosen(seat, AdvisedAgent())
        assert answer in match.state.moves(seat) and answer == match.state.preferred(seat)
        assert stream.drawn == 0
        match.submit(answer)


def test_without_advice_advised_is_random() -> None:
    game = rulelang.load("tic-tac-toe").configure().game
    assert game.start().preferred(0) is None
    advised = list(playouts(game, 10, 4, [AdvisedAgent(), AdvisedAgent()]))
    assert advised == list(playouts(game, 10, 4, [RandomAgent(), RandomAgent()]))


def test_asking_for_advice_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        'game "Large":\n  players: 2\n\nmove name(number in 1..200): end game, me wins\n\noverview:\n'
        "  turns of p from seat(1): p must name\n\n"
        "prefer name when size of (all n in 1..200 where n > number) is 250\n"
    )
    game = rulelang.load("pig").engine.configure(compile_text(text).program, 2, {})
    assert game.start().preferred(0) is None
    monkeypatch.setattr(limits, "EVENT_COST", 1000)
    with pytest.raises(Exhausted) as exhausted:
        game.start().preferred(0)
    assert exhausted.value.code == "RL8009"


def test_records_of_other_advice_replay() -> None:
    """Advice changes no game: the hash of the closed program in a record's header stays."""
    ruleset = rulelang.load("pig")
    bare = attrs.evolve(ruleset.program, preferences=())
    with_advice = ruleset.configure().game.program
    assert content_hash(ruleset.engine.configure(bare, 2, {}).program) == content_hash(with_advice)
