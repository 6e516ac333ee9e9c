"""Whether the texts of a program can be shown to people. Spec 1.5."""

import re
from collections.abc import Iterator

from rulelang.ir.shapes import fields_of
from rulelang.ir.verify.finding import Report
from rulelang.limits import IDENTIFIER

_NAMES = ("name", "rows", "labels", "locals", "clauses")
"""Fields that hold names rather than sentences."""

_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control signs except the end of a line and the tab, signs that turn the direction of reading, and half characters."""

_TEXTS: dict[type, tuple[str, ...]] = {}


def check(value: object, path: str, report: Report) -> None:
    """Report names that are empty or too long, and signs that cannot be shown."""
    kind = type(value)
    if kind not in _TEXTS:
        _TEXTS[kind] = tuple(name for name, shape in fields_of(kind) if shape.text or (shape.items or shape).text)
    for field in _TEXTS[kind]:
        part = getattr(value, field)
        for text in part if isinstance(part, tuple) else (part,):
            if isinstance(text, str):
                for fault in _faults(text, field in _NAMES):
                    report.add(f"{path}/{field}", fault)


def _faults(text: str, is_name: bool) -> Iterator[str]:
    if is_name and not text.strip():
        yield "a name is empty"
    if is_name and len(text) > IDENTIFIER:
        yield f"a name has more than {IDENTIFIER} letters"
    if not text.isprintable() and _HIDDEN.search(text):
        yield "a text has signs that cannot be shown"
