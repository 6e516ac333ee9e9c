"""Records: what is written is read again, whatever is damaged is named with its line, nothing half is ever left. R5."""

import json
import os
import pickle
import re
from fractions import Fraction
from pathlib import Path

import attrs
import jsonschema
import pytest
from fake_games import Bids, Deal, Endless, FakeGame, Kuhn, TicTacToe

from rulelang.diagnostics.codes import CODES
from rulelang.play import record_reading
from rulelang.play.agents import RandomAgent
from rulelang.play.event import Outcome, Play
from rulelang.play.live import resume_live, start_live
from rulelang.play.match import Match
from rulelang.play.record import RecordFault, option_label, record_lines, write_record
from rulelang.play.record_reading import read_header, read_record
from rulelang.play.replay import replay

SCHEMA = json.loads((Path(__file__).parents[1] / "docs" / "schemas" / "record.schema.json").read_text())
GAMES = [TicTacToe, Kuhn, Bids, lambda: Deal((2, 2, 1), 2)]


def played(game: FakeGame, seed: int = 7) -> Match:
    match = Match(game, seed, engine="fake")
    match.play([RandomAgent()] * 2)
    return match


def kept(folder: Path, game: FakeGame, seed: int = 7) -> tuple[Path, Match]:
    match = played(game, seed)
    path = folder / "game.record.jsonl"
    write_record(path, game.program, match.record)
    return path, match


@pytest.mark.parametrize("make", GAMES)
def test_a_record_replays_to_the_same_bytes(tmp_path: Path, make: type[FakeGame]) -> None:
    for seed in range(10):
        path, match = kept(tmp_path, make(), seed)
        record = read_record(path, match.game.program)
        assert record == match.record
        again = replay(make(), record)
        assert again.state.to_bytes() == match.state.to_bytes() and again.record == match.record
        assert read_header(path) == record.header


@pytest.mark.parametrize("make", GAMES)
def test_every_line_satisfies_the_schema(tmp_path: Path, make: type[FakeGame]) -> None:
    path, _ = kept(tmp_path, make())
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for line in path.read_text().splitlines():
        validator.validate(json.loads(line))
    for wrong in ({}, {"outcome": 1.5}, {"pass": 0}, {"pass": 1, "seat": 1}, {"sealed": []}, [], {"play": "x"}):
        assert not validator.is_valid(wrong)


def test_a_record_reads_like_the_table(tmp_path: Path) -> None:
    game = Bids()
    match = Match(game, 7)
    match.submit(Play(0, 0, (1,)))
    match.submit(Play(1, 0, (2,)))
    lines = list(record_lines(game.program, match.record))
    assert lines[1] == (
        '{"sealed": [{"play": "bid", "seat": 1, "arguments": [1]}, {"play": "bid", "seat": 2, "arguments": [2]}]}\n'
    )
    header = json.loads(lines[0])
    assert header["options"] == {"length": "long", "open": False, "rounds": 4} and header["seats"] == 2


def test_outcomes_come_from_the_record_not_from_the_seed() -> None:
    match = Match(Kuhn(), 7)
    match.force(2)
    match.force(0)
    again = replay(Kuhn(), match.record)
    assert again.state.to_bytes() == match.state.to_bytes()


# ------------------------------------------------------------------ damage

HEADER, FIRST = 0, 1


def damaged(folder: Path, change: object, line: int = FIRST) -> tuple[Path, FakeGame]:
    path, match = kept(folder, Kuhn())
    lines = path.read_bytes().split(b"\n")[:-1]
    assert callable(change)
    lines[line] = change(lines[line])
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path, match.game


def with_key(**changes: object) -> object:
    def change(line: bytes) -> bytes:
        data = {**json.loads(line), **changes}
        return json.dumps({key: value for key, value in data.items() if value is not ...}).encode()

    return change


