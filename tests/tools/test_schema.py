"""``rulelang schema``: the schemas of data files and options, on the command line."""

import json
from pathlib import Path

from click.testing import CliRunner

from rulelang.tools.schema import command, data_schema_text

GAME = Path(__file__).resolve().parent.parent / "data_games" / "shell-race"


def test_the_schema_of_the_data_file_is_printed() -> None:
    done = CliRunner().invoke(command, [str(GAME)])
    assert done.exit_code == 0
    schema = json.loads(done.output)
    assert schema["title"] == "Data of Shell race"
    assert schema == json.loads(data_schema_text(str(GAME)))


def test_the_schema_of_the_options_is_printed() -> None:
    done = CliRunner().invoke(command, ["pig", "--options"])
    assert done.exit_code == 0
    assert json.loads(done.output)["title"] == "Options of Pig"


def test_a_compiled_game_has_no_data_file(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("{}")
    done = CliRunner().invoke(command, [str(tmp_path / "game.json")])
    assert done.exit_code == 2
    assert "give the rules" in done.output
