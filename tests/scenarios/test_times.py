"""Scenarios of games in time: lines with times, timers that are given, and what is told of both."""

# ruff: noqa: E501  # tables read better in whole lines

import pytest
from playing import CARDS, mistakes, outcome, scenario

TIME = """rules cards:
  game "In time":
    players: 2

  values Card: 1..3
  values Word: red, blue, old
  zone deck: pile of Card, seen by nobody, starts with each Card times 3
  zone heap: pile of Card
  timer glass: 3 seconds
  timer long_glass: 10 seconds
  marker taps for each player: 0..99
  marker heard: 0..99
  marker secret for each player: yes or no

  move tap:
    require not_on_one: heap is empty or top of heap > 1 because "{me} may not tap on a one"
    my taps rises by 1
  move hold: pause glass
  move say(said in lists(2, Word)): heard rises by size of said
  move choose: my secret becomes yes

  overview:
    shuffle deck
    start long_glass
    repeat until deck is empty:
      one_card
      if size of heap is 2: players must secretly choose
    end game, nobody wins

  rule one_card:
    put top from deck onto heap
    start glass
    players may freely tap or hold or say until glass is empty or heard > 8

"""


def passes(given: str = "", when: str = "", then: str = "game goes on") -> None:
    result = outcome(given, when, then, TIME)
    assert (result.status, result.complaints, result.reason) == ("passed", (), "")


def complaint(given: str, when: str, then: str = "game goes on") -> tuple[str, str, str]:
    result = outcome(given, when, then, TIME)
    assert result.status == "failed", result.reason
    first = result.complaints[0]
    return first.said, first.expected, first.found


def reason(given: str) -> str:
    result = outcome(given, "", "game goes on", TIME)
    assert result.status == "error"
    return result.reason.partition(": ")[2]


# ------------------------------------------------------------------ lines with times


def test_times_have_up_to_three_decimals() -> None:
    passes("", "chance gives 2; at 1 Ann: tap", "left of glass is 2000")
    passes("", "chance gives 2; at 1.2 Ann: tap", "left of glass is 1800")
    passes("", "chance gives 2; at 1.02: nothing", "left of glass is 1980")
    passes("", "chance gives 2; at 1.002: nothing", "left of glass is 1998")


def test_a_line_without_a_time_happens_at_the_time_of_the_last_one() -> None:
    passes("", "chance gives 2; at 1.5 Ann: tap; Ben: tap", "left of glass is 1500; Ben's taps is 1")


def test_an_act_at_the_moment_of_expiry_is_too_late() -> None:
    passes(
        "",
        "chance gives 2; at 2.999 Ann: tap; at 3: nothing; chance gives 3; Ben: tap",
        "Ben's taps is 1; Ann's taps is 1; size of heap is 2; left of glass is 3000",
    )


def test_chance_decides_before_time_goes_on() -> None:
    passes("", "at 1: nothing", "size of heap is 1; left of glass is 2000")
    passes(
        "", "chance gives 2; at 3: nothing; chance gives 3; at 3.001: nothing", "heap holds 2, 3; left of glass is 2999"
    )


def test_of_two_timers_of_one_moment_the_first_runs_out_and_chance_decides_before_the_second() -> None:
    given = "left of glass is 700; left of long_glass is 700; reach tap"
    passes(given, "at 0.700: nothing", "long_glass is empty; size of heap is 2; left of glass is 3000")


def test_a_refused_act_leaves_the_reading() -> None:
    passes("", "chance gives 1; at 1 Ann: tap  refused not_on_one", "left of glass is 2000")
    passes("", "chance gives 1; at 1 Ann: hold  legal", "left of glass is 2000; glass is running")


def test_a_time_that_goes_back_is_refused() -> None:
    back = "chance gives 2; at 2 Ann: tap; at 1.999 Ben: tap  refused"
    passes("", back)
    passes("", f"{back} time_goes_back", "Ben's taps is 0; left of glass is 1000")
    said = complaint("", f"{back} not_on_one")
    assert said == ("at 1.999", "refused not_on_one", "refused time_goes_back (It is 2000 ms already, not 1999 ms.)")


@pytest.mark.parametrize("line", ["at 1.999 Ben: tap", "at 1.999 Ben: tap  legal", "at 1.999: nothing"])
def test_a_time_that_goes_back_without_a_word_ends_the_scenario(line: str) -> None:
    said = complaint("", f"chance gives 2; at 2 Ann: tap; {line}; Ben: tap")
    assert said == ("at 1.999", "it is so late", "refused: time_goes_back (It is 2000 ms already, not 1999 ms.)")


def test_a_time_that_no_game_has_is_refused_and_nothing_happens() -> None:
    late = "chance gives 2; at 1 Ann: tap; at 1000000000.001 Ben: tap  refused no_such_time"
    passes("", late, "Ann's taps is 1; Ben's taps is 0; left of glass is 2000")
    said = complaint("", "chance gives 2; at 1000000000.001 Ben: tap  refused not_on_one")[2]
    assert said == "refused no_such_time (1000000000001 ms is no time of a game; the last is 1000000000000 ms.)"


def test_after_the_end_there_are_no_times() -> None:
    over = "deck holds nothing; heap holds anything, 2; left of glass is 5; reach tap"
    passes(
        over,
        "at 0.004 Ann: tap; at 0.005 Ben: tap  refused game_over; at 0.006 Ben: tap  refused game_over",
        "game over",
    )
    said = complaint(over, "at 0.005: nothing; at 0.006: nothing")
    assert said == ("at 0.006", "it is so late", "refused: game_over (The game is over.)")