@pytest.mark.parametrize(
    ("line", "change", "code"),
    [
        (HEADER, lambda line: b"{}", "RL9020"),
        (HEADER, with_key(rulelang_record=2), "RL9007"),
        (HEADER, with_key(rulelang_record="1"), "RL9011"),
        (HEADER, with_key(program="0" * 64), "RL9021"),
        (HEADER, with_key(ruleset="pig"), "RL9021"),
        (HEADER, with_key(ruleset="\ud800"), "RL9011"),
        (HEADER, with_key(seats=3), "RL9021"),
        (HEADER, with_key(seats=17), "RL9011"),
        (HEADER, with_key(options={}), "RL9021"),
        (HEADER, with_key(options={"length": "long", "open": 0, "rounds": 4}), "RL9021"),
        (HEADER, with_key(options=[]), "RL9011"),
        (HEADER, with_key(options={"a": []}), "RL9011"),
        (HEADER, with_key(seed=2**70), "RL2012"),
        (HEADER, with_key(seed=...), "RL9005"),
        (HEADER, with_key(surprise=1), "RL9006"),
        (HEADER, with_key(seed=True), "RL9011"),
        (FIRST, lambda line: line[:-1], "RL9001"),
        (FIRST, lambda line: b"", "RL9001"),
        (FIRST, lambda line: b"\xff\xfe", "RL1004"),
        (FIRST, lambda line: b"[1]", "RL9020"),
        (FIRST, lambda line: b"{}", "RL9020"),
        (FIRST, lambda line: b"[" * 100_000, "RL9009"),
        (FIRST, lambda line: b" " * 2_000_000, "RL1005"),
        (FIRST, lambda line: b'{"outcome": 1.0}', "RL9003"),
        (FIRST, lambda line: b'{"outcome": NaN}', "RL9003"),
        (FIRST, lambda line: b'{"outcome": ' + b"9" * 10_000 + b"}", "RL2012"),
        (FIRST, lambda line: b'{"outcome": "1"}', "RL9011"),
        (FIRST, lambda line: b'{"outcome": 1, "outcome": 1}', "RL9002"),
        (FIRST, lambda line: b'{"outcome": 1, "seat": 1}', "RL9006"),
        (FIRST, lambda line: b'{"play": "bet", "seat": 1}', "RL9005"),
        (FIRST, lambda line: b'{"play": "raise", "seat": 1, "arguments": []}', "RL9023"),
        (FIRST, lambda line: b'{"play": "bet", "seat": 0, "arguments": []}', "RL9011"),
        (FIRST, lambda line: b'{"play": "bet", "seat": 1, "arguments": 3}', "RL9011"),
        (FIRST, lambda line: b'{"play": 1, "seat": 1, "arguments": []}', "RL9011"),
        (FIRST, lambda line: b'{"sealed": []}', "RL9011"),
        (FIRST, lambda line: b'{"sealed": [1]}', "RL9020"),
        (-1, lambda line: b'{"end": 1}', "RL9011"),
        (-1, lambda line: b'{"end": {}}', "RL9005"),
        (-1, lambda line: line.replace(b'"winners", "winners"', b'"luck", "winners"'), "RL9011"),
        (-1, lambda line: line.replace(b'"returns": [', b'"returns": ["1/0", '), "RL9011"),
        (-1, lambda line: line.replace(b'"returns": [', b'"returns": ["2/4", '), "RL9011"),
        (-1, lambda line: line.replace(b'"returns": [', b'"returns": [1, '), "RL9011"),
        (
            -1,
            lambda line: b'{"end": {"kind": "winners", "winners": [], "places": [], "returns": 0, "state": ""}}',
            "RL9011",
        ),
    ],
)
def test_a_damaged_line_is_named(tmp_path: Path, line: int, change: object, code: str) -> None:
    path, game = damaged(tmp_path, change, line)
    count = path.read_bytes().count(b"\n")
    with pytest.raises(RecordFault) as fault:
        read_record(path, game.program)
    assert (fault.value.code, fault.value.line) == (code, line + 1 if line >= 0 else count + 1 + line)
    assert not fault.value.resumable and str(fault.value).startswith(code)
    assert code in CODES


@pytest.mark.parametrize(
    ("written", "said"), [(b"9" * 99, "9" * 40 + "... does not fit"), (b"1." + b"5" * 99, "5... is not")]
)
def test_a_long_number_that_is_cut_shows_it(tmp_path: Path, written: bytes, said: str) -> None:
    path, game = damaged(tmp_path, lambda line: b'{"outcome": ' + written + b"}")
    with pytest.raises(RecordFault, match=re.escape(said)):
        read_record(path, game.program)


def test_damage_by_every_single_byte_is_a_fault_or_another_record(tmp_path: Path) -> None:
    path, match = kept(tmp_path, Kuhn())
    text = path.read_bytes()
    for position in range(len(text)):
        path.write_bytes(text[:position] + bytes([text[position] ^ 0x15]) + text[position + 1 :])
        try:
            replay(match.game, read_record(path, match.game.program))
        except RecordFault as fault:
            assert fault.line is not None


