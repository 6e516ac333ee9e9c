"""Every code has a page, and every page tells the truth: its first example fails with the code, its second does not.

A page holds, under *What causes it* and under *Mended*, files and what is done with them. A block is a file (`rules`,
`toml`, `json`, `jsonl`; the first word behind it is its name), a session (`console`: commands, and lines that they
print), or a piece of `python`. Without a session and without Python the rules are compiled. Blocks of `text` are not
run.
"""

import re
import shlex
from pathlib import Path

import pytest

from rulelang import pipeline
from rulelang.diagnostics.codes import CODES
from rulelang.failures import Diagnosed, Exhausted, Refused, RulelangFailure
from rulelang.ir.faults import IRFault
from rulelang.play.record import RecordFault
from rulelang.tools.main import main

PAGES = Path(__file__).resolve().parent.parent / "docs" / "diagnostics"
HEADINGS = ["What it means", "What causes it", "Mended", "Why"]
FILES = {
    "rules": "game.rules",
    "play": "game.play",
    "toml": "components.toml",
    "json": "document.json",
    "jsonl": "game.record.jsonl",
}

NOT_RAISED = {}
"""Codes that nothing raises, and why; they have no page."""

LATER = ("RL35",)
"""Beginnings of codes whose passes are still being built; their pages come with them."""

UNRUN = {"RL1099", "RL8010"}
"""Pages whose example cannot be run here."""


def blocks(page: str) -> dict[str, list[tuple[str, str, str]]]:
    """The blocks under each heading: kind, name, content."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        found[heading] = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", body, re.MULTILINE | re.DOTALL)
    return found


def codes_of(failure: BaseException) -> set[str]:
    """The codes that a failure tells."""
    match failure:
        case Diagnosed():
            return {diagnostic.code.number for diagnostic in failure.diagnostics}
        case Refused():
            return {str(getattr(reason, "number", reason.code)) for reason in failure.reasons}
        case Exhausted() | IRFault() | RecordFault():
            return {failure.code}
        case _:
            raise failure


def run(
    given: list[tuple[str, str, str]],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> set[str]:
    """Do what an example does, and return the codes it told."""
    monkeypatch.chdir(folder)
    for kind, name, content in given:
        if kind in FILES:
            (folder / (name or FILES[kind])).write_text(content, encoding="utf-8")
    told: set[str] = set()
    acted = False
    for kind, _, content in given:
        if kind == "console":
            acted = True
            told |= session(content, capsys)
        elif kind == "python":
            acted = True
            try:
                exec(compile(content, "example", "exec"), {})
            except (RulelangFailure, IRFault, RecordFault) as failure:
                told |= codes_of(failure)
    if not acted:
        try:
            pipeline.compile_file(Path(FILES["rules"]))
        except Diagnosed as wrong:
            told |= codes_of(wrong)
    return told


def session(content: str, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Run commands, look for the lines they are said to print, and return the codes among them."""
    told: set[str] = set()
    for command in re.split(r"^\$ ", content, flags=re.MULTILINE)[1:]:
        line, _, expected = command.partition("\n")
        words = shlex.split(line)
        assert words[0] == "rulelang"
        with pytest.raises(SystemExit):
            main(words[1:])
        captured = capsys.readouterr()
        printed = captured.out + captured.err
        for wanted in expected.splitlines():
            assert wanted.strip() in (said.strip() for said in printed.splitlines()), printed
        told |= set(re.findall(r"RL\d{4}", printed))
    return told


@pytest.mark.parametrize("number", sorted(path.stem for path in PAGES.glob("*.md") if path.stem.startswith("RL")))
def test_examples_do_what_the_page_says(
    number: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (PAGES / f"{number}.md").read_text(encoding="utf-8")
    found = blocks(text)
    assert list(found) == HEADINGS
    assert text.startswith(f"# {number} {CODES[number].title}\n\n> {CODES[number].summary}\n")
    wrong, mended = found["What causes it"], found["Mended"]
    assert wrong and mended
    if all(kind == "text" for kind, _, _ in wrong):
        assert number in UNRUN
        return
    (tmp_path / "wrong").mkdir()
    (tmp_path / "mended").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert run(wrong, tmp_path / "wrong", monkeypatch, capsys) == {number}
    assert run(mended, tmp_path / "mended", monkeypatch, capsys) == set()


def test_every_code_has_a_page() -> None:
    awaited = [number for number in CODES if number not in NOT_RAISED and not number.startswith(LATER)]
    missing = [number for number in awaited if not (PAGES / f"{number}.md").is_file()]
    assert not missing, f"write docs/diagnostics/: {' '.join(missing)}"


def test_every_page_is_of_a_code_that_something_raises() -> None:
    pages = {path.stem for path in PAGES.glob("*.md") if path.stem.startswith("RL")}
    assert pages <= set(CODES)
    assert not pages & set(NOT_RAISED)
    assert set(NOT_RAISED) <= set(CODES)


def test_codes_without_a_page_are_raised_by_nothing() -> None:
    package = Path(pipeline.__file__).parent
    registry = package / "diagnostics" / "codes.py"
    names = dict(re.findall(r'^([A-Z_]+) = code\("(RL\d{4})"', registry.read_text(encoding="utf-8"), re.MULTILINE))
    folders = (package, package.parent / "interpreters")
    sources = [path for folder in folders for path in folder.rglob("*.py") if path != registry]
    used = {word for path in sources for word in re.findall(r"\b(?:[A-Z_]{4,}|RL\d{4})\b", path.read_text("utf-8"))}
    raised = {number for name, number in names.items() if name in used or number in used}
    assert sorted(raised & set(NOT_RAISED)) == []
