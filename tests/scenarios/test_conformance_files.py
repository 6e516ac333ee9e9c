"""The conformance files: each belongs to a section of the specification, and only named ones are skipped."""

import re

import pytest
from playing import ROOT

FILES = sorted((ROOT / "tests" / "conformance").rglob("*.play"))
SPECIFICATION = ROOT / "docs" / "language"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_file_is_named_after_a_section(path: object) -> None:
    stem, chapter = path.stem, path.parent.name  # type: ignore[attr-defined]
    number = re.match(r"(\d+)\.(\d+)-", stem)
    assert number
    text = (SPECIFICATION / f"{chapter}.md").read_text(encoding="utf-8")
    heading = re.search(rf"^## {number[1]}\.{number[2]} (.*)$", text, re.MULTILINE)
    assert heading, f"{chapter} has no section {number[0]}"
    words = re.sub(r"[^a-z]+", "-", heading[1].lower().removesuffix(" (design)")).strip("-")
    assert stem[number.end() :] == words or stem[number.end() :] in words
