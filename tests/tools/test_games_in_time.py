"""``play`` in games with timers and at real tables; records with times, told and asked. No test waits for a clock."""

# ruff: noqa: E501  # rules and screens read better in whole lines

import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import Run, conforms
from terminal import Terminal
from test_verbs_at_the_table import read_until, start_on_terminal

from rulelang.failures import Exhausted
from rulelang.pipeline import compile_source, engine_named
from rulelang.play.agents import Agent
from rulelang.play.event import Play
from rulelang.play.match import Match
from rulelang.source import Source
from rulelang.tools import desk
from rulelang.tools.desk import RunningDesk, SteppingDesk, desk_for
from rulelang.tools.live import LiveSession
from rulelang.tools.session import Quit

RECORD = "game.record.jsonl"

PARTY = """game "Party":
  players: 2..3

values Card: ape, bear, cat
values Word: blue, big, old
zone deck: pile of Card, seen by nobody, starts with each Card times 2
zone hand for each player: bag of Card, seen by owner
zone heap: pile of Card
timer glass: 5 seconds
timer day: 2 minutes
marker ayes: 0..9
marker heard: 0..99
marker rounds: 0..9

overview:
  start day
  shuffle deck
  each p in players: put top(2) from deck into p's hand
  start glass
  players may freely touch or say or rest until glass is empty or heap is not empty because "what lies on top?"
  players must once_each vote because "was that right?"
  players must secretly vote
  table must next_round
  seat(1) may touch
  players may freely say until heard > 2
  end game, nobody wins

move touch(card in my hand):
  require not_the_ape: card is not ape because "{me} may not touch the ape"
  put card from my hand onto heap
move say(said in lists(2, Word)): heard rises by size of said
move rest: pause glass
move vote(right in 0..1): ayes rises by right
move next_round: rounds rises by 1
prefer touch when glass is empty
"""


class FakeDesk:
    """A clock that runs as it is told, and lines that are typed at their times."""

    runs = True

    def __init__(self, *typed: tuple[int, str], refreshing: bool = False) -> None:
        self.typed = list(typed)
        self.time = 0
        self.refreshing = refreshing
        self.pauses: list[int] = []

    def now(self) -> int:
        return self.time

    def line(self, until: int | None, refresh: Callable[[], None]) -> str | None:
        if self.typed and (until is None or self.typed[0][0] <= until):
            self.time = max(self.time, self.typed[0][0])
            if self.refreshing:
                refresh()
            return self.typed.pop(0)[1]
        if until is None:
            raise EOFError
        self.time = max(self.time, until)
        return None

    def pause(self, until: int) -> None:
        self.pauses.append(until)


class Patient:
    """Does something after a fixed time, or nothing."""

    name = "patient"

    def __init__(self, delay: int | None) -> None:
        self.delay = delay

    def choose(self, situation: Any, draw: Any) -> Any:
        return situation.answers[0]

    def propose(self, situation: Any, draw: Any) -> Any:
        left = None if self.delay is None else max(0, self.delay - situation.waited)
        return None if left is None or not situation.answers else (left, situation.answers[0])


def match_of(seats: int = 2, rules: str = PARTY, seed: int = 5) -> Match:
    program = compile_source(Source("game.rules", rules), "game").program
    return Match(engine_named("reference").configure(program, seats, {}), seed)


def played(
    capsys: pytest.CaptureFixture[str],
    typed: Sequence[tuple[int, str]],
    agents: Sequence[Agent | None] = (None, None),
    names: Sequence[str] = ("Ann", "Bob"),
    rules: str = PARTY,
    **more: bool,
) -> tuple[Match, str]:
    """A session until the lines end; what is on the screen behind the first question."""
    match = match_of(len(agents), rules)
    session = LiveSession(match, agents, names, FakeDesk(*typed), **more)
    with pytest.raises((EOFError, Quit)):
        session.run()
    return match, capsys.readouterr().out.partition("? explains what can be typed.\n")[2]


