"""``rulelang sim`` of rules that were simulated before begins at once, and prints the same."""

from pathlib import Path

import pytest
from command_line import Run

from rulelang.rulesets import find
from rulelang.tools import sim

SIM = "sim mine.rules --games 40 --seats random,random --seed 7 --engine native"


@pytest.fixture
def mine(own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rules of one's own, and a cache of machine code of one's own."""
    pytest.importorskip("llvmlite")
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "objects"))
    path = own_folder / "mine.rules"
    path.write_text(find("tic-tac-toe").read_text(encoding="utf-8"), encoding="utf-8")
    return path


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rules that are read from now on to be compiled."""
    found: list[str] = []
    real = sim.open_program

    def noted(name: Path, **more: bool) -> object:
        found.append(str(name))
        return real(name, **more)

    monkeypatch.setattr(sim, "open_program", noted)
    return found


def test_the_second_time_begins_at_once_and_prints_the_same(mine: Path, opened: list[str], run: Run) -> None:
    first = run(f"{SIM} --no-promises")
    assert opened == ["mine.rules"] and first.exit_code == 0
    for games in (40, 1, 16, 17):
        command = f"{SIM.replace('40', str(games))} --no-promises"
        opened.clear()
        there = run(command)
        assert opened == []
        assert there.output == run(f"{command} --no-cache").output


@pytest.mark.parametrize(
    "more",
    ["--format json", "--no-cache", "--engine reference", "--seats random,advised", "--games 201", "--option a=1"],
)
def test_what_is_asked_otherwise_goes_the_usual_way(more: str, mine: Path, opened: list[str], run: Run) -> None:
    run(f"{SIM} --no-promises")
    opened.clear()
    run(f"{SIM} --no-promises {more}")
    assert opened == ["mine.rules"]


def test_changed_rules_are_other_rules(mine: Path, opened: list[str], run: Run) -> None:
    run(f"{SIM} --no-promises")
    mine.write_text(mine.read_text(encoding="utf-8").replace('game "', 'game "New '), encoding="utf-8")
    opened.clear()
    assert run(f"{SIM} --no-promises").stdout.startswith("New ")
    assert opened == ["mine.rules"]


def test_promises_are_looked_at(mine: Path, opened: list[str], run: Run) -> None:
    mine.write_text(
        """game "Promises":
  players: 2
marker a: 0..9
always small: a < 3
move more(n in 1..3): a rises by n
overview:
  each p in players: p must more
  end game, nobody wins
""",
        encoding="utf-8",
    )
    first = run(SIM)
    assert first.exit_code == 1 and "small" in first.stdout
    again = run(SIM)
    assert (again.exit_code, again.output) == (1, first.output) and opened == ["mine.rules"]
    assert run(f"{SIM} --no-promises").exit_code == 0
    assert opened == ["mine.rules"] * 2  # that is other code
    for _ in range(2):
        assert run(f"{SIM} --no-promises").exit_code == 0 and run(SIM).output == first.output
    assert opened == ["mine.rules"] * 2


def test_whatever_becomes_of_the_files_the_same_is_printed(
    mine: Path, tmp_path: Path, opened: list[str], run: Run
) -> None:
    first = run(f"{SIM} --no-promises")
    files = sorted((tmp_path / "objects").iterdir())
    assert len(files) == 2
    for path in files:
        whole = path.read_bytes()
        for damaged in (b"", whole[:-1], whole[:90] + b"?" + whole[91:], bytes(len(whole)), None):
            opened.clear()
            path.unlink() if damaged is None else path.write_bytes(damaged)
            assert run(f"{SIM} --no-promises").output == first.output
            assert opened == ["mine.rules"]
            assert path.read_bytes() == whole
