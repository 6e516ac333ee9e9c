"""Commands run in an empty folder, with a cache of their own."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from rulelang.tools.main import main

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schemas"

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("RULELANG_DEBUG", raising=False)
    yield folder


@pytest.fixture
def run() -> Run:
    """Run a command: ``run("check tic-tac-toe")``; the typed input may be given."""

    def runs(command: str | list[str], typed: str | None = None) -> Result:
        words = command.split() if isinstance(command, str) else command
        result = CliRunner().invoke(main, words, input=typed)
        assert "Traceback" not in result.output
        return result

    return runs


def conforms(data: Any, schema: str) -> None:
    """Fail unless data follow a published schema."""
    text = (SCHEMAS / f"{schema}.schema.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator(json.loads(text)).validate(data)
