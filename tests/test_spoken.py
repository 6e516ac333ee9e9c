"""Moves that carry words: a list as one answer, numbered, tried and refused, never listed. Spec 12.4."""

from typing import Any

import attrs
import pytest
from hand_programs import AT, Graph, c, marker, move, numbers, program, slot, v
from timed_programs import CALL, DRAW, HEARD, HINT, KNOWN, SAID, WORD, at_cell, party

from rulelang.failures import Exhausted
from rulelang.ir import effects as fx
from rulelang.ir import expressions as ir
from rulelang.ir import nodes as n
from rulelang.ir import program as pg
from rulelang.ir.cost import Costs
from rulelang.ir.printer import to_text
from rulelang.ir.types import SaidType, SeatType
from rulelang.ir.verify import verify
from rulelang.play import kinds
from rulelang.play.agents import AdvisedAgent, RandomAgent, Situation
from rulelang.play.engine import Draw
from rulelang.play.event import Answer, Pass, Play, Sealed
from rulelang.play.explaining.kinds_of import Kinds
from rulelang.play.match import Match
from rulelang.play.words import describe_kind, move_text, read_move, read_value, speak
from rulelang_reference import engine

BLUE, BIG, OLD = range(3)
MOST = 1 + 3 + 9  # the rank behind the last list of two of three words, and 1


def game() -> Any:
    return engine.configure(party(), 2, {})


def codes(state: Any, answer: Answer) -> list[str]:
    return [reason.code for reason in state.refusals(answer)]


def test_lists_are_numbered_shorter_ones_first() -> None:
    declared = game().program
    lists = [kinds.said(declared, SAID, rank) for rank in range(kinds.size(declared, SAID))]
    assert lists == [(0,), (1,), (2,), *((a, b) for a in range(3) for b in range(3))]
    assert [kinds.rank_of_said(declared, SAID, said) for said in lists] == list(range(12))
    seats = SaidType(SeatType(), c(3))
    assert kinds.size(declared, seats) == 2 + 4 + 8 and kinds.said(declared, seats, 13) == (1, 1, 1)


def test_every_answer_has_its_number() -> None:
    made = game()
    for rank in range(12):
        answer = Play(1, HINT, (rank,))
        assert made.answer(1, made.number(answer)) == answer


def test_what_is_said_is_written_in_brackets_and_read_again() -> None:
    declared = game().program
    for rank in range(12):
        text = move_text(declared, Play(0, HINT, (rank,)))
        assert read_move(declared, 0, text) == Play(0, HINT, (rank,))
    assert move_text(declared, Play(0, HINT, (4,))) == "hint([blue, big])"
    assert read_move(declared, 0, "Hint([ Blue,big ])") == Play(0, HINT, (4,))
    assert speak(declared, SAID, 99) == "99"
    for wrong in ("blue", "[]", "[blue, big, old]", "[blue, red]", "[blue"):
        assert read_value(declared, SAID, wrong) is None
    assert describe_kind(declared, SAID) == "1 to 2 in square brackets, such as [blue]"


def test_it_is_not_listed_but_tried_and_refused_with_its_reason() -> None:
    state = game().start()
    assert {answer.move for answer in state.moves(0) if isinstance(answer, Play)} == {DRAW, CALL}
    assert HINT in state.waiting.moves
    assert codes(state, Play(0, HINT, (3,))) == ["once"]  # blue, blue
    assert codes(state, Play(0, HINT, (4,))) == []
    assert codes(state, Play(0, HINT, (OLD,))) == ["said_not_there"]
    assert codes(state, Play(0, HINT, (5,))) == ["said_not_there"]  # blue, old
    assert codes(state, Play(0, HINT, (12,))) == codes(state, Play(0, HINT, (-1,))) == ["no_such_value"]
    assert state.refusals(Play(0, HINT, (5,)))[0].words == "[blue, old] is not in what is known."


def test_effects_read_a_list_and_everybody_hears_it() -> None:
    state = game().start().step(Play(0, HINT, (4,)))
    assert at_cell(state, HEARD) == 2
    for seat in (0, 1, None):
        assert state.observed(seat)[-1].arguments == (4,)


# ------------------------------------------------------------------ choices that offer only such moves


def talking(asked: Any, moves: tuple[int, ...] = (0,), **rest: Any) -> Any:
    """Somebody says one of three words, or does nothing (``wait``), and the game is over."""
    graph = Graph()
    graph.decide(asked, moves)
    graph.end(n.Aborted())
    graph.procedure("overview", 0, 1, 0)
    entry = graph.here
    graph.do(fx.SetMarker(slot(0), ir.Size(v(1))))
    graph.ret()
    graph.procedure("say", 2, 2, entry)
    entry = graph.here
    graph.ret()
    graph.procedure("wait", 1, 1, entry)
    said = pg.Parameter("said", SAID, ir.AllOf(WORD), "Word", (), ())
    given = program(graph, [marker("length", numbers(0, 9), 0)], [move("say", 1, [said]), move("wait", 2)], **rest)
    assert verify(given) == ()
    return engine.configure(given, 2, {})


