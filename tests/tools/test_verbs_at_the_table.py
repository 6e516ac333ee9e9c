"""``play`` and ``replay``: people at the terminal, records, and what nobody may see."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

import pytest
from command_line import Run, conforms

RECORD = "game.record.jsonl"


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


# ------------------------------------------------------------------ without people


def test_a_game_is_shown_and_its_result(run: Run) -> None:
    result = run("play tic-tac-toe --seats random,random --seed 7")
    assert result.exit_code == 0
    assert "   1  seat 1: place(" in result.stdout
    assert "mark:\n  3  " in result.stdout
    assert "Result: " in result.stdout
    assert result.stdout.isascii()
    assert result.stdout == run("play tic-tac-toe --seats random,random --seed 7").stdout


HEXAGONS = """game "Hexagons":
  players: 2
board Cell: 3 by 2 hexagons
marker mark for each Cell: 0..10
move wait
overview:
  mark[cell(Cell, 2, 1)] becomes 10
  seat(1) must wait
  end game, nobody wins
"""


def test_rows_of_hexagons_are_shifted(run: Run) -> None:
    Path("hexagons.rules").write_text(HEXAGONS)
    drawn = "mark:\n      3  0   0\n    2  10  0\n  1  0   0\n     a   b\n"
    assert drawn in run("play hexagons.rules --seats random,random --seed 1").stdout


@pytest.mark.parametrize(
    "game",
    ["tic-tac-toe", "leduc-poker", "goofspiel", "pig", "liars-dice", "dots-and-boxes", "connect-four", "kuhn-poker"],
)
def test_every_classic_is_told_in_json_and_replayed(run: Run, game: str) -> None:
    played = run(f"play {game} --seats random,random --seed 3 --format json --record {RECORD}")
    assert played.exit_code == 0
    for line in lines(played.stdout):
        conforms(line, "play")
    replayed = run(f"replay {RECORD} --format json")
    told = lines(replayed.stdout)
    for line in told:
        conforms(line, "replay")
    assert told[-1]["verified"] is True
    assert told[1:-1] == lines(played.stdout)[1:]
    for text in (f"replay {RECORD}", f"replay {RECORD} --seat 2", f"replay {RECORD} --to 1"):
        assert run(text).exit_code == 0


def test_spectators_see_no_hidden_answers(run: Run) -> None:
    run(f"play goofspiel --option cards=4 --option bids=hidden --seats random,random --seed 3 --record {RECORD}")
    spectator = run(f"replay {RECORD}").stdout
    assert "seat 1: offer(?)" in spectator and "hand of seat 1: 3 hidden" in spectator
    own = run(f"replay {RECORD} --seat 1").stdout
    assert "seat 2: offer(?)" in own and "seat 1: offer(?)" not in own


def test_replay_to_an_event(run: Run) -> None:
    run(f"play tic-tac-toe --seats random,random --seed 7 --record {RECORD}")
    text = run(f"replay {RECORD} --to 3").stdout
    assert "   3  seat" in text and "   4  seat" not in text
    assert "The game is not over here." in text
    assert "3 events replayed." in text
    assert run(f"replay {RECORD} --seat 3").exit_code == 2
    assert run(f"replay {RECORD} --resume --to 3").exit_code == 2


def test_a_record_is_never_overwritten(run: Run) -> None:
    Path(RECORD).write_text("mine", encoding="utf-8")
    result = run(f"play tic-tac-toe --seats random,random --seed 7 --record {RECORD}")
    assert result.exit_code == 1
    assert Path(RECORD).read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda text: "", "RL9020"),
        (lambda text: "\xff" + text, "RL9001"),
        (lambda text: text.replace('"seats": 2', '"seats": 3'), "RL9021"),
        (lambda text: text.replace('"options": {}', '"options": {"pon": true}'), "RL9021"),
        (lambda text: text.replace('"program": "', '"program": "0'), "RL9021"),
        (lambda text: text.replace("place", "plaze"), "RL90"),
        (lambda text: text.replace("tic-tac-toe", "tic-tac"), "RL1010"),
        (lambda text: text.replace("tic-tac-toe", "../tic-tac-toe"), "RL1010"),
        (lambda text: text.replace('"seat": 1', '"seat": 2', 1), "RL9023"),
        (lambda text: text[:-40], "RL90"),
        (lambda text: text.replace('"state": "', '"state": "0'), "RL90"),
    ],
)
def test_damaged_records_are_diagnosed_with_their_line(run: Run, damage, code: str) -> None:  # type: ignore[no-untyped-def]
    run(f"play tic-tac-toe --seats random,random --seed 7 --record {RECORD}")
    text = damage(Path(RECORD).read_text(encoding="utf-8"))
    Path(RECORD).write_text(text, encoding="utf-8")
    result = run(f"replay {RECORD}")
    assert result.exit_code == 1
    assert code in result.stderr
    assert Path(RECORD).read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("changed", "said"), [('"dice": 9', "'dice' cannot be '9'"), ('"dies": 1', "There is no option called 'dies'")]
)
def test_options_that_the_rules_do_not_have_are_those_of_another_game(run: Run, changed: str, said: str) -> None:
    run(f"play liars-dice --seats random,random --seed 7 --option dice=1 --record {RECORD}")
    text = Path(RECORD).read_text(encoding="utf-8")
    Path(RECORD).write_text(text.replace('"dice": 1', changed), encoding="utf-8")
    for command in (f"replay {RECORD}", f"play --resume {RECORD}", f"why-not {RECORD} call_liar"):
        result = run(command)
        assert result.exit_code == 1
        told = " ".join(result.stderr.split())
        assert f"{RECORD}:1:1: RL9021" in told and said in told and "RL7" not in told


def test_records_that_are_not_there(run: Run) -> None:
    assert "RL1001" in run("replay nowhere.record.jsonl").stderr
    assert "RL1002" in run("replay .").stderr
    assert "RL1001" in run("play --resume nowhere.record.jsonl").stderr


# ------------------------------------------------------------------ people


def test_a_person_plays_by_numbers_and_by_names(run: Run) -> None:
    typed = "place(b2)\nPlace( A1 )\n1\n1\n1\n1\n1\n1\n1\n"
    result = run("play tic-tac-toe --seats human,human --seed 1", typed)
    assert result.exit_code == 0
    assert "Pass the keyboard" not in result.stdout  # nothing is hidden here
    assert "seat 2: place(a1)" in result.stdout and "Result: " in result.stdout


def test_questions_at_the_table(run: Run) -> None:
    asked = "?,why,why place(b2),place(b2),why place(b2),place(b2),plase(a1),99,place(z9),place(,log,view,moves,quit,"
    typed = asked.replace(",", "\n")
    result = run("play tic-tac-toe --seats human,human --seed 1", typed)
    told = result.stdout
    assert result.exit_code == 0
    for said in (
        "place(square from Square)",
        "not if ... is already marked (free)",
        "why MOVE.",
        "It is possible.",
        "free: b2 is already marked",
        "Did you mean 'place'?",
        "There is no move 99; they are numbered from 1 to 8.",
        "such as a1",
        "  seat 1: place(b2)",
    ):
        assert said in told, said


def test_undo(run: Run) -> None:
    result = run("play tic-tac-toe --seats human,human --seed 1", "undo\nplace(b2)\nundo\nplace(a1)\nquit\n")
    assert "nothing has been done yet" in result.stdout
    assert "Taken back." in result.stdout
    record = next(Path().glob("*.record.jsonl")).read_text(encoding="utf-8")
    assert '"arguments": [0]' in record and '"arguments": [4]' not in record


CROWDED = """game "Crowded":
  players: 2

