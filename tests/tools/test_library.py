"""``rulelang library``: what games can bring in, listed and printed."""

import json
from pathlib import Path

from command_line import Run, conforms

from rulelang.checker.libraries import names_of_libraries, shipped


def test_all_are_listed_with_what_they_declare(run: Run) -> None:
    output = run("library").stdout
    for name in names_of_libraries():
        assert name in output
        assert ", ".join(shipped(name).words) in output


def test_one_is_printed_as_it_stands(run: Run) -> None:
    assert run("library dealing").stdout == shipped("dealing").text


def test_as_data(run: Run) -> None:
    data = json.loads(run("library --format json").stdout)
    conforms(data, "library")
    assert [each["name"] for each in data["libraries"]] == list(names_of_libraries())
    one = json.loads(run("library tricks --format json").stdout)
    conforms(one, "library")
    assert one["libraries"][0]["needs"] == ["Card", "hand", "play", "won"]


def test_unknown_names_are_refused(run: Run) -> None:
    result = run("library trick")
    assert result.exit_code == 2
    assert "There is no library 'trick'; did you mean 'tricks'?" in result.stderr
    assert "betting, dealing" in run("library zzz").stderr


def test_a_change_in_a_library_further_down_is_seen(run: Run) -> None:
    folder = Path("deep/sub")
    folder.mkdir(parents=True)
    game = 'game "Deep":\n  players: 1\n  uses: "sub/l.rules"\n\noverview: end game, grade points\n'
    Path("deep/deep.rules").write_text(game)
    for points in (3, 4):
        (folder / "l.rules").write_text(f'library "L":\n  about: "L"\n\ndefine points = {points}\n')
        assert f"{points}" in run("play deep/deep.rules --seats random --seed 1").stdout
