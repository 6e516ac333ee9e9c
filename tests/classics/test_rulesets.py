"""Every ruleset we ship is sound, tidy and described."""

from pathlib import Path

import pytest

from rulelang import rulesets
from rulelang.ast.unparse import format_source
from rulelang.diagnostics.reading import read_source
from rulelang.pipeline import compile_file

FILES = dict(rulesets.all_rulesets())


def each_ruleset() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", FILES.values(), ids=FILES)


def test_the_eight_classics_are_found_by_name() -> None:
    eight = "connect-four dots-and-boxes goofspiel kuhn-poker leduc-poker liars-dice pig tic-tac-toe"
    assert set(eight.split()) <= set(FILES)


@each_ruleset()
def test_it_compiles(path: Path) -> None:
    assert compile_file(path).program.name == path.stem


@each_ruleset()
def test_it_is_written_in_the_canonical_form(path: Path) -> None:
    source = read_source(path)
    assert format_source(source) == source.text


@each_ruleset()
def test_it_has_a_readme_that_says_what_the_options_are(path: Path) -> None:
    text = (path.parent / "README.md").read_text()
    for option in compile_file(path).program.options:
        assert f"`{option.name}`" in text