def test_there_is_always_something_to_say() -> None:
    state = talking(n.OneSeat(c(0), True, False), forced_choices=True).start()
    assert state.waiting.seats == (0,) and state.moves(0) == (Pass(0),)
    assert state.step(Play(0, 0, (7,))).waiting.kind == "over"
    both = talking(n.OneSeat(c(0), False, False), (0, 1), forced_choices=True).start()
    assert both.waiting.kind == "seat" and both.moves(0) == (Play(0, 1),)
    sealed = talking(n.SealedSeats(ir.AllOf(SeatType()), False), forced_choices=True).start()
    assert sealed.waiting.seats == (0, 1)


@pytest.mark.parametrize("agent", [RandomAgent(), AdvisedAgent()])
def test_automatic_players_do_not_speak(agent: Any) -> None:
    with pytest.raises(Exhausted) as failure:
        Match(talking(n.OneSeat(c(0), False, False)), 1).play([agent] * 2)
    assert failure.value.code == "RL8022"


class Talker:
    """Says the same thing whatever happens."""

    name = "talker"
    speaks = True

    def choose(self, situation: Situation, draw: Draw) -> Answer:
        return Play(situation.seat, 0, (draw.below(1) + 5,))


def test_players_with_a_model_of_their_own_do() -> None:
    match = Match(talking(n.OneSeat(c(0), False, False)), 1)
    assert match.play([Talker()] * 2) is not None
    assert match.events == (Play(0, 0, (5,)),)
    sealed = Match(talking(n.SealedSeats(ir.AllOf(SeatType()), False)), 1)
    sealed.play([Talker()] * 2)
    assert sealed.events == (Sealed((Play(0, 0, (5,)), Play(1, 0, (5,)))),)


# ------------------------------------------------------------------ how much there may be


@pytest.mark.parametrize(
    ("length", "number"), [(0, "RL6003"), (65, "RL6004"), (64, "RL6007"), (39, "RL6007"), (38, ""), (1, "")]
)
def test_how_much_can_be_said(length: int, number: str) -> None:
    most = pg.Option("most", numbers(0, 99), 2, None, None, AT)
    hint = party().moves[HINT]
    said = attrs.evolve(hint.parameters[0], type=SaidType(WORD, ir.OptionValue(0)))
    moves = tuple(attrs.evolve(hint, parameters=(said,)) if each == hint else each for each in party().moves)
    opened = attrs.evolve(party(), options=(most,), moves=moves)
    assert verify(opened) == ()
    if not number:
        kind = engine.configure(opened, 2, {"most": length}).program.moves[HINT].parameters[0].type
        assert kind == SaidType(WORD, c(length))
        return
    with pytest.raises(Exhausted) as failure:
        engine.configure(opened, 2, {"most": length})
    assert failure.value.code == number


def said_by_verify(changed: pg.Program) -> str:
    return "; ".join(str(finding) for finding in verify(changed))


def test_only_a_move_asks_for_what_is_said() -> None:
    slots = (*party().slots[:-1], attrs.evolve(party().slots[-1], type=SAID))  # type: ignore[call-arg]
    assert "only a move may ask for what is said" in said_by_verify(attrs.evolve(party(), slots=slots))


@pytest.mark.parametrize(("most", "low"), [(c(0), 1), (c(65), 1)])
def test_how_much_is_sound(most: ir.Constant, low: int) -> None:
    hint = party().moves[HINT]
    wrong = attrs.evolve(hint, parameters=(attrs.evolve(hint.parameters[0], type=SaidType(WORD, most)),))
    moves = tuple(wrong if number == HINT else each for number, each in enumerate(party().moves))
    assert f"this is no number from {low} to 64" in said_by_verify(attrs.evolve(party(), moves=moves))


def test_what_is_said_is_said_of_the_domain() -> None:
    hint = party().moves[HINT]
    wrong = attrs.evolve(hint, parameters=(attrs.evolve(hint.parameters[0], domain=c(1)),))
    moves = tuple(wrong if number == HINT else each for number, each in enumerate(party().moves))
    assert "is needed" in said_by_verify(attrs.evolve(party(), moves=moves))
    assert said_by_verify(party()) == "" and hint.parameters[0].domain == KNOWN


# ------------------------------------------------------------------ cost, listings, kinds of locals


def test_as_much_as_can_be_said_is_counted() -> None:
    closed = game().program
    x = v(5, "x")
    formula = ir.Number(x, v(1), ir.Equal(x, c(1)))
    measures = Costs(closed).measures
    from rulelang.ir.measure import Scope

    for frame in (("move", HINT), ("procedure", closed.moves[HINT].procedure)):
        assert measures.formula(formula, Scope(frame)).cost == 1 + 1 + 2 * 3  # type: ignore[arg-type]


def test_it_is_spoken_of() -> None:
    text = to_text(party())
    assert "1 to 2 of Word, said" in text
    assert "any of seats" in text and "let who%0 = who" in text
    nodes = tuple(attrs.evolve(node, answered=None) if isinstance(node, n.Decide) else node for node in party().nodes)
    assert "may freely draw or lay" in to_text(attrs.evolve(party(), nodes=nodes))


def test_the_kinds_of_locals_are_known() -> None:
    closed = game().program
    found = Kinds(closed).procedures[closed.moves[HINT].procedure][1]
    assert found is not None and getattr(found, "shape", None) == "list" and getattr(found, "of", None) == WORD
