"""The registry of codes, the collector of mistakes, and their three written forms."""

import itertools
import json

import pytest

from rulelang import limits
from rulelang.diagnostics.codes import CODES, DECLARED_TWICE, MORE_DIAGNOSTICS, STAGES, UNKNOWN_NAME, Code, code
from rulelang.diagnostics.diagnostic import (
    Diagnostic,
    Findings,
    Related,
    capped,
    diagnose,
    did_you_mean,
    filled,
    in_order,
    quoted,
)
from rulelang.diagnostics.render import as_json, as_sarif, as_text
from rulelang.failures import Broken, Diagnosed
from rulelang.source import Place, Source

RULES = Source("tic-tac-toe.rules", "zone board: grid\n  put mrak on board\n\tput 牌牌 on x\n")
MRAK = Place("tic-tac-toe.rules", 2, 7, 2, 11)
BOARD = Place("tic-tac-toe.rules", 1, 6, 1, 11)


# The registry


def test_numbers_have_a_stage_and_ascend_in_the_file() -> None:
    assert all(len(number) == 6 and number[:2] == "RL" and number[2] in STAGES for number in CODES)
    assert list(CODES) == sorted(CODES)


def test_slugs_and_titles_are_each_used_once() -> None:
    for names in ([each.slug for each in CODES.values()], [each.title for each in CODES.values()]):
        assert len(names) == len(set(names))


@pytest.mark.parametrize("each", CODES.values(), ids=lambda each: each.slug)
def test_every_sentence_can_be_filled_in(each: Code) -> None:
    words = dict.fromkeys(each.words, "X")
    assert not {"code", "place", "related", "hint"} & set(words)
    message = filled(each, words)
    assert message.endswith(".") and "{" not in message
    assert message.count("X") >= len(words)


@pytest.mark.parametrize("each", CODES.values(), ids=lambda each: each.slug)
def test_no_sentence_speaks_of_the_parser_or_of_python(each: Code) -> None:
    said = f"{each.title} {each.summary}".lower()
    assert not [
        word for word in ("token", "node", "parser", "tuple", "none", "str ", "int ", "exception") if word in said
    ]


def test_a_number_is_never_given_twice() -> None:
    with pytest.raises(ValueError, match="RL3001 is taken by unknown-name"):
        code("RL3001", "another", "Another", "Something else.")
    assert CODES["RL3001"] is UNKNOWN_NAME


def test_stage_words_and_summary_follow_from_number_and_sentence() -> None:
    assert UNKNOWN_NAME.stage == "names"
    assert UNKNOWN_NAME.words == ("word",)
    assert UNKNOWN_NAME.summary == "Nothing here is called '...'."


def test_a_blank_left_open_or_a_surplus_word_is_our_own_bug() -> None:
    with pytest.raises(Broken, match="RL3001 needs the words"):
        diagnose(UNKNOWN_NAME)
    with pytest.raises(Broken, match="RL3001 needs the words"):
        diagnose(UNKNOWN_NAME, word="a", other="b")


# Hints


def test_did_you_mean_names_the_nearest_in_any_order_of_candidates() -> None:
    for names in itertools.permutations(["mark", "board", "marks"]):
        assert did_you_mean("mrak", names) == "did you mean 'mark'?"


def test_did_you_mean_sees_through_capitals_and_says_nothing_when_unsure() -> None:
    assert did_you_mean("DECK", ["deck", "hand"]) == "did you mean 'deck'?"
    assert did_you_mean("tapir", ["deck", "hand"]) is None
    assert did_you_mean("deck", ["deck"]) is None
    assert did_you_mean("deck", []) is None


def test_did_you_mean_finds_the_nearest_among_very_many() -> None:
    names = [f"something_long_{number}" for number in range(20_000)]
    assert did_you_mean("mrak", [*names, "mark"]) == "did you mean 'mark'?"


