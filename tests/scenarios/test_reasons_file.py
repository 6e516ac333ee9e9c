"""``reasons.toml``: names of reasons for all play files of a folder."""

from pathlib import Path

import pytest
from playing import CARDS, scenario

from rulelang.failures import Diagnosed
from rulelang.pipeline import engine_named
from rulelang.scenarios.check import check_file
from rulelang.scenarios.files import Library, read_play_file
from rulelang.scenarios.run import run_scenario


def written(folder: Path, reasons: str) -> Path:
    path = folder / "t.play"
    path.write_text(CARDS + scenario("", "Ben: draw  refused too_early"), encoding="utf-8")
    (folder / "reasons.toml").write_text(reasons, encoding="utf-8")
    return path


def test_a_name_stands_for_reasons(tmp_path: Path) -> None:
    path = written(tmp_path, 'too-early = ["not_your_turn", "not_offered"]\n')
    [checked] = check_file(read_play_file(path), Library())
    assert run_scenario(checked, engine_named("reference")).status == "passed"


@pytest.mark.parametrize(
    ("reasons", "code"),
    [("too-early = 3\n", "RL3511"), ("too-early = []\n", "RL3511"), ("= =\n", "RL7014"), ("", "RL3502")],
)
def test_a_table_that_is_wrong_is_diagnosed(tmp_path: Path, reasons: str, code: str) -> None:
    path = written(tmp_path, reasons)
    with pytest.raises(Diagnosed) as caught:
        check_file(read_play_file(path), Library())
    assert [each.code.number for each in caught.value.diagnostics] == [code]


def test_rules_are_found_beside_the_file_and_in_the_folder_above(tmp_path: Path) -> None:
    game = "\n".join(line[2:] for line in CARDS.split("\n")[1:])
    text = scenario("", "", "to move: Ann").replace("of cards", 'of "my-cards"')
    (tmp_path / "plays").mkdir()
    path = tmp_path / "plays" / "t.play"
    path.write_text(text, encoding="utf-8")
    for place in (tmp_path / "my-cards.rules", tmp_path / "plays" / "my-cards.rules"):
        place.write_text(game, encoding="utf-8")
        [checked] = check_file(read_play_file(path), Library())
        assert run_scenario(checked, engine_named("reference")).status == "passed"
        place.unlink()
    place = tmp_path / "my-cards.rules"
    place.write_text(game.replace("step_in: my score", "step_in: my scor"), encoding="utf-8")
    with pytest.raises(Diagnosed, match=r"my-cards\.rules"):
        check_file(read_play_file(path), Library())