values Card: ape, bear
values Stage: early, late
zone box: bag of Card, starts with each Card times 9
zone hand for each player: bag of Card, seen by owner
zone lane for each 1..30: pile of Card
marker stage: Stage
marker lives for each player: 0..5 = 5
marker score for each player: 0..9
marker taken: yes or no
marker asked: Card or none
marker first_one: player
marker heard for each 1..20: 0..9
move lay(n in 1..30):
  put ape from box onto lane[n]
  my score rises by 1
overview:
  each p in players: put bear from box into p's hand
  repeat: seat(1) must lay
"""


def test_what_says_nothing_is_left_out_of_a_table_of_many_lines(run: Run) -> None:
    """What is empty, none, no or 0 as at the start; not what the rules set, nor the first word or player."""
    Path("crowded.rules").write_text(CROWDED, encoding="utf-8")
    told = run("play crowded.rules --seats human,human --seed 1", "\nlay(7)\nview all\nquit\n").stdout
    first, second = (part.split("\n\n")[0] for part in told.split("\n\n") if part.startswith("box:"))
    kept = ["stage: early", "lives: seat 1 5, seat 2 5"]
    hands = ["hand of seat 1: bear", "hand of seat 2: 1 hidden"]
    left_out = "({} places are left out, empty or as at the start: 'view all')"
    assert first.split("\n") == [
        *["box: 9 x ape, 7 x bear", *hands, *kept, "first_one: seat 1"],
        left_out.format(30 + 2 + 1 + 1 + 20),
    ]
    assert second.split("\n") == [
        *["box: 8 x ape, 7 x bear", *hands, "lane 7: ape", *kept, "score: seat 1 1, seat 2 0", "first_one: seat 1"],
        left_out.format(29 + 1 + 1 + 20),
    ]
    whole = told.rpartition("box: ")[2]
    assert "  lane 6: empty\n  lane 7: ape\n" in whole and "left out" not in whole and "  taken: no\n" in whole


def test_a_table_that_fits_on_a_screen_is_told_whole(run: Run) -> None:
    told = run("play kuhn-poker --seats human,random --seed 4", "view\nquit\n").stdout
    assert told.count("passes: 0\n") == 2 and "left out" not in told


STUCK = """game "Stuck":
  players: 2

