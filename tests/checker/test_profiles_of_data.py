"""A profile stands in for those data files that it has, and leaves the others. Spec 6, docs/guide/proving.md."""

from pathlib import Path

import pytest

from rulelang.diagnostics.reading import read_source
from rulelang.failures import Diagnosed
from rulelang.ir.program import Program
from rulelang.pipeline import compile_source

RULES = """\
game "Two boxes":
  players: 2
  data: "animals.toml", "plants.toml"

table Animal from animal:
  legs: 0..9
table Plant from plant:
  legs: 0..9

overview:
  end game, nobody wins
"""


def folder(at: Path, **files: str) -> Path:
    """The rules with their data files: a row each."""
    (at / "boxes.rules").write_text(RULES, encoding="utf-8")
    for name, row in files.items():
        stem, _, profile = name.partition("_")
        table = stem.removesuffix("s")
        path = at / ".".join(part for part in (stem, profile, "toml") if part)
        path.write_text(f'[[{table}]]\nid = "{row}"\nlegs = 4\n', encoding="utf-8")
    return at / "boxes.rules"


def compiled(path: Path, profile: str | None = None) -> Program:
    """The rules with the boxes of a profile."""
    return compile_source(read_source(path), path.stem, path.parent, profile).program


def test_a_file_without_the_profile_stays_as_it_is(tmp_path: Path) -> None:
    path = folder(tmp_path, animals="tapir", animals_small="mouse", plants="fern")
    tables = compiled(path, "small").tables
    assert [table.rows for table in tables] == [("mouse",), ("fern",)]
    assert [table.rows for table in compiled(path).tables] == [("tapir",), ("fern",)]


def test_a_profile_that_no_file_has_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    path = folder(tmp_path, animals="tapir", animals_small="mouse", plants="fern")
    with pytest.raises(Diagnosed) as refused:
        compiled(path, "tiny")
    (mistake,) = refused.value.diagnostics
    assert mistake.place is not None and (mistake.place.line, mistake.place.column) == (3, 9)
    assert "small" in str(refused.value)
