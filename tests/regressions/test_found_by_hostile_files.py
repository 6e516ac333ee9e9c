"""What the hostile corpus and the fuzzers of R10 have found, each once, at the place where it was mended."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pace import in_time

from rulelang.failures import Diagnosed, Exhausted
from rulelang.pipeline import compile_file, compile_text, engine_named, load
from rulelang.play.agents import RandomAgent
from rulelang.play.playouts import playouts
from rulelang.play.record import RecordFault
from rulelang.play.record_reading import read_record
from rulelang.rulebook.clauses import read_reasons
from rulelang.scenarios.answering import answers
from rulelang.scenarios.check import check_file
from rulelang.scenarios.files import Library, read_play_file
from rulelang.scenarios.foreign import Foreign
from rulelang.scenarios.judging import judge
from rulelang.tools import play

ENGINES = ("reference", "native")
COVER = 'game "T":\n  players: 2\n\n'


def codes(text: str) -> list[tuple[str, int]]:
    with pytest.raises(Diagnosed) as caught:
        compile_text(text)
    return [(each.code.number, each.place.line if each.place else 0) for each in caught.value.diagnostics]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_saved_state_with_many_unseen_cards_is_read_in_time(engine: str) -> None:
    """Every card of a pile was held against all cards that can lie there."""
    text = f"{COVER}values Card: 1..20000\nzone stock: pile of Card, seen by nobody, starts with each Card\n"
    text += "move go\n\noverview:\n  shuffle stock\n  turns of p from seat(1): p must go\n"
    game = engine_named(engine).configure(compile_text(text).program, 2, {})
    data = game.start().to_bytes()
    assert in_time(lambda: game.from_bytes(data).to_bytes(), 1) == data


@pytest.mark.parametrize("engine", ENGINES)
def test_a_piece_beyond_its_kind_is_told_where_it_lies(engine: str) -> None:
    """It was offered, and refused when it was chosen; the interpreters did not agree."""
    text = f"{COVER}option n: 1..9 = 7\nzone hand: bag of 1..5, starts with each 3..n\nmove go\n"
    program = compile_text(f"{text}\noverview: seat(1) must go\n").program
    with pytest.raises(Exhausted, match="'6' is not one of the values of 'hand'") as caught:
        engine_named(engine).configure(program, 2, {}).start()
    assert (caught.value.code, caught.value.line) == ("RL4009", 5)
    assert engine_named(engine).configure(program, 2, {"n": 5}).start().position()


@pytest.mark.parametrize(("first", "told"), [("0..3", 0), ("1..5", None), ("3..6", 6), ("1..(2 + 5)", None)])
def test_first_contents_are_held_against_their_kind_as_far_as_they_are_written_out(
    first: str, told: int | None
) -> None:
    text = f"{COVER}zone hand: bag of 1..5, starts with each {first}\nmove go\n\noverview: seat(1) must go\n"
    if told is None:
        compile_text(text)
    else:
        assert codes(text) == [("RL4009", 4)]


def test_conditions_are_measured_written_out_and_told_once() -> None:
    """Gathered requirements could double in every line: the checker went through all of them."""
    conditions = "condition a0:\n  require x: m > 5\n"
    conditions += "".join(f"condition a{n}:\n  require a{n - 1}\n  require a{n - 1}\n" for n in range(1, 60))
    text = f"{COVER}marker m: 0..9\n{conditions}move go:\n  require a59\n\noverview: seat(1) must go\n"
    assert codes(text) == [("RL6004", 40)]


def test_conditions_may_stand_in_any_order() -> None:
    """Those that are gathered by others and stand behind them, twice and from two of them, are measured once."""
    conditions = "condition c:\n  require a\n  require b\ncondition d:\n  require b\ncondition b:\n  require a\n"
    conditions += "condition a:\n  require x: m > 5\n"
    text = f"{COVER}marker m: 0..9\n{conditions}move go:\n  require c\n  require d\n\noverview: seat(1) must go\n"
    assert len(compile_text(text).program.moves[0].requirements) >= 1


def test_a_condition_without_requirements_is_none_that_gathers() -> None:
    text = f"{COVER}marker m: 0..9\ncondition full: m > 5\ncondition all_of(n: 0..9):\n  require full\n"
    text += '  require x: n > 5 because "{n}"\nmove go:\n  require all_of(m + 1)\n\noverview: seat(1) must go\n'
    assert len(compile_text(text).program.moves[0].requirements) == 2


@pytest.mark.parametrize("seat", [0, -1, 18, 10**15, 1.0, True, "1", None])
@pytest.mark.parametrize("do", ["moves", "view"])
def test_a_seat_that_there_cannot_be_is_no_question(do: str, seat: Any) -> None:
    """A view of seat 10^15 took all memory."""
    if seat is None and do == "view":
        return
    compiled = load("tic-tac-toe")
    from rulelang.ir.codec import content_hash

    loading = {"ruleset": "tic-tac-toe", "program": content_hash(compiled.program), "seats": 2, "options": {}}
    asked = [{"id": 1, "do": "load", **loading}, {"id": 2, "do": "start"}, {"id": 3, "do": do, "seat": seat}]
    replies = [json.loads(line) for line in answers(map(json.dumps, asked), engine_named("reference"))]
    assert "ok" in replies[1] and "fault" in replies[2]


@pytest.mark.parametrize("line", ["[" * 5_000, '{"id": [], "do": "stop"}', '{"id": 1.5, "do": "stop"}', "NaN"])
def test_a_line_that_is_no_question_is_answered(line: str) -> None:
    [reply] = answers([line], engine_named("reference"))
    assert json.loads(reply) == {"id": None, "fault": "this is no question that can be answered now"}


class Strange(Foreign):
    """A sound engine, but for what it says of views."""

    def __init__(self) -> None:
        super().__init__(["none"], 1)
        self.told: list[str] = []
        self.replies = answers(iter(lambda: self.told[-1], ""), engine_named("reference"))

    def ask(self, do: str, **what: Any) -> dict[str, Any]:
        self.told.append(json.dumps({"id": 1, "do": do, **what}))
        reply: dict[str, Any] = json.loads(next(self.replies))
        return {"seen": [{"place": "mark", "member": [0], "part": "content", "value": 0}]} if do == "view" else reply


def test_a_view_of_what_cannot_be_fails_a_scenario() -> None:
    path = Path(__file__).parents[2] / "rulesets" / "classics" / "tic-tac-toe" / "plays"
    scenario = check_file(read_play_file(min(path.glob("*.play"))), Library())[0]
    assert judge(scenario, engine_named("reference"), Strange()).status == "failed"


def test_files_beside_the_rules_are_read_like_data(tmp_path: Path) -> None:
    (tmp_path / "trace.toml").write_text("[kinds]\na = " + "9" * 5_000)
    with pytest.raises(Diagnosed, match="RL2012"):
        read_reasons(tmp_path)


@pytest.mark.parametrize("name", ["a" * 129, "\u202ea", "\x1b[2J", " ", "\u200b"])
def test_a_file_whose_name_can_be_that_of_no_game(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.rules").write_text(f"{COVER}overview: end game, nobody wins\n")
    with pytest.raises(Diagnosed, match="RL1016"):
        compile_file(tmp_path / f"{name}.rules")


def test_a_long_name_of_another_game_is_cut(tmp_path: Path) -> None:
    header = {"rulelang_record": 1, "ruleset": "a" * 5_000, "program": "0", "seats": 2, "options": {}, "seed": 1}
    (tmp_path / "r").write_text(json.dumps({**header, "game": 0}) + "\n")
    with pytest.raises(RecordFault) as caught:
        read_record(tmp_path / "r", load("tic-tac-toe").configure().program)
    assert caught.value.code == "RL9021" and len(caught.value.message) < 400


def test_the_record_of_a_game_with_a_long_name_has_a_name_that_a_file_can_have() -> None:
    assert len(play._free_name("é" * 128, 1).encode()) < 200


@pytest.mark.parametrize(
    "choice", ["9..1", "s", "lists(2, 9..1)", "lists(2, s)", "(9..1) + (8..2)", "collect(x for each x in 9..1)"]
)
def test_a_choice_among_no_numbers_is_told(choice: str) -> None:
    """It became a program that does not verify."""
    text = f"{COVER}define s = 9..1\nmove go(n in {choice})\n\noverview: seat(1) must go\n"
    assert codes(text) == [("RL6003", 5)]


@pytest.mark.parametrize("owner", ["heap", "players", "others(seat(1))"])
def test_an_owner_before_brackets_is_a_player(owner: str) -> None:
    """What stood before 's was not looked at if brackets came behind it."""
    text = f"{COVER}zone heap for each 1..2: bag of 1..3\nmarker stars for each player and 1..3: 0..3\n"
    text += f"move go:\n  {owner}'s stars[2] becomes 1\n\noverview: seat(1) must go\n"
    assert codes(text) == [("RL4001", 7)]