def test_a_torn_last_line_can_be_resumed(tmp_path: Path) -> None:
    path, match = kept(tmp_path, Kuhn())
    text = path.read_bytes()
    starts = [i + 1 for i, byte in enumerate(text) if byte == 10]
    for size in range(starts[0] + 1, len(text)):
        path.write_bytes(text[:size])
        whole = sum(start <= size for start in starts) - 1
        if size in starts or size + 1 in starts:
            read_record(path, match.game.program)
            continue
        with pytest.raises(RecordFault) as fault:
            read_record(path, match.game.program)
        assert fault.value.resumable and fault.value.code == "RL9025"
        record = read_record(path, match.game.program, resume=True)
        assert record.events == match.events[:whole]


@pytest.mark.parametrize("text", [b"", b"\n"])
def test_an_empty_record(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "r"
    path.write_bytes(text)
    for read in (read_header, lambda p: read_record(p, Kuhn().program)):
        with pytest.raises(RecordFault):
            read(path)


def test_something_after_the_end(tmp_path: Path) -> None:
    path, match = kept(tmp_path, Kuhn())
    with path.open("a") as file:
        file.write('{"outcome": 1}\n')
    with pytest.raises(RecordFault, match="follows the end"):
        read_record(path, match.game.program)


def test_files_that_are_none(tmp_path: Path) -> None:
    for path, code in ((tmp_path, "RL1002"), (tmp_path / "no", "RL1001"), (Path("a\0b"), "RL1003")):
        with pytest.raises(RecordFault) as fault:
            read_header(path)
        assert fault.value.code == code and str(tmp_path) not in str(fault.value)


def test_too_many_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, match = kept(tmp_path, Kuhn())
    monkeypatch.setattr(record_reading, "RECORD_EVENTS", 2)
    with pytest.raises(RecordFault) as fault:
        read_record(path, match.game.program)
    assert (fault.value.code, fault.value.line) == ("RL9022", 4)
    with path.open("w") as file:
        file.writelines(list(record_lines(match.game.program, match.record))[:1] * 10)
    monkeypatch.setattr(record_reading, "RECORD_EVENTS", -1)
    with pytest.raises(RecordFault) as fault:
        read_header(path) and read_record(path, match.game.program)
    assert fault.value.code == "RL9022"


def test_an_event_that_the_game_refuses(tmp_path: Path) -> None:
    path, game = damaged(tmp_path, lambda line: b'{"outcome": 9}')
    with pytest.raises(RecordFault) as fault:
        replay(game, read_record(path, game.program))
    assert (fault.value.code, fault.value.line) == ("RL9023", 2)


def test_an_end_that_is_not_the_games(tmp_path: Path) -> None:
    path, game = damaged(tmp_path, with_key_in_end(state="0" * 64), -1)
    with pytest.raises(RecordFault) as fault:
        replay(game, read_record(path, game.program))
    assert fault.value.code == "RL9023"


def with_key_in_end(**changes: object) -> object:
    return lambda line: json.dumps({"end": {**json.loads(line)["end"], **changes}}).encode()


def test_a_record_of_another_game_is_not_replayed() -> None:
    with pytest.raises(RecordFault) as fault:
        replay(TicTacToe(), played(Kuhn()).record)
    assert fault.value.code == "RL9021"


def test_a_fault_may_go_to_another_process() -> None:
    fault = RecordFault("RL9022", 7, "There are too many.", resumable=True)
    again = pickle.loads(pickle.dumps(fault))
    assert (str(again), again.line, again.resumable) == ("RL9022: line 7: There are too many.", 7, True)
    assert again.diagnostics == fault.diagnostics


def test_options_are_written_by_their_labels() -> None:
    option = Kuhn().program.options[0]
    assert option_label(option.type, 0) == "short" and option_label(option.type, 9) == 9


# ------------------------------------------------------------------ writing


def test_nothing_is_written_on_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, match = kept(tmp_path, Kuhn())
    before = path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(RecordFault, match="No space left") as fault:
        write_record(path, match.game.program, played(Kuhn(), 8).record)
    assert fault.value.code == "RL9026"
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    with pytest.raises(RecordFault) as fault:
        write_record(tmp_path / "no" / "r", match.game.program, match.record)
    assert f"'{tmp_path / 'no' / 'r'}' cannot be written" in str(fault.value)


def test_records_have_the_rights_of_other_files(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        path, match = kept(tmp_path, Kuhn())
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o604)
        write_record(path, match.game.program, match.record)
    finally:
        os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o604 and list(tmp_path.iterdir()) == [path]


def test_a_live_record_is_whole_after_every_event(tmp_path: Path) -> None:
    path = tmp_path / "live.record.jsonl"
    game = Kuhn()
    match, live = start_live(path, game, 7, engine="fake")
    with live:
        assert read_record(path, game.program).events == ()
        while match.advance_chance().waiting.kind != "over":
            match.submit(match.state.moves(match.state.waiting.seats[0])[0])
            assert read_record(path, game.program) == match.record
    assert read_record(path, game.program).ending is not None
    with pytest.raises(RecordFault):
        start_live(path, game, 7)


def test_what_is_taken_back_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "live"
    game = TicTacToe()
    match, live = start_live(path, game, 7)
    with live:
        sizes = [path.stat().st_size]
        for cell in (0, 3, 1, 4, 2):
            match.submit(Play(len(match.events) % 2, 0, (cell,)))
            sizes.append(path.stat().st_size)
        assert match.outcome is not None
        for size in reversed(sizes[:-1]):
            match.undo()
            assert path.stat().st_size == size
        match.submit(Play(0, 0, (8,)))
    assert read_record(path, game.program).events == (Play(0, 0, (8,)),)


@pytest.mark.parametrize("torn", [0, 1, 5])
def test_a_broken_off_game_goes_on_as_it_would_have(tmp_path: Path, torn: int) -> None:
    """Also the chance that comes later is the same as without the break."""
    path, match = kept(tmp_path, Deal((1,) * 8, 3))
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]) + lines[4][: len(lines[4]) - 6 if torn == 5 else len(lines[4]) - torn])
    again, live = resume_live(path, match.game)
    with live:
        again.play([RandomAgent()] * 2)
    assert path.read_bytes() == whole and again.events == match.events


