"""R1. Any text gets an answer: a program or diagnostics, never anything else, and soon."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_games import ROOT
from pace import in_time

from rulelang import limits
from rulelang.failures import Diagnosed
from rulelang.pipeline import compile_text
from rulelang.testing import Dice, game_text
from rulelang.testing.damage import damaged

SMALL, FULL = 2 * 1024, 16 * 1024
SECONDS = 2.0
"""For each 16 KiB."""

MEMORY = 256 * 1024 * 1024


def small_texts() -> list[str]:
    """Whole games of at most 2 KiB."""
    files = sorted(ROOT.glob("rulesets/classics/*/*.rules")) + sorted(ROOT.glob("tests/samples/*.rules"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    made = (game_text(Dice.seeded(11, number)) for number in range(80))
    return [text for text in (*texts, *made) if len(text.encode()) <= SMALL]


def large_text(dice: Dice) -> str:
    """A file of up to 16 KiB: several games' declarations below one cover, so that most names are declared twice."""
    whole = game_text(dice)
    while len(whole.encode()) < FULL:
        whole += game_text(dice).split("\n\n", 1)[1]
    return whole.encode()[:FULL].decode(errors="ignore")


def answer(text: str) -> str:
    """What becomes of a text, measured."""
    return in_time(lambda: _answer(text), SECONDS * max(1, len(text) / FULL), text)


def _answer(text: str) -> str:
    try:
        compile_text(text)
    except Diagnosed as diagnosed:
        assert diagnosed.diagnostics
        assert str(diagnosed)
        return "diagnosed"
    return "program"


def damaged_texts(first: int, count: int) -> Iterator[str]:
    texts = small_texts()
    for number in range(first, first + count):
        dice = Dice.seeded(12, number)
        yield damaged(dice.pick(texts), dice)


def check_damaged(first: int, count: int) -> None:
    found = [answer(text) for text in damaged_texts(first, count)]
    assert found.count("diagnosed") > count * 0.6, "the damage does not show"
    assert found.count("program") > count * 0.01, "nothing was left whole"


@pytest.mark.parametrize("part", range(7))
def test_damaged_texts_get_an_answer(part: int) -> None:
    check_damaged(part * 700, 700)


def check_large(first: int, count: int) -> None:
    for number in range(first, first + count):
        dice = Dice.seeded(13, number)
        answer(damaged(large_text(dice), dice))


def test_damaged_texts_of_full_size_get_an_answer_in_time_and_memory() -> None:
    """In a process of its own, so that its memory can be measured."""
    code = "import test_r01_any_text as t; t.check_large(0, 100); t.report_memory()"
    paths = [str(ROOT / "tests" / "reliability"), str(ROOT / "tests"), str(ROOT), str(ROOT / "interpreters")]
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {paths!r}; {code}"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert int(run.stdout) < MEMORY


def report_memory() -> None:
    """Print the most memory that this program ever had, in bytes.

    Not `ru_maxrss`: on Linux a new program starts with the greatest size of the process that began it, so that the test
    would measure its own runner.
    """
    status = Path("/proc/self/status")
    if status.exists():
        peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        print(int(peak.split()[1]) * 1024)
    else:
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


BEYOND = {
    "bytes": "# " + "x" * (limits.SOURCE_BYTES + 1),
    "ten megabytes": "x " * 5_000_000,
    "nesting": 'game "T":\n  players: 2\ndefine a = ' + "(" * 2_000 + "1" + ")" * 2_000,
    "indentation": "".join(f"{' ' * depth}if a:\n" for depth in range(300)),
    "name": 'game "T":\n  players: 2\ndefine ' + "a" * 100_000 + " = 1",
    "number": 'game "T":\n  players: 2\ndefine a = ' + "9" * 100_000,
}


@pytest.mark.parametrize("text", BEYOND.values(), ids=BEYOND)
def test_a_text_beyond_the_limits_is_refused_at_once(text: str) -> None:
    answer('game "T":\n  players: 2\n')  # what is loaded once is loaded
    assert in_time(lambda: _answer(text), 0.1) == "diagnosed"
