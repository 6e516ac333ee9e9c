"""One mistake as frozen data, and the collector in which a stage gathers many.

A diagnostic points at the author's own words, names the second place involved where there is one, and offers one way
out.
"""

import difflib
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import attrs

from rulelang import limits
from rulelang.diagnostics.codes import MORE_DIAGNOSTICS, Code
from rulelang.failures import Broken, Diagnosed
from rulelang.source import Place, Source

WORD_SHOWN: Final = 60
"""Characters of an author's word that a hint quotes; longer ones are cut."""

BLANK_SHOWN: Final = 300
"""Characters that a blank of a sentence takes: a name, a path or a reason; longer ones are cut."""

CANDIDATES_COMPARED: Final = 200
"""Names compared with a misspelled one: enough for any game, and never slow."""

ALIKE: Final = 0.85
"""How much of two words agrees where one is surely meant for the other."""


@attrs.frozen
class Related:
    """A second place involved in a mistake, and what it has to do with it."""

    place: Place
    message: str


@attrs.frozen
class Diagnostic:
    """One mistake: which, where, what else is involved, and one way out. Without a place it concerns a whole file."""

    code: Code
    message: str
    place: Place | None = None
    related: tuple[Related, ...] = ()
    hint: str | None = None


Hint = str | Callable[[], str | None] | None
"""One way out, or a function that looks for it; it is asked only for a diagnostic that will be shown."""


def diagnose(
    code: Code,
    place: Place | None = None,
    *,
    related: tuple[Related, ...] = (),
    hint: str | None = None,
    **words: object,
) -> Diagnostic:
    """Make a diagnostic whose message is the code's sentence with its blanks filled in."""
    return Diagnostic(code, filled(code, words), place, related, hint)


def filled(code: Code, words: Mapping[str, object]) -> str:
    """Return the sentence of a code with its blanks filled in; each blank must get its word."""
    if set(words) != set(code.words):
        raise Broken(f"{code.number} needs the words {sorted(code.words)}, not {sorted(words)}")
    return code.sentence.format(**{name: clipped(str(word), BLANK_SHOWN) for name, word in words.items()})


def quoted(word: str) -> str:
    """Return an author's word in quotation marks, cut to a length that fits into a sentence."""
    return f"'{clipped(word, WORD_SHOWN)}'"


def clipped(text: str, length: int) -> str:
    """Return a text without characters that steer a terminal, cut after some length."""
    return printable(text) if len(text) <= length else printable(text[:length]) + "..."


def printable(text: str) -> str:
    """Return a text in which characters that steer a terminal or turn the reading direction are spelled out."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"<U+{ord(c):04X}>" if unicodedata.category(c) in _STEERING else c for c in text)


_STEERING: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """Return the hint naming the candidate most like a misspelled word, or nothing if none is like it."""
    near = nearest(word, candidates)
    return f"did you mean {quoted(near)}?" if near is not None else None


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most like a misspelled word, or nothing if none is like it.

    The answer does not depend on the order of the candidates.
    """
    by_likeness = sorted(set(candidates) - {word}, key=lambda name: (abs(len(name) - len(word)), name))
    spelled = {name.casefold(): name for name in reversed(by_likeness[:CANDIDATES_COMPARED])}
    near = difflib.get_close_matches(word.casefold()[: limits.IDENTIFIER], sorted(spelled), n=1)
    return spelled[near[0]] if near else None


def are_alike(word: str, other: str) -> bool:
    """Whether one is surely the other misspelled."""
    return difflib.SequenceMatcher(None, word.casefold(), other.casefold()).ratio() >= ALIKE


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort as a reader meets them, what concerns whole files first, and drop exact repetitions."""
    return tuple(sorted(dict.fromkeys(diagnostics), key=_reading_order))


def capped(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Keep as many as are shown at once; if there are more, a last one says how many."""
    surplus = len(diagnostics) - limits.DIAGNOSTICS
    if surplus <= 0:
        return tuple(diagnostics)
    return (*diagnostics[: limits.DIAGNOSTICS], diagnose(MORE_DIAGNOSTICS, count=surplus))


class Findings:
    """The mistakes that one stage has found so far. A stage goes on after a mistake, to report all independent ones."""

    def __init__(self) -> None:
        self._found: list[tuple[Diagnostic, Hint]] = []
        self._quoted: list[Source] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def quote(self, source: Source) -> None:
        """Remember a further text that diagnostics point into, so that the report can quote it."""
        self._quoted.append(source)

    def add(self, diagnostic: Diagnostic) -> None:
        """Take in a diagnostic made elsewhere."""
        self._found.append((diagnostic, diagnostic.hint))

    def report(
        self, code: Code, place: Place | None, *, related: tuple[Related, ...] = (), hint: Hint = None, **words: object
    ) -> None:
        """Make a diagnostic from the code's sentence and take it in; a costly hint may be given as a function."""
        self._found.append((Diagnostic(code, filled(code, words), place, related), hint))

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Return them sorted, each once, no more than are shown at once, with their hints."""
        hints: dict[Diagnostic, Hint] = {}
        for diagnostic, hint in self._found:
            hints.setdefault(attrs.evolve(diagnostic, hint=None), hint)
        return tuple(attrs.evolve(d, hint=_asked(hints.get(d))) for d in capped(in_order(hints)))

    def raise_if_any(self, sources: Iterable[Source] = ()) -> None:
        """Raise all as one `Diagnosed`; do nothing if there are none."""
        if self._found:
            raise Diagnosed(self.diagnostics(), (*sources, *self._quoted))


def _asked(hint: Hint) -> str | None:
    return hint() if callable(hint) else hint


def _reading_order(diagnostic: Diagnostic) -> tuple[bool, Place | None, str, str]:
    place = diagnostic.place
    return (place is not None, place or _NOWHERE, diagnostic.code.number, diagnostic.message)


_NOWHERE: Final = Place("", 0, 0, 0, 0)