marker points for each player: 0..9
move go_on: my points rises by 1
move win:
  require ahead: my points > 3 because "you have only {my points}"
  end game, nobody wins

overview:
  seat(1) must go_on
  seat(2) must win
"""


def test_a_choice_without_a_move_is_told_to_people_as_to_machines(run: Run) -> None:
    Path("stuck").mkdir()
    Path("stuck/stuck.rules").write_text(STUCK, encoding="utf-8")
    why = "'win' is refused, because of 'ahead'"
    said = f"RL8022: Seat 2 must move, and no move is possible; {why}. (stuck/stuck.rules, line 12)"
    person = run("play ./stuck --seats human,human --seed 7", "1\nwhy win\nundo\n1\nquit\n")
    assert person.exit_code == 0
    assert person.stdout.count(said) == 2 and "'why MOVE' says what is in the way" in person.stdout
    assert "ahead: you have only 0" in person.stdout
    machine = run("play ./stuck --seats random,random --seed 7")
    assert (machine.exit_code, machine.stderr) == (1, f"{said}\n")


LOUD = """game "Loud":
  players: 1

marker lastly: 0..9
move lay(number in 1..9, maybe loudly, maybe twice):
  require quiet: not loudly because "do not shout"
  lastly becomes number

overview:
  repeat: seat(1) must lay
