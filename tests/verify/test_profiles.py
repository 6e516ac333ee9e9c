"""Profiles: the same rules with a smaller box."""

from pathlib import Path

import pytest
from copies import look

from rulelang import rulesets
from rulelang.checker.profiles import of_profile, profiles_beside
from rulelang.diagnostics.reading import read_source
from rulelang.failures import Diagnosed
from rulelang.ir.program import Program
from rulelang.pipeline import compile_file, compile_source

CARDS = """\
game "Cards":
  players: 2
  data: "components.toml"

table Card from card:
  copies: 1..9

zone stock: pile of Card, seen by nobody, starts with each Card times copies of it
zone hand for each player: bag of Card

overview:
  shuffle stock
  each p in players: put top from stock into p's hand
  end game, nobody wins
"""


def program_of(game: str, profile: str | None = None) -> Program:
    """A ruleset with another box."""
    path = rulesets.find(game)
    return compile_source(read_source(path), path.stem, path.parent, profile).program


def folder(tmp_path: Path, **files: str) -> Path:
    """Rules with their data files, by the word of the profile (``full``: none)."""
    (tmp_path / "cards.rules").write_text(CARDS)
    for word, text in files.items():
        name = "components.toml" if word == "full" else f"components.{word}.toml"
        (tmp_path / name).write_text(text)
    return tmp_path / "cards.rules"


def compiled(path: Path, profile: str | None) -> Program:
    return compile_source(read_source(path), path.stem, path.parent, profile).program


FULL = '[[card]]\nid = "ace"\ncopies = 9\n\n[[card]]\nid = "king"\ncopies = 9\n'
SMALL = '[[card]]\nid = "ace"\ncopies = 2\n'


def test_the_profile_stands_in_for_the_data_file(tmp_path: Path) -> None:
    path = folder(tmp_path, full=FULL, small=SMALL)
    assert compiled(path, None).tables[0].rows == ("ace", "king")
    assert compiled(path, "small").tables[0].rows == ("ace",)
    assert profiles_beside(tmp_path) == ("small",)


def test_a_data_file_without_a_profile_stays(tmp_path: Path) -> None:
    path = folder(tmp_path, full=FULL, small=SMALL)
    path.write_text(CARDS.replace('"components.toml"', '"components.toml", "more.toml"'))
    (tmp_path / "more.toml").write_text('[[card]]\nid = "joker"\ncopies = 1\n')
    assert compiled(path, "small").tables[0].rows == ("ace", "joker")


@pytest.mark.parametrize("profile", ["smal", "../small", "tiny"])
def test_a_profile_that_is_not_there_is_told(tmp_path: Path, profile: str) -> None:
    path = folder(tmp_path, full=FULL, small=SMALL)
    with pytest.raises(Diagnosed) as wrong:
        compiled(path, profile)
    assert "RL7015" in str(wrong.value)
    assert of_profile("components.toml", profile) in str(wrong.value)
    assert "small" in str(wrong.value)


def test_a_game_without_data_has_no_profiles() -> None:
    with pytest.raises(Diagnosed, match="there is no profile of this game"):
        program_of("nim", "small")


def test_mistakes_in_a_profile_are_told_with_its_name(tmp_path: Path) -> None:
    path = folder(tmp_path, full=FULL, small='[[card]]\nid = "ace"\n')
    with pytest.raises(Diagnosed, match=r"components\.small\.toml"):
        compiled(path, "small")


SMALL_BOXES = ("13-animals", "monster-bande", "taiwan-monsters-brawl")


@pytest.mark.parametrize("game", SMALL_BOXES)
def test_a_small_box_changes_nothing_but_tables(game: str) -> None:
    whole, small = compile_file(rulesets.find(game)).program, program_of(game, "small")
    assert [each.name for each in small.moves] == [each.name for each in whole.moves]
    assert len(small.nodes) == len(whole.nodes)
    assert sum(len(table.rows) for table in small.tables) < sum(len(table.rows) for table in whole.tables) / 1.5
    text = (rulesets.find(game).parent / "components.small.toml").read_text()
    assert "left out" in text.split("[[")[0]


@pytest.mark.parametrize("game", SMALL_BOXES)
def test_nothing_wrong_is_found_with_a_small_box(game: str) -> None:
    program = program_of(game, "small")
    for report in (look(program, states=150, attempts=8), look(program, games=3, attempts=8)):
        assert [each.said for each in report.findings] == []
    assert report.counts.ended == 3


@pytest.mark.soak
@pytest.mark.parametrize("game", SMALL_BOXES)
def test_nothing_wrong_is_found_further_on(game: str) -> None:
    program = program_of(game, "small")
    for report in (look(program, states=100_000), look(program, games=500)):
        assert [each.said for each in report.findings] == []
