"""Chance that can give very much is gone through in a time that grows as it does, and told of while it lasts."""

from typing import Any

import pytest
from copies import look

from rulelang.pipeline import compile_text, engine_named, load
from rulelang.rulebook.verify import looking
from rulelang.rulebook.verify.report import Task, verify
from rulelang.rulebook.verify.wide import Wide, outcomes

ROLL = """\
game "Roll":
  players: 1

marker n: 0..4000

overview:
  roll n
  end game, each p in players gets n
"""


@pytest.mark.parametrize("game", ["kuhn-poker", "leduc-poker", "pig", "hanabi"])
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_outcomes_are_those_of_chance(game: str, engine: str) -> None:
    state = load(game, engine).configure(2).start()
    for _ in range(20):
        if state.outcome is not None:
            break
        if state.waiting.kind == "chance":
            assert outcomes(state) == tuple(value for value, _ in state.chance())
        state = state.step(next(iter(looking.children(state))))


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize(("game", "states"), [("kuhn-poker", 1000), ("leduc-poker", 400), ("pig", 300), ("snap", 60)])
def test_laying_outcomes_out_finds_what_looking_them_up_does(
    game: str, states: int, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = look(game, states=states, engine=engine)
    laid: list[int] = []
    after = Wide.after
    monkeypatch.setattr(Wide, "after", lambda self, value: (laid.append(value), after(self, value))[1])
    monkeypatch.setattr(looking, "MANY", 0)
    then = look(game, states=states, engine=engine)
    assert bool(laid) == (game == "pig"), "cards that are turned up are drawn from their pool"
    for name in ("counts", "whole", "all_tried", "attempts", "findings", "unused"):
        assert getattr(before, name) == getattr(then, name), name


def test_a_limit_behind_an_outcome_is_found() -> None:
    text = ROLL.replace("  end game", "  n rises by 1\n  end game")
    (found,) = look(text).findings
    assert (found.kind, found.code, found.positions) == ("given_up", "RL8007", 1)


def test_nothing_is_looked_up_among_very_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is chance listed with its weights, nor is one outcome looked for among all: both take as long as all."""
    program = compile_text(ROLL).program
    state_of = type(engine_named("native").configure(program, 1, {}).start())

    def refuse(*_: Any) -> Any:
        raise AssertionError("that takes as long for each as there are outcomes")

    monkeypatch.setattr(state_of, "chance", refuse)
    monkeypatch.setattr(state_of, "step", refuse)
    assert look(program).counts.ended == 4001


@pytest.mark.parametrize("games", [None, 3])
def test_it_is_told_of_every_event(games: int | None) -> None:
    told: list[tuple[int, int]] = []
    task = Task(1, {}, 24, games=games)
    verify(compile_text(ROLL).program, engine_named("native"), task, None, lambda *each: told.append(each))
    assert len(told) >= (4001 if games is None else 3)
    assert told == sorted(told)


def test_whoever_watches_may_stop_it() -> None:
    def enough(count: int, events: int) -> None:
        if events == 10:
            raise KeyboardInterrupt

    report = verify(compile_text(ROLL).program, engine_named("native"), Task(1, {}, 24), None, enough)
    assert report.stopped and report.counts.events == 10
