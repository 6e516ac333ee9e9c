"""pytest collects play files, and says what is wrong with them as players would."""

import subprocess
import sys
from pathlib import Path

from playing import CARDS, scenario


def pytest_on(folder: Path, *more: str) -> str:
    """Run pytest in a folder of its own."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", *more],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return run.stdout


def test_scenarios_are_tests(tmp_path: Path) -> None:
    texts = [scenario("", "Ann: draw", f"to move: {who}").replace('"S"', f'"To move: {who}"') for who in ("Ann", "Ben")]
    (tmp_path / "good.play").write_text(CARDS + "\n".join(texts), encoding="utf-8")
    (tmp_path / "wrong.play").write_text(CARDS + scenario("", "Ann: drow", "game goes on"), encoding="utf-8")
    said = pytest_on(tmp_path, "--continue-on-collection-errors")
    assert "good.play::To move: Ben PASSED" in said
    assert "good.play::To move: Ann FAILED" in said
    assert "      expected: Ann\n      found:    Ben\n    what had happened:\n" in said
    assert "\n      Ann: draw\n      chance gives " in said
    assert "RL3005" in said and "did you mean 'draw'?" in said
    assert "Traceback" not in said
    assert "UsageError" not in pytest_on(tmp_path, "--rulelang-engine", "reference", "good.play")
