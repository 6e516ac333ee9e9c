"""Running commands, and holding what they print against the published schemas."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
from click.testing import CliRunner, Result

from rulelang.tools.main import main

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schemas"

Run = Callable[..., Result]


def run_command(command: str | list[str], typed: str | None = None) -> Result:
    """Run a command, with what is typed while it runs. A traceback is always a fault."""
    words = command.split() if isinstance(command, str) else command
    result = CliRunner().invoke(main, words, input=typed)
    assert "Traceback" not in result.output
    return result


def conforms(data: Any, schema: str) -> None:
    """Fail unless data follow a published schema."""
    text = (SCHEMAS / f"{schema}.schema.json").read_text(encoding="utf-8")
    jsonschema.Draft202012Validator(json.loads(text)).validate(data)
