"""R10. Damaged data files, records, scenarios, compiled programs and conversations get an answer, never a crash.

Each ``fuzz_...(first, count)`` tries the numbered examples from ``first`` on and counts what became of them, so that a
long run can go on where another one ended. Whatever is none of the four failures leaves them as it is.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from made_games import ROOT, accepted
from pace import in_time
from test_r01_any_text import SECONDS, answer, damaged_texts

from rulelang.failures import Diagnosed, Exhausted, Refused
from rulelang.ir import schema
from rulelang.ir.codec import dumps, loads
from rulelang.ir.faults import IRFault
from rulelang.ir.program import Program
from rulelang.ir.verify import verify
from rulelang.pipeline import compile_file, engine_named, load
from rulelang.play.engine import Game
from rulelang.play.match import Match
from rulelang.play.record import RecordFault, record_lines
from rulelang.play.record_reading import read_header, read_record
from rulelang.play.replay import replay
from rulelang.rulebook.clauses import read_clauses, read_reasons
from rulelang.scenarios.allowed import table_of_reasons
from rulelang.scenarios.answering import answers
from rulelang.scenarios.check import CheckedScenario, check_file
from rulelang.scenarios.files import REASONS_FILE, Library, play_file_from_text, read_play_file
from rulelang.scenarios.foreign import Foreign
from rulelang.scenarios.judging import judge
from rulelang.scenarios.run import run_scenario
from rulelang.testing import Dice, playthrough
from rulelang.testing.damage import damaged
from rulelang.testing.damaged_documents import damaged_bytes, damaged_json, damaged_lines
from rulelang.testing.damaged_words import reworded
from rulelang.testing.garbling import Garbled

RECORDS = ROOT / "tests" / "records"
PLAYS = sorted((ROOT / "tests" / "conformance").glob("*/*.play"))

INTERNAL = ("__ANON", "Traceback", "object at 0x", "UnexpectedToken", "<class", "Error:")
"""What no message says."""


def said(failure: Exception) -> str:
    """The code of a failure; its message must be one."""
    text = str(failure)
    assert text and not any(word in text for word in INTERNAL), text
    if isinstance(failure, RecordFault | IRFault | Exhausted):
        return failure.code
    if isinstance(failure, Refused):
        return failure.reasons[0].code
    assert isinstance(failure, Diagnosed), repr(failure)
    for each in failure.diagnostics:
        assert each.message and each.code.number.startswith("RL"), each
    return failure.diagnostics[0].code.number


PLAYED = 3 * SECONDS
"""CPU seconds for a program that is played: an event may go on until its limit of cost (16.2), which can take the
reference three seconds."""


def measured(number: int, found: Counter[str], example: Callable[[], str], most: float = SECONDS) -> None:
    """Try one example, and count how it ended; it must end soon."""
    found[in_time(lambda: _ending(example), most, number)] += 1


def _ending(example: Callable[[], str]) -> str:
    try:
        return example()
    except (Diagnosed, Refused, Exhausted, IRFault) as failure:
        return said(failure)


# ------------------------------------------------------------------ texts


def fuzz_texts(first: int, count: int) -> Counter[str]:
    """Damaged rules, as in R1."""
    return Counter(answer(text) for text in damaged_texts(20_000 + first, count))


# ------------------------------------------------------------------ data files


@cache
def shells() -> tuple[str, str]:
    """A small game with rows of all kinds: its rules and its data."""
    folder = ROOT / "tests" / "data_games" / "shell-race"
    return (folder / "shell-race.rules").read_text("utf-8"), (folder / "components.toml").read_text("utf-8")


PLAY = """rules a:
  game "A":
    players: 2

  overview: end game, nobody wins

scenario "A" of a:
  then:
    1 is 1