def test_more_names_than_a_rule_remembers_are_told() -> None:
    lets = "".join(f"  let a{n} = {n}\n" for n in range(4_097))
    assert codes(f"{COVER}move go\n\noverview:\n{lets}  seat(1) must go\n") == [("RL6004", 6)]


def test_defines_that_double_are_reckoned_once() -> None:
    """How much work they would be was counted as often as they are applied."""
    doubling = "".join(f"define d{n} = d{n - 1} + d{n - 1}\n" for n in range(1, 60))
    text = f"{COVER}define d0 = [1, 2]\n{doubling}move go\n\noverview:\n  if size of d59 > 3: seat(1) must go\n"

    def begin() -> None:
        with pytest.raises(Exhausted):
            engine_named("reference").configure(compile_text(text + "  end game, nobody wins\n").program, 2, {}).start()

    in_time(begin, 3)


def test_conditions_in_a_long_row_are_told() -> None:
    """The checker went down into them until its stack was full."""
    row = "condition a0:\n  require x: m > 5\n" + "".join(
        f"condition a{n}:\n  require a{n - 1}\n" for n in range(1, 400)
    )
    text = f"{COVER}marker m: 0..9\n{row}move go:\n  require a399\n\noverview: seat(1) must go\n"
    assert codes(text) == [("RL6010", 327)]