"""


@pytest.mark.parametrize("typed", ["lay(4)", "lay(4, no)", "lay(4, no, no)"])
def test_a_maybe_at_the_end_may_be_left_out(run: Run, typed: str) -> None:
    Path("loud.rules").write_text(LOUD, encoding="utf-8")
    assert "lastly: 4" in run("play loud.rules --seats human --seed 1", f"{typed}\nquit\n").stdout
    assert "It is possible." in run("play loud.rules --seats human --seed 1", f"why {typed}\nquit\n").stdout
    assert run(["why-not", "loud.rules", typed]).stdout.endswith(": lay(4, no, no)\nIt is possible.\n")
    assert "quiet: do not shout" in run(["why-not", "loud.rules", "lay(4, yes)"]).stdout


def test_what_a_maybe_is(run: Run) -> None:
    Path("loud.rules").write_text(LOUD, encoding="utf-8")
    told = run("play loud.rules --seats human --seed 1", "?\nlay\nlay(4, no, no, no)\nlay(4, perhaps)\nquit\n").stdout
    assert "  lay(number from 1..9, maybe loudly, maybe twice)\n" in told
    each = "is yes or no, no if it is left out"
    assert told.count(f"Write 'lay(number, loudly, twice)'; 'loudly' {each}; 'twice' {each}.\n") == 2
    assert "'perhaps' is not a choice for 'loudly'. It is yes or no.\n" in told


def test_a_maybe_before_an_answer_is_written(run: Run) -> None:
    Path("loud.rules").write_text(LOUD.replace("number in 1..9, maybe loudly,", "maybe loudly, number in 1..9,"))
    told = run("play loud.rules --seats human --seed 1", "lay(4)\nlay(no, 4)\nquit\n").stdout
    assert "'lay(loudly, number, twice)'; 'loudly' is yes or no; 'twice' is yes or no, no if it is left out.\n" in told
    assert "lastly: 4" in told


def test_a_move_called_like_a_command(run: Run) -> None:
    Path("g.rules").write_text(
        'game "G":\n  players: 1\n\noverview:\n  seat(1) must view\n  end game, nobody wins\n\nmarker seen: yes or no\n'
        "\nmove view: seen becomes yes\n",
        encoding="utf-8",
    )
    assert "seen: no" in run("play g.rules --seats human --seed 1", ":view\n:quit\n").stdout
    assert "Result: a draw." in run("play g.rules --seats human --seed 1", "view\n").stdout


def test_the_keyboard_is_handed_over_before_anything_is_shown(run: Run) -> None:
    result = run("play kuhn-poker --seats human,human --seed 4", "\nbet\n\npass_by\n")
    parts = result.stdout.split("Pass the keyboard to ")
    assert len(parts) == 3
    first, second = parts[1], parts[2]
    assert first.startswith("seat 1") and second.startswith("seat 2")
    assert "hand of seat 1: 1 hidden" not in first and "hand of seat 2: 1 hidden" in first
    assert "hand of seat 1: 1 hidden" in second and "seat 1: bet" in second
    assert "Result:" in second


def test_sealed_answers_stay_sealed_and_can_be_taken_back_until_all_are_there(run: Run) -> None:
    game = "play goofspiel --option cards=3 --option order=descending --seats human,human --seed 1"
    result = run(game, "\noffer(1)\nundo\noffer(2)\n\noffer(3)\n")
    assert "Taken back." in result.stdout
    _, _, after = result.stdout.partition("Pass the keyboard to seat 2")
    second = after.partition("Pass the keyboard to seat 2")[2].partition("Pass the keyboard")[0]
    assert "hand of seat 1: 3 hidden" in second and "offer(2)\n  seat" not in second.partition("Seat 2 >")[0]
    assert result.exit_code == 130  # the input ended in the second round
    record = next(Path().glob("*.record.jsonl")).read_text(encoding="utf-8")
    assert '"arguments": [2]' in record and '"arguments": [1]' not in record


def test_only_views_are_shown_to_a_person(run: Run) -> None:
    """Two games that one seat cannot tell apart look the same to it, whatever the other holds."""
    shown: dict[str, set[str]] = {}
    for seed in range(12):
        text = run(f"play kuhn-poker --seats human,random --seed {seed}", "quit\n").stdout
        table = text.partition("\n")[2]
        own = next(line for line in table.splitlines() if line.startswith("hand of seat 1: "))
        shown.setdefault(own, set()).add(table)
    assert len(shown) == 3
    assert all(len(tables) == 1 for tables in shown.values())


@pytest.mark.parametrize("named", [True, False])
def test_a_game_that_ends_early_is_kept_and_goes_on(run: Run, named: bool) -> None:
    option = f" --record {RECORD}" if named else ""
    result = run(f"play tic-tac-toe --seats human,human --seed 7{option}", "place(b2)\nplace(a1)\n")
    assert result.exit_code == 130
    path = RECORD if named else "tic-tac-toe-7.record.jsonl"
    assert f"rulelang play tic-tac-toe --resume {path} --seats human,human" in result.stderr
    assert result.stderr.endswith(f"\nThe game is kept in {path}\n")
    assert "2 events replayed." in run(f"replay {path}").stdout
    rest = run(f"play tic-tac-toe --resume {path} --seats human,human", "place(b1)\nplace(a2)\nplace(b3)\n")
    assert rest.exit_code == 0 and "Result: seat 1 wins." in rest.stdout
    assert "the end is the same as in the record" in run(f"replay {path}").stdout
    assert run(f"replay {path} --resume --seats random,random").exit_code == 0


@pytest.mark.parametrize(("typed", "code"), [("", 130), ("quit\n", 0)])
def test_a_game_in_which_nobody_has_moved_is_not_kept(run: Run, typed: str, code: int) -> None:
    result = run("play kuhn-poker --seats human,human --seed 4", typed)
    assert (result.exit_code, result.stderr) == (code, "Nobody has moved: nothing is kept.\n")
    assert not list(Path().iterdir())


def test_a_torn_record_goes_on_before_the_tear(run: Run) -> None:
    run(f"play tic-tac-toe --seats human,human --seed 7 --record {RECORD}", "place(b2)\nplace(a1)\n")
    with Path(RECORD).open("a", encoding="utf-8") as file:
        file.write('{"play": "pla')
    assert run(f"replay {RECORD}").exit_code == 1
    assert run(f"play --resume {RECORD} --seats random,random").exit_code == 0
    assert run(f"replay {RECORD}").exit_code == 0


def test_resuming_takes_everything_from_the_record(run: Run) -> None:
    run(f"play tic-tac-toe --seats random,random --seed 7 --record {RECORD}")
    assert run(f"play --resume {RECORD} --seed 3").exit_code == 2
    assert run(f"play --resume {RECORD} --seats random").exit_code == 2


# ------------------------------------------------------------------ a real terminal


def read_until(terminal: int, wanted: bytes) -> bytes:
    seen, deadline = b"", time.monotonic() + 60
    while wanted not in seen and time.monotonic() < deadline:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            seen += os.read(terminal, 4096)
        except OSError:
            break
    assert wanted in seen, seen.decode(errors="replace")
    return seen


def start_on_terminal(*words: str, columns: int = 200) -> tuple[int, int]:
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execve(sys.executable, [sys.executable, "-m", "rulelang", *words], {**os.environ, "TERM": "xterm"})
    return process, terminal


def test_ctrl_c_leaves_a_record_that_goes_on(run: Run) -> None:
    process, terminal = start_on_terminal("play", "tic-tac-toe", "--seats", "human,human", "--seed", "7")
    read_until(terminal, b"Seat 1 > ")
    os.write(terminal, b"place(b2)\n")
    read_until(terminal, b"Seat 2 > ")
    os.write(terminal, b"\x03")
    seen = read_until(terminal, b"The game is kept in ")
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 130
    assert b"Traceback" not in seen
    assert "1 event replayed." in run("replay tic-tac-toe-7.record.jsonl").stdout


def test_on_a_terminal_the_screen_is_cleared_between_seats(run: Run) -> None:
    process, terminal = start_on_terminal("play", "kuhn-poker", "--seats", "human,human", "--seed", "4")
    first = read_until(terminal, b"press Enter: ")
    assert b"\x1b[2J\x1b[3J" in first and b"hand of" not in first
    os.write(terminal, b"\n")
    read_until(terminal, b"Seat 1 > ")
    os.write(terminal, b"bet\n")
    second = read_until(terminal, b"press Enter: ")
    cleared = second.rpartition(b"\x1b[2J\x1b[3J\x1b[H")[2]
    assert b"hand of" not in cleared
    os.kill(process, signal.SIGINT)
    os.waitpid(process, 0)
    os.close(terminal)
