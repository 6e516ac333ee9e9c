"""Rules inside a play file: the block below a line `rules NAME:` at the margin. Spec 15.4.

They are cut out of the text before anything else reads it, as they are of another grammar. Both parts keep their lines,
so that places stay right; the columns of the rules are told with the depth of their block added.
"""

import re
from typing import Final

import attrs

from rulelang.diagnostics.codes import DECLARED_TWICE, MISSING_BLOCK
from rulelang.diagnostics.diagnostic import Diagnostic, Findings
from rulelang.source import Place, Source

_HEAD: Final = re.compile(r"rules[ \t]+([^\W\d_]\w*)[ \t]*:[ \t]*(#.*)?")


@attrs.frozen
class InlineRules:
    """Rules that stand in a play file."""

    name: str
    at: Place
    """Where they are named."""
    last: int
    """Their last line."""
    source: Source
    """Their text at the margin, on the lines where it stands."""
    depth: int
    """How deep it stands."""

    def shifted(self, diagnostic: Diagnostic) -> Diagnostic:
        """A mistake of these rules, pointed at where they stand in the play file."""
        related = tuple(attrs.evolve(each, place=self._moved(each.place)) for each in diagnostic.related)
        place = self._moved(diagnostic.place) if diagnostic.place else None
        return attrs.evolve(diagnostic, place=place, related=related)

    def _moved(self, place: Place) -> Place:
        if place.file != self.source.name:
            return place
        return attrs.evolve(place, column=place.column + self.depth, end_column=place.end_column + self.depth)


def split(source: Source, findings: Findings) -> tuple[Source, list[InlineRules]]:
    """The text without its inline rules, and these."""
    lines = source.text.split("\n")
    plays, found, number = list(lines), list[InlineRules](), 0
    while number < len(lines):
        head = _HEAD.fullmatch(lines[number].rstrip())
        number += 1
        if head is None:
            continue
        end = number
        while end < len(lines) and (not lines[end].strip() or lines[end][0] in " \t"):
            end += 1
        while end > number and not lines[end - 1].strip():
            end -= 1
        at = Place(source.name, number, head.start(1) + 1, number, head.end(1) + 1)
        if end == number:
            findings.report(MISSING_BLOCK, at)
        elif any(each.name == head[1] for each in found):
            findings.report(DECLARED_TWICE, at, word=head[1])
        else:
            found.append(_block(source, head[1], at, lines, number, end))
        plays[number - 1 : end] = [""] * (end - number + 1)
        number = end
    return Source(source.name, "\n".join(plays)), found


def _block(source: Source, name: str, at: Place, lines: list[str], start: int, end: int) -> InlineRules:
    depths = [len(line) - len(line.lstrip(" ")) for line in lines[start:end] if line.strip()]
    depth = min(depths)
    text = "\n".join([""] * start + [line[depth:] for line in lines[start:end]]) + "\n"
    return InlineRules(name, at, end, Source(source.name, text), depth)
