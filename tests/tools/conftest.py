"""Commands run in an empty folder, with a cache of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Run, run_command


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to be in."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("RULELANG_DEBUG", raising=False)
    yield folder


@pytest.fixture
def run() -> Run:
    """Runs a command: ``run("check tic-tac-toe")``; the typed input may be given."""
    return run_command
