"""Scenarios that ask for too much: an error in words, never a crash, never for long."""

import pytest
from pace import in_time
from playing import outcome, results, scenario

TOO_MUCH = {
    "too many pieces": ("heap[1] holds 99999999999 of ace", "", "game goes on"),
    "too many unseen pieces": ("stock holds 60000 of anything", "", "game goes on"),
    "a huge number": ("Ann's score is 1 * 9223372036854775807", "", "game goes on"),
    "a huge sum": ("", "", "9223372036854775807 + 9223372036854775807 is 3"),
    "a huge range": ("", "", "size of (1..9223372036854775807) is 3"),
    "a value of no such kind": ("Ann's aim is 3 - 9", "", "game goes on"),
    "an index of no such kind": ("", "", "heap[3 * 3] holds nothing"),
    "none where there must be somebody": ("active is nobody", "", "game goes on"),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_too_much_is_an_error(name: str) -> None:
    result = in_time(lambda: outcome(*TOO_MUCH[name]), 5)
    assert result.status == "error", result
    assert result.reason.startswith("line ")


def test_a_choice_that_cannot_be_reached_does_not_take_long() -> None:
    given = "reach take_turn where p is Ann and number is 7 and active is Ben"
    assert in_time(lambda: outcome(given, "", "game goes on"), 5).status == "error"


def test_many_scenarios_are_quick() -> None:
    text = "\n".join(
        scenario("Ann's hand holds ace", "Ann: draw", "game goes on").replace('"S"', f'"S{n}"') for n in range(60)
    )
    assert all(result.status == "passed" for result in in_time(lambda: results(text), 10))