"""
"""A play file beside which a table of reasons lies."""

BESIDE: Mapping[str, tuple[str, Callable[[Path], object]]] = {
    "clauses.toml": ("clauses", read_clauses),
    "rulings.toml": ("clauses", read_clauses),
    "trace.toml": ("trace", read_reasons),
    "coverage.toml": ("coverage", lambda folder: table_of_reasons(folder / "coverage.toml", "lines", "line")),
    REASONS_FILE: (
        "reasons",
        lambda folder: read_play_file(folder / "a.play"),
    ),
}
"""Files beside the rules, what they are about, and what reads them."""


@cache
def beside(name: str) -> tuple[str, ...]:
    """All files of that name, cut to a size at which thousands can be tried."""
    found = []
    for path in sorted(ROOT.glob(f"rulesets/*/**/{name}")):
        found.append(path.read_text("utf-8")[:6_000].rpartition("\n\n")[0])
    assert found
    return tuple(found)


def fuzz_data(first: int, count: int) -> Counter[str]:
    """Damaged data files of games, and the other files beside rules."""
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "shells.rules").write_text(shells()[0], encoding="utf-8")
        (folder / "a.play").write_text(PLAY, encoding="utf-8")
        for number in range(first, first + count):
            dice = Dice.seeded(81, number)
            measured(number, found, lambda dice=dice: _data(folder, dice))  # type: ignore[misc]
    return found


def _data(folder: Path, dice: Dice) -> str:
    if dice.chance(70):
        (folder / "components.toml").write_bytes(_spoilt(shells()[1], dice))
        compile_file(folder / "shells.rules")
        return "program"
    file = dice.pick(list(BESIDE))
    (folder / file).write_bytes(_spoilt(dice.pick(beside(file)), dice))
    if file == "rulings.toml":
        (folder / "clauses.toml").write_text("", encoding="utf-8")
    try:
        BESIDE[file][1](folder)
    finally:
        (folder / file).unlink()
    return BESIDE[file][0]


def _spoilt(text: str, dice: Dice) -> bytes:
    """A damaged text as bytes; sometimes the bytes are damaged."""
    if dice.chance(40):
        lines = text.split("\n")
        at = dice.below(len(lines))
        key, equals, _ = lines[at].partition("=")
        lines[at] = f"{key}{equals or '= '} {dice.pick(TOML_VALUES)}" if dice.chance(70) else dice.pick(TOML_LINES)
        text = "\n".join(lines)
    else:
        text = damaged(text, dice)
    data = text.encode("utf-8", "surrogatepass")
    return damaged_bytes(data, dice) if dice.chance(8) else data


TOML_VALUES = (
    *('""', '"\\u202e"', '"\\u0000"', "''", "0", "-1", "1.5", "inf", "nan", "true", "1979-05-27", "07:32:00", "[]"),
    *("{}", "[[1]]", "[{}]", "{ value = 1 }", '{ value = { value = "x" } }', '"""\nx\n"""', "0x" + "f" * 40),
    *("9" * 5_000, "1_000", '["white", 3]', '"white"', '{ value = 1, provenance = "guessed" }', "1979-05-27T07:32:00Z"),
    *('"x"', '"game"', '"\\U0010ffff"', '["cockle", "cockle"]', "[" * 100, "{a.b.c.d=" * 30, '"cockle"', '"nobody"'),
)
TOML_LINES = (
    *("[shell]", "[[shell]]", "[shell.x]", "[[prize]]", "[prize]", "[prize.pearl.more]", "[[shell.row]]", "[a.b.c.d]"),
    *("[" + "a." * 80 + "a]", "shell = 1", "shell = []", '"" = 1', "id", "=", "id = 'x'", "'a b' = 1", "x.y.z = {}"),
    *('id = "cockle"', 'id = "game"', 'id = "\u0430\u0435"', 'id = "x\u202ey"', "id = 3", "[[clause]]", "[lines]"),
)


# ------------------------------------------------------------------ records


@cache
def recorded() -> tuple[tuple[Game, tuple[str, ...]], ...]:
    """Games and the lines of records of them."""
    found = []
    for path in sorted(RECORDS.glob("*.record.jsonl")):
        header = read_header(path)
        program = loads(path.with_name(path.name.replace(".record.jsonl", ".ir.json")).read_text("utf-8"))
        game = engine_named("reference").configure(program, header.seats, header.options)
        found.append((game, tuple(path.read_text("utf-8").splitlines())))
    for name in ("snap", "sealed-auction"):  # times, expiries and sealed answers
        game = load(name).configure().game
        state_events = [event for _, event in playthrough(game, Dice.seeded(80), 40) if event is not None]
        match = Match(game, 0)
        for event in state_events[:-1]:
            match.apply(event)
        found.append((game, tuple(record_lines(game.program, match.record))))
    return tuple(found)


def fuzz_records(first: int, count: int) -> Counter[str]:
    """Damaged records: read, resumed and replayed."""
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "game.record.jsonl"
        for number in range(first, first + count):
            dice = Dice.seeded(82, number)
            game, lines = dice.pick(recorded())
            spoilt = "\n".join(line.rstrip("\n") for line in damaged_lines(list(lines), dice))
            data = (spoilt + "\n" * (not dice.chance(10))).encode("utf-8", "surrogatepass")
            path.write_bytes(damaged_bytes(data, dice) if dice.chance(15) else data)
            measured(number, found, lambda game=game, dice=dice: _record(path, game, dice))  # type: ignore[misc]
    return found


def _record(path: Path, game: Game, dice: Dice) -> str:
    read_header(path)
    try:
        record = read_record(path, game.program, resume=dice.chance(50))
        replay(game, record)
    except RecordFault as fault:
        assert fault.line is not None, fault
        raise
    return "replayed"


# ------------------------------------------------------------------ scenarios


def fuzz_scenarios(first: int, count: int) -> Counter[str]:
    """Damaged play files: read, checked, and run if nothing is wrong with them."""
    found: Counter[str] = Counter()
    for number in range(first, first + count):
        dice = Dice.seeded(83, number)
        text = _few_scenarios(dice.pick(PLAYS), dice)
        text = damaged(text, dice) if dice.chance(40) else reworded(text, dice)
        measured(number, found, lambda text=text: _scenarios(text, found))  # type: ignore[misc]
    return found


def _few_scenarios(path: Path, dice: Dice) -> str:
    """The rules of a play file and up to three of its scenarios."""
    head, *scenarios = path.read_text("utf-8").split('\nscenario "')
    rules = [each.partition("\nrules ") for each in scenarios]
    chosen = dice.some([each[0] for each in rules], 3)
    parts = [head, *(f"rules {each[2]}" for each in rules if each[2]), *(f'scenario "{each}' for each in chosen)]
    return "\n".join(parts)


def _scenarios(text: str, found: Counter[str]) -> str:
    checked = check_file(play_file_from_text("a.play", text), Library())
    for each in checked:
        found[run_scenario(each, engine_named("reference")).status] += 1
    return "run"


# ------------------------------------------------------------------ compiled programs


@cache
def documents() -> tuple[str, ...]:
    """Programs as JSON: classics, closed, and generated games, open."""
    closed = [path.read_text("utf-8") for path in sorted(RECORDS.glob("*.ir.json"))]
    made = [dumps(compiled.program) for _, compiled in accepted(3_000, 30)]
    return (*closed, *made)


@cache
def published() -> jsonschema.Draft202012Validator:
    """The schema of compiled programs."""
    return jsonschema.Draft202012Validator(schema.build())


def fuzz_programs(first: int, count: int) -> Counter[str]:
    """Damaged programs: what is read verifies or is refused, and what verifies can be played, on both interpreters."""
    found: Counter[str] = Counter()
    for number in range(first, first + count):
        dice = Dice.seeded(84, number)
        text = damaged_json(dice.pick(documents()), dice)
        measured(number, found, lambda text=text, dice=dice: _program(text, dice), PLAYED)  # type: ignore[misc]
    return found


def _program(text: str, dice: Dice) -> str:
    program = loads(text)
    assert loads(dumps(program)) == program
    unsound = verify(program)
    if unsound:
        assert all(finding.message for finding in unsound)
        return "unsound"
    seed = dice.below(1_000)
    reference = _played(program, "reference", seed)
    if dice.chance(25):
        native = _played(program, "native", seed)
        assert native == reference or native[0] == "RL8023", (native, reference)
    return reference[0]


def _played(program: Program, engine: str, seed: int) -> tuple[str, tuple[bytes, ...]]:
    """What comes of a few moves, and the states."""
    try:
        game = engine_named(engine).configure(program, program.fewest_seats, {})
    except (Refused, Exhausted) as failure:
        return said(failure), ()
    states = []
    for state, _ in playthrough(game, Dice.seeded(85, seed), 8):
        states.append(state.to_bytes())
        for seat in (None, *range(program.fewest_seats)):
            state.view(seat)
    return "played" if states else "not begun", tuple(states)


def whole_number(text: str) -> int:
    """A number of a document; Python does not read more than 4,300 digits, and so many are as bad as 4,000."""
    return int(text if len(text) < 4000 else text[:4000])


def fuzz_schema(first: int, count: int) -> Counter[str]:
    """The codec and the published schema accept and refuse the same damaged documents."""
    found: Counter[str] = Counter()
    small = [text for text in documents() if len(text) < 9_000]
    for number in range(first, first + count):
        dice = Dice.seeded(86, number)
        text = damaged_json(dice.pick(small), dice)
        try:
            loads(text)
            codec = "accepted"
        except IRFault as fault:
            codec = fault.code
        if codec in ("accepted", "RL9004", "RL9005", "RL9006", "RL9011"):  # the others are no matter of a schema
            by_schema = published().is_valid(json.loads(text, parse_int=whole_number))
            assert by_schema == (codec == "accepted") or "\\ud" in text, (number, codec)
        found[codec] += 1
    return found


# ------------------------------------------------------------------ conversations


@cache
def judged() -> tuple[CheckedScenario, ...]:
    """Scenarios with chance, hidden cards, refusals, sealed answers and times."""
    library = Library()
    names = ("tic-tac-toe", "pig", "kuhn-poker", "goofspiel", "snap")
    paths = [path for name in names for path in sorted(ROOT.glob(f"rulesets/classics/{name}/plays/*.play"))]
    return tuple(each for path in paths for each in check_file(read_play_file(path), library)[:6])


def fuzz_replies(first: int, count: int) -> Counter[str]:
    """A judge asks an engine some of whose answers come out damaged: it fails the scenario, and says why."""
    found: Counter[str] = Counter()
    engine = engine_named("reference")
    for number in range(first, first + count):
        dice = Dice.seeded(87, number)
        scenario = dice.pick(judged())
        measured(number, found, lambda dice=dice, scenario=scenario: _judged(engine, dice, scenario, found))  # type: ignore[misc]
    return found


def _judged(engine: Any, dice: Dice, scenario: CheckedScenario, found: Counter[str]) -> str:
    result = judge(scenario, engine, Garbled(engine, dice, found))
    for complaint in result.complaints:
        assert complaint.found and not any(word in complaint.found for word in INTERNAL)
    return result.status


@cache
def conversations() -> tuple[tuple[str, ...], ...]:
    """What a judge asks while scenarios run."""
    engine = engine_named("reference")
    found = []
    for scenario in judged():
        asked: list[str] = []
        foreign = Garbled(engine, Dice.seeded(0), Counter(), one_in=10**9, asked=asked)
        assert judge(scenario, engine, foreign).status in ("passed", "skipped")
        found.append(tuple(asked[:40]))
    return tuple(found)


def fuzz_questions(first: int, count: int) -> Counter[str]:
    """Damaged questions to our side of the protocol: each line gets one answer, until it is told to stop."""
    found: Counter[str] = Counter()
    engine = engine_named("reference")
    for number in range(first, first + count):
        dice = Dice.seeded(88, number)
        lines = list(dice.pick(conversations()))
        for _ in range(dice.between(1, 3)):
            lines = damaged_lines(lines, dice)
        measured(number, found, lambda lines=lines: _answered(engine, lines, found))  # type: ignore[misc]
    return found


def _answered(engine: Any, lines: list[str], found: Counter[str]) -> str:
    replies = 0
    for line in answers(lines, engine):
        reply = json.loads(line)
        assert "id" in reply and len(reply) > 1, line
        found["fault" if "fault" in reply else "refused" if "refused" in reply else "answered"] += 1
        replies += 1
    return "all answered" if replies == len(lines) else "stopped"


# ------------------------------------------------------------------ the checks

SIZES: Mapping[str, tuple[Callable[[int, int], Counter[str]], int, Mapping[str, int]]] = {
    "texts": (fuzz_texts, 300, {"diagnosed": 150}),
    "data": (fuzz_data, 900, {"program": 40, "RL7014": 200, "RL7012": 40, "clauses": 10, "trace": 10, "reasons": 10}),
    "records": (fuzz_records, 1_500, {"replayed": 150, "RL9023": 150, "RL9001": 100, "RL9011": 50}),
    "scenarios": (fuzz_scenarios, 1_000, {"run": 60, "passed": 100, "failed": 5, "RL2020": 60, "RL3001": 30}),
    "programs": (fuzz_programs, 500, {"played": 80, "unsound": 30, "RL9004": 30, "RL9011": 30}),
    "schema": (fuzz_schema, 120, {"accepted": 25, "RL9004": 8, "RL9011": 8}),
    "replies": (fuzz_replies, 250, {"passed": 30, "failed": 60, "garbled": 80}),
    "questions": (fuzz_questions, 250, {"answered": 500, "fault": 100, "refused": 50, "all answered": 200}),
}
"""Each fuzzer, how many examples it tries here, and how often each answer must come: else the damage does not show."""


@pytest.mark.parametrize("name", SIZES)
def test_whatever_is_damaged_gets_an_answer(name: str) -> None:
    fuzz, count, least = SIZES[name]
    found = fuzz(0, count)
    print(name, dict(found))
    assert {answer: found[answer] for answer, some in least.items() if found[answer] < some} == {}, found


def test_an_example_has_a_number() -> None:
    assert fuzz_records(40, 60) == fuzz_records(40, 30) + fuzz_records(70, 30)
    assert fuzz_scenarios(40, 20) == fuzz_scenarios(40, 10) + fuzz_scenarios(50, 10)


NOISE = """
import sys
for line in sys.stdin:
    sys.stdout.buffer.write(bytes.fromhex(sys.argv[1]) + b"\\n")
    sys.stdout.flush()
"""
"""A process that answers every line with the same."""


def test_an_engine_that_writes_garbage_is_told_and_ended() -> None:
    """Through a real pipe."""
    for number in range(12):
        dice = Dice.seeded(89, number)
        text = damaged_json('{"id": 1, "ok": true, "accepts": ["states"]}', dice)
        noise = damaged_bytes(text.encode("utf-8", "replace"), dice).replace(b"\n", b" ")
        foreign = Foreign([sys.executable, "-S", "-c", NOISE, noise.hex()], 20)
        try:
            assert judge(judged()[0], engine_named("reference"), foreign).status == "failed"
        finally:
            foreign.end()