@pytest.mark.parametrize(
    ("name", "told"), [('"\u202eA"', "RL2019"), ('"\\u202eA"', "RL7012"), ('"A\\r\\nB"', "RL7012")]
)
def test_signs_that_nobody_sees_are_told_in_data(tmp_path: Path, name: str, told: str) -> None:
    """Written as escapes they became a program that does not verify."""
    (tmp_path / "c.toml").write_text(f'[[card]]\nid = "a"\nname = {name}\n', encoding="utf-8")
    rules = 'game "T":\n  players: 2\n  data: "c.toml"\n\ntable Card from card:\n  name: text\nmove go\n\n'
    (tmp_path / "t.rules").write_text(f"{rules}overview: seat(1) must go\n")
    with pytest.raises(Diagnosed) as caught:
        compile_file(tmp_path / "t.rules")
    assert [(each.code.number, each.place and each.place.line) for each in caught.value.diagnostics] == [(told, 3)]


@pytest.mark.parametrize("name", ["a" * 300, "../../t", "x/t"])
def test_a_scenario_of_rules_that_lie_elsewhere(tmp_path: Path, name: str) -> None:
    """A name that no file can have left the command as an error of the system; a way up was gone."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "t.rules").write_text(f"{COVER}overview: end game, nobody wins\n")
    file = tmp_path / "a" / "b" / "p.play"
    file.write_text(f'scenario "A" of "{name}":\n  then:\n    1 is 1\n')
    with pytest.raises(Diagnosed, match="RL1010"):
        check_file(read_play_file(file), Library())


@pytest.mark.parametrize("engine", ENGINES)
def test_the_outcomes_of_a_large_roll_are_told_in_time(engine: str) -> None:
    """Every outcome was counted among all of them."""
    text = f"{COVER}values Number: 1..40000\nmarker n: Number = 1\n\noverview:\n  roll n\n  end game, nobody wins\n"
    state = engine_named(engine).configure(compile_text(text).program, 2, {}).start()
    outcomes = in_time(state.chance, 1)
    assert len(outcomes) == 40_000 and sum(weight for _, weight in outcomes[:1]) == Fraction(1, 40_000)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_promise_that_comes_to_a_limit_is_told_with_its_place(engine: str) -> None:
    """The failure named neither line nor file."""
    text = f"{COVER}marker n: 0..9 = 9\nalways fair: 9223372036854775800 + n > 0\n\noverview: end game, nobody wins\n"
    game = engine_named(engine).configure(compile_text(text).program, 2, {})
    agents = [RandomAgent()] * 2
    for look in (lambda: game.invariants(game.start()), lambda: list(playouts(game, 1, 7, agents, promises=True))):
        with pytest.raises(Exhausted) as failure:
            look()
        assert failure.value.line == text.count("\n", 0, text.index("always")) + 1
