"""Every construct: what it lowers to and how it plays, in documents that a reader can follow (``case_files``)."""

import os
import re
from pathlib import Path

import pytest
from case_files import carried_out, read_case

HERE = Path(__file__).parent
LANGUAGE = HERE.parents[1] / "docs" / "language"
CHAPTERS = ("04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14")
"""The chapters on what is lowered or played; the others are on text, files and limits."""

CASES = sorted(HERE.glob("lowering/*.case")) + sorted(HERE.glob("behaviour/*.case"))


def sections() -> dict[str, str]:
    """The numbers of the sections that are built, and their headings."""
    found = {}
    for chapter in CHAPTERS:
        (page,) = LANGUAGE.glob(f"{chapter}-*.md")
        for number, heading in re.findall(r"^## (\d+\.\d+) (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
            if not heading.endswith("(design)"):
                found[number] = heading
    return found


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    real = carried_out(written)
    if os.environ.get("RULELANG_ACCEPT"):
        path.write_text(real, encoding="utf-8")
        return
    assert real.splitlines() == written.splitlines()


def test_every_section_that_is_built_has_a_case() -> None:
    told = {read_case(path.read_text(encoding="utf-8")).section for path in (HERE / "lowering").glob("*.case")}
    assert told == set(sections()), "sections without a case, or cases without a section"


def test_cases_are_named_after_their_sections() -> None:
    headings = sections()
    for path in (HERE / "lowering").glob("*.case"):
        case = read_case(path.read_text(encoding="utf-8"))
        chapter, number = case.section.split(".")
        assert path.stem.startswith(f"{int(chapter):02}-{int(number):02}-"), path.name
        assert case.title == f"{case.section} {headings[case.section]}"