def test_a_finished_game_resumed_keeps_its_end(tmp_path: Path) -> None:
    path, match = kept(tmp_path, Kuhn())
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    again, live = resume_live(path, match.game)
    with live:
        assert again.outcome == match.outcome
    assert path.read_bytes() == whole


def test_a_full_disk_is_a_fault(tmp_path: Path) -> None:
    match, live = start_live(tmp_path / "live", Endless(hidden=False), 7)

    class Full:
        def __getattr__(self, name: str) -> object:
            def fail(*_: object) -> int:
                raise OSError(28, "No space left on device")

            return fail if name != "tell" else lambda: 0

    with live:
        pass
    live._file = Full()  # type: ignore[assignment]
    with pytest.raises(RecordFault):
        match.submit(Play(0, 0))
    with pytest.raises(RecordFault):
        match.undo()


def test_outcomes_are_events_too() -> None:
    assert Outcome(3) in played(Deal((1,) * 4, 2)).events


def test_a_record_beyond_the_limit_is_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played(Kuhn()).record
    monkeypatch.setattr("rulelang.play.match.RECORD_EVENTS", 1)
    with pytest.raises(RecordFault) as fault:
        replay(Kuhn(), record)
    assert (fault.value.code, fault.value.line) == ("RL9023", 3)


def test_a_record_that_cannot_be_written_is_not_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, match = kept(tmp_path, Kuhn())
    before = Path.open

    def read_only(self: Path, mode: str = "r", **rest: object) -> object:
        if "+" in mode:
            raise PermissionError(13, "Permission denied")
        return before(self, mode, **rest)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", read_only)
    with pytest.raises(RecordFault, match="Permission denied"):
        resume_live(path, match.game)


def test_a_cooperative_end_is_kept(tmp_path: Path) -> None:
    path, match = kept(tmp_path, Kuhn())
    record = match.record
    assert record.ending is not None
    outcome = attrs.evolve(record.ending.outcome, kind="grade", grade=7, returns=(Fraction(-1, 2), Fraction(7)))
    graded = attrs.evolve(record, ending=attrs.evolve(record.ending, outcome=outcome))
    write_record(path, match.game.program, graded)
    assert read_record(path, match.game.program) == graded
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.validate(json.loads(path.read_text().splitlines()[-1]))


def test_the_place_in_a_damaged_line_is_told_once(tmp_path: Path) -> None:
    path, game = damaged(tmp_path, lambda line: b'{"a": "\x01"}', FIRST)
    with pytest.raises(RecordFault) as fault:
        read_record(path, game.program)
    assert fault.value.message == "This is not JSON: Invalid control character at column 8."
