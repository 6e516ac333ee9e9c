"""R4. The same rules, seed and events give the same bytes, whatever the hash seed of the process."""

import hashlib
import os
import subprocess
import sys

from made_games import CLASSICS, ROOT, accepted, classic, closed

from rulelang.failures import Diagnosed
from rulelang.ir.codec import content_hash, dumps, origin_hash
from rulelang.pipeline import compile_text
from rulelang.play.agents import RandomAgent
from rulelang.play.playouts import Summary, playouts
from rulelang.play.record import record_lines
from rulelang.testing import Dice, game_text, playthrough
from rulelang.testing.damage import damaged

GENERATED = range(0, 12)
LINES = 12 + 2 * len(CLASSICS) + 12
"""How many lines `everything` prints at least."""


def everything() -> None:
    """Print a line for whatever must not hang on the hash seed."""
    for number, compiled in accepted(GENERATED.start, len(GENERATED)):
        print(number, content_hash(compiled.program), origin_hash(compiled.program), digest(dumps(compiled.program)))
        game = closed(number, compiled)
        if game is not None:
            print(number, content_hash(game.program), digest(dumps(game.program)))
            for state, _ in playthrough(game, Dice.seeded(21, number), 20):
                print(state.hash, digest(repr([state.view(seat) for seat in (None, 0)])), digest(repr(state.waiting)))
    for name in CLASSICS:
        game = classic(name)
        seats = game.program.configuration.seats if game.program.configuration else 2
        print(name, digest(dumps(game.program)), Summary.of_all(playouts(game, 3, 7, [RandomAgent()] * seats)))
        print(name, digest("".join(record_lines(game.program, finished(name).record))))
    for number in range(12):
        dice = Dice.seeded(22, number)
        print(number, digest(report(damaged(game_text(dice), dice))))


def finished(name: str):  # type: ignore[no-untyped-def]
    from rulelang.play.match import Match

    match = Match(classic(name), 5)
    match.play([RandomAgent()] * len(match.state.outcome.places if match.state.outcome else [0] * 16))
    return match


def report(text: str) -> str:
    """What is said about a text."""
    try:
        return content_hash(compile_text(text).program)
    except Diagnosed as diagnosed:
        return str(diagnosed)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def printed(seed: int) -> str:
    """What a process with this hash seed prints."""
    paths = [str(ROOT / "tests" / "reliability"), str(ROOT), str(ROOT / "interpreters")]
    code = f"import sys; sys.path[:0] = {paths!r}; import test_r04_same_bytes as t; t.everything()"
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout


def compare(seeds: range) -> None:
    first = printed(seeds[0])
    assert first.count("\n") > LINES
    for seed in seeds[1:]:
        assert printed(seed) == first


def test_four_hash_seeds_give_the_same_bytes() -> None:
    compare(range(4))
