"""Diagnostics written out: as text for people, as JSON for programs, as SARIF for editors and code hosts.

The text quotes the line and underlines the words meant. It is plain unless colour is asked for, and safe for terminals:
tabs are widened, wide characters count double, and characters that would steer the terminal are spelled out.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from rulelang.diagnostics.diagnostic import Diagnostic, printable
from rulelang.source import Place, Source

EXCERPT_WIDTH: Final = 100
"""Characters of a line that are quoted; of a longer line, those around the words meant."""

SARIF_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_RED, _BOLD, _PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[0m"


def as_text(diagnostics: Iterable[Diagnostic], sources: Iterable[Source] = (), *, colour: bool = False) -> str:
    """Write diagnostics for people, an empty line between two; lines are quoted from the sources given."""
    texts = {source.name: source for source in sources}
    return "\n\n".join("\n".join(_paragraph(each, texts, colour)) for each in diagnostics)


def _paragraph(diagnostic: Diagnostic, texts: Mapping[str, Source], colour: bool) -> Iterator[str]:
    code, place = diagnostic.code, diagnostic.place
    where = f"{printable(str(place))}: " if place else ""
    head = f"{code.number} {code.title}"
    yield f"{where}{_BOLD}{head}{_PLAIN}" if colour else f"{where}{head}"
    yield f"  {printable(diagnostic.message)}"
    if place:
        yield from _excerpt(place, texts, colour)
    for related in diagnostic.related:
        yield f"  See {printable(str(related.place))}: {printable(related.message)}"
        yield from _excerpt(related.place, texts, colour)
    if diagnostic.hint:
        yield f"  Way out: {printable(diagnostic.hint)}"


def _excerpt(place: Place, texts: Mapping[str, Source], colour: bool) -> Iterator[str]:
    """Quote the first line of a place and underline what belongs to the place."""
    if place.file not in texts:
        return
    line = texts[place.file].line(place.line)
    start = min(place.column - 1, len(line))
    end = place.end_column - 1 if place.end_line == place.line else len(line)
    end = max(min(end, len(line)), start)
    left = max(0, start - EXCERPT_WIDTH // 2) if len(line) > EXCERPT_WIDTH else 0
    right = left + EXCERPT_WIDTH
    before, meant, after = _widened(line[left:start]), _widened(line[start : min(end, right)]), line[end:right]
    opening, closing = "..." if left else "", "..." if right < len(line) else ""
    number = str(place.line)
    carets = "^" * max(_width(meant), 1)
    if colour:
        carets = f"{_RED}{carets}{_PLAIN}"
    yield f"    {number} | {opening}{before}{meant}{_widened(after)}{closing}".rstrip()
    yield f"    {' ' * len(number)} | {' ' * (len(opening) + _width(before))}{carets}"


def _widened(text: str) -> str:
    return printable(text.replace("\t", "    "))


def _width(text: str) -> int:
    """Return how many columns of a terminal a printable text takes."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def as_json(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """Write diagnostics as a JSON object: `{"diagnostics": [...]}`."""
    return {"diagnostics": [_json_object(each) for each in diagnostics]}


def _json_object(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code.number,
        "slug": diagnostic.code.slug,
        "title": diagnostic.code.title,
        "stage": diagnostic.code.stage,
        "message": diagnostic.message,
        "place": _json_place(diagnostic.place) if diagnostic.place else None,
        "related": [{"place": _json_place(each.place), "message": each.message} for each in diagnostic.related],
        "hint": diagnostic.hint,
    }


def _json_place(place: Place) -> dict[str, Any]:
    return {
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }


def as_sarif(diagnostics: Iterable[Diagnostic], *, version: str) -> dict[str, Any]:
    """Write diagnostics as a SARIF 2.1.0 log of one run; `version` is that of rulelang."""
    found = tuple(diagnostics)
    codes = sorted({each.code for each in found}, key=lambda code: code.number)
    rules = [
        {
            "id": code.number,
            "name": code.slug,
            "shortDescription": {"text": code.title},
            "fullDescription": {"text": code.summary},
        }
        for code in codes
    ]
    driver = {"name": "rulelang", "version": version, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(each, codes.index(each.code)) for each in found],
    }
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _sarif_result(diagnostic: Diagnostic, rule_index: int) -> dict[str, Any]:
    message = f"{diagnostic.message} {diagnostic.hint}" if diagnostic.hint else diagnostic.message
    result: dict[str, Any] = {
        "ruleId": diagnostic.code.number,
        "ruleIndex": rule_index,
        "level": "error",
        "message": {"text": message},
        "locations": [_sarif_location(diagnostic.place)] if diagnostic.place else [],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, **_sarif_location(each.place), "message": {"text": each.message}}
            for number, each in enumerate(diagnostic.related)
        ]
    return result


def _sarif_location(place: Place) -> dict[str, Any]:
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(place.file.replace("\\", "/"), errors="surrogatepass")},
            "region": region,
        }
    }
