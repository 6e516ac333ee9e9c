"""The measure of other tests: slow work is noticed, a slow machine is not blamed on it."""

import time

import pace
import pytest


def busy(seconds: float) -> None:
    """Use up CPU seconds."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_quick_work_is_done_once_and_gives_what_it_comes_to() -> None:
    done: list[int] = []
    assert pace.in_time(lambda: done.append(1) or len(done), 5) == 1
    assert done == [1]


def test_slow_work_is_noticed_and_named() -> None:
    slow = pace.USUAL * 100
    with pytest.raises(AssertionError, match="a long text"):
        pace.in_time(lambda: busy(slow / 10), slow / 1_000, "a long text")


def test_work_that_was_slow_once_may_be_done_again() -> None:
    done: list[int] = []

    def work() -> int:
        done.append(1)
        busy(0.2 if len(done) == 1 else 0)
        return len(done)

    assert pace.in_time(work, 0.1) == 2


def test_a_slow_machine_is_not_blamed_on_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "yardstick", lambda: 10 * pace.USUAL)
    pace.in_time(lambda: busy(0.2), 0.1)


def test_a_fast_machine_makes_no_limit_narrower(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    monkeypatch.setattr(pace, "yardstick", lambda: pace.USUAL / 10)
    pace.in_time(lambda: (done.append(1), busy(0.3 if len(done) == 1 else 0.05)), 0.2)
    assert len(done) == 2


def test_failures_of_the_work_are_its_own() -> None:
    with pytest.raises(ZeroDivisionError):
        pace.in_time(lambda: 1 // 0, 1)
