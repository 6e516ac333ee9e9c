"""`docs/flat-ir.md` lists every class, and its excerpts are what listings say today."""

from pathlib import Path
from textwrap import dedent

import pytest

from rulelang.pipeline import load
from rulelang.play.closing import close
from rulelang_native.flat.printer import function_text, procedure_text, to_text
from rulelang_native.flat.reference import complete, page
from rulelang_native.lowering.program import Lowering

PAGE = Path(__file__).parents[2] / "docs" / "flat-ir.md"


def listing(name: str) -> str:
    """The listing of a ruleset with its defaults."""
    program = load(name).program
    closed = close(program, program.fewest_seats, {})
    return to_text(Lowering(closed).lower(), closed)


def test_the_tables_are_made_from_the_classes() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert complete()
    assert page(text) == text, "run python -m rulelang_native.flat.reference"


@pytest.mark.parametrize(
    ("name", "first"),
    [("tic-tac-toe", "listing list0"), ("tic-tac-toe", "procedure 1:place"), ("kuhn-poker", "  at 4:")],
)
def test_excerpts_are_what_is_listed(name: str, first: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    lines = text[text.index(f"    {first}") :].splitlines()
    excerpt = []
    for line in lines:
        if not line.startswith("    "):
            break
        excerpt.append(line[4:])
    assert len(excerpt) > 4 and "\n".join(excerpt) in listing(name)


def test_parts_can_be_listed_alone() -> None:
    program = load("tic-tac-toe").program
    closed = close(program, 2, {})
    flat = Lowering(closed).lower()
    expected = """
        function requirement0_0(me, a1)  -- place: free
          give number(mark[a1] is -1)
    """
    assert function_text(flat, closed, "requirement0_0") == dedent(expected).lstrip()
    assert procedure_text(flat, closed, 1).startswith("procedure 1:place(me%0, square%1), carried out at once")


def test_listings_are_the_same_every_time() -> None:
    assert listing("kuhn-poker") == listing("kuhn-poker")
    assert "failure 0: " in listing("kuhn-poker") and "division 0: worth by worth0" in listing("13-animals")
