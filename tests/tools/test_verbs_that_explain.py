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


NAMED = """game "Named":
  players: 2

option rows: 1..5 = 3
require few_rows: rows < 5 because "five rows are too many"

move go
move come

overview:
  seat(1) must go because wrong_phase: "seat 1 goes first"
  seat(2) must come
  end game, nobody wins
"""


def test_what_the_rules_have_a_name_for_is_called_by_it(run: Run) -> None:
    """A choice names its refusal (9.5), a demand itself; whoever reads 'RL8003' would have to look it up."""
    Path("named.rules").write_text(NAMED, encoding="utf-8")
    assert why_not(run, "named.rules", "come", "--seed", "1")[1] == "wrong_phase: seat 1 goes first"
    assert why_not(run, "named.rules", "go", "--seat", "2", "--seed", "1")[1] == "wrong_phase: seat 1 goes first"
    reason = json.loads(run("why-not named.rules come --seed 1 --format json").stdout)["reasons"][0]
    assert (reason["code"], reason["number"]) == ("wrong_phase", "RL8003")
    refused = run("sim named.rules --games 1 --option rows=5")
    assert refused.stderr.splitlines()[-1] == "few_rows: five rows are too many"


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


# ------------------------------------------------------------------ explain

SETS = """game "Sets":
  players: 2

values Card: ace, two, three
zone stock: pile of Card, seen by nobody, starts with each Card times 6
zone hand for each player: bag of Card, seen by owner
marker points for each player: 0..99  @S-3
marker bonus for each player: 0..9 or none

overview:
  shuffle stock
  each p in players: put top(4) from stock into p's hand
  each p in players: p must lay
  each p in players:
    p's points rises by 2
    p's points rises by worth(p)  @S-2
    p's bonus becomes 3 if p is seat(1) otherwise none
  if some p in players where big(p's points): end game, each p in players gets total(p)  @S-1
  end game, nobody wins

move lay(card in my hand): put card from my hand onto stock

define equal(set: bag of Card) = size of kinds of set is 1
define best(cards: bag of Card) = best_partition(size of set for each set in bags(2..3, cards) where equal(set))
define worth(p: player) = value of best(p's hand)  @S-2
define total(p: player):
  p's points when p's bonus is none
  p's points + p's bonus otherwise
define big(n: number) = n > 0
"""


def explained(run: Run, *words: str) -> str:
    result = run(["explain", *words])
    assert result.exit_code == 0, result.output
    return str(result.stdout)


def sets(run: Run) -> None:
    Path("sets").mkdir()
    Path("sets/sets.rules").write_text(SETS, encoding="utf-8")
    played(run, "./sets")


def test_a_result_is_a_tree_down_to_sets_and_what_wrote_markers(run: Run) -> None:
    sets(run)
    told = explained(run, RECORD)
    for said in (
        "when some p in every player where big(p's points): yes [S-1]  (sets/sets.rules, line 18)",
        "chosen: seat 1: yes",
        "seat 1: ",
        "total(seat 1): ",
        "when p's bonus is none: no",
        "rises in event ",
        "worth(seat 1): ",
        "(sets/sets.rules, line 25)",
        "group 2 x ",
        "left over: ",
    ):
        assert said in told, said
    assert "when p's bonus is none: yes" in told  # of seat 2


def test_words_and_markers_are_explained_at_any_step(run: Run) -> None:
    sets(run)
    assert "points of seat 1: 0 [S-3]" in explained(run, f"{RECORD}:9", "seat 1's points")
    assert "points of seat 2: 0 [S-3]" in explained(run, f"{RECORD}:9", "points of seat 2")
    told = explained(run, f"{RECORD}:9", "best([2 of ace, three])")
    assert "group 2 x ace: 2" in told and "left over: three" in told
    own = explained(run, f"{RECORD}:9", "best(seat 1's hand)", "--seat", "1")
    assert own == explained(run, f"{RECORD}:9", "best(hand of seat 1)", "--omniscient")
    assert "big(7): yes" in explained(run, f"{RECORD}:9", "big(7)")


@pytest.mark.parametrize("what", ["best(seat 1's hand)", "worth(seat 1)", "worth(1)", "hand of seat 1", "stock"])
def test_what_a_seat_may_not_see_is_not_explained(run: Run, what: str) -> None:
    sets(run)
    for seat in (["--seat", "2"], []):
        result = run(["explain", f"{RECORD}:9", what, *seat])
        assert result.exit_code == 1
        assert result.stdout == ""
        assert "not_visible: " in result.stderr and "may not see" in result.stderr
    assert run(["explain", f"{RECORD}:9", what, "--omniscient"]).exit_code == 0


def test_how_many_lie_there_may_be_told_where_it_is_seen(run: Run) -> None:
    Path("sets").mkdir()
    Path("sets/sets.rules").write_text(SETS + "define left = size of stock\n", encoding="utf-8")
    played(run, "./sets")
    told = explained(run, f"{RECORD}:9", "left")
    assert "left: 11" in told and "stock: 11 unseen" in told


def test_explanations_as_json(run: Run) -> None:
    sets(run)
    for words in ([RECORD], [f"{RECORD}:9", "total(seat 2)"], [RECORD, "points of seat 1"]):
        data = json.loads(explained(run, *words, "--format", "json"))
        conforms(data, "explain")
    tree = data["trees"][0]
    assert (tree["name"], tree["clauses"], tree["line"]) == ("points", ["S-3"], 7)
    assert [part["role"] for part in tree["parts"]] == ["set", "set"]


@pytest.mark.parametrize(
    "game", ["tic-tac-toe", "leduc-poker", "goofspiel", "pig", "liars-dice", "dots-and-boxes", "connect-four"]
)
def test_the_result_of_every_classic_is_explained(run: Run, game: str) -> None:
    played(run, game)
    data = json.loads(explained(run, RECORD, "--format", "json"))
    conforms(data, "explain")
    assert data["trees"] and data["everything"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["tic-tac-toe"], 2, "Say which record"),
        ([f"{RECORD}:9"], 2, "not over here"),
        ([RECORD, "totl(seat 1)"], 1, "Did you mean 'total'?"),
        ([RECORD, "total"], 1, "takes 1 value, but is given 0"),
        ([RECORD, "total(seat 7)"], 1, "no value for 'total'"),
        ([RECORD, "points"], 1, "needs 1 value"),
        ([RECORD, "best(nowhere)"], 1, "or where it lies"),
        ([RECORD, "best([king])"], 1, "one of 'Card'"),
        ([RECORD, "points(seat 9)"], 1, "a seat"),
        ([RECORD, "big(much)"], 1, "a whole number"),
    ],
)
def test_what_cannot_be_explained(run: Run, words: list[str], code: int, said: str) -> None:
    sets(run)
    result = run(["explain", *words])
    assert result.exit_code == code
    assert said in " ".join(result.output.split())


def test_an_explanation_has_an_end(run: Run) -> None:
    Path("long").mkdir()
    text = (
        SETS.replace(
            "each p in players: p must lay", "repeat 40 times:\n    each p in players: p's points rises by big_sum(p)"
        ).replace("0..99 ", "0..99999999 ")
        + "define big_sum(p: player) = sum(p's points + n for each n in 1..60)\n"
    )
    text = text.replace("rises by big_sum(p)", "becomes quotient(big_sum(p), 60)")
    Path("long/long.rules").write_text(text, encoding="utf-8")
    played(run, "./long")
    told = explained(run, RECORD, "points of seat 1")
    assert len(told.splitlines()) < 2000
    assert "more" in told