def test_a_sealed_answer_stays_while_time_goes_on() -> None:
    before = "chance gives 2; at 3: nothing; chance gives 2; at 6: nothing; Ann: choose; at 10.5: nothing"
    passes("", before, "to move: Ben; long_glass is empty")
    passes("", f"{before}; at 11 Ben: choose  giving 3", "heap holds 2, 2, 3; left of glass is 3000")


def test_what_happened_is_told_with_times() -> None:
    when = (
        "chance gives 2; at 0.5 Ann: tap; at 1: nothing; at 3: nothing; chance gives 3; at 6.25: nothing; Ann: choose"
    )
    result = outcome("", when, "game over", TIME)
    assert result.events == (
        "chance gives 2",
        "0:00.5 Ann: tap",
        "0:03.0 the glass is empty",
        "chance gives 3",
        "0:06.0 the glass is empty",
        "0:06.2 Ann: choose (sealed)",
    )


def test_reaching_open_play_from_where_time_has_not_begun() -> None:
    passes("reach one_card", "", "left of glass is 3000; to move: Ann, Ben")
    passes("glass is running; reach say", "at 2.999 Ben: hold  legal", "to move: Ann, Ben")


# ------------------------------------------------------------------ timers that are given


def test_how_timers_stand() -> None:
    passes("glass is full; reach one_card", "", "left of glass is 3000")
    passes("long_glass is full", "", "long_glass is full; left of long_glass is 10000; glass is running")
    passes("long_glass is running; left of long_glass is 7", "at 0.007: nothing", "long_glass is empty")
    passes(
        "long_glass is paused; left of long_glass is 7",
        "at 1: nothing",
        "long_glass is paused; left of long_glass is 7",
    )
    passes("long_glass is empty; left of long_glass is 0", "at 1: nothing", "long_glass is empty")


def test_only_what_is_left_is_given() -> None:
    passes("left of long_glass is 7", "", "long_glass is running")
    given = "each p in players: p's taps is 1".replace(": p's", ":\n      p's")
    passes(f"{given}; left of long_glass is 10000", "", "long_glass is running; Ann's taps is 1")


def test_of_two_lines_the_later_one_counts() -> None:
    passes(
        "long_glass is empty; long_glass is running; left of long_glass is 5; left of long_glass is 6",
        "",
        "left of long_glass is 6",
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("glass is paused", "'glass' is paused: say what is left, such as 'left of glass is 1500'"),
        (
            "glass is paused; left of glass is 3000",
            "'glass' is paused and has 3000 ms left: that is not possible, it is 1 to 2999",
        ),
        ("glass is full; left of glass is 5", "'glass' is full and has 5 ms left: that is not possible, it is 3000"),
        ("glass is empty; left of glass is 5", "'glass' is empty and has 5 ms left: that is not possible, it is 0"),
        (
            "glass is running; left of glass is 0",
            "'glass' is running and has 0 ms left: that is not possible, it is 1 to 3000",
        ),
        ("left of glass is 3001", "'glass' has 3001 ms left: that is not possible, it is 1 to 3000"),
    ],
)
def test_what_does_not_go_together_is_an_error(given: str, said: str) -> None:
    assert reason(given) == said


# ------------------------------------------------------------------ what is said


def test_spoken_moves() -> None:
    passes("", "chance gives 2; Ann: say([red, blue]); Ben: say([old])", "heard is 3; Ben saw Ann: say([red, blue])")
    passes("", "chance gives 2; Ann: say([red, blue, old])  refused; Ann: say([])  refused", "heard is 0")


# ------------------------------------------------------------------ mistakes


@pytest.mark.parametrize(
    ("given", "when", "said"),
    [
        (
            "",
            "at 1.0005 Ann: tap",
            [
                "5 RL3513 '1.0005' is no time of a game; times are seconds up to 1000000000, with three decimals at most."
            ],
        ),
        (
            "",
            "at 1000000001: nothing",
            [
                "5 RL3513 '1000000001' is no time of a game; times are seconds up to 1000000000, with three decimals at most."
            ],
        ),
        ("", "at 1 Ann: tap  refused so_late", ["5 RL3502 Nothing in this game is ever refused as 'so_late'."]),
        ("glass is 5", "", ["4 RL4001 This is a number; the state of a timer is needed here."]),
        ("glass is red", "", ["4 RL4001 This is one of 'Word'; the state of a timer is needed here."]),
        ("left of glass is red", "", ["4 RL4001 This is one of 'Word'; a number is needed here."]),
        (
            "size of heap is 3",
            "",
            ["4 RL3506 This is 'size of' something; only what a zone holds or a marker says can be given."],
        ),
        ("left of heap is 3", "", ["4 RL3007 A list of numbers (Card) has nothing called 'left'."]),
        ("left of sand is 3", "", ["4 RL3001 Nothing here is called 'sand'. -> did you mean 'around'?"]),
        (
            "glass holds 3",
            "",
            [
                "4 RL3506 This is a timer, which holds nothing; only what a zone holds or a marker says can be given. -> write 'is' for how a timer stands"
            ],
        ),
    ],
)
def test_mistakes(given: str, when: str, said: list[str]) -> None:
    assert mistakes(scenario(given, when, "game goes on"), TIME) == said


def test_times_need_a_timer() -> None:
    assert mistakes(scenario("", "at 1 Ann: draw", "game goes on"), CARDS) == [
        "5 RL3015 This game does not say how long anything lasts. -> leave the time out, or declare a timer"
    ]