def test_long_and_steering_words_are_cut_and_spelled_out() -> None:
    assert quoted("x" * 1000) == "'" + "x" * 60 + "...'"
    assert quoted("a\x1b[31mb\u202e") == "'a<U+001B>[31mb<U+202E>'"
    assert len(diagnose(UNKNOWN_NAME, word="x" * 100_000).message) < 400


# Order and number


def at(line: int, column: int = 1) -> Diagnostic:
    return diagnose(UNKNOWN_NAME, Place("a.rules", line, column, line, column + 1), word=f"w{line}")


def test_diagnostics_come_as_a_reader_meets_them_and_each_once() -> None:
    whole_file = diagnose(UNKNOWN_NAME, word="file")
    assert in_order([at(10), at(9, 2), at(9, 1), whole_file, at(10)]) == (whole_file, at(9, 1), at(9, 2), at(10))


def test_one_hundred_are_shown_in_full_and_the_next_is_counted() -> None:
    many = [at(line) for line in range(1, limits.DIAGNOSTICS + 1)]
    assert capped(many) == tuple(many)
    *shown, last = capped([*many, at(1000), at(1001)])
    assert shown == many
    assert (last.code, last.message) == (MORE_DIAGNOSTICS, "2 more are not shown.")


def test_findings_raise_all_in_one_go_and_nothing_if_there_are_none() -> None:
    findings = Findings()
    findings.raise_if_any()
    assert not findings
    findings.report(UNKNOWN_NAME, MRAK, hint=lambda: did_you_mean("mrak", ["mark"]), word="mrak")
    findings.add(diagnose(DECLARED_TWICE, BOARD, word="board", hint="choose another name"))
    with pytest.raises(Diagnosed) as caught:
        findings.raise_if_any([RULES])
    assert [(each.code, each.hint) for each in caught.value.diagnostics] == [
        (DECLARED_TWICE, "choose another name"),
        (UNKNOWN_NAME, "did you mean 'mark'?"),
    ]
    assert caught.value.sources == (RULES,)


def test_costly_hints_are_looked_for_only_where_they_are_shown() -> None:
    asked: list[int] = []

    def hint() -> None:
        asked.append(1)

    findings = Findings()
    for line in range(1, 10_000):
        findings.report(UNKNOWN_NAME, Place("a.rules", line, 1, line, 2), hint=hint, word="x")
    assert len(findings.diagnostics()) == limits.DIAGNOSTICS + 1
    assert len(asked) == limits.DIAGNOSTICS


# Text


def excerpt(source: Source, place: Place) -> list[str]:
    """The lines quoted for a place."""
    return as_text([diagnose(UNKNOWN_NAME, place, word="x")], [source]).splitlines()[2:]


def test_text_shows_place_sentence_line_second_place_and_way_out() -> None:
    related = (Related(BOARD, "the board is declared here"),)
    found = diagnose(UNKNOWN_NAME, MRAK, word="mrak", related=related, hint="did you mean 'mark'?")
    assert as_text([found], [RULES]) == (
        "tic-tac-toe.rules:2:7: RL3001 Unknown name\n"
        "  Nothing here is called 'mrak'.\n"
        "    2 |   put mrak on board\n"
        "      |       ^^^^\n"
        "  See tic-tac-toe.rules:1:6: the board is declared here\n"
        "    1 | zone board: grid\n"
        "      |      ^^^^^\n"
        "  Way out: did you mean 'mark'?"
    )


def test_text_without_place_or_source_is_short_and_paragraphs_are_apart() -> None:
    found = [diagnose(UNKNOWN_NAME, word="a"), diagnose(UNKNOWN_NAME, MRAK, word="b")]
    assert as_text(found) == (
        "RL3001 Unknown name\n  Nothing here is called 'a'.\n\n"
        "tic-tac-toe.rules:2:7: RL3001 Unknown name\n  Nothing here is called 'b'."
    )


