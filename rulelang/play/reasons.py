"""The engine's own reasons, made from the registry of codes: refusals (Spec 8.5) and exhausted limits (Spec 16).

A refusal's ``code`` is a name that scenarios can write (``not_your_turn``); its ``number`` is that of the registry.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.diagnostics.codes import Code
from rulelang.failures import Exhausted
from rulelang.ir.origin import Source
from rulelang.play.refusal import Refusal


def exhausted(code: Code, **blanks: object) -> Exhausted:
    """A limit was reached: the failure to raise, in the registry's sentence."""
    return Exhausted(code.number, code.sentence.format(**blanks))


def declared(failure: Exhausted, at: Source) -> Exhausted:
    """The failure with the place of the zone or marker that it is about."""
    failure.declared = (at.origin.file, at.origin.line)
    return failure


def placed(failure: Exhausted, at: Source | None) -> Exhausted:
    """The failure with its place in the rules; one that has a place keeps it."""
    if failure.file is None and at is not None:
        failure.file, failure.line = at.origin.file, at.origin.line
    return failure


@contextmanager
def standing(at: Source | None) -> Iterator[None]:
    """If a limit is reached in here, it is reached at this place of the rules; a closer place is kept."""
    try:
        yield
    except Exhausted as failure:
        placed(failure, at)
        raise


def engine_refusal(
    name: str, code: Code, words: str | None = None, at: Source | None = None, *, named: bool = False, **blanks: object
) -> Refusal:
    """One of the engine's reasons; ``words`` of the rules take the place of the registry's sentence, and a name that
    they give (``named``) stands in the place of its number.
    """
    return Refusal(
        code=name,
        number=code.number,
        words=code.sentence.format(**blanks) if words is None else words,
        clauses=at.clauses if at else (),
        file=at.origin.file if at else None,
        line=at.origin.line if at else None,
        named=named,
    )
