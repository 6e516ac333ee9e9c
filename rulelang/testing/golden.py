"""Golden records: games of the classics, kept with the IR they were played with, for all times. R5.

    python -m rulelang.testing.golden tests/records        # makes those that are missing; never changes one

``NAME.ir.json`` is the closed program, ``NAME.record.jsonl`` the game. Whatever changes in the language or the
compiler: the record replays on that program to the same last state. A new version of the IR adds records and replaces
none.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from rulelang.ir.codec import dumps, loads
from rulelang.pipeline import engine_named, load
from rulelang.play.agents import RandomAgent
from rulelang.play.engine import Game
from rulelang.play.record import write_record
from rulelang.play.record_reading import read_header

SEED: Final = 20
GAMES: Final[Mapping[str, tuple[str, int, Mapping[str, int | str | bool]]]] = {
    "connect-four": ("connect-four", 2, {"rows": 4, "columns": 4, "in_a_row": 3}),
    "dots-and-boxes": ("dots-and-boxes", 2, {"rows": 2, "columns": 2}),
    "goofspiel-open": ("goofspiel", 2, {"cards": 6}),
    "goofspiel-hidden": ("goofspiel", 2, {"cards": 5, "order": "descending", "bids": "hidden"}),
    "kuhn-poker-2": ("kuhn-poker", 2, {}),
    "kuhn-poker-3": ("kuhn-poker", 3, {}),
    "leduc-poker": ("leduc-poker", 2, {}),
    "liars-dice": ("liars-dice", 2, {"dice": 2}),
    "pig": ("pig", 2, {"target": 20, "horizon": 100}),
    "tic-tac-toe": ("tic-tac-toe", 2, {}),
}
"""Which ruleset with how many seats and which options."""


def golden_game(folder: Path, name: str) -> Game:
    """The program of a golden record, ready to play."""
    program = loads((folder / f"{name}.ir.json").read_text(encoding="utf-8"))
    header = read_header(folder / f"{name}.record.jsonl")
    return engine_named("reference").configure(program, header.seats, header.options)


def make(folder: Path) -> list[str]:
    """Make the golden records that are missing; their names."""
    made: list[str] = []
    folder.mkdir(parents=True, exist_ok=True)
    for name, (ruleset, seats, options) in GAMES.items():
        path = folder / f"{name}.record.jsonl"
        if path.exists():
            continue
        game = load(ruleset).configure(seats, options)
        match = game.match(SEED)
        match.play([RandomAgent()] * seats)
        (folder / f"{name}.ir.json").write_text(dumps(game.program), encoding="utf-8")
        write_record(path, game.program, match.record)
        made.append(name)
    return made


if __name__ == "__main__":
    print("\n".join(make(Path(sys.argv[1]))))
