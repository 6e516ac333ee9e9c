"""``rulelang conformance``: a second, independent engine passes, broken ones fail for what is wrong with them."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from command_line import SCHEMAS, Run, conforms

from rulelang.scenarios.answering import answers
from rulelang.scenarios.foreign import Foreign, ForeignFault
from rulelang.tools.loading import engine_named

ENGINE = Path(__file__).resolve().parents[1] / "conformance_impl" / "tic_tac_toe.py"
SNAP = ENGINE.parent / "snap.py"
SNAP_PLAYS = str(ENGINE.parent / "snap.play")
QUICK = ["--timeout", "1.5"]

BROKEN = {
    "forgets-the-diagonals": "expected: waiting: over",
    "marks-twice": "found:    it is legal",
    "talks-first": "this is no JSON: Hello",
    "falls-asleep": "no answer to 'attempt' within 1.5 seconds",
    "falls-over": "it ended instead of answering 'attempt': no more chalk",
    "tells-the-future": "expected: mark 9 content: nothing",
    "counts-backwards": "found:    another order",
    "changes-when-refused": "legal answers of seat 2",
    "blames-another-reason": "found:    refused taken",
}


BROKEN_IN_TIME = {
    "is-never-too-late": "expected: waiting: chance",
    "goes-back": "found:    it is legal",
    "stops-the-clock": "table.clock 0 content",
}


def judged(run: Run, how: str = "", *more: str) -> Any:
    impl = f"{sys.executable} {ENGINE} {how}".strip()
    return run(["conformance", "run", "--impl", impl, *more, "tic-tac-toe"])


def test_the_engine_uses_nothing_of_rulelang() -> None:
    imports = [line for line in ENGINE.read_text(encoding="utf-8").splitlines() if line.startswith(("import", "from"))]
    assert imports == ["import json", "import sys", "import time"]


def test_an_independent_engine_passes(run: Run) -> None:
    done = judged(run, "", "--verbose")
    assert done.exit_code == 0 and done.stdout.endswith("8 passed, 2 skipped\n")
    assert "it begins from a position" in done.stdout


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_engine_fails_and_is_told_why(run: Run, how: str) -> None:
    only = ["--only", "marked square"] if how in ("falls-asleep",) else []
    done = judged(run, how, *QUICK, *only)
    assert done.exit_code == 1
    assert BROKEN[how] in done.stdout


def in_time(run: Run, how: str = "") -> Any:
    return run(["conformance", "run", "--impl", f"{sys.executable} {SNAP} {how}".strip(), SNAP_PLAYS, "snap", *QUICK])


def test_an_independent_engine_that_knows_time_passes(run: Run) -> None:
    done = in_time(run)
    assert done.exit_code == 0 and done.stdout.endswith("9 passed, 12 skipped\n"), done.output


@pytest.mark.parametrize("how", BROKEN_IN_TIME)
def test_an_engine_that_is_wrong_about_time_fails(run: Run, how: str) -> None:
    done = in_time(run, how)
    assert done.exit_code == 1 and BROKEN_IN_TIME[how] in done.stdout


def test_an_engine_that_knows_no_time_is_not_asked_for_it(run: Run) -> None:
    impl = f"{sys.executable} {SNAP} knows-no-time"
    done = run(["conformance", "run", "--impl", impl, SNAP_PLAYS, *QUICK])
    assert done.exit_code == 1 and "nothing was judged (3 skipped)" in done.stderr
    assert "times are said, and the engine knows no time" in done.stdout


def test_our_own_interpreter_answers_about_time(run: Run) -> None:
    done = run(["conformance", "run", "--impl", "rulelang conformance answer", SNAP_PLAYS, "snap"])
    assert done.stdout == "21 passed\n"


def test_an_engine_that_does_not_end_fails(run: Run) -> None:
    done = judged(run, "stays-on", *QUICK)
    assert done.exit_code == 1 and "it did not end within 1.5 seconds after 'stop'" in done.stderr


def test_json_says_the_same(run: Run) -> None:
    data = json.loads(judged(run, "marks-twice", "--format", "json").stdout)
    conforms(data, "test")
    assert sorted({each["status"] for each in data["scenarios"]}) == ["failed", "passed", "skipped"]


def test_an_engine_that_knows_nothing_has_not_passed(run: Run) -> None:
    done = run(["conformance", "run", "--impl", f"{sys.executable} {ENGINE}", "pig"])
    assert done.exit_code == 1 and "nothing was judged" in done.stderr


@pytest.mark.parametrize("impl", ["no-such-engine-anywhere", "true", "cat", "yes"])
def test_what_is_no_engine_fails(run: Run, impl: str) -> None:
    done = run(["conformance", "run", "--impl", impl, "tic-tac-toe", "--only", "Three in a row", *QUICK])
    assert done.exit_code == 1 and "FAILED" in done.stdout


@pytest.mark.parametrize("impl", ["", "'"])
def test_what_is_no_command_is_a_mistake_of_usage(run: Run, impl: str) -> None:
    assert run(["conformance", "run", "--impl", impl, "tic-tac-toe"]).exit_code == 2


def test_our_own_interpreter_answers_the_protocol(run: Run) -> None:
    """Chance, hidden cards, sealed answers, refused options, positions."""
    done = run(["conformance", "run", "--impl", "rulelang conformance answer", "pig", "kuhn-poker", "goofspiel"])
    assert done.exit_code == 0, done.output
    assert "skipped" not in done.stdout


# ------------------------------------------------------------------ the lines


def schema(name: str) -> jsonschema.Draft202012Validator:
    text = (SCHEMAS / f"conformance-{name}.schema.json").read_text(encoding="utf-8")
    return jsonschema.Draft202012Validator(json.loads(text))


@pytest.mark.parametrize("impl", ["", "rulelang conformance answer"])
def test_questions_and_answers_follow_the_schemas(run: Run, monkeypatch: pytest.MonkeyPatch, impl: str) -> None:
    seen: set[str] = set()
    ask = Foreign.ask

    def watched(self: Foreign, do: str, **what: Any) -> dict[str, Any]:
        answer = ask(self, do, **what)
        schema("request").validate({"id": self.asked, "do": do, **what})
        schema("reply").validate(answer)
        seen.add(do)
        return answer

    monkeypatch.setattr(Foreign, "ask", watched)
    assert run(["conformance", "run", "--impl", impl or f"{sys.executable} {ENGINE}", "tic-tac-toe"]).exit_code == 0
    assert seen == {"load", "start", "attempt", "moves", "view", "stop"}
    assert run(["conformance", "run", "--impl", impl or f"{sys.executable} {SNAP}", SNAP_PLAYS]).exit_code == 0
    assert seen == {"load", "start", "attempt", "read", "moves", "view", "stop"}


def test_every_line_is_answered_whatever_it_is() -> None:
    lines = [
        "{",
        "[]",
        "3",
        '{"id": 1, "do": "moves", "seat": 1}',
        '{"id": 2, "do": "sing"}',
        '{"id": 3, "do": "load"}',
    ]
    found = [
        json.loads(line) for line in answers([*lines, '{"id": 4, "do": "stop"}', lines[0]], engine_named("reference"))
    ]
    assert ["fault" in each for each in found] == [True] * len(lines) + [False]


def test_the_words_of_an_engine_that_cannot_go_on_are_told() -> None:
    code = "import json,sys; q=json.loads(input()); print(json.dumps({'id': q['id'], 'fault': 'no board'}))"
    with pytest.raises(ForeignFault, match="no board"):
        Foreign([sys.executable, "-c", code], 5).ask("load")


@pytest.mark.parametrize("line", ["'[]'", "'{}'", "'{\"id\": 7}'", "'[' * 100_000", "'x' * 9_000_000"])
def test_garbage_is_told_and_the_process_is_gone(line: str) -> None:
    code = f"import time; input(); print({line}, flush=True); time.sleep(60)"
    foreign = Foreign([sys.executable, "-c", code], 20)
    begun = time.monotonic()
    with pytest.raises(ForeignFault):
        foreign.ask("load")
    assert foreign._process is None and time.monotonic() - begun < 15
    foreign.stop()


def test_a_time_that_is_no_number_is_no_timeout(run: Run) -> None:
    done = judged(run, "", "--timeout", "nan")
    assert done.exit_code == 2 and "'nan' is not a number" in done.stderr
