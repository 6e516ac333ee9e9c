"""What differs in the text of two versions: declarations that came, went, or mean something else."""

import difflib
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final, Literal

import attrs

from rulelang.ast.nodes import Rules
from rulelang.diagnostics.reading import read_source
from rulelang.failures import Diagnosed
from rulelang.ir.origin import Origin
from rulelang.ir.program import Program
from rulelang.rulebook.versions.listed import Listed, Sort, listed

How = Literal["added", "removed", "changed"]

TOLD: Final = frozenset[Sort]({"title", "players"})
"""Sorts of which what they say is told, in a word, if the rules cannot be read."""


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
    meaning: bool
    """Whether it is of another meaning; if not, no game goes otherwise for it."""
    was: str = ""
    now: str = ""
    """What is said where no lines can show it."""


def text_differences(
    old: Program, new: Program, old_rules: Rules | None = None, new_rules: Rules | None = None
) -> tuple[TextDifference, ...]:
    """All of them: first those of another meaning, in the order of the new rules, what is gone behind them.

    If only one of them has its rules, what only rules say is left out of both.
    """
    if old_rules is None or new_rules is None:
        old_rules = new_rules = None
    before, after = _grouped(old, old_rules), _grouped(new, new_rules)
    found: list[TextDifference] = []
    gone: list[TextDifference] = []
    for key in dict.fromkeys((*after, *before)):
        for earlier, later in _paired(before.get(key, []), after.get(key, [])):
            if later is None:
                gone.append(_difference("removed", earlier, later))
            elif earlier is None:
                found.append(_difference("added", earlier, later))
            else:
                found.append(_difference("changed", earlier, later))
    return tuple(sorted((*found, *gone), key=lambda each: not each.meaning))


def _grouped(program: Program, rules: Rules | None) -> dict[tuple[Sort, str], list[Listed]]:
    """The declarations by sort and name; some may have the same."""
    groups: dict[tuple[Sort, str], list[Listed]] = {}
    for each in listed(program, rules):
        groups.setdefault((each.sort, each.name), []).append(each)
    return groups


def _paired(old: list[Listed], new: list[Listed]) -> Iterator[tuple[Listed | None, Listed | None]]:
    """Those of one name that are not the same in both: what was changed first, then what is left over."""
    said = [[(each.text, each.words) for each in side] for side in (old, new)]
    matcher = difflib.SequenceMatcher(None, said[0], said[1], False)
    for tag, first, last, begin, end in matcher.get_opcodes():
        if tag != "equal":
            yield from zip_longest(old[first:last], new[begin:end])


def _difference(how: How, old: Listed | None, new: Listed | None) -> TextDifference:
    either = new or old
    assert either is not None
    first, second = (None if each is None else each.at for each in (old, new))
    texts = [None if each is None else each.text for each in (old, new)]
    meaning = texts[0] != texts[1] and any(texts)
    said = ["" if each is None else each.text or each.words for each in (old, new)]
    shown = said if how == "changed" and either.sort in TOLD else ["", ""]
    lines = tuple(_lines(old, new))
    return TextDifference(how, either.sort, either.name, first, second, lines, meaning, *shown)


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
    while each.sort != "title" and end < len(text) and (not text[end].strip() or _margin(text[end]) > margin):
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