# ------------------------------------------------------------------ whoever wants to acts


def test_what_is_typed_counts_at_the_moment_of_enter(capsys: pytest.CaptureFixture[str]) -> None:
    match, shown = played(capsys, [(1_250, "Ann: say([blue, big])"), (2_000, "bob: say([old])")])
    assert "  0:01.2 Ann: say([blue, big])   [heard: 2]\n" in shown
    assert "  0:02.0 Bob: say([old])   [heard: 3]\n" in shown
    assert "0:01.2  glass 0:03.7  day 1:58  Ann, Bob: touch or say or rest (what lies on top?)\n" in shown
    assert match.now == 120_000 and "  0:05.0 the glass is empty\n" in shown  # and nobody votes until the day is over


def test_a_refusal_that_the_rules_name_is_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    rules = PARTY.replace('because "was that right?"', 'because voting: "was that right?"')
    _, shown = played(capsys, [(5_000, "Ann: say([old])"), (5_001, "Ann: vote(9)")], rules=rules)
    assert "  voting: was that right?" in shown and "RL8003" not in shown


def test_a_refused_act_does_not_stand_in_the_way_of_undo(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [(10, "ann: say([blue])"), (200, "bob: touch(ape)"), (300, "b: vote"), (400, "undo")]
    match, shown = played(capsys, [*lines, (500, "quit")], table=True)
    assert "not_the_ape" in shown or "RL80" in shown
    assert shown.count("  Taken back.") == 1 and "time has gone on" not in shown
    assert not any(isinstance(event, Play) for event in match.events)


def test_undo_by_name_takes_back_only_what_that_one_did(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [(10, "b: say([blue])"), (20, "a: undo"), (30, "b: undo"), (40, "b: say([blue])"), (50, "undo")]
    _, shown = played(capsys, [*lines, (60, "quit")], table=True)
    assert "> a: undo\n  RL8017: This cannot be taken back: Bob has acted since.\n" in shown
    assert "> b: undo\n  Taken back.\n" in shown and "> undo\n  Taken back.\n" in shown


def test_a_line_at_the_moment_of_expiry_is_too_late(capsys: pytest.CaptureFixture[str]) -> None:
    _, shown = played(capsys, [(5_000, "Ann: say([old])")])
    assert "  RL8003: was that right?" in shown and "[heard" not in shown


def test_automatic_players_act_when_they_have_come_to_it(capsys: pytest.CaptureFixture[str]) -> None:
    match, shown = played(capsys, [(2_999, "say blue"), (3_001, "say old")], [None, Patient(3_000)], ())
    order = [line for line in shown.split("\n") if line.startswith("  0:0")]
    assert [line.partition("   ")[0] for line in order[:2]] == [
        "  0:02.9 seat 1: say([blue])",
        "  0:03.0 seat 2: touch(cat)",
    ]
    assert match.state.waiting.words == "was that right?"


def test_what_an_automatic_player_proposed_too_late_is_not_done(capsys: pytest.CaptureFixture[str]) -> None:
    match, shown = played(capsys, [(1_000, "Ann: touch c")], [None, Patient(5_000)])
    assert "Bob" not in shown.partition("touch(cat)")[0] or "0:05.0 Bob: touch" not in shown
    assert len(match.events) > 2


def test_a_line_waits_for_what_comes_before_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Two timers and a player are due before what was typed while the program was busy."""

    class Busy(FakeDesk):
        def line(self, until: int | None, refresh: Callable[[], None]) -> str | None:
            self.time = 121_000
            return self.typed.pop(0)[1] if self.typed else super().line(None, refresh)

    match = match_of()
    with pytest.raises(EOFError):
        LiveSession(match, [None, Patient(4_000)], ("Ann", "Bob"), Busy((0, "Ann: vote 1"))).run()
    shown = capsys.readouterr().out
    assert shown.index("0:04.0 Bob: touch") < shown.index("0:05.0 the glass") < shown.index("2:01.0 Ann: vote(1)")


def test_everything_can_be_done_to_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        (100, "a: s blue"),
        (200, "b: rest"),
        (300, "b: touch c"),
        (400, "a: v 1"),
        (500, "vote 0"),
        (600, "a: vote 1"),
        (700, "b: vote 1"),
        (800, "table: next_round"),
        (900, "p"),
        (1_000, "b: say [old, old]"),
    ]
    match = match_of()
    LiveSession(match, [None, None], ("Ann", "Bob"), FakeDesk(*lines), table=True).run()
    shown = capsys.readouterr().out
    assert "Ann has answered." in shown and "the table: next_round" in shown
    assert shown.endswith("glass: paused, 0:04.8 left\nday: running, 1:59.0 left\n\nResult: a draw.\n")
    assert match.outcome is not None


def test_alone_nobody_needs_a_name_and_everything_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        (1, "?"),
        (2, "moves"),
        (3, "why touch(ape)"),
        (4, "view"),
        (5, "look"),
        (6, "log"),
        (7, "2: rest"),
        (8, "touch(bear)"),
    ]
    _, shown = played(capsys, lines, [None, Patient(None)], ())
    assert (
        "touch(card from your hand)" in shown
        and "Type MOVE." in shown
        and "  why MOVE   why it is not possible" in shown
    )
    assert "  glass: running, 0:04.9 left\n" in shown
    assert shown.count("hand of seat 1: ape, bear") == 2
    assert "An automatic player sits at seat 2." in shown


# ------------------------------------------------------------------ several people at one screen


def test_only_who_looks_sees_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [(10, "ann: look"), (20, ""), (6_000, ""), (6_001, "nonsense: look")]
    _, shown = played(capsys, lines, table=True)
    before, looking, after = shown.split("-" * 40)
    assert "Only Ann looks at the screen now: Enter." in before and "hand of Ann: 2 hidden" not in looking
    assert "hand of Ann: ape, bear" in looking and "Enter hides it again." in looking
    assert "the glass is empty" not in looking  # it is told when everybody looks again
    assert "hand of Ann: 2 hidden" in after and "0:05.0 the glass is empty" in after
    assert "ape" not in before + after


def test_what_only_one_sees_stands_next_to_the_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    """The table may scroll away, and what could be done with the cards; the cards may not."""
    _, shown = played(capsys, [(10, "ann: look"), (20, "")], table=True)
    looking = shown.partition("-" * 40)[2]
    assert "  touch(bear)\n  rest\nOnly Ann sees:\n  hand of Ann: ape, bear\nEnter hides it again. " in looking
    assert looking.index("hand of Bob: 2 hidden") < looking.index("touch(bear)")


def test_who_sees_no_more_than_the_others_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    _, shown = played(capsys, [(10, "table: look"), (20, "")], rules=PARTY, table=True)
    assert "  hand of Ann: 2 hidden\n" in shown and "table looks" not in shown
    empty = 'game "G":\n  players: 2\nvalues Card: ape\nzone deck: pile of Card, seen by nobody, starts with each Card\nmarker n: 0..9\noverview:\n  players may freely go until n > 0\n  end game, nobody wins\nmove go: n becomes 1\n'
    _, shown = played(capsys, [(10, "ann: look"), (20, "")], rules=empty, table=True)
    assert "Ann sees no more than the others.\nEnter hides it again." in shown


def test_whatever_is_typed_ends_a_look_and_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody may be in a hurry while another looks; nothing that is typed gets lost without a word."""
    lines = [(10, "ann: look"), (20, "b: say old"), (30, "ann: look"), (40, ""), (50, "b: say old"), (60, "a: lok")]
    _, shown = played(capsys, lines, table=True)
    before, looking, after = shown.split("-" * 40)
    assert "> b: say old\n  Ann has not looked.\n  0:00.0 Bob: say([old])   [heard: 1]\n" in before
    assert "hand of Ann: ape, bear" in looking and "0:00" not in looking.partition("Enter hides")[2]
    assert "  Ann looks no longer.\n  0:00.0 Bob: say([old])   [heard: 2]\n" in after and "ape" not in after


def test_who_looks_may_ask_what_others_must_not_hear(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        "ann: look",
        "",
        "why touch(ape)",
        "a: why t b",
        "why ann: fly",
        "moves",
        "why",
        "b: why touch cat",
        "quit",
    ]
    _, shown = played(capsys, [(10 * place, line) for place, line in enumerate(lines, 1)], table=True)
    looking, after = shown.split("-" * 40)[1:]
    asked = [part.partition("\nEnter hides")[0] for part in looking.split("\n> ")[1:]]
    assert asked[0].startswith("why touch(ape)\n  not_the_ape: Ann may not touch the ape\n")
    assert asked[1:5] == [
        "a: why t b\n  It is possible.",
        "why ann: fly\n  RL8004: This game has no move called 'fly'.",
        "moves\n  touch(bear)\n  rest",
        "why\n  Write the move too: why MOVE.",
    ]
    assert asked[5].startswith("b: why touch cat") and "  Ann looks no longer.\n" in after


STAKES = """game "Stakes":
  players: 2
values Card: ape, bear
zone hand for each player: bag of Card, seen by owner
zone box: bag of Card, starts with each Card times 9
marker score for each player: 0..9
marker rounds: 0..9
overview:
  each p in players: put ape from box into p's hand
  players may freely bid or show or stop_it until rounds > 8
  end game, nobody wins
move bid(n in 1..9):
  require once: my score is 0 because "you have bid"
  require more: n > rounds because "{n} is not more than {rounds}"
  my score becomes n
move show(card in my hand, n in 1..9):
  require scored: my score > 0 because "you have not bid"
  require enough: n > rounds because "{n} is too little"
  require an_ape: card is ape because "a {card} is no ape"
  rounds rises by 1
move stop_it: rounds becomes 9
"""


def test_everybody_may_hear_what_does_not_tell_of_hidden_cards(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["why a: bid 1", "a: bid 3", "why ann: b 1", "b: why show ape 1", ":why a: show bear 2", "a: why sh a 2"]
    _, shown = played(capsys, [(0, line) for line in [*lines, "why", "quit"]], rules=STAKES, table=True)
    told = [part.split("\n")[1:-1] for part in shown.split("\n> ")[1:-1]]  # without what is typed, and the prompt
    assert told[0] == ["  It is possible."]
    assert told[2] == ["  once: you have bid", "    see game.rules, line 13"]
    assert told[3] == [
        "  scored: you have not bid",
        "    see game.rules, line 17",
        "  Anything else may only be told to Bob: 'Bob: look', Enter, 'why show(ape, 1)'.",
    ]
    # whether there is a bear in Ann's hand, and so everything that depends on it, is nothing for the others
    nothing = "  Nothing that everybody sees is in the way. The rest may only be told to Ann: 'Ann: look', Enter, "
    assert told[4] == [f"{nothing}'why show(bear, 2)'."] and told[5] == [f"{nothing}'why show(ape, 2)'."]
    assert told[6] == ["  Say for whom: Ann: why"]


def test_the_prompt_names_those_who_can_still_do_it(capsys: pytest.CaptureFixture[str]) -> None:
    _, shown = played(capsys, [(0, "a: bid 3")], rules=STAKES, table=True)
    assert shown.startswith("Ann, Bob: bid or stop_it\n> a: bid 3\n")  # nobody can show anything before a bid
    assert shown.split("\n")[-2] == "Bob: bid; Ann: show; Ann, Bob: stop_it"


def test_an_act_that_changes_nothing_is_said_to(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [(1, "a: rest"), (2, "a: rest"), (3, "a: say old"), (4, "b: rest")]
    _, shown = played(capsys, lines, table=True)
    assert "  0:00.0 Ann: rest   [glass: paused, 0:04.9 left]\n" in shown
    assert shown.count("  0:00.0 Ann: rest   [no visible change]\n") == 1
    assert shown.count("  0:00.0 Bob: rest   [no visible change]\n") == 1
    talk = PARTY.replace("heard rises by size of said", "heard rises by 0")
    _, shown = played(capsys, [(3, "a: say old")], rules=talk, table=True)
    assert "  0:00.0 Ann: say([old])\n" in shown  # to be heard is enough


def test_commands_of_several_people(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        (1, "?"),
        (2, "moves"),
        (3, "a: moves"),
        (4, "rest"),
        (5, "ape: rest"),
        (6, "table: rest"),
        (7, ":view"),
        (8, ": rest"),
        (9, ""),
        (10, "seat 1: say(blue)"),
        (11, "undo"),
        (12, "undo"),
        (13, "2: why rest"),
        (14, "a: touch"),
        (15, "a: touch dog"),
        (16, "a: touch ape"),
        (17, "quit"),
    ]
    _, shown = played(capsys, lines)
    for line in (
        "  NAME: look   what only NAME may see; nobody else looks",
        "  Say for whom: Ann: moves",
        "  That could tell others what they must not know. 'Ann: look' shows it.",
        "  Say who it is: Ann: rest",
        "  RL8014: Nobody here is called 'ape'; there are Ann, Bob.",
        "  RL8014: An automatic player sits at table.",
        "  Taken back.",
        "  RL8017: This cannot be taken back: time has gone on since.",
        "  Write 'touch CARD'.",
        "  RL8005: 'dog' is not a choice for 'card'.",
        "  not_the_ape: Ann may not touch the ape",
    ):
        assert line in shown.replace("RL8005: Write", "Write"), line


def test_several_reasons_are_said_to_be_several(capsys: pytest.CaptureFixture[str]) -> None:
    _, shown = played(capsys, [(1, "b: touch c"), (3, "a: touch ape")], table=True)
    assert "  There are more reasons: 'Ann: why touch ape'.\n" in shown


def test_who_is_asked_alone_needs_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    rules = 'game "G":\n  players: 2\ntimer glass: 1 seconds\nmarker n: 0..9\noverview:\n  seat(2) must go\n  seat(1) must go\n  end game, nobody wins\nmove go: n rises by 1\n'
    match = match_of(rules=rules)
    LiveSession(match, [None, None], (), FakeDesk((5, "go"), (9, "go"))).run()
    assert [line for line in capsys.readouterr().out.split("\n") if ": go " in line] == [
        "  0:00.0 seat 2: go   [n: 1]",
        "  0:00.0 seat 1: go   [n: 2]",
    ]


def test_what_cannot_be_carried_out_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    rules = 'game "G":\n  players: 2\ntimer glass: 1 seconds\nmarker n: 0..1\noverview:\n  start glass\n  players may freely go until glass is empty\n  end game, nobody wins\nmove go: n rises by 2\n'
    match = match_of(rules=rules)
    LiveSession(match, [None, None], (), FakeDesk((5, "1: go"))).run()
    assert "  RL8007: 'n' cannot become 2; it stays within 0..1." in capsys.readouterr().out


def test_where_nobody_can_do_anything_the_game_is_stuck(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Exhausted, match="Nobody does anything here"):
        LiveSession(
            match_of(rules=PARTY.replace("  start glass\n", "").replace("  start day\n", "")),
            [Patient(None)] * 2,
            (),
            FakeDesk(),
        ).run()


def test_legal_moves_that_are_many_are_not_all_listed(capsys: pytest.CaptureFixture[str]) -> None:
    rules = 'game "G":\n  players: 1\ntimer glass: 1 seconds\nmarker n: 0..99\noverview:\n  [seat(1)] may freely go until n > 0\n  end game, nobody wins\nmove go(m in 0..99): n becomes m\n'
    _, shown = played(capsys, [(1, "moves"), (2, "go 0")], [None], (), rules=rules)
    assert "go(55)\n  ... and 40 more\n" in shown and "go(59)" in shown and "go(60)" not in shown


# ------------------------------------------------------------------ a terminal


def test_on_a_terminal_the_prompt_is_drawn_anew(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "30")
    with pytest.raises(EOFError):
        LiveSession(match_of(), [None, Patient(1_000)], (), FakeDesk((1_500, "say old"), refreshing=True)).run()
    shown = capsys.readouterr().out
    assert "\n> \r\x1b[K\x1b[1A\x1b[K  0:01.0 seat 2" in shown
    assert "\x1b7\x1b[1A\r0:01.5  day 1:58  seat 1, sea\x1b[K\x1b8" in shown or "\x1b7\x1b[1A\r0:01.5" in shown


LONG = PARTY.replace("what lies on top?", "whoever is first tells the others what is what, and then says it once more")
"""A game whose prompt does not fit into a row."""


def test_the_clock_goes_on_in_its_own_row(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A prompt that wraps would be overwritten in its last row: then two times stand on the screen."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "61")
    lines = [(1_500, "a: no_move"), (2_500, "?"), (3_500, "")]
    with pytest.raises(EOFError):
        LiveSession(match_of(rules=LONG), [None, None], ("Ann", "Bob"), FakeDesk(*lines, refreshing=True)).run()
    written = capsys.readouterr().out.partition("? explains what can be typed.\n")[2]
    before, _, after = written.partition("> a: no_move\n")
    assert before.startswith("0:00.0  glass 0:05.0  day 2:00  Ann, Bob: touch or say or...\n> \x1b7")
    screen = Terminal(61, 24).write(before).shown()
    assert screen == ["0:01.5  glass 0:03.5  day 1:58  Ann, Bob: touch or say or...", ">"]
    unasked, _, asked = after.partition("> ?\n")
    assert "then says it once more" not in unasked and "then says it once more" in asked.partition("\n")[0]


def test_the_clock_on_a_real_terminal_of_80_columns() -> None:
    Path("long.rules").write_text(LONG, encoding="utf-8")
    process, terminal = start_on_terminal(
        "play", "long.rules", "--table", "--names", "Ann,Bob", "--seed", "7", columns=80
    )
    seen = read_until(terminal, b"> ")
    seen += read_until(terminal, b"\x1b8")  # it has been told anew what time it is
    os.write(terminal, b"quit\n")
    seen += read_until(terminal, b"Nobody has moved")
    os.waitpid(process, 0)
    os.close(terminal)
    told = Terminal(80, 24).write(seen.decode()).shown()
    rows = [line for line in told if "  glass 0:0" in line]
    assert len(rows) == 1 and rows[0].startswith("0:01.") and rows[0].endswith("...") and len(rows[0]) < 80
    assert told[told.index(rows[0]) + 1] == "> quit"


def test_a_game_in_real_time_on_a_real_terminal(run: Run) -> None:
    process, terminal = start_on_terminal("play", "snap", "--seats", "human,random", "--seed", "7", "--pace", "20")
    read_until(terminal, b"(is it a pair?)\r\n> ")
    os.write(terminal, b"snap\n")
    read_until(terminal, b"seat 1: snap")
    seen = read_until(terminal, b"the glass is empty")
    os.write(terminal, b"\x03")
    seen += read_until(terminal, b"look at:")
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 130 and b"Traceback" not in seen
    assert "--seats human,random --pace 20" in seen.decode().replace("\r\n", "\n")
    assert " the glass is empty" in run("replay snap-7.record.jsonl").stdout
    assert signal.getsignal(signal.SIGINT) is not None


class Keyboard:
    """What a process reads from."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, typed: bytes, *, ends: bool = True) -> None:
        self.reading, self.writing = os.pipe()
        os.write(self.writing, typed)
        if ends:
            os.close(self.writing)
        monkeypatch.setattr(sys, "stdin", self)

    def fileno(self) -> int:
        return self.reading


def no_refresh() -> None:
    raise AssertionError("nothing is drawn anew")


def test_lines_of_a_running_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    Keyboard(monkeypatch, b"one\r\n two \n\nthree \xff" + b"x" * 40_000)
    running = RunningDesk(70, 1)
    assert [running.line(None, no_refresh) for _ in range(3)] == ["one", "two", ""]
    last = running.line(None, no_refresh)
    assert last is not None and last.startswith("three \ufffdxxx") and len(last) == desk.LONGEST_INPUT
    for _ in range(2):
        with pytest.raises(EOFError):
            running.line(None, no_refresh)
    assert running.now() >= 70 and running.runs


def test_a_running_desk_waits_no_longer_than_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    Keyboard(monkeypatch, b"no end", ends=False)
    running, drawn = RunningDesk(0, 1_000_000), []
    assert running.line(10, no_refresh) is None
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(desk, "REFRESH", 0.000_001)
    until = running.now() + 5_000_000
    assert running.line(until, lambda: drawn.append(running.now())) is None
    assert drawn and running.now() >= until
    running.pause(running.now() + 1_000)
    running.pause(0)


def test_a_stepping_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("one\n\n\n" + "x" * 5_000 + "\n" + "y" * 2_500))
    stepping = desk_for(0, 3)
    assert isinstance(stepping, SteppingDesk) and not stepping.runs
    assert stepping.line(10, no_refresh) == "one" and stepping.now() == 3
    assert stepping.line(10, no_refresh) is None and stepping.now() == 10
    assert stepping.line(None, no_refresh) == ""
    assert stepping.line(None, no_refresh) == "x" * 2_000
    assert stepping.line(None, no_refresh) == "y" * 2_000
    with pytest.raises(EOFError):
        stepping.line(None, no_refresh)
    stepping.pause(20)
    assert stepping.now() == 20
    assert isinstance(desk_for(2, 0), RunningDesk)


# ------------------------------------------------------------------ the commands


def test_enter_that_a_look_asks_for_lets_no_time_go_on(run: Run) -> None:
    """At pace 0 Enter alone goes on to the next thing that happens: not while somebody looks."""
    Path("party.rules").write_text(PARTY, encoding="utf-8")
    result = run("play party.rules --table --names Ann,Bob --pace 0 --seed 5", "a: look\n\n\nb: say old\n\nquit\n")
    before, looking, after = result.stdout.split("-" * 40)
    assert "Only Ann looks at the screen now: Enter.\n> \n" in before and "Only Ann sees:" in looking
    assert "the glass is empty" not in before + looking
    assert "  0:00.0 Bob: say([old])" in after and "  0:05.0 the glass is empty" in after


def test_a_game_in_simulated_time(run: Run) -> None:
    game = "play snap --option ranks=4 --seats human,random --seed 4 --pace 0"
    first = run(game, "snap\n" + "\n" * 400)
    assert first.exit_code == 0, first.output
    assert "Result: " in first.stdout and "  0:03.0 the glass is empty\n" in first.stdout
    assert first.stdout == run(game, "snap\n" + "\n" * 400).stdout


def test_without_people_a_pace_changes_nothing_but_how_long_it_takes(run: Run) -> None:
    game = "play snap --option ranks=4 --seats random,advised --seed 4"
    assert run(game).stdout == run(f"{game} --pace 1000000").stdout
    for line in run(f"{game} --pace 1000000 --format json").stdout.splitlines():
        conforms(json.loads(line), "play")


def test_the_next_thing_is_waited_for(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    fake = FakeDesk()
    monkeypatch.setattr(desk, "desk_for", lambda pace, start: fake)
    result = run("play snap --option ranks=4 --seats random,advised --seed 4 --pace 5")
    told = [line for line in result.stdout.split("\n") if "empty" in line and " the glass" in line]
    assert len(fake.pauses) >= len(told) and fake.pauses == sorted(fake.pauses) and fake.pauses[0] <= 3_000


def test_a_game_goes_on_when_it_was_broken_off(run: Run) -> None:
    begun = run(
        f"play snap --seats human,random --seed 4 --pace 0 --names Ann,Bob --record {RECORD}", "ann: snap\n\nquit\n"
    )
    assert begun.exit_code == 0
    assert f"--resume {RECORD} --seats human,random --names Ann,Bob --pace 0" in begun.stderr
    rest = run(f"play snap --resume {RECORD} --seats human,human --names Ann,Bob --pace 0 --table", "quit\n")
    assert "glass 0:0" in rest.stdout and "0:00.0" not in rest.stdout and "--table" in rest.stderr
    assert run(f"play snap --resume {RECORD} --seats random,advised").exit_code == 0
    assert "the end is the same as in the record" in run(f"replay {RECORD}").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("snap --seats human,random --names Ann", "There is 1 name for 2 seats."),
        ("pig --pace 2", "'--pace' is for games with timers; this one has none."),
        ("snap --seats random,random --table", "'--table' is for people; nobody here is one."),
        ("pig --names Ann,Bob", "'--names' is for people in games with timers, and for '--table'."),
        ("snap --names Ann,ann", "Two players have the same name."),
        ("snap --names Ann,view", "'view' cannot be the name of a player."),
        ("snap --names a:b,c", "'a:b' cannot be the name of a player."),
        ("snap --names Ann,", "'' cannot be the name of a player."),
        ("snap --pace -1", "-1"),
        ("snap --pace nan", "'nan' is not a number"),
        ("snap --pace 1e-300", "'--pace' is 0 or at least 0.001."),
    ],
)
def test_what_does_not_go_together(run: Run, words: str, said: str) -> None:
    result = run(f"play {words}")
    assert result.exit_code == 2 and said in result.stderr


def test_names_say_how_many_play(run: Run) -> None:
    assert "Snap: human, random, random;" in run("play snap --names A,B,C --seed 1 --pace 0", "quit\n").stdout
    for option in ("--names A,B", ""):
        result = run(f"play kuhn-poker --table --seed 1 --pace 1 {option}".replace(" --pace 1", ""), "")
        assert result.exit_code != 2, result.output


# ------------------------------------------------------------------ records that are told and asked


def test_a_record_with_times_is_told_and_asked(run: Run) -> None:
    assert run(f"play snap --option ranks=4 --seats random,advised --seed 4 --record {RECORD}").exit_code == 0
    told = run(f"replay {RECORD} --format json").stdout.splitlines()
    for line in told:
        conforms(json.loads(line), "replay")
    kinds = {json.loads(line)["type"] for line in told}
    assert kinds == {"start", "chance", "move", "expiry", "outcome", "end"}
    for line in Path(RECORD).read_text(encoding="utf-8").splitlines():
        conforms(json.loads(line), "record")
    text = run(f"replay {RECORD} --to 4").stdout
    assert (
        "   2  0:03.0 the glass is empty\n" in text
        and "glass: " in text
        and "glass." not in text
        and "clock" not in text
    )
    assert run(f"why-not {RECORD}:2 snap").stdout.startswith("Snap, after 2 events, at 0:03.0")
    data = json.loads(run(f"why-not {RECORD}:2 snap --format json").stdout)
    conforms(data, "why-not")
    assert data["time"] == 3_000
    data = json.loads(run(f"explain {RECORD} --format json").stdout)
    conforms(data, "explain")
    assert data["time"] > 3_000


def test_whether_a_paused_timer_runs_is_no_branch_of_the_author(run: Run) -> None:
    result = run("test snap --cov")
    assert result.exit_code == 0 and "snap: 29 of 29 parts used" in result.stdout
