"""What differs in the text of two versions: declarations that came, went, or mean something else."""

import difflib
from collections.abc import Iterator
from typing import Literal

import attrs

from rulelang.diagnostics.reading import read_source
from rulelang.failures import Diagnosed
from rulelang.ir.origin import Origin
from rulelang.ir.program import Program
from rulelang.rulebook.versions.listed import Listed, Sort, listed

How = Literal["added", "removed", "changed"]


@attrs.frozen
class Line:
    """A line of one of both texts."""

    sign: Literal["-", "+"]
    """Of the old rules, or of the new ones."""
    number: int
    text: str


@attrs.frozen
class TextDifference:
    """One declaration that is not the same in both."""

    how: How
    sort: Sort
    name: str
    old: Origin | None
    new: Origin | None
    lines: tuple[Line, ...]
    """In the words of the rules; nothing if the same words mean something else."""


def text_differences(old: Program, new: Program) -> tuple[TextDifference, ...]:
    """All of them, in the order of the new rules, what is gone behind them."""
    before = {(each.sort, each.name): each for each in listed(old)}
    after = {(each.sort, each.name): each for each in listed(new)}
    found = []
    for key, each in after.items():
        earlier = before.get(key)
        if earlier is None:
            found.append(_difference("added", None, each))
        elif earlier.text != each.text:
            found.append(_difference("changed", earlier, each))
    found += [_difference("removed", each, None) for key, each in before.items() if key not in after]
    return tuple(found)


def _difference(how: How, old: Listed | None, new: Listed | None) -> TextDifference:
    either = new or old
    assert either is not None
    first, second = (None if each is None else each.at for each in (old, new))
    return TextDifference(how, either.sort, either.name, first, second, tuple(_lines(old, new)))


def _lines(old: Listed | None, new: Listed | None) -> Iterator[Line]:
    """The lines of a declaration that are not in both."""
    blocks = [[] if each is None or each.at is None else _block(each) for each in (old, new)]
    matcher = difflib.SequenceMatcher(None, [text for _, text in blocks[0]], [text for _, text in blocks[1]], False)
    for tag, first, last, begin, end in matcher.get_opcodes():
        if tag != "equal":
            yield from (Line("-", number, text) for number, text in blocks[0][first:last])
            yield from (Line("+", number, text) for number, text in blocks[1][begin:end])


def _block(each: Listed) -> list[tuple[int, str]]:
    """The lines of one declaration: from where it begins to the next one that stands as far left; comments aside."""
    assert each.at is not None
    text = _text(each.at.file)
    begin = each.at.line - 1
    if not 0 <= begin < len(text):
        return []
    margin = _margin(text[begin])
    end = begin + 1
    while end < len(text) and (not text[end].strip() or _margin(text[end]) > margin):
        end += 1
    numbered = ((number + 1, text[number].partition("  #")[0].rstrip()) for number in range(begin, end))
    return [(number, line) for number, line in numbered if line.strip() and not line.lstrip().startswith("#")]


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _text(file: str) -> list[str]:
    try:
        return read_source(file).text.split("\n")
    except (Diagnosed, OSError):
        return []
