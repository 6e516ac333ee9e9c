"""``why-not`` and ``explain``: reasons against moves, and where values come from."""

import json
from pathlib import Path

import pytest
from command_line import Run, conforms

RECORD = "game.record.jsonl"


def played(run: Run, game: str = "tic-tac-toe", more: str = "") -> None:
    result = run(f"play {game} --seats random,random --seed 7 --record {RECORD} {more}")
    assert result.exit_code == 0, result.output


def why_not(run: Run, *words: str) -> list[str]:
    result = run(["why-not", *words])
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


# ------------------------------------------------------------------ why-not


def test_every_reason_is_told_in_order_with_words_witnesses_and_line(run: Run) -> None:
    played(run)
    told = why_not(run, f"{RECORD}:2", "place(c1)", "--seat", "2")
    assert told[0] == "Tic-tac-toe, after 2 events, seat 2: place(c1)"
    assert told[1] == "RL8002: It is not seat 2's turn."
    assert told[2].startswith("  see ") and told[2].endswith("tic-tac-toe.rules, line 9")
    assert told[3] == "free: c1 is already marked"
    assert told[4] == "  square: c1"
    assert told[5].endswith("tic-tac-toe.rules, line 14")


def test_a_possible_move_is_possible(run: Run) -> None:
    played(run)
    assert why_not(run, f"{RECORD}:2", "place(b2)") == [
        "Tic-tac-toe, after 2 events, seat 1: place(b2)",
        "It is possible.",
    ]


def test_the_end_of_a_record_is_its_last_step(run: Run) -> None:
    played(run)
    assert why_not(run, RECORD, "place(c3)")[1] == "RL8001: The game is over."
    assert why_not(run, f"{RECORD}:0", "place(c3)")[0] == "Tic-tac-toe, at the start, seat 1: place(c3)"


def test_without_a_record_it_is_the_start_of_the_game(run: Run) -> None:
    told = why_not(run, "liars-dice", "call_liar", "--seed", "7")
    assert told[1] == "after_a_bid: nobody has bid yet"
    bid = why_not(run, "liars-dice", "bid(1, 1)", "--seed", "7", "--option", "dice=1")
    assert bid[1] == "It is possible."
    told = run(["why-not", "liars-dice", "call_liar"])
    assert "seed: " in told.stderr


def test_why_not_as_json(run: Run) -> None:
    played(run)
    result = run(["why-not", f"{RECORD}:2", "place(c1)", "--seat", "2", "--format", "json"])
    data = json.loads(result.stdout)
    conforms(data, "why-not")
    assert [reason["code"] for reason in data["reasons"]] == ["not_your_turn", "free"]
    assert (data["seat"], data["step"], data["possible"], data["record"]) == (2, 2, False, RECORD)
    assert data["reasons"][1]["witnesses"] == [{"name": "square", "value": "c1"}]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nowhere.record.jsonl:2", "place(a1)"], 1, "RL1001"),
        (["nowhere", "place(a1)"], 1, "RL1010"),
        ([f"{RECORD}:99", "place(a1)"], 2, "there is no step 99"),
        ([f"{RECORD}:1", "plase(a1)"], 1, "Did you mean 'place'?"),
        ([f"{RECORD}:1", "place(z9)"], 1, "a cell of 'Square'"),
        ([f"{RECORD}:1", "place(a1)", "--seat", "3"], 2, "There is no seat 3"),
        ([f"{RECORD}:1", "place(a1)", "--seed", "3"], 2, "in the record already"),
        (["tic-tac-toe", "place(a1)", "--rules", "pig"], 2, "no record"),
        (["tic-tac-toe", "place(a1)", "--seats", "3"], 1, "RL7004"),
    ],
)
def test_questions_that_cannot_be_answered(run: Run, words: list[str], code: int, said: str) -> None:
    played(run)
    result = run(["why-not", *words])
    assert result.exit_code == code
    assert said in " ".join(result.output.split())


def test_damaged_records_are_diagnosed(run: Run) -> None:
    played(run)
    text = Path(RECORD).read_text(encoding="utf-8").replace('"program": "', '"program": "0')
    Path(RECORD).write_text(text, encoding="utf-8")
    assert "RL9021" in run(["why-not", f"{RECORD}:1", "place(a1)"]).stderr
