"""Mistakes that authors make, in the rules of the games here, and exactly what they are told.

The cases are documents: `mistakes/GAME.txt`. Each says what was done wrong, how the message could help more if it
should (`#`), the lines as they should be (`-`), the lines as the author wrote them (`+`), and the message. Data files
beside the rules stay as they are. What no reading of the rules can find is found by playing: then random games are
played with the fewest seats and the defaults, and the message is that of the first game that cannot go on.

`RULELANG_ACCEPT=1 pytest tests/classics/test_mistakes.py` writes the messages into the files: read them before you
keep them.
"""

import os
from pathlib import Path

import attrs
import pytest

from rulelang import rulesets
from rulelang.diagnostics.reading import source_from_text
from rulelang.failures import Diagnosed, Exhausted
from rulelang.pipeline import compile_source, engine_named
from rulelang.play.agents import RandomAgent
from rulelang.play.playouts import playouts

MISTAKES = Path(__file__).parent / "mistakes"
FILES = sorted(MISTAKES.glob("*.txt"))
GAMES = 50


@attrs.frozen
class Mistake:
    """One case of a file."""

    title: str
    notes: tuple[str, ...]
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    message: str

    def text(self, message: str) -> str:
        """The case as it stands in its file."""
        marked = (("#", self.notes), ("-", self.right), ("+", self.wrong))
        lines = [mark + line for mark, block in marked for line in block]
        return "\n".join([f"=== {self.title}", *lines, "", message.strip(), ""])


def read(path: Path) -> list[Mistake]:
    """The cases of a file."""
    found = []
    for case in path.read_text().split("=== ")[1:]:
        title, *lines = case.splitlines()
        notes, right, wrong = (tuple(line[1:] for line in lines if line.startswith(mark)) for mark in "#-+")
        told = [line for line in lines if not line.startswith(("#", "-", "+"))]
        found.append(Mistake(title, notes, right, wrong, "\n".join(told).strip()))
    return found


def told(game: str, mistake: Mistake) -> str:
    """What the author of a game with this mistake is told."""
    file = rulesets.find(game)
    rules = file.read_text()
    right, wrong = ("".join(f"{line}\n" for line in lines) for lines in (mistake.right, mistake.wrong))
    assert rules.count(right) == 1, mistake.title
    source = source_from_text(file.name, rules.replace(right, wrong))
    folder = file.parent if any(file.parent.glob("*.toml")) else None
    try:
        program = compile_source(source, game, folder).program
        closed = engine_named("reference").configure(program, program.fewest_seats, {})
        for _ in playouts(closed, GAMES, 7, [RandomAgent()] * program.fewest_seats):
            pass
    except Diagnosed as mistakes:
        return str(mistakes).strip()
    except Exhausted as reached:
        return f"in play: {reached}"
    return "nothing"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_mistake_gets_exactly_its_message(path: Path) -> None:
    cases = read(path)
    found = "\n".join(case.text(told(path.stem, case)) for case in cases)
    if os.environ.get("RULELANG_ACCEPT"):
        path.write_text(found)
    assert found == path.read_text()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_game_shows_three_mistakes_at_least_and_none_goes_unnoticed(path: Path) -> None:
    cases = read(path)
    assert len(cases) >= 3
    assert "nothing" not in [case.message for case in cases]
