"""Characters that the language does not know, cannot tell apart or cannot show, and what to say about them. Spec 2.1.

Names may be written in any alphabet, but one name keeps to one, and none consists only of letters that look like those
of another: whoever reads the rules must be able to type them. Characters that nobody sees, or that turn the direction
of reading, are refused everywhere.
"""

import re
import unicodedata
from typing import Final

HIDDEN: Final = re.compile(
    "(?:[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]|\r(?!\n))+"
)
"""Control characters, marks of direction and characters without width, in runs."""

_LOOK_ALIKE: Final = frozenset("абвеһікмнорсԁѕтухјԛԝӏАВЕІКМНОРСЅТУХЈԚԜαινορυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
"""Letters of other alphabets that most typefaces draw like Latin ones."""

_SIGNS: Final = re.compile(r"!=|==|&&|\|\||->|=>|\*\*|//|[“”„«»]+|…")
_WAYS_OUT: Final = {
    "!=": "write 'is not'",
    "&&": "write 'and'",
    "&": "write 'and'",
    "||": "write 'or'",
    "|": "write 'or'",
    "!": "write 'not'",
    ";": "begin a new line instead",
    "/": "whole numbers are divided with a built-in word, such as 'half(n)'",
    "'": "texts stand in double quotation marks; a possessive is written p's",
    "’": "use the straight mark: p's",
    "‘": "texts stand in double quotation marks",
    "_": "a name begins with a letter",
    "…": "write '..'",
    "–": "write '-'",
    "—": "write '-'",
    "−": "write '-'",
    "×": "write '*'",
    "·": "write '*'",
    "≤": "write '<='",
    "≥": "write '>='",
    "≠": "write 'is not'",
    "{": "braces stand only inside texts",
    "}": "braces stand only inside texts",
}


def unknown(text: str, start: int) -> str:
    """Return the run of characters from `start` that is diagnosed as one."""
    sign = _SIGNS.match(text, start)
    if sign:
        return sign[0]
    end = start + 1
    while end < len(text) and text[end] == text[start]:
        end += 1
    return text[start:end]


def spelled(run: str) -> str:
    """Name a run of equal characters: as it looks if it is ASCII, else with its name in Unicode."""
    shown = run if len(set(run)) > 1 or len(run) <= 3 else run[0]
    if shown.isascii() and shown.isprintable():
        return f"'{shown}'"
    name = unicodedata.name(run[0], f"U+{ord(run[0]):04X}").lower()
    return f"'{run[0]}' ({name})" if run[0].isprintable() else name


def way_out(run: str) -> str | None:
    """Return what to write instead of an unknown character, if there is an idea."""
    if set(run) <= set("“”„«»"):
        return 'use straight quotation marks: "'
    if unicodedata.category(run[0]) == "Zs":
        return "use an ordinary blank"
    return _WAYS_OUT.get(run) or _WAYS_OUT.get(run[0])


def confusable(name: str) -> str | None:
    """Return what to do about a name that can be taken for another, or nothing if it cannot."""
    if unicodedata.normalize("NFKC", name) != name:
        return f"write it with plain letters: {unicodedata.normalize('NFKC', name)}"
    letters = [c for c in name if c.isalpha()]
    alphabets = {unicodedata.name(c, "?").split()[0] for c in letters}
    if len(alphabets & {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"}) > 1:
        other = next(c for c in letters if not unicodedata.name(c, "?").startswith("LATIN"))
        return f"'{other}' is a {_spoken(other)}; keep to one alphabet within a name"
    if letters and all(c in _LOOK_ALIKE for c in letters):
        return f"'{letters[0]}' is a {_spoken(letters[0])}; it looks like a Latin letter"
    return None


def _spoken(letter: str) -> str:
    return unicodedata.name(letter, "letter").lower()
