"""Programs that leak or never end are refused, at the line that does it; their near twins are accepted and play.

The programs are documents: `leaking/` and `endless/` hold pairs of small games. The first line of a bad one says what
is wrong with it and where.
"""

import re
from pathlib import Path

import pytest

from rulelang.diagnostics import codes
from rulelang.failures import Diagnosed
from rulelang.pipeline import compile_file, load
from rulelang.play.agents import RandomAgent
from rulelang.play.playouts import playouts

HERE = Path(__file__).parent
PROGRAMS = sorted(path for folder in ("leaking", "endless") for path in (HERE / folder).glob("*.rules"))
BAD = [path for path in PROGRAMS if not path.name.endswith(".twin.rules")]
TWINS = [path for path in PROGRAMS if path.name.endswith(".twin.rules")]


def findings(path: Path) -> list[tuple[str, int]]:
    """The code and line of every finding."""
    try:
        compile_file(path)
    except Diagnosed as mistakes:
        diagnostics = tuple(mistakes.diagnostics)
    else:
        diagnostics = ()
    return [(each.code.number, each.place.line if each.place else 0) for each in diagnostics]


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_it_is_refused_at_its_line(path: Path) -> None:
    said = re.fullmatch(r"# refused: (RL\d{4}) line (\d+)", path.read_text().splitlines()[0])
    assert said is not None
    assert findings(path) == [(said[1], int(said[2]))]


@pytest.mark.parametrize("path", TWINS, ids=lambda path: path.name.split(".")[0])
def test_its_twin_is_accepted_and_plays(path: Path) -> None:
    game = load(path).configure().game
    games = list(playouts(game, 20, 7, [RandomAgent()] * game.seats))
    assert len(games) == 20


def test_every_program_has_a_twin_that_differs_in_a_few_lines() -> None:
    assert len(BAD) == len(TWINS)
    for path in BAD:
        lines = set(path.read_text().splitlines()[1:])
        twin = set(path.with_suffix(".twin.rules").read_text().splitlines()[1:])
        assert len(lines - twin) <= 5, path.name


@pytest.mark.parametrize(("folder", "fewest"), [("leaking", 40), ("endless", 20)])
def test_there_are_enough_programs(folder: str, fewest: int) -> None:
    assert len([path for path in BAD if path.parent.name == folder]) >= fewest


def test_every_visibility_code_and_every_endless_code_has_a_program() -> None:
    said = {path.read_text().split()[2] for path in BAD}
    visibility = {number for number, code in codes.CODES.items() if code.stage == "visibility"}
    assert said == visibility | {"RL6001", "RL6002"}
