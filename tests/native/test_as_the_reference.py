"""What the reference interpreter is tested by holds for the native one, too: the same tests, on the other engine."""

import playing_rules
import pytest
import test_places_of_limits
import test_reference
import test_reference_limits
import test_resample
import test_windows

from rulelang.ir.verify import verify
from rulelang_native import Engine

MODULES = (test_places_of_limits, test_reference, test_reference_limits, test_resample, test_windows)
OTHERWISE = {
    "test_the_engine_knows_its_name": "its name is another",
    "test_large_and_negative_locals_are_saved": "it looks into the reference's state",
    "test_cost_and_depth_are_limited": "no verified program has rules that lead back to themselves",
    "test_a_seat_that_does_not_exist_is_not_asked": "no verified program asks for none of its moves",
    "test_nobody_asked_goes_on": "no verified program asks for none of its moves",
}
"""Tests of the reference alone, and why."""

for module in MODULES:
    for name, test in vars(module).items():
        if (name.startswith("test_") and callable(test) and name not in OTHERWISE) or name == "game":
            globals()[name] = test


@pytest.fixture(autouse=True)
def on_the_native_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine()
    for module in (playing_rules, test_reference, test_reference_limits):
        monkeypatch.setattr(module, "engine", engine)


def test_what_is_left_out_is_there() -> None:
    names = {name for module in MODULES for name in vars(module)}
    assert set(OTHERWISE) <= names
    program = test_reference.endless(test_reference.n.Call(0, (), 0, test_reference.AT))
    assert [each.message for each in verify(program)] == ["rules lead back to themselves: 'overview' to 'overview'"]


def test_large_and_negative_locals_are_saved_natively() -> None:
    from test_reference_limits import c, fx, start, table, v

    values = (-(2**63), (2**63 - 1, -1), ((1,), ()))
    state = start(table(*(fx.SetLocal(v(place), c(value)) for place, value in enumerate(values))))
    assert state.frames[0][2] == values
    assert state.game.from_bytes(state.to_bytes()).frames == state.frames