def test_tabs_and_wide_characters_do_not_shift_the_underline() -> None:
    assert excerpt(RULES, Place(RULES.name, 3, 6, 3, 8)) == ["    3 |     put 牌牌 on x", "      |         ^^^^"]


def test_combining_marks_take_no_column() -> None:
    source = Source("a", "e\u0301 x")
    assert excerpt(source, Place("a", 1, 4, 1, 5)) == ["    1 | e\u0301 x", "      |   ^"]


def test_a_place_of_several_lines_is_underlined_to_the_end_of_its_first() -> None:
    assert excerpt(RULES, Place(RULES.name, 1, 6, 2, 5))[1] == "      |      ^^^^^^^^^^^"


@pytest.mark.parametrize("place", [Place("a", 1, 4, 1, 4), Place("a", 9, 5, 9, 6), Place("a", 1, 99, 1, 100)])
def test_a_place_at_or_beyond_an_end_gets_one_caret(place: Place) -> None:
    assert excerpt(Source("a", "abc"), place)[1].count("^") == 1


def test_of_a_long_line_only_the_surroundings_are_quoted() -> None:
    quoted_line, underline = excerpt(
        Source("a", "x" * 50_000 + "mrak" + "y" * 50_000), Place("a", 1, 50_001, 1, 50_005)
    )
    assert len(quoted_line) < 120
    assert quoted_line[underline.index("^") : underline.rindex("^") + 1] == "mrak"


def test_source_text_cannot_steer_the_terminal() -> None:
    source = Source("a\nb", "ok \x1b[2J\u202e")
    text = as_text([diagnose(UNKNOWN_NAME, Place("a\nb", 1, 1, 1, 3), word="ok")], [source])
    assert "\x1b" not in text and "\u202e" not in text
    assert text.startswith("a<U+000A>b:1:1: ")


def test_colour_comes_only_when_asked_for() -> None:
    found = [diagnose(UNKNOWN_NAME, MRAK, word="mrak")]
    assert "\x1b" not in as_text(found, [RULES])
    assert "\x1b[31m^^^^\x1b[0m" in as_text(found, [RULES], colour=True)


# JSON and SARIF


def test_json_holds_everything_and_survives_a_round_trip() -> None:
    found = diagnose(UNKNOWN_NAME, MRAK, word="mrak", related=(Related(BOARD, "here"),), hint="did you mean 'mark'?")
    written = as_json([found])
    assert json.loads(json.dumps(written)) == written
    assert written["diagnostics"] == [
        {
            "code": "RL3001",
            "slug": "unknown-name",
            "title": "Unknown name",
            "stage": "names",
            "message": "Nothing here is called 'mrak'.",
            "place": {"file": "tic-tac-toe.rules", "line": 2, "column": 7, "end_line": 2, "end_column": 11},
            "related": [
                {
                    "place": {"file": "tic-tac-toe.rules", "line": 1, "column": 6, "end_line": 1, "end_column": 11},
                    "message": "here",
                }
            ],
            "hint": "did you mean 'mark'?",
        }
    ]


def test_sarif_points_from_every_result_to_its_rule() -> None:
    found = [
        diagnose(UNKNOWN_NAME, MRAK, word="mrak", related=(Related(BOARD, "here"),)),
        diagnose(DECLARED_TWICE, Place("my game/a.rules", 1, 1, 1, 2), word="x", hint="choose another name"),
        diagnose(UNKNOWN_NAME, word="y"),
    ]
    log = as_sarif(found, version="0.1.0")
    assert json.loads(json.dumps(log)) == log
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["RL3001", "RL3002"]
    first, second, third = run["results"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    region = first["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 7, "endLine": 2, "endColumn": 11}
    assert first["relatedLocations"][0]["message"] == {"text": "here"}
    assert second["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "my%20game/a.rules"
    assert second["message"]["text"] == "'x' is already declared. choose another name"
    assert third["locations"] == [] and "relatedLocations" not in third
